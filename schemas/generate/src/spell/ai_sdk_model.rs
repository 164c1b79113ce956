//! Model messages of the Vercel AI SDK.

use super::{
    Carries, Documents, Members, Pictures, Speller, called, contain, content, flat_document, lone_text, picture, put,
    text_block, typed, with_role,
};
use crate::node::{Node, object, raw};
use crate::plan::{CallPart, Field, Image, Message, Part, Plan, Role, Thinking};
use crate::{Config, Draw};

/// An error is text or JSON, never a picture.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { pictures: Pictures::NotInErrors, documents: Documents::Named, ..Carries::ALL },
    ..Speller::new(document)
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut messages: Vec<Node> = Vec::new();
    // The results that stand in one message.
    let mut batch: Option<(Members, Vec<Node>)> = None;
    for (number, message) in plan.messages.iter().enumerate() {
        if message.role == Role::Result {
            let result = result(draw, message);
            let (_, results) = batch.get_or_insert_with(|| (with_role(message, "tool"), Vec::new()));
            results.push(result);
            if !config.batches {
                messages.extend(batch.take().map(close));
            }
        } else {
            messages.extend(batch.take().map(close));
            messages.push(turn(draw, config, message, number));
        }
    }
    messages.extend(batch.take().map(close));
    contain(config, Vec::new(), messages)
}

fn close((mut members, results): (Members, Vec<Node>)) -> Node {
    put(&mut members, "content", results);
    Node::Object(members)
}

