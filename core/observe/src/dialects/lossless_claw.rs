//! Stored messages of lossless-claw: a row for each message, with a row for each of its parts.
//!
//! The columns of a part count before the original block, which `metadata` holds as JSON text, except where the original block is
//! neither a call nor a result.

use std::borrow::Cow;

use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Content, Item, Media, MediaKind, Reasoning, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    ASSISTANT, SYSTEM, TOOL, USER, array, field, first, first_string, must_be_object, required, speaker, text_of,
};

const CALLS: [&str; 7] = ["toolCall", "tool_use", "tool-use", "toolUse", "functionCall", "function_call", "tool_call"];
const RESULTS: [&str; 3] = ["function_call_output", "toolResult", "tool_result"];

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    builder.calls_have_states();
    let document = Document::of_roles(root, None)?;
    if let Some(body) = document.body {
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        must_be_object(message, "a message")?;
        required(message, "role")?;
        let mut rows = array(message, "parts")?.map(Row::new).collect::<Read<Vec<_>>>()?;
        if rows.iter().all(|row| row.ordinal.is_some()) {
            rows.sort_by(|a, b| a.ordinal.unwrap_or_default().total_cmp(&b.ordinal.unwrap_or_default()));
        }
        let original = rows.iter().find_map(|row| row.original_role.clone());
        let speaker = match original.as_deref() {
            Some("toolResult") => Speaker::Tool,
            Some("user") => Speaker::User,
            Some("assistant") => Speaker::Assistant,
            Some("system") => Speaker::System,
            _ => speaker(message, &[USER, ASSISTANT, SYSTEM, TOOL])?,
        };
        if rows.is_empty() {
            let items = match field(message, "content") {
                Some(text) => vec![Item::text(text_of(text, "content")?, text)],
                None => Vec::new(),
            };
            builder.turn(speaker, message, items);
            continue;
        }
        if speaker != Speaker::Tool {
            let items = rows.iter().map(|row| row.item(speaker)).collect::<Read<_>>()?;
            builder.turn(speaker, message, items);
            continue;
        }
        // A row that names another call is a result of its own.
        let id = rows.iter().find_map(|row| row.call_id.clone());
        let is_other = |row: &Row<'_>| row.is_stored_result() && row.call_id.is_some() && row.call_id != id;
        let (others, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_other);
        if !rows.is_empty() {
            builder.result(result(&rows)?, message);
        }
        for row in others {
            let place = row.value;
            builder.result(result(&[row])?, place);
        }
    }
    Ok(())
}

/// The result that rows hold.
fn result<'a>(rows: &[Row<'a>]) -> Read<ToolResult<'a>> {
    let items = rows.iter().map(|row| row.item(Speaker::Tool)).collect::<Read<_>>()?;
    let result = ToolResult::new(rows.iter().find_map(|row| row.call_id.clone()), items);
    let result = result.named(rows.iter().find_map(|row| row.name.clone()));
    Ok(result.failed(Some(rows.iter().any(|row| row.is_error))))
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![Row::new(value)?.item(speaker)?])
}

/// One part of a stored message: its columns, and what its metadata say.
struct Row<'a> {
    value: Value<'a>,
    kind: Cow<'a, str>,
    ordinal: Option<f64>,
    text: Option<Cow<'a, str>>,
    call_id: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    input: Option<Cow<'a, str>>,
    output: Option<Cow<'a, str>>,
    original_role: Option<String>,
    raw_type: String,
    is_error: bool,
    raw: Option<Raw>,
}

/// The original block of a part.
struct Raw {
    kind: String,
    text: Option<String>,
    signature: Option<String>,
    is_redacted: bool,
    arguments: Option<String>,
    media: Option<(String, Option<String>)>,
    is_empty: bool,
}

impl Raw {
    /// Returns whether the block is a call or a result, which are rebuilt from the columns.
    fn is_tool(&self) -> bool {
        CALLS.contains(&&*self.kind) || RESULTS.contains(&&*self.kind)
    }
}

