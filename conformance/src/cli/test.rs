//! `wirecanon test`: the main job.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::Format;
use crate::case::Case;
use crate::exit::{Exit, Stop};
use crate::report::{Summary, human, json};
use crate::suite::{self, Suite};
use crate::{canary, corpus, folder, lint, run, testee};

const EXAMPLES: &str = "\
Examples:
  wirecanon test                                       the reference against the whole corpus
  wirecanon test --testee 'python3 adapter.py'         a process that speaks the line protocol
  wirecanon test --testee litellm                      a published package, after `wirecanon testee add litellm`
  wirecanon test --testee reference --testee ./mine    both, side by side
  wirecanon test --testee 'filter:openai.chat:openai.chat:jq .'
                                                       a command that is started for each case
  wirecanon test --case 'orphan*' --format json        some cases, for a program
  wirecanon test --suite 2026.1                        the cases of a frozen suite
  wirecanon test --corpus conformance/corpus           the corpus of a folder, if it is fit

A testee is green when every answer is exact, identical or faithful, or a refusal that the case
allows. Fake testees are judged first: if one of them passes, the run is void.";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// What to test: `reference`, the name of an adapter that `wirecanon testee add` has installed, the command of a
    /// process that speaks the line protocol, or `filter:FROM:TO:COMMAND`; may be given again
    #[arg(long, value_name = "CMD", default_value = "reference")]
    testee: Vec<String>,
    /// Only cases whose id, class or tag matches; `*` stands for any text; may be given again
    #[arg(long, value_name = "GLOB")]
    case: Vec<String>,
    /// Only the cases of a frozen suite, as they were frozen; see `wirecanon list suites`
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// Take the corpus of this folder instead of the one that is built in; nothing runs if `wirecanon case lint` finds
    /// one of its cases unfit
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    timeout: f64,
    /// Seconds that a testee may take until it says what it is; left out, what an installed adapter says of itself, or 60
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    startup_timeout: Option<f64>,
    /// Requests that are in flight at once
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.01..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds between 0.01 and 86400".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let started = Instant::now();
    let cases = match &args.corpus {
        Some(folder) => of_folder(folder)?,
        None => {
            corpus::load().map_err(|error| Stop::new(Exit::Incomplete, format!("the corpus is broken: {error}")))?
        }
    };
    let suite = args.suite.as_deref().map(suite::by_name).transpose().map_err(Stop::usage)?;
    if let Some(suite) = &suite {
        as_frozen(suite, &cases)?;
    }
    let scores =
        |case: &Case| case.retired.is_none() && suite.as_ref().is_none_or(|suite| suite.cases.contains_key(&case.id));
    let selected: Vec<&Case> = cases.iter().filter(|case| scores(case) && is_selected(case, &args.case)).collect();
    if selected.is_empty() {
        let message = if args.case.is_empty() {
            "the corpus is empty: nothing was run".to_owned()
        } else {
            format!("no case matches `{}`; see `wirecanon list cases`", args.case.join("`, `"))
        };
        return Err(Stop::new(Exit::TooLittle, message));
    }
    let budget = testee::Budget {
        timeout: Duration::from_secs_f64(args.timeout),
        startup: args.startup_timeout.map(Duration::from_secs_f64),
        in_flight: usize::from(args.jobs),
        ..testee::Budget::default()
    };
    let mut testees = Vec::new();
    for argument in &args.testee {
        testees.push((argument, testee::from_argument(argument, budget).map_err(Stop::usage)?));
    }
    let void = canary::sing().err();
    let partial = !args.case.is_empty();
    let minimum = if partial { 1 } else { corpus::MINIMUM_JUDGED };
    let each: usize = selected.iter().map(|case| run::targets_of(case).count()).sum();
    let bar = progress(each * testees.len());
    let mut runs = Vec::new();
    for (argument, testee) in &mut testees {
        bar.set_message((*argument).clone());
        let strict = argument.as_str() == "reference";
        runs.push(run::run(argument, testee.as_mut(), &selected, minimum, strict, &mut || bar.inc(1)));
    }
    bar.finish_and_clear();
    let summary =
        Summary { runs: &runs, cases: selected.len(), partial, elapsed: started.elapsed(), void: void.as_deref() };
    let mut out = anstream::stdout();
    match args.format {
        Format::Human => human::write(&mut out, &summary)?,
        Format::Json => out.write_all(json::render(&summary).as_bytes())?,
    }
    out.flush()?;
    let broken = void.map(|_| Exit::Incomplete);
    Ok(run::worst(runs.iter().map(run::TesteeRun::exit).chain(broken)))
}

/// The corpus of a folder, if it is fit to be run. Every fault is said, since who mends one wants to mend all.
fn of_folder(folder: &Path) -> Result<Vec<Case>, Stop> {
    let root = folder::of_checkout(Some(folder))?;
    let files = folder::read(&root)?;
    let texts: Vec<(&str, &[u8])> = files.iter().map(|file| (file.name.as_str(), file.bytes.as_slice())).collect();
    let mut findings = lint::lint(&texts, lint::Depth::Run);
    if findings.is_empty() {
        return corpus::load_from(&texts).map_err(|error| Stop::usage(error.to_string()));
    }
    for finding in &mut findings {
        finding.file = root.join(&finding.file).display().to_string();
    }
    super::case::write_findings(&mut anstream::stderr(), &findings)?;
    let count = if findings.len() == 1 { "1 finding".to_owned() } else { format!("{} findings", findings.len()) };
    Err(Stop::usage(format!("{}: nothing was run: the corpus has {count}", root.display())))
}

/// Says what of a suite is run no more; stops where its cases are not what they were. A draft may change.
fn as_frozen(suite: &Suite, cases: &[Case]) -> Result<(), Stop> {
    let drift = suite.drift(cases);
    let mut err = anstream::stderr();
    for (id, retired) in &drift.retired {
        writeln!(err, "{id}: retired in {}: {}", retired.version, retired.reason)?;
    }
    if drift.is_whole() {
        return Ok(());
    }
    let words = drift.in_words();
    if suite.draft {
        writeln!(err, "the suite {} is a draft: {words}", suite.suite)?;
        return Ok(());
    }
    let cure = "take the corpus that the suite was frozen with, or the newest suite";
    Err(Stop::usage(format!("this corpus is not that of the suite {}: {words}; {cure}", suite.suite)))
}

fn is_selected(case: &Case, patterns: &[String]) -> bool {
    patterns.is_empty()
        || patterns.iter().any(|pattern| {
            corpus::matches(pattern, &case.id)
                || corpus::matches(pattern, &format!("{}/{}", case.class, case.id))
                || case.tags.iter().any(|tag| tag == pattern)
        })
}

/// A bar on stderr, if that is a terminal.
fn progress(length: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar
}
