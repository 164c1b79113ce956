//! Texts that a program adds to conversations by itself, and results in the form of the dialect that they came from.

use wirecanon_json::{Json, Limits};
use wirecanon_model::{Dialect, Target};
use wirecanon_observe::{CompareOptions, Equivalence, Reason, compare_with, observe_for};

use crate::support::comparing::{PNG, compared};

/// Compares a canonical conversation with an answer; `input` is the dialect of the input, `adds` what the program adds.
fn reasons(expected: &str, (to, answer): (&str, &str), input: Dialect, adds: &[&str]) -> Vec<Reason> {
    let limits = Limits::default();
    let [expected, answer] = [expected, answer].map(|text| text.replace("$PNG", PNG));
    let parse = |text| Json::parse(text, &limits).unwrap_or_else(|error| panic!("{error}: {text}"));
    let (left, right) = (parse(&expected), parse(&answer));
    let target = Target::by_name(to).expect("a target");
    let left = observe_for(&left, Dialect::Canonical, target.dialect).expect("a conversation");
    let right = observe_for(&right, target.dialect, Dialect::Canonical).expect("an answer");
    let adds: Vec<String> = adds.iter().map(|text| (*text).to_owned()).collect();
    let mut options = CompareOptions::new(target);
    options.input = Some(input);
    options.adds = &adds;
    let comparison = compare_with(&left, &right, options);
    let is_added = comparison.equivalences.contains(&Equivalence::AddedText);
    assert!(is_added <= !adds.is_empty(), "{comparison:?}");
    comparison.differences.iter().map(|difference| difference.reason).collect()
}

const SHOWN: &str = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},
    {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"show","arguments":"{}"}]},
    {"role":"toolResult","toolCallId":"c1","toolName":"show","isError":false,"content":[{"type":"text","text":"a tree"},
    {"type":"image","data":"$PNG","mimeType":"image/png"}]},
    {"role":"assistant","content":[{"type":"text","text":"I see it."}]}]}"#;

/// A conversation with a result and what stands behind it, in the format of Chat Completions.
fn chat(result: &str, behind: &str) -> String {
    let result = wirecanon_json::quote(result);
    format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[
        {{"id":"c1","type":"function","function":{{"name":"show","arguments":"{{}}"}}}}]}},
        {{"role":"tool","tool_call_id":"c1","content":{result}}},{behind}{{"role":"assistant","content":"I see it."}}]"#
    )
}

const IMAGE: &str =
    r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]},"#;

#[test]
fn texts_that_a_program_adds_may_stand_anywhere() {
    let note = r#"{"role":"system","content":"Images of tools follow them."},"#;
    let last = r#"[{"role":"user","content":"go"},{"role":"assistant","content":"done"},{"role":"user","content":"Carry on, or stop."}]"#;
    let done = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"text","text":"done"}]}]}"#;
    let openai = Dialect::OpenAiChat;
    let between = chat("a tree", &format!("{note}{IMAGE}"));
    assert!(!compared(("canonical", SHOWN), ("openai", &between)).is_same());
    let with = |adds: &[&str]| reasons(SHOWN, ("openai", &between), openai, adds);
    assert_eq!(with(&["Images of tools follow them."]), []);
    assert!(with(&["Images of tools"]).contains(&Reason::TextInvented));
    assert!(with(&[]).contains(&Reason::TextInvented));
    assert_eq!(reasons(done, ("openai", last), openai, &["Carry on, or stop."]), []);
    assert_eq!(reasons(done, ("openai", last), openai, &[]), [Reason::TextInvented]);
    // What was said is not added.
    let repeated =
        r#"[{"role":"user","content":"go"},{"role":"assistant","content":"done"},{"role":"user","content":"done"}]"#;
    assert_eq!(reasons(done, ("openai", repeated), openai, &["done"]), []);
    let missing = r#"[{"role":"user","content":"go"}]"#;
    assert_eq!(reasons(done, ("openai", missing), openai, &["done"]), [Reason::TextMissing]);
}

#[test]
fn a_result_may_stay_the_object_that_the_input_has() {
    let wrapped = chat(r#"{"output": "a tree"}"#, IMAGE);
    assert_eq!(reasons(SHOWN, ("openai", &wrapped), Dialect::GeminiContents, &[]), []);
    assert!(reasons(SHOWN, ("openai", &wrapped), Dialect::OpenAiChat, &[]).contains(&Reason::ResultChanged));
    let other = chat(r#"{"output": "a bush"}"#, IMAGE);
    assert!(reasons(SHOWN, ("openai", &other), Dialect::GeminiContents, &[]).contains(&Reason::ResultChanged));
    let beside = chat(r#"{"output": "a tree", "cached": true}"#, IMAGE);
    assert!(reasons(SHOWN, ("openai", &beside), Dialect::GeminiContents, &[]).contains(&Reason::ResultChanged));
}
