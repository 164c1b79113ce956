//! The line protocol: one JSON object a line, both ways. See `docs/testees.md`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use wirecanon_core::json::{Json, Kind, Limits, Value, quote_into};
use wirecanon_core::{Dialect, Mode, Target};
use wirecanon_judge::case::{REFUSAL_CODES, UNREPRESENTABLE_INPUT, is_refusal_code};
use wirecanon_judge::plain::{ends, shorten};

use super::{Answer, Carried, Form, Hello, Request};

/// The version that both sides name.
pub const VERSION: u64 = 1;

/// The first line to a testee.
pub const HELLO: &str = "{\"wirecanon\":1,\"op\":\"hello\"}\n";

/// The last line to a testee.
pub const BYE: &str = "{\"op\":\"bye\"}\n";

/// Longest name, version or other word of a testee that stands in each report, in characters.
const LONGEST_NAME: usize = 100;

/// Longest error or refusal that is kept of an answer, in bytes: there is one for each run of a case.
const LONGEST_WORDS: usize = 4096;

/// Most texts that a testee adds by itself, which count nowhere.
const MOST_ADDED: usize = 8;

/// The longest of them, in bytes.
const LONGEST_ADDED: usize = 4096;

/// Fewer words may be said by anybody.
const FEWEST_ADDED_WORDS: usize = 4;

/// Most things that are noted of what a testee says of itself.
const MOST_NOTES: usize = 32;

/// JSON without the white space between its parts, so that it fits on one line. The text must be proved.
pub fn one_line(json: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', json.as_bytes()).is_none() {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    let mut in_string = false;
    let mut escaped = false;
    let mut from = 0;
    for (at, byte) in json.bytes().enumerate() {
        if in_string {
            if escaped {
                escaped = false;
            } else if byte == b'\\' {
                escaped = true;
            } else if byte == b'"' {
                in_string = false;
            }
        } else if byte == b'"' {
            in_string = true;
        } else if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            out.push_str(&json[from..at]);
            from = at + 1;
        }
    }
    out.push_str(&json[from..]);
    Cow::Owned(out)
}

/// The strongest form in which a testee can be given these bytes.
///
/// # Errors
///
/// No form that the testee accepts can carry them, in words.
pub fn form_for(hello: &Hello, input: &[u8]) -> Result<Form, String> {
    let takes = |form| hello.accepts.contains(&form);
    let text = std::str::from_utf8(input).ok();
    if takes(Form::Text) && text.is_some() {
        return Ok(Form::Text);
    }
    if takes(Form::Base64) {
        return Ok(Form::Base64);
    }
    let limits = Limits::default();
    match text {
        Some(text) if takes(Form::Json) && Json::parse(text, &limits).is_ok() => Ok(Form::Json),
        Some(_) => Err("the input is not one JSON value, and the testee does not accept text".to_owned()),
        None => Err("the input is not UTF-8, and the testee does not accept base64".to_owned()),
    }
}

/// The line that asks for one conversion.
pub fn request_line(id: u64, request: &Request<'_>, form: Form) -> Vec<u8> {
    let mut line = String::with_capacity(request.input.len() + 160);
    // Writing to a string cannot fail.
    let _ = write!(line, "{{\"id\":{id},\"op\":\"convert\",\"from\":\"{}\"", request.from.name());
    let _ = write!(line, ",\"to\":\"{}\"", request.target.dialect.name());
    if !request.target.is_dialect() {
        line.push_str(",\"target\":");
        quote_into(&mut line, &request.target.name);
    }
    line.push_str(match request.mode {
        Mode::Request => ",\"for\":\"request\"",
        Mode::History => ",\"for\":\"history\"",
    });
    if let Some(call_id) = request.call_id {
        line.push_str(",\"call_id\":");
        quote_into(&mut line, call_id);
    }
    match (form, std::str::from_utf8(request.input)) {
        (Form::Json, Ok(text)) => {
            line.push_str(",\"input\":");
            line.push_str(&one_line(text));
        }
        (Form::Text, Ok(text)) => {
            line.push_str(",\"input_text\":");
            quote_into(&mut line, text);
        }
        _ => {
            line.push_str(",\"input_base64\":\"");
            line.push_str(&base64_simd::STANDARD.encode_to_string(request.input));
            line.push('"');
        }
    }
    line.push_str("}\n");
    line.into_bytes()
}

