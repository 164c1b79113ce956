//! A turn with both words and calls, where the target takes either: the words become a turn of their own in front.

use super::super::Writer;
use crate::report::Severity;
use crate::rule;
use crate::transcript::{BlockKind, Message, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.content.words_beside_calls {
        return;
    }
    let messages = std::mem::take(&mut transcript.messages);
    for mut message in messages {
        let called = |block: &crate::transcript::Block<'_>| matches!(block.kind, BlockKind::ToolCall(_));
        let calls = message.blocks.iter().filter(|block| called(block)).count();
        if message.role == Role::Assistant && calls > 0 && calls < message.blocks.len() {
            let (calls, words) = std::mem::take(&mut message.blocks).into_iter().partition(called);
            message.blocks = calls;
            message.dirty = true;
            let turn = Message::new(transcript.mint(), Role::Assistant, words);
            let what = "the target takes words or calls in a turn, not both; the words became a turn of their own";
            writer.entry(&rule::WORDS_BESIDE_CALLS, Severity::Adapt, message.source, Some(message.id), what);
            transcript.messages.push(turn);
        }
        transcript.messages.push(message);
    }
}
