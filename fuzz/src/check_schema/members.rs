//! Every member of every dialect's messages, left out and with every kind of wrong value: what luck finds late.

use std::collections::{BTreeMap, HashSet};

use wirecanon_schemas::generate::noise;

use super::*;
use crate::smoke;

/// One of each kind of value, and of the strings that servers tell apart.
const WRONG: [&str; 20] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "1e999",
    "\"\"",
    "\" \"",
    "\"x\"",
    "\"{}\"",
    "[]",
    "{}",
    "[null]",
    "[\"\"]",
    "[\"x\"]",
    "[{}]",
    "[[]]",
    "{\"x\":1}",
    "{\"type\":\"text\",\"text\":\"x\"}",
];

/// A place, without numbers of items and with the kinds of the objects on the way: where the same rules hold.
fn sort_of_place(value: Value<'_>, pointer: &str) -> String {
    let (mut here, mut sort) = (value, String::new());
    for part in pointer.split('/').skip(1) {
        for key in ["role", "type", "part_type"] {
            if let Some(kind) = here.get(key).and_then(Value::as_str) {
                sort.extend(["<", &kind, ">"]);
            }
        }
        let digits = part.bytes().all(|byte| byte.is_ascii_digit()) && here.items().next().is_some();
        sort.extend(["/", if digits { "*" } else { part }]);
        let Some(inner) = resolve(here, &format!("/{part}")) else { break };
        here = inner;
    }
    sort
}

/// The pointers of all values of a text.
fn places(value: Value<'_>, pointer: String, out: &mut Vec<String>) {
    for (key, member) in value.members() {
        let key = key.as_str().unwrap_or_default().replace('~', "~0").replace('/', "~1");
        places(member, format!("{pointer}/{key}"), out);
    }
    for (index, item) in value.items().enumerate() {
        places(item, format!("{pointer}/{index}"), out);
    }
    out.push(pointer);
}

/// The texts that differ from this one in the value at a place.
fn variants(text: &str, value: Value<'_>) -> Vec<String> {
    let span = value.span();
    let put = |new: &str| format!("{}{new}{}", &text[..span.start], &text[span.end..]);
    let mut out: Vec<_> = WRONG.iter().map(|wrong| put(wrong)).collect();
    out.push(put(&format!("[{}]", value.raw())));
    if value.is_object() {
        out.push(put(&value.raw().replacen(
            '{',
            if value.members().next().is_some() { "{\"x-more\":1," } else { "{\"x-more\":1" },
            1,
        )));
    }
    let before = text[..span.start].trim_end();
    // A member goes with its key.
    if let Some(key) = before.strip_suffix(':').map(str::trim_end) {
        let start = key[..key.len() - 1].rfind('"').unwrap_or(0);
        let (head, tail) = (text[..start].trim_end(), text[span.end..].trim_start());
        out.push(match (head.strip_suffix(','), tail.strip_prefix(',')) {
            (Some(head), None) => format!("{head}{tail}"),
            (_, after) => format!("{head}{}", after.unwrap_or(tail)),
        });
    }
    out
}

/// What differs, by the sort of the place.
fn differences(described: &Described, rounds: u64, check: Check) -> (usize, BTreeMap<String, String>) {
    let (mut seen, mut found, mut tried) = (HashSet::new(), BTreeMap::new(), 0);
    for round in 0..rounds {
        let bytes = noise(round, 600);
        let u = &mut Unstructured::new(&bytes);
        let text = made(u, described, round % 3 == 0);
        let Ok(json) = Json::parse(&text, &Limits::default()) else { continue };
        if let Err(said) = compare(described, text.as_bytes(), check) {
            let (what, _) = said.split_once("\n  ").unwrap_or((&said, ""));
            found.entry(format!("as made {}", what.replace(|c: char| c.is_ascii_digit(), ""))).or_insert(said);
            continue;
        }
        let mut all = Vec::new();
        places(json.root(), String::new(), &mut all);
        for pointer in all {
            let sort = sort_of_place(json.root(), &pointer);
            let Some(value) = resolve(json.root(), &pointer) else { continue };
            if !seen.insert((sort.clone(), value.kind().name())) {
                continue;
            }
            for variant in variants(&text, value) {
                tried += 1;
                if let Err(said) = compare(described, variant.as_bytes(), check) {
                    let (what, _) = said.split_once("\n  ").unwrap_or((&said, ""));
                    let by = what.replace(|c: char| c.is_ascii_digit(), "");
                    found.entry(format!("{sort} {by}")).or_insert(said);
                }
            }
        }
    }
    (tried, found)
}

#[test]
fn each_member_with_each_wrong_value() {
    let mut report = String::new();
    for described in described() {
        // A revision has few members that the dialect has not.
        let rounds = if described.target.name.contains('@') { 4 } else { 20 };
        let (tried, found) = differences(described, rounds * smoke::times() as u64, check);
        assert!(tried > 100, "{} has no members", described.target.name);
        for (sort, said) in found {
            report.extend([&sort, "\n     ", &said, "\n"]);
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_judge_that_takes_any_type_of_a_member_is_caught_in_each_dialect() {
    let lax: Check = |text, options| {
        let mut checked = check(text, options)?;
        checked.violations.retain(|found| found.rule != "member-of-wrong-type");
        Ok(checked)
    };
    let holds = wirecanon_core::rule::by_id("member-of-wrong-type").expect("a rule").holds;
    for described in described().iter().filter(|described| holds.contains(&&*described.target.name)) {
        // The more kinds of blocks a dialect has, the later one comes that has such a member.
        let caught = [15, 60, 300].into_iter().any(|rounds| {
            let (_, found) = differences(described, rounds, lax);
            found.keys().any(|sort| sort.contains("the schema alone refuses"))
        });
        assert!(caught, "{}", described.target.name);
    }
}
