//! Bytes, containers, and what cannot be judged.

use super::{judge, options};
use crate::check;
use wirecanon_model::{ErrorKind, Mode};

fn found(target: &str, input: &[u8]) -> Vec<(String, String)> {
    judge(input, &options(target, Mode::Request))
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(rule, pointer)| ((*rule).to_owned(), (*pointer).to_owned())).collect()
}

fn refused(target: &str, input: &[u8]) -> ErrorKind {
    match check(input, &options(target, Mode::Request)) {
        Ok(checked) => panic!("{target} {}: {checked:?}", String::from_utf8_lossy(input)),
        Err(error) => error.kind(),
    }
}

#[test]
fn a_byte_order_mark_and_what_is_not_utf_8() {
    assert_eq!(found("openai.chat", b"\xEF\xBB\xBF[]"), pairs(&[("byte-order-mark", "")]));
    let input = b"\xEF\xBB\xBF[{\"role\":\"user\",\"content\":\"\xFF\"}]";
    assert_eq!(found("openai.chat", input), pairs(&[("byte-order-mark", ""), ("invalid-utf-8", "")]));
    // A surrogate in the bytes themselves is not UTF-8 either.
    let input = b"[{\"role\":\"user\",\"content\":\"\xED\xA0\x80\"}]";
    assert_eq!(found("openai.chat", input), pairs(&[("invalid-utf-8", "")]));
}

#[test]
fn lone_surrogates_are_found_everywhere() {
    let input =
        br#"{"messages":[{"role":"user","content":"a\ud83d"},{"role":"user","content":"\ud83d\ude00","\udc00":1}]}"#;
    let expected = pairs(&[("lone-surrogate", "/messages/0/content"), ("lone-surrogate", "/messages/1")]);
    assert_eq!(found("openai.chat", input), expected);
    let input = br#"{"content":[{"type":"text","text":"\udfff"}],"structuredContent":{"a":["\ud800"]}}"#;
    let expected = pairs(&[("lone-surrogate", "/content/0/text"), ("lone-surrogate", "/structuredContent/a/0")]);
    assert_eq!(found("mcp.tool-result", input), expected);
    // Inside the text of arguments the escape is text.
    let input = br#"[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"a\":\"\\ud800\"}"}}]},{"role":"tool","tool_call_id":"a","content":""}]"#;
    assert_eq!(found("openai.chat", input), []);
}

#[test]
fn nul_where_the_target_refuses_it() {
    let mut target = options("openai.chat", Mode::Request).target.clone();
    let input = br#"[{"role":"user","content":"a\u0000b"},{"role":"user","content":"\\u0000"}]"#;
    assert_eq!(found("openai.chat", input), []);
    target.content.nul = false;
    let options = super::CheckOptions { target: &target, ..options("openai.chat", Mode::Request) };
    assert_eq!(judge(input, &options), pairs(&[("nul-character", "/0/content")]));
}

#[test]
fn duplicate_keys_at_message_and_block_level() {
    let input =
        br#"{"messages":[{"role":"user","ro\u006ce":"user","content":[{"type":"text","text":"a","text":"b"}]}]}"#;
    let expected = pairs(&[("duplicate-key", "/messages/0/role"), ("duplicate-key", "/messages/0/content/0/text")]);
    assert_eq!(found("openai.chat", input), expected);
    let input = br#"{"messages":[],"messages":[]}"#;
    assert_eq!(found("openai.chat", input), pairs(&[("duplicate-key", "/messages")]));
    let input = br#"{"model":"a","model":"b","messages":[{"role":"user","content":"u"}]}"#;
    assert_eq!(found("openai.chat", input), pairs(&[("duplicate-key", "/model")]));
    let input = br#"{"content":[],"content":[]}"#;
    assert_eq!(found("mcp.tool-result", input), pairs(&[("duplicate-key", "/content")]));
}

