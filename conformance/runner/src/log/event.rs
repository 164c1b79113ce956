//! The lines of a log: one JSON object each, told apart by `event`.
//!
//! In this order: `start`; `case` for each case; for each testee `testee` and its `result`s; `end`, with the counts. A log
//! without an end is that of a run that was cut short.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wirecanon_core::Dialect;
use wirecanon_judge::compare::Difference;
use wirecanon_judge::judge::{self, Broken, Judgement};
use wirecanon_judge::meaning::Reason;
use wirecanon_judge::plain::{is_name, is_obeyed, plain, shorten};
use wirecanon_judge::utf8;
use wirecanon_judge::verdict::{Domain, Verdict};

use super::{CaseLine, Log, Start};
use crate::run::{RunResult, TesteeRun, is_false};
use crate::shown::Shown;
use crate::testee::{Carried, Form, Hello, StartError};

/// The version of the log that is written, and read.
pub const VERSION: u64 = 1;

#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    Start(Start),
    Case(CaseLine),
    Testee(TesteeLine),
    Result(ResultLine),
    End(End),
}

#[derive(Debug, Deserialize, Serialize)]
struct TesteeLine {
    argument: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    conversions: Vec<Conversion>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    accepts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    carries: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    adds: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Conversion {
    from: Dialect,
    to: Dialect,
    /// The servers that it is claimed for, where not for all
    #[serde(default, skip_serializing_if = "Option::is_none")]
    targets: Option<BTreeSet<String>>,
}

#[derive(Debug, Deserialize, Serialize)]
struct ResultLine {
    testee: String,
    case: String,
    from: Dialect,
    to: String,
    verdict: Verdict,
    ok: bool,
    #[serde(default, skip_serializing_if = "is_testee")]
    domain: Domain,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    violations: Vec<Broken>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Reason>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allowed_by: Vec<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lost: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    flaky: Vec<Verdict>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Told>,
    #[serde(default, skip_serializing_if = "is_false")]
    framed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    carried: Option<Told>,
}

/// What was given or asked: its text, its bytes, or the target of the result above it, of the same case, that has the same.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Told {
    Text(String),
    Base64(String),
    /// The beginning of what is too long for a log
    Begins {
        text: String,
        bytes: usize,
    },
    SameAs(String),
}

/// What stood in the results above, of the same case.
#[derive(Default)]
struct Above {
    case: String,
    shown: Vec<(String, Arc<Shown>)>,
}

impl Above {
    fn at(&mut self, case: &str) -> &mut Self {
        if self.case != case {
            case.clone_into(&mut self.case);
            self.shown.clear();
        }
        self
    }

    /// How a line tells it; `place` names the line and the member.
    fn told(&mut self, place: impl FnOnce() -> String, shown: &Arc<Shown>) -> Told {
        if let Some((same, _)) = self.shown.iter().find(|(_, other)| other == shown) {
            return Told::SameAs(same.clone());
        }
        self.shown.push((place(), Arc::clone(shown)));
        match &**shown {
            Shown::Whole(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Told::Text(text.to_owned()),
                Err(_) => Told::Base64(base64_simd::STANDARD.encode_to_string(bytes)),
            },
            Shown::Cut { begins, bytes } => Told::Begins { text: begins.clone(), bytes: *bytes },
        }
    }

    fn read(&mut self, place: impl FnOnce() -> String, told: Told) -> Result<Arc<Shown>, String> {
        let shown = match told {
            Told::Text(text) => Shown::Whole(text.into_bytes()),
            Told::Base64(base64) => {
                let bytes = base64_simd::STANDARD.decode_to_vec(base64).map_err(|_| "it holds no base64".to_owned())?;
                Shown::Whole(bytes)
            }
            Told::Begins { text, bytes } => Shown::Cut { begins: text, bytes },
            Told::SameAs(name) => {
                let same = self.shown.iter().find(|(other, _)| *other == name);
                let same = same.map(|(_, shown)| Arc::clone(shown));
                return same.ok_or_else(|| format!("it is the same as `{name}`, which is not above it"));
            }
        };
        let shown = Arc::new(shown);
        self.shown.push((place(), Arc::clone(&shown)));
        Ok(shown)
    }
}

