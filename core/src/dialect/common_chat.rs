//! Messages of Chat Completions in the shapes that nearly all have. Nothing in them has to be looked for under another name, so
//! they are read at once; all others are read by `openai_chat`, which would read these to the same.

use std::borrow::Cow;

use super::call::read_arguments;
use super::reader::{Reader, UNREAD};
use crate::json::Value;
use crate::transcript::{Arguments, BlockKind, ResultHead, Role, ToolCall};

/// Calls of one turn that are compared with each other.
const FEW: usize = 16;

/// Reads a message; false of one that has no such shape, of which nothing is read then.
pub(super) fn read<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) -> bool {
    const KEYS: [&str; 4] = [r#""role""#, r#""content""#, r#""tool_calls""#, r#""tool_call_id""#];
    let Some([Some(role), Some(content), calls, id]) = wire.only(KEYS) else { return false };
    let (role, id, calls) = match (role.raw(), calls, id) {
        (r#""system""#, None, None) => (Role::System, None, Vec::new()),
        (r#""user""#, None, None) => (Role::User, None, Vec::new()),
        (r#""assistant""#, None, None) => (Role::Assistant, None, Vec::new()),
        (r#""assistant""#, Some(list), None) => match calls_in(list) {
            Some(calls) => (Role::Assistant, None, calls),
            None => return false,
        },
        (r#""tool""#, None, Some(id)) if !may_be_ours(content) => match id.word() {
            Some(id) => (Role::ToolResult, Some(id), Vec::new()),
            None => return false,
        },
        _ => return false,
    };
    let is_silent = content.is_null() && !calls.is_empty();
    // What is empty is read as what is missing.
    if !is_silent && (content.span().len() <= 2 || !content.is_string()) {
        return false;
    }
    let mut message = cx.message(role, Vec::with_capacity(calls.len() + usize::from(!is_silent)));
    if !is_silent {
        message.blocks.push(cx.block(BlockKind::Text(content.words().unwrap_or_default()), content));
    }
    for Call { item, id, name, arguments } in calls {
        let arguments = read_arguments(Some(arguments));
        let call = ToolCall { id: Some(id.into()), name: Some(name.into()), arguments, unfinished: false };
        message.blocks.push(cx.block(BlockKind::ToolCall(Box::new(call)), item));
    }
    message.result = id.map(|id| Box::new(ResultHead { call_id: Some(id.into()), ..ResultHead::default() }));
    cx.finish_one(wire, message);
    true
}

/// Whether a result may open with words that this project writes.
fn may_be_ours(content: Value<'_>) -> bool {
    matches!(content.bytes().get(1), Some(b'[' | b'\\'))
}

/// A call of a function.
struct Call<'a> {
    item: Value<'a>,
    id: &'a str,
    name: &'a str,
    arguments: Value<'a>,
}

/// The calls of a list, if each has an id of its own.
fn calls_in(list: Value<'_>) -> Option<Vec<Call<'_>>> {
    let mut calls: Vec<Call<'_>> = Vec::with_capacity(list.items().take(FEW).count());
    for item in list.items() {
        let [Some(id), Some(kind), Some(function)] = item.only([r#""id""#, r#""type""#, r#""function""#])? else {
            return None;
        };
        let [Some(name), Some(arguments)] = function.only([r#""name""#, r#""arguments""#])? else { return None };
        let (id, name) = (id.word()?, name.word()?);
        let is_common = kind.raw() == r#""function""# && calls.len() < FEW && calls.iter().all(|other| other.id != id);
        if !is_common {
            return None;
        }
        calls.push(Call { item, id, name, arguments });
    }
    (!calls.is_empty()).then_some(calls)
}

/// The outline of a plain message: who speaks, who calls what, what answers it; gives its number.
pub(super) fn outline<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) -> u32 {
    let word = |holder: Value<'a>, key: &str| holder.get(key).and_then(Value::as_str);
    let role = match word(wire, "role").as_deref() {
        Some("system") => Role::System,
        Some("assistant") => Role::Assistant,
        Some("tool") => Role::ToolResult,
        _ => Role::User,
    };
    let mut message = cx.message(role, Vec::new());
    if let Some(content) = wire.get("content").filter(|content| !content.is_null()) {
        message.blocks.push(cx.block(BlockKind::Text(UNREAD.into()), content));
    }
    for call in wire.get("tool_calls").into_iter().flat_map(Value::items) {
        let name = call.get("function").and_then(|function| word(function, "name"));
        let arguments = Arguments::Encoded(Cow::Borrowed("{}"));
        let kind = ToolCall { id: word(call, "id"), name, arguments, unfinished: false };
        message.blocks.push(cx.block(BlockKind::ToolCall(Box::new(kind)), call));
    }
    message.result = (role == Role::ToolResult)
        .then(|| Box::new(ResultHead { call_id: word(wire, "tool_call_id"), ..ResultHead::default() }));
    let id = message.id;
    cx.finish_one(wire, message);
    id
}
