//! The runner's side of the line protocol: any lines from a testee.

use std::sync::OnceLock;

use serde_json::{Map, Value};
use wirecanon::case::{Case, is_refusal_code};
use wirecanon::judge::judge as verdict;
use wirecanon::serve::serve;
use wirecanon::testee::protocol::{self, Line};
use wirecanon::testee::{Answer, Form, Hello, Request};
use wirecanon_core::{Dialect, Mode, Target};

use crate::FuzzTarget;
use crate::replay::Document;

/// What reads a line of a testee.
type ReadLine = fn(&[u8], &Hello) -> Line;

/// Takes `data` for what a testee prints: the first line that introduces it counts, and each line after is an answer.
///
/// Fails when a line is read as what it is not.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: 16 * 1024, judge: |data| judge(data, protocol::read_line), document: |_| Document::Nothing };

fn judge(data: &[u8], read_line: ReadLine) -> Result<(), String> {
    let mut known = None;
    for line in data.split(|byte| *byte == b'\n') {
        let wrong = |why: &str| format!("{why}: {}", String::from_utf8_lossy(line));
        if known.is_none() {
            match protocol::read_hello(line) {
                Ok(Some(hello)) => {
                    introduced(&hello).map_err(|why| wrong(&why))?;
                    known = Some(hello);
                    continue;
                }
                Err(why) if why.is_empty() => return Err(wrong("a refusal without words")),
                Ok(None) | Err(_) => {}
            }
        }
        let hello = known.clone().unwrap_or_default();
        answered(line, read_line(line, &hello), &hello).map_err(|why| wrong(&why))?;
    }
    let hello = known.unwrap_or_else(|| Hello { accepts: vec![Form::Base64], ..Hello::default() });
    asked(data, &hello)
}

/// What must be true of a testee that is known.
fn introduced(hello: &Hello) -> Result<(), String> {
    if hello.name.trim().is_empty() || hello.conversions.is_empty() || hello.accepts.is_empty() {
        return Err(format!("it is known, and says too little: {hello:?}"));
    }
    Ok(())
}

/// Whether a line was read as what it is, by what `serde_json` reads in it.
fn answered(line: &[u8], read: Line, hello: &Hello) -> Result<(), String> {
    let said: Option<Map<String, Value>> = serde_json::from_slice(line).ok();
    let id = said.as_ref().and_then(|said| said.get("id")?.as_u64());
    let Line::Answer(number, answer) = read else {
        // Numbers like `1e999` are JSON, and no value of serde_json; so only what it reads is asked about.
        return if id.is_some() { Err("an answer was taken for a stray line".to_owned()) } else { Ok(()) };
    };
    let judged = &cases()[line.len() % cases().len()];
    let verdict = verdict(judged, Target::of_dialect(Dialect::Canonical), &answer, false);
    let Some(said) = said else { return Ok(()) };
    if id != Some(number) {
        return Err(format!("the answer to {id:?} was taken for that to {number}"));
    }
    let given: Vec<_> = ["output", "output_text", "output_base64", "refused", "failed"]
        .into_iter()
        .filter_map(|key| said.get(key).map(|value| (key, value)))
        .collect();
    let right = match (&given[..], &answer) {
        ([("output", value)], Answer::Output { bytes, exact: false, report: None }) => {
            serde_json::from_slice(bytes).is_ok_and(|bytes: Value| bytes == **value)
        }
        ([("output_text", Value::String(text))], Answer::Output { bytes, exact: true, report: None }) => {
            // A half of a surrogate pair is no text, and serde_json does not read it.
            text.as_bytes() == &bytes[..]
        }
        ([("output_base64", Value::String(text))], Answer::Output { bytes, exact: true, report: None }) => {
            text.len() == bytes.len().div_ceil(3) * 4
        }
        ([("output_base64", Value::String(text))], Answer::Garbage(_)) => {
            text.len() % 4 != 0
                || !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
                || ends_oddly(text)
        }
        ([("refused", value)], Answer::Refused { code, .. }) => {
            let named = value["code"].as_str().unwrap_or_default();
            let meant = hello.refusals.get(named).map_or(named, String::as_str);
            code == meant && is_refusal_code(meant)
        }
        ([("refused", value)], Answer::Garbage(_)) => {
            let named = value["code"].as_str().unwrap_or_default();
            !is_refusal_code(hello.refusals.get(named).map_or(named, String::as_str))
        }
        ([("failed", Value::String(text))], Answer::Crashed(why)) => text == why,
        ([("output_text" | "output_base64", value)], Answer::Garbage(_)) => !value.is_string(),
        ([("failed", _)], Answer::Crashed(_)) | ([] | [_, _, ..], Answer::Garbage(_)) => true,
        _ => false,
    };
    // Keys with escapes, and keys that stand twice, are read alike: the last one counts.
    if !right {
        return Err(format!("{given:?} was read as {answer:?}"));
    }
    if verdict.ok && !matches!(answer, Answer::Output { .. } | Answer::Refused { .. }) {
        return Err(format!("what is no answer is right: {answer:?}"));
    }
    Ok(())
}

