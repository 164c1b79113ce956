//! Rules of the class `role-order`.

use super::{Class, Example, Rule};

/// A message has a role that the dialect knows.
pub static UNKNOWN_ROLE: Rule = Rule {
    id: "unknown-role",
    class: Class::RoleOrder,
    statement: "A message has a role that the dialect knows.",
    sources: &["openclaw/openclaw#77288", "openai/openai-go#54"],
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
        "ollama.chat",
        "langchain",
        "ai-sdk.model",
        "ai-sdk.ui",
        "openviking",
        "lossless-claw",
        "mcp.prompt",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"status","content":"connected"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"}
]}"#,
    }),
};

/// A role is spelled as its dialect spells it.
pub static ROLE_ALIAS: Rule = Rule {
    id: "role-alias",
    class: Class::RoleOrder,
    statement: "A role is spelled as its dialect spells it.",
    sources: &[
        "MangoLion/plotbunni#5",
        "mark3labs/mcphost#36",
        "Sunnyender-org/cursor-sdk2api#9",
        "openai/openai-python#2677",
        "anomalyco/opencode#10803",
        "Anthropic error: messages: Unexpected role \"tool\". Allowed roles are \"user\" or \"assistant\".",
        "Gemini error: Please use a valid role: user, model.",
        "OpenAI Responses error: Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
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
        "ollama.chat",
        "langchain",
        "ai-sdk.model",
        "ai-sdk.ui",
        "openviking",
        "lossless-claw",
        "mcp.prompt",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"tool","tool_call_id":"t1","content":"hello"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"hello"}]}]}
]}"#,
    }),
};

/// A message is an object.
pub static MESSAGE_NOT_AN_OBJECT: Rule = Rule {
    id: "message-not-an-object",
    class: Class::RoleOrder,
    statement: "A message is an object.",
    sources: &["openclaw/openclaw#77288"],
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
        "ollama.chat",
        "langchain",
        "ai-sdk.model",
        "ai-sdk.ui",
        "openviking",
        "lossless-claw",
        "mcp.prompt",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  null
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"}
]}"#,
    }),
};

/// A block stands in a message of a role that may hold it.
pub static BLOCK_IN_WRONG_ROLE: Rule = Rule {
    id: "block-in-wrong-role",
    class: Class::RoleOrder,
    statement: "A block stands in a message of a role that may hold it.",
    sources: &[
        "jeremychone/rust-genai#118",
        "Anthropic error: `tool_use` blocks can only be in `assistant` messages",
        "Anthropic error: `tool_result` blocks can only be in `user` messages",
        "OpenAI Responses error: Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    ],
    holds: &["canonical", "openclaw", "anthropic.messages", "openai.chat", "openai.responses", "gemini.contents", "bedrock.converse", "mistral.chat", "cohere.v2", "ollama.chat", "langchain", "ai-sdk.model", "ai-sdk.ui", "lossless-claw", "mcp.sampling"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}},{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
    }),
};

/// The conversation opens with the user.
pub static LEADING_ASSISTANT: Rule = Rule {
    id: "leading-assistant",
    class: Class::RoleOrder,
    statement: "The conversation opens with the user.",
    sources: &[
        "RightNow-AI/openfang#1011",
        "openclaw/openclaw#75313",
        "Anthropic error: first message must use the \"user\" role",
        "Bedrock error: A conversation must start with a user message. Try again with a conversation that starts with a user message.",
        "Gemini error: Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    ],
    holds: &["anthropic", "mistral", "gemini", "gemini-3", "gemini-3.6", "vertex", "bedrock", "bedrock-claude"],
    example: Ok(Example {
        from: "openai.chat",
        to: "anthropic --set opening=user",
        broken: br#"{"messages":[
  {"role":"assistant","content":"Good morning."},
  {"role":"user","content":"go"}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"[wirecanon: the conversation starts with the assistant]"}]},{"role":"assistant","content":[{"type":"text","text":"Good morning."}]},{"role":"user","content":[{"type":"text","text":"go"}]}]}"#,
    }),
};

/// The conversation does not end with the model's turn where the target refuses to go on with it.
pub static TRAILING_ASSISTANT: Rule = Rule {
    id: "trailing-assistant",
    class: Class::RoleOrder,
    statement: "The conversation does not end with the model's turn where the target refuses to go on with it.",
    sources: &[
        "openclaw/openclaw#75395",
        "aaif-goose/goose#7425",
        "huggingface/smolagents#757",
        "BerriAI/litellm#4882",
        "Anthropic error: This model does not support assistant message prefill. The conversation must end with a user message.",
        "Mistral error: Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
        "Gemini error: Requests ending with a model turn are not supported.",
    ],
    holds: &[],
    example: Ok(Example {
        from: "mistral.chat",
        to: "mistral",
        broken: br#"{"messages":[
  {"role":"user","content":"Write a list."},
  {"role":"assistant","content":"1. Bread"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"Write a list."},
  {"role":"assistant","content":"1. Bread","prefix":true}
]}"#,
    }),
};

