//! Tool definitions of a request body: each has the shape that the API of its provider knows.

use std::collections::HashSet;

use crate::call::judge_name;
use crate::judge::Judge;
use wirecanon_json::Value;
use wirecanon_model::{Dialect, rule};

/// Judges the tool definitions of a request body.
pub(super) fn judge(judge: &mut Judge<'_>, body: Value<'_>, dialect: Dialect) {
    if !body.is_object() {
        return;
    }
    let list = match dialect {
        Dialect::BedrockConverse => body.get("toolConfig").and_then(|config| config.get("tools")),
        _ if dialect.is_of_provider() => body.get("tools"),
        _ => None,
    };
    let mut names = HashSet::new();
    for item in list.filter(|list| list.is_array()).into_iter().flat_map(Value::items) {
        if judge.target.names.unique
            && let Some(name) = item.get("name").or_else(|| item.get("function")?.get("name")).and_then(Value::as_str)
            && !names.insert(name.clone())
        {
            judge.say(&rule::DUPLICATE_TOOL_NAME, item, format!("another tool is called `{name}`"));
        }
        let declared = DECLARATIONS.iter().find_map(|key| item.get(key)).filter(|_| dialect == Dialect::GeminiContents);
        if is_no_definition(item) {
            judge.say(&rule::TOOL_DEFINITION_MALFORMED, item, "it names neither a function nor a tool of the server");
            continue;
        }
        match declared {
            Some(list) => list.items().filter(|item| is_misshapen(*item)).for_each(|item| report(judge, item, dialect)),
            None if is_foreign(item, dialect) => report(judge, item, dialect),
            None => {}
        }
        if dialect == Dialect::OpenAiChat && is_builtin(item) && !judge.target.content.builtin_calls {
            judge.say(&rule::FIELD_ALIAS, item, "the tool is a built-in function of another server");
        }
        for function in functions(item, dialect) {
            name(judge, function);
        }
    }
    misplaced(judge, body, dialect);
    let items = body.get("input").filter(|_| dialect == Dialect::OpenAiResponses).into_iter().flat_map(Value::items);
    let defining = items.filter(|item| item.get("type").is_some_and(|kind| kind.is_str("additional_tools")));
    for tool in defining.filter_map(|item| item.get("tools")).flat_map(Value::items) {
        if is_function(tool) {
            name(judge, tool);
        }
    }
}

/// Definitions in the place that another provider has for them: servers refuse a member that they do not know.
fn misplaced(judge: &mut Judge<'_>, body: Value<'_>, dialect: Dialect) {
    let elsewhere = match dialect {
        Dialect::BedrockConverse => body.get("tools"),
        _ if dialect.is_of_provider() => body.get("toolConfig").and_then(|config| config.get("tools")),
        _ => None,
    };
    if let Some(list) = elsewhere.filter(|list| list.items().next().is_some()) {
        let words = format!("tools stand where another dialect than {} has them", dialect.name());
        judge.say(&rule::FIELD_ALIAS, list, words);
    }
}

/// The name of a function. Servers that say which letters a name may have refuse an empty one.
fn name(judge: &mut Judge<'_>, function: Value<'_>) {
    judge_name(judge, function, "name", false);
    let limited = judge.target.names.also.is_some();
    if let Some(name) = function.get("name").filter(|name| limited && name.is_str("")) {
        judge.say(&rule::TOOL_NAME_CHARACTERS, name, "the name of the tool is empty");
    }
}

