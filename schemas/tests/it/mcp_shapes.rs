//! The schemas of MCP: what each revision takes, and where it says no.
#![cfg(feature = "validate")]

use serde_json::{Value, json};
use wirecanon_schemas::catalogue;
use wirecanon_schemas::validate::{Validator, oldest_revision_that_validates};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// What every revision takes, oldest first: `+` or `-`.
type Takes = &'static str;

fn validators(shape: &str) -> Vec<Validator> {
    REVISIONS.iter().map(|revision| Validator::new(&format!("mcp/{revision}/{shape}")).unwrap()).collect()
}

fn judge(shape: &str, rows: &[(Value, Takes)]) {
    let validators = validators(shape);
    for (value, takes) in rows {
        let found: String =
            validators.iter().map(|validator| if validator.mismatches(value).is_empty() { '+' } else { '-' }).collect();
        assert_eq!(found, *takes, "{shape}: {value}");
    }
}

/// Every mismatch of `value` stands at `pointer`, and there is one.
fn placed(id: &str, value: &Value, pointer: &str) {
    let found = Validator::new(id).unwrap().mismatches(value);
    assert!(!found.is_empty(), "{id} takes {value}");
    for mismatch in found {
        assert_eq!(mismatch.pointer, pointer, "{id}: {value}: {mismatch}");
    }
}

fn result(block: &Value) -> Value {
    json!({"resultType": "complete", "content": [block]})
}

fn prompt(block: &Value) -> Value {
    json!({"resultType": "complete", "messages": [{"role": "user", "content": block}]})
}

fn sampling(content: &Value) -> Value {
    json!({"maxTokens": 10, "messages": [{"role": "user", "content": content}]})
}

/// Blocks of tool results and prompts.
fn blocks() -> Vec<(Value, Takes)> {
    let link = json!({"type": "resource_link", "uri": "file:///a", "name": "a"});
    vec![
        (json!({"type": "text", "text": ""}), "+++++"),
        (json!({"type": "text", "text": "a", "annotations": {"audience": ["user"], "priority": 1}}), "+++++"),
        (json!({"type": "text", "text": "a", "unknown": 1}), "+++++"),
        (json!({"type": "text"}), "-----"),
        (json!({"type": "text", "text": null}), "-----"),
        (json!({"text": "a"}), "-----"),
        (json!("a"), "-----"),
        (json!({"type": "text", "text": "a", "annotations": {"priority": 1.1}}), "-----"),
        (json!({"type": "text", "text": "a", "annotations": {"audience": ["system"]}}), "-----"),
        (json!({"type": "text", "text": "a", "annotations": null}), "-----"),
        (json!({"type": "text", "text": "a", "annotations": {"lastModified": 5}}), "++---"),
        (json!({"type": "text", "text": "a", "_meta": 5}), "++---"),
        (json!({"type": "image", "data": "aGk=", "mimeType": "image/png"}), "+++++"),
        // What base64 and addresses are is a matter of rules; the published schemas do not assert it either.
        (json!({"type": "image", "data": "no base64!", "mimeType": ""}), "+++++"),
        (json!({"type": "resource", "resource": {"uri": "no address", "text": ""}}), "+++++"),
        (json!({"type": "image", "data": "aGk="}), "-----"),
        (json!({"type": "image", "data": 5, "mimeType": "image/png"}), "-----"),
        (json!({"type": "image", "data": "aGk=", "mime_type": "image/png"}), "-----"),
        (json!({"type": "image", "source": {"type": "base64", "data": "aGk=", "media_type": "image/png"}}), "-----"),
        (json!({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}), "-++++"),
        (json!({"type": "audio", "data": "aGk="}), "-----"),
        (link.clone(), "--+++"),
        (json!({"type": "resource_link", "uri": "file:///a"}), "-----"),
        (json!({"type": "resource_link", "name": "a"}), "-----"),
        (json!({"type": "resource_link", "uri": "file:///a", "name": "a", "size": 1.5}), "-----"),
        (json!({"type": "resource_link", "uri": "file:///a", "name": "a", "size": -1}), "--+++"),
        (json!({"type": "resource_link", "uri": "file:///a", "name": "a", "icons": [{}]}), "--+--"),
        (
            json!({"type": "resource_link", "uri": "file:///a", "name": "a",
                "icons": [{"src": "https://a", "theme": "dark", "sizes": ["any"]}]}),
            "--+++",
        ),
        (json!({"type": "resource", "resource": {"uri": "file:///a", "text": "a"}}), "+++++"),
        (json!({"type": "resource", "resource": {"uri": "file:///a", "blob": "aGk="}}), "+++++"),
        (json!({"type": "resource", "resource": {"uri": "file:///a", "text": "a", "blob": "aGk="}}), "+++++"),
        (json!({"type": "resource", "resource": {"uri": "file:///a", "text": 5, "blob": "aGk="}}), "+++++"),
        (json!({"type": "resource", "resource": {"uri": "file:///a"}}), "-----"),
        (json!({"type": "resource", "resource": {"text": "a"}}), "-----"),
        (json!({"type": "resource", "resource": {"uri": "file:///a", "text": "a", "_meta": []}}), "++---"),
        (json!({"type": "resource"}), "-----"),
        (json!({"type": "tool_use", "id": "1", "name": "a", "input": {}}), "-----"),
        (json!({"type": "video", "data": "aGk=", "mimeType": "video/mp4"}), "-----"),
    ]
}

