//! `langchain`.

use super::{broken, open_ended, valid};

/// A turn with a call `a`.
const CALL: &str =
    r#"{"type":"ai","data":{"content":"","tool_calls":[{"name":"f","args":{},"id":"a","type":"tool_call"}]}}"#;
/// Its result.
const RESULT: &str = r#"{"type":"tool","data":{"content":"r","tool_call_id":"a"}}"#;

const VALID: &[&str] = &[
    "[]",
    r#"{"messages":[{"type":"system","data":{"content":"s"}},{"type":"human","data":{"content":"u","id":"1"}}]}"#,
    r#"[{"type":"human","data":{"content":["a",{"type":"text","text":"b"},{"type":"image","base64":"$PNG","mime_type":"image/png"},{"type":"image","url":"https://x.test/a.png"},{"type":"image","file_id":"f"},{"type":"anything","x":1}]}}]"#,
    r#"[{"type":"human","data":{"content":[{"type":"image","source_type":"base64","data":"$PNG","mime_type":"image/png"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}},{"type":"image_url","image_url":"https://x.test"},{"type":"file","base64":"JVBERi0=","mime_type":"application/pdf"},{"type":"audio","url":"https://x.test/a.wav"},{"type":"text-plain","text":"t"}]}}]"#,
    r#"[{"type":"ai","data":{"content":[{"type":"thinking","thinking":"x"},{"type":"tool_use","id":"a","name":"f","input":{}}],"tool_calls":[{"name":"f","args":{},"id":"a"}],"invalid_tool_calls":[{"name":"g","args":"{","id":"b","error":null}],"additional_kwargs":{"tool_calls":[{"id":"a"}]}}},
        {"type":"tool","data":{"content":"","tool_call_id":"b","status":"error"}},{"type":"tool","data":{"content":[],"tool_call_id":"a","status":"success","artifact":{}}}]"#,
    r#"[{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"u"}},{"type":"human","content":"flat"},{"type":"AIMessageChunk","data":{"content":"c"}}]"#,
];

#[test]
fn valid_transcripts() {
    valid("langchain", VALID);
    valid("langchain", &[&format!("[{CALL},{RESULT}]"), RESULT]);
    open_ended("langchain", &[&format!("[{CALL}]")]);
}

