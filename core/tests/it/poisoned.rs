//! What one turn left in a history, and every later request is refused for.

use crate::told::{broken, fixed};

/// `<html>404</html>`, as a download leaves it under the name of a PDF.
const NO_PDF: &str = "PGh0bWw+NDA0PC9odG1sPg==";

#[test]
fn a_pdf_that_is_none_is_left_out() {
    for (dialect, request, left) in [
        (
            "anthropic.messages",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}},{{"type":"document","source":{{"type":"base64","media_type":"application/pdf","data":"{NO_PDF}"}},"title":"a.pdf"}}]}}]}}"#
            ),
            "[wirecanon: file left out: a.pdf (application/pdf)]",
        ),
        (
            "openai.chat",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}},{{"type":"file","file":{{"file_data":"data:application/pdf;base64,{NO_PDF}"}}}}]}}]}}"#
            ),
            "[wirecanon: file left out: application/pdf]",
        ),
        (
            "gemini.contents",
            format!(
                r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}},{{"inlineData":{{"mimeType":"application/pdf","data":"{NO_PDF}"}}}}]}}]}}"#
            ),
            "[wirecanon: file left out: application/pdf]",
        ),
        (
            "bedrock.converse",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"text":"go"}},{{"document":{{"format":"pdf","name":"a","source":{{"bytes":"{NO_PDF}"}}}}}}]}}]}}"#
            ),
            "[wirecanon: file left out: a (application/pdf)]",
        ),
    ] {
        assert_eq!(broken(dialect, &request), ["file-not-a-pdf"], "{dialect}");
        let (text, rules) = fixed(dialect, dialect, &request);
        assert_eq!(rules, ["file-not-a-pdf"], "{dialect}");
        assert!(text.contains(left) && !text.contains(NO_PDF), "{text}");
        let (canonical, rules) = fixed(dialect, "canonical", &request);
        assert!(rules.contains(&"file-not-a-pdf") && canonical.contains(left), "{canonical}");
    }
}

#[test]
fn so_is_one_in_a_result() {
    for (dialect, request) in [
        (
            "anthropic.messages",
            format!(
                r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"t","name":"read","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t","content":[{{"type":"document","source":{{"type":"base64","media_type":"application/pdf","data":"{NO_PDF}"}}}}]}}]}}]}}"#
            ),
        ),
        (
            "openai.responses",
            format!(
                r#"{{"input":[{{"role":"user","content":"go"}},{{"type":"function_call","call_id":"t","name":"read","arguments":"{{}}"}},{{"type":"function_call_output","call_id":"t","output":[{{"type":"input_file","file_data":"data:application/pdf;base64,{NO_PDF}"}}]}}]}}"#
            ),
        ),
        (
            "gemini.contents",
            format!(
                r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"read","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"read","response":{{"output":"x"}},"parts":[{{"inlineData":{{"mimeType":"application/pdf","data":"{NO_PDF}"}}}}]}}}}]}}]}}"#
            ),
        ),
        (
            "bedrock.converse",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"text":"go"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"t","name":"read","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"t","content":[{{"document":{{"format":"pdf","name":"a","source":{{"bytes":"{NO_PDF}"}}}}}}]}}}}]}}]}}"#
            ),
        ),
    ] {
        assert_eq!(broken(dialect, &request), ["file-not-a-pdf"], "{dialect}");
        let (text, rules) = fixed(dialect, dialect, &request);
        assert_eq!(rules, ["file-not-a-pdf"], "{dialect}");
        assert!(text.contains("[wirecanon: file left out: ") && !text.contains(NO_PDF), "{text}");
    }
}

