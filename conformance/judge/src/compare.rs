//! Whether two JSON texts say the same, and where they first do not.
//!
//! Key order and white space are apart; number text and decoded strings must be equal; of a duplicate key the last counts, as
//! in every JSON parser in use. Numbers are never read as doubles: `1.0` and `1` differ, and so do integers past 2^53.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wirecanon_core::json::{Kind, Value};

/// What stands for a value that is not there.
pub const NOTHING: &str = "nothing";

/// The first difference.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// JSON Pointer of the smallest value that differs
    pub pointer: String,
    /// What was expected there, as JSON text, or `nothing`
    pub expected: String,
    /// What stands there, as JSON text, or `nothing`
    pub actual: String,
}

/// The first difference in the order of `expected`, or `None` when both say the same. Linear but for sorting keys; nesting
/// costs no stack.
pub fn difference(expected: Value<'_>, actual: Value<'_>) -> Option<Difference> {
    difference_but(expected, actual, None)
}

/// As [`difference`], but a member with the key `apart` on one side alone is no difference.
pub fn difference_but(expected: Value<'_>, actual: Value<'_>, apart: Option<&str>) -> Option<Difference> {
    let mut open = vec![(expected, actual)];
    while let Some((left, right)) = open.pop() {
        if left.kind() != right.kind() {
            return Some(differ(left, right));
        }
        match left.kind() {
            Kind::Null => {}
            Kind::Bool | Kind::Number => {
                if left.raw() != right.raw() {
                    return Some(differ(left, right));
                }
            }
            Kind::String => {
                if left.raw() != right.raw() && left.as_str() != right.as_str() {
                    return Some(differ(left, right));
                }
            }
            Kind::Array => {
                let mut pairs = Vec::new();
                let (mut lefts, mut rights) = (left.items(), right.items());
                loop {
                    match (lefts.next(), rights.next()) {
                        (Some(left), Some(right)) => pairs.push((left, right)),
                        (None, None) => break,
                        (one, other) => {
                            // What stands before the end of the shorter list is the smaller difference.
                            let before = pairs.iter().find_map(|(left, right)| difference_shallow(*left, *right));
                            return before.or_else(|| Some(one_sided(one, other)));
                        }
                    }
                }
                open.extend(pairs.into_iter().rev());
            }
            Kind::Object => {
                let rights = members(right);
                let lefts = members(left);
                let mut pairs = Vec::new();
                for (key, value) in &lefts {
                    match rights.get(key) {
                        Some(other) => pairs.push((*value, *other)),
                        None if apart == Some(key.as_str()) => {}
                        None => return Some(one_sided(Some(*value), None)),
                    }
                }
                if let Some((_, extra)) =
                    rights.iter().find(|(key, _)| !lefts.contains_key(*key) && apart != Some(key.as_str()))
                {
                    return Some(one_sided(None, Some(*extra)));
                }
                open.extend(pairs.into_iter().rev());
            }
        }
    }
    None
}

/// A difference between two items of lists of different length, if they differ in more than what they hold.
fn difference_shallow(left: Value<'_>, right: Value<'_>) -> Option<Difference> {
    if left.raw() == right.raw() {
        return None;
    }
    let same_role = match (left.get("role"), right.get("role")) {
        (Some(one), Some(other)) => one.as_str() == other.as_str(),
        (None, None) => {
            left.kind() == right.kind() && left.get("type").map(Value::raw) == right.get("type").map(Value::raw)
        }
        _ => false,
    };
    (!same_role).then(|| differ(left, right))
}

fn members(object: Value<'_>) -> BTreeMap<String, Value<'_>> {
    object.members().map(|(key, value)| (key.as_str().unwrap_or_default().into_owned(), value)).collect()
}

fn differ(expected: Value<'_>, actual: Value<'_>) -> Difference {
    Difference { pointer: expected.pointer(), expected: expected.raw().to_owned(), actual: actual.raw().to_owned() }
}

fn one_sided(expected: Option<Value<'_>>, actual: Option<Value<'_>>) -> Difference {
    let text = |value: Option<Value<'_>>| value.map_or(NOTHING.to_owned(), |value| value.raw().to_owned());
    let pointer = expected.or(actual).map(Value::pointer).unwrap_or_default();
    Difference { pointer, expected: text(expected), actual: text(actual) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_core::json::{Json, Limits};

    fn at(expected: &str, actual: &str) -> Option<String> {
        let limits = Limits::default();
        let (expected, actual) = (Json::parse(expected, &limits).unwrap(), Json::parse(actual, &limits).unwrap());
        difference(expected.root(), actual.root()).map(|difference| difference.pointer)
    }

    #[test]
    fn order_of_keys_and_spelling_of_strings_are_apart() {
        assert_eq!(at(r#"{"a":1,"b":[]}"#, r#"{ "b": [ ], "a": 1 }"#), None);
        assert_eq!(at(r#""é\/""#, r#""\u00e9/""#), None);
        assert_eq!(at(r#"{"a":1}"#, r#"{"a":2,"a":1}"#), None);
    }

    #[test]
    fn number_text_order_of_items_and_extra_keys_are_not() {
        assert_eq!(at("[1,1.0]", "[1,1]").as_deref(), Some("/1"));
        assert_eq!(at("9007199254740993", "9007199254740992").as_deref(), Some(""));
        assert_eq!(at("[1,2]", "[2,1]").as_deref(), Some("/0"));
        assert_eq!(at("[1]", "[1,2]").as_deref(), Some("/1"));
        assert_eq!(at("[1,2]", "[1]").as_deref(), Some("/1"));
        assert_eq!(at(r#"{"a":{"b":1}}"#, r#"{"a":{"b":1,"c":2}}"#).as_deref(), Some("/a/c"));
        assert_eq!(at(r#"{"a":{"b/~":1}}"#, r#"{"a":{}}"#).as_deref(), Some("/a/b~1~0"));
        assert_eq!(at("null", "false").as_deref(), Some(""));
        assert_eq!(at(r#"[{"role":"user"},{"role":"x"}]"#, r#"[{"role":"x"}]"#).as_deref(), Some("/0"));
    }

    #[test]
    fn a_key_can_be_left_apart() {
        let limits = Limits::default();
        let (one, other) = (r#"{"a":{"b":1}}"#, r#"{"a":{"native":{"x":1},"b":1}}"#);
        let (one, other) = (Json::parse(one, &limits).unwrap(), Json::parse(other, &limits).unwrap());
        assert_eq!(difference_but(one.root(), other.root(), Some("native")), None);
        assert!(difference_but(one.root(), other.root(), Some("b")).is_some());
        assert!(difference(one.root(), other.root()).is_some());
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}{}", "[".repeat(16_000), "]".repeat(16_000));
        assert_eq!(at(&deep, &deep), None);
    }
}
