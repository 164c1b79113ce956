//! A case in another dialect: the same fault in the words of the systems that speak that dialect.
//!
//! The input is written in the other dialect without a repair. Whether the two inputs are the same is for the observers and `check`
//! to say: both tell a model the same, in both directions, and the other one breaks no rule more. An input that no model can be told,
//! such as one with an image without data, has no conversation: there the two must break the same rules, and have one outcome.
//! `conformance/corpus/carried.toml` lists the pairs.

use wirecanon_core::observe::{self, Equivalence, Grade, Observation, observe_for};
use wirecanon_core::step::respell;
use wirecanon_core::{Dialect, Options, Target, fix};
use wirecanon_judge::case::{Case, Expect, ExpectedRepair, violations};
use wirecanon_judge::compare;
use wirecanon_judge::judge;
use wirecanon_judge::meaning;

/// Returns the case in another dialect; `None` where that dialect cannot say its fault, or where the case does not have a canonical
/// outcome.
pub fn into_dialect(case: &Case, to: Dialect) -> Option<Case> {
    let is_apart = |dialects: Option<&[Dialect]>| dialects.is_none_or(|dialects| dialects.contains(&to));
    if APART.iter().any(|(id, dialects, _)| *id == case.id && is_apart(*dialects)) {
        return None;
    }
    carried(case, to)
}

fn carried(case: &Case, to: Dialect) -> Option<Case> {
    if case.from == to || case.from.is_fragment() || to.is_fragment() || to == Dialect::Canonical {
        return None;
    }
    // What only its own dialect knows cannot be told in another.
    if case.expect.canonical.as_deref()?.get().contains("\"native\"") {
        return None;
    }
    let input = respell(&case.input, &Options::new().from(case.from).to(to)).ok()?.output.into_owned();
    let own = broken_rules(&case.input, case.from)?;
    // A fault of one dialect may be none in the other, and is one again where a server refuses it.
    if !broken_rules(&input, to)?.iter().all(|rule| own.contains(rule)) {
        return None;
    }
    let told = tells_the_same(case, &input, to);
    if told == Told::Otherwise {
        return None;
    }
    let mended = mended(&input, to);
    if told == Told::Nothing && !has_same_outcome(case, mended.as_ref()?) {
        return None;
    }
    let expect = Expect {
        canonical: case.expect.canonical.clone(),
        repairs: mended.map(|(repairs, _)| repairs),
        must_keep: case.expect.must_keep.clone(),
        may_refuse: case.expect.may_refuse.clone(),
        outcomes: case.expect.outcomes.clone(),
        ..Expect::default()
    };
    let tags = case.tags.iter().filter(|tag| *tag != "identity").cloned().collect();
    Some(Case { from: to, input, expect, tags, ..case.clone() })
}

/// Cases whose input tells a model the same in these dialects, or in all others (`None`), and yet asks for another outcome there, with
/// the reason.
pub const APART: [(&str, Option<&[Dialect]>, &str); 23] = [
    ("synthetic-result-aborted-then-real", None, "only OpenClaw marks the result as a stand-in, in `details`"),
    ("failed-turn-snake-case", None, "only OpenClaw says that the turn failed"),
    (
        "synthetic-result-of-pi-then-real",
        Some(&[
            Dialect::OpenAiChat,
            Dialect::OpenAiResponses,
            Dialect::MistralChat,
            Dialect::CohereV2,
            Dialect::OllamaChat,
        ]),
        "without an error flag the words are those of a tool",
    ),
    (
        "same-id-in-two-turns-first-unanswered",
        OPENVIKING,
        "a later part with the id of a pending one brings its result",
    ),
    ("call-with-empty-id-unanswered", OPENVIKING, "a call that waits needs no id"),
    ("call-with-blank-id-unanswered", OPENVIKING, "a call that waits needs no id"),
    ("two-calls-and-results-without-id", OPENVIKING, "a call and its result are one part"),
    (
        "image-not-a-picture-without-type",
        Some(&[Dialect::McpSampling, Dialect::BedrockConverse]),
        "an image that is none becomes a resource, or has a format",
    ),
    (
        "canonical-file-data-is-an-address",
        Some(&[Dialect::AiSdkUi]),
        "the address is inside a data URL, which is no address",
    ),
    ("anthropic-pdf-in-an-image", Some(&[Dialect::OllamaChat]), "images stand beside the text, and not before it"),
    ("six-documents-in-one-request", ANTHROPIC, "a document of plain text is text elsewhere"),
    ("call-between-call-and-result", ANTHROPIC, "two turns of the model in a row are one turn"),
    ("gemini-parallel-calls-in-two-turns", ANTHROPIC, "two turns of the model in a row are one turn"),
    ("result-without-id-two-open-calls", Some(&[Dialect::GeminiContents]), "results belong to calls by their order"),
    ("image-svg-declared-svg", AI_SDK, SVG),
    ("image-svg-declared-png", AI_SDK, SVG),
    ("anthropic-svg-image", AI_SDK_MODEL, SVG),
    ("gemini-svg-image", AI_SDK_MODEL, SVG),
    ("bedrock-svg-among-the-images", AI_SDK_MODEL, SVG),
    ("empty-reasoning-to-groq", LOSSLESS_CLAW, "empty reasoning is an item of its own"),
    ("responses-reasoning-without-summary", LOSSLESS_CLAW, "empty reasoning is an item of its own"),
    ("responses-message-id-without-its-reasoning", LOSSLESS_CLAW, "empty reasoning is an item of its own"),
    ("openai-file-address-as-image", LOSSLESS_CLAW, "an image has no address"),
];

