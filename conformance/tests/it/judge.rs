//! Known answers and the verdicts they must get: the judge is tested like anything else.

use wirecanon::canary::{self, Canary};
use wirecanon::case::{self, Case};
use wirecanon::cheat;
use wirecanon::exit::Exit;
use wirecanon::judge::{Judgement, judge};
use wirecanon::run::{self, worst};
use wirecanon::testee::{Answer, Hello, Reference, Request, StartError, Testee};
use wirecanon::verdict::{Domain, Verdict};
use wirecanon_core::Target;

const BROKEN: &str = include_str!("../fixtures/broken.json");
const VALID: &str = include_str!("../fixtures/valid.json");

fn case(text: &str) -> Case {
    case::parse("fixture", text.as_bytes()).expect("a case")
}

fn target(name: &str) -> &'static Target {
    Target::by_name(name).expect("a target")
}

fn output(text: &str) -> Answer {
    Answer::Output { bytes: text.as_bytes().to_vec(), exact: true, report: None }
}

fn on(fixture: &str, to: &str, answer: &Answer) -> Judgement {
    judge(&case(fixture), target(to), answer, false)
}

const GOOD_CHAT: &str = r#"{"messages":[{"role":"user","content":"go-1"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"look","arguments":"{\"n\":9007199254740993}"}}]},{"role":"tool","tool_call_id":"call_a","content":"seen-2"}]}"#;

fn canonical() -> String {
    case(BROKEN).expected_output(target("canonical")).expect("pinned").to_owned()
}

#[test]
fn the_expected_outcome_is_exact_and_nothing_else_is_on_canonical() {
    let said = on(BROKEN, "canonical", &output(&canonical()));
    assert_eq!((said.verdict, said.ok), (Verdict::Exact, true), "{said:#?}");
    let other = canonical().replace("\"look\"", "\"gaze\"");
    let said = on(BROKEN, "canonical", &output(&other));
    assert_eq!((said.verdict, said.ok), (Verdict::Altered, false), "{said:#?}");
    assert_eq!(said.difference.map(|difference| difference.pointer).as_deref(), Some("/messages/1/content/0/name"));
    let digits = canonical().replace("9007199254740993", "9007199254740992");
    let said = on(BROKEN, "canonical", &output(&digits));
    assert_eq!((said.verdict, said.ok), (Verdict::Lossy, false), "{said:#?}");
    assert_eq!(said.reasons[0].kind, "number-rounded");
}

#[test]
fn what_only_one_dialect_knows_counts_where_the_case_pins_it() {
    let with = canonical().replacen("\"go-1\"}", "\"go-1\",\"native\":{\"openai.chat\":{\"x\":1}}}", 1);
    assert_eq!(on(BROKEN, "canonical", &output(&with)).verdict, Verdict::Exact);
    let pinned = BROKEN.replacen("\"text\":\"go-1\"}", "\"text\":\"go-1\",\"native\":{\"openai.chat\":{\"x\":1}}}", 1);
    assert_eq!(on(&pinned, "canonical", &output(&with)).verdict, Verdict::Exact);
    let said = on(&pinned, "canonical", &output(&with.replace("\"x\":1", "\"x\":2")));
    assert_eq!(
        said.difference.map(|difference| difference.pointer),
        Some("/messages/0/content/0/native/openai.chat/x".to_owned())
    );
}

#[test]
fn on_other_wires_what_is_valid_and_whole_is_faithful() {
    let said = on(BROKEN, "openai.chat", &output(GOOD_CHAT));
    assert_eq!((said.verdict, said.ok), (Verdict::Faithful, true), "{said:#?}");
}

#[test]
fn another_meaning_is_altered_and_named() {
    let said = on(BROKEN, "openai.chat", &output(&GOOD_CHAT.replace("seen-2", "…")));
    assert_eq!((said.verdict, said.ok), (Verdict::Altered, false), "{said:#?}");
    let reason = &said.reasons[0];
    assert_eq!((reason.kind.as_str(), reason.answer.as_deref()), ("result-changed", Some("/messages/2")), "{reason}");
}

