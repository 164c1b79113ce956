//! Rules of the class `thinking-reasoning`.

use super::{Class, Example, Rule};

/// Reasoning of one provider is not sent to another.
pub static THINKING_LEFT_OUT: Rule = Rule {
    id: "thinking-left-out",
    class: Class::Thinking,
    statement: "Reasoning of one provider is not sent to another.",
    sources: &[
        "openclaw/openclaw#107221",
        "vybestack/llxprt-code#2335",
        "pydantic/pydantic-ai#3757",
        "OpenAI Responses error: The encrypted content … could not be verified. (`invalid_encrypted_content`)",
        "Bedrock error: This model doesn't support the reasoningContent.reasoningText.signature field.",
    ],
    holds: &[],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"EqQB"},{"type":"text","text":"Done."}]}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"Done."}]}"#,
    }),
};

/// The target takes reasoning only with its signature.
pub static THINKING_WITHOUT_SIGNATURE: Rule = Rule {
    id: "thinking-without-signature",
    class: Class::Thinking,
    statement: "The target takes reasoning only with its signature, and only as it was signed.",
    sources: &[
        "openclaw/openclaw#84430",
        "openclaw/openclaw#120596",
        "diegosouzapw/OmniRoute#2191",
        "vercel/ai#7543",
        "openclaw/openclaw#107221",
        "run-llama/llama_index#20851",
        "Anthropic error: thinking.signature: Field required",
        "OpenAI Responses error: Item with id 'rs_…' not found. Items are not persisted when `store` is set to false.",
        "Anthropic error: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified",
        "Bedrock error: The model returned the following errors: messages.N.content.M.thinking.signature: Field required",
    ],
    holds: &["anthropic.messages", "openai-codex", "bedrock-claude"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Done."}]},
  {"role":"user","content":"thanks"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}]},
  {"role":"user","content":"thanks"}
]}"#,
    }),
};

/// A provider's own item stands with its partner in the same turn.
pub static PROVIDER_ITEM_WITHOUT_PARTNER: Rule = Rule {
    id: "provider-item-without-partner",
    class: Class::Thinking,
    statement: "A provider's own item stands with its partner in the same turn.",
    sources: &[
        "openclaw/openclaw#18428",
        "LibreChat-AI/agents#216",
        "withceleste/celeste-python#298",
        "vercel/ai#7099",
        "OpenAI Responses error: Item 'rs_…' of type 'reasoning' was provided without its required following item.",
        "Anthropic error: Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it",
    ],
    holds: &["anthropic.messages", "openai.responses"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"Done."}]},
  {"role":"user","content":"thanks"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}]},
  {"role":"user","content":"thanks"}
]}"#,
    }),
};

/// An item says more than the id of one that the server does not store.
pub static ITEM_NOT_STORED: Rule = Rule {
    id: "item-not-stored",
    class: Class::Thinking,
    statement: "Where the server stores nothing, no item refers to another by its id, and a generated picture has its bytes.",
    sources: &[
        "router-for-me/CLIProxyAPI#998",
        "smixs/iva-agent#19",
        "can1357/oh-my-pi#3226",
        "OpenAI Responses error: Item with id 'rs_…' not found. Items are not persisted when `store` is set to false.",
    ],
    holds: &["openai-codex"],
    example: Ok(Example {
        from: "openai.responses",
        to: "openai-codex",
        broken: br#"{"input":[
  {"role":"user","content":"go"},
  {"type":"item_reference","id":"msg_1"},
  {"role":"user","content":"thanks"}
]}"#,
        mended: r#"{"input":[
  {"role":"user","content":"go"},
  {"role":"user","content":"thanks"}
]}"#,
    }),
};

/// A turn that is sent holds more than reasoning where the target asks for it.
pub static THINKING_ALONE: Rule = Rule {
    id: "thinking-alone",
    class: Class::Thinking,
    statement: "A turn that is sent holds more than reasoning where the target asks for it.",
    sources: &["tailcallhq/forgecode#3073", "NousResearch/hermes-agent#13010"],
    holds: &[],
    example: Err("only a target of a file refuses such a turn: `alone = false` under `[reasoning]`"),
};

/// The last turn that is sent does not end with reasoning.
pub static TRAILING_THINKING: Rule = Rule {
    id: "trailing-thinking",
    class: Class::Thinking,
    statement: "The last turn that is sent does not end with reasoning.",
    sources: &["tailcallhq/forgecode#2107", "router-for-me/CLIProxyAPI#5321", "Anthropic error: The final block in an assistant message cannot be `thinking`"],
    holds: &["anthropic", "bedrock-claude"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"First,"},{"type":"thinking","thinking":"hm","signature":"EqQB"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"First,"}]}
]}"#,
    }),
};

/// A turn carries its reasoning, if only as an empty string, where the target asks for it.
pub static REASONING_MISSING: Rule = Rule {
    id: "reasoning-missing",
    class: Class::Thinking,
    statement: "A turn carries its reasoning, if only as an empty string, where the target asks for it.",
    sources: &[
        "earendil-works/pi#3636",
        "abhigyanpatwari/GitNexus#43",
        "craft-ai-agents/craft-agents-oss#703",
        "continuedev/continue#11600",
        "DeepSeek error: The `reasoning_content` in the thinking mode must be passed back to the API.",
        "Kimi error: thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    ],
    holds: &["deepseek", "kimi"],
    example: Ok(Example {
        from: "openai.chat",
        to: "deepseek",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}],"reasoning_content":""},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
    }),
};

