//! A turn of the model between a tool result and the user, where the target asks for one ("Unexpected role 'user' after role
//! 'tool'").

use crate::print::Writer;
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, Transcript};
use wirecanon_model::{rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let meets = |pair: &[Message<'_>]| pair[0].role == Role::ToolResult && pair[1].role == Role::User;
    if writer.target.order.user_after_tool || !transcript.messages.windows(2).any(meets) {
        return;
    }
    let messages = std::mem::take(&mut transcript.messages);
    let mut placed: Vec<Message<'a>> = Vec::with_capacity(messages.len() + 1);
    for message in messages {
        let after_tool = placed.last().is_some_and(|last| last.role == Role::ToolResult);
        if message.role == Role::User && after_tool {
            let bridge = turn(transcript);
            let what =
                "the target wants the model to speak between a tool result and the user; a turn that says so was added";
            writer.entry(&rule::USER_AFTER_TOOL_RESULT, Severity::Adapt, message.source, Some(bridge.id), what);
            placed.push(bridge);
        }
        placed.push(message);
    }
    transcript.messages = placed;
}

/// A turn of the model between a tool result and the user.
pub(crate) fn turn<'a>(transcript: &mut Transcript<'a>) -> Message<'a> {
    let block = Block::new(transcript.mint(), BlockKind::Text(text::BETWEEN.into()));
    Message::new(transcript.mint(), Role::Assistant, vec![block])
}
