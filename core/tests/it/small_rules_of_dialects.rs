//! Rules of single dialects that one changed operator or arm of the code would break, and that no case of the corpus tells:
//! each was found by `ci/cargo-mutants.sh`.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::invariant::seen;
use wirecanon_core::json::Limits;
use wirecanon_core::step::respell;
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

const NOTHING: [&str; 0] = [];

/// A conversation of the AI SDK: the model's parts, and those behind it.
fn model_messages(parts: &str, tool: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{parts}]}},{{"role":"tool","content":[{tool}]}}]}}"#
    )
}

const CALL: &str = r#"{"type":"tool-call","toolCallId":"a","toolName":"run","input":{}}"#;
const RESULT: &str = r#"{"type":"tool-result","toolCallId":"a","toolName":"run","output":{"type":"text","value":"x"}}"#;

/// A result that names its call under another dialect's key, so that it is written anew.
fn respelled(output: &str) -> String {
    format!(r#"{{"type":"tool-result","toolName":"run","output":{output},"tool_call_id":"a"}}"#)
}

/// The same as it is written.
fn spelled(output: &str) -> String {
    respelled(output).replace("tool_call_id", "toolCallId")
}

#[test]
fn a_request_for_approval_names_itself_and_its_call() {
    let request =
        |fields: &str| model_messages(&format!(r#"{CALL},{{"type":"tool-approval-request"{fields}}}"#), RESULT);
    let whole = request(r#","approvalId":"r","toolCallId":"a""#);
    assert_eq!(fixed("ai-sdk.model", "ai-sdk.model", &whole), (whole, NOTHING.to_vec()));
    for half in [r#","approvalId":"r""#, r#","toolCallId":"a""#] {
        let (text, rules) = fixed("ai-sdk.model", "ai-sdk.model", &request(half));
        assert!(!text.contains(r#""tool-approval-request""#), "{text}");
        assert_eq!(rules, ["unknown-block"]);
    }
}

#[test]
fn the_data_of_a_result_is_a_picture_by_its_kind_or_its_type() {
    for (kind, mime, is_picture) in [
        ("image-data", "application/octet-stream", true),
        ("file-data", "image/png", true),
        ("file-data", "application/pdf", false),
    ] {
        let output =
            format!(r#"{{"type":"content","value":[{{"type":"{kind}","data":"{PICTURE}","mediaType":"{mime}"}}]}}"#);
        let (text, _) = fixed("ai-sdk.model", "openai.chat", &model_messages(CALL, &spelled(&output)));
        let left_out = text.contains("[wirecanon: file left out: application/pdf]");
        assert_eq!((text.contains(r#""image_url""#), left_out), (is_picture, !is_picture), "{kind} {mime}: {text}");
    }
}

#[test]
fn a_reasoning_item_comes_back_with_its_own_id() {
    let reasoning = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"AAAA"}"#;
    let input = format!(
        r#"{{"input":[{{"role":"user","content":"go"}},{reasoning},{{"type":"message","role":"assistant","content":"x"}},{{"role":"user","content":"go"}}]}}"#
    );
    let (canonical, _) = fixed("openai.responses", "canonical", &input);
    let (text, rules) = fixed("canonical", "openai.responses", &canonical);
    assert!(text.contains(reasoning), "{text}");
    assert_eq!(rules, NOTHING);
}

#[test]
fn an_output_whose_call_the_server_has_stays_beside_calls_that_stand_here() {
    let here = r#"{"type":"function_call","call_id":"a","name":"run","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"y"}"#;
    let old = r#"{"type":"function_call_output","call_id":"old","output":"x"}"#;
    for input in [
        format!(r#"{{"previous_response_id":"resp_1","input":[{old},{here}]}}"#),
        // A reference without a type, or with null for one, is to an item that the server has.
        format!(r#"{{"input":[{{"type":"item_reference","id":"rs_1"}},{old}]}}"#),
        format!(r#"{{"input":[{{"type":null,"id":"rs_1"}},{old}]}}"#),
        format!(r#"{{"input":[{{"id":"rs_1"}},{old}]}}"#),
    ] {
        assert_eq!(fixed("openai.responses", "openai.responses", &input), (input, NOTHING.to_vec()));
    }
    // What answers a call of the server's tool may be meant for an item that the server has, too.
    let screen = r#"{"type":"computer_call_output","call_id":"old","output":{"type":"computer_screenshot","image_url":"https://x/a.png"}}"#;
    for reference in [r#"{"type":"item_reference","id":"cu_1"}"#, r#"{"id":"cu_1"}"#] {
        let input = format!(r#"{{"input":[{reference},{screen}]}}"#);
        assert_eq!(fixed("openai.responses", "openai.responses", &input), (input, NOTHING.to_vec()));
    }
}

#[test]
fn a_call_or_response_of_gemini_that_is_written_anew_has_the_id_of_the_other() {
    let contents = |call: &str, response: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{{call}"name":"read","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{{response}"name":"read","response":{{"result":"x"}}}}}}]}}]}}"#
        )
    };
    let mend = |input: &str| fixed("gemini.contents", "gemini.contents", input);
    let (id, blank) = (r#""id":"a","#, r#""id":" ","#);
    for input in [contents(id, ""), contents("", id)] {
        assert_eq!(mend(&input), (input, NOTHING.to_vec()));
    }
    for (input, anew) in
        [(contents(id, blank), r#""functionResponse":{"id":"a""#), (contents(blank, id), r#""functionCall":{"id":"a""#)]
    {
        let (text, rules) = mend(&input);
        assert!(text.contains(anew), "{text}");
        assert_eq!(rules, ["tool-call-id-white-space"]);
    }
}

#[test]
fn pictures_in_an_output_whose_call_the_server_has_are_mended() {
    let output = |parts: &str| {
        format!(
            r#"{{"input":[{{"id":"rs_1"}},{{"type":"function_call_output","call_id":"old","output":[{{"type":"input_text","text":"x"}},{parts}]}}]}}"#
        )
    };
    let picture = |url: &str| format!(r#"{{"type":"input_image","image_url":"{url}"}}"#);
    let good = output(&picture(&format!("data:image/png;base64,{PICTURE}")));
    let mend = |text: &str| fixed("openai.responses", "openai.responses", text);
    assert_eq!(mend(&good), (good.clone(), NOTHING.to_vec()));
    let text = output(&picture(&format!("data:text/plain;base64,{PICTURE}")));
    assert_eq!(mend(&text), (good.clone(), vec!["image-type-mismatch"]));
    let unpadded = output(&picture(&format!("data:image/png;base64,{}", PICTURE.trim_end_matches('='))));
    assert_eq!(mend(&unpadded), (good, vec!["image-base64-not-canonical"]));
    let words = r#"{"type":"input_text","text":"[wirecanon: image left out: data is not base64 (image/png)]"}"#;
    let no_base64 = output(&picture("data:image/png;base64,!"));
    assert_eq!(mend(&no_base64), (output(words), vec!["image-data-not-base64"]));
}

#[test]
fn an_output_with_an_id_that_no_server_gives_answers_no_call_of_the_server() {
    let id = "c".repeat(65);
    let input =
        format!(r#"{{"input":[{{"id":"rs_1"}},{{"type":"function_call_output","call_id":"{id}","output":"x"}}]}}"#);
    let (text, rules) = fixed("openai.responses", "openai-responses", &input);
    assert_eq!((text.as_str(), rules), (r#"{"input":[{"id":"rs_1"}]}"#, vec!["orphan-tool-result"]));
}

#[test]
fn a_reference_to_an_item_that_stands_here_is_none_to_a_call_that_the_server_has() {
    let call = r#"{"type":"function_call","id":"fc_1","call_id":"a","name":"run","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"y"}"#;
    let old = r#"{"type":"function_call_output","call_id":"old","output":"x"}"#;
    for reference in [r#"{"type":"item_reference","id":"fc_1"}"#, r#"{"id":"fc_1"}"#] {
        let (text, rules) =
            fixed("openai.responses", "openai.responses", &format!(r#"{{"input":[{call},{reference},{old}]}}"#));
        assert_eq!(text, format!(r#"{{"input":[{call}]}}"#));
        assert_eq!(rules, ["orphan-tool-result", "duplicate-item-id"]);
    }
}

/// A call of Anthropic's and its result.
fn answered(result: &str) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"r","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":[{result}]}}]}}]}}"#
    )
}

#[test]
fn a_search_result_within_a_tool_result_loses_what_the_server_refuses() {
    let found = |field: &str| {
        answered(&format!(
            r#"{{"type":"search_result","source":"https://a.b","title":"t","content":[{{"type":"text","text":"x"}}]{field}}}"#
        ))
    };
    let (text, rules) = fixed("anthropic.messages", "anthropic.messages", &found(r#","foo":1"#));
    assert_eq!((text, rules), (found(""), vec!["unknown-field"]));
}

#[test]
fn a_document_of_cohere_comes_back_as_one() {
    let document = r#"{"type":"document","document":{"id":"1","data":{"title":"t"}}}"#;
    let input = format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","tool_calls":[{{"id":"a","type":"function","function":{{"name":"run","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"a","content":[{document}]}}]}}"#
    );
    let (canonical, _) = fixed("cohere.v2", "canonical", &input);
    let (text, rules) = fixed("canonical", "cohere.v2", &canonical);
    assert_eq!((text, rules), (input, NOTHING.to_vec()));
}

#[test]
fn the_id_of_what_a_server_tool_of_bedrock_answered_is_short_and_of_known_characters() {
    for (id, taken) in
        [("a.b:c-d_1".into(), true), ("a b".into(), false), ("a".repeat(64), true), ("a".repeat(65), false)]
    {
        let request = format!(
            r#"{{"messages":[{{"role":"user","content":[{{"text":"go"}}]}},{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"a","name":"run","input":{{}},"type":"server_tool_use"}}}},{{"toolResult":{{"toolUseId":"{id}","content":[{{"text":"x"}}],"type":"web_search_tool_result"}}}}]}},{{"role":"user","content":[{{"text":"go"}}]}}]}}"#
        );
        assert_eq!(broken("bedrock.converse", &request) == ["unknown-block"], !taken, "{id}");
    }
}

#[test]
fn a_reason_to_stop_is_a_word_or_null() {
    for (reason, found) in [("5", vec!["unknown-stop-reason"]), ("null", vec![]), (r#""mine""#, vec![])] {
        let request = format!(
            r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"text","text":"x"}}],"stopReason":{reason}}},{{"role":"user","content":"go"}}]}}"#
        );
        assert_eq!(broken("openclaw", &request), found, "{reason}");
    }
}

#[test]
fn the_report_names_a_refused_field_once() {
    let input = r#"{"messages":[{"role":"user","content":"go","foo":null}]}"#;
    let options = Options {
        from: From::Dialect(Dialect::OpenAiChat),
        to: Some(Target::by_name("groq").unwrap()),
        ..Options::default()
    };
    let report = fix(input.as_bytes(), &options).unwrap().report;
    let words: Vec<_> = report.repairs.iter().map(|entry| &*entry.message).collect();
    assert_eq!(words, ["the target refuses `foo`; left out"]);
}

#[test]
fn a_second_result_is_never_that_of_an_earlier_turn() {
    let turn = |results: &str| {
        format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"a","type":"function","function":{{"name":"run","arguments":"{{}}"}}}}]}},{results},{{"role":"user","content":"go"}}"#
        )
    };
    let result = |words: &str| format!(r#"{{"role":"tool","tool_call_id":"a","content":"{words}"}}"#);
    let first = turn(&result("[wirecanon: no result was recorded for this tool call]"));
    let request =
        |second: &str| format!(r#"{{"messages":[{{"role":"user","content":"go"}},{first},{}]}}"#, turn(second));
    let (text, rules) = fixed("openai.chat", "openai.chat", &request(&format!("{},{}", result("x"), result("y"))));
    assert_eq!((text, rules), (request(&result("x")), vec!["duplicate-tool-result"]));
}

#[test]
fn a_row_that_says_no_other_role_stays_as_it_is() {
    for metadata in [r#"{\"a\": 1}"#, r#"{\"originalRole\": \"user\"}"#] {
        let message = |role: &str| {
            format!(
                r#"{{"messages":[{{"role":"{role}","content":"x","parts":[{{"part_type":"text","ordinal":0,"text_content":"x","metadata":"{metadata}"}}]}}]}}"#
            )
        };
        let (text, rules) = fixed("lossless-claw", "lossless-claw", &message("human"));
        assert_eq!((text, rules), (message("user"), vec!["role-alias"]));
    }
}

#[test]
fn the_model_has_the_last_word_in_what_it_stored_itself() {
    let mut target = Target::by_name("lossless-claw").unwrap().clone();
    target.order.prefill = false;
    let last = |role: &str| {
        let message = format!(
            r#"{{"messages":[{{"role":"{role}","content":"x","parts":[{{"part_type":"text","text_content":"x"}}]}}]}}"#
        );
        let options = CheckOptions { target: &target, mode: Mode::Request, fragment: false, limits: Limits::default() };
        let found = check(message.as_bytes(), &options).unwrap().violations;
        found.into_iter().map(|violation| violation.rule).collect::<Vec<_>>()
    };
    assert_eq!(last("assistant"), ["trailing-assistant"]);
    assert_eq!(last("user"), NOTHING);
}

#[test]
fn a_later_turn_of_openviking_closes_the_calls_before_it() {
    let pending = r#"{"role":"assistant","parts":[{"type":"tool","tool_id":"a","tool_name":"run","tool_input":{},"tool_output":"","tool_status":"pending"}]}"#;
    let later = r#",{"role":"assistant","parts":[{"type":"text","text":"x"}]}"#;
    for (behind, found) in [("", vec![]), (later, vec!["tool-call-without-result"])] {
        let history = format!(r#"{{"messages":[{pending}{behind}]}}"#);
        let options = CheckOptions {
            target: Target::of_dialect(Dialect::OpenViking),
            mode: Mode::History,
            fragment: false,
            limits: Limits::default(),
        };
        let violations = check(history.as_bytes(), &options).unwrap().violations;
        assert_eq!(violations.iter().map(|violation| violation.rule).collect::<Vec<_>>(), found, "{history}");
    }
}

#[test]
fn a_part_called_tool_is_openvikings_only_with_a_field_of_its_own() {
    let detected = |part: &str| {
        let input = format!(r#"{{"messages":[{{"role":"user","parts":[{part}],"content":"x"}}]}}"#);
        let fixed = fix(input.as_bytes(), &Options::default()).unwrap();
        fixed.report.notes.into_iter().map(|note| note.message.into_owned()).collect::<Vec<_>>().join("\n")
    };
    let sign = "a `tool` part with `tool_id` or `tool_status`";
    let tool = r#"{"type":"tool","tool_id":"a","tool_name":"run","tool_input":{},"tool_output":"x","tool_status":"completed"}"#;
    assert!(detected(tool).contains(sign), "{}", detected(tool));
    for other in [r#"{"type":"tool","text":"x"}"#, r#"{"type":"text","text":"x","tool_id":"a"}"#] {
        assert!(!detected(other).contains(sign), "{}", detected(other));
    }
}

#[test]
fn words_alone_are_of_the_target_only_in_its_form() {
    let read_as = |to: &str, input: &str| {
        let options = Options { to: Some(Target::by_name(to).unwrap()), ..Options::default() };
        let fixed = fix(input.as_bytes(), &options).unwrap_or_else(|error| panic!("{to}: {error}"));
        fixed.report.notes[0].message.split(':').next().unwrap_or_default().to_owned()
    };
    // router-for-me/CLIProxyAPI#1292
    let words = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"on it"}]}"#;
    for (to, dialect) in
        [("openai", "openai.chat"), ("gemini", "anthropic.messages"), ("openai-responses", "anthropic.messages")]
    {
        assert_eq!(read_as(to, words), format!("read as {dialect}"), "{to}");
    }
    // chenyme/grok2api#222: a request body is none of MCP, whatever its content looks like.
    let body =
        |model: &str| format!(r#"{{{model}"messages":[{{"role":"user","content":{{"type":"text","text":"go"}}}}]}}"#);
    assert_eq!(read_as("openai", &body(r#""model":"m","#)), "read as openai.chat");
    assert_eq!(read_as("openai", &body("")), "read as mcp.prompt");
}

#[test]
fn what_is_respelled_has_a_line_for_what_only_its_own_dialect_replays() {
    let input = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_a","name":"web_search","input":{}}]},{"role":"user","content":"go"}]}"#;
    let options = Options {
        from: From::Dialect(Dialect::AnthropicMessages),
        to: Some(Target::by_name("openai.chat").unwrap()),
        ..Options::default()
    };
    let told = respell(input.as_bytes(), &options).unwrap().output;
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("[wirecanon: anthropic.messages item server_tool_use left out]"), "{told}");
}

#[test]
fn a_result_within_a_result_is_none() {
    let nested = answered(r#"{"type":"tool_result","tool_use_id":"b","content":"y"},{"type":"text","text":"x"}"#);
    assert_eq!(seen(&nested, Dialect::AnthropicMessages), None);
}

#[test]
fn a_tool_of_the_ai_sdk_has_a_result_once_its_output_is_there() {
    for (state, results) in
        [("input-available", vec![]), ("output-available", vec![false]), ("output-error", vec![true])]
    {
        let message = format!(
            r#"{{"messages":[{{"id":"m","role":"assistant","parts":[{{"type":"tool-run","toolCallId":"a","state":"{state}","input":{{}},"output":"x","errorText":"x"}}]}}]}}"#
        );
        let seen = seen(&message, Dialect::AiSdkUi).expect("JSON");
        assert_eq!(seen.results.iter().map(|result| result.is_error).collect::<Vec<_>>(), results, "{state}");
    }
}

#[test]
fn a_part_of_a_response_without_a_medium_is_none() {
    for (call, response, data) in
        [("functionCall", "functionResponse", "inlineData"), ("function_call", "function_response", "inline_data")]
    {
        let request = format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"{call}":{{"name":"read","args":{{}}}}}}]}},{{"role":"user","parts":[{{"{response}":{{"name":"read","response":{{"output":"x"}},"parts":[{{"{data}":5}}]}}}}]}}]}}"#
        );
        let (text, rules) = fixed("gemini.contents", "gemini.contents", &request);
        assert_eq!(rules, ["unknown-block"], "{text}");
        assert!(text.contains(&format!(r#"x\n{{\"{data}\":5}}"#)), "{text}");
    }
}

#[test]
fn structured_content_under_the_name_of_python_gets_its_own() {
    let result = |members: &str| format!(r#"{{"content":[{{"type":"text","text":"{{\"a\":1}}"}}]{members}}}"#);
    let own = result(r#","structuredContent":{"a":1}"#);
    for members in [r#","structured_content":{"a":1}"#, r#","structuredContent":null,"structured_content":{"a":1}"#] {
        assert_eq!(broken("mcp.tool-result", &result(members)), ["field-alias"]);
        assert_eq!(fixed("mcp.tool-result", "mcp.tool-result", &result(members)), (own.clone(), vec!["field-alias"]));
    }
    for members in ["", r#","structuredContent":{"a":1}"#, r#","structured_content":null"#] {
        assert_eq!(fixed("mcp.tool-result", "mcp.tool-result", &result(members)), (result(members), vec![]));
    }
}
