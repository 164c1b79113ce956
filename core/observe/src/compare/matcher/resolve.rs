//! The reason of a difference: the answer does not continue as expected.

use std::hash::{DefaultHasher, Hash, Hasher};

use hashbrown::HashMap;
use wirecanon_json::{Json, Kind as JsonKind, Limits, Value};

use super::calls::{arguments, arguments_text, describe_call, text_of};
use super::fillers::is_filler;
use super::{AHEAD, Matcher, Previous, TRIES};
use crate::compare::cursor::{find_head, is_separate};
use crate::compare::flat::{Flat, Kind, Unit};
use crate::compare::quoted;
use crate::compare::value::Relation;
use crate::equivalence::Equivalence;
use crate::observation::{Content, Speaker};
use crate::reason::Reason;

/// The places of units, by their content.
pub(super) struct Index {
    given: HashMap<u64, Vec<usize>>,
    wanted: HashMap<u64, Vec<usize>>,
}

impl Index {
    fn new(wanted: &Flat<'_, '_>, given: &Flat<'_, '_>) -> Self {
        let by_content = |units: &[Unit<'_, '_>]| {
            let mut map: HashMap<u64, Vec<usize>> = HashMap::new();
            for (at, unit) in units.iter().enumerate() {
                map.entry(fingerprint(unit)).or_default().push(at);
            }
            map
        };
        Self { given: by_content(&given.units), wanted: by_content(&wanted.units) }
    }
}

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Decides what is wrong where the answer does not go on as expected. Returns whether the element is to be tried again.
    pub(super) fn resolve(&mut self, at: usize, want: Unit<'o, 'a>) -> bool {
        let Some(unit) = self.unit() else {
            self.missing(want);
            return false;
        };
        if self.takes_early_item(at, want, unit) {
            return true;
        }
        let ahead = self.find_given(want);
        let expected = self.find_wanted(unit, at + 1);
        // What stands between a call and its result may stand behind the result.
        if let Some((found, 0)) = ahead
            && want.is_late
            && self.given.units[found].step <= self.step_behind_results(unit)
        {
            self.comparison.uses(Equivalence::ResultOrder);
            self.claimed.insert(found);
            return false;
        }
        // The dialect keeps media beside the text of a message.
        if let Some((found, 0)) = ahead
            && self.is_media_last
            && matches!(want.kind, Kind::Media(_))
            && self.given.units[found].step == unit.step
            && (self.cursor.at..found)
                .all(|at| self.claimed.contains(&at) || !matches!(self.given.units[at].kind, Kind::Media(_)))
        {
            self.claimed.insert(found);
            return false;
        }
        match (ahead, expected) {
            (Some((found, offset)), None) => {
                let before = (self.cursor.at, self.cursor.offset);
                self.extra_until(found, offset);
                let has_moved = before != (self.cursor.at, self.cursor.offset);
                if !has_moved {
                    self.missing(want);
                }
                has_moved
            }
            // What comes too early is passed, where that is the shorter way.
            (Some((found, 0)), Some(next)) if found - self.cursor.at < next - at && self.cursor.offset == 0 => {
                self.too_early(unit, next);
                true
            }
            (None, Some(_))
                if matches!((want.kind, unit.kind), (Kind::Media(_), Kind::Media(_)))
                    && want.speaker == unit.speaker =>
            {
                self.changed(at, want, unit);
                false
            }
            (Some((found, _)), Some(_)) => {
                let place = self.given.units[found].item.place;
                self.report(moved(want), Some(want.item.place), Some(place), "the order is another one");
                self.claimed.insert(found);
                if let (Kind::Call(call), Kind::Call(other)) = (want.kind, self.given.units[found].kind) {
                    self.names.entry(call.name.trim()).or_insert(other.name.trim());
                    self.results(want, call, self.given.units[found], other);
                }
                false
            }
            (None, Some(_)) => {
                self.missing(want);
                false
            }
            (None, None) => {
                self.changed(at, want, unit);
                false
            }
        }
    }

    /// Returns the turn behind the results of a turn, and behind the message with their media.
    fn step_behind_results(&self, unit: Unit<'o, 'a>) -> usize {
        let ahead = self.given.units[self.cursor.at..].iter().take(AHEAD);
        let has_media = ahead
            .filter(|next| next.step == unit.step + 1)
            .any(|next| next.speaker == Speaker::User && matches!(next.kind, Kind::Media(_)));
        unit.step + 1 + usize::from(has_media)
    }

    /// Reports a unit of the answer that is expected further down, and passes it.
    pub(super) fn too_early(&mut self, unit: Unit<'o, 'a>, next: usize) {
        let want = self.wanted.units[next];
        self.report(moved(unit), Some(want.item.place), Some(unit.item.place), "the order is another one");
        self.satisfied.insert(next);
        self.cursor.next();
        if let (Kind::Call(call), Kind::Call(other)) = (want.kind, unit.kind) {
            self.names.entry(call.name.trim()).or_insert(other.name.trim());
            self.results(want, call, unit, other);
        }
    }

    pub(super) fn changed(&mut self, at: usize, want: Unit<'o, 'a>, unit: Unit<'o, 'a>) {
        let (expected, given) = (Some(want.item.place), Some(unit.item.place));
        match (want.kind, unit.kind) {
            (Kind::Text(text), Kind::Text(_)) if want.speaker == unit.speaker => {
                let rest = self.cursor.rest();
                if self.is_elsewhere(text) {
                    self.missing(want);
                    return;
                }
                let detail = format!("expected {}, got {}", quoted(text), quoted(rest));
                self.report(Reason::TextChanged, expected, given, detail);
                // What comes next may be in the same text.
                let next = self.head_of_next(at).and_then(|next| find_head(rest, next)).filter(|found| *found > 0);
                match next {
                    Some(next) => self.cursor.skip(next),
                    None => self.cursor.next(),
                }
            }
            (Kind::Media(_), Kind::Media(_)) if want.speaker == unit.speaker => {
                self.report(Reason::MediaReplaced, expected, given, "the media have other bytes or another address");
                self.cursor.next();
            }
            (Kind::Call(call), Kind::Call(other)) => {
                let same_arguments = arguments(call, other).is_some_and(|relation| relation < Relation::Different);
                if same_arguments {
                    let detail = format!("expected tool `{}`, got `{}`", call.name, other.name);
                    self.report(Reason::CallRenamed, expected, given, detail);
                } else if call.name == other.name
                    || self.names.get(call.name.trim()).is_some_and(|name| *name == other.name)
                {
                    let reason = if arguments(call, other).is_none() {
                        Reason::ArgumentsUnparsable
                    } else {
                        Reason::ArgumentsChanged
                    };
                    self.report(
                        reason,
                        expected,
                        given,
                        format!("expected {}, got {}", quoted(&arguments_text(call)), quoted(&arguments_text(other))),
                    );
                } else {
                    self.missing(want);
                    return;
                }
                self.cursor.next();
                self.matched(want, unit);
                self.results(want, call, unit, other);
            }
            _ => self.missing(want),
        }
    }

    pub(super) fn missing(&mut self, want: Unit<'o, 'a>) {
        let place = Some(want.item.place);
        match want.kind {
            Kind::Text(text) => {
                let other = self.given.units.iter().enumerate().find(|(_, unit)| {
                    unit.speaker != want.speaker
                        && matches!(unit.kind, Kind::Text(other) if other.contains(text.trim()))
                });
                if let Some((at, unit)) = other {
                    let (speaker, wanted) = (unit.speaker.name(), want.speaker.name());
                    let (unit, is_whole) =
                        (*unit, matches!(unit.kind, Kind::Text(other) if other.trim() == text.trim()));
                    if is_whole && at >= self.cursor.at {
                        self.claimed.insert(at);
                    }
                    let detail = format!("the {speaker} says what the {wanted} said");
                    self.report(Reason::SpeakerChanged, place, Some(unit.item.place), detail);
                } else if let Some(unit) =
                    self.given.units[..self.cursor.at.min(self.given.units.len())].iter().find(|unit| {
                        matches!(unit.kind, Kind::Text(other) if other.trim() == text.trim())
                            && !self.is_expected_before(unit, want)
                    })
                {
                    self.report(Reason::TextMoved, place, Some(unit.item.place), "the text is further up");
                } else {
                    self.report(Reason::TextMissing, place, None, quoted(text));
                }
            }
            Kind::Data(value) => self.report(Reason::TextMissing, place, None, quoted(value.raw())),
            Kind::Media(media) => {
                let reason = self.reason_of_missing_media(media);
                self.report(reason, place, None, format!("{} is missing", media.kind.name()));
            }
            Kind::Resource(resource) => {
                let detail = format!("resource {} is missing", quoted(resource.uri.as_deref().unwrap_or_default()));
                self.report(Reason::TextMissing, place, None, detail);
            }
            Kind::Provider(provider) => {
                self.report(Reason::ProviderItemMissing, place, None, format!("item `{}` is missing", provider.kind));
            }
            Kind::Call(call) => {
                self.report(Reason::CallMissing, place, None, format!("tool call {} is missing", describe_call(call)));
            }
            Kind::Blank => {}
        }
    }

    /// Returns whether an equal text is expected before this one: then a text that was passed is that one.
    pub(super) fn is_expected_before(&self, unit: &Unit<'_, '_>, want: Unit<'_, '_>) -> bool {
        let Kind::Text(text) = unit.kind else { return false };
        self.wanted
            .units
            .iter()
            .take_while(|before| !std::ptr::eq(before.item, want.item))
            .any(|before| matches!(before.kind, Kind::Text(other) if other.trim() == text.trim()))
    }

    /// Returns whether a text is said by another speaker.
    pub(super) fn is_elsewhere(&self, text: &str) -> bool {
        let text = text.trim();
        text.len() > 1
            && self.given.units.iter().any(|unit| matches!(unit.kind, Kind::Text(other) if other.trim() == text))
    }

    /// Reports what stands before a unit of the answer as additional.
    pub(super) fn extra_until(&mut self, found: usize, offset: usize) {
        while self.unit().is_some() && self.cursor.at < found && !self.comparison.has_ended_early {
            self.extra();
        }
        if self.cursor.at == found
            && offset > self.cursor.offset
            && let Some(Unit { kind: Kind::Text(text), item, .. }) = self.given.units.get(found).copied()
        {
            let more = &text[self.cursor.offset..offset];
            if !more.trim().is_empty() {
                self.extra_text(more, item.place, self.given.units[found].speaker, false);
            }
            self.cursor.offset = offset;
        }
    }

    /// Reports the unit at the cursor as additional.
    pub(super) fn extra(&mut self) {
        let Some(unit) = self.unit() else {
            self.cursor.next();
            return;
        };
        let place = Some(unit.item.place);
        match unit.kind {
            Kind::Text(_) => {
                let rest = self.cursor.rest();
                self.extra_text(rest, unit.item.place, unit.speaker, self.cursor.offset == 0);
            }
            Kind::Data(value) => self.report(Reason::TextInvented, None, place, quoted(value.raw())),
            Kind::Media(media) => {
                self.report(Reason::MediaInvented, None, place, format!("{} is not expected", media.kind.name()));
            }
            Kind::Resource(_) => self.report(Reason::MediaInvented, None, place, "a resource is not expected"),
            Kind::Provider(provider) => {
                let reason = match provider.readable.first().map(|item| &item.content) {
                    Some(Content::Call(_)) => Reason::CallInvented,
                    Some(Content::Result(_)) => Reason::ResultInvented,
                    _ => Reason::TextInvented,
                };
                self.report(reason, None, place, format!("item `{}` is not expected", provider.kind));
            }
            Kind::Call(call) => {
                if !self.optional_call(unit, call) {
                    let detail = format!("tool call {} is not expected", describe_call(call));
                    self.report(Reason::CallInvented, None, place, detail);
                }
                self.previous = Some(Previous::Call);
            }
            Kind::Blank => {}
        }
        self.cursor.next();
    }

    pub(super) fn extra_text(&mut self, text: &str, place: Value<'a>, speaker: Speaker, is_whole: bool) {
        let trimmed = text.trim();
        let is_thought = self.wanted.thoughts.iter().any(|thought| {
            let thought = thought.reasoning.text.trim();
            !thought.is_empty() && trimmed.contains(thought)
        });
        let is_repeated = || {
            self.wanted.units.iter().any(|unit| {
                matches!(unit.kind, Kind::Text(other) if other.trim() == trimmed || other.contains(trimmed) && trimmed.len() > 8)
            })
        };
        let reason = if is_thought && speaker == Speaker::Assistant {
            Reason::ReasoningAsText
        } else if is_repeated() {
            Reason::TextRepeated
        } else if is_whole && is_filler(trimmed, speaker) {
            Reason::FillerNotDemanded
        } else {
            Reason::TextInvented
        };
        self.report(reason, None, Some(place), quoted(text));
    }

    /// Reports what the answer has behind all that is expected.
    pub(super) fn rest(&mut self) {
        loop {
            if self.unit().is_none() || self.comparison.has_ended_early {
                break;
            }
            if !self.skip(None) {
                self.extra();
            }
        }
        for unit in std::mem::take(&mut self.hoisted) {
            match unit.kind {
                Kind::Text(text) => self.extra_text(text, unit.item.place, Speaker::System, true),
                Kind::Provider(provider) => {
                    let detail = format!("item `{}` is not expected", provider.kind);
                    self.report(Reason::TextInvented, None, Some(unit.item.place), detail);
                }
                _ => {}
            }
        }
    }

    /// Finds an expected element further down in the answer: the unit, and the offset in its text.
    pub(super) fn find_given(&mut self, want: Unit<'o, 'a>) -> Option<(usize, usize)> {
        let (at, offset) = (self.cursor.at, self.cursor.offset);
        if let Kind::Text(text) = want.kind {
            let text = text.trim();
            for (found, unit) in self.given.units.iter().enumerate().skip(at).take(AHEAD) {
                let Kind::Text(other) = unit.kind else { continue };
                let from = if found == at { offset } else { 0 };
                if unit.speaker != want.speaker || self.claimed.contains(&found) {
                    continue;
                }
                let places = memchr::memmem::find_iter(&other.as_bytes()[from..], text.as_bytes());
                let mut places = places.take(TRIES).map(|place| from + place);
                if let Some(place) = places.find(|place| is_separate(other, *place, place + text.len())) {
                    return Some((found, place));
                }
            }
        }
        let fingerprint = fingerprint(&want);
        let (wanted, given) = (self.wanted, self.given);
        let index = self.index.get_or_insert_with(|| Index::new(wanted, given));
        let found = index.given.get(&fingerprint)?;
        let from = found.partition_point(|found| *found < at);
        let found = found[from..].iter().find(|found| {
            let unit = &given.units[**found];
            !self.claimed.contains(*found) && unit.speaker == want.speaker && **found > at
        })?;
        Some((*found, 0))
    }

    /// Finds a unit of the answer further down in what is expected.
    pub(super) fn find_wanted(&mut self, unit: Unit<'o, 'a>, from: usize) -> Option<usize> {
        if let Kind::Text(_) = unit.kind {
            for (found, want) in self.wanted.units.iter().enumerate().skip(from).take(AHEAD) {
                let mut cursor = self.cursor.clone();
                if let Kind::Text(text) = want.kind
                    && want.speaker == unit.speaker
                    && cursor.take_text(text, |unit| unit.speaker == want.speaker)
                {
                    return Some(found);
                }
            }
        }
        let fingerprint = fingerprint(&unit);
        let (wanted, given) = (self.wanted, self.given);
        let index = self.index.get_or_insert_with(|| Index::new(wanted, given));
        let found = index.wanted.get(&fingerprint)?;
        let from = found.partition_point(|found| *found < from);
        found[from..].iter().find(|found| wanted.units[**found].speaker == unit.speaker).copied()
    }
}

