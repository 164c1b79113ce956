//! Notes: short texts that programs write in place of content, and marks, which they write around it.
//!
//! Both are made of neutral words, of sizes, and of the names, types, ids and addresses of what they are about. So "[image/png left out]" is a
//! note for an image, and "[image: a cat]" is none. A negation stands only before what a note may say that is not there: "no data", never
//! "not deleted". What a mark stands around begins behind its punctuation, and is compared by itself.

use std::borrow::Cow;
use std::collections::VecDeque;

use hashbrown::HashSet;

pub(super) use super::vocabulary::About;
use super::vocabulary::{COMMON, KINDS, LIGHT, List, NEGATIONS, UNITS, Vocabulary, has_in};
use crate::observation::Call;

/// The words of a text, in small letters. An apostrophe belongs to its word.
pub(super) fn words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let is_apostrophe = |c: char| matches!(c, '\'' | '\u{2019}');
    text.split(move |c: char| !c.is_alphanumeric() && !is_apostrophe(c))
        .map(move |word| word.trim_matches(is_apostrophe))
        .filter(|word| !word.is_empty())
        .map(|word| {
            if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
                return Cow::Borrowed(word);
            }
            let word = word.to_lowercase();
            Cow::Owned(if word.contains('\u{2019}') { word.replace('\u{2019}', "'") } else { word })
        })
}

/// A key in `camelCase` or `snake_case`, as words.
pub(super) fn words_of_key(key: &str) -> String {
    let mut words = String::with_capacity(key.len());
    for c in key.chars() {
        if c.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        words.push(c);
    }
    words
}

/// The words of the names, types, ids and addresses that a note may repeat.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    words: HashSet<String>,
    /// Names that a note repeats as a whole, word by word
    whole: Vec<Vec<String>>,
    has_numbers: bool,
}

/// A part of a note.
enum Part<'t> {
    Word(Cow<'t, str>),
    /// A whole name
    Name,
}

impl Names {
    /// The name and the id of a call.
    pub(super) fn of_call(call: &Call<'_>) -> Self {
        Self::default().with(&call.name).with(call.id.as_deref().unwrap_or_default())
    }

    pub(super) fn add(&mut self, text: &str) {
        self.words.extend(words(text).map(Cow::into_owned));
    }

    /// Adds a name that a note may repeat as a whole, and not in parts.
    pub(super) fn add_whole(&mut self, text: &str) {
        let name: Vec<_> = words(text).map(Cow::into_owned).collect();
        if !name.is_empty() {
            self.whole.push(name);
        }
    }

    /// The parts of a text: the longest whole names, and the other words. Read as far as they are asked for: most texts are no notes, and
    /// their first words say so.
    fn parts<'t>(&self, text: &'t str) -> impl Iterator<Item = Part<'t>> {
        let longest = self.whole.iter().map(Vec::len).max().unwrap_or_default();
        let mut words = words(text);
        let mut ahead: VecDeque<Cow<'t, str>> = VecDeque::with_capacity(longest);
        std::iter::from_fn(move || {
            if longest == 0 {
                return words.next().map(Part::Word);
            }
            ahead.extend(words.by_ref().take(longest - ahead.len()));
            let rest = &*ahead.make_contiguous();
            let is_here = |name: &&Vec<String>| name.len() <= rest.len() && name.iter().zip(rest).all(|(a, b)| a == b);
            let name = self.whole.iter().filter(is_here).map(Vec::len).max();
            match name {
                Some(length) => {
                    ahead.drain(..length);
                    Some(Part::Name)
                }
                None => ahead.pop_front().map(Part::Word),
            }
        })
    }

    /// Returns whether a text has one of the whole names.
    pub(super) fn has_whole(&self, text: &str) -> bool {
        self.parts(text).any(|part| matches!(part, Part::Name))
    }

    /// Returns whether a text has a negation that is no part of a name.
    pub(super) fn denies(&self, text: &str) -> bool {
        let is_denied = |part: Part<'_>| matches!(part, Part::Word(word) if NEGATIONS.has(&word) && !self.has(&word));
        self.parts(text).any(is_denied)
    }

    pub(super) fn with(mut self, text: &str) -> Self {
        self.add(text);
        self
    }

    /// Returns whether a text has a word that is no name.
    pub(super) fn has_other(&self, text: &str) -> bool {
        self.parts(text).any(|part| matches!(part, Part::Word(word) if !self.has(&word)))
    }

    /// Allows any number: an id that was made up.
    pub(super) fn with_numbers(mut self) -> Self {
        self.has_numbers = true;
        self
    }

    /// Returns the numbers of a text that are none of the names.
    pub(super) fn other_numbers(&self, text: &str) -> String {
        let others: Vec<_> = words(text).filter(|word| is_number(word) && !self.has(word)).collect();
        others.join(" ")
    }

    /// Returns whether a word is one of the names.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(word)
    }
}

