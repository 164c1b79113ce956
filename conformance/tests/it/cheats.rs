//! Testees that keep every rule and tell the model something else pass hardly any case, and an honest converter keeps what it deserves.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use wirecanon::case::Case;
use wirecanon::corpus;
use wirecanon::run::{self, Manner, TesteeRun};
use wirecanon::testee::{Answer, Hello, Reference, Request, StartError, Testee};
use wirecanon::verdict::Verdict;
use wirecanon_core::Dialect;

/// A converter from OpenAI's messages to those of one other dialect.
struct Converter {
    name: &'static str,
    to: Dialect,
    convert: fn(&Value) -> Option<Value>,
}

impl Testee for Converter {
    fn hello(&mut self) -> Result<Hello, StartError> {
        let conversions = vec![(Dialect::OpenAiChat, self.to)];
        Ok(Hello { name: self.name.to_owned(), conversions, ..Reference::introduction() })
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        for (index, request) in requests.iter().enumerate() {
            let input: Option<Value> = serde_json::from_slice(request.input).ok();
            let output = input.and_then(|input| (self.convert)(&input));
            let answer = output.map_or_else(
                || Answer::Crashed("the input has another form".to_owned()),
                |output| Answer::Output { bytes: output.to_string().into_bytes(), exact: false, report: None },
            );
            answered(index, answer);
        }
    }
}

fn messages(input: &Value) -> Option<Vec<Value>> {
    input.get("messages").unwrap_or(input).as_array().cloned()
}

/// The blocks of a content.
fn blocks(content: &Value) -> Option<Vec<Value>> {
    let blocks = match content {
        Value::Null => Vec::new(),
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        Value::Array(parts) => parts.iter().map(block).collect::<Option<_>>()?,
        _ => return None,
    };
    let is_blank = |block: &Value| block["text"].as_str().is_some_and(|text| text.trim().is_empty());
    Some(blocks.into_iter().filter(|block| !is_blank(block)).collect())
}

