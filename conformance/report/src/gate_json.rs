//! What a gate says, as one JSON object for programs: `wirecanon schema gate`. It grows only by adding fields.

use std::io::{self, Write};

use serde::Serialize;
use wirecanon_judge::exit::Exit;
use wirecanon_judge::reason;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::expectation::hold::Broken;
use wirecanon_runner::expectation::{Entry, Expectations, Expected};
use wirecanon_runner::log::Log;

use super::held::{Commands, Told};
use super::json;

#[derive(Serialize)]
struct Document<'g> {
    wirecanon: u64,
    exit: u8,
    cases: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'g str>,
    complete: bool,
    partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    void: Option<&'g str>,
    testees: Vec<Testee<'g>>,
}

#[derive(Serialize)]
struct Testee<'g> {
    name: &'g str,
    argument: &'g str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'g str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'g str>,
    exit: u8,
    file: &'g str,
    entries: usize,
    judged: usize,
    good: usize,
    known: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    blessed: Option<bool>,
    regressions: Vec<Failure<'g>>,
    unscored: Vec<Failure<'g>>,
    stale: Vec<Stale<'g>>,
    bless: &'g str,
}

#[derive(Serialize)]
struct Failure<'g> {
    case: &'g str,
    title: &'g str,
    kind: String,
    from: &'static str,
    to: Vec<&'g str>,
    verdict: Verdict,
    because: Vec<String>,
    #[serde(skip_serializing_if = "<[Verdict]>::is_empty")]
    flaky: &'g [Verdict],
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<Pinned<'g>>,
    test: String,
}

#[derive(Serialize)]
struct Pinned<'g> {
    line: usize,
    case: &'g str,
    verdict: &'static str,
    because: &'g [String],
}

#[derive(Serialize)]
struct Stale<'g> {
    kind: String,
    line: usize,
    case: &'g str,
    message: &'g str,
}

/// Writes what a gate found of every testee.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log, told: &[Told<'_>], exit: Exit) -> io::Result<()> {
    let document = Document {
        wirecanon: 1,
        exit: exit as u8,
        cases: log.cases.len(),
        suite: log.start.suite.as_deref(),
        complete: log.complete,
        partial: log.is_partial(),
        void: log.start.void.as_deref(),
        testees: told.iter().map(testee).collect(),
    };
    json::pretty(out, &document)
}

fn testee<'g>(told: &'g Told<'_>) -> Testee<'g> {
    let Told { run, expectations, held, commands, .. } = told;
    let failures = |list: &'g [Broken<'g>]| list.iter().map(|broken| failure(broken, expectations, commands)).collect();
    Testee {
        name: run.name(),
        argument: &run.argument,
        version: run.hello.as_ref().ok().and_then(|hello| hello.version.as_deref()),
        error: run.hello.as_ref().err().map(|error| error.message.as_str()),
        exit: told.exit as u8,
        file: &commands.file,
        entries: expectations.entries.len(),
        judged: held.judged,
        good: held.good,
        known: held.known,
        blessed: told.blessed,
        regressions: failures(&held.regressions),
        unscored: failures(&held.unscored),
        stale: held
            .stale
            .iter()
            .map(|stale| {
                let entry = &expectations.entries[stale.entry];
                Stale { kind: kebab(stale.kind.name()), line: entry.line, case: &entry.case, message: &stale.words }
            })
            .collect(),
        bless: &commands.bless,
    }
}

fn failure<'g>(broken: &'g Broken<'g>, expectations: &'g Expectations, commands: &Commands) -> Failure<'g> {
    let result = broken.results[0];
    let mut to: Vec<&str> = broken.results.iter().map(|result| result.to.as_str()).collect();
    to.dedup();
    Failure {
        case: &result.case,
        title: &result.title,
        kind: kebab(broken.kind.name()),
        from: result.from.name(),
        to,
        verdict: result.judgement.verdict,
        because: reason::of(&result.judgement),
        flaky: &result.flaky,
        entry: broken.entry.map(|at| pinned(&expectations.entries[at])),
        test: format!("{} --case {}", commands.test, result.case),
    }
}

fn pinned(entry: &Entry) -> Pinned<'_> {
    let verdict = match entry.verdict {
        Expected::Always(verdict) => verdict.name(),
        Expected::Flaky => "flaky",
    };
    Pinned { line: entry.line, case: &entry.case, verdict, because: &entry.because }
}

/// A name of two words as one.
pub(crate) fn kebab(name: &str) -> String {
    name.replace(' ', "-")
}
