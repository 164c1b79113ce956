//! A run: which cases go to a testee for which targets, and what the whole of the verdicts says.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use wirecanon_cases::carry;
use wirecanon_cases::conversion;
use wirecanon_cases::frame::{self, Frame};
use wirecanon_cases::parallel::{self, Workers};
use wirecanon_core::{Dialect, Target};
use wirecanon_judge::case::Case;
use wirecanon_judge::exit::Exit;
use wirecanon_judge::judge::{Demands, Judgement, judge_as, judge_with};
use wirecanon_judge::meaning::{Conversations, Document};
use wirecanon_judge::reason;
use wirecanon_judge::verdict::{Domain, Verdict};

use crate::dice::Dice;
use crate::shown::Shown;
use crate::testee::{Answer, Hello, Request, StartError, Testee};

pub use wirecanon_cases::conversion::targets_of;

pub use crate::testee::INTERRUPTED;

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
    /// Whether the case is of the suite that scores; one that came later is shown and fails nothing
    #[serde(skip_serializing_if = "is_true")]
    pub scored: bool,
    /// Every verdict that was given, if asking again gave another
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flaky: Vec<Verdict>,
    /// What was given, of a result that is not as asked; shared with the results beside it that gave the same
    #[serde(skip)]
    pub answer: Option<Arc<Shown>>,
    /// The case passed, and failed inside a frame: the judgement is that of the answer with the frame
    #[serde(skip_serializing_if = "is_false")]
    pub framed: bool,
    /// What was asked, of a result that is not as asked and whose case was carried into another dialect or framed
    #[serde(skip)]
    pub carried: Option<Arc<Shown>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_true(flag: &bool) -> bool {
    *flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

/// What a run took. It differs from run to run, so no event tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// Wall time of the testee's whole run
    pub seconds: f64,
    /// Of it, time that was spent waiting for the testee
    pub testee_seconds: f64,
    /// The rest: planning, judging, reporting
    pub harness_seconds: f64,
    /// Answers that came
    pub answers: usize,
    /// Answers by wall time
    pub answers_per_second: f64,
    /// Median of the waits for the next answer, in microseconds
    pub p50_us: f64,
    /// All but one in a hundred waits were not longer, in microseconds
    pub p99_us: f64,
}

impl Measured {
    fn of(all: Duration, testee: Duration, mut waits: Vec<Duration>) -> Self {
        waits.sort_unstable();
        let at = |percent: usize| {
            let place = (waits.len() * percent).div_ceil(100).saturating_sub(1);
            waits.get(place).map_or(0.0, |wait| (wait.as_secs_f64() * 1e7).round() / 10.0)
        };
        let round = |duration: Duration| (duration.as_secs_f64() * 1000.0).round() / 1000.0;
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = waits.len() as f64 / all.as_secs_f64().max(1e-6);
        Self {
            seconds: round(all),
            testee_seconds: round(testee),
            harness_seconds: round(all.saturating_sub(testee)),
            answers: waits.len(),
            answers_per_second: rate.round(),
            p50_us: at(50),
            p99_us: at(99),
        }
    }
}

/// How a testee is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Fewest cases that must be judged
    pub minimum: usize,
    /// Whether to ask for what only the reference promises
    pub strict: bool,
    /// How often a result that is not as asked is asked for again
    pub rerun: u32,
    /// Each case that passed is asked for again in a frame, and counts where both answers are right
    pub frames: bool,
    /// Shuffles the order in which cases are sent; 0 leaves it that of the corpus
    pub seed: u64,
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
    /// What it took; unknown of a run that is read from its log
    pub measured: Option<Measured>,
}

impl TesteeRun {
    /// A run without a result yet.
    pub(crate) fn new(argument: String, hello: Result<Hello, StartError>, minimum: usize) -> Self {
        let (results, remarks) = (Vec::new(), Vec::new());
        Self { argument, hello, results, remarks, judged: 0, minimum, measured: None }
    }

    /// Its name in reports.
    pub fn name(&self) -> &str {
        self.hello.as_ref().map_or(&self.argument, |hello| &hello.name)
    }

    /// Distinct cases that were judged.
    pub fn count_judged(results: &[RunResult]) -> usize {
        let judged = results.iter().filter(|result| {
            result.judgement.verdict != Verdict::Unsupported && result.judgement.domain != Domain::Environment
        });
        judged.map(|result| result.case.as_str()).collect::<BTreeSet<_>>().len()
    }

