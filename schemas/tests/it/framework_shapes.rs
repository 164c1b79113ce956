//! The schemas of the canonical transcript and of frameworks: what they take, and where they say no.
#![cfg(feature = "validate")]

use serde_json::{Value, json};
use wirecanon_schemas::validate::Validator;

/// Messages that a schema takes, and messages that it refuses with every mismatch at one place.
fn judge(id: &str, good: &[Value], bad: &[(impl AsRef<str>, Value)]) {
    let validator = Validator::new(id).unwrap();
    assert_eq!(validator.mismatches(&json!({"messages": []})), vec![], "{id}: no message");
    assert_ne!(validator.mismatches(&json!({"messages": {}})), vec![], "{id}: no list");
    assert_ne!(validator.mismatches(&json!([])), vec![], "{id}: a bare list");
    for message in good {
        assert_eq!(validator.mismatches(&json!({"messages": [message]})), vec![], "{id}: {message}");
    }
    for (pointer, message) in bad {
        let found = validator.mismatches(&json!({"messages": [message]}));
        assert!(!found.is_empty(), "{id} takes {message}");
        for mismatch in found {
            assert_eq!(mismatch.pointer, format!("/messages/0{}", pointer.as_ref()), "{id}: {message}: {mismatch}");
        }
    }
}

/// `base` with other fields; null takes a field away.
fn with(base: &Value, fields: &Value) -> Value {
    let mut value = base.clone();
    let object = value.as_object_mut().unwrap();
    for (key, field) in fields.as_object().unwrap() {
        if field.is_null() {
            object.remove(key);
        } else {
            object.insert(key.clone(), field.clone());
        }
    }
    value
}

fn user(content: &Value) -> Value {
    json!({"role": "user", "content": content})
}

fn assistant(content: &Value) -> Value {
    json!({"role": "assistant", "content": content})
}

#[test]
fn canonical() {
    let text = json!({"type": "text", "text": "a"});
    let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    let call = json!({"type": "toolCall", "id": "1", "name": "a", "arguments": "{}"});
    let result = json!({"role": "toolResult", "toolCallId": "1", "toolName": "a", "content": [text], "isError": false});
    judge(
        "canonical/transcript",
        &[
            json!({"role": "system", "content": [text]}),
            user(&json!([text, image])),
            user(&json!([{"type": "text", "text": ""}])),
            user(&json!([{"type": "link", "url": "https://a"}])),
            user(&json!([{"type": "file", "data": "aGk=", "mimeType": "application/pdf", "name": "a"}])),
            user(&json!([{"type": "opaque", "dialect": "gemini.contents", "value": null}])),
            assistant(&json!([{"type": "thinking", "thinking": "", "signature": "a", "origin": "b"}, text, call])),
            with(&assistant(&json!([text])), &json!({"stopReason": "aborted"})),
            with(&assistant(&json!([text])), &json!({"native": {"openclaw": {"usage": {}}}})),
            result.clone(),
            with(&result, &json!({"content": [image], "synthetic": true})),
            with(&result, &json!({"toolName": null, "content": []})),
            with(&result, &json!({"unknown": 1})),
        ],
        &[
            ("/role", json!({"role": "tool", "content": []})),
            ("", json!({"content": []})),
            ("/content", user(&json!("a"))),
            ("/content/0/type", user(&json!([call]))),
            ("/content/0/type", assistant(&json!([image]))),
            ("/content/0/text", user(&json!([{"type": "text", "text": null}]))),
            ("/content/0", user(&json!([{"type": "image", "mimeType": "image/png"}]))),
            ("/content/0/data", user(&json!([{"type": "image", "data": "", "mimeType": "image/png"}]))),
            ("/content/0/arguments", assistant(&json!([with(&call, &json!({"arguments": {}}))]))),
            ("/content/0", assistant(&json!([with(&call, &json!({"arguments": null}))]))),
            ("/content/0/id", assistant(&json!([with(&call, &json!({"id": ""}))]))),
            ("/content/0/name", assistant(&json!([with(&call, &json!({"name": " a"}))]))),
            ("/stopReason", with(&assistant(&json!([])), &json!({"stopReason": "end_turn"}))),
            ("", with(&result, &json!({"toolCallId": null}))),
            ("", with(&result, &json!({"isError": null}))),
            ("/isError", with(&result, &json!({"isError": "no"}))),
            ("/content/0/type", with(&result, &json!({"content": [{"type": "resource"}]}))),
            ("/native/openclaw", with(&user(&json!([text])), &json!({"native": {"openclaw": 5}}))),
            ("/content/0", user(&json!([{"type": "opaque", "dialect": "a"}]))),
        ],
    );
}

