//! A view of one value of a parsed text.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::doubled::doubled_in;
use super::text::{decode_in, decodes_to};
use super::{Json, Words, decode};

/// What a value is.
///
/// ```
/// use wirecanon_core::json::{Json, Kind, Limits};
///
/// let json = Json::parse("[1, null]", &Limits::default())?;
/// let kinds: Vec<_> = json.root().items().map(|item| item.kind()).collect();
/// assert_eq!(kinds, [Kind::Number, Kind::Null]);
/// assert_eq!(Kind::Number.name(), "a number");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, whatever its size
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

impl Kind {
    /// The name with its article, as messages use it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// One value of a [`Json`] text. Two words and cheap to copy; strings borrow from the text unless they hold escapes.
///
/// ```
/// use wirecanon_core::json::{Json, Kind, Limits, Value, resolve};
///
/// let text = r#"{"role": "user", "n": 1.50, "ok": true, "list": [null]}"#;
/// let json = Json::parse(text, &Limits::default())?;
/// let root = json.root();
/// assert!(root.is_object() && root.kind() == Kind::Object && root.members().count() == 4);
/// let get = |key: &str| root.get(key).unwrap();
/// assert_eq!(get("role").as_str().as_deref(), Some("user"));
/// assert!(get("role").is_string() && get("role").is_str("user"));
/// assert!(get("role").words().is_some_and(|words| words == "user"));
/// assert_eq!((get("n").as_f64(), get("n").raw()), (Some(1.5), "1.50"));
/// assert_eq!(get("ok").as_bool(), Some(true));
/// assert!(get("list").is_array() && get("list").items().all(Value::is_null));
/// assert_eq!(get("list").pointer(), "/list");
/// assert_eq!(&text[get("role").span()], r#""user""#);
/// assert_eq!(get("n").json().value(get("n").index()).raw(), "1.50");
/// assert_eq!(resolve(root, "/list/0").map(Value::kind), Some(Kind::Null));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    json: &'a Json<'a>,
    index: u32,
}

impl<'a> Value<'a> {
    pub(super) fn new(json: &'a Json<'a>, index: u32) -> Self {
        Self { json, index }
    }

    /// Its number in document order, a stable handle for [`Json::value`].
    pub fn index(self) -> u32 {
        self.index
    }

    /// The text it belongs to.
    pub fn json(self) -> &'a Json<'a> {
        self.json
    }

    /// Where it stands in the text, in bytes.
    pub fn span(self) -> Range<usize> {
        let node = self.json.node(self.index);
        node.start as usize..node.end as usize
    }

