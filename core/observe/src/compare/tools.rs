//! Comparison of the definitions of tools.

use std::collections::{BTreeMap, VecDeque};

use hashbrown::{HashMap, HashSet};
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use super::schema::{Mismatch, exact_mismatch, members, schema_mismatch};
use super::value::{is_equal, is_equal_text};
use super::{CompareOptions, Comparison, quoted, short};
use crate::equivalence::Equivalence;
use crate::observation::{Observation, Tool};
use crate::reason::Reason;

pub(super) fn compare(
    expected: &Observation<'_>,
    answer: &Observation<'_>,
    names: &HashMap<String, String>,
    options: CompareOptions<'_>,
    comparison: &mut Comparison,
) {
    let target = options.target;
    let of_provider: HashSet<&str> = options.provider_tools.iter().map(|tool| &*tool.name).collect();
    let of_document = expected.tools.iter().filter(|tool| !of_provider.contains(&*tool.name));
    let expected_tools: Vec<(&Tool<'_>, Dialect)> = of_document
        .map(|tool| (tool, expected.dialect))
        .chain(options.provider_tools.iter().map(|tool| (tool, answer.dialect)))
        .collect();
    let has_none = expected_tools.is_empty() && answer.tools.is_empty();
    if has_none || !target.content.tools || expected.is_lone_result {
        return;
    }
    // Of several definitions of one name, each is compared with its own; the last one counts for all that follow.
    let mut by_name: HashMap<&str, VecDeque<&Tool<'_>>> = HashMap::new();
    for tool in &answer.tools {
        by_name.entry(&tool.name).or_default().push_back(tool);
    }
    let expected_names: HashSet<&str> = expected_tools.iter().map(|(tool, _)| &*tool.name).collect();
    let mut once = HashSet::new();
    let names_of_tools = expected_tools.iter().map(|(tool, _)| &*tool.name);
    let repeated: HashSet<&str> = names_of_tools.filter(|name| target.names.unique && !once.insert(*name)).collect();
    let mut found = HashSet::new();
    for (tool, dialect) in expected_tools.iter().copied() {
        if comparison.has_ended_early {
            return;
        }
        let dialects = (dialect, answer.dialect);
        let is_own = dialect == answer.dialect;
        let name = name_in_answer(tool, names);
        let same_name = by_name
            .get_mut(name)
            .and_then(|tools| if tools.len() > 1 { tools.pop_front() } else { tools.front().copied() });
        if let Some(other) = same_name {
            if target.names.unique && !found.insert(name) {
                // Where the target takes one tool of a name, one definition stands for all.
                comparison.uses(Equivalence::Definitions);
                continue;
            }
            let is_told = |of_name: &&Tool<'_>| {
                of_name.name == tool.name
                    && of_name.description == other.description
                    && schema_of(of_name, other, dialects).is_none()
            };
            let tools = expected_tools.iter().map(|(tool, _)| *tool);
            let tool = tools.filter(|_| repeated.contains(&*tool.name)).find(is_told).unwrap_or(tool);
            found.insert(name);
            compare_tool(tool, other, dialects, comparison);
            continue;
        }
        if (tool.provider_type.is_some() || has_no_place(answer)) && !is_own {
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
        if let Some(other) = respelled {
            comparison.uses(Equivalence::Names);
            found.insert(&*other.name);
            compare_tool(tool, other, dialects, comparison);
            continue;
        }
        let twin = answer
            .tools
            .iter()
            .find(|other| !expected_names.contains(&*other.name) && schema_of(tool, other, dialects).is_none());
        let (reason, place) = match twin {
            Some(twin) => (Reason::ToolRenamed, Some(twin.place)),
            None => (Reason::ToolMissing, None),
        };
        found.extend(twin.map(|twin| &*twin.name));
        comparison.add(reason, Some(tool.place), place, format!("tool `{}`", tool.name));
    }
    let called: HashSet<&str> = calls(expected).chain(calls(answer)).collect();
    let mut again: HashMap<&str, usize> = HashMap::new();
    for (tool, _) in &expected_tools {
        let name = name_in_answer(tool, names);
        *again.entry(name).or_default() += 1;
    }
    let may_define = expected_tools.is_empty() && target.content.definitions;
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
        if may_define && called.contains(&*tool.name) && tool.schema.is_none_or(says_nothing) {
            comparison.uses(Equivalence::Definitions);
            continue;
        }
        comparison.add(Reason::ToolInvented, None, Some(tool.place), format!("tool `{}`", tool.name));
    }
}

