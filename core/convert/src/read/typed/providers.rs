//! What the providers' servers hold members against: a value of another type is an error 400.

use crate::dialects::openai_responses::read as openai_responses;
use crate::read::block::filled;
use crate::read::fields::RESULT_TYPES;
use crate::read::typed::{
    ALL, BOOL, INTEGER_OR_NULL, Is, LIST_OR_NULL, Members, OBJECT_OR_NULL, STRING, STRING_OR_NULL, has_type, is_call,
    is_integer, is_one_of,
};
use wirecanon_json::Value;
use wirecanon_model::target::charset;

const NAME: Is = |value| value.as_str().is_some_and(|name| !name.is_empty());
const NAME_OR_NULL: Is = |value| value.is_null() || NAME(value);
const FILLED_OR_NULL: Is = |value| value.is_null() || filled(Some(value));
const NOT_NULL: Is = |value| !value.is_null();
/// How far an item has come.
const STATUS: Is = |value| is_one_of(value, &["in_progress", "completed", "incomplete"]);
const STATUS_OR_NULL: Is = |value| value.is_null() || STATUS(value);
const PHASE: Is = |value| value.is_null() || is_one_of(value, &["commentary", "final_answer"]);
/// Who asked for a call: the model itself, or a program of its.
const CALLER: Is = |value| {
    let of_a_caller = |(key, value): (Value<'_>, Value<'_>)| match &*key.as_str().unwrap_or_default() {
        "type" => is_one_of(value, &["direct", "program"]),
        "caller_id" => NAME(value),
        _ => false,
    };
    value.is_null() || value.get("type").is_some() && value.members().all(of_a_caller)
};
const OBJECTS: Is = |value| value.is_array() && value.items().all(Value::is_object);
const RECORDING: Is = |value| value.is_null() || value.get("id").is_some_and(NAME);

/// "Invalid type for 'input[0].status': expected one of …, but got null instead."
pub(crate) const OPENAI_RESPONSES: &[Members] = &[
    Members::of(&[], is_message, &[("id", NOT_NULL), ("status", STATUS), ("phase", PHASE)]),
    Members::typed(&[], &["function_call", "custom_tool_call"], &[("id", NOT_NULL)]),
    Members::of(&[], is_call, OF_CALLS),
    // A call in another dialect's spelling becomes an item with what it has of these.
    Members::of(&["content", "*"], is_call, OF_CALLS),
    Members {
        // A result in another dialect's spelling becomes an item with what it has of these, too.
        of: |item| RESULT_TYPES.iter().any(|kind| has_type(item, kind)),
        each: &[("status", STATUS_OR_NULL), ("namespace", STRING_OR_NULL), ("caller", CALLER)],
        ..ALL
    },
    Members::typed(&[], &["custom_tool_call_output"], &[("id", NOT_NULL), ("status", STATUS), ("caller", CALLER)]),
    Members::typed(&[], &["reasoning"], &[("id", NOT_NULL), ("status", STATUS)]),
    Members { way: &["summary", "*"], of: |text| has_type(text, "summary_text"), each: TEXT, closed: true, ..ALL },
    Members { way: &["content", "*"], of: |text| has_type(text, "reasoning_text"), each: TEXT, closed: true, ..ALL },
    Members::typed(&["content", "*"], &["output_text"], &[("annotations", OBJECTS), ("logprobs", OBJECTS)]),
    Members::typed(&["content", "*"], &["input_image"], OF_IMAGES),
    Members::typed(&["output", "*"], &["input_image"], OF_IMAGES),
    Members::typed(&["content", "*"], &["input_file"], OF_FILES),
    Members::typed(&["output", "*"], &["input_file"], OF_FILES),
    // What is nowhere else is judged as a medium without data.
    Members::of(&["content", "*"], is_elsewhere, DATA),
    Members::of(&["output", "*"], is_elsewhere, DATA),
];
const DATA: &[(&str, Is)] = &[("image_url", FILLED_OR_NULL), ("file_data", FILLED_OR_NULL)];

