//! The run for a terminal: what went wrong, the new and the worst first and of every class, then one line a testee.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use wirecanon_judge::exit::Exit;
use wirecanon_judge::plain::{plain, shorten};
use wirecanon_judge::verdict::{Domain, Verdict};
use wirecanon_runner::change::{Bucket, Comparison};
use wirecanon_runner::log::Log;
use wirecanon_runner::run::{RunResult, TesteeRun};

use super::markdown::by_case;
use super::{Since, Told};

/// Cases that are shown whole for each testee.
const SHOWN: usize = 20;

/// Equivalences and acceptable outcomes that are named for each testee.
const ALLOWED: usize = 6;

/// What went well.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What went wrong.
pub const BAD: Style = AnsiColor::Red.on_default();
/// What deserves a look.
pub const ODD: Style = AnsiColor::Yellow.on_default();
/// Places and asides.
pub const FAINT: Style = Style::new().dimmed();
/// Names.
pub const BOLD: Style = Style::new().bold();

/// Says how many there are beyond those that are shown, if any.
pub(crate) fn more(out: &mut dyn Write, indent: &str, all: usize, shown: usize, rest: &str) -> io::Result<()> {
    if all > shown { writeln!(out, "{indent}… and {} more{rest}", all - shown) } else { Ok(()) }
}

/// Groups of items of which the same is said, each in the place of its first.
pub(crate) fn grouped<T, K: PartialEq>(items: impl Iterator<Item = T>, key: impl Fn(&T) -> K) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for item in items {
        let key = key(&item);
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

/// Writes the whole report. Beside an earlier run, what was not so then comes first.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, told: &Told<'_>) -> io::Result<()> {
    let log = told.log;
    let class_of = log.classes();
    let new = told.since.as_ref().map(|since| new(&since.comparison)).unwrap_or_default();
    for run in &log.runs {
        findings(out, run, &class_of, &new)?;
    }
    table(out, log)?;
    if let Some(earlier) = &told.since {
        since(out, earlier)?;
    }
    for run in &log.runs {
        verdict_of(out, run)?;
    }
    for (kind, why) in log.faults() {
        writeln!(out, "{BAD}{kind}{BAD:#}: {why}")?;
    }
    let runs: usize = log.runs.iter().map(|run| run.results.len()).sum();
    let took = log.elapsed.map_or(String::new(), |elapsed| format!(", {:.1} s", elapsed.as_secs_f64()));
    let partial = log.why_partial().map_or(String::new(), |why| format!(", partial: {why}"));
    let suite = log.start.suite.as_ref().map_or(String::new(), |suite| format!(", suite {suite}"));
    writeln!(out, "{} cases, {runs} runs{suite}{took}{partial}", log.cases.len())
}

/// Testees and cases that are not as asked, and were so or were not judged in the earlier run, or fail in another way.
fn new<'l>(comparison: &Comparison<'l>) -> HashSet<(&'l str, &'l str)> {
    let fails = |bucket| matches!(bucket, Bucket::NewlyFailing | Bucket::ChangedFailure | Bucket::NewCase);
    let changes = comparison.changes.iter().filter(|change| fails(change.bucket));
    changes
        .flat_map(|change| change.after.iter().map(|result| (change.testee, result)))
        .filter(|(_, result)| !result.judgement.ok)
        .map(|(testee, result)| (testee, result.case.as_str()))
        .collect()
}

/// One line: how many results changed in which way.
fn since(out: &mut dyn Write, Since { name, comparison, .. }: &Since<'_>) -> io::Result<()> {
    let mut counts: BTreeMap<Bucket, usize> = BTreeMap::new();
    for change in &comparison.changes {
        *counts.entry(change.bucket).or_default() += change.results();
    }
    let said: Vec<_> = counts.iter().map(|(bucket, count)| format!("{count} {}", bucket.name())).collect();
    let said = if said.is_empty() { "nothing changed".to_owned() } else { said.join(", ") };
    writeln!(out, "since {}: {said}; {} results were compared", plain(name), comparison.compared)
}

