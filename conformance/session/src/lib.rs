//! Session files: what agents and their tools keep of a conversation, with the transcript somewhere inside.
//!
//! A transcript is read out of its file as a document of its dialect, and what was mended is woven back, so that all that the
//! document does not hold (unknown lines, unknown members, white space) keeps its bytes. A program that writes such files is one
//! row of `KINDS`; a document inside a document is one row of `wrapped::HOLDERS`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod attribute;
mod chain;
mod claude_code;
mod codex;
mod document;
mod flaw;
mod glued;
pub mod inplace;
mod line;
pub mod lines;
mod openclaw;
mod weave;
mod wrapped;

use std::borrow::Cow;
use std::ops::Range;

use wirecanon_core::json::{Json, Limits, Value, parse_lines};
use wirecanon_core::{Dialect, Error, ErrorKind, Mode, dialect};
use wirecanon_judge::utf8::{self, NotUtf8};

use document::Atom;
pub use flaw::{CLASS, Flaw, FlawRule, RULES, rule_by_id};
use line::{Line, Named};
pub use weave::Unwoven;

use crate::lines::Lines;

/// Lines that are looked at to tell what a file is.
const FIRST: usize = 64;

/// The programs whose session files are known.
const KINDS: &[&Kind] = &[&openclaw::KIND, &claude_code::KIND, &codex::KIND];

/// The dialects of their messages.
pub fn dialects() -> impl Iterator<Item = Dialect> {
    KINDS.iter().map(|kind| kind.dialect)
}

/// A value as a program spells it; nothing where that is how it stands.
type Spell = fn(Value<'_>) -> Option<String>;

/// A program that keeps each message of a session on a line of its own, in an envelope.
pub struct Kind {
    /// What such a file is, with its article
    pub title: &'static str,
    /// In which dialect the messages are
    pub dialect: Dialect,
    /// The key of their list
    list: &'static str,
    /// Whether a message is built around what a line holds, out of its role and the content
    built: bool,
    /// Whether a line can only be of such a file
    shows: fn(Value<'_>) -> bool,
    /// The messages of the conversation, in order, and what is to be said of those that are not in it
    gather: fn(&[Line<'_>], &mut [Named]) -> Gathered,
    /// How its lines name each other
    links: Links,
    /// A message that is new or another one now as its program spells it, where the dialect has more than one spelling
    spell: Option<Spell>,
    /// A line for a message that was added, from the line before it
    envelope: fn(&Neighbour<'_>, &Added<'_>) -> Option<String>,
}

/// Keys by which lines name each other. A file without them is read from top to bottom.
struct Links {
    id: &'static str,
    parent: &'static str,
    /// Where the second stands
    pointer: &'static str,
    /// Whether a line is about the file, so that no other can name it
    is_head: fn(Value<'_>) -> bool,
    /// Whether another agent speaks on a line, which this one has started
    is_aside: fn(Value<'_>) -> bool,
    /// Whether a line stands for all that was before it, if what it names is gone
    opens: fn(Value<'_>) -> bool,
    /// Other keys that name a line
    others: &'static [&'static str],
}

impl Links {
    /// Of lines that no other names.
    const NONE: Self = Self {
        id: "",
        parent: "",
        pointer: "",
        is_head: |_| false,
        is_aside: |_| false,
        opens: |_| false,
        others: &[],
    };
}

/// What a program makes of the lines of a file.
#[derive(Default)]
struct Gathered {
    parts: Vec<Part>,
    flaws: Vec<Flaw>,
}

/// A message of a file, or one part of it.
struct Part {
    /// The number of its line, from 0
    line: usize,
    /// What is replaced when it changes: the message, or its content
    value: Range<usize>,
    /// The blocks of the content; `None` where the value is taken whole
    blocks: Option<Vec<Range<usize>>>,
    /// The role, where the document needs a message built around the value
    role: Option<String>,
    /// Whether it goes on with the turn of the part before
    joins: bool,
    /// What the program says around the value, where that is no message by itself
    frame: Option<(String, String)>,
    /// JSON Pointer to the list that it is an item of, where a line holds several
    list: Option<&'static str>,
}

impl Part {
    /// A message that a line holds.
    fn whole(line: usize, value: Range<usize>) -> Self {
        Self { line, value, blocks: None, role: None, joins: false, frame: None, list: None }
    }
}

/// The line that an added one comes behind.
struct Neighbour<'l> {
    root: Value<'l>,
    /// What names it, if it has a name
    id: Option<&'l str>,
}

/// A message that was added.
struct Added<'o> {
    /// Its JSON text: the message, or its content
    text: &'o str,
    role: Option<&'o str>,
    /// A new name for its line, of sixty-four hexadecimal digits
    digest: &'o str,
}

/// What was found in a file.
#[derive(Default)]
pub struct Found<'a> {
    /// What the file is, with its article; nothing for a plain transcript
    pub title: Option<&'static str>,
    /// Its transcripts
    pub transcripts: Vec<Transcript<'a>>,
    /// Lines that are no JSON, from 1: a program that was ended while it wrote leaves one. They stay as they are
    pub torn: Vec<usize>,
    /// What is said of its lines, in their order
    pub flaws: Vec<Flaw>,
}

impl Found<'_> {
    /// Why this is no session, though it could be read as one, if nobody said that it is: other programs have lists of
    /// `messages` too.
    pub fn is_none(&self, limits: &Limits) -> Option<String> {
        if self.title.is_some() {
            return None;
        }
        self.transcripts.iter().find_map(|transcript| {
            let text = transcript.document.trim_start_matches('\u{feff}');
            let json = Json::parse(text, limits).or_else(|error| parse_lines(text, limits).map_err(|_| error));
            let json = match json {
                Err(error) => return Some(format!("no JSON: {error}")),
                Ok(json) => json,
            };
            match dialect::detect(&json).first() {
                None => Some("it holds no messages that are known".to_owned()),
                Some(best) if best.weight == 0 && !speaks(json.root()) => {
                    Some("its list holds something else than messages".to_owned())
                }
                Some(_) => None,
            }
        })
    }
}

/// One transcript of a file.
pub struct Transcript<'a> {
    /// What `fix` and `check` take
    pub document: Cow<'a, str>,
    /// Its dialect, where the file says it
    pub dialect: Option<Dialect>,
    /// The line that it stands on, from 1, where a file has a transcript a line
    pub line: Option<usize>,
    /// Which stretches of the document are copies of which of the file
    copies: Vec<Copy>,
    home: Home<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Copy {
    /// Where it begins in the document
    at: usize,
    /// Where it begins in the file
    from: usize,
    length: usize,
}

enum Home<'a> {
    /// The whole document stands in the file
    Whole(Range<usize>),
    /// Its messages stand on lines
    Lines(Box<Ledger<'a>>),
}

/// All that weaving needs to know.
struct Ledger<'a> {
    kind: &'static Kind,
    text: &'a str,
    lines: Vec<Line<'a>>,
    /// How each line is named
    named: Vec<Named>,
    parts: Vec<Part>,
    /// The atoms of each part, in the order of the document
    atoms: Vec<Atom>,
    /// How many lines there are on the way from the first to the last message, and which
    path: Vec<bool>,
}

impl Ledger<'_> {
    /// Whether records stand on lines of their own, and name records that are there.
    fn is_straight(&self) -> bool {
        !self.lines.iter().any(|line| line.glued) && !self.named.iter().any(|line| line.adopted.is_some())
    }
}