    /// Whether somebody stopped the run.
    pub fn is_interrupted(&self) -> bool {
        self.results.iter().any(|result| {
            result.judgement.domain == Domain::Environment
                && result.judgement.failures.iter().any(|why| why == INTERRUPTED)
        }) || self.hello.as_ref().is_err_and(|error| error.message == INTERRUPTED)
    }

    /// How often each verdict was given, strongest first.
    pub fn counts(&self) -> BTreeMap<Verdict, usize> {
        let mut counts = BTreeMap::new();
        for result in &self.results {
            *counts.entry(result.judgement.verdict).or_insert(0) += 1;
        }
        counts
    }

    /// Returns the equivalences and acceptable outcomes that answers needed which are as asked, each with the number of such answers, the
    /// most frequent first.
    pub fn allowed_by(&self) -> Vec<(&str, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for result in self.results.iter().filter(|result| result.judgement.ok) {
            for id in &result.judgement.allowed_by {
                *counts.entry(id).or_default() += 1;
            }
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        counts
    }

    /// Why the testee was judged on too few cases, if it was.
    pub fn too_little(&self) -> Option<String> {
        let needed = self.minimum.max(1);
        (self.judged < needed).then(|| format!("judged on {} cases, {needed} are needed", self.judged))
    }

    /// Results that are not as asked.
    pub fn findings(&self) -> impl Iterator<Item = &RunResult> {
        self.results.iter().filter(|result| !result.judgement.ok)
    }

    /// What the exit code must say about this testee.
    pub fn exit(&self) -> Exit {
        if self.is_interrupted() {
            return Exit::Incomplete;
        }
        if self.hello.is_err() {
            return Exit::Testee;
        }
        let foreign = |result: &RunResult| {
            matches!(result.judgement.domain, Domain::Environment | Domain::Harness | Domain::Corpus)
        };
        let mut scored = self.findings().filter(|result| result.scored).peekable();
        let findings = scored.peek().is_some();
        if scored.any(foreign) {
            return Exit::Incomplete;
        }
        if self.too_little().is_some() {
            return Exit::TooLittle;
        }
        if findings { Exit::Findings } else { Exit::Holds }
    }
}

/// Of several exit codes the one that tells most: what could not be run weighs more than what was found.
pub fn worst(exits: impl IntoIterator<Item = Exit>) -> Exit {
    let weight = |exit: &Exit| match exit {
        Exit::Holds => 0,
        Exit::Stale => 1,
        Exit::Findings => 2,
        Exit::TooLittle => 3,
        Exit::Incomplete => 4,
        Exit::Testee => 5,
        Exit::Usage => 6,
    };
    exits.into_iter().max_by_key(weight).unwrap_or(Exit::TooLittle)
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

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// So many more requests will be made
    Planned(usize),
    /// One was answered
    Answered,
}

/// Gives every case to the testee, for each target that it claims, and judges its answers. A case in a dialect that it does
/// not read is carried into those that it reads, where they can say its fault. `strict` asks for what only the
/// reference promises; `step` is told of each answer, and how many are to come.
pub fn run(
    argument: &str,
    testee: &mut dyn Testee,
    cases: &[&Case],
    minimum: usize,
    strict: bool,
    step: &mut dyn FnMut(Step),
) -> TesteeRun {
    run_as(argument, testee, cases, Manner { minimum, strict, ..Manner::default() }, step)
}

/// As [`run`], in any manner.
pub fn run_as(
    argument: &str,
    testee: &mut dyn Testee,
    cases: &[&Case],
    manner: Manner,
    step: &mut dyn FnMut(Step),
) -> TesteeRun {
    let begun = Instant::now();
    let hello = testee.hello();
    let mut run = TesteeRun::new(argument.to_owned(), hello, manner.minimum);
    let Ok(hello) = &run.hello else { return run };
    let name = hello.name.clone();
    let demands = Demands::of(hello, manner.strict);
    let carried: Vec<Vec<Case>> = cases.iter().map(|case| carried_for(case, hello)).collect();
    let mut plan: Vec<Planned<'_>> = Vec::new();
    for (case, carried) in cases.iter().zip(&carried).flat_map(|(case, carried)| {
        std::iter::once((*case, false)).chain(carried.iter().map(|carried| (carried, true)))
    }) {
        for target in targets_for(case, hello) {
            let claimed = hello.claims(case.from, target);
            if !claimed && carried {
                continue;
            }
            let said = (!claimed).then(|| {
                let why = format!("it does not claim {} to {}", case.from.name(), target.dialect.name());
                judge_as(case, target, &Answer::Unsupported(why), demands)
            });
            plan.push(Planned { carried, said, ..Planned::new(case, target) });
        }
    }
    let mut places: Vec<usize> = (0..plan.len()).filter(|place| plan[*place].said.is_none()).collect();
    shuffle(&mut places, manner.seed);
    step(Step::Planned(places.len()));
    let (mut waits, mut waited) = (Vec::with_capacity(places.len()), Duration::ZERO);
    waited += ask(testee, &mut plan, &places, demands, &mut |planned, said, wait| {
        step(Step::Answered);
        waits.push(wait);
        (planned.said, planned.answer) = (Some(said.judgement), said.answer);
    });
    for _ in 0..manner.rerun {
        let again: Vec<usize> = places.iter().copied().filter(|place| plan[*place].is_worth_asking_again()).collect();
        if again.is_empty() {
            break;
        }
        step(Step::Planned(again.len()));
        waited += ask(testee, &mut plan, &again, demands, &mut |planned, said, _| {
            step(Step::Answered);
            planned.meet(said);
        });
    }
    if manner.frames {
        waited += ask_framed(testee, &mut plan, Demands { strict: false, ..demands }, step);
    }
    for Planned { case, target, carried, said, answer, flaky, framed } in plan {
        let judgement = said.unwrap_or_else(|| {
            let missing = Answer::Environment("no answer was given for this request".to_owned());
            Judgement { domain: Domain::Harness, ..judge_as(case, target, &missing, demands) }
        });
        run.results.push(RunResult {
            case: case.id.clone(),
            title: case.title.clone(),
            testee: name.clone(),
            from: case.from,
            to: target.name.clone(),
            framed: framed.is_some(),
            carried: framed.or_else(|| (carried && !judgement.ok).then(|| Shown::of(&case.input))),
            judgement,
            scored: true,
            flaky: flaky.into_iter().collect(),
            answer,
        });
    }
    share(&mut run.results);
    run.judged = TesteeRun::count_judged(&run.results);
    run.remarks = hello.notes.iter().cloned().chain(testee.remarks()).collect();
    run.measured = Some(Measured::of(begun.elapsed(), waited, waits));
    run
}

/// One thing that a testee is asked for, and what is known of it.
struct Planned<'c> {
    case: &'c Case,
    target: &'static Target,
    /// Whether its dialect is not that of the file of the case
    carried: bool,
    said: Option<Judgement>,
    /// What was given, if that is not as asked
    answer: Option<Arc<Shown>>,
    /// Every verdict so far, once there are two that differ
    flaky: BTreeSet<Verdict>,
    /// The input with the frame, where its answer is wrong and that of the case is right
    framed: Option<Arc<Shown>>,
}

