//! `wirecanon fuzz`: what a testee does wrong with messages that nobody wrote.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use wirecanon_core::Target;
use wirecanon_generate::Form;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::shorten;
use wirecanon_report::fuzzed::{self, Found};
use wirecanon_report::outfile::{OutFile, TEMPORARY};
use wirecanon_runner::blackbox::{CaseFile, End, Fuzzed, Seal, Settings, State, Watcher, case_file, fuzz, ways};
use wirecanon_runner::canary;
use wirecanon_runner::interrupt;
use wirecanon_runner::testee::{self, Budget, Hello};

use super::generate::source::form;
use super::listener;
use super::progress;
use super::{Format, duration, revision};

/// Runs where neither a number nor a time is given.
const RUNS: u64 = 2000;

/// What is stored is written this often, at the end of a round.
const EVERY: Duration = Duration::from_secs(1);

/// The file of a stored run in its folder.
const STATE: &str = "fuzz.json";

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/fuzz.txt").trim_ascii_end())]
pub(super) struct Args {
    /// What to test: `reference`, the name of an installed adapter, the command of a process that speaks
    /// the line protocol, or `filter:FROM:TO:COMMAND`
    #[arg(long, value_name = "CMD", default_value = "reference")]
    testee: String,
    /// Messages to give it; left out, 2000, or as many as the time allows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Which messages
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Time after which no more is asked: `90`, `90s`, `10m`, `2h`
    #[arg(long, value_name = "T", value_parser = duration::time)]
    time: Option<Duration>,
    /// Only messages of this dialect
    #[arg(long, value_name = "DIALECT")]
    from: Option<String>,
    /// Only for this dialect or target
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,
    /// Folder to go on in where the same command was stopped or killed
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Folder for the cases that are made of what is found
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = duration::seconds)]
    timeout: Duration,
    /// Seconds that it may take until it says what it is; left out, what an installed adapter says of itself, or 60
    #[arg(long, value_name = "SECONDS", value_parser = duration::seconds)]
    startup_timeout: Option<Duration>,
    /// Requests that are in flight at once
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Bytes that one message is drawn from at most: fewer make smaller ones
    #[arg(long, value_name = "N", default_value_t = 600)]
    max_bytes: usize,
    /// Requests that cutting one message down may take
    #[arg(long, value_name = "N", default_value_t = 400)]
    shrink: usize,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let from = args.from.as_deref().map(form).transpose()?;
    let to = args.to.as_deref().map(revision::to_write).transpose()?;
    let void = canary::sing().err();
    let budget = Budget {
        timeout: args.timeout,
        startup: args.startup_timeout,
        in_flight: usize::from(args.jobs),
        restarts: usize::MAX,
        failures_in_a_row: 64,
        lasts: true,
        ..Budget::default()
    };
    for folder in [&args.state, &args.out].into_iter().flatten() {
        fs::create_dir_all(folder).map_err(|error| Stop::unmade(folder, &error))?;
        sweep(folder);
    }
    let mut testee = testee::from_argument(&args.testee, budget).map_err(Stop::usage)?;
    let stop = interrupt::stop_on_signal();
    let hello = testee.hello().map_err(|error| match error.message.as_str() {
        testee::INTERRUPTED => Stop::incomplete("stopped while the testee started: nothing was asked"),
        _ => Stop::new(Exit::Testee, error.message),
    })?;
    let ways = ways(&hello, from, to);
    if ways.is_empty() {
        return Err(nothing_to_ask(&hello, from, to));
    }
    let settings = Settings {
        seal: Seal {
            seed: args.seed,
            testee: args.testee.clone(),
            name: hello.name.clone(),
            from: args.from.clone(),
            to: args.to.clone(),
            max_bytes: args.max_bytes,
        },
        runs: args.runs.unwrap_or(if args.time.is_some() { u64::MAX } else { RUNS }),
        time: args.time,
        shrink: args.shrink,
    };
    let path = args.state.as_ref().map(|folder| folder.join(STATE));
    let stored = path.as_deref().map(read).transpose()?.flatten();
    let length = (settings.runs < u64::MAX).then_some(settings.runs);
    let mut keeper = Keeper { path, written: Instant::now(), bar: progress::bar(length) };
    let fuzzed = fuzz(testee.as_mut(), &ways, &settings, stored, &stop, &mut keeper)?;
    keeper.bar.finish_and_clear();
    let found = found(&fuzzed, &settings.seal, args)?;
    let mut remarks = hello.notes.clone();
    remarks.extend(testee.remarks());
    drop(testee);
    let told = fuzzed::Told {
        fuzzed: &fuzzed,
        found: &found,
        hello: &hello,
        seal: &settings.seal,
        remarks: &remarks,
        void: void.as_deref(),
        resumes: args.state.is_some(),
    };
    let mut out = listener::stdout();
    match args.format {
        Format::Human => fuzzed::human(&mut out, &told)?,
        Format::Json => out.write_all(fuzzed::json(&told).as_bytes())?,
    }
    Ok(exit(&fuzzed, void.is_some()))
}