/// The model's last text does not end in white space.
pub static TRAILING_WHITE_SPACE: Rule = Rule {
    id: "trailing-white-space",
    class: Class::RoleOrder,
    statement: "The model's last text does not end in white space.",
    sources: &[
        "anomalyco/opencode#1295",
        "aaif-goose/goose#5967",
        "Anthropic error: final assistant content cannot end with trailing whitespace",
    ],
    holds: &["anthropic", "bedrock-claude"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"Write a list."},
  {"role":"assistant","content":"1. "}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"Write a list."},
  {"role":"assistant","content":"1."}
]}"#,
    }),
};

/// Instructions stand where the target takes them.
pub static MISPLACED_SYSTEM: Rule = Rule {
    id: "misplaced-system",
    class: Class::RoleOrder,
    statement: "Instructions stand where the target takes them: anywhere, in front alone, behind the user, or beside the messages.",
    sources: &[
        "NousResearch/hermes-agent#54210",
        "letta-ai/letta-code#3989",
        "ggml-org/llama.cpp#27367",
        "Anthropic error: role 'system' is not supported on this model",
        "Anthropic error: messages.0: use the top-level 'system' parameter",
        "vLLM error: System message must be at the beginning",
        "olimorris/codecompanion.nvim#2522",
        "microsoft/autogen#6117",
        "Mistral error: Unexpected role 'system' after role 'tool'",
    ],
    holds: &[
        "gemini-openai",
        "anthropic.messages",
        "bedrock.converse",
        "mistral",
        "vllm",
        "gemini.contents",
        "openviking",
        "mcp.prompt",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "openai.chat",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"system","content":"Be brief."},
  {"role":"user","content":"Now."}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"user","content":[{"type":"text","text":"[wirecanon: system message] Be brief."}]},{"role":"user","content":[{"type":"text","text":"Now."}]}]}"#,
    }),
};

/// The target needs a message at least.
pub static NO_MESSAGES: Rule = Rule {
    id: "no-messages",
    class: Class::RoleOrder,
    statement: "The target needs a message at least.",
    sources: &["openclaw/openclaw#75313", "openclaw/openclaw#72899"],
    holds: &[
        "anthropic",
        "openai",
        "mistral",
        "xai",
        "deepseek",
        "groq",
        "gemini-openai",
        "cerebras",
        "vllm",
        "openrouter",
        "kimi",
        "openai-responses",
        "openai-codex",
        "gemini",
        "gemini-3",
        "gemini-3.6",
        "vertex",
        "bedrock",
        "bedrock-claude",
        "cohere",
    ],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"model":"gpt-5","messages":[]}"#,
        mended: r#"{"model":"gpt-5","messages":[{"role":"user","content":"[wirecanon: empty message]"}]}"#,
    }),
};

/// A turn ends for a reason that the dialect knows.
pub static UNKNOWN_STOP_REASON: Rule = Rule {
    id: "unknown-stop-reason",
    class: Class::RoleOrder,
    statement: "A turn ends for a reason that the dialect knows.",
    sources: &["Science-Discovery/Aether#703", "SPEC.md part 2"],
    holds: &["canonical", "openclaw"],
    example: Ok(Example {
        from: "canonical",
        to: "canonical",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"go"}]},
  {"role":"assistant","content":[{"type":"text","text":"Done."}],"stopReason":"finished"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"go"}]},
  {"role":"assistant","content":[{"type":"text","text":"Done."}]}
]}"#,
    }),
};

/// The model speaks between a tool result and the user's next message, where the target asks for it.
pub static USER_AFTER_TOOL_RESULT: Rule = Rule {
    id: "user-after-tool-result",
    class: Class::RoleOrder,
    statement: "The model speaks between a tool result and the user's next message, where the target asks for it.",
    sources: &[
        "NousResearch/hermes-agent#20154",
        "zed-industries/zed#37021",
        "datapizza-labs/datapizza-ai#98",
        "Mistral error: Unexpected role 'user' after role 'tool'",
    ],
    holds: &["mistral"],
    example: Ok(Example {
        from: "mistral.chat",
        to: "mistral --set user-after-tool=refuse",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":"","tool_calls":[{"id":"abcdefghi","function":{"name":"read","arguments":"{}"}}]},
  {"role":"tool","tool_call_id":"abcdefghi","name":"read","content":"hello"},
  {"role":"user","content":"stop"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":"","tool_calls":[{"id":"abcdefghi","function":{"name":"read","arguments":"{}"}}]},
  {"role":"tool","tool_call_id":"abcdefghi","name":"read","content":"hello"},
  {"role":"assistant","content":"[wirecanon: the user speaks next]"},
  {"role":"user","content":"stop"}
]}"#,
    }),
};

/// Only the last message of the model is marked as one to be gone on with.
pub static MISPLACED_PREFIX: Rule = Rule {
    id: "misplaced-prefix",
    class: Class::RoleOrder,
    statement: "Only the last message of the model is marked as one to be gone on with.",
    sources: &["mistralai/client-ts#139", "pypi:mistral-common@1.13.1, validators"],
    holds: &["mistral"],
    example: Ok(Example {
        from: "mistral.chat",
        to: "mistral",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":"Done.","prefix":true},
  {"role":"user","content":"thanks"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":"Done."},
  {"role":"user","content":"thanks"}
]}"#,
    }),
};

