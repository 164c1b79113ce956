//! Many of one kind: what would take hours if a step looked at all others takes moments.

use std::fmt::Write as _;

use wirecanon_core::{Dialect, Fixed, Options, Severity, Target, fix};

const MANY: usize = 40_000;

/// `item` for each number, with commas between.
fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for number in 0..count {
        let _ = write!(out, "{}{}", if number == 0 { "" } else { "," }, item(number));
    }
    out
}

fn fixed<'a>(text: &'a str, from: &str, to: &str) -> Fixed<'a> {
    let (dialect, target) = (Dialect::by_name(from).expect("a dialect"), Target::by_name(to).expect("a target"));
    fix(text.as_bytes(), &Options::new().from(dialect).to(target)).expect("a transcript")
}

fn count_rule(fixed: &Fixed<'_>, rule: &str) -> usize {
    fixed.report.of_rule(rule).count()
}

/// Checks that all entries together quote no more than the input holds.
fn assert_quotes_once(fixed: &Fixed<'_>, text: &str) {
    let quoted: usize = fixed.report.entries().filter_map(|entry| entry.original.as_deref()).map(str::len).sum();
    assert!(quoted <= text.len(), "{quoted} bytes are quoted of {}", text.len());
}

#[test]
fn calls_of_one_id_in_one_turn() {
    let part = r#"{"type":"tool-f","toolCallId":"a","state":"output-available","input":{},"output":"r"}"#;
    let text = format!(r#"[{{"id":"1","role":"assistant","parts":[{}]}}]"#, list(MANY, |_| part.to_owned()));
    let fixed = fixed(&text, "ai-sdk.ui", "ai-sdk.ui");
    assert_eq!(count_rule(&fixed, "duplicate-tool-call-id"), MANY - 1);
}

/// Reports go back and forth between the calls and their results.
#[test]
fn turns_of_calls_before_all_results() {
    let anthropic = (
        r#"{"role":"user","content":"q"}"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"ID","name":"f","input":{}}]}"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"ID","content":"r"}]}"#,
    );
    let bedrock = (
        r#"{"role":"user","content":[{"text":"q"}]}"#,
        r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"ID","name":"f","input":{}}}]}"#,
        r#"{"role":"user","content":[{"toolResult":{"toolUseId":"ID","content":[{"text":"r"}]}}]}"#,
    );
    for (dialect, (user, turn, result)) in [("anthropic.messages", anthropic), ("bedrock.converse", bedrock)] {
        let of = |form: &str, n: usize| form.replace("ID", &format!("c{n}"));
        let (turns, results) = (list(MANY, |n| of(turn, n)), list(MANY, |n| of(result, n)));
        let text = format!(r#"{{"messages":[{user},{turns},{results}]}}"#);
        let fixed = fixed(&text, dialect, dialect);
        assert_eq!(count_rule(&fixed, "tool-result-displaced"), MANY, "{dialect}");
        let places = fixed.report.of_rule("tool-result-displaced").filter_map(|entry| entry.output.as_deref());
        assert_eq!(places.last(), Some(&*format!("/messages/{}/content/0", 2 * MANY)), "{dialect}");
    }
}

