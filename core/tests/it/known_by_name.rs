//! Results that say the name of their tool where they have no id, and what else is known by its name.

use crate::told::{PICTURE, fixed};
use wirecanon_core::dialect::detect;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{Dialect, From, Options, Target, fix};

/// A turn of `openai.chat` that calls these, and what follows it.
fn chat(calls: &str, behind: &str) -> String {
    format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{calls}]}}{behind},{{"role":"user","content":"so?"}}]"#
    )
}

fn call(id: &str, name: &str) -> String {
    format!(r#"{{{id}"type":"function","function":{{"name":"{name}","arguments":"{{}}"}}}}"#)
}

const NOTHING: &str = "no result was recorded";

#[test]
fn results_without_ids_go_to_the_calls_of_their_names() {
    let picture = format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PICTURE}"}}}}"#);
    let results = format!(
        r#",{{"role":"tool","name":"g","content":[{{"type":"text","text":"of g"}},{picture}]}},{{"role":"tool","name":"f","content":"of f"}}"#
    );
    for (f, g) in [(r#""id":"a","#, r#""id":"b","#), ("", ""), (r#""id":"a","#, "")] {
        let (text, rules) =
            fixed("openai.chat", "openai", &chat(&format!("{},{}", call(f, "f"), call(g, "g")), &results));
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} in {text}"));
        assert!(at("of f") < at("of g") && at("of g") < at(PICTURE), "{text}");
        assert!(!text.contains(NOTHING) && rules.contains(&"tool-result-without-id"), "{rules:?}");
    }
}