/// A turn of calls stands right behind the user or behind results.
pub static SPLIT_MODEL_TURN: Rule = Rule {
    id: "split-model-turn",
    class: Class::RoleOrder,
    statement: "A turn of calls stands right behind the user or behind results.",
    sources: &[
        "google-gemini/gemini-cli#26486",
        "RightNow-AI/openfang#796",
        "Gemini error: Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    ],
    holds: &["gemini.contents"],
    example: Ok(Example {
        from: "gemini.contents",
        to: "gemini",
        broken: br#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"text":"I look."}]},
  {"role":"model","parts":[{"functionCall":{"name":"read","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}}]}
]}"#,
        mended: r#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"text":"I look."},{"functionCall":{"name":"read","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}}]}
]}"#,
    }),
};

/// A turn of the model says nothing behind its calls.
pub static WORDS_BEHIND_TOOL_CALL: Rule = Rule {
    id: "words-behind-tool-call",
    class: Class::RoleOrder,
    statement: "In a turn of the model, its calls stand behind all that it says.",
    sources: &["NousResearch/hermes-agent#108200", "BerriAI/litellm#24361"],
    holds: &["bedrock-claude"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock-claude",
        broken: br#"{"messages":[
  {"role":"user","content":[{"text":"go"}]},
  {"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"read","input":{}}},{"text":"I look."}]},
  {"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"hello"}]}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"text":"go"}]},
  {"role":"assistant","content":[{"text":"I look."},{"toolUse":{"toolUseId":"t1","name":"read","input":{}}}]},
  {"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"hello"}]}}]}
]}"#,
    }),
};

/// A call of the client's tool does not stand before results of the server's tools.
pub static CALL_BEFORE_SERVER_RESULT: Rule = Rule {
    id: "call-before-server-result",
    class: Class::RoleOrder,
    statement: "In a turn of the model, calls of the client's tools stand behind the results of the server's own tools.",
    sources: &[
        "vercel/ai#13013",
        "vercel/ai#16312",
        "anthropics/anthropic-sdk-typescript#841",
        "mastra-ai/mastra#14648",
        "Anthropic error: `tool_use` ids were found without `tool_result` blocks immediately after",
    ],
    holds: &["anthropic.messages"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{}},{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"tool_use","id":"t1","name":"read","input":{}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"hello"}]}
]}"#,
    }),
};

/// Messages of the user and of the model take turns.
pub static ROLES_DO_NOT_ALTERNATE: Rule = Rule {
    id: "roles-do-not-alternate",
    class: Class::RoleOrder,
    statement: "Messages of the user and of the model take turns where the target asks for it.",
    sources: &[
        "microsoft/autogen#1037",
        "run-llama/llama_index#11731",
        "SWE-agent/mini-swe-agent#759",
        "langchain-ai/langchain-aws#130",
        "Portkey-AI/gateway#748",
        "Bedrock error: A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.",
    ],
    holds: &["bedrock", "bedrock-claude", "vllm"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock",
        broken: br#"{"messages":[
  {"role":"user","content":[{"text":"go"}]},
  {"role":"user","content":[{"text":"Now."}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"text":"go"},{"text":"Now."}]}
]}"#,
    }),
};

/// A turn of the assistant holds words or calls, where the target takes either.
pub static WORDS_BESIDE_CALLS: Rule = Rule {
    id: "words-beside-calls",
    class: Class::RoleOrder,
    statement: "A turn of the assistant holds words or calls, not both, where the target asks for it.",
    sources: &[
        "langchain-ai/langchain#21196",
        "mistralai/mistral-common#186",
        "Mistral error: Assistant message must have either content or tool_calls, but not both.",
    ],
    holds: &["mistral"],
    example: Ok(Example {
        from: "mistral.chat",
        to: "mistral --set words-beside-calls=refuse",
        broken: br#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"a1b2c3d4e","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a1b2c3d4e","name":"look","content":"seen"}]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"I look."},{"role":"assistant","content":null,"tool_calls":[{"id":"a1b2c3d4e","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a1b2c3d4e","name":"look","content":"seen"}]}"#,
    }),
};

pub(super) static ROLE_ORDER_RULES: &[&Rule] = &[
    &USER_AFTER_TOOL_RESULT,
    &MISPLACED_PREFIX,
    &UNKNOWN_ROLE,
    &ROLE_ALIAS,
    &MESSAGE_NOT_AN_OBJECT,
    &BLOCK_IN_WRONG_ROLE,
    &LEADING_ASSISTANT,
    &TRAILING_ASSISTANT,
    &TRAILING_WHITE_SPACE,
    &MISPLACED_SYSTEM,
    &NO_MESSAGES,
    &UNKNOWN_STOP_REASON,
    &SPLIT_MODEL_TURN,
    &ROLES_DO_NOT_ALTERNATE,
    &WORDS_BESIDE_CALLS,
    &WORDS_BEHIND_TOOL_CALL,
    &CALL_BEFORE_SERVER_RESULT,
];
