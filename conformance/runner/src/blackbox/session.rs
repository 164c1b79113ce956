//! The whole of it: rounds until there is a reason to end, then cutting down what was found.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use wirecanon_judge::exit::Stop;

use super::Symptom;
use super::known;
use super::progress::{Progress, Seal, State, StateError};
use super::recipe::{Recipe, Way};
use super::round::{Input, Measured, ROUND, ask, draw_round};
use super::shrink::shrink;
use crate::latency::Latency;
use crate::testee::Testee;

pub use super::round::Slow;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What a stored run must have in common with this one; the seed stands here
    pub seal: Seal,
    /// Runs in all
    pub runs: u64,
    /// Seconds after which no further run starts
    pub time: Option<Duration>,
    /// Requests that cutting one input down may take
    pub shrink: usize,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All runs are done
    Done,
    /// The time is over
    Time,
    /// Somebody asked for it
    Stopped,
    /// The testee failed too often, in words
    GivenUp(String),
    /// The machine failed, in words
    Environment(String),
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Fuzzed {
    /// What was seen and found
    pub progress: Progress,
    /// Why it ended
    pub end: End,
    /// Runs that a stored run had done before
    pub before: u64,
    /// How long answers took
    pub latency: Latency,
    /// Those that took longest
    pub slowest: Vec<Slow>,
    /// Time in all, without cutting down
    pub elapsed: Duration,
    /// Time of it in which the testee was waited for
    pub waited: Duration,
}

/// What a run tells while it goes on.
pub trait Watcher {
    /// A round is done; this is what there would be to store.
    ///
    /// # Errors
    ///
    /// It cannot be stored.
    fn round(&mut self, runs: u64, state: &dyn Fn() -> State) -> Result<(), Stop>;

    /// An input was cut down.
    fn cut_down(&mut self, done: usize, of: usize);

    /// It is over; this is to be stored.
    ///
    /// # Errors
    ///
    /// It cannot be stored.
    fn over(&mut self, state: &State) -> Result<(), Stop>;
}

/// Runs it.
///
/// # Errors
///
/// The stored run is another one, or what there is to store cannot be stored.
pub fn fuzz(
    testee: &mut dyn Testee,
    ways: &[Way],
    settings: &Settings,
    stored: Option<State>,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<Fuzzed, Stop> {
    let seal = &settings.seal;
    let started = Instant::now();
    let deadline = settings.time.map(|time| started + time);
    let (mut progress, next) = match stored {
        Some(state) => {
            let cannot = |error: StateError| Stop::usage(format!("the stored run cannot be gone on with: {error}"));
            state.open(seal).map_err(cannot)?
        }
        None => (Progress::default(), Vec::new()),
    };
    let before = progress.runs;
    let mut inputs = again(&next);
    if inputs.is_empty() {
        inputs = draw_round(seal.seed, progress.runs, ways, seal.max_bytes, &progress);
    }
    let mut measured = Measured::default();
    // What is stored is of whole rounds: only these can be gone on with, and end as one run would have.
    let (end, mut whole, next) = loop {
        let left = settings.runs.saturating_sub(progress.runs);
        if left == 0 {
            break (End::Done, progress.clone(), recipes(&inputs));
        }
        let first = progress.runs;
        let some = &inputs[..inputs.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        let ((outcomes, cut), next) = thread::scope(|scope| {
            let kept = &progress;
            let next = scope.spawn(|| draw_round(seal.seed, first + ROUND, ways, seal.max_bytes, kept));
            let asked = ask(testee, some, first, deadline, stop, &mut measured);
            (asked, next.join())
        });
        let next = next.map_err(|_| Stop::new(wirecanon_judge::exit::Exit::Incomplete, "the generator failed"))?;
        let is_whole = outcomes.len() == inputs.len();
        let boundary = (!is_whole).then(|| (progress.clone(), recipes(&inputs)));
        for (input, outcome) in inputs.iter().zip(outcomes) {
            progress.take(&input.recipe, &input.made.faults, input.made.case.input.len(), outcome);
        }
        let end = match cut {
            None if is_whole => {
                watcher.round(progress.runs, &|| State::of(seal, &progress, &recipes(&next)))?;
                inputs = next;
                continue;
            }
            cut => cut.unwrap_or(End::Done),
        };
        match boundary {
            Some((whole, recipes)) => break (end, whole, recipes),
            None => break (end, progress.clone(), recipes(&next)),
        }
    };
    let elapsed = started.elapsed();
    if matches!(end, End::Done | End::Time) {
        cut_down(testee, &mut progress, settings.shrink, stop, watcher);
        for (symptom, group) in &mut whole.groups {
            let small = progress.groups.get(symptom).and_then(|group| group.small.as_ref());
            group.small = small.filter(|small| small.run == group.run).cloned();
        }
    }
    watcher.over(&State::of(seal, &whole, &next))?;
    let waited = elapsed.saturating_sub(measured.judging);
    Ok(Fuzzed { progress, end, before, latency: measured.latency, slowest: measured.slowest, elapsed, waited })
}

/// The inputs of stored recipes; none unless all can be made.
fn again(recipes: &[Recipe]) -> Vec<Input> {
    let one = |recipe: &Recipe| Some(Input { made: known::of(recipe.made()?, recipe.target), recipe: recipe.clone() });
    recipes.iter().map(one).collect::<Option<_>>().unwrap_or_default()
}

fn recipes(inputs: &[Input]) -> Vec<Recipe> {
    inputs.iter().map(|input| input.recipe.clone()).collect()
}

/// Cuts the smallest input of each cause down, if that is not done.
fn cut_down(
    testee: &mut dyn Testee,
    progress: &mut Progress,
    requests: usize,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) {
    let symptoms: Vec<Symptom> = progress.groups.keys().cloned().collect();
    for (at, symptom) in symptoms.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Some(group) = progress.groups.get_mut(symptom).filter(|group| group.small.is_none()) else { continue };
        let Some(input) = group.recipe.recipe().and_then(|recipe| again(&[recipe]).pop()) else { continue };
        group.small = shrink(testee, symptom, input, group.run, requests, stop);
        watcher.cut_down(at + 1, symptoms.len());
    }
}
