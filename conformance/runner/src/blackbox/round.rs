//! One round: a fixed number of inputs, drawn from what was kept when it began, asked and judged.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::End;
use super::known::{self, Made};
use super::progress::{Outcome, Progress};
use super::recipe::{Recipe, Way, draw};
use super::symptom::{features, symptoms};
use crate::latency::Latency;
use crate::testee::{Answer, NOT_TRIED, Request, Testee};

/// Inputs of a round. What a round shows is known to the round after the next, so that inputs are made while answers come.
pub(super) const ROUND: u64 = 64;

/// What a batch of requests should take, so that a stop is seen soon.
const BATCH: Duration = Duration::from_millis(300);

/// Requests of a batch at least: fewer would leave the testee idle.
const FEWEST: usize = 16;

/// Slow answers that are remembered.
const SLOWEST: usize = 5;

/// An input.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) recipe: Recipe,
    pub(super) made: Made,
}

/// The inputs of the round that starts with run `first`.
pub(super) fn draw_round(seed: u64, first: u64, ways: &[Way], most: usize, progress: &Progress) -> Vec<Input> {
    let one = |run| {
        let (recipe, made) = draw(seed, run, ways, most, progress.kept(), |at| progress.nth(at));
        Input { made: known::of(made, recipe.target), recipe }
    };
    (first..first + ROUND).map(one).collect()
}

/// An answer that took long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slow {
    /// The run, from 0
    pub run: u64,
    /// How long it took
    pub took: Duration,
    /// Bytes of its input
    pub size: usize,
    /// Dialect of the input
    pub from: &'static str,
    /// Target that was asked for
    pub to: String,
}

/// What is measured over all rounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    pub(super) latency: Latency,
    pub(super) slowest: Vec<Slow>,
    /// Time that judging took
    pub(super) judging: Duration,
    /// Requests of a batch
    batch: usize,
}

/// Asks the inputs, and judges the answers. Outcomes stand in the order of the inputs, as many as there are without a gap.
pub(super) fn ask(
    testee: &mut dyn Testee,
    inputs: &[Input],
    first: u64,
    deadline: Option<Instant>,
    stop: &AtomicBool,
    measured: &mut Measured,
) -> (Vec<Outcome>, Option<End>) {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; inputs.len()];
    let mut cut = None;
    let mut from = 0;
    while from < inputs.len() && cut.is_none() {
        if stop.load(Ordering::Relaxed) {
            cut = Some(End::Stopped);
            break;
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            cut = Some(End::Time);
            break;
        }
        let most = measured.batch.max(FEWEST);
        let batch = &inputs[from..inputs.len().min(from + most)];
        let requests: Vec<Request<'_>> =
            batch.iter().map(|input| Request::of(&input.made.case, input.recipe.target)).collect();
        let started = Instant::now();
        let mut before = started;
        testee.convert(&requests, &mut |index, answer| {
            let came = Instant::now();
            let took = came.duration_since(before);
            // The first of two answers counts.
            if outcomes[from + index].is_some() {
                return;
            }
            match judged(&batch[index], &answer) {
                Ok(outcome) => {
                    outcomes[from + index] = Some(outcome);
                    let input = &batch[index];
                    measured.latency.add(took);
                    slow(
                        &mut measured.slowest,
                        || Slow {
                            run: first + (from + index) as u64,
                            took,
                            size: input.made.case.input.len(),
                            from: input.made.case.from.name(),
                            to: input.recipe.target.name.clone(),
                        },
                        took,
                    );
                }
                // The first reason is the one that tells.
                Err(why) => cut = Some(cut.take().unwrap_or(why)),
            }
            before = Instant::now();
            measured.judging += before.duration_since(came);
        });
        let took = started.elapsed();
        measured.batch = if took > BATCH { most / 2 } else { inputs.len().min(most * 2) };
        from += batch.len();
    }
    if matches!(cut, Some(End::Environment(_))) && stop.load(Ordering::Relaxed) {
        cut = Some(End::Stopped);
    }
    (outcomes.into_iter().map_while(|outcome| outcome).collect(), cut)
}

fn judged(input: &Input, answer: &Answer) -> Result<Outcome, End> {
    match answer {
        Answer::Environment(why) => return Err(End::Environment(why.clone())),
        Answer::Crashed(why) if why.starts_with(NOT_TRIED) => return Err(End::GivenUp(why.clone())),
        _ => {}
    }
    let (case, target) = (&input.made.case, input.recipe.target);
    let judged = input.made.judged(target, answer);
    let symptoms = symptoms(case, target, &judged);
    let features = features(case.from, target, &input.made.faults, answer, &judged, &symptoms);
    Ok(Outcome { verdict: judged.verdict.name(), symptoms, features })
}

fn slow(slowest: &mut Vec<Slow>, new: impl FnOnce() -> Slow, took: Duration) {
    if slowest.len() == SLOWEST && slowest.last().is_some_and(|last| last.took >= took) {
        return;
    }
    let at = slowest.partition_point(|one| one.took >= took);
    slowest.insert(at, new());
    slowest.truncate(SLOWEST);
}
