//! What tools answered, where one dialect alone spells it so: whole results of the Model Context Protocol, documents, parts of a
//! stream, and items that are calls.

use wirecanon_core::{CheckOptions, Dialect, From, Options, Target, check, fix};

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF: &str = "JVBERi0xLjQKMSAwIG9iajw8Pj5lbmRvYmoKdHJhaWxlcjw8Pj4KJSVFT0YK";

fn fixed(from: Dialect, to: &str, input: &str) -> (String, Vec<&'static str>) {
    let target = Target::by_name(to).unwrap();
    let options = Options { from: From::Dialect(from), to: Some(target), ..Options::default() };
    let fixed = fix(input.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}: {input}"));
    let output = String::from_utf8(fixed.output.into_owned()).unwrap();
    let fragment = from == Dialect::McpToolResult;
    let found = check(output.as_bytes(), &CheckOptions { fragment, ..CheckOptions::new(target) }).unwrap();
    assert!(found.violations.is_empty(), "{to}: {:?} in {output}", found.violations);
    (output, fixed.report.repairs.iter().map(|entry| entry.rule).collect())
}

/// At home nothing changes, and the judge has nothing against it.
fn stays(dialect: Dialect, input: &str) {
    let (output, rules) = fixed(dialect, dialect.name(), input);
    assert_eq!((output.as_str(), rules), (input, Vec::new()));
}

fn ui(part: &str) -> String {
    format!(
        r#"[{{"id":"1","role":"user","parts":[{{"type":"text","text":"go"}}]}},{{"id":"2","role":"assistant","parts":[{part}]}}]"#
    )
}

fn output(output: &str) -> String {
    ui(&format!(
        r#"{{"type":"dynamic-tool","toolName":"find","toolCallId":"c1","state":"output-available","input":{{}},"output":{output}}}"#
    ))
}

fn model(output: &str) -> String {
    format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c1","toolName":"find","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c1","toolName":"find","output":{output}}}]}}]"#
    )
}

