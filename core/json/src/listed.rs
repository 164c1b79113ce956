//! A document that is proved item by item of its list, so that each can be looked at while its bytes are near.
//!
//! All else walks over the bytes several times: to know that they are UTF-8, to know that they are JSON, and to look at what
//! stands there. From memory, each walk takes about as long as the next.

use std::ops::Range;

use super::parse::{Parser, Room};
use super::{Error, Index, Json, Limits, Node};

/// A document of which the list is proved so far. What cannot be proved is left to [`super::parse`], which says why.
#[derive(Debug)]
#[doc(hidden)]
pub struct Listed<'a> {
    parser: Parser<'a>,
    /// For the items, each by itself
    inner: Parser<'a>,
    limits: Limits,
    /// Keys of the outermost object
    keys: Vec<&'a [u8]>,
    has_items: bool,
    /// All of it, once it is known to be UTF-8
    text: Option<&'a str>,
}

/// An object with more keys than this beside its list is nothing that anyone sends.
const MANY: usize = 64;

/// It is no such document, or it cannot be proved in this way.
#[derive(Debug)]
#[doc(hidden)]
pub struct Unproved;

impl From<Error> for Unproved {
    fn from(_: Error) -> Self {
        Self
    }
}

impl<'a> Listed<'a> {
    /// A document that is a list, or an object with a list under `key`.
    #[doc(hidden)]
    pub fn open(input: &'a [u8], key: &str, limits: Limits) -> Result<Self, Unproved> {
        let parser = Parser::within(input, Room::default())?;
        let inner = Parser::within(input, Room::default())?;
        let mut listed = Self { parser, inner, limits, keys: Vec::new(), has_items: false, text: None };
        if listed.parser.peek()? == b'{' {
            listed.parser.enter(limits)?;
            listed.parser.skip_white_space();
            while listed.key()? != key.as_bytes() {
                listed.member()?;
                if listed.parser.peek()? != b',' {
                    return Err(Unproved);
                }
                listed.parser.at += 1;
                listed.parser.skip_white_space();
            }
        }
        if listed.parser.peek()? != b'[' {
            return Err(Unproved);
        }
        listed.parser.enter(limits)?;
        text_of(&input[..listed.parser.at])?;
        Ok(listed)
    }

