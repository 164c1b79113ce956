//! The reference on stdin and stdout: the other side of the line protocol, and the example to hold an adapter against.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use wirecanon_core::json::{Json, Kind, Limits, Value, quote, quote_into};
use wirecanon_core::{Dialect, Mode, Target};

use crate::testee::{Answer, Reference, Request, protocol};

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

/// Appends what a request is answered with, the members of the answer after its id, or says what is wrong with the request.
type Answering = fn(Value<'_>, &mut String) -> Result<(), String>;

fn answer(input: impl Read, output: impl Write, answering: Answering) -> io::Result<()> {
    let mut input = BufReader::with_capacity(64 << 10, input);
    // Few answers at once: who reads them asks for more while the rest of what came is answered.
    let mut output = BufWriter::with_capacity(4 << 10, output);
    // Both go on being used: long lines in fresh memory would take longer to be written there than to be answered.
    let (mut line, mut reply) = (Vec::new(), String::new());
    loop {
        line.clear();
        reply.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        match respond(&line, answering, &mut reply) {
            Some(Reply::Line) => {
                reply.push('\n');
                output.write_all(reply.as_bytes())?;
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

enum Reply {
    Line,
    Bye,
}

/// Writes the answer to one line; nothing for a blank one.
fn respond(line: &[u8], answering: Answering, out: &mut String) -> Option<Reply> {
    let text = match simdutf8::basic::from_utf8(line) {
        Ok(text) if text.trim().is_empty() => return None,
        Ok(text) => text,
        Err(_) => return Some(failed("null", "the request is not UTF-8", out)),
    };
    let json = match Json::parse(text, &Limits::default()) {
        Ok(json) => json,
        Err(error) => return Some(failed("null", &format!("the request is not JSON: {error}"), out)),
    };
    let root = json.root();
    let id = root.get("id").filter(|id| matches!(id.kind(), Kind::Number | Kind::String)).map_or("null", Value::raw);
    let op = root.get("op").and_then(Value::as_str).unwrap_or_default();
    Some(match op.as_ref() {
        "hello" => {
            out.push_str(&hello());
            Reply::Line
        }
        "bye" => Reply::Bye,
        "convert" => {
            out.extend(["{\"id\":", id, ","]);
            if let Err(message) = answering(root, out) {
                return Some(failed(id, &message, out));
            }
            out.push('}');
            Reply::Line
        }
        other => failed(id, &format!("there is no operation `{other}`"), out),
    })
}

/// Writes nothing but that it failed.
fn failed(id: &str, message: &str, out: &mut String) -> Reply {
    out.clear();
    out.extend(["{\"id\":", id, ",\"failed\":"]);
    quote_into(out, message);
    out.push('}');
    Reply::Line
}

fn hello() -> String {
    let introduction = Reference::introduction();
    let mut out = format!("{{\"wirecanon\":{},\"name\":{}", protocol::VERSION, quote(&introduction.name));
    for (key, value) in [("version", &introduction.version), ("language", &introduction.language)] {
        if let Some(value) = value {
            // Writing to a string cannot fail.
            let _ = write!(out, ",\"{key}\":{}", quote(value));
        }
    }
    out.push_str(",\"accepts\":[");
    push_list(&mut out, introduction.accepts.iter().map(|form| quote(form.name())));
    out.push_str("],\"conversions\":[");
    push_list(
        &mut out,
        introduction
            .conversions
            .iter()
            .map(|(from, to)| format!("{{\"from\":\"{}\",\"to\":\"{}\"}}", from.name(), to.name())),
    );
    out.push_str("]}");
    out
}

fn push_list(out: &mut String, items: impl Iterator<Item = String>) {
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(&item);
    }
}

fn given_back(root: Value<'_>, out: &mut String) -> Result<(), String> {
    let keys = ["input", "input_text", "input_base64"];
    let given = keys.into_iter().find_map(|key| Some((key, root.get(key)?)));
    let (key, input) = given.ok_or("the request has no input")?;
    out.extend(["\"", &key.replace("input", "output"), "\":", input.raw()]);
    Ok(())
}

/// Appends the members of an answer after its id, or says what is wrong with the request.
fn convert(root: Value<'_>, out: &mut String) -> Result<(), String> {
    let word = |key: &str| root.get(key).and_then(Value::as_str);
    let from = word("from").ok_or("the request has no `from`")?;
    let from = Dialect::by_name(&from).ok_or_else(|| format!("no dialect is called `{from}`"))?;
    let to = word("target").or_else(|| word("to")).ok_or("the request has no `to`")?;
    let target = Target::by_name(&to).map_err(|error| error.to_string())?;
    let mode = match word("for").as_deref() {
        None | Some("request") => Mode::Request,
        Some("history") => Mode::History,
        Some(other) => return Err(format!("`for` is request or history, not `{other}`")),
    };
    let given: Vec<_> =
        ["input", "input_text", "input_base64"].into_iter().filter(|key| root.get(key).is_some()).collect();
    let [form] = given[..] else { return Err("the request has not exactly one input".to_owned()) };
    let input = match (form, root.get(form)) {
        ("input", Some(value)) => Cow::Borrowed(value.raw().as_bytes()),
        ("input_text", Some(value)) => match value.as_str().ok_or("`input_text` is not a string")? {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
        (_, value) => value
            .and_then(Value::as_str)
            .and_then(|text| base64_simd::STANDARD.decode_to_vec(text.as_bytes()).ok())
            .map(Cow::Owned)
            .ok_or("`input_base64` is not base64")?,
    };
    let call_id = word("call_id");
    let request = Request { from, target, mode, input: &input, call_id: call_id.as_deref() };
    match Reference::answer(&request) {
        Answer::Output { bytes, .. } => return write(form, &bytes, out),
        Answer::Refused { code, message } => {
            for (before, words) in [("\"refused\":{\"code\":", &code), (",\"message\":", &message)] {
                out.push_str(before);
                quote_into(out, words);
            }
            out.push('}');
        }
        Answer::Crashed(why)
        | Answer::Hung(why)
        | Answer::Garbage(why)
        | Answer::Unsupported(why)
        | Answer::Environment(why) => {
            out.push_str("\"failed\":");
            quote_into(out, &why);
        }
    }
    Ok(())
}

/// Appends the output in the form that the input had.
fn write(form: &str, bytes: &[u8], out: &mut String) -> Result<(), String> {
    if form == "input_base64" {
        out.extend(["\"output_base64\":\"", &base64_simd::STANDARD.encode_to_string(bytes), "\""]);
        return Ok(());
    }
    let text = simdutf8::basic::from_utf8(bytes).map_err(|_| "the output is not UTF-8".to_owned())?;
    if form == "input" {
        out.push_str("\"output\":");
        out.push_str(&protocol::one_line(text.trim_end()));
    } else {
        out.push_str("\"output_text\":");
        quote_into(out, text);
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
}
