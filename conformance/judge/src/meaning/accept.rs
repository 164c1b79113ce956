//! Explains differences from the expected conversation by the acceptable outcomes of the rules that the input breaks.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use wirecanon_core::json::{Json, Kind, Limits, Value, resolve};
use wirecanon_core::observe::{
    Arguments, Call, Content, Difference, Item, Media, MediaKind, Observation, Quote, Reason, Source, Speaker,
    ToolResult, is_media_note, is_stand_in,
};
use wirecanon_core::{Dialect, Target};

use super::facts;
use super::outcome::{Outcome, outcomes_of};
use crate::case::Case;
use crate::pointer::upwards;

/// The broken places of an input, by the outcomes that are acceptable there.
pub(crate) struct Broken<'j> {
    places: BTreeMap<Outcome, Place<'j>>,
}

/// The values at which one outcome is acceptable.
#[derive(Default)]
struct Place<'j> {
    values: Vec<Value<'j>>,
    strings: OnceCell<Strings>,
}

/// A difference, with the values of both documents that it is about.
struct At<'v> {
    reason: Reason,
    expected: Option<Value<'v>>,
    answer: Option<Value<'v>>,
}

/// The strings of broken places.
struct Strings {
    /// Decoded strings and texts of numbers
    whole: Vec<String>,
    /// Keys of objects
    keys: BTreeSet<String>,
    /// Made of `whole` and `keys`
    quote: Quote,
}

impl<'j> Broken<'j> {
    /// Finds the broken places of the input of a case for a target. `input` is its document.
    pub(crate) fn of(case: &Case, target: &Target, input: &'j Json<'j>) -> Self {
        let mut places: BTreeMap<Outcome, Place<'j>> = BTreeMap::new();
        // A server may reject what its dialect accepts: items of another server.
        let at_target = if target.dialect == case.from { facts::broken(case, target) } else { Vec::new() };
        for (rule, pointer) in case.facts().broken.iter().chain(&at_target) {
            for outcome in outcomes_of(rule).iter().filter(|outcome| case.accepts(**outcome)) {
                let place = places.entry(*outcome).or_default();
                let pointer = pointer.as_deref().map(|pointer| match outcome {
                    Outcome::TurnLeftOut => message_of(pointer),
                    _ => pointer,
                });
                place.values.extend(pointer.and_then(|pointer| object_at(input, pointer)));
            }
        }
        Self { places }
    }

    /// Returns whether no outcome is acceptable beside the expected one.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// Returns the pointer to the message that holds a place: up to its first number.
fn message_of(pointer: &str) -> &str {
    let mut end = 0;
    for step in pointer.split('/').skip(1) {
        end += 1 + step.len();
        if !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit()) {
            return &pointer[..end];
        }
    }
    pointer
}

/// Returns the value at a pointer, or the object that holds it, where it is a scalar.
fn object_at<'j>(json: &'j Json<'j>, pointer: &str) -> Option<Value<'j>> {
    // Of a list of blocks, or a scalar: the message or the block that holds it.
    let is_holder = |value: &Value<'_>, pointer: &str| value.is_object() || value.is_array() && pointer.is_empty();
    upwards(pointer).find_map(|above| resolve(json.root(), above).filter(|value| is_holder(value, above)))
}

impl Place<'_> {
    fn strings(&self) -> &Strings {
        self.strings.get_or_init(|| {
            let (mut whole, mut keys) = (Vec::new(), BTreeSet::new());
            self.values.iter().for_each(|value| collect(*value, &mut whole, &mut keys, LAYERS));
            Strings::new(whole, keys)
        })
    }
}

/// Layers of JSON in strings that are read.
const LAYERS: usize = 2;

