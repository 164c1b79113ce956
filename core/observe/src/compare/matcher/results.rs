//! Comparison of tool results.

use wirecanon_json::{Kind as JsonKind, Value};
use wirecanon_model::Dialect;

use super::forms::{begins_with_error, is_error_object, is_layout_of, value_under, with_value, wraps_error};
use super::media::Pending;
use super::notes::holds;
use super::{Matcher, TRIES};
use crate::compare::cursor::Cursor;
use crate::compare::flat::{Given, Kind, Unit};
use crate::compare::value::{Relation, is_equal, is_equal_text, json_length, relation, relation_of_texts};
use crate::compare::vocabulary::{CALLS, FAILURES, PROMISES, RESULTS};
use crate::compare::words::{About, Mark, Names, denies, has_any, is_note};
use crate::compare::{acceptance, details, provider, quoted};
use crate::equivalence::Equivalence;
use crate::observation::{Call, Content, Item, Media, MediaKind, Provider, Resource, Speaker};
use crate::reason::Reason;

/// The longest heading of structured content. In bytes.
const MAX_HEADING: usize = 64;

/// The place of media of a result.
pub(super) enum Placed<'o, 'a> {
    /// In the result
    Here,
    /// They must follow the results of the turn
    Follows(Pending<'o, 'a>),
}

/// The circumstances in which the content of a result is compared.
#[derive(Clone, Copy)]
pub(super) struct Context<'o, 'a> {
    is_error: bool,
    structured: Option<Structured<'a>>,
    /// The structured content of the answer
    given: Option<Value<'a>>,
    /// The call of the answer
    call: Option<&'o Call<'a>>,
    /// The speaker of what stands in the answer
    pub(super) speaker: Speaker,
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
            return self.accepts(Equivalence::StandIn);
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
            || !self.is_rewrapped(wanted, given) && self.is_same_value(wanted, given, call);
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
    pub(super) fn is_own(&self) -> bool {
        self.expected.dialect == self.answer.dialect
    }

    /// Returns whether two values are the same.
    pub(super) fn is_equal(&self, a: Value<'_>, b: Value<'_>) -> bool {
        self.is_allowed(relation(a, b))
    }

    pub(super) fn is_allowed(&self, relation: Relation) -> bool {
        relation <= Relation::Respelled || self.allows_rounding && relation == Relation::Rounded
    }

    /// Returns whether a text of the answer says an expected value: as JSON text, or as a plain string. Where the dialect has both, a
    /// number, `true`, `false` and `null` are not a text.
    pub(super) fn says(&self, text: &str, value: Value<'_>) -> bool {
        self.is_text_of(text, value, || relation_of_texts(value.raw(), text))
    }

