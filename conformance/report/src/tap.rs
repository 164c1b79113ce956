//! The run as TAP 14: a point for each testee and case.

use std::io::{self, Write};

use wirecanon_judge::plain::shorten;
use wirecanon_judge::reason;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::log::Log;

use super::markdown::by_case;

/// Writes the whole run.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let points: usize = log.runs.iter().map(|run| 1 + by_case(run.results.iter()).len()).sum();
    writeln!(out, "TAP version 14\n1..{points}")?;
    let mut number = 0;
    for run in &log.runs {
        number += 1;
        let name = word(run.name());
        match &run.hello {
            Err(error) => {
                writeln!(out, "not ok {number} - {name}: starts\n  ---\n  message: {}\n  ...", quoted(&error.message))?;
            }
            Ok(_) if run.too_little().is_some() => {
                writeln!(out, "not ok {number} - {name}: too little was judged")?;
            }
            Ok(_) => writeln!(out, "ok {number} - {name}: starts")?,
        }
        for (case, results) in by_case(run.results.iter()) {
            number += 1;
            let failing = results.iter().filter(|result| !result.judgement.ok);
            let worst = failing.max_by_key(|result| result.judgement.verdict);
            match worst {
                Some(worst) => {
                    let todo = if worst.scored { "" } else { " # TODO not of the suite" };
                    writeln!(out, "not ok {number} - {name}: {}{todo}\n  ---", word(case))?;
                    writeln!(out, "  verdict: {}", worst.judgement.verdict.name())?;
                    writeln!(out, "  to: {}", quoted(&worst.to))?;
                    let because: Vec<_> = reason::of(&worst.judgement).iter().map(|text| quoted(text)).collect();
                    writeln!(out, "  because: [{}]\n  ...", because.join(", "))?;
                }
                None if results.iter().all(|result| result.judgement.verdict == Verdict::Unsupported) => {
                    writeln!(out, "ok {number} - {name}: {} # SKIP unsupported", word(case))?;
                }
                None => writeln!(out, "ok {number} - {name}: {}", word(case))?,
            }
        }
    }
    if let Some(void) = &log.start.void {
        writeln!(out, "Bail out! void: {}", word(void))?;
    } else if !log.complete {
        writeln!(out, "Bail out! the run was cut short")?;
    }
    Ok(())
}

/// A name on a line where `#` begins a directive.
fn word(text: &str) -> String {
    shorten(text, 120).replace('\\', "\\\\").replace('#', "\\#")
}

/// A scalar of YAML: a JSON string is one.
fn quoted(text: &str) -> String {
    serde_json::Value::from(shorten(text, 400)).to_string()
}