/// Collects the strings and keys of a value, also of JSON in its strings.
fn collect(value: Value<'_>, whole: &mut Vec<String>, keys: &mut BTreeSet<String>, layers: usize) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if whole.len() > Quote::MAX_STRINGS {
            return;
        }
        match value.kind() {
            Kind::Object => {
                for (key, member) in value.members() {
                    keys.extend(key.as_str().map(Cow::into_owned));
                    open.push(member);
                }
            }
            Kind::Array => open.extend(value.items()),
            Kind::String => {
                let text = value.as_str().unwrap_or_default();
                if layers > 0
                    && text.trim_start().starts_with(['{', '[', '"'])
                    && let Ok(inner) = Json::parse(&text, &Limits::default())
                {
                    collect(inner.root(), whole, keys, layers - 1);
                }
                whole.push(text.into_owned());
            }
            Kind::Number | Kind::Bool => whole.push(value.raw().to_owned()),
            Kind::Null => {}
        }
    }
}

impl Strings {
    fn new(whole: Vec<String>, keys: BTreeSet<String>) -> Self {
        let quote = Quote::new(whole.iter().map(String::as_str), keys.iter().map(String::as_str));
        Self { whole, keys, quote }
    }

    /// Returns these strings and others.
    fn with(&self, others: impl IntoIterator<Item = String>) -> Self {
        let mut whole = self.whole.clone();
        whole.extend(others);
        Self::new(whole, self.keys.clone())
    }

    fn has(&self, text: &str) -> bool {
        self.whole.iter().any(|string| string == text)
    }

    /// Returns whether a text has one of the strings.
    fn has_one_in(&self, text: &str) -> bool {
        self.whole.iter().map(|string| string.trim()).any(|string| !string.is_empty() && text.contains(string))
    }
}

/// One comparison whose differences are explained.
pub(crate) struct Explainer<'b, 'j, 'e, 'a> {
    broken: &'b Broken<'j>,
    expected: &'e Observation<'e>,
    answer: &'a Observation<'a>,
    /// Calls or turns are left out, so that their neighbours are one turn
    joins_turns: bool,
    /// The outcomes that were needed
    used: BTreeSet<Outcome>,
}

impl<'b, 'j, 'e, 'a> Explainer<'b, 'j, 'e, 'a> {
    pub(crate) fn new(broken: &'b Broken<'j>, expected: &'e Observation<'e>, answer: &'a Observation<'a>) -> Self {
        Self { broken, expected, answer, joins_turns: false, used: BTreeSet::new() }
    }

    /// Returns the differences that no outcome explains, and the outcomes that explain the others.
    pub(crate) fn explain(mut self, differences: &[Difference]) -> (Vec<Difference>, BTreeSet<Outcome>) {
        let is_late = |difference: &Difference| difference.reason == Reason::TurnOrderChanged;
        let mut open: Vec<Difference> = Vec::new();
        // The order of turns is explained by what is left out of them.
        for pass in [false, true] {
            for difference in differences.iter().filter(|difference| is_late(difference) == pass) {
                if !self.is_explained(difference) {
                    open.push(difference.clone());
                }
            }
        }
        (open, self.used)
    }

    fn is_explained(&mut self, difference: &Difference) -> bool {
        let found = self.broken.places.iter().find(|(outcome, place)| self.explains(**outcome, place, difference));
        let found = found.map(|(outcome, _)| *outcome);
        if let Some(outcome) = found {
            self.joins_turns |= matches!(
                outcome,
                Outcome::CallLeftOut | Outcome::PairLeftOut | Outcome::TurnLeftOut | Outcome::CallKept
            );
            self.used.insert(outcome);
        }
        found.is_some() || difference.reason == Reason::TurnOrderChanged && self.joins_turns
    }

