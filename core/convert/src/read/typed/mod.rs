//! Members that may be left out, and that are of one type where they stand.
//!
//! A server, or the model of a program, refuses the whole text for one of these. Nothing else depends on them, so they are
//! taken off before a message is read, and no reader and no writer has to know of it.

mod providers;

use crate::dialects::lossless_claw::read as lossless_claw;
use crate::read::container::layout;
use crate::read::fields::CALL_TYPES;
use crate::read::way::{for_each_at, may_lead};
use wirecanon_json::{Json, Kind, Name, PointerCursor, Value, without_members};
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::target::Target;
use wirecanon_model::{Dialect, rule};

/// Whether a value is what a member may be.
type Is = fn(Value<'_>) -> bool;

/// Members of one kind of object.
struct Members {
    /// From a message to the object
    way: &'static [&'static str],
    /// Which of the objects there, by their types; all if there are none
    types: &'static [&'static str],
    /// Which of them
    of: fn(Value<'_>) -> bool,
    /// The revisions that know these members
    known: fn(&Target) -> bool,
    /// Each member, and what it may be
    each: &'static [(&'static str, Is)],
    /// Whether the object has no other members
    closed: bool,
}

impl Members {
    /// Members of every object there, in every revision.
    const fn new(way: &'static [&'static str], each: &'static [(&'static str, Is)]) -> Self {
        Self { way, each, ..ALL }
    }

    /// Members of some of the objects there.
    const fn of(way: &'static [&'static str], of: fn(Value<'_>) -> bool, each: &'static [(&'static str, Is)]) -> Self {
        Self { way, of, each, ..ALL }
    }

    /// Members of objects of these types.
    const fn typed(
        way: &'static [&'static str],
        types: &'static [&'static str],
        each: &'static [(&'static str, Is)],
    ) -> Self {
        Self { way, types, each, ..ALL }
    }

    /// Whether an object is one of those.
    fn are_of(&self, object: Value<'_>) -> bool {
        (self.types.is_empty() || self.types.iter().any(|name| has_type(object, name))) && (self.of)(object)
    }

    /// Whether a text has the names at all that lead to such a member.
    fn may_stand_in(&self, json: &Json<'_>) -> bool {
        may_lead(json, self.way) && (self.closed || self.each.iter().any(|(name, _)| json.may_hold(name)))
    }
}

const ALL: Members = Members { way: &[], types: &[], of: |_| true, known: |_| true, each: &[], closed: false };

const STRING: Is = is_string;
const BOOL: Is = |value| value.as_bool().is_some();
const OBJECT: Is = is_object;
const STRING_OR_NULL: Is = |value| value.is_string() || value.is_null();
const OBJECT_OR_NULL: Is = |value| value.is_null() || is_object(value);
const LIST_OR_NULL: Is = |value| value.is_null() || value.is_array();
const INTEGER_OR_NULL: Is = |value| value.is_null() || is_integer(value);
/// The digits of a number are taken for an id.
const ID_OR_NULL: Is = |value| STRING_OR_NULL(value) || value.as_f64().is_some();

fn is_string(value: Value<'_>) -> bool {
    value.is_string()
}

fn is_object(value: Value<'_>) -> bool {
    value.is_object()
}

/// Whether it is one of these strings.
fn is_one_of(value: Value<'_>, known: &[&str]) -> bool {
    known.iter().any(|known| value.is_str(known))
}

/// Fields of providers: an object of fields for each.
pub(crate) fn is_object_of_objects(value: Value<'_>) -> bool {
    value.is_object() && value.members().all(|(_, fields)| fields.is_object())
}

/// Whether it is a whole number, however it is written.
pub(crate) fn is_integer(value: Value<'_>) -> bool {
    value.as_f64().is_some_and(|number| number.trunc().total_cmp(&number).is_eq())
}

fn holds(value: Value<'_>, name: &str) -> bool {
    value.get(name).is_some_and(|held| !held.is_null())
}

fn has_type(value: Value<'_>, name: &str) -> bool {
    value.get("type").is_some_and(|kind| kind.is_str(name))
}

