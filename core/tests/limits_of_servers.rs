//! Limits that a history reaches: images and documents that collect until the server refuses every request, and reasoning
//! that one server wrote out in full and another takes as a summary alone.

mod told;

use told::{PICTURE, broken, fixed};

/// One message of the user with all of these blocks behind words.
fn asked(words: &str, blocks: &[String]) -> String {
    format!(r#"{{"messages":[{{"role":"user","content":[{words},{}]}}]}}"#, blocks.join(","))
}

/// Every form of image and document that a request of this dialect may hold.
fn forms(dialect: &str) -> Vec<String> {
    let bedrock = |kind: &str, format: &str, source: &str| match kind {
        "document" => format!(r#"{{"document":{{"format":"{format}","name":"n@","source":{source}}}}}"#),
        _ => format!(r#"{{"image":{{"format":"{format}","source":{source}}}}}"#),
    };
    let anthropic = |kind: &str, source: &str| format!(r#"{{"type":"{kind}","source":{source}}}"#);
    let s3 = r#"{"s3Location":{"uri":"s3://bucket/key"}}"#;
    match dialect {
        "bedrock.converse" => vec![
            bedrock("image", "png", &format!(r#"{{"bytes":"{PICTURE}"}}"#)),
            bedrock("image", "png", s3),
            bedrock("document", "txt", r#"{"bytes":"YQ=="}"#),
            bedrock("document", "pdf", s3),
            bedrock("document", "txt", r#"{"text":"words"}"#),
        ],
        _ => vec![
            anthropic("image", &format!(r#"{{"type":"base64","media_type":"image/png","data":"{PICTURE}"}}"#)),
            anthropic("image", r#"{"type":"url","url":"https://example.com/a.png"}"#),
            anthropic("image", r#"{"type":"file","file_id":"file_1"}"#),
            anthropic("document", r#"{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}"#),
            anthropic("document", r#"{"type":"text","media_type":"text/plain","data":"words"}"#),
            anthropic("document", r#"{"type":"url","url":"https://example.com/a.pdf"}"#),
            anthropic("document", r#"{"type":"content","content":[{"type":"text","text":"words"}]}"#),
            anthropic("document", r#"{"type":"file","file_id":"file_1"}"#),
        ],
    }
}

#[test]
fn each_form_counts_and_the_newest_stay() {
    for (dialect, target, words, most) in [
        ("bedrock.converse", "bedrock", r#"{"text":"go"}"#, 20),
        ("bedrock.converse", "bedrock-claude", r#"{"text":"go"}"#, 20),
        ("anthropic.messages", "anthropic", r#"{"type":"text","text":"go"}"#, 100),
    ] {
        for form in forms(dialect) {
            let most = if form.contains("document") && most == 20 { 5 } else { most };
            let named = |at: usize| form.replace('@', &at.to_string());
            let many: Vec<String> = (0..=most).map(named).collect();
            let request = asked(words, &many);
            assert_eq!(broken(target, &request), ["too-many-media"], "{target}: {form}");
            let (mended, rules) = fixed(dialect, target, &request);
            assert_eq!(rules, ["too-many-media"], "{target}: {form}");
            assert!(
                mended.ends_with(&asked("", &many[1..])[r#"{"messages":[{"role":"user","content":["#.len()..]),
                "{mended}"
            );
            // What stands is taken, and nothing goes.
            assert_eq!(fixed(dialect, target, &asked(words, &many[1..])).1, Vec::<&str>::new(), "{target}: {form}");
        }
    }
}

#[test]
fn results_of_many_turns_count_together() {
    let turn = |at: usize| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"c{at}","name":"shot","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c{at}","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PICTURE}"}}}}]}}]}}"#
        )
    };
    let turns: Vec<String> = (0..103).map(turn).collect();
    let request = format!(r#"{{"messages":[{{"role":"user","content":"go"}},{}]}}"#, turns.join(","));
    assert_eq!(broken("anthropic", &request), ["too-many-media"; 3]);
    let (mended, rules) = fixed("anthropic.messages", "anthropic", &request);
    assert_eq!(rules, ["too-many-media"; 3]);
    assert!(mended.ends_with(&format!("{}]}}", turns[3..].join(","))));
    let (left, rules) = fixed("anthropic.messages", "bedrock", &request);
    assert_eq!(rules.iter().filter(|rule| **rule == "too-many-media").count(), 83);
    assert_eq!(left.matches("iVBORw0KGgo").count(), 20);
}

#[test]
fn recordings_and_films_are_no_documents() {
    let film = r#"{"video":{"format":"mp4","source":{"bytes":"AAAA"}}}"#.to_owned();
    let request = asked(r#"{"text":"go"}"#, &vec![film; 8]);
    assert_eq!(broken("bedrock", &request), Vec::<&str>::new());
    assert_eq!(fixed("bedrock.converse", "bedrock", &request).1, Vec::<&str>::new());
}

#[test]
fn reasoning_in_full_goes_into_the_summary() {
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
        assert_eq!(broken("openai-codex", &request), ["reasoning-with-content"]);
        let after = (input(&mended, ""), vec!["reasoning-with-content"]);
        assert_eq!(fixed("openai.responses", "openai-codex", &request), after);
        // A server that wrote it takes it.
        for target in ["openai.responses", "openai-responses"] {
            assert_eq!(fixed("openai.responses", target, &request), (request.clone(), vec![]));
        }
        // An empty list is none.
        let empty = input(&summary, r#","content":[]"#);
        assert_eq!(fixed("openai.responses", "openai-codex", &empty), (empty, vec![]));
    }
}
