//! Reasoning goes only to who signed it.

use super::super::Writer;
use crate::dialect::Dialect;
use crate::report::Severity;
use crate::rule;
use crate::transcript::{BlockKind, Role, Thinking, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in &mut transcript.messages {
        if message.role != Role::Assistant {
            continue;
        }
        let before = message.blocks.len();
        message.blocks.retain(|block| {
            let BlockKind::Thinking(thinking) = &block.kind else { return true };
            let (rule, words) = if !may_go(thinking, block.source, writer) {
                (&rule::THINKING_LEFT_OUT, "reasoning of another provider was left out")
            } else if writer.target.reasoning.signed && thinking.signature.is_none() {
                (&rule::THINKING_WITHOUT_SIGNATURE, "reasoning without a signature was left out")
            } else {
                return true;
            };
            writer.entry(rule, Severity::Loss, block.source, None, words);
            false
        });
        message.dirty |= message.blocks.len() != before;
    }
    // A turn of nothing else goes with it.
    transcript.messages.retain(|message| !(message.role == Role::Assistant && message.blocks.is_empty()));
}

/// Histories keep everybody's reasoning; a provider gets its own, and what nobody is known to have signed.
fn may_go(thinking: &Thinking<'_>, source: Option<u32>, writer: &Writer<'_, '_>) -> bool {
    let target = writer.target.dialect;
    if target == Dialect::OpenAiChat && writer.own(source).is_some_and(|value| !value.is_string()) {
        // It has a field for reasoning, and no block.
        return false;
    }
    let sealed = thinking.signature.as_deref().is_some_and(crate::media::is_canonical);
    if target == Dialect::BedrockConverse && thinking.redacted && !sealed {
        // What is sealed is bytes there.
        return false;
    }
    if writer.same && !target.spec().keeps_all_reasoning {
        return writer.target.reasoning.accepted;
    }
    if target.spec().keeps_all_reasoning {
        return true;
    }
    match thinking.origin.as_deref() {
        Some(origin) => origin == target.name() || origin.starts_with(&format!("{}/", target.name())),
        None => target.spec().takes_unsigned_reasoning,
    }
}