/// What `fix` reads as a turn is judged as one: SPEC.md, S2.
#[test]
fn the_turn_of_a_response() {
    let broken = r#"{"role":"assistant","content":7}"#;
    for (target, document, rule, pointer) in [
        (
            "openai.chat",
            format!(r#"{{"choices":[{{"message":{broken}}}]}}"#),
            "content-not-a-list",
            "/choices/0/message/content",
        ),
        (
            "mistral.chat",
            format!(r#"{{"choices":[{{"message":{broken}}}]}}"#),
            "content-not-a-list",
            "/choices/0/message/content",
        ),
        (
            "cohere.v2",
            format!(r#"{{"finish_reason":"COMPLETE","message":{broken}}}"#),
            "content-not-a-list",
            "/message/content",
        ),
        ("ollama.chat", format!(r#"{{"done":true,"message":{broken}}}"#), "content-not-a-list", "/message/content"),
        (
            "openai.responses",
            format!(r#"{{"object":"response","output":[{broken}]}}"#),
            "content-not-a-list",
            "/output/0/content",
        ),
        (
            "gemini.contents",
            r#"{"candidates":[{"content":{"role":"model","parts":[{}]}}]}"#.to_owned(),
            "part-data-not-one",
            "/candidates/0/content/parts/0",
        ),
        (
            "bedrock.converse",
            r#"{"output":{"message":{"role":"assistant","content":[{"text":""}]}},"stopReason":"end_turn"}"#.to_owned(),
            "blank-text",
            "/output/message/content/0",
        ),
    ] {
        let options = options(target, Mode::History);
        assert_eq!(judge(document.as_bytes(), &options), pairs(&[(rule, pointer)]), "{target} {document}");
    }
    assert_eq!(refused("openai.chat", br#"{"choices":[]}"#), ErrorKind::NotATranscript);
    assert_eq!(refused("anthropic.messages", br#"{"choices":[{"message":{}}]}"#), ErrorKind::NotATranscript);
}

#[test]
fn every_container() {
    let message = r#"{"role":"user","content":7}"#;
    for (container, pointer) in [
        (format!(r#"{{"model":"m","messages":[{message}],"tools":[]}}"#), "/messages/0/content"),
        (format!("[{message}]"), "/0/content"),
        (message.to_owned(), "/content"),
        (format!("{{\"role\":\"user\",\"content\":\"a\"}}\r\n\n  {message}\n"), "/1/content"),
    ] {
        assert_eq!(
            found("openai.chat", container.as_bytes()),
            pairs(&[("content-not-a-list", pointer)]),
            "{container}"
        );
    }
}

#[test]
fn lines_are_one_transcript() {
    let call =
        r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let result = r#"{"role":"tool","tool_call_id":"a","content":"r"}"#;
    assert_eq!(found("openai.chat", format!("{call}\n{result}").as_bytes()), []);
    let twice = format!("{call}\n{result}\n{result}");
    assert_eq!(found("openai.chat", twice.as_bytes()), pairs(&[("duplicate-tool-result", "/2")]));
    let number = format!("{call}\n{result}\n5");
    assert_eq!(found("openai.chat", number.as_bytes()), pairs(&[("message-not-an-object", "/2")]));
}

#[test]
fn what_cannot_be_judged_is_an_error() {
    for (target, input, kind) in [
        ("canonical", &b""[..], ErrorKind::Empty),
        ("canonical", b" \n", ErrorKind::Empty),
        ("canonical", b"\xEF\xBB\xBF", ErrorKind::Empty),
        ("canonical", b"hello", ErrorKind::NotJson),
        ("canonical", b"hello\nworld", ErrorKind::NotJson),
        ("canonical", b"{\"messages\":[", ErrorKind::Truncated),
        ("canonical", b"[1\n2]", ErrorKind::NotJson),
        ("canonical", b"{\"role\":\"user\"}\n{\"role\":", ErrorKind::Truncated),
        ("canonical", b"{\"role\":\"user\"}\n{oops}\n{\"role\":\"user\"}", ErrorKind::NotJson),
        ("canonical", b"{\"messages\":[]}\n{\"messages\":[]}", ErrorKind::NotATranscript),
        ("canonical", b"{}", ErrorKind::NotATranscript),
        ("canonical", b"7", ErrorKind::NotATranscript),
        ("canonical", b"{\"messages\":{}}", ErrorKind::NotATranscript),
        ("mcp.tool-result", b"{\"messages\":[]}", ErrorKind::NotATranscript),
        ("mcp.tool-result", b"[]", ErrorKind::NotATranscript),
        ("mcp.tool-result", b"{\"content\":[]}\n{\"content\":[]}", ErrorKind::NotJson),
    ] {
        assert_eq!(refused(target, input), kind, "{target} {}", String::from_utf8_lossy(input));
    }
    let deep = "[".repeat(20_000);
    assert_eq!(refused("canonical", deep.as_bytes()), ErrorKind::TooDeep);
    let closed = format!("{{}}\n{deep}{}", "]".repeat(20_000));
    assert_eq!(refused("canonical", closed.as_bytes()), ErrorKind::TooDeep);
    let just = format!("{{}}\n{}{}", "[".repeat(16_385), "]".repeat(16_385));
    assert_eq!(refused("canonical", just.as_bytes()), ErrorKind::TooDeep);
}

#[test]
fn an_error_in_a_line_has_its_place() {
    let error = check(b"{\"role\":\"user\"}\n\n {oops}", &options("canonical", Mode::Request)).expect_err("not JSON");
    let place = error.position().expect("a place");
    assert_eq!((place.line, place.column), (3, 3));
}

#[test]
fn a_list_as_deep_as_the_limit_is_still_read_from_lines() {
    let mut options = options("openai.chat", Mode::Request);
    options.limits.max_depth = 2;
    let line = r#"{"role":"user","content":[]}"#;
    assert_eq!(judge(format!("{line}\n{line}").as_bytes(), &options).len(), 2);
}