    fn explains(&self, outcome: Outcome, place: &Place<'_>, difference: &Difference) -> bool {
        let expected = difference.expected.as_deref().and_then(|pointer| resolve(self.expected.root, pointer));
        let answer = difference.answer.as_deref().and_then(|pointer| resolve(self.answer.root, pointer));
        let reason = difference.reason;
        let at = At { reason, expected, answer };
        match outcome {
            Outcome::CallLeftOut => match (reason, expected) {
                (Reason::CallMissing, Some(call)) => !self.has_real_result(call),
                (Reason::ResultMissing, Some(result)) => is_synthetic(result),
                _ => false,
            },
            Outcome::PairLeftOut => {
                matches!(reason, Reason::CallMissing | Reason::ResultMissing)
                    && expected.is_some_and(|value| is_of(place, value))
            }
            Outcome::CallKept => answer.is_some_and(|answer| self.is_kept_call(place, reason, answer)),
            Outcome::AnyName => match (reason, expected) {
                (Reason::CallRenamed, Some(call)) => {
                    call.get("name").is_some_and(|name| name.is_str("unnamed_tool")) || is_of(place, call)
                }
                _ => false,
            },
            Outcome::OtherResult => self.is_other_result(place, &at),
            Outcome::MarkedText => answer.is_some_and(|answer| self.is_marked_text(place, &at, answer)),
            Outcome::AnyValue if matches!(reason, Reason::ErrorFlagInvented | Reason::ErrorFlagLost) => {
                // Of a result whose own fields contradict each other, and not of a whole document.
                let has_messages = |value: &Value<'_>| value.get("messages").is_some() || value.is_array();
                !place.values.iter().any(has_messages) && expected.is_some_and(|value| is_of(place, value))
            }
            Outcome::Text | Outcome::AnyValue => self.is_text(place, &at, outcome),
            Outcome::MediaLeftOut => self.is_media_note(place, &at),
            Outcome::MediaKept => self.is_medium(place, &at),
            Outcome::TurnLeftOut => {
                let is_missing = matches!(
                    reason,
                    Reason::TextMissing | Reason::CallMissing | Reason::ResultMissing | Reason::ReasoningDropped
                );
                is_missing
                    && expected.is_some_and(|value| {
                        is_of(place, value)
                            || !texts_at(self.expected, value).is_empty()
                                && texts_at(self.expected, value).iter().all(|text| place.strings().has(text))
                    })
            }
            Outcome::ReasoningLeftOut => reason == Reason::ReasoningDropped,
            Outcome::TurnsJoined => reason == Reason::TurnOrderChanged,
            Outcome::Replaced => match (expected, answer) {
                (Some(expected), Some(answer)) => {
                    squash(&strings_in(self.expected, expected)) == squash(&strings_in(self.answer, answer))
                }
                _ => false,
            },
            Outcome::RawArguments => match (reason, expected, answer.and_then(|answer| self.call_at(answer))) {
                (Reason::ArgumentsChanged, Some(expected), Some(call)) => is_raw_text(expected, call),
                _ => false,
            },
            Outcome::AnyFlag => {
                matches!(reason, Reason::ErrorFlagInvented | Reason::ErrorFlagLost)
                    && (expected.is_some_and(|value| is_of(place, value))
                        || answer.is_some_and(|value| is_of(place, value)))
            }
        }
    }

    /// Returns whether a result of the expected document answers this call with content that a tool gave.
    fn has_real_result(&self, call: Value<'_>) -> bool {
        if self.expected.dialect != Dialect::Canonical {
            return true;
        }
        let Some(id) = call.get("id").and_then(Value::as_str) else { return false };
        let messages = self.expected.root.get("messages").into_iter().flat_map(Value::items);
        let behind = messages.filter(|message| message.span().start > call.span().start);
        // An id may occur again in a later turn.
        let mut results = behind
            .take_while(|message| !message.get("role").is_some_and(|role| role.is_str("assistant")))
            .filter(|message| message.get("toolCallId").is_some_and(|other| other.is_str(&id)));
        results.any(|result| !is_synthetic(result))
    }

