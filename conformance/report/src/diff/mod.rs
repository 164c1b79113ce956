//! Two JSON texts side by side, line by line: what is in both, what is gone, what is new.
//!
//! Values are compared as [`wirecanon_judge::compare`] does: key order and the spelling of strings are apart, number text is not. Items of
//! lists are laid beside those that are most like them, so that a message that is missing makes one block of lines and not a
//! change in each message behind it.

mod align;
mod print;

use std::collections::BTreeMap;

use wirecanon_core::json::{Kind, Value, pointer_step};
use wirecanon_judge::compare;
use wirecanon_judge::pointer::upwards;

use align::align;
use print::{closing, inline, key_of, opening, scalar, scalar_beside};

/// Nesting that is laid out; what is deeper stands on one line.
const DEEPEST: usize = 48;

/// Of which side a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Of both
    Same,
    /// Of the left one alone
    Gone,
    /// Of the right one alone
    New,
}

impl Mark {
    /// As it stands before a line.
    pub fn sign(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Gone => '-',
            Self::New => '+',
        }
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Of which side it is
    pub mark: Mark,
    /// How far it is indented
    pub depth: usize,
    /// What it says
    pub text: String,
    /// Places (JSON Pointers) that begin on it: in the right text, or of a line that is gone in the left one
    pub pointer: String,
}

/// A value laid out, every line in both.
pub fn laid_out(value: Value<'_>) -> Vec<Line> {
    let mut out = Out { lines: Vec::new(), apart: None };
    out.one(Mark::Same, "", &Place { pointer: String::new(), depth: 0, comma: false }, value);
    out.lines
}

/// What must be changed in `left` to say `right`. A member `apart` on one side alone is no difference.
pub fn diff(left: Value<'_>, right: Value<'_>, apart: Option<&str>) -> Vec<Line> {
    let mut out = Out { lines: Vec::new(), apart };
    out.both("", &Place { pointer: String::new(), depth: 0, comma: false }, left, right);
    out.lines
}

/// Where a value stands.
struct Place {
    pointer: String,
    depth: usize,
    comma: bool,
}

impl Place {
    fn inside(&self, step: &str, comma: bool) -> Self {
        Self { pointer: format!("{}/{}", self.pointer, pointer_step(step)), depth: self.depth + 1, comma }
    }
}

struct Out<'a> {
    lines: Vec<Line>,
    apart: Option<&'a str>,
}

impl Out<'_> {
    fn line(&mut self, mark: Mark, place: &Place, text: String) {
        self.lines.push(Line { mark, depth: place.depth, text, pointer: place.pointer.clone() });
    }

    /// A value of one side. Recursion ends at [`DEEPEST`].
    fn one(&mut self, mark: Mark, key: &str, place: &Place, value: Value<'_>) {
        let comma = if place.comma { "," } else { "" };
        if !matches!(value.kind(), Kind::Object | Kind::Array) {
            return self.line(mark, place, format!("{key}{}{comma}", scalar(value)));
        }
        if let Some(text) = inline(value, place.depth >= DEEPEST) {
            return self.line(mark, place, format!("{key}{text}{comma}"));
        }
        self.line(mark, place, format!("{key}{}", opening(value)));
        let parts: Vec<(String, String, Value<'_>)> = if value.is_object() {
            value
                .members()
                .map(|(name, value)| (name.as_str().unwrap_or_default().into_owned(), key_of(name), value))
                .collect()
        } else {
            value.items().enumerate().map(|(at, item)| (at.to_string(), String::new(), item)).collect()
        };
        let last = parts.len().saturating_sub(1);
        for (at, (step, key, value)) in parts.into_iter().enumerate() {
            self.one(mark, &key, &place.inside(&step, at < last), value);
        }
        self.line(mark, &Place { pointer: String::new(), ..*place }, format!("{}{comma}", closing(value)));
    }

    /// A value of each side. Recursion ends at [`DEEPEST`].
    fn both(&mut self, key: &str, place: &Place, left: Value<'_>, right: Value<'_>) {
        if compare::difference_but(left, right, self.apart).is_none() {
            return self.one(Mark::Same, key, place, right);
        }
        let comma = if place.comma { "," } else { "" };
        let nested = left.kind() == right.kind() && matches!(left.kind(), Kind::Object | Kind::Array);
        if !nested || place.depth >= DEEPEST {
            if nested || left.kind() != right.kind() || !left.is_string() {
                self.one(Mark::Gone, key, place, left);
                return self.one(Mark::New, key, place, right);
            }
            let [left, right] = scalar_beside(left, right);
            self.line(Mark::Gone, place, format!("{key}{left}{comma}"));
            return self.line(Mark::New, place, format!("{key}{right}{comma}"));
        }
        self.line(Mark::Same, place, format!("{key}{}", opening(right)));
        if left.is_object() {
            self.members(place, left, right);
        } else {
            self.items(place, left, right);
        }
        self.line(Mark::Same, &Place { pointer: String::new(), ..*place }, format!("{}{comma}", closing(right)));
    }

    fn members(&mut self, place: &Place, left: Value<'_>, right: Value<'_>) {
        // Of an equal key the last counts, as everywhere.
        fn table(object: Value<'_>) -> (Vec<String>, BTreeMap<String, (String, Value<'_>)>) {
            let (mut order, mut table) = (Vec::new(), BTreeMap::new());
            for (key, value) in object.members() {
                let name = key.as_str().unwrap_or_default().into_owned();
                if table.insert(name.clone(), (key_of(key), value)).is_none() {
                    order.push(name);
                }
            }
            (order, table)
        }
        let ((lefts, left), (rights, right)) = (table(left), table(right));
        let more: Vec<&String> = rights.iter().filter(|name| !left.contains_key(*name)).collect();
        let last = lefts.len() + more.len() - 1;
        for (at, name) in lefts.iter().chain(more).enumerate() {
            let place = place.inside(name, at < last);
            let alone = |mark| if self.apart == Some(name.as_str()) { Mark::Same } else { mark };
            match (left.get(name), right.get(name)) {
                (Some((_, left)), Some((key, right))) => self.both(key, &place, *left, *right),
                (Some((key, left)), None) => self.one(alone(Mark::Gone), key, &place, *left),
                (None, Some((key, right))) => self.one(alone(Mark::New), key, &place, *right),
                (None, None) => {}
            }
        }
    }

    fn items(&mut self, place: &Place, left: Value<'_>, right: Value<'_>) {
        let (lefts, rights): (Vec<_>, Vec<_>) = (left.items().collect(), right.items().collect());
        let pairs = align(&lefts, &rights, self.apart);
        let last = pairs.len().saturating_sub(1);
        for (at, (left, right)) in pairs.into_iter().enumerate() {
            let step = right.or(left).unwrap_or_default().to_string();
            let place = place.inside(&step, at < last);
            match (left.map(|at| lefts[at]), right.map(|at| rights[at])) {
                (Some(left), Some(right)) => self.both("", &place, left, right),
                (Some(left), None) => self.one(Mark::Gone, "", &place, left),
                (None, Some(right)) => self.one(Mark::New, "", &place, right),
                (None, None) => {}
            }
        }
    }
}