#[test]
fn what_the_target_rejects_is_named_with_its_rule() {
    let raw = String::from_utf8(case(BROKEN).input).expect("text");
    let said = on(BROKEN, "openai.chat", &output(&raw));
    assert_eq!((said.verdict, said.ok), (Verdict::Rejected, false), "{said:#?}");
    assert_eq!(said.violations[0].rule, "tool-call-arguments-not-a-string");
    let said = on(BROKEN, "openai.chat", &output("{}"));
    assert_eq!((said.verdict, said.ok), (Verdict::Rejected, false), "{said:#?}");
}

#[test]
fn what_is_no_json_is_garbage() {
    for text in ["", "<html>", "{\"messages\":["] {
        let said = on(BROKEN, "openai.chat", &output(text));
        assert_eq!((said.verdict, said.ok), (Verdict::Garbage, false), "{said:#?}");
    }
    let bytes = Answer::Output { bytes: vec![0xff], exact: true, report: None };
    assert_eq!(on(BROKEN, "openai.chat", &bytes).verdict, Verdict::Garbage);
}

#[test]
fn a_valid_input_is_identical_only_byte_for_byte() {
    let input = String::from_utf8(case(VALID).input).expect("text");
    assert_eq!(on(VALID, "openai.chat", &output(&input)).verdict, Verdict::Identical);
    let spaced = input.replace(':', " : ");
    let said = on(VALID, "openai.chat", &output(&spaced));
    assert_eq!((said.verdict, said.ok), (Verdict::Faithful, true), "{said:#?}");
    let as_value = Answer::Output { bytes: spaced.into_bytes(), exact: false, report: None };
    assert_eq!(on(VALID, "openai.chat", &as_value).verdict, Verdict::Exact);
    let strict = judge(&case(VALID), target("openai.chat"), &output(&input.replace(':', " : ")), true);
    assert!(!strict.ok && strict.failures.iter().any(|failure| failure.contains("same bytes")), "{strict:#?}");
}

#[test]
fn a_refusal_is_right_only_with_the_code_that_the_case_allows() {
    let refused = |code: &str| Answer::Refused { code: code.to_owned(), message: String::new() };
    assert!(!on(BROKEN, "openai.chat", &refused("limit")).ok);
    assert!(on(BROKEN, "anthropic", &refused("limit")).ok);
    assert!(!on(BROKEN, "anthropic", &refused("other")).ok);
}

#[test]
fn what_the_types_of_a_package_cannot_hold_does_not_count_where_the_input_is_broken() {
    let refused = Answer::Refused { code: "unrepresentable-input".to_owned(), message: "no content".to_owned() };
    let said = on(BROKEN, "openai.chat", &refused);
    assert_eq!((said.verdict, said.ok), (Verdict::Unsupported, true), "{said:#?}");
    let said = on(VALID, "openai.chat", &refused);
    assert_eq!((said.verdict, said.ok), (Verdict::Refused, false), "{said:#?}");
}

#[test]
fn what_the_target_only_warns_of_is_not_rejected() {
    let picture = r#"{"id":"x","title":"A picture under another type than its bytes have.","class":"image-media-malformed","source":["RFC 2397, section 2"],
        "from":"openai.chat","input":{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,$PNG"}}]}]},
        "expect":{"canonical":{"messages":[{"role":"user","content":[{"type":"image","data":"$PNG","mimeType":"image/png"}]}]},"repairs":[{"rule":"image-type-mismatch","in":"/messages/0/content/0"}]},
        "since":"0.1.0"}"#;
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let answer = |kind: &str| {
        let text = format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"image","source":{{"type":"base64","media_type":"{kind}","data":"{png}"}}}}]}}]}}"#
        );
        on(&picture.replace("$PNG", png), "anthropic", &output(&text))
    };
    assert_eq!(answer("image/png").verdict, Verdict::Faithful);
    let said = answer("image/jpeg");
    assert_eq!((said.verdict, said.ok, said.violations.len()), (Verdict::Lossy, false, 1), "{said:#?}");
}

#[test]
fn only_the_testees_own_faults_count_against_it() {
    let said = on(BROKEN, "openai.chat", &Answer::Environment("no memory".to_owned()));
    assert_eq!((said.domain, said.ok), (Domain::Environment, false));
    assert!(on(BROKEN, "openai.chat", &Answer::Unsupported("no".to_owned())).ok);
    for answer in [Answer::Crashed(String::new()), Answer::Hung(String::new()), Answer::Garbage(String::new())] {
        assert!(!on(BROKEN, "openai.chat", &answer).ok);
    }
}