/// What is written as a text, however it is spelled here.
fn is_text(block: Value<'_>) -> bool {
    ["text", "input_text", "output_text"].iter().any(|name| has_type(block, name))
}

/// What is written as reasoning.
fn is_thinking(block: Value<'_>) -> bool {
    ["thinking", "reasoning", "redacted_thinking"].iter().any(|name| has_type(block, name))
}

/// What is written as a call.
fn is_call(block: Value<'_>) -> bool {
    CALL_TYPES.iter().any(|name| has_type(block, name))
}

fn is_result(message: Value<'_>) -> bool {
    message.get("role").is_some_and(|role| role.is_str("tool"))
}

/// The members of a dialect that are looked at.
fn table(dialect: Dialect) -> &'static [&'static [Members]] {
    match dialect {
        Dialect::Canonical => &[CANONICAL],
        Dialect::OpenClaw => &[OPEN_CLAW],
        Dialect::AnthropicMessages => &[providers::ANTHROPIC, providers::ANTHROPIC_RESULTS],
        Dialect::OpenAiChat => &[providers::OPENAI_CHAT],
        Dialect::OpenAiResponses => &[providers::OPENAI_RESPONSES],
        Dialect::GeminiContents => &[providers::GEMINI],
        Dialect::MistralChat => &[providers::MISTRAL],
        Dialect::LangChain => &[LANGCHAIN],
        Dialect::AiSdkModel => &[AI_SDK_MODEL],
        Dialect::AiSdkUi => &[AI_SDK_UI],
        Dialect::OllamaChat => &[OLLAMA],
        Dialect::LosslessClaw => &[LOSSLESS_CLAW],
        Dialect::OpenViking => &[OPEN_VIKING],
        Dialect::McpToolResult => &[MCP_RESULT, MCP_BLOCKS],
        Dialect::McpPrompt => &[MCP_BLOCKS],
        Dialect::McpSampling => &[MCP_SAMPLING, MCP_BLOCKS, MCP_RESULT_BLOCKS],
        _ => &[],
    }
}

const CANONICAL: &[Members] = &[
    Members::of(&["content", "*"], is_thinking, &[("signature", STRING), ("redacted", BOOL), ("origin", STRING)]),
    Members::typed(&["content", "*"], &["file"], &[("name", STRING)]),
];

const OPEN_CLAW: &[Members] = &[
    Members::of(&["content", "*"], is_text, &[("textSignature", STRING_OR_NULL)]),
    Members::of(&["content", "*"], is_thinking, &[("thinkingSignature", STRING_OR_NULL), ("redacted", BOOL)]),
    Members::of(&["content", "*"], is_call, &[("thoughtSignature", STRING_OR_NULL), ("namespace", STRING)]),
];

/// Pydantic holds what was stored against the fields of the class when a session is loaded.
const OF_CLASSES: &[(&str, Is)] = &[
    ("additional_kwargs", OBJECT),
    ("response_metadata", OBJECT),
    ("id", ID_OR_NULL),
    ("name", STRING_OR_NULL),
    ("usage_metadata", OBJECT_OR_NULL),
];

const LANGCHAIN: &[Members] = &[
    // The id of a whole constructor is the way to its class.
    Members::of(&[], |message| !has_type(message, "constructor"), OF_CLASSES),
    Members::new(&["data"], OF_CLASSES),
    Members::new(&["kwargs"], OF_CLASSES),
    Members::of(&["content", "*"], has_bytes, OF_MEDIA),
    Members::of(&["data", "content", "*"], has_bytes, OF_MEDIA),
    Members::of(&["kwargs", "content", "*"], has_bytes, OF_MEDIA),
];

/// Where else the bytes of a block are, which has them itself: integrations ask for the address first, and send what stands there
/// (langchain-core 1.7.2, `convert_to_openai_image_block`).
const OF_MEDIA: &[(&str, Is)] = &[("url", STRING), ("file_id", STRING)];

/// Whether it is a standard block with its bytes.
fn has_bytes(block: Value<'_>) -> bool {
    const KINDS: &[&str] = &["image", "audio", "video", "file", "text-plain"];
    block.get("base64").is_some_and(is_string) && block.get("type").is_some_and(|kind| is_one_of(kind, KINDS))
}