#[test]
fn blocks_of_tool_results_and_prompts_are_those_of_their_revision() {
    let rows = blocks();
    let results: Vec<_> = rows.iter().map(|(block, takes)| (result(block), *takes)).collect();
    judge("tool-result", &results);
    let prompts: Vec<_> = rows.iter().map(|(block, takes)| (prompt(block), *takes)).collect();
    judge("prompt", &prompts);
}

#[test]
fn a_tool_result_is_that_of_its_revision() {
    let text = json!([{"type": "text", "text": "a"}]);
    judge(
        "tool-result",
        &[
            (json!({"content": []}), "++++-"),
            (json!({"content": [], "resultType": "complete"}), "+++++"),
            (json!({"content": [], "resultType": "something-else"}), "+++++"),
            (json!({"content": [], "resultType": 5}), "++++-"),
            (json!({"resultType": "input_required"}), "-----"),
            (json!({"content": null, "resultType": "complete"}), "-----"),
            (json!({"content": "a", "resultType": "complete"}), "-----"),
            (json!({"toolResult": "a"}), "-----"),
            (json!([]), "-----"),
            (json!({"content": text, "isError": true, "resultType": "complete"}), "+++++"),
            (json!({"content": text, "isError": "true", "resultType": "complete"}), "-----"),
            (json!({"content": text, "isError": null, "resultType": "complete"}), "-----"),
            (json!({"content": text, "is_error": "yes", "resultType": "complete"}), "+++++"),
            (json!({"content": text, "structuredContent": {"a": 1}, "resultType": "complete"}), "+++++"),
            (json!({"content": text, "structuredContent": [1], "resultType": "complete"}), "++--+"),
            (json!({"content": text, "structuredContent": null, "resultType": "complete"}), "++--+"),
            (json!({"content": text, "structuredContent": 5, "resultType": "complete"}), "++--+"),
            (json!({"content": text, "_meta": {"a": 1}, "resultType": "complete"}), "+++++"),
            (json!({"content": text, "_meta": null, "resultType": "complete"}), "-----"),
            (
                json!({"content": text, "resultType": "complete",
                    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a", "version": "1"}}}),
                "+++++",
            ),
            (
                json!({"content": text, "resultType": "complete",
                    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a"}}}),
                "++++-",
            ),
        ],
    );
}

#[test]
fn a_prompt_is_that_of_its_revision() {
    let text = json!({"type": "text", "text": "a"});
    judge(
        "prompt",
        &[
            (json!({"messages": []}), "++++-"),
            (json!({"messages": [], "resultType": "complete"}), "+++++"),
            (json!({"description": "a", "messages": [], "resultType": "complete"}), "+++++"),
            (json!({"description": null, "messages": [], "resultType": "complete"}), "-----"),
            (json!({"resultType": "complete"}), "-----"),
            (json!({"messages": {}, "resultType": "complete"}), "-----"),
            (json!({"messages": [{"role": "user", "content": text}], "resultType": "complete"}), "+++++"),
            (json!({"messages": [{"role": "assistant", "content": text}], "resultType": "complete"}), "+++++"),
            (json!({"messages": [{"role": "system", "content": text}], "resultType": "complete"}), "-----"),
            (json!({"messages": [{"content": text}], "resultType": "complete"}), "-----"),
            (json!({"messages": [{"role": "user"}], "resultType": "complete"}), "-----"),
            (json!({"messages": [{"role": "user", "content": "a"}], "resultType": "complete"}), "-----"),
            (json!({"messages": [{"role": "user", "content": [text]}], "resultType": "complete"}), "-----"),
        ],
    );
}

#[test]
fn sampled_content_is_that_of_its_revision() {
    let text = json!({"type": "text", "text": "a"});
    let call = json!({"type": "tool_use", "id": "1", "name": "a.b", "input": {}});
    let answer = json!({"type": "tool_result", "toolUseId": "1", "content": []});
    let with = |key: &str, value: Value| {
        let mut answer = answer.clone();
        answer[key] = value;
        answer
    };
    let rows: Vec<(Value, Takes)> = vec![
        (text.clone(), "+++++"),
        (json!([text]), "---++"),
        (json!([]), "---++"),
        (json!("a"), "-----"),
        (json!({"type": "image", "data": "aGk=", "mimeType": "image/png"}), "+++++"),
        (json!({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}), "-++++"),
        (json!({"type": "resource_link", "uri": "file:///a", "name": "a"}), "-----"),
        (json!({"type": "resource", "resource": {"uri": "file:///a", "text": "a"}}), "-----"),
        (call.clone(), "---++"),
        (json!([text, call]), "---++"),
        (json!({"type": "tool_use", "id": "1", "name": "a", "input": "{}"}), "-----"),
        (json!({"type": "tool_use", "id": "1", "name": "a"}), "-----"),
        (json!({"type": "tool_use", "name": "a", "input": {}}), "-----"),
        (answer.clone(), "---++"),
        (json!([answer, answer]), "---++"),
        (with("content", json!([{"type": "resource_link", "uri": "file:///a", "name": "a"}])), "---++"),
        (with("content", json!([call])), "-----"),
        (with("content", json!("a")), "-----"),
        (json!({"type": "tool_result", "toolUseId": "1"}), "-----"),
        (json!({"type": "tool_result", "tool_use_id": "1", "content": []}), "-----"),
        (with("isError", json!("no")), "-----"),
        (with("structuredContent", json!({})), "---++"),
        (with("structuredContent", json!([1])), "----+"),
        (with("structuredContent", json!(null)), "----+"),
    ];
    let requests: Vec<_> = rows.iter().map(|(content, takes)| (sampling(content), *takes)).collect();
    judge("sampling", &requests);
    // The answer holds what a message of the request may hold.
    for (revision, index) in REVISIONS.iter().zip(0..) {
        let answers = result_of(revision);
        for (content, takes) in &rows {
            let value = json!({"role": "assistant", "model": "m", "content": content});
            assert_eq!(answers.is_valid(&value), takes.as_bytes()[index] == b'+', "{revision}: {value}");
        }
        assert!(!answers.is_valid(&json!({"role": "assistant", "content": text})), "{revision}: no model");
        assert!(!answers.is_valid(&json!({"role": "system", "model": "m", "content": text})), "{revision}: the role");
    }
}

/// `$defs/result` of the sampling schema of a revision.
fn result_of(revision: &str) -> jsonschema::Validator {
    let schema = catalogue::by_id(&format!("mcp/{revision}/sampling")).unwrap();
    let json: Value = serde_json::from_str(schema.text).unwrap();
    jsonschema::validator_for(&json!({"$schema": json["$schema"], "$ref": "#/$defs/result", "$defs": json["$defs"]}))
        .unwrap()
}

#[test]
fn a_sampling_request_is_that_of_its_revision() {
    let with = |key: &str, value: Value| {
        let mut request = json!({"maxTokens": 10, "messages": []});
        request[key] = value;
        request
    };
    let tool = json!({"name": "a", "inputSchema": {"type": "object"}});
    judge(
        "sampling",
        &[
            (json!({"maxTokens": 10, "messages": []}), "+++++"),
            (json!({"messages": []}), "-----"),
            (json!({"maxTokens": 10}), "-----"),
            (with("maxTokens", json!(1.5)), "-----"),
            (with("systemPrompt", json!("a")), "+++++"),
            (with("systemPrompt", json!(["a"])), "-----"),
            (with("includeContext", json!("none")), "+++++"),
            (with("includeContext", json!("all")), "-----"),
            (with("stopSequences", json!("a")), "-----"),
            (with("temperature", json!("hot")), "-----"),
            (with("metadata", json!({"a": null, "b": 1.5})), "+++++"),
            (with("metadata", json!([])), "-----"),
            (with("modelPreferences", json!({"hints": [{"name": "a"}], "costPriority": 0.5})), "+++++"),
            (with("modelPreferences", json!({"costPriority": 2})), "-----"),
            (with("tools", json!([tool])), "+++++"),
            (with("tools", json!([{"name": "a"}])), "+++--"),
            (with("tools", json!([{"name": "a", "inputSchema": {"type": "string"}}])), "+++--"),
            (
                with("tools", json!([{"name": "a", "inputSchema": {"type": "object", "properties": {"a": true}}}])),
                "+++-+",
            ),
            (
                with(
                    "tools",
                    json!([{"name": "a", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}]),
                ),
                "+++-+",
            ),
            (with("toolChoice", json!({"mode": "required"})), "+++++"),
            (with("toolChoice", json!({"mode": "any"})), "+++--"),
            (with("task", json!({"ttl": "long"})), "+++-+"),
        ],
    );
}

#[test]
fn a_mismatch_stands_where_the_fault_is() {
    for revision in REVISIONS {
        let id = |shape: &str| format!("mcp/{revision}/{shape}");
        placed(&id("tool-result"), &result(&json!({"type": "text"})), "/content/0");
        placed(&id("tool-result"), &result(&json!({"type": "image", "data": 5, "mimeType": "a"})), "/content/0/data");
        placed(&id("tool-result"), &result(&json!({"type": "video"})), "/content/0/type");
        placed(&id("tool-result"), &result(&json!({})), "/content/0");
        placed(
            &id("prompt"),
            &prompt(&json!({"type": "resource", "resource": {"uri": 5, "text": "a"}})),
            "/messages/0/content/resource/uri",
        );
        placed(&id("sampling"), &sampling(&json!({"type": "text", "text": 5})), "/messages/0/content/text");
    }
    let call = json!({"type": "tool_use", "id": "1", "name": "a", "input": "{}"});
    placed("mcp/2025-11-25/sampling", &sampling(&json!([call])), "/messages/0/content/0/input");
}

#[test]
fn the_oldest_revision_is_found() {
    let oldest = |dialect: &str, value: &Value| oldest_revision_that_validates(dialect, value).map(|s| s.revision);
    let plain = json!({"content": [{"type": "text", "text": "a"}]});
    assert_eq!(oldest("mcp.tool-result", &plain), Some(Some("2024-11-05")));
    let audio = result(&json!({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}));
    assert_eq!(oldest("mcp.tool-result", &audio), Some(Some("2025-03-26")));
    let link = json!({"type": "resource_link", "uri": "file:///a", "name": "a"});
    assert_eq!(oldest("mcp.tool-result", &result(&link)), Some(Some("2025-06-18")));
    assert_eq!(oldest("mcp.prompt", &prompt(&link)), Some(Some("2025-06-18")));
    let call = json!([{"type": "tool_use", "id": "1", "name": "a", "input": {}}]);
    assert_eq!(oldest("mcp.sampling", &sampling(&call)), Some(Some("2025-11-25")));
    let any = json!([{"type": "tool_result", "toolUseId": "1", "content": [], "structuredContent": 5}]);
    assert_eq!(oldest("mcp.sampling", &sampling(&any)), Some(Some("2026-07-28")));
    assert_eq!(oldest("mcp.tool-result", &json!({"toolResult": 5})), None);
    assert_eq!(oldest("canonical", &json!({"messages": []})), Some(None));
    assert_eq!(oldest("nothing", &json!({"messages": []})), None);
}

#[test]
fn the_shapes_of_a_revision_define_a_block_alike() {
    for revision in REVISIONS {
        let defs = ["tool-result", "prompt", "sampling"].map(|shape| {
            let schema = catalogue::by_id(&format!("mcp/{revision}/{shape}")).unwrap();
            serde_json::from_str::<Value>(schema.text).unwrap()["$defs"].clone()
        });
        let [results, prompts, requests] = &defs;
        for (name, definition) in results.as_object().unwrap().iter().filter(|(name, _)| *name != "message") {
            assert_eq!(&prompts[name], definition, "{revision}: {name}");
            if let Some(other) = requests.get(name) {
                assert_eq!(other, definition, "{revision}: {name}");
            }
        }
    }
}