/// What the model put out behind reasoning that is gone has given up its own id.
pub static ITEM_WITHOUT_REASONING: Rule = Rule {
    id: "item-without-reasoning",
    class: Class::Thinking,
    statement: "What the model put out behind reasoning that is gone has given up its own id.",
    sources: &[
        "mastra-ai/mastra#8738",
        "laravel/ai#1052",
        "OpenAI Responses error: Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item: 'rs_…'.",
    ],
    holds: &["openai.responses"],
    example: Ok(Example {
        from: "openai.responses",
        to: "openai-responses",
        broken: br#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"reasoning","id":"item_1","summary":[]},
  {"type":"function_call","id":"fc_1","call_id":"call_1","name":"read","arguments":"{}"},
  {"type":"function_call_output","call_id":"call_1","output":"hello"}
]}"#,
        mended: r#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"function_call","call_id":"call_1","name":"read","arguments":"{}"},
  {"type":"function_call_output","call_id":"call_1","output":"hello"}
]}"#,
    }),
};

/// A reasoning item has its summary: a list of texts, which may be empty.
pub static REASONING_WITHOUT_SUMMARY: Rule = Rule {
    id: "reasoning-without-summary",
    class: Class::Thinking,
    statement: "A reasoning item has its summary: a list of texts, which may be empty.",
    sources: &["newo-ether/Agora#141", "zai-org/feedback#682", "openai/openai-openapi 2.3.0, ReasoningItem"],
    holds: &["openai.responses"],
    example: Ok(Example {
        from: "openai.responses",
        to: "openai-responses",
        broken: br#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"reasoning","id":"rs_1"},
  {"type":"message","role":"assistant","content":"Done."}
]}"#,
        mended: r#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"reasoning","id":"rs_1","summary":[]},
  {"type":"message","role":"assistant","content":"Done."}
]}"#,
    }),
};

/// A reasoning item has no content of its own where the server refuses it.
pub static REASONING_WITH_CONTENT: Rule = Rule {
    id: "reasoning-with-content",
    class: Class::Thinking,
    statement: "A reasoning item has no content of its own where the server refuses it.",
    sources: &[
        "querymt/querymt#976",
        "microsoft/agent-framework-go#784",
        "OpenAI Responses error: Invalid 'input[2].content': array too long. Expected an array with maximum length 0, but got an array with length 1 instead.",
    ],
    holds: &["openai-codex"],
    example: Ok(Example {
        from: "openai.responses",
        to: "openai-codex",
        broken: br#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"Two and two."}],"encrypted_content":"gAAAAABo"},
  {"type":"message","role":"assistant","content":"Four."}
]}"#,
        mended: r#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Two and two."}],"encrypted_content":"gAAAAABo"},
  {"type":"message","role":"assistant","content":"Four."}
]}"#,
    }),
};

/// The first call of a step carries the model's signature where the target asks for it.
pub static THOUGHT_SIGNATURE_MISSING: Rule = Rule {
    id: "thought-signature-missing",
    class: Class::Thinking,
    statement: "The first call of a step carries the model's signature where the target asks for it.",
    sources: &[
        "agno-agi/agno#5471",
        "windmill-labs/windmill#7679",
        "BerriAI/litellm#37541",
        "vercel/ai#16298",
        "Gemini API documentation, Thought signatures",
        "Gemini error: Function call is missing a thought_signature in functionCall parts.",
    ],
    holds: &["gemini-3", "gemini-3.6"],
    example: Ok(Example {
        from: "gemini.contents",
        to: "gemini-3",
        broken: br#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"functionCall":{"name":"read","args":{"path":"a.txt"}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}}]}
]}"#,
        mended: r#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"functionCall":{"name":"read","args":{"path":"a.txt"}},"thoughtSignature":"skip_thought_signature_validator"}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}}]}
]}"#,
    }),
};

/// A signature is base64, as the model gave it.
pub static THOUGHT_SIGNATURE_MALFORMED: Rule = Rule {
    id: "thought-signature-malformed",
    class: Class::Thinking,
    statement: "A signature is base64, as the model gave it.",
    sources: &[
        "NoeFabris/opencode-antigravity-auth#368",
        "openclaw/openclaw#72879",
        "google.ai.generativelanguage.v1beta.Part.thought_signature (bytes)",
    ],
    holds: &["gemini.contents"],
    example: Ok(Example {
        from: "gemini.contents",
        to: "gemini",
        broken: br#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"text":"Done.","thoughtSignature":"msg:not base64"}]}
]}"#,
        mended: r#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"text":"Done."}]}
]}"#,
    }),
};

/// The turn whose tools were run last opens with reasoning, where a request enables thinking.
pub static TURN_WITHOUT_THINKING: Rule = Rule {
    id: "turn-without-thinking",
    class: Class::Thinking,
    statement: "Where a request enables thinking, the turn whose tools were run last opens with reasoning.",
    sources: &[
        "anomalyco/opencode#3077",
        "mastra-ai/mastra#7799",
        "Kilo-Org/kilocode#5219",
        "Anthropic error: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block. To avoid this requirement, disable `thinking`.",
    ],
    holds: &["anthropic.messages"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"thinking":{"type":"enabled","budget_tokens":1024},"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
        mended: r#"{"thinking":{"type":"disabled"},"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
    }),
};

pub(super) static THINKING_RULES: &[&Rule] = &[
    &REASONING_MISSING,
    &THINKING_LEFT_OUT,
    &THINKING_WITHOUT_SIGNATURE,
    &PROVIDER_ITEM_WITHOUT_PARTNER,
    &ITEM_NOT_STORED,
    &THINKING_ALONE,
    &TRAILING_THINKING,
    &ITEM_WITHOUT_REASONING,
    &REASONING_WITHOUT_SUMMARY,
    &REASONING_WITH_CONTENT,
    &THOUGHT_SIGNATURE_MISSING,
    &THOUGHT_SIGNATURE_MALFORMED,
    &TURN_WITHOUT_THINKING,
];
