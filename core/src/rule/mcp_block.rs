//! Rules of the class `mcp-block-unrepresentable`.

use super::{Class, Rule};

/// A tool result holds text and images; a link to a resource stands there as text with its title and address.
pub static RESOURCE_LINK_IN_TOOL_RESULT: Rule = Rule {
    id: "resource-link-in-tool-result",
    class: Class::McpBlock,
    statement: "A tool result holds text and images; a link to a resource stands there as text with its title and address.",
    sources: &["openclaw/openclaw#90710"],
    holds: &[],
    example: None,
};

/// A tool result holds text and images; an embedded resource stands there as its text, its image, or its type and address.
pub static RESOURCE_IN_TOOL_RESULT: Rule = Rule {
    id: "resource-in-tool-result",
    class: Class::McpBlock,
    statement: "A tool result holds text and images; an embedded resource stands there as its text, its image, or its type and address.",
    sources: &["openclaw/openclaw#75674"],
    holds: &[],
    example: None,
};

/// A tool result holds text and images; a recording stands there as a line of text with its type.
pub static AUDIO_IN_TOOL_RESULT: Rule = Rule {
    id: "audio-in-tool-result",
    class: Class::McpBlock,
    statement: "A tool result holds text and images; a recording stands there as a line of text with its type.",
    sources: &["openclaw/openclaw#90728"],
    holds: &[],
    example: None,
};

/// A block of a kind that the dialect does not know stands there as its JSON text.
pub static UNKNOWN_BLOCK: Rule = Rule {
    id: "unknown-block",
    class: Class::McpBlock,
    statement: "A block of a kind that the dialect does not know stands there as its JSON text.",
    sources: &["openclaw/openclaw#97267"],
    holds: &[],
    example: None,
};

/// A block is spelled as its dialect spells it, not as another dialect does.
pub static FOREIGN_BLOCK_SHAPE: Rule = Rule {
    id: "foreign-block-shape",
    class: Class::McpBlock,
    statement: "A block is spelled as its dialect spells it, not as another dialect does.",
    sources: &["openclaw/openclaw#90710"],
    holds: &[],
    example: None,
};

/// The structured content of a result also stands in a text block, where the model can see it.
pub static STRUCTURED_CONTENT_NOT_IN_TEXT: Rule = Rule {
    id: "structured-content-not-in-text",
    class: Class::McpBlock,
    statement: "The structured content of a result also stands in a text block, where the model can see it.",
    sources: &["openclaw/openclaw#115521"],
    holds: &[],
    example: None,
};

/// A picture by its address stands in a user message only; elsewhere the address is text.
pub static MEDIA_BY_ADDRESS: Rule = Rule {
    id: "media-by-address",
    class: Class::McpBlock,
    statement: "A picture by its address stands in a user message only; elsewhere the address is text.",
    sources: &["openclaw/openclaw#90710"],
    holds: &[],
    example: None,
};

/// Content is a list of blocks, or a string where the dialect allows it.
pub static CONTENT_NOT_A_LIST: Rule = Rule {
    id: "content-not-a-list",
    class: Class::McpBlock,
    statement: "Content is a list of blocks, or a string where the dialect allows it.",
    sources: &["openclaw/openclaw#90728"],
    holds: &[],
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
];
