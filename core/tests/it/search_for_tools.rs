//! Searches for tools in the Responses API: what other dialects get of them.

use crate::told::{PICTURE, broken, fixed};

const FOUND: &str = r#"{"type":"function","name":"open_page","description":"opens","parameters":{"type":"object","properties":{"u":{"type":"string"}}}}"#;
const SEARCH: &str = r#"{"type":"tool_search","execution":"client","description":"finds tools","parameters":{"type":"object","properties":{"query":{"type":"string"}}}}"#;
const TARGETS: [&str; 9] =
    ["openai", "anthropic", "deepseek", "gemini", "gemini-3", "bedrock-claude", "cohere", "ollama", "groq"];

fn request(tools: &str, items: &str) -> String {
    format!(
        r#"{{"tools":[{tools}],"input":[{{"role":"user","content":"go"}},{items}{{"role":"user","content":"next"}}]}}"#
    )
}

fn search(execution: &str, id: &str, tools: &str) -> String {
    format!(
        r#"{{"type":"tool_search_call","call_id":{id},"execution":"{execution}","status":"completed","arguments":{{"query":"browser"}}}},{{"type":"tool_search_output","call_id":{id},"execution":"{execution}","status":"completed","tools":[{tools}]}},"#
    )
}

const CALL: &str = r#"{"type":"function_call","call_id":"c2","name":"open_page","arguments":"{}"},{"type":"function_call_output","call_id":"c2","output":"opened"},"#;

#[test]
fn a_search_that_the_client_ran_is_a_call_with_its_result() {
    let request = request(SEARCH, &(search("client", r#""c1""#, FOUND) + CALL));
    for target in ["openai.responses", "openai-responses"] {
        assert_eq!(broken(target, &request), [""; 0], "{target}");
        assert_eq!(fixed("openai.responses", target, &request), (request.clone(), vec![]));
    }
    let canonical = fixed("openai.responses", "canonical", &request).0;
    for (from, input) in [("openai.responses", &request), ("canonical", &canonical)] {
        for target in TARGETS {
            let (text, _) = fixed(from, target, input);
            assert!(text.contains("browser") && !text.contains("left out"), "{from} {target}: {text}");
            for name in ["tool_search", "open_page"] {
                // Each is called, and defined once.
                assert!(text.matches(&format!(r#""name":"{name}""#)).count() >= 2, "{from} {target}: {text}");
            }
            assert_eq!(text.matches(r#""description":"opens""#).count(), 1, "{from} {target}: {text}");
            assert_eq!(text.matches(r#""description":"finds tools""#).count(), 1, "{from} {target}: {text}");
        }
    }
}

#[test]
fn a_tool_that_is_defined_already_is_not_defined_again() {
    let tools = format!("{SEARCH},{FOUND}");
    let twice = format!("{FOUND},{FOUND}");
    for (tools, found) in [(&*tools, FOUND), (SEARCH, &*twice)] {
        let (text, _) = fixed("openai.responses", "anthropic", &request(tools, &search("client", r#""c1""#, found)));
        assert_eq!(text.matches(r#""name":"open_page","description""#).count(), 1, "{text}");
    }
    for found in ["", "null", r#"{"type":"function"}"#] {
        let (text, _) = fixed("openai.responses", "anthropic", &request(SEARCH, &search("client", r#""c1""#, found)));
        assert!(!text.contains("open_page"), "{text}");
    }
}

#[test]
fn other_items_about_tools_are_nobodys_speech() {
    let servers = search("server", "null", FOUND);
    let list = r#"{"type":"mcp_list_tools","id":"mcpl_1","server_label":"s","tools":[]},"#;
    let open = r#"{"type":"tool_search_call","call_id":"c1","execution":"client","status":"completed","arguments":{"query":"browser"}},"#;
    let alone = r#"{"type":"tool_search_output","call_id":"c1","execution":"client","status":"completed","tools":[]},"#;
    let picture = format!(
        r#"{{"role":"user","content":[{{"type":"input_image","image_url":"data:image/png;base64,{PICTURE}"}}]}},"#
    );
    for items in [&*servers, list, open, alone, &(servers.clone() + list + &picture)] {
        for target in TARGETS {
            let (text, rules) = fixed("openai.responses", target, &request("", items));
            assert!(!text.contains("left out]") && !text.contains("browser"), "{target}: {text}");
            assert!(rules.contains(&"opaque-item-left-out"), "{target}: {rules:?}");
        }
    }
    // The tools that the server found can be called all the same.
    let (text, _) = fixed("openai.responses", "anthropic", &request("", &(servers + CALL)));
    assert!(text.contains(r#""name":"open_page","description":"opens""#), "{text}");
}
