//! The content blocks of Bedrock Converse, and which message takes which.

use std::borrow::Cow;

use crate::dialects::bedrock_converse::block_shape::{self as shape_of, Is};
use crate::judge::{Judge, blank};
use crate::media::{self, Look};
use crate::shape;
use crate::{arguments, call, size};
use wirecanon_json::Value;
use wirecanon_model::{rule, target};

/// Where a block stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    System,
    User,
    Assistant,
    /// In the content of a tool result
    Result {
        /// The result says that the tool failed
        error: bool,
    },
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Result { .. } => "toolResult",
        }
    }

    fn takes(self, member: &str) -> bool {
        match self {
            Self::System => {
                matches!(member, "text" | "guardContent" | "cachePoint" | "toolAddition" | "toolRemoval")
            }
            Self::User => matches!(
                member,
                "text"
                    | "image"
                    | "document"
                    | "video"
                    | "audio"
                    | "toolResult"
                    | "guardContent"
                    | "cachePoint"
                    | "searchResult"
            ),
            Self::Assistant => {
                matches!(
                    member,
                    "text" | "toolUse" | "toolResult" | "reasoningContent" | "cachePoint" | "citationsContent"
                )
            }
            Self::Result { .. } => matches!(member, "json" | "text" | "image" | "document" | "video" | "searchResult"),
        }
    }
}

/// All members of the unions of content.
const MEMBERS: &[&str] = &[
    "text",
    "image",
    "document",
    "video",
    "audio",
    "toolUse",
    "toolResult",
    "guardContent",
    "cachePoint",
    "reasoningContent",
    "citationsContent",
    "searchResult",
    "toolAddition",
    "toolRemoval",
    "json",
];

/// The member that says what a block is; says what is wrong with a block that has not exactly one.
pub(crate) fn member<'a>(judge: &mut Judge<'_>, block: Value<'a>) -> Option<(Cow<'a, str>, Value<'a>)> {
    if !block.is_object() {
        judge.say(&rule::UNKNOWN_BLOCK, block, format!("{} stands among the blocks", block.kind().name()));
        return None;
    }
    judge.keys(block);
    if let Some(kind) = block.get("type").and_then(Value::as_str) {
        shape::unknown(judge, block, &kind);
        return None;
    }
    let mut members = block.members().filter_map(|(key, value)| Some((key.as_str()?, value)));
    let own = members.find(|(key, _)| MEMBERS.contains(&&**key));
    let Some(own) = own else {
        judge.say(&rule::UNKNOWN_BLOCK, block, "the block has no member of the union");
        return None;
    };
    for (key, value) in block.members() {
        let key = key.as_str().unwrap_or_default();
        if key != own.0 {
            let words = format!("`{key}` stands beside `{}`; a block has one member", own.0);
            judge.say(&rule::UNKNOWN_FIELD, value, words);
        }
    }
    Some(own)
}

/// Judges one block, and what stands in it; ids are the caller's.
pub(crate) fn judge(judge: &mut Judge<'_>, block: Value<'_>, member: &str, value: Value<'_>, place: Place) {
    if member == "cachePoint" && matches!(place, Place::Result { .. }) && shape_of::CACHE_POINT.met(value) {
        judge.say(&rule::CACHE_MARKER_MISPLACED, block, "a cache mark stands behind a result, never in it");
        return;
    }
    if !place.takes(member) {
        shape::misplaced(judge, block, member, place.name());
        return;
    }
    let failed = place == (Place::Result { error: true });
    if failed && !matches!(member, "text" | "json") && !judge.target.media.in_error_results {
        judge.say(&rule::ERROR_RESULT_WITH_MEDIA, block, "an error result holds text alone");
    }
    if matches!(member, "image" | "document" | "video" | "audio") {
        stored(judge, member, value, place);
    }
    match member {
        "text" if matches!(place, Place::Result { .. }) && judge.target.content.blank_results => {
            shape::text(judge, block, "text");
        }
        "text" => shape::text_block(judge, block),
        "json" if value.is_object() => judge.keys(value),
        "json" => judge.say(&rule::RESULT_JSON_NOT_AN_OBJECT, value, format!("`json` is {}", value.kind().name())),
        "image" => {
            judge.medium(block, false);
            image(judge, block, value, place);
        }
        "document" => {
            judge.medium(block, true);
            document(judge, block, value);
        }
        "video" => file(judge, block, value, &shape_of::VIDEO),
        "audio" => file(judge, block, value, &shape_of::AUDIO),
        // Answers of the service name the type of an ordinary call, too.
        "toolUse" if value.get("type").is_some_and(|kind| !kind.is_str("tool_use")) => {
            must_be(judge, block, value, &shape_of::SERVER_CALL);
        }
        "toolUse" => {
            if structure(judge, block, value, &["toolUseId", "name", "input", "type"]) {
                call::call_name(judge, value, "name", false);
                arguments::object(judge, value, "input");
            }
        }
        "toolResult" if place == Place::Assistant => {
            if value.get("type").is_none() {
                shape::misplaced(judge, block, member, place.name());
            } else {
                must_be(judge, block, value, &shape_of::SERVER_RESULT);
            }
        }
        "toolResult" => result(judge, block, value),
        "reasoningContent" => reasoning(judge, block, value),
        "guardContent" => must_be(judge, block, value, &shape_of::GUARD),
        "cachePoint" => must_be(judge, block, value, &shape_of::CACHE_POINT),
        "citationsContent" => must_be(judge, block, value, &shape_of::CITATIONS),
        "searchResult" => must_be(judge, block, value, &shape_of::SEARCH_RESULT),
        _ => must_be(judge, block, value, &shape_of::TOOL_CHANGE),
    }
}

