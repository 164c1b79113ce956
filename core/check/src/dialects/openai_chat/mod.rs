//! `openai.chat`: the messages of the Chat Completions API.

pub(crate) mod part;

use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::{Judge, filled};
use crate::pairing::Pairing;
use crate::turns::Turns;
use crate::{arguments, call, shape};
use wirecanon_json::Value;
use wirecanon_model::rule;

const ROLES: &[&str] = &["developer", "system", "user", "assistant", "tool", "function"];

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the messages of a Chat Completions request.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut turns = Turns::new(judge);
    let mut called = false;
    let mut speakers = Speakers::default();
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
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
        calls_of_assistant(judge, message, &role);
        if judge.target.order.alternates {
            speakers.next(judge, message, &role);
        }
        turns.begin(judge, message, &role);
        match &*role {
            "assistant" => {
                assistant(judge, &mut turns.pairing, message);
                reasoning(judge, message, &mut called);
            }
            "tool" => {
                turns.result(judge, message, "tool_call_id");
                content(judge, message, "tool");
            }
            "function" => {
                call::call_name(judge, message, "name", false);
                // The legacy role may say null.
                if message.get("content").is_none_or(|content| !content.is_null()) {
                    content(judge, message, "function");
                }
            }
            role => content(judge, message, role),
        }
    }
    turns.finish(judge, messages);
}

/// Whose turn it was last, as chat templates count it: calls and their results stand outside.
#[derive(Default)]
struct Speakers {
    assistant: Option<bool>,
}

impl Speakers {
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
        if legacy.is_object() {
            judge.keys(legacy);
            function(judge, legacy, false);
        } else {
            judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, legacy, "the call is no object");
        }
    }
    for item in self::calls(judge, message) {
        tool_call(judge, pairing, item);
    }
}

/// Says that a message which is not the assistant's has calls, if it has.
pub(crate) fn calls_of_assistant(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    if let Some(calls) = message.get("tool_calls").filter(|calls| role != "assistant" && !calls.is_null()) {
        shape::misplaced(judge, calls, "tool_calls", role);
    }
}

/// The calls of a message, each an object; says what is wrong with any other, and with an empty list.
pub(crate) fn calls<'a>(judge: &mut Judge<'_>, message: Value<'a>) -> Vec<Value<'a>> {
    let Some(list) = message.get("tool_calls").filter(|calls| !calls.is_null()) else { return Vec::new() };
    if !list.is_array() {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, list, format!("`tool_calls` is {}", list.kind().name()));
    } else if list.items().next().is_none() {
        judge.say(&rule::EMPTY_TOOL_CALLS, list, "`tool_calls` is an empty list");
    }
    list.items().filter(|call| shape::object(judge, *call, &rule::UNKNOWN_BLOCK, "a call")).collect()
}

/// The object of a call with what is called; says so if there is none.
pub(crate) fn called<'a>(judge: &mut Judge<'_>, call: Value<'a>, key: &str) -> Option<Value<'a>> {
    let called = call.get(key).filter(|called| called.is_object());
    match called {
        Some(called) => judge.keys(called),
        None => judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, call, format!("the call has no `{key}`")),
    }
    called
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
    shape::fields(judge, item, "call");
    if let Some(id) = call::call_id(judge, item, "id") {
        pairing.call(judge, item, id, None);
    }
    let kind = item.get("type");
    if kind.is_some_and(|kind| kind.is_str("custom")) {
        if !judge.target.content.custom_calls {
            judge.say(&rule::TOOL_CALL_ALIAS, item, "the target calls functions only");
        }
        if let Some(custom) = called(judge, item, "custom") {
            call::call_name(judge, custom, "name", false);
            arguments::free_text(judge, custom, "input");
        }
        return;
    }
    let is_builtin = judge.target.content.builtin_calls && kind.is_some_and(|kind| kind.is_str("builtin_function"));
    match kind.map(|kind| kind.is_str("function") || is_builtin) {
        Some(true) => {}
        Some(false) => judge.say(&rule::UNKNOWN_BLOCK, kind.unwrap_or(item), "no such type of call"),
        None => judge.say(&rule::FOREIGN_BLOCK_SHAPE, item, "the call has no type"),
    }
    if let Some(inner) = called(judge, item, "function") {
        function(judge, inner, is_builtin);
    }
}

/// Name and arguments of a called function.
fn function(judge: &mut Judge<'_>, inner: Value<'_>, is_builtin: bool) {
    shape::fields(judge, inner, "call-function");
    if is_builtin {
        call::any_name(judge, inner, "name", false);
    } else {
        call::call_name(judge, inner, "name", false);
    }
    arguments::string(judge, inner, "arguments");
}
