//! `wirecanon findings`: what published packages do wrong, again.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use wirecanon_cases::corpus;
use wirecanon_cases::near::unknown;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::shorten;
use wirecanon_judge::problem::Problem;
use wirecanon_report::human::{BAD, BOLD, FAINT, GOOD, ODD};
use wirecanon_report::outfile::OutFile;
use wirecanon_runner::adapter::{self, Adapter};
use wirecanon_runner::finding::Finding;
use wirecanon_runner::finding::answers::{self, Answers, Key};
use wirecanon_runner::finding::ask::{self, Asked};
use wirecanon_runner::finding::hold::{Outcome, hold};
use wirecanon_runner::run;
use wirecanon_runner::testee::Budget;

use super::listener;
use crate::finding::{self, index, page};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/findings.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Only these findings, as `testee/id`; `*` stands for any text
    #[arg(value_name = "FINDING")]
    names: Vec<String>,
    /// Only the findings of this testee; may be given again
    #[arg(long, value_name = "NAME")]
    testee: Vec<String>,
    /// Start this command instead of the testee: another version of the package, or another program that converts the same
    #[arg(long, value_name = "CMD", conflicts_with = "recorded")]
    command: Option<String>,
    /// Take the findings of this folder instead of those that are built in
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Start nothing: judge what was answered last
    #[arg(long)]
    recorded: bool,
    /// Keep what is answered in the folder of --folder
    #[arg(long, requires = "folder", conflicts_with_all = ["recorded", "command"])]
    record: bool,
    /// Write an index of all findings to this file, and a page of each package into the folder of its name, if all are so; those
    /// that are not asked now are judged as recorded
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    write: Option<PathBuf>,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = super::duration::seconds)]
    timeout: Duration,
    /// Seconds that a testee may take until it says what it is; left out, what the adapter says of itself, or 60
    #[arg(long, value_name = "SECONDS", value_parser = super::duration::seconds)]
    startup_timeout: Option<Duration>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    if let Some(path) = args.write.as_ref().filter(|path| path.extension().is_none_or(|end| end != "md")) {
        let cure = "name a file `NAME.md`; the pages of packages go into the folder NAME beside it";
        return Err(Stop::usage(format!("{}: {cure}", path.display())));
    }
    let files = args.folder.as_deref().map(of_folder).transpose()?;
    let files: Vec<(&str, &[u8])> = match &files {
        Some(files) => files.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect(),
        None => finding::FILES.to_vec(),
    };
    let corpus = corpus::load().map_err(Stop::incomplete)?;
    let all = finding::load(&files, &corpus).map_err(|faults| wrong(args, &faults))?;
    let adapters = adapter::all().map_err(Stop::incomplete)?;
    let chosen = choose(args, &all)?;
    let kept = if args.recorded || args.record || args.write.is_some() {
        answers::read(&files)
            .or_else(|faults| if args.record { Ok(Answers::new()) } else { Err(wrong(args, &faults)) })?
    } else {
        Answers::new()
    };
    let mut asked = if args.recorded { Asked::default() } else { asked(args, &chosen)? };
    let mut known = asked.answers.clone();
    if args.recorded || args.write.is_some() {
        for (key, answer) in &kept {
            known.entry(key.clone()).or_insert_with(|| answer.clone());
        }
    }
    let outcomes: Vec<Outcome<'_>> = chosen.iter().map(|finding| hold(finding, &known)).collect();
    let mut out = listener::stdout();
    if let ([outcome], false) = (outcomes.as_slice(), args.names.is_empty()) {
        let adapter = adapters.iter().find(|adapter| adapter.name == outcome.finding.adapter());
        if let Some(adapter) = adapter.filter(|_| outcome.said.is_some()) {
            writeln!(out, "{}", page::entry(outcome, adapter, true))?;
        }
    }
    let exit = told(&mut out, &outcomes, &asked, &adapters)?;
    let gone = outcomes.iter().any(|outcome| !outcome.gone.is_empty());
    if gone && (args.record || args.write.is_some()) {
        return Err(Stop::new(Exit::Findings, "nothing is written, since not all of it is so"));
    }
    if let (true, Some(folder)) = (args.record, &args.folder) {
        record(folder, &all, kept, &mut asked.answers)?;
    }
    if let Some(path) = &args.write {
        write_pages(path, &all, &known, &adapters)?;
    }
    Ok(exit)
}

