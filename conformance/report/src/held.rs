//! What a gate says, for a terminal: what blocks, what is stale, and the command that mends each.

use std::collections::BTreeMap;
use std::io::{self, Write};

use wirecanon_judge::exit::Exit;
use wirecanon_judge::plain::{count, plain, shorten};
use wirecanon_judge::reason;
use wirecanon_runner::expectation::Expectations;
use wirecanon_runner::expectation::hold::{Broken, Held, Regression, Stale, Staleness, distinct, targets};
use wirecanon_runner::run::TesteeRun;

use super::human::{BAD, BOLD, FAINT, GOOD, ODD, more};

/// Cases that are told at length.
const SHOWN: usize = 20;

/// The commands that are named beside a finding.
#[derive(Clone, Debug)]
pub struct Commands {
    /// Runs one case: the id is put behind it
    pub test: String,
    /// Brings the file up to date
    pub bless: String,
    /// The file
    pub file: String,
}

/// One testee, and what it was held to.
#[derive(Clone, Debug)]
pub struct Told<'l> {
    /// What it did
    pub run: &'l TesteeRun,
    /// What is expected of it
    pub expectations: Expectations,
    /// What there is to say
    pub held: Held<'l>,
    /// The commands that mend it
    pub commands: Commands,
    /// Whether its file was changed, if that was asked for
    pub blessed: Option<bool>,
    /// What is said to people before all else
    pub notes: Vec<String>,
    /// Its exit code
    pub exit: Exit,
}

/// Writes what a gate found of one testee.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, told: &Told<'_>) -> io::Result<()> {
    let Told { expectations, held, commands, .. } = told;
    for note in &told.notes {
        writeln!(out, "{note}")?;
    }
    let mut cases: BTreeMap<&str, Vec<&Broken<'_>>> = BTreeMap::new();
    for broken in &held.regressions {
        cases.entry(broken.results[0].case.as_str()).or_default().push(broken);
    }
    for (case, list) in cases.iter().take(SHOWN) {
        regressions(out, case, list, expectations, commands)?;
    }
    more(out, "", cases.len(), SHOWN, " cases; `--log FILE` and `wirecanon report` have them all\n")?;
    for stale in held.stale.iter().take(SHOWN) {
        self::stale(out, stale, expectations, commands)?;
    }
    more(out, "", held.stale.len(), SHOWN, " entries")?;
    if !held.stale.is_empty() {
        if held.stale.iter().any(|stale| stale.kind != Staleness::Expired) {
            writeln!(out, "  {FAINT}mend the file with:{FAINT:#} {}", commands.bless)?;
        }
        if held.stale.iter().any(|stale| stale.kind == Staleness::Expired) {
            writeln!(out, "  {FAINT}mend it, or give it another day with:{FAINT:#} {} --expires DAY", commands.bless)?;
        }
        writeln!(out)?;
    }
    if !held.unscored.is_empty() {
        let mut names: Vec<_> = held.unscored.iter().map(|broken| broken.results[0].case.as_str()).collect();
        names.dedup();
        let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
        writeln!(out, "{ODD}unscored{ODD:#}: not of the suite yet, and not as asked: {shown}{more}\n")?;
    }
    verdict(out, told)
}

