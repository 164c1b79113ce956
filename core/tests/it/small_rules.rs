//! Small rules of readers, writers and promises, each of which one changed operator or arm of the code would break. No case of
//! the corpus tells them: `ci/cargo-mutants.sh` found each.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::invariant::{Case, Known, KnownCall, Verdict, by_id, check_all};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{Dialect, Fixed, From, Options, Target, fix};

/// What a run writes of what no judge of requests would take: a fragment, or history.
fn run<'a>(from: &str, to: &str, input: &'a str) -> Fixed<'a> {
    let options = Options {
        from: From::Dialect(Dialect::by_name(from).unwrap()),
        to: Some(Target::by_name(to).unwrap()),
        ..Options::default()
    };
    fix(input.as_bytes(), &options).unwrap()
}

fn written(fixed: &Fixed<'_>) -> String {
    String::from_utf8(fixed.output.to_vec()).unwrap()
}

/// A canonical turn of the user, and one of the model with this block in front of its words.
fn canonical(block: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},{{"role":"assistant","content":[{block},{{"type":"text","text":"a"}}]}},{{"role":"user","content":[{{"type":"text","text":"b"}}]}}]}}"#
    )
}

#[test]
fn an_output_of_an_unknown_call_breaks_no_turn() {
    let call = |id: &str| format!(r#"{{"type":"function_call","call_id":"{id}","name":"read","arguments":"{{}}"}}"#);
    let output = |id: &str| format!(r#"{{"type":"function_call_output","call_id":"{id}","output":"{id}"}}"#);
    let items = [call("a"), output("elsewhere"), call("b"), output("a"), output("b")].join(",");
    let request = format!(r#"{{"previous_response_id":"r","input":[{{"role":"user","content":"go"}},{items}]}}"#);
    assert_eq!(fixed("openai.responses", "openai.responses", &request), (request.clone(), Vec::new()));
    let turn = run("openai.responses", "canonical", &request);
    assert!(turn.report.repairs.is_empty(), "the calls on both sides of it are one turn: {:?}", turn.report.repairs);
    assert_eq!(written(&turn).matches(r#""role":"assistant""#).count(), 1);
}

#[test]
fn a_message_of_an_application_is_written_where_it_stands_alone_and_is_its_words_elsewhere() {
    let item = r#"{"type":"opaque","dialect":"openclaw","value":{"role":"bashExecution","command":"ls","output":"a"}}"#;
    let request = |role: &str, more: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},{{"role":"{role}","content":[{item}{more}]}}]}}"#
        )
    };
    let go = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},"#;
    let words = r#"{"type":"text","text":"ls\na"}"#;
    let text = r#",{"type":"text","text":"b"}"#;
    for (role, more, item, rules) in [
        ("user", "", r#"{"role":"bashExecution","command":"ls","output":"a"}"#.to_owned(), vec![]),
        ("user", text, format!(r#"{{"role":"user","content":[{words}{text}]}}"#), vec!["opaque-item-left-out"]),
        ("assistant", "", format!(r#"{{"role":"assistant","content":[{words}]}}"#), vec!["opaque-item-left-out"]),
    ] {
        let request = request(role, more);
        let fixed = run("canonical", "openclaw", &request);
        let found: Vec<_> = fixed.report.repairs.iter().map(|entry| entry.rule).collect();
        assert_eq!((written(&fixed), found), (format!("{go}{item}]}}"), rules));
        assert!(fixed.report.repairs.iter().all(|entry| !entry.lost));
    }
}

#[test]
fn only_what_holds_half_a_pair_is_written_anew() {
    let result = |words: &str| format!(r#"{{"type":"tool_result","tool_use_id":"b","content":{words}}}"#);
    let clean = r#"{"tool_use_id":"\u0061", "type":"tool_result",  "content":"x"}"#;
    let request = |result: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"read","input":{{}}}},{{"type":"tool_use","id":"b","name":"read","input":{{}}}}]}},{{"role":"user","content":[{clean},{result}]}}]}}"#
        )
    };
    let (text, rules) = fixed("anthropic.messages", "anthropic.messages", &request(&result(r#""y\ud800""#)));
    let mended = result("[{\"type\":\"text\",\"text\":\"y\u{fffd}\"}]");
    assert_eq!((text, rules), (request(&mended), vec!["lone-surrogate"]));
}

#[test]
fn an_error_that_says_nothing_is_no_failure() {
    for (error, failed) in [(r#""""#, false), ("false", false), ("null", false), (r#""no""#, true), ("5", true)] {
        let request = format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"run","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"run","response":{{"output":"x","error":{error}}}}}}}]}}]}}"#
        );
        let (text, _) = fixed("gemini.contents", "canonical", &request);
        assert!(text.contains(&format!(r#""isError":{failed}"#)), "{error}: {text}");
    }
}

#[test]
fn instructions_of_a_wrong_type_are_a_string_then_though_they_say_nothing() {
    let request = |words: &str| {
        format!(
            r#"{{"systemPrompt":{words},"messages":[{{"role":"user","content":{{"type":"text","text":"go"}}}}],"maxTokens":5}}"#
        )
    };
    assert_eq!(broken("mcp.sampling", &request("[]")), ["text-not-a-string"]);
    let (text, rules) = fixed("mcp.sampling", "mcp.sampling", &request("[]"));
    assert_eq!((text, rules), (request(r#""""#), vec!["text-not-a-string"]));
}

#[test]
fn a_picture_takes_no_words_of_a_result_away() {
    let request = format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":"","tool_calls":[{{"id":"a","function":{{"name":"read","arguments":{{}}}}}}]}},{{"role":"tool","tool_name":"read","tool_call_id":"a","content":"[wirecanon: tool error] boom","images":["{PICTURE}"]}}]}}"#
    );
    let (text, rules) = fixed("ollama.chat", "canonical", &request);
    assert!(text.contains(r#""content":[{"type":"text","text":"boom"},{"type":"image""#), "{text}");
    assert!(text.contains(r#""isError":true"#) && rules.is_empty(), "{rules:?}: {text}");
}

#[test]
fn a_lone_result_is_found_by_what_it_looks_like() {
    let result = r#"{"content":[{"type":"text","text":"a"}],"isError":false}"#;
    let fixed = fix(result.as_bytes(), &Options::default()).unwrap();
    assert_eq!((fixed.report.from.as_str(), written(&fixed).as_str()), ("mcp.tool-result", result));
}

#[test]
fn flat_data_of_a_picture_is_no_sign_of_mcp() {
    for (block, dialect) in [
        (format!(r#"{{"type":"image","data":"{PICTURE}","mimeType":"image/png"}}"#), "canonical"),
        (r#"{"type":"audio","data":"AAAA","mimeType":"audio/wav"}"#.to_owned(), "mcp.sampling"),
    ] {
        let request = format!(r#"{{"messages":[{{"role":"user","content":[{block}]}}]}}"#);
        assert_eq!(fix(request.as_bytes(), &Options::default()).unwrap().report.from, dialect, "{block}");
    }
}

#[test]
fn a_type_that_no_item_has_makes_no_transcript() {
    let options = Options { from: From::Dialect(Dialect::by_name("openai.responses").unwrap()), ..Options::default() };
    for (item, is_one) in [(r#"{"type":"foo"}"#, false), (r#"{"type":"message","role":"user","content":"a"}"#, true)] {
        for text in [item.to_owned(), format!("[{item}]")] {
            assert_eq!(fix(text.as_bytes(), &options).is_ok(), is_one, "{text}");
        }
    }
}

#[test]
fn fields_of_a_message_of_answers_come_back_by_way_of_the_canonical_form() {
    let request = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"run","input":{}},{"type":"tool-approval-request","approvalId":"ap","toolCallId":"c"}]},{"role":"tool","content":[{"type":"tool-approval-response","approvalId":"ap","approved":true}],"providerOptions":{"x":{"y":1}}}]}"#;
    let canonical = written(&run("ai-sdk.model", "canonical", request));
    assert_eq!(written(&run("canonical", "ai-sdk.model", &canonical)), request);
}

#[test]
fn reasoning_of_the_dialect_or_of_a_model_of_it_is_its_own() {
    let thinking =
        |origin: &str| format!(r#"{{"type":"thinking","thinking":"why","signature":"s","origin":"{origin}"}}"#);
    let item = r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"why"}],"encrypted_content":"s"}"#;
    for origin in ["openai.responses", "openai.responses/gpt-5"] {
        let (text, rules) = fixed("canonical", "openai.responses", &canonical(&thinking(origin)));
        assert!(text.contains(item) && rules.is_empty(), "{origin}: {rules:?} {text}");
        // As such it goes where nothing of the model follows.
        let alone = canonical(&thinking(origin)).replace(r#",{"type":"text","text":"a"}"#, "");
        let (text, rules) = fixed("canonical", "openai.responses", &alone);
        assert!(!text.contains("reasoning"), "{origin}: {text}");
        assert_eq!(rules, ["provider-item-without-partner"], "{origin}");
    }
}

#[test]
fn parts_are_content_and_written_so() {
    for dialect in ["canonical", "openclaw"] {
        let request =
            |key: &str| format!(r#"{{"messages":[{{"role":"user","{key}":[{{"type":"text","text":"go"}}]}}]}}"#);
        assert_eq!(fixed(dialect, dialect, &request("parts")), (request("content"), vec!["field-alias"]), "{dialect}");
    }
}

#[test]
fn a_file_of_a_kind_that_the_server_takes_stays_in_its_result() {
    let request = |kind: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"run","args":{{}}}},"thoughtSignature":"c2ln"}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"run","response":{{"output":"x"}},"parts":[{{"inlineData":{{"mimeType":"{kind}","data":"JVBERi0="}}}}]}}}}]}}]}}"#
        )
    };
    for kind in ["application/pdf", "text/plain", "video/mp4"] {
        assert_eq!(fixed("gemini.contents", "gemini-3", &request(kind)), (request(kind), Vec::new()));
    }
    let (text, rules) = fixed("gemini.contents", "gemini-3", &request("application/x-foo"));
    assert!(text.contains("[resource application/x-foo]") && !text.contains("inlineData"), "{text}");
    assert_eq!(rules, ["media-in-tool-result"]);
}