const AI_SDK_MODEL: &[Members] = &[
    Members::typed(&["content", "*"], &["file"], &[("filename", STRING)]),
    Members::typed(&["content", "*"], &["tool-approval-response"], &[("reason", STRING)]),
    Members::typed(&["content", "*", "output"], &["execution-denied"], &[("reason", STRING)]),
    Members::new(&["content", "*", "output"], &[("providerOptions", is_object_of_objects)]),
    Members::typed(&["content", "*"], &["tool-approval-request"], &[("signature", STRING)]),
    Members::typed(&["content", "*"], &["tool-call"], &[("providerExecuted", BOOL)]),
    Members::of(
        &["content", "*", "output", "value", "*"],
        |item| item.get("type").is_some_and(is_string),
        &[("providerOptions", is_object_of_objects)],
    ),
    Members::typed(&["content", "*", "output", "value", "*"], &["media", "file-data"], &[("filename", STRING)]),
    Members::typed(&["content", "*", "output", "value", "*"], &["file-url", "image-url"], &[("mediaType", STRING)]),
];

const AI_SDK_UI: &[Members] = &[
    Members::typed(
        &["parts", "*"],
        &["text", "reasoning"],
        &[("state", |state| is_one_of(state, &["streaming", "done"]))],
    ),
    Members::typed(&["parts", "*"], &["source-url"], &[("title", STRING)]),
    Members::typed(&["parts", "*"], &["source-document", "file"], &[("filename", STRING)]),
    Members::of(&["parts", "*"], |part| has_type(part, "reasoning") || type_begins(part, "data-"), &[("id", STRING)]),
    Members::of(&["parts", "*"], is_tool_part, &[("toolMetadata", OBJECT), ("providerExecuted", BOOL)]),
    Members::of(
        &["parts", "*"],
        |part| is_tool_part(part) && part.get("state").is_some_and(|state| state.is_str("output-available")),
        &[("preliminary", BOOL)],
    ),
    Members::typed(&["parts", "*"], &["dynamic-tool"], &[("dynamic", |value| value.as_bool() == Some(false))]),
];

fn type_begins(part: Value<'_>, start: &str) -> bool {
    part.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with(start))
}

/// Whether it is a call with what became of it.
fn is_tool_part(part: Value<'_>) -> bool {
    has_type(part, "dynamic-tool") || type_begins(part, "tool-")
}

const OLLAMA: &[Members] = &[
    Members::of(&[], is_result, &[("tool_call_id", ID_OR_NULL), ("tool_name", STRING_OR_NULL)]),
    Members::of(&[], |message| !is_result(message), &[("tool_call_id", STRING_OR_NULL), ("tool_name", STRING_OR_NULL)]),
    Members::new(&["tool_calls", "*"], &[("id", ID_OR_NULL)]),
    Members::new(&["tool_calls", "*", "function"], &[("index", INTEGER_OR_NULL)]),
];

const LOSSLESS_CLAW: &[Members] = &[
    Members::of(
        &[],
        |message| message.get("parts").is_some_and(|parts| parts.items().next().is_some()),
        &[("content", STRING)],
    ),
    Members::of(
        &["parts", "*"],
        |row| row.get("part_type").or_else(|| row.get("partType")).is_some_and(is_string),
        &[
            ("text_content", STRING_OR_NULL),
            ("textContent", STRING_OR_NULL),
            ("tool_name", STRING_OR_NULL),
            ("toolName", STRING_OR_NULL),
            ("tool_call_id", ID_OR_NULL),
            ("toolCallId", ID_OR_NULL),
        ],
    ),
    Members::of(&["parts", "*"], lossless_claw::is_beside_tools, TOOL_COLUMNS),
    // A column that stands under both of its names is read under that of the table.
    Members::of(&["parts", "*"], |row| holds(row, "tool_input"), &[("toolInput", STRING_OR_NULL)]),
    Members::of(&["parts", "*"], |row| holds(row, "tool_output"), &[("toolOutput", STRING_OR_NULL)]),
    Members::of(&["parts", "*"], |row| holds(row, "tool_call_id"), &[("toolCallId", STRING_OR_NULL)]),
];
/// What a message said before there were parts.
const OPEN_VIKING: &[Members] = &[Members::of(&[], |message| holds(message, "parts"), &[("content", STRING)])];

