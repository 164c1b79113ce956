//! What a testee says: of itself, and in answer to one request.

use std::collections::{BTreeMap, BTreeSet};

use wirecanon_core::{Dialect, Report, Target};

/// What a testee said of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// What it is called in reports
    pub name: String,
    /// Its version, if it told
    pub version: Option<String>,
    /// The language it is written in, if it told
    pub language: Option<String>,
    /// Dialects that it reads, each with one that it writes
    pub conversions: Vec<(Dialect, Dialect)>,
    /// For conversions that are claimed for some servers alone: the names of these targets
    pub targets: BTreeMap<(Dialect, Dialect), BTreeSet<String>>,
    /// Forms of input that it takes, the one to be preferred first
    pub accepts: Vec<Form>,
    /// What its answers have beside the messages
    pub carries: BTreeSet<Carried>,
    /// Constant texts that it adds to conversations by itself
    pub adds: Vec<String>,
    /// Its names of exceptions, each with the refusal code that it stands for
    pub refusals: BTreeMap<String, String>,
    /// What was odd about the answer
    pub notes: Vec<String>,
}

impl Hello {
    /// Whether it claims to write this target from this dialect. A dialect by itself is always meant.
    pub fn claims(&self, from: Dialect, target: &Target) -> bool {
        let pair = (from, target.dialect);
        self.conversions.contains(&pair)
            && (target.is_dialect() || self.targets.get(&pair).is_none_or(|names| names.contains(&target.name)))
    }
}

crate::named! {
    /// Parts of a request that a testee may convert beside its messages.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Carried(name) {
        /// The definitions of tools
        Tools = "tools";
    }
}

crate::named! {
    /// In which form an input travels. Byte identity is judged only where the exact text does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Form(name) {
        /// `input`: a JSON value
        Json = "json";
        /// `input_text`: the exact text in a string
        Text = "text";
        /// `input_base64`: the exact bytes
        Base64 = "base64";
    }
}

/// What came back for one request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A result
    Output {
        /// Its JSON text
        bytes: Vec<u8>,
        /// Whether the bytes are the testee's own, not those of a JSON value inside an answer
        exact: bool,
        /// What was changed; only the reference tells
        report: Option<Box<Report<'static>>>,
    },
    /// A typed refusal
    Refused {
        /// One of [`crate::case::REFUSAL_CODES`]
        code: String,
        /// In the testee's words
        message: String,
    },
    /// It ended, or an exception came through
    Crashed(String),
    /// Nothing came in time
    Hung(String),
    /// Something came that is no answer
    Garbage(String),
    /// It does not claim to do this
    Unsupported(String),
    /// The machine failed, not the testee
    Environment(String),
}