fn must_be(judge: &mut Judge<'_>, block: Value<'_>, value: Value<'_>, is: &Is) {
    if !is.met(value) {
        judge.say(&rule::UNKNOWN_BLOCK, block, "the block has not the shape of the service model");
    }
}

/// Whether the value is an object; says so if not, and which of its members the service model does not know.
fn structure(judge: &mut Judge<'_>, block: Value<'_>, value: Value<'_>, known: &[&str]) -> bool {
    if !value.is_object() {
        judge.say(&rule::UNKNOWN_BLOCK, block, format!("the block holds {}", value.kind().name()));
        return false;
    }
    judge.keys(value);
    only(judge, value, known);
    true
}

/// Says of each member that the service model does not know that it is refused.
pub(crate) fn only(judge: &mut Judge<'_>, object: Value<'_>, known: &[&str]) {
    shape::others(judge, object, known, "the service model has no");
}

fn result(judge: &mut Judge<'_>, block: Value<'_>, value: Value<'_>) {
    if !structure(judge, block, value, &["toolUseId", "content", "status"]) {
        return;
    }
    let status = value.get("status");
    let error = status.is_some_and(|status| status.is_str("error"));
    if let Some(status) = status.filter(|status| !error && !status.is_str("success")) {
        judge.say(&rule::ERROR_FLAG_NOT_A_BOOLEAN, status, "the status is neither `success` nor `error`");
    }
    let Some(list) = shape::blocks(judge, value, false) else { return };
    if list.items().next().is_none() {
        if error {
            judge.say(&rule::EMPTY_TOOL_RESULT, list, "the content of an error cannot be empty");
        } else if !judge.target.content.empty_results {
            judge.say(&rule::EMPTY_TOOL_RESULT, list, "the content of a result cannot be empty");
        }
    }
    for item in list.items() {
        if let Some((member, value)) = member(judge, item) {
            self::judge(judge, item, &member, value, Place::Result { error });
        }
    }
}

fn reasoning(judge: &mut Judge<'_>, block: Value<'_>, value: Value<'_>) {
    if !structure(judge, block, value, &["reasoningText", "redactedContent"]) {
        return;
    }
    let signed = judge.target.reasoning.signed;
    match (value.get("reasoningText"), value.get("redactedContent")) {
        (Some(words), None) => {
            if !structure(judge, block, words, &["text", "signature"]) {
                return;
            }
            shape::text(judge, words, "text");
            let signature = words.get("signature");
            if signature.is_some_and(|signature| !signature.is_string()) {
                judge.say(&rule::UNKNOWN_FIELD, signature.unwrap_or(words), "the signature is no string");
            }
            if signed && signature.and_then(Value::as_str).is_none_or(|text| blank(&text)) {
                let place = signature.unwrap_or(words);
                judge.say(&rule::THINKING_WITHOUT_SIGNATURE, place, "the reasoning has no `signature`");
            }
        }
        (None, Some(sealed)) => must_be(judge, block, sealed, &Is::Blob),
        _ => judge.say(&rule::UNKNOWN_BLOCK, block, "reasoning is either words or sealed"),
    }
}