const ANTHROPIC: Option<&[Dialect]> = Some(&[Dialect::AnthropicMessages]);
const OPENVIKING: Option<&[Dialect]> = Some(&[Dialect::OpenViking]);
const LOSSLESS_CLAW: Option<&[Dialect]> = Some(&[Dialect::LosslessClaw]);
const AI_SDK: Option<&[Dialect]> = Some(&[Dialect::AiSdkModel, Dialect::AiSdkUi]);
const AI_SDK_MODEL: Option<&[Dialect]> = Some(&[Dialect::AiSdkModel]);
const SVG: &str = "a drawing is a file, whose text is told where the target takes no such file";

/// The equivalences of answers that say something in a weaker form, which an input cannot take back.
const WEAKER: [Equivalence; 9] = [
    Equivalence::ErrorText,
    Equivalence::MediaNote,
    Equivalence::DocumentText,
    Equivalence::Address,
    Equivalence::ToolsAsText,
    Equivalence::ProviderItem,
    Equivalence::Reasoning,
    Equivalence::Filler,
    Equivalence::MarkedInstructions,
];

/// What two documents tell a model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// The same
    Same,
    /// One tells what the other does not
    Otherwise,
    /// One at least can be told to no model
    Nothing,
}

/// Compares what the input of a case and a document of another dialect tell a model. Each must tell all that the other one does, since a
/// dialect without error flags, or without images, takes an answer that leaves them out.
fn tells_the_same(case: &Case, input: &[u8], to: Dialect) -> Told {
    let (Ok(own), Ok(other)) = (std::str::from_utf8(&case.input), std::str::from_utf8(input)) else {
        return Told::Otherwise;
    };
    let (Some(own), Some(other)) = (meaning::parse(own), meaning::parse(other)) else { return Told::Otherwise };
    let (Ok(own), Ok(other)) = (observe_for(&own, case.from, to), observe_for(&other, to, case.from)) else {
        return Told::Nothing;
    };
    let is_in = |one: &Observation<'_>, other: &Observation<'_>, dialect: Dialect| {
        let comparison = observe::compare(one, other, Target::of_dialect(dialect));
        comparison.differences.iter().all(|difference| difference.reason.grade() == Grade::Setting)
            && comparison.equivalences.iter().all(|equivalence| !WEAKER.contains(equivalence))
    };
    if is_in(&own, &other, to) && is_in(&other, &own, case.from) { Told::Same } else { Told::Otherwise }
}

/// Returns whether these repairs are of the same rules as those of the input of a case, and lead to its canonical outcome.
fn has_same_outcome(case: &Case, (repairs, outcome): &(Vec<ExpectedRepair>, String)) -> bool {
    let Some(wanted) = case.expect.canonical.as_deref() else { return false };
    let Some((own, _)) = mended(&case.input, case.from) else { return false };
    let (Some(wanted), Some(outcome)) = (meaning::parse(wanted.get()), meaning::parse(outcome)) else { return false };
    rules(&own) == rules(repairs) && compare::difference_but(wanted.root(), outcome.root(), Some("native")).is_none()
}

