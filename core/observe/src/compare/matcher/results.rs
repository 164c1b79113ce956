//! Comparison of tool results.

use std::borrow::Cow;

use wirecanon_json::{Json, Kind as JsonKind, Limits, Value};
use wirecanon_model::Dialect;

use super::media::Pending;
use super::notes::holds;
use super::{Matcher, TRIES};
use crate::compare::cursor::Cursor;
use crate::compare::flat::{Given, Kind, Unit};
use crate::compare::value::{Relation, is_equal, is_equal_text, json_length, relation, relation_of_texts};
use crate::compare::words::{About, Mark, Names, denies, has_any, is_note};
use crate::compare::{acceptance, details, provider, quoted};
use crate::equivalence::Equivalence;
use crate::observation::{Call, Content, Item, Media, MediaKind, Provider, Resource, Source, Speaker};
use crate::reason::Reason;

/// Keys under which a result is wrapped where the dialect demands an object.
const WRAPPERS: [&str; 5] = ["output", "result", "content", "text", "value"];

/// Keys under which an error object has the text of the error.
const ERROR_TEXTS: [&str; 5] = ["content", "message", "error", "output", "result"];

/// Words of notes for media that follow.
const PROMISES: &[&str] = &["attached", "below", "follow", "following", "follows", "next", "separately"];

/// The place of media of a result.
enum Placed<'o, 'a> {
    /// In the result
    Here,
    /// They must follow the results of the turn
    Follows(Pending<'o, 'a>),
}

/// The circumstances in which the content of a result is compared.
#[derive(Clone, Copy)]
struct Context<'o, 'a> {
    is_error: bool,
    structured: Option<Structured<'a>>,
    /// The structured content of the answer
    given: Option<Value<'a>>,
    /// The call of the answer
    call: Option<&'o Call<'a>>,
    /// The speaker of what stands in the answer
    speaker: Speaker,
}

/// Structured content of a result.
#[derive(Clone, Copy)]
struct Structured<'a> {
    value: Value<'a>,
    /// The answer has it in its own place
    is_said: bool,
}

impl<'o, 'a> Placed<'o, 'a> {
    fn add_to(self, pending: &mut Vec<Pending<'o, 'a>>) {
        if let Self::Follows(media) = self {
            pending.push(media);
        }
    }
}

impl<'m, 'o, 'a> Matcher<'m, 'o, 'a> {
    /// Returns whether a result of the answer says what is expected. Differences with a reason of their own are reported.
    pub(super) fn result(&mut self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>, call: Option<&'o Call<'a>>) -> bool {
        if wanted.result.is_synthetic && self.stands_in(given, call) {
            self.comparison.uses(Equivalence::StandIn);
            return true;
        }
        self.error_flag(wanted, given);
        if self.has_same_content(wanted, given, call) {
            return true;
        }
        self.allows_rounding = true;
        let is_rounded = self.has_same_content(wanted, given, call);
        self.allows_rounding = false;
        if is_rounded {
            let places = (Some(wanted.item.place), Some(given.item.place));
            self.report(Reason::NumberRounded, places.0, places.1, "a number of the tool result lost digits");
        }
        is_rounded
    }

    fn has_same_content(&mut self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>, call: Option<&'o Call<'a>>) -> bool {
        if !self.has_same_structured_content(wanted, given) {
            return false;
        }
        let is_error = wanted.result.is_error == Some(true);
        let same = self.content(wanted, given, is_error, call)
            || !self.is_rewrapped(wanted, given) && self.is_same_value(wanted, given);
        if same {
            let (units, others) = (self.units_of_expected(wanted), self.units_of_answer(given));
            let (from, target) = (self.expected.dialect, self.target);
            details::attributes(wanted.item, given.item, from, target, self.comparison);
            details::result_attributes((units, from), (others, target), self.comparison);
        }
        if !same && given.result.is_error == Some(true) && wanted.result.is_error.is_none() {
            // The words of the error may have been taken for its flag.
            return self.content(wanted, given, true, call);
        }
        same
    }

    /// Returns whether both conversations are of one dialect: then it has a form for whatever the expected one says.
    fn is_own(&self) -> bool {
        self.expected.dialect == self.answer.dialect
    }

