//! Every member of every dialect's messages, left out and with every kind of wrong value: what luck finds late.

use std::collections::{BTreeMap, HashSet};

use wirecanon_generate::noise;

use super::super::*;
use crate::dictionary;
use crate::tests::{smoke, sweep};

/// What differs, by the sort of the place.
fn differences(described: &Described, rounds: u64, check: Check) -> (usize, BTreeMap<String, String>) {
    let (mut seen, mut found, mut tried) = (HashSet::new(), BTreeMap::new(), 0);
    let picks = &mut Picks::new(rounds);
    let names: Vec<_> = dictionary::properties(described.schema).into_iter().collect();
    let more = sweep::More { names: &names, values: 4 * smoke::times() - 3 };
    let mut note = |sort: &str, said: String| {
        let (what, _) = said.split_once("\n  ").unwrap_or((&said, ""));
        let by = what.replace(|c: char| c.is_ascii_digit(), "");
        found.entry(format!("{sort} {by}")).or_insert(said);
    };
    for round in 0..rounds {
        let bytes = noise(round, 600);
        let u = &mut Unstructured::new(&bytes);
        let text = made(u, described, round % 3 == 0);
        if let Err(said) = compare(described, text.as_bytes(), check) {
            note("as made", said);
            continue;
        }
        let is_new = |sort: &str, kind| seen.insert((sort.to_owned(), kind));
        sweep::each_variant(&text, &more, picks, is_new, |sort, variant| {
            tried += 1;
            if let Err(said) = compare(described, variant.as_bytes(), check) {
                note(sort, said);
            }
        });
    }
    (tried, found)
}

#[test]
fn each_member_with_each_wrong_value() {
    let mut report = String::new();
    for described in described() {
        // A revision has few members that the dialect has not.
        let rounds = if described.target.name.contains('@') { 2 } else { 8 };
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