/// Returns the rule that stands for others that name the same fault in dialects of another shape.
fn family(rule: &'static str) -> &'static str {
    match rule {
        // A data URL in data is one where the dialect has data alone, and no base64 where it has data URLs.
        "image-data-url-prefix" => "image-data-not-base64",
        rule => rule,
    }
}

/// Returns the rules that a document breaks in its dialect, each once, sorted; `None` where it is no transcript.
fn broken_rules(input: &[u8], dialect: Dialect) -> Option<Vec<&'static str>> {
    let broken = violations(input, Target::of_dialect(dialect), false)?;
    let mut rules: Vec<&str> = broken.iter().map(|broken| family(broken.rule)).collect();
    rules.sort_unstable();
    rules.dedup();
    Some(rules)
}

fn rules(repairs: &[ExpectedRepair]) -> Vec<&str> {
    repairs.iter().map(|repair| repair.rule.as_str()).collect()
}

/// Returns what reading and repairing a document reports, sorted, and its canonical outcome.
fn mended(input: &[u8], from: Dialect) -> Option<(Vec<ExpectedRepair>, String)> {
    let fixed = fix(input, &Options::new().from(from).to(Dialect::Canonical)).ok()?;
    Some((judge::reported(&fixed.report, true), String::from_utf8(fixed.output.into_owned()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_judge::case;

    use crate::corpus;

    fn parsed(from: &str, input: &str, canonical: &str) -> Case {
        let text = format!(
            r#"{{"id":"a","title":"t","class":"pairing","source":["s"],"from":"{from}","input":{input},
            "expect":{{"canonical":{canonical}}},"since":"0.1.0"}}"#
        );
        case::parse("a.json", text.as_bytes()).expect("a case")
    }

    const OPEN: &str = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":
        [{"type":"toolCall","id":"a","name":"look","arguments":"{}"}]},{"role":"toolResult","toolCallId":"a",
        "toolName":"look","content":[{"type":"text","text":"[wirecanon: no result was recorded for this tool call]"}],
        "isError":true,"synthetic":true}]}"#;

    #[test]
    fn a_fault_that_the_other_dialect_can_say_is_carried() {
        let input = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[
            {"type":"tool_use","id":"a","name":"look","input":{}}]}]}"#;
        let case = parsed("anthropic.messages", input, OPEN);
        let carried = into_dialect(&case, Dialect::OpenAiChat).expect("a call without a result");
        assert_eq!((carried.id.as_str(), carried.from), ("a", Dialect::OpenAiChat));
        let text = String::from_utf8(carried.input).expect("text");
        assert!(text.contains("tool_calls") && !text.contains("\"tool\""), "{text}");
    }

    #[test]
    fn a_fault_of_spelling_stays_where_it_is() {
        let input = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[
            {"type":"toolUse","id":"a","name":"look","input":{}}]}]}"#;
        let case = parsed("anthropic.messages", input, OPEN);
        assert!(into_dialect(&case, Dialect::OpenAiChat).is_none());
        assert!(into_dialect(&case, Dialect::AnthropicMessages).is_none());
        assert!(into_dialect(&case, Dialect::McpToolResult).is_none());
    }

    #[test]
    fn only_cases_that_would_be_carried_are_kept_apart() {
        let cases = corpus::load().expect("the corpus");
        for (id, dialects, _) in APART {
            let case = cases.iter().find(|case| case.id == id).expect(id);
            match dialects {
                None => assert!(Dialect::ALL.into_iter().any(|to| carried(case, to).is_some()), "{id}"),
                Some(dialects) => {
                    for to in dialects {
                        assert!(carried(case, *to).is_some(), "{id} in {}", to.name());
                    }
                }
            }
        }
    }

    #[test]
    fn much_of_the_corpus_is_carried() {
        let cases = corpus::load().expect("the corpus");
        let carried: usize = cases
            .iter()
            .map(|case| Dialect::ALL.into_iter().filter(|to| into_dialect(case, *to).is_some()).count())
            .sum();
        assert!(carried > cases.len(), "{carried} of {} cases", cases.len());
    }
}
