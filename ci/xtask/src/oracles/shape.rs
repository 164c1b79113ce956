//! Where the messages of a dialect stand in its document.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use wirecanon_core::Dialect;

/// The member that holds the list of messages; `None` where the document is one message.
pub(crate) fn list(dialect: Dialect) -> Option<&'static str> {
    match dialect.name() {
        "mcp.tool-result" => None,
        "openai.responses" => Some("input"),
        "gemini.contents" => Some("contents"),
        _ => Some("messages"),
    }
}

/// The messages of a document that the reference wrote, each as its exact text.
///
/// # Errors
///
/// The document is not of the shape that the dialect has.
pub(crate) fn messages(dialect: Dialect, document: &str) -> Result<Vec<String>, String> {
    let say = |error: &dyn std::fmt::Display| format!("{}: {error}", dialect.name());
    let mut messages = Vec::new();
    // One value, or of JSON Lines one a line.
    for value in serde_json::Deserializer::from_str(document).into_iter::<&RawValue>() {
        let value = value.map_err(|error| say(&error))?.get();
        let members: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_str(value);
        let Some(key) = list(dialect) else {
            // A result of the drafts before the first revision: none of the models knows it.
            let draft = members.is_ok_and(|it| it.contains_key("toolResult") && !it.contains_key("content"));
            if !draft {
                messages.push(one_line(value));
            }
            continue;
        };
        let held = match &members {
            Ok(members) => match members.get(key) {
                // The input of a Responses request may be a text.
                Some(text) if text.get().starts_with('"') => continue,
                Some(list) => list.get(),
                // One message alone.
                None => {
                    messages.push(one_line(value));
                    continue;
                }
            },
            Err(_) => value,
        };
        let list: Vec<&RawValue> = serde_json::from_str(held).map_err(|error| say(&error))?;
        messages.extend(list.iter().map(|message| one_line(message.get())));
    }
    Ok(messages)
}

/// A document of MCP without what may stand around it: an envelope of JSON-RPC, or nothing at all around its messages.
///
/// # Errors
///
/// The document is no JSON object.
pub(crate) fn bare(dialect: Dialect, document: &str) -> Result<String, String> {
    let lines = serde_json::from_str::<&RawValue>(document).is_err();
    if lines || !dialect.name().starts_with("mcp.") {
        return Ok(document.to_owned());
    }
    if document.trim_start().starts_with('[') {
        return Ok(format!("{{\"messages\":{document}}}"));
    }
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(document).map_err(|error| error.to_string())?;
    let inner = if members.contains_key("jsonrpc") { members.get("result").or(members.get("params")) } else { None };
    Ok(inner.map_or(document, |inner| inner.get()).to_owned())
}

/// Whether this is one value, and more than a message alone, which nobody sends by itself; of MCP, a list is no request
/// either.
pub(crate) fn is_document(dialect: Dialect, text: &str) -> bool {
    let Some(key) = list(dialect) else { return false };
    if serde_json::from_str::<&RawValue>(text).is_err() {
        return false;
    }
    let list = !dialect.name().starts_with("mcp.") && text.trim_start().starts_with('[');
    list || serde_json::from_str::<BTreeMap<String, &RawValue>>(text).is_ok_and(|members| members.contains_key(key))
}

/// One message as the document that the judge and the schema take.
pub(crate) fn document(dialect: Dialect, message: &str) -> String {
    match list(dialect) {
        Some(key) => format!("{{\"{key}\":[{message}]}}"),
        None => message.to_owned(),
    }
}

/// JSON text on one line: a line break can only stand between its parts.
pub(crate) fn one_line(text: &str) -> String {
    text.trim().replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_keep_their_text() {
        let document = "{\"messages\":[\n{\"role\":\"user\",\"content\":\"a\"},{\"n\":1e999}\n]}";
        let dialect = Dialect::OpenAiChat;
        assert_eq!(
            messages(dialect, document),
            Ok(vec!["{\"role\":\"user\",\"content\":\"a\"}".to_owned(), "{\"n\":1e999}".to_owned()])
        );
        assert_eq!(self::document(dialect, "{}"), "{\"messages\":[{}]}");
    }

    #[test]
    fn json_lines_hold_a_message_a_line() {
        let lines = "{\"role\":\"user\"}\n{\"role\":\"assistant\"}\n";
        let found = messages(Dialect::OpenAiChat, lines).unwrap();
        assert_eq!(found, ["{\"role\":\"user\"}", "{\"role\":\"assistant\"}"]);
        assert!(!is_document(Dialect::OpenAiChat, lines));
        assert_eq!(messages(Dialect::OpenAiResponses, "{\"input\":\"hi\"}"), Ok(Vec::new()));
    }

    #[test]
    fn a_message_alone_is_no_document() {
        let (message, list) = ("{\"role\":\"tool\"}", "[{\"role\":\"user\"}]");
        assert!(!is_document(Dialect::MistralChat, message) && is_document(Dialect::MistralChat, list));
        assert!(is_document(Dialect::MistralChat, "{\"messages\":[]}"));
        assert!(!is_document(Dialect::McpPrompt, list) && !is_document(Dialect::McpToolResult, "{\"content\":[]}"));
    }

    #[test]
    fn an_envelope_is_taken_off() {
        let call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}";
        assert_eq!(bare(Dialect::McpToolResult, call), Ok("{\"content\":[]}".to_owned()));
        assert_eq!(bare(Dialect::McpPrompt, "[]"), Ok("{\"messages\":[]}".to_owned()));
        assert_eq!(bare(Dialect::OpenAiChat, "[]"), Ok("[]".to_owned()));
    }

    #[test]
    fn a_lone_result_is_its_own_document() {
        assert_eq!(messages(Dialect::McpToolResult, "{\"content\":[\n]}"), Ok(vec!["{\"content\":[ ]}".to_owned()]));
        assert_eq!(messages(Dialect::McpToolResult, "{\"toolResult\":{\"content\":[]}}"), Ok(Vec::new()));
    }
}
