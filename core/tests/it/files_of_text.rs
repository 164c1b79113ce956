//! Files of the user that are text: where a target takes no such file, it gets the text.

use crate::told::fixed;

/// CSV that contains the number 8086, in base64.
const CSV: &str = "cG9ydCxuYW1lCjgwODYsbGFrZQo=";
/// JSON that contains the number 8086, in base64.
const JSON: &str = "eyJwb3J0IjogODA4Nn0=";
/// Bytes that are not text, in base64.
const BINARY: &str = "AAECA//+AAE=";

fn requests(mime: &str, data: &str) -> Vec<(&'static str, String)> {
    vec![
        (
            "openai.chat",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"file","file":{{"filename":"a.txt","file_data":"data:{mime};base64,{data}"}}}}]}}]}}"#
            ),
        ),
        (
            "openai.responses",
            format!(
                r#"{{"input":[{{"role":"user","content":[{{"type":"input_file","filename":"a.txt","file_data":"data:{mime};base64,{data}"}}]}}]}}"#
            ),
        ),
        (
            "gemini.contents",
            format!(
                r#"{{"contents":[{{"role":"user","parts":[{{"inlineData":{{"mimeType":"{mime}","data":"{data}"}}}}]}}]}}"#
            ),
        ),
        (
            "ai-sdk.model",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"file","mediaType":"{mime}","data":"{data}"}}]}}]}}"#
            ),
        ),
        (
            "langchain",
            format!(
                r#"[{{"type":"human","data":{{"content":[{{"type":"file","mime_type":"{mime}","base64":"{data}"}}]}}}}]"#
            ),
        ),
        (
            "canonical",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"file","mimeType":"{mime}","data":"{data}"}}]}}]}}"#
            ),
        ),
        // The block of another dialect.
        (
            "cohere.v2",
            format!(
                r#"{{"messages":[{{"role":"user","content":[{{"type":"file","mediaType":"{mime}","data":"{data}"}}]}}]}}"#
            ),
        ),
    ]
}

/// Targets of providers that take no file of these types.
const WITHOUT: [&str; 9] = ["openai", "anthropic", "mistral", "cohere", "groq", "deepseek", "kimi", "ollama", "vllm"];

#[test]
fn a_file_of_text_is_its_text_where_the_target_takes_no_such_file() {
    for (mime, data) in [
        ("text/csv", CSV),
        ("Text/CSV", CSV),
        ("text/markdown", CSV),
        ("text/x-python", CSV),
        ("application/json", JSON),
        ("application/json; charset=utf-8", JSON),
        ("application/x-yaml", CSV),
        ("application/octet-stream", CSV),
    ] {
        for (from, request) in requests(mime, data) {
            for target in WITHOUT {
                let (text, rules) = fixed(from, target, &request);
                assert!(text.contains("8086") && !text.contains(data), "{from} {target} {mime}: {text}");
                assert!(!text.contains("left out"), "{from} {target} {mime}: {text}");
                assert!(!rules.is_empty(), "{from} {target} {mime}");
            }
            for target in ["gemini", "bedrock-claude"] {
                let (text, _) = fixed(from, target, &request);
                assert!(text.contains("8086") || text.contains(data), "{from} {target} {mime}: {text}");
            }
        }
    }
}

#[test]
fn a_file_that_is_no_text_is_left_out() {
    for mime in ["text/csv", "application/zip", "application/octet-stream"] {
        let (_, request) = &requests(mime, BINARY)[0];
        let (text, _) = fixed("openai.chat", "groq", request);
        assert!(text.contains("[wirecanon: file left out: a.txt"), "{mime}: {text}");
    }
}