#[test]
fn an_empty_output_stays_when_its_result_is_written_anew() {
    let request = |name: &str, output: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"c","toolName":"run","input":{{}}}}]}},{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c","output":{output}{name}}}]}}]}}"#
        )
    };
    for output in
        [r#"{"type":"text","value":""}"#, r#"{"type":"error-text","value":""}"#, r#"{"type":"content","value":[]}"#]
    {
        let (text, rules) = fixed("ai-sdk.model", "ai-sdk.model", &request("", output));
        assert_eq!((text, rules), (request(r#","toolName":"run""#, output), vec!["tool-result-name-missing"]));
    }
}

/// A program that says the same to everything.
struct Says<'s>(&'s str);

impl Normalizer for Says<'_> {
    fn name(&self) -> &'static str {
        "says"
    }

    fn convert(&self, _: &Request<'_>) -> Outcome {
        Outcome::Output { bytes: self.0.as_bytes().to_vec(), report: None }
    }
}

/// A converter to Claude, which fails at all else.
struct OneWay;

impl Normalizer for OneWay {
    fn name(&self) -> &'static str {
        "one way"
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        if self.claims(request.from, request.to) { Reference.convert(request) } else { Outcome::Failed("why?".into()) }
    }

    fn claims(&self, from: From, to: &Target) -> bool {
        from == From::Dialect(Dialect::OpenAiChat) && to.name == "anthropic"
    }
}

