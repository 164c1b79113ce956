//! What an answer says otherwise than the input did, where the target would take it and no word is gone: a failure that became a
//! success, a success that became a failure, a picture that became words.
//!
//! What the input says is taken from the outcome that the case expects, and what the answer says is read by nobody's reader
//! ([`seen`]). Where a case expects no canonical outcome, nothing is known and nothing is said.

use std::sync::OnceLock;

use wirecanon_core::json::{Json, Kind, Limits};
use wirecanon_core::{Dialect, Target};

use wirecanon_core::invariant::{Seen, SeenResult, seen};

use crate::case::Case;
use crate::loss;
use crate::reason::AT;

/// A failed result that the answer does not mark as one.
pub const ERROR_FLAG_LOST: &str = "error-flag-lost";

/// A result that the answer marks as failed, and that was none.
pub const ERROR_FLAG_INVENTED: &str = "error-flag-invented";

/// The base64 of a picture or file that stands among the words of the answer.
pub const MEDIA_AS_TEXT: &str = "media-as-text";

/// The name of what is wrong, of a failure that begins with one.
pub fn rule_of(failure: &str) -> Option<&'static str> {
    [ERROR_FLAG_LOST, ERROR_FLAG_INVENTED, MEDIA_AS_TEXT]
        .into_iter()
        .find(|rule| failure.strip_prefix(rule).is_some_and(|rest| rest.starts_with(AT)))
}

/// What the expected outcome of a case says, read when it is first asked for: every target of the case asks for the same. A
/// copy reads for itself, since it may become another case.
#[derive(Debug, Default)]
pub(crate) struct Wanted(OnceLock<Option<Seen>>);

impl Clone for Wanted {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Wanted {
    /// That of this case, which must be the one that it stands in. That of a lone result is the result.
    fn of(case: &Case) -> Option<&Seen> {
        let read = || {
            let canonical = case.expect.canonical.as_deref()?.get();
            seen(canonical, if case.is_fragment() { Dialect::McpToolResult } else { Dialect::Canonical })
        };
        case.expect.said.0.get_or_init(read).as_ref()
    }
}

/// All that an answer says otherwise, each as `NAME at PLACE: in words`.
pub(crate) fn altered(case: &Case, target: &Target, output: &str) -> Vec<String> {
    let Some(wanted) = Wanted::of(case) else { return Vec::new() };
    let media = media_of(case, wanted);
    let marked = has_flag(target) && !wanted.results.is_empty();
    if media.is_empty() && !marked {
        return Vec::new();
    }
    let Some(said) = seen(output, target.dialect) else { return Vec::new() };
    let mut all = if marked { flags(wanted, &said, target) } else { Vec::new() };
    all.extend(as_words(&media, case, wanted, &said));
    all
}

/// Results whose mark of failure is another than it was. Only those are compared whose words are the same: of others it is
/// told already that they are lost.
fn flags(wanted: &Seen, said: &Seen, target: &Target) -> Vec<String> {
    let mut all = Vec::new();
    for result in &wanted.results {
        let words = result.texts.iter().map(|text| text.trim()).max_by_key(|text| text.len()).unwrap_or_default();
        // What stands for a result that nobody recorded is each program's own.
        if words.contains("[wirecanon:") {
            continue;
        }
        let Some(found) = same(result, words, wanted, said) else { continue };
        let place = result.id.as_deref().map_or("a result".to_owned(), |id| format!("the result of {id}"));
        if result.is_error && !found.is_error && !(flag_is_a_kind(target.dialect) && says_so(found)) {
            all.push(format!("{ERROR_FLAG_LOST}{AT}{place}: it failed, and the answer marks it as a success"));
        } else if !result.is_error && found.is_error {
            all.push(format!("{ERROR_FLAG_INVENTED}{AT}{place}: it succeeded, and the answer marks it as failed"));
        }
    }
    all
}

/// Whether results of the target have a mark of failure, in the dialect and at the server.
fn has_flag(target: &Target) -> bool {
    let transcript = !matches!(target.dialect, Dialect::McpPrompt | Dialect::LosslessClaw);
    transcript && target.content.error_flag && Target::of_dialect(target.dialect).content.error_flag
}

/// Whether the mark is a way to hold the output, which not every output has: then words do as well.
fn flag_is_a_kind(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::GeminiContents | Dialect::AiSdkModel | Dialect::AiSdkUi)
}

fn says_so(result: &SeenResult) -> bool {
    result.texts.iter().any(|text| {
        let text = text.to_lowercase();
        text.contains("error") || text.contains("fail")
    })
}

