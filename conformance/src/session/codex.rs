//! Rollouts of Codex: an item of the Responses API a line, in `payload` where the line is a `response_item`. The first versions
//! wrote the bare items below a header.

use wirecanon_core::Dialect;
use wirecanon_core::json::Value;

use super::line::{Line, Named};
use super::{Added, Kind, Links, Neighbour, Part};

pub(super) static KIND: Kind = Kind {
    title: "a Codex rollout",
    dialect: Dialect::OpenAiResponses,
    list: "input",
    built: false,
    shows: |line| {
        let kind = |name: &str| line.get("type").is_some_and(|kind| kind.is_str(name));
        let payload = line.get("payload").is_some_and(Value::is_object);
        payload && (kind("session_meta") || kind("response_item"))
            || line.get("record_type").is_some_and(|kind| kind.is_str("state"))
    },
    gather,
    // Nothing names a line.
    links: Links { id: "", parent: "", others: &[] },
    envelope: |before, added| Some(envelope(before, added)),
};

/// Items that the API has. What else Codex keeps among them (snapshots of the working tree) it never sends.
const ITEMS: &[&str] = &[
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "local_shell_call_output",
    "web_search_call",
    "image_generation_call",
    "code_interpreter_call",
    "mcp_call",
    "tool_search_call",
    "tool_search_output",
];

fn item(line: Value<'_>) -> Option<Value<'_>> {
    let item = if line.get("type")?.is_str("response_item") { line.get("payload")? } else { line };
    let kind = item.get("type")?.as_str()?;
    let bare = item.index() == line.index();
    (ITEMS.contains(&&*kind) && !(bare && line.get("payload").is_some())).then_some(item)
}

fn gather(lines: &[Line<'_>], _: &[Named]) -> Vec<Part> {
    let part = |line: &Line<'_>| {
        let json = line.read()?;
        let item = item(json.root())?;
        Some(Part { line: line.number, value: line.place(item), blocks: None, role: None, joins: false })
    };
    lines.iter().filter_map(part).collect()
}

fn envelope(before: &Neighbour<'_>, added: &Added<'_>) -> String {
    let root = before.root;
    if root.get("payload").is_none() {
        return added.text.to_owned();
    }
    let timestamp = root.get("timestamp").map_or("null", Value::raw);
    format!("{{\"timestamp\":{timestamp},\"type\":\"response_item\",\"payload\":{}}}", added.text)
}