/// Returns whether an answer is a list of messages of a framework, which gets the definitions beside the messages.
fn has_no_place(answer: &Observation<'_>) -> bool {
    matches!(answer.dialect, Dialect::LangChain | Dialect::AiSdkModel | Dialect::AiSdkUi)
        && answer.root.is_array()
        && answer.tools.is_empty()
}

/// The name of an expected tool in the answer.
fn name_in_answer<'n>(tool: &'n Tool<'_>, names: &'n HashMap<String, String>) -> &'n str {
    names.get(&*tool.name).map_or(&*tool.name, String::as_str)
}

/// The names of called tools.
fn calls<'o>(observation: &'o Observation<'_>) -> impl Iterator<Item = &'o str> {
    observation.items().filter_map(|item| Some(&*item.as_call()?.name))
}

fn compare_tool(tool: &Tool<'_>, other: &Tool<'_>, dialects: (Dialect, Dialect), comparison: &mut Comparison) {
    let is_own = dialects.0 == dialects.1;
    if is_own {
        cache_marks(tool, other, comparison);
    }
    let description = |tool: &Tool<'_>| tool.description.as_deref().unwrap_or_default().trim().to_owned();
    let is_other_type = if is_own {
        tool.provider_type != other.provider_type
    } else {
        tool.provider_type.is_some() != other.provider_type.is_some()
    };
    let detail = if is_other_type || other.is_custom && !tool.is_custom {
        format!("tool `{}` is of another type", tool.name)
    } else if description(tool) != description(other) {
        let (expected, got) = (quoted(&description(tool)), quoted(&description(other)));
        format!("tool `{}`: expected description {expected}, got {got}", tool.name)
    } else if let Some(mismatch) =
        schema_of(tool, other, dialects).or_else(|| if is_own { fields_of(tool, other, dialects.1) } else { None })
    {
        describe(&mismatch, tool, other)
    } else {
        if !is_own {
            comparison.uses(Equivalence::Definitions);
        } else if tool.is_custom != other.is_custom {
            comparison.uses(Equivalence::CustomTool);
        }
        return;
    };
    comparison.add(Reason::ToolChanged, Some(tool.place), Some(other.place), detail);
}

/// Compares the schemas of two definitions.
fn schema_of<'e, 'a>(tool: &Tool<'e>, other: &Tool<'a>, (from, to): (Dialect, Dialect)) -> Option<Mismatch<'e, 'a>> {
    match (tool.schema, other.schema) {
        // A function with its text as `input` stands for a custom tool.
        (None, schema) if tool.is_custom && !other.is_custom => {
            (!schema.is_some_and(takes_input)).then_some(Mismatch::of(None, schema.or(Some(other.fields))))
        }
        (Some(a), Some(b)) => schema_mismatch((a, from), (b, to)),
        (None, None) => None,
        (None, Some(schema)) => (!says_nothing(schema)).then_some(Mismatch::of(None, Some(schema))),
        (Some(schema), None) => (!says_nothing(schema)).then_some(Mismatch::of(Some(schema), None)),
    }
}

/// Compares the other fields of two definitions of one dialect.
fn fields_of<'e, 'a>(tool: &Tool<'e>, other: &Tool<'a>, dialect: Dialect) -> Option<Mismatch<'e, 'a>> {
    if tool.is_custom && !other.is_custom {
        // The grammar of a custom tool is lost in a function.
        let format =
            tool.fields.get("format").filter(|format| !format.get("type").is_some_and(|kind| kind.is_str("text")));
        return format.map(|format| Mismatch::of(Some(format), None));
    }
    let (left, right) = (own_fields(tool, dialect), own_fields(other, dialect));
    for (key, a) in &left {
        match right.get(key) {
            Some(b) if is_equal(*a, *b) => {}
            Some(b) => return exact_mismatch(*a, *b).or(Some(Mismatch::of(Some(*a), Some(*b)))),
            None => return Some(Mismatch::of(Some(*a), None)),
        }
    }
    right.iter().find(|(key, _)| !left.contains_key(*key)).map(|(_, b)| Mismatch::of(None, Some(*b)))
}

