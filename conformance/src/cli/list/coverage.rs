//! `wirecanon list coverage`: what the corpus proves, and what it does not.

use std::io::Write;

use serde_json::Value;
use wirecanon_cases::coverage::{self, Kind, Row};
use wirecanon_judge::exit::Stop;
use wirecanon_report::human::{BAD, BOLD, FAINT};

use super::super::launch::built_in;
use super::objects;

fn rows() -> Result<Vec<Row>, Stop> {
    let cases = built_in()?;
    let decisions =
        coverage::decisions(&cases).map_err(|why| Stop::incomplete(format!("the corpus is broken: {why}")))?;
    Ok(coverage::of(&cases, &decisions))
}

/// One object a rule, class, decision and text.
pub(super) fn items() -> Result<Vec<Value>, Stop> {
    objects(&rows()?)
}

/// The same in words.
pub(super) fn write(out: &mut impl Write) -> Result<(), Stop> {
    let rows = rows()?;
    for (kind, heading) in
        [(Kind::Rule, "Rules"), (Kind::Class, "Classes"), (Kind::Decision, "Decisions"), (Kind::Text, "Texts")]
    {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.kind == kind).collect();
        let width = rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(0).min(40);
        writeln!(out, "{BOLD}{heading}{BOLD:#}")?;
        for row in rows {
            let about = match kind {
                Kind::Rule => format!(
                    "{} cases; reported in {}, judged in {}",
                    row.cases.len(),
                    row.fired.as_ref().map_or(0, Vec::len),
                    row.judged.as_ref().map_or(0, Vec::len)
                ),
                Kind::Class => row.title.clone(),
                Kind::Decision => format!("{} cases; {}", row.cases.len(), row.title),
                Kind::Text => format!("{} cases", row.cases.len()),
            };
            write!(out, "  {:width$}  {about}", row.id)?;
            match &row.reason {
                Some(reason) if row.cases.is_empty() => write!(out, "\n    {FAINT}{reason}{FAINT:#}")?,
                _ if row.is_bare() => write!(out, "  {BAD}no case{BAD:#}")?,
                _ => {}
            }
            writeln!(out)?;
        }
        writeln!(out)?;
    }
    let count = |kind: Kind| rows.iter().filter(|row| row.kind == kind).count();
    let bare = rows.iter().filter(|row| row.is_bare()).count();
    writeln!(
        out,
        "{} rules, {} classes, {} decisions, {} texts; {bare} without a case or a reason",
        count(Kind::Rule),
        count(Kind::Class),
        count(Kind::Decision),
        count(Kind::Text)
    )?;
    Ok(())
}
