//! `wirecanon testee`: adapters of published packages, the reference on stdio, and what is wrong with an adapter.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use wirecanon_cases::near::unknown;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::plain;
use wirecanon_report::human::{BAD, BOLD, FAINT, GOOD, ODD};
use wirecanon_runner::adapter::{self, Adapter, Installation};
use wirecanon_runner::doctor::{Diagnosis, examine};
use wirecanon_runner::serve;
use wirecanon_runner::testee::{Budget, Hello, ProcessTestee, Testee, check_found, quoted};

use super::listener;
use crate::kit::{self, KitError, Language};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write a testee of your own: an adapter that runs, a test, and one function to fill in
    #[command(after_long_help = include_str!("help/testee-new.txt").trim_ascii_end())]
    New {
        /// What it is written in
        #[arg(long, value_name = "LANGUAGE")]
        language: Language,
        /// A folder that is not there yet
        #[arg(value_name = "DIR", default_value = kit::FOLDER)]
        folder: PathBuf,
    },
    /// Install the adapter of a published package, at the versions of its lock
    #[command(after_long_help = include_str!("help/testee-add.txt").trim_ascii_end())]
    Add {
        /// Which; see `wirecanon list testees`
        #[arg(required = true, value_name = "ADAPTER")]
        name: Vec<String>,
        /// Only say what would be done
        #[arg(long)]
        dry_run: bool,
    },
    /// Answer the line protocol on stdin and stdout with the reference
    #[command(after_long_help = include_str!("help/testee-serve.txt").trim_ascii_end())]
    Serve {
        /// Give each input back as it is, to see how fast a pipe is
        #[arg(long)]
        echo: bool,
    },
    /// Say in words what is wrong with an adapter, and how fast it is
    #[command(after_long_help = include_str!("help/testee-doctor.txt").trim_ascii_end())]
    Doctor {
        /// The name of an installed adapter, or the command of a process that speaks the line protocol
        command: String,
        /// Seconds that one answer may take
        #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = super::duration::seconds)]
        timeout: Duration,
        /// Seconds that it may take until it says what it is; left out, what an installed adapter says of itself, or 60
        #[arg(long, value_name = "SECONDS", value_parser = super::duration::seconds)]
        startup_timeout: Option<Duration>,
    },
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    match &args.command {
        Command::Serve { echo } => {
            let (input, output) = (io::stdin(), io::stdout().lock());
            if *echo {
                serve::echo(input, output)?;
            } else {
                serve::serve(input, output)?;
            }
            Ok(Exit::Holds)
        }
        Command::New { language, folder } => make(*language, folder),
        Command::Add { name, dry_run } => add(name, *dry_run),
        Command::Doctor { command, timeout, startup_timeout } => {
            let (timeout, startup) = (*timeout, *startup_timeout);
            examine_one(command, Budget { timeout, startup, lasts: true, ..Budget::default() })
        }
    }
}

fn make(language: Language, folder: &Path) -> Result<Exit, Stop> {
    let name = kit::write(language, folder).map_err(|error| match error {
        KitError::Exists(_) => Stop::usage(error.to_string()),
        KitError::Io(..) => Stop::incomplete(error.to_string()),
    })?;
    let shown = folder.display().to_string();
    let shown = shown.trim_end_matches('/');
    let (build, start) = language.commands(&quoted(shown));
    let (test, run) = language.test();
    let mut out = listener::stdout();
    writeln!(out, "{GOOD}written{GOOD:#}: {BOLD}{name}{BOLD:#}, a testee in {shown}")?;
    let rows = [
        (language.conversion(), "the function to fill in: what your program would send"),
        (language.adapter(), "which dialects it reads and writes"),
        (test, &*format!("its test: `{run}` in its folder")),
    ];
    let wide = rows.iter().map(|(file, _)| file.len()).max().unwrap_or(0);
    for (file, what) in rows {
        writeln!(out, "  {file:wide$}  {FAINT}{what}{FAINT:#}")?;
    }
    let build = build.map_or(String::new(), |build| format!("{build} && "));
    let word = quoted(&start);
    writeln!(out, "It runs as it is, and gives every history back as it came. Next:")?;
    writeln!(out, "  {build}wirecanon testee doctor {word}")?;
    writeln!(out, "  wirecanon test --testee {word}")?;
    Ok(Exit::Holds)
}

fn add(names: &[String], dry_run: bool) -> Result<Exit, Stop> {
    let mut adapters: Vec<Adapter> = Vec::new();
    for name in names {
        let adapter = find(name)?;
        // A name and its variants are one installation.
        if !adapters.contains(&adapter) {
            adapters.push(adapter);
        }
    }
    for adapter in adapters {
        one(adapter, dry_run)?;
    }
    Ok(Exit::Holds)
}