/// The fields of a definition that are neither its name, its description, its type nor its schema.
fn own_fields<'a>(tool: &Tool<'a>, dialect: Dialect) -> BTreeMap<String, Value<'a>> {
    let is_schema = |value: Value<'_>| {
        tool.schema.is_some_and(|schema| {
            let (inner, outer) = (schema.span(), value.span());
            outer.start <= inner.start && inner.end <= outer.end
        })
    };
    let is_own = |key: &str, value: Value<'_>| {
        let is_said = match key {
            "name" | "cache_control" => true,
            "description" => tool.provider_type.is_none() || tool.description.is_some(),
            "type" => tool.provider_type.is_none(),
            // The tools of a namespace are definitions of their own.
            "tools" => tool.provider_type.as_deref() == Some("namespace"),
            // It is what Chat Completions does without it. Source: `FunctionDefinition.strict` of `openai-python`.
            "strict" => dialect != Dialect::OpenAiResponses && value.as_bool() == Some(false),
            _ => false,
        };
        !is_said && !value.is_null() && !is_schema(value)
    };
    let fields = members(tool.fields).into_iter().filter(|(key, value)| is_own(key, *value));
    fields
        .map(|(key, value)| {
            (if dialect == Dialect::GeminiContents { camel_case(&key) } else { key.into_owned() }, value)
        })
        .collect()
}

/// A key in the spelling of JSON, for one in the spelling of protobuf.
fn camel_case(key: &str) -> String {
    let mut parts = key.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut key, part| {
        let mut chars = part.chars();
        key.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        key.push_str(chars.as_str());
        key
    })
}

/// Returns whether a schema is that of any object.
fn says_nothing(schema: Value<'_>) -> bool {
    schema.members().all(|(key, value)| {
        let is = |name: &str| key.is_str(name);
        is("type")
            || ["$schema", "title", "strict"].into_iter().any(is)
            || is("additionalProperties") && value.members().next().is_none()
            || value.members().next().is_none()
                && value.items().next().is_none()
                && ["properties", "required"].into_iter().any(is)
    })
}

/// Returns whether a schema is that of one text as `input`.
fn takes_input(schema: Value<'_>) -> bool {
    let Some(properties) = schema.get("properties") else { return false };
    let mut properties = properties.members();
    let is_input = |key: Value<'_>, value: Value<'_>| {
        let kind = value.get("type").and_then(Value::as_str);
        key.is_str("input") && kind.is_some_and(|kind| kind.eq_ignore_ascii_case("string"))
    };
    matches!((properties.next(), properties.next()), (Some((key, value)), None) if is_input(key, value))
}

/// Says where two definitions differ, and in which values.
fn describe(mismatch: &Mismatch<'_, '_>, tool: &Tool<'_>, other: &Tool<'_>) -> String {
    let within = |value: Value<'_>, place: Value<'_>| {
        let pointer = value.pointer();
        pointer.strip_prefix(&place.pointer()).map_or(pointer.clone(), str::to_owned)
    };
    let pointer = match (mismatch.expected, mismatch.answer) {
        (Some(value), _) => within(value, tool.place),
        (None, Some(value)) => within(value, other.place),
        (None, None) => String::new(),
    };
    let place = if pointer.is_empty() { "the definition".to_owned() } else { format!("`{pointer}`") };
    let values = match (mismatch.expected, mismatch.answer) {
        (Some(expected), Some(answer)) => {
            format!("expected {}, got {}", short(expected), short(answer))
        }
        (Some(expected), None) => format!("{} is missing", short(expected)),
        (None, Some(answer)) => format!("{} is not expected", short(answer)),
        (None, None) => "is another one".to_owned(),
    };
    format!("tool `{}`, {place}: {values}", tool.name)
}

/// Compares the cache marks of two definitions of one dialect.
fn cache_marks(tool: &Tool<'_>, other: &Tool<'_>, comparison: &mut Comparison) {
    let mark = |tool: &Tool<'_>| {
        tool.place.get("cache_control").filter(|mark| !mark.is_null()).map(|mark| mark.raw().to_owned())
    };
    let (Some(mark), other_mark) = (mark(tool), mark(other)) else { return };
    if other_mark.as_ref().is_some_and(|other| is_equal_text(&mark, other)) {
        return;
    }
    let reason = if other_mark.is_some() { Reason::AttributeChanged } else { Reason::AttributeMissing };
    let detail = format!("tool `{}`: cache mark {}", tool.name, quoted(&mark));
    comparison.add(reason, Some(tool.place), Some(other.place), detail);
}
