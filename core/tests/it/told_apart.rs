//! What is told apart by one thing alone: pairs of inputs of which one is that, and the other is not.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::dialect::detect;
use wirecanon_core::json::{Json, Limits};

const SCHEMA: &str = r#"{"type":"object","title":"t","properties":{}}"#;

#[test]
fn definitions_of_tools_have_their_schema_under_the_name_of_the_dialect() {
    let input = r#"{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"read","description":"d","parameters":{"type":"object","title":"t","properties":{}}}}]}"#;
    for (target, written) in [
        ("anthropic.messages", format!(r#""tools":[{{"name":"read","description":"d","input_schema":{SCHEMA}}}]"#)),
        ("mcp.sampling", format!(r#""tools":[{{"name":"read","description":"d","inputSchema":{SCHEMA}}}]"#)),
        (
            "openai.responses",
            format!(r#""tools":[{{"name":"read","description":"d","parameters":{SCHEMA},"type":"function"}}]"#),
        ),
        (
            "gemini.contents",
            format!(
                r#""tools":[{{"functionDeclarations":[{{"name":"read","description":"d","parameters":{SCHEMA}}}]}}]"#
            ),
        ),
        (
            "bedrock.converse",
            format!(
                r#""toolConfig":{{"tools":[{{"toolSpec":{{"name":"read","description":"d","inputSchema":{{"json":{SCHEMA}}}}}}}]}}"#
            ),
        ),
    ] {
        let text = fixed("openai.chat", target, input).0;
        assert!(text.contains(&written), "{target}: {text}");
        // And it is found there.
        let again = fixed(target, "openai.chat", &text).0;
        assert!(again.contains(SCHEMA), "{target}: {again}");
    }
}

const DOCUMENT: &str = "the document that it stands in";

#[test]
fn the_strongest_sign_is_one_of_a_message_where_there_is_one() {
    let sign = |input: &str| {
        let json = Json::parse(input, &Limits::default()).unwrap();
        detect(&json)[0].sign
    };
    assert_eq!(sign(r#"{"input":[{"role":"user","content":"hi"}],"instructions":"x"}"#), DOCUMENT);
    let shown =
        sign(r#"{"input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}],"instructions":"x"}"#);
    assert_ne!(shown, DOCUMENT);
    // Nothing says anything.
    assert_ne!(sign(r#"[{"role":"user","content":"hi"}]"#), DOCUMENT);
}

#[test]
fn why_a_tool_was_denied_is_a_text() {
    let history = |reason: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"f","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c","toolName":"f","output":{{"type":"execution-denied"{reason}}}}}]}}]"#
        )
    };
    let (text, rules) = fixed("ai-sdk.model", "ai-sdk.model", &history(r#","reason":5"#));
    assert_eq!((text, rules), (history(""), vec!["member-of-wrong-type"]));
    let sound = history(r#","reason":"not now""#);
    assert_eq!(fixed("ai-sdk.model", "ai-sdk.model", &sound), (sound, vec![]));
}

#[test]
fn members_of_reasoning_and_files_are_nothing_to_other_blocks() {
    let history = |block: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},{{"role":"assistant","content":[{block}]}}]}}"#
        )
    };
    let thinking = history(r#"{"type":"thinking","thinking":"hm","signature":5},{"type":"text","text":"a"}"#);
    assert!(fixed("canonical", "canonical", &thinking).1.contains(&"member-of-wrong-type"));
    for members in [r#""signature":5"#, r#""redacted":5"#, r#""origin":5"#, r#""name":5"#] {
        let text = history(&format!(r#"{{"type":"text","text":"a",{members}}}"#));
        let rules = fixed("canonical", "canonical", &text).1;
        assert!(!rules.contains(&"member-of-wrong-type"), "{members}: {rules:?}");
        let picture = format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"image","data":"{PICTURE}","mimeType":"image/png",{members}}}]}}]}}"#
        );
        let rules = fixed("canonical", "canonical", &picture).1;
        assert!(!rules.contains(&"member-of-wrong-type"), "{members}: {rules:?}");
    }
}

