//! P9: what was executed is what is replayed.

use super::{Case, REFUSED, Verdict, convert, view, violated};
use crate::normalizer::Normalizer;

/// Every call that stands in the output has the exact text of its arguments.
pub(super) fn arguments(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    if case.known.calls.is_empty() {
        return Verdict::NotApplicable("no call is known");
    }
    let request = case.request();
    let Some(written) = convert(normalizer, &request) else { return REFUSED };
    let text = String::from_utf8_lossy(&written.bytes);
    let Ok(json) = view::document(&text) else {
        return Verdict::NotApplicable("the output is not JSON");
    };
    for turn in view::turns(json.root(), case.to.dialect) {
        for found in turn.calls {
            let Some(arguments) = found.text() else { continue };
            // By its own word, so that one call's arguments are never compared with another's.
            let Some(known) = case.known.calls.iter().find(|call| arguments.contains(&*quoted(&call.token))) else {
                continue;
            };
            if arguments.trim() != known.arguments.trim() {
                let message = format!("arguments were {}, and are {arguments}", known.arguments);
                return violated("P9", &request, Some(&written.bytes), message);
            }
        }
    }
    Verdict::Held
}

/// A word as it stands in arguments.
pub(super) fn quoted(token: &str) -> String {
    format!("\"{token}\"")
}
