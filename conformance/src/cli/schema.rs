//! `wirecanon schema`: the JSON Schemas.

use std::io::Write;

use wirecanon_cases::near::{asked, near};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::human::BOLD;
use wirecanon_schemas::catalogue;

use super::listener;

/// Reports by the command that writes them.
const ALIASES: [(&str, &str); 5] = [
    ("report/test", "wirecanon/test"),
    ("report/log", "wirecanon/log"),
    ("report/check", "wirecanon/check"),
    ("report/fix", "wirecanon/report"),
    ("report/fuzz", "wirecanon/fuzz"),
];

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/schema.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Name of the schema; left out, all names are listed
    #[arg(value_name = "SCHEMA")]
    name: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let mut out = listener::stdout();
    match &args.name {
        Some(name) => {
            // The formats of this project go by their second name alone too.
            let own = || catalogue::by_id(&format!("wirecanon/{name}"));
            let report = || ALIASES.iter().find(|(alias, _)| alias == name).and_then(|(_, id)| catalogue::by_id(id));
            let schema = catalogue::by_id(name).or_else(own).or_else(report).ok_or_else(|| unknown(name))?;
            out.write_all(schema.text.as_bytes())?;
        }
        None => {
            let width = catalogue::ALL.iter().map(|schema| schema.id.len()).max().unwrap_or(0);
            for schema in catalogue::ALL {
                writeln!(out, "{BOLD}{:width$}{BOLD:#}  {}", schema.id, schema.title)?;
            }
        }
    }
    Ok(Exit::Holds)
}

fn unknown(name: &str) -> Stop {
    let ids = catalogue::ALL.iter().map(|schema| schema.id);
    // A dialect's name is what people have at hand.
    let of_dialect: Vec<_> = catalogue::of_dialect(name).map(|schema| schema.id).collect();
    let near = if of_dialect.is_empty() { near(name, ids.clone()) } else { of_dialect };
    let hint = asked(&near).map_or_else(String::new, |hint| hint + " ");
    Stop::usage(format!("no schema is called `{name}`; {hint}there are: {}", ids.collect::<Vec<_>>().join(", ")))
}
