//! Facts on the input of a case, computed once per case.

use wirecanon_core::json::{Kind, Value};
use wirecanon_core::{Target, Violation};

use super::reasoning;
use crate::case::{Case, Facts};

fn facts_of(case: &Case) -> Facts {
    let violations = case.violations(Target::of_dialect(case.from));
    let is_valid = violations.as_ref().is_some_and(Vec::is_empty);
    let mut broken = placed(violations);
    broken.extend(case.expect.repairs.iter().flatten().map(|repair| (repair.rule.clone(), repair.input.clone())));
    broken.sort();
    broken.dedup();
    let has_reasoning = reasoning::carries_reasoning(&case.input);
    Facts { is_valid, has_reasoning, has_long_numbers: has_long_numbers(&case.input), broken }
}

/// Returns whether a document has a number whose text is not that of the nearest double.
fn has_long_numbers(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    let Some(json) = super::parse(text.trim_start_matches('\u{feff}')) else { return false };
    let is_long = |value: Value<'_>| {
        value.kind() == Kind::Number && value.raw().parse::<f64>().is_ok_and(|number| number.to_string() != value.raw())
    };
    (0..json.len() as u32).any(|index| is_long(json.value(index)))
}

/// Returns the rules of a target that the input of a case breaks, each with its JSON Pointer.
pub fn broken(case: &Case, target: &Target) -> Vec<(String, Option<String>)> {
    placed(case.violations(target))
}

fn placed(violations: Option<Vec<Violation>>) -> Vec<(String, Option<String>)> {
    violations.into_iter().flatten().map(|broken| (broken.rule.to_owned(), Some(broken.pointer))).collect()
}

impl Case {
    /// Returns the facts on the input.
    pub fn facts(&self) -> &Facts {
        self.expect.facts.get_or_init(|| facts_of(self))
    }
}
