//! The items of LangChain's content. It does not look into mappings of types that it does not know; media must show something.

use crate::judge::{Judge, blank};
use crate::media;
use crate::shape;
use wirecanon_json::Value;
use wirecanon_model::rule;

const CALLS: &[&str] = &[
    "toolCall",
    "tool_use",
    "toolUse",
    "tool-use",
    "functionCall",
    "function_call",
    "tool_call",
    "tool-call",
    "tool_call_chunk",
    "invalid_tool_call",
];

const FOREIGN: &[&str] = &[
    "input_text",
    "output_text",
    "input_image",
    "resource",
    "resource_link",
    "tool_result",
    "toolResult",
    "tool-result",
    "tool_result_error",
    "tool_use_result",
    "function_call_output",
    "function_call_result",
];

/// Whether an item says a call.
pub(crate) fn is_call(piece: Value<'_>) -> bool {
    let kind = piece.get("type").and_then(Value::as_str).unwrap_or_default();
    CALLS.contains(&&*kind) && piece.get("server_name").is_none()
}

/// Judges one item of the content of a message.
pub(crate) fn judge(judge: &mut Judge<'_>, piece: Value<'_>, kind: &str, speaker: &str) {
    let assistant = speaker == "assistant";
    match kind {
        "text" => shape::text_block(judge, piece),
        "text-plain" if speaker == "system" && plain(piece) => {}
        _ if FOREIGN.contains(&kind) => shape::unknown(judge, piece, kind),
        _ if speaker == "system" => shape::misplaced(judge, piece, kind, "system"),
        "input_json_delta" if assistant => {
            judge.say(&rule::STREAMING_MARKER, piece, "a piece of arguments is left from streaming");
        }
        "reasoning" | "thinking" | "redacted_thinking" if !assistant => shape::misplaced(judge, piece, kind, "human"),
        _ if is_call(piece) && !assistant && !matches!(kind, "tool_call_chunk" | "invalid_tool_call") => {
            shape::misplaced(judge, piece, kind, "human");
        }
        "image" => image(judge, piece, assistant),
        "media" if inline(piece).is_some_and(|kind| kind.starts_with("image/")) => image(judge, piece, assistant),
        "media" if inline(piece).is_some() => file(judge, piece, kind, speaker),
        "image_url" => image_url(judge, piece, assistant),
        "audio" | "video" | "file" | "text-plain" | "document" | "input_audio" => {
            file(judge, piece, kind, speaker);
        }
        _ => {}
    }
}

fn text<'a>(holder: Value<'a>, key: &str) -> Option<std::borrow::Cow<'a, str>> {
    holder.get(key).and_then(Value::as_str).filter(|text| !blank(text))
}

/// The type of media of Google's that hold their bytes.
fn inline(piece: Value<'_>) -> Option<std::borrow::Cow<'_, str>> {
    let kind = text(piece, "mime_type").or_else(|| text(piece, "mimeType"));
    kind.filter(|_| piece.get("data").is_some_and(Value::is_string))
}

fn plain(piece: Value<'_>) -> bool {
    text(piece, "text").is_some()
}

fn image(judge: &mut Judge<'_>, piece: Value<'_>, assistant: bool) {
    let nested = piece.get("source").filter(|source| source.is_object());
    let holder = nested.unwrap_or(piece);
    let data = holder.get("base64").or_else(|| holder.get("data"));
    if let Some(data) = data {
        let kind = match nested {
            Some(_) => holder.get("media_type"),
            // Python's spelling, or JavaScript's.
            None => holder.get("mime_type").filter(|kind| !kind.is_null()).or_else(|| holder.get("mimeType")),
        };
        if assistant {
            bytes(judge, data);
        } else {
            media::image(judge, holder, Some(data), kind, media::Look::Bytes);
        }
        return;
    }
    let address = text(holder, "url");
    if address.as_ref().is_some_and(|url| media::is_data_url(url)) && !assistant {
        judge.say(&rule::IMAGE_DATA_URL_PREFIX, piece, "a data URL stands where an address belongs");
    }
    if address.is_none() && !has_file_id(holder) {
        judge.say(&rule::IMAGE_WITHOUT_DATA, piece, "the picture has neither data, address nor file");
    }
}

/// Whether a block names a file that its provider has.
fn has_file_id(holder: Value<'_>) -> bool {
    let by_id = holder.get("source_type").is_some_and(|kind| kind.is_str("id"));
    text(holder, "file_id").is_some() || text(holder, "fileId").is_some() || (by_id && text(holder, "id").is_some())
}

fn bytes(judge: &mut Judge<'_>, data: Value<'_>) {
    let text = data.as_str().unwrap_or_default();
    if blank(&text) {
        judge.say(&rule::FILE_WITHOUT_DATA, data, "there is no data");
    } else if !matches!(media::base64(&text), media::Base64::Canonical(_)) {
        judge.say(&rule::FILE_DATA_NOT_BASE64, data, "the data is not base64 in its standard spelling");
    }
}

fn image_url(judge: &mut Judge<'_>, piece: Value<'_>, assistant: bool) {
    let holder = piece.get("image_url");
    let url = holder.and_then(|holder| if holder.is_string() { Some(holder) } else { holder.get("url") });
    match url.and_then(|url| Some((url, url.as_str().filter(|text| !blank(text))?))) {
        None => judge.say(&rule::IMAGE_WITHOUT_DATA, url.unwrap_or(piece), "the picture has neither data nor address"),
        Some((url, text)) if media::is_data_url(&text) && !assistant => media::data_url(judge, url, &text),
        Some(_) => {}
    }
}

/// A file by bytes, by address, or by its id; OpenAI's and Anthropic's forms too.
fn file(judge: &mut Judge<'_>, piece: Value<'_>, kind: &str, speaker: &str) {
    let mut held = ["source", "file", "input_audio"].iter().filter_map(|key| piece.get(key));
    let inner = held.find(|held| held.is_object()).unwrap_or(piece);
    let is_plain = kind == "text-plain" && !inner.get("base64").is_some_and(Value::is_string);
    let is_text = is_plain || inner.get("type").is_some_and(|kind| kind.is_str("text"));
    let data = ["base64", "data"].iter().find_map(|key| inner.get(key)).filter(|data| data.is_string() && !is_text);
    if let Some(data) = data {
        bytes(judge, data);
        let said = ["mime_type", "mimeType", "media_type"].iter().find_map(|key| text(inner, key));
        if let Some(said) = said.filter(|_| speaker == "user") {
            media::pdf(judge, data, &said, &data.as_str().unwrap_or_default());
        }
        return;
    }
    let known = ["url", "text", "data", "file_data", "content"].iter().any(|key| text(inner, key).is_some());
    if !known && !has_file_id(inner) && !inner.get("content").is_some_and(Value::is_array) {
        judge.say(&rule::FILE_WITHOUT_DATA, piece, "the file has neither data, address nor id");
    }
}
