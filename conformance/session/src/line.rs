//! The lines of a file, each parsed by itself, so that one that is torn spoils no other. Records that were written behind one
//! another without a newline are lines too.

use std::ops::Range;

use wirecanon_core::json::{Json, Limits, Value};

use super::glued::{Says, pieces};
use super::{KINDS, Kind, Links};

/// A line. It is read again whenever somebody asks for more than this: the values of all lines together would weigh more than the
/// file.
pub(super) struct Line<'a> {
    /// Its number among all that was found, from 0
    pub(super) number: usize,
    /// The number of the line of the file that it stands on, from 0
    pub(super) row: usize,
    /// Whether something stands in front of it there
    pub(super) glued: bool,
    /// Where it stands, without its newline
    pub(super) span: Range<usize>,
    /// Where the next one begins
    pub(super) next: usize,
    body: &'a str,
    says: Says,
    /// The programs of [`KINDS`] that it shows, a bit each
    shows: u8,
    limits: Limits,
}

/// How a line is named, and which line it names.
#[derive(Default)]
pub(super) struct Named {
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    /// Whether it has both keys, whatever they hold
    pub(super) linked: bool,
    /// Whether another agent speaks
    pub(super) aside: bool,
    /// Whether the program lets the conversation begin anew here
    pub(super) opens: bool,
    /// The line that counts in its place, where two have one name
    pub(super) twin: Option<usize>,
    /// The line in front that it goes on with, where the one that it names is not in the file
    pub(super) adopted: Option<usize>,
}

impl<'a> Line<'a> {
    /// What it says, where that is JSON.
    pub(super) fn read(&self) -> Option<Json<'a>> {
        if self.says == Says::Json { Json::parse(self.body, &self.limits).ok() } else { None }
    }

    /// Where a value of it stands in the file.
    pub(super) fn place(&self, value: Value<'_>) -> Range<usize> {
        let span = value.span();
        span.start + self.span.start..span.end + self.span.start
    }

    /// Its text.
    pub(super) fn text(&self) -> &'a str {
        self.body
    }

    /// Whether it says something that is no JSON.
    pub(super) fn is_torn(&self) -> bool {
        self.says == Says::Torn
    }

    /// What it is in place of JSON, in words.
    pub(super) fn why_torn(&self) -> String {
        if self.body.chars().all(|c| c == '\0' || c.is_whitespace()) {
            return "it is filled with NUL".to_owned();
        }
        match Json::parse(self.body, &self.limits) {
            Err(error) => error.message().to_owned(),
            Ok(_) => "it is no record".to_owned(),
        }
    }

    /// Whether only this program writes such a line.
    pub(super) fn shows(&self, kind: &Kind) -> bool {
        KINDS.iter().zip(0..).any(|(other, bit)| other.title == kind.title && self.shows >> bit & 1 == 1)
    }

    /// A program that it shows.
    pub(super) fn shown(&self) -> Option<&'static Kind> {
        KINDS.get(self.shows.trailing_zeros() as usize).copied()
    }

    /// How it is named, and which line it names.
    pub(super) fn named(&self, links: &Links) -> Named {
        let Some(json) = self.read() else { return Named::default() };
        let root = json.root();
        if (links.is_head)(root) {
            return Named::default();
        }
        let (id, parent) = (root.get(links.id), root.get(links.parent));
        let string = |value: Option<Value<'_>>| value?.as_str().map(std::borrow::Cow::into_owned);
        Named {
            linked: id.is_some() && parent.is_some(),
            id: string(id),
            parent: string(parent),
            aside: (links.is_aside)(root),
            opens: (links.opens)(root),
            ..Named::default()
        }
    }
}

/// The first lines of a text, as many as `most`.
pub(super) fn split(text: &str, most: usize, limits: Limits) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for (row, whole) in text.split_inclusive('\n').take(most).enumerate() {
        let mark = if row == 0 && whole.starts_with('\u{feff}') { 3 } else { 0 };
        let body = whole[mark..].trim_end_matches(['\n', '\r']);
        let at = start + mark;
        start += whole.len();
        let found = if body.trim().is_empty() { vec![(0..body.len(), Says::Nothing)] } else { pieces(body, limits) };
        for (place, (piece, says)) in found.iter().enumerate() {
            let body = &body[piece.clone()];
            let json = if *says == Says::Json { Json::parse(body, &limits).ok() } else { None };
            let bit =
                |(kind, bit): (&&Kind, u8)| json.as_ref().map_or(0, |json| u8::from((kind.shows)(json.root())) << bit);
            let shows = KINDS.iter().zip(0..).map(bit).fold(0, |all, bit| all | bit);
            let next = found.get(place + 1).map_or(start, |(next, _)| at + next.start);
            let span = at + piece.start..at + piece.end;
            let (number, glued) = (lines.len(), place > 0);
            lines.push(Line { number, row, glued, span, next, body, says: *says, shows, limits });
        }
    }
    lines
}
