//! Turns of Claude: the order of calls and results that its servers take, and whose signatures they know.

use crate::told::{PICTURE, broken, fixed};

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

/// SPEC.md, R43: a document holds texts and pictures; what else stands in it is mended as it would be in a message.
#[test]
fn what_a_document_holds_is_texts_and_pictures() {
    let image = |source: &str| format!(r#"{{"type":"image","source":{source}}}"#);
    let bytes =
        |kind: &str, data: &str| image(&format!(r#"{{"type":"base64","media_type":"{kind}","data":"{data}"}}"#));
    let said = |words: &str| format!(r#"{{"type":"text","text":"{words}"}}"#);
    let picture = bytes("image/png", PICTURE);
    let cases: Vec<(String, String, &str)> = vec![
        ("null".into(), String::new(), "unknown-block"),
        (r#"" ""#.into(), String::new(), "unknown-block"),
        (r#""words""#.into(), said("words"), "unknown-block"),
        ("7".into(), said("7"), "unknown-block"),
        (r#"["a"]"#.into(), said(r#"[\"a\"]"#), "unknown-block"),
        (r#"{"source":"text","text":"T"}"#.into(), said(r#"{\"source\":\"text\",\"text\":\"T\"}"#), "unknown-block"),
        (r#"{"text":"T"}"#.into(), said("T"), "foreign-block-shape"),
        (r#"{"type":"input_text","text":"T"}"#.into(), said("T"), "foreign-block-shape"),
        (r#"{"type":"text","text":" "}"#.into(), String::new(), "blank-text"),
        (r#"{"type":"text","text":7}"#.into(), said(r#"{\"type\":\"text\",\"text\":7}"#), "text-not-a-string"),
        (r#"{"type":"text"}"#.into(), said(r#"{\"type\":\"text\"}"#), "text-not-a-string"),
        (r#"{"type":7}"#.into(), said(r#"{\"type\":7}"#), "unknown-block"),
        (r#"{"type":"poem"}"#.into(), said(r#"{\"type\":\"poem\"}"#), "unknown-block"),
        (r#"{"type":"document"}"#.into(), said(r#"{\"type\":\"document\"}"#), "block-in-wrong-role"),
        (r#"{"type":"tool_use"}"#.into(), said(r#"{\"type\":\"tool_use\"}"#), "block-in-wrong-role"),
        (r#"{"type":"image"}"#.into(), said(r#"{\"type\":\"image\"}"#), "image-without-data"),
        (
            image(r#"{"type":"url"}"#),
            said(r#"{\"type\":\"image\",\"source\":{\"type\":\"url\"}}"#),
            "foreign-block-shape",
        ),
        (bytes("image/png", ""), said("[wirecanon: image left out: no data (image/png)]"), "image-without-data"),
        (
            bytes("image/png", "?"),
            said("[wirecanon: image left out: data is not base64 (image/png)]"),
            "image-data-not-base64",
        ),
        (
            bytes("image/png", "YWJj"),
            said("[wirecanon: image left out: not a picture (image/png)]"),
            "image-not-an-image",
        ),
        (
            bytes("image/bmp", "Qk0AAAAAAAAAAA=="),
            said("[wirecanon: image left out: the target does not take this kind (image/bmp)]"),
            "image-type-not-accepted",
        ),
        (bytes("image/gif", PICTURE), picture.clone(), "image-type-mismatch"),
        (bytes("", PICTURE), picture.clone(), "image-type-missing"),
        (bytes("image/png", PICTURE.trim_end_matches('=')), picture.clone(), "image-base64-not-canonical"),
        (bytes("image/png", &format!("data:image/png;base64,{PICTURE}")), picture.clone(), "image-data-url-prefix"),
    ];
    let document = |held: &str| format!(r#"{{"type":"document","source":{{"type":"content","content":{held}}}}}"#);
    let in_user = |held: &str| format!(r#"{{"messages":[{{"role":"user","content":[{}]}}]}}"#, document(held));
    let in_result =
        |held: &str| turn(&[CALL], &["a"]).replace(r#""content":"r""#, &format!(r#""content":[{}]"#, document(held)));
    for request in [&in_user as &dyn Fn(&str) -> String, &in_result] {
        for (item, mended, rule) in &cases {
            let behind = if mended.is_empty() { String::new() } else { format!(",{mended}") };
            let (broken, mended) = (format!("[{WORDS},{item}]"), format!("[{WORDS}{behind}]"));
            assert_eq!(fixed("anthropic.messages", "anthropic", &request(&broken)), (request(&mended), vec![*rule]));
        }
        let whole =
            request(&format!("[{WORDS},{picture},{}]", image(r#"{"type":"url","url":"https://example.org/a"}"#)));
        assert_eq!(fixed("anthropic.messages", "anthropic", &whole), (whole, vec![]));
        let (alone, list) = (request(WORDS), request(&format!("[{WORDS}]")));
        assert_eq!(fixed("anthropic.messages", "anthropic", &alone), (list, vec!["content-not-a-list"]));
        for nothing in ["null", "7", "true"] {
            assert_eq!(fixed("anthropic.messages", "anthropic", &request(nothing)).1, ["file-without-data"]);
        }
    }
}

#[test]
fn reasoning_behind_an_item_that_is_not_sent_goes_with_it_in_the_turn_that_is_open() {
    let seal = "EqQBCkYIBRgCKkDv5p1hQ2x0c2lnbmF0dXJlLWZvci10ZXN0cy1vbmx5Eg==";
    let thinking = |words: &str| format!(r#"{{"type":"thinking","thinking":"{words}","signature":"{seal}"}}"#);
    let search = r#"{"type":"server_tool_use","id":"srvtoolu_ts","name":"tool_search_tool_regex","input":{"pattern":"x"}},{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_ts","content":{"type":"tool_search_tool_search_result","tool_references":[]}}"#;
    let request = |blocks: &str, behind: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{blocks},{{"type":"tool_use","id":"toolu_b","name":"book","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_b","content":"booked"}}]}}{behind}]}}"#
        )
    };
    let both = format!("{},{search},{}", thinking("first"), thinking("second"));
    let over = r#",{"role":"assistant","content":"done"},{"role":"user","content":"and?"}"#;
    for (blocks, behind, kept) in [
        (&*both, "", [true, false]),
        (&*both, over, [true, true]),
        (&*format!("{},{}", thinking("first"), thinking("second")), "", [true, true]),
        (&*format!("{search},{},{}", thinking("first"), thinking("second")), "", [true, true]),
    ] {
        let (text, _) = fixed("anthropic.messages", "bedrock-claude", &request(blocks, behind));
        assert_eq!(["first", "second"].map(|words| text.contains(words)), kept, "{text}");
        let home = request(blocks, behind);
        assert_eq!(fixed("anthropic.messages", "anthropic", &home).0, home);
    }
}
