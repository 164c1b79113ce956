//! The JSON layer: an index over borrowed bytes.
//!
//! A transcript is mostly text that nothing changes, so parsing builds no tree of owned values. [`Json::parse`] proves the
//! text once and keeps three numbers a value (where it starts, where it ends, which value follows it); strings are
//! decoded, numbers compared and members found only when somebody asks. What a writer copies is therefore the input's own
//! bytes: number digits, key order, escapes and white space survive by construction (P9).
//!
//! It accepts what JavaScript writes: lone surrogate escapes, duplicate keys, numbers outside every machine type. It
//! refuses what is not JSON, and nesting past [`Limits::max_depth`]; there is no recursion anywhere.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod doubled;
mod error;
mod names;
mod parse;
mod pointer;
mod same;
mod scan;
mod text;
mod value;
mod words;

pub use doubled::{Doubled, doubled, without};
pub use doubled::{spliced, without_members};
pub use error::{Error, ErrorKind, Position};
pub use parse::Room;
pub use parse::{Limits, parse, parse_lines};
pub use pointer::push_number;
pub use pointer::{PointerCursor, pointer_key, pointer_step, resolve};
pub use same::{same, same_bounded};
pub use text::{decode, escape_free, has_lone_surrogate, mend_surrogates, on_one_line, quote, quote_into};
pub use value::Name;
pub use value::{Items, Kind, Members, Value};
pub use words::Words;

use names::Names;

/// One value: byte offsets into the text and the index of the value after it and all it holds.
///
/// Twelve bytes, because a transcript of a million short messages has five million of these.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Node {
    /// Offset of the first byte
    pub start: u32,
    /// Offset of the byte after the value
    pub end: u32,
    /// Index of the first value that this one does not contain
    pub next: u32,
}

/// A proved JSON text and the index of its values, in document order (a member's key comes before its value).
///
/// ```
/// use wirecanon_json::{Json, Limits};
///
/// let json = Json::parse(r#"{"a": [1.0, "\ud800"]}"#, &Limits::default())?;
/// assert_eq!(json.text(), r#"{"a": [1.0, "\ud800"]}"#);
/// assert_eq!(json.len(), 5, "the object, its key, the list and its items");
/// let list = json.root().items().next();
/// assert!(list.is_none(), "the outermost value is no list");
/// let list = json.root().members().map(|(_, value)| value).next().unwrap();
/// assert_eq!(json.value(list.index()).raw(), r#"[1.0, "\ud800"]"#);
/// assert!(json.has_lone_surrogates() && !json.is_lines() && !json.is_empty());
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
#[derive(Debug)]
pub struct Json<'a> {
    text: &'a str,
    index: Index,
    lines: bool,
}

/// What is known of the values of a text.
#[derive(Debug, Default)]
struct Index {
    nodes: Vec<Node>,
    /// The keys of all objects
    names: Names,
    /// Whether a string holds half of a surrogate pair
    lone_surrogates: bool,
    /// Objects that may hold a key twice, in the order of the text once all of it is proved: all others hold none
    doubts: Vec<u32>,
    /// Strings that [`quote`] would spell in another way or that hold a NUL, in the order of the text
    respelled: Vec<u32>,
}

impl Index {
    /// Forgets all but names, of which more may be known than there are, and keeps the room.
    fn clear(&mut self) {
        self.nodes.clear();
        self.doubts.clear();
        self.respelled.clear();
        self.lone_surrogates = false;
    }
}

impl<'a> Json<'a> {
    fn of(text: &'a str, mut index: Index, lines: bool) -> Self {
        // An object ends behind those that it holds.
        index.doubts.sort_unstable();
        Self { text, index, lines }
    }