    fn is_kept_call(&self, place: &Place<'_>, reason: Reason, answer: Value<'_>) -> bool {
        let call = match reason {
            Reason::CallInvented => self.call_at(answer),
            Reason::ResultInvented => {
                self.result_at(answer).and_then(|result| self.calls().find(|call| Some(call.number) == result.call))
            }
            _ => None,
        };
        let Some(call) = call else { return false };
        let strings = place.strings();
        // An unfinished text has the words of its arguments in parts.
        let parts = Quote::new([], strings.whole.iter().chain(&strings.keys).map(String::as_str));
        let has_own_arguments = match &call.arguments {
            Arguments::Value(value) => strings_of(*value).iter().all(|text| parts.covers(text)),
            Arguments::Text(text) | Arguments::Input(text) => parts.covers(text),
            Arguments::Missing => true,
        };
        let results = self.results().filter(|result| result.call == Some(call.number));
        let is_own = |result: &ToolResult<'_>| {
            let texts = texts_of(&result.items);
            texts.iter().all(|text| is_stand_in(text)) || texts.iter().all(|text| strings.quote.covers(text))
        };
        (strings.has(&call.name) || call.name.trim().is_empty() || !strings.keys.contains("name"))
            && has_own_arguments
            && results.into_iter().all(is_own)
    }

    fn is_other_result(&self, place: &Place<'_>, at: &At<'_>) -> bool {
        let is_of_result = matches!(
            at.reason,
            Reason::ResultChanged
                | Reason::ResultInvented
                | Reason::ErrorFlagInvented
                | Reason::ErrorFlagLost
                | Reason::TextInvented
                | Reason::TextMissing
                | Reason::MediaMissing
        );
        let Some(result) = at.answer.filter(|_| is_of_result).and_then(|answer| self.result_at(answer)) else {
            return false;
        };
        let texts = texts_of(&result.items);
        let before = texts_at(self.expected, at.expected);
        let is_here = at.expected.is_some_and(|expected| is_of(place, expected))
            || result.id.as_deref().is_some_and(|id| place.strings().has(id))
            || before.iter().any(|text| place.strings().has(text));
        if !is_here {
            return false;
        }
        // A result that a tool gave counts more than one that stands in for it.
        let is_missing = |texts: &[String]| !texts.is_empty() && texts.iter().all(|text| is_stand_in(text));
        if is_missing(&texts) && !is_missing(&before) {
            return false;
        }
        let known = place.strings().with(before);
        !texts.is_empty() && texts.iter().all(|text| known.quote.covers(text) && known.has_one_in(text))
    }

    fn is_marked_text(&self, place: &Place<'_>, at: &At<'_>, answer: Value<'_>) -> bool {
        let strings = place.strings();
        if let Some(result) = self.result_at(answer).filter(|_| at.reason == Reason::ResultInvented) {
            // The server rejects it, and that is all that is wrong with it.
            return texts_of(&result.items).iter().all(|text| strings.quote.covers(text));
        }
        if !matches!(at.reason, Reason::TextInvented | Reason::TextChanged) || self.is_system(answer) {
            return false;
        }
        let texts = texts_at(self.answer, answer);
        let is_marked =
            |strings: &Strings| texts.iter().all(|text| strings.quote.covers(text) && strings.quote.has_mark(text));
        // The text may be joined with expected ones, which are compared by themselves.
        let changed = texts_at(self.expected, at.expected);
        let is_whole = |text: &String| changed.iter().all(|other| text.contains(other.trim()));
        let others = || items_of(self.expected).flat_map(|item| texts_of(std::slice::from_ref(item)));
        !texts.is_empty() && texts.iter().all(is_whole) && (is_marked(strings) || is_marked(&strings.with(others())))
    }

    fn is_text(&self, place: &Place<'_>, at: &At<'_>, outcome: Outcome) -> bool {
        let is_of_text = matches!(
            at.reason,
            Reason::TextChanged
                | Reason::TextInvented
                | Reason::TextMissing
                | Reason::ResultChanged
                | Reason::TextRepeated
        );
        let is_of_value = outcome == Outcome::AnyValue;
        let is_of_text = is_of_text
            || is_of_value
                && matches!(
                    at.reason,
                    Reason::ArgumentsChanged
                        | Reason::CallRenamed
                        | Reason::ResultMisattributed
                        | Reason::MediaReplaced
                );
        if !is_of_text {
            return false;
        }
        let strings = place.strings();
        let is_covered = |texts: &[String]| {
            // One of the values is whole, and nothing is around it.
            let is_value = |text: &str| strings.whole.iter().any(|string| string.trim() == text.trim());
            texts.iter().all(|text| {
                if is_of_value { is_value(text) } else { strings.quote.covers(text) && strings.has_one_in(text) }
            })
        };
        let before = strings_in(self.expected, at.expected);
        let after = strings_in(self.answer, at.answer);
        // A text that is missing may be part of another one, which is a difference of its own.
        (at.reason != Reason::TextMissing || self.has_text_of(strings))
            && (!before.is_empty() || !after.is_empty())
            && is_covered(&before)
            && is_covered(&after)
    }

    /// Returns whether the answer has a text with the longest of these strings.
    fn has_text_of(&self, strings: &Strings) -> bool {
        let Some(longest) = strings.whole.iter().max_by_key(|string| string.len()) else { return false };
        let longest = longest.trim();
        self.items().any(|item| matches!(&item.content, Content::Text(text) if text.contains(longest)))
    }

    fn is_media_note(&self, place: &Place<'_>, at: &At<'_>) -> bool {
        let strings = place.strings();
        // The head of a data URL has the type.
        let head = |text: &'_ str| text.split_once(";base64,").map_or(0..text.len(), |(head, _)| 0..head.len());
        let names = strings.whole.iter().map(|name| &name[head(name)]).filter(|name| name.len() <= MAX_NAME);
        let names: Vec<&str> = names.flat_map(|name| [name, name.trim_start_matches("data:")]).collect();
        let is_note = |text: &String| {
            is_own_note(text)
                || [MediaKind::Image, MediaKind::Document, MediaKind::Audio, MediaKind::Video]
                    .into_iter()
                    .any(|kind| is_media_note(text, kind, &names))
        };
        let before = texts_at(self.expected, at.expected);
        let after = texts_at(self.answer, at.answer);
        match at.reason {
            Reason::TextMissing => !before.is_empty() && before.iter().all(is_note),
            Reason::TextInvented => !after.is_empty() && after.iter().all(is_note),
            Reason::TextChanged => before.iter().all(is_note) && after.iter().all(is_note),
            Reason::MediaMissing => at.expected.is_some_and(|expected| is_of_media(self.expected, expected, strings)),
            // The other texts of the result stay.
            Reason::ResultChanged => {
                if !self.has_media_of(at.expected) {
                    return false;
                }
                let said = |texts: &[String]| -> Vec<String> {
                    texts.iter().filter(|text| !is_note(text) && !text.trim().is_empty()).cloned().collect()
                };
                let (before, after) = (said(&before), said(&after));
                let is_empty_note = |text: &String| text.trim() == "(no output)";
                before.into_iter().filter(|text| !is_empty_note(text)).collect::<String>() == after.concat()
            }
            _ => false,
        }
    }

    /// Returns whether the answer has all media of an expected result.
    fn has_media_of(&self, expected: Option<Value<'_>>) -> bool {
        let Some(expected) = expected else { return true };
        let inside = items_of(self.expected).filter(|item| is_within(item.place, expected));
        inside.filter_map(media_of).all(|media| {
            self.items().filter_map(media_of).any(|other| match (&media.source, &other.source) {
                (Source::Base64(one), Source::Base64(other))
                | (Source::Url(one), Source::Url(other))
                | (Source::File(one), Source::File(other)) => one == other,
                _ => false,
            })
        })
    }

    fn is_medium(&self, place: &Place<'_>, at: &At<'_>) -> bool {
        let strings = place.strings();
        let is_note = |text: &String| text.trim_start().starts_with(['[']) && strings.with([]).quote.covers(text);
        match at.reason {
            Reason::MediaInvented => at.answer.is_some_and(|answer| is_of_media(self.answer, answer, strings)),
            Reason::TextMissing => {
                let before = texts_at(self.expected, at.expected);
                !before.is_empty()
                    && before.iter().all(is_note)
                    && self.items().any(|item| media_of(item).is_some_and(|media| is_own_medium(media, strings)))
            }
            _ => false,
        }
    }

    /// Returns whether a place of the answer is among instructions.
    fn is_system(&self, value: Value<'_>) -> bool {
        let span = value.span();
        let turns = self.answer.turns.iter().filter(|turn| turn.speaker == Speaker::System);
        let places = turns.map(|turn| turn.place).chain(self.answer.instructions.iter().map(|item| item.place));
        places.map(Value::span).any(|outer| outer.start <= span.start && span.end <= outer.end)
    }

    fn items(&self) -> impl Iterator<Item = &'a Item<'a>> {
        items_of(self.answer)
    }

    fn calls(&self) -> impl Iterator<Item = &'a Call<'a>> {
        self.items().filter_map(|item| match &item.content {
            Content::Call(call) => Some(call),
            _ => None,
        })
    }

    fn results(&self) -> impl Iterator<Item = &'a ToolResult<'a>> {
        self.items().filter_map(|item| match &item.content {
            Content::Result(result) => Some(result),
            _ => None,
        })
    }

    fn call_at(&self, value: Value<'_>) -> Option<&'a Call<'a>> {
        self.items().find_map(|item| match &item.content {
            Content::Call(call) if is_within(value, item.place) => Some(call),
            _ => None,
        })
    }

    fn result_at(&self, value: Value<'_>) -> Option<&'a ToolResult<'a>> {
        self.items().find_map(|item| match &item.content {
            Content::Result(result) if is_within(value, item.place) => Some(result),
            _ => None,
        })
    }
}

