//! The canonical transcript and agent messages.

use serde_json::json;

use super::{BLOCK, in_message, judge, object};

#[test]
fn canonical() {
    let message = || json!({"messages": [null]});
    let native = json!({"openclaw": {}});
    judge(
        "canonical/transcript",
        &[
            object(
                message(),
                "/messages/0",
                json!({"role": "system", "content": [], "native": native}),
                "role content",
                "",
            ),
            object(
                message(),
                "/messages/0",
                json!({"role": "assistant", "content": [], "stopReason": "stop", "native": native}),
                "role content",
                "",
            ),
            object(
                message(),
                "/messages/0",
                json!({"role": "toolResult", "toolCallId": "1", "toolName": "a", "content": [], "isError": true,
                    "synthetic": true, "native": native}),
                "role toolCallId content isError",
                "",
            ),
            object(in_message("user"), BLOCK, json!({"type": "text", "text": "", "native": native}), "type text", ""),
            object(
                in_message("user"),
                BLOCK,
                json!({"type": "image", "data": "aGk=", "mimeType": "a/b", "native": native}),
                "type data mimeType",
                "",
            ),
            object(
                in_message("assistant"),
                BLOCK,
                json!({"type": "thinking", "thinking": "", "signature": "a", "redacted": true, "origin": "b"}),
                "type thinking",
                "",
            ),
            object(
                in_message("assistant"),
                BLOCK,
                json!({"type": "toolCall", "id": "1", "name": "a", "arguments": "{}"}),
                "type id name arguments",
                "",
            ),
            object(in_message("user"), BLOCK, json!({"type": "link", "url": "a", "mimeType": "a/b"}), "type url", ""),
            object(
                in_message("user"),
                BLOCK,
                json!({"type": "file", "data": "aGk=", "mimeType": "a/b", "name": "c"}),
                "type data mimeType",
                "",
            ),
            object(
                in_message("user"),
                BLOCK,
                json!({"type": "opaque", "dialect": "a", "value": 5}),
                "type dialect value",
                "value",
            ),
        ],
    );
}

#[test]
fn openclaw() {
    let message = || json!({"messages": [null]});
    let cost = json!({"input": 1, "output": 1, "cacheRead": 1, "cacheWrite": 1, "total": 1});
    let usage = json!({"input": 1, "output": 1, "cacheRead": 1, "cacheWrite": 1, "totalTokens": 1, "cost": cost});
    judge(
        "openclaw/messages",
        &[
            object(
                message(),
                "/messages/0",
                json!({"role": "user", "content": [], "timestamp": 1}),
                "role content",
                "content",
            ),
            object(
                message(),
                "/messages/0",
                json!({"role": "assistant", "content": [], "api": "a", "provider": "a", "model": "a", "responseModel": "a",
                    "responseId": "a", "usage": usage, "stopReason": "stop", "errorMessage": "a", "timestamp": 1}),
                "role content",
                "",
            ),
            object(
                message(),
                "/messages/0",
                json!({"role": "toolResult", "toolCallId": "1", "toolName": "a", "content": [], "isError": true,
                    "details": 1, "timestamp": 1}),
                "role toolCallId content isError",
                "details",
            ),
            object(
                json!({"messages": [{"role": "assistant", "content": [], "usage": null}]}),
                "/messages/0/usage",
                usage,
                "",
                "",
            ),
            object(
                json!({"messages": [{"role": "assistant", "content": [], "usage": {"cost": null}}]}),
                "/messages/0/usage/cost",
                cost,
                "",
                "",
            ),
            object(
                in_message("user"),
                BLOCK,
                json!({"type": "text", "text": "", "textSignature": "a"}),
                "type text",
                "",
            ),
            object(
                in_message("user"),
                BLOCK,
                json!({"type": "image", "data": "aGk=", "mimeType": "a/b"}),
                "type data mimeType",
                "",
            ),
            object(
                in_message("assistant"),
                BLOCK,
                json!({"type": "thinking", "thinking": "", "thinkingSignature": "a", "redacted": true}),
                "type thinking",
                "",
            ),
            object(
                in_message("assistant"),
                BLOCK,
                json!({"type": "toolCall", "id": "1", "name": "a", "arguments": {}, "thoughtSignature": "a",
                    "namespace": "a", "async": true, "executionMode": "parallel"}),
                "type id name arguments",
                "",
            ),
        ],
    );
}