/// The definitions of functions of the client's in an item of a list of tools, as the dialect has them.
fn functions(item: Value<'_>, dialect: Dialect) -> Vec<Value<'_>> {
    match dialect {
        Dialect::BedrockConverse => item.get("toolSpec").into_iter().collect(),
        Dialect::GeminiContents => {
            DECLARATIONS.iter().find_map(|key| item.get(key)).into_iter().flat_map(Value::items).collect()
        }
        Dialect::AnthropicMessages | Dialect::OpenAiResponses => {
            let is_own = item.get("type").is_none_or(Value::is_null) || is_function(item);
            is_own.then_some(item).into_iter().collect()
        }
        _ if is_builtin(item) => Vec::new(),
        _ => ["function", "custom"].iter().filter_map(|key| item.get(key)).collect(),
    }
}

/// Returns true for a function that the server of Kimi runs. Source: its documentation of `$web_search`.
fn is_builtin(item: Value<'_>) -> bool {
    item.get("type").is_some_and(|kind| kind.is_str("builtin_function"))
}

fn is_function(tool: Value<'_>) -> bool {
    tool.get("type").is_some_and(|kind| kind.is_str("function") || kind.is_str("custom"))
}

/// Keys of a list of declarations, which only Gemini has.
const DECLARATIONS: [&str; 2] = ["functionDeclarations", "function_declarations"];

fn report(judge: &mut Judge<'_>, item: Value<'_>, dialect: Dialect) {
    let message = format!("the tool definition has the shape of another dialect than {}", dialect.name());
    judge.say(&rule::FIELD_ALIAS, item, message);
}

/// Returns true if this is a definition of a function as another provider has it.
fn is_foreign(item: Value<'_>, dialect: Dialect) -> bool {
    let has = |key: &str| item.get(key).is_some_and(Value::is_object);
    let named = |holder: Option<Value<'_>>| holder.and_then(|holder| holder.get("name")).is_some_and(Value::is_string);
    let kind = item.get("type").filter(|kind| !kind.is_null());
    let is_function = kind.is_none_or(|kind| kind.is_str("function") || kind.is_str("custom"));
    let declares = DECLARATIONS
        .iter()
        .any(|key| item.get(key).is_some_and(|list| list.items().any(|declared| named(Some(declared)))));
    let flat = is_function && named(Some(item));
    let nested = ["function", "custom"].iter().any(|key| named(item.get(key)));
    match dialect {
        Dialect::BedrockConverse => !has("toolSpec") && (declares || flat || nested),
        Dialect::GeminiContents => flat || nested || named(item.get("toolSpec")),
        Dialect::AnthropicMessages | Dialect::OpenAiResponses => {
            let own = if dialect == Dialect::AnthropicMessages { "input_schema" } else { "parameters" };
            let schema = || SCHEMAS.iter().any(|key| *key != own && has(key)) || has("function");
            let is_other = !flat && (nested || named(item.get("toolSpec")) || declares);
            is_other || flat && !has(own) && schema()
        }
        _ if has("function") || has("custom") && nested => false,
        _ => declares || flat || named(item.get("toolSpec")),
    }
}

/// Returns true for what no server reads as a tool.
fn is_no_definition(item: Value<'_>) -> bool {
    const HOLDERS: [&str; 3] = ["function", "custom", "toolSpec"];
    let kind = item.get("type").and_then(Value::as_str);
    let is_of_server = kind.is_some_and(|kind| !matches!(&*kind, "function" | "custom"));
    let holders = std::iter::once(item).chain(HOLDERS.iter().filter_map(|key| item.get(key)));
    let is_named = holders.into_iter().any(|holder| holder.get("name").is_some_and(Value::is_string));
    // A tool of the server may be the key of its settings.
    let is_keyed = |(key, value): (Value<'_>, Value<'_>)| {
        let of_function = HOLDERS.iter().chain(&SCHEMAS).chain(&["name", "cache_control"]);
        (value.is_object() || value.is_array()) && !of_function.into_iter().any(|known| key.is_str(known))
    };
    !(is_of_server || is_named || item.members().any(is_keyed))
}

/// Names of the schema of a function in the dialects that have it beside the name.
const SCHEMAS: [&str; 3] = ["input_schema", "parameters", "inputSchema"];

/// Returns true if this is no declaration of Gemini's, but one of another provider.
fn is_misshapen(item: Value<'_>) -> bool {
    let has = |key: &str| item.get(key).is_some_and(Value::is_object);
    let own = ["parameters", "parametersJsonSchema", "parameters_json_schema"];
    let other = ["input_schema", "inputSchema", "function", "toolSpec"];
    !own.iter().any(|key| has(key)) && other.iter().any(|key| has(key))
}
