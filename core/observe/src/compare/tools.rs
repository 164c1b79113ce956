//! Comparison of the definitions of tools.

use std::collections::{HashMap, HashSet};

use wirecanon_json::{Kind, Value};
use wirecanon_model::Target;

use super::matcher::quoted;
use super::value::{Relation, relation};
use super::{Comparison, Difference};
use crate::equivalence::Equivalence;
use crate::observation::{Content, Observation, Tool};
use crate::reason::Reason;

/// Keys of a schema that providers refuse, demand or spell in their own way.
const FREE: [&str; 6] = ["$schema", "additionalProperties", "strict", "title", "propertyOrdering", "nullable"];

pub(super) fn compare(
    expected: &Observation<'_>,
    answer: &Observation<'_>,
    target: &Target,
    comparison: &mut Comparison,
) {
    // A bare list of messages has no definitions.
    if !target.content.tools || expected.is_lone_result || answer.root.is_array() || expected.root.is_array() {
        return;
    }
    let mut by_name: HashMap<&str, Vec<&Tool<'_>>> = HashMap::new();
    for tool in &answer.tools {
        by_name.entry(&tool.name).or_default().push(tool);
    }
    let names = renamed(expected, answer);
    let mut found = HashSet::new();
    for tool in &expected.tools {
        let name = names.get(&*tool.name).copied().unwrap_or(&tool.name);
        let is_own = expected.dialect == answer.dialect;
        let Some(other) = by_name.get(name).and_then(|tools| tools.first().copied()) else {
            if tool.provider_type.is_some() && !is_own {
                comparison.uses(Equivalence::Definitions);
                continue;
            }
            // Respelled, where no call shows how.
            let respelled = answer.tools.iter().find(|other| {
                !found.contains(&*other.name)
                    && !target.names.accepts(&tool.name)
                    && target.names.accepts(&other.name)
                    && other.description == tool.description
            });
            let Some(other) = respelled else {
                let twin = answer.tools.iter().find(|other| {
                    !expected.tools.iter().any(|tool| tool.name == other.name) && is_same_schema(tool, other, is_own)
                });
                let (reason, place) = match twin {
                    Some(twin) => (Reason::ToolRenamed, Some(twin.place)),
                    None => (Reason::ToolMissing, None),
                };
                found.extend(twin.map(|twin| twin.name.to_string()));
                comparison.add(Difference::new(reason, Some(tool.place), place, format!("tool `{}`", tool.name)));
                continue;
            };
            comparison.uses(Equivalence::Names);
            found.insert(other.name.to_string());
            compare_tool(tool, other, is_own, comparison);
            continue;
        };
        found.insert(name.to_owned());
        compare_tool(tool, other, is_own, comparison);
    }
    let called: HashSet<&str> = calls(expected).chain(calls(answer)).collect();
    for tool in &answer.tools {
        if found.contains(&*tool.name) {
            continue;
        }
        if called.contains(&*tool.name) && expected.tools.is_empty() {
            comparison.uses(Equivalence::Definitions);
            continue;
        }
        comparison.add(Difference::new(Reason::ToolInvented, None, Some(tool.place), format!("tool `{}`", tool.name)));
    }
}

/// The names of called tools.
fn calls<'o>(observation: &'o Observation<'_>) -> impl Iterator<Item = &'o str> {
    observation.turns.iter().flat_map(|turn| &turn.items).filter_map(|item| match &item.content {
        Content::Call(call) => Some(&*call.name),
        _ => None,
    })
}

/// How calls of the answer are renamed, by their order.
fn renamed<'o>(expected: &'o Observation<'_>, answer: &'o Observation<'_>) -> HashMap<&'o str, &'o str> {
    calls(expected).zip(calls(answer)).filter(|(name, other)| name != other).collect()
}

fn compare_tool(tool: &Tool<'_>, other: &Tool<'_>, is_own: bool, comparison: &mut Comparison) {
    let description = |tool: &Tool<'_>| tool.description.as_deref().unwrap_or_default().trim().to_owned();
    if description(tool) != description(other) {
        let detail = format!(
            "tool `{}`: expected description {}, got {}",
            tool.name,
            quoted(&description(tool)),
            quoted(&description(other))
        );
        comparison.add(Difference::new(Reason::ToolChanged, Some(tool.place), Some(other.place), detail));
    } else if !is_same_schema(tool, other, is_own) {
        let detail = format!("tool `{}` has another schema", tool.name);
        comparison.add(Difference::new(Reason::ToolChanged, Some(tool.place), Some(other.place), detail));
    } else if !is_own {
        comparison.uses(Equivalence::Definitions);
    }
}

fn is_same_schema(tool: &Tool<'_>, other: &Tool<'_>, is_own: bool) -> bool {
    match (tool.schema, other.schema) {
        (Some(a), Some(b)) if is_own => relation(a, b) != Relation::Different,
        (Some(a), Some(b)) => is_same_as_schema(a, b),
        // The schema of a custom tool, or of one without arguments, may be written out.
        (None, _) => true,
        (Some(schema), None) => says_nothing(schema),
    }
}

/// Whether a schema has no properties.
fn says_nothing(schema: Value<'_>) -> bool {
    schema.get("properties").is_none_or(|properties| properties.members().next().is_none())
}

/// Compares two schemas as providers spell them: types in any case, without the keys that not all providers have.
fn is_same_as_schema(a: Value<'_>, b: Value<'_>) -> bool {
    let mut open = vec![(a, b)];
    while let Some((a, b)) = open.pop() {
        match (a.kind(), b.kind()) {
            (Kind::Object, Kind::Object) => {
                let keys: Vec<_> = a.members().chain(b.members()).filter_map(|(key, _)| key.as_str()).collect();
                for key in keys {
                    if FREE.contains(&&*key) {
                        continue;
                    }
                    match (a.get(&key), b.get(&key)) {
                        (Some(a), Some(b)) if key == "type" && a.is_string() && b.is_string() => {
                            if !a.as_str().unwrap_or_default().eq_ignore_ascii_case(&b.as_str().unwrap_or_default()) {
                                return false;
                            }
                        }
                        (Some(a), Some(b)) => open.push((a, b)),
                        (Some(only), None) | (None, Some(only)) => {
                            let is_empty = only.is_object() && only.members().next().is_none()
                                || only.is_array() && only.items().next().is_none();
                            if !is_empty {
                                return false;
                            }
                        }
                        (None, None) => {}
                    }
                }
            }
            (Kind::Array, Kind::Array) => {
                if a.items().count() != b.items().count() {
                    return false;
                }
                open.extend(a.items().zip(b.items()));
            }
            // Counts are strings in protobuf JSON.
            (Kind::String, Kind::Number) => {
                if a.as_str().as_deref() != Some(b.raw()) {
                    return false;
                }
            }
            (Kind::Number, Kind::String) => {
                if b.as_str().as_deref() != Some(a.raw()) {
                    return false;
                }
            }
            _ => {
                if relation(a, b) == Relation::Different {
                    return false;
                }
            }
        }
    }
    true
}
