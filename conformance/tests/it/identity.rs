//! Long transcripts come back byte for byte: two thousand messages of every dialect that holds a conversation.
//!
//! The corpus has a working session of each dialect. These are too long for a file that people read, so they are made here.

use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, Fixed, From, Mode, Options, Target, check, fix};

const MESSAGES: usize = 2000;
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SEAL: &str = "EqQBCkgIBRABGAIiQL8=";

/// How a dialect writes one round: the user asks, the model calls two tools, both answer, the model says what it found.
struct Shape {
    dialect: Dialect,
    /// What stands before and behind the items
    around: (&'static str, &'static str),
    /// The items of round `n`
    round: fn(usize) -> Vec<String>,
    /// The item of a round that holds the second result and nothing else
    result: Option<usize>,
}

/// Words of round `n`, as they stand in a JSON string: several scripts, escapes in more than one spelling.
fn words(n: usize) -> String {
    const SAID: [&str; 5] = [
        r"été 日本 \u00fcber",
        r#"tab\t \"quoted\" \\ back\/slash"#,
        r"👨‍👩‍👧 and \ud83d\ude00",
        r"שלום, नमस्ते\u2028ขอบคุณ",
        r"cafe\u0301 – café\n\n```\ncode\n```",
    ];
    format!("{} ({n})", SAID[n % SAID.len()])
}

/// The text of arguments, with numbers that most parsers change.
fn input(n: usize) -> String {
    format!(r#"{{"zeta": {n}, "alpha": [1.0, 1e2, 9007199254740993], "path": "größe/{n}.txt", "none": null}}"#)
}

fn quoted(json: &str) -> String {
    format!("\"{}\"", json.replace('\\', r"\\").replace('"', "\\\""))
}

/// `yes` for every third round, where the second tool fails.
fn failed<'t>(n: usize, yes: &'t str, no: &'t str) -> &'t str {
    if n.is_multiple_of(3) { yes } else { no }
}

fn canonical(n: usize) -> Vec<String> {
    let (said, args) = (words(n), quoted(&input(n)));
    vec![
        format!(
            r#"{{"role":"user","content":[{{"type":"text","text":"{said}"}},{{"type":"image","data":"{PNG}","mimeType":"image/png"}}]}}"#
        ),
        format!(
            r#"{{"role":"assistant","content":[{{"type":"thinking","thinking":"why {said}","signature":"{SEAL}","origin":"anthropic.messages"}},{{"type":"toolCall","id":"a{n}","name":"read","arguments":{args}}},{{"type":"toolCall","id":"b{n}","name":"list","arguments":"{{}}"}}],"stopReason":"toolUse"}}"#
        ),
        format!(
            r#"{{"role":"toolResult","toolCallId":"a{n}","toolName":"read","content":[{{"type":"text","text":"{said}"}}],"isError":false}}"#
        ),
        format!(
            r#"{{"role":"toolResult","toolCallId":"b{n}","toolName":"list","content":[{{"type":"text","text":"nothing"}}],"isError":{}}}"#,
            failed(n, "true", "false")
        ),
        format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"found {said}"}}]}}"#),
    ]
}

fn openclaw(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(r#"{{"role": "user", "content": "{said}", "timestamp": 17680000{n}}}"#),
        format!(
            r#"{{"role": "assistant", "content": [{{"type": "thinking", "thinking": "why", "thinkingSignature": "{SEAL}"}}, {{"type": "toolCall", "id": "a{n}|fc_{n}", "name": "read", "arguments": {args}}}, {{"type": "toolCall", "id": "b{n}", "name": "list", "arguments": {{}}}}], "stopReason": "toolUse", "usage": {{"cost": 0.10}}}}"#
        ),
        format!(
            r#"{{"role": "toolResult", "toolCallId": "a{n}|fc_{n}", "toolName": "read", "content": [{{"type": "text", "text": "{said}"}}, {{"type": "image", "data": "{PNG}", "mimeType": "image/png"}}], "isError": false}}"#
        ),
        format!(
            r#"{{"role": "toolResult", "toolCallId": "b{n}", "toolName": "list", "content": [{{"type": "text", "text": "nothing"}}], "isError": {}}}"#,
            failed(n, "true", "false")
        ),
        format!(
            r#"{{"role": "assistant", "content": [{{"type": "text", "text": "found {said}"}}], "stopReason": "stop"}}"#
        ),
    ]
}

