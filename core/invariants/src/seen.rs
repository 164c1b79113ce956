//! What an output says, for whoever judges one answer alone: what [`view`] sees, without its places.

use std::borrow::Cow;

use super::view;
use wirecanon_model::Dialect;

/// What stands in a document, as the observer of its dialect reads it.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::invariant::seen;
///
/// let text = r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]"#;
/// let seen = seen(text, Dialect::OpenAiChat).ok_or("no JSON")?;
/// assert_eq!(seen.texts, ["hi", "hello"]);
/// assert!(seen.results.is_empty() && seen.media.is_empty());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What is said, reasoning and the words of results too
    pub texts: Vec<String>,
    /// Results of tools, in order
    pub results: Vec<SeenResult>,
    /// The base64 of pictures, recordings and files
    pub media: Vec<String>,
}

/// The result of a tool.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::invariant::{SeenResult, seen};
///
/// let text = r#"[{"role":"toolResult","toolCallId":"c1","content":[{"type":"text","text":"no"}],"isError":true}]"#;
/// let result = SeenResult { id: Some("c1".into()), texts: vec!["no".into()], is_error: true };
/// assert_eq!(seen(text, Dialect::Canonical).ok_or("no JSON")?.results, [result]);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenResult {
    /// The call that it answers, where it says so
    pub id: Option<String>,
    /// Its words
    pub texts: Vec<String>,
    /// Whether it is marked as a failure
    pub is_error: bool,
}

/// What a document in this dialect says; `None` if it is no JSON, nor lines of it, or holds what the dialect does not have.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::invariant::seen;
///
/// let text = r#"[{"role":"user","parts":[{"text":"hi"}]}]"#;
/// assert_eq!(seen(text, Dialect::GeminiContents).ok_or("no JSON")?.texts, ["hi"]);
/// assert!(seen("{", Dialect::GeminiContents).is_none());
/// # Ok::<(), &str>(())
/// ```
pub fn seen(text: &str, dialect: Dialect) -> Option<Seen> {
    let json = view::document(text).ok()?;
    let mut seen = Seen::default();
    for turn in view::turns(&json, dialect).ok()? {
        seen.media.extend(turn.media.iter().filter_map(|(media, _)| view::base64_of(media, dialect)));
        seen.texts.extend(turn.texts.into_iter().map(Cow::into_owned));
        for result in turn.results {
            let texts: Vec<String> = result.texts.into_iter().map(Cow::into_owned).collect();
            seen.texts.extend(texts.iter().cloned());
            let id = result.id.map(Cow::into_owned);
            seen.results.push(SeenResult { id, texts, is_error: result.is_error == Some(true) });
        }
    }
    Some(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_words_and_media_are_seen_where_the_dialect_has_them() {
        let text = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"},
            {"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"no"},
            {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}]}"#;
        let seen = seen(text, Dialect::AnthropicMessages).expect("JSON");
        assert_eq!(seen.texts, ["hi", "no"]);
        assert_eq!(seen.media, ["AAAA"]);
        let result = SeenResult { id: Some("c1".to_owned()), texts: vec!["no".to_owned()], is_error: true };
        assert_eq!(seen.results, [result]);
        assert_eq!(super::seen("no JSON", Dialect::AnthropicMessages), None);
    }
}
