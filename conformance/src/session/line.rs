//! The lines of a file, each parsed by itself, so that one that is torn spoils no other.

use std::ops::Range;

use wirecanon_core::json::{Json, Limits, Value};

/// A line.
pub(super) struct Line<'a> {
    /// Its number, from 0
    pub(super) number: usize,
    /// Where it stands, without its newline
    pub(super) span: Range<usize>,
    /// Where the next one begins
    pub(super) next: usize,
    /// What it says; nothing if it is blank or no JSON
    json: Option<Json<'a>>,
    blank: bool,
}

impl<'a> Line<'a> {
    /// Its value. Places in it count from the beginning of the line.
    pub(super) fn root(&self) -> Option<Value<'_>> {
        self.json.as_ref().map(Json::root)
    }

    /// Where a value of it stands in the file.
    pub(super) fn place(&self, value: Value<'_>) -> Range<usize> {
        let span = value.span();
        span.start + self.span.start..span.end + self.span.start
    }

    /// Its text.
    pub(super) fn text(&self) -> &'a str {
        self.json.as_ref().map_or("", Json::text)
    }

    /// Whether it says something that is no JSON.
    pub(super) fn is_torn(&self) -> bool {
        self.json.is_none() && !self.blank
    }

    /// The string under a key of it.
    pub(super) fn string(&self, key: &str) -> Option<String> {
        self.root()?.get(key)?.as_str().map(std::borrow::Cow::into_owned)
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
        lines.push(Line { number, span, next: start + whole.len(), json, blank });
        start += whole.len();
    }
    lines
}
