//! Reasoning and signatures that a program keeps go back to who made them, and nowhere else.

use wirecanon_core::{CheckOptions, Dialect, Mode, Options, Target, check, fix};

/// What is written, which the judge takes, and the rules of its report.
fn fixed(from: &str, to: &str, input: &str) -> (String, Vec<&'static str>) {
    let target = Target::by_name(to).unwrap();
    let options = Options::new().from(Dialect::by_name(from).unwrap()).to(target);
    let fixed = fix(input.as_bytes(), &options).unwrap();
    let text = String::from_utf8(fixed.output.to_vec()).unwrap();
    let judged = CheckOptions { mode: Mode::Request, ..CheckOptions::new(target) };
    let broken = check(text.as_bytes(), &judged).unwrap().violations;
    assert!(broken.is_empty(), "{broken:?}: {text}");
    (text, fixed.report.repairs.iter().chain(&fixed.report.notes).map(|entry| entry.rule).collect())
}

/// A history of `LangChain` with this turn in it.
fn langchain(turn: &str) -> String {
    format!(
        r#"[{{"type":"human","content":"go"}},{{"type":"ai",{turn},"tool_calls":[{{"name":"f","args":{{}},"id":"c1","type":"tool_call"}}]}},{{"type":"tool","content":"r","tool_call_id":"c1"}}]"#
    )
}

/// A session of `OpenClaw`: a turn with these members and these blocks in front of its call.
fn openclaw(members: &str, blocks: &str, call: &str) -> String {
    format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant",{members},"content":[{blocks}{{"type":"toolCall","id":"c1","name":"f","arguments":{{}}{call}}}]}},{{"role":"toolResult","toolCallId":"c1","toolName":"f","content":[{{"type":"text","text":"r"}}],"isError":false}}]"#
    )
}

const SEAL: &str = "c2lnbmF0dXJl";