#[test]
fn a_case_that_contradicts_itself_is_the_corpuss_fault() {
    let wrong = BROKEN.replace("\"seen-2\"]", "\"never-3\"]");
    // The linter says so of the case, and the judge where the reference answers.
    let said = judge(&case(&wrong), target("canonical"), &output(&canonical()), true);
    assert_eq!((said.domain, said.ok), (Domain::Corpus, false), "{said:#?}");
}

#[test]
fn the_canaries_are_all_found_and_the_right_one_passes() {
    assert_eq!(canary::sing(), Ok(()));
    assert_eq!(Canary::ALL.len(), 8);
}

/// Claims everything and answers with what it is given.
struct Fixed(Answer, usize);

impl Testee for Fixed {
    fn hello(&mut self) -> Result<Hello, StartError> {
        Ok(Reference::introduction())
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        (self.1..requests.len()).for_each(|index| answered(index, self.0.clone()));
    }
}

#[test]
fn a_run_is_green_only_by_what_was_judged() {
    let (broken, valid) = (case(BROKEN), case(VALID));
    let cases = [&broken, &valid];
    let exit = |answer: Answer, skip: usize, minimum: usize| {
        run::run("x", &mut Fixed(answer, skip), &cases, minimum, false, &mut |_| {}).exit()
    };
    let unsupported = || Answer::Unsupported("no".to_owned());
    assert_eq!(exit(unsupported(), 0, 0), Exit::TooLittle);
    assert_eq!(exit(Answer::Crashed("no".to_owned()), 0, 1), Exit::Findings);
    assert_eq!(exit(Answer::Crashed("no".to_owned()), 0, 3), Exit::TooLittle);
    assert_eq!(exit(Answer::Environment("no".to_owned()), 0, 1), Exit::Incomplete);
    assert_eq!(exit(unsupported(), 1, 1), Exit::Incomplete, "a request without an answer is the harness's fault");
}

/// A program that asks the model to go on, at the end of each request to OpenAI, and says so or does not.
struct Adding {
    adds: Vec<String>,
}

const ADDED: &str = "Carry on with the task as instructed.";

