//! The items of OpenAI Responses.

use super::{Call, Media, ToolResult, Turn, address, data};
use wirecanon_json::Value;

/// The turns of a list of items, and of the instructions beside it.
pub(super) fn turns(root: Value<'_>) -> Vec<Turn<'_>> {
    let list = root.get("input").filter(|_| root.get("type").is_none()).unwrap_or(root);
    let mut turns: Vec<_> = root.get("instructions").map(item).into_iter().collect();
    if list.is_array() {
        turns.extend(list.items().map(item));
    } else {
        turns.push(item(list));
    }
    turns
}

/// One item, or the string that stands for all.
fn item(item: Value<'_>) -> Turn<'_> {
    let mut turn = Turn::default();
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match &*text("type").unwrap_or_default() {
        "function_call" | "custom_tool_call" => {
            let arguments = item.get("arguments").or_else(|| item.get("input"));
            turn.calls.push(Call { value: item, id: text("call_id"), name: text("name"), arguments });
        }
        "function_call_output" | "custom_tool_call_output" => {
            let mut result = ToolResult { id: text("call_id"), ..ToolResult::default() };
            if let Some(output) = item.get("output") {
                parts(output, &mut turn, Some(&mut result));
            }
            turn.results.push(result);
        }
        "reasoning" => {
            let lists = ["summary", "content"].into_iter().filter_map(|key| item.get(key));
            turn.texts.extend(lists.flat_map(Value::items).filter_map(|part| part.get("text")?.as_str()));
        }
        _ if item.is_string() => turn.texts.extend(item.as_str()),
        _ => {
            if let Some(content) = item.get("content") {
                parts(content, &mut turn, None);
            }
        }
    }
    turn
}

fn parts<'a>(content: Value<'a>, turn: &mut Turn<'a>, mut result: Option<&mut ToolResult<'a>>) {
    if let Some(text) = content.as_str() {
        result.map_or(&mut turn.texts, |result| &mut result.texts).push(text);
        return;
    }
    for part in content.items() {
        let text = |key: &str| part.get(key).and_then(Value::as_str);
        match &*text("type").unwrap_or_default() {
            kind @ ("input_text" | "output_text" | "refusal") => {
                if let Some(words) = text(if kind == "refusal" { kind } else { "text" }) {
                    result.as_deref_mut().map_or(&mut turn.texts, |result| &mut result.texts).push(words);
                }
            }
            "input_image" => {
                let content = match (text("image_url"), text("file_id")) {
                    (Some(url), _) => address(&url),
                    (None, Some(_)) => super::Content::Address,
                    (None, None) => super::Content::Nothing,
                };
                turn.media.push(Media { value: part, content });
            }
            "input_file" => {
                let content = match text("file_data") {
                    Some(url) if url.starts_with("data:") => address(&url),
                    Some(_) => data(Some(part), "file_data"),
                    None => super::Content::Address,
                };
                turn.media.push(Media { value: part, content });
            }
            _ => {}
        }
    }
}
