//! Rules of the class `tool-call-id`.

use super::{Class, Rule};

/// A tool call has an id: a non-empty string.
pub static TOOL_CALL_WITHOUT_ID: Rule = Rule {
    id: "tool-call-without-id",
    class: Class::ToolCallId,
    statement: "A tool call has an id: a non-empty string.",
    sources: &["openclaw/openclaw#5497", "ggml-org/llama.cpp#11992", "camel-ai/camel#3027"],
    holds: &["canonical", "openclaw", "anthropic.messages", "anthropic", "openai.chat", "openai"],
    example: None,
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
    ],
    holds: &["canonical", "openclaw", "anthropic.messages", "anthropic", "openai.chat", "openai"],
    example: None,
};

/// An id has no white space around it.
pub static TOOL_CALL_ID_WHITE_SPACE: Rule = Rule {
    id: "tool-call-id-white-space",
    class: Class::ToolCallId,
    statement: "An id has no white space around it.",
    sources: &["openclaw/openclaw#12757"],
    holds: &["canonical", "openclaw"],
    example: None,
};

/// An id is spelled in the characters that the target takes.
pub static TOOL_CALL_ID_CHARACTERS: Rule = Rule {
    id: "tool-call-id-characters",
    class: Class::ToolCallId,
    statement: "An id is spelled in the characters that the target takes.",
    sources: &[
        "BlockRunAI/ClawRouter#17",
        "openclaw/openclaw#108002",
        "vercel/ai#17390",
        "Anthropic error: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    holds: &["anthropic.messages", "anthropic"],
    example: None,
};

/// An id is as long as the target takes.
pub static TOOL_CALL_ID_LENGTH: Rule = Rule {
    id: "tool-call-id-length",
    class: Class::ToolCallId,
    statement: "An id is as long as the target takes.",
    sources: &[
        "openclaw/openclaw#875",
        "vercel/ai#5171",
        "OpenAI error: string too long. Expected a string with maximum length 40",
    ],
    holds: &["openai"],
    example: None,
};

pub(super) static TOOL_CALL_ID_RULES: &[&Rule] = &[
    &TOOL_CALL_WITHOUT_ID,
    &DUPLICATE_TOOL_CALL_ID,
    &TOOL_CALL_ID_WHITE_SPACE,
    &TOOL_CALL_ID_CHARACTERS,
    &TOOL_CALL_ID_LENGTH,
];
