//! What a document of AWS Bedrock Converse says.

use super::{Call, Content, Media, ToolResult, Turn};
use wirecanon_json::Value;

/// The turns of a document.
pub(super) fn turns(root: Value<'_>) -> Vec<Turn<'_>> {
    let mut turns = Vec::new();
    if let Some(system) = root.get("system") {
        let mut turn = Turn::default();
        blocks(system, &mut turn, None);
        turns.push(turn);
    }
    let list = root.get("messages").unwrap_or(root);
    let messages: Vec<_> = if list.is_array() { list.items().collect() } else { vec![list] };
    turns.extend(messages.into_iter().map(|message| {
        let mut turn = Turn::default();
        if let Some(content) = message.get("content") {
            blocks(content, &mut turn, None);
        }
        turn
    }));
    turns
}

fn blocks<'a>(content: Value<'a>, turn: &mut Turn<'a>, mut result: Option<&mut ToolResult<'a>>) {
    for block in content.items() {
        let Some((key, value)) = block.members().next() else { continue };
        let key = key.as_str().unwrap_or_default();
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let texts: Vec<_> = match &*key {
            "text" => value.as_str().into_iter().collect(),
            "json" => vec![value.raw().into()],
            "guardContent" => {
                value.get("text").and_then(|inner| inner.get("text")).and_then(Value::as_str).into_iter().collect()
            }
            "reasoningContent" => value
                .get("reasoningText")
                .and_then(|inner| inner.get("text"))
                .and_then(Value::as_str)
                .into_iter()
                .collect(),
            "citationsContent" | "searchResult" => value
                .get("content")
                .into_iter()
                .flat_map(Value::items)
                .filter_map(|item| item.get("text").and_then(Value::as_str))
                .collect(),
            "image" | "document" | "video" | "audio" => {
                let source = value.get("source");
                let bytes = source.and_then(|source| source.get("bytes"));
                let content = match bytes {
                    Some(bytes) => bytes.as_str().map_or(Content::Nothing, Content::Data),
                    None if source.is_some_and(|source| source.members().next().is_some()) => Content::Address,
                    None => Content::Nothing,
                };
                turn.media.push(Media { value: block, content });
                Vec::new()
            }
            "toolUse" => {
                turn.calls.push(Call {
                    value: block,
                    id: text("toolUseId"),
                    name: text("name"),
                    arguments: value.get("input"),
                });
                Vec::new()
            }
            // A result holds no result, so this goes one deep.
            "toolResult" if result.is_none() => {
                let is_error = Some(value.get("status").is_some_and(|status| status.is_str("error")));
                let mut inner = ToolResult { id: text("toolUseId"), texts: Vec::new(), is_error };
                if let Some(content) = value.get("content") {
                    blocks(content, turn, Some(&mut inner));
                }
                turn.results.push(inner);
                Vec::new()
            }
            _ => Vec::new(),
        };
        result.as_deref_mut().map_or(&mut turn.texts, |result| &mut result.texts).extend(texts);
    }
}
