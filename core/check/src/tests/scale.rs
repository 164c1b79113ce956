//! Large inputs: what would take hours if a step were not constant in time takes moments.

use std::fmt::Write as _;

use super::{judge, options};
use wirecanon_model::Mode;

/// `item` for each number, with commas between.
fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for number in 0..count {
        let _ = write!(out, "{}{}", if number == 0 { "" } else { "," }, item(number));
    }
    out
}

#[test]
fn a_hundred_thousand_orphans() {
    let results = list(100_000, |n| format!(r#"{{"role":"tool","tool_call_id":"x{n}","content":"r"}}"#));
    let found = judge(format!("[{results}]").as_bytes(), &options("openai.chat", Mode::Request));
    assert_eq!(found.len(), 100_000);
    assert_eq!(found[99_999], ("orphan-tool-result".to_owned(), "/99999".to_owned()));
}

#[test]
fn a_hundred_thousand_results_before_their_calls() {
    let results = list(100_000, |n| format!(r#"{{"role":"tool","tool_call_id":"x{n}","content":"r"}}"#));
    let calls =
        list(100_000, |n| format!(r#"{{"id":"x{n}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#));
    let text = format!(r#"[{results},{{"role":"assistant","tool_calls":[{calls}]}}]"#);
    let found = judge(text.as_bytes(), &options("openai.chat", Mode::Request));
    assert_eq!(found.len(), 100_000);
    assert!(found.iter().all(|(rule, _)| rule == "tool-result-before-call"));
}

#[test]
fn parallel_calls_answered_in_reverse() {
    let count = 20_000;
    let calls = list(count, |n| format!(r#"{{"type":"toolCall","id":"c{n}","name":"f","arguments":"{{}}"}}"#));
    let results = list(count, |n| {
        let n = count - 1 - n;
        format!(
            r#"{{"role":"toolResult","toolCallId":"c{n}","toolName":"f","content":[{{"type":"text","text":"r"}}],"isError":false}}"#
        )
    });
    let text = format!(r#"{{"messages":[{{"role":"assistant","content":[{calls}]}},{results}]}}"#);
    let found = judge(text.as_bytes(), &options("canonical", Mode::Request));
    assert_eq!(found.len(), count - 1);
    assert!(found.iter().all(|(rule, _)| rule == "parallel-results-out-of-order"));
}

#[test]
fn one_id_in_every_turn_and_no_answer_until_the_end() {
    let turns = list(50_000, |_| {
        r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"u"}"#.to_owned()
    });
    let results = list(50_000, |_| r#"{"role":"tool","tool_call_id":"a","content":"r"}"#.to_owned());
    let found = judge(format!("[{turns},{results}]").as_bytes(), &options("openai.chat", Mode::Request));
    assert_eq!(found.len(), 50_000);
    assert!(found.iter().all(|(rule, _)| rule == "tool-result-displaced"));
}

/// A turn of Gemini is answered by one content; many contents are a fault each, and none may look at all calls.
#[test]
fn calls_of_gemini_answered_one_by_one() {
    for (id, name, key) in [("", "f", 0), ("", "", 1), ("c", "f", 0), ("c", "", 1)] {
        let id = |n: usize| if id.is_empty() { String::new() } else { format!(r#""id":"{id}{n}","#) };
        let name = |n: usize| format!("{name}{}", n * key);
        let (calls, count) = (100_000, 50_000);
        let call = |n: usize| format!(r#"{{"functionCall":{{{}"name":"{}","args":{{}}}}}}"#, id(n), name(n));
        let answer = |n: usize| {
            let (id, name) = (id(n), name(n));
            format!(r#"{{"role":"user","parts":[{{"functionResponse":{{{id}"name":"{name}","response":{{}}}}}}]}}"#)
        };
        let text = format!(
            r#"[{{"role":"user","parts":[{{"text":"q"}}]}},{{"role":"model","parts":[{}]}},{},{{"role":"user","parts":[{{"text":"q"}}]}}]"#,
            list(calls, call),
            list(count, answer),
        );
        let found = judge(text.as_bytes(), &options("gemini.contents", Mode::Request));
        let of_rule = |rule: &str| found.iter().filter(|(found, _)| found == rule).count();
        assert_eq!(of_rule("split-tool-results"), count - 1);
        assert_eq!(of_rule("tool-call-without-result"), calls - count);
    }
}

#[test]
fn turns_of_gemini_in_a_row_and_results_at_the_end() {
    let turns = list(50_000, |n| {
        format!(r#"{{"role":"model","parts":[{{"functionCall":{{"id":"c{n}","name":"f","args":{{}}}}}}]}}"#)
    });
    let results = list(50_000, |n| {
        format!(r#"{{"role":"user","parts":[{{"functionResponse":{{"id":"c{n}","name":"f","response":{{}}}}}}]}}"#)
    });
    let text = format!(r#"[{{"role":"user","parts":[{{"text":"q"}}]}},{turns},{results}]"#);
    let found = judge(text.as_bytes(), &options("gemini.contents", Mode::Request));
    let of_rule = |rule: &str| found.iter().filter(|(found, _)| found == rule).count();
    assert_eq!(of_rule("split-model-turn"), 49_999);
    assert_eq!(of_rule("tool-call-without-result"), 0);
}

#[test]
fn server_calls_answered_in_order() {
    let calls = list(50_000, |n| {
        format!(r#"{{"type":"server_tool_use","id":"srvtoolu_{n}","name":"web_search","input":{{}}}}"#)
    });
    let results =
        list(50_000, |n| format!(r#"{{"type":"web_search_tool_result","tool_use_id":"srvtoolu_{n}","content":[]}}"#));
    let text = format!(r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{calls},{results}]}}]"#);
    assert_eq!(judge(text.as_bytes(), &options("anthropic.messages", Mode::Request)), []);
}

#[test]
fn an_object_with_very_many_keys() {
    let keys = list(100_000, |n| format!(r#""k{n}":0"#));
    let text = format!(r#"[{{"role":"user","content":"u",{keys},"k7":1}}]"#);
    let found = judge(text.as_bytes(), &options("openai.chat", Mode::Request));
    assert_eq!(found, [("duplicate-key".to_owned(), "/0/k7".to_owned())]);
}

#[test]
fn a_million_short_messages() {
    let messages = list(1_000_000, |_| r#"{"role":"user","content":"u"}"#.to_owned());
    assert_eq!(judge(format!("[{messages}]").as_bytes(), &options("openai", Mode::Request)), []);
}

#[test]
fn deep_values_where_none_are_looked_into() {
    let deep = format!("{}{}", "[".repeat(16_000), "]".repeat(16_000));
    let text = format!(r#"{{"messages":[{{"role":"user","content":"u","x":{deep}}}],"metadata":{deep}}}"#);
    assert_eq!(judge(text.as_bytes(), &options("openai.chat", Mode::Request)), []);
}
