//! Calls as version 4 of the AI SDK stores them: an invocation, which has the result in it once there is one, in a part of
//! type `tool-invocation` or in the message's `toolInvocations`, or in both.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::dialects::ai_sdk_model::output::read_bare;
use crate::read::call::{block_of_call, call_of};
use crate::read::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, scan};
use crate::read::reader::Reader;
use crate::read::result::result_beside;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, Message};

/// The member of a message that holds them.
pub(crate) const KEY: &str = "toolInvocations";

/// The invocation in a part.
pub(crate) fn of_part<'a>(kind: &str, part: Value<'a>) -> Option<Value<'a>> {
    part.get("toolInvocation").filter(|invocation| kind == "tool-invocation" && invocation.is_object())
}

/// The invocations beside the parts of a message that are none of its parts.
pub(crate) fn of_message(message: Value<'_>) -> Vec<Value<'_>> {
    let Some(list) = message.get(KEY) else { return Vec::new() };
    let id = |call: Value<'_>| call.get("toolCallId").and_then(Value::as_str).map(Cow::into_owned);
    let parts = message.get("parts").into_iter().flat_map(Value::items);
    let known: HashSet<_> = parts.filter_map(|part| id(call_in(part)?)).map(Some).collect();
    list.items().filter(|call| call.is_object() && (id(*call).is_none() || !known.contains(&id(*call)))).collect()
}

/// The call that a part is read as, if it is read as one.
fn call_in(part: Value<'_>) -> Option<Value<'_>> {
    let kind = part.get("type").and_then(Value::as_str)?;
    of_part(&kind, part).or_else(|| Some(part).filter(|_| kind == "dynamic-tool" || kind.starts_with("tool-")))
}

/// The step that an invocation says that it belongs to.
pub(crate) fn step(invocation: Value<'_>) -> Option<&str> {
    invocation.get("step").map(Value::raw)
}

/// Reads the call, and the result where there is one.
pub(crate) fn read<'a>(
    cx: &mut Reader<'a, '_>,
    invocation: Value<'a>,
    at: Value<'a>,
) -> (Block<'a>, Option<Message<'a>>) {
    let scan = scan(invocation, [("toolCallId", CALL_IDS), ("toolName", CALL_NAMES), ("args", ARGUMENTS)]);
    let [id, name, args] = scan.fields;
    let number = cx.id();
    cx.duplicate(scan.duplicate, at, number);
    let mut call = call_of(cx, at, number, [&id, &name, &args], &mut Vec::new());
    let words = "a call as version 4 of the SDK stores it was read with its result";
    cx.mend(&rule::FOREIGN_BLOCK_SHAPE, at, number, words);
    call.unfinished = invocation.get("state").is_some_and(|state| state.is_str("partial-call"));
    let result = invocation.get("result").map(|output| {
        let (blocks, is_error) = read_bare(cx, at, output);
        Message { dirty: true, ..result_beside(cx, at, blocks, &call, is_error) }
    });
    (block_of_call(number, call, at, None), result)
}
