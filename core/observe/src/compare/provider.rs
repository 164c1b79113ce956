//! Items that only one provider knows.

use std::borrow::Cow;

use wirecanon_json::{Kind, Value};

use super::value::{Relation, relation};
use super::words::Names;
use crate::observation::Provider;

/// Fields of an item that a server sets, or that say nothing to the model.
const FREE: [&str; 12] = [
    "id",
    "call_id",
    "tool_use_id",
    "toolCallId",
    "toolUseId",
    "status",
    "cache_control",
    "index",
    "partial_json",
    "caller",
    "created_by",
    "phase",
];

/// Whether two items of one dialect are the same, ids apart.
pub(super) fn is_same(a: &Provider<'_>, b: &Provider<'_>) -> bool {
    if a.kind != b.kind || a.dialect != b.dialect {
        return false;
    }
    if !a.value.is_object() || !b.value.is_object() {
        return relation(a.value, b.value) != Relation::Different;
    }
    let members = |value| {
        let mut members: Vec<(Cow<'_, str>, Value<'_>)> = Value::members(value)
            .map(|(key, value)| (key.as_str().unwrap_or_default(), value))
            .filter(|(key, value)| !FREE.contains(&&**key) && !value.is_null())
            .collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        members
    };
    let (left, right) = (members(a.value), members(b.value));
    left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| a.0 == b.0 && relation(a.1, b.1) != Relation::Different)
}

/// The words of an item: of all its strings, numbers and keys.
pub(super) fn names(provider: &Provider<'_>) -> Names {
    let mut names = names_of_value(provider.value);
    names.add(provider.dialect.name());
    names.add(&provider.kind);
    names
}

/// The words of a value: of all its strings, numbers and keys.
pub(super) fn names_of_value(value: Value<'_>) -> Names {
    let mut names = Names::default();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value.kind() {
            Kind::Object => open.extend(value.members().flat_map(|(key, value)| [key, value])),
            Kind::Array => open.extend(value.items()),
            Kind::String => names.add(&value.as_str().unwrap_or_default()),
            Kind::Number | Kind::Bool | Kind::Null => names.add(value.raw()),
        }
    }
    names
}
