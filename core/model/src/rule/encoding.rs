//! Rules of the class `encoding`.

use super::{Class, Example, Rule};

/// Text holds no half of a surrogate pair.
pub static LONE_SURROGATE: Rule = Rule {
    id: "lone-surrogate",
    class: Class::Encoding,
    statement: "Text holds no half of a surrogate pair.",
    sources: &[
        "anomalyco/opencode#17758",
        "anthropics/claude-code#3277",
        "anthropics/claude-code#68325",
        "Anthropic error: The request body is not valid JSON: no low surrogate in string",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"cut off: \ud83d"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"cut off: \ufffd"}
]}"#,
    }),
};

/// Text is UTF-8.
pub static INVALID_UTF_8: Rule = Rule {
    id: "invalid-utf-8",
    class: Class::Encoding,
    statement: "Text is UTF-8.",
    sources: &["simonw/llm#768", "tadata-org/fastapi_mcp#170", "RFC 8259, section 8.1"],
    holds: &[],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: b"{\"messages\":[\n  {\"role\":\"user\",\"content\":\"caf\xE9\"}\n]}",
        mended: r#"{"messages":[
  {"role":"user","content":"caf�"}
]}"#,
    }),
};

/// JSON has no byte order mark in front.
pub static BYTE_ORDER_MARK: Rule = Rule {
    id: "byte-order-mark",
    class: Class::Encoding,
    statement: "JSON has no byte order mark in front.",
    sources: &["NousResearch/hermes-agent#113914", "RFC 8259, section 8.1"],
    holds: &[],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: b"\xEF\xBB\xBF{\"messages\":[\n  {\"role\":\"user\",\"content\":\"go\"}\n]}",
        mended: r#"{"messages":[
  {"role":"user","content":"go"}
]}"#,
    }),
};

/// An object has each key once.
pub static DUPLICATE_KEY: Rule = Rule {
    id: "duplicate-key",
    class: Class::Encoding,
    statement: "An object has each key once.",
    sources: &["fmind-ai/fgentic#1409", "RFC 8259, section 4"],
    holds: &[],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"stop","content":"go"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"}
]}"#,
    }),
};

/// Text holds no NUL where the target refuses it.
pub static NUL_CHARACTER: Rule = Rule {
    id: "nul-character",
    class: Class::Encoding,
    statement: "Text holds no NUL where the target refuses it.",
    sources: &["getsentry/junior#897", "BerriAI/litellm#24314", "open-webui/open-webui#15616"],
    holds: &[],
    example: Err("only a target of a file refuses a NUL: `nul = false` under `[content]`"),
};

/// The dialect of a text is said, or can be told from it.
pub static DIALECT_DETECTED: Rule = Rule {
    id: "dialect-detected",
    class: Class::Encoding,
    statement: "The dialect of a text is said, or can be told from it.",
    sources: &["editor-code-assistant/eca#209", "SPEC.md part 3"],
    holds: &[],
    example: Ok(Example {
        from: "auto",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
    }),
};

pub(super) static ENCODING_RULES: &[&Rule] =
    &[&LONE_SURROGATE, &INVALID_UTF_8, &BYTE_ORDER_MARK, &DUPLICATE_KEY, &NUL_CHARACTER, &DIALECT_DETECTED];
