//! `wirecanon fix --in-place`: session files, mended where they are.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{Dialect, ErrorKind, Fixed, Mode, Options, Report, fix};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::{self, plain};
use wirecanon_report::flaws::{self, Told};
use wirecanon_report::human::{BAD, BOLD, FAINT, GOOD, ODD};
use wirecanon_report::mended::{self, Outcome};
use wirecanon_report::outfile::OutFile;
use wirecanon_report::redact::Redactor;
use wirecanon_report::snippet::{Snippet, columns};
use wirecanon_report::{changes, fixed};
use wirecanon_runner::interrupt;
use wirecanon_session::inplace::walk::{self, Named, Walked, walk};
use wirecanon_session::inplace::{Held, Refused, is_same_file};
use wirecanon_session::lines::Lines;
use wirecanon_session::{self as session, Found, Transcript, Woven};

use super::listener;
use super::written;

/// How files are mended.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Manner<'a> {
    /// How each transcript is
    pub(super) options: Options<'a>,
    /// What transcripts are for; the usual one of each where nothing was asked for
    pub(super) mode: Option<Mode>,
    pub(super) lines: Option<Lines>,
    /// Where to say for programs what became of each file
    pub(super) report: Option<&'a Path>,
    /// Show what would change, and write nothing
    pub(super) dry_run: bool,
    pub(super) backup: bool,
    pub(super) redact: bool,
    pub(super) exit_code: bool,
}