fn find(name: &str) -> Result<Adapter, Stop> {
    if let Some(adapter) = adapter::by_name(name).map_err(Stop::incomplete)? {
        return Ok(adapter);
    }
    let all = adapter::all().map_err(Stop::incomplete)?;
    let names: Vec<&str> = all.iter().map(|adapter| adapter.name.as_str()).collect();
    let cure = format!("there are: {}", names.join(", "));
    Err(Stop::usage(unknown("adapter", name, names.into_iter(), &cure)))
}

fn one(adapter: Adapter, dry_run: bool) -> Result<(), Stop> {
    let mut out = listener::stdout();
    let name = adapter.name.clone();
    let title = adapter.title.clone();
    let packages: Vec<_> =
        adapter.package.iter().map(|package| format!("{} {}", package.name, package.version)).collect();
    let installation = Installation::new(adapter, &adapter::folder()).map_err(Stop::incomplete)?;
    check_found(&installation).map_err(Stop::usage)?;
    let place = installation.folder().display();
    writeln!(out, "{BOLD}{name}{BOLD:#}: {title}\n  {} in {place}", packages.join(", "))?;
    if installation.is_done() {
        writeln!(out, "  {GOOD}is installed{GOOD:#} already: `wirecanon test --testee {name}`")?;
        return Ok(());
    }
    let steps = installation.steps().map_err(Stop::incomplete)?;
    for (at, step) in steps.iter().enumerate() {
        writeln!(out, "  {}. {step}", at + 1)?;
    }
    writeln!(out, "  {}. start it, and ask what it is", steps.len() + 1)?;
    if dry_run {
        writeln!(out, "  {FAINT}nothing was done{FAINT:#}")?;
        return Ok(());
    }
    let mut at = 0;
    let told = |_: &_| {
        at += 1;
        // Nobody is left to tell when this fails.
        let _ = writeln!(listener::stderr(), "{FAINT}{name}: step {at}{FAINT:#}");
    };
    installation.install(&steps, told).map_err(Stop::incomplete)?;
    let started = Instant::now();
    let mut testee = ProcessTestee::launched(installation.launch(&name), Budget::default());
    let hello = testee.hello().map_err(|error| Stop::new(Exit::Testee, error.message))?;
    let version = hello.version.as_deref().unwrap_or("without a version");
    let took = started.elapsed().as_secs_f64();
    writeln!(out, "  {GOOD}installed{GOOD:#}: it calls itself {} {version}, after {took:.1} s", hello.name)?;
    writeln!(out, "  wirecanon test --testee {name}")?;
    Ok(())
}

/// Conversions that are told.
const TOLD: usize = 12;

fn examine_one(command: &str, budget: Budget) -> Result<Exit, Stop> {
    let found = examine(command, budget).map_err(Stop::usage)?;
    let Some(hello) = &found.hello else {
        let words: Vec<_> = found.complaints.iter().map(|one| format!("{}: {}", one.what, one.words)).collect();
        return Err(Stop::new(Exit::Testee, words.join("; ")));
    };
    let mut out = listener::stdout();
    introduce(&mut out, hello, found.start)?;
    for complaint in &found.complaints {
        let style = if complaint.fault { BAD } else { ODD };
        writeln!(out, "{style}{}{style:#}: {}", complaint.what, plain(&complaint.words))?;
    }
    for remark in &found.remarks {
        writeln!(out, "  {}", plain(remark))?;
    }
    speed(&mut out, &found)?;
    Ok(match found.asked {
        _ if found.is_ill() => Exit::Testee,
        0 => Exit::TooLittle,
        _ => Exit::Holds,
    })
}

fn introduce(out: &mut dyn Write, hello: &Hello, took: Duration) -> io::Result<()> {
    let version = hello.version.as_deref().unwrap_or("without a version");
    writeln!(out, "{GOOD}starts{GOOD:#}: {BOLD}{}{BOLD:#} {version}, after {} ms", hello.name, took.as_millis())?;
    let pairs = hello.conversions.iter().map(|(from, to)| format!("{} → {}", from.name(), to.name()));
    let mut pairs: Vec<_> = pairs.collect();
    let more = pairs.len().saturating_sub(TOLD);
    pairs.truncate(TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    writeln!(out, "  converts {}{more}", pairs.join(", "))?;
    let forms: Vec<_> = hello.accepts.iter().map(|form| form.name()).collect();
    writeln!(out, "  accepts {}", forms.join(", "))
}

fn speed(out: &mut dyn Write, found: &Diagnosis) -> io::Result<()> {
    if found.asked == 0 {
        return writeln!(out, "{ODD}no probe{ODD:#} is in a dialect that it reads: nothing was asked");
    }
    write!(out, "{} of {} requests answered, {:.0} a second", found.answered, found.asked, found.rate)?;
    if let (Some(p50), Some(p99)) = (found.latency.percentile(50), found.latency.percentile(99)) {
        write!(out, "; from one answer to the next {p50:.1?} (p50), {p99:.1?} (p99)")?;
    }
    writeln!(out)?;
    if !found.is_ill() {
        writeln!(out, "{GOOD}nothing is wrong{GOOD:#} with how it speaks the protocol")?;
    }
    Ok(())
}
