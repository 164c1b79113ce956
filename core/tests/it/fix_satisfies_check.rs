//! `fix` and `check` agree: `check` finds nothing in what `fix` writes, and a second run changes nothing in it.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::{Dialect, From, Options, Target, fix};

/// A PDF with one object.
const PDF: &str = "JVBERi0xLjQKMSAwIG9iajw8Pj5lbmRvYmoK";

/// Returns what one run writes, and each rule of its report with whether something is lost by it.
fn repaired(from: &str, to: &str, input: &str) -> (String, Vec<(&'static str, bool)>) {
    let target = Target::by_name(to).unwrap();
    let options = |dialect: Dialect| Options { from: From::Dialect(dialect), to: Some(target), ..Options::default() };
    let fixed = fix(input.as_bytes(), &options(Dialect::by_name(from).unwrap())).unwrap();
    let text = String::from_utf8(fixed.output.to_vec()).unwrap();
    assert_eq!(broken(to, &text), Vec::<&str>::new(), "{to}: {text}");
    let again = fix(text.as_bytes(), &options(target.dialect)).unwrap();
    assert_eq!(String::from_utf8(again.output.to_vec()).unwrap(), text, "a second run changes it");
    let entries = fixed.report.repairs.iter().chain(&fixed.report.notes);
    let entries = entries.map(|entry| (entry.rule, entry.lost)).collect();
    (text, entries)
}

/// A request to Claude with a call, this call's members and these members of its result.
fn with_call(call: &str, result: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"f","input":{{}}{call}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1",{result}}}]}}]}}"#
    )
}

