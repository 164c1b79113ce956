//! `wirecanon gen`: messages from a schema or in a dialect, valid or broken in a known way.

mod outcome;
mod sink;
pub(super) mod source;

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::{Value, json};
use wirecanon_generate::{Dialect, defect};
use wirecanon_judge::exit::{Exit, Stop};

use sink::Sink;
use source::Source;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/generate.txt").trim_ascii_end())]
#[command(group(clap::ArgGroup::new("what").required(true).args(["dialect", "schema"])))]
pub(super) struct Args {
    /// Transcripts in this dialect; `mcp.tool-result@2025-06-18` is one revision of it
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<String>,
    /// Instances of the JSON Schema in this file; `-` is stdin; or of one that `wirecanon schema` names
    #[arg(long, value_name = "FILE")]
    schema: Option<String>,
    /// Break each in this way; may be given again, and all are done to each. `any` draws at least one
    #[arg(long, value_name = "ID", conflicts_with = "schema")]
    defect: Vec<String>,
    /// Write beside each what is known of its outcome: with `jsonl` as one object a line, with `dir` as a file of its own
    #[arg(long, conflicts_with = "schema")]
    with_outcome: bool,
    /// Which of all possible runs
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1)]
    count: u64,
    /// Leave out so many at the front
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
    /// Bytes that one is drawn from at most: fewer make smaller ones
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_bytes: usize,
    /// How they are written
    #[arg(long, value_enum, default_value_t)]
    format: Form,
    /// Where: a folder for `dir`; a file for `jsonl`, which else is written to stdout
    #[arg(long, value_name = "PATH", required_if_eq("format", "dir"))]
    out: Option<PathBuf>,
}

/// How what is made is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One a line
    #[default]
    Jsonl,
    /// One a file, byte for byte
    Dir,
}

/// The ways to break a transcript, as `wirecanon list` writes them.
pub(super) fn defects() -> Vec<Value> {
    let listed = defect::all().iter().map(|defect| {
        let dialects = Dialect::ALL.into_iter().filter(|dialect| defect.applies_to(*dialect));
        let dialects: Vec<_> = dialects.map(Dialect::name).collect();
        json!({"id": defect.id, "title": defect.summary, "class": defect.class,
            "effect": defect.effect.to_string(), "rules": defect.rules, "dialects": dialects})
    });
    listed.collect()
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let source = Source::of(args)?;
    let mut sink = Sink::open(args)?;
    for index in args.skip..args.skip.saturating_add(args.count) {
        sink.put(index, &source.made(index)?)?;
    }
    sink.finish()?;
    Ok(Exit::Holds)
}
