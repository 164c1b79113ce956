//! P11: neutral history.

use super::exact::quoted;
use super::{Case, REFUSED, Verdict, convert, keep, poison, view, violated};
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
    let Ok(json) = view::document(&text) else {
        return violated("P11", &canonical, Some(&history.bytes), "the canonical output is not JSON");
    };
    for turn in view::turns(json.root(), Dialect::Canonical) {
        for call in turn.calls {
            let Some(arguments) = call.text() else { continue };
            let Some(known) = case.known.calls.iter().find(|known| arguments.contains(&*quoted(&known.token))) else {
                continue;
            };
            // A call without an id gets one.
            let same_id = known.id.is_empty() || call.id.as_deref() == Some(&*known.id);
            if !same_id || call.name.as_deref() != Some(&*known.name) {
                let message = format!(
                    "the call {} of {} is {:?} of {:?} in the canonical transcript",
                    known.id, known.name, call.id, call.name
                );
                return violated("P11", &canonical, Some(&history.bytes), message);
            }
        }
    }
    if let Some(lost) = keep::first_lost(&text, case.known.reasoning.iter().chain(&case.known.must_keep)) {
        let message = format!("{lost:?} is not in the canonical transcript");
        return violated("P11", &canonical, Some(&history.bytes), message);
    }
    let second = Request { input: &history.bytes, from: From::Dialect(Dialect::Canonical), ..request };
    let Some(written) = convert(normalizer, &second) else {
        return violated("P11", &second, None, "the canonical transcript was refused");
    };
    match poison::faults(&written.bytes, case.to, case.mode, case.fragment) {
        None => Verdict::Held,
        Some(message) => violated("P11", &second, Some(&written.bytes), message),
    }
}
