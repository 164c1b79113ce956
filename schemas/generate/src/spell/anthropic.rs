//! Anthropic Messages.

use super::{
    Carries, Documents, Members, PDF, Pictures, Speller, bytes, content, lone_text, named, picture, put, text_block,
    typed, with_role,
};
use crate::node::{Node, object};
use crate::plan::{CallPart, Message, Part, Plan, Role, Thinking};
use crate::{Config, Draw};

/// Ids have one character set in every server, so there is nothing loose to draw.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries {
        pictures: Pictures::NotInErrors,
        documents: Documents::Named,
        loose: false,
        reused_ids: false,
        sealed: true,
        ..Carries::ALL
    },
    settle,
    vendor: Some("anthropic"),
    ..Speller::new(document)
};

/// Instructions stand in the object around the list, and the results of a turn in one message.
fn settle(config: &mut Config) {
    config.bare_list &= !config.system;
    config.batches = true;
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut front = Vec::new();
    if config.extras {
        put(&mut front, "model", Node::from("claude-opus-4-5"));
        put(&mut front, "max_tokens", Node::Raw("1024".to_owned()));
    }
    let mut messages: Vec<Node> = Vec::new();
    // The results that stand together, until the batch is whole.
    let mut batch: Option<(Members, Vec<Node>)> = None;
    for (number, message) in plan.messages.iter().enumerate() {
        match message.role {
            Role::System if number == 0 && !config.bare_list => {
                let system = match lone_text(message) {
                    Some(text) if draw.chance(1, 2) => Node::from(text),
                    _ => Node::Array(message.parts.iter().map(block).collect()),
                };
                message.content.put(&mut front, "system", system);
            }
            Role::Result => {
                let block = result(draw, config, message);
                let (_, blocks) = batch.get_or_insert_with(|| (with_role(message, "user"), Vec::new()));
                blocks.push(block);
            }
            Role::User if config.joined && batch.is_some() => {
                if let Some((members, mut blocks)) = batch.take() {
                    blocks.extend(message.parts.iter().map(block));
                    messages.push(close((members, blocks)));
                }
            }
            _ => {
                messages.extend(batch.take().map(close));
                messages.push(turn(draw, config, message));
            }
        }
    }
    messages.extend(batch.take().map(close));
    if config.bare_list {
        return Node::Array(messages);
    }
    put(&mut front, "messages", Node::Array(messages));
    Node::Object(front)
}

fn close((mut members, blocks): (Members, Vec<Node>)) -> Node {
    put(&mut members, "content", Node::Array(blocks));
    Node::Object(members)
}

fn turn(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let mut members = with_role(
        message,
        match message.role {
            Role::Assistant => "assistant",
            Role::System => "system",
            Role::User | Role::Result => "user",
        },
    );
    let natural = content(draw, config, message, message.parts.iter().map(block).collect());
    message.content.put(&mut members, "content", natural);
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn result(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let mut members = typed("tool_result");
    let Some(answer) = &message.answer else { return Node::Object(members) };
    answer.spelled_id.put(&mut members, answer.id_key.unwrap_or("tool_use_id"), Node::from(answer.id.as_str()));
    let natural = content(draw, config, message, message.parts.iter().map(block).collect());
    message.content.put(&mut members, "content", natural);
    if answer.is_error || answer.spelled_error != super::Field::Natural {
        answer.spelled_error.put(&mut members, "is_error", Node::Bool(true));
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn block(part: &Part) -> Node {
    match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => {
            let mut source = typed("base64");
            picture(image, &mut source, "data", "media_type");
            object([("type", Node::from("image")), ("source", Node::Object(source))])
        }
        Part::Document(document) => {
            let mut source = typed("base64");
            put(&mut source, "media_type", Node::from(PDF));
            bytes(document, &mut source, "data");
            let mut members = typed("document");
            put(&mut members, "source", Node::Object(source));
            named(document, &mut members, "title");
            Node::Object(members)
        }
        Part::Thinking(Thinking { signature, spelled_signature, sealed: true, .. }) => {
            let mut members = typed("redacted_thinking");
            spelled_signature.put(&mut members, "data", Node::from(signature.as_str()));
            Node::Object(members)
        }
        Part::Thinking(Thinking { body, signature, spelled_signature, .. }) => {
            let mut members = typed("thinking");
            put(&mut members, "thinking", Node::from(body.as_str()));
            spelled_signature.put(&mut members, "signature", Node::from(signature.as_str()));
            Node::Object(members)
        }
        Part::Call(call) => {
            let (kind, key) = call.alias.unwrap_or(("tool_use", "input"));
            called(call, kind, key)
        }
        Part::Raw(node, _) => node.clone(),
    }
}

pub(super) fn called(call: &CallPart, kind: &str, key: &str) -> Node {
    let mut members = typed(kind);
    call.spelled_id.put(&mut members, "id", Node::from(call.id.as_str()));
    call.spelled_name.put(&mut members, "name", Node::from(call.name.as_str()));
    call.spelled_arguments.put(&mut members, key, Node::Raw(call.arguments.clone()));
    members.extend(call.extra.clone());
    Node::Object(members)
}
