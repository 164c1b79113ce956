//! The table of `docs/losses.md`.

use std::fmt::Write;

use wirecanon::losses::{Answer, FEATURES, Fate, answers};
use wirecanon_core::{Dialect, Target};

use crate::document::{Document, Error};

/// Returns `docs/losses.md` with its table.
pub(crate) fn document() -> Result<Document, Error> {
    Document::with_table("docs/losses.md", "losses", &markdown())
}

/// What stands for an outcome in a cell.
fn sign(answer: &Answer) -> &'static str {
    match (answer.outcome, answer.back) {
        (Fate::Kept, true) => "=",
        (Fate::Kept, false) => "≅",
        (Fate::Adapted, true) => "~",
        (Fate::Adapted, false) => "≈",
        (Fate::Text, _) => "T",
        (Fate::LeftOut, _) => "–",
        (Fate::Lost, _) => "✗",
        (Fate::Refused, _) => "R",
        (Fate::Absent, _) => "·",
    }
}

/// Sets of rules, each with a number for the footnotes.
#[derive(Default)]
struct Footnotes(Vec<Vec<String>>);

impl Footnotes {
    fn number(&mut self, rules: &[String]) -> Option<usize> {
        if rules.is_empty() {
            return None;
        }
        let found = self.0.iter().position(|known| known == rules).unwrap_or_else(|| {
            self.0.push(rules.to_vec());
            self.0.len() - 1
        });
        Some(found + 1)
    }

    fn cell(&mut self, answer: Option<&Answer>) -> String {
        let Some(answer) = answer else { return String::new() };
        self.number(&answer.rules).map_or_else(|| sign(answer).to_owned(), |number| format!("{}{number}", sign(answer)))
    }
}

/// The table, as Markdown: every feature in every dialect, then where a target differs from its dialect.
fn markdown() -> String {
    let of = |target: &Target| answers(Dialect::Canonical, target).unwrap_or_default();
    let dialects: Vec<Vec<Answer>> = Dialect::ALL.into_iter().map(|dialect| of(Target::of_dialect(dialect))).collect();
    let mut notes = Footnotes::default();
    let mut out = String::from("| what is said |");
    for dialect in Dialect::ALL {
        put(&mut out, &format!(" {} |", dialect.name()));
    }
    put(&mut out, &format!("\n|---|{}\n", "---|".repeat(Dialect::ALL.len())));
    for feature in FEATURES {
        put(&mut out, &format!("| {} |", feature.title));
        for answers in &dialects {
            let answer = answers.iter().find(|answer| answer.feature == feature.id);
            put(&mut out, &format!(" {} |", notes.cell(answer)));
        }
        out.push('\n');
    }
    let (mut same, mut rows) = (Vec::new(), Vec::new());
    for target in Target::all().iter().filter(|target| !target.is_dialect()) {
        let of_dialect = Dialect::ALL.into_iter().position(|dialect| dialect == target.dialect).map(|at| &dialects[at]);
        let differs = differences(&of(target), of_dialect.map_or(&[], Vec::as_slice), &mut notes);
        let name = format!("`{}`", target.name);
        match rows.iter_mut().find(|(_, words)| *words == differs) {
            _ if differs.is_empty() => same.push(name),
            Some((names, _)) => *names = format!("{names} {name}"),
            None => rows.push((name, differs)),
        }
    }
    put(&mut out, &format!("\nThese targets are as their dialect: {}. The others differ:\n\n", same.join(", ")));
    out.push_str("| target | what becomes of what |\n|---|---|\n");
    for (names, words) in rows {
        put(&mut out, &format!("| {names} | {words} |\n"));
    }
    out.push_str("\nThe numbers name the rules that the report gives:\n\n");
    for (at, rules) in notes.0.iter().enumerate() {
        put(&mut out, &format!("{}. `{}`\n", at + 1, rules.join("` `")));
    }
    out
}

/// Where a target differs from its dialect: each outcome, and what it becomes of.
fn differences(answers: &[Answer], of_dialect: &[Answer], notes: &mut Footnotes) -> String {
    let mut cells: Vec<(String, Vec<&str>)> = Vec::new();
    for answer in answers {
        let other = of_dialect.iter().find(|other| other.feature == answer.feature);
        let told = |answer: &Answer| (answer.outcome, answer.back, answer.rules.clone());
        if other.is_some_and(|other| told(other) == told(answer)) {
            continue;
        }
        let cell = notes.cell(Some(answer));
        match cells.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, titles)) => titles.push(title(answer)),
            None => cells.push((cell, vec![title(answer)])),
        }
    }
    let words: Vec<_> = cells.iter().map(|(cell, titles)| format!("**{cell}** {}", titles.join(", "))).collect();
    words.join("; ")
}

fn title(answer: &Answer) -> &'static str {
    FEATURES.iter().find(|feature| feature.id == answer.feature).map_or("", |feature| feature.title)
}

fn put(out: &mut String, text: &str) {
    // A string takes all that is written to it.
    let _ = out.write_str(text);
}
