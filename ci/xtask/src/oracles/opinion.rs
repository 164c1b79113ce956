//! What wirecanon itself says of a message: its rules, and its JSON Schemas.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wirecanon::opinion::SecondOpinion;
use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, Mode, Target, check};

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

/// In place of a rule: the judge found nothing to judge.
pub(crate) const UNREADABLE: &str = "unreadable";

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
            // A prompt says its type beside its messages.
            .filter(|found| whole || target.dialect != Dialect::McpPrompt || found.rule != "result-type-missing")
            .map(|found| Fault { rule: found.rule.to_owned(), at: found.pointer, says: found.message })
            .collect(),
        Err(error) => {
            vec![Fault { rule: UNREADABLE.to_owned(), at: String::new(), says: error.message().to_owned() }]
        }
    }
}

/// The schemas of targets, each compiled once.
#[derive(Default)]
pub(crate) struct Schemas(BTreeMap<&'static str, SecondOpinion>);

impl Schemas {
    /// Every place where a message of the document is not what the schema of the target says.
    ///
    /// # Errors
    ///
    /// The target has no schema, or it does not compile: then one opinion would be missing in silence.
    pub(crate) fn mismatches(&mut self, target: &'static Target, document: &str) -> Result<Vec<Fault>, String> {
        if !self.0.contains_key(&*target.name) {
            let revision = target.name.split_once('@').map(|(_, revision)| revision);
            let schema = SecondOpinion::new(target.dialect, revision);
            self.0.insert(&target.name, schema.map_err(|error| format!("{}: {error}", target.name))?);
        }
        let fault = |at: String, says: String| Fault { rule: String::new(), at, says };
        Ok(match self.0[&*target.name].judge(document.as_bytes(), Limits::default()) {
            Ok(opinion) => opinion.mismatches.into_iter().map(|one| fault(one.pointer, one.message)).collect(),
            Err(error) => vec![fault(String::new(), error.to_string())],
        })
    }
}
