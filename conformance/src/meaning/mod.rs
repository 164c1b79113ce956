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

pub(crate) mod facts;
mod reasoning;

use serde::{Deserialize, Serialize};
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_core::observe::{Comparison, Difference, Grade, Observation, compare, observe_for};
use wirecanon_core::{Dialect, Target};

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

impl Reason {
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
    /// The weight of the gravest difference
    pub(crate) grade: Option<Grade>,
}

impl Meaning {
    fn unreadable(pointer: &str, detail: String) -> Self {
        let reason = Reason {
            kind: wirecanon_core::observe::Reason::AnswerUnreadable.id().to_owned(),
            answer: Some(pointer.to_owned()),
            expected: None,
            detail,
        };
        Self { reasons: vec![reason], grade: Some(Grade::Altered) }
    }

    fn of(comparison: &Comparison, is_exact: bool) -> Self {
        let counts = |difference: &&Difference| match difference.reason.grade() {
            Grade::Setting => false,
            // RFC 8259, section 6: a reader of JSON values may keep the nearest double alone.
            Grade::Lossy => is_exact || difference.reason != wirecanon_core::observe::Reason::NumberRounded,
            Grade::Altered => true,
        };
        let counted: Vec<&Difference> = comparison.differences.iter().filter(counts).collect();
        Self {
            reasons: counted.iter().copied().map(Reason::of).collect(),
            grade: counted.iter().map(|difference| difference.reason.grade()).max(),
        }
    }
}

/// The document that an expected conversation is read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'c> {
    pub(crate) text: &'c str,
    pub(crate) dialect: Dialect,
    /// The document is the canonical outcome of the case
    pub(crate) is_canonical_outcome: bool,
}

/// Returns the documents that tell what the case expects for a target, the best first.
fn sources<'c>(case: &'c Case, target: &Target) -> impl Iterator<Item = Source<'c>> {
    let input = std::str::from_utf8(&case.input).ok().filter(|_| case.facts().is_valid);
    let input = input.map(|text| Source { text, dialect: case.from, is_canonical_outcome: false });
    let canonical = case.expect.canonical.as_deref().map(|outcome| Source {
        text: outcome.get(),
        dialect: Dialect::Canonical,
        is_canonical_outcome: true,
    });
    let own = case.expected_output(target).filter(|_| canonical.is_none());
    let own = own.map(|text| Source { text, dialect: target.dialect, is_canonical_outcome: false });
    input.into_iter().chain(canonical).chain(own)
}

/// Parses a document, or lines of documents.
pub(crate) fn parse(text: &str) -> Option<Json<'_>> {
    let limits = Limits::default();
    Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)).ok()
}

/// Compares an answer with what the case expects; `None` where nothing is known of that. `is_exact` demands every digit of numbers.
pub(crate) fn compare_answer(case: &Case, target: &Target, answer: &Json<'_>, is_exact: bool) -> Option<Meaning> {
    let mut unreadable = None;
    for source in sources(case, target) {
        let Some(json) = parse(source.text) else { continue };
        let Ok(expected) = observe_for(&json, source.dialect, target.dialect) else { continue };
        let observed = match observe_for(answer, target.dialect, source.dialect) {
            Ok(observed) => observed,
            Err(error) => {
                unreadable.get_or_insert_with(|| Meaning::unreadable(error.pointer(), error.to_string()));
                continue;
            }
        };
        let comparison = compare_for(&expected, &observed, target);
        return Some(Meaning::of(&comparison, is_exact));
    }
    unreadable
}

/// Compares for the server that the request of the answer names.
fn compare_for(expected: &Observation<'_>, answer: &Observation<'_>, target: &Target) -> Comparison {
    match target.for_request(Some(answer.root)) {
        Ok((target, _)) => compare(expected, answer, &target),
        Err(_) => compare(expected, answer, target),
    }
}