/// Asks what is installed; a testee that was named must be.
fn asked(args: &Args, chosen: &[&Finding]) -> Result<Asked, Stop> {
    if let (Some(_), Some(other)) = (&args.command, ask::testees(chosen).iter().nth(1)) {
        let cure = "name one testee with --testee";
        return Err(Stop::usage(format!("--command stands for one testee, and `{other}` is asked too: {cure}")));
    }
    let budget = Budget { timeout: args.timeout, startup: args.startup_timeout, restarts: 1000, ..Budget::default() };
    let told = |name: &str, questions: usize| {
        // Nobody is left to tell when this fails.
        let _ = writeln!(listener::stderr(), "{FAINT}{name}: {questions} questions{FAINT:#}");
    };
    let asked = ask::ask(chosen, budget, |_| args.command.clone(), told);
    // What was named must be there; where else a finding shows itself need not.
    let named = !args.names.is_empty() || !args.testee.is_empty();
    let needed = |testee: &String| named && chosen.iter().any(|finding| finding.probe.testee == *testee);
    if let Some((_, why)) = asked.silent.iter().find(|(testee, _)| needed(testee)) {
        return Err(Stop::usage(why.clone()));
    }
    Ok(asked)
}

fn choose<'f>(args: &Args, all: &'f [Finding]) -> Result<Vec<&'f Finding>, Stop> {
    let names = || all.iter().map(|finding| finding.name.as_str());
    for name in args.names.iter().filter(|name| !name.contains(['*', '?'])) {
        if !names().any(|other| other == name) {
            return Err(Stop::usage(unknown("finding", name, names(), "docs/findings.md has them all")));
        }
    }
    let chosen: Vec<&Finding> = all
        .iter()
        .filter(|finding| args.names.is_empty() || finding.is_one_of(&args.names))
        .filter(|finding| args.testee.is_empty() || args.testee.iter().any(|testee| is_of(finding, testee)))
        .collect();
    if chosen.is_empty() {
        return Err(Stop::new(Exit::TooLittle, "no finding is meant by this: nothing was asked"));
    }
    Ok(chosen)
}

fn is_of(finding: &Finding, testee: &str) -> bool {
    finding.adapter() == testee || finding.probe.testee == testee
}

