//! Programs that keep every word and every rule, and still say something else than the input did: each is found, by its own
//! name, and the reference does none of it.

use wirecanon::case::Case;
use wirecanon::corpus;
use wirecanon::reason;
use wirecanon::run::{self, RunResult};
use wirecanon::testee::{Answer, Hello, Reference, Request, StartError, Testee};
use wirecanon::verdict::Verdict;
use wirecanon_core::Dialect;

/// The reference, but for what is done to its answers.
struct Planted {
    reference: Reference,
    to: Dialect,
    /// Answers with JSON values, as most adapters do
    values: bool,
    spoil: fn(&str) -> String,
}

impl Testee for Planted {
    fn hello(&mut self) -> Result<Hello, StartError> {
        let mut hello = self.reference.hello()?;
        hello.conversions.retain(|(_, to)| *to == self.to);
        Ok(hello)
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        let (values, spoil) = (self.values, self.spoil);
        self.reference.convert(requests, &mut |index, answer| {
            let answer = match answer {
                Answer::Output { bytes, .. } => {
                    let bytes = spoil(&String::from_utf8_lossy(&bytes)).into_bytes();
                    Answer::Output { bytes, exact: !values, report: None }
                }
                other => other,
            };
            answered(index, answer);
        });
    }
}

fn results(cases: &[&Case], to: Dialect, values: bool, spoil: fn(&str) -> String) -> Vec<RunResult> {
    let mut planted = Planted { reference: Reference::new(1), to, values, spoil };
    let run = run::run("planted", &mut planted, cases, 1, false, &mut |_| {});
    run.results.into_iter().filter(|result| result.judgement.verdict != Verdict::Unsupported).collect()
}

fn reasons(result: &RunResult) -> String {
    reason::of(&result.judgement).join("; ")
}

/// Cases with these letters in their files.
fn with<'c>(cases: &'c [Case], words: &[&str]) -> Vec<&'c Case> {
    let says = |case: &&Case| {
        let input = String::from_utf8_lossy(&case.input);
        words.iter().any(|word| input.contains(word))
    };
    cases.iter().filter(says).collect()
}

const FLAGS: [&str; 4] = ["isError", "is_error", "\"status\"", "error-text"];

/// How many results have this reason, none of which is as asked.
fn found(results: &[RunResult], rule: &str) -> usize {
    let named = results.iter().filter(|result| reasons(result).contains(&format!("{rule} at ")));
    named.inspect(|result| assert!(!result.judgement.ok && result.judgement.verdict >= Verdict::Lossy)).count()
}

#[test]
fn a_failure_that_becomes_a_success_is_found() {
    let cases = corpus::load().expect("the corpus");
    let cases = with(&cases, &FLAGS);
    for (to, spoil) in [
        (
            Dialect::AnthropicMessages,
            (|text| text.replace("\"is_error\":true", "\"is_error\":false")) as fn(&str) -> String,
        ),
        (Dialect::BedrockConverse, |text| text.replace("\"status\":\"error\"", "\"status\":\"success\"")),
        (Dialect::OpenClaw, |text| text.replace("\"isError\":true", "\"isError\":false")),
        (Dialect::LangChain, |text| text.replace("\"status\":\"error\"", "\"status\":\"success\"")),
        (Dialect::McpToolResult, |text| text.replace("\"isError\":true", "\"isError\":false")),
    ] {
        let count = found(&results(&cases, to, false, spoil), "error-flag-lost");
        assert!(count >= 3, "{}: {count}", to.name());
    }
}

#[test]
fn a_success_that_becomes_a_failure_is_found() {
    let cases = corpus::load().expect("the corpus");
    let cases = with(&cases, &["tool_result", "toolResult", "\"tool\""]);
    for (to, spoil) in [
        (
            Dialect::AnthropicMessages,
            (|text| {
                let text = text.replace(",\"is_error\":false", "").replace(",\"is_error\":true", "");
                text.replace("\"type\":\"tool_result\"", "\"type\":\"tool_result\",\"is_error\":true")
            }) as fn(&str) -> String,
        ),
        (Dialect::OpenClaw, |text| text.replace("\"isError\":false", "\"isError\":true")),
    ] {
        let count = found(&results(&cases, to, false, spoil), "error-flag-invented");
        assert!(count >= 3, "{}: {count}", to.name());
    }
}

