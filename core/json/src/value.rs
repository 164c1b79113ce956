//! A view of one value of a parsed text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::doubled::doubled_in;
use super::text::decodes_to;
use super::{Json, PointerCursor, Words, decode};

/// What a value is.
///
/// ```
/// use wirecanon_json::{Json, Kind, Limits};
///
/// let json = Json::parse("[1, null]", &Limits::default())?;
/// let kinds: Vec<_> = json.root().items().map(|item| item.kind()).collect();
/// assert_eq!(kinds, [Kind::Number, Kind::Null]);
/// assert_eq!(Kind::Number.name(), "a number");
/// # Ok::<(), wirecanon_json::Error>(())
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
    ///
    /// ```
    /// use wirecanon_json::Kind;
    ///
    /// assert_eq!(format!("not {}", Kind::Object.name()), "not an object");
    /// ```
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
/// use wirecanon_json::{Json, Kind, Limits, Value, resolve};
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
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    pub(super) json: &'a Json<'a>,
    pub(super) index: u32,
}

impl<'a> Value<'a> {
    pub(super) fn new(json: &'a Json<'a>, index: u32) -> Self {
        Self { json, index }
    }

    /// Its number in document order, a stable handle for [`Json::value`].
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"id":"c1"}"#, &Limits::default())?;
    /// let indices: Vec<_> = json.root().members().map(|(key, value)| (key.index(), value.index())).collect();
    /// assert_eq!((json.root().index(), indices), (0, vec![(1, 2)]));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn index(self) -> u32 {
        self.index
    }

    /// The text it belongs to.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse("[1, 2]", &Limits::default())?;
    /// assert!(json.root().items().all(|item| item.json().text() == "[1, 2]"));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn json(self) -> &'a Json<'a> {
        self.json
    }

    /// Where it stands in the text, in bytes.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"["a cat"]"#, &Limits::default())?;
    /// assert_eq!(json.root().items().next().map(|item| item.span()), Some(1..8));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn span(self) -> Range<usize> {
        let node = self.json.node(self.index);
        node.start as usize..node.end as usize
    }

    /// Its exact JSON text.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"price":1.50}"#, &Limits::default())?;
    /// assert_eq!(json.root().get("price").map(|price| price.raw()), Some("1.50"));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn raw(self) -> &'a str {
        &self.json.text()[self.span()]
    }

    /// The same as bytes. That it ends between two characters is not looked at, so what stands far behind its begin is not
    /// fetched.
    #[doc(hidden)]
    pub fn bytes(self) -> &'a [u8] {
        &self.json.text().as_bytes()[self.span()]
    }

    /// What it is.
    ///
    /// ```
    /// use wirecanon_json::{Json, Kind, Limits};
    ///
    /// let json = Json::parse(r#"{"content":null}"#, &Limits::default())?;
    /// assert_eq!(json.root().get("content").map(|content| content.kind()), Some(Kind::Null));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
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
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// assert!(Json::parse(r#"{"at":"a.png"}"#, &Limits::default())?.root().is_object());
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// Whether it is an array.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits, parse_lines};
    ///
    /// assert!(Json::parse("[]", &Limits::default())?.root().is_array());
    /// assert!(parse_lines("{}\n{}", &Limits::default())?.root().is_array(), "of the lines");
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// Whether it is a string.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// assert!(Json::parse(r#""{\"at\":1}""#, &Limits::default())?.root().is_string(), "whatever stands in it");
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn is_string(self) -> bool {
        self.kind() == Kind::String
    }

    /// Whether it is `null`.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"role":"assistant","content":null}"#, &Limits::default())?;
    /// assert!(json.root().get("content").is_some_and(|content| content.is_null()));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The decoded string, or `None` for anything else. Lone surrogates read as U+FFFD.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"["a\u0020cat", "\ud83d", 7]"#, &Limits::default())?;
    /// let texts: Vec<_> = json.root().items().map(|item| item.as_str()).collect();
    /// assert_eq!(texts, [Some("a cat".into()), Some("\u{FFFD}".into()), None]);
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        self.is_string().then(|| decode(self.inner()))
    }

    /// The string, in the spelling that it has until somebody asks for its words; `None` for anything else.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#""two\nlines""#, &Limits::default())?;
    /// assert!(json.root().words().is_some_and(|words| words == "two\nlines"));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn words(self) -> Option<Words<'a>> {
        let is_respelled = || self.json.index.respelled.binary_search(&self.index).is_ok();
        self.is_string()
            .then(|| if is_respelled() { decode(self.inner()).into() } else { Words::spelled(self.inner()) })
    }

    /// Whether it is exactly this string. Takes no longer than `text` is long.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"["tool_use", "tool\u005fuse"]"#, &Limits::default())?;
    /// assert!(json.root().items().all(|item| item.is_str("tool_use")));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
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
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"is_error":true,"isError":"true"}"#, &Limits::default())?;
    /// assert_eq!(json.root().get("is_error").and_then(|flag| flag.as_bool()), Some(true));
    /// assert_eq!(json.root().get("isError").and_then(|flag| flag.as_bool()), None);
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// The number as the nearest double, or `None` for anything else. Use [`Value::raw`] for the digits.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse("9007199254740993", &Limits::default())?;
    /// assert_eq!(json.root().as_f64(), Some(9_007_199_254_740_992.0));
    /// assert_eq!(json.root().raw(), "9007199254740993");
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn as_f64(self) -> Option<f64> {
        if self.kind() == Kind::Number { self.raw().parse().ok() } else { None }
    }

    /// Whether it is an object in which a key may stand twice, or holds an escape.
    #[inline]
    #[doc(hidden)]
    pub fn is_in_doubt(self) -> bool {
        !self.json.index.doubts.is_empty() && self.json.index.doubts.binary_search(&self.index).is_ok()
    }

    /// The inside of a string value, still escaped.
    fn inner(self) -> &'a str {
        let raw = self.raw();
        &raw[1..raw.len() - 1]
    }

    /// The member with this key; the last one where the key stands twice, as every JSON parser in use decides.
    /// Linear in the number of members. `None` for anything but an object.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"role":"user","role":"system"}"#, &Limits::default())?;
    /// assert!(json.root().get("role").is_some_and(|role| role.is_str("system")));
    /// assert!(json.root().get("content").is_none());
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    #[inline]
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        if self.json.may_hold(key) { self.find(key) } else { None }
    }

    fn find(self, key: &str) -> Option<Value<'a>> {
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

    /// The members with these keys, spelled with their quotes as they stand in the text, if the object has no others and none
    /// twice.
    #[expect(clippy::inline_always, reason = "keys that are known when it is built are compared without a call")]
    #[inline(always)]
    #[doc(hidden)]
    pub fn only<const N: usize>(self, keys: [&str; N]) -> Option<[Option<Self>; N]> {
        if !self.is_object() {
            return None;
        }
        let mut found = [None; N];
        for (key, value) in self.members() {
            let at = keys.iter().position(|known| key.bytes() == known.as_bytes())?;
            if found[at].replace(value).is_some() {
                return None;
            }
        }
        Some(found)
    }

    /// What an id or a name is nearly always: a string without escapes, and without white space around it.
    #[doc(hidden)]
    pub fn word(self) -> Option<&'a str> {
        if !self.is_string() {
            return None;
        }
        let word = self.inner();
        let (first, last) = (word.as_bytes().first()?, word.as_bytes().last()?);
        let is_trimmed = first.is_ascii_graphic() && last.is_ascii_graphic();
        (is_trimmed && memchr::memchr(b'\\', word.as_bytes()).is_none()).then_some(word)
    }

    /// The members in order, each as its key and value. Empty for anything but an object.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"role":"user","content":"hi"}"#, &Limits::default())?;
    /// let keys: Vec<_> = json.root().members().filter_map(|(key, _)| key.as_str()).collect();
    /// assert_eq!(keys, ["role", "content"]);
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn members(self) -> Members<'a> {
        let end = if self.is_object() { self.json.node(self.index).next } else { self.index + 1 };
        Members { json: self.json, at: self.index + 1, end }
    }

    /// The members in order, each with its name. In an object in which no key stands twice, nor holds an escape, which is
    /// nearly every one, names are compared as they stand.
    #[inline]
    #[doc(hidden)]
    pub fn named_members(self) -> impl Iterator<Item = (Name<'a>, Value<'a>)> {
        let is_plain = !self.is_in_doubt();
        self.members().map(move |(key, value)| {
            let span = key.span();
            let plain = is_plain.then(|| &key.json.text().as_bytes()[span.start + 1..span.end - 1]);
            (Name { key, plain }, value)
        })
    }

    /// The members whose key does not come again in the same object, in order, each with its name. Linear in their number.
    #[doc(hidden)]
    pub fn counting_members(self) -> impl Iterator<Item = (Name<'a>, Value<'a>)> {
        let gone: Option<HashSet<u32>> =
            self.is_in_doubt().then(|| doubled_in(self).into_iter().map(|double| double.key).collect());
        self.named_members().filter(move |(key, _)| gone.as_ref().is_none_or(|gone| !gone.contains(&key.key.index)))
    }

    /// The items in order. Empty for anything but an array.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"[{"role":"user"},{"role":"assistant"}]"#, &Limits::default())?;
    /// let roles: Vec<_> = json.root().items().filter_map(|message| message.get("role")?.as_str()).collect();
    /// assert_eq!(roles, ["user", "assistant"]);
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn items(self) -> Items<'a> {
        let end = if self.is_array() { self.json.node(self.index).next } else { self.index + 1 };
        Items { json: self.json, at: self.index + 1, end }
    }

    /// The index after this value and all that it holds.
    fn next(self) -> u32 {
        self.json.node(self.index).next
    }

    /// Its JSON Pointer (RFC 6901). Linear in what stands before it; use a [`PointerCursor`] for many.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    ///
    /// let json = Json::parse(r#"{"messages":[{"role":"user"}]}"#, &Limits::default())?;
    /// let message = json.root().get("messages").and_then(|list| list.items().next());
    /// assert_eq!(message.map(|message| message.pointer()).as_deref(), Some("/messages/0"));
    /// # Ok::<(), wirecanon_json::Error>(())
    /// ```
    pub fn pointer(self) -> String {
        PointerCursor::default().pointer(self)
    }
}