/// One line a finding, the reasons under those that are not so, and the sum.
fn told(out: &mut dyn Write, outcomes: &[Outcome<'_>], asked: &Asked, adapters: &[Adapter]) -> Result<Exit, Stop> {
    let mut last = "";
    for outcome in outcomes {
        let finding = outcome.finding;
        if last != finding.adapter() {
            last = finding.adapter();
            let packages = adapters.iter().find(|adapter| adapter.name == last).map(|adapter| &adapter.package);
            let packages: Vec<_> =
                packages.into_iter().flatten().map(|package| format!("{} {}", package.name, package.version)).collect();
            writeln!(out, "{BOLD}{last}{BOLD:#}  {FAINT}{}{FAINT:#}", packages.join(", "))?;
        }
        let (style, state) = match outcome {
            Outcome { gone, .. } if !gone.is_empty() => (BAD, "not so"),
            outcome if outcome.is_so() => (GOOD, "so"),
            _ => (ODD, "not asked"),
        };
        writeln!(out, "  {style}{state}{style:#}  {}  {}", finding.name, finding.title)?;
        for why in &outcome.gone {
            writeln!(out, "    {}", shorten(why, 400))?;
        }
    }
    for (testee, why) in asked.silent.iter().chain(&asked.broken) {
        writeln!(out, "{ODD}not asked{ODD:#}: {testee}: {}", shorten(why, 300))?;
    }
    let so = outcomes.iter().filter(|outcome| outcome.is_so()).count();
    let gone = outcomes.iter().filter(|outcome| !outcome.gone.is_empty()).count();
    let unasked = outcomes.len() - so - gone;
    let style = if gone > 0 { BAD } else { GOOD };
    writeln!(
        out,
        "{style}{so} of {} findings are so{style:#}, {gone} are not, {unasked} were not asked",
        outcomes.len()
    )?;
    let mut exits = vec![if gone > 0 { Exit::Findings } else { Exit::Holds }];
    if !asked.broken.is_empty() {
        exits.push(Exit::Testee);
    }
    if so + gone == 0 {
        exits.push(Exit::TooLittle);
    } else if unasked > 0 {
        exits.push(Exit::Incomplete);
    }
    Ok(run::worst(exits))
}

/// Writes the answers of every testee that was asked; of what was not asked now the old ones stay.
fn record(folder: &Path, all: &[Finding], kept: Answers, asked: &mut Answers) -> Result<(), Stop> {
    let all: Vec<&Finding> = all.iter().collect();
    let testees: Vec<String> =
        ask::testees(&all).into_iter().filter(|testee| asked.keys().any(|key| key.testee == *testee)).collect();
    for (key, answer) in kept {
        asked.entry(key).or_insert(answer);
    }
    let wanted: std::collections::BTreeSet<Key> =
        all.iter().flat_map(|finding| finding.probes()).map(Key::of).collect();
    asked.retain(|key, _| wanted.contains(key));
    for testee in testees {
        let Some(text) = answers::written(&testee, asked) else { continue };
        let path = folder.join(answers::file_of(&testee));
        OutFile::put_in_folder(&path, text.as_bytes())?;
    }
    Ok(())
}

/// Writes the index of all findings and a page of each package, if each is known to be so.
fn write_pages(path: &Path, all: &[Finding], known: &Answers, adapters: &[Adapter]) -> Result<(), Stop> {
    let outcomes: Vec<Outcome<'_>> = all.iter().map(|finding| hold(finding, known)).collect();
    if let Some(outcome) = outcomes.iter().find(|outcome| !outcome.holds()) {
        let name = &outcome.finding.name;
        let why = match (outcome.gone.first(), outcome.unasked.first()) {
            (Some(why), _) => shorten(why, 300),
            (None, Some(probe)) => format!("nothing is recorded of `{}`: ask it with --record", probe.testee),
            (None, None) => "it is not known to be so".to_owned(),
        };
        return Err(Stop::incomplete(format!("the pages are not written: {name}: {why}")));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let beside = path.with_extension("");
    fs::create_dir_all(&beside).map_err(|error| Stop::unmade(&beside, &error))?;
    let pages = index::pages(&outcomes, adapters, &stem);
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    for (name, text) in &pages {
        let mut file = OutFile::create(folder.join(name))?;
        file.write(|out| out.write_all(text.as_bytes()))?;
        files.push(file);
    }
    // Each is written by now: nothing is put in its place while another cannot be.
    files.into_iter().try_for_each(OutFile::finish)?;
    without_old(&beside, |name| pages.contains_key(&format!("{stem}/{name}")))
}

/// Removes the pages of packages of which nothing is known any more, and nothing else.
fn without_old(folder: &Path, is_new: impl Fn(&str) -> bool) -> Result<(), Stop> {
    let cannot = |error: std::io::Error| Stop::usage(format!("{}: cannot be tidied: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name().to_string_lossy().into_owned();
        let Some(adapter) = name.strip_suffix(".md").filter(|_| !is_new(&name)) else { continue };
        if fs::read_to_string(folder.join(&name)).is_ok_and(|text| text.starts_with(&page::heading(adapter))) {
            fs::remove_file(folder.join(name)).map_err(cannot)?;
        }
    }
    Ok(())
}

/// Every file of a folder of findings, and of the answers in it.
fn of_folder(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Stop> {
    let cannot = |path: &Path, error: std::io::Error| Stop::unread(path, &error);
    let mut files = Vec::new();
    for (below, end) in [("", "toml"), (answers::FOLDER, "jsonl")] {
        let place = folder.join(below);
        if !below.is_empty() && !place.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&place).map_err(|error| cannot(&place, error))? {
            let path = entry.map_err(|error| cannot(&place, error))?.path();
            if path.extension().is_some_and(|own| own == end) {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let text = fs::read(&path).map_err(|error| cannot(&path, error))?;
                files.push((format!("{below}{name}"), text));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// All faults, since who mends one wants to mend all; those of built-in files are this program's own.
fn wrong(args: &Args, faults: &[Problem]) -> Stop {
    let place = args.folder.as_ref().map_or(String::new(), |folder| format!("{}/", folder.display()));
    let lines: Vec<_> = faults.iter().map(|fault| format!("{place}{fault}")).collect();
    Stop::new(if args.folder.is_some() { Exit::Usage } else { Exit::Incomplete }, lines.join("\n"))
}