#[test]
fn a_lone_canonical_result_needs_no_id() {
    let validator = Validator::new("canonical/transcript").unwrap();
    let fragment = json!({"role": "toolResult", "content": [{"type": "text", "text": "a"}], "isError": false});
    assert_eq!(validator.mismatches(&fragment), vec![]);
    assert_ne!(validator.mismatches(&json!({"messages": [fragment]})), vec![]);
    assert_ne!(validator.mismatches(&json!({"role": "user", "content": []})), vec![]);
}

#[test]
fn openclaw() {
    let text = json!({"type": "text", "text": "a"});
    let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    let call = json!({"type": "toolCall", "id": "call_1|fc_1", "name": "a", "arguments": {}});
    let result = json!({"role": "toolResult", "toolCallId": "1", "toolName": "a", "content": [text, image],
        "isError": false, "details": null, "timestamp": 5});
    judge(
        "openclaw/messages",
        &[
            user(&json!("a")),
            user(&json!([text, image])),
            with(&user(&json!("")), &json!({"timestamp": 1_700_000_000_000_i64})),
            json!({"role": "system", "content": "a"}),
            assistant(&json!([text, call])),
            assistant(&json!([{"type": "thinking", "thinking": "", "thinkingSignature": "a", "redacted": true}])),
            with(
                &assistant(&json!([text])),
                &json!({"api": "a", "provider": "b", "model": "c", "stopReason": "toolUse",
                    "usage": {"input": 1, "cost": {"total": 0.5}}, "timestamp": 5}),
            ),
            result.clone(),
            with(&result, &json!({"toolName": null})),
            with(&result, &json!({"content": []})),
            json!({"role": "bashExecution", "command": "ls"}),
            json!({"role": "compactionSummary", "summary": "a"}),
            assistant(&json!([with(&call, &json!({"thoughtSignature": "a", "executionMode": "parallel"}))])),
        ],
        &[
            ("/role", json!({"role": "tool", "content": "a"})),
            ("/content", assistant(&json!("a"))),
            ("/content", with(&result, &json!({"content": "a"}))),
            ("/content", user(&json!(5))),
            ("/content/0/type", assistant(&json!([image]))),
            ("/content/0/type", assistant(&json!([{"type": "toolUse", "id": "1", "name": "a", "input": {}}]))),
            ("/content/0/arguments", assistant(&json!([with(&call, &json!({"arguments": "{}"}))]))),
            ("/content/0", assistant(&json!([with(&call, &json!({"arguments": null}))]))),
            ("/content/0/data", user(&json!([with(&image, &json!({"data": ""}))]))),
            ("/content/0", user(&json!([with(&image, &json!({"mimeType": null}))]))),
            ("", with(&result, &json!({"toolCallId": null, "toolUseId": "1"}))),
            ("", with(&result, &json!({"isError": null}))),
            ("/content/0/type", with(&result, &json!({"content": [{"type": "resource_link"}]}))),
            ("/stopReason", with(&assistant(&json!([])), &json!({"stopReason": 7}))),
            ("/timestamp", with(&result, &json!({"timestamp": "now"}))),
        ],
    );
}

