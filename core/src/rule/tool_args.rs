//! Rules of the class `tool-args`.

use super::{Class, Rule};

/// A tool call has arguments.
pub static TOOL_CALL_ARGUMENTS_MISSING: Rule = Rule {
    id: "tool-call-arguments-missing",
    class: Class::ToolArgs,
    statement: "A tool call has arguments.",
    sources: &[
        "openclaw/openclaw#5957",
        "openclaw/openclaw#5048",
        "Martian-Engineering/lossless-claw#52",
        "UiPath/uipath-langchain-python#451",
        "Anthropic error: tool_use.input: Field required",
    ],
    holds: &[],
    example: None,
};

/// In this dialect the arguments of a tool call are a string of JSON text.
pub static TOOL_CALL_ARGUMENTS_NOT_A_STRING: Rule = Rule {
    id: "tool-call-arguments-not-a-string",
    class: Class::ToolArgs,
    statement: "In this dialect the arguments of a tool call are a string of JSON text.",
    sources: &[
        "openclaw/openclaw#96441",
        "openclaw/openclaw#102200",
        "OpenAI OpenAPI 2.3.0, ChatCompletionMessageToolCall",
    ],
    holds: &["canonical", "openai.chat", "openai"],
    example: None,
};

/// In this dialect the arguments of a tool call are a JSON object.
pub static TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT: Rule = Rule {
    id: "tool-call-arguments-not-an-object",
    class: Class::ToolArgs,
    statement: "In this dialect the arguments of a tool call are a JSON object.",
    sources: &[
        "openclaw/openclaw#50713",
        "langchain-ai/langsmith-sdk#2435",
        "Anthropic error: tool_use.input: Input should be a valid dictionary",
    ],
    holds: &["openclaw", "anthropic.messages", "anthropic"],
    example: None,
};

/// The text of the arguments is encoded once.
pub static TOOL_CALL_ARGUMENTS_ENCODED_TWICE: Rule = Rule {
    id: "tool-call-arguments-encoded-twice",
    class: Class::ToolArgs,
    statement: "The text of the arguments is encoded once.",
    sources: &["openclaw/openclaw#96717", "vllm-project/vllm#54964", "JetBrains/koog#2095"],
    holds: &["canonical", "openai.chat", "openai"],
    example: None,
};

/// The text of the arguments is one JSON object.
pub static TOOL_CALL_ARGUMENTS_INVALID: Rule = Rule {
    id: "tool-call-arguments-invalid",
    class: Class::ToolArgs,
    statement: "The text of the arguments is one JSON object.",
    sources: &[
        "openclaw/openclaw#82872",
        "can1357/oh-my-pi#11104",
        "anthropics/claude-code#87251",
        "DashScope error: The \"function.arguments\" parameter of the code model must be in JSON format.",
    ],
    holds: &["canonical", "openai.chat", "openai"],
    example: None,
};

/// The text of the arguments holds lone surrogates or duplicate keys, which some parsers refuse.
pub static TOOL_CALL_ARGUMENTS_ODD_TEXT: Rule = Rule {
    id: "tool-call-arguments-odd-text",
    class: Class::ToolArgs,
    statement: "The text of the arguments holds lone surrogates or duplicate keys, which some parsers refuse.",
    sources: &["anomalyco/opencode#17758", "anthropics/claude-code#68325", "stanfordnlp/dspy#10143"],
    holds: &[],
    example: None,
};

/// A tool call is spelled as its dialect spells it.
pub static TOOL_CALL_ALIAS: Rule = Rule {
    id: "tool-call-alias",
    class: Class::ToolArgs,
    statement: "A tool call is spelled as its dialect spells it.",
    sources: &["volcengine/OpenViking#1632", "google/adk-python#3904"],
    holds: &[],
    example: None,
};

/// A field has the name that its dialect gives it.
pub static FIELD_ALIAS: Rule = Rule {
    id: "field-alias",
    class: Class::ToolArgs,
    statement: "A field has the name that its dialect gives it.",
    sources: &["volcengine/OpenViking#1632", "google/adk-python#3904"],
    holds: &[],
    example: None,
};

/// Two spellings of one field do not contradict each other.
pub static ALIAS_CONFLICT: Rule = Rule {
    id: "alias-conflict",
    class: Class::ToolArgs,
    statement: "Two spellings of one field do not contradict each other.",
    sources: &["ahmadrosid/nakama#345", "BerriAI/litellm#23510"],
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
