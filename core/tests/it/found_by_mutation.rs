//! Faults that mutations of the corpus found: what is written holds every rule, a second run changes nothing, and what is
//! gone is said.

use wirecanon_core::invariant::{Case, Known, Verdict, check_all};
use wirecanon_core::normalizer::Reference;
use wirecanon_core::{CheckOptions, Dialect, Fixed, From, Mode, Options, Target, check, fix};

const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn run<'a>(input: &'a str, from: &str, to: &str) -> Fixed<'a> {
    let options = Options {
        from: From::Dialect(Dialect::by_name(from).unwrap()),
        to: Some(Target::by_name(to).unwrap()),
        call_id: Some("call_1".to_owned()),
        ..Options::default()
    };
    fix(input.as_bytes(), &options).unwrap()
}

/// What is written, after the judge and a second run had nothing to say of it, and the rules of its report.
fn settled(input: &str, from: &str, to: &str) -> (String, Vec<&'static str>) {
    let fixed = run(input, from, to);
    let target = Target::by_name(to).unwrap();
    let options =
        CheckOptions { target, mode: Mode::Request, fragment: false, limits: wirecanon_core::json::Limits::default() };
    let found = check(&fixed.output, &options).unwrap().violations;
    let text = String::from_utf8(fixed.output.to_vec()).unwrap();
    assert!(found.is_empty(), "{found:?} in {text}");
    let again = run(&text, target.dialect.name(), to);
    assert_eq!(String::from_utf8_lossy(&again.output), text);
    assert!(again.report.repairs.is_empty(), "{:?}", again.report.repairs);
    let entries = fixed.report.repairs.iter().chain(&fixed.report.notes);
    (text.clone(), entries.map(|entry| entry.rule).collect())
}

fn chat(rest: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_1","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}},{rest}]}}"#
    )
}

#[test]
fn two_lists_of_messages_are_one_and_the_other_is_reported_lost() {
    let input = r#"{"messages":[{"role":"user","content":"first"}],"messages":[{"role":"user","content":"second"}]}"#;
    for (dialect, written) in [
        ("openai.chat", r#"{"messages":[{"role":"user","content":"second"}]}"#),
        ("anthropic.messages", r#"{"messages":[{"role":"user","content":"second"}]}"#),
        ("ollama.chat", r#"{"messages":[{"role":"user","content":"second"}]}"#),
    ] {
        let (text, rules) = settled(input, dialect, dialect);
        assert_eq!((text.as_str(), rules), (written, vec!["duplicate-key"]));
    }
    let report = run(input, "openai.chat", "openai.chat").report;
    let entry = &report.repairs[0];
    assert!(entry.lost && report.changed);
    assert_eq!(entry.original.as_deref(), Some(r#"[{"role":"user","content":"first"}]"#));
    let same = r#"{"messages":[{"role":"user","content":"a"}],"messages":[ {"content":"a","role":"user"}]}"#;
    assert!(!run(same, "openai.chat", "openai.chat").report.repairs[0].lost);
}

#[test]
fn a_closed_server_gets_no_name_of_a_tool_that_it_does_not_know() {
    let input = chat(r#"{"role":"tool","tool_call_id":"call_1","tool_name":"read","content":"ok"}"#);
    for target in ["groq", "cerebras"] {
        let (text, rules) = settled(&input, "openai.chat", target);
        assert!(!text.contains("tool_name") && rules.contains(&"unknown-field"), "{text} {rules:?}");
    }
}

#[test]
fn calls_on_a_result_are_gone_and_reported() {
    let input = chat(
        r#"{"role":"tool","tool_call_id":"call_1","content":"ok","tool_calls":[{"id":"call_2","type":"function","function":{"name":"read","arguments":"{}"}}]}"#,
    );
    for dialect in ["openai.chat", "mistral.chat", "ollama.chat"] {
        let (text, rules) = settled(&input, dialect, dialect);
        assert!(!text.contains("call_2") && rules.contains(&"block-in-wrong-role"), "{text} {rules:?}");
        assert!(run(&input, dialect, dialect).report.losses().next().is_some());
    }
}

#[test]
fn calls_under_another_name_are_called_by_their_own() {
    let input = chat(r#"{"role":"tool","tool_call_id":"call_1","content":"ok"}"#).replace("tool_calls", "toolCalls");
    for (dialect, target) in
        [("openai.chat", "openai"), ("openai.chat", "groq"), ("mistral.chat", "mistral"), ("cohere.v2", "cohere")]
    {
        let (text, rules) = settled(&input, dialect, target);
        assert!(text.contains(r#""tool_calls":[{"#) && rules.contains(&"field-alias"), "{text} {rules:?}");
    }
}

#[test]
fn what_is_no_function_call_is_reported_lost() {
    let input =
        r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"a","function_call":[1]}]}"#;
    let (text, rules) = settled(input, "openai.chat", "openai");
    assert!(!text.contains("function_call") && rules == ["unknown-block"], "{text} {rules:?}");
}

#[test]
fn reasoning_that_is_no_text_is_reported_lost() {
    let input = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"a","thinking":true}]}"#;
    let (text, rules) = settled(input, "ollama.chat", "ollama");
    assert!(!text.contains("thinking") && rules == ["text-not-a-string"], "{text} {rules:?}");
}

#[test]
fn a_signature_without_a_place_is_reported() {
    for dialect in ["openai.chat", "ollama.chat", "cohere.v2"] {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},{{"role":"assistant","content":[{{"type":"thinking","thinking":"deep","signature":"c2VhbA==","origin":"{dialect}"}},{{"type":"thinking","thinking":"","redacted":true,"signature":"c2VhbA==","origin":"{dialect}"}},{{"type":"text","text":"a"}}]}},{{"role":"user","content":[{{"type":"text","text":"and?"}}]}}]}}"#
        );
        let (text, rules) = settled(&input, "canonical", dialect);
        assert!(text.contains("deep") && !text.contains("c2VhbA"), "{text}");
        assert_eq!(rules, ["thinking-left-out", "native-field-left-out"]);
    }
}