#[test]
fn langchain() {
    let call = json!({"name": "a", "args": {}, "id": "1", "type": "tool_call"});
    let ai = json!({"content": "", "tool_calls": [call]});
    let tool = json!({"content": "a", "tool_call_id": "1", "status": "success", "artifact": [1]});
    let stored = |kind: &str, data: &Value| json!({"type": kind, "data": data});
    let serialized = |class: &str, kwargs: &Value| json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": kwargs});
    let flat = |kind: &str, data: &Value| with(data, &json!({"type": kind}));
    let forms = |kind: &str, class: &str, data: &Value| [stored(kind, data), serialized(class, data), flat(kind, data)];
    let mut good = vec![
        stored("AIMessageChunk", &ai),
        with(
            &serialized("HumanMessage", &json!({"content": "a"})),
            &json!({"id": ["langchain_core", "messages", "HumanMessage"]}),
        ),
        stored("chat", &json!({"content": "a", "role": "b"})),
        stored("function", &json!({"content": "a", "name": "b"})),
        stored("remove", &json!({"content": "", "id": "b"})),
        stored(
            "ai",
            &with(&ai, &json!({"usage_metadata": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}})),
        ),
        json!({"type": "ai", "data": {"content": "a", "type": "ai", "id": null, "name": null, "usage_metadata": null}}),
    ];
    good.extend(forms("human", "HumanMessage", &json!({"content": ["a", {"type": "image_url", "image_url": {}}]})));
    good.extend(forms("system", "SystemMessage", &json!({"content": "a", "unknown": 1})));
    good.extend(forms("ai", "AIMessage", &ai));
    good.extend(forms("ai", "AIMessage", &json!({"content": [{"type": "reasoning", "reasoning": "a"}]})));
    good.extend(forms("ai", "AIMessage", &json!({"content": "", "invalid_tool_calls": [{"name": "a", "args": "{"}]})));
    good.extend(forms("tool", "ToolMessage", &tool));
    let mut bad = vec![
        ("/type".to_owned(), stored("user", &json!({"content": "a"}))),
        ("/type".to_owned(), json!({"type": "user", "content": "a"})),
        (String::new(), json!({"role": "user", "content": "a"})),
        ("/lc".to_owned(), with(&serialized("AIMessage", &ai), &json!({"lc": 2}))),
        ("/id".to_owned(), serialized("Document", &json!({}))),
        (String::new(), with(&serialized("AIMessage", &ai), &json!({"kwargs": null}))),
        ("/data/type".to_owned(), stored("ai", &with(&ai, &json!({"type": "human"})))),
        ("/data/content".to_owned(), stored("remove", &json!({"content": "a", "id": "b"}))),
    ];
    for (place, kind, class, data) in [
        ("", "system", "SystemMessage", json!({})),
        ("", "ai", "AIMessage", json!({})),
        ("", "tool", "ToolMessage", json!({"tool_call_id": "1"})),
        ("", "chat", "ChatMessage", json!({"role": "a"})),
        ("", "chat", "ChatMessage", json!({"content": "a"})),
        ("", "function", "FunctionMessage", json!({"name": "a"})),
        ("", "function", "FunctionMessage", json!({"content": "a"})),
        ("", "remove", "RemoveMessage", json!({"content": ""})),
        ("/id", "human", "HumanMessage", json!({"content": "a", "id": true})),
        ("/name", "human", "HumanMessage", json!({"content": "a", "name": 5})),
        ("/additional_kwargs", "ai", "AIMessage", json!({"content": "a", "additional_kwargs": []})),
        (
            "/usage_metadata",
            "ai",
            "AIMessage",
            json!({"content": "a", "usage_metadata": {"input_tokens": 1, "total_tokens": 1}}),
        ),
        ("/content/0/reasoning", "ai", "AIMessage", json!({"content": [{"type": "reasoning", "reasoning": 5}]})),
        ("/content/0/base64", "human", "HumanMessage", json!({"content": [{"type": "file", "base64": 5}]})),
        (
            "/content/0/mime_type",
            "human",
            "HumanMessage",
            json!({"content": [{"type": "text-plain", "mime_type": "text/html"}]}),
        ),
        ("/content/0", "ai", "AIMessage", json!({"content": [{"type": "non_standard"}]})),
        (
            "/content/0/args",
            "ai",
            "AIMessage",
            json!({"content": [{"type": "server_tool_call", "id": "1", "name": "a", "args": "{}"}]}),
        ),
        (
            "/content/0/status",
            "ai",
            "AIMessage",
            json!({"content": [{"type": "server_tool_result", "tool_call_id": "1", "status": "ok"}]}),
        ),
        ("", "human", "HumanMessage", json!({})),
        ("/content", "human", "HumanMessage", json!({"content": 5})),
        ("/content/0", "human", "HumanMessage", json!({"content": [5]})),
        ("/content/0/text", "human", "HumanMessage", json!({"content": [{"type": "text", "text": 5}]})),
        (
            "/tool_calls/0/args",
            "ai",
            "AIMessage",
            with(&ai, &json!({"tool_calls": [with(&call, &json!({"args": "{}"}))]})),
        ),
        ("/tool_calls/0", "ai", "AIMessage", with(&ai, &json!({"tool_calls": [{"name": "a", "args": {}}]}))),
        ("/tool_calls/0", "ai", "AIMessage", with(&ai, &json!({"tool_calls": [with(&call, &json!({"index": 0}))]}))),
        ("/invalid_tool_calls/0/args", "ai", "AIMessage", with(&ai, &json!({"invalid_tool_calls": [{"args": {}}]}))),
        ("", "tool", "ToolMessage", json!({"content": "a"})),
        ("/tool_call_id", "tool", "ToolMessage", with(&tool, &json!({"tool_call_id": 5}))),
        ("/status", "tool", "ToolMessage", with(&tool, &json!({"status": "failed"}))),
    ] {
        bad.push((place.to_owned(), flat(kind, &data)));
        for (form, message) in [("/data", stored(kind, &data)), ("/kwargs", serialized(class, &data))] {
            bad.push((format!("{form}{place}"), message));
        }
    }
    judge("langchain/messages", &good, &bad);
}

