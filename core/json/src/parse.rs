//! Proving a text to be JSON, without recursion.

#![expect(clippy::inline_always, reason = "what is not inlined is not built for the processor that was found")]

use super::names::digest;
use super::scan::{Seen, Simd, by_processor};
use super::{Index, Json, Node, position_in};
use crate::error::{Error, ErrorKind};

/// What an input may ask of the machine.
///
/// ```
/// use wirecanon_json::ErrorKind;
/// use wirecanon_json::{Json, Limits};
///
/// assert!(Json::parse("[[[]]]", &Limits::default()).is_ok());
/// let error = Json::parse("[[[]]]", &Limits { max_depth: 2 }).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::TooDeep);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Deepest nesting of arrays and objects; deeper is a typed error.
    pub max_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_depth: 16_384 }
    }
}

/// Proves `text` and indexes its values. See [`Json::parse`].
///
/// # Errors
///
/// As [`Json::parse`].
///
/// ```
/// use wirecanon_json::{Limits, parse};
///
/// assert!(parse("[1, 2]", &Limits::default())?.root().is_array());
/// assert!(parse("[1, 2", &Limits::default()).is_err());
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
pub fn parse<'a>(text: &'a str, limits: &Limits) -> Result<Json<'a>, Error> {
    let mut parser = Parser::new(text.as_bytes())?;
    parser.document(*limits)?;
    parser.skip_white_space();
    if parser.at < parser.bytes.len() {
        return Err(parser.error("more text after the end of the JSON value"));
    }
    Ok(Json::of(text, parser.index, false))
}

/// Proves `text` to be JSON Lines: one value a line, blank lines between them allowed. The outermost value is the list of
/// the lines' values.
///
/// # Errors
///
/// As [`Json::parse`]; a line that ends early, or holds two values, is at fault with its position.
///
/// ```
/// use wirecanon_json::{Limits, parse_lines};
///
/// let json = parse_lines("{\"a\":1}\n\n{\"a\":2}\n", &Limits::default())?;
/// assert!(json.is_lines());
/// assert_eq!(json.root().items().count(), 2);
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
pub fn parse_lines<'a>(text: &'a str, limits: &Limits) -> Result<Json<'a>, Error> {
    let mut parser = Parser::new(text.as_bytes())?;
    parser.push(0);
    while parser.at < parser.bytes.len() {
        let line_end =
            parser.bytes[parser.at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |n| parser.at + n);
        parser.document(*limits)?;
        if parser.at > line_end {
            return Err(parser.error("a JSON value goes on past the end of its line"));
        }
        while matches!(parser.bytes.get(parser.at), Some(b' ' | b'\t' | b'\r')) {
            parser.at += 1;
        }
        if !matches!(parser.bytes.get(parser.at), None | Some(b'\n')) {
            return Err(parser.error("more text after the end of the JSON value on this line"));
        }
        parser.skip_white_space();
    }
    let next = parser.index.nodes.len() as u32;
    parser.index.nodes[0] = Node { start: 0, end: text.len() as u32, next };
    Ok(Json::of(text, parser.index, true))
}

/// Room in which texts are proved one after the other.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Room {
    index: Index,
    open: Vec<Open>,
}

impl Room {
    /// Whether [`parse`] would find an object, as deep as the usual limit allows.
    #[doc(hidden)]
    pub fn is_object(&mut self, text: &str) -> bool {
        self.proves_object(text, |_| true)
    }

    /// Whether it is such an object, in which no key can stand twice and no half of a surrogate pair stands alone. It may say no
    /// where that is so.
    #[doc(hidden)]
    pub fn is_plain_object(&mut self, text: &str) -> bool {
        self.proves_object(text, |index| index.doubts.is_empty() && !index.lone_surrogates)
    }

