//! Tool calls, their names and arguments, and which results they have.

use wirecanon_json::{Json, Limits};

use super::{Matcher, Previous};
use crate::compare::flat::{Given, Kind, Unit};
use crate::compare::quoted;
use crate::compare::value::{Relation, relation, relation_of_texts};
use crate::equivalence::Equivalence;
use crate::observation::{Arguments, Call, Content};
use crate::reason::Reason;
use crate::wire::only_member;

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    pub(super) fn call(&mut self, at: usize, want: Unit<'o, 'a>, call: &'o Call<'a>) {
        if !self.target.content.tools {
            self.call_as_text(at, want, call);
            return;
        }
        loop {
            let Some(unit) = self.unit() else {
                self.missing(want);
                return;
            };
            if let Kind::Call(other) = unit.kind {
                if let Some(relation) = self.same_call(call, other) {
                    self.cursor.next();
                    self.matched(want, unit);
                    if relation == Relation::Rounded {
                        let places = (Some(want.item.place), Some(unit.item.place));
                        self.report(Reason::NumberRounded, places.0, places.1, numbers(call, other));
                    }
                    self.results(want, call, unit, other);
                    return;
                }
                if self.optional_call(unit, other) {
                    self.cursor.next();
                    continue;
                }
            } else if self.skip(Some(at)) {
                continue;
            }
            if !self.resolve(at, want) {
                return;
            }
        }
    }

    /// Returns whether a call of the answer is one that a provider ran; its result is that of the provider.
    pub(super) fn optional_call(&mut self, unit: Unit<'o, 'a>, other: &'o Call<'a>) -> bool {
        let found = self.optional.iter().position(|call| {
            call.name.trim() == other.name.trim()
                && arguments(call, other).is_some_and(|relation| relation < Relation::Rounded)
        });
        let Some(found) = found else { return false };
        let Some(call) = self.optional.remove(found) else { return false };
        self.comparison.uses(Equivalence::ProviderItem);
        self.previous = Some(Previous::Call);
        let provided = call.id.as_deref().and_then(|id| self.wanted.provided.get(id)).copied();
        for answer in self.given.results_of(other.number) {
            let is_same = match &provided {
                Some(provided) => self.result(provided, answer, Some(other)),
                None => self.stands_in(answer, Some(other)),
            };
            if !is_same {
                let place = provided.map(|provided| provided.item.place);
                let detail = format!("the tool result of tool call {} says something else", describe_call(other));
                self.report(Reason::ResultChanged, place.or(Some(unit.item.place)), Some(answer.item.place), detail);
            }
        }
        true
    }

    /// Compares names and arguments of two calls; `None` if they are two calls.
    pub(super) fn same_call(&mut self, call: &'o Call<'a>, other: &'o Call<'a>) -> Option<Relation> {
        let relation = arguments(call, other).filter(|relation| *relation < Relation::Different)?;
        if !self.same_name(&call.name, &other.name) {
            return None;
        }
        let is_input = |call: &Call<'_>| matches!(call.arguments, Arguments::Input(_));
        match relation {
            Relation::Respelled => self.comparison.uses(Equivalence::Numbers),
            Relation::Raw => self.comparison.uses(Equivalence::RawArguments),
            _ if is_input(call) != is_input(other) => self.comparison.uses(Equivalence::CustomTool),
            _ if text_of(&call.arguments) != text_of(&other.arguments) => {
                self.comparison.uses(Equivalence::JsonLayout);
            }
            _ => {}
        }
        if call.id != other.id {
            self.comparison.uses(Equivalence::Ids);
        }
        Some(relation)
    }

    /// Returns whether a name is the expected one, or the one that replaces it everywhere because the target refuses it.
    pub(super) fn same_name(&mut self, name: &'o str, other: &'o str) -> bool {
        let (name, other) = (name.trim(), other.trim());
        // A name that is missing is made up.
        if name.is_empty() {
            return self.accepts(Equivalence::Names);
        }
        if let Some(known) = self.names.get(name) {
            return *known == other;
        }
        if let Some(original) = self.originals.get(other) {
            return *original == name;
        }
        if name != other {
            if self.target.names.accepts(name) || !self.target.names.accepts(other) {
                return false;
            }
            self.comparison.uses(Equivalence::Names);
        }
        self.names.insert(name, other);
        self.originals.insert(other, name);
        true
    }

    pub(super) fn results(&mut self, want: Unit<'o, 'a>, call: &'o Call<'a>, unit: Unit<'o, 'a>, other: &'o Call<'a>) {
        let (wanted, given) = (self.wanted.results_of(call.number), self.given.results_of(other.number));
        let mut rest = given.iter();
        for result in wanted {
            if self.comparison.has_ended_early {
                return;
            }
            let Some(answer) = rest.next() else {
                // A stand-in says nothing.
                if result.result.is_synthetic {
                    self.comparison.uses(Equivalence::StandIn);
                    continue;
                }
                let detail = format!("tool call {} has no tool result", describe_call(other));
                self.report(Reason::ResultMissing, Some(result.item.place), Some(unit.item.place), detail);
                continue;
            };
            if answer.is_displaced && !result.is_displaced {
                let detail = "the tool result does not follow the turn of its tool call";
                self.report(Reason::ResultMoved, Some(result.item.place), Some(answer.item.place), detail);
            }
            if !self.result(result, answer, Some(other)) {
                let reason = if self.is_of_another_call(answer, call.number) {
                    Reason::ResultMisattributed
                } else {
                    Reason::ResultChanged
                };
                let detail = format!("the tool result of tool call {} says something else", describe_call(other));
                self.report(reason, Some(result.item.place), Some(answer.item.place), detail);
            }
            if let Some(name) = answer.result.name.as_ref().filter(|name| name.trim() != other.name.trim()) {
                let detail = format!("the tool result names `{name}`, and its tool call `{}`", other.name);
                let is_like_expected = result.result.name.as_ref().is_some_and(|expected| expected == name);
                if !is_like_expected {
                    self.report(Reason::CallRenamed, Some(result.item.place), Some(answer.item.place), detail);
                }
            }
        }
        for answer in rest {
            // A call that nothing answered.
            if wanted.is_empty() && self.stands_in(answer, Some(other)) {
                self.comparison.uses(Equivalence::StandIn);
                continue;
            }
            let detail = format!("tool call {} has a tool result more", describe_call(other));
            self.report(Reason::ResultInvented, Some(want.item.place), Some(answer.item.place), detail);
        }
    }

    /// Returns whether a result of the answer says what another call's result must say.
    pub(super) fn is_of_another_call(&self, answer: &Given<'o, 'a>, call: usize) -> bool {
        let text = squashed_result(answer);
        !text.is_empty()
            && self
                .wanted
                .results
                .iter()
                .enumerate()
                .any(|(number, results)| number != call && results.iter().any(|result| squashed_result(result) == text))
    }
}