/// Returns whether a text of an expected document is the note for a medium that is left out.
fn is_own_note(text: &str) -> bool {
    ["[wirecanon: image left out: ", "[wirecanon: file left out: "].iter().any(|start| text.trim().starts_with(start))
}

/// Returns whether a call has the whole text of invalid arguments under one key, as an expected call has it.
fn is_raw_text(expected: Value<'_>, call: &Call<'_>) -> bool {
    let only = |arguments: Value<'_>| {
        let mut members = arguments.members();
        let (_, value) = members.next()?;
        value.as_str().filter(|_| members.next().is_none()).map(Cow::into_owned)
    };
    let of_text = |text: &str| Json::parse(text, &Limits::default()).ok().and_then(|json| only(json.root()));
    let before = expected.get("arguments").and_then(|arguments| match arguments.as_str() {
        Some(text) => of_text(&text),
        None => only(arguments),
    });
    let after = match &call.arguments {
        Arguments::Value(value) => only(*value),
        Arguments::Text(text) => of_text(text),
        Arguments::Input(_) | Arguments::Missing => None,
    };
    before.is_some() && before == after
}

/// Shorter base64 may occur in a text by chance.
const MIN_BASE64: usize = 32;

/// Returns a difference for each medium whose base64 is in a text of the answer, and in none of the expected document.
pub(super) fn media_as_text<'e>(
    expected: &'e Observation<'e>,
    answer: &'e Observation<'e>,
    known: &[super::Reason],
) -> Vec<super::Reason> {
    let kind = Reason::MediaAsText.id();
    let mut found: Vec<super::Reason> = Vec::new();
    if known.iter().any(|reason| reason.kind == kind) {
        return found;
    }
    for item in items_of(expected) {
        let Some(Source::Base64(data)) = media_of(item).map(|media| &media.source) else { continue };
        let has_it = |item: &&Item<'_>| {
            matches!(&item.content, Content::Text(text) if text.contains(data.as_ref()))
                || matches!(&item.content, Content::Data(value) if value.raw().contains(data.as_ref()))
        };
        if data.len() < MIN_BASE64 || items_of(expected).any(|item| has_it(&item)) {
            continue;
        }
        if let Some(text) = items_of(answer).find(has_it) {
            found.push(super::Reason {
                kind: kind.to_owned(),
                answer: Some(text.place.pointer()),
                expected: Some(item.place.pointer()),
                detail: "the base64 of the medium is in a text".to_owned(),
            });
        }
    }
    found
}

