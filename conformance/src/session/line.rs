//! The lines of a file, each parsed by itself, so that one that is torn spoils no other. Programs that were ended while they wrote
//! leave records without a newline between them, and begun ones in front of whole ones (QwenLM/qwen-code#3656,
//! anthropics/claude-code#52387): each whole record is a line of its own here.

use std::ops::Range;

use wirecanon_core::json::{Json, Limits, Value};

use super::{KINDS, Kind, Links};

/// A line. It is read again whenever somebody asks for more than this: the values of all lines together would weigh more than the
/// file.
pub(super) struct Line<'a> {
    /// Its number, from 0: where several records stand on a line of the file, each has one
    pub(super) number: usize,
    /// The line of the file that it stands on, from 1
    pub(super) row: usize,
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
    /// Whether it is of another agent that this one has started
    pub(super) aside: bool,
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
        let linked = id.is_some() && parent.is_some();
        Named { linked, id: string(id), parent: string(parent), aside: (links.aside)(root) }
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
        let next = start + whole.len();
        let mut add = |stretch: Range<usize>, json: Option<&Json<'_>>, next: usize| {
            let body = &body[stretch.clone()];
            let says = match json {
                Some(_) => Says::Json,
                None if body.trim().is_empty() => Says::Nothing,
                None => Says::Torn,
            };
            let bit = |(kind, bit): (&&Kind, u8)| json.map_or(0, |json| u8::from((kind.shows)(json.root())) << bit);
            let shows = KINDS.iter().zip(0..).map(bit).fold(0, |all, bit| all | bit);
            let span = at + stretch.start..at + stretch.end;
            lines.push(Line { number: lines.len(), row: row + 1, span, next, body, says, shows, limits });
        };
        let whole = Json::parse(body, &limits).ok();
        let mut from = 0;
        for record in if whole.is_some() { Vec::new() } else { records(body, limits) } {
            if record.start > from {
                add(from..record.start, None, at + record.start);
            }
            from = record.end;
            let json = Json::parse(&body[record.clone()], &limits).ok();
            add(record, json.as_ref(), if from == body.len() { next } else { at + from });
        }
        if from < body.len() || body.is_empty() {
            add(from..body.len(), whole.as_ref(), next);
        }
        start = next;
    }
    lines
}

/// Begins of records that are looked at in one line.
const TRIES: usize = 64;

/// The whole records of a line that is none itself, if it has any. Linear in the line, for each of so many begins.
fn records(body: &str, limits: Limits) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    for _ in 0..TRIES {
        let Some(begin) = body[at..].find("{\"").map(|step| at + step) else { break };
        at = begin + 1;
        // What stands as a value within a record that was cut off is no record.
        let above = body[..begin].trim_end().chars().next_back();
        if matches!(above, Some(':' | ',' | '[')) {
            continue;
        }
        if let Some(end) = end_of_object(&body[begin..]).map(|length| begin + length)
            && Json::parse(&body[begin..end], &limits).is_ok()
        {
            found.push(begin..end);
            at = end;
        }
    }
    found
}

/// How long the object is that begins here, by its braces.
fn end_of_object(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
