//! Documents that an observer cannot read: the place and the reason.

use wirecanon_json::{Json, Limits};
use wirecanon_model::Dialect;
use wirecanon_observe::observe;

/// A dialect, a document, and the place in it that cannot be read.
const UNREADABLE: &[(Dialect, &str, &str)] = &[
    (Dialect::Canonical, r#"{"messages":[{"role":"user","content":[{"type":"sound"}]}]}"#, "/messages/0/content/0"),
    (Dialect::Canonical, r#"{"messages":[{"role":"tool","content":[]}]}"#, "/messages/0/role"),
    (
        Dialect::OpenClaw,
        r#"[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":7}]}]"#,
        "/0/content/0/name",
    ),
    (
        Dialect::AnthropicMessages,
        r#"{"messages":[{"role":"user","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}]}"#,
        "/messages/0/content/0",
    ),
    (
        Dialect::AnthropicMessages,
        r#"{"messages":[{"role":"user","content":[{"type":"image"}]}]}"#,
        "/messages/0/content/0",
    ),
    (Dialect::AnthropicMessages, r#"{"messages":{}}"#, "/messages"),
    (Dialect::OpenAiChat, r#"[{"role":"user","content":7}]"#, "/0/content"),
    (
        Dialect::OpenAiChat,
        r#"[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":{}}}]}]"#,
        "/0/tool_calls/0/function/arguments",
    ),
    (Dialect::OpenAiChat, r#"[{"role":"robot","content":"x"}]"#, "/0/role"),
    (Dialect::OpenAiResponses, r#"[{"type":"song"}]"#, "/0"),
    (Dialect::OpenAiResponses, r#"[{"role":"user","content":[{"type":"output_text","text":"x"}]}]"#, "/0/content/0"),
    (Dialect::GeminiContents, r#"[{"role":"user","parts":"x"}]"#, "/0/parts"),
    (Dialect::BedrockConverse, r#"[{"role":"user","content":[{"song":{}}]}]"#, "/0/content/0"),
    (Dialect::MistralChat, r#"[{"role":"user","content":[{"type":"song"}]}]"#, "/0/content/0"),
    (Dialect::CohereV2, r#"[{"role":"user","content":{}}]"#, "/0/content"),
    (Dialect::OllamaChat, r#"[{"role":"user","content":["x"]}]"#, "/0/content"),
    (Dialect::LangChain, r#"[{"type":"robot","data":{"content":"x"}}]"#, "/0"),
    (Dialect::AiSdkModel, r#"[{"role":"user","content":[{"type":"tool-call"}]}]"#, "/0/content/0"),
    (Dialect::AiSdkUi, r#"[{"role":"user","parts":[{"type":7}]}]"#, "/0/parts/0/type"),
    (
        Dialect::OpenViking,
        r#"[{"role":"user","parts":[{"type":"tool","tool_id":"a","tool_name":"f","tool_status":"gone"}]}]"#,
        "/0/parts/0",
    ),
    (Dialect::LosslessClaw, r#"[{"role":"user","parts":[{"ordinal":0}]}]"#, "/0/parts/0"),
    (Dialect::McpToolResult, r#"{"content":[{"type":"song"}]}"#, "/content/0"),
    (Dialect::McpPrompt, r#"{"messages":[{"role":"tool","content":{"type":"text","text":"x"}}]}"#, "/messages/0/role"),
    (Dialect::McpSampling, r#"{"messages":[{"role":"user","content":"x"}]}"#, "/messages/0/content"),
    // Two members where one may be.
    (
        Dialect::GeminiContents,
        r#"[{"role":"model","parts":[{"text":"ok","functionCall":{"name":"f"}}]}]"#,
        "/0/parts/0",
    ),
    (
        Dialect::GeminiContents,
        r#"[{"role":"user","parts":[{"text":"Hi","inline_data":{"mimeType":"image/png","data":"AAAA"}}]}]"#,
        "/0/parts/0",
    ),
    (
        Dialect::GeminiContents,
        r#"[{"role":"user","parts":[{"inlineData":{"data":"AAAA"},"inline_data":{"data":"BBBB"}}]}]"#,
        "/0/parts/0",
    ),
    (
        Dialect::BedrockConverse,
        r#"[{"role":"assistant","content":[{"text":"Hello.","toolUse":{"toolUseId":"a","name":"f","input":{}}}]}]"#,
        "/0/content/0",
    ),
    (
        Dialect::BedrockConverse,
        r#"[{"role":"user","content":[{"document":{"name":"d","format":"txt","source":{"text":"a","bytes":"AAAA"}}}]}]"#,
        "/0/content/0/document/source",
    ),
    (
        Dialect::OpenAiChat,
        r#"[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"},"custom":{"name":"g","input":""}}]}]"#,
        "/0/tool_calls/0",
    ),
    // Instructions in a shape that nobody reads.
    (Dialect::GeminiContents, r#"{"systemInstruction":7,"contents":[]}"#, "/systemInstruction"),
    (Dialect::GeminiContents, r#"{"systemInstruction":{"content":"x"},"contents":[]}"#, "/systemInstruction"),
    (
        Dialect::GeminiContents,
        r#"{"systemInstruction":[{"role":"user","parts":[{"text":"x"}]}],"contents":[]}"#,
        "/systemInstruction/0",
    ),
    (Dialect::GeminiContents, r#"{"system_instruction":[["x"]],"contents":[]}"#, "/system_instruction/0"),
    (Dialect::AiSdkModel, r#"{"system":{"role":"user","content":"x"},"messages":[]}"#, "/system/role"),
    (Dialect::AiSdkModel, r#"{"system":7,"messages":[]}"#, "/system"),
    // Calls that are not the assistant's.
    (
        Dialect::OpenAiChat,
        r#"[{"role":"user","content":"x","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}]"#,
        "/0/tool_calls",
    ),
    (Dialect::CohereV2, r#"[{"role":"tool","tool_call_id":"a","content":"x","tool_calls":[{}]}]"#, "/0/tool_calls"),
    (Dialect::LangChain, r#"[{"type":"tool","data":{"content":"x","tool_call_id":"a","status":"failed"}}]"#, "/0/data"),
    (
        Dialect::AiSdkUi,
        r#"[{"role":"assistant","parts":[{"type":"tool-invocation","toolInvocation":{"state":"gone","toolCallId":"a","toolName":"f"}}]}]"#,
        "/0/parts/0/toolInvocation",
    ),
];

#[test]
fn the_place_and_the_reason_are_named() {
    for (dialect, text, pointer) in UNREADABLE {
        let json = Json::parse(text, &Limits::default()).expect("JSON");
        let error = observe(&json, *dialect).expect_err(text);
        assert_eq!(error.pointer(), *pointer, "{}: {error}", dialect.name());
        assert!(error.to_string().contains(pointer), "{error}");
    }
    for dialect in Dialect::ALL {
        assert!(UNREADABLE.iter().any(|(other, ..)| *other == dialect), "{}", dialect.name());
        for text in ["7", "null", "\"x\"", "[7]", "[null]", "[[]]"] {
            let json = Json::parse(text, &Limits::default()).expect("JSON");
            // One string may be the whole input of the Responses API.
            let is_read = dialect == Dialect::OpenAiResponses && text == "\"x\"";
            assert_eq!(observe(&json, dialect).is_ok(), is_read, "{}: {text}", dialect.name());
        }
    }
}