impl Transcript<'_> {
    /// The same, where its text is a line of a longer one.
    fn on_line(mut self, start: usize, line: usize) -> Self {
        self.line = Some(line);
        self.copies.iter_mut().for_each(|copy| copy.from += start);
        if let Home::Whole(span) = &mut self.home {
            *span = span.start + start..span.end + start;
        }
        self
    }

    /// Whether its messages stand on lines of their own, so that it is a list of them.
    pub fn is_on_lines(&self) -> bool {
        matches!(self.home, Home::Lines(_))
    }

    /// Whether it is what a provider answered: written as a history, it would lose all that stands around the message.
    pub fn is_response(&self, dialect: Dialect, limits: Limits) -> bool {
        !self.is_on_lines()
            && Json::parse(&self.document, &limits).is_ok_and(|json| dialect::is_response(&json, dialect))
    }

    /// Whether its file is as the program would have written it. If not, weaving mends that too.
    pub fn is_straight(&self) -> bool {
        match &self.home {
            Home::Whole(_) => true,
            Home::Lines(ledger) => ledger.is_straight(),
        }
    }

    /// The place in the file of a place in the document.
    pub fn place(&self, at: usize) -> usize {
        let next = self.copies.partition_point(|copy| copy.at <= at);
        match next.checked_sub(1).map(|last| self.copies[last]) {
            Some(copy) if at < copy.at + copy.length => copy.from + at - copy.at,
            _ => self.copies.get(next).or(self.copies.last()).map_or(0, |copy| copy.from),
        }
    }

    /// The file with this document in place of its own. `ids` are those that were rewritten, old and new.
    ///
    /// # Errors
    ///
    /// The file has no place for what was changed.
    pub fn woven(&self, file: &str, output: &str, ids: &[(&str, &str)], limits: Limits) -> Result<String, Unwoven> {
        match &self.home {
            Home::Whole(span) => Ok(in_place(file, span, output, limits)),
            Home::Lines(ledger) => {
                let text = weave::weave(ledger, output, ids, limits)?;
                weave::proven(ledger.kind, text, output, limits)
            }
        }
    }

    /// The same, to be read again when nobody holds the file any more and all that was known of it: of a large one that weighs.
    ///
    /// # Errors
    ///
    /// As [`Transcript::woven`].
    pub fn into_woven(
        self,
        file: &str,
        output: String,
        ids: &[(&str, &str)],
        limits: Limits,
    ) -> Result<Woven, Unwoven> {
        let (text, kind) = match self.home {
            Home::Whole(span) => (in_place(file, &span, &output, limits), None),
            Home::Lines(ledger) => (weave::weave(&ledger, &output, ids, limits)?, Some(ledger.kind)),
        };
        Ok(Woven { text, of_lines: kind.map(|kind| (kind, output)) })
    }
}

