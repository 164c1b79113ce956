//! Rules of the class `tool-call-id`.

use super::{Class, Example, Rule};

/// A tool call has an id: a non-empty string.
pub static TOOL_CALL_WITHOUT_ID: Rule = Rule {
    id: "tool-call-without-id",
    class: Class::ToolCallId,
    statement: "A tool call has an id: a non-empty string.",
    sources: &["openclaw/openclaw#5497", "ggml-org/llama.cpp#11992", "camel-ai/camel#3027"],
    holds: &["canonical", "openclaw", "anthropic.messages", "openai.chat", "openai.responses", "bedrock.converse", "mistral.chat", "cohere.v2", "langchain", "ai-sdk.model", "ai-sdk.ui", "openviking", "lossless-claw", "mcp.sampling"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"","content":"hello"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"call_1","content":"hello"}
]}"#,
    }),
};

/// No two calls share an id within the scope that the dialect demands.
pub static DUPLICATE_TOOL_CALL_ID: Rule = Rule {
    id: "duplicate-tool-call-id",
    class: Class::ToolCallId,
    statement: "No two calls share an id within the scope that the dialect demands.",
    sources: &[
        "openclaw/openclaw#40897",
        "Kilo-Org/kilocode#5150",
        "anomalyco/opencode#1150",
        "Anthropic error: `tool_use` ids must be unique",
        "Mistral error: Duplicate tool call id … in assistant message",
    ],
    holds: &["canonical", "openclaw", "anthropic.messages", "openai.chat", "openai.responses", "gemini.contents", "bedrock.converse", "mistral.chat", "cohere.v2", "ollama.chat", "langchain", "ai-sdk.model", "ai-sdk.ui", "openviking", "lossless-claw", "mcp.sampling"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}},{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"b.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"a"},
  {"role":"tool","tool_call_id":"c1","content":"b"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}},{"id":"c1_2","type":"function","function":{"name":"read","arguments":"{\"path\":\"b.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"a"},
  {"role":"tool","tool_call_id":"c1_2","content":"b"}
]}"#,
    }),
};

/// An id has no white space around it.
pub static TOOL_CALL_ID_WHITE_SPACE: Rule = Rule {
    id: "tool-call-id-white-space",
    class: Class::ToolCallId,
    statement: "An id has no white space around it.",
    sources: &["openclaw/openclaw#12757"],
    holds: &[
        "canonical",
        "openclaw",
        "openai.responses",
        "gemini.contents",
        "langchain",
        "openviking",
        "lossless-claw",
    ],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":" c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

/// An id is spelled in the characters that the target takes.
pub static TOOL_CALL_ID_CHARACTERS: Rule = Rule {
    id: "tool-call-id-characters",
    class: Class::ToolCallId,
    statement: "An id is spelled in the characters that the target takes; that of a tool which Anthropic runs is `srvtoolu_` and letters, digits or `_`.",
    sources: &[
        "BlockRunAI/ClawRouter#17",
        "openclaw/openclaw#108002",
        "vercel/ai#17390",
        "Anthropic error: String should match pattern '^[a-zA-Z0-9_-]+$'",
        "Anthropic error: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
        "Mistral error: Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9.",
    ],
    holds: &["anthropic.messages", "bedrock.converse", "mistral"],
    example: Ok(Example {
        from: "openai.chat",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"functions.read:0","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"functions.read:0","content":"hello"}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"tool_use","id":"functions_read_0","name":"read","input":{"path":"a.txt"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"functions_read_0","content":[{"type":"text","text":"hello"}]}]}]}"#,
    }),
};

/// An id is as long as the target takes.
pub static TOOL_CALL_ID_LENGTH: Rule = Rule {
    id: "tool-call-id-length",
    class: Class::ToolCallId,
    statement: "An id is as long as the target takes: 64 characters for OpenAI and Bedrock, exactly nine for Mistral.",
    sources: &[
        "openclaw/openclaw#875",
        "vercel/ai#5171",
        "diegosouzapw/OmniRoute#4317",
        "vercel/ai#17233",
        "jin-bo/agentao#321",
        "OpenAI error: string too long. Expected a string with maximum length 64",
        "Mistral error: Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9.",
    ],
    holds: &["openai.responses", "bedrock.converse", "openai", "mistral"],
    example: Ok(Example {
        from: "openclaw",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"call_0123456789012345678901234567890123456789012345678901234567890123456789","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"call_0123456789012345678901234567890123456789012345678901234567890123456789","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_01234567890123456789012345678901234567890123456789012345678","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},{"role":"tool","tool_call_id":"call_01234567890123456789012345678901234567890123456789012345678","content":"hello"}]}"#,
    }),
};

