//! Sessions of OpenClaw and of pi, from which it has the format: a header, then a tree of entries, each with the id of the one
//! before it. What counts is the way from the last entry up to the first. Older files (version 1) have no ids.
//!
//! The format is that of `packages/coding-agent/docs/session.md` in badlogic/pi-mono.

use std::collections::HashSet;

use wirecanon_core::Dialect;
use wirecanon_core::json::{Value, quote};

use super::line::Line;
use super::{Added, Kind, Links, Neighbour, Part, chain};

pub(super) static KIND: Kind = Kind {
    title: "an OpenClaw session",
    dialect: Dialect::OpenClaw,
    list: "messages",
    shows: |line| {
        let header = is(line, "session") && line.get("id").is_some() && line.get("timestamp").is_some();
        header || (is(line, "message") && line.get("message").is_some_and(|message| message.get("role").is_some()))
    },
    gather,
    links: Links { id: "id", parent: "parentId", others: &["targetId", "firstKeptEntryId", "fromId"] },
    envelope,
};

fn is(line: Value<'_>, kind: &str) -> bool {
    line.get("type").is_some_and(|found| found.is_str(kind))
}

fn gather(lines: &[Line<'_>]) -> Vec<Part> {
    let is_header = |root: Value<'_>| is(root, "session");
    let leaf = lines
        .iter()
        .rev()
        .find(|line| line.root().is_some_and(|root| root.get("id").is_some_and(Value::is_string) && !is_header(root)));
    let way: Option<HashSet<usize>> =
        leaf.filter(|_| chain::is_linked(lines, &KIND.links)).map(|leaf| chain::up(lines, &KIND.links, leaf.number));
    let on_way = |line: &&Line<'_>| way.as_ref().is_none_or(|way| way.contains(&line.number));
    let part = |line: &Line<'_>| {
        let root = line.root().filter(|root| is(*root, "message"))?;
        let message = root.get("message").filter(|message| message.is_object())?;
        Some(Part { line: line.number, value: line.place(message), blocks: None, role: None, joins: false })
    };
    lines.iter().filter(on_way).filter_map(part).collect()
}

fn envelope(before: &Neighbour<'_, '_>, added: &Added<'_>) -> Option<String> {
    let root = before.line.root()?;
    let timestamp = root.get("timestamp").map_or("null", Value::raw);
    let text = added.text;
    Some(match before.id {
        Some(parent) => format!(
            "{{\"type\":\"message\",\"id\":\"{}\",\"parentId\":{},\"timestamp\":{timestamp},\"message\":{text}}}",
            &added.digest[..8],
            quote(parent)
        ),
        None => format!("{{\"type\":\"message\",\"timestamp\":{timestamp},\"message\":{text}}}"),
    })
}
