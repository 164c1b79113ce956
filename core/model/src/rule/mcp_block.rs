//! Rules of the class `mcp-block-unrepresentable`.

use super::{Class, Example, Rule};

/// A tool result holds text and images; a link to a resource stands there as text with its title and address.
pub static RESOURCE_LINK_IN_TOOL_RESULT: Rule = Rule {
    id: "resource-link-in-tool-result",
    class: Class::McpBlock,
    statement: "A tool result holds text and images; a link to a resource stands there as text with its title and address.",
    sources: &["openclaw/openclaw#90710", "kirodotdev/Kiro#8960", "MCP 2025-06-18 and later, ResourceLink"],
    holds: &["canonical", "openclaw"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"resource_link","uri":"file:///report.pdf","name":"report","title":"Report"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"[Report] file:///report.pdf"}],"isError":false}
]}"#,
    }),
};

/// A tool result holds text and images; an embedded resource stands there as its text, its image, or its type and address.
pub static RESOURCE_IN_TOOL_RESULT: Rule = Rule {
    id: "resource-in-tool-result",
    class: Class::McpBlock,
    statement: "A tool result holds text and images; an embedded resource stands there as its text, its image, or its type and address.",
    sources: &["openclaw/openclaw#75674", "openclaw/openclaw#90728", "lobehub/lobehub#13618", "NousResearch/hermes-agent#64556", "MCP EmbeddedResource"],
    holds: &["canonical", "openclaw"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"hello"}}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

/// A tool result holds text and images; a recording stands there as a line of text with its type.
pub static AUDIO_IN_TOOL_RESULT: Rule = Rule {
    id: "audio-in-tool-result",
    class: Class::McpBlock,
    statement: "A tool result holds text and images; a recording stands there as a line of text with its type.",
    sources: &[
        "openclaw/openclaw#90728",
        "agno-agi/agno#10033",
        "frontman-ai/frontman#1545",
        "MCP 2025-03-26 and later, AudioContent",
    ],
    holds: &["canonical", "openclaw"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"recorded"},{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"recorded"},{"type":"text","text":"[audio audio/wav]"}],"isError":false}
]}"#,
    }),
};

/// Every block is an object of a kind that the dialect knows; another stands there as its JSON text.
pub static UNKNOWN_BLOCK: Rule = Rule {
    id: "unknown-block",
    class: Class::McpBlock,
    statement: "Every block is an object of a kind that the dialect knows; another stands there as its JSON text.",
    sources: &[
        "openclaw/openclaw#97267",
        "ElliotPadfield/unpaywall-mcp#4",
        "modelcontextprotocol/docs#198",
        "strands-agents/harness-sdk#1891",
        "langchain-ai/langchainjs#11051",
        "AstrBotDevs/AstrBot#4444",
        "Anthropic error: Input tag '…' found using 'type' does not match any of the expected tags",
        "OpenAI error: Invalid value: '…'. Supported values are: …",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"chart","points":[1,2]}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"{\"type\":\"chart\",\"points\":[1,2]}"}],"isError":false}
]}"#,
    }),
};

/// A block is spelled as its dialect spells it, not as another dialect does.
pub static FOREIGN_BLOCK_SHAPE: Rule = Rule {
    id: "foreign-block-shape",
    class: Class::McpBlock,
    statement: "A block is spelled as its dialect spells it, not as another dialect does.",
    sources: &[
        "earendil-works/pi#1801",
        "openclaw/openclaw#90710",
        "BerriAI/litellm#22997",
        "jeremychone/rust-genai#118",
        "langchain-ai/langchainjs#11248",
        "OpenAI Responses error: Invalid value: 'image_url'. Supported values are: 'input_text', 'input_image', …",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}
]}"#,
    }),
};

/// The structured content of a result also stands in a text block, where the model can see it.
pub static STRUCTURED_CONTENT_NOT_IN_TEXT: Rule = Rule {
    id: "structured-content-not-in-text",
    class: Class::McpBlock,
    statement: "The structured content of a result also stands in a text block, where the model can see it.",
    sources: &[
        "openclaw/openclaw#115521",
        "nicobailon/pi-mcp-adapter#113",
        "rhel-lightspeed/linux-mcp-server#290",
        "MoonshotAI/kimi-code#2554",
        "MCP 2025-06-18, Structured Content",
    ],
    holds: &[],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "canonical",
        broken: br#"{"content":[{"type":"text","text":"1 file found"}],"structuredContent":{"files":["a.txt"]}}"#,
        mended: r#"{"role":"toolResult","content":[{"type":"text","text":"1 file found"},{"type":"text","text":"{\"files\":[\"a.txt\"]}"}],"isError":false}"#,
    }),
};

