//! Rules of the class `media-in-tool-result`.

use super::{Class, Rule};

/// The target takes media in a user message right after the results, not in a result.
pub static MEDIA_IN_TOOL_RESULT: Rule = Rule {
    id: "media-in-tool-result",
    class: Class::MediaInResult,
    statement: "The target takes media in a user message right after the results, not in a result.",
    sources: &[
        "OpenHands/OpenHands#7700",
        "dimensionalOS/dimos#2189",
        "openai/openai-openapi#523",
        "OpenAI error: Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    ],
    holds: &["openai.chat", "openai"],
    example: None,
};

pub(super) static MEDIA_IN_RESULT_RULES: &[&Rule] = &[&MEDIA_IN_TOOL_RESULT];
