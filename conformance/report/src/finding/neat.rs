//! JSON for people: what fits stands on one line, long texts are cut, and a long document loses its middle.

use wirecanon_core::json::{Json, Kind, Limits, Value, quote};

/// Characters of a line.
const WIDTH: usize = 240;

/// Characters of a string that is shown whole.
const WHOLE: usize = 120;

/// Characters that are left of a longer one.
const LEFT: usize = 40;

/// Lines that are shown.
const LINES: usize = 40;

/// A text laid out, if it is JSON; else as it is, cut.
pub(super) fn neat(text: &str) -> String {
    match Json::parse(text, &Limits::default()) {
        Ok(json) => middle_out(&laid_out(json.root(), true)),
        Err(_) => cut(text.trim_end()),
    }
}

/// A value with each member on a line where it is too long for one, or all of it on one line.
fn laid_out(root: Value<'_>, in_lines: bool) -> String {
    let mut out = String::new();
    let mut todo = vec![Step::Value(root, 0)];
    while let Some(step) = todo.pop() {
        let (value, depth) = match step {
            Step::Text(text) => {
                out.push_str(&text);
                continue;
            }
            Step::Line(depth) if in_lines => {
                out.push('\n');
                out.extend(std::iter::repeat_n("  ", depth));
                continue;
            }
            Step::Line(_) => {
                out.push_str(if out.ends_with(',') { " " } else { "" });
                continue;
            }
            Step::Value(value, depth) => (value, depth),
        };
        if in_lines {
            let line = laid_out(value, false);
            let used = out.len() - out.rfind('\n').map_or(0, |at| at + 1);
            if marks(value).is_none() || line.chars().count() + used <= WIDTH {
                out.push_str(&line);
                continue;
            }
        }
        match (value.kind(), marks(value)) {
            (Kind::String, _) => out.push_str(&string(value)),
            (_, Some((left, right))) => {
                out.push_str(left);
                todo.extend([Step::Text(right.to_owned()), Step::Line(depth)]);
                for (at, (key, member)) in members(value).into_iter().enumerate().rev() {
                    todo.extend([Step::Value(member, depth + 1), Step::Text(key), Step::Line(depth + 1)]);
                    todo.extend((at > 0).then(|| Step::Text(",".to_owned())));
                }
            }
            (Kind::Array, None) => out.push_str("[]"),
            (Kind::Object, None) => out.push_str("{}"),
            _ => out.push_str(value.raw()),
        }
    }
    out
}

enum Step<'a> {
    Text(String),
    Line(usize),
    Value(Value<'a>, usize),
}

/// The marks around what has members, if it has any.
fn marks(value: Value<'_>) -> Option<(&'static str, &'static str)> {
    match value.kind() {
        Kind::Array => value.items().next().map(|_| ("[", "]")),
        Kind::Object => value.members().next().map(|_| ("{", "}")),
        _ => None,
    }
}

/// The members of a list or an object, each with what stands in front of it.
fn members(value: Value<'_>) -> Vec<(String, Value<'_>)> {
    if value.is_array() {
        value.items().map(|item| (String::new(), item)).collect()
    } else {
        value.members().map(|(key, member)| (format!("{}: ", key.raw()), member)).collect()
    }
}

/// A string as it is spelled, or cut.
fn string(value: Value<'_>) -> String {
    let text = value.as_str().unwrap_or_default();
    let length = text.chars().count();
    if length <= WHOLE {
        return value.raw().to_owned();
    }
    let left: String = text.chars().take(LEFT).collect();
    quote(&format!("{left}… ({length} characters)"))
}

fn cut(text: &str) -> String {
    let length = text.chars().count();
    if length <= 4 * WHOLE {
        return text.to_owned();
    }
    let left: String = text.chars().take(4 * WHOLE).collect();
    format!("{left}… ({length} characters)")
}

/// A document of many lines without those in its middle.
fn middle_out(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= LINES {
        return text.to_owned();
    }
    let (head, tail) = (LINES * 3 / 4, LINES / 4);
    let gap = format!("… ({} lines)", lines.len() - head - tail);
    let mut kept: Vec<&str> = lines[..head].to_vec();
    kept.push(&gap);
    kept.extend(&lines[lines.len() - tail..]);
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_documents_stand_on_one_line_and_long_ones_are_opened() {
        assert_eq!(neat(r#"{ "a":[1.0,{}], "b":"x" }"#), r#"{"a": [1.0, {}], "b": "x"}"#);
        let text = format!(r#"{{"list":["{}","{}"],"n":1}}"#, "a".repeat(119), "b".repeat(119));
        let lines: Vec<String> = neat(&text).lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 7, "{lines:?}");
        assert_eq!((lines[1].as_str(), lines[5].as_str()), ("  \"list\": [", "  \"n\": 1"));
    }

    #[test]
    fn long_texts_and_long_documents_are_cut() {
        assert_eq!(neat(&format!("\"{}\"", "x".repeat(200))), format!("\"{}… (200 characters)\"", "x".repeat(40)));
        let many: Vec<String> = (0..100).map(|at| format!("\"{at}{}\"", "y".repeat(100))).collect();
        let text = neat(&format!("[{}]", many.join(",")));
        assert_eq!(text.lines().count(), LINES + 1);
        assert!(text.contains("… (62 lines)"), "{text}");
        assert_eq!(neat("no JSON\n"), "no JSON");
    }
}
