//! Rules that depend on the model or the settings of the request, and violations that the server accepts.

use super::{Mode, Target, broken, check, options, valid};
use crate::target::Level;

/// Judges a request; returns rule and severity of each violation.
fn severities(target: &str, document: &str) -> Vec<(&'static str, Level)> {
    let checked = check(document.as_bytes(), &options(target, Mode::Request)).expect("can be judged");
    checked.violations.iter().map(|found| (found.rule, found.severity)).collect()
}

#[test]
fn system_messages_between_turns_depend_on_the_model() {
    let talk = |model: &str| {
        format!(
            r#"{{{model}"messages":[{{"role":"user","content":"a"}},{{"role":"system","content":"b"}},{{"role":"system","content":"c"}}]}}"#
        )
    };
    let newest =
        [r#""model":"claude-opus-4-8","#, r#""model":"us.anthropic.claude-opus-4-8","#, r#""model":"claude-fable-5","#];
    for model in newest {
        valid("anthropic", &[&talk(model)]);
    }
    for model in ["", r#""model":null,"#, r#""model":"claude-opus-4-5","#, r#""model":"claude-3-5-sonnet","#] {
        assert!(!severities("anthropic", &talk(model)).is_empty(), "{model}");
    }
}

#[test]
fn the_model_of_the_body_wins_over_that_of_the_target() {
    let open = |model: &str| {
        format!(r#"{{{model}"messages":[{{"role":"assistant","content":"a"}},{{"role":"user","content":"q"}}]}}"#)
    };
    let old = Target::by_name("anthropic").expect("a target").for_model("claude-2.1");
    let judged = |document: &str| {
        let options = super::CheckOptions { target: &old, ..options("anthropic", Mode::Request) };
        let checked = check(document.as_bytes(), &options).expect("can be judged");
        (checked.violations.len(), checked.profiles)
    };
    assert_eq!(judged(&open("")), (1, vec!["opens-with-user".to_owned()]));
    assert_eq!(judged(&open(r#""model":"","#)), (1, vec!["opens-with-user".to_owned()]));
    assert_eq!(judged(&open(r#""model":"claude-sonnet-4-5","#)), (0, Vec::new()));
}

#[test]
fn settings_of_the_body_select_a_profile() {
    let turn = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let talk = |settings: &str| {
        format!(
            r#"{{{settings}"messages":[{{"role":"user","content":"q"}},{turn},{{"role":"tool","tool_call_id":"a","content":"r"}}]}}"#
        )
    };
    for settings in [r#""thinking":{"type":"disabled"},"#, r#""model":"deepseek-chat","#] {
        valid("deepseek", &[&talk(settings)]);
    }
    for settings in ["", r#""thinking":{"type":"enabled"},"#, r#""thinking":null,"#, r#""model":"deepseek-v4-flash","#]
    {
        broken("deepseek", &[(&talk(settings), &[("reasoning-missing", "/messages/1")])]);
    }
}

#[test]
fn gemini_3_on_vertex_takes_ids() {
    let talk = |model: &str| {
        format!(
            r#"{{{model}"contents":[{{"role":"user","parts":[{{"text":"q"}}]}},{{"role":"model","parts":[{{"functionCall":{{"id":"a","name":"f","args":{{}}}},"thoughtSignature":"AAAA"}}]}},{{"role":"user","parts":[{{"functionResponse":{{"id":"a","name":"f","response":{{"output":"r"}}}}}}]}}]}}"#
        )
    };
    valid("vertex", &[&talk(r#""model":"publishers/google/models/gemini-3-flash-preview","#)]);
    for model in ["", r#""model":"gemini-2.5-flash","#] {
        assert_eq!(severities("vertex", &talk(model)), [("tool-call-id-refused", Level::Error); 2], "{model}");
    }
}

#[test]
fn what_a_server_accepts_by_mistake_is_a_warning() {
    let gemini = |name: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"q"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"f","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"{name}","response":{{"output":"r"}}}}}}]}}]}}"#
        )
    };
    valid("gemini", &[&gemini("f")]);
    for name in ["g", "7f9c0d1e-1111-4a4a-9b9b-0123456789ab"] {
        assert_eq!(severities("gemini", &gemini(name)), [("tool-result-name-mismatch", Level::Warning)], "{name}");
        assert!(severities("gemini.contents", &gemini(name)).iter().any(|(_, severity)| *severity == Level::Error));
    }
    let twice = r#"[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"\"{}\""}}]},{"role":"tool","tool_call_id":"a","content":"r"}]"#;
    assert_eq!(severities("openai", twice), [("tool-call-arguments-encoded-twice", Level::Warning)]);
    assert_eq!(severities("ollama-openai", twice), [("tool-call-arguments-encoded-twice", Level::Error)]);
}

#[test]
fn neighbours_of_what_is_accepted_stay_errors() {
    let mistral = |content: &str, calls: &str| {
        format!(
            r#"[{{"role":"user","content":"q"}},{{"role":"assistant","content":{content}{calls}}},{{"role":"user","content":"q"}}]"#
        )
    };
    assert_eq!(severities("mistral", &mistral("[]", "")), [("empty-message", Level::Error)]);
    let anthropic = |role: &str, content: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"{role}","content":{content}}},{{"role":"user","content":"q"}}]}}"#
        )
    };
    let beside = r#"[{"type":"text","text":"\n\n"},{"type":"text","text":"a"}]"#;
    valid("anthropic", &[&anthropic("assistant", beside)]);
    for (role, content) in [
        ("user", beside),
        ("assistant", r#"[{"type":"text","text":"\n\n"}]"#),
        ("assistant", r#"[{"type":"text","text":""},{"type":"text","text":"a"}]"#),
    ] {
        assert_eq!(
            severities("anthropic", &anthropic(role, content)),
            [("blank-text", Level::Error)],
            "{role} {content}"
        );
    }
}
