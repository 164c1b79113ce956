//! One schema document: its subschemas by number, and where references lead.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::error::{Error, Fault};

/// A subschema, by number; smaller ones were met earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Sid(u32);

/// A schema document.
pub(super) struct Document<'a> {
    root: &'a Value,
    draft7: bool,
    id: Option<&'a str>,
    anchors: HashMap<&'a str, String>,
    schemas: Vec<(String, &'a Value)>,
    numbers: HashMap<String, Sid>,
    /// Schemas of which it is known that they do not lead back to themselves in place
    straight: HashSet<Sid>,
}

/// Keywords whose schemas speak of the same value as the schema that they stand in.
const IN_PLACE: [&str; 9] = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// Keywords that assert or apply and that no plan is made of.
const REFUSED: [(&str, &str); 4] = [
    ("$dynamicRef", "dynamic references are not taken; use `$ref`"),
    ("$recursiveRef", "recursive references of 2019-09 are not taken; use `$ref`"),
    ("$dynamicAnchor", "dynamic anchors are not taken; use `$anchor`"),
    // But for the whole.
    ("$id", "a schema inside another one is not taken; name it by `$anchor`"),
];

impl<'a> Document<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        let text = |key: &str| root.get(key).and_then(Value::as_str);
        let mut anchors = HashMap::new();
        let mut open = vec![(String::new(), root)];
        while let Some((pointer, value)) = open.pop() {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(anchor)) = members.get("$anchor") {
                        anchors.entry(&anchor[..]).or_insert_with(|| pointer.clone());
                    }
                    open.extend(members.iter().map(|(key, value)| (child(&pointer, key), value)));
                }
                Value::Array(items) => {
                    open.extend(items.iter().enumerate().map(|(index, value)| (format!("{pointer}/{index}"), value)));
                }
                _ => {}
            }
        }
        Self {
            root,
            draft7: text("$schema").is_some_and(|dialect| dialect.contains("draft-07") || dialect.contains("draft-06")),
            id: text("$id").map(|id| id.trim_end_matches('#')),
            anchors,
            schemas: Vec::new(),
            numbers: HashMap::new(),
            straight: HashSet::new(),
        }
    }

    /// Whether `sid` says what it says without leading back to itself.
    pub(super) fn check_straight(&mut self, sid: Sid) -> Result<(), Error> {
        // The way here, and the schemas next to be gone to from each step of it.
        let mut way: Vec<(Sid, Vec<Sid>)> = Vec::new();
        let mut next = Some(sid);
        let mut on_the_way = HashSet::new();
        loop {
            match next.take() {
                Some(at) if on_the_way.contains(&at) => {
                    let keyword = self.in_place(at)?.0;
                    return Err(self.error(at, keyword, Fault::Circle));
                }
                Some(at) if self.straight.contains(&at) => {}
                Some(at) => {
                    on_the_way.insert(at);
                    way.push((at, self.in_place(at)?.1));
                }
                None => {
                    let Some((done, _)) = way.pop() else { return Ok(()) };
                    on_the_way.remove(&done);
                    self.straight.insert(done);
                }
            }
            next = way.last_mut().and_then(|(_, open)| open.pop());
            if next.is_none() && way.is_empty() {
                return Ok(());
            }
        }
    }

    /// The schemas that `sid` applies in place, and the keyword that names the first.
    fn in_place(&mut self, sid: Sid) -> Result<(&'static str, Vec<Sid>), Error> {
        let mut out = Vec::new();
        let mut first = "";
        let alone = self.draft7 && self.get(sid, "$ref").is_some();
        for keyword in IN_PLACE.into_iter().filter(|keyword| !alone || *keyword == "$ref") {
            match keyword {
                "$ref" => out.extend(self.target(sid)?),
                "allOf" | "anyOf" | "oneOf" => out.extend(self.each(sid, keyword)?.unwrap_or_default()),
                "dependentSchemas" => {
                    for name in self.names(sid, keyword)? {
                        out.extend(self.named(sid, keyword, name)?);
                    }
                }
                // Without `if` they say nothing.
                "then" | "else" if self.get(sid, "if").is_none() => {}
                _ => out.extend(self.under(sid, keyword)?),
            }
            if first.is_empty() && !out.is_empty() {
                first = keyword;
            }
        }
        Ok((first, out))
    }

    /// Whether keywords beside a `$ref` say nothing, and `items` may be a list.
    pub(super) fn draft7(&self) -> bool {
        self.draft7
    }

    /// The number of the schema at `pointer`.
    pub(super) fn number(&mut self, pointer: String, value: &'a Value) -> Result<Sid, Error> {
        if let Some(sid) = self.numbers.get(&pointer) {
            return Ok(*sid);
        }
        match value {
            Value::Bool(_) => {}
            Value::Object(members) => {
                let refused = REFUSED
                    .iter()
                    .find(|(keyword, _)| members.contains_key(*keyword) && (*keyword != "$id" || !pointer.is_empty()));
                if let Some((keyword, why)) = refused {
                    return Err(Error::new(&pointer, keyword, Fault::Unsupported(why)));
                }
            }
            _ => {
                let fault = Fault::NotASchema("neither an object nor a boolean".to_owned());
                return Err(Error::new(&pointer, "", fault));
            }
        }
        let sid = Sid(self.schemas.len() as u32);
        self.numbers.insert(pointer.clone(), sid);
        self.schemas.push((pointer, value));
        Ok(sid)
    }

    pub(super) fn root(&mut self) -> Result<Sid, Error> {
        self.number(String::new(), self.root)
    }

    pub(super) fn pointer(&self, sid: Sid) -> &str {
        &self.schemas[sid.0 as usize].0
    }

    /// The keywords of a schema; none for the boolean ones.
    pub(super) fn keywords(&self, sid: Sid) -> Option<&'a Map<String, Value>> {
        self.schemas[sid.0 as usize].1.as_object()
    }

    pub(super) fn is_false(&self, sid: Sid) -> bool {
        self.schemas[sid.0 as usize].1 == &Value::Bool(false)
    }

    pub(super) fn get(&self, sid: Sid, keyword: &str) -> Option<&'a Value> {
        self.keywords(sid)?.get(keyword)
    }

    /// The subschema under `keyword`.
    pub(super) fn under(&mut self, sid: Sid, keyword: &str) -> Result<Option<Sid>, Error> {
        let Some(value) = self.get(sid, keyword) else { return Ok(None) };
        let pointer = child(self.pointer(sid), keyword);
        self.number(pointer, value).map(Some)
    }

    /// The subschemas in the list under `keyword`.
    pub(super) fn each(&mut self, sid: Sid, keyword: &str) -> Result<Option<Vec<Sid>>, Error> {
        if self.get(sid, keyword).is_none() {
            return Ok(None);
        }
        let numbers = (0..self.length(sid, keyword)?).map(|index| self.nth(sid, keyword, index));
        numbers.collect::<Result<Option<_>, _>>()
    }

    /// The subschema at `index` in the list under `keyword`.
    pub(super) fn nth(&mut self, sid: Sid, keyword: &str, index: usize) -> Result<Option<Sid>, Error> {
        let Some(value) = self.get(sid, keyword).and_then(|list| list.get(index)) else { return Ok(None) };
        let pointer = format!("{}/{index}", child(self.pointer(sid), keyword));
        self.number(pointer, value).map(Some)
    }

    /// How many subschemas there are in the list under `keyword`.
    pub(super) fn length(&self, sid: Sid, keyword: &str) -> Result<usize, Error> {
        match self.get(sid, keyword) {
            None => Ok(0),
            Some(Value::Array(items)) => Ok(items.len()),
            Some(_) => Err(self.malformed(sid, keyword, "a list of schemas")),
        }
    }

    /// The subschema for `name` in the map under `keyword`.
    pub(super) fn named(&mut self, sid: Sid, keyword: &str, name: &str) -> Result<Option<Sid>, Error> {
        let Some(value) = self.get(sid, keyword).and_then(|map| map.get(name)) else { return Ok(None) };
        let pointer = child(&child(self.pointer(sid), keyword), name);
        self.number(pointer, value).map(Some)
    }

    /// The names in the map under `keyword`.
    pub(super) fn names(&self, sid: Sid, keyword: &str) -> Result<Vec<&'a str>, Error> {
        match self.get(sid, keyword) {
            None => Ok(Vec::new()),
            Some(Value::Object(map)) => Ok(map.keys().map(String::as_str).collect()),
            Some(_) => Err(self.malformed(sid, keyword, "an object")),
        }
    }

    /// The strings in the list under `keyword`.
    pub(super) fn strings(&self, sid: Sid, keyword: &str) -> Result<Vec<&'a str>, Error> {
        let Some(value) = self.get(sid, keyword) else { return Ok(Vec::new()) };
        let list = value.as_array().and_then(|items| items.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        list.ok_or_else(|| self.malformed(sid, keyword, "a list of strings"))
    }

    /// The count under `keyword`.
    pub(super) fn count(&self, sid: Sid, keyword: &str) -> Result<Option<usize>, Error> {
        let Some(value) = self.get(sid, keyword) else { return Ok(None) };
        // `2.0` is a count as well.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "only whole numbers come here")]
        let whole = |number: f64| (number.fract() == 0.0 && (0.0..1e15).contains(&number)).then_some(number as usize);
        match value.as_f64().and_then(whole) {
            Some(count) => Ok(Some(count)),
            None => Err(self.malformed(sid, keyword, "a whole number from 0")),
        }
    }

    /// Where the `$ref` of a schema leads.
    pub(super) fn target(&mut self, sid: Sid) -> Result<Option<Sid>, Error> {
        let Some(value) = self.get(sid, "$ref") else { return Ok(None) };
        let Some(to) = value.as_str() else { return Err(self.malformed(sid, "$ref", "a string")) };
        let (base, fragment) = to.split_once('#').unwrap_or((to, ""));
        let dangling = || self.error(sid, "$ref", Fault::Dangling(to.to_owned()));
        if !base.is_empty() && Some(base) != self.id {
            return Err(dangling());
        }
        let fragment = percent_decoded(fragment);
        let pointer = if fragment.is_empty() || fragment.starts_with('/') {
            fragment
        } else {
            self.anchors.get(&fragment[..]).ok_or_else(dangling)?.clone()
        };
        let value = self.root.pointer(&pointer).ok_or_else(dangling)?;
        self.number(pointer, value).map(Some)
    }

    pub(super) fn malformed(&self, sid: Sid, keyword: &str, what: &'static str) -> Error {
        self.error(sid, keyword, Fault::Malformed(what))
    }

    pub(super) fn error(&self, sid: Sid, keyword: &str, fault: Fault) -> Error {
        Error::new(self.pointer(sid), keyword, fault)
    }
}

/// The pointer to a member of what stands at `pointer`.
pub(super) fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// `%2F` and the like as what they stand for; what is no such code stays.
fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
