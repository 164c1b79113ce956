//! A prompt of the Model Context Protocol: each message holds one block.

use super::mcp_block::block;
use super::{Carries, Speller, canonical, chat, put, with_role};
use crate::node::Node;
use crate::plan::{Field, Message, Plan, Role};
use crate::{Config, Draw, conversation, mcp};

/// There are neither instructions nor calls nor reasoning.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries {
        calls: false,
        errors: false,
        thinking: false,
        system: false,
        strings: false,
        bare_list: false,
        ..Carries::ALL
    },
    revisions: true,
    plan,
    ..Speller::new(document)
};

/// A conversation in which the user shows resources too.
fn plan(draw: &mut Draw<'_, '_>, config: &Config, letter: char) -> Plan {
    let mut plan = conversation::plan(draw, config, letter);
    for place in 0..plan.messages.len() {
        if plan.messages[place].role == Role::User && draw.chance(1, 3) {
            let block = mcp::block(draw, config, &mut plan);
            plan.messages[place].parts.push(block);
        }
    }
    plan
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut front = Vec::new();
    if config.revision.has_result_type() {
        put(&mut front, "resultType", "complete");
    }
    if config.extras {
        put(&mut front, "description", "Looks a file over");
    }
    let mut messages = Vec::new();
    for message in &plan.messages {
        single(draw, config, message, &mut messages);
    }
    put(&mut front, "messages", messages);
    Node::Object(front)
}

/// A message for each block; one alone, whose content is something else, where that is the fault.
pub(super) fn single(draw: &mut Draw<'_, '_>, config: &Config, message: &Message, messages: &mut Vec<Node>) {
    // Only a fault puts a result here: as agents write it.
    if message.role == Role::Result {
        return messages.push(canonical::message(message));
    }
    let whole = message.content != Field::Natural;
    for (number, part) in message.parts.iter().enumerate().filter(|(number, _)| !whole || *number == 0) {
        let mut members = with_role(message, chat::role(message));
        let block = block(draw, config, part);
        message.content.put(&mut members, "content", block);
        if number == 0 {
            members.extend(message.extra.clone());
        }
        messages.push(Node::Object(members));
    }
}
