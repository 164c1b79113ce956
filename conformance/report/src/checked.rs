//! What `check` found in files: for people, for programs, for GitHub Actions, and as SARIF.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use wirecanon_core::rule::INVALID_UTF_8;
use wirecanon_core::target::Level;
use wirecanon_core::{Dialect, Mode, Violation};
use wirecanon_judge::plain::{self, plain, shorten};
use wirecanon_judge::utf8::{self, NotUtf8};
use wirecanon_session as session;

use super::human::{BAD, BOLD, FAINT, GOOD, ODD, more};
use super::json::pretty;
use super::positions::Positions;
use super::snippet::Snippet;
use super::{github, sarif};
use crate::opinion::Opinion;

/// Broken rules that are shown for each text, and mismatches.
pub(super) const SHOWN: usize = 50;

/// Texts that are named in the summary.
const WORST: usize = 10;

/// What stands before a line of a file.
pub(super) const INDENT: &str = "    ";

/// One text and what is broken in it.
#[derive(Debug)]
pub struct Checked<'c> {
    /// The file
    pub file: &'c str,
    /// The line of the file that the text stands on, where each line is a text
    pub session: Option<usize>,
    /// What the file is, with its article, where the text stands inside something. Pointers begin at the text
    pub inside: Option<&'static str>,
    /// Its dialect
    pub dialect: Dialect,
    /// By whose rules
    pub target: &'c str,
    /// What it was judged as
    pub mode: Mode,
    /// Why by these, where that was not asked for
    pub why: &'c str,
    /// Profiles of the target that apply
    pub profiles: &'c [String],
    /// Whether warnings fail the check
    pub strict: bool,
    /// What is broken, with its place in the file
    pub broken: Vec<(Violation, Place)>,
    /// What is broken and allowed
    pub allowed: Vec<Violation>,
    /// What is said of the lines of its file, and is no fault
    pub notes: Vec<(Violation, Place)>,
    /// What its schema says
    pub opinion: Option<Opinion>,
}

impl Checked<'_> {
    fn name(&self) -> String {
        let file = plain(self.file);
        self.session.map_or_else(|| file.to_string(), |line| format!("{file}: session on line {line}"))
    }

    fn as_json(&self) -> Value {
        let told = |list: &[(Violation, Place)]| -> Value {
            let one = |(violation, Place { line, column, .. }): &(Violation, Place)| {
                let Violation { rule, severity, pointer, message, .. } = violation;
                json!({"rule": rule, "severity": severity, "pointer": pointer, "message": message, "line": line, "column": column})
            };
            list.iter().map(one).collect()
        };
        let mut document = json!({"dialect": self.dialect.name(), "target": self.target, "for": self.mode.name(),
            "violations": told(&self.broken), "file": self.file});
        if !self.profiles.is_empty() {
            document["profiles"] = json!(self.profiles);
        }
        if !self.notes.is_empty() {
            document["notes"] = told(&self.notes);
        }
        if let Some(line) = self.session {
            document["line"] = json!(line);
        }
        if let Some(inside) = self.inside {
            document["inside"] = json!(inside);
        }
        if !self.allowed.is_empty() {
            document["allowed"] = json!(self.allowed);
        }
        if let Some(opinion) = &self.opinion {
            let found = opinion.mismatches.iter();
            document["schema"] =
                found.map(|found| json!({"pointer": found.pointer, "message": found.message})).collect();
        }
        document
    }

    /// Returns the number of violations that fail the check.
    fn failures(&self) -> usize {
        self.broken.iter().filter(|(violation, _)| self.strict || violation.severity == Level::Error).count()
    }

    fn findings(&self) -> impl Iterator<Item = sarif::Finding> {
        self.broken.iter().map(|(violation, Place { line, column, .. })| sarif::Finding {
            rule: violation.rule.to_owned(),
            level: violation.severity.name(),
            message: shorten(&violation.message, 1000),
            file: json!({"uri": sarif::uri(self.file)}),
            place: Some((*line, *column)),
            logical: violation.pointer.clone(),
            fingerprint: format!("{}/{}/{}", self.target, violation.rule, shorten(&violation.pointer, 400)),
            properties: json!({"target": self.target, "pointer": violation.pointer, "severity": violation.severity}),
        })
    }
}

/// A form that findings in files can be told in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Form {
    /// For people
    #[default]
    Human,
    /// For programs: one object a text; `wirecanon schema check`
    Json,
    /// For GitHub Actions: one annotation a broken rule
    Github,
    /// For code scanning: SARIF 2.1.0
    Sarif,
}

/// Takes what was found, text by text.
#[derive(Default)]
pub struct Telling {
    form: Form,
    findings: Vec<sarif::Finding>,
    /// Whether of texts that keep all rules only their number is told
    only_broken: bool,
    texts: usize,
    /// Names of texts, and how many rules each breaks
    worst: Vec<(usize, String)>,
    rules: BTreeMap<&'static str, usize>,
}

