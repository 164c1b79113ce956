//! Known disagreements between wirecanon and an oracle: who is right, and why.

use std::cell::{Cell, RefCell};

use serde::Deserialize;
use wirecanon::corpus::matches;
use wirecanon_core::{Dialect, Target, rule};

use super::compare::{Case, Opinion};
use super::opinion::{Fault, UNREADABLE};

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
    /// Holds where our other opinion rejects
    #[serde(default)]
    pub(crate) caught: bool,
    /// What shows that it still holds; part of every feed
    #[serde(default)]
    pub(crate) examples: Vec<Example>,
    /// How many cases it has explained
    #[serde(skip)]
    pub(crate) used: Cell<usize>,
    /// The shortest that it explained, and for which target
    #[serde(skip)]
    pub(crate) shortest: RefCell<Option<(String, String)>>,
}

/// A message, or a conversation, on which both sides differ as the entry says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    /// Whose rules are applied: a dialect, of MCP with its revision; for a conversation, any target
    pub(crate) target: String,
    /// JSON text on one line
    pub(crate) message: Option<String>,
    /// In place of a message: JSON text on one line
    pub(crate) document: Option<String>,
    /// Whether the entry explained it
    #[serde(skip)]
    pub(crate) shown: Cell<bool>,
}

impl Example {
    /// Its JSON text.
    pub(crate) fn text(&self) -> &str {
        self.message.as_ref().or(self.document.as_ref()).map_or("", |text| text)
    }
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
        for example in &entry.examples {
            Target::by_name(&example.target).map_err(|error| error.to_string())?;
            if example.message.is_some() == example.document.is_some() || example.text().contains('\n') {
                return Err(format!("an example is a message or a document, on one line: {}", entry.why.trim()));
            }
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
        if !(narrow || entry.caught) || misplaced || entry.why.trim().is_empty() || entry.source.trim().is_empty() {
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
        for example in &entry.examples {
            if example.target == case.target && example.text() == case.text {
                example.shown.set(true);
            }
        }
        let mut shortest = entry.shortest.borrow_mut();
        if !case.written && shortest.as_ref().is_none_or(|(_, known)| known.len() > case.text.len()) {
            *shortest = Some((case.target.to_owned(), case.text.to_owned()));
        }
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
            && (!self.caught || case.caught)
            && self.opinion.is_none_or(|opinion| opinion == case.opinion)
            && self.oracles.iter().any(|oracle| oracle == case.oracle)
            && self.dialects.iter().any(|dialect| dialect == case.dialect)
            && any(&self.how, case.how)
            && any(&self.holds, case.text)
    }

    /// What is wrong with its examples, of those that are of these dialects: each must show it, and there must be one.
    pub(crate) fn unshown(&self, dialects: &[Dialect]) -> Vec<String> {
        let (why, oracles) = (self.why.trim(), self.oracles.join(", "));
        if self.examples.is_empty() {
            let shortest = self.shortest.borrow();
            let (target, text) = shortest.as_ref().map_or(("", "none"), |(target, text)| (target, text));
            return vec![format!(
                "an entry has no example: {why} ({oracles})\n    the shortest that it explained: {target} {text}"
            )];
        }
        let judged = |example: &&Example| {
            Target::by_name(&example.target).is_ok_and(|target| dialects.contains(&target.dialect))
        };
        let idle = self.examples.iter().filter(judged).filter(|example| !example.shown.get());
        idle.map(|example| {
            format!("this does not show an entry: {why} ({oracles})\n    {} {}", example.target, example.text())
        })
        .collect()
    }

    fn covers(&self, fault: &Fault) -> bool {
        (self.rules.is_empty() || self.rules.contains(&fault.rule))
            && any(&self.at, &fault.at)
            && any(&self.says, &fault.says)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const ENTRY: &str = "[[disagreement]]
        oracles = [\"schema\"]
        dialects = [\"openai.chat\"]
        accepts = \"oracle\"
        rules = [\"blank-text\"]
        right = \"blind\"
        why = \"It sees no blanks.\"
        source = \"its source\"\n";

    /// An entry with this example.
    pub(crate) fn entry(example: &str) -> Disagreement {
        parse(&format!("{ENTRY}examples = [{example}]")).unwrap().remove(0)
    }

    #[test]
    fn what_is_wrong_with_an_entry_is_named() {
        let with = |line: &str| format!("{ENTRY}{line}");
        for (text, named) in [
            (ENTRY.replace("blank-text", "blank-texts"), "there is no rule `blank-texts`"),
            (ENTRY.replace("rules = [\"blank-text\"]", ""), "a pattern"),
            (ENTRY.replace("its source", " "), "`source`"),
            (with("message = [\"x\"]"), "`message` to `accepts = \"ours\"`"),
            (with("examples = [{ target = \"openai.chta\", message = \"{}\" }]"), "openai.chta"),
            (with("examples = [{ target = \"openai.chat\" }]"), "a message or a document"),
            (with("examples = [{ target = \"openai.chat\", message = \"{\\n}\" }]"), "on one line"),
        ] {
            let error = parse(&text).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn an_example_shows_its_entry_by_its_own_text_and_target() {
        let entries = [entry(r#"{ target = "openai.chat", message = '{"a":1}' }"#)];
        let faults = [Fault { rule: "blank-text".into(), at: String::new(), says: String::new() }];
        let mut case = Case {
            dialect: "openai.chat",
            target: "openai.chat",
            oracle: "schema",
            opinion: Opinion::Rules,
            accepts: Side::Oracle,
            written: false,
            faults: &faults,
            rules: &faults,
            caught: false,
            oracle_says: "",
            how: "",
            text: "{}",
        };
        assert!(explain(&entries, &case) && !entries[0].examples[0].shown.get());
        case.text = "{\"a\":1}";
        assert!(explain(&entries, &case) && entries[0].examples[0].shown.get());
        assert_eq!(*entries[0].shortest.borrow(), Some(("openai.chat".to_owned(), "{}".to_owned())));
        let caught = [Disagreement { caught: true, ..entry(r#"{ target = "openai.chat", message = '{}' }"#) }];
        assert!(!explain(&caught, &case), "only where our other opinion rejects");
        case.caught = true;
        assert!(explain(&caught, &case));
        case.written = true;
        assert!(!explain(&entries, &case), "what the reference wrote is never explained so");
        assert_eq!(entries[0].unshown(&[Dialect::OpenAiChat]), [""; 0]);
        entries[0].examples[0].shown.set(false);
        assert_eq!(entries[0].unshown(&[Dialect::CohereV2]), [""; 0]);
        assert_eq!(entries[0].unshown(&[Dialect::OpenAiChat]).len(), 1);
        assert!(parse(ENTRY).unwrap()[0].unshown(&[])[0].contains("no example"));
    }
}
