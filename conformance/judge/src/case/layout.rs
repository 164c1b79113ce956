//! The layout of a case file: keys in one order, lists sorted, two spaces a level, a message a line. Strings and numbers keep
//! their spelling, so that a layout never changes the meaning of a case.

use std::cmp::Ordering;

use wirecanon_core::json::{Json, Kind, Value};

use super::shape;

/// Keys of a case in their order.
pub const KEYS: [&str; 15] = [
    "id",
    "title",
    "class",
    "source",
    "from",
    "input",
    "input_text",
    "input_base64",
    "expect",
    "deviates",
    "whole",
    "tags",
    "since",
    "retired",
    "review",
];

/// Keys of `expect` in their order.
pub const EXPECT_KEYS: [&str; 7] = ["canonical", "repairs", "must_keep", "may_refuse", "targets", "check", "outcomes"];

/// Keys of an entry of `expect.targets` in their order.
pub const TARGET_KEYS: [&str; 3] = ["output", "repairs", "may_refuse"];

/// Columns of the longest line, unless one string is longer.
const WIDTH: usize = 200;

/// Whether the text is moved into its order, or only set anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Keys and lists as they stand
    Kept,
    /// Keys and lists in the order of all cases
    Set,
}

/// What stands at a place of a case, as far as its order goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Case,
    Expect,
    Targets,
    Target,
    Check,
    Repairs,
    Words,
    Other,
}

impl Place {
    fn below(self, key: &str) -> Self {
        match (self, key) {
            (Self::Case, "expect") => Self::Expect,
            (Self::Case, "source" | "tags") | (Self::Expect, "outcomes") => Self::Words,
            (Self::Expect, "targets") => Self::Targets,
            (Self::Expect | Self::Target, "repairs") | (Self::Check, _) => Self::Repairs,
            (Self::Expect, "check") => Self::Check,
            (Self::Targets, _) => Self::Target,
            _ => Self::Other,
        }
    }
}

/// The text of a case, laid out.
pub fn laid_out(case: &Json<'_>, order: Order) -> String {
    let mut out = String::with_capacity(case.text().len() + 64);
    let mut todo = vec![Step::Value(case.root(), 0, Place::Case, false)];
    while let Some(step) = todo.pop() {
        match step {
            Step::Line(mark, depth) => {
                out.push_str(mark);
                out.push('\n');
                out.extend(std::iter::repeat_n("  ", depth));
            }
            Step::Text(text) => out.push_str(text),
            Step::Value(value, depth, place, in_item) => {
                open(value, depth, place, in_item, order, &mut todo, &mut out);
            }
        }
    }
    out.push('\n');
    out
}

enum Step<'a> {
    /// A mark, and then a line that starts this deep
    Line(&'static str, usize),
    Text(&'a str),
    /// A value, its depth and its place, and whether it is an item of a list, or in one
    Value(Value<'a>, usize, Place, bool),
}

fn open<'a>(
    value: Value<'a>,
    depth: usize,
    place: Place,
    in_item: bool,
    order: Order,
    todo: &mut Vec<Step<'a>>,
    out: &mut String,
) {
    let list = match value.kind() {
        Kind::Array => true,
        Kind::Object => false,
        _ => return out.push_str(value.raw()),
    };
    let (left, right) = if list { ("[", "]") } else { ("{", "}") };
    let mut members: Vec<(Option<Value<'a>>, Value<'a>)> = if list {
        value.items().map(|item| (None, item)).collect()
    } else {
        value.members().map(|(key, member)| (Some(key), member)).collect()
    };
    if members.is_empty() {
        out.push_str(left);
        out.push_str(right);
        return;
    }
    if is_short_shape(&members) {
        return shape::literal(value, " ", out);
    }
    if order == Order::Set {
        members.sort_by(|one, other| compare(place, *one, *other));
    }
    let may_be_one_line = in_item || place == Place::Words || place == Place::Other && is_flat(&members);
    if may_be_one_line && push_if_it_fits((left, right), &members, out) {
        return;
    }
    todo.push(Step::Text(right));
    todo.push(Step::Line("", depth));
    for (at, (key, member)) in members.into_iter().enumerate().rev() {
        let below = key.map_or(Place::Other, |key| place.below(&key.as_str().unwrap_or_default()));
        todo.push(Step::Value(member, depth + 1, below, in_item || list));
        if let Some(key) = key {
            todo.push(Step::Text(": "));
            todo.push(Step::Text(key.raw()));
        }
        if at > 0 {
            todo.push(Step::Line(",", depth + 1));
        }
    }
    todo.push(Step::Line("", depth + 1));
    todo.push(Step::Text(left));
}

/// Whether none of these has members of its own.
fn is_flat(members: &[(Option<Value<'_>>, Value<'_>)]) -> bool {
    members.iter().all(|(_, member)| !matches!(member.kind(), Kind::Array | Kind::Object))
}

/// Writes a list or an object on this line, unless the line would be longer than [`WIDTH`]. Returns whether it was written.
fn push_if_it_fits((left, right): (&str, &str), members: &[(Option<Value<'_>>, Value<'_>)], out: &mut String) -> bool {
    let before = out.len();
    out.push_str(left);
    for (at, (key, member)) in members.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        if let Some(key) = key {
            out.push_str(key.raw());
            out.push_str(": ");
        }
        shape::literal(*member, " ", out);
    }
    out.push_str(right);
    let line = &out[out.rfind('\n').map_or(0, |at| at + 1)..];
    let fits = line.chars().count() < WIDTH;
    if !fits {
        out.truncate(before);
    }
    fits
}

