//! Rules of the class `tool-name`.

use super::{Class, Example, Rule};

/// A tool call names its tool.
pub static TOOL_CALL_WITHOUT_NAME: Rule = Rule {
    id: "tool-call-without-name",
    class: Class::ToolName,
    statement: "A tool call names its tool.",
    sources: &["esengine/DeepSeek-Reasonix#4740"],
    holds: &[
        "canonical",
        "openclaw",
        "anthropic.messages",
        "openai.chat",
        "openai.responses",
        "gemini.contents",
        "bedrock.converse",
        "mistral.chat",
        "cohere.v2",
        "ollama.chat",
        "langchain",
        "ai-sdk.model",
        "ai-sdk.ui",
        "openviking",
        "lossless-claw",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

/// A definition of a tool names a function, or a tool of the server.
pub static TOOL_DEFINITION_MALFORMED: Rule = Rule {
    id: "tool-definition-malformed",
    class: Class::ToolName,
    statement: "A definition of a tool names a function, or a tool of the server.",
    sources: &[
        "openai/openai-cookbook#1248",
        "Anthropic Messages API, tools",
        "OpenAI Chat Completions API reference, tools",
        "Gemini API, Tool",
        "Amazon Bedrock API Reference, Tool",
    ],
    holds: &[
        "anthropic.messages",
        "openai.chat",
        "openai.responses",
        "gemini.contents",
        "bedrock.converse",
        "mistral.chat",
        "cohere.v2",
        "ollama.chat",
    ],
    example: Err("`fix` refuses such a request: nobody knows which tool is meant."),
};

/// No two tools of a request have one name.
pub static DUPLICATE_TOOL_NAME: Rule = Rule {
    id: "duplicate-tool-name",
    class: Class::ToolName,
    statement: "No two tools of a request have one name.",
    sources: &[
        "cloudwego/eino#632",
        "danny-avila/LibreChat#13162",
        "decolua/9router#3333",
        "liliMozi/openhanako#789",
        "tailcallhq/forgecode#892",
        "Anthropic error: tools: Tool names must be unique.",
    ],
    holds: &["anthropic", "deepseek"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"tools":[
  {"name":"read","input_schema":{"type":"object"}},
  {"name":"read","description":"reads","input_schema":{"type":"object"}}
],"messages":[
  {"role":"user","content":"go"}
]}"#,
        mended: r#"{"tools":[
  {"name":"read","input_schema":{"type":"object"}}
],"messages":[
  {"role":"user","content":"go"}
]}"#,
    }),
};

/// A name has no white space around it.
pub static TOOL_NAME_WHITE_SPACE: Rule = Rule {
    id: "tool-name-white-space",
    class: Class::ToolName,
    statement: "A name has no white space around it.",
    sources: &["openclaw/openclaw#27689"],
    holds: &["canonical", "openclaw", "gemini.contents", "langchain", "openviking"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":" read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

/// A name is spelled in the characters that the target takes.
pub static TOOL_NAME_CHARACTERS: Rule = Rule {
    id: "tool-name-characters",
    class: Class::ToolName,
    statement: "A name is spelled in the characters that the target takes; a dot, which MCP and Gemini have, is refused by OpenAI, Anthropic, Bedrock and Mistral.",
    sources: &[
        "mcp-use/mcp-use#90",
        "vercel/ai#17769",
        "OpenAI error: string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'",
        "OpenAI Responses error: Invalid 'input[N].name': string does not match pattern.",
        "home-assistant/core#147760",
        "Anthropic error: tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
        "Bedrock error: Value at '…toolUse.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
    ],
    holds: &["anthropic.messages", "openai.responses", "bedrock.converse", "mistral.chat", "openai", "openrouter", "gemini", "gemini-3", "gemini-3.6", "vertex", "deepseek", "groq", "kimi"],
    example: Ok(Example {
        from: "openclaw",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"files.read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"files.read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"files_read","arguments":"{\"path\":\"a.txt\"}"}}]},{"role":"tool","tool_call_id":"c1","content":"hello"}]}"#,
    }),
};

/// A name is as long as the target takes.
pub static TOOL_NAME_LENGTH: Rule = Rule {
    id: "tool-name-length",
    class: Class::ToolName,
    statement: "A name is as long as the target takes: 64 characters for most, 128 for OpenAI Responses, Gemini and Anthropic.",
    sources: &[
        "microsoft/vscode#243602",
        "strands-agents/harness-sdk#4513",
        "anthropics/claude-code#96152",
        "Anthropic error: tools.18.custom.name: String should have at most 128 characters",
        "OpenAI error: string too long. Expected a string with maximum length 64",
        "Bedrock error: Value at '…toolUse.name' failed to satisfy constraint: Member must have length less than or equal to 64",
    ],
    holds: &["anthropic.messages", "mistral.chat", "openai", "openrouter", "openai-responses", "openai-codex", "bedrock.converse", "openai.responses", "gemini", "gemini-3", "gemini-3.6", "vertex", "deepseek", "groq", "kimi"],
    example: Ok(Example {
        from: "openclaw",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"mcp__files__read_read_read_read_read_read_read_read_read_read_read_","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"mcp__files__read_read_read_read_read_read_read_read_read_read_read_","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"mcp__files__read_read_read_read_read_read_read_read_read_read_re","arguments":"{\"path\":\"a.txt\"}"}}]},{"role":"tool","tool_call_id":"c1","content":"hello"}]}"#,
    }),
};

/// A tool result names the tool that its call names.
pub static TOOL_RESULT_NAME_MISSING: Rule = Rule {
    id: "tool-result-name-missing",
    class: Class::ToolName,
    statement: "A tool result names the tool that its call names.",
    sources: &[
        "openclaw/openclaw#46717",
        "cline/cline#12904",
        "binaricat/Netcatty#350",
        "nextlevelbuilder/goclaw#843",
        "Gemini error: function_response.name: Name cannot be empty.",
    ],
    holds: &["canonical", "openclaw", "gemini.contents", "mistral.chat", "ai-sdk.model"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","content":[{"type":"text","text":"hello"}],"isError":false,"toolName":"read"}
]}"#,
    }),
};

/// A tool result has the name of its call.
pub static TOOL_RESULT_NAME_MISMATCH: Rule = Rule {
    id: "tool-result-name-mismatch",
    class: Class::ToolName,
    statement: "A tool result has the name of its call.",
    sources: &["NousResearch/hermes-agent#72090", "router-for-me/CLIProxyAPI#5098"],
    holds: &["canonical", "openclaw", "gemini.contents", "ai-sdk.model"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"write","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

pub(super) static TOOL_NAME_RULES: &[&Rule] = &[
    &TOOL_DEFINITION_MALFORMED,
    &DUPLICATE_TOOL_NAME,
    &TOOL_CALL_WITHOUT_NAME,
    &TOOL_NAME_WHITE_SPACE,
    &TOOL_NAME_CHARACTERS,
    &TOOL_NAME_LENGTH,
    &TOOL_RESULT_NAME_MISSING,
    &TOOL_RESULT_NAME_MISMATCH,
];
