//! Keys that stand twice in one object.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::{Json, Value};

/// A member that does not count, because its key comes again in the same object.
///
/// ```
/// use wirecanon_json::{Json, Limits, doubled};
///
/// let json = Json::parse(r#"{"role":"user","role":"system"}"#, &Limits::default())?;
/// let double = &doubled(&json, |_, _| false)[0];
/// assert_eq!(double.object, json.root().index());
/// assert!(json.value(double.key).is_str("role"));
/// assert_eq!((json.value(double.value).raw(), json.value(double.counts).raw()), (r#""user""#, r#""system""#));
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Doubled {
    /// Index of the object
    pub object: u32,
    /// Index of the key
    pub key: u32,
    /// Index of the value that does not count
    pub value: u32,
    /// Index of the value of the same key that does
    pub counts: u32,
    /// From its key to the next one
    range: Range<usize>,
}

/// More members than this are looked up, fewer are compared with each other.
const FEW: usize = 16;

/// Every member that does not count, in the order of the text; of those inside another one nothing is said, nor of those
/// inside an object that `skips` names by its holder and its key. Linear in the text.
///
/// ```
/// use wirecanon_json::{Json, Limits, doubled};
///
/// let json = Json::parse(r#"{"arguments":{"a":1,"a":2}}"#, &Limits::default())?;
/// assert_eq!(doubled(&json, |_, _| false).len(), 1);
/// assert!(doubled(&json, |_, key| key == "arguments").is_empty());
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
pub fn doubled(json: &Json<'_>, skips: impl Fn(Value<'_>, &str) -> bool) -> Vec<Doubled> {
    let doubts = json.index.doubts.iter().map(|object| (*object, doubled_in(json.value(*object))));
    let mut known: HashMap<u32, Vec<Doubled>> = doubts.filter(|(_, doubled)| !doubled.is_empty()).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Doubled> = Vec::new();
    let mut passed: HashMap<u32, u32> = HashMap::new();
    let mut index = 0;
    while (index as usize) < json.len() {
        if let Some(end) = passed.remove(&index) {
            index = end;
            continue;
        }
        let object = json.value(index);
        if object.is_object() {
            for (key, value) in object.members().filter(|(_, value)| value.is_object()) {
                if key.as_str().is_some_and(|key| skips(object, &key)) {
                    passed.insert(value.index(), json.node(value.index()).next);
                }
            }
            for double in known.remove(&index).into_iter().flatten() {
                passed.insert(double.value, json.node(double.value).next);
                found.push(double);
            }
        }
        index += 1;
    }
    found
}

/// The members of one object that do not count.
pub(super) fn doubled_in(object: Value<'_>) -> Vec<Doubled> {
    let mut members = object.members();
    let few = members.by_ref().nth(FEW).is_none();
    if few && object.members().enumerate().all(|(at, (key, _))| first(object, key).is_none_or(|first| first == at)) {
        return Vec::new();
    }
    let members: Vec<_> = object.members().collect();
    let mut last = HashMap::with_capacity(members.len());
    for (at, (key, _)) in members.iter().enumerate() {
        last.insert(key.as_str().unwrap_or_default(), at);
    }
    if last.len() == members.len() {
        return Vec::new();
    }
    let counting = |at: usize| last[&members[at].0.as_str().unwrap_or_default()];
    (0..members.len())
        .filter(|at| counting(*at) != *at)
        .map(|at| Doubled {
            object: object.index(),
            key: members[at].0.index(),
            value: members[at].1.index(),
            counts: members[counting(at)].1.index(),
            // One that counts comes behind it, so there is a next key.
            range: members[at].0.span().start..members[at + 1].0.span().start,
        })
        .collect()
}

/// The place of the first member with this key.
fn first(object: Value<'_>, key: Value<'_>) -> Option<usize> {
    let raw = key.raw();
    let escaped = raw.contains('\\');
    object.members().position(|(other, _)| {
        let other = (other, other.raw());
        other.1 == raw || ((escaped || other.1.contains('\\')) && other.0.as_str() == key.as_str())
    })
}

