//! P1: never poison.

use super::{Case, REFUSED, Verdict, convert, held_unless};
use crate::normalizer::{Normalizer, Request};
use wirecanon_check::{CheckOptions, check};
use wirecanon_json::{Json, Limits};
use wirecanon_model::rule::{self, Class};
use wirecanon_model::target::Target;
use wirecanon_model::{Dialect, Mode};

/// The judge has nothing to say against the output.
pub(super) fn never_poison(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let request = case.request();
    let Some(written) = convert(normalizer, &request) else { return REFUSED };
    let fragment = case.fragment || alone(&written.bytes, case.to.dialect);
    let faults = faults(&written.bytes, case.to, case.mode, fragment);
    held_unless(faults, "P1", &request, Some(&written.bytes))
}

/// Whether an output is a lone result, which no call can stand in front of.
fn alone(bytes: &[u8], dialect: Dialect) -> bool {
    match dialect {
        Dialect::McpToolResult => true,
        Dialect::Canonical => std::str::from_utf8(bytes).is_ok_and(|text| {
            Json::parse(text, &Limits::default())
                .is_ok_and(|json| json.root().get("role").is_some_and(|role| role.is_str("toolResult")))
        }),
        _ => false,
    }
}

/// What the judge says against `bytes`, if anything.
pub(super) fn faults(bytes: &[u8], target: &Target, mode: Mode, fragment: bool) -> Option<String> {
    faults_of(bytes, target, mode, fragment, |_| true)
}

/// Returns what the judge says against `bytes` by rules of these classes, if anything.
pub(super) fn faults_of(
    bytes: &[u8],
    target: &Target,
    mode: Mode,
    fragment: bool,
    is_relevant: impl Fn(Class) -> bool,
) -> Option<String> {
    let violations = match check(bytes, &CheckOptions { target, mode, fragment, limits: Limits::default() }) {
        Err(error) => return Some(format!("the judge cannot read the output: {error}")),
        Ok(checked) => checked.violations,
    };
    let asked = violations.iter().filter(|found| rule::by_id(found.rule).is_none_or(|rule| is_relevant(rule.class)));
    let list: Vec<_> = asked.map(|found| format!("{} at {:?}: {}", found.rule, found.pointer, found.message)).collect();
    (!list.is_empty()).then(|| list.join("; "))
}

/// Whether the judge accepts the input of a request as its own output.
pub(super) fn accepted(request: &Request<'_>, fragment: bool) -> bool {
    faults(request.input, request.to, request.mode, fragment).is_none()
}
