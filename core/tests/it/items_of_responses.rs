//! Items of the Responses API: what a server takes of them, and which of them belong together.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Mode, Target, check};

/// A request with these items behind a message of the user.
fn asked(items: &[&str]) -> String {
    format!(r#"{{"input":[{{"role":"user","content":"go"}},{}]}}"#, items.join(","))
}

#[test]
fn an_output_has_no_member_that_only_messages_have() {
    let picture = format!(r#"[{{"type":"input_image","image_url":"data:image/png;base64,{PICTURE}"}}]"#);
    for (call, output, member) in [
        (r#""function_call","arguments":"{}""#, "function_call_output", r#""role":"tool","#),
        (r#""custom_tool_call","input":"a""#, "custom_tool_call_output", r#""role":"tool","#),
        (r#""custom_tool_call","input":"a""#, "custom_tool_call_output", r#""name":"f","#),
    ] {
        let request = |member: &str| {
            asked(&[
                &format!(r#"{{"type":{call},"call_id":"c","name":"f"}}"#),
                &format!(r#"{{"type":"{output}",{member}"call_id":"c","output":{picture}}}"#),
            ])
        };
        for target in ["openai.responses", "openai-responses", "openai-codex"] {
            assert_eq!(broken(target, &request(member)), ["unknown-field"], "{target}: {member}");
            let (text, rules) = fixed("openai.responses", target, &request(member));
            assert_eq!(rules, ["unknown-field"], "{target}: {member}");
            assert!(!text.contains(member) && text.contains(&picture), "{text}");
        }
    }
}

/// A call of the shell that the client runs.
const SHELL: &str = r#"{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed","action":{"type":"exec","command":["ls"],"env":{}}}"#;
const NEXT: &str = r#"{"role":"user","content":"next"}"#;

#[test]
fn a_call_of_the_local_shell_is_answered_by_its_own_output_or_by_a_functions() {
    for output in [
        r#"{"type":"function_call_output","call_id":"c","output":"a.txt"}"#,
        r#"{"type":"function_call_output","call_id":"c","output":""}"#,
        r#"{"type":"function_call_output","id":"fco_1","call_id":"c","output":"a.txt"}"#,
        r#"{"type":"local_shell_call_output","id":"c","output":"a.txt"}"#,
        r#"{"type":"local_shell_call_output","id":"lsh_1","output":"a.txt"}"#,
        r#"{"type":"local_shell_call_output","call_id":"c","output":"a.txt"}"#,
    ] {
        let call = r#"{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}"#;
        let its = r#"{"type":"function_call_output","call_id":"b","output":"r"}"#;
        for items in [vec![SHELL, output, NEXT], vec![SHELL, call, output, its, NEXT]] {
            let request = asked(&items);
            for target in ["openai.responses", "openai-responses", "openai-codex"] {
                assert_eq!(broken(target, &request), [""; 0], "{target}: {request}");
                assert_eq!(fixed("openai.responses", target, &request), (request.clone(), vec![]));
            }
            let canonical = fixed("openai.responses", "canonical", &request).0;
            let back = fixed("canonical", "openai.responses", &canonical).0;
            let answer = if output.contains("a.txt") { r#""output":"a.txt""# } else { r#""output":"(no output)""# };
            assert!(back.contains(r#""type":"local_shell_call","#) && back.contains(answer), "{back}");
        }
    }
}

#[test]
fn a_call_of_the_local_shell_is_answered_once() {
    let output = r#"{"type":"function_call_output","call_id":"c","output":"a.txt"}"#;
    let own = r#"{"type":"local_shell_call_output","id":"c","output":"a.txt"}"#;
    for (first, second) in [(output, "duplicate-tool-result"), (own, "orphan-tool-result")] {
        let request = asked(&[SHELL, first, output, NEXT]);
        assert_eq!(broken("openai.responses", &request), [second], "{first}");
        let (text, rules) = fixed("openai.responses", "openai.responses", &request);
        assert_eq!((text, rules), (asked(&[SHELL, first, NEXT]), vec![second]));
    }
    let stray = r#"{"type":"local_shell_call_output","id":"d","output":"a.txt"}"#;
    assert_eq!(broken("openai.responses", &asked(&[stray, NEXT])), ["provider-item-without-partner"]);
    assert_eq!(fixed("openai.responses", "openai.responses", &asked(&[stray, NEXT])).0, asked(&[NEXT]));
}

#[test]
fn a_search_for_tools_that_the_client_runs_goes_with_its_output() {
    let item = |kind: &str, more: &str| format!(r#"{{"type":"tool_search_{kind}",{more},"status":"completed"}}"#);
    let call = |who: &str| item("call", &format!(r#"{who},"arguments":{{"query":"x"}}"#));
    let output = |who: &str| item("output", &format!(r#"{who},"tools":[]"#));
    let client = r#""call_id":"c","execution":"client""#;
    let server = r#""call_id":null,"execution":"server""#;
    let named = r#""call_id":"c","execution":"server""#;
    for items in [
        vec![call(client), output(client)],
        vec![call(server), output(server)],
        vec![call(server)],
        vec![output(server)],
        vec![call(named)],
    ] {
        let request = asked(&[&items.join(","), NEXT]);
        assert_eq!(broken("openai.responses", &request), [""; 0], "{request}");
        assert_eq!(fixed("openai.responses", "openai.responses", &request), (request, vec![]));
    }
    for who in [client, r#""call_id":"c""#] {
        for item in [call(who), output(who)] {
            let request = asked(&[&item, NEXT]);
            assert_eq!(broken("openai.responses", &request), ["provider-item-without-partner"], "{item}");
            let (text, rules) = fixed("openai.responses", "openai.responses", &request);
            assert_eq!(rules, ["provider-item-without-partner"]);
            assert_eq!(text.contains("query"), item.contains("query"), "{text}");
        }
    }
}

#[test]
fn reasoning_has_no_status_for_codex() {
    let thought = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA","status":"completed"}"#;
    let words = r#"{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}]}"#;
    let request = asked(&[thought, words, NEXT]);
    let canonical = fixed("openai.responses", "canonical", &request).0;
    let (text, rules) = fixed("canonical", "openai-codex", &canonical);
    assert!(text.contains("gAAA") && rules.contains(&"unknown-field"), "{text}: {rules:?}");
    let strict = Target::by_name("openai-responses").unwrap().with("reasoning-status", "refuse").unwrap();
    let options = CheckOptions { target: &strict, mode: Mode::Request, fragment: false, limits: Limits::default() };
    assert_eq!(check(request.as_bytes(), &options).unwrap().violations.len(), 1);
}

#[test]
fn a_file_in_an_output_is_a_file_at_home_and_a_word_of_it_elsewhere() {
    const PDF: &str = "JVBERi0xLjQKMSAwIG9iajw8Pj5lbmRvYmoKdHJhaWxlcjw8Pj4KJSVFT0YK";
    let call = r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}"#;
    for (data, stand_in) in [
        (
            format!(r#""filename":"a.pdf","file_data":"data:application/pdf;base64,{PDF}""#),
            "file left out: a.pdf (application/pdf)",
        ),
        (format!(r#""file_data":"data:application/pdf;base64,{PDF}""#), "file left out: application/pdf"),
    ] {
        let output = format!(
            r#"{{"type":"function_call_output","call_id":"c","output":[{{"type":"input_text","text":"x"}},{{"type":"input_file",{data}}}]}}"#
        );
        let request = asked(&[call, &output]);
        assert_eq!(fixed("openai.responses", "openai-responses", &request), (request.clone(), vec![]));
        let canonical = fixed("openai.responses", "canonical", &request).0;
        assert!(fixed("canonical", "openai-responses", &canonical).0.contains(PDF), "{canonical}");
        for target in ["anthropic", "openai", "gemini", "bedrock", "mistral"] {
            assert!(fixed("openai.responses", target, &request).0.contains(PDF), "{target}");
        }
        for target in ["groq", "cohere", "ollama", "openclaw"] {
            let (text, rules) = fixed("openai.responses", target, &request);
            assert!(text.contains(stand_in) && !text.contains(PDF), "{target}: {text}");
            assert!(rules.contains(&"file-not-accepted"), "{target}: {rules:?}");
        }
    }
    // A file that stands elsewhere is what says where.
    let output = r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_file","file_id":"file-1"}]}"#;
    assert!(fixed("openai.responses", "openai", &asked(&[call, output])).0.contains("file-1"));
}

/// SPEC.md, R74.
#[test]
fn what_codex_keeps_among_its_items() {
    let older = asked(&[r#"{"type":"compaction_summary","encrypted_content":"gAAA"}"#, NEXT]);
    let snapshot = asked(&[r#"{"type":"ghost_snapshot","ghost_commit":{"id":"a"}}"#, r#"{"type":"other"}"#, NEXT]);
    for target in ["openai.responses", "openai-codex"] {
        assert_eq!(broken(target, &older), ["unknown-block"]);
        let mended = older.replace("compaction_summary", "compaction");
        assert_eq!(fixed("openai.responses", target, &older), (mended, vec!["unknown-block"]));
        assert_eq!(broken(target, &snapshot), ["unknown-block"; 2]);
        assert_eq!(fixed("openai.responses", target, &snapshot), (asked(&[NEXT]), vec!["unknown-block"; 2]));
    }
    // Elsewhere it is an item that only its server can open.
    let (text, rules) = fixed("openai.responses", "anthropic", &older);
    assert_eq!(rules, ["unknown-block", "opaque-item-left-out"]);
    assert!(text.contains("[wirecanon: openai.responses item compaction left out]"), "{text}");
}

/// SPEC.md, R74.
#[test]
fn a_phase_within_a_text_is_that_of_its_message() {
    let message = |item: &str, texts: &[&str]| {
        let text = |phase: &&str| format!(r#"{{"type":"output_text","text":"t"{phase}}}"#);
        let texts: Vec<_> = texts.iter().map(text).collect();
        asked(&[&format!(r#"{{"type":"message","role":"assistant","content":[{}]{item}}}"#, texts.join(",")), NEXT])
    };
    let (phase, other) = (r#","phase":"commentary""#, r#","phase":"final_answer""#);
    for texts in [vec![phase], vec![phase, phase], vec!["", phase]] {
        let request = message("", &texts);
        assert!(broken("openai-responses", &request).iter().all(|rule| *rule == "unknown-field"), "{request}");
        let (text, rules) = fixed("openai.responses", "openai-responses", &request);
        assert_eq!((text, rules), (message(phase, &vec![""; texts.len()]), vec!["field-alias"]), "{request}");
    }
    for (item, texts, rules) in
        [(phase, vec![other], vec!["unknown-field"]), ("", vec![phase, other], vec!["field-alias", "unknown-field"])]
    {
        let (text, found) = fixed("openai.responses", "openai-responses", &message(item, &texts));
        assert_eq!((text, found), (message(phase, &vec![""; texts.len()]), rules));
    }
    let (text, rules) = fixed("openai.responses", "openai-responses", &message("", &[r#","phase":"thinking""#]));
    assert_eq!((text, rules), (message("", &[""]), vec!["unknown-field"]));
}

#[test]
fn stored_reasoning_before_an_item_that_becomes_text_goes_without_its_id() {
    let thought = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"gA","origin":"openai.responses","native":{"openai.responses":{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"t"}]}}}]}"#;
    for item in [
        r#"{"type":"opaque","dialect":"openai.responses","value":{"id":"fc_1","partial_args":"x"}}"#,
        r#"{"type":"opaque","dialect":"openai.responses","value":{"type":"of the future","id":"x_1"}}"#,
        r#"{"type":"opaque","dialect":"gemini.contents","value":{"executableCode":{"code":"1"}}}"#,
        r#"{"type":"opaque","dialect":"openai.responses","value":{"type":"computer_call","id":"cu_1","call_id":"c","status":"completed","pending_safety_checks":[],"action":{"type":"screenshot"}}}"#,
        r#"{"type":"text","text":"said"}"#,
    ] {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{thought},{{"role":"assistant","content":[{item}]}},{{"role":"user","content":"r"}}]}}"#
        );
        let (text, rules) = fixed("canonical", "openai-responses", &input);
        assert_eq!(broken("openai-responses", &text), [""; 0], "{text}");
        assert!(rules.contains(&"provider-item-without-partner"), "{item}: {rules:?}");
        assert!(text.contains(r#""encrypted_content":"gA""#) && !text.contains("rs_1"), "{text}");
    }
}
