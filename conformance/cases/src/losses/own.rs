//! What only one dialect has: a sample of each dialect, as a valid case of the corpus has it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::{Value, json};
use wirecanon_core::{Dialect, From, Mode, Options, Target, fix};

use crate::corpus;

#[derive(Debug, Default)]
struct Samples {
    items: BTreeMap<Dialect, String>,
    fields: BTreeMap<Dialect, String>,
}

/// Messages with an item that only this dialect has.
pub(super) fn item(dialect: Dialect) -> Option<&'static str> {
    samples().items.get(&dialect).map(String::as_str)
}

/// Messages with fields that only this dialect has.
pub(super) fn fields(dialect: Dialect) -> Option<&'static str> {
    samples().fields.get(&dialect).map(String::as_str)
}

fn samples() -> &'static Samples {
    static SAMPLES: OnceLock<Samples> = OnceLock::new();
    SAMPLES.get_or_init(collected)
}

fn collected() -> Samples {
    let mut samples = Samples::default();
    for case in corpus::load().unwrap_or_default() {
        let dialect = case.from;
        let whole = samples.items.contains_key(&dialect) && samples.fields.contains_key(&dialect);
        if whole || dialect.is_fragment() {
            continue;
        }
        let written = |to: Dialect| {
            let to = Some(Target::of_dialect(to));
            let options = Options { from: From::Dialect(dialect), to, mode: Mode::History, ..Options::default() };
            fix(&case.input, &options).ok().filter(|fixed| fixed.report.repairs.is_empty())
        };
        let (Some(_), Some(fixed)) = (written(dialect), written(Dialect::Canonical)) else { continue };
        let Ok(document) = serde_json::from_slice::<Value>(&fixed.output) else { continue };
        for message in document["messages"].as_array().into_iter().flatten() {
            if let Some(item) = item_of(message, dialect) {
                samples.items.entry(dialect).or_insert(item);
            }
            if let Some(fields) = fields_of(message, dialect) {
                samples.fields.entry(dialect).or_insert(fields);
            }
        }
    }
    samples
}

/// The first item of its own in a message, with a word behind it.
fn item_of(message: &Value, dialect: Dialect) -> Option<String> {
    let blocks = message["content"].as_array()?;
    let item = blocks.iter().find(|block| block["type"] == "opaque" && block["dialect"] == dialect.name())?;
    Some(conversation(&json!({"role": message["role"], "content": [item, {"type": "text", "text": "Seen."}]})))
}

/// A message of text with fields of its own.
fn fields_of(message: &Value, dialect: Dialect) -> Option<String> {
    let blocks = message["content"].as_array()?;
    let holds = |value: &Value| value["native"].get(dialect.name()).is_some();
    let plain = blocks.iter().all(|block| block["type"] == "text") && message["role"] != "toolResult";
    (plain && (holds(message) || blocks.iter().any(holds))).then(|| conversation(message))
}

fn conversation(message: &Value) -> String {
    if message["role"] == "user" {
        return message.to_string();
    }
    let go = json!({"role": "user", "content": [{"type": "text", "text": "go"}]});
    if message["role"] == "system" { format!("{message},{go}") } else { format!("{go},{message}") }
}