#[test]
fn words_that_nobody_signed_go_to_a_server_that_asks_for_them() {
    let kept = langchain(r#""content":"","additional_kwargs":{"reasoning_content":"hm","x":1}"#);
    let block = langchain(r#""content":[{"type":"reasoning","reasoning":"hm"}]"#);
    let model = r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"tool-call","toolCallId":"c1","toolName":"f","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"f","output":{"type":"text","value":"r"}}]}]"#;
    let ui = r#"[{"id":"1","role":"user","parts":[{"type":"text","text":"go"}]},{"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"reasoning","text":"hm"},{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{},"output":"r"}]}]"#;
    let unsigned = openclaw(r#""api":"openai-completions""#, r#"{"type":"thinking","thinking":"hm"},"#, "");
    let named = |member: &str| {
        let block = format!(r#"{{"type":"thinking","thinking":"hm","thinkingSignature":"{member}"}},"#);
        openclaw(r#""api":"openai-completions""#, &block, "")
    };
    for (from, input) in [
        ("langchain", &*kept),
        ("langchain", &*block),
        ("ai-sdk.model", model),
        ("ai-sdk.ui", ui),
        ("openclaw", &*unsigned),
        ("openclaw", &*named("reasoning_content")),
        ("openclaw", &*named("reasoning")),
        ("openclaw", &*named("reasoning_text")),
    ] {
        for target in ["deepseek", "kimi"] {
            let (text, rules) = fixed(from, target, input);
            assert!(text.contains(r#""reasoning_content":"hm""#), "{from}: {text}");
            assert!(!rules.iter().any(|rule| rule.contains("reasoning") || rule.contains("thinking")), "{rules:?}");
        }
        // Who does not ask for any gets none, and no name of a member is a signature.
        for target in ["openai", "anthropic", "gemini"] {
            let (text, rules) = fixed(from, target, input);
            assert!(!text.contains("hm") && !text.contains("reasoning"), "{from} to {target}: {text}");
            assert!(rules.contains(&"thinking-left-out"), "{from} to {target}: {rules:?}");
        }
    }
}

#[test]
fn what_somebody_signed_is_not_put_into_a_server_that_asks_for_reasoning() {
    let signed = format!(r#"{{"type":"thinking","thinking":"hm","thinkingSignature":"{SEAL}"}},"#);
    for members in [r#""api":"anthropic-messages","provider":"anthropic""#, r#""api":"openai-completions""#] {
        let (text, rules) = fixed("openclaw", "deepseek", &openclaw(members, &signed, ""));
        assert!(text.contains(r#""reasoning_content":"""#) && !text.contains("hm"), "{text}");
        assert!(rules.starts_with(&["thinking-left-out", "reasoning-missing"]), "{rules:?}");
    }
    let blank = langchain(r#""content":"","additional_kwargs":{"reasoning_content":" "}"#);
    assert!(fixed("langchain", "kimi", &blank).1.contains(&"reasoning-missing"));
}

#[test]
fn an_item_of_reasoning_in_langchain_is_the_item_of_openai() {
    let item = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"gAAA"}"#;
    let input = langchain(&format!(r#""content":[{item}]"#));
    for target in ["openai-responses", "openai-codex"] {
        let (text, rules) = fixed("langchain", target, &input);
        assert!(text.contains(item), "{text}");
        assert_eq!(rules, Vec::<&str>::new());
    }
    let (text, rules) = fixed("langchain", "anthropic", &input);
    assert!(!text.contains("reasoning") && rules.contains(&"thinking-left-out"), "{rules:?}: {text}");
    let (canonical, _) = fixed("langchain", "canonical", &input);
    let (home, _) = fixed("canonical", "langchain", &canonical);
    let head = item.split_once(r#","encrypted_content""#).unwrap().0;
    let rest = head.trim_start_matches(r#"{"type":"reasoning","#);
    assert!(home.contains(r#"{"type":"reasoning","encrypted_content":"gAAA","#), "{home}");
    assert!(home.contains(rest), "{home}");
    assert!(fixed("canonical", "openai-codex", &canonical).0.contains(item));
}

#[test]
fn a_signature_of_gemini_that_a_program_keeps_goes_back_to_gemini() {
    let call = |from: &str, field: &str| match from {
        "openclaw" => openclaw(r#""api":"google-generative-ai""#, "", field),
        "ai-sdk.model" => format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c1","toolName":"f","input":{{}}{field}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c1","toolName":"f","output":{{"type":"text","value":"r"}}}}]}}]"#
        ),
        "ai-sdk.ui" => format!(
            r#"[{{"id":"1","role":"user","parts":[{{"type":"text","text":"go"}}]}},{{"id":"2","role":"assistant","parts":[{{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{{}},"output":"r"{field}}}]}}]"#
        ),
        "langchain" => langchain(&format!(r#""content":""{field}"#)),
        _ => format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"c1","type":"function","function":{{"name":"f","arguments":"{{}}"}}{field}}}]}},{{"role":"tool","tool_call_id":"c1","content":"r"}}]}}"#
        ),
    };
    let kept = |seal: &str| {
        let fields =
            |name: &str, provider: &str| format!(r#","{name}":{{"{provider}":{{"thoughtSignature":"{seal}"}}}}"#);
        [
            ("openclaw", format!(r#","thoughtSignature":"{seal}""#)),
            ("ai-sdk.model", fields("providerOptions", "google")),
            ("ai-sdk.model", fields("providerOptions", "vertex")),
            ("ai-sdk.ui", fields("callProviderMetadata", "google")),
            ("ai-sdk.ui", fields("callProviderMetadata", "vertex")),
            (
                "langchain",
                format!(r#","additional_kwargs":{{"__gemini_function_call_thought_signatures__":{{"c1":"{seal}"}}}}"#),
            ),
            ("openai.chat", format!(r#","extra_content":{{"google":{{"thought_signature":"{seal}"}}}}"#)),
            ("openai.chat", format!(r#","provider_specific_fields":{{"thought_signature":"{seal}"}}"#)),
        ]
    };
    for (from, field) in kept(SEAL) {
        let (text, rules) = fixed(from, "gemini-3", &call(from, &field));
        assert!(text.contains(&format!(r#""thoughtSignature":"{SEAL}""#)), "{from}: {text}");
        // Nothing is said of the signature.
        let says_more = ["langchain", "openclaw", "ai-sdk.ui"].contains(&from);
        assert!(rules.iter().all(|rule| says_more && *rule == "native-field-left-out"), "{from}: {rules:?}");
        let (home, rules) = fixed(from, from, &call(from, &field));
        assert_eq!((home, rules), (call(from, &field), vec![]), "{from}");
        let (canonical, _) = fixed(from, "canonical", &call(from, &field));
        assert!(fixed("canonical", "gemini-3", &canonical).0.contains(SEAL), "{from}");
    }
    for (from, field) in kept("msg:none") {
        let (text, rules) = fixed(from, "gemini-3", &call(from, &field));
        assert!(text.contains("skip_thought_signature_validator") && !text.contains("msg:none"), "{from}: {text}");
        assert!(rules.contains(&"thought-signature-missing"), "{from}: {rules:?}");
    }
    // A call of another provider is none of Gemini's.
    let foreign = openclaw(r#""api":"openai-completions""#, "", &format!(r#","thoughtSignature":"{SEAL}""#));
    assert!(!fixed("openclaw", "gemini-3", &foreign).0.contains(SEAL));
    let routed = format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"reasoning_details":[{{"type":"reasoning.encrypted","data":"{SEAL}","id":"c1","format":"google-gemini-v1","index":0}}],"tool_calls":[{{"id":"c1","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"c1","content":"r"}}]}}"#
    );
    assert!(fixed("openai.chat", "gemini-3", &routed).0.contains(SEAL));
    assert!(
        !fixed("openai.chat", "gemini-3", &routed.replace(r#""id":"c1","format""#, r#""id":"c2","format""#))
            .0
            .contains(SEAL)
    );
}

#[test]
fn what_a_turn_of_openclaw_says_of_its_provider_holds_since_the_user_last_spoke() {
    let signed = format!(r#"{{"type":"thinking","thinking":"hm","thinkingSignature":"{SEAL}"}},"#);
    for (members, target) in [
        (r#""api":"anthropic-messages","provider":"anthropic""#, "anthropic"),
        (r#""api":"bedrock-converse-stream","provider":"amazon-bedrock""#, "bedrock-claude"),
        (r#""api":"google-generative-ai","provider":"google""#, "gemini"),
    ] {
        let session = openclaw(members, &signed, "");
        let (text, rules) = fixed("openclaw", target, &session);
        assert!(text.contains("hm") && text.contains(SEAL), "{target}: {text}");
        assert!(!rules.contains(&"thinking-left-out"), "{target}: {rules:?}");
        for other in ["anthropic", "gemini", "bedrock-claude", "openai-codex"] {
            let (text, _) = fixed("openclaw", other, &session);
            // Claude's signatures hold on either of its servers.
            let claude = [other, target].iter().all(|name| ["anthropic", "bedrock-claude"].contains(name));
            assert!(other == target || claude == text.contains(SEAL), "{target} to {other}: {text}");
        }
        // Somebody who only speaks like the provider signs otherwise.
        let provider = members.split_once(r#","provider"#).unwrap().0;
        let other = openclaw(&format!(r#"{provider},"provider":"other""#), &signed, "");
        assert!(!fixed("openclaw", target, &other).0.contains(SEAL), "{target}");
        let spoken = session.trim_end_matches(']').to_owned() + r#",{"role":"user","content":"and now?"}]"#;
        let (text, rules) = fixed("openclaw", target, &spoken);
        assert!(!text.contains(SEAL) && rules.contains(&"thinking-left-out"), "{target}: {text}");
    }
}

#[test]
fn an_item_that_openclaw_keeps_as_a_signature_is_the_item_of_openai() {
    let item = r#"{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gAAA\"}"#;
    let block = format!(r#"{{"type":"thinking","thinking":"","thinkingSignature":"{item}"}},"#);
    let session = openclaw(r#""api":"openai-responses","provider":"openai""#, &block, "");
    for target in ["openai-responses", "openai-codex"] {
        let (text, _) = fixed("openclaw", target, &session);
        let whole = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"}"#;
        assert!(text.contains(whole), "{text}");
    }
    assert_eq!(fixed("openclaw", "openclaw", &session), (session.clone(), vec![]));
    let (canonical, _) = fixed("openclaw", "canonical", &session);
    assert!(fixed("canonical", "openclaw", &canonical).0.contains(item), "{canonical}");
    let (text, rules) = fixed("openclaw", "anthropic", &session);
    assert!(!text.contains("gAAA") && rules.contains(&"thinking-left-out"), "{text}");
}

#[test]
fn a_provider_that_langchain_names_has_its_signature_back() {
    let block = format!(r#""content":[{{"type":"thinking","thinking":"hm","signature":"{SEAL}"}}]"#);
    for (provider, target) in
        [("anthropic", "anthropic"), ("google_genai", "gemini"), ("bedrock_converse", "bedrock-claude")]
    {
        let input = langchain(&format!(r#"{block},"response_metadata":{{"model_provider":"{provider}"}}"#));
        let (text, _) = fixed("langchain", target, &input);
        assert!(text.contains("hm") && text.contains(SEAL), "{target}: {text}");
    }
    let (text, rules) = fixed("langchain", "anthropic", &langchain(&block));
    assert!(!text.contains(SEAL) && rules.contains(&"thinking-left-out"), "{text}");
}

#[test]
fn a_signature_that_a_gateway_puts_beside_the_same_words_goes_to_who_made_it() {
    let request = |beside: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":"so","reasoning_content":"hm",{beside}}},{{"role":"user","content":"and?"}}]}}"#
        )
    };
    let litellm =
        |words: &str| format!(r#""thinking_blocks":[{{"type":"thinking","thinking":"{words}","signature":"{SEAL}"}}]"#);
    let routed = |format: &str| {
        format!(
            r#""reasoning_details":[{{"type":"reasoning.text","text":"hm","signature":"{SEAL}","format":"{format}"}}]"#
        )
    };
    for beside in [litellm("hm"), routed("anthropic-claude-v1")] {
        let (text, _) = fixed("openai.chat", "anthropic", &request(&beside));
        let block = format!(r#"{{"type":"thinking","thinking":"hm","signature":"{SEAL}"}}"#);
        assert!(text.contains(&block), "{text}");
        let (canonical, _) = fixed("openai.chat", "canonical", &request(&beside));
        assert!(fixed("canonical", "anthropic", &canonical).0.contains(&block), "{canonical}");
        assert_eq!(fixed("openai.chat", "openai.chat", &request(&beside)), (request(&beside), vec![]));
        assert!(!fixed("openai.chat", "gemini", &request(&beside)).0.contains(SEAL));
    }
    for beside in [litellm("something else"), routed("google-gemini-v1")] {
        assert!(!fixed("openai.chat", "anthropic", &request(&beside)).0.contains(SEAL));
    }
}

#[test]
fn a_summary_whose_parts_have_types_that_are_no_strings_keeps_its_texts() {
    for kind in [r#"["summary_text"]"#, "null", "7", "{}"] {
        let item = format!(r#"{{"type":"reasoning","id":"rs_1","summary":[{{"type":{kind},"text":"first this"}}]}}"#);
        let (text, _) = fixed("langchain", "canonical", &langchain(&format!(r#""content":[{item}]"#)));
        assert!(text.contains(r#""thinking":"first this""#), "{text}");
    }
}
