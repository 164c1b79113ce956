//! A lone tool result of the Model Context Protocol.

use super::{Carries, Speller, flat_image, text_block};
use crate::generate::node::Node;
use crate::generate::plan::{Part, Plan};
use crate::generate::{Config, Draw, mcp};

pub(in crate::generate) const SPELLER: Speller =
    Speller { carries: Carries { fragment: true, ..Carries::ALL }, plan: mcp::plan, ..Speller::new(document) };

fn document(_: &mut Draw<'_, '_>, _: &Config, plan: &Plan) -> Node {
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