#[test]
fn ai_sdk_model() {
    let text = json!({"type": "text", "text": "a"});
    let call = json!({"type": "tool-call", "toolCallId": "1", "toolName": "a", "input": {}});
    let tool = |output: Value| {
        json!({"role": "tool", "content": [
            {"type": "tool-result", "toolCallId": "1", "toolName": "a", "output": output}]})
    };
    let item = |item: Value| tool(json!({"type": "content", "value": [item]}));
    judge(
        "ai-sdk/model",
        &[
            json!({"role": "system", "content": "a"}),
            user(&json!("a")),
            user(&json!([text, {"type": "image", "image": "aGk="}])),
            user(&json!([{"type": "file", "data": "aGk=", "mediaType": "application/pdf", "filename": "a"}])),
            user(&json!([{"type": "file", "data": {"type": "url", "url": "https://x.test"}, "mediaType": "image"}])),
            assistant(&json!([text, {"type": "reasoning", "text": "a", "providerOptions": {"a": {"b": 1}}}, call])),
            assistant(&json!([])),
            assistant(&json!([{"type": "tool-approval-request", "approvalId": "1", "toolCallId": "1"}])),
            json!({"role": "tool", "content": [{"type": "tool-approval-response", "approvalId": "1", "approved": false}]}),
            tool(json!({"type": "text", "value": ""})),
            tool(json!({"type": "json", "value": null})),
            tool(json!({"type": "error-text", "value": "a"})),
            tool(json!({"type": "error-json", "value": [1]})),
            tool(json!({"type": "execution-denied"})),
            item(json!({"type": "text", "text": "a"})),
            item(json!({"type": "media", "data": "aGk=", "mediaType": "image/png"})),
            item(json!({"type": "file-url", "url": "https://a"})),
            item(json!({"type": "image-file-id", "fileId": {"openai": "a"}})),
            item(json!({"type": "custom"})),
        ],
        &[
            ("/role", json!({"role": "function", "content": "a"})),
            ("/content", json!({"role": "system", "content": [text]})),
            ("/content", json!({"role": "tool", "content": "a"})),
            ("/content/0/type", user(&json!([call]))),
            ("/content/0/type", assistant(&json!([{"type": "image", "image": "aGk="}]))),
            ("/content/0", assistant(&json!([with(&call, &json!({"input": null, "args": {}}))]))),
            ("/content/0/toolCallId", assistant(&json!([with(&call, &json!({"toolCallId": 5}))]))),
            ("/content/0", user(&json!([{"type": "file", "data": "aGk=", "mimeType": "a/b"}]))),
            ("/content/0/providerOptions/a", user(&json!([with(&text, &json!({"providerOptions": {"a": 1}}))]))),
            (
                "/content/0",
                json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "1", "toolName": "a", "result": 1}]}),
            ),
            ("/content/0/output", tool(json!({"type": "json"}))),
            ("/content/0/output/value", tool(json!({"type": "text", "value": {}}))),
            ("/content/0/output/type", tool(json!({"type": "error", "value": "a"}))),
            ("/content/0/output/value", tool(json!({"type": "content", "value": "a"}))),
            ("/content/0/output/value/0/data", item(json!({"type": "file", "data": "aGk=", "mediaType": "a/b"}))),
            ("/content/0/data", user(&json!([{"type": "file", "data": {"type": "url"}, "mediaType": "a/b"}]))),
            ("/content/0/output/value/0/fileId", item(json!({"type": "file-id", "fileId": 5}))),
        ],
    );
}