#[test]
fn a_lone_result_and_its_pictures_are_known_again() {
    let input = format!(
        r#"{{"content":[{{"type":"text","text":"shot"}},{{"type":"image","data":"{PICTURE}","mimeType":"image/png"}}],"isError":false}}"#
    );
    for target in ["openai.chat", "groq", "mistral", "cohere", "ollama", "ollama-openai", "gemini"] {
        let (text, rules) = settled(&input, "mcp.tool-result", target);
        assert!(text.contains("shot") && text.contains(PICTURE), "{text}");
        assert!(rules.contains(&"media-in-tool-result"), "{rules:?}");
    }
}

#[test]
fn a_legacy_call_comes_back_with_a_result_of_its_own_kind() {
    let input = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"read","arguments":"{}","native":{"openai.chat":{"function_call":true}}}]}]}"#;
    let (text, _) = settled(input, "canonical", "openai");
    assert!(text.contains(r#""function_call":{"#) && text.contains(r#""role":"function""#), "{text}");
    let answered = input.replace(
        "]}]}",
        r#"]},{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{"type":"text","text":"ok"}],"isError":false}]}"#,
    );
    assert!(settled(&answered, "canonical", "openai").0.contains(r#""tool_calls":[{"#));
}

#[test]
fn an_id_that_is_cut_at_a_space_ends_before_it() {
    let id = format!("{} b", "a".repeat(63));
    let input = chat(r#"{"role":"tool","tool_call_id":"call_1","content":"ok"}"#).replace("call_1", &id);
    let (text, _) = settled(&input, "openai.chat", "openai");
    assert!(text.contains(&format!(r#""{}""#, "a".repeat(63))), "{text}");
}

#[test]
fn a_signature_that_is_not_base64_goes_to_no_server_that_reads_bytes() {
    let said = |seal: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},{{"role":"assistant","content":[{{"type":"thinking","thinking":"deep","signature":"{seal}","origin":"gemini.contents"}},{{"type":"text","text":"done"}}]}},{{"role":"user","content":[{{"type":"text","text":"more"}}]}}]}}"#
        )
    };
    for target in ["gemini.contents", "gemini", "gemini-3"] {
        let (text, rules) = settled(&said("no base64!"), "canonical", target);
        assert!(text.contains("deep") && !text.contains("no base64!"), "{text}");
        assert_eq!(rules, ["native-field-left-out"]);
        let (text, rules) = settled(&said("c2VhbA=="), "canonical", target);
        assert!(text.contains(r#""thoughtSignature":"c2VhbA==""#) && rules.is_empty(), "{text} {rules:?}");
    }
}

#[test]
fn one_result_alone_is_a_fragment_and_two_are_results_without_calls() {
    let part = |id: &str| {
        format!(
            r#"{{"type":"tool-result","toolCallId":"{id}","toolName":"read","output":{{"type":"text","value":"of {id}"}}}}"#
        )
    };
    let anthropic = |id: &str| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"of {id}"}}"#);
    let sampling = |id: &str| {
        format!(r#"{{"type":"tool_result","toolUseId":"{id}","content":[{{"type":"text","text":"of {id}"}}]}}"#)
    };
    let bedrock = |id: &str| format!(r#"{{"toolResult":{{"toolUseId":"{id}","content":[{{"text":"of {id}"}}]}}}}"#);
    let cases = [
        ("ai-sdk.model", "tool", &part as &dyn Fn(&str) -> String),
        ("anthropic.messages", "user", &anthropic),
        ("mcp.sampling", "user", &sampling),
        ("bedrock.converse", "user", &bedrock),
    ];
    for (dialect, role, result) in cases {
        let message = |results: &[&str]| {
            let results: Vec<_> = results.iter().map(|id| result(id)).collect();
            format!(r#"{{"role":"{role}","content":[{}]}}"#, results.join(","))
        };
        let one = message(&["call_1"]);
        assert_eq!(settled(&one, dialect, dialect).0, one);
        assert!(settled(&one, dialect, "canonical").0.contains(r#""role":"toolResult""#));
        let two = message(&["call_1", "call_2"]);
        for target in [dialect, "canonical", "openai.chat", "gemini.contents"] {
            let (_, rules) = settled(&two, dialect, target);
            assert_eq!(rules.iter().filter(|rule| **rule == "orphan-tool-result").count(), 2, "{dialect} {rules:?}");
        }
        let target = Target::by_name(dialect).unwrap();
        let limits = wirecanon_core::json::Limits::default();
        let options = CheckOptions { target, mode: Mode::Request, fragment: false, limits };
        let found = check(two.as_bytes(), &options).unwrap().violations;
        assert_eq!(found.len(), 2, "{dialect} {found:?}");
    }
}

#[test]
fn reasoning_that_was_read_with_its_seal_leaves_nothing_out() {
    let model = |fields: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"reasoning","text":"deep","providerOptions":{fields}}},{{"type":"text","text":"done"}}]}},{{"role":"user","content":"more"}}]"#
        )
    };
    let ui = |fields: &str| {
        format!(
            r#"[{{"id":"1","role":"user","parts":[{{"type":"text","text":"go"}}]}},{{"id":"2","role":"assistant","parts":[{{"type":"reasoning","text":"deep","providerMetadata":{fields}}},{{"type":"text","text":"done"}}]}},{{"id":"3","role":"user","parts":[{{"type":"text","text":"more"}}]}}]"#
        )
    };
    let seal = r#"{"anthropic":{"signature":"c2VhbA=="}}"#;
    let more = r#"{"anthropic":{"signature":"c2VhbA==","cacheControl":{"type":"ephemeral"}}}"#;
    for (dialect, text) in [("ai-sdk.model", &model as &dyn Fn(&str) -> String), ("ai-sdk.ui", &ui)] {
        let of_providers = |input: &str| {
            let notes = run(input, dialect, "anthropic").report.notes;
            notes.iter().filter(|note| note.message.contains("`provider")).count()
        };
        assert_eq!(of_providers(&text(seal)), 0, "{dialect}");
        assert_eq!(of_providers(&text(more)), 1, "{dialect}");
        let (text, _) = settled(&text(seal), dialect, "anthropic");
        assert!(text.contains(r#""signature":"c2VhbA==""#), "{text}");
    }
}

#[test]
fn steps_of_one_message_may_share_a_call_id() {
    let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"read","arguments":"{}"}}]}"#;
    let result = r#"{"role":"tool","tool_call_id":"call_1","content":"ok"}"#;
    let target = Target::by_name("ai-sdk.ui").unwrap();
    let known = Known::default();
    for turns in [[call, result, call, result], [call, call, result, result], [call, result, result, call]] {
        let input = format!(r#"{{"messages":[{{"role":"user","content":"go"}},{}]}}"#, turns.join(","));
        for mode in [Mode::Request, Mode::History] {
            let mut case = Case::bare(input.as_bytes(), From::Dialect(Dialect::OpenAiChat), target, &known);
            case.mode = mode;
            for (invariant, verdict) in check_all(&Reference, &case) {
                assert!(!matches!(verdict, Verdict::Violated(_)), "{} {verdict:?}", invariant.id);
            }
        }
        let (text, _) = settled(&input, "openai.chat", "ai-sdk.ui");
        assert_eq!(text.matches(r#""type":"step-start""#).count(), 1, "{text}");
    }
}

#[test]
fn a_lone_error_and_its_pictures_in_one_message_are_known_again() {
    let input = format!(
        r#"{{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{{"type":"text","text":"page crashed"}},{{"type":"image","data":"{PICTURE}","mimeType":"image/png"}}],"isError":true}}"#
    );
    for target in ["bedrock-claude", "bedrock", "anthropic", "gemini", "openai"] {
        let (text, _) = settled(&input, "openclaw", target);
        assert!(text.contains("page crashed") && text.contains(PICTURE), "{text}");
    }
}

#[test]
fn a_call_of_the_server_without_a_tool_or_input_is_no_block_that_it_takes_back() {
    for item in [
        r#"{"type":"server_tool_use","id":"srvtoolu_1","input":{"query":"cats"}}"#,
        r#"{"type":"server_tool_use","id":"srvtoolu_1","name":true,"input":{"query":"cats"}}"#,
        r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","incomplete":"cats"}"#,
        r#"{"type":"mcp_tool_use","id":"mcptoolu_1","server_name":"s","name":"web_search","input":"cats"}"#,
    ] {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{item},{{"type":"text","text":"none found"}}]}},{{"role":"user","content":"thanks"}}]}}"#
        );
        for target in ["anthropic", "anthropic.messages", "canonical"] {
            let (_, rules) = settled(&input, "anthropic.messages", target);
            assert!(!rules.is_empty(), "{item}");
        }
    }
}

