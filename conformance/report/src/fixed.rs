//! What `fix` changed, for a terminal: grouped by rule, originals cut short.

use std::io::{self, Write};

use wirecanon_core::report::{Renamed, Severity};
use wirecanon_core::rule::DUPLICATE_TOOL_CALL_ID;
use wirecanon_core::{Entry, Mode, Report};
use wirecanon_judge::plain::{count, plain, shorten};

use super::flaws::{self, Told};
use super::human::{BAD, BOLD, FAINT, GOOD, ODD, grouped, more};

/// Places that are shown for each rule.
const SHOWN: usize = 3;

/// Writes the changes of one conversion, and what is said of the lines of its file.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, name: &str, mode: Mode, report: &Report, lines: &[Told]) -> io::Result<()> {
    let lost = report.losses().count();
    let said = match report.repairs.len() {
        0 => format!("{GOOD}nothing to mend{GOOD:#}"),
        changes => count(changes, "change"),
    };
    let lost = if lost == 0 { String::new() } else { format!(", {BAD}{lost} lost{BAD:#}") };
    let left = left_out(report).count();
    let left = if left == 0 { String::new() } else { format!(", {left} left out") };
    let faults = match flaws::faults(lines) {
        0 => String::new(),
        faults => format!(", {ODD}{} of its lines{ODD:#}", count(faults, "fault")),
    };
    let (name, mode) = (plain(name), mode.name());
    writeln!(out, "{BOLD}{name}{BOLD:#}: {} → {}, for {mode}: {said}{lost}{left}{faults}", report.from, report.to)?;
    flaws::write(out, lines, true)?;
    write_changes(out, report, &|_| None)
}

/// Writes the changes alone. `line` gives the line of a place, if it is known.
///
/// # Errors
///
/// Writing fails.
pub fn write_changes(out: &mut dyn Write, report: &Report, line: &dyn Fn(&str) -> Option<usize>) -> io::Result<()> {
    for (rule, entries) in grouped(report.repairs.iter().chain(left_out(report)), |entry| entry.rule) {
        writeln!(out, "  {ODD}{rule}{ODD:#} ({})", entries.len())?;
        for entry in entries.iter().take(SHOWN) {
            place(out, entry, line)?;
        }
        more(out, "    ", entries.len(), SHOWN, "")?;
    }
    for (what, list) in [("ids", &report.ids), ("names", &report.names)] {
        if list.is_empty() {
            continue;
        }
        let pairs: Vec<String> = list
            .iter()
            .take(SHOWN)
            .map(|renamed| {
                let pair = format!("{} → {}", shorten(&renamed.from, 40), shorten(&renamed.to, 40));
                if is_second(report, renamed) { format!("{pair} (the first call keeps its id)") } else { pair }
            })
            .collect();
        let more = if list.len() > SHOWN { format!(" and {} more", list.len() - SHOWN) } else { String::new() };
        writeln!(out, "  {what} rewritten: {}{more}", pairs.join(", "))?;
    }
    Ok(())
}

/// What was no fault, and has no place in the target: options of a request, fields that only one dialect knows.
fn left_out<'r, 'i>(report: &'r Report<'i>) -> impl Iterator<Item = &'r Entry<'i>> {
    report.notes.iter().filter(|note| note.lost)
}

/// Whether a call before it in the same turn keeps the id.
fn is_second(report: &Report, renamed: &Renamed) -> bool {
    let same =
        |entry: &Entry| entry.rule == DUPLICATE_TOOL_CALL_ID.id && entry.input.as_deref() == renamed.input.as_deref();
    renamed.input.is_some() && report.repairs.iter().any(same)
}

fn place(out: &mut dyn Write, entry: &Entry, line: &dyn Fn(&str) -> Option<usize>) -> io::Result<()> {
    let pointer = match entry.input.as_deref() {
        None => "(added)",
        Some("") => "(the whole)",
        Some(pointer) => pointer,
    };
    let lost =
        if entry.lost && entry.severity != Severity::Note { format!("{BAD}lost{BAD:#}: ") } else { String::new() };
    let line = entry.input.as_deref().and_then(line).map(|line| format!("line {line}  ")).unwrap_or_default();
    let pointer = plain(pointer);
    writeln!(out, "    {line}{pointer}  {lost}{}", shorten(&entry.message, 160))?;
    if let Some(original) = &entry.original {
        writeln!(out, "      {FAINT}was {}{FAINT:#}", shorten(original, 80))?;
    }
    Ok(())
}
