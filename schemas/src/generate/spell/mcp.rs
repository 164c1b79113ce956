//! A lone tool result of the Model Context Protocol.

use super::{flat_image, text_block};
use crate::generate::node::Node;
use crate::generate::plan::{Part, Plan};

pub(super) fn document(plan: &Plan) -> Node {
    let mut members = Vec::new();
    for message in &plan.messages {
        let blocks = message.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text_block(text)),
            Part::Image(image) => Some(flat_image(image)),
            Part::Raw(node, _) => Some(node.clone()),
            Part::Thinking(_) | Part::Call(_) => None,
        });
        message.content.put(&mut members, "content", Node::Array(blocks.collect()));
        members.extend(message.extra.clone());
    }
    Node::Object(members)
}
