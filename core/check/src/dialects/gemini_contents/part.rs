//! The parts of a Gemini content, and who may say which.

use std::borrow::Cow;

use crate::judge::{Judge, blank};
use crate::shape::{self, only};
use crate::{arguments, call, media};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::Level;

/// Where a part stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    System,
    User,
    Model,
}

/// What a part is to its turn.
pub(crate) enum Found<'a> {
    Call { id: Option<Cow<'a, str>>, name: Option<Cow<'a, str>> },
    Result { id: Option<Cow<'a, str>>, name: Option<Cow<'a, str>> },
    Other,
}

/// What a part can hold, in both spellings of protobuf JSON.
const HELD: &[(&str, &str)] = &[
    ("text", "text"),
    ("inlineData", "inline_data"),
    ("fileData", "file_data"),
    ("functionCall", "function_call"),
    ("functionResponse", "function_response"),
    ("executableCode", "executable_code"),
    ("codeExecutionResult", "code_execution_result"),
    ("toolCall", "tool_call"),
    ("toolResponse", "tool_response"),
    (TRANSCRIPTION, "audio_transcription"),
];
/// What stands beside a recording, or alone.
const TRANSCRIPTION: &str = "audioTranscription";
const SIGNATURE: (&str, &str) = ("thoughtSignature", "thought_signature");

/// What a part holds: what it is called, and the value.
pub(crate) fn held(part: Value<'_>) -> impl Iterator<Item = (&'static str, Value<'_>)> {
    let found = move || {
        part.members().filter(|(_, value)| !value.is_null()).filter_map(|(key, value)| {
            let (name, _) = HELD.iter().find(|(camel, snake)| key.is_str(camel) || key.is_str(snake))?;
            Some((*name, value))
        })
    };
    let alone = found().all(|(name, _)| name == TRANSCRIPTION);
    found().filter(move |(name, _)| alone || *name != TRANSCRIPTION)
}

/// A member in either spelling; standing in both is a fault.
fn member<'a>(judge: &mut Judge<'_>, object: Value<'a>, (camel, snake): (&str, &str)) -> Option<Value<'a>> {
    let found = |key: &str| object.get(key).filter(|value| !value.is_null());
    if camel != snake && found(camel).is_some() && found(snake).is_some() {
        judge.say(&rule::FIELD_ALIAS, object, format!("`{camel}` and `{snake}` are one field"));
    }
    found(camel).or_else(|| found(snake))
}

/// Whether a part carries a signature.
pub(crate) fn is_signed(part: Value<'_>) -> bool {
    [SIGNATURE.0, SIGNATURE.1].iter().any(|key| part.get(key).is_some_and(|value| !value.is_null()))
}

/// Judges one part.
pub(crate) fn judge<'a>(judge: &mut Judge<'_>, part: Value<'a>, place: Place) -> Found<'a> {
    if !part.is_object() {
        judge.say(&rule::UNKNOWN_BLOCK, part, format!("{} stands among the parts", part.kind().name()));
        return Found::Other;
    }
    judge.keys(part);
    let kind = part.get("type").and_then(Value::as_str);
    if let Some(kind) = kind.filter(|_| held(part).all(|(kind, _)| kind == "text")) {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, part, format!("another dialect's block: `{kind}`"));
        return Found::Other;
    }
    let mut things: Vec<_> = held(part).collect();
    things.dedup_by_key(|(kind, _)| *kind);
    // The signature of reasoning that is not shown.
    if things.is_empty() && place == Place::Model && is_signed(part) {
        beside(judge, part, place, "thought");
        return Found::Other;
    }
    let [(kind, value)] = things[..] else {
        judge.say(&rule::PART_DATA_NOT_ONE, part, format!("the part holds {} things, not one", things.len()));
        return Found::Other;
    };
    beside(judge, part, place, kind);
    if let Some((camel, snake)) = HELD.iter().find(|(camel, _)| *camel == kind) {
        member(judge, part, (camel, snake));
    }
    match kind {
        "text" => text(judge, part, value, place),
        "functionCall" | "functionResponse" if !value.is_object() => {
            judge.say(&rule::UNKNOWN_BLOCK, value, format!("`{kind}` is {}", value.kind().name()));
        }
        "functionCall" if place == Place::Model => return function_call(judge, value),
        "functionResponse" if place == Place::User => return function_response(judge, value),
        "functionCall" | "functionResponse" => shape::misplaced(judge, part, kind, name_of(place)),
        _ if place == Place::System => shape::misplaced(judge, part, kind, name_of(place)),
        "inlineData" => inline(judge, value, place),
        "fileData" => {
            file(judge, value);
            let uri = value.get("fileUri").or_else(|| value.get("file_uri"));
            if let Some(uri) = uri.filter(|_| place == Place::User) {
                media::bare_base64(judge, uri);
            }
        }
        _ if !value.is_object() => judge.say(&rule::UNKNOWN_BLOCK, value, format!("`{kind}` is no object")),
        _ => {}
    }
    Found::Other
}

