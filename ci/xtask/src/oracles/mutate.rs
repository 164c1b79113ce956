//! Small changes to a message that know the shapes of messages, but not which of them are legal where.

use serde_json::{Map, Value};

use super::random::Random;
use super::vocabulary::{ALIASES, BLOCKS, DATA, DATA_KEYS, ENUMS, EXTRA, FREE, ID_KEYS, IDS, NAME_KEYS, NAMES};

/// A kind of change: its name, where it can be made, and the change.
struct Kind {
    name: &'static str,
    fits: fn(&Place, &Value) -> bool,
    /// What it wrote, in a word or two
    change: fn(&mut Random, &Place, &mut Value) -> String,
}

/// A value of a message.
struct Place {
    pointer: String,
    /// The key that it stands under; the key of the list for an item of one
    key: String,
}

const KINDS: &[Kind] = &[
    Kind { name: "drop-field", fits: |_, v| v.as_object().is_some_and(|map| !map.is_empty()), change: drop_field },
    Kind { name: "null", fits: |place, v| !place.is_root() && !v.is_null(), change: |_, _, v| set(v, Value::Null) },
    Kind { name: "wrong-type", fits: |place, _| !place.is_root(), change: wrong_type },
    Kind { name: "empty", fits: |_, v| filled(v), change: empty },
    Kind { name: "blank", fits: |place, v| v.is_string() && !place.is_root(), change: blank },
    Kind {
        name: "rename",
        fits: |_, v| v.as_object().is_some_and(|map| map.keys().any(|key| alias(key))),
        change: rename,
    },
    Kind { name: "extra-field", fits: |_, v| v.is_object(), change: extra_field },
    Kind { name: "enum", fits: |place, v| v.is_string() && values(&place.key).is_some(), change: other_value },
    Kind { name: "foreign-block", fits: |_, v| v.is_array(), change: foreign_block },
    Kind { name: "foreign-item", fits: |place, v| v.is_object() && !place.is_root(), change: foreign_item },
    Kind {
        name: "id",
        fits: |place, v| v.is_string() && ID_KEYS.contains(&&*place.key),
        change: |random, _, v| choose(random, v, IDS),
    },
    Kind {
        name: "name",
        fits: |place, v| v.is_string() && NAME_KEYS.contains(&&*place.key),
        change: |random, _, v| choose(random, v, NAMES),
    },
    Kind {
        name: "data",
        fits: |place, v| v.is_string() && DATA_KEYS.contains(&&*place.key),
        change: |random, _, v| choose(random, v, DATA),
    },
    Kind { name: "wrap", fits: |place, v| !place.is_root() && !v.is_null(), change: wrap },
    Kind { name: "flag", fits: |_, v| v.is_boolean(), change: flag },
    Kind { name: "number", fits: |_, v| v.is_number(), change: number },
    Kind { name: "twice", fits: |_, v| v.as_array().is_some_and(|list| !list.is_empty()), change: twice },
    Kind { name: "encode", fits: |place, v| !place.is_root() && (v.is_object() || v.is_string()), change: encode },
];

impl Place {
    fn is_root(&self) -> bool {
        self.pointer.is_empty()
    }

    /// Whether it stands below a member that may hold any JSON.
    fn is_free(&self) -> bool {
        self.pointer.rsplit_once('/').is_some_and(|(above, _)| above.split('/').any(|key| FREE.contains(&key)))
    }
}

/// Changes one place of `message`, seldom two; says what was done, `None` if nothing could be.
pub(crate) fn mutate(random: &mut Random, message: &mut Value) -> Option<String> {
    let first = once(random, message)?;
    if !random.one_in(6) {
        return Some(first);
    }
    Some(once(random, message).map_or(first.clone(), |second| format!("{first}, {second}")))
}

