//! The linter of the corpus: what makes a case unfit, where, and what to do about it.
//!
//! One row of [`LINTS`] a fault. Those that `refuses` stop a run before it starts, since a case with one would be judged
//! wrongly or not at all; the others are for whoever writes cases.

mod alike;
mod citation;
mod contradiction;
mod fields;
mod minimal;
mod names;
mod order;
mod places;
mod words;

use std::collections::BTreeMap;

use serde::Serialize;
use wirecanon_core::json::{Json, Limits, Value};
use wirecanon_judge::case::{self, Case};
use wirecanon_judge::pointer::nearest;
use wirecanon_judge::problem::Problem;

use crate::parallel;

pub use citation::FORMS as CITATIONS;
pub use citation::is_citation;
pub use minimal::{Fired, deletions, shrink, without};

/// One thing that is wrong with a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What is wrong, and where
    #[serde(flatten)]
    pub problem: Problem,
    /// Id of the lint
    pub lint: &'static str,
    /// Whether a run does not start with it
    pub refuses: bool,
}

impl Finding {
    /// Where it stands in a list of findings.
    fn place(&self) -> (&str, usize, usize, &str, &'static str) {
        let Problem { file, line, column, pointer, .. } = &self.problem;
        (file, *line, *column, pointer, self.lint)
    }
}

/// A file and what could be read of it.
struct Entry<'a> {
    file: &'a str,
    json: &'a Json<'a>,
    /// `None` where the file is no case; then findings say why
    case: Option<&'a Case>,
}

/// What a lint looks at.
enum Look {
    /// The file alone, also where it is no case
    File(fn(&Entry<'_>, &mut Found<'_>)),
    /// A case
    Case(fn(&Entry<'_>, &Case, &mut Found<'_>)),
    /// All cases at once
    All(fn(&[Entry<'_>], &mut Found<'_>)),
}

/// A row of [`LINTS`].
pub struct Lint {
    /// Its name in findings
    pub id: &'static str,
    /// What holds where it finds nothing
    pub title: &'static str,
    /// Whether a run does not start with such a case
    pub refuses: bool,
    look: Look,
}

impl Lint {
    const fn refuses(id: &'static str, title: &'static str, look: Look) -> Self {
        Self { id, title, refuses: true, look }
    }

    const fn asks(id: &'static str, title: &'static str, look: Look) -> Self {
        Self { id, title, refuses: false, look }
    }
}

/// The lint of a file that holds no JSON.
const NOT_JSON: &str = "not-json";

/// Every lint, in the order of the documentation.
pub static LINTS: &[Lint] = &[
    Lint::refuses(NOT_JSON, "A case is one JSON object in UTF-8.", Look::File(fields::json)),
    Lint::refuses("not-a-case", "A case keeps its JSON Schema.", Look::File(fields::schema)),
    Lint::refuses("misplaced", "A case lies at `<class>/<id>.json`.", Look::File(names::place)),
    Lint::refuses("id-twice", "An id stands once in the corpus.", Look::All(names::twice)),
    Lint::refuses("unknown-name", "Dialects, targets, rules and tags exist.", Look::Case(names::known)),
    Lint::refuses(
        "unknown-version",
        "`since` and `retired` name a version that is not in the future.",
        Look::Case(fields::version),
    ),
    Lint::refuses("not-reviewed", "A person has worked out what `case new` only proposed.", Look::Case(fields::review)),
    Lint::refuses("nothing-expected", "A case expects something.", Look::Case(fields::outcome)),
    Lint::refuses(
        "contradiction",
        "What a case expects keeps the rules of its target, and its own words.",
        Look::Case(contradiction::find),
    ),
    Lint::refuses("no-such-place", "A repair is expected at a place that the input has.", Look::Case(places::repairs)),
    Lint::asks("citation", "A source is written so that it can be found.", Look::Case(citation::find)),
    Lint::asks("title", "The title is one sentence.", Look::Case(words::title)),
    Lint::asks("words-from-nowhere", "What must survive stands in the input.", Look::Case(words::kept)),
    Lint::asks("long-run", "What is long and regular is a shape.", Look::Case(words::runs)),
    Lint::asks("order", "Keys and lists stand in their order.", Look::File(order::order)),
    Lint::asks("layout", "The file is laid out as all are.", Look::File(order::layout)),
    Lint::asks("not-minimal", "Nothing can be taken away without taking away a repair.", Look::Case(minimal::find)),
    Lint::asks("alike", "No two cases show the same.", Look::All(alike::find)),
];

/// Findings as they come in.
struct Found<'l> {
    lint: &'l Lint,
    findings: Vec<Finding>,
}