/// Compares the arguments of two calls; `None` if one of them is no JSON.
pub(super) fn arguments(call: &Call<'_>, other: &Call<'_>) -> Option<Relation> {
    match (&call.arguments, &other.arguments) {
        (Arguments::Value(a), Arguments::Value(b)) => Some(relation(*a, *b)),
        (Arguments::Input(a), Arguments::Input(b)) => Some(if a == b { Relation::Same } else { Relation::Different }),
        (Arguments::Input(input), other) | (other, Arguments::Input(input)) => {
            // A custom tool is a function with `input`.
            let text = text_of(other);
            let json = Json::parse(&text, &Limits::default()).ok()?;
            let same = only_member(json.root())
                .is_some_and(|(key, value)| key.is_str("input") && value.as_str().is_some_and(|text| text == *input));
            Some(if same { Relation::Same } else { Relation::Different })
        }
        (a, b) => {
            let (a, b) = (text_of(a), text_of(b));
            match relation_of_texts(&a, &b) {
                Some(Relation::Different) | None if holds_raw(&b, &a) || is_marked_raw(&a, &b) => Some(Relation::Raw),
                Some(relation) => Some(relation),
                None if a.trim() == b.trim() => Some(Relation::Same),
                None => None,
            }
        }
    }
}

/// Returns whether arguments are an object that says by its key that it holds the text of others, which are no JSON.
pub(super) fn is_marked_raw(arguments: &str, raw: &str) -> bool {
    arguments.contains("\"INVALID_JSON\"") && holds_raw(arguments, raw)
}

/// Returns whether arguments are an object with the whole text of others, which are no JSON object, under one key.
pub(super) fn holds_raw(arguments: &str, raw: &str) -> bool {
    let Ok(json) = Json::parse(arguments, &Limits::default()) else { return false };
    let held = only_member(json.root()).and_then(|(_, value)| value.as_str());
    held.is_some_and(|text| text.trim() == raw.trim())
        && !Json::parse(raw, &Limits::default()).is_ok_and(|json| json.root().is_object())
}

pub(super) fn text_of<'t>(arguments: &'t Arguments<'_>) -> std::borrow::Cow<'t, str> {
    match arguments {
        Arguments::Value(value) => value.raw().into(),
        Arguments::Text(text) if text.trim().is_empty() => "{}".into(),
        Arguments::Text(text) | Arguments::Input(text) => (&**text).into(),
        Arguments::Missing => "{}".into(),
    }
}

pub(super) fn arguments_text(call: &Call<'_>) -> String {
    text_of(&call.arguments).into_owned()
}

pub(super) fn numbers(call: &Call<'_>, other: &Call<'_>) -> String {
    format!("expected {}, got {}", quoted(&arguments_text(call)), quoted(&arguments_text(other)))
}

/// A call, as reports name it.
pub(super) fn describe_call(call: &Call<'_>) -> String {
    match &call.id {
        Some(id) => format!("`{id}` of `{}`", call.name),
        None => format!("`{}`", call.name),
    }
}

pub(super) fn squashed_result(given: &Given<'_, '_>) -> String {
    let mut text = String::new();
    for item in &given.result.items {
        match &item.content {
            Content::Text(words) => text.extend(words.split_whitespace()),
            Content::Data(value) => text.extend(value.raw().split_whitespace()),
            Content::Media(media) => text.push_str(&media.fingerprint().to_string()),
            _ => {}
        }
    }
    text
}
