//! The JSON layer beside `serde_json`.
//!
//! Both prove the same texts: `serde_json` is asked for raw values, which it reads without deciding what numbers and halves of
//! surrogate pairs mean. The one documented difference is [`Limits::max_depth`].

use serde_json::value::RawValue;
use wirecanon_core::json::{
    self, Error, ErrorKind, Json, Kind, Limits, Value, doubled, mend_surrogates, quote, resolve, same, without,
};

use crate::FuzzTarget;
use crate::replay::Document;

/// The deepest nesting whose members are compared one by one: each level is read again by the other parser.
const DEPTH: usize = 64;

/// A parser to hold against the other.
type Parse = for<'t> fn(&'t str, &Limits) -> Result<Json<'t>, Error>;

/// Parses `data` by both.
///
/// Fails when one accepts what the other refuses, or they read another value.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: 32 * 1024, judge: |data| judge(data, json::parse), document: |_| Document::Nothing };

fn judge(data: &[u8], parse: Parse) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(data) else { return Ok(()) };
    let limits = Limits { max_depth: 256 };
    let theirs = serde_json::from_str::<&RawValue>(text);
    let json = match (parse(text, &limits), &theirs) {
        (Ok(json), Ok(_)) => json,
        (Ok(_), Err(error)) => return Err(format!("accepted, and serde_json says: {error}\n  {text:?}")),
        (Err(error), Ok(_)) if error.kind() == ErrorKind::TooDeep && deepest(text) > limits.max_depth => return Ok(()),
        (Err(error), Ok(_)) => return Err(format!("refused, and serde_json accepts it: {error}\n  {text:?}")),
        (Err(error), Err(_)) => {
            let inside = error.position().is_some_and(|position| position.offset <= text.len());
            let placed = inside || error.kind() == ErrorKind::Empty;
            return if placed { Ok(()) } else { Err(format!("a refusal without a place: {error}\n  {text:?}")) };
        }
    };
    alike(&json).map_err(|why| format!("{why}\n  {text:?}"))?;
    of_our_own(&json).map_err(|why| format!("{why}\n  {text:?}"))
}

/// Whether both read the same values.
fn alike(json: &Json<'_>) -> Result<(), String> {
    let mut todo = vec![(json.root(), 0)];
    while let Some((value, depth)) = todo.pop() {
        let raw = value.raw();
        let differs = |what: &str| Err(format!("{what} of {} differs: {raw:?}", value.pointer()));
        match value.kind() {
            Kind::String => {
                let theirs: Option<String> = serde_json::from_str(raw).ok();
                let ours = value.as_str().unwrap_or_default();
                // Halves of surrogate pairs are no Unicode text.
                match theirs {
                    Some(theirs) if theirs != ours => return differs("the text"),
                    None if !json.has_lone_surrogates() => return differs("whether a text is one"),
                    _ => {}
                }
                if serde_json::from_str::<String>(&quote(&ours)).ok().as_deref() != Some(&ours) {
                    return differs("the text, written again,");
                }
            }
            Kind::Number => {
                let theirs: Option<f64> = serde_json::from_str(raw).ok();
                let ours = value.as_f64();
                if theirs.is_some_and(|theirs| ours != Some(theirs)) {
                    return differs("the number");
                }
            }
            Kind::Bool if value.as_bool() != serde_json::from_str(raw).ok() => return differs("the truth"),
            Kind::Null if raw != "null" => return differs("null"),
            Kind::Array if depth < DEPTH => {
                let theirs: Vec<&RawValue> = serde_json::from_str(raw).map_err(|error| format!("{error}: {raw:?}"))?;
                let ours: Vec<_> = value.items().collect();
                if !ours.iter().map(|item| item.raw()).eq(theirs.iter().map(|item| item.get())) {
                    return differs("the list");
                }
                todo.extend(ours.into_iter().map(|item| (item, depth + 1)));
            }
            Kind::Object if depth < DEPTH => {
                let theirs: Members<'_> = serde_json::from_str(raw).map_err(|error| format!("{error}: {raw:?}"))?;
                let ours: Vec<_> = value.members().collect();
                let same = ours.iter().map(|(key, value)| (key.raw(), value.raw()));
                if !same.eq(theirs.0.iter().map(|(key, value)| (key.get(), value.get()))) {
                    return differs("the members");
                }
                todo.extend(ours.into_iter().map(|(_, value)| (value, depth + 1)));
            }
            Kind::Bool | Kind::Null | Kind::Array | Kind::Object => {}
        }
    }
    Ok(())
}