/// The file with a mended document in this place. A list of messages stays one, where the dialect would write an object around it.
fn in_place(file: &str, span: &Range<usize>, output: &str, limits: Limits) -> String {
    let stood = &file[span.clone()];
    let parsed = if stood.starts_with('[') { Json::parse(output, &limits).ok() } else { None };
    let list = parsed.as_ref().and_then(|json| {
        let root = json.root();
        root.get("messages").filter(|list| list.is_array() && root.members().count() == 1)
    });
    [&file[..span.start], list.map_or(output, Value::raw), &file[span.end..]].concat()
}

/// A file with a mended document in it.
pub struct Woven {
    text: String,
    /// What it must say, where that stands on lines
    of_lines: Option<(&'static Kind, String)>,
}

impl Woven {
    /// The file as it would be.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file, once it was read again and says the document.
    ///
    /// # Errors
    ///
    /// It says something else.
    pub fn proven(self, limits: Limits) -> Result<String, Unwoven> {
        match self.of_lines {
            Some((kind, output)) => weave::proven(kind, self.text, &output, limits),
            None => Ok(self.text),
        }
    }
}

/// Whether the beginning of a file shows one of the programs whose files are read line by line.
pub fn shows(start: &[u8]) -> bool {
    let start = match std::str::from_utf8(start) {
        Ok(text) => text,
        // The beginning may end within a character.
        Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
    };
    kind_of(&line::split(start, FIRST, Limits::default())).is_some()
}

/// The text of a file, and what is left of a character in which a session breaks off: that is the line that is cut off.
///
/// # Errors
///
/// It is no text, where more than the end of a session is none.
pub fn text(bytes: &[u8]) -> Result<(&str, &[u8]), NotUtf8> {
    match utf8::text_and_rest(bytes) {
        Ok((text, rest)) if rest.is_empty() || shows(bytes) => Ok((text, rest)),
        _ => utf8::text(bytes).map(|text| (text, &[][..])),
    }
}

fn kind_of(lines: &[Line<'_>]) -> Option<&'static Kind> {
    let shows = |kind: &&&Kind| lines.iter().take(FIRST).any(|line| line.shows(kind));
    KINDS.iter().find(shows).copied()
}

/// Where lines of a second program stand, in words: which of both speak is anybody's guess, and half would be left unread.
fn mixture(kind: &Kind, lines: &[Line<'_>]) -> Option<String> {
    let own = lines.iter().find(|line| line.shows(kind))?;
    let (line, other) =
        lines.iter().filter(|line| !line.shows(kind)).find_map(|line| Some((line.row + 1, line.shown()?)))?;
    let (first, title, other) = (own.row + 1, kind.title, other.title);
    Some(format!(
        "line {first} is of {title}, line {line} of {other}: put the lines of each program into a file of its own"
    ))
}

/// The session that the lines of a text are, if a known program wrote them.
///
/// # Errors
///
/// The session cannot be read as it is; [`ErrorKind::Undetected`] if it is of two programs.
pub fn of_lines<'a>(text: &'a str, limits: &Limits) -> Result<Option<Found<'a>>, Error> {
    if kind_of(&line::split(text, FIRST, *limits)).is_none() {
        return Ok(None);
    }
    let lines = line::split(text, usize::MAX, *limits);
    let Some(kind) = kind_of(&lines) else { return Ok(None) };
    if let Some(words) = mixture(kind, &lines) {
        return Err(Error::new(ErrorKind::Undetected, words));
    }
    let torn = lines.iter().filter(|line| line.is_torn()).map(|line| line.row + 1).collect();
    let mut named: Vec<Named> = lines.iter().map(|line| line.named(&kind.links)).collect();
    chain::pair(&lines, &mut named);
    let Gathered { parts, mut flaws } = (kind.gather)(&lines, &mut named);
    if parts.is_empty() {
        return Err(Error::new(ErrorKind::NotATranscript, format!("{} without a message", kind.title)));
    }
    flaws.extend(flaw::of_file(kind, &lines, &named));
    flaws.sort_by_key(|flaw| flaw.span.start);
    let path = chain::path(&named, &parts);
    let mut atoms = document::atoms(&parts);
    let (mut document, mut copies) = document::build(kind, text, &parts, &atoms);
    if document::hold_back(kind, &document, &parts, text, &mut atoms, *limits) {
        (document, copies) = document::build(kind, text, &parts, &atoms);
    }
    let home = Home::Lines(Box::new(Ledger { kind, text, lines, named, parts, atoms, path }));
    let document = Cow::Owned(document);
    let transcript = Transcript { document, dialect: Some(kind.dialect), line: None, copies, home };
    Ok(Some(Found { title: Some(kind.title), transcripts: vec![transcript], torn, flaws }))
}

/// The transcripts of a file. `lines` says what its lines are, if they are not to be looked at.
///
/// # Errors
///
/// It is empty, or the session of a known program and cannot be read.
pub fn read<'a>(text: &'a str, lines: Option<Lines>, limits: &Limits) -> Result<Found<'a>, Error> {
    if text.trim().is_empty() {
        return Err(Error::new(ErrorKind::Empty, "there is nothing here: the input is empty"));
    }
    let lines = match lines {
        Some(lines) => lines,
        None => match of_lines(text, limits)? {
            Some(found) => return Ok(found),
            None => Lines::of(text.as_bytes()),
        },
    };
    Ok(match lines {
        Lines::Json => of_value(text, limits),
        Lines::Messages => Found { transcripts: vec![whole(text, 0..text.len(), None)], ..Found::default() },
        Lines::Sessions => {
            let mut found = Found::default();
            let mut start = 0;
            for (number, line) in text.split_inclusive('\n').enumerate() {
                let body = line.trim_end();
                if !body.is_empty() {
                    let inner = of_value(body, limits);
                    found.title = found.title.or(inner.title);
                    found.transcripts.extend(inner.transcripts.into_iter().map(|one| one.on_line(start, number + 1)));
                }
                start += line.len();
            }
            found
        }
    })
}

