//! `wirecanon diff`: do two documents tell a model the same conversation?

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::json;
use wirecanon_core::json::{Json, Limits, Value, parse_lines, resolve};
use wirecanon_core::observe::{Comparison, Difference, Line, Observation, compare, observe_for};
use wirecanon_core::{Dialect, Target};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::{self, plain};
use wirecanon_session as session;
use wirecanon_session::lines::{Lines, dialect_of};

use super::input::Input;
use super::target::Choice;
use super::{Format, listener};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/diff.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Expected conversation: JSON, JSON Lines or a session file; `-` is stdin
    #[arg(value_name = "A")]
    expected: PathBuf,
    /// Conversation that is compared with it
    #[arg(value_name = "B")]
    answer: PathBuf,
    /// Dialect of A [default: detected]
    #[arg(long, value_name = "DIALECT")]
    from: Option<String>,
    /// Dialect of B, or the target it is written for [default: detected]
    #[arg(long, value_name = "TARGET", visible_alias = "target")]
    to: Option<String>,
    /// Show the first N differences
    #[arg(long, value_name = "N", default_value_t = 5)]
    max: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    choice: Choice,
}

/// One of the two documents.
struct Side {
    name: String,
    text: String,
    dialect: Dialect,
    /// The option that names the dialect, where it was detected
    detected: Option<&'static str>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let limits = Limits::default();
    let target = args.choice.target(args.to.as_deref(), "--to")?;
    let from = args.from.as_deref().map(super::revision::to_read).transpose()?;
    let expected = Side::read(&args.expected, from, "--from")?;
    let answer = Side::read(&args.answer, target.as_deref().map(|target| target.dialect), "--to")?;
    let target = target.as_deref().unwrap_or_else(|| Target::of_dialect(answer.dialect));
    let (expected_json, answer_json) = (expected.parse(limits)?, answer.parse(limits)?);
    let left = expected.observe(&expected_json, answer.dialect)?;
    let right = answer.observe(&answer_json, expected.dialect)?;
    let comparison = compare(&left, &right, target);
    let mut out = listener::stdout();
    match args.format {
        Format::Human => human(&mut out, args.max, (&expected, &left), (&answer, &right), &comparison)?,
        Format::Json => {
            let differences: Vec<_> = comparison.differences.iter().map(as_json).collect();
            let exit = if comparison.is_same() { Exit::Holds } else { Exit::Findings };
            let document = json!({
                "wirecanon": 1,
                "exit": exit as u8,
                "same": comparison.is_same(),
                "expected": { "file": expected.name, "dialect": expected.dialect.name() },
                "answer": { "file": answer.name, "dialect": answer.dialect.name(), "target": target.name },
                "differences": differences,
                "more": comparison.more,
                "ended_early": comparison.has_ended_early,
                "equivalences": comparison.equivalences.iter().map(|used| used.id()).collect::<Vec<_>>(),
            });
            writeln!(out, "{document:#}")?;
        }
    }
    Ok(if comparison.is_same() { Exit::Holds } else { Exit::Findings })
}

fn as_json(difference: &Difference) -> serde_json::Value {
    let grade = match difference.reason.grade() {
        wirecanon_core::observe::Grade::Setting => "setting",
        wirecanon_core::observe::Grade::Lossy => "lossy",
        wirecanon_core::observe::Grade::Altered => "altered",
    };
    json!({
        "reason": difference.reason.id(),
        "grade": grade,
        "expected": difference.expected,
        "answer": difference.answer,
        "detail": difference.detail,
    })
}

impl Side {
    fn read(path: &Path, dialect: Option<Dialect>, option: &'static str) -> Result<Self, Stop> {
        let limits = Limits::default();
        let input = Input::open(path)?;
        let name = input.name.clone();
        let bytes = input.text(limits)?;
        let (mut text, found) = document(&name, &bytes)?;
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let known = dialect.or(found);
        let dialect = match known {
            Some(dialect) => dialect,
            None => dialect_of(text.as_bytes(), limits).map_err(|error| Stop::usage(format!("{name}: {error}")))?,
        };
        Ok(Self { name, text, dialect, detected: known.is_none().then_some(option) })
    }

