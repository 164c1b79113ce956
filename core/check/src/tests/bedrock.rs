//! `bedrock.converse`, and the targets `bedrock` and `bedrock-claude`.

use super::{broken, open_ended, valid};

const USER: &str = r#"{"role":"user","content":[{"text":"q"}]}"#;
/// A turn with a call `a`.
const CALL: &str = r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}"#;

/// A user message, a call, and a message with its result whose content and further members are these.
fn answered(content: &str, more: &str) -> String {
    format!(
        r#"[{USER},{CALL},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"a","content":{content}{more}}}}}]}}]"#
    )
}

/// A user message with this block and a text.
fn with(block: &str) -> String {
    format!(r#"[{{"role":"user","content":[{block},{{"text":"q"}}]}}]"#)
}

const VALID: &[&str] = &[
    r#"{"modelId":"m","system":[{"text":"s"},{"cachePoint":{"type":"default"}},{"guardContent":{"text":{"text":"g","qualifiers":["query"]}}}],"messages":[{"role":"user","content":[{"text":"q"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}]}}"#,
    r#"[{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"$PNG"}}},{"image":{"format":"jpeg","source":{"bytes":"$JPEG"},"error":{"message":"e"}}},{"cachePoint":{"type":"default","ttl":"5m"}}]}]"#,
    r#"[{"role":"user","content":[{"document":{"format":"pdf","name":"a (1) [b]-c","source":{"bytes":"JVBERi0="},"context":"c","citations":{"enabled":true}}},{"document":{"name":"d","source":{"text":"t"}}},{"document":{"name":"e","source":{"content":[{"text":"t"}]}}},{"text":"q"},{"searchResult":{"source":"s","title":"t","content":[{"text":"r"}]}}]}]"#,
    r#"[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t","signature":"s"}}},{"reasoningContent":{"redactedContent":"AAAA"}},{"citationsContent":{"content":[{"text":"c"}],"citations":[{"title":"t","location":{"documentChar":{"documentIndex":0,"start":1,"end":2}}}]}}]},{"role":"user","content":[{"text":"q"}]}]"#,
    // Results in any order, with a mark and words behind them; no content where nothing failed.
    r#"[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a.b:c","name":"f","input":{}}},{"toolUse":{"toolUseId":"b","name":"g-h_1","input":{"a":[]}}}]},
        {"role":"user","content":[{"toolResult":{"toolUseId":"b","content":[{"json":{"a":1}},{"text":"r"},{"image":{"format":"png","source":{"bytes":"$PNG"}}}],"status":"success"}},{"cachePoint":{"type":"default"}},{"toolResult":{"toolUseId":"a.b:c","content":[{"text":"r"}]}},{"text":"and"}]}]"#,
    // A tool that the server ran.
    r#"[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"s","name":"nova_grounding","input":{},"type":"server_tool_use"}},{"toolResult":{"toolUseId":"s","content":[{"text":"g"}],"type":"nova_grounding_result"}},{"text":"t"}]},{"role":"user","content":[{"text":"q"}]}]"#,
];

