//! wirecanon's own dialect.

use super::{Carries, Documents, Members, Speller, flat_document, flat_image, put, text_block, typed, with_role};
use crate::node::{Node, object};
use crate::plan::{CallPart, Message, Part, Plan, Role, Thinking};
use crate::{Config, Draw};

pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { documents: Documents::Named, strings: false, sealed: true, bare_list: false, ..Carries::ALL },
    ..Speller::new(document)
};

fn document(_: &mut Draw<'_, '_>, _: &Config, plan: &Plan) -> Node {
    object([("messages", Node::Array(plan.messages.iter().map(message).collect()))])
}

pub(super) fn message(message: &Message) -> Node {
    let blocks = message.parts.iter().map(|part| block(part, "signature", call)).collect();
    let mut members = match message.role {
        Role::System => with_role(message, "system"),
        Role::User => with_role(message, "user"),
        Role::Assistant => with_role(message, "assistant"),
        Role::Result => with_role(message, "toolResult"),
    };
    head(message, &mut members);
    message.content.put(&mut members, "content", Node::Array(blocks));
    if let Some(answer) = &message.answer {
        answer.spelled_error.put(&mut members, "isError", Node::Bool(answer.is_error));
    }
    if let Some(stop) = message.stop {
        put(&mut members, "stopReason", Node::from(stop));
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

/// Whose answer a result is.
pub(super) fn head(message: &Message, members: &mut Members) {
    if let Some(answer) = &message.answer {
        answer.spelled_id.put(members, answer.id_key.unwrap_or("toolCallId"), Node::from(answer.id.as_str()));
        answer.spelled_name.put(members, "toolName", Node::from(answer.name.as_str()));
    }
}

/// A block as canonical and OpenClaw write it: they differ in the seal and in the call.
pub(super) fn block(part: &Part, seal: &str, call: fn(&CallPart) -> Node) -> Node {
    match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => flat_image(image),
        Part::Document(document) => flat_document(document, "mimeType", "name"),
        Part::Thinking(Thinking { body, signature, spelled_signature, sealed, .. }) => {
            let mut members = typed("thinking");
            put(&mut members, "thinking", Node::from(body.as_str()));
            spelled_signature.put(&mut members, seal, Node::from(signature.as_str()));
            if *sealed {
                put(&mut members, "redacted", Node::Bool(true));
            }
            Node::Object(members)
        }
        Part::Call(part) => call(part),
        Part::Raw(node, _) => node.clone(),
    }
}

fn call(call: &CallPart) -> Node {
    called(call, Node::from(call.arguments.as_str()))
}

/// A call whose arguments naturally stand like this.
pub(super) fn called(call: &CallPart, arguments: Node) -> Node {
    let (kind, key) = call.alias.unwrap_or(("toolCall", "arguments"));
    let mut members = typed(kind);
    call.spelled_id.put(&mut members, "id", Node::from(call.id.as_str()));
    call.spelled_name.put(&mut members, "name", Node::from(call.name.as_str()));
    call.spelled_arguments.put(&mut members, key, arguments);
    members.extend(call.extra.clone());
    Node::Object(members)
}
