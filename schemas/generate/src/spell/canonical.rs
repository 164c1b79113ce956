//! wirecanon's own dialect.

use super::{
    Carries, Documents, Members, Speller, flat_document, flat_image, put, text_block, thought, typed, with_role,
};
use crate::node::{Node, object};
use crate::plan::{CallPart, Message, Part, Plan};
use crate::{Config, Draw};

pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { documents: Documents::Named, strings: false, sealed: true, bare_list: false, ..Carries::ALL },
    ..Speller::new(document)
};

fn document(_: &mut Draw<'_, '_>, _: &Config, plan: &Plan) -> Node {
    object([("messages", Node::Array(plan.messages.iter().map(message).collect()))])
}

pub(crate) fn message(message: &Message) -> Node {
    let blocks: Vec<_> = message.parts.iter().map(|part| block(part, "signature", call)).collect();
    let mut members = head(message);
    message.content.put(&mut members, "content", blocks);
    if let Some(answer) = &message.answer {
        answer.spelled_error.put(&mut members, "isError", answer.is_error);
    }
    if let Some(stop) = message.stop {
        put(&mut members, "stopReason", stop);
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

/// Who speaks, and whose answer a result is.
pub(super) fn head(message: &Message) -> Members {
    let mut members = with_role(message, message.role.of(["system", "user", "assistant", "toolResult"]));
    if let Some(answer) = &message.answer {
        answer.spelled_id.put(&mut members, answer.id_key.unwrap_or("toolCallId"), &answer.id);
        answer.spelled_name.put(&mut members, "toolName", &answer.name);
    }
    members
}

/// A block as canonical and OpenClaw write it: they differ in the seal and in the call.
pub(super) fn block(part: &Part, seal: &str, call: fn(&CallPart) -> Node) -> Node {
    match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => flat_image(image),
        Part::Document(document) => flat_document(document, "mimeType", "name"),
        Part::Thinking(thinking) => {
            let mut members = thought(thinking, seal);
            if thinking.sealed {
                put(&mut members, "redacted", true);
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
    super::called(call, &mut members, ["id", "name", key], arguments);
    members.extend(call.extra.clone());
    Node::Object(members)
}
