//! The run as tables for a README: testees down, verdicts or classes of fault across, the worst first. Programs whose documentation promises
//! to repair broken histories stand apart from converters.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use wirecanon_cases::corpus;
use wirecanon_judge::case::digest::digest;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::adapter;
use wirecanon_runner::log::Log;
use wirecanon_runner::run::TesteeRun;

use super::markdown::{by_case, faults, text};

/// Answers that came out as asked, and answers that were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    good: usize,
    judged: usize,
}

impl Share {
    fn add(&mut self, good: bool) {
        self.judged += 1;
        self.good += usize::from(good);
    }

    /// In percent, rounded down, so that only the whole is 100; but what is not nothing is 1 at least.
    fn cell(self) -> String {
        match self.good * 100 / self.judged.max(1) {
            _ if self.judged == 0 => "–".to_owned(),
            0 if self.good > 0 => "1".to_owned(),
            percent => percent.to_string(),
        }
    }
}

/// A testee's row: of each class, and of all.
#[derive(Clone, Debug, Default)]
struct Row {
    cases: usize,
    whole: Share,
    /// Of the cases by themselves, without the conversation that they are asked in for a second time
    alone: Share,
    /// Of inputs that keep every rule of their dialect
    valid: Share,
    /// Of inputs that break one
    broken: Share,
    classes: BTreeMap<String, Share>,
    /// Answers that are not as asked, by verdict
    verdicts: BTreeMap<Verdict, usize>,
}

impl Row {
    /// The share of answers that are not as asked and have one of these verdicts.
    fn share_of(&self, verdicts: &[Verdict]) -> String {
        let count = verdicts.iter().filter_map(|verdict| self.verdicts.get(verdict)).sum();
        Share { good: count, judged: self.whole.judged }.cell()
    }
}

/// The columns of answers that are not as asked.
const NOT_AS_ASKED: [(&str, &[Verdict]); 5] = [
    ("rejected", &[Verdict::Rejected]),
    ("altered", &[Verdict::Altered]),
    ("lossy", &[Verdict::Lossy]),
    ("refused", &[Verdict::Refused]),
    ("no request", &[Verdict::Crashed, Verdict::Hung, Verdict::Garbage]),
];

/// Writes the whole run.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    faults(out, log)?;
    let partial = log.why_partial().map_or(String::new(), |why| format!(" **Partial: {why}.**"));
    let class_of = log.classes();
    let valid = known_cases(log);
    let mut rows: Vec<(&TesteeRun, Row)> = log.runs.iter().map(|run| (run, row(&class_of, &valid, run))).collect();
    rows.sort_by(|(one, left), (other, right)| worse(left.whole, right.whole).then(one.name().cmp(other.name())));
    let mut classes: BTreeMap<&str, Share> = BTreeMap::new();
    for (class, share) in rows.iter().flat_map(|(_, row)| &row.classes) {
        let sum = classes.entry(class).or_default();
        sum.good += share.good;
        sum.judged += share.judged;
    }
    let mut classes: Vec<(&str, Share)> = classes.into_iter().collect();
    classes.sort_by(|(one, left), (other, right)| worse(*left, *right).then(one.cmp(other)));
    writeln!(
        out,
        "{} cases, wirecanon {}.{partial} Numbers are percent of all answers. `as asked`: the server takes the request and nothing is lost or \
         changed, or the program refused where a refusal is right, for the case by itself and inside a conversation. `alone`: for the case by \
         itself. `valid inputs`, `broken inputs`: what is as asked of the inputs that keep every rule of their dialect, and of the others. \
         `rejected`: the server rejects the request. `altered`: it tells the model something else. `lossy`: something is lost. `refused`: an \
         error where the input could be sent. `no request`: an exception, no answer, or no JSON. A case is asked for every server that the \
         testee claims. The worst stand first.\n",
        log.cases.len(),
        log.start.version,
    )?;
    let adapters = adapter::all().unwrap_or_default();
    let repairs = |run: &TesteeRun| adapter::promises_repairs(&adapters, run.name()).unwrap_or(true);
    let (repairers, converters): (Vec<_>, Vec<_>) = rows.iter().partition(|(run, _)| repairs(run));
    verdicts(out, "Programs that repair: broken histories are part of what they promise", &repairers)?;
    verdicts(out, "Converters: nothing is promised for broken histories", &converters)?;
    writeln!(out, "### By class of fault\n\n`–` is a class of which a testee claims nothing.\n")?;
    let names: Vec<&str> = classes.iter().map(|(class, _)| *class).collect();
    writeln!(out, "| testee | version | cases | all | {} |", names.join(" | "))?;
    writeln!(out, "|---|---|--:|--:|{}", "--:|".repeat(names.len()))?;
    for (run, row) in &rows {
        let name = text(run.name());
        match &run.hello {
            Ok(hello) => {
                let version = text(hello.version.as_deref().unwrap_or(""));
                let of = |class: &&str| row.classes.get(*class).copied().unwrap_or_default().cell();
                let cells: Vec<String> = names.iter().map(of).collect();
                let all = row.whole.cell();
                writeln!(out, "| {name} | {version} | {} | {all} | {} |", row.cases, cells.join(" | "))?;
            }
            Err(_) => writeln!(out, "| {name} | did not start | | |{}", " |".repeat(names.len()))?,
        }
    }
    Ok(())
}