#[test]
fn a_picture_that_is_too_large_leaves_words_of_this_project() {
    let wide = "iVBORw0KGgoAAAANSUhEUgAAH0gAAAABAQAAAABoz+VDAAAAEUlEQVR42mNgGAWjYBQMfwAAA+oAAf4i1lEAAAAASUVORK5CYII=";
    let input = format!(
        r#"{{"messages":[{{"role":"user","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{wide}"}}}}]}}]}}"#
    );
    let (target, known) = (Target::by_name("anthropic").unwrap(), Known::default());
    let case = Case::bare(input.as_bytes(), From::Dialect(Dialect::AnthropicMessages), target, &known);
    for (invariant, verdict) in check_all(&Reference, &case) {
        assert!(!matches!(verdict, Verdict::Violated(_)), "{} {verdict:?}", invariant.id);
    }
}

#[test]
fn calls_beside_a_result_of_langchain_are_left_out_and_said() {
    let text = chat(
        r#"{"role":"tool","tool_call_id":"call_1","content":"alpha","tool_calls":[{"id":"call_2","type":"function","function":{"name":"read","arguments":"{}"}}]}"#,
    );
    let (written, rules) = settled(&text, "langchain", "langchain");
    assert!(!written.contains("call_2"), "{written}");
    assert!(rules.contains(&"block-in-wrong-role"), "{rules:?}");
}

