//! A case in another dialect: the same fault in the words of the systems that speak that dialect.
//!
//! What stands in the input is said anew without mending anything. That counts only where the other dialect can say the whole
//! fault: what was carried must read to the outcome that the case asks for, and with the same repairs on the way.

use wirecanon_core::json::{Json, Limits};
use wirecanon_core::step::respell;
use wirecanon_core::{CheckOptions, Dialect, Entry, From, Mode, Options, Stage, Target, check, fix};

use crate::case::{Case, Expect, ExpectedRepair};
use crate::compare;
use crate::meaning::facts::Known;

/// The case in another dialect; `None` where that dialect cannot say its fault, or where the case does not say what must
/// come out in words of its own.
pub fn into_dialect(case: &Case, to: Dialect) -> Option<Case> {
    if case.from == to || case.from.is_fragment() || to.is_fragment() || to == Dialect::Canonical {
        return None;
    }
    let wanted = case.expect.canonical.as_deref()?.get();
    // What only its own dialect knows cannot be told in another.
    if wanted.contains("\"native\"") {
        return None;
    }
    let input = respell(&case.input, &options(case.from, Target::of_dialect(to))).ok()?.output.into_owned();
    let (own, _) = mended(&case.input, case.from)?;
    let (carried, outcome) = mended(&input, to)?;
    if rules(&own) != rules(&carried) || !same(wanted, &outcome) {
        return None;
    }
    if own.is_empty() && !is_valid(&input, to) {
        return None;
    }
    let expect = Expect {
        canonical: case.expect.canonical.clone(),
        repairs: Some(carried),
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

fn options(from: Dialect, to: &Target) -> Options<'_> {
    Options { from: From::Dialect(from), to: Some(to), mode: Mode::Request, ..Options::default() }
}

/// Returns what reading and repairing report, sorted, and the canonical outcome.
fn mended(input: &[u8], from: Dialect) -> Option<(Vec<ExpectedRepair>, String)> {
    let fixed = fix(input, &options(from, Target::of_dialect(Dialect::Canonical))).ok()?;
    let repairs = fixed.report.repairs.iter().filter(|entry| entry.stage != Stage::Write);
    let repair = |entry: &Entry<'_>| ExpectedRepair {
        rule: entry.rule.to_owned(),
        input: entry.input.as_deref().map(str::to_owned),
    };
    let mut repairs: Vec<_> = repairs.map(repair).collect();
    repairs.sort_unstable();
    Some((repairs, String::from_utf8(fixed.output.into_owned()).ok()?))
}

fn rules(repairs: &[ExpectedRepair]) -> Vec<&str> {
    repairs.iter().map(|repair| repair.rule.as_str()).collect()
}

fn same(wanted: &str, outcome: &str) -> bool {
    let limits = Limits::default();
    let (Ok(wanted), Ok(outcome)) = (Json::parse(wanted, &limits), Json::parse(outcome, &limits)) else { return false };
    compare::difference_but(wanted.root(), outcome.root(), Some("native")).is_none()
}

fn is_valid(input: &[u8], dialect: Dialect) -> bool {
    let target = Target::of_dialect(dialect);
    let options = CheckOptions { target, mode: Mode::Request, fragment: false, limits: Limits::default() };
    check(input, &options).is_ok_and(|checked| checked.violations.is_empty())
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
    fn much_of_the_corpus_is_carried() {
        let cases = corpus::load().expect("the corpus");
        let carried: usize = cases
            .iter()
            .map(|case| Dialect::ALL.into_iter().filter(|to| into_dialect(case, *to).is_some()).count())
            .sum();
        assert!(carried > cases.len(), "{carried} of {} cases", cases.len());
    }
}
