//! What the wire is made of: the keys of all schemas, and the words that they name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;
use wirecanon_schemas::catalogue;

struct Words {
    keys: BTreeSet<String>,
    words: BTreeSet<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut found = Words { keys: BTreeSet::new(), words: BTreeSet::new() };
    for schema in catalogue::ALL.iter().filter(|schema| schema.dialect.is_some()) {
        let Ok(text) = serde_json::from_str::<Value>(schema.text) else { continue };
        let mut open = vec![&text];
        while let Some(value) = open.pop() {
            match value {
                Value::Object(members) => {
                    if let Some(Value::Object(properties)) = members.get("properties") {
                        found.keys.extend(properties.keys().cloned());
                    }
                    let named = members.get("const").into_iter();
                    let named = named.chain(members.get("enum").and_then(Value::as_array).into_iter().flatten());
                    found.words.extend(named.filter_map(Value::as_str).map(str::to_owned));
                    open.extend(members.values());
                }
                Value::Array(items) => open.extend(items),
                _ => {}
            }
        }
    }
    found
});

/// Whether a schema has this key.
pub(super) fn is_key(text: &str) -> bool {
    WORDS.keys.contains(text)
}

/// Whether a schema names this word.
pub(super) fn is_word(text: &str) -> bool {
    WORDS.words.contains(text)
}
