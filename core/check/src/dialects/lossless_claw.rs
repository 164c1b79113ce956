//! `lossless-claw`: stored messages with their parts, as the program's assembler rebuilds them without a loss.

use std::borrow::Cow;

use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::{Judge, blank};
use crate::pairing::{Answer, Pairing};
use crate::shape;
use crate::turns::Turns;
use crate::{arguments, call, media};
use wirecanon_json::{Json, Value};
use wirecanon_model::rule;

const ROLES: &[&str] = &["system", "user", "assistant", "tool"];
const CALLS: &[&str] = &["toolCall", "tool_use", "tool-use", "toolUse", "functionCall", "function_call", "tool_call"];
const RESULTS: &[&str] = &["function_call_output", "toolResult", "tool_result"];

/// A row, with its metadata opened.
struct Row<'a> {
    value: Value<'a>,
    metadata: Option<String>,
}

impl<'a> Row<'a> {
    fn new(value: Value<'a>) -> Self {
        Self { value, metadata: value.get("metadata").and_then(Value::as_str).map(Cow::into_owned) }
    }

    /// A column, under its name in the table or in the program.
    fn column(&self, snake: &str, camel: &str) -> Option<Value<'a>> {
        [snake, camel].iter().find_map(|key| self.value.get(key).filter(|value| !value.is_null()))
    }

    fn text(&self, snake: &str, camel: &str) -> Option<Cow<'a, str>> {
        self.column(snake, camel)?.as_str().filter(|text| !blank(text))
    }

    /// The name under which a column stands.
    fn key(&self, snake: &'static str, camel: &'static str) -> &'static str {
        if self.value.get(snake).is_some_and(|value| !value.is_null()) { snake } else { camel }
    }

    /// Looks into the metadata.
    fn with<T>(&self, judge: &Judge<'_>, look: impl FnOnce(Value<'_>) -> Option<T>) -> Option<T> {
        let json = Json::parse(self.metadata.as_deref()?, &judge.limits).ok()?;
        look(json.root())
    }

    fn said(&self, judge: &Judge<'_>, key: &str) -> Option<String> {
        self.with(judge, |root| root.get(key)?.as_str().filter(|text| !blank(text)).map(Cow::into_owned))
    }

    fn original(&self, judge: &Judge<'_>, keys: &[&str]) -> Option<String> {
        self.with(judge, |root| {
            let raw = root.get("raw").filter(|raw| raw.is_object())?;
            keys.iter().find_map(|key| raw.get(key)?.as_str().filter(|text| !blank(text)).map(Cow::into_owned))
        })
    }

    fn has_original(&self, judge: &Judge<'_>) -> bool {
        self.with(judge, |root| root.get("raw").filter(|raw| raw.is_object()).map(|_| ())).is_some()
    }
}

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the messages of a store.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut turns = Turns::new(judge);
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        let parts = message.get("parts").filter(|parts| !parts.is_null());
        if let Some(parts) = parts.filter(|parts| !parts.is_array()) {
            judge.say(&rule::CONTENT_NOT_A_LIST, parts, format!("`parts` is {}", parts.kind().name()));
        }
        let mut rows: Vec<_> = parts.into_iter().flat_map(Value::items).map(Row::new).collect();
        let ordinal = |row: &Row<'_>| row.value.get("ordinal").and_then(Value::as_f64);
        if rows.iter().all(|row| ordinal(row).is_some()) {
            rows.sort_by(|a, b| ordinal(a).unwrap_or_default().total_cmp(&ordinal(b).unwrap_or_default()));
        }
        let original = rows.iter().find_map(|row| row.said(judge, "originalRole"));
        let role = match original.as_deref() {
            Some("toolResult") => "tool",
            Some(known @ ("assistant" | "user" | "system")) => known,
            _ => &*role,
        };
        turns.order.message(judge, message, role == "assistant");
        if role == "assistant" {
            turns.pairing.turn(false);
        } else if role != "tool" {
            turns.pairing.other();
        }
        if rows.is_empty() {
            text_alone(judge, message, role);
            continue;
        }
        let mut outputs = Vec::new();
        for row in &rows {
            if part(judge, &mut turns.pairing, row, role) {
                outputs.push(row);
            }
        }
        if role == "tool" {
            answer(judge, &mut turns.pairing, message, &rows, &outputs);
        }
    }
    turns.finish(judge, messages);
}

