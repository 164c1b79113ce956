//! Transcripts without what they say: every text becomes a token of its length, and the structure stays.
//!
//! Equal texts become equal tokens, so that calls still meet their results. What the wire itself is made of stays: keys, the
//! words of the schemas (`assistant`, `tool_use`), media types, how a URL and a picture begin, blank texts. Inside arguments
//! and other JSON of the parties, keys that no schema has become tokens too, and so do the digits of numbers. Elsewhere a key that
//! no schema has stays if it is spelled as a program spells names, since it may be what is wrong (`toolCallID`); an address or a
//! path as a key is data. What is no JSON keeps its punctuation alone.

mod report;
mod trace;
pub(crate) mod words;

use std::collections::BTreeMap;

use wirecanon_core::json::{Json, Kind, Limits, Value, has_lone_surrogate, parse_lines, pointer_key, quote};

pub use trace::Trace;
use words::{is_key, is_word};

/// Members whose value is JSON of the parties, not of the wire.
const FREE: [&str; 14] = [
    "arguments",
    "args",
    "input",
    "output",
    "parameters",
    "result",
    "response",
    "structuredContent",
    "structured_content",
    "metadata",
    "_meta",
    "details",
    "artifact",
    "data",
];

/// Those of them of which a list is of the parties too: under the others it may be of messages or blocks.
const FREE_LISTS: [&str; 8] =
    ["arguments", "args", "parameters", "structuredContent", "structured_content", "metadata", "_meta", "details"];

/// JSON in a string in JSON: deeper ones are texts.
const DEEPEST: usize = 4;

/// Beginnings of pictures and files in base64, which say of what kind they are.
const MAGIC: [&str; 6] = ["iVBORw0KGgo", "/9j/", "R0lGODdh", "R0lGODlh", "UklGR", "JVBERi0"];

/// Gives tokens for texts; the same token for the same text, in all that one of it is given.
#[derive(Debug, Default)]
pub struct Redactor {
    tokens: BTreeMap<String, String>,
    of_length: BTreeMap<usize, usize>,
}

impl Redactor {
    /// A whole text: JSON, lines of JSON, or anything else.
    pub fn bytes(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.traced(bytes).0
    }

