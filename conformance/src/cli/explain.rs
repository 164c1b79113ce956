//! `wirecanon explain`: what a rule means.

use std::io::Write;

use wirecanon_cases::near::hint;
use wirecanon_core::rule;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::human::{BOLD, FAINT};
use wirecanon_report::laid_out::laid_out;
use wirecanon_session::{self as session, FlawRule};

use super::listener;

const EXAMPLES: &str = include_str!("help/explain.txt").trim_ascii_end();

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Id of the rule, as reports and `wirecanon list rules` have it
    rule: String,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    if let Some(rule) = session::rule_by_id(&args.rule) {
        return of_files(rule);
    }
    let Some(rule) = rule::by_id(&args.rule) else {
        let known = rule::all().map(|rule| rule.id).chain(session::RULES.iter().map(|rule| rule.id));
        let hint = hint(&args.rule, known);
        let hint = hint.unwrap_or_else(|| "see `wirecanon list rules`".to_owned());
        return Err(Stop::usage(format!("no rule is called `{}`; {hint}", args.rule)));
    };
    let mut out = listener::stdout();
    writeln!(out, "{BOLD}{}{BOLD:#}", rule.id)?;
    writeln!(out, "  {}", rule.statement)?;
    writeln!(out)?;
    writeln!(out, "  class    {}", rule.class.slug())?;
    let holds = if rule.holds.is_empty() { "every dialect and target".to_owned() } else { rule.holds.join(", ") };
    writeln!(out, "  holds    {holds}")?;
    column(&mut out, "sources", rule.citations())?;
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
    out.flush()?;
    Ok(Exit::Holds)
}

/// Explains a rule of session files, which no transcript keeps or breaks.
fn of_files(rule: &FlawRule) -> Result<Exit, Stop> {
    let mut out = listener::stdout();
    writeln!(out, "{BOLD}{}{BOLD:#}\n  {}\n", rule.id, rule.statement)?;
    writeln!(out, "  class    {}", session::CLASS)?;
    writeln!(out, "  holds    session files; {}", if rule.fails { "a fault" } else { "a note" })?;
    column(&mut out, "sources", rule.sources.iter().copied())?;
    writeln!(out, "\n  {FAINT}no example: it is about lines of a file, not about a transcript{FAINT:#}")?;
    out.flush()?;
    Ok(Exit::Holds)
}

/// Texts below one another, behind their name.
fn column<'t>(out: &mut dyn Write, name: &str, texts: impl Iterator<Item = &'t str>) -> std::io::Result<()> {
    texts.enumerate().try_for_each(|(at, text)| writeln!(out, "  {:7}  {text}", if at == 0 { name } else { "" }))
}

fn indented(out: &mut dyn Write, text: &str) -> std::io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "    {line}"))
}
