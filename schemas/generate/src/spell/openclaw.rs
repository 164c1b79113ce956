//! Agent messages of the OpenClaw and pi-ai lineage.

use super::canonical::{block, called, head};
use super::{Speller, contain, content, put};
use crate::node::{Node, object, raw};
use crate::plan::{CallPart, Message, Plan, Role};
use crate::{Config, Draw};

pub(crate) const SPELLER: Speller = Speller::new(document);

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let messages = plan.messages.iter().enumerate().map(|(number, one)| message(draw, config, one, number)).collect();
    contain(config, Vec::new(), messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, message: &Message, number: usize) -> Node {
    let blocks: Vec<_> = message.parts.iter().map(|part| block(part, "thinkingSignature", call)).collect();
    let mut members = head(message);
    // Only a user's message may be a string.
    let natural = if message.role == Role::User { content(draw, config, message, blocks) } else { Node::Array(blocks) };
    message.content.put(&mut members, "content", natural);
    if let Some(answer) = &message.answer {
        answer.spelled_error.put(&mut members, "isError", answer.is_error);
    }
    if config.extras && message.role == Role::Assistant {
        put(&mut members, "api", "anthropic-messages");
        put(&mut members, "provider", "anthropic");
        put(&mut members, "model", "claude-opus-4-5");
        let usage = object([("input", raw("12")), ("output", raw("3"))]);
        put(&mut members, "usage", usage);
    }
    if let Some(stop) = message.stop {
        put(&mut members, "stopReason", stop);
    }
    if config.extras {
        put(&mut members, "timestamp", Node::Raw(format!("{}", 1_760_000_000_000_u64 + number as u64)));
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn call(call: &CallPart) -> Node {
    called(call, raw(&call.arguments))
}
