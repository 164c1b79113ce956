//! Acceptable outcomes: other repairs of a broken input pass, and answers that tell a model something else do not.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};
use wirecanon::case::{self, Case};
use wirecanon::judge::{Judgement, judge};
use wirecanon::meaning::outcome::{Outcome, TABLE};
use wirecanon::testee::Answer;
use wirecanon::verdict::Verdict;
use wirecanon_core::{Dialect, From, Mode, Options, Stage, Target, fix};

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A case of an input, whose outcome is that of the reference.
fn case(from: Dialect, input: &Value) -> Case {
    let bytes = serde_json::to_vec(input).expect("JSON");
    let to = Some(Target::of_dialect(Dialect::Canonical));
    let options = Options { from: From::Dialect(from), to, mode: Mode::Request, ..Options::default() };
    let fixed = fix(&bytes, &options).expect("a transcript");
    let repairs: Vec<Value> = fixed
        .report
        .repairs
        .iter()
        .filter(|entry| entry.stage != Stage::Write)
        .map(|entry| json!({"rule": entry.rule, "in": entry.input.as_deref()}))
        .collect();
    let canonical: Value = serde_json::from_slice(&fixed.output).expect("JSON");
    let text = json!({
        "id": "fixture", "title": "T.", "class": "pairing", "source": ["owner/repo#1"], "from": from.name(), "input": input,
        "expect": {"canonical": canonical, "repairs": repairs}, "since": "0.1.0",
    });
    case::parse("fixture", text.to_string().as_bytes()).expect("a case")
}

fn judged(case: &Case, answer: &Value) -> Judgement {
    let target = Target::by_name("anthropic").expect("a target");
    let bytes = serde_json::to_vec(answer).expect("JSON");
    judge(case, target, &Answer::Output { bytes, exact: true, report: None }, false)
}

fn user(content: &Value) -> Value {
    json!({"role": "user", "content": content})
}

fn assistant(content: &Value) -> Value {
    json!({"role": "assistant", "content": content})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str, name: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn result(id: &str, content: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content})
}

fn failure(id: &str, content: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": true})
}

fn messages(messages: &[Value]) -> Value {
    json!({"messages": messages})
}

/// A broken input with answers that are acceptable and others that are not.
struct Example {
    outcomes: &'static [Outcome],
    input: Value,
    right: Vec<Value>,
    wrong: Vec<Value>,
}

