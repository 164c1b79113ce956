//! Results held against what is expected of them.

use std::collections::{BTreeMap, BTreeSet};

use wirecanon_judge::reason;
use wirecanon_judge::verdict::Verdict;

use super::date::Date;
use super::{Entry, Expectations, Expected};
use crate::log::Log;
use crate::run::{RunResult, TesteeRun};

wirecanon_judge::named! {
    /// What is wrong with a result: it blocks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Regression(name) {
        /// It fails, and nobody expected it to
        Unexpected = "newly failing";
        /// It fails worse than it is expected to
        Worse = "worse than expected";
        /// It fails as badly as expected, for another reason
        OtherReason = "another reason";
        /// It comes out now this way, now that
        Flaky = "flaky";
        /// A pattern covers more cases than it may
        TooMany = "too many cases";
    }
}

wirecanon_judge::named! {
    /// What is wrong with an entry: it must be mended, and blocks nothing else.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Staleness(name) {
        /// What it expects to fail does not, or not as badly
        Better = "better than expected";
        /// It is about nothing that was run
        Dead = "dead";
        /// An entry before it is about the same
        Duplicate = "duplicate";
        /// Other entries are about all that it is about
        Shadowed = "shadowed";
        /// Its last day is over
        Expired = "expired";
    }
}

/// Results of one case that are wrong in the same way.
#[derive(Clone, Debug)]
pub struct Broken<'r> {
    /// In which way
    pub kind: Regression,
    /// They have one verdict and the same reasons
    pub results: Vec<&'r RunResult>,
    /// What was expected of them: its place among the entries
    pub entry: Option<usize>,
}

/// An entry that must be mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// Its place among the entries
    pub entry: usize,
    /// Why
    pub kind: Staleness,
    /// What there is to see
    pub words: String,
}

/// In which way results are wrong: their case, kind, verdict, reasons, and the entry that is about them.
type Way<'r> = (&'r str, Regression, Verdict, Vec<String>, Option<usize>);

/// All that can be said of a testee's results and what is expected of them.
#[derive(Clone, Debug, Default)]
pub struct Held<'r> {
    /// Results that are not as expected, and score
    pub regressions: Vec<Broken<'r>>,
    /// Results that are not as expected, of cases that do not score
    pub unscored: Vec<Broken<'r>>,
    /// Entries that must be mended
    pub stale: Vec<Stale>,
    /// Results that fail as expected
    pub known: usize,
    /// Results that are as asked
    pub good: usize,
    /// Scored cases that the testee was judged on
    pub judged: usize,
    /// For each entry, the results that it was the first to be about
    pub claims: Vec<Vec<&'r RunResult>>,
    /// For each entry, whether it is about this version of the testee
    pub active: Vec<bool>,
}

/// Whether an entry says just this of a result that fails.
pub fn is_pinned(entry: &Entry, result: &RunResult) -> bool {
    let verdict = match entry.verdict {
        Expected::Always(verdict) => verdict == result.judgement.verdict && result.flaky.is_empty(),
        Expected::Flaky => true,
    };
    verdict && reason::are(&entry.because, &reason::of(&result.judgement))
}

