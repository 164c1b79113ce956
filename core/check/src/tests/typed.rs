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
    let call = r#"[{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":{},@}]},{"role":"toolResult","toolCallId":"c","toolName":"f","content":[{"type":"text","text":"r"}],"isError":false}]"#;
    wrong("openclaw", call, &[(r#""namespace":null"#, "/0/content/0/namespace")]);
    fine("openclaw", call, &[r#""namespace":"files""#, r#""async":"yes""#]);
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
    wrong("mistral.chat", around, &[(r#""index":"0""#, at)]);
    fine("mistral.chat", around, &[r#""index":null"#]);
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
    let server =
        r#"{"content":[],"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"@}}}"#;
    let place = "/_meta/io.modelcontextprotocol~1serverInfo";
    let members = ["", r#","version":1"#, r#","version":"1","title":7"#, r#","version":"1","icons":[{}]"#];
    wrong("mcp.tool-result@2026-07-28", server, &members.map(|member| (member, place)));
    fine("mcp.tool-result@2025-11-25", server, &members);
    fine("mcp.tool-result@2026-07-28", server, &[r#","version":"1","icons":[{"src":"a:b"}]"#]);
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

#[test]
fn items_of_responses() {
    let user = r#"[{"role":"user","content":[{"type":"input_text","text":"u"}],@}]"#;
    wrong(
        "openai.responses",
        user,
        &[(r#""id":null"#, "/0/id"), (r#""status":"done""#, "/0/status"), (r#""phase":"thinking""#, "/0/phase")],
    );
    fine("openai.responses", user, &[r#""status":"completed""#, r#""status":null"#, r#""phase":null"#]);
    let call = r#"[{"type":"function_call","call_id":"a","name":"f","arguments":"{}",@},{"type":"function_call_output","call_id":"a","output":"r","status":null}]"#;
    wrong(
        "openai.responses",
        call,
        &[
            (r#""id":null"#, "/0/id"),
            (r#""namespace":"""#, "/0/namespace"),
            (r#""caller":{"type":"user"}"#, "/0/caller"),
            (r#""caller":{"type":"program","caller_id":7}"#, "/0/caller"),
            (r#""caller":{"type":"program","id":"p"}"#, "/0/caller"),
            (r#""async":"no""#, "/0/async"),
        ],
    );
    fine("openai.responses", call, &[r#""caller":null"#, r#""status":"incomplete""#, r#""async":false"#]);
    let said =
        r#"[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"output_text","text":"a",@}]}]"#;
    wrong("openai.responses", said, &[(r#""annotations":["x"]"#, "/1/content/0/annotations")]);
    fine("openai.responses", said, &[r#""annotations":[]"#, r#""annotations":[{}]"#]);
    let shown = r#"[{"role":"user","content":[{"type":"input_image","image_url":"https://x.test/a.png",@}]}]"#;
    wrong("openai.responses", shown, &[(r#""detail":"""#, "/0/content/0/detail")]);
    fine("openai.responses", shown, &[r#""detail":null"#, r#""detail":"original""#]);
    let thought = r#"[{"role":"user","content":"u"},{"type":"reasoning","encrypted_content":"s",@},{"role":"assistant","content":"a"}]"#;
    wrong("openai.responses", thought, &[(r#""id":null,"summary":[]"#, "/1/id")]);
    let more = r#""summary":[{"type":"summary_text","text":"t","index":0}]"#;
    broken("openai.responses", &[(&thought.replace('@', more), &[("unknown-field", "/1/summary/0/index")])]);
}

#[test]
fn names_and_recordings_of_chat() {
    let user = r#"[{"role":"user","content":"u",@}]"#;
    wrong("openai.chat", user, &[(r#""name":"""#, "/0/name"), (r#""name":7"#, "/0/name")]);
    fine("openai.chat", user, &[r#""name":"ada""#]);
    let said = r#"[{"role":"user","content":"u"},{"role":"assistant","content":"a",@}]"#;
    wrong(
        "openai.chat",
        said,
        &[
            (r#""audio":{}"#, "/1/audio"),
            (r#""audio":{"id":""}"#, "/1/audio"),
            (r#""reasoning_details":{}"#, "/1/reasoning_details"),
        ],
    );
    fine("openai.chat", said, &[r#""audio":null"#, r#""audio":{"id":"audio_1"}"#, r#""reasoning_details":[]"#]);
    let called = r#"[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"},@}]},{"role":"tool","tool_call_id":"a","content":"r"}]"#;
    wrong(
        "openai.chat",
        called,
        &[
            (r#""index":"0""#, "/0/tool_calls/0/index"),
            (r#""extra_content":{"google":{"thought_signature":""}}"#, "/0/tool_calls/0/extra_content"),
            (r#""extra_content":{"google":{"thought_signature":null}}"#, "/0/tool_calls/0/extra_content"),
            (r#""extra_content":{"thought_signature":7}"#, "/0/tool_calls/0/extra_content"),
        ],
    );
    fine(
        "openai.chat",
        called,
        &[
            r#""index":0"#,
            r#""index":null"#,
            r#""extra_content":{"google":{"thought_signature":"c2ln"}}"#,
            r#""extra_content":{"google":{}}"#,
        ],
    );
    let shown = r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.test/a.png",@}}]}]"#;
    wrong("openai.chat", shown, &[(r#""detail":"best""#, "/0/content/0/image_url/detail")]);
    fine("openai.chat", shown, &[r#""detail":"original""#]);
}

#[test]
fn titles_of_documents_and_names_of_files() {
    let document = r#"[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"},@}]}]"#;
    wrong(
        "anthropic.messages",
        document,
        &[(r#""title":"""#, "/0/content/0/title"), (r#""context":7"#, "/0/content/0/context")],
    );
    fine("anthropic.messages", document, &[r#""title":null"#, r#""title":"t""#]);
    broken(
        "anthropic.messages",
        &[(r#"[{"role":"user","content":[{"type":"container_upload"}]}]"#, &[("unknown-block", "/0/content/0")])],
    );
    let compaction = r#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"compaction"@}]},{"role":"user","content":"on"}]"#;
    for content in ["", r#","content":"""#, r#","content":7"#, r#","content":[]"#] {
        broken("anthropic.messages", &[(&compaction.replace('@', content), &[("unknown-block", "/1/content/0")])]);
    }
    for content in ["null", r#""a summary""#] {
        broken("anthropic.messages", &[(&compaction.replace('@', &format!(r#","content":{content}"#)), &[])]);
    }
    let stored = r#"[{"role":"user","parts":[{"fileData":{"fileUri":"files/a",@}}]}]"#;
    wrong("gemini.contents", stored, &[(r#""mimeType":7"#, "/0/parts/0/fileData/mimeType")]);
    fine("gemini.contents", stored, &[r#""mimeType":"a/b""#]);
    let named = r#"[{"role":"user","content":[{"type":"file","mediaType":"application/pdf","data":"JVBERi0=",@}]}]"#;
    wrong("ai-sdk.model", named, &[(r#""filename":null"#, "/0/content/0/filename")]);
    fine("ai-sdk.model", named, &[r#""filename":"a.pdf""#]);
    let part = r#"[{"id":"1","role":"user","parts":[{"type":"text","text":"u",@}]}]"#;
    wrong("ai-sdk.ui", part, &[(r#""state":"over""#, "/0/parts/0/state")]);
    fine("ai-sdk.ui", part, &[r#""state":"done""#]);
    let sent = r#"[{"role":"user","content":[{"type":"file","file":{"file_id":"f",@}}]}]"#;
    wrong("openai.chat", sent, &[(r#""filename":7"#, "/0/content/0/file/filename")]);
    fine("openai.chat", sent, &[r#""filename":"a.pdf""#]);
}

#[test]
fn blocks_that_take_no_other_member() {
    for (around, at) in [
        (r#"[{"role":"user","content":[{"type":"container_upload","file_id":"f","name":"n"}]}]"#, "/0/content/0/name"),
        (
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_reference","tool_name":"x","name":"n"}]}]}]"#,
            "/1/content/0/content/0/name",
        ),
        (
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"browser_state","tabs":[],"name":"n"}]}]}]"#,
            "/1/content/0/content/0/name",
        ),
    ] {
        broken("anthropic.messages", &[(around, &[("unknown-field", at)])]);
    }
    let inside = r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[@]}]}]"#;
    for block in [
        r#"{"type":"tool_reference"}"#,
        r#"{"type":"tool_reference","tool_name":"a b"}"#,
        r#"{"type":"browser_state"}"#,
        r#"{"type":"browser_state","tabs":[{"tab_id":"1","title":"t"}]}"#,
        r#"{"type":"browser_state","tabs":[{"tab_id":"1","title":"t","url":"u","active":1}]}"#,
        r#"{"type":"browser_state","tabs":[],"state_changes":[]}"#,
    ] {
        broken("anthropic.messages", &[(&inside.replace('@', block), &[("unknown-block", "/1/content/0/content/0")])]);
    }
    let tabs = r#"{"type":"browser_state","tabs":[{"tab_id":"1","title":"t","url":"u","active":true}],"state_changes":[{"type":"tab_opened"}]}"#;
    valid("anthropic.messages", &[&inside.replace('@', tabs)]);
}

#[test]
fn parts_of_the_interface() {
    let thought =
        r#"[{"id":"1","role":"assistant","parts":[{"type":"reasoning","text":"t",@},{"type":"text","text":"a"}]}]"#;
    wrong("ai-sdk.ui", thought, &[(r#""id":7"#, "/0/parts/0/id")]);
    let data = r#"[{"id":"1","role":"assistant","parts":[{"type":"data-x","data":1,@},{"type":"text","text":"a"}]}]"#;
    wrong("ai-sdk.ui", data, &[(r#""id":null"#, "/0/parts/0/id")]);
    let called = r#"[{"id":"1","role":"assistant","parts":[{"type":"dynamic-tool","toolName":"f","toolCallId":"c","state":"output-available","input":{},"output":1,@}]}]"#;
    wrong(
        "ai-sdk.ui",
        called,
        &[
            (r#""toolMetadata":[]"#, "/0/parts/0/toolMetadata"),
            (r#""providerExecuted":0"#, "/0/parts/0/providerExecuted"),
            (r#""preliminary":null"#, "/0/parts/0/preliminary"),
            (r#""dynamic":true"#, "/0/parts/0/dynamic"),
        ],
    );
    fine("ai-sdk.ui", called, &[r#""toolMetadata":{},"providerExecuted":false,"preliminary":true,"dynamic":false"#]);
}

#[test]
fn media_under_two_names() {
    let around = r#"[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{},"parts":[{"fileData":{"fileUri":"https://x.test/a","mimeType":"image/png"},@}]}}]}]"#;
    let at = "/1/parts/0/functionResponse/parts/0/inline_data";
    wrong("gemini.contents", around, &[(r#""inline_data":"x""#, at)]);
    fine("gemini.contents", around, &[r#""inline_data":null"#]);
    let row = r#"[{"role":"assistant","content":"","parts":[{"part_type":"tool","tool_call_id":"c","tool_name":"f","tool_input":"{}",@}]},{"role":"tool","content":"r","parts":[{"part_type":"tool","tool_call_id":"c","tool_name":"f","tool_output":"r","metadata":"{\"originalRole\":\"toolResult\"}"}]}]"#;
    wrong("lossless-claw", row, &[(r#""toolInput":{}"#, "/0/parts/0/toolInput")]);
    fine("lossless-claw", row, &[r#""toolInput":null"#]);
}

#[test]
fn chunks_of_mistral() {
    let around = r#"[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}],@},{"type":"text","text":"a"}]},{"role":"user","content":"u"}]"#;
    let at = |name: &str| format!("/1/content/0/{name}");
    wrong("mistral.chat", around, &[(r#""signature":7"#, &at("signature"))]);
    fine("mistral.chat", around, &[r#""signature":null"#, r#""closed":true"#, r#""closed":null"#]);
    let shown = r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.test/a.png",@}}]}]"#;
    wrong("mistral.chat", shown, &[(r#""detail":"best""#, "/0/content/0/image_url/detail")]);
    fine("mistral.chat", shown, &[r#""detail":"low""#]);
    let more = shown.replace('@', r#""width":1"#);
    broken("mistral.chat", &[(&more, &[("unknown-field", "/0/content/0/image_url/width")])]);
    let begun = r#"[{"role":"user","content":"u"},{"role":"assistant","content":"a",@}]"#;
    wrong("mistral.chat", begun, &[(r#""prefix":"false""#, "/1/prefix")]);
    let named = r#"[{"role":"user","content":[{"type":"reference","reference_ids":[@]}]}]"#;
    fine("mistral.chat", named, &[r#"1,"a""#, ""]);
    for odd in ["1,false", "null", "1.5"] {
        broken("mistral.chat", &[(&named.replace('@', odd), &[("unknown-block", "/0/content/0/reference_ids")])]);
    }
    let none = r#"[{"role":"system","content":null},{"role":"user","content":"u"}]"#;
    broken("mistral.chat", &[(none, &[("content-missing", "/0/content")])]);
}

#[test]
fn fields_of_classes() {
    for (around, at) in [
        (r#"[{"type":"human","content":"u",@}]"#, "/0"),
        (r#"[{"type":"human","data":{"content":"u",@}}]"#, "/0/data"),
        (
            r#"[{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"u",@}}]"#,
            "/0/kwargs",
        ),
    ] {
        for (member, name) in [
            (r#""additional_kwargs":null"#, "additional_kwargs"),
            (r#""response_metadata":[]"#, "response_metadata"),
            (r#""id":true"#, "id"),
            (r#""name":5"#, "name"),
            (r#""usage_metadata":"x""#, "usage_metadata"),
        ] {
            wrong("langchain", around, &[(member, &format!("{at}/{name}"))]);
        }
        fine("langchain", around, &[r#""id":5"#, r#""id":null"#, r#""name":"ada""#, r#""additional_kwargs":{}"#]);
    }
}