/// What a text is for where nobody says it: a session is a history, and all else is a request. `inside` is what the text
/// stands in, as [`Found::title`] says it.
pub fn usual_mode(lines: Lines, inside: Option<&str>) -> Mode {
    let is_session = inside.map(|title| KINDS.iter().any(|kind| kind.title == title) || wrapped::is_stored(title));
    if is_session.unwrap_or(lines == Lines::Messages) { Mode::History } else { Mode::Request }
}

/// Whether a value is a list of messages, holds one, or is a message: something says who speaks, or what it is.
fn speaks(root: Value<'_>) -> bool {
    wrapped::is_transcript(root) || root.items().any(wrapped::is_message) || wrapped::is_message(root)
}

fn whole(text: &str, span: Range<usize>, dialect: Option<Dialect>) -> Transcript<'_> {
    Transcript {
        document: Cow::Borrowed(&text[span.clone()]),
        dialect,
        line: None,
        copies: vec![Copy { at: 0, from: span.start, length: span.len() }],
        home: Home::Whole(span),
    }
}

/// The transcripts in one JSON value: those that stand inside it, or itself.
pub fn of_value<'a>(text: &'a str, limits: &Limits) -> Found<'a> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.len() - body.len();
    let (title, spans) = match Json::parse(body, limits) {
        Ok(json) => wrapped::inside(json.root()),
        Err(_) => (None, Vec::new()),
    };
    let transcripts = if spans.is_empty() {
        vec![whole(text, 0..text.len(), None)]
    } else {
        spans.into_iter().map(|(span, dialect)| whole(text, span.start + mark..span.end + mark, dialect)).collect()
    };
    Found { title, transcripts, ..Found::default() }
}

#[cfg(test)]
mod tests;
