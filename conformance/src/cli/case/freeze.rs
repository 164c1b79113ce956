//! `wirecanon case freeze`: the cases of now, as a suite.

use std::io::Write;
use std::path::PathBuf;

use wirecanon_cases::corpus;
use wirecanon_cases::folder;
use wirecanon_cases::lint::{self, Depth};
use wirecanon_cases::suite::Suite;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::outfile::OutFile;

use super::super::listener;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/case-freeze.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Name of the suite: year and number
    name: String,
    /// Folder of the corpus; left out, that of this checkout
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// The suite may still change
    #[arg(long)]
    draft: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let name = &args.name;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !name.split_once('.').is_some_and(|(year, number)| year.len() == 4 && digits(year) && digits(number)) {
        return Err(Stop::usage(format!("`{name}` is no name of a suite: give year and number, as in 2026.3")));
    }
    let root = folder::of_checkout(args.corpus.as_deref())?;
    // Beside the folder, under whatever name it was given.
    let suites = match root.file_name() {
        Some(_) => root.with_file_name("suites"),
        None => root.join("..").join("suites"),
    };
    let path = suites.join(format!("{name}.json"));
    let old = match std::fs::read(&path) {
        Ok(text) => Some(Suite::parse(&path.display().to_string(), &text).map_err(Stop::usage)?),
        Err(_) => None,
    };
    if old.as_ref().is_some_and(|old| !old.draft) {
        return Err(Stop::usage(format!(
            "{}: this suite is frozen; later cases belong to the next one",
            path.display()
        )));
    }
    let files = folder::read(&root)?;
    let texts: Vec<(&str, &[u8])> = files.iter().map(|file| (file.name.as_str(), file.bytes.as_slice())).collect();
    let findings = lint::lint(&texts, Depth::Run);
    if !findings.is_empty() {
        super::write_findings(&mut listener::stderr(), &findings)?;
        return Err(Stop::usage(format!("{}: the corpus is not fit to be frozen", root.display())));
    }
    let cases = corpus::load_from(&texts).map_err(|error| Stop::usage(error.to_string()))?;
    if cases.is_empty() {
        return Err(Stop::new(Exit::TooLittle, format!("{}: there are no cases in this folder", root.display())));
    }
    let suite = Suite::freeze(name, args.draft, &cases);
    OutFile::put_in_folder(&path, suite.to_text().map_err(Stop::incomplete)?.as_bytes())?;
    let mut out = listener::stdout();
    let state = if args.draft { "draft of" } else { "frozen:" };
    writeln!(out, "{state} suite {name}, {} cases, {}", suite.cases.len(), path.display())?;
    if let Some(old) = old {
        let drift = old.drift(&cases);
        let (changed, vanished, new) = (drift.changed.len(), drift.vanished.len(), drift.new.len());
        writeln!(out, "since the draft before: {changed} changed, {vanished} vanished, {new} new")?;
    }
    Ok(Exit::Holds)
}
