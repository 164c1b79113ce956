//! Bytes of files whose base64 their server would not read, though it says which bytes they are: in the URL-safe alphabet,
//! without padding, in lines, or as a data URL where base64 alone belongs.
//!
//! Readers ask whether a file is whole, and leave out what is not; so base64 is spelled anew before a message is read, and no
//! reader has to know of it. Pictures are mended later, by what they are (`repair/media.rs`), but for those that a model made:
//! canonical turns of a model hold none, so they are only carried.

use crate::dialects::gemini_contents::read::standard_base64;
use crate::media;
use crate::read::container::layout;
use crate::read::fields::MIME_TYPES;
use crate::read::way::{for_each_at, may_lead};
use wirecanon_json::{Json, PointerCursor, Value, quote, spliced};
use wirecanon_model::Dialect;
use wirecanon_model::report::{Entry, Report, Severity, Stage};
use wirecanon_model::rule::{self, Rule};

/// Where files of one kind hold their bytes.
struct Place {
    /// From a message to the object that holds them
    way: &'static [&'static str],
    /// Which of the objects there, in which messages
    of: Of,
    key: &'static str,
    form: Form,
    /// What says their type, where the server compares it letter by letter
    kind: Option<&'static str>,
}

/// Whether an object in a message is meant.
type Of = fn(Value<'_>, Value<'_>) -> bool;

/// How bytes may be spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As base64 alone
    Base64,
    /// In either alphabet, with padding or without it, as protobuf reads it
    Protobuf,
    /// As base64 alone, or as a data URL of it
    Either,
}

const fn place(way: &'static [&'static str], of: Of, key: &'static str, form: Form) -> Place {
    Place { way, of, key, form, kind: None }
}

/// Anthropic's: "`media_type`: Input should be 'application/pdf'".
const fn source(way: &'static [&'static str]) -> Place {
    Place { kind: Some("media_type"), ..place(way, of_anthropic, "data", Form::Base64) }
}

fn any(_: Value<'_>, _: Value<'_>) -> bool {
    true
}

fn is_of(value: Value<'_>, types: &[&str]) -> bool {
    value.get("type").is_some_and(|kind| types.iter().any(|known| kind.is_str(known)))
}

/// Whether an object says that it holds a picture; `None` where it says nothing of it.
fn says_picture(value: Value<'_>) -> Option<bool> {
    let said = MIME_TYPES.iter().find_map(|key| value.get(key)?.as_str());
    said.and_then(|said| media::says_picture(&said)).or_else(|| is_of(value, &["image"]).then_some(true))
}

fn is_no_picture(value: Value<'_>) -> bool {
    says_picture(value) == Some(false)
}

/// Whether the model made what an object of its message holds.
fn of_model(message: Value<'_>) -> bool {
    message.get("role").is_some_and(|role| role.is_str("model") || role.is_str("assistant"))
}

fn of_anthropic(_: Value<'_>, source: Value<'_>) -> bool {
    is_of(source, &["base64"]) && is_no_picture(source)
}

fn of_langchain(_: Value<'_>, block: Value<'_>) -> bool {
    is_of(block, &["file", "audio", "video"]) && is_no_picture(block)
}

fn of_ai_sdk(message: Value<'_>, part: Value<'_>) -> bool {
    is_of(part, &["file"]) && (is_no_picture(part) || of_model(message))
}

fn of_output(_: Value<'_>, part: Value<'_>) -> bool {
    is_of(part, &["file-data", "media", "file"]) && is_no_picture(part)
}

fn of_gemini(message: Value<'_>, blob: Value<'_>) -> bool {
    is_no_picture(blob) || of_model(message)
}

fn of_mcp(message: Value<'_>, block: Value<'_>) -> bool {
    is_of(block, &["audio"]) || of_model(message) && is_of(block, &["image"])
}

/// Whether a resource is one but for its bytes.
fn of_resource(_: Value<'_>, resource: Value<'_>) -> bool {
    resource.get("uri").is_some_and(Value::is_string) && resource.get("mimeType").is_none_or(Value::is_string)
}

fn of_canonical(_: Value<'_>, block: Value<'_>) -> bool {
    is_of(block, &["file", "audio"]) && is_no_picture(block)
}

fn of_responses(_: Value<'_>, part: Value<'_>) -> bool {
    is_of(part, &["input_file"])
}

