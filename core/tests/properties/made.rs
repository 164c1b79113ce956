//! Generated transcripts as cases.

use wirecanon_core::invariant::{Case, Known, KnownCall, Verdict, check_all};
use wirecanon_core::normalizer::Normalizer;
use wirecanon_core::{Dialect, From, Mode, Target};
use wirecanon_schemas::defect::Effect;
use wirecanon_schemas::generate::{self, Generated};

/// What the generator knows of a transcript.
pub(crate) fn known(made: &Generated) -> Known {
    Known {
        valid: made.valid,
        may_refuse: made.may_refuse,
        canonical: made.canonical.clone(),
        rules: made.rules.clone(),
        must_refuse: made.effect == Effect::Refuse,
        must_keep: made.must_keep.clone(),
        reasoning: made.reasoning.clone(),
        calls: made
            .calls
            .iter()
            .cloned()
            .map(|generate::Call { id, name, token, arguments, results }| KnownCall {
                id,
                name,
                token,
                arguments,
                results,
            })
            .collect(),
    }
}

/// The case of a generated transcript.
pub(crate) fn case<'c>(
    made: &'c Generated,
    known: &'c Known,
    to: &'c Target,
    purpose: Mode,
    then: Option<&'c Generated>,
) -> Case<'c> {
    let from = Dialect::by_name(made.dialect.name()).map_or(From::Auto, From::Dialect);
    let alone = Case::bare(&made.bytes, from, to, known);
    Case { mode: purpose, then: then.map(|made| &made.bytes[..]), ..alone }
}

/// Every target that this dialect can be written for, sent and stored. A conversation is no tool result.
pub(crate) fn conversions(from: generate::Dialect) -> impl Iterator<Item = (&'static Target, Mode)> {
    let alone = from == generate::Dialect::McpToolResult;
    Target::all()
        .iter()
        .filter(move |target| alone || target.dialect != Dialect::McpToolResult)
        .flat_map(|target| [(target, Mode::Request), (target, Mode::History)])
}

/// Every violation of a case, in words.
pub(crate) fn assert_held(normalizer: &dyn Normalizer, case: &Case<'_>) -> Result<(), String> {
    let broken: Vec<_> = check_all(normalizer, case)
        .into_iter()
        .filter_map(
            |(_, verdict)| if let Verdict::Violated(violation) = verdict { Some(violation.to_string()) } else { None },
        )
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}
