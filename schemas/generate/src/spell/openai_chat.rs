//! OpenAI Chat Completions.

use super::{
    Carries, Documents, Pictures, Speller, chat, content, data_url, document_url, named, put, text_block, with_role,
    without_calls,
};
use crate::node::{Node, object};
use crate::plan::{Message, Part, Plan, Role};
use crate::{Config, Draw};

/// Chat has neither an error flag nor signed reasoning, and takes no picture in a result.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries {
        pictures: Pictures::OfUsers,
        documents: Documents::Named,
        errors: false,
        thinking: false,
        ..Carries::ALL
    },
    vendor: Some("openai"),
    ..Speller::new(document)
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let messages = plan.messages.iter().map(|one| message(draw, config, one)).collect();
    chat::document(config, &[("model", Node::from("gpt-5"))], messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let role = if message.role == Role::System { draw.pick(&["system", "developer"]) } else { chat::role(message) };
    let mut members = with_role(message, role);
    if let Some(answer) = &message.answer {
        chat::answered(answer, &mut members);
    }
    let spoken = without_calls(message);
    let blocks: Vec<_> = spoken.parts.iter().map(block).collect();
    let called = message.calls().next().is_some();
    if called && blocks.is_empty() {
        match draw.up_to(2) {
            0 => message.content.put(&mut members, "content", Node::Null),
            1 => message.content.put(&mut members, "content", ""),
            _ => {}
        }
    } else {
        let natural = content(draw, config, &spoken, blocks);
        message.content.put(&mut members, "content", natural);
    }
    if called {
        put(&mut members, "tool_calls", Node::Array(message.calls().map(chat::call).collect()));
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
        Part::Document(document) => {
            let mut file = Vec::new();
            named(document, &mut file, "filename");
            put(&mut file, "file_data", document_url(document));
            object([("type", Node::from("file")), ("file", Node::Object(file))])
        }
        Part::Raw(node, _) => node.clone(),
        Part::Thinking(_) | Part::Call(_) => Node::Null,
    }
}
