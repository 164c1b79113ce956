//! Known disagreements between wirecanon and an oracle: who is right, and why.

use std::cell::Cell;

use serde::Deserialize;
use wirecanon::corpus::matches;
use wirecanon_core::rule;

use crate::compare::{Case, Opinion};
use crate::opinion::{Fault, UNREADABLE};

/// One known disagreement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Disagreement {
    /// Names of oracles; `schema` is our own schema, laid beside the rules
    pub(crate) oracles: Vec<String>,
    pub(crate) dialects: Vec<String>,
    /// Who accepts
    pub(crate) accepts: Side,
    /// Holds for one of our opinions alone
    #[serde(default)]
    pub(crate) opinion: Option<Opinion>,
    /// Where we reject: the rules that the oracle does not know
    #[serde(default)]
    pub(crate) rules: Vec<String>,
    /// Where we reject: patterns of pointers at the fault
    #[serde(default)]
    pub(crate) at: Vec<String>,
    /// Where we reject: patterns of what we say
    #[serde(default)]
    pub(crate) says: Vec<String>,
    /// Where the oracle rejects: patterns of what it says
    #[serde(default)]
    pub(crate) message: Vec<String>,
    /// Patterns of what was done to the message
    #[serde(default)]
    pub(crate) how: Vec<String>,
    /// Patterns of the message itself, its JSON text as it stands in the feed
    #[serde(default)]
    pub(crate) holds: Vec<String>,
    /// Who is right
    pub(crate) right: Right,
    pub(crate) why: String,
    /// Where that is said
    pub(crate) source: String,
    /// How many cases it has explained
    #[serde(skip)]
    pub(crate) used: Cell<usize>,
}

/// One of the two.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Side {
    /// wirecanon
    Ours,
    Oracle,
}

/// Who is right.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Right {
    Ours,
    Oracle,
    /// The oracle does not look at this at all
    Blind,
}

impl Right {
    /// In the table of the documentation.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Oracle => "the oracle",
            Self::Blind => "ours; the oracle is blind here",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    disagreement: Vec<Disagreement>,
}

/// Reads the list.
///
/// # Errors
///
/// The text is no such list, or an entry would explain everything.
pub(crate) fn parse(text: &str) -> Result<Vec<Disagreement>, String> {
    let table: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    for entry in &table.disagreement {
        let known = |rule: &String| rule == UNREADABLE || rule::by_id(rule).is_some();
        if let Some(unknown) = entry.rules.iter().find(|rule| !known(rule)) {
            return Err(format!("there is no rule `{unknown}`"));
        }
        let narrow = match entry.accepts {
            Side::Ours => [&entry.message, &entry.how, &entry.holds].iter().any(|list| !list.is_empty()),
            Side::Oracle => {
                [&entry.rules, &entry.at, &entry.says, &entry.how, &entry.holds].iter().any(|list| !list.is_empty())
            }
        };
        let misplaced = match entry.accepts {
            Side::Ours => [&entry.rules, &entry.at, &entry.says].iter().any(|list| !list.is_empty()),
            Side::Oracle => !entry.message.is_empty(),
        };
        if !narrow || misplaced || entry.why.trim().is_empty() || entry.source.trim().is_empty() {
            return Err(format!(
                "an entry needs `why`, `source` and a pattern; `rules`, `at` and `says` belong to `accepts = \"oracle\"`, \
                 `message` to `accepts = \"ours\"`: {entry:?}"
            ));
        }
    }
    Ok(table.disagreement)
}

/// Whether the entries explain why the two sides differ; counts those that do.
pub(crate) fn explain(entries: &[Disagreement], case: &Case<'_>) -> bool {
    let found = match case.accepts {
        Side::Ours => {
            entries.iter().find(|entry| entry.fits(case) && any(&entry.message, case.oracle_says)).map(|e| vec![e])
        }
        Side::Oracle => {
            // Each fault must be one that the oracle cannot see: had it seen one, it would have rejected.
            let own: Option<Vec<_>> = covered(entries, case, case.faults);
            // A schema says only that something is wrong: the rules know what.
            own.filter(|own| !own.is_empty()).or_else(|| {
                (case.opinion == Opinion::Schema && !case.rules.is_empty())
                    .then(|| covered(entries, case, case.rules))
                    .flatten()
            })
        }
    };
    let Some(found) = found else { return false };
    for entry in found {
        entry.used.set(entry.used.get() + 1);
    }
    true
}

fn covered<'e>(entries: &'e [Disagreement], case: &Case<'_>, faults: &[Fault]) -> Option<Vec<&'e Disagreement>> {
    faults.iter().map(|fault| entries.iter().find(|entry| entry.fits(case) && entry.covers(fault))).collect()
}

/// No pattern at all fits everything.
fn any(patterns: &[String], text: &str) -> bool {
    patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, text))
}

impl Disagreement {
    /// What the reference wrote must be taken by all who look at it: there, only an oracle that is wrong can be explained.
    fn fits(&self, case: &Case<'_>) -> bool {
        self.accepts == case.accepts
            && !(case.written && (self.right == Right::Oracle || self.accepts == Side::Oracle))
            && self.opinion.is_none_or(|opinion| opinion == case.opinion)
            && self.oracles.iter().any(|oracle| oracle == case.oracle)
            && self.dialects.iter().any(|dialect| dialect == case.dialect)
            && any(&self.how, case.how)
            && any(&self.holds, case.text)
    }

    fn covers(&self, fault: &Fault) -> bool {
        (self.rules.is_empty() || self.rules.contains(&fault.rule))
            && any(&self.at, &fault.at)
            && any(&self.says, &fault.says)
    }
}