/// The name of a place in a case: what is asked of a carried case, or what was given.
fn place(member: &str, from: Dialect, to: &str) -> String {
    format!("{member} {} {to}", from.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_testee(domain: &Domain) -> bool {
    *domain == Domain::Testee
}

#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
struct End {
    cases: usize,
    testees: usize,
    results: usize,
    findings: usize,
    flaky: usize,
    verdicts: BTreeMap<Verdict, usize>,
    exit: u8,
}

impl End {
    fn of(log: &Log) -> Self {
        let results = || log.runs.iter().flat_map(|run| &run.results);
        Self {
            cases: log.cases.len(),
            testees: log.runs.len(),
            results: results().count(),
            findings: results().filter(|result| !result.judgement.ok).count(),
            flaky: results().filter(|result| !result.flaky.is_empty()).count(),
            verdicts: log.verdicts(),
            exit: log.exit() as u8,
        }
    }
}

/// Writes what stands before the first testee.
///
/// # Errors
///
/// Writing fails.
pub fn write_start(out: &mut dyn Write, start: &Start, cases: &[CaseLine]) -> io::Result<()> {
    line(out, &Event::Start(start.clone()))?;
    cases.iter().try_for_each(|case| line(out, &Event::Case(case.clone())))
}

/// Writes a testee and its results.
///
/// # Errors
///
/// Writing fails.
pub fn write_run(out: &mut dyn Write, run: &TesteeRun) -> io::Result<()> {
    let none = Hello::default();
    let hello = run.hello.as_ref().unwrap_or(&none);
    let conversion =
        |pair: &(Dialect, Dialect)| Conversion { from: pair.0, to: pair.1, targets: hello.targets.get(pair).cloned() };
    let testee = TesteeLine {
        argument: run.argument.clone(),
        name: run.hello.is_ok().then(|| hello.name.clone()),
        version: hello.version.clone(),
        language: hello.language.clone(),
        conversions: hello.conversions.iter().map(conversion).collect(),
        accepts: hello.accepts.iter().map(|form| form.name().to_owned()).collect(),
        carries: hello.carries.iter().map(|carried| carried.name().to_owned()).collect(),
        adds: hello.adds.clone(),
        notes: hello.notes.clone(),
        error: run.hello.as_ref().err().map(|error| error.message.clone()),
    };
    line(out, &Event::Testee(testee))?;
    let mut above = Above::default();
    for RunResult { case, testee, from, to, judgement, flaky, answer, framed, carried, .. } in &run.results {
        let above = above.at(case);
        let mut tell = |member: &'static str, shown: &Option<Arc<Shown>>| {
            shown.as_ref().map(|shown| above.told(|| place(member, *from, to), shown))
        };
        let (answer, carried) = (tell("answer", answer), tell("carried", carried));
        let result = ResultLine {
            testee: testee.clone(),
            case: case.clone(),
            from: *from,
            to: to.clone(),
            verdict: judgement.verdict,
            ok: judgement.ok,
            domain: judgement.domain,
            violations: judgement.violations.clone(),
            reasons: judgement.reasons.clone(),
            allowed_by: judgement.allowed_by.clone(),
            lost: judgement.lost.clone(),
            difference: judgement.difference.clone(),
            failures: judgement.failures.clone(),
            flaky: flaky.clone(),
            answer,
            framed: *framed,
            carried,
        };
        line(out, &Event::Result(result))?;
    }
    Ok(())
}

/// Writes the end.
///
/// # Errors
///
/// Writing fails.
pub fn write_end(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    line(out, &Event::End(End::of(log)))
}

/// Writes a whole log.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    write_start(out, &log.start, &log.cases)?;
    log.runs.iter().try_for_each(|run| write_run(out, run))?;
    if log.complete { write_end(out, log) } else { Ok(()) }
}

