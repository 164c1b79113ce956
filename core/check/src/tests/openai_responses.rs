//! `openai.responses`, and the targets `openai-responses` and `openai-codex`.

use super::{broken, judge, open_ended, options, valid};
use crate::CheckOptions;
use wirecanon_model::{Mode, target};

/// A call `a`.
const CALL: &str = r#"{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"}"#;
/// Its output.
const OUTPUT: &str = r#"{"type":"function_call_output","call_id":"a","output":"r"}"#;

const VALID: &[&str] = &[
    r#"{"input":"hello"}"#,
    r#"{"model":"m","instructions":"i","input":[{"role":"developer","content":"d"},{"type":"message","role":"system","content":[{"type":"input_text","text":"s"}]},{"role":"user","content":""}],"tools":[]}"#,
    r#"[{"role":"user","content":[{"type":"input_text","text":""},{"type":"input_image","image_url":"data:image/png;base64,$PNG","detail":"low"},{"type":"input_image","image_url":"https://x.test/a.png"},{"type":"input_image","file_id":"file-1"}]}]"#,
    r#"[{"role":"user","content":[{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="},{"type":"input_file","file_id":"f-1"},{"type":"input_file","file_url":"https://x.test/a.pdf"},{"type":"input_file","file_data":"AAAA"}]}]"#,
    r#"[{"role":"user","content":"u"},{"role":"assistant","content":"t","phase":"commentary"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"t"}]}]"#,
    r#"[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"t"}],"content":null},{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"t","annotations":[]},{"type":"refusal","refusal":"no"}]}]"#,
    // Codex replays reasoning without its id.
    r#"[{"type":"reasoning","summary":[],"encrypted_content":"gAAA"},{"type":"reasoning","id":"rs_1","summary":[],"content":[]},{"type":"web_search_call","id":"ws_1","status":"completed"}]"#,
    r#"[{"type":"custom_tool_call","id":"ctc_1","call_id":"a","name":"f","input":""},{"type":"custom_tool_call_output","call_id":"a","output":[{"type":"input_text","text":"t"},{"type":"input_image","image_url":"data:image/png;base64,$PNG"},{"type":"input_file","file_id":"f"}]}]"#,
    // Outputs in any order, and not right behind their calls.
    r#"[{"type":"function_call","call_id":"a","name":"f","arguments":"{\"a\":1}"},{"type":"function_call","call_id":"b","name":"g","arguments":"{}"},
        {"type":"function_call_output","call_id":"b","output":""},{"role":"user","content":"u"},{"type":"function_call_output","id":"x","call_id":"a","output":"r"}]"#,
    // The server has the call.
    r#"{"previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"a","output":"r"}]}"#,
    r#"{"conversation":"conv_1","input":[{"type":"computer_call_output","call_id":"a","output":{"type":"computer_screenshot","file_id":"f"}}]}"#,
    r#"[{"type":"item_reference","id":"fc_1"},{"type":"function_call_output","call_id":"a","output":"r"}]"#,
    r#"[{"id":"fc_1"},{"type":"function_call_output","call_id":"a","output":"r"}]"#,
    r#"[{"type":"computer_call","id":"cu_1","call_id":"a"},{"type":"computer_call_output","call_id":"a","output":{"type":"computer_screenshot","image_url":"https://x.test/a.png"}},{"type":"mcp_approval_request","id":"mcpr_1"},{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true},{"type":"compaction","encrypted_content":"x"}]"#,
];