    /// The same, and where all of it stands then.
    pub fn traced(&mut self, bytes: &[u8]) -> (Vec<u8>, Trace) {
        let limits = Limits::default();
        let masked = |said: Vec<u8>| {
            let trace = Trace::whole(bytes.len(), said.len());
            (said, trace)
        };
        let Ok(text) = std::str::from_utf8(bytes) else {
            let mask = |byte: &u8| if byte.is_ascii() { masked_char(*byte as char) as u8 } else { *byte };
            return masked(bytes.iter().map(mask).collect());
        };
        match Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)) {
            Ok(json) => {
                let (said, trace) = self.json(&json, false, 0);
                (said.into_bytes(), trace)
            }
            Err(_) => masked(text.chars().map(masked_char).collect::<String>().into_bytes()),
        }
    }

    /// A text whose lines are each a value of its own, as a file that a program adds to: one that was cut off is masked, and
    /// only that one.
    pub fn lines(&mut self, text: &str) -> (String, Trace) {
        let (mut out, mut trace, mut at) = (String::with_capacity(text.len()), Trace::default(), 0);
        for line in text.split_inclusive('\n') {
            let (said, inner) = self.traced(line.as_bytes());
            trace.append(inner, at, out.len());
            out.push_str(&String::from_utf8_lossy(&said));
            at += line.len();
        }
        (out, trace)
    }

    /// A text: its token.
    pub fn text(&mut self, text: &str) -> String {
        if text.trim().is_empty() {
            return text.to_owned();
        }
        if let Some(token) = self.tokens.get(text) {
            return token.clone();
        }
        let length = text.chars().count();
        let number = self.of_length.entry(length).or_insert(0);
        let token = token(*number, length);
        *number += 1;
        self.tokens.insert(text.to_owned(), token.clone());
        token
    }

    /// A JSON value of which nobody knows where it stood, so that all of it may be of the parties.
    pub fn value(&mut self, text: &str) -> String {
        match Json::parse(text, &Limits::default()) {
            Ok(json) => self.json(&json, true, 0).0,
            Err(_) => text.chars().map(masked_char).collect(),
        }
    }

    /// A JSON Pointer: its keys that are of the wire, and tokens for the others.
    pub fn pointer(&mut self, pointer: &str) -> String {
        let mut out = String::with_capacity(pointer.len());
        for step in pointer.split('/').skip(1) {
            let name = pointer_key(step);
            let keep = is_key(&name) || name.bytes().all(|byte| byte.is_ascii_digit());
            out.push('/');
            out.push_str(&if keep { step.to_owned() } else { self.text(&name) });
        }
        out
    }

    fn json(&mut self, json: &Json<'_>, free: bool, depth: usize) -> (String, Trace) {
        // What is changed, by where it stands.
        let mut changes: BTreeMap<usize, (usize, String)> = BTreeMap::new();
        let mut open = vec![(json.root(), free)];
        while let Some((value, free)) = open.pop() {
            let mut put = |value: Value<'_>, text: String| {
                changes.insert(value.span().start, (value.span().end, text));
            };
            match value.kind() {
                Kind::Object => {
                    // In the order of the text, so that the first text has the first token.
                    let mut members: Vec<_> = value.members().collect();
                    members.reverse();
                    for (key, member) in members {
                        let name = key.as_str().unwrap_or_default();
                        if !is_key(&name) && (free || !is_name(&name)) {
                            put(key, quote(&self.text(&name)));
                        }
                        // A call has a name, and its input may be anything.
                        let is_list_of_blocks = member.is_array()
                            && !FREE_LISTS.contains(&&*name)
                            && !(name == "input" && value.get("name").is_some());
                        if says_media_type(&name) && member.as_str().is_some_and(|text| is_media_type(&text)) {
                            continue;
                        }
                        open.push((member, free || (FREE.contains(&&*name) && !is_list_of_blocks)));
                    }
                }
                Kind::Array => {
                    let mut items: Vec<_> = value.items().map(|item| (item, free)).collect();
                    items.reverse();
                    open.extend(items);
                }
                Kind::String => put(value, self.string(value, free, depth)),
                Kind::Number if free => {
                    put(value, value.raw().replace(|c: char| c.is_ascii_digit() && c != '0', "1"));
                }
                _ => {}
            }
        }
        let (text, mut at, mut out, mut trace) = (json.text(), 0, String::new(), Trace::default());
        for (start, (end, change)) in changes {
            out.push_str(&text[at..start]);
            trace.add(start..end, out.len()..out.len() + change.len());
            out.push_str(&change);
            at = end;
        }
        out.push_str(&text[at..]);
        (out, trace)
    }

    fn string(&mut self, value: Value<'_>, free: bool, depth: usize) -> String {
        let raw = value.raw();
        if has_lone_surrogate(raw) {
            return halves(raw);
        }
        let text = value.as_str().unwrap_or_default();
        if !free && is_word(&text) {
            return raw.to_owned();
        }
        if let Some((head, base64)) = text.split_once(";base64,")
            && let Some(head) = head.strip_prefix("data:")
        {
            let (kind, more) = head.split_once(';').map_or((head, None), |(kind, more)| (kind, Some(more)));
            if is_media_type(kind) {
                let more = more.map_or_else(String::new, |more| format!(";{}", self.text(more)));
                return quote(&format!("data:{kind}{more};base64,{}", self.media(base64)));
            }
        }
        if MAGIC.iter().any(|magic| text.starts_with(magic)) {
            return quote(&self.media(&text));
        }
        for scheme in ["https://", "http://"] {
            if let Some(rest) = text.strip_prefix(scheme) {
                return quote(&format!("{scheme}{}", self.text(rest)));
            }
        }
        if text.trim_start().starts_with(['{', '['])
            && depth < DEEPEST
            && let Ok(inner) = Json::parse(&text, &Limits::default())
        {
            return quote(&self.json(&inner, true, depth + 1).0);
        }
        quote(&self.text(&text))
    }

    /// Base64: what says its kind, a token, what fills it up.
    fn media(&mut self, base64: &str) -> String {
        let head = MAGIC.iter().find(|magic| base64.starts_with(**magic)).map_or(0, |magic| magic.len());
        let body = base64.trim_end_matches('=');
        let token = self.text(body.get(head..).unwrap_or_default());
        format!("{}{token}{}", &base64[..head], &base64[body.len()..])
    }
}

/// A number in letters, as long as asked. Of short texts there are more than letters tell apart: digits and capitals too.
fn token(number: usize, length: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let base = if length > 3 { 26 } else { LETTERS.len() };
    let (mut number, mut letters) = (number, Vec::new());
    for _ in 0..length {
        letters.push(LETTERS[number % base] as char);
        number /= base;
    }
    letters.into_iter().rev().collect()
}

fn masked_char(c: char) -> char {
    match c {
        '0'..='9' => '1',
        c if c.is_alphabetic() || !c.is_ascii() => 'x',
        c => c,
    }
}

