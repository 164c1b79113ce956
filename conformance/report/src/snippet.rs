//! The line of a file that something is about, cut to the width of the terminal, with the place marked.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;

use annotate_snippets::renderer::Renderer;
use annotate_snippets::{AnnotationKind, Group, Level, Snippet as Shown};
use unicode_width::UnicodeWidthChar;
use wirecanon_judge::plain::plain;
use wirecanon_judge::utf8::{NotUtf8, escaped};

/// Columns where nobody says how many there are.
const USUAL: usize = 100;

/// Fewer no terminal has.
const FEWEST: usize = 20;

/// Room that a line needs to show anything.
const LEAST: usize = 12;

/// Bytes of a line that is looked at on either side, where it has to be made readable first.
const NEAR: usize = 4096;

/// What stands for the part of a line that is left out.
const CUT: char = '…';

/// A part of a line, and the place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    line: usize,
    text: String,
    span: Range<usize>,
}

impl Snippet {
    /// The line of `source` on which a span begins; `line` is its number. No more of a long line is looked at than is shown.
    pub fn new(source: &str, span: Range<usize>, line: usize, columns: usize) -> Self {
        let start = floor(source, span.start.min(source.len()));
        let before = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let after = memchr(source, start);
        let end = floor(source, span.end.clamp(start, after));
        let room = columns.max(LEAST).saturating_sub(line.to_string().len() + 4).max(4);
        let (head, cut_before, tail, cut_after) = around(&source[before..after], start - before, room);
        let mut text = String::new();
        if cut_before {
            text.push(CUT);
        }
        text.push_str(&plain(head));
        let from = text.len();
        let marked = (end - start).min(tail.len());
        text.push_str(&plain(&tail[..marked]));
        let to = text.len();
        text.push_str(&plain(&tail[marked..]));
        if cut_after {
            text.push(CUT);
        }
        Self { line, text, span: from..to }
    }

    /// The same of a text with bytes that are not UTF-8: those are spelled out, and marked.
    pub fn of_bytes(bytes: &[u8], found: &NotUtf8, columns: usize) -> Self {
        let at = found.offset;
        // Of a line without an end, as much as could be shown.
        let near = |byte: &&u8| **byte != b'\n';
        let start = at - bytes[..at].iter().rev().take(NEAR).take_while(near).count();
        let end = at + bytes[at..].iter().take(NEAR).take_while(near).count();
        let text = escaped(&bytes[start..end]);
        let from = escaped(&bytes[start..at]).len();
        let to = from + escaped(&found.bytes).len();
        Self::new(&text, from..to, found.line, columns)
    }

    /// Writes it, with nothing but the line and the mark.
    ///
    /// # Errors
    ///
    /// Writing fails.
    pub fn write(&self, out: &mut dyn Write, indent: &str) -> io::Result<()> {
        let place = AnnotationKind::Primary.span(self.span.clone());
        let shown = Shown::source(&*self.text).line_start(self.line).annotation(place);
        let report = [Group::with_level(Level::ERROR).element(shown)];
        // It is cut already. Who prints it takes the colours away where there shall be none.
        let text = Renderer::styled().term_width(usize::MAX / 2).render(&report);
        for line in text.lines() {
            let bare = anstream::adapter::strip_str(line).to_string();
            if !matches!(bare.trim(), "" | "|") {
                writeln!(out, "{indent}{line}")?;
            }
        }
        Ok(())
    }
}

/// As much of a line as has room, with what stands at `at` in it.
pub fn window(line: &str, at: usize, columns: usize) -> String {
    let at = floor(line, at.min(line.len()));
    let room = columns.max(FEWEST);
    let (head, cut_before, tail, cut_after) = around(line, at, room);
    let mut out = String::new();
    if cut_before {
        out.push(CUT);
    }
    out.push_str(&plain(head));
    out.push_str(&plain(tail));
    if cut_after {
        out.push(CUT);
    }
    out
}

/// Columns of the terminal: what `COLUMNS` says, what it says itself, or the usual.
pub fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    let own = || {
        let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        terminal.map(|(terminal_size::Width(columns), _)| usize::from(columns))
    };
    said.or_else(own).unwrap_or(USUAL).max(FEWEST)
}

/// What of a line has room: before a place and from it on, and of both whether that is not all. What one side does not need the
/// other has.
fn around(line: &str, at: usize, room: usize) -> (&str, bool, &str, bool) {
    let (before, behind) = line.split_at(at);
    let (head, cut_before) = back(before, room);
    if !cut_before {
        let (tail, cut_after) = forth(behind, room - width(head));
        if !cut_after {
            return (head, false, tail, false);
        }
    }
    let room = room.saturating_sub(2);
    let (least, _) = forth(behind, room - room / 3);
    let (head, cut_before) = back(before, room - width(least));
    let (tail, cut_after) = forth(behind, room - width(head));
    (head, cut_before, tail, cut_after)
}

