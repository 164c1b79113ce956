//! Rules that depend on the model or the settings of the request, and violations that the server accepts.

use super::{CheckOptions, Mode, Target, broken, check, options, valid};
use wirecanon_model::target::Level;

/// Judges a request; returns rule and severity of each violation.
fn severities(target: &str, document: &str) -> Vec<(&'static str, Level)> {
    let checked = check(document.as_bytes(), &options(target, Mode::Request)).expect("can be judged");
    checked.violations.iter().map(|found| (found.rule, found.severity)).collect()
}

#[test]
fn system_messages_between_turns_depend_on_the_model() {
    let talk = |model: &str| {
        format!(
            r#"{{{model}"messages":[{{"role":"user","content":"a"}},{{"role":"system","content":"b"}},{{"role":"system","content":"c"}}]}}"#
        )
    };
    let newest =
        [r#""model":"claude-opus-4-8","#, r#""model":"us.anthropic.claude-opus-4-8","#, r#""model":"claude-fable-5","#];
    for model in newest {
        valid("anthropic", &[&talk(model)]);
    }
    for model in ["", r#""model":null,"#, r#""model":"claude-opus-4-5","#, r#""model":"claude-3-5-sonnet","#] {
        assert!(!severities("anthropic", &talk(model)).is_empty(), "{model}");
    }
}

#[test]
fn the_model_of_the_body_wins_over_that_of_the_target() {
    let open = |model: &str| {
        format!(r#"{{{model}"messages":[{{"role":"assistant","content":"a"}},{{"role":"user","content":"q"}}]}}"#)
    };
    let old = Target::by_name("anthropic").expect("a target").for_model("claude-2.1");
    let judged = |document: &str| {
        let options = CheckOptions { target: &old, ..options("anthropic", Mode::Request) };
        let checked = check(document.as_bytes(), &options).expect("can be judged");
        (checked.violations.len(), checked.profiles)
    };
    assert_eq!(judged(&open("")), (1, vec!["opens-with-user".to_owned()]));
    assert_eq!(judged(&open(r#""model":"","#)), (1, vec!["opens-with-user".to_owned()]));
    assert_eq!(judged(&open(r#""model":"claude-sonnet-4-5","#)), (0, Vec::new()));
}

#[test]
fn settings_of_the_body_select_a_profile() {
    let turn = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let talk = |settings: &str| {
        format!(
            r#"{{{settings}"messages":[{{"role":"user","content":"q"}},{turn},{{"role":"tool","tool_call_id":"a","content":"r"}}]}}"#
        )
    };
    for settings in [r#""thinking":{"type":"disabled"},"#, r#""model":"deepseek-chat","#] {
        valid("deepseek", &[&talk(settings)]);
    }
    for settings in ["", r#""thinking":{"type":"enabled"},"#, r#""thinking":null,"#, r#""model":"deepseek-v4-flash","#]
    {
        broken("deepseek", &[(&talk(settings), &[("reasoning-missing", "/messages/1")])]);
    }
}

#[test]
fn ids_on_vertex_depend_on_the_endpoint() {
    let talk = |model: &str| {
        format!(
            r#"{{{model}"contents":[{{"role":"user","parts":[{{"text":"q"}}]}},{{"role":"model","parts":[{{"functionCall":{{"id":"a","name":"f","args":{{}}}},"thoughtSignature":"AAAA"}}]}},{{"role":"user","parts":[{{"functionResponse":{{"id":"a","name":"f","response":{{"output":"r"}}}}}}]}}]}}"#
        )
    };
    for model in ["", r#""model":"gemini-2.5-flash","#, r#""model":"publishers/google/models/gemini-3-flash-preview","#]
    {
        assert_eq!(severities("vertex", &talk(model)), [("tool-call-id-refused", Level::Warning); 2], "{model}");
        let express =
            Target::by_name("vertex").and_then(|vertex| vertex.with("endpoint", "express")).expect("a target");
        let checked = check(talk(model).as_bytes(), &CheckOptions::new(&express).as_request()).expect("a transcript");
        assert_eq!(checked.errors().count(), 2, "{model}");
    }
}

#[test]
fn what_a_server_accepts_by_mistake_is_a_warning() {
    let gemini = |name: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"q"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"f","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"{name}","response":{{"output":"r"}}}}}}]}}]}}"#
        )
    };
    valid("gemini", &[&gemini("f")]);
    for name in ["g", "7f9c0d1e-1111-4a4a-9b9b-0123456789ab"] {
        assert_eq!(severities("gemini", &gemini(name)), [("tool-result-name-mismatch", Level::Warning)], "{name}");
        assert!(severities("gemini.contents", &gemini(name)).iter().any(|(_, severity)| *severity == Level::Error));
    }
    let twice = r#"[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"\"{}\""}}]},{"role":"tool","tool_call_id":"a","content":"r"}]"#;
    assert_eq!(severities("openai", twice), [("tool-call-arguments-encoded-twice", Level::Warning)]);
    assert_eq!(severities("ollama-openai", twice), [("tool-call-arguments-encoded-twice", Level::Error)]);
}

#[test]
fn neighbours_of_what_is_accepted_stay_errors() {
    let mistral = |content: &str, calls: &str| {
        format!(
            r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":{content}{calls}}},{{"role":"user","content":"q"}}]"#
        )
    };
    assert_eq!(severities("mistral", &mistral("[]", "")), [("empty-message", Level::Error)]);
    let anthropic = |role: &str, content: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"{role}","content":{content}}},{{"role":"user","content":"q"}}]}}"#
        )
    };
    let beside = r#"[{"type":"text","text":"\n\n"},{"type":"text","text":"a"}]"#;
    valid("anthropic", &[&anthropic("assistant", beside)]);
    for (role, content) in [
        ("user", beside),
        ("assistant", r#"[{"type":"text","text":"\n\n"}]"#),
        ("assistant", r#"[{"type":"text","text":""},{"type":"text","text":"a"}]"#),
    ] {
        assert_eq!(
            severities("anthropic", &anthropic(role, content)),
            [("blank-text", Level::Error)],
            "{role} {content}"
        );
    }
}

/// Judges a request for a model; returns the rules of errors.
fn errors(target: &str, model: &str, document: &str) -> Vec<&'static str> {
    let target = Target::by_name(target).expect("a target").for_model(model);
    let options = CheckOptions::new(&target).as_request();
    let checked = check(document.as_bytes(), &options).expect("can be judged");
    checked.errors().map(|found| found.rule).collect()
}

#[test]
fn media_in_s3_depend_on_the_model_and_the_place() {
    let source = r#""source":{"s3Location":{"uri":"s3://bucket/file"}}"#;
    let blocks = [
        ("image", format!(r#"{{"image":{{"format":"png",{source}}}}}"#)),
        ("document", format!(r#"{{"document":{{"format":"pdf","name":"file",{source}}}}}"#)),
        ("video", format!(r#"{{"video":{{"format":"mp4",{source}}}}}"#)),
    ];
    let nova = "us.amazon.nova-2-lite-v1:0";
    for (member, block) in &blocks {
        let by_user = format!(r#"{{"messages":[{{"role":"user","content":[{{"text":"q"}},{block}]}}]}}"#);
        let in_result = format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"q"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"a","name":"f","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"a","content":[{block}]}}}}]}}],"toolConfig":{{"tools":[{{"toolSpec":{{"name":"f","inputSchema":{{"json":{{}}}}}}}}]}}}}"#
        );
        assert_eq!(errors("bedrock", nova, &by_user), [""; 0], "{member}");
        assert_eq!(errors("bedrock", nova, &in_result).is_empty(), *member == "image", "{member}");
        assert_eq!(errors("bedrock", "", &in_result), [""; 0], "{member}");
        assert!(errors("bedrock-claude", "", &by_user).contains(&"media-by-address"), "{member}");
        assert_eq!(errors("bedrock-claude", "", &in_result).is_empty(), *member == "document", "{member}");
    }
}

#[test]
fn blank_texts_on_bedrock_depend_on_the_model() {
    let said = |text: &str| format!(r#"{{"messages":[{{"role":"user","content":[{{"text":"{text}"}}]}}]}}"#);
    let before =
        |next: &str| format!(r#"{{"messages":[{{"role":"user","content":[{{"text":"q"}},{{"text":"\n"}},{next}]}}]}}"#);
    for text in ["", " "] {
        assert_eq!(errors("bedrock", "amazon.nova-micro-v1:0", &said(text)), [""; 0]);
        assert_eq!(errors("bedrock", "", &said(text)), ["blank-text"]);
        assert_eq!(errors("bedrock-claude", "", &said(text)), ["blank-text"]);
    }
    let mark = before(r#"{"cachePoint":{"type":"default"}}"#);
    assert_eq!(errors("bedrock-claude", "", &mark), [""; 0]);
    assert_eq!(errors("bedrock-claude", "", &mark.replace("\\n", "")), ["blank-text"]);
    assert_eq!(errors("bedrock-claude", "", &before(r#"{"text":"q"}"#)), ["blank-text"]);
}

#[test]
fn claude_on_bedrock_does_not_go_on_behind_results() {
    let talk = |between: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"q"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"a","name":"f","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"a","content":[{{"text":"r"}}]}}}}]}},{between}{{"role":"assistant","content":[{{"text":"So"}}]}}],"toolConfig":{{"tools":[{{"toolSpec":{{"name":"f","inputSchema":{{"json":{{}}}}}}}}]}}}}"#
        )
    };
    let words = r#"{"role":"assistant","content":[{"text":"r"}]},{"role":"user","content":[{"text":"and"}]},"#;
    assert_eq!(errors("bedrock-claude", "", &talk("")), ["trailing-assistant"]);
    assert_eq!(errors("bedrock-claude", "", &talk(words)), [""; 0]);
    assert_eq!(errors("bedrock", "amazon.nova-lite-v1:0", &talk("")), [""; 0]);
}

#[test]
fn o1_mini_takes_no_instructions() {
    for role in ["system", "developer"] {
        let talk = format!(r#"{{"messages":[{{"role":"{role}","content":"s"}},{{"role":"user","content":"q"}}]}}"#);
        assert_eq!(errors("openai", "o1-mini-2024-09-12", &talk), ["misplaced-system"]);
        assert_eq!(errors("openai", "o1", &talk), [""; 0]);
    }
}

#[test]
fn anthropic_on_bedrock_fetches_nothing() {
    let talk = |version: &str| {
        format!(
            r#"{{{version}"max_tokens":9,"messages":[{{"role":"user","content":[{{"type":"image","source":{{"type":"url","url":"https://a.test/a.png"}}}}]}}]}}"#
        )
    };
    assert_eq!(errors("anthropic", "", &talk(r#""anthropic_version":"bedrock-2023-05-31","#)), ["media-by-address"]);
    assert_eq!(errors("anthropic", "", &talk("")), [""; 0]);
    let document = |ending: &str| {
        format!(
            r#"{{"max_tokens":9,"messages":[{{"role":"user","content":[{{"type":"document","source":{{"type":"url","url":"https://a.test/a.{ending}?x=1"}}}}]}}]}}"#
        )
    };
    assert_eq!(errors("anthropic", "", &document("txt")), ["file-not-accepted"]);
    assert_eq!(errors("anthropic", "", &document("pdf")), [""; 0]);
    assert_eq!(errors("anthropic", "", &document("php")), [""; 0]);
}

#[test]
fn an_id_of_a_server_call_is_none_of_a_client_call() {
    let talk = |id: &str| {
        format!(
            r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"r"}}]}}]"#
        )
    };
    assert_eq!(errors("anthropic", "", &talk("srvtoolu_1")), ["tool-call-id-characters"; 2]);
    assert_eq!(errors("anthropic", "", &talk("toolu_1")), [""; 0]);
}

#[test]
fn stored_reasoning_stands_before_an_item_with_an_id() {
    let talk = |settings: &str, id: &str| {
        format!(
            r#"{{{settings}"input":[{{"role":"user","content":"q"}},{{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"}},{{"role":"assistant",{id}"content":"a"}},{{"role":"user","content":"q"}}]}}"#
        )
    };
    assert_eq!(errors("openai-responses", "", &talk("", "")), ["provider-item-without-partner"]);
    assert_eq!(errors("openai-responses", "", &talk("", r#""id":"msg_1","type":"message","#)), [""; 0]);
    assert_eq!(errors("openai-responses", "", &talk(r#""store":false,"#, "")), [""; 0]);
    assert_eq!(errors("openai.responses", "", &talk("", "")), [""; 0]);
}

#[test]
fn base64_of_files_may_be_broken_into_lines() {
    let talk = |data: &str| {
        format!(
            r#"{{"input":[{{"role":"user","content":[{{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,{data}"}}]}}]}}"#
        )
    };
    assert_eq!(errors("openai-responses", "", &talk("JVBERi0x\\nLjQK")), [""; 0]);
    assert_eq!(errors("openai-responses", "", &talk("JVBERi0x LjQK")), ["file-data-not-base64"]);
    assert_eq!(errors("openai-codex", "", &talk("JVBERi0x\\nLjQK")), ["file-data-not-base64"]);
}

#[test]
fn kimi_takes_calls_of_its_built_in_search() {
    let talk = |kind: &str| {
        format!(
            r#"{{"thinking":{{"type":"disabled"}},"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":"","tool_calls":[{{"id":"a","type":"{kind}","function":{{"name":"$web_search","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"a","name":"$web_search","content":"r"}}]}}"#
        )
    };
    assert_eq!(errors("kimi", "", &talk("builtin_function")), [""; 0]);
    assert_eq!(errors("kimi", "", &talk("function")), ["tool-name-characters"]);
    assert!(errors("openai", "", &talk("builtin_function")).contains(&"unknown-block"));
    let defined = |kind: &str| {
        format!(
            r#"{{"thinking":{{"type":"disabled"}},"messages":[{{"role":"user","content":"q"}}],"tools":[{{"type":"{kind}","function":{{"name":"$web_search"}}}}]}}"#
        )
    };
    assert_eq!(errors("kimi", "", &defined("builtin_function")), [""; 0]);
    assert_eq!(errors("kimi", "", &defined("function")), ["tool-name-characters"]);
    assert_eq!(errors("openai", "", &defined("builtin_function")), ["field-alias"]);
}

#[test]
fn claude_on_bedrock_wants_the_results_of_a_turn_in_one_message() {
    let talk = |between: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"q"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"a","name":"f","input":{{}}}}}},{{"toolUse":{{"toolUseId":"b","name":"f","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"a","content":[{{"text":"1"}}]}}}}{between}{{"toolResult":{{"toolUseId":"b","content":[{{"text":"2"}}]}}}}]}}],"toolConfig":{{"tools":[{{"toolSpec":{{"name":"f","inputSchema":{{"json":{{}}}}}}}}]}}}}"#
        )
    };
    let two = r#"]},{"role":"user","content":["#;
    assert_eq!(errors("bedrock-claude", "", &talk(two)), ["split-tool-results"]);
    assert_eq!(errors("bedrock", "", &talk(two)), ["roles-do-not-alternate"]);
    for target in ["bedrock-claude", "bedrock"] {
        assert_eq!(errors(target, "", &talk(",")), [""; 0], "{target}");
    }
    let words = r#"{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"user","content":[{"text":"q"}]}]}"#;
    assert_eq!(errors("bedrock-claude", "", words), [""; 0]);
}

#[test]
fn lists_of_parts_on_groq_depend_on_the_model() {
    let talk = r#"{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"user","content":"q"}]}"#;
    assert_eq!(errors("groq", "llama-3.3-70b-versatile", talk), [""; 0]);
    assert_eq!(errors("groq", "llama3-70b-8192", talk), ["content-not-a-string"]);
}

#[test]
fn nova_takes_no_cache_marks_among_tools() {
    let talk = r#"{"messages":[{"role":"user","content":[{"text":"q"}]}],"system":[{"text":"s"},{"cachePoint":{"type":"default"}}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}},{"cachePoint":{"type":"default"}}]}}"#;
    assert_eq!(errors("bedrock", "", talk), [""; 0]);
    assert_eq!(errors("bedrock", "amazon.nova-lite-v1:0", talk), ["cache-marker-misplaced"]);
    assert_eq!(errors("bedrock-claude", "", talk), [""; 0]);
}
