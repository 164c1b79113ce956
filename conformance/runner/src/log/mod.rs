//! The event log: what a run writes, and what every report, gate and comparison is made from.
//!
//! ```text
//! run ─▶ events ─▶ report
//! ```
//!
//! A log holds nothing that differs between two runs that found the same: no times, and no lines that a testee printed beside
//! its answers. So two such runs write the same bytes, and so do the shards of a run once they are merged.

pub mod event;
pub mod merge;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wirecanon_cases::suite::Suite;
use wirecanon_judge::case::Case;
use wirecanon_judge::case::digest::digest;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::judge::first_version;
use wirecanon_judge::plain::plain;
use wirecanon_judge::verdict::Verdict;

use crate::run::{TesteeRun, worst};

pub use event::{read, write};

/// A part of a run: every n-th case, beginning with the i-th.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Which one, from 1
    pub index: usize,
    /// Of how many
    pub of: usize,
}

/// Shards of one run at most.
const MOST_SHARDS: usize = 10_000;

impl Shard {
    /// Whether the case at this place of the selection is in it.
    pub fn has(self, place: usize) -> bool {
        place % self.of == self.index - 1
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) && of <= MOST_SHARDS => Ok(Self { index, of }),
            _ => Err(format!("`{text}` is no shard: give i/n with i from 1 to n, as 1/4")),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// What was asked of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Start {
    /// Version of the format of messages: 1
    pub wirecanon: u64,
    /// Version of the log: 1
    pub log: u64,
    /// Version of the judge
    #[serde(default = "first_version")]
    pub judge: u64,
    /// Version of the program that ran
    pub version: String,
    /// SHA-256 over ids and digests of the whole corpus
    pub corpus: String,
    /// The frozen suite whose cases score; without one all do
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// What shuffled the order of asking; 0 is the order of the corpus
    pub seed: u64,
    /// Which part of the run this is
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Patterns that cases were selected by; with any, the run is partial
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filter: Vec<String>,
    /// Cases that were selected, in all shards together
    pub cases: usize,
    /// Fewest cases that each testee must be judged on, in all shards together
    pub minimum: usize,
    /// How the testees were named on the command line
    pub testees: Vec<String>,
    /// Why nothing of it counts: the judge did not tell the fake testees from a right one
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
}

/// A case that was run.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct CaseLine {
    /// Its id
    #[serde(rename = "case")]
    pub id: String,
    /// Slug of the class of fault
    pub class: String,
    /// What it is about
    pub title: String,
    /// SHA-256 over what decides its verdicts
    pub digest: String,
    /// Whether it is of the suite
    pub scored: bool,
}

/// A whole run.
#[derive(Clone, Debug)]
pub struct Log {
    /// What was asked
    pub start: Start,
    /// The cases, by class and id
    pub cases: Vec<CaseLine>,
    /// Each testee with its results, in the order of the cases
    pub runs: Vec<TesteeRun>,
    /// Whether it came to its end
    pub complete: bool,
    /// Wall time; unknown of a run that is read from its log
    pub elapsed: Option<Duration>,
}

impl Log {
    /// Whether only a part of the corpus was run.
    pub fn is_partial(&self) -> bool {
        !self.start.filter.is_empty() || self.start.shard.is_some()
    }

