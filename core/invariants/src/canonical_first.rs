//! P11: neutral history.

use super::{Case, REFUSED, Verdict, convert, held_unless, keep, poison, turns, view, violated};
use crate::normalizer::{Normalizer, Request};
use wirecanon_convert::From;
use wirecanon_model::target::Target;
use wirecanon_model::{Dialect, Mode};

/// The canonical transcript has every id, name and reasoning as the source has them, whatever a target may refuse, and
/// from there every target can be written.
pub(super) fn neutral_history(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    if case.from == From::Auto {
        return Verdict::NotApplicable("the dialect of the source is not known");
    }
    let request = case.request();
    let canonical =
        Request { to: Target::of_dialect(Dialect::Canonical), mode: Mode::History, call_id: None, ..request };
    let Some(history) = convert(normalizer, &canonical) else { return REFUSED };
    let text = String::from_utf8_lossy(&history.bytes);
    let wrong = |message: String| violated("P11", &canonical, Some(&history.bytes), message);
    let Ok(json) = view::document(&text) else { return wrong("the canonical output is not JSON".to_owned()) };
    let turns = match turns(&json, Dialect::Canonical, |_| true) {
        Ok(turns) => turns,
        Err(Some(message)) => return wrong(message),
        Err(None) => Vec::new(),
    };
    for call in turns.iter().flat_map(|turn| &turn.calls) {
        let Some(known) = case.known.call_of(call) else { continue };
        // A call without an id gets one.
        let same_id = known.id.is_empty() || call.id.as_deref() == Some(&*known.id);
        if !same_id || call.name != known.name {
            let (id, name) = (&call.id, &call.name);
            return wrong(format!(
                "the call {} of {} is {id:?} of {name:?} in the canonical transcript",
                known.id, known.name
            ));
        }
    }
    if let Some(lost) = keep::first_lost(&text, case.known.reasoning.iter().chain(&case.known.must_keep)) {
        return wrong(format!("{lost:?} is not in the canonical transcript"));
    }
    let second = Request { input: &history.bytes, from: From::Dialect(Dialect::Canonical), ..request };
    let Some(written) = convert(normalizer, &second) else {
        return violated("P11", &second, None, "the canonical transcript was refused");
    };
    let faults = poison::faults(&written.bytes, case.to, case.mode, case.fragment);
    held_unless(faults, "P11", &second, Some(&written.bytes))
}
