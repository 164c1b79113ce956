//! MCP.

use serde_json::{Value, json};
use wirecanon_schemas::validate::Validator;

use super::{BLOCK, judge, object, other_type};

#[test]
fn mcp_blocks() {
    let icon = json!({"src": "a", "mimeType": "a/b", "sizes": [], "theme": "dark"});
    let annotations = json!({"audience": [], "priority": 0.5, "lastModified": "a"});
    let around = || json!({"content": [null], "resultType": "complete"});
    let block = |full: Value, required| object(around(), "/content/0", full, required, "");
    let info = json!({"name": "a", "version": "1", "title": "a", "description": "a", "websiteUrl": "a", "icons": []});
    let link = json!({"type": "resource_link", "uri": "a", "name": "a", "title": "a", "description": "a", "mimeType": "a/b",
        "size": 1, "icons": [], "annotations": annotations, "_meta": {}});
    let contents = json!({"uri": "a", "mimeType": "a/b", "text": "a", "_meta": {}});
    let mut rows = vec![
        block(json!({"type": "text", "text": "a", "annotations": annotations, "_meta": {}}), "type text"),
        block(
            json!({"type": "image", "data": "a", "mimeType": "a/b", "annotations": annotations, "_meta": {}}),
            "type data mimeType",
        ),
        block(
            json!({"type": "audio", "data": "a", "mimeType": "a/b", "annotations": annotations, "_meta": {}}),
            "type data mimeType",
        ),
        block(link.clone(), "type uri name"),
        block(
            json!({"type": "resource", "resource": contents, "annotations": annotations, "_meta": {}}),
            "type resource",
        ),
        object(
            json!({"content": [{"type": "text", "text": "a", "annotations": null}], "resultType": "complete"}),
            "/content/0/annotations",
            annotations,
            "",
            "",
        ),
    ];
    let mut linked = link;
    linked["icons"] = json!([null]);
    rows.push(object(json!({"content": [linked], "resultType": "complete"}), "/content/0/icons/0", icon, "src", ""));
    judge("mcp/2025-11-25/tool-result", &rows);
    rows.push(object(
        json!({"content": [], "resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": null}}),
        "/_meta/io.modelcontextprotocol~1serverInfo",
        info,
        "name version",
        "",
    ));
    judge("mcp/2026-07-28/tool-result", &rows);
}

#[test]
fn mcp_sampling() {
    let tool = json!({"name": "a", "title": "a", "description": "a", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object"}, "annotations": {}, "icons": [], "_meta": {}});
    let schema = json!({"type": "object", "$schema": "a"});
    let request = json!({"messages": [], "maxTokens": 1, "systemPrompt": "a", "modelPreferences": {}, "includeContext": "none",
        "temperature": 1, "stopSequences": [], "metadata": {}, "tools": [], "toolChoice": {}});
    let content = |full: Value, required, open| {
        let around = json!({"maxTokens": 1, "messages": [{"role": "user", "content": [null]}]});
        object(around, BLOCK, full, required, open)
    };
    let under = |field: &str, value: Value| json!({"maxTokens": 1, "messages": [], field: value});
    let rows = |structured: &'static str| {
        let result = json!({"type": "tool_result", "toolUseId": "1", "content": [], "structuredContent": {}, "isError": true,
            "_meta": {}});
        let hints = json!({"title": "a", "readOnlyHint": true, "destructiveHint": true, "idempotentHint": true,
            "openWorldHint": true});
        let annotated = json!([{"name": "a", "inputSchema": {"type": "object"}, "annotations": null}]);
        let input = json!([{"name": "a", "inputSchema": null}]);
        vec![
            content(
                json!({"type": "tool_use", "id": "1", "name": "a", "input": {}, "_meta": {}}),
                "type id name input",
                "",
            ),
            content(result, "type toolUseId content", structured),
            object(under("tools", json!([null])), "/tools/0", tool.clone(), "name inputSchema", ""),
            object(under("tools", input), "/tools/0/inputSchema", schema.clone(), "type", ""),
            object(under("tools", annotated), "/tools/0/annotations", hints, "", ""),
            object(under("toolChoice", json!(null)), "/toolChoice", json!({"mode": "auto"}), "", ""),
            object(
                under("modelPreferences", json!(null)),
                "/modelPreferences",
                json!({"hints": [], "costPriority": 1, "speedPriority": 1, "intelligencePriority": 1}),
                "",
                "",
            ),
        ]
    };
    for (id, structured) in [("mcp/2025-11-25/sampling", ""), ("mcp/2026-07-28/sampling", "structuredContent")] {
        judge(id, &rows(structured));
        let validator = Validator::new(id).unwrap();
        assert_eq!(validator.mismatches(&request), vec![]);
        for (name, value) in request.as_object().unwrap() {
            let mut changed = request.clone();
            changed[name] = other_type(value);
            let found = validator.mismatches(&changed);
            assert!(found.iter().any(|mismatch| mismatch.pointer == format!("/{name}")), "{id}: {name}: {found:?}");
        }
    }
}