impl Telling {
    /// Begins to tell.
    pub fn new(form: Form) -> Self {
        Self { form, ..Self::default() }
    }

    /// Of texts that keep all rules only the number is told.
    pub fn only_broken(&mut self) {
        self.only_broken = true;
    }

    /// Tells of one text.
    ///
    /// # Errors
    ///
    /// Writing fails.
    pub fn tell(&mut self, out: &mut dyn Write, checked: &Checked<'_>) -> io::Result<()> {
        match self.form {
            Form::Human => {
                self.texts += 1;
                let mismatches = checked.opinion.as_ref().map_or(0, |opinion| opinion.mismatches.len());
                let broken = checked.failures() + mismatches;
                if broken > 0 {
                    self.worst.push((broken, checked.name()));
                }
                for (violation, _) in &checked.broken {
                    *self.rules.entry(violation.rule).or_default() += 1;
                }
                if checked.broken.is_empty() && mismatches == 0 && self.only_broken {
                    Ok(())
                } else {
                    human(out, checked)
                }
            }
            Form::Json => writeln!(out, "{}", checked.as_json()),
            Form::Github => checked.broken.iter().try_for_each(|(violation, place)| {
                let message = format!("{} ({}, at {})", violation.message, checked.target, whole(&violation.pointer));
                let kind = violation.severity.name();
                github::annotate_file(out, kind, checked.file, (place.line, place.column), violation.rule, &message)
            }),
            Form::Sarif => {
                self.findings.extend(checked.findings());
                Ok(())
            }
        }
    }

    /// Tells what is told of all texts together.
    ///
    /// # Errors
    ///
    /// Writing fails.
    pub fn end(self, out: &mut dyn Write) -> io::Result<()> {
        if self.form == Form::Human && (self.texts > 1 || self.only_broken) {
            return self.summary(out);
        }
        if self.form != Form::Sarif {
            return Ok(());
        }
        pretty(out, &sarif::document(self.findings, true, &Value::Null))
    }

    /// How many texts break rules, the worst of them first, and which rules.
    fn summary(mut self, out: &mut dyn Write) -> io::Result<()> {
        let texts = plain::count(self.texts, "transcript");
        if self.texts == 0 {
            return Ok(());
        }
        if self.worst.is_empty() {
            return writeln!(out, "{BOLD}{texts}{BOLD:#}: {GOOD}every rule is kept{GOOD:#}");
        }
        let broken = self.worst.len();
        let clean = self.texts - broken;
        writeln!(out, "{BOLD}{texts}{BOLD:#}: {GOOD}{clean} hold{GOOD:#}, {BAD}{broken} break rules{BAD:#}")?;
        // Stable: among equals the order of the files.
        self.worst.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let width = self.worst[0].0.to_string().len();
        for (count, name) in self.worst.iter().take(WORST) {
            writeln!(out, "  {BAD}{count:>width$}{BAD:#}  {name}")?;
        }
        more(out, "  ", broken, WORST, "")?;
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let rules: Vec<String> = rules.into_iter().map(|(rule, count)| format!("{ODD}{rule}{ODD:#} {count}")).collect();
        if rules.is_empty() { Ok(()) } else { writeln!(out, "  rules: {}", rules.join(", ")) }
    }
}

/// Where in its file something is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1
    pub line: usize,
    /// Column in characters, from 1
    pub column: usize,
    /// What stands there, where that is shown
    pub snippet: Option<Snippet>,
}

/// What a text was read from.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// The file, or the line of it, with U+FFFD for what is not UTF-8
    pub text: Option<&'s str>,
    /// The number of its first line
    pub first: usize,
    /// Columns of the terminal, where lines are shown
    pub columns: Option<usize>,
    /// The place in it of a place in the text that is judged
    pub place: &'s dyn Fn(usize) -> usize,
}

/// Where each violation is in the file that its text was read from.
pub fn places(bytes: &[u8], violations: &[Violation], source: &Source<'_>) -> Vec<Place> {
    let Some(file) = source.text.filter(|_| !violations.is_empty()) else {
        return vec![Place { line: source.first, column: 1, snippet: None }; violations.len()];
    };
    let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let not_utf8 = utf8::text(bytes).err();
    let positions = Positions::new(file);
    let place = |(number, violation): (usize, &Violation)| {
        // What is long is not copied from one place to another more often than it is shown.
        let columns = source.columns.filter(|_| number < SHOWN);
        if let Some(found) = not_utf8.as_ref().filter(|_| violation.rule == INVALID_UTF_8.id) {
            let found = NotUtf8 { line: source.first + found.line - 1, ..found.clone() };
            let snippet = columns.map(|columns| Snippet::of_bytes(bytes, &found, columns - INDENT.len()));
            return Place { line: found.line, column: found.column, snippet };
        }
        let at = (source.place)(violation.span.start + mark);
        let (line, column) = positions.of_byte(at);
        let line = source.first + line - 1;
        let span = at..at + violation.span.len();
        let snippet = columns.map(|columns| Snippet::new(file, span, line, columns - INDENT.len()));
        Place { line, column, snippet }
    };
    violations.iter().enumerate().map(place).collect()
}

