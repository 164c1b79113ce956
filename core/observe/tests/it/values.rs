//! Values, texts and reasoning: what is the same in several dialects, and what comes close and is not.

use wirecanon_observe::Reason;

use crate::support::comparing::{PNG, compared};

/// A target, and a document of its dialect.
type Document<'d> = (&'d str, String);

/// An expected document, an answer, and the reason of a difference: `None` if a model is told the same.
type Pair<'d> = (Document<'d>, Document<'d>, Option<Reason>);

fn check(pairs: &[Pair<'_>]) {
    let wrong: Vec<_> = pairs
        .iter()
        .filter_map(|(expected, answer, reason)| {
            let comparison = compared((expected.0, &expected.1), (answer.0, &answer.1));
            let is_right = match reason {
                None => comparison.differences.is_empty(),
                Some(reason) => comparison.differences.iter().any(|difference| difference.reason == *reason),
            };
            (!is_right).then(|| {
                let found: Vec<_> = comparison.differences.iter().map(ToString::to_string).collect();
                format!("{expected:?}\n{answer:?}\nwanted {reason:?}, found {found:?}\n")
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A call of `f` and its result: the result is the JSON of its content, in the form of the dialect.
fn result(dialect: &str, content: &str, is_error: bool) -> String {
    let flag = |key: &str| if is_error { format!(r#","{key}":true"#) } else { String::new() };
    let user = r#"{"role":"user","content":"go"}"#;
    match dialect {
        "openai.chat" | "mistral.chat" | "cohere.v2" | "ollama-openai" => format!(
            r#"[{user},{{"role":"assistant","tool_calls":[{{"id":"call_1","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},
            {{"role":"tool","tool_call_id":"call_1","content":{content}}}]"#
        ),
        "openai.responses" => format!(
            r#"[{user},{{"type":"function_call","call_id":"call_1","name":"f","arguments":"{{}}"}},
            {{"type":"function_call_output","call_id":"call_1","output":{content}}}]"#
        ),
        "anthropic.messages" => format!(
            r#"[{user},{{"role":"assistant","content":[{{"type":"tool_use","id":"call_1","name":"f","input":{{}}}}]}},
            {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_1","content":{content}{}}}]}}]"#,
            flag("is_error")
        ),
        "bedrock.converse" | "bedrock" => {
            let status = if is_error { r#","status":"error""# } else { "" };
            format!(
                r#"[{{"role":"user","content":[{{"text":"go"}}]}},
                {{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"call_1","name":"f","input":{{}}}}}}]}},
                {{"role":"user","content":[{{"toolResult":{{"toolUseId":"call_1","content":[{content}]{status}}}}}]}}]"#
            )
        }
        "gemini.contents" => format!(
            r#"[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{"name":"f","args":{{}}}}}}]}},
            {{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{content}}}}}]}}]"#
        ),
        "ai-sdk.model" => format!(
            r#"[{user},{{"role":"assistant","content":[{{"type":"tool-call","toolCallId":"call_1","toolName":"f","input":{{}}}}]}},
            {{"role":"tool","content":[{{"type":"tool-result","toolCallId":"call_1","toolName":"f","output":{content}}}]}}]"#
        ),
        "canonical" => format!(
            r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},
            {{"role":"assistant","content":[{{"type":"toolCall","id":"call_1","name":"f","arguments":"{{}}"}}]}},
            {{"role":"toolResult","toolCallId":"call_1","toolName":"f","isError":{is_error},"content":{content}}}]}}"#
        ),
        _ => panic!("{dialect}"),
    }
}

