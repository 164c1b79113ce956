//! UI messages of the Vercel AI SDK. Source: npm:ai@6.0.326 `safeValidateUIMessages`, `convertToModelMessages`.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::dialects::{Check, ai_sdk_model, mcp_tool_result as mcp};
use crate::input::Messages;
use crate::judge::{Judge, filled};
use crate::media::{self, Look};
use crate::pairing::{Answer, Asks, Pairing};
use crate::shape;
use crate::turns::Turns;
use crate::typed::of_providers;
use crate::{arguments, call};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::Scope;

const ROLES: &[&str] = &["system", "user", "assistant"];

pub(super) static CHECK: Check = Check::Messages(judge);

fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    ai_sdk_model::instructions(judge, messages);
    let mut turns = Turns::asking(Asks { unique: Scope::Turn, ordered: false, named: false });
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        if !message.get("id").is_some_and(Value::is_string) {
            judge.say(&rule::MESSAGE_WITHOUT_ID, message.get("id").unwrap_or(message), "the message has no id");
        }
        let assistant = &*role == "assistant";
        turns.begin(judge, message, &role);
        let Some(list) = parts(judge, message) else { continue };
        if &*role == "user" {
            attachments(judge, message, list);
        }
        let (mut said, mut calls_in_last_step) = (0, false);
        for part in list.items() {
            let Some(kind) = shape::kind(judge, part) else { continue };
            metadata(judge, part);
            if &*kind == "step-start" {
                if assistant {
                    turns.pairing.turn(false);
                }
                calls_in_last_step = false;
                continue;
            }
            said += 1;
            calls_in_last_step |= kind.starts_with("tool-") || kind == "dynamic-tool";
            one(judge, &mut turns.pairing, part, &kind, &role);
        }
        if calls_in_last_step {
            turns.order.answered();
        }
        if said == 0 {
            judge.say(&rule::EMPTY_MESSAGE, list, "the message says nothing");
        }
    }
    turns.finish(judge, messages);
}

fn parts<'a>(judge: &mut Judge<'_>, message: Value<'a>) -> Option<Value<'a>> {
    match message.get("parts") {
        Some(parts) if parts.is_array() => Some(parts),
        Some(parts) if !parts.is_null() => {
            judge.say(&rule::CONTENT_NOT_A_LIST, parts, format!("`parts` is {}", parts.kind().name()));
            None
        }
        parts => {
            judge.say(&rule::CONTENT_MISSING, parts.unwrap_or(message), "there are no `parts`");
            None
        }
    }
}

/// What versions 3 and 4 sent beside the words. `convertToModelMessages` looks at parts alone.
fn attachments(judge: &mut Judge<'_>, message: Value<'_>, parts: Value<'_>) {
    let url = |item: Value<'_>| item.get("url").and_then(Value::as_str).map(Cow::into_owned);
    let known: HashSet<_> = parts.items().filter_map(url).collect();
    for item in message.get("experimental_attachments").into_iter().flat_map(Value::items) {
        if url(item).is_some_and(|url| !url.trim().is_empty() && !known.contains(&url)) {
            judge.say(&rule::FOREIGN_BLOCK_SHAPE, item, "an attachment is no part, and is not sent");
        }
    }
}

/// Fields of providers: an object of objects.
fn metadata(judge: &mut Judge<'_>, part: Value<'_>) {
    for key in ["providerMetadata", "callProviderMetadata", "resultProviderMetadata"] {
        let Some(value) = part.get(key) else { continue };
        judge.keys(value);
        if !of_providers(value) {
            judge.say(&rule::NATIVE_MALFORMED, value, format!("`{key}` holds an object of fields for each provider"));
        }
    }
}

fn one<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, part: Value<'a>, kind: &str, role: &str) {
    let assistant = role == "assistant";
    match kind {
        "text" => {
            shape::text(judge, part, "text");
        }
        "reasoning" if assistant => {
            shape::text(judge, part, "text");
        }
        "file" | "reasoning-file" if role != "system" => file(judge, part, role),
        "source-url" | "source-document" if role != "system" => {
            if !part.get("sourceId").is_some_and(Value::is_string) {
                judge.say(&rule::NATIVE_MALFORMED, part, "the source has no `sourceId`");
            } else if kind == "source-url" && !part.get("url").is_some_and(Value::is_string) {
                judge.say(&rule::NATIVE_MALFORMED, part, "the source has no `url`");
            } else if kind == "source-document"
                && (filled(part, "mediaType").is_none() || !part.get("title").is_some_and(Value::is_string))
            {
                judge.say(&rule::NATIVE_MALFORMED, part, "the document has no `mediaType` or no `title`");
            }
        }
        kind if kind.starts_with("data-") && role != "system" => {
            if part.get("data").is_none() {
                judge.say(&rule::NATIVE_MALFORMED, part, "the part has no `data`");
            }
        }
        "custom" if assistant => {}
        // With a state, the part is that of a tool called `call` or `result`.
        "tool-call" | "tool-result" if !part.get("state").is_some_and(Value::is_string) => {
            shape::unknown(judge, part, kind);
        }
        kind if kind == "dynamic-tool" || kind.starts_with("tool-") => {
            if assistant {
                tool(judge, pairing, part, kind);
            } else {
                shape::misplaced(judge, part, kind, role);
            }
        }
        "reasoning" | "file" | "custom" => shape::misplaced(judge, part, kind, role),
        _ => shape::unknown(judge, part, kind),
    }
}

