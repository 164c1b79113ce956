//! Rules that one changed operator or arm of the code would break, and that no case of the corpus tells: each row was found by
//! `ci/cargo-mutants.sh`.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::{Dialect, From, Options, fix};

#[test]
fn the_judge_names_what_is_wrong_with_an_item() {
    let responses = |items: &str| format!(r#"{{"input":[{{"role":"user","content":"go"}},{items}]}}"#);
    let custom = r#"{"type":"custom_tool_call","call_id":"c","name":"run","input":5},{"type":"custom_tool_call_output","call_id":"c","output":"x"}"#;
    assert_eq!(broken("openai.responses", &responses(custom)), ["tool-call-arguments-not-a-string"]);
    let compaction = r#"{"type":"compaction","id":"cmp_1"}"#;
    assert_eq!(broken("openai.responses", &responses(compaction)), ["unknown-block"]);
    for nothing in ["", "  "] {
        let file = format!(
            r#"{{"role":"user","content":[{{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,{nothing}"}}]}}"#
        );
        assert_eq!(broken("openai.responses", &responses(&file)), ["file-without-data"]);
    }
}

#[test]
fn the_id_of_a_server_tool_is_a_prefix_and_letters_or_digits() {
    for (id, taken) in [("srvtoolu_a1", true), ("srvtoolu_", false), ("srvtoolu_a-b", false), ("toolu_a", false)] {
        let request = format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"server_tool_use","id":"{id}","name":"web_search","input":{{}}}},{{"type":"web_search_tool_result","tool_use_id":"{id}","content":[]}}]}},{{"role":"user","content":"go"}}]}}"#
        );
        let found = broken("anthropic.messages", &request);
        assert!(if taken { found.is_empty() } else { found == ["tool-call-id-characters"; 2] }, "{id}: {found:?}");
    }
}

