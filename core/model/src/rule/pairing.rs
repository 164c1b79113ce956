//! Rules of the class `pairing`.

use super::{Class, Example, Rule};

/// Every tool call is answered right after its turn.
pub static TOOL_CALL_WITHOUT_RESULT: Rule = Rule {
    id: "tool-call-without-result",
    class: Class::Pairing,
    statement: "Every tool call is answered right after its turn, and so is every one of parallel calls.",
    sources: &[
        "openclaw/openclaw#10310",
        "anthropics/claude-code#3003",
        "langchain-ai/langgraph#4289",
        "Anthropic error: `tool_use` ids were found without `tool_result` blocks immediately after",
        "OpenAI Chat error: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
        "OpenAI Responses error: No tool output found for function call ….",
        "Bedrock error: Expected toolResult blocks at messages.N.content for the following Ids: …",
        "Mistral error: Not the same number of function calls and responses",
        "Gemini error: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    ],
    holds: &["canonical", "openclaw", "anthropic.messages", "openai.chat", "openai.responses", "gemini.contents", "bedrock.converse", "mistral.chat", "cohere.v2", "ollama.chat", "langchain", "ai-sdk.model", "ai-sdk.ui", "openviking", "lossless-claw", "mcp.sampling"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"user","content":"Are you there?"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"[wirecanon: no result was recorded for this tool call]"},
  {"role":"user","content":"Are you there?"}
]}"#,
    }),
};

/// Every tool result answers a call of the turn before it.
pub static ORPHAN_TOOL_RESULT: Rule = Rule {
    id: "orphan-tool-result",
    class: Class::Pairing,
    statement: "Every tool result answers a call of the turn before it.",
    sources: &[
        "openclaw/openclaw#16823",
        "openclaw/openclaw#5430",
        "bytedance/deer-flow#4080",
        "Anthropic error: unexpected `tool_use_id` found in `tool_result` blocks",
        "OpenAI Chat error: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        "OpenAI Chat error: 'tool_call_id' of '…' not found in 'tool_calls' of previous message",
        "OpenAI Responses error: No tool call found for function call output with call_id ….",
        "Bedrock error: The number of toolResult blocks at messages.N.content exceeds the number of toolUse blocks of previous turn.",
        "Mistral error: Unexpected tool call id …",
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
        "lossless-claw",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"tool","tool_call_id":"c1","content":"hello"},
  {"role":"user","content":"Are you there?"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"user","content":"Are you there?"}
]}"#,
    }),
};

/// A call has one result.
pub static DUPLICATE_TOOL_RESULT: Rule = Rule {
    id: "duplicate-tool-result",
    class: Class::Pairing,
    statement: "A call has one result.",
    sources: &[
        "openclaw/openclaw#77642",
        "QwenLM/qwen-code#8163",
        "vercel/eve#1246",
        "agno-agi/agno#5116",
        "OpenAI Chat error: Duplicate value for 'tool_call_id' of '…'",
        "Anthropic error: each tool_use must have a single result. Found multiple `tool_result` blocks with id",
        "Mistral error: Duplicate tool call id … in tool results",
        "Bedrock error: The number of toolResult blocks at messages.N.content exceeds the number of toolUse blocks of previous turn.",
        "Gemini error: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    ],
    holds: &["canonical", "openclaw", "anthropic.messages", "openai.chat", "openai.responses", "gemini.contents", "bedrock.converse", "mistral.chat", "cohere.v2", "ollama.chat", "langchain", "ai-sdk.model", "lossless-claw", "mcp.sampling"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"},
  {"role":"tool","tool_call_id":"c1","content":"(aborted)"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
    }),
};

/// A result that could belong to two calls is not guessed to one of them.
pub static AMBIGUOUS_TOOL_RESULT: Rule = Rule {
    id: "ambiguous-tool-result",
    class: Class::Pairing,
    statement: "A result that could belong to two calls is not guessed to one of them.",
    sources: &["openclaw/openclaw#110518", "openclaw/openclaw#109443"],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"user","content":"again"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"user","content":"late"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c2","name":"list","arguments":{}}]},
  {"role":"toolResult","toolCallId":"c2","toolName":"list","content":[{"type":"text","text":"a.txt"}],"isError":false},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"[wirecanon: no result was recorded for this tool call]"}],"isError":true},
  {"role":"user","content":"again"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"[wirecanon: no result was recorded for this tool call]"}],"isError":true},
  {"role":"user","content":"late"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c2","name":"list","arguments":{}}]},
  {"role":"toolResult","toolCallId":"c2","toolName":"list","content":[{"type":"text","text":"a.txt"}],"isError":false}
]}"#,
    }),
};

