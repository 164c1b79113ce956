//! Finding the fields of an object under all the names that real systems give them.

use std::collections::{HashMap, HashSet};

use crate::read::reader::Members;
use wirecanon_json::Value;
use wirecanon_model::transcript::StopReason;

/// Spellings of a call's id. The dialect's own spelling is looked for first.
pub(crate) const CALL_IDS: &[&str] =
    &["id", "call_id", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "callId"];
/// Spellings of a call's tool name.
pub(crate) const CALL_NAMES: &[&str] = &["name", "toolName", "tool_name", "functionName", "function_name"];
/// Spellings of a call's arguments.
pub(crate) const ARGUMENTS: &[&str] =
    &["arguments", "input", "args", "toolInput", "tool_input", "tool_kwargs", "parameters"];
/// What streaming leaves behind in a call. `index` alone says nothing.
pub(crate) const MARKERS: &[&str] = &["partialJson", "partial", "incomplete"];
/// Spellings of the id of the call that a result answers.
pub(crate) const RESULT_IDS: &[&str] = &["toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id"];
/// Spellings of the name of the tool that a result comes from.
pub(crate) const RESULT_NAMES: &[&str] = &["toolName", "tool_name", "name"];
/// Spellings of the error flag.
pub(crate) const ERROR_FLAGS: &[&str] = &["isError", "is_error"];
/// Spellings of the reason why a turn ended.
pub(crate) const STOP_REASONS: &[&str] = &["stopReason", "stop_reason"];
/// Why a turn ended, where a program copied it from the response into the message.
pub(crate) fn stop_reason(others: &[(Value<'_>, Value<'_>)]) -> Option<StopReason> {
    let (_, value) = others.iter().find(|(key, _)| STOP_REASONS.iter().any(|name| key.is_str(name)))?;
    match &*value.as_str()? {
        "end_turn" | "stop_sequence" => Some(StopReason::Stop),
        "max_tokens" => Some(StopReason::Length),
        "tool_use" => Some(StopReason::ToolUse),
        other => StopReason::from_name(other),
    }
}

/// Spellings of a media type.
pub(crate) const MIME_TYPES: &[&str] = &["mimeType", "mime_type", "media_type", "mediaType"];
/// Spellings of the type of a block that is a tool call.
pub(crate) const CALL_TYPES: &[&str] =
    &["toolCall", "tool_use", "toolUse", "tool-use", "functionCall", "function_call", "tool_call", "tool-call"];
/// Spellings of the type of a block that is a tool result.
pub(crate) const RESULT_TYPES: &[&str] = &[
    "tool_result",
    "toolResult",
    "tool-result",
    "tool_result_error",
    "tool_use_result",
    "function_call_output",
    "function_call_result",
    "functionResult",
    "function_result",
];

/// One field, under whichever of its names it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Field<'a> {
    /// The value that counts: the dialect's own spelling first, then the others, `null` last
    pub(crate) value: Option<Value<'a>>,
    /// The key it stands under
    pub(crate) key: &'static str,
    /// Another name of the same field also holds something
    pub(crate) also: Option<(&'static str, Value<'a>)>,
}

impl<'a> Field<'a> {
    /// The value, unless it is `null`.
    pub(crate) fn some(&self) -> Option<Value<'a>> {
        self.value.filter(|value| !value.is_null())
    }
}

/// What [`scan`] found.
pub(crate) struct Scan<'a, const N: usize> {
    /// One field a group of names
    pub(crate) fields: [Field<'a>; N],
    /// Members that are in no group, in order, and nulls under other names of a field; the last of equal keys
    pub(crate) others: Members<'a>,
    /// A key that stands twice: its second place
    pub(crate) duplicate: Option<Value<'a>>,
}

/// Looks once through an object's members for `N` fields, each under any of the names of its group; `own` is the name
/// that the dialect itself gives the field.
pub(crate) fn scan<'a, const N: usize>(
    object: Value<'a>,
    groups: [(&'static str, &'static [&'static str]); N],
) -> Scan<'a, N> {
    let mut fields = [Field::default(); N];
    let mut ranks = [usize::MAX; N];
    let mut others = Others::default();
    let mut nulls = Vec::new();
    let mut duplicate = None;
    'members: for (key, value) in object.named_members() {
        for (group, (own, names)) in groups.iter().enumerate() {
            let found = if key.is(own) {
                Some((0, *own))
            } else {
                names.iter().position(|name| key.is(name)).map(|at| (at + 1, names[at]))
            };
            let Some((rank, name)) = found else { continue };
            let field = &mut fields[group];
            if field.value.is_some() && field.key == name {
                duplicate = Some(key.value());
                field.value = Some(value);
                continue 'members;
            }
            if value.is_null() && rank > 0 {
                nulls.push((group, name, key, value));
            }
            // A null counts only where nothing else stands.
            let rank = if value.is_null() { rank + 1000 } else { rank };
            if rank < ranks[group] {
                if let Some(previous) = field.some() {
                    field.also = Some((field.key, previous));
                }
                field.value = Some(value);
                field.key = name;
                ranks[group] = rank;
            } else if !value.is_null() {
                field.also = Some((name, value));
            }
            continue 'members;
        }
        if others.add(key.value(), value) {
            duplicate = Some(key.value());
        }
    }
    // A null under another name is no field where the field stands under its own: it is a member as any other.
    for (_, _, key, value) in nulls.into_iter().filter(|(group, name, ..)| fields[*group].key != *name) {
        others.add(key.value(), value);
    }
    Scan { fields, others: others.list, duplicate }
}

/// Members each of which has a key of its own.
#[derive(Default)]
struct Others<'a> {
    list: Members<'a>,
    /// Where each key stands, once there are many
    places: HashMap<&'a str, usize>,
}

impl<'a> Others<'a> {
    /// More members than this are looked up, fewer are compared with each other.
    const FEW: usize = 16;

    /// Adds a member, or puts it in the place of the one with the same key: true if there was one.
    fn add(&mut self, key: Value<'a>, value: Value<'a>) -> bool {
        let raw = key.raw();
        let place = if self.list.len() < Self::FEW {
            self.list.iter().position(|(other, _)| other.raw() == raw)
        } else {
            if self.places.is_empty() {
                self.places.extend(self.list.iter().enumerate().map(|(at, (key, _))| (key.raw(), at)));
            }
            self.places.get(raw).copied()
        };
        match place {
            Some(place) => self.list[place] = (key, value),
            None => {
                if !self.places.is_empty() {
                    self.places.insert(raw, self.list.len());
                }
                self.list.push((key, value));
            }
        }
        place.is_some()
    }
}

/// Members beyond a dialect's own that [`scan`] took for a field of another name and that say nothing: where no other field
/// may stand, a null is one too many.
pub(crate) fn with_null_aliases<'a>(object: Value<'a>, own: &[&str], others: &[(Value<'a>, Value<'a>)]) -> Members<'a> {
    let mut all = others.to_vec();
    let known: HashSet<&str> = others.iter().map(|(other, _)| other.raw()).collect();
    let strange = object.members().filter(|(key, value)| {
        value.is_null() && !own.iter().any(|name| key.is_str(name)) && !known.contains(key.raw())
    });
    all.extend(strange);
    all
}
