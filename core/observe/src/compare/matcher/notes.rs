//! Notes that stand in place of content, or before a text.

use wirecanon_json::{Json, Limits};

use super::{MOST_NOTES, Matcher, TRIES};
use crate::compare::cursor::find_head;

use crate::compare::flat::{Kind, Unit};
use crate::compare::provider;
use crate::compare::value::json_length;
use crate::compare::words::{About, Names, has_name, is_made_of, is_note};
use crate::observation::Provider;

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Returns whether nothing that has a word stands between the cursor and the end of the line: else what was taken is a word of a note.
    pub(super) fn ends_line(&self) -> bool {
        let Some(Unit { kind: Kind::Text(text), .. }) = self.cursor.units.get(self.cursor.at) else { return true };
        let rest = text[self.cursor.offset..].lines().next().unwrap_or_default();
        !rest.contains(char::is_alphanumeric)
    }

    /// Takes the note at the cursor: all of the text there, or the part before the text that must follow.
    pub(super) fn take_note(&mut self, about: About, names: &Names, end: Option<&str>) -> Option<&'o str> {
        if self.cursor.is_within_line() {
            return None;
        }
        if let Some(end) = end
            && find_head(self.cursor.rest(), end).is_some()
        {
            let length = note_before(self.cursor.rest(), end, about, names).filter(|length| *length > 0)?;
            let note = &self.cursor.rest()[..length];
            self.cursor.skip(length);
            return Some(note).filter(|note| !note.trim().is_empty());
        }
        let rest = self.cursor.rest();
        // A part in brackets, a line, or all of it.
        let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
        let bracket = bracketed(line).unwrap_or(line);
        let is_note = |note: &&str| !note.trim().is_empty() && is_note(note, about, names);
        let note = [bracket, line, rest].into_iter().find(is_note)?;
        self.cursor.skip(note.len());
        Some(note)
    }

    /// Takes the note between the cursor and a text, which may be empty, and may be several texts of one turn. The cursor stays
    /// where it is if something else is there.
    pub(super) fn take_note_before(&mut self, text: &str, about: About, names: &Names) -> Option<String> {
        let start = self.cursor.clone();
        let step = self.cursor.unit()?.step;
        let mut taken = String::new();
        // The place of the text within the brackets of a note, if nothing better is found.
        let mut within = None;
        for _ in 0..MOST_NOTES {
            let rest = self.cursor.rest();
            let is_within = self.cursor.is_within_line();
            let found = note_before(rest, text, about, names);
            if let Some(found) = found.filter(|found| !is_within || rest[..*found].trim().is_empty()) {
                let note = [&taken, &rest[..found]].concat();
                self.cursor.skip(found);
                if is_closed(&rest[..found]) {
                    return Some(note);
                }
                within.get_or_insert_with(|| (self.cursor.clone(), note));
            }
            let is_note = !is_within && !rest.trim().is_empty() && is_note(rest, about, names);
            taken.push_str(rest);
            self.cursor.next();
            if !is_note || self.cursor.unit().is_none_or(|unit| unit.step != step) {
                break;
            }
        }
        match within {
            Some((cursor, note)) => {
                self.cursor = cursor;
                Some(note)
            }
            None => {
                self.cursor = start;
                None
            }
        }
    }

    /// Takes a text that holds this one, and is made of these names else.
    pub(super) fn take_text_with(&mut self, held: &str, names: &Names, end: Option<&str>) -> bool {
        let rest = self.cursor.rest();
        let until = end.and_then(|end| find_head(rest, end)).filter(|end| *end > 0).unwrap_or(rest.len());
        let line = rest.find('\n').map_or(rest.len(), |line| line);
        for end in [line, until] {
            let text = &rest[..end];
            if text.contains(held.trim()) && is_made_of(text, names) {
                self.cursor.skip(end);
                return true;
            }
        }
        false
    }

    /// Takes the text that may stand for an item of another provider.
    pub(super) fn provider_text(&mut self, provider: &'o Provider<'a>, end: Option<&'o str>) -> bool {
        if self.cursor.is_within_line() {
            return false;
        }
        let rest = self.cursor.rest();
        // The next expected text comes first, if it is there already.
        if end.is_some_and(|end| self.cursor.clone().take_text(end, |_| true)) {
            return false;
        }
        let names = provider::names(provider);
        let until = end.and_then(|end| find_head(rest, end)).unwrap_or(rest.len());
        // A note, or lines that each have a word of the item.
        let mut taken = 0;
        while let Some(line) = line_of(&rest[taken..until]) {
            if !is_made_of(line, &names) || taken > 0 && !has_name(line, &names) {
                break;
            }
            taken += line.len();
            if line.trim_start().starts_with('[') {
                break;
            }
        }
        if taken == 0 && has_word(&rest[..until]) && is_made_of(&rest[..until], &names) {
            taken = until;
        }
        self.cursor.skip(taken);
        taken > 0
    }
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

/// The length of the note before a text; `None` if the text is not there, or something else is before it. A text within the
/// brackets of the note counts where it stands nowhere else.
pub(super) fn note_before(rest: &str, text: &str, about: About, names: &Names) -> Option<usize> {
    let mut from = 0;
    let mut within = None;
    for _ in 0..TRIES {
        let Some(found) = find_head(&rest[from..], text).map(|found| found + from) else { break };
        let note = &rest[..found];
        if note.trim().is_empty() || is_note(note, about, names) {
            if is_closed(note) {
                return Some(found);
            }
            within.get_or_insert(found);
        }
        from = found + rest[found..].chars().next().map_or(1, char::len_utf8);
    }
    within
}

/// Returns whether each bracket that opens in a note closes in it.
fn is_closed(note: &str) -> bool {
    let count = |bracket: char| note.chars().filter(|c| *c == bracket).count();
    count('[') <= count(']') && count('(') <= count(')')
}