    /// Returns whether the answer has a result of its own dialect under another key.
    fn is_rewrapped(&self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>) -> bool {
        let wrapper = |value: Value<'a>| {
            let mut keys = value.members().map(|(key, _)| key);
            keys.next().filter(|_| keys.next().is_none()).and_then(Value::as_str)
        };
        // An error has its own key, which the error flag tells.
        let key = |given: &Given<'o, 'a>| given.result.whole.and_then(wrapper).filter(|key| key != "error");
        self.is_own() && matches!((key(wanted), key(given)), (Some(wanted), Some(given)) if wanted != given)
    }

    /// Returns whether two values are the same.
    fn is_equal(&self, a: Value<'_>, b: Value<'_>) -> bool {
        self.is_allowed(relation(a, b))
    }

    fn is_allowed(&self, relation: Relation) -> bool {
        relation <= Relation::Respelled || self.allows_rounding && relation == Relation::Rounded
    }

    /// Returns whether a text of the answer says an expected value: as JSON text, or as a plain string. Where the dialect has both, a
    /// number, `true`, `false` and `null` are not a text.
    fn says(&self, text: &str, value: Value<'_>) -> bool {
        self.is_text_of(text, value, || relation_of_texts(value.raw(), text))
    }

    /// Returns whether a value of the answer says an expected text. A number keeps its spelling.
    fn is_said_by(&self, text: &str, value: Value<'_>) -> bool {
        let is_spelled_alike = value.kind() != JsonKind::Number || self.allows_rounding || text.trim() == value.raw();
        is_spelled_alike && self.is_text_of(text, value, || relation_of_texts(text, value.raw()))
    }

    fn is_text_of(&self, text: &str, value: Value<'_>, relation: impl Fn() -> Option<Relation>) -> bool {
        if value.as_str().is_some_and(|value| value.trim() == text.trim()) {
            return true;
        }
        let is_scalar = matches!(value.kind(), JsonKind::Number | JsonKind::Bool | JsonKind::Null);
        !(is_scalar && self.is_own()) && relation().is_some_and(|relation| self.is_allowed(relation))
    }

    /// Returns whether a text says structured content, which servers put under one `result` key where it is no object.
    fn says_structured(&self, text: &str, value: Value<'_>) -> bool {
        let is_inner = |inner: Value<'_>| {
            inner.as_str().is_some_and(|inner| inner.trim() == text.trim())
                || relation_of_texts(inner.raw(), text).is_some_and(|relation| self.is_allowed(relation))
        };
        is_inner(value) || only_member(value, &["result"]).is_some_and(is_inner)
    }

    /// Returns whether an empty result may be a note that says so: in another dialect, and where the target refuses the empty result.
    fn may_say_empty(&self, wants: &[Unit<'o, 'a>]) -> bool {
        let content = &self.target.content;
        // Without any content it is not a result, and where there are no tools it is a text.
        let is_refused = wants.is_empty()
            || !content.tools
            || !content.empty_results
            || !(content.blank_text && content.result_parts) && wants.iter().any(|want| want.item.place.is_object());
        !self.is_own() || is_refused
    }

    /// Returns whether two results of one dialect have the same structured content. It may be missing, where a text says it.
    fn has_same_structured_content(&self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>) -> bool {
        self.expected.dialect != self.answer.dialect
            || match (wanted.result.structured, given.result.structured) {
                (Some(value), Some(other)) => {
                    self.is_equal(value, other) || self.says(other.raw(), value) || self.says(value.raw(), other)
                }
                (None, Some(value)) => wanted.result.items.iter().any(|item| match &item.content {
                    Content::Text(text) => self.says(text, value),
                    Content::Data(data) => self.is_equal(*data, value),
                    _ => false,
                }),
                (_, None) => true,
            }
    }

    /// Returns whether a result says that there is none, and is an error where the dialect has errors.
    pub(super) fn stands_in(&mut self, given: &Given<'o, 'a>, call: Option<&Call<'a>>) -> bool {
        let texts: Option<Vec<_>> = given.result.items.iter().map(|item| item.as_text()).collect();
        let Some(text) = texts.map(|texts| texts.join("\n")) else { return false };
        let mut names = Names::default();
        if let Some(call) = call {
            names = names.with(&call.name).with(call.id.as_deref().unwrap_or_default());
        }
        if !is_note(&text, About::StandIn, &names) {
            return false;
        }
        if given.result.is_error == Some(false) {
            self.report(Reason::StandInNotAnError, None, Some(given.item.place), quoted(&text));
        }
        true
    }

    fn error_flag(&mut self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>) {
        let places = (Some(wanted.item.place), Some(given.item.place));
        match (wanted.result.is_error, given.result.is_error) {
            (Some(true), Some(false)) => {
                self.report(Reason::ErrorFlagLost, places.0, places.1, "the tool result is not marked as an error");
            }
            (None | Some(false), Some(true)) if !says_error(wanted) => {
                self.report(Reason::ErrorFlagInvented, places.0, places.1, "the tool result is marked as an error");
            }
            // Gemini has a key for errors.
            (Some(true), None)
                if self.answer.dialect == Dialect::GeminiContents
                    && !given.result.items.iter().any(is_error_in_words) =>
            {
                self.report(Reason::ErrorFlagLost, places.0, places.1, "the tool result is not marked as an error");
            }
            (Some(true), None) => self.comparison.uses(Equivalence::ErrorText),
            _ => {}
        }
    }

    fn content(
        &mut self,
        wanted: &Given<'o, 'a>,
        given: &Given<'o, 'a>,
        is_error: bool,
        call: Option<&'o Call<'a>>,
    ) -> bool {
        let structured = wanted.result.structured.map(|value| Structured {
            value,
            is_said: given.result.structured.is_some_and(|other| self.is_equal(value, other)),
        });
        let context = Context { is_error, structured, given: given.result.structured, call, speaker: Speaker::Tool };
        let (mut expected, answer) = (self.forms_of_expected(wanted), self.forms_of_answer(given));
        // Under another key, the answer must say the whole value.
        if self.is_rewrapped(wanted, given) {
            expected.remove(0);
        }
        let mut found = None;
        for wants in expected {
            for units in &answer {
                found = found.or_else(|| self.form(wants, units, context));
            }
        }
        match found {
            Some(pending) => {
                let (id, given_id) = (wanted.result.id.as_deref(), given.result.id.as_deref());
                self.labels.add_call(call, [id, given_id].into_iter().flatten());
                self.pending.extend(pending);
                true
            }
            None => false,
        }
    }

    /// Matches one form of an expected result with one form of a result of the answer.
    fn form(
        &mut self,
        wants: &[Unit<'o, 'a>],
        units: &'m [Unit<'o, 'a>],
        context: Context<'o, 'a>,
    ) -> Option<Vec<Pending<'o, 'a>>> {
        let cursor = Cursor::new(units);
        let found = self.with_cursor(cursor.clone(), |matcher| {
            let pending = matcher.items(wants, context)?;
            matcher.cursor().unit().is_none().then_some(pending)
        });
        let is_own = self.expected.dialect == self.answer.dialect;
        let structured = context.structured.filter(|_| found.is_none() && !is_own);
        let Some(Structured { value, .. }) = structured else { return found };
        // Structured content instead of the texts.
        let media: Vec<_> = wants.iter().filter(|want| matches!(want.kind, Kind::Media(_))).copied().collect();
        self.with_cursor(cursor, |matcher| {
            matcher.take_structured(value).then_some(())?;
            let pending = matcher.items(&media, Context { structured: None, ..context })?;
            matcher.cursor().unit().is_none().then_some(pending)
        })
    }

    /// Matches the content of a result at the cursor, and returns its media that must follow. `None` if it is not there.
    fn items(&mut self, wants: &[Unit<'o, 'a>], context: Context<'o, 'a>) -> Option<Vec<Pending<'o, 'a>>> {
        let Context { is_error, structured, .. } = context;
        let mut pending = Vec::new();
        let mut is_found = structured.is_none_or(|structured| structured.is_said);
        let structured = structured.map(|structured| structured.value);
        let mut is_empty = true;
        // A note that says so, or `null`, may become an empty result in another dialect.
        let says_empty = |want: &Unit<'_, '_>| match want.kind {
            Kind::Text(text) => is_note(text, About::Empty, &Names::default()),
            Kind::Data(value) => value.is_null(),
            _ => false,
        };
        if let [want] = wants
            && !self.is_own()
            && self.cursor().unit().is_none()
            && says_empty(want)
        {
            self.comparison.uses(Equivalence::EmptyResult);
            return is_found.then_some(pending);
        }
        let first = wants.iter().find(|want| !matches!(want.kind, Kind::Blank)).map(|want| want.kind);
        if is_error && first.is_some_and(|first| !matches!(first, Kind::Text(_) | Kind::Data(_))) {
            self.take_error_mark();
        }
        for (at, want) in wants.iter().enumerate() {
            let end = wants.get(at + 1).and_then(|next| match next.kind {
                Kind::Text(text) => Some(text),
                _ => None,
            });
            is_empty &= matches!(want.kind, Kind::Blank);
            match want.kind {
                Kind::Blank => self.comparison.uses(Equivalence::EmptyText),
                Kind::Text(text) => {
                    is_found = is_found || structured.is_some_and(|value| self.says_structured(text, value));
                    let is_said =
                        |matcher: &Self| context.given.is_some_and(|value| matcher.says_structured(text, value));
                    self.result_text(text, is_error, context.call).or_else(|| is_said(self).then_some(()))?;
                }
                Kind::Data(value) => {
                    is_found = is_found || structured.is_some_and(|other| self.is_equal(value, other));
                    (self.take_value(value) || is_error && self.take_value_of_error(value)).then_some(())?;
                }
                Kind::Media(media) => {
                    // Where media are behind texts, structured content is a text before them.
                    is_found = is_found || structured.is_some_and(|value| self.take_structured(value));
                    self.result_media(media, *want, context, end)?.add_to(&mut pending);
                }
                Kind::Resource(resource) => {
                    is_found = is_found
                        || resource.media.is_some() && structured.is_some_and(|value| self.take_structured(value));
                    self.result_resource(resource, *want, context, end)?.add_to(&mut pending);
                }
                Kind::Provider(provider) => {
                    let unit = self.cursor().unit();
                    match unit.map(|unit| (unit.kind, unit.item.place)) {
                        Some((Kind::Provider(other), _)) if provider::is_same(provider, other) => {
                            self.cursor().next();
                        }
                        Some((_, place)) if is_equal(provider.value, place) => {
                            self.cursor().next();
                        }
                        Some((Kind::Text(text), _))
                            if self.is_unknown_reference(provider) && is_equal_text(provider.value.raw(), text) =>
                        {
                            self.comparison.uses(Equivalence::ProviderItem);
                            self.cursor().next();
                        }
                        _ if provider.dialect == self.answer.dialect => return None,
                        _ => {
                            self.comparison.uses(Equivalence::ProviderItem);
                            let is_said = self.provider_text(&provider::Words::new(provider), About::Content, end);
                            // The canonical dialect leaves nothing out.
                            if !is_said && self.answer.dialect == Dialect::Canonical {
                                return None;
                            }
                        }
                    }
                }
                Kind::Call(_) => {}
            }
        }
        if let Some(value) = structured {
            let is_there = self.take_structured(value) || is_error && self.take_value_of_error(value);
            if !is_found && !is_there {
                return None;
            }
            self.comparison.uses(Equivalence::StructuredContent);
            is_empty &= !is_there;
        }
        if self.cursor().unit().is_none_or(|unit| unit.speaker != context.speaker) {
            return Some(pending);
        }
        if is_error && is_empty && context.speaker == Speaker::Tool {
            self.take_error_mark();
        } else if is_error {
            self.take_note(About::Error, &Names::default(), None);
        }
        if is_empty && (is_error || self.may_say_empty(wants)) && self.take_empty() {
            self.comparison.uses(Equivalence::EmptyResult);
        }
        Some(pending)
    }

    /// Takes the mark of an error before what is no text.
    fn take_error_mark(&mut self) {
        let rest = self.cursor().rest();
        let ends = [']', ':', '\n'].into_iter().filter_map(|end| Some(rest.find(end)? + 1));
        let is_mark = |end: &usize| {
            Mark::read(&rest[..*end], About::Error, &Names::default()).is_some_and(|mark| mark.closers.is_empty())
        };
        let mark = ends.filter(is_mark).min();
        self.cursor().skip(mark.unwrap_or_default());
    }

    /// Takes a note that says that a result is empty, or `null`.
    fn take_empty(&mut self) -> bool {
        if let Some(Kind::Data(value)) = self.cursor().unit().map(|unit| unit.kind)
            && value.is_null()
        {
            self.cursor().next();
            return true;
        }
        self.take_note(About::Empty, &Names::default(), None).is_some()
    }

    /// Returns whether an item refers to a tool that is not defined.
    fn is_unknown_reference(&self, provider: &Provider<'a>) -> bool {
        let name = provider.value.get("tool_name").and_then(Value::as_str);
        provider.kind == "tool_reference"
            && name.is_some_and(|name| self.expected.tools.iter().all(|tool| tool.name != name))
    }

    /// Matches a text of a result: as text, as the JSON value that it is, or behind the mark of an error.
    fn result_text(&mut self, text: &'o str, is_error: bool, call: Option<&'o Call<'a>>) -> Option<()> {
        if self.cursor().take_text(text, |_| true) {
            return Some(());
        }
        if is_error {
            let names = call.map_or_else(Names::default, |call| Names::default().with(&call.name));
            if self.take_marked(text, About::Error, &names, |_| true).is_some() {
                self.comparison.uses(Equivalence::ErrorText);
                return Some(());
            }
        }
        let unit = self.cursor().unit()?;
        // A text that stands for a resource.
        if let Kind::Resource(resource) = unit.kind {
            let words = provider::Words::of_value(resource.value);
            let is_its_text = resource.text.as_ref().is_some_and(|held| held.trim() == text.trim());
            let has_address = resource.uri.as_ref().is_some_and(|uri| holds(text, uri.trim()));
            if !(is_its_text || has_address && words.say(text, About::Content)) {
                return None;
            }
            self.comparison.uses(Equivalence::Resource);
            self.cursor().next();
            return Some(());
        }
        // The canonical dialect has a note for other media than images.
        if let Kind::Media(media) = unit.kind
            && self.expected.dialect == Dialect::Canonical
            && media.kind != MediaKind::Image
            && is_note(text, About::Content, &acceptance::names_of(media, unit.item))
        {
            self.comparison.uses(Equivalence::MediaNote);
            self.cursor().next();
            return Some(());
        }
        let is_json = match unit.kind {
            Kind::Data(value) => self.is_said_by(text, value),
            Kind::Text(other) => is_layout_of(text, other),
            _ => false,
        };
        if !is_json {
            return None;
        }
        self.comparison.uses(Equivalence::ResultJson);
        self.cursor().next();
        Some(())
    }

    /// Matches a value at the cursor, also as its JSON text.
    fn take_value(&mut self, value: Value<'a>) -> bool {
        self.take_value_if(value, Self::says)
    }

    /// Matches structured content at the cursor, also as text.
    fn take_structured(&mut self, value: Value<'a>) -> bool {
        self.take_value_if(value, Self::says_structured)
    }

    fn take_value_if(&mut self, value: Value<'a>, says: impl Fn(&Self, &str, Value<'_>) -> bool) -> bool {
        let Some(unit) = self.cursor().unit() else { return false };
        let is_same = match unit.kind {
            Kind::Data(other) => self.is_equal(value, other),
            Kind::Text(text) => says(self, text, value),
            _ => false,
        };
        if is_same {
            self.comparison.uses(Equivalence::ResultJson);
            self.cursor().next();
            return true;
        }
        // Its text may be joined with others.
        let rest = self.cursor().rest();
        if rest.starts_with(['{', '[']) {
            let length = json_length(rest);
            if says(self, &rest[..length], value) {
                self.comparison.uses(Equivalence::ResultJson);
                self.cursor().pass(length);
                return true;
            }
        }
        match value.kind() {
            JsonKind::String => {
                value.as_str().is_some_and(|text| !text.trim().is_empty() && self.cursor().take_text(&text, |_| true))
            }
            _ => says(self, value.raw(), value) && self.cursor().take_text(value.raw(), |_| true),
        }
    }

    /// Matches a value behind the mark of an error.
    fn take_value_of_error(&mut self, value: Value<'a>) -> bool {
        let rest = self.cursor().rest();
        let starts = rest.char_indices().filter(|(at, _)| *at == 0 || rest[..*at].ends_with(char::is_whitespace));
        let is_mark = |start: usize| is_note(&rest[..start], About::Error, &Names::default());
        let found = starts.take(TRIES).find_map(|(start, _)| {
            let text = &rest[start..];
            let length = if text.starts_with(['{', '[']) { json_length(text) } else { text.len() };
            (is_mark(start) && self.says(&text[..length], value)).then_some(start + length)
        });
        let Some(end) = found else { return false };
        self.comparison.uses(Equivalence::ErrorText);
        self.cursor().pass(end);
        true
    }

    fn result_media(
        &mut self,
        media: &'o Media<'a>,
        want: Unit<'o, 'a>,
        context: Context<'o, 'a>,
        end: Option<&'o str>,
    ) -> Option<Placed<'o, 'a>> {
        let kind = self.cursor().unit().map(|unit| unit.kind);
        if let Some(Kind::Media(other) | Kind::Resource(Resource { media: Some(other), .. })) = kind
            && self.same_media(media, other)
        {
            self.cursor().next();
            return Some(Placed::Here);
        }
        if matches!(kind, Some(Kind::Media(_))) {
            return None;
        }
        let must_stay = self.acceptance.in_result(media, context.is_error);
        let must_follow = !must_stay && self.acceptance.behind_results(media);
        let names = acceptance::names_of(media, want.item);
        let saved = self.cursor().clone();
        let kinds = [media.kind, acceptance::kind_of(media)].map(About::Medium);
        let take_note = |matcher: &mut Self, abouts: &[About]| {
            abouts.iter().find_map(|about| matcher.take_note(*about, &names, end))
        };
        let promise = take_note(self, &[kinds[0], kinds[1], About::Label]);
        if !promise.is_some_and(|note| has_any(note, PROMISES) && !denies(note)) {
            *self.cursor() = saved.clone();
            if self.media_as_text(media, want, context.speaker, end, must_stay || must_follow) {
                return Some(Placed::Here);
            }
            if must_stay {
                return None;
            }
            // What follows is there.
            if take_note(self, &kinds).is_some_and(denies) {
                *self.cursor() = saved;
            }
        }
        Some(Placed::Follows(Pending { media, item: want.item, call: context.call }))
    }

    fn result_resource(
        &mut self,
        resource: &'o Resource<'a>,
        want: Unit<'o, 'a>,
        context: Context<'o, 'a>,
        end: Option<&'o str>,
    ) -> Option<Placed<'o, 'a>> {
        if self.resource_at_cursor(want, end, context.speaker) {
            return Some(Placed::Here);
        }
        // A resource with the same bytes is another one.
        if matches!(self.cursor().unit(), Some(Unit { kind: Kind::Resource(_), .. })) {
            return None;
        }
        match &resource.media {
            Some(media) => self.result_media(media, want, context, end),
            // A resource that holds an empty text says nothing.
            None if resource.text.as_ref().is_some_and(|text| text.trim().is_empty()) => {
                self.comparison.uses(Equivalence::EmptyText);
                Some(Placed::Here)
            }
            None => None,
        }
    }

    /// Matches a resource or a link at the cursor: the block, its media, its text, or a text with its address.
    pub(super) fn resource_at_cursor(&mut self, want: Unit<'o, 'a>, end: Option<&'o str>, speaker: Speaker) -> bool {
        let Kind::Resource(resource) = want.kind else { return false };
        let Some(unit) = self.cursor().unit().filter(|unit| unit.speaker == speaker) else { return false };
        match unit.kind {
            Kind::Resource(other) => {
                let same_media = match (&resource.media, &other.media) {
                    (Some(a), Some(b)) => a.is_same(b),
                    (None, None) => true,
                    _ => false,
                };
                let is_text = |key: &str| is_same_text(resource.value.get(key), other.value.get(key));
                let same = resource.uri == other.uri
                    && resource.text == other.text
                    && same_media
                    && ["type", "name", "title", "description", "mimeType"].into_iter().all(is_text);
                if same {
                    self.cursor().next();
                }
                return same;
            }
            Kind::Media(other) => {
                let by_address = matches!((&resource.uri, &other.source), (Some(uri), Source::Url(url)) if uri == url);
                let same = by_address || resource.media.as_ref().is_some_and(|media| media.is_same(other));
                if same {
                    self.comparison.uses(Equivalence::Resource);
                    self.cursor().next();
                }
                return same;
            }
            Kind::Text(_) => {}
            _ => return false,
        }
        if want.speaker == speaker && self.keeps_resources(resource, speaker) {
            return false;
        }
        let media_text = resource.media.as_ref().and_then(Media::as_text);
        if let Some(text) = resource.text.as_deref().or(media_text.as_deref()).filter(|text| !text.trim().is_empty()) {
            let names = acceptance::names_of_resource(resource.value);
            if self.take_marked(text, About::Content, &names, |unit| unit.speaker == speaker).is_some() {
                self.comparison.uses(Equivalence::Resource);
                return true;
            }
        }
        let is_json = matches!(unit.kind, Kind::Text(text) if is_equal_text(resource.value.raw(), text));
        if is_json {
            self.comparison.uses(Equivalence::Resource);
            self.cursor().next();
            return true;
        }
        if let Some(uri) = resource.uri.as_ref().filter(|uri| !uri.trim().is_empty())
            && {
                let words = provider::Words::of_value(resource.value);
                self.take_text_with(uri, end, |text| words.say(text, About::Content))
            }
        {
            self.comparison.uses(Equivalence::Resource);
            return true;
        }
        false
    }

    /// Returns whether a resource must stay one: in its own dialect of the Model Context Protocol, where the revision has it. Messages
    /// of a sampling request have none.
    fn keeps_resources(&self, resource: &Resource<'a>, speaker: Speaker) -> bool {
        let has_resources = match self.answer.dialect {
            Dialect::McpToolResult | Dialect::McpPrompt => true,
            Dialect::McpSampling => speaker == Speaker::Tool,
            _ => false,
        };
        let is_link = resource.value.get("type").is_some_and(|kind| kind.is_str("resource_link"));
        has_resources
            && self.expected.dialect == self.answer.dialect
            && (!is_link || self.target.protocol.resource_links)
    }

    /// Returns whether two results are the same as one value: with what wraps it where a dialect demands an object, or as an error object
    /// whose flag is right.
    fn is_same_value(&mut self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>) -> bool {
        let (expected, answer) = (self.expected.dialect, self.answer.dialect);
        let mut left = forms(self.units_of_expected(wanted), wanted.result.whole);
        // Texts beside structured content were compared with all that is expected.
        if wanted.result.structured.is_some() && self.is_own() {
            return false;
        }
        if let Some(value) = wanted.result.structured {
            left = vec![Form::Json(value.raw().into())];
        }
        let mut right = forms(self.units_of_answer(given), given.result.whole);
        right.extend(given.result.structured.map(|value| Form::Json(value.raw().into())));
        let is_same = |matcher: &Self, left: &[Form<'_>], right: &[Form<'_>]| {
            left.iter().any(|left| right.iter().any(|right| matcher.is_same_form(left, right)))
        };
        // Within one dialect, a wrapper is what the tool has given.
        let is_wrapped = |matcher: &Self| {
            is_same(matcher, &unwrapped(&left, expected), &right) || is_same(matcher, &left, &unwrapped(&right, answer))
        };
        if is_same(self, &left, &right) || !self.is_own() && is_wrapped(self) {
            self.comparison.uses(Equivalence::ResultJson);
            return true;
        }
        let flags = (wanted.result.is_error, given.result.is_error);
        let is_error = match flags {
            // The answer has the error object, or has the flag instead of it.
            (Some(true), Some(true) | None) => is_same(self, &left, &errors(&right)),
            (None, Some(true)) => is_same(self, &errors(&left), &right),
            _ => false,
        };
        if is_error {
            self.comparison.uses(Equivalence::ErrorText);
        }
        is_error
    }

    fn is_same_form(&self, left: &Form<'_>, right: &Form<'_>) -> bool {
        match (left, right) {
            (Form::Text(a), Form::Text(b)) => a.trim() == b.trim() || is_layout_of(a, b),
            (Form::Text(text), Form::Json(raw)) => with_value(raw, |value| self.is_said_by(text, value)),
            (Form::Json(raw), Form::Text(text)) => with_value(raw, |value| self.says(text, value)),
            (Form::Json(a), Form::Json(b)) => relation_of_texts(a, b).is_some_and(|relation| self.is_allowed(relation)),
        }
    }

    /// Matches a result as text of this speaker, where the target has no tools.
    ///
    /// Returns whether it is at the cursor.
    pub(super) fn result_as_text(
        &mut self,
        result: &Given<'o, 'a>,
        call: Option<&'o Call<'a>>,
        speaker: Speaker,
    ) -> bool {
        let says_something =
            self.units_of_expected(result).iter().any(|unit| !matches!(unit.kind, Kind::Blank | Kind::Provider(_)));
        if says_something && self.cursor().unit().is_none_or(|unit| unit.speaker != speaker) {
            return false;
        }
        let mut names = Names::default();
        match call {
            Some(call) => names.add(self.made_up.get(&call.number).map_or("", String::as_str)),
            // A lone result may get any id.
            None => names = names.with_numbers(),
        }
        let given = [&result.result.id, &result.result.name].map(|name| name.as_deref());
        let called = call.map(|call| [call.id.as_deref(), Some(&*call.name)]);
        for name in given.into_iter().chain(called.into_iter().flatten()).flatten() {
            names.add(name);
        }
        let context = Context {
            is_error: result.result.is_error == Some(true),
            structured: result.result.structured.map(|value| Structured { value, is_said: false }),
            given: None,
            call,
            speaker,
        };
        let start = self.cursor().clone();
        // The whole value first: a part of its JSON text may be the text of the result.
        for wants in self.forms_of_expected(result).into_iter().rev() {
            let mark = match wants.first().map(|want| want.kind) {
                Some(Kind::Text(text)) => self.take_mark(text, About::Result, &names),
                _ => None,
            };
            let mark = mark.or_else(|| {
                let note = self.take_note(About::Result, &names, None)?;
                Mark::read(&[note, "\n"].concat(), About::Result, &names)
            });
            let is_result = mark.as_ref().is_none_or(|mark| !is_mark_of_call(&mark.text));
            if is_result
                && let Some(pending) = self.items(wants, context)
                && mark.as_ref().is_none_or(|mark| self.close(mark))
            {
                if mark.is_some_and(|mark| has_any(&mark.text, FAILURES)) && !says_error(result) {
                    let place = self.given.units.get(start.at).map(|unit| unit.item.place);
                    let detail = "the tool result is marked as an error";
                    self.report(Reason::ErrorFlagInvented, Some(result.item.place), place, detail);
                }
                self.labels.add_call(call, result.result.id.as_deref());
                self.pending.extend(pending);
                self.comparison.uses(Equivalence::ToolsAsText);
                return true;
            }
            *self.cursor() = start.clone();
        }
        false
    }

    /// Reports that a result is not among the texts of the user.
    pub(super) fn missing_text_of(&mut self, result: &Given<'o, 'a>) {
        // A stand-in says nothing.
        if !result.result.is_synthetic {
            let text = result.result.items.iter().find_map(|item| item.as_text()).unwrap_or_default();
            self.report(Reason::ResultMissing, Some(result.item.place), None, quoted(text));
        }
    }
}

