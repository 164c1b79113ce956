//! The answers behind the table of `docs/losses.md` can say that something is lost.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use wirecanon::losses::{Answer, FEATURES, Fate, answer, answers};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{Dialect, Target};

fn of(normalizer: &dyn Normalizer, feature: &str, target: &str) -> Answer {
    let feature = FEATURES.iter().find(|other| other.id == feature).expect("a feature");
    let target = Target::by_name(target).expect("a target");
    answer(normalizer, feature, Dialect::Canonical, target).expect("an answer")
}

#[test]
fn the_legend_has_every_outcome() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/losses.md");
    let document = fs::read_to_string(path).expect("the document");
    for fate in Fate::ALL {
        assert!(document.contains(&format!("`{}`", fate.name())), "{} is missing", fate.name());
        assert!(document.contains(fate.meaning()), "{} is explained in other words", fate.name());
    }
}

/// The probes are valid but for those that are about a fault.
#[test]
fn a_canonical_transcript_comes_back_as_it_was() {
    let broken = ["arguments-no-json", "empty-result", "failed-turn"];
    for answer in answers(Dialect::Canonical, Target::of_dialect(Dialect::Canonical)).expect("a conversion") {
        if answer.feature == "tool-definitions" {
            continue;
        }
        let kept = answer.outcome == Fate::Kept && answer.back;
        assert_ne!(kept, broken.contains(&answer.feature), "{answer:?}");
    }
}

#[test]
fn ids_are_unique_and_every_outcome_occurs() {
    let (mut ids, mut fates) = (BTreeSet::new(), BTreeSet::new());
    for from in [Dialect::Canonical, Dialect::OpenAiChat] {
        for answer in Target::all().iter().filter_map(|target| answers(from, target)).flatten() {
            assert!(ids.insert(answer.id.clone()), "{} occurs twice", answer.id);
            fates.insert(answer.outcome);
        }
    }
    assert!(fates.iter().eq(Fate::ALL.iter()), "{fates:?}");
}

/// What is gone is in the report, on every way there is.
#[test]
fn nothing_is_lost_in_silence() {
    let mut silent = Vec::new();
    for from in Dialect::ALL {
        for target in Target::all() {
            let lost = answers(from, target).into_iter().flatten();
            silent.extend(
                lost.filter(|answer| answer.outcome == Fate::Lost && answer.rules.is_empty()).map(|answer| answer.id),
            );
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn known_ways_end_as_they_must() {
    for (feature, target, outcome, rule) in [
        ("user-text", "openai", Fate::Kept, ""),
        ("image-in-result", "openai", Fate::Adapted, "media-in-tool-result"),
        ("image-in-result", "anthropic", Fate::Kept, ""),
        ("error-result", "openai", Fate::Adapted, "error-flag-as-text"),
        ("user-audio", "anthropic", Fate::Lost, "file-not-accepted"),
        ("user-image-by-address", "openclaw", Fate::Text, "media-by-address"),
        ("stop-reason", "anthropic", Fate::LeftOut, ""),
        ("user-text", "mcp.tool-result", Fate::Refused, "unsupported-content"),
        ("resource-link-in-result", "mcp.tool-result@2025-06-18", Fate::Kept, ""),
        ("tool-call", "mcp.prompt", Fate::Text, "tools-not-accepted"),
    ] {
        let answer = of(&Reference, feature, target);
        assert_eq!(answer.outcome, outcome, "{answer:?}");
        assert!(rule.is_empty() || answer.rules.iter().any(|named| named == rule), "{answer:?}");
    }
}

#[test]
fn a_dialect_cannot_lose_what_it_cannot_say() {
    let openai = Target::by_name("openai").expect("a target");
    let all = answers(Dialect::AnthropicMessages, openai).expect("a conversion");
    let fate = |feature: &str| all.iter().find(|answer| answer.feature == feature).expect("an answer").outcome;
    assert_eq!(fate("user-audio"), Fate::Absent);
    assert_eq!(fate("thinking-own"), Fate::Lost);
    assert_eq!(fate("image-in-result"), Fate::Adapted);
    assert!(answers(Dialect::McpToolResult, openai).is_none(), "there is no such conversion");
}

/// Takes every image out of what the reference makes, and says nothing.
struct DropsImages {
    silent: bool,
}

impl Normalizer for DropsImages {
    fn name(&self) -> &'static str {
        "drops-images"
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        let Outcome::Output { bytes, report } = Reference.convert(request) else { panic!("no output") };
        let mut document: Value = serde_json::from_slice(&bytes).expect("JSON");
        for message in document["messages"].as_array_mut().expect("messages") {
            if let Some(blocks) = message["content"].as_array_mut() {
                blocks.retain(|block| block["type"] != "image" && block["type"] != "image_url");
            }
        }
        let report = report.filter(|_| !self.silent);
        Outcome::Output { bytes: serde_json::to_vec(&document).expect("JSON"), report }
    }
}

#[test]
fn a_normalizer_that_drops_images_is_found_out() {
    for silent in [true, false] {
        for target in ["canonical", "openai.chat", "anthropic.messages"] {
            let answer = of(&DropsImages { silent }, "user-image", target);
            assert_eq!((answer.outcome, answer.back), (Fate::Lost, false), "{answer:?}");
            let kept = of(&DropsImages { silent }, "user-text", target);
            assert_eq!((kept.outcome, kept.back), (Fate::Kept, true), "{kept:?}");
        }
    }
}

/// Writes nothing but one word, and says nothing.
struct Forgets;

impl Normalizer for Forgets {
    fn name(&self) -> &'static str {
        "forgets"
    }

    fn convert(&self, _: &Request<'_>) -> Outcome {
        let bytes = br#"{"messages":[{"role":"user","content":[{"type":"text","text":"hm"}]}]}"#.to_vec();
        Outcome::Output { bytes, report: None }
    }
}

#[test]
fn nothing_that_is_forgotten_counts_as_kept() {
    for feature in FEATURES {
        let Some(answer) =
            answer(&Forgets, feature, Dialect::Canonical, Target::by_name("anthropic.messages").expect("a target"))
        else {
            continue;
        };
        let gone = matches!(answer.outcome, Fate::Lost | Fate::LeftOut);
        assert!(gone && !answer.back, "{answer:?}");
    }
}
