//! Stored parts.

use serde_json::{Value, json};

use super::{judge, object};

#[test]
fn stored_parts() {
    let around = || json!({"messages": [{"role": "user", "parts": [null]}]});
    let message = |full: Value| object(json!({"messages": [null]}), "/messages/0", full, "role parts", "");
    let mut tool = json!({"type": "tool", "tool_id": "1", "tool_name": "a", "tool_uri": "a", "skill_uri": "a",
        "tool_input": {}, "tool_output": "a", "tool_status": "running", "duration_ms": 1.5, "prompt_tokens": 1,
        "completion_tokens": 1, "tool_output_ref": "a", "tool_output_truncated": true});
    for name in ["original_chars", "preview_chars", "source_offset", "source_limit"] {
        tool[format!("tool_output_{name}")] = json!(1);
    }
    for name in ["sha256", "storage_uri", "mime_type", "source_ref", "externalization_error", "group_id"] {
        tool[format!("tool_output_{name}")] = json!("a");
    }
    judge(
        "openviking/parts",
        &[
            message(json!({"id": "1", "role": "user", "parts": [], "role_id": "a", "created_at": "a"})),
            object(around(), "/messages/0/parts/0", json!({"type": "text", "text": "a"}), "type text", ""),
            object(
                around(),
                "/messages/0/parts/0",
                json!({"type": "context", "uri": "a", "context_type": "memory", "abstract": "a"}),
                "type",
                "",
            ),
            object(around(), "/messages/0/parts/0", tool, "type tool_id tool_name", ""),
        ],
    );
    let row = json!({"partType": "tool", "partId": "1", "messageId": 1, "sessionId": "a", "ordinal": 0,
        "textContent": "a", "toolCallId": "1", "toolName": "a", "toolInput": "{}", "toolOutput": "a", "metadata": "{}"});
    let columns = json!({"part_type": "tool", "part_id": "1", "message_id": 1, "session_id": "a", "ordinal": 0,
        "text_content": "a", "tool_call_id": "1", "tool_name": "a", "tool_input": "{}", "tool_output": "a",
        "metadata": "{}"});
    judge(
        "lossless-claw/parts",
        &[
            message(json!({"role": "tool", "parts": [], "content": "a", "seq": 1, "tokenCount": 1})),
            // The key of a row is a number or a string.
            object(around(), "/messages/0/parts/0", row, "partType", "messageId"),
            object(around(), "/messages/0/parts/0", columns, "part_type", "message_id"),
        ],
    );
}
