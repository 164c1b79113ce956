//! What the wire is made of: the keys of all schemas, and the words that they name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value};
use wirecanon_schemas::catalogue;

struct Words {
    keys: BTreeSet<String>,
    words: BTreeSet<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut found = Words { keys: BTreeSet::new(), words: BTreeSet::new() };
    for schema in catalogue::ALL.iter().filter(|schema| schema.dialect.is_some()) {
        let Ok(text) = serde_json::from_str::<Value>(schema.text) else { continue };
        for members in objects(&text) {
            found.keys.extend(properties(members));
            let named = members.get("const").into_iter();
            let named = named.chain(members.get("enum").and_then(Value::as_array).into_iter().flatten());
            found.words.extend(named.filter_map(Value::as_str).map(str::to_owned));
        }
    }
    found
});

/// All objects of a schema.
pub(crate) fn objects(schema: &Value) -> Vec<&Map<String, Value>> {
    let (mut open, mut found) = (vec![schema], Vec::new());
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                found.push(members);
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    found
}

/// The names of the members that one object of a schema describes.
pub(crate) fn properties(members: &Map<String, Value>) -> impl Iterator<Item = String> {
    members.get("properties").and_then(Value::as_object).into_iter().flat_map(|found| found.keys().cloned())
}

/// Whether a schema has this key.
pub(super) fn is_key(text: &str) -> bool {
    WORDS.keys.contains(text)
}

/// Whether a schema names this word.
pub(super) fn is_word(text: &str) -> bool {
    WORDS.words.contains(text)
}