/// Base64 whose padding or last bits are not as they should be.
fn ends_oddly(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let last = body.bytes().last().unwrap_or(b'A');
    let bits = match last {
        b'A'..=b'Z' => last - b'A',
        b'a'..=b'z' => last - b'a' + 26,
        b'0'..=b'9' => last - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    body.contains('=')
        || match (body.len() % 4, text.len() - body.len()) {
            (0, 0) => false,
            (2, 2) => bits & 15 != 0,
            (3, 1) => bits & 3 != 0,
            _ => true,
        }
}

/// Whether the bytes, as an input, travel to a testee on one line, and our own testee answers.
fn asked(data: &[u8], hello: &Hello) -> Result<(), String> {
    let Ok(form) = protocol::form_for(hello, data) else { return Ok(()) };
    let request = Request {
        from: Dialect::OpenAiChat,
        target: Target::of_dialect(Dialect::Canonical),
        mode: Mode::History,
        input: data,
        call_id: Some("c\n1"),
    };
    let line = protocol::request_line(7, &request, form);
    if line.iter().position(|byte| *byte == b'\n') != Some(line.len() - 1) {
        return Err(format!("a request of {form:?} is not one line: {}", String::from_utf8_lossy(&line)));
    }
    let mut out = Vec::new();
    serve(&line[..], &mut out).map_err(|error| error.to_string())?;
    match protocol::read_line(out.trim_ascii_end(), &Hello::default()) {
        Line::Answer(7, Answer::Output { .. } | Answer::Refused { .. }) => Ok(()),
        other => Err(format!("our own testee answered {other:?} to {}", String::from_utf8_lossy(&line))),
    }
}

/// Cases that the answers are held against.
fn cases() -> &'static [Case] {
    static ALL: OnceLock<Vec<Case>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = wirecanon::corpus::load().unwrap_or_default();
        all.into_iter().filter(|case| case.input.len() < 2000).step_by(60).collect()
    })
}

/// What a testee prints for some cases, and some lines as no testee should print them.
pub(crate) fn examples() -> Vec<(String, Vec<u8>)> {
    let mut asked = protocol::HELLO.as_bytes().to_vec();
    for (id, case) in (1..).zip(cases()) {
        let target = Target::of_dialect(Dialect::Canonical);
        let request = Request { from: case.from, target, mode: Mode::Request, input: &case.input, call_id: None };
        asked.extend(protocol::request_line(
            id,
            &request,
            [Form::Json, Form::Text, Form::Base64][case.input.len() % 3],
        ));
    }
    let mut said = Vec::new();
    // The reference reads and writes memory here.
    let _ = serve(&asked[..], &mut said);
    let hello = said.split(|byte| *byte == b'\n').next().unwrap_or_default().to_vec();
    let mut found: Vec<_> = said
        .split(|byte| *byte == b'\n')
        .skip(1)
        .filter(|line| (1..6000).contains(&line.len()))
        .map(|line| [&hello[..], b"\n", line, b"\n"].concat())
        .collect();
    let odd = [
        "Loading model…\n{\"level\":\"info\"}\n",
        "{\"wirecanon\":2}\n{\"id\":1}\n",
        "{\"wirecanon\":1,\"name\":\"x\",\"conversions\":[{\"from\":\"openai.chat\",\"to\":\"canonical\"}],\"accepts\":[\"base64\",\"text\",\"json\"],\"refusals\":{\"ValueError\":\"unpaired\"}}\n{\"id\":1,\"refused\":{\"code\":\"ValueError\",\"message\":\"m\"}}\n{\"id\":2,\"failed\":\"KeyError\"}\n",
        "{\"id\":1,\"output\":{\"messages\":[]},\"output_text\":\"\\ud800\"}\n{\"id\":2,\"output_base64\":\"eyI=\"}\n{\"id\":18446744073709551616,\"failed\":null}\n",
    ];
    found.extend(odd.map(|text| text.as_bytes().to_vec()));
    found.into_iter().enumerate().map(|(number, bytes)| (format!("lines-{number:02}"), bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{Picks, change};
    use crate::tests::smoke;

    #[test]
    fn smoke() {
        assert!(cases().len() >= 5 && examples().len() >= 9);
        smoke::each_noise(300, 60, |data| TARGET.run(data));
        let picks = &mut Picks::new(5);
        for round in 0..500 {
            let (_, bytes) = &examples_once()[round % examples_once().len()];
            let text = String::from_utf8(bytes.clone()).unwrap();
            let lines: Vec<_> = text
                .lines()
                .map(|line| change(line, &mut |limit| picks.below(limit)).unwrap_or_else(|| line.to_owned()))
                .collect();
            TARGET.run(lines.join("\n").as_bytes());
            TARGET.run(&bytes[..picks.below(bytes.len())]);
        }
        TARGET.run("[".repeat(300).as_bytes());
    }

    fn examples_once() -> &'static [(String, Vec<u8>)] {
        static ALL: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
        ALL.get_or_init(examples)
    }

    #[test]
    fn a_parser_that_misreads_is_caught() {
        let mutants: [(&str, ReadLine); 4] = [
            // An id in quotes is no id, and one in digits is.
            ("stray", |_, _| Line::Stray),
            ("was read as", |line, hello| match protocol::read_line(line, hello) {
                Line::Answer(id, Answer::Garbage(why)) => Line::Answer(id, Answer::Crashed(why)),
                other => other,
            }),
            // Numbers through doubles.
            ("was read as", |line, hello| match protocol::read_line(line, hello) {
                Line::Answer(id, Answer::Output { bytes, exact, report }) => {
                    let text = String::from_utf8_lossy(&bytes).replace("messages", "message");
                    Line::Answer(id, Answer::Output { bytes: text.into_bytes(), exact, report })
                }
                other => other,
            }),
            ("was taken for that to", |line, hello| match protocol::read_line(line, hello) {
                Line::Answer(id, answer) => Line::Answer(id + 1, answer),
                Line::Stray => Line::Stray,
            }),
        ];
        for (words, mutant) in mutants {
            let found = examples_once()
                .iter()
                .filter(|(_, bytes)| judge(bytes, mutant).is_err_and(|said| said.contains(words)));
            assert!(found.count() > 0, "{words}");
        }
    }
}
