//! `wirecanon case lint`: what makes cases unfit.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;
use wirecanon_cases::folder::{self, CaseFile};
use wirecanon_cases::lint::{self, Depth, Finding};
use wirecanon_core::json::{Json, Limits};
use wirecanon_judge::case::layout::{Order, laid_out};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::{count, plain};
use wirecanon_judge::problem::Problem;
use wirecanon_report::human::{BAD, BOLD, FAINT};
use wirecanon_report::outfile::OutFile;

use super::super::listener;

use crate::cli::Format;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/case-lint.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Only findings in these files or folders of the corpus
    path: Vec<PathBuf>,
    /// Folder of the corpus; left out, that of this checkout
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Write files anew whose keys, lists or layout are not in order
    #[arg(long)]
    fix: bool,
    /// How to write the findings
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let root = folder::of_checkout(args.corpus.as_deref())?;
    let mut files = folder::read(&root)?;
    let chosen = chosen(&root, &files, &args.path)?;
    let mut mended = 0;
    if args.fix {
        for file in files.iter_mut().filter(|file| chosen.contains(&file.name)) {
            mended += usize::from(fix(file)?);
        }
    }
    let texts: Vec<(&str, &[u8])> = files.iter().map(|file| (file.name.as_str(), file.bytes.as_slice())).collect();
    let mut findings = lint::lint(&texts, Depth::Whole);
    findings.retain(|finding| chosen.contains(&finding.problem.file));
    for finding in &mut findings {
        finding.problem.file = root.join(&finding.problem.file).display().to_string();
    }
    let mut out = listener::stdout();
    match args.format {
        Format::Json => {
            let text = json!({"files": chosen.len(), "mended": mended, "findings": findings});
            writeln!(out, "{text:#}")?;
        }
        Format::Human => {
            write(&mut out, &findings)?;
            if mended > 0 {
                writeln!(out, "{} written anew", count(mended, "file"))?;
            }
            let found = if findings.is_empty() { "no findings".to_owned() } else { count(findings.len(), "finding") };
            writeln!(out, "{}: {found}", count(chosen.len(), "case"))?;
        }
    }
    Ok(if findings.is_empty() { Exit::Holds } else { Exit::Findings })
}

/// Findings for people: where, what, and what to do.
pub(in crate::cli) fn write(out: &mut dyn Write, findings: &[Finding]) -> Result<(), Stop> {
    for finding in findings {
        let Finding { problem, lint, refuses } = finding;
        let Problem { file, line, column, pointer, message, cure } = problem;
        let (file, pointer, message) = (plain(file), plain(pointer), plain(message));
        let run = if *refuses { ", run" } else { "" };
        let place = if pointer.is_empty() { String::new() } else { format!(" {pointer}") };
        writeln!(
            out,
            "{BOLD}{file}:{line}:{column}{BOLD:#}{place}: {BAD}{message}{BAD:#} {FAINT}[{lint}{run}]{FAINT:#}"
        )?;
        writeln!(out, "    cure: {cure}")?;
    }
    Ok(())
}

/// The names of the files that are meant.
fn chosen(root: &Path, files: &[CaseFile], paths: &[PathBuf]) -> Result<BTreeSet<String>, Stop> {
    if files.is_empty() {
        return Err(Stop::new(Exit::TooLittle, format!("{}: there are no cases in this folder", root.display())));
    }
    if paths.is_empty() {
        return Ok(files.iter().map(|file| file.name.clone()).collect());
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut names = BTreeSet::new();
    for path in paths {
        let wanted = real(path);
        let before = names.len();
        let within = files.iter().filter(|file| real(&file.path).starts_with(&wanted));
        names.extend(within.map(|file| file.name.clone()));
        if names.len() == before && !files.iter().any(|file| real(&file.path).starts_with(&wanted)) {
            let corpus = root.display();
            return Err(Stop::usage(format!(
                "{}: no case of {corpus}; name another corpus with --corpus",
                path.display()
            )));
        }
    }
    Ok(names)
}

/// Whether a file had to be set in order, which it is then.
fn fix(file: &mut CaseFile) -> Result<bool, Stop> {
    let Ok(text) = std::str::from_utf8(&file.bytes) else { return Ok(false) };
    let Ok(json) = Json::parse(text, &Limits::default()) else { return Ok(false) };
    if !json.root().is_object() {
        return Ok(false);
    }
    let neat = laid_out(&json, Order::Set);
    if neat == text {
        return Ok(false);
    }
    OutFile::put(&file.path, neat.as_bytes())?;
    file.bytes = neat.into_bytes();
    Ok(true)
}
