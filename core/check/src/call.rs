//! Ids and names of calls, and of the results that answer them.

use std::borrow::Cow;

use crate::judge::{Judge, blank};
use wirecanon_json::Value;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::charset;

/// An id, and where it stands.
type Id<'a> = (Value<'a>, Cow<'a, str>);

/// The id of a call under `key`, judged; `None` when it cannot be used.
pub(super) fn call_id<'a>(judge: &mut Judge<'_>, call: Value<'a>, key: &str) -> Option<Id<'a>> {
    id(judge, call, key, &rule::TOOL_CALL_WITHOUT_ID, "the call has no id")
}

/// The id under `key` of the call that a result answers, judged; `None` when it cannot be used.
pub(super) fn result_id<'a>(judge: &mut Judge<'_>, result: Value<'a>, key: &str) -> Option<Id<'a>> {
    id(judge, result, key, &rule::TOOL_RESULT_WITHOUT_ID, "the result names no call")
}

/// The id under `key`, judged; an id that is no string or blank breaks this rule.
fn id<'a>(
    judge: &mut Judge<'_>,
    object: Value<'a>,
    key: &str,
    rule: &'static Rule,
    words: &'static str,
) -> Option<Id<'a>> {
    let value = object.get(key);
    let found = value.and_then(|value| Some((value, value.as_str().filter(|id| !blank(id))?)));
    match &found {
        None => judge.say(rule, value.unwrap_or(object), words),
        Some((value, id)) => spelling(judge, *value, id),
    }
    found
}

fn spelling(judge: &mut Judge<'_>, value: Value<'_>, id: &str) {
    let ids = &judge.target.ids;
    let wrong = !charset(ids.also.as_deref(), id);
    let long = ids.max_length.filter(|max| id.chars().count() > *max);
    if let Some(length) = ids.length.filter(|length| id.chars().count() != *length) {
        judge.say(&rule::TOOL_CALL_ID_LENGTH, value, format!("the id has not exactly {length} characters"));
    }
    if ids.is_reserved(id) {
        judge.say(&rule::TOOL_CALL_ID_CHARACTERS, value, "the id begins as only those of the server's calls do");
    }
    if wrong {
        judge.say(&rule::TOOL_CALL_ID_CHARACTERS, value, "the id has characters that the target refuses");
    }
    if let Some(max) = long {
        judge.say(&rule::TOOL_CALL_ID_LENGTH, value, format!("the id is longer than {max} characters"));
    }
}

/// An id without its outer white space; says so when it has some. For dialects that pair by the id as it stands and take
/// every character, so that nothing else would tell.
pub(super) fn trimmed<'a>(judge: &mut Judge<'_>, (value, id): Id<'a>) -> Id<'a> {
    if id.trim().len() == id.len() {
        return (value, id);
    }
    judge.say(&rule::TOOL_CALL_ID_WHITE_SPACE, value, "the id has white space around it");
    (value, Cow::Owned(id.trim().to_owned()))
}

/// The name of a called tool under `key`. `strict` refuses outer white space.
pub(super) fn call_name<'a>(judge: &mut Judge<'_>, call: Value<'a>, key: &str, strict: bool) -> Option<Cow<'a, str>> {
    let name = any_name(judge, call, key, strict);
    if name.is_some() {
        judge_name(judge, call, key, strict);
    }
    name
}

/// The name under `key` of a tool that the client does not run, in any spelling; says so when there is none. `strict` takes a blank
/// name for none.
pub(super) fn any_name<'a>(judge: &mut Judge<'_>, call: Value<'a>, key: &str, strict: bool) -> Option<Cow<'a, str>> {
    let name = call.get(key).and_then(Value::as_str);
    let name = name.filter(|name| if strict { !blank(name) } else { !name.is_empty() });
    if name.is_none() {
        judge.say(&rule::TOOL_CALL_WITHOUT_NAME, call.get(key).unwrap_or(call), "the call names no tool");
    }
    name
}

/// The name under `key` of the tool that a result is of; says so when it is no string. `null`: whether null is none.
pub(super) fn result_name(judge: &mut Judge<'_>, result: Value<'_>, key: &str, null: bool) {
    judge_name(judge, result, key, false);
    let fits = |name: &Value<'_>| name.is_string() || (null && name.is_null());
    if let Some(name) = result.get(key).filter(|name| !fits(name)) {
        let what = format!("the name of the result's tool is {}", name.kind().name());
        judge.say(&rule::TOOL_RESULT_NAME_MISSING, name, what);
    }
}

/// A name, where one stands.
pub(super) fn judge_name(judge: &mut Judge<'_>, object: Value<'_>, key: &str, strict: bool) {
    let Some((value, name)) = object.get(key).and_then(|value| Some((value, value.as_str()?))) else { return };
    if strict && name.trim().len() != name.len() {
        judge.say(&rule::TOOL_NAME_WHITE_SPACE, value, "the name has white space around it");
    }
    let names = &judge.target.names;
    let badly = names.opens_with_letter && !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let wrong = badly || !charset(names.also.as_deref(), &name);
    let long = names.max_length.filter(|max| name.chars().count() > *max);
    if wrong {
        judge.say(&rule::TOOL_NAME_CHARACTERS, value, "the name has characters that the target refuses");
    }
    if let Some(max) = long {
        judge.say(&rule::TOOL_NAME_LENGTH, value, format!("the name is longer than {max} characters"));
    }
}
