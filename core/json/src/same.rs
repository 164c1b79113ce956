//! Whether two values mean the same.

use super::{Kind, Value};

/// Whether two values are equal as JSON: key order, escapes and the spelling of numbers apart. No recursion;
/// `O(n log n)` in the members of an object.
///
/// ```
/// use wirecanon_json::{Json, Limits, same};
///
/// let limits = Limits::default();
/// let [one, other] = [r#"{"a":1.0,"b":"\u0041"}"#, r#"{ "b": "A", "a": 1 }"#].map(|text| Json::parse(text, &limits));
/// assert!(same(one?.root(), other?.root()));
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
pub fn same(a: Value<'_>, b: Value<'_>) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        if a.kind() != b.kind() {
            return false;
        }
        match a.kind() {
            Kind::Null => {}
            Kind::Bool => {
                if a.raw() != b.raw() {
                    return false;
                }
            }
            Kind::Number => {
                if a.raw() != b.raw() && a.as_f64() != b.as_f64() {
                    return false;
                }
            }
            Kind::String => {
                if a.raw() != b.raw() && a.as_str() != b.as_str() {
                    return false;
                }
            }
            Kind::Array => {
                let (mut left, mut right) = (a.items(), b.items());
                loop {
                    match (left.next(), right.next()) {
                        (None, None) => break,
                        (Some(a), Some(b)) => pairs.push((a, b)),
                        _ => return false,
                    }
                }
            }
            Kind::Object => {
                let (left, right) = (sorted(a), sorted(b));
                if left.len() != right.len() || left.iter().zip(&right).any(|(a, b)| a.0 != b.0) {
                    return false;
                }
                pairs.extend(left.into_iter().zip(right).map(|(a, b)| (a.1, b.1)));
            }
        }
    }
    true
}

/// Like [`same`], in time that depends on `value` alone, because `other` may be compared with many. An `other` whose text is more
/// than sixteen times as long differs, whatever it says: escapes and white space make less of what a program writes.
///
/// ```
/// use wirecanon_json::{Json, Limits, same_bounded};
///
/// let limits = Limits::default();
/// let [one, near, far] = ["[1]".to_owned(), "[ 1 ]".to_owned(), format!("[{}1]", " ".repeat(100))];
/// let [one, near, far] = [&one, &near, &far].map(|text| Json::parse(text, &limits));
/// let one = one?;
/// assert!(same_bounded(one.root(), near?.root()));
/// assert!(!same_bounded(one.root(), far?.root()));
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
#[doc(hidden)]
pub fn same_bounded(value: Value<'_>, other: Value<'_>) -> bool {
    const MOST_TIMES_AS_LONG: usize = 16;
    other.raw().len() <= MOST_TIMES_AS_LONG * value.raw().len() && same(value, other)
}

/// The members by key; the last of equal keys.
fn sorted(object: Value<'_>) -> Vec<(std::borrow::Cow<'_, str>, Value<'_>)> {
    let mut members: Vec<_> = object.members().map(|(key, value)| (key.as_str().unwrap_or_default(), value)).collect();
    members.reverse();
    members.sort_by(|a, b| a.0.cmp(&b.0));
    members.dedup_by(|later, earlier| later.0 == earlier.0);
    members
}