fn file(judge: &mut Judge<'_>, part: Value<'_>, role: &str) {
    let kind = filled(part, "mediaType");
    if kind.is_none() {
        let words = "the file does not say what kind it is";
        judge.say(&rule::FILE_TYPE_MISSING, part.get("mediaType").unwrap_or(part), words);
    }
    let url = part.get("url");
    let text = url.and_then(Value::as_str).unwrap_or_default();
    let Some(url) = url.filter(|_| media::is_data_url(&text)) else {
        let address = text.split_once(':').is_some_and(|(_, rest)| !rest.trim().is_empty());
        if !address {
            judge.say(&rule::MEDIA_WITHOUT_ADDRESS, url.unwrap_or(part), "`url` is neither an address nor a data URL");
        }
        return;
    };
    let kind = kind.unwrap_or_default();
    if kind.starts_with("image/") {
        media::data_url(judge, url, &text);
        return;
    }
    let data = media::split_data_url(&text).map(|(_, data)| data).unwrap_or_default();
    if !matches!(media::base64(data), media::Base64::Canonical(_)) {
        judge.say(&rule::FILE_DATA_NOT_BASE64, url, "the data URL holds no base64 in its standard spelling");
    } else if role == "user" {
        media::pdf(judge, url, &kind, data);
    }
}

/// A call with what became of it.
fn tool<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, part: Value<'a>, kind: &str) {
    let state = part.get("state").and_then(Value::as_str).unwrap_or_default();
    let hosted = part.get("providerExecuted").and_then(Value::as_bool) == Some(true);
    let name = if kind == "dynamic-tool" {
        call::call_name(judge, part, "toolName", false)
    } else {
        let name = &kind["tool-".len()..];
        if name.trim().is_empty() {
            judge.say(&rule::TOOL_CALL_WITHOUT_NAME, part.get("type").unwrap_or(part), "the part names no tool");
        } else if name.trim().len() != name.len() {
            judge.say(&rule::TOOL_NAME_WHITE_SPACE, part.get("type").unwrap_or(part), "white space around the name");
        }
        None
    };
    let id = call::call_id(judge, part, "toolCallId");
    if state == "input-streaming" {
        judge.say(&rule::STREAMING_MARKER, part.get("state").unwrap_or(part), "the call is still coming in");
    } else if !hosted {
        arguments::object(judge, part, "input");
    }
    let missing = |key: &str| part.get(key).is_none();
    let wrong = match &*state {
        "input-streaming" => None,
        "input-available" => (!missing("output") || !missing("errorText")).then_some("a result"),
        "approval-requested" | "approval-responded" | "output-denied"
            if !missing("output") || !missing("errorText") =>
        {
            Some("a result")
        }
        "approval-requested" => missing("approval").then_some("no `approval`"),
        "approval-responded" | "output-denied" => {
            let said = part.get("approval").and_then(|approval| approval.get("approved")).and_then(Value::as_bool);
            said.is_none().then_some("no answer in its `approval`")
        }
        "output-available" if missing("output") => Some("no `output`"),
        "output-available" => (!missing("errorText")).then_some("an error"),
        "output-error" => {
            let text = part.get("errorText").is_some_and(Value::is_string);
            (!text || !missing("output")).then_some("no `errorText` alone")
        }
        _ => Some("no state that there is"),
    };
    let known = wrong != Some("no state that there is");
    if let Some(wrong) = wrong {
        let words = format!("a tool part in state `{state}` has {wrong}");
        judge.say(&rule::TOOL_PART_WITHOUT_STATE, part.get("state").unwrap_or(part), words);
    }
    if let Some(output) = part.get("output") {
        let blocks = output.get("content").filter(|list| {
            list.is_array() && list.items().all(|block| block.get("type").is_some_and(Value::is_string))
        });
        for picture in blocks.into_iter().flat_map(Value::items) {
            if picture.get("type").is_some_and(|kind| kind.is_str("image")) {
                media::image(judge, picture, picture.get("data"), picture.get("mimeType"), Look::Spelling);
            } else if let Some(kind) = picture.get("type").and_then(Value::as_str) {
                mcp::block(judge, picture, &kind);
            }
        }
    }
    let waits = matches!(&*state, "approval-requested" | "approval-responded");
    let Some(id) = id.filter(|_| known && !hosted && !waits) else { return };
    let answer = Answer { place: part, id: id.1.clone(), name: None };
    pairing.call(judge, part, id, name);
    if state.starts_with("output-") {
        pairing.result(judge, answer);
    }
}