/// Whether a picture or file has an id or an address.
fn is_elsewhere(part: Value<'_>) -> bool {
    let has = |key: &str| filled(part.get(key));
    has_type(part, "input_image") && has("file_id") && !part.get("image_url").is_some_and(Value::is_object)
        || has_type(part, "input_file") && (has("file_id") || has("file_url"))
}
const OF_CALLS: &[(&str, Is)] = &[("status", STATUS), ("namespace", NAME), ("caller", CALLER), ("async", BOOL)];
const TEXT: &[(&str, Is)] = &[("type", STRING), ("text", |_| true)];
/// How closely a picture is looked at. Source: `ResponseInputImage.detail` of `openai-python`.
const DETAILS: [&str; 4] = ["low", "high", "auto", "original"];
const OF_IMAGES: &[(&str, Is)] =
    &[("detail", |value| value.is_null() || is_one_of(value, &DETAILS)), ("file_id", FILLED_OR_NULL)];
/// Source: `ResponseInputFile` of `openai-python`, whose `detail` is never null.
const OF_FILES: &[(&str, Is)] = &[
    ("detail", |value| is_one_of(value, &["auto", "low", "high"])),
    ("file_id", FILLED_OR_NULL),
    ("file_url", FILLED_OR_NULL),
    ("filename", STRING_OR_NULL),
];

/// What has a role is read as a message, unless its type says that it is another item.
fn is_message(item: Value<'_>) -> bool {
    let kind = item.get("type").and_then(Value::as_str);
    item.get("role").is_some() && kind.is_none_or(|kind| kind == "message" || !openai_responses::is_item(&kind))
}

/// "Invalid type for 'messages[0].name': expected a string, but got null instead."
pub(crate) const OPENAI_CHAT: &[Members] = &[
    Members::of(
        &[],
        |message| !message.get("role").is_some_and(|role| is_one_of(role, &["tool", "function"])),
        &[("name", NAME)],
    ),
    Members::new(&[], &[("audio", RECORDING), ("reasoning_details", LIST_OR_NULL)]),
    Members::new(&["tool_calls", "*"], OF_CHAT_CALLS),
    // A call that stands in place of a message, or in its content, becomes one of a turn.
    Members::of(&[], is_call, OF_CHAT_CALLS),
    Members::typed(&[], &["function"], OF_CHAT_CALLS),
    Members::of(&["content", "*"], is_call, OF_CHAT_CALLS),
    Members::new(&["content", "*", "image_url"], &[("detail", |value| is_one_of(value, &DETAILS))]),
    Members::new(&["content", "*", "file"], &[("filename", STRING), ("file_id", NAME), ("file_data", NOT_NULL)]),
];

const OF_CHAT_CALLS: &[(&str, Is)] =
    &[("index", INTEGER_OR_NULL), ("extra_content", |extra| !has_blank_signature(extra))];

/// "Corrupted thought signature": Gemini behind this API reads its signature here, and refuses one that is no text
/// (NousResearch/hermes-agent#111559).
fn has_blank_signature(extra: Value<'_>) -> bool {
    let signatures =
        [extra.get("google").and_then(|google| google.get("thought_signature")), extra.get("thought_signature")];
    let blank = |signature: Value<'_>| signature.as_str().is_none_or(|text| text.trim().is_empty());
    signatures.into_iter().flatten().any(blank)
}

/// The members of blocks that stand here.
macro_rules! anthropic {
    ($($key:literal),+) => {&[
        Members::typed(&[$($key),+], &["document"], OF_DOCUMENTS),
        Members::typed(&[$($key),+], &["image"], &[("transformations", is_transformation)]),
        Members::of(&[$($key),+], is_call, &[("toolset_name", is_toolset), ("caller", is_caller)]),
        Members::typed(&[$($key),+], &["tool_result"], &[("toolset_name", is_toolset)]),
    ]};
}

pub(crate) const ANTHROPIC: &[Members] = anthropic!("content", "*");
pub(crate) const ANTHROPIC_RESULTS: &[Members] = anthropic!("content", "*", "content", "*");
const OF_DOCUMENTS: &[(&str, Is)] =
    &[("title", NAME_OR_NULL), ("context", NAME_OR_NULL), ("citations", OBJECT_OR_NULL)];

fn is_word(text: &str, also: &str) -> bool {
    !text.is_empty() && charset(Some(also), text)
}