/// What one line of a testee is.
#[derive(Debug)]
pub enum Line {
    /// An answer to the request with this id
    Answer(u64, Answer),
    /// Something else, to be shown and forgotten
    Stray,
}

/// Reads one line of a testee.
pub fn read_line(line: &[u8], hello: &Hello) -> Line {
    let Ok(text) = std::str::from_utf8(line) else { return Line::Stray };
    let json = match Json::parse(text, &Limits::default()) {
        Ok(json) => json,
        Err(error) => {
            // Printers of JSON that write `NaN` or cut a line: waiting for a better answer would be in vain.
            let broken = |id| Line::Answer(id, Answer::Garbage(format!("the answer is not JSON: {error}")));
            return leading_id(text).map_or(Line::Stray, broken);
        }
    };
    let root = json.root();
    let Some(id) = root.get("id").filter(|id| id.kind() == Kind::Number).and_then(|id| id.raw().parse().ok()) else {
        return Line::Stray;
    };
    Line::Answer(id, answer(root, hello))
}

/// The id of a line that begins as an answer does.
fn leading_id(text: &str) -> Option<u64> {
    let rest = text.trim_start().strip_prefix('{')?.trim_start().strip_prefix("\"id\"")?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    rest[..end].parse().ok()
}

fn answer(root: Value<'_>, hello: &Hello) -> Answer {
    let given: Vec<&str> = ["output", "output_text", "output_base64", "refused", "failed"]
        .into_iter()
        .filter(|key| root.get(key).is_some())
        .collect();
    let [key] = given[..] else {
        return Answer::Garbage(match given.len() {
            0 => "the answer has none of `output`, `output_text`, `output_base64`, `refused` and `failed`".to_owned(),
            _ => format!("the answer has more than one outcome: {}", given.join(", ")),
        });
    };
    let Some(value) = root.get(key) else { return Answer::Garbage("the answer is empty".to_owned()) };
    let output = |bytes, exact| Answer::Output { bytes, exact, report: None };
    match (key, value.as_str()) {
        ("output", _) => output(value.raw().as_bytes().to_vec(), false),
        ("output_text", Some(text)) => output(text.into_owned().into_bytes(), true),
        ("output_base64", Some(text)) => match base64_simd::STANDARD.decode_to_vec(text.as_bytes()) {
            Ok(bytes) => output(bytes, true),
            Err(_) => Answer::Garbage("`output_base64` is not base64".to_owned()),
        },
        ("failed", Some(text)) => Answer::Crashed(ends(text.into_owned(), LONGEST_WORDS)),
        ("failed", None) => Answer::Crashed(ends(value.raw().to_owned(), LONGEST_WORDS)),
        ("refused", _) => refusal(value, hello),
        (key, _) => Answer::Garbage(format!("`{key}` is not a string")),
    }
}

fn refusal(value: Value<'_>, hello: &Hello) -> Answer {
    let text = |key| value.get(key).and_then(Value::as_str).map(Cow::into_owned);
    let Some(code) = text("code") else {
        return Answer::Garbage("`refused` has no `code`".to_owned());
    };
    let code = hello.refusals.get(&code).cloned().unwrap_or(code);
    if !is_refusal_code(&code) {
        let code = shorten(&code, LONGEST_NAME);
        let known = REFUSAL_CODES.join(", ");
        return Answer::Garbage(format!("`{code}` is no refusal code; there are: {known}, {UNREPRESENTABLE_INPUT}"));
    }
    Answer::Refused { code, message: ends(text("message").unwrap_or_default(), LONGEST_WORDS) }
}

