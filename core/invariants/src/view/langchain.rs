//! What a message of LangChain says.

use super::{Call, Content, Media, ToolResult, Turn, address, data};
use wirecanon_json::Value;

pub(super) fn turn(message: Value<'_>) -> Turn<'_> {
    let inner = ["data", "kwargs"].iter().find_map(|key| message.get(key)).filter(|inner| inner.is_object());
    let holder = inner.unwrap_or(message);
    let mut turn = Turn::default();
    let mut texts = Vec::new();
    if let Some(content) = holder.get("content") {
        texts.extend(content.as_str());
        for item in content.items() {
            block(item, &mut turn, &mut texts);
        }
    }
    if let Some(id) = holder.get("tool_call_id") {
        let is_error = holder.get("status").is_some_and(|status| status.is_str("error"));
        turn.results.push(ToolResult { id: id.as_str(), texts, is_error: Some(is_error) });
    } else {
        turn.texts = texts;
    }
    turn.calls.extend(holder.get("tool_calls").into_iter().flat_map(Value::items).map(|value| Call {
        value,
        id: value.get("id").and_then(Value::as_str),
        name: value.get("name").and_then(Value::as_str),
        arguments: value.get("args"),
    }));
    turn
}

fn block<'a>(item: Value<'a>, turn: &mut Turn<'a>, texts: &mut Vec<std::borrow::Cow<'a, str>>) {
    if let Some(text) = item.as_str() {
        texts.push(text);
        return;
    }
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    match &*kind {
        "text" | "reasoning" | "thinking" | "refusal" => texts.extend(item.get(&kind).and_then(Value::as_str)),
        "text-plain" => texts.extend(item.get("text").and_then(Value::as_str)),
        "image_url" => {
            let holder = item.get("image_url");
            let url = holder.and_then(|holder| holder.as_str().or_else(|| holder.get("url")?.as_str()));
            turn.media.push(Media { value: item, content: url.map_or(Content::Nothing, |url| address(&url)) });
        }
        "media" if item.get("data").is_some_and(Value::is_string) => {
            turn.media.push(Media { value: item, content: data(Some(item), "data") });
        }
        "image" | "audio" | "video" | "file" => {
            let inner = item.get(if kind == "file" { "file" } else { "source" }).filter(|inner| inner.is_object());
            let inner = inner.unwrap_or(item);
            let bytes = ["base64", "data"].iter().find(|key| inner.get(key).is_some_and(Value::is_string));
            let content = match bytes {
                Some(key) if !inner.get("type").is_some_and(|kind| kind.is_str("text")) => data(Some(inner), key),
                Some(_) => Content::Address,
                None if inner.members().any(|(key, value)| {
                    ["url", "file_id", "id", "file_data", "content"].iter().any(|name| key.is_str(name))
                        && !value.is_null()
                }) =>
                {
                    Content::Address
                }
                None => Content::Nothing,
            };
            turn.media.push(Media { value: item, content });
        }
        _ => {}
    }
}
