//! What is said of the lines of a session file, beside its transcript: for people, and for programs.

use std::io::{self, Write};

use serde::Serialize;
use wirecanon_core::target::Level;
use wirecanon_core::{Report, Violation};
use wirecanon_judge::plain::shorten;
use wirecanon_session::Flaw;

use super::checked::{INDENT, Place, SHOWN as MOST, Source};
use super::human::{FAINT, ODD, grouped};
use super::positions::Positions;
use super::snippet::Snippet;

/// Flaws of one rule that are shown.
const SHOWN: usize = 3;

/// One thing that is said of a file.
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    rule: &'static str,
    /// Whether it is a fault, and no note
    fault: bool,
    line: usize,
    column: usize,
    pointer: &'static str,
    message: String,
}

/// What is said of a file; `redact`: in the words of the rules alone.
pub fn told(flaws: &[Flaw], text: &str, redact: bool) -> Vec<Told> {
    if flaws.is_empty() {
        return Vec::new();
    }
    let positions = Positions::new(text);
    let tell = |flaw: &Flaw| {
        let (line, column) = positions.of_byte(flaw.span.start);
        let Flaw { rule, pointer, .. } = flaw;
        Told { rule: rule.id, fault: rule.fails, line, column, pointer, message: words(flaw, redact) }
    };
    flaws.iter().map(tell).collect()
}

/// How many are faults.
pub fn faults(told: &[Told]) -> usize {
    told.iter().filter(|told| told.fault).count()
}

/// The same as `check` says it: faults with their places, and notes. Lines of the file are shown with the first.
pub fn judged(flaws: &[Flaw], source: &Source<'_>, redact: bool) -> [Vec<(Violation, Place)>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    let Some(text) = source.text.filter(|_| !flaws.is_empty()) else { return both };
    let positions = Positions::new(text);
    for flaw in flaws {
        let list = &mut both[usize::from(!flaw.rule.fails)];
        let (line, column) = positions.of_byte(flaw.span.start);
        let snippet = source.columns.filter(|_| flaw.rule.fails && list.len() < MOST);
        let snippet = snippet.map(|columns| Snippet::new(text, flaw.span.clone(), line, columns - INDENT.len()));
        let violation = Violation {
            rule: flaw.rule.id,
            severity: Level::Error,
            pointer: flaw.pointer.to_owned(),
            span: flaw.span.clone(),
            message: words(flaw, redact),
        };
        list.push((violation, Place { line, column, snippet }));
    }
    both
}

/// Writes what is said, grouped by rule; of notes nothing unless `notes`.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, told: &[Told], notes: bool) -> io::Result<()> {
    for (rule, all) in grouped(told.iter().filter(|one| notes || one.fault), |one| one.rule) {
        writeln!(out, "  {ODD}{rule}{ODD:#} ({})", all.len())?;
        for one in all.iter().take(SHOWN) {
            let pointer = if one.pointer.is_empty() { String::new() } else { format!("{}  ", one.pointer) };
            writeln!(out, "    line {}  {pointer}{}", one.line, shorten(&one.message, 160))?;
        }
        if all.len() > SHOWN {
            writeln!(out, "    {FAINT}… and {} more{FAINT:#}", all.len() - SHOWN)?;
        }
    }
    Ok(())
}

/// A report of what was changed, with what is said of the lines of its file.
#[derive(Debug, Serialize)]
pub struct Whole<'r> {
    /// What was changed
    #[serde(flatten)]
    pub report: &'r Report<'r>,
    /// What is said of the lines
    #[serde(skip_serializing_if = "<[Told]>::is_empty")]
    pub lines: &'r [Told],
}

fn words(flaw: &Flaw, redact: bool) -> String {
    if redact { flaw.rule.statement.to_owned() } else { flaw.message.clone() }
}
