//! `openviking` and `lossless-claw`.

use super::{broken, open_ended, valid};

#[test]
fn valid_parts() {
    valid(
        "openviking",
        &[
            "[]",
            r#"[{"role":"user","parts":[{"type":"text","text":"u"},{"type":"context","uri":"viking://a","abstract":"b"}],"id":"1"},{"role":"user","content":"old"}]"#,
            r#"[{"role":"assistant","parts":[{"type":"tool","tool_id":"a","tool_name":"f","tool_status":"completed"},{"type":"tool","tool_id":"b","tool_name":"f","tool_input":{},"tool_output":"r","tool_status":"error"}]}]"#,
            r#"[{"role":"user","parts":[{"type":"tool","tool_id":"a","tool_name":"f","tool_status":"completed"}]}]"#,
        ],
    );
    open_ended(
        "openviking",
        &[r#"[{"role":"assistant","parts":[{"type":"tool","tool_id":"a","tool_name":"f","tool_status":"running"}]}]"#],
    );
}

#[test]
fn broken_parts() {
    broken(
        "openviking",
        &[
            (r#"[{"role":"system","parts":[]}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"user"}]"#, &[("content-missing", "/0")]),
            (r#"[{"role":"user","parts":7}]"#, &[("content-not-a-list", "/0/parts")]),
            (r#"[{"role":"user","parts":[]}]"#, &[("empty-message", "/0/parts")]),
            (r#"[{"role":"user","content":[]}]"#, &[("content-not-a-list", "/0/content")]),
        ],
    );
    for (part, rule, pointer) in [
        ("7", "unknown-block", ""),
        (r#"{"type":"text"}"#, "text-not-a-string", ""),
        (r#"{"type":"context","uri":""}"#, "unknown-block", ""),
        (r#"{"type":"image","data":"$PNG","mimeType":"image/png"}"#, "foreign-block-shape", ""),
        (r#"{"type":"tool","tool_name":"f","tool_status":"completed"}"#, "tool-call-without-id", ""),
        (r#"{"type":"tool","tool_id":"a","tool_status":"completed"}"#, "tool-call-without-name", ""),
        (
            r#"{"type":"tool","tool_id":"a","tool_name":"f","tool_input":"{}","tool_status":"error"}"#,
            "tool-call-arguments-not-an-object",
            "/tool_input",
        ),
        (
            r#"{"type":"tool","tool_id":"a","tool_name":"f","tool_output":{},"tool_status":"error"}"#,
            "content-not-a-list",
            "/tool_output",
        ),
    ] {
        let document = format!(r#"[{{"role":"assistant","parts":[{part}]}}]"#);
        broken("openviking", &[(&document, &[(rule, &format!("/0/parts/0{pointer}"))])]);
    }
    broken(
        "openviking",
        &[(
            r#"[{"role":"assistant","parts":[{"type":"tool","tool_id":"a","tool_name":"f","tool_output":"r","tool_status":"running"}]},{"role":"user","content":"u"}]"#,
            &[("tool-call-without-result", "/0/parts/0"), ("tool-status-unknown", "/0/parts/0/tool_status")],
        )],
    );
}

/// A stored call `a`.
const CALL: &str = r#"{"role":"assistant","content":"","parts":[{"part_type":"tool","ordinal":0,"tool_call_id":"a","tool_name":"f","tool_input":"{}"}]}"#;

/// A stored message with this metadata.
fn stored(role: &str, columns: &str, metadata: &str) -> String {
    let metadata = metadata.replace('"', "\\\"");
    format!(r#"{{"role":"{role}","content":"","parts":[{{{columns},"metadata":"{metadata}"}}]}}"#)
}

#[test]
fn valid_rows() {
    let result = stored(
        "tool",
        r#""part_type":"text","text_content":"r","tool_call_id":"a""#,
        r#"{"originalRole":"toolResult"}"#,
    );
    let output = stored(
        "tool",
        r#""partType":"tool","toolCallId":"a","toolOutput":"r""#,
        r#"{"rawType":"function_call_output"}"#,
    );
    let raw = stored(
        "assistant",
        r#""part_type":"tool","tool_input":null"#,
        r#"{"rawType":"toolCall","raw":{"type":"toolCall","id":"a","name":"f","arguments":{}}}"#,
    );
    let picture =
        stored("user", r#""part_type":"file""#, r#"{"raw":{"type":"image","data":"$PNG","mimeType":"image/png"}}"#);
    valid(
        "lossless-claw",
        &[
            "[]",
            r#"[{"role":"user","content":"old"},{"role":"assistant","content":"old","parts":[]}]"#,
            &format!("[{CALL},{result}]"),
            &format!("[{raw},{output}]"),
            &format!("[{picture}]"),
        ],
    );
    open_ended("lossless-claw", &[&format!("[{CALL}]")]);
}

#[test]
fn broken_rows() {
    let call = |columns: &str, metadata: &str| format!("[{}]", stored("assistant", columns, metadata));
    for (document, rule, pointer) in [
        (r#"[{"role":"user"}]"#.to_owned(), "content-missing", "/0"),
        (r#"[{"role":"user","content":[]}]"#.to_owned(), "content-not-a-list", "/0/content"),
        (r#"[{"role":"user","content":"u","parts":{}}]"#.to_owned(), "content-not-a-list", "/0/parts"),
        (r#"[{"role":"user","content":"u","parts":[7]}]"#.to_owned(), "unknown-block", "/0/parts/0"),
        (
            r#"[{"role":"user","content":"u","parts":[{"type":"text"}]}]"#.to_owned(),
            "foreign-block-shape",
            "/0/parts/0",
        ),
        (
            r#"[{"role":"user","content":"u","parts":[{"part_type":"text","metadata":{}}]}]"#.to_owned(),
            "foreign-block-shape",
            "/0/parts/0/metadata",
        ),
        (
            format!(
                "[{}]",
                stored("user", r#""part_type":"file""#, r#"{"raw":{"type":"image","data":"","mimeType":"image/png"}}"#)
            ),
            "image-without-data",
            "/0/parts/0",
        ),
        (
            format!("[{}]", stored("user", r#""part_type":"tool""#, r#"{"rawType":"toolCall"}"#)),
            "block-in-wrong-role",
            "/0/parts/0",
        ),
        (call(r#""part_type":"tool","tool_name":"f","tool_input":"{}""#, "{}"), "tool-call-without-id", "/0/parts/0"),
        (
            format!(
                "[{CALL},{}]",
                stored(
                    "tool",
                    r#""part_type":"tool","tool_call_id":"a","tool_output":"r""#,
                    r#"{"rawType":"tool_result"}"#
                )
            ),
            "stored-result-as-call",
            "/1/parts/0",
        ),
    ] {
        broken("lossless-claw", &[(&document, &[(rule, pointer)])]);
    }
    let answered = |columns: &str| {
        let result = stored("tool", r#""part_type":"text","text_content":"r","tool_call_id":"a""#, "{}");
        format!(
            "[{},{result}]",
            stored("assistant", &format!(r#""part_type":"tool","tool_call_id":"a","tool_name":"f"{columns}"#), "{}")
        )
    };
    for (columns, rule, pointer) in [
        ("", "tool-call-arguments-missing", "/0/parts/0"),
        (r#","tool_input":{}"#, "tool-call-arguments-not-a-string", "/0/parts/0/tool_input"),
        (r#","tool_input":"nope""#, "tool-call-arguments-invalid", "/0/parts/0/tool_input"),
        (r#","tool_input":"\"{}\"""#, "tool-call-arguments-encoded-twice", "/0/parts/0/tool_input"),
    ] {
        broken("lossless-claw", &[(&answered(columns), &[(rule, pointer)])]);
    }
}

#[test]
fn an_output_that_names_another_call_is_a_result_of_its_own() {
    let row = |id: &str| {
        format!(
            r#"{{"part_type":"tool","tool_call_id":"{id}","tool_output":"r","metadata":"{{\"originalRole\":\"toolResult\"}}"}}"#
        )
    };
    let answered = |other: &str| {
        let rows = format!("{},{}", row("a"), row(other));
        format!(r#"[{CALL},{{"role":"tool","content":"","parts":[{rows}]}}]"#)
    };
    valid("lossless-claw", &[&answered("a")]);
    broken("lossless-claw", &[(&answered("b"), &[("orphan-tool-result", "/1/parts/1")])]);
}
