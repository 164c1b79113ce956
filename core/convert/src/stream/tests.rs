use super::*;
use crate::pipeline::{self, Options, fix};
use wirecanon_model::{Mode, Target};

fn read(stream: &str) -> Streamed {
    message(stream.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Events as a server sends them.
fn events(data: &[&str]) -> String {
    data.iter().flat_map(|data| ["data: ", data, "\n\n"]).collect()
}

#[test]
fn the_lines_of_an_event_are_joined_as_the_specification_says() {
    let said: Vec<String> = data("\u{feff}: hi\r\nevent: x\r\ndata: a\r\ndata:b\r\n\r\nid: 7\n\ndata:  c\rdata\n")
        .map(|(_, data)| data)
        .collect();
    assert_eq!(said, ["a\nb", " c"]);
    for text in ["event: a\n", "data: {}", "data:{}", ": ping\n", "\u{feff}data: {}"] {
        assert!(is_stream(text.as_bytes()), "{text}");
    }
    for text in ["{}", "[]", "\"data:\"", "datum", ""] {
        assert!(!is_stream(text.as_bytes()), "{text}");
    }
}

#[test]
fn pieces_of_anthropic_become_its_message() {
    let stream = events(&[
        r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":null}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Look "}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"first."}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2VhbA=="}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"look","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"n\": 9007"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"199254740993}"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
        r#"{"type":"message_stop"}"#,
    ]);
    let made = read(&stream);
    assert_eq!((made.dialect, made.events, made.ended), (Dialect::AnthropicMessages, 13, true));
    assert_eq!(
        made.document,
        r#"{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"Look first.","signature":"c2VhbA=="},{"type":"tool_use","id":"toolu_1","name":"look","input":{"n": 9007199254740993}}],"stop_reason":"tool_use"}"#
    );
}

#[test]
fn what_broke_off_stays_broken_off() {
    let stream = events(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"look","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\": \"/et"}}"#,
    ]);
    let made = read(&stream);
    assert!(!made.ended);
    assert_eq!(
        made.document,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"look","input":"{\"path\": \"/et"}]}"#
    );
    let options =
        Options { to: Some(Target::by_name("canonical").unwrap()), mode: Mode::History, ..Options::default() };
    let fixed = fix(made.document.as_bytes(), &options).expect("a history");
    assert!(fixed.report.repairs.iter().any(|entry| entry.rule.contains("arguments")), "{:?}", fixed.report.repairs);
}

/// agno-agi/agno#5802, OpenRouterTeam/ai-sdk-provider#423: the words of one thought come in pieces, its signature last.
#[test]
fn pieces_of_a_list_beside_the_content_are_put_together_by_their_place() {
    let stream = events(&[
        r#"{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","text":"Let","format":"x","index":0}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","text":" me","format":"x","index":0}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"c2VhbA==","text":null,"index":0}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"YQ==","index":0}],"annotations":[{"type":"url_citation","n":1}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"Yg==","index":0},{"type":"reasoning.summary","summary":"so","id":"rs_1","index":1}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.summary","summary":"on","id":"rs_2","index":1}],"annotations":[{"type":"url_citation","n":1},{"type":"url_citation","n":2}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}"#,
    ]);
    let made = read(&stream);
    let expected = concat!(
        r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi","annotations":[{"type":"url_citation","n":1},"#,
        r#"{"type":"url_citation","n":2}],"reasoning_details":["#,
        r#"{"type":"reasoning.text","format":"x","index":0,"signature":"c2VhbA==","text":"Let me"},"#,
        r#"{"type":"reasoning.encrypted","data":"YQ==","index":0},{"type":"reasoning.encrypted","data":"Yg==","index":0},"#,
        r#"{"type":"reasoning.summary","id":"rs_1","index":1,"summary":"so"},"#,
        r#"{"type":"reasoning.summary","id":"rs_2","index":1,"summary":"on"}]},"finish_reason":"stop"}]}"#
    );
    assert_eq!(made.document, expected);
}

#[test]
fn pieces_of_chat_completions_become_a_response() {
    let stream = events(&[
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning_content":"hm"},"finish_reason":null}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"On "}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"it."}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\""}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"","function":{"name":"f","arguments":":1}"}},{"index":1,"function":{"arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
        "[DONE]",
    ]);
    let made = read(&stream);
    assert_eq!((made.dialect, made.events, made.ended), (Dialect::OpenAiChat, 7, true));
    assert_eq!(
        made.document,
        r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"On it.","reasoning_content":"hm","tool_calls":[{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}},{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},"finish_reason":"tool_calls"}]}"#
    );
}

