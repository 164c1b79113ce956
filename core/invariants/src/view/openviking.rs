//! What a message of `OpenViking` says.

use super::{Call, ToolResult, Turn};
use wirecanon_json::Value;

pub(super) fn turn(message: Value<'_>) -> Turn<'_> {
    let mut turn = Turn::default();
    if message.get("parts").is_none_or(Value::is_null) {
        turn.texts.extend(message.get("content").and_then(Value::as_str));
    }
    for part in message.get("parts").into_iter().flat_map(Value::items) {
        let text = |key: &str| part.get(key).and_then(Value::as_str);
        match &*text("type").unwrap_or_default() {
            "text" => turn.texts.extend(text("text")),
            "context" => turn.texts.extend(text("abstract")),
            "tool" => {
                turn.calls.push(Call {
                    value: part,
                    id: text("tool_id"),
                    name: text("tool_name"),
                    // An input of nothing is not stored: the part itself stands for it.
                    arguments: part.get("tool_input").filter(|input| !input.is_null()).or(Some(part)),
                });
                let status = text("tool_status").unwrap_or_default();
                if matches!(&*status, "completed" | "error") {
                    let texts = text("tool_output").into_iter().collect();
                    turn.results.push(ToolResult { id: text("tool_id"), texts, is_error: Some(status == "error") });
                }
            }
            _ => {}
        }
    }
    turn
}