/// A string with halves of surrogate pairs: they stay where they are.
fn halves(raw: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(raw.len()), raw);
    while let Some(c) = rest.chars().next() {
        let half = rest.get(..6).filter(|escape| {
            let hex = escape.get(2..4).unwrap_or_default().to_ascii_lowercase();
            escape.starts_with("\\u") && ("d8".."e0").contains(&&*hex)
        });
        let taken = match (half, c) {
            (Some(half), _) => {
                out.push_str(half);
                6
            }
            (None, '\\') => {
                out.push('x');
                if rest[1..].starts_with('u') { 6.min(rest.len()) } else { 2.min(rest.len()) }
            }
            (None, '"') => {
                out.push('"');
                1
            }
            (None, c) => {
                out.push(masked_char(c));
                c.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

/// Whether a key is spelled as programs spell the names of members.
fn is_name(key: &str) -> bool {
    let starts = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$');
    starts && key.len() <= 40 && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-$".contains(&byte))
}

/// Whether what stands under this key says of what kind something is.
fn says_media_type(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key.contains("mime") || key.contains("media") || matches!(&*key, "type" | "contenttype" | "content_type" | "format")
}

fn is_media_type(text: &str) -> bool {
    let kinds = ["image", "audio", "video", "application", "text", "font", "model"];
    text.split_once('/').is_some_and(|(kind, name)| {
        kinds.contains(&kind)
            && (1..=40).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+-".contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(text: &str) -> String {
        String::from_utf8(Redactor::default().bytes(text.as_bytes())).unwrap()
    }

    #[test]
    fn texts_go_and_structure_stays() {
        let text = r#"{"messages":[
            {"role":"user","content":"my password is hunter2"},
            {"role":"assistant","tool_calls":[{"id":"call_9","type":"function","function":{"name":"look_up_bob",
             "arguments":"{\"patient\": \"Bob\", \"age\": 47, \"name\": null}"}}]},
            {"role":"tool","tool_call_id":"call_9","content":" "}], "toolCallID": "zz"}"#;
        let said = redacted(text);
        for secret in ["hunter2", "Bob", "bob", "patient", "47", "call_9", "zz"] {
            assert!(!said.contains(secret), "{secret}: {said}");
        }
        assert_eq!(said.chars().count(), text.chars().count(), "{said}");
        for kept in
            [r#""role":"user""#, r#""type":"function""#, r#""toolCallID""#, r#"\"name\": null"#, r#""content":" ""#]
        {
            assert!(said.contains(kept), "{kept}: {said}");
        }
        let json: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(json["messages"][1]["tool_calls"][0]["id"], json["messages"][2]["tool_call_id"]);
    }

    #[test]
    fn a_key_that_is_data_goes_wherever_it_stands() {
        let said = redacted(
            r#"[{"role":"user","content":"hi","bob@example.com":1,"/home/bob":2,"Bob Roe":3,"toolCallID":"x"}]"#,
        );
        assert!(!said.to_lowercase().contains("bob") && said.contains(r#""toolCallID":"#), "{said}");
    }

    #[test]
    fn media_and_addresses_keep_how_they_begin() {
        let said = redacted(
            r#"{"a":["data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==","https://bob.example/x","/home/bob"],"mimeType":"image/png",
            "content":"application/bob","b":"data:application/pdf;name=bob.pdf;base64,JVBERi0xLg==","c":"data: bob ;base64,x"}"#,
        );
        for kept in [
            "data:image/png;base64,iVBORw0KGgo",
            "==\"",
            "\"https://",
            r#""mimeType":"image/png""#,
            "data:application/pdf;",
        ] {
            assert!(said.contains(kept), "{kept}: {said}");
        }
        assert!(!said.contains("bob"), "{said}");
    }

    #[test]
    fn whatever_arguments_are_they_say_nothing() {
        let said = redacted(
            r#"[{"name":"a","arguments":[{"hunter2":4111}]},{"name":"b","input":["hunter2",4111]},{"type":"x","args":4111,"output":4111}]"#,
        );
        assert!(!said.contains("hunter2") && !said.contains("4111"), "{said}");
        let said = redacted(r#"{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"hi"}]}]}"#);
        assert!(said.contains(r#""role":"user""#) && said.contains(r#""type":"input_text""#), "{said}");
    }

    #[test]
    fn what_is_no_json_keeps_its_punctuation() {
        assert_eq!(redacted("{\"a\": \"Bob 47\"\n"), "{\"x\": \"xxx 11\"\n");
        assert_eq!(Redactor::default().bytes(b"Bob \xff\n"), b"xxx \xff\n");
        assert_eq!(redacted("{\"role\":\"user\"}\n{\"text\":\"Bob!\"}\n").lines().count(), 2);
        assert_eq!(redacted(r#"["a\ud83d\nb"]"#), r#"["x\ud83dxx"]"#);
    }

    #[test]
    fn equal_texts_are_equal_tokens_and_others_are_not() {
        let mut redactor = Redactor::default();
        let tokens: std::collections::BTreeSet<_> =
            (0..2000).map(|at| redactor.text(&format!("text {at:04}"))).collect();
        assert_eq!(tokens.len(), 2000);
        assert_eq!(redactor.text("text 0007"), redactor.text("text 0007"));
        assert_eq!(redactor.pointer("/messages/0/input/secret"), "/messages/0/input/aaaaaa");
    }

    #[test]
    fn redacting_keeps_what_every_case_of_the_corpus_reads_to() {
        for case in wirecanon_cases::corpus::load().unwrap() {
            let said = Redactor::default().bytes(&case.input);
            let same = |bytes: &[u8]| bytes.iter().filter(|byte| b"{}[]".contains(byte)).count();
            if std::str::from_utf8(&case.input).is_ok_and(|text| Json::parse(text, &Limits::default()).is_ok()) {
                let text = String::from_utf8(said.clone()).unwrap();
                assert!(Json::parse(&text, &Limits::default()).is_ok(), "{}: {text}", case.id);
            } else {
                assert_eq!(same(&said), same(&case.input), "{}", case.id);
            }
        }
    }
}
