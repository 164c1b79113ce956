//! Reasoning that a server wrote out in full, at a server that takes only its summary.

mod told;

use told::{broken, fixed};

#[test]
fn the_words_go_into_the_summary() {
    let input = |summary: &str, content: &str| {
        format!(
            r#"{{"input":[{{"role":"user","content":"go"}},{{"type":"reasoning","id":"rs_1","summary":[{summary}]{content},"encrypted_content":"gAAAAABo"}},{{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{{}}"}},{{"type":"function_call_output","call_id":"c","output":"x"}}]}}"#
        )
    };
    let part = |words: &str| format!(r#"{{"type":"summary_text","text":"{words}"}}"#);
    let content = r#","content":[{"type":"reasoning_text","text":"one"},{"type":"reasoning_text","text":"two"}]"#;
    for (summary, mended) in [
        (String::new(), [part("one"), part("two")].join(",")),
        (part("short"), [part("short"), part("one"), part("two")].join(",")),
    ] {
        let request = input(&summary, content);
        for target in ["openai-responses", "openai-codex"] {
            assert_eq!(broken(target, &request), ["reasoning-with-content"]);
            let (text, rules) = fixed("openai.responses", target, &request);
            assert_eq!((text, rules), (input(&mended, ""), vec!["reasoning-with-content"]), "{target}");
        }
        // A server that wrote it takes it.
        assert_eq!(fixed("openai.responses", "openai.responses", &request), (request, vec![]));
        // An empty list is none.
        let empty = input(&summary, r#","content":[]"#);
        assert_eq!(fixed("openai.responses", "openai-responses", &empty), (empty, vec![]));
    }
}