fn anthropic(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(
            r#"{{"role": "user", "content": [{{"type": "image", "source": {{"type": "base64", "media_type": "image/png", "data": "{PNG}"}}}}, {{"type": "text", "text": "{said}"}}]}}"#
        ),
        format!(
            r#"{{"role": "assistant", "content": [{{"type": "thinking", "thinking": "why {said}", "signature": "{SEAL}"}}, {{"type": "tool_use", "id": "a{n}", "name": "read", "input": {args}}}, {{"type": "tool_use", "id": "b{n}", "name": "list", "input": {{}}}}]}}"#
        ),
        format!(
            r#"{{"role": "user", "content": [{{"type": "tool_result", "tool_use_id": "a{n}", "content": "{said}"}}, {{"type": "tool_result", "tool_use_id": "b{n}", "content": [{{"type": "text", "text": "nothing"}}]{}}}]}}"#,
            failed(n, r#", "is_error": true"#, "")
        ),
        format!(r#"{{"role": "assistant", "content": "found {said}"}}"#),
    ]
}

fn openai_call(n: usize) -> String {
    format!(
        r#"[{{"id": "a{n}", "type": "function", "function": {{"name": "read", "arguments": {}}}}}, {{"id": "b{n}", "type": "function", "function": {{"name": "list", "arguments": "{{}}"}}}}]"#,
        quoted(&input(n))
    )
}

fn openai(n: usize) -> Vec<String> {
    let said = words(n);
    vec![
        format!(
            r#"{{"role": "user", "content": [{{"type": "text", "text": "{said}"}}, {{"type": "image_url", "image_url": {{"url": "data:image/png;base64,{PNG}", "detail": "low"}}}}]}}"#
        ),
        format!(
            r#"{{"role": "assistant", "content": null, "reasoning_content": "why", "tool_calls": {}}}"#,
            openai_call(n)
        ),
        format!(r#"{{"role": "tool", "tool_call_id": "a{n}", "content": "{said}"}}"#),
        format!(r#"{{"role": "tool", "tool_call_id": "b{n}", "content": "nothing"}}"#),
        format!(r#"{{"role": "assistant", "content": "found {said}"}}"#),
    ]
}

fn responses(n: usize) -> Vec<String> {
    let (said, args) = (words(n), quoted(&input(n)));
    vec![
        format!(
            r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{said}"}},{{"type":"input_image","image_url":"data:image/png;base64,{PNG}","detail":"auto"}}]}}"#
        ),
        format!(r#"{{"type":"reasoning","id":"rs_{n}","summary":[],"encrypted_content":"gAAAAABo{n}"}}"#),
        format!(
            r#"{{"type":"function_call","id":"fc_a{n}","call_id":"a{n}","name":"read","arguments":{args},"status":"completed"}}"#
        ),
        format!(r#"{{"type":"function_call","id":"fc_b{n}","call_id":"b{n}","name":"list","arguments":"{{}}"}}"#),
        format!(
            r#"{{"type":"function_call_output","call_id":"a{n}","output":[{{"type":"input_text","text":"{said}"}}]}}"#
        ),
        format!(r#"{{"type":"function_call_output","call_id":"b{n}","output":"nothing"}}"#),
        format!(
            r#"{{"type":"message","id":"msg_{n}","status":"completed","role":"assistant","content":[{{"type":"output_text","text":"found {said}","annotations":[]}}]}}"#
        ),
    ]
}

fn gemini(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(
            r#"{{"role": "user", "parts": [{{"text": "{said}"}}, {{"inlineData": {{"mimeType": "image/png", "data": "{PNG}"}}}}]}}"#
        ),
        format!(
            r#"{{"role": "model", "parts": [{{"text": "why", "thought": true}}, {{"functionCall": {{"name": "read", "args": {args}}}, "thoughtSignature": "AAECAwQF"}}, {{"functionCall": {{"name": "read", "args": {{}}}}}}]}}"#
        ),
        format!(
            r#"{{"role": "user", "parts": [{{"functionResponse": {{"name": "read", "response": {{"output": "{said}"}}}}}}, {{"functionResponse": {{"name": "read", "response": {{"{}": "nothing"}}}}}}]}}"#,
            failed(n, "error", "output")
        ),
        format!(r#"{{"role": "model", "parts": [{{"text": "found {said}"}}]}}"#),
    ]
}

fn bedrock(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(
            r#"{{"role": "user", "content": [{{"text": "{said}"}}, {{"image": {{"format": "png", "source": {{"bytes": "{PNG}"}}}}}}]}}"#
        ),
        format!(
            r#"{{"role": "assistant", "content": [{{"reasoningContent": {{"reasoningText": {{"text": "why", "signature": "{SEAL}"}}}}}}, {{"toolUse": {{"toolUseId": "a{n}", "name": "read", "input": {args}}}}}, {{"toolUse": {{"toolUseId": "b{n}", "name": "list", "input": {{}}}}}}]}}"#
        ),
        format!(
            r#"{{"role": "user", "content": [{{"toolResult": {{"toolUseId": "a{n}", "content": [{{"text": "{said}"}}]}}}}, {{"toolResult": {{"toolUseId": "b{n}", "content": [{{"json": {{"n": 1.50}}}}], "status": "{}"}}}}]}}"#,
            failed(n, "error", "success")
        ),
        format!(r#"{{"role": "assistant", "content": [{{"text": "found {said}"}}]}}"#),
    ]
}

fn mistral(n: usize) -> Vec<String> {
    let (said, args) = (words(n), quoted(&input(n)));
    let (a, b) = (format!("a{n:08}"), format!("b{n:08}"));
    vec![
        format!(
            r#"{{"role":"user","content":[{{"type":"text","text":"{said}"}},{{"type":"image_url","image_url":"data:image/png;base64,{PNG}"}}]}}"#
        ),
        format!(
            r#"{{"role":"assistant","content":[{{"type":"thinking","thinking":[{{"type":"text","text":"why"}}]}}],"tool_calls":[{{"id":"{a}","function":{{"name":"read","arguments":{args}}}}},{{"id":"{b}","type":"function","index":1,"function":{{"name":"list","arguments":{{"exact": 1.0}}}}}}]}}"#
        ),
        format!(r#"{{"role":"tool","tool_call_id":"{a}","name":"read","content":"{said}"}}"#),
        format!(r#"{{"role":"tool","tool_call_id":"{b}","name":"list","content":"nothing"}}"#),
        format!(r#"{{"role":"assistant","content":"found {said}"}}"#),
    ]
}

fn cohere(n: usize) -> Vec<String> {
    let said = words(n);
    vec![
        format!(r#"{{"role": "user", "content": "{said}"}}"#),
        format!(r#"{{"role": "assistant", "tool_plan": "I will read {said}", "tool_calls": {}}}"#, openai_call(n)),
        format!(
            r#"{{"role": "tool", "tool_call_id": "a{n}", "content": [{{"type": "document", "document": {{"data": {{"text": "{said}"}}, "id": "d{n}"}}}}]}}"#
        ),
        format!(r#"{{"role": "tool", "tool_call_id": "b{n}", "content": "nothing"}}"#),
        format!(
            r#"{{"role": "assistant", "content": [{{"type": "thinking", "thinking": "so"}}, {{"type": "text", "text": "found {said}"}}]}}"#
        ),
    ]
}

fn ollama(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(r#"{{"role": "user", "content": "{said}", "images": ["{PNG}"]}}"#),
        format!(
            r#"{{"role": "assistant", "content": "", "thinking": "why", "tool_calls": [{{"function": {{"name": "read", "arguments": {args}}}}}, {{"function": {{"name": "read", "arguments": {{}}}}}}]}}"#
        ),
        format!(r#"{{"role": "tool", "tool_name": "read", "content": "{said}"}}"#),
        r#"{"role": "tool", "tool_name": "read", "content": "nothing"}"#.to_owned(),
        format!(r#"{{"role": "assistant", "content": "found {said}"}}"#),
    ]
}

fn langchain(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(
            r#"{{"type": "human", "data": {{"content": [{{"type": "text", "text": "{said}"}}, {{"type": "image", "base64": "{PNG}", "mime_type": "image/png"}}], "id": "h{n}"}}}}"#
        ),
        format!(
            r#"{{"type": "ai", "data": {{"content": "", "tool_calls": [{{"name": "read", "args": {args}, "id": "a{n}", "type": "tool_call"}}, {{"name": "list", "args": {{}}, "id": "b{n}", "type": "tool_call"}}], "invalid_tool_calls": [], "usage_metadata": {{"input_tokens": 12}}}}}}"#
        ),
        format!(
            r#"{{"type": "tool", "data": {{"content": "{said}", "name": "read", "tool_call_id": "a{n}", "artifact": {{"ms": 12.50}}, "status": "success"}}}}"#
        ),
        format!(
            r#"{{"type": "tool", "data": {{"content": "nothing", "name": "list", "tool_call_id": "b{n}", "status": "{}"}}}}"#,
            failed(n, "error", "success")
        ),
        format!(r#"{{"type": "ai", "data": {{"content": "found {said}"}}}}"#),
    ]
}

fn sdk_model(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(
            r#"{{"role":"user","content":[{{"type":"text","text":"{said}"}},{{"type":"image","image":"{PNG}","mediaType":"image/png"}}]}}"#
        ),
        format!(
            r#"{{"role":"assistant","content":[{{"type":"reasoning","text":"why"}},{{"type":"tool-call","toolCallId":"a{n}","toolName":"read","input":{args}}},{{"type":"tool-call","toolCallId":"b{n}","toolName":"list","input":{{}}}}]}}"#
        ),
        format!(
            r#"{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"a{n}","toolName":"read","output":{{"type":"text","value":"{said}"}}}},{{"type":"tool-result","toolCallId":"b{n}","toolName":"list","output":{{"type":"{}","value":"nothing"}}}}]}}"#,
            failed(n, "error-text", "text")
        ),
        format!(r#"{{"role":"assistant","content":"found {said}"}}"#),
    ]
}

fn sdk_ui(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(
            r#"{{"id": "u{n}", "role": "user", "parts": [{{"type": "text", "text": "{said}"}}, {{"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,{PNG}"}}]}}"#
        ),
        format!(
            r#"{{"id": "m{n}", "role": "assistant", "parts": [{{"type": "step-start"}}, {{"type": "reasoning", "text": "why", "state": "done"}}, {{"type": "tool-read", "toolCallId": "a{n}", "state": "output-available", "input": {args}, "output": {{"lines": 1.0}}}}, {{"type": "tool-list", "toolCallId": "b{n}", "state": {}: "nothing"}}, {{"type": "step-start"}}, {{"type": "text", "text": "found {said}", "state": "done"}}]}}"#,
            failed(n, r#""output-error", "input": {}, "errorText""#, r#""output-available", "input": {}, "output""#)
        ),
    ]
}

fn openviking(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(r#"{{"id": "u{n}", "role": "user", "parts": [{{"type": "text", "text": "{said}"}}]}}"#),
        format!(
            r#"{{"id": "m{n}", "role": "assistant", "parts": [{{"type": "text", "text": "found {said}"}}, {{"type": "tool", "tool_id": "a{n}", "tool_name": "read", "tool_input": {args}, "tool_output": "{said}", "tool_status": "completed", "duration_ms": 12.50}}, {{"type": "tool", "tool_id": "b{n}", "tool_name": "list", "tool_output": "nothing", "tool_status": "{}"}}]}}"#,
            failed(n, "error", "completed")
        ),
    ]
}

fn lossless_claw(n: usize) -> Vec<String> {
    let (said, args) = (words(n), quoted(&input(n)));
    let said_twice = |role: &str| {
        format!(
            r#"{{"role": "{role}", "content": "{said}", "parts": [{{"part_type": "text", "ordinal": 0, "text_content": "{said}", "metadata": "{{\"originalRole\":\"{role}\",\"rawType\":\"text\"}}"}}], "seq": {n}}}"#
        )
    };
    let result = |id: &str, name: &str, is_error: &str| {
        format!(
            r#"{{"role": "tool", "content": "{said}", "parts": [{{"part_type": "text", "ordinal": 0, "text_content": "{said}", "tool_call_id": "{id}{n}", "tool_name": "{name}", "metadata": "{{\"originalRole\":\"toolResult\",\"toolCallId\":\"{id}{n}\",\"toolName\":\"{name}\",\"isError\":{is_error},\"rawType\":\"text\"}}"}}]}}"#
        )
    };
    let call = |at: usize, id: &str, name: &str, args: &str| {
        format!(
            r#"{{"part_type": "tool", "ordinal": {at}, "tool_call_id": "{id}{n}", "tool_name": "{name}", "tool_input": {args}, "metadata": "{{\"originalRole\":\"assistant\",\"rawType\":\"toolCall\"}}"}}"#
        )
    };
    vec![
        said_twice("user"),
        format!(
            r#"{{"role": "assistant", "content": "", "parts": [{}, {}]}}"#,
            call(0, "a", "read", &args),
            call(1, "b", "list", "\"{}\"")
        ),
        result("a", "read", "false"),
        result("b", "list", failed(n, "true", "false")),
        said_twice("assistant"),
    ]
}

fn prompt(n: usize) -> Vec<String> {
    let said = words(n);
    vec![
        format!(r#"{{"role": "user", "content": {{"type": "text", "text": "{said}"}}}}"#),
        format!(r#"{{"role": "user", "content": {{"type": "image", "data": "{PNG}", "mimeType": "image/png"}}}}"#),
        format!(
            r#"{{"role": "user", "content": {{"type": "resource", "resource": {{"uri": "file:///{n}", "text": "{said}"}}}}}}"#
        ),
        format!(r#"{{"role": "assistant", "content": {{"type": "text", "text": "found {said}"}}}}"#),
    ]
}

fn sampling(n: usize) -> Vec<String> {
    let (said, args) = (words(n), input(n));
    vec![
        format!(
            r#"{{"role": "user", "content": [{{"type": "text", "text": "{said}"}}, {{"type": "image", "data": "{PNG}", "mimeType": "image/png"}}]}}"#
        ),
        format!(
            r#"{{"role": "assistant", "content": [{{"type": "tool_use", "id": "a{n}", "name": "read", "input": {args}}}, {{"type": "tool_use", "id": "b{n}", "name": "list", "input": {{}}}}]}}"#
        ),
        format!(
            r#"{{"role": "user", "content": [{{"type": "tool_result", "toolUseId": "a{n}", "content": [{{"type": "text", "text": "{said}"}}]}}, {{"type": "tool_result", "toolUseId": "b{n}", "content": [{{"type": "text", "text": "nothing"}}], "isError": {}}}]}}"#,
            failed(n, "true", "false")
        ),
        format!(r#"{{"role": "assistant", "content": {{"type": "text", "text": "found {said}"}}}}"#),
    ]
}

const LIST: (&str, &str) = ("{\"messages\": [\n", "\n]}\n");

/// Every dialect but that of lone tool results.
const SHAPES: &[Shape] = &[
    Shape { dialect: Dialect::Canonical, around: ("{\"messages\":[\n", "\n]}\n"), round: canonical, result: Some(3) },
    Shape { dialect: Dialect::OpenClaw, around: ("[\n", "\n]"), round: openclaw, result: Some(3) },
    Shape { dialect: Dialect::AnthropicMessages, around: LIST, round: anthropic, result: None },
    Shape { dialect: Dialect::OpenAiChat, around: LIST, round: openai, result: Some(3) },
    Shape { dialect: Dialect::OpenAiResponses, around: ("{\"input\": [\n", "\n]}"), round: responses, result: Some(5) },
    Shape { dialect: Dialect::GeminiContents, around: ("{\"contents\": [\n", "\n]}"), round: gemini, result: None },
    Shape { dialect: Dialect::BedrockConverse, around: LIST, round: bedrock, result: None },
    Shape { dialect: Dialect::MistralChat, around: LIST, round: mistral, result: Some(3) },
    Shape { dialect: Dialect::CohereV2, around: LIST, round: cohere, result: Some(3) },
    Shape { dialect: Dialect::OllamaChat, around: LIST, round: ollama, result: None },
    Shape { dialect: Dialect::LangChain, around: LIST, round: langchain, result: Some(3) },
    Shape { dialect: Dialect::AiSdkModel, around: LIST, round: sdk_model, result: None },
    Shape { dialect: Dialect::AiSdkUi, around: LIST, round: sdk_ui, result: None },
    Shape { dialect: Dialect::OpenViking, around: LIST, round: openviking, result: None },
    Shape { dialect: Dialect::LosslessClaw, around: LIST, round: lossless_claw, result: Some(3) },
    Shape { dialect: Dialect::McpPrompt, around: LIST, round: prompt, result: None },
    Shape {
        dialect: Dialect::McpSampling,
        around: ("{\"messages\": [\n", "\n], \"maxTokens\": 100}"),
        round: sampling,
        result: None,
    },
];

/// Rounds until there are as many messages as wanted.
fn rounds(shape: &Shape) -> Vec<Vec<String>> {
    let mut rounds = Vec::new();
    let mut count = 0;
    while count < MESSAGES {
        let round = (shape.round)(rounds.len());
        count += round.len();
        rounds.push(round);
    }
    rounds
}

fn text(shape: &Shape, rounds: &[Vec<String>]) -> String {
    let items: Vec<&str> = rounds.iter().flatten().map(String::as_str).collect();
    format!("{}{}{}", shape.around.0, items.join(",\n"), shape.around.1)
}

fn fixed<'t>(shape: &Shape, text: &'t str) -> Fixed<'t> {
    let options = Options { from: From::Dialect(shape.dialect), ..Options::default() };
    fix(text.as_bytes(), &options).unwrap_or_else(|error| panic!("{}: {error}", shape.dialect.name()))
}

#[test]
fn every_dialect_has_a_long_transcript() {
    let missing: Vec<&str> = Dialect::ALL
        .iter()
        .filter(|dialect| **dialect != Dialect::McpToolResult)
        .filter(|dialect| SHAPES.iter().all(|shape| shape.dialect != **dialect))
        .map(|dialect| dialect.name())
        .collect();
    assert!(missing.is_empty(), "no long transcript of: {}", missing.join(", "));
}

#[test]
fn identity_of_long_transcripts() {
    for shape in SHAPES {
        let name = shape.dialect.name();
        let long = text(shape, &rounds(shape));
        let options = CheckOptions {
            target: Target::of_dialect(shape.dialect),
            mode: Mode::Request,
            fragment: false,
            limits: Limits::default(),
        };
        let said = check(long.as_bytes(), &options).expect("a transcript");
        assert!(said.violations.is_empty(), "{name}: {:#?}", &said.violations[..said.violations.len().min(3)]);
        let fixed = fixed(shape, &long);
        assert!(fixed.report.repairs.is_empty(), "{name}: {:#?}", fixed.report.repairs.first());
        assert!(!fixed.report.changed, "{name}: nothing was repaired, and yet it says that it changed something");
        assert!(*fixed.output == *long.as_bytes(), "{name}: the same bytes must come back");
    }
}

/// One lost result in the middle is the only thing that is written anew: every byte in front of it and behind it stays.
#[test]
fn a_fault_in_a_long_transcript_moves_nothing_else() {
    for shape in SHAPES {
        let Some(result) = shape.result else { continue };
        let name = shape.dialect.name();
        let mut rounds = rounds(shape);
        let middle = rounds.len() / 2;
        rounds[middle].remove(result);
        let broken = text(shape, &rounds);
        let behind = broken.len() - text(shape, &rounds[middle + 1..]).len() + shape.around.0.len();
        let front = broken.find(&rounds[middle][0]).expect("the round stands there");
        let fixed = fixed(shape, &broken);
        assert!(!fixed.report.repairs.is_empty(), "{name}: the call lost its result");
        assert!(fixed.output.starts_with(&broken.as_bytes()[..front]), "{name}: what stands in front changed");
        assert!(fixed.output.ends_with(&broken.as_bytes()[behind..]), "{name}: what stands behind changed");
        assert!(fixed.output.len() > broken.len(), "{name}: the call must have been answered");
    }
}