/// The id of an item is one that the server gives to items of its type.
pub static ITEM_ID_MALFORMED: Rule = Rule {
    id: "item-id-malformed",
    class: Class::ToolCallId,
    statement: "The id of an item begins with the prefix of its type, and is of letters, digits, `_` and `-`, at most 64.",
    sources: &[
        "openai/codex#33176",
        "jlcodes99/cockpit-tools#2090",
        "earendil-works/pi#1022",
        "OpenAI Responses error: Invalid 'input[N].id': '…'. Expected an ID that begins with 'fc'.",
        "OpenAI Responses error: Invalid 'input[N].id': string too long. Expected a string with maximum length 64",
    ],
    holds: &["openai.responses"],
    example: Ok(Example {
        from: "openai.responses",
        to: "openai-responses",
        broken: br#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"message","id":"019f629b","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Done.","annotations":[]}]}
]}"#,
        mended: r#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Done.","annotations":[]}]}
]}"#,
    }),
};

/// No two items share an id.
pub static DUPLICATE_ITEM_ID: Rule = Rule {
    id: "duplicate-item-id",
    class: Class::ToolCallId,
    statement: "No two items share an id.",
    sources: &[
        "HKUDS/nanobot#3961",
        "OpenRouterTeam/ai-sdk-provider#254",
        "microsoft/vscode#321977",
        "OpenAI Responses error: Duplicate item found with id …. Remove duplicate items from your input and try again.",
    ],
    holds: &["openai.responses"],
    example: Ok(Example {
        from: "openai.responses",
        to: "openai-responses",
        broken: br#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"function_call","id":"fc_1","call_id":"call_1","name":"read","arguments":"{}"},
  {"type":"function_call_output","call_id":"call_1","output":"hello"},
  {"type":"function_call","id":"fc_1","call_id":"call_2","name":"read","arguments":"{}"},
  {"type":"function_call_output","call_id":"call_2","output":"hello"}
]}"#,
        mended: r#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"function_call","id":"fc_1","call_id":"call_1","name":"read","arguments":"{}"},
  {"type":"function_call_output","call_id":"call_1","output":"hello"},
  {"type":"function_call","call_id":"call_2","name":"read","arguments":"{}"},
  {"type":"function_call_output","call_id":"call_2","output":"hello"}
]}"#,
    }),
};

/// Where the target has no field for ids, calls and results go without.
pub static TOOL_CALL_ID_REFUSED: Rule = Rule {
    id: "tool-call-id-refused",
    class: Class::ToolCallId,
    statement: "Where the target has no field for ids, calls and results go without.",
    sources: &[
        "pydantic/pydantic-ai#5081",
        "vercel/ai#15664",
        "charmbracelet/fantasy#265",
        "Gemini error: Invalid JSON payload received. Unknown name \"id\" at 'contents[1].parts[0].function_call': Cannot find field.",
    ],
    holds: &["vertex"],
    example: Ok(Example {
        from: "gemini.contents",
        to: "vertex",
        broken: br#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"functionCall":{"id":"c1","name":"read","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read","response":{"output":"hello"}}}]}
]}"#,
        mended: r#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"functionCall":{"name":"read","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}}]}
]}"#,
    }),
};

pub(super) static TOOL_CALL_ID_RULES: &[&Rule] = &[
    &TOOL_CALL_WITHOUT_ID,
    &DUPLICATE_TOOL_CALL_ID,
    &TOOL_CALL_ID_WHITE_SPACE,
    &TOOL_CALL_ID_CHARACTERS,
    &TOOL_CALL_ID_LENGTH,
    &ITEM_ID_MALFORMED,
    &DUPLICATE_ITEM_ID,
    &TOOL_CALL_ID_REFUSED,
];
