//! What is to be written, and the printer that writes it.
//!
//! A writer describes a value; the printer lays it over the value that it was read from, where there is one: members and
//! items that stay keep their bytes, their order and the white space around them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use crate::read::call::is_marker;
use crate::read::fields::MARKERS;
use wirecanon_json::{Json, Value, Words, mend_surrogates, on_one_line, pointer_step, push_number, quote_into};
use wirecanon_model::target;
use wirecanon_model::transcript::Block;

/// A value to be written.
pub(crate) enum Out<'w> {
    /// JSON text that is copied as it is
    Raw(&'w str),
    /// JSON text that was made
    Text(Cow<'w, str>),
    /// A string
    Str(Cow<'w, str>),
    /// A string in the spelling that it has
    Words(&'w Words<'w>),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
    /// A list, laid over the one it was read from
    List(Vec<Out<'w>>, Option<Value<'w>>),
    /// Several values of the list of messages: a turn that its dialect spreads over items
    Many(Vec<Out<'w>>),
    /// An object, laid over the one it was read from
    Object(Object<'w>),
    /// Something that the report may ask the place of. A string in it is spelled anew, wherever it was read from
    About(u32, Box<Out<'w>>),
}

impl<'w> Out<'w> {
    /// The words of a block; none where it is no text.
    pub(crate) fn words(block: &'w Block<'_>) -> Self {
        block.words().map_or(Self::Str(Cow::Borrowed("")), Self::Words)
    }
}

impl<'w> From<&'w Words<'_>> for Out<'w> {
    fn from(words: &'w Words<'_>) -> Self {
        Self::Words(words)
    }
}

impl<'w> From<Cow<'w, str>> for Out<'w> {
    fn from(text: Cow<'w, str>) -> Self {
        Self::Str(text)
    }
}

impl<'w> From<&'w str> for Out<'w> {
    fn from(text: &'w str) -> Self {
        Self::Str(Cow::Borrowed(text))
    }
}

impl<'w> From<Object<'w>> for Out<'w> {
    fn from(object: Object<'w>) -> Self {
        Self::Object(object)
    }
}

impl From<String> for Out<'_> {
    fn from(text: String) -> Self {
        Self::Str(Cow::Owned(text))
    }
}

/// An object to be written.
pub(crate) struct Object<'w> {
    pub(crate) fields: Vec<(&'w str, Out<'w>)>,
    over: Option<Box<Over<'w>>>,
}

/// What an object is laid over. Most are laid over nothing, and stay small.
struct Over<'w> {
    /// What the object was read from: its other members stay
    like: Value<'w>,
    /// Members of `like` that go unless they are among those that are written
    drop: fn(&str) -> bool,
    /// Further members of `like` that go
    gone: Vec<&'w str>,
    /// Members that the target takes, where it takes no others
    only: Option<&'w [String]>,
}

/// Most objects have no more members than this.
const FIELDS: usize = 4;

impl Over<'_> {
    /// Whether a member of `like` that is not written anew goes.
    fn goes(&self, name: &str) -> bool {
        (self.drop)(name)
            || self.only.is_some_and(|only| only.iter().all(|known| *known != name))
            || self.gone.contains(&name)
    }
}

impl<'w> Object<'w> {
    pub(crate) fn new() -> Self {
        Self { fields: Vec::with_capacity(FIELDS), over: None }
    }

    pub(crate) fn like(like: Option<Value<'w>>, drop: fn(&str) -> bool) -> Self {
        let like = like.filter(|value| value.is_object());
        Self {
            fields: Vec::with_capacity(FIELDS),
            over: like.map(|like| Box::new(Over { like, drop, gone: Vec::new(), only: None })),
        }
    }

