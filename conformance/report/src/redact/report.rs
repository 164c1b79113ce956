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

    /// What was changed, for programs: what stood in the input is there with its structure; as a string where it is nested
    /// deeper than readers of JSON go, or holds what they do not take.
    ///
    /// # Errors
    ///
    /// The report is no JSON, which cannot be.
    pub fn report(&mut self, report: &Report) -> Result<Value, serde_json::Error> {
        let mut said = report.clone();
        // Their originals are gone then.
        self.changes(&mut said);
        let mut value = serde_json::to_value(&said)?;
        for (list, entries) in [("repairs", &report.repairs), ("notes", &report.notes)] {
            for (told, entry) in value[list].as_array_mut().into_iter().flatten().zip(entries) {
                if let Some(original) = &entry.original {
                    let text = self.bytes(original.as_bytes());
                    told["original"] = serde_json::from_slice(&text)
                        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&text).into_owned()));
                }
            }
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use wirecanon_core::{Dialect, Options, fix};

    use super::*;

    #[test]
    fn what_stood_there_is_told_however_deep() {
        for depth in [3, 127, 128, 400] {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            let text = format!(
                r#"[{{"role":"user","content":"go"}},{{"role":"tool","tool_call_id":"x","content":"late","y":{open}"hunter2"{close}}}]"#
            );
            let fixed = fix(text.as_bytes(), &Options::new().from(Dialect::OpenAiChat)).unwrap();
            let told = Redactor::default().report(&fixed.report).unwrap();
            let originals: Vec<_> =
                told["repairs"].as_array().unwrap().iter().map(|entry| &entry["original"]).collect();
            let deep = originals.iter().map(ToString::to_string).find(|text| text.contains(&open)).unwrap();
            assert!(deep.contains(&close) && !told.to_string().contains("hunter2"), "{deep}");
        }
    }
}
