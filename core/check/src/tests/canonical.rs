//! The canonical transcript.

use super::{PNG, broken, judge, open_ended, options, valid};
use crate::media::{Base64, base64, picture};
use wirecanon_model::Mode;

const CALL: &str = r#"{"type":"toolCall","id":"a","name":"f","arguments":"{}"}"#;

/// A transcript with one call that is answered by `content`.
fn answered(content: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"assistant","content":[{CALL}]}},{{"role":"toolResult","toolCallId":"a","toolName":"f","content":{content},"isError":false}}]}}"#
    )
}

#[test]
fn valid_transcripts() {
    valid(
        "canonical",
        &[
            r#"{"messages":[]}"#,
            r#"{"messages":[],"model":"m"}"#,
            r#"{"messages":[{"role":"system","content":[{"type":"text","text":"s"}]},{"role":"user","content":[{"type":"text","text":""}]}]}"#,
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"t"},{"type":"image","data":"$PNG","mimeType":"image/png"},{"type":"link","url":"https://x.test/a"},{"type":"file","data":"JVBERi0=","mimeType":"application/pdf","name":"a.pdf"},{"type":"opaque","dialect":"d","value":null}]}]}"#,
            r#"{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"t"}],"stopReason":"stop","native":{"d":{"k":1}}}]}"#,
            &answered(r#"[{"type":"text","text":"t"},{"type":"image","data":"$JPEG","mimeType":"image/jpeg"}]"#),
            // Two calls, in order; the same id in another turn.
            r#"{"messages":[
                {"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":"{\"x\":1e999,\"x\":2}"},{"type":"toolCall","id":"b","name":"g","arguments":" {} "}],"stopReason":"toolUse"},
                {"role":"toolResult","toolCallId":"a","toolName":"f","content":[{"type":"text","text":"1"}],"isError":true,"synthetic":true},
                {"role":"toolResult","toolCallId":"b","toolName":"g","content":[{"type":"text","text":"2"}],"isError":false},
                {"role":"user","content":[{"type":"text","text":"u"}]},
                {"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":"{}"}]},
                {"role":"toolResult","toolCallId":"a","toolName":"f","content":[{"type":"text","text":"3"}],"isError":false}]}"#,
            // A failed turn with a call that was really answered.
            &answered(r#"[{"type":"text","text":"t"}]"#).replacen("}]}", "}],\"stopReason\":\"error\"}", 1),
            // Fragments.
            r#"{"role":"toolResult","content":[{"type":"text","text":"t"}],"isError":false}"#,
            r#"{"role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"t"}],"isError":false}"#,
            // A bare list, one message, a message a line.
            r#"[{"role":"user","content":[{"type":"text","text":"t"}]}]"#,
            r#"{"role":"user","content":[{"type":"text","text":"t"}]}"#,
        ],
    );
}

