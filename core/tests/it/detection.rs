//! The dialect of documents that do not say it.

use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, ErrorKind, Options, Target, check, detect_dialect, fix};

fn detected(text: &str, target: Option<&str>) -> Dialect {
    let target = target.map(|name| Target::by_name(name).expect("a target"));
    match detect_dialect(text.as_bytes(), target, Limits::default()) {
        Ok(detected) => detected.dialect,
        Err(error) => panic!("{error}: {text}"),
    }
}

fn refused(text: &str) -> String {
    let error = detect_dialect(text.as_bytes(), None, Limits::default()).expect_err(text);
    assert_eq!(error.kind(), ErrorKind::Undetected, "{text}");
    assert!(error.hint().is_some(), "{text}");
    // The same bytes are refused by `fix`.
    let fixed = fix(text.as_bytes(), &Options::new());
    assert_eq!(fixed.expect_err(text).message(), error.message());
    error.message().to_owned()
}

/// A request body with one message of the user, and these members.
fn body(members: &str) -> String {
    format!(r#"{{{members}"messages":[{{"role":"user","content":"go"}}]}}"#)
}

const NESTED: &str = r#"{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{}}}}"#;

#[test]
fn the_body_says_its_dialect() {
    use Dialect::{AnthropicMessages, BedrockConverse, CohereV2, MistralChat, OllamaChat, OpenAiChat};
    for (members, dialect) in [
        (r#""model":"qwen3-max","tools":[TOOL],"#, OpenAiChat),
        (r#""model":"claude-haiku-4-5","tools":[TOOL],"#, OpenAiChat),
        (
            r#""model":"x","max_tokens":9,"tools":[{"name":"look","input_schema":{"type":"object"}}],"#,
            AnthropicMessages,
        ),
        (r#""tools":[{"type":"custom","name":"look","input_schema":{"type":"object"}}],"#, AnthropicMessages),
        (r#""max_tokens":9,"tools":[{"type":"web_search_20250305","name":"web_search"}],"#, AnthropicMessages),
        (r#""toolConfig":{"tools":[{"toolSpec":{"name":"look","inputSchema":{"json":{}}}}]},"#, BedrockConverse),
        (r#""inferenceConfig":{"maxTokens":9},"#, BedrockConverse),
        (r#""model":"kimi-k2","max_tokens":9,"tool_choice":{"type":"any"},"#, AnthropicMessages),
        (r#""model":"x","max_tokens":9,"system":"Be brief.","#, AnthropicMessages),
        (
            r#""model":"x","max_tokens":9,"thinking":{"type":"enabled","budget_tokens":4},"stop_sequences":["."],"#,
            AnthropicMessages,
        ),
        (r#""model":"claude-haiku-4-5","max_tokens":9,"#, AnthropicMessages),
        // Anthropic's API asks for a limit.
        (r#""model":"claude-haiku-4-5","#, OpenAiChat),
        (r#""model":"anthropic/claude-haiku-4.5","max_tokens":9,"#, OpenAiChat),
        (r#""model":"x","tool_choice":"auto","tools":[TOOL],"#, OpenAiChat),
        (r#""model":"x","stream_options":{"include_usage":true},"#, OpenAiChat),
        (r#""stream":false,"#, OpenAiChat),
        (r#""model":"mistral-small-latest","tools":[TOOL],"#, MistralChat),
        (r#""model":"x","random_seed":1,"tools":[TOOL],"#, MistralChat),
        (r#""model":"mistral:7b","tools":[TOOL],"#, OpenAiChat),
        (r#""model":"command-a-03-2025","tools":[TOOL],"#, CohereV2),
        (r#""model":"x","citation_options":{"mode":"FAST"},"#, CohereV2),
        (r#""model":"qwen3:4b","options":{"num_ctx":9},"keep_alive":"5m","tools":[TOOL],"#, OllamaChat),
        // What is null or empty says nothing.
        (r#""model":"x","system":null,"tools":[],"#, OpenAiChat),
        (r#""model":"x","system":"","tool_choice":null,"#, OpenAiChat),
    ] {
        let text = body(&members.replace("TOOL", NESTED));
        assert_eq!(detected(&text, None), dialect, "{text}");
    }
}

#[test]
fn cache_marks_do_not_outweigh_the_shape_of_tools() {
    let text = format!(
        r#"{{"model":"anthropic/claude-sonnet-4.5","messages":[{{"role":"user","content":[{{"type":"text","text":"go","cache_control":{{"type":"ephemeral"}}}}]}}],"tools":[{NESTED}],"cache_control":{{"type":"ephemeral"}}}}"#
    );
    assert_eq!(detected(&text, None), Dialect::OpenAiChat);
    let target = Target::by_name("openrouter").expect("a target");
    let fixed = fix(text.as_bytes(), &Options::new().to(target)).expect("a transcript");
    assert_eq!(*fixed.output, *text.as_bytes());
    // Without tools and a gateway's model they count.
    let marked = r#"{"max_tokens":9,"model":"claude-haiku-4-5","messages":[{"role":"user","content":[{"type":"text","text":"go","cache_control":{"type":"ephemeral"}}]}]}"#;
    assert_eq!(detected(marked, None), Dialect::AnthropicMessages);
}

#[test]
fn the_dialect_of_the_target_wins_where_nothing_changes() {
    let words = body(r#""model":"qwen3-max","#);
    for name in ["anthropic", "openai", "mistral", "cohere", "ollama"] {
        let target = Target::by_name(name).expect("a target");
        assert_eq!(detected(&words, Some(name)), target.dialect, "{name}");
        let fixed = fix(words.as_bytes(), &Options::new().to(target)).expect("a transcript");
        assert_eq!(*fixed.output, *words.as_bytes(), "{name}");
    }
    // What the target has to repair, or does not know, is left to the evidence.
    for members in [r#""model":"x","max_tokens":9,"system":"Be brief.","#, r#""model":"x","inferenceConfig":{},"#] {
        let text = body(members);
        assert_ne!(detected(&text, Some("openai")), Dialect::OpenAiChat, "{text}");
    }
    let system = r#"{"model":"x","messages":[{"role":"system","content":"s"},{"role":"user","content":"go"}]}"#;
    assert_eq!(detected(system, Some("gemini")), Dialect::OpenAiChat);
    assert_eq!(detected(system, Some("mistral")), Dialect::MistralChat);
}

#[test]
fn check_and_fix_choose_one_dialect() {
    let call = r#"{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"}"#;
    for text in [
        body(""),
        body(r#""model":"x","#),
        r#"[{"role":"user","content":[{"type":"text","text":"go"}]}]"#.to_owned(),
        r#"[{"role":"assistant","content":""},{"role":"user","content":"go"}]"#.to_owned(),
        format!(r#"{{"messages":[{{"role":"user","content":"go"}},{call}]}}"#),
        r#"{"role":"assistant","content":"hi"}"#.to_owned(),
    ] {
        let dialect = detected(&text, None);
        let fixed = fix(text.as_bytes(), &Options::new()).expect("a transcript");
        assert_eq!(fixed.report.from, dialect.name(), "{text}");
        assert!(check(text.as_bytes(), &CheckOptions::new(dialect)).is_ok());
    }
}

#[test]
fn formats_that_are_not_supported_are_named() {
    for (name, text) in [
        (
            "AG-UI",
            r#"{"messages":[{"id":"1","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}]}"#,
        ),
        (
            "AG-UI",
            r#"[{"id":"1","role":"user","content":"hi"},{"id":"2","role":"tool","toolCallId":"c","content":"r"}]"#,
        ),
        ("LlamaIndex", r#"[{"role":"user","additional_kwargs":{},"blocks":[{"block_type":"text","text":"hi"}]}]"#),
        (
            "Microsoft.Extensions.AI",
            r#"[{"role":"assistant","contents":[{"$type":"functionCall","callId":"c","name":"f"}]}]"#,
        ),
        (
            "OpenTelemetry",
            r#"[{"role":"user","parts":[{"type":"text","content":"hi"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"c","result":"r"}]}]"#,
        ),
        ("A2A", r#"{"role":"user","messageId":"m","parts":[{"kind":"text","text":"hi"}]}"#),
        (
            "A2A",
            r#"{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"ROLE_USER","parts":[{"text":"hi"}]}}}"#,
        ),
        (
            "Agent Client Protocol",
            r#"{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"hi"}]}}"#,
        ),
        ("Agent Communication Protocol", r#"[{"role":"user","parts":[{"content_type":"text/plain","content":"hi"}]}]"#),
        (
            "Agent Development Kit",
            r#"{"id":"s","appName":"a","userId":"u","events":[{"author":"user","content":{"role":"user","parts":[{"text":"hi"}]}}]}"#,
        ),
        (
            "Agent Development Kit",
            r#"[{"author":"user","invocationId":"e","content":{"role":"user","parts":[{"text":"hi"}]}}]"#,
        ),
        ("pydantic-ai", r#"[{"kind":"request","parts":[{"part_kind":"user-prompt","content":"hi"}]}]"#),
        (
            "Interactions",
            r#"{"model":"gemini-3","input":[{"type":"function_result","call_id":"c","name":"f","result":"r"}]}"#,
        ),
        ("Interactions", r#"{"id":"i","object":"interaction","outputs":[{"type":"text","text":"hi"}]}"#),
        (
            "Gemini CLI",
            r#"{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"user","content":"hi"},{"id":"2","type":"gemini","content":"yo"}]}"#,
        ),
        (
            "ATIF",
            r#"{"schema_version":"ATIF-v1.4","session_id":"s","steps":[{"step_id":1,"source":"user","message":"hi"}]}"#,
        ),
        ("ShareGPT", r#"{"conversations":[{"from":"human","value":"hi"},{"from":"gpt","value":"yo"}]}"#),
        ("ShareGPT", r#"[{"id":"1","conversations":[{"from":"human","value":"hi"}]}]"#),
        ("ChatGPT", r#"[{"title":"t","mapping":{"a":{"message":null}},"current_node":"a"}]"#),
        ("Claude.ai", r#"[{"uuid":"u","chat_messages":[{"sender":"human","text":"hi"}]}]"#),
        (
            "Goose",
            r#"[{"role":"assistant","content":[{"type":"toolRequest","id":"c","toolCall":{"value":{"name":"f"}}}]}]"#,
        ),
        ("opencode", r#"[{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[{"type":"text","text":"hi"}]}]"#),
        ("AutoGen", r#"[{"type":"TextMessage","source":"user","content":"hi"}]"#),
        ("Spring AI", r#"[{"messageType":"USER","text":"hi"}]"#),
        ("LangChain4j", r#"[{"type":"USER","contents":[{"type":"TEXT","text":"hi"}]}]"#),
        ("Letta", r#"[{"message_type":"user_message","content":"hi"}]"#),
        ("Haystack", r#"[{"_role":"user","_content":[{"text":"hi"}]}]"#),
        ("version 1", r#"{"message":"hi","chat_history":[{"role":"USER","message":"a"}]}"#),
        (
            "AG-UI",
            r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi"}]"#,
        ),
        ("AG-UI", r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"1","role":"user","content":"q"}]}"#),
        (
            "A2A",
            r#"{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"},"history":[]}}"#,
        ),
        (
            "A2A",
            r#"{"jsonrpc":"2.0","id":1,"result":{"kind":"message","role":"agent","messageId":"m","parts":[{"kind":"text","text":"x"}]}}"#,
        ),
        ("A2A", r#"{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}"#),
        (
            "A2A",
            r#"{"jsonrpc":"2.0","id":1,"result":{"message":{"role":"ROLE_AGENT","contextId":"c","messageId":"m","status":{},"parts":[{"text":"x"}]}}}"#,
        ),
        ("OpenTelemetry", r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"chat gpt-4o"}]}]}]}"#),
        (
            "Interactions",
            r#"{"model":"gemini-3-pro","input":[{"role":"user","content":"q"},{"role":"model","content":"a"},{"role":"user","content":"b"}]}"#,
        ),
        ("Interactions", r#"{"model":"gemini-2.5-flash","input":"Hello","generation_config":{"temperature":0.5}}"#),
        ("Interactions", r#"{"agent":"deep-research","input":"Hello"}"#),
        ("Alpaca", r#"[{"instruction":"Say hi","input":"","output":"hi"}]"#),
        ("Crush", r#"{"messages":[{"role":"user","parts":[{"type":"text","data":{"text":"q"}}]}]}"#),
        (
            "Assistants",
            r#"{"object":"list","data":[{"id":"msg_1","object":"thread.message","role":"user","content":[]}]}"#,
        ),
        ("OpenHands", r#"[{"id":0,"source":"user","message":"hi","action":"message","args":{"content":"hi"}}]"#),
        (
            "smolagents",
            r#"[{"role":"user","content":[{"type":"text","text":"q"}]},{"role":"tool-call","content":[{"type":"text","text":"Calling tools: []"}]}]"#,
        ),
        (
            "Rig",
            r#"[{"role":"user","content":[{"type":"toolresult","id":"c","content":[{"type":"text","text":"x"}]}]}]"#,
        ),
        (
            "Mastra",
            r#"[{"id":"1","role":"user","content":{"format":2,"parts":[{"type":"text","text":"q"}]},"threadId":"t"}]"#,
        ),
        (
            "Amp",
            r#"{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseID":"toolu_1","run":{"status":"done","result":"x"}}]}]}"#,
        ),
        ("Zed", r#"{"messages":[{"User":{"id":"x","content":[{"Text":"q"}]}},{"Agent":{"content":[{"Text":"a"}]}}]}"#),
        ("LibreChat", r#"{"messages":[{"messageId":"1","sender":"User","text":"hi","isCreatedByUser":true}]}"#),
        ("Cline", r#"[{"ts":1,"type":"say","say":"text","text":"hi"}]"#),
        ("Continue", r#"{"sessionId":"x","history":[{"message":{"role":"user","content":"hi"},"contextItems":[]}]}"#),
        ("Open WebUI", r#"[{"title":"t","chat":{"history":{"messages":{"a":{"role":"user","content":"hi"}}}}}]"#),
    ] {
        let message = refused(text);
        assert!(message.contains(name), "{text}: {message}");
        // Who names the dialect has it read.
        let named = detect_dialect(text.as_bytes(), None, Limits::default());
        assert!(named.is_err());
    }
    // Neighbours that are supported.
    for text in [
        r#"[{"role":"user","parts":[{"type":"text","text":"hi"}]}]"#,
        r#"[{"role":"user","parts":[{"text":"hi"}]}]"#,
        r#"[{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":{}}]},{"role":"toolResult","toolCallId":"c","toolName":"f","content":[]}]"#,
        r#"{"model":"gpt-5","input":[{"role":"user","content":"hi"},{"type":"function_call_output","call_id":"c","output":"r"}]}"#,
        r#"[{"type":"human","content":"hi"}]"#,
        r#"[{"role":"user","content":"hi","name":"n","metadata":{"kind":"request"}}]"#,
        r#"{"messages":[{"role":"user","content":"hi"}],"threadId":"t"}"#,
        r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#,
    ] {
        detected(text, None);
    }
}

#[test]
fn content_in_a_field_that_nobody_has_is_no_conversation() {
    let message = refused(r#"{"messages":[{"role":"user","widgets":[{"text":"hi"}]}]}"#);
    assert!(message.contains("`widgets`"), "{message}");
    // Beside content it says nothing.
    detected(r#"{"messages":[{"role":"user","content":"hi","widgets":[{"text":"hi"}]}]}"#, None);
    detected(r#"{"messages":[{"role":"user","widgets":[]},{"role":"user","content":"hi"}]}"#, None);
}

/// Fixes a body of one dialect for a target: the output, and the ids of the rules.
fn fixed(from: Dialect, to: &str, text: &str) -> (String, Vec<String>) {
    let options = Options::new().from(from).to(Target::by_name(to).expect("a target"));
    let fixed = fix(text.as_bytes(), &options).expect("a transcript");
    let rules = fixed.report.repairs.iter().map(|entry| entry.rule.to_string()).collect();
    (String::from_utf8_lossy(&fixed.output).into_owned(), rules)
}

#[test]
fn tools_in_the_shape_of_another_dialect_are_rewritten() {
    const SCHEMA: &str = r#"{"type":"object","properties":{}}"#;
    let shapes = [
        (Dialect::OpenAiChat, format!(r#"{{"type":"function","function":{{"name":"look","parameters":{SCHEMA}}}}}"#)),
        (Dialect::AnthropicMessages, format!(r#"{{"name":"look","input_schema":{SCHEMA}}}"#)),
        (Dialect::OpenAiResponses, format!(r#"{{"name":"look","parameters":{SCHEMA},"type":"function"}}"#)),
        (Dialect::GeminiContents, format!(r#"{{"functionDeclarations":[{{"name":"look","parameters":{SCHEMA}}}]}}"#)),
    ];
    for (home, own) in &shapes {
        let request = |tool: &str| match home {
            Dialect::OpenAiResponses => format!(r#"{{"input":[{{"role":"user","content":"go"}}],"tools":[{tool}]}}"#),
            Dialect::GeminiContents => {
                format!(r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}}],"tools":[{tool}]}}"#)
            }
            _ => format!(r#"{{"messages":[{{"role":"user","content":"go"}}],"tools":[{tool}]}}"#),
        };
        for (shape, tool) in &shapes {
            let (text, rules) = fixed(*home, home.name(), &request(tool));
            assert_eq!(text, request(own), "{tool}");
            assert_eq!(rules.is_empty(), shape == home, "{tool}: {rules:?}");
            let checked = check(request(tool).as_bytes(), &CheckOptions::new(*home)).expect("a transcript");
            let found: Vec<_> = checked.violations.iter().map(|found| (found.rule, &*found.pointer)).collect();
            assert_eq!(found, if shape == home { vec![] } else { vec![("field-alias", "/tools/0")] }, "{tool}");
            // Once more, nothing changes; and another dialect has it, too.
            assert_eq!(fixed(*home, home.name(), &text), (text.clone(), vec![]));
            let (text, _) = fixed(*home, "bedrock", &request(tool));
            assert!(text.contains(r#""toolSpec":{"name":"look""#) && text.contains(SCHEMA), "{text}");
        }
        // Beside one of its own, which keeps its bytes.
        let both = format!("{own}, {}", shapes[usize::from(*home == Dialect::OpenAiChat)].1.replace("look", "read"));
        let (text, _) = fixed(*home, home.name(), &request(&both));
        assert!(text.contains(own) && text.contains("\"read\""), "{text}");
    }
}

#[test]
fn tools_that_cannot_be_written_are_refused() {
    let text = body(
        r#""max_tokens":9,"system":"s","tools":[{"nonsense":1},{"name":"look","input_schema":{"type":"object"}}],"#,
    );
    let target = Target::by_name("openai").expect("a target");
    let options = Options::new().to(target);
    let error = fix(text.as_bytes(), &options).expect_err("a tool would be lost");
    assert_eq!(error.kind(), ErrorKind::UnsupportedConversion);
    assert!(error.message().contains("`nonsense`") && !error.message().contains("look"), "{error}");
    let options = Options { lose_tools: true, ..options };
    let fixed = fix(text.as_bytes(), &options).expect("the loss is allowed");
    assert!(String::from_utf8_lossy(&fixed.output).contains("look"));
    assert!(fixed.report.notes.iter().any(|note| note.lost && note.message.contains("nonsense")));
    // At home, too.
    let home = Options::new().from(Dialect::AnthropicMessages);
    assert!(fix(text.as_bytes(), &home).is_err());
    let fixed = fix(text.as_bytes(), &Options { lose_tools: true, ..home }).expect("the loss is allowed");
    assert_eq!(String::from_utf8_lossy(&fixed.output), text.replace(r#"{"nonsense":1},"#, ""));
    assert!(fixed.report.losses().any(|entry| entry.rule == "tool-definition-malformed"));
    // What a server runs itself has no definition elsewhere: it is left out, and said.
    let search = body(r#""max_tokens":9,"system":"s","tools":[{"type":"web_search_20250305","name":"web_search"}],"#);
    let fixed = fix(search.as_bytes(), &Options::new().to(target)).expect("a transcript");
    assert!(fixed.report.notes.iter().any(|note| note.lost && note.message.contains("`web_search`")));
}

#[test]
fn definitions_that_cannot_be_read_are_refused() {
    // No server reads it, so it is refused at home, too.
    const NAMELESS: &str = r#"{"type":"function","function":{"parameters":{}}}"#;
    let broken = [
        (Dialect::OpenAiChat, r#"{"type":"function","function":{"name":"look","parameters":[{"type":"object"}]}}"#),
        (Dialect::OpenAiChat, NAMELESS),
        (Dialect::AnthropicMessages, r#"{"name":"look","input_schema":"{}"}"#),
        (Dialect::OpenAiResponses, r#"{"type":"function","name":"look","parameters":true}"#),
        (Dialect::GeminiContents, r#"{"functionDeclarations":[{"name":"look","parameters":1}]}"#),
        // A schema under a name that no dialect has.
        (Dialect::LangChain, r#"{"name":"look","args_schema":{"properties":{"a":{"type":"string"}}}}"#),
        (
            Dialect::OpenAiChat,
            r#"{"type":"function","function":{"name":"look","arguments":{"type":"object","properties":{}}}}"#,
        ),
    ];
    for (dialect, tool) in broken {
        let key = if dialect == Dialect::OpenAiResponses { "input" } else { "messages" };
        let messages = if dialect == Dialect::GeminiContents {
            r#""contents":[{"role":"user","parts":[{"text":"hi"}]}]"#.to_owned()
        } else {
            let message = if dialect == Dialect::LangChain { r#""type":"human""# } else { r#""role":"user""# };
            format!(r#""{key}":[{{{message},"content":"hi"}}]"#)
        };
        let text = format!(r#"{{{messages},"tools":[{tool}]}}"#);
        let elsewhere = Target::by_name("bedrock").expect("a target");
        let error = fix(text.as_bytes(), &Options::new().from(dialect).to(elsewhere)).expect_err(tool);
        assert_eq!(error.kind(), ErrorKind::UnsupportedConversion, "{tool}");
        if tool == NAMELESS {
            assert!(fix(text.as_bytes(), &Options::new().from(dialect)).is_err());
        } else {
            // At home it is the server's to refuse.
            assert_eq!(fixed(dialect, dialect.name(), &text).0, text);
        }
    }
    // In the shape of another dialect it is refused at home, too.
    let foreign = body(r#""tools":[{"name":"look","input_schema":"{}"}],"#);
    assert!(fix(foreign.as_bytes(), &Options::new().from(Dialect::OpenAiChat)).is_err());
}

#[test]
fn one_tool_in_place_of_a_list_is_a_list_of_one() {
    let gemini = r#"{"contents":[{"role":"user","parts":[{"text":"go"}]}],"tools":{"functionDeclarations":{"name":"look","parameters":{"type":"OBJECT"}}}}"#;
    assert_eq!(fixed(Dialect::GeminiContents, "gemini", gemini), (gemini.to_owned(), vec![]));
    let (text, _) = fixed(Dialect::GeminiContents, "openai", gemini);
    assert!(text.contains(r#""function":{"name":"look""#), "{text}");
    // A map of tools by name, whose shape is not known, is not dropped either.
    let map = body(r#""model":"gpt-5","tools":{"look":{"description":"d"}},"#);
    let target = Target::by_name("anthropic").expect("a target");
    let error =
        fix(map.as_bytes(), &Options::new().from(Dialect::OpenAiChat).to(target)).expect_err("it would be lost");
    assert!(error.message().contains("`look`"), "{error}");
    for nothing in ["null", "[]", "\"\""] {
        let text = body(&format!(r#""model":"gpt-5","tools":{nothing},"#));
        let (text, _) = fixed(Dialect::OpenAiChat, "anthropic", &text);
        assert!(!text.contains("tools"), "{text}");
    }
}

#[test]
fn a_tool_without_a_space_may_have_one_of_its_own_name() {
    let text = r#"{"input":[{"role":"user","content":"go"},{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{}}}]},{"type":"function_call","call_id":"a","namespace":"look","name":"look","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"r"}],"tools":[{"type":"function","name":"ring","parameters":{"type":"object","properties":{}}}]}"#;
    let (written, _) = fixed(Dialect::OpenAiResponses, "anthropic", text);
    assert!(written.contains(r#""type":"tool_use","id":"a","name":"look""#), "{written}");
    for tool in [r#"{"name":"ring","input_schema""#, r#"{"name":"look","input_schema""#] {
        assert!(written.contains(tool), "{written}");
    }
    assert!(!written.contains("additional_tools"), "{written}");
}

#[test]
fn definitions_are_not_lost_wherever_they_stand() {
    let elsewhere = Target::by_name("anthropic").expect("a target");
    let chat = |tools: &str| format!(r#"{{{tools},"messages":[{{"role":"user","content":"hi"}}]}}"#);
    let responses =
        |tools: &str, item: &str| format!(r#"{{"tools":[{tools}],"input":[{item}{{"role":"user","content":"hi"}}]}}"#);
    let broken = [
        (Dialect::OpenAiChat, chat(r#""tools":"look""#)),
        (Dialect::OpenAiChat, chat(r#""functions":[{"parameters":{"type":"object"}}]"#)),
        (Dialect::OpenAiChat, chat(r#""functions":[{"name":"look","parameters":"x"}]"#)),
        (Dialect::OpenAiResponses, responses(r#"{"type":"namespace","name":"n","tools":[{"type":"function"}]}"#, "")),
        (
            Dialect::OpenAiResponses,
            responses("", r#"{"type":"additional_tools","tools":[{"type":"function","name":"look","parameters":1}]},"#),
        ),
    ];
    for (dialect, text) in broken {
        let error = fix(text.as_bytes(), &Options::new().from(dialect).to(elsewhere)).expect_err(&text);
        assert_eq!(error.kind(), ErrorKind::UnsupportedConversion, "{text}");
    }
    for (dialect, text) in
        [(Dialect::OpenAiChat, chat(r#""tools":null"#)), (Dialect::OpenAiChat, chat(r#""functions":[]"#))]
    {
        assert!(fix(text.as_bytes(), &Options::new().from(dialect).to(elsewhere)).is_ok(), "{text}");
    }
}

#[test]
fn what_is_written_for_a_model_or_a_place_is_accepted_there() {
    let call = r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}"#;
    let result = r#"{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}}]}"#;
    let of_bedrock = |more: &str| {
        format!(
            r#"{{"modelId":"m",{more}"messages":[{{"role":"user","content":[{{"text":"q"}}]}},{call},{result},{{"role":"assistant","content":[{{"text":"So"}}]}}]}}"#
        )
    };
    let of_anthropic = |content: &str| {
        format!(
            r#"{{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"messages":[{{"role":"user","content":[{content},{{"type":"text","text":"q"}}]}}]}}"#
        )
    };
    let stored = r#"{"messages":[{"role":"user","content":[{"text":"q"},{"audio":{"format":"mp3","source":{"s3Location":{"uri":"s3://bucket/a.mp3"}}}}]}]}"#;
    let server = r#"{"input":[{"role":"user","content":"q"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"},{"type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}},{"type":"message","id":"msg_1","role":"assistant","content":"a"},{"role":"user","content":"q"}]}"#;
    for (dialect, target, text) in [
        (Dialect::BedrockConverse, "bedrock-claude", of_bedrock("")),
        (Dialect::BedrockConverse, "bedrock-claude", of_bedrock(r#""toolConfig":{"tools":[]},"#)),
        (Dialect::BedrockConverse, "bedrock-claude", stored.to_owned()),
        (
            Dialect::AnthropicMessages,
            "anthropic",
            of_anthropic(r#"{"type":"document","source":{"type":"url","url":"https://a.test/a.pdf"}}"#),
        ),
        (
            Dialect::AnthropicMessages,
            "anthropic",
            of_anthropic(r#"{"type":"image","source":{"type":"url","url":"https://a.test/a.png"}}"#),
        ),
        (Dialect::OpenAiResponses, "openai-responses", server.to_owned()),
    ] {
        let target = Target::by_name(target).expect("a target");
        let fixed = fix(text.as_bytes(), &Options::new().from(dialect).to(target)).expect("a transcript");
        let options = CheckOptions::new(target).as_request();
        let checked = check(&fixed.output, &options).expect("a transcript");
        assert_eq!(checked.errors().count(), 0, "{text}\n{:?}", checked.violations);
    }
}

#[test]
fn a_body_with_a_model_is_a_request_whatever_the_shape_of_its_tools() {
    for (model, target) in [("gpt-4o", "openai"), ("claude-sonnet-4-5", "anthropic")] {
        for schema in ["parameters", "inputSchema"] {
            let text = format!(
                r#"{{"model":"{model}","max_tokens":9,"messages":[{{"role":"user","content":"hi"}}],"tools":[{{"name":"look","{schema}":{{"type":"object"}}}}]}}"#
            );
            let target = Target::by_name(target).expect("a target");
            let fixed = fix(text.as_bytes(), &Options::new().to(target)).expect("a transcript");
            let written = String::from_utf8_lossy(&fixed.output);
            assert!(written.contains(model) && written.contains(r#""max_tokens":9"#), "{written}");
        }
    }
}

#[test]
fn a_tool_that_is_defined_twice_is_not_lost_without_a_word() {
    const LOOK: &str = r#"{"type":"function","name":"look","parameters":{"type":"object","properties":{}}}"#;
    let twice = format!(r#"{{"tools":[{LOOK},{LOOK}],"input":[{{"role":"user","content":"go"}}]}}"#);
    for (target, count) in [("openai", 2), ("anthropic", 1), ("deepseek", 1)] {
        let (written, rules) = fixed(Dialect::OpenAiResponses, target, &twice);
        assert_eq!(written.matches(r#""name":"look""#).count(), count, "{written}");
        assert_eq!(rules.iter().any(|rule| rule == "duplicate-tool-name"), count == 1, "{rules:?}");
    }
    let again = format!(
        r#"{{"tools":[{LOOK}],"input":[{{"type":"additional_tools","role":"developer","tools":[{LOOK}]}},{{"role":"user","content":"go"}}]}}"#
    );
    let target = Target::by_name("anthropic").expect("a target");
    let fixed = fix(again.as_bytes(), &Options::new().from(Dialect::OpenAiResponses).to(target)).expect("a transcript");
    assert_eq!(String::from_utf8_lossy(&fixed.output).matches(r#""name":"look""#).count(), 1);
    assert!(fixed.report.notes.iter().any(|note| note.message.contains("`look` is defined already")));
}

#[test]
fn formats_like_those_that_are_not_supported_are_read() {
    for (dialect, text) in [
        (Dialect::OpenAiResponses, r#"{"model":"gemini-2.5-flash","input":"Hello","temperature":0.5}"#),
        (
            Dialect::OpenAiResponses,
            r#"{"model":"x","input":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}"#,
        ),
        (
            Dialect::GeminiContents,
            r#"{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"a"}]}],"system_instruction":{"parts":[{"text":"s"}]}}"#,
        ),
        (
            Dialect::OpenAiChat,
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"{}"}}]},{"role":"tool","content":"r","tool_call_id":"1","tool_name":"x"}]"#,
        ),
        (
            Dialect::OllamaChat,
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":{}}}]},{"role":"tool","content":"r","tool_call_id":"1","tool_name":"x"}]"#,
        ),
    ] {
        assert_eq!(detected(text, None), dialect, "{text}");
    }
}

#[test]
fn a_list_of_which_nothing_is_known_has_no_dialect() {
    for text in
        [r#"{"messages":[{"speaker":"ann","words":"hi"}]}"#, r#"[{"type":"A_STEP","role":"narrator","content":"x"}]"#]
    {
        refused(text);
    }
}
