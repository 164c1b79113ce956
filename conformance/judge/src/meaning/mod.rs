//! Compares an answer with the conversation that a case expects, by what a model is told.
//!
//! ```text
//! case ─▶ expected conversation ─┐
//!                                ├─ compare ─▶ differences that no outcome of a broken rule explains ─▶ reasons
//! answer ────────────────────────┘
//! ```
//!
//! The expected conversation comes from the input where its own dialect accepts it, else from the canonical outcome of the case,
//! else from the outcome that the case pins for the target.

mod accept;
mod expected;
pub mod facts;
pub mod outcome;
mod reasoning;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_core::observe::{
    self, CompareOptions, Difference, Equivalence, Grade, Observation, Reason as Observed, observe_for, provider_tools,
};
use wirecanon_core::{Dialect, Target};

use self::accept::{Broken, Explainer};
pub(crate) use self::expected::Expected;
pub use self::expected::{Conversations, Document};
use self::outcome::Outcome;
use crate::case::Case;

/// One way in which an answer tells a model something else than the case expects.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// Kind of difference, as `text-missing`; SPEC.md lists them with their grades
    pub kind: String,
    /// JSON Pointer into the answer
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// JSON Pointer into the expected document
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The values that differ
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |pointer: &str| if pointer.is_empty() { "the whole" } else { pointer }.to_owned();
        f.write_str(&self.kind)?;
        if let Some(answer) = &self.answer {
            write!(f, " at {}", whole(answer))?;
        }
        if let Some(expected) = &self.expected {
            write!(f, " (expected {})", whole(expected))?;
        }
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

impl Reason {
    /// Returns the weight of the difference; `None` where this version does not know its kind.
    pub fn grade(&self) -> Option<Grade> {
        Observed::ALL.into_iter().find(|reason| reason.id() == self.kind).map(Observed::grade)
    }

    fn of(difference: &Difference) -> Self {
        Self {
            kind: difference.reason.id().to_owned(),
            answer: difference.answer.clone(),
            expected: difference.expected.clone(),
            detail: difference.detail.clone(),
        }
    }
}

/// The result of a comparison with the expected conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meaning {
    /// The differences that count, in the order in which they were found
    pub(crate) reasons: Vec<Reason>,
    /// The equivalences and acceptable outcomes that were needed
    pub used: Vec<&'static str>,
}

impl Meaning {
    fn unreadable(pointer: &str, detail: String) -> Self {
        let reason = Reason {
            kind: Observed::AnswerUnreadable.id().to_owned(),
            answer: Some(pointer.to_owned()),
            expected: None,
            detail,
        };
        Self { reasons: vec![reason], used: Vec::new() }
    }

    fn of(differences: &[Difference], outcomes: BTreeSet<Outcome>, equivalences: &BTreeSet<Equivalence>) -> Self {
        Self {
            reasons: differences.iter().map(Reason::of).collect(),
            used: outcomes
                .into_iter()
                .map(Outcome::id)
                .chain(equivalences.iter().copied().map(Equivalence::id))
                .collect(),
        }
    }
}

/// The document that an expected conversation is read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'c> {
    pub(crate) text: &'c str,
    pub(crate) dialect: Dialect,
}

/// Returns the documents that tell what a case expects for any target, the best first.
fn shared_sources(case: &Case) -> impl Iterator<Item = Source<'_>> {
    let input = std::str::from_utf8(&case.input).ok().filter(|_| case.facts().is_valid);
    let input = input.map(|text| Source { text, dialect: case.from });
    let canonical = case.expect.canonical.as_deref();
    let canonical = canonical.map(|outcome| Source { text: outcome.get(), dialect: Dialect::Canonical });
    input.into_iter().chain(canonical)
}

/// Returns the documents that tell what a case expects for a target, the best first.
fn sources<'c>(case: &'c Case, target: &Target) -> impl Iterator<Item = Source<'c>> {
    let own = case.expected_output(target).filter(|_| case.expect.canonical.is_none());
    shared_sources(case).chain(own.map(|text| Source { text, dialect: target.dialect }))
}

