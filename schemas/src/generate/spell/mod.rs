//! How each dialect writes a plan.

pub(super) mod anthropic;
pub(super) mod canonical;
pub(super) mod mcp_tool_result;
pub(super) mod openai_chat;
pub(super) mod openclaw;
mod speller;

use super::node::Node;
use super::plan::{Field, Image, Message, Part, Text};
use super::{Config, Draw};
pub(crate) use speller::{Carries, Pictures, Speller};

type Members = Vec<(String, Node)>;

fn put(members: &mut Members, key: &str, value: Node) {
    members.push((key.to_owned(), value));
}

/// An object that opens with its type.
fn typed(kind: &str) -> Members {
    vec![("type".to_owned(), Node::from(kind))]
}

/// A message that opens with its role.
fn with_role(message: &Message, natural: &str) -> Members {
    let mut members = Vec::new();
    message.spelled_role.put(&mut members, "role", Node::from(natural));
    members
}

fn text_block(text: &Text) -> Node {
    let mut members = typed("text");
    if text.twice {
        put(&mut members, "text", Node::from("overwritten"));
    }
    text.spelled.put(&mut members, "text", Node::from(text.body.as_str()));
    Node::Object(members)
}

/// Data and type of a picture, as fields of these names.
fn picture(image: &Image, members: &mut Members, data: &str, mime: &str) {
    image.data.put(members, data, Node::from(image.picture.base64.as_str()));
    image.mime.put(members, mime, Node::from(image.picture.mime));
}

/// The flat picture that canonical, OpenClaw and MCP share.
fn flat_image(image: &Image) -> Node {
    let mut members = typed("image");
    picture(image, &mut members, "data", "mimeType");
    Node::Object(members)
}

/// A message whose content is one plain text.
fn lone_text(message: &Message) -> Option<&str> {
    match &message.parts[..] {
        [Part::Text(Text { body, spelled: Field::Natural, twice: false, .. })] => Some(body),
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

/// The list in its object, or alone.
fn contain(config: &Config, front: Members, messages: Vec<Node>) -> Node {
    if config.bare_list {
        return Node::Array(messages);
    }
    let mut members = front;
    put(&mut members, "messages", Node::Array(messages));
    Node::Object(members)
}
