//! `langchain`: serialized messages of LangChain, as `langchain-core` 1.7 takes them back (`messages_from_dict`,
//! `convert_to_messages`, `load`), and as `LangGraph` demands that they pair.

mod item;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::Judge;
use crate::pairing::{Answer, Pairing};
use crate::shape;
use crate::turns::Turns;
use crate::{arguments, call};
use wirecanon_json::Value;
use wirecanon_model::rule;

/// What other dialects, and LangChain's own older classes, call the speakers.
const ALIASES: &[&str] = &[
    "user",
    "human",
    "assistant",
    "ai",
    "model",
    "system",
    "developer",
    "tool",
    "function",
    "toolResult",
    "chat",
    "FunctionMessage",
    "ChatMessage",
    "HumanMessage",
    "AIMessage",
    "SystemMessage",
    "ToolMessage",
];

/// Whether a message alone is a tool's.
pub(crate) fn is_result(message: Value<'_>) -> bool {
    let name = |key: &str| message.get(key).and_then(Value::as_str);
    let class = || message.get("id").and_then(|id| id.items().last()).and_then(Value::as_str);
    let name = if message.get("lc").is_some() { class() } else { name("type") };
    name.is_some_and(|name| matches!(&*name, "tool" | "ToolMessage" | "ToolMessageChunk"))
}

/// The fields of a message and who speaks; says what is wrong with any other.
fn head<'a>(judge: &mut Judge<'_>, message: Value<'a>) -> Option<(Value<'a>, &'static str)> {
    if !shape::object(judge, message, &rule::MESSAGE_NOT_AN_OBJECT, "a message") {
        return None;
    }
    let inner = |key: &str| message.get(key).filter(|inner| inner.is_object());
    let (holder, place, constructor) = if let (Some(_), Some(kwargs)) = (message.get("lc"), inner("kwargs")) {
        (kwargs, message.get("id").and_then(|id| id.items().last()), true)
    } else {
        (inner("data").unwrap_or(message), message.get("type"), false)
    };
    let role = message.get("role").filter(|role| role.is_string() && holder.index() == message.index());
    if let Some(role) = role {
        let known = ALIASES.iter().any(|name| role.is_str(name));
        let broken = if known { &rule::ROLE_ALIAS } else { &rule::UNKNOWN_ROLE };
        judge.say(broken, role, "the message says `role`, not `type`");
        return None;
    }
    if holder.index() != message.index() {
        judge.keys(holder);
    }
    let name = place.and_then(Value::as_str).unwrap_or_default();
    let speaker = match (name.strip_suffix("Chunk").unwrap_or(&name), constructor || name.ends_with("Chunk")) {
        ("HumanMessage", true) | ("human", false) => "user",
        ("AIMessage", true) | ("ai", false) => "assistant",
        ("SystemMessage", true) | ("system", false) => "system",
        ("ToolMessage", true) | ("tool", false) => "tool",
        _ => {
            let words = format!("no message of LangChain is called `{name}`");
            let known = ALIASES.contains(&&*name);
            judge.say(if known { &rule::ROLE_ALIAS } else { &rule::UNKNOWN_ROLE }, place.unwrap_or(message), words);
            return None;
        }
    };
    Some((holder, speaker))
}

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the messages.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut turns = Turns::new(judge);
    for message in messages.iter() {
        let Some((holder, speaker)) = head(judge, message) else {
            turns.pairing.other();
            continue;
        };
        turns.begin(judge, message, speaker);
        match speaker {
            "assistant" => assistant(judge, &mut turns.pairing, holder),
            "tool" => result(judge, &mut turns.pairing, message, holder),
            _ => {
                content(judge, holder, speaker);
                let calls = holder.get("tool_calls");
                if calls.is_some_and(|calls| !calls.is_null() && (!calls.is_array() || calls.items().next().is_some()))
                {
                    shape::misplaced(judge, calls.unwrap_or(holder), "tool_calls", "human");
                }
            }
        }
    }
    turns.finish(judge, messages);
}

fn content(judge: &mut Judge<'_>, holder: Value<'_>, speaker: &str) {
    let Some(list) = shape::blocks(judge, holder, true) else { return };
    for piece in list.items().filter(|piece| !piece.is_string()) {
        if let Some(kind) = shape::kind(judge, piece) {
            item::judge(judge, piece, &kind, speaker);
        }
    }
}

