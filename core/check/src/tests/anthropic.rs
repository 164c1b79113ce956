//! `anthropic.messages`, and the target `anthropic`.

use super::{broken, judge, open_ended, options, valid};
use crate::CheckOptions;
use wirecanon_model::Mode;
use wirecanon_model::target::{SystemPlace, Target};

const USER: &str = r#"{"role":"user","content":"q"}"#;
/// A turn with a call `a`.
const CALL: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
/// Its result.
const RESULT: &str = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}"#;

/// A user message, a call and its result whose content is this.
fn answered(content: &str) -> String {
    format!("[{USER},{CALL},{}]", RESULT.replace("\"r\"", content))
}

const VALID: &[&str] = &[
    r#"{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"model":"m","max_tokens":1,"messages":[{"role":"user","content":"q"}],"tools":[{"name":"f","input_schema":{}}]}"#,
    r#"[{"role":"user","content":"q"},{"role":"user","content":[{"type":"text","text":"t"}]},{"role":"assistant","content":"a"},{"role":"assistant","content":[]},{"role":"user","content":"q"},{"role":"assistant","content":""}]"#,
    r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"},"cache_control":null},{"type":"image","source":{"type":"url","url":"https://x.test"}},{"type":"image","source":{"type":"file","file_id":"f"}}]}]"#,
    r#"[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="},"title":"t"},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}},{"type":"document","source":{"type":"content","content":[{"type":"text","text":"t"},{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"$JPEG"}}]}},{"type":"document","source":{"type":"content","content":"t"}},{"type":"document","source":{"type":"url","url":"https://x.test"}},{"type":"search_result","source":"s","title":"t","content":[]},{"type":"container_upload","file_id":"f"}]}]"#,
    r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"t","citations":null}]},{"role":"user","content":"q"}]"#,
    // Results in any order, with text after them; content left out, empty, or a list.
    r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{"a":[]},"caller":{"type":"direct"}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"b"},{"type":"tool_result","tool_use_id":"a","content":"","is_error":true},{"type":"text","text":"and"}]}]"#,
    // Neighbours of one role are one turn.
    r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[]},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"r"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}},{"type":"tool_reference","tool_name":"x"}]}]}]"#,
    // Server tools, and one whose result comes after that of a client's tool.
    r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"mcp_tool_use","id":"m-1","name":"x.y","server_name":"s","input":{}},{"type":"mcp_tool_result","tool_use_id":"m-1","content":[]},{"type":"text","text":"t"}]},{"role":"user","content":"q"},
        {"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_2","name":"code_execution","input":{}},{"type":"tool_use","id":"a","name":"f","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]},
        {"role":"assistant","content":[{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_2","content":{}},{"type":"text","text":"t"}]}]"#,
    // A paused turn.
    r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]}]"#,
];

#[test]
fn valid_transcripts() {
    valid("anthropic.messages", VALID);
    valid("anthropic", VALID);
    // Reasoning alone is refused only where the transcript ends.
    valid(
        "anthropic",
        &[
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]},{"role":"user","content":"q"}]"#,
        ],
    );
    valid(
        "anthropic.messages",
        &[
            "[]",
            r#"[{"role":"assistant","content":"a "}]"#,
            r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]}]"#,
            r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"t"}],"stop_reason":"end_turn","usage":{}}"#,
        ],
    );
    open_ended("anthropic.messages", &[&format!("[{USER},{CALL}]")]);
    open_ended(
        "anthropic",
        &[
            "[]",
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]}]"#,
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a\n"}]}]"#,
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"t","signature":"s"}]}]"#,
        ],
    );
}

