//! Rules of the class `error-flag`.

use super::{Class, Rule};

/// The error flag is true or false.
pub static ERROR_FLAG_NOT_A_BOOLEAN: Rule = Rule {
    id: "error-flag-not-a-boolean",
    class: Class::ErrorFlag,
    statement: "The error flag is true or false.",
    sources: &["langchain4j/langchain4j#4481", "bytedance/trae-agent#429", "MCP CallToolResult.isError"],
    holds: &["canonical", "openclaw", "mcp.tool-result", "anthropic.messages", "anthropic"],
    example: None,
};

/// A target without an error flag is told of the error in the text.
pub static ERROR_FLAG_AS_TEXT: Rule = Rule {
    id: "error-flag-as-text",
    class: Class::ErrorFlag,
    statement: "A target without an error flag is told of the error in the text.",
    sources: &["zed-industries/zed#47095", "Cloudgeni-ai/opengeni#262"],
    holds: &["openai.chat", "openai"],
    example: None,
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
    holds: &["anthropic.messages", "anthropic"],
    example: None,
};

pub(super) static ERROR_FLAG_RULES: &[&Rule] =
    &[&ERROR_FLAG_NOT_A_BOOLEAN, &ERROR_FLAG_AS_TEXT, &ERROR_RESULT_WITH_MEDIA];
