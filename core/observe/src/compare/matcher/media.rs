//! Media: in their place, as text, and behind the results that they belong to.

use hashbrown::HashSet;

use super::labels::{Labels, find_word};
use super::{AHEAD, Matcher, Previous};
use crate::compare::acceptance;
use crate::compare::flat::{Flat, Kind, Unit};
use crate::compare::vocabulary::FAILURES;
use crate::compare::words::{About, Names, denies, is_made_of, is_note, words};
use crate::equivalence::Equivalence;
use crate::observation::{Call, Item, Media, MediaKind, Source, Speaker};
use crate::reason::Reason;

/// Media of a result that must follow the results of the turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending<'o, 'a> {
    pub(super) media: &'o Media<'a>,
    pub(super) item: &'o Item<'a>,
    /// The call in the answer whose result it belongs to
    pub(super) call: Option<&'o Call<'a>>,
    /// The result is the failure of the tool
    pub(super) is_error: bool,
    /// The number or the id by which the result refers to the medium
    pub(super) tag: Option<&'o str>,
}

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Returns whether two media are the same, and in which way.
    pub(super) fn same_media(&mut self, media: &Media<'_>, other: &Media<'_>) -> bool {
        if !media.is_same(other) {
            return false;
        }
        if !media.is_spelled_like(other) || media.media_type.is_some() && media.media_type != other.media_type {
            self.comparison.uses(Equivalence::Bytes);
        }
        if media.name != other.name {
            self.comparison.uses(Equivalence::FileNames);
        }
        true
    }

    pub(super) fn media(&mut self, at: usize, want: Unit<'o, 'a>, media: &'o Media<'a>, unit: Unit<'o, 'a>) -> bool {
        if let Kind::Media(other) = unit.kind
            && unit.speaker == want.speaker
            && self.same_media(media, other)
        {
            self.cursor.next();
            self.matched(want, unit);
            return true;
        }
        if unit.speaker != want.speaker || !matches!(unit.kind, Kind::Text(_)) {
            return false;
        }
        let end = self.head_of_next(at);
        let is_accepted = self.acceptance.in_message(media, want.speaker);
        if !self.media_as_text(media, want, want.speaker, end, is_accepted) {
            return false;
        }
        self.matched(want, unit);
        true
    }

    /// Matches what may stand for a medium: the text of a document, an address, a note.
    pub(super) fn media_as_text(
        &mut self,
        media: &'o Media<'a>,
        want: Unit<'o, 'a>,
        speaker: Speaker,
        end: Option<&'o str>,
        is_accepted: bool,
    ) -> bool {
        let names = acceptance::names_of(media, want.item);
        if media.kind == MediaKind::Document
            && let Some(text) = media.as_text().filter(|text| !text.trim().is_empty())
        {
            let start = self.cursor.clone();
            if self.take_marked(&text, About::Content, &names, |unit| unit.speaker == speaker).is_some()
                && self.ends_line()
            {
                return self.accepts(Equivalence::DocumentText);
            }
            self.cursor = start;
        }
        if let Source::Items(items) = &media.source {
            let start = self.cursor.clone();
            let mut texts = items.iter().filter_map(|item| item.as_text());
            if texts
                .all(|text| self.take_marked(text, About::Content, &names, |unit| unit.speaker == speaker).is_some())
            {
                return self.accepts(Equivalence::DocumentText);
            }
            self.cursor = start;
        }
        if let Source::Url(url) = &media.source
            && self.take_text_with(url, end, |text| is_made_of(text, About::Content, &names))
        {
            return self.accepts(Equivalence::Address);
        }
        if is_accepted {
            return false;
        }
        self.take_medium_note(media, &names, end).is_some() && self.accepts(Equivalence::MediaNote)
    }

    /// Takes the note that stands for a medium. Its bytes may say another kind than the block.
    pub(super) fn take_medium_note(&mut self, media: &Media<'_>, names: &Names, end: Option<&str>) -> Option<&'o str> {
        let kinds = [media.kind, acceptance::kind_of(media)];
        kinds.into_iter().find_map(|kind| self.take_note(About::Medium(kind), names, end))
    }

    /// Takes the note of a medium that follows, with a number or an id that its label must repeat. Returns the number or the id.
    pub(super) fn take_tagged_note(&mut self, media: &Media<'_>, names: &Names, end: Option<&str>) -> Option<&'o str> {
        let start = self.cursor.clone();
        let line = self.cursor.rest().lines().next().unwrap_or_default();
        let is_tag = |word: &&str| {
            word.len() <= MAX_TAG
                && word.contains(|c: char| c.is_ascii_digit())
                && !words(word).any(|word| names.has(&word))
        };
        let tag = line.split(|c: char| !c.is_alphanumeric()).find(is_tag)?;
        let note = self.take_medium_note(media, &names.clone().with(tag), end);
        if note.is_some_and(|note| find_word(note, tag).is_some() && !denies(note)) {
            return Some(tag);
        }
        self.cursor = start;
        None
    }

    /// Takes a text behind a medium of a result: the end of its label, or a label that names its call or none.
    pub(super) fn take_label_behind(&mut self) -> bool {
        let Some(medium) = self.labels.behind() else { return false };
        let Some(Unit { kind: Kind::Text(text), speaker: Speaker::User, .. }) = self.unit() else { return false };
        let mut names = self.labels.names_of(&medium);
        acceptance::add_names(&mut names, medium.media, medium.item);
        if self.cursor.offset > 0 || !is_note(text, About::Label, &names) {
            return false;
        }
        self.labels.end();
        self.cursor.next();
        true
    }

    /// Takes media of results that follow in a message of the user, in order, with their labels.
    pub(super) fn take_pending(&mut self) -> bool {
        if self.pending.is_empty() {
            return false;
        }
        let Some(unit) = self.unit().filter(|unit| unit.speaker == Speaker::User) else { return false };
        let Kind::Media(media) = unit.kind else { return self.take_label(unit) };
        let is_same = |pending: &Pending<'_, '_>| pending.media.is_same(media);
        let ahead = || self.pending.iter().take(AHEAD);
        let is_named = |pending: &Pending<'_, '_>| match pending.tag {
            Some(tag) => self.labels.has_tag(tag),
            None => self.labels.names(pending) == Some(true),
        };
        let named = ahead().position(|pending| is_same(pending) && is_named(pending));
        let Some(found) = named.or_else(|| ahead().position(is_same)) else { return false };
        let Some(pending) = self.pending.remove(found) else { return false };
        let detail = match self.labels.names(&pending) {
            _ if pending.tag.is_some_and(|tag| !self.labels.has_tag(tag)) => {
                Some("the label does not name what the tool result refers to")
            }
            Some(false) => Some("the label names another tool call"),
            None if found > 0 => Some("the media of the tool results are in another order"),
            _ => None,
        };
        if let Some(detail) = detail {
            let places = (Some(pending.item.place), Some(unit.item.place));
            self.report(Reason::MediaMisattributed, places.0, places.1, detail);
        }
        self.labels.pass(pending);
        self.same_media(pending.media, media);
        self.cursor.next();
        self.previous = Some(Previous::Said(Speaker::User));
        self.accepts(Equivalence::ResultMedia)
    }

    /// Takes a label, where a medium follows that must follow.
    fn take_label(&mut self, unit: Unit<'o, 'a>) -> bool {
        let label = self.cursor.rest();
        let is_expected =
            |media: &Media<'_>| self.pending.iter().take(AHEAD).any(|pending| pending.media.is_same(media));
        let mut behind = self.given.units[self.cursor.at + 1..]
            .iter()
            .take_while(|next| next.step == unit.step)
            .take(AHEAD)
            .skip_while(|next| matches!(next.kind, Kind::Text(_) | Kind::Blank));
        let is_media = |unit: &&Unit<'o, 'a>| matches!(unit.kind, Kind::Media(_));
        let media = behind.clone().take_while(is_media).count();
        let is_followed =
            behind.next().is_some_and(|next| matches!(next.kind, Kind::Media(media) if is_expected(media)));
        if !is_followed || label.is_empty() {
            return false;
        }
        let Some(next) = self.pending.front() else { return false };
        let mut names = self.labels.names_before(next, self.pending.len());
        for pending in self.pending.iter().take(AHEAD) {
            acceptance::add_names(&mut names, pending.media, pending.item);
            names.add(pending.tag.unwrap_or_default());
        }
        // The whole label may be about failures, where the first medium is of one.
        if next.is_error {
            FAILURES.words().for_each(|word| names.add(word));
        }
        if !is_note(label, About::Label, &names) {
            return false;
        }
        self.labels.add(label, next, media);
        self.cursor.next();
        true
    }

    /// Ends the results of a turn: their media must have followed by now.
    pub(super) fn follow_up(&mut self) {
        if self.pending.is_empty() {
            self.take_label_behind();
            self.labels = Labels::default();
            return;
        }
        while !self.pending.is_empty() && (self.take_pending() || self.skip_added() || self.skip_filler()) {}
        self.take_label_behind();
        self.labels = Labels::default();
        while !self.comparison.has_ended_early
            && let Some(pending) = self.pending.pop_front()
        {
            let reason = self.reason_of_missing_media(pending.media);
            let detail = format!("{} of a tool result is missing", pending.media.kind.name());
            self.report(reason, Some(pending.item.place), None, detail);
        }
    }

    /// Returns whether the bytes of a medium stand in a text of the answer instead.
    pub(super) fn reason_of_missing_media(&mut self, media: &Media<'_>) -> Reason {
        let Source::Base64(data) = &media.source else { return Reason::MediaMissing };
        if data.len() < SHORTEST {
            return Reason::MediaMissing;
        }
        let given = self.given;
        let spelled = self.spelled.get_or_insert_with(|| spelled(given));
        if spelled.contains(head_of(data)) { Reason::MediaAsText } else { Reason::MediaMissing }
    }
}

/// Longer words are no numbers or ids of media.
const MAX_TAG: usize = 64;

/// The shortest base64 that is told from words.
const SHORTEST: usize = 16;

/// The first characters of base64.
fn head_of(base64: &str) -> &str {
    base64.get(..64).unwrap_or(base64)
}

/// The beginnings of all base64 in the texts of an answer.
fn spelled<'o>(flat: &'o Flat<'_, '_>) -> HashSet<&'o str> {
    let results = flat.results.iter().flatten().flat_map(|given| &given.result.items);
    let texts = flat.units.iter().map(|unit| unit.item).chain(results).filter_map(|item| item.as_text());
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_' | '=');
    texts
        .flat_map(|text| text.split(move |c: char| !is_digit(c)))
        .filter(|run| run.len() >= SHORTEST)
        .map(head_of)
        .collect()
}