/// Reads the answer to `hello`; `Ok(None)` for a stray line in front of it.
///
/// # Errors
///
/// It is an answer, but breaks the protocol, in words.
pub fn read_hello(line: &[u8]) -> Result<Option<Hello>, String> {
    let Ok(text) = std::str::from_utf8(line) else { return Ok(None) };
    let Ok(json) = Json::parse(text, &Limits::default()) else { return Ok(None) };
    let root = json.root();
    let Some(version) = root.get("wirecanon") else { return Ok(None) };
    if version.raw() != VERSION.to_string() {
        let version = shorten(version.raw(), LONGEST_NAME);
        return Err(format!("it speaks version {version} of the protocol, this program version {VERSION}"));
    }
    // They stand in every report.
    let string = |key: &str| root.get(key).and_then(Value::as_str).map(|text| shorten(&text, LONGEST_NAME));
    let Some(name) = string("name").filter(|name| !name.trim().is_empty()) else {
        return Err("it did not give its `name`".to_owned());
    };
    if !name.contains(char::is_alphanumeric) {
        return Err(format!("its `name`, `{name}`, has no letter and no digit"));
    }
    let mut hello = Hello { name, version: string("version"), language: string("language"), ..Hello::default() };
    let Some(conversions) = root.get("conversions").filter(|list| list.is_array()) else {
        return Err("it did not list its `conversions`".to_owned());
    };
    for pair in conversions.items() {
        let (Some(from), Some(to)) = (pair.get("from").and_then(Value::as_str), pair.get("to").and_then(Value::as_str))
        else {
            let pair = shorten(pair.raw(), LONGEST_NAME);
            return Err(format!("`{pair}` in its `conversions` is not of the form {{\"from\":…,\"to\":…}}"));
        };
        match (Dialect::by_name(&from), Dialect::by_name(&to)) {
            (Some(from), Some(to)) => {
                if !hello.conversions.contains(&(from, to)) {
                    hello.conversions.push((from, to));
                }
                if let Some(targets) = pair.get("targets") {
                    let names = targets.items().filter_map(|name| name.as_str().map(Cow::into_owned)).collect();
                    note_unknown(&names, to, &mut hello.notes);
                    hello.targets.insert((from, to), names);
                }
            }
            _ => {
                note(&mut hello.notes, &format!("the conversion from `{from}` to `{to}` is unknown here and left out"));
            }
        }
    }
    if hello.conversions.is_empty() {
        return Err("it names no conversion that this program knows".to_owned());
    }
    hello.accepts = accepts(root, &mut hello.notes)?;
    let carried = known(root, "carries", Carried::ALL.map(|part| (part.name(), part)), &mut hello.notes);
    hello.carries = carried.into_iter().collect();
    hello.adds = adds(root, &mut hello.notes);
    hello.refusals = refusals(root);
    Ok(Some(hello))
}

fn note_unknown(names: &BTreeSet<String>, dialect: Dialect, notes: &mut Vec<String>) {
    for name in names {
        if !Target::by_name(name).is_ok_and(|target| target.dialect == dialect) {
            note(notes, &format!("`{name}` in its `conversions` is no target of {} and left out", dialect.name()));
        }
    }
}

/// Notes what is odd, if there are not enough notes already.
fn note(notes: &mut Vec<String>, what: &str) {
    if notes.len() < MOST_NOTES {
        notes.push(shorten(what, 2 * LONGEST_NAME));
    }
}

fn accepts(root: Value<'_>, notes: &mut Vec<String>) -> Result<Vec<Form>, String> {
    if root.get("accepts").is_none() {
        return Ok(vec![Form::Json]);
    }
    let forms = known(root, "accepts", Form::ALL.map(|form| (form.name(), form)), notes);
    if forms.is_empty() {
        return Err("its `accepts` names none of json, text and base64".to_owned());
    }
    Ok(forms)
}

/// What the names of a list stand for. Unknown ones are noted and left out.
fn known<T: Copy, const N: usize>(
    root: Value<'_>,
    key: &str,
    names: [(&str, T); N],
    notes: &mut Vec<String>,
) -> Vec<T> {
    let mut found = Vec::new();
    for item in root.get(key).into_iter().flat_map(Value::items) {
        let name = item.as_str().unwrap_or_default();
        match names.iter().find(|(known, _)| *known == name) {
            Some((_, known)) => found.push(*known),
            None => note(notes, &format!("`{}` in its `{key}` is unknown and left out", item.raw())),
        }
    }
    found
}

