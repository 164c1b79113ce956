//! A run: which cases go to a testee for which targets, and what the whole of the verdicts says.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use wirecanon_core::{Dialect, Mode, Target};

use crate::carry;
use crate::case::Case;
use crate::conversion;
use crate::exit::Exit;
use crate::judge::{Judgement, judge};
use crate::testee::{Answer, Hello, Request, StartError, Testee};
use crate::verdict::{Domain, Verdict};

/// One verdict and what it is about.
#[derive(Clone, Debug, Serialize)]
pub struct RunResult {
    /// Case id
    pub case: String,
    /// Title of the case
    pub title: String,
    /// Name of the testee
    pub testee: String,
    /// Dialect of the input
    pub from: Dialect,
    /// Target that was asked for
    pub to: String,
    /// What was said
    #[serde(flatten)]
    pub judgement: Judgement,
}

/// What a testee did with all its cases.
#[derive(Clone, Debug)]
pub struct TesteeRun {
    /// How it was named on the command line
    pub argument: String,
    /// What it said of itself, or why it did not
    pub hello: Result<Hello, StartError>,
    /// By case and target, in the order of the corpus and of the target table
    pub results: Vec<RunResult>,
    /// What it printed beside its answers
    pub remarks: Vec<String>,
    /// Distinct cases that were judged
    pub judged: usize,
    /// Fewest cases that had to be
    pub minimum: usize,
}

impl TesteeRun {
    /// Its name in reports.
    pub fn name(&self) -> &str {
        self.hello.as_ref().map_or(&self.argument, |hello| &hello.name)
    }

    /// How often each verdict was given, strongest first.
    pub fn counts(&self) -> BTreeMap<Verdict, usize> {
        let mut counts = BTreeMap::new();
        for result in &self.results {
            *counts.entry(result.judgement.verdict).or_insert(0) += 1;
        }
        counts
    }

    /// Results that are not as asked.
    pub fn findings(&self) -> impl Iterator<Item = &RunResult> {
        self.results.iter().filter(|result| !result.judgement.ok)
    }

    /// What the exit code must say about this testee.
    pub fn exit(&self) -> Exit {
        if self.hello.is_err() {
            return Exit::Testee;
        }
        let foreign = |result: &RunResult| {
            matches!(result.judgement.domain, Domain::Environment | Domain::Harness | Domain::Corpus)
        };
        if self.findings().any(foreign) {
            return Exit::Incomplete;
        }
        if self.judged < self.minimum.max(1) {
            return Exit::TooLittle;
        }
        if self.findings().next().is_some() { Exit::Findings } else { Exit::Holds }
    }
}

/// Of several exit codes the one that tells most: what could not be run weighs more than what was found.
pub fn worst(exits: impl IntoIterator<Item = Exit>) -> Exit {
    let weight = |exit: &Exit| match exit {
        Exit::Holds => 0,
        Exit::Findings => 1,
        Exit::TooLittle => 2,
        Exit::Incomplete => 3,
        Exit::Testee => 4,
        Exit::Usage => 5,
    };
    exits.into_iter().max_by_key(weight).unwrap_or(Exit::TooLittle)
}

/// Every run of a case: to canonical, back to its own dialect, and to each target that its dialect can be written for.
pub fn targets_of(case: &Case) -> impl Iterator<Item = &'static Target> {
    let from = case.from;
    Target::all().iter().filter(move |target| conversion::exists(from, target))
}

/// [`targets_of`] a case, and those that only some testee writes: what its program makes of an MCP tool result is told as the
/// transcript that it sends on.
fn targets_for(case: &Case, hello: &Hello) -> impl Iterator<Item = &'static Target> {
    let further = move |target: &&Target| {
        !conversion::exists(case.from, target) && hello.conversions.contains(&(case.from, target.dialect))
    };
    targets_of(case).chain(Target::all().iter().filter(further))
}

/// The case in each dialect that the testee reads, where it does not read the case's own.
fn carried_for(case: &Case, hello: &Hello) -> Vec<Case> {
    let reads: BTreeSet<Dialect> = hello.conversions.iter().map(|(from, _)| *from).collect();
    if reads.contains(&case.from) {
        return Vec::new();
    }
    reads.into_iter().filter_map(|dialect| carry::into_dialect(case, dialect)).collect()
}

/// Gives every case to the testee, for each target that it claims, and judges its answers. A case in a dialect that it does
/// not read is carried into those that it reads, where they can say its fault. `strict` asks for what only the
/// reference promises; `step` is called after each answer.
pub fn run(
    argument: &str,
    testee: &mut dyn Testee,
    cases: &[&Case],
    minimum: usize,
    strict: bool,
    step: &mut dyn FnMut(),
) -> TesteeRun {
    let hello = testee.hello();
    let mut run = TesteeRun {
        argument: argument.to_owned(),
        hello,
        results: Vec::new(),
        remarks: Vec::new(),
        judged: 0,
        minimum,
    };
    let Ok(hello) = &run.hello else { return run };
    let name = hello.name.clone();
    let carried: Vec<Vec<Case>> = cases.iter().map(|case| carried_for(case, hello)).collect();
    let mut plan: Vec<(&Case, &'static Target)> = Vec::new();
    let mut requests = Vec::new();
    let mut places = Vec::new();
    let mut said: Vec<Option<Judgement>> = Vec::new();
    for (case, carried) in cases.iter().zip(&carried).flat_map(|(case, carried)| {
        std::iter::once((*case, false)).chain(carried.iter().map(|carried| (carried, true)))
    }) {
        for target in targets_for(case, hello) {
            if hello.claims(case.from, target) {
                places.push(plan.len());
                requests.push(Request {
                    from: case.from,
                    target,
                    mode: Mode::Request,
                    input: &case.input,
                    call_id: None,
                });
                said.push(None);
            } else if carried {
                continue;
            } else {
                step();
                let why = format!("it does not claim {} to {}", case.from.name(), target.dialect.name());
                said.push(Some(judge(case, target, &Answer::Unsupported(why), strict)));
            }
            plan.push((case, target));
        }
    }
    testee.convert(&requests, &mut |index, answer| {
        step();
        let place = places[index];
        let (case, target) = plan[place];
        said[place] = Some(judge(case, target, &answer, strict));
    });
    let mut judged = BTreeSet::new();
    for ((case, target), judgement) in plan.into_iter().zip(said) {
        let judgement = judgement.unwrap_or_else(|| {
            let missing = Answer::Environment("no answer was given for this request".to_owned());
            Judgement { domain: Domain::Harness, ..judge(case, target, &missing, strict) }
        });
        if judgement.verdict != Verdict::Unsupported && judgement.domain != Domain::Environment {
            judged.insert(case.id.as_str());
        }
        run.results.push(RunResult {
            case: case.id.clone(),
            title: case.title.clone(),
            testee: name.clone(),
            from: case.from,
            to: target.name.clone(),
            judgement,
        });
    }
    run.judged = judged.len();
    run.remarks = hello.notes.iter().cloned().chain(testee.remarks()).collect();
    run
}
