//! Notes that stand in place of content, and marks around a text.

use std::borrow::Cow;

use wirecanon_json::{Json, Limits};

use super::{MOST_NOTES, Matcher, TRIES};
use crate::compare::cursor::{find_head, heads};
use crate::compare::flat::Unit;
use crate::compare::provider::{Said, Strings};
use crate::compare::value::json_length;
use crate::compare::words::{About, MAX_NOTE, Mark, Names, closers, is_note};

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Takes the note at the cursor: all of the text there, its first line or the part in brackets at its start, or the part before the
    /// text that must follow.
    pub(super) fn take_note(&mut self, about: About, names: &Names, end: Option<&str>) -> Option<&'o str> {
        if self.cursor.is_within_line() {
            return None;
        }
        let rest = self.cursor.rest();
        let is_note = |note: &&str| !note.trim().is_empty() && is_note(note, about, names);
        let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
        let ends = end.map(|end| ends_before(rest, end)).unwrap_or_default();
        let note = if ends.is_empty() {
            [bracketed(line).unwrap_or(line), line, rest].into_iter().find(is_note)?
        } else if ends[0] == 0 {
            return None;
        } else {
            // The text that must follow may be a word of the note.
            let (behind, within): (Vec<_>, Vec<_>) = ends.iter().partition(|end| closers(&rest[..**end]).is_empty());
            let cut = |ends: Vec<usize>| ends.into_iter().map(|end| &rest[..end]).find(is_note);
            cut(behind).or_else(|| bracketed(line).filter(is_note)).or_else(|| cut(within))?
        };
        self.cursor.skip(note.len());
        Some(note)
    }

    /// Takes a text with the mark before it and what closes the mark behind it. The mark may be blank, and may be several texts of one
    /// turn. The cursor stays where it is if something else is there.
    pub(super) fn take_marked(
        &mut self,
        text: &str,
        about: About,
        names: &Names,
        allows: impl Fn(&Unit<'o, 'a>) -> bool,
    ) -> Option<Mark> {
        let start = self.cursor.clone();
        let mark = self.take_mark(text, about, names)?;
        if self.cursor.take_text(text, allows) && self.close(&mark) {
            return Some(mark);
        }
        self.cursor = start;
        None
    }

    /// Takes the mark between the cursor and a text. The cursor stays where it is if there is none.
    pub(super) fn take_mark(&mut self, text: &str, about: About, names: &Names) -> Option<Mark> {
        let start = self.cursor.clone();
        let step = self.cursor.unit()?.step;
        let mut before = String::new();
        // The first mark that stands around the text: what it holds may be a word of the mark.
        let mut around = None;
        for _ in 0..MOST_NOTES {
            let rest = self.cursor.rest();
            // What goes on with a line that was said is no mark.
            let is_within = self.cursor.is_within_line();
            let mark = mark_before(rest, text, |mark| {
                let whole = if before.is_empty() { Cow::Borrowed(mark) } else { Cow::Owned(before.clone() + mark) };
                let mark = Mark::read(&whole, about, names)?;
                (!is_within || mark.is_blank()).then_some(mark)
            });
            if let Some((length, mark)) = mark {
                let is_around = !mark.closers.is_empty();
                let mut behind = self.cursor.clone();
                behind.skip(length);
                if !is_around {
                    self.cursor = behind;
                    return Some(mark);
                }
                around.get_or_insert((behind, mark));
            }
            if is_within || rest.trim().is_empty() || !is_note(rest, about, names) {
                break;
            }
            before.push_str(rest);
            before.push('\n');
            self.cursor.next();
            if self.cursor.unit().is_none_or(|unit| unit.step != step) {
                break;
            }
        }
        let (cursor, mark) = around.map_or((start, None), |(cursor, mark)| (cursor, Some(mark)));
        self.cursor = cursor;
        mark
    }

    /// Takes what closes a mark. Returns whether all of it is there.
    pub(super) fn close(&mut self, mark: &Mark) -> bool {
        if mark.closers.is_empty() {
            return true;
        }
        let closing = mark.closing(self.cursor.rest());
        self.cursor.skip(closing.unwrap_or_default());
        closing.is_some()
    }

    /// Takes a text that holds this one, where the text says nothing else.
    pub(super) fn take_text_with(&mut self, held: &str, end: Option<&str>, says: impl Fn(&str) -> bool) -> bool {
        let rest = self.cursor.rest();
        let until = end.and_then(|end| find_head(rest, end)).filter(|end| *end > 0).unwrap_or(rest.len());
        let line = rest.find('\n').map_or(rest.len(), |line| line);
        for end in [line, until, rest.len()] {
            let text = &rest[..end];
            if holds(text, held.trim()) && says(text) {
                self.cursor.skip(end);
                return true;
            }
        }
        false
    }

    /// Takes the text that may stand for an item of another provider: its JSON, a text that is made of its strings, or a note.
    pub(super) fn provider_text(&mut self, strings: &Strings, about: About, end: Option<&'o str>) -> bool {
        let Some(unit) = self.cursor.unit() else { return false };
        let start = self.cursor.clone();
        let mut said = Said::default();
        while self.cursor.unit().is_some_and(|next| next.step == unit.step && next.speaker == unit.speaker)
            && self.provider_part(strings, about, end, &mut said)
        {
            if strings.are_said(&said) {
                return true;
            }
        }
        self.cursor = start;
        self.provider_note(strings, about, end)
    }

    /// Takes a text that is made of strings of an item which were not said before.
    pub(super) fn provider_part(
        &mut self,
        strings: &Strings,
        about: About,
        end: Option<&'o str>,
        said: &mut Said,
    ) -> bool {
        let text = self.before(end);
        let length = if self.cursor.is_within_line() { 0 } else { strings.read(text, about, said) };
        self.cursor.skip(length);
        length > 0
    }

    /// Takes a note that names an item: its first line, or the part in brackets at its start.
    pub(super) fn provider_note(&mut self, strings: &Strings, about: About, end: Option<&'o str>) -> bool {
        let text = self.before(end);
        let note = [line_of(text), Some(text)].into_iter().flatten().find(|note| strings.is_named_by(note, about));
        let Some(note) = note.filter(|_| !self.cursor.is_within_line()) else { return false };
        self.cursor.skip(note.len());
        true
    }

    /// The rest of the text at the cursor, up to the text that must follow; empty where that one is there already.
    fn before(&mut self, end: Option<&'o str>) -> &'o str {
        let rest = self.cursor.rest();
        if end.is_some_and(|end| self.cursor.clone().take_text(end, |_| true)) {
            return "";
        }
        &rest[..end.and_then(|end| find_head(rest, end)).unwrap_or(rest.len())]
    }
}

