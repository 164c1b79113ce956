//! Pictures and files whose type, place or shape says little of them, and what the report says of what it cannot keep.

use crate::told::{PICTURE, fixed};
use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

/// The rules of the report of what is written, and whether each entry says that something is lost.
fn reported(from: &str, to: &str, input: &str) -> Vec<(&'static str, bool)> {
    let options = Options {
        from: From::Dialect(Dialect::by_name(from).unwrap()),
        to: Some(Target::by_name(to).unwrap()),
        ..Options::default()
    };
    let report = fix(input.as_bytes(), &options).unwrap().report;
    report.repairs.iter().chain(&report.notes).map(|entry| (entry.rule, entry.lost)).collect()
}

fn accepts(target: &str, input: &str) -> bool {
    let target = Target::by_name(target).unwrap();
    let options = CheckOptions { target, mode: Mode::Request, fragment: false, limits: Limits::default() };
    check(input.as_bytes(), &options).unwrap().violations.is_empty()
}

#[test]
fn a_picture_whose_type_says_nothing_is_what_its_bytes_say() {
    const PDF: &str = "JVBERi0xLjQKJeLjz9MKMSAwIG9iago8PD4+CmVuZG9iago=";
    let told = |mime: &str, data: &str| {
        let url = format!("data:{mime};base64,{data}");
        let tool = |list: &str| {
            format!(
                r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"f","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c","toolName":"f","output":{{"type":"content","value":[{list}]}}}}]}}]"#
            )
        };
        let blob = format!(r#"{{"inlineData":{{"mimeType":"{mime}","data":"{data}"}}}}"#);
        [
            ("gemini.contents", format!(r#"{{"contents":[{{"role":"user","parts":[{{"text":"q"}},{blob}]}}]}}"#)),
            (
                "gemini.contents",
                format!(
                    r#"{{"contents":[{{"role":"user","parts":[{{"text":"q"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"f","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{{"output":"seen"}},"parts":[{blob}]}}}}]}}]}}"#
                ),
            ),
            (
                "ai-sdk.model",
                format!(r#"[{{"role":"user","content":[{{"type":"file","data":"{data}","mediaType":"{mime}"}}]}}]"#),
            ),
            ("ai-sdk.model", tool(&format!(r#"{{"type":"media","data":"{data}","mediaType":"{mime}"}}"#))),
            (
                "ai-sdk.ui",
                format!(
                    r#"[{{"id":"1","role":"user","parts":[{{"type":"file","url":"{url}","mediaType":"{mime}"}}]}}]"#
                ),
            ),
            (
                "ai-sdk.ui",
                format!(
                    r#"[{{"id":"1","role":"user","parts":[{{"type":"text","text":"q"}}],"experimental_attachments":[{{"url":"{url}","contentType":"{mime}"}}]}}]"#
                ),
            ),
            (
                "langchain",
                format!(r#"[{{"type":"human","content":[{{"type":"media","data":"{data}","mime_type":"{mime}"}}]}}]"#),
            ),
            (
                "openai.chat",
                format!(
                    r#"{{"messages":[{{"role":"user","content":[{{"type":"file","data":"{data}","mimeType":"{mime}"}}]}}]}}"#
                ),
            ),
        ]
    };
    for mime in ["png", "application/octet-stream", "binary/octet-stream", "IMAGE/PNG", "*/*"] {
        for (dialect, input) in told(mime, PICTURE) {
            for target in [dialect, "anthropic.messages"] {
                let (text, rules) = fixed(dialect, target, &input);
                if target == dialect && text == input {
                    assert!(accepts(target, &input), "{mime}: {dialect}");
                    continue;
                }
                let is_said = text.contains(r#""image/png""#) || text.contains(r"data:image/png;base64");
                assert!(is_said && text.contains(PICTURE) && !text.contains("left out"), "{mime}: {dialect}: {text}");
                assert!(rules.contains(&"image-type-mismatch"), "{mime}: {dialect}: {rules:?}");
                assert_eq!(fixed(target, target, &text).0, text, "{mime}: {dialect}");
            }
        }
        // A part that holds no picture is none, and a type that says what it is, says it.
        for (dialect, input) in
            told("application/octet-stream", PDF).into_iter().chain(told("application/zip", PICTURE))
        {
            let rules = fixed(dialect, dialect, &input).1;
            assert!(!rules.iter().any(|rule| rule.starts_with("image-")), "{dialect}: {rules:?}: {input}");
        }
    }
    for (target, input) in [
        (
            "openai.chat",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"file","file":{{"filename":"a","file_data":"data:TYPE;base64,{PICTURE}"}}}}]}}]}}"#
            ),
        ),
        (
            "openai.responses",
            format!(
                r#"{{"input":[{{"role":"user","content":[{{"type":"input_file","filename":"a","file_data":"data:TYPE;base64,{PICTURE}"}}]}}]}}"#
            ),
        ),
        (
            "langchain",
            format!(r#"[{{"type":"human","content":[{{"type":"file","base64":"{PICTURE}","mime_type":"TYPE"}}]}}]"#),
        ),
        (
            "canonical",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"file","data":"{PICTURE}","mimeType":"TYPE"}}]}}]}}"#
            ),
        ),
    ] {
        for mime in ["image/png", "png", "application/octet-stream"] {
            let (text, rules) = fixed(target, "anthropic", &input.replace("TYPE", mime));
            assert!(text.contains(r#"{"type":"image","source""#), "{target}: {mime}: {text}");
            assert_eq!(
                rules.iter().filter(|rule| **rule == "file-not-accepted").count(),
                1,
                "{target}: {mime}: {rules:?}"
            );
            let pdf = input.replace(PICTURE, PDF).replace("TYPE", "application/octet-stream");
            let text = fixed(target, "anthropic", &pdf).0;
            assert!(text.contains(r#""media_type":"application/pdf""#), "{target}: {text}");
        }
        // Another type says that it is something else.
        let text = fixed(target, "anthropic", &input.replace("TYPE", "application/zip")).0;
        assert!(text.contains("file left out"), "{target}: {text}");
    }
}

#[test]
fn what_only_a_stand_in_is_left_of_is_lost_and_what_its_address_says_is_not() {
    const ZIP: &str = "UEsDBAoAAAAAAA==";
    const ADDRESS: &str = "https://example.org/a";
    let langchain = |block: &str| {
        format!(
            r#"[{{"type":"human","content":"q"}},{{"type":"ai","content":"","tool_calls":[{{"id":"c","name":"f","args":{{}},"type":"tool_call"}}]}},{{"type":"tool","tool_call_id":"c","content":[{block}]}}]"#
        )
    };
    let ai_sdk = |block: &str| {
        format!(
            r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"f","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c","toolName":"f","output":{{"type":"content","value":[{block}]}}}}]}}]"#
        )
    };
    for (dialect, input, rule, lost, says) in [
        (
            "langchain",
            langchain(&format!(r#"{{"type":"file","base64":"{ZIP}","mime_type":"application/zip"}}"#)),
            "file-not-accepted",
            true,
            "[wirecanon: file left out: application/zip]",
        ),
        (
            "langchain",
            langchain(&format!(
                r#"{{"type":"document","title":"a.zip","source":{{"type":"base64","media_type":"application/zip","data":"{ZIP}"}}}}"#
            )),
            "file-not-accepted",
            true,
            "[wirecanon: file left out: a.zip (application/zip)]",
        ),
        (
            "langchain",
            langchain(r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"plain words"}}"#),
            "file-not-accepted",
            false,
            r#""plain words""#,
        ),
        (
            "langchain",
            langchain(r#"{"type":"document","source":{"type":"content","content":[{"type":"text","text":"words"}]}}"#),
            "file-not-accepted",
            false,
            "words",
        ),
        (
            "langchain",
            langchain(&format!(r#"{{"type":"document","source":{{"type":"url","url":"{ADDRESS}"}}}}"#)),
            "media-by-address",
            false,
            ADDRESS,
        ),
        (
            "langchain",
            langchain(&format!(r#"{{"type":"file","url":"{ADDRESS}"}}"#)),
            "media-by-address",
            false,
            ADDRESS,
        ),
        (
            "langchain",
            langchain(&format!(r#"{{"type":"image","url":"{ADDRESS}"}}"#)),
            "media-by-address",
            false,
            ADDRESS,
        ),
        (
            "langchain",
            langchain(&format!(r#"{{"type":"audio","url":"{ADDRESS}"}}"#)),
            "media-by-address",
            false,
            ADDRESS,
        ),
        (
            "langchain",
            langchain(r#"{"type":"audio","base64":"SUQzBAAA","mime_type":"audio/mpeg"}"#),
            "audio-in-tool-result",
            true,
            "[audio audio/mpeg]",
        ),
        (
            "ai-sdk.model",
            ai_sdk(&format!(
                r#"{{"type":"file-data","data":"{ZIP}","mediaType":"application/zip","filename":"a.zip"}}"#
            )),
            "file-not-accepted",
            true,
            "[wirecanon: file left out: a.zip (application/zip)]",
        ),
        (
            "ai-sdk.model",
            ai_sdk(&format!(r#"{{"type":"image-url","url":"{ADDRESS}"}}"#)),
            "media-by-address",
            false,
            ADDRESS,
        ),
        ("ai-sdk.model", ai_sdk(r#"{"type":"file-id","fileId":"file-1"}"#), "unknown-block", false, "file-1"),
    ] {
        for target in ["anthropic.messages", "openai.chat"] {
            let entries = reported(dialect, target, &input);
            assert_eq!(entries, [(rule, lost)], "{target}: {input}");
            assert!(fixed(dialect, target, &input).0.contains(says), "{target}: {input}");
        }
        assert_eq!(fixed(dialect, dialect, &input), (input.clone(), vec![]));
    }
}

#[test]
fn a_result_of_mcp_with_a_picture_in_the_json_of_an_output_is_its_blocks() {
    let history = |output: &str| {
        format!(
            r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"f","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c","toolName":"f","output":{output}}}]}}]"#
        )
    };
    let picture = format!(r#"{{"type":"image","data":"{PICTURE}","mimeType":"image/png"}}"#);
    let result = |kind: &str, blocks: &str, more: &str| {
        history(&format!(r#"{{"type":"{kind}","value":{{"content":[{blocks}]{more}}}}}"#))
    };
    let source = format!(
        r#""content":[{{"type":"text","text":"seen"}},{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PICTURE}"}}}}"#
    );
    let seen = format!(r#"{{"type":"text","text":"seen"}},{picture}"#);
    for (more, says) in [
        (r#","isError":false,"_meta":null"#, "]"),
        ("", "]"),
        (r#","structuredContent":{"a":1}"#, r#",{"type":"text","text":"{\"a\":1}"}]"#),
    ] {
        let input = result("json", &seen, more);
        let noted = if more.contains("structured") { vec!["structured-content-not-in-text"] } else { vec![] };
        assert_eq!(fixed("ai-sdk.model", "ai-sdk.model", &input), (input.clone(), Vec::new()));
        let (text, rules) = fixed("ai-sdk.model", "anthropic.messages", &input);
        assert!(text.contains(&format!("{source}{says}")), "{text}");
        assert_eq!(rules, noted);
    }
    // Blocks of other kinds are said whole.
    let link = r#"{"type":"resource_link","uri":"file:///a","name":"a"}"#;
    let text = fixed("ai-sdk.model", "anthropic.messages", &result("json", &format!("{seen},{link}"), "")).0;
    assert!(text.contains(r#"{\"type\":\"resource_link\""#) && text.contains(&source), "{text}");
    // An error stays one, and has text alone there.
    let text = fixed("ai-sdk.model", "openai.chat", &result("error-json", &seen, "")).0;
    assert!(text.contains("[wirecanon: tool error] seen") && text.contains("image_url"), "{text}");
    let text = fixed("ai-sdk.model", "anthropic.messages", &result("json", &seen, r#","isError":true"#)).0;
    assert!(text.contains(r#""is_error":true"#) && text.contains(r#"{"type":"text","text":"seen"}"#), "{text}");
    // Once one of its blocks is mended, all are written as the dialect has them.
    let bad = result("json", &seen.replace("image/png", "image/jpeg"), "").replace(r#","content":"q""#, "");
    let (text, rules) = fixed("ai-sdk.model", "ai-sdk.model", &bad);
    let list = format!(
        r#""value":[{{"type":"text","text":"seen"}},{{"type":"image-data","data":"{PICTURE}","mediaType":"image/png"}}]"#
    );
    assert!(text.contains(&list), "{text}");
    assert_eq!(rules, ["content-missing", "image-type-mismatch"]);
    assert_eq!(fixed("ai-sdk.model", "ai-sdk.model", &text), (text.clone(), vec![]));
    // Any other value is the tool's own, and one text.
    for own in [
        result("json", r#"{"type":"text","text":"seen"}"#, ""),
        result("json", &seen, r#","total":3"#),
        result("json", &format!("{seen},1"), ""),
    ] {
        let text = fixed("ai-sdk.model", "anthropic.messages", &own).0;
        assert!(text.contains(r#""text":"{\"content\":["#) || text.contains(r#""content":"{\"content\":["#), "{text}");
    }
}

#[test]
fn what_contradicts_what_is_empty_and_what_has_no_name_is_reported_as_such() {
    let status = |status: &str, flag: &str| {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"x"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"t","name":"get","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"t",{status}"is_error":{flag},"content":[{{"text":"boom"}}]}}}}]}}]}}"#
        );
        fixed("bedrock.converse", "bedrock.converse", &input)
    };
    for (said, flag, rule, becomes) in [
        (r#""status":"success","#, "true", "alias-conflict", r#""status":"success""#),
        (r#""status":"success","#, "1", "alias-conflict", r#""status":"success""#),
        (r#""status":"error","#, "false", "alias-conflict", r#""status":"error""#),
        (r#""status":"error","#, r#""true""#, "field-alias", r#""status":"error""#),
        (r#""status":"success","#, "false", "field-alias", r#""status":"success""#),
        ("", "true", "field-alias", r#""status":"error""#),
    ] {
        let (text, rules) = status(said, flag);
        assert_eq!(rules, [rule], "{said} {flag}");
        assert!(text.contains(becomes) && !text.contains("is_error"), "{text}");
    }
    // Nobody but the assistant makes calls, but a list of none is none.
    for (dialect, calls, rule, lost) in [
        ("openai.chat", r#""tool_calls":[]"#, "empty-tool-calls", false),
        ("openai.chat", r#""tool_calls":[{"id":"a"}]"#, "block-in-wrong-role", true),
        ("openai.chat", r#""tool_calls":[],"function_call":{"name":"f"}"#, "block-in-wrong-role", true),
        ("cohere.v2", r#""tool_calls":[]"#, "empty-tool-calls", false),
    ] {
        let input = format!(r#"{{"messages":[{{"role":"user","content":"x",{calls}}}]}}"#);
        assert_eq!(reported(dialect, dialect, &input), [(rule, lost)], "{dialect}: {calls}");
    }
    let nameless = |name: &str| {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"x"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"a","type":"function","function":{{"name":"","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"a",{name}"content":"y"}}]}}"#
        );
        let options = Options {
            from: From::Dialect(Dialect::OpenAiChat),
            to: Some(Target::by_name("openai.chat").unwrap()),
            ..Options::default()
        };
        let report = fix(input.as_bytes(), &options).unwrap().report;
        report.repairs.iter().map(|entry| entry.message.to_string()).collect::<Vec<_>>().join("; ")
    };
    assert!(nameless("").contains("nor has its result; it was given: `unnamed_tool`"));
    assert!(nameless(r#""name":"get","#).contains("its result's was taken: `get`"));
}

#[test]
fn what_is_no_detail_of_a_picture_does_not_become_one() {
    let history = |inner: &str, outer: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"image_url":{{"url":"data:image/png;base64,{PICTURE}"{inner}}}{outer}}}]}}]}}"#
        )
    };
    for dialect in ["openai.chat", "mistral.chat"] {
        for outer in [r#","detail":"image_url""#, r#","detail":"original""#, r#","detail":7"#] {
            let (text, rules) = fixed(dialect, dialect, &history(r#","detail":"low""#, outer));
            assert!(text.contains(r#""detail":"low""#) && text.matches("detail").count() == 1, "{text}");
            assert!(rules.contains(&"alias-conflict"), "{rules:?}");
            let (text, rules) = fixed(dialect, dialect, &history("", outer));
            let known = dialect == "openai.chat" && outer.contains("original");
            assert!(
                known == text.contains("original") && text.matches("detail").count() == usize::from(known),
                "{text}"
            );
            assert_eq!(rules.contains(&"member-of-wrong-type"), !known, "{rules:?}");
        }
    }
}

#[test]
fn the_note_for_a_medium_stays_on_one_line() {
    for mime in ["audio/mpeg\\n", " audio/mpeg", "audio/mpeg"] {
        let audio = format!(r#"{{"type":"audio","data":"SUQzBAAAAAAA","mimeType":"{mime}"}}"#);
        let (text, _) = fixed("mcp.tool-result", "mcp.tool-result@2024-11-05", &format!(r#"{{"content":[{audio}]}}"#));
        assert_eq!(text, r#"{"content":[{"type":"text","text":"[audio audio/mpeg]"}]}"#, "{mime}");
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"f","arguments":{{}}}}]}},{{"role":"toolResult","toolCallId":"c","toolName":"f","content":[{audio}],"isError":false}}]}}"#
        );
        let (text, _) = fixed("openclaw", "openai", &input);
        assert!(text.contains(r#""[audio audio/mpeg]""#), "{text}");
    }
}