impl Found<'_> {
    /// At a value of the file.
    fn at(&mut self, entry: &Entry<'_>, value: Value<'_>, message: impl Into<String>, cure: impl Into<String>) {
        self.push(entry, Problem::at(value, message, cure));
    }

    /// At the value that a pointer names, or the nearest that there is around it.
    fn under(&mut self, entry: &Entry<'_>, pointer: &str, message: impl Into<String>, cure: impl Into<String>) {
        let problem = Problem::at(nearest(entry.json.root(), pointer), message, cure);
        self.push(entry, Problem { pointer: pointer.to_owned(), ..problem });
    }

    fn push(&mut self, entry: &Entry<'_>, problem: Problem) {
        let Lint { id, refuses, .. } = *self.lint;
        self.findings.push(Finding { problem: problem.in_file(entry.file), lint: id, refuses });
    }
}

/// Which lints are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What a run needs
    Run,
    /// All
    Whole,
}

/// Every finding in these files, by file and place. A file is its name, `<class>/<id>.json`, and its bytes.
pub fn lint(files: &[(&str, &[u8])], depth: Depth) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut texts = BTreeMap::new();
    for (file, bytes) in files {
        match std::str::from_utf8(bytes)
            .map_err(|error| error.to_string())
            .and_then(|text| Json::parse(text, &Limits::default()).map_err(|error| error.to_string()))
        {
            Ok(json) => {
                texts.insert(*file, (json, case::parse(file, bytes).ok()));
            }
            Err(error) => findings.push(not_json(file, bytes, &error)),
        }
    }
    let entries: Vec<Entry<'_>> =
        texts.iter().map(|(file, (json, case))| Entry { file, json, case: case.as_ref() }).collect();
    for lint in LINTS.iter().filter(|lint| lint.refuses || depth == Depth::Whole) {
        let mut found = Found { lint, findings: Vec::new() };
        match lint.look {
            Look::All(look) => look(&entries, &mut found),
            Look::File(look) => entries.iter().for_each(|entry| look(entry, &mut found)),
            Look::Case(look) => in_parallel(&entries, look, &mut found),
        }
        findings.append(&mut found.findings);
    }
    findings.sort_by(|one, other| one.place().cmp(&other.place()));
    findings
}

/// Cases one beside the other on all processors: some lints ask the reference a hundred times a case.
fn in_parallel(entries: &[Entry<'_>], look: fn(&Entry<'_>, &Case, &mut Found<'_>), found: &mut Found<'_>) {
    let lint = found.lint;
    let parts = parallel::map(entries, |entry| {
        let mut own = Found { lint, findings: Vec::new() };
        if let Some(case) = entry.case {
            look(entry, case, &mut own);
        }
        own.findings
    });
    found.findings.extend(parts.into_iter().flatten());
}

fn not_json(file: &str, bytes: &[u8], message: &str) -> Finding {
    let text = String::from_utf8_lossy(bytes);
    let place = Json::parse(&text, &Limits::default()).err().and_then(|error| error.position()).unwrap_or_default();
    let problem = Problem {
        file: file.to_owned(),
        line: place.line.max(1),
        column: place.column.max(1),
        pointer: String::new(),
        // The place has fields of its own.
        message: match message.split_once(": ") {
            Some((place, words)) if place.starts_with("line ") => words.to_owned(),
            _ => message.to_owned(),
        },
        cure: "a case is one JSON object in UTF-8; `wirecanon schema case` has its fields".to_owned(),
    };
    Finding { problem, lint: NOT_JSON, refuses: true }
}
