//! Comparison of the definitions of tools.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use wirecanon_json::{Kind, Value};
use wirecanon_model::Target;

use super::Comparison;
use super::quoted;
use super::value::is_equal;
use crate::equivalence::Equivalence;
use crate::observation::{Content, Observation, Tool};
use crate::reason::Reason;

/// Keys of a schema that providers refuse, demand or spell in their own way.
const FREE: [&str; 6] = ["$schema", "additionalProperties", "strict", "title", "propertyOrdering", "nullable"];

pub(super) fn compare(
    expected: &Observation<'_>,
    answer: &Observation<'_>,
    names: &HashMap<String, String>,
    target: &Target,
    comparison: &mut Comparison,
) {
    if !target.content.tools || expected.is_lone_result {
        return;
    }
    let mut by_name: HashMap<&str, &Tool<'_>> = HashMap::new();
    for tool in &answer.tools {
        by_name.entry(&tool.name).or_insert(tool);
    }
    let is_own = expected.dialect == answer.dialect;
    let expected_names: HashSet<&str> = expected.tools.iter().map(|tool| &*tool.name).collect();
    let mut found = HashSet::new();
    for tool in &expected.tools {
        if comparison.has_ended_early {
            return;
        }
        let name = name_in_answer(tool, names);
        let Some(other) = by_name.get(name).copied() else {
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
                let twin = answer
                    .tools
                    .iter()
                    .find(|other| !expected_names.contains(&*other.name) && is_same_schema(tool, other, is_own));
                let (reason, place) = match twin {
                    Some(twin) => (Reason::ToolRenamed, Some(twin.place)),
                    None => (Reason::ToolMissing, None),
                };
                found.extend(twin.map(|twin| twin.name.to_string()));
                comparison.add(reason, Some(tool.place), place, format!("tool `{}`", tool.name));
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
    let mut again: HashMap<&str, usize> = HashMap::new();
    for tool in &expected.tools {
        let name = name_in_answer(tool, names);
        *again.entry(name).or_default() += 1;
    }
    for tool in &answer.tools {
        if found.contains(&*tool.name) {
            match again.get_mut(&*tool.name) {
                Some(0) => {
                    let detail = format!("tool `{}` is defined again", tool.name);
                    comparison.add(Reason::ToolInvented, None, Some(tool.place), detail);
                }
                Some(count) => *count -= 1,
                None => {}
            }
            continue;
        }
        if called.contains(&*tool.name) && expected.tools.is_empty() {
            comparison.uses(Equivalence::Definitions);
            continue;
        }
        comparison.add(Reason::ToolInvented, None, Some(tool.place), format!("tool `{}`", tool.name));
    }
}

/// The name of an expected tool in the answer.
fn name_in_answer<'n>(tool: &'n Tool<'_>, names: &'n HashMap<String, String>) -> &'n str {
    names.get(&*tool.name).map_or(&*tool.name, String::as_str)
}

/// The names of called tools.
fn calls<'o>(observation: &'o Observation<'_>) -> impl Iterator<Item = &'o str> {
    observation.turns.iter().flat_map(|turn| &turn.items).filter_map(|item| match &item.content {
        Content::Call(call) => Some(&*call.name),
        _ => None,
    })
}

fn compare_tool(tool: &Tool<'_>, other: &Tool<'_>, is_own: bool, comparison: &mut Comparison) {
    let description = |tool: &Tool<'_>| tool.description.as_deref().unwrap_or_default().trim().to_owned();
    if tool.provider_type.is_some() != other.provider_type.is_some() {
        let detail = format!("tool `{}` is of another type", tool.name);
        comparison.add(Reason::ToolChanged, Some(tool.place), Some(other.place), detail);
    } else if description(tool) != description(other) {
        let detail = format!(
            "tool `{}`: expected description {}, got {}",
            tool.name,
            quoted(&description(tool)),
            quoted(&description(other))
        );
        comparison.add(Reason::ToolChanged, Some(tool.place), Some(other.place), detail);
    } else if !is_same_schema(tool, other, is_own) {
        let detail = format!("tool `{}` has another schema", tool.name);
        comparison.add(Reason::ToolChanged, Some(tool.place), Some(other.place), detail);
    } else if !is_own {
        comparison.uses(Equivalence::Definitions);
    }
}

fn is_same_schema(tool: &Tool<'_>, other: &Tool<'_>, is_own: bool) -> bool {
    match (tool.schema, other.schema) {
        (Some(a), Some(b)) if is_own => is_equal(a, b),
        (Some(a), Some(b)) => is_same_as_schema(a, b),
        (None, None) => true,
        // The schema of a custom tool, or of one without arguments, may be written out.
        (None, Some(schema)) => {
            let mut keys = schema.get("properties").into_iter().flat_map(Value::members);
            match (keys.next(), keys.next()) {
                (None, _) => true,
                (Some((key, _)), None) => key.is_str("input"),
                _ => false,
            }
        }
        (Some(schema), None) => says_nothing(schema),
    }
}

/// Returns whether a schema has no properties.
fn says_nothing(schema: Value<'_>) -> bool {
    schema.get("properties").is_none_or(|properties| properties.members().next().is_none())
}

/// Compares two schemas as providers spell them: types in any case, without the keys that not all providers have.
fn is_same_as_schema(a: Value<'_>, b: Value<'_>) -> bool {
    // Whether the keys of an object are names of properties.
    let mut open = vec![(a, b, false)];
    while let Some((a, b, is_named)) = open.pop() {
        match (a.kind(), b.kind()) {
            (Kind::Object, Kind::Object) => {
                let (left, right) = (members(a), members(b));
                for key in left.keys().chain(right.keys().filter(|key| !left.contains_key(*key))) {
                    if !is_named && FREE.contains(&&**key) {
                        continue;
                    }
                    match (left.get(key), right.get(key)) {
                        (Some(a), Some(b)) if key == "type" && a.is_string() && b.is_string() => {
                            if !a.as_str().unwrap_or_default().eq_ignore_ascii_case(&b.as_str().unwrap_or_default()) {
                                return false;
                            }
                        }
                        (Some(a), Some(b)) => {
                            let is_named = !is_named && matches!(&**key, "properties" | "$defs" | "definitions");
                            open.push((*a, *b, is_named));
                        }
                        (Some(only), None) | (None, Some(only)) => {
                            let is_empty = only.is_object() && only.members().next().is_none()
                                || only.is_array() && only.items().next().is_none();
                            if is_named || !is_empty {
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
                open.extend(a.items().zip(b.items()).map(|(a, b)| (a, b, false)));
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
                if !is_equal(a, b) {
                    return false;
                }
            }
        }
    }
    true
}

/// The members of an object by their keys; of equal keys the last one counts.
fn members(object: Value<'_>) -> HashMap<Cow<'_, str>, Value<'_>> {
    object.members().filter_map(|(key, value)| Some((key.as_str()?, value))).collect()
}
