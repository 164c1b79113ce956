//! `wirecanon replay`: cases of files, given to a testee again.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use wirecanon_judge::case::{self, Case};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::{plain, shorten};
use wirecanon_judge::verdict::Verdict;
use wirecanon_report::human::{BAD, BOLD, FAINT, GOOD};
use wirecanon_runner::run::TesteeRun;
use wirecanon_runner::testee::{self, Answer, Budget, Hello, Request, StartError, Testee};
use wirecanon_runner::{canary, run};

use super::listener;
use super::{Format, duration, revision};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/replay.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Files of cases, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to test: `reference`, the name of an installed adapter, the command of a process that speaks
    /// the line protocol, or `filter:FROM:TO:COMMAND`
    #[arg(long, value_name = "CMD", default_value = "reference")]
    testee: String,
    /// Only for this dialect or target
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = duration::seconds)]
    timeout: Duration,
    /// Seconds that it may take until it says what it is; left out, what an installed adapter says of itself, or 60
    #[arg(long, value_name = "SECONDS", value_parser = duration::seconds)]
    startup_timeout: Option<Duration>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let started = Instant::now();
    let to = args.to.as_deref().map(revision::to_write).transpose()?;
    let mut files = Vec::new();
    for path in &args.files {
        collect(path, &mut files)?;
    }
    let cases = files.iter().map(|file| read(file)).collect::<Result<Vec<Case>, Stop>>()?;
    if cases.is_empty() {
        return Err(Stop::new(Exit::TooLittle, "there is no case in these folders"));
    }
    let budget = Budget { timeout: args.timeout, startup: args.startup_timeout, ..Budget::default() };
    let inner = testee::from_argument(&args.testee, budget).map_err(Stop::usage)?;
    let mut testee = Only { inner, to: to.map(|target| target.name.as_str()) };
    let void = canary::sing().err();
    let all: Vec<&Case> = cases.iter().collect();
    let mut judged = run::run(&args.testee, &mut testee, &all, 1, false, &mut |_| {});
    // What it does not claim says nothing, as long as there is something else.
    if judged.judged > 0 {
        judged.results.retain(|result| result.judgement.verdict != Verdict::Unsupported);
    }
    let mut out = listener::stdout();
    match args.format {
        Format::Human => human(&mut out, &judged, started.elapsed())?,
        Format::Json => {
            let value = serde_json::json!({"wirecanon": 1, "testee": judged.name(), "results": judged.results});
            writeln!(out, "{value:#}")?;
        }
    }
    if let Some(void) = &void {
        writeln!(listener::stderr(), "{BAD}void{BAD:#}: {void}")?;
    }
    if let Err(error) = &judged.hello {
        return Err(Stop::new(Exit::Testee, error.message.clone()));
    }
    Ok(run::worst([judged.exit()].into_iter().chain(void.map(|_| Exit::Incomplete))))
}

/// One entry a verdict, those that are not as asked with the reason.
fn human(out: &mut dyn Write, judged: &TesteeRun, took: Duration) -> io::Result<()> {
    for result in &judged.results {
        let said = &result.judgement;
        let style = if said.ok { GOOD } else { BAD };
        let name = said.verdict.name();
        writeln!(out, "{style}{name}{style:#}  {BOLD}{}{BOLD:#}  {} → {}", result.case, result.from.name(), result.to)?;
        if said.ok {
            continue;
        }
        for broken in &said.violations {
            writeln!(
                out,
                "  {}: {} {FAINT}(at {}){FAINT:#}",
                broken.rule,
                plain(&broken.message),
                plain(&broken.pointer)
            )?;
        }
        for reason in &said.reasons {
            writeln!(out, "  {}", shorten(&reason.to_string(), 300))?;
        }
        for lost in &said.lost {
            writeln!(out, "  not in the output: {}", shorten(lost, 200))?;
        }
        if let Some(difference) = &said.difference {
            let (expected, actual) = (&difference.expected, &difference.actual);
            let (expected, actual) = (shorten(expected, 200), shorten(actual, 200));
            writeln!(out, "  at {} stands {actual} where {expected} must stand", plain(&difference.pointer))?;
        }
        for failure in &said.failures {
            writeln!(out, "  {}", shorten(failure, 400))?;
        }
    }
    for remark in &judged.remarks {
        writeln!(out, "  {FAINT}{}{FAINT:#}", plain(remark))?;
    }
    let wrong = judged.findings().count();
    let (style, verdict) = if wrong == 0 { (GOOD, "it holds") } else { (BAD, "it does not hold") };
    let all = judged.results.len();
    writeln!(
        out,
        "{style}{verdict}{style:#}: {}, {wrong} of {all} not as asked, {:.1} s",
        judged.name(),
        took.as_secs_f64()
    )
}

/// A testee that is asked for one target alone; everything else is left out of the report.
struct Only<'o> {
    inner: Box<dyn Testee>,
    to: Option<&'o str>,
}

impl Testee for Only<'_> {
    fn hello(&mut self) -> Result<Hello, StartError> {
        self.inner.hello()
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        let asked = |request: &Request<'_>| self.to.is_none_or(|to| to == request.target.name);
        let places: Vec<usize> = (0..requests.len()).filter(|at| asked(&requests[*at])).collect();
        let some: Vec<Request<'_>> = places.iter().map(|at| requests[*at]).collect();
        for at in (0..requests.len()).filter(|at| !asked(&requests[*at])) {
            answered(at, Answer::Unsupported("not asked for".to_owned()));
        }
        self.inner.convert(&some, &mut |index, answer| answered(places[index], answer));
    }

    fn remarks(&self) -> Vec<String> {
        self.inner.remarks()
    }
}

/// The files of a path: itself, or all cases below it, by name.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Stop> {
    let cannot = |error: io::Error| Stop::unread(path, &error);
    if !fs::metadata(path).map_err(cannot)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut todo = vec![(path.to_owned(), 0)];
    let mut found = Vec::new();
    while let Some((folder, depth)) = todo.pop() {
        for entry in fs::read_dir(&folder).map_err(cannot)? {
            let entry = entry.map_err(cannot)?.path();
            if entry.is_dir() && depth < 2 {
                todo.push((entry, depth + 1));
            } else if entry.extension().is_some_and(|end| end == "json") {
                found.push(entry);
            }
        }
    }
    found.sort();
    files.extend(found);
    Ok(())
}

fn read(path: &Path) -> Result<Case, Stop> {
    let name = path.display().to_string();
    let text = fs::read(path).map_err(|error| Stop::unread(path, &error))?;
    case::parse(&name, &text).map_err(|error| Stop::usage(error.to_string()))
}
