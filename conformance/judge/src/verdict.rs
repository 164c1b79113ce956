//! What can be said about one answer of a testee.

use serde::{Deserialize, Serialize};

crate::named! {
    /// From strongest to weakest.
    #[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Verdict(name, meaning) {
        /// The same bytes came back, where nothing had to change
        Identical = "identical", "The same bytes came back, where nothing had to change.";
        /// Equal to the expected outcome as JSON: key order apart, number text and argument strings exact
        Exact = "exact", "The answer equals the expected outcome as JSON: key order apart, number text exact.";
        /// The target accepts it, and the model is told what the case expects
        Faithful = "faithful", "The target accepts the answer, and it tells the model what the case expects.";
        /// The target accepts it; the model is told less than the case expects, or in a weaker form
        #[serde(alias = "safe")]
        Lossy = "lossy",
            "The target accepts the answer, but it tells the model less than the case expects, or in a weaker form.";
        /// A clear typed error, nothing emitted
        Refused = "refused", "A clear typed error and no output; right only where the case allows its code.";
        /// The target rejects it
        #[serde(alias = "unsafe")]
        Rejected = "rejected", "The target rejects the answer; the broken rules are listed.";
        /// The model is told something else than the case expects
        Altered = "altered", "The answer tells the model something else than the case expects; the reasons are listed.";
        /// The testee ended, or answered with an exception
        Crashed = "crashed", "The testee ended, or answered with an exception.";
        /// No answer within the time limit
        Hung = "hung", "No answer came within the time limit.";
        /// An answer that is no JSON, or breaks the protocol
        Garbage = "garbage", "The answer is not JSON, is too long, or breaks the protocol.";
        /// The testee does not claim this conversion
        Unsupported = "unsupported", "The testee does not claim this conversion, or this form of input.";
    }
}

impl Verdict {
    /// Returns the verdict with this name. The names of the first judge are read too: `safe` is `lossy`, `unsafe` is `rejected`.
    pub fn by_name(name: &str) -> Option<Self> {
        let name = match name {
            "safe" => "lossy",
            "unsafe" => "rejected",
            name => name,
        };
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
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
