//! Cache marks: Anthropic takes four in a request ("A maximum of 4 blocks with `cache_control` may be provided"). The last
//! ones are what the next turn builds on.

use super::super::Writer;
use crate::dialect::{Dialect, is_anthropic_marker};
use crate::json::{Json, Limits};
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Native, Transcript};

const MOST: usize = 4;
const KEY: &str = "cache_control";

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    malformed(transcript, writer);
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

/// Takes off what stands in place of a mark and is none.
fn malformed<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let what = "this is no cache mark that the server knows; left out";
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            if is_malformed(block.native.as_deref()) && take(block.native.as_deref_mut()) {
                writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, block.source, Some(block.id), what);
                message.dirty = true;
                block.dirty = true;
                block.source = None;
            }
        }
        if is_malformed(message.native.as_deref()) && take(message.native.as_deref_mut()) {
            writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, message.source, Some(message.id), what);
            message.dirty = true;
            message.source = None;
        }
    }
}

fn is_malformed(native: Option<&Native<'_>>) -> bool {
    let fields = native.map_or(&[][..], |native| native.of(Dialect::AnthropicMessages.name()));
    let mark = fields.iter().find(|(key, _)| key == KEY);
    mark.is_some_and(|(_, mark)| {
        let limits = Limits { max_depth: usize::MAX };
        !Json::parse(mark, &limits).is_ok_and(|json| is_anthropic_marker(json.root()))
    })
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
