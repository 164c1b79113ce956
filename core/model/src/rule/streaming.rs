//! Rules of the class `streaming-artifact`.

use super::{Class, Example, Rule};

/// A call that was cut off while it streamed, and never answered, is not replayed.
pub static UNFINISHED_TOOL_CALL: Rule = Rule {
    id: "unfinished-tool-call",
    class: Class::Streaming,
    statement: "A call that was cut off while it streamed, and never answered, is not replayed.",
    sources: &["openclaw/openclaw#12112", "openclaw/openclaw#6667", "vercel-labs/ai-python#227"],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"I will look."},{"type":"toolCall","id":"c1","name":"read","arguments":{},"partialJson":"{\"pa"}]},
  {"role":"user","content":"again"}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"text","text":"I will look."}]},
  {"role":"user","content":"again"}
]}"#,
    }),
};

/// A finished block holds no leftovers of its streaming.
pub static STREAMING_MARKER: Rule = Rule {
    id: "streaming-marker",
    class: Class::Streaming,
    statement: "A finished block holds no leftovers of its streaming.",
    sources: &["badlogic/pi-mono#2593", "openclaw/openclaw#65566", "openclaw/openclaw#97994", "1Panel-dev/MaxKB#6683", "QwenLM/Qwen-Agent#943", "langchain-ai/langchain#34671", "agentscope-ai/agentscope-java#1223", "vercel/ai#6795"],
    holds: &["canonical", "openclaw", "anthropic.messages", "gemini.contents", "langchain", "ai-sdk.ui"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"},"partialJson":"{\"path\":\"a.txt\"}"}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false}
]}"#,
    }),
};

/// A tool part says how far its call is, and holds what that state asks for.
pub static TOOL_PART_WITHOUT_STATE: Rule = Rule {
    id: "tool-part-without-state",
    class: Class::Streaming,
    statement: "A tool part says how far its call is, and holds what that state asks for.",
    sources: &["vercel/ai#11406", "vercel/ai#13591", "npm:ai@6.0.326 safeValidateUIMessages: tool part states"],
    holds: &["ai-sdk.ui"],
    example: Ok(Example {
        from: "ai-sdk.ui",
        to: "ai-sdk.ui",
        broken: br#"{"messages":[{"id":"m1","role":"user","parts":[{"type":"text","text":"go"}]},{"id":"m2","role":"assistant","parts":[{"type":"tool-read","toolCallId":"c1","state":"result","input":{},"output":"hello"}]}]}"#,
        mended: r#"{"messages":[{"id":"m1","role":"user","parts":[{"type":"text","text":"go"}]},{"id":"m2","role":"assistant","parts":[{"type":"tool-read","toolCallId":"c1","state":"output-available","input":{},"output":"hello"}]}]}"#,
    }),
};

pub(super) static STREAMING_RULES: &[&Rule] = &[&UNFINISHED_TOOL_CALL, &STREAMING_MARKER, &TOOL_PART_WITHOUT_STATE];
