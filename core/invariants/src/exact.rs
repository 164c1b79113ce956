//! P9: what was executed is what is replayed.

use super::{Case, Verdict, judge_turns};
use crate::normalizer::Normalizer;

/// Every call that stands in the output has the exact text of its arguments.
pub(super) fn arguments(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    if case.known.calls.is_empty() {
        return Verdict::NotApplicable("no call is known");
    }
    judge_turns("P9", normalizer, case, |turns| {
        turns.iter().flat_map(|turn| &turn.calls).find_map(|found| {
            let (known, arguments) = (case.known.call_of(found)?, found.text()?);
            (arguments.trim() != known.arguments.trim())
                .then(|| format!("arguments were {}, and are {arguments}", known.arguments))
        })
    })
}