#[test]
fn parts_of_openviking_in_any_order() {
    let part = |n: usize, rest: &str| {
        format!(r#"{{"type":"tool","tool_id":"c{n}","tool_name":"f","tool_input":{{}},{rest}}}"#)
    };
    let pending = list(MANY, |n| part(n, r#""tool_status":"pending""#));
    let done = list(MANY, |n| part(MANY - 1 - n, r#""tool_output":"r","tool_status":"completed""#));
    let text = format!(
        r#"{{"messages":[{{"role":"assistant","parts":[{pending}]}},{{"role":"assistant","parts":[{done}]}}]}}"#
    );
    let fixed = fixed(&text, "openviking", "openviking");
    let output = String::from_utf8_lossy(&fixed.output).into_owned();
    assert_eq!(output.matches(r#""tool_status":"completed""#).count(), MANY);
}

#[test]
fn texts_with_half_a_surrogate_pair_in_one_message() {
    let blocks = list(MANY, |n| format!(r#"{{"type":"text","text":"{n}\ud800"}}"#));
    let text = format!(r#"{{"messages":[{{"role":"user","content":[{blocks}]}}]}}"#);
    let fixed = fixed(&text, "anthropic.messages", "anthropic.messages");
    assert_eq!(count_rule(&fixed, "lone-surrogate"), MANY);
    assert_eq!(String::from_utf8_lossy(&fixed.output).matches(r"\ufffd").count(), MANY);
}

/// An entry quotes the value that does not count, and not the object that holds all of them.
#[test]
fn equal_keys_of_one_object() {
    for keys in [list(MANY, |n| format!(r#""k":{n}"#)), list(MANY, |n| format!(r#""k{}":{n}"#, n / 2))] {
        let text = format!(r#"{{"messages":[{{"role":"user","content":"q",{keys}}}]}}"#);
        let fixed = fixed(&text, "openai.chat", "openai.chat");
        assert!(count_rule(&fixed, "duplicate-key") >= MANY / 2);
        assert_quotes_once(&fixed, &text);
        let first = fixed.report.of_rule("duplicate-key").next().expect("an entry");
        assert_eq!(first.original.as_deref(), Some("0"));
        assert_eq!(first.input.as_deref(), Some("/messages/0"));
    }
}

/// Each list is compared with the one that counts, whatever that holds.
#[test]
fn lists_of_messages_under_one_key() {
    let lists = list(MANY, |_| r#""messages":[{}]"#.to_owned());
    let members = list(MANY, |n| format!(r#""k{n}":0"#));
    let text = format!(r#"{{{lists},"messages":[{{"role":"user","content":"q",{members}}}]}}"#);
    let fixed = fixed(&text, "openai.chat", "openai.chat");
    assert_eq!(fixed.report.losses().filter(|entry| entry.rule == "duplicate-key").count(), MANY);
    assert_quotes_once(&fixed, &text);
}

/// A definition is compared with the first of its name, whatever that holds.
#[test]
fn tools_of_one_name_whose_first_is_long() {
    let properties = list(MANY, |n| format!(r#""k{n}":{{}}"#));
    let tool = |properties: &str| {
        format!(r#"{{"name":"f","input_schema":{{"type":"object","properties":{{{properties}}}}}}}"#)
    };
    let tools = list(MANY, |n| if n == 0 { tool(&properties) } else { tool("") });
    let text = format!(r#"{{"messages":[{{"role":"user","content":"q"}}],"tools":[{tools}]}}"#);
    let fixed = fixed(&text, "anthropic.messages", "anthropic");
    assert_eq!(fixed.report.losses().filter(|entry| entry.rule == "duplicate-tool-name").count(), MANY - 1);
}

#[test]
fn tools_in_the_shape_of_another_dialect() {
    let tools = list(MANY, |n| format!(r#"{{"name":"f{n}","input_schema":{{"type":"object"}}}}"#));
    let text = format!(r#"{{"messages":[{{"role":"user","content":"q"}}],"tools":[{tools}]}}"#);
    let fixed = fixed(&text, "openai.chat", "openai.chat");
    assert_eq!(String::from_utf8_lossy(&fixed.output).matches(r#""type":"function""#).count(), MANY);
}

#[test]
fn fields_that_only_one_dialect_knows() {
    let fields = list(MANY, |n| format!(r#""k{n}":{n}"#));
    let text = format!(
        r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"q"}}],"native":{{"openai.chat":{{{fields}}}}}}}]}}"#
    );
    let last = format!(r#""k{}":{}"#, MANY - 1, MANY - 1);
    assert!(String::from_utf8_lossy(&fixed(&text, "canonical", "openai.chat").output).contains(&last));
    let text = format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"q",{fields}}}]}}]}}"#);
    assert_eq!(count_rule(&fixed(&text, "openai.chat", "gemini.contents"), "native-field-left-out"), 1);
}

#[test]
fn keys_of_the_request_that_stand_twice() {
    for (dialect, key) in [("openai.chat", "model"), ("anthropic.messages", "system"), ("bedrock.converse", "system")] {
        let value = |n: usize| {
            if dialect == "bedrock.converse" { format!(r#"[{{"text":"{n}"}}]"#) } else { format!(r#""{n}""#) }
        };
        let content = if dialect == "bedrock.converse" { r#"[{"text":"q"}]"# } else { r#""q""# };
        let rest = format!(r#""messages":[{{"role":"user","content":{content}}}]"#);
        let text = format!(r#"{{"{key}":{},"{key}":{},{rest}}}"#, value(1), value(2));
        let fixed = fixed(&text, dialect, dialect);
        assert_eq!(String::from_utf8_lossy(&fixed.output), format!(r#"{{"{key}":{},{rest}}}"#, value(2)));
        let [entry] = &fixed.report.repairs[..] else { panic!("{:?}", fixed.report) };
        assert_eq!((entry.rule, entry.original.as_deref()), ("duplicate-key", Some(&*value(1))));
        let is_list = dialect == "bedrock.converse";
        assert_eq!(entry.severity, Severity::Loss);
        let place = if is_list { format!("/{key}") } else { String::new() };
        assert_eq!(entry.input.as_deref(), Some(&*place));
    }
}

#[test]
fn lines_of_langchain() {
    let lines = |form: fn(usize) -> String| (0..MANY).map(form).collect::<Vec<_>>().join("\n");
    let text = lines(|n| format!(r#"{{"role":"user","content":"q{n}"}}"#));
    let langchain = fixed(&text, "langchain", "langchain");
    assert_eq!(String::from_utf8_lossy(&langchain.output).lines().count(), MANY);
}

#[test]
fn signed_reasoning_in_one_turn() {
    let part = |n: usize| {
        let item = format!(r#"{{"itemId":"rs_{n}","reasoningEncryptedContent":"gAAAAA{n}"}}"#);
        format!(r#"{{"type":"reasoning","text":"x","providerOptions":{{"openai":{item}}}}}"#)
    };
    let text = format!(
        r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{}]}},{{"role":"user","content":"q"}}]"#,
        list(MANY, part)
    );
    assert_eq!(String::from_utf8_lossy(&fixed(&text, "ai-sdk.model", "ai-sdk.model").output), text);
}
