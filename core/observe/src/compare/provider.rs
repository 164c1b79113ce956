//! Items that only one provider knows.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use wirecanon_json::{Json, Kind, Limits, Value};
use wirecanon_model::{Dialect, Target};

use super::flat::Flat;
use super::value::is_equal;
use super::words::{About, Names, is_neutral, is_note, words};
use crate::observation::{Content, Item, Media, Observation, Provider, Source};

/// Fields of an item that a server sets, or that say nothing to the model.
const FREE: [&str; 12] = [
    "id",
    "call_id",
    "tool_use_id",
    "toolCallId",
    "toolUseId",
    "status",
    "cache_control",
    "index",
    "partial_json",
    "caller",
    "created_by",
    "phase",
];

/// Returns whether two items of one dialect are the same, ids apart.
pub(super) fn is_same(a: &Provider<'_>, b: &Provider<'_>) -> bool {
    if a.dialect == Dialect::LosslessClaw && (is_original(a.value, b.value) || is_original(b.value, a.value)) {
        return true;
    }
    if a.kind != b.kind || a.dialect != b.dialect {
        return false;
    }
    if !a.value.is_object() || !b.value.is_object() {
        return is_equal(a.value, b.value);
    }
    // An item that is no more than a reference is known by its id.
    if matches!(&*a.kind, "audio" | "item_reference")
        && a.value.get("id").and_then(Value::as_str) != b.value.get("id").and_then(Value::as_str)
    {
        return false;
    }
    // A status may say that a tool failed.
    if failures(a) != failures(b) {
        return false;
    }
    if a.kind == "image_generation_call" {
        // Servers answer with fields that they do not accept.
        let image = |provider: &Provider<'_>| provider.value.get("result").map(|result| result.raw().to_owned());
        return image(a) == image(b);
    }
    let members = |value| {
        let mut members: Vec<(Cow<'_, str>, Value<'_>)> = Value::members(value)
            .map(|(key, value)| (key.as_str().unwrap_or_default(), value))
            .filter(|(key, value)| !FREE.contains(&&**key) && !value.is_null())
            .collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        members
    };
    let (left, right) = (members(a.value), members(b.value));
    left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| a.0 == b.0 && is_equal(a.1, b.1))
}

/// The error flags of the results that an item holds.
fn failures<'p>(provider: &'p Provider<'_>) -> Vec<bool> {
    let flag = |item: &'p Item<'_>| match &item.content {
        Content::Result(result) => Some(result.is_error == Some(true)),
        _ => None,
    };
    provider.readable.iter().filter_map(flag).collect()
}

/// Returns whether the server holds calls of a conversation that the request does not.
pub(super) fn holds_calls(observation: &Observation<'_>) -> bool {
    observation.context.iter().any(|item| {
        matches!(&item.content, Content::Provider(known) if matches!(&*known.kind, "previous_response_id" | "conversation"))
    })
}

/// Returns whether the metadata of a part hold a block.
fn is_original(part: Value<'_>, block: Value<'_>) -> bool {
    let Some(text) = part.get("metadata").and_then(Value::as_str) else { return false };
    let Ok(metadata) = Json::parse(&text, &Limits::default()) else { return false };
    metadata.root().get("raw").is_some_and(|raw| is_equal(raw, block))
}

/// Calls whose results are items of their own.
const CALLS_WITH_RESULTS: [&str; 8] = [
    "server_tool_use",
    "mcp_tool_use",
    "toolUse",
    "toolCall",
    "computer_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
];