/// The text without these members.
///
/// ```
/// use wirecanon_json::{Json, Limits, doubled, without};
///
/// let json = Json::parse(r#"{"role":"user","role":"system"}"#, &Limits::default())?;
/// assert_eq!(without(&json, &doubled(&json, |_, _| false)), r#"{"role":"system"}"#);
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
pub fn without(json: &Json<'_>, doubled: &[Doubled]) -> String {
    spliced(json.text(), doubled.iter().map(|double| (double.range.clone(), String::new())).collect())
}

/// The text without these members: for each its object and its key. Linear in the text.
#[doc(hidden)]
pub fn without_members(json: &Json<'_>, gone: &[(Value<'_>, Value<'_>)]) -> String {
    let keys: HashSet<u32> = gone.iter().map(|(_, key)| key.index()).collect();
    let objects: BTreeSet<u32> = gone.iter().map(|(object, _)| object.index()).collect();
    let mut ranges = Vec::with_capacity(gone.len());
    for object in objects {
        let members: Vec<_> = json.value(object).members().collect();
        let goes = |at: usize| keys.contains(&members[at].0.index());
        for at in (0..members.len()).filter(|at| goes(*at)) {
            let (key, value) = members[at];
            let end = members.get(at + 1).map_or(value.span().end, |(next, _)| next.span().start);
            ranges.push((key.span().start..end, String::new()));
        }
        // The comma behind the last one that stays.
        if let Some(last) = (0..members.len()).rev().find(|at| !goes(*at))
            && let Some((next, _)) = members.get(last + 1)
        {
            ranges.push((members[last].1.span().end..next.span().start, String::new()));
        }
    }
    spliced(json.text(), ranges)
}

/// The text with another in the place of each of these ranges. What overlaps one before it is taken out alone.
#[doc(hidden)]
pub fn spliced(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (range, new) in edits {
        if range.start >= from {
            out.push_str(&text[from..range.start]);
            out.push_str(&new);
        }
        from = from.max(range.end);
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    fn once(text: &str) -> String {
        let json = Json::parse(text, &Limits::default()).unwrap();
        without(&json, &doubled(&json, |_, key| key == "input"))
    }

    #[test]
    fn members_go_with_their_commas() {
        let gone = |text: &str| {
            let json = Json::parse(text, &Limits::default()).unwrap();
            let objects = (0..json.len() as u32).map(|index| json.value(index)).filter(|value| value.is_object());
            let gone: Vec<_> = objects
                .flat_map(|object| object.members().map(move |(key, value)| (object, key, value)))
                .filter(|(_, _, value)| value.is_null())
                .map(|(object, key, _)| (object, key))
                .collect();
            without_members(&json, &gone)
        };
        assert_eq!(gone(r#"{"a":null}"#), "{}");
        assert_eq!(gone(r#"{ "a":null, "b" : null }"#), "{  }");
        assert_eq!(gone(r#"{"a":null,"b":1}"#), r#"{"b":1}"#);
        assert_eq!(gone(r#"{"b":1, "a":null}"#), r#"{"b":1}"#);
        assert_eq!(gone(r#"{"b":1, "a":null ,"c": {"d":null} ,"e":null,"f":null }"#), r#"{"b":1, "c": {} }"#);
        assert_eq!(gone(r#"[{"a":2},{"x":{"y":null,"z":3},"a":null}]"#), r#"[{"a":2},{"x":{"z":3}}]"#);
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        assert_eq!(once(r#"{"a":1,"b":2}"#), r#"{"a":1,"b":2}"#);
        assert_eq!(once(r#"{"a":{"c":1,"c":2}, "a" : 2,"\u0061":3}"#), r#"{"\u0061":3}"#);
        assert_eq!(once(r#"[{"x":[{"a":1,"b":0,"a":2}]}]"#), r#"[{"x":[{"b":0,"a":2}]}]"#);
        assert_eq!(once(r#"{"input":{"a":1,"a":2},"b":{"a":1,"a":2}}"#), r#"{"input":{"a":1,"a":2},"b":{"a":2}}"#);
        let many: Vec<_> = (0..40).map(|at| format!("\"k{}\":{at}", at % 39)).collect();
        assert!(once(&format!("{{{}}}", many.join(","))).starts_with(r#"{"k1":1,"#));
    }
}
