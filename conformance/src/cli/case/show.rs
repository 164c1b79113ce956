//! `wirecanon case show`: a case as the judge sees it.

use std::io::Write;

use wirecanon_cases::carry;
use wirecanon_cases::near::hint;
use wirecanon_core::Target;
use wirecanon_judge::case::Case;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::judge::{Demands, Judgement, judge_as};
use wirecanon_judge::meaning::{self, Shown};
use wirecanon_judge::plain::{plain, shorten};
use wirecanon_runner::testee::{self, Answer, Hello, Request, Testee};

use super::super::launch::built_in;
use super::super::listener;
use super::super::revision;

/// The most bytes of an input or an answer that are shown.
const MAX_SHOWN: usize = 4000;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/case-show.txt").trim_ascii_end())]
pub(super) struct Args {
    /// Id of the case
    case: String,
    /// Target of the conversion [default: the dialect of the case]
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,
    /// Testee whose answer is shown and judged
    #[arg(long, value_name = "CMD")]
    testee: Option<String>,
    /// Show the first N differences
    #[arg(long, value_name = "N", default_value_t = 5)]
    max: usize,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let cases = built_in()?;
    let Some(case) = cases.iter().find(|case| case.id == args.case) else {
        let hint = hint(&args.case, cases.iter().map(|case| case.id.as_str()));
        let hint = hint.unwrap_or_else(|| "see `wirecanon list cases`".to_owned());
        return Err(Stop::usage(format!("no case has the id `{}`; {hint}", args.case)));
    };
    let target = match &args.to {
        Some(name) => revision::to_write(name)?,
        None => Target::of_dialect(case.from),
    };
    let asked = match &args.testee {
        Some(argument) => Some(ask(argument, case, target)?),
        None => None,
    };
    let case = asked.as_ref().and_then(|asked| asked.carried.as_ref()).unwrap_or(case);
    let mut out = listener::stdout();
    write_case(&mut out, case, target)?;
    let Some(asked) = &asked else {
        return Ok(Exit::Holds);
    };
    write_answer(&mut out, args.max, case, target, asked)?;
    Ok(if asked.judgement.ok { Exit::Holds } else { Exit::Findings })
}

/// The answer of a testee.
struct Asked {
    hello: Hello,
    /// The case in a dialect that the testee reads, where it does not read that of the case
    carried: Option<Case>,
    answer: Answer,
    judgement: Judgement,
}

fn ask(argument: &str, case: &Case, target: &'static Target) -> Result<Asked, Stop> {
    let mut testee = testee::from_argument(argument, testee::Budget::default()).map_err(Stop::usage)?;
    let hello = testee.hello().map_err(|error| Stop::new(Exit::Testee, format!("{argument}: {}", error.message)))?;
    let carried = if hello.claims(case.from, target) {
        None
    } else {
        let mut dialects = hello.conversions.iter().filter(|(_, to)| *to == target.dialect).map(|(from, _)| *from);
        let carried = dialects.find_map(|dialect| carry::into_dialect(case, dialect));
        let name = &target.name;
        let why = || Stop::usage(format!("{argument} does not convert `{}` to {name}: give another --to", case.id));
        Some(carried.ok_or_else(why)?)
    };
    let given = carried.as_ref().unwrap_or(case);
    let answer = answer(testee.as_mut(), given, target);
    let demands = Demands::of(&hello, false);
    let judgement = judge_as(given, target, &answer, demands);
    Ok(Asked { hello, carried, answer, judgement })
}

fn answer(testee: &mut dyn Testee, case: &Case, target: &'static Target) -> Answer {
    let mut found = None;
    testee.convert(&[Request::of(case, target)], &mut |_, answer| found = Some(answer));
    found.unwrap_or_else(|| Answer::Environment("no answer was given for this request".to_owned()))
}

