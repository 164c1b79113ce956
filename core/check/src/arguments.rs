//! The two contracts for the arguments of a call: a string of JSON text, or a JSON object.

use crate::judge::{Judge, blank};
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::{Error, ErrorKind, rule};

/// `key` of `call` is a string that holds the JSON text of one object.
pub(super) fn string(judge: &mut Judge<'_>, call: Value<'_>, key: &str) {
    let Some(value) = call.get(key).filter(|value| !value.is_null()) else {
        missing(judge, call, key);
        return;
    };
    let Some(text) = value.as_str() else {
        let message = format!("`{key}` is {}, not a string", value.kind().name());
        judge.say(&rule::TOOL_CALL_ARGUMENTS_NOT_A_STRING, value, message);
        return;
    };
    if blank(&text) {
        judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, value, format!("`{key}` is blank"));
        return;
    }
    match inside(&text, judge.limits) {
        Inside::Object => {}
        Inside::ObjectTwice => {
            judge.say(&rule::TOOL_CALL_ARGUMENTS_ENCODED_TWICE, value, format!("`{key}` is encoded twice"));
        }
        Inside::Other(what) => {
            let message = format!("`{key}` is the JSON text of {what}, not of one object");
            judge.say(&rule::TOOL_CALL_ARGUMENTS_INVALID, value, message);
        }
        Inside::NoJson => {
            let words = format!("`{key}` is a string, but its text is no JSON");
            judge.say(&rule::TOOL_CALL_ARGUMENTS_INVALID, value, words);
        }
        Inside::TooDeep => {
            let words = format!("the JSON text in `{key}` is nested too deep");
            judge.say(&rule::TOOL_CALL_ARGUMENTS_INVALID, value, words);
        }
    }
}

/// `key` of `call` is a string of any text: a custom tool's input.
pub(super) fn free_text(judge: &mut Judge<'_>, call: Value<'_>, key: &str) {
    match call.get(key).filter(|value| !value.is_null()) {
        None => missing(judge, call, key),
        Some(value) if value.is_string() => {}
        Some(value) => {
            let message = format!("`{key}` is {}, not a string", value.kind().name());
            judge.say(&rule::TOOL_CALL_ARGUMENTS_NOT_A_STRING, value, message);
        }
    }
}

/// `key` of `call` is an object.
pub(super) fn object(judge: &mut Judge<'_>, call: Value<'_>, key: &str) {
    match call.get(key).filter(|value| !value.is_null()) {
        None => missing(judge, call, key),
        Some(value) if value.is_object() => {}
        Some(value) => {
            let message = format!("`{key}` is {}, not an object", value.kind().name());
            judge.say(&rule::TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT, value, message);
        }
    }
}

fn missing(judge: &mut Judge<'_>, call: Value<'_>, key: &str) {
    let place = call.get(key).unwrap_or(call);
    judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, place, format!("the call has no `{key}`"));
}

/// What the text of the arguments holds.
enum Inside {
    Object,
    ObjectTwice,
    /// JSON of this kind
    Other(&'static str),
    NoJson,
    TooDeep,
}

fn inside(text: &str, limits: Limits) -> Inside {
    let json = match Json::parse(text, &limits).map_err(Error::from) {
        Ok(json) => json,
        Err(error) if error.kind() == ErrorKind::TooDeep => return Inside::TooDeep,
        Err(_) => return Inside::NoJson,
    };
    let root = json.root();
    if root.is_object() {
        return Inside::Object;
    }
    let twice =
        root.as_str().is_some_and(|inner| Json::parse(&inner, &limits).is_ok_and(|json| json.root().is_object()));
    if twice { Inside::ObjectTwice } else { Inside::Other(root.kind().name()) }
}