    fn parse(&self, limits: Limits) -> Result<Json<'_>, Stop> {
        Json::parse(&self.text, &limits)
            .or_else(|error| parse_lines(&self.text, &limits).map_err(|_| error))
            .map_err(|error| Stop::usage(format!("{}: {error}", self.name)))
    }

    fn observe<'a>(&self, json: &'a Json<'a>, reader: Dialect) -> Result<Observation<'a>, Stop> {
        observe_for(json, self.dialect, reader).map_err(|error| {
            let (name, dialect) = (&self.name, self.dialect.name());
            let other = self.detected.map(|option| format!(", or name another dialect with `{option}`"));
            Stop::usage(format!(
                "{name}: cannot be read as {dialect}: {error}; `wirecanon check --target {dialect} {name}` lists what is broken: \
                 repair it with `wirecanon fix --from {dialect} --to {dialect} {name}`{}",
                other.unwrap_or_default()
            ))
        })
    }
}

/// The transcript of a file, and its dialect where the file says it.
fn document(name: &str, bytes: &[u8]) -> Result<(String, Option<Dialect>), Stop> {
    let text = std::str::from_utf8(bytes).map_err(|error| Stop::usage(format!("{name}: not UTF-8: {error}")))?;
    let limits = Limits::default();
    let of_lines = if session::shows(bytes) {
        session::of_lines(text, &limits).map_err(|error| Stop::usage(format!("{name}: {error}")))?
    } else {
        None
    };
    let found = match of_lines {
        Some(found) => Some(found),
        None if Lines::of(bytes) == Lines::Json => Some(session::of_value(text, &limits)),
        None => None,
    };
    let Some(found) = found.filter(|found| found.title.is_some()) else { return Ok((text.to_owned(), None)) };
    let mut transcripts = found.transcripts.into_iter();
    match (transcripts.next(), transcripts.next()) {
        (Some(transcript), None) => Ok((transcript.document.into_owned(), transcript.dialect)),
        (None, _) => Err(Stop::usage(format!("{name}: the file has no conversation"))),
        (Some(_), Some(_)) => Err(Stop::usage(format!("{name}: the file has several conversations"))),
    }
}

/// Prints the first differences with the lines of both conversations around them.
fn human(
    out: &mut dyn Write,
    max: usize,
    (left, expected): (&Side, &Observation<'_>),
    (right, answer): (&Side, &Observation<'_>),
    comparison: &Comparison,
) -> Result<(), Stop> {
    let names = format!("{} ({}) and {} ({})", left.name, left.dialect.name(), right.name, right.dialect.name());
    let count = comparison.differences.len() + comparison.more;
    if count == 0 {
        writeln!(out, "{}: the same conversation", plain(&names))?;
        return Ok(());
    }
    writeln!(out, "{}: {}", plain(&names), plain::count(count, "difference"))?;
    let (before, after) = (expected.lines(), answer.lines());
    for difference in comparison.differences.iter().take(max) {
        writeln!(out, "\n{}: {}", difference.reason.id(), plain(&difference.detail))?;
        context(out, &left.name, expected.root, &before, difference.expected.as_deref())?;
        context(out, &right.name, answer.root, &after, difference.answer.as_deref())?;
    }
    let listed = comparison.differences.len();
    if listed > max {
        writeln!(out, "\n{} more; --max shows them", listed - max)?;
    }
    if comparison.has_ended_early {
        writeln!(out, "\nthe comparison ended after {listed} differences; there may be more")?;
    }
    Ok(())
}

/// Prints the line at a pointer, with its neighbours.
fn context(
    out: &mut dyn Write,
    name: &str,
    root: Value<'_>,
    lines: &[Line<'_>],
    pointer: Option<&str>,
) -> Result<(), Stop> {
    let Some(pointer) = pointer else { return Ok(()) };
    writeln!(out, "  {} {}", plain(name), plain(pointer))?;
    let Some(span) = resolve(root, pointer).map(Value::span) else { return Ok(()) };
    let is_within = |inner: &Range<usize>, outer: &Range<usize>| inner.start >= outer.start && inner.end <= outer.end;
    let is_at = |line: &Line<'_>| {
        let other = line.place.span();
        is_within(&other, &span) || is_within(&span, &other)
    };
    let exact = lines.iter().position(|line| line.place.span() == span);
    let Some(at) = exact.or_else(|| lines.iter().position(is_at)) else { return Ok(()) };
    for (number, line) in lines.iter().enumerate().take(at + 2).skip(at.saturating_sub(1)) {
        let mark = if number == at { '>' } else { ' ' };
        writeln!(out, "  {mark} {}", plain(&line.to_string()))?;
    }
    Ok(())
}