    /// Why only a part was run, in words.
    pub fn why_partial(&self) -> Option<String> {
        let filter = (!self.start.filter.is_empty()).then(|| "a filter was at work".to_owned());
        let shard = self.start.shard.map(|shard| format!("shard {shard}"));
        let parts: Vec<String> = filter.into_iter().chain(shard).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Why the run does not count, by kinds.
    pub fn faults(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let void = self.start.void.as_deref().map(|void| ("void", void));
        void.into_iter().chain((!self.complete).then_some(("incomplete", "the run was cut short")))
    }

    /// How often each verdict was given.
    pub fn verdicts(&self) -> BTreeMap<Verdict, usize> {
        let mut counts = BTreeMap::new();
        for result in self.runs.iter().flat_map(|run| &run.results) {
            *counts.entry(result.judgement.verdict).or_default() += 1;
        }
        counts
    }

    /// The exit code of the run.
    pub fn exit(&self) -> Exit {
        let broken = (self.start.void.is_some() || !self.complete).then_some(Exit::Incomplete);
        worst(self.runs.iter().map(TesteeRun::exit).chain(broken))
    }

    /// Class of a case by its id.
    pub fn classes(&self) -> BTreeMap<&str, &str> {
        self.cases.iter().map(|case| (case.id.as_str(), case.class.as_str())).collect()
    }

    /// Digest of a case by its id.
    pub fn digests(&self) -> BTreeMap<&str, &str> {
        self.cases.iter().map(|case| (case.id.as_str(), case.digest.as_str())).collect()
    }

    /// Lets the cases of a suite score and no others, as if the suite had been named when they were run. A run of a corpus that
    /// has no case of the suite is left as it is: all of it scores.
    ///
    /// # Errors
    ///
    /// Cases of the suite that were not what they were when it was frozen, by their ids.
    pub fn score_by(&mut self, suite: &Suite) -> Result<(), Vec<String>> {
        let frozen = |case: &CaseLine| suite.cases.get(&case.id).map(|digest| *digest == case.digest);
        let changed: Vec<_> =
            self.cases.iter().filter(|case| frozen(case) == Some(false)).map(|case| case.id.clone()).collect();
        if !changed.is_empty() {
            return Err(changed);
        }
        if self.cases.iter().any(|case| frozen(case).is_some()) {
            for case in &mut self.cases {
                case.scored = frozen(case).is_some();
            }
            self.start.suite = Some(suite.suite.clone());
            self.mark_scored();
        }
        Ok(())
    }

    /// Marks the results of cases that do not score.
    pub fn mark_scored(&mut self) {
        let unscored: BTreeSet<&str> =
            self.cases.iter().filter(|case| !case.scored).map(|case| case.id.as_str()).collect();
        for result in self.runs.iter_mut().flat_map(|run| &mut run.results) {
            result.scored = !unscored.contains(result.case.as_str());
        }
    }
}

/// Refuses two logs of two judges.
///
/// # Errors
///
/// The versions differ: with the two names, and the cure.
pub(crate) fn same_judge(one: (&str, &Start), other: (&str, &Start)) -> Result<(), Stop> {
    let ((one_name, one), (other_name, other)) = (one, other);
    if one.judge == other.judge {
        return Ok(());
    }
    let older = if one.judge < other.judge { one_name } else { other_name };
    Err(Stop::usage(format!(
        "{one_name} has verdicts of judge {}, {other_name} of judge {}: they cannot be compared; run {older} again with this \
         version, see docs/judge.md",
        one.judge, other.judge
    )))
}

/// The digest of a whole corpus.
pub fn digest_of(cases: &[Case]) -> String {
    Suite::sum(&cases.iter().map(|case| (case.id.clone(), digest(case))).collect())
}

/// The lines of these cases; those of the suite score, and without one all do.
pub fn case_lines(cases: &[&Case], suite: Option<&Suite>) -> Vec<CaseLine> {
    let line = |case: &&Case| CaseLine {
        id: case.id.clone(),
        class: case.class.clone(),
        title: plain(&case.title).into_owned(),
        digest: digest(case),
        scored: suite.is_none_or(|suite| suite.cases.contains_key(&case.id)),
    };
    cases.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_in_one_shard() {
        for of in 1..6 {
            let shards: Vec<Shard> = (1..=of).map(|index| Shard { index, of }).collect();
            for place in 0..40 {
                assert_eq!(shards.iter().filter(|shard| shard.has(place)).count(), 1, "{place} of {of}");
            }
        }
    }

    #[test]
    fn a_shard_is_i_of_n() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, of: 3 }));
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/99999", "-1/2", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