    /// Its exact JSON text.
    pub fn raw(self) -> &'a str {
        &self.json.text()[self.span()]
    }

    /// The same as bytes. That it ends between two characters is not looked at, so what stands far behind its begin is not
    /// fetched.
    pub(crate) fn bytes(self) -> &'a [u8] {
        &self.json.text().as_bytes()[self.span()]
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        if self.index == 0 && self.json.is_lines() {
            return Kind::Array;
        }
        match self.json.text().as_bytes()[self.json.node(self.index).start as usize] {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            b't' | b'f' => Kind::Bool,
            b'n' => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// Whether it is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// Whether it is a string.
    pub fn is_string(self) -> bool {
        self.kind() == Kind::String
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The decoded string, or `None` for anything else. Lone surrogates read as U+FFFD.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        self.is_string().then(|| decode(self.inner()))
    }

    /// The string, in the spelling that it has until somebody asks for its words; `None` for anything else.
    pub fn words(self) -> Option<Words<'a>> {
        let is_respelled = || self.json.index.respelled.binary_search(&self.index).is_ok();
        self.is_string()
            .then(|| if is_respelled() { decode(self.inner()).into() } else { Words::spelled(self.inner()) })
    }

    /// The decoded string as [`Value::as_str`] has it, in a buffer that is used again and again.
    pub(crate) fn str_in<'t>(self, buffer: &'t mut String) -> Option<&'t str>
    where
        'a: 't,
    {
        self.is_string().then(|| decode_in(self.inner(), buffer))
    }

    /// Whether it is exactly this string. Takes no longer than `text` is long.
    pub fn is_str(self, text: &str) -> bool {
        let span = self.span();
        // The lengths alone tell nearly all apart, without a look at the text.
        if span.len() == text.len() + 2 {
            let raw = self.bytes();
            // An escape is longer than what it stands for.
            return &raw[1..raw.len() - 1] == text.as_bytes() && self.is_string() && !text.as_bytes().contains(&b'\\');
        }
        // Six bytes stand for one at most.
        (text.len() + 3..=text.len() * 6 + 2).contains(&span.len()) && self.is_respelled(text)
    }

    /// The same of a string that is longer than its text.
    fn is_respelled(self, text: &str) -> bool {
        let [_, inner @ .., _] = self.bytes() else { return false };
        self.is_string()
            && (inner[0] == text.as_bytes()[0] || inner[0] == b'\\')
            && memchr::memchr(b'\\', inner).is_some()
            && decodes_to(self.inner(), text)
    }

    /// The boolean, or `None` for anything else.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// The number as the nearest double, or `None` for anything else. Use [`Value::raw`] for the digits.
    pub fn as_f64(self) -> Option<f64> {
        if self.kind() == Kind::Number { self.raw().parse().ok() } else { None }
    }

    /// Whether it is an object in which a key may stand twice, or holds an escape.
    #[inline]
    fn is_in_doubt(self) -> bool {
        !self.json.index.doubts.is_empty() && self.json.index.doubts.binary_search(&self.index).is_ok()
    }

    /// The inside of a string value, still escaped.
    fn inner(self) -> &'a str {
        let raw = self.raw();
        &raw[1..raw.len() - 1]
    }

    /// The member with this key; the last one where the key stands twice, as every JSON parser in use decides.
    /// Linear in the number of members. `None` for anything but an object.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        let mut found = None;
        for (name, value) in self.named_members() {
            if name.is(key) {
                found = Some(value);
                if name.is_plain() {
                    break;
                }
            }
        }
        found
    }

    /// The members in order, each as its key and value. Empty for anything but an object.
    pub fn members(self) -> Members<'a> {
        let end = if self.is_object() { self.json.node(self.index).next } else { self.index + 1 };
        Members { json: self.json, at: self.index + 1, end }
    }

    /// The members in order, each with its name. In an object in which no key stands twice, nor holds an escape, which is
    /// nearly every one, names are compared as they stand.
    #[inline]
    pub(crate) fn named_members(self) -> impl Iterator<Item = (Name<'a>, Value<'a>)> {
        let is_plain = !self.is_in_doubt();
        self.members().map(move |(key, value)| {
            let span = key.span();
            let plain = is_plain.then(|| &key.json.text().as_bytes()[span.start + 1..span.end - 1]);
            (Name { key, plain }, value)
        })
    }

    /// The members whose key does not come again in the same object, in order. Linear in their number.
    pub(crate) fn counting_members(self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        let gone: Option<HashSet<u32>> =
            self.is_in_doubt().then(|| doubled_in(self).into_iter().map(|double| double.key).collect());
        self.members().filter(move |(key, _)| gone.as_ref().is_none_or(|gone| !gone.contains(&key.index)))
    }

    /// The items in order. Empty for anything but an array.
    pub fn items(self) -> Items<'a> {
        let end = if self.is_array() { self.json.node(self.index).next } else { self.index + 1 };
        Items { json: self.json, at: self.index + 1, end }
    }

    /// The index after this value and all that it holds.
    fn next(self) -> u32 {
        self.json.node(self.index).next
    }

    /// Its JSON Pointer (RFC 6901). Linear in what stands before it; use a [`PointerCursor`] for many.
    pub fn pointer(self) -> String {
        PointerCursor::default().pointer(self)
    }
}

/// The name of a member.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a> {
    key: Value<'a>,
    /// The bytes between its quotes, where they are what it is
    plain: Option<&'a [u8]>,
}

impl<'a> Name<'a> {
    /// Where it stands.
    pub(crate) fn value(self) -> Value<'a> {
        self.key
    }

    /// Whether it is exactly this one.
    #[inline]
    pub(crate) fn is(self, name: &str) -> bool {
        match self.plain {
            Some(plain) => plain == name.as_bytes(),
            None => self.key.is_str(name),
        }
    }

    /// Whether no other member of the object has the same.
    pub(crate) fn is_plain(self) -> bool {
        self.plain.is_some()
    }
}

/// Members of an object in order. Made by [`Value::members`].
///
/// ```
/// use wirecanon_core::json::{Json, Limits};
///
/// let json = Json::parse(r#"{"a":1,"b":2}"#, &Limits::default())?;
/// let members: Vec<_> = json.root().members().map(|(key, value)| (key.raw(), value.raw())).collect();
/// assert_eq!(members, [(r#""a""#, "1"), (r#""b""#, "2")]);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Members<'a> {
    json: &'a Json<'a>,
    at: u32,
    end: u32,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Value<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let key = Value::new(self.json, self.at);
        let value = Value::new(self.json, self.at + 1);
        self.at = value.next();
        Some((key, value))
    }
}

/// Items of an array in order. Made by [`Value::items`].
///
/// ```
/// use wirecanon_core::json::{Json, Limits};
///
/// let json = Json::parse("[1, [2, 3]]", &Limits::default())?;
/// let items: Vec<_> = json.root().items().map(|item| item.raw()).collect();
/// assert_eq!(items, ["1", "[2, 3]"]);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Items<'a> {
    json: &'a Json<'a>,
    at: u32,
    end: u32,
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let item = Value::new(self.json, self.at);
        self.at = item.next();
        Some(item)
    }
}

