//! Reports without what the messages say.

use serde_json::Value;
use wirecanon_core::{Report, Violation, rule};

use super::Redactor;

fn statement(id: &str) -> &'static str {
    rule::by_id(id).map_or("", |rule| rule.statement)
}

impl Redactor {
    /// What is broken, in the words of the rule alone.
    pub fn violation(&mut self, violation: &mut Violation) {
        violation.pointer = self.pointer(&violation.pointer);
        statement(violation.rule).clone_into(&mut violation.message);
    }

    /// What was changed, for people: rules and places.
    pub fn changes(&mut self, report: &mut Report) {
        for entry in report.repairs.iter_mut().chain(&mut report.notes) {
            entry.message = statement(entry.rule).into();
            entry.original = None;
            for place in [&mut entry.input, &mut entry.output] {
                *place = place.as_deref().map(|pointer| self.pointer(pointer).into());
            }
        }
        for renamed in report.ids.iter_mut().chain(&mut report.names) {
            renamed.from = self.text(&renamed.from);
            renamed.to = self.text(&renamed.to);
            renamed.input = renamed.input.as_deref().map(|pointer| self.pointer(pointer));
        }
    }

    /// What was changed, for programs: what stood in the input is there with its structure.
    ///
    /// # Errors
    ///
    /// The report is no JSON, which cannot be.
    pub fn report(&mut self, report: &Report) -> Result<Value, serde_json::Error> {
        let originals = serde_json::to_value(report)?;
        let mut report = report.clone();
        self.changes(&mut report);
        let mut value = serde_json::to_value(&report)?;
        for list in ["repairs", "notes"] {
            let before = originals[list].as_array().into_iter().flatten();
            for (entry, before) in value[list].as_array_mut().into_iter().flatten().zip(before) {
                if !before["original"].is_null() {
                    let text = self.bytes(before["original"].to_string().as_bytes());
                    entry["original"] = serde_json::from_slice(&text)?;
                }
            }
        }
        Ok(value)
    }
}