/// A result stands after its call.
pub static TOOL_RESULT_BEFORE_CALL: Rule = Rule {
    id: "tool-result-before-call",
    class: Class::Pairing,
    statement: "A result stands after its call.",
    sources: &[
        "Martian-Engineering/lossless-claw#1147",
        "Anthropic error: unexpected `tool_use_id` found in `tool_result` blocks",
    ],
    holds: &["canonical", "openclaw", "anthropic.messages", "openai.chat", "openai.responses", "bedrock.converse", "mistral.chat", "cohere.v2", "ollama.chat", "langchain", "ai-sdk.model", "lossless-claw", "mcp.sampling"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"tool","tool_call_id":"c1","content":"hello"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
    }),
};

/// Results stand right after the turn that called, with nothing between.
pub static TOOL_RESULT_DISPLACED: Rule = Rule {
    id: "tool-result-displaced",
    class: Class::Pairing,
    statement: "Results stand right after the turn that called, with nothing between.",
    sources: &[
        "QwenLM/qwen-code#4622",
        "openclaw/openclaw#88168",
        "MoonshotAI/kimi-code#1241",
        "mindsdb/anton#230",
        "lobehub/lobehub#3155",
        "google-gemini/gemini-cli#16135",
        "Anthropic error: `tool_use` ids were found without `tool_result` blocks immediately after",
        "OpenAI Chat error: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
        "Gemini error: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    ],
    holds: &["canonical", "openclaw", "anthropic.messages", "openai.chat", "gemini.contents", "bedrock.converse", "mistral.chat", "cohere.v2", "ollama.chat", "langchain", "ai-sdk.model", "lossless-claw", "mcp.sampling"],
    example: Ok(Example {
        from: "openai.chat",
        to: "openai",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"user","content":"Are you there?"},
  {"role":"tool","tool_call_id":"c1","content":"hello"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"hello"},
  {"role":"user","content":"Are you there?"}
]}"#,
    }),
};

/// Results of parallel calls stand in the order of the calls.
pub static PARALLEL_RESULTS_OUT_OF_ORDER: Rule = Rule {
    id: "parallel-results-out-of-order",
    class: Class::Pairing,
    statement: "Results of parallel calls stand in the order of the calls.",
    sources: &["MiaAI-Lab/Qwen3.8-27B-DFlash2-EXL3-5.0bpw#10"],
    holds: &["canonical"],
    example: Ok(Example {
        from: "canonical",
        to: "canonical",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"go"}]},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":"{\"path\":\"a.txt\"}"},{"type":"toolCall","id":"c2","name":"read","arguments":"{\"path\":\"b.txt\"}"}]},
  {"role":"toolResult","toolCallId":"c2","toolName":"read","content":[{"type":"text","text":"b"}],"isError":false},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"a"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"go"}]},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":"{\"path\":\"a.txt\"}"},{"type":"toolCall","id":"c2","name":"read","arguments":"{\"path\":\"b.txt\"}"}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"a"}],"isError":false},
  {"role":"toolResult","toolCallId":"c2","toolName":"read","content":[{"type":"text","text":"b"}],"isError":false}
]}"#,
    }),
};