/// Finds JSON Pointers of many values: in rising order at one step each, for it remembers, level by level, the child it took
/// last and goes on from there; in any other order at no more steps than twice [`STRIDE`] a level, once a child was passed.
///
/// ```
/// use wirecanon_core::json::{Json, Limits, PointerCursor};
///
/// let json = Json::parse(r#"{"a":[1,2]}"#, &Limits::default())?;
/// let mut cursor = PointerCursor::default();
/// let pointers: Vec<_> = (0..json.len() as u32).map(|index| cursor.pointer(json.value(index))).collect();
/// assert_eq!(pointers, ["", "", "/a", "/a/0", "/a/1"]);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct PointerCursor {
    levels: Vec<Level>,
    /// The pointer that is being written
    out: String,
    /// Of each value that holds many: every so many-th child that was passed, in order
    passed: HashMap<u32, Vec<u32>>,
}

/// Of so many children one is remembered.
const STRIDE: usize = 64;

#[derive(Debug)]
struct Level {
    parent: u32,
    child: u32,
    ordinal: usize,
}

impl PointerCursor {
    /// The JSON Pointer of `value`. A key has the pointer of its object.
    pub fn pointer(&mut self, value: Value<'_>) -> String {
        self.pointer_to(value).to_owned()
    }

    /// The same, until the next one is asked for.
    pub(crate) fn pointer_to(&mut self, value: Value<'_>) -> &str {
        let json = value.json;
        self.out.clear();
        let mut at = 0;
        let mut depth = 0;
        while at != value.index {
            let object = json.value(at).is_object();
            let mut child = at + 1;
            let mut ordinal = 0;
            match self.levels.get(depth) {
                Some(level) if level.parent == at && level.child <= value.index => {
                    child = level.child;
                    ordinal = level.ordinal;
                }
                _ => self.levels.truncate(depth),
            }
            let mut has_leapt = false;
            // In an object `child` is a key; the member ends where its value does.
            loop {
                let holder = if object { child + 1 } else { child };
                let next = json.node(holder).next;
                if value.index < next {
                    break;
                }
                child = next;
                ordinal += 1;
                if ordinal.is_multiple_of(STRIDE) && !has_leapt {
                    let passed = self.passed.entry(at).or_default();
                    if passed.len() < ordinal / STRIDE {
                        passed.push(child);
                        continue;
                    }
                    has_leapt = true;
                    let count = passed.partition_point(|child| *child <= value.index);
                    if count * STRIDE > ordinal {
                        child = passed[count - 1];
                        ordinal = count * STRIDE;
                    }
                }
            }
            let level = Level { parent: at, child, ordinal };
            if depth < self.levels.len() {
                self.levels[depth] = level;
            } else {
                self.levels.push(level);
            }
            depth += 1;
            if object && value.index == child {
                break;
            }
            self.out.push('/');
            if object {
                let key = json.value(child).as_str().unwrap_or_default();
                self.out.push_str(&pointer_step(&key));
                at = child + 1;
            } else {
                push_number(&mut self.out, ordinal);
                at = child;
            }
        }
        &self.out
    }
}

/// Appends a number. Pointers are made of little else, and the machinery of formatting takes ten times as long.
pub(crate) fn push_number(out: &mut String, number: usize) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// A key as a step of a JSON Pointer (RFC 6901), without the slash in front.
///
/// ```
/// use wirecanon_core::json::pointer_step;
///
/// assert_eq!(pointer_step("image/png"), "image~1png");
/// ```
pub fn pointer_step(key: &str) -> Cow<'_, str> {
    if !key.contains(['~', '/']) {
        return Cow::Borrowed(key);
    }
    Cow::Owned(key.replace('~', "~0").replace('/', "~1"))
}

/// The key that a step of a JSON Pointer names.
///
/// ```
/// use wirecanon_core::json::pointer_key;
///
/// assert_eq!(pointer_key("image~1png"), "image/png");
/// ```
pub fn pointer_key(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// The value that a JSON Pointer (RFC 6901) names below `root`, or `None`.
///
/// ```
/// use wirecanon_core::json::{Json, Limits, resolve};
///
/// let json = Json::parse(r#"{"messages":[{"role":"user"}]}"#, &Limits::default())?;
/// assert!(resolve(json.root(), "/messages/0/role").is_some_and(|role| role.is_str("user")));
/// assert!(resolve(json.root(), "/messages/1").is_none());
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub fn resolve<'a>(root: Value<'a>, pointer: &str) -> Option<Value<'a>> {
    if pointer.is_empty() {
        return Some(root);
    }
    let mut at = root;
    for part in pointer.strip_prefix('/')?.split('/') {
        let part = pointer_key(part);
        at = match at.kind() {
            Kind::Object => at.get(&part)?,
            Kind::Array => at.items().nth(part.parse().ok()?)?,
            _ => return None,
        };
    }
    Some(at)
}