fn human(out: &mut dyn Write, checked: &Checked<'_>) -> io::Result<()> {
    let count = checked.broken.len();
    let warnings = checked.broken.iter().filter(|(violation, _)| violation.severity == Level::Warning).count();
    let said = match count - warnings {
        0 => format!("{GOOD}holds{GOOD:#}"),
        errors => format!("{BAD}{}{BAD:#}", plain::count(errors, "broken rule")),
    };
    let some = |count: usize, said: String| if count == 0 { String::new() } else { said };
    let warnings = some(warnings, format!(", {ODD}{}{ODD:#}", plain::count(warnings, "warning")));
    let profiles = some(checked.profiles.len(), format!(" ({})", checked.profiles.join(", ")));
    let allowed = some(checked.allowed.len(), format!(", {FAINT}{} allowed{FAINT:#}", checked.allowed.len()));
    let inside = checked.inside.map(|inside| format!("{inside}, ")).unwrap_or_default();
    let (name, target, why, mode) = (checked.name(), checked.target, checked.why, checked.mode.name());
    writeln!(out, "{BOLD}{name}{BOLD:#}: {inside}{target}{profiles}{why}, for {mode}: {said}{warnings}{allowed}")?;
    for (violation, place) in checked.broken.iter().take(SHOWN) {
        let of_line =
            session::rule_by_id(violation.rule).map(|_| format!("line {}  {}", place.line, violation.pointer));
        let pointer = of_line.as_deref().map_or_else(|| whole(&violation.pointer), str::trim_end);
        let kind = if violation.severity == Level::Warning { "warning: " } else { "" };
        let (rule, message) = (violation.rule, shorten(&violation.message, 200));
        writeln!(out, "  {ODD}{rule}{ODD:#}  {}  {kind}{message}", plain(pointer))?;
        if let Some(snippet) = &place.snippet {
            snippet.write(out, INDENT)?;
        }
    }
    more(out, "  ", count, SHOWN, "; `--format json` has them all")?;
    for (note, place) in &checked.notes {
        writeln!(out, "  {FAINT}note  {}  line {}  {}{FAINT:#}", note.rule, place.line, shorten(&note.message, 200))?;
    }
    let Some(Opinion { schema, mismatches }) = &checked.opinion else { return Ok(()) };
    let said = match mismatches.len() {
        0 => format!("{GOOD}agrees{GOOD:#}"),
        1 => format!("{BAD}1 mismatch{BAD:#}"),
        count => format!("{BAD}{count} mismatches{BAD:#}"),
    };
    writeln!(out, "  the schema {BOLD}{schema}{BOLD:#}, a second opinion: {said}")?;
    for found in mismatches.iter().take(SHOWN) {
        writeln!(out, "    {}  {}", plain(whole(&found.pointer)), shorten(&found.message, 200))?;
    }
    more(out, "    ", mismatches.len(), SHOWN, "; `--format json` has them all")
}

fn whole(pointer: &str) -> &str {
    if pointer.is_empty() { "(the whole)" } else { pointer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_line_and_column() {
        let violation = |span: std::ops::Range<usize>| Violation {
            rule: "r",
            severity: Level::Error,
            pointer: String::new(),
            span,
            message: String::new(),
        };
        let places = |text: &[u8], found: &[Violation], first: usize| {
            let lossy = String::from_utf8_lossy(text);
            let source = Source { text: Some(&lossy), first, columns: None, place: &|at| at };
            let places = places(text, found, &source).into_iter();
            places.map(|place| (place.line, place.column)).collect::<Vec<_>>()
        };
        let text = "{\"messages\": [\n  {\"rôle\": 1, \"content\": []}\n]}";
        let content = text.find("[]").expect("content");
        let found = [violation(content..content + 2), violation(0..text.len())];
        assert_eq!(places(text.as_bytes(), &found, 1), [(2, 26), (1, 1)]);
        assert_eq!(places(text.as_bytes(), &found[..1], 7), [(8, 26)]);
        assert_eq!(places(b"{\"a\":1}\n{\"a\":2}\n", &[violation(13..14)], 1), [(2, 6)]);
        assert_eq!(places(b"\xff", &[violation(0..3)], 3), [(3, 1)]);
        let bad = [Violation { rule: INVALID_UTF_8.id, ..violation(0..22) }, violation(17..18)];
        assert_eq!(places(b"{\"b\":\"x\xff\",\n\"a\":1}", &bad, 5), [(5, 8), (6, 5)]);
        assert_eq!(places("\u{feff}{\"a\":1}".as_bytes(), &[violation(5..6)], 1), [(1, 6)]);
    }
}