fn regressions(
    out: &mut dyn Write,
    case: &str,
    list: &[&Broken<'_>],
    expectations: &Expectations,
    commands: &Commands,
) -> io::Result<()> {
    let first = list[0].results[0];
    writeln!(out, "{BAD}{BOLD}{case}{BOLD:#}{BAD:#}  {}", plain(&first.title))?;
    for broken in list {
        let result = broken.results[0];
        let entry = broken.entry.map(|at| &expectations.entries[at]);
        if broken.kind == Regression::TooMany {
            let covers = entry.and_then(|entry| entry.covers).unwrap_or(0);
            let mut cases: Vec<_> = broken.results.iter().map(|result| result.case.as_str()).collect();
            cases.dedup();
            let pattern = entry.map_or("", |entry| entry.case.as_str());
            let count = cases.len();
            writeln!(out, "  {BAD}too many cases{BAD:#}: `{pattern}` may cover {covers}, and {count} fail as it says")?;
            continue;
        }
        let verdict = result.judgement.verdict.name();
        let sources = distinct(broken.results.iter().map(|result| result.from.name()));
        let way = format!("{} → {}", sources.join(", "), targets(&broken.results));
        writeln!(out, "  {BAD}{}{BAD:#}: {way}: {verdict}", broken.kind.name())?;
        for reason in reason::of(&result.judgement) {
            writeln!(out, "    {ODD}{}{ODD:#}{}", plain(&reason), in_words(result, &reason))?;
        }
        if !result.flaky.is_empty() {
            let verdicts: Vec<_> = result.flaky.iter().map(|verdict| verdict.name()).collect();
            writeln!(out, "    asked again, it was {}", verdicts.join(" and "))?;
        }
        if let Some(entry) = entry {
            let line = format!("{}:{}", commands.file, entry.line);
            writeln!(
                out,
                "    {FAINT}{line} expects {}: {}{FAINT:#}",
                entry.verdict.name(),
                plain(&entry.because.join("; "))
            )?;
        }
    }
    writeln!(out, "  {FAINT}see it:{FAINT:#} {} --case {case}", commands.test)?;
    if let Some(violation) = first.judgement.violations.first() {
        writeln!(out, "  {FAINT}the rule:{FAINT:#} wirecanon explain {}", violation.rule)?;
    }
    writeln!(out, "  {FAINT}if it is to stay so:{FAINT:#} {}\n", commands.bless)
}

/// What a broken rule says in words.
fn in_words(result: &wirecanon_runner::run::RunResult, reason: &str) -> String {
    let violation = result.judgement.violations.iter().find(|violation| {
        reason
            .strip_prefix(violation.rule.as_str())
            .and_then(|rest| rest.strip_prefix(reason::AT))
            .is_some_and(|place| place == violation.pointer || violation.pointer.is_empty())
    });
    violation.map_or(String::new(), |violation| format!(": {}", shorten(&violation.message, 200)))
}

fn stale(out: &mut dyn Write, stale: &Stale, expectations: &Expectations, commands: &Commands) -> io::Result<()> {
    let entry = &expectations.entries[stale.entry];
    let (file, line, kind) = (&commands.file, entry.line, stale.kind.name());
    writeln!(out, "{ODD}{kind}{ODD:#}: {BOLD}{}{BOLD:#} ({file}:{line}): {}", plain(&entry.case), plain(&stale.words))
}

fn verdict(out: &mut dyn Write, Told { run, held, commands, exit, .. }: &Told<'_>) -> io::Result<()> {
    let name = run.name();
    let (known, good, judged) = (held.known, held.good, held.judged);
    let counts = format!("{judged} cases judged, {good} results as asked, {known} known to fail");
    match exit {
        Exit::Holds => writeln!(out, "{GOOD}the gate is open{GOOD:#}: {name}: {counts}"),
        Exit::Stale => {
            let stale = held.stale.len();
            let stale = if stale == 1 { "1 entry is stale".to_owned() } else { format!("{stale} entries are stale") };
            writeln!(out, "{ODD}stale{ODD:#}: {name}: {stale} in {}; {counts}", commands.file)
        }
        Exit::Findings => {
            let broken = count(held.regressions.len(), "regression");
            let stale = held.stale.len();
            writeln!(out, "{BAD}{broken}{BAD:#}: {name}: {counts}, {stale} stale")
        }
        Exit::TooLittle => {
            writeln!(out, "{BAD}too little{BAD:#}: {name} was judged on {judged} scored cases")
        }
        Exit::Testee => {
            let why = run.hello.as_ref().err().map_or("", |error| error.message.as_str());
            writeln!(out, "{BAD}not run{BAD:#}: {}", shorten(why, 400))
        }
        Exit::Incomplete | Exit::Usage => {
            writeln!(out, "{BAD}incomplete{BAD:#}: {name}: not every result is its own fault, or the run was cut short")
        }
    }
}
