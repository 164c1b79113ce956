//! `ai-sdk.model` and `ai-sdk.ui`.

use super::{broken, valid};

const CALL: &str =
    r#"{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"read","input":{}}]}"#;
const RESULT: &str = r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"read","output":{"type":"text","value":"a"}}]}"#;

#[test]
fn valid_model_messages() {
    let output = |output: &str| format!("[{CALL},{}]", RESULT.replace(r#"{"type":"text","value":"a"}"#, output));
    valid(
        "ai-sdk.model",
        &[
            r#"[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":"a"}]"#,
            r#"[{"role":"user","content":[{"type":"text","text":"t"},{"type":"image","image":"$PNG","mediaType":"image/png"},{"type":"image","image":"https://a/b.png"},{"type":"file","data":"data:application/pdf;base64,JVBERi0=","mediaType":"application/pdf"}]}]"#,
            r#"[{"role":"assistant","content":[{"type":"reasoning","text":"r","providerOptions":{"anthropic":{"signature":"s"}}},{"type":"text","text":"t"}]}]"#,
            // A tool that the provider runs has its result in the same message.
            r#"[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"search","input":"q","providerExecuted":true},{"type":"tool-result","toolCallId":"c1","toolName":"search","output":{"type":"json","value":[]}}]}]"#,
            // A call that waits for approval has no result yet.
            r#"[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"rm","input":{}},{"type":"tool-approval-request","approvalId":"a1","toolCallId":"c1"}]},{"role":"tool","content":[{"type":"tool-approval-response","approvalId":"a1","approved":true}]}]"#,
            &format!("[{CALL},{RESULT}]"),
            &output(r#"{"type":"json","value":null}"#),
            &output(r#"{"type":"error-text","value":"e"}"#),
            &output(r#"{"type":"error-json","value":{"a":1}}"#),
            &output(r#"{"type":"execution-denied","reason":"no"}"#),
            &output(
                r#"{"type":"content","value":[{"type":"text","text":"t"},{"type":"image-data","data":"$PNG","mediaType":"image/png"},{"type":"file-url","url":"https://a/b"},{"type":"custom"}]}"#,
            ),
        ],
    );
}

#[test]
fn broken_model_messages() {
    let call = |from: &str, to: &str| format!("[{},{RESULT}]", CALL.replace(from, to));
    let result = |from: &str, to: &str| format!("[{CALL},{}]", RESULT.replace(from, to));
    let output = "{\"type\":\"text\",\"value\":\"a\"}";
    broken(
        "ai-sdk.model",
        &[
            (&call("\"input\":{}", "\"args\":{}"), &[("tool-call-arguments-missing", "/0/content/0")]),
            (&call("\"input\":{}", "\"input\":\"{}\""), &[("tool-call-arguments-not-an-object", "/0/content/0/input")]),
            (&format!("[{CALL},{CALL},{RESULT}]"), &[("tool-call-without-result", "/0/content/0")]),
            (
                &result("tool-result\"", "tool_result\""),
                &[("tool-call-without-result", "/0/content/0"), ("foreign-block-shape", "/1/content/0")],
            ),
            (&result(output, "\"a\""), &[("foreign-block-shape", "/1/content/0/output")]),
            (&result(output, "{\"type\":\"text\"}"), &[("text-not-a-string", "/1/content/0/output")]),
            (
                &result("\"toolName\":\"read\"", "\"toolName\":\"list\""),
                &[("tool-result-name-mismatch", "/1/content/0/toolName")],
            ),
            (r#"[{"role":"tool","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"system","content":[{"type":"text","text":"t"}]}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"user","content":[{"type":"image"}]}]"#, &[("image-without-data", "/0/content/0")]),
            (
                r#"[{"role":"user","content":[{"type":"file","data":"AAAA"}]}]"#,
                &[("file-type-missing", "/0/content/0")],
            ),
            (
                r#"[{"role":"user","content":"t","providerOptions":{"openai":1}}]"#,
                &[("native-malformed", "/0/providerOptions")],
            ),
        ],
    );
}

const TOOL: &str = r#"{"type":"tool-read","toolCallId":"c1","state":"output-available","input":{},"output":"a"}"#;

fn ui(part: &str) -> String {
    format!(r#"[{{"id":"m","role":"assistant","parts":[{part}]}}]"#)
}

#[test]
fn valid_ui_messages() {
    valid(
        "ai-sdk.ui",
        &[
            r#"[{"id":"1","role":"user","parts":[{"type":"text","text":"t"},{"type":"file","mediaType":"image/png","url":"data:image/png;base64,$PNG"},{"type":"data-x","data":null}]}]"#,
            &ui(TOOL),
            &ui(&format!(
                "{{\"type\":\"step-start\"}},{TOOL},{{\"type\":\"step-start\"}},{{\"type\":\"text\",\"text\":\"t\"}}"
            )),
            &ui(
                r#"{"type":"dynamic-tool","toolName":"read","toolCallId":"c1","state":"output-error","input":{},"errorText":"e"}"#,
            ),
            &ui(
                r#"{"type":"tool-rm","toolCallId":"c1","state":"approval-requested","input":{},"approval":{"id":"a"}}"#,
            ),
            &ui(
                r#"{"type":"tool-rm","toolCallId":"c1","state":"output-denied","input":{},"approval":{"id":"a","approved":false}}"#,
            ),
            &ui(r#"{"type":"tool-call","toolCallId":"c1","state":"output-available","input":{},"output":"a"}"#),
            &ui(r#"{"type":"reasoning","text":"r"},{"type":"source-url","sourceId":"s","url":"https://a"}"#),
        ],
    );
}

#[test]
fn broken_ui_messages() {
    let tool = |from: &str, to: &str| ui(&TOOL.replace(from, to));
    broken(
        "ai-sdk.ui",
        &[
            (r#"[{"role":"user","parts":[{"type":"text","text":"t"}]}]"#, &[("message-without-id", "/0")]),
            (r#"[{"id":"1","role":"user","content":"t"}]"#, &[("content-missing", "/0")]),
            (r#"[{"id":"1","role":"user","parts":[]}]"#, &[("empty-message", "/0/parts")]),
            (
                &tool("output-available", "input-streaming"),
                &[("tool-call-without-result", "/0/parts/0"), ("streaming-marker", "/0/parts/0/state")],
            ),
            (&tool("output-available", "done"), &[("tool-part-without-state", "/0/parts/0/state")]),
            (&tool(",\"output\":\"a\"", ""), &[("tool-part-without-state", "/0/parts/0/state")]),
            (&tool("\"input\":{},", ""), &[("tool-call-arguments-missing", "/0/parts/0")]),
            (
                &ui(r#"{"type":"tool-call","toolCallId":"c1","toolName":"read","input":{}}"#),
                &[("tool-call-alias", "/0/parts/0")],
            ),
            (&tool("tool-read", "tool-"), &[("tool-call-without-name", "/0/parts/0/type")]),
            (
                &ui(r#"{"type":"file","mediaType":"image/png","url":"AAAA"}"#),
                &[("media-without-address", "/0/parts/0/url")],
            ),
            (
                &ui(r#"{"type":"text","text":"t","providerMetadata":1}"#),
                &[("native-malformed", "/0/parts/0/providerMetadata")],
            ),
        ],
    );
}
