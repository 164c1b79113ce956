//! Spellings of roles, calls, results and pictures that no dialect has and programs write.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::{Dialect, From, Options, fix};

#[test]
fn a_picture_by_an_address_is_one_under_each_of_its_names() {
    const ADDRESS: &str = "https://example.org/a.png";
    let url = format!("data:image/png;base64,{PICTURE}");
    for (block, says) in [
        (format!(r#"{{"type":"image","image_url":"{ADDRESS}"}}"#), ADDRESS),
        (format!(r#"{{"type":"image","image_url":{{"url":"{ADDRESS}"}}}}"#), ADDRESS),
        (format!(r#"{{"type":"image","image_url":"{url}"}}"#), PICTURE),
        (format!(r#"{{"type":"image","source":"{ADDRESS}"}}"#), ADDRESS),
        (format!(r#"{{"type":"image","source":"{url}"}}"#), PICTURE),
        (format!(r#"{{"type":"image","source":"{PICTURE}"}}"#), PICTURE),
        (format!(r#"{{"type":"image","source":{{"url":"{ADDRESS}"}}}}"#), ADDRESS),
        (format!(r#"{{"type":"image","source":{{"url":"{url}"}}}}"#), PICTURE),
    ] {
        for dialect in ["canonical", "openclaw", "openai.chat", "anthropic.messages"] {
            let input = format!(r#"{{"messages":[{{"role":"user","content":[{block}]}}]}}"#);
            for target in [dialect, "openai.chat", "anthropic.messages"] {
                let (text, rules) = fixed(dialect, target, &input);
                assert!(text.contains(says) && !text.contains("left out"), "{dialect} to {target}: {block}: {text}");
                assert!(!rules.contains(&"image-without-data"), "{dialect} to {target}: {block}: {rules:?}");
                let again = fixed(target, target, &text).0;
                assert_eq!(again, text, "{dialect} to {target}: {block}");
            }
        }
    }
}

#[test]
fn a_whole_result_of_mcp_is_its_blocks_unless_it_says_more() {
    let history = |content: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"c","type":"function","function":{{"name":"look","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"c","content":{content}}}]}}"#
        )
    };
    let picture = format!(r#"{{"type":"image","data":"{PICTURE}","mimeType":"image/png","annotations":null}}"#);
    let dumped = format!(
        r#"{{"_meta":null,"content":[{{"type":"text","text":"seen"}},{picture}],"structuredContent":null,"isError":false}}"#
    );
    let (text, rules) = fixed("openai.chat", "anthropic.messages", &history(&dumped));
    assert!(text.contains(r#"{"type":"text","text":"seen"},{"type":"image","source""#), "{text}");
    assert!(rules.contains(&"content-not-a-list"), "{rules:?}");
    // What fails, or says something beside its blocks, keeps every word.
    for more in [r#""isError":true"#, r#""structuredContent":{"a":1}"#, r#""total":3"#] {
        let whole = format!(r#"{{"content":[{{"type":"text","text":"seen"}}],{more}}}"#);
        let text = fixed("openai.chat", "canonical", &history(&whole)).0;
        assert!(text.contains(&more.replace('"', "\\\"")), "{text}");
    }
}

#[test]
fn a_role_under_another_name_is_read_in_every_dialect() {
    for dialect in Dialect::ALL.into_iter().filter(|dialect| !dialect.is_fragment()).map(Dialect::name) {
        for name in ["human", "User", "ai", "Assistant", "bot", "agent", "tool-call", "observation"] {
            let said = match dialect {
                "gemini.contents" => r#""parts":[{"text":"said"}]"#,
                _ => r#""content":"said""#,
            };
            let list = match dialect {
                "gemini.contents" => "contents",
                "openai.responses" => "input",
                _ => "messages",
            };
            let (text, rules) = fixed(dialect, "canonical", &format!(r#"{{"{list}":[{{"role":"{name}",{said}}}]}}"#));
            let role = if ["human", "User", "observation"].contains(&name) { "user" } else { "assistant" };
            assert!(text.contains(&format!(r#""role":"{role}""#)) && text.contains("said"), "{dialect} {name}: {text}");
            assert!(rules.contains(&"role-alias") && !rules.contains(&"unknown-role"), "{dialect} {name}: {rules:?}");
        }
    }
}

#[test]
fn who_speaks_is_shown_by_what_is_said() {
    for (dialect, message, role) in [
        ("openai.chat", r#"{"content":"so","reasoning_content":"hm"}"#, "assistant"),
        ("openai.chat", r#"{"role":"","content":null,"function_call":{"name":"read","arguments":"{}"}}"#, "assistant"),
        ("anthropic.messages", r#"{"content":[{"type":"tool_use","id":"a","name":"read","input":{}}]}"#, "assistant"),
        ("bedrock.converse", r#"{"content":[{"toolUse":{"toolUseId":"a","name":"read","input":{}}}]}"#, "assistant"),
    ] {
        let (text, rules) = fixed(dialect, "canonical", &format!(r#"{{"messages":[{message}]}}"#));
        assert!(text.contains(&format!(r#""role":"{role}""#)), "{message}: {text}");
        assert!(rules.contains(&"unknown-role"), "{message}: {rules:?}");
    }
    for message in [r#"{"content":"said"}"#, r#"{"role":"narrator","tool_calls":[{"id":"a"}]}"#] {
        let (text, _) = fixed(
            "openai.chat",
            "canonical",
            &format!(r#"{{"messages":[{{"role":"user","content":"go"}},{message}]}}"#),
        );
        assert_eq!(text.matches("\"role\"").count(), 1, "{text}");
    }
}

#[test]
fn calls_in_a_text_are_calls() {
    let openai = r#"[{"id":" c ","type":"function","function":{"name":"read","arguments":"{\"at\":1}"}},{"id":"d","function":{"name":"list","arguments":[1]}}]"#;
    let langchain =
        r#"[{"id":"c","name":"read","args":{"at":1},"type":"tool_call"},{"id":"d","name":"list","args":null}]"#;
    for (dialect, list, call) in [
        ("openai.chat", openai, r#"{"role":"assistant","content":null,"#),
        ("cohere.v2", openai, r#"{"role":"assistant","#),
        ("langchain", langchain, r#"{"type":"ai","content":"","#),
    ] {
        let result = |id: &str| match dialect {
            "langchain" => format!(r#"{{"type":"tool","tool_call_id":"{id}","content":"of {id}"}}"#),
            _ => format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"of {id}"}}"#),
        };
        let with = |calls: &str| {
            let text = format!("{calls:?}");
            format!(r#"{{"messages":[{call}"tool_calls":{text}}},{},{}]}}"#, result("c"), result("d"))
        };
        let (text, rules) = fixed(dialect, "canonical", &with(list));
        assert!(text.contains(r#""id":"c","name":"read","arguments":"{\"at\":1}""#), "{dialect}: {text}");
        assert!(text.contains(r#""id":"d","name":"list","arguments":"{"#), "{dialect}: {text}");
        assert!(text.contains("of c") && text.contains("of d"), "{dialect}: {text}");
        assert!(rules.contains(&"content-not-a-list"), "{dialect}: {rules:?}");
        for odd in ["no list", "[1]", "[]"] {
            let (text, rules) = fixed(dialect, "canonical", &with(odd));
            assert!(!text.contains("toolCall\","), "{dialect}: {text}");
            assert!(rules.contains(&"content-not-a-list"), "{dialect}: {rules:?}");
        }
    }
}

#[test]
fn bytes_in_numbers_are_a_picture_or_a_file() {
    let bytes = base64_simd::STANDARD.decode_to_vec(PICTURE).unwrap();
    let list = format!("{bytes:?}");
    let members: Vec<_> = bytes.iter().enumerate().map(|(at, byte)| format!(r#""{at}":{byte}"#)).collect();
    for data in [list.clone(), format!(r#"{{"type":"Buffer","data":{list}}}"#), format!("{{{}}}", members.join(","))] {
        for (dialect, input) in [
            (
                "bedrock.converse",
                format!(
                    r#"{{"messages":[{{"role":"user","content":[{{"image":{{"format":"png","source":{{"bytes":{data}}}}}}}]}}]}}"#
                ),
            ),
            (
                "bedrock.converse",
                format!(
                    r#"{{"messages":[{{"role":"user","content":[{{"text":"so"}},{{"document":{{"format":"pdf","name":"a","source":{{"bytes":{data}}}}}}}]}}]}}"#
                ),
            ),
            (
                "gemini.contents",
                format!(
                    r#"{{"contents":[{{"role":"user","parts":[{{"inlineData":{{"mimeType":"image/png","data":{data}}}}}]}}]}}"#
                ),
            ),
            (
                "anthropic.messages",
                format!(
                    r#"{{"messages":[{{"role":"user","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":{data}}}}}]}}]}}"#
                ),
            ),
            (
                "ai-sdk.model",
                format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"image","image":{data}}}]}}]}}"#),
            ),
            (
                "ai-sdk.model",
                format!(
                    r#"{{"messages":[{{"role":"user","content":[{{"type":"file","mediaType":"application/pdf","data":{data}}}]}}]}}"#
                ),
            ),
            (
                "canonical",
                format!(
                    r#"{{"messages":[{{"role":"user","content":[{{"type":"image","mimeType":"image/png","data":{data}}}]}}]}}"#
                ),
            ),
        ] {
            for target in [dialect, "canonical"] {
                let (text, rules) = fixed(dialect, target, &input);
                assert!(text.contains(PICTURE), "{dialect} to {target}: {text}");
                assert!(rules.contains(&"image-base64-not-canonical"), "{dialect} to {target}: {rules:?}");
            }
        }
    }
}

#[test]
fn a_block_without_a_type_is_what_it_shows() {
    let url = format!("data:image/png;base64,{PICTURE}");
    for (block, says) in [
        (r#"{"text":"some words"}"#.to_owned(), r#"some words""#),
        (r#"{"type":null,"text":"some words"}"#.to_owned(), r#"some words""#),
        (format!(r#"{{"image_url":{{"url":"{url}"}}}}"#), PICTURE),
        (format!(r#"{{"image_url":"{url}"}}"#), PICTURE),
    ] {
        for dialect in
            ["canonical", "openclaw", "openai.chat", "mistral.chat", "anthropic.messages", "openai.responses"]
        {
            let list = if dialect == "openai.responses" { "input" } else { "messages" };
            let input = format!(r#"{{"{list}":[{{"role":"user","content":[{block}]}}]}}"#);
            for target in [dialect, "openai.chat", "anthropic.messages"] {
                let (text, rules) = fixed(dialect, target, &input);
                assert!(text.contains(says) && !text.contains("\\\""), "{dialect} to {target}: {block}: {text}");
                assert!(rules.contains(&"foreign-block-shape"), "{dialect} to {target}: {block}: {rules:?}");
                assert_eq!(fixed(target, target, &text).0, text, "{dialect} to {target}: {block}");
            }
        }
    }
    // What says more is nobody's text.
    let input = r#"{"messages":[{"role":"user","content":[{"text":"words","score":2}]}]}"#;
    let (text, rules) = fixed("openai.chat", "openai.chat", input);
    assert!(text.contains(r#"\"score\":2"#) && rules == ["unknown-block"], "{text} {rules:?}");
}

#[test]
fn words_of_an_assistant_stand_one_level_down() {
    let input = |rest: &str| {
        format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":{{"value":"hello"{rest}}}}}]}}]}}"#)
    };
    for (rest, lost) in [(r#","annotations":[]"#, 0), (r#","annotations":[{"file_citation":{"file_id":"f"}}]"#, 1)] {
        let (text, rules) = fixed("openai.chat", "openai.chat", &input(rest));
        assert_eq!(text, r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hello"}]}]}"#);
        assert_eq!(rules, ["foreign-block-shape"]);
        let options = Options { from: From::Dialect(Dialect::OpenAiChat), ..Options::default() };
        assert_eq!(fix(input(rest).as_bytes(), &options).unwrap().report.losses().count(), lost, "{rest}");
    }
    // An object that says more or less is nobody's text.
    for other in [r#","annotations":[],"x":1"#, r#","x":1"#, ""] {
        let (text, rules) = fixed("openai.chat", "openai.chat", &input(other));
        assert!(text.contains(r#"{\"value\":\"hello\""#) && rules == ["text-not-a-string"], "{text}");
    }
}

#[test]
fn a_function_in_a_text_is_a_function() {
    let history = |function: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"c","type":"function","function":{function}}}]}},{{"role":"tool","tool_call_id":"c","content":"ok"}}]}}"#
        )
    };
    for function in [
        r#""{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":1}\"}""#,
        r#""{\"name\":\"read\",\"arguments\":{\"path\":1}}""#,
    ] {
        let (text, rules) = fixed("openai.chat", "openai.chat", &history(function));
        assert_eq!(text, history(r#"{"name":"read","arguments":"{\"path\":1}"}"#));
        assert!(rules.starts_with(&["tool-call-alias", "field-alias"]), "{rules:?}");
    }
}

#[test]
fn attachments_of_version_4_are_parts() {
    let picture = format!("data:image/png;base64,{PICTURE}");
    let attached = format!(
        r#"[{{"name":"a.png","contentType":"image/png","url":"{picture}"}},{{"contentType":"image/png","url":"https://example.org/b.png"}},{{"name":"c.txt","contentType":"text/plain","url":"data:text/plain;base64,YQ=="}},{{"name":"d.pdf","contentType":"application/pdf","url":"https://example.org/d.pdf"}}]"#
    );
    let parts = format!(
        r#"{{"type":"file","mediaType":"image/png","url":"{picture}"}},{{"type":"file","mediaType":"image/png","url":"https://example.org/b.png"}},{{"type":"file","mediaType":"text/plain","filename":"c.txt","url":"data:text/plain;base64,YQ=="}},{{"type":"file","mediaType":"application/pdf","url":"https://example.org/d.pdf","filename":"d.pdf"}}"#
    );
    let written =
        |last: &str| format!(r#"[{{"id":"1","role":"user","parts":[{{"type":"text","text":"look"}},{parts}{last}]}}]"#);
    for said in [r#""parts":[{"type":"text","text":"look"}]"#, r#""content":"look""#] {
        let input =
            format!(r#"[{{"id":"1","role":"user",{said},"tags":["mine"],"experimental_attachments":{attached}}}]"#);
        assert!(fixed("ai-sdk.ui", "canonical", &input).0.contains(r#""tags":["mine"]"#), "{said}");
        let faults = broken("ai-sdk.ui", &input);
        assert_eq!(
            faults.iter().filter(|rule| **rule == "foreign-block-shape").count(),
            if said.contains("parts") { 4 } else { 0 }
        );
        let (text, rules) = fixed("ai-sdk.ui", "ai-sdk.ui", &input);
        assert!(text.contains(&parts) && !text.contains("experimental"), "{text}");
        assert!(rules.contains(&"foreign-block-shape"), "{rules:?}");
        assert_eq!(fixed("ai-sdk.ui", "ai-sdk.ui", &text).0, text);
        let chat = fixed("ai-sdk.ui", "openai.chat", &input).0;
        assert!(chat.contains(&picture) && chat.contains("https://example.org/b.png"), "{chat}");
    }
    // What is a part already is none twice, and no fault; the assistant has none.
    let there = written("").replace("]}]", &format!(r#"],"experimental_attachments":{attached}}}]"#));
    assert_eq!(fixed("ai-sdk.ui", "ai-sdk.ui", &there), (there.clone(), vec![]));
}

#[test]
fn pieces_of_a_call_are_put_together() {
    let history = |calls: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{calls}]}},{{"role":"tool","tool_call_id":"a","content":"one"}},{{"role":"tool","tool_call_id":"b","content":"two"}}]"#
        )
    };
    let call = |id: &str, name: &str, arguments: &str| {
        format!(r#"{{"id":"{id}","type":"function","function":{{"name":"{name}","arguments":"{arguments}"}}}}"#)
    };
    let whole = format!("{},{}", call("a", "f", r#"{\"x\":1}"#), call("b", "g", r#"{\"y\":2}"#));
    let b = call("b", "g", r#"{\"y\":2}"#);
    for pieces in [
        // Interleaved, by their index.
        r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\""}},{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{\"y\""}},{"index":0,"function":{"arguments":":1}"}},{"index":1,"function":{"arguments":":2}"}}"#.to_owned(),
        // Without one, behind the call that they go on with; empty ids and names say nothing.
        format!(r#"{{"id":"a","type":"function","function":{{"name":"f","arguments":""}}}},{{"id":"","type":"function","function":{{"name":"","arguments":"{{\"x\""}}}},{{"id":null,"function":{{"name":null,"arguments":":1}}"}}}},{b}"#),
        // With the id or the name of the call.
        format!(r#"{{"index":0,"id":"a","type":"function","function":{{"name":"f","arguments":"{{\"x\""}}}},{{"index":0,"id":null,"function":{{"name":"f","arguments":":1"}}}},{{"index":0,"id":"a","function":{{"arguments":"}}"}}}},{b}"#),
        // An index that no call has.
        format!(r#"{{"index":0,"id":"a","type":"function","function":{{"name":"f"}}}},{{"index":7,"function":{{"arguments":"{{\"x\":1}}"}}}},{b}"#),
    ] {
        let (text, rules) = fixed("openai.chat", "openai.chat", &history(&pieces));
        let written = text.replace(r#""index":0,"#, "").replace(r#""index":1,"#, "");
        assert_eq!(written, history(&whole), "{pieces}");
        assert!(rules.iter().all(|rule| *rule == "streaming-marker"), "{pieces}: {rules:?}");
    }
    // A call of one name, whole by itself, behind one without arguments: a piece, unless there is a result of its own.
    for id in ["", r#""id":"a","#] {
        let calls = format!(
            r#"{{"id":"a","type":"function","function":{{"name":"f"}}}},{{{id}"type":"function","function":{{"name":"f","arguments":"{{\"x\":1}}"}}}}"#
        );
        let second = if id.is_empty() { "b" } else { "a" };
        let twice = history(&calls).replace(r#""b","content":"two""#, &format!(r#""{second}","content":"two""#));
        let (text, rules) = fixed("openai.chat", "openai.chat", &twice);
        assert!(text.contains(r#""arguments":"{}""#) && text.contains("one") && text.contains("two"), "{text}");
        assert!(!rules.contains(&"streaming-marker"), "{rules:?}");
        let once = twice.replace(&format!(r#",{{"role":"tool","tool_call_id":"{second}","content":"two"}}"#), "");
        let (text, rules) = fixed("openai.chat", "openai.chat", &once);
        assert!(!text.contains(r#""arguments":"{}""#) && text.contains("one"), "{text}");
        assert_eq!(rules, ["streaming-marker"], "{text}");
    }
    // What stays no object goes together all the same where nothing else can hold it.
    let cut = format!(r#"{},{{"function":{{"arguments":":1"}}}},{b}"#, call("a", "f", r#"{\"x\""#));
    let text = fixed("openai.chat", "openai.chat", &history(&cut)).0;
    assert!(text.contains(r#"{\"INVALID_JSON\":\"{\\\"x\\\":1\"}"#), "{text}");
    // A call that is whole needs none; one of another name, or id, is another one.
    for other in [
        r#"{"function":{"arguments":"{\"z\":3}"}}"#,
        r#"{"type":"function","function":{"name":"h","arguments":"}"}}"#,
        r#"{"id":"c","type":"function","function":{"name":"f","arguments":"}"}}"#,
    ] {
        for head in [r#"{\"x\":1}"#, r#"{\"x\":1"#] {
            let nameless = !other.contains("name") && !head.ends_with('}');
            let rules =
                fixed("openai.chat", "openai.chat", &history(&format!("{},{other},{b}", call("a", "f", head)))).1;
            assert_eq!(rules.contains(&"streaming-marker"), nameless, "{other} behind {head}: {rules:?}");
        }
    }
    // Two calls of one id stay two.
    let twice = format!("{},{},{b}", call("a", "f", r#"{\"x\":1}"#), call("a", "f", r#"{\"x\":2}"#));
    assert!(!fixed("openai.chat", "openai.chat", &history(&twice)).1.contains(&"streaming-marker"));
}

#[test]
fn what_a_response_has_beside_its_message_is_told() {
    let response = br#"{"id":"r","choices":[{"index":0,"message":{"role":"assistant","content":"one"}},{"index":1,"message":{"role":"assistant","content":"two"}}],"usage":{}}"#;
    let options = Options::new().from(Dialect::OpenAiChat);
    let report = fix(response, &options).expect("a response").report;
    let left: Vec<_> = report.notes.iter().filter(|note| note.lost).filter_map(|note| note.input.as_deref()).collect();
    assert_eq!(left, ["/id", "/choices/1", "/usage"]);
}

#[test]
fn a_document_of_the_model_is_told_once() {
    // The model says no documents: that it said one is told once, and not as if a tool had.
    let said = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"document","source":{"type":"base64","media_type":"text/csv","data":"YSxiCg=="}}]},{"role":"user","content":"v"}]}"#;
    assert!(!fixed("anthropic.messages", "anthropic", said).1.contains(&"file-not-accepted"));
}

/// OpenHands/software-agent-sdk#2488: the model broke lines between the tokens of its arguments.
#[test]
fn arguments_with_line_breaks_stay_on_the_line_of_their_message() {
    let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\n \"a\": \"b\\nc\"\r\n}"}}]}"#;
    let lines = format!(
        "{}\n{call}\n{}\n",
        r#"{"role":"user","content":"q"}"#, r#"{"role":"tool","tool_call_id":"c1","content":"r"}"#
    );
    for target in ["anthropic.messages", "gemini.contents", "bedrock.converse", "ollama.chat", "langchain", "openclaw"]
    {
        let (text, _) = fixed("openai.chat", target, &lines);
        assert_eq!(text.lines().count(), 3, "{target}: {text}");
        assert!(text.contains(r#"{ "a": "b\nc"}"#), "{target}: {text}");
        assert_eq!(fixed(target, target, &text).0, text, "{target}");
        let document = format!(r#"{{"messages":[{},{call}]}}"#, r#"{"role":"user","content":"q"}"#);
        assert!(!fixed("openai.chat", target, &document).0.contains('\n'), "{target}");
    }
}

/// `LlamaIndex` keeps calls and the ids of results beside the content (run-llama/llama_index#13715).
#[test]
fn calls_and_ids_in_additional_kwargs_are_the_messages_own() {
    let history = r#"[{"role":"user","content":"q"},{"role":"assistant","content":"","additional_kwargs":{"tool_calls":[{"id":"t1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}},{"role":"tool","content":"R","additional_kwargs":{"name":"f","tool_call_id":"t1"}}]"#;
    for target in ["openai.chat", "anthropic.messages", "canonical", "bedrock.converse"] {
        let (text, rules) = fixed("openai.chat", target, history);
        assert!(text.contains("\"t1\"") && text.contains("\"R\"") && !text.contains("no result"), "{target}: {text}");
        assert!(rules.iter().all(|rule| *rule == "field-alias"), "{target}: {rules:?}");
        assert_eq!(fixed(target, target, &text).0, text, "{target}");
    }
}

#[test]
fn instructions_beside_messages_of_the_ai_sdk_are_read() {
    for (dialect, messages) in [
        ("ai-sdk.model", r#"[{"role":"user","content":"Hi"}]"#),
        ("ai-sdk.ui", r#"[{"id":"m","role":"user","parts":[{"type":"text","text":"Hi"}]}]"#),
    ] {
        for system in [
            r#""system":"Never delete.""#,
            r#""instructions":"Never delete.""#,
            r#""system":{"role":"system","content":"Never delete."}"#,
            r#""instructions":[{"role":"system","content":"Never delete."}]"#,
        ] {
            let input = format!(r#"{{{system},"messages":{messages}}}"#);
            let (text, _) = fixed(dialect, "openai.chat", &input);
            let expected =
                r#"{"messages":[{"role":"system","content":"Never delete."},{"role":"user","content":"Hi"}]}"#;
            assert_eq!(text, expected, "{dialect}: {system}");
            let (text, rules) = fixed(dialect, dialect, &input);
            assert_eq!((text, rules.len()), (input, 0), "{dialect}: {system}");
        }
        for nothing in [r#""system":null"#, r#""system":"""#, r#""instructions":[]"#] {
            let input = format!(r#"{{{nothing},"messages":{messages}}}"#);
            let (text, _) = fixed(dialect, "openai.chat", &input);
            assert_eq!(text, r#"{"messages":[{"role":"user","content":"Hi"}]}"#, "{dialect}: {nothing}");
        }
    }
}

#[test]
fn a_kept_text_that_is_another_one_is_not_written() {
    let history = |kept: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"Hello.","native":{{"anthropic.messages":{kept},"openai.chat":{kept},"langchain":{kept},"ai-sdk.model":{kept}}}}}]}}]}}"#
        )
    };
    for dialect in ["anthropic.messages", "openai.chat", "langchain", "ai-sdk.model"] {
        let (text, _) = fixed("canonical", dialect, &history(r#"{"type":"text","text":"Evil."}"#));
        assert!(text.contains("Hello.") && !text.contains("Evil."), "{dialect}: {text}");
    }
    let mark = r#""cache_control":{"type":"ephemeral"}"#;
    for kept in ["Hello.", "Evil."] {
        let kept = format!(r#"{{"type":"text","text":"{kept}",{mark}}}"#);
        let (text, _) = fixed("canonical", "anthropic.messages", &history(&kept));
        assert!(text.contains(r#""text":"Hello.""#) && text.contains(mark), "{text}");
    }
    let history = r#"{"messages":[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":"{}"}]},{"role":"toolResult","toolCallId":"a","toolName":"f","content":[{"type":"text","text":"sunny"}],"native":{"ai-sdk.model":{"output":{"type":"text","value":"Evil."}}}}]}"#;
    let (text, _) = fixed("canonical", "ai-sdk.model", history);
    assert!(text.contains("sunny") && !text.contains("Evil."), "{text}");
}

#[test]
fn an_image_as_a_document_of_a_result_is_an_image_however_its_type_is_spelled() {
    for kind in ["image/png", "IMAGE/PNG", "Image/Png"] {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"read","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":[{{"type":"document","source":{{"type":"base64","media_type":"{kind}","data":"{PICTURE}"}}}}]}}]}}]}}"#
        );
        for target in ["anthropic", "openai", "gemini"] {
            let text = fixed("anthropic.messages", target, &input).0;
            assert!(text.contains(PICTURE) && !text.contains("left out"), "{kind} to {target}: {text}");
        }
    }
}
