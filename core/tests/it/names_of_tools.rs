//! Names of tools, wherever a request has them: in definitions, in the choice of a tool, in items that define tools.

use crate::told::{broken, fixed};

/// A target, a request, and what `fix` makes of it.
fn renamed() -> Vec<(&'static str, String, String)> {
    let chat = r#"{"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"NAME"}},{"type":"custom","custom":{"name":"other"}}],"tool_choice":CHOICE}"#;
    let with = |body: &str, choice: &str| body.replace("CHOICE", choice);
    let pair = |target: &'static str, body: String| (target, body.replace("NAME", "a.b"), body.replace("NAME", "a_b"));
    let anthropic = r#"{"messages":[{"role":"user","content":"q"}],"tools":[{"name":"NAME","input_schema":{"type":"object"}},{"type":"custom","name":"other","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"NAME"},"context_management":{"edits":[{"type":"clear_tool_uses_20250919","exclude_tools":["NAME","other"]}]}}"#;
    let bedrock = r#"{"messages":[{"role":"user","content":[{"text":"q"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"NAME","inputSchema":{"json":{"type":"object"}}}}],"toolChoice":{"tool":{"name":"NAME"}}}}"#;
    let responses = r#"{"input":[{"role":"user","content":"q"},{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"NAME","parameters":{"type":"object"}}, {"type":"custom","name":"other"}]},{"type":"function_call","call_id":"c","name":"NAME","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"x"}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"NAME"}]}}"#;
    let no_call = r#"{"input":[{"role":"user","content":"q"},{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"NAME","parameters":{"type":"object"}}]}]}"#;
    vec![
        pair("openai", with(chat, r#"{"type":"function","function":{"name":"NAME"}}"#)),
        pair(
            "openai",
            with(
                chat,
                r#"{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"NAME"}}]}}"#,
            ),
        ),
        pair("openai", with(chat, r#""auto""#)),
        pair("mistral", chat.replace(r#",{"type":"custom","custom":{"name":"other"}}"#, "").replace("CHOICE", r#"{"type":"function","function":{"name":"NAME"}}"#)),
        pair("anthropic", anthropic.to_owned()),
        pair("bedrock", bedrock.to_owned()),
        pair("openai-responses", responses.to_owned()),
        pair("openai-responses", no_call.to_owned()),
        (
            "gemini",
            r#"{"contents":[{"role":"user","parts":[{"text":"q"}]}],"tools":[{"functionDeclarations":[{"name":"a/b"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["a/b"]}}}"#.to_owned(),
            r#"{"contents":[{"role":"user","parts":[{"text":"q"}]}],"tools":[{"functionDeclarations":[{"name":"a_b"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["a_b"]}}}"#.to_owned(),
        ),
    ]
}

#[test]
fn a_tool_has_one_name_in_the_whole_request() {
    for (target, body, mended) in renamed() {
        let dialect = match target {
            "openai" => "openai.chat",
            "mistral" => "mistral.chat",
            "anthropic" => "anthropic.messages",
            "bedrock" => "bedrock.converse",
            "gemini" => "gemini.contents",
            _ => "openai.responses",
        };
        assert!(broken(target, &body).contains(&"tool-name-characters"), "{target}: {body}");
        let (text, rules) = fixed(dialect, target, &body);
        assert_eq!(text, mended, "{target}: {rules:?}");
    }
}

#[test]
fn names_that_a_server_takes_stay() {
    for (target, name) in
        [("openai.chat", "a.b"), ("ollama", "a.b"), ("cohere", "a b"), ("openai", "mcp__fs__read-file")]
    {
        let body = format!(
            r#"{{"model":"m","messages":[{{"role":"user","content":"q"}}],"tools":[{{"type":"function","function":{{"name":"{name}","parameters":{{"type":"object","properties":{{}}}}}}}}]}}"#
        );
        assert_eq!(broken(target, &body), Vec::<&str>::new(), "{target}: {name}");
    }
}

#[test]
fn built_in_functions_of_kimi_keep_their_names_there_and_are_functions_elsewhere() {
    let body = r#"{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"builtin_function","function":{"name":"$web_search","arguments":"{\"a\": 1}"}},{"id":"c2","type":"function","function":{"name":"a.b","arguments":"{}"}}],"reasoning_content":"r"},{"role":"tool","tool_call_id":"c1","name":"$web_search","content":"x"},{"role":"tool","tool_call_id":"c2","content":"x"}],"tools":[{"type":"builtin_function","function":{"name":"$web_search"}}]}"#;
    let (text, _) = fixed("openai.chat", "kimi", body);
    let call = r#"{"id":"c1","type":"builtin_function","function":{"name":"$web_search","arguments":"{\"a\": 1}"}}"#;
    assert!(text.contains(call) && text.contains(r#""name":"a_b""#), "{text}");
    assert!(text.ends_with(r#""tools":[{"type":"builtin_function","function":{"name":"$web_search"}}]}"#), "{text}");
    let (text, _) = fixed("openai.chat", "openai", body);
    assert!(!text.contains("builtin_function") && !text.contains('$'), "{text}");
    assert_eq!(text.matches(r#""name":"_web_search""#).count(), 3, "{text}");
}

#[test]
fn a_space_of_names_without_a_word_is_none() {
    for (space, name) in [(" ", "f"), (" a_ ", "a_f")] {
        let body = format!(
            r#"[{{"role":"user","content":"go"}},{{"type":"function_call","call_id":"c","namespace":"{space}","name":"f","arguments":"{{}}"}},{{"type":"function_call_output","call_id":"c","output":"r"}}]"#
        );
        for target in ["openclaw", "openai", "gemini"] {
            let (text, _) = fixed("openai.responses", target, &body);
            assert!(text.contains(&format!(r#""{name}""#)), "{target}: {text}");
            assert!(broken(target, &text).is_empty(), "{target}: {text}");
        }
    }
}
