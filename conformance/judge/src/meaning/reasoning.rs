//! Reasoning of a model in an input, however its dialect spells it.

use wirecanon_core::json::{Json, Kind, Limits};

/// Fields that hold the reasoning of a model, in all dialects.
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

/// Returns whether an input has reasoning of a model. Input that is not JSON has none.
pub(super) fn carries_reasoning(input: &[u8]) -> bool {
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
}
