//! What can be said about one answer of a testee.

use serde::{Deserialize, Serialize};

/// From strongest to weakest.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The same bytes came back, where nothing had to change
    Identical,
    /// Equal to the expected outcome as JSON: key order apart, number text and argument strings exact
    Exact,
    /// The target accepts it, and the model is told what the case expects
    Faithful,
    /// The target accepts it; the model is told less than the case expects, or in a weaker form
    #[serde(alias = "safe")]
    Lossy,
    /// A clear typed error, nothing emitted
    Refused,
    /// The target rejects it
    #[serde(alias = "unsafe")]
    Rejected,
    /// The model is told something else than the case expects
    Altered,
    /// The testee ended, or answered with an exception
    Crashed,
    /// No answer within the time limit
    Hung,
    /// An answer that is no JSON, or breaks the protocol
    Garbage,
    /// The testee does not claim this conversion
    Unsupported,
}

impl Verdict {
    /// All of them, from strongest to weakest.
    pub const ALL: [Self; 11] = [
        Self::Identical,
        Self::Exact,
        Self::Faithful,
        Self::Lossy,
        Self::Refused,
        Self::Rejected,
        Self::Altered,
        Self::Crashed,
        Self::Hung,
        Self::Garbage,
        Self::Unsupported,
    ];

    /// Its name in every report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Exact => "exact",
            Self::Faithful => "faithful",
            Self::Lossy => "lossy",
            Self::Refused => "refused",
            Self::Rejected => "rejected",
            Self::Altered => "altered",
            Self::Crashed => "crashed",
            Self::Hung => "hung",
            Self::Garbage => "garbage",
            Self::Unsupported => "unsupported",
        }
    }

    /// Returns the verdict with this name. The names of the first judge are read too: `safe` is `lossy`, `unsafe` is `rejected`.
    pub fn by_name(name: &str) -> Option<Self> {
        let name = match name {
            "safe" => "lossy",
            "unsafe" => "rejected",
            name => name,
        };
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }

    /// What it says, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Identical => "The same bytes came back, where nothing had to change.",
            Self::Exact => "The answer equals the expected outcome as JSON: key order apart, number text exact.",
            Self::Faithful => "The target accepts the answer, and it tells the model what the case expects.",
            Self::Lossy => {
                "The target accepts the answer, but it tells the model less than the case expects, or in a weaker form."
            }
            Self::Refused => "A clear typed error and no output; right only where the case allows its code.",
            Self::Rejected => "The target rejects the answer; the broken rules are listed.",
            Self::Altered => "The answer tells the model something else than the case expects; the reasons are listed.",
            Self::Crashed => "The testee ended, or answered with an exception.",
            Self::Hung => "No answer came within the time limit.",
            Self::Garbage => "The answer is not JSON, is too long, or breaks the protocol.",
            Self::Unsupported => "The testee does not claim this conversion, or this form of input.",
        }
    }
}

/// Whose fault a verdict is. Only the testee's own count against it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    /// The program under test
    #[default]
    Testee,
    /// The glue around it, which broke the protocol
    Adapter,
    /// The case contradicts itself
    Corpus,
    /// The runner or its judge
    Harness,
    /// The machine
    Environment,
}
