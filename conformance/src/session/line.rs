//! The lines of a file, each parsed by itself, so that one that is torn spoils no other.

use std::ops::Range;

use wirecanon_core::json::{Json, Limits, Value};

use super::{KINDS, Kind, Links};

/// A line. It is read again whenever somebody asks for more than this: the values of all lines together would weigh more than the
/// file.
pub(super) struct Line<'a> {
    /// Its number, from 0
    pub(super) number: usize,
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Nothing,
    Json,
    /// It was cut off
    Torn,
}

/// How a line is named, and which line it names.
#[derive(Default)]
pub(super) struct Named {
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    /// Whether it has both keys, whatever they hold
    pub(super) linked: bool,
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
        let (id, parent) = (root.get(links.id), root.get(links.parent));
        let string = |value: Option<Value<'_>>| value?.as_str().map(std::borrow::Cow::into_owned);
        Named { linked: id.is_some() && parent.is_some(), id: string(id), parent: string(parent) }
    }
}

/// The first lines of a text, as many as `most`.
pub(super) fn split(text: &str, most: usize, limits: Limits) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for (number, whole) in text.split_inclusive('\n').take(most).enumerate() {
        let mark = if number == 0 && whole.starts_with('\u{feff}') { 3 } else { 0 };
        let body = whole[mark..].trim_end_matches(['\n', '\r']);
        let span = start + mark..start + mark + body.len();
        let blank = body.trim().is_empty();
        let json = if blank { None } else { Json::parse(body, &limits).ok() };
        let says = match &json {
            Some(_) => Says::Json,
            None if blank => Says::Nothing,
            None => Says::Torn,
        };
        let bit =
            |(kind, bit): (&&Kind, u8)| json.as_ref().map_or(0, |json| u8::from((kind.shows)(json.root())) << bit);
        let shows = KINDS.iter().zip(0..).map(bit).fold(0, |all, bit| all | bit);
        lines.push(Line { number, span, next: start + whole.len(), body, says, shows, limits });
        start += whole.len();
    }
    lines
}