/// The name of a member.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Name<'a> {
    key: Value<'a>,
    /// The bytes between its quotes, where they are what it is
    plain: Option<&'a [u8]>,
}

impl<'a> Name<'a> {
    /// Where it stands.
    #[doc(hidden)]
    pub fn value(self) -> Value<'a> {
        self.key
    }

    /// What it is.
    #[doc(hidden)]
    pub fn text(self) -> Cow<'a, str> {
        if self.is_plain() { Cow::Borrowed(self.key.inner()) } else { self.key.as_str().unwrap_or_default() }
    }

    /// Whether it is exactly this one.
    #[inline]
    #[doc(hidden)]
    pub fn is(self, name: &str) -> bool {
        match self.plain {
            Some(plain) => plain == name.as_bytes(),
            None => self.key.is_str(name),
        }
    }

    /// Whether no other member of the object has the same.
    #[doc(hidden)]
    pub fn is_plain(self) -> bool {
        self.plain.is_some()
    }
}

/// Members of an object in order. Made by [`Value::members`].
///
/// ```
/// use wirecanon_json::{Json, Limits};
///
/// let json = Json::parse(r#"{"a":1,"b":2}"#, &Limits::default())?;
/// let members: Vec<_> = json.root().members().map(|(key, value)| (key.raw(), value.raw())).collect();
/// assert_eq!(members, [(r#""a""#, "1"), (r#""b""#, "2")]);
/// # Ok::<(), wirecanon_json::Error>(())
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
/// use wirecanon_json::{Json, Limits};
///
/// let json = Json::parse("[1, [2, 3]]", &Limits::default())?;
/// let items: Vec<_> = json.root().items().map(|item| item.raw()).collect();
/// assert_eq!(items, ["1", "[2, 3]"]);
/// # Ok::<(), wirecanon_json::Error>(())
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
