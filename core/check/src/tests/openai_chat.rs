//! `openai.chat`, and the target `openai`.

use super::{broken, open_ended, options, valid};
use crate::CheckOptions;
use wirecanon_model::Mode;

/// A turn with a call `a`.
const CALL: &str = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
/// Its result.
const RESULT: &str = r#"{"role":"tool","tool_call_id":"a","content":"r"}"#;

const VALID: &[&str] = &[
    r#"{"model":"m","messages":[{"role":"developer","content":"d"},{"role":"system","content":[{"type":"text","text":"s"}]},{"role":"user","content":""}],"tools":[]}"#,
    r#"[{"role":"user","content":[{"type":"text","text":""},{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG","detail":"low"}},{"type":"image_url","image_url":{"url":"https://x.test/a.png"}}],"name":"bob"}]"#,
    r#"[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERi0=","filename":"a.pdf"}},{"type":"file","file":{"file_id":"f-1"}},{"type":"file","file":{"file_data":"AAAA","filename":"b.pdf"}}]}]"#,
    r#"[{"role":"user","content":"u"},{"role":"assistant","content":"t"}]"#,
    r#"[{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"refusal","refusal":"no"}],"refusal":null,"audio":null,"function_call":null,"tool_calls":null}]"#,
    r#"[{"role":"assistant","content":null,"refusal":"no"},{"role":"assistant","audio":{"id":"x"}},{"role":"assistant","content":""}]"#,
    r#"[{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":null},{"role":"function","name":"f","content":"r"}]"#,
    r#"[{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"f","input":""}}],"reasoning_content":"x"},{"role":"tool","tool_call_id":"a","content":""}]"#,
    // Results in any order; system messages anywhere; the same id again in a later turn.
    r#"[{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"r"}]},{"role":"tool","tool_call_id":"a","content":"r"},
        {"role":"system","content":"s"},
        {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"}]"#,
];

#[test]
fn valid_transcripts() {
    valid("openai.chat", VALID);
    valid("openai", VALID);
    valid("openai.chat", &["[]", &format!("[{CALL},{RESULT}]").replace("\"a\"", &format!("\"{}\"", "x:".repeat(40)))]);
    open_ended("openai.chat", &[&format!("[{CALL}]")]);
    open_ended("openai", &["[]"]);
}

#[test]
fn messages() {
    broken(
        "openai.chat",
        &[
            (r#"[{"role":"toolResult","content":"r"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"narrator","content":"r"}]"#, &[("unknown-role", "/0/role")]),
            (r#"[{"role":"User","content":"r"}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"user"}]"#, &[("content-missing", "/0")]),
            (r#"[{"role":"user","content":null}]"#, &[("content-missing", "/0/content")]),
            (r#"[{"role":"user","content":{"type":"text","text":"t"}}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"user","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"assistant"}]"#, &[("empty-message", "/0")]),
            (r#"[{"role":"assistant","content":null}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"assistant","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"assistant","content":7}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"assistant","content":"t","refusal":7}]"#, &[("text-not-a-string", "/0/refusal")]),
            (
                r#"[{"role":"assistant","content":"t","reasoning_content":7,"reasoning":null}]"#,
                &[("text-not-a-string", "/0/reasoning_content")],
            ),
            (r#"[{"role":"assistant","content":"t","reasoning":["r"]}]"#, &[("text-not-a-string", "/0/reasoning")]),
            (r#"[{"role":"assistant","content":"t","tool_calls":[]}]"#, &[("empty-tool-calls", "/0/tool_calls")]),
            (r#"[{"role":"assistant","content":"t","tool_calls":{}}]"#, &[("foreign-block-shape", "/0/tool_calls")]),
            (r#"[{"role":"user","content":"t","tool_calls":[]}]"#, &[("block-in-wrong-role", "/0/tool_calls")]),
            (r#"[{"role":"function","content":"r"}]"#, &[("tool-call-without-name", "/0")]),
        ],
    );
}

#[test]
fn parts() {
    for (role, part, rule, pointer) in [
        ("user", "7", "unknown-block", ""),
        ("user", r#"{"type":"text"}"#, "text-not-a-string", ""),
        ("user", r#"{"type":"video"}"#, "unknown-block", ""),
        ("user", r#"{"type":"input_text","text":"t"}"#, "foreign-block-shape", ""),
        ("user", r#"{"type":"image","data":"$PNG","mimeType":"image/png"}"#, "foreign-block-shape", ""),
        ("user", r#"{"type":"refusal","refusal":"no"}"#, "block-in-wrong-role", ""),
        ("system", r#"{"type":"image_url","image_url":{"url":"https://x.test"}}"#, "block-in-wrong-role", ""),
        ("assistant", r#"{"type":"image_url","image_url":{"url":"https://x.test"}}"#, "block-in-wrong-role", ""),
        ("assistant", r#"{"type":"thinking","thinking":"t"}"#, "foreign-block-shape", ""),
        ("assistant", r#"{"type":"tool_use","id":"a"}"#, "tool-call-alias", ""),
        ("user", r#"{"type":"image_url"}"#, "image-without-data", ""),
        ("user", r#"{"type":"image_url","image_url":{}}"#, "image-without-data", "/image_url"),
        ("user", r#"{"type":"image_url","image_url":{"url":""}}"#, "image-without-data", "/image_url/url"),
        ("user", r#"{"type":"image_url","image_url":"https://x.test"}"#, "foreign-block-shape", "/image_url"),
        ("user", r#"{"type":"image_url","image_url":{"url":"$PNG"}}"#, "media-without-address", "/image_url/url"),
        (
            "user",
            r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,"}}"#,
            "image-without-data",
            "/image_url/url",
        ),
        (
            "user",
            r#"{"type":"image_url","image_url":{"url":"data:;base64,$PNG"}}"#,
            "image-type-missing",
            "/image_url/url",
        ),
        (
            "user",
            r#"{"type":"image_url","image_url":{"url":"data:text/plain;base64,$PNG"}}"#,
            "image-type-mismatch",
            "/image_url/url",
        ),
        (
            "user",
            r#"{"type":"image_url","image_url":{"url":"data:image/png,%89PNG"}}"#,
            "image-data-not-base64",
            "/image_url/url",
        ),
        (
            "user",
            r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,@@@@"}}"#,
            "image-data-not-base64",
            "/image_url/url",
        ),
        (
            "user",
            r#"{"type":"image_url","image_url":{"url":"data:image/png;base64, $PNG"}}"#,
            "image-base64-not-canonical",
            "/image_url/url",
        ),
        (
            "user",
            r#"{"type":"image_url","image_url":{"url":"data:application/pdf;base64,AAAA"}}"#,
            "image-not-an-image",
            "/image_url/url",
        ),
        ("user", r#"{"type":"input_audio","input_audio":{"format":"wav"}}"#, "file-without-data", "/input_audio"),
        (
            "user",
            r#"{"type":"input_audio","input_audio":{"data":"AAAA","format":"ogg"}}"#,
            "file-type-missing",
            "/input_audio/format",
        ),
        ("user", r#"{"type":"file","file":{"filename":"a.pdf"}}"#, "file-without-data", "/file"),
        (
            "user",
            r#"{"type":"file","file":{"file_data":"data:application/pdf;base64,"}}"#,
            "file-without-data",
            "/file/file_data",
        ),
        (
            "user",
            r#"{"type":"file","file":{"file_data":"data:application/pdf;base64,A"}}"#,
            "file-data-not-base64",
            "/file/file_data",
        ),
        (
            "user",
            r#"{"type":"file","file":{"file_data":"data:video/mp4;base64,AAAA"}}"#,
            "file-not-accepted",
            "/file/file_data",
        ),
    ] {
        let document = format!(r#"[{{"role":"{role}","content":[{part}]}}]"#);
        broken("openai.chat", &[(&document, &[(rule, &format!("/0/content/0{pointer}"))])]);
    }
    // The server takes fewer kinds of picture than the dialect can spell.
    let bitmap =
        r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/bmp;base64,Qk0A"}}]}]"#;
    valid("openai.chat", &[bitmap]);
    broken("openai", &[(bitmap, &[("image-type-not-accepted", "/0/content/0/image_url/url")])]);
}

#[test]
fn a_target_that_does_not_fetch() {
    let mut target = options("openai.chat", Mode::Request).target.clone();
    target.media.links = false;
    let options = CheckOptions { target: &target, ..options("openai.chat", Mode::Request) };
    let document = br#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.test"}}]}]"#;
    let expected = [("media-by-address".to_owned(), "/0/content/0/image_url/url".to_owned())];
    assert_eq!(super::judge(document, &options), expected);
}

#[test]
fn calls() {
    let at = "/0/tool_calls/0";
    for (from, to, rule, pointer) in [
        (r#","arguments":"{}""#, "", "tool-call-arguments-missing", "/function"),
        (r#""arguments":"{}""#, r#""arguments":null"#, "tool-call-arguments-missing", "/function/arguments"),
        (r#""arguments":"{}""#, r#""arguments":"""#, "tool-call-arguments-missing", "/function/arguments"),
        (r#""arguments":"{}""#, r#""arguments":{}"#, "tool-call-arguments-not-a-string", "/function/arguments"),
        (r#""arguments":"{}""#, r#""arguments":"{oops""#, "tool-call-arguments-invalid", "/function/arguments"),
        (r#""arguments":"{}""#, r#""arguments":"\"{}\"""#, "tool-call-arguments-encoded-twice", "/function/arguments"),
        (r#""name":"f","#, "", "tool-call-without-name", "/function"),
        (r#""type":"function","#, "", "foreign-block-shape", ""),
        (r#""type":"function""#, r#""type":"tool""#, "unknown-block", "/type"),
        (r#""type":"function","function""#, r#""type":"custom","custom""#, "tool-call-arguments-missing", "/custom"),
    ] {
        let document = format!("[{CALL},{RESULT}]").replacen(from, to, 1);
        broken("openai.chat", &[(&document, &[(rule, &format!("{at}{pointer}"))])]);
    }
    broken(
        "openai.chat",
        &[
            (
                &format!("[{CALL},{RESULT}]").replacen(r#""id":"a","#, "", 1),
                &[("tool-call-without-id", "/0/tool_calls/0"), ("orphan-tool-result", "/1")],
            ),
            (
                r#"[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":{}}}]"#,
                &[("tool-call-arguments-not-a-string", "/0/function_call/arguments")],
            ),
            (r#"[{"role":"assistant","tool_calls":[null]}]"#, &[("unknown-block", "/0/tool_calls/0")]),
        ],
    );
}

#[test]
fn results() {
    let image = r#"[{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]"#;
    for (content, rule, pointer) in [
        (image, "media-in-tool-result", "/content/0"),
        (
            r#"[{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}}]"#,
            "media-in-tool-result",
            "/content/0",
        ),
        ("null", "content-missing", "/content"),
        ("{}", "content-not-a-list", "/content"),
        ("[]", "empty-tool-result", "/content"),
    ] {
        let document = format!("[{CALL},{}]", RESULT.replace("\"r\"", content));
        broken("openai.chat", &[(&document, &[(rule, &format!("/1{pointer}"))])]);
    }
    let without = r#"[{"role":"tool","content":"r"}]"#;
    broken("openai.chat", &[(without, &[("tool-result-without-id", "/0")])]);
}

#[test]
fn ids_and_names_of_the_server() {
    let long = "x".repeat(65);
    let document = format!("[{CALL},{RESULT}]").replace("\"a\"", &format!("\"{long}\""));
    broken(
        "openai",
        &[(&document, &[("tool-call-id-length", "/0/tool_calls/0/id"), ("tool-call-id-length", "/1/tool_call_id")])],
    );
    let name = |name: &str| format!("[{CALL},{RESULT}]").replace("\"f\"", &format!("\"{name}\""));
    let at = "/0/tool_calls/0/function/name";
    broken("openai", &[(&name("a.b"), &[("tool-name-characters", at)])]);
    broken("openai", &[(&name(&"n".repeat(65)), &[("tool-name-length", at)])]);
    valid("openai", &[&name(&"n".repeat(64))]);
    valid("openai.chat", &[&name("a.b")]);
    broken("openai", &[(r#"[{"role":"user","name":"a b","content":"u"}]"#, &[("tool-name-characters", "/0/name")])]);
}

#[test]
fn pairing() {
    let user = r#"{"role":"user","content":"u"}"#;
    let other = CALL.replace("\"a\"", "\"b\"");
    broken(
        "openai.chat",
        &[
            (&format!("[{CALL},{user}]"), &[("tool-call-without-result", "/0/tool_calls/0")]),
            (&format!("[{CALL},{user},{RESULT}]"), &[("tool-result-displaced", "/2")]),
            (&format!("[{CALL},{RESULT},{user},{RESULT}]"), &[("duplicate-tool-result", "/3")]),
            (&format!("[{RESULT},{CALL}]"), &[("tool-result-before-call", "/0")]),
            (&format!("[{user},{RESULT}]"), &[("orphan-tool-result", "/1")]),
            (
                &format!("[{CALL},{other},{RESULT}]"),
                &[("tool-call-without-result", "/1/tool_calls/0"), ("tool-result-displaced", "/2")],
            ),
        ],
    );
}
