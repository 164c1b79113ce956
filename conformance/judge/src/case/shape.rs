//! Symbolic shapes: what is too long or too regular to stand in a case as it is.
//!
//! A shape is an object with one member whose key starts with `$`. It stands where a string, or an item of a list, would
//! stand, and is written out before a case is read. Nothing else in a case may have a key that starts with `$`; an object
//! that really has one stands under `$literal`. `docs/cases.md` shows each shape.

use wirecanon_core::json::{Json, Kind, Value, quote};

use super::png;
use crate::problem::Problem;

/// Bytes that a case may have when its shapes are written out.
pub const LARGEST: usize = 64 << 20;

/// Items that a list may have when its shapes are written out.
const LONGEST: u64 = 1_000_000;

/// The shapes, each with what it makes.
pub const SHAPES: [(&str, &str); 6] = [
    ("$text", "a long string: `{\"of\": \"ab\", \"length\": 65}`, or `bytes` or `times` for `length`"),
    (
        "$png",
        "the base64 of a black picture: `{\"width\": 2400, \"height\": 100}`, and `bytes` for the size of its file",
    ),
    ("$join", "one string of strings and shapes, in a list"),
    (
        "$repeat",
        "items of a list, again and again: `{\"times\": 2000, \"of\": [...]}`, and `from` for the first number",
    ),
    ("$n", "in a `$repeat`: a string in which `{}` is the number of the turn, or a number that it is added to"),
    ("$literal", "a value with keys that start with `$`, as it stands"),
];

/// A text without its white space, and with its shapes written out. Strings and numbers keep their spelling.
///
/// # Errors
///
/// A key starts with `$` where no shape stands, or a shape has other fields than it takes.
pub fn written_out(json: &Json<'_>) -> Result<String, Problem> {
    let mut out = String::with_capacity(json.text().len());
    let mut todo = vec![Step::Value(json.root(), None)];
    while let Some(step) = todo.pop() {
        let (value, turn) = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Value(value, turn) => (value, turn),
            Step::Literal(value) => {
                literal(value, "", &mut out);
                continue;
            }
        };
        match value.kind() {
            Kind::Array => {
                let items = items(value, turn)?;
                todo.push(Step::Text("]"));
                for (at, (item, turn)) in items.into_iter().enumerate().rev() {
                    todo.push(Step::Value(item, turn));
                    if at > 0 {
                        todo.push(Step::Text(","));
                    }
                }
                out.push('[');
            }
            Kind::Object => match shape_of(value)? {
                None => {
                    let members: Vec<_> = value.members().collect();
                    todo.push(Step::Text("}"));
                    for (at, (key, member)) in members.into_iter().enumerate().rev() {
                        todo.push(Step::Value(member, turn));
                        todo.push(Step::Text(":"));
                        todo.push(Step::Text(key.raw()));
                        if at > 0 {
                            todo.push(Step::Text(","));
                        }
                    }
                    out.push('{');
                }
                Some(("$literal", inner)) => todo.push(Step::Literal(inner)),
                Some(("$n", inner)) if inner.kind() == Kind::Number => out.push_str(&added(inner, turn)?),
                Some((name, inner)) => {
                    out.push('"');
                    string(value, name, inner, turn, &mut out)?;
                    out.push('"');
                }
            },
            _ => out.push_str(value.raw()),
        }
        if out.len() > LARGEST {
            return Err(too_large(value));
        }
    }
    Ok(out)
}

/// Whether an object somewhere in a text has a key that starts with `$`.
pub fn has_dollar_keys(json: &Json<'_>) -> bool {
    let objects = (0..json.len() as u32).map(|index| json.value(index)).filter(|value| value.is_object());
    objects.flat_map(Value::members).any(|(key, _)| key.as_str().is_some_and(|key| key.starts_with('$')))
}