impl Testee for Adding {
    fn hello(&mut self) -> Result<Hello, StartError> {
        Ok(Hello { adds: self.adds.clone(), ..Reference::introduction() })
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        let added = format!(r#"{{"role":"user","content":"{ADDED}"}}"#);
        for (index, _) in requests.iter().enumerate() {
            let request = GOOD_CHAT.strip_suffix("]}").expect("a list of messages");
            answered(index, output(&format!("{request},{added}]}}")));
        }
    }
}

#[test]
fn texts_that_a_program_adds_and_declares_do_not_count() {
    let broken = case(BROKEN);
    let said = |adds: &[&str]| {
        let adds = adds.iter().map(|text| (*text).to_owned()).collect();
        let run = run::run("x", &mut Adding { adds }, &[&broken], 1, false, &mut |_| {});
        let found = run.results.into_iter().find(|result| result.to == "openai" && result.from == broken.from);
        found.expect("a result").judgement
    };
    let declared = said(&[ADDED]);
    assert_eq!((declared.verdict, declared.ok), (Verdict::Faithful, true), "{declared:#?}");
    assert!(declared.allowed_by.iter().any(|id| id == "added-text"), "{declared:#?}");
    for adds in [&[][..], &["Carry on with the work as instructed."]] {
        let said = said(adds);
        assert_eq!((said.verdict, said.ok), (Verdict::Altered, false), "{said:#?}");
    }
}

#[test]
fn what_could_not_run_weighs_more_than_what_was_found() {
    assert_eq!(worst([Exit::Holds, Exit::Findings]), Exit::Findings);
    assert_eq!(worst([Exit::Findings, Exit::Testee, Exit::Incomplete]), Exit::Testee);
    assert_eq!(worst([]), Exit::TooLittle);
}

#[test]
fn half_a_surrogate_pair_is_not_what_replaces_it() {
    let case = case(
        r#"{"id":"fixture","title":"T.","class":"encoding","source":["owner/repo#1"],"from":"openai.chat",
        "input":{"messages":[{"role":"user","content":"cut \ud83d"}]},
        "expect":{"must_keep":[],"may_refuse":false,
            "targets":{"openai":{"output":{"messages":[{"role":"user","content":"cut \ufffd"}]}}}},
        "tags":[],"since":"0.1.0"}"#,
    );
    let passed_on =
        judge(&case, target("openai"), &output(r#"{"messages":[{"role":"user","content":"cut \ud83d"}]}"#), false);
    assert_eq!((passed_on.verdict, passed_on.domain), (Verdict::Rejected, Domain::Testee), "{passed_on:#?}");
    let mended =
        judge(&case, target("openai"), &output(r#"{"messages":[{"role":"user","content":"cut \ufffd"}]}"#), false);
    assert_eq!((mended.verdict, mended.ok), (Verdict::Exact, true), "{mended:#?}");
}

/// A server may read the first of two values, so what it gets is not the outcome that the case expects, and the fault is not the
/// case's.
#[test]
fn a_key_that_stands_twice_is_not_what_it_is_read_as() {
    let twice = canonical().replacen("\"name\":", "\"name\":\"gaze\",\"name\":", 1);
    let said = on(BROKEN, "canonical", &output(&twice));
    assert_eq!((said.verdict, said.ok, said.domain), (Verdict::Rejected, false, Domain::Testee), "{said:#?}");
}

#[test]
fn cheats_pass_less_than_a_tenth_of_the_framed_probes() {
    let probes = canary::probes().unwrap();
    assert_eq!(cheat::try_all(&probes), Ok(()));
    assert!(cheat::try_all(&[]).unwrap_err().contains("of 0 framed probes"));
}

/// The outcome of repairs in the canonical dialect has no word for them.
#[test]
fn tools_of_the_provider_stay_in_a_request_that_is_mended() {
    for (from, to, input, tool, other) in [
        (
            "anthropic.messages",
            "anthropic",
            r#"{"tools":[{"name":"f","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search","max_uses":3}],"messages":[{"role":"user","content":[{"type":"text","text":"go-1","odd":1}]}]}"#,
            r#",{"type":"web_search_20250305","name":"web_search","max_uses":3}"#,
            r#","max_uses":3"#,
        ),
        (
            "gemini.contents",
            "gemini",
            r#"{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"object"}}]},{"googleSearch":{"timeRangeFilter":{}}}],"contents":[{"role":"user","parts":[{"text":"go-1"}]},{"role":"assistant","parts":[{"text":"seen-2"}]},{"role":"user","parts":[{"text":"go-3"}]}]}"#,
            r#",{"googleSearch":{"timeRangeFilter":{}}}"#,
            r#""timeRangeFilter":{}"#,
        ),
    ] {
        let mended = input.replace(r#","odd":1"#, "").replace("assistant", "model");
        let canonical = if from.starts_with('a') {
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go-1"}]}],"tools":[{"name":"f","parameters":{"type":"object"}}]}"#
        } else {
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go-1"}]},{"role":"assistant","content":[{"type":"text","text":"seen-2"}]},{"role":"user","content":[{"type":"text","text":"go-3"}]}],"tools":[{"name":"f","parameters":{"type":"object"}}]}"#
        };
        let case = case(&format!(
            r#"{{"id":"fixture","title":"T.","class":"extra-fields","source":["owner/repo#1"],"from":"{from}","input":{input},
            "expect":{{"canonical":{canonical},"must_keep":["go-1"],"may_refuse":false}},"tags":[],"since":"0.1.0"}}"#
        ));
        let said = |text: &str| judge(&case, target(to), &output(text), false);
        let kept = said(&mended);
        assert_eq!((kept.verdict, kept.ok), (Verdict::Faithful, true), "{kept:#?}");
        for (text, reason) in [
            (mended.replace(tool, ""), "tool-missing"),
            (mended.replace(other, ""), "tool-changed"),
            (mended.replacen(tool, &format!("{tool}{}", tool.replace("earch", "ight")), 1), "tool-invented"),
        ] {
            let said = said(&text);
            assert_eq!(
                (said.verdict, said.reasons.first().map(|reason| &*reason.kind)),
                (Verdict::Altered, Some(reason)),
                "{text}: {said:#?}"
            );
        }
    }
}