/// A turn that failed keeps only the calls that were really answered.
pub static FAILED_TURN_TOOL_CALL: Rule = Rule {
    id: "failed-turn-tool-call",
    class: Class::Pairing,
    statement: "A turn that failed keeps only the calls that were really answered.",
    sources: &["openclaw/openclaw#9769", "openclaw/openclaw#50059", "bastani-inc/atomic#2130"],
    holds: &["canonical", "openclaw"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"I will look."},{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}],"stopReason":"aborted"},
  {"role":"user","content":"again"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"I will look."}],"stopReason":"aborted"},
  {"role":"user","content":"again"}
]}"#,
    }),
};

/// A tool result names the call that it answers.
pub static TOOL_RESULT_WITHOUT_ID: Rule = Rule {
    id: "tool-result-without-id",
    class: Class::Pairing,
    statement: "A tool result names the call that it answers.",
    sources: &[
        "openclaw/openclaw#21985",
        "agno-agi/agno#3041",
        "PerryLink/dsh-local-ai#1",
        "earendil-works/pi#3664",
        "Groq error: for 'role:tool' the following must be satisfied: property 'tool_call_id' is missing",
        "Anthropic error: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    holds: &[
        "canonical",
        "openclaw",
        "anthropic.messages",
        "openai.chat",
        "openai.responses",
        "bedrock.converse",
        "mistral.chat",
        "cohere.v2",
        "langchain",
        "ai-sdk.model",
        "lossless-claw",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false,"toolCallId":"c1"}
]}"#,
    }),
};

/// A turn that stops for its tools calls one.
pub static STOP_REASON_WITHOUT_CALL: Rule = Rule {
    id: "stop-reason-without-call",
    class: Class::Pairing,
    statement: "A turn that stops for its tools calls one.",
    sources: &["openclaw/openclaw#21985"],
    holds: &["canonical", "openclaw"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}],"stopReason":"toolUse"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"Done."}],"stopReason":"stop"}
]}"#,
    }),
};

/// Tool results stand in a message of the user that holds nothing else that the server wants apart.
pub static TOOL_RESULT_BESIDE_OTHER_CONTENT: Rule = Rule {
    id: "tool-result-beside-other-content",
    class: Class::Pairing,
    statement: "Tool results stand in a message of the user that holds nothing else: in a sampling request of MCP nothing at all, and in a request to Gemini no file (2.x), or no words (3 and later).",
    sources: &[
        "LIghtJUNction/OniMods#406",
        "anomalyco/opencode#43479",
        "google-gemini/gemini-cli#16135",
        "modelcontextprotocol/modelcontextprotocol#1796",
        "vellum-ai/vellum-assistant#39495",
        "MCP 2025-11-25, sampling: tool result content restrictions",
        "MCP error -32602: Tool result messages must not be mixed with other content types",
    ],
    holds: &["mcp.sampling", "gemini", "gemini-3", "gemini-3.6", "vertex"],
    example: Ok(Example {
        from: "mcp.sampling",
        to: "mcp.sampling",
        broken: br#"{"messages":[
  {"role":"user","content":{"type":"text","text":"go"}},
  {"role":"assistant","content":{"type":"tool_use","id":"t1","name":"read","input":{}}},
  {"role":"user","content":[{"type":"tool_result","toolUseId":"t1","content":[{"type":"text","text":"hello"}]},{"type":"text","text":"and?"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":{"type":"text","text":"go"}},
  {"role":"assistant","content":{"type":"tool_use","id":"t1","name":"read","input":{}}},
  {"role":"user","content":[{"type":"tool_result","toolUseId":"t1","content":[{"type":"text","text":"hello"}]}]},
  {"role":"user","content":{"type":"text","text":"and?"}}
]}"#,
    }),
};

/// Calls and results of a transcript for something that knows no tools stand there as text.
pub static TOOLS_NOT_ACCEPTED: Rule = Rule {
    id: "tools-not-accepted",
    class: Class::Pairing,
    statement: "Calls and results of a transcript for something that knows no tools stand there as text.",
    sources: &[
        "helidon-io/helidon-mcp#202",
        "MCP 2024-11-05 to 2026-07-28, PromptMessage: content is text, media or a resource",
    ],
    holds: &["mcp.prompt", "mcp.sampling@2024-11-05", "mcp.sampling@2025-03-26", "mcp.sampling@2025-06-18"],
    example: Ok(Example {
        from: "mcp.sampling",
        to: "mcp.prompt",
        broken: br#"{"messages":[
  {"role":"user","content":{"type":"text","text":"go"}},
  {"role":"assistant","content":{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.txt"}}},
  {"role":"user","content":{"type":"tool_result","toolUseId":"t1","content":[{"type":"text","text":"hello"}]}}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":{"type":"text","text":"go"}},{"role":"assistant","content":{"type":"text","text":"[wirecanon: tool call t1 (read)] {\"path\":\"a.txt\"}"}},{"role":"user","content":{"type":"text","text":"[wirecanon: tool result t1 (read)]"}},{"role":"user","content":{"type":"text","text":"hello"}}]}"#,
    }),
};

