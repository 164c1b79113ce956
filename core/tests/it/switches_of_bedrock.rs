//! Switches of the target for models behind Bedrock that refuse some requests.

use wirecanon_core::{CheckOptions, Dialect, Options, Target, check, fix};

/// Returns the rules that a body breaks at Bedrock in one position of a switch, and what `fix` makes of it.
fn judged(switch: &str, value: &str, body: &str) -> (Vec<&'static str>, String) {
    let target = Target::by_name("bedrock").expect("a target").with(switch, value).expect("a switch");
    let rules = |text: &[u8]| {
        let found = check(text, &CheckOptions::new(&target).as_request()).expect("a verdict").violations;
        found.into_iter().map(|violation| violation.rule).collect::<Vec<_>>()
    };
    let fixed = fix(body.as_bytes(), &Options::new().from(Dialect::BedrockConverse).to(&target)).expect("fixed");
    assert_eq!(rules(&fixed.output), Vec::<&str>::new(), "{body}");
    (rules(body.as_bytes()), String::from_utf8(fixed.output.into_owned()).expect("text"))
}

#[test]
fn words_and_calls_stand_in_different_turns() {
    let talk = |words: &str, behind: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"q"}}]}},{{"role":"assistant","content":[{words}{{"toolUse":{{"toolUseId":"a","name":"f","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"a","content":[{{"text":"1"}}]}}}}]}}{behind}],"toolConfig":{{"tools":[{{"toolSpec":{{"name":"f","inputSchema":{{"json":{{}}}}}}}}]}}}}"#
        )
    };
    let words = r#"{"text":"I look."},"#;
    let done = r#",{"role":"assistant","content":[{"text":"Done."}]},{"role":"user","content":[{"text":"and?"}]}"#;
    assert_eq!(judged("words-beside-calls", "accept", &talk(words, done)), (vec![], talk(words, done)));
    let (rules, text) = judged("words-beside-calls", "refuse", &talk(words, done));
    assert_eq!(rules, ["words-beside-calls"]);
    assert_eq!(text, talk("", &done.replace(r#"{"text":"Done."}"#, r#"{"text":"I look."},{"text":"Done."}"#)));
    let apart = r#"{"text":"I look."}]},{"role":"user","content":[{"text":"[wirecanon: continue]"}]},{"role":"assistant","content":["#;
    let (_, text) = judged("words-beside-calls", "refuse", &talk(words, ""));
    assert_eq!(text, talk(apart, ""));
    assert_eq!(judged("words-beside-calls", "refuse", &talk("", done)), (vec![], talk("", done)));
}

#[test]
fn cache_marks_among_tools_are_taken_off() {
    let tool = |name: &str| format!(r#"{{"toolSpec":{{"name":"{name}","inputSchema":{{"json":{{}}}}}}}}"#);
    let mark = r#"{"cachePoint":{"type":"default"}}"#;
    let (f, g) = (tool("f"), tool("g"));
    let body = |tools: &[&str]| {
        let tools = tools.join(", ");
        format!(r#"{{"messages":[{{"role":"user","content":[{{"text":"q"}}]}}],"toolConfig":{{"tools":[{tools}]}}}}"#)
    };
    for tools in [&[&*f, mark][..], &[mark, &*f], &[mark, mark, &*f], &[&*f, mark, &*g, mark], &[mark, &*f, mark, &*g]]
    {
        let (rules, text) = judged("tool-marks", "refuse", &body(tools));
        let kept: Vec<_> = tools.iter().copied().filter(|item| *item != mark).collect();
        assert_eq!((text, rules.len()), (body(&kept), tools.len() - kept.len()));
        assert_eq!(judged("tool-marks", "accept", &body(tools)), (vec![], body(tools)));
    }
}