/// Longer strings are not names.
const MAX_NAME: usize = 256;

fn is_within(inner: Value<'_>, outer: Value<'_>) -> bool {
    let (inner, outer) = (inner.span(), outer.span());
    outer.start <= inner.start && inner.end <= outer.end
}

fn is_synthetic(result: Value<'_>) -> bool {
    result.get("synthetic").and_then(Value::as_bool) == Some(true)
}

/// Returns whether a call or a result belongs to a broken place: the place has its id.
fn is_of(place: &Place<'_>, value: Value<'_>) -> bool {
    const IDS: [&str; 7] = ["id", "toolCallId", "tool_call_id", "tool_use_id", "call_id", "toolUseId", "name"];
    IDS.iter().filter_map(|key| value.get(key)?.as_str()).any(|id| place.strings().has(&id))
}

/// Returns the items of a conversation, also those of results and of items of providers.
fn items_of<'a>(observation: &'a Observation<'a>) -> impl Iterator<Item = &'a Item<'a>> {
    let outer = observation.instructions.iter().chain(observation.turns.iter().flat_map(|turn| &turn.items));
    outer.flat_map(|item| {
        let inner: &[Item<'_>] = match &item.content {
            Content::Result(result) => &result.items,
            _ => &[],
        };
        std::iter::once(item).chain(inner)
    })
}

