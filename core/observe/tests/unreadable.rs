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
