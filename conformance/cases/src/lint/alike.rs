//! Cases that show the same: equal inputs but for ids, names and words.

use std::collections::BTreeMap;
use std::fmt::Write;

use wirecanon_core::json::{Json, Kind, Limits, Value};
use wirecanon_judge::case::Case;

use super::{Entry, Found};

pub(super) fn find(entries: &[Entry<'_>], found: &mut Found<'_>) {
    let mut first: BTreeMap<String, &Entry<'_>> = BTreeMap::new();
    for entry in entries {
        let Some(case) = entry.case.filter(|case| case.retired.is_none()) else { continue };
        let key = format!("{} {}", case.from.name(), skeleton(case));
        if let Some(other) = first.get(&key) {
            if case.whole.is_none() {
                let message = format!("its input is that of {} but for words", other.file);
                let cure = "put what is expected of both into one case, show another fault, or say under `whole` why both stand";
                found.under(entry, &format!("/{}", case.input_key()), message, cure);
            }
        } else {
            first.insert(key, entry);
        }
    }
}

/// Keys whose strings are words of the wire or data, not words of people.
const WIRE: [&str; 21] = [
    "api",
    "bytes",
    "data",
    "detail",
    "finish_reason",
    "finishReason",
    "format",
    "kind",
    "lc",
    "media_type",
    "mediaType",
    "mime_type",
    "mimeType",
    "origin",
    "phase",
    "role",
    "state",
    "status",
    "stopReason",
    "stop_reason",
    "type",
];

/// Words that mean something in every text.
const FIXED: [&str; 9] = ["null", "true", "false", "NaN", "Infinity", "undefined", "object", "unknown", "error"];

/// Letters that a word may have and still be only a word: what is longer is data, or about its length.
const LONG: usize = 24;

/// The input with its words numbered in the order in which they come.
fn skeleton(case: &Case) -> String {
    let text = String::from_utf8_lossy(&case.input);
    let Ok(json) = Json::parse(&text, &Limits::default()) else { return text.into_owned() };
    let mut words = BTreeMap::new();
    let mut out = String::new();
    let mut todo = vec![Step::Value(json.root(), false)];
    while let Some(step) = todo.pop() {
        let (value, wire) = match step {
            Step::Text(text) => {
                out.push_str(&text);
                continue;
            }
            Step::Value(value, wire) => (value, wire),
        };
        match value.kind() {
            Kind::Array => {
                out.push('[');
                todo.push(Step::Text("]".to_owned()));
                let items: Vec<_> = value.items().collect();
                todo.extend(
                    items.into_iter().rev().flat_map(|item| [Step::Text(",".to_owned()), Step::Value(item, false)]),
                );
            }
            Kind::Object => {
                out.push('{');
                todo.push(Step::Text("}".to_owned()));
                let members: Vec<_> = value.members().collect();
                for (key, member) in members.into_iter().rev() {
                    let key = key.as_str().unwrap_or_default();
                    todo.push(Step::Value(member, WIRE.contains(&&*key)));
                    todo.push(Step::Text(format!("{key}:")));
                }
            }
            Kind::String if !wire => numbered(&value.as_str().unwrap_or_default(), &mut words, &mut out),
            _ => out.push_str(value.raw()),
        }
    }
    out
}

enum Step<'a> {
    Text(String),
    /// And whether its string is a word of the wire
    Value(Value<'a>, bool),
}

/// A text with its words as their numbers; marks, long words and other letters stay.
fn numbered(text: &str, words: &mut BTreeMap<String, usize>, out: &mut String) {
    let mut rest = text;
    out.push('"');
    if text.len() > LONG && !text.contains(char::is_whitespace) {
        out.push_str(text);
        rest = "";
    }
    while !rest.is_empty() {
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        if word.is_empty() {
            let mark = after.chars().next().map_or(1, char::len_utf8);
            out.push_str(&after[..mark]);
            rest = &after[mark..];
            continue;
        }
        if word.len() > LONG || FIXED.contains(&word) {
            out.push_str(word);
        } else {
            let count = words.len();
            let number = *words.entry(word.to_owned()).or_insert(count);
            // A string takes all that is written to it.
            let _ = write!(out, "w{number}");
        }
        rest = after;
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_judge::case::parse;

    fn of(input: &str) -> String {
        let text = format!(
            r#"{{"id":"a","title":"T.","class":"pairing","source":["o/r#1"],"from":"openai.chat","input":{input},
            "expect":{{"must_keep":[]}},"tags":[],"since":"0.1.0"}}"#
        );
        skeleton(&parse("a", text.as_bytes()).unwrap())
    }

    #[test]
    fn words_and_ids_are_apart_and_marks_lengths_and_the_wire_are_not() {
        let one = of(r#"[{"role":"user","content":"read a.txt","id":"call_1","of":"call_1"}]"#);
        assert_eq!(one, of(r#"[{"role":"user","content":"open b.md","id":"t9","of":"t9"}]"#));
        for other in [
            r#"[{"role":"tool","content":"read a.txt","id":"call_1","of":"call_1"}]"#,
            r#"[{"role":"user","content":"read a.txt","id":"call_1","of":"call_2"}]"#,
            r#"[{"role":"user","content":"read a.txt!","id":"call_1","of":"call_1"}]"#,
            r#"[{"role":"user","content":"read null.txt","id":"call_1","of":"call_1"}]"#,
            r#"[{"role":"user","content":"read aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.txt","id":"call_1","of":"call_1"}]"#,
            r#"[{"role":"user","content":1,"id":"call_1","of":"call_1"}]"#,
        ] {
            assert_ne!(one, of(other), "{other}");
        }
    }
}