    /// Proves `text` and indexes it. Linear in the text; 12 bytes of memory a value.
    ///
    /// ```
    /// use wirecanon_json::ErrorKind;
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"role":"user","content":"hi"}"#, &Limits::default())?;
    /// assert!(json.root().get("role").is_some_and(|role| role.is_str("user")));
    /// let error = Json::parse(r#"{"role":"user","content":"h"#, &Limits::default()).unwrap_err();
    /// assert_eq!((error.kind(), error.position().map(|place| place.column)), (ErrorKind::Truncated, Some(28)));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not JSON, ends early, nests deeper than the limit, or is longer than 4 GiB; the error has the position.
    pub fn parse(text: &'a str, limits: &Limits) -> Result<Self, Error> {
        parse(text, limits)
    }

    /// The whole text that was parsed, white space around the value included.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse("[1.0]\n", &Limits::default())?;
    /// assert_eq!((json.text(), json.root().raw()), ("[1.0]\n", "[1.0]"));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The outermost value.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"[{"role":"user"},{"role":"assistant"}]"#, &Limits::default())?;
    /// assert_eq!(json.root().items().count(), 2);
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn root(&self) -> Value<'_> {
        Value::new(self, 0)
    }

    /// The value with this index, as [`Value::index`] gave it.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"id":"c1"}"#, &Limits::default())?;
    /// let index = json.root().get("id").map(|id| id.index()).ok_or("no id")?;
    /// assert!(json.value(index).is_str("c1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When the index is not of this text.
    pub fn value(&self, index: u32) -> Value<'_> {
        assert!((index as usize) < self.len(), "value index {index} is not of this text");
        Value::new(self, index)
    }

    /// Whether the outermost value is the list of the lines' values, see [`parse_lines`].
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits, parse_lines};
    ///
    /// assert!(parse_lines("{\"role\":\"user\"}\n{\"role\":\"assistant\"}\n", &Limits::default())?.is_lines());
    /// assert!(!Json::parse(r#"[{"role":"user"}]"#, &Limits::default())?.is_lines());
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn is_lines(&self) -> bool {
        self.lines
    }

    /// How many values and keys the text holds.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"role":"user"}"#, &Limits::default())?;
    /// assert_eq!(json.len(), 3, "the object, its key, and the value of that");
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.index.nodes.len()
    }

    /// Always false: a JSON text holds one value at least.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// assert!(!Json::parse("[]", &Limits::default())?.is_empty());
    /// assert!(Json::parse("", &Limits::default()).is_err(), "no text is no JSON");
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.index.nodes.is_empty()
    }

    /// Whether any string holds an escaped surrogate without its other half, which no Unicode text can hold.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// assert!(Json::parse(r#"["\ud83d"]"#, &Limits::default())?.has_lone_surrogates());
    /// assert!(!Json::parse(r#"["\ud83d\ude00"]"#, &Limits::default())?.has_lone_surrogates());
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn has_lone_surrogates(&self) -> bool {
        self.index.lone_surrogates
    }

    /// Whether an object of it may have a member of this name.
    #[inline]
    #[doc(hidden)]
    pub fn may_hold(&self, name: &str) -> bool {
        self.index.names.may_hold(names::digest(name.as_bytes()))
    }

    /// Returns the entry of a value.
    #[doc(hidden)]
    pub fn node(&self, index: u32) -> Node {
        self.index.nodes[index as usize]
    }
}

/// Line and column (both from 1; the column counts characters) of a byte offset. Linear in the offset.
///
/// ```
/// use wirecanon_json::position;
///
/// let place = position("{\n  \"a\" 1}", 8);
/// assert_eq!((place.line, place.column), (2, 7));
/// ```
pub fn position(text: &str, offset: usize) -> Position {
    position_in(text.as_bytes(), offset)
}

/// The same of bytes of which those before the offset are UTF-8.
fn position_in(bytes: &[u8], offset: usize) -> Position {
    let is_inside = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
    let mut offset = offset.min(bytes.len());
    while bytes.get(offset).copied().is_some_and(is_inside) && offset > 0 {
        offset -= 1;
    }
    let before = &bytes[..offset];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    Position {
        offset,
        line: memchr::memchr_iter(b'\n', before).count() + 1,
        column: before[line_start..].iter().filter(|byte| !is_inside(**byte)).count() + 1,
    }
}
