//! Ollama's own chat.

use super::{Carries, Pictures, Speller, chat, put, said, typed, with_role};
use crate::node::{Node, raw};
use crate::plan::{CallPart, Field, Image, Message, Part, Plan};
use crate::{Config, Draw};

/// Content is one string, pictures stand beside it, and reasoning has no seal. Calls need no ids. The program itself shows
/// no picture of a result.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { errors: false, many_blocks: false, ids_needed: false, strict_gifs: false, ..Carries::ALL },
    settle,
    vendor: Some("ollama"),
    ..Speller::new(document)
};

fn settle(config: &mut Config) {
    if config.strict {
        config.pictures = Pictures::OfUsers;
    }
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let messages = plan.messages.iter().map(|one| message(draw, config, one)).collect();
    chat::document(config, &[("model", Node::from("qwen3")), ("stream", Node::Bool(false))], messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let mut members = with_role(message, chat::role(message));
    words(draw, message, &mut members);
    let pictures: Vec<_> = message
        .parts
        .iter()
        .filter_map(|part| if let Part::Image(image) = part { Some(picture(image)) } else { None })
        .collect();
    if !pictures.is_empty() {
        put(&mut members, "images", pictures);
    }
    let thoughts =
        message.parts.iter().filter_map(|part| if let Part::Thinking(one) = part { Some(one) } else { None });
    for thinking in thoughts {
        put(&mut members, "thinking", &thinking.body);
    }
    if message.calls().next().is_some() {
        let calls: Vec<_> = message.calls().enumerate().map(|(index, one)| call(config, one, index)).collect();
        put(&mut members, "tool_calls", calls);
    }
    if let Some(answer) = &message.answer {
        let named = answer.id.is_empty() || answer.spelled_name != Field::Natural || draw.chance(1, 2);
        if named {
            answer.spelled_name.put(&mut members, "tool_name", &answer.name);
        }
        if !answer.id.is_empty() || answer.spelled_id != Field::Natural {
            let key = answer.id_key.unwrap_or("tool_call_id");
            answer.spelled_id.put(&mut members, key, &answer.id);
        }
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

/// Content is a string. Only a fault makes a list of it.
fn words(draw: &mut Draw<'_, '_>, message: &Message, members: &mut Vec<(String, Node)>) {
    let spoken: Vec<_> = message.parts.iter().filter(|part| matches!(part, Part::Text(_) | Part::Raw(..))).collect();
    match spoken[..] {
        [Part::Text(text)] if message.content == Field::Natural => said(text, members, "content"),
        [] if message.content == Field::Natural && message.calls().next().is_some() => {
            if draw.chance(1, 2) {
                put(members, "content", "");
            }
        }
        _ => {
            let blocks = spoken.iter().map(|part| match part {
                Part::Text(text) => {
                    let mut block = typed("text");
                    said(text, &mut block, "text");
                    Node::Object(block)
                }
                Part::Raw(node, _) => node.clone(),
                _ => Node::Null,
            });
            let natural = Node::Array(blocks.collect());
            message.content.put(members, "content", natural);
        }
    }
}

/// A picture is its base64; what kind it is, only its bytes say.
fn picture(image: &Image) -> Node {
    match &image.data {
        Field::Natural => Node::from(image.picture.base64.as_str()),
        Field::Missing => Node::from(""),
        Field::Instead(node) => node.clone(),
    }
}

fn call(config: &Config, call: &CallPart, index: usize) -> Node {
    let mut function = Vec::new();
    if config.extras {
        put(&mut function, "index", Node::Raw(index.to_string()));
    }
    call.spelled_name.put(&mut function, "name", &call.name);
    call.spelled_arguments.put(&mut function, "arguments", raw(&call.arguments));
    let mut members = Vec::new();
    if !call.id.is_empty() || call.spelled_id != Field::Natural {
        call.spelled_id.put(&mut members, "id", &call.id);
    }
    put(&mut members, "function", function);
    members.extend(call.extra.clone());
    Node::Object(members)
}
