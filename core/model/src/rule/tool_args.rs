//! Rules of the class `tool-args`.

use super::{Class, Example, Rule};

/// A tool call has arguments.
pub static TOOL_CALL_ARGUMENTS_MISSING: Rule = Rule {
    id: "tool-call-arguments-missing",
    class: Class::ToolArgs,
    statement: "A tool call has arguments.",
    sources: &[
        "openclaw/openclaw#5957",
        "openclaw/openclaw#5048",
        "Martian-Engineering/lossless-claw#52",
        "UiPath/uipath-langchain-python#451",
        "mark3labs/mcphost#117",
        "Anthropic error: tool_use.input: Field required",
        "OpenAI Chat error: Missing required parameter: 'messages[N].tool_calls[M].function.arguments'.",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"list"}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"list","content":[{"type":"text","text":"a.txt"}],"isError":false}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"list","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"a.txt"}]}]}]}"#,
    }),
};

/// In this dialect the arguments of a tool call are a string of JSON text.
pub static TOOL_CALL_ARGUMENTS_NOT_A_STRING: Rule = Rule {
    id: "tool-call-arguments-not-a-string",
    class: Class::ToolArgs,
    statement: "In this dialect the arguments of a tool call are a string of JSON text.",
    sources: &[
        "openclaw/openclaw#96441",
        "openclaw/openclaw#102200",
        "OpenAI OpenAPI 2.3.0, ChatCompletionMessageToolCall",
    ],
    holds: &["canonical", "openai.chat", "openai.responses", "mistral.chat", "cohere.v2", "lossless-claw"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":{"path":"a.txt","line":1.0}}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\",\"line\":1.0}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
    }),
};

/// In this dialect the arguments of a tool call are a JSON object.
pub static TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT: Rule = Rule {
    id: "tool-call-arguments-not-an-object",
    class: Class::ToolArgs,
    statement: "In this dialect the arguments of a tool call are a JSON object.",
    sources: &[
        "openclaw/openclaw#50713",
        "langchain-ai/langsmith-sdk#2435",
        "Anthropic error: tool_use.input: Input should be a valid dictionary",
        "Bedrock error: The format of the value at messages.N.content.M.toolUse.input is invalid. Provide a json object for the field and try again.",
        "Gemini error: Proto field is not repeating, cannot start list.",
    ],
    holds: &[
        "openclaw",
        "anthropic.messages",
        "gemini.contents",
        "bedrock.converse",
        "ollama.chat",
        "langchain",
        "ai-sdk.model",
        "ai-sdk.ui",
        "openviking",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":"{\"path\":\"a.txt\"}"}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
    }),
};

/// The text of the arguments is encoded once.
pub static TOOL_CALL_ARGUMENTS_ENCODED_TWICE: Rule = Rule {
    id: "tool-call-arguments-encoded-twice",
    class: Class::ToolArgs,
    statement: "The text of the arguments is encoded once.",
    sources: &["openclaw/openclaw#96717", "vllm-project/vllm#54964", "JetBrains/koog#2095"],
    holds: &["canonical", "openai.chat", "mistral.chat", "cohere.v2", "lossless-claw"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"\"{\\\"path\\\":\\\"a.txt\\\"}\""}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
    }),
};

/// The text of the arguments is one JSON object.
pub static TOOL_CALL_ARGUMENTS_INVALID: Rule = Rule {
    id: "tool-call-arguments-invalid",
    class: Class::ToolArgs,
    statement: "The text of the arguments is one JSON object.",
    sources: &[
        "openclaw/openclaw#82872",
        "can1357/oh-my-pi#11104",
        "anthropics/claude-code#87251",
        "DashScope error: The \"function.arguments\" parameter of the code model must be in JSON format.",
        "Ollama error: invalid tool call arguments",
    ],
    holds: &["canonical", "openai.chat", "openai.responses", "mistral.chat", "cohere.v2", "lossless-claw"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"INVALID_JSON\":\"{\\\"path\\\":\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
    }),
};

/// The text of the arguments holds no half of a surrogate pair and no key twice, which some parsers refuse.
pub static TOOL_CALL_ARGUMENTS_ODD_TEXT: Rule = Rule {
    id: "tool-call-arguments-odd-text",
    class: Class::ToolArgs,
    statement: "The text of the arguments holds no half of a surrogate pair and no key twice, which some parsers refuse.",
    sources: &["anomalyco/opencode#17758", "anthropics/claude-code#68325"],
    holds: &[],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"\ud83d"}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"read","arguments":"{\"path\":\"\\ud83d\"}"}}]},{"role":"tool","tool_call_id":"t1","content":"hello"}]}"#,
    }),
};

/// A tool call is spelled as its dialect spells it.
pub static TOOL_CALL_ALIAS: Rule = Rule {
    id: "tool-call-alias",
    class: Class::ToolArgs,
    statement: "A tool call is spelled as its dialect spells it.",
    sources: &["volcengine/OpenViking#1632"],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

/// A field has the name that its dialect gives it.
pub static FIELD_ALIAS: Rule = Rule {
    id: "field-alias",
    class: Class::ToolArgs,
    statement: "A field has the name that its dialect gives it.",
    sources: &["volcengine/OpenViking#1632", "google/adk-python#3904"],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

/// Two spellings of one field do not contradict each other.
pub static ALIAS_CONFLICT: Rule = Rule {
    id: "alias-conflict",
    class: Class::ToolArgs,
    statement: "Two spellings of one field do not contradict each other.",
    sources: &["ahmadrosid/nakama#345", "BerriAI/litellm#23510"],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"},"input":{"path":"b.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

pub(super) static TOOL_ARGS_RULES: &[&Rule] = &[
    &TOOL_CALL_ARGUMENTS_MISSING,
    &TOOL_CALL_ARGUMENTS_NOT_A_STRING,
    &TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT,
    &TOOL_CALL_ARGUMENTS_ENCODED_TWICE,
    &TOOL_CALL_ARGUMENTS_INVALID,
    &TOOL_CALL_ARGUMENTS_ODD_TEXT,
    &TOOL_CALL_ALIAS,
    &FIELD_ALIAS,
    &ALIAS_CONFLICT,
];
