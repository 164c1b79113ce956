//! Session logs of Claude Code, and what its `--output-format stream-json` writes. Each block of an answer is a line of its own,
//! with the id of the whole answer; lines name the line before them, results the line of their call. What counts is the way from
//! the last message up to the first, with the results and blocks that hang beside it: parallel calls fork the chain.

use std::collections::HashSet;
use std::fmt::Write;

use wirecanon_core::Dialect;
use wirecanon_core::json::{Json, Value, quote};

use super::flaw::{API_ERROR, beside as left_beside, count, of_many};
use super::line::{Line, Named};
use super::{Added, Gathered, Kind, Links, Neighbour, Part, chain};

pub(super) static KIND: Kind = Kind {
    title: "a Claude Code session",
    dialect: Dialect::AnthropicMessages,
    list: "messages",
    built: true,
    shows: |line| {
        let named = ["sessionId", "session_id", "parentUuid"].iter().any(|key| line.get(key).is_some());
        named && (message(line).is_some() || is_record(line))
    },
    gather,
    links: Links {
        id: "uuid",
        parent: "parentUuid",
        pointer: "/parentUuid",
        is_aside,
        opens: |line| {
            let boundary = line.get("subtype").is_some_and(|kind| kind.is_str("compact_boundary"));
            boundary || line.get("isCompactSummary").and_then(Value::as_bool) == Some(true)
        },
        others: &["leafUuid", "logicalParentUuid", "sourceToolAssistantUUID"],
        ..Links::NONE
    },
    spell: None,
    envelope,
};

/// Members of a line that an added one has too.
const SHARED: &[&str] =
    &["isSidechain", "userType", "cwd", "sessionId", "session_id", "version", "gitBranch", "agentId", "slug"];

fn message(line: Value<'_>) -> Option<Value<'_>> {
    let kind = line.get("type")?;
    (kind.is_str("user") || kind.is_str("assistant"))
        .then(|| line.get("message"))?
        .filter(|message| message.is_object())
}

/// Returns true for a line of the program that holds no message.
fn is_record(line: Value<'_>) -> bool {
    const KINDS: [&str; 6] =
        ["attachment", "file-history-snapshot", "queue-operation", "progress", "last-prompt", "permission-mode"];
    line.get("role").is_none()
        && line.get("type").is_some_and(|kind| KINDS.iter().any(|known| kind.is_str(known)))
        && line.get("sessionId").is_some_and(Value::is_string)
}

/// Whether another agent speaks, which this one has started.
fn is_aside(line: Value<'_>) -> bool {
    line.get("isSidechain").and_then(Value::as_bool) == Some(true)
        || line.get("parent_tool_use_id").is_some_and(|id| !id.is_null())
}

/// The ids under a key of the blocks of this type.
fn ids<'a>(message: Value<'a>, kind: &'a str, key: &'a str) -> impl Iterator<Item = String> + 'a {
    let blocks = message.get("content").into_iter().flat_map(Value::items);
    blocks
        .filter(move |block| block.get("type").is_some_and(|found| found.is_str(kind)))
        .filter_map(move |block| block.get(key)?.as_str().map(std::borrow::Cow::into_owned))
}

/// Whether the program speaks in the place of the model: an answer that never came. It sends none of these.
fn is_error(line: Value<'_>) -> bool {
    line.get("isApiErrorMessage").and_then(Value::as_bool) == Some(true)
}

fn gather(lines: &[Line<'_>], named: &mut [Named]) -> Gathered {
    // Who hangs beside whom is known when all were seen.
    let once = lines.iter().filter(|line| named[line.number].twin.is_none());
    let read: Vec<(&Line<'_>, Json<'_>)> = once.filter_map(|line| Some((line, line.read()?))).collect();
    let spoken: Vec<(&Line<'_>, Value<'_>, bool)> =
        read.iter().filter_map(|(line, json)| Some((*line, message(json.root())?, is_aside(json.root())))).collect();
    // The file of an agent that another one started holds nothing else.
    let all_aside = spoken.iter().all(|(_, _, aside)| *aside);
    let main: Vec<(&Line<'_>, Value<'_>)> = spoken
        .into_iter()
        .filter(|(_, _, aside)| all_aside || !aside)
        .map(|(line, message, _)| (line, message))
        .collect();
    let Some((leaf, _)) = main.last() else { return Gathered::default() };
    let mut taken = if chain::is_linked(named) {
        let mut way = chain::up_over_gaps(named, leaf.number);
        beside(&main, &mut way);
        way
    } else {
        main.iter().map(|(line, _)| line.number).collect()
    };
    let (errors, main): (Vec<_>, Vec<_>) = main.into_iter().partition(|(_, message)| is_error(message.json().root()));
    let errors: Vec<&Line<'_>> = errors.into_iter().map(|(line, _)| line).collect();
    taken.retain(|number| !errors.iter().any(|line| line.number == *number));
    let mut flaws = Vec::from_iter(of_many(&API_ERROR, &errors, |number| {
        format!("{} of the program, in the place of an answer", count(number, "error"))
    }));
    let sent: Vec<(&Line<'_>, Value<'_>)> =
        main.iter().filter(|(line, _)| taken.contains(&line.number)).copied().collect();
    let speaking = speaking(&sent);
    let mut spaces: HashSet<usize> = HashSet::new();
    let mut parts: Vec<Part> = Vec::new();
    for (line, message) in by_answer(sent) {
        let Some(content) = message.get("content") else { continue };
        let role = message.get("role").and_then(Value::as_str).map(std::borrow::Cow::into_owned);
        // A message that says nothing of its role stands on a line that does.
        let role = role.or_else(|| line.read()?.root().get("type")?.as_str().map(std::borrow::Cow::into_owned));
        let has_more = answer(message).is_some_and(|id| speaking.contains(&id));
        let is_sent = |block: &Value<'_>| !(has_more && is_white_space(*block));
        let blocks = content.is_array().then(|| content.items().filter(is_sent).collect::<Vec<_>>());
        if blocks.as_ref().is_some_and(Vec::is_empty) && content.items().next().is_some() {
            spaces.insert(line.number);
            continue;
        }
        let blocks = blocks.map(|blocks| blocks.into_iter().map(|block| line.place(block)).collect::<Vec<_>>());
        let joins = blocks.is_some() && parts.last().is_some_and(|last| last.blocks.is_some() && last.role == role);
        parts.push(Part { blocks, role, joins, ..Part::whole(line.number, line.place(content)) });
    }
    let read = parts.iter().map(|part| part.line).chain(spaces);
    flaws.extend(left_beside(main.iter().map(|(line, _)| *line), read));
    Gathered { parts, flaws }
}

/// Returns the id of the answer that a line is a part of.
fn answer(message: Value<'_>) -> Option<String> {
    let is_answer = message.get("role").is_none_or(|role| role.is_str("assistant"));
    message.get("id").filter(|_| is_answer).and_then(Value::as_str).map(std::borrow::Cow::into_owned)
}

/// Returns true for white space that the model wrote between the other blocks of its answer: its API takes it back.
fn is_white_space(block: Value<'_>) -> bool {
    let is_text = block.get("type").is_some_and(|kind| kind.is_str("text"));
    let text = block.get("text").filter(|_| is_text).and_then(Value::as_str);
    text.is_some_and(|text| !text.is_empty() && text.trim().is_empty())
}

/// Returns the ids of the answers that hold more than white space.
fn speaking(messages: &[(&Line<'_>, Value<'_>)]) -> HashSet<String> {
    let has_more = |message: &Value<'_>| {
        message.get("content").is_some_and(|content| content.items().any(|block| !is_white_space(block)))
    };
    messages.iter().filter(|(_, message)| has_more(message)).filter_map(|(_, message)| answer(*message)).collect()
}