/// Changes which message stands where, or one message; says what was done. The list is not empty.
pub(crate) fn conversation(random: &mut Random, messages: &mut Vec<Value>) -> String {
    let at = random.below(messages.len());
    match random.below(8) {
        0 => {
            messages.remove(at);
            format!("leave-out /{at}")
        }
        1 => {
            let message = messages[at].clone();
            messages.insert(at, message);
            format!("repeat /{at}")
        }
        2 => {
            let to = random.below(messages.len());
            messages.swap(at, to);
            format!("swap /{at} /{to}")
        }
        3 => {
            messages.truncate(at);
            format!("cut /{at}")
        }
        4 => {
            let from = random.below(messages.len());
            let message = messages[from].clone();
            messages.insert(at, message);
            format!("copy /{from} /{at}")
        }
        5 => {
            let role = *random.pick(&["user", "assistant", "system", "tool"]);
            messages.insert(at, serde_json::json!({ "role": role, "content": "in between" }));
            format!("insert /{at} {role}")
        }
        _ => mutate(random, &mut messages[at]).unwrap_or_default(),
    }
}

fn once(random: &mut Random, message: &mut Value) -> Option<String> {
    for _ in 0..8 {
        let kind = random.pick(KINDS);
        let free = random.one_in(8);
        let places: Vec<_> = places(message)
            .into_iter()
            .filter(|place| {
                (free || !place.is_free()) && message.pointer(&place.pointer).is_some_and(|v| (kind.fits)(place, v))
            })
            .collect();
        if places.is_empty() {
            continue;
        }
        let place = random.pick(&places);
        let value = message.pointer_mut(&place.pointer)?;
        let what = (kind.change)(random, place, value);
        return Some(format!("{} {}{what}", kind.name, place.pointer));
    }
    None
}

/// Every value of a message, in the order of its text.
fn places(message: &Value) -> Vec<Place> {
    let mut places = Vec::new();
    let mut todo = vec![(Place { pointer: String::new(), key: String::new() }, message)];
    while let Some((place, value)) = todo.pop() {
        match value {
            Value::Object(map) => {
                for (key, member) in map {
                    let pointer = format!("{}/{}", place.pointer, key.replace('~', "~0").replace('/', "~1"));
                    todo.push((Place { pointer, key: key.clone() }, member));
                }
            }
            Value::Array(list) => {
                for (index, item) in list.iter().enumerate() {
                    todo.push((Place { pointer: format!("{}/{index}", place.pointer), key: place.key.clone() }, item));
                }
            }
            _ => {}
        }
        places.push(place);
    }
    places
}

fn set(value: &mut Value, new: Value) -> String {
    *value = new;
    String::new()
}

fn choose(random: &mut Random, value: &mut Value, from: &[&str]) -> String {
    let new = *random.pick(from);
    set(value, new.into());
    format!(" = {new:?}")
}

fn filled(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => false,
    }
}

fn key_of(random: &mut Random, map: &Map<String, Value>, wanted: fn(&str) -> bool) -> Option<String> {
    let keys: Vec<_> = map.keys().filter(|key| wanted(key)).cloned().collect();
    (!keys.is_empty()).then(|| random.pick(&keys).clone())
}

fn drop_field(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let Some(map) = value.as_object_mut() else { return String::new() };
    let Some(key) = key_of(random, map, |_| true) else { return String::new() };
    map.remove(&key);
    format!("/{key}")
}

