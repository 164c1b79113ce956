//! What a run knows: the inputs that showed something new, what was seen, what was found. It can be stored, and gone on with.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use wirecanon_generate as generate;
use wirecanon_generate::defect;

use super::recipe::{Kept, Recipe, Stored};
use super::symptom::Symptom;

/// Inputs that are kept at most.
const MOST_KEPT: usize = 256;

/// Things seen that are remembered at most; after that nothing is new.
const MOST_SEEN: usize = 200_000;

/// Causes that are told apart at most.
const MOST_GROUPS: usize = 1000;

/// The version of the stored form.
const FORMAT: u32 = 1;

/// An input that showed something new.
#[derive(Clone, Debug)]
struct Entry {
    recipe: Recipe,
    faults: Vec<&'static str>,
    /// How much was new
    news: usize,
}

/// A cause, and the input that shows it best: with the fewest defects, then the smallest.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What it is
    pub symptom: Symptom,
    /// Answers that had it
    pub count: u64,
    /// The run that had it first, from 0
    pub first_run: u64,
    /// Targets that were asked for
    pub targets: BTreeSet<String>,
    /// The run with that input
    pub run: u64,
    /// Bytes of that input
    pub size: usize,
    /// Defects that were at work in it; none in a valid one
    pub defects: Vec<String>,
    pub(super) recipe: Stored,
    /// What is left of it after cutting
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub small: Option<Small>,
}

/// What was left of an input.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Small {
    /// The run whose input was cut
    pub run: u64,
    /// What is left, in base64
    pub input: String,
    /// What of it must survive
    pub must_keep: Vec<String>,
    /// The target that was asked for
    pub to: String,
    /// What the testee said, in words
    pub said: String,
    /// What it gave, if it gave anything, in base64 and cut at some length
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// A refusal would be right too
    pub may_refuse: bool,
    /// The reference does the same, so the judge may be wrong
    pub doubtful: bool,
    /// Requests that it took
    pub requests: usize,
}

/// One judged answer.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) verdict: &'static str,
    pub(super) symptoms: BTreeSet<Symptom>,
    pub(super) features: Vec<u64>,
}

/// Everything that decides how a run goes on, and what it found.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Runs so far
    pub runs: u64,
    /// How often each verdict was given
    pub verdicts: BTreeMap<String, u64>,
    /// What was found, by cause
    pub groups: BTreeMap<Symptom, Group>,
    kept: Vec<Entry>,
    seen: BTreeSet<u64>,
}

impl Progress {
    /// Inputs that are kept.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// What was found, what shows with valid messages first, then what shows often.
    pub fn causes(&self) -> Vec<&Group> {
        let mut causes: Vec<_> = self.groups.values().collect();
        causes.sort_by_key(|group| (!group.defects.is_empty(), std::cmp::Reverse(group.count)));
        causes
    }

    /// Answers with findings.
    pub fn findings(&self) -> u64 {
        self.groups.values().map(|group| group.count).sum()
    }

    pub(super) fn nth(&self, at: usize) -> Kept<'_> {
        let entry = &self.kept[at];
        (&entry.recipe, &entry.faults)
    }

    /// Takes the outcome of the next run.
    pub(super) fn take(&mut self, recipe: &Recipe, faults: &[&'static str], size: usize, outcome: Outcome) {
        let run = self.runs;
        self.runs += 1;
        *self.verdicts.entry(outcome.verdict.to_owned()).or_insert(0) += 1;
        for symptom in outcome.symptoms {
            if self.groups.len() >= MOST_GROUPS && !self.groups.contains_key(&symptom) {
                continue;
            }
            let group = self.groups.entry(symptom).or_insert_with_key(|symptom| Group {
                symptom: symptom.clone(),
                count: 0,
                first_run: run,
                targets: BTreeSet::new(),
                run,
                size,
                defects: faults.iter().map(|fault| (*fault).to_owned()).collect(),
                recipe: Stored::from(recipe),
                small: None,
            });
            group.count += 1;
            group.targets.insert(recipe.target.name.clone());
            // What shows with a valid message weighs more than what needs a broken one.
            if (faults.len(), size) < (group.defects.len(), group.size) {
                group.size = size;
                group.run = run;
                group.defects = faults.iter().map(|fault| (*fault).to_owned()).collect();
                group.recipe = Stored::from(recipe);
                group.small = None;
            }
        }
        let mut news = 0;
        for feature in outcome.features {
            if self.seen.len() < MOST_SEEN && self.seen.insert(feature) {
                news += 1;
            }
        }
        if news == 0 {
            return;
        }
        self.kept.push(Entry { recipe: recipe.clone(), faults: faults.to_vec(), news });
        if self.kept.len() > MOST_KEPT {
            // The one that showed least; of several the oldest.
            let least = self.kept.iter().enumerate().min_by_key(|(at, entry)| (entry.news, *at));
            if let Some(at) = least.map(|(at, _)| at) {
                self.kept.remove(at);
            }
        }
    }
}

