//! P4, P6 and P8: what must come back as it was.

use super::{Case, REFUSED, Verdict, convert, held_unless, poison, view, violated};
use crate::normalizer::{Normalizer, Request};
use wirecanon_convert::From;
use wirecanon_json::{PointerCursor, Value};
use wirecanon_model::Dialect;
use wirecanon_model::report::Report;

/// A valid transcript comes back byte for byte; in a broken one, what no repair names keeps its bytes.
pub(super) fn identity(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    if case.from != From::Dialect(case.to.dialect) {
        return Verdict::NotApplicable("the dialect changes");
    }
    let request = case.request();
    let Some(written) = convert(normalizer, &request) else { return REFUSED };
    if !(case.known.valid && poison::accepted(&request, case.fragment)) {
        return match written.report {
            None => Verdict::NotApplicable("the transcript is not valid, and there is no report"),
            Some(report) => {
                let touched = touched_without_a_repair(case.input, &written.bytes, &report);
                held_unless(touched, "P4", &request, Some(&written.bytes))
            }
        };
    }
    if written.bytes != case.input {
        return violated("P4", &request, Some(&written.bytes), "a valid transcript came back changed");
    }
    let repairs = repairs(written.report.as_deref());
    let message = repairs.map(|rules| format!("a valid transcript came back with repairs: {rules}"));
    held_unless(message, "P4", &request, Some(&written.bytes))
}

/// A user message that no repair names, and whose bytes are not in the output.
fn touched_without_a_repair(input: &[u8], output: &[u8], report: &Report) -> Option<String> {
    let (input, output) = (std::str::from_utf8(input).ok()?, std::str::from_utf8(output).ok()?);
    let json = view::document(input).ok()?;
    let root = json.root();
    let list = root.get("messages").unwrap_or(root);
    let mut cursor = PointerCursor::default();
    list.items().find_map(|message| {
        let pointer = cursor.pointer(message);
        let named = report
            .repairs
            .iter()
            .filter_map(|entry| entry.input.as_deref())
            .any(|place| place.is_empty() || under(place, &pointer) || under(&pointer, place));
        let spoken = message.get("role").is_some_and(|role| role.is_str("user")) && plain(message);
        (spoken && !named && !output.contains(message.raw()))
            .then(|| format!("{pointer} changed, and no repair says so (repairs: {})", rules(report)))
    })
}

/// Whether `place` is `pointer` or stands inside it.
fn under(place: &str, pointer: &str) -> bool {
    place.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a message is words alone: results and the user's words may share a message, and part.
fn plain(message: Value<'_>) -> bool {
    message.get("content").is_some_and(|content| {
        content.is_string()
            || content.is_array()
                && content.items().next().is_some()
                && content.items().all(|block| block.get("type").is_some_and(|kind| kind.is_str("text")))
    })
}

/// What was written is written again byte for byte, with no repairs.
pub(super) fn idempotent(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    if case.fragment && !matches!(case.to.dialect, Dialect::Canonical | Dialect::McpToolResult) {
        return Verdict::NotApplicable("a lone result in a provider's dialect is an orphan when it is read again");
    }
    let first = case.request();
    let Some(written) = convert(normalizer, &first) else { return REFUSED };
    let second = Request { input: &written.bytes, from: From::Dialect(case.to.dialect), ..first };
    let Some(again) = convert(normalizer, &second) else {
        return violated("P6", &first, Some(&written.bytes), "what was written was refused when it was read again");
    };
    if again.bytes != written.bytes {
        let message = format!(
            "the second run wrote something else ({}): {}",
            again.report.map(|report| rules(&report)).unwrap_or_default(),
            String::from_utf8_lossy(&again.bytes)
        );
        return violated("P6", &first, Some(&written.bytes), message);
    }
    let message = repairs(again.report.as_deref()).map(|rules| format!("the second run repaired: {rules}"));
    held_unless(message, "P6", &first, Some(&written.bytes))
}

/// Two runs give the same bytes and the same report.
pub(super) fn deterministic(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let request = case.request();
    let (first, second) = (normalizer.convert(&request), normalizer.convert(&request));
    let message = (first != second).then(|| format!("two runs differ: {first:?} and {second:?}"));
    held_unless(message, "P8", &request, None)
}

/// The rules of a report that says that something was changed.
fn repairs(report: Option<&Report>) -> Option<String> {
    report.filter(|report| report.changed || !report.repairs.is_empty()).map(rules)
}

fn rules(report: &Report) -> String {
    let list: Vec<_> = report
        .repairs
        .iter()
        .map(|entry| format!("{} at {}", entry.rule, entry.input.as_deref().unwrap_or("no place")))
        .collect();
    list.join("; ")
}