    /// What it was read from, and is laid over.
    pub(crate) fn had(&self) -> Option<Value<'w>> {
        self.over.as_ref().map(|over| over.like)
    }

    /// Leaves out these members of what it is laid over, unless they are written.
    pub(crate) fn leave(&mut self, names: impl IntoIterator<Item = &'w str>) {
        if let Some(over) = &mut self.over {
            over.gone.extend(names);
        }
    }

    /// Leaves out what says in `like` that a call was cut off while it streamed. A mark that says no stays.
    pub(crate) fn finished(mut self) -> Self {
        let marks = self.had().into_iter().flat_map(Value::members).filter(|(key, value)| is_marker(*key, *value));
        let marks: Vec<_> =
            marks.filter_map(|(key, _)| MARKERS.iter().find(|mark| key.is_str(mark))).copied().collect();
        self.leave(marks);
        self
    }

    /// Leaves out members of `like` that were read as another.
    pub(crate) fn without(mut self, keys: impl Iterator<Item = &'static str>) -> Self {
        self.leave(keys.map(|key| key as &'w str));
        self
    }

    /// Takes no member of `like` but those that the target lists for this holder, if it lists any.
    pub(crate) fn closed(mut self, target: &'w target::Target, holder: &str) -> Self {
        if let Some(over) = &mut self.over {
            over.only = target.fields.get(holder).map(Vec::as_slice);
        }
        self
    }

    /// A new object that says its type first.
    pub(crate) fn typed(kind: impl Into<Out<'w>>) -> Self {
        Self::new().with("type", kind)
    }

    /// The object with this field.
    pub(crate) fn with(mut self, key: &'w str, value: impl Into<Out<'w>>) -> Self {
        self.set(key, value.into());
        self
    }

    /// The object with this field, if there is a value for it.
    pub(crate) fn with_some(self, key: &'w str, value: Option<impl Into<Out<'w>>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Sets a field, if there is a value for it.
    pub(crate) fn set_some(&mut self, key: &'w str, value: Option<impl Into<Out<'w>>>) {
        if let Some(value) = value {
            self.set(key, value.into());
        }
    }

    /// The same of a value that is JSON text.
    pub(crate) fn set_json(&mut self, key: &'w str, value: Option<&'w str>) {
        self.set_some(key, value.map(|text| Out::Text(Cow::Borrowed(text))));
    }

    pub(crate) fn set(&mut self, key: &'w str, value: Out<'w>) {
        self.fields.push((key, value));
    }

    /// Adds those of the fields that the object does not have. Linear in the fields.
    pub(crate) fn set_missing(&mut self, fields: impl IntoIterator<Item = (&'w str, Out<'w>)>) {
        // More than this are looked up, fewer are compared with each other.
        const FEW: usize = 16;
        let mut known: Option<HashSet<&'w str>> = None;
        for (key, value) in fields {
            let is_known = match &mut known {
                Some(known) => !known.insert(key),
                None => self.fields.iter().any(|(known, _)| *known == key),
            };
            if is_known {
                continue;
            }
            self.set(key, value);
            if known.is_none() && self.fields.len() > FEW {
                known = Some(self.fields.iter().map(|(key, _)| *key).collect());
            }
        }
    }

    pub(crate) fn str(&mut self, key: &'static str, value: impl Into<Out<'w>>) {
        self.set(key, value.into());
    }

    pub(crate) fn out(self) -> Out<'w> {
        Out::Object(self)
    }
}

/// The messages and blocks that the report asks the places of, by their numbers.
pub(crate) struct Wanted(Vec<bool>);

/// No report asks.
pub(crate) static NOTHING: Wanted = Wanted(Vec::new());

impl Wanted {
    /// Whether this one is among them.
    pub(crate) fn has(&self, id: u32) -> bool {
        self.0.get(id as usize).is_some_and(|wanted| *wanted)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<u32> for Wanted {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        let mut wanted = Vec::new();
        for id in ids {
            let id = id as usize;
            if wanted.len() <= id {
                wanted.resize(id + 1, false);
            }
            wanted[id] = true;
        }
        Self(wanted)
    }
}

/// JSON Pointers of what the report asks for, by number.
#[derive(Default)]
pub(crate) struct Places(Vec<Option<Box<str>>>);

impl Places {
    pub(crate) fn get(&self, id: u32) -> Option<&str> {
        self.0.get(id as usize)?.as_deref()
    }

    pub(crate) fn put(&mut self, id: u32, place: &str) {
        let id = id as usize;
        if self.0.len() <= id {
            self.0.resize(id + 1, None);
        }
        self.0[id] = Some(place.into());
    }
}

/// Writes values one after the other and notes where the report's parts ended up.
pub(crate) struct Printer<'w> {
    source: &'w str,
    text: String,
    /// The part of the source that was copied last, which may go on
    last: Range<usize>,
    /// Parts of the source that are longer than this stay where they are
    in_pieces: Option<usize>,
    pieces: Vec<Piece>,
    /// Where the printer is, while the report asks for places
    path: String,
    pub(crate) places: Places,
    wanted: &'w Wanted,
    /// Half surrogate pairs in copied text become U+FFFD
    mend: bool,
    /// Whether what is written goes on one line; known once it was asked
    one_line: OnceCell<bool>,
}

/// A part of the source that was not copied.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Bytes of what was made in front of it
    pub(crate) behind: usize,
    pub(crate) span: Range<usize>,
}

