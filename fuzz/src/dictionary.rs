//! Words for the fuzzer, made from the corpus, the rule catalogue and the schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::OnceLock;

use wirecanon_core::json::{Json, Limits, quote};
use wirecanon_core::{Dialect, rule};
use wirecanon_schemas::catalogue;

use crate::page;

/// The dictionary of a target in the form that libFuzzer's `-dict` takes: a quoted word a line. None where the bytes are
/// draws of the generator, in which no word stands.
pub fn of(target: &str) -> Option<String> {
    match target {
        "read" | "fix_bytes" | "files" | "json" | "mcp_result" | "check_schema" => Some(print(messages().iter())),
        "instances" => Some(print(schema().iter())),
        "page" => Some(print(page::words().iter().chain(messages()))),
        "line_protocol" => Some(print(protocol().iter())),
        _ => None,
    }
}

/// Members whose strings say what something is.
const TELLING: [&str; 6] = ["type", "role", "status", "state", "stopReason", "stop_reason"];

/// Words that fewer texts have say something about one case alone.
const TEXTS: usize = 3;

/// Keys, and the words that say what a message or a block is: every JSON string of the schemas, and those that several
/// messages have.
pub fn messages() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut texts: BTreeMap<String, usize> = BTreeMap::new();
        let mut learn = |text: &[u8]| {
            for word in words(text) {
                *texts.entry(word).or_default() += 1;
            }
        };
        for case in wirecanon::corpus::load().unwrap_or_default() {
            learn(&case.input);
            if let Some(expected) = &case.expect.canonical {
                learn(expected.get().as_bytes());
            }
        }
        for example in rule::all().filter_map(|rule| rule.example.as_ref().ok()) {
            learn(example.broken);
            learn(example.mended.as_bytes());
        }
        let often = texts.into_iter().filter(|(_, count)| *count >= TEXTS).map(|(word, _)| word);
        let schemas = catalogue::ALL.iter().filter(|schema| schema.dialect.is_some());
        let all: BTreeSet<_> = often.chain(schemas.flat_map(|schema| constants(schema.text))).collect();
        all.into_iter().collect()
    })
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

/// The names of all properties of a schema.
#[cfg(test)]
pub(crate) fn properties(schema: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Ok(json) = Json::parse(schema, &Limits::default()) else { return found };
    for index in 0..u32::try_from(json.len()).unwrap_or(0) {
        let named = json.value(index).get("properties").into_iter().flat_map(wirecanon_core::json::Value::members);
        found.extend(named.filter_map(|(key, _)| key.as_str().map(Into::into)));
    }
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

fn print<'w>(words: impl Iterator<Item = &'w String>) -> String {
    let mut out = String::new();
    for word in words {
        // The quotes of JSON are part of the word, and the file has quotes of its own.
        let escaped = quote(word).replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\"{escaped}\"");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_from_the_corpus_and_the_schemas() {
        for word in ["tool_use", "toolCallId", "functionResponse", "inputSchema", "assistant", "data"] {
            assert!(messages().iter().any(|other| other == word), "{word}");
        }
        assert!((300..3000).contains(&messages().len()), "{}", messages().len());
    }

    #[test]
    fn a_dictionary_is_one_for_the_fuzzer() {
        for target in crate::seeds::TARGETS {
            let Some(text) = of(target) else { continue };
            assert!(text.lines().count() > 20, "{target}");
            for line in text.lines() {
                let inside = line.strip_prefix("\"\\\"").and_then(|line| line.strip_suffix("\\\"\"")).expect(line);
                assert!(!inside.replace("\\\\", "").contains(['"', '\\']), "{line}");
            }
        }
        assert_eq!(of("transcript"), None);
        assert!(of("read").is_some_and(|text| text.contains("\"\\\"tool_use\\\"\"\n")));
    }
}
