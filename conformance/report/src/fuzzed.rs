//! What fuzzing found: for people, and for programs.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;
use wirecanon_core::rule;
use wirecanon_judge::plain::{count, plain, shorten};
use wirecanon_runner::blackbox::{End, Fuzzed, Group, Seal, Small};
use wirecanon_runner::latency::rate;
use wirecanon_runner::testee::Hello;

use super::human::{BAD, BOLD, FAINT, GOOD, ODD, more};

/// Causes that are shown whole.
const SHOWN: usize = 30;

/// Characters of an input or output that are shown.
const LONG: usize = 500;

/// One cause, and where its case is.
#[derive(Clone, Debug)]
pub struct Found<'f> {
    /// The cause
    pub group: &'f Group,
    /// Its case
    pub file: Option<PathBuf>,
    /// The command that shows it again
    pub replay: Option<String>,
}

/// All there is to tell.
#[derive(Clone, Copy, Debug)]
pub struct Told<'t> {
    /// What came of it
    pub fuzzed: &'t Fuzzed,
    /// What was found
    pub found: &'t [Found<'t>],
    /// What the testee said of itself
    pub hello: &'t Hello,
    /// What was asked for
    pub seal: &'t Seal,
    /// What the testee printed beside its answers
    pub remarks: &'t [String],
    /// Why nothing of it counts
    pub void: Option<&'t str>,
    /// The same command goes on with it
    pub resumes: bool,
}

/// Writes it for people.
///
/// # Errors
///
/// Writing fails.
pub fn human(out: &mut dyn Write, told: &Told<'_>) -> io::Result<()> {
    for found in told.found.iter().take(SHOWN) {
        cause(out, found)?;
    }
    more(out, "", told.found.len(), SHOWN, " causes; `--format json` has them all\n")?;
    if !told.remarks.is_empty() {
        writeln!(out, "{BOLD}{}{BOLD:#} also said:", told.hello.name)?;
        for remark in told.remarks {
            writeln!(out, "  {FAINT}{}{FAINT:#}", plain(remark))?;
        }
        writeln!(out)?;
    }
    let progress = &told.fuzzed.progress;
    let name = &told.hello.name;
    let runs = count(progress.runs, "run");
    match progress.groups.len() {
        0 => writeln!(out, "{GOOD}nothing found{GOOD:#}: {name}, {runs}, seed {}", told.seal.seed)?,
        causes => writeln!(
            out,
            "{BAD}{}{BAD:#} in {}: {name}, {runs}, seed {}",
            count(causes, "cause"),
            count(progress.findings(), "finding"),
            told.seal.seed
        )?,
    }
    let verdicts: Vec<_> = progress.verdicts.iter().map(|(verdict, count)| format!("{verdict} {count}")).collect();
    writeln!(out, "verdicts: {}; {} kept", verdicts.join(", "), count(progress.kept(), "message"))?;
    speed(out, told.fuzzed)?;
    let goes_on = if told.resumes { "; the same command goes on" } else { "" };
    match &told.fuzzed.end {
        End::Done => {}
        End::Time => writeln!(out, "the time is over{goes_on}")?,
        End::Stopped => writeln!(out, "{ODD}interrupted{ODD:#}{goes_on}")?,
        End::GivenUp(why) => writeln!(out, "{BAD}given up{BAD:#}: {why}")?,
        End::Environment(why) => writeln!(out, "{BAD}incomplete{BAD:#}: {why}{goes_on}")?,
    }
    if let Some(void) = told.void {
        writeln!(out, "{BAD}void{BAD:#}: {void}")?;
    }
    Ok(())
}

fn cause(out: &mut dyn Write, found: &Found<'_>) -> io::Result<()> {
    let group = found.group;
    let symptom = &group.symptom;
    writeln!(
        out,
        "{BAD}{BOLD}{}{BOLD:#}{BAD:#}  {} → {}  {FAINT}{}, {}{FAINT:#}",
        symptom.rule,
        symptom.from,
        symptom.to,
        symptom.verdict,
        count(group.count, "time"),
    )?;
    if let Some(rule) = rule::by_id(&symptom.rule) {
        writeln!(out, "  {}", rule.statement)?;
    }
    if !symptom.shape.is_empty() {
        writeln!(out, "  {FAINT}where{FAINT:#}   {}", plain(&symptom.shape))?;
    }
    let defects = if group.defects.is_empty() {
        "none: the message is valid, at least to be stored"
    } else {
        &group.defects.join(", ")
    };
    writeln!(out, "  {FAINT}defects{FAINT:#} {defects}")?;
    match &group.small {
        Some(small) => {
            if small.doubtful {
                writeln!(out, "  {ODD}the reference does no better{ODD:#}: the judge may be wrong")?;
            }
            writeln!(out, "  {FAINT}said{FAINT:#}    {}", shorten(&small.said, LONG))?;
            writeln!(out, "  {FAINT}input{FAINT:#}   {}", shorten(&decoded(&small.input), LONG))?;
            if let Some(output) = &small.output {
                writeln!(out, "  {FAINT}output{FAINT:#}  {}", shorten(&decoded(output), LONG))?;
            }
        }
        None => writeln!(out, "  {ODD}not seen again{ODD:#}: first in run {}", group.first_run)?,
    }
    if let Some(replay) = &found.replay {
        writeln!(out, "  {FAINT}replay{FAINT:#}  {replay}")?;
    }
    writeln!(out)
}