fn adds(root: Value<'_>, notes: &mut Vec<String>) -> Vec<String> {
    let mut texts = Vec::new();
    for item in root.get("adds").into_iter().flat_map(Value::items) {
        match item.as_str() {
            Some(text) if text.split_whitespace().count() < FEWEST_ADDED_WORDS => {
                note(
                    notes,
                    &format!("`{}` in its `adds` has less than {FEWEST_ADDED_WORDS} words and is left out", item.raw()),
                );
            }
            Some(text) if text.len() <= LONGEST_ADDED && texts.len() < MOST_ADDED => texts.push(text.into_owned()),
            Some(_) => {
                let most = format!("more than {MOST_ADDED} texts, or one of more than {LONGEST_ADDED} bytes");
                note(notes, &format!("its `adds` has {most}, which is left out"));
            }
            None => note(notes, &format!("`{}` in its `adds` is no text and left out", item.raw())),
        }
    }
    texts
}

fn refusals(root: Value<'_>) -> BTreeMap<String, String> {
    let Some(map) = root.get("refusals") else { return BTreeMap::new() };
    let known = |code: &Cow<'_, str>| is_refusal_code(code);
    map.members()
        .filter_map(|(name, code)| Some((name.as_str()?.into_owned(), code.as_str().filter(known)?.into_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> String {
        match read_line(line.as_bytes(), &Hello::default()) {
            Line::Stray => "stray".to_owned(),
            Line::Answer(id, answer) => format!("{id} {answer:?}"),
        }
    }

    #[test]
    fn answers_keep_their_number_text() {
        let Line::Answer(7, Answer::Output { bytes, exact: false, .. }) =
            read_line(br#"{"id":7,"output":{"a":1.0,"b":9007199254740993}}"#, &Hello::default())
        else {
            panic!("no output");
        };
        assert_eq!(bytes, br#"{"a":1.0,"b":9007199254740993}"#);
    }

    #[test]
    fn of_long_words_both_ends_are_kept() {
        let long = format!("begin {}end", "x".repeat(100_000));
        for outcome in
            [serde_json::json!({"failed": long}), serde_json::json!({"refused": {"code": "other", "message": long}})]
        {
            let mut answer = outcome;
            answer["id"] = 1.into();
            let said = said(&answer.to_string());
            assert!(said.len() < LONGEST_WORDS && said.contains("begin") && said.contains("end"), "{}", said.len());
        }
        let conversion = r#"{"from":"openai.chat","to":"openai.chat"}"#;
        let line = format!(
            r#"{{"wirecanon":1,"name":"{long}","accepts":["json"{}],"conversions":[{conversion}{}]}}"#,
            r#","xml""#.repeat(1000),
            format!(",{conversion}").repeat(1000)
        );
        let hello = read_hello(line.as_bytes()).expect("a hello").expect("no stray");
        assert_eq!((hello.name.chars().count(), hello.conversions.len(), hello.notes.len()), (101, 1, MOST_NOTES));
    }

    #[test]
    fn what_is_no_answer_is_stray_and_a_wrong_answer_is_garbage() {
        assert_eq!(said("Loading model…"), "stray");
        assert_eq!(said(r#"{"level":"info"}"#), "stray");
        assert_eq!(said(r#"{"id":"1","output":{}}"#), "stray");
        assert_eq!(said(r#"{"idle":1,"output":{NaN}}"#), "stray");
        assert!(said(r#"{"id": 12, "output": {"n": NaN}}"#).starts_with("12 Garbage(\"the answer is not JSON"));
        assert!(said(r#"{"id":1}"#).contains("Garbage"));
        assert!(said(r#"{"id":1,"output":{},"failed":"x"}"#).contains("more than one"));
        assert!(said(r#"{"id":1,"output_text":{}}"#).contains("not a string"));
        assert!(said(r#"{"id":1,"output_base64":"!"}"#).contains("not base64"));
        assert!(said(r#"{"id":1,"refused":{"code":"nope"}}"#).contains("no refusal code"));
        assert!(said(r#"{"id":1,"failed":"ValueError"}"#).contains(r#"Crashed("ValueError")"#));
    }

    #[test]
    fn texts_that_a_testee_adds_are_few_and_have_words() {
        let own = "Go on with the task.";
        let line = |adds: &str| {
            format!(
                r#"{{"wirecanon":1,"name":"a","adds":{adds},"conversions":[{{"from":"openai.chat","to":"openai.chat"}}]}}"#
            )
        };
        let hello = |adds: &str| read_hello(line(adds).as_bytes()).expect("a hello").expect("no stray");
        let said = hello(&format!(r#"["{own}", "OK", 7]"#));
        assert_eq!((&said.adds[..], said.notes.len()), (&[own.to_owned()][..], 2), "{:?}", said.notes);
        let many = hello(&format!("[{}]", vec![format!("\"{own}\""); MOST_ADDED + 1].join(",")));
        assert_eq!((many.adds.len(), many.notes.len()), (MOST_ADDED, 1), "{:?}", many.notes);
        let long = hello(&format!("[\"{}\"]", "go on now then ".repeat(LONGEST_ADDED)));
        assert_eq!((long.adds.len(), long.notes.len()), (0, 1));
    }

    #[test]
    fn exception_names_map_to_codes() {
        let hello = Hello { refusals: [("ValueError".to_owned(), "unpaired".to_owned())].into(), ..Hello::default() };
        let Line::Answer(_, Answer::Refused { code, .. }) =
            read_line(br#"{"id":1,"refused":{"code":"ValueError"}}"#, &hello)
        else {
            panic!("no refusal");
        };
        assert_eq!(code, "unpaired");
    }

    #[test]
    fn a_hello_needs_version_name_and_conversions() {
        let ok = r#"{"wirecanon":1,"name":"x","conversions":[{"from":"openai.chat","to":"canonical"},{"from":"a","to":"b"}]}"#;
        let hello = read_hello(ok.as_bytes()).unwrap().unwrap();
        assert_eq!(hello.conversions, [(Dialect::OpenAiChat, Dialect::Canonical)]);
        assert_eq!((hello.accepts, hello.notes.len()), (vec![Form::Json], 1));
        assert_eq!(read_hello(b"banner").unwrap(), None);
        for (from, to) in [("1,", "2,"), (r#""x""#, r#""""#), ("conversions", "c"), ("openai.chat", "openai")] {
            assert!(read_hello(ok.replacen(from, to, 1).as_bytes()).is_err(), "{from} → {to}");
        }
    }

    #[test]
    fn a_conversion_may_be_claimed_for_some_servers() {
        let hello = r#"{"wirecanon":1,"name":"x","conversions":[{"from":"openai.chat","to":"openai.chat",
            "targets":["openai","gemini"]},{"from":"langchain","to":"openai.chat"}]}"#;
        let hello = read_hello(hello.as_bytes()).unwrap().unwrap();
        let claims = |from, target| hello.claims(from, Target::by_name(target).unwrap());
        let (chat, langchain) = (Dialect::OpenAiChat, Dialect::LangChain);
        assert_eq!(["openai.chat", "openai", "groq", "gemini"].map(|to| claims(chat, to)), [true, true, false, false]);
        assert_eq!(["openai", "groq", "anthropic"].map(|to| claims(langchain, to)), [true, true, false]);
        assert!(hello.notes[0].contains("`gemini`"), "{:?}", hello.notes);
    }

    #[test]
    fn a_request_is_one_line() {
        let target = Target::by_name("anthropic").unwrap();
        let request = Request {
            from: Dialect::OpenAiChat,
            target,
            mode: Mode::Request,
            input: b"[\n  1.0,\n  \"a \\\" b\"\n]",
            call_id: None,
        };
        let line = String::from_utf8(request_line(3, &request, Form::Json)).unwrap();
        assert_eq!(
            line,
            "{\"id\":3,\"op\":\"convert\",\"from\":\"openai.chat\",\"to\":\"anthropic.messages\",\"target\":\"anthropic\",\
             \"for\":\"request\",\"input\":[1.0,\"a \\\" b\"]}\n"
        );
        let text = String::from_utf8(request_line(3, &request, Form::Text)).unwrap();
        assert_eq!(text.matches('\n').count(), 1);
    }
}