#[test]
fn a_normalizer_is_asked_only_for_what_it_claims() {
    let (target, known) = (Target::by_name("anthropic").unwrap(), Known::default());
    let input = br#"[{"role":"user","content":"hi"}]"#;
    let verdicts = |from: Dialect| {
        let case = Case::bare(input, From::Dialect(from), target, &known);
        check_all(&OneWay, &case).into_iter().map(|(invariant, verdict)| (invariant.id, verdict)).collect::<Vec<_>>()
    };
    let asked = verdicts(Dialect::OpenAiChat);
    assert!(!asked.iter().any(|(_, verdict)| matches!(verdict, Verdict::Violated(_))), "{asked:?}");
    let of = |id: &str| asked.iter().find(|(own, _)| *own == id).map(|(_, verdict)| verdict);
    assert_eq!((of("P1"), of("P8")), (Some(&Verdict::Held), Some(&Verdict::Held)));
    // The output is not read again, and no canonical transcript is written.
    assert!(["P6", "P11"].iter().all(|id| matches!(of(id), Some(Verdict::NotApplicable(_)))), "{asked:?}");
    let others = verdicts(Dialect::MistralChat);
    assert!(others.iter().all(|(_, verdict)| matches!(verdict, Verdict::NotApplicable(_))), "{others:?}");
}

fn verdict(invariant: &str, normalizer: &dyn Normalizer, (from, input): (&str, &str), to: &str) -> Verdict {
    let (target, known) = (Target::by_name(to).unwrap(), Known::default());
    let from = From::Dialect(Dialect::by_name(from).unwrap());
    (by_id(invariant).unwrap().check)(normalizer, &Case::bare(input.as_bytes(), from, target, &known))
}