fn write_case(out: &mut dyn Write, case: &Case, target: &Target) -> Result<(), Stop> {
    writeln!(out, "{}  {} → {}", case.id, case.from.name(), target.name)?;
    writeln!(out, "  {}", plain(&case.title))?;
    for source in &case.source {
        writeln!(out, "  source: {}", plain(source))?;
    }
    writeln!(out, "\ninput")?;
    write_text(out, &String::from_utf8_lossy(&case.input))?;
    let broken = meaning::broken_rules(case);
    if broken.is_empty() {
        writeln!(out, "\nthe input breaks no rule of {}", case.from.name())?;
    } else {
        writeln!(out, "\nrules that the input breaks")?;
    }
    for (rule, places, outcomes) in broken {
        writeln!(out, "  {rule} at {}", plain(&places.join(", ")))?;
        for outcome in outcomes {
            writeln!(out, "    acceptable too: {}", outcome.statement())?;
        }
    }
    if let Some(code) = case.may_refuse(target) {
        writeln!(out, "  a refusal with `{code}` is right too")?;
    }
    match meaning::expected(case, target) {
        Some(Shown { name, lines }) => {
            writeln!(out, "\nexpected conversation, from {name}")?;
            lines.iter().try_for_each(|line| writeln!(out, "  {}", plain(line)))?;
        }
        None => writeln!(out, "\nno conversation is expected: the texts of `must_keep` must occur in the answer")?,
    }
    Ok(())
}

fn write_answer(out: &mut dyn Write, max: usize, case: &Case, target: &Target, asked: &Asked) -> Result<(), Stop> {
    let name = &asked.hello.name;
    writeln!(out, "\nanswer of {}", plain(name))?;
    let bytes = match &asked.answer {
        Answer::Output { bytes, .. } => {
            let text = String::from_utf8_lossy(bytes);
            write_text(out, &text)?;
            if let Some(Shown { lines, .. }) = meaning::observed(&text, target) {
                writeln!(out, "\nread as")?;
                lines.iter().try_for_each(|line| writeln!(out, "  {}", plain(line)))?;
            }
            Some(bytes)
        }
        Answer::Refused { code, message } => {
            writeln!(out, "  refused with `{}`: {}", plain(code), shorten(message, 400))?;
            None
        }
        other => {
            writeln!(out, "  {}", shorten(&format!("{other:?}"), 400))?;
            None
        }
    };
    let judgement = &asked.judgement;
    let passed = if judgement.ok { "passed" } else { "failed" };
    writeln!(out, "\n{passed}: {}", judgement.verdict.name())?;
    writeln!(out, "  {}", judgement.verdict.meaning())?;
    for broken in judgement.violations.iter().take(max) {
        writeln!(out, "  {} at {}: {}", broken.rule, plain(&broken.pointer), shorten(&broken.message, 300))?;
    }
    for reason in judgement.reasons.iter().take(max) {
        writeln!(out, "  {}", shorten(&reason.to_string(), 400))?;
    }
    let more = judgement.violations.len().saturating_sub(max) + judgement.reasons.len().saturating_sub(max);
    if more > 0 {
        writeln!(out, "  {more} more; --max shows them")?;
    }
    judgement.failures.iter().try_for_each(|failure| writeln!(out, "  {}", shorten(failure, 400)))?;
    if let Some(bytes) = bytes {
        let used = meaning::used(case, target, &String::from_utf8_lossy(bytes));
        if !used.is_empty() {
            writeln!(out, "  differences that do not count: {}", used.join(", "))?;
        }
    }
    Ok(())
}

/// Prints a text, indented and cut where it is long.
fn write_text(out: &mut dyn Write, text: &str) -> Result<(), Stop> {
    let pretty = serde_json::from_str::<serde_json::Value>(text).ok();
    let pretty = pretty.map_or_else(|| text.to_owned(), |value| format!("{value:#}"));
    let end = pretty.char_indices().map(|(at, _)| at).take_while(|at| *at <= MAX_SHOWN).last().unwrap_or_default();
    let shown = if pretty.len() > MAX_SHOWN { &pretty[..end] } else { &pretty };
    shown.lines().try_for_each(|line| writeln!(out, "  {}", plain(line)))?;
    if shown.len() < pretty.len() {
        writeln!(out, "  … {} bytes more", pretty.len() - shown.len())?;
    }
    Ok(())
}
