//! Rules of the class `extra-fields`.

use super::{Class, Example, Rule};

/// A message or block has no field that the target does not know and refuses.
pub static UNKNOWN_FIELD: Rule = Rule {
    id: "unknown-field",
    class: Class::ExtraFields,
    statement: "A message or block has no field that the target does not know and refuses.",
    sources: &[
        "langchain-ai/langchain-mcp-adapters#397",
        "langchain-ai/langchain-google#1474",
        "anthropics/anthropic-sdk-typescript#862",
        "tashfeenahmed/freellmapi#1070",
        "caozhiyuan/copilot-api#145",
        "Anthropic error: Extra inputs are not permitted",
        "BerriAI/litellm#13420",
        "microsoft/agent-framework#2203",
        "OpenAI Responses error: Unknown parameter: 'input[1].metadata'",
        "Groq error: property 'reasoning_content' is unsupported",
        "Cohere error: unknown field: parameter 'index' is not a valid field",
    ],
    holds: &[
        "anthropic.messages",
        "openai.responses",
        "gemini.contents",
        "bedrock.converse",
        "mistral.chat",
        "cohere.v2",
        "langchain",
        "groq",
        "gemini-openai",
        "cerebras",
    ],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done.","id":"msg_1"}]},
  {"role":"user","content":"thanks"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}]},
  {"role":"user","content":"thanks"}
]}"#,
    }),
};

/// A field that only one dialect knows is left out for the others.
pub static NATIVE_FIELD_LEFT_OUT: Rule = Rule {
    id: "native-field-left-out",
    class: Class::ExtraFields,
    statement: "A field that only one dialect knows is left out for the others.",
    sources: &["NousResearch/hermes-agent#34716", "BerriAI/litellm#24031", "vercel/ai#9720"],
    holds: &[],
    example: Ok(Example {
        from: "openai.chat",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","name":"ada","content":"go"}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]}]}"#,
    }),
};

/// An item that only one provider can replay becomes its text elsewhere; one without a text is left out, with one labelled line where the turn would be empty.
pub static OPAQUE_ITEM_LEFT_OUT: Rule = Rule {
    id: "opaque-item-left-out",
    class: Class::ExtraFields,
    statement: "An item that only one provider can replay becomes its text elsewhere; one without a text is left out, with one labelled line where the turn would be empty.",
    sources: &["openclaw/openclaw#90093", "zai-org/feedback#682", "BerriAI/litellm#20905"],
    holds: &[],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"cats"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"Done."}]},
  {"role":"user","content":"thanks"}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"text","text":"cats"},{"type":"text","text":"Done."}]},{"role":"user","content":"thanks"}]}"#,
    }),
};

/// A request has at most four cache marks, the longest in front.
pub static CACHE_MARKER_MISPLACED: Rule = Rule {
    id: "cache-marker-misplaced",
    class: Class::ExtraFields,
    statement: "A request of `anthropic.messages` or `bedrock.converse` has at most four cache marks, and none of an hour behind one of five minutes; one of `bedrock.converse` stands behind a result, not in it, and never behind reasoning.",
    sources: &[
        "Wei-Shaw/sub2api#176",
        "ObservedObserver/async-code#34",
        "bug-ops/zeph#1568",
        "Portkey-AI/gateway#1762",
        "0xPlaygrounds/rig#1673",
        "anomalyco/opencode#36517",
        "strands-agents/harness-sdk#1834",
        "strands-agents/harness-sdk#1966",
        "twentyhq/twenty#26227",
        "cnighswonger/claude-code-cache-fix#44",
        "headroomlabs-ai/headroom#2939",
        "Anthropic error: A maximum of 4 blocks with cache_control may be provided",
    ],
    holds: &["anthropic.messages", "bedrock.converse"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"one","cache_control":{"type":"ephemeral"}},{"type":"text","text":"two","cache_control":{"type":"ephemeral"}},{"type":"text","text":"three","cache_control":{"type":"ephemeral"}},{"type":"text","text":"four","cache_control":{"type":"ephemeral"}},{"type":"text","text":"five","cache_control":{"type":"ephemeral"}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two","cache_control":{"type":"ephemeral"}},{"type":"text","text":"three","cache_control":{"type":"ephemeral"}},{"type":"text","text":"four","cache_control":{"type":"ephemeral"}},{"type":"text","text":"five","cache_control":{"type":"ephemeral"}}]}
]}"#,
    }),
};

