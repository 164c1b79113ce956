//! `wirecanon gate`: holds a testee to what is expected of it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use wirecanon_cases::suite::{self, Drift, Suite};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::plain;
use wirecanon_report::gate_json;
use wirecanon_report::held::{self, Commands, Told};
use wirecanon_report::outfile::OutFile;
use wirecanon_runner::expectation::Expectations;
use wirecanon_runner::expectation::bless::{Blessing, bless};
use wirecanon_runner::expectation::date::{self, Date};
use wirecanon_runner::expectation::hold::hold;
use wirecanon_runner::log::Log;
use wirecanon_runner::run::{TesteeRun, worst};
use wirecanon_runner::testee::quoted;

use super::Format;
use super::launch::{Choice, Launch, launch};
use super::listener;
use super::report::load;

/// Folders that files of expectations are looked for in.
const FOLDERS: [&str; 2] = ["expectations", "conformance/expectations"];

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/gate.txt").trim_ascii_end())]
pub(super) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// The file of expectations, or a folder that has one for each testee [default: expectations/NAME.toml]
    #[arg(long, value_name = "PATH")]
    expectations: Option<PathBuf>,
    /// Write what fails today into the file, with the fewest changes
    #[arg(long)]
    bless: bool,
    /// With --bless: the last day of new and of expired entries
    #[arg(long, value_name = "DAY", requires = "bless", value_parser = date::parse)]
    expires: Option<Date>,
    /// With --bless: the version of the judge that the file was written for, where it is an older one
    #[arg(long, value_name = "N", requires = "bless")]
    from_judge: Option<u64>,
    /// The day to hold expiries against [default: today, in UTC]
    #[arg(long, value_name = "DAY", value_parser = date::parse)]
    today: Option<Date>,
    /// The suite whose cases score [default: the newest that is frozen; with a --corpus that lacks cases of it, every case scores]
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// Judge this log instead of running anything
    #[arg(long, value_name = "FILE", conflicts_with_all = ["testee", "corpus", "log", "shard", "rerun", "seed", "timeout", "jobs"])]
    from_log: Option<PathBuf>,
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let log = match &args.from_log {
        Some(path) => {
            let mut log = load(path)?;
            if !log.start.filter.is_empty() {
                let message = format!("{}: this run was filtered; a gate takes the whole corpus", path.display());
                return Err(Stop::new(Exit::TooLittle, message));
            }
            // A run that was held to a suite when it ran stays so, unless another is named.
            if log.start.suite.is_none() || args.suite.is_some() {
                score(&mut log, args.suite()?.as_ref(), path)?;
            }
            log
        }
        None => {
            let suite = args.suite()?;
            let is_default_suite = args.suite.is_none();
            launch(&args.launch, &Choice { patterns: &[], suite: suite.as_ref(), is_default_suite, others: true })?
        }
    };
    if args.expectations.as_ref().is_some_and(|path| !path.is_dir()) && log.runs.len() > 1 {
        return Err(Stop::usage("one file holds what is expected of one testee: give --expectations a folder"));
    }
    if args.bless && log.start.shard.is_some() {
        return Err(Stop::usage("a shard does not see every case: merge the logs, then `gate --from-log LOG --bless`"));
    }
    let mut out = listener::stdout();
    let today = args.today.unwrap_or_else(date::today);
    let mut testees = Vec::new();
    for run in &log.runs {
        testees.push(one(args, &log, run, today)?);
    }
    let broken = (log.start.void.is_some() || !log.complete).then_some(Exit::Incomplete);
    let exit = worst(testees.iter().map(|one| one.exit).chain(broken));
    match args.format {
        Format::Human => say(&mut out, &log, &testees)?,
        Format::Json => gate_json::write(&mut out, &log, &testees, exit)?,
    }
    Ok(exit)
}

