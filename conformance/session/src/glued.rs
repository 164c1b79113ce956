//! What stands on a line that is no JSON value: whole records behind one another, and what is left of those that were cut off.

use std::ops::Range;

use wirecanon_core::json::{Json, Limits, Value};

/// How a record begins.
const OPENS: &str = "{\"";

/// Places at which a record is looked for in vain before a line is given up: each look may go to its end.
const LOOKS: usize = 64;

/// Keys of which a record has one beside its type. What stands inside of records has them seldom.
const SIGNS: &[&str] = &["parentUuid", "sessionId", "session_id", "parentId", "payload"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Nothing,
    Json,
    /// It was cut off
    Torn,
}

/// The pieces of a line that is not blank, in order; together they are all of it.
pub(super) fn pieces(body: &str, limits: Limits) -> Vec<(Range<usize>, Says)> {
    if Json::parse(body, &limits).is_ok() {
        return vec![(0..body.len(), Says::Json)];
    }
    let mut found = Vec::new();
    // Where what was found ends, and whether a whole record does.
    let (mut at, mut behind) = (0, true);
    let (mut from, mut looks) = (0, 0);
    while looks < LOOKS {
        let Some(start) = body[from..].find(OPENS).map(|place| place + from) else { break };
        // Behind a whole record, and in the beginning, whatever is whole is one; in the midst of a torn one only what looks it.
        let follows = behind && is_void(&body[at..start]);
        match whole(&body[start..], limits).filter(|json| follows || is_record(json.root())) {
            Some(json) => {
                let end = start + json.text().len();
                torn(body, at..start, &mut found);
                found.push((start..end, Says::Json));
                (at, from, behind) = (end, end, true);
            }
            None => {
                from = start + OPENS.len();
                looks += 1;
                behind = false;
            }
        }
    }
    torn(body, at..body.len(), &mut found);
    found
}

/// Adds what is no record: white space belongs to the record before it.
fn torn(body: &str, span: Range<usize>, found: &mut Vec<(Range<usize>, Says)>) {
    if !body[span.clone()].trim().is_empty() {
        found.push((span, Says::Torn));
    } else if let Some((last, _)) = found.last_mut() {
        last.end = span.end;
    }
}

/// Whether nothing was written there.
fn is_void(text: &str) -> bool {
    text.chars().all(|c| c == '\0' || c.is_whitespace())
}

/// Whether an object is all that a program writes as one line.
fn is_record(root: Value<'_>) -> bool {
    root.get("type").is_some_and(Value::is_string) && SIGNS.iter().any(|key| root.get(key).is_some())
}

/// The object that a text begins with.
fn whole(text: &str, limits: Limits) -> Option<Json<'_>> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return Json::parse(&text[..=at], &limits).ok(),
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(body: &str) -> Vec<(&str, bool)> {
        pieces(body, Limits::default()).into_iter().map(|(span, says)| (&body[span], says == Says::Json)).collect()
    }

    #[test]
    fn records_on_one_line_are_found_and_all_of_it_is_kept() {
        let one = r#"{"type":"user","sessionId":"s","message":{"content":[{"type":"text","text":"} {\""}]}}"#;
        let other = r#"{"uuid":"u"}"#;
        assert_eq!(parts(one), [(one, true)]);
        assert_eq!(parts(&format!("{one} {other}")), [(&*format!("{one} "), true), (other, true)]);
        assert_eq!(parts(&format!("{other}{one}")), [(other, true), (one, true)]);
        for stub in ["{\"type\":\"pr-link\",\"prNu", "\0\0\0", "{\"type\":\"user\",\"message\":{\"content\":\"it", "}"]
        {
            assert_eq!(parts(stub), [(stub, false)], "{stub}");
            assert_eq!(parts(&format!("{stub}{one}")), [(stub, false), (one, true)], "{stub}");
            assert_eq!(parts(&format!("{one}{stub}")), [(one, true), (stub, false)], "{stub}");
        }
    }

    #[test]
    fn what_stands_inside_of_a_torn_record_is_none() {
        for torn in [
            r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"x"}]},"uu"#,
            r#"{"type":"response_item","payload":{"type":"message","content":[{"type":"input_text","text":"x"}]}"#,
            r#"{"toolUseResult":{"uuid":"u","type":"x"},"#,
        ] {
            assert_eq!(parts(torn), [(torn, false)]);
        }
        let many = "{\"a\":{\"".repeat(20_000);
        assert_eq!(parts(&many).len(), 1);
    }
}
