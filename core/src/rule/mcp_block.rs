//! Rules of the class `mcp-block-unrepresentable`.

use super::{Class, Rule};

/// A tool result holds text and images; a link to a resource stands there as text with its title and address.
pub static RESOURCE_LINK_IN_TOOL_RESULT: Rule = Rule {
    id: "resource-link-in-tool-result",
    class: Class::McpBlock,
    statement: "A tool result holds text and images; a link to a resource stands there as text with its title and address.",
    sources: &["openclaw/openclaw#90710", "kirodotdev/Kiro#8960", "MCP 2025-06-18 and later, ResourceLink"],
    holds: &["canonical", "openclaw"],
    example: None,
};

/// A tool result holds text and images; an embedded resource stands there as its text, its image, or its type and address.
pub static RESOURCE_IN_TOOL_RESULT: Rule = Rule {
    id: "resource-in-tool-result",
    class: Class::McpBlock,
    statement: "A tool result holds text and images; an embedded resource stands there as its text, its image, or its type and address.",
    sources: &["openclaw/openclaw#75674", "openclaw/openclaw#90728", "lobehub/lobehub#13618", "MCP EmbeddedResource"],
    holds: &["canonical", "openclaw"],
    example: None,
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
    example: None,
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
    ],
    holds: &[],
    example: None,
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
    ],
    holds: &[],
    example: None,
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
        "MCP 2025-06-18, Structured Content",
    ],
    holds: &[],
    example: None,
};

/// A picture by its address stands in a user message of a target that fetches it; elsewhere the address is text.
pub static MEDIA_BY_ADDRESS: Rule = Rule {
    id: "media-by-address",
    class: Class::McpBlock,
    statement: "A picture by its address stands in a user message of a target that fetches it; elsewhere the address is text.",
    sources: &["ollama/ollama#6753", "openclaw/openclaw#90710"],
    holds: &[],
    example: None,
};

/// Content is a list of blocks, or a string where the dialect allows it.
pub static CONTENT_NOT_A_LIST: Rule = Rule {
    id: "content-not-a-list",
    class: Class::McpBlock,
    statement: "Content is a list of blocks, or a string where the dialect allows it.",
    sources: &[
        "CheMiguel23/MemoryMesh#33",
        "openclaw/openclaw#90728",
        "OpenAI error: expected one of a string or array of objects, but got an object instead",
    ],
    holds: &[],
    example: None,
};

/// A resource has its address, and a link to one its name too.
pub static RESOURCE_WITHOUT_ADDRESS: Rule = Rule {
    id: "resource-without-address",
    class: Class::McpBlock,
    statement: "A resource has its address, and a link to one its name too.",
    sources: &["openclaw/openclaw#68037", "MCP ResourceLink and EmbeddedResource"],
    holds: &["mcp.tool-result"],
    example: None,
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
    example: None,
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
];