/// A call of `f` with arguments, as the JSON value that the dialect has for them.
fn call(dialect: &str, arguments: &str) -> String {
    match dialect {
        "openai.chat" => format!(
            r#"[{{"role":"assistant","tool_calls":[{{"id":"call_1","type":"function","function":{{"name":"f","arguments":{}}}}}]}}]"#,
            wirecanon_json::quote(arguments)
        ),
        "anthropic.messages" => format!(
            r#"[{{"role":"assistant","content":[{{"type":"tool_use","id":"call_1","name":"f","input":{arguments}}}]}}]"#
        ),
        "gemini.contents" => {
            format!(r#"[{{"role":"model","parts":[{{"functionCall":{{"name":"f","args":{arguments}}}}}]}}]"#)
        }
        _ => panic!("{dialect}"),
    }
}

fn quoted(text: &str) -> String {
    wirecanon_json::quote(text)
}

#[test]
fn numbers_of_results_are_exact() {
    use Reason::{NumberRounded, ResultChanged};
    let gemini =
        |value: &str| ("gemini.contents", result("gemini.contents", &format!(r#"{{"output":{value}}}"#), false));
    let chat = |text: &str| ("openai.chat", result("openai.chat", &quoted(text), false));
    let bedrock =
        |value: &str| ("bedrock.converse", result("bedrock.converse", &format!(r#"{{"json":{value}}}"#), false));
    let sdk =
        |value: &str| ("ai-sdk.model", result("ai-sdk.model", &format!(r#"{{"type":"json","value":{value}}}"#), false));
    let (exact, rounded) = (r#"{"n":9007199254740993}"#, r#"{"n":9007199254740992}"#);
    let (large, larger) = (r#"{"n":1e400}"#, r#"{"n":1e401}"#);
    let repeated = r#"{"n":1,"n":2}"#;
    let mut pairs = vec![
        (chat(exact), chat(rounded), Some(ResultChanged)),
        (chat(r#"{"n":1.0}"#), chat(r#"{ "n": 1.0 }"#), None),
        (gemini("1.0"), gemini("1"), None),
        (gemini("9007199254740993"), gemini("9007199254740992"), Some(NumberRounded)),
        (gemini("9007199254740993"), chat("9007199254740993"), None),
        (chat("9007199254740993"), gemini("9007199254740993"), None),
        (chat("1.10"), chat("1.1"), Some(ResultChanged)),
        (chat("1.10"), gemini("1.10"), None),
        (gemini(r#"{"n":1e400}"#), gemini(r#"{"n":10e399}"#), None),
    ];
    for form in [gemini, bedrock, sdk] {
        for other in [gemini, bedrock, sdk] {
            pairs.push((form(exact), other(exact), None));
            pairs.push((form(exact), other(rounded), Some(NumberRounded)));
            pairs.push((form(exact), other(r#"{"n":9007199254740999}"#), Some(ResultChanged)));
            pairs.push((form(large), other(larger), Some(ResultChanged)));
            pairs.push((form(repeated), other(r#"{"n":2}"#), None));
            pairs.push((form(repeated), other(r#"{"n":3}"#), Some(ResultChanged)));
            pairs.push((form(r#"{"n":2}"#), other(repeated), Some(ResultChanged)));
            pairs.push((form(r#"{"n":null}"#), other(r#"{"n":0}"#), Some(ResultChanged)));
        }
        pairs.push((chat(exact), form(exact), None));
        pairs.push((chat(exact), form(rounded), Some(NumberRounded)));
        pairs.push((chat(large), form(larger), Some(ResultChanged)));
        pairs.push((chat(repeated), form(r#"{"n":1}"#), None));
        pairs.push((form(repeated), chat(r#"{"n":2}"#), None));
        pairs.push((form(repeated), chat(r#"{"n":3}"#), Some(ResultChanged)));
        pairs.push((form(exact), chat(exact), None));
    }
    check(&pairs);
}

#[test]
fn numbers_of_structured_content_are_exact() {
    let mcp = |value: &str| {
        ("mcp.tool-result", format!(r#"{{"content":[{{"type":"text","text":"rows"}}],"structuredContent":{value}}}"#))
    };
    check(&[
        (mcp(r#"{"n":9007199254740993}"#), mcp(r#"{"n":9007199254740993}"#), None),
        (mcp(r#"{"n":9007199254740993}"#), mcp(r#"{"n":9007199254740992}"#), Some(Reason::NumberRounded)),
        (mcp(r#"{"n":1e400}"#), mcp(r#"{"n":1e401}"#), Some(Reason::ResultChanged)),
        (mcp(r#"{"n":1}"#), mcp(r#"{"n":"1"}"#), Some(Reason::ResultChanged)),
    ]);
}

#[test]
fn numbers_of_definitions_are_exact() {
    let chat = |schema: &str| {
        let tool = format!(r#"{{"type":"function","function":{{"name":"f","parameters":{schema}}}}}"#);
        ("openai.chat", format!(r#"{{"messages":[{{"role":"user","content":"go"}}],"tools":[{tool}]}}"#))
    };
    let messages = |schema: &str| {
        let tool = format!(r#"{{"name":"f","input_schema":{schema}}}"#);
        ("anthropic.messages", format!(r#"{{"messages":[{{"role":"user","content":"go"}}],"tools":[{tool}]}}"#))
    };
    let gemini = |schema: &str| {
        let tool = format!(r#"{{"functionDeclarations":[{{"name":"f","parameters":{schema}}}]}}"#);
        ("gemini.contents", format!(r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}}],"tools":[{tool}]}}"#))
    };
    let of = |inner: &str| format!(r#"{{"type":"object","properties":{{"x":{{"type":"array",{inner}}}}}}}"#);
    let changed = Some(Reason::ToolChanged);
    let mut pairs = Vec::new();
    for (a, b, reason) in [
        (r#""maximum":10"#, r#""maximum":10.0"#, None),
        (r#""maximum":9007199254740993"#, r#""maximum":9007199254740992"#, changed),
        (r#""maximum":1e400"#, r#""maximum":1e401"#, changed),
        (r#""minItems":2"#, r#""minItems":3"#, changed),
        (r#""default":true"#, r#""default":"true""#, changed),
    ] {
        let (a, b) = (of(a), of(b));
        pairs.push((chat(&a), chat(&b), reason));
        pairs.push((chat(&a), messages(&b), reason));
        pairs.push((chat(&a), gemini(&b), reason));
        pairs.push((gemini(&a), chat(&b), reason));
    }
    for (a, b) in [
        (r#""default":5"#, r#""default":"5""#),
        (r#""enum":[5]"#, r#""enum":["5"]"#),
        (r#""maximum":5"#, r#""maximum":"5""#),
    ] {
        pairs.push((chat(&of(a)), chat(&of(b)), changed));
    }
    // Counts are strings in protobuf JSON.
    pairs.push((chat(&of(r#""minItems":2"#)), gemini(&of(r#""minItems":"2""#)), None));
    pairs.push((gemini(&of(r#""minItems":"2""#)), chat(&of(r#""minItems":2"#)), None));
    pairs.push((gemini(&of(r#""minItems":"2""#)), chat(&of(r#""minItems":3"#)), changed));
    check(&pairs);
}

#[test]
fn arguments_keep_their_values() {
    let mut pairs = Vec::new();
    for from in ["openai.chat", "anthropic.messages", "gemini.contents"] {
        for to in ["openai.chat", "anthropic.messages", "gemini.contents"] {
            for (a, b, reason) in [
                (r#"{"a":1,"b":[true]}"#, r#"{ "b": [true], "a": 1.0 }"#, None),
                (r#"{"a":9007199254740993}"#, r#"{"a":9007199254740992}"#, Some(Reason::NumberRounded)),
                (r#"{"a":1e400}"#, r#"{"a":1e401}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":1e-400}"#, r#"{"a":0}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":true}"#, r#"{"a":"true"}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":5}"#, r#"{"a":"5"}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":null}"#, r#"{"a":"null"}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":null}"#, "{}", Some(Reason::ArgumentsChanged)),
                // An object is no raw text.
                (r#"{"a":1}"#, r#"{"input":"{\"a\":1}"}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":1}"#, r#"{"INVALID_JSON":"{\"a\":1}"}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"INVALID_JSON":"{\"a\":1}"}"#, r#"{"a":1}"#, Some(Reason::ArgumentsChanged)),
                ("{}", r#"{"raw":"{}"}"#, Some(Reason::ArgumentsChanged)),
                // Either value of a repeated key.
                (r#"{"a":1,"a":2}"#, r#"{"a":1}"#, None),
                (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, None),
                (r#"{"a":1,"a":2}"#, r#"{"a":3}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":1,"a":2,"a":3}"#, r#"{"a":2}"#, None),
                (r#"{"a":1,"a":2,"a":3}"#, r#"{"a":4}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":3}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":1}"#, r#"{"a":1,"a":3}"#, Some(Reason::ArgumentsChanged)),
                (r#"{"a":{"b":1,"b":2}}"#, r#"{"a":{"b":3}}"#, Some(Reason::ArgumentsChanged)),
            ] {
                pairs.push(((from, call(from, a)), (to, call(to, b)), reason));
            }
        }
    }
    for (raw, wrapped) in [("[1,2]", r#"{"raw":"[1,2]"}"#), (r#"{"a":"#, r#"{"INVALID_JSON":"{\"a\":"}"#)] {
        pairs.push((
            ("openai.chat", call("openai.chat", raw)),
            ("anthropic.messages", call("anthropic.messages", wrapped)),
            None,
        ));
    }
    check(&pairs);
}

#[test]
fn the_input_of_a_custom_tool_is_the_only_argument() {
    let custom =
        r#"[{"role":"assistant","tool_calls":[{"id":"call_1","type":"custom","custom":{"name":"f","input":"x"}}]}]"#;
    let mut pairs = Vec::new();
    for to in ["openai.chat", "anthropic.messages", "gemini.contents"] {
        for (arguments, reason) in [
            (r#"{"input":"x"}"#, None),
            (r#"{"input":"y"}"#, Some(Reason::ArgumentsChanged)),
            (r#"{"input":"x","force":true}"#, Some(Reason::ArgumentsChanged)),
            (r#"{"force":true,"input":"x"}"#, Some(Reason::ArgumentsChanged)),
            (r#"{"input":"x","input":"y"}"#, Some(Reason::ArgumentsChanged)),
        ] {
            pairs.push((("openai.chat", custom.to_owned()), (to, call(to, arguments)), reason));
        }
    }
    pairs.push((
        ("openai.chat", call("openai.chat", r#"{"input":"x","force":true}"#)),
        ("openai.chat", custom.to_owned()),
        Some(Reason::ArgumentsChanged),
    ));
    check(&pairs);
}

#[test]
fn texts_are_joined_with_white_space() {
    let roles = ["user", "assistant", "system"];
    let message = |role: &str, texts: &[&str]| {
        let parts: Vec<_> = texts.iter().map(|text| format!(r#"{{"type":"text","text":{}}}"#, quoted(text))).collect();
        (
            "openai.chat",
            format!(r#"[{{"role":"user","content":"go"}},{{"role":"{role}","content":[{}]}}]"#, parts.join(",")),
        )
    };
    let tool = |texts: &[&str]| {
        let parts: Vec<_> = texts.iter().map(|text| format!(r#"{{"type":"text","text":{}}}"#, quoted(text))).collect();
        ("anthropic.messages", result("anthropic.messages", &format!("[{}]", parts.join(",")), false))
    };
    let cases: [(&[&str], &[&str], bool); 19] = [
        (&["1", "5 files"], &["1\n5 files"], true),
        (&["1", "5 files"], &["1 5 files"], true),
        (&["1 ", "5 files"], &["1 5 files"], true),
        (&["1", "5 files"], &["15 files"], false),
        (&["1", ".5 files"], &["1.5 files"], false),
        (&["1 file", "(5 lines)"], &["1 file(5 lines)"], false),
        (&["a", "b", "c"], &["a\nb\nc"], true),
        (&["a", "b", "c"], &["a\nbc"], false),
        (&["hello"], &["hel", "lo"], false),
        (&["hello there"], &["hello", "there"], true),
        (&["hello there"], &["hello the", "re"], false),
        (&["not", "able"], &["notable"], false),
        (&["one\r\ntwo", "three"], &["one\ntwothree"], false),
        (&["one\r\ntwo", "three"], &["one\ntwo\n\nthree"], true),
        (&["1 ", "5 files"], &["15 files"], false),
        (&["1", " 5 files"], &["15 files"], false),
        (&["1", "5 files"], &["1-5 files"], false),
        (&["1", "5 files"], &["15 files more"], false),
        (&["Hel", "lo"], &["Hel\nlo"], true),
    ];
    // The blocks of one message of the assistant are its text, one after the other.
    let concatenated = |expected: &[&str], answer: &[&str]| {
        let behind = |rest: Option<String>, text: &&str| {
            Some(rest?.trim_start().strip_prefix(&text.replace('\r', ""))?.to_owned())
        };
        answer.len() == 1
            && expected.iter().fold(Some(answer[0].to_owned()), behind).is_some_and(|rest| rest.is_empty())
    };
    for (expected, answer, is_same) in cases {
        for role in roles {
            let comparison = {
                let (expected, answer) = (message(role, expected), message(role, answer));
                compared((expected.0, &expected.1), (answer.0, &answer.1))
            };
            let is_same = is_same || role == "assistant" && concatenated(expected, answer);
            assert_eq!(comparison.is_same(), is_same, "{role} {expected:?} {answer:?}: {:?}", comparison.differences);
        }
        check(&[(tool(expected), tool(answer), (!is_same).then_some(Reason::ResultChanged))]);
    }
    check(&[(message("user", &["1", "5 files"]), message("user", &["15 files"]), Some(Reason::TextChanged))]);
    let model = |parts: &str| ("gemini.contents", format!(r#"[{{"role":"user","parts":[{{"text":"go"}}]}},{parts}]"#));
    let parts = r#"{"role":"model","parts":[{"text":"Hel"},{"text":"lo"},{"text":" you"}]}"#;
    let contents = r#"{"role":"model","parts":[{"text":"Hel"}]},{"role":"model","parts":[{"text":"lo you"}]}"#;
    let chat = |text: &str| message("assistant", &[text]);
    check(&[
        (model(parts), chat("Hello you"), None),
        (model(parts), chat("Hel\nlo you"), None),
        (model(parts), chat("Helloyou"), Some(Reason::TextChanged)),
        (model(parts), chat("He llo you"), Some(Reason::TextChanged)),
        (model(parts), chat("Hel-lo you"), Some(Reason::TextChanged)),
        (model(contents), chat("Hello you"), Some(Reason::TextChanged)),
        (chat("Hello you"), model(parts), Some(Reason::TextChanged)),
    ]);
}

#[test]
fn only_dialects_that_demand_an_object_wrap_results() {
    let changed = Some(Reason::ResultChanged);
    let mut pairs = Vec::new();
    for dialect in ["openai.chat", "openai.responses", "mistral.chat", "cohere.v2", "anthropic.messages"] {
        let plain = || (dialect, result(dialect, r#""x y""#, false));
        for key in ["error", "output", "result", "content", "value"] {
            let wrapped = (dialect, result(dialect, &quoted(&format!(r#"{{"{key}":"x y"}}"#)), false));
            pairs.push((plain(), wrapped.clone(), changed));
            pairs.push((wrapped.clone(), plain(), changed));
            let chat = ("openai.chat", result("openai.chat", r#""x y""#, false));
            pairs.push((chat.clone(), wrapped.clone(), changed));
            pairs.push((wrapped, chat, changed));
        }
    }
    let chat = |text: &str| ("openai.chat", result("openai.chat", &quoted(text), false));
    let gemini = |response: &str| ("gemini.contents", result("gemini.contents", response, false));
    let bedrock = |block: &str| ("bedrock.converse", result("bedrock.converse", block, false));
    pairs.extend([
        (chat("x"), gemini(r#"{"output":"x"}"#), None),
        (chat("x"), gemini(r#"{"result":"x"}"#), None),
        (chat("x"), gemini(r#"{"error":"x"}"#), Some(Reason::ErrorFlagInvented)),
        (gemini(r#"{"output":"x"}"#), chat("x"), None),
        (gemini(r#"{"output":"x"}"#), chat(r#"{"output":"x"}"#), None),
        (gemini(r#"{"output":"x"}"#), chat(r#"{"result":"x"}"#), changed),
        (gemini(r#"{"output":"x"}"#), gemini(r#"{"output":"x"}"#), None),
        (gemini(r#"{"output":"x"}"#), gemini(r#"{"result":"x"}"#), changed),
        (gemini(r#"{"content":"x"}"#), gemini(r#"{"output":"x"}"#), changed),
        (gemini(r#"{"error":"x"}"#), gemini(r#"{"output":"x"}"#), Some(Reason::ErrorFlagLost)),
        (gemini(r#"{"error":"x"}"#), gemini(r#"{"result":"x"}"#), Some(Reason::ErrorFlagLost)),
        (gemini(r#"{"output":"x"}"#), gemini(r#"{"error":"x"}"#), Some(Reason::ErrorFlagInvented)),
        (chat("[1,2]"), bedrock(r#"{"json":{"result":[1,2]}}"#), None),
        (chat("x"), bedrock(r#"{"json":{"output":"x"}}"#), None),
        (chat("x"), bedrock(r#"{"json":{"error":"x"}}"#), changed),
        (bedrock(r#"{"json":{"output":"x"}}"#), chat("x"), None),
        (bedrock(r#"{"json":{"output":"x"}}"#), bedrock(r#"{"json":{"result":"x"}}"#), changed),
        (bedrock(r#"{"json":{"output":"x"}}"#), bedrock(r#"{"text":"x"}"#), changed),
        (bedrock(r#"{"text":"x"}"#), bedrock(r#"{"json":{"output":"x"}}"#), changed),
        (bedrock(r#"{"json":{"output":"x"}}"#), bedrock(r#"{"text":"{\"output\":\"x\"}"}"#), None),
        (chat(r#"{"output":"x"}"#), bedrock(r#"{"json":{"output":"x"}}"#), None),
    ]);
    // Single keys that say no more than that their value is the result, and the name of the tool beside one.
    for key in ["return_value", "tool_result", "response", "data", "toolOutput"] {
        let (text, list) = (format!(r#"{{"{key}":"x"}}"#), format!(r#"{{"{key}":[1,2]}}"#));
        pairs.extend([
            (chat("x"), gemini(&text), None),
            (chat("[1,2]"), gemini(&list), None),
            (chat("x"), bedrock(&format!(r#"{{"json":{text}}}"#)), None),
            (gemini(&text), chat("x"), None),
            (chat("y"), gemini(&text), changed),
            (chat(r#"{"a":1}"#), gemini(&format!(r#"{{"{key}":{{"a":1}}}}"#)), changed),
            (chat("x"), chat(&text), changed),
        ]);
    }
    pairs.extend([
        (chat("x"), gemini(r#"{"name":"f","content":"x"}"#), None),
        (chat(r#"{"a":1}"#), gemini(r#"{"content":{"a":1},"name":"f"}"#), None),
        (gemini(r#"{"name":"f","content":"x"}"#), chat("x"), None),
        (chat("x"), gemini(r#"{"name":"g","content":"x"}"#), changed),
        (chat("x"), gemini(r#"{"name":"f","content":"x","more":1}"#), changed),
        (chat("x"), gemini(r#"{"name":"f"}"#), changed),
        (chat("5"), gemini(r#"{"temperature":5}"#), changed),
        (gemini(r#"{"temperature":5}"#), chat("5"), changed),
        (chat("x"), gemini(r#"{"not":"x"}"#), changed),
        (chat("x"), gemini(r#"{"no_result":"x"}"#), changed),
    ]);
    check(&pairs);
}

#[test]
fn json_text_of_a_string_is_the_string_where_the_result_is_a_value() {
    let changed = Some(Reason::ResultChanged);
    let chat = |text: &str| ("openai.chat", result("openai.chat", &quoted(text), false));
    let gemini = |response: &str| ("gemini.contents", result("gemini.contents", response, false));
    let sdk = |kind: &str| {
        ("ai-sdk.model", result("ai-sdk.model", &format!(r#"{{"type":"{kind}","value":"sunny"}}"#), false))
    };
    check(&[
        (sdk("json"), chat("sunny"), None),
        (sdk("json"), chat(r#""sunny""#), None),
        (chat(r#""sunny""#), sdk("json"), None),
        (chat(r#""x""#), gemini(r#"{"result":"x"}"#), None),
        (chat(r#""x""#), gemini(r#"{"return_value":"x"}"#), None),
        (gemini(r#"{"result":"x"}"#), chat(r#""x""#), None),
        (sdk("text"), chat(r#""sunny""#), changed),
        (sdk("json"), chat(r#""rainy""#), changed),
        (sdk("json"), chat(r#""sunny" "not""#), changed),
        (chat(r#""x""#), chat("x"), changed),
    ]);
}

#[test]
fn structured_content_replaces_only_texts_that_say_it() {
    let tool = |texts: &[&str], value: &str| {
        let texts: Vec<_> = texts.iter().map(|text| format!(r#"{{"type":"text","text":{}}}"#, quoted(text))).collect();
        ("mcp.tool-result", format!(r#"{{"content":[{}],"structuredContent":{value}}}"#, texts.join(",")))
    };
    let chat = |text: &str| ("openai.chat", result("openai.chat", &quoted(text), false));
    let changed = Some(Reason::ResultChanged);
    check(&[
        (tool(&[r#"{"t": 5}"#], r#"{"t":5}"#), chat(r#"{"t":5}"#), None),
        (tool(&["5"], r#"{"result":5}"#), chat(r#"{"result":5}"#), None),
        (tool(&["a", "b"], r#"{"result":["a","b"]}"#), chat(r#"{"result":["a","b"]}"#), None),
        (tool(&["Broken, do not use."], r#"{"t":5}"#), chat(r#"{"t":5}"#), changed),
        (tool(&["Broken, do not use."], r#"{"t":5}"#), chat("Broken, do not use.\n{\"t\":5}"), None),
        (tool(&["a", "c"], r#"{"result":["a","b"]}"#), chat(r#"{"result":["a","b"]}"#), changed),
        (tool(&["a"], r#"{"result":["a","b"]}"#), chat(r#"{"result":["a","b"]}"#), changed),
    ]);
}

#[test]
fn errors_have_objects_where_there_is_no_flag() {
    let failed = ("anthropic.messages", result("anthropic.messages", r#""no table""#, true));
    let worked = ("anthropic.messages", result("anthropic.messages", r#""no table""#, false));
    let mut pairs = Vec::new();
    for text in [
        r#"{"error":"no table"}"#,
        r#"{"isError":true,"content":"no table"}"#,
        r#"{"is_error":true,"message":"no table"}"#,
        r#"{"isError":true,"content":[{"type":"text","text":"no table"}]}"#,
        r#"{"status":"error","message":"no table"}"#,
        r#"{"success":false,"error":"no table"}"#,
        r#"{"message":"no table","status":"error"}"#,
        r#"{"error":{"message":"no table"}}"#,
        r#"{"error":{"text":"no table"}}"#,
        r#"{"error":{"details":"no table"}}"#,
        r#"{"error":true,"message":"no table"}"#,
        r#"{"error":true,"content":"no table"}"#,
        r#"{"tool_error":"no table"}"#,
    ] {
        for dialect in ["openai.chat", "openai.responses", "mistral.chat"] {
            let answer = (dialect, result(dialect, &quoted(text), false));
            pairs.push((failed.clone(), answer.clone(), None));
            pairs.push((worked.clone(), answer.clone(), Some(Reason::ResultChanged)));
            pairs.push((answer.clone(), failed.clone(), None));
            pairs.push((answer, worked.clone(), Some(Reason::ResultChanged)));
        }
        let json = ("bedrock.converse", result("bedrock.converse", &format!(r#"{{"json":{text}}}"#), true));
        pairs.push((failed.clone(), json, None));
        pairs.push((failed.clone(), ("gemini.contents", result("gemini.contents", text, false)), None));
        let json =
            ("ai-sdk.model", result("ai-sdk.model", &format!(r#"{{"type":"error-json","value":{text}}}"#), true));
        pairs.push((failed.clone(), json, None));
        let json = ("ai-sdk.model", result("ai-sdk.model", &format!(r#"{{"type":"json","value":{text}}}"#), false));
        let is_whole = text.contains('[');
        let reason = if is_whole { Reason::ErrorFlagInvented } else { Reason::ResultChanged };
        pairs.push((worked.clone(), json, Some(reason)));
    }
    for text in [
        r#"{"error":"another"}"#,
        r#"{"isError":false,"content":"no table"}"#,
        r#"{"status":"error","code":"no table"}"#,
    ] {
        pairs.push((
            failed.clone(),
            ("openai.chat", result("openai.chat", &quoted(text), false)),
            Some(Reason::ResultChanged),
        ));
    }
    let gemini = |response: &str| ("gemini.contents", result("gemini.contents", response, false));
    for key in ["output", "result", "content"] {
        pairs.push((failed.clone(), gemini(&format!(r#"{{"{key}":"Error: no table"}}"#)), None));
        pairs.push((failed.clone(), gemini(&format!(r#"{{"{key}":"no table"}}"#)), Some(Reason::ErrorFlagLost)));
    }
    for response in [
        r#"{"error":{"message":"another"}}"#,
        r#"{"error":{"message":"no table","code":5}}"#,
        r#"{"error":{"not":"no table"}}"#,
        r#"{"no_error":"no table"}"#,
    ] {
        pairs.push((failed.clone(), gemini(response), Some(Reason::ResultChanged)));
        let chat = ("openai.chat", result("openai.chat", &quoted(response), false));
        pairs.push((failed.clone(), chat, Some(Reason::ResultChanged)));
    }
    check(&pairs);
}

#[test]
fn a_flag_that_is_no_boolean_says_nothing_of_a_failure() {
    let value =
        |flag: &str| format!(r#"{{"content":[{{"type":"text","text":"The disk is full."}}],"isError":{flag}}}"#);
    let gemini =
        |flag: &str| ("gemini.contents", result("gemini.contents", &format!(r#"{{"error":{}}}"#, value(flag)), false));
    let bedrock =
        |text: &str| ("bedrock.converse", result("bedrock.converse", &format!(r#"{{"text":{}}}"#, quoted(text)), true));
    check(&[
        (gemini("true"), bedrock("The disk is full."), None),
        (gemini("[]"), bedrock(&value("[]")), None),
        (gemini("[]"), bedrock("The disk is full."), Some(Reason::ResultChanged)),
    ]);
}

#[test]
fn structured_content_repeats_a_picture_of_the_same_type_alone() {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    let picture = |key: &str| format!(r#"{{"type":"image","data":"{png}","{key}":"image/png"}}"#);
    let structured = |key: &str| format!(r#"{{"result":[{}]}}"#, picture(key));
    let answer = |text: &str| ("canonical", result("canonical", &format!("[{}{text}]", picture("mimeType")), false));
    let tool = |key: &str| {
        (
            "mcp.tool-result",
            format!(r#"{{"content":[{}],"structuredContent":{}}}"#, picture("mimeType"), structured(key)),
        )
    };
    let beside = format!(r#",{{"type":"text","text":{}}}"#, quoted(&structured("mameType")));
    check(&[
        (tool("mimeType"), answer(""), None),
        (tool("mameType"), answer(&beside), None),
        (tool("mameType"), answer(""), Some(Reason::ResultChanged)),
    ]);
}

#[test]
fn scalars_keep_their_kind() {
    let gemini =
        |value: &str| ("gemini.contents", result("gemini.contents", &format!(r#"{{"output":{value}}}"#), false));
    let sdk =
        |value: &str| ("ai-sdk.model", result("ai-sdk.model", &format!(r#"{{"type":"json","value":{value}}}"#), false));
    let chat = |text: &str| ("openai.chat", result("openai.chat", &quoted(text), false));
    let changed = Some(Reason::ResultChanged);
    let mut pairs = vec![
        (chat("true"), chat("\"true\""), changed),
        (chat("\"true\""), chat("true"), changed),
        (chat("5"), chat("\"5\""), changed),
        (chat("null"), chat(""), changed),
        (chat("null"), gemini("null"), None),
        (chat(""), gemini("null"), None),
        (gemini("null"), chat("null"), None),
        (sdk("null"), gemini("null"), None),
        (gemini("null"), gemini("null"), None),
        (gemini("null"), gemini("\"\""), changed),
    ];
    for (value, text) in [("true", "\"true\""), ("5", "\"5\""), ("null", "\"null\"")] {
        for own in [gemini, sdk] {
            pairs.push((own(value), own(text), changed));
            pairs.push((own(text), own(value), changed));
            let (value, text) = (format!(r#"{{"a":{value}}}"#), format!(r#"{{"a":{text}}}"#));
            pairs.push((own(&value), own(&text), changed));
            pairs.push((own(&text), own(&value), changed));
            pairs.push((chat(&value), own(&text), changed));
            pairs.push((own(&value), chat(&text), changed));
        }
        pairs.push((chat(value), gemini(value), None));
        pairs.push((gemini(value), chat(value), None));
    }
    check(&pairs);
}

#[test]
fn only_a_note_says_that_a_result_is_empty() {
    let form = |dialect: &'static str, text: &str| {
        let content = match dialect {
            "gemini.contents" => format!(r#"{{"output":{}}}"#, quoted(text)),
            "bedrock" | "bedrock.converse" => format!(r#"{{"text":{}}}"#, quoted(text)),
            "ai-sdk.model" => format!(r#"{{"type":"text","value":{}}}"#, quoted(text)),
            "canonical" => format!(r#"[{{"type":"text","text":{}}}]"#, quoted(text)),
            _ => quoted(text),
        };
        (dialect, result(dialect, &content, false))
    };
    let changed = Some(Reason::ResultChanged);
    let mut pairs = Vec::new();
    for dialect in ["openai.chat", "openai.responses", "gemini.contents", "ai-sdk.model", "mistral.chat"] {
        for word in ["(no output)", "(empty)", "success", "void", "undefined", "null", "not empty", "Success."] {
            pairs.push((form(dialect, word), form(dialect, ""), changed));
            pairs.push((form(dialect, ""), form(dialect, word), changed));
        }
        for note in ["(no output)", "(empty)", "no content"] {
            pairs.push((form(dialect, ""), form("anthropic.messages", note), None));
            pairs.push((form(dialect, ""), form("bedrock", note), None));
        }
        pairs.push((form(dialect, ""), form("anthropic.messages", "42"), changed));
        pairs.push((form(dialect, "ok"), form("anthropic.messages", ""), changed));
    }
    pairs.push((form("bedrock", ""), form("bedrock", "(no output)"), None));
    check(&pairs);
}

#[test]
fn stand_ins_may_have_another_text() {
    let known = [
        "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.",
        "[lossless-claw] missing tool result in session history; inserted synthetic error result for transcript repair.",
        "[wirecanon: no result was recorded for this tool call]",
    ];
    let mut pairs = Vec::new();
    for text in known {
        for from in ["openai.chat", "anthropic.messages"] {
            let expected = (from, result(from, &quoted(text), true));
            for to in ["openai.chat", "anthropic.messages"] {
                let answer = |text: &str| (to, result(to, &quoted(text), true));
                pairs.push((expected.clone(), answer("Tool execution was interrupted"), None));
                pairs.push((expected.clone(), answer("No result provided"), None));
                pairs.push((expected.clone(), answer("The call was interrupted before a result was produced."), None));
                pairs.push((expected.clone(), answer("[No output available yet]"), None));
                pairs.push((expected.clone(), answer("A result was produced."), Some(Reason::ResultChanged)));
                pairs.push((expected.clone(), answer("Deleted."), Some(Reason::ResultChanged)));
            }
        }
    }
    let real = ("anthropic.messages", result("anthropic.messages", r#""No result provided""#, false));
    pairs.push((
        real,
        ("openai.chat", result("openai.chat", r#""Tool execution was interrupted""#, true)),
        Some(Reason::ResultChanged),
    ));
    check(&pairs);
}

/// A conversation of three turns of the assistant, each with reasoning, a text and a call.
fn thinking(dialect: &str, is_signed: bool, reasoning: [&str; 3], texts: [&str; 3]) -> String {
    let mut messages = Vec::new();
    for (at, (reasoning, text)) in reasoning.into_iter().zip(texts).enumerate() {
        let (has_reasoning, has_text) = (!reasoning.is_empty(), !text.is_empty());
        match dialect {
            "anthropic.messages" => {
                messages.push(format!(r#"{{"role":"user","content":"question {at}"}}"#));
                let mut blocks = Vec::new();
                if has_reasoning {
                    let seal = if is_signed { format!(r#","signature":"sig of {reasoning}""#) } else { String::new() };
                    blocks.push(format!(r#"{{"type":"thinking","thinking":"{reasoning}"{seal}}}"#));
                }
                if has_text {
                    blocks.push(format!(r#"{{"type":"text","text":"{text}"}}"#));
                }
                blocks.push(format!(r#"{{"type":"tool_use","id":"call_{at}","name":"f","input":{{"at":{at}}}}}"#));
                messages.push(format!(r#"{{"role":"assistant","content":[{}]}}"#, blocks.join(",")));
                messages.push(format!(
                    r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_{at}","content":"done {at}"}}]}}"#
                ));
            }
            "deepseek" => {
                messages.push(format!(r#"{{"role":"user","content":"question {at}"}}"#));
                messages.push(format!(
                    r#"{{"role":"assistant","reasoning_content":"{reasoning}","content":"{text}","tool_calls":[
                    {{"id":"call_{at}","type":"function","function":{{"name":"f","arguments":"{{\"at\":{at}}}"}}}}]}}"#
                ));
                messages.push(format!(r#"{{"role":"tool","tool_call_id":"call_{at}","content":"done {at}"}}"#));
            }
            "gemini.contents" => {
                messages.push(format!(r#"{{"role":"user","parts":[{{"text":"question {at}"}}]}}"#));
                let mut parts = Vec::new();
                if has_reasoning {
                    parts.push(format!(r#"{{"thought":true,"text":"{reasoning}"}}"#));
                }
                if has_text {
                    parts.push(format!(r#"{{"text":"{text}"}}"#));
                }
                parts.push(format!(r#"{{"functionCall":{{"name":"f","args":{{"at":{at}}}}}}}"#));
                messages.push(format!(r#"{{"role":"model","parts":[{}]}}"#, parts.join(",")));
                messages.push(format!(
                    r#"{{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{{"output":"done {at}"}}}}}}]}}"#
                ));
            }
            _ => panic!("{dialect}"),
        }
    }
    format!("[{}]", messages.join(","))
}

#[test]
fn reasoning_stays_in_its_turn() {
    let reasoning = ["one", "two", "three"];
    let (texts, nothing) = (["first", "second", "third"], ["", "", ""]);
    let changed = Some(Reason::ReasoningChanged);
    let mut pairs = Vec::new();
    for from in ["anthropic.messages", "deepseek", "gemini.contents"] {
        let is_signed = from == "anthropic.messages";
        for to in ["anthropic.messages", "deepseek", "gemini.contents"] {
            // One that is left out is seen in its own dialect.
            let dropped = (from == to).then_some(Reason::ReasoningDropped);
            let moves = [
                (reasoning, None),
                (["two", "one", "three"], changed),
                (["", "one", "two"], changed),
                (["one two", "", "three"], changed),
                (["", "one two", "three"], changed),
                (["", "", "one two three"], changed),
                (["one", "two", "four"], changed),
                (["one", "", "three"], dropped),
                (["", "two", "three"], dropped),
                (["one", "two", ""], dropped),
                (nothing, dropped),
            ];
            for texts in [texts, nothing] {
                for (moved, reason) in moves {
                    let expected = thinking(from, is_signed, reasoning, texts);
                    pairs.push(((from, expected), (to, thinking(to, is_signed, moved, texts)), reason));
                }
            }
            for (moved, texts_moved) in [
                (["", "one", "three"], ["", "first second", "third"]),
                (["", "one", ""], ["", "first", "second third"]),
                (["", "one two", "three"], ["", "first second", "third"]),
            ] {
                let expected = thinking(from, is_signed, reasoning, texts);
                pairs.push(((from, expected), (to, thinking(to, is_signed, moved, texts_moved)), changed));
            }
        }
    }
    check(&pairs);
}

#[test]
fn a_turn_of_reasoning_alone_stays_between_the_turns_around_it() {
    let conversation = |reasoning: [&str; 2]| {
        let messages: Vec<_> = reasoning
            .into_iter()
            .enumerate()
            .map(|(at, reasoning)| {
                let answer = match reasoning {
                    "" => String::new(),
                    reasoning => format!(r#",{{"role":"assistant","content":"","reasoning_content":"{reasoning}"}}"#),
                };
                format!(r#"{{"role":"user","content":"question {at}"}}{answer}"#)
            })
            .collect();
        ("deepseek", format!("[{}]", messages.join(",")))
    };
    check(&[
        (conversation(["one", ""]), conversation(["one", ""]), None),
        (conversation(["one", ""]), conversation(["", "one"]), Some(Reason::ReasoningChanged)),
        (conversation(["", "one"]), conversation(["one", ""]), Some(Reason::ReasoningChanged)),
    ]);
}

#[test]
fn signatures_stay_where_they_are() {
    let conversation = |signatures: [&str; 4]| {
        let signed = signatures.map(|signature| match signature {
            "" => String::new(),
            signature => format!(r#","thoughtSignature":"{signature}""#),
        });
        let [text, first, second, last] = signed;
        let text = format!(
            r#"[{{"role":"user","parts":[{{"text":"go"}}]}},
            {{"role":"model","parts":[{{"text":"I look."{text}}},{{"functionCall":{{"name":"f","args":{{"x":1}}}}{first}}},
            {{"functionCall":{{"name":"f","args":{{"x":2}}}}{second}}}]}},
            {{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{{"output":"a"}}}}}},
            {{"functionResponse":{{"name":"f","response":{{"output":"b"}}}}}}]}},
            {{"role":"model","parts":[{{"text":"Done."{last}}}]}}]"#
        );
        ("gemini.contents", text)
    };
    let expected = || conversation(["", "c2lnbmF0dXJlIDE=", "", "c2lnbmF0dXJlIDI="]);
    let changed = Some(Reason::ReasoningChanged);
    check(&[
        (expected(), expected(), None),
        (
            expected(),
            conversation(["", "c2lnbmF0dXJlIDE=", "skip_thought_signature_validator", "c2lnbmF0dXJlIDI="]),
            None,
        ),
        (expected(), conversation(["c2lnbmF0dXJlIDE=", "", "", "c2lnbmF0dXJlIDI="]), changed),
        (expected(), conversation(["", "", "c2lnbmF0dXJlIDE=", "c2lnbmF0dXJlIDI="]), changed),
        (expected(), conversation(["", "c2lnbmF0dXJlIDI=", "", "c2lnbmF0dXJlIDE="]), changed),
        (expected(), conversation(["", "c2lnbmF0dXJlIDM=", "", "c2lnbmF0dXJlIDI="]), changed),
        (expected(), conversation(["", "c2lnbmF0dXJlIDE=", "c2lnbmF0dXJlIDE=", "c2lnbmF0dXJlIDI="]), changed),
        (expected(), conversation(["", "", "", "c2lnbmF0dXJlIDI="]), Some(Reason::AttributeMissing)),
    ]);
}

#[test]
fn signatures_stay_with_their_reasoning() {
    let conversation = |blocks: &[(&str, &str)]| {
        let blocks: Vec<_> = blocks
            .iter()
            .map(|(text, signature)| match *signature {
                "" => format!(r#"{{"type":"thinking","thinking":"{text}"}}"#),
                signature => format!(r#"{{"type":"thinking","thinking":"{text}","signature":"{signature}"}}"#),
            })
            .collect();
        let content = [&blocks[..], &[r#"{"type":"text","text":"done"}"#.to_owned()]].concat().join(",");
        let text = format!(r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{content}]}}]"#);
        ("anthropic.messages", text)
    };
    let expected = || conversation(&[("one", "s1"), ("two", "s2")]);
    check(&[
        (expected(), expected(), None),
        (expected(), conversation(&[("one", "s2"), ("two", "s1")]), Some(Reason::ReasoningChanged)),
        (expected(), conversation(&[("one two", "s2")]), Some(Reason::ReasoningChanged)),
        (expected(), conversation(&[("one two", "s3")]), Some(Reason::ReasoningChanged)),
        (expected(), conversation(&[("one", "s1"), ("two", "")]), Some(Reason::ReasoningDropped)),
        (expected(), conversation(&[("one", "s1")]), Some(Reason::ReasoningDropped)),
        (expected(), conversation(&[("two", "s2")]), Some(Reason::ReasoningDropped)),
    ]);
    // Redacted reasoning is reasoning, too.
    let redacted = |data: &str| {
        let text = format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"thinking","thinking":"one","signature":"s1"}}{data},
            {{"type":"text","text":"done"}}]}}]"#
        );
        ("anthropic.messages", text)
    };
    let expected = || redacted(r#",{"type":"redacted_thinking","data":"r1"}"#);
    check(&[
        (expected(), expected(), None),
        (expected(), redacted(""), Some(Reason::ReasoningDropped)),
        (expected(), redacted(r#",{"type":"redacted_thinking","data":"r2"}"#), Some(Reason::ReasoningChanged)),
    ]);
}

#[test]
fn a_text_of_the_user_is_not_a_label() {
    let expected = format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"call_1","name":"f","input":{{}}}}]}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_1","content":[{{"type":"text","text":"here"}},
        {{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PNG}"}}}}]}},
        {{"type":"text","text":"so?"}},{{"type":"text","text":"[image left out: no data (image/png)]"}}]}}]"#
    );
    let answer = |text: &str| {
        let text = format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":"","tool_calls":[{{"id":"call_1","function":{{"name":"f","arguments":{{}}}}}}]}},
            {{"role":"tool","tool_call_id":"call_1","tool_name":"f","content":"here\n[image follows the tool results]"}},
            {{"role":"user","content":"[media of tool result call_1 (f)]","images":["{PNG}"]}},{{"role":"user","content":{}}}]"#,
            quoted(text)
        );
        ("ollama-cloud", text)
    };
    let expected = || ("anthropic.messages", expected.clone());
    check(&[
        (expected(), answer("so?\n[image left out: no data (image/png)]"), None),
        (expected(), answer("so?"), Some(Reason::TextMissing)),
    ]);
}

#[test]
fn a_label_says_that_its_tool_failed_where_it_did() {
    let answer = |is_error: bool| {
        let text = format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"call_1","name":"f","input":{{}}}}]}},
            {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_1","content":"page crashed\n(image attached after the tool results)","is_error":{is_error}}},
            {{"type":"text","text":"Images from the error result of tool call call_1 (f):"}},
            {{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PNG}"}}}}]}}]"#
        );
        ("anthropic", text)
    };
    let expected = |is_error: bool| {
        let text = format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"toolCall","id":"call_1","name":"f","arguments":{{}}}}]}},
            {{"role":"toolResult","toolCallId":"call_1","toolName":"f","content":[{{"type":"text","text":"page crashed"}},
            {{"type":"image","mimeType":"image/png","data":"{PNG}"}}],"isError":{is_error}}}]"#
        );
        ("openclaw", text)
    };
    check(&[(expected(true), answer(true), None), (expected(false), answer(false), Some(Reason::MediaMissing))]);
}

/// A conversation for Anthropic in which a tool answers this text.
fn anthropic_result(content: &str) -> (&'static str, String) {
    let text = format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"f","input":{{}}}}]}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":{}}}]}}]"#,
        quoted(content)
    );
    ("anthropic.messages", text)
}

#[test]
fn a_canonical_result_is_also_the_object_that_it_was_read_from() {
    let expected = || {
        let text = r#"[{"role":"user","content":[{"type":"text","text":"go"}]},
        {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"f","arguments":"{}"}]},
        {"role":"toolResult","toolCallId":"c1","toolName":"f","isError":false,
        "content":[{"type":"text","text":"done","native":{"gemini.contents":{"response":{"output":"done"}}}}]}]"#;
        ("canonical", text.to_owned())
    };
    let answer = anthropic_result;
    check(&[
        (expected(), answer("done"), None),
        (expected(), answer(r#"{"output":"done"}"#), None),
        (expected(), answer(r#"{"output":"undone"}"#), Some(Reason::ResultChanged)),
    ]);
}

#[test]
fn the_note_of_a_medium_that_follows_may_end_the_result() {
    let expected = || {
        let text = format!(
            r#"{{"content":[{{"type":"image","data":"{PNG}","mimeType":"image/png"}},{{"type":"text","text":"two rows"}}],"isError":false}}"#
        );
        ("mcp.tool-result", text)
    };
    let answer = |note: &str| {
        let text = format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"c1","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},
            {{"role":"tool","tool_call_id":"c1","content":[{{"type":"text","text":"two rows"}},{{"type":"text","text":{}}}]}},
            {{"role":"user","content":[{{"type":"text","text":"The tool call above generated the attached media."}},
            {{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PNG}"}}}}]}}]"#,
            quoted(note)
        );
        ("openai", text)
    };
    let note = "Tool successfully returned an image. The image is being provided in the following user message.";
    check(&[
        (expected(), answer(note), None),
        (expected(), answer("Image has been generated and added to the response."), None),
        (expected(), answer("The image shows a cat."), Some(Reason::ResultChanged)),
    ]);
}

#[test]
fn structured_content_may_stand_behind_a_heading() {
    let expected = || {
        let text = r#"{"content":[{"type":"text","text":"{\"b\":2,\"a\":1}"}],"structuredContent":{"a":1,"b":2},"isError":false}"#;
        ("mcp.tool-result", text.to_owned())
    };
    let answer = anthropic_result;
    check(&[
        (expected(), answer("structuredContent:\n{\n  \"a\": 1,\n  \"b\": 2\n}\n{\"b\":2,\"a\":1}"), None),
        (expected(), answer("structuredContent: {\"a\":1,\"b\":2}"), None),
        (expected(), answer("structuredContent: {\"a\":1,\"b\":3}"), Some(Reason::ResultChanged)),
        (expected(), answer("Deleted: {\"a\":1,\"b\":2}"), Some(Reason::ResultChanged)),
    ]);
}

#[test]
fn a_list_of_blocks_may_hold_other_values() {
    let expected = r#"[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"id":"c1","name":"f","args":{}}}]},
        {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"content":[{"type":"image","data":"$PNG","mimeType":"image/png"},{"type":"text","answer":7}]}}}]}]"#;
    let answer = |value: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"f","input":{{}}}}]}},
            {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"$PNG"}}}},
            {{"type":"text","text":{value}}}]}}]}}]"#
        )
    };
    let reasons = |value: &str| -> Vec<Reason> {
        let comparison = compared(("gemini.contents", expected), ("anthropic.messages", &answer(value)));
        comparison.differences.iter().map(|difference| difference.reason).collect()
    };
    assert_eq!(reasons(r#""{\"type\":\"text\",\"answer\":7}""#), []);
    assert!(reasons(r#""{\"type\":\"text\",\"answer\":8}""#).contains(&Reason::ResultChanged));
}

#[test]
fn a_whole_result_of_the_ai_sdk_may_hold_blocks_of_other_types() {
    let expected = r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"f","input":{}}]},
        {"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"f","output":{"type":"json","value":
        {"content":[{"type":"chart","points":7},{"type":"image","data":"$PNG","mimeType":"image/png"}],"isError":true}}}]}]"#;
    let reasons = |value: &str, is_error: bool| -> Vec<Reason> {
        let answer = format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"f","input":{{}}}}]}},
            {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","is_error":{is_error},"content":[{{"type":"text","text":{value}}},
            {{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"$PNG"}}}}]}}]}}]"#
        );
        let comparison = compared(("ai-sdk.model", expected), ("anthropic.messages", &answer));
        comparison.differences.iter().map(|difference| difference.reason).collect()
    };
    let chart = r#""{\"type\":\"chart\",\"points\":7}""#;
    assert_eq!(reasons(chart, true), []);
    assert_ne!(reasons(chart, false), []);
    assert!(reasons(r#""{\"type\":\"chart\",\"points\":8}""#, true).contains(&Reason::ResultChanged));
}

/// A user, the assistant and the texts and fields that a test needs, in Chat Completions.
fn chat(assistant: &str) -> Document<'static> {
    ("openai.chat", format!(r#"[{{"role":"user","content":"Hi"}},{{"role":"assistant",{assistant}}}]"#))
}

#[test]
fn texts_with_sources() {
    let bedrock = |content: &str| -> Document<'static> {
        let user = r#"{"role":"user","content":[{"text":"Hi"}]}"#;
        ("bedrock.converse", format!(r#"[{user},{{"role":"assistant","content":[{content}]}}]"#))
    };
    let cited = bedrock(
        r#"{"text":"The report says "},{"citationsContent":{"content":[{"text":"sales grew not"}],"citations":[]}},{"text":" by 3%."}"#,
    );
    let anthropic: Document<'_> = (
        "anthropic.messages",
        r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"text","text":"It grew.","citations":[{"type":"char_location","cited_text":"c"}]}]}]"#.to_owned(),
    );
    check(&[
        (cited.clone(), chat(r#""content":"The report says sales grew not by 3%.""#), None),
        (cited.clone(), chat(r#""content":"The report says by 3%.""#), Some(Reason::TextMissing)),
        (chat(r#""content":"The report says sales grew not by 3%.""#), cited, None),
        (
            anthropic.clone(),
            bedrock(r#"{"citationsContent":{"content":[{"text":"It grew."}],"citations":[{"title":"c"}]}}"#),
            None,
        ),
        (
            anthropic,
            bedrock(r#"{"citationsContent":{"content":[{"text":"It fell."}],"citations":[]}}"#),
            Some(Reason::TextChanged),
        ),
    ]);
}

#[test]
fn instructions_of_gemini_in_all_shapes_of_the_sdk() {
    let expected: Document<'_> =
        ("openai.chat", r#"[{"role":"system","content":"Never delete."},{"role":"user","content":"Hi"}]"#.to_owned());
    let none: Document<'_> = ("openai.chat", r#"[{"role":"user","content":"Hi"}]"#.to_owned());
    let mut pairs = Vec::new();
    for shape in [
        r#""Never delete.""#,
        r#"["Never delete."]"#,
        r#"{"text":"Never delete."}"#,
        r#"[{"text":"Never delete."}]"#,
        r#"["Never",{"text":"delete."}]"#,
        r#"{"parts":[{"text":"Never delete."}]}"#,
        r#"{"role":"user","parts":{"text":"Never delete."}}"#,
    ] {
        for key in ["systemInstruction", "system_instruction"] {
            let answer: Document<'_> = (
                "gemini.contents",
                format!(r#"{{"{key}":{shape},"contents":[{{"role":"user","parts":[{{"text":"Hi"}}]}}]}}"#),
            );
            pairs.push((expected.clone(), answer.clone(), None));
            pairs.push((none.clone(), answer, Some(Reason::TextInvented)));
        }
    }
    for shape in ["null", r#""""#, "[]", "{}", r#"{"role":"user"}"#, r#"{"parts":[]}"#] {
        let contents = r#"[{"role":"user","parts":[{"text":"Hi"}]}]"#;
        let answer: Document<'_> =
            ("gemini.contents", format!(r#"{{"systemInstruction":{shape},"contents":{contents}}}"#));
        pairs.push((expected.clone(), answer.clone(), Some(Reason::TextMissing)));
        pairs.push((none.clone(), answer, None));
    }
    check(&pairs);
}

#[test]
fn state_of_the_request_for_another_dialect() {
    let of = |dialect: &'static str, field: &str| -> Document<'static> {
        let contents = r#""contents":[{"role":"user","parts":[{"text":"Hi"}]}]"#;
        let messages = match dialect {
            "openai.responses" => r#""input":[{"role":"user","content":"Hi"}]"#,
            "gemini.contents" => contents,
            _ => r#""messages":[{"role":"user","content":"Hi"}]"#,
        };
        (dialect, format!("{{{field}{messages}}}"))
    };
    let plain = || of("anthropic.messages", "");
    let invented = Some(Reason::TextInvented);
    let mut pairs = vec![
        (plain(), of("openai.responses", r#""previous_response_id":null,"prompt":null,"#), None),
        (plain(), of("cohere.v2", r#""documents":[],"#), None),
        // What only the other side has may be left out.
        (of("openai.responses", r#""previous_response_id":"r","#), plain(), None),
        (of("cohere.v2", r#""documents":["d"],"#), of("openai.chat", r#""documents":["d"],"#), None),
        (
            of("cohere.v2", r#""documents":["d"],"#),
            of("openai.chat", r#""documents":["e"],"#),
            Some(Reason::ProviderItemMissing),
        ),
    ];
    for (dialect, field) in [
        ("openai.responses", r#""previous_response_id":"r","#),
        ("openai.responses", r#""conversation":{"id":"c"},"#),
        ("openai.responses", r#""prompt":{"id":"p"},"#),
        ("cohere.v2", r#""documents":[{"data":"x"}],"#),
        ("openai.chat", r#""documents":[{"data":"x"}],"#),
        ("gemini.contents", r#""cachedContent":"c","#),
    ] {
        pairs.push((plain(), of(dialect, field), invented));
    }
    check(&pairs);
}

#[test]
fn calls_of_langchain_that_only_the_provider_spells() {
    let user = r#"{"type":"human","data":{"content":"Hi"}}"#;
    let langchain = |fields: &str| -> Document<'static> {
        ("langchain", format!(r#"[{user},{{"type":"ai","data":{{"content":"",{fields}}}}}]"#))
    };
    let raw = r#"{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}"#;
    let call = chat(&format!(r#""tool_calls":[{raw}]"#));
    let none = chat(r#""content":"""#);
    let own = r#""tool_calls":[{"id":"a","name":"f","args":{"x":1}}]"#;
    let elsewhere = format!(r#""additional_kwargs":{{"tool_calls":[{raw}]}}"#);
    let empty = r#""tool_calls":[],"invalid_tool_calls":[]"#;
    let mut pairs = vec![
        // The message says them once more.
        (call.clone(), langchain(&format!("{own},{elsewhere}")), None),
        (
            call.clone(),
            langchain(&format!(r#"{empty},"additional_kwargs":{{"tool_calls":[]}}"#)),
            Some(Reason::CallMissing),
        ),
    ];
    for fields in [
        elsewhere.clone(),
        format!("{empty},{elsewhere}"),
        r#""additional_kwargs":{"tool_calls":null,"function_call":{"name":"f","arguments":"{\"x\":1}"}}"#.to_owned(),
        r#""tool_calls":[],"tool_call_chunks":[{"id":"a","name":"f","args":"{\"x\":1}","index":0}]"#.to_owned(),
    ] {
        pairs.push((call.clone(), langchain(&fields), None));
        pairs.push((none.clone(), langchain(&fields), Some(Reason::CallInvented)));
    }
    check(&pairs);
}

#[test]
fn ui_messages_of_version_4() {
    let expected: Document<'_> = (
        "openai.chat",
        r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]},
            {"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},
            {"role":"tool","tool_call_id":"a","content":"alpha"},{"role":"assistant","content":"Done."}]"#
            .to_owned(),
    );
    let ui = |user: &str, assistant: &str| -> Document<'static> {
        ("ai-sdk.ui", format!(r#"[{{"id":"1","role":"user",{user}}},{{"id":"2","role":"assistant",{assistant}}}]"#))
    };
    let image = r#"{"name":"a.png","contentType":"image/png","url":"data:image/png;base64,$PNG"}"#;
    let user =
        format!(r#""content":"look","parts":[{{"type":"text","text":"look"}}],"experimental_attachments":[{image}]"#);
    let invocation = r#"{"state":"result","toolCallId":"a","toolName":"f","args":{"x":1},"result":"alpha"}"#;
    let parts = |invocation: &str| {
        format!(
            r#""content":"","parts":[{{"type":"step-start"}},            {{"type":"text","text":"I look."}},{{"type":"tool-invocation","toolInvocation":{invocation}}},{{"type":"step-start"}},{{"type":"text","text":"Done."}}]"#
        )
    };
    let said = parts(invocation);
    check(&[
        (expected.clone(), ui(&user, &said), None),
        (expected.clone(), ui(&user, &format!(r#"{said},"toolInvocations":[{invocation}]"#)), None),
        (ui(&user, &said), expected.clone(), None),
        (expected.clone(), ui(&user, &parts(&invocation.replace("alpha", "beta"))), Some(Reason::ResultChanged)),
        (expected.clone(), ui(&user, &parts(&invocation.replace(":1", ":2"))), Some(Reason::ArgumentsChanged)),
        (
            expected.clone(),
            ui(r#""content":"look","parts":[{"type":"text","text":"look"}]"#, &said),
            Some(Reason::MediaMissing),
        ),
        (
            chat(r#""content":"Hello.""#),
            ui(r#""content":"Hi""#, &format!(r#""content":"Hello.","toolInvocations":[{invocation}]"#)),
            Some(Reason::CallInvented),
        ),
        (chat(r#""content":"Hello.""#), ui(r#""content":"Hi""#, r#""content":"Hello.""#), None),
    ]);
    let thinks =
        |part: &str| ui(r#""content":"Hi""#, &format!(r#""parts":[{part},{{"type":"text","text":"Hello."}}]"#));
    let expected = thinks(r#"{"type":"reasoning","text":"hm"}"#);
    check(&[
        (
            expected.clone(),
            thinks(r#"{"type":"reasoning","reasoning":"hm","details":[{"type":"text","text":"hm"}]}"#),
            None,
        ),
        (expected.clone(), thinks(r#"{"type":"reasoning","reasoning":"hm"}"#), None),
        (
            expected,
            thinks(r#"{"type":"reasoning","reasoning":"hm","details":[{"type":"text","text":"no"}]}"#),
            Some(Reason::ReasoningChanged),
        ),
    ]);
}

#[test]
fn definitions_for_a_list_of_messages() {
    let tools = r#""tools":[{"name":"f","input_schema":{"type":"object","properties":{"x":{"type":"string"}}}}]"#;
    let expected: Document<'_> =
        ("anthropic.messages", format!(r#"{{{tools},"messages":[{{"role":"user","content":"Hi"}}]}}"#));
    let langchain = r#"[{"type":"human","data":{"content":"Hi"}}]"#;
    let missing = Some(Reason::ToolMissing);
    check(&[
        (expected.clone(), ("langchain", langchain.to_owned()), None),
        (expected.clone(), ("ai-sdk.model", r#"[{"role":"user","content":"Hi"}]"#.to_owned()), None),
        (expected.clone(), ("langchain", format!(r#"{{"messages":{langchain}}}"#)), missing),
        (expected.clone(), ("openai.chat", r#"[{"role":"user","content":"Hi"}]"#.to_owned()), missing),
        (
            ("anthropic.messages", expected.1.clone()),
            ("anthropic.messages", r#"[{"role":"user","content":"Hi"}]"#.to_owned()),
            missing,
        ),
    ]);
}

#[test]
fn reasoning_of_other_servers_is_a_string_for_ollama() {
    let chat = |member: &str| {
        format!(r#"{{"messages":[{{"role":"user","content":"a"}},{{"role":"assistant",{member}"content":"b"}}]}}"#)
    };
    let plain: Document<'_> = ("ollama.chat", chat(""));
    for key in ["reasoning_content", "reasoning"] {
        for value in [r#"["x"]"#, "7", "null", "{}"] {
            let expected = ("ollama.chat", chat(&format!(r#""{key}":{value},"#)));
            check(&[(expected, plain.clone(), None)]);
        }
    }
    let both = chat(r#""reasoning_content":7,"reasoning":"x","#);
    check(&[(("ollama.chat", both.clone()), ("ollama.chat", chat(r#""thinking":"x","#)), None)]);
}

#[test]
fn definitions_where_another_dialect_has_them() {
    let answer = r#"{"messages":[{"type":"human","data":{"content":"hi"}}],"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}]}"#;
    let lists = [
        r#""toolConfig":{"tools":[{"toolSpec":{"name":"look","inputSchema":{"json":{"type":"object"}}}},{"cachePoint":{"type":"default"}}]}"#,
        r#""toolConfig":{"tools":[{"functionDeclarations":[{"name":"look","parameters":{"type":"object"}}]}]}"#,
        r#""functions":[{"name":"look","parameters":{"type":"object"}},{"type":"web_search","name":"web_search"},7]"#,
    ];
    for list in lists {
        for dialect in ["ai-sdk.model", "anthropic.messages", "mistral.chat", "cohere.v2"] {
            let expected = format!(r#"{{"messages":[{{"role":"user","content":"hi"}}],{list}}}"#);
            let comparison = compared((dialect, &expected), ("langchain", answer));
            assert!(comparison.is_same(), "{dialect}: {list}: {:?}", comparison.differences);
            let without = answer.replace("look", "lock");
            assert!(!compared((dialect, &expected), ("langchain", &without)).is_same(), "{dialect}: {list}");
        }
    }
}

#[test]
fn images_that_the_model_made_in_the_canonical_dialect() {
    let image = |data: &str| format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{data}"}}}}"#);
    let canonical = |native: &str| -> Document<'static> {
        let user = r#"{"role":"user","content":[{"type":"text","text":"Hi"}]}"#;
        let assistant = format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"Here."}}]{native}}}"#);
        ("canonical", format!(r#"{{"messages":[{user},{assistant}]}}"#))
    };
    let kept = |data: &str| canonical(&format!(r#","native":{{"openai.chat":{{"images":[{}]}}}}"#, image(data)));
    let expected = chat(&format!(r#""content":"Here.","images":[{}]"#, image("$PNG")));
    check(&[
        (expected.clone(), kept("$PNG"), None),
        (kept("$PNG"), expected.clone(), None),
        (expected.clone(), kept("AAAA"), Some(Reason::ProviderItemMissing)),
        (expected, canonical(""), Some(Reason::ProviderItemMissing)),
    ]);
}

#[test]
fn an_empty_list_is_what_a_tool_said() {
    let mcp = |text: &str| ("mcp.tool-result", text.to_owned());
    let list = || mcp(r#"{"content":[],"structuredContent":[]}"#);
    check(&[
        (list(), mcp(r#"{"content":[{"type":"text","text":"[]"}]}"#), None),
        (list(), mcp(r#"{"content":[{"type":"text","text":"[1]"}]}"#), Some(Reason::ResultChanged)),
        (list(), mcp(r#"{"content":[]}"#), Some(Reason::ResultChanged)),
    ]);
}

#[test]
fn texts_of_a_result_may_be_a_list_in_an_object() {
    let result = |content: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"f","input":{{}}}}]}},
            {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","content":[{content}]}}]}}]"#
        )
    };
    let answer = |response: &str, behind: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"go"}}]}},{{"role":"model","parts":[{{"functionCall":{{"id":"c1","name":"f","args":{{}}}}}}]}},
            {{"role":"user","parts":[{{"functionResponse":{{"id":"c1","name":"f","response":{response}}}}}]}}{behind}]}}"#
        )
    };
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let two = result(&[text("shelf 3"), text("shelf 4")].join(","));
    let blank = result(&[text(" "), text("alpha")].join(","));
    let nothing = result(&text(" "));
    let image = r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}}"#;
    let shown = result(&[text("a tree"), image.to_owned()].join(","));
    let labelled = r#",{"role":"user","parts":[{"text":"<pyai:tool_result tool_name=\"f\" tool_call_id=\"c1\" file_id=\"4a5eb7\">"},
        {"inlineData":{"mimeType":"image/png","data":"$PNG"}},{"text":"</pyai:tool_result>"}]}"#;
    let is_same = |expected: &str, response: &str, behind: &str| {
        let answer = answer(response, behind);
        let comparison = compared(("anthropic", expected), ("gemini", &answer));
        assert!(
            comparison.is_same() || comparison.differences.iter().any(|found| found.reason == Reason::ResultChanged),
            "{response}: {:?}",
            comparison.differences
        );
        comparison.is_same()
    };
    for response in [
        r#"{"output":["shelf 3","shelf 4"]}"#,
        r#"{"return_value":["shelf 3","shelf 4"]}"#,
        r#"{"result":[{"return_value":"shelf 3"},"shelf 4"]}"#,
        r#"{"output":"shelf 3\nshelf 4"}"#,
    ] {
        assert!(is_same(&two, response, ""), "{response}");
    }
    for response in [
        r#"{"output":["shelf 4","shelf 3"]}"#,
        r#"{"output":["shelf 3"]}"#,
        r#"{"output":["shelf 3","shelf 4","shelf 5"]}"#,
        r#"{"output":["shelf 3",{"shelf":"shelf 4"}]}"#,
        r#"{"shelves":["shelf 3","shelf 4"]}"#,
    ] {
        assert!(!is_same(&two, response, ""), "{response}");
    }
    assert!(is_same(&blank, r#"{"return_value":["","alpha"]}"#, ""));
    assert!(!is_same(&blank, r#"{"return_value":["","beta"]}"#, ""));
    for response in [r#"{"return_value":" "}"#, r#"{"return_value":""}"#, r#"{"output":[""]}"#, r#"{"output":[]}"#] {
        assert!(is_same(&nothing, response, ""), "{response}");
    }
    assert!(!is_same(&nothing, r#"{"return_value":"done"}"#, ""));
    assert!(is_same(&shown, r#"{"output":[{"return_value":"a tree"},"See file 4a5eb7."]}"#, labelled));
    assert!(!is_same(&shown, r#"{"output":[{"return_value":"a bush"},"See file 4a5eb7."]}"#, labelled));
}

#[test]
fn an_empty_result_may_be_an_empty_list_as_json() {
    let answer = |content: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[
            {{"id":"c1","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"c1","content":"{content}"}}]"#
        )
    };
    let empty = r#"{"content":[]}"#;
    for (result, content, is_same) in [
        (empty, "[]", true),
        (empty, "null", true),
        (empty, "[0]", false),
        (empty, "{}", false),
        (r#"{"content":[{"type":"text","text":"alpha"}]}"#, "[]", false),
    ] {
        let comparison = compared(("mcp.tool-result", result), ("openai", &answer(content)));
        assert_eq!(comparison.is_same(), is_same, "{content}: {:?}", comparison.differences);
    }
}

#[test]
fn what_published_programs_say_beside_content_and_in_place_of_it() {
    let image = r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}}"#;
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let turn = |content: &str| ("anthropic", result("anthropic.messages", &format!("[{content}]"), false));
    let failed = |content: &str| ("anthropic", result("anthropic.messages", content, true));
    let chat = |content: &str| ("openai", result("openai.chat", &quoted(content), false));
    let canonical = |content: &str| {
        (
            "canonical",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},{{"role":"assistant","content":[{{"type":"toolCall","id":"call_1","name":"f","arguments":"{{}}"}}]}},
                {{"role":"toolResult","toolCallId":"call_1","toolName":"f","isError":false,"content":[{content}]}}]}}"#
            ),
        )
    };
    let shown = canonical(r#"{"type":"image","data":"$PNG","mimeType":"image/png"}"#);
    let link = r#"{"type":"resource_link","name":"report","uri":"https://x.test/r"}"#;
    let linked = ("mcp.tool-result", format!(r#"{{"content":[{link}]}}"#));
    let empty_failure = ("mcp.tool-result", r#"{"content":[],"isError":true}"#.to_owned());
    let lone = |content: &str| ("openai", result("openai.chat", &quoted(content), false));
    check(&[
        // A note before an image that is there.
        (shown.clone(), turn(&[text("(see attached image)"), image.to_owned()].join(",")), None),
        (shown, turn(&[text("(a cat)"), image.to_owned()].join(",")), Some(Reason::ResultChanged)),
        // Members that are `null` say nothing.
        (
            linked.clone(),
            lone(r#"{"type":"resource_link","name":"report","uri":"https://x.test/r","size":null}"#),
            None,
        ),
        (
            linked.clone(),
            lone(r#"{"type":"resource_link","name":"report","uri":"https://x.test/s","size":null}"#),
            Some(Reason::ResultChanged),
        ),
        (
            linked,
            lone(r#"{"type":"resource_link","name":"report","uri":"https://x.test/r","size":7,"title":null}"#),
            Some(Reason::ResultChanged),
        ),
        // An empty failure may say that it is one.
        (empty_failure.clone(), failed(r#""Tool 'f' returned an error""#), None),
        (empty_failure, failed(r#""Tool 'f' returned no rows""#), Some(Reason::ResultChanged)),
        (chat("(no output)"), turn(&text("(no tool output)")), None),
        (chat("(no output)"), turn(&text("(no tool called)")), Some(Reason::ResultChanged)),
    ]);
}

#[test]
fn reasoning_may_be_left_out_where_the_chat_of_a_server_has_none() {
    let message = |reasoning: &str| {
        format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":"done"{reasoning}}},{{"role":"user","content":"thanks"}}]"#
        )
    };
    let with = message(r#","reasoning_content":"a thought""#);
    let without = message("");
    for (target, reason) in
        [("openai", None), ("openai.chat", Some(Reason::ReasoningDropped)), ("kimi", Some(Reason::ReasoningDropped))]
    {
        check(&[(("openai.chat", with.clone()), (target, without.clone()), reason)]);
    }
}