#[test]
fn a_server_that_counts_no_calls_begins_one_with_an_id() {
    let stream = events(&[
        r#"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"f","arguments":"{\"n\""}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":":2}"}}]},"finish_reason":"tool_calls"}]}"#,
    ]);
    let made = read(&stream);
    assert!(
        made.document.contains(r#"{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}"#),
        "{}",
        made.document
    );
    assert!(made.document.contains(r#""function":{"name":"f","arguments":"{\"n\":2}"}"#), "{}", made.document);
}

/// The calls that a stream of pieces makes: id, name, arguments.
fn calls_of(pieces: &[&str]) -> Vec<[String; 3]> {
    let chunk = |piece: &&str| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{piece}]}}}}]}}"#);
    let chunks: Vec<String> = pieces.iter().map(chunk).collect();
    let made = read(&events(&chunks.iter().map(String::as_str).collect::<Vec<_>>()));
    let json = Json::parse(&made.document, &Limits::default()).expect("JSON");
    let message = json.root().get("choices").and_then(|choices| choices.items().next()?.get("message"));
    let calls = message.and_then(|message| message.get("tool_calls")).expect("calls");
    let text = |value: Option<Value<'_>>| value.and_then(Value::as_str).unwrap_or_default().into_owned();
    let function = |call: Value<'_>, key: &str| text(call.get("function").and_then(|function| function.get(key)));
    calls.items().map(|call| [text(call.get("id")), function(call, "name"), function(call, "arguments")]).collect()
}

#[test]
fn two_calls_at_one_place_are_two() {
    // agno-agi/agno#8880
    let made = calls_of(&[
        r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}"#,
        r#"{"index":0,"id":"b","type":"function","function":{"name":"g","arguments":""}}"#,
        r#"{"index":1,"function":{"arguments":"{\"y\""}}"#,
        r#"{"index":1,"function":{"arguments":":2}"}}"#,
        r#"{"index":7,"id":"a","function":{"arguments":""}}"#,
    ]);
    assert_eq!(made, [["a", "f", r#"{"x":1}"#], ["b", "g", r#"{"y":2}"#]]);
    // A new id in each piece is still one call: only the first of them names the tool.
    let made = calls_of(&[
        r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}"#,
        r#"{"index":0,"id":"b","function":{"arguments":"}"}}"#,
    ]);
    assert_eq!(made, [["a", "f", "{}"]]);
}

#[test]
fn arguments_that_are_said_again_are_said_once() {
    // elizaOS/eliza#16973, NousResearch/hermes-agent#5384
    let whole = r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}"#;
    assert_eq!(calls_of(&[whole, whole, whole]), [["a", "f", r#"{"x":1}"#]]);
    let pieces = [
        r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#,
        r#"{"index":0,"function":{"arguments":":1}"}}"#,
    ];
    assert_eq!(calls_of(&[pieces[0], pieces[1], whole]), [["a", "f", r#"{"x":1}"#]]);
    // Others are not; which of them was meant is not guessed (diegosouzapw/OmniRoute#11043).
    let other = r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":2}"}}"#;
    assert_eq!(calls_of(&[whole, other]), [["a", "f", r#"{"x":1}{"x":2}"#]]);
    let half = r#"{"index":0,"id":"a","function":{"name":"f","arguments":"[1"}}"#;
    assert_eq!(calls_of(&[half, half]), [["a", "f", "[1[1"]]);
}

#[test]
fn events_of_responses_end_with_the_whole_or_are_put_together() {
    let begun = [
        r#"{"type":"response.created","response":{"id":"resp_1","output":[]}}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}"#,
        r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"On "}"#,
        r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"it."}"#,
        r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":""}}"#,
        r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"x\""}"#,
    ];
    let cut = read(&events(&begun));
    assert!(!cut.ended);
    assert_eq!(
        cut.document,
        r#"{"object":"response","output":[{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"On it."}]},{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{\"x\""}]}"#
    );
    let whole = r#"{"id":"resp_1","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"On it."}]}]}"#;
    let end = format!(r#"{{"type":"response.completed","response":{whole}}}"#);
    let made = read(&events(&[&begun[..], &[&end]].concat()));
    assert_eq!((made.document.as_str(), made.ended), (whole, true));
}

#[test]
fn chunks_of_gemini_become_one_content() {
    let stream = events(&[
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true}]}}]}"#,
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"On "}]}}]}"#,
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"it."},{"functionCall":{"name":"f","args":{"n":1.0}},"thoughtSignature":"c2VhbA=="}]},"finishReason":"STOP"}]}"#,
    ]);
    let made = read(&stream);
    assert_eq!(
        made.document,
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"On it."},{"functionCall":{"name":"f","args":{"n":1.0}},"thoughtSignature":"c2VhbA=="}]},"finishReason":"STOP"}]}"#
    );
    assert!(made.ended && made.dialect == Dialect::GeminiContents);
}

