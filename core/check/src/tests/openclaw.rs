//! `openclaw`.

use super::{broken, open_ended, valid};

/// A turn with a call `a` of `f`.
const CALL: &str = r#"{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}}]}"#;
/// Its result.
const RESULT: &str =
    r#"{"role":"toolResult","toolCallId":"a","toolName":"f","content":[{"type":"text","text":"r"}],"isError":false}"#;

#[test]
fn valid_transcripts() {
    valid(
        "openclaw",
        &[
            r#"[{"role":"user","content":"t","timestamp":1}]"#,
            r#"[{"role":"user","content":""},{"role":"user","content":[{"type":"text","text":" "},{"type":"image","data":"$PNG","mimeType":"image/png"}]}]"#,
            r#"[{"role":"system","content":"s"},{"role":"custom","content":7},{"role":"compactionSummary","summary":"s"},{"role":"bashExecution","command":"ls"},{"role":"branchSummary"}]"#,
            r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"","thinkingSignature":"s"},{"type":"text","text":"t","textSignature":"x"}],"api":"a","provider":"p","model":"m","usage":{},"stopReason":"deferred","timestamp":1}]"#,
            &format!("[{CALL},{RESULT}]"),
            // A composite id, a result with an empty list, details; an aborted turn whose call was answered.
            &format!("[{CALL},{RESULT}]").replace("\"a\"", "\"call_1|fc_1\""),
            &format!("[{CALL},{RESULT}]").replace(r#"[{"type":"text","text":"r"}]"#, "[]"),
            &format!("[{CALL},{RESULT}]").replace("}}]", r#"}}],"stopReason":"aborted""#),
            // Parallel results in any order; nested values inside arguments are free.
            r#"[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{"x":{"x":1,"x":2}}},{"type":"toolCall","id":"b","name":"g","arguments":{}}]},
                {"role":"toolResult","toolCallId":"b","toolName":"g","content":[{"type":"text","text":""}],"isError":true,"details":null},
                {"role":"toolResult","toolCallId":"a","toolName":"f","content":[{"type":"image","data":"$JPEG","mimeType":"image/jpeg"}],"isError":false}]"#,
            RESULT,
        ],
    );
    open_ended("openclaw", &[&format!("[{CALL}]")]);
}

#[test]
fn broken_calls() {
    let pair = format!("[{CALL},{RESULT}]");
    for (from, to, expected) in [
        (r#","arguments":{}"#, "", [("tool-call-arguments-missing", "/0/content/0")]),
        (r#""arguments":{}"#, r#""arguments":null"#, [("tool-call-arguments-missing", "/0/content/0/arguments")]),
        (r#""arguments":{}"#, r#""input":{}"#, [("tool-call-arguments-missing", "/0/content/0")]),
        (r#""arguments":{}"#, r#""arguments":"{}""#, [("tool-call-arguments-not-an-object", "/0/content/0/arguments")]),
        (r#""arguments":{}"#, r#""arguments":{},"args":{"a":1}"#, [("alias-conflict", "/0/content/0")]),
        (r#""arguments":{}"#, r#""arguments":[]"#, [("tool-call-arguments-not-an-object", "/0/content/0/arguments")]),
        (
            r#""arguments":{}"#,
            r#""arguments":{},"partialJson":"{""#,
            [("streaming-marker", "/0/content/0/partialJson")],
        ),
        (r#""arguments":{}"#, r#""arguments":{"a":"\ud800"}"#, [("lone-surrogate", "/0/content/0/arguments/a")]),
        (r#""name":"f","#, "", [("tool-call-without-name", "/0/content/0")]),
        (r#""toolName":"f","#, "", [("tool-result-name-missing", "/1")]),
        (r#""toolName":"f""#, r#""toolName":"""#, [("tool-result-name-missing", "/1/toolName")]),
        (r#""toolName":"f""#, r#""toolName":"write""#, [("tool-result-name-mismatch", "/1/toolName")]),
        (r#","isError":false"#, "", [("error-flag-not-a-boolean", "/1")]),
        (
            r#""type":"text","text":"r""#,
            r#""type":"image","mimeType":"image/png""#,
            [("image-without-data", "/1/content/0")],
        ),
        (
            r#""type":"text","text":"r""#,
            r#""type":"resource_link","uri":"u","name":"n""#,
            [("resource-link-in-tool-result", "/1/content/0")],
        ),
        (
            r#""type":"text","text":"r""#,
            r#""type":"resource","resource":{}"#,
            [("resource-in-tool-result", "/1/content/0")],
        ),
        (r#""type":"text","text":"r""#, r#""type":"audio","data":"AAAA""#, [("audio-in-tool-result", "/1/content/0")]),
        (r#"[{"type":"text","text":"r"}]"#, "\"r\"", [("content-not-a-list", "/1/content")]),
    ] {
        let document = pair.replacen(from, to, 1);
        assert_ne!(document, pair, "{from}");
        // A name that both could lose is meant for the result.
        broken("openclaw", &[(&document, &expected)]);
    }
}

#[test]
fn broken_messages() {
    broken(
        "openclaw",
        &[
            (r#"[{"role":"assistant","content":"t"}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"assistant","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"assistant","content":null}]"#, &[("content-missing", "/0/content")]),
            (r#"[{"role":"user","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"user","content":null}]"#, &[("content-missing", "/0/content")]),
            (r#"[{"role":"user","content":5}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"tool","tool_call_id":"a","content":"r"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":null,"content":"r"}]"#, &[("unknown-role", "/0/role")]),
            (
                r#"[{"role":"assistant","content":[{"type":"toolUse","id":"a","name":"f","input":{}}]}]"#,
                &[("tool-call-alias", "/0/content/0")],
            ),
            (
                r#"[{"role":"assistant","content":[{"type":"image","data":"$PNG","mimeType":"image/png"}]}]"#,
                &[("block-in-wrong-role", "/0/content/0")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}}]}]"#,
                &[("image-without-data", "/0/content/0")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"image","data":"$JPEG","mimeType":"image/png"}]}]"#,
                &[("image-type-mismatch", "/0/content/0/mimeType")],
            ),
            (
                r#"[{"role":"assistant","content":[{"type":"text","text":"t"}],"stopReason":"toolUse"}]"#,
                &[("stop-reason-without-call", "/0/stopReason")],
            ),
        ],
    );
}

#[test]
fn pairing() {
    let user = r#"{"role":"user","content":"u"}"#;
    broken(
        "openclaw",
        &[
            (&format!("[{CALL},{user}]"), &[("tool-call-without-result", "/0/content/0")]),
            (&format!("[{CALL},{user},{RESULT}]"), &[("tool-result-displaced", "/2")]),
            (&format!("[{RESULT},{CALL}]"), &[("tool-result-before-call", "/0")]),
            (&format!("[{CALL},{RESULT},{RESULT}]"), &[("duplicate-tool-result", "/2")]),
            (&format!("[{user},{RESULT}]"), &[("orphan-tool-result", "/1")]),
            (&format!(r#"[{CALL},{{"role":"custom","content":"c"}},{RESULT}]"#), &[("tool-result-displaced", "/2")]),
            (
                &format!("[{},{user}]", CALL.replace("}}]", r#"}}],"stopReason":"error""#)),
                &[("failed-turn-tool-call", "/0/content/0")],
            ),
        ],
    );
}
