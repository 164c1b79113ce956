//! OpenAI Chat Completions.

use super::{Carries, Pictures, Speller, contain, content, data_url, put, text_block, with_role, without_calls};
use crate::generate::node::{Node, object};
use crate::generate::plan::{CallPart, Message, Part, Plan, Role};
use crate::generate::{Config, Draw};

/// Chat has neither an error flag nor signed reasoning, and takes no picture in a result.
pub(in crate::generate) const SPELLER: Speller = Speller {
    carries: Carries { pictures: Pictures::OfUsers, errors: false, thinking: false, ..Carries::ALL },
    vendor: Some("openai"),
    ..Speller::new(document)
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut front = Vec::new();
    if config.extras {
        put(&mut front, "model", Node::from("gpt-5"));
    }
    let messages = plan.messages.iter().map(|one| message(draw, config, one)).collect();
    contain(config, front, messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let mut members = match message.role {
        Role::System => with_role(message, draw.pick(&["system", "developer"])),
        Role::User => with_role(message, "user"),
        Role::Assistant => with_role(message, "assistant"),
        Role::Result => with_role(message, "tool"),
    };
    if let Some(answer) = &message.answer {
        answer.spelled_id.put(&mut members, answer.id_key.unwrap_or("tool_call_id"), Node::from(answer.id.as_str()));
    }
    let spoken = without_calls(message);
    let blocks: Vec<_> = spoken.parts.iter().map(block).collect();
    let called = message.calls().next().is_some();
    if called && blocks.is_empty() {
        match draw.up_to(2) {
            0 => message.content.put(&mut members, "content", Node::Null),
            1 => message.content.put(&mut members, "content", Node::from("")),
            _ => {}
        }
    } else {
        let natural = content(draw, config, &spoken, blocks);
        message.content.put(&mut members, "content", natural);
    }
    if called {
        put(&mut members, "tool_calls", Node::Array(message.calls().map(call).collect()));
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn block(part: &Part) -> Node {
    match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => {
            object([("type", Node::from("image_url")), ("image_url", object([("url", data_url(image))]))])
        }
        Part::Raw(node, _) => node.clone(),
        Part::Thinking(_) | Part::Call(_) => Node::Null,
    }
}

fn call(call: &CallPart) -> Node {
    let mut function = Vec::new();
    call.spelled_name.put(&mut function, "name", Node::from(call.name.as_str()));
    call.spelled_arguments.put(&mut function, "arguments", Node::from(call.arguments.as_str()));
    let mut members = Vec::new();
    call.spelled_id.put(&mut members, "id", Node::from(call.id.as_str()));
    put(&mut members, "type", Node::from("function"));
    put(&mut members, "function", Node::Object(function));
    members.extend(call.extra.clone());
    Node::Object(members)
}
