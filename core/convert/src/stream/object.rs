//! JSON objects that grow while events come.

use std::collections::HashMap;

use wirecanon_json::{Kind, Value, quote};

/// Members in order, each with its JSON text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    members: Vec<(String, String)>,
    /// Where each key stands among them
    places: HashMap<String, usize>,
}

impl Object {
    /// A copy of an object. Of keys that stand twice the last counts.
    pub(crate) fn of(value: Value<'_>) -> Self {
        let mut object = Self::default();
        object.take(value);
        object
    }

    /// Takes over all members of another, in the place of those that are here.
    pub(crate) fn take(&mut self, value: Value<'_>) {
        for (key, member) in value.members() {
            if let Some(key) = key.as_str() {
                self.set(&key, member.raw().to_owned());
            }
        }
    }

    pub(crate) fn set(&mut self, key: &str, raw: String) {
        if let Some(&place) = self.places.get(key) {
            self.members[place].1 = raw;
        } else {
            self.places.insert(key.to_owned(), self.members.len());
            self.members.push((key.to_owned(), raw));
        }
    }

    pub(crate) fn set_text(&mut self, key: &str, text: &str) {
        self.set(key, quote(text));
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.places.get(key).map(|&place| self.members[place].1.as_str())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(crate) fn json(&self) -> String {
        let members: Vec<String> = self.members.iter().map(|(key, raw)| format!("{}:{raw}", quote(key))).collect();
        format!("{{{}}}", members.join(","))
    }
}

/// A text that comes in pieces; `None` until one came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces(Option<String>);

impl Pieces {
    pub(crate) fn push(&mut self, piece: Option<Value<'_>>) {
        if let Some(piece) = piece.filter(|piece| piece.kind() == Kind::String).and_then(Value::as_str) {
            self.0.get_or_insert_default().push_str(&piece);
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Into a member, behind what stands there already.
    pub(crate) fn put_into(&self, object: &mut Object, key: &str) {
        if let Some(text) = self.text() {
            object.set_text(key, text);
        }
    }
}

/// A place in a list that an event names: what it does not name is the place behind the last one.
pub(crate) fn place(event: Value<'_>, key: &str) -> Option<usize> {
    event.get(key).filter(|index| index.kind() == Kind::Number).and_then(|index| index.raw().parse().ok())
}

pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}
