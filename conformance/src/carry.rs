//! A case in another dialect: the same fault in the words of the systems that speak that dialect.
//!
//! The input is written in the other dialect without a repair. Whether the two inputs are the same is for the observers and `check`
//! to say: both tell a model the same, in both directions, and both break the same rules. What `fix` makes of them is not asked.
//! `conformance/corpus/carried.toml` lists the pairs.

use wirecanon_core::json::{Json, Limits};
use wirecanon_core::observe::{Equivalence, Grade, Observation, compare, observe_for};
use wirecanon_core::step::respell;
use wirecanon_core::{CheckOptions, Dialect, Entry, From, Mode, Options, Stage, Target, check, fix};

use crate::case::{Case, Expect, ExpectedRepair};
use crate::meaning;
use crate::meaning::facts::Known;

/// Returns the case in another dialect; `None` where that dialect cannot say its fault, or where the case does not have a canonical
/// outcome.
pub fn into_dialect(case: &Case, to: Dialect) -> Option<Case> {
    let is_apart = |dialects: &[Dialect]| dialects.is_empty() || dialects.contains(&to);
    if APART.iter().any(|(id, dialects, _)| *id == case.id && is_apart(dialects)) {
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
    let input = respell(&case.input, &options(case.from, to)).ok()?.output.into_owned();
    if !tells_the_same(case, &input, to) || broken_rules(&case.input, case.from)? != broken_rules(&input, to)? {
        return None;
    }
    let expect = Expect {
        canonical: case.expect.canonical.clone(),
        repairs: case.expect.repairs.as_ref().map(|own| repairs(own, &input, to)),
        must_keep: case.expect.must_keep.clone(),
        may_refuse: case.expect.may_refuse.clone(),
        targets: std::collections::BTreeMap::default(),
        check: std::collections::BTreeMap::default(),
        outcomes: case.expect.outcomes.clone(),
        facts: Known::default(),
    };
    let tags = case.tags.iter().filter(|tag| *tag != "identity").cloned().collect();
    Some(Case { from: to, input, expect, tags, ..case.clone() })
}

fn options(from: Dialect, to: Dialect) -> Options<'static> {
    Options { from: From::Dialect(from), to: Some(Target::of_dialect(to)), mode: Mode::Request, ..Options::default() }
}

/// Cases whose input tells a model the same in these dialects (none: in all), and yet asks for another outcome there, with the reason.
pub const APART: [(&str, &[Dialect], &str); 7] = [
    ("synthetic-result-aborted-then-real", &[], "only OpenClaw marks the result as a stand-in, in `details`"),
    (
        "synthetic-result-of-pi-then-real",
        &[Dialect::OpenAiChat, Dialect::OpenAiResponses, Dialect::MistralChat, Dialect::CohereV2, Dialect::OllamaChat],
        "without an error flag the words are those of a tool",
    ),
    (
        "same-id-in-two-turns-first-unanswered",
        &[Dialect::OpenViking],
        "a later part with the id of a pending one brings its result",
    ),
    (
        "image-not-a-picture-without-type",
        &[Dialect::McpSampling, Dialect::BedrockConverse],
        "an image that is none becomes a resource, or has a format",
    ),
    ("canonical-file-data-is-an-address", &[Dialect::AiSdkUi], "the address is inside a data URL, which is no address"),
    ("anthropic-pdf-in-an-image", &[Dialect::OllamaChat], "images stand beside the text, and not before it"),
    ("six-documents-in-one-request", &[Dialect::AnthropicMessages], "a document of plain text is text elsewhere"),
];

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

/// Returns whether the input of a case and a document of another dialect tell a model the same. Each must tell all that the other one
/// does, since a dialect without error flags, or without images, takes an answer that leaves them out.
fn tells_the_same(case: &Case, input: &[u8], to: Dialect) -> bool {
    let (Ok(own), Ok(other)) = (std::str::from_utf8(&case.input), std::str::from_utf8(input)) else { return false };
    let (Some(own), Some(other)) = (meaning::parse(own), meaning::parse(other)) else { return false };
    fn read<'j>(json: &'j Json<'j>, of: Dialect, for_: Dialect) -> Option<Observation<'j>> {
        observe_for(json, of, for_).ok()
    }
    let (Some(own), Some(other)) = (read(&own, case.from, to), read(&other, to, case.from)) else { return false };
    let is_in = |one: &Observation<'_>, other: &Observation<'_>, dialect: Dialect| {
        let comparison = compare(one, other, Target::of_dialect(dialect));
        comparison.differences.iter().all(|difference| difference.reason.grade() == Grade::Setting)
            && comparison.equivalences.iter().all(|equivalence| !WEAKER.contains(equivalence))
    };
    is_in(&own, &other, to) && is_in(&other, &own, case.from)
}

/// Returns the rules that a document breaks in its dialect, sorted; `None` where it is no transcript.
fn broken_rules(input: &[u8], dialect: Dialect) -> Option<Vec<&'static str>> {
    let target = Target::of_dialect(dialect);
    let options = CheckOptions { target, mode: Mode::Request, fragment: false, limits: Limits::default() };
    let mut rules: Vec<&str> = check(input, &options).ok()?.violations.iter().map(|broken| broken.rule).collect();
    rules.sort_unstable();
    Some(rules)
}

/// Returns the repairs of a case with their places in the carried input: those that the reference reports there for the same rules.
/// A repair that it does not report has no place.
fn repairs(own: &[ExpectedRepair], input: &[u8], to: Dialect) -> Vec<ExpectedRepair> {
    let fixed = fix(input, &options(to, Dialect::Canonical)).ok();
    let entries = fixed.iter().flat_map(|fixed| &fixed.report.repairs).filter(|entry| entry.stage != Stage::Write);
    let mut places: Vec<&Entry<'_>> = entries.collect();
    let mut repairs: Vec<ExpectedRepair> = own
        .iter()
        .map(|repair| {
            let place = places.iter().position(|entry| entry.rule == repair.rule).map(|at| places.remove(at));
            let input = place.and_then(|entry| entry.input.as_deref().map(str::to_owned));
            ExpectedRepair { rule: repair.rule.clone(), input }
        })
        .collect();
    repairs.sort_unstable();
    repairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{case, corpus};

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
            if dialects.is_empty() {
                assert!(Dialect::ALL.into_iter().any(|to| carried(case, to).is_some()), "{id}");
            }
            for to in dialects {
                assert!(carried(case, *to).is_some(), "{id} in {}", to.name());
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