    /// The next item as a document of its own; `None` behind the last one. It counts once it is kept.
    #[doc(hidden)]
    pub fn item(&mut self) -> Result<Option<Json<'a>>, Unproved> {
        let parser = &mut self.parser;
        parser.skip_white_space();
        match parser.peek()? {
            b']' => return Ok(None),
            b',' if self.has_items => parser.at += 1,
            _ if self.has_items => return Err(Unproved),
            _ => self.has_items = true,
        }
        parser.skip_white_space();
        self.value().map(Some)
    }

    /// Proves at once that all of it is UTF-8, which is asked of each item otherwise: the document needs it in the end.
    #[doc(hidden)]
    pub fn prove_text(&mut self) -> Result<(), Unproved> {
        if self.text.is_none() {
            self.text = Some(text_of(self.parser.bytes)?);
        }
        Ok(())
    }

    /// The number that the next item that is kept has in the document.
    #[doc(hidden)]
    pub fn next(&self) -> u32 {
        self.parser.index.nodes.len() as u32
    }

    /// Keeps the item that was proved last. `has_each_key_once` says that no key stands twice in any object of it.
    #[doc(hidden)]
    pub fn keep(&mut self, item: Json<'a>, has_each_key_once: bool) {
        let base = self.next();
        let start = self.place(&item).start as u32;
        let (own, index) = (&mut self.parser.index, item.index);
        own.nodes.extend(index.nodes.iter().map(|node| Node {
            start: node.start + start,
            end: node.end + start,
            next: node.next + base,
        }));
        if !has_each_key_once {
            own.doubts.extend(index.doubts.iter().map(|value| value + base));
        }
        own.respelled.extend(index.respelled.iter().map(|value| value + base));
        self.inner.index = index;
    }

    /// Keeps nothing of the item that was proved last.
    #[doc(hidden)]
    pub fn drop(&mut self, item: Json<'a>) {
        self.inner.index = item.index;
    }

    /// Where the item that was proved last stands.
    #[doc(hidden)]
    pub fn place(&self, item: &Json<'a>) -> Range<usize> {
        self.parser.at - item.text.len()..self.parser.at
    }

    /// Forgets what these items hold, which follow each other: they become empty. Linear in what was kept since.
    #[doc(hidden)]
    pub fn fold(&mut self, first: u32, items: usize) {
        self.parser.index.fold(first, items);
    }

    /// Proves what stands behind the list, which ends here.
    #[doc(hidden)]
    pub fn close(mut self) -> Result<Proved<'a>, Unproved> {
        let behind = self.parser.at;
        self.parser.close();
        self.parser.skip_white_space();
        while !self.parser.open.is_empty() {
            match self.parser.peek()? {
                b'}' => {
                    self.parser.close();
                    self.parser.skip_white_space();
                }
                b',' => {
                    self.parser.at += 1;
                    self.parser.skip_white_space();
                    self.key()?;
                    self.member()?;
                }
                _ => return Err(Unproved),
            }
        }
        let (text, Parser { bytes, at, mut index, .. }) = (self.text, self.parser);
        index.names.add_all(&self.inner.index.names);
        if at < bytes.len() {
            return Err(Unproved);
        }
        text_of(&bytes[behind..])?;
        // Its keys were compared.
        index.doubts.retain(|object| *object > 0);
        Ok(Proved { bytes, text, index })
    }

    /// A key of the outermost object, which may not stand there twice; its value comes next.
    fn key(&mut self) -> Result<&'a [u8], Unproved> {
        let start = self.parser.at + 1;
        // An empty object has none here.
        self.parser.key()?;
        let end = memchr::memchr2(b'"', b'\\', &self.parser.bytes[start..]).map_or(start, |length| start + length);
        let key = &self.parser.bytes[start..end];
        if self.parser.bytes[end] == b'\\' || self.keys.len() == MANY || self.keys.contains(&key) {
            return Err(Unproved);
        }
        self.keys.push(key);
        self.parser.skip_white_space();
        Ok(key)
    }

    /// Keeps a value beside the list.
    fn member(&mut self) -> Result<(), Unproved> {
        let value = self.value()?;
        if value.holds_a_key_twice() {
            return Err(Unproved);
        }
        self.keep(value, true);
        self.parser.skip_white_space();
        Ok(())
    }

    /// The value that begins here.
    fn value(&mut self) -> Result<Json<'a>, Unproved> {
        let (parser, inner) = (&mut self.parser, &mut self.inner);
        let max_depth = self.limits.max_depth.saturating_sub(parser.open.len());
        inner.restart(&parser.bytes[parser.at..])?;
        inner.document(Limits { max_depth })?;
        let text = match self.text {
            Some(text) => text.get(parser.at..parser.at + inner.at).ok_or(Unproved)?,
            None => text_of(&inner.bytes[..inner.at])?,
        };
        if inner.index.lone_surrogates {
            return Err(Unproved);
        }
        parser.at += inner.at;
        Ok(Json::of(text, std::mem::take(&mut inner.index), false))
    }
}

/// A document that is proved to the end.
#[derive(Debug)]
#[doc(hidden)]
pub struct Proved<'a> {
    bytes: &'a [u8],
    text: Option<&'a str>,
    index: Index,
}

impl<'a> Proved<'a> {
    /// The document.
    #[doc(hidden)]
    pub fn into_json(self) -> Result<Json<'a>, Unproved> {
        let text = self.text.map_or_else(|| text_of(self.bytes), Ok)?;
        Ok(Json::of(text, self.index, false))
    }

    /// Returns false if no object of the document has this key.
    #[doc(hidden)]
    pub fn may_hold(&self, key: &str) -> bool {
        self.index.names.may_hold(super::names::digest(key.as_bytes()))
    }
}

fn text_of(bytes: &[u8]) -> Result<&str, Unproved> {
    simdutf8::basic::from_utf8(bytes).map_err(|_| Unproved)
}
