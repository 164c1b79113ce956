//! The parameters of a sampling request of the Model Context Protocol.

use super::mcp_block::block;
use super::mcp_prompt::single;
use super::{Carries, Members, Speller, lone_text, put, typed, whole, with_role};
use crate::node::{COMPACT, Node, object, print, raw};
use crate::plan::{Field, Message, Part, Plan, Role};
use crate::{Config, Draw, conversation, mcp};

/// There is no reasoning. Calls, results and lists of blocks came with a revision.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries { thinking: false, strings: false, bare_list: false, ..Carries::ALL },
    settle: |config| {
        config.calls &= config.revision.has_tools_in_sampling();
        config.open_end &= config.calls;
    },
    revisions: true,
    plan,
    ..Speller::new(document)
};

/// A conversation whose results hold all that a tool can answer, and whose user plays recordings.
fn plan(draw: &mut Draw<'_, '_>, config: &Config, letter: char) -> Plan {
    let mut plan = conversation::plan(draw, config, letter);
    for place in 0..plan.messages.len() {
        let part = match plan.messages[place].role {
            Role::Result if draw.chance(1, 3) => mcp::block(draw, config, &mut plan),
            Role::User if config.images && config.revision.has_audio() && draw.chance(1, 6) => {
                Part::Raw(mcp::recording(&plan.token()), String::new())
            }
            _ => continue,
        };
        plan.messages[place].parts.push(part);
    }
    plan
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut front = Vec::new();
    let mut messages: Vec<Node> = Vec::new();
    // The results of one turn stand in one message.
    let mut batch: Option<(Members, Vec<Node>)> = None;
    for (number, message) in plan.messages.iter().enumerate() {
        if message.role == Role::Result && config.calls {
            let result = result(draw, config, message);
            let (_, results) = batch.get_or_insert_with(|| (with_role(message, "user"), Vec::new()));
            results.push(result);
            continue;
        }
        messages.extend(batch.take().map(|batch| close(draw, batch)));
        match (message.role, lone_text(message)) {
            (Role::System, Some(text)) if number == 0 => {
                message.content.put(&mut front, "systemPrompt", text);
            }
            _ if config.revision.has_tools_in_sampling() => messages.push(said(draw, config, message)),
            _ => single(draw, config, message, &mut messages),
        }
    }
    messages.extend(batch.take().map(|batch| close(draw, batch)));
    put(&mut front, "messages", messages);
    put(&mut front, "maxTokens", raw("1024"));
    if config.extras {
        put(&mut front, "temperature", raw("0.2"));
        put(&mut front, "includeContext", "none");
        let hint = object([("name", "claude")]);
        put(&mut front, "modelPreferences", object([("hints", Node::Array(vec![hint]))]));
        if config.calls {
            put(&mut front, "toolChoice", object([("mode", "auto")]));
        }
    }
    Node::Object(front)
}

fn close(draw: &mut Draw<'_, '_>, (mut members, results): (Members, Vec<Node>)) -> Node {
    put(&mut members, "content", one_or_list(draw, results));
    Node::Object(members)
}

fn one_or_list(draw: &mut Draw<'_, '_>, mut blocks: Vec<Node>) -> Node {
    if blocks.len() == 1 && draw.chance(1, 2) { blocks.remove(0) } else { Node::Array(blocks) }
}

/// A message whose content is one block, or a list of them.
fn said(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let members = with_role(message, message.role.of(["system", "user", "assistant", "user"]));
    let blocks = message.parts.iter().map(|part| block(draw, config, part)).collect();
    let natural = one_or_list(draw, blocks);
    whole(message, members, "content", natural)
}

fn result(draw: &mut Draw<'_, '_>, config: &Config, message: &Message) -> Node {
    let mut members = typed("tool_result");
    let Some(answer) = &message.answer else { return Node::Object(members) };
    answer.spelled_id.put(&mut members, answer.id_key.unwrap_or("toolUseId"), &answer.id);
    let mut blocks: Vec<_> = message.parts.iter().map(|part| block(draw, config, part)).collect();
    if config.extras && draw.chance(1, 6) {
        let content = mcp::structured(draw, config.revision, "done");
        blocks.push(object([("type", Node::from("text")), ("text", Node::from(print(&content, COMPACT)))]));
        put(&mut members, "structuredContent", content);
    }
    message.content.put(&mut members, "content", blocks);
    if answer.is_error || answer.spelled_error != Field::Natural || draw.chance(1, 4) {
        answer.spelled_error.put(&mut members, "isError", answer.is_error);
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}
