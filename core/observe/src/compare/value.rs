//! JSON values: whether they are the same, with exact numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hashbrown::HashSet;
use wirecanon_json::{Json, Kind, Limits, Value};

/// The relation of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// Equal, also in the text of numbers
    Same,
    /// Equal, but a number is spelled in another way
    Respelled,
    /// The text of a value that is no object, under one key
    Raw,
    /// Equal as doubles, but not by their digits
    Rounded,
    /// Different
    Different,
}

/// Compares an expected value with one of the answer. The order of keys does not count. Where a key is repeated, each value of the answer
/// must be one of the expected values. Linear but for sorting keys; no recursion.
pub(super) fn relation(a: Value<'_>, b: Value<'_>) -> Relation {
    let mut all = Relation::Same;
    let mut open = vec![(a, b)];
    while let Some((a, b)) = open.pop() {
        if a.raw() == b.raw() {
            continue;
        }
        if a.kind() != b.kind() {
            return Relation::Different;
        }
        match a.kind() {
            Kind::Null => {}
            Kind::Bool => return Relation::Different,
            Kind::Number => {
                all = all.max(numbers(a.raw(), b.raw()));
            }
            Kind::String => {
                if a.as_str() != b.as_str() {
                    return Relation::Different;
                }
            }
            Kind::Array => {
                let (mut left, mut right) = (a.items(), b.items());
                loop {
                    match (left.next(), right.next()) {
                        (None, None) => break,
                        (Some(a), Some(b)) => open.push((a, b)),
                        _ => return Relation::Different,
                    }
                }
            }
            Kind::Object => {
                let (left, right) = (members(a), members(b));
                if left.len() != right.len() {
                    return Relation::Different;
                }
                for (key, values) in &left {
                    let Some(others) = right.get(key) else { return Relation::Different };
                    let last = (values[values.len() - 1], others[others.len() - 1]);
                    if values.len() == 1 && others.len() == 1 {
                        open.push(last);
                        continue;
                    }
                    let known: HashSet<_> = values.iter().map(|value| value.raw()).collect();
                    let mut unknown = others.iter().enumerate().filter(|(_, other)| !known.contains(other.raw()));
                    match (unknown.next(), unknown.next()) {
                        (None, _) => {}
                        // The last value may have another layout.
                        (Some((at, _)), None) if at + 1 == others.len() => open.push(last),
                        _ => return Relation::Different,
                    }
                }
            }
        }
        if all == Relation::Different {
            return all;
        }
    }
    all
}

fn members(object: Value<'_>) -> BTreeMap<Cow<'_, str>, Vec<Value<'_>>> {
    let mut members: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (key, value) in object.members() {
        members.entry(key.as_str().unwrap_or_default()).or_default().push(value);
    }
    members
}

/// Compares two numbers by their exact decimal value, and then as doubles.
fn numbers(a: &str, b: &str) -> Relation {
    if a == b {
        Relation::Same
    } else if decimal(a).is_some_and(|a| decimal(b).is_some_and(|b| a == b)) {
        Relation::Respelled
    } else if double(a).is_some_and(|a| double(b) == Some(a)) {
        Relation::Rounded
    } else {
        Relation::Different
    }
}

/// A number as a double; `None` where the double is infinite or zero: nothing of the number is left in it.
fn double(number: &str) -> Option<u64> {
    number.parse::<f64>().ok().filter(|double| double.is_normal() || double.is_subnormal()).map(f64::to_bits)
}

/// A number as sign, significant digits and exponent of the last digit; `None` where the exponent does not fit.
fn decimal(number: &str) -> Option<(bool, String, i64)> {
    let (negative, number) = number.strip_prefix('-').map_or((false, number), |rest| (true, rest));
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let kept = digits.trim_end_matches('0');
    let significant = kept.trim_start_matches('0').to_owned();
    if significant.is_empty() {
        return Some((false, significant, 0));
    }
    let exponent: i64 = exponent.parse().ok()?;
    let trimmed = i64::try_from(digits.len() - kept.len()).ok()?;
    Some((negative, significant, exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(trimmed)?))
}

