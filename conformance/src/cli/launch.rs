//! What `test` and `gate` have in common: the cases, the testees, the run, and its log.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use wirecanon_cases::suite::{Drift, Suite};
use wirecanon_cases::{corpus, folder, lint};
use wirecanon_judge::case::Case;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::count;
use wirecanon_runner::log::{self, Log, Shard, Start, event};
use wirecanon_runner::run::{Manner, Step, TesteeRun};
use wirecanon_runner::runs::{self, Entrant};
use wirecanon_runner::{canary, testee};

use super::listener;
use super::progress;

/// How the testees are asked.
#[derive(Debug, clap::Args)]
pub(super) struct Launch {
    /// What to test: `reference`, the name of an adapter that `wirecanon testee add` has installed, the command of a
    /// process that speaks the line protocol, or `filter:FROM:TO:COMMAND`; may be given again
    #[arg(long, value_name = "CMD", default_value = "reference")]
    pub(super) testee: Vec<String>,
    /// Take the corpus of this folder instead of the one that is built in; nothing runs if `wirecanon case lint` finds
    /// one of its cases unfit
    #[arg(long, value_name = "DIR")]
    pub(super) corpus: Option<PathBuf>,
    /// Write every event of the run to this file, for `wirecanon report`, `merge`, `compare` and `gate`
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Run the i-th of n parts of the cases; `wirecanon merge` joins the logs of all parts
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// How often to ask again for what failed, to find what is flaky [default: 1, and 0 for the reference]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    rerun: Option<u32>,
    /// Shuffles the order in which the cases are sent; 0 is the order of the corpus
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = super::duration::seconds)]
    timeout: Duration,
    /// Seconds that a testee may take until it says what it is; left out, what an installed adapter says of itself, or 60
    #[arg(long, value_name = "SECONDS", value_parser = super::duration::seconds)]
    startup_timeout: Option<Duration>,
    /// Requests that are in flight at once
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
}

/// Which cases are run, and which of them score.
pub(super) struct Choice<'c> {
    /// Patterns; none takes all
    pub(super) patterns: &'c [String],
    /// Whose cases score; without one all do
    pub(super) suite: Option<&'c Suite>,
    /// True if the suite is the default: a corpus of one's own, which lacks cases of it, is then run without a suite
    pub(super) is_default_suite: bool,
    /// Whether the others are run too
    pub(super) others: bool,
}

/// Runs every testee, writes the log, and gives what is in it.
pub(super) fn launch(launch: &Launch, choice: &Choice<'_>) -> Result<Log, Stop> {
    let begun = Instant::now();
    let all = corpus_of(launch.corpus.as_deref())?;
    let drift = choice.suite.map(|suite| suite.drift(&all)).unwrap_or_default();
    let is_own_corpus = launch.corpus.is_some() && !drift.vanished.is_empty();
    let suite = choice.suite.filter(|_| !(choice.is_default_suite && is_own_corpus));
    if let Some(suite) = suite {
        as_frozen(suite, &drift)?;
    }
    let mut selected: Vec<&Case> = all.iter().filter(|case| choice.takes(case)).collect();
    selected.sort_by(|one, other| (&one.class, &one.id).cmp(&(&other.class, &other.id)));
    if selected.is_empty() {
        let message = if choice.patterns.is_empty() {
            "the corpus is empty: nothing was run".to_owned()
        } else {
            format!("no case matches `{}`; see `wirecanon list cases`", choice.patterns.join("`, `"))
        };
        return Err(Stop::new(Exit::TooLittle, message));
    }
    let start = Start {
        judge: wirecanon_judge::judge::VERSION,
        wirecanon: 1,
        log: event::VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        corpus: log::digest_of(&all),
        suite: suite.map(|suite| suite.suite.clone()),
        seed: launch.seed,
        shard: launch.shard,
        filter: choice.patterns.to_vec(),
        cases: selected.len(),
        minimum: if choice.patterns.is_empty() { corpus::MINIMUM_JUDGED } else { 1 },
        testees: launch.testee.clone(),
        void: canary::sing().err(),
    };
    if let Some(shard) = launch.shard {
        let mut place = 0..;
        selected.retain(|_| place.next().is_some_and(|place| shard.has(place)));
        if selected.is_empty() {
            let message = format!("shard {shard} holds none of the {} cases: nothing was run", start.cases);
            return Err(Stop::new(Exit::TooLittle, message));
        }
    }
    let cases = log::case_lines(&selected, suite);
    let mut log = Log { start, cases, runs: Vec::new(), complete: false, elapsed: None };
    let mut file = launch.log.as_deref().map(LogFile::create).transpose()?;
    if let Some(file) = &mut file {
        file.write(|out| event::write_start(out, &log.start, &log.cases))?;
    }
    log.runs = ask(launch, &selected, log.start.minimum, &mut file)?;
    log.mark_scored();
    log.complete = !log.runs.iter().any(TesteeRun::is_interrupted);
    log.elapsed = Some(begun.elapsed());
    if let Some(file) = &mut file
        && log.complete
    {
        file.write(|out| event::write_end(out, &log))?;
    }
    Ok(log)
}

