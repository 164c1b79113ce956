//! `mcp.tool-result`.

use super::{broken, valid};

#[test]
fn valid_results_of_every_revision() {
    valid(
        "mcp.tool-result",
        &[
            r#"{"content":[]}"#,
            r#"{"content":[{"type":"text","text":""}],"isError":true}"#,
            r#"{"content":[{"type":"text","text":"t","annotations":{"audience":["user"]},"_meta":{}}],"isError":false,"extra":1,"_meta":{"a/b":1}}"#,
            r#"{"content":[{"type":"image","data":"$PNG","mimeType":"image/png"},{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}"#,
            r#"{"content":[{"type":"resource_link","uri":"file:///a","name":"a","size":3,"icons":[]}]}"#,
            r#"{"content":[{"type":"resource","resource":{"uri":"u","text":""}},{"type":"resource","resource":{"uri":"u","blob":"AAAA","mimeType":"a/b"}},{"type":"resource","resource":{"uri":"u","blob":""}}]}"#,
            r#"{"content":[{"type":"resource","resource":{"uri":"u","text":"t","blob":"AAAA"}}]}"#,
            r#"{"content":[],"structuredContent":null,"resultType":"complete"}"#,
            r#"{"content":[],"structuredContent":[1,"a"]}"#,
            r#"{"toolResult":{"a":1}}"#,
        ],
    );
}

#[test]
fn broken_results() {
    for (document, rule, pointer) in [
        (r#"{"structuredContent":{}}"#, "content-missing", ""),
        (r#"{"resultType":"complete"}"#, "content-missing", ""),
        (r#"{"resultType":"input_required","inputRequests":{}}"#, "result-asks-for-input", "/resultType"),
        (r#"{"resultType":"input_required","content":[]}"#, "result-asks-for-input", "/resultType"),
        (r#"{"content":null}"#, "content-missing", "/content"),
        (r#"{"content":"t"}"#, "content-not-a-list", "/content"),
        (r#"{"content":{"type":"text","text":"t"}}"#, "content-not-a-list", "/content"),
        (r#"{"content":[],"isError":"true"}"#, "error-flag-not-a-boolean", "/isError"),
        (r#"{"content":[],"isError":null}"#, "error-flag-not-a-boolean", "/isError"),
    ] {
        broken("mcp.tool-result", &[(document, &[(rule, pointer)])]);
    }
    for (block, rule, pointer) in [
        ("\"t\"", "unknown-block", ""),
        (r#"["meta",null]"#, "unknown-block", ""),
        (r#"{"type":"json","json":{}}"#, "unknown-block", ""),
        (r#"{"type":"image_url","image_url":{"url":"u"}}"#, "foreign-block-shape", ""),
        (r#"{"type":"tool_use","id":"a"}"#, "tool-call-alias", ""),
        (r#"{"type":"text"}"#, "text-not-a-string", ""),
        (r#"{"type":"text","text":null}"#, "text-not-a-string", "/text"),
        (r#"{"type":"image","text":"t"}"#, "image-without-data", ""),
        (r#"{"type":"image","data":"","mimeType":"image/png"}"#, "image-without-data", "/data"),
        (
            r#"{"type":"image","data":"data:image/png;base64,AAAA","mimeType":"image/png"}"#,
            "image-data-url-prefix",
            "/data",
        ),
        (r#"{"type":"image","data":"%%","mimeType":"image/png"}"#, "image-data-not-base64", "/data"),
        (r#"{"type":"image","data":"AA","mimeType":"image/png"}"#, "image-base64-not-canonical", "/data"),
        (r#"{"type":"image","data":"$PNG"}"#, "image-type-missing", ""),
        (r#"{"type":"image","data":"AAAA","mimeType":"image/png"}"#, "image-not-an-image", "/data"),
        (r#"{"type":"image","data":"$JPEG","mimeType":"image/png"}"#, "image-type-mismatch", "/mimeType"),
        (r#"{"type":"audio","mimeType":"audio/wav"}"#, "file-without-data", ""),
        (r#"{"type":"audio","data":"?","mimeType":"audio/wav"}"#, "file-data-not-base64", "/data"),
        (r#"{"type":"audio","data":"AAAA"}"#, "file-type-missing", ""),
        (r#"{"type":"resource_link","name":"n"}"#, "resource-without-address", ""),
        (r#"{"type":"resource_link","uri":"u"}"#, "resource-without-address", ""),
        (r#"{"type":"resource"}"#, "resource-without-content", ""),
        (r#"{"type":"resource","resource":"u"}"#, "resource-without-content", "/resource"),
        (r#"{"type":"resource","resource":{"uri":"u"}}"#, "resource-without-content", "/resource"),
        (r#"{"type":"resource","resource":{"uri":"u","text":7}}"#, "resource-without-content", "/resource/text"),
        (r#"{"type":"resource","resource":{"uri":"u","blob":7}}"#, "resource-without-content", "/resource/blob"),
        (r#"{"type":"resource","resource":{"uri":"u","blob":"*"}}"#, "file-data-not-base64", "/resource/blob"),
        (r#"{"type":"resource","resource":{"text":"t"}}"#, "resource-without-address", "/resource"),
        (
            r#"{"type":"resource","resource":{"uri":"u","text":"t","mimeType":[]}}"#,
            "text-not-a-string",
            "/resource/mimeType",
        ),
        (r#"{"type":"resource_link","uri":"u","name":"n","title":7}"#, "text-not-a-string", "/title"),
        (r#"{"type":"resource","resource":{"uri":"u","uri":"v","text":"t"}}"#, "duplicate-key", "/resource/uri"),
    ] {
        let document = format!(r#"{{"content":[{{"type":"text","text":"t"}},{block}]}}"#);
        broken("mcp.tool-result", &[(&document, &[(rule, &format!("/content/1{pointer}"))])]);
    }
}
