//! Media: in their place, as text, and behind the results that they belong to.

use std::collections::HashSet;

use super::calls::describe_call;
use super::{AHEAD, Matcher, Previous};
use crate::compare::acceptance;
use crate::compare::flat::{Flat, Kind, Unit};
use crate::compare::words::{About, has_any, has_name, is_note};
use crate::equivalence::Equivalence;
use crate::observation::{Call, Item, Media, MediaKind, Source, Speaker};
use crate::reason::Reason;

/// Media of a result that must follow the results of the turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending<'o, 'a> {
    pub(super) media: &'o Media<'a>,
    pub(super) item: &'o Item<'a>,
    /// The id of the call, as the expected result says it
    pub(super) id: Option<&'o str>,
    /// The id of the call, as the result of the answer says it
    pub(super) given_id: Option<&'o str>,
    /// The call in the answer whose result it belongs to
    pub(super) call: Option<&'o Call<'a>>,
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
            let (at, offset) = (self.cursor.at, self.cursor.offset);
            if self.take_note_before(&text, About::Content, &names).is_some()
                && self.cursor.take_text(&text, |unit| unit.speaker == speaker)
                && self.ends_line()
            {
                self.comparison.uses(Equivalence::DocumentText);
                return true;
            }
            (self.cursor.at, self.cursor.offset) = (at, offset);
        }
        if let Source::Items(items) = &media.source {
            let (at, offset) = (self.cursor.at, self.cursor.offset);
            let mut texts = items.iter().filter_map(|item| item.as_text());
            let names = names.clone();
            if texts.all(|text| {
                self.take_note_before(text, About::Content, &names).is_some()
                    && self.cursor.take_text(text, |unit| unit.speaker == speaker)
            }) {
                self.comparison.uses(Equivalence::DocumentText);
                return true;
            }
            (self.cursor.at, self.cursor.offset) = (at, offset);
        }
        if let Source::Url(url) = &media.source
            && self.take_text_with(url, &names, end)
        {
            self.comparison.uses(Equivalence::Address);
            return true;
        }
        if is_accepted {
            return false;
        }
        let (at, offset) = (self.cursor.at, self.cursor.offset);
        if let Some(note) = self.take_note(About::Content, &names, end) {
            let kinds = [
                "image",
                "picture",
                "photo",
                "file",
                "document",
                "audio",
                "video",
                "recording",
                "media",
                "attachment",
                "pdf",
                "screenshot",
                "inlinedata",
                "filedata",
            ];
            if has_any(note, &kinds) || has_name(note, &names) {
                self.comparison.uses(Equivalence::MediaNote);
                return true;
            }
            (self.cursor.at, self.cursor.offset) = (at, offset);
        }
        false
    }

    /// Takes media of results that follow in a message of the user, in order, with their labels.
    pub(super) fn take_pending(&mut self) -> bool {
        let Some(pending) = self.pending.front().copied() else { return false };
        let Some(unit) = self.unit().filter(|unit| unit.speaker == Speaker::User) else { return false };
        if let Kind::Media(media) = unit.kind {
            let is_same = |pending: &Pending<'_, '_>| pending.media.is_same(media);
            // Where media stand beside the text, a label does not say which of them it is for.
            let is_named = |pending: &Pending<'_, '_>| {
                !self.is_media_last && pending.call.is_some_and(|call| holds_id(self.label, call))
            };
            let ahead = || self.pending.iter().take(AHEAD);
            let labelled = ahead().position(|pending| is_same(pending) && is_named(pending));
            let Some(found) = labelled.or_else(|| ahead().position(is_same)) else { return false };
            if let Some(other) = self.pending.remove(found).filter(|_| found > 0) {
                let is_labelled = !self.is_media_last && other.call.is_some_and(|call| holds_id(self.label, call));
                if !is_labelled {
                    let detail = "the media of the tool results are in another order";
                    let places = (Some(other.item.place), Some(unit.item.place));
                    self.report(Reason::MediaMisattributed, places.0, places.1, detail);
                }
            }
            self.same_media(pending.media, media);
            self.cursor.next();
            self.previous = Some(Previous::Said(Speaker::User));
            self.comparison.uses(Equivalence::ResultMedia);
            return true;
        }
        // A label, where a medium follows.
        let rest = self.cursor.rest();
        let is_followed = self.given.units[self.cursor.at + 1..]
            .iter()
            .take_while(|next| next.step == unit.step)
            .take(AHEAD)
            .find(|next| !matches!(next.kind, Kind::Text(_) | Kind::Blank))
            .is_some_and(|next| matches!(next.kind, Kind::Media(media) if self.pending.iter().take(AHEAD).any(|pending| pending.media.is_same(media))));
        if !is_followed || rest.is_empty() {
            return false;
        }
        let mut names = acceptance::names_of(pending.media, pending.item);
        for pending in self.pending.iter().take(AHEAD) {
            if let Some(call) = pending.call {
                names.add(&call.name);
                // Where the wire has no ids, the label may have the one that the call had.
                names.add(call.id.as_deref().or(pending.id).unwrap_or_default());
            }
            names.add(pending.given_id.unwrap_or_default());
        }
        if !is_note(rest, About::Content, &names) {
            return false;
        }
        self.check_label(rest, &pending, unit);
        self.label = rest;
        self.cursor.next();
        true
    }

    /// An id in a label must be the id of the call.
    pub(super) fn check_label(&mut self, label: &str, pending: &Pending<'o, 'a>, unit: Unit<'o, 'a>) {
        if self.is_media_last {
            return;
        }
        let mut named =
            self.pending.iter().take(AHEAD).filter(|other| other.call.is_some_and(|call| holds_id(label, call)));
        let Some(call) = named.next().and_then(|pending| pending.call) else { return };
        let mut media =
            self.pending.iter().take(AHEAD).filter(|other| other.call.is_some_and(|call| holds_id(label, call)));
        // Labels of several media may stand before all of them.
        let next = self.given.units.get(self.cursor.at + 1);
        let Some(Unit { kind: Kind::Media(next), .. }) = next else { return };
        if named.all(|other| other.call.is_some_and(|other| other.number == call.number))
            && !media.any(|other| other.media.is_same(next))
        {
            self.report(
                Reason::MediaMisattributed,
                Some(pending.item.place),
                Some(unit.item.place),
                format!("the label names tool call {}", describe_call(call)),
            );
        }
    }

    /// Ends the results of a turn: their media must have followed by now.
    pub(super) fn follow_up(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        while !self.pending.is_empty() && (self.take_pending() || self.skip_filler()) {}
        while !self.comparison.has_ended_early
            && let Some(pending) = self.pending.pop_front()
        {
            let reason = self.reason_of_missing_media(pending.media);
            self.report(
                reason,
                Some(pending.item.place),
                None,
                format!("{} of a tool result is missing", pending.media.kind.name()),
            );
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

/// Returns whether a label holds the id of a call.
pub(super) fn holds_id(label: &str, call: &Call<'_>) -> bool {
    call.id.as_ref().is_some_and(|id| id.len() > 3 && label.contains(&**id))
}

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