impl<'w> Printer<'w> {
    /// The room is reserved at once: pages that stay untouched cost nothing, and a text that grows by doubling is held twice
    /// while it moves.
    pub(crate) fn new(json: &Json<'w>, room: usize, wanted: &'w Wanted) -> Self {
        Self {
            source: json.text(),
            text: String::with_capacity(room),
            last: 0..0,
            in_pieces: None,
            pieces: Vec::new(),
            path: String::new(),
            places: Places::default(),
            wanted,
            mend: json.has_lone_surrogates(),
            one_line: OnceCell::from(false),
        }
    }

    /// Leaves parts of the source that are longer than this where they are, unless something in them must be mended.
    pub(crate) fn in_pieces(mut self, longest_copy: usize) -> Self {
        self.in_pieces = (!self.mend).then_some(longest_copy);
        self
    }

    /// Puts all that is written on one line, where the source stands on one, or is lines.
    pub(crate) fn on_as_many_lines(mut self, lines: bool) -> Self {
        self.one_line = if lines { OnceCell::from(true) } else { OnceCell::new() };
        self
    }

    /// Mends half surrogate pairs, whether the source has some or not.
    pub(crate) fn mending(mut self) -> Self {
        self.mend = true;
        self
    }

    /// What was written.
    pub(crate) fn finish(mut self) -> (String, Vec<Piece>, Places) {
        self.settle();
        (self.text, self.pieces, self.places)
    }

    /// Copies a part of the source.
    pub(crate) fn copy_of_source(&mut self, part: Range<usize>) {
        if self.last.end == part.start && !self.last.is_empty() {
            self.last.end = part.end;
        } else {
            self.settle();
            self.last = part;
        }
    }

    /// The part of the source that was copied last does not go on.
    fn settle(&mut self) {
        let part = std::mem::take(&mut self.last);
        if part.is_empty() {
            return;
        }
        if self.in_pieces.is_some_and(|longest_copy| part.len() > longest_copy) {
            self.pieces.push(Piece { behind: self.text.len(), span: part });
        } else {
            self.copy(&self.source[part]);
        }
    }

    /// Writes what needs no escapes.
    pub(crate) fn push(&mut self, text: &str) {
        self.settle();
        self.text.push_str(text);
    }

    /// Writes a string.
    pub(crate) fn push_string(&mut self, text: &str) {
        self.settle();
        quote_into(&mut self.text, text);
    }

    /// Whether the report asks for the place of this part.
    pub(crate) fn wants(&self, id: u32) -> bool {
        self.wanted.has(id)
    }

    /// Copies JSON text.
    fn copy(&mut self, raw: &str) {
        if self.mend {
            self.text.push_str(&mend_surrogates(raw));
        } else {
            self.text.push_str(raw);
        }
    }

    /// Copies JSON text that stands anywhere in another.
    fn value(&mut self, raw: &str) {
        let folded = on_one_line(raw);
        // A document on one line may be one of many in a file, whose next reader would take a line break for the end of it
        // (OpenHands/software-agent-sdk#2488).
        let source = self.source;
        let is_one_line = || memchr::memchr(b'\n', source.trim_end().as_bytes()).is_none();
        if matches!(folded, Cow::Owned(_)) && *self.one_line.get_or_init(is_one_line) {
            self.copy(&folded);
        } else {
            self.copy(raw);
        }
    }

    /// Writes a value that stands at this place of the list that this JSON Pointer names.
    pub(crate) fn write_item(&mut self, pointer: &str, place: usize, out: &Out<'_>) {
        self.settle();
        self.path.clear();
        self.path.push_str(pointer);
        self.item(place, out);
    }

    /// Writes a value that stands at this JSON Pointer.
    pub(crate) fn write_at(&mut self, pointer: &str, out: &Out<'_>) {
        self.settle();
        self.path.clear();
        self.path.push_str(pointer);
        self.write(out);
    }

    fn item(&mut self, place: usize, out: &Out<'_>) {
        if self.wanted.is_empty() {
            return self.write(out);
        }
        let deep = self.path.len();
        self.path.push('/');
        push_number(&mut self.path, place);
        self.write(out);
        self.path.truncate(deep);
    }

