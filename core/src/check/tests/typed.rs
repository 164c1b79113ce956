//! Members that may be left out, and are of one type where they stand.

use super::{broken, valid};

const RULE: &str = "member-of-wrong-type";

/// A document with `member` in it, and where that stands.
fn wrong(target: &str, around: &str, members: &[(&str, &str)]) {
    for (member, pointer) in members {
        broken(target, &[(&around.replace('@', member), &[(RULE, pointer)])]);
    }
}

/// The same, where it may stand.
fn fine(target: &str, around: &str, members: &[&str]) {
    for member in members {
        valid(target, &[&around.replace('@', member)]);
    }
}

#[test]
fn seals_of_reasoning() {
    let around = r#"[{"role":"user","content":[{"type":"text","text":"u"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"t",@},{"type":"text","text":"a"}]}]"#;
    let at = |name: &str| format!("/1/content/0/{name}");
    wrong(
        "canonical",
        around,
        &[
            (r#""signature":null"#, &at("signature")),
            (r#""signature":{"a":"b"}"#, &at("signature")),
            (r#""redacted":"true""#, &at("redacted")),
            (r#""origin":7"#, &at("origin")),
        ],
    );
    wrong("openclaw", around, &[(r#""thinkingSignature":["s"]"#, &at("thinkingSignature"))]);
    fine("openclaw", around, &[r#""thinkingSignature":null"#, r#""thinkingSignature":"s""#]);
}

#[test]
fn ids_and_names_of_ollama() {
    let around = r#"[{"role":"user","content":"u",@}]"#;
    wrong(
        "ollama.chat",
        around,
        &[(r#""tool_call_id":["a"]"#, "/0/tool_call_id"), (r#""tool_name":{}"#, "/0/tool_name")],
    );
    fine("ollama.chat", around, &[r#""tool_call_id":null"#, r#""tool_name":"f""#]);
    let calls = r#"[{"role":"assistant","tool_calls":[{@}]},{"role":"tool","tool_name":"f","content":"r"}]"#;
    wrong(
        "ollama.chat",
        calls,
        &[
            (r#""id":7,"function":{"name":"f","arguments":{}}"#, "/0/tool_calls/0/id"),
            (r#""function":{"index":"0","name":"f","arguments":{}}"#, "/0/tool_calls/0/function/index"),
        ],
    );
}

#[test]
fn places_of_calls_in_a_stream() {
    let around = r#"[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"},@}]},{"role":"tool","tool_call_id":"a","name":"f","content":"r"}]"#;
    let at = "/1/tool_calls/0/index";
    wrong("mistral.chat", around, &[(r#""index":null"#, at), (r#""index":"0""#, at)]);
    fine("mistral.chat", around, &[r#""index":0"#]);
}

#[test]
fn blocks_of_the_protocol() {
    let around = r#"{"content":[{"type":"text","text":"r",@}]}"#;
    let members = [
        (r#""annotations":null"#, "/content/0/annotations"),
        (r#""annotations":{"audience":"user"}"#, "/content/0/annotations/audience"),
        (r#""annotations":{"audience":["system"]}"#, "/content/0/annotations/audience"),
        (r#""annotations":{"priority":2}"#, "/content/0/annotations/priority"),
    ];
    let newer = [
        (r#""annotations":{"lastModified":7}"#, "/content/0/annotations/lastModified"),
        (r#""_meta":null"#, "/content/0/_meta"),
    ];
    wrong("mcp.tool-result", around, &members);
    wrong("mcp.tool-result", around, &newer);
    // Of these the first revisions know nothing, and nothing is refused that is not known.
    wrong("mcp.tool-result@2024-11-05", around, &members);
    fine("mcp.tool-result@2024-11-05", around, &newer.map(|(member, _)| member));
    let full = r#""annotations":{"audience":["user","assistant"],"priority":1,"lastModified":"d"},"_meta":{}"#;
    fine("mcp.tool-result", around, &[full]);
    let link = r#"{"content":[{"type":"resource_link","uri":"a:b","name":"n",@}]}"#;
    let icons = [
        (r#""icons":{}"#, "/content/0/icons"),
        (r#""icons":[{"src":7}]"#, "/content/0/icons"),
        (r#""icons":[{"src":"a:b","sizes":"any"}]"#, "/content/0/icons"),
        (r#""icons":[{"src":"a:b","theme":"blue"}]"#, "/content/0/icons"),
    ];
    wrong("mcp.tool-result@2025-11-25", link, &icons);
    wrong("mcp.tool-result@2025-11-25", link, &[(r#""size":1.5"#, "/content/0/size")]);
    fine("mcp.tool-result@2025-06-18", link, &icons.map(|(member, _)| member));
    fine("mcp.tool-result", link, &[r#""size":2,"icons":[{"src":"a:b","sizes":["any"],"theme":"dark"}]"#]);
    let resource = r#"{"content":[{"type":"resource","resource":{"uri":"a:b","text":"t",@}}]}"#;
    wrong("mcp.tool-result", resource, &[(r#""_meta":[]"#, "/content/0/resource/_meta")]);
    wrong("mcp.tool-result", r#"{"content":[],@}"#, &[(r#""_meta":"m""#, "/_meta")]);
}

#[test]
fn messages_of_the_protocol() {
    let prompt = r#"{"messages":[{"role":"user","content":{"type":"text","text":"u",@}}]}"#;
    wrong("mcp.prompt", prompt, &[(r#""annotations":[]"#, "/messages/0/content/annotations")]);
    let request = r#"{"messages":[{"role":"user","content":{"type":"text","text":"u"},@}],"maxTokens":1}"#;
    wrong("mcp.sampling", request, &[(r#""_meta":7"#, "/messages/0/_meta")]);
    fine("mcp.sampling@2025-06-18", request, &[r#""_meta":7"#]);
    let result = r#"{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[{"type":"text","text":"r",@}]}]}],"maxTokens":1}"#;
    wrong("mcp.sampling", result, &[(r#""_meta":7"#, "/messages/1/content/0/content/0/_meta")]);
}

#[test]
fn columns_of_a_store() {
    let around = r#"[{"role":"user","content":"u","parts":[{"part_type":"text","text_content":"u",@}]}]"#;
    wrong(
        "lossless-claw",
        around,
        &[
            (r#""tool_output":{}"#, "/0/parts/0/tool_output"),
            (r#""tool_name":7"#, "/0/parts/0/tool_name"),
            (r#""toolCallId":7"#, "/0/parts/0/toolCallId"),
        ],
    );
    let beside = r#"[{"role":"user",@,"parts":[{"part_type":"text","text_content":"u"}]}]"#;
    wrong("lossless-claw", beside, &[(r#""content":null"#, "/0/content")]);
    fine("lossless-claw", around, &[r#""tool_output":null,"tool_name":null"#]);
}
