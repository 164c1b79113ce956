//! `gemini.contents`: the contents of a Gemini request.

mod pairing;
mod part;

use std::borrow::Cow;

use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::{Judge, blank};
use crate::shape::{self, Order, only};
use pairing::Pairing;
use part::{Found, Place};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::Apart;

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the contents of a request.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let lone = messages.single().is_some_and(|content| {
        let mut held = parts(content).flat_map(part::held);
        let first = held.next().is_some_and(|(kind, value)| kind == "functionResponse" && value.is_object());
        first && held.next().is_none()
    });
    judge.pairing &= !lone;
    system(judge, messages);
    let signed_from = signed_from(judge, messages);
    let mut pairing = Pairing::default();
    let mut order = Order::default();
    for (at, content) in messages.iter().enumerate() {
        let Some(role) = role(judge, content) else {
            pairing.other();
            continue;
        };
        let model = role == "model";
        order.message(judge, content, model);
        only(judge, content, &["role", "parts"]);
        pairing.content(content, model);
        let mut first = true;
        for part in list(judge, content) {
            let place = if model { Place::Model } else { Place::User };
            match part::judge(judge, part, place) {
                Found::Call { id, name } => {
                    if std::mem::take(&mut first) && at >= signed_from && !part::is_signed(part) {
                        let message = "the first call of the step has no signature";
                        judge.say(&rule::THOUGHT_SIGNATURE_MISSING, part, message);
                    }
                    pairing.call(judge, part, id, name);
                }
                Found::Result { id, name } => pairing.result(part, id, name),
                Found::Other => pairing.words(model),
            }
        }
        pairing.end(judge);
        if !model {
            beside_results(judge, content);
        }
    }
    pairing.finish(judge);
    order.finish(judge, messages.place, false);
}

fn parts(content: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let parts = content.get("parts");
    one_or_many(parts.filter(|parts| parts.is_object()), parts)
}

/// Judges what stands beside the responses of a content.
fn beside_results(judge: &mut Judge<'_>, content: Value<'_>) {
    let apart = &judge.target.order.apart_from_results;
    let holds = |part: Value<'_>, kinds: &[&str]| part::held(part).any(|(kind, _)| kinds.contains(&kind));
    if apart.is_empty() || !parts(content).any(|part| holds(part, &["functionResponse"])) {
        return;
    }
    for part in parts(content) {
        let is_words = part.get("text").and_then(Value::as_str).is_some_and(|text| !blank(&text));
        if is_words && apart.contains(&Apart::Words) {
            let words = "words of the user stand beside function responses";
            judge.say(&rule::TOOL_RESULT_BESIDE_OTHER_CONTENT, part, words);
        } else if holds(part, &["inlineData", "fileData"]) && apart.contains(&Apart::Media) {
            judge.say(&rule::TOOL_RESULT_BESIDE_OTHER_CONTENT, part, "a file stands beside function responses");
        }
    }
}

/// The role of a content; one without is the user's, where the target takes that.
fn role<'a>(judge: &mut Judge<'_>, content: Value<'a>) -> Option<Cow<'a, str>> {
    let silent = content.is_object() && content.get("role").is_none_or(Value::is_null);
    // Servers take the name that earlier versions of the API had for messages of results.
    if !judge.target.is_dialect() && content.get("role").is_some_and(|role| role.is_str("function")) {
        judge.keys(content);
        return Some(Cow::Borrowed("user"));
    }
    if !silent {
        return shape::role(judge, content, &["user", "model"]);
    }
    judge.keys(content);
    if judge.target.order.explicit_role {
        judge.say(&rule::UNKNOWN_ROLE, content, "the target wants a role on every content");
    }
    Some(Cow::Borrowed("user"))
}

/// The parts of a content.
fn list<'a>(judge: &mut Judge<'_>, content: Value<'a>) -> impl Iterator<Item = Value<'a>> + use<'a> {
    match content.get("parts") {
        Some(list) if list.is_array() => {
            if list.items().next().is_none() {
                judge.say(&rule::EMPTY_MESSAGE, list, "the content has no parts");
            }
            return one_or_many(None, Some(list));
        }
        // Servers read an object as an array of one.
        Some(part) if part.is_object() && !judge.target.is_dialect() => return one_or_many(Some(part), None),
        None => judge.say(&rule::CONTENT_MISSING, content, "there are no parts"),
        Some(value) if value.is_null() => judge.say(&rule::CONTENT_MISSING, value, "the parts are null"),
        Some(value) => {
            judge.say(&rule::CONTENT_NOT_A_LIST, value, format!("the parts are {}", value.kind().name()));
        }
    }
    one_or_many(None, None)
}

fn one_or_many<'a>(one: Option<Value<'a>>, many: Option<Value<'a>>) -> impl Iterator<Item = Value<'a>> + use<'a> {
    one.into_iter().chain(many.into_iter().flat_map(Value::items))
}

/// Instructions beside the list: a content of texts.
fn system(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let Some(system) = messages.beside("systemInstruction").or_else(|| messages.beside("system_instruction")) else {
        return;
    };
    let empty = |value: Value<'_>| value.is_array() && value.items().next().is_none();
    if system.is_null() || system.is_str("") || empty(system) || system.get("parts").is_some_and(empty) {
        return;
    }
    if !system.is_object() {
        shape::instructions_of_wrong_type(judge, system);
        return;
    }
    judge.keys(system);
    only(judge, system, &["role", "parts"]);
    for part in list(judge, system) {
        part::judge(judge, part, Place::System);
    }
}

/// The first content behind the last in which the user speaks; past all where signatures are not asked for.
fn signed_from(judge: &Judge<'_>, messages: &Messages<'_>) -> usize {
    if !judge.sent || !judge.target.reasoning.signed_calls {
        return usize::MAX;
    }
    let speaks = |content: Value<'_>| {
        let user = content.get("role").is_none_or(|role| role.is_null() || role.is_str("user"));
        let mut words = false;
        for (kind, ..) in parts(content).flat_map(part::held) {
            if kind == "functionResponse" {
                return false;
            }
            words = true;
        }
        user && words
    };
    messages.iter().enumerate().filter(|(_, content)| speaks(*content)).last().map_or(0, |(at, _)| at + 1)
}
