//! Walking through the units of an answer: texts may be joined or split with white space.

use super::flat::{Kind, Unit};

/// A position in the units of an answer.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'u, 'o, 'a> {
    pub(super) units: &'u [Unit<'o, 'a>],
    pub(super) at: usize,
    /// The first byte of the current text that is not matched yet
    pub(super) offset: usize,
    /// Where the last text that was matched ends
    end: (usize, usize),
    /// Where a text may begin right behind the last one
    runs_on: Option<(usize, usize)>,
    /// Other spellings of texts that were matched
    pub(super) spelling: Spelling,
}

/// Other spellings of texts that were matched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spelling {
    /// Joined, split, or with other white space
    pub(super) texts: bool,
    /// With U+FFFD for NUL
    pub(super) characters: bool,
}

impl Spelling {
    pub(super) fn add(&mut self, other: Self) {
        self.texts |= other.texts;
        self.characters |= other.characters;
    }
}

/// A comparison of the beginning of a text with another text.
enum Prefix {
    /// All of the wanted text is there; the length that it takes
    Whole(usize),
    /// The text ends before the wanted text does; the part of the wanted text that was there
    Part(usize),
    /// They differ
    Differs,
}

impl<'u, 'o, 'a> Cursor<'u, 'o, 'a> {
    pub(super) fn new(units: &'u [Unit<'o, 'a>]) -> Self {
        Self { units, at: 0, offset: 0, end: (0, 0), runs_on: None, spelling: Spelling::default() }
    }

    /// Skips white space and blank units, and returns the unit at the cursor.
    pub(super) fn unit(&mut self) -> Option<Unit<'o, 'a>> {
        loop {
            let unit = *self.units.get(self.at)?;
            match unit.kind {
                Kind::Blank => self.next(),
                Kind::Text(text) if text[self.offset..].trim_start().is_empty() => self.next(),
                Kind::Text(text) => {
                    let rest = &text[self.offset..];
                    self.offset += rest.len() - rest.trim_start().len();
                    return Some(unit);
                }
                _ => return Some(unit),
            }
        }
    }

    /// Returns whether the cursor is behind a text on the same line: what follows is not a note, but goes on with what was said.
    pub(super) fn is_within_line(&mut self) -> bool {
        let rest = self.rest();
        let Some(Unit { kind: Kind::Text(text), .. }) = self.units.get(self.at) else { return false };
        let (unit, end) = self.end;
        let is_behind = unit == self.at
            && end > 0
            && text.get(end..self.offset).is_some_and(|gap| gap.trim_start_matches([' ', '\t']).is_empty());
        is_behind && rest.starts_with(char::is_alphanumeric)
    }

    /// The part of the current text that is not matched yet; empty at any other unit.
    pub(super) fn rest(&mut self) -> &'o str {
        match self.unit().map(|unit| unit.kind) {
            Some(Kind::Text(text)) => &text[self.offset..],
            _ => "",
        }
    }

    /// Moves to the next unit.
    pub(super) fn next(&mut self) {
        self.at += 1;
        self.offset = 0;
    }

    /// Moves within the current text.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.offset += bytes;
    }

    /// Moves behind a text or a value that was matched.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.skip(bytes);
        self.end = (self.at, self.offset);
    }

    /// Returns whether a text may start at the cursor: behind white space or a note, and not right behind another text.
    fn may_start(&mut self, text: &str) -> bool {
        let Some(Unit { kind: Kind::Text(unit), .. }) = self.unit() else { return true };
        let before = unit[..self.offset].chars().next_back();
        before.is_none_or(|before| {
            before.is_whitespace()
                || self.runs_on == Some((self.at, self.offset))
                || self.end != (self.at, self.offset)
                    && !(before.is_alphanumeric() && text.starts_with(char::is_alphanumeric))
        })
    }

    /// Matches a text at the cursor, in one unit or in several that `allows` accepts; the cursor stays where it is if the text is
    /// not there. White space or the end of a unit must separate a text from the next one, and the parts of a text.
    pub(super) fn take_text(&mut self, text: &str, allows: impl Fn(&Unit<'o, 'a>) -> bool) -> bool {
        self.take_text_before(text, None, allows)
    }

    /// Matches a text at the cursor, as [`Self::take_text`] does. The next text of the same message may follow it without white space.
    pub(super) fn take_text_before(
        &mut self,
        text: &str,
        next: Option<&str>,
        allows: impl Fn(&Unit<'o, 'a>) -> bool,
    ) -> bool {
        let (at, offset) = (self.at, self.offset);
        if self
            .units
            .get(at)
            .is_some_and(|unit| offset == 0 && allows(unit) && matches!(unit.kind, Kind::Text(other) if other == text))
        {
            self.offset = text.len();
            return true;
        }
        if !self.may_start(text.trim_start()) {
            (self.at, self.offset) = (at, offset);
            return false;
        }
        let next = next.filter(|next| !next.starts_with(char::is_whitespace) && !text.ends_with(char::is_whitespace));
        let runs_on = |rest: &str| next.is_some_and(|next| !rest.is_empty() && follows(next, rest));
        let mut has_nul = false;
        let mut remaining = text.trim();
        while !remaining.is_empty() {
            let found = self.unit().filter(&allows).map(|_| prefix(remaining, self.rest()));
            match found {
                Some(Prefix::Whole(length)) if may_end(&self.rest()[length..]) || runs_on(&self.rest()[length..]) => {
                    has_nul |= self.rest()[..length].contains('\0');
                    let has_next = runs_on(&self.rest()[length..]);
                    self.pass(length);
                    self.runs_on = has_next.then_some(self.end);
                    self.spelling.texts = true;
                    self.spelling.characters |= text.contains('\0') != has_nul;
                    return true;
                }
                Some(Prefix::Part(length)) if length > 0 && remaining[length..].starts_with(char::is_whitespace) => {
                    has_nul |= self.rest().contains('\0');
                    self.next();
                    remaining = remaining[length..].trim_start();
                }
                _ => {
                    (self.at, self.offset) = (at, offset);
                    return false;
                }
            }
        }
        true
    }
}

