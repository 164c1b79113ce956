//! Parts of a UI stream that a program stored as parts of its message (vercel/ai#6795): several of them tell of one call, and
//! are put together to it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::dialects::ai_sdk_model::output::read_bare;
use crate::read::call::{block_of_call, read_arguments};
use crate::read::reader::{Reader, trim};
use crate::read::result::result_beside;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Arguments, Block, Message, ToolCall};

/// What parts of a stream say of tools.
const KINDS: &[&str] = &[
    "tool-input-start",
    "tool-input-delta",
    "tool-input-available",
    "tool-input-error",
    "tool-approval-request",
    "tool-output-available",
    "tool-output-error",
    "tool-output-denied",
];

/// Whether a part is one of a stream: that of a tool of such a name has a state.
pub(crate) fn is_chunk(kind: &str, part: Value<'_>) -> bool {
    KINDS.contains(&kind) && part.get("state").is_none() && id_of(part).is_some()
}

fn id_of(part: Value<'_>) -> Option<Cow<'_, str>> {
    part.get("toolCallId").and_then(Value::as_str).filter(|id| !id.trim().is_empty())
}

/// What the parts of one call tell of it.
#[derive(Default)]
pub(crate) struct Told<'a> {
    name: Option<Cow<'a, str>>,
    input: Option<Value<'a>>,
    /// The pieces of its arguments
    pieces: String,
    outcome: Option<Outcome<'a>>,
}

enum Outcome<'a> {
    Output(Value<'a>),
    Failed(Cow<'a, str>),
}

/// What the parts of a message tell of its calls, by their ids. A call that has a part of its own is told by that alone.
pub(crate) fn of_message<'a>(parts: Value<'a>) -> HashMap<Cow<'a, str>, Told<'a>> {
    let mut told: HashMap<Cow<'a, str>, Told<'a>> = HashMap::new();
    let mut whole = HashSet::new();
    for part in parts.items() {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        let Some(id) = id_of(part) else { continue };
        if !is_chunk(&kind, part) {
            whole.insert(id);
            continue;
        }
        let call = told.entry(id).or_default();
        let text = |key: &str| part.get(key).and_then(Value::as_str);
        call.name = call.name.take().or_else(|| text("toolName").filter(|name| !name.trim().is_empty()));
        call.input = part.get("input").or(call.input);
        match &*kind {
            "tool-input-delta" => call.pieces.push_str(&text("inputTextDelta").unwrap_or_default()),
            "tool-output-available" => call.outcome = part.get("output").map(Outcome::Output),
            "tool-input-error" | "tool-output-error" => {
                call.outcome = Some(Outcome::Failed(text("errorText").unwrap_or_default()));
            }
            "tool-output-denied" => call.outcome = Some(Outcome::Failed(Cow::Borrowed("output-denied"))),
            _ => {}
        }
    }
    told.retain(|id, _| !whole.contains(id));
    told
}

/// The call that the parts tell of, and its result where there is one, in the place of the first part; nothing in the place
/// of the others.
pub(crate) fn read<'a>(
    cx: &mut Reader<'a, '_>,
    part: Value<'a>,
    told: &mut HashMap<Cow<'a, str>, Told<'a>>,
) -> Option<(Block<'a>, Option<Message<'a>>)> {
    let call = id_of(part).and_then(|id| told.remove(&id));
    let rule = &rule::STREAMING_MARKER;
    let Some(Told { name, input, pieces, outcome }) = call else {
        cx.mend(rule, part, None, "a part of a stream was put into the call that it tells of");
        return None;
    };
    let number = cx.id();
    cx.mend(rule, part, number, "the parts of a stream that tell of one call were put together to it");
    let (id, name) = (id_of(part).map(trim), name.map(trim));
    let arguments = match input {
        None if !pieces.trim().is_empty() => Arguments::Encoded(pieces.into()),
        input => read_arguments(input),
    };
    let unfinished = input.is_none() && outcome.is_none();
    let call = ToolCall { id, name, arguments, unfinished };
    let (blocks, is_error) = match outcome {
        None => return Some((block_of_call(number, call, part, None), None)),
        Some(Outcome::Output(output)) => read_bare(cx, part, output),
        Some(Outcome::Failed(words)) => (vec![cx.text_anew(words, part)], true),
    };
    let result = Message { dirty: true, ..result_beside(cx, part, blocks, &call, is_error) };
    Some((block_of_call(number, call, part, None), Some(result)))
}
