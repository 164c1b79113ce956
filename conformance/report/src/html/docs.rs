//! The texts of the page: inputs and answers laid out line by line, each once.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde::Serialize;
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_runner::shown::Shown;

use crate::diff::{self, Line, Mark};
use crate::redact::Redactor;

/// Lines of one text at most; nobody reads more, and a page has many.
const LINES: usize = 2000;

/// A text, and what is said at its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Doc {
    /// Its lines, each with its sign in front
    text: String,
    /// Line, words, and the rule where there is one
    marks: Vec<(usize, String, String)>,
}

/// Something that is said at a place.
pub(super) struct Pin<'p> {
    pub(super) pointer: &'p str,
    pub(super) rule: &'p str,
    pub(super) words: String,
}

/// All texts.
#[derive(Default)]
pub(super) struct Docs {
    pub(super) all: Vec<Doc>,
    places: HashMap<Doc, usize>,
    redactor: Option<Redactor>,
}

impl Docs {
    pub(super) fn new(redact: bool) -> Self {
        Self { redactor: redact.then(Redactor::default), ..Self::default() }
    }

    /// A text of a testee or a case, as it may be shown.
    pub(super) fn word(&mut self, text: &str) -> String {
        visible(&self.redactor.as_mut().map_or_else(|| text.to_owned(), |redactor| redactor.text(text)))
    }

    /// A place, as it may be shown.
    pub(super) fn pointer(&mut self, pointer: &str) -> String {
        visible(&self.place(pointer))
    }

    fn place(&mut self, pointer: &str) -> String {
        self.redactor.as_mut().map_or_else(|| pointer.to_owned(), |redactor| redactor.pointer(pointer))
    }

    /// What a message says that may hold texts; of a redacted page, the words of its rule.
    pub(super) fn message(&self, message: &str, rule: Option<&'static str>) -> String {
        match (&self.redactor, rule) {
            (None, _) => visible(message),
            (Some(_), Some(rule)) => rule.to_owned(),
            (Some(_), None) => "(redacted)".to_owned(),
        }
    }

    pub(super) fn is_redacted(&self) -> bool {
        self.redactor.is_some()
    }

    /// One text by itself.
    pub(super) fn one(&mut self, shown: &Shown, pins: &[Pin<'_>]) -> usize {
        let doc = match shown {
            Shown::Whole(bytes) => self.whole(bytes, pins),
            Shown::Cut { begins, bytes } => {
                let begins = self.redacted(begins.as_bytes());
                let mut doc = plain(&String::from_utf8_lossy(&begins));
                doc.marks.push((
                    doc.text.matches('\n').count(),
                    format!("the beginning of {bytes} bytes"),
                    String::new(),
                ));
                doc
            }
        };
        self.put(doc)
    }

    /// What came out, beside what was expected; `None` where one of both is no JSON, or too long.
    pub(super) fn beside(
        &mut self,
        expected: &[u8],
        answer: &Shown,
        apart: Option<&str>,
        pins: &[Pin<'_>],
    ) -> Option<usize> {
        let Shown::Whole(answer) = answer else { return None };
        let (expected, answer) = (self.redacted(expected), self.redacted(answer));
        let (expected, answer) = (std::str::from_utf8(&expected).ok()?, std::str::from_utf8(&answer).ok()?);
        let limits = Limits::default();
        let json = |text| Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)).ok();
        let (expected, answer) = (json(expected)?, json(answer)?);
        let doc = self.lines(&diff::diff(expected.root(), answer.root(), apart), pins);
        Some(self.put(doc))
    }

    fn whole(&mut self, bytes: &[u8], pins: &[Pin<'_>]) -> Doc {
        let bytes = self.redacted(bytes);
        let Ok(text) = std::str::from_utf8(&bytes) else {
            let mut doc = plain(&String::from_utf8_lossy(&bytes));
            doc.marks.push((0, "these bytes are not UTF-8".to_owned(), String::new()));
            return doc;
        };
        let limits = Limits::default();
        match Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)) {
            Ok(json) => self.lines(&diff::laid_out(json.root()), pins),
            Err(error) => {
                let mut doc = plain(text);
                let offset = error.position().map_or(0, |position| position.offset).min(text.len());
                let before = text.get(..offset).map_or(0, |before| before.matches('\n').count());
                let words =
                    if self.is_redacted() { "this is not JSON".to_owned() } else { visible(&error.to_string()) };
                doc.marks.push((before.min(LINES), words, String::new()));
                doc
            }
        }
    }

    fn redacted(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.redactor.as_mut().map_or_else(|| bytes.to_vec(), |redactor| redactor.bytes(bytes))
    }

    fn lines(&mut self, lines: &[Line], pins: &[Pin<'_>]) -> Doc {
        let mut doc = Doc::default();
        for line in lines.iter().take(LINES) {
            if !doc.text.is_empty() {
                doc.text.push('\n');
            }
            doc.text.push(line.mark.sign());
            doc.text.extend(std::iter::repeat_n("  ", line.depth));
            doc.text.push_str(&visible(&line.text));
        }
        if lines.len() > LINES {
            doc.text.push_str("\n …");
            doc.marks.push((LINES, format!("{} more lines", lines.len() - LINES), String::new()));
        }
        for pin in pins {
            let at = diff::line_of(lines, &self.place(pin.pointer)).unwrap_or(0);
            doc.marks.push((at.min(LINES), pin.words.clone(), pin.rule.to_owned()));
        }
        doc.marks.sort();
        doc.marks.dedup();
        doc
    }

    fn put(&mut self, doc: Doc) -> usize {
        if let Some(place) = self.places.get(&doc) {
            return *place;
        }
        let place = self.all.len();
        self.places.insert(doc.clone(), place);
        self.all.push(doc);
        place
    }
}

/// A text that is no JSON.
fn plain(text: &str) -> Doc {
    let mut doc = Doc::default();
    for line in text.split('\n').take(LINES) {
        if !doc.text.is_empty() {
            doc.text.push('\n');
        }
        doc.text.push(Mark::Same.sign());
        let line: String = line.chars().take(4000).collect();
        doc.text.push_str(&visible(&line));
    }
    doc
}

/// A text in which everything can be seen: what has no width, turns the direction, or steers a terminal stands as its number.
pub fn visible(text: &str) -> String {
    let hidden = |c: char| {
        (c.is_control() && c != '\t')
            || matches!(u32::from(c), 0xad | 0x61c | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xe0000..=0xe007f)
    };
    if !text.contains(hidden) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if hidden(c) {
            // A string takes all that is written to it.
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}
