//! Faults that mutations of the corpus found: what is written holds every rule, a second run changes nothing, and what is
//! gone is said.

use wirecanon_core::{CheckOptions, Dialect, Fixed, From, Mode, Options, Target, check, fix};

const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn run<'a>(input: &'a str, from: &str, to: &str) -> Fixed<'a> {
    let options = Options {
        from: From::Dialect(Dialect::by_name(from).unwrap()),
        to: Some(Target::by_name(to).unwrap()),
        call_id: Some("call_1".to_owned()),
        ..Options::default()
    };
    fix(input.as_bytes(), &options).unwrap()
}

/// What is written, after the judge and a second run had nothing to say of it, and the rules of its report.
fn settled(input: &str, from: &str, to: &str) -> (String, Vec<&'static str>) {
    let fixed = run(input, from, to);
    let target = Target::by_name(to).unwrap();
    let options =
        CheckOptions { target, mode: Mode::Request, fragment: false, limits: wirecanon_core::json::Limits::default() };
    let found = check(&fixed.output, &options).unwrap().violations;
    let text = String::from_utf8(fixed.output.to_vec()).unwrap();
    assert!(found.is_empty(), "{found:?} in {text}");
    let again = run(&text, target.dialect.name(), to);
    assert_eq!(String::from_utf8_lossy(&again.output), text);
    assert!(again.report.repairs.is_empty(), "{:?}", again.report.repairs);
    let entries = fixed.report.repairs.iter().chain(&fixed.report.notes);
    (text.clone(), entries.map(|entry| entry.rule).collect())
}

fn chat(rest: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_1","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}},{rest}]}}"#
    )
}