/// The reason of an element that is at another place.
pub(super) fn moved(unit: Unit<'_, '_>) -> Reason {
    match unit.kind {
        Kind::Call(_) => Reason::TurnOrderChanged,
        Kind::Media(_) => Reason::MediaMoved,
        _ => Reason::TextMoved,
    }
}

/// A number that is equal for units with the same content, and seldom for others.
pub(super) fn fingerprint(unit: &Unit<'_, '_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match unit.kind {
        Kind::Text(text) => text.split_whitespace().for_each(|word| hasher.write(word.as_bytes())),
        Kind::Data(value) => value_hash(value).hash(&mut hasher),
        Kind::Media(media) => media.fingerprint().hash(&mut hasher),
        Kind::Resource(resource) => resource.uri.hash(&mut hasher),
        Kind::Provider(provider) => provider.kind.hash(&mut hasher),
        Kind::Call(call) => {
            let text = text_of(&call.arguments);
            match Json::parse(&text, &Limits::default()) {
                Ok(json) => value_hash(json.root()).hash(&mut hasher),
                Err(_) => text.trim().hash(&mut hasher),
            }
            call.name.trim().hash(&mut hasher);
        }
        Kind::Blank => {}
    }
    std::mem::discriminant(&unit.kind).hash(&mut hasher);
    hasher.finish()
}

/// A number that is equal for values that are the same, whatever the order of their keys.
pub(super) fn value_hash(value: Value<'_>) -> u64 {
    let mut sum = 0_u64;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let mut hasher = DefaultHasher::new();
        match value.kind() {
            JsonKind::Object => open.extend(value.members().flat_map(|(key, value)| [key, value])),
            JsonKind::Array => open.extend(value.items()),
            JsonKind::String => value.as_str().hash(&mut hasher),
            JsonKind::Number => value.as_f64().map(f64::to_bits).hash(&mut hasher),
            JsonKind::Null | JsonKind::Bool => value.raw().hash(&mut hasher),
        }
        sum = sum.wrapping_add(hasher.finish());
    }
    sum
}
