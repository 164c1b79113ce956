//! What a frozen suite remembers of a case: a digest of all that decides a verdict, and of nothing else.
//!
//! It is the SHA-256 of four lines: the dialect; `identity`, or nothing; the SHA-256 of the bytes of the input in
//! hexadecimal digits; and `expect` as JSON without white space, its shapes written out, the keys of every object in the
//! order of their UTF-8 bytes, strings with the fewest escapes, numbers as they are spelled, and what is empty or `false`
//! by itself left out of the outermost object. `must_keep` and every `repairs` are sorted. Words, citations, other tags and
//! layout may change.

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use wirecanon_core::json::{Json, Kind, Limits, Value, quote_into};

use super::{Case, ExpectedRepair, MayRefuse};

/// The digest of a case, as 64 hexadecimal digits.
pub fn digest(case: &Case) -> String {
    let identity = if case.is_identity() { "identity" } else { "" };
    let text = format!("{}\n{identity}\n{}\n{}\n", case.from.name(), sha256(&case.input), expect(case));
    sha256(text.as_bytes())
}

/// Hexadecimal digits of the SHA-256 of bytes.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"))
}

/// What must come out, in one spelling.
fn expect(case: &Case) -> String {
    let expect = &case.expect;
    let mut members = Vec::new();
    if let Some(canonical) = &expect.canonical {
        members.push(("canonical", sorted(canonical)));
    }
    members.extend(expect.may_refuse.code().map(|code| ("may_refuse", quoted(code))));
    if !expect.must_keep.is_empty() {
        members.push(("must_keep", strings(&expect.must_keep)));
    }
    members.extend(expect.outcomes.as_deref().map(|ids| ("outcomes", strings(ids))));
    members.extend(expect.repairs.as_deref().map(|list| ("repairs", repairs(list))));
    if !expect.targets.is_empty() {
        let targets: Vec<_> = expect
            .targets
            .iter()
            .map(|(name, target)| {
                let mut members = Vec::new();
                members.extend(target.may_refuse.as_ref().map(|refusal| ("may_refuse", code(refusal))));
                members.extend(target.output.as_ref().map(|output| ("output", sorted(output))));
                members.extend(target.repairs.as_deref().map(|list| ("repairs", repairs(list))));
                format!("{}:{}", quoted(name), object(&members))
            })
            .collect();
        members.push(("targets", format!("{{{}}}", targets.join(","))));
    }
    if !expect.check.is_empty() {
        let check: Vec<_> =
            expect.check.iter().map(|(name, list)| format!("{}:{}", quoted(name), repairs(list))).collect();
        members.insert(usize::from(expect.canonical.is_some()), ("check", format!("{{{}}}", check.join(","))));
    }
    object(&members)
}