/// The corpus that is built in.
pub(super) fn built_in() -> Result<Vec<Case>, Stop> {
    corpus::load().map_err(|error| Stop::incomplete(format!("the corpus is broken: {error}")))
}

fn ask(
    launch: &Launch,
    selected: &[&Case],
    minimum: usize,
    file: &mut Option<LogFile>,
) -> Result<Vec<TesteeRun>, Stop> {
    let budget = testee::Budget {
        timeout: launch.timeout,
        startup: launch.startup_timeout,
        in_flight: usize::from(launch.jobs),
        ..testee::Budget::default()
    };
    let mut entrants = Vec::new();
    for argument in &launch.testee {
        testee::from_argument(argument, budget).map_err(Stop::usage)?;
        let reference = argument == "reference";
        let manner = Manner {
            frames: true,
            minimum: if launch.shard.is_some() { 1 } else { minimum },
            strict: reference,
            rerun: launch.rerun.unwrap_or(u32::from(!reference)),
            seed: launch.seed,
        };
        entrants.push(Entrant { argument: argument.clone(), manner });
    }
    // What is asked of a testee is known once it has said what it converts.
    let bar = progress::bar(Some(0));
    bar.set_message(launch.testee.join(", "));
    let far = |step| match step {
        Step::Planned(more) => bar.inc_length(more as u64),
        Step::Answered => bar.inc(1),
    };
    let runs = runs::all(&entrants, budget, selected, &far, &mut |run| match file {
        Some(file) => file.write(|out| event::write_run(out, run)),
        None => Ok(()),
    });
    bar.finish_and_clear();
    runs
}

/// The file of a log. It is written as the run goes on, so that a run that is cut short leaves a log without an end.
struct LogFile {
    path: PathBuf,
    out: BufWriter<File>,
}

impl LogFile {
    fn create(path: &Path) -> Result<Self, Stop> {
        if path == Path::new("-") {
            return Err(Stop::usage("`--log -`: stdout has the report; name a file"));
        }
        let file = File::create(path).map_err(|error| Stop::unmade(path, &error))?;
        Ok(Self { path: path.to_owned(), out: BufWriter::new(file) })
    }

    fn write(&mut self, part: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Stop> {
        part(&mut self.out)
            .and_then(|()| self.out.flush())
            .map_err(|error| Stop::incomplete(format!("{}: cannot be written: {error}", self.path.display())))
    }
}

/// The corpus of a folder, or the one that is built in.
pub(super) fn corpus_of(folder: Option<&Path>) -> Result<Vec<Case>, Stop> {
    folder.map_or_else(built_in, of_folder)
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
        finding.problem.file = root.join(&finding.problem.file).display().to_string();
    }
    super::case::write_findings(&mut listener::stderr(), &findings)?;
    let count = count(findings.len(), "finding");
    Err(Stop::usage(format!("{}: nothing was run: the corpus has {count}", root.display())))
}

/// Says what of a suite is run no more; stops where its cases are not what they were. A draft may change.
fn as_frozen(suite: &Suite, drift: &Drift) -> Result<(), Stop> {
    let mut err = listener::stderr();
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

impl Choice<'_> {
    fn takes(&self, case: &Case) -> bool {
        case.retired.is_none()
            && (self.others || self.suite.is_none_or(|suite| suite.cases.contains_key(&case.id)))
            && is_selected(case, self.patterns)
    }
}

fn is_selected(case: &Case, patterns: &[String]) -> bool {
    patterns.is_empty()
        || patterns.iter().any(|pattern| {
            corpus::matches(pattern, &case.id)
                || corpus::matches(pattern, &format!("{}/{}", case.class, case.id))
                || case.tags.iter().any(|tag| tag == pattern)
        })
}
