//! The tools that a request body offers to the model.

use std::borrow::Cow;

use crate::dialects::Described as _;
use crate::read::container::follow;
use crate::read::reader::Reader;
use wirecanon_json::{Json, Limits, PointerCursor, Value, spliced};
use wirecanon_model::transcript::Tool;
use wirecanon_model::{Dialect, rule};

/// What a tool of OpenAI's that takes words instead of arguments is as a function: so its calls are written.
const CUSTOM: &str = r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}"#;

/// How a tool is defined, apart from what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolShape {
    /// Inside `function`, or inside `custom`
    Nested,
    /// A name beside `input_schema`
    InputSchema,
    /// A list under `functionDeclarations`
    Declarations,
    /// Inside `toolSpec`
    ToolSpec,
    /// A type, a name and `parameters`
    Typed,
    /// A name and `parameters`
    Flat,
    /// A name beside `inputSchema`
    CamelCase,
    /// Run by the provider, or known to it by its type: no definition can say it elsewhere
    ProviderRun,
    Unknown,
}

/// Returns the shape of an item of a list of tools.
pub(crate) fn shape(item: Value<'_>) -> ToolShape {
    /// Tools of Gemini, each the only key of its item, and what Bedrock has among its tools.
    const KEYED: [&str; 16] = [
        "googleSearch",
        "google_search",
        "googleSearchRetrieval",
        "google_search_retrieval",
        "codeExecution",
        "code_execution",
        "urlContext",
        "url_context",
        "googleMaps",
        "google_maps",
        "fileSearch",
        "file_search",
        "computerUse",
        "computer_use",
        "enterpriseWebSearch",
        "retrieval",
    ];
    let object = |key: &str| item.get(key).is_some_and(Value::is_object);
    let has = |key: &str| item.get(key).is_some_and(|value| !value.is_null());
    let kind = item.get("type").and_then(Value::as_str);
    let named = item.get("name").is_some_and(Value::is_string);
    match kind.as_deref() {
        _ if !item.is_object() => ToolShape::Unknown,
        _ if DECLARATIONS.iter().any(|key| item.get(key).is_some_and(is_list)) => ToolShape::Declarations,
        _ if object("toolSpec") => ToolShape::ToolSpec,
        _ if object("function") || object("custom") && kind.as_deref() == Some("custom") => ToolShape::Nested,
        _ if named && object("input_schema") && matches!(kind.as_deref(), None | Some("custom" | "function")) => {
            ToolShape::InputSchema
        }
        None | Some("function" | "custom") if named && has("inputSchema") => ToolShape::CamelCase,
        Some("function" | "custom") if named => ToolShape::Typed,
        Some("function" | "custom") => ToolShape::Unknown,
        Some(_) => ToolShape::ProviderRun,
        None if named => ToolShape::Flat,
        None if ["systemTool", "cachePoint"].iter().chain(&KEYED).any(|key| object(key)) => ToolShape::ProviderRun,
        None => ToolShape::Unknown,
    }
}

/// Members of an item under which the definition of a function stands.
const HOLDERS: [&str; 3] = ["function", "custom", "toolSpec"];

/// Returns true for an item that defines no function and can be no tool of a server, at home either: those that are no function have a
/// type, or settings under their name.
pub(crate) fn is_nothing(item: Value<'_>) -> bool {
    let is_setting = |(key, value): (Value<'_>, Value<'_>)| {
        let of_function = ["name", "parameters", "input_schema", "inputSchema", "cache_control"];
        (value.is_object() || value.is_array()) && !HOLDERS.iter().chain(&of_function).any(|known| key.is_str(known))
    };
    let is_named = |holder: Value<'_>| holder.get("name").is_some_and(Value::is_string);
    match shape(item) {
        ToolShape::Unknown => !is_named(item) && !item.members().any(is_setting),
        ToolShape::Nested | ToolShape::ToolSpec => {
            let mut holders = HOLDERS.iter().filter_map(|key| item.get(key));
            !is_named(item) && !holders.any(is_named)
        }
        _ => false,
    }
}

/// Returns true for a list of tools, or one tool in its place.
pub(crate) fn is_list(tools: Value<'_>) -> bool {
    tools.is_array() || tools.is_object()
}