#[test]
fn valid_inputs() {
    valid("openai.responses", VALID);
    valid("openai-responses", VALID);
    valid("openai.responses", &["[]", &format!("[{CALL},{OUTPUT}]")]);
    open_ended("openai.responses", &[&format!("[{CALL}]"), r#"[{"type":"reasoning","id":"rs_1","summary":[]}]"#]);
    open_ended("openai-responses", &["[]"]);
    let thought = r#"{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"t"}],"encrypted_content":"gAAA"}"#;
    let thought = format!(r#"[{thought},{{"role":"assistant","content":"a"}}]"#);
    valid("openai.responses", &[&thought]);
    valid("openai-responses", &[&thought]);
    broken("openai-codex", &[(&thought, &[("reasoning-with-content", "/0/content")])]);
    let strict = target::Target::by_name("openai-responses").expect("a target").with("reasoning-content", "refuse");
    let strict = CheckOptions { target: &strict.expect("a switch"), ..options("openai-responses", Mode::Request) };
    assert_eq!(judge(thought.as_bytes(), &strict), [("reasoning-with-content".to_owned(), "/0/content".to_owned())]);
    // One output alone is a fragment.
    valid("openai.responses", &[OUTPUT]);
}

#[test]
fn messages() {
    broken(
        "openai.responses",
        &[
            ("[7]", &[("message-not-an-object", "/0")]),
            (r#"[{"role":"tool","content":"r"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"narrator","content":"r"}]"#, &[("unknown-role", "/0/role")]),
            (r#"[{"role":"User","content":"r"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"type":"message","content":"r"}]"#, &[("unknown-role", "/0")]),
            (r#"[{"type":"status","content":"r"}]"#, &[("unknown-block", "/0")]),
            (r#"[{"type":"tool_use","id":"a"}]"#, &[("tool-call-alias", "/0")]),
            (r#"[{"role":"user"}]"#, &[("content-missing", "/0")]),
            (r#"[{"role":"user","content":7}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"user","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"user","content":"t","content":"u"}]"#, &[("duplicate-key", "/0/content")]),
            (r#"[{"role":"assistant","content":"t","tool_calls":[]}]"#, &[("unknown-field", "/0/tool_calls")]),
            (r#"[{"type":null,"role":"user","content":"t"}]"#, &[("unknown-block", "/0")]),
            (r#"[{"role":"user","content":"t","metadata":{}}]"#, &[("unknown-field", "/0/metadata")]),
            (
                r#"[{"role":"assistant","content":[{"type":"output_text","text":"t","id":"m"}],"model":"m"}]"#,
                &[("unknown-field", "/0/content/0/id"), ("unknown-field", "/0/model")],
            ),
            (r#"[{"role":"user","content":[{"type":"text","text":"t"}]}]"#, &[("foreign-block-shape", "/0/content/0")]),
            (
                r#"[{"role":"assistant","content":[{"type":"input_text","text":"t"}]}]"#,
                &[("block-in-wrong-role", "/0/content/0")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"output_text","text":"t"}]}]"#,
                &[("block-in-wrong-role", "/0/content/0")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"refusal","refusal":"t"}]}]"#,
                &[("block-in-wrong-role", "/0/content/0")],
            ),
            (r#"[{"role":"user","content":[{"type":"input_text"}]}]"#, &[("text-not-a-string", "/0/content/0")]),
        ],
    );
}

#[test]
fn media() {
    broken(
        "openai-responses",
        &[
            (r#"[{"role":"user","content":[{"type":"input_image"}]}]"#, &[("image-without-data", "/0/content/0")]),
            (
                r#"[{"role":"user","content":[{"type":"input_image","image_url":{"url":"https://x.test/a.png"}}]}]"#,
                &[("foreign-block-shape", "/0/content/0/image_url")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"input_image","image_url":"a.png"}]}]"#,
                &[("media-without-address", "/0/content/0/image_url")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"input_image","image_url":"DATA:image/png;base64,$PNG"}]}]"#,
                &[("image-data-url-prefix", "/0/content/0/image_url")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"input_image","image_url":"data:image/tiff;base64,SUkqAAgAAAA="}]}]"#,
                &[("image-type-not-accepted", "/0/content/0/image_url")],
            ),
            (
                r#"[{"role":"assistant","content":[{"type":"input_image","image_url":"data:image/png;base64,$PNG"}]}]"#,
                &[("block-in-wrong-role", "/0/content/0")],
            ),
            (r#"[{"role":"user","content":[{"type":"input_file"}]}]"#, &[("file-without-data", "/0/content/0")]),
            (
                r#"[{"role":"user","content":[{"type":"input_file","file_data":"data:;base64,AAAA"}]}]"#,
                &[("file-type-missing", "/0/content/0/file_data")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"input_file","file_data":"data:application/pdf,AAAA"}]}]"#,
                &[("file-data-not-base64", "/0/content/0/file_data")],
            ),
        ],
    );
}

