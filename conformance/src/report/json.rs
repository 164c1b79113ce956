//! The run as one JSON object. It grows only by adding fields.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Summary;
use crate::run::{RunResult, TesteeRun};
use crate::verdict::Verdict;

#[derive(Serialize)]
struct Document<'r> {
    wirecanon: u64,
    summary: Totals<'r>,
    testees: Vec<Testee<'r>>,
    results: Vec<&'r RunResult>,
}

#[derive(Serialize)]
struct Totals<'r> {
    cases: usize,
    runs: usize,
    seconds: f64,
    verdicts: BTreeMap<Verdict, usize>,
    findings: usize,
    partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    void: Option<&'r str>,
}

#[derive(Serialize)]
struct Testee<'r> {
    name: &'r str,
    argument: &'r str,
    version: Option<&'r str>,
    language: Option<&'r str>,
    conversions: Vec<Conversion>,
    judged: usize,
    minimum: usize,
    verdicts: BTreeMap<Verdict, usize>,
    exit: u8,
    error: Option<&'r str>,
    remarks: &'r [String],
}

#[derive(Serialize)]
struct Conversion {
    from: &'static str,
    to: &'static str,
}

/// The whole run as pretty JSON with its newline.
pub fn render(summary: &Summary<'_>) -> String {
    let mut verdicts = BTreeMap::new();
    for run in summary.runs {
        for (verdict, count) in run.counts() {
            *verdicts.entry(verdict).or_insert(0) += count;
        }
    }
    let document = Document {
        wirecanon: 1,
        summary: Totals {
            cases: summary.cases,
            runs: summary.runs.iter().map(|run| run.results.len()).sum(),
            seconds: (summary.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            verdicts,
            findings: summary.runs.iter().map(|run| run.findings().count()).sum(),
            partial: summary.partial,
            void: summary.void,
        },
        testees: summary.runs.iter().map(testee).collect(),
        results: summary.runs.iter().flat_map(|run| &run.results).collect(),
    };
    // Keys are strings or unit variants, so nothing here can fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn testee(run: &TesteeRun) -> Testee<'_> {
    let hello = run.hello.as_ref().ok();
    Testee {
        name: run.name(),
        argument: &run.argument,
        version: hello.and_then(|hello| hello.version.as_deref()),
        language: hello.and_then(|hello| hello.language.as_deref()),
        conversions: hello
            .map(|hello| {
                let pairs = hello.conversions.iter();
                pairs.map(|(from, to)| Conversion { from: from.name(), to: to.name() }).collect()
            })
            .unwrap_or_default(),
        judged: run.judged,
        minimum: run.minimum,
        verdicts: run.counts(),
        exit: run.exit() as u8,
        error: run.hello.as_ref().err().map(|error| error.message.as_str()),
        remarks: &run.remarks,
    }
}