/// Returns whether an item says that a tool failed, or that there is no result.
fn is_error_in_words(item: &Item<'_>) -> bool {
    match &item.content {
        Content::Text(text) => {
            let start: String = text.chars().take(64).collect();
            has_any(&start, FAILURES)
                || is_note(text, About::StandIn, &Names::default())
                || with_value(text, |value| text_of_error(value).is_some())
        }
        Content::Data(value) => text_of_error(*value).is_some(),
        _ => false,
    }
}

/// Returns whether two fields have the same text; `null` is no text.
fn is_same_text(a: Option<Value<'_>>, b: Option<Value<'_>>) -> bool {
    let text = |value: Option<Value<'_>>| {
        value.filter(|value| !value.is_null()).map(|value| value.as_str().map(Cow::into_owned))
    };
    text(a) == text(b)
}

/// One form of a result: a text, or the JSON text of a value.
enum Form<'t> {
    Text(Cow<'t, str>),
    Json(Cow<'t, str>),
}

/// The forms of a result that is one value or one text.
fn forms<'t>(units: &[Unit<'t, '_>], whole: Option<Value<'t>>) -> Vec<Form<'t>> {
    // Media beside the whole value are not in it.
    let is_beside = |unit: &Unit<'_, '_>| matches!(unit.kind, Kind::Media(_) | Kind::Resource(_));
    let value = whole.filter(|_| !units.iter().any(is_beside));
    let mut forms: Vec<_> = value.into_iter().map(|value| Form::Json(value.raw().into())).collect();
    let content = || units.iter().filter(|unit| !matches!(unit.kind, Kind::Blank));
    let texts: Option<Vec<&str>> = content()
        .map(|unit| match unit.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        })
        .collect();
    match texts.as_deref() {
        Some([]) => {}
        Some([text]) => forms.push(Form::Text((*text).into())),
        Some(texts) => forms.push(Form::Text(texts.join("\n").into())),
        None => {
            let mut content = content();
            if let (Some(Unit { kind: Kind::Data(value), .. }), None) = (content.next(), content.next()) {
                forms.push(Form::Json(value.raw().to_owned().into()));
            }
        }
    }
    forms
}

