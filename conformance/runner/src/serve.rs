//! The reference on stdin and stdout: the other side of the line protocol, and the example to hold an adapter against.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use serde::Serialize;
use wirecanon_core::json::{Json, Kind, Limits, Value, quote};
use wirecanon_core::{Dialect, Mode, Target, rule};

use crate::testee::{Answer, Form, Hello, Reference, Request, protocol};

const NOT_UTF_8: &str = "the request is not UTF-8";

/// Answers every request of `input` on `output` until `bye` or the end of the input.
///
/// # Errors
///
/// Reading or writing fails.
pub fn serve(input: impl Read, output: impl Write) -> io::Result<()> {
    answer(input, output, convert)
}

/// As [`serve`], but every input is its own output.
///
/// # Errors
///
/// Reading or writing fails.
pub fn echo(input: impl Read, output: impl Write) -> io::Result<()> {
    answer(input, output, given_back)
}

/// A request for a conversion.
struct Asked<'a> {
    /// The request, maybe without its `input`
    request: Value<'a>,
    /// The text of its `input`, if it has one, which may not be proved to be UTF-8 yet
    input: Option<&'a [u8]>,
}

/// What an answer tells.
#[derive(PartialEq)]
enum Tells {
    /// An output; of an `input` that is no JSON text there is none
    Output,
    /// That there is none
    Why,
}

/// Appends what a request is answered with, the members of the answer after its id, or says what is wrong with the request.
type Answering = fn(&Asked<'_>, &mut Vec<u8>) -> Result<Tells, String>;

fn answer(input: impl Read, output: impl Write, answering: Answering) -> io::Result<()> {
    let mut input = BufReader::with_capacity(64 << 10, input);
    // Few answers at once: who reads them asks for more while the rest of what came is answered.
    let mut output = BufWriter::with_capacity(4 << 10, output);
    // Both go on being used: long lines in fresh memory would take longer to be written there than to be answered.
    let (mut line, mut reply) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        reply.clear();
        read_line(&mut input, &mut line)?;
        if line.is_empty() {
            return output.flush();
        }
        match respond(&line, answering, &mut reply) {
            Some(Reply::Line) => {
                reply.push(b'\n');
                output.write_all(&reply)?;
                // While whole requests wait, more answers follow; before it reads again, all are out.
                if !input.buffer().contains(&b'\n') {
                    output.flush()?;
                }
            }
            Some(Reply::Bye) => return output.flush(),
            None => {}
        }
    }
}

/// As [`BufRead::read_until`] the end of a line, which is looked for by vectors.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let some = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            some => some?,
        };
        let end = memchr::memchr(b'\n', some).map(|end| end + 1);
        let taken = end.unwrap_or(some.len());
        line.extend_from_slice(&some[..taken]);
        input.consume(taken);
        if end.is_some() || taken == 0 {
            return Ok(());
        }
    }
}

enum Reply {
    Line,
    Bye,
}

/// Writes the answer to one line; nothing for a blank one.
fn respond(line: &[u8], answering: Answering, out: &mut Vec<u8>) -> Option<Reply> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    // Nearly all of a request is its input, which is read by whoever answers it.
    if let Some((head, input)) = without_input(line)
        && let Ok(head) = Json::parse(&head, &Limits::default())
        && op_of(head.root()) == "convert"
    {
        let asked = Asked { request: head.root(), input: Some(input) };
        if answer_to(&asked, answering, out) == Ok(Tells::Output) {
            return Some(Reply::Line);
        }
        out.clear();
    }
    let Ok(text) = simdutf8::basic::from_utf8(line) else { return Some(failed("null", NOT_UTF_8, out)) };
    let json = match Json::parse(text, &Limits::default()) {
        Ok(json) => json,
        Err(error) => return Some(failed("null", &format!("the request is not JSON: {error}"), out)),
    };
    let root = json.root();
    Some(match op_of(root).as_ref() {
        "hello" => {
            out.extend_from_slice(hello().as_bytes());
            Reply::Line
        }
        "bye" => Reply::Bye,
        "convert" => {
            let asked = Asked { request: root, input: root.get("input").map(|input| input.raw().as_bytes()) };
            match answer_to(&asked, answering, out) {
                Ok(_) => Reply::Line,
                Err(message) => failed(id_of(root), &message, out),
            }
        }
        other => failed(id_of(root), &format!("there is no operation `{other}`"), out),
    })
}

