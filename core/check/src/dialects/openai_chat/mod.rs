//! `openai.chat`: the messages of the Chat Completions API.

pub(crate) mod part;

use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::{Judge, filled};
use crate::pairing::{Answer, Asks, Pairing};
use crate::shape::{self, Order};
use crate::{arguments, call};
use wirecanon_json::Value;
use wirecanon_model::rule;

const ROLES: &[&str] = &["developer", "system", "user", "assistant", "tool", "function"];

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the messages of a Chat Completions request.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut pairing = Pairing::new(Asks { unique: judge.target.ids.unique, ordered: false, named: false });
    let mut order = Order::default();
    let mut called = false;
    let mut turns = Turns::default();
    for message in messages.iter() {
        let Some(role) = shape::role(judge, message, ROLES) else {
            pairing.other();
            continue;
        };
        shape::fields(judge, message, &role);
        if role == "developer" && !judge.target.order.developer {
            judge.say(&rule::ROLE_ALIAS, message.get("role").unwrap_or(message), "the target has no role `developer`");
        }
        if role == "function" && !judge.target.content.older_calls {
            judge.say(&rule::ROLE_ALIAS, message.get("role").unwrap_or(message), "the target has no role `function`");
        }
        let is_builtin = judge.target.content.builtin_calls
            && role == "tool"
            && filled(message, "name").is_some_and(|name| name.starts_with('$'));
        if role != "function" && !is_builtin {
            call::judge_name(judge, message, "name", false);
        }
        if role != "assistant" && message.get("tool_calls").is_some_and(|calls| !calls.is_null()) {
            shape::misplaced(judge, message.get("tool_calls").unwrap_or(message), "tool_calls", &role);
        }
        if judge.target.order.alternates {
            turns.next(judge, message, &role);
        }
        match &*role {
            "assistant" => {
                order.message(judge, message, true);
                pairing.turn(false);
                assistant(judge, &mut pairing, message);
                reasoning(judge, message, &mut called);
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

/// Whose turn it was last, as chat templates count it: calls and their results stand outside.
#[derive(Default)]
struct Turns {
    assistant: Option<bool>,
}

impl Turns {
    fn next(&mut self, judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
        let calls = message.get("tool_calls").is_some_and(|calls| calls.items().next().is_some());
        let assistant = role == "assistant";
        if !assistant && role != "user" || calls {
            return;
        }
        if self.assistant == Some(assistant) {
            judge.say(&rule::ROLES_DO_NOT_ALTERNATE, message, format!("another turn of the {role} came before"));
        }
        self.assistant = Some(assistant);
    }
}

/// Content that must stand.
fn content(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    let silent = message.get("content").filter(|content| content.is_str(""));
    if let Some(place) = silent.filter(|_| !judge.target.content.silent && role != "tool") {
        judge.say(&rule::EMPTY_MESSAGE, place, "the content is an empty string");
    }
    let Some(list) = shape::plain(judge, message) else { return };
    let taken = match role {
        "tool" => judge.target.content.result_parts,
        "user" => true,
        _ => judge.target.content.system_parts,
    };
    if !taken {
        judge.say(&rule::CONTENT_NOT_A_STRING, list, "the content is a list, not a string");
    }
    shape::pieces(judge, list, role, part::judge);
}

fn assistant<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>) {
    if let Some(refusal) = message.get("refusal").filter(|words| !words.is_string() && !words.is_null()) {
        judge.say(&rule::TEXT_NOT_A_STRING, refusal, format!("`refusal` is {}", refusal.kind().name()));
    }
    let legacy = message.get("function_call").filter(|call| !call.is_null());
    let calls = message.get("tool_calls").filter(|calls| !calls.is_null());
    if let Some(content) = message.get("content").filter(|content| !content.is_null()) {
        if let Some(list) = shape::said(judge, content) {
            if !judge.target.content.assistant_parts {
                judge.say(&rule::CONTENT_NOT_A_STRING, list, "the content is a list, not a string");
            }
            shape::pieces(judge, list, "assistant", part::judge);
        }
    } else if calls.is_none()
        && legacy.is_none()
        && (filled(message, "refusal").is_none() || !judge.target.content.refusals)
        && message.get("audio").is_none_or(|audio| !audio.is_object())
    {
        let place = message.get("content").unwrap_or(message);
        judge.say(&rule::EMPTY_MESSAGE, place, "the turn has neither content nor calls");
    }
    let spoken = message.get("content").is_some_and(|content| content.is_string() || content.items().next().is_some());
    if calls.is_some() && !spoken && !judge.target.content.calls_alone {
        judge.say(&rule::CONTENT_MISSING, message.get("content").unwrap_or(message), "the calls stand without content");
    }
    let silent = message.get("content").filter(|content| content.is_str("") && calls.is_none() && legacy.is_none());
    if let Some(place) = silent.filter(|_| !judge.target.content.silent) {
        judge.say(&rule::EMPTY_MESSAGE, place, "the turn says nothing and calls nothing");
    }
    if let Some(legacy) = legacy {
        if !judge.target.content.older_calls {
            judge.say(&rule::TOOL_CALL_ALIAS, legacy, "the target knows no `function_call`, only `tool_calls`");
        }
        function(judge, legacy, legacy, false);
    }
    for item in call_list(judge, message).into_iter().flat_map(Value::items) {
        tool_call(judge, pairing, item);
    }
}

/// The list of calls, if there is one with something in it.
pub(crate) fn call_list<'a>(judge: &mut Judge<'_>, message: Value<'a>) -> Option<Value<'a>> {
    let list = message.get("tool_calls").filter(|calls| !calls.is_null())?;
    if !list.is_array() {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, list, format!("`tool_calls` is {}", list.kind().name()));
        return None;
    }
    if list.items().next().is_none() {
        judge.say(&rule::EMPTY_TOOL_CALLS, list, "`tool_calls` is an empty list");
    }
    Some(list)
}

/// Reasoning beside the content: where it must stand, and where none may.
fn reasoning(judge: &mut Judge<'_>, message: Value<'_>, called: &mut bool) {
    let calls = message.get("tool_calls").is_some_and(|calls| calls.items().next().is_some())
        || message.get("function_call").is_some_and(Value::is_object);
    *called |= calls;
    let wanted = judge.target.reasoning.replay.asks_for(calls, *called);
    let field = judge.target.reasoning.field.clone().unwrap_or_else(|| REASONING[0].to_owned());
    let has = message.get(&field).is_some_and(Value::is_string);
    if wanted && !has {
        let place = message.get(&field).unwrap_or(message);
        judge.say(&rule::REASONING_MISSING, place, format!("the turn has no `{field}`"));
    }
    for name in REASONING {
        if let Some(words) = message.get(name).filter(|words| !words.is_string() && !words.is_null()) {
            judge.say(&rule::TEXT_NOT_A_STRING, words, format!("`{name}` is {}", words.kind().name()));
        }
        reasoning_refused(judge, message, name);
    }
}

/// Members that hold reasoning on one server or another.
const REASONING: &[&str] = &["reasoning_content", "reasoning"];

/// Says of reasoning, in a member or in chunks of this name, that the target takes none.
pub(crate) fn reasoning_refused(judge: &mut Judge<'_>, message: Value<'_>, name: &str) {
    if judge.target.reasoning.accepted || !judge.target.takes_field("assistant", name) && name != "thinking" {
        return;
    }
    let chunks = message.get("content").into_iter().flat_map(Value::items);
    let chunk = chunks.filter(|chunk| chunk.get("type").is_some_and(|kind| kind.is_str(name))).last();
    if let Some(place) = message.get(name).filter(|words| words.is_string()).or(chunk) {
        judge.say(&rule::UNKNOWN_FIELD, place, "the target takes no reasoning back");
    }
}

fn tool_call<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, item: Value<'a>) {
    if !item.is_object() {
        judge.say(&rule::UNKNOWN_BLOCK, item, format!("a call is {}", item.kind().name()));
        return;
    }
    judge.keys(item);
    shape::fields(judge, item, "call");
    if let Some(id) = call::call_id(judge, item, "id") {
        pairing.call(judge, item, id, None);
    }
    let kind = item.get("type");
    if kind.is_some_and(|kind| kind.is_str("custom")) {
        if !judge.target.content.custom_calls {
            judge.say(&rule::TOOL_CALL_ALIAS, item, "the target calls functions only");
        }
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
    let is_builtin = judge.target.content.builtin_calls && kind.is_some_and(|kind| kind.is_str("builtin_function"));
    match kind.map(|kind| kind.is_str("function") || is_builtin) {
        Some(true) => {}
        Some(false) => judge.say(&rule::UNKNOWN_BLOCK, kind.unwrap_or(item), "no such type of call"),
        None => judge.say(&rule::FOREIGN_BLOCK_SHAPE, item, "the call has no type"),
    }
    match item.get("function").filter(|function| function.is_object()) {
        Some(inner) => function(judge, inner, item, is_builtin),
        None => judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, item, "the call has no `function`"),
    }
}

/// Name and arguments of a called function.
fn function(judge: &mut Judge<'_>, inner: Value<'_>, call: Value<'_>, is_builtin: bool) {
    if !inner.is_object() {
        judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, call, "the call is no object");
        return;
    }
    judge.keys(inner);
    shape::fields(judge, inner, "call-function");
    if is_builtin {
        call::any_name(judge, inner, "name", false);
    } else {
        call::call_name(judge, inner, "name", false);
    }
    arguments::string(judge, inner, "arguments");
}
