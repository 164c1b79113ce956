//! What happened in the public reports that cases cite.
//!
//! The list is `corpus/reported.toml`: a case says what must come out, and this says what came of it where somebody met it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::not_expressible::{are_in_order, is_sentence};

/// The embedded list.
const TEXT: &str = wirecanon_corpus::REPORTED;

/// What the list is called in messages.
pub const FILE: &str = "reported.toml";

/// Longest sentence, in characters: two lines of a page.
const LONGEST: usize = 240;

/// A public report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reported {
    /// `owner/repo#n`
    pub source: String,
    /// What happened there: one sentence
    pub happened: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(default)]
    report: Vec<Reported>,
}

/// Reads the embedded list.
///
/// # Errors
///
/// As [`parse`].
pub fn load() -> Result<Vec<Reported>, String> {
    parse(TEXT)
}

/// What happened in the report with this citation; nothing of a citation that is no report, or that only another corpus has.
pub fn happened(source: &str) -> Option<&'static str> {
    static ALL: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let read = || load().unwrap_or_default().into_iter().map(|report| (report.source, report.happened)).collect();
    ALL.get_or_init(read).get(source).map(String::as_str)
}

/// Reads such a list.
///
/// # Errors
///
/// The text is not such a list, a source is malformed, out of order or twice in it, or what happened is not one sentence.
pub fn parse(text: &str) -> Result<Vec<Reported>, String> {
    let wire: Wire = toml::from_str(text).map_err(|error| format!("{FILE}: {}", error.to_string().trim_end()))?;
    let in_file = |why: String| format!("{FILE}: {why}");
    are_in_order(wire.report.iter().map(|report| report.source.as_str())).map_err(in_file)?;
    for Reported { source, happened } in &wire.report {
        if !is_sentence(happened) || happened.chars().count() > LONGEST {
            return Err(in_file(format!(
                "what happened in `{source}` is not one sentence of 20 to {LONGEST} characters"
            )));
        }
    }
    Ok(wire.report)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::citation::is_report;
    use crate::corpus;

    #[test]
    fn each_report_that_a_case_cites_is_told_and_no_other() {
        let told: BTreeSet<_> = load().unwrap().into_iter().map(|report| report.source).collect();
        let cases = corpus::load().unwrap();
        let cited: BTreeSet<_> =
            cases.iter().flat_map(|case| &case.source).filter(|source| is_report(source)).cloned().collect();
        let lacking: Vec<_> = cited.difference(&told).collect();
        assert!(lacking.is_empty(), "{FILE} does not say what happened in {lacking:?}");
        let idle: Vec<_> = told.difference(&cited).collect();
        assert!(idle.is_empty(), "{FILE} tells of reports that no case cites: {idle:?}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let good = "[[report]]\nsource = \"a/b#1\"\nhappened = \"The server refused it, and all after it.\"\n\
                    [[report]]\nsource = \"A/c#12\"\nhappened = \"A picture was lost on the way.\"\n";
        assert_eq!(parse(good).unwrap().len(), 2);
        for (from, to, message) in [
            ("happened =", "hapened =", "unknown field `hapened`"),
            ("a/b#1", "a/b", "form `owner/repo#n`"),
            ("a/b#1", "A/c#12", "stands twice"),
            ("a/b#1", "z/b#1", "sort the list"),
            ("A picture was lost on the way.", "Lost.", "not one sentence"),
        ] {
            let error = parse(&good.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(message) && error.starts_with(FILE), "{error}");
        }
    }
}
