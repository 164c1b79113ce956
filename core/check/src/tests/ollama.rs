//! `ollama.chat`, and the target `ollama`.

use super::{broken, open_ended, valid};

const VALID: &[&str] = &[
    r#"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"u","images":["$PNG"]},{"role":"assistant","content":"t","thinking":"h","images":null}],"stream":false}"#,
    r#"[{"role":"user"},{"role":"assistant","content":null},{"role":"user","content":"","images":[]}]"#,
    // By name, then by order among the calls of that name.
    r#"[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}}},{"function":{"index":1,"name":"f","arguments":{}}},{"function":{"name":"g","arguments":{}}}]},{"role":"tool","tool_name":"g","content":"r"},{"role":"tool","tool_name":"f","content":"r"},{"role":"tool","tool_name":"f","content":"r"}]"#,
    // Without names, as many results as calls.
    r#"[{"role":"assistant","tool_calls":[{"id":"","function":{"name":"f","arguments":{}}},{"function":{"name":"g","arguments":{}}}]},{"role":"tool","content":"r"},{"role":"tool","tool_call_id":"","content":"r"}]"#,
    r#"[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":{}}}]},{"role":"tool","tool_call_id":"a","tool_name":"f","content":"r"}]"#,
];

#[test]
fn valid_transcripts() {
    valid("ollama.chat", VALID);
    valid("ollama", VALID);
    valid("ollama-cloud", VALID);
    open_ended("ollama.chat", &[r#"[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}}}]}]"#]);
}

#[test]
fn shapes() {
    broken(
        "ollama.chat",
        &[
            (r#"[{"role":"user","content":[{"type":"text","text":"t"}]}]"#, &[("content-not-a-string", "/0/content")]),
            (r#"[{"role":"user","content":7}]"#, &[("content-not-a-list", "/0/content")]),
            (r#"[{"role":"user","images":"$PNG"}]"#, &[("content-not-a-list", "/0/images")]),
            (
                r#"[{"role":"user","images":["data:image/png;base64,$PNG","","AA A=","!"]}]"#,
                &[
                    ("image-data-url-prefix", "/0/images/0"),
                    ("image-without-data", "/0/images/1"),
                    ("image-base64-not-canonical", "/0/images/2"),
                    ("image-data-not-base64", "/0/images/3"),
                ],
            ),
            (r#"[{"role":"user","images":["AAAA"]}]"#, &[("image-not-an-image", "/0/images/0")]),
            (r#"[{"role":"system","images":["$PNG"]}]"#, &[("block-in-wrong-role", "/0/images/0")]),
            (r#"[{"role":"assistant","thinking":7}]"#, &[("text-not-a-string", "/0/thinking")]),
            (r#"[{"role":"developer","content":"s"}]"#, &[("role-alias", "/0/role")]),
        ],
    );
}

#[test]
fn calls() {
    let turn = |call: &str, results: &str| format!(r#"[{{"role":"assistant","tool_calls":[{call}]}}{results}]"#);
    let call = r#"{"function":{"name":"f","arguments":{}}}"#;
    let result = |name: &str| format!(r#",{{"role":"tool","tool_name":"{name}","content":"r"}}"#);
    for (document, expected) in [
        (
            turn(&call.replace("{}", r#""{}""#), &result("f")),
            &[("tool-call-arguments-not-an-object", "/0/tool_calls/0/function/arguments")][..],
        ),
        (
            turn(&call.replace(r#","arguments":{}"#, ""), &result("f")),
            &[("tool-call-arguments-missing", "/0/tool_calls/0/function")],
        ),
        (turn(call, &result("g")), &[("tool-call-without-result", "/0/tool_calls/0"), ("orphan-tool-result", "/1")]),
        (turn(call, ""), &[("tool-call-without-result", "/0/tool_calls/0")]),
        (turn(call, &[result("f"), result("f")].concat()), &[("orphan-tool-result", "/2")]),
        // One result without a name, and two calls that it could mean.
        (
            turn(&format!("{call},{call}"), r#",{"role":"tool","content":"r"}"#),
            &[
                ("tool-call-without-result", "/0/tool_calls/0"),
                ("tool-call-without-result", "/0/tool_calls/1"),
                ("orphan-tool-result", "/1"),
            ],
        ),
        (turn(call, &[r#",{"role":"user","content":"u"}"#, &result("f")].concat()), &[("tool-result-displaced", "/2")]),
    ] {
        broken("ollama.chat", &[(&document, expected)]);
    }
    let picture = r#"[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}}}]},{"role":"tool","tool_name":"f","content":"r","images":["$PNG"]}]"#;
    valid("ollama.chat", &[picture]);
    broken("ollama", &[(picture, &[("media-in-tool-result", "/1/images/0")])]);
}