impl<'c> Planned<'c> {
    fn new(case: &'c Case, target: &'static Target) -> Self {
        Self { case, target, carried: false, said: None, answer: None, flaky: BTreeSet::new(), framed: None }
    }

    /// Whether it failed, and by the testee: what was not tried, or was stopped by somebody, says nothing of it.
    fn is_worth_asking_again(&self) -> bool {
        self.flaky.is_empty()
            && self.said.as_ref().is_some_and(|said| {
                !said.ok && matches!(said.domain, Domain::Testee | Domain::Adapter) && !was_not_tried(said)
            })
    }

    /// Returns whether the answer was right, so that the case is asked for inside a frame.
    fn has_passed(&self) -> bool {
        let is_output = |said: &Judgement| !matches!(said.verdict, Verdict::Unsupported | Verdict::Refused);
        self.said.as_ref().is_some_and(|said| said.ok && is_output(said))
    }

    /// Takes what the same question gave another time. Of two that differ the worse one stands.
    fn meet(&mut self, said: Said) {
        let Some(first) = &mut self.said else { return };
        let Said { judgement: again, answer } = said;
        if was_not_tried(&again) || matches!(again.domain, Domain::Environment | Domain::Harness) {
            return;
        }
        if (first.verdict, reason::of(first)) == (again.verdict, reason::of(&again)) {
            return;
        }
        self.flaky.extend([first.verdict, again.verdict]);
        if !again.ok && again.verdict > first.verdict {
            *first = again;
            self.answer = answer;
        }
    }
}

fn was_not_tried(said: &Judgement) -> bool {
    said.failures.first().is_some_and(|why| why.starts_with("not tried"))
}

