//! What wirecanon itself says of a message: its rules, and its JSON Schemas.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Mode, Target, check};
use wirecanon_schemas::catalogue;
use wirecanon_schemas::validate::Validator;

/// One fault that our side names.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Fault {
    /// Id of the rule; for a schema, empty
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) rule: String,
    /// JSON Pointer into the document that holds the message alone
    pub(crate) at: String,
    /// In words
    pub(crate) says: String,
}

/// Rules about where a message stands: one that is judged alone cannot break them.
const OF_PLACE: &[&str] = &["misplaced-system"];

/// The rules of a target, for one message in its document or for a conversation that is sent.
pub(crate) fn rules(target: &Target, document: &str, whole: bool) -> Vec<Fault> {
    let options = CheckOptions {
        target,
        mode: if whole { Mode::Request } else { Mode::History },
        fragment: !whole,
        limits: Limits::default(),
    };
    match check(document.as_bytes(), &options) {
        Ok(checked) => checked
            .violations
            .into_iter()
            .filter(|found| whole || !OF_PLACE.contains(&found.rule))
            .map(|found| Fault { rule: found.rule.to_owned(), at: found.pointer, says: found.message })
            .collect(),
        Err(error) => {
            vec![Fault { rule: "unreadable".to_owned(), at: String::new(), says: error.message().to_owned() }]
        }
    }
}

/// The schemas of targets, each compiled once; `None` where a target has none.
#[derive(Default)]
pub(crate) struct Schemas(BTreeMap<&'static str, Option<Validator>>);

impl Schemas {
    /// Every place where the document is not what the schema of the target says; `None` without a schema. A text that
    /// `serde_json` does not take (a number past a double) counts as one mismatch.
    pub(crate) fn mismatches(&mut self, target: &'static Target, document: &str) -> Option<Vec<Fault>> {
        let compiled = self.0.entry(&target.name).or_insert_with(|| {
            let schema = catalogue::by_id(&id(target))?;
            Validator::new(schema.id).ok()
        });
        let validator = compiled.as_ref()?;
        let value: Value = match serde_json::from_str(document) {
            Ok(value) => value,
            Err(error) => {
                return Some(vec![Fault { rule: String::new(), at: String::new(), says: error.to_string() }]);
            }
        };
        let found = validator.mismatches(&value);
        Some(found.into_iter().map(|one| Fault { rule: String::new(), at: one.pointer, says: one.message }).collect())
    }
}

/// What the catalogue calls the schema of a target's document.
fn id(target: &Target) -> String {
    target.dialect.name().replace('.', "/")
}
