//! The tools that a request body offers to the model.

use super::Described as _;
use std::borrow::Cow;

use super::Dialect;
use super::container::follow;
use super::reader::Reader;
use crate::json::{Json, Limits, Value, spliced};
use crate::transcript::Tool;

/// What a tool of OpenAI's that takes words instead of arguments is as a function: so its calls are written.
const CUSTOM: &str = r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}"#;

/// Reads the definitions of functions that the client runs. What a server runs itself, or knows by its type alone, stays with
/// its dialect.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, tools: Option<Value<'a>>) -> Vec<Tool<'a>> {
    let dialect = cx.dialect;
    items(tools, dialect).filter_map(|item| function(item, dialect)).collect()
}

/// The definitions that are no functions of the client's.
pub(crate) fn others(body: Value<'_>, dialect: Dialect) -> impl Iterator<Item = Value<'_>> {
    let form = &dialect.spec().tools;
    let list = follow(body, form.list).filter(|tools| tools.is_array());
    let whole = list.into_iter().flat_map(Value::items);
    // An item that holds no definitions of functions is something else.
    let whole = whole.filter(move |item| form.inner.is_some() && inner(*item, dialect).is_none());
    whole.chain(items(list, dialect).filter(move |item| function(*item, dialect).is_none()))
}

/// The tools of a space of names, as Codex offers those of a server of MCP: the name of the space, and its functions
/// (openai/codex#23186).
pub(crate) fn of_namespace(item: Value<'_>) -> Option<(Cow<'_, str>, Vec<Tool<'_>>)> {
    let list = item.get("tools").filter(|_| item.get("type").is_some_and(|kind| kind.is_str("namespace")))?;
    let space = item.get("name")?.as_str()?;
    Some((space, list.items().filter_map(|item| function(item, Dialect::OpenAiResponses)).collect()))
}

fn items(tools: Option<Value<'_>>, dialect: Dialect) -> impl Iterator<Item = Value<'_>> {
    let lists = dialect.spec().tools.inner.is_some();
    tools.into_iter().flat_map(Value::items).flat_map(move |item| {
        let alone = if lists { None } else { Some(item) };
        let held = if lists { inner(item, dialect) } else { None };
        alone.into_iter().chain(held.into_iter().flat_map(Value::items))
    })
}

fn inner(item: Value<'_>, dialect: Dialect) -> Option<Value<'_>> {
    let form = &dialect.spec().tools;
    item.get(form.inner?).or_else(|| item.get(form.inner_also?))
}

fn function(item: Value<'_>, dialect: Dialect) -> Option<Tool<'_>> {
    let form = &dialect.spec().tools;
    let is = |kind: &str| item.get("type").is_some_and(|known| known.is_str(kind));
    let holder = match form.holder {
        Some(key) => {
            item.get(key).or_else(|| item.get("custom").filter(|_| is("custom"))).filter(|it| it.is_object())?
        }
        // A type of its own is that of a tool which the server knows.
        None if item.get("type").is_none_or(Value::is_null) || is("function") || is("custom") => item,
        None => return None,
    };
    let schema = |way: &[&str]| follow(holder, way).filter(|schema| schema.is_object());
    let parameters = match schema(form.schema) {
        Some(schema) if dialect == Dialect::GeminiContents => Some(json_schema(schema)),
        Some(schema) => Some(Cow::Borrowed(schema.raw())),
        None => match form.schema_also.iter().find_map(|also| schema(&[also])) {
            Some(schema) => Some(Cow::Borrowed(schema.raw())),
            None if is("custom") && dialect != Dialect::AnthropicMessages => Some(Cow::Borrowed(CUSTOM)),
            None => None,
        },
    };
    Some(Tool {
        name: holder.get("name").and_then(Value::as_str)?,
        description: holder.get("description").and_then(Value::as_str),
        parameters,
        source: holder.index(),
        renamed: false,
    })
}

/// A schema as Gemini has it in the words of JSON Schema: types in small letters, and numbers that are numbers.
fn json_schema(schema: Value<'_>) -> Cow<'_, str> {
    const TYPES: [&str; 7] = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"];
    const COUNTS: [&str; 6] = ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];
    let raw = schema.raw();
    let Ok(json) = Json::parse(raw, &Limits { max_depth: usize::MAX }) else { return Cow::Borrowed(raw) };
    let mut edits = Vec::new();
    for index in 0..json.len() as u32 {
        let value = json.value(index);
        if !value.is_object() {
            continue;
        }
        if let Some(kind) = value.get("type").filter(|kind| TYPES.iter().any(|known| kind.is_str(known))) {
            edits.push((kind.span(), kind.raw().to_ascii_lowercase()));
        }
        for count in COUNTS.iter().filter_map(|key| value.get(key)) {
            let number =
                count.as_str().filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
            if let Some(number) = number {
                let number = number.trim_start_matches('0');
                edits.push((count.span(), if number.is_empty() { "0" } else { number }.to_owned()));
            }
        }
    }
    if edits.is_empty() {
        return Cow::Borrowed(raw);
    }
    Cow::Owned(spliced(raw, edits))
}

/// Whether Gemini's own form of a schema has all that this one says. Source: `Schema` of the Gemini API reference; of anything
/// else it says "Unknown name … Cannot find field" (router-for-me/CLIProxyAPI#97).
pub(crate) fn fits_gemini(schema: Value<'_>) -> bool {
    const PLAIN: [&str; 16] = [
        "title",
        "description",
        "nullable",
        "maxItems",
        "minItems",
        "required",
        "minProperties",
        "maxProperties",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "pattern",
        "example",
        "default",
        "propertyOrdering",
    ];
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        if !schema.is_object() {
            return false;
        }
        for (key, value) in schema.members() {
            let is = |name: &str| key.is_str(name);
            if is("properties") && value.is_object() {
                open.extend(value.members().map(|(_, value)| value));
            } else if is("items") {
                open.push(value);
            } else if is("anyOf") && value.is_array() {
                open.extend(value.items());
            } else if !(PLAIN.iter().any(|plain| is(plain))
                || is("type") && value.is_string()
                || is("enum") && value.items().next().is_some() && value.items().all(Value::is_string)
                || is("format")
                    && ["enum", "date-time", "int32", "int64", "float", "double"].iter().any(|f| value.is_str(f)))
            {
                return false;
            }
        }
    }
    true
}