    /// Returns whether a value of the answer says an expected text. A number keeps its spelling.
    pub(super) fn is_said_by(&self, text: &str, value: Value<'_>) -> bool {
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
    pub(super) fn says_structured(&self, text: &str, value: Value<'_>) -> bool {
        let is_inner = |inner: Value<'_>| {
            inner.as_str().is_some_and(|inner| inner.trim() == text.trim())
                || relation_of_texts(inner.raw(), text).is_some_and(|relation| self.is_allowed(relation))
        };
        is_inner(value) || value_under(value, "result").is_some_and(is_inner)
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
        !self.is_own()
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
        let names = call.map_or_else(Names::default, Names::of_call);
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
            // In other dialects, words say it too.
            (Some(true), Some(false))
                if self.answer.dialect == Dialect::GeminiContents
                    && !self.is_own()
                    && given.result.items.iter().any(is_error_in_words) =>
            {
                self.comparison.uses(Equivalence::ErrorText);
            }
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
        // Under another key, the answer must say the whole value.
        let not_said = usize::from(self.is_rewrapped(wanted, given));
        let mut found = None;
        for wants in self.wanted.forms_of(wanted).skip(not_said) {
            // Within one dialect, a list is what the tool has given.
            let listed = self.given.listed(given).filter(|_| !self.is_own());
            for units in self.given.forms_of(given).chain(listed) {
                found = found.or_else(|| self.form(wants, units, context));
            }
        }
        let Some(pending) = found else { return false };
        self.labels.add_call(call, [wanted.result.id.as_deref(), given.result.id.as_deref()]);
        self.pending.extend(pending);
        true
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
        let structured = context.structured.filter(|_| found.is_none() && !self.is_own());
        let Some(Structured { value, .. }) = structured.filter(|structured| self.texts_say(wants, structured.value))
        else {
            return found;
        };
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
        if let [want] = wants
            && !self.is_own()
        {
            let is_nothing = self.cursor().unit().is_none();
            let is_empty = match want.kind {
                Kind::Text(text) => is_note(text, About::Empty, &Names::default()) && (is_nothing || self.take_empty()),
                Kind::Data(value) => value.is_null() && (is_nothing || self.take_empty()),
                _ => false,
            };
            if is_empty {
                self.comparison.uses(Equivalence::EmptyResult);
                return is_found.then_some(pending);
            }
        }
        let first = wants.iter().find(|want| !matches!(want.kind, Kind::Blank)).map(|want| want.kind);
        if is_error && first.is_some_and(|first| !matches!(first, Kind::Text(_) | Kind::Data(_))) {
            self.take_error_mark();
        }
        is_found |= structured.is_some_and(|value| self.take_structured_behind_heading(value));
        for (at, want) in wants.iter().enumerate() {
            let end = wants.get(at + 1).and_then(Unit::text);
            is_empty &= matches!(want.kind, Kind::Blank);
            match want.kind {
                Kind::Blank => self.comparison.uses(Equivalence::EmptyText),
                Kind::Text(text) => {
                    is_found = is_found || structured.is_some_and(|value| self.says_structured(text, value));
                    let is_said =
                        |matcher: &Self| context.given.is_some_and(|value| matcher.says_structured(text, value));
                    self.result_text((text, want.item), is_error, context.call)
                        .or_else(|| is_said(self).then_some(()))?;
                }
                Kind::Data(value) => {
                    is_found = is_found || structured.is_some_and(|other| self.is_equal(value, other));
                    (self.take_value(value) || is_error && self.take_value_of_error(value, context.call))
                        .then_some(())?;
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
                        _ if provider.is_of(self.answer.dialect) => return None,
                        _ => {
                            self.comparison.uses(Equivalence::ProviderItem);
                            let is_said = self.provider_text(&provider::Strings::new(provider), About::Content, end);
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
            let is_there = self.take_structured(value) || is_error && self.take_value_of_error(value, context.call);
            if !is_found && !is_there {
                return None;
            }
            self.comparison.uses(Equivalence::StructuredContent);
            is_empty &= !is_there;
        }
        self.take_notes_of(&pending);
        if self.cursor().unit().is_none_or(|unit| unit.speaker != context.speaker) {
            return Some(pending);
        }
        if is_error && is_empty && context.speaker == Speaker::Tool {
            self.take_error_mark();
            let names = context.call.map_or_else(Names::default, Names::of_call);
            self.take_note(About::Error, &names, None);
        } else if is_error {
            self.take_note(About::Error, &Names::default(), None);
        }
        if is_empty && (is_error || self.may_say_empty(wants)) && self.take_empty() {
            self.comparison.uses(Equivalence::EmptyResult);
        }
        Some(pending)
    }

    /// Takes the notes of media that follow, where they stand behind the other content of the result.
    fn take_notes_of(&mut self, pending: &[Pending<'o, 'a>]) {
        for pending in pending {
            let start = self.cursor().clone();
            let names = acceptance::names_of(pending.media, pending.item);
            if self.take_medium_note(pending.media, &names, None).is_some_and(denies) {
                *self.cursor() = start;
            }
        }
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
        let is_empty = match self.cursor().unit().map(|unit| unit.kind) {
            Some(Kind::Data(value)) => value.is_null(),
            Some(Kind::Text(text)) => self.cursor().offset == 0 && matches!(text.trim(), "[]" | "null"),
            _ => false,
        };
        if is_empty {
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
    fn result_text(
        &mut self,
        (text, item): (&'o str, &'o Item<'a>),
        is_error: bool,
        call: Option<&'o Call<'a>>,
    ) -> Option<()> {
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
            let strings = provider::Strings::of_value(resource.value);
            let is_its_text = resource.text.as_ref().is_some_and(|held| held.trim() == text.trim());
            let has_address = resource.uri.as_ref().is_some_and(|uri| holds(text, uri.trim()));
            if !(is_its_text || has_address && strings.make(text, About::Content)) {
                return None;
            }
            return self.passes(Equivalence::Resource).then_some(());
        }
        // The canonical dialect has a note for other media than images.
        if let Kind::Media(media) = unit.kind
            && self.expected.dialect == Dialect::Canonical
            && media.kind != MediaKind::Image
            && is_note(text, About::Content, &acceptance::names_of(media, unit.item))
        {
            return self.passes(Equivalence::MediaNote).then_some(());
        }
        let is_json = match unit.kind {
            Kind::Data(value) => self.is_said_by(text, value),
            Kind::Text(other) => {
                is_layout_of(text, other)
                    || self.cursor().offset == 0
                        && (self.is_same_string((text, item), (other, unit.item))
                            || self.is_object_of_input(text, other, call))
            }
            _ => false,
        };
        if !is_json {
            return None;
        }
        self.passes(Equivalence::ResultJson).then_some(())
    }

    /// Matches a value at the cursor, also as its JSON text.
    fn take_value(&mut self, value: Value<'a>) -> bool {
        self.take_value_if(value, Self::says)
    }

    /// Matches structured content at the cursor, also as text.
    fn take_structured(&mut self, value: Value<'a>) -> bool {
        self.take_value_if(value, Self::says_structured) || self.take_structured_behind_heading(value)
    }

    /// Matches structured content as text behind a heading: "structuredContent: {…}".
    fn take_structured_behind_heading(&mut self, value: Value<'a>) -> bool {
        let rest = self.cursor().rest();
        let head = &rest[..rest.floor_char_boundary(MAX_HEADING + 1)];
        let Some(start) = head.find(['{', '[']).filter(|start| *start > 0) else { return false };
        let (heading, text) = rest.split_at(start);
        let length = json_length(text);
        if !is_note(heading, About::Content, &Names::default()) || !self.says_structured(&text[..length], value) {
            return false;
        }
        self.comparison.uses(Equivalence::StructuredContent);
        self.cursor().pass(start + length);
        true
    }

    fn take_value_if(&mut self, value: Value<'a>, says: impl Fn(&Self, &str, Value<'_>) -> bool) -> bool {
        let Some(unit) = self.cursor().unit() else { return false };
        let is_same = match unit.kind {
            Kind::Data(other) => self.is_equal(value, other),
            Kind::Text(text) => says(self, text, value),
            _ => false,
        };
        if is_same {
            return self.passes(Equivalence::ResultJson);
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
        says(self, value.raw(), value) && self.cursor().take_text(value.raw(), |_| true)
            || value.as_str().is_some_and(|text| !text.trim().is_empty() && self.cursor().take_text(&text, |_| true))
    }

    /// Matches a value behind the mark of an error.
    fn take_value_of_error(&mut self, value: Value<'a>, call: Option<&'o Call<'a>>) -> bool {
        let names = call.map_or_else(Names::default, |call| Names::default().with(&call.name));
        let rest = self.cursor().rest();
        let starts = rest.char_indices().filter(|(at, _)| *at == 0 || rest[..*at].ends_with(char::is_whitespace));
        let is_mark = |start: usize| is_note(&rest[..start], About::Error, &names);
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

    pub(super) fn result_media(
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
        let promise = self.take_medium_note(media, &names, end).or_else(|| self.take_note(About::Label, &names, end));
        let is_promised = promise.is_some_and(|note| has_any(note, PROMISES) && !denies(note));
        if is_promised
            && let Some(Kind::Media(other)) = self.cursor().unit().map(|unit| unit.kind)
            && self.same_media(media, other)
        {
            self.cursor().next();
            return Some(Placed::Here);
        }
        let mut tag = None;
        if !is_promised {
            *self.cursor() = saved.clone();
            if !must_stay && promise.is_none() {
                tag = self.take_tagged_note(media, &names, end);
            }
        }
        if !is_promised && tag.is_none() {
            if self.media_as_text(media, want, context.speaker, end, must_stay || must_follow) {
                return Some(Placed::Here);
            }
            if must_stay {
                return None;
            }
            // What follows is there.
            if self.take_medium_note(media, &names, end).is_some_and(denies) {
                *self.cursor() = saved;
            }
        }
        Some(Placed::Follows(Pending { media, item: want.item, call: context.call, is_error: context.is_error, tag }))
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
        for wants in self.wanted.forms_of(result).rev() {
            let text = wants.first().and_then(Unit::text);
            let mark = text.and_then(|text| self.take_mark(text, About::Result, &names));
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
                self.labels.add_call(call, [result.result.id.as_deref(), None]);
                self.pending.extend(pending);
                return self.accepts(Equivalence::ToolsAsText);
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
            begins_with_error(text)
                || is_note(text, About::StandIn, &Names::default())
                || with_value(text, is_error_object)
        }
        Content::Data(value) => is_error_object(*value) || wraps_error(*value),
        _ => false,
    }
}

/// Returns whether a result says that it is an error, by its flag or by its first words.
fn says_error(given: &Given<'_, '_>) -> bool {
    given.result.is_error.unwrap_or_else(|| given.result.items.iter().any(is_error_in_words))
}

/// Returns whether a mark is that of a call, and not that of its result.
fn is_mark_of_call(mark: &str) -> bool {
    has_any(mark, CALLS) && !has_any(mark, RESULTS)
}
