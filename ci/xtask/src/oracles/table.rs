//! The table of agreement, and the list of disagreements, for people.

use std::fmt::Write;

use super::compare::{Comparison, Counts, Opinion, SCHEMA, Unexplained};
use super::disagreement::{Disagreement, Side};
use super::feed;
use super::oracle::Oracle;
use super::written::Targets;

/// The generated part of `docs/oracles.md`.
pub(crate) fn markdown(
    found: &Comparison,
    written: &Targets,
    oracles: &[Oracle],
    without: &[String],
    entries: &[Disagreement],
) -> String {
    let mut out = String::from("## The judges\n\n| oracle | what it is | dialects |\n|---|---|---|\n");
    for oracle in oracles {
        let left_out = if without.contains(&oracle.name) { " — **left out of this run**" } else { "" };
        let _ = writeln!(out, "| `{}` | {}{left_out} | {} |", oracle.name, oracle.title, oracle.dialects.join(", "));
    }
    out.push_str("\n## What was judged\n\n| dialect | written by the reference | mutated | examples of disagreements |\n|---|---:|---:|---:|\n");
    for (dialect, Counts { written, examples, mutated, .. }) in &found.counts {
        let _ = writeln!(out, "| {dialect} | {written} | {mutated} | {examples} |");
    }
    out.push_str(
        "\n## Agreement\n\n| dialect | ours | oracle | judged | both accept | both reject | only ours accepts | only the oracle \
         accepts | written by the reference, refused |\n|---|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for ((dialect, oracle, opinion), cells) in &found.rows {
        let _ = writeln!(
            out,
            "| {dialect} | {} | {oracle} | {} | {} | {} | {} | {} | {} |",
            opinion.name(),
            cells.total(),
            cells.both_accept,
            cells.both_reject,
            cells.only_ours_accepts,
            cells.only_oracle_accepts,
            cells.written_rejected,
        );
    }
    let _ = write!(out, "\n{}", written.markdown());
    out.push_str(
        "\n## Disagreements\n\n| dialects | oracles | accepted by | seen | right | why |\n|---|---|---|---:|---|---|\n",
    );
    for entry in entries.iter().filter(|entry| entry.used.get() > 0) {
        let side = match entry.accepts {
            Side::Ours => "ours",
            Side::Oracle => "oracle",
        };
        let oracles: Vec<_> =
            entry.oracles.iter().map(|name| if name == SCHEMA { "our schema" } else { &**name }).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {side} | {} | {} | {} ({}) |",
            entry.dialects.join(", "),
            oracles.join(", "),
            entry.used.get(),
            entry.right.name(),
            cell(&entry.why),
            cell(&entry.source),
        );
    }
    out
}

/// What was said of instances of our schemas.
pub(crate) fn made(found: &Comparison) -> String {
    let mut out = String::from("| dialect | instances | oracle | judged | refused |\n|---|---:|---|---:|---:|\n");
    for ((dialect, oracle, _), cells) in &found.rows {
        let made = found.counts.get(dialect).map_or(0, |counts| counts.made);
        let _ = writeln!(out, "| {dialect} | {made} | {oracle} | {} | {} |", cells.total(), cells.only_ours_accepts);
    }
    out
}

fn cell(text: &str) -> String {
    text.trim().replace('\n', " ").replace('|', "\\|")
}

/// Unexplained disagreements, like ones together, with a few examples of each.
pub(crate) fn unexplained(all: &[Unexplained], examples: usize) -> String {
    let mut groups: Vec<(String, Vec<&Unexplained>)> = Vec::new();
    for one in all {
        let reason = one.why.split_once(['\n', ';']).map_or(&*one.why, |(first, _)| first);
        // Of what our rules say, the id is enough.
        let end = if one.accepts == Some(Side::Oracle) && one.opinion == Opinion::Rules { ' ' } else { '\n' };
        let reason = reason.split_once(end).map_or(reason, |(first, _)| first);
        let reason: String = reason.chars().filter(|c| !c.is_ascii_digit()).take(110).collect();
        let kind = one.how.split(' ').next().unwrap_or_default();
        let side = match one.accepts {
            Some(Side::Ours) => "only ours accepts",
            Some(Side::Oracle) => "only the oracle accepts",
            None => "nobody accepts",
        };
        let written = match &*one.origin {
            feed::MUTATED => format!("mutated by {kind}"),
            feed::EXAMPLE => "an example of an entry".to_owned(),
            feed::MADE => format!("made of {kind}"),
            _ => "WRITTEN BY THE REFERENCE".to_owned(),
        };
        let key = format!("{} | {} | {} | {side} | {written} | {reason}", one.dialect, one.opinion.name(), one.oracle);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(one),
            None => groups.push((key, vec![one])),
        }
    }
    groups.sort_by_key(|(_, group)| {
        ([feed::MUTATED, feed::EXAMPLE].contains(&&*group[0].origin), usize::MAX - group.len())
    });
    let mut out = String::new();
    for (key, group) in &groups {
        let _ = writeln!(out, "{} × {key}", group.len());
        for one in group.iter().take(examples) {
            let text: String = one.text.chars().take(420).collect();
            let why: String = one.why.chars().take(300).collect();
            let _ = writeln!(out, "    {} {}\n      {}\n      {text}", one.id, one.how, why.replace('\n', " / "));
        }
    }
    out
}