/// The members of an object as they stand.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// What this layer says of its own values must fit together.
fn of_our_own(json: &Json<'_>) -> Result<(), String> {
    let root = json.root();
    if !same(root, root) {
        return Err("a value is not the same as itself".to_owned());
    }
    let once = without(json, &doubled(json, |_, _| false));
    let once = Json::parse(&once, &Limits::default()).map_err(|error| format!("with each key once: {error}"))?;
    if !doubled(&once, |_, _| false).is_empty() {
        return Err("a key stands twice after it was taken out".to_owned());
    }
    let mended = mend_surrogates(json.text());
    if Json::parse(&mended, &Limits::default()).map_err(|error| format!("mended: {error}"))?.has_lone_surrogates() {
        return Err("halves of surrogate pairs were mended and still stand there".to_owned());
    }
    let values = (0..once.len().min(200)).map(|index| once.value(u32::try_from(index).unwrap_or(0)));
    let leads_back = |value: &Value<'_>| {
        resolve(once.root(), &value.pointer()).is_some_and(|found| found.index() == value.index() || is_key(*value))
    };
    match values.into_iter().find(|value| !leads_back(value)) {
        Some(value) => Err(format!("{} leads elsewhere", value.pointer())),
        None => Ok(()),
    }
}

/// A key has the pointer of its object.
fn is_key(value: Value<'_>) -> bool {
    value.is_string() && resolve(value.json().root(), &value.pointer()).is_some_and(Value::is_object)
}

/// The deepest nesting of a JSON text.
fn deepest(text: &str) -> usize {
    let (mut depth, mut deepest, mut inside, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            b'[' | b'{' if !inside => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !inside => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::smoke;

    #[test]
    fn smoke() {
        smoke::each_document(1000, |data| TARGET.run(data));
        smoke::each_noise(2000, 40, |data| TARGET.run(data));
        let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
        TARGET.run(deep.as_bytes());
        TARGET.run("[".repeat(5000).as_bytes());
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as the parser has it")]
    fn trimmed<'t>(text: &'t str, limits: &Limits) -> Result<Json<'t>, Error> {
        Json::parse(text.trim(), limits)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as the parser has it")]
    fn lenient<'t>(text: &'t str, limits: &Limits) -> Result<Json<'t>, Error> {
        Json::parse(if text == "01" { "1" } else { text }, limits)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as the parser has it")]
    fn shallow<'t>(text: &'t str, _: &Limits) -> Result<Json<'t>, Error> {
        Json::parse(text, &Limits { max_depth: 3 })
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as the parser has it")]
    fn inner<'t>(text: &'t str, limits: &Limits) -> Result<Json<'t>, Error> {
        Json::parse(text.strip_prefix('-').unwrap_or(text), limits)
    }

    #[test]
    fn a_parser_that_differs_is_caught() {
        assert!(judge("\u{a0}1".as_bytes(), json::parse).is_ok());
        for (text, parse) in [("\u{a0}1", trimmed as Parse), ("01", lenient), ("[[[[1]]]]", shallow), ("--1", inner)] {
            assert!(judge(text.as_bytes(), json::parse).is_ok(), "{text}");
            assert!(judge(text.as_bytes(), parse).is_err(), "{text}");
        }
    }

    #[test]
    fn values_that_differ_are_caught() {
        for text in [r#"{"a":1.0,"a":[1e400,"\ud83d\ude00\ud800"]}"#, "[-0, 1E+2, 9007199254740993]"] {
            let json = Json::parse(text, &Limits::default()).unwrap();
            assert_eq!(alike(&json), Ok(()));
            assert_eq!(of_our_own(&json), Ok(()));
        }
        assert!(serde_json::from_str::<Members<'_>>("[]").is_err());
    }
}