/// What is to be said of a file beside its outcome.
#[derive(Default)]
struct Said {
    /// To people
    words: String,
    /// To programs, if that was asked for: what was changed in each transcript, from the last to the first
    reports: Vec<(Option<usize>, Report<'static>)>,
    /// What is said of the lines of the file
    lines: Vec<Told>,
}

/// What was found of each kind.
#[derive(Default)]
struct Count {
    clean: usize,
    mended: usize,
    refused: usize,
    skipped: usize,
    worst: Option<Exit>,
}

pub(super) fn run(paths: &[PathBuf], manner: &Manner<'_>) -> Result<Exit, Stop> {
    let Walked { files, skipped, others, incomplete } = walk(paths)?;
    if let Some(path) = files.iter().map(|file| &file.path).find(|path| path.as_os_str() == "-") {
        return Err(Stop::usage(format!("`{}` cannot be mended in its place; leave `--in-place` out", path.display())));
    }
    let mut report = Ledger::create(manner, &files)?;
    // Between two files is the moment to end: in the midst of one nothing is half written either.
    let stop = interrupt::stop_on_signal();
    let mut out = listener::stdout();
    let worst = incomplete.then_some(Exit::Incomplete);
    let mut count = Count { skipped: skipped.len(), worst, ..Count::default() };
    let mut failed = None;
    for (path, why) in &skipped {
        writeln!(out, "{BOLD}{}{BOLD:#}: skipped: {why}", plain(&path.to_string_lossy()))?;
        failed = failed.or(report.tell(path, &Outcome::Skipped { why: why.clone() }, &Said::default()).err());
    }
    let mut left = files.len();
    for file in &files {
        // What nobody is told of is not done.
        if stop.load(Ordering::Relaxed) || failed.is_some() {
            break;
        }
        left -= 1;
        let mut said = Said::default();
        let outcome = mend(file, manner, &mut said).unwrap_or_else(|outcome| outcome);
        let text = one(file, &outcome, &said.words, &mut count);
        out.write_all(text.as_bytes())?;
        failed = report.tell(&file.path, &outcome, &said).err();
    }
    summary(&mut out, &count, manner, others, left, &stop)?;
    report.finish(failed, left)?;
    let done = count.clean + count.mended + count.refused;
    Ok(match count.worst {
        _ if left > 0 => Exit::Incomplete,
        Some(worst) => worst,
        None if done == 0 => Exit::TooLittle,
        None if manner.exit_code && count.mended > 0 => Exit::Findings,
        None => Exit::Holds,
    })
}

fn summary(
    out: &mut dyn Write,
    count: &Count,
    manner: &Manner<'_>,
    others: usize,
    left: usize,
    stop: &AtomicBool,
) -> Result<(), Stop> {
    let files = count.clean + count.mended + count.refused;
    let files = plain::count(files, "session file");
    let mended = if manner.dry_run { "to mend" } else { "mended" };
    write!(out, "{BOLD}{files}{BOLD:#}: {GOOD}{} clean{GOOD:#}, {ODD}{} {mended}{ODD:#}", count.clean, count.mended)?;
    if count.refused > 0 {
        write!(out, ", {BAD}{} refused{BAD:#}", count.refused)?;
    }
    if count.skipped > 0 {
        write!(out, "; {} skipped", count.skipped)?;
    }
    if others > 0 {
        write!(out, "; {FAINT}{}{FAINT:#}", walk::other_files(others))?;
    }
    if manner.dry_run {
        write!(out, "; nothing was written")?;
    }
    writeln!(out)?;
    if left > 0 && stop.load(Ordering::Relaxed) {
        writeln!(out, "{BAD}interrupted{BAD:#}: {left} files were not looked at; all others are whole")?;
    }
    Ok(())
}

/// Counts a file, and says what became of it.
fn one(file: &Named, outcome: &Outcome, said: &str, count: &mut Count) -> String {
    let name = file.path.display();
    let mut text = String::new();
    let line = match outcome {
        Outcome::Clean => {
            count.clean += 1;
            if file.is_found() && said.is_empty() {
                return text;
            }
            if said.is_empty() { format!("{GOOD}clean{GOOD:#}") } else { format!("{ODD}nothing can be mended{ODD:#}") }
        }
        Outcome::ToMend => {
            count.mended += 1;
            format!("{ODD}would be mended{ODD:#}")
        }
        Outcome::Mended { backup } => {
            count.mended += 1;
            match backup {
                Some(backup) => {
                    let backup = backup.file_name().unwrap_or_default().to_string_lossy();
                    format!("{ODD}mended{ODD:#}; as it was: {}", plain(&backup))
                }
                None => format!("{ODD}mended{ODD:#}"),
            }
        }
        Outcome::Skipped { why } => {
            count.skipped += 1;
            format!("skipped: {why}")
        }
        Outcome::Refused { why, exit } => {
            count.refused += 1;
            count.worst = count.worst.max(Some(*exit));
            format!("{BAD}refused{BAD:#}: {why}")
        }
    };
    // A string takes all that is written to it.
    let _ = writeln!(text, "{BOLD}{}{BOLD:#}: {line}", plain(&name.to_string()));
    text + said
}

/// What becomes of a file; an error is what it stays for.
fn mend(file: &Named, manner: &Manner<'_>, said: &mut Said) -> Result<Outcome, Outcome> {
    let io = |refused: Refused| Outcome::Refused { why: refused.words().to_owned(), exit: Exit::Incomplete };
    let held = match &file.root {
        Some(root) => Held::open_found(root, &file.path),
        None => Held::open(&file.path),
    };
    let mut held = held.map_err(io)?;
    let (text, rest) = session::text(held.bytes()).map_err(|found| {
        if !manner.redact && !file.is_found() {
            said.words = written(|out| Snippet::of_bytes(held.bytes(), &found, columns()).write(out, "  "));
        }
        if session::shows(held.bytes()) {
            return refused(found);
        }
        no_session(file, format!("{found}; `wirecanon fix` without `--in-place` reads it"))
    })?;
    let rest = rest.to_owned();
    let limits = manner.options.limits;
    let found = session::read(text, manner.lines, &limits).map_err(|error| match error.kind() {
        ErrorKind::Undetected => refused(error),
        _ => no_session(file, error.to_string()),
    })?;
    if file.is_found()
        && let Some(why) = found.is_none(&limits)
    {
        return Err(Outcome::Skipped { why });
    }
    said.lines = flaws::told(&found.flaws, text, manner.redact);
    said.words = written(|out| flaws::write(out, &said.lines, false));
    let Some(woven) = mended(file, text, found, manner, said)? else { return Ok(Outcome::Clean) };
    if manner.dry_run {
        let mended = proven(woven, limits, said)?;
        if !manner.redact {
            said.words.push_str(&changes::unified(&file.path.display().to_string(), text, &mended));
        }
        return Ok(Outcome::ToMend);
    }
    held.forget();
    let mut mended = proven(woven, limits, said)?.into_bytes();
    mended.extend(rest);
    let replaced = held.replace(&mended, manner.backup).map_err(|refused| {
        *said = Said::default();
        io(refused)
    })?;
    for lost in &replaced.lost {
        let name = plain(&file.path.to_string_lossy()).into_owned();
        // Nobody is left to tell when this fails.
        let _ = writeln!(listener::stderr(), "{ODD}warning{ODD:#}: {name}: {lost}");
    }
    Ok(Outcome::Mended { backup: replaced.backup })
}

/// The text, if nothing but what was mended differs; else nothing is said of it.
fn proven(woven: Woven, limits: Limits, said: &mut Said) -> Result<String, Outcome> {
    woven.proven(limits).map_err(|why| {
        *said = Said::default();
        refused(why)
    })
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` gives the error itself")]
fn refused(why: impl ToString) -> Outcome {
    Outcome::Refused { why: why.to_string(), exit: Exit::Usage }
}

/// What becomes of a file that is no session: one that was named was to be mended.
fn no_session(file: &Named, why: String) -> Outcome {
    if file.is_found() { Outcome::Skipped { why } } else { refused(why) }
}

/// The whole mended file; nothing if all is as it should be.
fn mended(
    file: &Named,
    text: &str,
    found: Found<'_>,
    manner: &Manner<'_>,
    said: &mut Said,
) -> Result<Option<Woven>, Outcome> {
    let mut whole: Option<Woven> = None;
    // From the last to the first, so that the places of those before stay what they are.
    let mut told = Vec::new();
    let lines = manner.lines.unwrap_or_else(|| Lines::of(text.as_bytes()));
    let mode = manner.mode.unwrap_or_else(|| session::usual_mode(lines, found.title));
    for (number, mut transcript) in found.transcripts.into_iter().enumerate().rev() {
        let place = transcript.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let options = Options { mode, ..manner.options_for(&transcript).map_err(refused)? };
        let result = fix(transcript.document.as_bytes(), &options);
        let Fixed { output, report } = match result {
            Ok(fixed) => fixed,
            Err(error) if number == 0 && found.title.is_none() => {
                return Err(no_session(file, format!("{place}{error}")));
            }
            Err(error) => return Err(refused(format!("{place}{error}"))),
        };
        if report.from != report.to && manner.options.to.is_none_or(|to| to.dialect.name() != report.from) {
            return Err(refused(format!("{place}it is {}, and a file stays in its dialect", report.from)));
        }
        if *output == *transcript.document.as_bytes() && transcript.is_straight() {
            continue;
        }
        let dialect = Dialect::by_name(&report.from);
        if dialect.is_some_and(|dialect| transcript.is_response(dialect, manner.options.limits)) {
            let why =
                "a provider's response, and no history; `wirecanon fix` without `--in-place` makes one of its message";
            return Err(no_session(file, format!("{place}{why}")));
        }
        let output = String::from_utf8(output.into_owned())
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        told.push(tell(&transcript, &report, text, manner));
        let renamed = report.ids.clone();
        let ids: Vec<(&str, &str)> = renamed.iter().map(|id| (&*id.from, &*id.to)).collect();
        if manner.report.is_some() {
            said.reports.push((transcript.line, report.into_owned()));
        }
        // Of a file of gigabytes each copy weighs, and this one has been read.
        transcript.document = Cow::Borrowed("");
        let before = whole.as_ref().map_or(text, Woven::text);
        let woven = transcript.into_woven(before, output, &ids, manner.options.limits);
        whole = Some(woven.map_err(|why| refused(format!("{place}{why}")))?);
    }
    told.iter().rev().for_each(|one| said.words.push_str(one));
    Ok(whole)
}

/// What was changed in one transcript, with the lines of the file.
fn tell(transcript: &Transcript<'_>, report: &Report, text: &str, manner: &Manner<'_>) -> String {
    let json = Json::parse(&transcript.document, &manner.options.limits);
    let lines = |pointer: &str| {
        let json = json.as_ref().ok()?;
        let place = transcript.place(wirecanon_core::json::resolve(json.root(), pointer)?.span().start);
        Some(text[..place].bytes().filter(|byte| *byte == b'\n').count() + 1)
    };
    let mut redacted = None;
    if manner.redact {
        Redactor::default().changes(redacted.insert(report.clone()));
    }
    written(|out| fixed::write_changes(out, redacted.as_ref().unwrap_or(report), &lines))
}

/// The report for programs, if one is asked for.
struct Ledger<'a> {
    manner: &'a Manner<'a>,
    file: Option<OutFile>,
}

impl<'a> Ledger<'a> {
    fn create(manner: &'a Manner<'a>, files: &[Named]) -> Result<Self, Stop> {
        let Some(report) = manner.report else { return Ok(Self { manner, file: None }) };
        if files.iter().any(|file| is_same_file(&file.path, report)) {
            let words = "this is one of the files to mend; name another one for the report";
            return Err(Stop::usage(format!("{}: {words}", report.display())));
        }
        Ok(Self { manner, file: Some(OutFile::create(report)?) })
    }

    /// Says what became of a file. Each has texts of its own, and so tokens of its own.
    fn tell(&mut self, path: &Path, outcome: &Outcome, said: &Said) -> Result<(), Stop> {
        let Some(out) = &mut self.file else { return Ok(()) };
        let mut redactor = self.manner.redact.then(Redactor::default);
        out.write(|out| mended::write(out, path, outcome, &said.lines, said.reports.iter().rev(), redactor.as_mut()))
    }

    /// Puts it in its place, whatever came between: of what was done it is true.
    fn finish(self, failed: Option<Stop>, left: usize) -> Result<(), Stop> {
        let done = match (failed, self.file) {
            (Some(stop), _) => Err(stop),
            (None, Some(file)) => file.finish(),
            (None, None) => return Ok(()),
        };
        done.map_err(|mut stop| {
            if let Some(message) = stop.message.as_mut().filter(|_| left > 0) {
                let _ = write!(message, "; {left} files were not looked at");
            }
            stop
        })
    }
}

impl Manner<'_> {
    fn options_for(&self, transcript: &Transcript<'_>) -> Result<Options<'_>, String> {
        let mut options = self.options.clone();
        if let Some(dialect) = transcript.dialect {
            options.from = wirecanon_core::From::Dialect(dialect);
            if let Some(to) = options.to.filter(|to| to.dialect != dialect) {
                let (own, to) = (dialect.name(), &to.name);
                return Err(format!(
                    "its messages are {own}, and stay so in their place; leave `--to {to}` out (`--to {own}` counts more than a file)"
                ));
            }
        }
        Ok(options)
    }
}

/// Why `fix` of one file stops.
pub(super) fn not_one(paths: &[PathBuf]) -> Stop {
    let first = paths.first().map_or_else(|| "-".to_owned(), |path| Path::new(path).display().to_string());
    Stop::usage(format!(
        "{first} and {} more: there is one result, on stdout or with `-o`; `--in-place` mends many files",
        paths.len() - 1
    ))
}
