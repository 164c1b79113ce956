//! Cohere v2 chat.

use super::{
    Carries, Pictures, Speller, chat, content, data_url, lone_text, put, said, text_block, typed, with_role,
    without_calls,
};
use crate::node::Node;
use crate::plan::{Field, Image, Message, Part, Plan, Role, Text};
use crate::{Config, Draw};

/// A result says nothing about errors, and holds no picture. Reasoning has no seal.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { errors: false, pictures: Pictures::OfUsers, ..Carries::ALL },
    vendor: Some("cohere"),
    ..Speller::new(document)
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let messages = plan.messages.iter().map(|one| message(draw, config, one)).collect();
    chat::document(config, &[("model", Node::from("command-a-reasoning-08-2025"))], messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let mut members = with_role(message, chat::role(message));
    if let Some(answer) = &message.answer {
        chat::answered(answer, &mut members);
    }
    let spoken = without_calls(message);
    let called = message.calls().next().is_some();
    let plan = lone_text(&spoken).filter(|_| called && draw.chance(1, 2));
    if let Some(plan) = plan {
        // What the model says with its calls is its plan.
        put(&mut members, "tool_plan", plan);
    } else if !(called && spoken.parts.is_empty()) {
        let result = message.role == Role::Result;
        let blocks: Vec<_> = spoken.parts.iter().map(|part| block(draw, part, result)).collect();
        let natural = content(draw, config, &spoken, blocks);
        message.content.put(&mut members, "content", natural);
    }
    if called {
        put(&mut members, "tool_calls", Node::Array(message.calls().map(chat::call).collect()));
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn block(draw: &mut Draw<'_, '_>, part: &Part, result: bool) -> Node {
    match part {
        Part::Text(text) if result && draw.chance(1, 4) => document_of(draw, text),
        Part::Text(text) => text_block(text),
        Part::Image(image) => picture(draw, image),
        Part::Thinking(thinking) => {
            let mut members = typed("thinking");
            put(&mut members, "thinking", &thinking.body);
            // The API has no seal; one that is spelled wrong is a field that it refuses.
            if let Field::Instead(node) = &thinking.spelled_signature {
                put(&mut members, "signature", node.clone());
            }
            Node::Object(members)
        }
        Part::Raw(node, _) => node.clone(),
        Part::Document(_) | Part::Call(_) => Node::Null,
    }
}

/// A tool may answer with documents: objects of data.
fn document_of(draw: &mut Draw<'_, '_>, text: &Text) -> Node {
    let mut data = Vec::new();
    said(text, &mut data, "snippet");
    let mut document = vec![("data".to_owned(), Node::Object(data))];
    if draw.chance(1, 2) {
        put(&mut document, "id", "doc:0");
    }
    let mut members = typed("document");
    put(&mut members, "document", document);
    Node::Object(members)
}

fn picture(draw: &mut Draw<'_, '_>, image: &Image) -> Node {
    let mut holder = vec![("url".to_owned(), data_url(image))];
    if draw.chance(1, 2) {
        put(&mut holder, "detail", draw.pick(&["auto", "low", "high"]));
    }
    let mut members = typed("image_url");
    put(&mut members, "image_url", holder);
    Node::Object(members)
}
