//! Asking testees what their findings ask.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::{Answers, Key};
use super::{Finding, Probe};
use crate::testee::{self, Answer, Budget, Request};

/// What was asked, and whom nobody could ask.
#[derive(Debug, Default)]
pub struct Asked {
    /// The answers
    pub answers: Answers,
    /// Testees that were not asked, each with the reason
    pub silent: BTreeMap<String, String>,
    /// Testees that did not start though they are there, each with the reason
    pub broken: BTreeMap<String, String>,
}

/// Asks every testee of these findings once. `command` gives the command that is started instead of the testee; `told` is called
/// with each testee before it is started.
pub fn ask(
    findings: &[&Finding],
    budget: Budget,
    command: impl Fn(&str) -> Option<String>,
    mut told: impl FnMut(&str, usize),
) -> Asked {
    let mut asked = Asked::default();
    let mut probes: BTreeMap<&str, BTreeMap<Key, &Probe>> = BTreeMap::new();
    for probe in findings.iter().flat_map(|finding| finding.probes()) {
        probes.entry(&probe.testee).or_default().insert(Key::of(probe), probe);
    }
    for (name, probes) in probes {
        let argument = command(name).unwrap_or_else(|| name.to_owned());
        let mut testee = match testee::from_argument(&argument, budget) {
            Ok(testee) => testee,
            Err(why) => {
                asked.silent.insert(name.to_owned(), why);
                continue;
            }
        };
        told(name, probes.len());
        let hello = match testee.hello() {
            Ok(hello) => hello,
            Err(error) => {
                asked.broken.insert(name.to_owned(), error.message);
                continue;
            }
        };
        let mut claimed = Vec::new();
        for (key, probe) in probes {
            if hello.claims(probe.case.from, probe.target) {
                claimed.push((key, probe));
            } else {
                let why = format!("it does not claim {} to {}", key.from, key.to);
                asked.answers.insert(key, Answer::Unsupported(why));
            }
        }
        let requests: Vec<Request<'_>> =
            claimed.iter().map(|(_, probe)| Request::of(&probe.case, probe.target)).collect();
        testee.convert(&requests, &mut |index, answer| {
            // What the machine failed at says nothing of the testee.
            if !matches!(answer, Answer::Environment(_)) {
                asked.answers.insert(claimed[index].0.clone(), answer);
            }
        });
    }
    asked
}

/// The names of all testees that these findings ask.
pub fn testees(findings: &[&Finding]) -> BTreeSet<String> {
    findings.iter().flat_map(|finding| finding.probes()).map(|probe| probe.testee.clone()).collect()
}
