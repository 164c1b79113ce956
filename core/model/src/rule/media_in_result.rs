//! Rules of the class `media-in-tool-result`.

use super::{Class, Example, Rule};

/// The target takes media in a user message right after the results, not in a result.
pub static MEDIA_IN_TOOL_RESULT: Rule = Rule {
    id: "media-in-tool-result",
    class: Class::MediaInResult,
    statement: "The target takes media in a user message right after the results, not in a result.",
    sources: &[
        "OpenHands/OpenHands#7700",
        "dimensionalOS/dimos#2189",
        "openai/openai-openapi#523",
        "strands-agents/harness-sdk#3809",
        "OpenAI Chat error: Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    ],
    holds: &["openai.chat", "cohere.v2", "mistral", "ollama", "ollama-cloud", "gemini", "vertex", "openviking"],
    example: Ok(Example {
        from: "openclaw",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"shot","arguments":{}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"shot","content":[{"type":"text","text":"shot taken"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"isError":false}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"shot","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"shot taken"},{"type":"text","text":"[wirecanon: image follows the tool results]"}]},{"role":"user","content":[{"type":"text","text":"[wirecanon: media of tool result c1 (shot)]"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]}"#,
    }),
};

pub(super) static MEDIA_IN_RESULT_RULES: &[&Rule] = &[&MEDIA_IN_TOOL_RESULT];
