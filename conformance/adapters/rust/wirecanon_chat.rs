//! Messages of OpenAI's Chat Completions API, for adapters whose package has types of its own for conversations.

use serde_json::{Value, json};

/// The media type, in lower case, and the data of a data URL; `data` and `base64` may be in any case.
pub fn data_url(url: &str) -> Option<(String, &str)> {
    let (scheme, rest) = url.split_at_checked("data:".len())?;
    let (header, data) = rest.split_once(',')?;
    let header = header.to_ascii_lowercase();
    let kind = header.strip_suffix(";base64")?;
    scheme.eq_ignore_ascii_case("data:").then(|| (kind.to_owned(), data))
}

/// The items under a key, none if it is missing.
///
/// # Errors
///
/// What stands there is no list: that value.
pub fn list_of<'a>(message: &'a Value, key: &str) -> Result<&'a [Value], &'a Value> {
    match &message[key] {
        Value::Null => Ok(&[]),
        Value::Array(items) => Ok(items),
        other => Err(other),
    }
}

/// The member of a message that has its content or its calls under another key than the API, or under one that is not among `known`. The
/// audio of an assistant is an id that only OpenAI knows.
pub fn other_member(message: &Value, known: &[&str]) -> Option<Value> {
    let is_empty = |key: &str| message[key].as_str().map_or(message[key].is_null(), str::is_empty);
    let without_content = is_empty("content") && is_empty("tool_calls");
    let mut members = message.as_object().into_iter().flatten();
    let other = members.find(|(key, value)| match key.as_str() {
        "content" | "tool_calls" | "audio" | "refusal" => false,
        "function_call" => !value.is_null(),
        key => !known.contains(&key) && without_content && (value.is_array() || value.is_object()),
    });
    other.map(|(key, value)| json!({key: value}))
}

/// The first characters of content that an adapter does not know, for its refusal.
pub fn shown(content: &Value) -> String {
    content.to_string().chars().take(80).collect()
}