#[test]
fn valid_transcripts() {
    valid("bedrock.converse", VALID);
    valid("bedrock", VALID);
    let stored = r#"[{"role":"user","content":[{"image":{"format":"gif","source":{"s3Location":{"uri":"s3://bucket/a.gif","bucketOwner":"123456789012"}}}},{"text":"q"}]}]"#;
    valid("bedrock.converse", &[stored]);
    valid("bedrock", &[stored]);
    valid("bedrock-claude", VALID);
    valid(
        "bedrock.converse",
        &[
            "[]",
            r#"[{"role":"assistant","content":[{"text":"a "}]},{"role":"assistant","content":[{"text":"b"}]}]"#,
            r#"[{"role":"user","content":[{"text":"q"}]},{"role":"system","content":[{"toolAddition":{"tool":{"name":"f"}}}]},{"role":"assistant","content":[{"text":"a"}]}]"#,
        ],
    );
    valid("bedrock.converse", &[&answered("[]", "")]);
    valid("bedrock-claude", &[&answered("[]", r#","status":"success""#)]);
    valid("bedrock", &[&answered(r#"[{"image":{"format":"png","source":{"bytes":"$PNG"}}}]"#, r#","status":"error""#)]);
    open_ended("bedrock", &["[]", r#"[{"role":"assistant","content":[{"text":"a"}]}]"#, &format!("[{USER},{CALL}]")]);
    open_ended(
        "bedrock-claude",
        &[
            &format!(r#"[{USER},{{"role":"assistant","content":[{{"text":"a "}}]}}]"#),
            &format!(
                r#"[{USER},{{"role":"assistant","content":[{{"text":"a"}},{{"reasoningContent":{{"redactedContent":"AAAA"}}}}]}}]"#
            ),
        ],
    );
}

#[test]
fn messages() {
    broken(
        "bedrock.converse",
        &[
            (r#"[{"role":"user","content":[]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"user","content":[{"cachePoint":{"type":"default"}}]}]"#, &[("empty-message", "/0/content")]),
            (r#"[{"role":"user","content":"q"}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"user"}]"#, &[("content-missing", "/0")]),
            (r#"[{"role":"user","content":[{"text":" "}]}]"#, &[("blank-text", "/0/content/0")]),
            (r#"[{"role":"user","content":[{"text":1}]}]"#, &[("text-not-a-string", "/0/content/0/text")]),
            (r#"[{"role":"tool","content":[{"text":"q"}]}]"#, &[("role-alias", "/0/role")]),
            (r#"[{"role":"user","content":[{"text":"q"}],"id":"m"}]"#, &[("unknown-field", "/0/id")]),
            (r#"[{"role":"system","content":[{"text":"s"}]}]"#, &[("misplaced-system", "/0")]),
            (r#"{"system":"s","messages":[]}"#, &[("content-not-a-list", "/system")]),
            (r#"{"system":[{"text":""}],"messages":[]}"#, &[("blank-text", "/system/0")]),
            (r#"{"system":[{"cachePoint":{"type":"default"}}],"messages":[]}"#, &[("empty-message", "/system")]),
            (
                r#"[{"role":"user","content":[{"text":"q"}]},{"role":"system","content":[{"text":"s"}]},{"role":"user","content":[{"text":"q"}]}]"#,
                &[("misplaced-system", "/1")],
            ),
        ],
    );
    broken(
        "bedrock",
        &[
            (r#"{"messages":[]}"#, &[("no-messages", "/messages")]),
            (&answered("[]", ""), &[("empty-tool-result", "/2/content/0/toolResult/content")]),
            (&format!(r#"[{{"role":"assistant","content":[{{"text":"a"}}]}},{USER}]"#), &[("leading-assistant", "/0")]),
            (&format!("[{USER},{USER}]"), &[("roles-do-not-alternate", "/1")]),
            (&format!(r#"[{USER},{{"role":"system","content":[{{"text":"s"}}]}}]"#), &[("misplaced-system", "/1")]),
        ],
    );
}

#[test]
fn blocks() {
    broken(
        "bedrock.converse",
        &[
            (r#"[{"role":"user","content":["q"]}]"#, &[("unknown-block", "/0/content/0")]),
            (r#"[{"role":"user","content":[{"type":"text","text":"q"}]}]"#, &[("foreign-block-shape", "/0/content/0")]),
            (r#"[{"role":"user","content":[{"words":"q"}]}]"#, &[("unknown-block", "/0/content/0")]),
            (r#"[{"role":"user","content":[{"text":"q","id":1}]}]"#, &[("unknown-field", "/0/content/0/id")]),
            (&format!("[{}]", CALL.replace("assistant", "user")), &[("block-in-wrong-role", "/0/content/0")]),
            (
                r#"[{"role":"assistant","content":[{"image":{"format":"png","source":{"bytes":"$PNG"}}}]}]"#,
                &[("block-in-wrong-role", "/0/content/0")],
            ),
            (&with(r#"{"guardContent":{"text":"g"}}"#), &[("unknown-block", "/0/content/0")]),
            (&with(r#"{"cachePoint":{"type":"ephemeral"}}"#), &[("unknown-block", "/0/content/0")]),
            (&with(r#"{"searchResult":{"title":"t","content":[]}}"#), &[("unknown-block", "/0/content/0")]),
            (
                r#"[{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t","signature":1}}}]}]"#,
                &[("unknown-field", "/0/content/0/reasoningContent/reasoningText/signature")],
            ),
            (
                r#"[{"role":"assistant","content":[{"reasoningContent":{"redactedContent":"@"}}]}]"#,
                &[("unknown-block", "/0/content/0")],
            ),
        ],
    );
    broken(
        "bedrock-claude",
        &[(
            &format!(
                r#"[{USER},{{"role":"assistant","content":[{{"reasoningContent":{{"reasoningText":{{"text":"t"}}}}}},{{"text":"a"}}]}}]"#
            ),
            &[("thinking-without-signature", "/1/content/0/reasoningContent/reasoningText")],
        )],
    );
}

#[test]
fn pictures_and_files() {
    broken(
        "bedrock",
        &[
            (
                &with(r#"{"image":{"format":"jpeg","source":{"bytes":"$PNG"}}}"#),
                &[("image-type-mismatch", "/0/content/0/image/format")],
            ),
            (
                &with(r#"{"image":{"format":"png","source":{"bytes":""}}}"#),
                &[("image-without-data", "/0/content/0/image/source/bytes")],
            ),
            (&with(r#"{"image":{"format":"png"}}"#), &[("image-without-data", "/0/content/0")]),
            (
                &with(r#"{"image":{"format":"bmp","source":{"bytes":"Qk0AAAAAAAAAAAAA"}}}"#),
                &[("image-type-not-accepted", "/0/content/0/image/source/bytes")],
            ),
            (
                &with(r#"{"image":{"format":"png","source":{"s3Location":{"uri":"https://x.test"}}}}"#),
                &[("unknown-block", "/0/content/0")],
            ),
            (
                &with(r#"{"document":{"format":"pdf","source":{"bytes":"JVBERi0="}}}"#),
                &[("file-name-missing", "/0/content/0/document")],
            ),
            (
                &with(r#"{"document":{"format":"pdf","name":"a.b","source":{"bytes":"JVBERi0="}}}"#),
                &[("file-name-characters", "/0/content/0/document/name")],
            ),
            (
                &with(
                    r#"{"document":{"name":"a","source":{"text":"t"}}},{"document":{"name":"A","source":{"text":"t"}}}"#,
                ),
                &[("duplicate-file-name", "/0/content/1/document/name")],
            ),
            (
                &with(r#"{"document":{"name":"a","source":{"bytes":""}}}"#),
                &[("file-without-data", "/0/content/0/document/source/bytes")],
            ),
            (
                r#"[{"role":"user","content":[{"document":{"name":"a","source":{"text":"t"}}}]}]"#,
                &[("file-without-words", "/0/content/0")],
            ),
        ],
    );
    broken(
        "bedrock-claude",
        &[
            (
                &with(r#"{"video":{"format":"mp4","source":{"bytes":"AAAA"}}}"#),
                &[("file-not-accepted", "/0/content/0/video")],
            ),
            (
                &answered(r#"[{"image":{"format":"png","source":{"bytes":"$PNG"}}}]"#, r#","status":"error""#),
                &[("error-result-with-media", "/2/content/0/toolResult/content/0")],
            ),
        ],
    );
}

#[test]
fn calls_and_results() {
    let call = |inner: &str| format!(r#"[{{"role":"assistant","content":[{{"toolUse":{inner}}}]}}]"#);
    broken(
        "bedrock.converse",
        &[
            (
                &call(r#"{"toolUseId":"a","name":"f","input":"{}"}"#),
                &[
                    ("tool-call-without-result", "/0/content/0/toolUse"),
                    ("tool-call-arguments-not-an-object", "/0/content/0/toolUse/input"),
                ],
            ),
            (
                &call(r#"{"toolUseId":"a|b","name":"f.g","input":{}}"#),
                &[
                    ("tool-call-without-result", "/0/content/0/toolUse"),
                    ("tool-call-id-characters", "/0/content/0/toolUse/toolUseId"),
                    ("tool-name-characters", "/0/content/0/toolUse/name"),
                ],
            ),
            (&call(r#"{"name":"f","input":{}}"#), &[("tool-call-without-id", "/0/content/0/toolUse")]),
            (
                r#"[{"role":"user","content":[{"toolResult":{"toolUseId":"b","content":[{"text":"r"}]}},{"text":"q"}]}]"#,
                &[("orphan-tool-result", "/0/content/0")],
            ),
            (
                &answered(r#"[{"json":[1]}]"#, ""),
                &[("result-json-not-an-object", "/2/content/0/toolResult/content/0/json")],
            ),
            (&answered(r#""r""#, ""), &[("content-not-a-list", "/2/content/0/toolResult/content")]),
            (&answered("[]", r#","status":"error""#), &[("empty-tool-result", "/2/content/0/toolResult/content")]),
            (
                &answered(r#"[{"text":"r"}]"#, r#","status":"failed""#),
                &[("error-flag-not-a-boolean", "/2/content/0/toolResult/status")],
            ),
            (
                &answered(r#"[{"text":"r"}]"#, r#","isError":true"#),
                &[("unknown-field", "/2/content/0/toolResult/isError")],
            ),
            (
                &format!(
                    r#"[{USER},{CALL},{{"role":"user","content":[{{"text":"q"}},{{"toolResult":{{"toolUseId":"a","content":[]}}}}]}}]"#
                ),
                &[("tool-result-displaced", "/2/content/1")],
            ),
        ],
    );
}

#[test]
fn a_request_defines_its_tools() {
    let talk = r#""messages":[{"role":"user","content":[{"text":"go"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"read","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"a"}]}}]}]"#;
    let tools = r#""toolConfig":{"tools":[{"toolSpec":{"name":"read","inputSchema":{"json":{}}}}]}"#;
    for target in ["bedrock", "bedrock-claude"] {
        // Messages alone are no request.
        valid(target, &[&format!("{{{talk}}}"), &format!(r#"{{"modelId":"m",{tools},{talk}}}"#)]);
        for beside in [r#""modelId":"m""#, r#""inferenceConfig":{}"#, r#""toolConfig":{"tools":[]}"#] {
            broken(target, &[(&format!("{{{beside},{talk}}}"), &[("tools-not-defined", "/messages/1/content/0")])]);
        }
    }
    valid("bedrock.converse", &[&format!(r#"{{"modelId":"m",{talk}}}"#)]);
}

#[test]
fn images_and_documents_are_counted() {
    let image = r#"{"image":{"format":"png","source":{"bytes":"$PNG"}}}"#.to_owned();
    let document =
        |at: usize| format!(r#"{{"document":{{"format":"txt","name":"d{at}","source":{{"bytes":"YQ=="}}}}}}"#);
    let talk = |media: &[String]| format!(r#"[{{"role":"user","content":[{{"text":"go"}},{}]}}]"#, media.join(","));
    let documents: Vec<String> = (0..6).map(document).collect();
    valid("bedrock", &[&talk(&documents[1..])]);
    valid("bedrock.converse", &[&talk(&documents)]);
    broken("bedrock", &[(&talk(&documents), &[("too-many-media", "/0/content/1")])]);
    valid("bedrock", &[&talk(&vec![image.clone(); 20])]);
    broken("bedrock", &[(&talk(&vec![image.clone(); 21]), &[("too-many-media", "/0/content/1")])]);
    // Two documents of seven are too many for themselves, and one image with the five others.
    let both = [vec![image; 16], documents, vec![document(6)]].concat();
    let found =
        [("too-many-media", "/0/content/1"), ("too-many-media", "/0/content/17"), ("too-many-media", "/0/content/18")];
    broken("bedrock", &[(&talk(&both), &found)]);
}

#[test]
fn words_behind_calls() {
    let turn = |blocks: &str| {
        let answer = r#"{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}}]}"#;
        format!(r#"[{USER},{{"role":"assistant","content":[{blocks}]}},{answer}]"#)
    };
    let call = r#"{"toolUse":{"toolUseId":"a","name":"f","input":{}}}"#;
    let reasoning = r#"{"reasoningContent":{"reasoningText":{"text":"t","signature":"s"}}}"#;
    let behind = turn(&format!(r#"{call},{{"text":"t"}}"#));
    broken("bedrock-claude", &[(&behind, &[("words-behind-tool-call", "/1/content/0")])]);
    // What was said after more reasoning cannot go in front of it.
    let later = turn(&format!(r#"{call},{reasoning},{{"text":"t"}}"#));
    let before = turn(&format!(r#"{{"text":"t"}},{call}"#));
    valid("bedrock-claude", &[&later, &before]);
    valid("bedrock", &[&behind]);
}
