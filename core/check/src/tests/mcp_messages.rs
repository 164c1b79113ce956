//! `mcp.prompt` and `mcp.sampling`, and what revisions of the protocol lack.

use super::{broken, valid};

const CALL: &str = r#"{"role":"assistant","content":{"type":"tool_use","id":"t1","name":"read","input":{}}}"#;
const TWO_CALLS: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{}},{"type":"tool_use","id":"t2","name":"read","input":{}}]}"#;
const RESULT: &str =
    r#"{"role":"user","content":{"type":"tool_result","toolUseId":"t1","content":[{"type":"text","text":"a"}]}}"#;

#[test]
fn valid_prompts() {
    valid(
        "mcp.prompt",
        &[
            r#"{"messages":[]}"#,
            r#"{"description":"d","messages":[{"role":"user","content":{"type":"text","text":""}}]}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"messages":[{"role":"assistant","content":{"type":"text","text":"t"}}]}}"#,
            r#"{"messages":[{"role":"user","content":{"type":"image","data":"$PNG","mimeType":"image/png"}},{"role":"user","content":{"type":"audio","data":"AAAA","mimeType":"audio/wav"}}]}"#,
            r#"{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"u","text":"t"}}},{"role":"user","content":{"type":"resource_link","uri":"u","name":"n"}}]}"#,
        ],
    );
}

#[test]
fn broken_prompts() {
    for (content, rule, pointer) in [
        (r#"[{"type":"text","text":"t"}]"#, "prompt-content-not-one-block", "/content"),
        (r#""t""#, "content-not-a-list", "/content"),
        ("null", "content-missing", "/content"),
        (r#"{"type":"tool_use","id":"t1","name":"read","input":{}}"#, "tool-call-alias", "/content"),
        (r#"{"type":"image","mimeType":"image/png"}"#, "image-without-data", "/content"),
    ] {
        let document = format!(r#"[{{"role":"user","content":{content}}}]"#);
        broken("mcp.prompt", &[(&document, &[(rule, &format!("/0{pointer}"))])]);
    }
    broken(
        "mcp.prompt",
        &[(r#"[{"role":"system","content":{"type":"text","text":"t"}}]"#, &[("role-alias", "/0/role")])],
    );
}

#[test]
fn valid_sampling_requests() {
    valid(
        "mcp.sampling",
        &[
            r#"{"messages":[{"role":"user","content":{"type":"text","text":"t"}}],"maxTokens":1,"systemPrompt":"s"}"#,
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"t"},{"type":"image","data":"$PNG","mimeType":"image/png"}]}]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"audio","data":"AAAA","mimeType":"audio/wav"}}]}}"#,
            &format!("[{CALL},{RESULT}]"),
            RESULT,
            r#"{"role":"user","content":{"type":"audio","data":"AAAA","mimeType":"sound"}}"#,
            r#"{"role":"assistant","content":{"type":"text","text":"t"},"model":"m","stopReason":"endTurn"}"#,
        ],
    );
}

#[test]
fn broken_sampling_requests() {
    let beside = RESULT
        .replace(r#""content":{"type":"tool_result""#, r#""content":[{"type":"tool_result""#)
        .replace("}]}}", r#"}]},{"type":"text","text":"b"}]}"#);
    broken(
        "mcp.sampling",
        &[
            (&format!("[{CALL},{beside}]"), &[("tool-result-beside-other-content", "/1/content")]),
            (
                &format!("[{CALL},{{\"role\":\"user\",\"content\":{{\"type\":\"text\",\"text\":\"b\"}}}}]"),
                &[("tool-call-without-result", "/0/content")],
            ),
            (&format!("[{RESULT}]"), &[("orphan-tool-result", "/0/content")]),
            (
                &format!("[{TWO_CALLS},{RESULT},{}]", RESULT.replace("t1", "t2")),
                &[("split-tool-results", "/2/content")],
            ),
            (
                &format!("[{},{RESULT}]", CALL.replace("t1", "t2")),
                &[("tool-call-without-result", "/0/content"), ("orphan-tool-result", "/1/content")],
            ),
            (
                &format!("[{},{RESULT}]", CALL.replace("\"input\":{}", "\"input\":\"{}\"")),
                &[("tool-call-arguments-not-an-object", "/0/content/input")],
            ),
            (r#"{"messages":[],"systemPrompt":["s"]}"#, &[("text-not-a-string", "/systemPrompt")]),
            (
                r#"[{"role":"user","content":{"type":"resource_link","uri":"u","name":"n"}}]"#,
                &[("block-in-wrong-role", "/0/content")],
            ),
        ],
    );
}

#[test]
fn what_a_revision_lacks() {
    let audio = r#"{"content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}"#;
    let link = r#"{"content":[{"type":"resource_link","uri":"u","name":"n"}]}"#;
    broken("mcp.tool-result@2024-11-05", &[(audio, &[("foreign-block-shape", "/content/0")])]);
    valid("mcp.tool-result@2025-03-26", &[audio]);
    broken("mcp.tool-result@2025-03-26", &[(link, &[("foreign-block-shape", "/content/0")])]);
    valid("mcp.tool-result@2025-06-18", &[link]);
    let list = r#"{"content":[],"structuredContent":[1]}"#;
    valid("mcp.tool-result@2024-11-05", &[list]);
    broken("mcp.tool-result@2025-11-25", &[(list, &[("structured-content-not-an-object", "/structuredContent")])]);
    broken("mcp.tool-result@2026-07-28", &[(list, &[("result-type-missing", "")])]);
    let structured = RESULT.replace("\"toolUseId\"", "\"structuredContent\":[1],\"toolUseId\"");
    valid("mcp.sampling", &[&format!("[{CALL},{structured}]")]);
    broken(
        "mcp.sampling@2025-11-25",
        &[(&format!("[{CALL},{structured}]"), &[("structured-content-not-an-object", "/1/content/structuredContent")])],
    );
    let prompt = r#"{"messages":[{"role":"user","content":{"type":"text","text":"t"}}],"resultType":"complete"}"#;
    valid("mcp.prompt@2026-07-28", &[prompt, r#"[{"role":"user","content":{"type":"text","text":"t"}}]"#]);
    let untyped = prompt.replace("\"complete\"", "null");
    broken("mcp.prompt@2026-07-28", &[(&untyped, &[("result-type-missing", "")])]);
    valid("mcp.prompt@2025-11-25", &[&untyped]);
    broken(
        "mcp.sampling@2025-06-18",
        &[(
            r#"[{"role":"user","content":[{"type":"text","text":"t"}]}]"#,
            &[("prompt-content-not-one-block", "/0/content")],
        )],
    );
    broken("mcp.sampling@2025-06-18", &[(&format!("[{CALL}]"), &[("block-in-wrong-role", "/0/content")])]);
}
