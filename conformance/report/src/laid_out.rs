//! A JSON text laid out for reading: one message a line.

use std::fmt::Write;

use wirecanon_core::json::{Json, Limits};

/// Characters that a line of its own may have.
const WIDE: usize = 96;

/// A document on one long line, with each field of it and each message of a list on a line of its own. Every other text
/// comes back as it is. What stands between the breaks keeps its bytes.
pub fn laid_out(text: &str) -> String {
    let line = text.trim_end();
    if line.contains('\n') || line.chars().count() <= WIDE {
        return text.to_owned();
    }
    let Ok(json) = Json::parse(line, &Limits::default()) else { return text.to_owned() };
    let root = json.root();
    let mut out = String::with_capacity(text.len() + 64);
    if root.is_array() {
        list(&mut out, "", root);
    } else if root.is_object() {
        out.push_str("{\n");
        let last = root.members().count().saturating_sub(1);
        for (at, (key, member)) in root.members().enumerate() {
            // A string takes all that is written to it.
            let _ = write!(out, "  {}:", key.raw());
            if member.is_array() && member.items().next().is_some_and(|item| item.is_object() || item.is_array()) {
                list(&mut out, "  ", member);
            } else {
                out.push_str(member.raw());
            }
            out.push_str(if at < last { ",\n" } else { "\n" });
        }
        out.push('}');
    } else {
        return text.to_owned();
    }
    out
}

fn list(out: &mut String, indent: &str, value: wirecanon_core::json::Value<'_>) {
    out.push_str("[\n");
    let last = value.items().count().saturating_sub(1);
    for (at, item) in value.items().enumerate() {
        let _ = writeln!(out, "{indent}  {}{}", item.raw(), if at < last { "," } else { "" });
    }
    out.push_str(indent);
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_gets_a_line_a_message() {
        let long = format!(
            r#"{{"messages":[{{"role":"user","content":"{}"}},{{"role":"assistant","content":9007199254740993}}],"system":[]}}"#,
            "x".repeat(80)
        );
        let shown = laid_out(&long);
        assert_eq!(shown.lines().count(), 7, "{shown}");
        assert!(shown.starts_with("{\n  \"messages\":[\n    {\"role\""), "{shown}");
        assert!(shown.ends_with("\"content\":9007199254740993}\n  ],\n  \"system\":[]\n}"), "{shown}");
        // Nothing but white space was added.
        let bare: String = shown.chars().filter(|c| !c.is_whitespace()).collect();
        assert_eq!(bare, long);
    }

    #[test]
    fn short_and_odd_texts_stay() {
        for text in ["{}", "{\n\"a\":[]}", "no json", &"x".repeat(200), &format!("\"{}\"", "x".repeat(200))] {
            assert_eq!(laid_out(text), text);
        }
    }
}