fn chat_call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"role": "assistant", "content": null,
        "tool_calls": [{"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}]})
}

fn chat_result(id: &str, content: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": content})
}

fn pairing() -> Vec<Example> {
    let go = || user(&json!("go"));
    let look = || call("c1", "look", &json!({"path": "a.txt"}));
    let then = || user(&json!("and then?"));
    // The call, answered by this text.
    let answered = |said: &str| {
        messages(&[go(), assistant(&json!([look()])), user(&json!([result("c1", said), text("and then?")]))])
    };
    vec![
        Example {
            outcomes: &[Outcome::CallLeftOut],
            input: messages(&[go(), chat_call("c1", "look", r#"{"path":"a.txt"}"#), then()]),
            right: vec![
                messages(&[
                    go(),
                    assistant(&json!([look()])),
                    user(&json!([failure("c1", "Tool execution was interrupted."), text("and then?")])),
                ]),
                messages(&[user(&json!([text("go"), text("and then?")]))]),
            ],
            wrong: vec![
                messages(&[
                    go(),
                    assistant(&json!([look()])),
                    user(&json!([result("c1", "OK, deleted."), text("and then?")])),
                ]),
                messages(&[
                    go(),
                    assistant(&json!([look()])),
                    user(&json!([failure("c1", "no such file"), text("and then?")])),
                ]),
                messages(&[user(&json!("go"))]),
            ],
        },
        Example {
            outcomes: &[Outcome::MarkedText],
            input: messages(&[go(), chat_result("c9", "stale line"), then()]),
            right: vec![
                messages(&[user(&json!([text("go"), text("and then?")]))]),
                messages(&[user(&json!([
                    text("go"),
                    text("[orphaned tool result c9] stale line"),
                    text("and then?")
                ]))]),
                messages(&[user(&json!("go")), assistant(&json!("[Tool result: stale line]")), then()]),
                messages(&[user(&json!("go\n\nTool result without a matching call:\nstale line\n\nand then?"))]),
            ],
            wrong: vec![
                messages(&[user(&json!([text("go"), text("stale line"), text("and then?")]))]),
                messages(&[user(&json!([
                    text("go"),
                    text("[orphaned tool result c9] stale line deleted"),
                    text("and then?")
                ]))]),
                messages(&[user(&json!([text("go"), text("[orphaned tool result c9] stale line")]))]),
                json!({"system": "[tool result] stale line", "messages": [user(&json!([text("go"), text("and then?")]))]}),
            ],
        },
        Example {
            outcomes: &[Outcome::OtherResult],
            input: messages(&[
                go(),
                chat_call("c1", "look", r#"{"path":"a.txt"}"#),
                chat_result("c1", "first line"),
                chat_result("c1", "second line"),
                then(),
            ]),
            right: ["first line", "second line", "first line\nsecond line", "first line\n\nsecond line"]
                .iter()
                .map(|said| answered(said))
                .collect(),
            wrong: ["third line", "first line\nthird line", ""].iter().map(|said| answered(said)).collect(),
        },
        Example {
            outcomes: &[Outcome::AnyName, Outcome::PairLeftOut],
            input: messages(&[go(), chat_call("c1", "", r#"{"path":"a.txt"}"#), chat_result("c1", "alpha"), then()]),
            right: vec![
                messages(&[
                    go(),
                    assistant(&json!([call("c1", "unknown", &json!({"path": "a.txt"}))])),
                    user(&json!([result("c1", "alpha"), text("and then?")])),
                ]),
                messages(&[user(&json!([text("go"), text("and then?")]))]),
            ],
            wrong: vec![
                messages(&[
                    go(),
                    assistant(&json!([call("c1", "unknown", &json!({}))])),
                    user(&json!([result("c1", "alpha"), text("and then?")])),
                ]),
                messages(&[
                    go(),
                    assistant(&json!([call("c1", "unknown", &json!({"path": "a.txt"}))])),
                    user(&json!([result("c1", "beta"), text("and then?")])),
                ]),
            ],
        },
        Example {
            outcomes: &[Outcome::TurnsJoined],
            input: messages(&[
                go(),
                chat_call("c1", "look", r#"{"path":"a.txt"}"#),
                chat_call("c2", "list", "{}"),
                chat_result("c1", "alpha"),
                chat_result("c2", "beta"),
                then(),
            ]),
            right: vec![messages(&[
                go(),
                assistant(&json!([look(), call("c2", "list", &json!({}))])),
                user(&json!([result("c1", "alpha"), result("c2", "beta"), text("and then?")])),
            ])],
            wrong: vec![messages(&[
                go(),
                assistant(&json!([look(), call("c2", "list", &json!({}))])),
                user(&json!([result("c1", "beta"), result("c2", "alpha"), text("and then?")])),
            ])],
        },
    ]
}

fn content() -> Vec<Example> {
    let go = || user(&json!("go"));
    let broken_image = json!({"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}]});
    vec![
        Example {
            outcomes: &[Outcome::MediaLeftOut],
            input: messages(&[broken_image]),
            right: vec![
                messages(&[user(&json!("see"))]),
                messages(&[user(&json!([text("see"), text("[image omitted: invalid data]")]))]),
                messages(&[user(&json!([text("see"), text("(image/png, no data)")]))]),
            ],
            wrong: vec![
                messages(&[user(&json!([text("see"), text("[image: a cat]")]))]),
                messages(&[user(&json!([
                    text("see"),
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
                ]))]),
                messages(&[user(&json!([text("[image omitted: invalid data]")]))]),
            ],
        },
        Example {
            outcomes: &[Outcome::Text],
            input: messages(&[user(&json!([{"type": "text", "text": "see"}, {"type": "mood", "value": "cheerful"}]))]),
            right: vec![
                messages(&[user(&json!([text("see"), text(r#"{"type":"mood","value":"cheerful"}"#)]))]),
                messages(&[user(&json!([text("see"), text("mood: cheerful")]))]),
                messages(&[user(&json!([text("see"), text("cheerful")]))]),
            ],
            wrong: vec![
                messages(&[user(&json!([text("see"), text("mood: gloomy")]))]),
                messages(&[user(&json!([text("mood: cheerful")]))]),
                messages(&[user(&json!([text("see")]))]),
            ],
        },
        Example {
            outcomes: &[Outcome::Replaced],
            input: json!({"messages": [{"role": "user", "content": "REPLACE cut"}]}),
            right: vec![
                messages(&[user(&json!("\u{FFFD} cut"))]),
                messages(&[user(&json!("? cut"))]),
                messages(&[user(&json!("cut"))]),
            ],
            wrong: vec![messages(&[user(&json!("x cut"))]), messages(&[user(&json!("\u{FFFD}"))])],
        },
        Example {
            outcomes: &[Outcome::RawArguments],
            input: messages(&[go(), chat_call("c1", "look", "{\"path\":\"a.t"), chat_result("c1", "alpha")]),
            right: vec![messages(&[
                go(),
                assistant(&json!([call("c1", "look", &json!({"raw": "{\"path\":\"a.t"}))])),
                user(&json!([result("c1", "alpha")])),
            ])],
            wrong: vec![messages(&[
                go(),
                assistant(&json!([call("c1", "look", &json!({}))])),
                user(&json!([result("c1", "alpha")])),
            ])],
        },
    ]
}

fn check_example(example: &Example, from: Dialect, case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    let input = &example.input;
    for answer in &example.right {
        let judgement = judged(case, answer);
        if judgement.verdict > Verdict::Faithful {
            found.push(format!("{} {input}\n  {answer}\n  is {judgement:#?}", from.name()));
        }
    }
    for answer in &example.wrong {
        let judgement = judged(case, answer);
        if judgement.verdict != Verdict::Altered {
            found.push(format!(
                "{} {input}\n  {answer}\n  is {} and not altered",
                from.name(),
                judgement.verdict.name()
            ));
        }
    }
    found
}

#[test]
fn other_repairs_pass_and_other_meanings_do_not() {
    let mut found = Vec::new();
    let mut outcomes: BTreeSet<Outcome> = BTreeSet::new();
    for example in pairing().iter().chain(&content()) {
        outcomes.extend(example.outcomes);
        let mut case = case(Dialect::OpenAiChat, &example.input);
        if example.outcomes == [Outcome::Replaced] {
            let text = example.input.to_string().replace("REPLACE", "\\ud83d");
            let canonical =
                json!({"messages": [{"role": "user", "content": [{"type": "text", "text": "\u{FFFD} cut"}]}]});
            let file = format!(
                r#"{{"id":"fixture","title":"T.","class":"encoding","source":["owner/repo#1"],"from":"openai.chat","input":{text},
                "expect":{{"canonical":{canonical},"repairs":[{{"rule":"lone-surrogate","in":"/messages/0/content"}}]}},"since":"0.1.0"}}"#
            );
            case = case::parse("fixture", file.as_bytes()).expect("a case");
        }
        found.extend(check_example(example, Dialect::OpenAiChat, &case));
    }
    for example in stored() {
        outcomes.extend(example.outcomes);
        found.extend(check_example(&example, Dialect::OpenClaw, &case(Dialect::OpenClaw, &example.input)));
    }
    assert!(found.is_empty(), "{} answers:\n{}", found.len(), found.join("\n"));
}

/// A case may accept fewer outcomes than its broken rules have.
#[test]
fn a_case_narrows_the_outcomes() {
    let examples = pairing();
    let is_of_results = |example: &&Example| example.outcomes == [Outcome::OtherResult];
    let example = examples.iter().find(is_of_results).expect("results of one call");
    let mut case = case(Dialect::OpenAiChat, &example.input);
    let verdicts =
        |case: &Case| -> Vec<Verdict> { example.right.iter().map(|answer| judged(case, answer).verdict).collect() };
    // The first answer has the result of the case, and the others do not.
    case.expect.outcomes = Some(vec![Outcome::MarkedText.id().to_owned()]);
    assert_eq!(verdicts(&case), [Verdict::Faithful, Verdict::Altered, Verdict::Altered, Verdict::Altered]);
    case.expect.outcomes = Some(vec![Outcome::OtherResult.id().to_owned()]);
    assert_eq!(verdicts(&case), [Verdict::Faithful; 4]);
}

/// Faults of stored transcripts.
fn stored() -> Vec<Example> {
    let go = || user(&json!("go"));
    let stored_call = |extra: Value| {
        let mut call = json!({"type": "toolCall", "id": "c1", "name": "look", "arguments": {"path": "a.txt"}});
        call.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        call
    };
    let look = || call("c1", "look", &json!({"path": "a.txt"}));
    let stored_go = || json!({"role": "user", "content": [{"type": "text", "text": "go"}]});
    let stored_then = || json!({"role": "user", "content": [{"type": "text", "text": "and then?"}]});
    vec![
        Example {
            outcomes: &[Outcome::CallKept],
            input: messages(&[
                stored_go(),
                json!({"role": "assistant", "content": [{"type": "text", "text": "wait"}, stored_call(json!({"partialJson": "{\"path\""}))]}),
                stored_then(),
            ]),
            right: vec![
                messages(&[go(), assistant(&json!("wait")), user(&json!("and then?"))]),
                messages(&[
                    go(),
                    assistant(&json!([text("wait"), look()])),
                    user(&json!([failure("c1", "Tool execution was interrupted."), text("and then?")])),
                ]),
            ],
            wrong: vec![
                messages(&[
                    go(),
                    assistant(&json!([text("wait"), look()])),
                    user(&json!([result("c1", "deleted"), text("and then?")])),
                ]),
                messages(&[
                    go(),
                    assistant(&json!([text("wait"), call("c1", "look", &json!({"path": "b.txt"}))])),
                    user(&json!([failure("c1", "Tool execution was interrupted."), text("and then?")])),
                ]),
            ],
        },
        Example {
            outcomes: &[Outcome::TurnLeftOut],
            input: messages(&[
                stored_go(),
                json!({"role": "assistant", "stopReason": "error", "content": [{"type": "text", "text": "wait"}, stored_call(json!({}))]}),
                stored_then(),
            ]),
            right: vec![
                messages(&[go(), assistant(&json!("wait")), user(&json!("and then?"))]),
                messages(&[user(&json!([text("go"), text("and then?")]))]),
            ],
            wrong: vec![
                messages(&[user(&json!("go"))]),
                messages(&[go(), assistant(&json!("what?")), user(&json!("and then?"))]),
            ],
        },
        Example {
            outcomes: &[Outcome::AnyFlag],
            input: messages(&[
                stored_go(),
                json!({"role": "assistant", "content": [stored_call(json!({}))]}),
                json!({"role": "toolResult", "toolCallId": "c1", "toolName": "look", "isError": "yes", "content": [{"type": "text", "text": "alpha"}]}),
            ]),
            right: vec![
                messages(&[go(), assistant(&json!([look()])), user(&json!([result("c1", "alpha")]))]),
                messages(&[go(), assistant(&json!([look()])), user(&json!([failure("c1", "alpha")]))]),
            ],
            wrong: vec![messages(&[go(), assistant(&json!([look()])), user(&json!([result("c1", "beta")]))])],
        },
    ]
}

#[test]
fn the_specification_has_the_table() {
    let mut text = String::from("| rule | acceptable beside the outcome of part 4 or 5 |\n|---|---|\n");
    let mut rows: Vec<_> = TABLE.iter().collect();
    rows.sort_by_key(|row| row.rule.id);
    for row in rows {
        let outcomes: Vec<String> = row.outcomes.iter().map(|outcome| format!("`{}`", outcome.id())).collect();
        let outcomes = if outcomes.is_empty() { "none".to_owned() } else { outcomes.join(" ") };
        let _ = writeln!(text, "| `{}` | {outcomes} |", row.rule.id);
    }
    let mut meanings = String::from("| outcome | meaning |\n|---|---|\n");
    for outcome in Outcome::ALL {
        let _ = writeln!(meanings, "| `{}` | {} |", outcome.id(), outcome.statement());
    }
    let spec = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../SPEC.md")).expect("SPEC.md");
    for table in [&meanings, &text] {
        assert!(spec.contains(table), "SPEC.md, part 11, must have:\n{table}");
    }
}