#[test]
fn ai_sdk_ui() {
    let of = |role: &str, parts: Value| json!({"id": "1", "role": role, "parts": parts});
    let call = |kind: &str, state: &str, more: Value| {
        with(&json!({"type": kind, "toolName": "a", "toolCallId": "1", "state": state}), &more)
    };
    let approval = |approved: bool| json!({"input": {}, "approval": {"id": "1", "approved": approved}});
    let mut good = vec![
        of("assistant", json!([])),
        of("user", json!([{"type": "text", "text": "a"}])),
        of("system", json!([{"type": "text", "text": "a", "state": "done"}])),
        of("assistant", json!([{"type": "step-start"}, {"type": "reasoning", "text": "a"}])),
        of("user", json!([{"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,aGk="}])),
        of("assistant", json!([{"type": "source-url", "sourceId": "1", "url": "https://a"}])),
        of("assistant", json!([{"type": "source-document", "sourceId": "1", "mediaType": "a/b", "title": "a"}])),
        of("assistant", json!([{"type": "data-weather", "data": null}])),
    ];
    let mut bad = vec![
        ("/role", json!({"id": "1", "role": "tool", "parts": []})),
        ("", json!({"id": "1", "role": "assistant", "content": "a"})),
        ("", json!({"role": "assistant", "parts": []})),
        ("/parts", of("user", json!([]))),
        ("/parts/0/type", of("assistant", json!([{"type": "tool"}]))),
        ("/parts/0/type", of("assistant", json!([{"type": "image", "image": "aGk="}]))),
        ("/parts/0", of("assistant", json!([{"type": "data-weather"}]))),
        ("/parts/0/state", of("assistant", json!([{"type": "text", "text": "a", "state": "partial"}]))),
        ("/parts/0", of("assistant", json!([{"type": "dynamic-tool", "toolCallId": "1", "state": "input-streaming"}]))),
    ];
    for kind in ["tool-a", "dynamic-tool"] {
        let part = |state: &str, more: Value| of("assistant", json!([call(kind, state, more)]));
        good.extend([
            part("input-streaming", json!({"rawInput": "{\"a"})),
            part("input-available", json!({"input": {}})),
            part("approval-requested", json!({"input": {}, "approval": {"id": "1"}})),
            part("approval-responded", approval(false)),
            part("output-available", json!({"input": {}, "output": 5, "preliminary": true})),
            part("output-available", with(&approval(true), &json!({"output": []}))),
            part("output-error", json!({"errorText": "a", "rawInput": 5})),
            part("output-denied", approval(false)),
        ]);
        bad.extend([
            ("/parts/0/state", part("call", json!({"input": {}}))),
            ("/parts/0", part("input-available", json!({}))),
            ("/parts/0/output", part("input-available", json!({"input": {}, "output": 5}))),
            ("/parts/0", part("output-available", json!({"input": {}}))),
            ("/parts/0/errorText", part("output-available", json!({"input": {}, "output": 5, "errorText": "a"}))),
            ("/parts/0", part("output-error", json!({"input": {}}))),
            ("/parts/0/approval/approved", part("output-denied", approval(true))),
            ("/parts/0/approval/approved", part("output-available", with(&approval(false), &json!({"output": 5})))),
            ("/parts/0/approval", part("approval-responded", json!({"input": {}, "approval": {"id": "1"}}))),
        ]);
    }
    judge("ai-sdk/ui", &good, &bad);
}

