//! The canonical transcript: SPEC.md, part 2.

use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::{Judge, blank, filled};
use crate::media::{self, Look};
use crate::pairing::{Answer, Asks, Pairing};
use crate::shape;
use crate::turns::Turns;
use crate::{arguments, call};
use wirecanon_json::{Value, same};
use wirecanon_model::rule;
use wirecanon_model::target::Scope;

const ROLES: &[&str] = &["system", "user", "assistant", "toolResult"];
const STOP_REASONS: &[&str] = &["stop", "length", "toolUse", "error", "aborted"];

/// Fields of a call, and the names that other dialects have for them.
const CALL_FIELDS: &[(&str, &[&str])] = &[
    ("id", &["call_id", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "callId"]),
    ("name", &["toolName", "tool_name", "functionName", "function_name"]),
    ("arguments", &["input", "args", "toolInput", "tool_input", "tool_kwargs", "parameters"]),
];

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges a canonical transcript.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    // A lone result is a fragment: nothing around it says which call it answers.
    let fragment = messages.is_lone_result();
    let mut turns = Turns::asking(Asks { unique: Scope::Turn, ordered: true, named: true });
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        native(judge, message);
        match &*role {
            "assistant" => {
                turns.order.message(judge, message, true);
                assistant(judge, &mut turns.pairing, message);
                continue;
            }
            role => turns.begin(judge, message, role),
        }
        match &*role {
            "toolResult" => result(judge, &mut turns.pairing, message, fragment),
            "system" => drop(content(judge, message, "system", text_alone)),
            _ => drop(content(judge, message, "user", user_block)),
        }
    }
    turns.finish(judge, messages);
}

/// One block of a role: false when a message of this role cannot hold this kind.
type Block = fn(&mut Judge<'_>, Value<'_>, &str) -> bool;

/// The blocks of a message; returns the list.
fn content<'a>(judge: &mut Judge<'_>, message: Value<'a>, role: &str, block_of: Block) -> Option<Value<'a>> {
    let list = shape::blocks(judge, message, false)?;
    let alone = list.items().nth(1).is_none();
    if list.items().next().is_none() && role != "toolResult" {
        judge.say(&rule::EMPTY_MESSAGE, list, "the message is empty");
    }
    for block in list.items() {
        let Some(kind) = shape::kind(judge, block) else { continue };
        native(judge, block);
        if &*kind == "text" {
            let blank_text = shape::text(judge, block, "text").is_some_and(|text| blank(&text));
            if blank_text && !alone {
                judge.say(&rule::BLANK_TEXT, block, "a blank text stands beside other blocks");
            } else if blank_text && role == "assistant" {
                judge.say(&rule::EMPTY_MESSAGE, list, "the turn of the model says nothing");
            }
        } else if !block_of(judge, block, &kind) {
            refused(judge, block, &kind, role);
        }
    }
    Some(list)
}

/// A block of a kind that its message cannot hold.
fn refused(judge: &mut Judge<'_>, block: Value<'_>, kind: &str, role: &str) {
    let result = role == "toolResult";
    match kind {
        "link" => judge.say(&rule::MEDIA_BY_ADDRESS, block, "a picture by its address stands outside a user message"),
        "resource_link" if result => {
            judge.say(&rule::RESOURCE_LINK_IN_TOOL_RESULT, block, "a link to a resource stands in a tool result");
        }
        "resource" if result => judge.say(&rule::RESOURCE_IN_TOOL_RESULT, block, "a resource stands in a tool result"),
        "audio" if result => judge.say(&rule::AUDIO_IN_TOOL_RESULT, block, "a recording stands in a tool result"),
        "image" | "thinking" | "toolCall" | "file" | "opaque" => shape::misplaced(judge, block, kind, role),
        _ => shape::unknown(judge, block, kind),
    }
}

fn text_alone(_: &mut Judge<'_>, _: Value<'_>, _: &str) -> bool {
    false
}

fn user_block(judge: &mut Judge<'_>, block: Value<'_>, kind: &str) -> bool {
    match kind {
        "image" => image(judge, block),
        "link" => link(judge, block),
        "file" => {
            media::file_data(judge, block, "data");
            media::file_type(judge, block, "mimeType");
            media::pdf_of(judge, block, "data", "mimeType");
        }
        "opaque" => opaque(judge, block),
        _ => return false,
    }
    true
}

fn assistant_block(judge: &mut Judge<'_>, block: Value<'_>, kind: &str) -> bool {
    match kind {
        "thinking" => {
            shape::text(judge, block, "thinking");
        }
        "opaque" => opaque(judge, block),
        "toolCall" => {}
        _ => return false,
    }
    true
}

fn result_block(judge: &mut Judge<'_>, block: Value<'_>, kind: &str) -> bool {
    if kind == "image" {
        image(judge, block);
    }
    kind == "image"
}

fn image(judge: &mut Judge<'_>, block: Value<'_>) {
    media::image(judge, block, block.get("data"), block.get("mimeType"), Look::Bytes);
}

fn link(judge: &mut Judge<'_>, block: Value<'_>) {
    if let Some(url) = block.get("url").filter(|url| url.as_str().is_some_and(|text| media::is_data_url(&text))) {
        judge.say(&rule::MEDIA_WITHOUT_ADDRESS, url, "`url` is a data URL, not an address");
    } else if !block.get("url").is_some_and(|url| media::bare_base64(judge, url)) {
        media::address(judge, block, "url");
    }
}