/// A picture by its address stands in a user message of a target that fetches it; elsewhere the address is text.
pub static MEDIA_BY_ADDRESS: Rule = Rule {
    id: "media-by-address",
    class: Class::McpBlock,
    statement: "A picture by its address stands in a user message of a target that fetches it; elsewhere the address is text.",
    sources: &["ollama/ollama#6753", "openclaw/openclaw#90710", "agentscope-ai/agentscope-java#3052"],
    holds: &[],
    example: Ok(Example {
        from: "openai.chat",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"https://example.com/cat.png"}}]}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"text","text":"https://example.com/cat.png"}]}]}"#,
    }),
};

/// Content is a list of blocks, or a string where the dialect allows it.
pub static CONTENT_NOT_A_LIST: Rule = Rule {
    id: "content-not-a-list",
    class: Class::McpBlock,
    statement: "Content is a list of blocks, or a string where the dialect allows it.",
    sources: &[
        "openclaw/openclaw#90728",
        "alandtse/devbench#6",
        "symfony/ai#123",
        "OpenAI Responses error: expected one of a string or array of objects, but got an object instead",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":"hello","isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

/// A resource has its address, and a link to one its name too.
pub static RESOURCE_WITHOUT_ADDRESS: Rule = Rule {
    id: "resource-without-address",
    class: Class::McpBlock,
    statement: "A resource has its address, and a link to one its name too.",
    sources: &["openclaw/openclaw#68037", "MCP ResourceLink and EmbeddedResource"],
    holds: &["mcp.tool-result", "mcp.prompt"],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "mcp.tool-result",
        broken: br#"{"content":[{"type":"resource_link","uri":"file:///report.pdf"}]}"#,
        mended: r#"{"content":[{"type":"text","text":"file:///report.pdf"}]}"#,
    }),
};

/// An embedded resource holds its text or a blob.
pub static RESOURCE_WITHOUT_CONTENT: Rule = Rule {
    id: "resource-without-content",
    class: Class::McpBlock,
    statement: "An embedded resource holds its text or a blob.",
    sources: &[
        "openclaw/openclaw#68037",
        "openclaw/openclaw#75674",
        "MCP TextResourceContents and BlobResourceContents",
    ],
    holds: &["mcp.tool-result"],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "mcp.tool-result",
        broken:
            br#"{"content":[{"type":"resource","resource":{"uri":"file:///report.pdf","mimeType":"application/pdf"}}]}"#,
        mended: r#"{"content":[{"type":"text","text":"[resource application/pdf] file:///report.pdf"}]}"#,
    }),
};

/// A message of a prompt, and before 2025-11-25 of a sampling request, holds exactly one block.
pub static PROMPT_CONTENT_NOT_ONE_BLOCK: Rule = Rule {
    id: "prompt-content-not-one-block",
    class: Class::McpBlock,
    statement: "A message of a prompt, and before 2025-11-25 of a sampling request, holds exactly one block.",
    sources: &[
        "fiberplane/mcp-lite#39",
        "helidon-io/helidon-mcp#202",
        "MCP 2024-11-05 to 2026-07-28, PromptMessage",
    ],
    holds: &["mcp.prompt", "mcp.sampling@2024-11-05", "mcp.sampling@2025-03-26", "mcp.sampling@2025-06-18"],
    example: Ok(Example {
        from: "mcp.prompt",
        to: "mcp.prompt",
        broken: br#"{"messages":[{"role":"user","content":[{"type":"text","text":"Look at"},{"type":"resource_link","uri":"file:///a.txt","name":"a"}]}]}"#,
        mended: r#"{"messages":[{"role":"user","content":{"type":"text","text":"Look at"}},{"role":"user","content":{"type":"resource_link","uri":"file:///a.txt","name":"a"}}]}"#,
    }),
};