#[test]
fn a_picture_is_read_under_each_name_that_programs_give_it() {
    let url = format!("data:image/png;base64,{PICTURE}");
    let wanted = format!(r#"{{"type":"image_url","image_url":{{"url":"{url}"}}}}"#);
    for part in [
        format!(r#"{{"type":"image","image":"{url}"}}"#),
        format!(r#"{{"type":"image","image":{{"url":"{url}"}}}}"#),
        format!(r#"{{"type":"image","image":"{PICTURE}","mediaType":"image/png"}}"#),
        format!(r#"{{"type":"input_image","image":"{url}"}}"#),
        format!(r#"{{"type":"file","url":"{url}"}}"#),
        format!(r#"{{"type":"media","data":"{PICTURE}","mime_type":"image/png"}}"#),
        format!(r#"{{"type":"image-data","data":"{PICTURE}","mediaType":"image/png"}}"#),
    ] {
        let user = |part: &str| format!(r#"{{"messages":[{{"role":"user","content":[{part}]}}]}}"#);
        assert_eq!(fixed("openai.chat", "openai.chat", &user(&part)).0, user(&wanted), "{part}");
        let result = format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","tool_calls":[{{"id":"a","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"a","content":[{part}]}}]}}"#
        );
        let (text, _) = fixed("openai.chat", "anthropic.messages", &result);
        let source = format!(r#""source":{{"type":"base64","media_type":"image/png","data":"{PICTURE}"}}"#);
        assert!(text.contains(&source), "{part}: {text}");
        // What is written under the own name does not stand under the other one too.
        let (text, _) = fixed("canonical", "canonical", &user(&part));
        assert_eq!(text.matches(PICTURE).count(), 1, "{part}: {text}");
    }
}

#[test]
fn calls_as_version_4_of_the_ai_sdk_stores_them_keep_their_results() {
    let call = |id: &str, step: u8| {
        format!(
            r#"{{"state":"result","step":{step},"toolCallId":"{id}","toolName":"f","args":{{"a":1}},"result":"alpha {id}"}}"#
        )
    };
    let (one, two) = (call("c1", 0), call("c2", 1));
    let part = |call: &str| format!(r#"{{"type":"tool-invocation","toolInvocation":{call}}}"#);
    let parts = format!(
        r#"[{},{{"type":"step-start"}},{},{{"type":"step-start"}},{{"type":"text","text":"done"}}]"#,
        part(&one),
        part(&two)
    );
    let list = format!("[{one},{two}]");
    for message in [
        format!(r#"{{"id":"2","role":"assistant","parts":{parts}}}"#),
        format!(r#"{{"id":"2","role":"assistant","toolInvocations":{list},"parts":{parts}}}"#),
        format!(r#"{{"id":"2","role":"assistant","content":"done","toolInvocations":{list}}}"#),
        format!(
            r#"{{"id":"2","role":"assistant","content":{{"format":2,"content":"done","toolInvocations":{list},"parts":{parts}}}}}"#
        ),
    ] {
        let user = |id: u8| format!(r#"{{"id":"{id}","role":"user","parts":[{{"type":"text","text":"go"}}]}}"#);
        let session = format!("[{},{message},{}]", user(1), user(3));
        let (text, rules) = fixed("ai-sdk.ui", "openai", &session);
        let turn = |id: &str| {
            format!(
                r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{\"a\":1}}"}}}}]}},{{"role":"tool","tool_call_id":"{id}","content":"alpha {id}"}}"#
            )
        };
        let said = r#"{"role":"user","content":"go"}"#;
        let wanted =
            format!(r#"[{said},{},{},{{"role":"assistant","content":"done"}},{said}]"#, turn("c1"), turn("c2"));
        assert_eq!(text, wanted, "{message}");
        assert!(rules.contains(&"foreign-block-shape"), "{rules:?}");
        let (own, _) = fixed("ai-sdk.ui", "ai-sdk.ui", &session);
        assert!(
            own.contains(r#""id":"2""#)
                && own.contains(r#""type":"tool-f","toolCallId":"c1","state":"output-available""#),
            "{own}"
        );
        assert_eq!(fixed("ai-sdk.ui", "ai-sdk.ui", &own), (own.clone(), vec![]), "a second run finds nothing");
    }
}

#[test]
fn pieces_of_calls_that_are_no_objects_are_left_out_and_said() {
    let message = |pieces: &str| {
        format!(
            r#"{{"messages":[{{"type":"human","content":"go"}},{{"type":"AIMessageChunk","content":"a"{pieces}}},{{"type":"human","content":"on"}}]}}"#
        )
    };
    for pieces in [r#""x""#, "null", "[7]", "{}"] {
        let (text, rules) = fixed("langchain", "langchain", &message(&format!(r#","tool_call_chunks":{pieces}"#)));
        assert!(!text.contains("chunks"), "{text}");
        assert_eq!(rules[0], "content-not-a-list", "{pieces}");
    }
}

#[test]
fn what_a_page_says_is_no_text_of_an_error() {
    let page = "Amazon Bedrock API Reference, ImageBlock: 3.75 MB, 8000 pixels";
    let rule = wirecanon_core::rule::by_id("image-too-large").unwrap();
    assert!(rule.citations().any(|source| source == page) && !rule.errors().any(|source| source == page));
}

#[test]
fn instructions_that_say_nothing_stay_as_they_are() {
    for nothing in ["null", r#""""#, "[]", r#"{"parts":[]}"#] {
        let request =
            format!(r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}}],"systemInstruction":{nothing}}}"#);
        let options =
            Options { from: From::Dialect(Dialect::by_name("gemini.contents").unwrap()), ..Options::default() };
        let fixed = fix(request.as_bytes(), &options).unwrap();
        assert_eq!(String::from_utf8_lossy(&fixed.output), request);
        assert!(!fixed.report.changed, "{:?}", fixed.report.repairs);
    }
}

#[test]
fn the_result_of_json_rpc_that_is_a_prompt_is_an_object() {
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":[{"role":"user","content":{"type":"text","text":"a"}}]}"#;
    let options = Options { from: From::Dialect(Dialect::by_name("mcp.prompt").unwrap()), ..Options::default() };
    assert!(fix(answer.as_bytes(), &options).is_err());
}

#[test]
fn a_still_picture_of_the_heif_family_is_known_by_its_brand() {
    let file = |brand: &str, other: &str| format!("\0\0\0\u{18}ftyp{brand}\0\0\0\0{other}");
    for (brand, other, kind) in
        [("mif1", "heic", "image/heif"), ("msf1", "hevc", "image/heif"), ("mif1", "avif", "image/avif")]
    {
        assert_eq!(wirecanon_core::media::sniff(file(brand, other).as_bytes()), Some(kind), "{brand} {other}");
    }
}

#[test]
fn an_item_of_the_server_stands_once() {
    let item = r#",{"type":"web_search_call","id":"ws_1","status":"completed"}"#;
    let request = |items: &str| format!(r#"{{"input":[{{"role":"user","content":"go"}}{items}]}}"#);
    let (text, rules) = fixed("openai.responses", "openai.responses", &request(&item.repeat(2)));
    assert_eq!((text, rules), (request(item), vec!["duplicate-item-id"]));
}

#[test]
fn words_of_a_stand_in_that_is_no_error_are_a_tools_own() {
    let words =
        "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.";
    let request = |flag: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"read","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":"{words}"{flag}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":"real"}}]}}]}}"#
        )
    };
    let written = |flag: &str| fixed("anthropic.messages", "anthropic.messages", &request(flag)).0;
    assert!(written("").contains(words) && !written("").contains("real"));
    assert!(written(r#","is_error":true"#).contains("real") && !written(r#","is_error":true"#).contains(words));
}

#[test]
fn blocks_without_a_type_are_a_sign_of_bedrock() {
    let request = r#"{"messages":[{"role":"user","content":[{"text":"go"}]}]}"#;
    let fixed = fix(request.as_bytes(), &Options::default()).unwrap();
    assert_eq!((String::from_utf8_lossy(&fixed.output).as_ref(), fixed.report.changed), (request, false));
}

#[test]
fn a_brand_behind_the_first_bytes_of_a_picture_is_seen_by_the_judge() {
    let picture = "AAAAHGZ0eXBtaWYxAAAAAG1pZjFoZWljYXZpZgAAAAAAAAAA";
    let request = format!(
        r#"{{"messages":[{{"role":"user","content":[{{"type":"image","data":"{picture}","mimeType":"image/avif"}}]}}]}}"#
    );
    assert_eq!(broken("canonical", &request), Vec::<&str>::new());
}

#[test]
fn a_call_does_not_take_the_id_of_one_that_the_server_ran() {
    let own = r#"{"toolUse":{"toolUseId":"s1","name":"nova_grounding","input":{"q":"x"},"type":"server_tool_use"}}"#;
    let request = |id: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"go"}}]}},{{"role":"assistant","content":[{own},{{"text":"a"}},{{"toolUse":{{"toolUseId":"{id}","name":"f","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"{id}","content":[{{"text":"r"}}]}}}}]}}],"toolConfig":{{"tools":[{{"toolSpec":{{"name":"f","inputSchema":{{"json":{{}}}}}}}}]}}}}"#
        )
    };
    for target in ["bedrock", "bedrock-claude"] {
        assert_eq!(
            fixed("bedrock.converse", target, &request("s1")),
            (request("s1_2"), vec!["duplicate-tool-call-id"])
        );
        assert_eq!(fixed("bedrock.converse", target, &request("s2")), (request("s2"), vec![]));
    }
}

#[test]
fn an_image_under_the_name_of_its_address_is_written_anew() {
    let request =
        |part: &str| format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"image_url",{part}}}]}}]}}"#);
    for url in ["https://x.test/a.jpg".to_owned(), format!("data:image/png;base64,{PICTURE}")] {
        for part in [format!(r#""url":{{"url":"{url}"}}"#), format!(r#""url":"{url}""#)] {
            let own = request(&format!(r#""image_url":{{"url":"{url}"}}"#));
            for target in ["openai", "mistral", "openrouter"] {
                let (mended, rules) = fixed("openai.chat", target, &request(&part));
                assert_eq!((mended, rules), (own.clone(), vec!["foreign-block-shape"]), "{target}: {part}");
            }
        }
    }
}