fn turn(draw: &mut Draw<'_, '_>, config: &Config, message: &Message, number: usize) -> Node {
    let mut members = with_role(message, message.role.of(["system", "user", "assistant", "user"]));
    let mut parts: Vec<_> = message.parts.iter().map(|part| block(draw, config, part)).collect();
    let natural = match lone_text(message) {
        // Instructions are one string.
        Some(text) if message.role == Role::System => Node::from(text),
        _ => {
            let before = parts.len();
            if message.role == Role::Assistant && config.extras && draw.chance(1, 6) {
                hosted(&mut parts, number);
            }
            if parts.len() == before { content(draw, config, message, parts) } else { Node::Array(parts) }
        }
    };
    message.content.put(&mut members, "content", natural);
    if config.extras && draw.chance(1, 4) {
        put(&mut members, "providerOptions", cached());
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

/// What one provider asks of this place.
fn cached() -> Node {
    object([("anthropic", object([("cacheControl", object([("type", "ephemeral")]))]))])
}

/// A tool that the provider ran itself, with what it found.
fn hosted(parts: &mut Vec<Node>, number: usize) {
    let id = format!("srvtoolu_{number}");
    parts.push(object([
        ("type", Node::from("tool-call")),
        ("toolCallId", Node::from(id.as_str())),
        ("toolName", Node::from("web_search")),
        ("input", object([("query", "report")])),
        ("providerExecuted", Node::Bool(true)),
    ]));
    parts.push(object([
        ("type", Node::from("tool-result")),
        ("toolCallId", Node::from(id)),
        ("toolName", Node::from("web_search")),
        ("output", object([("type", Node::from("json")), ("value", Node::Array(Vec::new()))])),
    ]));
}

fn block(draw: &mut Draw<'_, '_>, config: &Config, part: &Part) -> Node {
    match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => shown(draw, image),
        Part::Document(document) => flat_document(document, "mediaType", "filename"),
        Part::Thinking(thinking) => {
            let mut members = typed("reasoning");
            put(&mut members, "text", &thinking.body);
            if let Some(options) = signed(thinking) {
                put(&mut members, "providerOptions", options);
            }
            Node::Object(members)
        }
        Part::Call(part) => call(draw, config, part),
        Part::Raw(node, _) => node.clone(),
    }
}

/// What the provider signed; a fault in the signature stands where the signature does.
pub(super) fn signed(Thinking { signature, spelled_signature, .. }: &Thinking) -> Option<Node> {
    let mut fields = Vec::new();
    spelled_signature.put(&mut fields, "signature", signature);
    (!fields.is_empty()).then(|| object([("anthropic", Node::Object(fields))]))
}

/// A picture as one, or as a file; its bytes in base64, or in a data URL.
fn shown(draw: &mut Draw<'_, '_>, image: &Image) -> Node {
    let (kind, key) = draw.pick(&[("image", "image"), ("file", "data")]);
    let mut members = typed(kind);
    if draw.chance(1, 3) {
        put(&mut members, key, super::data_url(image));
        if kind == "file" || draw.chance(1, 2) {
            image.mime.put(&mut members, "mediaType", image.picture.mime);
        }
    } else if kind == "image" && image.mime == Field::Natural && draw.chance(1, 4) {
        image.data.put(&mut members, key, &image.picture.base64);
    } else {
        picture(image, &mut members, key, "mediaType");
    }
    Node::Object(members)
}

fn call(draw: &mut Draw<'_, '_>, config: &Config, call: &CallPart) -> Node {
    let (kind, key) = call.alias.unwrap_or(("tool-call", "input"));
    let mut members = typed(kind);
    called(call, &mut members, ["toolCallId", "toolName", key], raw(&call.arguments));
    if config.extras && draw.chance(1, 4) {
        put(&mut members, "providerOptions", object([("google", object([("thoughtSignature", "c2lnbg==")]))]));
    }
    members.extend(call.extra.clone());
    Node::Object(members)
}

fn result(draw: &mut Draw<'_, '_>, message: &Message) -> Node {
    let mut members = typed("tool-result");
    let Some(answer) = &message.answer else { return Node::Object(members) };
    answer.spelled_id.put(&mut members, answer.id_key.unwrap_or("toolCallId"), &answer.id);
    answer.spelled_name.put(&mut members, "toolName", &answer.name);
    // The kind of the output is the flag; before version 5 there was another.
    let is_error = answer.is_error && answer.spelled_error == Field::Natural;
    message.content.put(&mut members, "output", output(draw, message, is_error));
    if let Field::Instead(flag) = &answer.spelled_error {
        put(&mut members, "isError", flag.clone());
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

/// What came back, in one of the six forms that can say it.
fn output(draw: &mut Draw<'_, '_>, message: &Message, is_error: bool) -> Node {
    let of = |kind: &str, key: &str, value: Node| object([("type", Node::from(kind)), (key, value)]);
    let texts: Option<Vec<_>> = message.parts.iter().map(|part| super::plain_text(part).map(Node::from)).collect();
    let Some(texts) = texts else { return of("content", "value", items(draw, message)) };
    let lone = lone_text(message);
    let json = match lone {
        Some(text) => object([("answer", Node::from(text)), ("n", raw("1.0"))]),
        None => Node::Array(texts),
    };
    match (is_error, lone) {
        (true, Some(text)) => match draw.up_to(2) {
            0 => of("error-text", "value", Node::from(text)),
            1 => of("error-json", "value", json),
            _ => of("execution-denied", "reason", Node::from(text)),
        },
        (true, None) => of("error-json", "value", json),
        (false, Some(text)) => match draw.up_to(3) {
            0 | 1 => of("text", "value", Node::from(text)),
            2 => of("json", "value", json),
            _ => of("content", "value", items(draw, message)),
        },
        (false, None) if draw.chance(1, 4) => of("json", "value", json),
        (false, None) => of("content", "value", items(draw, message)),
    }
}

fn items(draw: &mut Draw<'_, '_>, message: &Message) -> Node {
    let items = message.parts.iter().map(|part| match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => {
            let mut members = typed(draw.pick(&["image-data", "media", "file-data"]));
            picture(image, &mut members, "data", "mediaType");
            Node::Object(members)
        }
        Part::Raw(node, _) => node.clone(),
        Part::Document(_) | Part::Thinking(_) | Part::Call(_) => Node::Null,
    });
    Node::Array(items.collect())
}