/// The output of a custom call is a custom output, that of a function call a function's.
pub static TOOL_RESULT_OF_ANOTHER_KIND: Rule = Rule {
    id: "tool-result-of-another-kind",
    class: Class::Pairing,
    statement: "The output of a custom call is a custom output, that of a function call a function's.",
    sources: &[
        "Soju06/codex-lb#1168",
        "diegosouzapw/OmniRoute#8946",
        "OpenAI Responses error: No tool output found for custom tool call …",
    ],
    holds: &["openai.responses"],
    example: Ok(Example {
        from: "openai.responses",
        to: "openai-responses",
        broken: br#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"custom_tool_call","call_id":"call_1","name":"patch","input":"*** Begin Patch"},
  {"type":"function_call_output","call_id":"call_1","output":"hello"}
]}"#,
        mended: r#"{"input":[
  {"type":"message","role":"user","content":"go"},
  {"type":"custom_tool_call","call_id":"call_1","name":"patch","input":"*** Begin Patch"},
  {"type":"custom_tool_call_output","call_id":"call_1","output":"hello"}
]}"#,
    }),
};

/// The results of one turn of calls stand in one message.
pub static SPLIT_TOOL_RESULTS: Rule = Rule {
    id: "split-tool-results",
    class: Class::Pairing,
    statement: "The results of one turn of calls stand in one message.",
    sources: &[
        "google-gemini/gemini-cli#16987",
        "microsoft/vscode#299295",
        "pydantic/pydantic-ai#653",
        "MoonshotAI/kosong#45",
        "MCP 2025-11-25, sampling: tool use and result balance",
        "Gemini error: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
        "Bedrock error: Expected toolResult blocks at messages.N.content for the following Ids: …",
    ],
    holds: &["gemini.contents", "mcp.sampling", "anthropic.messages"],
    example: Ok(Example {
        from: "gemini.contents",
        to: "gemini",
        broken: br#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"functionCall":{"name":"read","args":{}}},{"functionCall":{"name":"list","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"list","response":{"output":"a b"}}}]}
]}"#,
        mended: r#"{"contents":[
  {"role":"user","parts":[{"text":"go"}]},
  {"role":"model","parts":[{"functionCall":{"name":"read","args":{}}},{"functionCall":{"name":"list","args":{}}}]},
  {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"hello"}}},{"functionResponse":{"name":"list","response":{"output":"a b"}}}]}
]}"#,
    }),
};

/// A stored row of a result is marked as one, or it is rebuilt as a call.
pub static STORED_RESULT_AS_CALL: Rule = Rule {
    id: "stored-result-as-call",
    class: Class::Pairing,
    statement: "A stored row of a tool's result says that its message was one, or it is rebuilt as a call.",
    sources: &["Martian-Engineering/lossless-claw#52"],
    holds: &["lossless-claw"],
    example: Ok(Example {
        from: "lossless-claw",
        to: "lossless-claw",
        broken: br#"{"messages":[
  {"role":"assistant","content":"","parts":[{"part_type":"tool","ordinal":0,"tool_call_id":"c1","tool_name":"read","tool_input":"{}"}]},
  {"role":"tool","content":"page","parts":[{"part_type":"tool","ordinal":0,"tool_call_id":"c1","tool_name":"read","tool_output":"page","metadata":"{\"rawType\":\"tool_result\"}"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"assistant","content":"","parts":[{"part_type":"tool","ordinal":0,"tool_call_id":"c1","tool_name":"read","tool_input":"{}"}]},
  {"role":"tool","content":"page","parts":[{"part_type":"tool","ordinal":0,"tool_call_id":"c1","tool_name":"read","tool_output":"page","metadata":"{\"rawType\":\"tool_result\",\"originalRole\":\"toolResult\",\"toolCallId\":\"c1\",\"toolName\":\"read\",\"isError\":false}"}]}
]}"#,
    }),
};