/// Asks for each case that passed inside a frame: the largest one that the testee passes by itself, and that the case can be put
/// into. Returns the time that was spent waiting for the testee.
fn ask_framed(
    testee: &mut dyn Testee,
    plan: &mut [Planned<'_>],
    demands: Demands<'_>,
    step: &mut dyn FnMut(Step),
) -> Duration {
    let pair = |planned: &Planned<'_>| (planned.case.from, planned.target.name.as_str());
    let pairs: BTreeMap<(Dialect, &'static str), &'static Target> =
        plan.iter().filter(|planned| planned.has_passed()).map(|planned| (pair(planned), planned.target)).collect();
    let mut passed: BTreeMap<(Dialect, &'static str), BTreeSet<Frame>> = BTreeMap::new();
    let mut alters: BTreeSet<(Dialect, &'static str)> = BTreeSet::new();
    // Of a testee that passes the whole frame, the parts are not asked for.
    let (whole, parts) = Frame::ALL.split_at(1);
    let mut waited = Duration::ZERO;
    for frames in [whole, parts] {
        let open = pairs.iter().filter(|(pair, _)| !passed.contains_key(*pair));
        let bare: Vec<(Frame, Case, &'static Target)> = open
            .flat_map(|((from, _), target)| {
                frames.iter().filter_map(|frame| Some((*frame, frame::bare(*frame, *from)?, *target)))
            })
            .collect();
        let mut inner: Vec<Planned<'_>> = bare.iter().map(|(_, case, target)| Planned::new(case, target)).collect();
        waited += ask_again(testee, &mut inner, demands, step);
        for (planned, (frame, ..)) in inner.iter().zip(&bare) {
            let Some(said) = &planned.said else { continue };
            if said.ok {
                passed.entry(pair(planned)).or_default().insert(*frame);
            } else if frame.is_of_calls() && said.verdict == Verdict::Altered {
                alters.insert(pair(planned));
            }
        }
    }
    // Calls that become other calls are no lack of the testee that a smaller frame makes up for.
    let alters = |pair: &(Dialect, &'static str), passed: Option<&BTreeSet<Frame>>| {
        alters.contains(pair) && !passed.is_some_and(|passed| passed.iter().any(|frame| frame.has_calls()))
    };
    let allowed = |planned: &Planned<'_>| {
        let passed = passed.get(&pair(planned));
        let is_whole = passed.is_some_and(|passed| passed.contains(&whole[0])) || alters(&pair(planned), passed);
        move |frame: &Frame| is_whole || passed.is_some_and(|passed| passed.contains(frame))
    };
    let mut framed: BTreeMap<(usize, Frame), Option<Case>> = BTreeMap::new();
    let key = |case: &Case| std::ptr::from_ref(case) as usize;
    let mut chosen: Vec<(usize, (usize, Frame))> = Vec::new();
    for (at, planned) in plan.iter().enumerate().filter(|(_, planned)| planned.has_passed()) {
        let mut frames = Frame::ALL.iter().copied().filter(allowed(planned));
        let found = frames.find(|frame| {
            let known = framed.entry((key(planned.case), *frame));
            known.or_insert_with(|| frame::framed(planned.case, *frame)).is_some()
        });
        chosen.extend(found.map(|frame| (at, (key(planned.case), frame))));
    }
    let chosen = chosen.iter().filter_map(|(at, key)| Some((*at, framed.get(key)?.as_ref()?)));
    let (places, mut inner): (Vec<usize>, Vec<Planned<'_>>) =
        chosen.map(|(at, case)| (at, Planned::new(case, plan[at].target))).unzip();
    waited += ask_again(testee, &mut inner, demands, step);
    for (at, inner) in places.into_iter().zip(inner) {
        let Some(said) = inner.said.filter(|said| !said.ok) else { continue };
        let outer = &mut plan[at];
        (outer.said, outer.answer) = (Some(said), inner.answer);
        outer.framed = Some(Shown::of(&inner.case.input));
    }
    waited
}

/// Asks for all of a plan.
fn ask_again(
    testee: &mut dyn Testee,
    plan: &mut [Planned<'_>],
    demands: Demands<'_>,
    step: &mut dyn FnMut(Step),
) -> Duration {
    if plan.is_empty() {
        return Duration::ZERO;
    }
    step(Step::Planned(plan.len()));
    let places: Vec<usize> = (0..plan.len()).collect();
    ask(testee, plan, &places, demands, &mut |planned, said, _| {
        step(Step::Answered);
        (planned.said, planned.answer) = (Some(said.judgement), said.answer);
    })
}

/// A judgement, and of one that is not as asked what it is about.
struct Said {
    judgement: Judgement,
    answer: Option<Arc<Shown>>,
}

impl Said {
    fn of(case: &Case, target: &Target, answer: &Answer, demands: Demands<'_>, read: &Conversations<'_, '_>) -> Self {
        let judgement = judge_with(case, target, answer, demands, Some(read));
        let answer = match answer {
            Answer::Output { bytes, .. } if !judgement.ok => Some(Shown::of(bytes)),
            _ => None,
        };
        Self { judgement, answer }
    }
}

/// Lets results of one case that gave the same hold it once.
fn share(results: &mut [RunResult]) {
    let mut begin = 0;
    while begin < results.len() {
        let end = results[begin..].iter().position(|result| result.case != results[begin].case);
        let end = end.map_or(results.len(), |length| begin + length);
        let mut seen: Vec<Arc<Shown>> = Vec::new();
        for slot in results[begin..end].iter_mut().flat_map(|result| [&mut result.answer, &mut result.carried]) {
            let Some(shown) = slot else { continue };
            match seen.iter().find(|other| *other == shown) {
                Some(other) => *shown = Arc::clone(other),
                None => seen.push(Arc::clone(shown)),
            }
        }
        begin = end;
    }
}

/// Answers that come sooner one after the other are judged some at once.
const AT_ONCE: Duration = Duration::from_micros(200);

/// Asks for these places of the plan, and tells each judgement with the wait for its answer. Returns the time that was spent
/// waiting for the testee.
fn ask<'c>(
    testee: &mut dyn Testee,
    plan: &mut [Planned<'c>],
    places: &[usize],
    demands: Demands<'_>,
    told: &mut dyn FnMut(&mut Planned<'c>, Said, Duration),
) -> Duration {
    let asked: Vec<_> = places.iter().map(|place| (plan[*place].case, plan[*place].target)).collect();
    let requests: Vec<Request<'c>> = asked.iter().map(|(case, target)| Request::of(case, target)).collect();
    // Places of one case often follow each other, and its conversation is read once for all of them.
    let mut documents: Vec<Document<'c>> = Vec::new();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut document_of: Vec<usize> = Vec::with_capacity(asked.len());
    for (case, _) in &asked {
        let number = *numbers.entry(std::ptr::from_ref(*case) as usize).or_insert_with(|| {
            documents.push(Document::new(case));
            documents.len() - 1
        });
        document_of.push(number);
    }
    let conversations: Vec<Conversations<'_, 'c>> = documents.iter().map(Conversations::new).collect();
    let judge = |index: usize, (answer, wait): (Answer, Duration)| {
        let (case, target) = asked[index];
        (Said::of(case, target, &answer, demands, &conversations[document_of[index]]), wait)
    };
    let mut waited = Duration::ZERO;
    let mut told = |(index, (said, wait)): (usize, (Said, Duration))| {
        waited += wait;
        told(&mut plan[places[index]], said, wait);
    };
    if let Some(function) = testee.function() {
        let answer_and_judge = |index: usize| {
            let begun = Instant::now();
            let answer = function(&requests[index]);
            (index, judge(index, (answer, begun.elapsed())))
        };
        let Ok(()) = parallel::each_in_order(0..requests.len(), parallel::threads(), answer_and_judge, |said| {
            told(said);
            Ok::<_, Infallible>(true)
        });
        return waited / u32::try_from(parallel::threads()).unwrap_or(u32::MAX);
    }
    let after_the_last = thread::scope(|scope| {
        let mut judges = Workers::start(scope, parallel::threads(), judge);
        let mut last = Instant::now();
        testee.convert(&requests, &mut |index, answer| {
            let wait = last.elapsed();
            judges.take(index, (answer, wait), wait > AT_ONCE);
            judges.so_far().for_each(&mut told);
            last = Instant::now();
        });
        let rest = last.elapsed();
        judges.finish().for_each(&mut told);
        rest
    });
    waited + after_the_last
}

/// Puts a list in an order that the seed decides; 0 leaves it as it is.
fn shuffle(list: &mut [usize], seed: u64) {
    if seed == 0 {
        return;
    }
    let mut dice = Dice::new(seed);
    for end in (1..list.len()).rev() {
        list.swap(end, dice.below(end + 1));
    }
}
