//! `wirecanon check`: would the target take this?

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use wirecanon_cases::near::unknown;
use wirecanon_core::dialect::unsupported;
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_core::target::Level;
use wirecanon_core::{
    CheckOptions, Checked as Found, Dialect, ErrorKind, Mode, Target, Violation, check, check_supported, rule,
};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::plain;
use wirecanon_judge::utf8;
use wirecanon_report::checked::{Checked, Form, Source, Telling, places};
use wirecanon_report::flaws;
use wirecanon_report::human::BAD;
use wirecanon_report::opinion::SecondOpinion;
use wirecanon_report::redact::Redactor;
use wirecanon_report::snippet::columns;
use wirecanon_session::inplace::walk::{Named, other_files, walk};
use wirecanon_session::lines::{dialect_of, evidence};
use wirecanon_session::{self as session, Flaw};

use super::input::{Input, Lines};
use super::listener;
use super::revision::{self, Wanted};
use super::target::Choice;
use super::watch::watch;
use super::{For, in_text, of_file, text_of};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/check.txt").trim_ascii_end())]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Args {
    /// Transcripts: JSON, JSON Lines, session files, and folders of them; `-` is stdin
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Dialect or target whose rules hold; left out, the dialect that is found
    #[arg(long, value_name = "TARGET", visible_alias = "to")]
    target: Option<String>,
    /// Also hold each message against the JSON Schema of the dialect: a second opinion, written from what the provider
    /// publishes
    #[arg(long)]
    schema: bool,
    /// What the transcript is for [default: request; history for a session]
    #[arg(long = "for", value_enum)]
    purpose: Option<For>,
    /// The input is a lone tool result: leave pairing out
    #[arg(long)]
    fragment: bool,
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Form,
    /// A rule that may be broken: it is counted apart and fails nothing; may be given again
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
    /// Exit with 1 for warnings, too
    #[arg(long)]
    strict: bool,
    /// Broken rules, in all files together, that fail nothing
    #[arg(long, value_name = "N", default_value_t = 0)]
    max: usize,
    /// Show nothing of what the files say: rules in general words, and tokens for keys that are not of the wire
    #[arg(long)]
    redact: bool,
    /// Deepest nesting that is read
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_depth)]
    max_depth: usize,
    /// What the lines of the input are; left out, found from the first of them
    #[arg(long, value_enum)]
    lines: Option<Lines>,
    /// Judge again whenever one of the files changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    choice: Choice,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    if !args.watch {
        return once(args);
    }
    if args.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Stop::usage("`--watch` needs files: stdin is read once"));
    }
    watch(&args.paths, || once(args))
}

/// What is said of a rule that nobody knows.
pub(super) fn unknown_rule(id: &str) -> Option<String> {
    if rule::by_id(id).is_some() || session::rule_by_id(id).is_some() {
        return None;
    }
    let faults = session::RULES.iter().filter(|rule| rule.fails).map(|rule| rule.id);
    Some(unknown("rule", id, rule::all().map(|rule| rule.id).chain(faults), "see `wirecanon list rules`"))
}