/// The one result of the answer that is this one: by its id and words, or, where ids are others, by words that only it has.
fn same<'s>(result: &SeenResult, words: &str, wanted: &Seen, said: &'s Seen) -> Option<&'s SeenResult> {
    let has = |other: &&SeenResult| other.texts.iter().any(|text| text.contains(words));
    if let ([_], [only]) = (&wanted.results[..], &said.results[..]) {
        return Some(only).filter(|only| words.is_empty() || has(only));
    }
    if let Some(id) = result.id.as_deref().filter(|id| !id.is_empty()) {
        let of_id = |other: &&SeenResult| other.id.as_deref() == Some(id);
        if wanted.results.iter().filter(of_id).count() == 1 {
            let mut found = said.results.iter().filter(of_id);
            if let (Some(one), None) = (found.next(), found.next()) {
                return Some(one).filter(|one| words.is_empty() || has(one));
            }
        }
    }
    if words.len() < 3 || wanted.results.iter().filter(has).count() != 1 {
        return None;
    }
    let mut found = said.results.iter().filter(has);
    found.next().filter(|_| found.next().is_none())
}

/// The base64 of the pictures and files that must come out.
fn media_of<'c>(case: &'c Case, wanted: &'c Seen) -> Vec<&'c str> {
    let must_keep = case.expect.must_keep.iter();
    let mut all: Vec<&str> = wanted.media.iter().chain(must_keep).map(|data| payload(data)).collect();
    all.retain(|data| loss::is_media(data));
    all.sort_unstable();
    all.dedup();
    all
}

/// Those whose base64 stands among the words of the answer, and did not among those of the input.
fn as_words(media: &[&str], case: &Case, wanted: &Seen, said: &Seen) -> Vec<String> {
    let is_in = |texts: &[String], data: &str| texts.iter().any(|text| text.contains(data));
    let mut found: Vec<&str> = media.iter().copied().filter(|data| is_in(&said.texts, data)).collect();
    if !found.is_empty() {
        let input = std::str::from_utf8(&case.input).ok().and_then(|text| seen(text, case.from)).unwrap_or_default();
        found.retain(|data| !is_in(&wanted.texts, data) && !is_in(&input.texts, data));
    }
    let words = |data: &str| {
        let size = data.len();
        format!("{MEDIA_AS_TEXT}{AT}{}…: its {size} letters of base64 stand among the words", start(data))
    };
    found.into_iter().map(words).collect()
}

/// The base64 without what stands before it in a data URL.
fn payload(data: &str) -> &str {
    data.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")).map_or(data, |(_, payload)| payload)
}

/// Enough of base64 to tell one from another.
fn start(data: &str) -> &str {
    data.get(..12).unwrap_or(data)
}

/// Members that hold a model's reasoning, in every dialect.
const REASONING: [&str; 9] = [
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "reasoning_text",
    "reasoningContent",
    "reasoningText",
    "summary",
    "thinking",
    "thought",
];

/// Whether an input holds reasoning of a model anywhere, however its dialect spells it. What is no JSON holds none.
pub(crate) fn carries_reasoning(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    let Ok(json) = Json::parse(text.trim_start_matches('\u{feff}'), &Limits::default()) else {
        return text.lines().filter(|line| line.trim_start().starts_with('{')).any(holds_reasoning);
    };
    look(&json)
}

fn holds_reasoning(text: &str) -> bool {
    Json::parse(text, &Limits::default()).is_ok_and(|json| look(&json))
}

fn look(json: &Json<'_>) -> bool {
    (0..json.len() as u32).map(|index| json.value(index)).filter(|value| value.is_object()).any(|object| {
        let typed = object
            .get("type")
            .is_some_and(|kind| ["reasoning", "thinking", "redacted_thinking"].iter().any(|name| kind.is_str(name)));
        typed
            || REASONING.iter().filter_map(|key| object.get(key)).any(|value| match value.kind() {
                Kind::String => value.as_str().is_some_and(|text| !text.trim().is_empty()),
                Kind::Bool => value.as_bool() == Some(true),
                Kind::Array => value.items().next().is_some(),
                Kind::Object => true,
                Kind::Null | Kind::Number => false,
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_is_found_however_it_is_spelled() {
        for input in [
            r#"{"messages":[{"role":"assistant","reasoning_content":"hm"}]}"#,
            r#"[{"type":"reasoning","encrypted_content":"x","summary":[]}]"#,
            r#"{"contents":[{"parts":[{"text":"hm","thought":true}]}]}"#,
            "{\"role\":\"user\"}\n{\"role\":\"assistant\",\"thinking\":\"hm\"}\n",
        ] {
            assert!(carries_reasoning(input.as_bytes()), "{input}");
        }
        for input in [
            r#"{"messages":[{"role":"assistant","content":"thinking","reasoning_content":""}]}"#,
            r#"{"messages":[{"role":"assistant","reasoning_content":null,"thought":false}]}"#,
            "no JSON: thinking",
        ] {
            assert!(!carries_reasoning(input.as_bytes()), "{input}");
        }
    }

    #[test]
    fn what_is_wrong_has_a_name() {
        assert_eq!(rule_of("error-flag-lost at the result of c1: …"), Some(ERROR_FLAG_LOST));
        assert_eq!(rule_of("media-as-text at iVBOR…: …"), Some(MEDIA_AS_TEXT));
        assert_eq!(rule_of("error-flag-lost"), None);
        assert_eq!(rule_of("a second run changes its output"), None);
    }
}