    fn proves_object(&mut self, text: &str, and: impl FnOnce(&Index) -> bool) -> bool {
        let Ok(mut parser) = Parser::within(text.as_bytes(), std::mem::take(self)) else { return false };
        let is_value = parser.document(Limits::default()).is_ok();
        parser.skip_white_space();
        let start = parser.index.nodes.first().map(|root| root.start as usize);
        let is_object = is_value
            && parser.at == parser.bytes.len()
            && start.is_some_and(|start| parser.bytes[start] == b'{')
            && and(&parser.index);
        *self = Self::of(parser.index, parser.open);
        is_object
    }

    /// This room, emptied.
    fn of(mut index: Index, mut open: Vec<Open>) -> Self {
        index.clear();
        open.clear();
        Self { index, open }
    }
}

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        let nodes = Vec::with_capacity(bytes.len() / BYTES_A_VALUE + 16);
        Self::within(bytes, Room { index: Index { nodes, ..Index::default() }, open: Vec::new() })
    }

    /// The same, in this room.
    fn within(bytes: &'a [u8], room: Room) -> Result<Self, Error> {
        let Room { index, open } = room;
        let mut parser = Self { bytes, at: 0, index, open, seen: Seen::default(), is_respelled: false };
        parser.begin()?;
        Ok(parser)
    }

    /// Goes to the first byte that is no white space.
    fn begin(&mut self) -> Result<(), Error> {
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(Error::new(ErrorKind::TooLarge, "the text is longer than 4 GiB").with_hint("split the session"));
        }
        self.skip_white_space();
        if self.at == self.bytes.len() {
            return Err(Error::new(ErrorKind::Empty, "there is nothing here: the input is empty")
                .with_hint("give a transcript as JSON, or JSON Lines"));
        }
        Ok(())
    }
}

/// Room for a value in so many bytes is reserved at once, so that the index of a common transcript never moves while it
/// grows. Reserved pages that stay untouched cost no memory.
const BYTES_A_VALUE: usize = 12;

const NO_HEX: u8 = 16;

/// What each byte is worth as a hexadecimal digit.
const HEX: [u8; 256] = {
    let mut table = [NO_HEX; 256];
    let mut digit = 0;
    while digit < 16 {
        table[b"0123456789abcdef"[digit] as usize] = digit as u8;
        table[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
        digit += 1;
    }
    table
};

/// What the parser expects next.
#[derive(Clone, Copy)]
enum Expect {
    Value,
    FirstItemOrEnd,
    FirstKeyOrEnd,
    CommaOrEnd,
}

#[derive(Debug)]
struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    index: Index,
    /// Objects and lists whose ends have yet to come
    open: Vec<Open>,
    /// What was looked at last for the ends of strings
    seen: Seen,
    /// Whether the string that was read last is not spelled as [`super::quote`] would spell it, or holds a NUL
    is_respelled: bool,
}

/// An object or a list whose end has yet to come.
#[derive(Debug)]
struct Open {
    node: u32,
    is_object: bool,
    in_doubt: bool,
    /// One bit for each key so far, by a cheap digest of it
    keys: u64,
}

