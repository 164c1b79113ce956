//! What was lost on the way: texts and media that must survive and stand nowhere in an output.
//!
//! A text survives if it stands in a decoded string, or in one under at most two nested JSON layers (a tool's arguments are
//! JSON in a string, and a result may be JSON again). A number survives by its text, a JSON object or list by its value, media
//! by its bytes, however the base64 is spelled.

use std::borrow::Cow;

use wirecanon_core::json::{Json, Kind, Limits, Value};

use crate::compare;

/// Layers of JSON inside strings that are looked into.
const LAYERS: usize = 2;

/// Which of `wanted` stand nowhere in `output`, in their order. An output that is not JSON, nor JSON Lines, has lost all.
pub fn lost<'w>(output: &str, wanted: &'w [String]) -> Vec<&'w str> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut open: Vec<Wanted<'w>> = wanted.iter().map(|text| Wanted::new(text)).collect();
    if !look(output, &mut open) {
        for line in output.lines() {
            look(line, &mut open);
        }
    }
    open.into_iter().map(|wanted| wanted.text).collect()
}

/// Whether all that a text is missing is digits of numbers past what a double holds: the input has it as a number (or a
/// structure of numbers), and in no string, and the output has it with each number rounded to the nearest double. RFC 8259
/// section 6 lets any reader of JSON do that, so whoever was given JSON values has lost nothing of its own.
pub(crate) fn is_rounded(lost: &str, input: &[u8], output: &str) -> bool {
    let Some(rounded) = as_doubles(lost).filter(|rounded| rounded != lost) else { return false };
    let Ok(input) = std::str::from_utf8(input) else { return false };
    let Ok(json) = Json::parse(input, &Limits::default()) else { return false };
    let in_a_string = (0..json.len() as u32).any(|index| {
        let value = json.value(index);
        value.kind() == Kind::String && value.as_str().is_some_and(|string| string.contains(lost))
    });
    let stands_in = |document: &str, text: String| self::lost(document, &[text]).is_empty();
    !in_a_string
        && stands_in(input, lost.to_owned())
        && as_doubles(output).is_some_and(|output| stands_in(&output, rounded))
}

/// A JSON text in which every number is the shortest that means the same double; `None` if it is no JSON, or a number is past
/// all doubles.
fn as_doubles(text: &str) -> Option<String> {
    let json = Json::parse(text, &Limits::default()).ok()?;
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for index in 0..json.len() as u32 {
        let value = json.value(index);
        if value.kind() == Kind::Number {
            let number: f64 = value.raw().parse().ok().filter(|number: &f64| number.is_finite())?;
            out.push_str(text.get(from..value.span().start)?);
            out.push_str(&number.to_string());
            from = value.span().end;
        }
    }
    out.push_str(text.get(from..)?);
    Some(out)
}

struct Wanted<'w> {
    text: &'w str,
    /// The bytes it stands for, if it may be media
    media: Option<String>,
    /// Whether it is the text of a JSON object or list
    structure: bool,
}

impl<'w> Wanted<'w> {
    fn new(text: &'w str) -> Self {
        let structure = text.starts_with(['{', '[']) && Json::parse(text, &Limits::default()).is_ok();
        Self { text, media: media(text), structure }
    }

    fn stands_in(&self, text: &str) -> bool {
        text.contains(self.text)
            || self.media.as_ref().is_some_and(|media| {
                text.len() + 4 >= self.text.len() && normal_base64(text).is_some_and(|other| other == *media)
            })
    }
}