fn result<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>, holder: Value<'a>) {
    if let Some(found) = call::result_id(judge, holder, "tool_call_id") {
        let (_, id) = call::trimmed(judge, found);
        pairing.result(judge, Answer { place: message, id, name: None });
    }
    content(judge, holder, "tool");
    if let Some(status) = holder.get("status").filter(|status| !status.is_str("success") && !status.is_str("error")) {
        judge.say(&rule::TOOL_STATUS_UNKNOWN, status, "the status is neither `success` nor `error`");
    }
    for key in ["is_error", "isError"] {
        if let Some(flag) = holder.get(key) {
            judge.say(&rule::FIELD_ALIAS, flag, format!("`{key}` is another dialect's field; LangChain says `status`"));
        }
    }
}

fn assistant<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, holder: Value<'a>) {
    content(judge, holder, "assistant");
    let mut ids: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut count = 0;
    for (key, invalid) in [("tool_calls", false), ("invalid_tool_calls", true)] {
        let Some(list) = holder.get(key) else { continue };
        if !list.is_array() {
            judge.say(&rule::CONTENT_NOT_A_LIST, list, format!("`{key}` is {}", list.kind().name()));
        }
        for entry in list.items() {
            count += 1;
            if let Some(id) = entry.get("id").and_then(Value::as_str) {
                *ids.entry(id).or_default() += 1;
            }
            tool_call(judge, pairing, entry, invalid);
        }
    }
    if let Some(chunks) = holder.get("tool_call_chunks")
        && !(chunks.is_array() && chunks.items().all(Value::is_object))
    {
        judge.say(&rule::CONTENT_NOT_A_LIST, chunks, "`tool_call_chunks` is not a list of objects");
    }
    if count == 0 {
        elsewhere(judge, holder);
    }
    for piece in holder.get("content").into_iter().flat_map(Value::items) {
        if !item::is_call(piece) {
            continue;
        }
        let key =
            if piece.get("type").is_some_and(|kind| kind.is_str("function_call")) && piece.get("call_id").is_some() {
                "call_id"
            } else {
                "id"
            };
        let id = piece.get(key).and_then(Value::as_str).unwrap_or_default();
        match ids.get_mut(&id).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => judge.say(&rule::TOOL_CALL_ALIAS, piece, "a call stands in the content and not in `tool_calls`"),
        }
    }
}

/// Calls that stand in neither list.
fn elsewhere(judge: &mut Judge<'_>, holder: Value<'_>) {
    let filled = |value: Option<Value<'_>>| value.is_some_and(|list| list.items().next().is_some());
    if filled(holder.get("tool_call_chunks")) {
        let chunks = holder.get("tool_call_chunks").unwrap_or(holder);
        judge.say(&rule::STREAMING_MARKER, chunks, "calls are left in pieces of a stream");
        return;
    }
    let Some(kwargs) = holder.get("additional_kwargs") else { return };
    if filled(kwargs.get("tool_calls")) || kwargs.get("function_call").is_some_and(Value::is_object) {
        judge.say(&rule::FIELD_ALIAS, kwargs, "calls stand in `additional_kwargs` alone");
    }
}

fn tool_call<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, entry: Value<'a>, invalid: bool) {
    if !shape::object(judge, entry, &rule::UNKNOWN_BLOCK, "a call") {
        return;
    }
    let kind = if invalid { "invalid_tool_call" } else { "tool_call" };
    for (key, value) in entry.members() {
        match &*key.as_str().unwrap_or_default() {
            "name" | "args" | "id" => {}
            "error" if invalid => {}
            "extras" if !invalid => {}
            "type" if value.is_str(kind) => {}
            "type" => judge.say(&rule::FIELD_ALIAS, value, format!("the type of the call is not `{kind}`")),
            name => judge.say(&rule::UNKNOWN_FIELD, value, format!("LangChain's constructor refuses `{name}`")),
        }
    }
    let name = call::call_name(judge, entry, "name", true);
    if let Some(found) = call::call_id(judge, entry, "id") {
        let id = call::trimmed(judge, found);
        pairing.call(judge, entry, id, name);
    }
    if !invalid {
        arguments::object(judge, entry, "args");
    } else if let Some(args) = entry.get("args").filter(|args| !args.is_string() && !args.is_null()) {
        judge.say(&rule::FIELD_ALIAS, args, "the arguments of an invalid call are text");
    }
}
