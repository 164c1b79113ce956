//! Every member of every dialect's messages in every wrong form, by the invariants.

use std::collections::{BTreeMap, HashSet};

use arbitrary::Unstructured;
use wirecanon_generate as generate;

use super::super::*;
use crate::dictionary;
use crate::tests::planted::Mutant;
use crate::tests::{smoke, sweep};

/// What is broken, by the sort of the place and the invariant.
fn broken(dialect: generate::Dialect, rounds: u64, normalizer: &dyn Normalizer) -> (usize, BTreeMap<String, String>) {
    let own = Dialect::by_name(dialect.name()).expect("a dialect of both");
    let (mut seen, mut found, mut tried) = (HashSet::new(), BTreeMap::new(), 0);
    let picks = &mut Picks::new(7);
    let targets: Vec<_> =
        Target::all().iter().filter(|target| own.is_fragment() || !target.dialect.is_fragment()).collect();
    let words = dictionary::messages();
    for round in 0..rounds {
        let names: Vec<_> = (0..4 * smoke::times()).map(|_| words[picks.below(words.len())].clone()).collect();
        let more = sweep::More { names: &names, values: 2 };
        let bytes = generate::noise(round, 600);
        let u = &mut Unstructured::new(&bytes);
        // Faults of the generator stand beside those that are planted here.
        let made = if round % 2 == 0 { generate::valid(u, dialect) } else { generate::broken(u, dialect) };
        let text = String::from_utf8_lossy(&made.bytes).into_owned();
        let is_new = |sort: &str, kind| seen.insert((sort.to_owned(), kind, round % 2));
        sweep::each_variant(&text, &more, picks, is_new, |sort, variant| {
            tried += 1;
            // The dialect's own targets, and all in turn.
            let homes = targets.iter().filter(|target| target.dialect == own);
            let target = match tried % 4 {
                0 => homes.clone().nth(tried / 4 % homes.count()).unwrap_or(&targets[0]),
                _ => targets[tried % targets.len()],
            };
            let mode = [Mode::Request, Mode::History][tried / 2 % 2];
            if let Err(said) = judge_one(variant.as_bytes(), From::Dialect(own), target, mode, normalizer) {
                found.entry(sweep::key_of_difference(sort, &said)).or_insert(format!("{said}\n     {variant}"));
            }
        });
    }
    (tried, found)
}

#[test]
fn each_member_in_each_wrong_form() {
    let mut report = String::new();
    for dialect in generate::Dialect::ALL {
        let (tried, found) = broken(dialect, smoke::times() as u64, &Reference);
        assert!(tried > 100, "{} has no members", dialect.name());
        for (sort, said) in found {
            report.extend([dialect.name(), " ", &sort, "\n     ", &said, "\n"]);
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_normalizer_that_falls_over_one_form_of_one_member_is_caught() {
    let falls = Mutant(|request, said| {
        let text = String::from_utf8_lossy(request.input);
        if text.contains(r#""tool_name":[[]]"#) { Outcome::Failed("Traceback".to_owned()) } else { said }
    });
    let (_, found) = broken(generate::Dialect::Canonical, 2, &falls);
    assert!(found.keys().any(|sort| sort.contains("/toolName P is broken")), "{:?}", found.keys());
}