/// Holds what a testee did against what is expected of it on a day.
///
/// # Errors
///
/// An entry asks for the version of a testee that told none.
pub fn hold<'r>(
    log: &'r Log,
    run: &'r TesteeRun,
    expectations: &Expectations,
    today: Date,
) -> Result<Held<'r>, String> {
    let entries = &expectations.entries;
    let version = run.hello.as_ref().ok().and_then(|hello| hello.version.as_deref());
    let mut held = Held { claims: vec![Vec::new(); entries.len()], ..Held::default() };
    for entry in entries {
        held.active.push(match (&entry.versions, version) {
            (None, _) => true,
            (Some(versions), Some(version)) => versions.has(version),
            (Some(_), None) => {
                return Err(format!(
                    "line {}: {}: `versions` is given, and {} does not tell its version",
                    entry.line,
                    entry.case,
                    run.name()
                ));
            }
        });
    }
    let mut scopes = BTreeMap::new();
    let mut order = Vec::new();
    for (at, entry) in entries.iter().enumerate().filter(|(at, _)| held.active[*at]) {
        if let Some(first) = scopes.insert(entry.scope(), at) {
            scopes.insert(entry.scope(), first);
            let words = format!("the entry on line {} is about the same", entries[first].line);
            held.stale.push(Stale { entry: at, kind: Staleness::Duplicate, words });
        } else {
            order.push(at);
        }
    }
    // What is about less comes first.
    order.sort_by_key(|at| (entries[*at].is_pattern(), entries[*at].to.is_none(), entries[*at].from.is_none()));
    let patterns: Vec<usize> = order.iter().copied().filter(|at| entries[*at].is_pattern()).collect();
    let mut of_one: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for at in order.iter().filter(|at| !entries[**at].is_pattern()) {
        of_one.entry(&entries[*at].case).or_default().push(*at);
    }
    let mut broken: BTreeMap<Way<'r>, Vec<&'r RunResult>> = BTreeMap::new();
    let mut judged = BTreeSet::new();
    let results = by_case(run);
    for result in results.values().flatten().copied() {
        if result.scored {
            judged.insert(result.case.as_str());
        }
        let own = of_one.get(result.case.as_str()).into_iter().flatten();
        let claimed = own.chain(&patterns).copied().find(|at| says(&entries[*at], result));
        if let Some(at) = claimed {
            held.claims[at].push(result);
        }
        match judged_by(claimed.map(|at| &entries[at]), result) {
            Some(kind) => {
                let reasons = reason::of(&result.judgement);
                let key = (result.case.as_str(), kind, result.judgement.verdict, reasons, claimed);
                broken.entry(key).or_default().push(result);
            }
            None if result.judgement.ok => held.good += 1,
            None => held.known += 1,
        }
    }
    held.judged = judged.len();
    for ((_, kind, _, _, entry), results) in broken {
        let list = if results[0].scored { &mut held.regressions } else { &mut held.unscored };
        list.push(Broken { kind, results, entry });
    }
    let whole = log.start.shard.is_none();
    let cases: BTreeMap<&str, bool> = log.cases.iter().map(|case| (case.id.as_str(), case.scored)).collect();
    for at in order {
        of_entry(at, entries, &cases, whole, &results, today, &mut held);
    }
    held.stale.sort_by_key(|stale| (stale.entry, stale.kind));
    Ok(held)
}

/// The results that a testee was judged on, by case.
pub fn by_case(run: &TesteeRun) -> BTreeMap<&str, Vec<&RunResult>> {
    let mut cases: BTreeMap<&str, Vec<&RunResult>> = BTreeMap::new();
    for result in run.results.iter().filter(|result| result.judgement.verdict != Verdict::Unsupported) {
        cases.entry(&result.case).or_default().push(result);
    }
    cases
}

/// Whether an entry has a say in a result. A pattern is about what fails as it says; the other results of its cases are none
/// of its business.
fn says(entry: &Entry, result: &RunResult) -> bool {
    entry.is_about(result) && (!entry.is_pattern() || !result.judgement.ok && is_pinned(entry, result))
}

/// What is wrong with a result by the entry that is about it.
fn judged_by(entry: Option<&Entry>, result: &RunResult) -> Option<Regression> {
    if result.judgement.ok {
        return None;
    }
    let Some(entry) = entry else {
        return Some(if result.flaky.is_empty() { Regression::Unexpected } else { Regression::Flaky });
    };
    if is_pinned(entry, result) {
        return None;
    }
    match entry.verdict {
        Expected::Always(_) if !result.flaky.is_empty() => Some(Regression::Flaky),
        Expected::Always(verdict) if result.judgement.verdict > verdict => Some(Regression::Worse),
        // Less bad is for the entry to be mended.
        Expected::Always(verdict) if result.judgement.verdict < verdict => None,
        _ => Some(Regression::OtherReason),
    }
}