/// What a run must have in common with the one that it goes on with.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// The seed
    pub seed: u64,
    /// How the testee is started
    pub testee: String,
    /// Its name and version
    pub name: String,
    /// Only this dialect is read
    pub from: Option<String>,
    /// Only this target is asked for
    pub to: Option<String>,
    /// Bytes that an input is drawn from at most
    pub max_bytes: usize,
}

impl Seal {
    /// What it holds, in words.
    fn rows(&self) -> [(&'static str, String); 5] {
        let given = |name: &Option<String>| name.clone().unwrap_or_else(|| "none".to_owned());
        [
            ("the seed", self.seed.to_string()),
            ("the testee", format!("`{}` ({})", self.testee, self.name)),
            ("--from", given(&self.from)),
            ("--to", given(&self.to)),
            ("--max-bytes", self.max_bytes.to_string()),
        ]
    }
}

/// A stored run.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    format: u32,
    generator: u32,
    seal: Seal,
    runs: u64,
    verdicts: BTreeMap<String, u64>,
    groups: Vec<Group>,
    next: Vec<Stored>,
    kept: Vec<StoredEntry>,
    seen: Vec<u64>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StoredEntry {
    recipe: Stored,
    faults: Vec<String>,
    news: usize,
}

/// Why a stored run cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StateError(String);

impl State {
    /// What to store of a run, with the recipes of its next round.
    pub(super) fn of(seal: &Seal, progress: &Progress, next: &[Recipe]) -> Self {
        let kept = progress.kept.iter().map(|entry| StoredEntry {
            recipe: Stored::from(&entry.recipe),
            faults: entry.faults.iter().map(|fault| (*fault).to_owned()).collect(),
            news: entry.news,
        });
        Self {
            format: FORMAT,
            generator: generate::FORMAT,
            seal: seal.clone(),
            runs: progress.runs,
            verdicts: progress.verdicts.clone(),
            groups: progress.groups.values().cloned().collect(),
            next: next.iter().map(Stored::from).collect(),
            kept: kept.collect(),
            seen: progress.seen.iter().copied().collect(),
        }
    }

    /// The run that was stored.
    ///
    /// # Errors
    ///
    /// It is that of other settings or of another version, in words.
    pub(super) fn open(self, seal: &Seal) -> Result<(Progress, Vec<Recipe>), StateError> {
        if (self.format, self.generator) != (FORMAT, generate::FORMAT) {
            return Err(StateError("it is of another version of this program".to_owned()));
        }
        let mut rows = self.seal.rows().into_iter().zip(seal.rows());
        if let Some(((what, stored), (_, now))) = rows.find(|(stored, now)| stored != now) {
            return Err(StateError(format!("it is of a run with {what} {stored}, and this one has {now}")));
        }
        let unknown = || StateError("it names what this program does not know".to_owned());
        let next: Vec<Recipe> = self.next.iter().map(Stored::recipe).collect::<Option<_>>().ok_or_else(unknown)?;
        let entry = |stored: &StoredEntry| {
            let faults = stored.faults.iter().map(|id| defect::by_id(id).map(|defect| defect.id));
            Some(Entry { recipe: stored.recipe.recipe()?, faults: faults.collect::<Option<_>>()?, news: stored.news })
        };
        let kept: Vec<Entry> = self.kept.iter().map(entry).collect::<Option<_>>().ok_or_else(unknown)?;
        let groups = self.groups.into_iter().map(|group| (group.symptom.clone(), group)).collect();
        let seen = self.seen.into_iter().collect();
        Ok((Progress { runs: self.runs, verdicts: self.verdicts, groups, kept, seen }, next))
    }
}
