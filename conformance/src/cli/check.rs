//! `wirecanon check`: would the target take this?

use std::collections::HashMap;
use std::io::Write;

use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Checked as Found, Dialect, Target, check, rule};

use super::input::{Input, Lines};
use super::revision::{self, Wanted};
use super::target::Choice;
use super::{For, of_file};
use crate::exit::{Exit, Stop};
use crate::lines::dialect_of;
use crate::near::hint;
use crate::opinion::SecondOpinion;
use crate::redact::Redactor;
use crate::report::checked::{Checked, Form, Telling, places};

const EXAMPLES: &str = "\
Examples:
  wirecanon check session.jsonl                        by the rules of the dialect that is found
  wirecanon check --target openai --for request request.json
  wirecanon check --target anthropic --format json a.json b.json
  wirecanon check --target anthropic --schema request.json      and ask the JSON Schema too
  wirecanon check --target anthropic --format sarif *.json > findings.sarif
  wirecanon check --allow trailing-assistant --max 3 session.jsonl
                                                       what is known does not fail
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
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Form,
    /// A rule that may be broken: it is counted apart and fails nothing; may be given again
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
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
    #[command(flatten)]
    choice: Choice,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let chosen = args.choice.target(args.target.as_deref().filter(|name| !revision::is_auto(name)), "--target")?;
    let wanted = match (&args.target, chosen.as_deref()) {
        (Some(name), _) if revision::is_auto(name) => Some(revision::wanted(name)?),
        (_, chosen) => chosen.map(Wanted::One),
    };
    for rule in &args.allow {
        if rule::by_id(rule).is_none() {
            let hint = hint(rule, rule::all().map(|rule| rule.id));
            let hint = hint.unwrap_or_else(|| "see `wirecanon list rules`".to_owned());
            return Err(Stop::usage(format!("`--allow`: no rule is called `{rule}`; {hint}")));
        }
    }
    let mut opinions = Opinions::default();
    // An unknown dialect is said before any file is read.
    if let Some(Wanted::One(target)) = wanted.as_ref().filter(|_| args.schema) {
        opinions.of(target)?;
    }
    let (telling, redactor) = (Telling::new(args.format), Redactor::default());
    let mut round = Round { args, wanted: wanted.as_ref(), opinions, telling, redactor, broken: 0, mismatches: 0 };
    for file in &args.files {
        let mut input = Input::open(file)?;
        let lines = match args.lines {
            Some(lines) => lines,
            None => input.lines()?,
        };
        if lines != Lines::Sessions {
            let name = input.name.clone();
            round.one(&name, None, &input.whole()?)?;
            continue;
        }
        let (mut number, mut line) = (0, Vec::new());
        while input.next_line(&mut line)? {
            number += 1;
            if !line.trim_ascii().is_empty() {
                round.one(&input.name, Some(number), &line)?;
            }
        }
        if number == 0 {
            return Err(Stop::usage(format!("{}: there is nothing here: the input is empty", input.name)));
        }
    }
    let mut out = anstream::stdout();
    let Round { telling, broken, mismatches, .. } = round;
    telling.end(&mut out)?;
    out.flush()?;
    Ok(if broken > args.max || mismatches > 0 { Exit::Findings } else { Exit::Holds })
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
    broken: usize,
    mismatches: usize,
}

impl Round<'_> {
    /// Judges one text.
    fn one(&mut self, file: &str, line: Option<usize>, bytes: &[u8]) -> Result<(), Stop> {
        let args = self.args;
        let name = line.map_or_else(|| file.to_owned(), |line| format!("{file}: session on line {line}"));
        let limits = Limits { max_depth: args.max_depth };
        let judged = |target: &Target| {
            let fragment = args.fragment || target.dialect == Dialect::McpToolResult;
            let options = CheckOptions { target, mode: args.purpose.mode(), fragment, limits };
            check(bytes, &options).map_err(|error| of_file(&name, &error))
        };
        let (target, checked, why) = match self.wanted {
            None => {
                let dialect = dialect_of(bytes, args.purpose.mode(), args.fragment, limits)
                    .map_err(|error| of_file(&name, &error))?;
                let target = Target::of_dialect(dialect);
                (target, judged(target)?, "")
            }
            Some(Wanted::One(target)) => (*target, judged(target)?, ""),
            Some(Wanted::Oldest(revisions)) => oldest(revisions, judged)?,
        };
        let mut opinion = None;
        if args.schema {
            let judged = self.opinions.of(target)?.judge(bytes, limits);
            opinion = Some(judged.map_err(|error| of_file(&name, &error))?);
        }
        let places = places(bytes, &checked.violations, limits, line.unwrap_or(1));
        let (mut broken, mut allowed) = (Vec::new(), Vec::new());
        for (mut violation, place) in checked.violations.into_iter().zip(places) {
            if args.redact {
                self.redactor.violation(&mut violation);
            }
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
        self.broken += broken.len();
        self.mismatches += opinion.as_ref().map_or(0, |opinion| opinion.mismatches.len());
        let mut out = anstream::stdout();
        let dialect = checked.dialect;
        let told = Checked { file, session: line, dialect, target: &target.name, why, broken, allowed, opinion };
        self.telling.tell(&mut out, &told)?;
        Ok(out.flush()?)
    }
}

/// The oldest revision whose rules the text keeps, what was found, and why it was taken; the newest if there is none.
fn oldest(
    revisions: &[&'static Target],
    judged: impl Fn(&Target) -> Result<Found, Stop>,
) -> Result<(&'static Target, Found, &'static str), Stop> {
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