fn once(args: &Args) -> Result<Exit, Stop> {
    let chosen = args.choice.target(args.target.as_deref().filter(|name| !revision::is_auto(name)), "--target")?;
    let wanted = match (&args.target, chosen.as_deref()) {
        (Some(name), _) if revision::is_auto(name) => Some(revision::wanted(name)?),
        (_, chosen) => chosen.map(Wanted::One),
    };
    for rule in &args.allow {
        if let Some(unknown) = unknown_rule(rule) {
            return Err(Stop::usage(format!("`--allow`: {unknown}")));
        }
    }
    let mut opinions = Opinions::default();
    // An unknown dialect is said before any file is read.
    if let Some(Wanted::One(target)) = wanted.as_ref().filter(|_| args.schema) {
        opinions.of(target)?;
    }
    let walked = walk(&args.paths)?;
    let mut telling = Telling::new(args.format);
    if walked.is_of_folders() {
        telling.only_broken();
    }
    let columns = (args.format == Form::Human && !args.redact).then(columns);
    let redactor = Redactor::default();
    let mut round = Round {
        args,
        wanted: wanted.as_ref(),
        opinions,
        telling,
        redactor,
        columns,
        broken: 0,
        mismatches: 0,
        texts: 0,
        worst: walked.incomplete.then_some(Exit::Incomplete),
    };
    let mut skipped = walked.skipped;
    let alone = walked.files.len() == 1;
    for file in &walked.files {
        let stop = match round.file(file) {
            Ok(()) => continue,
            Err(stop) if alone && !file.is_found() => return Err(stop),
            Err(stop) => stop,
        };
        let message = stop.message.unwrap_or_default();
        if file.is_found() && stop.exit == Exit::Usage {
            let name = format!("{}: ", plain(&file.path.to_string_lossy()));
            let why = message.strip_prefix(&name).unwrap_or(&message);
            skipped.push((file.path.clone(), why.lines().next().unwrap_or_default().to_owned()));
            continue;
        }
        writeln!(listener::stderr(), "{BAD}error{BAD:#}: {message}")?;
        round.worst = round.worst.max(Some(stop.exit));
    }
    let mut err = listener::stderr();
    for (path, why) in &skipped {
        writeln!(err, "{}: skipped: {why}", plain(&path.to_string_lossy()))?;
    }
    if walked.others > 0 {
        writeln!(err, "{}", other_files(walked.others))?;
    }
    let mut out = listener::stdout();
    let Round { telling, broken, mismatches, texts, worst, .. } = round;
    telling.end(&mut out)?;
    Ok(match worst {
        Some(worst) => worst,
        None if texts == 0 => return Err(Stop::new(Exit::TooLittle, "no session was found: nothing was judged")),
        None if broken > args.max || mismatches > 0 => Exit::Findings,
        None => Exit::Holds,
    })
}

/// The schemas that were asked so far, by target.
#[derive(Default)]
struct Opinions(HashMap<String, SecondOpinion>);

impl Opinions {
    fn of(&mut self, target: &Target) -> Result<&SecondOpinion, Stop> {
        if !self.0.contains_key(&*target.name) {
            let revision = target.name.split_once('@').map(|(_, revision)| revision);
            let opinion = SecondOpinion::new(target.dialect, revision)
                .map_err(|error| Stop::usage(format!("`--schema`: {error}")))?;
            self.0.insert(target.name.clone(), opinion);
        }
        Ok(&self.0[&*target.name])
    }
}

/// What is told and counted over all texts.
struct Round<'a> {
    args: &'a Args,
    wanted: Option<&'a Wanted<'a>>,
    opinions: Opinions,
    telling: Telling,
    redactor: Redactor,
    /// Of the terminal, where lines of the files are shown
    columns: Option<usize>,
    broken: usize,
    mismatches: usize,
    texts: usize,
    /// The exit code of the worst file that could not be judged
    worst: Option<Exit>,
}

/// A text, and where it comes from.
struct Text<'t> {
    file: &'t str,
    /// The line that it stands on, where a file has a text a line
    line: Option<usize>,
    bytes: &'t [u8],
    mode: Mode,
    /// Its dialect, where the file says it
    dialect: Option<Dialect>,
    /// What the file is, where the text stands inside something
    inside: Option<&'static str>,
    /// What is said of the lines of its file
    flaws: &'t [Flaw],
    source: Source<'t>,
}