impl Args {
    /// The suite that is named, or the newest that is frozen.
    fn suite(&self) -> Result<Option<Suite>, Stop> {
        match &self.suite {
            Some(name) => suite::by_name(name).map(Some).map_err(Stop::usage),
            None => suite::newest().map_err(Stop::incomplete),
        }
    }
}

/// Lets the cases of the suite score.
fn score(log: &mut Log, suite: Option<&Suite>, path: &Path) -> Result<(), Stop> {
    let Some(suite) = suite else { return Ok(()) };
    log.score_by(suite).map_err(|changed| {
        let drift = Drift { changed, ..Drift::default() };
        let (path, suite, words) = (path.display(), &suite.suite, drift.in_words());
        Stop::usage(format!(
            "{path}: the corpus of this run is not that of the suite {suite}: {words}; name the suite that it was frozen with"
        ))
    })
}

/// Says it to people.
fn say(out: &mut dyn Write, log: &Log, testees: &[Told<'_>]) -> Result<(), Stop> {
    testees.iter().try_for_each(|one| held::write(out, one))?;
    for (kind, why) in log.faults() {
        writeln!(out, "{kind}: {why}")?;
    }
    let suite =
        log.start.suite.as_ref().map_or("no suite: every case scores".to_owned(), |suite| format!("suite {suite}"));
    let partial = log.why_partial().map_or(String::new(), |why| format!(", partial: {why}"));
    writeln!(out, "{} cases, {suite}{partial}", log.cases.len())?;
    Ok(())
}

/// Holds one testee to its file.
fn one<'l>(args: &Args, log: &'l Log, run: &'l TesteeRun, today: Date) -> Result<Told<'l>, Stop> {
    let (mut notes, mut blessed) = (Vec::new(), args.bless.then_some(false));
    let path = file_of(args.expectations.as_deref(), run.name());
    let may_be_new = args.bless || args.expectations.as_ref().is_none_or(|path| path.is_dir());
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound && may_be_new => String::new(),
        Err(error) => return Err(Stop::unread(&path, &error)),
    };
    let of_file = |why: String| Stop::usage(format!("{}: {why}", path.display()));
    let mut expectations = Expectations::parse(&text).map_err(of_file)?;
    // Two names may be written as one file.
    if let Some(other) = expectations.testee.as_deref().filter(|testee| *testee != run.name()) {
        let (other, name) = (plain(other), run.name());
        let why = format!(
            "this is what is expected of `{other}`, not of `{name}`; name another file with --expectations, or change its `testee`"
        );
        return Err(of_file(why));
    }
    let mut text = text;
    judge_of(args, log, &expectations, &path, &mut notes)?;
    let can_bless = matches!(run.exit(), Exit::Holds | Exit::Findings) && log.complete && log.start.void.is_none();
    if args.bless && can_bless {
        let held = hold(log, run, &expectations, today).map_err(of_file)?;
        let blessing = Blessing { today, expires: args.expires, expectations: &expectations, held: &held, run };
        let new = bless(&text, &blessing).map_err(of_file)?;
        if new == text {
            notes.push(format!("{}: nothing to change", path.display()));
        } else {
            OutFile::put_in_folder(&path, new.as_bytes())?;
            text = new;
            expectations = Expectations::parse(&text).map_err(of_file)?;
            notes.push(format!("{}: {} entries", path.display(), expectations.entries.len()));
            blessed = Some(true);
        }
    }
    let held = hold(log, run, &expectations, today).map_err(of_file)?;
    let whole = log.start.shard.is_none();
    let exit = match run.exit() {
        Exit::Holds | Exit::Findings if whole && expectations.judged.is_some_and(|judged| held.judged < judged) => {
            let judged = expectations.judged.unwrap_or(0);
            notes.push(format!(
                "{} was judged on {} scored cases, and {} asks for {judged}: does it claim less than before?",
                run.name(),
                held.judged,
                path.display()
            ));
            Exit::TooLittle
        }
        Exit::Holds | Exit::Findings if !held.regressions.is_empty() => Exit::Findings,
        Exit::Holds | Exit::Findings if !held.stale.is_empty() => Exit::Stale,
        Exit::Holds | Exit::Findings => Exit::Holds,
        other => other,
    };
    Ok(Told { run, commands: commands(args, run, &path), expectations, held, blessed, notes, exit })
}