/// Returns whether a word says nothing in a note about this, or in any note for content.
pub(super) fn is_neutral(word: &str, about: About) -> bool {
    let content = Vocabulary::of(About::Content).words;
    COMMON.has(word) || has_in(content, word) || has_in(Vocabulary::of(about).words, word)
}

/// Longer texts are no notes. In bytes.
pub(super) const MAX_NOTE: usize = 4096;

/// Returns whether a text is a note about this, which may repeat these names.
pub(super) fn is_note(text: &str, about: About, names: &Names) -> bool {
    text.len() <= MAX_NOTE && is_made_of(text, about, names)
}

/// Returns whether a text is a note about this, whatever its length.
pub(super) fn is_made_of(text: &str, about: About, names: &Names) -> bool {
    let vocabulary = Vocabulary::of(about);
    let has_sizes = matches!(about, About::Content | About::Medium(_));
    let mut is_demanded = vocabulary.demanded.is_empty();
    let mut is_denied = false;
    // The negation that waits for what it denies.
    let mut open: Option<Cow<'_, str>> = None;
    let mut is_index = false;
    let mut all = names.parts(text).peekable();
    while let Some(part) = all.next() {
        let Part::Word(word) = part else {
            is_demanded |= matches!(about, About::Medium(_));
            continue;
        };
        let is_indexed = std::mem::replace(&mut is_index, word == "index");
        let is_unit = |part: &Part<'_>| matches!(part, Part::Word(next) if UNITS.has(next));
        is_demanded |= has_in(vocabulary.demanded, &word);
        let is_name = names.has(&word);
        if let Some(negation) = &open {
            if vocabulary.can_be_denied(&word, negation) {
                open = None;
            } else if !(LIGHT.has(&word) || is_name || has_in(KINDS, &word) && has_in(vocabulary.words, &word)) {
                return false;
            }
        } else if is_name {
            // Names say nothing else.
        } else if is_number(&word) {
            let is_size = word.contains('x')
                || all.peek().is_some_and(|next| is_unit(next) || matches!(next, Part::Word(next) if is_number(next)));
            if !(names.has_numbers || has_sizes && (is_size || is_indexed)) {
                return false;
            }
            all.next_if(is_unit);
        } else if NEGATIONS.has(&word) && vocabulary.denied.is_some() {
            is_denied = true;
            // "none" and "nothing" may be all of it.
            if !(matches!(&*word, "none" | "nothing") && has_in(vocabulary.words, &word)) {
                open = Some(word);
            }
        } else if COMMON.has(&word) || has_in(vocabulary.words, &word) {
            is_denied |= word == "before";
            if has_in(vocabulary.outcomes, &word) && !is_denied {
                return false;
            }
        } else {
            return false;
        }
    }
    is_demanded && open.is_none()
}

/// Returns whether a word is a number, or two as in `640x480`.
fn is_number(word: &str) -> bool {
    let is_digits = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    word.split('x').all(is_digits)
}

/// A mark before a text, and what closes it behind the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The mark; blank where there is none
    pub(super) text: String,
    /// The ends of brackets, quotes, tags and fences that the mark opens, from the inside
    pub(super) closers: Vec<String>,
}

impl Mark {
    /// Reads a mark about this: blank, or a note without a negation whose last character sets it apart from what follows.
    pub(super) fn read(text: &str, about: About, names: &Names) -> Option<Self> {
        if text.trim().is_empty() {
            return Some(Self { text: text.to_owned(), closers: Vec::new() });
        }
        let ends = |c: char| ":])>}\"'`|\u{2013}\u{2014}=(".contains(c);
        // A minus belongs to a number.
        let is_apart =
            text.ends_with('\n') || text.ends_with("- ") || text.trim_end_matches([' ', '\t']).ends_with(ends);
        let is_mark = is_apart && is_note(text, about, names) && !names.denies(text);
        is_mark.then(|| Self { text: text.to_owned(), closers: closers(text) })
    }

    /// Returns whether there is no mark.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Returns the length of what closes the mark at the start of a text; `None` if it is not all there.
    pub(super) fn closing(&self, rest: &str) -> Option<usize> {
        let mut at = 0;
        for closer in &self.closers {
            let inner = rest[at..].trim_start();
            if !inner.starts_with(&**closer) {
                return None;
            }
            at = rest.len() - inner.len() + closer.len();
        }
        Some(at)
    }
}

