//! The planted mistakes are mistakes, and are caught.

use std::collections::BTreeSet;

use wirecanon::run::run;
use wirecanon::testee::Reference;
use wirecanon::verdict::Verdict;
use wirecanon_core::{invariant, step};
use wirecanon_mutants::corpus::Corpus;
use wirecanon_mutants::page::{self, SURVIVORS};
use wirecanon_mutants::{Mutant, all, by_id, generated};

const PAGE: &str = include_str!("../../../../docs/mutants.md");

/// The case and target that a page names for each mutant, and whether that is one of the reference's own promises.
fn cases_of(page: &str) -> Vec<(String, String, String, bool)> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let parts = rows.filter_map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let id = quoted(cells.first()?).into_iter().next()?;
        let cell = cells.get(3)?;
        let [case, target] = <[String; 2]>::try_from(quoted(cell)).ok()?;
        Some((id, case, target, cell.ends_with("as the reference")))
    });
    parts.collect()
}

#[test]
fn each_says_what_it_does_and_who_did() {
    let mutants: Vec<&Mutant> = all().collect();
    assert!(mutants.len() >= 50, "{} mutants", mutants.len());
    let ids: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.id).collect();
    assert_eq!(ids.len(), mutants.len(), "two mutants have the same id");
    let steps: BTreeSet<(&str, &str)> = step::all().iter().map(|step| (step.stage, step.name)).collect();
    for mutant in mutants {
        let Mutant { id, does, source, breaks, .. } = mutant;
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        assert!(id.split('-').all(is_word), "{id} is no kebab case");
        assert!(does.ends_with('.') && does.len() > 20, "{id}: {does}");
        let (repository, number) = source.split_once('#').unwrap_or_default();
        assert!(repository.split('/').count() == 2 && number.parse::<u32>().is_ok(), "{id}: {source}");
        assert!(invariant::by_id(breaks).is_some(), "{id} breaks {breaks}, which is no invariant");
        for change in mutant.changes() {
            assert!(steps.contains(&(change.stage, change.name)), "{id} changes {}/{}", change.stage, change.name);
        }
    }
    for (id, column, why) in SURVIVORS {
        assert!(by_id(id).is_some() && ["corpus", "generated"].contains(column) && why.len() > 20, "{id} {column}");
    }
}

/// Which conversion of which case tells, the page says; so this takes no look at the whole corpus while the page is true.
#[test]
fn the_corpus_catches_each() {
    let corpus = Corpus::new();
    let named = cases_of(PAGE);
    let mut missed = Vec::new();
    for mutant in all().filter(|mutant| page::survives(mutant.id, "corpus").is_none()) {
        let row = named.iter().find(|(id, ..)| id == mutant.id);
        let caught = row.and_then(|(_, case, target, strict)| corpus.fails(mutant, case, target, *strict));
        if caught.is_none() {
            missed.push(mutant.id);
        }
    }
    assert!(
        missed.is_empty(),
        "the page names no case that fails for these; run `cargo xtask mutants --write`: {missed:?}"
    );
}

/// The same cases pass where nothing is wrong, or failing them would say nothing.
#[test]
fn the_reference_fails_none_of_these_cases() {
    let cases = wirecanon::corpus::load().expect("a well-formed corpus");
    let named: BTreeSet<String> = cases_of(PAGE).into_iter().map(|(_, case, ..)| case).collect();
    let cases: Vec<_> = cases.iter().filter(|case| named.contains(&case.id)).collect();
    assert!(cases.len() > 20, "{} cases", cases.len());
    let run = run("reference", &mut Reference::new(2), &cases, 1, true, &mut |_| {});
    let findings: Vec<_> = run.findings().map(|finding| (&finding.case, &finding.to)).collect();
    assert!(findings.is_empty(), "{findings:?}");
    assert!(run.counts().get(&Verdict::Exact).is_some_and(|count| *count > 20));
}

#[test]
fn the_page_has_them_all_in_order() {
    let on_page: Vec<&str> = PAGE.lines().filter(|line| line.starts_with("| `")).collect();
    let rows: Vec<String> =
        all().map(|mutant| format!("| `{}` | {} | [{}]", mutant.id, mutant.does, mutant.source)).collect();
    let differ = on_page.len() != rows.len() || on_page.iter().zip(&rows).any(|(page, row)| !page.starts_with(row));
    assert!(!differ, "docs/mutants.md is not of these mutants; run `cargo xtask mutants --write`");
}

/// Those that the page says are caught soon; a margin of ten leaves the generator free to change.
#[test]
fn generated_runs_catch_those_that_are_caught_soon() {
    let soon: Vec<&Mutant> = all()
        .filter(|mutant| {
            let row = PAGE.lines().find(|line| line.starts_with(&format!("| `{}` |", mutant.id)));
            row.is_some_and(|row| row.ends_with(": ≤ 100 |") || row.ends_with(": ≤ 10 |"))
        })
        .collect();
    assert!(soon.len() > 20, "{} mutants", soon.len());
    let missed: Vec<&str> = soon
        .into_iter()
        .filter(|mutant| generated::search(*mutant, Some(mutant.breaks), generated::SEED, 1000).is_none())
        .map(|mutant| mutant.id)
        .collect();
    assert!(missed.is_empty(), "not caught within 1000 runs: {missed:?}");
}