/// "String should match pattern '^[a-zA-Z0-9_-]{1,64}$'".
fn is_toolset(value: Value<'_>) -> bool {
    value.is_null() || value.as_str().is_some_and(|name| name.len() <= 64 && is_word(&name, "_-"))
}

/// Who made a call: the model itself, or a program of its own that the server ran. An id that the server did not give follows the
/// renamed call, or goes with it.
fn is_caller(caller: Value<'_>) -> bool {
    let is_version = |kind: &str| {
        let date = kind.strip_prefix("code_execution_");
        kind == "direct" || date.is_some_and(|date| date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()))
    };
    caller.get("type").and_then(Value::as_str).is_some_and(|kind| is_version(&kind))
        && caller.members().all(|(key, value)| key.is_str("type") || key.is_str("tool_id") && value.is_string())
}

fn is_transformation(value: Value<'_>) -> bool {
    let is_known =
        |(key, how): (Value<'_>, Value<'_>)| key.is_str("oversized_image") && is_one_of(how, &["downsize", "error"]);
    value.is_null() || value.is_object() && value.members().all(is_known)
}

/// JSON of a message of protocol buffers: null is left out, and nothing of another type is read.
pub(crate) const GEMINI: &[Members] = &[
    Members::new(&["parts", "*", "fileData"], STORED),
    Members::new(&["parts", "*", "file_data"], STORED),
    Members::new(&["parts", "*", "functionCall"], STREAMED),
    Members::new(&["parts", "*", "function_call"], STREAMED),
    Members::new(&["parts", "*", "functionResponse"], ANSWERED),
    Members::new(&["parts", "*", "function_response"], ANSWERED),
    Members::of(&["parts", "*", "functionResponse", "parts", "*"], holds_a_medium, MEDIA),
    Members::of(&["parts", "*", "function_response", "parts", "*"], holds_a_medium, MEDIA),
];

/// What a stream says of a call.
const STREAMED: &[(&str, Is)] = &[
    ("willContinue", BOOL_OR_NULL),
    ("will_continue", BOOL_OR_NULL),
    ("partialArgs", OBJECTS_OR_NULL),
    ("partial_args", OBJECTS_OR_NULL),
];
const ANSWERED: &[(&str, Is)] = &[
    ("willContinue", BOOL_OR_NULL),
    ("will_continue", BOOL_OR_NULL),
    ("scheduling", |value| {
        value.is_null() || is_one_of(value, &["SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT"])
    }),
];
const BOOL_OR_NULL: Is = |value| value.is_null() || value.as_bool().is_some();
const OBJECTS_OR_NULL: Is = |value| value.is_null() || OBJECTS(value);

/// What a part of a response holds, under either of its names.
const MEDIA: &[(&str, Is)] = &[
    ("inlineData", OBJECT_OR_NULL),
    ("inline_data", OBJECT_OR_NULL),
    ("fileData", OBJECT_OR_NULL),
    ("file_data", OBJECT_OR_NULL),
];

fn holds_a_medium(part: Value<'_>) -> bool {
    MEDIA.iter().any(|(name, _)| part.get(name).is_some_and(Value::is_object))
}

const STORED: &[(&str, Is)] = &[
    ("displayName", STRING_OR_NULL),
    ("display_name", STRING_OR_NULL),
    ("mimeType", STRING_OR_NULL),
    ("mime_type", STRING_OR_NULL),
];

pub(crate) const MISTRAL: &[Members] = &[
    Members::new(&[], &[("prefix", BOOL)]),
    Members::typed(&["content", "*"], &["document_url"], &[("document_name", STRING_OR_NULL)]),
    Members::new(&["tool_calls", "*"], &[("index", is_integer)]),
    // A call that stands in the content moves to the others.
    Members::of(&["content", "*"], is_call, &[("index", is_integer)]),
    Members::typed(&["content", "*"], &["thinking"], &[("signature", STRING_OR_NULL), ("closed", BOOL)]),
    Members {
        way: &["content", "*", "thinking", "*"],
        of: |text| has_type(text, "text"),
        each: TEXT,
        closed: true,
        ..ALL
    },
    Members {
        way: &["content", "*", "image_url"],
        each: &[("url", |_| true), ("detail", |value| value.is_null() || is_one_of(value, &["low", "auto", "high"]))],
        closed: true,
        ..ALL
    },
];
