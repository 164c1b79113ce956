//! What the judge says of a request and what a run writes, for tests that state a rule each.

use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

/// A picture of one pixel.
pub(crate) const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// The rules that a request breaks at a target.
pub(crate) fn broken(target: &str, request: &str) -> Vec<&'static str> {
    let target = Target::by_name(target).unwrap();
    let options = CheckOptions { target, mode: Mode::Request, fragment: false, limits: Limits::default() };
    let found = check(request.as_bytes(), &options).unwrap().violations;
    found.into_iter().map(|violation| violation.rule).collect()
}

/// Returns what a strict run writes, in which `check` finds nothing, and the rules of its report.
pub(crate) fn fixed(from: &str, to: &str, input: &str) -> (String, Vec<&'static str>) {
    let options = Options {
        from: From::Dialect(Dialect::by_name(from).unwrap()),
        to: Some(Target::by_name(to).unwrap()),
        strict: true,
        ..Options::default()
    };
    let fixed = fix(input.as_bytes(), &options).unwrap();
    let text = String::from_utf8(fixed.output.to_vec()).unwrap();
    assert_eq!(broken(to, &text), Vec::<&str>::new(), "{text}");
    let entries = fixed.report.repairs.iter().chain(&fixed.report.notes);
    (text.clone(), entries.map(|entry| entry.rule).collect())
}