/// Provider-only fields are an object for each dialect, and an opaque item has its dialect and its value.
pub static NATIVE_MALFORMED: Rule = Rule {
    id: "native-malformed",
    class: Class::ExtraFields,
    statement: "Provider-only fields are an object for each dialect, and an opaque item has its dialect and its value.",
    sources: &["withceleste/celeste-python#298", "SPEC.md part 2"],
    holds: &["canonical", "ai-sdk.model", "ai-sdk.ui"],
    example: Ok(Example {
        from: "canonical",
        to: "canonical",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"go","native":["cached"]}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"go"}]}
]}"#,
    }),
};

/// A member that may be left out is of the type that its dialect gives it.
pub static MEMBER_OF_WRONG_TYPE: Rule = Rule {
    id: "member-of-wrong-type",
    class: Class::ExtraFields,
    statement: "A member that may be left out is of the type that its dialect gives it where it stands.",
    sources: &[
        "Azure/data-api-builder#3599",
        "datalayer/jupyter-mcp-server#184",
        "openai/codex#29002",
        "modelcontextprotocol schema 2025-11-25, Annotations",
        "MCP TypeScript SDK error: Invalid input: expected object, received null, at content[0].annotations",
        "Ollama error: json: cannot unmarshal array into Go struct field ChatRequest.messages.tool_call_id of type string",
        "OpenAI API reference, Responses, input items: `status`, `phase`, `annotations`; Chat, messages: `name`, `audio`, `detail`, `file`",
        "langchain-core 1.7.2 error: Input should be a valid dictionary, at additional_kwargs",
    ],
    holds: &[
        "canonical",
        "openclaw",
        "anthropic.messages",
        "openai.chat",
        "openai.responses",
        "gemini.contents",
        "mistral.chat",
        "ollama.chat",
        "langchain",
        "ai-sdk.model",
        "ai-sdk.ui",
        "openviking",
        "lossless-claw",
        "mcp.tool-result",
        "mcp.prompt",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "mcp.tool-result",
        broken: br#"{"content":[{"type":"text","text":"3 rows","annotations":null,"_meta":null}]}"#,
        mended: r#"{"content":[{"type":"text","text":"3 rows"}]}"#,
    }),
};

/// A message of an interface has an id.
pub static MESSAGE_WITHOUT_ID: Rule = Rule {
    id: "message-without-id",
    class: Class::ExtraFields,
    statement: "A message of an interface has an id.",
    sources: &["vercel/ai#8065", "npm:ai@6.0.326 safeValidateUIMessages: expected string, received undefined at id"],
    holds: &["ai-sdk.ui"],
    example: Ok(Example {
        from: "ai-sdk.ui",
        to: "ai-sdk.ui",
        broken: br#"{"messages":[{"role":"user","parts":[{"type":"text","text":"go"}]}]}"#,
        mended: r#"{"messages":[{"role":"user","parts":[{"type":"text","text":"go"}],"id":"wirecanon-1"}]}"#,
    }),
};

/// A part holds exactly one thing.
pub static PART_DATA_NOT_ONE: Rule = Rule {
    id: "part-data-not-one",
    class: Class::ExtraFields,
    statement: "A part holds exactly one thing.",
    sources: &[
        "genkit-ai/genkit#3816",
        "54xzh/FLIT#69",
        "router-for-me/CLIProxyAPI#1293",
        "Gemini error: required oneof field 'data' must have one initialized field",
    ],
    holds: &["gemini.contents"],
    example: Ok(Example {
        from: "gemini.contents",
        to: "gemini",
        broken: br#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"text":"I look.","functionCall":{"name":"read","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}}]}
]}"#,
        mended: r#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"text":"I look."},{"functionCall":{"name":"read","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}}]}
]}"#,
    }),
};

pub(super) static EXTRA_FIELDS_RULES: &[&Rule] = &[
    &UNKNOWN_FIELD,
    &NATIVE_FIELD_LEFT_OUT,
    &OPAQUE_ITEM_LEFT_OUT,
    &CACHE_MARKER_MISPLACED,
    &NATIVE_MALFORMED,
    &MEMBER_OF_WRONG_TYPE,
    &MESSAGE_WITHOUT_ID,
    &PART_DATA_NOT_ONE,
];
