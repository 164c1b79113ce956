//! Sessions of OpenClaw and of pi, from which it has the format: a header, then a tree of entries, each with the id of the one
//! before it. What counts is the way from the last entry up to the first. Older files (version 1) have no ids: a compaction names the
//! first entry that it kept by its number in the file.
//!
//! The format is that of `packages/coding-agent/docs/session.md` in badlogic/pi-mono.

use std::collections::HashSet;

use wirecanon_core::Dialect;
use wirecanon_core::json::{Value, quote};

use super::flaw::{COMPACTED, Flaw, TURN_SKIPPED, beside, count, of_many};
use super::line::{Line, Named};
use super::{Added, Gathered, Kind, Links, Neighbour, Part, chain};

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
        pointer: "/parentId",
        is_head: |line| is(line, "session"),
        others: &["targetId", "firstKeptEntryId", "fromId"],
        ..Links::NONE
    },
    spell: None,
    envelope: |before, added| Some(envelope(before, added)),
};

fn is(line: Value<'_>, kind: &str) -> bool {
    line.get("type").is_some_and(|found| found.is_str(kind))
}

/// What OpenClaw puts around a summary of what was compacted.
const COMPACTED_AS: (&str, &str) = (
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\n",
    "\n</summary>",
);

/// What it puts around a summary of another branch.
const BRANCH_AS: (&str, &str) =
    ("The following is a summary of a branch that this conversation came back from:\n\n<summary>\n", "</summary>");