/// The bytes in the source of a picture or file; `None` where the source is another, or none.
fn bytes(value: Value<'_>) -> Option<Value<'_>> {
    value.get("source")?.get("bytes")
}

/// Whether there is a source at all; says so if not.
fn sourced(judge: &mut Judge<'_>, block: Value<'_>, value: Value<'_>, rule: &'static rule::Rule) -> bool {
    let source = value.get("source").filter(|source| source.is_object() && source.members().next().is_some());
    if source.is_none() {
        judge.say(rule, value.get("source").unwrap_or(block), "there is no source");
    }
    source.is_some()
}

/// Says that the target does not take a picture or file by its place in S3, if it does not.
fn stored(judge: &mut Judge<'_>, member: &str, value: Value<'_>, place: Place) {
    let Some(source) = value.get("source").filter(|source| source.get("s3Location").is_some()) else { return };
    let media = &judge.target.media;
    let (refused, holder) = match place {
        Place::Result { .. } => (&media.no_s3_in_results, "a tool result"),
        _ => (&media.no_s3, "a message of the user"),
    };
    if refused.iter().any(|refused| refused == member) {
        let what = format!("the target takes no `{member}` by its place in S3 in {holder}");
        judge.say(&rule::MEDIA_BY_ADDRESS, source, what);
    }
}

fn image(judge: &mut Judge<'_>, block: Value<'_>, value: Value<'_>, place: Place) {
    if place != Place::User && !judge.target.media.in_results {
        judge.say(&rule::MEDIA_IN_TOOL_RESULT, block, "the target takes no pictures in results");
    }
    if !structure(judge, block, value, &["format", "source", "error"])
        || !sourced(judge, block, value, &rule::IMAGE_WITHOUT_DATA)
    {
        return;
    }
    let Some(data) = bytes(value) else { return must_be(judge, block, value, &shape_of::IMAGE) };
    // The format is the media type without its first half.
    let format = value.get("format").and_then(Value::as_str).filter(|format| shape_of::PICTURES.contains(&&**format));
    media::image(judge, value, Some(data), value.get("format"), Look::Spelling);
    let text = data.as_str().unwrap_or_default();
    let media::Base64::Canonical(head) = media::base64(&text) else { return };
    size::judge(judge, data, &text);
    match (media::picture(&head), format) {
        (None, _) => judge.say(&rule::IMAGE_NOT_AN_IMAGE, data, "the bytes are no picture"),
        (Some(names), format) => {
            let named = format.as_deref().is_some_and(|format| names[0].strip_prefix("image/") == Some(format));
            let taken = names[0].strip_prefix("image/").is_some_and(|name| shape_of::PICTURES.contains(&name));
            if !taken {
                judge.say(&rule::IMAGE_TYPE_NOT_ACCEPTED, data, format!("the API does not take {}", names[0]));
            } else if !named {
                let place = value.get("format").unwrap_or(value);
                let message = format!("the bytes are {}", names[0]);
                // A format that the service does not have is refused in any case.
                if format.is_some() {
                    judge.say(&rule::IMAGE_TYPE_MISMATCH, place, message);
                } else {
                    judge.refuse(&rule::IMAGE_TYPE_MISMATCH, place, message);
                }
            } else {
                must_be(judge, block, value, &shape_of::IMAGE);
            }
        }
    }
}

fn file(judge: &mut Judge<'_>, block: Value<'_>, value: Value<'_>, is: &Is) {
    if !value.is_object() {
        judge.say(&rule::FILE_WITHOUT_DATA, block, format!("the file is {}", value.kind().name()));
        return;
    }
    if !sourced(judge, block, value, &rule::FILE_WITHOUT_DATA) {
        return;
    }
    let format = value.get("format").and_then(Value::as_str);
    if let Some(format) = format.as_deref().filter(|_| bytes(value).is_none()) {
        accepted(judge, value, format);
    }
    if let Some(data) = bytes(value) {
        let text = data.as_str().unwrap_or_default();
        if blank(&text) {
            judge.say(&rule::FILE_WITHOUT_DATA, data, "the file has no data");
            return;
        }
        if !matches!(media::base64(&text), media::Base64::Canonical(_)) {
            judge.say(&rule::FILE_DATA_NOT_BASE64, data, "the data is not base64 in its standard spelling");
            return;
        }
        if let Some(format) = format.as_deref() {
            accepted(judge, value, format);
        }
        if value.get("format").is_some_and(|format| format.is_str("pdf")) {
            media::pdf(judge, data, "application/pdf", &text);
        }
    }
    must_be(judge, block, value, is);
}

/// Whether the target takes files of this format, by the media type that its name stands in.
fn accepted(judge: &mut Judge<'_>, value: Value<'_>, format: &str) {
    let types = &judge.target.media.file_types;
    let film = ["mp4", "mov", "mkv", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp"].contains(&format);
    let takes_films = types.iter().any(|kind| kind.starts_with("video/"));
    let recording =
        ["mp3", "opus", "wav", "aac", "flac", "ogg", "mka", "x-aac", "m4a", "mpga", "pcm"].contains(&format);
    let takes_recordings = types.iter().any(|kind| kind.starts_with("audio/"));
    if (film && !takes_films) || (recording && !takes_recordings) {
        judge.say(&rule::FILE_NOT_ACCEPTED, value, format!("the target does not take `{format}`"));
    }
}

fn document(judge: &mut Judge<'_>, block: Value<'_>, value: Value<'_>) {
    if !structure(judge, block, value, &["format", "name", "source", "context", "citations"]) {
        return;
    }
    file(judge, block, value, &shape_of::DOCUMENT);
    let Some(limits) = &judge.target.file_names else { return };
    let name = value.get("name").and_then(Value::as_str).filter(|name| !blank(name));
    let fits = name.as_ref().is_some_and(|name| {
        target::charset(limits.also.as_deref(), name)
            && limits.max_length.is_none_or(|max| name.chars().count() <= max)
            && !name.contains("  ")
    });
    let place = value.get("name").unwrap_or(value);
    if name.is_none() {
        judge.say(&rule::FILE_NAME_MISSING, place, "the document has no name");
    } else if !fits {
        judge.say(&rule::FILE_NAME_CHARACTERS, place, "the target refuses this name of a document");
    }
}
