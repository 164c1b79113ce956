//! What changed between two runs, for a terminal.

use std::io::{self, Write};

use wirecanon_judge::exit::Exit;
use wirecanon_judge::plain::plain;
use wirecanon_judge::reason;
use wirecanon_runner::change::{Bucket, Change, Comparison};
use wirecanon_runner::expectation::hold::targets;
use wirecanon_runner::run::RunResult;

use super::human::{BAD, BOLD, FAINT, GOOD, ODD, more};

/// Changes of each bucket that are shown.
const SHOWN: usize = 20;

/// Writes what changed.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, comparison: &Comparison<'_>) -> io::Result<()> {
    for bucket in Bucket::ALL {
        let changes: Vec<_> = comparison.changes.iter().filter(|change| change.bucket == bucket).collect();
        if changes.is_empty() {
            continue;
        }
        let results: usize = changes.iter().map(|change| change.results()).sum();
        writeln!(out, "{BOLD}{}{BOLD:#} ({results})", bucket.name())?;
        for change in changes.iter().take(SHOWN) {
            one(out, change)?;
        }
        more(out, "  ", changes.len(), SHOWN, "")?;
    }
    let blocking = comparison.changes.iter().filter(|change| change.blocks);
    let blocking: usize = blocking.map(Change::results).sum();
    let compared = comparison.compared;
    match comparison.exit {
        Exit::Holds => writeln!(out, "{GOOD}nothing blocks{GOOD:#}: {compared} results were compared"),
        Exit::Findings => writeln!(out, "{BAD}{blocking} results block{BAD:#}: {compared} were compared"),
        Exit::TooLittle => writeln!(out, "{BAD}too little{BAD:#}: {compared} results were compared"),
        _ => writeln!(out, "{BAD}incomplete{BAD:#}: the newer run did not go well; {compared} results were compared"),
    }
}

fn one(out: &mut dyn Write, change: &Change<'_>) -> io::Result<()> {
    let Some(result) = change.result() else { return Ok(()) };
    let style = if change.blocks { BAD } else { ODD };
    let results = if change.after.is_empty() { &change.before } else { &change.after };
    let way = format!("{} → {}", result.from.name(), targets(results));
    writeln!(out, "  {style}{}{style:#}  {FAINT}{}{FAINT:#}  {way}", result.case, change.testee)?;
    let say = |result: Option<&&RunResult>| match result {
        None => "not judged".to_owned(),
        Some(result) => {
            let flaky = if result.flaky.is_empty() { "" } else { ", flaky" };
            let because = reason::told(&result.judgement).join("; ");
            let colon = if because.is_empty() { "" } else { ": " };
            format!("{}{flaky}{colon}{}", result.judgement.verdict.name(), plain(&because))
        }
    };
    writeln!(out, "    was {}", say(change.before.first()))?;
    writeln!(out, "    is  {}", say(change.after.first()))
}