/// A message of before there were parts.
fn text_alone(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    if role == "tool" {
        judge.say(&rule::TOOL_RESULT_WITHOUT_ID, message, "a result without parts names no call");
        return;
    }
    if let Some(list) = shape::blocks(judge, message, true) {
        judge.say(&rule::CONTENT_NOT_A_LIST, list, "the text of a stored message is a string");
    }
}

/// The call that a stored result answers: the first row that names one.
fn answer<'a>(
    judge: &mut Judge<'_>,
    pairing: &mut Pairing<'a>,
    message: Value<'a>,
    rows: &[Row<'a>],
    outputs: &[&Row<'a>],
) {
    const IDS: &[&str] = &["toolCallId", "tool_call_id", "tool_use_id", "call_id"];
    let id = rows.iter().find_map(|row| {
        row.text("tool_call_id", "toolCallId")
            .or_else(|| row.said(judge, "toolCallId").map(Cow::Owned))
            .or_else(|| row.original(judge, IDS).map(Cow::Owned))
    });
    let Some(id) = id else {
        judge.say(&rule::TOOL_RESULT_WITHOUT_ID, message, "the result names no call");
        return;
    };
    let first = id.clone();
    let (_, id) = call::trimmed(judge, (message, id));
    pairing.result(judge, Answer { place: message, id, name: None });
    // A stored output that names another call is a result of its own.
    for row in outputs {
        let other = row.text("tool_call_id", "toolCallId").filter(|other| *other != first);
        if let Some(other) = other {
            let (_, id) = call::trimmed(judge, (row.value, other));
            pairing.result(judge, Answer { place: row.value, id, name: None });
        }
    }
}

/// Judges a row. Returns whether it is rebuilt as an output.
fn part<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, row: &Row<'a>, role: &str) -> bool {
    let value = row.value;
    if !shape::object(judge, value, &rule::UNKNOWN_BLOCK, "a part") {
        return false;
    }
    let Some(kind) = row.column("part_type", "partType").and_then(Value::as_str) else {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, value, "a part has no `part_type`");
        return false;
    };
    if let Some(metadata) = row.value.get("metadata").filter(|metadata| metadata.is_object()) {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, metadata, "the metadata are an object, not its JSON text");
    }
    if let Some(output) = row.column("tool_output", "toolOutput").filter(|output| !output.is_string()) {
        judge.say(&rule::MEMBER_OF_WRONG_TYPE, output, format!("the output is {}", output.kind().name()));
    }
    let original = row.original(judge, &["type"]);
    let input = row.column("tool_input", "toolInput").filter(|input| !input.is_string());
    let raw_type = row.said(judge, "rawType").or_else(|| original.clone()).unwrap_or_default();
    let rebuilt = original.as_ref().is_none_or(|kind| CALLS.contains(&&**kind) || RESULTS.contains(&&**kind));
    let tool = kind == "tool";
    let as_it_was = row.has_original(judge) && (!rebuilt || original.is_none());
    let is_call = !RESULTS.contains(&&*raw_type) && (CALLS.contains(&&*raw_type) || (tool && role != "tool"));
    if let Some(input) = input.filter(|_| as_it_was || !is_call) {
        judge.say(&rule::MEMBER_OF_WRONG_TYPE, input, format!("the input is {}", input.kind().name()));
    }
    if as_it_was {
        if matches!(original.as_deref(), Some("image" | "image_url")) {
            picture(judge, row, role);
        }
        return false;
    }
    let is_output = RESULTS.contains(&&*raw_type) || (tool && role == "tool");
    if is_output {
        let marked =
            row.said(judge, "originalRole").as_deref() == Some("toolResult") || raw_type == "function_call_output";
        if !marked {
            judge.say(&rule::STORED_RESULT_AS_CALL, value, "the result is rebuilt as a call");
        } else if role != "tool" {
            shape::misplaced(judge, value, "tool_result", role);
        }
    } else if tool || CALLS.contains(&&*raw_type) {
        if role == "assistant" { tool_call(judge, pairing, row) } else { shape::misplaced(judge, value, "tool", role) }
    }
    is_output
}