impl Round<'_> {
    /// Judges the texts of one file.
    fn file(&mut self, file: &Named) -> Result<(), Stop> {
        let mut input = match &file.root {
            Some(root) => Input::open_found(root, &file.path)?,
            None => Input::open(&file.path)?,
        };
        let name = input.name.clone();
        let lines = match self.args.lines {
            Some(lines) => lines,
            None if input.is_session()? => Lines::Json,
            None => input.lines()?,
        };
        if lines != Lines::Sessions {
            let text = input.text(Limits { max_depth: self.args.max_depth })?;
            return self.bytes(&name, None, lines, &text, file.is_found());
        }
        let (mut number, mut line) = (0, Vec::new());
        while input.next_line(&mut line)? {
            number += 1;
            if !line.trim_ascii().is_empty() {
                self.bytes(&name, Some(number), Lines::Json, &line, file.is_found())?;
            }
        }
        if number == 0 {
            return Err(Stop::usage(format!("{name}: there is nothing here: the input is empty")));
        }
        Ok(())
    }

    /// Judges what is in these bytes: the texts inside, or they themselves. If it is a guess that they are any, they must look it.
    fn bytes(
        &mut self,
        file: &str,
        line: Option<usize>,
        lines: Lines,
        bytes: &[u8],
        guessed: bool,
    ) -> Result<(), Stop> {
        let limits = Limits { max_depth: self.args.max_depth };
        let first = line.unwrap_or(1);
        let read = if line.is_none() { session::text(bytes).map(|(text, _)| text) } else { utf8::text(bytes) };
        let text = match read {
            Ok(text) => Some(text),
            // Its lines are read one by one, so it cannot be taken for a text with marks in it.
            Err(found) if line.is_none() && session::shows(bytes) => {
                return if guessed {
                    self.unread(&format!("{file}: {found}"))
                } else {
                    text_of(file, bytes, !self.args.redact).map(drop)
                };
            }
            Err(_) => None,
        };
        let lossy = text.is_none().then(|| String::from_utf8_lossy(bytes));
        let found = match text.filter(|_| self.args.lines.is_none_or(|lines| lines == Lines::Sessions)) {
            Some(text) => match session::of_lines(text, &limits) {
                Ok(None) => Some(session::of_value(text, &limits)),
                Ok(found) => found,
                // It is a session, so it is not passed over among others.
                Err(error) if guessed && error.kind() == ErrorKind::Undetected => {
                    return self.unread(&format!("{file}: {error}"));
                }
                Err(error) => return Err(of_file(file, &error)),
            },
            None => None,
        };
        if let Some(why) = found.as_ref().filter(|_| guessed).and_then(|found| found.is_none(&limits)) {
            return Err(Stop::usage(format!("{file}: {why}")));
        }
        let Some(found) = found.filter(|found| found.title.is_some()) else {
            let source = Source { text: text.or(lossy.as_deref()), first, columns: self.columns, place: &|at| at };
            let mode = self.mode(lines, None);
            return self.one(&Text { file, line, bytes, mode, dialect: None, inside: None, flaws: &[], source });
        };
        for transcript in &found.transcripts {
            let place = |at| transcript.place(at);
            let source = Source { text, first, columns: self.columns, place: &place };
            let (bytes, dialect, inside) = (transcript.document.as_bytes(), transcript.dialect, found.title);
            let mode = self.mode(lines, inside);
            self.one(&Text { file, line, bytes, mode, dialect, inside, flaws: &found.flaws, source })?;
        }
        Ok(())
    }

    /// The mode that was asked for, or the usual one of such a text.
    fn mode(&self, lines: Lines, inside: Option<&str>) -> Mode {
        self.args.purpose.map_or_else(|| session::usual_mode(lines, inside), For::mode)
    }

    /// Says why a session cannot be judged, without an end to the work.
    fn unread(&mut self, why: &str) -> Result<(), Stop> {
        writeln!(listener::stderr(), "{BAD}error{BAD:#}: {why}")?;
        self.worst = self.worst.max(Some(Exit::Usage));
        Ok(())
    }

    /// Judges one text.
    fn one(&mut self, text: &Text<'_>) -> Result<(), Stop> {
        let args = self.args;
        let Text { file, line, bytes, .. } = *text;
        let named = plain(file);
        let name = line.map_or_else(|| named.to_string(), |line| format!("{named}: session on line {line}"));
        let limits = Limits { max_depth: args.max_depth };
        let shown = (!args.redact && text.inside.is_none()).then_some(bytes);
        let stop = |error: wirecanon_core::Error| in_text(&name, &error, shown, text.source.first);
        let judged = |target: &Target| {
            if let Some(own) = text.dialect.filter(|own| *own != target.dialect) {
                let (own, what, to) = (own.name(), text.inside.unwrap_or("a session"), &target.name);
                let how = "first, and judge that";
                return Err(Stop::usage(format!(
                    "{name}: {what} is in {own}, which {to} does not take: `wirecanon fix --to {to}` it {how}"
                )));
            }
            let fragment = args.fragment || target.dialect == Dialect::McpToolResult;
            let options = CheckOptions { target, mode: text.mode, fragment, limits };
            // What a named target would make of a format that is not supported is not known.
            let judge = if self.wanted.is_some() && text.dialect.is_none() { check_supported } else { check };
            judge(bytes, &options).map_err(stop)
        };
        let (target, checked, why) = match self.wanted {
            None => {
                let dialect = match text.dialect {
                    Some(dialect) => dialect,
                    None => dialect_of(bytes, limits).map_err(stop)?,
                };
                let target = Target::of_dialect(dialect);
                (target, judged(target)?, "")
            }
            Some(Wanted::One(target)) => (*target, judged(target)?, ""),
            Some(Wanted::Oldest(revisions)) => oldest(revisions, judged)?,
        };
        self.texts += 1;
        let mut opinion = None;
        if args.schema {
            let judged = self.opinions.of(target)?.judge(bytes, limits);
            opinion = Some(judged.map_err(stop)?);
        }
        // A document of an unsupported format that breaks no rule is an error already.
        if self.wanted.is_some() && text.dialect.is_none() && !checked.violations.is_empty() {
            let broken = checked.errors().count();
            if let Some(format) = unsupported_format(bytes, limits) {
                writeln!(listener::stderr(), "{name}: hint: {format}, so what is said here may be untrue of it")?;
            } else if let Some(other) = looks_like(bytes, target, broken, text.mode, limits) {
                let (target, other) = (&target.name, other.name());
                writeln!(
                    listener::stderr(),
                    "{name}: hint: it looks like {other}, not like {target}; `--target {other}` judges it as that"
                )?;
            }
        }
        let places = places(bytes, &checked.violations, &text.source);
        let (mut broken, mut allowed) = (Vec::new(), Vec::new());
        let [faults, notes] = flaws::judged(text.flaws, &text.source, args.redact);
        let own = checked.violations.into_iter().zip(places).map(|(mut violation, place)| {
            if args.redact {
                self.redactor.violation(&mut violation);
            }
            (violation, place)
        });
        for (violation, place) in faults.into_iter().chain(own) {
            if args.allow.iter().any(|rule| rule == violation.rule) {
                allowed.push(violation);
            } else {
                broken.push((violation, place));
            }
        }
        if let Some(opinion) = opinion.as_mut().filter(|_| args.redact) {
            for found in &mut opinion.mismatches {
                found.pointer = self.redactor.pointer(&found.pointer);
                "it is not what the schema says".clone_into(&mut found.message);
            }
        }
        let fails = |violation: &Violation| args.strict || violation.severity == Level::Error;
        self.broken += broken.iter().filter(|(violation, _)| fails(violation)).count();
        self.mismatches += opinion.as_ref().map_or(0, |opinion| opinion.mismatches.len());
        let told = Checked {
            file,
            session: line,
            inside: text.inside,
            dialect: checked.dialect,
            target: &target.name,
            mode: text.mode,
            why,
            profiles: &checked.profiles,
            strict: args.strict,
            broken,
            allowed,
            notes,
            opinion,
        };
        Ok(self.telling.tell(&mut listener::stdout(), &told)?)
    }
}

