//! The run as workflow commands of GitHub Actions: one annotation a case that failed.

use std::io::{self, Write};

use wirecanon_judge::plain::shorten;
use wirecanon_judge::reason;
use wirecanon_runner::log::Log;

use super::markdown::by_case;

/// GitHub shows no more annotations of one step; the rest would be lost without a word.
const SHOWN: usize = 9;

/// Writes the whole run.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    for (kind, why) in log.faults() {
        annotate(out, "error", &format!("wirecanon: {kind}"), why)?;
    }
    for run in &log.runs {
        if let Err(error) = &run.hello {
            annotate(out, "error", &format!("{}: not run", run.name()), &error.message)?;
            continue;
        }
        if let Some(why) = run.too_little() {
            annotate(out, "error", &format!("{}: too little", run.name()), &why)?;
        }
        let cases = by_case(run.findings());
        for (case, results) in cases.iter().take(SHOWN) {
            let Some(worst) = results.iter().max_by_key(|result| result.judgement.verdict) else { continue };
            let kind = if worst.scored { "error" } else { "notice" };
            let title = format!("{}: {case}: {}", run.name(), worst.judgement.verdict.name());
            let because = reason::told(&worst.judgement).join("; ");
            let way = format!("{} → {}", worst.from.name(), worst.to);
            annotate(out, kind, &title, &format!("{}\n{way}: {because}", worst.title))?;
        }
        if cases.len() > SHOWN {
            let more = format!("and {} more cases: see the log", cases.len() - SHOWN);
            annotate(out, "error", run.name(), &more)?;
        }
    }
    Ok(())
}

/// One annotation. What a testee had a hand in cannot end the command, nor begin another.
fn annotate(out: &mut dyn Write, kind: &str, title: &str, message: &str) -> io::Result<()> {
    writeln!(out, "::{kind} title={}::{}", property(title), data(message))
}

/// Writes an annotation of this kind at a location in a file.
pub(super) fn annotate_file(
    out: &mut dyn Write,
    kind: &str,
    file: &str,
    (line, column): (usize, usize),
    title: &str,
    message: &str,
) -> io::Result<()> {
    let (file, title) = (property(file), property(title));
    writeln!(out, "::{kind} file={file},line={line},col={column},title={title}::{}", data(message))
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(&shorten(text, 200)).replace(':', "%3A").replace(',', "%2C")
}

fn data(message: &str) -> String {
    let lines: Vec<_> = message.lines().map(|line| shorten(line, 400)).collect();
    escaped(&lines.join("\n"))
}