/// Returns whether a server of the dialect itself may refuse an item: a half of a pair, a result without content, a reference where
/// nothing is stored, or a field that this server does not know.
pub(super) fn may_be_refused(
    provider: &Provider<'_>,
    flat: &Flat<'_, '_>,
    target: &Target,
    has_stored_calls: bool,
) -> bool {
    let holds_content = |item: &Item<'_>| match &item.content {
        Content::Text(text) => !text.trim().is_empty(),
        Content::Media(media) => {
            !matches!(&media.source, Source::Url(text) | Source::Base64(text) if text.trim().is_empty())
        }
        _ => true,
    };
    let is_result = |id: &str| flat.provided.get(id).is_some_and(|given| given.result.items.iter().any(holds_content));
    let is_broken = |item: &Item<'_>| match &item.content {
        Content::Call(call) => {
            CALLS_WITH_RESULTS.contains(&&*provider.kind) && !call.id.as_deref().is_some_and(is_result)
        }
        Content::Result(result) => match result.id.as_deref() {
            Some(id) => !has_stored_calls && !flat.called.contains(id) || !is_result(id),
            None => true,
        },
        _ => false,
    };
    let is_unknown = matches!(&*provider.kind, "audio" | "images")
        && target.fields.get("assistant").is_some_and(|known| !known.iter().any(|field| *field == provider.kind));
    // No server knows a type without a name.
    let is_unknown = is_unknown || provider.kind.trim().is_empty();
    is_unknown
        || provider.readable.iter().any(is_broken)
        || provider.dialect == Dialect::OpenAiResponses && !target.content.stored_items && provider.readable.is_empty()
}

/// Returns whether an item, or the result that it holds, has a medium.
pub(super) fn has_media(provider: &Provider<'_>, media: &Media<'_>) -> bool {
    let is_media = |item: &Item<'_>| matches!(&item.content, Content::Media(other) if media.is_same(other));
    provider.readable.iter().any(|item| match &item.content {
        Content::Result(result) => result.items.iter().any(is_media),
        _ => is_media(item),
    })
}

/// The words of an item, and which of them follow each other.
pub(super) struct Words {
    /// The words of keys, ids, types and other strings without white space, which may stand anywhere
    names: Names,
    known: HashSet<String>,
    /// Hashes of words that stand beside each other
    pairs: HashSet<u64>,
}

impl Words {
    /// Reads the words of an item that one provider knows.
    pub(super) fn new(provider: &Provider<'_>) -> Self {
        let mut words = Self::of_value(provider.value);
        words.names.add(provider.dialect.name());
        words.names.add(&provider.kind);
        let is_error =
            |item: &Item<'_>| matches!(&item.content, Content::Result(result) if result.is_error == Some(true));
        if provider.readable.iter().any(is_error) {
            words.names.add("error failed failure");
        }
        words
    }

    /// Reads the words of all strings, numbers and keys of a value.
    pub(super) fn of_value(value: Value<'_>) -> Self {
        let mut words = Self { names: Names::default(), known: HashSet::new(), pairs: HashSet::new() };
        // Its JSON text has escapes.
        words.add(value.raw());
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value.kind() {
                Kind::Object => open.extend(value.members().flat_map(|(key, value)| [key, value])),
                Kind::Array => open.extend(value.items()),
                Kind::String => words.add(&value.as_str().unwrap_or_default()),
                Kind::Number | Kind::Bool | Kind::Null => {}
            }
        }
        words
    }

    fn add(&mut self, text: &str) {
        if !text.contains(char::is_whitespace) {
            self.names.add(text);
        }
        let mut last = None;
        for word in words(text) {
            if let Some(last) = last.replace(word.clone()) {
                self.pairs.insert(pair(&last, &word));
            }
            self.known.insert(word);
        }
    }

    /// Returns whether a text says nothing but what the item says: neutral words, and words of the item as they follow each other there.
    pub(super) fn say(&self, text: &str, about: About) -> bool {
        if is_note(text, about, &self.names) {
            return true;
        }
        // The last word, and whether the next one must follow it in the item too.
        let mut last: Option<(String, bool)> = None;
        for word in words(text) {
            let is_neutral = is_neutral(&word, about) || self.names.has(&word);
            let follows = last.as_ref().is_some_and(|(last, _)| self.pairs.contains(&pair(last, &word)));
            let must_follow = last.as_ref().is_some_and(|(_, must)| *must);
            if !is_neutral && (!self.known.contains(&word) || must_follow && !follows) {
                return false;
            }
            last = Some((word, !is_neutral));
        }
        true
    }

    /// Returns whether a text has a word of the item.
    pub(super) fn name(&self, text: &str) -> bool {
        words(text).any(|word| self.known.contains(&word) || self.names.has(&word))
    }
}

fn pair(a: &str, b: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (a, b).hash(&mut hasher);
    hasher.finish()
}
