//! Rules of the class `tool-args`.

use super::{Class, Rule};

/// A tool call has arguments.
pub static TOOL_CALL_ARGUMENTS_MISSING: Rule = Rule {
    id: "tool-call-arguments-missing",
    class: Class::ToolArgs,
    statement: "A tool call has arguments.",
    sources: &["openclaw/openclaw#5957", "openclaw/openclaw#5048"],
    holds: &[],
    example: None,
};

/// In this dialect the arguments of a tool call are a string of JSON text.
pub static TOOL_CALL_ARGUMENTS_NOT_A_STRING: Rule = Rule {
    id: "tool-call-arguments-not-a-string",
    class: Class::ToolArgs,
    statement: "In this dialect the arguments of a tool call are a string of JSON text.",
    sources: &["openclaw/openclaw#96441"],
    holds: &[],
    example: None,
};

/// In this dialect the arguments of a tool call are a JSON object.
pub static TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT: Rule = Rule {
    id: "tool-call-arguments-not-an-object",
    class: Class::ToolArgs,
    statement: "In this dialect the arguments of a tool call are a JSON object.",
    sources: &["openclaw/openclaw#50713"],
    holds: &[],
    example: None,
};

/// The text of the arguments is encoded once.
pub static TOOL_CALL_ARGUMENTS_ENCODED_TWICE: Rule = Rule {
    id: "tool-call-arguments-encoded-twice",
    class: Class::ToolArgs,
    statement: "The text of the arguments is encoded once.",
    sources: &["openclaw/openclaw#96717"],
    holds: &[],
    example: None,
};

/// The text of the arguments is one JSON object.
pub static TOOL_CALL_ARGUMENTS_INVALID: Rule = Rule {
    id: "tool-call-arguments-invalid",
    class: Class::ToolArgs,
    statement: "The text of the arguments is one JSON object.",
    sources: &["openclaw/openclaw#82872"],
    holds: &[],
    example: None,
};

/// The text of the arguments holds lone surrogates or duplicate keys, which some parsers refuse.
pub static TOOL_CALL_ARGUMENTS_ODD_TEXT: Rule = Rule {
    id: "tool-call-arguments-odd-text",
    class: Class::ToolArgs,
    statement: "The text of the arguments holds lone surrogates or duplicate keys, which some parsers refuse.",
    sources: &["anomalyco/opencode#17758"],
    holds: &[],
    example: None,
};

/// A tool call is spelled as its dialect spells it.
pub static TOOL_CALL_ALIAS: Rule = Rule {
    id: "tool-call-alias",
    class: Class::ToolArgs,
    statement: "A tool call is spelled as its dialect spells it.",
    sources: &["volcengine/OpenViking#1632"],
    holds: &[],
    example: None,
};

/// A field has the name that its dialect gives it.
pub static FIELD_ALIAS: Rule = Rule {
    id: "field-alias",
    class: Class::ToolArgs,
    statement: "A field has the name that its dialect gives it.",
    sources: &["volcengine/OpenViking#1632"],
    holds: &[],
    example: None,
};

/// Two spellings of one field do not contradict each other.
pub static ALIAS_CONFLICT: Rule = Rule {
    id: "alias-conflict",
    class: Class::ToolArgs,
    statement: "Two spellings of one field do not contradict each other.",
    sources: &["volcengine/OpenViking#1632"],
    holds: &[],
    example: None,
};

pub(super) static TOOL_ARGS_RULES: &[&Rule] = &[
    &TOOL_CALL_ARGUMENTS_MISSING,
    &TOOL_CALL_ARGUMENTS_NOT_A_STRING,
    &TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT,
    &TOOL_CALL_ARGUMENTS_ENCODED_TWICE,
    &TOOL_CALL_ARGUMENTS_INVALID,
    &TOOL_CALL_ARGUMENTS_ODD_TEXT,
    &TOOL_CALL_ALIAS,
    &FIELD_ALIAS,
    &ALIAS_CONFLICT,
];
