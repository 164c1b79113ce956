//! The `metadata` of a stored part: a JSON text inside the row.

use std::borrow::Cow;

use crate::media;
use crate::read::call;
use crate::read::fields::Field;
use wirecanon_json::{Json, Limits, Value};

/// Types of original blocks that are calls.
pub(crate) const CALLS: &[&str] =
    &["toolCall", "tool_use", "tool-use", "toolUse", "functionCall", "function_call", "tool_call"];
/// Types of original blocks that are results.
pub(crate) const RESULTS: &[&str] = &["function_call_output", "toolResult", "tool_result"];

/// What the metadata of a part say.
#[derive(Default)]
pub(crate) struct Metadata {
    pub(crate) original_role: Option<String>,
    pub(crate) raw_type: Option<String>,
    pub(crate) call_id: Option<String>,
    pub(crate) tool_name: Option<String>,
    pub(crate) is_error: Option<bool>,
    /// The original block was cut off while it streamed
    pub(crate) unfinished: bool,
    pub(crate) raw: Option<Raw>,
}

/// The original block of a part.
#[derive(Default)]
pub(crate) struct Raw {
    pub(crate) kind: String,
    pub(crate) text: Option<String>,
    pub(crate) signature: Option<String>,
    pub(crate) redacted: bool,
    pub(crate) data: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) result_id: Option<String>,
    pub(crate) name: Option<String>,
    /// The exact JSON text of its arguments
    pub(crate) arguments: Option<String>,
    pub(crate) output: Option<String>,
    pub(crate) is_error: Option<bool>,
    /// Its exact JSON text
    pub(crate) json: String,
}

fn string(object: Value<'_>, keys: &[&str]) -> Option<String> {
    let found = keys.iter().find_map(|key| object.get(key)?.as_str().filter(|text| !text.is_empty()));
    found.map(Cow::into_owned)
}

fn boolean(object: Value<'_>, keys: &[&str]) -> Option<bool> {
    keys.iter().find_map(|key| object.get(key)?.as_bool())
}

/// The words of a value: its string, the texts of its blocks, else its JSON text.
fn words(value: Value<'_>) -> String {
    if let Some(text) = value.as_str() {
        return text.into_owned();
    }
    let is_text =
        |block: Value<'_>| block.get("type").is_some_and(|kind| kind.is_str("text")) && block.get("text").is_some();
    if value.is_array() && value.items().next().is_some() && value.items().all(is_text) {
        let texts: Vec<_> = value.items().filter_map(|block| block.get("text")?.as_str()).collect();
        return texts.join("\n");
    }
    wirecanon_json::mend_surrogates(value.raw()).into_owned()
}

/// The words of a result: its column, its text, its original block; `None` when there are none.
pub(crate) fn output<'a>(column: &Field<'a>, text: Option<Cow<'a, str>>, raw: Option<&Raw>) -> Option<Cow<'a, str>> {
    let stored = column.some().and_then(|stored| match stored.as_str() {
        Some(text) if text.is_empty() => None,
        Some(text) => Some(match Json::parse(&text, &Limits::default()) {
            Ok(json) => Cow::Owned(words(json.root())),
            Err(_) => text,
        }),
        None => Some(Cow::Borrowed(stored.raw())),
    });
    let found = stored.or(text).or_else(|| raw.and_then(|raw| raw.output.clone()).map(Cow::Owned));
    found.filter(|words| !words.is_empty())
}

impl Metadata {
    /// The type of the block that the row was made of, where it says so; empty where not.
    pub(crate) fn stored_type(&self) -> &str {
        self.raw_type.as_deref().or(self.raw.as_ref().map(|raw| &*raw.kind)).unwrap_or_default()
    }

    /// Those of a row; nothing where they are not the text of an object.
    pub(crate) fn of(row: Value<'_>) -> Self {
        let Some(column) = row.get("metadata") else { return Self::default() };
        let text = column.as_str().unwrap_or_else(|| Cow::Borrowed(column.raw()));
        let Ok(json) = Json::parse(&text, &Limits::default()) else { return Self::default() };
        let root = json.root();
        if !root.is_object() {
            return Self::default();
        }
        let raw = root.get("raw").filter(|raw| raw.is_object());
        Self {
            original_role: string(root, &["originalRole"]),
            raw_type: string(root, &["rawType"]),
            call_id: string(root, &["toolCallId"]),
            tool_name: string(root, &["toolName"]),
            is_error: boolean(root, &["isError"]),
            unfinished: raw.is_some_and(|raw| raw.members().any(|(key, value)| call::is_marker(key, value))),
            raw: raw.map(Raw::read),
        }
    }
}

impl Raw {
    fn read(raw: Value<'_>) -> Self {
        let source = raw.get("source").filter(|source| source.is_object()).unwrap_or(raw);
        let holder = raw.get("image_url");
        let mut url =
            holder.and_then(|holder| holder.as_str().or_else(|| holder.get("url")?.as_str())).map(Cow::into_owned);
        url = url.or_else(|| string(source, &["url"]));
        let mut data = source.get("data").and_then(Value::as_str).map(Cow::into_owned);
        let mut mime_type = string(source, &["mimeType", "media_type", "mime_type"]);
        if let Some(address) = url.as_deref().filter(|url| data.is_none() && media::is_data_url(url)) {
            let (mime, inner) = media::split_data_url(address);
            mime_type = mime.map(str::to_owned).or(mime_type);
            data = Some(inner.unwrap_or_default().to_owned());
            url = None;
        }
        let kind = string(raw, &["type"]).unwrap_or_default();
        let sealed = kind == "redacted_thinking";
        let signature = if sealed { string(raw, &["data"]) } else { string(raw, &["thinkingSignature", "signature"]) };
        let given = raw.get("arguments").or_else(|| raw.get("input")).filter(|given| !given.is_null());
        let output = raw.get("output").or_else(|| raw.get("content")).filter(|output| !output.is_null());
        Self {
            text: ["text", "thinking", "reasoning"].iter().find_map(|key| raw.get(key)?.as_str()).map(Cow::into_owned),
            signature: signature.filter(|signature| !signature.trim().is_empty()),
            redacted: sealed || raw.get("redacted").and_then(Value::as_bool) == Some(true),
            data,
            mime_type,
            url: url.filter(|url| !url.trim().is_empty()),
            id: string(raw, &["id", "call_id"]),
            result_id: string(raw, &["toolCallId", "tool_call_id", "tool_use_id", "call_id"]),
            name: string(raw, &["name", "toolName"]),
            arguments: given.map(|given| given.raw().to_owned()),
            output: output.map(words),
            is_error: boolean(raw, &["is_error", "isError"]),
            json: raw.raw().to_owned(),
            kind,
        }
    }

    /// Whether the block is rebuilt from the columns, and not taken as it is.
    pub(crate) fn is_tool(&self) -> bool {
        CALLS.contains(&&*self.kind) || RESULTS.contains(&&*self.kind)
    }
}
