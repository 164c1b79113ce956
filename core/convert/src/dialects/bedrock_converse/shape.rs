//! The shapes of the service model that canonical content only carries. Source: `bedrock-runtime` in botocore 1.44.5.

use wirecanon_json::Value;
use wirecanon_model::target;

/// The shape of a value. The tables below end, so that walking them is no recursion that the input controls.
pub(crate) enum Shape {
    /// A string of which this is true
    Text(fn(&str) -> bool),
    /// One of these strings
    OneOf(&'static [&'static str]),
    Flag,
    /// A number that counts something
    Count,
    /// Any object
    Object,
    List(&'static Shape),
    /// Members: name, whether it must stand, shape. It has no others
    Struct(&'static [(&'static str, bool, &'static Shape)]),
    /// Exactly one of these members
    Union(&'static [(&'static str, &'static Shape)]),
}

impl Shape {
    /// Whether a value has this shape.
    pub(crate) fn fits(&self, value: Value<'_>) -> bool {
        match self {
            Self::Text(fits) => value.as_str().is_some_and(|text| fits(&text)),
            Self::OneOf(names) => names.iter().any(|name| value.is_str(name)),
            Self::Flag => value.as_bool().is_some(),
            Self::Count => {
                value.as_f64().is_some()
                    && !value.raw().is_empty()
                    && value.raw().bytes().all(|byte| byte.is_ascii_digit())
            }
            Self::Object => value.is_object(),
            Self::List(item) => value.is_array() && value.items().all(|value| item.fits(value)),
            Self::Struct(members) => {
                value.is_object()
                    && is_a_set(value)
                    && members.iter().all(|(name, must, _)| !must || value.get(name).is_some())
                    && value.members().all(|(key, value)| {
                        members.iter().any(|(name, _, shape)| key.is_str(name) && shape.fits(value))
                    })
            }
            Self::Union(members) => {
                value.is_object()
                    && value.members().count() == 1
                    && value
                        .members()
                        .all(|(key, value)| members.iter().any(|(name, shape)| key.is_str(name) && shape.fits(value)))
            }
        }
    }
}

/// Whether no key stands twice.
fn is_a_set(object: Value<'_>) -> bool {
    const MOST: usize = 16;
    object.members().nth(MOST).is_none()
        && object
            .members()
            .enumerate()
            .all(|(at, (key, _))| object.members().take(at).all(|(other, _)| other.as_str() != key.as_str()))
}

const TEXT: Shape = Shape::Text(|_| true);
const WORDS: Shape = Shape::Text(|text| !text.trim().is_empty());
const BYTES: Shape = Shape::Text(crate::media::is_canonical);
const TEXTS: Shape = Shape::List(&Shape::Union(&[("text", &TEXT)]));

/// `s3://`, a bucket, and a key in it.
fn is_s3(uri: &str) -> bool {
    let Some(rest) = uri.strip_prefix("s3://").filter(|_| uri.len() <= 1024) else { return false };
    let bucket = rest.split_once('/').map_or(rest, |(bucket, _)| bucket);
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    (3..=63).contains(&bucket.len())
        && edge(bucket.chars().next())
        && edge(bucket.chars().last())
        && bucket.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-'))
}

const S3: Shape = Shape::Struct(&[
    ("uri", true, &Shape::Text(is_s3)),
    ("bucketOwner", false, &Shape::Text(|owner| owner.len() == 12 && owner.bytes().all(|byte| byte.is_ascii_digit()))),
]);
const BLOB: Shape = Shape::Union(&[("bytes", &BYTES), ("s3Location", &S3)]);
const ERROR: Shape = Shape::Struct(&[("message", false, &TEXT)]);
const CITATIONS_CONFIG: Shape = Shape::Struct(&[("enabled", true, &Shape::Flag)]);

/// Formats of pictures.
pub(crate) const IMAGE_FORMATS: &[&str] = &["png", "jpeg", "gif", "webp"];
/// Formats of documents.
pub(crate) const DOCUMENT_FORMATS: &[&str] = &["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"];
/// Formats of films.
pub(crate) const VIDEO_FORMATS: &[&str] = &["mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp"];
/// Formats of recordings.
pub(crate) const AUDIO_FORMATS: &[&str] =
    &["mp3", "opus", "wav", "aac", "flac", "mp4", "ogg", "mkv", "mka", "x-aac", "m4a", "mpeg", "mpga", "pcm", "webm"];

const IMAGE: Shape =
    Shape::Struct(&[("format", true, &Shape::OneOf(IMAGE_FORMATS)), ("source", true, &BLOB), ("error", false, &ERROR)]);
const DOCUMENT: Shape = Shape::Struct(&[
    ("format", false, &Shape::OneOf(DOCUMENT_FORMATS)),
    ("name", true, &Shape::Text(is_document_name)),
    ("source", true, &Shape::Union(&[("bytes", &BYTES), ("s3Location", &S3), ("text", &WORDS), ("content", &TEXTS)])),
    ("context", false, &TEXT),
    ("citations", false, &CITATIONS_CONFIG),
]);
const VIDEO: Shape = Shape::Struct(&[("format", true, &Shape::OneOf(VIDEO_FORMATS)), ("source", true, &BLOB)]);
const AUDIO: Shape =
    Shape::Struct(&[("format", true, &Shape::OneOf(AUDIO_FORMATS)), ("source", true, &BLOB), ("error", false, &ERROR)]);
const CACHE_POINT: Shape =
    Shape::Struct(&[("type", true, &Shape::OneOf(&["default"])), ("ttl", false, &Shape::OneOf(&["5m", "1h"]))]);
const GUARD: Shape = Shape::Union(&[
    (
        "text",
        &Shape::Struct(&[
            ("text", true, &TEXT),
            ("qualifiers", false, &Shape::List(&Shape::OneOf(&["grounding_source", "query", "guard_content"]))),
        ]),
    ),
    (
        "image",
        &Shape::Struct(&[
            ("format", true, &Shape::OneOf(&["png", "jpeg"])),
            ("source", true, &Shape::Union(&[("bytes", &BYTES)])),
        ]),
    ),
]);
const SEARCH_RESULT: Shape = Shape::Struct(&[
    ("source", true, &TEXT),
    ("title", true, &TEXT),
    ("content", true, &Shape::List(&Shape::Struct(&[("text", true, &TEXT)]))),
    ("citations", false, &CITATIONS_CONFIG),
]);
const PLACE: Shape = Shape::Struct(&[
    ("documentIndex", false, &Shape::Count),
    ("start", false, &Shape::Count),
    ("end", false, &Shape::Count),
]);
const CITATIONS: Shape = Shape::Struct(&[
    ("content", false, &TEXTS),
    (
        "citations",
        false,
        &Shape::List(&Shape::Struct(&[
            ("title", false, &TEXT),
            ("source", false, &TEXT),
            ("sourceContent", false, &TEXTS),
            (
                "location",
                false,
                &Shape::Union(&[
                    ("web", &Shape::Struct(&[("url", false, &TEXT), ("domain", false, &TEXT)])),
                    ("documentChar", &PLACE),
                    ("documentPage", &PLACE),
                    ("documentChunk", &PLACE),
                    (
                        "searchResultLocation",
                        &Shape::Struct(&[
                            ("searchResultIndex", false, &Shape::Count),
                            ("start", false, &Shape::Count),
                            ("end", false, &Shape::Count),
                        ]),
                    ),
                ]),
            ),
        ])),
    ),
]);
const TOOL_CHANGE: Shape = Shape::Struct(&[(
    "tool",
    true,
    &Shape::Struct(&[("type", false, &TEXT), ("name", false, &TEXT), ("serverName", false, &TEXT)]),
)]);
const RESULT_CONTENT: Shape = Shape::Union(&[
    ("json", &Shape::Object),
    ("text", &WORDS),
    ("image", &IMAGE),
    ("document", &DOCUMENT),
    ("video", &VIDEO),
    ("searchResult", &SEARCH_RESULT),
]);
/// A call of a tool that the server runs.
const SERVER_CALL: Shape = Shape::Struct(&[
    ("toolUseId", true, &Shape::Text(is_call_id)),
    ("name", true, &Shape::Text(is_tool_name)),
    ("input", true, &Shape::Object),
    ("type", true, &Shape::OneOf(&["server_tool_use"])),
]);
/// What such a tool answered.
const SERVER_RESULT: Shape = Shape::Struct(&[
    ("toolUseId", true, &Shape::Text(is_call_id)),
    ("content", true, &Shape::List(&RESULT_CONTENT)),
    ("status", false, &Shape::OneOf(&["success", "error"])),
    ("type", true, &WORDS),
]);

fn is_call_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && target::charset(Some("_.:-"), id)
}

fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && target::charset(Some("_-"), name)
}

/// Characters of a document's name beside letters and digits.
pub(crate) const DOCUMENT_NAME: &str = " -()[]_";

/// "The name can only contain alphanumeric characters, whitespace (no more than one in a row), hyphens, parentheses and
/// square brackets."
fn is_document_name(name: &str) -> bool {
    (1..=200).contains(&name.len()) && target::charset(Some(DOCUMENT_NAME), name) && !name.contains("  ")
}

/// The shape of a member of a block's union that canonical content only carries.
pub(crate) fn of(member: &str) -> Option<&'static Shape> {
    Some(match member {
        "image" => &IMAGE,
        "document" => &DOCUMENT,
        "video" => &VIDEO,
        "audio" => &AUDIO,
        "cachePoint" => &CACHE_POINT,
        "guardContent" => &GUARD,
        "citationsContent" => &CITATIONS,
        "searchResult" => &SEARCH_RESULT,
        "toolAddition" | "toolRemoval" => &TOOL_CHANGE,
        "toolUse" => &SERVER_CALL,
        "toolResult" => &SERVER_RESULT,
        "json" => &Shape::Object,
        "context" => &TEXT,
        "citations" => &CITATIONS_CONFIG,
        "error" => &ERROR,
        _ => return None,
    })
}
