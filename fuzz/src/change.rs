//! Changes of JSON texts that leave them JSON: what changes of single bytes seldom hit.
//!
//! A text stays as it is but for the place that is changed, so numbers, escapes and doubled keys survive.

use wirecanon_core::json::{Json, Limits, Value, quote};

use crate::dictionary;

/// Values that programs write where they should not.
const CONSTANTS: [&str; 18] = [
    "null",
    "\"\"",
    "[]",
    "{}",
    "[null]",
    "[{}]",
    "0",
    "-1",
    "1.0",
    "1e999",
    "true",
    "false",
    "\" \"",
    "\"{}\"",
    "\"\\ud800\"",
    "\"data:image/png;base64,iVBORw0KGgo=\"",
    "\"iVBORw0KGgo=\"",
    "[[]]",
];

/// Numbers below a limit, the same on every machine.
#[derive(Clone, Debug)]
pub struct Picks(fastrand::Rng);

impl Picks {
    /// Those of this seed.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// The next, from 0 to `limit - 1`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit.max(1))
    }
}

/// The mutator of the fuzzers of documents: one to three changes of the JSON text in front of `data`, and its new length.
/// `None` where the fuzzer's own mutator is to have its turn: one time in four, and where there is no JSON.
pub fn bytes(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    let picks = &mut Picks::new(u64::from(seed));
    if picks.below(4) == 0 {
        return None;
    }
    let mut text = std::str::from_utf8(data.get(..size)?).ok()?.to_owned();
    for _ in 0..=picks.below(3) {
        text = change(&text, &mut |limit| picks.below(limit))?;
    }
    let room = data.get_mut(..text.len()).filter(|room| room.len() <= max_size)?;
    room.copy_from_slice(text.as_bytes());
    Some(text.len())
}

/// One change of a JSON text, by what `below` picks; `None` where the text is not JSON.
pub fn change(text: &str, below: &mut dyn FnMut(usize) -> usize) -> Option<String> {
    let json = Json::parse(text, &Limits::default()).ok()?;
    let keys = keys(&json);
    let index = below(json.len());
    let value = json.value(u32::try_from(index).ok()?);
    let mut out = text.to_owned();
    if keys[index] {
        let key = match below(2) {
            0 => word(below),
            _ => other(&json, &keys, true, below).raw().to_owned(),
        };
        out.replace_range(value.span(), &key);
        return Some(out);
    }
    // A member is its key and its value.
    let start =
        if index > 0 && keys[index - 1] { json.value(value.index() - 1).span().start } else { value.span().start };
    let whole = start..value.span().end;
    match below(10) {
        0 | 1 if index > 0 => out.replace_range(with_comma(text, whole.start, whole.end), ""),
        2 if index > 0 => out.insert_str(whole.start, &format!("{},", &text[whole.clone()])),
        3 => out.replace_range(value.span(), other(&json, &keys, false, below).raw()),
        4 => out.replace_range(value.span(), &word(below)),
        5 => swap(&mut out, value, other(&json, &keys, false, below)),
        6 => out.replace_range(value.span(), &format!("[{}]", value.raw())),
        7 => out.replace_range(value.span(), &quote(value.raw())),
        8 if let Some(inside) = value.as_str() => out.replace_range(value.span(), &edited(&inside, below)),
        _ => out.replace_range(value.span(), CONSTANTS[below(CONSTANTS.len())]),
    }
    Some(out)
}

/// A string of which a part is cut off, or to which one is added, or the JSON that it holds.
fn edited(inside: &str, below: &mut dyn FnMut(usize) -> usize) -> String {
    let mut cut = below(inside.len() + 1);
    while !inside.is_char_boundary(cut) {
        cut -= 1;
    }
    match below(4) {
        0 => quote(&inside[..cut]),
        1 => quote(&inside[cut..]),
        2 => quote(&format!("{}{inside}", ["data:image/png;base64,", " ", "call_", "\u{feff}", "```json\n"][below(5)])),
        _ if Json::parse(inside, &Limits::default()).is_ok() => inside.to_owned(),
        _ => quote(&format!("{inside}{}", ["|fc_1", "\u{0}", " ", "=", "}", "\n"][below(6)])),
    }
}

/// Whether each value of the table is a key.
fn keys(json: &Json<'_>) -> Vec<bool> {
    let mut keys = vec![false; json.len()];
    for index in 0..json.len() {
        let value = json.value(u32::try_from(index).unwrap_or(0));
        if !keys[index] && value.is_object() {
            for (key, _) in value.members() {
                keys[key.index() as usize] = true;
            }
        }
    }
    keys
}

/// A value, or a key, picked at random; the text's first where there is none.
fn other<'j>(json: &'j Json<'j>, keys: &[bool], key: bool, below: &mut dyn FnMut(usize) -> usize) -> Value<'j> {
    let start = below(keys.len());
    let found = (0..keys.len()).map(|step| (start + step) % keys.len()).find(|index| keys[*index] == key);
    json.value(found.and_then(|index| u32::try_from(index).ok()).unwrap_or(0))
}

fn word(below: &mut dyn FnMut(usize) -> usize) -> String {
    let words = dictionary::messages();
    quote(&words[below(words.len())])
}

/// A member or an item with one of the commas beside it.
fn with_comma(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let after = text[end..].trim_start();
    let before = text[..start].trim_end();
    if after.starts_with(',') {
        start..text.len() - after.len() + 1
    } else if before.ends_with(',') {
        before.len() - 1..end
    } else {
        start..end
    }
}

/// Two values in each other's place, unless one holds the other.
fn swap(out: &mut String, one: Value<'_>, other: Value<'_>) {
    let (first, second) = if one.index() < other.index() { (one, other) } else { (other, one) };
    if first.span().end <= second.span().start {
        out.replace_range(second.span(), first.raw());
        out.replace_range(first.span(), second.raw());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const TEXT: &str =
        r#"{"messages": [ {"role":"user","content":"h\u00ef"} , {"role":"x","content":[1.0,{"a":"{}"}]}]}"#;

    #[test]
    fn a_changed_text_is_json_and_another_one() {
        let mut seen = HashSet::new();
        for seed in 0..3000 {
            let picks = &mut Picks::new(seed);
            let changed = change(TEXT, &mut |limit| picks.below(limit)).unwrap();
            assert!(Json::parse(&changed, &Limits::default()).is_ok(), "{changed}");
            seen.insert(changed);
        }
        assert!(seen.len() > 500, "only {} differ", seen.len());
        for whole in [
            r#"{"messages": [  {"role":"x","content":[1.0,{"a":"{}"}]}]}"#,
            r#"{"messages": [ {"role":"user","content":"h\u00ef"} , {"role":"x","content":[1.0,{"a":{}}]}]}"#,
            r#"{"messages": [ {"content":"h\u00ef"} , {"role":"x","content":[1.0,{"a":"{}"}]}]}"#,
        ] {
            assert!(seen.contains(whole), "never made: {whole}");
        }
    }

    #[test]
    fn what_is_no_json_or_has_no_room_is_left_to_the_fuzzer() {
        let mut room = *b"{\"a\":1}   ";
        assert!((0..200).filter_map(|seed| bytes(&mut room.clone(), 7, 10, seed)).all(|length| length <= 10));
        assert!((0..200).any(|seed| bytes(&mut room.clone(), 7, 10, seed).is_some()));
        room[0] = b'x';
        assert!((0..200).all(|seed| bytes(&mut room.clone(), 7, 10, seed).is_none()));
    }
}