/// Parses a document, or lines of documents.
pub fn parse(text: &str) -> Option<Json<'_>> {
    let limits = Limits::default();
    Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)).ok()
}

/// The differences that count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Precision<'t> {
    /// Digits of numbers that a double does not hold
    pub(crate) numbers: bool,
    /// Definitions of tools that are missing, also where the answer has none at all
    pub(crate) tools: bool,
    /// Constant texts that the program adds by itself, which do not count
    pub(crate) adds: &'t [String],
}

/// Compares an answer with what the case expects; `None` where nothing is known of that. `expected` is the conversation that was read
/// before.
pub(crate) fn compare_answer(
    case: &Case,
    target: &Target,
    answer: &Json<'_>,
    precision: Precision<'_>,
    expected: Option<Expected<'_>>,
) -> Option<Meaning> {
    let mut unreadable = None;
    if let Some(expected) = expected {
        match compare_with(case, target, answer, precision, expected) {
            Ok(meaning) => return Some(meaning),
            Err(meaning) => unreadable = Some(meaning),
        }
    }
    for source in sources(case, target) {
        let Some(json) = parse(source.text) else { continue };
        let Ok(observation) = observe_for(&json, source.dialect, target.dialect) else { continue };
        let expected = Expected { observation: &observation, dialect: source.dialect };
        match compare_with(case, target, answer, precision, expected) {
            Ok(meaning) => return Some(meaning),
            Err(meaning) => {
                unreadable.get_or_insert(meaning);
            }
        }
    }
    unreadable
}

/// Compares an answer with an expected conversation.
///
/// # Errors
///
/// The answer cannot be read: the meaning that says so.
fn compare_with(
    case: &Case,
    target: &Target,
    answer: &Json<'_>,
    precision: Precision<'_>,
    expected: Expected<'_>,
) -> Result<Meaning, Meaning> {
    let Expected { observation: expected, dialect } = expected;
    let observed = observe_for(answer, target.dialect, dialect)
        .map_err(|error| Meaning::unreadable(error.pointer(), error.to_string()))?;
    // Only the outcome of repairs does not show in which form the input has its results.
    let is_repaired = dialect == Dialect::Canonical;
    let input = is_repaired.then_some(case.from);
    // Nor does it name the tools that the provider of the input runs.
    let is_home = is_repaired && case.from == target.dialect && case.from != dialect;
    let text = is_home.then(|| input_text(&case.input));
    let json = text.as_deref().and_then(parse);
    let provider_tools = json.as_ref().map(|json| provider_tools(json, case.from)).unwrap_or_default();
    // The answer may name another server.
    let named = target.for_request(Some(observed.root));
    let mut options = CompareOptions::new(named.as_ref().map_or(target, |(named, _)| named));
    options.input = input;
    options.adds = precision.adds;
    options.provider_tools = &provider_tools;
    let comparison = observe::compare_with(expected, &observed, options);
    let counts = |difference: &&Difference| match difference.reason {
        // RFC 8259, section 6: a reader of JSON values may keep the nearest double alone.
        Observed::NumberRounded => precision.numbers || !case.facts().has_long_numbers,
        Observed::ToolMissing => precision.tools || !observed.tools.is_empty(),
        // The dialect of the input has no flag, so the text alone says it.
        Observed::StandInNotAnError => difference.expected.is_some() || !is_without_flag(dialect),
        reason => reason.grade() != Grade::Setting,
    };
    let mut counted: Vec<Difference> = comparison.differences.iter().filter(counts).cloned().collect();
    let mut used = BTreeSet::new();
    let may_be_broken = !case.facts().broken.is_empty() || target.dialect == case.from;
    if !counted.is_empty() && may_be_broken {
        let text = input_text(&case.input);
        if let Some(input) = parse(&text) {
            let broken = Broken::of(case, target, &input);
            if !broken.is_empty() {
                (counted, used) = Explainer::new(&broken, expected, &observed).explain(&counted);
            }
        }
    }
    let mut meaning = Meaning::of(&counted, used, &comparison.equivalences);
    meaning.reasons.extend(accept::media_as_text(expected, &observed, &meaning.reasons));
    Ok(meaning)
}