const TOOL_COLUMNS: &[(&str, Is)] = &[
    ("tool_input", STRING_OR_NULL),
    ("toolInput", STRING_OR_NULL),
    ("tool_output", STRING_OR_NULL),
    ("toolOutput", STRING_OR_NULL),
];

/// Blocks since 2025-06-18.
const NEW_BLOCKS: fn(&Target) -> bool = |target| target.protocol.resource_links;
/// Pictures beside a link since 2025-11-25.
const ICONS: fn(&Target) -> bool = |target| target.protocol.lists;

/// Results with a type since 2026-07-28.
const LATEST: fn(&Target) -> bool = |target| target.protocol.result_type;

const ANNOTATION: &[(&str, Is)] =
    &[("audience", |value| value.is_array() && value.items().all(is_role)), ("priority", is_part_of_one)];
const LINK: &[(&str, Is)] = &[("size", is_integer)];
const PICTURES: &[(&str, Is)] = &[("icons", is_list_of_icons)];

fn is_role(value: Value<'_>) -> bool {
    is_one_of(value, &["user", "assistant"])
}

fn is_part_of_one(value: Value<'_>) -> bool {
    value.as_f64().is_some_and(|number| (0.0..=1.0).contains(&number))
}

fn is_list_of_icons(value: Value<'_>) -> bool {
    value.is_array() && value.items().all(is_icon)
}

/// `Implementation`: what a server is.
fn is_program(value: Value<'_>) -> bool {
    let or_none = |key: &str| value.get(key).is_none_or(is_string);
    ["name", "version"].iter().all(|key| value.get(key).is_some_and(is_string))
        && ["title", "description", "websiteUrl"].iter().all(|key| or_none(key))
        && value.get("icons").is_none_or(is_list_of_icons)
}

fn is_icon(value: Value<'_>) -> bool {
    let or_none = |key: &str, is: Is| value.get(key).is_none_or(is);
    value.get("src").is_some_and(Value::is_string)
        && or_none("mimeType", STRING)
        && or_none("sizes", |sizes| sizes.is_array() && sizes.items().all(Value::is_string))
        && or_none("theme", |theme| is_one_of(theme, &["light", "dark"]))
}

/// The members of blocks that stand here.
macro_rules! blocks {
    ($($key:literal),+) => {&[
        Members::new(&[$($key),+], &[("annotations", OBJECT)]),
        Members { way: &[$($key),+], known: NEW_BLOCKS, each: &[("_meta", OBJECT)], ..ALL },
        Members::new(&[$($key),+, "annotations"], ANNOTATION),
        Members { way: &[$($key),+, "annotations"], known: NEW_BLOCKS, each: &[("lastModified", STRING)], ..ALL },
        Members { way: &[$($key),+, "resource"], known: NEW_BLOCKS, each: &[("_meta", OBJECT)], ..ALL },
        Members { way: &[$($key),+], of: |block| has_type(block, "resource_link"), known: NEW_BLOCKS, each: LINK, ..ALL },
        Members { way: &[$($key),+], of: |block| has_type(block, "resource_link"), known: ICONS, each: PICTURES, ..ALL },
    ]};
}

const MCP_BLOCKS: &[Members] = blocks!("content", "*");
const MCP_RESULT_BLOCKS: &[Members] = blocks!("content", "*", "content", "*");
const MCP_RESULT: &[Members] = &[
    Members::new(&[], &[("_meta", OBJECT)]),
    Members { known: LATEST, each: &[("resultType", STRING)], ..ALL },
    Members { way: &["_meta"], known: LATEST, each: &[("io.modelcontextprotocol/serverInfo", is_program)], ..ALL },
];
const MCP_SAMPLING: &[Members] = &[Members { known: ICONS, each: &[("_meta", OBJECT)], ..ALL }];

