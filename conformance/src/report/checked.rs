//! What `check` found in files: for people, for programs, for GitHub Actions, and as SARIF.

use std::io::{self, Write};

use serde_json::{Value, json};
use wirecanon_core::json::{Json, Limits, parse_lines, resolve};
use wirecanon_core::{Dialect, Violation};

use super::human::{BAD, BOLD, FAINT, GOOD, ODD};
use super::{github, sarif};
use crate::opinion::Opinion;
use crate::testee::shorten;

/// Broken rules that are shown for each text, and mismatches.
const SHOWN: usize = 50;

/// One text and what is broken in it.
#[derive(Debug)]
pub struct Checked<'c> {
    /// The file
    pub file: &'c str,
    /// The line of the file that the text stands on, where each line is a text
    pub session: Option<usize>,
    /// Its dialect
    pub dialect: Dialect,
    /// By whose rules
    pub target: &'c str,
    /// Why by these, where that was not asked for
    pub why: &'c str,
    /// What is broken, with line and column in the file
    pub broken: Vec<(Violation, (usize, usize))>,
    /// What is broken and allowed
    pub allowed: Vec<Violation>,
    /// What its schema says
    pub opinion: Option<Opinion>,
}

impl Checked<'_> {
    fn name(&self) -> String {
        self.session.map_or_else(|| self.file.to_owned(), |line| format!("{}: session on line {line}", self.file))
    }

    fn as_json(&self) -> Value {
        let broken = self.broken.iter().map(|(violation, (line, column))| {
            let Violation { rule, pointer, message } = violation;
            json!({"rule": rule, "pointer": pointer, "message": message, "line": line, "column": column})
        });
        let mut document = json!({"dialect": self.dialect.name(), "target": self.target,
            "violations": broken.collect::<Vec<_>>(), "file": self.file});
        if let Some(line) = self.session {
            document["line"] = json!(line);
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

    fn findings(&self) -> impl Iterator<Item = sarif::Finding> {
        self.broken.iter().map(|(violation, (line, column))| sarif::Finding {
            rule: violation.rule.to_owned(),
            fails: true,
            message: shorten(&violation.message, 1000),
            file: json!({"uri": sarif::uri(self.file)}),
            place: Some((*line, *column)),
            logical: violation.pointer.clone(),
            fingerprint: format!("{}/{}/{}", self.target, violation.rule, shorten(&violation.pointer, 400)),
            properties: json!({"target": self.target, "pointer": violation.pointer}),
        })
    }
}

/// A form that findings in files can be told in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
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
}

impl Telling {
    /// Begins to tell.
    pub fn new(form: Form) -> Self {
        Self { form, findings: Vec::new() }
    }

    /// Tells of one text.
    ///
    /// # Errors
    ///
    /// Writing fails.
    pub fn tell(&mut self, out: &mut dyn Write, checked: &Checked<'_>) -> io::Result<()> {
        match self.form {
            Form::Human => human(out, checked),
            Form::Json => writeln!(out, "{}", checked.as_json()),
            Form::Github => checked.broken.iter().try_for_each(|(violation, place)| {
                let message = format!("{} ({}, at {})", violation.message, checked.target, whole(&violation.pointer));
                github::annotate_file(out, checked.file, *place, violation.rule, &message)
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
        if self.form != Form::Sarif {
            return Ok(());
        }
        serde_json::to_writer_pretty(&mut *out, &sarif::document(self.findings, true, &Value::Null))?;
        out.write_all(b"\n")
    }
}

/// Line and column, from 1, of each violation in a text that begins on line `first` of its file.
pub fn places(bytes: &[u8], violations: &[Violation], limits: Limits, first: usize) -> Vec<(usize, usize)> {
    if violations.is_empty() {
        return Vec::new();
    }
    let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let Ok(text) = std::str::from_utf8(&bytes[mark..]) else { return vec![(first, 1); violations.len()] };
    let Ok(json) = Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)) else {
        return vec![(first, 1); violations.len()];
    };
    let lines: Vec<usize> = std::iter::once(0).chain(line_starts(text)).collect();
    let place = |violation: &Violation| {
        let mut pointer = violation.pointer.as_str();
        // What is missing is missing in something.
        let value = loop {
            match resolve(json.root(), pointer) {
                Some(value) => break value,
                None => pointer = pointer.rsplit_once('/').map_or("", |(above, _)| above),
            }
        };
        let offset = value.span().start;
        let line = lines.partition_point(|start| *start <= offset) - 1;
        (first + line, text[lines[line]..offset].chars().count() + 1)
    };
    violations.iter().map(place).collect()
}

/// Where lines begin but the first.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1)
}

fn human(out: &mut dyn Write, checked: &Checked<'_>) -> io::Result<()> {
    let count = checked.broken.len();
    let said = match count {
        0 => format!("{GOOD}holds{GOOD:#}"),
        1 => format!("{BAD}1 broken rule{BAD:#}"),
        _ => format!("{BAD}{count} broken rules{BAD:#}"),
    };
    let allowed = match checked.allowed.len() {
        0 => String::new(),
        count => format!(", {FAINT}{count} allowed{FAINT:#}"),
    };
    writeln!(out, "{BOLD}{}{BOLD:#}: {}{}: {said}{allowed}", checked.name(), checked.target, checked.why)?;
    for (violation, _) in checked.broken.iter().take(SHOWN) {
        let pointer = whole(&violation.pointer);
        writeln!(out, "  {ODD}{}{ODD:#}  {pointer}  {}", violation.rule, shorten(&violation.message, 200))?;
    }
    if count > SHOWN {
        writeln!(out, "  … and {} more; `--format json` has them all", count - SHOWN)?;
    }
    let Some(Opinion { schema, mismatches }) = &checked.opinion else { return Ok(()) };
    let said = match mismatches.len() {
        0 => format!("{GOOD}agrees{GOOD:#}"),
        1 => format!("{BAD}1 mismatch{BAD:#}"),
        count => format!("{BAD}{count} mismatches{BAD:#}"),
    };
    writeln!(out, "  the schema {BOLD}{schema}{BOLD:#}, a second opinion: {said}")?;
    for found in mismatches.iter().take(SHOWN) {
        writeln!(out, "    {}  {}", whole(&found.pointer), shorten(&found.message, 200))?;
    }
    if mismatches.len() > SHOWN {
        writeln!(out, "    … and {} more; `--format json` has them all", mismatches.len() - SHOWN)?;
    }
    Ok(())
}

fn whole(pointer: &str) -> &str {
    if pointer.is_empty() { "(the whole)" } else { pointer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_line_and_column() {
        let violation = |pointer: &str| Violation { rule: "r", pointer: pointer.to_owned(), message: String::new() };
        let text = "{\"messages\": [\n  {\"rôle\": 1, \"content\": []}\n]}";
        let found = [
            violation("/messages/0/content"),
            violation("/messages/0/gone/x"),
            violation(""),
            violation("/messages/9"),
        ];
        let limits = Limits::default();
        assert_eq!(places(text.as_bytes(), &found, limits, 1), [(2, 26), (2, 3), (1, 1), (1, 14)]);
        assert_eq!(places(text.as_bytes(), &found[..1], limits, 7), [(8, 26)]);
        assert_eq!(places(b"{\"a\":1}\n{\"a\":2}\n", &[violation("/1/a")], limits, 1), [(2, 6)]);
        assert_eq!(places(b"\xff", &found[..1], limits, 3), [(3, 1)]);
    }
}
