//! Cache marks: Anthropic takes four in a request ("A maximum of 4 blocks with `cache_control` may be provided"). The last
//! ones are what the next turn builds on.

use super::super::Writer;
use crate::dialect::Dialect;
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Native, Transcript};

const MOST: usize = 4;
const KEY: &str = "cache_control";

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    let marked = |native: Option<&Native<'_>>| {
        native.is_some_and(|native| native.of(Dialect::AnthropicMessages.name()).iter().any(|(key, _)| key == KEY))
    };
    let count: usize = transcript
        .messages
        .iter()
        .map(|message| {
            usize::from(marked(message.native.as_deref()))
                + message.blocks.iter().filter(|block| marked(block.native.as_deref())).count()
        })
        .sum();
    let mut surplus = (count + beside(transcript, writer)).saturating_sub(MOST);
    for message in &mut transcript.messages {
        if surplus > 0 && take(message.native.as_deref_mut()) {
            surplus -= 1;
            message.dirty = true;
            writer.entry(
                &rule::CACHE_MARKER_MISPLACED,
                Severity::Adapt,
                message.source,
                Some(message.id),
                "the request has more than four cache marks; the first were taken off",
            );
            message.source = None;
        }
        for block in &mut message.blocks {
            if surplus > 0 && take(block.native.as_deref_mut()) {
                surplus -= 1;
                message.dirty = true;
                block.dirty = true;
                writer.entry(
                    &rule::CACHE_MARKER_MISPLACED,
                    Severity::Adapt,
                    block.source,
                    Some(block.id),
                    "the request has more than four cache marks; the first were taken off",
                );
                block.source = None;
            }
        }
    }
}

/// Marks on tool definitions, which stay where they are.
fn beside(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> usize {
    let tools = transcript
        .tools
        .iter()
        .filter(|tool| writer.own(Some(tool.source)).is_some_and(|tool| tool.get(KEY).is_some()));
    tools.count()
}

fn take(native: Option<&mut Native<'_>>) -> bool {
    native.is_some_and(|native| native.remove(Dialect::AnthropicMessages.name(), KEY))
}