/// The values that a dialect wraps because it demands an object.
fn unwrapped<'t>(forms: &[Form<'t>], dialect: Dialect) -> Vec<Form<'t>> {
    if !matches!(dialect, Dialect::GeminiContents | Dialect::BedrockConverse | Dialect::CohereV2) {
        return Vec::new();
    }
    let inner = |form: &Form<'_>| match form {
        Form::Json(raw) => with_value(raw, |value| only_member(value, &WRAPPERS).map(form_of)),
        Form::Text(_) => None,
    };
    forms.iter().filter_map(inner).collect()
}

/// The texts of errors that stand in an object which says that it is one.
fn errors<'t>(forms: &[Form<'t>]) -> Vec<Form<'t>> {
    let inner = |form: &Form<'_>| match form {
        Form::Json(text) | Form::Text(text) => with_value(text, |value| text_of_error(value).map(form_of)),
    };
    forms.iter().filter_map(inner).collect()
}

/// The text of an error object: under `error`, or beside a flag.
fn text_of_error(object: Value<'_>) -> Option<Value<'_>> {
    if let Some(error) = only_member(object, &["error"]) {
        return Some(error);
    }
    let is_flag = |(key, value): &(Value<'_>, Value<'_>)| match key.as_str().as_deref() {
        Some("isError" | "is_error") => value.as_bool() == Some(true),
        Some("success" | "ok") => value.as_bool() == Some(false),
        Some("status" | "type") => value.is_str("error"),
        _ => false,
    };
    let is_text = |(key, _): &(Value<'_>, Value<'_>)| ERROR_TEXTS.iter().any(|known| key.is_str(known));
    let (flags, others): (Vec<_>, Vec<_>) = object.members().take(3).partition(is_flag);
    match (&flags[..], &others[..]) {
        ([_], [text]) if is_text(text) => Some(text.1),
        _ => None,
    }
}

/// Words that say that a tool failed.
const FAILURES: &[&str] = &["error", "errors", "exception", "failed", "failure"];

/// Returns whether a result says that it is an error, by its flag or by its first words.
fn says_error(given: &Given<'_, '_>) -> bool {
    given.result.is_error.unwrap_or_else(|| given.result.items.iter().any(is_error_in_words))
}

/// Returns whether a mark is that of a call, and not that of its result.
fn is_mark_of_call(mark: &str) -> bool {
    has_any(mark, &["call", "calls"])
        && !has_any(mark, &["result", "results", "output", "outputs", "response", "returned", "content"])
}

/// The form of a value: a string is a text, and so are text blocks.
fn form_of<'t>(value: Value<'_>) -> Form<'t> {
    let text_of_block = |block: Value<'_>| {
        let is_text = block.get("type").is_some_and(|kind| kind.is_str("text"));
        block.get("text").filter(|_| is_text).and_then(Value::as_str).map(Cow::into_owned)
    };
    if let Some(text) = value.as_str() {
        return Form::Text(text.into_owned().into());
    }
    let blocks: Option<Vec<_>> = value.items().map(text_of_block).collect();
    match blocks.filter(|blocks| !blocks.is_empty()) {
        Some(texts) => Form::Text(texts.join("\n").into()),
        None => Form::Json(value.raw().to_owned().into()),
    }
}

/// The only member of an object, if it has one of these keys.
fn only_member<'v>(object: Value<'v>, keys: &[&str]) -> Option<Value<'v>> {
    let mut members = object.members();
    match (members.next(), members.next()) {
        (Some((key, value)), None) if keys.iter().any(|known| key.is_str(known)) => Some(value),
        _ => None,
    }
}

/// Reads JSON text; the default where it is none.
fn with_value<T: Default>(text: &str, read: impl FnOnce(Value<'_>) -> T) -> T {
    Json::parse(text, &Limits::default()).map(|json| read(json.root())).unwrap_or_default()
}

/// Returns whether two texts are one JSON object or array in two layouts.
fn is_layout_of(a: &str, b: &str) -> bool {
    a.trim_start().starts_with(['{', '[']) && is_equal_text(a, b)
}