/// Whether these are the one member of a shape that makes a string: it reads best on one line, as the string would.
fn is_short_shape(members: &[(Option<Value<'_>>, Value<'_>)]) -> bool {
    match members {
        [(Some(key), _)] => ["$text", "$png", "$join", "$n"].iter().any(|name| key.is_str(name)),
        _ => false,
    }
}

/// Two neighbours that stand in the wrong order: the second of them, in the whole case. `None` if all stand as they should.
pub fn first_out_of_order<'a>(case: &'a Json<'a>) -> Option<(Value<'a>, Value<'a>)> {
    let mut todo = vec![(case.root(), Place::Case)];
    while let Some((value, place)) = todo.pop() {
        let members: Vec<(Option<Value<'a>>, Value<'a>)> = match value.kind() {
            Kind::Array => value.items().map(|item| (None, item)).collect(),
            Kind::Object => value.members().map(|(key, member)| (Some(key), member)).collect(),
            _ => continue,
        };
        for pair in members.windows(2) {
            if compare(place, pair[0], pair[1]) == Ordering::Greater {
                return Some((pair[0].0.unwrap_or(pair[0].1), pair[1].0.unwrap_or(pair[1].1)));
            }
        }
        for (key, member) in members.into_iter().rev() {
            let below = key.map_or(Place::Other, |key| place.below(&key.as_str().unwrap_or_default()));
            if below != Place::Other {
                todo.push((member, below));
            }
        }
    }
    None
}

fn compare(
    place: Place,
    (one_key, one): (Option<Value<'_>>, Value<'_>),
    (other_key, other): (Option<Value<'_>>, Value<'_>),
) -> Ordering {
    let text = |value: Option<Value<'_>>| value.and_then(Value::as_str).unwrap_or_default().into_owned();
    let by = |keys: &[&str]| {
        let rank = |key: Option<Value<'_>>| {
            let key = text(key);
            keys.iter().position(|known| *known == key).unwrap_or(keys.len())
        };
        rank(one_key).cmp(&rank(other_key))
    };
    match place {
        Place::Case => by(&KEYS),
        Place::Expect => by(&EXPECT_KEYS),
        Place::Target => by(&TARGET_KEYS),
        Place::Targets | Place::Check => text(one_key).cmp(&text(other_key)),
        Place::Words => text(Some(one)).cmp(&text(Some(other))),
        Place::Repairs => {
            let at = |repair: Value<'_>| repair.get("in").and_then(Value::as_str).map(std::borrow::Cow::into_owned);
            text(one.get("rule")).cmp(&text(other.get("rule"))).then_with(|| at(one).cmp(&at(other)))
        }
        Place::Other => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_core::json::Limits;

    const MESSY: &str = r#"{"since":"0.1.0", "id":"a", "source":["b#1","a#2"],
        "expect":{"targets":{"openai":{"repairs":[{"rule":"b","in":""},{"rule":"a","in":"/x"},{"rule":"a","in":null}],"output":{}},
        "anthropic":{}},"must_keep":["z","a"]},"input":{"z":1.0,"a":[ ],"s":{"$join": ["a,\\\": b",
        {"$text":{"of":"x","length":3}}]}},"tags":[]}"#;
    const NEAT: &str = "{
  \"id\": \"a\",
  \"source\": [\"a#2\", \"b#1\"],
  \"input\": {
    \"z\": 1.0,
    \"a\": [],
    \"s\": {\"$join\": [\"a,\\\\\\\": b\", {\"$text\": {\"of\": \"x\", \"length\": 3}}]}
  },
  \"expect\": {
    \"must_keep\": [\"z\", \"a\"],
    \"targets\": {
      \"anthropic\": {},
      \"openai\": {
        \"output\": {},
        \"repairs\": [
          {\"rule\": \"a\", \"in\": null},
          {\"rule\": \"a\", \"in\": \"/x\"},
          {\"rule\": \"b\", \"in\": \"\"}
        ]
      }
    }
  },
  \"tags\": [],
  \"since\": \"0.1.0\"
}
";

    #[test]
    fn a_case_is_laid_out_and_stays_so() {
        let messy = Json::parse(MESSY, &Limits::default()).unwrap();
        assert_eq!(laid_out(&messy, Order::Set), NEAT);
        let neat = Json::parse(NEAT, &Limits::default()).unwrap();
        assert_eq!(laid_out(&neat, Order::Kept), NEAT);
        assert!(first_out_of_order(&neat).is_none());
        assert!(laid_out(&messy, Order::Kept).starts_with("{\n  \"since\": \"0.1.0\",\n  \"id\""));
        assert_eq!(first_out_of_order(&messy).map(|(_, second)| second.raw()), Some("\"id\""));
    }
}