/// The nearest place at or before this one that is between characters.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The end of the line that goes through `at`.
fn memchr(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

fn width_of(c: char) -> usize {
    if c.is_control() { 1 } else { c.width().unwrap_or(0) }
}

fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

/// The end of a text, as much as has room; whether that is not all.
fn back(text: &str, room: usize) -> (&str, bool) {
    let mut taken = 0;
    for (at, c) in text.char_indices().rev() {
        taken += width_of(c);
        if taken > room {
            return (&text[at + c.len_utf8()..], true);
        }
    }
    (text, false)
}

/// The beginning of a text, as much as has room; whether that is not all.
fn forth(text: &str, room: usize) -> (&str, bool) {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        taken += width_of(c);
        if taken > room {
            return (&text[..at], true);
        }
    }
    (text, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_judge::utf8::text;

    fn shown(source: &str, span: Range<usize>, columns: usize) -> String {
        let mut out = Vec::new();
        Snippet::new(source, span, 7, columns).write(&mut out, "").expect("it is written");
        anstream::adapter::strip_str(std::str::from_utf8(&out).expect("text")).to_string()
    }

    #[test]
    fn the_place_is_marked() {
        assert_eq!(shown("a\n{\"b\": 12, \"c\": 3}\r\nd", 8..10, 80), "7 | {\"b\": 12, \"c\": 3}\n  |       ^^\n");
        assert_eq!(shown("abc", 1..1, 80), "7 | abc\n  |  ^\n");
        assert_eq!(shown("a\nb", 0..3, 80), "7 | a\n  | ^\n", "a value of several lines is marked on its first");
        assert_eq!(shown("abc", 9..12, 80), "7 | abc\n  |    ^\n", "what is past the end is at the end");
    }

    #[test]
    fn long_lines_are_cut_around_it() {
        let long = format!("{}HERE{}", "x".repeat(100_000), "y".repeat(100_000));
        for columns in [20, 21, 40, 100, 5] {
            let shown = shown(&long, 100_000..100_004, columns);
            assert!(shown.contains("xHERE") && shown.contains("^^^^"), "{columns}: {shown}");
            assert!(shown.lines().all(|line| width(line) <= columns.max(20)), "{columns}: {shown}");
            assert_eq!(shown.matches(CUT).count(), 2, "{shown}");
        }
        assert_eq!(shown(&long, 0..200_004, 20), "7 | xxxxxxxxxxxxx…\n  | ^^^^^^^^^^^^^\n");
    }

    #[test]
    fn bytes_that_are_no_text_are_spelled_out() {
        let long = [&[b'a'; 10_000][..], b"\xff\xfe", &[b'b'; 10_000]].concat();
        for (bytes, first, wanted) in [
            (&b"a\n{\"n\": \"\xe2\x82\"}\n"[..], 1, "2 | {\"n\": \"\\xe2\\x82\"}\n  |        ^^^^^^^^\n"),
            (b"\xe4\n", 7, "7 | \\xe4\n  | ^^^^\n"),
            (&long, 1, "1 | …aaaaaaaaaa\\xff\\xfebbbbbbbbbbb…\n"),
        ] {
            let mut found = text(bytes).expect_err("it is no text");
            found.line += first - 1;
            let mut out = Vec::new();
            Snippet::of_bytes(bytes, &found, 40).write(&mut out, "").expect("it is written");
            let shown = anstream::adapter::strip_str(std::str::from_utf8(&out).expect("text")).to_string();
            if bytes.len() < 100 {
                assert_eq!(shown, wanted);
            } else {
                assert!(shown.contains("a\\xff\\xfeb") && shown.contains("^^^^"), "{shown}");
            }
        }
    }

    #[test]
    fn wide_characters_and_odd_ones_keep_the_mark_in_its_place() {
        assert_eq!(shown("日本 x", 7..8, 80), "7 | 日本 x\n  |      ^\n");
        let wide = "漢".repeat(1000);
        for columns in [20, 23, 60] {
            let shown = shown(&wide, 1500..1503, columns);
            assert!(shown.lines().all(|line| width(line) <= columns), "{columns}: {shown}");
        }
        let shown = shown("a\u{1b}[31m\u{202e}b\tc", 1..2, 80);
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\t']), "{shown:?}");
    }
}