impl Parser<'_> {
    /// One value, with a stack of open containers of its own instead of recursion.
    fn document(&mut self, limits: Limits) -> Result<(), Error> {
        by_processor!(simd => self.document_by(simd, limits))
    }

    #[inline(always)]
    fn document_by<S: Simd>(&mut self, simd: S, limits: Limits) -> Result<(), Error> {
        let mut expect = Expect::Value;
        loop {
            self.skip_white_space();
            let byte = self.peek()?;
            match expect {
                Expect::FirstItemOrEnd if byte == b']' => self.close(),
                Expect::FirstKeyOrEnd if byte == b'}' => self.close(),
                Expect::FirstKeyOrEnd => {
                    self.key_by(simd)?;
                    expect = Expect::Value;
                    continue;
                }
                Expect::CommaOrEnd => {
                    let in_object = self.open.last().is_some_and(|open| open.is_object);
                    match byte {
                        b',' => {
                            self.at += 1;
                            if in_object {
                                self.skip_white_space();
                                self.key_by(simd)?;
                            }
                            expect = Expect::Value;
                            continue;
                        }
                        b'}' if in_object => self.close(),
                        b']' if !in_object => self.close(),
                        _ if in_object => return Err(self.error("expected `,` or `}`")),
                        _ => return Err(self.error("expected `,` or `]`")),
                    }
                }
                Expect::Value | Expect::FirstItemOrEnd => match byte {
                    b'{' | b'[' => {
                        self.enter(limits)?;
                        expect = if byte == b'{' { Expect::FirstKeyOrEnd } else { Expect::FirstItemOrEnd };
                        continue;
                    }
                    b'"' => {
                        self.string(simd)?;
                    }
                    b'-' | b'0'..=b'9' => self.number()?,
                    b't' => self.word("true")?,
                    b'f' => self.word("false")?,
                    b'n' => self.word("null")?,
                    _ => return Err(self.error("expected a JSON value")),
                },
            }
            if self.open.is_empty() {
                return Ok(());
            }
            expect = Expect::CommaOrEnd;
        }
    }

    #[inline(always)]
    fn push(&mut self, start: usize) -> u32 {
        let index = self.index.nodes.len() as u32;
        self.index.nodes.push(Node { start: start as u32, end: self.at as u32, next: index + 1 });
        index
    }

    /// Enters the object or the list that begins here.
    #[inline(always)]
    fn enter(&mut self, limits: Limits) -> Result<(), Error> {
        if self.open.len() >= limits.max_depth {
            return Err(self
                .error_of(ErrorKind::TooDeep, &format!("nested deeper than {} levels", limits.max_depth))
                .with_hint("raise the limit with --max-depth if this is meant"));
        }
        let node = self.push(self.at);
        self.open.push(Open { node, is_object: self.bytes[self.at] == b'{', in_doubt: false, keys: 0 });
        self.at += 1;
        Ok(())
    }

    /// Leaves the innermost one behind its last byte, which stands here.
    #[inline(always)]
    fn close(&mut self) {
        self.at += 1;
        if let Some(open) = self.open.pop() {
            let next = self.index.nodes.len() as u32;
            if open.in_doubt {
                self.index.doubts.push(open.node);
            }
            let node = &mut self.index.nodes[open.node as usize];
            node.end = self.at as u32;
            node.next = next;
        }
    }

    /// A key and its colon.
    #[inline(always)]
    fn key_by<S: Simd>(&mut self, simd: S) -> Result<(), Error> {
        if self.peek()? != b'"' {
            return Err(self.error("expected a key in double quotes"));
        }
        let start = self.at + 1;
        let escaped = self.string(simd)?;
        if let Some(open) = self.open.last_mut() {
            let digest = digest(&self.bytes[start..self.at - 1]);
            let bit = 1 << (digest & 63);
            open.in_doubt |= escaped || open.keys & bit != 0;
            open.keys |= bit;
            self.index.names.add(digest);
            if escaped {
                self.index.names.add_any();
            }
        }
        self.skip_white_space();
        if self.peek()? != b':' {
            return Err(self.error("expected `:` after the key"));
        }
        self.at += 1;
        Ok(())
    }

    /// Gives whether it holds an escape.
    #[inline(always)]
    fn string<S: Simd>(&mut self, simd: S) -> Result<bool, Error> {
        let start = self.at;
        let (mut is_escaped, mut is_open) = (false, false);
        self.is_respelled = false;
        self.at += 1;
        loop {
            if self.at >= self.seen.end() {
                let Some(place) = self.seen.look(simd, self.bytes, self.at, is_open) else {
                    return Err(self.fault_in_string(start));
                };
                self.at = place;
            }
            if !is_open && self.seen.is_plain(self.at) {
                if let Some(end) = self.seen.quote(self.at) {
                    self.at = end + 1;
                    break;
                }
                self.at = self.seen.end();
                continue;
            }
            let mut part = self.seen.part(self.at, is_open);
            if part.has_control {
                return Err(self.fault_in_string(start));
            }
            is_escaped = true;
            // The backslash may be the last byte that was seen before.
            let mut read_to = self.at - usize::from(is_open);
            while let Some(place) = part.next_unusual() {
                // Of the halves of a surrogate pair, the first takes the second along.
                if place >= read_to {
                    self.at = place;
                    self.escape()?;
                    read_to = self.at;
                }
            }
            if let Some(end) = part.end {
                self.at = end + 1;
                break;
            }
            // A pair may go on behind what was seen.
            is_open = part.is_open && self.at <= self.seen.end();
            self.at = self.at.max(self.seen.end());
        }
        let index = self.push(start);
        if self.is_respelled {
            self.index.respelled.push(index);
        }
        Ok(is_escaped)
    }

    /// What is wrong with the string that begins at `start`.
    #[cold]
    fn fault_in_string(&mut self, start: usize) -> Error {
        self.at = start + 1;
        loop {
            match self.bytes.get(self.at) {
                Some(b'\\') => {
                    if let Err(error) = self.escape() {
                        return error;
                    }
                }
                Some(..0x20) => return self.error("a control character stands unescaped in a string"),
                Some(_) => self.at += 1,
                None => return self.error_of(ErrorKind::Truncated, "the text ends inside a string"),
            }
        }
    }

    /// The escape that begins here; a high surrogate takes the low one after it along.
    fn escape(&mut self) -> Result<(), Error> {
        let Some(kind) = self.bytes.get(self.at + 1) else {
            self.at = self.bytes.len();
            return Err(self.error_of(ErrorKind::Truncated, "the text ends inside a string"));
        };
        match kind {
            b'n' | b'"' | b'\\' | b't' | b'r' | b'b' | b'f' => self.at += 2,
            b'/' => {
                self.at += 2;
                self.is_respelled = true;
            }
            b'u' => {
                let unit = self.hex4(self.at + 2)?;
                self.at += 6;
                let paired = (0xD800..0xDC00).contains(&unit)
                    && self.bytes[self.at..].starts_with(b"\\u")
                    && (0xDC00..0xE000).contains(&self.hex4(self.at + 2)?);
                if paired {
                    self.at += 6;
                } else if (0xD800..0xE000).contains(&unit) {
                    self.index.lone_surrogates = true;
                }
                // Characters below this that have no letter are spelled in hexadecimal digits, in small ones.
                let spelled = (1..0x20).contains(&unit) && !matches!(unit, 8 | 9 | 10 | 12 | 13);
                self.is_respelled |= !spelled || self.bytes[self.at - 1].is_ascii_uppercase();
            }
            _ => return Err(self.error("an unknown escape in a string")),
        }
        Ok(())
    }

    fn hex4(&mut self, at: usize) -> Result<u32, Error> {
        let Some(digits) = self.bytes.get(at..at + 4) else {
            self.at = self.bytes.len();
            return Err(self.error_of(ErrorKind::Truncated, "the text ends inside a string"));
        };
        let mut unit = 0;
        for digit in digits {
            match HEX[*digit as usize] {
                NO_HEX => return Err(self.error("`\\u` needs four hexadecimal digits")),
                value => unit = unit << 4 | u32::from(value),
            }
        }
        Ok(unit)
    }

    #[inline(always)]
    fn number(&mut self) -> Result<(), Error> {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        match self.peek()? {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits(),
            _ => return Err(self.error("a number needs a digit here")),
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        self.push(start);
        Ok(())
    }

    #[inline(always)]
    fn digits(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn some_digits(&mut self) -> Result<(), Error> {
        if !self.peek()?.is_ascii_digit() {
            return Err(self.error("a number needs a digit here"));
        }
        self.digits();
        Ok(())
    }

    #[inline(always)]
    fn word(&mut self, word: &str) -> Result<(), Error> {
        let rest = &self.bytes[self.at..];
        if !rest.starts_with(word.as_bytes()) {
            if word.as_bytes().starts_with(rest) {
                self.at = self.bytes.len();
                return Err(self.error_of(ErrorKind::Truncated, "the text ends inside a value"));
            }
            return Err(self.error("expected a JSON value"));
        }
        let start = self.at;
        self.at += word.len();
        self.push(start);
        Ok(())
    }

    #[inline(always)]
    fn skip_white_space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn peek(&self) -> Result<u8, Error> {
        self.bytes.get(self.at).copied().ok_or_else(|| {
            self.error_of(ErrorKind::Truncated, "the text ends before the JSON value does")
                .with_hint("the file was cut off: the writer crashed, or is still writing")
        })
    }

    fn error(&self, message: &str) -> Error {
        self.error_of(ErrorKind::NotJson, message)
    }

    fn error_of(&self, kind: ErrorKind, message: &str) -> Error {
        Error::new(kind, message).at(position_in(self.bytes, self.at))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    use super::*;
    use crate::{decode, quote};

    proptest! {
        #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 4 } else { 4000 }, ..ProptestConfig::default() })]

        /// Strings whose escapes stand at every place of what is looked at together, beside what serde_json says of them.
        #[test]
        fn escapes_count_wherever_they_stand(
            parts in proptest::collection::vec(
                prop_oneof![
                    8 => (0..70_usize).prop_map(|length| "é ".repeat(length / 3) + &"a".repeat(length % 3)),
                    4 => (1..4_usize).prop_map(|length| r"\\".repeat(length)),
                    12 => proptest::sample::select(
                        vec![r"\n", r#"\""#, r"\/", r"\b", r"\u00e9", r"\u000b", r"\u000B", r"\u0000", r"\ud83d\ude00"]
                    ).prop_map(str::to_owned),
                    1 => proptest::sample::select(
                        vec![r"\ud83d", r"\ude00", r"\ud83d\u0041", r"\x", r"\u12g4", r"\", "\u{1}", "\n", r#"","#, r#"""#]
                    ).prop_map(str::to_owned),
                ],
                0..14,
            ),
            cut in proptest::option::weighted(0.1, 0..200_usize),
        ) {
            let mut text = format!(r#"["{}","b"]"#, parts.concat());
            if let Some(cut) = cut.filter(|cut| text.is_char_boundary(*cut)) {
                text.truncate(cut);
            }
            let index = parse(&text, &Limits::default()).map(|json| json.index);
            prop_assert_eq!(index.is_ok(), serde_json::from_str::<IgnoredAny>(&text).is_ok(), "{}", text);
            let Ok(index) = index else { return Ok(()) };
            let values = serde_json::from_str::<Vec<String>>(&text);
            prop_assert_eq!(index.lone_surrogates, values.is_err(), "{}", text);
            let strings = index.nodes[1..].iter().map(|node| &text[node.start as usize..node.end as usize]);
            for (at, value) in values.unwrap_or_default().iter().enumerate() {
                let spelled = strings.clone().nth(at).unwrap_or_default();
                prop_assert_eq!(&decode(&spelled[1..spelled.len() - 1]), value, "{}", text);
                let is_other = quote(value) != spelled || value.contains('\0');
                prop_assert_eq!(index.respelled.contains(&(at as u32 + 1)), is_other, "{}", text);
            }
            let key = format!(r"{{{}:1}}", strings.clone().next().unwrap_or_default());
            let doubts = parse(&key, &Limits::default()).map(|json| json.index.doubts.len());
            prop_assert_eq!(doubts.unwrap_or_default() > 0, key.contains('\\'), "{}", key);
        }
    }
}
