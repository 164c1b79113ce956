//! Prompts and sampling requests of the Model Context Protocol: content is one block or a list of them.

use super::{Call, Media, ToolResult, Turn, data};
use wirecanon_json::Value;

pub(super) fn turns(root: Value<'_>) -> Vec<Turn<'_>> {
    let carried = root.get("params").or_else(|| root.get("result")).filter(|_| root.get("jsonrpc").is_some());
    let root = carried.unwrap_or(root);
    let mut turns = Vec::new();
    if let Some(system) = root.get("systemPrompt").and_then(Value::as_str) {
        turns.push(Turn { texts: vec![system], ..Turn::default() });
    }
    let list = root.get("messages").unwrap_or(root);
    if list.is_array() {
        turns.extend(list.items().map(turn));
    } else {
        turns.push(turn(list));
    }
    turns
}

fn turn(message: Value<'_>) -> Turn<'_> {
    let mut turn = Turn::default();
    let content = message.get("content");
    for block in blocks(content) {
        if !block.get("type").is_some_and(|kind| kind.is_str("tool_result")) {
            read(block, &mut turn, None);
            continue;
        }
        let mut result = ToolResult {
            id: block.get("toolUseId").and_then(Value::as_str),
            texts: Vec::new(),
            is_error: Some(block.get("isError").and_then(Value::as_bool).unwrap_or(false)),
        };
        for inner in blocks(block.get("content")) {
            read(inner, &mut turn, Some(&mut result));
        }
        turn.results.push(result);
    }
    turn
}

fn blocks(content: Option<Value<'_>>) -> impl Iterator<Item = Value<'_>> {
    let one = content.filter(|content| content.is_object());
    one.into_iter().chain(content.into_iter().flat_map(Value::items))
}

fn read<'a>(block: Value<'a>, turn: &mut Turn<'a>, result: Option<&mut ToolResult<'a>>) {
    match &*block.get("type").and_then(Value::as_str).unwrap_or_default() {
        "text" => {
            if let Some(text) = block.get("text").and_then(Value::as_str) {
                result.map_or(&mut turn.texts, |result| &mut result.texts).push(text);
            }
        }
        "image" | "audio" => turn.media.push(Media { value: block, content: data(Some(block), "data") }),
        "tool_use" => turn.calls.push(Call {
            value: block,
            id: block.get("id").and_then(Value::as_str),
            name: block.get("name").and_then(Value::as_str),
            arguments: block.get("input"),
        }),
        _ => {}
    }
}