#[test]
fn openviking() {
    let tool = json!({"type": "tool", "tool_id": "1", "tool_name": "a", "tool_uri": "", "skill_uri": "",
        "tool_status": "completed", "tool_input": {}, "tool_output": "a"});
    let of =
        |part: &Value| json!({"id": "m", "role": "assistant", "role_id": null, "parts": [part], "created_at": "now"});
    let changed = |fields: Value| of(&with(&tool, &fields));
    judge(
        "openviking/parts",
        &[
            json!({"role": "user", "parts": []}),
            json!({"role": "user", "content": "an older message"}),
            of(&json!({"type": "text", "text": ""})),
            of(&json!({"type": "context", "uri": "viking://a", "context_type": "skill", "abstract": "a"})),
            of(&json!({"type": "context", "uri": "viking://a"})),
            of(&json!({"type": "context", "abstract": "a"})),
            of(&tool),
            changed(json!({"tool_status": "pending", "tool_input": null, "tool_output": null})),
            changed(json!({"tool_id": ""})),
            changed(
                json!({"duration_ms": 1.5, "prompt_tokens": 1, "tool_output_ref": "a", "tool_output_original_chars": 5}),
            ),
            with(&of(&tool), &json!({"role": "user"})),
            with(&of(&tool), &json!({"unknown": 1})),
            of(&json!({"type": "tool", "tool_id": "1", "tool_name": "a", "tool_input": null})),
            changed(json!({"tool_output_truncated": true})),
        ],
        &[
            ("/role", with(&of(&tool), &json!({"role": "tool"}))),
            ("", json!({"role": "user", "text": "a"})),
            ("/content", json!({"role": "user", "content": ["a"]})),
            ("", json!({"parts": []})),
            ("/parts", json!({"role": "user", "parts": "a"})),
            ("/parts/0/type", of(&json!({"type": "image"}))),
            ("/parts/0", of(&json!({"text": "a"}))),
            ("/parts/0/text", of(&json!({"type": "text", "text": 5}))),
            ("/parts/0/uri", of(&json!({"type": "context", "uri": 5}))),
            ("/parts/0", of(&json!({"type": "tool", "tool_name": "a"}))),
            ("/parts/0/tool_input", changed(json!({"tool_input": "{}"}))),
            ("/parts/0/tool_output", changed(json!({"tool_output": {}}))),
            ("/parts/0/tool_status", changed(json!({"tool_status": "done"}))),
            ("/parts/0/duration_ms", changed(json!({"duration_ms": "1"}))),
        ],
    );
}

#[test]
fn lossless_claw() {
    let row = json!({"partId": "p", "messageId": 1, "sessionId": "s", "partType": "tool", "ordinal": 0,
        "textContent": "", "toolCallId": "1", "toolName": "a", "toolInput": "{}", "toolOutput": "",
        "metadata": "{\"rawType\":\"toolCall\"}"});
    let of = |part: &Value| json!({"role": "assistant", "content": "", "parts": [part]});
    let changed = |fields: Value| of(&with(&row, &fields));
    let mut good =
        vec![of(&row), json!({"role": "tool", "parts": []}), of(&json!({"partType": "tool", "toolInput": null}))];
    good.push(of(&json!({"part_type": "text", "ordinal": 0, "text_content": "a", "tool_call_id": null,
        "message_id": 1, "metadata": null})));
    for kind in
        ["text", "reasoning", "patch", "file", "subtask", "compaction", "step_start", "snapshot", "agent", "retry"]
    {
        good.push(changed(json!({"partType": kind})));
    }
    judge(
        "lossless-claw/parts",
        &good,
        &[
            ("/role", with(&of(&row), &json!({"role": "toolResult"}))),
            ("", json!({"role": "user", "content": "a"})),
            ("", json!({"parts": []})),
            ("/parts", json!({"role": "user", "parts": {}})),
            ("/parts/0", of(&json!({"type": "text"}))),
            ("/parts/0/part_type", of(&json!({"part_type": "toolCall"}))),
            ("/parts/0/text_content", of(&json!({"part_type": "text", "text_content": ["a"]}))),
            ("/parts/0/partType", changed(json!({"partType": "toolCall"}))),
            ("/parts/0/toolInput", changed(json!({"toolInput": {}}))),
            ("/parts/0/toolOutput", changed(json!({"toolOutput": []}))),
            ("/parts/0/metadata", changed(json!({"metadata": {"rawType": "toolCall"}}))),
            ("/parts/0/ordinal", changed(json!({"ordinal": -1}))),
            ("/parts/0/toolCallId", changed(json!({"toolCallId": 5}))),
            ("/parts/0/textContent", changed(json!({"partType": "text", "textContent": ["a"]}))),
        ],
    );
}