fn texts_of(items: &[Item<'_>]) -> Vec<String> {
    items
        .iter()
        .filter_map(|item| match &item.content {
            Content::Text(text) => Some(text.to_string()),
            Content::Data(value) => Some(value.raw().to_owned()),
            _ => None,
        })
        .filter(|text| !text.trim().is_empty())
        .collect()
}

/// Returns the texts at a place: those in it, or else the one that holds it.
fn texts_at<'v>(observation: &Observation<'_>, value: impl Into<Option<Value<'v>>>) -> Vec<String> {
    let Some(value) = value.into() else { return Vec::new() };
    let texts = |is_at: &dyn Fn(&Item<'_>) -> bool| -> Vec<String> {
        let mut all = Vec::new();
        for item in items_of(observation).filter(|item| is_at(item)) {
            all.extend(texts_of(std::slice::from_ref(item)));
        }
        all
    };
    let inner = texts(&|item| is_within(item.place, value));
    if inner.is_empty() { texts(&|item| is_within(value, item.place)) } else { inner }
}

/// Returns the texts at a place, and the strings of calls there.
fn strings_in<'v>(observation: &Observation<'_>, value: impl Into<Option<Value<'v>>>) -> Vec<String> {
    let Some(value) = value.into() else { return Vec::new() };
    let mut all = texts_at(observation, value);
    for item in items_of(observation).filter(|item| is_within(item.place, value) || is_within(value, item.place)) {
        if let Content::Call(call) = &item.content {
            all.push(call.name.to_string());
            match &call.arguments {
                Arguments::Value(value) => all.extend(strings_of(*value)),
                Arguments::Text(text) | Arguments::Input(text) => all.push(text.to_string()),
                Arguments::Missing => {}
            }
        }
    }
    all
}

fn strings_of(value: Value<'_>) -> Vec<String> {
    let (mut whole, mut keys) = (Vec::new(), BTreeSet::new());
    collect(value, &mut whole, &mut keys, 0);
    whole
}

fn media_of<'a>(item: &'a Item<'a>) -> Option<&'a Media<'a>> {
    match &item.content {
        Content::Media(media) => Some(media),
        Content::Resource(resource) => resource.media.as_ref(),
        _ => None,
    }
}

fn is_of_media<'a>(observation: &'a Observation<'a>, value: Value<'_>, strings: &Strings) -> bool {
    items_of(observation)
        .filter(|item| is_within(item.place, value) || is_within(value, item.place))
        .filter_map(media_of)
        .any(|media| is_own_medium(media, strings))
}

fn is_own_medium(media: &Media<'_>, strings: &Strings) -> bool {
    match &media.source {
        Source::Base64(data) | Source::Url(data) | Source::File(data) | Source::Text(data) => {
            strings.whole.iter().any(|string| string.contains(data.as_ref()))
        }
        Source::Bytes(_) | Source::Items(_) => false,
    }
}

/// Returns strings without what stands for characters that cannot be encoded.
fn squash(strings: &[String]) -> String {
    let is_left = |c: &char| !matches!(c, '\u{FFFD}' | '?' | '\0') && !c.is_whitespace();
    strings.iter().flat_map(|string| string.chars()).filter(is_left).collect()
}
