//! Results that say the name of their tool where they have no id, and what else is known by its name.

mod told;

use told::{PICTURE, fixed};

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
fn unknown_is_no_name() {
    let contents = |calls: &str, result: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{calls}]}},{{"role":"user","parts":[{result}]}}]}}"#
        )
    };
    let called = |name: &str| format!(r#"{{"functionCall":{{"name":"{name}","args":{{}}}}}}"#);
    let result = r#"{"functionResponse":{"name":"unknown","response":{"output":"x"}}}"#;
    let (text, rules) = fixed("gemini.contents", "gemini", &contents(&called("f"), result));
    assert_eq!(text, contents(&called("f"), &result.replace("unknown", "f")));
    assert_eq!(rules, ["tool-result-without-id", "tool-result-name-mismatch"]);
    // Unless it is.
    assert_eq!(fixed("gemini.contents", "gemini", &contents(&called("unknown"), result)).1, [""; 0]);
    let two = format!("{},{}", called("f"), called("g"));
    assert!(fixed("gemini.contents", "gemini", &contents(&two, result)).1.contains(&"orphan-tool-result"));
}