#[test]
fn messages() {
    broken(
        "anthropic.messages",
        &[
            (r#"[{"role":"user","content":""}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"user","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"user","content":" \n"}]"#, &[("blank-text", "/0/content")]),
            (r#"[{"role":"assistant","content":" "}]"#, &[("blank-text", "/0/content")]),
            (r#"[{"role":"user"}]"#, &[("content-missing", "/0")]),
            (r#"[{"role":"assistant","content":null}]"#, &[("content-missing", "/0/content")]),
            (r#"[{"role":"user","content":{}}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"tool","content":"r"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"user","content":"q","id":"m"}]"#, &[("unknown-field", "/0/id")]),
            (r#"[{"role":"system","content":"s"}]"#, &[("misplaced-system", "/0")]),
            (
                r#"[{"role":"user","content":"q"},{"role":"system","content":"s"},{"role":"user","content":"q"}]"#,
                &[("misplaced-system", "/1")],
            ),
            (r#"{"system":[{"type":"text","text":""}],"messages":[]}"#, &[("blank-text", "/system/0")]),
        ],
    );
    broken(
        "anthropic",
        &[
            (r#"{"messages":[]}"#, &[("no-messages", "/messages")]),
            (
                r#"{"model":"claude-3-opus-20240229","messages":[{"role":"assistant","content":"a"},{"role":"user","content":"q"}]}"#,
                &[("leading-assistant", "/messages/0")],
            ),
            (
                r#"[{"role":"user","content":"q"},{"role":"assistant","content":"a "}]"#,
                &[("trailing-white-space", "/1/content")],
            ),
            (
                r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a "}]}]"#,
                &[("trailing-white-space", "/1/content/0/text")],
            ),
            (r#"[{"role":"user","content":"q"},{"role":"system","content":"s"}]"#, &[("misplaced-system", "/1")]),
            (
                r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]}]"#,
                &[("trailing-thinking", "/1/content/0")],
            ),
            (
                r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"redacted_thinking","data":"d"}]}]"#,
                &[("trailing-thinking", "/1/content/1")],
            ),
        ],
    );
}

#[test]
fn a_target_that_refuses_prefill_and_takes_system_messages() {
    let mut target = options("anthropic", Mode::Request).target.clone();
    target.order.prefill = false;
    target.order.system = SystemPlace::Anywhere;
    let options = CheckOptions { target: &target, ..options("anthropic", Mode::Request) };
    let (system, answer) = (r#"{"role":"system","content":"s"}"#, r#"{"role":"assistant","content":"a"}"#);
    for (document, expected) in [
        (format!("[{USER},{answer},{USER},{system}]"), None),
        (format!("[{USER},{system},{answer},{USER}]"), None),
        (VALID[VALID.len() - 1].to_owned(), None),
        (format!("[{USER},{answer}]"), Some(("trailing-assistant", "/1"))),
        (format!("[{system},{USER}]"), Some(("misplaced-system", "/0"))),
        (format!("[{USER},{system},{USER}]"), Some(("misplaced-system", "/1"))),
        (format!("[{USER},{answer},{system},{USER}]"), Some(("misplaced-system", "/2"))),
    ] {
        let found = judge(document.as_bytes(), &options);
        let found: Vec<_> = found.iter().map(|(rule, pointer)| (rule.as_str(), pointer.as_str())).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{document}");
    }
}

#[test]
fn a_target_that_refuses_turns_of_mere_reasoning() {
    let mut target = options("anthropic", Mode::Request).target.clone();
    target.reasoning.alone = false;
    let options = CheckOptions { target: &target, ..options("anthropic", Mode::Request) };
    let document = r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]},{"role":"user","content":"q"}]"#;
    let found = judge(document.as_bytes(), &options);
    assert_eq!(found, [("thinking-alone".to_owned(), "/1/content".to_owned())]);
}

