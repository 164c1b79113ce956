//! Reading a function response: a tool result.
//!
//! By the reference of `FunctionResponse.response`, `output` holds what the tool gave and `error` what went wrong; without
//! either, the whole object is the output.

use std::borrow::Cow;

use crate::dialects::anthropic_messages::read::refuse_unknown as refuse_members;
use crate::dialects::gemini_contents::part::{media_block, read_blob};
use crate::dialects::gemini_contents::read::{refuse_unknown, tell_odd_id};
use crate::media;
use crate::read::block::one_or_all;
use crate::read::fields::{CALL_IDS, RESULT_NAMES, scan};
use crate::read::file_block::{is_no_pdf, no_pdf};
use crate::read::reader::Reader;
use wirecanon_json::{Kind, Value};
use wirecanon_model::transcript::{Block, BlockKind, Message, ResultHead, Role};
use wirecanon_model::{rule, text};

/// Reads the result in `response`, of the part `item`; `None` when it is no object.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, response: Value<'a>) -> Option<Message<'a>> {
    if !response.is_object() {
        return None;
    }
    let mut message = cx.message(Role::ToolResult, Vec::new());
    message.source = Some(item.index());
    let about = message.id;
    let scan = scan(
        response,
        [("id", CALL_IDS), ("name", RESULT_NAMES), ("response", &["output", "content", "result"]), ("parts", &[])],
    );
    let [id, name, said, parts] = scan.fields;
    cx.duplicate(scan.duplicate, item, about);
    cx.aliases([(&id, "id"), (&name, "name"), (&said, "response")], item, about);
    tell_odd_id(cx, &id, item, about);
    let call_id = cx.call_id(&id, item, about);
    let tool_name = cx.tool_name(&name, item, about);
    let mut others = scan.others;
    refuse_unknown(cx, item, &mut others, about, &["willContinue", "will_continue", "scheduling"]);
    others.retain(|(_, value)| !value.is_null());
    let mut is_error = false;
    let first = said_by(cx, item, said.value, about, &mut is_error);
    message.blocks.push(first);
    read_parts(cx, item, parts.some(), &mut message);
    // The API's own fields of the response stand in it, not beside it in the part.
    if !others.is_empty() {
        let members = others.iter().map(|(key, value)| {
            (format!("functionResponse.{}", key.as_str().unwrap_or_default()).into(), value.raw().into())
        });
        message.native.get_or_insert_default().add_all(cx.dialect.name(), members);
    }
    let media = message.blocks[1..].iter().any(|block| !block.is_text());
    if media && is_empty(&message.blocks[0]) {
        // Pictures alone say what the tool gave.
        let native = message.blocks[0].native.take();
        message.blocks.remove(0);
        if let Some(native) = native {
            let key = "functionResponse.response";
            for (_, raw) in native.of(cx.dialect.name()).to_vec() {
                message.native.get_or_insert_default().add(cx.dialect.name(), key, raw);
            }
        }
    }
    message.result = Some(Box::new(ResultHead { call_id, tool_name, is_error, synthetic: false }));
    Some(message)
}

fn is_empty(block: &Block<'_>) -> bool {
    block.as_text().is_some_and(|words| words == text::NO_OUTPUT)
}

/// The text that the response stands for; the response itself goes along for its own dialect.
fn said_by<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    response: Option<Value<'a>>,
    about: u32,
    is_error: &mut bool,
) -> Block<'a> {
    let at = response.unwrap_or(item);
    let Some(response) = response.filter(|response| !response.is_null()) else {
        let block = cx.block(BlockKind::Text(text::NO_OUTPUT.into()), at);
        let what = format!("the result has no response; `{}` says so", text::NO_OUTPUT);
        cx.mend(&rule::EMPTY_TOOL_RESULT, at, about, what);
        return Block { source: None, dirty: true, ..block };
    };
    if !response.is_object() {
        let what = format!("{} in place of the response was put under `output`", response.kind().name());
        cx.mend(&rule::RESPONSE_NOT_AN_OBJECT, response, about, what);
        let mut block = cx.block(BlockKind::Text(words_of(response).into()), response);
        block.dirty = true;
        block.native.get_or_insert_default().add(
            cx.dialect.name(),
            "response",
            format!("{{\"output\":{}}}", response.raw()),
        );
        return block;
    }
    let failed = response.get("error").filter(|error| {
        !matches!(error.raw(), "null" | "false" | "0") && error.as_str().is_none_or(|text| !text.is_empty())
    });
    *is_error = failed.is_some();
    let mut members = response.members();
    let alone = match (members.next(), members.next()) {
        (Some((key, value)), None) if key.is_str("output") || (key.is_str("error") && *is_error) => Some(value),
        _ => None,
    };
    let words = match alone {
        Some(value) => words_of(value),
        None if response.members().next().is_none() => Cow::Borrowed(text::NO_OUTPUT),
        None => wirecanon_json::mend_surrogates(response.raw()),
    };
    let words = if words.trim().is_empty() { Cow::Borrowed(text::NO_OUTPUT) } else { words };
    let mut block = cx.stand_in(words, response);
    block.native.get_or_insert_default().add(cx.dialect.name(), "response", response.raw());
    block
}