const ANTHROPIC: &[Place] = &[source(&["content", "*", "source"]), source(&["content", "*", "content", "*", "source"])];
const BEDROCK: &[Place] = &[
    place(&["content", "*", "document", "source"], any, "bytes", Form::Base64),
    place(&["content", "*", "video", "source"], any, "bytes", Form::Base64),
    place(&["content", "*", "audio", "source"], any, "bytes", Form::Base64),
    place(&["content", "*", "toolResult", "content", "*", "document", "source"], any, "bytes", Form::Base64),
    place(&["content", "*", "toolResult", "content", "*", "video", "source"], any, "bytes", Form::Base64),
];
const CANONICAL: &[Place] = &[
    place(&["content", "*"], of_canonical, "data", Form::Base64),
    place(&["content", "*", "resource"], of_resource, "blob", Form::Base64),
];
const GEMINI: &[Place] = &[
    place(&["parts", "*", "inlineData"], of_gemini, "data", Form::Protobuf),
    place(&["parts", "*", "inline_data"], of_gemini, "data", Form::Protobuf),
    place(&["parts", "*", "functionResponse", "parts", "*", "inlineData"], of_gemini, "data", Form::Protobuf),
    place(&["parts", "*", "function_response", "parts", "*", "inline_data"], of_gemini, "data", Form::Protobuf),
];
const LANGCHAIN: &[Place] = &[
    place(&["content", "*"], of_langchain, "base64", Form::Base64),
    place(&["content", "*"], of_langchain, "data", Form::Base64),
    source(&["content", "*", "source"]),
    place(&["content", "*", "file"], any, "file_data", Form::Either),
    place(&["kwargs", "content", "*"], of_langchain, "base64", Form::Base64),
    place(&["kwargs", "content", "*"], of_langchain, "data", Form::Base64),
    place(&["data", "content", "*"], of_langchain, "base64", Form::Base64),
    place(&["data", "content", "*"], of_langchain, "data", Form::Base64),
];
const MCP: &[Place] = &[
    place(&["content", "*", "resource"], of_resource, "blob", Form::Base64),
    place(&["content", "*"], of_mcp, "data", Form::Base64),
];
const AI_SDK_MODEL: &[Place] = &[
    place(&["content", "*"], of_ai_sdk, "data", Form::Either),
    place(&["content", "*", "output", "value", "*"], of_output, "data", Form::Base64),
];
/// A whole result of the protocol stands there as the tool gave it.
const AI_SDK_UI: &[Place] =
    &[place(&["parts", "*", "output", "content", "*", "resource"], of_resource, "blob", Form::Base64)];
const OPENAI_CHAT: &[Place] = &[
    place(&["content", "*", "file"], any, "file_data", Form::Either),
    place(&["content", "*", "input_audio"], any, "data", Form::Base64),
];
const RESPONSES: &[Place] = &[
    place(&["content", "*"], of_responses, "file_data", Form::Either),
    place(&["output", "*"], of_responses, "file_data", Form::Either),
];

fn places(dialect: Dialect) -> &'static [Place] {
    match dialect {
        Dialect::AiSdkModel => AI_SDK_MODEL,
        Dialect::AiSdkUi => AI_SDK_UI,
        Dialect::AnthropicMessages => ANTHROPIC,
        Dialect::BedrockConverse => BEDROCK,
        Dialect::Canonical | Dialect::OpenClaw => CANONICAL,
        Dialect::GeminiContents => GEMINI,
        Dialect::LangChain => LANGCHAIN,
        Dialect::McpPrompt | Dialect::McpSampling | Dialect::McpToolResult => MCP,
        Dialect::OpenAiChat => OPENAI_CHAT,
        Dialect::OpenAiResponses => RESPONSES,
        _ => &[],
    }
}