#[test]
fn a_whole_result_of_mcp_stays_as_it_is_at_home_and_is_read_elsewhere() {
    let picture = format!(r#"{{"type":"image","data":"{PNG}","mimeType":"image/png"}}"#);
    let blocks = [
        r#"{"type":"resource_link","uri":"file:///alpha","name":"a"}"#,
        r#"{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}"#,
        r#"{"type":"resource","resource":{"uri":"file:///a","text":"alpha"}}"#,
        r#"{"type":"text","text":""}"#,
        &picture,
    ];
    for block in blocks {
        for beside in ["", r#","isError":true"#, r#","structuredContent":{"k":1},"_meta":{"a":1}"#] {
            let talk = output(&format!(r#"{{"content":[{{"type":"text","text":"hey"}},{block}]{beside}}}"#));
            stays(Dialect::AiSdkUi, &talk);
            for to in ["openai", "anthropic", "gemini-3", "openclaw", "canonical"] {
                let (out, _) = fixed(Dialect::AiSdkUi, to, &talk);
                assert!(out.contains("hey") && (!beside.contains('k') || out.contains(r#"{\"k\":1}"#)), "{out}");
            }
        }
    }
}

#[test]
fn a_call_that_changes_leaves_its_output_as_it_was() {
    let part = r#"{"type":"dynamic-tool","toolName":"find","toolCallId":" c1 ","state":"output-available","input":{},"output":{"content":[{"type":"text","text":"hey"}],"isError":true}},{"type":"text"}"#;
    let (out, _) = fixed(Dialect::AiSdkUi, "ai-sdk.ui", &ui(part));
    assert!(out.contains(r#""output":{"content":[{"type":"text","text":"hey"}],"isError":true}"#), "{out}");
    assert!(out.contains(r#""toolCallId":"c1""#) && out.contains("output-available"), "{out}");
}

#[test]
fn parts_of_a_stream_are_one_call() {
    let cases = [
        (r#"{"type":"tool-output-available","output":"alpha","toolCallId":"c1"}"#, "alpha"),
        (r#"{"type":"tool-output-error","errorText":"beta","toolCallId":"c1"}"#, "beta"),
    ];
    for (end, said) in cases {
        let parts = format!(
            r#"{{"type":"tool-input-start","toolName":"find","toolCallId":"c1"}},{{"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{{\"a\":1}}"}},{end}"#
        );
        let (out, rules) = fixed(Dialect::AiSdkUi, "openai", &ui(&parts));
        assert_eq!(out.matches("tool_calls").count(), 1, "{out}");
        assert!(out.contains(r#""name":"find","arguments":"{\"a\":1}""#) && out.contains(said), "{out}");
        assert!(rules.contains(&"streaming-marker"), "{rules:?}");
        let (home, _) = fixed(Dialect::AiSdkUi, "ai-sdk.ui", &ui(&parts));
        assert!(home.contains("tool-find") && !home.contains("tool-input"), "{home}");
        stays(Dialect::AiSdkUi, &home);
    }
}

/// One of each dialect whose results hold documents.
fn documents() -> Vec<(Dialect, String)> {
    vec![
        (
            Dialect::AiSdkModel,
            model(&format!(
                r#"{{"type":"content","value":[{{"type":"file-data","data":"{PDF}","mediaType":"application/pdf"}}]}}"#
            )),
        ),
        (
            Dialect::AiSdkUi,
            output(&format!(
                r#"{{"content":[{{"type":"resource","resource":{{"uri":"file:///a.pdf","mimeType":"application/pdf","blob":"{PDF}"}}}}]}}"#
            )),
        ),
        (
            Dialect::AnthropicMessages,
            format!(
                r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"find","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":[{{"type":"document","source":{{"type":"base64","media_type":"application/pdf","data":"{PDF}"}}}}]}}]}}]"#
            ),
        ),
        (
            Dialect::BedrockConverse,
            format!(
                r#"[{{"role":"user","content":[{{"text":"go"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"c1","name":"find","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"c1","content":[{{"document":{{"format":"pdf","name":"a","source":{{"bytes":"{PDF}"}}}}}}]}}}}]}}]"#
            ),
        ),
        (
            Dialect::OpenAiResponses,
            format!(
                r#"[{{"role":"user","content":"go"}},{{"type":"function_call","call_id":"c1","name":"find","arguments":"{{}}"}},{{"type":"function_call_output","call_id":"c1","output":[{{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,{PDF}"}}]}}]"#
            ),
        ),
        (
            Dialect::GeminiContents,
            format!(
                r#"[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"find","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"find","response":{{"output":"alpha"}},"parts":[{{"inlineData":{{"mimeType":"application/pdf","data":"{PDF}"}}}}]}}}}]}}]"#
            ),
        ),
        (
            Dialect::LangChain,
            format!(
                r#"[{{"type":"human","content":"go"}},{{"type":"ai","content":"","tool_calls":[{{"name":"find","args":{{}},"id":"c1","type":"tool_call"}}]}},{{"type":"tool","tool_call_id":"c1","content":[{{"type":"file","base64":"{PDF}","mime_type":"application/pdf"}}]}}]"#
            ),
        ),
    ]
}

#[test]
fn a_document_goes_where_the_target_takes_it() {
    let behind = "[wirecanon: file follows the tool results]";
    for (dialect, talk) in documents() {
        stays(dialect, &talk);
        let targets =
            ["anthropic", "bedrock", "bedrock-claude", "openai-responses", "gemini-3", "langchain", "ai-sdk.model"];
        for to in targets {
            let (out, _) = fixed(dialect, to, &talk);
            assert!(out.contains(PDF) && !out.contains("left out") && !out.contains(behind), "{to}: {out}");
        }
        for to in ["openai", "openrouter", "gemini", "mistral"] {
            let (out, rules) = fixed(dialect, to, &talk);
            // At home the response says what it said.
            let says = dialect.name() != "gemini.contents" || to != "gemini";
            assert!(out.contains(PDF) && out.contains(behind) == says, "{to}: {out}");
            assert!(rules.contains(&"media-in-tool-result"), "{rules:?}");
        }
        for to in ["xai", "groq", "deepseek", "openclaw"] {
            let (out, _) = fixed(dialect, to, &talk);
            assert!(!out.contains(PDF) && !out.contains(behind), "{to}: {out}");
        }
        // The way over canonical is the same.
        let (canonical, _) = fixed(dialect, "canonical", &talk);
        let (out, _) = fixed(Dialect::Canonical, "anthropic", &canonical);
        assert!(out.contains(PDF), "{out}");
        let (home, _) = fixed(Dialect::Canonical, dialect.name(), &canonical);
        assert!(home.contains(PDF), "{home}");
    }
}

#[test]
fn a_document_of_words_is_its_words() {
    let resource = r#"{"content":[{"type":"resource","resource":{"uri":"file:///a.md","mimeType":"text/markdown","blob":"YWxwaGEgbGluZQ=="}}]}"#;
    let file =
        r#"{"type":"content","value":[{"type":"file-data","data":"YWxwaGEgbGluZQ==","mediaType":"text/plain"}]}"#;
    for (dialect, talk) in [(Dialect::AiSdkUi, output(resource)), (Dialect::AiSdkModel, model(file))] {
        stays(dialect, &talk);
        for to in ["openai", "anthropic", "gemini-3", "openclaw", "groq"] {
            let (out, _) = fixed(dialect, to, &talk);
            assert!(out.contains("alpha line"), "{to}: {out}");
        }
    }
}

#[test]
fn what_is_no_pdf_stays_a_line() {
    let file =
        r#"{"type":"content","value":[{"type":"file-data","data":"YWxwaGEgbGluZQ==","mediaType":"application/pdf"}]}"#;
    let (out, _) = fixed(Dialect::AiSdkModel, "anthropic", &model(file));
    assert!(out.contains("[wirecanon: file left out: application/pdf]"), "{out}");
}

#[test]
fn calls_of_servers_are_calls_elsewhere_and_stay_at_home() {
    let anthropic = r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"mcp_tool_use","id":"mcptoolu_1","name":"echo","server_name":"s","input":{"a":1}},{"type":"mcp_tool_use","id":"mcptoolu_2","name":"echo","server_name":"s","input":{}},{"type":"mcp_tool_result","tool_use_id":"mcptoolu_2","is_error":true,"content":"beta"},{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,"content":[{"type":"text","text":"alpha"}]},{"type":"text","text":"k"}]},{"role":"user","content":"x"}]"#;
    stays(Dialect::AnthropicMessages, anthropic);
    for to in ["openai", "bedrock-claude", "gemini-3", "openclaw", "mcp.sampling", "mistral"] {
        let (out, rules) = fixed(Dialect::AnthropicMessages, to, anthropic);
        assert!(out.contains("alpha") && out.contains("beta") && !out.contains("item mcp"), "{to}: {out}");
        assert!(out.find("alpha") < out.find("beta") && rules.contains(&"opaque-item-left-out"), "{to}: {out}");
    }
    // It is known by them.
    let options = Options { to: Some(Target::by_name("openai").unwrap()), ..Options::default() };
    assert_eq!(fix(anthropic.as_bytes(), &options).unwrap().report.from, "anthropic.messages");
}

#[test]
fn what_a_client_ran_for_responses_is_a_call_elsewhere() {
    let talk = format!(
        r#"[{{"role":"user","content":"go"}},{{"type":"shell_call","call_id":"call_1","action":{{"commands":["ls"]}}}},{{"type":"function_call","call_id":"call_3","name":"f","arguments":"{{}}"}},{{"type":"apply_patch_call","call_id":"call_2","status":"completed","operation":{{"type":"delete_file","path":"a"}}}},{{"type":"function_call_output","call_id":"call_3","output":"gamma"}},{{"type":"apply_patch_call_output","call_id":"call_2","status":"failed","output":"beta"}},{{"type":"shell_call_output","call_id":"call_1","output":[{{"stdout":"alpha","stderr":"","outcome":{{"type":"exit","exit_code":0}}}}]}},{{"type":"computer_call","call_id":"call_4","action":{{"type":"screenshot"}},"pending_safety_checks":[]}},{{"type":"computer_call_output","call_id":"call_4","output":{{"type":"computer_screenshot","image_url":"data:image/png;base64,{PNG}"}}}},{{"type":"mcp_call","id":"mcp_1","server_label":"s","name":"t","arguments":"{{}}","output":"delta","error":null}},{{"role":"user","content":"next"}}]"#
    );
    for to in ["openai", "anthropic", "gemini-3", "bedrock", "openclaw", "ai-sdk.ui"] {
        let (out, _) = fixed(Dialect::OpenAiResponses, to, &talk);
        for kept in ["alpha", "beta", "gamma", "delta", PNG, "apply_patch", "computer"] {
            assert!(out.contains(kept), "{to}: {kept} in {out}");
        }
        assert!(!out.contains("left out"), "{to}: {out}");
    }
}

/// Requests for approval and their answers are the application's: no model is told of them, and none speaks of them.
#[test]
fn approvals_of_the_ai_sdk_are_not_spoken_of() {
    let asked = r#"{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"f","input":{"a":1}},{"type":"tool-approval-request","approvalId":"p1","toolCallId":"c1"}]}"#;
    let allowed = r#"{"role":"tool","content":[{"type":"tool-approval-response","approvalId":"p1","approved":true}]}"#;
    let result = r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"f","output":{"type":"text","value":"R"}}]}"#;
    let history = format!(r#"[{{"role":"user","content":"q"}},{asked},{allowed},{result}]"#);
    for target in ["openai.chat", "anthropic.messages", "ai-sdk.ui", "gemini.contents"] {
        let (text, rules) = fixed(Dialect::AiSdkModel, target, &history);
        assert!(text.contains("\"R\"") && !text.contains("wirecanon: ai-sdk") && !text.contains("approval"), "{text}");
        assert!(!rules.contains(&"opaque-item-left-out"), "{target}: {rules:?}");
    }
    // What was denied in messages for an interface.
    let part = r#"{"type":"tool-f","toolCallId":"c1","state":"approval-responded","input":{"a":1},"approval":{"id":"p1","approved":false,"reason":"Not now."}}"#;
    let shown = format!(r#"[{{"id":"1","role":"assistant","parts":[{part}]}}]"#);
    let text = fixed(Dialect::AiSdkUi, "anthropic.messages", &shown).0;
    assert!(
        text.contains(r#""input":{"a":1}"#) && text.contains("Not now.") && text.contains(r#""is_error":true"#),
        "{text}"
    );
    assert_eq!(fixed(Dialect::AiSdkUi, "ai-sdk.ui", &shown).0, shown);
}

#[test]
fn a_result_gives_way_to_a_later_one_behind_a_turn_of_the_model() {
    let result = |words: &str| format!(r#"{{"role":"tool","tool_call_id":"c1","content":"{words}"}}"#);
    let call = r#"{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"pay","arguments":"{}"}}]}"#;
    let said = r#"{"role":"assistant","content":"I wait."}"#;
    let body = |rest: &[&str]| format!(r#"{{"messages":[{call},{}]}}"#, rest.join(","));
    let (pending, approved, same) = (result("pending"), result("approved"), result("pending"));
    for (rest, kept, lost) in [
        (&[&*pending, said, &*approved][..], "approved", "pending"),
        (&[&*pending, said, &*approved, r#"{"role":"user","content":"and?"}"#][..], "approved", "pending"),
        // Nobody spoke between: the first one stays.
        (&[&*pending, &*approved, said, r#"{"role":"user","content":"and?"}"#][..], "pending", "approved"),
    ] {
        let (text, rules) = fixed(Dialect::OpenAiChat, "openai", &body(rest));
        assert!(text.contains(kept) && !text.contains(lost), "{text}");
        assert!(rules.contains(&"duplicate-tool-result"), "{rules:?}");
    }
    let (text, _) =
        fixed(Dialect::OpenAiChat, "openai", &body(&[&pending, said, &same, r#"{"role":"user","content":"and?"}"#]));
    assert_eq!(text, body(&[&pending, said, r#"{"role":"user","content":"and?"}"#]), "a copy changes nothing");
}

#[test]
fn what_only_looks_like_a_result_of_mcp_is_a_value_of_the_tool() {
    let output = |first: &str| {
        format!(r#"{{"content":[{first},{{"type":"image","data":"{PNG}","mimeType":"image/png"}}],"isError":false}}"#)
    };
    let request = |output: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"f","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c","toolName":"f","output":{{"type":"json","value":{output}}}}}]}}]}}"#
        )
    };
    let whole = request(&output(r#"{"type":"text","text":"a"}"#));
    let (text, _) = fixed(Dialect::AiSdkModel, "openai-responses", &whole);
    assert!(text.contains("input_image"), "{text}");
    for broken in [r#"{"type":"text"}"#, r#"{"type":"text","text":5}"#, r#"{"type":"audio"}"#, r#"{"text":"a"}"#] {
        let (text, _) = fixed(Dialect::AiSdkModel, "openai-responses", &request(&output(broken)));
        assert!(!text.contains("input_image") && text.contains(PNG), "{broken}: {text}");
    }
}
