//! `wirecanon check`: would the target take this?

use std::io::Write;

use serde_json::json;
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_core::{CheckOptions, Checked, Dialect, ErrorKind, Target, check, dialect};

use super::input::{Input, Lines};
use super::target::Choice;
use super::{For, Format, of_file};
use crate::exit::{Exit, Stop};
use crate::report::human::{BAD, BOLD, GOOD, ODD};
use crate::testee::shorten;

/// Broken rules that are shown for each text.
const SHOWN: usize = 50;

const EXAMPLES: &str = "\
Examples:
  wirecanon check session.jsonl                        by the rules of the dialect that is found
  wirecanon check --target openai --for request request.json
  wirecanon check --target anthropic --format json a.json b.json
  wirecanon check --target-file my-server.toml request.json
  my-agent dump | wirecanon check --target anthropic -

Exit codes: 0 every rule is kept · 1 some are broken · 2 an input is no transcript";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Transcripts: JSON or JSON Lines; `-` is stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Dialect or target whose rules hold; left out, the dialect that is found
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// What the transcript is for
    #[arg(long = "for", value_enum, default_value = "history")]
    purpose: For,
    /// The input is a lone tool result: leave pairing out
    #[arg(long)]
    fragment: bool,
    /// How to write the result; JSON is one object a text
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Deepest nesting that is read
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_depth)]
    max_depth: usize,
    /// What the lines of the input are; left out, found from the first of them
    #[arg(long, value_enum)]
    lines: Option<Lines>,
    #[command(flatten)]
    choice: Choice,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let target = args.choice.target(args.target.as_deref(), "--target")?;
    let target = target.as_deref();
    let mut found = false;
    for file in &args.files {
        let mut input = Input::open(file)?;
        let lines = match args.lines {
            Some(lines) => lines,
            None => input.lines()?,
        };
        if lines != Lines::Sessions {
            let name = input.name.clone();
            found |= one(args, target, &name, None, &input.whole()?)?;
            continue;
        }
        let (mut number, mut line) = (0, Vec::new());
        while input.next_line(&mut line)? {
            number += 1;
            if !line.trim_ascii().is_empty() {
                found |= one(args, target, &input.name, Some(number), &line)?;
            }
        }
        if number == 0 {
            return Err(Stop::usage(format!("{}: there is nothing here: the input is empty", input.name)));
        }
    }
    Ok(if found { Exit::Findings } else { Exit::Holds })
}

/// Judges one text. Returns whether it breaks a rule.
fn one(args: &Args, target: Option<&Target>, file: &str, line: Option<usize>, bytes: &[u8]) -> Result<bool, Stop> {
    let name = line.map_or_else(|| file.to_owned(), |line| format!("{file}: session on line {line}"));
    let limits = Limits { max_depth: args.max_depth };
    let target = match target {
        Some(target) => target,
        None => Target::of_dialect(found_dialect(args, bytes, limits).map_err(|error| of_file(&name, &error))?),
    };
    let fragment = args.fragment || target.dialect == Dialect::McpToolResult;
    let options = CheckOptions { target, mode: args.purpose.mode(), fragment, limits };
    let checked = check(bytes, &options).map_err(|error| of_file(&name, &error))?;
    let mut out = anstream::stdout();
    match args.format {
        Format::Json => {
            let mut document = json!({"dialect": checked.dialect.name(), "target": target.name,
                "violations": checked.violations, "file": file});
            if let Some(line) = line {
                document["line"] = json!(line);
            }
            writeln!(out, "{document}")?;
        }
        Format::Human => human(&mut out, &name, target, &checked)?,
    }
    out.flush()?;
    Ok(!checked.violations.is_empty())
}

/// The dialect that most speaks for. Among equals the one whose rules the text keeps best, since a text that several
/// dialects share may be spelled in any of them.
fn found_dialect(args: &Args, bytes: &[u8], limits: Limits) -> Result<Dialect, wirecanon_core::Error> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let json = match Json::parse(text, &limits) {
        Err(error) if error.kind() == ErrorKind::NotJson => parse_lines(text, &limits).map_err(|_| error),
        whole => whole,
    }?;
    let found = dialect::detect(&json);
    let Some(best) = found.first() else { return Ok(Dialect::Canonical) };
    let mut tied = found.iter().filter(|other| other.weight == best.weight).map(|other| other.dialect);
    let broken = |dialect: &Dialect| {
        let target = Target::of_dialect(*dialect);
        let options = CheckOptions { target, mode: args.purpose.mode(), fragment: args.fragment, limits };
        check(bytes, &options).map_or(usize::MAX, |checked| checked.violations.len())
    };
    if tied.clone().nth(1).is_none() {
        return Ok(best.dialect);
    }
    Ok(tied.by_ref().min_by_key(broken).unwrap_or(best.dialect))
}

fn human(out: &mut dyn Write, name: &str, target: &Target, checked: &Checked) -> std::io::Result<()> {
    let count = checked.violations.len();
    let said = match count {
        0 => format!("{GOOD}holds{GOOD:#}"),
        1 => format!("{BAD}1 broken rule{BAD:#}"),
        _ => format!("{BAD}{count} broken rules{BAD:#}"),
    };
    writeln!(out, "{BOLD}{name}{BOLD:#}: {}: {said}", target.name)?;
    for violation in checked.violations.iter().take(SHOWN) {
        let pointer = if violation.pointer.is_empty() { "(the whole)" } else { &violation.pointer };
        writeln!(out, "  {ODD}{}{ODD:#}  {pointer}  {}", violation.rule, shorten(&violation.message, 200))?;
    }
    if count > SHOWN {
        writeln!(out, "  … and {} more; `--format json` has them all", count - SHOWN)?;
    }
    Ok(())
}
