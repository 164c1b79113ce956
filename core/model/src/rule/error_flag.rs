//! Rules of the class `error-flag`.

use super::{Class, Example, Rule};

/// The error flag is true or false.
pub static ERROR_FLAG_NOT_A_BOOLEAN: Rule = Rule {
    id: "error-flag-not-a-boolean",
    class: Class::ErrorFlag,
    statement: "The error flag is true or false.",
    sources: &["langchain4j/langchain4j#4481", "bytedance/trae-agent#429", "MCP CallToolResult.isError"],
    holds: &["canonical", "openclaw", "anthropic.messages", "bedrock.converse", "mcp.tool-result", "mcp.sampling"],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "mcp.tool-result",
        broken: br#"{"content":[{"type":"text","text":"no such file"}],"isError":"true"}"#,
        mended: r#"{"content":[{"type":"text","text":"no such file"}],"isError":true}"#,
    }),
};

/// A target without an error flag is told of the error in the text.
pub static ERROR_FLAG_AS_TEXT: Rule = Rule {
    id: "error-flag-as-text",
    class: Class::ErrorFlag,
    statement: "A target without an error flag is told of the error in the text.",
    sources: &["zed-industries/zed#47095", "Cloudgeni-ai/opengeni#262"],
    holds: &["openai.chat", "openai.responses", "mistral.chat", "cohere.v2", "ollama.chat"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"no such file","is_error":true}]}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},{"role":"tool","tool_call_id":"t1","content":"[wirecanon: tool error] no such file"}]}"#,
    }),
};

/// The target takes an error result of text alone.
pub static ERROR_RESULT_WITH_MEDIA: Rule = Rule {
    id: "error-result-with-media",
    class: Class::ErrorFlag,
    statement: "The target takes an error result of text alone.",
    sources: &[
        "vellum-ai/vellum-assistant#18387",
        "Anthropic error: all content must be type `text` if `is_error` is true",
    ],
    holds: &["anthropic.messages", "bedrock-claude", "ai-sdk.model", "ai-sdk.ui"],
    example: Ok(Example {
        from: "openclaw",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"shot","arguments":{}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"shot","content":[{"type":"text","text":"no window"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"isError":true}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"shot","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"no window"},{"type":"text","text":"[wirecanon: image follows the tool results]"}],"is_error":true}]},{"role":"user","content":[{"type":"text","text":"[wirecanon: media of tool result c1 (shot)]"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}"#,
    }),
};

/// The status of a result is one that its dialect has.
pub static TOOL_STATUS_UNKNOWN: Rule = Rule {
    id: "tool-status-unknown",
    class: Class::ErrorFlag,
    statement: "The status of a result is one that its dialect has, and says whether the tool is done.",
    sources: &[
        "langchain-ai/langgraph#4289",
        "langchain-core 1.7.2 ToolMessage.status: Input should be 'success' or 'error'",
        "volcengine/OpenViking openclaw-plugin: any status but completed and error reads as interrupted",
    ],
    holds: &["langchain", "openviking"],
    example: Ok(Example {
        from: "langchain",
        to: "langchain",
        broken: br#"{"messages":[
  {"type":"ai","data":{"content":"","tool_calls":[{"name":"read","args":{},"id":"c1","type":"tool_call"}]}},
  {"type":"tool","data":{"content":"no such file","tool_call_id":"c1","status":"failed"}}
]}"#,
        mended: r#"{"messages":[
  {"type":"ai","data":{"content":"","tool_calls":[{"name":"read","args":{},"id":"c1","type":"tool_call"}]}},
  {"type":"tool","data":{"content":"no such file","tool_call_id":"c1","status":"error"}}
]}"#,
    }),
};

pub(super) static ERROR_FLAG_RULES: &[&Rule] =
    &[&ERROR_FLAG_NOT_A_BOOLEAN, &ERROR_FLAG_AS_TEXT, &ERROR_RESULT_WITH_MEDIA, &TOOL_STATUS_UNKNOWN];