fn line(out: &mut dyn Write, event: &Event) -> io::Result<()> {
    serde_json::to_writer(&mut *out, event)?;
    out.write_all(b"\n")
}

/// Reads a log.
///
/// # Errors
///
/// It is no log, is one of another version, or says what cannot be: in words, with the line.
pub fn read(bytes: &[u8]) -> Result<Log, String> {
    let text = utf8::text(bytes).map_err(|found| found.to_string())?;
    let mut reading = Reading::default();
    for (at, line) in text.split_inclusive('\n').enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let event = match serde_json::from_str::<Event>(line) {
            Ok(event) => event,
            // Whoever was killed while it wrote leaves half a line.
            Err(_) if !line.ends_with('\n') && reading.log.is_some() => break,
            Err(error) => return Err(of_line(at, &not_an_event(line, &error))),
        };
        reading.take(event).map_err(|why| of_line(at, &why))?;
    }
    let Some(mut log) = reading.log else { return Err("it is empty: a log begins with `start`".to_owned()) };
    for run in &mut log.runs {
        run.judged = TesteeRun::count_judged(&run.results);
    }
    log.mark_scored();
    if let Some(end) = reading.end {
        log.complete = true;
        let counted = End::of(&log);
        if end != counted {
            return Err(format!("it is damaged: its end says {end:?}, and what stands in it is {counted:?}"));
        }
    }
    Ok(log)
}

/// What is called so is shown as it stands.
fn named(what: &str, name: &str) -> Result<(), String> {
    if is_name(name) { Ok(()) } else { Err(format!("{what} is called `{}`, which is no name", shorten(name, 100))) }
}

/// What is said so may be anything that can be shown.
fn shown(what: &str, text: &str) -> Result<(), String> {
    if text.contains(is_obeyed) {
        return Err(format!("{what} `{}`, with a character that is never shown", plain(text)));
    }
    Ok(())
}

fn of_line(at: usize, why: &str) -> String {
    format!("line {}: {why}", at + 1)
}

/// Why a line is no event; of another version that comes first.
fn not_an_event(line: &str, error: &serde_json::Error) -> String {
    #[derive(Deserialize)]
    struct Versioned {
        log: u64,
    }
    match serde_json::from_str::<Versioned>(line) {
        Ok(Versioned { log }) if log != VERSION => format!("this is a log of version {log}; {VERSION} is read"),
        _ => format!("this is no event of a log: {error}"),
    }
}

#[derive(Default)]
struct Reading {
    log: Option<Log>,
    end: Option<End>,
    titles: BTreeMap<String, String>,
    keys: BTreeSet<(String, Dialect, String)>,
    above: Above,
}