/// The ends of what a mark opens and leaves open, from the inside.
pub(super) fn closers(mark: &str) -> Vec<String> {
    const FENCE: &str = "```";
    let mut open: Vec<String> = Vec::new();
    let mut rest = mark;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '`' if rest.starts_with(FENCE) => {
                length = FENCE.len();
                toggle(&mut open, FENCE);
            }
            '`' | '"' => toggle(&mut open, &rest[..1]),
            '[' => open.push("]".to_owned()),
            '(' => open.push(")".to_owned()),
            '{' => open.push("}".to_owned()),
            ']' | ')' | '}' if open.last().is_some_and(|last| *last == rest[..1]) => {
                open.pop();
            }
            '<' => {
                if let Some(tag) = tag_at(rest) {
                    length = tag.len() + 2;
                    let name = tag.split_whitespace().next().unwrap_or_default();
                    match name.strip_prefix('/') {
                        Some(name) if open.last().is_some_and(|last| *last == format!("</{name}>")) => {
                            open.pop();
                        }
                        None if !tag.ends_with('/') => open.push(format!("</{name}>")),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        rest = &rest[length..];
    }
    open.reverse();
    open
}

/// The inside of the tag at the start of a text; `None` where it is no tag.
fn tag_at(text: &str) -> Option<&str> {
    let inner = &text[1..text.find('>')?];
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !inner.contains(['<', '|']);
    is_tag.then_some(inner)
}

/// Opens what these characters open, or closes it.
fn toggle(open: &mut Vec<String>, closer: &str) {
    if open.last().is_some_and(|last| last == closer) {
        open.pop();
    } else {
        open.push(closer.to_owned());
    }
}

/// Returns whether a text has one of these words.
pub(super) fn has_any(text: &str, list: List) -> bool {
    words(text).any(|word| list.has(&word))
}

/// Returns whether a text says that something is not there.
pub(super) fn denies(text: &str) -> bool {
    words(text).any(|word| NEGATIONS.has(&word) || matches!(&*word, "unavailable" | "missing"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::MediaKind;

    #[test]
    fn notes_say_nothing_of_their_own() {
        let none = Names::default();
        let image = none.clone().with("image/png").with("cat.png");
        for (about, names, notes) in [
            (
                About::Medium(MediaKind::Image),
                &image,
                &[
                    "[wirecanon: image left out: no data (image/png)]",
                    "[Image: image/png, 1024 bytes]",
                    "(picture cat.png, 12.5 KB, 640x480, could not be read)",
                    "Images are not supported by this model",
                ] as &[&str],
            ),
            (
                About::Filler,
                &none,
                &["Please continue.", "(no content)", "Hello", "[conversation continues]", "Let's begin."],
            ),
            (About::Reply, &none, &["OK.", "Understood."]),
            (About::Empty, &none, &["(no output)", "Tool ran without output", "[empty result]", "None"]),
            (
                About::StandIn,
                &none,
                &[
                    "No result provided",
                    "[wirecanon: no result was recorded for this tool call]",
                    "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.",
                    "Tool call was cancelled - another message came in before it could be completed.",
                    "Tool execution was interrupted.",
                ],
            ),
            (About::Label, &none, &["Attached image(s) from tool result:", "(see attached image)"]),
        ] {
            for note in notes {
                assert!(is_note(note, about, names), "{about:?} {note}");
            }
        }
        for (about, names, others) in [
            (
                About::Medium(MediaKind::Image),
                &image,
                &["[image: a dog]", "audio file", "No image of c1", "image 2", "image not deleted", "[left out]"]
                    as &[&str],
            ),
            (
                About::Filler,
                &none,
                &[
                    "Yes, delete it.",
                    "42",
                    "OK",
                    "No.",
                    "Do not continue",
                    "Proceed with the tool",
                    "The conversation does not start",
                ],
            ),
            (About::Empty, &none, &["42", "not empty", "success", "null", "void", ""]),
            (
                About::StandIn,
                &none,
                &[
                    "OK, deleted.",
                    "The result was recorded",
                    "was not interrupted",
                    "result missing: 42",
                    "user cancelled the call",
                ],
            ),
            (About::Label, &none, &["The image is not available", "No image"]),
            (About::Error, &none, &["no error", "error 1", "denied"]),
        ] {
            for other in others {
                assert!(!is_note(other, about, names), "{about:?} {other}");
            }
        }
    }

    #[test]
    fn marks_end_where_the_text_begins() {
        let none = Names::default();
        for (about, mark, closers) in [
            (About::System, "[wirecanon: system message] ", &[] as &[&str]),
            (About::System, "System: ", &[]),
            (About::System, "[System note: ", &["]"]),
            (About::System, "<system-reminder>\n", &["</system-reminder>"]),
            (About::Error, "Error: ", &[]),
            (About::Content, "<document name=\"file\">", &["</document>"]),
            (About::Content, "Content of the file:\n```\n", &["```"]),
            (About::Call, "[Tool call: (", &[")", "]"]),
        ] {
            let read = Mark::read(mark, about, &none).unwrap_or_else(|| panic!("{mark}"));
            assert_eq!(read.closers, closers, "{mark}");
        }
        for (about, mark) in [
            (About::System, "- "),
            (About::System, "System: not "),
            (About::System, "No system message: "),
            (About::Error, "Error: not "),
            (About::Error, "error 1"),
            (About::Error, "no error: "),
            (About::Content, "document not "),
            (About::Content, "no document: "),
        ] {
            assert_eq!(Mark::read(mark, about, &none), None, "{mark}");
        }
    }
}
