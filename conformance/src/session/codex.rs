//! Rollouts of Codex: an item of the Responses API a line, in `payload` where the line is a `response_item`. The first versions
//! wrote the bare items below a header. What was compacted is told as the history that replaced it, and turns that were taken back are
//! not told (openai/codex#13615, openai/codex#45350).

use wirecanon_core::Dialect;
use wirecanon_core::json::Value;

use super::line::{Line, Named};
use super::{Added, Gathered, Kind, Links, Neighbour, Note, Part};

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
    links: Links { id: "", parent: "", others: &[], aside: |_| false },
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
    "compaction",
    "compaction_summary",
    "context_compaction",
];

fn item(line: Value<'_>) -> Option<Value<'_>> {
    let item = if line.get("type")?.is_str("response_item") { line.get("payload")? } else { line };
    let kind = item.get("type")?.as_str()?;
    let bare = item.index() == line.index();
    (ITEMS.contains(&&*kind) && !(bare && line.get("payload").is_some())).then_some(item)
}

/// How words begin that the program puts in front of a turn: no user said them.
const CONTEXT: &[&str] =
    &["<environment_context>", "<user_instructions>", "<turn_aborted>", "# AGENTS.md instructions"];

/// Whether the user begins a turn with it.
fn opens_turn(item: Value<'_>) -> bool {
    let is = |key: &str, word: &str| item.get(key).is_some_and(|value| value.is_str(word));
    let words = item.get("content").and_then(|content| content.items().next()?.get("text")?.as_str());
    is("type", "message")
        && is("role", "user")
        && !words.is_some_and(|words| CONTEXT.iter().any(|begin| words.trim_start().starts_with(begin)))
}

fn gather(lines: &[Line<'_>], _: &[Named]) -> Gathered {
    // What is told, and whether the user begins a turn with it.
    let mut told: Vec<(Part, bool)> = Vec::new();
    let (mut compacted, mut back) = (Vec::new(), Vec::new());
    for line in lines {
        let Some(json) = line.read() else { continue };
        let (root, payload) = (json.root(), json.root().get("payload"));
        if let Some(item) = item(root) {
            told.push((Part::whole(line, item), opens_turn(item)));
            continue;
        }
        let is = |value: Option<Value<'_>>, kind: &str| {
            value.is_some_and(|value| value.get("type").is_some_and(|found| found.is_str(kind)))
        };
        let history = payload.and_then(|payload| payload.get("replacement_history")).filter(|list| list.is_array());
        if is(Some(root), "compacted")
            && let Some(history) = history
        {
            if !told.is_empty() {
                compacted.push(line.row);
            }
            let items = history.items().filter(|item| item.is_object());
            told = items.map(|item| (Part::whole(line, item), opens_turn(item))).collect();
        } else if is(payload, "thread_rolled_back") {
            let turns =
                payload.and_then(|payload| payload.get("num_turns")?.raw().parse::<usize>().ok()).unwrap_or_default();
            let begins: Vec<usize> = (0..told.len()).filter(|at| told[*at].1).collect();
            // All, where there are fewer.
            if let Some(cut) = begins.get(begins.len().saturating_sub(turns)) {
                let cut = *cut;
                told.truncate(cut);
                back.push(line.row);
            }
        }
    }
    let notes = [
        Note::of(compacted, "the history that replaced what stands before is told instead"),
        Note::of(back, "takes back what the user last asked for: passed over"),
    ];
    let parts = told.into_iter().map(|(part, _)| part).collect();
    Gathered { parts, notes: notes.into_iter().flatten().collect(), dangling: Vec::new() }
}

fn envelope(before: &Neighbour<'_>, added: &Added<'_>) -> String {
    let root = before.root;
    if root.get("payload").is_none() {
        return added.text.to_owned();
    }
    let timestamp = root.get("timestamp").map_or("null", Value::raw);
    format!("{{\"timestamp\":{timestamp},\"type\":\"response_item\",\"payload\":{}}}", added.text)
}
