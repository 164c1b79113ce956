//! Sessions of OpenClaw and of pi, from which it has the format: a header, then a tree of entries, each with the id of the one
//! before it. What counts is the way from the last entry up to the first. Older files (version 1) have no ids.
//!
//! The format is that of `packages/coding-agent/docs/session.md` in badlogic/pi-mono.

use std::collections::HashSet;

use wirecanon_core::Dialect;
use wirecanon_core::json::{Value, quote};

use super::line::{Line, Named};
use super::{Added, Kind, Links, Neighbour, Part, chain};

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
    links: Links { id: "id", parent: "parentId", others: &["targetId", "firstKeptEntryId", "fromId"] },
    envelope: |before, added| Some(envelope(before, added)),
};

fn is(line: Value<'_>, kind: &str) -> bool {
    line.get("type").is_some_and(|found| found.is_str(kind))
}

fn gather(lines: &[Line<'_>], named: &[Named]) -> Vec<Part> {
    let is_header = |line: &Line<'_>| line.read().is_some_and(|json| is(json.root(), "session"));
    let leaf = lines.iter().rev().find(|line| named[line.number].id.is_some() && !is_header(line));
    let way: Option<HashSet<usize>> =
        leaf.filter(|_| chain::is_linked(named)).map(|leaf| chain::up(named, leaf.number));
    let on_way = |line: &&Line<'_>| way.as_ref().is_none_or(|way| way.contains(&line.number));
    let part = |line: &Line<'_>| {
        let json = line.read()?;
        let root = Some(json.root()).filter(|root| is(*root, "message"))?;
        let message = root.get("message").filter(|message| message.is_object())?;
        Some(Part { line: line.number, value: line.place(message), blocks: None, role: None, joins: false })
    };
    lines.iter().filter(on_way).filter_map(part).collect()
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