fn exit(fuzzed: &Fuzzed, void: bool) -> Exit {
    let unsupported = fuzzed.progress.verdicts.get("unsupported").copied().unwrap_or(0);
    match &fuzzed.end {
        End::Stopped | End::Environment(_) => Exit::Incomplete,
        _ if void => Exit::Incomplete,
        End::GivenUp(_) if fuzzed.progress.groups.is_empty() => Exit::Testee,
        _ if fuzzed.progress.runs <= unsupported => Exit::TooLittle,
        _ if fuzzed.progress.groups.is_empty() => Exit::Holds,
        _ => Exit::Findings,
    }
}

fn nothing_to_ask(hello: &Hello, from: Option<Form>, to: Option<&Target>) -> Stop {
    let mut wanted = String::new();
    if let Some(from) = from {
        wanted = format!(" from {}", from.name());
    }
    if let Some(to) = to {
        wanted = format!("{wanted} to {}", to.name);
    }
    let claims: Vec<_> =
        hello.conversions.iter().map(|(from, to)| format!("{} to {}", from.name(), to.name())).collect();
    let claims = shorten(&claims.join(", "), 300);
    Stop::new(
        Exit::TooLittle,
        format!("{} claims nothing{wanted} that could be asked; it claims: {claims}", hello.name),
    )
}

/// Takes away what a run that was killed was just writing, here and one folder below.
fn sweep(folder: &Path) {
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && depth == 0 {
                folders.push((path, depth + 1));
            } else if path.is_file() && entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                // Nobody misses it if it stays.
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The stored run, if there is one.
fn read(path: &Path) -> Result<Option<State>, Stop> {
    let shown = path.display();
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Stop::unread(path, &error)),
    };
    let cure = "take it away to start anew";
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| Stop::usage(format!("{shown}: this is no stored run: {error}; {cure}")))
}

/// Writes what is stored, and shows how far it is.
struct Keeper {
    path: Option<PathBuf>,
    written: Instant,
    bar: ProgressBar,
}

impl Keeper {
    fn write(&mut self, state: &State) -> Result<(), Stop> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut file = OutFile::create(path)?;
        file.write(|out| Ok(serde_json::to_writer(out, state)?))?;
        file.finish()?;
        self.written = Instant::now();
        Ok(())
    }
}

impl Watcher for Keeper {
    fn round(&mut self, runs: u64, state: &dyn Fn() -> State) -> Result<(), Stop> {
        self.bar.set_position(runs);
        if self.path.is_some() && self.written.elapsed() >= EVERY {
            self.write(&state())?;
        }
        Ok(())
    }

    fn cut_down(&mut self, done: usize, of: usize) {
        self.bar.set_message(format!("cutting down {done} of {of}"));
    }

    fn over(&mut self, state: &State) -> Result<(), Stop> {
        self.write(state)
    }
}

/// What was found, each with its case, which is written where cases are asked for.
fn found<'f>(fuzzed: &'f Fuzzed, seal: &Seal, args: &Args) -> Result<Vec<Found<'f>>, Stop> {
    let mut all = Vec::new();
    for group in fuzzed.progress.causes() {
        let case = case_file(group, seal);
        let mut file = None;
        if let (Some(folder), Some(CaseFile { file: name, text })) = (&args.out, case) {
            let path = folder.join(name);
            OutFile::put_in_folder(&path, text.as_bytes())?;
            file = Some(path);
        }
        let replay = file.as_ref().zip(group.small.as_ref()).map(|(path, small)| {
            let path = path.display().to_string();
            let words = ["wirecanon", "replay", &path, "--testee", &args.testee, "--to", &small.to];
            words.map(testee::quoted).join(" ")
        });
        all.push(Found { group, file, replay });
    }
    Ok(all)
}