/// Takes off the list what stands in a document; whether it is one.
fn look(document: &str, open: &mut Vec<Wanted<'_>>) -> bool {
    let mut is_json = true;
    let mut texts: Vec<(Cow<'_, str>, usize)> = vec![(Cow::Borrowed(document), 0)];
    while let Some((text, layer)) = texts.pop() {
        if open.is_empty() {
            return is_json;
        }
        let Ok(json) = Json::parse(&text, &Limits::default()) else {
            is_json &= layer > 0;
            continue;
        };
        for index in 0..json.len() as u32 {
            if open.is_empty() {
                return is_json;
            }
            let value = json.value(index);
            match value.kind() {
                Kind::String => {
                    let Some(string) = value.as_str() else { continue };
                    open.retain(|wanted| !wanted.stands_in(&string));
                    if layer < LAYERS && string.trim_start().starts_with(['{', '[', '"']) {
                        texts.push((Cow::Owned(string.into_owned()), layer + 1));
                    }
                }
                Kind::Number => open.retain(|wanted| wanted.text != value.raw()),
                Kind::Object | Kind::Array if open.iter().any(|wanted| wanted.structure) => {
                    open.retain(|wanted| !(wanted.structure && same(wanted.text, value)));
                }
                _ => {}
            }
        }
    }
    is_json
}

fn same(text: &str, value: Value<'_>) -> bool {
    Json::parse(text, &Limits::default()).is_ok_and(|json| compare::difference(json.root(), value).is_none())
}

/// Whether a string is the base64 of a picture or a file. Words with spaces between them are none.
pub fn is_media(text: &str) -> bool {
    !text.contains(' ') && media(text).is_some()
}

/// The base64 of a picture or a file, in one spelling. Short words decode as base64 too, so only longer ones count.
fn media(text: &str) -> Option<String> {
    if text.len() < 32 { None } else { normal_base64(text) }
}

/// Base64 without its data URL, white space, padding and URL-safe letters; `None` if it is no base64.
fn normal_base64(text: &str) -> Option<String> {
    let payload = match text.strip_prefix("data:") {
        Some(rest) => rest.split_once(";base64,")?.1,
        None => text,
    };
    let mut out = String::with_capacity(payload.len());
    for c in payload.trim_end_matches(['=', ' ', '\n', '\r']).chars() {
        match c {
            '-' => out.push('+'),
            '_' => out.push('/'),
            ' ' | '\n' | '\r' | '\t' => {}
            c if c.is_ascii_alphanumeric() || c == '+' || c == '/' => out.push(c),
            _ => return None,
        }
    }
    Some(out)
}

/// The texts of an expected canonical document that every output must carry too: what users, models and tools really said.
/// Texts that wirecanon wrote itself, and blank ones, are no one's words.
pub fn texts_of(canonical: &str) -> Vec<String> {
    let Ok(json) = Json::parse(canonical, &Limits::default()) else { return Vec::new() };
    let root = json.root();
    let messages: Vec<_> = match root.get("messages") {
        Some(list) => list.items().collect(),
        None => vec![root],
    };
    let mut out = Vec::new();
    for block in messages.iter().filter_map(|message| message.get("content")).flat_map(Value::items) {
        let Some(text) = block.get("text").filter(|_| block.get("type").is_some_and(|kind| kind.is_str("text"))) else {
            continue;
        };
        let text = text.as_str().unwrap_or_default();
        let text = text.trim();
        let stands_in = ["[resource ", "[resource] ", "[audio "].iter().any(|start| text.starts_with(start));
        let is_ours = stands_in || text == "(no output)" || text.contains("[wirecanon:");
        if !text.is_empty() && !is_ours && !text.contains('\0') {
            out.push(text.to_owned());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(output: &str, wanted: &[&str]) -> Vec<String> {
        let wanted: Vec<String> = wanted.iter().map(|text| (*text).to_owned()).collect();
        lost(output, &wanted).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn a_text_is_found_under_escapes_and_two_layers() {
        assert!(left(r#"["caf\u00e9 au lait"]"#, &["café"]).is_empty());
        let once = serde_json::to_string(r#"{"note":"say \"x\" \\ y"}"#).unwrap();
        assert!(left(&once, &[r#"say "x" \ y"#]).is_empty());
        let twice = serde_json::to_string(&once).unwrap();
        assert!(left(&twice, &[r#"say "x" \ y"#]).is_empty());
        let thrice = serde_json::to_string(&twice).unwrap();
        assert_eq!(left(&thrice, &[r#"say "x" \ y"#]).len(), 1);
    }

    #[test]
    fn numbers_count_by_their_text_and_objects_by_their_value() {
        assert!(left(r#"{"a":9007199254740993}"#, &["9007199254740993"]).is_empty());
        assert_eq!(left(r#"{"a":9007199254740992}"#, &["9007199254740993"]), ["9007199254740993"]);
        assert!(left(r#"{"input":{"b":2, "a":1}}"#, &[r#"{"a":1,"b":2}"#]).is_empty());
        assert_eq!(left(r#"{"input":{"a":1.0}}"#, &[r#"{"a":1}"#]).len(), 1);
    }

    #[test]
    fn digits_past_a_double_are_forgiven_in_numbers_alone() {
        let rounded = |lost, input: &str, output| is_rounded(lost, input.as_bytes(), output);
        let (exact, near) = ("9007199254740993", r#"{"a":9007199254740992}"#);
        assert!(rounded(exact, r#"{"a":9007199254740993}"#, near));
        assert!(rounded(exact, r#"{"a":9007199254740993}"#, r#"{"arguments":"{\"a\":9007199254740992}"}"#));
        assert!(rounded(exact, r#"{"a":9007199254740993}"#, r#"{"a":9.007199254740992e15}"#));
        assert!(rounded(r#"{"took":0.10}"#, r#"{"a":{"took":0.10}}"#, r#"{"b":{"took":0.1}}"#));
        // Another number, one that was a text, one that is gone, and one that no double holds.
        assert!(!rounded(exact, r#"{"a":9007199254740993}"#, r#"{"a":9007199254740994}"#));
        assert!(!rounded(exact, r#"{"a":"{\"n\":9007199254740993}"}"#, near));
        assert!(!rounded(exact, r#"{"a":9007199254740993}"#, "{}"));
        assert!(!rounded("1e999", r#"{"a":1e999}"#, r#"{"a":null}"#));
        assert!(!rounded("words", r#"{"a":"words"}"#, "{}"));
    }

    #[test]
    fn media_counts_by_its_bytes() {
        let data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ++++////AAAA==";
        let url = format!(r#"["data:image/png;base64,{}"]"#, data.replace('+', "-").replace('/', "_").replace('=', ""));
        assert!(left(&url, &[data]).is_empty());
        assert_eq!(left(r#"["data:image/png;base64,iVBORw0KGgo="]"#, &[data]).len(), 1);
    }

    #[test]
    fn lines_are_looked_at_one_by_one() {
        assert!(left("{\"a\":\"one\"}\n{\"a\":\"two\"}\n", &["one", "two"]).is_empty());
        assert_eq!(left("not json: one", &["one"]), ["one"]);
    }

    #[test]
    fn our_own_texts_are_not_asked_for() {
        let canonical = r#"{"messages":[{"role":"user","content":[{"type":"text","text":" hi "},{"type":"text","text":"[wirecanon: x]"},{"type":"text","text":"[resource application/pdf] file:///a"},{"type":"text","text":"[resource] file:///b"}]},
            {"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":" "}]}]}"#;
        assert_eq!(texts_of(canonical), ["hi"]);
    }
}