/// A value as words: a string is its own, all else its JSON text.
fn words_of(value: Value<'_>) -> Cow<'_, str> {
    match value.kind() {
        Kind::String => value.as_str().unwrap_or_default(),
        Kind::Null => Cow::Borrowed(""),
        _ => wirecanon_json::mend_surrogates(value.raw()),
    }
}

/// What a part of a result holds.
const PART_KEYS: [&str; 4] = ["inlineData", "inline_data", "fileData", "file_data"];

/// What may stand beside it (google-genai 3.4.0, `FunctionResponsePart`).
const PART_BESIDE: [&str; 12] = [
    "mediaProcessing",
    "media_processing",
    "mediaResolution",
    "media_resolution",
    "videoMetadata",
    "video_metadata",
    "documentMetadata",
    "document_metadata",
    "spreadsheetMetadata",
    "spreadsheet_metadata",
    "audioMetadata",
    "audio_metadata",
];

/// Whether a member of this name may stand in a part which holds this: the same under its other spelling may not.
fn is_of_part(part: Value<'_>, held: Option<Value<'_>>, key: &str) -> bool {
    let says_nothing = || {
        let value = part.get(key);
        value.is_none_or(Value::is_null) || value.map(Value::index) == held.map(Value::index)
    };
    PART_BESIDE.contains(&key) || (PART_KEYS.contains(&key) && says_nothing())
}

/// Media beside the response (Gemini 3 and later). What canonical results cannot hold is shown as text.
fn read_parts<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, parts: Option<Value<'a>>, message: &mut Message<'a>) {
    let Some(parts) = parts else { return };
    if !parts.is_array() && !parts.is_object() {
        cx.lose(&rule::CONTENT_NOT_A_LIST, item, message.id, "`parts` of a result is no list; left out");
        return;
    }
    for part in one_or_all(cx, parts, message.id) {
        let blob = part.get("inlineData").or_else(|| part.get("inline_data")).filter(|blob| blob.is_object());
        let file = part.get("fileData").or_else(|| part.get("file_data")).filter(|file| file.is_object());
        let block = match (blob, file) {
            (Some(blob), None) => bytes(cx, part, blob, message.id),
            (None, Some(file)) => {
                let uri = file.get("fileUri").or_else(|| file.get("file_uri")).and_then(Value::as_str);
                uri.filter(|uri| !uri.trim().is_empty()).map(|uri| stand_in(cx, part, uri))
            }
            _ => None,
        };
        match block {
            Some(mut block) => {
                let mut members: Vec<_> = part.members().collect();
                let may_stand = |key: &str| is_of_part(part, blob.or(file), key);
                if refuse_members(cx, part, &mut members, Some(block.id), may_stand) && block.projected {
                    block.native = cx.native(&members);
                }
                let beside = |key: Value<'_>| PART_BESIDE.iter().any(|known| key.is_str(known));
                for (key, value) in members.iter().filter(|(key, _)| !block.projected && beside(*key)) {
                    let native = block.native.get_or_insert_default();
                    native.add(cx.dialect.name(), key.as_str().unwrap_or_default(), value.raw());
                }
                message.blocks.push(block);
            }
            None => {
                let block =
                    cx.as_json(part, &rule::UNKNOWN_BLOCK, "what a result cannot hold was kept as its JSON text");
                message.blocks.push(block);
            }
        }
    }
}

fn bytes<'a>(cx: &mut Reader<'a, '_>, part: Value<'a>, blob: Value<'a>, whole: u32) -> Option<Block<'a>> {
    let (about, marks) = (cx.id(), cx.marks());
    let read = read_blob(cx, blob, about);
    let odd = cx.marks() > marks;
    if odd {
        cx.mark(whole);
    }
    let mime = read.mime_type.clone().unwrap_or_default();
    if mime.trim().is_empty() || media::is_picture(Some(&mime), read.data.as_deref().unwrap_or_default()) {
        let mut block = media_block(cx, part, read);
        block.dirty |= odd;
        return Some(block);
    }
    let data = read.data.as_deref().and_then(crate::dialects::gemini_contents::part::standard)?;
    if data.is_empty() || odd {
        return None;
    }
    if is_no_pdf(&mime, &data) {
        let name = read.name.as_ref().map(|(_, name)| &**name);
        return Some(no_pdf(cx, part, text::file_left_out(name, &mime)));
    }
    let words = if mime.starts_with("audio/") { format!("[audio {mime}]") } else { format!("[resource {mime}]") };
    Some(stand_in(cx, part, words.into()))
}

/// A text in place of what only this dialect's results can hold, and the whole part for the way back.
fn stand_in<'a>(cx: &mut Reader<'a, '_>, part: Value<'a>, words: Cow<'a, str>) -> Block<'a> {
    let mut block = cx.stand_in(words, part);
    block.native = cx.native_whole(part);
    block
}