/// Every picture of an Anthropic message as a text with its base64.
fn bomb(text: &str) -> String {
    let Ok(mut root) = serde_json::from_str::<serde_json::Value>(text) else { return text.to_owned() };
    let mut open = vec![&mut root];
    while let Some(value) = open.pop() {
        if value["type"] == "image" && value["source"]["data"].is_string() {
            *value = serde_json::json!({"type": "text", "text": value["source"]["data"]});
            continue;
        }
        match value {
            serde_json::Value::Array(items) => open.extend(items),
            serde_json::Value::Object(members) => open.extend(members.values_mut()),
            _ => {}
        }
    }
    root.to_string()
}

#[test]
fn a_picture_that_becomes_words_is_found() {
    let cases = corpus::load().expect("the corpus");
    let cases = with(&cases, &["iVBOR"]);
    let results = results(&cases, Dialect::AnthropicMessages, false, bomb);
    let count = found(&results, "media-as-text");
    assert!(count >= 10, "{count} of {}", results.len());
}

#[test]
fn digits_count_in_words_and_not_in_numbers_of_json() {
    let cases = corpus::load().expect("the corpus");
    let digits = "9007199254740993";
    let cases: Vec<&Case> = with(&cases, &[digits])
        .into_iter()
        .filter(|case| case.expect.must_keep.iter().any(|kept| kept == digits))
        .collect();
    let round: fn(&str) -> String = |text| text.replace("9007199254740993", "9007199254740992");
    let lost = |values, from: Dialect| {
        let results = results(&cases, Dialect::AnthropicMessages, values, round);
        let of = results.iter().filter(|result| result.from == from).collect::<Vec<_>>();
        assert!(!of.is_empty(), "nothing was asked from {}", from.name());
        of.iter().filter(|result| result.judgement.reasons.iter().any(|reason| reason.kind == "number-rounded")).count()
    };
    // In LangChain arguments are an object, in OpenAI's messages a string.
    assert_eq!(lost(true, Dialect::LangChain), 0);
    assert!(lost(false, Dialect::LangChain) > 0);
    assert!(lost(true, Dialect::OpenAiChat) > 0);
}

#[test]
fn reasoning_is_missing_only_where_there_was_some() {
    let cases = corpus::load().expect("the corpus");
    let cases = with(&cases, &["tool_calls", "tool_use"]);
    // An empty string is what the reference writes where there was none.
    let strip: fn(&str) -> String = |text| {
        let Ok(mut root) = serde_json::from_str::<serde_json::Value>(text) else { return text.to_owned() };
        let list = if root.is_array() {
            root.as_array_mut()
        } else {
            root.get_mut("messages").and_then(serde_json::Value::as_array_mut)
        };
        let messages = list.into_iter().flatten();
        messages.filter_map(serde_json::Value::as_object_mut).for_each(|message| {
            message.remove("reasoning_content");
        });
        root.to_string()
    };
    let results = results(&cases, Dialect::OpenAiChat, false, strip);
    let (mut with, mut without) = (0, 0);
    for result in results.iter().filter(|result| result.to == "deepseek") {
        let case = cases.iter().find(|case| case.id == result.case).expect("its case");
        let accused = reasons(result).contains("reasoning-missing at ");
        if String::from_utf8_lossy(&case.input).contains("thinking\"") {
            with += usize::from(accused);
        } else if !String::from_utf8_lossy(&case.input).contains("reasoning") {
            assert!(!accused, "{}", case.id);
            without += 1;
        }
    }
    assert!(with > 0 && without > 10, "{with} and {without}");
}

#[test]
fn the_reference_does_none_of_it() {
    let cases = corpus::load().expect("the corpus");
    let mut cases = with(&cases, &FLAGS);
    cases.dedup_by_key(|case| &case.id);
    let run = run::run("reference", &mut Reference::new(2), &cases, 1, false, &mut |_| {});
    for result in run.findings() {
        assert!(result.judgement.reasons.is_empty(), "{} to {}: {}", result.case, result.to, reasons(result));
    }
    assert!(run.results.len() > 1000, "{}", run.results.len());
}