enum Step<'a> {
    Text(&'a str),
    /// With the number of the turn, in a `$repeat`
    Value(Value<'a>, Option<u64>),
    Literal(Value<'a>),
}

fn too_large(at: Value<'_>) -> Problem {
    Problem::at(at, format!("the case has more than {LARGEST} bytes when its shapes are written out"), "ask for less")
}

/// A value without its white space, with nothing written out, and with `gap` behind each comma and colon.
pub(super) fn literal(value: Value<'_>, gap: &str, out: &mut String) {
    let mut inside = false;
    let mut escaped = false;
    for c in value.raw().chars() {
        if inside {
            inside = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            inside = c == '"';
        }
        out.push(c);
        if !inside && matches!(c, ',' | ':') {
            out.push_str(gap);
        }
    }
}

/// The shape that an object is: its name and what it holds.
fn shape_of(object: Value<'_>) -> Result<Option<(&'static str, Value<'_>)>, Problem> {
    let mut members = object.members();
    let Some((key, inner)) = object.members().find(|(key, _)| key.as_str().is_some_and(|key| key.starts_with('$')))
    else {
        return Ok(None);
    };
    let name = key.as_str().unwrap_or_default();
    let Some((known, _)) = SHAPES.iter().find(|(known, _)| *known == name) else {
        let names: Vec<_> = SHAPES.iter().map(|(name, _)| *name).collect();
        return Err(Problem::at(
            inner,
            format!("no shape is called `{name}`"),
            format!("the shapes are {}; an object with such a key stands under `$literal`", names.join(", ")),
        ));
    };
    if members.nth(1).is_some() {
        return Err(Problem::at(
            object,
            format!("beside `{name}` stands another key"),
            "a shape is an object with one key",
        ));
    }
    if *known == "$repeat" {
        return Err(Problem::at(object, "`$repeat` stands alone", "`$repeat` makes items of a list: put it in one"));
    }
    Ok(Some((known, inner)))
}

/// The items of a list, with those that a `$repeat` makes.
fn items(list: Value<'_>, turn: Option<u64>) -> Result<Vec<(Value<'_>, Option<u64>)>, Problem> {
    let mut out = Vec::new();
    for item in list.items() {
        let Some(repeat) = item.get("$repeat").filter(|_| item.members().count() == 1) else {
            out.push((item, turn));
            continue;
        };
        if turn.is_some() {
            return Err(Problem::at(item, "a `$repeat` stands in another", "write one of them out"));
        }
        let fields = Fields::of(repeat, "$repeat", &["times", "of", "from"])?;
        let times = fields.number("times")?;
        let from = if fields.has("from") { fields.number("from")? } else { 1 };
        let of = fields.of.get("of").filter(|of| of.is_array() && of.items().next().is_some()).ok_or_else(|| {
            Problem::at(repeat, "`$repeat` has no `of`", "give the items that are repeated, in a list")
        })?;
        if times.saturating_mul(of.items().count() as u64) > LONGEST {
            return Err(Problem::at(item, format!("a list would have more than {LONGEST} items"), "ask for less"));
        }
        for at in 0..times {
            out.extend(of.items().map(|item| (item, Some(from.saturating_add(at)))));
        }
    }
    Ok(out)
}

/// The fields of a shape, none of them unknown.
struct Fields<'a> {
    name: &'static str,
    of: Value<'a>,
}

impl<'a> Fields<'a> {
    fn of(value: Value<'a>, name: &'static str, known: &[&str]) -> Result<Self, Problem> {
        let cure = || {
            let meaning = SHAPES.iter().find(|(shape, _)| *shape == name).map_or("", |(_, meaning)| meaning);
            format!("`{name}` makes {meaning}")
        };
        if !value.is_object() {
            return Err(Problem::at(value, format!("`{name}` holds {}", value.kind().name()), cure()));
        }
        for (key, _) in value.members() {
            let key_text = key.as_str().unwrap_or_default();
            if !known.contains(&&*key_text) {
                return Err(Problem::at(value, format!("`{name}` has no field `{key_text}`"), cure()));
            }
        }
        Ok(Self { name, of: value })
    }

    fn has(&self, field: &str) -> bool {
        self.of.get(field).is_some()
    }

    fn number(&self, field: &str) -> Result<u64, Problem> {
        self.of.get(field).and_then(|value| value.raw().parse().ok()).ok_or_else(|| {
            Problem::at(
                self.of,
                format!("`{field}` of `{}` is no whole number", self.name),
                format!("give `{field}` as a number"),
            )
        })
    }
}

/// The inside of the string that a shape makes.
fn string(shape: Value<'_>, name: &str, inner: Value<'_>, turn: Option<u64>, out: &mut String) -> Result<(), Problem> {
    match name {
        "$text" => text(inner, out),
        "$png" => picture(inner, out),
        "$n" => number_in(inner, turn, out),
        "$join" if inner.is_array() => {
            for piece in inner.items() {
                match piece.kind() {
                    Kind::String => out.push_str(inside(piece)),
                    Kind::Object => match shape_of(piece)? {
                        Some((name @ ("$text" | "$png" | "$n"), inner)) => string(piece, name, inner, turn, out)?,
                        _ => {
                            return Err(Problem::at(
                                piece,
                                "no piece of a string",
                                "`$join` takes strings, `$text`, `$png` and `$n`",
                            ));
                        }
                    },
                    _ => {
                        return Err(Problem::at(
                            piece,
                            "no piece of a string",
                            "`$join` takes strings, `$text`, `$png` and `$n`",
                        ));
                    }
                }
            }
            Ok(())
        }
        _ => Err(Problem::at(
            shape,
            format!("`{name}` holds {}", inner.kind().name()),
            "give a list of strings and shapes",
        )),
    }
}

/// The inside of a string as it is spelled.
fn inside(string: Value<'_>) -> &str {
    let raw = string.raw();
    &raw[1..raw.len() - 1]
}

fn text(inner: Value<'_>, out: &mut String) -> Result<(), Problem> {
    let fields = Fields::of(inner, "$text", &["of", "length", "bytes", "times"])?;
    let measures: Vec<_> = ["length", "bytes", "times"].into_iter().filter(|field| fields.has(field)).collect();
    let [measure] = measures[..] else {
        return Err(Problem::at(
            inner,
            "`$text` has no measure, or two",
            "give one of `length` (in characters), `bytes` and `times`",
        ));
    };
    let of = inner.get("of").filter(|of| of.is_string()).and_then(Value::as_str).filter(|of| !of.is_empty());
    let Some(of) = of else {
        return Err(Problem::at(inner, "`$text` has no `of`", "give the string that is repeated"));
    };
    let count = fields.number(measure)?;
    if count > LARGEST as u64 || count.saturating_mul(of.len() as u64) > LARGEST as u64 && measure == "times" {
        return Err(too_large(inner));
    }
    let count = count as usize;
    let made: String = match measure {
        "times" => of.repeat(count),
        "length" => of.chars().cycle().take(count).collect(),
        _ => {
            let mut made = of.repeat(count.div_ceil(of.len()));
            if !made.is_char_boundary(count) {
                return Err(Problem::at(
                    inner,
                    format!("byte {count} stands within a character"),
                    "end after a whole character",
                ));
            }
            made.truncate(count);
            made
        }
    };
    let quoted = quote(&made);
    out.push_str(&quoted[1..quoted.len() - 1]);
    if out.len() > LARGEST { Err(too_large(inner)) } else { Ok(()) }
}

fn picture(inner: Value<'_>, out: &mut String) -> Result<(), Problem> {
    let fields = Fields::of(inner, "$png", &["width", "height", "bytes"])?;
    let Some(file) = png::black(fields.number("width")?, fields.number("height")?) else {
        return Err(Problem::at(inner, "no picture has this size", format!("a side has 1 to {} pixels", png::LARGEST)));
    };
    let plain = file.len();
    let file = if fields.has("bytes") {
        let bytes = fields.number("bytes")?;
        if bytes > LARGEST as u64 / 2 {
            return Err(too_large(inner));
        }
        png::padded(file, bytes as usize).ok_or_else(|| {
            Problem::at(
                inner,
                format!("this picture has {plain} bytes"),
                format!("give {plain}, or {} and more", plain + 12),
            )
        })?
    } else {
        file
    };
    out.push_str(&base64_simd::STANDARD.encode_to_string(file));
    Ok(())
}

fn outside(inner: Value<'_>) -> Problem {
    Problem::at(inner, "`$n` stands outside a `$repeat`", "only what is repeated has a number")
}

fn number_in(inner: Value<'_>, turn: Option<u64>, out: &mut String) -> Result<(), Problem> {
    let turn = turn.ok_or_else(|| outside(inner))?;
    if !inner.is_string() || !inner.raw().contains("{}") {
        return Err(Problem::at(inner, "`$n` has no `{}`", "write `{}` where the number shall stand"));
    }
    out.push_str(&inside(inner).replace("{}", &turn.to_string()));
    Ok(())
}

fn added(inner: Value<'_>, turn: Option<u64>) -> Result<String, Problem> {
    let turn = turn.ok_or_else(|| outside(inner))?;
    let sum = inner.raw().parse::<u64>().ok().and_then(|base| base.checked_add(turn));
    sum.map(|sum| sum.to_string())
        .ok_or_else(|| Problem::at(inner, "`$n` adds to whole numbers alone", "give a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_core::json::Limits;

    fn out(text: &str) -> Result<String, Problem> {
        written_out(&Json::parse(text, &Limits::default()).unwrap())
    }

    /// Whether the JSON Schema of cases takes this as an input.
    fn keeps_schema(text: &str) -> bool {
        let case = serde_json::json!({"id": "a", "title": "T.", "class": "pairing", "source": ["o/r#1"], "from": "canonical",
            "input": serde_json::from_str::<serde_json::Value>(text).unwrap(), "expect": {"must_keep": []}, "tags": [],
            "since": "0.1.0"});
        wirecanon_schemas::validate::validate("wirecanon/case", &case).unwrap().is_empty()
    }

    /// What only whoever writes a shape out can see.
    const BEYOND_SCHEMA: [&str; 5] = ["within a character", "more than", "in another", "outside", "has 67 bytes"];

    #[test]
    fn what_holds_no_shape_only_loses_its_white_space() {
        let text = "{ \"a\" : [ 1.0, \"x \\u0024 \\\" y\" ,\n{} , [ ] ], \"a\": null, \"b$\": \"$text\" }";
        assert_eq!(out(text).unwrap(), "{\"a\":[1.0,\"x \\u0024 \\\" y\",{},[]],\"a\":null,\"b$\":\"$text\"}");
    }

    #[test]
    fn shapes_are_written_out() {
        for (text, expected) in [
            (r#"{"$text":{"of":"ab","length":5}}"#, r#""ababa""#),
            (r#"{"$text":{"of":"é","bytes":4}}"#, r#""éé""#),
            (r#"{"$text":{"of":"\"","times":2}}"#, r#""\"\"""#),
            (r#"{"$text":{"of":"x","length":0}}"#, r#""""#),
            (r#"{"$join":["a\u00e9",{"$text":{"of":"[","length":3}},"b"]}"#, r#""a\u00e9[[[b""#),
            (
                r#"[0,{"$repeat":{"times":2,"of":[{"id":{"$n":"call_{}"}},{"$n":10}]}},9]"#,
                r#"[0,{"id":"call_1"},11,{"id":"call_2"},12,9]"#,
            ),
            (r#"[{"$repeat":{"times":0,"of":[1]}}]"#, "[]"),
            (r#"[{"$repeat":{"times":2,"from":0,"of":[{"$join":["a",{"$n":"{}"}]}]}}]"#, r#"["a0","a1"]"#),
            (r##"{"$literal": {"$ref": "# x", "$text": {"$n":1}}}"##, r##"{"$ref":"# x","$text":{"$n":1}}"##),
            (r#"{"\u0024text":{"of":"a","length":1}}"#, r#""a""#),
        ] {
            assert_eq!(out(text).unwrap_or_else(|error| panic!("{text}: {error:?}")), expected);
            assert!(keeps_schema(text), "{text}");
        }
        assert!(out(r#"{"$png":{"width":1,"height":1,"bytes":100}}"#).unwrap().starts_with("\"iVBORw0KGgo"));
    }

    #[test]
    fn what_is_no_shape_is_said_with_its_place() {
        for (text, pointer, words) in [
            (r#"{"a":{"$txt":{"of":"a","length":1}}}"#, "/a/$txt", "no shape is called `$txt`"),
            (r##"{"$ref":"#","type":"object"}"##, "/$ref", "$literal"),
            (r#"[{"$text":{"of":"a","length":1},"b":1}]"#, "/0", "another key"),
            (r#"{"$text":{"of":"a","length":1,"by":2}}"#, "/$text", "no field `by`"),
            (r#"{"$text":{"of":"a"}}"#, "/$text", "no measure"),
            (r#"{"$text":{"of":"a","length":1,"times":1}}"#, "/$text", "or two"),
            (r#"{"$text":{"of":"","length":1}}"#, "/$text", "no `of`"),
            (r#"{"$text":{"of":"a","length":-1}}"#, "/$text", "whole number"),
            (r#"{"$text":{"of":"é","bytes":3}}"#, "/$text", "within a character"),
            (r#"{"$text":{"of":"aa","times":99999999}}"#, "/$text", "more than"),
            (
                r#"[{"$repeat":{"times":40000,"of":[{"$text":{"of":"a","length":40000}}]}}]"#,
                "/0/$repeat/of/0/$text",
                "more than",
            ),
            (r#"{"$repeat":{"times":1,"of":[1]}}"#, "", "stands alone"),
            (r#"[{"$repeat":{"times":1,"of":[]}}]"#, "/0/$repeat", "no `of`"),
            (
                r#"[{"$repeat":{"times":1,"of":[[{"$repeat":{"times":1,"of":[1]}}]]}}]"#,
                "/0/$repeat/of/0/0",
                "in another",
            ),
            (r#"{"$n":"{}"}"#, "/$n", "outside"),
            (r#"[{"$repeat":{"times":1,"of":[{"$n":"x"}]}}]"#, "/0/$repeat/of/0/$n", "no `{}`"),
            (r#"[{"$repeat":{"times":1,"of":[{"$n":1.5}]}}]"#, "/0/$repeat/of/0/$n", "whole numbers"),
            (r#"{"$join":"a"}"#, "", "holds a string"),
            (r#"{"$join":[1]}"#, "/$join/0", "no piece"),
            (r#"{"$join":[{"$join":[]}]}"#, "/$join/0", "no piece"),
            (r#"{"$png":{"width":0,"height":1}}"#, "/$png", "no picture"),
            (r#"{"$png":{"width":1,"height":1,"bytes":10}}"#, "/$png", "has 67 bytes"),
        ] {
            let error = out(text).unwrap_err();
            assert_eq!(error.pointer, pointer, "{text}: {error:?}");
            assert!(error.message.contains(words) || error.cure.contains(words), "{text}: {error:?}");
            assert_eq!(keeps_schema(text), BEYOND_SCHEMA.contains(&words), "{text}");
        }
    }
}
