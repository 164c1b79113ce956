//! `wirecanon case shrink`: a message cut down to what a repair needs.

use std::io::Write;

use wirecanon_cases::lint::{Fired, shrink};
use wirecanon_cases::near::hint;
use wirecanon_core::{Dialect, From, Options, Target, fix, rule};
use wirecanon_judge::exit::{Exit, Stop};

use super::super::input::Input;
use super::super::listener;
use super::super::revision;
use super::taken::taken;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/case-shrink.txt").trim_ascii_end())]
pub(super) struct Args {
    /// The transcript; `-` or nothing is stdin
    #[arg(default_value = "-")]
    file: String,
    /// Its dialect; left out, it is found
    #[arg(long, value_name = "DIALECT")]
    from: Option<String>,
    /// Keep what fires on the way to this dialect or target; left out, to canonical
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,
    /// Keep only that this rule fires; may be given again. Left out, all repairs stay
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    for id in &args.rule {
        if rule::by_id(id).is_none() {
            let hint = hint(id, rule::all().map(|rule| rule.id)).map_or_else(String::new, |hint| format!("; {hint}"));
            return Err(Stop::usage(format!("no rule is called `{id}`{hint}")));
        }
    }
    let given = args.from.as_deref().map(revision::to_read).transpose()?;
    let target = match &args.to {
        Some(name) => revision::to_write(name)?,
        None => Target::of_dialect(Dialect::Canonical),
    };
    let (name, bytes) = Input::read(&args.file)?;
    let taken = taken(&name, bytes)?;
    if let Some(said) = &taken.said {
        writeln!(listener::stderr(), "{said}")?;
    }
    let bytes = taken.bytes;
    let text = std::str::from_utf8(&bytes).map_err(|error| Stop::usage(format!("{name}: {error}")))?;
    let from = match given.or(taken.dialect) {
        Some(from) => from,
        None => {
            let found = fix(&bytes, &Options { from: From::Auto, to: Some(target), ..Options::default() })
                .map_err(|error| Stop::usage(format!("{name}: {error}")))?;
            Dialect::by_name(&found.report.from).unwrap_or(Dialect::Canonical)
        }
    };
    let before = Fired::of(text, from, target);
    let wanted = |text: &str| match Fired::of(text, from, target) {
        Fired::Rules(rules) if !args.rule.is_empty() => args.rule.iter().all(|wanted| rules.contains(wanted)),
        fired => fired == before,
    };
    if !wanted(text) {
        let rules = args.rule.join("`, `");
        return Err(Stop::usage(format!(
            "{name}: `{rules}` does not fire on the way from {} to {}",
            from.name(),
            target.name
        )));
    }
    let small = shrink(text, &wanted);
    let mut out = listener::stdout();
    writeln!(out, "{}", small.trim_end())?;
    Ok(Exit::Holds)
}
