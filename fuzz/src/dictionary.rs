//! Words for the fuzzer, made from the corpus, the rule catalogue and the schemas.
//!
//! The files in `fuzz/dictionaries` are in the form that libFuzzer's `-dict` takes: a quoted word a line. They are checked
//! in, so that a fuzzer needs no other step; a test makes them anew and compares (`ci/seed-corpus.sh` writes them).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use wirecanon_core::json::{Json, Limits, quote};
use wirecanon_core::{Dialect, rule};
use wirecanon_schemas::catalogue;

/// Keys, and the words that say what a message or a block is.
pub const MESSAGES: &str = include_str!("../dictionaries/messages.dict");

/// Keywords of JSON Schema.
pub const SCHEMA: &str = include_str!("../dictionaries/schema.dict");

/// Words of the line protocol.
pub const PROTOCOL: &str = include_str!("../dictionaries/protocol.dict");

/// The dictionary of each target that has one.
pub const OF_TARGETS: [(&str, &str); 7] = [
    ("read", "messages"),
    ("fix_bytes", "messages"),
    ("json", "messages"),
    ("mcp_result", "messages"),
    ("check_schema", "messages"),
    ("instances", "schema"),
    ("line_protocol", "protocol"),
];

/// Members whose strings say what something is.
const TELLING: [&str; 6] = ["type", "role", "status", "state", "stopReason", "stop_reason"];

/// Words that fewer texts have say something about one case alone.
const TEXTS: usize = 3;

/// Every dictionary, by name.
///
/// # Errors
///
/// The corpus cannot be read.
pub fn all() -> Result<BTreeMap<&'static str, String>, wirecanon::case::CaseError> {
    Ok([("messages", messages()?), ("schema", print(schema())), ("protocol", print(protocol()))].into())
}

/// The JSON strings of a dictionary, with their quotes.
pub fn strings(dictionary: &str) -> Vec<String> {
    let lines = dictionary.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    lines.map(|line| line.replace("\\\"", "\"").replace("\\\\", "\\")).filter(|word| word.starts_with('"')).collect()
}

fn messages() -> Result<String, wirecanon::case::CaseError> {
    let mut texts: BTreeMap<String, usize> = BTreeMap::new();
    let mut learn = |text: &[u8]| {
        for word in words(text) {
            *texts.entry(word).or_default() += 1;
        }
    };
    for case in wirecanon::corpus::load()? {
        learn(&case.input);
        for expected in case.expect.canonical.iter().map(|raw| raw.get()) {
            learn(expected.as_bytes());
        }
    }
    for example in rule::all().filter_map(|rule| rule.example.as_ref().ok()) {
        learn(example.broken);
        learn(example.mended.as_bytes());
    }
    let mut found: BTreeSet<String> =
        texts.into_iter().filter(|(_, count)| *count >= TEXTS).map(|(word, _)| word).collect();
    for schema in catalogue::ALL.iter().filter(|schema| schema.dialect.is_some()) {
        found.extend(constants(schema.text));
    }
    Ok(print(found))
}

/// Keys, and strings that say what something is.
fn words(text: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(text);
    let Ok(json) = Json::parse(&text, &Limits::default()) else { return BTreeSet::new() };
    let mut found = BTreeSet::new();
    for index in 0..u32::try_from(json.len()).unwrap_or(0) {
        for (key, value) in json.value(index).members() {
            let key = key.as_str().unwrap_or_default();
            if let Some(word) = value.as_str().filter(|_| TELLING.contains(&&*key)) {
                found.insert(word.into_owned());
            }
            found.insert(key.into_owned());
        }
    }
    found.retain(|word| (1..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_graphic()));
    found
}

/// The strings of `const` and `enum`, and the names of properties.
fn constants(schema: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Ok(json) = Json::parse(schema, &Limits::default()) else { return found };
    for index in 0..u32::try_from(json.len()).unwrap_or(0) {
        for (key, value) in json.value(index).members() {
            match key.as_str().as_deref() {
                Some("const") => found.extend(value.as_str().map(Into::into)),
                Some("enum") => found.extend(value.items().filter_map(|item| item.as_str().map(Into::into))),
                Some("properties") => found.extend(value.members().filter_map(|(key, _)| key.as_str().map(Into::into))),
                _ => {}
            }
        }
    }
    found
}

fn schema() -> BTreeSet<String> {
    const KEYWORDS: &str = "$anchor $defs $id $ref $schema additionalItems additionalProperties allOf anyOf array boolean const \
         contains date-time default definitions dependencies dependentRequired dependentSchemas else enum exclusiveMaximum \
         exclusiveMinimum format if integer items maxContains maxItems maxLength maxProperties maximum minContains minItems \
         minLength minProperties minimum multipleOf not null number object oneOf pattern patternProperties prefixItems \
         properties propertyNames required string then type unevaluatedItems unevaluatedProperties uniqueItems uri uuid \
         #/$defs/a # ^a$ ^[a-z]*$ (?:a|b)+ [^a] a{2,5}";
    KEYWORDS.split_whitespace().map(str::to_owned).collect()
}

fn protocol() -> BTreeSet<String> {
    let words = "wirecanon id op name version language conversions accepts refusals json text base64 from to target for input \
         input_text input_base64 output output_text output_base64 refused failed code message call_id hello bye convert request \
         history";
    let codes = wirecanon::case::REFUSAL_CODES.into_iter();
    words.split_whitespace().chain(codes).chain(Dialect::ALL.map(Dialect::name)).map(str::to_owned).collect()
}

fn print(words: BTreeSet<String>) -> String {
    let mut out = String::from("# Made by ci/seed-corpus.sh; a test compares.\n");
    for word in words {
        // The quotes of JSON are part of the word, and the file has quotes of its own.
        let escaped = quote(&word).replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\"{escaped}\"");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionaries_are_what_the_script_makes() {
        let made = all().unwrap();
        for (name, stored) in [("messages", MESSAGES), ("schema", SCHEMA), ("protocol", PROTOCOL)] {
            assert!(made[name] == stored, "ci/seed-corpus.sh writes fuzz/dictionaries/{name}.dict anew");
        }
        assert!(OF_TARGETS.iter().all(|(_, name)| made.contains_key(name)));
        let words = strings(MESSAGES);
        for word in ["tool_use", "toolCallId", "functionResponse", "inputSchema", "assistant", "data"] {
            assert!(words.contains(&format!("\"{word}\"")), "{word}");
        }
        assert!((300..3000).contains(&words.len()), "{}", words.len());
    }
}
