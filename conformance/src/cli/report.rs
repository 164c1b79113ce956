//! `wirecanon report`, `wirecanon merge` and `wirecanon compare`: what is made from the logs of runs.

use std::io::Write;
use std::path::{Path, PathBuf};

use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::outfile::OutFile;
use wirecanon_report::redacted::redacted;
use wirecanon_report::{FORMS, Form, Since, Told, by_name, changed, compare_json};
use wirecanon_runner::change::compare;
use wirecanon_runner::log::merge::merge;
use wirecanon_runner::log::{self, Log};

use super::Format;
use super::input::Input;
use super::launch::corpus_of;
use super::listener;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/report.txt").trim_ascii_end())]
pub(super) struct ReportArgs {
    /// The log that `test --log` or `merge` wrote; `-` is stdin
    log: PathBuf,
    /// In which form
    #[arg(long, value_name = "FORM", default_value = "human", value_parser = form_names())]
    to: String,
    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// The log of an earlier run: the page and the terminal are told what changed since, and what is new first
    #[arg(long, value_name = "LOG")]
    baseline: Option<PathBuf>,
    /// Where the page takes the cases from: the corpus of the run, if that is not the one that is built in
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Tell nothing that a message says: each text becomes a token of its length, and the structure stays
    #[arg(long)]
    redact: bool,
}

pub(super) fn form_names() -> clap::builder::PossibleValuesParser {
    FORMS.iter().map(|form| clap::builder::PossibleValue::new(form.name).help(form.title)).collect::<Vec<_>>().into()
}

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/merge.txt").trim_ascii_end())]
pub(super) struct MergeArgs {
    /// The logs of all shards, or of runs of different testees
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
}

pub(super) fn report(args: &ReportArgs) -> Result<Exit, Stop> {
    let form = by_name(&args.to).ok_or_else(|| Stop::usage(format!("no form is called `{}`", args.to)))?;
    can_compare(form, args.baseline.as_deref(), "--to")?;
    if args.corpus.is_some() && !form.shows_cases {
        return Err(Stop::usage(format!("`--corpus` is for `--to html`; {} shows no messages", form.name)));
    }
    not_over(args.output.as_deref(), [Some(&args.log), args.baseline.as_ref()].into_iter().flatten())?;
    let log = load(&args.log)?;
    let earlier = args.baseline.as_deref().map(earlier).transpose()?;
    let text = told(form, &log, earlier.as_ref(), args.corpus.as_deref(), args.redact)?;
    put_form(args.output.as_deref(), form, text)?;
    Ok(log.exit())
}

/// Refuses an earlier run where the form, which `option` names, says nothing of it.
pub(super) fn can_compare(form: &Form, baseline: Option<&Path>, option: &str) -> Result<(), Stop> {
    if baseline.is_none() || form.compares {
        return Ok(());
    }
    let name = form.name;
    Err(Stop::usage(format!(
        "`--baseline` is for `{option} human` and `{option} html`, not {name}; `wirecanon compare` tells it to programs"
    )))
}

/// An earlier run, by the name of its file.
pub(super) fn earlier(path: &Path) -> Result<(String, Log), Stop> {
    Ok((path.display().to_string(), load(path)?))
}

/// A run in a form, with the cases that it shows.
pub(super) fn told(
    form: &Form,
    log: &Log,
    earlier: Option<&(String, Log)>,
    corpus: Option<&Path>,
    redact: bool,
) -> Result<Vec<u8>, Stop> {
    let corpus = if form.shows_cases { corpus_of(corpus)? } else { Vec::new() };
    // As they are: what is redacted is another thing in each.
    let since = earlier.map(|(name, earlier)| Since::new(name, earlier, log)).transpose()?;
    // A form that shows cases finds their texts in the corpus, and redacts both alike.
    let without = (redact && !form.shows_cases).then(|| redacted(log));
    let log = without.as_ref().unwrap_or(log);
    let mut text = Vec::new();
    (form.write)(&mut text, &Told { log, since, corpus: &corpus, redact })?;
    Ok(text)
}

pub(super) fn merge_logs(args: &MergeArgs) -> Result<Exit, Stop> {
    not_over(args.output.as_deref(), args.logs.iter())?;
    let mut logs = Vec::new();
    for path in &args.logs {
        logs.push((path.display().to_string(), load(path)?));
    }
    let merged = merge(logs)?;
    let mut text = Vec::new();
    log::write(&mut text, &merged)?;
    put(args.output.as_deref(), &text)?;
    Ok(Exit::Holds)
}

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/compare.txt").trim_ascii_end())]
pub(super) struct CompareArgs {
    /// The log of the older run
    base: PathBuf,
    /// The log of the newer run
    head: PathBuf,
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn compare_logs(args: &CompareArgs) -> Result<Exit, Stop> {
    let (base, head) = (load(&args.base)?, load(&args.head)?);
    let names = [&args.base, &args.head].map(|path| path.display().to_string());
    let comparison = compare((&names[0], &base), (&names[1], &head))?;
    let mut out = listener::stdout();
    match args.format {
        Format::Human => changed::write(&mut out, &comparison)?,
        Format::Json => compare_json::write(&mut out, &names[0], &names[1], &comparison)?,
    }
    Ok(comparison.exit)
}

/// A log is worth more than what is made from it.
fn not_over<'p>(output: Option<&str>, mut logs: impl Iterator<Item = &'p PathBuf>) -> Result<(), Stop> {
    let whole = |path: &Path| path.canonicalize().ok();
    let Some(output) = output.and_then(|output| whole(Path::new(output))) else { return Ok(()) };
    match logs.find(|log| whole(log).is_some_and(|log| log == output && log.is_file())) {
        Some(log) => Err(Stop::usage(format!("{}: would be written over by what is made from it", log.display()))),
        None => Ok(()),
    }
}

/// Reads a log.
pub(super) fn load(path: &Path) -> Result<Log, Stop> {
    let (name, bytes) = Input::read(path)?;
    log::read(&bytes).map_err(|why| Stop::usage(format!("{name}: {why}")))
}

/// Writes a run in a form to a file or to stdout. Colours are for terminals.
pub(super) fn put_form(path: Option<&str>, form: &Form, mut text: Vec<u8>) -> Result<(), Stop> {
    if path.is_some() && form.name == "human" {
        text = anstream::adapter::strip_bytes(&text).flatten().copied().collect();
    }
    put(path, &text)
}

/// Writes a text to a file, whole or not at all, or to stdout.
pub(super) fn put(path: Option<&str>, text: &[u8]) -> Result<(), Stop> {
    match path {
        Some(path) => OutFile::put(path, text),
        None => Ok(listener::stdout().write_all(text)?),
    }
}