#[test]
fn calls_and_outputs() {
    let sixty_five = "x".repeat(65);
    let long = format!(
        r#"[{{"type":"function_call","call_id":"{sixty_five}","name":"f","arguments":"{{}}"}},{{"type":"function_call_output","call_id":"{sixty_five}","output":"r"}}]"#
    );
    broken(
        "openai-responses",
        &[
            (&long, &[("tool-call-id-length", "/0/call_id"), ("tool-call-id-length", "/1/call_id")]),
            (&format!("[{OUTPUT},{{\"role\":\"user\",\"content\":\"u\"}}]"), &[("orphan-tool-result", "/0")]),
            (&format!("[{CALL},{{\"role\":\"user\",\"content\":\"u\"}}]"), &[("tool-call-without-result", "/0")]),
            (&format!("[{OUTPUT},{CALL}]"), &[("tool-result-before-call", "/0")]),
            (&format!("[{CALL},{OUTPUT},{OUTPUT}]"), &[("duplicate-tool-result", "/2")]),
            (
                &format!("[{CALL},{OUTPUT},{},{OUTPUT}]", CALL.replace("fc_1", "fc_2")),
                &[("duplicate-tool-call-id", "/2/call_id")],
            ),
            (
                &format!("[{},{OUTPUT}]", CALL.replace("\"{}\"", "{}")),
                &[("tool-call-arguments-not-a-string", "/0/arguments")],
            ),
            (
                &format!("[{},{OUTPUT}]", CALL.replace("\"{}\"", r#""{\"a""#)),
                &[("tool-call-arguments-invalid", "/0/arguments")],
            ),
            (&format!("[{},{OUTPUT}]", CALL.replace("\"f\"", "\"a.b\"")), &[("tool-name-characters", "/0/name")]),
            (&format!("[{},{OUTPUT}]", CALL.replace("\"a\"", "\" a\"")), &[("tool-call-id-white-space", "/0/call_id")]),
            (&format!("[{CALL},{}]", OUTPUT.replace("\"r\"", "{\"a\":1}")), &[("content-not-a-list", "/1/output")]),
            (&format!("[{CALL},{}]", OUTPUT.replace("\"r\"", "[]")), &[("empty-tool-result", "/1/output")]),
            (&format!("[{CALL},{}]", OUTPUT.replace("\"r\"", "null")), &[("content-missing", "/1/output")]),
            (
                &format!("[{CALL},{}]", OUTPUT.replace("function_call_output", "custom_tool_call_output")),
                &[("tool-result-of-another-kind", "/1")],
            ),
            (
                r#"[{"type":"function_call_output","output":"r"},{"role":"user","content":"u"}]"#,
                &[("tool-result-without-id", "/0")],
            ),
            (
                r#"[{"type":"computer_call_output","call_id":"a","output":{"type":"computer_screenshot","file_id":"f"}}]"#,
                &[("provider-item-without-partner", "/0")],
            ),
        ],
    );
}

#[test]
fn items() {
    let message = r#"{"type":"message","id":"msg_1","role":"assistant","content":"t"}"#;
    let id_of_another_server = format!("[{{\"type\":\"reasoning\",\"id\":\"item_1\",\"summary\":[]}},{message}]");
    broken("openai-responses", &[(&id_of_another_server, &[("item-id-malformed", "/0/id")])]);
    valid("openai.responses", &[&id_of_another_server]);
    broken(
        "openai.responses",
        &[(&format!("[{}]", message.replace("msg_1", "019f")), &[("item-id-malformed", "/0/id")])],
    );
    broken(
        "openai.responses",
        &[
            (
                r#"[{"type":"reasoning","id":"rs_1","summary":[]},{"role":"user","content":"u"}]"#,
                &[("provider-item-without-partner", "/0")],
            ),
            (
                &format!("[{{\"type\":\"reasoning\",\"id\":\"rs_1\"}},{message}]"),
                &[("reasoning-without-summary", "/0")],
            ),
            (&format!("[{{\"type\":\"reasoning\",\"summary\":[]}},{message}]"), &[("item-id-malformed", "/0")]),
            (&format!("[{message},{message}]"), &[("duplicate-item-id", "/1/id")]),
            (&format!("[{},{OUTPUT}]", CALL.replace("fc_1", "fc_a+/=")), &[("item-id-malformed", "/0/id")]),
            (r#"[{"type":"item_reference"}]"#, &[("unknown-block", "/0")]),
        ],
    );
    let unsealed = format!("[{{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[]}},{message}]");
    valid("openai-responses", &[&unsealed]);
    broken("openai-codex", &[(&unsealed, &[("thinking-without-signature", "/0")])]);
}

#[test]
fn a_target_that_takes_no_reasoning() {
    let mut target = options("openai.responses", Mode::Request).target.clone();
    target.reasoning.accepted = false;
    let options = CheckOptions { target: &target, ..options("openai.responses", Mode::Request) };
    let text = r#"[{"type":"reasoning","id":"rs_1","summary":[]},{"role":"assistant","content":"t"}]"#;
    assert_eq!(judge(text.as_bytes(), &options), [("thinking-left-out".to_owned(), "/0".to_owned())]);
}

#[test]
fn screenshots_and_the_calls_that_ask_for_them() {
    let around = r#"[{"type":"computer_call","id":"cu_1","call_id":"a"},{"type":"computer_call_output","call_id":"a","output":@},{"role":"user","content":"u"}]"#;
    for shown in [
        r#"{"type":"computer_screenshot","image_url":"data:image/png;base64,AAAA"}"#,
        r#"{"image_url":null,"file_id":"f"}"#,
    ] {
        valid("openai.responses", &[&around.replace('@', shown)]);
    }
    // What a program writes where it has no picture, or has put one away.
    for none in [
        r#"{"type":"computer_screenshot","image_url":""}"#,
        r#"{"type":"computer_screenshot","image_url":"data:image/png;base64,"}"#,
        r#"{"type":"computer_screenshot","image_url":"[screenshot omitted]"}"#,
        r#"{"type":"computer_screenshot"}"#,
        r#""""#,
    ] {
        let text = around.replace('@', none);
        broken("openai.responses", &[(&text, &[("image-without-data", "/1/output")])]);
    }
    let open = r#"[{"role":"user","content":"u"},{"type":"shell_call","id":"sh_1","call_id":"a","action":{}}@]"#;
    valid("openai.responses", &[&open.replace('@', "")]);
    let text = open.replace('@', r#",{"role":"user","content":"v"}"#);
    broken("openai.responses", &[(&text, &[("provider-item-without-partner", "/1")])]);
    let text = format!(r#"{{"previous_response_id":"resp_1","input":{text}}}"#);
    valid("openai.responses", &[&text]);
}

#[test]
fn what_a_server_that_stores_nothing_cannot_know() {
    let request = |item: &str| format!(r#"[{{"role":"user","content":"go"}},{item},{{"role":"user","content":"on"}}]"#);
    let items = [
        r#"{"type":"item_reference","id":"msg_1"}"#,
        r#"{"id":"msg_1"}"#,
        r#"{"type":"image_generation_call","id":"ig_1","status":"failed","result":null}"#,
    ];
    for item in items {
        valid("openai-responses", &[&request(item)]);
        broken("openai-codex", &[(&request(item), &[("item-not-stored", "/1")])]);
    }
    valid(
        "openai-codex",
        &[&request(r#"{"type":"image_generation_call","id":"ig_1","status":"completed","result":"$PNG"}"#)],
    );
    // An output answers nothing that stands here.
    let output = r#"{"type":"function_call_output","call_id":"c","output":"r"}"#;
    let both = format!("{},{output}", items[0]);
    valid("openai-responses", &[&request(&both)]);
    broken("openai-codex", &[(&request(&both), &[("item-not-stored", "/1"), ("orphan-tool-result", "/2")])]);
}
