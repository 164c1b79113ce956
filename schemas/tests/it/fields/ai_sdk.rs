//! Both kinds of messages of the AI SDK.

use serde_json::{Value, json};

use super::{BLOCK, in_message, judge, object};

#[test]
fn ai_sdk_model() {
    let po = json!({"a": {}});
    let user = |full: Value, required| object(in_message("user"), BLOCK, full, required, "");
    let assistant = |full: Value, required, open| object(in_message("assistant"), BLOCK, full, required, open);
    let output = |full: Value, required, open| {
        let result = json!({"type": "tool-result", "toolCallId": "1", "toolName": "a", "output": null});
        let around = json!({"messages": [{"role": "tool", "content": [result]}]});
        object(around, "/messages/0/content/0/output", full, required, open)
    };
    let item = |full: Value, required, open| {
        let result = json!({"type": "tool-result", "toolCallId": "1", "toolName": "a",
            "output": {"type": "content", "value": [null]}});
        let around = json!({"messages": [{"role": "tool", "content": [result]}]});
        object(around, "/messages/0/content/0/output/value/0", full, required, open)
    };
    let message = |full: Value, open| object(json!({"messages": [null]}), "/messages/0", full, "role content", open);
    judge(
        "ai-sdk/model",
        &[
            message(json!({"role": "system", "content": "a", "providerOptions": po}), ""),
            message(json!({"role": "user", "content": [], "providerOptions": po}), "content"),
            message(json!({"role": "assistant", "content": [], "providerOptions": po}), "content"),
            message(json!({"role": "tool", "content": [], "providerOptions": po}), ""),
            user(json!({"type": "text", "text": "a", "providerOptions": po}), "type text"),
            user(json!({"type": "image", "image": "a", "mediaType": "a/b", "providerOptions": po}), "type image"),
            user(
                json!({"type": "file", "data": "a", "mediaType": "a/b", "filename": "a", "providerOptions": po}),
                "type data mediaType",
            ),
            assistant(json!({"type": "reasoning", "text": "a", "providerOptions": po}), "type text", ""),
            assistant(
                json!({"type": "tool-call", "toolCallId": "1", "toolName": "a", "input": 1, "providerExecuted": true,
                    "providerOptions": po}),
                "type toolCallId toolName input",
                "input",
            ),
            assistant(
                json!({"type": "tool-result", "toolCallId": "1", "toolName": "a", "output": {"type": "execution-denied"},
                    "providerOptions": po}),
                "type toolCallId toolName output",
                "",
            ),
            assistant(
                json!({"type": "tool-approval-request", "approvalId": "1", "toolCallId": "1", "signature": "a"}),
                "type approvalId toolCallId",
                "",
            ),
            object(
                in_message("tool"),
                BLOCK,
                json!({"type": "tool-approval-response", "approvalId": "1", "approved": true, "reason": "a"}),
                "type approvalId approved",
                "",
            ),
            output(json!({"type": "error-text", "value": "a", "providerOptions": po}), "type value", ""),
            output(json!({"type": "error-json", "value": 1, "providerOptions": po}), "type value", "value"),
            output(json!({"type": "execution-denied", "reason": "a", "providerOptions": po}), "type", ""),
            output(json!({"type": "content", "value": []}), "type value", ""),
            item(json!({"type": "text", "text": "a", "providerOptions": po}), "type text", ""),
            item(
                json!({"type": "file-data", "data": "a", "mediaType": "a/b", "filename": "a", "providerOptions": po}),
                "type data mediaType",
                "",
            ),
            item(json!({"type": "file-url", "url": "a", "mediaType": "a/b", "providerOptions": po}), "type url", ""),
            // An id for each provider is taken as well as one id.
            item(json!({"type": "file-id", "fileId": {"a": "b"}, "providerOptions": po}), "type fileId", "fileId"),
            item(json!({"type": "custom", "providerOptions": po}), "type", ""),
        ],
    );
}

#[test]
fn ai_sdk_ui() {
    let pm = json!({"a": {}});
    let message = json!({"id": "1", "role": "user", "metadata": 1, "parts": [{"type": "step-start"}]});
    let part = |full: Value, required, open| {
        let around = json!({"messages": [{"id": "1", "role": "assistant", "parts": [null]}]});
        object(around, "/messages/0/parts/0", full, required, open)
    };
    let tool = |state: &str, more: Value| {
        let mut value = json!({"type": "dynamic-tool", "toolName": "a", "dynamic": false, "toolCallId": "1", "state": state,
            "toolMetadata": {}, "providerExecuted": true, "callProviderMetadata": pm});
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        value
    };
    let yes = json!({"id": "1", "approved": true, "reason": "a", "signature": "a"});
    let no = json!({"id": "1", "approved": false});
    let always = "type toolName toolCallId state";
    let approval = |state: &str, full: Value, required| {
        let mut call = tool(state, json!({"input": 1, "output": 1}));
        if state != "output-available" {
            call.as_object_mut().unwrap().remove("output");
        }
        call["approval"] = json!(null);
        let around = json!({"messages": [{"id": "1", "role": "assistant", "parts": [call]}]});
        object(around, "/messages/0/parts/0/approval", full, required, "")
    };
    judge(
        "ai-sdk/ui",
        &[
            object(json!({"messages": [null]}), "/messages/0", message, "id role parts", "metadata"),
            part(json!({"type": "text", "text": "a", "state": "done", "providerMetadata": pm}), "type text", ""),
            part(
                json!({"type": "reasoning", "id": "1", "text": "a", "state": "streaming", "providerMetadata": pm}),
                "type text",
                "",
            ),
            part(
                json!({"type": "source-url", "sourceId": "1", "url": "a", "title": "a", "providerMetadata": pm}),
                "type sourceId url",
                "",
            ),
            part(
                json!({"type": "source-document", "sourceId": "1", "mediaType": "a/b", "title": "a", "filename": "a",
                    "providerMetadata": pm}),
                "type sourceId mediaType title",
                "",
            ),
            part(
                json!({"type": "file", "mediaType": "a/b", "filename": "a", "url": "a", "providerMetadata": pm}),
                "type mediaType url",
                "",
            ),
            part(json!({"type": "data-a", "id": "1", "data": 1}), "type data", "data"),
            part(
                tool("input-streaming", json!({"input": 1, "rawInput": "{", "inputEncoding": "json"})),
                always,
                "input",
            ),
            part(tool("input-available", json!({"input": 1})), "type toolName toolCallId state input", "input"),
            part(
                tool("approval-requested", json!({"input": 1, "approval": {"id": "1"}})),
                "type toolName toolCallId state input approval",
                "input",
            ),
            part(
                tool("approval-responded", json!({"input": 1, "approval": no})),
                "type toolName toolCallId state input approval",
                "input",
            ),
            part(
                tool(
                    "output-available",
                    json!({"input": 1, "output": 1, "preliminary": true, "approval": yes,
                    "resultProviderMetadata": pm}),
                ),
                "type toolName toolCallId state input output",
                "input output",
            ),
            part(
                tool(
                    "output-error",
                    json!({"input": 1, "rawInput": 1, "errorText": "a", "approval": yes,
                    "resultProviderMetadata": pm}),
                ),
                "type toolName toolCallId state errorText",
                "input rawInput",
            ),
            part(
                tool("output-denied", json!({"input": 1, "approval": no})),
                "type toolName toolCallId state input approval",
                "input",
            ),
            approval("approval-responded", yes.clone(), "id approved"),
            approval("output-available", yes, "id approved"),
            approval("approval-requested", json!({"id": "1", "signature": "a"}), "id"),
        ],
    );
}