/// Checks the version of the judge of the file against that of the run.
fn judge_of(
    args: &Args,
    log: &Log,
    expectations: &Expectations,
    path: &Path,
    notes: &mut Vec<String>,
) -> Result<(), Stop> {
    let (file, run, path) = (expectations.judge, log.start.judge, path.display());
    if file > run {
        return Err(Stop::usage(format!(
            "{path} is for judge {file}, and the log has verdicts of judge {run}: run the testee again with this version"
        )));
    }
    match args.from_judge {
        Some(from) if from != file && file != run => {
            Err(Stop::usage(format!("{path} is for judge {file}, not {from}: give --from-judge {file}")))
        }
        None if file < run && args.bless => Err(Stop::usage(format!(
            "{path} is for judge {file}, and verdicts of judge {run} differ: --bless --from-judge {file} rewrites it; \
             docs/judge.md says why a verdict changed"
        ))),
        None if file < run => {
            notes.push(format!(
                "{path} is for judge {file}; this run has verdicts of judge {run}: `gate --bless --from-judge {file}` rewrites it"
            ));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The file of a testee.
fn file_of(given: Option<&Path>, name: &str) -> PathBuf {
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        let c = if c.is_alphanumeric() || c == '.' || c == '_' { c } else { '-' };
        if c != '-' || !slug.ends_with('-') {
            slug.push(c);
        }
    }
    let slug = slug.trim_matches(['-', '.']);
    let file = format!("{}.toml", if slug.is_empty() { "testee" } else { slug });
    match given {
        Some(path) if path.is_dir() => path.join(file),
        Some(path) => path.to_owned(),
        None => {
            let folder = FOLDERS.iter().find(|folder| Path::new(folder).is_dir()).unwrap_or(&FOLDERS[0]);
            Path::new(folder).join(file)
        }
    }
}

/// The commands that a finding names.
fn commands(args: &Args, run: &TesteeRun, file: &Path) -> Commands {
    let file = file.display().to_string();
    let testee = quoted(&run.argument);
    let from = match &args.from_log {
        Some(log) => format!("--from-log {}", quoted(&log.display().to_string())),
        None => format!("--testee {testee}"),
    };
    let expectations = match &args.expectations {
        Some(path) => format!(" --expectations {}", quoted(&path.display().to_string())),
        None => String::new(),
    };
    let corpus = match &args.launch.corpus {
        Some(path) => format!(" --corpus {}", quoted(&path.display().to_string())),
        None => String::new(),
    };
    Commands {
        test: format!("wirecanon test --testee {testee}{corpus}"),
        bless: format!("wirecanon gate {from}{corpus}{expectations} --bless"),
        file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_testee_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "../../etc/cron.d/x",
            "/etc/passwd",
            "..",
            ".",
            "",
            "..\\..\\x",
            "C:\\x",
            "a\0b",
            "a\nb",
            ".bashrc",
            "~/.ssh",
            "x/..",
        ] {
            for given in [Some(folder.path()), None] {
                let path = file_of(given, name);
                let last = path.file_name().and_then(|last| last.to_str()).expect("a name");
                let plain = last.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'));
                assert!(plain && !last.starts_with('.') && last.strip_suffix(".toml").is_some(), "{name:?}: {last:?}");
                let parent = path.parent().expect("a folder");
                let own =
                    given.map_or(FOLDERS.iter().any(|folder| parent == Path::new(folder)), |given| parent == given);
                assert!(own, "{name:?}: {}", path.display());
            }
        }
    }
}
