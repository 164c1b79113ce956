//! Calls and results in odd forms that must not vanish on the way.

use crate::told::fixed;

/// Asserts what the output holds, and what it does not hold.
fn assert_said(from: &str, to: &str, input: &str, said: &[&str], not: &[&str]) -> Vec<&'static str> {
    let (text, rules) = fixed(from, to, input);
    for words in said {
        assert!(text.contains(words), "{from} to {to}: {words} is not in {text}");
    }
    for words in not {
        assert!(!text.contains(words), "{from} to {to}: {words} is in {text}");
    }
    rules
}

#[test]
fn the_second_call_of_an_id_is_a_call_of_its_own() {
    let turn = |first: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":null,"tool_calls":[{first},{{"id":"a","type":"function","function":{{"name":"g","arguments":"{{\"y\":2}}"}}}}]}},{{"role":"tool","tool_call_id":"a","content":"R1"}}]}}"#
        )
    };
    let function = r#""function":{"name":"f","arguments":"{\"x\":1}"}"#;
    for more in ["", r#","type":null"#, r#","type":"""#, r#","type":5"#, r#","index":0"#, r#","type":"function""#] {
        let rules = assert_said(
            "openai.chat",
            "openai",
            &turn(&format!(r#"{{"id":"a",{function}{more}}}"#)),
            &[r#""name":"f""#, r#""name":"g""#, "a_2", "R1"],
            &[],
        );
        assert!(rules.contains(&"duplicate-tool-call-id"), "{more}: {rules:?}");
    }
    // An item that is nothing but the id of the next one is no call.
    let rules =
        assert_said("openai.chat", "openai", &turn(r#"{"id":"a"}"#), &[r#""name":"g""#, "R1"], &["a_2", "unnamed"]);
    assert_eq!(rules, ["streaming-marker"]);
}

#[test]
fn results_stay_with_the_step_that_called() {
    let request = |item: &str| {
        format!(
            r#"{{"input":[{{"role":"user","content":"q"}},{{"type":"function_call","call_id":"c1","name":"f","arguments":"{{}}"}},{item},{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"wait","annotations":[]}}]}},{{"type":"function_call_output","call_id":"c1","output":"FR"}},{{"role":"user","content":"next"}}]}}"#
        )
    };
    let mcp = r#"{"type":"mcp_call","id":"mcp_1","server_label":"s","name":"x","arguments":"{}","output":"MR"}"#;
    let shell = r#"{"type":"shell_call","call_id":"s1","action":{"commands":["ls"]}},{"type":"shell_call_output","call_id":"s1","output":[{"stdout":"MR","stderr":"","outcome":{"type":"exit","exit_code":0}}]}"#;
    for item in [mcp, shell] {
        for target in ["openai", "mistral", "anthropic", "gemini-3", "bedrock-claude", "ai-sdk.ui", "openviking"] {
            let (text, _) = fixed("openai.responses", target, &request(item));
            assert!(text.contains("FR") && text.contains("MR") && !text.contains("no result was recorded"), "{text}");
            assert!(text.find("FR") < text.find("wait"), "{target}: {text}");
            let dialect = wirecanon_core::Target::by_name(target).unwrap().dialect.name();
            assert_eq!(fixed(dialect, target, &text).0, text, "{target}");
        }
    }
}

#[test]
fn a_call_in_another_spelling_keeps_its_id_and_its_result() {
    let call = r#"{"input":[{"role":"user","content":"q"},{"type":"toolCall","id":"fc_1","call_id":"c1","name":"f","arguments":"{}"@},{"type":"function_call_output","call_id":"c1","output":"FR"}]}"#;
    for more in ["", r#","status":5"#, r#","namespace":5"#, r#","caller":true"#, r#","status":null"#] {
        let input = call.replace('@', more);
        assert_said("openai.responses", "openai-responses", &input, &[r#""call_id":"c1""#, "FR"], &["no result", "5}"]);
    }
    let tool = r#"{"messages":[{"role":"user","parts":[{"type":"text","text":"q"}]},{"role":"assistant","parts":[{"type":"tool_use","id":"c1","name":"f","input":{}@}]}]}"#;
    for more in [r#","tool_output":"FR","tool_status":"completed""#, r#","output":"FR","status":"completed""#] {
        for target in ["openai", "openviking"] {
            assert_said("openviking", target, &tool.replace('@', more), &["FR", "\"f\""], &["no result"]);
        }
    }
    assert_said("openviking", "openviking", &tool.replace('@', r#","status":true"#), &["tool_status"], &["\"status\""]);
}

#[test]
fn arguments_that_a_stream_left_beside_their_call_are_its_arguments() {
    let block = |more: &str| format!(r#"{{"type":"tool_use","id":"c1","name":"f","input":{{}}{more}}}"#);
    for (dialect, talk) in [
        (
            "langchain",
            r#"[{"type":"human","content":"q"},{"type":"ai","content":[@]},{"type":"tool","content":"r","tool_call_id":"c1","name":"f"}]"#,
        ),
        (
            "anthropic.messages",
            r#"{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[@]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}]}"#,
        ),
    ] {
        let whole = talk.replace('@', &block(r#","partial_json":"{\"x\":1}""#));
        let rules = assert_said(dialect, dialect, &whole, &[r#"{"x":1}"#], &["partial_json"]);
        assert!(rules.contains(&"streaming-marker"), "{rules:?}");
        assert_said(dialect, "openai", &whole, &[r#"{\"x\":1}"#], &[]);
        // What is cut off is nobody's arguments.
        let cut = talk.replace('@', &block(r#","partial_json":"{\"x\":""#));
        assert_said(dialect, "openai", &cut, &[r#""arguments":"{}""#], &[]);
    }
}
