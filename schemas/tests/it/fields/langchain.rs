//! LangChain.

use serde_json::{Value, json};

use super::{BLOCK, judge, object};

#[test]
fn langchain() {
    let base = json!({"content": [], "id": "a", "name": "a", "additional_kwargs": {}, "response_metadata": {}});
    let stored = |kind: &str| json!({"messages": [{"type": kind, "data": null}]});
    let with = |more: Value| {
        let mut value = base.clone();
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        value
    };
    let usage = json!({"input_tokens": 1, "output_tokens": 1, "total_tokens": 1,
        "input_token_details": {"audio": 1}, "output_token_details": {"reasoning": 1}});
    let ai = with(json!({"type": "ai", "tool_calls": [], "invalid_tool_calls": [], "tool_call_chunks": [],
        "usage_metadata": usage}));
    let tool = with(json!({"type": "tool", "tool_call_id": "1", "status": "error", "artifact": 1}));
    let calls = |field: &str| json!({"messages": [{"type": "ai", "content": "", field: [null]}]});
    let human = || json!({"messages": [{"type": "human", "content": [null]}]});
    let at = "/messages/0/data";
    // `content` may be a string as well.
    judge(
        "langchain/messages",
        &[
            object(stored("human"), at, with(json!({"type": "human"})), "content", "content"),
            object(stored("system"), at, with(json!({"type": "SystemMessageChunk"})), "content", "content"),
            object(stored("ai"), at, ai, "content", "content"),
            object(stored("tool"), at, tool, "content tool_call_id", "content artifact"),
            object(
                stored("chat"),
                at,
                with(json!({"type": "ChatMessageChunk", "role": "a"})),
                "content role",
                "content",
            ),
            object(stored("function"), at, with(json!({"type": "function"})), "content name", "content"),
            object(stored("remove"), at, json!({"type": "remove", "id": "a", "content": ""}), "id", ""),
            object(
                json!({"messages": [null]}),
                "/messages/0",
                json!({"type": "human", "data": {"content": ""}}),
                "type data",
                "",
            ),
            object(
                json!({"messages": [null]}),
                "/messages/0",
                json!({"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "AIMessage"],
                    "kwargs": {"content": ""}}),
                "lc type id kwargs",
                "",
            ),
            object(
                calls("tool_calls"),
                "/messages/0/tool_calls/0",
                json!({"name": "a", "args": {}, "id": "1", "type": "tool_call", "extras": {}}),
                "name args id",
                "extras",
            ),
            object(
                calls("invalid_tool_calls"),
                "/messages/0/invalid_tool_calls/0",
                json!({"name": "a", "args": "{", "id": "1", "error": "a", "type": "invalid_tool_call"}),
                "",
                "",
            ),
            object(
                json!({"messages": [{"type": "ai", "content": "", "usage_metadata": null}]}),
                "/messages/0/usage_metadata",
                usage,
                "input_tokens output_tokens total_tokens",
                "",
            ),
            // Without its type, a block is anyone's.
            object(human(), BLOCK, json!({"type": "text", "text": "a", "annotations": []}), "text", "type"),
            object(human(), BLOCK, json!({"type": "reasoning", "reasoning": "a"}), "", "type"),
            object(
                human(),
                BLOCK,
                json!({"type": "video", "url": "a", "base64": "aGk=", "file_id": "a", "mime_type": "a/b"}),
                "",
                "type",
            ),
            object(
                human(),
                BLOCK,
                json!({"type": "text-plain", "text": "a", "url": "a", "base64": "aGk=", "file_id": "a", "title": "a",
                    "context": "a", "mime_type": "text/plain"}),
                "",
                "type",
            ),
            object(human(), BLOCK, json!({"type": "non_standard", "value": {}}), "value", "type"),
            object(
                human(),
                BLOCK,
                json!({"type": "server_tool_call", "id": "1", "name": "a", "args": {}}),
                "id name args",
                "type",
            ),
            object(
                human(),
                BLOCK,
                json!({"type": "server_tool_result", "tool_call_id": "1", "status": "success", "output": 1}),
                "tool_call_id status",
                "type output",
            ),
        ],
    );
}