/// Returns whether a text may end before what follows it in the same unit: white space, or a mark of a note.
fn may_end(rest: &str) -> bool {
    const MARKS: [char; 15] = ['[', ']', '(', ')', '{', '}', '<', '>', '"', '`', '*', '|', '“', '”', '\''];
    rest.chars().next().is_none_or(|next| next.is_whitespace() || MARKS.contains(&next))
}

/// Returns whether a text may stand in another one from `start` to `end`.
pub(super) fn is_separate(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let is_start = before.is_none_or(|before| {
        before.is_whitespace() || !before.is_alphanumeric() || !text[start..].starts_with(char::is_alphanumeric)
    });
    is_start && may_end(&text[end..])
}

/// Returns whether a text begins with the next one, or is the beginning of it.
fn follows(next: &str, text: &str) -> bool {
    !matches!(prefix(next.trim(), text), Prefix::Differs | Prefix::Part(0))
}

fn prefix(remaining: &str, text: &str) -> Prefix {
    if text.starts_with(remaining) {
        return Prefix::Whole(remaining.len());
    }
    let text = text.trim_end();
    if !text.is_empty() && remaining.starts_with(text) {
        return Prefix::Part(text.len());
    }
    let (mut left, mut right) = (remaining.char_indices().peekable(), text.char_indices().peekable());
    loop {
        let (a, b) = (left.peek().copied(), right.peek().copied());
        match (a, b) {
            (None, _) => return Prefix::Whole(b.map_or(text.len(), |(at, _)| at)),
            (Some((at, _)), None) => return Prefix::Part(at),
            (Some((_, a)), Some((_, b))) if is_same(a, b) => {
                left.next();
                right.next();
            }
            // CRLF is LF.
            (Some((at, '\r')), _) if remaining[at..].starts_with("\r\n") => {
                left.next();
            }
            (_, Some((at, '\r'))) if text[at..].starts_with("\r\n") => {
                right.next();
            }
            _ => return Prefix::Differs,
        }
    }
}

/// Returns whether two characters count as the same: NUL may be U+FFFD.
fn is_same(a: char, b: char) -> bool {
    a == b || matches!((a, b), ('\0', '\u{fffd}') | ('\u{fffd}', '\0'))
}

/// Finds where a text may begin in another one, by its first characters: not within a word.
pub(super) fn find_head(text: &str, wanted: &str) -> Option<usize> {
    heads(text, wanted).next()
}

/// The places where a text may begin in another one.
pub(super) fn heads<'t>(text: &'t str, wanted: &'t str) -> impl Iterator<Item = usize> + 't {
    let head = head(wanted);
    let is_word = head.starts_with(char::is_alphanumeric);
    let finder = memchr::memmem::Finder::new(head.as_bytes());
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[from..];
            // A text that begins with NUL has no characters to look for.
            let found = if head.is_empty() { rest.find(['\0', '\u{fffd}']) } else { finder.find(rest.as_bytes()) };
            let at = from + found?;
            from = at + text[at..].chars().next().map_or(1, char::len_utf8);
            if !(is_word && text[..at].ends_with(char::is_alphanumeric)) {
                return Some(at);
            }
        }
    })
}

/// The first line of a text, at most so much that it is unlikely to occur elsewhere.
fn head(text: &str) -> &str {
    let line = text.trim().lines().next().unwrap_or_default().trim_end();
    let end = line.char_indices().nth(64).map_or(line.len(), |(at, _)| at);
    line[..end].split('\0').next().unwrap_or_default()
}
