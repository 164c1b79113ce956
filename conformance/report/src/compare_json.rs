//! What changed between two runs, as one JSON object for programs: `wirecanon schema compare`. It grows only by adding fields.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use wirecanon_judge::reason;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::change::{Bucket, Change, Comparison};
use wirecanon_runner::run::RunResult;

use super::gate_json::kebab;
use super::json;

#[derive(Serialize)]
struct Document<'c> {
    wirecanon: u64,
    exit: u8,
    base: &'c str,
    head: &'c str,
    compared: usize,
    blocking: usize,
    buckets: BTreeMap<String, usize>,
    changes: Vec<Changed<'c>>,
}

#[derive(Serialize)]
struct Changed<'c> {
    bucket: String,
    blocks: bool,
    testee: &'c str,
    case: &'c str,
    title: &'c str,
    from: &'static str,
    to: Vec<&'c str>,
    before: Option<Said<'c>>,
    after: Option<Said<'c>>,
}

#[derive(Serialize)]
struct Said<'c> {
    verdict: Verdict,
    because: Vec<String>,
    #[serde(skip_serializing_if = "<[Verdict]>::is_empty")]
    flaky: &'c [Verdict],
}

/// Writes what changed between the logs of these names.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, base: &str, head: &str, comparison: &Comparison<'_>) -> io::Result<()> {
    let mut buckets: BTreeMap<String, usize> = Bucket::ALL.iter().map(|bucket| (kebab(bucket.name()), 0)).collect();
    let mut blocking = 0;
    for change in &comparison.changes {
        *buckets.entry(kebab(change.bucket.name())).or_insert(0) += results(change).len();
        if change.blocks {
            blocking += results(change).len();
        }
    }
    let document = Document {
        wirecanon: 1,
        exit: comparison.exit as u8,
        base,
        head,
        compared: comparison.compared,
        blocking,
        buckets,
        changes: comparison.changes.iter().filter_map(changed).collect(),
    };
    json::pretty(out, &document)
}

/// The results that a change is about, as they are now, or were.
fn results<'c>(change: &'c Change<'_>) -> &'c [&'c RunResult] {
    if change.after.is_empty() { &change.before } else { &change.after }
}

fn changed<'c>(change: &'c Change<'_>) -> Option<Changed<'c>> {
    let result = change.result()?;
    let mut to: Vec<&str> = results(change).iter().map(|result| result.to.as_str()).collect();
    to.dedup();
    let said = |result: &&'c RunResult| Said {
        verdict: result.judgement.verdict,
        because: reason::of(&result.judgement),
        flaky: &result.flaky,
    };
    Some(Changed {
        bucket: kebab(change.bucket.name()),
        blocks: change.blocks,
        testee: change.testee,
        case: &result.case,
        title: &result.title,
        from: result.from.name(),
        to,
        before: change.before.first().map(said),
        after: change.after.first().map(said),
    })
}
