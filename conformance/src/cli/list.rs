//! `wirecanon list`: what there is.

use std::io::Write;

use clap::ValueEnum;
use serde_json::{Value, json};
use wirecanon_core::{Dialect, Target, rule};

use super::Format;
use crate::exit::{Exit, Stop};
use crate::report::human::{BOLD, FAINT};
use crate::verdict::Verdict;
use crate::{canary, conversion, corpus};

const EXAMPLES: &str = "\
Examples:
  wirecanon list rules
  wirecanon list conversions --format json     an array of objects with `id`";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// What to list
    #[arg(value_enum)]
    what: What,
    /// How to write it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// What must hold
    Rules,
    /// The corpus
    Cases,
    /// How systems spell a transcript
    Dialects,
    /// Dialects with one server's limits
    Targets,
    /// What can be written from what
    Conversions,
    /// Testees that are built in
    Testees,
    /// What can be said about an answer
    Verdicts,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let items = items(args.what)?;
    let mut out = anstream::stdout();
    match args.format {
        Format::Json => {
            let text =
                serde_json::to_string_pretty(&items).map_err(|error| Stop::new(Exit::Incomplete, error.to_string()))?;
            writeln!(out, "{text}")?;
        }
        Format::Human => {
            let width = items.iter().filter_map(|item| item["id"].as_str()).map(str::len).max().unwrap_or(0).min(48);
            for item in &items {
                let id = item["id"].as_str().unwrap_or_default();
                let text = item["title"].as_str().unwrap_or_default();
                match item["class"].as_str() {
                    Some(class) => {
                        writeln!(out, "{BOLD}{id:width$}{BOLD:#}  {FAINT}{class}{FAINT:#}\n{:4}{text}", "")?;
                    }
                    None => writeln!(out, "{BOLD}{id:width$}{BOLD:#}  {text}")?,
                }
            }
        }
    }
    out.flush()?;
    Ok(Exit::Holds)
}

fn items(what: What) -> Result<Vec<Value>, Stop> {
    Ok(match what {
        What::Rules => rule::all()
            .map(|rule| {
                json!({"id": rule.id, "title": rule.statement, "class": rule.class.slug(), "sources": rule.sources,
                    "holds": rule.holds})
            })
            .collect(),
        What::Cases => corpus::load()
            .map_err(|error| Stop::new(Exit::Incomplete, format!("the corpus is broken: {error}")))?
            .iter()
            .map(|case| {
                json!({"id": case.id, "title": case.title, "class": case.class, "from": case.from.name(),
                    "source": case.source, "tags": case.tags, "since": case.since})
            })
            .collect(),
        What::Dialects => Dialect::ALL
            .into_iter()
            .map(|dialect| json!({"id": dialect.name(), "title": Target::of_dialect(dialect).title}))
            .collect(),
        What::Targets => Target::all()
            .iter()
            .map(|target| {
                json!({"id": target.name, "title": target.title, "dialect": target.dialect.name(),
                    "sources": target.sources, "switches": target.all_switches()})
            })
            .collect(),
        What::Conversions => conversion::all()
            .map(|(from, target)| {
                json!({"id": format!("{}:{}", from.name(), target.name), "title": target.title,
                    "from": from.name(), "to": target.name, "dialect": target.dialect.name()})
            })
            .collect(),
        What::Testees => {
            let reference = json!({"id": "reference", "title": "The reference canonicalizer, in this process.",
                "kind": "reference"});
            let fakes = canary::Canary::ALL.into_iter().map(|canary| {
                json!({"id": canary.name(), "title": "A fake testee that every run must find wrong.", "kind": "canary"})
            });
            std::iter::once(reference).chain(fakes).collect()
        }
        What::Verdicts => {
            Verdict::ALL.into_iter().map(|verdict| json!({"id": verdict.name(), "title": verdict.meaning()})).collect()
        }
    })
}