/// Returns the items of a list of tools. An object is the one item of a list, as Gemini's API takes it.
pub(crate) fn items(tools: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let alone = tools.members().next().is_some().then_some(tools);
    let listed = tools.is_array().then(|| tools.items());
    alone.into_iter().chain(listed.into_iter().flatten())
}

/// Keys of a list of declarations.
const DECLARATIONS: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// Reads the definitions of functions that the client runs, in whatever dialect they are spelled. A tool that a server runs
/// itself, or knows by its type alone, stays with its dialect.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, tools: Option<Value<'a>>, body: Option<Value<'a>>) -> Vec<Tool<'a>> {
    let dialect = cx.dialect;
    let mut read = Vec::new();
    for item in tools.into_iter().flat_map(items) {
        let before = read.len();
        read.extend(of_item(item, dialect));
        let foreign: Vec<_> =
            read[before..].iter().filter(|tool| tool.foreign).map(|tool| format!("tool `{}`", tool.name)).collect();
        if !foreign.is_empty() {
            let message = format!(
                "the definition of {} has the shape of another dialect; rewritten as {} has it",
                foreign.join(", "),
                dialect.name()
            );
            cx.mend(&rule::FIELD_ALIAS, item, None, message);
        }
    }
    let misplaced = body.into_iter().flat_map(|body| misplaced(body, dialect)).flat_map(items);
    let misplaced = misplaced.flat_map(|item| of_item(item, dialect));
    read.extend(misplaced.map(|tool| Tool { foreign: false, ..tool }));
    read
}

