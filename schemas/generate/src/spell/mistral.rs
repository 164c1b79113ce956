//! Mistral chat.

use super::{Carries, Pictures, Speller, chat, content, data_url, put, text_block, typed, with_role, without_calls};
use crate::node::{Node, object, raw};
use crate::plan::{CallPart, Field, Image, Message, Part, Plan, Thinking};
use crate::{Config, Draw, values};

/// A result says nothing about errors. The vendor's own server takes ids of nine letters and digits, no picture in a
/// result, and no user right behind one.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { errors: false, ..Carries::ALL },
    settle,
    id,
    name: values::usual_name,
    vendor: Some("mistral"),
    ..Speller::new(document)
};

fn settle(config: &mut Config) {
    if config.strict {
        config.pictures = Pictures::OfUsers;
        config.interjects = false;
    }
}

fn id(draw: &mut Draw<'_, '_>, config: &Config, letter: char, number: usize) -> String {
    if config.strict { format!("{letter}{number:08}") } else { values::id(draw, config, letter, number) }
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let messages = plan.messages.iter().map(|one| message(draw, config, one)).collect();
    chat::document(config, &[("model", Node::from("magistral-medium-2509"))], messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let mut members = with_role(message, chat::role(message));
    let spoken = without_calls(message);
    let blocks: Vec<_> = spoken.parts.iter().map(|part| block(draw, part)).collect();
    let called = message.calls().next().is_some();
    if called && blocks.is_empty() {
        match draw.up_to(2) {
            0 => message.content.put(&mut members, "content", ""),
            1 => message.content.put(&mut members, "content", Node::Null),
            _ => {}
        }
    } else {
        let natural = content(draw, config, &spoken, blocks);
        message.content.put(&mut members, "content", natural);
    }
    if called {
        let calls: Vec<_> = message.calls().map(|one| call(draw, config, one)).collect();
        put(&mut members, "tool_calls", calls);
    }
    if let Some(answer) = &message.answer {
        chat::answered(answer, &mut members);
        if answer.spelled_name != Field::Natural || draw.chance(1, 2) {
            answer.spelled_name.put(&mut members, "name", &answer.name);
        }
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn block(draw: &mut Draw<'_, '_>, part: &Part) -> Node {
    match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => picture(draw, image),
        Part::Thinking(thinking) => thought(draw, thinking),
        Part::Raw(node, _) => node.clone(),
        Part::Document(_) | Part::Call(_) => Node::Null,
    }
}

/// The address of a picture is a string, or stands in an object.
fn picture(draw: &mut Draw<'_, '_>, image: &Image) -> Node {
    let mut members = typed("image_url");
    let url = data_url(image);
    let url = match draw.up_to(2) {
        0 => url,
        1 => object([("url", url)]),
        _ => object([("url", url), ("detail", Node::from("low"))]),
    };
    put(&mut members, "image_url", url);
    Node::Object(members)
}

/// Reasoning is a list of texts.
fn thought(draw: &mut Draw<'_, '_>, thinking: &Thinking) -> Node {
    let mut words = typed("text");
    put(&mut words, "text", &thinking.body);
    let mut members = typed("thinking");
    put(&mut members, "thinking", vec![Node::Object(words)]);
    if draw.chance(1, 2) {
        put(&mut members, "closed", true);
    }
    if thinking.spelled_signature != Field::Natural || draw.chance(1, 2) {
        thinking.spelled_signature.put(&mut members, "signature", &thinking.signature);
    }
    Node::Object(members)
}

/// Arguments are a string of JSON text or the object itself.
fn call(draw: &mut Draw<'_, '_>, config: &Config, call: &CallPart) -> Node {
    let mut function = Vec::new();
    call.spelled_name.put(&mut function, "name", &call.name);
    let arguments = if draw.chance(1, 3) { raw(&call.arguments) } else { Node::from(&*call.arguments) };
    call.spelled_arguments.put(&mut function, "arguments", arguments);
    let mut members = Vec::new();
    call.spelled_id.put(&mut members, "id", &call.id);
    if draw.chance(1, 2) {
        put(&mut members, "type", "function");
    }
    put(&mut members, "function", function);
    if config.extras && draw.chance(1, 2) {
        put(&mut members, "index", raw("0"));
    }
    members.extend(call.extra.clone());
    Node::Object(members)
}
