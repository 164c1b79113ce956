//! The table of `docs/losses.md`.

use std::fmt::Write;

use wirecanon_core::{Dialect, Target};

use super::{Answer, FEATURES, Fate, answers};

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
pub fn markdown() -> String {
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
    out.push_str("\nA target is its dialect, but for these:\n\n| target | what becomes of what |\n|---|---|\n");
    for target in Target::all().iter().filter(|target| !target.is_dialect()) {
        let of_dialect = Dialect::ALL.into_iter().position(|dialect| dialect == target.dialect).map(|at| &dialects[at]);
        let differs = of(target).into_iter().filter(|answer| {
            of_dialect.and_then(|known| known.iter().find(|other| other.feature == answer.feature)).is_none_or(
                |other| (other.outcome, other.back, &other.rules) != (answer.outcome, answer.back, &answer.rules),
            )
        });
        let words: Vec<_> = differs.map(|answer| format!("{} {}", title(&answer), notes.cell(Some(&answer)))).collect();
        let words = if words.is_empty() { "nothing".to_owned() } else { words.join("; ") };
        put(&mut out, &format!("| `{}` | {words} |\n", target.name));
    }
    out.push_str("\nThe numbers name the rules that the report gives:\n\n");
    for (at, rules) in notes.0.iter().enumerate() {
        put(&mut out, &format!("{}. `{}`\n", at + 1, rules.join("` `")));
    }
    out
}

fn title(answer: &Answer) -> &'static str {
    FEATURES.iter().find(|feature| feature.id == answer.feature).map_or("", |feature| feature.title)
}

fn put(out: &mut String, text: &str) {
    // A string takes all that is written to it.
    let _ = out.write_str(text);
}