/// Puts the lines of each answer together. The program writes a line for each block, and runs a call as soon as it is complete,
/// so that results stand between the lines of one answer; it sends the answer first.
fn by_answer<'l, 'a, 'v>(messages: Vec<(&'l Line<'a>, Value<'v>)>) -> Vec<(&'l Line<'a>, Value<'v>)> {
    let is_result = |message: Value<'_>| {
        message.get("content").is_some_and(|content| {
            content.is_array()
                && content.items().all(|block| block.get("type").is_some_and(|kind| kind.is_str("tool_result")))
        })
    };
    let mut ordered: Vec<(&Line<'_>, Value<'_>)> = Vec::with_capacity(messages.len());
    for (line, message) in messages {
        let id = answer(message);
        let results = ordered.iter().rev().take_while(|(_, before)| is_result(*before)).count();
        let last = ordered.len() - results;
        let goes_on = id.is_some() && results > 0 && last > 0 && answer(ordered[last - 1].1) == id;
        ordered.insert(if goes_on { last } else { ordered.len() }, (line, message));
    }
    ordered
}

/// Adds the blocks of an answer that is on the way, and the results of its calls.
fn beside(main: &[(&Line<'_>, Value<'_>)], way: &mut HashSet<usize>) {
    let on_way = |way: &HashSet<usize>, line: &Line<'_>| way.contains(&line.number);
    let answers: HashSet<String> =
        main.iter().filter(|(line, _)| on_way(way, line)).filter_map(|(_, message)| answer(*message)).collect();
    for (line, message) in main {
        if answer(*message).is_some_and(|id| answers.contains(&id)) {
            way.insert(line.number);
        }
    }
    let on: Vec<_> = main.iter().filter(|(line, _)| on_way(way, line)).collect();
    let calls: HashSet<String> = on.iter().flat_map(|(_, message)| ids(*message, "tool_use", "id")).collect();
    let mut answered: HashSet<String> =
        on.iter().flat_map(|(_, message)| ids(*message, "tool_result", "tool_use_id")).collect();
    for (line, message) in main {
        let results: Vec<String> = ids(*message, "tool_result", "tool_use_id").collect();
        let fits = |id: &String| calls.contains(id) && !answered.contains(id);
        if !on_way(way, line) && !results.is_empty() && results.iter().all(fits) {
            answered.extend(results);
            way.insert(line.number);
        }
    }
}

fn envelope(before: &Neighbour<'_>, added: &Added<'_>) -> Option<String> {
    let role = added.role.filter(|role| *role == "user")?;
    let root = before.root;
    let mut out = String::from("{");
    if let Some(parent) = before.id {
        out.push_str("\"parentUuid\":");
        out.push_str(&quote(parent));
        out.push(',');
    }
    for (key, value) in root.members().filter(|(key, _)| SHARED.iter().any(|shared| key.is_str(shared))) {
        out.push_str(key.raw());
        out.push(':');
        out.push_str(value.raw());
        out.push(',');
    }
    let (message, digest) = (added.text, added.digest);
    let uuid = [
        &digest[..8],
        &digest[8..12],
        &format!("8{}", &digest[13..16]),
        &format!("8{}", &digest[17..20]),
        &digest[20..32],
    ];
    // A UUID of version 8: its bits are our own. A string takes all that is written to it.
    let _ = write!(
        out,
        "\"type\":\"{role}\",\"message\":{{\"role\":\"{role}\",\"content\":{message}}},\"uuid\":\"{}\"",
        uuid.join("-")
    );
    if let Some(timestamp) = root.get("timestamp") {
        out.push_str(",\"timestamp\":");
        out.push_str(timestamp.raw());
    }
    out.push('}');
    Some(out)
}