fn code(refusal: &MayRefuse) -> String {
    refusal.code().map_or("false".to_owned(), quoted)
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// A list of strings, in order.
fn strings(list: &[String]) -> String {
    let mut list: Vec<_> = list.iter().map(|string| quoted(string)).collect();
    list.sort();
    format!("[{}]", list.join(","))
}

fn repairs(list: &[ExpectedRepair]) -> String {
    let mut list = list.to_vec();
    list.sort();
    let list: Vec<_> = list
        .iter()
        .map(|repair| {
            let input = repair.input.as_deref().map_or("null".to_owned(), quoted);
            format!("{{\"in\":{input},\"rule\":{}}}", quoted(&repair.rule))
        })
        .collect();
    format!("[{}]", list.join(","))
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote_into(&mut out, text);
    out
}

/// A JSON text with the keys of every object in order.
fn sorted(raw: &RawValue) -> String {
    let Ok(json) = Json::parse(raw.get(), &Limits::default()) else { return raw.get().to_owned() };
    let mut out = String::with_capacity(raw.get().len());
    let mut todo = vec![Step::Value(json.root())];
    while let Some(step) = todo.pop() {
        let value = match step {
            Step::Mark(mark) => {
                out.push(mark);
                continue;
            }
            Step::Key(key) => {
                quote_into(&mut out, &key);
                out.push(':');
                continue;
            }
            Step::Value(value) => value,
        };
        match value.kind() {
            Kind::Object => {
                let mut members: Vec<_> = value
                    .members()
                    .map(|(key, value)| (key.as_str().unwrap_or_default().into_owned(), value))
                    .collect();
                members.sort_by(|one, other| one.0.cmp(&other.0));
                todo.push(Step::Mark('}'));
                for (at, (key, member)) in members.into_iter().enumerate().rev() {
                    todo.push(Step::Value(member));
                    todo.push(Step::Key(key));
                    if at > 0 {
                        todo.push(Step::Mark(','));
                    }
                }
                out.push('{');
            }
            Kind::Array => {
                let items: Vec<_> = value.items().collect();
                todo.push(Step::Mark(']'));
                for (at, item) in items.into_iter().enumerate().rev() {
                    todo.push(Step::Value(item));
                    if at > 0 {
                        todo.push(Step::Mark(','));
                    }
                }
                out.push('[');
            }
            Kind::String => match value.as_str() {
                Some(text) if !wirecanon_core::json::has_lone_surrogate(value.raw()) => quote_into(&mut out, &text),
                _ => out.push_str(value.raw()),
            },
            _ => out.push_str(value.raw()),
        }
    }
    out
}

enum Step<'a> {
    Mark(char),
    Key(String),
    Value(Value<'a>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::parse;

    const CASE: &str = r#"{"id":"a-b","title":"t","class":"pairing","source":["s"],"from":"openai.chat","input":[1, "\u00e9"],
        "expect":{"canonical":{"b":1.0,"a":["\u00e9"]},"repairs":[{"rule":"x","in":"/1"},{"rule":"x","in":null}],
        "must_keep":["two","one"],"may_refuse":false,"targets":{"openai":{"may_refuse":"limit"}}},"tags":["limits"],"since":"0.1.0"}"#;

    fn of(text: &str) -> String {
        digest(&parse("a-b.json", text.as_bytes()).unwrap())
    }

    #[test]
    fn the_text_under_a_digest_is_the_documented_one() {
        let case = parse("a-b.json", CASE.as_bytes()).unwrap();
        assert_eq!(
            expect(&case),
            r#"{"canonical":{"a":["é"],"b":1.0},"must_keep":["one","two"],"repairs":[{"in":null,"rule":"x"},{"in":"/1","rule":"x"}],"targets":{"openai":{"may_refuse":"limit"}}}"#
        );
        assert_eq!(of(CASE), "45b25b614356d81e3882570076999767ae89427dccb78a9a7f8bf689b40ce4c1");
    }

    #[test]
    fn words_and_layout_do_not_count_and_what_scores_does() {
        for (from, to) in [
            (r#""title":"t""#, r#""title":"other""#),
            (r#"["s"]"#, r#"["s", "t"]"#),
            (r#"[1, "\u00e9"]"#, r#"[ 1,"\u00e9" ]"#),
            (r#"{"b":1.0,"a":["\u00e9"]}"#, r#"{"a":["é"],"b":1.0}"#),
            (r#"["two","one"]"#, r#"["one","two"]"#),
            (r#""may_refuse":false,"#, ""),
            (r#"["limits"]"#, "[]"),
        ] {
            assert_ne!(CASE, CASE.replace(from, to), "{from} is not there");
            assert_eq!(of(CASE), of(&CASE.replace(from, to)), "{from} counts");
        }
        for (from, to) in [
            (r#"[1, "\u00e9"]"#, r#"[1, "é"]"#),
            ("1.0", "1"),
            (r#"["limits"]"#, r#"["identity"]"#),
            (r#""may_refuse":false"#, r#""may_refuse":"limit""#),
            (r#""in":"/1""#, r#""in":"/2""#),
            (r#"["two","one"]"#, r#"["two"]"#),
            ("openai.chat", "canonical"),
            (r#"{"may_refuse":"limit"}"#, r#"{"may_refuse":false}"#),
        ] {
            assert_ne!(of(CASE), of(&CASE.replace(from, to)), "{from} does not count");
        }
    }
}