/// Every place that a report names in the output, with the rule that names it.
fn places(input: &str, from: &str) -> Vec<(&'static str, Option<String>)> {
    run(input, from, from)
        .report
        .repairs
        .into_iter()
        .map(|entry| (entry.rule, entry.output.map(String::from)))
        .collect()
}

#[test]
fn what_a_server_answered_keeps_its_envelope_in_the_places_of_the_output() {
    let prompt =
        r#"{"jsonrpc":"2.0","id":7,"result":{"messages":[{"role":"user","content":{"type":"text","text":5}}]}}"#;
    let at = Some("/result/messages/0/content".to_owned());
    assert_eq!(places(prompt, "mcp.prompt"), [("text-not-a-string", at)]);
    let bare = r#"{"messages":[{"role":"user","content":{"type":"text","text":5}}]}"#;
    assert_eq!(places(bare, "mcp.prompt"), [("text-not-a-string", Some("/messages/0/content".to_owned()))]);
}

#[test]
fn a_mark_that_says_no_stays_on_a_call_that_is_mended() {
    for (mark, input) in
        [("null", r#""partialJson":null"#), ("false", r#""partial":false"#), ("0", r#""incomplete":0"#)]
    {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"toolCall","id":" a ","name":"f","arguments":{{}},{input}}}]}},{{"role":"toolResult","toolCallId":"a","toolName":"f","content":[{{"type":"text","text":"r"}}],"isError":false}}]}}"#
        );
        let (text, rules) = settled(&input, "openclaw", "openclaw");
        assert_eq!((text, rules), (input.replace(" a ", "a"), vec!["tool-call-id-white-space"]), "{mark}");
    }
}

