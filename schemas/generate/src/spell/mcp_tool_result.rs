//! A lone tool result of the Model Context Protocol.

use super::mcp_block::block;
use super::{Carries, Speller, put};
use crate::node::Node;
use crate::plan::Plan;
use crate::{Config, Draw, mcp};

pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { fragment: true, ..Carries::ALL },
    revisions: true,
    plan: mcp::plan,
    ..Speller::new(document)
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut members = Vec::new();
    for message in &plan.messages {
        let blocks: Vec<_> = message.parts.iter().map(|part| block(draw, config, part)).collect();
        message.content.put(&mut members, "content", blocks);
        members.extend(message.extra.clone());
    }
    if config.revision.has_result_type() {
        put(&mut members, "resultType", "complete");
    }
    Node::Object(members)
}