#[test]
fn blocks_and_where_they_stand() {
    for (role, block, rule, pointer) in [
        ("user", "\"t\"", "unknown-block", ""),
        ("user", r#"{"type":"json"}"#, "unknown-block", ""),
        ("user", r#"{"type":"image_url","image_url":{"url":"u"}}"#, "foreign-block-shape", ""),
        ("assistant", r#"{"type":"toolCall","id":"a"}"#, "tool-call-alias", ""),
        ("user", r#"{"type":"text","text":""}"#, "blank-text", ""),
        ("user", r#"{"type":"text","text":"\n "}"#, "blank-text", ""),
        ("user", r#"{"type":"text","text":null}"#, "text-not-a-string", "/text"),
        ("user", r#"{"type":"text","text":"t","id":"lc"}"#, "unknown-field", "/id"),
        ("user", r#"{"type":"thinking","thinking":"t","signature":"s"}"#, "block-in-wrong-role", ""),
        ("user", r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#, "block-in-wrong-role", ""),
        ("user", r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1"}"#, "block-in-wrong-role", ""),
        ("assistant", r#"{"type":"tool_result","tool_use_id":"a"}"#, "block-in-wrong-role", ""),
        ("assistant", r#"{"type":"thinking","thinking":"t"}"#, "thinking-without-signature", ""),
        (
            "assistant",
            r#"{"type":"thinking","thinking":"t","signature":""}"#,
            "thinking-without-signature",
            "/signature",
        ),
        ("assistant", r#"{"type":"thinking","signature":"s"}"#, "text-not-a-string", ""),
        ("assistant", r#"{"type":"redacted_thinking"}"#, "thinking-without-signature", ""),
        ("user", r#"{"type":"image"}"#, "image-without-data", ""),
        (
            "user",
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png"}}"#,
            "image-without-data",
            "/source",
        ),
        (
            "user",
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":""}}"#,
            "image-without-data",
            "/source/data",
        ),
        ("user", r#"{"type":"image","source":{"type":"base64","data":"$PNG"}}"#, "image-type-missing", "/source"),
        (
            "user",
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$JPEG"}}"#,
            "image-type-mismatch",
            "/source/media_type",
        ),
        (
            "user",
            r#"{"type":"image","source":{"type":"base64","media_type":"image/bmp","data":"Qk0A"}}"#,
            "image-type-not-accepted",
            "/source/media_type",
        ),
        (
            "user",
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}"#,
            "image-not-an-image",
            "/source/data",
        ),
        ("user", r#"{"type":"image","source":{"type":"url"}}"#, "media-without-address", "/source"),
        ("user", r#"{"type":"image","source":{"type":"text","data":"x"}}"#, "foreign-block-shape", "/source"),
        (
            "user",
            r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf"}}"#,
            "file-without-data",
            "/source",
        ),
        (
            "user",
            r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"-"}}"#,
            "file-data-not-base64",
            "/source/data",
        ),
        (
            "user",
            r#"{"type":"document","source":{"type":"base64","media_type":"text/html","data":"AAAA"}}"#,
            "file-not-accepted",
            "/source/media_type",
        ),
        (
            "user",
            r#"{"type":"document","source":{"type":"content","content":[{"type":"image"}]}}"#,
            "image-without-data",
            "/source/content/0",
        ),
        (
            "user",
            r#"{"type":"document","source":{"type":"content","content":[{"type":"document"}]}}"#,
            "block-in-wrong-role",
            "/source/content/0",
        ),
    ] {
        let document = format!(r#"[{{"role":"{role}","content":[{block}]}}]"#);
        broken("anthropic.messages", &[(&document, &[(rule, &format!("/0/content/0{pointer}"))])]);
    }
}

#[test]
fn calls_and_results() {
    let pair = answered("\"r\"");
    for (from, to, rule, pointer) in [
        (r#","input":{}"#, "", "tool-call-arguments-missing", "/1/content/0"),
        (r#""input":{}"#, r#""input":null"#, "tool-call-arguments-missing", "/1/content/0/input"),
        (r#""input":{}"#, r#""input":"{}""#, "tool-call-arguments-not-an-object", "/1/content/0/input"),
        (r#""input":{}"#, r#""input":[]"#, "tool-call-arguments-not-an-object", "/1/content/0/input"),
        (r#""input":{}"#, r#""input":{},"index":0"#, "unknown-field", "/1/content/0/index"),
        (r#","name":"f""#, "", "tool-call-without-name", "/1/content/0"),
        (r#""content":"r""#, r#""content":null"#, "content-missing", "/2/content/0/content"),
        (r#""content":"r""#, r#""content":7"#, "content-not-a-list", "/2/content/0/content"),
        (r#""content":"r""#, r#""is_error":null"#, "error-flag-not-a-boolean", "/2/content/0/is_error"),
        (r#""content":"r""#, r#""is_error":"true""#, "error-flag-not-a-boolean", "/2/content/0/is_error"),
        (r#""content":"r""#, r#""name":"f""#, "unknown-field", "/2/content/0/name"),
    ] {
        let document = pair.replacen(from, to, 1);
        assert_ne!(document, pair);
        broken("anthropic.messages", &[(&document, &[(rule, pointer)])]);
    }
    let image = r#"[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}}]"#;
    for (content, rule, pointer) in [
        (r#"[{"type":"text","text":""}]"#.to_owned(), "blank-text", "/content/0"),
        (r#"[{"type":"text","text":"t","id":"x"}]"#.to_owned(), "unknown-field", "/content/0/id"),
        (r#"[{"type":"tool_use","id":"b","name":"f","input":{}}]"#.to_owned(), "block-in-wrong-role", "/content/0"),
        (r#"[{"type":"resource_link","uri":"u"}]"#.to_owned(), "foreign-block-shape", "/content/0"),
        (
            r#"[{"type":"image","data":"$PNG","mimeType":"image/png"}]"#.replace(r#","mimeType":"image/png""#, ""),
            "unknown-field",
            "/content/0/data",
        ),
        (format!(r#"{image},"is_error":true"#), "error-result-with-media", "/content/0"),
    ] {
        let at = format!("/2/content/0{pointer}");
        let twice = content.contains(r#""data":"$PNG"}]"#) && !content.contains("source");
        // An image in another dialect's shape has no source either.
        let expected: &[(&str, &str)] =
            if twice { &[("image-without-data", "/2/content/0/content/0"), (rule, &at)] } else { &[(rule, &at)] };
        broken("anthropic.messages", &[(&answered(&content), expected)]);
    }
    broken(
        "anthropic.messages",
        &[
            (
                &pair.replace("\"a\"", "\"call|a\""),
                &[
                    ("tool-call-id-characters", "/1/content/0/id"),
                    ("tool-call-id-characters", "/2/content/0/tool_use_id"),
                ],
            ),
            (&pair.replace("\"f\"", &format!("\"{}\"", "f".repeat(201))), &[("tool-name-length", "/1/content/0/name")]),
        ],
    );
}

#[test]
fn pairing() {
    let text = r#"{"role":"assistant","content":"t"}"#;
    broken(
        "anthropic.messages",
        &[
            (&format!("[{USER},{CALL},{USER}]"), &[("tool-call-without-result", "/1/content/0")]),
            (&format!("[{USER},{CALL},{USER},{RESULT}]"), &[("tool-result-displaced", "/3/content/0")]),
            (
                &format!("[{USER},{CALL},{}]", RESULT.replace("[{", r#"[{"type":"text","text":"t"},{"#)),
                &[("tool-result-displaced", "/2/content/1")],
            ),
            (&format!("[{USER},{RESULT}]"), &[("orphan-tool-result", "/1/content/0")]),
            (&format!("[{RESULT},{CALL}]"), &[("tool-result-before-call", "/0/content/0")]),
            (&format!("[{USER},{CALL},{RESULT},{RESULT}]"), &[("duplicate-tool-result", "/3/content/0")]),
            (&format!("[{USER},{CALL},{RESULT},{text},{RESULT}]"), &[("duplicate-tool-result", "/4/content/0")]),
            (&format!("[{USER},{CALL},{RESULT},{CALL},{RESULT}]"), &[("duplicate-tool-call-id", "/3/content/0/id")]),
            (
                &format!("[{USER},{CALL},{}]", RESULT.replace("\"a\"", "\"b\"")),
                &[("tool-call-without-result", "/1/content/0"), ("orphan-tool-result", "/2/content/0")],
            ),
        ],
    );
    valid("anthropic.messages", &[&format!("[{USER},{CALL},{text},{RESULT}]")]);
    // Results of a turn in two messages; those of two turns are in two.
    let (other_call, other) = (CALL.replace("\"a\"", "\"b\""), RESULT.replace("\"a\"", "\"b\""));
    let parallel = format!("[{USER},{CALL},{other_call},{RESULT},{other}]");
    broken("anthropic.messages", &[(&parallel, &[("split-tool-results", "/4/content")])]);
    valid("anthropic.messages", &[&format!("[{USER},{CALL},{RESULT},{other_call},{other}]")]);
}

#[test]
fn server_tools() {
    let turn = |blocks: &str| format!(r#"[{USER},{{"role":"assistant","content":[{blocks}]}},{USER}]"#);
    let call = r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#;
    let result = r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#;
    broken(
        "anthropic.messages",
        &[
            (&turn(result), &[("provider-item-without-partner", "/1/content/0")]),
            (&turn(call), &[("provider-item-without-partner", "/1/content/0")]),
            (
                &turn(&format!("{result},{call}")),
                &[("provider-item-without-partner", "/1/content/0"), ("provider-item-without-partner", "/1/content/1")],
            ),
            (
                &turn(&format!("{call},{result}")).replace("srvtoolu_1", "srvtoolu-1"),
                &[
                    ("tool-call-id-characters", "/1/content/0/id"),
                    ("tool-call-id-characters", "/1/content/1/tool_use_id"),
                ],
            ),
            (
                &turn(&format!("{call},{result}")).replace(r#""input":{}"#, r#""input":"x""#),
                &[("tool-call-arguments-not-an-object", "/1/content/0/input")],
            ),
        ],
    );
}

#[test]
fn calls_before_results_of_the_servers_tools() {
    let turn = |blocks: &str| format!(r#"[{USER},{{"role":"assistant","content":[{blocks}]}},{RESULT}]"#);
    let call = r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#;
    let thought = r#"{"type":"thinking","thinking":"t","signature":"s"}"#;
    let open = r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#;
    let result = r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#;
    let rule = "call-before-server-result";
    broken(
        "anthropic.messages",
        &[
            (&turn(&format!("{call},{open},{result}")), &[(rule, "/1/content/0")]),
            (&turn(&format!("{thought},{open},{call},{result}")), &[(rule, "/1/content/2")]),
        ],
    );
    valid(
        "anthropic.messages",
        &[
            &turn(&format!("{open},{result},{call}")),
            &turn(&format!("{call},{open}")),
            &turn(&format!(r#"{call},{{"type":"text","text":"t"}}"#)),
            &turn(&format!("{call},{thought},{open},{result}")),
        ],
    );
}

#[test]
fn cache_markers() {
    let block = r#"{"type":"text","text":"t","cache_control":{"type":"ephemeral"}}"#;
    let four = [block; 4].join(",");
    valid("anthropic.messages", &[&format!(r#"[{{"role":"user","content":[{four}]}}]"#)]);
    broken(
        "anthropic.messages",
        &[
            (
                &format!(r#"{{"system":[{block}],"messages":[{{"role":"user","content":[{four}]}}]}}"#),
                &[("cache-marker-misplaced", "/messages/0/content/3/cache_control")],
            ),
            (
                &format!(r#"[{{"role":"user","content":[{}]}}]"#, block.replace("\"}}", "\",\"scope\":\"global\"}}")),
                &[("unknown-field", "/0/content/0/cache_control/scope")],
            ),
        ],
    );
}

#[test]
fn a_request_with_thinking_and_tools() {
    let call = r#"{"type":"tool_use","id":"t1","name":"read","input":{}}"#;
    let thought = r#"{"type":"thinking","thinking":"hm","signature":"s"}"#;
    let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1"}]}"#;
    let request = |thinking: &str, first: &str, after: &str| {
        format!(
            r#"{{"model":"m","thinking":{{"type":"{thinking}"}},"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{first}{call}]}},{result}{after}]}}"#
        )
    };
    let thinks = format!("{thought},");
    let user = r#",{"role":"user","content":"b"}"#;
    for document in [
        request("enabled", &thinks, ""),
        request("adaptive", "", ""),
        request("disabled", "", ""),
        // A turn that the user ended need not be replayed with its reasoning.
        request("enabled", "", user),
    ] {
        valid("anthropic", &[&document]);
    }
    broken("anthropic", &[(&request("enabled", "", ""), &[("turn-without-thinking", "/messages/1")])]);
    let asked = Target::by_name("anthropic").expect("a target").with("tools", "required").expect("a switch");
    let options = CheckOptions { target: &asked, ..options("anthropic", Mode::Request) };
    let found = judge(request("disabled", "", "").as_bytes(), &options);
    assert_eq!(found, [("tools-not-defined".to_owned(), "/messages/1/content/0".to_owned())]);
}

#[test]
fn an_empty_turn_where_the_server_refuses_it() {
    let talk = |content: &str, after: &str| {
        format!(r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":{content}}}{after}]"#)
    };
    let user = r#",{"role":"user","content":"b"}"#;
    let asked = Target::by_name("anthropic").expect("a target").with("empty-turns", "refuse").expect("a switch");
    let options = CheckOptions { target: &asked, ..options("anthropic", Mode::Request) };
    for content in [r#""""#, "[]"] {
        valid("anthropic", &[&talk(content, user)]);
        let found = judge(talk(content, user).as_bytes(), &options);
        assert_eq!(found, [("empty-message".to_owned(), "/1/content".to_owned())]);
        // The last one may be.
        assert_eq!(judge(talk(content, "").as_bytes(), &options), []);
    }
}

#[test]
fn pictures_that_are_too_large() {
    // Headers of PNGs of 8001 and of 2001 pixels.
    let (huge, large) = ("iVBORw0KGgoAAAANSUhEUgAAH0EAAAAC", "iVBORw0KGgoAAAANSUhEUgAAB9EAAAAC");
    let picture = |data: &str| {
        format!(r#"{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{data}"}}}}"#)
    };
    let talk = |pictures: &[String]| format!(r#"[{{"role":"user","content":[{}]}}]"#, pictures.join(","));
    let place = |at: usize| format!("/0/content/{at}/source/data");
    broken("anthropic", &[(&talk(&[picture(huge)]), &[("image-too-large", &place(0))])]);
    valid("anthropic.messages", &[&talk(&[picture(huge)])]);
    let mut many = vec![picture("$PNG"); 20];
    many[3] = picture(large);
    valid("anthropic", &[&talk(&many)]);
    many.push(picture("$PNG"));
    broken("anthropic", &[(&talk(&many), &[("image-too-large", &place(3))])]);
    let long = format!("iVBORw0KGgo{}", "A".repeat(5_242_881 - 11 + 3));
    let found = judge(talk(&[picture(&long)]).as_bytes(), &options("anthropic", Mode::Request));
    assert_eq!(found, [("image-too-large".to_owned(), place(0))]);
}

#[test]
fn sources_markers_and_search_results() {
    let user = |block: &str| format!(r#"[{{"role":"user","content":[{block}]}}]"#);
    let here = |place: &'static str, rule: &'static str| [(rule, place)];
    let cases: &[(&str, &[(&str, &str)])] = &[
        (
            r#"{"type":"image","source":{"type":"url","url":"https://x.test","name":"a"}}"#,
            &here("/0/content/0/source/name", "unknown-field"),
        ),
        (
            r#"{"type":"document","source":{"type":"file","file_id":"f","x":1}}"#,
            &here("/0/content/0/source/x", "unknown-field"),
        ),
        (
            r#"{"type":"document","source":{"type":"base64","media_type":"text/plain","data":"AAAA"}}"#,
            &here("/0/content/0/source/media_type", "file-not-accepted"),
        ),
        (
            r#"{"type":"document","source":{"type":"text","media_type":"application/pdf","data":"x"}}"#,
            &here("/0/content/0/source/media_type", "file-not-accepted"),
        ),
        (
            r#"{"type":"text","text":"t","cache_control":{"type":"ephemeral","ttl":"2h"}}"#,
            &here("/0/content/0/cache_control", "unknown-field"),
        ),
        (
            r#"{"type":"text","text":"t","cache_control":{"type":"ephemeral","scope":"s"}}"#,
            &here("/0/content/0/cache_control/scope", "unknown-field"),
        ),
        (r#"{"type":"text","text":"t","cache_control":"5m"}"#, &here("/0/content/0/cache_control", "unknown-field")),
        (
            r#"{"type":"search_result","source":"s","title":"t","content":[{"type":"image"}]}"#,
            &here("/0/content/0", "foreign-block-shape"),
        ),
        (r#"{"type":"search_result","source":"s","content":[]}"#, &here("/0/content/0", "foreign-block-shape")),
        (
            r#"{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":" "}]}"#,
            &here("/0/content/0/content/0", "blank-text"),
        ),
    ];
    for (block, expected) in cases {
        broken("anthropic.messages", &[(&user(block), expected)]);
    }
}

#[test]
fn options_without_words() {
    let with = |system: &str| format!("[{USER},{system}]");
    valid("anthropic.messages", &[&with(r#"{"role":"system","output_config":{"effort":"low"}}"#)]);
    let missing: &[(&str, &str)] = &[("content-missing", "/1")];
    for system in [r#"{"role":"system","output_config":{}}"#, r#"{"role":"system","clear_at":"never"}"#] {
        broken("anthropic.messages", &[(&with(system), missing)]);
    }
    let null: &[(&str, &str)] = &[("content-missing", "/1/content")];
    let said = r#"{"role":"system","content":null,"output_config":{"effort":"low"}}"#;
    broken("anthropic.messages", &[(&with(said), null)]);
}

#[test]
fn images_are_counted_by_the_context_of_the_model() {
    let picture = r#"{"type":"image","source":{"type":"url","url":"https://x.test/a.png"}}"#;
    let talk = |count: usize| format!(r#"[{{"role":"user","content":[{}]}}]"#, vec![picture; count].join(","));
    let wide = Target::by_name("anthropic").expect("a target").with("media", "600").expect("a switch");
    let options = CheckOptions { target: &wide, ..options("anthropic", Mode::Request) };
    valid("anthropic", &[&talk(100)]);
    broken("anthropic", &[(&talk(101), &[("too-many-media", "/0/content/0")])]);
    assert_eq!(judge(talk(600).as_bytes(), &options), []);
    assert_eq!(judge(talk(601).as_bytes(), &options), [("too-many-media".to_owned(), "/0/content/0".to_owned())]);
}

#[test]
fn references_to_tools() {
    let request = |model: &str, name: &str| {
        format!(
            r#"{{{model}"tools":[{{"name":"find","input_schema":{{"type":"object"}}}}],"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c","name":"find","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c","content":[{{"type":"tool_reference","tool_name":"{name}"}}]}}]}}]}}"#
        )
    };
    let whole = r#""model":"m","#;
    valid("anthropic.messages", &[&request(whole, "find"), &request("", "drag")]);
    broken(
        "anthropic.messages",
        &[(&request(whole, "drag"), &[("tool-reference-unknown", "/messages/2/content/0/content/0")])],
    );
}
