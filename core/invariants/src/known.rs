//! What whoever made a transcript says must come of it.

use super::{Case, Verdict, convert, held_unless, view, violated};
use crate::normalizer::{Normalizer, Outcome, Request};
use wirecanon_convert::From;
use wirecanon_json::Value;
use wirecanon_model::report::Report;
use wirecanon_model::target::Target;
use wirecanon_model::{Dialect, Mode};

/// Members that a canonical message or block may have beside those that are known: what only one dialect can read again,
/// and who signed. A generator knows its own fields, but not how another program files them. From the canonical dialect
/// there are none.
const BESIDE: [&str; 2] = ["native", "origin"];

/// The canonical transcript is the one that is known to be right, all that had to be mended is reported, and what is no
/// transcript is refused.
pub(super) fn known(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let known = case.known;
    let canonical =
        Request { to: Target::of_dialect(Dialect::Canonical), mode: Mode::Request, call_id: None, ..case.request() };
    if known.must_refuse {
        return match normalizer.convert(&canonical) {
            Outcome::Refused { .. } => Verdict::Held,
            Outcome::Output { bytes, .. } => {
                violated("known", &canonical, Some(&bytes), "what is no transcript was written")
            }
            Outcome::Failed(message) => violated("known", &canonical, None, message),
        };
    }
    if known.canonical.is_none() && known.rules.is_empty() {
        return Verdict::NotApplicable("no outcome is known");
    }
    let Some(written) = convert(normalizer, &canonical) else {
        return if known.may_refuse {
            super::REFUSED
        } else {
            violated("known", &canonical, None, "nothing was written, though the outcome is known")
        };
    };
    let wrong = known.canonical.as_deref().and_then(|expected| difference(case, expected, &written.bytes));
    let wrong = wrong.or_else(|| unsaid(&known.rules, written.report.as_deref()?));
    held_unless(wrong, "known", &canonical, Some(&written.bytes))
}

/// A rule that no entry of the report names.
fn unsaid(rules: &[&str], report: &Report) -> Option<String> {
    let said = |rule: &&&str| report.repairs.iter().chain(&report.notes).any(|entry| entry.rule == **rule);
    rules.iter().find(|rule| !said(rule)).map(|rule| format!("{rule} is not in the report"))
}

/// The first place where the output is not what is known.
fn difference(case: &Case<'_>, expected: &str, output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let Ok(found) = view::document(&text) else { return Some("the canonical output is not JSON".to_owned()) };
    let Ok(expected) = view::document(expected) else { return Some("the known outcome is not JSON".to_owned()) };
    let beside: &[&str] = if case.from == From::Dialect(Dialect::Canonical) { &[] } else { &BESIDE };
    let mut pairs = vec![(expected.root(), found.root(), String::new())];
    while let Some((expected, found, place)) = pairs.pop() {
        if expected.is_object() && found.is_object() {
            for (key, value) in expected.members() {
                let key = key.as_str().unwrap_or_default();
                let inside = format!("{place}/{key}");
                match found.get(&key) {
                    Some(other) => pairs.push((value, other, inside)),
                    None => return Some(format!("{inside} is not there")),
                }
            }
            let keys = found.members().filter_map(|(key, _)| key.as_str());
            if let Some(key) = keys.into_iter().find(|key| expected.get(key).is_none() && !beside.contains(&&**key)) {
                return Some(format!("{place}/{key} should not be there"));
            }
        } else if expected.is_array() && found.is_array() {
            let (left, right): (Vec<Value<'_>>, Vec<_>) = (expected.items().collect(), found.items().collect());
            if left.len() != right.len() {
                let (many, known) = (right.len(), left.len());
                return Some(format!("{place} has {many} items, and should have {known}: {}", expected.raw()));
            }
            pairs.extend(left.into_iter().zip(right).enumerate().map(|(at, (a, b))| (a, b, format!("{place}/{at}"))));
        } else if expected.as_str() != found.as_str() || expected.as_str().is_none() && expected.raw() != found.raw() {
            return Some(format!("{place} is {}, and should be {}", found.raw(), expected.raw()));
        }
    }
    None
}
