//! `gemini.contents`, and the servers that speak it.

use super::{broken, open_ended, valid};

/// A turn with a call of `f`.
const CALL: &str = r#"{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}"#;
/// A turn of the user, and that turn.
const OPEN: &str =
    r#"{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}"#;
/// Its result.
const RESULT: &str = r#"{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]}"#;

fn all(documents: &[&str]) {
    for target in ["gemini.contents", "gemini", "gemini-3"] {
        valid(target, documents);
    }
}

#[test]
fn valid_transcripts() {
    all(&[
        r#"{"contents":[{"role":"user","parts":[{"text":"q"}]}],"systemInstruction":{"role":"system","parts":[{"text":"s"}]}}"#,
        r#"{"system_instruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"a","thought":true},{"text":"b","thoughtSignature":"AAEC"},{"text":"","thoughtSignature":"AAE"}]}]}"#,
        // Pictures in either alphabet, padded or not; files by their bytes and by their address.
        r#"[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"$PNG"}},{"inline_data":{"mime_type":"image/png","data":"iVBORw0KGgo"}},{"inlineData":{"mimeType":"image/jpeg","data":"_9j_4AAQSkZJRgABAQ"}},{"fileData":{"fileUri":"gs://a/b","mimeType":"video/mp4"},"videoMetadata":{"fps":1}},{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}}]}]"#,
        // The words of a recording, beside it and alone.
        r#"[{"role":"user","parts":[{"inlineData":{"mimeType":"audio/wav","data":"AAEC"},"audioTranscription":{"text":"t"}},{"text":"q","speechMetadata":{}}]},{"role":"model","parts":[{"audio_transcription":{"text":"t"}}]},{"role":"user","parts":[{"text":"q"}]}]"#,
        // What the server ran, and a picture that the model made.
        r#"[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},{"inlineData":{"mimeType":"image/png","data":"$PNG"}},{"toolCall":{"toolType":"x"}}]},{"role":"user","parts":[{"text":"q"}]}]"#,
    ]);
    let signed = OPEN.replace("}}]}", r#"},"thoughtSignature":"AAEC"}]}"#);
    valid("gemini.contents", &[&format!("[{OPEN},{RESULT}]"), r#"[{"parts":[{"text":"q"}]}]"#, RESULT.trim()]);
    valid("gemini", &[&format!("[{OPEN},{RESULT}]")]);
    valid("vertex", &[&format!("[{OPEN},{RESULT}]")]);
    valid(
        "gemini-3",
        &[
            &format!("[{signed},{RESULT}]"),
            // Signatures are asked for only since the user last spoke.
            &format!(
                "[{OPEN},{RESULT},{{\"role\":\"model\",\"parts\":[{{\"text\":\"a\"}}]}},{{\"role\":\"user\",\"parts\":[{{\"text\":\"q\"}}]}}]"
            ),
        ],
    );
    open_ended("gemini.contents", &[&format!("[{OPEN}]")]);
    open_ended("gemini", &[r#"[{"role":"model","parts":[{"text":"a"}]}]"#]);
    open_ended("gemini-3.6", &[r#"[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"a"}]}]"#]);
}

#[test]
fn results_belong_by_id_then_by_name_and_order() {
    let turn = |calls: &str, results: &str| {
        format!(
            r#"[{{"role":"user","parts":[{{"text":"q"}}]}},{{"role":"model","parts":[{calls}]}},{{"role":"user","parts":[{results}]}}]"#
        )
    };
    let call = |id: &str, name: &str| format!(r#"{{"functionCall":{{{id}"name":"{name}","args":{{}}}}}}"#);
    let result = |id: &str, name: &str| format!(r#"{{"functionResponse":{{{id}"name":"{name}","response":{{}}}}}}"#);
    let (a, b) = (r#""id":"a","#, r#""id":"b","#);
    let both = |first: String, second: String| format!("{first},{second}");
    valid(
        "gemini.contents",
        &[
            &turn(&both(call("", "f"), call("", "f")), &both(result("", "f"), result("", "f"))),
            &turn(&both(call("", "f"), call("", "g")), &both(result("", "g"), result("", "f"))),
            &turn(&both(call(a, "f"), call(b, "f")), &both(result(b, "f"), result(a, "f"))),
            &turn(&both(call(a, "f"), call("", "f")), &both(result("", "f"), result(a, "f"))),
            &turn(&both(call(a, "f"), call("", "f")), &both(result(b, "f"), result(a, "f"))),
        ],
    );
    broken(
        "gemini.contents",
        &[
            (
                &turn(&call(a, "f"), &result(b, "f")),
                &[("tool-call-without-result", "/1/parts/0"), ("orphan-tool-result", "/2/parts/0")],
            ),
            (
                &turn(&call("", "f"), &both(result("", "f"), result("", "f"))),
                &[("duplicate-tool-result", "/2/parts/1")],
            ),
            (&turn(&call(a, "f"), &result(a, "g")), &[("tool-result-name-mismatch", "/2/parts/0")]),
            (
                &turn(&both(call(a, "f"), call(a, "f")), &both(result(a, "f"), result("", "f"))),
                &[("duplicate-tool-call-id", "/1/parts/1")],
            ),
            (
                &turn(&both(call("", "f"), call("", "g")), &result("", "f")),
                &[("tool-call-without-result", "/1/parts/1")],
            ),
        ],
    );
}

#[test]
fn broken_order() {
    let text = r#"{"role":"user","parts":[{"text":"w"}]}"#;
    let says = r#"{"role":"model","parts":[{"text":"a"}]}"#;
    let other = r#"{"role":"model","parts":[{"functionCall":{"name":"g","args":{}}}]}"#;
    broken(
        "gemini.contents",
        &[
            (&format!("[{OPEN},{text},{RESULT}]"), &[("tool-result-displaced", "/3/parts/0")]),
            (&format!("[{OPEN},{says},{RESULT}]"), &[("tool-result-displaced", "/3/parts/0")]),
            (&format!("[{text},{says},{CALL},{RESULT}]"), &[("split-model-turn", "/2")]),
            (
                &format!("[{OPEN},{RESULT},{RESULT}]"),
                &[("split-tool-results", "/3/parts/0"), ("duplicate-tool-result", "/3/parts/0")],
            ),
            (
                &format!("[{OPEN},{other},{RESULT}]").replace("\"name\":\"f\"", "\"id\":\"a\",\"name\":\"f\""),
                &[
                    ("split-model-turn", "/2"),
                    ("tool-call-without-result", "/2/parts/0"),
                    ("tool-result-displaced", "/3/parts/0"),
                ],
            ),
            (&format!("[{RESULT},{text}]"), &[("orphan-tool-result", "/0/parts/0")]),
        ],
    );
    broken("gemini", &[(&format!("[{says},{text}]"), &[("leading-assistant", "/0")]), ("[]", &[("no-messages", "")])]);
    broken("gemini-3.6", &[(&format!("[{text},{says}]"), &[("trailing-assistant", "/1")])]);
}

#[test]
fn broken_parts() {
    let user = |part: &str| format!(r#"[{{"role":"user","parts":[{part}]}}]"#);
    let model =
        |part: &str| format!(r#"[{{"role":"user","parts":[{{"text":"q"}}]}},{{"role":"model","parts":[{part}]}}]"#);
    let result = |response: &str| format!("[{OPEN},{RESULT}]").replace(r#""response":{"output":"r"}"#, response);
    let call = |call: &str| format!("[{OPEN},{RESULT}]").replace(r#""name":"f","args":{}"#, call);
    for (document, rule, pointer) in [
        (user("7"), "unknown-block", "/0/parts/0"),
        (user("{}"), "part-data-not-one", "/0/parts/0"),
        (user(r#"{"text":"a","fileData":{"fileUri":"b"}}"#), "part-data-not-one", "/0/parts/0"),
        (user(r#"{"type":"text","text":"a"}"#), "foreign-block-shape", "/0/parts/0"),
        (user(r#"{"text":"a","cache":1}"#), "unknown-field", "/0/parts/0/cache"),
        (user(r#"{"text":7}"#), "text-not-a-string", "/0/parts/0/text"),
        (user(r#"{"text":" "}"#), "blank-text", "/0/parts/0"),
        (user(r#"{"text":"a","thought":true}"#), "block-in-wrong-role", "/0/parts/0"),
        (user(r#"{"text":"a","thought":1}"#), "unknown-field", "/0/parts/0/thought"),
        (user(r#"{"functionCall":{"name":"f","args":{}}}"#), "block-in-wrong-role", "/0/parts/0"),
        (user(r#"{"inlineData":{"mimeType":"image/png"}}"#), "image-without-data", "/0/parts/0/inlineData"),
        (user(r#"{"inlineData":{"data":"$PNG"}}"#), "image-type-missing", "/0/parts/0/inlineData"),
        (
            user(r#"{"inlineData":{"mimeType":"image/png","data":"data:image/png;base64,$PNG"}}"#),
            "image-data-url-prefix",
            "/0/parts/0/inlineData/data",
        ),
        (
            user(r#"{"inlineData":{"mimeType":"image/png","data":"iVBO\nRw0KGgo="}}"#),
            "image-base64-not-canonical",
            "/0/parts/0/inlineData/data",
        ),
        (
            user(r#"{"inlineData":{"mimeType":"audio/wav","data":"@@"}}"#),
            "file-data-not-base64",
            "/0/parts/0/inlineData/data",
        ),
        (user(r#"{"inlineData":{"mimeType":"audio/wav"}}"#), "file-without-data", "/0/parts/0/inlineData"),
        (user(r#"{"inlineData":7}"#), "unknown-block", "/0/parts/0/inlineData"),
        (user(r#"{"fileData":{"mimeType":"image/png"}}"#), "media-without-address", "/0/parts/0/fileData"),
        (user(r#"{"fileData":{"fileUri":"a","file_uri":"b"}}"#), "field-alias", "/0/parts/0/fileData"),
        (user(""), "empty-message", "/0/parts"),
        (r#"[{"role":"user"},{"role":"user","parts":[{"text":"q"}]}]"#.to_owned(), "content-missing", "/0"),
        (r#"[{"role":"user","parts":{"text":"q"}}]"#.to_owned(), "content-not-a-list", "/0/parts"),
        (r#"[{"role":"function","parts":[{"text":"q"}]}]"#.to_owned(), "role-alias", "/0/role"),
        (r#"[{"role":"user","parts":[{"text":"q"}],"name":"n"}]"#.to_owned(), "unknown-field", "/0/name"),
        (model(r#"{"inlineData":{"data":"$PNG"}}"#), "file-type-missing", "/1/parts/0/inlineData"),
        (model(r#"{"executableCode":"1"}"#), "unknown-block", "/1/parts/0/executableCode"),
        (
            model(r#"{"text":"a","thoughtSignature":"msg:1"}"#),
            "thought-signature-malformed",
            "/1/parts/0/thoughtSignature",
        ),
        (model(r#"{"functionResponse":{"name":"f","response":{}}}"#), "block-in-wrong-role", "/1/parts/0"),
        (result(r#""response":[1]"#), "response-not-an-object", "/2/parts/0/functionResponse/response"),
        (result(r#""id":"a""#), "empty-tool-result", "/2/parts/0/functionResponse"),
        (result(r#""response":{},"parts":[{"text":"a"}]"#), "unknown-block", "/2/parts/0/functionResponse/parts/0"),
        (result(r#""response":{},"output":1"#), "unknown-field", "/2/parts/0/functionResponse/output"),
        (call(r#""name":"f","args":null"#), "tool-call-arguments-missing", "/1/parts/0/functionCall/args"),
        (call(r#""name":"f","args":"{}""#), "tool-call-arguments-not-an-object", "/1/parts/0/functionCall/args"),
        (
            call(r#""name":"f","args":{},"willContinue":true"#),
            "streaming-marker",
            "/1/parts/0/functionCall/willContinue",
        ),
        (call(r#""id":" a","name":"f","args":{}"#), "tool-call-id-white-space", "/1/parts/0/functionCall/id"),
        (call(r#""name":"f","args":{},"index":0"#), "unknown-field", "/1/parts/0/functionCall/index"),
    ] {
        broken("gemini.contents", &[(&document, &[(rule, pointer)])]);
    }
    broken(
        "gemini.contents",
        &[
            (
                r#"{"contents":[{"role":"user","parts":[{"text":"q"}]}],"systemInstruction":"s"}"#,
                &[("content-not-a-list", "/systemInstruction")],
            ),
            (
                r#"{"systemInstruction":{"parts":[{"fileData":{"fileUri":"a"}}]},"contents":[{"role":"user","parts":[{"text":"q"}]}]}"#,
                &[("block-in-wrong-role", "/systemInstruction/parts/0")],
            ),
        ],
    );
}

#[test]
fn limits_of_servers() {
    let pair = format!("[{OPEN},{RESULT}]");
    let picture = r#""response":{},"parts":[{"inlineData":{"mimeType":"image/png","data":"$PNG"}}]"#;
    broken(
        "gemini",
        &[
            (&pair.replace("\"f\"", "\"1 f\""), &[("tool-name-characters", "/1/parts/0/functionCall/name")]),
            (&pair.replace("\"f\"", "\"1f\""), &[("tool-name-characters", "/1/parts/0/functionCall/name")]),
            (
                &pair.replace(r#""response":{"output":"r"}"#, picture),
                &[("media-in-tool-result", "/2/parts/0/functionResponse/parts/0")],
            ),
            (
                r#"[{"role":"user","parts":[{"inlineData":{"mimeType":"image/gif","data":"R0lGODlh"}}]}]"#,
                &[("image-type-not-accepted", "/0/parts/0/inlineData/mimeType")],
            ),
            (
                r#"[{"role":"user","parts":[{"inlineData":{"mimeType":"application/zip","data":"AAEC"}}]}]"#,
                &[("file-not-accepted", "/0/parts/0/inlineData/mimeType")],
            ),
        ],
    );
    broken("gemini-3", &[(&pair, &[("thought-signature-missing", "/1/parts/0")])]);
    broken(
        "vertex",
        &[
            (
                &pair.replace("\"name\":\"f\"", "\"id\":\"a\",\"name\":\"f\""),
                &[
                    ("tool-call-id-refused", "/1/parts/0/functionCall/id"),
                    ("tool-call-id-refused", "/2/parts/0/functionResponse/id"),
                ],
            ),
            (r#"[{"parts":[{"text":"q"}]}]"#, &[("unknown-role", "/0")]),
        ],
    );
}

#[test]
fn what_stands_beside_responses() {
    let beside = |part: &str| format!("[{OPEN},{RESULT}]").replace("}]}]", &format!("}},{part}]}}]"));
    let (words, file) = (beside(r#"{"text":"t"}"#), beside(r#"{"inlineData":{"mimeType":"image/png","data":"$PNG"}}"#));
    let apart = [("tool-result-beside-other-content", "/2/parts/1")];
    let signed = |text: &str| text.replacen("\"args\":{}}", "\"args\":{}},\"thoughtSignature\":\"c2ln\"", 1);
    for target in ["gemini", "vertex"] {
        broken(target, &[(&file, &apart)]);
        valid(target, &[&words]);
    }
    for target in ["gemini-3", "gemini-3.6"] {
        broken(target, &[(&signed(&words), &apart)]);
        valid(target, &[&signed(&file), &signed(&beside(r#"{"text":" "}"#))]);
    }
    valid("gemini.contents", &[&words, &file]);
}
