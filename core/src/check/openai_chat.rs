//! `messages` of the OpenAI Chat Completions API.

use super::input::Messages;
use super::judge::{Judge, blank, filled};
use super::pairing::{Answer, Asks, Pairing};
use super::shape::{self, Order};
use super::{arguments, call, openai_part as part};
use crate::json::Value;
use crate::rule;

const ROLES: &[&str] = &["developer", "system", "user", "assistant", "tool", "function"];

/// Judges an OpenAI Chat transcript.
pub(super) fn judge<'a>(judge: &mut Judge<'_>, messages: &Messages<'a>) {
    let mut pairing = Pairing::new(Asks { unique: judge.target.ids.unique, ordered: false, named: false });
    let mut order = Order::default();
    for message in messages.iter() {
        let Some(role) = shape::role(judge, message, ROLES) else {
            pairing.other();
            continue;
        };
        if role != "function" {
            call::judge_name(judge, message, "name", false);
        }
        if role != "assistant" && message.get("tool_calls").is_some_and(|calls| !calls.is_null()) {
            shape::misplaced(judge, message.get("tool_calls").unwrap_or(message), "tool_calls", &role);
        }
        match &*role {
            "assistant" => {
                order.message(judge, message, true);
                pairing.turn(false);
                assistant(judge, &mut pairing, message);
            }
            "tool" => {
                order.message(judge, message, false);
                if let Some((_, id)) = call::result_id(judge, message, "tool_call_id") {
                    pairing.result(judge, Answer { place: message, id, name: None });
                }
                content(judge, message, "tool");
            }
            "function" => {
                order.message(judge, message, false);
                pairing.other();
                call::call_name(judge, message, "name", false);
                // The legacy role may say null.
                if message.get("content").is_none_or(|content| !content.is_null()) {
                    content(judge, message, "function");
                }
            }
            "user" => {
                order.message(judge, message, false);
                pairing.other();
                content(judge, message, "user");
            }
            role => {
                order.system(judge, message);
                pairing.other();
                content(judge, message, role);
            }
        }
    }
    pairing.finish(judge);
    order.finish(judge, messages.place(), false);
}

/// Content that must stand.
fn content(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    if let Some(list) = shape::blocks(judge, message, true) {
        parts(judge, list, role);
    } else if let Some(text) = message.get("content").and_then(Value::as_str) {
        if !judge.target.content.blank_text && blank(&text) {
            judge.say(&rule::BLANK_TEXT, message.get("content").unwrap_or(message), "the content is blank");
        }
    }
}

fn parts(judge: &mut Judge<'_>, list: Value<'_>, role: &str) {
    if list.items().next().is_none() {
        let rule = if role == "tool" { &rule::EMPTY_TOOL_RESULT } else { &rule::EMPTY_MESSAGE };
        judge.say(rule, list, "the list of parts is empty");
    }
    for item in list.items() {
        if let Some(kind) = shape::kind(judge, item) {
            part::judge(judge, item, &kind, role);
        }
    }
}

fn assistant<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>) {
    let legacy = message.get("function_call").filter(|call| !call.is_null());
    let calls = message.get("tool_calls").filter(|calls| !calls.is_null());
    if let Some(content) = message.get("content").filter(|content| !content.is_null()) {
        if content.is_array() {
            parts(judge, content, "assistant");
        } else if !content.is_string() {
            judge.say(&rule::CONTENT_NOT_A_LIST, content, format!("the content is {}", content.kind().name()));
        }
    } else if calls.is_none()
        && legacy.is_none()
        && filled(message, "refusal").is_none()
        && message.get("audio").is_none_or(|audio| !audio.is_object())
    {
        let place = message.get("content").unwrap_or(message);
        judge.say(&rule::EMPTY_MESSAGE, place, "the turn has neither content nor calls");
    }
    if let Some(legacy) = legacy {
        function(judge, legacy, legacy);
    }
    match calls {
        None => {}
        Some(list) if !list.is_array() => {
            judge.say(&rule::FOREIGN_BLOCK_SHAPE, list, format!("`tool_calls` is {}", list.kind().name()));
        }
        Some(list) if list.items().next().is_none() => {
            judge.say(&rule::EMPTY_TOOL_CALLS, list, "`tool_calls` is an empty list");
        }
        Some(list) => {
            for item in list.items() {
                tool_call(judge, pairing, item);
            }
        }
    }
}

fn tool_call<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, item: Value<'a>) {
    if !item.is_object() {
        judge.say(&rule::UNKNOWN_BLOCK, item, format!("a call is {}", item.kind().name()));
        return;
    }
    judge.keys(item);
    if let Some((place, id)) = call::call_id(judge, item, "id") {
        pairing.call(judge, item, place, &id, None);
    }
    let kind = item.get("type");
    if kind.is_some_and(|kind| kind.is_str("custom")) {
        match item.get("custom").filter(|custom| custom.is_object()) {
            Some(custom) => {
                judge.keys(custom);
                call::call_name(judge, custom, "name", false);
                arguments::free_text(judge, custom, "input");
            }
            None => judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, item, "the call has no `custom`"),
        }
        return;
    }
    match kind.map(|kind| kind.is_str("function")) {
        Some(true) => {}
        Some(false) => {
            judge.say(&rule::UNKNOWN_BLOCK, kind.unwrap_or(item), "a call is of type `function` or `custom`")
        }
        None => judge.say(&rule::FOREIGN_BLOCK_SHAPE, item, "the call has no type"),
    }
    match item.get("function").filter(|function| function.is_object()) {
        Some(inner) => function(judge, inner, item),
        None => judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, item, "the call has no `function`"),
    }
}

/// Name and arguments of a called function.
fn function(judge: &mut Judge<'_>, inner: Value<'_>, call: Value<'_>) {
    if !inner.is_object() {
        judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, call, "the call is no object");
        return;
    }
    judge.keys(inner);
    call::call_name(judge, inner, "name", false);
    arguments::string(judge, inner, "arguments");
}
