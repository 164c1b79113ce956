//! `wirecanon check`: would the target take this?

use std::collections::HashMap;
use std::io::Write;

use serde_json::json;
use wirecanon_core::json::{Json, Limits, parse_lines};
use wirecanon_core::{CheckOptions, Checked, Dialect, ErrorKind, Target, check, dialect};

use super::input::{Input, Lines};
use super::revision::{self, Wanted};
use super::target::Choice;
use super::{For, Format, of_file};
use crate::exit::{Exit, Stop};
use crate::opinion::{Opinion, SecondOpinion};
use crate::report::human::{BAD, BOLD, GOOD, ODD};
use crate::testee::shorten;

/// Broken rules that are shown for each text, and mismatches.
const SHOWN: usize = 50;

const EXAMPLES: &str = "\
Examples:
  wirecanon check session.jsonl                        by the rules of the dialect that is found
  wirecanon check --target openai --for request request.json
  wirecanon check --target anthropic --format json a.json b.json
  wirecanon check --target anthropic --schema request.json      and ask the JSON Schema too
  wirecanon check --target-file my-server.toml request.json
  my-agent dump | wirecanon check --target anthropic -
  wirecanon check --target mcp.tool-result@auto result.json
                                                       the oldest revision of MCP that it keeps

Exit codes: 0 every rule is kept · 1 some are broken, or the schema mismatches · 2 an input is no transcript";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Transcripts: JSON or JSON Lines; `-` is stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Dialect or target whose rules hold; left out, the dialect that is found
    #[arg(long, value_name = "TARGET", visible_alias = "to")]
    target: Option<String>,
    /// Also hold each message against the JSON Schema of the dialect: a second opinion, written from what the provider
    /// publishes
    #[arg(long)]
    schema: bool,
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
    let chosen = args.choice.target(args.target.as_deref().filter(|name| !revision::is_auto(name)), "--target")?;
    let wanted = match (&args.target, chosen.as_deref()) {
        (Some(name), _) if revision::is_auto(name) => Some(revision::wanted(name)?),
        (_, chosen) => chosen.map(Wanted::One),
    };
    let mut opinions = Opinions::default();
    // An unknown dialect is said before any file is read.
    if let Some(Wanted::One(target)) = wanted.as_ref().filter(|_| args.schema) {
        opinions.of(target)?;
    }
    let mut found = false;
    for file in &args.files {
        let mut input = Input::open(file)?;
        let lines = match args.lines {
            Some(lines) => lines,
            None => input.lines()?,
        };
        if lines != Lines::Sessions {
            let name = input.name.clone();
            found |= one(args, wanted.as_ref(), &mut opinions, &name, None, &input.whole()?)?;
            continue;
        }
        let (mut number, mut line) = (0, Vec::new());
        while input.next_line(&mut line)? {
            number += 1;
            if !line.trim_ascii().is_empty() {
                found |= one(args, wanted.as_ref(), &mut opinions, &input.name, Some(number), &line)?;
            }
        }
        if number == 0 {
            return Err(Stop::usage(format!("{}: there is nothing here: the input is empty", input.name)));
        }
    }
    Ok(if found { Exit::Findings } else { Exit::Holds })
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

