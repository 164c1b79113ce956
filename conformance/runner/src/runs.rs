//! Many testees in one run, side by side.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use wirecanon_cases::parallel;
use wirecanon_judge::case::Case;
use wirecanon_judge::exit::Stop;

use crate::run::{INTERRUPTED, Manner, Step, TesteeRun, run_as};
use crate::testee::{Budget, StartError, from_argument};

/// A testee, and how it is asked.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// As on the command line
    pub argument: String,
    /// What is asked of it
    pub manner: Manner,
}

/// Gives the cases to every testee, as many at once as the machine has processors. `step` is told how far they are, and
/// `done` with each testee's run, in the order of the testees. Once somebody stops the run, no other testee is started.
///
/// # Errors
///
/// Those of `done`.
pub fn all(
    entrants: &[Entrant],
    budget: Budget,
    cases: &[&Case],
    step: &(dyn Fn(Step) + Sync),
    done: &mut dyn FnMut(&TesteeRun) -> Result<(), Stop>,
) -> Result<Vec<TesteeRun>, Stop> {
    let stopped = AtomicBool::new(false);
    let work = |entrant: &Entrant| {
        let run = if stopped.load(Ordering::Relaxed) {
            not_started(entrant, INTERRUPTED.to_owned())
        } else {
            one(entrant, budget, cases, step)
        };
        if run.is_interrupted() {
            stopped.store(true, Ordering::Relaxed);
        }
        run
    };
    let (mut runs, mut names) = (Vec::new(), BTreeSet::new());
    parallel::each_in_order(entrants.iter(), parallel::threads().max(2), work, |mut run| {
        name_apart(&mut run, &mut names);
        done(&run)?;
        runs.push(run);
        Ok::<_, Stop>(true)
    })?;
    Ok(runs)
}

fn one(entrant: &Entrant, budget: Budget, cases: &[&Case], step: &(dyn Fn(Step) + Sync)) -> TesteeRun {
    match from_argument(&entrant.argument, budget) {
        Ok(mut testee) => run_as(&entrant.argument, testee.as_mut(), cases, entrant.manner, &mut |far| step(far)),
        Err(message) => not_started(entrant, message),
    }
}

fn not_started(entrant: &Entrant, message: String) -> TesteeRun {
    TesteeRun::new(entrant.argument.clone(), Err(StartError { message }), entrant.manner.minimum)
}

/// Gives a testee another name if one before it has the same, as two versions of one program have.
fn name_apart(run: &mut TesteeRun, names: &mut BTreeSet<String>) {
    let Ok(hello) = &mut run.hello else { return };
    let mut name = hello.name.clone();
    let mut number = 2;
    while !names.insert(name.clone()) {
        name = format!("{} ({number})", hello.name);
        number += 1;
    }
    if name != hello.name {
        for result in &mut run.results {
            result.testee.clone_from(&name);
        }
        hello.name = name;
    }
}
