//! `openviking`: messages of typed parts, as `OpenViking` stores them and its `OpenClaw` plugin reads them without a loss.

use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::{Judge, blank};
use crate::pairing::{Answer, Pairing};
use crate::shape;
use crate::turns::Turns;
use crate::{arguments, call};
use wirecanon_json::Value;
use wirecanon_model::rule;

const ROLES: &[&str] = &["user", "assistant"];

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the messages of a session.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut turns = Turns::new(judge);
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        turns.order.message(judge, message, role == "assistant");
        let Some(parts) = message.get("parts").filter(|parts| !parts.is_null()) else {
            turns.pairing.other();
            // The older form.
            if let Some(list) = shape::blocks(judge, message, true) {
                judge.say(&rule::CONTENT_NOT_A_LIST, list, "blocks stand under `content`, not `parts`");
            }
            continue;
        };
        if !parts.is_array() {
            turns.pairing.other();
            judge.say(&rule::CONTENT_NOT_A_LIST, parts, format!("`parts` is {}", parts.kind().name()));
            continue;
        }
        if parts.items().next().is_none() {
            judge.say(&rule::EMPTY_MESSAGE, parts, "the message has no parts");
        }
        if role == "user" {
            turns.pairing.other();
        }
        parts_of(judge, &mut turns.pairing, parts, role == "assistant");
        if parts.items().any(|part| part.get("type").is_some_and(|kind| kind.is_str("tool"))) {
            turns.order.answered();
        }
    }
    turns.finish(judge, messages);
}

fn parts_of<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, parts: Value<'a>, assistant: bool) {
    let mut answers = Vec::new();
    let mut begun = assistant;
    if assistant {
        pairing.turn(false);
    }
    for part in parts.items() {
        let Some(kind) = shape::kind(judge, part) else { continue };
        match &*kind {
            "text" => {
                shape::text(judge, part, "text");
            }
            "context" => {
                let filled = |key: &str| part.get(key).and_then(Value::as_str).is_some_and(|text| !blank(&text));
                if !filled("abstract") && !filled("uri") {
                    judge.say(&rule::UNKNOWN_BLOCK, part, "a context has neither an abstract nor an address");
                }
            }
            "tool" => {
                if !begun {
                    begun = true;
                    pairing.turn(false);
                }
                answers.extend(tool(judge, pairing, part));
            }
            _ => shape::unknown(judge, part, &kind),
        }
    }
    for answer in answers {
        pairing.result(judge, answer);
    }
}

/// The members of a tool part that may be missing, and the names that other systems give them. The server reads none of these.
const ALIASES: [(&str, &[&str]); 3] = [
    ("tool_input", &["input", "args", "arguments", "toolInput"]),
    ("tool_output", &["output", "toolOutput"]),
    ("tool_status", &["status", "toolStatus"]),
];

/// A call, and its result if the tool is done.
fn tool<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, part: Value<'a>) -> Option<Answer<'a>> {
    let name = call::call_name(judge, part, "tool_name", true);
    let found = call::call_id(judge, part, "tool_id");
    if part.get("tool_input").is_some_and(|input| !input.is_null()) {
        arguments::object(judge, part, "tool_input");
    }
    for (own, others) in ALIASES {
        shape::alias(judge, part, own, others, "the server");
    }
    let output = part.get("tool_output").filter(|output| !output.is_null() && !output.is_str(""));
    if let Some(output) = output.filter(|output| !output.is_string()) {
        judge.say(&rule::CONTENT_NOT_A_LIST, output, format!("the output is {}", output.kind().name()));
    }
    let status = part.get("tool_status");
    let said = status.map_or(Some("pending".into()), Value::as_str).unwrap_or_default();
    let done = matches!(&*said, "completed" | "error");
    if !done && !matches!(&*said, "pending" | "running") {
        judge.say(&rule::TOOL_STATUS_UNKNOWN, status.unwrap_or(part), "no such status");
    } else if !done && output.is_some() {
        let words = "a tool that is not done has an output, which no reader shows";
        judge.say(&rule::TOOL_STATUS_UNKNOWN, status.unwrap_or(part), words);
    }
    let (place, id) = call::trimmed(judge, found?);
    pairing.call(judge, part, (place, id.clone()), name);
    done.then_some(Answer { place: part, id, name: None })
}