#[test]
fn a_whole_result_of_mcp_without_blocks_is_an_empty_result() {
    for content in [r#"{"content":[],"isError":false}"#, r#"{"content":[]}"#] {
        let input = with_call("", &format!(r#""content":{content}"#));
        let (text, rules) = repaired("anthropic.messages", "anthropic", &input);
        assert_eq!(text, with_call("", r#""content":[{"type":"text","text":"(no output)"}]"#));
        assert_eq!(rules, [("empty-tool-result", false)]);
        assert_eq!(fixed("anthropic.messages", "anthropic", &input), (text, vec!["empty-tool-result"]));
    }
    let talk = |content: &str| {
        format!(
            r#"[{{"type":"human","content":"q"}},{{"type":"ai","content":"","tool_calls":[{{"id":"c","name":"f","args":{{}},"type":"tool_call"}}]}},{{"type":"tool","content":{content},"tool_call_id":"c","name":"f"}}]"#
        )
    };
    let (text, _) = repaired("langchain", "langchain", &talk(r#"{"content":[],"isError":false}"#));
    assert_eq!(text, talk(r#""(no output)""#));
}

#[test]
fn another_name_of_a_type_beside_the_type_is_a_member_as_any_other() {
    for name in ["$type", "block_type", "content_type"] {
        for value in ["null", "5", r#""""#, r#""tool_use""#] {
            let member = format!(r#","{name}":{value}"#);
            for input in [with_call(&member, r#""content":"x""#), with_call("", &format!(r#""content":"x"{member}"#))] {
                let (text, rules) = repaired("anthropic.messages", "anthropic", &input);
                assert_eq!(text, with_call("", r#""content":"x""#));
                assert_eq!(rules, [("unknown-field", true)]);
            }
        }
    }
}

#[test]
fn an_open_call_of_an_mcp_server_ends_with_instructions_that_the_user_is_told() {
    let call = r#"{"type":"mcp_tool_use","id":"mcptoolu_1","name":"x","server_name":"s","input":{}}"#;
    let result = r#"{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,"content":[]}"#;
    for (behind, lost) in [("", 1), (&*format!(r#",{{"role":"assistant","content":[{result}]}}"#), 2)] {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{call}]}},{{"role":"system","content":"S"}}{behind}]}}"#
        );
        let (text, rules) = repaired("anthropic.messages", "anthropic", &input);
        assert!(text.ends_with(r#"[{"type":"text","text":"[wirecanon: system message] S"}]}]}"#), "{text}");
        let without = rules.iter().filter(|entry| **entry == ("provider-item-without-partner", true));
        assert_eq!(without.count(), lost, "{rules:?}");
    }
}

#[test]
fn base64_in_place_of_an_address_is_the_bytes() {
    let bare = PICTURE.trim_end_matches('=');
    let broken_lines = format!("{}\\n{}", &PICTURE[..40], &PICTURE[40..]);
    for spelling in [PICTURE, bare, &*broken_lines] {
        for (dialect, target, before, behind, now) in [
            (
                "anthropic.messages",
                "anthropic",
                r#"{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":""#,
                r#""}}]}]}"#,
                r#""source":{"type":"base64","media_type":"image/png","data":"#,
            ),
            (
                "openai.responses",
                "openai-responses",
                r#"{"input":[{"role":"user","content":[{"type":"input_image","image_url":""#,
                r#""}]}]}"#,
                r#""image_url":"data:image/png;base64,"#,
            ),
            (
                "openai.responses",
                "openai-responses",
                r#"{"input":[{"role":"user","content":"q"},{"type":"computer_call","call_id":"c","action":{"type":"screenshot"},"pending_safety_checks":[],"status":"completed"},{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":""#,
                r#""}}]}"#,
                r#""output":{"type":"computer_screenshot","image_url":"data:image/png;base64,"#,
            ),
            (
                "cohere.v2",
                "cohere",
                r#"{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":""#,
                r#""}}]}]}"#,
                r#""url":"data:image/png;base64,"#,
            ),
            (
                "gemini.contents",
                "gemini",
                r#"{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":""#,
                r#""}}]}]}"#,
                r#"{"inlineData":{"mimeType":"image/png","data":"#,
            ),
            (
                "canonical",
                "canonical",
                r#"{"messages":[{"role":"user","content":[{"type":"link","url":""#,
                r#""}]}]}"#,
                r#"{"type":"image","data":"#,
            ),
        ] {
            let input = format!("{before}{spelling}{behind}");
            assert!(!broken(target, &input).is_empty(), "{target}");
            let (text, rules) = repaired(dialect, target, &input);
            assert!(text.contains(now) && text.contains(PICTURE), "{target}: {text}");
            assert_eq!(rules[0], ("media-without-address", false), "{target}");
        }
    }
}

#[test]
fn a_pdf_in_place_of_its_address_keeps_its_title_and_its_place() {
    let document =
        |source: &str| format!(r#"{{"type":"document","source":{source},"title":"t","citations":{{"enabled":true}}}}"#);
    let bare = document(&format!(r#"{{"type":"url","url":"{PDF}"}}"#));
    let whole = format!(r#""source":{{"type":"base64","media_type":"application/pdf","data":"{PDF}"}}"#);
    let message = format!(r#"{{"messages":[{{"role":"user","content":[{bare}]}}]}}"#);
    for input in [message, with_call("", &format!(r#""content":[{bare}]"#))] {
        assert_eq!(broken("anthropic", &input), ["media-without-address"]);
        let (text, rules) = repaired("anthropic.messages", "anthropic", &input);
        assert!(text.contains(&whole) && text.contains(r#""title":"t""#) && text.contains("citations"), "{text}");
        assert_eq!(rules, [("media-without-address", false)]);
    }
    let part = format!(r#"{{"type":"input_file","file_url":"{PDF}","filename":"a.pdf"}}"#);
    let message = format!(r#"{{"input":[{{"role":"user","content":[{part}]}}]}}"#);
    let output = format!(
        r#"{{"input":[{{"role":"user","content":"q"}},{{"type":"function_call","call_id":"c","name":"f","arguments":"{{}}"}},{{"type":"function_call_output","call_id":"c","output":[{part}]}}]}}"#
    );
    for input in [message, output] {
        assert_eq!(broken("openai-responses", &input), ["media-without-address"]);
        let (text, _) = repaired("openai.responses", "openai-responses", &input);
        assert!(text.contains(&format!(r#""file_data":"data:application/pdf;base64,{PDF}""#)), "{text}");
    }
}

/// Returns the losses of one run that keeps the law.
fn lost(from: &str, to: &str, input: &str) -> Vec<&'static str> {
    repaired(from, to, input).1.into_iter().filter(|(_, lost)| *lost).map(|(rule, _)| rule).collect()
}

/// A transcript of OpenClaw's with this block in its tool result.
fn result_of_openclaw(block: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"f","arguments":{{}}}}]}},{{"role":"toolResult","toolCallId":"c","toolName":"f","isError":false,"content":[{block}]}}]}}"#
    )
}

#[test]
fn what_is_left_out_is_marked_as_lost() {
    for (value, rules) in [(r#""FIRST""#, vec!["duplicate-key"]), (r#""q""#, vec![]), ("null", vec![]), ("[]", vec![])]
    {
        let input = format!(r#"{{"messages":[{{"role":"user","content":{value},"content":"q"}}]}}"#);
        assert_eq!(lost("openai.chat", "openai", &input), rules, "{value}");
    }
    for block in [
        r#"{"type":"image","text":"TXT","data":null}"#,
        r#"{"type":"image","text":"TXT","image":{"data":null}}"#,
        r#"{"type":"image","text":"TXT","image_url":{"url":""}}"#,
    ] {
        assert_eq!(lost("openclaw", "openclaw", &result_of_openclaw(block)), ["image-without-data"], "{block}");
    }
    assert!(lost("openclaw", "openclaw", &result_of_openclaw(r#"{"type":"image","data":null}"#)).is_empty());
    for (block, rule) in [
        (r#"{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}"#, "audio-in-tool-result"),
        (r#"{"type":"resource","resource":{"uri":"file:///a","text":"words"}}"#, "resource-in-tool-result"),
    ] {
        assert_eq!(lost("openclaw", "openclaw", &result_of_openclaw(block)), [rule]);
    }
    let resource =
        r#"{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"file:///a","text":"words"}}}]}"#;
    assert_eq!(lost("mcp.prompt", "anthropic", resource), ["resource-in-tool-result"]);
    let turn = |members: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant",{members}}},{{"role":"user","content":"n"}}]}}"#
        )
    };
    assert_eq!(lost("openai.chat", "openai", &turn(r#""result":"RES""#)), ["empty-message"]);
    assert_eq!(lost("openclaw", "openclaw", &turn(r#""content":[],"output":"RES""#)), ["empty-message"]);
    assert!(lost("openclaw", "openclaw", &turn(r#""content":[],"model":"m""#)).is_empty());
}

#[test]
fn one_object_under_another_name_of_the_content_is_the_content() {
    for role in ["user", "assistant"] {
        let message = |members: &str| {
            format!(
                r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"{role}",{members}}},{{"role":"user","content":"n"}}]}}"#
            )
        };
        for name in ["parts", "blocks", "contents", "items"] {
            let input = message(&format!(r#""{name}":{{"text":"WORDS"}}"#));
            let (text, _) = repaired("openai.chat", "openai", &input);
            assert_eq!(text, message(r#""content":"WORDS""#));
        }
    }
}

#[test]
fn another_name_of_the_content_does_not_stay_beside_it() {
    let block = r#"[{"type":"text","text":"words"}]"#;
    for name in ["parts", "blocks", "contents", "items"] {
        for (dialect, before, behind) in [
            ("mcp.sampling", r#"{"messages":[{"role":"user","#, r#"}],"maxTokens":5}"#),
            ("mcp.prompt", r#"{"messages":[{"role":"user","#, "}]}"),
            ("ai-sdk.model", r#"[{"role":"user","#, "}]"),
            ("langchain", r#"[{"type":"human","#, "}]"),
            ("canonical", r#"{"messages":[{"role":"user","#, "}]}"),
            ("openclaw", r#"{"messages":[{"role":"user","#, "}]}"),
        ] {
            let (text, rules) = repaired(dialect, dialect, &format!(r#"{before}"{name}":{block}{behind}"#));
            assert!(!text.contains(name) && text.contains("words"), "{dialect}: {text}");
            assert_eq!(rules, [("field-alias", false)], "{dialect}");
            // A member beside the content is one of its own.
            let whole = format!(r#"{before}"content":{{"type":"text","text":"words"}},"{name}":{block}{behind}"#);
            if broken(dialect, &whole).is_empty() {
                assert_eq!(repaired(dialect, dialect, &whole).0, whole);
            }
        }
    }
}

#[test]
fn audio_of_the_user_is_a_file() {
    let input = r#"{"messages":[{"role":"user","content":[{"type":"audio","data":"UklGRiQAAABXQVZF","mimeType":"audio/wav"}]}]}"#;
    let (text, rules) = repaired("openai.chat", "openai", input);
    assert!(
        text.contains(r#"{"type":"input_audio","input_audio":{"data":"UklGRiQAAABXQVZF","format":"wav"}}"#),
        "{text}"
    );
    assert_eq!(rules, [("foreign-block-shape", false)]);
    assert_eq!(lost("openai.chat", "groq", input), ["file-not-accepted"]);
}

#[test]
fn the_bytes_of_audio_say_its_format() {
    let audio = |format: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"input_audio","input_audio":{{"data":"UklGRiQAAABXQVZF","format":{format}}}}}]}}]}}"#
        )
    };
    for format in [r#""x""#, "null", r#""""#] {
        let (text, rules) = repaired("openai.chat", "openai", &audio(format));
        assert_eq!((text, rules), (audio(r#""wav""#), vec![("file-type-missing", false)]));
    }
    assert_eq!(repaired("openai.chat", "openai", &audio(r#""mp3""#)), (audio(r#""mp3""#), vec![]));
}

#[test]
fn an_image_of_the_ai_sdk_without_data_is_left_out_however_it_has_none() {
    for kind in ["image-data", "media"] {
        for data in ["", r#""data":"","#, r#""data":" ","#, r#""data":null,"#, r#""data":7,"#, r#""data":{},"#] {
            let input = format!(
                r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"f","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c","toolName":"f","output":{{"type":"content","value":[{{"type":"{kind}",{data}"mediaType":"image/png"}}]}}}}]}}]}}"#
            );
            assert_eq!(broken("ai-sdk.model", &input), ["image-without-data"], "{input}");
            for to in ["ai-sdk.model", "openai", "gemini"] {
                let (text, rules) = repaired("ai-sdk.model", to, &input);
                assert_eq!(rules, [("image-without-data", false)], "{input}");
                assert!(text.contains("[wirecanon: image left out: no data (image/png)]"), "{text}");
            }
        }
    }
}

#[test]
fn an_opaque_block_has_no_place_in_instructions_and_results() {
    let item = r#"{"type":"opaque","dialect":"anthropic.messages","value":{"type":"container_upload","file_id":"f"}}"#;
    let user = r#"{"role":"user","content":[{"type":"text","text":"q"}]}"#;
    let call = r#"{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":"{}"}]}"#;
    let result = r#""role":"toolResult","toolCallId":"c","toolName":"f","isError":false"#;
    for input in [
        format!(r#"{{"messages":[{{"role":"system","content":[{item}]}},{user}]}}"#),
        format!(r#"{{"messages":[{user},{call},{{{result},"content":[{item}]}}]}}"#),
    ] {
        assert_eq!(broken("canonical", &input), ["block-in-wrong-role"]);
        let (text, rules) = repaired("canonical", "canonical", &input);
        assert!(text.contains(r#"{\"type\":\"opaque\""#), "{text}");
        assert_eq!(rules, [("block-in-wrong-role", false)]);
    }
}

#[test]
fn only_media_behind_a_label_make_a_lone_result_of_two_messages() {
    let talk = |message: &str| {
        format!(
            r#"{{"messages":[{{"role":"tool","tool_call_id":"x","content":"RESULT"}},{{"role":"user","content":{message}}}]}}"#
        )
    };
    let label = "[wirecanon: media of tool result x (f)]";
    let image = format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PICTURE}"}}}}"#);
    let text = |words: &str| format!(r#"{{"type":"text","text":"{words}"}}"#);
    for message in [
        format!(r#""{label} please""#),
        format!(r#""{label}""#),
        format!("[{},{}]", text(label), text("please")),
        format!("[{},{image},{}]", text(label), text("please")),
        format!("[{},{image}]", text(&format!("{label} please"))),
    ] {
        let input = talk(&message);
        assert!(broken("openai", &input).contains(&"orphan-tool-result"), "{message}");
        assert_eq!(lost("openai.chat", "openai", &input), ["orphan-tool-result"], "{message}");
    }
    let input = talk(&format!("[{},{image}]", text(label)));
    assert_eq!(repaired("openai.chat", "openai", &input), (input, vec![]));
    // LangChain has a type for whatever has bytes and a media type.
    for mime in ["application/pdf", "image/png"] {
        let media = format!(r#"{{"type":"media","mime_type":"{mime}","data":"{PICTURE}"}}"#);
        let input = format!(
            r#"{{"messages":[{{"type":"tool","tool_call_id":"x","content":"RESULT"}},{{"type":"human","content":[{},{media}]}}]}}"#,
            text(label)
        );
        assert!(!broken("langchain", &input).contains(&"orphan-tool-result"), "{mime}");
        let (output, _) = repaired("langchain", "langchain", &input);
        assert!(!broken("langchain", &output).contains(&"orphan-tool-result"), "{output}");
    }
    // An item that only its provider knows is no medium.
    let item = r#"{"type":"web_page","page":{"text":"x"}}"#;
    for from in ["langchain", "openai.chat"] {
        let input = talk(&format!("[{},{item},{}]", text(label), text(label)));
        assert!(lost(from, "openai-responses", &input).contains(&"orphan-tool-result"), "{from}");
    }
}

#[test]
fn calls_that_are_null_or_none_are_no_calls() {
    for name in ["tool_calls", "toolCalls"] {
        for role in ["user", "assistant"] {
            let item = |member: &str| {
                format!(r#"{{"input":[{{"role":"{role}","content":"a"{member}}},{{"role":"user","content":"b"}}]}}"#)
            };
            let (text, rules) = repaired("openai.responses", "openai-responses", &item(&format!(r#","{name}":null"#)));
            assert_eq!((text, rules), (item(""), vec![("unknown-field", true)]));
        }
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"text","text":"w"}}],"{name}":[]}},{{"role":"user","content":"n"}}]}}"#
        );
        assert_eq!(repaired("openclaw", "openclaw", &input), (input, vec![]));
    }
}

#[test]
fn a_call_of_a_servers_tool_has_a_name_that_the_server_takes() {
    let talk = |name: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"server_tool_use","id":"srvtoolu_1","name":"{name}","input":{{}}}},{{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}},{{"type":"text","text":"w"}}]}},{{"role":"user","content":"n"}}]}}"#
        )
    };
    let (text, rules) = repaired("anthropic.messages", "anthropic", &talk("web_search "));
    assert!(text.contains(r#""name":"web_search""#), "{text}");
    assert_eq!(rules, [("tool-name-white-space", false)]);
    for name in [" ", "\\t", "a.b", "a b"] {
        let (text, rules) = repaired("anthropic.messages", "anthropic", &talk(name));
        assert!(text.contains(r#"{\"type\":\"server_tool_use\""#), "{text}");
        assert_eq!(rules, [("unknown-block", false), ("provider-item-without-partner", true)]);
    }
}

#[test]
fn what_a_server_refuses_of_a_file_is_left_out_or_named() {
    let part =
        |part: &str| format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"q"}},{part}]}}]}}"#);
    let empty = part(r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":""}}"#);
    assert_eq!(lost("anthropic.messages", "anthropic", &empty), ["file-without-data"]);
    let url = r#""type":"document_url","document_url":"https://x.test/a.pdf""#;
    let odd = part(&format!(r#"{{{url},"zzz":1}}"#));
    assert_eq!(repaired("mistral.chat", "mistral", &odd), (part(&format!("{{{url}}}")), vec![("unknown-field", true)]));
    let result = |chunk: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":"","tool_calls":[{{"id":"abcdefghi","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"abcdefghi","content":[{{"type":"text","text":"r"}},{chunk}]}}]}}"#
        )
    };
    assert_eq!(
        repaired("mistral.chat", "mistral.chat", &result(&format!(r#"{{{url},"zzz":1}}"#))),
        (result(&format!("{{{url}}}")), vec![("unknown-field", true)])
    );
    let by_id = part(r#"{"type":"file","file":{"file_id":"f"}}"#);
    for target in ["xai", "groq", "kimi", "deepseek", "cerebras", "ollama-openai"] {
        assert_eq!(lost("openai.chat", target, &by_id), ["file-not-accepted"], "{target}");
    }
    assert_eq!(repaired("openai.chat", "openai", &by_id), (by_id, vec![]));
    let table = part(r#"{"type":"file","file":{"filename":"a.csv","file_data":"data:text/csv;base64,YSxiCg=="}}"#);
    for target in ["openai.chat", "openai", "groq"] {
        let (text, rules) = repaired("openai.chat", target, &table);
        assert!(text.contains(r"a.csv\na,b"), "{text}");
        assert_eq!(rules, [("file-not-accepted", false)]);
    }
}

#[test]
fn an_id_that_is_none_joins_no_call_and_its_output() {
    let shell = r#""type":"local_shell_call","id":"lsh_1","action":{"type":"exec","command":["ls"],"env":{}},"status":"completed""#;
    for id in [r#"["a"]"#, "5", r#""""#] {
        let input = format!(
            r#"{{"input":[{{"role":"user","content":"q"}},{{{shell},"call_id":{id}}},{{"type":"local_shell_call_output","id":"l1","output":"o"}}]}}"#
        );
        let (_, rules) = repaired("openai.responses", "openai-responses", &input);
        assert!(rules.contains(&("provider-item-without-partner", true)), "{id}: {rules:?}");
    }
}

/// A target of Chat Completions with these limits.
fn target_of_chat(limits: &str) -> Target {
    let head = "name = \"mine\"\ndialect = \"openai.chat\"\ntitle = \"t\"\nsources = [\"me\"]\n";
    Target::from_toml(&format!("{head}{limits}")).unwrap()
}

#[test]
fn a_template_that_counts_no_results_finds_the_model_between_two_turns_of_the_user() {
    let target = target_of_chat("[order]\nalternates = true\n");
    let input = r#"{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"user","content":"n"}]}"#;
    let options = Options { from: From::Dialect(Dialect::OpenAiChat), to: Some(&target), ..Options::default() };
    let fixed = fix(input.as_bytes(), &options).unwrap();
    let text = String::from_utf8(fixed.output.to_vec()).unwrap();
    assert!(
        text.contains(r#"{"role":"assistant","content":"[wirecanon: the user speaks next]"},{"role":"user","#),
        "{text}"
    );
    assert_eq!(fixed.report.repairs[0].rule, "roles-do-not-alternate");
    let again = fix(text.as_bytes(), &options).unwrap();
    assert_eq!(String::from_utf8(again.output.to_vec()).unwrap(), text);
}

#[test]
fn a_limit_on_how_names_open_holds_alone() {
    let target = target_of_chat("[names]\nopens_with_letter = true\n");
    let input = r#"{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"0f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"}]}"#;
    let options = Options { from: From::Dialect(Dialect::OpenAiChat), to: Some(&target), ..Options::default() };
    let fixed = fix(input.as_bytes(), &options).unwrap();
    assert!(String::from_utf8_lossy(&fixed.output).contains(r#""name":"_0f""#));
}

#[test]
fn a_list_with_an_item_that_defines_no_tool_is_refused_at_home() {
    let nameless = [
        "[[]]",
        "{}",
        r#"{"type":"function"}"#,
        r#"{"nonsense":1}"#,
        r#"{"name":[{}],"parameters":{}}"#,
        r#"{"type":"function","function":{"name":{"a":1}}}"#,
        r#"{"type":"function","function":{"name":5}}"#,
        r#"{"name":{},"cache_control":{"type":"ephemeral"}}"#,
    ];
    for item in nameless {
        for to in ["openai", "openai.chat", "mistral"] {
            let input = format!(
                r#"{{"model":"m","messages":[{{"role":"user","content":"q"}}],"tools":[{{"type":"function","function":{{"name":"f"}}}},{item}]}}"#
            );
            let options = Options {
                from: From::Dialect(Target::by_name(to).unwrap().dialect),
                to: Some(Target::by_name(to).unwrap()),
                ..Options::default()
            };
            assert!(fix(input.as_bytes(), &options).is_err(), "{to}: {item}");
            assert!(broken(to, &input).contains(&"tool-definition-malformed"), "{to}: {item}");
        }
    }
}

#[test]
fn labels_and_notes_of_a_lone_result_may_be_lines_of_one_text() {
    let image = r#"{"type":"image_url","image_url":{"type":"x"}}"#;
    let label = |id: &str| format!(r#"{{"type":"text","text":"[wirecanon: media of tool result {id} (shot)]"}}"#);
    let lone = |parts: &str| {
        format!(
            r#"{{"messages":[{{"role":"tool","tool_call_id":"a","content":"[wirecanon: image follows the tool results]"}},{{"role":"user","content":[{parts}]}}]}}"#
        )
    };
    let parts = format!("{},{image},{},{image}", label("a"), label("b"));
    let (text, _) = repaired("openai.chat", "ollama-cloud", &lone(&parts));
    assert!(text.contains("(shot)]\\n[wirecanon: image left out: no data]\\n[wirecanon: media"), "{text}");
    assert!(text.contains(r#""role":"tool""#), "{text}");
    // Words of the user are none of it: the result is an orphan.
    let words = format!(r#"{parts},{{"type":"text","text":"thanks"}}"#);
    let (text, rules) = repaired("openai.chat", "ollama-cloud", &lone(&words));
    assert!(!text.contains(r#""role":"tool""#) && rules.contains(&("orphan-tool-result", true)), "{text} {rules:?}");
}

/// Each has something that readers pass over, or take in another spelling, and that the target refuses.
#[test]
fn what_the_target_refuses_of_a_message_is_written_anew() {
    let ask = r#"{"role":"user","content":"q"}"#;
    let around = |turn: &str| format!("[{ask},{turn},{ask}]");
    let claude = |block: &str| {
        let text = r#"{"type":"text","text":"a"}"#;
        format!(r#"{{"messages":{}}}"#, around(&format!(r#"{{"role":"assistant","content":[{block},{text}]}}"#)))
    };
    let document = |source: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"document","source":{{"type":"base64","media_type":"application/pdf","data":"{PDF}"{source}}}}}]}}]}}"#
        )
    };
    let cases = [
        ("kimi", around(r#"{"role":"assistant","content":"","refusal":"no"}"#), r#""content":null,"refusal":"no""#),
        ("anthropic", claude(r#"{"$type":"thinking","thinking":"t","signature":"c2ln"}"#), r#"{"type":"thinking","#),
        ("anthropic", claude(r#"{"block_type":"thinking","thinking":"t","signature":"c2ln"}"#), r#"{"type":"thinking","#),
        ("anthropic", document(r#","mime_type":"application/pdf""#), r#""media_type":"application/pdf","data""#),
        (
            "mistral",
            format!(r#"[{{"role":"user","content":[{{"type":"image_url","image_url":"data:image/png;base64,{PICTURE}","url":"x"}}]}}]"#),
            r#""image_url":{"url":"data:image/png"#,
        ),
        (
            "ai-sdk.ui",
            r#"[{"id":"1","role":"assistant","parts":[{"type":"tool-f","toolCallId":"c","state":"output-error","input":{},"errorText":"no","output":5}]}]"#.to_owned(),
            r#""errorText":"no""#,
        ),
        (
            "openai-responses",
            r#"{"input":[{"role":"user","content":"q"},{"type":"function_call","call_id":"c","name":"f","input":null,"arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"x"}]}"#.to_owned(),
            r#""arguments":"{}""#,
        ),
        (
            "ollama",
            format!(r#"[{ask},{{"role":"assistant","content":"","tool_calls":[{{"function":{{"name":"f","arguments":{{}}}}}}]}},{{"role":"tool","tool_name":"f","content":"r","thinking":5}},{ask}]"#),
            r#""tool_name":"f","content":"r""#,
        ),
        (
            "openclaw",
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"function_call","call_id":"c","toolCallId":"d","name":"f","arguments":"{}"}]},{"role":"toolResult","toolCallId":"c","toolName":"f","content":[{"type":"text","text":"r"}],"isError":false}]"#.to_owned(),
            r#""toolCallId":"c""#,
        ),
        ("openclaw", r#"{"messages":[{"role":"user","content":[]}]}"#.to_owned(), r#""type":"text""#),
        (
            "openai-responses",
            r#"{"input":[{"role":"user","content":"q"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_result","callId":"c","name":"f","status":"done","output":{"type":"text","text":"r"}}]}"#.to_owned(),
            r#""type":"function_call_output""#,
        ),
    ];
    for (to, input, part) in cases {
        let from = Target::by_name(to).unwrap().dialect.name();
        assert_ne!(broken(to, &input), Vec::<&str>::new(), "{to}: {input}");
        let (text, entries) = repaired(from, to, &input);
        assert!(text.contains(part), "{to}: {text}");
        assert_ne!(entries, [], "{to}: {text}");
    }
}

#[test]
fn the_id_of_a_servers_tool_stands_under_its_own_name() {
    let turn = |call: &str, result: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"server_tool_use",{call},"name":"web_search","input":{{}}}},{{"type":"web_search_tool_result",{result},"content":[]}},{{"type":"text","text":"a"}}]}},{{"role":"user","content":"q"}}]}}"#
        )
    };
    let (id, of_call) = (r#""id":"srvtoolu_1""#, r#""tool_use_id":"srvtoolu_1""#);
    for (call, result) in [(of_call, of_call), (id, id), (of_call, id)] {
        let (text, entries) = repaired("anthropic.messages", "anthropic", &turn(call, result));
        assert_eq!(text, turn(id, of_call));
        assert!(entries.iter().all(|entry| *entry == ("field-alias", false)), "{entries:?}");
    }
}

#[test]
fn a_definition_whose_schema_stands_in_no_known_place_has_a_name_that_the_target_takes() {
    let body = |name: &str, choice: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}}],"tools":[{{"type":"function","function":{{"name":"{name}","arguments":{{"type":"object","properties":{{}}}}}}}}],"tool_choice":{{"type":"function","function":{{"name":"{choice}"}}}}}}"#
        )
    };
    let (text, entries) = repaired("openai.chat", "openai", &body("f g", "f g"));
    assert_eq!(text, body("f_g", "f_g"));
    assert!(!entries.is_empty() && entries.iter().all(|(rule, lost)| *rule == "tool-name-characters" && !lost));
}

#[test]
fn tools_where_another_dialect_has_them_are_refused_by_both() {
    let claude = r#"{"messages":[{"role":"user","content":"q"}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]}}"#;
    let bedrock = r#"{"messages":[{"role":"user","content":[{"text":"q"}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}]}"#;
    for (to, input) in [("anthropic", claude), ("openai", claude), ("bedrock", bedrock)] {
        let target = Target::by_name(to).unwrap();
        let options = Options { from: From::Dialect(target.dialect), to: Some(target), ..Options::default() };
        assert_eq!(broken(to, input), ["field-alias"], "{to}");
        assert!(fix(input.as_bytes(), &options).is_err(), "{to}");
    }
}

#[test]
fn a_result_of_ollama_without_a_name_answers_the_call_that_no_other_result_names() {
    let talk = |results: [&str; 2]| {
        format!(
            r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":"","tool_calls":[{{"function":{{"name":"read","arguments":{{}}}}}},{{"function":{{"name":"clock","arguments":{{}}}}}}]}},{},{}]"#,
            results[0], results[1]
        )
    };
    let (named, bare) =
        (r#"{"role":"tool","tool_name":"clock","content":"noon"}"#, r#"{"role":"tool","content":"alpha"}"#);
    for results in [[named, bare], [bare, named]] {
        let input = talk(results);
        assert_eq!(broken("ollama", &input), Vec::<&str>::new());
        assert_eq!(fixed("ollama.chat", "ollama", &input), (input, Vec::new()));
    }
    assert_eq!(broken("ollama", &talk([bare, bare])), Vec::<&str>::new());
    let other = r#"{"role":"tool","tool_name":"shot","content":"noon"}"#;
    assert!(broken("ollama", &talk([other, bare])).contains(&"orphan-tool-result"));
}

#[test]
fn results_of_ollama_without_names_go_in_order_to_the_calls_that_no_result_names() {
    let calls = ["edit", "read", "bash"].map(|name| format!(r#"{{"function":{{"name":"{name}","arguments":{{}}}}}}"#));
    let input = format!(
        r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":"","tool_calls":[{}]}},{{"role":"tool","content":"done"}},{{"role":"tool","tool_name":"read","content":"alpha"}},{{"role":"tool","content":"ok"}}]"#,
        calls.join(",")
    );
    assert_eq!(broken("ollama", &input), Vec::<&str>::new());
    assert_eq!(fixed("ollama.chat", "ollama", &input), (input.clone(), Vec::new()));
    let (chat, rules) = fixed("ollama.chat", "openai", &input);
    for (id, words) in [("call_1", "done"), ("call_2", "alpha"), ("call_3", "ok")] {
        assert!(chat.contains(&format!(r#""tool_call_id":"{id}","content":"{words}""#)), "{chat}");
    }
    assert!(!rules.contains(&"orphan-tool-result") && !chat.contains("no result was recorded"), "{rules:?} {chat}");
}

#[test]
fn a_compaction_without_a_summary_is_refused_and_mended() {
    for content in ["", r#","content":"""#, r#","content":[]"#] {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"compaction"{content}}},{{"type":"text","text":"a"}}]}},{{"role":"user","content":"on"}}]}}"#
        );
        assert_eq!(broken("anthropic", &input), ["unknown-block"], "{input}");
        let (output, rules) = fixed("anthropic.messages", "anthropic", &input);
        assert!(rules.contains(&"unknown-block"), "{rules:?}");
        assert_eq!(output.contains(r#""content":null"#), content != r#","content":[]"#, "{output}");
        assert_eq!(broken("anthropic", &output), Vec::<&str>::new(), "{output}");
    }
}

#[test]
fn a_stand_in_of_others_stays_a_failure_where_there_is_no_flag() {
    let words =
        "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.";
    let input = format!(
        r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_1","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"call_1","content":"{words}"}}]"#
    );
    assert_eq!(fixed("openai.chat", "openai", &input), (input.clone(), Vec::new()));
    let (output, _) = fixed("openai.chat", "openclaw", &input);
    assert!(output.contains(r#""isError":true"#), "{output}");
}

#[test]
fn a_result_of_a_server_of_mcp_is_a_string_or_texts() {
    let input = |content: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"mcp_tool_use","id":"mcptoolu_1","name":"echo","server_name":"s","input":{{}}}},{{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1"{content}}},{{"type":"text","text":"a"}}]}},{{"role":"user","content":"on"}}]}}"#
        )
    };
    for content in ["", r#","content":"words""#, r#","content":[{"type":"text","text":"words"}]"#, r#","content":[]"#] {
        assert_eq!(broken("anthropic", &input(content)), Vec::<&str>::new(), "{content}");
    }
    let image = r#"{"type":"image","source":{"type":"url","url":"https://x.test/a.png"}}"#;
    for content in ["7", "{}", r#"[{"type":"text","text":["words"]}]"#, r#"["words"]"#, &format!("[{image}]")] {
        let input = input(&format!(r#","content":{content}"#));
        assert!(broken("anthropic", &input).contains(&"unknown-block"), "{input}");
        let (output, rules) = fixed("anthropic.messages", "anthropic", &input);
        assert!(rules.contains(&"unknown-block"), "{rules:?}");
        assert_eq!(broken("anthropic", &output), Vec::<&str>::new(), "{output}");
    }
}

#[test]
fn a_result_of_the_programs_own_tool_is_no_part_of_the_models_message() {
    let talk = |hosted: &str, results: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"t1","toolName":"f","input":{{}}{hosted}}},{{"type":"tool-result","toolCallId":"t1","toolName":"f","output":{{"type":"text","value":"one"}}}}]}}{results},{{"role":"user","content":"on"}}]}}"#
        )
    };
    let second = r#",{"role":"tool","content":[{"type":"tool-result","toolCallId":"t1","toolName":"f","output":{"type":"text","value":"two"}}]}"#;
    assert_eq!(broken("ai-sdk.model", &talk(r#","providerExecuted":true"#, "")), Vec::<&str>::new());
    for results in ["", second] {
        let input = talk("", results);
        assert!(broken("ai-sdk.model", &input).contains(&"block-in-wrong-role"), "{input}");
        let (output, rules) = fixed("ai-sdk.model", "ai-sdk.model", &input);
        assert!(rules.contains(&"block-in-wrong-role"), "{rules:?}");
        assert_eq!(broken("ai-sdk.model", &output), Vec::<&str>::new(), "{output}");
    }
}