#[test]
fn members_of_a_wrong_type_are_taken_off_and_reported() {
    let result = r#"{"content":[{"type":"text","text":"3 rows","annotations":null,"_meta":null},{"type":"text","text":"a","annotations":{"audience":["system"],"priority":1}}],"_meta":7}"#;
    let (text, rules) = settled(result, "mcp.tool-result", "mcp.tool-result");
    assert_eq!(
        text,
        r#"{"content":[{"type":"text","text":"3 rows"},{"type":"text","text":"a","annotations":{"priority":1}}]}"#
    );
    assert_eq!(rules, ["member-of-wrong-type"; 4]);
    let report = run(result, "mcp.tool-result", "mcp.tool-result").report;
    let places: Vec<_> = report.repairs.iter().map(|entry| (entry.input.as_deref().unwrap(), entry.lost)).collect();
    let annotations = "/content/1/annotations/audience";
    let expected =
        [("/content/0/annotations", false), ("/content/0/_meta", false), (annotations, true), ("/_meta", true)];
    assert_eq!(places, expected);
    // What a canonical message carries for another dialect is looked at too.
    let carried = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"u","native":{"mcp.prompt":{"annotations":7}}}]}]}"#;
    let (text, rules) = settled(carried, "canonical", "mcp.prompt");
    assert!(!text.contains("annotations"), "{text}");
    assert_eq!(rules, ["native-malformed"]);
    let stored = r#"{"messages":[{"role":"assistant","content":"","parts":[{"part_type":"tool","tool_call_id":"a","tool_name":"f","tool_input":"{}"}]},{"role":"tool","content":"","parts":[{"part_type":"tool","tool_call_id":"a","tool_name":"f","tool_output":{"rows":3},"metadata":"{\"originalRole\":\"toolResult\"}"}]}]}"#;
    let (text, rules) = settled(stored, "lossless-claw", "lossless-claw");
    assert!(text.contains(r#"{\"rows\":3}"#), "{text}");
    assert_eq!(rules, ["member-of-wrong-type"]);
}

#[test]
fn what_stands_elsewhere_for_an_empty_result_is_noted() {
    let talk = chat(r#"{"role":"tool","tool_call_id":"call_1","content":""}"#);
    assert!(run(&talk, "openai.chat", "openai.chat").report.notes.is_empty());
    for to in ["canonical", "anthropic.messages", "gemini.contents"] {
        let fixed = run(&talk, "openai.chat", to);
        assert!(String::from_utf8_lossy(&fixed.output).contains("(no output)"), "{to}");
        let noted: Vec<_> = fixed.report.notes.iter().map(|note| (note.rule, note.lost)).collect();
        assert_eq!(noted, [("empty-tool-result", false)], "{to}");
        assert_eq!(fixed.report.notes[0].input.as_deref(), Some("/messages/2"), "{to}");
        assert!(fixed.report.notes[0].output.is_some(), "{to}");
    }
}

#[test]
fn a_seal_that_is_no_text_goes_however_its_block_is_spelled() {
    for kind in ["toolCall", "functionCall", "tool_use"] {
        let call = format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"{kind}","id":"a","name":"read","arguments":{{}},"thoughtSignature":{{}}}}]}}]}}"#
        );
        let (text, rules) = settled(&call, "openclaw", "openclaw");
        assert!(!text.contains("thoughtSignature") && rules.contains(&"member-of-wrong-type"), "{text} {rules:?}");
    }
}

