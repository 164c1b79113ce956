//! What wirecanon itself says of a message: its rules, and its JSON Schemas.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, Mode, Target, check};
use wirecanon_schemas::catalogue;
use wirecanon_schemas::validate::Validator;

use crate::shape;

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

/// The schema of a dialect, ready for many documents; `None` where there is none.
pub(crate) struct Schema(Option<Validator>);

impl Schema {
    /// The schema of this dialect, or of one of its revisions.
    pub(crate) fn of(dialect: Dialect) -> Self {
        let id = id(dialect);
        Self(catalogue::by_id(&id).and_then(|schema| Validator::new(schema.id).ok()))
    }

    /// Every place where the document is not what the schema says; `None` without a schema. A text that `serde_json` does
    /// not take (a number past a double) counts as one mismatch.
    pub(crate) fn mismatches(&self, document: &str) -> Option<Vec<Fault>> {
        let validator = self.0.as_ref()?;
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

/// What the catalogue calls the schema of a dialect's document.
fn id(dialect: Dialect) -> String {
    dialect.name().replace('.', "/")
}

/// Both opinions on one message, by the rules of the dialect alone.
pub(crate) fn of_message(dialect: Dialect, schema: &Schema, message: &str) -> (Vec<Fault>, Option<Vec<Fault>>) {
    let document = shape::document(dialect, message);
    (rules(Target::of_dialect(dialect), &document, false), schema.mismatches(&document))
}
