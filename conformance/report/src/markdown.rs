//! The run as Markdown: a table of testees, a matrix of classes, and the cases that failed.

use std::collections::BTreeMap;
use std::io::{self, Write};

use wirecanon_judge::plain::shorten;
use wirecanon_judge::reason;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::log::Log;
use wirecanon_runner::run::{RunResult, TesteeRun};

/// Cases that are listed for each testee.
const SHOWN: usize = 200;

/// Writes the whole run.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let suite = log.start.suite.as_ref().map_or(String::new(), |suite| format!(", suite {suite}"));
    let partial = log.why_partial().map_or(String::new(), |why| format!(" **Partial: {why}.**"));
    let runs: usize = log.runs.iter().map(|run| run.results.len()).sum();
    writeln!(out, "## wirecanon {}\n", log.start.version)?;
    writeln!(out, "{} cases, {runs} runs{suite}.{partial}\n", log.cases.len())?;
    faults(out, log)?;
    testees(out, log)?;
    matrix(out, log)?;
    allowed(out, log)?;
    log.runs.iter().try_for_each(|run| failing(out, run))
}

/// Why a run does not count.
pub(super) fn faults(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    if let Some(void) = &log.start.void {
        writeln!(out, "**Void: {}**\n", text(void))?;
    }
    if log.complete { Ok(()) } else { writeln!(out, "**Incomplete: the run was cut short.**\n") }
}

fn testees(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let used: Vec<Verdict> = log.verdicts().into_keys().collect();
    let names: Vec<_> = used.iter().map(|verdict| verdict.name()).collect();
    writeln!(out, "| testee | version | cases | {} | findings |", names.join(" | "))?;
    writeln!(out, "|---|---|--:|{}--:|", "--:|".repeat(used.len()))?;
    for run in &log.runs {
        let counts = run.counts();
        let counts: Vec<_> = used.iter().map(|verdict| counts.get(verdict).copied().unwrap_or(0).to_string()).collect();
        let version = run.hello.as_ref().ok().and_then(|hello| hello.version.as_deref()).unwrap_or("");
        let findings = match &run.hello {
            Ok(_) => run.findings().count().to_string(),
            Err(error) => format!("not run: {}", text(&shorten(&error.message, 200))),
        };
        let (name, counts) = (text(run.name()), counts.join(" | "));
        writeln!(out, "| {name} | {} | {} | {counts} | {findings} |", text(version), run.judged)?;
    }
    writeln!(out)
}

/// Of each class, how many of the cases that a testee was judged on came out as asked.
fn matrix(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let classes = log.classes();
    let mut rows: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, run) in log.runs.iter().enumerate() {
        for (case, results) in by_case(run.results.iter()) {
            let judged = results.iter().any(|result| result.judgement.verdict != Verdict::Unsupported);
            let (true, Some(class)) = (judged, classes.get(case)) else { continue };
            let row = rows.entry(class).or_insert_with(|| vec![(0, 0); log.runs.len()]);
            row[at].1 += 1;
            row[at].0 += usize::from(results.iter().all(|result| result.judgement.ok));
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = log.runs.iter().map(|run| text(run.name())).collect();
    writeln!(out, "Cases that came out as asked, of those that were judged:\n")?;
    writeln!(out, "| class | {} |", names.join(" | "))?;
    writeln!(out, "|---|{}", "--:|".repeat(names.len()))?;
    for (class, cells) in rows {
        let cells: Vec<_> = cells
            .iter()
            .map(|(good, judged)| if *judged == 0 { "–".to_owned() } else { format!("{good} of {judged}") })
            .collect();
        writeln!(out, "| {class} | {} |", cells.join(" | "))?;
    }
    writeln!(out)
}

/// The equivalences and acceptable outcomes that answers needed.
fn allowed(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    for run in &log.runs {
        let said: Vec<_> = run.allowed_by().iter().map(|(id, count)| format!("{} {count}", text(id))).collect();
        if !said.is_empty() {
            let said = said.join(", ");
            let name = text(run.name());
            writeln!(
                out,
                "Answers of {name} that are accepted in another form (parts 10 and 11 of SPEC.md): {said}.\n"
            )?;
        }
    }
    Ok(())
}

fn failing(out: &mut dyn Write, run: &TesteeRun) -> io::Result<()> {
    let cases = by_case(run.findings());
    if cases.is_empty() {
        return Ok(());
    }
    writeln!(out, "### {}\n", text(run.name()))?;
    writeln!(out, "| case | verdict | for | because |")?;
    writeln!(out, "|---|---|---|---|")?;
    for (case, results) in cases.iter().take(SHOWN) {
        let worst = results.iter().max_by_key(|result| result.judgement.verdict);
        let Some(worst) = worst else { continue };
        let targets: Vec<_> = results.iter().take(3).map(|result| result.to.as_str()).collect();
        let more = if results.len() > 3 { format!(" and {} more", results.len() - 3) } else { String::new() };
        let reasons = reason::told(&worst.judgement);
        let because = reasons.first().map_or("", String::as_str);
        let flaky = if worst.flaky.is_empty() { "" } else { ", flaky" };
        let unscored = if worst.scored { "" } else { ", unscored" };
        let verdict = worst.judgement.verdict.name();
        let targets = targets.join(", ");
        writeln!(out, "| {} | {verdict}{flaky}{unscored} | {targets}{more} | {} |", text(case), text(because))?;
    }
    if cases.len() > SHOWN {
        writeln!(out, "\nand {} more cases", cases.len() - SHOWN)?;
    }
    writeln!(out)
}

/// Results by their case, in the order of the cases.
pub(super) fn by_case<'r>(results: impl Iterator<Item = &'r RunResult>) -> Vec<(&'r str, Vec<&'r RunResult>)> {
    let mut cases: Vec<(&str, Vec<&RunResult>)> = Vec::new();
    for result in results {
        match cases.last_mut() {
            Some((case, list)) if *case == result.case => list.push(result),
            _ => cases.push((&result.case, vec![result])),
        }
    }
    cases
}

/// A text that a testee had a hand in, as text of one cell.
pub(crate) fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '#' | '~' | '!' | '@' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_text_stays_in_its_cell() {
        assert_eq!(text("a|b\n<c> `d` @e"), "a\\|b &lt;c&gt; \\`d\\` \\@e");
    }
}
