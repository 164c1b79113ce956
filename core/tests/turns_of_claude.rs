//! Turns of Claude: the order of calls and results that its servers take, and whose signatures they know.

mod told;

use told::{PICTURE, broken, fixed};

const CALL: &str = r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#;
const OTHER: &str = r#"{"type":"tool_use","id":"b","name":"f","input":{}}"#;
const SEARCH: &str = r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#;
const FOUND: &str = r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#;
const WORDS: &str = r#"{"type":"text","text":"words"}"#;
const THOUGHT: &str = r#"{"type":"thinking","thinking":"hm","signature":"EqQB"}"#;

/// A turn of these blocks, whose calls are answered in this order.
fn turn(blocks: &[&str], answers: &[&str]) -> String {
    let result = |id: &&str| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"r"}}"#);
    format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{}]}},{{"role":"user","content":[{}]}}]}}"#,
        blocks.join(","),
        answers.iter().map(result).collect::<Vec<_>>().join(",")
    )
}

/// SPEC.md, W2.
#[test]
fn calls_of_the_client_stand_behind_results_of_the_server() {
    let rule = "call-before-server-result";
    for (blocks, mended, many) in [
        (vec![WORDS, CALL, SEARCH, FOUND], vec![WORDS, SEARCH, FOUND, CALL], 1),
        (vec![CALL, SEARCH, WORDS, OTHER, FOUND, WORDS], vec![SEARCH, WORDS, FOUND, CALL, OTHER, WORDS], 2),
        // Reasoning stays where it was signed, and no call passes it.
        (vec![CALL, THOUGHT, OTHER, SEARCH, FOUND], vec![CALL, THOUGHT, SEARCH, FOUND, OTHER], 1),
    ] {
        let answers: Vec<_> =
            ["a", "b"].into_iter().filter(|id| blocks.concat().contains(&format!(r#""id":"{id}""#))).collect();
        let request = turn(&blocks, &answers);
        for target in ["anthropic.messages", "anthropic"] {
            assert_eq!(broken(target, &request), vec![rule; many], "{request}");
            assert_eq!(fixed("anthropic.messages", target, &request), (turn(&mended, &answers), vec![rule; many]));
        }
    }
    // An open call of the server's, or words, may stand behind a call.
    for blocks in [[CALL, SEARCH], [CALL, WORDS]] {
        let request = turn(&blocks, &["a"]);
        assert_eq!(fixed("anthropic.messages", "anthropic", &request), (request, vec![]));
    }
}

#[test]
fn a_result_keeps_its_picture_where_its_call_moves() {
    let source = format!(r#"{{"type":"base64","media_type":"image/png","data":"{PICTURE}"}}"#);
    let shown = format!(r#""content":[{{"type":"image","source":{source}}}]"#);
    let with_picture = |request: String| request.replace(r#""content":"r""#, &shown);
    let request = with_picture(turn(&[CALL, SEARCH, FOUND], &["a"]));
    let mended = with_picture(turn(&[SEARCH, FOUND, CALL], &["a"]));
    assert_eq!(fixed("anthropic.messages", "anthropic", &request), (mended, vec!["call-before-server-result"]));
}

/// SPEC.md, W1.
#[test]
fn what_claude_signed_goes_between_its_servers() {
    let anthropic = turn(&[THOUGHT, CALL], &["a"]);
    let bedrock = r#"{"messages":[{"role":"user","content":[{"text":"go"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"EqQB"}}},{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}}]}]}"#;
    for (from, to, request, goes) in [
        ("bedrock.converse", "anthropic", bedrock, true),
        ("bedrock.converse", "anthropic.messages", bedrock, true),
        ("bedrock.converse", "openai", bedrock, false),
        ("anthropic.messages", "bedrock-claude", &*anthropic, true),
        ("anthropic.messages", "bedrock", &*anthropic, false),
        ("anthropic.messages", "bedrock.converse", &*anthropic, false),
    ] {
        for (request, goes) in [
            (request.to_owned(), goes),
            // What nobody signed, and what is sealed.
            (request.replace(r#","signature":"EqQB""#, ""), false),
            (
                request
                    .replace(THOUGHT, r#"{"type":"redacted_thinking","data":"EqQB"}"#)
                    .replace(r#"{"reasoningText":{"text":"hm","signature":"EqQB"}}"#, r#"{"redactedContent":"EqQB"}"#),
                false,
            ),
        ] {
            let (text, rules) = fixed(from, to, &request);
            assert_eq!(text.contains(r#""signature":"EqQB""#), goes, "{from} to {to}: {text}");
            assert_eq!(rules.contains(&"thinking-left-out"), !goes, "{from} to {to}: {rules:?}");
        }
    }
}

/// SPEC.md, R12.
#[test]
fn results_stay_in_any_order_where_ids_tell_them_apart() {
    let request = turn(&[CALL, OTHER], &["b", "a"]);
    assert_eq!(fixed("anthropic.messages", "anthropic", &request), (request.clone(), vec![]));
    let (text, rules) = fixed("anthropic.messages", "openai", &request);
    assert_eq!(rules, ["parallel-results-out-of-order"]);
    assert!(text.find(r#""tool_call_id":"a""#) < text.find(r#""tool_call_id":"b""#), "{text}");
    // Where one must move, they are put in order.
    let late = request.replace(
        r#"{"role":"user","content":[{"type":"tool_result","#,
        r#"{"role":"user","content":[{"type":"text","text":"so"},{"type":"tool_result","#,
    );
    let (text, rules) = fixed("anthropic.messages", "anthropic", &late);
    assert_eq!(rules, ["tool-result-displaced"; 2]);
    assert!(text.find(r#""tool_use_id":"a""#) < text.find(r#""tool_use_id":"b""#), "{text}");
    let items = |order: [&str; 2]| {
        let call = |id: &str| format!(r#"{{"type":"function_call","call_id":"{id}","name":"f","arguments":"{{}}"}}"#);
        let output = |id: &str| format!(r#"{{"type":"function_call_output","call_id":"{id}","output":"r"}}"#);
        let all = [call("a"), call("b"), output(order[0]), output(order[1])];
        format!(r#"{{"input":[{{"role":"user","content":"go"}},{}]}}"#, all.join(","))
    };
    let request = items(["b", "a"]);
    assert_eq!(fixed("openai.responses", "openai-responses", &request), (request, vec![]));
}
