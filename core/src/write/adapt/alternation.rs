//! Turns of the user and of the model that take turns, where the target asks for it: neighbours of one side become one
//! message. Results are the user's side; how they go into one message with the words behind them is the renderer's matter.

use super::super::Writer;
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Message, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.target.order.alternates || transcript.fragment {
        return;
    }
    let messages = std::mem::take(&mut transcript.messages);
    let mut placed: Vec<Message<'a>> = Vec::with_capacity(messages.len());
    for mut message in messages {
        let Some(last) = placed.last_mut() else {
            placed.push(message);
            continue;
        };
        let one_side = match (last.role, message.role) {
            (Role::System, _) | (_, Role::System) => false,
            (last, next) => (last == Role::Assistant) == (next == Role::Assistant),
        };
        if !one_side {
            placed.push(message);
            continue;
        }
        let wire = |message: &Message<'_>| message.origin.map(|origin| origin.value);
        let together = writer.same && wire(last).is_some() && wire(last) == wire(&message);
        // In another dialect results are messages of their own: that they stand in one here is how this one is written.
        let as_written = !writer.same && last.role == Role::ToolResult;
        if !together && !as_written {
            writer.entry(
                &rule::ROLES_DO_NOT_ALTERNATE,
                Severity::Adapt,
                message.source,
                Some(last.id),
                "two messages of one side follow each other; the target wants them to be one",
            );
            last.dirty = true;
            message.dirty = true;
        }
        if last.role == message.role && last.role != Role::ToolResult {
            last.dirty = true;
            last.blocks.append(&mut message.blocks);
        } else {
            placed.push(message);
        }
    }
    transcript.messages = placed;
}
