//! Rules of the class `empty-content`.

use super::{Class, Rule};

/// A text block holds more than white space, or is all there is.
pub static BLANK_TEXT: Rule = Rule {
    id: "blank-text",
    class: Class::EmptyContent,
    statement: "A text block holds more than white space, or is all there is.",
    sources: &["openclaw/openclaw#73117"],
    holds: &[],
    example: None,
};

/// The content of a tool result is not empty.
pub static EMPTY_TOOL_RESULT: Rule = Rule {
    id: "empty-tool-result",
    class: Class::EmptyContent,
    statement: "The content of a tool result is not empty.",
    sources: &["openclaw/openclaw#73117"],
    holds: &[],
    example: None,
};

/// A message has content.
pub static EMPTY_MESSAGE: Rule = Rule {
    id: "empty-message",
    class: Class::EmptyContent,
    statement: "A message has content.",
    sources: &["openclaw/openclaw#71572"],
    holds: &[],
    example: None,
};

/// A message has a content field of a kind that its role allows.
pub static CONTENT_MISSING: Rule = Rule {
    id: "content-missing",
    class: Class::EmptyContent,
    statement: "A message has a content field of a kind that its role allows.",
    sources: &["openclaw/openclaw#77288"],
    holds: &[],
    example: None,
};

/// The text of a text block is a string.
pub static TEXT_NOT_A_STRING: Rule = Rule {
    id: "text-not-a-string",
    class: Class::EmptyContent,
    statement: "The text of a text block is a string.",
    sources: &["openclaw/openclaw#90728"],
    holds: &[],
    example: None,
};

pub(super) static EMPTY_CONTENT_RULES: &[&Rule] =
    &[&BLANK_TEXT, &EMPTY_TOOL_RESULT, &EMPTY_MESSAGE, &CONTENT_MISSING, &TEXT_NOT_A_STRING];