/// A reference to a tool in a result names one that the request defines.
pub static TOOL_REFERENCE_UNKNOWN: Rule = Rule {
    id: "tool-reference-unknown",
    class: Class::Pairing,
    statement: "A reference to a tool in a result names one that the request defines.",
    sources: &[
        "anthropics/claude-code#77146",
        "code-yeongyu/senpi#437",
        "Anthropic error: Tool reference 'ReportFindings' not found in available tools",
    ],
    holds: &["anthropic.messages"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"model":"m","messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"find","input":{}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"tool_reference","tool_name":"drag"}]}]}
],"tools":[{"name":"find","input_schema":{"type":"object"}}]}"#,
        mended: r#"{"model":"m","messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"find","input":{}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"{\"type\":\"tool_reference\",\"tool_name\":\"drag\"}"}]}]}
],"tools":[{"name":"find","input_schema":{"type":"object"}}]}"#,
    }),
};

/// A request whose messages hold calls or results of tools defines tools.
pub static TOOLS_NOT_DEFINED: Rule = Rule {
    id: "tools-not-defined",
    class: Class::Pairing,
    statement: "A request whose messages hold calls or results of tools defines tools where the target asks for it.",
    sources: &[
        "vxcontrol/pentagi#196",
        "patriceckhart/zot#18",
        "langgenius/dify#17545",
        "BerriAI/litellm#4689",
        "Bedrock error: The toolConfig field must be defined when using toolUse and toolResult content blocks.",
        "Anthropic error: Requests which include `tool_use` or `tool_result` blocks must define tools.",
    ],
    holds: &["anthropic", "bedrock", "bedrock-claude"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock",
        broken: br#"{"inferenceConfig":{"maxTokens":9},"messages":[
  {"role":"user","content":[{"text":"go"}]},
  {"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"read","input":{}}}]},
  {"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"hello"}]}}]}
]}"#,
        mended: r#"{"toolConfig":{"tools":[{"toolSpec":{"name":"read","inputSchema":{"json":{"type":"object"}}}}]},"inferenceConfig":{"maxTokens":9},"messages":[
  {"role":"user","content":[{"text":"go"}]},
  {"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"read","input":{}}}]},
  {"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"hello"}]}}]}
]}"#,
    }),
};

pub(super) static PAIRING_RULES: &[&Rule] = &[
    &TOOL_CALL_WITHOUT_RESULT,
    &ORPHAN_TOOL_RESULT,
    &DUPLICATE_TOOL_RESULT,
    &AMBIGUOUS_TOOL_RESULT,
    &TOOL_RESULT_BEFORE_CALL,
    &TOOL_RESULT_DISPLACED,
    &PARALLEL_RESULTS_OUT_OF_ORDER,
    &FAILED_TURN_TOOL_CALL,
    &TOOL_RESULT_WITHOUT_ID,
    &STOP_REASON_WITHOUT_CALL,
    &TOOL_RESULT_BESIDE_OTHER_CONTENT,
    &TOOLS_NOT_ACCEPTED,
    &TOOL_RESULT_OF_ANOTHER_KIND,
    &SPLIT_TOOL_RESULTS,
    &STORED_RESULT_AS_CALL,
    &TOOLS_NOT_DEFINED,
    &TOOL_REFERENCE_UNKNOWN,
];