#[test]
fn without_ids_an_open_call_does_not_take_the_result_of_a_later_one() {
    let history = r#"{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"id":"a","name":"read","args":{}}},{"functionCall":{"id":"b","name":"read","args":{}}},{"functionCall":{"id":"c","name":"read","args":{}}},{"functionCall":{"id":"d","name":"list","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"b","name":"read","response":{"output":"second"}}}]}]}"#;
    let express = Target::by_name("vertex").and_then(|vertex| vertex.with("endpoint", "express")).unwrap();
    let once = |input: &str| {
        let options = Options {
            from: From::Dialect(Dialect::GeminiContents),
            to: Some(&express),
            mode: Mode::History,
            ..Options::default()
        };
        let fixed = fix(input.as_bytes(), &options).unwrap();
        let rules: Vec<_> = fixed.report.repairs.iter().map(|entry| entry.rule).collect();
        (String::from_utf8(fixed.output.to_vec()).unwrap(), rules)
    };
    let (text, rules) = once(history);
    let results: Vec<_> = text.split(r#""functionResponse":"#).skip(1).collect();
    // The first call has a stand-in; the third and the fourth stay open, for nothing could be mistaken for theirs.
    assert_eq!(results.len(), 2, "{text}");
    assert!(results[0].contains("no result was recorded") && results[1].contains("second"), "{text}");
    assert_eq!(rules.iter().filter(|rule| **rule == "tool-call-without-result").count(), 1);
    assert_eq!(once(&text), (text, Vec::new()));
}

#[test]
fn a_seal_of_another_spelling_does_not_reach_a_server_that_takes_base64_alone() {
    let talk = r#"{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"plan b","thinkingSignature":"no base64!"},{"type":"text","text":"beta"}]},{"role":"user","parts":[{"text":"and now?"}]}]}"#;
    for to in ["gemini.contents", "gemini-3.6"] {
        let (text, _) = settled(talk, "gemini.contents", to);
        assert!(text.contains("plan b") && !text.contains("no base64"), "{text}");
        let notes = run(talk, "gemini.contents", to).report.notes;
        assert!(notes.iter().any(|note| note.rule == "native-field-left-out" && note.lost), "{notes:?}");
    }
}

#[test]
fn a_tool_column_of_a_row_that_is_no_tool_is_text() {
    let rows = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"a","parts":[{"part_type":"text","text_content":"a"},{"part_type":"subtask","ordinal":1,"tool_input":48,"tool_output":[],"path":"x"}]},{"role":"user","content":"and now?"}]}"#;
    let (text, rules) = settled(rows, "lossless-claw", "lossless-claw");
    assert_eq!(text, rows.replace(r#""tool_input":48,"tool_output":[],"#, ""));
    assert_eq!(rules, ["member-of-wrong-type", "member-of-wrong-type"]);
}

#[test]
fn a_key_that_stands_twice_in_a_definition_is_mended_at_once() {
    let request = r#"{"messages":[{"role":"user","content":"go"}],"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{"a":1,"a":{"type":"string"}}}}}]}"#;
    for to in ["ollama.chat", "bedrock.converse", "anthropic.messages", "gemini.contents"] {
        let (text, rules) = settled(request, "ollama.chat", to);
        assert!(text.contains(r#""properties":{"a":{"type":"string"}}"#), "{text}");
        assert_eq!(rules, ["duplicate-key"], "{to}");
    }
}

#[test]
fn a_resource_with_a_blob_may_hold_anything_as_text() {
    let result = format!(
        r#"{{"content":[{{"type":"resource","resource":{{"uri":"https://example.org/a.png","mimeType":"image/png","blob":"{PICTURE}","text":false}}}}]}}"#
    );
    for to in ["mcp.tool-result", "mcp.tool-result@2024-11-05"] {
        assert_eq!(settled(&result, "mcp.tool-result", to), (result.clone(), Vec::new()));
    }
}

/// Cloudgeni-ai/opengeni#114 and #290: a screenshot that could not be taken, or was put away, and its call.
#[test]
fn a_screenshot_without_a_picture_is_words_and_so_is_its_call() {
    let around = |url: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"type":"computer_call","id":"cu_1","call_id":"a","status":"completed","pending_safety_checks":[],"action":{{"type":"click","x":4,"y":7,"button":"left"}}}},{{"type":"computer_call_output","call_id":"a","output":{{"type":"computer_screenshot","image_url":"{url}"}}}},{{"role":"user","content":"and now?"}}]"#
        )
    };
    let shown = around(&format!("data:image/png;base64,{PICTURE}"));
    assert_eq!(settled(&shown, "openai.responses", "openai.responses"), (shown, Vec::new()));
    for none in ["", "data:image/png;base64,", "[screenshot omitted]"] {
        let (text, rules) = settled(&around(none), "openai.responses", "openai.responses");
        assert_eq!(rules, ["image-without-data", "provider-item-without-partner"], "{text}");
        assert!(text.contains("click"), "what the model did is told: {text}");
        assert!(!text.contains(r#""type":"computer_call""#), "{text}");
    }
}
