//! A member that may be left out and is not of its type is taken off, and nothing else is touched: what is written is the
//! text without it, to the byte.

use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

/// A text in which `@` stands where a member is put, the members that are taken off there, and the rule that says so.
struct Row {
    dialect: &'static str,
    around: &'static str,
    members: &'static [&'static str],
    rule: &'static str,
}

const TYPED: &str = "member-of-wrong-type";

const ROWS: &[Row] = &[
    Row {
        dialect: "openai.responses",
        around: r#"[{"role":"user","content":[{"type":"input_text","text":"u"}]@},{"role":"assistant","content":"a"},{"role":"user","content":"v"}]"#,
        members: &[r#""id":null"#, r#""status":7"#, r#""phase":"thinking""#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.responses",
        around: r#"[{"role":"user","content":"u"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"@},{"type":"function_call_output","call_id":"a","output":"r"}]"#,
        members: &[r#""id":null"#, r#""namespace":"""#, r#""caller":{"type":"user"}"#, r#""async":"no""#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.responses",
        around: r#"[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"output_text","text":"a"@}]},{"role":"user","content":"v"}]"#,
        members: &[r#""annotations":["x"]"#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.responses",
        around: r#"[{"role":"user","content":"u"},{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"t"@}]},{"role":"assistant","content":"a"},{"role":"user","content":"v"}]"#,
        members: &[r#""index":0"#],
        rule: "unknown-field",
    },
    Row {
        dialect: "openai.responses",
        around: r#"[{"role":"user","content":[{"type":"input_file","file_data":"data:application/pdf;base64,JVBERi0="@}]}]"#,
        members: &[
            r#""filename":true"#,
            r#""detail":"best""#,
            r#""file_id":"""#,
            r#""file_id":7"#,
            r#""file_url":[]"#,
            r#""file_url":" ""#,
        ],
        rule: TYPED,
    },
    Row {
        dialect: "openai.responses",
        around: r#"[{"role":"user","content":[{"type":"input_file","file_id":"file-1"@}]}]"#,
        members: &[r#""file_data":"""#, r#""file_data":7"#, r#""file_url":{}"#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.responses",
        around: r#"[{"role":"user","content":"u"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":[{"type":"input_image","file_id":"file-1"@}]}]"#,
        members: &[r#""image_url":"""#, r#""image_url":7"#, r#""detail":7"#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.responses",
        around: r#"[{"role":"user","content":[{"type":"input_image","image_url":"https://x.test/a.png"@}]}]"#,
        members: &[r#""file_id":"""#, r#""file_id":true"#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.chat",
        around: r#"[{"role":"user","content":"u"@},{"role":"assistant","content":"a"},{"role":"user","content":"v"}]"#,
        members: &[r#""name":"""#, r#""name":7"#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.chat",
        around: r#"[{"role":"user","content":"u"},{"role":"assistant","content":"a"@},{"role":"user","content":"v"}]"#,
        members: &[r#""audio":{}"#, r#""audio":{"id":""}"#, r#""reasoning_details":{}"#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.chat",
        around: r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.test/a.png"@}}]}]"#,
        members: &[r#""detail":"best""#],
        rule: TYPED,
    },
    Row {
        dialect: "openai.chat",
        around: r#"[{"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERi0="@}}]}]"#,
        members: &[r#""filename":7"#],
        rule: TYPED,
    },
    Row {
        dialect: "anthropic.messages",
        around: r#"[{"role":"user","content":[{"type":"container_upload","file_id":"f"@}]}]"#,
        members: &[r#""fileId":"f""#],
        rule: "unknown-field",
    },
    Row {
        dialect: "anthropic.messages",
        around: r#"[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}@}]}]"#,
        members: &[r#""title":"""#, r#""title":7"#, r#""context":[]"#, r#""citations":true"#],
        rule: TYPED,
    },
    Row {
        dialect: "gemini.contents",
        around: r#"[{"role":"user","parts":[{"fileData":{"fileUri":"https://x.test/a"@}}]}]"#,
        members: &[r#""displayName":7"#, r#""mimeType":[]"#],
        rule: TYPED,
    },
    Row {
        dialect: "gemini.contents",
        around: r#"[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{},"parts":[{"fileData":{"fileUri":"https://x.test/a","mimeType":"image/png"}@}]}}]}]"#,
        members: &[r#""inline_data":7"#],
        rule: TYPED,
    },
    Row {
        dialect: "lossless-claw",
        around: r#"[{"role":"user","content":"u","parts":[{"part_type":"text","text_content":"u"}]},{"role":"assistant","content":"","parts":[{"part_type":"tool","tool_call_id":"c","tool_name":"f","tool_input":"{}"@}]}]"#,
        members: &[r#""toolInput":[]"#],
        rule: TYPED,
    },
    Row {
        dialect: "mistral.chat",
        around: r#"[{"role":"user","content":[{"type":"document_url","document_url":"https://x.test/a.pdf"@}]}]"#,
        members: &[r#""document_name":7"#],
        rule: TYPED,
    },
    Row {
        dialect: "mistral.chat",
        around: r#"[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]@},{"type":"text","text":"a"}]},{"role":"user","content":"v"}]"#,
        members: &[r#""signature":7"#],
        rule: TYPED,
    },
    Row {
        dialect: "mistral.chat",
        around: r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.test/a.png"@}}]}]"#,
        members: &[r#""detail":"best""#],
        rule: TYPED,
    },
    Row {
        dialect: "mistral.chat",
        around: r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.test/a.png"@}}]}]"#,
        members: &[r#""width":1"#],
        rule: "unknown-field",
    },
    Row {
        dialect: "langchain",
        around: r#"[{"type":"human","data":{"content":"u"@}}]"#,
        members: &[
            r#""additional_kwargs":null"#,
            r#""response_metadata":[]"#,
            r#""id":true"#,
            r#""name":5"#,
            r#""usage_metadata":"x""#,
        ],
        rule: TYPED,
    },
    Row {
        dialect: "ai-sdk.model",
        around: r#"[{"role":"user","content":[{"type":"file","mediaType":"application/pdf","data":"JVBERi0="@}]}]"#,
        members: &[r#""filename":null"#],
        rule: TYPED,
    },
    Row {
        dialect: "ai-sdk.ui",
        around: r#"[{"id":"1","role":"user","parts":[{"type":"text","text":"u"@}]}]"#,
        members: &[r#""state":"over""#],
        rule: TYPED,
    },
    Row {
        dialect: "ai-sdk.ui",
        around: r#"[{"id":"1","role":"assistant","parts":[{"type":"source-url","sourceId":"s","url":"https://x.test/"@},{"type":"text","text":"u"}]}]"#,
        members: &[r#""title":["a"]"#],
        rule: TYPED,
    },
    Row {
        dialect: "ai-sdk.ui",
        around: r#"[{"id":"1","role":"assistant","parts":[{"type":"source-document","sourceId":"s","mediaType":"text/plain","title":"t"@},{"type":"text","text":"u"}]}]"#,
        members: &[r#""filename":7"#],
        rule: TYPED,
    },
    Row {
        dialect: "ai-sdk.ui",
        around: r#"[{"id":"1","role":"assistant","parts":[{"type":"reasoning","text":"t"@},{"type":"text","text":"u"}]}]"#,
        members: &[r#""id":[]"#],
        rule: TYPED,
    },
    Row {
        dialect: "ai-sdk.ui",
        around: r#"[{"id":"1","role":"assistant","parts":[{"type":"dynamic-tool","toolName":"f","toolCallId":"c","state":"output-available","input":{},"output":1@},{"type":"step-start"},{"type":"text","text":"u"}]}]"#,
        members: &[r#""toolMetadata":null"#, r#""providerExecuted":"no""#, r#""preliminary":0"#, r#""dynamic":true"#],
        rule: TYPED,
    },
];

#[test]
fn the_member_goes_and_the_rest_stays_to_the_byte() {
    for Row { dialect, around, members, rule } in ROWS {
        let target = Target::by_name(dialect).unwrap();
        let options = Options {
            from: From::Dialect(Dialect::by_name(dialect).unwrap()),
            to: Some(target),
            mode: Mode::History,
            ..Options::default()
        };
        let judged = |text: &[u8]| {
            let options = CheckOptions { target, mode: Mode::History, fragment: false, limits: Limits::default() };
            let found = check(text, &options).unwrap().violations;
            found.into_iter().map(|found| found.rule).collect::<Vec<_>>()
        };
        let clean = around.replace('@', "");
        assert_eq!(judged(clean.as_bytes()), Vec::<&str>::new(), "{clean}");
        for member in *members {
            let broken = around.replace('@', &format!(",{member}"));
            assert_eq!(judged(broken.as_bytes()), [*rule], "{broken}");
            let fixed = fix(broken.as_bytes(), &options).unwrap();
            assert_eq!(String::from_utf8_lossy(&fixed.output), clean, "{broken}");
            let said: Vec<_> = fixed.report.repairs.iter().map(|entry| (entry.rule, entry.lost)).collect();
            assert_eq!(said, [(*rule, !member.ends_with("null"))], "{broken}");
        }
    }
}

#[test]
fn a_message_of_an_unknown_type_is_held_against_what_messages_have() {
    let text = br#"[{"type":"note","role":"user","status":"x","content":"hi"}]"#;
    let options = Options {
        from: From::Dialect(Dialect::by_name("openai.responses").unwrap()),
        to: Some(Target::by_name("openai.responses").unwrap()),
        mode: Mode::History,
        ..Options::default()
    };
    let fixed = fix(text, &options).unwrap();
    assert_eq!(String::from_utf8_lossy(&fixed.output), r#"[{"type":"message","role":"user","content":"hi"}]"#);
    let lost: Vec<_> = fixed.report.repairs.iter().filter(|entry| entry.lost).map(|entry| entry.rule).collect();
    assert_eq!(lost, [TYPED]);
}
