//! Messages of the Vercel AI SDK.

use std::borrow::Cow;

use super::{Call, Content, Media, ToolResult, Turn, address};
use wirecanon_json::Value;

/// The turns of model messages.
pub(super) fn model(root: Value<'_>) -> Vec<Turn<'_>> {
    let list = root.get("messages").unwrap_or(root);
    let mut turns = instructions(root);
    if list.is_array() {
        turns.extend(list.items().map(turn));
    } else {
        turns.push(turn(list));
    }
    turns
}

/// The turns of the instructions beside the list: a text, a message, or several.
fn instructions(root: Value<'_>) -> Vec<Turn<'_>> {
    let Some(system) = root.get("system").or_else(|| root.get("instructions")) else { return Vec::new() };
    match system.as_str() {
        Some(text) => vec![Turn { texts: vec![text], ..Turn::default() }],
        None if system.is_array() => system.items().map(turn).collect(),
        None => vec![turn(system)],
    }
}

/// The turns of UI messages: each part with a call holds its result as well.
pub(super) fn ui(root: Value<'_>) -> Vec<Turn<'_>> {
    let list = root.get("messages").unwrap_or(root);
    let mut turns = instructions(root);
    for message in list.is_object().then_some(list).into_iter().chain(list.items()) {
        ui_turns(message, &mut turns);
    }
    turns
}

/// Each step of a message is a turn of its own.
fn ui_turns<'a>(message: Value<'a>, turns: &mut Vec<Turn<'a>>) {
    let mut turn = Turn::default();
    for part in message.get("parts").into_iter().flat_map(Value::items) {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        match &*kind {
            "step-start" => turns.push(std::mem::take(&mut turn)),
            "text" | "reasoning" => turn.texts.extend(part.get("text").and_then(Value::as_str)),
            "file" => turn.media.push(Media { value: part, content: bytes(part.get("url")) }),
            kind if kind == "dynamic-tool" || kind.starts_with("tool-") => tool(part, kind, &mut turn),
            _ => {}
        }
    }
    turns.push(turn);
}

fn tool<'a>(part: Value<'a>, kind: &str, turn: &mut Turn<'a>) {
    let state = part.get("state").and_then(Value::as_str).unwrap_or_default();
    // What the provider ran, or what waits for the user, is no call of ours.
    if part.get("providerExecuted").and_then(Value::as_bool) == Some(true) || state.starts_with("approval-") {
        return;
    }
    let id = part.get("toolCallId").and_then(Value::as_str);
    let name = kind.strip_prefix("tool-").map(|name| Cow::Owned(name.to_owned()));
    let name = name.or_else(|| part.get("toolName").and_then(Value::as_str));
    turn.calls.push(Call { value: part, id: id.clone(), name, arguments: part.get("input") });
    if !state.starts_with("output-") {
        return;
    }
    let said = part.get("output").or_else(|| part.get("errorText"));
    let mut texts: Vec<_> = said.map(|said| said.as_str().unwrap_or(Cow::Borrowed(said.raw()))).into_iter().collect();
    let typed =
        |list: &Value<'a>| list.is_array() && list.items().all(|block| block.get("type").is_some_and(Value::is_string));
    // Only a list of blocks is content: any other output is a value of the tool's own.
    if let Some(list) = said.and_then(|said| said.get("content")).filter(typed) {
        texts = list.items().filter_map(|block| block.get("text").and_then(Value::as_str)).collect();
        let images = list.items().filter(|block| block.get("type").is_some_and(|kind| kind.is_str("image")));
        turn.media.extend(images.map(|block| Media { value: block, content: bytes(block.get("data")) }));
    }
    turn.results.push(ToolResult { id, texts, is_error: Some(state != "output-available") });
}

fn turn(message: Value<'_>) -> Turn<'_> {
    let mut turn = Turn::default();
    let Some(content) = message.get("content") else { return turn };
    if let Some(text) = content.as_str() {
        turn.texts.push(text);
    }
    for part in content.items() {
        match &*part.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text" | "reasoning" => turn.texts.extend(part.get("text").and_then(Value::as_str)),
            "image" => turn.media.push(Media { value: part, content: bytes(part.get("image")) }),
            "file" => turn.media.push(Media { value: part, content: bytes(part.get("data")) }),
            // What the provider ran is its own.
            "tool-call" if part.get("providerExecuted").and_then(Value::as_bool) == Some(true) => {}
            "tool-call" => turn.calls.push(Call {
                value: part,
                id: part.get("toolCallId").and_then(Value::as_str),
                name: part.get("toolName").and_then(Value::as_str),
                arguments: part.get("input"),
            }),
            "tool-result" => result(part, &mut turn),
            _ => {}
        }
    }
    turn
}

fn result<'a>(part: Value<'a>, turn: &mut Turn<'a>) {
    let output = part.get("output");
    let kind = output.and_then(|output| output.get("type")).and_then(Value::as_str).unwrap_or_default();
    let mut result = ToolResult {
        id: part.get("toolCallId").and_then(Value::as_str),
        texts: Vec::new(),
        is_error: Some(matches!(&*kind, "error-text" | "error-json" | "execution-denied")),
    };
    let value = output.and_then(|output| output.get("value"));
    if kind != "content" {
        result.texts.extend(value.map(|value| value.as_str().unwrap_or(Cow::Borrowed(value.raw()))));
    }
    for item in value.filter(|_| kind == "content").into_iter().flat_map(Value::items) {
        match &*item.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text" => result.texts.extend(item.get("text").and_then(Value::as_str)),
            "image-data" | "media" | "file-data" => {
                turn.media.push(Media { value: item, content: bytes(item.get("data")) });
            }
            _ => {}
        }
    }
    turn.results.push(result);
}

fn bytes(data: Option<Value<'_>>) -> Content<'_> {
    match data.and_then(Value::as_str) {
        None => data.filter(|data| data.is_object()).map_or(Content::Nothing, |_| Content::Address),
        Some(text) if text.contains(':') => address(&text),
        Some(text) => Content::Data(text),
    }
}