/// The words of a line as the user's, with what the program says around them.
fn spoken(line: &Line<'_>, words: Value<'_>, (before, behind): (&str, &str)) -> Option<Part> {
    let inside = words.is_string().then(|| line.place(words))?;
    let open = format!("{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":{}", quote(before));
    let open = open.strip_suffix('"')?.to_owned();
    let close = format!("{}}}]}}", quote(behind).strip_prefix('"')?);
    Some(Part { frame: Some((open, close)), ..Part::whole(line.number, inside.start + 1..inside.end - 1) })
}

/// The message that an entry of the session is to the model.
fn part(line: &Line<'_>) -> Option<Part> {
    let json = line.read()?;
    let root = json.root();
    if is(root, "message") {
        let message = root.get("message").filter(|message| message.is_object())?;
        return Some(Part::whole(line.number, line.place(message)));
    }
    if is(root, "custom_message") {
        let content = root.get("content").filter(|content| content.is_string() || content.is_array())?;
        let frame = ("{\"role\":\"user\",\"content\":".to_owned(), "}".to_owned());
        return Some(Part { frame: Some(frame), ..Part::whole(line.number, line.place(content)) });
    }
    let summary = root
        .get("summary")
        .filter(|_| is(root, "branch_summary") && !root.get("summary").is_some_and(|summary| summary.is_str("")))?;
    spoken(line, summary, BRANCH_AS)
}

/// What stands for all in front of the last compaction: its summary, and the messages that it kept, if it has them itself.
struct Compaction {
    number: usize,
    parts: Vec<Part>,
    /// The first entry in front of it that is kept
    kept: Option<Kept>,
}

/// How a compaction names an entry.
enum Kept {
    Id(String),
    Number(usize),
}

impl Kept {
    fn of(compaction: Value<'_>) -> Option<Self> {
        let id = compaction.get("firstKeptEntryId").and_then(Value::as_str);
        let number = || compaction.get("firstKeptEntryIndex")?.raw().parse().ok();
        id.map(|id| Self::Id(id.into_owned())).or_else(|| number().map(Self::Number))
    }

    /// Which of the lines it is.
    fn line(&self, named: &[Named]) -> Option<usize> {
        match self {
            Self::Id(id) => named.iter().position(|line| line.id.as_deref() == Some(id)),
            Self::Number(number) => Some(*number).filter(|number| *number < named.len()),
        }
    }
}

fn compaction(line: &Line<'_>) -> Option<Compaction> {
    let json = line.read()?;
    let root = Some(json.root()).filter(|root| is(*root, "compaction"))?;
    let mut parts = vec![spoken(line, root.get("summary")?, COMPACTED_AS)?];
    let tail = root.get(TAIL.trim_start_matches('/')).filter(|tail| tail.items().next().is_some());
    for message in tail.into_iter().flat_map(Value::items).filter(|message| message.is_object()) {
        parts.push(Part { list: Some(TAIL), ..Part::whole(line.number, line.place(message)) });
    }
    Some(Compaction { number: line.number, parts, kept: Kept::of(root).filter(|_| tail.is_none()) })
}

/// Where a compaction holds what it kept.
const TAIL: &str = "/retainedTail";

fn gather(lines: &[Line<'_>], named: &mut [Named]) -> Gathered {
    let leaf = named.iter().rposition(|line| line.id.is_some() && line.twin.is_none());
    let way: Option<HashSet<usize>> =
        leaf.filter(|_| chain::is_linked(named)).map(|leaf| chain::up_over_gaps(named, leaf));
    let on_way = |line: &&Line<'_>| {
        named[line.number].twin.is_none() && way.as_ref().is_none_or(|way| way.contains(&line.number))
    };
    let skipped = skipped(lines.iter().filter(on_way));
    let on_way = |line: &&Line<'_>| on_way(line) && !skipped.contains(&line.number);
    let not_sent: Vec<&Line<'_>> = lines.iter().filter(|line| skipped.contains(&line.number)).collect();
    let mut of_turns = Vec::from_iter(of_many(&TURN_SKIPPED, &not_sent, |number| {
        format!("{} failed or aborted, and not sent", count(number, "turn"))
    }));
    let last = lines.iter().rev().filter(on_way).find_map(compaction);
    let Some(Compaction { number, mut parts, kept }) = last else {
        let parts: Vec<Part> = lines.iter().filter(on_way).filter_map(part).collect();
        let read = parts.iter().map(|part| part.line).chain(skipped);
        of_turns.extend(left(lines, named, read));
        return Gathered { parts, flaws: of_turns };
    };
    let first = kept.and_then(|kept| kept.line(&named[..number]));
    let in_front = lines[first.unwrap_or(number)..number].iter().filter(on_way);
    parts.extend(in_front.chain(lines[number + 1..].iter().filter(on_way)).filter_map(part));
    let gone: Vec<&Line<'_>> =
        lines[..first.unwrap_or(number)].iter().filter(on_way).filter(|line| part(line).is_some()).collect();
    let mut flaws = Vec::from_iter(of_many(&COMPACTED, &gone, |number| {
        format!("{} in front of what a summary stands for", count(number, "message"))
    }));
    let said =
        parts.iter().map(|part| part.line).chain(gone.iter().map(|line| line.number)).chain(skipped.iter().copied());
    flaws.extend(left(lines, named, said));
    flaws.extend(of_turns);
    Gathered { parts, flaws }
}

/// Returns the lines of the turns that the program leaves out of what it sends: they failed or were aborted, and none of their
/// calls has a result. It sends the results of such a turn all the same, so one with results is read.
fn skipped<'l, 'a: 'l>(lines: impl Iterator<Item = &'l Line<'a>>) -> HashSet<usize> {
    let (mut turns, mut answered): (Vec<(usize, Vec<String>)>, HashSet<String>) = (Vec::new(), HashSet::new());
    for line in lines {
        let Some(json) = line.read() else { continue };
        let Some(message) = json.root().get("message").filter(|_| is(json.root(), "message")) else { continue };
        let string = |value: Value<'_>, key: &str| value.get(key)?.as_str().map(std::borrow::Cow::into_owned);
        if message.get("role").is_some_and(|role| role.is_str("toolResult")) {
            answered.extend(string(message, "toolCallId"));
        }
        let failed =
            ["error", "aborted"].iter().any(|reason| message.get("stopReason").is_some_and(|r| r.is_str(reason)));
        if failed && message.get("role").is_some_and(|role| role.is_str("assistant")) {
            let blocks = message.get("content").into_iter().flat_map(Value::items);
            turns.push((line.number, blocks.filter_map(|block| string(block, "id")).collect()));
        }
    }
    let is_answered = |calls: &[String]| calls.iter().any(|id| answered.contains(id));
    turns.into_iter().filter(|(_, calls)| !is_answered(calls)).map(|(line, _)| line).collect()
}

/// Messages on other branches.
fn left(lines: &[Line<'_>], named: &[Named], taken: impl Iterator<Item = usize>) -> Option<Flaw> {
    beside(lines.iter().filter(|line| named[line.number].twin.is_none() && part(line).is_some()), taken)
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