/// The text with base64 that its server reads where files held other, each reported; `None` where there is none.  Linear in the text.
pub(crate) fn with_readable_files(json: &Json<'_>, dialect: Dialect, report: &mut Report<'static>) -> Option<String> {
    let places: Vec<&Place> = places(dialect).iter().filter(|place| may_lead(json, place.way)).collect();
    if places.is_empty() {
        return None;
    }
    let mut found = Vec::new();
    for message in layout(json, dialect).ok()?.messages {
        // Most ways begin at one member, which is a string in most messages: it is looked up once.
        for places in places.chunk_by(|one, next| one.way.first() == next.way.first()) {
            let inside = places[0].way.first().and_then(|key| message.get(key)).filter(|inside| !inside.is_string());
            let Some(inside) = inside else { continue };
            for place in places {
                for_each_at(message, inside, &place.way[1..], &mut |block, holder| {
                    look(message, block, holder, place, &mut found);
                });
            }
        }
    }
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|found| found.value.index());
    let mut cursor = PointerCursor::default();
    for Found { block, rule, what, .. } in &found {
        let entry = Entry::new(rule, Stage::Read, Severity::Mend, *what);
        let entry = entry.at(*block, &mut cursor);
        report.add(entry);
    }
    report.quote_copied(json.text());
    let edits = found.into_iter().map(|found| (found.value.span(), quote(&found.new))).collect();
    Some(spliced(json.text(), edits))
}

/// A string that the server would not read.
struct Found<'a> {
    /// What it stands in
    block: Value<'a>,
    rule: &'static Rule,
    what: &'static str,
    value: Value<'a>,
    /// The same in a spelling that it reads
    new: String,
}

/// Looks at what a way led to.
fn look<'a>(message: Value<'a>, block: Value<'a>, holder: Value<'a>, place: &Place, found: &mut Vec<Found<'a>>) {
    if !(place.of)(message, holder) {
        return;
    }
    let string = |key: &str| holder.get(key).and_then(|value| Some((value, value.as_str()?)));
    if let Some((value, text)) = string(place.key)
        && let Some(new) = readable(&text, place.form)
    {
        let rule = match (says_picture(holder), media::is_data_url(&text)) {
            (Some(true), true) => &rule::IMAGE_DATA_URL_PREFIX,
            (Some(true), false) => &rule::IMAGE_BASE64_NOT_CANONICAL,
            _ => &rule::FILE_DATA_NOT_BASE64,
        };
        found.push(Found { block, rule, what: "the base64 of the file was spelled anew", value, new });
    }
    if let Some((value, said)) = place.kind.and_then(string) {
        let essence = media::essence(&said);
        if *essence != *said {
            let what = "the type of the file was put in small letters, without parameters";
            found.push(Found { block, rule: &rule::FILE_NOT_ACCEPTED, what, value, new: essence.into_owned() });
        }
    }
}

/// The same bytes in a spelling that the form allows; `None` where they have one, or are in none.
fn readable(text: &str, form: Form) -> Option<String> {
    let inner = media::split_data_url(text).1;
    let (head, rest) = text.split_at(text.len() - inner.unwrap_or(text).len());
    let base64 = media::behind_heads(rest);
    let kept = if form == Form::Either { head } else { "" };
    let once = base64.len() == rest.len() && kept == head;
    if once && (media::is_canonical(base64) || form == Form::Protobuf && standard_base64(base64).is_some()) {
        return None;
    }
    media::respell(base64).ok().map(|new| format!("{kept}{new}"))
}

#[cfg(test)]
mod tests {
    use crate::read::file_bytes::{Form, readable};

    #[test]
    fn bytes_are_spelled_as_their_place_asks() {
        for (text, form, new) in [
            ("JVBERi0=", Form::Base64, None),
            ("JVBERi0", Form::Base64, Some("JVBERi0=")),
            ("JVBE\nRi0=", Form::Either, Some("JVBERi0=")),
            ("_-8=", Form::Base64, Some("/+8=")),
            ("_-8", Form::Protobuf, None),
            ("data:application/pdf;base64,JVBERi0=", Form::Either, None),
            ("data:application/pdf;base64,JVBERi0", Form::Either, Some("data:application/pdf;base64,JVBERi0=")),
            ("data:application/pdf;base64,JVBERi0=", Form::Base64, Some("JVBERi0=")),
            ("data:application/pdf;base64,JVBERi0", Form::Protobuf, Some("JVBERi0=")),
            ("data:a/b;base64,data:a/b;base64,JVBERi0=", Form::Either, Some("data:a/b;base64,JVBERi0=")),
            ("data:a/b;base64,data:a/b;base64,JVBERi0=", Form::Base64, Some("JVBERi0=")),
            // No bytes are in these.
            ("", Form::Base64, None),
            ("https://example.com/a.pdf", Form::Either, None),
            ("data:text/plain,words", Form::Base64, None),
        ] {
            assert_eq!(readable(text, form).as_deref(), new, "{text}");
        }
    }
}