#[test]
fn what_no_server_stores_goes() {
    let request = |items: &str| {
        format!(r#"{{"input":[{{"role":"user","content":"go"}}{items},{{"role":"user","content":"on"}}]}}"#)
    };
    let reference = r#",{"type":"item_reference","id":"fc_1"}"#;
    let output = r#",{"type":"function_call_output","call_id":"c","output":"r"}"#;
    let picture = r#",{"type":"image_generation_call","id":"ig_1","status":"failed","result":null}"#;
    for (items, rules) in [
        (reference.to_owned(), vec!["item-not-stored"]),
        (format!("{reference}{output}"), vec!["item-not-stored", "orphan-tool-result"]),
        (picture.to_owned(), vec!["item-not-stored"]),
    ] {
        let given = request(&items);
        assert_eq!(broken("openai-codex", &given), rules, "{items}");
        assert_eq!(fixed("openai.responses", "openai-codex", &given), (request(""), rules));
        assert_eq!(fixed("openai.responses", "openai-responses", &given), (given.clone(), vec![]));
    }
}

#[test]
fn a_server_tool_is_given_an_object() {
    let request = |input: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"server_tool_use","id":"srvtoolu_1","name":"advisor"{input}}},{{"type":"advisor_tool_result","tool_use_id":"srvtoolu_1","content":{{"type":"advisor_result","text":"a"}}}},{{"type":"text","text":"Done."}}]}},{{"role":"user","content":"on"}}]}}"#
        )
    };
    for (input, said, rule) in [
        (r#","input":[]"#, "{}", "tool-call-arguments-not-an-object"),
        (r#","input":"{\"q\":1.0}""#, r#"{"q":1.0}"#, "tool-call-arguments-not-an-object"),
        (r#","input":"""#, "{}", "tool-call-arguments-missing"),
        ("", "{}", "tool-call-arguments-missing"),
    ] {
        let (text, rules) = fixed("anthropic.messages", "anthropic", &request(input));
        assert_eq!(rules, [rule], "{input}");
        assert_eq!(text, request(&format!(r#","input":{said}"#)), "{input}");
    }
}

#[test]
fn a_reference_to_a_tool_that_is_gone_is_words() {
    let request = |tools: &str, content: &str| {
        format!(
            r#"{{"model":"m","tools":[{{"name":"find","input_schema":{{"type":"object"}}}}{tools}],"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c","name":"find","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c","content":[{content}]}}]}}]}}"#
        )
    };
    let reference = r#"{"type":"tool_reference","tool_name":"drag"}"#;
    let gone = request("", reference);
    assert_eq!(broken("anthropic", &gone), ["tool-reference-unknown"]);
    let words = r#"{"type":"text","text":"{\"type\":\"tool_reference\",\"tool_name\":\"drag\"}"}"#;
    let rules = vec!["tool-reference-unknown"];
    assert_eq!(fixed("anthropic.messages", "anthropic", &gone), (request("", words), rules));
    // Defined here, by a server of MCP, or nowhere that is seen: a list of messages alone is no request.
    for whole in [
        request(r#",{"name":"drag","input_schema":{"type":"object"}}"#, reference),
        request(r#",{"type":"mcp_toolset","mcp_server_name":"s"}"#, reference),
        gone.replace(r#""model":"m","#, ""),
    ] {
        assert_eq!(fixed("anthropic.messages", "anthropic", &whole), (whole.clone(), vec![]));
    }
}

#[test]
fn a_call_that_waits_for_approval_keeps_its_arguments() {
    let ui = r#"{"messages":[{"id":"u","role":"user","parts":[{"type":"text","text":"go"}]},{"id":"a","role":"assistant","parts":[{"type":"tool-rm","toolCallId":"c1","state":"approval-requested","input":{"path":"x"},"approval":{"id":"p"}}]},{"id":"v","role":"user","parts":[{"type":"text","text":"no"}]}]}"#;
    let model = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"rm","input":{"path":"x"}},{"type":"tool-approval-request","approvalId":"p","toolCallId":"c1"}]},{"role":"user","content":"no"}]}"#;
    for (dialect, request) in [("ai-sdk.ui", ui), ("ai-sdk.model", model)] {
        let (text, rules) = fixed(dialect, "anthropic", request);
        assert!(rules.contains(&"opaque-item-left-out"));
        assert!(text.contains(r#"[wirecanon: tool call c1 (rm)] {\"path\":\"x\"}"#), "{text}");
    }
}

#[test]
fn a_resource_of_a_prompt_without_an_address_is_its_json() {
    for uri in ["", r#""uri":"","#, r#""uri":null,"#] {
        let block = format!(r#"{{"type":"resource","resource":{{{uri}"mimeType":"a/b","blob":"AAEC"}}}}"#);
        let prompt = format!(r#"{{"messages":[{{"role":"user","content":{block}}}]}}"#);
        let (text, rules) = fixed("mcp.prompt", "mcp.prompt@2025-11-25", &prompt);
        assert_eq!(rules, ["unknown-block"], "{text}");
        assert!(text.contains(&block.replace('"', "\\\"")), "{text}");
    }
}
