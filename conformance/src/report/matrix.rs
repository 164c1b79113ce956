//! The run as one table for a README: testees down, classes of fault across, the worst first.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::markdown::{by_case, text};
use crate::log::Log;
use crate::run::TesteeRun;
use crate::verdict::Verdict;

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
    classes: BTreeMap<String, Share>,
}

/// Writes the whole run.
///
/// # Errors
///
/// Writing fails.
pub fn write(out: &mut dyn Write, log: &Log) -> io::Result<()> {
    if let Some(void) = &log.start.void {
        writeln!(out, "**Void: {}**\n", text(void))?;
    }
    if !log.complete {
        writeln!(out, "**Incomplete: the run was cut short.**\n")?;
    }
    let partial = log.why_partial().map_or(String::new(), |why| format!(" **Partial: {why}.**"));
    let class_of = log.classes();
    let mut rows: Vec<(&TesteeRun, Row)> = log.runs.iter().map(|run| (run, row(&class_of, run))).collect();
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
        "{} cases, wirecanon {}.{partial} A number is the share of answers, in percent, that came out as asked: an API would take \
         the answer and nothing was lost, or it refused where a refusal is right. A case is asked for every server that the testee \
         claims. – is a class of which it claims nothing. The worst stand first.\n",
        log.cases.len(),
        log.start.version,
    )?;
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

fn row(class_of: &BTreeMap<&str, &str>, run: &TesteeRun) -> Row {
    let mut row = Row::default();
    for (case, results) in by_case(run.results.iter()) {
        let Some(class) = class_of.get(case) else { continue };
        let judged = results.iter().filter(|result| result.judgement.verdict != Verdict::Unsupported);
        let answers: Vec<bool> = judged.map(|result| result.judgement.ok).collect();
        row.cases += usize::from(!answers.is_empty());
        for good in answers {
            row.whole.add(good);
            row.classes.entry((*class).to_owned()).or_default().add(good);
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