/// Judges one text. Returns whether it breaks a rule or, where that is asked, its schema.
fn one(
    args: &Args,
    wanted: Option<&Wanted>,
    opinions: &mut Opinions,
    file: &str,
    line: Option<usize>,
    bytes: &[u8],
) -> Result<bool, Stop> {
    let name = line.map_or_else(|| file.to_owned(), |line| format!("{file}: session on line {line}"));
    let limits = Limits { max_depth: args.max_depth };
    let judged = |target: &Target| {
        let fragment = args.fragment || target.dialect == Dialect::McpToolResult;
        let options = CheckOptions { target, mode: args.purpose.mode(), fragment, limits };
        check(bytes, &options).map_err(|error| of_file(&name, &error))
    };
    let (target, checked, why) = match wanted {
        None => {
            let dialect = found_dialect(args, bytes, limits).map_err(|error| of_file(&name, &error))?;
            let target = Target::of_dialect(dialect);
            (target, judged(target)?, "")
        }
        Some(Wanted::One(target)) => (*target, judged(target)?, ""),
        Some(Wanted::Oldest(revisions)) => oldest(revisions, judged)?,
    };
    let opinion = if args.schema {
        Some(opinions.of(target)?.judge(bytes, limits).map_err(|error| of_file(&name, &error))?)
    } else {
        None
    };
    let mut out = anstream::stdout();
    match args.format {
        Format::Json => {
            let mut document = json!({"dialect": checked.dialect.name(), "target": target.name,
                "violations": checked.violations, "file": file});
            if let Some(line) = line {
                document["line"] = json!(line);
            }
            if let Some(opinion) = &opinion {
                let found = opinion.mismatches.iter();
                document["schema"] =
                    found.map(|found| json!({"pointer": found.pointer, "message": found.message})).collect();
            }
            writeln!(out, "{document}")?;
        }
        Format::Human => human(&mut out, &name, target, why, &checked, opinion.as_ref())?,
    }
    out.flush()?;
    Ok(!checked.violations.is_empty() || opinion.is_some_and(|opinion| !opinion.mismatches.is_empty()))
}

/// The oldest revision whose rules the text keeps, what was found, and why it was taken; the newest if there is none.
fn oldest(
    revisions: &[&'static Target],
    judged: impl Fn(&Target) -> Result<Checked, Stop>,
) -> Result<(&'static Target, Checked, &'static str), Stop> {
    let mut last = None;
    for target in revisions {
        let checked = judged(target)?;
        if checked.violations.is_empty() {
            return Ok((*target, checked, " (the oldest revision that it keeps)"));
        }
        last = Some((*target, checked, " (the newest; it keeps no revision)"));
    }
    last.ok_or_else(|| Stop::usage("there is no revision to judge by"))
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

fn human(
    out: &mut dyn Write,
    name: &str,
    target: &Target,
    why: &str,
    checked: &Checked,
    opinion: Option<&Opinion>,
) -> std::io::Result<()> {
    let count = checked.violations.len();
    let said = match count {
        0 => format!("{GOOD}holds{GOOD:#}"),
        1 => format!("{BAD}1 broken rule{BAD:#}"),
        _ => format!("{BAD}{count} broken rules{BAD:#}"),
    };
    writeln!(out, "{BOLD}{name}{BOLD:#}: {}{why}: {said}", target.name)?;
    for violation in checked.violations.iter().take(SHOWN) {
        let pointer = place(&violation.pointer);
        writeln!(out, "  {ODD}{}{ODD:#}  {pointer}  {}", violation.rule, shorten(&violation.message, 200))?;
    }
    if count > SHOWN {
        writeln!(out, "  … and {} more; `--format json` has them all", count - SHOWN)?;
    }
    let Some(Opinion { schema, mismatches }) = opinion else { return Ok(()) };
    let said = match mismatches.len() {
        0 => format!("{GOOD}agrees{GOOD:#}"),
        1 => format!("{BAD}1 mismatch{BAD:#}"),
        count => format!("{BAD}{count} mismatches{BAD:#}"),
    };
    writeln!(out, "  the schema {BOLD}{schema}{BOLD:#}, a second opinion: {said}")?;
    for found in mismatches.iter().take(SHOWN) {
        writeln!(out, "    {}  {}", place(&found.pointer), shorten(&found.message, 200))?;
    }
    if mismatches.len() > SHOWN {
        writeln!(out, "    … and {} more; `--format json` has them all", mismatches.len() - SHOWN)?;
    }
    Ok(())
}

fn place(pointer: &str) -> &str {
    if pointer.is_empty() { "(the whole)" } else { pointer }
}
