//! `mistral.chat`, and the target `mistral`.

use super::{broken, judge, open_ended, options, valid};
use crate::CheckOptions;
use wirecanon_model::Mode;
use wirecanon_model::target::Target;

/// A turn with a call, and its result.
const CALL: &str =
    r#"{"role":"assistant","content":"","tool_calls":[{"id":"abcdefghi","function":{"name":"f","arguments":"{}"}}]}"#;
const RESULT: &str = r#"{"role":"tool","tool_call_id":"abcdefghi","name":"f","content":"r"}"#;

const VALID: &[&str] = &[
    r#"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"system","content":[{"type":"text","text":"s"}]},{"role":"user","content":"u"},{"role":"system","content":"s"},{"role":"user","content":null}]}"#,
    r#"[{"role":"user","content":[{"type":"text","text":"t"},{"type":"image_url","image_url":"data:image/png;base64,$PNG"},{"type":"image_url","image_url":{"url":"https://x.test/a.png","detail":"low"}},{"type":"document_url","document_url":"https://x.test/a.pdf","document_name":"a"},{"type":"document_url","document_url":"data:application/pdf;base64,JVBERi0="},{"type":"input_audio","input_audio":"AAAA"},{"type":"file","file_id":"f"}]}]"#,
    r#"[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"h"},{"type":"reference","reference_ids":[1]}],"closed":true,"signature":"s"},{"type":"text","text":"t"},{"type":"reference","reference_ids":[1]}]},{"role":"user","content":"u"}]"#,
    r#"[{"role":"user","content":"u"},{"role":"assistant","content":null,"tool_calls":[{"id":"abcdefghi","type":"function","index":0,"function":{"name":"f","arguments":{"a":1}}},{"id":"ABCDEFGH1","function":{"name":"g","arguments":"{}"}}],"prefix":false},{"role":"tool","tool_call_id":"ABCDEFGH1","content":"r"},{"role":"tool","tool_call_id":"abcdefghi","content":null}]"#,
    r#"[{"role":"user","content":"u"},{"role":"assistant","content":"t","prefix":true}]"#,
];

#[test]
fn valid_transcripts() {
    valid("mistral.chat", VALID);
    valid("mistral", VALID);
    let free = [
        format!("[{CALL},{RESULT},{{\"role\":\"user\",\"content\":\"u\"}}]"),
        format!("[{CALL},{RESULT}]").replace("abcdefghi", "call_1"),
        r#"[{"role":"user","content":"u"},{"role":"assistant","content":"t"},{"role":"system","content":"s"}]"#
            .to_owned(),
        format!("[{CALL},{RESULT}]")
            .replace("\"r\"", r#"[{"type":"image_url","image_url":"data:image/png;base64,$PNG"}]"#),
    ];
    for document in &free {
        valid("mistral.chat", &[document]);
    }
    open_ended("mistral", &[&format!("[{CALL}]"), r#"[{"role":"assistant","content":"t"}]"#]);
}

#[test]
fn shapes() {
    broken(
        "mistral.chat",
        &[
            (r#"[{"role":"developer","content":"s"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"user"}]"#, &[("content-missing", "/0")]),
            (r#"[{"role":"user","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"assistant","content":" "}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"assistant"}]"#, &[("empty-message", "/0")]),
            (r#"[{"role":"assistant","content":7}]"#, &[("content-not-a-list", "/0/content")]),
            (
                r#"[{"role":"assistant","content":"t","reasoning_content":"h"}]"#,
                &[("unknown-field", "/0/reasoning_content")],
            ),
            (r#"[{"role":"user","content":"t","name":"bob"}]"#, &[("unknown-field", "/0/name")]),
            (
                r#"[{"role":"user","content":[{"type":"text","text":"t","cache_control":{}}]}]"#,
                &[("unknown-field", "/0/content/0/cache_control")],
            ),
            (
                r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"h"}]}]"#,
                &[("foreign-block-shape", "/0/content/0/thinking")],
            ),
            (
                r#"[{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"image"}]}]}]"#,
                &[("foreign-block-shape", "/0/content/0/thinking/0")],
            ),
            (
                r#"[{"role":"assistant","content":[{"type":"image_url","image_url":"https://x.test/a"}]}]"#,
                &[("block-in-wrong-role", "/0/content/0")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"image_url","image_url":""}]}]"#,
                &[("image-without-data", "/0/content/0/image_url")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"input_audio","input_audio":{"format":"wav"}}]}]"#,
                &[("file-without-data", "/0/content/0/input_audio")],
            ),
            (
                r#"[{"role":"user","content":[{"type":"document_url","document_url":""}]}]"#,
                &[("file-without-data", "/0/content/0/document_url")],
            ),
            (r#"[{"role":"user","content":[{"type":"video_url"}]}]"#, &[("unknown-block", "/0/content/0")]),
        ],
    );
}

