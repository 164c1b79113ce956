//! Rollouts of Codex: an item of the Responses API a line, in `payload` where the line is a `response_item`. The first versions
//! wrote the bare items below a header. Nothing is taken out of a rollout: a line says that turns were taken back, another that a
//! history replaces all in front of it.

use wirecanon_core::Dialect;
use wirecanon_core::json::Value;

use super::flaw::{COMPACTED, ROLLED_BACK, count, of_many};
use super::line::{Line, Named};
use super::{Added, Gathered, Kind, Links, Neighbour, Part};

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
    links: Links { is_head: |_| true, ..Links::NONE },
    spell: Some(with_a_list),
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
];

/// Where a line holds the history that replaces all in front of it.
const REPLACEMENT: &str = "/payload/replacement_history";

/// How messages begin that Codex writes in the user's name, and that open no turn.
const CONTEXT: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<skill>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<hook_prompt",
];

fn item(line: Value<'_>) -> Option<Value<'_>> {
    let item = if line.get("type")?.is_str("response_item") { line.get("payload")? } else { line };
    let bare = item.index() == line.index();
    (is_item(item) && !(bare && line.get("payload").is_some())).then_some(item)
}

fn is_item(value: Value<'_>) -> bool {
    value.get("type").and_then(Value::as_str).is_some_and(|kind| ITEMS.contains(&&*kind))
}

/// Whether the user speaks, and not Codex in their name.
fn opens_turn(item: Value<'_>) -> bool {
    let is_user = item.get("role").is_some_and(|role| role.is_str("user"));
    let mut texts =
        item.get("content").into_iter().flat_map(Value::items).filter_map(|part| part.get("text")?.as_str());
    let is_context = |text: std::borrow::Cow<'_, str>| CONTEXT.iter().any(|start| text.trim_start().starts_with(start));
    is_user && !texts.any(is_context)
}

/// How many turns a line takes back.
fn taken_back(line: Value<'_>) -> Option<usize> {
    let payload = line.get("type").filter(|kind| kind.is_str("event_msg")).and_then(|_| line.get("payload"))?;
    payload.get("type").filter(|kind| kind.is_str("thread_rolled_back"))?;
    payload.get("num_turns")?.raw().parse().ok()
}

/// Whether a line opens a turn of which the user's words are yet to come.
fn starts(line: Value<'_>) -> bool {
    let kind = line.get("type").filter(|kind| kind.is_str("event_msg")).and_then(|_| line.get("payload")?.get("type"));
    kind.is_some_and(|kind| kind.is_str("task_started") || kind.is_str("turn_started"))
}

/// What a line adds to the history.
struct Said {
    /// One item, or a history that replaces all in front of it
    parts: Vec<Part>,
    replaces: bool,
    /// Whether a turn of the user begins with it
    opens: bool,
}

/// Where a turn begins in the history, and where the user speaks in it: in between Codex may have compacted.
struct Turn {
    start: usize,
    user: usize,
}

/// The history in front of a line: all that was said and not taken back, and where each turn of the user begins.
#[derive(Default)]
struct History {
    said: Vec<Said>,
    turns: Vec<Turn>,
    /// Where the turn began whose user has not spoken yet
    started: Option<usize>,
    /// Lines of messages that were taken back
    gone: Vec<usize>,
}

impl History {
    fn add(&mut self, said: Said) {
        if said.opens {
            let user = self.said.len();
            self.turns.push(Turn { start: self.started.take().unwrap_or(user), user });
        }
        self.said.push(said);
    }

    /// Takes the last turns back. What replaced the history before them goes too, if it did within them, and with it what it stood
    /// for comes back.
    fn take_back(&mut self, turns: usize) {
        let left = self.turns.len().saturating_sub(turns);
        let Some(Turn { start, user }) = self.turns.drain(left..).next() else { return };
        let dead = self.said.split_off(user);
        let mut opening = self.said.split_off(start);
        opening.retain(|said| !said.replaces);
        self.said.append(&mut opening);
        self.started = None;
        self.gone.extend(dead.iter().filter(|said| !said.replaces).flat_map(|said| &said.parts).map(|part| part.line));
    }
}

fn gather(lines: &[Line<'_>], _: &mut [Named]) -> Gathered {
    let mut history = History::default();
    for line in lines {
        let Some(json) = line.read() else { continue };
        let root = json.root();
        if let Some(item) = item(root) {
            let parts = vec![Part::whole(line.number, line.place(item))];
            history.add(Said { parts, replaces: false, opens: opens_turn(item) });
        } else if starts(root) {
            history.started = Some(history.said.len());
        } else if let Some(turns) = taken_back(root) {
            history.take_back(turns);
        } else if let Some(items) = replacement(root) {
            let parts = items.items().filter(|item| is_item(*item));
            let part = |item| Part { list: Some(REPLACEMENT), ..Part::whole(line.number, line.place(item)) };
            history.add(Said { parts: parts.map(part).collect(), replaces: true, opens: false });
        }
    }
    let History { mut said, gone, .. } = history;
    let base = said.iter().rposition(|said| said.replaces).unwrap_or(0);
    let kept = said.split_off(base);
    let compacted = said.iter().filter(|said| !said.replaces).flat_map(|said| &said.parts).map(|part| part.line);
    let mut flaws = Vec::new();
    for (rule, numbers, words) in [
        (&ROLLED_BACK, gone, "in turns that were taken back"),
        (&COMPACTED, compacted.collect(), "in front of the history that replaces them"),
    ] {
        let found: Vec<&Line<'_>> = numbers.iter().map(|number| &lines[*number]).collect();
        flaws.extend(of_many(rule, &found, |number| format!("{} {words}", count(number, "item"))));
    }
    Gathered { parts: kept.into_iter().flat_map(|said| said.parts).collect(), flaws }
}

/// The history that a line puts in the place of all in front of it.
fn replacement(line: Value<'_>) -> Option<Value<'_>> {
    let payload = line.get("type").filter(|kind| kind.is_str("compacted")).and_then(|_| line.get("payload"))?;
    payload.get("replacement_history").filter(|items| items.is_array())
}

/// The API takes a text in the place of the list of contents, the types of Codex do not (openai/codex protocol, `ResponseItem`).
fn with_a_list(item: Value<'_>) -> Option<String> {
    let content = item.get("content").filter(|content| content.is_string())?;
    item.get("type").filter(|kind| kind.is_str("message"))?;
    let kind = if item.get("role").is_some_and(|role| role.is_str("assistant")) { "output_text" } else { "input_text" };
    let (start, text) = (item.span().start, item.raw());
    let (in_front, behind) = (&text[..content.span().start - start], &text[content.span().end - start..]);
    Some(format!("{in_front}[{{\"type\":\"{kind}\",\"text\":{}}}]{behind}", content.raw()))
}

fn envelope(before: &Neighbour<'_>, added: &Added<'_>) -> String {
    let root = before.root;
    if root.get("payload").is_none() {
        return added.text.to_owned();
    }
    let timestamp = root.get("timestamp").map_or("null", Value::raw);
    format!("{{\"timestamp\":{timestamp},\"type\":\"response_item\",\"payload\":{}}}", added.text)
}