/// Structured content is an object in the revisions 2025-06-18 and 2025-11-25.
pub static STRUCTURED_CONTENT_NOT_AN_OBJECT: Rule = Rule {
    id: "structured-content-not-an-object",
    class: Class::McpBlock,
    statement: "Structured content is an object in the revisions 2025-06-18 and 2025-11-25.",
    sources: &[
        "usememos/memos#6049",
        "agentmail-to/agentmail-mcp#6",
        "MCP 2025-06-18, CallToolResult.structuredContent",
        "MCP error -32602: Invalid input: expected record, received array",
    ],
    holds: &["mcp.tool-result@2025-06-18", "mcp.tool-result@2025-11-25", "mcp.sampling@2025-11-25"],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "mcp.tool-result@2025-06-18",
        broken: br#"{"content":[],"structuredContent":[1,2]}"#,
        mended: r#"{"content":[{"type":"text","text":"[1,2]"}]}"#,
    }),
};

/// From revision 2026-07-28 on a result says its type.
pub static RESULT_TYPE_MISSING: Rule = Rule {
    id: "result-type-missing",
    class: Class::McpBlock,
    statement: "From revision 2026-07-28 on a result says its type.",
    sources: &["IBM/mcp-context-forge#5618", "MCP 2026-07-28, Result.resultType"],
    holds: &["mcp.tool-result@2026-07-28", "mcp.prompt@2026-07-28"],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "mcp.tool-result@2026-07-28",
        broken: br#"{"content":[{"type":"text","text":"hello"}]}"#,
        mended: r#"{"content":[{"type":"text","text":"hello"}],"resultType":"complete"}"#,
    }),
};

/// A result that asks the client for input is no answer of the tool.
pub static RESULT_ASKS_FOR_INPUT: Rule = Rule {
    id: "result-asks-for-input",
    class: Class::McpBlock,
    statement: "A result that asks the client for input (`input_required`) is no answer of the tool, and no model sees it.",
    sources: &["Laisky/one-api#387", "MCP 2026-07-28, InputRequiredResult"],
    holds: &["mcp.tool-result"],
    example: Err("`fix` refuses such an input: there is no answer of the tool yet"),
};

/// The response of a function is an object.
pub static RESPONSE_NOT_AN_OBJECT: Rule = Rule {
    id: "response-not-an-object",
    class: Class::McpBlock,
    statement: "The response of a function is an object.",
    sources: &["google/adk-js#347", "Gemini error: Proto field is not repeating, cannot start list."],
    holds: &["gemini.contents"],
    example: Ok(Example {
        from: "gemini.contents",
        to: "gemini",
        broken: br#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"functionCall":{"name":"count","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"count","response":[1,2]}}]}
]}"#,
        mended: r#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"functionCall":{"name":"count","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"count","response":{"output":[1,2]}}}]}
]}"#,
    }),
};

/// JSON that stands in a tool result is an object.
pub static RESULT_JSON_NOT_AN_OBJECT: Rule = Rule {
    id: "result-json-not-an-object",
    class: Class::McpBlock,
    statement: "JSON that stands as a block of a tool result is an object.",
    sources: &[
        "strands-agents/harness-sdk#1891",
        "Bedrock error: The format of the value at messages.N.content.M.toolResult.content.K.json is invalid. Provide a json object for the field and try again.",
    ],
    holds: &["bedrock.converse"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock",
        broken: br#"{"messages":[
  {"role":"user","content":[{"text":"go"}]},
  {"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"list","input":{}}}]},
  {"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"json":[1,2]}]}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"text":"go"}]},
  {"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"list","input":{}}}]},
  {"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"[1,2]"}]}}]}
]}"#,
    }),
};

pub(super) static MCP_BLOCK_RULES: &[&Rule] = &[
    &RESOURCE_LINK_IN_TOOL_RESULT,
    &RESOURCE_IN_TOOL_RESULT,
    &AUDIO_IN_TOOL_RESULT,
    &UNKNOWN_BLOCK,
    &FOREIGN_BLOCK_SHAPE,
    &STRUCTURED_CONTENT_NOT_IN_TEXT,
    &MEDIA_BY_ADDRESS,
    &CONTENT_NOT_A_LIST,
    &RESOURCE_WITHOUT_ADDRESS,
    &RESOURCE_WITHOUT_CONTENT,
    &PROMPT_CONTENT_NOT_ONE_BLOCK,
    &STRUCTURED_CONTENT_NOT_AN_OBJECT,
    &RESULT_TYPE_MISSING,
    &RESPONSE_NOT_AN_OBJECT,
    &RESULT_ASKS_FOR_INPUT,
    &RESULT_JSON_NOT_AN_OBJECT,
];
