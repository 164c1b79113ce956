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
    /// The target would accept it, and nothing that it has a place for was lost
    Faithful,
    /// The target would accept it; something was lost
    Safe,
    /// A clear typed error, nothing emitted
    Refused,
    /// The target would not accept it
    Unsafe,
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
    pub const ALL: [Self; 10] = [
        Self::Identical,
        Self::Exact,
        Self::Faithful,
        Self::Safe,
        Self::Refused,
        Self::Unsafe,
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
            Self::Safe => "safe",
            Self::Refused => "refused",
            Self::Unsafe => "unsafe",
            Self::Crashed => "crashed",
            Self::Hung => "hung",
            Self::Garbage => "garbage",
            Self::Unsupported => "unsupported",
        }
    }

    /// What it says, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Identical => "The same bytes came back, where nothing had to change.",
            Self::Exact => "The answer equals the expected outcome as JSON: key order apart, number text exact.",
            Self::Faithful => "The target would accept the answer, and nothing that it has a place for was lost.",
            Self::Safe => "The target would accept the answer, but something was lost.",
            Self::Refused => "A clear typed error and no output; right only where the case allows its code.",
            Self::Unsafe => "The target would refuse the answer; the broken rules are listed.",
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
