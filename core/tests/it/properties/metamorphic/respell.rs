//! The same JSON in other words: keys in another order, other white space, other escapes.

use std::collections::BTreeSet;
use std::fmt::Write;

use wirecanon_core::json::{Json, Kind, Limits, Value, has_lone_surrogate, quote_into};

/// A text that means the same; none where the input is no JSON. Equal keys keep their order, because it says which counts;
/// numbers and strings with half of a character keep their spelling, because nothing else means the same.
pub(super) fn respelled(bytes: &[u8], seed: u64) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let json = Json::parse(text, &Limits::default()).ok()?;
    let mut out = String::new();
    Writer { state: seed | 1, out: &mut out }.value(json.root());
    Some(out.into_bytes())
}

struct Writer<'o> {
    state: u64,
    out: &'o mut String,
}

impl Writer<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 20).unwrap_or(0) % limit
    }

    fn space(&mut self) {
        let space = ["", "", "", " ", "\t", "\n  ", "\r\n"][self.below(7)];
        self.out.push_str(space);
    }

    // The recursion is bounded by what the generator nests.
    fn value(&mut self, value: Value<'_>) {
        match value.kind() {
            Kind::Null | Kind::Bool | Kind::Number => self.out.push_str(value.raw()),
            Kind::String => self.string(value),
            Kind::Array => {
                self.out.push('[');
                for (at, item) in value.items().enumerate() {
                    self.comma(at);
                    self.value(item);
                }
                self.space();
                self.out.push(']');
            }
            Kind::Object => {
                let mut members: Vec<_> = value.members().collect();
                let keys: BTreeSet<_> = members.iter().map(|(key, _)| key.as_str()).collect();
                if keys.len() == members.len() {
                    for last in (1..members.len()).rev() {
                        let other = self.below(last + 1);
                        members.swap(last, other);
                    }
                }
                self.out.push('{');
                for (at, (key, member)) in members.into_iter().enumerate() {
                    self.comma(at);
                    self.string(key);
                    self.space();
                    self.out.push(':');
                    self.space();
                    self.value(member);
                }
                self.space();
                self.out.push('}');
            }
        }
    }

    fn comma(&mut self, at: usize) {
        if at > 0 {
            self.space();
            self.out.push(',');
        }
        self.space();
    }

    fn string(&mut self, value: Value<'_>) {
        let Some(text) = value.as_str().filter(|_| !has_lone_surrogate(value.raw())) else {
            self.out.push_str(value.raw());
            return;
        };
        // Most strings are spelled in one way, as programs do.
        let often = self.below(4);
        self.out.push('"');
        for c in text.chars() {
            if often == 3 && self.below(3) == 0 {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // A string takes all that is written to it.
                    let _ = write!(self.out, "\\u{unit:04X}");
                }
            } else if c == '/' && often == 2 {
                self.out.push_str("\\/");
            } else {
                let mut quoted = String::new();
                quote_into(&mut quoted, c.encode_utf8(&mut [0; 4]));
                self.out.push_str(&quoted[1..quoted.len() - 1]);
            }
        }
        self.out.push('"');
    }
}

/// One text for all spellings of a value: keys sorted, strings decoded, and JSON inside of strings, `layers` deep, as if it
/// stood outside.
pub(super) fn normal(value: Value<'_>, layers: usize) -> String {
    match value.kind() {
        Kind::Null | Kind::Bool | Kind::Number => value.raw().to_owned(),
        Kind::String => {
            let text = value.as_str().unwrap_or_default();
            if layers > 0
                && text.trim_start().starts_with(['{', '['])
                && let Ok(inner) = Json::parse(&text, &Limits::default())
            {
                return format!("\"{}\"", normal(inner.root(), layers - 1));
            }
            let mut out = String::new();
            quote_into(&mut out, &text);
            out
        }
        Kind::Array => {
            let items: Vec<_> = value.items().map(|item| normal(item, layers)).collect();
            format!("[{}]", items.join(","))
        }
        Kind::Object => {
            let mut members: Vec<_> =
                value.members().map(|(key, member)| format!("{}:{}", normal(key, 0), normal(member, layers))).collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
    }
}

#[test]
fn another_spelling_means_the_same_and_is_another() {
    let text = r#"{"a": [1.0, "x/y\u00e9\n", {"b": null, "c": {"d": true, "e": "\ud83d"}}], "f": "{\"n\": 1}"}"#;
    let json = Json::parse(text, &Limits::default()).unwrap();
    let mut different = BTreeSet::new();
    for seed in 1..200_u64 {
        let other = String::from_utf8(respelled(text.as_bytes(), seed << 20 | 7).unwrap()).unwrap();
        let parsed = Json::parse(&other, &Limits::default()).unwrap();
        assert_eq!(normal(parsed.root(), 2), normal(json.root(), 2));
        assert!(wirecanon_core::json::same(parsed.root(), json.root()), "{other}");
        different.insert(other);
    }
    assert!(different.len() > 150, "{}", different.len());
    for part in ["\"f\"", "\\/", "\\u00E9", "\\n", "\t", "\r\n", "\\ud83d", "1.0"] {
        assert!(different.iter().any(|other| other.contains(part)), "{part}");
    }
}