#[test]
fn two_lists_of_messages_are_one_and_the_other_is_reported_lost() {
    let input = r#"{"messages":[{"role":"user","content":"first"}],"messages":[{"role":"user","content":"second"}]}"#;
    for (dialect, written) in [
        ("openai.chat", r#"{"messages":[{"role":"user","content":"second"}]}"#),
        ("anthropic.messages", r#"{"messages":[{"role":"user","content":"second"}]}"#),
        ("ollama.chat", r#"{"messages":[{"role":"user","content":"second"}]}"#),
    ] {
        let (text, rules) = settled(input, dialect, dialect);
        assert_eq!((text.as_str(), rules), (written, vec!["duplicate-key"]));
    }
    let report = run(input, "openai.chat", "openai.chat").report;
    let entry = &report.repairs[0];
    assert!(entry.lost && report.changed);
    assert_eq!(entry.original.as_deref(), Some(r#"[{"role":"user","content":"first"}]"#));
    let same = r#"{"messages":[{"role":"user","content":"a"}],"messages":[ {"content":"a","role":"user"}]}"#;
    assert!(!run(same, "openai.chat", "openai.chat").report.repairs[0].lost);
}

#[test]
fn a_key_twice_is_one_wherever_it_stands() {
    let picture = format!(
        r#"{{"messages":[{{"role":"user","content":[{{"type":"image_url","image_url":{{"url":"x","url":"data:image/png;base64,{PICTURE}"}}}}]}}]}}"#
    );
    let (text, rules) = settled(&picture, "openai.chat", "openai");
    assert_eq!((text, rules), (picture.replace(r#""url":"x","#, ""), vec!["duplicate-key"]));
    // Arguments are what was executed.
    let call = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"read","arguments":{"a":1,"a":2}}}]},{"role":"tool","content":"x","tool_name":"read","tool_call_id":"c"}]}"#;
    assert!(settled(call, "ollama.chat", "openai.chat").0.contains(r#""arguments":"{\"a\":1,\"a\":2}""#));
}

#[test]
fn a_closed_server_gets_no_name_of_a_tool_that_it_does_not_know() {
    let input = chat(r#"{"role":"tool","tool_call_id":"call_1","tool_name":"read","content":"ok"}"#);
    for target in ["groq", "cerebras"] {
        let (text, rules) = settled(&input, "openai.chat", target);
        assert!(!text.contains("tool_name") && rules.contains(&"unknown-field"), "{text} {rules:?}");
    }
}

#[test]
fn calls_on_a_result_are_gone_and_reported() {
    let input = chat(
        r#"{"role":"tool","tool_call_id":"call_1","content":"ok","tool_calls":[{"id":"call_2","type":"function","function":{"name":"read","arguments":"{}"}}]}"#,
    );
    for dialect in ["openai.chat", "mistral.chat", "ollama.chat"] {
        let (text, rules) = settled(&input, dialect, dialect);
        assert!(!text.contains("call_2") && rules.contains(&"block-in-wrong-role"), "{text} {rules:?}");
        assert!(run(&input, dialect, dialect).report.losses().next().is_some());
    }
}

#[test]
fn calls_under_another_name_are_called_by_their_own() {
    let input = chat(r#"{"role":"tool","tool_call_id":"call_1","content":"ok"}"#).replace("tool_calls", "toolCalls");
    for (dialect, target) in
        [("openai.chat", "openai"), ("openai.chat", "groq"), ("mistral.chat", "mistral"), ("cohere.v2", "cohere")]
    {
        let (text, rules) = settled(&input, dialect, target);
        assert!(text.contains(r#""tool_calls":[{"#) && rules.contains(&"field-alias"), "{text} {rules:?}");
    }
}

#[test]
fn a_turn_of_reasoning_alone_has_content() {
    let input = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","reasoning_content":"hm"},{"role":"user","content":"and?"}]}"#;
    let (text, rules) = settled(input, "openai.chat", "openai.chat");
    assert!(text.contains(r#""content":"""#) && rules == ["content-missing"], "{text} {rules:?}");
}

#[test]
fn what_is_no_function_call_is_reported_lost() {
    let input =
        r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"a","function_call":[1]}]}"#;
    let (text, rules) = settled(input, "openai.chat", "openai");
    assert!(!text.contains("function_call") && rules == ["unknown-block"], "{text} {rules:?}");
}

#[test]
fn an_odd_name_of_a_result_does_not_stand_beside_the_true_one() {
    let input = chat(r#"{"role":"tool","tool_call_id":"call_1","name":[],"content":"ok"}"#);
    let (text, rules) = settled(&input, "mistral.chat", "mistral");
    assert_eq!(text.matches(r#""name":"#).count(), 2, "{text}");
    assert!(rules.contains(&"tool-result-name-missing"), "{rules:?}");
}

#[test]
fn reasoning_that_is_no_text_is_reported_lost() {
    let input = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"a","thinking":true}]}"#;
    let (text, rules) = settled(input, "ollama.chat", "ollama");
    assert!(!text.contains("thinking") && rules == ["text-not-a-string"], "{text} {rules:?}");
}

#[test]
fn a_signature_without_a_place_is_reported() {
    for dialect in ["openai.chat", "ollama.chat", "cohere.v2"] {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},{{"role":"assistant","content":[{{"type":"thinking","thinking":"deep","signature":"c2VhbA==","origin":"{dialect}"}},{{"type":"thinking","thinking":"","redacted":true,"signature":"c2VhbA==","origin":"{dialect}"}},{{"type":"text","text":"a"}}]}},{{"role":"user","content":[{{"type":"text","text":"and?"}}]}}]}}"#
        );
        let (text, rules) = settled(&input, "canonical", dialect);
        assert!(text.contains("deep") && !text.contains("c2VhbA"), "{text}");
        assert_eq!(rules, ["thinking-left-out", "native-field-left-out"]);
    }
}

#[test]
fn a_lone_result_and_its_pictures_are_known_again() {
    let input = format!(
        r#"{{"content":[{{"type":"text","text":"shot"}},{{"type":"image","data":"{PICTURE}","mimeType":"image/png"}}],"isError":false}}"#
    );
    for target in ["openai.chat", "groq", "mistral", "cohere", "ollama", "ollama-openai", "gemini"] {
        let (text, rules) = settled(&input, "mcp.tool-result", target);
        assert!(text.contains("shot") && text.contains(PICTURE), "{text}");
        assert!(rules.contains(&"media-in-tool-result"), "{rules:?}");
    }
}

#[test]
fn a_legacy_call_comes_back_with_a_result_of_its_own_kind() {
    let input = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"read","arguments":"{}","native":{"openai.chat":{"function_call":true}}}]}]}"#;
    let (text, _) = settled(input, "canonical", "openai");
    assert!(text.contains(r#""function_call":{"#) && text.contains(r#""role":"function""#), "{text}");
    let answered = input.replace(
        "]}]}",
        r#"]},{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{"type":"text","text":"ok"}],"isError":false}]}"#,
    );
    assert!(settled(&answered, "canonical", "openai").0.contains(r#""tool_calls":[{"#));
}

#[test]
fn an_id_that_is_cut_at_a_space_ends_before_it() {
    let id = format!("{} b", "a".repeat(39));
    let input = chat(r#"{"role":"tool","tool_call_id":"call_1","content":"ok"}"#).replace("call_1", &id);
    let (text, _) = settled(&input, "openai.chat", "openai");
    assert!(text.contains(&format!(r#""{}""#, "a".repeat(39))), "{text}");
}

#[test]
fn a_call_takes_the_name_of_its_result_without_white_space() {
    let input = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"a","tool_calls":[{"id":"c","function":{"arguments":{}}}]},{"role":"tool","content":"x","tool_name":" read ","tool_call_id":"c"}]}"#;
    let (text, rules) = settled(input, "ollama.chat", "ollama");
    assert!(text.contains(r#""tool_name":"read""#) && rules.contains(&"tool-call-without-name"), "{text} {rules:?}");
}