#[test]
fn an_id_that_is_the_name_of_the_tool_names_its_call() {
    let calls = format!("{},{}", call(r#""id":"a","#, "f"), call(r#""id":"b","#, "g"));
    let named = |f: &str, g: &str| {
        format!(
            r#",{{"role":"tool","tool_call_id":"{f}","content":"of f"}},{{"role":"tool","tool_call_id":"{g}","content":"of g"}}"#
        )
    };
    for (f, g) in [("f", "g"), ("a", "g"), ("f", "b")] {
        let (text, rules) = fixed("openai.chat", "openai", &chat(&calls, &named(f, g)));
        assert!(text.contains("of f") && text.contains("of g") && !text.contains(NOTHING), "{text}");
        assert!(rules.iter().all(|rule| *rule == "tool-result-without-id"), "{rules:?}");
    }
    // What a call owns by its id is not taken from it.
    let (text, rules) = fixed("openai.chat", "openai", &chat(&call(r#""id":"a","#, "f"), &named("a", "f")));
    assert!(text.contains("of f") && !text.contains("of g"), "{text}");
    assert_eq!(rules, ["orphan-tool-result"]);
}

#[test]
fn nothing_is_guessed_between_two_calls_of_one_name() {
    let calls = format!("{},{}", call(r#""id":"a","#, "f"), call(r#""id":"b","#, "f"));
    let result = |id: &str| format!(r#",{{"role":"tool",{id}"name":"f","content":"whose"}}"#);
    for id in ["", r#""tool_call_id":"f","#, r#""tool_call_id":"c","#] {
        let (text, rules) = fixed("openai.chat", "openai", &chat(&calls, &result(id)));
        assert!(!text.contains("whose") && rules.contains(&"orphan-tool-result"), "{text}");
    }
    // Nor does a call with an id take a result with another, or one that the user's words came before.
    let one = call(r#""id":"a","#, "f");
    for behind in [result(r#""tool_call_id":"c","#), format!(r#",{{"role":"user","content":"wait"}}{}"#, result(""))] {
        let (text, _) = fixed("openai.chat", "openai", &chat(&one, &behind));
        assert!(text.contains(NOTHING) && !text.contains("whose"), "{text}");
    }
}

#[test]
fn of_two_results_of_one_name_the_first_real_one_counts() {
    let calls = format!("{},{}", call(r#""id":"a","#, "f"), call(r#""id":"b","#, "g"));
    let result = |words: &str| format!(r#",{{"role":"tool","name":"f","content":"{words}"}}"#);
    let stand_in = "[wirecanon: no result was recorded for this tool call]";
    let behind = format!("{}{}{}", result(stand_in), result("one"), result("two"));
    let (text, rules) = fixed("openai.chat", "openai", &chat(&calls, &behind));
    assert!(text.contains("\"one\"") && !text.contains("\"two\""), "{text}");
    assert_eq!(rules.iter().filter(|rule| **rule == "duplicate-tool-result").count(), 2, "{rules:?}");
}

#[test]
fn an_empty_list_of_arguments_says_nothing() {
    for (arguments, written) in [("[]", "{}"), ("[ ]", "{}"), (r#""[]""#, "{}"), (r#""\"[]\"""#, "{}")] {
        let request = |input: &str| {
            format!(
                r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"f","input":{input}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":"x"}}]}}]}}"#
            )
        };
        let (text, rules) = fixed("anthropic.messages", "anthropic", &request(arguments));
        assert_eq!((text, rules), (request(written), vec!["tool-call-arguments-missing"]), "{arguments}");
    }
}

#[test]
fn googles_form_of_a_call_in_the_content_is_the_call_beside_it() {
    let history = |content: &str| {
        format!(
            r#"[{{"type":"human","content":"go"}},{{"type":"ai","content":[{content}],"tool_calls":[{{"id":"c1","name":"f","args":{{"a":1}}}},{{"id":"c2","name":"f","args":{{}}}}]}},{{"type":"tool","tool_call_id":"c1","content":"r"}},{{"type":"tool","tool_call_id":"c2","content":"s"}}]"#
        )
    };
    let words = r#"{"type":"text","text":"ok"}"#;
    for kind in ["", r#""type":"functionCall","#] {
        let block = format!(r#"{{{kind}"functionCall":{{"name":"f","args":{{}}}}}}"#);
        let (text, rules) = fixed("langchain", "langchain", &history(&format!("{words},{block},{block}")));
        assert_eq!(text, history(words));
        assert_eq!(rules, ["tool-call-alias"; 2]);
        // One that nothing beside the content says is still read as it stands.
        let (text, _) = fixed("langchain", "langchain", &history(&block.replace("\"f\"", "\"g\"")));
        assert!(text.contains("c1") && text.contains("c2"), "{text}");
    }
}

#[test]
fn what_is_written_for_ollama_is_read_as_its_own() {
    let chat = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"}]}"#;
    let best = |text: &str| detect(&Json::parse(text, &Limits::default()).unwrap())[0].dialect;
    assert_eq!(best(chat), Dialect::OpenAiChat);
    let (text, _) = fixed("openai.chat", "ollama", chat);
    assert_eq!(best(&text), Dialect::OllamaChat, "{text}");
    // Arguments that are objects alone are a fault of Chat Completions.
    assert_eq!(best(&text.replace("tool_name", "name")), Dialect::OpenAiChat);
}

#[test]
fn content_under_another_name_is_content() {
    let history = |key: &str| {
        format!(
            r#"[{{"role":"user","{key}":[{{"$type":"text","text":"go"}}]}},{{"role":"assistant","content":"hi"}},{{"role":"user","content":"so?"}}]"#
        )
    };
    for key in ["contents", "parts", "blocks"] {
        for (from, to) in [("openai.chat", "openai"), ("anthropic.messages", "anthropic"), ("langchain", "canonical")] {
            let (text, rules) = fixed(from, to, &history(key));
            assert!(text.contains("go") && !text.contains(key) && !text.contains("$type"), "{from} {key}: {text}");
            assert!(rules.contains(&"field-alias") && !rules.contains(&"content-missing"), "{rules:?}");
        }
    }
}

#[test]
fn a_form_that_is_not_known_is_refused() {
    let refused = |from: Dialect, text: &str| {
        let options = Options { from: From::Dialect(from), ..Options::default() };
        fix(text.as_bytes(), &options).is_err()
    };
    let info = r#"{"messages":[{"info":{"role":"user"},"parts":[{"type":"text","text":"go"}]},{"info":{"role":"assistant"},"parts":[]}]}"#;
    assert!(refused(Dialect::AiSdkUi, info));
    assert!(!refused(Dialect::AiSdkUi, &info.replacen("\"info\":{\"role\":\"user\"}", "\"role\":\"user\"", 1)));
    assert!(refused(Dialect::GeminiContents, r#"{"contents":[{"type":"TEXT","text":"go"}]}"#));
    assert!(!refused(Dialect::GeminiContents, r#"{"contents":[{"role":"user"}]}"#));
    assert!(!refused(Dialect::OpenAiChat, r#"{"messages":[]}"#));
}

#[test]
fn an_empty_turn_with_a_list_in_another_field_is_lost_and_says_so() {
    let history = |fields: &str| {
        format!(
            r#"[{{"role":"user","content":"a"}},{{"role":"assistant","content":""{fields}}},{{"role":"user","content":"b"}}]"#
        )
    };
    let lost = |fields: &str| {
        let text = history(fields);
        let to = Some(Target::of_dialect(Dialect::AnthropicMessages));
        let options = Options { from: From::Dialect(Dialect::OpenAiChat), to, ..Options::default() };
        let report = fix(text.as_bytes(), &options).unwrap().report;
        report.losses().any(|entry| entry.rule == "empty-message")
    };
    assert!(lost(r#","response_metadata":{"calls":[{"id":"c1"}]}"#) && lost(r#","steps":[{"a":1}]"#));
    assert!(!lost("") && !lost(r#","annotations":[]"#) && !lost(r#","usage":{"total":1}"#));
}