#[test]
fn what_a_result_holds_beside_blocks_is_named_as_the_dialect_names_it() {
    let history = r#"{"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"a"},{"json":{"a":1}}]}}]}]}"#;
    let (text, rules) = fixed("bedrock.converse", "openai.chat", history);
    assert!(text.contains(r#"{\"a\":1}"#), "{text}");
    assert_eq!(rules, ["native-field-left-out"]);
}

#[test]
fn what_an_application_stored_for_itself_stays() {
    let history = |role: &str| {
        format!(
            r#"[{{"role":"user","content":"a"}},{{"role":"{role}","command":"ls","output":"x"}},{{"role":"assistant","content":[{{"type":"text","text":"hi"}}]}}]"#
        )
    };
    for role in ["custom", "bashExecution", "branchSummary", "compactionSummary"] {
        assert_eq!(fixed("openclaw", "openclaw", &history(role)), (history(role), vec![]));
        assert!(fixed("canonical", "canonical", &history(role)).1.contains(&"unknown-role"), "{role}");
    }
    assert!(fixed("openclaw", "openclaw", &history("narrator")).1.contains(&"unknown-role"));
}

#[test]
fn a_second_result_for_a_call_that_was_not_looked_at_is_a_second_result() {
    let step = |at: usize| {
        format!(
            r#"{{"role":"user","content":"go {at}"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_{at}","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"call_{at}","content":"ok {at}"}},{{"role":"assistant","content":"done"}},"#
        )
    };
    let steps: String = (0..8).map(step).collect();
    let later = ["tool-result-displaced", "duplicate-tool-result"];
    for (id, rules) in [("call_2", &later[..]), ("call_9", &["orphan-tool-result"][..])] {
        let input = format!(
            r#"{{"messages":[{steps}{{"role":"user","content":"again"}},{{"role":"tool","tool_call_id":"{id}","content":"second"}},{{"role":"assistant","content":"end"}},{{"role":"user","content":"bye"}}]}}"#
        );
        assert_eq!(fixed("openai.chat", "openai.chat", &input).1, rules);
    }
}

#[test]
fn what_a_search_found_is_sealed() {
    let request = |found: &str| {
        format!(
            r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{{}}}},{{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":{found}}},{{"type":"text","text":"a"}}]}},{{"role":"user","content":"q"}}]"#
        )
    };
    for (found, rules) in [
        (r#"[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"E"}]"#, &[][..]),
        (r#"[{"type":"web_search_result","url":"u","title":"t"}]"#, &["unknown-block"]),
        (r#"{"type":"web_search_tool_result_error","error_code":"unavailable"}"#, &[]),
        ("null", &["unknown-block"]),
        (r#""words""#, &["unknown-block"]),
    ] {
        assert_eq!(broken("anthropic.messages", &request(found)), rules, "{found}");
    }
}

#[test]
fn a_stored_message_of_a_tool_says_by_nothing_that_there_was_no_output() {
    let rows = |content: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":"","parts":[{{"part_type":"tool","ordinal":0,"tool_call_id":"c","tool_name":"f","tool_input":"{{}}","metadata":"{{\"originalRole\":\"assistant\",\"rawType\":\"toolCall\"}}"}}]}},{{"role":"tool","tool_call_id":"c"{content}}}]"#
        )
    };
    for content in ["", r#","content":[]"#, r#","content":"""#] {
        let rules = fixed("lossless-claw", "lossless-claw", &rows(content)).1;
        assert!(!rules.contains(&"empty-tool-result"), "{content}: {rules:?}");
    }
}

/// A result that stands as a block, in dialects where results are messages: its calls would be those of the message.
#[test]
fn calls_in_a_block_of_a_result_are_no_calls_of_its_message() {
    use wirecanon_core::{Dialect, Options, fix};
    for (key, value) in [("tool_calls", r#""x""#), ("toolCalls", "[1]"), ("tool_calls", "[]")] {
        let block = format!(r#"{{"type":"tool-result","toolCallId":"t1","{key}":{value},"output":"ok"}}"#);
        let call = r#"{"type":"tool-call","toolCallId":"t1","toolName":"f","input":{}}"#;
        let text = format!(
            r#"{{"messages":[{{"role":"user","content":"u"}},{{"role":"assistant","content":[{call},{block}]}}]}}"#
        );
        for dialect in [Dialect::LangChain, Dialect::OpenAiChat] {
            let options = Options::new().from(dialect).as_history();
            let once = fix(text.as_bytes(), &options).expect("a transcript");
            assert!(
                value == "[]" || once.report.losses().any(|entry| entry.rule == "block-in-wrong-role"),
                "{:?}",
                once.report
            );
            let again = fix(&once.output, &options).expect("a transcript");
            assert_eq!(again.output, once.output, "{}", String::from_utf8_lossy(&once.output));
        }
    }
}
