//! `wirecanon list`: what there is.

mod cases;
mod coverage;
mod testees;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};
use wirecanon_cases::{conversion, lint, losses, not_expressible, suite};
use wirecanon_core::{Dialect, Target, rule};
use wirecanon_judge::case::TAGS;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::verdict::Verdict;
use wirecanon_report::human::{BOLD, FAINT};
use wirecanon_runner::{canary, cheat};
use wirecanon_schemas::catalogue;
use wirecanon_session as session;

#[cfg(feature = "generate")]
use super::generate;
use super::listener;
use super::{Format, launch, revision};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/list.txt").trim_ascii_end())]
pub(super) struct Args {
    /// What to list
    #[arg(value_enum)]
    what: What,
    /// Only losses of what this dialect says; left out, of what a canonical transcript says
    #[arg(long, value_name = "DIALECT")]
    from: Option<String>,
    /// Only losses on the way to this dialect or target
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,
    /// With every run that a case makes
    #[arg(long)]
    expand: bool,
    /// Write the corpus as a package of plain JSON: into a folder, or as one archive if the name ends in `.tar.gz`
    #[arg(long, value_name = "DIR", conflicts_with = "expand")]
    export: Option<PathBuf>,
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
    /// What the corpus proves: rules, classes, decisions and texts of SPEC.md, each with its cases
    Coverage,
    /// Public reports that no case can express, each with the reason
    NotExpressible,
    /// How systems spell a transcript
    Dialects,
    /// Dialects with one server's limits
    Targets,
    /// What can be written from what
    Conversions,
    /// What becomes of what, between two dialects
    Losses,
    /// Testees that are built in, and adapters of published packages that `wirecanon testee add` installs
    Testees,
    /// What can be said about an answer
    Verdicts,
    /// JSON Schemas of messages, and of what this program writes
    Schemas,
    /// Frozen sets of cases
    Suites,
    /// Words that cases are selected by
    Tags,
    /// What the linter of cases asks for
    Lints,
    /// Ways to break a transcript, for `wirecanon gen`
    #[cfg(feature = "generate")]
    Defects,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    if args.what != What::Losses && (args.from.is_some() || args.to.is_some()) {
        return Err(Stop::usage("`--from` and `--to` are for `wirecanon list losses`"));
    }
    if args.what != What::Cases && (args.expand || args.export.is_some()) {
        return Err(Stop::usage("`--expand` and `--export` are for `wirecanon list cases`"));
    }
    let mut out = listener::stdout();
    match (args.what, &args.export, args.format) {
        (_, Some(path), _) => cases::export(path, &mut out)?,
        (What::Cases, None, Format::Human) if args.expand => cases::write_expanded(&mut out)?,
        (What::Coverage, None, Format::Human) => coverage::write(&mut out)?,
        (_, None, format) => write(&items(args)?, format, &mut out)?,
    }
    Ok(Exit::Holds)
}

fn write(items: &[Value], format: Format, out: &mut impl Write) -> Result<(), Stop> {
    match format {
        Format::Json => {
            writeln!(out, "{}", serde_json::to_string_pretty(items).map_err(Stop::incomplete)?)?;
        }
        Format::Human => {
            let width = items.iter().filter_map(|item| item["id"].as_str()).map(str::len).max().unwrap_or(0).min(48);
            for item in items {
                let id = item["id"].as_str().unwrap_or_default();
                let text = item["title"].as_str().unwrap_or_default();
                let text = match &item["retired"]["reason"] {
                    Value::String(reason) => format!("{text} Retired: {reason}"),
                    _ => text.to_owned(),
                };
                match item["class"].as_str().or(item["part"].as_str()) {
                    Some(class) => {
                        writeln!(out, "{BOLD}{id:width$}{BOLD:#}  {FAINT}{class}{FAINT:#}\n{:4}{text}", "")?;
                    }
                    None => writeln!(out, "{BOLD}{id:width$}{BOLD:#}  {text}")?,
                }
            }
        }
    }
    Ok(())
}