fn decoded(base64: &str) -> String {
    let bytes = base64_simd::STANDARD.decode_to_vec(base64).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn speed(out: &mut dyn Write, fuzzed: &Fuzzed) -> io::Result<()> {
    let runs = fuzzed.progress.runs - fuzzed.before;
    let seconds = fuzzed.elapsed.as_secs_f64();
    write!(out, "{seconds:.1} s, {:.0} runs a second", rate(runs, fuzzed.elapsed))?;
    if let (Some(p50), Some(p99)) = (fuzzed.latency.percentile(50), fuzzed.latency.percentile(99)) {
        write!(out, "; an answer every {p50:.1?} (p50), {p99:.1?} (p99)")?;
    }
    let waited = 100.0 * fuzzed.waited.as_secs_f64() / seconds.max(1e-6);
    writeln!(out, "; testee {waited:.0} %, harness {:.0} % of the time", 100.0 - waited)?;
    if let Some(slow) = fuzzed.slowest.first() {
        let Some(p50) = fuzzed.latency.percentile(50) else { return Ok(()) };
        // Only what stands out is worth a line.
        if slow.took.as_millis() >= 100 && slow.took > 50 * p50 {
            writeln!(
                out,
                "{ODD}slow{ODD:#}: run {} ({} bytes, {} → {}) took {:.1?}",
                slow.run, slow.size, slow.from, slow.to, slow.took
            )?;
        }
    }
    Ok(())
}

/// It as JSON, with a line break at its end.
pub fn json(told: &Told<'_>) -> String {
    let Fuzzed { progress, end, before, latency, slowest, elapsed, waited } = told.fuzzed;
    let millis = |percent| latency.percentile(percent).map(|took| took.as_secs_f64() * 1000.0);
    let (end, why) = match end {
        End::Done => ("done", None),
        End::Time => ("time", None),
        End::Stopped => ("stopped", None),
        End::GivenUp(why) => ("given-up", Some(why)),
        End::Environment(why) => ("environment", Some(why)),
    };
    let findings: Vec<_> = told.found.iter().map(finding).collect();
    let slowest: Vec<_> = slowest
        .iter()
        .map(|slow| {
            let took = slow.took.as_secs_f64() * 1000.0;
            json!({"run": slow.run, "from": slow.from, "to": slow.to, "bytes": slow.size, "ms": took})
        })
        .collect();
    let value = json!({
        "wirecanon": 1,
        "summary": {
            "seed": told.seal.seed, "runs": progress.runs, "before": before, "end": end, "why": why,
            "verdicts": progress.verdicts, "kept": progress.kept(), "seconds": elapsed.as_secs_f64(),
            "testee_seconds": waited.as_secs_f64(), "p50_ms": millis(50), "p99_ms": millis(99), "void": told.void,
        },
        "testee": {
            "argument": told.seal.testee, "name": told.hello.name, "version": told.hello.version,
            "remarks": told.remarks,
        },
        "findings": findings,
        "slowest": slowest,
    });
    format!("{value:#}\n")
}

fn finding(found: &Found<'_>) -> serde_json::Value {
    let group = found.group;
    let small = group.small.as_ref().map(|small: &Small| {
        json!({
            "input_text": decoded(&small.input), "output_text": small.output.as_deref().map(decoded),
            "to": small.to, "message": small.said, "must_keep": small.must_keep, "doubtful": small.doubtful,
            "run": small.run, "requests": small.requests,
        })
    });
    json!({
        "rule": group.symptom.rule, "verdict": group.symptom.verdict, "from": group.symptom.from,
        "to": group.symptom.to, "shape": group.symptom.shape, "count": group.count, "first_run": group.first_run,
        "targets": group.targets, "defects": group.defects, "smallest": small,
        "file": found.file.as_ref().map(|file| file.display().to_string()), "replay": found.replay,
    })
}
