//! What `fix` wrote of every case of the corpus for every target: no rule, no schema and no oracle may refuse any of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use wirecanon_core::{Dialect, Target};

use super::feed;
use super::opinion::Fault;
use super::oracle::Oracle;

/// One case, written for one target.
#[derive(Debug)]
pub(crate) struct Conversion {
    pub(crate) case: String,
    pub(crate) from: Dialect,
    pub(crate) target: &'static Target,
    /// The records of its messages, and of the whole where an oracle judges wholes; none where `fix` refused
    pub(crate) records: Option<Vec<usize>>,
    /// Rules of the target that the whole breaks
    pub(crate) rules: Vec<Fault>,
    /// Where it is not what the schema says
    pub(crate) schema: Vec<Fault>,
}

impl Conversion {
    pub(crate) fn of(case: &str, from: Dialect, target: &'static Target) -> Self {
        Self { case: case.to_owned(), from, target, records: None, rules: Vec::new(), schema: Vec::new() }
    }
}

/// What the oracles said of one record that the reference wrote.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    /// How many judged it
    pub(crate) asked: usize,
    /// Who refuses it, and whether the list of disagreements says that this is the oracle's mistake
    pub(crate) refused: Vec<(String, bool)>,
}

/// All that was written for one target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) oracles: BTreeSet<String>,
    pub(crate) from: BTreeSet<&'static str>,
    pub(crate) conversions: usize,
    /// Where `fix` refused, and wrote nothing
    pub(crate) refusals: usize,
    pub(crate) rules: usize,
    pub(crate) schema: usize,
    pub(crate) verdicts: usize,
    pub(crate) rejections: usize,
    /// Rejections that are the oracle's mistake
    pub(crate) mistaken: usize,
}

/// Every target that an oracle judges.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    pub(crate) rows: BTreeMap<&'static str, Row>,
    /// Conversions from a dialect to a dialect that were judged
    pub(crate) pairs: BTreeMap<(&'static str, &'static str), usize>,
    /// What must not be, in words
    pub(crate) failures: Vec<String>,
}

impl Targets {
    /// Counts the conversions to one dialect; `heard` holds what was said of its records.
    pub(crate) fn add(&mut self, conversions: &[Conversion], heard: &HashMap<String, Heard>, oracles: &[&Oracle]) {
        for one in conversions {
            let to = one.target.dialect;
            let row = self.rows.entry(&one.target.name).or_default();
            let judging = oracles.iter().filter(|oracle| oracle.looks_at(one.target));
            row.oracles.extend(judging.map(|oracle| oracle.name.clone()));
            let Some(records) = &one.records else {
                row.refusals += 1;
                continue;
            };
            row.from.insert(one.from.name());
            row.conversions += 1;
            *self.pairs.entry((one.from.name(), to.name())).or_default() += 1;
            row.rules += one.rules.len();
            row.schema += one.schema.len();
            let said = |fault: &Fault| {
                format!("{} to {}: {} {}: {}", one.case, one.target.name, fault.rule, fault.at, fault.says)
            };
            self.failures.extend(one.rules.iter().chain(&one.schema).map(said));
            for heard in records.iter().filter_map(|number| heard.get(&feed::id(to, *number))) {
                row.verdicts += heard.asked;
                row.rejections += heard.refused.len();
                row.mistaken += heard.refused.iter().filter(|(_, mistaken)| *mistaken).count();
                for (oracle, _) in heard.refused.iter().filter(|(_, mistaken)| !mistaken) {
                    self.failures.push(format!("{} to {}: refused by {oracle}", one.case, one.target.name));
                }
            }
        }
    }

    /// Both tables of the documentation.
    pub(crate) fn markdown(&self) -> String {
        let mut out = String::from(
            "## Every dialect to every target\n\nEvery case of the corpus, written by `fix` for every target. The rules are those of the \
             target, of a request that is sent.\n\n| target | from | written | `fix` refused | broken rules | schema | oracles | verdicts | \
             rejections | of these, the oracle is wrong | left |\n|---|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|\n",
        );
        let mut sum = Row::default();
        for (target, row) in &self.rows {
            let oracles: Vec<_> = row.oracles.iter().map(String::as_str).collect();
            line(&mut out, target, &row.from.len().to_string(), row, &oracles.join(", "));
            sum.conversions += row.conversions;
            sum.refusals += row.refusals;
            sum.rules += row.rules;
            sum.schema += row.schema;
            sum.verdicts += row.verdicts;
            sum.rejections += row.rejections;
            sum.mistaken += row.mistaken;
        }
        line(&mut out, "all", "", &sum, "");
        let from: BTreeSet<_> = self.pairs.keys().map(|(from, _)| *from).collect();
        let to: BTreeSet<_> = self.pairs.keys().map(|(_, to)| *to).collect();
        let _ = writeln!(
            out,
            "\nThe conversions behind that table, from a dialect (down) to the targets of a dialect (across):\n\n| from | {} |\n|---|{}",
            to.iter().copied().collect::<Vec<_>>().join(" | "),
            "---:|".repeat(to.len())
        );
        for from in from {
            let cells = to.iter().map(|to| self.pairs.get(&(from, *to)).map_or(String::from("–"), usize::to_string));
            let _ = writeln!(out, "| {from} | {} |", cells.collect::<Vec<_>>().join(" | "));
        }
        out
    }
}

fn line(out: &mut String, target: &str, from: &str, row: &Row, oracles: &str) {
    let _ = writeln!(
        out,
        "| {target} | {from} | {} | {} | {} | {} | {oracles} | {} | {} | {} | {} |",
        row.conversions,
        row.refusals,
        row.rules,
        row.schema,
        row.verdicts,
        row.rejections,
        row.mistaken,
        row.rejections - row.mistaken
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversion(records: Option<Vec<usize>>) -> Conversion {
        let target = Target::of_dialect(Dialect::OpenAiChat);
        Conversion { records, ..Conversion::of("a-case", Dialect::LangChain, target) }
    }

    #[test]
    fn a_rejection_fails_unless_the_oracle_is_mistaken() {
        let heard = |mistaken| {
            let refused = vec![("judge".to_owned(), mistaken)];
            HashMap::from([(feed::id(Dialect::OpenAiChat, 1), Heard { asked: 2, refused })])
        };
        for mistaken in [true, false] {
            let mut targets = Targets::default();
            targets.add(&[conversion(Some(vec![1, 2])), conversion(None)], &heard(mistaken), &[]);
            let row = &targets.rows["openai.chat"];
            assert_eq!((row.conversions, row.refusals, row.verdicts, row.rejections), (1, 1, 2, 1));
            assert_eq!(row.mistaken, usize::from(mistaken));
            assert_eq!(targets.failures.is_empty(), mistaken);
            assert!(targets.markdown().contains("| langchain | 1 |"), "{}", targets.markdown());
        }
    }

    #[test]
    fn a_broken_rule_and_a_mismatch_fail() {
        let fault = || Fault { rule: "blank-text".into(), at: "/messages/0".into(), says: "it says nothing".into() };
        let ruled = Conversion { rules: vec![fault()], ..conversion(Some(Vec::new())) };
        let shaped = Conversion { schema: vec![fault()], ..conversion(Some(Vec::new())) };
        let mut targets = Targets::default();
        targets.add(&[ruled, shaped], &HashMap::new(), &[]);
        assert_eq!(targets.failures.len(), 2);
        assert!(
            targets.failures[0].contains("a-case to openai.chat: blank-text /messages/0"),
            "{:?}",
            targets.failures
        );
    }
}