#[test]
fn messages() {
    broken(
        "langchain",
        &[
            ("[7]", &[("message-not-an-object", "/0")]),
            (r#"[{"role":"user","content":"u"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"bystander","content":"u"}]"#, &[("unknown-role", "/0/role")]),
            (r#"[{"type":"assistant","data":{"content":"u"}}]"#, &[("role-alias", "/0/type")]),
            (r#"[{"type":"remove","data":{"content":""}}]"#, &[("unknown-role", "/0/type")]),
            (r#"[{"type":"human","data":{}}]"#, &[("content-missing", "/0/data")]),
            (r#"[{"type":"human","data":{"content":{"a":1}}}]"#, &[("content-not-a-list", "/0/data/content")]),
            (r#"[{"type":"human","data":{"content":"u","content":"u"}}]"#, &[("duplicate-key", "/0/data/content")]),
            (
                r#"[{"type":"human","data":{"content":"u","tool_calls":[{}]}}]"#,
                &[("block-in-wrong-role", "/0/data/tool_calls")],
            ),
            (
                r#"[{"type":"ai","data":{"content":"","additional_kwargs":{"tool_calls":[{"id":"a"}]}}}]"#,
                &[("field-alias", "/0/data/additional_kwargs")],
            ),
            (
                r#"[{"type":"AIMessageChunk","data":{"content":"","tool_call_chunks":[{"id":"a"}]}}]"#,
                &[("streaming-marker", "/0/data/tool_call_chunks")],
            ),
            (
                r#"[{"type":"AIMessageChunk","data":{"content":"","tool_call_chunks":"x"}}]"#,
                &[("content-not-a-list", "/0/data/tool_call_chunks")],
            ),
            (
                r#"[{"type":"AIMessageChunk","data":{"content":"","tool_calls":[],"tool_call_chunks":[7]}}]"#,
                &[("content-not-a-list", "/0/data/tool_call_chunks"), ("streaming-marker", "/0/data/tool_call_chunks")],
            ),
        ],
    );
}

#[test]
fn items() {
    for (kind, item, rule, pointer) in [
        ("human", "7", "unknown-block", ""),
        ("human", "{}", "unknown-block", ""),
        ("human", r#"{"type":"text"}"#, "text-not-a-string", ""),
        ("human", r#"{"type":"image"}"#, "image-without-data", ""),
        ("human", r#"{"type":"image","url":"data:image/png;base64,$PNG"}"#, "image-data-url-prefix", ""),
        ("human", r#"{"type":"image","base64":"$JPEG","mime_type":"image/png"}"#, "image-type-mismatch", "/mime_type"),
        ("human", r#"{"type":"image_url","image_url":{}}"#, "image-without-data", ""),
        ("human", r#"{"type":"file"}"#, "file-without-data", ""),
        ("human", r#"{"type":"file","base64":"??","mime_type":"a/b"}"#, "file-data-not-base64", "/base64"),
        ("human", r#"{"type":"reasoning","reasoning":"x"}"#, "block-in-wrong-role", ""),
        ("human", r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#, "block-in-wrong-role", ""),
        ("human", r#"{"type":"tool_result","tool_use_id":"a"}"#, "foreign-block-shape", ""),
        ("human", r#"{"type":"input_text","text":"t"}"#, "foreign-block-shape", ""),
        ("system", r#"{"type":"image","url":"https://x.test"}"#, "block-in-wrong-role", ""),
        ("ai", r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#, "tool-call-alias", ""),
        ("ai", r#"{"type":"input_json_delta","partial_json":"{"}"#, "streaming-marker", ""),
    ] {
        let document = format!(r#"[{{"type":"{kind}","data":{{"content":[{item}]}}}}]"#);
        broken("langchain", &[(&document, &[(rule, &format!("/0/data/content/0{pointer}"))])]);
    }
}

#[test]
fn calls_and_results() {
    for (list, entry, rule, pointer) in [
        ("tool_calls", "7", "unknown-block", ""),
        ("tool_calls", r#"{"name":"f","args":"{}","id":"a"}"#, "tool-call-arguments-not-an-object", "/args"),
        ("tool_calls", r#"{"name":"f","args":null,"id":"a"}"#, "tool-call-arguments-missing", "/args"),
        ("tool_calls", r#"{"name":"f","args":{},"id":"a","index":0}"#, "unknown-field", "/index"),
        ("tool_calls", r#"{"name":"f","args":{},"id":"a","type":"function"}"#, "field-alias", "/type"),
        ("tool_calls", r#"{"args":{},"id":"a"}"#, "tool-call-without-name", ""),
        ("invalid_tool_calls", r#"{"name":"f","args":{},"id":"a"}"#, "field-alias", "/args"),
    ] {
        let answer = if entry == "7" { String::new() } else { format!(",{RESULT}") };
        let document = format!(r#"[{{"type":"ai","data":{{"content":"","{list}":[{entry}]}}}}{answer}]"#);
        broken("langchain", &[(&document, &[(rule, &format!("/0/data/{list}/0{pointer}"))])]);
    }
    let with = |result: &str| format!("[{CALL},{result}]");
    for (result, rule, pointer) in [
        (
            r#"{"type":"tool","data":{"content":"r","tool_call_id":"a","status":"failed"}}"#,
            "tool-status-unknown",
            "/status",
        ),
        (r#"{"type":"tool","data":{"content":"r","tool_call_id":"a","is_error":true}}"#, "field-alias", "/is_error"),
        (r#"{"type":"tool","data":{"content":null,"tool_call_id":"a"}}"#, "content-missing", "/content"),
        (r#"{"type":"tool","data":{"content":"r","tool_call_id":" a"}}"#, "tool-call-id-white-space", "/tool_call_id"),
    ] {
        broken("langchain", &[(&with(result), &[(rule, &format!("/1/data{pointer}"))])]);
    }
    let unpaired = [("tool-call-without-result", "/0/data/tool_calls/0"), ("tool-result-without-id", "/1/data")];
    broken("langchain", &[(&with(r#"{"type":"tool","data":{"content":"r"}}"#), &unpaired)]);
    broken("langchain", &[(&format!("[{CALL},{RESULT},{RESULT}]"), &[("duplicate-tool-result", "/2")])]);
    broken(
        "langchain",
        &[(
            r#"[{"type":"ai","data":{"content":"","tool_calls":null}}]"#,
            &[("content-not-a-list", "/0/data/tool_calls")],
        )],
    );
}
