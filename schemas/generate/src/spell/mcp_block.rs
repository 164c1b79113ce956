//! Blocks of the Model Context Protocol, as all its messages write them.

use super::{flat_image, put, text_block};
use crate::node::{Node, object, raw};
use crate::plan::Part;
use crate::{Config, Draw};

/// A block, now and then with hints for the client.
pub(super) fn block(draw: &mut Draw<'_, '_>, config: &Config, part: &Part) -> Node {
    let mut node = match part {
        Part::Text(text) => text_block(text),
        Part::Image(image) => flat_image(image),
        Part::Raw(node, _) => return node.clone(),
        Part::Call(call) => return super::anthropic::called(call),
        Part::Document(_) | Part::Thinking(_) => Node::Null,
    };
    if config.extras
        && draw.chance(1, 4)
        && let Node::Object(members) = &mut node
    {
        let audience = Node::Array(vec![Node::from("user"), Node::from("assistant")]);
        put(members, "annotations", object([("audience", audience), ("priority", raw("0.5"))]));
        if config.revision.has_links() {
            put(members, "_meta", object([("example.com/source", "cache")]));
        }
    }
    node
}
