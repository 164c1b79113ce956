//! What a body holds: one session, one a line, the session file of a program, what stands around a transcript, or the stream of a
//! provider. All are read as the command line reads files.

use std::borrow::Cow;

use serde::Serialize;
use wirecanon_core::json::Limits;
use wirecanon_core::{Dialect, Error, stream};
use wirecanon_report::redact::{Redactor, Trace};
use wirecanon_session::lines::Lines;
use wirecanon_session::{self as session, Flaw, Transcript};

use super::place::{self, Place, Span};

/// A body, ready to be read.
pub(super) struct Given<'b> {
    /// What was given; of a stream, the message that it makes
    bytes: Cow<'b, [u8]>,
    /// What is known of the stream
    pub(super) stream: Option<Stream>,
}

/// A stream that was read.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Stream {
    dialect: &'static str,
    events: usize,
    ended: bool,
}

/// What is read at once: all of it, or one line of many.
pub(super) struct Piece<'b> {
    /// From 1, where each line is read by itself
    pub(super) line: Option<usize>,
    pub(super) body: &'b [u8],
    /// White space behind it
    pub(super) end: &'b [u8],
    /// What it is, with its article, where its transcripts stand inside something
    pub(super) inside: Option<&'static str>,
    /// Lines that are no JSON, from 1
    pub(super) torn: Vec<usize>,
    /// What is said of its lines
    pub(super) flaws: Vec<Flaw>,
    /// Nothing in a line that is blank
    pub(super) parts: Vec<Part<'b>>,
}

/// One transcript.
pub(super) struct Part<'b> {
    /// What `fix` and `check` take
    pub(super) document: Cow<'b, [u8]>,
    /// Where it stands in its piece, if that is more than it
    pub(super) home: Option<Transcript<'b>>,
}

impl<'b> Given<'b> {
    pub(super) fn of(body: &'b [u8]) -> Result<Self, Error> {
        if !stream::is_stream(body) {
            return Ok(Self { bytes: Cow::Borrowed(body), stream: None });
        }
        let made = stream::message(body, &Limits::default())?;
        let stream = Stream { dialect: made.dialect.name(), events: made.events, ended: made.ended };
        Ok(Self { bytes: Cow::Owned(made.document.into_bytes()), stream: Some(stream) })
    }

    /// What it holds, and what its lines are called.
    pub(super) fn pieces(&self) -> Result<(&'static str, Vec<Piece<'_>>), Error> {
        let bytes = &*self.bytes;
        if let Some(text) = std::str::from_utf8(bytes).ok().filter(|_| session::shows(bytes))
            && let Some(found) = session::of_lines(text, &Limits::default())?
        {
            return Ok(("session", vec![Piece::of(None, bytes, &[], Some(found))]));
        }
        let lines = Lines::of(bytes);
        let pieces = match lines {
            Lines::Json => vec![Piece::of(None, bytes, &[], inside(bytes))],
            Lines::Messages => vec![Piece::of(None, bytes, &[], None)],
            Lines::Sessions => bytes
                .split_inclusive(|byte| *byte == b'\n')
                .enumerate()
                .map(|(at, line)| Piece::line(at + 1, line))
                .collect(),
        };
        Ok((lines.name(), pieces))
    }
}

/// What stands around transcripts, if anything does.
fn inside(bytes: &[u8]) -> Option<session::Found<'_>> {
    let found = session::of_value(std::str::from_utf8(bytes).ok()?, &Limits::default());
    found.title.is_some().then_some(found)
}

impl<'b> Piece<'b> {
    fn of(line: Option<usize>, body: &'b [u8], end: &'b [u8], found: Option<session::Found<'b>>) -> Self {
        let mut piece = Self { line, body, end, inside: None, torn: Vec::new(), flaws: Vec::new(), parts: Vec::new() };
        match found {
            Some(found) => {
                piece.inside = found.title;
                piece.torn = found.torn;
                piece.flaws = found.flaws;
                let part = |home: Transcript<'b>| Part {
                    document: match &home.document {
                        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                        Cow::Owned(text) => Cow::Owned(text.clone().into_bytes()),
                    },
                    home: Some(home),
                };
                piece.parts = found.transcripts.into_iter().map(part).collect();
            }
            None if line.is_some() && body.is_empty() => {}
            None => piece.parts.push(Part { document: Cow::Borrowed(body), home: None }),
        }
        piece
    }

    fn line(number: usize, line: &'b [u8]) -> Self {
        let (body, end) = line.split_at(line.trim_ascii_end().len());
        Self::of(Some(number), body, end, inside(body))
    }

    /// Its text as it is shown.
    pub(super) fn shown(&self, redactor: &mut Option<Redactor>) -> Shown {
        Shown::of(self.body, redactor, self.inside.is_some())
    }

    /// The number of a transcript from 1, where there are several.
    pub(super) fn number(&self, at: usize) -> Option<usize> {
        (self.parts.len() > 1).then_some(at + 1)
    }
}

impl Part<'_> {
    /// Its dialect, where that is known from what stands around it.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        self.home.as_ref().and_then(|home| home.dialect)
    }

    /// Where values stand in the piece.
    pub(super) fn spans(&self, pointers: &[Option<&str>]) -> Vec<Option<Span>> {
        let mut spans = place::spans(&String::from_utf8_lossy(&self.document), pointers);
        if let Some(home) = &self.home {
            spans.iter_mut().flatten().for_each(|span| *span = within(home, *span));
        }
        spans
    }

    /// The place in the piece of a place in the transcript.
    pub(super) fn place(&self, at: usize) -> usize {
        self.home.as_ref().map_or(at, |home| home.place(at))
    }
}

/// Where a stretch of a transcript stands in its file: what was put together from several lines ends where its last one does.
pub(super) fn within(home: &Transcript<'_>, (begin, end): Span) -> Span {
    let start = home.place(begin);
    let last = home.place(end.max(begin + 1) - 1) + 1;
    (start, last.max(start))
}

/// A text as it is shown: what is not UTF-8 is U+FFFD, and redacted, tokens are its texts.
pub(super) struct Shown {
    pub(super) text: String,
    trace: Option<Trace>,
}

impl Shown {
    /// `lines`: each line is a value of its own, and one that is cut off leaves the others what they are.
    pub(super) fn of(bytes: &[u8], redactor: &mut Option<Redactor>, lines: bool) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let Some(redactor) = redactor else { return Self { text: text.into_owned(), trace: None } };
        let whole = wirecanon_core::json::Json::parse(&text, &Limits::default()).is_ok();
        let (text, trace) = if lines && !whole {
            redactor.lines(&text)
        } else {
            let (said, trace) = redactor.traced(bytes);
            (String::from_utf8_lossy(&said).into_owned(), trace)
        };
        Self { text, trace: Some(trace) }
    }

    /// The places of stretches of the text that was given.
    pub(super) fn places(&self, origin: place::Origin, mut spans: Vec<Option<Span>>) -> Vec<Option<Place>> {
        if let Some(trace) = &self.trace {
            spans
                .iter_mut()
                .flatten()
                .for_each(|(begin, end)| (*begin, *end) = (trace.place(*begin), trace.place(*end)));
        }
        place::told(&self.text, origin, &spans)
    }
}
