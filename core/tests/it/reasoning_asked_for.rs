//! Servers that ask for the model's reasoning, in either dialect that they speak.

use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, Mode, Options, Target, check, fix};

const REQUEST: &str = r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"thinking","thinking":"first look","signature":""},{"type":"tool_use","id":"c1","name":"s","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"x"}]},{"role":"assistant","content":[{"type":"text","text":"done"}]},{"role":"user","content":"more"}]}"#;

fn server(replay: &str) -> Target {
    let text = format!(
        "name = \"server\"\ndialect = \"anthropic.messages\"\ntitle = \"A server\"\nsources = [\"esengine/DeepSeek-Reasonix#8902\"]\n[reasoning]\nsigned = false\nreplay = \"{replay}\""
    );
    Target::from_toml(&text).unwrap()
}

#[test]
fn a_turn_of_messages_has_its_reasoning() {
    for (replay, places) in [("once-called", &["/messages/3"][..]), ("with-calls", &[]), ("optional", &[])] {
        let target = server(replay);
        let found = |text: &[u8]| {
            let options =
                CheckOptions { target: &target, mode: Mode::Request, fragment: false, limits: Limits::default() };
            let found = check(text, &options).unwrap().violations;
            found.into_iter().map(|violation| (violation.rule, violation.pointer)).collect::<Vec<_>>()
        };
        let expected: Vec<_> = places.iter().map(|place| ("reasoning-missing", (*place).to_owned())).collect();
        assert_eq!(found(REQUEST.as_bytes()), expected);
        let fixed = fix(REQUEST.as_bytes(), &Options::new().from(Dialect::AnthropicMessages).to(&target)).unwrap();
        let text = String::from_utf8_lossy(&fixed.output).into_owned();
        assert!(text.contains("first look"), "{text}");
        assert_eq!(text == REQUEST, places.is_empty(), "{text}");
        assert_eq!(found(&fixed.output), []);
    }
    // A call whose turn has lost its reasoning.
    let bare = REQUEST.replace(r#"{"type":"thinking","thinking":"first look","signature":""},"#, "");
    let target = server("with-calls");
    let fixed = fix(bare.as_bytes(), &Options::new().from(Dialect::AnthropicMessages).to(&target)).unwrap();
    assert!(String::from_utf8_lossy(&fixed.output).contains(r#""type":"thinking","thinking":"""#));
}

#[test]
fn unsigned_reasoning_goes_to_a_server_that_asks_for_it() {
    for target in ["deepseek", "kimi"] {
        let written = |request: &str| {
            let options = Options::new().from(Dialect::AnthropicMessages).to(Target::by_name(target).unwrap());
            String::from_utf8(fix(request.as_bytes(), &options).unwrap().output.into_owned()).unwrap()
        };
        assert!(written(REQUEST).contains(r#""reasoning_content":"first look""#), "{target}");
        // What Claude signed stays its own.
        let signed = REQUEST.replace(r#""signature":"""#, r#""signature":"c2lnbmVk""#);
        assert!(!written(&signed).contains("first look"), "{target}");
        let anthropic = Options::new().from(Dialect::AnthropicMessages).to(Target::by_name("anthropic").unwrap());
        let fixed = fix(REQUEST.as_bytes(), &anthropic).unwrap();
        assert!(!String::from_utf8_lossy(&fixed.output).contains("first look"));
    }
}
