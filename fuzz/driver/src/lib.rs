//! Generated transcripts as cases of the invariants.
//!
//! The generator (`wirecanon-schemas`) and the canonicalizer (`wirecanon-core`) know nothing of each other, so that they
//! cannot share a mistake. Whoever drives the one with the other (the property tests, the fuzz targets, the planted
//! mutants) says here, in one place, what a [`Generated`] means as a [`Case`].
#![forbid(unsafe_code)]
#![warn(missing_docs)]

use arbitrary::Unstructured;
use wirecanon_core::invariant::{Case, Known, KnownCall, Verdict, check_all};
use wirecanon_core::normalizer::Normalizer;
use wirecanon_core::{Dialect, From, Mode, Target};
use wirecanon_generate::defect::Effect;
use wirecanon_generate::{self as generate, Generated};

/// What the generator knows of a transcript.
pub fn known(made: &Generated) -> Known {
    let calls = made.calls.iter().cloned();
    Known {
        valid: made.valid,
        may_refuse: made.may_refuse,
        canonical: made.canonical.clone(),
        rules: made.rules.clone(),
        must_refuse: made.effect == Effect::Refuse,
        must_keep: made.must_keep.clone(),
        reasoning: made.reasoning.clone(),
        calls: calls
            .map(|generate::Call { id, name, token, arguments, results, failed }| KnownCall {
                id,
                name,
                token,
                arguments,
                results,
                failed,
            })
            .collect(),
    }
}

/// What a byte decides: a valid transcript, a broken one (twice as often), or a pair of either kind.
pub fn drawn(u: &mut Unstructured<'_>, dialect: generate::Dialect, shape: u8) -> (Generated, Option<Generated>) {
    match shape % 4 {
        0 => (generate::valid(u, dialect), None),
        1 | 2 => (generate::broken(u, dialect), None),
        _ => {
            let (first, second) = generate::pair(u, dialect, shape & 4 == 0);
            (first, Some(second))
        }
    }
}

/// The dialect of the canonicalizer that a dialect of the generator is.
pub fn from(dialect: generate::Dialect) -> From {
    Dialect::by_name(dialect.name()).map_or(From::Auto, From::Dialect)
}

/// The case of a generated transcript: one conversion, and a transcript that may follow it.
pub fn case<'c>(
    made: &'c Generated,
    known: &'c Known,
    to: &'c Target,
    mode: Mode,
    then: Option<&'c Generated>,
) -> Case<'c> {
    let alone = Case::bare(&made.bytes, from(made.dialect), to, known);
    Case { mode, then: then.map(|made| &made.bytes[..]), ..alone }
}

/// Every target that this dialect can be written for, sent and stored. A conversation is no tool result.
pub fn conversions(from: generate::Dialect) -> impl Iterator<Item = (&'static Target, Mode)> {
    let alone = from.is_fragment();
    Target::all()
        .iter()
        .filter(move |target| alone || !target.dialect.is_fragment())
        .flat_map(|target| [(target, Mode::Request), (target, Mode::History)])
}

/// Judges a case by every invariant.
///
/// # Errors
///
/// Every violation, in words, each with a command that shows it.
pub fn judge(normalizer: &dyn Normalizer, case: &Case<'_>) -> Result<(), String> {
    let broken: Vec<_> = check_all(normalizer, case)
        .into_iter()
        .filter_map(|(_, verdict)| match verdict {
            Verdict::Violated(violation) => Some(violation.to_string()),
            Verdict::Held | Verdict::NotApplicable(_) => None,
        })
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

#[cfg(test)]
mod tests {
    use wirecanon_core::normalizer::{Outcome, Reference, Request};
    use wirecanon_generate::noise;

    use super::*;

    struct Echo;

    impl Normalizer for Echo {
        fn name(&self) -> &'static str {
            "echo"
        }

        fn convert(&self, request: &Request<'_>) -> Outcome {
            Outcome::Output { bytes: request.input.to_vec(), report: None }
        }
    }

    #[test]
    fn what_the_generator_knows_is_asked_of_a_normalizer() {
        let raw = noise(7, 600);
        let made = generate::broken(&mut Unstructured::new(&raw), generate::Dialect::OpenAiChat);
        let known = known(&made);
        assert_eq!(
            (known.valid, known.must_keep.len(), known.calls.len()),
            (false, made.must_keep.len(), made.calls.len())
        );
        for (target, mode) in conversions(made.dialect) {
            assert_ne!(target.dialect, Dialect::McpToolResult);
            let case = case(&made, &known, target, mode, None);
            assert_eq!((case.input, case.from), (&made.bytes[..], From::Dialect(Dialect::OpenAiChat)));
            assert_eq!(judge(&Reference, &case), Ok(()));
            if target.dialect != Dialect::OpenAiChat {
                let said = judge(&Echo, &case).unwrap_err();
                assert!(said.contains("is broken") && said.contains("wirecanon fix --from openai.chat"), "{said}");
            }
        }
    }
}