/// Compares two JSON texts; `None` if one of them is no JSON.
pub(super) fn relation_of_texts(a: &str, b: &str) -> Option<Relation> {
    if a == b {
        return Some(Relation::Same);
    }
    let limits = Limits::default();
    let (a, b) = (Json::parse(a, &limits).ok()?, Json::parse(b, &limits).ok()?);
    Some(relation(a.root(), b.root()))
}

/// Returns whether two values are the same; numbers may be spelled in another way.
pub(super) fn is_equal(a: Value<'_>, b: Value<'_>) -> bool {
    relation(a, b) <= Relation::Respelled
}

/// Returns whether two texts are JSON of the same value, as [`is_equal`] compares.
pub(super) fn is_equal_text(a: &str, b: &str) -> bool {
    relation_of_texts(a, b).is_some_and(|relation| relation <= Relation::Respelled)
}

/// The length of the JSON object or array at the start of a text: to its last bracket, or the whole text.
pub(super) fn json_length(text: &str) -> usize {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = in_string,
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => depth += 1,
            '}' | ']' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_their_digits() {
        for (a, b, expected) in [
            ("1", "1", Relation::Same),
            ("1.0", "1", Relation::Respelled),
            ("1e2", "100", Relation::Respelled),
            ("-0", "0", Relation::Respelled),
            ("0.10", "1e-1", Relation::Respelled),
            ("9007199254740993", "9007199254740992", Relation::Rounded),
            ("0.1", "0.2", Relation::Different),
            ("0e5", "0", Relation::Respelled),
            ("1e400", "1e401", Relation::Different),
            ("1e400", "10e399", Relation::Respelled),
            ("1e-400", "2e-400", Relation::Different),
            ("1e-400", "0", Relation::Different),
            ("1e99999999999999999999", "1e99999999999999999999", Relation::Same),
            ("1e99999999999999999999", "2e99999999999999999999", Relation::Different),
            ("0e99999999999999999999", "0", Relation::Respelled),
        ] {
            assert_eq!(numbers(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn objects_are_compared_by_their_keys() {
        let relation = |a: &str, b: &str| relation_of_texts(a, b).expect("JSON");
        assert_eq!(relation(r#"{"a":1,"b":[2]}"#, r#"{ "b": [2.0], "a": 1 }"#), Relation::Respelled);
        for one in ["1", "2", "3"] {
            let one = format!(r#"{{"a":{one}}}"#);
            assert_eq!(relation(r#"{"a":1,"a":2,"a":3}"#, &one), Relation::Same, "any of repeated keys");
        }
        assert_eq!(relation(r#"{"a":1,"a":{"b":2}}"#, r#"{"a":{ "b":2.0 }}"#), Relation::Respelled);
        assert_eq!(relation(r#"{"a":1,"a":2}"#, r#"{"a":2,"a":1}"#), Relation::Same);
        for other in [r#"{"a":4}"#, r#"{"a":1,"a":4}"#, r#"{"a":4,"a":1}"#] {
            assert_eq!(relation(r#"{"a":1,"a":2,"a":3}"#, other), Relation::Different, "{other}");
        }
        assert_eq!(relation(r#"{"a":1}"#, r#"{"a":1,"a":2}"#), Relation::Different, "a value that was not there");
        assert_eq!(relation(r#"{"a":1}"#, r#"{"a":1,"b":2}"#), Relation::Different);
        assert_eq!(relation(r#"{"a":1}"#, r#"{"b":1}"#), Relation::Different);
        assert_eq!(relation("[1,2]", "[2,1]"), Relation::Different);
        assert_eq!(relation_of_texts("{", "{}"), None);
    }
}