fn block(part: &Value) -> Option<Value> {
    if part["type"] == "text" {
        return Some(json!({"type": "text", "text": part["text"].as_str()?}));
    }
    let url = part["image_url"]["url"].as_str()?;
    Some(match url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) {
        Some((kind, data)) => {
            json!({"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}})
        }
        None => json!({"type": "image", "source": {"type": "url", "url": url}}),
    })
}

/// Converts to Anthropic's messages, and repairs nothing.
fn honest(input: &Value) -> Option<Value> {
    let (mut system, mut turns) = (Vec::new(), Vec::<Value>::new());
    for message in messages(input)? {
        let (role, content) = match message["role"].as_str()? {
            "system" | "developer" => {
                system.extend(blocks(&message["content"])?);
                continue;
            }
            "user" => ("user", blocks(&message["content"])?),
            "tool" => {
                let content = blocks(&message["content"])?;
                let id = &message["tool_call_id"];
                ("user", vec![json!({"type": "tool_result", "tool_use_id": id, "content": content})])
            }
            "assistant" => {
                let mut content = blocks(&message["content"])?;
                for call in message["tool_calls"].as_array().into_iter().flatten() {
                    let arguments = call["function"]["arguments"].as_str()?;
                    let input: Value = serde_json::from_str(arguments).ok()?;
                    let (id, name) = (&call["id"], &call["function"]["name"]);
                    content.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
                }
                ("assistant", content)
            }
            _ => return None,
        };
        match turns.last_mut().filter(|turn| turn["role"] == role) {
            _ if content.is_empty() => {}
            Some(turn) => turn["content"].as_array_mut()?.extend(content),
            None => turns.push(json!({"role": role, "content": content})),
        }
    }
    Some(if system.is_empty() { json!({"messages": turns}) } else { json!({"system": system, "messages": turns}) })
}

#[expect(clippy::unnecessary_wraps, reason = "it is one of the converters")]
fn flattened(input: &Value) -> Option<Value> {
    Some(json!({"messages": [{"role": "user", "content": input.to_string()}]}))
}

/// The honest answer with each call changed.
fn with_calls(input: &Value, change: fn(&mut Value)) -> Option<Value> {
    let mut answer = honest(input)?;
    let turns = answer["messages"].as_array_mut()?;
    turns
        .iter_mut()
        .filter_map(|turn| turn["content"].as_array_mut())
        .flatten()
        .filter(|block| block["type"] == "tool_use")
        .for_each(change);
    Some(answer)
}

fn emptied(input: &Value) -> Option<Value> {
    with_calls(input, |call| call["input"] = json!({}))
}

fn renamed(input: &Value) -> Option<Value> {
    with_calls(input, |call| call["name"] = json!("x"))
}

fn exchanged(input: &Value) -> Option<Value> {
    let mut answer = honest(input)?;
    for turn in answer["messages"].as_array_mut()? {
        let Some(blocks) = turn["content"].as_array_mut() else { continue };
        let places: Vec<usize> = (0..blocks.len()).filter(|at| blocks[*at]["type"] == "tool_result").collect();
        let contents: Vec<Value> = places.iter().map(|at| blocks[*at]["content"].clone()).collect();
        for (at, place) in places.iter().enumerate() {
            blocks[*place]["content"] = contents[(at + 1) % contents.len()].clone();
        }
    }
    Some(answer)
}

fn asked(name: &'static str, convert: fn(&Value) -> Option<Value>, cases: &[&Case], frames: bool) -> TesteeRun {
    let mut testee = Converter { name, to: Dialect::AnthropicMessages, convert };
    run::run_as(name, &mut testee, cases, Manner { minimum: 1, frames, ..Manner::default() }, &mut |_| {})
}

/// The share of cases that pass for all targets, in percent.
fn score(run: &TesteeRun) -> usize {
    let mut passed: BTreeMap<&str, bool> = BTreeMap::new();
    for result in run.results.iter().filter(|result| result.judgement.verdict != Verdict::Unsupported) {
        *passed.entry(&result.case).or_insert(true) &= result.judgement.ok;
    }
    assert!(passed.len() > 300, "{} cases were judged", passed.len());
    100 * passed.values().filter(|passed| **passed).count() / passed.len()
}

#[test]
fn cheats_pass_hardly_any_case() {
    let cases = corpus::load().expect("the corpus");
    let cases: Vec<&Case> = cases.iter().filter(|case| case.retired.is_none()).collect();
    let bare = score(&asked("flattened", flattened, &cases, false));
    assert!(bare < 10, "without frames, a flattened conversation passes {bare} % of the cases");
    for (name, cheat) in [
        ("flattened", flattened as fn(&Value) -> Option<Value>),
        ("emptied", emptied),
        ("renamed", renamed),
        ("exchanged", exchanged),
    ] {
        let score = score(&asked(name, cheat, &cases, true));
        assert!(score < 10, "{name} passes {score} % of the cases");
    }
}

#[test]
fn an_honest_converter_keeps_what_it_deserves() {
    let cases = corpus::load().expect("the corpus");
    let cases: Vec<&Case> = cases.iter().filter(|case| case.retired.is_none()).collect();
    let (bare, framed) = (asked("honest", honest, &cases, false), asked("honest", honest, &cases, true));
    assert!((45..70).contains(&score(&framed)), "{} %", score(&framed));
    assert!(score(&bare) <= score(&framed) + 3, "frames cost {} of {} %", score(&framed), score(&bare));
    let failing: BTreeSet<&str> = framed
        .results
        .iter()
        .filter(|result| result.judgement.verdict == Verdict::Altered)
        .map(|result| result.case.as_str())
        .collect();
    for id in ["anthropic-parallel-calls-valid", "openai-parallel-calls-valid"] {
        assert!(!failing.contains(id), "{id} is altered");
    }
}

#[test]
fn the_reference_passes_framed_cases() {
    let cases = corpus::load().expect("the corpus");
    let cases: Vec<&Case> = cases.iter().filter(|case| case.retired.is_none()).step_by(9).collect();
    let manner = Manner { minimum: 1, frames: true, ..Manner::default() };
    let run = run::run_as("reference", &mut Reference::new(2), &cases, manner, &mut |_| {});
    let found: Vec<String> = run
        .findings()
        .map(|result| format!("{} to {}: {:?}", result.case, result.to, result.judgement.reasons))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