/// Returns the lists of tools in a request body that stand where another dialect has them.
pub(crate) fn misplaced(body: Value<'_>, dialect: Dialect) -> impl Iterator<Item = Value<'_>> {
    let own = dialect.spec().tools.list;
    let ways: [&[&str]; 3] = [&["tools"], &["toolConfig", "tools"], LEGACY];
    ways.into_iter()
        .filter(move |way| *way != own)
        .filter_map(move |way| follow(body, way))
        .filter(|list| list.is_array())
}

/// The older place of functions in Chat Completions.
pub(crate) const LEGACY: &[&str] = &["functions"];

/// Returns the definitions of functions in an item of a list of tools, each marked if another dialect spells it so.
pub(crate) fn of_item(item: Value<'_>, dialect: Dialect) -> Vec<Tool<'_>> {
    let mut read = Vec::new();
    let foreign = dialect.is_of_provider();
    let spec = &dialect.spec().tools;
    let is_wrapped = spec.inner.is_none() || inner(item, dialect).is_some();
    for value in definitions(item, dialect) {
        let own = if is_wrapped { function(value, dialect) } else { None };
        read.extend(own.or_else(|| {
            let other = match shape(value) {
                ToolShape::Nested => Dialect::OpenAiChat,
                ToolShape::InputSchema => Dialect::AnthropicMessages,
                ToolShape::ToolSpec => Dialect::BedrockConverse,
                ToolShape::Typed => Dialect::OpenAiResponses,
                ToolShape::Flat => Dialect::Canonical,
                ToolShape::CamelCase => Dialect::McpSampling,
                ToolShape::Declarations | ToolShape::ProviderRun | ToolShape::Unknown => return None,
            };
            function(value, other).map(|tool| Tool { foreign, ..tool })
        }));
    }
    if spec.inner.is_none() && shape(item) == ToolShape::Declarations {
        let list = DECLARATIONS.iter().find_map(|key| item.get(key)).into_iter().flat_map(items);
        let declared = list.filter_map(|value| function(value, Dialect::GeminiContents));
        read.extend(declared.map(|tool| Tool { foreign, ..tool }));
    }
    read
}

/// The items that hold one definition each.
fn definitions(item: Value<'_>, dialect: Dialect) -> impl Iterator<Item = Value<'_>> {
    let held = if dialect.spec().tools.inner.is_some() { inner(item, dialect) } else { None };
    let alone = held.is_none().then_some(item);
    alone.into_iter().chain(held.into_iter().flat_map(items))
}

/// The items of a list of tools from which no function of the client's can be read, and whether each stands in a list of
/// declarations.
pub(crate) fn others(body: Value<'_>, dialect: Dialect) -> impl Iterator<Item = (Value<'_>, bool)> {
    let list = list_of(body, dialect).filter(|tools| is_list(*tools));
    list.into_iter().flat_map(items).flat_map(move |item| {
        let held = definitions(item, dialect).filter(move |value| is_unknown(*value, dialect));
        held.map(|value| (value, value.index() != item.index())).collect::<Vec<_>>()
    })
}

/// Returns true if an item that cannot be read has the shape of another dialect than this one.
pub(crate) fn is_of_other(item: Value<'_>, is_declared: bool, dialect: Dialect) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| item.get(key).is_some_and(Value::is_object));
    let own: &[ToolShape] = match dialect {
        _ if is_declared => return has(&["input_schema", "inputSchema", "function", "toolSpec"]),
        _ if !dialect.is_of_provider() => return false,
        Dialect::AnthropicMessages | Dialect::OpenAiResponses => {
            &[ToolShape::InputSchema, ToolShape::CamelCase, ToolShape::Typed, ToolShape::Flat]
        }
        Dialect::BedrockConverse => &[ToolShape::ToolSpec],
        Dialect::GeminiContents => &[ToolShape::Declarations],
        _ => &[ToolShape::Nested],
    };
    let shape = shape(item);
    !own.contains(&shape) && !matches!(shape, ToolShape::ProviderRun | ToolShape::Unknown)
}

/// Returns the value in an item of a list of tools that holds the name of the function.
pub(crate) fn holder(item: Value<'_>) -> Value<'_> {
    HOLDERS.iter().find_map(|key| item.get(key).filter(|holder| holder.is_object())).unwrap_or(item)
}

/// Returns the name of an item of a list of tools, or where it stands if it has none.
pub(crate) fn name_of(item: Value<'_>, cursor: &mut PointerCursor) -> String {
    let holders = HOLDERS.into_iter().filter_map(|key| item.get(key));
    let named = std::iter::once(item).chain(holders).find_map(|holder| holder.get("name")?.as_str());
    let kind = || item.get("type").and_then(Value::as_str);
    let key = || item.members().next().and_then(|(key, _)| key.as_str());
    named.or_else(kind).or_else(key).map_or_else(|| cursor.pointer(item), Cow::into_owned)
}

/// Returns the list of tools of a request body.
pub(crate) fn list_of(body: Value<'_>, dialect: Dialect) -> Option<Value<'_>> {
    follow(body, dialect.spec().tools.list)
}

/// A value in a list of tools that must be rewritten at home.
pub(crate) struct ForeignItem<'a> {
    pub(crate) value: Value<'a>,
    /// The tools that were read from it, by their number
    pub(crate) tools: Vec<usize>,
    /// It is an item of the list itself, where the dialect has its definitions in lists within the items
    pub(crate) is_outside: bool,
}

/// Returns the values in a list of tools whose definitions have the shape of another dialect.
pub(crate) fn foreign_items<'a>(list: Option<Value<'a>>, tools: &[Tool<'_>], dialect: Dialect) -> Vec<ForeignItem<'a>> {
    let mut found = Vec::new();
    let Some(list) = list.filter(|_| tools.iter().any(|tool| tool.foreign)) else { return found };
    // Where each foreign tool begins, in the order of the text.
    let mut foreign: Vec<(usize, usize)> = tools
        .iter()
        .enumerate()
        .filter(|(_, tool)| tool.foreign)
        .map(|(at, tool)| (list.json().value(tool.source).span().start, at))
        .collect();
    foreign.sort_unstable();
    for item in items(list) {
        for value in definitions(item, dialect) {
            let place = |text: usize| foreign.partition_point(|(start, _)| *start < text);
            let (first, end) = (place(value.span().start), place(value.span().end));
            let mut tools: Vec<usize> = foreign[first..end].iter().map(|(_, at)| *at).collect();
            tools.sort_unstable();
            if !tools.is_empty() {
                let is_outside = dialect.spec().tools.inner.is_some() && value.index() == item.index();
                found.push(ForeignItem { value, tools, is_outside });
            }
        }
    }
    found
}

/// The tools of a space of names, as Codex offers those of a server of MCP: the name of the space, and its functions
/// (openai/codex#23186).
pub(crate) fn of_namespace(item: Value<'_>) -> Option<(Cow<'_, str>, Vec<Tool<'_>>)> {
    let list = item.get("tools").filter(|_| item.get("type").is_some_and(|kind| kind.is_str("namespace")))?;
    let space = item.get("name")?.as_str()?;
    Some((space, list.items().filter_map(|item| function(item, Dialect::OpenAiResponses)).collect()))
}

/// The definitions in a request body that no other dialect can say: those that cannot be read, wherever they stand.
pub(crate) fn unreadable(body: Value<'_>, dialect: Dialect) -> Vec<Value<'_>> {
    let own = list_of(body, dialect).filter(|tools| !tools.is_null());
    let no_list = own.filter(|tools| !is_list(*tools) && !tools.is_str(""));
    let of_items = body.get("input").into_iter().flat_map(Value::items).filter(|item| {
        dialect == Dialect::OpenAiResponses && item.get("type").is_some_and(|kind| kind.is_str("additional_tools"))
    });
    let elsewhere = misplaced(body, dialect).chain(of_items.filter_map(|item| item.get("tools"))).flat_map(items);
    let own = others(body, dialect).map(|(item, _)| item);
    let mut found: Vec<_> = no_list.into_iter().collect();
    for item in own.chain(elsewhere) {
        let is_space = item.get("type").is_some_and(|kind| kind.is_str("namespace"));
        match item.get("tools").filter(|_| is_space) {
            Some(tools) => found.extend(items(tools).filter(|tool| is_unreadable(*tool, dialect))),
            None => found.extend(is_unreadable(item, dialect).then_some(item)),
        }
    }
    found
}

fn is_unreadable(item: Value<'_>, dialect: Dialect) -> bool {
    shape(item) != ToolShape::ProviderRun && is_unknown(item, dialect)
}

/// Returns true if no definition can be read of an item.
fn is_unknown(item: Value<'_>, dialect: Dialect) -> bool {
    function(item, dialect).is_none() && of_item(item, dialect).is_empty()
}

/// Keys of the schema of what a tool answers.
const SCHEMAS_OF_ANSWERS: [&str; 5] =
    ["response", "responseJsonSchema", "response_json_schema", "outputSchema", "output_schema"];

/// Returns true if a member holds a schema of arguments.
fn is_schema((key, value): (Value<'_>, Value<'_>)) -> bool {
    value.get("properties").is_some_and(Value::is_object)
        && value.get("type").is_none_or(|kind| kind.is_str("object"))
        && !SCHEMAS_OF_ANSWERS.iter().any(|known| key.is_str(known))
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
    let stated = |way: &[&str]| follow(holder, way).filter(|schema| !schema.is_null());
    let foreign = || FOREIGN_SCHEMAS.into_iter().filter(|way| !form.schema.starts_with(way)).filter_map(stated);
    let parameters = match stated(form.schema).or_else(|| form.schema_also.iter().find_map(|also| stated(&[also]))) {
        // What stands in the place of a schema and is none cannot be said elsewhere.
        Some(schema) if !schema.is_object() => return None,
        Some(schema) if dialect == Dialect::GeminiContents => Some(json_schema(schema)),
        Some(schema) => Some(Cow::Borrowed(schema.raw())),
        // The schema stands under the name that another dialect has for it.
        None if foreign().next().is_some() || holder.members().any(is_schema) => return None,
        None if form.holder.is_none() && item.get("function").is_some_and(Value::is_object) => return None,
        None if is("custom") && dialect != Dialect::AnthropicMessages => Some(Cow::Borrowed(CUSTOM)),
        None => None,
    };
    Some(Tool {
        name: holder.get("name").and_then(Value::as_str)?,
        description: holder.get("description").and_then(Value::as_str),
        parameters,
        source: holder.index(),
        renamed: false,
        foreign: false,
    })
}

/// The ways to the schema of a tool in all dialects whose definitions are flat.
const FOREIGN_SCHEMAS: [&[&str]; 3] = [&["input_schema"], &["parameters"], &["inputSchema"]];

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
