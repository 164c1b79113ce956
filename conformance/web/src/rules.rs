//! Rules as pages tell them: what holds, where that is said, what servers say when it does not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use wirecanon_cases::citation::address;
use wirecanon_core::rule;
use wirecanon_session as session;

/// The rules of these ids.
pub(super) fn told<'r>(ids: impl Iterator<Item = &'r str>) -> Value {
    let ids: BTreeSet<&str> = ids.collect();
    let rules: BTreeMap<&str, Value> = ids
        .into_iter()
        .filter_map(|id| {
            if let Some(rule) = session::rule_by_id(id) {
                let citations: Vec<_> = rule.sources.iter().map(|text| (*text, address(text))).collect();
                let told = json!({"statement": rule.statement, "class": session::CLASS, "citations": citations, "errors": []});
                return Some((id, told));
            }
            let rule = rule::by_id(id)?;
            let citations: Vec<_> = rule.citations().map(|text| (text, address(text))).collect();
            let errors: Vec<_> = rule.errors().collect();
            let told = json!({"statement": rule.statement, "class": rule.class.slug(), "citations": citations, "errors": errors});
            Some((id, told))
        })
        .collect();
    json!(rules)
}
