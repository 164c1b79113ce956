//! A turn with both words and calls, where the target takes either: the words become a separate turn before the calls. Where
//! turns must alternate, they precede what the model says after the results, and are lost if it says nothing.

use super::super::Writer;
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Block, BlockKind, Message, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.content.words_beside_calls {
        return;
    }
    if writer.target.order.alternates {
        return behind_results(transcript, writer);
    }
    let messages = std::mem::take(&mut transcript.messages);
    for mut message in messages {
        let called = |block: &Block<'_>| matches!(block.kind, BlockKind::ToolCall(_));
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

/// Moves the words of a turn with calls to the turn of the model behind their results.
fn behind_results<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let is_call = |block: &Block<'_>| matches!(block.kind, BlockKind::ToolCall(_));
    let stays = |block: &Block<'_>| is_call(block) || matches!(block.kind, BlockKind::Thinking(_));
    let mut moved = Vec::new();
    for message in &mut transcript.messages {
        match message.role {
            Role::Assistant => {}
            Role::ToolResult => continue,
            Role::User | Role::System => {
                lose(&mut moved, writer);
                continue;
            }
        }
        if !moved.is_empty() {
            message.blocks.splice(0..0, moved.drain(..));
            message.dirty = true;
        }
        if message.blocks.iter().any(is_call) && !message.blocks.iter().all(stays) {
            let (kept, words) = std::mem::take(&mut message.blocks).into_iter().partition(stays);
            (message.blocks, moved) = (kept, words);
            message.dirty = true;
            let what = "the target takes words or calls in a turn, not both; the words went behind the results";
            writer.entry(&rule::WORDS_BESIDE_CALLS, Severity::Adapt, message.source, Some(message.id), what);
        }
    }
    lose(&mut moved, writer);
}

/// Says that words have no place in the rest of the conversation.
fn lose<'a>(moved: &mut Vec<Block<'a>>, writer: &mut Writer<'a, '_>) {
    for block in moved.drain(..) {
        let what = "the target takes words or calls in a turn, not both, and the model says nothing behind the results";
        writer.entry(&rule::WORDS_BESIDE_CALLS, Severity::Loss, block.source, None, what);
    }
}