/// The text of an input, without a byte order mark.
fn input_text(input: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input))
}

/// Returns whether the input of a case breaks a rule, in its dialect or at a target of the same dialect.
pub(crate) fn is_broken(case: &Case, target: &Target, rule: &str) -> bool {
    let has = |broken: &[(String, Option<String>)]| broken.iter().any(|(other, _)| other == rule);
    has(&case.facts().broken) || target.dialect == case.from && has(&facts::broken(case, target))
}

/// A conversation as lines of text.
#[derive(Debug)]
pub struct Shown {
    /// The document that it was read from
    pub name: String,
    /// One line for each item
    pub lines: Vec<String>,
}

impl Shown {
    fn of(name: impl Into<String>, observation: &Observation<'_>) -> Self {
        Self { name: name.into(), lines: observation.lines().iter().map(ToString::to_string).collect() }
    }
}

/// Returns the conversation that a case expects for a target.
pub fn expected(case: &Case, target: &Target) -> Option<Shown> {
    sources(case, target).find_map(|source| {
        let json = parse(source.text)?;
        let observation = observe_for(&json, source.dialect, target.dialect).ok()?;
        let name = match source.dialect {
            Dialect::Canonical if case.from != Dialect::Canonical => "the canonical outcome of the case".to_owned(),
            dialect if dialect == case.from => format!("the input, as {}", dialect.name()),
            dialect => format!("the outcome of the case, as {}", dialect.name()),
        };
        Some(Shown::of(name, &observation))
    })
}

/// Returns the conversation of an answer; `None` where it cannot be read.
pub fn observed(answer: &str, target: &Target) -> Option<Shown> {
    let json = parse(answer)?;
    let observation = observe_for(&json, target.dialect, target.dialect).ok()?;
    Some(Shown::of(target.dialect.name(), &observation))
}

/// Returns the equivalences and the acceptable outcomes that an answer needs.
pub fn used(case: &Case, target: &Target, answer: &str) -> Vec<&'static str> {
    let precision = Precision { numbers: true, tools: true, adds: &[] };
    let meaning = parse(answer).and_then(|json| compare_answer(case, target, &json, precision, None));
    meaning.map(|meaning| meaning.used).unwrap_or_default()
}

/// Returns whether a rule that the input of a case breaks has an acceptable outcome, whether or not the case accepts it.
pub fn is_acceptable(case: &Case, outcome: Outcome) -> bool {
    let has = |broken: &[(String, Option<String>)]| {
        broken.iter().any(|(rule, _)| outcome::outcomes_of(rule).contains(&outcome))
    };
    let mut targets = Target::all().iter().filter(|target| target.dialect == case.from);
    has(&case.facts().broken) || targets.any(|target| has(&facts::broken(case, target)))
}

/// Returns the rules that the input of a case breaks, each with its places and with the acceptable outcomes that the case accepts.
pub fn broken_rules(case: &Case) -> Vec<(&str, Vec<&str>, Vec<Outcome>)> {
    let mut rules: Vec<(&str, Vec<&str>, Vec<Outcome>)> = Vec::new();
    for (rule, pointer) in &case.facts().broken {
        let pointer = pointer.as_deref().filter(|pointer| !pointer.is_empty()).unwrap_or("the whole");
        match rules.iter_mut().find(|(other, ..)| other == rule) {
            Some((_, places, _)) => places.push(pointer),
            None => {
                let outcomes = outcome::outcomes_of(rule).iter().copied().filter(|outcome| case.accepts(*outcome));
                rules.push((rule, vec![pointer], outcomes.collect()));
            }
        }
    }
    rules
}

/// Returns whether results of a dialect have no error flag.
fn is_without_flag(dialect: Dialect) -> bool {
    !Target::of_dialect(dialect).content.error_flag
}