/// Says what is stale about an entry, or that it covers too much.
fn of_entry<'r>(
    at: usize,
    entries: &[Entry],
    cases: &BTreeMap<&str, bool>,
    whole: bool,
    results: &BTreeMap<&str, Vec<&'r RunResult>>,
    today: Date,
    held: &mut Held<'r>,
) {
    let entry = &entries[at];
    // Cases that do not score may come out as they like.
    if !entry.is_pattern() && cases.get(entry.case.as_str()) == Some(&false) {
        return;
    }
    let claims = held.claims[at].clone();
    let mut stale = |kind, words: String| held.stale.push(Stale { entry: at, kind, words });
    if claims.is_empty() {
        if !whole && (entry.is_pattern() || !cases.contains_key(entry.case.as_str())) {
            return;
        }
        let of_case = || match results.get(entry.case.as_str()) {
            Some(results) => results.iter().collect::<Vec<_>>(),
            None if entry.is_pattern() => results.values().flatten().collect(),
            None => Vec::new(),
        };
        if of_case().into_iter().any(|result| says(entry, result)) {
            stale(Staleness::Shadowed, "other entries are about all of it".to_owned());
        } else if entry.is_pattern() && of_case().into_iter().any(|result| entry.is_about(result)) {
            stale(Staleness::Better, "no case that it matches fails as it says".to_owned());
        } else if !entry.is_pattern() && !cases.contains_key(entry.case.as_str()) {
            stale(Staleness::Dead, "there is no such case".to_owned());
        } else {
            stale(Staleness::Dead, "the testee was judged on nothing that it is about".to_owned());
        }
        return;
    }
    if let Some(to) = &entry.to
        && !entry.is_pattern()
    {
        let of_case = results.get(entry.case.as_str());
        let was_judged =
            |to: &str| of_case.is_some_and(|list| list.iter().any(|result| result.to == to && entry.is_about(result)));
        let gone: Vec<_> = to.iter().map(String::as_str).filter(|to| !was_judged(to)).collect();
        if !gone.is_empty() {
            stale(Staleness::Dead, format!("the testee was not judged on it for {}", gone.join(", ")));
        }
    }
    if let Some(expires) = entry.expires
        && expires < today
    {
        stale(Staleness::Expired, format!("it was to be mended until {expires}"));
    }
    if let Some(covers) = entry.covers {
        let count = claims.iter().map(|result| result.case.as_str()).collect::<BTreeSet<_>>().len();
        if count > covers {
            held.regressions.push(Broken { kind: Regression::TooMany, results: claims, entry: Some(at) });
        } else if count < covers && whole {
            let words = format!("it may cover {covers} cases, and {count} fail as it says");
            held.stale.push(Stale { entry: at, kind: Staleness::Better, words });
        }
        return;
    }
    let Expected::Always(verdict) = entry.verdict else { return };
    let better: Vec<&RunResult> = claims
        .iter()
        .copied()
        .filter(|result| result.judgement.ok || result.flaky.is_empty() && result.judgement.verdict < verdict)
        .collect();
    if let Some(first) = better.first() {
        let others = claims.len() - better.len();
        let part = if others == 0 { String::new() } else { format!(" for {}", targets(&better)) };
        let words = format!("`{}` is expected, and it is `{}`{part}", verdict.name(), first.judgement.verdict.name());
        stale(Staleness::Better, words);
    }
}

/// Returns each name once, in the order of their first places.
pub fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

/// The targets of some results, in few words.
pub fn targets(results: &[&RunResult]) -> String {
    const SHOWN: usize = 4;
    let names = distinct(results.iter().map(|result| result.to.as_str()));
    if names.len() > SHOWN {
        return format!("{} and {} more", names[..SHOWN - 1].join(", "), names.len() - SHOWN + 1);
    }
    names.join(", ")
}