impl Reading {
    fn take(&mut self, event: Event) -> Result<(), String> {
        if self.end.is_some() {
            return Err("something stands behind the end".to_owned());
        }
        let log = match (event, &mut self.log) {
            (Event::Start(start), log @ None) => {
                if start.log != VERSION {
                    return Err(format!("this is a log of version {}; {VERSION} is read", start.log));
                }
                if !(1..=judge::VERSION).contains(&start.judge) {
                    return Err(format!(
                        "the log is of judge {}; judges 1 to {} are known",
                        start.judge,
                        judge::VERSION
                    ));
                }
                named("a version", &start.version)?;
                start.suite.iter().try_for_each(|suite| named("a suite", suite))?;
                start.filter.iter().chain(&start.void).try_for_each(|text| shown("its start says", text))?;
                *log = Some(Log { start, cases: Vec::new(), runs: Vec::new(), complete: false, elapsed: None });
                return Ok(());
            }
            (Event::Start(_), Some(_)) => {
                return Err("a second start: are these several logs in one file? `wirecanon merge` joins shards".into());
            }
            (_, None) => return Err("a log begins with `start`".to_owned()),
            (event, Some(log)) => (event, log),
        };
        match log {
            (Event::Case(case), log) => {
                named("a case", &case.id)?;
                named("a class", &case.class)?;
                shown("a case is called", &case.title)?;
                if self.titles.insert(case.id.clone(), case.title.clone()).is_some() {
                    return Err(format!("the case {} stands twice", case.id));
                }
                log.cases.push(case);
            }
            (Event::Testee(testee), log) => {
                let run = started(testee, &log.start)?;
                if run.hello.is_ok() {
                    shown("a testee is called", run.name())?;
                }
                if log.runs.iter().any(|other| other.name() == run.name() && run.hello.is_ok()) {
                    return Err(format!("the testee {} stands twice", run.name()));
                }
                self.keys.clear();
                self.above = Above::default();
                log.runs.push(run);
            }
            (Event::Result(result), log) => {
                let Some(run) = log.runs.last_mut().filter(|run| run.name() == result.testee) else {
                    return Err(format!("a result of {}, which is not the testee above it", result.testee));
                };
                named("a target", &result.to)?;
                result.violations.iter().try_for_each(|violation| named("a rule", &violation.rule))?;
                let Some(title) = self.titles.get(&result.case) else {
                    return Err(format!("a result of the case {}, which the log does not name", result.case));
                };
                if !self.keys.insert((result.case.clone(), result.from, result.to.clone())) {
                    return Err(format!("a second result of {} for {}", result.case, result.to));
                }
                let result = of_line_to_result(result, title.clone(), &mut self.above)?;
                run.results.push(result);
            }
            (Event::End(end), _) => self.end = Some(end),
            (Event::Start(_), _) => {}
        }
        Ok(())
    }
}

fn started(line: TesteeLine, start: &Start) -> Result<TesteeRun, String> {
    let hello = match (line.name, line.error) {
        (Some(name), None) => Ok(Hello {
            name,
            version: line.version,
            language: line.language,
            conversions: line.conversions.iter().map(|conversion| (conversion.from, conversion.to)).collect(),
            targets: line
                .conversions
                .into_iter()
                .filter_map(|conversion| Some(((conversion.from, conversion.to), conversion.targets?)))
                .collect(),
            accepts: Form::ALL.into_iter().filter(|form| line.accepts.iter().any(|name| name == form.name())).collect(),
            carries: Carried::ALL
                .into_iter()
                .filter(|carried| line.carries.iter().any(|name| name == carried.name()))
                .collect(),
            adds: line.adds,
            refusals: BTreeMap::new(),
            notes: line.notes,
        }),
        (None, Some(message)) => Err(StartError { message }),
        _ => return Err("a testee has a name or an error".to_owned()),
    };
    Ok(TesteeRun::new(line.argument, hello, if start.shard.is_some() { 1 } else { start.minimum }))
}

fn of_line_to_result(line: ResultLine, title: String, above: &mut Above) -> Result<RunResult, String> {
    let above = above.at(&line.case);
    let (from, to) = (line.from, &line.to);
    let mut read = |member: &'static str, told: Option<Told>| {
        told.map(|told| above.read(|| place(member, from, to), told)).transpose()
    };
    let (answer, carried) = (read("answer", line.answer)?, read("carried", line.carried)?);
    Ok(RunResult {
        case: line.case,
        title,
        testee: line.testee,
        from: line.from,
        to: line.to,
        judgement: Judgement {
            verdict: line.verdict,
            domain: line.domain,
            ok: line.ok,
            violations: line.violations,
            reasons: line.reasons,
            allowed_by: line.allowed_by,
            lost: line.lost,
            difference: line.difference,
            failures: line.failures,
        },
        scored: true,
        flaky: line.flaky,
        answer,
        framed: line.framed,
        carried,
    })
}