/// The text without the members that are not what they may be, each reported; `None` when there are none. Linear in the text.
pub(crate) fn without_wrong_types(
    json: &Json<'_>,
    dialect: Dialect,
    target: &Target,
    report: &mut Report<'static>,
) -> Option<String> {
    let applies =
        |members: &&Members| (target.dialect != dialect || (members.known)(target)) && members.may_stand_in(json);
    let table: Vec<&'static Members> = table(dialect).iter().copied().flatten().filter(applies).collect();
    if table.is_empty() {
        return None;
    }
    let mut found = Vec::new();
    let begins = begins(&table);
    for message in layout(json, dialect).ok()?.messages {
        let leads = |key: Name<'_>, begins: &[&str]| begins.iter().any(|begin| key.is(begin));
        if begins.as_ref().is_some_and(|begins| !message.named_members().any(|(key, _)| leads(key, begins))) {
            continue;
        }
        for members in &table {
            for_each_at(message, message, members.way, &mut |_, object| look(object, members, &mut found));
        }
    }
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|found| found.value.index());
    let mut cursor = PointerCursor::default();
    for Found { key, value, known, .. } in &found {
        let is_empty = match value.kind() {
            Kind::String => value.as_str().is_some_and(|text| text.trim().is_empty()),
            Kind::Array => value.items().next().is_none(),
            Kind::Object => value.members().next().is_none(),
            Kind::Null | Kind::Bool | Kind::Number => false,
        };
        let severity = if value.is_null() { Severity::Mend } else { Severity::Loss };
        let (rule, words) = if *known {
            let (key, kind) = (key.raw(), value.kind().name());
            let kind = if is_empty { "empty" } else { kind };
            let words = format!("{key} is {kind}, which the dialect does not accept; it was left out");
            (&rule::MEMBER_OF_WRONG_TYPE, words)
        } else {
            (&rule::UNKNOWN_FIELD, format!("the dialect has no {} here; it was left out", key.raw()))
        };
        let entry = Entry::new(rule, Stage::Read, severity, words);
        let entry = entry.at(*value, &mut cursor);
        report.add(entry);
    }
    report.quote_copied(json.text());
    let gone: Vec<_> = found.iter().map(|found| (found.object, found.key)).collect();
    Some(without_members(json, &gone))
}

/// The members of a message at which all that a table looks at begins, so that most messages need one look; `None` where it
/// looks at more than members of a name.
fn begins(table: &[&'static Members]) -> Option<Vec<&'static str>> {
    let mut begins = Vec::new();
    for members in table {
        match members.way.first() {
            None if members.closed => return None,
            None => begins.extend(members.each.iter().map(|(name, _)| *name)),
            Some(&"*") => return None,
            Some(key) => begins.push(key),
        }
    }
    begins.sort_unstable();
    begins.dedup();
    Some(begins)
}

/// A member that is not what it may be.
struct Found<'a> {
    object: Value<'a>,
    key: Value<'a>,
    value: Value<'a>,
    /// Whether the dialect has one of this name
    known: bool,
}

/// Looks at one object of a kind.
fn look<'a>(object: Value<'a>, members: &Members, found: &mut Vec<Found<'a>>) {
    let before = found.len();
    found.extend(object.named_members().filter_map(|(key, value)| {
        let row = members.each.iter().find(|(name, _)| key.is(name));
        let wrong = row.map_or(members.closed, |(_, is)| !is(value));
        wrong.then_some(Found { object, key: key.value(), value, known: row.is_some() })
    }));
    // Nearly all objects hold none of these, so that is asked first.
    if found.len() > before && !members.are_of(object) {
        found.truncate(before);
    }
}

#[cfg(test)]
mod tests {
    use crate::read::typed::{ALL, Members, begins};

    #[test]
    fn where_every_member_is_looked_at_no_name_leads_there() {
        const NAMED: Members = Members { each: &[("b", |_| true)], ..ALL };
        const BEHIND: Members = Members { way: &["a", "*"], ..NAMED };
        const CLOSED: Members = Members { closed: true, ..NAMED };
        const EACH: Members = Members { way: &["*"], ..NAMED };
        assert_eq!(begins(&[&NAMED, &BEHIND, &NAMED]), Some(vec!["a", "b"]));
        assert_eq!(begins(&[&NAMED, &CLOSED]), None);
        assert_eq!(begins(&[&BEHIND, &EACH]), None);
    }
}
