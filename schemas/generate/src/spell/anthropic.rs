//! Anthropic Messages.

use super::{
    Carries, Documents, Members, PDF, Pictures, Speller, bytes, contain, content, lone_text, named, put, source_image,
    text_block, thought, typed, whole, with_role,
};
use crate::node::{Node, raw};
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
        system_beside: true,
        ..Carries::ALL
    },
    settle,
    vendor: Some("anthropic"),
    ..Speller::new(document)
};

/// The results of a turn stand in one message.
fn settle(config: &mut Config) {
    config.batches = true;
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut front = Vec::new();
    if config.extras {
        put(&mut front, "model", "claude-opus-4-5");
        put(&mut front, "max_tokens", raw("1024"));
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
    contain(config, front, messages)
}

fn close((mut members, blocks): (Members, Vec<Node>)) -> Node {
    put(&mut members, "content", blocks);
    Node::Object(members)
}

fn turn(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let members = with_role(message, message.role.of(["system", "user", "assistant", "user"]));
    let natural = content(draw, config, message, message.parts.iter().map(block).collect());
    whole(message, members, "content", natural)
}

fn result(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let mut members = typed("tool_result");
    let Some(answer) = &message.answer else { return Node::Object(members) };
    answer.spelled_id.put(&mut members, answer.id_key.unwrap_or("tool_use_id"), &answer.id);
    let natural = content(draw, config, message, message.parts.iter().map(block).collect());
    message.content.put(&mut members, "content", natural);
    if answer.is_error || answer.spelled_error != super::Field::Natural {
        answer.spelled_error.put(&mut members, "is_error", true);
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn block(part: &Part) -> Node {
    match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => source_image(image),
        Part::Document(document) => {
            let mut source = typed("base64");
            put(&mut source, "media_type", PDF);
            bytes(document, &mut source, "data");
            let mut members = typed("document");
            put(&mut members, "source", source);
            named(document, &mut members, "title");
            Node::Object(members)
        }
        Part::Thinking(Thinking { signature, spelled_signature, sealed: true, .. }) => {
            let mut members = typed("redacted_thinking");
            spelled_signature.put(&mut members, "data", signature);
            Node::Object(members)
        }
        Part::Thinking(thinking) => Node::Object(thought(thinking, "signature")),
        Part::Call(call) => called(call),
        Part::Raw(node, _) => node.clone(),
    }
}

pub(super) fn called(call: &CallPart) -> Node {
    let (kind, key) = call.alias.unwrap_or(("tool_use", "input"));
    let mut members = typed(kind);
    super::called(call, &mut members, ["id", "name", key], raw(&call.arguments));
    members.extend(call.extra.clone());
    Node::Object(members)
}
