//! Sessions of OpenClaw and of pi, from which it has the format: a header, then a tree of entries, each with the id of the one
//! before it. What counts is the way from the last entry up to the first. Older files (version 1) have no ids.
//!
//! What was compacted is told as a summary, and what stands before the first entry that was kept is not told any more; the program
//! itself says what is in a `branch_summary` or a `custom_message` (openclaw/openclaw#41021).
//!
//! The format is that of `packages/coding-agent/docs/session.md` in badlogic/pi-mono.

use wirecanon_core::Dialect;
use wirecanon_core::json::{Value, quote};

use super::line::{Line, Named};
use super::{Added, Gathered, Kind, Links, Neighbour, Note, Part, chain};

pub(super) static KIND: Kind = Kind {
    title: "an OpenClaw session",
    dialect: Dialect::OpenClaw,
    list: "messages",
    built: false,
    shows: |line| {
        let header = is(line, "session") && line.get("id").is_some() && line.get("timestamp").is_some();
        header || (is(line, "message") && line.get("message").is_some_and(|message| message.get("role").is_some()))
    },
    gather,
    links: Links {
        id: "id",
        parent: "parentId",
        others: &["targetId", "firstKeptEntryId", "fromId"],
        aside: |_| false,
    },
    envelope: |before, added| Some(envelope(before, added)),
};

fn is(line: Value<'_>, kind: &str) -> bool {
    line.get("type").is_some_and(|found| found.is_str(kind))
}

/// What an entry is that goes to the model and is no message: the member that is its content, and the role that it has there.
const SAID: &[(&str, &str, &str)] = &[
    ("compaction", "summary", "compactionSummary"),
    ("branch_summary", "summary", "branchSummary"),
    ("custom_message", "content", "custom"),
];

fn gather(lines: &[Line<'_>], named: &[Named]) -> Gathered {
    let is_header = |line: &Line<'_>| line.read().is_some_and(|json| is(json.root(), "session"));
    let leaf = lines.iter().rev().find(|line| named[line.number].id.is_some() && !is_header(line));
    let way = leaf.filter(|_| chain::is_linked(named)).map(|leaf| chain::up(named, leaf.number));
    let copies = chain::copies(named);
    let on_way = |line: &&Line<'_>| {
        way.as_ref().is_none_or(|way| way.lines.contains(&line.number)) && !copies.contains(&line.number)
    };
    let told: Vec<&Line<'_>> = lines.iter().filter(on_way).collect();
    let compacted = told.iter().rposition(|line| line.read().is_some_and(|json| is(json.root(), "compaction")));
    let mut parts = Vec::new();
    let mut from = 0;
    if let Some(at) = compacted {
        from = told[at].read().and_then(|json| first_kept(json.root(), &told[..at], named)).unwrap_or(at);
        parts.extend(said(told[at]));
    }
    let rest = told.iter().enumerate().skip(from).filter(|(at, _)| Some(*at) != compacted);
    parts.extend(rest.filter_map(|(_, line)| said(line)));
    let row = |line: usize| lines[line].row;
    let notes = [
        Note::of(copies.iter().map(|line| row(*line)), chain::TWICE),
        Note::of(compacted.filter(|_| from > 0).map(|at| told[at].row), "a summary stands for what was said before"),
    ];
    let dangling = way.map(|way| way.dangling).unwrap_or_default();
    Gathered { parts, notes: notes.into_iter().flatten().collect(), dangling }
}

/// Which of the entries before a compaction is the first that was kept: by its name, or in version 1 by its number in the file.
fn first_kept(compaction: Value<'_>, before: &[&Line<'_>], named: &[Named]) -> Option<usize> {
    if let Some(id) = compaction.get("firstKeptEntryId").and_then(Value::as_str) {
        return before.iter().position(|line| named[line.number].id.as_deref() == Some(&*id));
    }
    let number: usize = compaction.get("firstKeptEntryIndex")?.raw().parse().ok()?;
    before.iter().position(|line| line.number >= number)
}

/// What a line says to the model.
fn said(line: &Line<'_>) -> Option<Part> {
    let json = line.read()?;
    let root = json.root();
    if is(root, "message") {
        return root.get("message").filter(|message| message.is_object()).map(|message| Part::whole(line, message));
    }
    let (_, key, role) = SAID.iter().find(|(kind, ..)| is(root, kind))?;
    let content = root.get(key).filter(|content| content.is_string() || content.is_array())?;
    Some(Part { framed: Some(role), ..Part::whole(line, content) })
}

fn envelope(before: &Neighbour<'_>, added: &Added<'_>) -> String {
    let root = before.root;
    let timestamp = root.get("timestamp").map_or("null", Value::raw);
    let text = added.text;
    match before.id {
        Some(parent) => format!(
            "{{\"type\":\"message\",\"id\":\"{}\",\"parentId\":{},\"timestamp\":{timestamp},\"message\":{text}}}",
            &added.digest[..8],
            quote(parent)
        ),
        None => format!("{{\"type\":\"message\",\"timestamp\":{timestamp},\"message\":{text}}}"),
    }
}