fn name_of(place: Place) -> &'static str {
    match place {
        Place::System => "system",
        Place::User => "user",
        Place::Model => "model",
    }
}

/// Members that may stand beside what a part holds.
const BESIDE: &[&str] = &[
    "thought",
    "thoughtSignature",
    "thought_signature",
    "videoMetadata",
    "video_metadata",
    "mediaResolution",
    "media_resolution",
    "partMetadata",
    "part_metadata",
    "mediaProcessing",
    "media_processing",
    "speechMetadata",
    "speech_metadata",
    "documentMetadata",
    "document_metadata",
    "spreadsheetMetadata",
    "spreadsheet_metadata",
    "audioMetadata",
    "audio_metadata",
];

/// What stands in a part beside what it holds.
fn beside(judge: &mut Judge<'_>, part: Value<'_>, place: Place, kind: &str) {
    for (key, value) in part.members() {
        let name = key.as_str().unwrap_or_default();
        if !HELD.iter().any(|(camel, snake)| name == *camel || name == *snake) && !BESIDE.contains(&&*name) {
            judge.say(&rule::UNKNOWN_FIELD, value, format!("the API has no field `{name}` here"));
        }
    }
    if let Some(thought) = part.get("thought").filter(|thought| !thought.is_null()) {
        match thought.as_bool() {
            None => judge.say(&rule::UNKNOWN_FIELD, thought, "`thought` is no boolean"),
            Some(true) if kind == "text" && place != Place::Model => {
                shape::misplaced(judge, part, "thought", name_of(place));
            }
            Some(_) => {}
        }
    }
    if let Some(signature) = member(judge, part, SIGNATURE)
        && signature.as_str().is_none_or(|text| !media::is_protobuf_base64(&text))
    {
        judge.say(&rule::THOUGHT_SIGNATURE_MALFORMED, signature, "a signature is base64");
    }
}

fn text(judge: &mut Judge<'_>, part: Value<'_>, value: Value<'_>, place: Place) {
    let Some(words) = value.as_str() else {
        judge.say(&rule::TEXT_NOT_A_STRING, value, format!("`text` is {}", value.kind().name()));
        return;
    };
    // The model's last signature may come with an empty text.
    let sealed = place == Place::Model && is_signed(part);
    if blank(&words) && !sealed && !judge.target.content.blank_text {
        judge.say(&rule::BLANK_TEXT, part, "a text holds nothing but white space");
    }
}

/// An id, which may be left out.
fn id<'a>(judge: &mut Judge<'_>, object: Value<'a>) -> Option<Cow<'a, str>> {
    let value = object.get("id").filter(|value| !value.is_null())?;
    if judge.target.ids.refused {
        judge.say(&rule::TOOL_CALL_ID_REFUSED, value, "the target has no field `id` here");
    }
    match value.as_str() {
        Some(text) if text.is_empty() => None,
        Some(text) if text.trim().len() == text.len() => Some(text),
        text => {
            judge.say(&rule::TOOL_CALL_ID_WHITE_SPACE, value, "the id has white space around it, or is no string");
            let trimmed = text?.trim().to_owned();
            (!trimmed.is_empty()).then_some(Cow::Owned(trimmed))
        }
    }
}

fn function_call<'a>(judge: &mut Judge<'_>, value: Value<'a>) -> Found<'a> {
    judge.keys(value);
    let known = ["id", "name", "args", "partialArgs", "partial_args", "willContinue", "will_continue"];
    shape::others(judge, value, &known, "the API has no field");
    let is_of_stream = |key: Value<'_>| known[3..].iter().any(|known| key.is_str(known));
    for (_, held) in value.members().filter(|(key, _)| is_of_stream(*key)) {
        if held.as_bool() == Some(true) || held.items().next().is_some() {
            judge.say(&rule::STREAMING_MARKER, held, "the call was cut off while it streamed");
        }
    }
    let id = id(judge, value);
    let name = call::call_name(judge, value, "name", true);
    // The API marks them optional, and writes calls without.
    if value.get("args").is_some() {
        arguments::object(judge, value, "args");
    }
    Found::Call { id, name }
}

