//! The comparison of two documents, for tests.

use wirecanon_json::{Json, Limits};
use wirecanon_model::Target;
use wirecanon_observe::{Comparison, compare, observe_for};

/// An image, for `$PNG` in documents.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Compares a document with an answer, each with the name of its target. `$PNG` is an image in both.
pub(crate) fn compared((from, expected): (&str, &str), (to, answer): (&str, &str)) -> Comparison {
    let limits = Limits::default();
    let [expected, answer] = [expected, answer].map(|text| text.replace("$PNG", PNG));
    let parse = |text| Json::parse(text, &limits).unwrap_or_else(|error| panic!("{error}: {text}"));
    let (left, right) = (parse(&expected), parse(&answer));
    let [from, target] = [from, to].map(|name| Target::by_name(name).expect("a target"));
    let left = observe_for(&left, from.dialect, target.dialect).unwrap_or_else(|error| panic!("{error}: {expected}"));
    let right = observe_for(&right, target.dialect, from.dialect).unwrap_or_else(|error| panic!("{error}: {answer}"));
    compare(&left, &right, target)
}
