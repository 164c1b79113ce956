//! Limits that a history reaches: images and documents that collect until the server refuses every request, and reasoning
//! that one server wrote out in full and another takes as a summary alone.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::{Dialect, From, Options, Target, fix};

/// One message of the user with all of these blocks behind words.
fn asked(words: &str, blocks: &[String]) -> String {
    format!(r#"{{"messages":[{{"role":"user","content":[{words},{}]}}]}}"#, blocks.join(","))
}

/// Every form of image and document that a request of this dialect may hold.
fn forms(dialect: &str) -> Vec<String> {
    let bedrock = |kind: &str, format: &str, source: &str| match kind {
        "document" => format!(r#"{{"document":{{"format":"{format}","name":"n@","source":{source}}}}}"#),
        _ => format!(r#"{{"image":{{"format":"{format}","source":{source}}}}}"#),
    };
    let anthropic = |kind: &str, source: &str| format!(r#"{{"type":"{kind}","source":{source}}}"#);
    let s3 = r#"{"s3Location":{"uri":"s3://bucket/key"}}"#;
    match dialect {
        "bedrock.converse" => vec![
            bedrock("image", "png", &format!(r#"{{"bytes":"{PICTURE}"}}"#)),
            bedrock("image", "png", s3),
            bedrock("document", "txt", r#"{"bytes":"YQ=="}"#),
            bedrock("document", "pdf", s3),
            bedrock("document", "txt", r#"{"text":"words"}"#),
        ],
        _ => vec![
            anthropic("image", &format!(r#"{{"type":"base64","media_type":"image/png","data":"{PICTURE}"}}"#)),
            anthropic("image", r#"{"type":"url","url":"https://example.com/a.png"}"#),
            anthropic("image", r#"{"type":"file","file_id":"file_1"}"#),
            anthropic("document", r#"{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}"#),
            anthropic("document", r#"{"type":"text","media_type":"text/plain","data":"words"}"#),
            anthropic("document", r#"{"type":"url","url":"https://example.com/a.pdf"}"#),
            anthropic("document", r#"{"type":"content","content":[{"type":"text","text":"words"}]}"#),
            anthropic("document", r#"{"type":"file","file_id":"file_1"}"#),
        ],
    }
}

#[test]
fn each_form_counts_and_the_newest_stay() {
    for (dialect, target, words, most) in [
        ("bedrock.converse", "bedrock", r#"{"text":"go"}"#, 20),
        ("bedrock.converse", "bedrock-claude", r#"{"text":"go"}"#, 20),
        ("anthropic.messages", "anthropic", r#"{"type":"text","text":"go"}"#, 100),
    ] {
        let taken =
            forms(dialect).into_iter().filter(|form| target != "bedrock-claude" || !form.contains("s3Location"));
        for form in taken {
            let most = if form.contains("document") && most == 20 { 5 } else { most };
            let named = |at: usize| form.replace('@', &at.to_string());
            let many: Vec<String> = (0..=most).map(named).collect();
            let request = asked(words, &many);
            assert_eq!(broken(target, &request), ["too-many-media"], "{target}: {form}");
            let (mended, rules) = fixed(dialect, target, &request);
            assert_eq!(rules, ["too-many-media"], "{target}: {form}");
            assert!(
                mended.ends_with(&asked("", &many[1..])[r#"{"messages":[{"role":"user","content":["#.len()..]),
                "{mended}"
            );
            // What stands is taken, and nothing goes.
            assert_eq!(fixed(dialect, target, &asked(words, &many[1..])).1, Vec::<&str>::new(), "{target}: {form}");
        }
    }
}

#[test]
fn reasoning_in_full_goes_into_the_summary() {
    let input = |summary: &str, content: &str| {
        format!(
            r#"{{"input":[{{"role":"user","content":"go"}},{{"type":"reasoning","id":"rs_1","summary":[{summary}]{content},"encrypted_content":"gAAAAABo"}},{{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{{}}"}},{{"type":"function_call_output","call_id":"c","output":"x"}}]}}"#
        )
    };
    let part = |words: &str| format!(r#"{{"type":"summary_text","text":"{words}"}}"#);
    let content = r#","content":[{"type":"reasoning_text","text":"one"},{"type":"reasoning_text","text":"two"}]"#;
    for (summary, mended) in [
        (String::new(), [part("one"), part("two")].join(",")),
        (part("short"), [part("short"), part("one"), part("two")].join(",")),
    ] {
        let request = input(&summary, content);
        assert_eq!(broken("openai-codex", &request), ["reasoning-with-content"]);
        let after = (input(&mended, ""), vec!["reasoning-with-content"]);
        assert_eq!(fixed("openai.responses", "openai-codex", &request), after);
        // A server that wrote it takes it.
        for target in ["openai.responses", "openai-responses"] {
            assert_eq!(fixed("openai.responses", target, &request), (request.clone(), vec![]));
        }
        // An empty list is none.
        let empty = input(&summary, r#","content":[]"#);
        assert_eq!(fixed("openai.responses", "openai-codex", &empty), (empty, vec![]));
    }
}

/// can1357/oh-my-pi#11685: the service takes a picture in a result, and a model of it does not. The switch says which.
#[test]
fn a_model_of_bedrock_that_takes_no_pictures_in_results_gets_them_behind() {
    let history = format!(
        r#"{{"messages":[{{"role":"user","content":[{{"text":"go"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"t1","name":"look","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"t1","content":[{{"image":{{"format":"png","source":{{"bytes":"{PICTURE}"}}}}}}]}}}}]}}]}}"#
    );
    let bedrock = Target::by_name("bedrock").unwrap();
    let refuses = bedrock.with("tool-images", "refuse").unwrap();
    let run = |target: &Target| {
        let options = Options { from: From::Dialect(target.dialect), to: Some(target), ..Options::default() };
        let output = fix(history.as_bytes(), &options).unwrap().output.into_owned();
        serde_json::from_slice::<serde_json::Value>(&output).unwrap()
    };
    let results = |target: &Target| run(target)["messages"][2]["content"].clone();
    assert_eq!(results(bedrock)[0]["toolResult"]["content"][0]["image"]["source"]["bytes"], PICTURE);
    let behind = results(&refuses);
    assert!(behind[0]["toolResult"]["content"][0]["text"].is_string(), "{behind}");
    assert_eq!(behind[2]["image"]["source"]["bytes"], PICTURE);
}

/// What is said in strings alone could be several dialects': it is read as one in which nothing is to be mended, and what was
/// mended is read as it was.
#[test]
fn words_alone_are_read_the_same_way_when_they_are_mended() {
    let words = |middle: &str| {
        format!(r#"{{"messages":[{{"role":"user","content":"a"}},{middle}{{"role":"user","content":"b"}}]}}"#)
    };
    for (middle, read) in [
        // Nothing of OpenAI's is wrong with an empty message of the user, and Anthropic's API refuses it.
        (r#"{"role":"user","content":""},"#, "openai.chat"),
        (r#"{"role":"assistant","content":"c"},"#, "anthropic.messages"),
    ] {
        let mut text = words(middle);
        for _ in 0..2 {
            let fixed = fix(text.as_bytes(), &Options::default()).unwrap();
            assert_eq!(fixed.report.from, read, "{text}");
            text = String::from_utf8(fixed.output.into_owned()).unwrap();
        }
    }
}

/// SPEC.md, R37: an address of no characters is no address, in a result as beside it.
#[test]
fn a_picture_with_an_empty_address_is_one_without_data_and_told_once() {
    let picture = r#"{"type":"image","source":{"type":"url","url":""}}"#;
    let history = format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"look","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":[{picture}]}},{picture}]}}]}}"#
    );
    for to in ["anthropic", "openai", "gemini", "bedrock"] {
        let (text, rules) = fixed("anthropic.messages", to, &history);
        assert_eq!(rules.iter().filter(|rule| **rule == "image-without-data").count(), 2, "{to}: {rules:?}");
        assert_eq!(rules.len(), 2, "{to}: {rules:?}");
        assert_eq!(text.matches("[wirecanon: image left out: no data]").count(), 2, "{to}: {text}");
    }
}

/// What a chat template finds when it counts: each user's message, and each of the model's without calls.
fn counted(output: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(output).expect("JSON");
    let messages = value["messages"].as_array().expect("messages");
    let of = |message: &serde_json::Value| match message["role"].as_str() {
        Some("user") => "u",
        Some("assistant") if message["tool_calls"].is_null() => "a",
        _ => "",
    };
    messages.iter().map(of).collect()
}

#[test]
fn turns_are_joined_where_a_chat_template_counts_them() {
    let target = Target::by_name("vllm").unwrap().with("roles", "alternate").unwrap();
    let user = r#"{"role":"user","content":"one"}"#;
    let model = r#"{"role":"assistant","content":"two"}"#;
    let call = r#"{"role":"assistant","content":"three","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let result = r#"{"role":"tool","tool_call_id":"c1","content":"four"}"#;
    for (messages, left) in [
        (vec![user, user, model, model, user], "uau"),
        (vec![user, model, call, result, model, user], "uau"),
        (vec![user, model, model, call, result, model, model], "ua"),
        (vec![user, call, result, user, user], "uau"),
        (vec![user, call, result, model, user, model], "uaua"),
    ] {
        let input = format!(r#"{{"messages":[{}]}}"#, messages.join(","));
        let options = Options { from: From::Auto, to: Some(&target), ..Options::default() };
        let output = String::from_utf8(fix(input.as_bytes(), &options).unwrap().output.into_owned()).unwrap();
        assert_eq!(counted(&output), left, "{output}");
        for word in ["one", "two", "three", "four"] {
            assert_eq!(output.matches(word).count(), input.matches(word).count(), "{word}: {output}");
        }
        let again = fix(output.as_bytes(), &options).unwrap();
        assert_eq!(again.output, output.as_bytes(), "a second run changes nothing");
    }
}

/// A request of Claude's with tools and marks on this many parts of a message.
fn marked(tools: &str, marks: usize) -> String {
    let parts =
        (0..marks).map(|at| format!(r#"{{"type":"text","text":"{at}","cache_control":{{"type":"ephemeral"}}}}"#));
    let parts: Vec<_> = parts.collect();
    format!(r#"{{"tools":[{tools}],"messages":[{{"role":"user","content":[{}]}}]}}"#, parts.join(","))
}

#[test]
fn marks_of_all_tools_count_and_stand_first() {
    let function = r#"{"name":"f","input_schema":{},"cache_control":{"type":"ephemeral"}}"#;
    let search = r#"{"type":"web_search_20250305","name":"web_search","cache_control":{"type":"ephemeral"}}"#;
    let mark = r#"{"type":"ephemeral"}"#;
    for tool in [function, search] {
        let (text, rules) = fixed("anthropic.messages", "anthropic", &marked(tool, 4));
        assert_eq!((text, rules), (marked(&tool.replace(mark, "null"), 4), vec!["cache-marker-misplaced"]));
    }
    // More marks among the tools than a request may have.
    let (text, rules) = fixed(
        "anthropic.messages",
        "anthropic",
        &marked(
            &[
                function,
                search,
                function.replace(r#""f""#, r#""g""#).as_str(),
                search.replace("web_search", "code_execution").as_str(),
            ]
            .join(","),
            3,
        ),
    );
    assert_eq!(text.matches(mark).count(), 4, "{text}");
    assert_eq!(rules, ["cache-marker-misplaced"; 3]);
    // What is no mark, and what a mark may not say, on a tool as on a part.
    for (odd, left, rule) in [
        (r#"{"type":"ephemeral","scope":"global"}"#, mark, "unknown-field"),
        ("5", "null", "unknown-field"),
        (r#"{"type":"persistent"}"#, "null", "unknown-field"),
    ] {
        for tool in [function, search] {
            let request = marked(&tool.replace(mark, odd), 1);
            assert_eq!(broken("anthropic", &request), ["unknown-field"]);
            let (text, rules) = fixed("anthropic.messages", "anthropic", &request);
            assert_eq!((text, rules), (marked(&tool.replace(mark, left), 1), vec![rule]));
        }
    }
    // One of an hour that says too much, behind one of five minutes.
    let odd = function.replace(mark, r#"{"type":"ephemeral","scope":"global","ttl":"1h"}"#);
    let (text, rules) = fixed("anthropic.messages", "anthropic", &marked(&format!("{search},{odd}"), 1));
    let left = function.replace(mark, r#"{"type":"ephemeral","ttl":"5m"}"#);
    assert_eq!(
        (text, rules),
        (marked(&format!("{search},{left}"), 1), vec!["unknown-field", "cache-marker-misplaced"])
    );
}

#[test]
fn items_that_go_from_a_list_of_tools_take_one_comma_each() {
    let (nothing, mark) = (r#"{"description":"x"}"#, r#"{"cachePoint":{"type":"default"}}"#);
    let tool = r#"{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}"#;
    let request = |tools: &[&str]| {
        format!(
            r#"{{"toolConfig":{{"tools":[{}]}},"messages":[{{"role":"user","content":[{{"text":"hi"}}]}}]}}"#,
            tools.join(",")
        )
    };
    let target = Target::by_name("bedrock").unwrap().with("tool-marks", "refuse").unwrap();
    let options = Options {
        from: From::Dialect(Dialect::BedrockConverse),
        to: Some(&target),
        lose_tools: true,
        ..Options::default()
    };
    for list in [
        [nothing, mark, tool].as_slice(),
        &[mark, nothing, tool, mark, nothing],
        &[tool, nothing, mark],
        &[nothing, tool, nothing, mark],
    ] {
        let text = String::from_utf8(fix(request(list).as_bytes(), &options).unwrap().output.into_owned()).unwrap();
        assert_eq!(text, request(&[tool]), "{list:?}");
    }
}
