//! Comparison of tool results.

use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;

use super::media::Pending;
use super::{Matcher, TRIES};
use crate::compare::cursor::Cursor;
use crate::compare::flat::{Given, Kind, Unit};
use crate::compare::value::{is_equal, is_equal_text, json_length};
use crate::compare::words::{About, Mark, Names, denies, has_any, is_note};
use crate::compare::{acceptance, provider, quoted};
use crate::equivalence::Equivalence;
use crate::observation::{Call, Media, MediaKind, Resource, Source, Speaker};
use crate::reason::Reason;

/// Keys under which dialects and programs wrap what a tool has given.
const WRAPPERS: [&str; 5] = ["output", "result", "content", "error", "value"];

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
        let is_error = wanted.result.is_error == Some(true);
        let same = self.content(wanted, given, is_error, call) || self.is_same_value(wanted, given);
        if !same && given.result.is_error == Some(true) && wanted.result.is_error.is_none() {
            // The words of the error may have been taken for its flag.
            return self.content(wanted, given, true, call);
        }
        same
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
            is_said: given.result.structured.is_some_and(|other| is_equal(value, other)),
        });
        let context = Context { is_error, structured, given: given.result.structured, call, speaker: Speaker::Tool };
        let (expected, answer) = (self.forms_of_expected(wanted), self.forms_of_answer(given));
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
        let Some(Structured { value, .. }) = context.structured.filter(|_| found.is_none()) else { return found };
        // Structured content instead of the texts.
        let media: Vec<_> = wants.iter().filter(|want| matches!(want.kind, Kind::Media(_))).copied().collect();
        self.with_cursor(cursor, |matcher| {
            matcher.take_value(value).then_some(())?;
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
        if let [Unit { kind: Kind::Text(text), .. }] = wants
            && self.cursor().unit().is_none()
            && is_note(text, About::Empty, &Names::default())
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
                    is_found = is_found || structured.is_some_and(|value| says(text, value));
                    let is_said = || context.given.is_some_and(|value| says(text, value));
                    self.result_text(text, is_error, context.call).or_else(|| is_said().then_some(()))?;
                }
                Kind::Data(value) => {
                    is_found = is_found || structured.is_some_and(|other| is_equal(value, other));
                    (self.take_value(value) || is_error && self.take_value_of_error(value)).then_some(())?;
                }
                Kind::Media(media) => {
                    // Where media are behind texts, structured content is a text before them.
                    is_found = is_found || structured.is_some_and(|value| self.take_value(value));
                    self.result_media(media, *want, context, end)?.add_to(&mut pending);
                }
                Kind::Resource(resource) => {
                    is_found =
                        is_found || resource.media.is_some() && structured.is_some_and(|value| self.take_value(value));
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
                        _ => {
                            self.comparison.uses(Equivalence::ProviderItem);
                            self.provider_text(&provider::Words::new(provider), About::Content, end);
                        }
                    }
                }
                Kind::Call(_) => {}
            }
        }
        if let Some(value) = structured {
            let is_there = self.take_value(value) || is_error && self.take_value_of_error(value);
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
        if is_empty && self.take_note(About::Empty, &Names::default(), None).is_some() {
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
            let has_address = resource.uri.as_ref().is_some_and(|uri| text.contains(uri.trim()));
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
            Kind::Data(value) => {
                is_equal_text(text, value.raw()) || value.as_str().is_some_and(|value| value.trim() == text.trim())
            }
            Kind::Text(other) if looks_like_json(text) => is_equal_text(text, other),
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
        let Some(unit) = self.cursor().unit() else { return false };
        let is_same = match unit.kind {
            Kind::Data(other) => is_equal(value, other),
            Kind::Text(text) => says(text, value),
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
            if says(&rest[..length], value) {
                self.comparison.uses(Equivalence::ResultJson);
                self.cursor().skip(length);
                return true;
            }
        }
        if self.cursor().take_text(value.raw(), |_| true) {
            return true;
        }
        match value.as_str() {
            Some(text) if !text.trim().is_empty() => self.cursor().take_text(&text, |_| true),
            _ => false,
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
            (is_mark(start) && says(&text[..length], value)).then_some(start + length)
        });
        let Some(end) = found else { return false };
        self.comparison.uses(Equivalence::ErrorText);
        self.cursor().skip(end);
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
                let same = resource.uri == other.uri && resource.text == other.text && same_media;
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

    /// Returns whether two results are the same as one JSON value, whatever wraps them.
    fn is_same_value(&mut self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>) -> bool {
        let expected = self.units_of_expected(wanted);
        let answer = self.units_of_answer(given);
        let forms = |units: &[Unit<'o, 'a>], whole: Option<Value<'a>>, structured: Option<Value<'a>>| -> Vec<String> {
            // Media beside the whole value are not in it.
            let is_beside = |unit: &Unit<'_, '_>| matches!(unit.kind, Kind::Media(_) | Kind::Resource(_));
            let value = whole.filter(|_| !units.iter().any(is_beside));
            let mut forms: Vec<String> =
                value.into_iter().chain(structured).map(|value| value.raw().to_owned()).collect();
            let mut items = units.iter().filter(|unit| !matches!(unit.kind, Kind::Blank));
            if let (Some(unit), None) = (items.next(), items.next()) {
                match unit.kind {
                    Kind::Data(value) => forms.push(value.raw().to_owned()),
                    Kind::Text(text) if looks_like_json(text) => {
                        forms.push(text.to_owned());
                        forms.extend(unwrapped(text));
                    }
                    Kind::Text(text) => forms.push(wirecanon_json::quote(text)),
                    _ => {}
                }
            }
            forms
        };
        // Texts beside structured content were compared with all that is expected.
        let left = match wanted.result.structured {
            Some(value) => vec![value.raw().to_owned()],
            None => forms(expected, wanted.result.whole, None),
        };
        let right = forms(answer, given.result.whole, given.result.structured);
        let same = left.iter().any(|left| right.iter().any(|right| is_equal_text(left, right)));
        if same {
            self.comparison.uses(Equivalence::ResultJson);
        }
        same
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

/// Returns whether a text says a value: as its JSON text, under one `result` key, or as a plain string.
fn says(text: &str, value: Value<'_>) -> bool {
    if is_equal_text(text, value.raw()) || value.as_str().is_some_and(|value| value.trim() == text.trim()) {
        return true;
    }
    let mut members = value.members();
    match (members.next(), members.next()) {
        (Some((key, inner)), None) if key.is_str("result") => {
            is_equal_text(text, inner.raw()) || inner.as_str().is_some_and(|inner| inner.trim() == text.trim())
        }
        _ => false,
    }
}

fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '"']) || text.trim().parse::<f64>().is_ok()
}

/// The value that a JSON object with one known key wraps.
fn unwrapped(text: &str) -> Option<String> {
    let json = Json::parse(text, &Limits::default()).ok()?;
    let mut members = json.root().members();
    match (members.next(), members.next()) {
        (Some((key, value)), None) if WRAPPERS.iter().any(|known| key.is_str(known)) => Some(value.raw().to_owned()),
        _ => None,
    }
}

/// Words that say that a tool failed.
const FAILURES: &[&str] = &["error", "errors", "exception", "failed", "failure"];

/// Returns whether a result says that it is an error, by its flag or by its first words.
fn says_error(given: &Given<'_, '_>) -> bool {
    let says_so = |text: &str| {
        let start: String = text.chars().take(64).collect();
        has_any(&start, FAILURES) || is_note(text, About::StandIn, &Names::default())
    };
    let has_words = || given.result.items.iter().filter_map(|item| item.as_text()).any(says_so);
    given.result.is_error.unwrap_or_else(has_words)
}

/// Returns whether a mark is that of a call, and not that of its result.
fn is_mark_of_call(mark: &str) -> bool {
    has_any(mark, &["call", "calls"])
        && !has_any(mark, &["result", "results", "output", "outputs", "response", "returned", "content"])
}
