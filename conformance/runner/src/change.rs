//! What changed between two runs, in five buckets.

use std::collections::BTreeMap;

use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::reason;
use wirecanon_judge::verdict::Verdict;

use crate::log::{Log, same_judge};
use crate::run::{RunResult, TesteeRun, worst};

wirecanon_judge::named! {
    /// How a result changed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Bucket(name) {
        /// It was as asked, and is not any more
        NewlyFailing = "newly failing";
        /// It fails in another way
        ChangedFailure = "changed failure";
        /// It was judged, and is not any more
        VanishedCase = "vanished case";
        /// It failed, and is as asked
        NewlyPassing = "newly passing";
        /// It was not judged before, or the case asks for something else now
        NewCase = "new case";
    }
}

/// Results of one case that changed in the same way.
#[derive(Clone, Debug)]
pub struct Change<'l> {
    /// How
    pub bucket: Bucket,
    /// Whether it must not go in
    pub blocks: bool,
    /// The testee, as the newer run calls it
    pub testee: &'l str,
    /// The results before, where there were any
    pub before: Vec<&'l RunResult>,
    /// The results after, where there are any
    pub after: Vec<&'l RunResult>,
}

impl Change<'_> {
    /// How many results changed.
    pub fn results(&self) -> usize {
        self.before.len().max(self.after.len())
    }

    /// One of its results.
    pub fn result(&self) -> Option<&RunResult> {
        self.after.first().or(self.before.first()).copied()
    }
}

/// Two runs, and what changed.
#[derive(Clone, Debug)]
pub struct Comparison<'l> {
    /// By bucket, testee and case
    pub changes: Vec<Change<'l>>,
    /// Results that were judged in both
    pub compared: usize,
    /// The exit code
    pub exit: Exit,
}

type Key<'l> = (Bucket, bool, &'l str, &'l str, String);

/// Compares two runs.
///
/// # Errors
///
/// One was cut short, they are about different parts of the corpus, or a testee has no other to be compared with.
pub fn compare<'l>(base: (&str, &'l Log), head: (&str, &'l Log)) -> Result<Comparison<'l>, Stop> {
    for (name, log) in [base, head] {
        if !log.complete {
            return Err(Stop::incomplete(format!("{name}: the log has no end: run it again, whole")));
        }
        if let Some(void) = &log.start.void {
            return Err(Stop::incomplete(format!("{name}: the run is void: {void}")));
        }
    }
    let ((base_name, base), (head_name, head)) = (base, head);
    same_judge((base_name, &base.start), (head_name, &head.start))?;
    if (&base.start.filter, base.start.shard) != (&head.start.filter, head.start.shard) {
        let part = |log: &Log| match log.why_partial() {
            Some(_) if !log.start.filter.is_empty() => format!("filtered by {}", log.start.filter.join(", ")),
            Some(why) => why,
            None => "a whole run".to_owned(),
        };
        return Err(Stop::usage(format!(
            "these are about different cases: {base_name} is {}, {head_name} is {}",
            part(base),
            part(head)
        )));
    }
    let mut changes: BTreeMap<Key<'l>, Change<'l>> = BTreeMap::new();
    let mut compared = 0;
    for (before, after) in pairs(base, head)? {
        compared += of_testee((base, before), (head, after), &mut changes);
    }
    let blocks = changes.values().any(|change| change.blocks);
    // What fails in both runs is no change; what could not be run is no comparison.
    let unfit = worst(head.runs.iter().map(TesteeRun::exit));
    let unfit = matches!(unfit, Exit::Testee | Exit::TooLittle | Exit::Incomplete).then_some(unfit);
    let exit = if blocks { Exit::Findings } else { Exit::Holds };
    let little = (compared == 0).then_some(Exit::TooLittle);
    let exit = worst([Some(exit), unfit, little].into_iter().flatten());
    Ok(Comparison { changes: changes.into_values().collect(), compared, exit })
}

/// Each testee of the older run with the one of the newer that has its name; two that are alone belong together.
fn pairs<'l>(base: &'l Log, head: &'l Log) -> Result<Vec<(&'l TesteeRun, &'l TesteeRun)>, Stop> {
    if let ([before], [after]) = (&base.runs[..], &head.runs[..]) {
        return Ok(vec![(before, after)]);
    }
    let mut pairs = Vec::new();
    for before in &base.runs {
        match head.runs.iter().find(|after| after.name() == before.name()) {
            Some(after) => pairs.push((before, after)),
            None => return Err(Stop::usage(format!("the newer run has no testee called {}", before.name()))),
        }
    }
    Ok(pairs)
}

type Place<'l> = (&'l str, &'l str, &'l str);

fn judged(run: &TesteeRun) -> BTreeMap<Place<'_>, &RunResult> {
    let judged = run.results.iter().filter(|result| result.judgement.verdict != Verdict::Unsupported);
    judged.map(|result| ((result.case.as_str(), result.from.name(), result.to.as_str()), result)).collect()
}

/// Sorts the results of one testee; the number of those that were judged in both runs.
fn of_testee<'l>(
    (base, before): (&'l Log, &'l TesteeRun),
    (head, after): (&'l Log, &'l TesteeRun),
    changes: &mut BTreeMap<Key<'l>, Change<'l>>,
) -> usize {
    let (was, is) = (base.digests(), head.digests());
    let (old, new) = (judged(before), judged(after));
    let mut put = |bucket: Bucket, blocks: bool, before: Option<&'l RunResult>, now: Option<&'l RunResult>| {
        let Some(result) = now.or(before) else { return };
        let say = |result: Option<&RunResult>| match result {
            Some(result) => format!("{} {:?}", result.judgement.verdict.name(), reason::of(&result.judgement)),
            None => String::new(),
        };
        let key = (bucket, !blocks, after.name(), result.case.as_str(), format!("{}>{}", say(before), say(now)));
        let change = changes.entry(key).or_insert_with(|| Change {
            bucket,
            blocks,
            testee: after.name(),
            before: Vec::new(),
            after: Vec::new(),
        });
        change.before.extend(before);
        change.after.extend(now);
    };
    let mut compared = 0;
    for (place, before) in &old {
        let Some(now) = new.get(place).copied() else {
            put(Bucket::VanishedCase, before.judgement.ok && before.scored, Some(before), None);
            continue;
        };
        compared += 1;
        let say = |result: &RunResult| {
            let judgement = &result.judgement;
            (judgement.ok, judgement.verdict, reason::of(judgement), result.flaky.is_empty())
        };
        let same = say(before) == say(now);
        match (before.judgement.ok, now.judgement.ok) {
            _ if was.get(place.0) != is.get(place.0) && !same => put(Bucket::NewCase, false, Some(before), Some(now)),
            _ if same => {}
            (true, false) => put(Bucket::NewlyFailing, now.scored, Some(before), Some(now)),
            (false, true) => put(Bucket::NewlyPassing, false, Some(before), Some(now)),
            (false, false) => put(Bucket::ChangedFailure, now.scored, Some(before), Some(now)),
            (true, true) => {}
        }
    }
    for (place, now) in &new {
        if !old.contains_key(place) {
            put(Bucket::NewCase, false, None, Some(now));
        }
    }
    compared
}
