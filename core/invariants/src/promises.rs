//! The two promises that stand above all others.

use super::view::{self, Content};
use super::{Case, REFUSED, Verdict, convert, violated};
use crate::normalizer::Normalizer;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;

/// No output holds an image without data, nor a call whose arguments are not of its dialect's kind.
pub(super) fn promises(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let request = case.request();
    let Some(written) = convert(normalizer, &request) else { return REFUSED };
    match broken(&written.bytes, case.to.dialect) {
        None => Verdict::Held,
        Some(message) => violated("promises", &request, Some(&written.bytes), message),
    }
}

/// What in `bytes` breaks a promise, if anything.
fn broken(bytes: &[u8], dialect: Dialect) -> Option<String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Some("the output is not UTF-8".to_owned()) };
    let json = match view::document(text) {
        Ok(json) => json,
        Err(error) => return Some(format!("the output is not JSON: {error}")),
    };
    for turn in view::turns(json.root(), dialect) {
        for media in turn.media {
            let wrong = match media.content {
                Content::Address => continue,
                Content::Data(data) if decodes(&data) => continue,
                Content::Data(_) => "data that is not base64",
                Content::Nothing => "no data",
            };
            return Some(format!("a picture or file has {wrong}: {}", media.value.raw()));
        }
        for call in turn.calls {
            let custom =
                call.value.get("type").is_some_and(|kind| kind.is_str("custom") || kind.is_str("custom_tool_call"));
            let kept = match (dialect, call.arguments) {
                // "Optional": a tool of Gemini's that takes nothing is called with nothing (googleapis/js-genai, `FunctionCall`).
                (Dialect::GeminiContents, None) => true,
                (_, None) => false,
                (Dialect::OpenAiChat | Dialect::OpenAiResponses, Some(value)) if custom => value.is_string(),
                (Dialect::MistralChat, Some(value)) => value.is_object() || holds_object(value),
                (dialect, Some(value)) if dialect.arguments_are_text() => holds_object(value),
                (_, Some(value)) => value.is_object(),
            };
            if !kept {
                return Some(format!("a call has no arguments of the dialect's kind: {}", call.value.raw()));
            }
        }
    }
    None
}

fn holds_object(value: Value<'_>) -> bool {
    value.as_str().is_some_and(|text| Json::parse(&text, &Limits::default()).is_ok_and(|json| json.root().is_object()))
}

/// Whether this is base64 of at least one byte: standard alphabet, padded.
fn decodes(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    !body.is_empty()
        && text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_has_its_own_predicate() {
        let call = |arguments: &str| {
            format!(
                r#"{{"messages":[{{"role":"assistant","content":[{{"type":"toolCall","arguments":{arguments}}}]}}]}}"#
            )
        };
        assert_eq!(broken(call(r#""{}""#).as_bytes(), Dialect::Canonical), None);
        for bad in ["{}", "null", r#""""#, r#""[]""#, r#""{""#] {
            assert!(broken(call(bad).as_bytes(), Dialect::Canonical).is_some(), "{bad}");
        }
        assert_eq!(broken(call("{}").as_bytes(), Dialect::OpenClaw), None);
        assert!(broken(call(r#""{}""#).as_bytes(), Dialect::OpenClaw).is_some());
        let gemini = |args: &str| {
            format!(r#"{{"contents":[{{"role":"model","parts":[{{"functionCall":{{"name":"b"{args}}}}}]}}]}}"#)
        };
        for kept in ["", r#","args":{}"#] {
            assert_eq!(broken(gemini(kept).as_bytes(), Dialect::GeminiContents), None, "{kept}");
        }
        assert!(broken(gemini(r#","args":[]"#).as_bytes(), Dialect::GeminiContents).is_some());
        let chat = br#"[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"b","arguments":{}}}]}]"#;
        assert!(broken(chat, Dialect::OpenAiChat).is_some());
        let chat = br#"[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"b","arguments":"{}"}}]}]"#;
        assert_eq!(broken(chat, Dialect::OpenAiChat), None);
    }

    #[test]
    fn a_picture_has_data_or_an_address() {
        let anthropic = |source: &str| {
            format!(
                r#"[{{"role":"user","content":[{{"type":"tool_result","content":[{{"type":"image","source":{source}}}]}}]}}]"#
            )
        };
        for (source, kept) in [
            (r#"{"type":"base64","media_type":"image/png","data":"AAAA"}"#, true),
            (r#"{"type":"url","url":"https://a/b.png"}"#, true),
            (r#"{"type":"base64","media_type":"image/png","data":""}"#, false),
            (r#"{"type":"base64","media_type":"image/png","data":"AAA"}"#, false),
            (r#"{"type":"base64","media_type":"image/png"}"#, false),
            ("null", false),
        ] {
            let verdict = broken(anthropic(source).as_bytes(), Dialect::AnthropicMessages);
            assert_eq!(verdict.is_none(), kept, "{source}: {verdict:?}");
        }
        let chat =
            br#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,"}}]}]"#;
        assert!(broken(chat, Dialect::OpenAiChat).is_some());
        let result = br#"{"content":[{"type":"image","mimeType":"image/png"}]}"#;
        assert!(broken(result, Dialect::McpToolResult).is_some());
    }
}