/// The dialect that more speaks for than for that of the target, where the text breaks fewer of its rules.
fn looks_like(bytes: &[u8], target: &Target, broken: usize, mode: Mode, limits: Limits) -> Option<Dialect> {
    if broken == 0 {
        return None;
    }
    let found = evidence(bytes, limits).ok()?;
    let best = found.first()?;
    let own = found.iter().find(|found| found.dialect == target.dialect).map_or(0, |found| found.weight);
    if best.dialect == target.dialect || best.weight <= own {
        return None;
    }
    let options = CheckOptions { target: Target::of_dialect(best.dialect), mode, fragment: false, limits };
    let checked = check(bytes, &options).ok()?;
    (checked.errors().count() < broken).then_some(best.dialect)
}

/// Returns the sentence that names the format of a text, if the format is known and not supported.
fn unsupported_format(bytes: &[u8], limits: Limits) -> Option<String> {
    let text = utf8::text(bytes).ok()?;
    let json = Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)).ok()?;
    unsupported(&json).map(|format| format.message().to_owned())
}

/// The oldest revision whose rules the text keeps, what was found, and why it was taken; the newest if there is none.
fn oldest(
    revisions: &[&'static Target],
    judged: impl Fn(&Target) -> Result<Found, Stop>,
) -> Result<(&'static Target, Found, &'static str), Stop> {
    let mut last = None;
    for target in revisions {
        let checked = judged(target)?;
        if checked.errors().next().is_none() {
            return Ok((*target, checked, " (the oldest revision that it keeps)"));
        }
        last = Some((*target, checked, " (the newest; it keeps no revision)"));
    }
    last.ok_or_else(|| Stop::usage("there is no revision to judge by"))
}
