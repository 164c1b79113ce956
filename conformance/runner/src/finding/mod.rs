//! Findings: what published packages do wrong, each with a small message that shows it.
//!
//! `conformance/findings/<testee>.toml` says what was found and what must be said of the answer, `answers/<testee>.jsonl` beside it
//! what the package answered when it was asked last, and `docs/findings.md`, with a page of each package, is made of both. An entry counts only as long as it
//! [`hold`]s: of what is recorded, which the tests ask, and of what an installed testee answers now.

pub mod answers;
pub mod ask;
mod entry;
pub mod hold;
mod pin;
mod wire;

use wirecanon_cases::corpus;
use wirecanon_core::Target;
use wirecanon_core::target::Level;
use wirecanon_judge::case::Case;
use wirecanon_judge::verdict::Verdict;

pub use entry::{load, rule_of};
pub use pin::Pin;

/// How a finding came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A case of the corpus
    Corpus,
    /// A message that nobody wrote
    Fuzz,
    /// A message that was tried by hand, or a look at what the package answers: the judge takes it, though it is not what was said
    Protocol,
}

impl By {
    /// In words, for a list.
    pub fn says(self) -> &'static str {
        match self {
            Self::Corpus => "the corpus",
            Self::Fuzz => "fuzzing",
            Self::Protocol => "looking",
        }
    }
}

/// One defect of one package.
#[derive(Clone, Debug)]
pub struct Finding {
    /// `testee/id`
    pub name: String,
    /// The file that it stands in
    pub file: String,
    /// The line that it begins on
    pub line: usize,
    /// What is wrong, in one sentence
    pub title: String,
    /// Slug of the class of fault
    pub class: String,
    /// The package that it is in
    pub package: String,
    /// How it was found
    pub by: By,
    /// The case that found it, or the command
    pub found: String,
    /// What is asked
    pub probe: Probe,
    /// What the judge says of the answer
    pub verdict: Verdict,
    /// Why
    pub because: Vec<Pin>,
    /// What the judge takes, and is wrong all the same
    pub differs: Vec<Differs>,
    /// Rules, reports and specifications that it goes against
    pub source: Vec<String>,
    /// Where it is in the published code
    pub code: String,
    /// What the documentation says of it
    pub documented: String,
    /// Whether the documentation allows it by the letter
    pub allowed: bool,
    /// Whether the input breaks a rule already and the package, whose documentation promises no repair, passes it on; `None` where the
    /// entry does not say
    pub passed_on: Option<bool>,
    /// The models of which servers refused such requests, where others take them
    pub models: Option<String>,
    /// Reports of this to the project, as `owner/repository#number`
    pub reported: Vec<String>,
    /// The version that does it no more
    pub fixed: Option<String>,
    /// Who meets it, and what then happens
    pub suffers: String,
    /// Other messages, targets and testees that show the same
    pub also: Vec<Also>,
}

/// One question to one testee.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Adapter, or variant of one
    pub testee: String,
    /// The id of the case, or the name of the finding whose own message it is
    pub of: String,
    /// The message, and what must survive of it
    pub case: Case,
    /// What is asked for
    pub target: &'static Target,
}

/// The same defect, seen elsewhere.
#[derive(Clone, Debug)]
pub struct Also {
    /// What is asked
    pub probe: Probe,
    /// What must be said of the answer
    pub because: Vec<Pin>,
    /// Whether what differs is asked for as well: the message is the same
    pub differs: bool,
}

/// A value that is not what was said.
#[derive(Clone, Debug)]
pub struct Differs {
    /// JSON Pointer into the output
    pub at: String,
    /// What stands there, as JSON; nothing, if left out
    pub stands: Option<String>,
    /// What must stand there, as JSON; nothing, if left out
    pub must: Option<String>,
    /// Why
    pub why: String,
}

impl Finding {
    /// Everything that is asked for it, what shows it best first.
    pub fn probes(&self) -> impl Iterator<Item = &Probe> {
        std::iter::once(&self.probe).chain(self.also.iter().map(|also| &also.probe))
    }

    /// Its name among those of its adapter.
    pub fn id(&self) -> &str {
        self.name.split_once('/').map_or(self.name.as_str(), |(_, id)| id)
    }

    /// The adapter whose file it stands in.
    pub fn adapter(&self) -> &str {
        self.name.split_once('/').map_or(self.name.as_str(), |(adapter, _)| adapter)
    }

    /// Returns whether this is an input passed on, and no defect.
    pub fn is_passed_on(&self) -> bool {
        self.passed_on == Some(true)
    }

    /// Returns the verdict that a user meets first: a request that breaks a rule is rejected, whatever else is wrong with it.
    pub fn effect(&self) -> Verdict {
        let breaks_rules =
            self.because.iter().any(|pin| matches!(pin, Pin::Rule(rule, _) if self.is_rejected_for(rule)));
        match self.verdict {
            Verdict::Altered | Verdict::Lossy if breaks_rules => Verdict::Rejected,
            verdict => verdict,
        }
    }

    /// Returns whether the target rejects requests that break a rule, and does not only warn.
    pub fn is_rejected_for(&self, rule: &str) -> bool {
        self.probe.target.severity.get(rule).copied().unwrap_or_default() == Level::Error
    }

    /// Whether one of these patterns means it.
    pub fn is_one_of(&self, patterns: &[String]) -> bool {
        patterns.iter().any(|pattern| {
            if pattern.contains(['*', '?']) { corpus::matches(pattern, &self.name) } else { *pattern == self.name }
        })
    }
}
