//! The two promises that stand above all others.

use super::view::{self, Call};
use super::{Case, REFUSED, Verdict, convert, held_unless, turns};
use crate::normalizer::Normalizer;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;
use wirecanon_model::rule::Class;
use wirecanon_observe::{Arguments, Media, MediaKind, Source};

/// No output holds an image without data, nor a call whose arguments are not of its dialect's kind.
pub(super) fn promises(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let request = case.request();
    let Some(written) = convert(normalizer, &request) else { return REFUSED };
    held_unless(broken(&written.bytes, case.to.dialect), "promises", &request, Some(&written.bytes))
}

/// What in `bytes` breaks a promise, if anything. Images without data and calls without a name cannot be read at all; what else makes an
/// output unreadable is for P1.
fn broken(bytes: &[u8], dialect: Dialect) -> Option<String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Some("the output is not UTF-8".to_owned()) };
    let json = match view::document(text) {
        Ok(json) => json,
        Err(error) => return Some(format!("the output is not JSON: {error}")),
    };
    let turns = match turns(&json, dialect, |class| matches!(class, Class::Media | Class::ToolArgs)) {
        Ok(turns) => turns,
        Err(message) => return message,
    };
    for turn in turns {
        if let Some((media, place)) = turn.media.iter().find(|(media, place)| !has_data(media, *place, dialect)) {
            return Some(format!("a {} has no data: {}", media.kind.name(), place.raw()));
        }
        if let Some(call) = turn.calls.iter().find(|call| !has_arguments(call, dialect)) {
            return Some(format!("a call has no arguments of the dialect's kind: {}", call.value.raw()));
        }
    }
    None
}

/// Whether a picture, a recording or a file has an address, or data that is base64 as the dialect has it.
fn has_data(media: &Media<'_>, place: Value<'_>, dialect: Dialect) -> bool {
    match &media.source {
        // Base64 or an address: which of them, only the server knows.
        Source::Base64(_) if dialect == Dialect::MistralChat && media.kind == MediaKind::Audio => true,
        Source::Base64(data) => {
            view::base64_of(media, dialect).is_some_and(|data| view::decodes(&data)) && is_literal(place, data, dialect)
        }
        Source::Url(url) => !url.is_empty() && !url.starts_with("data:"),
        _ => true,
    }
}

/// Whether base64 stands in a block as it is, or behind the head of one data URL where the dialect takes an address.
fn is_literal(place: Value<'_>, data: &str, dialect: Dialect) -> bool {
    let json = place.json();
    let inside = (place.index()..json.len() as u32).map(|index| json.value(index));
    let mut fields = inside.take_while(|value| value.span().start < place.span().end).flat_map(Value::members);
    let holder = fields.find_map(|(key, value)| Some((key, value.as_str().filter(|text| text.ends_with(data))?)));
    let Some((key, text)) = holder else { return place.as_str().is_none_or(|text| text == data) };
    let head = &text[..text.len() - data.len()];
    let takes_address = matches!(dialect, Dialect::AiSdkModel | Dialect::AiSdkUi)
        || !["data", "bytes", "base64"].iter().any(|known| key.is_str(known));
    let is_head = head.starts_with("data:") && head.find(";base64,") == head.len().checked_sub(";base64,".len());
    head.is_empty() || takes_address && is_head
}

/// Whether a call has arguments of its dialect's kind; the observer has proved whether they are a text or a value.
fn has_arguments(call: &Call<'_>, dialect: Dialect) -> bool {
    match &call.arguments {
        Arguments::Input(_) => true,
        Arguments::Value(value) => value.is_object(),
        // LangChain has a list of its own for calls whose arguments are none.
        Arguments::Text(text) => dialect == Dialect::LangChain || holds_object(text),
        // A tool of Gemini's that takes nothing is called with nothing (googleapis/js-genai, `FunctionCall`), and OpenViking
        // stores no input of nothing.
        Arguments::Missing => match dialect {
            Dialect::GeminiContents => ["functionCall", "function_call"]
                .iter()
                .all(|key| call.value.get(key).is_none_or(|call| call.get("args").is_none())),
            _ => dialect == Dialect::OpenViking,
        },
    }
}

fn holds_object(text: &str) -> bool {
    Json::parse(text, &Limits::default()).is_ok_and(|json| json.root().is_object())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_has_its_own_predicate() {
        let call = |arguments: &str| {
            format!(
                r#"{{"messages":[{{"role":"assistant","content":[{{"type":"toolCall","id":"a","name":"b","arguments":{arguments}}}]}}]}}"#
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
                r#"[{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":[{{"type":"image","source":{source}}}]}}]}}]"#
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