fn findings(
    out: &mut dyn Write,
    run: &TesteeRun,
    class_of: &BTreeMap<&str, &str>,
    new: &HashSet<(&str, &str)>,
) -> io::Result<()> {
    // Among those that are as bad, each class has its turn: twenty cases of one say nothing of the others.
    let mut of_class: HashMap<_, usize> = HashMap::new();
    let mut cases = Vec::new();
    for (id, results) in by_case(run.findings()) {
        let worst = results.iter().map(|result| result.judgement.verdict).max();
        let turn = of_class.entry((worst, class_of.get(id))).or_default();
        *turn += 1;
        cases.push((Reverse(new.contains(&(run.name(), id))), Reverse(worst), *turn, id, results));
    }
    cases.sort_by_key(|(new, worst, turn, ..)| (*new, *worst, *turn));
    for (Reverse(new), .., id, results) in cases.iter().take(SHOWN) {
        let name = run.name();
        let new = if *new { format!("  {ODD}new{ODD:#}") } else { String::new() };
        writeln!(out, "{BAD}{BOLD}{id}{BOLD:#}{BAD:#}  {FAINT}{name}{FAINT:#}{new}")?;
        writeln!(out, "  {}", plain(&results[0].title))?;
        let said = |result: &&RunResult| {
            let mut said = Vec::new();
            finding(&mut said, result, &[]).map(|()| said).ok()
        };
        for (_, alike) in grouped(results.iter().copied(), said) {
            let targets: Vec<_> = alike.iter().map(|result| result.to.as_str()).collect();
            finding(out, alike[0], &targets)?;
        }
        writeln!(out)?;
    }
    let rest = format!(" cases for {}; `--format json` has them all\n", run.name());
    more(out, "", cases.len(), SHOWN, &rest)?;
    by_class(out, run, class_of)?;
    if !run.remarks.is_empty() {
        writeln!(out, "{BOLD}{}{BOLD:#} also said:", run.name())?;
        for remark in &run.remarks {
            writeln!(out, "  {FAINT}{}{FAINT:#}", plain(remark))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// How many cases of each class are not as asked, the worst first.
fn by_class(out: &mut dyn Write, run: &TesteeRun, class_of: &BTreeMap<&str, &str>) -> io::Result<()> {
    let mut classes: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for result in run.results.iter().filter(|result| result.judgement.verdict != Verdict::Unsupported) {
        let Some(class) = class_of.get(result.case.as_str()) else { continue };
        let [judged, failing] = classes.entry(class).or_default();
        judged.insert(&result.case);
        if !result.judgement.ok {
            failing.insert(&result.case);
        }
    }
    let mut failing: Vec<_> = classes.iter().filter(|(_, [_, failing])| !failing.is_empty()).collect();
    if failing.len() < 2 {
        return Ok(());
    }
    failing.sort_by_key(|(_, [judged, failing])| Reverse(failing.len() * 1000 / judged.len()));
    writeln!(out, "{BOLD}{}{BOLD:#}, cases of each class that are not as asked:", run.name())?;
    for (class, [judged, failing]) in failing {
        writeln!(out, "  {BAD}{:>4}{BAD:#} of {:<4} {class}", failing.len(), judged.len())?;
    }
    writeln!(out)
}

/// Two lines and more: which way, the verdict, and why.
fn finding(out: &mut dyn Write, result: &RunResult, targets: &[&str]) -> io::Result<()> {
    let judgement = &result.judgement;
    let unscored = if result.scored { "" } else { ", not of the suite: it fails nothing" };
    let (from, targets) = (result.from.name(), targets.join(", "));
    writeln!(out, "  {from} → {targets}: {BAD}{}{BAD:#}{unscored}", judgement.verdict.name())?;
    if !result.flaky.is_empty() {
        let verdicts: Vec<_> = result.flaky.iter().map(|verdict| verdict.name()).collect();
        writeln!(out, "    {ODD}flaky{ODD:#}: asked again, it was {}", verdicts.join(" and "))?;
    }
    for violation in judgement.violations.iter().take(5) {
        let (rule, pointer) = (&violation.rule, plain(whole(&violation.pointer)));
        writeln!(out, "    {ODD}{rule}{ODD:#} at {pointer}: {}", shorten(&violation.message, 200))?;
    }
    more(out, "    ", judgement.violations.len(), 5, " broken rules")?;
    for reason in judgement.reasons.iter().take(5) {
        write!(out, "    {ODD}{}{ODD:#}", reason.kind)?;
        for (word, pointer) in [(" at", &reason.answer), (", expected", &reason.expected)] {
            pointer.iter().try_for_each(|pointer| write!(out, "{word} {}", plain(whole(pointer))))?;
        }
        writeln!(out, ": {}", shorten(&reason.detail, 200))?;
    }
    more(out, "    ", judgement.reasons.len(), 5, " differences in meaning")?;
    for lost in &judgement.lost {
        writeln!(out, "    lost: {}", shorten(lost, 100))?;
    }
    if let Some(difference) = &judgement.difference {
        writeln!(out, "    differs at {}", plain(whole(&difference.pointer)))?;
        writeln!(out, "      expected {}", shorten(&difference.expected, 160))?;
        writeln!(out, "      actual   {}", shorten(&difference.actual, 160))?;
    }
    for failure in &judgement.failures {
        writeln!(out, "    {}", shorten(failure, 400))?;
    }
    if judgement.domain != Domain::Testee {
        let whose = match judgement.domain {
            Domain::Adapter => "the adapter's",
            Domain::Corpus => "the corpus's",
            Domain::Harness => "the harness's",
            Domain::Environment | Domain::Testee => "the environment's",
        };
        writeln!(out, "    {FAINT}this is {whose} fault{FAINT:#}")?;
    }
    Ok(())
}

/// A pointer as reports print it.
fn whole(pointer: &str) -> &str {
    if pointer.is_empty() { "the whole" } else { pointer }
}

fn table(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    let used: Vec<Verdict> = log.verdicts().into_keys().collect();
    let width = log.runs.iter().map(|run| run.name().chars().count()).max().unwrap_or(0).clamp(7, 40);
    write!(out, "{BOLD}{:width$}  cases  runs", "testee")?;
    for verdict in &used {
        write!(out, "  {}", verdict.name())?;
    }
    writeln!(out, "{BOLD:#}")?;
    for run in &log.runs {
        write!(out, "{:width$}  {:>5}  {:>4}", shorten(run.name(), 39), run.judged, run.results.len())?;
        let counts = run.counts();
        for verdict in &used {
            let count = counts.get(verdict).copied().unwrap_or(0);
            let style = match verdict {
                _ if count == 0 => FAINT,
                Verdict::Identical | Verdict::Exact | Verdict::Faithful => GOOD,
                Verdict::Lossy | Verdict::Refused | Verdict::Unsupported => ODD,
                _ => BAD,
            };
            let width = verdict.name().len();
            write!(out, "  {style}{count:>width$}{style:#}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn verdict_of(out: &mut dyn Write, run: &TesteeRun) -> io::Result<()> {
    let name = run.name();
    let findings = run.findings().count();
    if let Some(measured) = &run.measured {
        writeln!(
            out,
            "{FAINT}{name}: {} answers a second; waits p50 {}, p99 {}; {:.2} s in the testee, {:.2} s in the \
             harness{FAINT:#}",
            measured.answers_per_second,
            time(measured.p50_us),
            time(measured.p99_us),
            measured.testee_seconds,
            measured.harness_seconds
        )?;
    }
    let allowed = run.allowed_by();
    if !allowed.is_empty() {
        let said: Vec<_> =
            allowed.iter().take(ALLOWED).map(|(id, count)| format!("{count} by `{}`", plain(id))).collect();
        let more = if allowed.len() > ALLOWED { format!(", {} more", allowed.len() - ALLOWED) } else { String::new() };
        writeln!(
            out,
            "{FAINT}{name}: accepted in another form (parts 10 and 11 of SPEC.md): {}{more}{FAINT:#}",
            said.join(", ")
        )?;
    }
    match run.exit() {
        Exit::Holds => writeln!(out, "{GOOD}holds{GOOD:#}: {name}"),
        Exit::Testee => {
            let why = run.hello.as_ref().err().map_or("", |error| error.message.as_str());
            writeln!(out, "{BAD}not run{BAD:#}: {}", shorten(why, 400))
        }
        Exit::TooLittle => {
            writeln!(
                out,
                "{BAD}too little{BAD:#}: {name} was judged on {} cases, {} are needed",
                run.judged, run.minimum
            )
        }
        Exit::Incomplete => writeln!(out, "{BAD}incomplete{BAD:#}: {name}: not every result is its own fault"),
        Exit::Findings | Exit::Usage | Exit::Stale => {
            let flaky = run.results.iter().filter(|result| !result.flaky.is_empty()).count();
            let flaky = if flaky == 0 { String::new() } else { format!(", {ODD}{flaky} flaky{ODD:#}") };
            writeln!(out, "{BAD}{findings} findings{BAD:#}{flaky}: {name}")
        }
    }
}

/// Microseconds as people read them.
fn time(microseconds: f64) -> String {
    if microseconds < 1000.0 {
        format!("{microseconds:.0} µs")
    } else if microseconds < 1_000_000.0 {
        format!("{:.1} ms", microseconds / 1000.0)
    } else {
        format!("{:.1} s", microseconds / 1_000_000.0)
    }
}
