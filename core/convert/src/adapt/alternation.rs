//! Turns of the user and of the model that take turns, where the target asks for it: neighbours of one side become one
//! message. Results are the user's side; how they go into one message with the words behind them is the renderer's matter.
//!
//! Chat templates of servers that speak `openai.chat` count otherwise: calls and their results stand outside.

use std::collections::HashSet;

use crate::adapt::bridge;
use crate::print::Writer;
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Message, Role, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.target.order.alternates || transcript.fragment {
        return;
    }
    if writer.target.dialect == Dialect::OpenAiChat {
        return beside_calls(transcript, writer);
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
            let what = "two messages of one side follow each other; the target wants them to be one";
            writer.entry(&rule::ROLES_DO_NOT_ALTERNATE, Severity::Adapt, message.source, Some(last.id), what);
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

/// Joins turns that a chat template would find twice in a row. Words of the model before a turn that calls, with words again
/// behind its results, go into the turn that calls, which is not counted.
fn beside_calls<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let counts = |message: &Message<'_>| match message.role {
        Role::User => true,
        Role::Assistant => message.calls().next().is_none(),
        Role::System | Role::ToolResult => false,
    };
    let what = "two turns of one role follow each other; the target wants them to be one";
    let messages = std::mem::take(&mut transcript.messages);
    let mut placed: Vec<Message<'a>> = Vec::with_capacity(messages.len());
    let (mut counted, mut emptied) = (Vec::new(), HashSet::new());
    for mut message in messages {
        if !counts(&message) {
            placed.push(message);
            continue;
        }
        let before = counted.last().copied().filter(|before: &usize| placed[*before].role == message.role);
        if let Some(before) = before {
            if before + 1 == placed.len() {
                let (source, about) = (message.source, Some(placed[before].id));
                placed[before].blocks.append(&mut message.blocks);
                placed[before].dirty = true;
                writer.entry(&rule::ROLES_DO_NOT_ALTERNATE, Severity::Adapt, source, about, what);
                continue;
            }
            // Nothing but calls and results stands between the two.
            if message.role == Role::User && placed.last().is_some_and(|last| last.role == Role::ToolResult) {
                let bridge = bridge::turn(transcript);
                let (source, about) = (message.source, Some(bridge.id));
                let what =
                    "the target wants the model to speak between two turns of the user; a turn that says so was added";
                writer.entry(&rule::ROLES_DO_NOT_ALTERNATE, Severity::Adapt, source, about, what);
                counted.push(placed.len());
                placed.push(bridge);
            } else if placed[before + 1].role == message.role {
                let mut words = std::mem::take(&mut placed[before].blocks);
                emptied.insert(placed[before].id);
                let turn = &mut placed[before + 1];
                words.append(&mut turn.blocks);
                turn.blocks = words;
                turn.dirty = true;
                let (source, about) = (turn.source, Some(turn.id));
                writer.entry(&rule::ROLES_DO_NOT_ALTERNATE, Severity::Adapt, source, about, what);
                counted.pop();
            }
        }
        counted.push(placed.len());
        placed.push(message);
    }
    placed.retain(|message| !emptied.contains(&message.id));
    transcript.messages = placed;
}