#[test]
fn messages_and_roles() {
    broken(
        "canonical",
        &[
            (r#"{"messages":[null]}"#, &[("message-not-an-object", "/messages/0")]),
            (r#"{"messages":[{"content":[]}]}"#, &[("unknown-role", "/messages/0")]),
            (r#"{"messages":[{"role":null,"content":[]}]}"#, &[("unknown-role", "/messages/0/role")]),
            (r#"{"messages":[{"role":"alien","content":[]}]}"#, &[("unknown-role", "/messages/0/role")]),
            (r#"{"messages":[{"role":"tool","content":[]}]}"#, &[("role-alias", "/messages/0/role")]),
            (r#"{"messages":[{"role":"user"}]}"#, &[("content-missing", "/messages/0")]),
            (r#"{"messages":[{"role":"user","content":null}]}"#, &[("content-missing", "/messages/0/content")]),
            (r#"{"messages":[{"role":"user","content":"t"}]}"#, &[("content-not-a-list", "/messages/0/content")]),
            (r#"{"messages":[{"role":"user","content":{}}]}"#, &[("content-not-a-list", "/messages/0/content")]),
            (r#"{"messages":[{"role":"user","content":[]}]}"#, &[("empty-message", "/messages/0/content")]),
            (r#"{"messages":[{"role":"assistant","content":[]}]}"#, &[("empty-message", "/messages/0/content")]),
            (
                r#"{"messages":[{"role":"assistant","content":[{"type":"text","text":" "}]}]}"#,
                &[("empty-message", "/messages/0/content")],
            ),
            (
                r#"{"messages":[{"role":"assistant","content":[{"type":"text","text":"t"}],"stopReason":"done"}]}"#,
                &[("unknown-stop-reason", "/messages/0/stopReason")],
            ),
            (
                r#"{"messages":[{"role":"assistant","content":[{"type":"text","text":"t"}],"stopReason":"toolUse"}]}"#,
                &[("stop-reason-without-call", "/messages/0/stopReason")],
            ),
            (
                r#"{"messages":[{"role":"user","content":[{"type":"text","text":"t"}],"native":[]}]}"#,
                &[("native-malformed", "/messages/0/native")],
            ),
        ],
    );
}

#[test]
fn blocks_and_where_they_stand() {
    let at = "/messages/0/content/0";
    for (role, block, rule, pointer) in [
        ("user", "null", "unknown-block", ""),
        ("user", "\"t\"", "unknown-block", ""),
        ("user", r#"{"text":"t"}"#, "unknown-block", ""),
        ("user", r#"{"type":"video"}"#, "unknown-block", ""),
        ("user", r#"{"type":"image_url"}"#, "foreign-block-shape", ""),
        ("user", r#"{"type":"text"}"#, "text-not-a-string", ""),
        ("user", r#"{"type":"text","text":7}"#, "text-not-a-string", "/text"),
        ("user", r#"{"type":"thinking","thinking":"t"}"#, "block-in-wrong-role", ""),
        ("user", r#"{"type":"toolCall","id":"a","name":"f","arguments":"{}"}"#, "block-in-wrong-role", ""),
        ("user", r#"{"type":"link"}"#, "media-without-address", ""),
        ("user", r#"{"type":"link","url":""}"#, "media-without-address", "/url"),
        ("user", r#"{"type":"file","mimeType":"a/b"}"#, "file-without-data", ""),
        ("user", r#"{"type":"file","data":"","mimeType":"a/b"}"#, "file-without-data", "/data"),
        ("user", r#"{"type":"file","data":"!","mimeType":"a/b"}"#, "file-data-not-base64", "/data"),
        ("user", r#"{"type":"file","data":"AAAA"}"#, "file-type-missing", ""),
        ("user", r#"{"type":"opaque","dialect":"d"}"#, "native-malformed", ""),
        ("user", r#"{"type":"opaque","dialect":"","value":1}"#, "native-malformed", ""),
        ("user", r#"{"type":"text","text":"t","native":{"d":1}}"#, "native-malformed", "/native"),
        ("system", r#"{"type":"image","data":"$PNG","mimeType":"image/png"}"#, "block-in-wrong-role", ""),
        ("assistant", r#"{"type":"image","data":"$PNG","mimeType":"image/png"}"#, "block-in-wrong-role", ""),
        ("assistant", r#"{"type":"link","url":"https://x.test"}"#, "media-by-address", ""),
        ("assistant", r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#, "tool-call-alias", ""),
        ("assistant", r#"{"type":"thinking"}"#, "text-not-a-string", ""),
    ] {
        let document = format!(r#"{{"messages":[{{"role":"{role}","content":[{block}]}}]}}"#);
        broken("canonical", &[(&document, &[(rule, &format!("{at}{pointer}"))])]);
    }
    broken(
        "canonical",
        &[(
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"t"},{"type":"text","text":"\n"}]}]}"#,
            &[("blank-text", "/messages/0/content/1")],
        )],
    );
}

#[test]
fn images() {
    let at = "/messages/0/content/0";
    for (members, rule, pointer) in [
        (r#""mimeType":"image/png""#, "image-without-data", ""),
        (r#""data":null,"mimeType":"image/png""#, "image-without-data", "/data"),
        (r#""data":"","mimeType":"image/png""#, "image-without-data", "/data"),
        (r#""data":{},"mimeType":"image/png""#, "image-without-data", "/data"),
        (r#""source":{"type":"base64","media_type":"image/png","data":"$PNG"}"#, "image-without-data", ""),
        (r#""data":"data:image/png;base64,$PNG","mimeType":"image/png""#, "image-data-url-prefix", "/data"),
        (r#""data":"iVBORw0KGgo…","mimeType":"image/png""#, "image-data-not-base64", "/data"),
        (r#""data":"iVBORw0KGgo","mimeType":"image/png""#, "image-base64-not-canonical", "/data"),
        (r#""data":"iVBORw0K\nGgo=","mimeType":"image/png""#, "image-base64-not-canonical", "/data"),
        (r#""data":"iVBORw0KGgp=","mimeType":"image/png""#, "image-base64-not-canonical", "/data"),
        (r#""data":"_9j_4AAQSkZJRgABAQ==","mimeType":"image/jpeg""#, "image-base64-not-canonical", "/data"),
        (r#""data":"$PNG""#, "image-type-missing", ""),
        (r#""data":"$PNG","mimeType":7"#, "image-type-missing", "/mimeType"),
        (r#""data":"$JPEG","mimeType":"image/png""#, "image-type-mismatch", "/mimeType"),
        (r#""data":"$JPEG","mimeType":"image/jpg""#, "image-type-mismatch", "/mimeType"),
        (r#""data":"PHN2Zy8+","mimeType":"image/png""#, "image-not-an-image", "/data"),
        (r#""data":"PHN2Zy8+","mimeType":"image/svg+xml""#, "image-not-an-image", "/data"),
    ] {
        let document = format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"image",{members}}}]}}]}}"#);
        broken("canonical", &[(&document, &[(rule, &format!("{at}{pointer}"))])]);
    }
}

#[test]
fn calls() {
    let at = "/messages/0/content/0";
    for (members, expected) in [
        (r#""id":"a","name":"f""#, [("tool-call-arguments-missing", "")]),
        (r#""id":"a","name":"f","arguments":null"#, [("tool-call-arguments-missing", "/arguments")]),
        (r#""id":"a","name":"f","arguments":"""#, [("tool-call-arguments-missing", "/arguments")]),
        (r#""id":"a","name":"f","arguments":{}"#, [("tool-call-arguments-not-a-string", "/arguments")]),
        (r#""id":"a","name":"f","arguments":"[]""#, [("tool-call-arguments-invalid", "/arguments")]),
        (r#""id":"a","name":"f","arguments":"{\"a\":""#, [("tool-call-arguments-invalid", "/arguments")]),
        (r#""id":"a","name":"f","arguments":"null""#, [("tool-call-arguments-invalid", "/arguments")]),
        (r#""id":"a","name":"f","arguments":"{} {}""#, [("tool-call-arguments-invalid", "/arguments")]),
        (r#""id":"a","name":"f","arguments":"\"{}\"""#, [("tool-call-arguments-encoded-twice", "/arguments")]),
        (r#""id":"a","arguments":"{}""#, [("tool-call-without-name", "")]),
        (r#""id":"a","name":" ","arguments":"{}""#, [("tool-call-without-name", "/name")]),
        (r#""id":"a","name":" f","arguments":"{}""#, [("tool-name-white-space", "/name")]),
        (r#""id":" a","name":"f","arguments":"{}""#, [("tool-call-id-white-space", "/id")]),
        (r#""name":"f","arguments":"{}""#, [("tool-call-without-id", "")]),
        (r#""id":"","name":"f","arguments":"{}""#, [("tool-call-without-id", "/id")]),
        (r#""id":7,"name":"f","arguments":"{}""#, [("tool-call-without-id", "/id")]),
        (r#""id":"a","name":"f","arguments":"{}","partialJson":"""#, [("streaming-marker", "/partialJson")]),
        (r#""id":"a","name":"f","arguments":"{}","partial":"true""#, [("streaming-marker", "/partial")]),
        (r#""id":"a","name":"f","arguments":"{}","incomplete":1"#, [("streaming-marker", "/incomplete")]),
        (r#""id":"a","name":"f","arguments":"{}","args":{"x":1}"#, [("alias-conflict", "")]),
        (r#""id":"a","name":"f","arguments":"{}","call_id":"b""#, [("alias-conflict", "")]),
        (r#""id":"a","name":"f","arguments":"{}","toolName":"f""#, [("field-alias", "")]),
    ] {
        let document =
            format!(r#"{{"messages":[{{"role":"assistant","content":[{{"type":"toolCall",{members}}}]}}]}}"#);
        let expected = expected.map(|(rule, pointer)| (rule.to_owned(), format!("{at}{pointer}")));
        assert_eq!(judge(document.as_bytes(), &options("canonical", Mode::History)), expected, "{document}");
    }
    valid(
        "canonical",
        &[
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"t","index":0,"partial":true}]}]}"#,
            &answered(r#"[{"type":"text","text":"t"}]"#).replace("\"arguments\"", "\"input\":null,\"arguments\""),
        ],
    );
}

#[test]
fn results() {
    for (content, rule, pointer) in [
        ("[]", "empty-tool-result", ""),
        (r#"[{"type":"text","text":""}]"#, "empty-tool-result", ""),
        (r#"[{"type":"text","text":" \n"}]"#, "empty-tool-result", ""),
        ("\"t\"", "content-not-a-list", ""),
        ("null", "content-missing", ""),
        (r#"[{"type":"resource_link","uri":"u","name":"n"}]"#, "resource-link-in-tool-result", "/0"),
        (r#"[{"type":"resource","resource":{}}]"#, "resource-in-tool-result", "/0"),
        (r#"[{"type":"audio","data":"AAAA"}]"#, "audio-in-tool-result", "/0"),
        (r#"[{"type":"json","json":{}}]"#, "unknown-block", "/0"),
        (r#"[{"type":"link","url":"https://x.test"}]"#, "media-by-address", "/0"),
        (r#"[{"type":"file","data":"AAAA","mimeType":"a/b"}]"#, "block-in-wrong-role", "/0"),
        (r#"[{"type":"image","mimeType":"image/png"}]"#, "image-without-data", "/0"),
    ] {
        broken("canonical", &[(&answered(content), &[(rule, &format!("/messages/1/content{pointer}"))])]);
    }
    let text = answered(r#"[{"type":"text","text":"t"}]"#);
    for (from, to, rule, pointer) in [
        (r#","isError":false"#, "", "error-flag-not-a-boolean", ""),
        (r#""isError":false"#, r#""isError":"true""#, "error-flag-not-a-boolean", "/isError"),
        (r#""isError":false"#, r#""isError":null"#, "error-flag-not-a-boolean", "/isError"),
        (r#""isError":false"#, r#""isError":true,"synthetic":1"#, "error-flag-not-a-boolean", "/synthetic"),
        (r#""toolName":"f","#, "", "tool-result-name-missing", ""),
        (r#""toolName":"f""#, r#""toolName":"g""#, "tool-result-name-mismatch", "/toolName"),
        (r#""toolCallId":"a""#, r#""toolCallId":" a""#, "tool-call-id-white-space", "/toolCallId"),
    ] {
        broken("canonical", &[(&text.replace(from, to), &[(rule, &format!("/messages/1{pointer}"))])]);
    }
    broken(
        "canonical",
        &[(
            &text.replace(r#""toolCallId":"a","#, ""),
            &[("tool-call-without-result", "/messages/0/content/0"), ("tool-result-without-id", "/messages/1")],
        )],
    );
    broken(
        "canonical",
        &[(r#"{"role":"toolResult","content":[],"isError":false}"#, &[("empty-tool-result", "/content")])],
    );
}

/// A transcript from a sketch: `a`, `b` a turn that calls these, `A` a result for `a`, `.` a turn of text, `u` the user.
fn sketch(plan: &str) -> String {
    let mut messages = Vec::new();
    for word in plan.split(' ') {
        let first = word.chars().next().unwrap_or('u');
        messages.push(match first {
            'u' => r#"{"role":"user","content":[{"type":"text","text":"u"}]}"#.to_owned(),
            '.' => r#"{"role":"assistant","content":[{"type":"text","text":"t"}]}"#.to_owned(),
            'A'..='Z' => format!(
                r#"{{"role":"toolResult","toolCallId":"{}","toolName":"f","content":[{{"type":"text","text":"r"}}],"isError":false}}"#,
                first.to_ascii_lowercase()
            ),
            _ => {
                let failed = if word.ends_with('!') { r#","stopReason":"aborted""# } else { "" };
                let calls: Vec<_> = word
                    .trim_end_matches('!')
                    .chars()
                    .map(|id| format!(r#"{{"type":"toolCall","id":"{id}","name":"f","arguments":"{{}}"}}"#))
                    .collect();
                format!(r#"{{"role":"assistant","content":[{}]{failed}}}"#, calls.join(","))
            }
        });
    }
    format!("[{}]", messages.join(","))
}

#[test]
fn pairing() {
    for (plan, expected) in [
        ("a A u", &[][..]),
        ("ab A B . u", &[]),
        ("a A a A", &[]),
        ("a! A u", &[]),
        ("a u", &[("tool-call-without-result", "/0/content/0")]),
        ("a .", &[("tool-call-without-result", "/0/content/0")]),
        ("a! u", &[("failed-turn-tool-call", "/0/content/0")]),
        ("ab A u", &[("tool-call-without-result", "/0/content/1")]),
        ("A u", &[("orphan-tool-result", "/0")]),
        ("u . A", &[("orphan-tool-result", "/2")]),
        ("a B u", &[("tool-call-without-result", "/0/content/0"), ("orphan-tool-result", "/1")]),
        ("a A A", &[("duplicate-tool-result", "/2")]),
        ("a A u A", &[("duplicate-tool-result", "/3")]),
        ("A a u", &[("tool-result-before-call", "/0")]),
        ("A a A", &[("orphan-tool-result", "/0")]),
        ("a u A", &[("tool-result-displaced", "/2")]),
        ("a . A", &[("tool-result-displaced", "/2")]),
        ("a b A B", &[("tool-result-displaced", "/2")]),
        ("ab B A u", &[("parallel-results-out-of-order", "/2")]),
        ("aa A A", &[("duplicate-tool-call-id", "/0/content/1/id")]),
        ("aa A", &[("tool-call-without-result", "/0/content/1"), ("duplicate-tool-call-id", "/0/content/1/id")]),
    ] {
        broken("canonical", &[(&sketch(plan), expected)]);
    }
}

#[test]
fn history_may_end_with_open_calls() {
    let plans = ["a", "ab A", "a A b", "a!", "u a"].map(sketch);
    open_ended("canonical", &plans.each_ref().map(String::as_str));
    for plan in ["a u", "a .", "a b", "a! u"] {
        assert_eq!(judge(sketch(plan).as_bytes(), &options("canonical", Mode::History)).len(), 1, "{plan}");
    }
}

#[test]
fn a_fragment_leaves_pairing_out() {
    let mut options = options("canonical", Mode::Request);
    options.fragment = true;
    for plan in ["a", "A", "a u A", "ab B A"] {
        assert_eq!(judge(sketch(plan).as_bytes(), &options), [], "{plan}");
    }
    assert_eq!(judge(br#"[{"role":"user","content":[]}]"#, &options).len(), 1);
}

#[test]
fn base64_spellings() {
    for (text, bytes) in [("AA==", &b"\0"[..]), ("AAA=", b"\0\0"), ("AAAA", b"\0\0\0"), ("/+8=", b"\xFF\xEF")] {
        assert_eq!(base64(text), Base64::Canonical(bytes.to_vec()), "{text}");
    }
    for text in ["AA", "AAA", "AB==", "AAB=", "-_8=", "AA= =", "AA==\n", " AAAA", "AA="] {
        assert_eq!(base64(text), Base64::Other, "{text}");
    }
    for text in ["A", "AAAAA", "====", "A===", "AA==AA==", "AA=A", "AAA*", "é", "=", "AAAA====", "..."] {
        assert_eq!(base64(text), Base64::Not, "{text}");
    }
    assert_eq!(base64("DATA:image/png;base64,AAAA"), Base64::DataUrl);
}

#[test]
fn headers_of_pictures() {
    for (head, name) in [
        (&b"\x89PNG\r\n\x1a\n"[..], "image/png"),
        (b"\xFF\xD8\xFF\xE0", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"BM\0\0", "image/bmp"),
        (b"II*\0", "image/tiff"),
        (b"MM\0*", "image/tiff"),
        (b"\0\0\x01\0\x01\0", "image/x-icon"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "image/heic"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "image/heic"),
        (b"\0\0\0\x18ftypavif\0\0\0\0", "image/avif"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1avif", "image/avif"),
    ] {
        assert!(picture(head).is_some_and(|names| names.contains(&name)), "{name}");
    }
    for head in [&b""[..], b"<svg", b"%PDF-1.7", b"RIFF\0\0\0\0WAVE", b"\0\0\0\x18ftypmp42", b"GIF88a", b"\x89PN"] {
        assert_eq!(picture(head), None, "{head:?}");
    }
    assert_eq!(base64(PNG), Base64::Canonical(b"\x89PNG\r\n\x1a\n".to_vec()));
}