/// The line where a place begins; where it is not there, of what it would stand in.
pub fn line_of(lines: &[Line], pointer: &str) -> Option<usize> {
    // The whole stands on the first line, and so do the lines that close something.
    let at = |pointer: &str| lines.iter().position(|line| line.mark != Mark::Gone && line.pointer == pointer);
    upwards(pointer).find_map(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_core::json::{Json, Limits};

    fn shown(left: &str, right: &str) -> String {
        let limits = Limits::default();
        let (left, right) = (Json::parse(left, &limits).unwrap(), Json::parse(right, &limits).unwrap());
        let lines = diff(left.root(), right.root(), Some("native"));
        lines.iter().fold(String::new(), |mut out, line| {
            out.push(line.mark.sign());
            out.push_str(&"  ".repeat(line.depth));
            out.push_str(&line.text);
            out.push('\n');
            out
        })
    }

    #[test]
    fn what_is_equal_has_no_marks() {
        let text = shown(r#"{"b":[1,{"c":"é"}],"a":1.0}"#, r#"{ "a": 1.0, "b": [1, {"c": "\u00e9"}] }"#);
        assert!(text.lines().all(|line| line.starts_with(' ')), "{text}");
        let text = shown(r#"{"a":1}"#, r#"{"native":{"x":1},"a":1}"#);
        assert!(text.lines().all(|line| line.starts_with(' ')), "{text}");
    }

    #[test]
    fn a_missing_message_is_one_block() {
        let left = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"a"},{"role":"tool","content":"r"},{"role":"user","content":"on"}]}"#;
        let right = r#"{"messages":[{"role":"user","content":"go"},{"role":"tool","content":"r"},{"role":"user","content":"on and on"}]}"#;
        let text = shown(left, right);
        let changed: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(
            changed,
            [
                r#"-    {"role": "assistant", "content": "a"},"#,
                r#"-      "content": "on""#,
                r#"+      "content": "on and on""#
            ],
            "{text}"
        );
    }

    #[test]
    fn numbers_kinds_and_keys_are_told() {
        assert_eq!(shown("1", "1.0"), "-1\n+1.0\n");
        assert_eq!(shown(r#"{"a":1}"#, "[]"), "-{\"a\": 1}\n+[]\n");
        assert_eq!(shown(r#"{"a":1,"b":2}"#, r#"{"b":2,"c":3}"#), " {\n-  \"a\": 1,\n   \"b\": 2,\n+  \"c\": 3\n }\n");
        let long = "x".repeat(900);
        let text = shown(&format!("\"{long}a\""), &format!("\"{long}b\""));
        assert!(text.contains("characters the same") && text.contains("xa\"") && text.contains("xb\""), "{text}");
    }

    #[test]
    fn a_place_is_found_or_what_it_would_stand_in() {
        let limits = Limits::default();
        let json = Json::parse(r#"{"messages":[{"role":"tool","content":[{"type":"text","text":"a long text that makes the block a block of its own lines"}]}]}"#, &limits).unwrap();
        let lines = laid_out(json.root());
        let at = |pointer: &str| line_of(&lines, pointer).map(|at| lines[at].text.clone());
        assert_eq!(at("/messages/0/role").as_deref(), Some(r#""role": "tool","#));
        assert_eq!(at("/messages/0/tool_call_id").as_deref(), Some("{"));
        assert_eq!(at("/messages/0/content/0/text/x").as_deref(), at("/messages/0/content/0/text").as_deref());
        assert_eq!(at(""), Some("{".to_owned()));
        assert_eq!(at("/messages/7"), Some("\"messages\": [".to_owned()));
    }

    #[test]
    fn depth_and_length_cost_little() {
        let deep = format!("{}1{}", "[".repeat(16_000), "]".repeat(16_000));
        let other = format!("{}2{}", "[".repeat(16_000), "]".repeat(16_000));
        assert!(shown(&deep, &other).len() < 100_000);
        let long = |number: usize| format!("[{}]", vec![number.to_string(); 20_000].join(","));
        let begun = std::time::Instant::now();
        shown(&long(1), &long(2));
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }
}