#[test]
fn calls() {
    let pair = |from: &str, to: &str| format!("[{CALL},{RESULT}]").replace(from, to);
    for (document, expected) in [
        (
            pair("\"abcdefghi\"", "\"null\""),
            &[("tool-call-without-id", "/0/tool_calls/0/id"), ("tool-result-without-id", "/1/tool_call_id")][..],
        ),
        (pair("\"{}\"", "\"no\""), &[("tool-call-arguments-invalid", "/0/tool_calls/0/function/arguments")]),
        (pair("\"{}\"", "7"), &[("tool-call-arguments-not-a-string", "/0/tool_calls/0/function/arguments")]),
        (pair("\"id\"", "\"type\":\"custom\",\"id\""), &[("unknown-block", "/0/tool_calls/0/type")]),
        (pair("\"id\"", "\"weird\":1,\"id\""), &[("unknown-field", "/0/tool_calls/0/weird")]),
        (format!("[{CALL}]"), &[("tool-call-without-result", "/0/tool_calls/0")]),
        (format!("[{{\"role\":\"user\",\"content\":\"u\"}},{RESULT}]"), &[("orphan-tool-result", "/1")]),
    ] {
        broken("mistral.chat", &[(&document, expected)]);
    }
}

#[test]
fn the_server() {
    let user = r#"{"role":"user","content":"u"}"#;
    let pair = |from: &str, to: &str| format!("[{user},{CALL},{RESULT}]").replace(from, to);
    for (document, expected) in [
        (
            pair("abcdefghi", "turn1_0"),
            &[
                ("tool-call-id-length", "/1/tool_calls/0/id"),
                ("tool-call-id-characters", "/1/tool_calls/0/id"),
                ("tool-call-id-length", "/2/tool_call_id"),
                ("tool-call-id-characters", "/2/tool_call_id"),
            ][..],
        ),
        (
            pair("\"f\"", "\"a.b\""),
            &[("tool-name-characters", "/1/tool_calls/0/function/name"), ("tool-name-characters", "/2/name")],
        ),
        (
            pair("\"r\"", r#"[{"type":"image_url","image_url":"data:image/png;base64,$PNG"}]"#),
            &[("media-in-tool-result", "/2/content/0")],
        ),
        (
            format!(r#"{{"model":"open-mistral-7b","messages":[{user},{CALL},{RESULT},{user}]}}"#),
            &[("user-after-tool-result", "/messages/3")],
        ),
        (format!("[{user},{{\"role\":\"assistant\",\"content\":\"t\"}}]"), &[("trailing-assistant", "/1")]),
        (
            format!("[{user},{{\"role\":\"assistant\",\"content\":\"t\",\"prefix\":true}},{user}]"),
            &[("misplaced-prefix", "/1/prefix")],
        ),
        (
            format!("[{user},{{\"role\":\"assistant\",\"content\":\"t\"}},{{\"role\":\"system\",\"content\":\"s\"}}]"),
            &[("misplaced-system", "/2")],
        ),
        ("[]".to_owned(), &[("no-messages", "")]),
    ] {
        broken("mistral", &[(&document, expected)]);
    }
}

#[test]
fn words_beside_calls_where_the_model_takes_either() {
    let talk = r#"[{"role":"user","content":"go"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"abcdefghi","function":{"name":"read","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcdefghi","content":"a"}]"#;
    valid("mistral", &[talk]);
    let asked = Target::by_name("mistral").expect("a target").with("words-beside-calls", "refuse").expect("a switch");
    let asked = CheckOptions { target: &asked, ..options("mistral", Mode::Request) };
    let found = judge(talk.as_bytes(), &asked);
    assert_eq!(found, [("words-beside-calls".to_owned(), "/1/content".to_owned())]);
    assert_eq!(judge(talk.replace("I look.", "").as_bytes(), &asked), []);
}