fn function_response<'a>(judge: &mut Judge<'_>, value: Value<'a>) -> Found<'a> {
    judge.keys(value);
    let known = ["id", "name", "response", "parts", "willContinue", "will_continue", "scheduling"];
    shape::others(judge, value, &known, "the API has no field");
    let id = id(judge, value);
    let name = value.get("name").and_then(Value::as_str).filter(|name| !blank(name));
    if name.is_some() {
        // Where names are not compared, a result may have any.
        if judge.severity(&rule::TOOL_RESULT_NAME_MISMATCH) == Level::Error {
            call::judge_name(judge, value, "name", true);
        }
    } else {
        let place = value.get("name").unwrap_or(value);
        judge.say(&rule::TOOL_RESULT_NAME_MISSING, place, "the result does not name its tool");
    }
    match value.get("response").filter(|response| !response.is_null()) {
        None if value.get("parts").is_some_and(|parts| parts.items().next().is_some()) => {
            judge.warn(&rule::EMPTY_TOOL_RESULT, value, "there is no response beside the media");
        }
        None => judge.say(&rule::EMPTY_TOOL_RESULT, value, "there is no response"),
        Some(response) if response.is_object() => {}
        Some(response) => {
            let message = format!("the response is {}, not an object", response.kind().name());
            judge.say(&rule::RESPONSE_NOT_AN_OBJECT, response, message);
        }
    }
    match value.get("parts").filter(|parts| !parts.is_null()) {
        Some(parts) if parts.is_array() => parts.items().for_each(|part| response_part(judge, part)),
        Some(parts) => judge.say(&rule::CONTENT_NOT_A_LIST, parts, format!("`parts` is {}", parts.kind().name())),
        None => {}
    }
    Found::Result { id, name }
}

/// The fields of `FunctionResponsePart` in google-genai 3.4.0.
const IN_RESPONSE: &[&str] = &[
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "mediaProcessing",
    "media_processing",
    "mediaResolution",
    "media_resolution",
    "videoMetadata",
    "video_metadata",
    "documentMetadata",
    "document_metadata",
    "spreadsheetMetadata",
    "spreadsheet_metadata",
    "audioMetadata",
    "audio_metadata",
];

/// Media in a result.
fn response_part(judge: &mut Judge<'_>, part: Value<'_>) {
    if !judge.target.media.in_results {
        judge.say(&rule::MEDIA_IN_TOOL_RESULT, part, "the target takes no media in results");
    }
    judge.keys(part);
    let things: Vec<_> = held(part).filter(|(_, value)| value.is_object()).collect();
    match things[..] {
        [("inlineData", blob)] => inline(judge, blob, Place::User),
        [("fileData", value)] => file(judge, value),
        _ => {
            return judge.say(&rule::UNKNOWN_BLOCK, part, "a result holds media beside its response, and nothing else");
        }
    }
    only(judge, part, IN_RESPONSE);
}

fn inline(judge: &mut Judge<'_>, blob: Value<'_>, place: Place) {
    if !blob.is_object() {
        judge.say(&rule::UNKNOWN_BLOCK, blob, "`inlineData` is no object");
        return;
    }
    judge.keys(blob);
    only(judge, blob, &["mimeType", "mime_type", "data", "displayName", "display_name"]);
    let mime = member(judge, blob, ("mimeType", "mime_type"));
    if let Some(name) = member(judge, blob, ("displayName", "display_name")).filter(|name| !name.is_string()) {
        judge.say(&rule::UNKNOWN_FIELD, name, "the name is no string");
    }
    let kind = mime.and_then(Value::as_str).unwrap_or_default();
    let picture = blank(&kind) || media::of_picture(&kind, blob.get("data"));
    match (picture, place) {
        (true, Place::User) => media::protobuf_image(judge, blob, blob.get("data"), mime),
        _ => {
            media::protobuf_file(judge, blob, blob.get("data"), mime);
            if let Some(data) = blob.get("data").filter(|_| place == Place::User) {
                media::pdf(judge, data, &kind, &data.as_str().unwrap_or_default());
            }
            // What only a server may refuse is not asked for in the dialect alone, nor of what the model made.
            if place == Place::User && !judge.target.is_dialect() {
                media::accepted_file(judge, mime.unwrap_or(blob), &kind);
            }
        }
    }
}

fn file(judge: &mut Judge<'_>, file: Value<'_>) {
    if !file.is_object() {
        judge.say(&rule::MEDIA_WITHOUT_ADDRESS, file, "`fileData` is no object");
        return;
    }
    judge.keys(file);
    only(judge, file, &["fileUri", "file_uri", "mimeType", "mime_type", "displayName", "display_name"]);
    member(judge, file, ("mimeType", "mime_type"));
    let uri = member(judge, file, ("fileUri", "file_uri"));
    if uri.and_then(Value::as_str).is_none_or(|text| blank(&text)) {
        judge.say(&rule::MEDIA_WITHOUT_ADDRESS, uri.unwrap_or(file), "there is no `fileUri`");
    }
}