fn op_of(request: Value<'_>) -> Cow<'_, str> {
    request.get("op").and_then(Value::as_str).unwrap_or_default()
}

fn id_of(request: Value<'_>) -> &str {
    request.get("id").filter(|id| matches!(id.kind(), Kind::Number | Kind::String)).map_or("null", Value::raw)
}

fn answer_to(asked: &Asked<'_>, answering: Answering, out: &mut Vec<u8>) -> Result<Tells, String> {
    push(out, &["{\"id\":", id_of(asked.request), ","]);
    let tells = answering(asked, out)?;
    out.push(b'}');
    Ok(tells)
}

fn push(out: &mut Vec<u8>, words: &[&str]) {
    for word in words {
        out.extend_from_slice(word.as_bytes());
    }
}

/// A request whose `input` is its last member, as in those of the runner: the rest of it, and the text of the input. If both are
/// JSON, so is the request.
fn without_input(line: &[u8]) -> Option<(String, &[u8])> {
    let at = memchr::memmem::find(line, KEY)?;
    let head = std::str::from_utf8(&line[..at]).ok()?.trim_end().strip_suffix(',')?;
    let rest = line[at + KEY.len()..].trim_ascii().strip_prefix(b":")?;
    let input = rest.strip_suffix(b"}")?.trim_ascii();
    matches!(input.first(), Some(b'{' | b'[')).then(|| (format!("{head}}}"), input))
}

const KEY: &[u8] = b"\"input\"";

/// Writes nothing but that it failed.
fn failed(id: &str, message: &str, out: &mut Vec<u8>) -> Reply {
    out.clear();
    push(out, &["{\"id\":", id, ",\"failed\":", &quote(message), "}"]);
    Reply::Line
}

#[derive(Serialize)]
struct Introduction {
    wirecanon: u64,
    name: String,
    version: Option<String>,
    language: Option<String>,
    accepts: Vec<&'static str>,
    conversions: Vec<BTreeMap<&'static str, Dialect>>,
}

fn hello() -> String {
    let Hello { name, version, language, accepts, conversions, .. } = Reference::introduction();
    let accepts = accepts.into_iter().map(Form::name).collect();
    let conversions = conversions.into_iter().map(|(from, to)| BTreeMap::from([("from", from), ("to", to)])).collect();
    let wirecanon = protocol::VERSION;
    let said = Introduction { wirecanon, name, version, language, accepts, conversions };
    serde_json::to_string(&said).unwrap_or_default()
}

fn given_back(asked: &Asked<'_>, out: &mut Vec<u8>) -> Result<Tells, String> {
    let written = |key: &str| asked.request.get(key).map(Value::raw);
    let (key, input) = match (asked.input, written("input_text"), written("input_base64")) {
        (Some(input), ..) => ("output", simdutf8::basic::from_utf8(input).map_err(|_| NOT_UTF_8)?),
        (_, Some(input), _) => ("output_text", input),
        (.., Some(input)) => ("output_base64", input),
        _ => return Err("the request has no input".to_owned()),
    };
    push(out, &["\"", key, "\":", input]);
    Ok(Tells::Output)
}

/// Appends the members of an answer after its id, or says what is wrong with the request.
fn convert(asked: &Asked<'_>, out: &mut Vec<u8>) -> Result<Tells, String> {
    let word = |key: &str| asked.request.get(key).and_then(Value::as_str);
    let from = word("from").ok_or("the request has no `from`")?;
    let from = Dialect::by_name(&from).ok_or_else(|| format!("no dialect is called `{from}`"))?;
    let to = word("target").or_else(|| word("to")).ok_or("the request has no `to`")?;
    let target = Target::by_name(&to).map_err(|error| error.to_string())?;
    let mode = match word("for").as_deref() {
        None | Some("request") => Mode::Request,
        Some("history") => Mode::History,
        Some(other) => return Err(format!("`for` is request or history, not `{other}`")),
    };
    let written = |key: &str| asked.request.get(key);
    let (form, input) = match (asked.input, written("input_text"), written("input_base64")) {
        (Some(input), None, None) => (Form::Json, Cow::Borrowed(input)),
        (None, Some(text), None) => match text.as_str().ok_or("`input_text` is not a string")? {
            Cow::Borrowed(text) => (Form::Text, Cow::Borrowed(text.as_bytes())),
            Cow::Owned(text) => (Form::Text, Cow::Owned(text.into_bytes())),
        },
        (None, None, Some(bytes)) => {
            let bytes = bytes.as_str().and_then(|text| base64_simd::STANDARD.decode_to_vec(text.as_bytes()).ok());
            (Form::Base64, Cow::Owned(bytes.ok_or("`input_base64` is not base64")?))
        }
        _ => return Err("the request has not exactly one input".to_owned()),
    };
    let call_id = word("call_id");
    let request = Request { from, target, mode, input: &input, call_id: call_id.as_deref() };
    match Reference::answer(&request) {
        Answer::Output { bytes, report, .. } => {
            let is_mended = report.is_some_and(|report| report.of_rule(rule::INVALID_UTF_8.id).next().is_some());
            if form == Form::Json && is_mended {
                return Err(NOT_UTF_8.to_owned());
            }
            write(form, &bytes, out)?;
            return Ok(Tells::Output);
        }
        Answer::Refused { code, message } => {
            push(out, &["\"refused\":{\"code\":", &quote(&code), ",\"message\":", &quote(&message), "}"]);
        }
        Answer::Crashed(why)
        | Answer::Hung(why)
        | Answer::Garbage(why)
        | Answer::Unsupported(why)
        | Answer::Environment(why) => push(out, &["\"failed\":", &quote(&why)]),
    }
    Ok(Tells::Why)
}

/// Appends the output in the form that the input had.
fn write(form: Form, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
    let text = || simdutf8::basic::from_utf8(bytes).map_err(|_| "the output is not UTF-8".to_owned());
    match form {
        Form::Base64 => push(out, &["\"output_base64\":\"", &base64_simd::STANDARD.encode_to_string(bytes), "\""]),
        Form::Text => push(out, &["\"output_text\":", &quote(text()?)]),
        Form::Json => {
            push(out, &["\"output\":"]);
            let json = bytes.trim_ascii_end();
            // As it is, where it is on one line: long ones mostly are.
            if memchr::memchr2(b'\n', b'\r', json).is_none() {
                out.extend_from_slice(json);
            } else {
                out.extend_from_slice(protocol::one_line(text()?.trim_end()).as_bytes());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(lines: &str) -> String {
        let mut out = Vec::new();
        serve(lines.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hello_is_what_the_runner_reads() {
        let answer = ask(protocol::HELLO);
        let hello = protocol::read_hello(answer.trim_end().as_bytes()).unwrap().unwrap();
        assert_eq!((hello.name.as_str(), hello.notes.len()), ("reference", 0));
        assert_eq!(hello.conversions, Reference::introduction().conversions);
    }

    #[test]
    fn an_echo_gives_back_what_it_was_given() {
        let mut out = Vec::new();
        echo(
            &b"{\"id\":1,\"op\":\"convert\",\"input_text\":\"[ 1.0]\"}\n{\"id\":2,\"op\":\"convert\"}\n"[..],
            &mut out,
        )
        .unwrap();
        let lines = String::from_utf8(out).unwrap();
        assert_eq!(
            lines,
            "{\"id\":1,\"output_text\":\"[ 1.0]\"}\n{\"id\":2,\"failed\":\"the request has no input\"}\n"
        );
    }

    #[test]
    fn a_wrong_request_fails_and_the_next_is_answered() {
        let answers = ask(
            "nonsense\n\n{\"id\":1,\"op\":\"convert\",\"from\":\"x\"}\n{\"id\":2,\"op\":\"jump\"}\n{\"op\":\"bye\"}\n{\"id\":3,\"op\":\"jump\"}\n",
        );
        let lines: Vec<_> = answers.lines().collect();
        assert_eq!(lines.len(), 3, "{answers}");
        assert!(lines[0].starts_with("{\"id\":null,\"failed\":\"the request is not JSON"));
        assert!(lines[1].contains("no dialect is called `x`"));
        assert_eq!(lines[2], "{\"id\":2,\"failed\":\"there is no operation `jump`\"}");
    }

    /// Where the input is the last member, only what stands before it is read at first.
    #[test]
    fn a_request_is_answered_alike_wherever_its_input_stands() {
        let inputs = [
            r#"{"messages":[{"role":"user","content":"hi"}]}"#,
            r#"[{"role":"user","content":"\"input\":[}"},{"role":"tool","tool_call_id":"x","content":"late"}]"#,
            "[]",
            "[{]",
            "7",
            "\"\"",
            r#"[{"role":"user","content":"hi"}],"input":[]"#,
            r#"[{"role":"user","content":"hi"}],"input_text":"[]""#,
            r#"[{"role":"user","content":"hi"}]},{}"#,
        ];
        let head = r#""id":"a, \"input\":","op":"convert","for":"request""#;
        for from in Dialect::ALL {
            for input in inputs {
                let of = format!(r#""from":"{}","to":"canonical""#, from.name());
                let last = ask(&format!("{{{head},{of} , \"input\" : {input} }}\n"));
                let first = ask(&format!("{{\"input\":{input},{head},{of}}}\n"));
                if last.contains("the request is not JSON") {
                    assert!(first.contains("the request is not JSON"), "{last}{first}");
                } else {
                    assert_eq!(last, first, "{} {input}", from.name());
                }
            }
        }
    }

    /// The input is proved by whoever reads it, who would mend it otherwise.
    #[test]
    fn a_request_that_is_not_utf_8_fails() {
        let head =
            br#"{"id":1,"op":"convert","from":"openai.chat","to":"canonical","input":[{"role":"user","content":""#;
        for answering in [convert as Answering, given_back] {
            for (bytes, fails) in [(&b"hi"[..], false), (b"\xff", true), (b"\xed\xa0\x80", true), (b"\xc3\xa9", false)]
            {
                let mut out = Vec::new();
                answer(&[head, bytes, b"\"}]}\n"].concat()[..], &mut out, answering).unwrap();
                let answer = String::from_utf8(out).expect("an answer is text");
                assert_eq!(answer == format!("{{\"id\":null,\"failed\":\"{NOT_UTF_8}\"}}\n"), fails, "{answer}");
            }
        }
    }

    #[test]
    fn what_stands_behind_an_input_counts() {
        let given = r#"{"id":1,"op":"convert","from":"openai.chat","input":[{"role":"user","content":"hi"}]"#;
        let to = |rest: &str| ask(&format!("{given},{rest}}}\n"));
        assert!(to(r#""to":"canonical""#).starts_with(r#"{"id":1,"output":{"messages":[{"role":"user","#));
        assert!(to(r#""to":"canonical","for":"jump""#).contains("not `jump`"));
        assert!(to(r#""to":"canonical","input_text":"[]""#).contains("not exactly one input"));
        assert!(to(r#""to":"canonical","for":{]"#).contains("the request is not JSON"));
    }
}
