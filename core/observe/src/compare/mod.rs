//! Comparison of two conversations by what they tell a model.

mod acceptance;
mod broken;
mod cursor;
mod details;
mod flat;
mod matcher;
mod provider;
mod reasoning;
mod schema;
mod settings;
mod tools;
mod value;
mod vocabulary;
mod words;

use std::collections::BTreeSet;
use std::fmt;

use wirecanon_json::Value;
use wirecanon_model::{Dialect, Target};

pub use self::broken::{Quote, is_media_note, is_stand_in};
pub(crate) use self::matcher::is_wrapper;
pub(crate) use self::vocabulary::{List, lists};
use crate::equivalence::Equivalence;
use crate::observation::{Observation, Tool};
use crate::reason::{Grade, Reason};

/// The outcome of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// The differences, in the order in which they were found, at most [`Comparison::MAX`] of each grade
    pub differences: Vec<Difference>,
    /// The equivalences that were needed
    pub equivalences: BTreeSet<Equivalence>,
    /// The fillers of the answer
    pub fillers: Vec<String>,
    /// The number of differences that were found and are not listed
    pub more: usize,
    /// The comparison ended early: it had listed as many altered things as it lists
    pub has_ended_early: bool,
    /// The number of listed differences of each grade
    listed: [usize; 3],
}

impl Comparison {
    /// The most differences of one grade that are listed.
    pub const MAX: usize = 100;

    /// Returns whether the model is told the same. Differences in settings do not count.
    pub fn is_same(&self) -> bool {
        self.differences.iter().all(|difference| difference.reason.grade() == Grade::Setting)
    }

    /// Returns the weight of the gravest difference.
    pub fn grade(&self) -> Option<Grade> {
        self.differences.iter().map(|difference| difference.reason.grade()).max()
    }

    /// Adds a difference between two places.
    pub(crate) fn add(
        &mut self,
        reason: Reason,
        expected: Option<Value<'_>>,
        answer: Option<Value<'_>>,
        detail: impl Into<String>,
    ) {
        let listed = &mut self.listed[reason.grade() as usize];
        if *listed >= Self::MAX {
            self.more += 1;
            return;
        }
        *listed += 1;
        let [expected, answer] = [expected, answer].map(|place| place.map(Value::pointer));
        self.differences.push(Difference { reason, expected, answer, detail: detail.into() });
        self.has_ended_early = self.listed[Grade::Altered as usize] >= Self::MAX;
    }

    pub(crate) fn uses(&mut self, equivalence: Equivalence) {
        self.equivalences.insert(equivalence);
    }
}

/// One difference between an answer and what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The kind of difference
    pub reason: Reason,
    /// The JSON Pointer of the place in the expected document
    pub expected: Option<String>,
    /// The JSON Pointer of the place in the answer
    pub answer: Option<String>,
    /// The values that differ
    pub detail: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason.id())?;
        if let Some(answer) = &self.answer {
            write!(f, " at {}", if answer.is_empty() { "the whole answer" } else { answer })?;
        }
        if let Some(expected) = &self.expected {
            write!(f, " (expected {})", if expected.is_empty() { "the whole document" } else { expected })?;
        }
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// Compares an answer with what is expected, where the answer is written for a target.
///
/// Two conversations are the same if the model at that target is told the same: differences that [`Equivalence`] lists do not count.
/// Linear in both conversations: where the answer differs in very many places, the comparison ends early.
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::{Dialect, Target};
/// use wirecanon_observe::{Reason, compare, observe};
///
/// let chat = Json::parse(r#"[{"role":"user","content":"hi"}]"#, &Limits::default())?;
/// let messages = Json::parse(r#"[{"role":"user","content":[{"type":"text","text":"ho"}]}]"#, &Limits::default())?;
/// let expected = observe(&chat, Dialect::OpenAiChat)?;
/// let answer = observe(&messages, Dialect::AnthropicMessages)?;
/// let comparison = compare(&expected, &answer, Target::of_dialect(Dialect::AnthropicMessages));
/// assert_eq!(comparison.differences[0].reason, Reason::TextChanged);
/// assert_eq!(comparison.differences[0].answer.as_deref(), Some("/0/content/0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare(expected: &Observation<'_>, answer: &Observation<'_>, target: &Target) -> Comparison {
    compare_with(expected, answer, CompareOptions::new(target))
}

/// The circumstances of a comparison.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CompareOptions<'t> {
    /// The target that the answer is written for
    pub target: &'t Target,
    /// The dialect of the input, where what is expected was read from the outcome of repairs
    pub input: Option<Dialect>,
    /// Constant texts that the program of the answer adds to conversations by itself
    pub adds: &'t [String],
    /// The tools of the input that the provider runs, where the answer is in the dialect of the input and what is expected was read from
    /// the outcome of repairs, which does not name them
    pub provider_tools: &'t [Tool<'t>],
}

impl<'t> CompareOptions<'t> {
    /// Creates the options of [`compare`].
    pub fn new(target: &'t Target) -> Self {
        Self { target, input: None, adds: &[], provider_tools: &[] }
    }
}

/// Compares two conversations as [`compare`] does, with what is known of the input and of the program.
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::{Dialect, Target};
/// use wirecanon_observe::{CompareOptions, compare_with, observe};
///
/// let chat = Json::parse(r#"[{"role":"user","content":"hi"}]"#, &Limits::default())?;
/// let answer = r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}]"#;
/// let answer = Json::parse(answer, &Limits::default())?;
/// let (expected, answer) = (observe(&chat, Dialect::OpenAiChat)?, observe(&answer, Dialect::OpenAiChat)?);
/// let mut options = CompareOptions::new(Target::of_dialect(Dialect::OpenAiChat));
/// assert!(!compare_with(&expected, &answer, options).is_same());
/// let adds = ["Be brief.".to_owned()];
/// options.adds = &adds;
/// assert!(compare_with(&expected, &answer, options).is_same());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare_with(expected: &Observation<'_>, answer: &Observation<'_>, options: CompareOptions<'_>) -> Comparison {
    let mut comparison = Comparison::default();
    let target = options.target;
    // The model that the request names decides what the target demands.
    let request = (expected.dialect == target.dialect).then_some(expected.root);
    let resolved = target.for_request(request);
    let target = resolved.as_ref().map_or(target, |(resolved, _)| resolved);
    let options = CompareOptions { target, ..options };
    let names = matcher::compare(expected, answer, options, &mut comparison);
    tools::compare(expected, answer, &names, options, &mut comparison);
    details::context(expected, answer, &mut comparison);
    settings::compare(expected, answer, &names, &mut comparison);
    comparison
}

/// The JSON of a value as code, cut where it is long.
fn short(value: Value<'_>) -> String {
    const MAX_CHARS: usize = 60;
    let raw = value.raw();
    match raw.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("`{}…`", &raw[..end]),
        None => format!("`{raw}`"),
    }
}

/// A text in quotes, cut where it is long.
fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let text = text.trim();
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}
