//! The run as one JSON object. It grows only by adding fields.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::log::Log;
use wirecanon_runner::run::{Measured, RunResult, TesteeRun};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    verdicts: BTreeMap<Verdict, usize>,
    findings: usize,
    flaky: usize,
    complete: bool,
    partial: bool,
    corpus: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'r str>,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Measured>,
}

#[derive(Serialize)]
struct Conversion {
    from: &'static str,
    to: &'static str,
}

/// Writes the whole run as pretty JSON.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let results = || log.runs.iter().flat_map(|run| &run.results);
    let document = Document {
        wirecanon: 1,
        summary: Totals {
            cases: log.cases.len(),
            runs: results().count(),
            seconds: log.elapsed.map(|elapsed| (elapsed.as_secs_f64() * 1000.0).round() / 1000.0),
            verdicts: log.verdicts(),
            findings: log.runs.iter().map(|run| run.findings().count()).sum(),
            flaky: results().filter(|result| !result.flaky.is_empty()).count(),
            complete: log.complete,
            partial: log.is_partial(),
            corpus: &log.start.corpus,
            suite: log.start.suite.as_deref(),
            seed: log.start.seed,
            shard: log.start.shard.map(|shard| shard.to_string()),
            void: log.start.void.as_deref(),
        },
        testees: log.runs.iter().map(testee).collect(),
        results: results().collect(),
    };
    pretty(out, &document)
}

/// Writes JSON for people and programs, with a line break at its end.
pub(super) fn pretty(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    out.write_all(b"\n")
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
        measured: run.measured,
    }
}
