//! `wirecanon explain`: what a rule means.

use std::io::Write;

use wirecanon_cases::near::unknown;
use wirecanon_core::rule;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::human::{BOLD, FAINT};
use wirecanon_report::laid_out::laid_out;
use wirecanon_session::{self as session, FlawRule};

use super::listener;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/explain.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Id of the rule, as reports and `wirecanon list rules` have it
    rule: String,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let mut out = listener::stdout();
    if let Some(FlawRule { id, statement, fails, sources, .. }) = session::rule_by_id(&args.rule) {
        let holds = format!("session files; {}", if *fails { "a fault" } else { "a note" });
        head(&mut out, [id, statement, session::CLASS, &holds], sources.iter().copied())?;
        writeln!(out, "\n  {FAINT}no example: it is about lines of a file, not about a transcript{FAINT:#}")?;
        return Ok(Exit::Holds);
    }
    let Some(rule) = rule::by_id(&args.rule) else {
        let known = rule::all().map(|rule| rule.id).chain(session::RULES.iter().map(|rule| rule.id));
        return Err(Stop::usage(unknown("rule", &args.rule, known, "see `wirecanon list rules`")));
    };
    let holds = if rule.holds.is_empty() { "every dialect and target".to_owned() } else { rule.holds.join(", ") };
    head(&mut out, [rule.id, rule.statement, rule.class.slug(), &holds], rule.citations())?;
    column(&mut out, "servers", rule.errors())?;
    match &rule.example {
        Ok(example) => {
            writeln!(out, "\n  {FAINT}broken, {}{FAINT:#}", example.from)?;
            indented(&mut out, &laid_out(&example.broken_text()))?;
            writeln!(out, "\n  {FAINT}mended, for {}{FAINT:#}", example.to)?;
            indented(&mut out, &laid_out(example.mended))?;
        }
        Err(why) => writeln!(out, "\n  {FAINT}no example: {why}{FAINT:#}")?,
    }
    Ok(Exit::Holds)
}

/// What is said of every rule.
fn head<'t>(
    out: &mut dyn Write,
    [id, statement, class, holds]: [&str; 4],
    sources: impl Iterator<Item = &'t str>,
) -> std::io::Result<()> {
    writeln!(out, "{BOLD}{id}{BOLD:#}\n  {statement}\n\n  class    {class}\n  holds    {holds}")?;
    column(out, "sources", sources)
}

/// Texts below one another, behind their name.
fn column<'t>(out: &mut dyn Write, name: &str, texts: impl Iterator<Item = &'t str>) -> std::io::Result<()> {
    texts.enumerate().try_for_each(|(at, text)| writeln!(out, "  {:7}  {text}", if at == 0 { name } else { "" }))
}

fn indented(out: &mut dyn Write, text: &str) -> std::io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "    {line}"))
}