    /// Nesting of `out` is the writers' own and small, so this may recurse.
    fn write(&mut self, out: &Out<'_>) {
        match out {
            Out::Raw(raw) => self.value(raw),
            Out::Text(text) => self.value(text),
            Out::Str(text) => quote_into(&mut self.text, text),
            Out::Words(words) => words.quote_into(&mut self.text),
            Out::Bool(flag) => self.text.push_str(if *flag { "true" } else { "false" }),
            Out::Null => self.text.push_str("null"),
            Out::List(items, like) => self.list(items, *like),
            // Only a list takes several values, and it writes each of them by itself.
            Out::Many(items) => items.iter().for_each(|item| self.write(item)),
            Out::Object(object) => self.object(object),
            Out::About(id, inner) => {
                if self.wanted.has(*id) {
                    self.places.put(*id, &self.path);
                }
                self.write(inner);
            }
        }
    }

    fn list(&mut self, items: &[Out<'_>], like: Option<Value<'_>>) {
        let (lead, tail) = like.filter(|like| like.is_array()).map_or(("", ""), margins);
        self.text.push('[');
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            self.text.push_str(lead);
            self.item(at, item);
        }
        if !items.is_empty() {
            self.text.push_str(tail);
        }
        self.text.push(']');
    }

    fn object(&mut self, object: &Object<'_>) {
        let Some(like) = object.had() else { return self.new_object(object) };
        let ((lead, tail), colon) = (margins(like), colon(like));
        // Those fields that stand in `like` are written where they stand there.
        let mut written = vec![false; object.fields.len()];
        let mut first = true;
        self.text.push('{');
        for (key, value) in like.counting_members() {
            let field = object.fields.iter().position(|(name, _)| key.is(name));
            if field.is_none() && object.over.as_ref().is_some_and(|over| over.goes(&key.text())) {
                continue;
            }
            self.comma(&mut first, lead);
            self.copy(key.value().raw());
            self.text.push_str(colon);
            match field {
                None => self.copy(value.raw()),
                Some(field) => {
                    written[field] = true;
                    let (name, out) = &object.fields[field];
                    self.member(name, out, Some(value));
                }
            }
        }
        for (at, (key, value)) in object.fields.iter().enumerate() {
            if written[at] {
                continue;
            }
            self.comma(&mut first, lead);
            quote_into(&mut self.text, key);
            self.text.push_str(colon);
            self.member(key, value, None);
        }
        if !first {
            self.text.push_str(tail);
        }
        self.text.push('}');
    }

    /// Writes an object that is laid over nothing, as most are: a twentieth of a conversion is saved by it.
    fn new_object(&mut self, object: &Object<'_>) {
        self.text.push('{');
        for (at, (key, value)) in object.fields.iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            quote_into(&mut self.text, key);
            self.text.push(':');
            self.member(key, value, None);
        }
        self.text.push('}');
    }

    fn comma(&mut self, first: &mut bool, lead: &str) {
        if !std::mem::take(first) {
            self.text.push(',');
        }
        self.text.push_str(lead);
    }

    fn member(&mut self, key: &str, out: &Out<'_>, source: Option<Value<'_>>) {
        // A string that says the same keeps the spelling it has.
        if let Some(source) = source
            && match out {
                Out::Str(text) => source.is_str(text),
                Out::Words(words) => source.words().is_some_and(|source| source == **words),
                _ => false,
            }
        {
            self.copy(source.raw());
            return;
        }
        if self.wanted.is_empty() {
            return self.write(out);
        }
        let deep = self.path.len();
        self.path.push('/');
        self.path.push_str(&pointer_step(key));
        self.write(out);
        self.path.truncate(deep);
    }
}

/// The white space in front of the first item or member, and behind the last.
pub(crate) fn margins(value: Value<'_>) -> (&str, &str) {
    let raw = value.raw();
    let inside = &raw[1..raw.len() - 1];
    let lead = &inside[..inside.len() - inside.trim_start().len()];
    let tail = &inside[inside.trim_end().len()..];
    if lead.len() == inside.len() { ("", "") } else { (lead, tail) }
}

/// What stands between a key and its value.
fn colon(object: Value<'_>) -> &str {
    let text = object.json().text();
    object.members().next().map_or(":", |(key, value)| &text[key.span().end..value.span().start])
}
