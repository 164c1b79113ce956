//! Planted faults: the reference, and then a change to its answer.

use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};

/// What a planted fault makes of an answer.
pub(crate) type Change = fn(&Request<'_>, Outcome) -> Outcome;

/// The reference with a fault.
pub(crate) struct Mutant(pub(crate) Change);

impl Normalizer for Mutant {
    fn name(&self) -> &'static str {
        "mutant"
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        (self.0)(request, Reference.convert(request))
    }
}

/// An answer in which one text stands in place of another.
pub(crate) fn replaced(said: Outcome, from: &str, to: &str) -> Outcome {
    let Outcome::Output { bytes, report } = said else { return said };
    let text = String::from_utf8_lossy(&bytes).replace(from, to);
    Outcome::Output { bytes: text.into_bytes(), report }
}