/// Where a note may end before a text: at the first places where that one stands, behind what sets it apart.
fn ends_before(rest: &str, text: &str) -> Vec<usize> {
    let limit = rest.floor_char_boundary(MAX_NOTE);
    let is_apart = |end: &usize| *end == 0 || rest[..*end].ends_with([' ', '\n', ']', ')', '>', ':']);
    heads(rest, text).take_while(|end| *end <= limit).filter(is_apart).take(TRIES).collect()
}

/// Returns whether a text holds an address, and not only the beginning or the end of a longer one.
pub(super) fn holds(text: &str, address: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "/?#&=%_-~+@:".contains(c);
    text.match_indices(address).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + address.len()..]);
        // A full stop or a colon may end a sentence.
        let behind = behind.strip_prefix(['.', ':']).unwrap_or(behind);
        !address.is_empty() && !before.ends_with(char::is_alphanumeric) && !behind.starts_with(is_part)
    })
}

/// Finds the mark before a text, among the first places where the text may begin: one that closes before the text, or else the first
/// that stands around it.
fn mark_before(rest: &str, text: &str, read: impl Fn(&str) -> Option<Mark>) -> Option<(usize, Mark)> {
    let mut around = None;
    for found in heads(rest, text).take(TRIES) {
        match read(&rest[..found]) {
            Some(mark) if mark.closers.is_empty() => return Some((found, mark)),
            mark => around = around.or(mark.map(|mark| (found, mark))),
        }
    }
    around
}

/// The first part of a text that has a word: a JSON object, a part in brackets or a line, with the white space before it.
pub(super) fn line_of(text: &str) -> Option<&str> {
    let start = text.len() - text.trim_start().len();
    let inner = &text[start..];
    let length = if inner.starts_with('{') && Json::parse(&inner[..json_length(inner)], &Limits::default()).is_ok() {
        json_length(inner)
    } else {
        let line = inner.find('\n').map_or(inner, |end| &inner[..end]);
        bracketed(line).unwrap_or(line).len()
    };
    Some(&text[..start + length]).filter(|line| has_word(line))
}

pub(super) fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// The part in brackets at the start of a line, where another one or nothing follows.
pub(super) fn bracketed(line: &str) -> Option<&str> {
    let end = line.starts_with('[').then(|| line.find(']'))?? + 1;
    let rest = line[end..].trim_start();
    (rest.is_empty() || rest.starts_with('[')).then_some(&line[..end])
}
