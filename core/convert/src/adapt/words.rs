//! A turn with both words and calls, where the target takes either: the words become a separate turn before the calls. Where
//! turns must alternate, they precede what the model says after the results.

use crate::print::Writer;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, Transcript};
use wirecanon_model::{rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
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
            let turn = Message::new(transcript.mint(), Role::Assistant, words);
            let what = "the target takes words or calls in a turn, not both; the words became a turn of their own";
            writer.adapt(&rule::WORDS_BESIDE_CALLS, &mut message, what);
            transcript.messages.push(turn);
        }
        transcript.messages.push(message);
    }
}

/// Moves the words of a turn with calls to the turn of the model behind their results. Where the model says nothing there, they stay
/// before the calls as a turn of their own, and a message of the user that says nothing stands between the two.
fn behind_results<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let is_call = |block: &Block<'_>| matches!(block.kind, BlockKind::ToolCall(_));
    let stays = |block: &Block<'_>| is_call(block) || matches!(block.kind, BlockKind::Thinking(_));
    let mut placed: Vec<Message<'a>> = Vec::with_capacity(transcript.messages.len());
    let mut moved: Option<(usize, Vec<Block<'a>>)> = None;
    let mut before_calls = Vec::new();
    for mut message in std::mem::take(&mut transcript.messages) {
        match (message.role, moved.take()) {
            (Role::Assistant, words) => {
                if let Some((_, words)) = words {
                    message.blocks.splice(0..0, words);
                    message.dirty = true;
                }
                if message.blocks.iter().any(is_call) && !message.blocks.iter().all(stays) {
                    let (kept, words) = std::mem::take(&mut message.blocks).into_iter().partition(stays);
                    message.blocks = kept;
                    moved = Some((placed.len(), words));
                    let what =
                        "the target takes words or calls in a turn, not both; the words got a place of their own";
                    writer.adapt(&rule::WORDS_BESIDE_CALLS, &mut message, what);
                }
            }
            (Role::ToolResult, words) => moved = words,
            (Role::User | Role::System, words) => before_calls.extend(words),
        }
        placed.push(message);
    }
    before_calls.extend(moved);
    let mut before_calls = before_calls.into_iter().peekable();
    for (at, message) in placed.into_iter().enumerate() {
        if let Some((_, words)) = before_calls.next_if(|(calls, _)| *calls == at) {
            let filler = Block::new(transcript.mint(), BlockKind::Text(text::CLOSING.into()));
            let turns = [(Role::Assistant, words), (Role::User, vec![filler])];
            let turns = turns.map(|(role, blocks)| Message::new(transcript.mint(), role, blocks));
            transcript.messages.extend(turns);
        }
        transcript.messages.push(message);
    }
}
