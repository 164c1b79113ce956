//! Items of one provider that hold text: other dialects keep the text.

use crate::told::{broken, fixed};

const TARGETS: [&str; 10] = [
    "openai",
    "openai-responses",
    "gemini",
    "gemini-3",
    "bedrock-claude",
    "mistral",
    "cohere",
    "ollama",
    "groq",
    "langchain",
];

fn anthropic(blocks: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{blocks}]}},{{"role":"user","content":"next"}}]}}"#
    )
}

/// Asserts that texts are kept for all targets and that no line names an item in their place.
fn assert_kept(from: &str, input: &str, texts: &[&str]) {
    for target in TARGETS {
        let (text, rules) = fixed(from, target, input);
        for kept in texts {
            assert!(text.contains(kept), "{target}: {kept}: {text}");
        }
        assert!(!text.contains("left out]"), "{target}: {text}");
        assert!(rules.contains(&"opaque-item-left-out"), "{target}: {rules:?}");
    }
}

#[test]
fn a_compaction_is_its_summary_elsewhere() {
    let block = r#"{"type":"compaction","content":"The gate code is 9041."}"#;
    let beside = anthropic(&format!(r#"{block},{{"type":"text","text":"Shall I?"}}"#));
    let alone = anthropic(block);
    let opening =
        format!(r#"{{"messages":[{{"role":"assistant","content":[{block}]}},{{"role":"user","content":"next"}}]}}"#);
    let of_user = format!(r#"{{"messages":[{{"role":"user","content":[{block},{{"type":"text","text":"next"}}]}}]}}"#);
    for input in [&beside, &alone, &opening, &of_user] {
        for target in ["anthropic.messages", "anthropic"] {
            assert_eq!(broken(target, input), [""; 0], "{target}: {input}");
            assert_eq!(fixed("anthropic.messages", target, input), (input.clone(), vec![]));
        }
        assert_kept("anthropic.messages", input, &["The gate code is 9041."]);
        let canonical = fixed("anthropic.messages", "canonical", input).0;
        assert_kept("canonical", &canonical, &["The gate code is 9041."]);
    }
    // One that failed has no summary.
    for empty in [r#"{"type":"compaction","content":null}"#, r#"{"type":"compaction","content":""}"#] {
        let text = fixed("anthropic.messages", "openai", &anthropic(empty)).0;
        assert!(text.contains("item compaction left out"), "{text}");
    }
}

#[test]
fn what_a_server_of_anthropic_searched_and_ran_is_text_elsewhere() {
    let search = r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"lake walk"}},
        {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"Around the lake","url":"https://lake.test/walk","encrypted_content":"QUJD","page_age":null}]}"#;
    assert_kept("anthropic.messages", &anthropic(search), &["lake walk", "Around the lake", "https://lake.test/walk"]);
    let (text, _) = fixed("anthropic.messages", "openai", &anthropic(search));
    assert!(!text.contains("QUJD"), "{text}");
    let code = r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{"code":"print(41)"}},
        {"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"code_execution_result","stdout":"out 41","stderr":"err 42","return_code":0,"content":[]}}"#;
    assert_kept("anthropic.messages", &anthropic(code), &["print(41)", "out 41", "err 42"]);
    let page = r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_fetch","input":{"url":"https://lake.test"}},
        {"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"web_fetch_result","url":"https://lake.test","content":{"type":"document","title":"The lake","source":{"type":"text","media_type":"text/plain","data":"12 km around"}}}}"#;
    for target in TARGETS {
        let (text, _) = fixed("anthropic.messages", target, &anthropic(page));
        for kept in ["https://lake.test", "The lake", "12 km around"] {
            assert!(text.contains(kept) && !text.contains("web_fetch_tool_result left out"), "{target}: {text}");
        }
    }
    // A search without results has no text.
    let none = r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"lake"}},
        {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#;
    let text = fixed("anthropic.messages", "openai", &anthropic(none)).0;
    assert!(!text.contains("left out"), "{text}");
    // A turn of nothing else would be empty without a line.
    let text = fixed("anthropic.messages", "openai", &anthropic(&none.replace(r#""query":"lake""#, ""))).0;
    assert!(text.contains("item web_search_tool_result left out"), "{text}");
}

#[test]
fn what_a_server_of_gemini_ran_is_text_elsewhere() {
    let input = r#"{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[
        {"executableCode":{"language":"PYTHON","code":"print(41)"}},
        {"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"out 41"}},
        {"executable_code":{"language":"PYTHON","code":"print(42)"}},
        {"code_execution_result":{"outcome":"OUTCOME_OK","output":"out 42"}}]},{"role":"user","parts":[{"text":"next"}]}]}"#;
    for target in TARGETS.into_iter().filter(|target| !target.starts_with("gemini")) {
        let (text, _) = fixed("gemini.contents", target, input);
        for kept in ["print(41)", "out 41", "print(42)", "out 42"] {
            assert!(text.contains(kept), "{target}: {text}");
        }
        assert!(!text.contains("left out]"), "{target}: {text}");
    }
}

#[test]
fn what_a_server_of_openai_searched_and_ran_is_text_elsewhere() {
    let input = r#"{"input":[{"role":"user","content":"go"},
        {"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"lake walk","queries":["lake walk","lake map"],"sources":[{"type":"url","url":"https://lake.test"}]}},
        {"type":"code_interpreter_call","id":"ci_1","status":"completed","code":"print(41)","container_id":"c","outputs":[{"type":"logs","logs":"out 41"}]},
        {"type":"file_search_call","id":"fs_1","status":"completed","queries":["length"],"results":[{"file_id":"f","filename":"lake.txt","score":0.5,"text":"12 km around"}]},
        {"role":"user","content":"next"}]}"#;
    let texts =
        ["lake walk", "lake map", "https://lake.test", "print(41)", "out 41", "length", "lake.txt", "12 km around"];
    for target in TARGETS.into_iter().filter(|target| *target != "openai-responses") {
        let (text, _) = fixed("openai.responses", target, input);
        for kept in texts {
            assert!(text.contains(kept), "{target}: {kept}: {text}");
        }
        assert!(!text.contains("left out]"), "{target}: {text}");
    }
}
