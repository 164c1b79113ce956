//! Messages of typed parts, as `OpenViking` stores them: a call and its result are one part.

use super::inside::{Turn, turns};
use super::{
    Carries, Members, Pictures, Speller, called, canonical, chat, contain, lone_text, plain_text, put, text_block,
    typed, with_role,
};
use crate::node::{COMPACT, Node, print, raw};
use crate::plan::{CallPart, Field, Message, Part, Plan, Role, Text};
use crate::{Config, Draw};

/// There are neither instructions nor pictures nor reasoning.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries {
        pictures: Pictures::Nowhere,
        system: false,
        thinking: false,
        results_apart: false,
        ..Carries::ALL
    },
    ..Speller::new(document)
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let turns = turns(plan);
    let messages = turns.iter().enumerate().map(|(number, turn)| message(draw, config, turn, number)).collect();
    contain(config, Vec::new(), messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, turn: &Turn<'_>, number: usize) -> Node {
    let message = turn.message;
    if message.role == Role::Result {
        return canonical::message(message);
    }
    let mut members = Vec::new();
    if config.extras {
        put(&mut members, "id", format!("msg_{number}"));
    }
    members.extend(with_role(message, chat::role(message)));
    match lone_text(message) {
        // The form of before there were parts.
        Some(text) if config.strings && draw.chance(1, 2) => {
            message.content.put(&mut members, "content", text);
        }
        _ => {
            let parts: Vec<_> = message.parts.iter().map(|part| part_of(draw, config, part, turn)).collect();
            message.content.put(&mut members, "parts", parts);
        }
    }
    if config.extras {
        put(&mut members, "created_at", format!("2026-04-22T10:00:{:02}Z", number % 60));
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn part_of(draw: &mut Draw<'_, '_>, config: &Config, part: &Part, turn: &Turn<'_>) -> Node {
    match part {
        Part::Call(call) => tool(draw, config, call, turn.result(call)),
        Part::Text(text) => match plain_text(part) {
            Some(words) if config.extras && turn.message.role == Role::User && draw.chance(1, 6) => context(words),
            _ => text_block(text),
        },
        Part::Raw(node, _) => node.clone(),
        Part::Image(_) | Part::Document(_) | Part::Thinking(_) => Node::Null,
    }
}

/// A memory that the turn refers to, and what it is about.
fn context(words: &str) -> Node {
    let mut members = typed("context");
    put(&mut members, "uri", "viking://user/memories/1");
    put(&mut members, "context_type", "memory");
    put(&mut members, "abstract", words);
    Node::Object(members)
}

fn tool(draw: &mut Draw<'_, '_>, config: &Config, call: &CallPart, result: Option<&Message>) -> Node {
    let (kind, key) = call.alias.unwrap_or(("tool", "tool_input"));
    let mut members = typed(kind);
    called(call, &mut members, ["tool_id", "tool_name", key], raw(&call.arguments));
    match result.and_then(|result| Some((result, result.answer.as_ref()?))) {
        Some((result, answer)) => {
            output(result, &mut members);
            let status = if answer.is_error { "error" } else { "completed" };
            answer.spelled_error.put(&mut members, "tool_status", status);
            if config.extras && draw.chance(1, 3) {
                put(&mut members, "duration_ms", raw("12.5"));
            }
            if config.extras && draw.chance(1, 6) {
                put(&mut members, "tool_output_ref", format!("viking://session/out/{}", call.token));
                put(&mut members, "tool_output_truncated", true);
                put(&mut members, "tool_output_original_chars", raw("120000"));
            }
            members.extend(result.extra.clone());
        }
        None => put(&mut members, "tool_status", draw.pick(&["pending", "running"])),
    }
    members.extend(call.extra.clone());
    Node::Object(members)
}

/// What came back, as one text.
fn output(result: &Message, members: &mut Members) {
    if result.content != Field::Natural {
        return result.content.put(members, "tool_output", Node::Null);
    }
    if let [Part::Text(Text { spelled: Field::Instead(node), .. })] = &result.parts[..] {
        return put(members, "tool_output", node.clone());
    }
    if result.parts.iter().any(|part| matches!(part, Part::Text(Text { twice: true, .. }))) {
        put(members, "tool_output", "overwritten");
    }
    let texts = result.parts.iter().map(|part| match part {
        Part::Text(Text { body, spelled: Field::Natural, .. }) => body.clone(),
        Part::Text(Text { spelled: Field::Instead(node), .. }) | Part::Raw(node, _) => print(node, COMPACT),
        _ => String::new(),
    });
    put(members, "tool_output", texts.collect::<Vec<_>>().join("\n"));
}
