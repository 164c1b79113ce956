//! Feed and verdicts, side by side.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use wirecanon_core::Dialect;

use super::disagreement::{self, Disagreement, Side};
use super::feed::{self, Record};
use super::opinion::Fault;
use super::oracle::{self, Against, Oracle, Places, Verdict};
use super::source;
use super::written::Heard;

/// One of our two opinions.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Opinion {
    Rules,
    Schema,
}

impl Opinion {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Schema => "schema",
        }
    }
}

/// How often two judges agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) both_accept: usize,
    pub(crate) both_reject: usize,
    pub(crate) only_ours_accepts: usize,
    pub(crate) only_oracle_accepts: usize,
    /// Of what the reference wrote, what the oracle rejects
    pub(crate) written_rejected: usize,
}

impl Cells {
    pub(crate) fn total(&self) -> usize {
        self.both_accept + self.both_reject + self.only_ours_accepts + self.only_oracle_accepts
    }

    fn add(&mut self, ours: bool, oracle: bool) {
        let cell = match (ours, oracle) {
            (true, true) => &mut self.both_accept,
            (false, false) => &mut self.both_reject,
            (true, false) => &mut self.only_ours_accepts,
            (false, true) => &mut self.only_oracle_accepts,
        };
        *cell += 1;
    }
}

/// One record on which two judges differ.
pub(crate) struct Case<'a> {
    pub(crate) dialect: &'a str,
    pub(crate) target: &'a str,
    pub(crate) oracle: &'a str,
    pub(crate) opinion: Opinion,
    pub(crate) accepts: Side,
    /// Written by the reference, and not changed since
    pub(crate) written: bool,
    /// What the opinion in question says
    pub(crate) faults: &'a [Fault],
    /// What the rules say, whichever opinion is in question
    pub(crate) rules: &'a [Fault],
    /// Whether the other of our opinions rejects it
    pub(crate) caught: bool,
    pub(crate) oracle_says: &'a str,
    pub(crate) how: &'a str,
    pub(crate) text: &'a str,
}

/// A disagreement that no entry explains.
#[derive(Clone, Debug)]
pub(crate) struct Unexplained {
    pub(crate) id: String,
    pub(crate) dialect: String,
    pub(crate) oracle: String,
    pub(crate) opinion: Opinion,
    /// None where nobody accepts what the reference wrote
    pub(crate) accepts: Option<Side>,
    pub(crate) origin: String,
    pub(crate) how: String,
    pub(crate) why: String,
    pub(crate) text: String,
}

/// A row of the table: dialect, judge beside ours, and which of our opinions.
pub(crate) type Row = (String, String, Opinion);

/// How many records of a dialect were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Written by the reference
    pub(crate) written: usize,
    /// Examples of known disagreements
    pub(crate) examples: usize,
    pub(crate) mutated: usize,
    /// Instances of our schemas
    pub(crate) made: usize,
}

/// Everything that a comparison found.
#[derive(Default)]
pub(crate) struct Comparison {
    pub(crate) rows: BTreeMap<Row, Cells>,
    pub(crate) unexplained: Vec<Unexplained>,
    /// Records of a dialect
    pub(crate) counts: BTreeMap<String, Counts>,
    /// What the oracles said of each record that the reference wrote
    pub(crate) heard: HashMap<String, Heard>,
}

/// The name under which the schema is laid beside the rules.
pub(crate) const SCHEMA: &str = "schema";

impl Comparison {
    /// Adds the feed of one dialect, with what the oracles said of it.
    ///
    /// # Errors
    ///
    /// The feed cannot be read.
    pub(crate) fn add(
        &mut self,
        dialect: Dialect,
        places: &Places,
        verdicts: &[(&Oracle, HashMap<String, Verdict>)],
        entries: &[Disagreement],
    ) -> Result<(), String> {
        for line in oracle::lines(&places.feed(dialect))? {
            let record: Record = serde_json::from_str(&line?).map_err(|error| error.to_string())?;
            let counts = self.counts.entry(record.dialect.clone()).or_default();
            *(match &*record.origin {
                feed::EXAMPLE => &mut counts.examples,
                feed::MUTATED => &mut counts.mutated,
                feed::MADE => &mut counts.made,
                _ => &mut counts.written,
            }) += 1;
            if record.origin == feed::MADE {
                // What may stand where, and what a server takes beyond shapes, only the rules know.
                for (oracle, said) in verdicts.iter().filter(|(oracle, _)| oracle.judges(&record)) {
                    if let (Against::Both, Some(verdict)) = (oracle.against, said.get(&record.id)) {
                        self.judge(&record, &oracle.name, Opinion::Schema, verdict, entries);
                    }
                }
                continue;
            }
            let schema = &record.schema;
            let verdict = if schema.is_empty() { Verdict::Accept } else { Verdict::Reject(words(schema)) };
            self.judge(&record, SCHEMA, Opinion::Rules, &verdict, entries);
            for (oracle, said) in verdicts.iter().filter(|(oracle, _)| oracle.judges(&record)) {
                let Some(verdict) = said.get(&record.id) else { continue };
                let mut explained = self.judge(&record, &oracle.name, Opinion::Rules, verdict, entries);
                if oracle.against == Against::Both {
                    explained &= self.judge(&record, &oracle.name, Opinion::Schema, verdict, entries);
                }
                if record.origin == source::CORPUS {
                    let heard = self.heard.entry(record.id.clone()).or_default();
                    heard.asked += 1;
                    if *verdict != Verdict::Accept {
                        heard.refused.push((oracle.name.clone(), explained));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether they agree, or an entry says why they do not. On what the reference wrote, they agree to accept.
    fn judge(
        &mut self,
        record: &Record,
        oracle: &str,
        opinion: Opinion,
        verdict: &Verdict,
        entries: &[Disagreement],
    ) -> bool {
        let (faults, others) = match opinion {
            Opinion::Rules => (&record.rules[..], &record.schema),
            Opinion::Schema => (&record.schema[..], &record.rules),
        };
        let (ours, theirs) = (faults.is_empty(), *verdict == Verdict::Accept);
        let cells = self.rows.entry((record.dialect.clone(), oracle.to_owned(), opinion)).or_default();
        cells.add(ours, theirs);
        let written = record.is_written();
        cells.written_rejected += usize::from(written && !theirs);
        if ours == theirs && (ours || !written) {
            return true;
        }
        let oracle_says = match verdict {
            Verdict::Accept => "",
            Verdict::Reject(message) => message,
        };
        let text = record.message.as_ref().or(record.document.as_ref()).map_or("", |text| text.get());
        let accepts = if ours { Side::Ours } else { Side::Oracle };
        let case = Case {
            dialect: &record.dialect,
            target: &record.target,
            oracle,
            opinion,
            accepts,
            written,
            faults,
            rules: &record.rules,
            caught: !others.is_empty(),
            oracle_says,
            how: &record.how,
            text,
        };
        let explained = ours != theirs && disagreement::explain(entries, &case);
        if !explained {
            self.unexplained.push(Unexplained {
                id: record.id.clone(),
                dialect: record.dialect.clone(),
                oracle: oracle.to_owned(),
                opinion,
                accepts: (ours != theirs).then_some(accepts),
                origin: record.origin.clone(),
                how: record.how.clone(),
                why: if ours { oracle_says.to_owned() } else { words(faults) },
                text: text.to_owned(),
            });
        }
        explained
    }
}

fn words(faults: &[Fault]) -> String {
    let words: Vec<_> = faults.iter().map(|fault| format!("{} {}: {}", fault.rule, fault.at, fault.says)).collect();
    words.join("; ").trim().to_owned()
}
