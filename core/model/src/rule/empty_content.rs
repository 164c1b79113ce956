//! Rules of the class `empty-content`.

use super::{Class, Example, Rule};

/// A text block holds more than white space where the target asks for it; in canonical, unless it is all there is.
pub static BLANK_TEXT: Rule = Rule {
    id: "blank-text",
    class: Class::EmptyContent,
    statement: "A text block holds more than white space where the target asks for it; in canonical, unless it is all there is.",
    sources: &[
        "openclaw/openclaw#520",
        "OpenHands/OpenHands#5339",
        "anthropics/claude-code#52689",
        "Anthropic error: text content blocks must contain non-whitespace text",
        "Anthropic error: messages: text content blocks must be non-empty",
        "Anthropic error: cache_control cannot be set for empty text blocks",
        "Bedrock error: The text field in the ContentBlock object at messages.N.content.M is blank. Add text to the text field, and try again.",
    ],
    holds: &["canonical", "anthropic.messages", "gemini.contents", "bedrock.converse"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
    }),
};

/// The content of a tool result is not empty.
pub static EMPTY_TOOL_RESULT: Rule = Rule {
    id: "empty-tool-result",
    class: Class::EmptyContent,
    statement: "The content of a tool result is not empty.",
    sources: &["openclaw/openclaw#73117", "openclaw/openclaw#125543", "Just-Curieous/Curie#14"],
    holds: &["canonical", "openai.chat", "openai.responses", "gemini.contents", "bedrock.converse", "mistral.chat", "cohere.v2", "ai-sdk.model"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":[]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"(no output)"}
]}"#,
    }),
};

/// A message has content.
pub static EMPTY_MESSAGE: Rule = Rule {
    id: "empty-message",
    class: Class::EmptyContent,
    statement: "A message has content; an empty turn of the assistant is taken by some servers.",
    sources: &[
        "openclaw/openclaw#71572",
        "openclaw/openclaw#11986",
        "defilantech/LLMKube#935",
        "anthropics/claude-code#6774",
        "vercel/ai#3775",
        "Anthropic error: user messages must have non-empty content",
        "Anthropic error: all messages must have non-empty content except for the optional final assistant message",
        "Bedrock error: The content field in the Message object at messages.N is empty. Add a ContentBlock object to the content field and try again.",
        "Mistral error: Assistant message must have either content or tool_calls, but not none.",
        "Gemini error: GenerateContentRequest.contents[N].parts: contents.parts must not be empty",
    ],
    holds: &[
        "canonical",
        "openclaw",
        "anthropic.messages",
        "openai.chat",
        "openai.responses",
        "gemini.contents",
        "bedrock.converse",
        "mistral.chat",
        "cohere.v2",
        "ai-sdk.model",
        "ai-sdk.ui",
        "openviking",
    ],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}]},
  {"role":"user","content":""}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}]},
  {"role":"user","content":"[wirecanon: empty message]"}
]}"#,
    }),
};

/// A message has a content field of a kind that its role allows.
pub static CONTENT_MISSING: Rule = Rule {
    id: "content-missing",
    class: Class::EmptyContent,
    statement: "A message has a content field of a kind that its role allows.",
    sources: &[
        "openclaw/openclaw#77288",
        "peach0x33a/cmdcode2api#7",
        "modelcontextprotocol/python-sdk#1796",
        "cloudflare/mcp-server-cloudflare#12",
        "langchain-ai/langchain#34140",
        "xAI error: Each message must have at least one content element.",
        "Groq error: for 'role:tool' the following must be satisfied: value must be a string",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}]},
  {"role":"user"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}]},
  {"role":"user","content":[{"type":"text","text":""}]}
]}"#,
    }),
};

/// The text of a text or reasoning block is a string.
pub static TEXT_NOT_A_STRING: Rule = Rule {
    id: "text-not-a-string",
    class: Class::EmptyContent,
    statement: "The text of a text or reasoning block is a string.",
    sources: &["microsoft/semantic-kernel#11360"],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":{"lines":2}}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"{\"type\":\"text\",\"text\":{\"lines\":2}}"}],"isError":false}
]}"#,
    }),
};

/// A list of tool calls, where it stands, holds one at least.
pub static EMPTY_TOOL_CALLS: Rule = Rule {
    id: "empty-tool-calls",
    class: Class::EmptyContent,
    statement: "A list of tool calls, where it stands, holds one at least.",
    sources: &[
        "nesquena/hermes-webui#6738",
        "OpenAI-compatible error: messages[N].tool_calls: empty array, minimum length 1",
    ],
    holds: &["openai.chat", "mistral.chat", "cohere.v2", "ollama.chat"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":"Done.","tool_calls":[]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":"Done."}
]}"#,
    }),
};

/// Content is one string where the target takes no list of parts.
pub static CONTENT_NOT_A_STRING: Rule = Rule {
    id: "content-not-a-string",
    class: Class::EmptyContent,
    statement: "Content is one string where the target takes no list of parts.",
    sources: &[
        "ollama/ollama#10255",
        "BerriAI/litellm#6808",
        "QwenLM/qwen-code#2158",
        "cline/cline#363",
        "OpenHands/OpenHands#4643",
        "CherryHQ/cherry-studio#3307",
        "Ollama error: json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string",
    ],
    holds: &["ollama.chat", "ollama-openai", "groq", "deepseek", "kimi"],
    example: Ok(Example {
        from: "ollama.chat",
        to: "ollama",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"go"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"}
]}"#,
    }),
};

pub(super) static EMPTY_CONTENT_RULES: &[&Rule] = &[
    &BLANK_TEXT,
    &EMPTY_TOOL_RESULT,
    &EMPTY_MESSAGE,
    &CONTENT_MISSING,
    &TEXT_NOT_A_STRING,
    &EMPTY_TOOL_CALLS,
    &CONTENT_NOT_A_STRING,
];
