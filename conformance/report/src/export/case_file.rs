//! One case as a file of the package: in the form of the corpus, with the exact text of its input.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use wirecanon_judge::case::{Case, ExpectedRepair, MayRefuse, Retired};

#[derive(Serialize)]
struct File<'c> {
    id: &'c str,
    title: &'c str,
    class: &'c str,
    source: &'c [String],
    from: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_text: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    expect: Expect<'c>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deviates: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<&'c str>,
    tags: &'c [String],
    since: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retired: Option<&'c Retired>,
}

#[derive(Serialize)]
struct Expect<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<&'c RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repairs: Option<Vec<Repair<'c>>>,
    must_keep: &'c [String],
    may_refuse: Refusal<'c>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    targets: BTreeMap<&'c str, OfTarget<'c>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    check: BTreeMap<&'c str, Vec<Repair<'c>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<&'c [String]>,
}

#[derive(Serialize)]
struct OfTarget<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'c RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repairs: Option<Vec<Repair<'c>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    may_refuse: Option<Refusal<'c>>,
}

#[derive(Serialize)]
struct Repair<'c> {
    rule: &'c str,
    #[serde(rename = "in")]
    input: Option<&'c str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Refusal<'c> {
    Never(bool),
    With(&'c str),
}

impl<'c> Refusal<'c> {
    fn of(refusal: &'c MayRefuse) -> Self {
        refusal.code().map_or(Self::Never(false), Self::With)
    }
}

fn repairs(list: &[ExpectedRepair]) -> Vec<Repair<'_>> {
    list.iter().map(|repair| Repair { rule: &repair.rule, input: repair.input.as_deref() }).collect()
}

/// The file of a case.
pub(super) fn render(case: &Case) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(&case.input).ok();
    let expect = &case.expect;
    super::pretty(&File {
        id: &case.id,
        title: &case.title,
        class: &case.class,
        source: &case.source,
        from: case.from.name(),
        input_text: text,
        input_base64: text.is_none().then(|| base64_simd::STANDARD.encode_to_string(&case.input)),
        expect: Expect {
            canonical: expect.canonical.as_deref(),
            repairs: expect.repairs.as_deref().map(repairs),
            must_keep: &expect.must_keep,
            may_refuse: Refusal::of(&expect.may_refuse),
            targets: expect
                .targets
                .iter()
                .map(|(name, target)| {
                    let target = OfTarget {
                        output: target.output.as_deref(),
                        repairs: target.repairs.as_deref().map(repairs),
                        may_refuse: target.may_refuse.as_ref().map(Refusal::of),
                    };
                    (name.as_str(), target)
                })
                .collect(),
            check: expect.check.iter().map(|(name, list)| (name.as_str(), repairs(list))).collect(),
            outcomes: expect.outcomes.as_deref(),
        },
        deviates: case.deviates.as_deref(),
        whole: case.whole.as_deref(),
        tags: &case.tags,
        since: &case.since,
        retired: case.retired.as_ref(),
    })
}