fn opaque(judge: &mut Judge<'_>, block: Value<'_>) {
    if filled(block, "dialect").is_none() || block.get("value").is_none() {
        judge.say(&rule::NATIVE_MALFORMED, block, "an opaque item needs its dialect and its value");
    }
}

/// `native`: an object of objects.
fn native(judge: &mut Judge<'_>, holder: Value<'_>) {
    let Some(native) = holder.get("native") else { return };
    judge.keys(native);
    if !native.is_object() || native.members().any(|(_, fields)| !fields.is_object()) {
        judge.say(&rule::NATIVE_MALFORMED, native, "`native` holds an object of fields for each dialect");
    }
}

fn assistant<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>) {
    let stop = message.get("stopReason");
    let reason = stop.and_then(Value::as_str);
    if let Some(stop) = stop.filter(|_| !reason.as_ref().is_some_and(|reason| STOP_REASONS.contains(&&**reason))) {
        judge.say(&rule::UNKNOWN_STOP_REASON, stop, "no such reason to stop");
    }
    turn(judge, pairing, message, arguments::string);
    content(judge, message, "assistant", assistant_block);
}

/// The calls of a turn, here and in `openclaw`, which differ in what arguments are.
pub(crate) fn turn<'a>(
    judge: &mut Judge<'_>,
    pairing: &mut Pairing<'a>,
    message: Value<'a>,
    judge_arguments: fn(&mut Judge<'_>, Value<'_>, &str),
) {
    let stop = message.get("stopReason").and_then(|stop| Some((stop, stop.as_str()?)));
    let reason = stop.as_ref().map_or("", |(_, reason)| reason);
    pairing.turn(matches!(reason, "error" | "aborted"));
    let mut calls = 0;
    for block in message.get("content").into_iter().flat_map(Value::items) {
        if !block.get("type").is_some_and(|kind| kind.is_str("toolCall")) {
            continue;
        }
        calls += 1;
        judge_arguments(judge, block, "arguments");
        for (own, others) in CALL_FIELDS {
            second_name(judge, block, own, others);
        }
        streaming(judge, block);
        let name = call::call_name(judge, block, "name", true);
        if let Some(found) = call::call_id(judge, block, "id") {
            let id = call::trimmed(judge, found);
            pairing.call(judge, block, id, name);
        }
    }
    if let Some((stop, _)) = stop.as_ref().filter(|(_, reason)| calls == 0 && reason == "toolUse") {
        judge.say(&rule::STOP_REASON_WITHOUT_CALL, *stop, "the turn stops for its tools and calls none");
    }
}

/// Judges a field that also stands under a name of other dialects: readers disagree about which one counts.
fn second_name(judge: &mut Judge<'_>, object: Value<'_>, own: &str, others: &[&str]) {
    let said = |key: &str| object.get(key).filter(|value| !value.is_null());
    let Some(value) = said(own) else { return };
    for (name, other) in others.iter().filter_map(|name| Some((name, said(name)?))) {
        let (rule, relation) =
            if same(value, other) { (&rule::FIELD_ALIAS, "repeats") } else { (&rule::ALIAS_CONFLICT, "contradicts") };
        judge.say(rule, object, format!("`{name}` {relation} `{own}`"));
    }
}

/// What a call keeps of the time when it was streamed.
fn streaming(judge: &mut Judge<'_>, call: Value<'_>) {
    for key in ["partialJson", "partial", "incomplete"] {
        let left = call.get(key).filter(|value| {
            let on = value.as_bool() == Some(true) || value.is_str("true") || value.as_f64().is_some_and(|n| n != 0.0);
            if key == "partialJson" { !value.is_null() } else { on }
        });
        if let Some(left) = left {
            judge.say(&rule::STREAMING_MARKER, left, format!("`{key}` is left from streaming"));
        }
    }
}

fn result<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>, fragment: bool) {
    answer(judge, pairing, message, fragment);
    if let Some(list) = content(judge, message, "toolResult", result_block) {
        let mut blocks = list.items();
        let first = blocks.next();
        let is_blank = |block: Value<'_>| block.get("text").and_then(Value::as_str).is_some_and(|text| blank(&text));
        let empty = first.is_none_or(|block| blocks.next().is_none() && is_blank(block));
        if empty {
            judge.say(&rule::EMPTY_TOOL_RESULT, list, "the result is empty");
        }
    }
    if let Some(flag) = message.get("synthetic").filter(|flag| flag.as_bool().is_none()) {
        judge.say(&rule::ERROR_FLAG_NOT_A_BOOLEAN, flag, format!("`synthetic` is {}", flag.kind().name()));
    }
}

/// What a result says about itself, here and in `openclaw`.
pub(crate) fn answer<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>, fragment: bool) {
    shape::error_flag(judge, message, "isError", true);
    let name = message.get("toolName");
    match name.map(|name| name.as_str().filter(|name| !blank(name))) {
        Some(None) => judge.say(&rule::TOOL_RESULT_NAME_MISSING, name.unwrap_or(message), "the result names no tool"),
        Some(Some(_)) => call::judge_name(judge, message, "toolName", true),
        None => {}
    }
    if fragment && message.get("toolCallId").is_none() {
        return;
    }
    if let Some(found) = call::result_id(judge, message, "toolCallId") {
        let (_, id) = call::trimmed(judge, found);
        pairing.result(judge, Answer { place: message, id, name });
    }
}
