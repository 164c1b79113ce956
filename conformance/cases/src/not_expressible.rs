//! Reports that no case can express, each with its reason.
//!
//! The list is `corpus/not-expressible.toml`. A report is there or it is a case, never both.

use std::fmt;

use serde::{Deserialize, Serialize};
use wirecanon_judge::case::Case;

use crate::citation::is_report;

/// The embedded list.
const TEXT: &str = wirecanon_corpus::NOT_EXPRESSIBLE;

/// What the list is called in messages.
pub const FILE: &str = "not-expressible.toml";

wirecanon_judge::named! {
    /// The part of a system that a fault lies in, where it is in no message.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Part(name) {
        /// Putting the fragments of a stream together
        Streaming = "streaming";
        /// How bytes travel: HTTP, a pipe, a proxy
        Transport = "transport";
        /// Running a tool, and what its caller is told
        Execution = "execution";
        /// Names and schemas of the tools that are offered
        ToolDefinitions = "tool-definitions";
        /// When a request is sent, retried or gone on with
        ControlFlow = "control-flow";
        /// What is chosen to be sent: budgets, compaction, sub-agents
        Context = "context";
        /// How a session is kept and found again
        Storage = "storage";
        /// Decoding or resizing a picture, beyond what its header says
        Media = "media";
        /// Which model, account or option was chosen
        Configuration = "configuration";
        /// The program's own code: it crashed, or changed what it was given
        Program = "program";
        /// What a person is shown
        Interface = "interface";
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A public report that no case can express.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inexpressible {
    /// `owner/repo#n`
    pub source: String,
    /// Where the fault lies instead
    pub part: Part,
    /// Why no message shows it: one sentence
    pub reason: String,
}

/// Why the list is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", FILE)]
pub struct ListError {
    /// What is wrong
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(default)]
    report: Vec<Inexpressible>,
}

/// Reads the embedded list, and holds it against the cases.
///
/// # Errors
///
/// As [`parse`].
pub fn load(cases: &[Case]) -> Result<Vec<Inexpressible>, ListError> {
    parse(TEXT, cases)
}

/// Reads such a list, and holds it against the cases.
///
/// # Errors
///
/// The text is not such a list, a source is malformed, out of order, twice in it or the source of a case, or a reason is not
/// one sentence.
pub fn parse(text: &str, cases: &[Case]) -> Result<Vec<Inexpressible>, ListError> {
    let fail = |message: String| ListError { message };
    let wire: Wire = toml::from_str(text).map_err(|error| fail(error.to_string().trim_end().to_owned()))?;
    are_in_order(wire.report.iter().map(|report| report.source.as_str())).map_err(fail)?;
    for report in &wire.report {
        let source = report.source.as_str();
        if let Some(case) = cases.iter().find(|case| case.source.iter().any(|cited| cited == source)) {
            return Err(fail(format!(
                "the source `{source}` is the case `{}` too: a report is a case or not expressible",
                case.id
            )));
        }
        if !is_sentence(&report.reason) {
            return Err(fail(format!("the reason of `{source}` is not one sentence of at least 20 characters")));
        }
    }
    Ok(wire.report)
}

/// Whether a list is of reports, each once, sorted as people look them up: without regard to capitals.
///
/// # Errors
///
/// It is not, in words.
pub(crate) fn are_in_order<'s>(sources: impl Iterator<Item = &'s str>) -> Result<(), String> {
    let order = |source: &'s str| (source.to_lowercase(), source);
    let mut before: Option<&str> = None;
    for source in sources {
        if !is_report(source) {
            return Err(format!("the source `{source}` is not of the form `owner/repo#n`"));
        }
        match before {
            Some(before) if before == source => return Err(format!("the source `{source}` stands twice")),
            Some(before) if order(before) > order(source) => {
                return Err(format!("the source `{source}` stands after `{before}`: sort the list by source"));
            }
            _ => before = Some(source),
        }
    }
    Ok(())
}

/// Whether this is one sentence that says something.
pub(crate) fn is_sentence(text: &str) -> bool {
    text.trim() == text && text.len() >= 20 && text.ends_with('.') && !text.contains('\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_judge::case;

    use crate::corpus;

    const GOOD: &str = r#"
        [[report]]
        source = "a/b#1"
        part = "tool-definitions"
        reason = "The schema of a tool is no message."

        [[report]]
        source = "A/c#12"
        part = "program"
        reason = "It changed the list that it was given."
    "#;

    #[test]
    fn the_embedded_list_is_well_formed() {
        let cases = corpus::load().expect("the corpus");
        if let Err(error) = load(&cases) {
            panic!("{error}");
        }
    }

    #[test]
    fn a_list_is_read() {
        let list = parse(GOOD, &[]).unwrap();
        assert_eq!(list.len(), 2);
        assert_eq!((list[0].source.as_str(), list[0].part), ("a/b#1", Part::ToolDefinitions));
        assert_eq!(serde_json::to_value(list[0].part).unwrap(), list[0].part.name());
        assert_eq!(parse("", &[]).unwrap(), []);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (from, to, message) in [
            ("part =", "prat =", "unknown field `prat`"),
            ("tool-definitions", "tools", "unknown variant `tools`"),
            ("a/b#1", "a/b", "form `owner/repo#n`"),
            ("a/b#1", "a/b#01", "form `owner/repo#n`"),
            ("a/b#1", "https://x.test/a/b#1", "form `owner/repo#n`"),
            ("a/b#1", "A/c#12", "stands twice"),
            ("a/b#1", "z/b#1", "sort the list"),
            ("The schema of a tool is no message.", "No.", "not one sentence"),
            ("The schema of a tool is no message.", "The schema of a tool is no message", "not one sentence"),
        ] {
            let error = parse(&GOOD.replacen(from, to, 1), &[]).unwrap_err();
            assert!(error.message.contains(message), "{error}");
            assert!(error.to_string().starts_with(FILE), "{error}");
        }
    }

    #[test]
    fn a_report_is_a_case_or_not_expressible() {
        let text = br#"{"id":"a","title":"t","class":"pairing","source":["x","a/b#1"],"from":"canonical","input":{},
            "expect":{"canonical":{}},"since":"0.1.0"}"#;
        let case = case::parse("pairing/a.json", text).unwrap();
        let error = parse(GOOD, &[case]).unwrap_err();
        assert!(error.message.contains("the case `a` too"), "{error}");
    }
}