#[test]
fn the_promises_are_asked_of_every_call_and_picture() {
    let anthropic = |input: &str| {
        format!(
            r#"{{"messages":[{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"read","input":{input}}}]}}]}}"#
        )
    };
    let langchain = |args: &str| {
        format!(
            r#"{{"messages":[{{"type":"ai","content":"","tool_calls":[{{"type":"tool_call","id":"a","name":"read","args":{args}}}]}}]}}"#
        )
    };
    let canonical = |data: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"image","mimeType":"image/png","data":"{data}"}}]}}]}}"#
        )
    };
    let gemini = |data: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"inlineData":{{"mimeType":"image/png","data":"{data}"}}}}]}}]}}"#
        )
    };
    for (dialect, output, kept) in [
        ("anthropic.messages", anthropic("{}"), true),
        ("anthropic.messages", anthropic(r#""{}""#), false),
        ("langchain", langchain("{}"), true),
        ("langchain", langchain(r#""{}""#), false),
        // Base64 has two signs of padding at most.
        ("canonical", canonical("AAAAAA=="), true),
        ("canonical", canonical("AAAAA==="), false),
        // Protobuf takes either alphabet, padded or not.
        ("gemini.contents", gemini("AA-_"), true),
        ("gemini.contents", gemini("AA"), true),
        ("gemini.contents", gemini("AA.."), false),
    ] {
        let input = ("canonical", r#"{"messages":[]}"#);
        let found = verdict("promises", &Says(&output), input, dialect);
        assert_eq!(found == Verdict::Held, kept, "{output}: {found:?}");
        assert!(kept || matches!(found, Verdict::Violated(_)), "{output}: {found:?}");
    }
}

#[test]
fn an_escape_in_front_of_a_word_makes_no_new_word() {
    let response = |words: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"run","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"run","response":{{"a":"{words}"}}}}}}]}}]}}"#
        )
    };
    let (input, output) = (response(r"\ud800word"), fixed("gemini.contents", "canonical", &response(r"\ud800word")).0);
    assert!(output.contains(r"\\ufffdword"), "{output}");
    let of = |normalizer: &dyn Normalizer| verdict("P3", normalizer, ("gemini.contents", &input), "canonical");
    assert_eq!(of(&Reference), Verdict::Held);
    let invented = output.replace(r"\\ufffdword", r"\\ufffdanother");
    assert!(matches!(of(&Says(&invented)), Verdict::Violated(_)));
}

#[test]
fn a_word_that_begins_in_one_chunk_and_ends_in_the_next_is_no_new_word() {
    let input = r#"{"messages":[{"role":"user","content":"list it"},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"the fi"},{"type":"text","text":"les"}]},{"type":"text","text":"nothing there"}]}]}"#;
    let output = fixed("anthropic.messages", "canonical", input).0;
    assert!(output.contains("the files"), "{output}");
    let of = |normalizer: &dyn Normalizer| verdict("P3", normalizer, ("anthropic.messages", input), "canonical");
    assert_eq!(of(&Reference), Verdict::Held);
    for invented in ["the lesfi", "the fiths", "the filesnothing"] {
        let found = of(&Says(&output.replace("the files", invented)));
        assert!(matches!(found, Verdict::Violated(_)), "{invented}: {found:?}");
    }
}

#[test]
fn what_has_no_id_in_gemini_goes_with_what_names_no_other() {
    let contents = |id: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"read","args":{{"at":"here"}}}}}},{{"functionCall":{{"id":"b","name":"read","args":{{"at":"there"}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"id":"{id}","name":"read","response":{{"output":"found"}}}}}},{{"functionResponse":{{"id":"b","name":"read","response":{{"output":"lost"}}}}}}]}}]}}"#
        )
    };
    let call =
        KnownCall { name: "read".into(), token: "here".into(), results: vec!["found".into()], ..KnownCall::default() };
    let known = Known { calls: vec![call], ..Known::default() };
    let input = contents("a");
    let of = |target: &str, output: &str| {
        let target = Target::by_name(target).unwrap();
        let case = Case::bare(input.as_bytes(), From::Dialect(Dialect::GeminiContents), target, &known);
        (by_id("P3").unwrap().check)(&Says(output), &case)
    };
    assert_eq!(of("gemini.contents", &input), Verdict::Held);
    assert!(matches!(of("gemini.contents", &contents("b")), Verdict::Violated(_)));
    let named =
        input.replacen(r#""name":"read","args":{"at":"here"}"#, r#""id":"a","name":"read","args":{"at":"here"}"#, 1);
    assert_eq!(of("gemini.contents", &named), Verdict::Held);
    assert_eq!(
        of(
            "gemini.contents",
            &named.replacen(r#"{"id":"a","name":"read","response""#, r#"{"name":"read","response""#, 1)
        ),
        Verdict::Held
    );
    // Every other dialect needs the id.
    let canonical = fixed("gemini.contents", "canonical", &input).0;
    assert_eq!(of("canonical", &canonical), Verdict::Held);
    let without = canonical.replacen(r#""id":"a","#, "", 1);
    assert_ne!(canonical, without);
    assert!(matches!(of("canonical", &without), Verdict::Violated(_)));
}

#[test]
fn a_picture_in_the_alphabet_of_protobuf_is_kept() {
    let contents = |data: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"inlineData":{{"mimeType":"image/png","data":"{data}"}}}}]}}]}}"#
        )
    };
    let urls = PICTURE.trim_end_matches('=').replace('+', "-").replace('/', "_");
    assert_ne!(urls, PICTURE);
    let known = Known { must_keep: vec![PICTURE.to_owned()], ..Known::default() };
    let input = contents(&urls);
    let of = |output: &str| {
        let target = Target::by_name("gemini.contents").unwrap();
        let case = Case::bare(input.as_bytes(), From::Dialect(Dialect::GeminiContents), target, &known);
        (by_id("P2").unwrap().check)(&Says(output), &case)
    };
    assert_eq!(of(&input), Verdict::Held);
    assert_eq!(of(&contents(PICTURE)), Verdict::Held);
    assert!(matches!(of(&contents(&urls[..urls.len() - 8])), Verdict::Violated(_)));
}

