//! Rules of the class `tool-name`.

use super::{Class, Rule};

/// A tool call names its tool.
pub static TOOL_CALL_WITHOUT_NAME: Rule = Rule {
    id: "tool-call-without-name",
    class: Class::ToolName,
    statement: "A tool call names its tool.",
    sources: &["openclaw/openclaw#6667", "openclaw/openclaw#46717"],
    holds: &["canonical", "openclaw", "anthropic.messages", "anthropic", "openai.chat", "openai"],
    example: None,
};

/// A name has no white space around it.
pub static TOOL_NAME_WHITE_SPACE: Rule = Rule {
    id: "tool-name-white-space",
    class: Class::ToolName,
    statement: "A name has no white space around it.",
    sources: &["openclaw/openclaw#6667"],
    holds: &["canonical", "openclaw"],
    example: None,
};

/// A name is spelled in the characters that the target takes.
pub static TOOL_NAME_CHARACTERS: Rule = Rule {
    id: "tool-name-characters",
    class: Class::ToolName,
    statement: "A name is spelled in the characters that the target takes.",
    sources: &[
        "mcp-use/mcp-use#90",
        "vercel/ai#17769",
        "OpenAI error: string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'",
    ],
    holds: &["openai"],
    example: None,
};

/// A name is as long as the target takes.
pub static TOOL_NAME_LENGTH: Rule = Rule {
    id: "tool-name-length",
    class: Class::ToolName,
    statement: "A name is as long as the target takes.",
    sources: &[
        "microsoft/vscode#243602",
        "strands-agents/harness-sdk#4513",
        "Anthropic error: String should have at most 200 characters",
    ],
    holds: &["anthropic.messages", "anthropic", "openai"],
    example: None,
};

/// A tool result names its tool, the name of its call.
pub static TOOL_RESULT_NAME_MISSING: Rule = Rule {
    id: "tool-result-name-missing",
    class: Class::ToolName,
    statement: "A tool result names its tool, the name of its call.",
    sources: &["openclaw/openclaw#46717", "cline/cline#12904", "binaricat/Netcatty#350"],
    holds: &["canonical", "openclaw"],
    example: None,
};

/// A tool result has the name of its call.
pub static TOOL_RESULT_NAME_MISMATCH: Rule = Rule {
    id: "tool-result-name-mismatch",
    class: Class::ToolName,
    statement: "A tool result has the name of its call.",
    sources: &["brainlid/langchain#539", "volcengine/OpenViking#1632"],
    holds: &["canonical", "openclaw"],
    example: None,
};

pub(super) static TOOL_NAME_RULES: &[&Rule] = &[
    &TOOL_CALL_WITHOUT_NAME,
    &TOOL_NAME_WHITE_SPACE,
    &TOOL_NAME_CHARACTERS,
    &TOOL_NAME_LENGTH,
    &TOOL_RESULT_NAME_MISSING,
    &TOOL_RESULT_NAME_MISMATCH,
];
