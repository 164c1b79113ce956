//! Which keyword makes a schema that nothing satisfies so: the one without which something would.

use serde_json::Value;

use super::compile;
use super::document::child;
use super::error::{Error, Fault};

/// Schemas with one thing left out that are tried; enough for some levels of any schema that people write.
const TRIES: usize = 200;
/// Steps that each may take.
const STEPS: usize = 20_000;

/// The error for a schema that nothing is an instance of.
pub(super) fn unsatisfiable(root: &Value) -> Error {
    let mut search = Search { root, tries: 0 };
    let mut found = (String::new(), String::new());
    let mut place = String::new();
    let mut known = Vec::new();
    while !known.contains(&place) {
        known.push(place.clone());
        let Some(keyword) = search.culprit(&place) else { break };
        found = (place.clone(), keyword.clone());
        let within = child(&place, &keyword);
        let inner = match &keyword[..] {
            "$ref" => search.target(&within),
            "properties" | "patternProperties" => search.culprit(&within).map(|name| child(&within, &name)),
            "items" | "additionalProperties" | "contains" | "propertyNames" => Some(within),
            _ => None,
        };
        let Some(inner) = inner else { break };
        // A schema that is `false` has no keyword: the one that it stands under is named, or where it stands.
        if search.root.pointer(&inner) == Some(&Value::Bool(false)) {
            if keyword == "properties" || keyword == "patternProperties" {
                found = (inner, String::new());
            }
            break;
        }
        place = inner;
    }
    let (pointer, keyword) = found;
    Error { pointer, keyword, fault: Fault::Unsatisfiable }
}

struct Search<'a> {
    root: &'a Value,
    tries: usize,
}

impl Search<'_> {
    /// The first member of the object at `place` without which the schema can be satisfied.
    fn culprit(&mut self, place: &str) -> Option<String> {
        let names: Vec<String> = self.root.pointer(place)?.as_object()?.keys().cloned().collect();
        names.into_iter().find(|name| {
            self.tries += 1;
            if self.tries > TRIES || name == "$defs" || name == "definitions" {
                return false;
            }
            let mut without = self.root.clone();
            let members = without.pointer_mut(place).and_then(Value::as_object_mut);
            members.and_then(|members| members.remove(name)).is_some() && compile::plan(&without, STEPS).is_ok()
        })
    }

    /// Where the reference at `place` leads, if it is a pointer.
    fn target(&self, place: &str) -> Option<String> {
        let pointer = self.root.pointer(place)?.as_str()?.strip_prefix('#')?;
        self.root.pointer(pointer).map(|_| pointer.to_owned())
    }
}