impl<'a> Row<'a> {
    fn new(value: Value<'a>) -> Read<Self> {
        must_be_object(value, "a part")?;
        let column = |keys: &[&str]| first_string(value, keys);
        let kind =
            column(&["part_type", "partType"])?.ok_or_else(|| Unreadable::new(value, "`part_type` is missing"))?;
        let mut row = Self {
            value,
            kind,
            ordinal: field(value, "ordinal").and_then(Value::as_f64),
            text: column(&["text_content", "textContent"])?,
            call_id: column(&["tool_call_id", "toolCallId"])?.filter(|id| !id.trim().is_empty()),
            name: column(&["tool_name", "toolName"])?.filter(|name| !name.trim().is_empty()),
            input: column(&["tool_input", "toolInput"])?,
            output: column(&["tool_output", "toolOutput"])?,
            original_role: None,
            raw_type: String::new(),
            is_error: false,
            raw: None,
        };
        if let Some(text) = field(value, "metadata").and_then(Value::as_str) {
            row.metadata(&text);
        }
        Ok(row)
    }

    /// Reads the metadata; what is no text, or no JSON, says nothing.
    fn metadata(&mut self, text: &str) {
        let Ok(json) = Json::parse(text, &Limits::default()) else { return };
        let root = json.root();
        let text_of_key = |holder: Value<'_>, keys: &[&str]| {
            let mut found = keys.iter().filter_map(|key| holder.get(key)?.as_str());
            found.find(|text| !text.trim().is_empty()).map(Cow::into_owned)
        };
        self.original_role = text_of_key(root, &["originalRole"]);
        self.is_error = field(root, "isError").and_then(Value::as_bool).unwrap_or(false);
        let raw = field(root, "raw").filter(|raw| raw.is_object());
        let kind = raw.and_then(|raw| text_of_key(raw, &["type"])).unwrap_or_default();
        self.raw_type = text_of_key(root, &["rawType"]).unwrap_or_else(|| kind.clone());
        if let Some(id) = text_of_key(root, &["toolCallId"]) {
            self.call_id.get_or_insert(Cow::Owned(id));
        }
        if let Some(name) = text_of_key(root, &["toolName"]) {
            self.name.get_or_insert(Cow::Owned(name));
        }
        let Some(raw) = raw else { return };
        let is_result = RESULTS.contains(&&*self.raw_type);
        let ids: &[&str] =
            if is_result { &["toolCallId", "tool_call_id", "tool_use_id", "call_id"] } else { &["id", "call_id"] };
        if let Some(id) = text_of_key(raw, ids) {
            self.call_id.get_or_insert(Cow::Owned(id));
        }
        if let Some(name) = text_of_key(raw, &["name", "toolName"]) {
            self.name.get_or_insert(Cow::Owned(name));
        }
        if let Some(flag) = first(raw, &["isError", "is_error"]).and_then(Value::as_bool) {
            self.is_error |= flag;
        }
        let arguments = first(raw, &["arguments", "input"])
            .map(|given| given.as_str().map_or_else(|| given.raw().to_owned(), Cow::into_owned));
        let source = field(raw, "source").filter(|source| source.is_object()).unwrap_or(raw);
        let address = || {
            let holder = field(raw, "image_url");
            holder
                .and_then(|holder| holder.as_str().or_else(|| holder.get("url")?.as_str()))
                .or_else(|| source.get("url")?.as_str())
        };
        let media = field(source, "data").and_then(Value::as_str).or_else(address).map(|data| {
            let media_type = ["mimeType", "media_type", "mime_type"].iter().find_map(|key| source.get(key)?.as_str());
            (data.into_owned(), media_type.map(Cow::into_owned))
        });
        let text = ["text", "thinking", "output", "content"].iter().find_map(|key| raw.get(key)?.as_str());
        self.raw = Some(Raw {
            kind,
            text: text.map(Cow::into_owned),
            signature: text_of_key(raw, &["thinkingSignature", "signature"]),
            is_redacted: field(raw, "redacted").and_then(Value::as_bool).unwrap_or(false),
            arguments,
            media,
            is_empty: raw.members().next().is_none(),
        });
    }

    /// Returns whether a row of a tool's message holds words of a result, and no other block.
    fn is_stored_result(&self) -> bool {
        (self.kind == "tool" || RESULTS.contains(&&*self.raw_type)) && self.raw.as_ref().is_none_or(Raw::is_tool)
    }

    fn item(&self, speaker: Speaker) -> Read<Item<'a>> {
        let kind = &*self.kind;
        let is_result = RESULTS.contains(&&*self.raw_type) || kind == "tool" && speaker == Speaker::Tool;
        let is_call = !is_result && (kind == "tool" || CALLS.contains(&&*self.raw_type));
        if is_call && speaker == Speaker::Assistant {
            let arguments = self.input.clone().or_else(|| Some(Cow::Owned(self.raw.as_ref()?.arguments.clone()?)));
            let name = self.name.clone().ok_or_else(|| Unreadable::new(self.value, "`tool_name` is missing"))?;
            let arguments = arguments.map_or(Arguments::Missing, Arguments::Text);
            return Ok(Item::call(self.call_id.clone(), name, arguments, self.value));
        }
        let original = self.raw.as_ref().map(|raw| (raw, &*raw.kind));
        if let Some((raw, "image" | "image_url" | "input_image")) = original
            && let Some((data, media_type)) = raw.media.clone()
        {
            let media = Media::url_or_base64(MediaKind::Image, Cow::Owned(data), media_type.map(Cow::Owned));
            return Ok(Item::media(media, self.value));
        }
        let original_text = self.raw.as_ref().filter(|_| !is_result).and_then(|raw| raw.text.clone()).map(Cow::Owned);
        // An original block is taken as it is, unless it is a call or a result.
        if let Some((raw, kind)) = original
            && raw.text.is_none()
            && !matches!(kind, "" | "thinking" | "reasoning" | "redacted_thinking")
            && !raw.is_tool()
        {
            let kind = Cow::Owned(kind.to_owned());
            return Ok(Item::provider(Dialect::LosslessClaw, kind, self.value, Vec::new()));
        }
        let output = || self.output.as_deref().filter(|_| is_result).map(stored_output);
        let text = original_text.or_else(output).or_else(|| self.text.clone());
        let text = text.or_else(|| self.output.clone());
        if kind == "reasoning" || matches!(original, Some((_, "thinking" | "reasoning"))) {
            let (signature, is_redacted) =
                self.raw.as_ref().map_or((None, false), |raw| (raw.signature.clone(), raw.is_redacted));
            let reasoning =
                Reasoning { text: text.unwrap_or_default(), signature: signature.map(Cow::Owned), is_redacted };
            return Ok(Item::new(Content::Reasoning(reasoning), self.value));
        }
        match (text, original) {
            (Some(text), _) => Ok(Item::text(text, self.value)),
            (None, Some((raw, kind))) if !raw.is_empty => {
                let kind = Cow::Owned(kind.to_owned());
                Ok(Item::provider(Dialect::LosslessClaw, kind, self.value, Vec::new()))
            }
            (None, _) if !is_result && kind != "tool" && kind != "text" => {
                Ok(Item::provider(Dialect::LosslessClaw, self.kind.clone(), self.value, Vec::new()))
            }
            (None, _) => Ok(Item::text(Cow::Borrowed(""), self.value)),
        }
    }
}

/// The words of a stored output, which is JSON where it can be read as such: a string, or the texts of blocks.
fn stored_output<'a>(output: &str) -> Cow<'a, str> {
    let Ok(json) = Json::parse(output, &Limits::default()) else { return Cow::Owned(output.to_owned()) };
    let root = json.root();
    let is_text = |block: &Value<'_>| field(*block, "type").is_some_and(|kind| kind.is_str("text"));
    let texts: Option<Vec<_>> =
        root.items().map(|block| Some(block).filter(is_text).and_then(|block| block.get("text")?.as_str())).collect();
    match (root.as_str(), texts) {
        (Some(text), _) => Cow::Owned(text.into_owned()),
        (None, Some(texts)) if !texts.is_empty() => Cow::Owned(texts.join("\n")),
        _ => Cow::Owned(output.to_owned()),
    }
}
