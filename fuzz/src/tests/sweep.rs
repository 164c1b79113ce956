//! Every member of a document in every wrong form, one by one: what luck finds late.

use wirecanon_core::json::{Json, Limits, Value, quote, resolve};

use crate::change::Picks;

/// One of each kind of value, and of the strings that servers tell apart.
const WRONG: [&str; 20] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "1e999",
    "\"\"",
    "\" \"",
    "\"x\"",
    "\"{}\"",
    "[]",
    "{}",
    "[null]",
    "[\"\"]",
    "[\"x\"]",
    "[{}]",
    "[[]]",
    "{\"x\":1}",
    "{\"type\":\"text\",\"text\":\"x\"}",
];

/// The key under which differences of one sort are kept: the sort of the place, and the first line without numbers.
pub(crate) fn key_of_difference(sort: &str, difference: &str) -> String {
    let first = difference.split_once("\n  ").map_or(difference, |(first, _)| first);
    format!("{sort} {}", first.replace(|c: char| c.is_ascii_digit(), ""))
}

/// A place, without numbers of items and with the kinds of the objects on the way: where the same rules hold.
pub(crate) fn sort_of_place(value: Value<'_>, pointer: &str) -> String {
    let (mut here, mut sort) = (value, String::new());
    for part in pointer.split('/').skip(1) {
        for key in ["role", "type", "part_type"] {
            if let Some(kind) = here.get(key).and_then(Value::as_str) {
                sort.extend(["<", &kind, ">"]);
            }
        }
        let digits = part.bytes().all(|byte| byte.is_ascii_digit()) && here.items().next().is_some();
        sort.extend(["/", if digits { "*" } else { part }]);
        let Some(inner) = resolve(here, &format!("/{part}")) else { break };
        here = inner;
    }
    sort
}

/// The pointers of all values of a text.
pub(crate) fn places(value: Value<'_>, pointer: String, out: &mut Vec<String>) {
    for (key, member) in value.members() {
        let key = key.as_str().unwrap_or_default().replace('~', "~0").replace('/', "~1");
        places(member, format!("{pointer}/{key}"), out);
    }
    for (index, item) in value.items().enumerate() {
        places(item, format!("{pointer}/{index}"), out);
    }
    out.push(pointer);
}

/// Members that are put into objects: their names, and how many of the wrong values each is tried with.
pub(crate) struct More<'w> {
    pub(crate) names: &'w [String],
    pub(crate) values: usize,
}

/// The texts that differ from this one at a place: each wrong value there, the value in a list and told as text, the member
/// left out, under its name in other dialects alone and beside itself, and an object with a member more.
fn variants(text: &str, value: Value<'_>, more: &More<'_>, picks: &mut Picks) -> Vec<String> {
    let span = value.span();
    let put = |new: &str| format!("{}{new}{}", &text[..span.start], &text[span.end..]);
    let mut out: Vec<_> = WRONG.iter().map(|wrong| put(wrong)).collect();
    out.push(put(&format!("[{}]", value.raw())));
    out.push(put(&quote(value.raw())));
    if value.is_object() {
        let comma = if value.members().next().is_some() { "," } else { "" };
        let with = |key: &str, new: &str| put(&value.raw().replacen('{', &format!("{{{}:{new}{comma}", quote(key)), 1));
        out.push(with("x-more", "1"));
        for name in more.names.iter().filter(|name| value.get(name).is_none()) {
            let first = picks.below(WRONG.len());
            let wrong = (0..more.values.min(WRONG.len())).map(|step| WRONG[(first + step) % WRONG.len()]);
            out.extend(wrong.map(|wrong| with(name, wrong)));
        }
    }
    let before = text[..span.start].trim_end();
    // A member goes with its key.
    if let Some(key) = before.strip_suffix(':').map(str::trim_end) {
        let start = key[..key.len() - 1].rfind('"').unwrap_or(0);
        let (head, tail) = (text[..start].trim_end(), text[span.end..].trim_start());
        out.push(match (head.strip_suffix(','), tail.strip_prefix(',')) {
            (Some(head), None) => format!("{head}{tail}"),
            (_, after) => format!("{head}{}", after.unwrap_or(tail)),
        });
        let name = &key[start + 1..key.len() - 1];
        if let Some(other) = respelled(name) {
            out.push(format!("{}{}{}", &text[..start], quote(&other), &text[key.len()..]));
            for wrong in WRONG {
                out.push(format!("{},{}:{wrong}{}", &text[..span.end], quote(&other), &text[span.end..]));
            }
        }
    }
    out
}

