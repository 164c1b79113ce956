//! Every member of every dialect's messages, left out and with every kind of wrong value: what luck finds late.

use std::collections::{BTreeMap, HashSet};

use wirecanon_generate::noise;

use super::super::*;
use crate::dictionary;
use crate::tests::{smoke, sweep};

/// The first difference of each sort. Ends with the round in which a sort is found that is enough.
fn differences(
    described: &Described,
    rounds: u64,
    check: Check,
    is_enough: impl Fn(&str) -> bool,
) -> (usize, BTreeMap<String, String>) {
    let (mut seen, mut found, mut tried) = (HashSet::new(), BTreeMap::new(), 0);
    let picks = &mut Picks::new(rounds);
    let names: Vec<_> = dictionary::properties(described.schema).into_iter().collect();
    let more = sweep::More { names: &names, values: 4 * smoke::times() - 3 };
    for round in 0..rounds {
        let bytes = noise(round, 600);
        let u = &mut Unstructured::new(&bytes);
        let text = made(u, described, round % 3 == 0);
        if let Err(said) = compare(described, text.as_bytes(), check) {
            found.entry(sweep::key_of_difference("as made", &said)).or_insert(said);
            continue;
        }
        let is_new = |sort: &str, kind| seen.insert((sort.to_owned(), kind));
        sweep::each_variant(&text, &more, picks, is_new, |sort, variant| {
            tried += 1;
            if let Err(said) = compare(described, variant.as_bytes(), check) {
                found.entry(sweep::key_of_difference(sort, &said)).or_insert(said);
            }
        });
        if found.keys().any(|sort| is_enough(sort)) {
            break;
        }
    }
    (tried, found)
}

#[test]
fn each_member_with_each_wrong_value() {
    let mut report = String::new();
    for described in described() {
        // A revision has few members that the dialect has not.
        let rounds = if described.target.name.contains('@') { 2 } else { 8 };
        let (tried, found) = differences(described, rounds * smoke::times() as u64, check, |_| false);
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
        let is_caught = |sort: &str| sort.contains("the schema alone refuses");
        let (_, found) = differences(described, 300, lax, is_caught);
        assert!(found.keys().any(|sort| is_caught(sort)), "{}", described.target.name);
    }
}