fn items(args: &Args) -> Result<Vec<Value>, Stop> {
    Ok(match args.what {
        What::Rules => rule::all()
            .map(|rule| {
                json!({"id": rule.id, "title": rule.statement, "class": rule.class.slug(),
                    "citations": rule.citations().collect::<Vec<_>>(), "errors": rule.errors().collect::<Vec<_>>(),
                    "holds": rule.holds, "dialects": dialects_of(rule)})
            })
            .chain(session::RULES.iter().map(|rule| {
                let dialects: Vec<_> = session::dialects().map(Dialect::name).collect();
                json!({"id": rule.id, "title": rule.statement, "class": session::CLASS, "citations": rule.sources,
                    "errors": [], "holds": dialects, "dialects": dialects})
            }))
            .collect(),
        What::Cases => cases::items(args)?,
        What::Coverage => coverage::items()?,
        What::NotExpressible => not_expressible::load(&launch::built_in()?)
            .map_err(|error| Stop::incomplete(format!("the corpus is broken: {error}")))?
            .iter()
            .map(|report| json!({"id": report.source, "title": report.reason, "part": report.part}))
            .collect(),
        What::Dialects => Dialect::ALL
            .into_iter()
            .map(|dialect| json!({"id": dialect.name(), "title": Target::of_dialect(dialect).title}))
            .collect(),
        What::Targets => Target::all()
            .iter()
            .map(|target| {
                json!({"id": target.name, "title": target.title, "dialect": target.dialect.name(),
                    "sources": target.sources, "switches": target.all_switches(),
                    "profiles": target.profiles, "severity": target.severity})
            })
            .collect(),
        What::Conversions => conversion::all()
            .map(|(from, target)| {
                json!({"id": format!("{}:{}", from.name(), target.name), "title": target.title,
                    "from": from.name(), "to": target.name, "dialect": target.dialect.name()})
            })
            .collect(),
        What::Losses => found_losses(args)?,
        What::Testees => {
            let reference = json!({"id": "reference", "title": "The reference canonicalizer, in this process.",
                "kind": "reference"});
            let fakes = canary::Canary::ALL.into_iter().map(|canary| {
                json!({"id": canary.name(), "title": "A fake testee that every run must find wrong.", "kind": "canary"})
            });
            let cheats = cheat::Cheat::ALL.into_iter().map(|cheat| {
                json!({"id": cheat.name(), "kind": "cheat",
                    "title": "The reference with its answers spoiled; before every run it must fail nine of ten framed probes."})
            });
            std::iter::once(reference).chain(testees::adapters()?).chain(fakes).chain(cheats).collect()
        }
        What::Schemas => catalogue::ALL
            .iter()
            .map(|schema| {
                let mut row = json!({"id": schema.id, "title": schema.title});
                for (key, value) in [("dialect", schema.dialect), ("revision", schema.revision)] {
                    if let Some(value) = value {
                        row[key] = value.into();
                    }
                }
                row
            })
            .collect(),
        What::Suites => suite::all()
            .map_err(Stop::incomplete)?
            .iter()
            .map(|suite| {
                let state = if suite.draft { "a draft of" } else { "the" };
                json!({"id": suite.suite, "title": format!("{state} {} cases, {}", suite.cases.len(), suite.digest),
                    "since": suite.since, "draft": suite.draft, "digest": suite.digest, "count": suite.cases.len()})
            })
            .collect(),
        What::Tags => TAGS.iter().map(|(tag, meaning)| json!({"id": tag, "title": meaning})).collect(),
        What::Lints => lint::LINTS
            .iter()
            .map(|lint| json!({"id": lint.id, "title": lint.title, "refuses": lint.refuses}))
            .collect(),
        #[cfg(feature = "generate")]
        What::Defects => generate::defects(),
        What::Verdicts => {
            Verdict::ALL.into_iter().map(|verdict| json!({"id": verdict.name(), "title": verdict.meaning()})).collect()
        }
    })
}

/// The dialects that a rule holds for, alone or in one of their targets: all of them where it names none.
fn dialects_of(rule: &rule::Rule) -> Vec<&'static str> {
    let named = |dialect: &Dialect| {
        let of = |name: &&str| Target::by_name(name).is_ok_and(|target| target.dialect == *dialect);
        rule.holds.is_empty() || rule.holds.iter().any(of)
    };
    Dialect::ALL.into_iter().filter(named).map(Dialect::name).collect()
}

/// What becomes of what, from one dialect to one target, or to all.
fn found_losses(args: &Args) -> Result<Vec<Value>, Stop> {
    let from = args.from.as_deref().map_or(Ok(Dialect::Canonical), revision::to_read)?;
    let to = args.to.as_deref().map(revision::to_write).transpose()?;
    let targets = Target::all().iter().filter(|target| to.is_none_or(|to| to.name == target.name));
    let answers: Vec<_> = targets.filter_map(|target| losses::answers(from, target)).flatten().collect();
    if answers.is_empty() {
        let to = to.map_or("any target", |target| target.name.as_str());
        return Err(Stop::usage(format!(
            "there is no conversion from {} to {to}; see `wirecanon list conversions`",
            from.name()
        )));
    }
    objects(&answers)
}

/// Each as JSON.
fn objects(rows: &[impl Serialize]) -> Result<Vec<Value>, Stop> {
    rows.iter().map(serde_json::to_value).collect::<Result<_, _>>().map_err(Stop::incomplete)
}