/// A name with its words joined the other way: `tool_call_id` for `toolCallId`.
fn respelled(name: &str) -> Option<String> {
    let mut out = String::new();
    let mut parts = name.split('_');
    out.push_str(parts.next()?);
    for part in parts {
        let mut letters = part.chars();
        out.extend(letters.next()?.to_uppercase());
        out.push_str(letters.as_str());
    }
    if out == name {
        out.clear();
        for letter in name.chars() {
            if letter.is_ascii_uppercase() {
                out.push('_');
            }
            out.push(letter.to_ascii_lowercase());
        }
    }
    (out != name && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')).then_some(out)
}

/// Hands each variant at each place of a text to `ask`, where `is_new` says of the sort of the place and the kind of its
/// value that it has not been tried.
pub(crate) fn each_variant(
    text: &str,
    more: &More<'_>,
    picks: &mut Picks,
    mut is_new: impl FnMut(&str, &'static str) -> bool,
    mut ask: impl FnMut(&str, &str),
) {
    let Ok(json) = Json::parse(text, &Limits::default()) else { return };
    let mut all = Vec::new();
    places(json.root(), String::new(), &mut all);
    for pointer in all {
        let sort = sort_of_place(json.root(), &pointer);
        let Some(value) = resolve(json.root(), &pointer) else { continue };
        if is_new(&sort, value.kind().name()) {
            for variant in variants(text, value, more, picks) {
                ask(&sort, &variant);
            }
        }
    }
}

#[test]
fn names_are_spelled_both_ways() {
    for (name, other) in
        [("toolCallId", "tool_call_id"), ("tool_call_id", "toolCallId"), ("redactedContent", "redacted_content")]
    {
        assert_eq!(respelled(name).as_deref(), Some(other));
    }
    assert_eq!(respelled("content"), None);
    assert_eq!(respelled("x-y"), None);
}

#[test]
fn each_place_has_each_variant() {
    let text = r#"{"a":[{"toolName":"x"},{"toolName":"y"}]}"#;
    let more = More { names: &["extra".to_owned()], values: 20 };
    let (mut seen, mut made) = (Vec::new(), Vec::new());
    let is_new = |sort: &str, kind: &'static str| {
        let new = !seen.contains(&(sort.to_owned(), kind));
        seen.push((sort.to_owned(), kind));
        new
    };
    each_variant(text, &more, &mut Picks::new(1), is_new, |_, variant| made.push(variant.to_owned()));
    assert!(made.iter().all(|variant| Json::parse(variant, &Limits::default()).is_ok()), "{made:?}");
    for variant in [
        r#"{"a":[{"toolName":1.5},{"toolName":"y"}]}"#,
        r#"{"a":[{"toolName":["x"]},{"toolName":"y"}]}"#,
        r#"{"a":[{"tool_name":"x"},{"toolName":"y"}]}"#,
        r#"{"a":[{"toolName":"x","tool_name":[[]]},{"toolName":"y"}]}"#,
        r#"{"a":[{},{"toolName":"y"}]}"#,
        r#"{"a":[{"extra":1e999,"toolName":"x"},{"toolName":"y"}]}"#,
        r#"{"a":[{"x-more":1,"toolName":"x"},{"toolName":"y"}]}"#,
        "{}",
    ] {
        assert!(made.iter().any(|made| made == variant), "never made: {variant}");
    }
}