fn verdicts(out: &mut dyn Write, title: &str, rows: &[&(&TesteeRun, Row)]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let columns: Vec<&str> = NOT_AS_ASKED.iter().map(|(name, _)| *name).collect();
    writeln!(out, "### {title}\n")?;
    writeln!(
        out,
        "| testee | version | cases | as asked | alone | valid inputs | broken inputs | {} |",
        columns.join(" | ")
    )?;
    writeln!(out, "|---|---|--:|--:|--:|--:|--:|{}", "--:|".repeat(columns.len()))?;
    for (run, row) in rows {
        let name = text(run.name());
        let Ok(hello) = &run.hello else {
            writeln!(out, "| {name} | did not start | | | | | |{}", " |".repeat(columns.len()))?;
            continue;
        };
        let version = text(hello.version.as_deref().unwrap_or(""));
        let shares = [row.whole, row.alone, row.valid, row.broken].map(Share::cell).join(" | ");
        let others: Vec<String> = NOT_AS_ASKED.iter().map(|(_, verdicts)| row.share_of(verdicts)).collect();
        writeln!(out, "| {name} | {version} | {} | {shares} | {} |", row.cases, others.join(" | "))?;
    }
    writeln!(out)
}

/// The cases of a run that are in this program's corpus: whether their inputs keep every rule.
fn known_cases(log: &Log) -> HashMap<&str, bool> {
    let cases = corpus::load().unwrap_or_default();
    let digests = log.digests();
    let is_known = |(_, known): &(&&str, &&str), case| **known == digest(case);
    let known = cases.iter().filter_map(|case| {
        let (id, _) = digests.get_key_value(&*case.id).filter(|entry| is_known(entry, case))?;
        Some((*id, case.facts().is_valid))
    });
    known.collect()
}

fn row(class_of: &BTreeMap<&str, &str>, valid: &HashMap<&str, bool>, run: &TesteeRun) -> Row {
    let mut row = Row::default();
    for (case, results) in by_case(run.results.iter()) {
        let Some(class) = class_of.get(case) else { continue };
        let judged: Vec<_> = results.iter().filter(|result| result.judgement.verdict != Verdict::Unsupported).collect();
        row.cases += usize::from(!judged.is_empty());
        for result in judged {
            let good = result.judgement.ok;
            row.whole.add(good);
            row.alone.add(good || result.framed);
            match valid.get(case) {
                Some(true) => row.valid.add(good),
                Some(false) => row.broken.add(good),
                None => {}
            }
            row.classes.entry((*class).to_owned()).or_default().add(good);
            if !good {
                *row.verdicts.entry(result.judgement.verdict).or_default() += 1;
            }
        }
    }
    row
}

/// The smaller share first; what was not judged last.
fn worse(one: Share, other: Share) -> std::cmp::Ordering {
    let none = |share: Share| share.judged == 0;
    none(one).cmp(&none(other)).then((one.good * other.judged).cmp(&(other.good * one.judged)))
}

#[cfg(test)]
mod tests {
    use super::{Share, worse};

    #[test]
    fn a_share_is_rounded_down_and_only_the_whole_is_a_hundred() {
        let of = |good, judged| Share { good, judged }.cell();
        let cells = [of(0, 0), of(0, 9), of(1, 300), of(2, 3), of(299, 300), of(300, 300)];
        assert_eq!(cells, ["–", "0", "1", "66", "99", "100"]);
    }

    #[test]
    fn the_worst_stand_first_and_the_unjudged_last() {
        let mut shares = [(0, 0), (3, 3), (0, 1), (1, 2), (2, 3)].map(|(good, judged)| Share { good, judged });
        shares.sort_by(|one, other| worse(*one, *other));
        assert_eq!(shares.map(|share| share.judged), [1, 2, 3, 3, 0]);
    }
}