#[test]
fn events_of_cohere_become_its_message() {
    let stream = events(&[
        r#"{"type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[]}}}"#,
        r#"{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I look."}}}"#,
        r#"{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c1","type":"function","function":{"name":"f","arguments":""}}}}}"#,
        r#"{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}"#,
        r#"{"type":"tool-call-end","index":0}"#,
        r#"{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}"#,
        r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Done."}}}}"#,
        r#"{"type":"message-end","delta":{"finish_reason":"TOOL_CALL"}}"#,
    ]);
    let made = read(&stream);
    assert_eq!(
        made.document,
        r#"{"message":{"role":"assistant","content":[{"type":"text","text":"Done."}],"tool_plan":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"TOOL_CALL"}"#
    );
}

/// What a stream made is read by the reader of its dialect, and the judge takes it once it is mended.
#[test]
fn what_a_stream_makes_can_be_sent_on() {
    let chat = events(&[
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ]);
    let anthropic = events(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello."}}"#,
    ]);
    let responses = events(&[
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello."}]}}"#,
    ]);
    let gemini = events(&[r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello."}]}}]}"#]);
    let cohere = events(&[
        r#"{"type":"message-start","delta":{"message":{"role":"assistant"}}}"#,
        r#"{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":"Hello."}}}}"#,
    ]);
    for stream in [chat, anthropic, responses, gemini, cohere] {
        let made = read(&stream);
        let options = Options {
            from: pipeline::From::Dialect(made.dialect),
            to: Some(Target::by_name("canonical").unwrap()),
            ..Options::default()
        };
        let fixed =
            fix(made.document.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}: {}", made.document));
        let output = String::from_utf8_lossy(&fixed.output);
        assert!(output.contains(r#""text":"Hello.""#) && output.contains("assistant"), "{:?}: {output}", made.dialect);
    }
}

#[test]
fn errors_say_where() {
    let error = |stream: &str| message(stream.as_bytes(), &Limits::default()).expect_err("an error");
    let broken = error("event: x\n\ndata: {\"choices\":[]}\n\ndata: {\"choices\"\n\n");
    assert_eq!((broken.kind(), broken.position().map(|at| at.line)), (ErrorKind::Truncated, Some(5)));
    assert_eq!(error("data: {\"hello\":1}\n").kind(), ErrorKind::Undetected);
    assert_eq!(error(": ping\n").kind(), ErrorKind::Undetected);
    let bytes = message(b"data: \xff\n", &Limits::default()).expect_err("an error");
    assert_eq!((bytes.kind(), bytes.position().map(|at| at.column)), (ErrorKind::NotJson, Some(7)));
}

#[test]
fn a_response_that_closes_with_an_empty_list_has_what_was_sent() {
    let call = r#"{"type":"function_call","id":"fc_1","call_id":"call_1","name":"look","arguments":"{}"}"#;
    let begins = [
        r#"{"type":"response.created","response":{"id":"resp_1","object":"response","output":[]}}"#.to_owned(),
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","role":"assistant","content":[]}}"#.to_owned(),
        r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"hello"}"#.to_owned(),
        format!(r#"{{"type":"response.output_item.done","output_index":1,"item":{call}}}"#),
    ];
    for (output, is_sent) in
        [("[]", true), ("[ ]", true), (r#"[{"type":"message","role":"assistant","content":[]}]"#, false)]
    {
        let end =
            format!(r#"{{"type":"response.completed","response":{{"id":"resp_1","model":"m","output":{output}}}}}"#);
        let mut all: Vec<&str> = begins.iter().map(String::as_str).collect();
        all.push(&end);
        let streamed = read(&events(&all));
        assert!(streamed.ended);
        let said = &streamed.document;
        assert_eq!(said.contains(call) && said.contains("hello"), is_sent, "{said}");
        assert!(said.contains(r#""model":"m""#), "{said}");
    }
}

#[test]
fn a_stream_that_breaks_off_in_an_event_has_what_came_before() {
    let whole = events(&[
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"hel"}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"lo"}}]}"#,
    ]);
    let begins = whole.find("{\"choices\":[{\"index\":0,\"delta\":{\"content\"").expect("the second event");
    for end in begins + 1..whole.trim_end().len() {
        let streamed = read(&whole[..end]);
        assert!(!streamed.ended && streamed.document.contains("hel") && !streamed.document.contains("hello"), "{end}");
    }
    // An event that its server ended is whole, and one alone says nothing of what there was.
    for broken in [
        format!("{}\n\n", &whole[..begins + 9]),
        format!("{}\n\ndata: [DONE]\n\n", &whole[..begins + 9]),
        "data: {\"cho".to_owned(),
    ] {
        assert!(message(broken.as_bytes(), &Limits::default()).is_err(), "{broken}");
    }
}

const OLLAMA: &str = r#"{"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"two "},"done":false}
{"model":"qwen3","message":{"role":"assistant","content":"","thinking":"steps"},"done":false}
{"model":"qwen3","message":{"role":"assistant","content":"I "},"done":false}
{"model":"qwen3","message":{"role":"assistant","content":"look."},"done":false}
{"model":"qwen3","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look","arguments":{"at":1}}}]},"done":false}
{"model":"qwen3","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look","arguments":{"at":2}}}]},"done":false}
{"model":"qwen3","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"eval_count":9}
"#;

#[test]
fn lines_of_ollama_are_one_response() {
    assert!(is_stream(OLLAMA.as_bytes()));
    let streamed = read(OLLAMA);
    assert_eq!((streamed.dialect, streamed.events, streamed.ended), (Dialect::OllamaChat, 7, true));
    for part in [
        r#""content":"I look.""#,
        r#""thinking":"two steps""#,
        r#"[{"function":{"name":"look","arguments":{"at":1}}},{"function":{"name":"look","arguments":{"at":2}}}]"#,
        r#""done_reason":"stop""#,
        r#""eval_count":9"#,
    ] {
        assert!(streamed.document.contains(part), "{part}: {}", streamed.document);
    }
    let options = Options::new().from(Dialect::OllamaChat).to(Dialect::OpenAiChat);
    let fixed = fix(streamed.document.as_bytes(), &options).expect("a transcript");
    assert!(String::from_utf8_lossy(&fixed.output).contains("I look."), "{:?}", fixed.report);
}

#[test]
fn lines_of_ollama_that_break_off_have_what_came_before() {
    let first = OLLAMA.find('\n').expect("a line") + 1;
    let spaced = format!("\u{feff}\n{}", OLLAMA.replace('\n', "\r\n"));
    assert_eq!(read(&spaced).document, read(OLLAMA).document);
    for end in first..OLLAMA.len() - 1 {
        let streamed = read(&OLLAMA[..end]);
        let whole_lines = OLLAMA[..end].matches('\n').count();
        assert!((whole_lines..=whole_lines + 1).contains(&streamed.events), "{end}");
        assert!(!streamed.ended || end == OLLAMA.len() - 1, "{end}");
    }
    let broken =
        OLLAMA.replacen("{\"model\":\"qwen3\",\"message\":{\"role\":\"assistant\",\"content\":\"I", "{\"model", 1);
    let error = message(broken.as_bytes(), &Limits::default()).expect_err("an error");
    assert_eq!((error.kind(), error.position().map(|at| at.line)), (ErrorKind::NotJson, Some(3)));
}

#[test]
fn what_is_whole_is_no_stream() {
    let done = OLLAMA.lines().last().expect("a line");
    for whole in [done.to_owned(), format!("{done}\n{done}\n"), "{\n\"message\":{},\"done\":false}\n".to_owned()] {
        assert!(!is_stream(whole.as_bytes()), "{whole}");
    }
}
