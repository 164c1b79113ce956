//! Items of the Responses API: what a server takes of them, and which of them belong together.

mod told;

use told::{PICTURE, broken, fixed};

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