fn tool_call<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, row: &Row<'a>) {
    let value = row.value;
    let name = row.text("tool_name", "toolName").or_else(|| row.original(judge, &["name", "toolName"]).map(Cow::Owned));
    match &name {
        None => judge.say(&rule::TOOL_CALL_WITHOUT_NAME, value, "the call names no tool"),
        Some(name) if name.trim().len() != name.len() => {
            judge.say(&rule::TOOL_NAME_WHITE_SPACE, value, "the name has white space around it");
        }
        Some(_) => {}
    }
    let id = row.text("tool_call_id", "toolCallId").or_else(|| row.original(judge, &["id", "call_id"]).map(Cow::Owned));
    match id {
        None => judge.say(&rule::TOOL_CALL_WITHOUT_ID, value, "the call has no id"),
        Some(id) => {
            let id = call::trimmed(judge, (value, id));
            pairing.call(judge, value, id, name);
        }
    }
    if row.column("tool_input", "toolInput").is_some() {
        arguments::string(judge, value, row.key("tool_input", "toolInput"));
        return;
    }
    let given = row.with(judge, |root| {
        let raw = root.get("raw").filter(|raw| raw.is_object())?;
        let given = raw.get("arguments").or_else(|| raw.get("input")).filter(|given| !given.is_null())?;
        let object = |text: &str| Json::parse(text, &judge.limits).is_ok_and(|json| json.root().is_object());
        Some(given.is_object() || given.as_str().is_some_and(|text| object(&text)))
    });
    match given {
        Some(true) => {}
        Some(false) => {
            judge.say(&rule::TOOL_CALL_ARGUMENTS_INVALID, value, "the original block has no object of arguments");
        }
        None => judge.say(&rule::TOOL_CALL_ARGUMENTS_MISSING, value, "the call has no arguments"),
    }
    let streaming =
        row.with(judge, |root| root.get("raw")?.get("partialJson").filter(|left| !left.is_null()).map(|_| ()));
    if streaming.is_some() {
        judge.say(&rule::STREAMING_MARKER, value, "the original block was cut off while it streamed");
    }
}

/// A picture in its original block, which is taken as it is.
fn picture(judge: &mut Judge<'_>, row: &Row<'_>, role: &str) {
    let found = row.with(judge, |root| {
        let raw = root.get("raw")?;
        let source = raw.get("source").filter(|source| source.is_object()).unwrap_or(raw);
        let holder = raw.get("image_url");
        let url = holder.and_then(|holder| holder.as_str().or_else(|| holder.get("url")?.as_str()));
        let url = url.or_else(|| source.get("url")?.as_str()).map(Cow::into_owned);
        let mime = ["mimeType", "media_type", "mime_type"]
            .iter()
            .find_map(|key| source.get(key)?.as_str().map(Cow::into_owned));
        Some((source.get("data").and_then(Value::as_str).map(Cow::into_owned), mime, url))
    });
    let Some((mut data, mut mime, url)) = found else { return };
    if data.is_none()
        && let Some(url) = url.filter(|url| !blank(url))
    {
        if !media::is_data_url(&url) {
            return;
        }
        let (kind, inner) = media::split_data_url(&url).unwrap_or_default();
        (mime, data) = (Some(kind.to_owned()), Some(inner.to_owned()));
    }
    let data = data.unwrap_or_default();
    let (rule, words) = match media::base64(&data) {
        _ if blank(&data) => (&rule::IMAGE_WITHOUT_DATA, "the picture has no data"),
        media::Base64::Canonical(_) if role == "assistant" => return,
        media::Base64::Canonical(head) => match media::picture(&head) {
            None => (&rule::IMAGE_NOT_AN_IMAGE, "the bytes are no picture"),
            Some(names) if mime.as_deref().is_some_and(|mime| names.contains(&mime)) => return,
            Some(_) if mime.as_deref().is_none_or(blank) => {
                (&rule::IMAGE_TYPE_MISSING, "the picture does not say what kind it is")
            }
            Some(_) => (&rule::IMAGE_TYPE_MISMATCH, "the bytes are another kind of picture"),
        },
        other => match other.fault() {
            Some(fault) => fault,
            None => return,
        },
    };
    judge.say(rule, row.value, words);
}
