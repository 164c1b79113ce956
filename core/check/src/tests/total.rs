//! Any bytes end in a verdict or a typed error.

use super::{PNG, filled};
use crate::{CheckOptions, check};
use proptest::prelude::*;
use wirecanon_json::Limits;
use wirecanon_model::Mode;
use wirecanon_model::target::Target;

const SEEDS: &[&str] = &[
    r#"{"messages":[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":"{}"},{"type":"image","data":"$PNG","mimeType":"image/png"}]},{"role":"toolResult","toolCallId":"a","toolName":"f","content":[{"type":"text","text":"r"}],"isError":false}]}"#,
    r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]"#,
    "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}\n{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":[]}",
    r#"{"content":[{"type":"resource","resource":{"uri":"u","blob":"$PNG"}},{"type":"audio","data":"AAAA","mimeType":"audio/wav"}],"isError":true}"#,
];

/// Judges for every target, in both modes. A violation always has a rule of the catalogue and a place in the input.
fn judge_all(input: &[u8]) {
    for target in Target::all() {
        for mode in [Mode::Request, Mode::History] {
            let options = CheckOptions { target, mode, fragment: false, limits: Limits::default() };
            let Ok(checked) = check(input, &options) else { continue };
            assert_eq!(checked, check(input, &options).expect("as before"));
            for violation in checked.violations {
                assert!(wirecanon_model::rule::by_id(violation.rule).is_some(), "{violation:?}");
                assert!(violation.pointer.is_empty() || violation.pointer.starts_with('/'), "{violation:?}");
            }
        }
    }
}

#[test]
fn one_byte_is_another_and_the_text_ends_early() {
    for seed in SEEDS {
        let bytes = filled(seed).into_bytes();
        for at in 0..bytes.len() {
            judge_all(&bytes[..at]);
            for byte in [b'"', b'}', b'0', b'\n', 0xFF] {
                let mut changed = bytes.clone();
                changed[at] = byte;
                judge_all(&changed);
            }
        }
    }
    assert!(filled(SEEDS[0]).contains(PNG));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        judge_all(&bytes);
    }

    /// Values put where others stood: shapes that no program writes.
    #[test]
    fn any_shape(seed in 0..SEEDS.len(), places in prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize), 1..4)) {
        const VALUES: [&str; 12] =
            ["null", "true", "0", "\"\"", "\" \"", "\"\\ud800\"", "[]", "{}", "[[]]", "[null]", "{\"type\":\"text\"}", "[{\"role\":7}]"];
        let mut text = filled(SEEDS[seed]);
        for (place, value) in places {
            // The span of some value of the text as it is now.
            let Ok(json) = wirecanon_json::Json::parse(&text, &Limits::default()) else { break };
            let span = json.value(place.index(json.len()) as u32).span();
            text.replace_range(span, VALUES[value]);
        }
        judge_all(text.as_bytes());
    }
}