fn wrong_type(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let others = ["true", "7", "1.5", "\"text\"", "{}", "[]", "{\"a\":1}", "[\"a\"]", "[{}]"];
    let new = *random.pick(&others);
    set(value, parsed(new));
    format!(" = {new}")
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn empty(_: &mut Random, _: &Place, value: &mut Value) -> String {
    match value {
        Value::String(text) => text.clear(),
        Value::Array(list) => list.clear(),
        Value::Object(map) => map.clear(),
        _ => {}
    }
    String::new()
}

fn blank(random: &mut Random, _: &Place, value: &mut Value) -> String {
    choose(random, value, &[" ", "\n", "\t \u{a0}", "\u{0}"])
}

fn alias(key: &str) -> bool {
    ALIASES.iter().any(|same| same.contains(&key))
}

fn rename(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let Some(map) = value.as_object_mut() else { return String::new() };
    let Some(key) = key_of(random, map, alias) else { return String::new() };
    let groups: Vec<_> = ALIASES.iter().filter(|same| same.contains(&&*key)).collect();
    let others: Vec<_> = random.pick(&groups).iter().filter(|other| **other != key).collect();
    let new = **random.pick(&others);
    if let Some(member) = map.remove(&key) {
        map.insert(new.to_owned(), member);
    }
    format!("/{key} = {new}")
}

fn extra_field(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let (key, member) = *random.pick(EXTRA);
    if let Some(map) = value.as_object_mut() {
        map.insert(key.to_owned(), parsed(member));
    }
    format!("/{key} = {member}")
}

fn values(key: &str) -> Option<Vec<&'static str>> {
    ENUMS.iter().find(|(name, _)| *name == key).map(|(_, values)| values.split('|').collect())
}

fn other_value(random: &mut Random, place: &Place, value: &mut Value) -> String {
    choose(random, value, &values(&place.key).unwrap_or(vec![""]))
}

fn foreign_block(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let block = *random.pick(BLOCKS);
    if let Some(list) = value.as_array_mut() {
        let at = random.below(list.len() + 1);
        list.insert(at, parsed(block));
    }
    format!(" + {block}")
}

fn foreign_item(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let block = *random.pick(BLOCKS);
    set(value, parsed(block));
    format!(" = {block}")
}

fn wrap(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let inner = value.take();
    *value = match inner {
        Value::Array(mut list) if !list.is_empty() && random.one_in(2) => list.swap_remove(0),
        Value::String(text) if random.one_in(3) => serde_json::json!({ "text": text }),
        Value::String(text) if random.one_in(2) => serde_json::json!([{ "type": "text", "text": text }]),
        other => Value::Array(vec![other]),
    };
    String::new()
}

fn flag(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let new = *random.pick(&["\"true\"", "1", "0", "\"yes\"", "\"\"", "true", "false"]);
    set(value, parsed(new));
    format!(" = {new}")
}

fn number(random: &mut Random, _: &Place, value: &mut Value) -> String {
    let new = *random.pick(&["-1", "0", "1.5", "2", "1e20", "9007199254740993", "\"5\""]);
    set(value, parsed(new));
    format!(" = {new}")
}

fn twice(random: &mut Random, _: &Place, value: &mut Value) -> String {
    if let Some(list) = value.as_array_mut() {
        let again = random.pick(list).clone();
        list.push(again);
    }
    String::new()
}

/// An object becomes its JSON text; JSON text becomes what it says, and other text a string in a string.
fn encode(_: &mut Random, _: &Place, value: &mut Value) -> String {
    let new = match &*value {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(format!("{text:?}"))),
        other => Value::String(other.to_string()),
    };
    set(value, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vocabulary_is_json() {
        for block in BLOCKS {
            assert!(serde_json::from_str::<Value>(block).is_ok(), "{block}");
        }
        for (_, member) in EXTRA {
            assert!(serde_json::from_str::<Value>(member).is_ok(), "{member}");
        }
    }

    #[test]
    fn every_kind_changes_a_message_and_says_so() {
        let message = serde_json::json!({"role": "tool", "flag": true, "n": 1, "id": "a",
            "content": [{"type": "text", "name": "x", "data": "iVBORw0KGgo="}]});
        let mut seen = std::collections::BTreeSet::new();
        let mut random = Random::new(1, "test");
        for _ in 0..4000 {
            let mut changed = message.clone();
            let how = mutate(&mut random, &mut changed).unwrap();
            if changed != message {
                seen.insert(how.split(' ').next().unwrap().to_owned());
            }
        }
        let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
        let missing: Vec<_> = names.iter().filter(|name| !seen.contains(**name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn free_json_is_known() {
        let place = |pointer: &str| Place { pointer: pointer.to_owned(), key: String::new() };
        assert!(place("/content/0/input/a").is_free());
        assert!(!place("/content/0/input").is_free());
    }
}
