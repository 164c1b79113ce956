//! `messages` of the Cohere v2 chat API.

use crate::dialects::openai_chat::part as openai_part;
use crate::dialects::{Check, openai_chat as chat};
use crate::input::Messages;
use crate::judge::Judge;
use crate::pairing::Pairing;
use crate::shape::{self, only};
use crate::turns::Turns;
use crate::{arguments, call};
use wirecanon_json::Value;
use wirecanon_model::rule;

const ROLES: &[&str] = &["system", "user", "assistant", "tool"];

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the messages of a chat request.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut turns = Turns::new(judge);
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        only(judge, message, fields(&role));
        turns.begin(judge, message, &role);
        if role == "assistant" {
            assistant(judge, &mut turns.pairing, message);
            continue;
        }
        if role == "tool" {
            turns.result(judge, message, "tool_call_id");
        }
        content(judge, message, &role);
    }
    turns.finish(judge, messages);
}

fn fields(role: &str) -> &'static [&'static str] {
    match role {
        "assistant" => &["role", "content", "tool_calls", "tool_plan", "citations"],
        "tool" => &["role", "tool_call_id", "content"],
        _ => &["role", "content"],
    }
}

/// Content that must stand.
fn content(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    if let Some(list) = shape::plain(judge, message) {
        shape::pieces(judge, list, role, part);
    }
}

fn part(judge: &mut Judge<'_>, piece: Value<'_>, kind: &str, role: &str) {
    match (kind, role) {
        ("text", _) => {
            only(judge, piece, &["type", "text"]);
            shape::text_block(judge, piece);
        }
        ("thinking", "assistant") => {
            only(judge, piece, &["type", "thinking"]);
            shape::text(judge, piece, "thinking");
        }
        ("document", "tool") => document(judge, piece),
        ("image_url", _) => {
            only(judge, piece, &["type", "image_url"]);
            if let Some(holder) = piece.get("image_url").filter(|holder| holder.is_object()) {
                only(judge, holder, &["url", "detail"]);
                let detail = holder.get("detail");
                if let Some(detail) =
                    detail.filter(|detail| !["auto", "low", "high"].iter().any(|known| detail.is_str(known)))
                {
                    judge.say(&rule::UNKNOWN_FIELD, detail, "the detail is neither `auto`, `low` nor `high`");
                }
            }
            openai_part::judge(judge, piece, kind, role);
        }
        ("thinking" | "document", _) => shape::misplaced(judge, piece, kind, role),
        _ => shape::unknown(judge, piece, kind),
    }
}

/// A document holds data, as an object or as its JSON text, and may have an id.
fn document(judge: &mut Judge<'_>, piece: Value<'_>) {
    only(judge, piece, &["type", "document"]);
    let document = piece.get("document").filter(|document| document.is_object());
    let data = document.and_then(|document| document.get("data")).filter(|data| data.is_object() || data.is_string());
    let Some((document, data)) = document.zip(data) else {
        judge.say(&rule::UNKNOWN_BLOCK, piece, "the document holds no data");
        return;
    };
    judge.keys(document);
    judge.keys(data);
    only(judge, document, &["data", "id"]);
    if let Some(id) = document.get("id").filter(|id| !id.is_string()) {
        judge.say(&rule::UNKNOWN_BLOCK, id, "the id of the document is no string");
    }
}

fn assistant<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>) {
    let some = |key: &str| message.get(key).filter(|value| !value.is_null());
    let (plan, calls) = (some("tool_plan"), some("tool_calls"));
    if let Some(plan) = plan.filter(|plan| !plan.is_string()) {
        judge.say(&rule::UNKNOWN_FIELD, plan, format!("the plan is {}", plan.kind().name()));
    }
    if let Some(sources) = some("citations").filter(|list| !list.is_array() || !list.items().all(Value::is_object)) {
        judge.say(&rule::UNKNOWN_FIELD, sources, "the citations are no list of objects");
    }
    let empty = |content: &Value<'_>| content.is_array() && content.items().next().is_none() && calls.is_some();
    if some("content").as_ref().is_some_and(empty) {
        // `[]` beside calls is no content.
    } else if let Some(content) = some("content") {
        if let Some(list) = shape::said(judge, content) {
            shape::pieces(judge, list, "assistant", part);
        }
    } else if calls.is_none() && plan.and_then(Value::as_str).is_none_or(|plan| plan.is_empty()) {
        let place = message.get("content").unwrap_or(message);
        judge.say(&rule::EMPTY_MESSAGE, place, "the turn has neither content, plan nor calls");
    }
    for item in chat::calls(judge, message) {
        tool_call(judge, pairing, item);
    }
}

fn tool_call<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, item: Value<'a>) {
    only(judge, item, &["id", "type", "function"]);
    if let Some(id) = call::call_id(judge, item, "id") {
        pairing.call(judge, item, id, None);
    }
    match item.get("type").map(|kind| kind.is_str("function")) {
        Some(true) => {}
        Some(false) => judge.say(&rule::UNKNOWN_BLOCK, item.get("type").unwrap_or(item), "no such type of call"),
        None => judge.say(&rule::FOREIGN_BLOCK_SHAPE, item, "the call has no type"),
    }
    let Some(function) = chat::called(judge, item, "function") else { return };
    only(judge, function, &["name", "arguments"]);
    call::call_name(judge, function, "name", false);
    arguments::string(judge, function, "arguments");
}
