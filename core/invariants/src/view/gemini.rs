//! Gemini contents, as the promises look at them.

use std::borrow::Cow;

use super::{Call, Content, Media, ToolResult, Turn};
use wirecanon_json::Value;

/// The turns of a document of contents.
pub(super) fn turns(root: Value<'_>) -> Vec<Turn<'_>> {
    let mut turns = Vec::new();
    for key in ["systemInstruction", "system_instruction"] {
        if let Some(system) = root.get(key) {
            turns.push(turn(system));
        }
    }
    let list = root.get("contents").unwrap_or(root);
    if list.is_array() {
        turns.extend(list.items().map(turn));
    } else {
        turns.push(turn(list));
    }
    turns
}

fn member<'a>(object: Value<'a>, camel: &str, snake: &str) -> Option<Value<'a>> {
    object.get(camel).or_else(|| object.get(snake)).filter(|value| !value.is_null())
}

fn turn(content: Value<'_>) -> Turn<'_> {
    let mut turn = Turn::default();
    for part in content.get("parts").into_iter().flat_map(Value::items) {
        turn.texts.extend(part.get("text").and_then(Value::as_str));
        turn.media.extend(media(part));
        if let Some(call) = member(part, "functionCall", "function_call") {
            turn.calls.push(Call {
                value: call,
                id: call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty()),
                name: call.get("name").and_then(Value::as_str),
                arguments: call.get("args"),
            });
        }
        let Some(result) = member(part, "functionResponse", "function_response") else { continue };
        let response = result.get("response");
        let said = response.and_then(|response| response.get("error").or_else(|| response.get("output")));
        let text = said.and_then(Value::as_str).or_else(|| response.map(|response| Cow::Borrowed(response.raw())));
        turn.results.push(ToolResult {
            id: result.get("id").and_then(Value::as_str).filter(|id| !id.is_empty()),
            texts: text.into_iter().collect(),
            is_error: Some(response.is_some_and(|response| response.get("error").is_some_and(|said| !said.is_null()))),
        });
        turn.media.extend(result.get("parts").into_iter().flat_map(Value::items).filter_map(media));
    }
    turn
}

fn media(part: Value<'_>) -> Option<Media<'_>> {
    if let Some(blob) = member(part, "inlineData", "inline_data") {
        let data = blob.get("data").and_then(Value::as_str);
        let content = data.map_or(Content::Nothing, |data| Content::Data(standard(data)));
        return Some(Media { value: part, content });
    }
    let file = member(part, "fileData", "file_data")?;
    let content = if member(file, "fileUri", "file_uri").is_some() { Content::Address } else { Content::Nothing };
    Some(Media { value: part, content })
}

/// Protobuf JSON takes base64 in either alphabet, padded or not.
fn standard(data: Cow<'_, str>) -> Cow<'_, str> {
    let mut new = data.replace('-', "+").replace('_', "/");
    if !new.contains('=') {
        new.extend(std::iter::repeat_n('=', (4 - new.len() % 4) % 4));
    }
    if *new == *data { data } else { Cow::Owned(new) }
}
