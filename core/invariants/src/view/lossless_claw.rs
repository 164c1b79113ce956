//! What a stored message of `lossless-claw` says.

use std::borrow::Cow;

use super::{Call, Content, Media, ToolResult, Turn};
use wirecanon_json::{Json, Limits, Value};

const RESULTS: &[&str] = &["function_call_output", "toolResult", "tool_result"];
const CALLS: &[&str] = &["toolCall", "tool_use", "tool-use", "toolUse", "functionCall", "function_call", "tool_call"];

pub(super) fn turn(message: Value<'_>) -> Turn<'_> {
    let mut turn = Turn::default();
    let rows: Vec<_> = message.get("parts").into_iter().flat_map(Value::items).collect();
    let is_result = message.get("role").is_some_and(|role| role.is_str("tool"));
    let mut result = ToolResult { is_error: Some(false), ..ToolResult::default() };
    if rows.is_empty() {
        let texts = if is_result { &mut result.texts } else { &mut turn.texts };
        texts.extend(message.get("content").and_then(Value::as_str));
    }
    for row in rows {
        let column = |snake: &str, camel: &str| {
            [snake, camel].iter().find_map(|key| row.get(key).filter(|value| !value.is_null()))
        };
        let text = |snake: &str, camel: &str| column(snake, camel).and_then(Value::as_str);
        let metadata = row.get("metadata").and_then(Value::as_str).unwrap_or_default();
        let metadata = Json::parse(&metadata, &Limits::default()).ok();
        let root = metadata.as_ref().map(Json::root);
        let raw = root.and_then(|root| root.get("raw")).filter(|raw| raw.is_object());
        let kind = raw
            .and_then(|raw| raw.get("type"))
            .or_else(|| root?.get("rawType"))
            .and_then(Value::as_str)
            .unwrap_or_default();
        let tool = CALLS.contains(&&*kind) || RESULTS.contains(&&*kind);
        let texts = if is_result { &mut result.texts } else { &mut turn.texts };
        if is_result {
            result.id = result.id.take().or_else(|| text("tool_call_id", "toolCallId"));
            result.is_error = root.and_then(|root| root.get("isError")).and_then(Value::as_bool).or(result.is_error);
        }
        match raw.filter(|_| !tool) {
            Some(raw) if kind == "image" => turn.media.push(Media { value: row, content: picture(raw) }),
            Some(raw) => {
                let words = ["text", "thinking"].iter().find_map(|key| raw.get(key)?.as_str());
                texts.extend(words.map(|words| Cow::Owned(words.into_owned())));
            }
            None if is_result => {
                texts.extend(text("tool_output", "toolOutput").or_else(|| text("text_content", "textContent")));
            }
            None if tool || column("part_type", "partType").is_some_and(|kind| kind.is_str("tool")) => {
                turn.calls.push(Call {
                    value: row,
                    id: text("tool_call_id", "toolCallId"),
                    name: text("tool_name", "toolName"),
                    arguments: column("tool_input", "toolInput")
                        .or_else(|| row.get("metadata").filter(|_| raw.is_some())),
                });
            }
            None => texts.extend(text("text_content", "textContent")),
        }
    }
    if is_result {
        turn.results.push(result);
    }
    turn
}

/// The arguments of the original block, which stands in the metadata of a row.
pub(super) fn given(metadata: &str) -> Option<String> {
    let json = Json::parse(metadata, &Limits::default()).ok()?;
    let raw = json.root().get("raw")?;
    let given = raw.get("arguments").or_else(|| raw.get("input"))?;
    Some(given.as_str().map_or_else(|| given.raw().to_owned(), Cow::into_owned))
}

fn picture<'a>(raw: Value<'_>) -> Content<'a> {
    let source = raw.get("source").unwrap_or(raw);
    match source.get("data").and_then(Value::as_str) {
        Some(data) => Content::Data(Cow::Owned(data.into_owned())),
        None if source.get("url").is_some() => Content::Address,
        None => Content::Nothing,
    }
}
