//! What the reference writes tells a model what it was given: on every case of the corpus, for every target.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wirecanon::case::Case;
use wirecanon::corpus;
use wirecanon::run;
use wirecanon_core::invariant::{self, Known, Verdict};
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_core::normalizer::Reference;
use wirecanon_core::observe::{compare, observe_for};
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Target, check};

/// Runs a test of each case on all processors, and returns what it finds, in order.
fn of_each(cases: &[Case], test: impl Fn(&Case, &mut Vec<String>) + Sync) -> Vec<String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut mine = Vec::new();
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if case.retired.is_none() {
                        test(case, &mut mine);
                    }
                }
                found.lock().expect("no test has panicked").append(&mut mine);
            });
        }
    });
    let mut found = found.into_inner().expect("no test has panicked");
    found.sort();
    found
}

fn known(case: &Case) -> Known {
    Known { canonical: case.expect.canonical.as_ref().map(|outcome| outcome.get().to_owned()), ..Known::default() }
}

fn is_accepted(case: &Case) -> bool {
    let target = Target::of_dialect(case.from);
    let options = CheckOptions { target, mode: Mode::Request, fragment: case.is_fragment(), limits: Limits::default() };
    check(&case.input, &options).is_ok_and(|checked| checked.violations.is_empty())
}

#[test]
fn every_answer_of_the_reference_tells_a_model_what_the_case_tells_it() {
    let cases = corpus::load().expect("a well-formed corpus");
    let laws: Vec<_> = invariant::ALL.iter().filter(|law| ["M1a", "M1b"].contains(&law.id)).collect();
    assert_eq!(laws.len(), 2);
    let counts = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let differences = of_each(&cases, |case, found| {
        let known = known(case);
        for target in run::targets_of(case) {
            let asked = invariant::Case {
                fragment: case.is_fragment(),
                ..invariant::Case::bare(&case.input, From::Dialect(case.from), target, &known)
            };
            for (law, count) in laws.iter().zip(&counts) {
                match (law.check)(&Reference, &asked) {
                    Verdict::NotApplicable(_) => {}
                    Verdict::Held => {
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                    Verdict::Violated(violation) => found.push(format!("{} to {}: {violation}", case.id, target.name)),
                }
            }
        }
    });
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    let [valid, known] = counts.map(AtomicUsize::into_inner);
    assert!(valid > 15_000 && known > 20_000, "{valid} valid inputs and {known} known outcomes were compared");
}

#[test]
fn where_nothing_is_repaired_the_known_outcome_tells_a_model_what_the_case_tells_it() {
    let cases = corpus::load().expect("a well-formed corpus");
    let count = AtomicUsize::new(0);
    let differences = of_each(&cases, |case, found| {
        let Some(outcome) = case.expect.canonical.as_ref().filter(|_| is_accepted(case)) else { return };
        let limits = Limits::default();
        let text = String::from_utf8_lossy(&case.input);
        let json = Json::parse(&text, &limits).or_else(|_| parse_lines(&text, &limits)).expect("an accepted document");
        let outcome = Json::parse(outcome.get(), &limits).expect("JSON");
        let input = observe_for(&json, case.from, Dialect::Canonical);
        let outcome = observe_for(&outcome, Dialect::Canonical, case.from);
        let (input, outcome) = match (input, outcome) {
            (Ok(input), Ok(outcome)) => (input, outcome),
            (Err(error), _) => return found.push(format!("{}: the input: {error}", case.id)),
            (_, Err(error)) => return found.push(format!("{}: the outcome: {error}", case.id)),
        };
        count.fetch_add(1, Ordering::Relaxed);
        let comparison = compare(&input, &outcome, Target::of_dialect(Dialect::Canonical));
        if !comparison.is_same() {
            found.push(format!("{}: {}", case.id, comparison.differences[0]));
        }
    });
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    let count = count.into_inner();
    assert!(count > 300, "{count} cases without repairs");
}

#[test]
fn the_command_line_finds_no_difference_in_what_it_has_written() {
    let cases = corpus::load().expect("a well-formed corpus");
    let folder = tempfile::tempdir().expect("a folder");
    let count = AtomicUsize::new(0);
    let runs = cases
        .iter()
        .filter(|case| case.retired.is_none() && !case.is_fragment())
        .flat_map(|case| run::targets_of(case).filter(move |_| is_accepted(case)).map(move |target| (case, target)));
    // Every run would be thousands of processes.
    let differences: Vec<_> = runs
        .step_by(197)
        .filter_map(|(case, target)| {
            let (input, output) = (folder.path().join("input.json"), folder.path().join("output.json"));
            std::fs::write(&input, &case.input).expect("a file");
            let wirecanon = |args: &[&str]| {
                Command::new(env!("CARGO_BIN_EXE_wirecanon")).args(args).output().expect("the program starts")
            };
            let path = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
            let (from, to, input) = (case.from.name(), &*target.name, path(&input));
            let written = wirecanon(&["fix", "--from", from, "--to", to, "--for", "request", &input]);
            // A conversation that a target cannot take is refused.
            if written.stdout.is_empty() {
                return None;
            }
            std::fs::write(&output, &written.stdout).expect("a file");
            count.fetch_add(1, Ordering::Relaxed);
            let found = wirecanon(&["diff", "--from", from, "--to", to, &input, &path(&output)]);
            let words = [found.stdout, found.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
            (found.status.code() != Some(0)).then(|| format!("{} to {to}: {words}", case.id))
        })
        .collect();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    let count = count.into_inner();
    assert!(count > 100, "{count} runs through the command line");
}