#[test]
fn messages_call_the_reference_by_its_name() {
    assert_eq!(Reference.name(), "wirecanon");
}

#[test]
fn what_openrouter_signed_is_left_out_where_it_does_not_go_along() {
    let detail =
        r#"{\"type\":\"reasoning.encrypted\",\"id\":\"a\",\"format\":\"openai-responses-v1\",\"data\":\"sealed\"}"#;
    let call = |signature: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"toolCall","id":"a","name":"read","arguments":{{}},"thoughtSignature":"{signature}"}}]}},{{"role":"toolResult","toolCallId":"a","toolName":"read","content":[{{"type":"text","text":"x"}}],"isError":false}}]}}"#
        )
    };
    let (text, rules) = fixed("openclaw", "openrouter", &call(detail));
    assert!(text.contains(r#""reasoning_details":[{"#) && rules.is_empty(), "{text} {rules:?}");
    for (target, signature) in [("openai", detail), ("openrouter", "c2VhbGVk")] {
        let (text, rules) = fixed("openclaw", target, &call(signature));
        assert!(!text.contains("reasoning_details"), "{text}");
        assert_eq!(rules, ["native-field-left-out"], "{target}");
    }
}

#[test]
fn a_document_of_bedrock_with_two_faults_is_mended_of_both() {
    let request = |document: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"go"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"a","name":"read","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"a","content":[{{"document":{document}}}],"status":"success"}}}}]}}]}}"#
        )
    };
    let odd = r#"{"format":"pdf","name":"a_b.pdf","source":{"bytes":[37,80,68,70,45,49,46,52,10]}}"#;
    let (text, rules) = fixed("bedrock.converse", "bedrock", &request(odd));
    let whole = r#"{"name":"a_b-pdf","format":"pdf","source":{"bytes":"JVBERi0xLjQK"}}"#;
    assert_eq!((text, rules), (request(whole), vec!["file-name-characters", "image-base64-not-canonical"]));
}

#[test]
fn reasoning_of_a_wrong_type_is_nothing_in_the_one_structure_of_ollama_and_anybodys_elsewhere() {
    let request = |more: &str| format!(r#"{{"messages":[{{"role":"user","content":"go"{more}}}]}}"#);
    let odd = request(r#","thinking":5"#);
    assert_eq!(fixed("ollama.chat", "ollama", &odd), (request(""), vec!["text-not-a-string"]));
    let odd = request(r#","reasoning_content":5"#);
    assert_eq!(fixed("openai.chat", "openai.chat", &odd), (odd.clone(), vec![]));
}

#[test]
fn a_role_that_only_one_dialect_has_is_said_unless_a_call_and_its_result_say_it() {
    let request = |rest: &str| format!(r#"{{"messages":[{rest}]}}"#);
    let developer = r#"{"role":"developer","content":"be brief"},{"role":"user","content":"go"}"#;
    let (_, rules) = fixed("openai.chat", "anthropic.messages", &request(developer));
    assert_eq!(rules, ["native-field-left-out"]);
    let function = r#"{"role":"user","content":"go"},{"role":"assistant","content":null,"function_call":{"name":"read","arguments":"{}"}},{"role":"function","name":"read","content":"x"}"#;
    assert_eq!(fixed("openai.chat", "anthropic.messages", &request(function)).1, Vec::<&str>::new());
}
