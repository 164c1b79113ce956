//! How each dialect writes a plan.

pub(super) mod ai_sdk_model;
pub(super) mod ai_sdk_ui;
pub(super) mod anthropic;
pub(super) mod bedrock;
pub(super) mod canonical;
mod chat;
pub(super) mod cohere;
pub(super) mod gemini;
mod inside;
pub(super) mod langchain;
pub(super) mod lossless_claw;
mod mcp_block;
pub(super) mod mcp_prompt;
pub(super) mod mcp_sampling;
pub(super) mod mcp_tool_result;
pub(super) mod mistral;
pub(super) mod ollama;
pub(super) mod openai_chat;
pub(super) mod openai_responses;
pub(super) mod openclaw;
pub(super) mod openviking;
mod speller;

use super::node::{Node, object};
use super::plan::{CallPart, Document, Field, Image, Message, Part, Text, Thinking};
use super::{Config, Draw};
pub(crate) use speller::{Carries, Documents, Pictures, Speller};

type Members = Vec<(String, Node)>;

fn put(members: &mut Members, key: &str, value: impl Into<Node>) {
    members.push((key.to_owned(), value.into()));
}

/// An object that opens with its type.
fn typed(kind: &str) -> Members {
    vec![("type".to_owned(), Node::from(kind))]
}

/// A message that opens with its role.
fn with_role(message: &Message, natural: &str) -> Members {
    let mut members = Vec::new();
    message.spelled_role.put(&mut members, "role", natural);
    members
}

/// Adds a call, with these names for its id, its name and its arguments.
fn called(call: &CallPart, members: &mut Members, [id, name, key]: [&str; 3], arguments: impl Into<Node>) {
    call.spelled_id.put(members, id, &call.id);
    call.spelled_name.put(members, name, &call.name);
    call.spelled_arguments.put(members, key, arguments);
}

/// A whole message: with what stands in this field where nothing is wrong with it.
fn whole(message: &Message, mut members: Members, key: &str, natural: impl Into<Node>) -> Node {
    message.content.put(&mut members, key, natural);
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn text_block(text: &Text) -> Node {
    let mut members = typed("text");
    said(text, &mut members, "text");
    Node::Object(members)
}

/// The words of a text, as a field of this name.
fn said(text: &Text, members: &mut Members, key: &str) {
    if text.twice {
        put(members, key, "overwritten");
    }
    text.spelled.put(members, key, &text.body);
}

/// Data and type of a picture, as fields of these names.
fn picture(image: &Image, members: &mut Members, data: &str, mime: &str) {
    image.data.put(members, data, &image.picture.base64);
    image.mime.put(members, mime, image.picture.mime);
}

/// A picture as a data URL; a fault in either half shows in the whole.
fn data_url(image: &Image) -> Node {
    let mime = match &image.mime {
        Field::Natural => image.picture.mime,
        Field::Missing => "",
        Field::Instead(Node::String(text)) => text,
        Field::Instead(other) => return other.clone(),
    };
    as_data_url(mime, &image.data, &image.picture.base64)
}

/// Bytes as a data URL; what is one already stays as it is.
fn as_data_url(mime: &str, data: &Field, base64: &str) -> Node {
    match data {
        Field::Natural => Node::from(format!("data:{mime};base64,{base64}")),
        Field::Missing => Node::from(format!("data:{mime};base64,")),
        Field::Instead(Node::String(text)) if text.starts_with("data:") => Node::from(text.as_str()),
        Field::Instead(Node::String(text)) => Node::from(format!("data:{mime};base64,{text}")),
        Field::Instead(other) => other.clone(),
    }
}

/// The type of every document.
const PDF: &str = "application/pdf";

/// The bytes of a document, as a field of this name.
fn bytes(document: &Document, members: &mut Members, key: &str) {
    document.data.put(members, key, &document.base64);
}

/// A document as a data URL.
fn document_url(document: &Document) -> Node {
    as_data_url(PDF, &document.data, &document.base64)
}

/// A document whose bytes, type and name stand side by side, the latter two as fields of these names.
fn flat_document(document: &Document, mime: &str, name: &str) -> Node {
    let mut members = typed("file");
    bytes(document, &mut members, "data");
    put(&mut members, mime, PDF);
    named(document, &mut members, name);
    Node::Object(members)
}

/// The name of a document, as a field of this name.
fn named(document: &Document, members: &mut Members, key: &str) {
    if let Some(name) = &document.name {
        put(members, key, name);
    }
}

/// The flat picture that canonical, OpenClaw and MCP share.
fn flat_image(image: &Image) -> Node {
    let mut members = typed("image");
    picture(image, &mut members, "data", "mimeType");
    Node::Object(members)
}

/// A picture as Anthropic has it, and some that took it over.
fn source_image(image: &Image) -> Node {
    let mut source = typed("base64");
    picture(image, &mut source, "data", "media_type");
    object([("type", Node::from("image")), ("source", Node::Object(source))])
}

/// Reasoning with its seal in a field of this name.
fn thought(thinking: &Thinking, seal: &str) -> Members {
    let mut members = typed("thinking");
    put(&mut members, "thinking", &thinking.body);
    thinking.spelled_signature.put(&mut members, seal, &thinking.signature);
    members
}

/// A text with nothing wrong.
fn plain_text(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) if text.is_plain() => Some(&text.body),
        _ => None,
    }
}

/// A message whose content is one plain text.
fn lone_text(message: &Message) -> Option<&str> {
    match &message.parts[..] {
        [part] => plain_text(part),
        _ => None,
    }
}

/// Content as a string where that is possible and drawn, else as a list.
fn content(draw: &mut Draw<'_, '_>, config: &Config, message: &Message, list: Vec<Node>) -> Node {
    match lone_text(message) {
        Some(text) if config.strings && draw.chance(3, 4) => Node::from(text),
        _ => Node::Array(list),
    }
}

/// What a message says beside its calls.
fn without_calls(message: &Message) -> Message {
    let parts = message.parts.iter().filter(|part| !matches!(part, Part::Call(_))).cloned().collect();
    Message { parts, ..message.clone() }
}

/// The list of messages in its object, or alone.
fn contain(config: &Config, front: Members, messages: Vec<Node>) -> Node {
    contain_as(config, front, "messages", messages)
}

/// The list under this name in its object, or alone.
fn contain_as(config: &Config, front: Members, key: &str, list: Vec<Node>) -> Node {
    if config.bare_list {
        return Node::Array(list);
    }
    let mut members = front;
    put(&mut members, key, list);
    Node::Object(members)
}
