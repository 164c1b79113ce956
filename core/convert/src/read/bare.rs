//! A block in the place of a message, as programs leave it that put the content of an answer among the messages
//! (vercel/ai#8649), or an item of the Responses API among those of Chat Completions (agynio/v1#1346).

use crate::read::block::Item;
use crate::read::call::read_call;
use crate::read::fields::{CALL_TYPES, RESULT_TYPES};
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Message, Role};

/// What the model reasons.
const REASONING: [&str; 3] = ["thinking", "redacted_thinking", "reasoning"];

/// How OpenAI calls a call among `tool_calls`.
const FUNCTION: &str = "function";

/// The role that a block shows which stands alone: who calls and reasons is the model, a result answers it. Words may be
/// anyone's, but where such blocks stand in front of them they are of the same answer.
fn shown(cx: &Reader<'_, '_>, wire: Value<'_>) -> Option<Role> {
    if !has_no_role(wire) {
        return None;
    }
    let kind = wire.get("type").and_then(Value::as_str)?;
    let function = || wire.get(FUNCTION).is_some_and(Value::is_object);
    if RESULT_TYPES.contains(&&*kind) {
        Some(Role::ToolResult)
    } else if CALL_TYPES.contains(&&*kind) || REASONING.contains(&&*kind) || (&*kind == FUNCTION && function()) {
        Some(Role::Assistant)
    } else {
        (&*kind == "text" && wire.get("text").is_some_and(Value::is_string) && before(cx).is_some())
            .then_some(Role::Assistant)
    }
}

fn has_no_role(wire: Value<'_>) -> bool {
    wire.get("role").is_none_or(|role| role.is_null() || role.is_str(""))
}

/// The message in front, if it was read from a block that stood alone.
fn before<'m, 'a>(cx: &'m Reader<'a, '_>) -> Option<&'m Message<'a>> {
    cx.messages.last().filter(|message| message.origin.is_none())
}

/// Reads what stands alone in the place of a message, by what the dialect's own reader makes of a block; false if it is none
/// of these. What comes of it has no wire message: nothing is laid over the block.
pub(crate) fn read<'a, 'r>(
    cx: &mut Reader<'a, 'r>,
    wire: Value<'a>,
    item: impl FnOnce(&mut Reader<'a, 'r>, Value<'a>, Role) -> Item<'a>,
) -> bool {
    let Some(role) = shown(cx, wire) else { return false };
    let item = match role {
        Role::Assistant if wire.get("type").is_some_and(|kind| kind.is_str(FUNCTION)) => {
            Item::Block(read_call(cx, wire))
        }
        Role::ToolResult => item(cx, wire, Role::User),
        role => item(cx, wire, role),
    };
    // Blocks of one answer are one turn: calls side by side are parallel.
    let joins = role == Role::Assistant && before(cx).is_some_and(|before| before.role == role);
    let mut message = match item {
        Item::Nothing => return true,
        Item::Result(result) => result,
        Item::Block(mut block) => {
            block.dirty |= cx.is_marked(block.id, 0);
            let joined = if joins { cx.messages.pop() } else { None };
            let mut turn = joined.unwrap_or_else(|| cx.message(role, Vec::new()));
            turn.blocks.push(block);
            turn
        }
    };
    message.source.get_or_insert(wire.index());
    message.dirty = true;
    let what = format!("a block in the place of a message was read as one of `{}`", message.role.name());
    cx.mend(&rule::UNKNOWN_ROLE, wire, message.id, what);
    cx.messages.push(message);
    true
}
