//! The service model of Bedrock's content, as tables: what botocore refuses before anything is sent. Source:
//! `bedrock-runtime` in botocore 1.44.5. The tables have no cycle, so walking them is no recursion that the input controls.

use crate::judge::blank;
use crate::media::{Base64, base64};
use wirecanon_json::Value;
use wirecanon_model::target::charset;

/// What a value must be.
pub(crate) enum Is {
    String,
    Boolean,
    Integer,
    Document,
    /// Base64 of at least one byte
    Blob,
    /// A string that this function takes
    Such(fn(&str) -> bool),
    Enum(&'static [&'static str]),
    Each(&'static Is),
    /// A structure: members that must stand, members that may
    Of(Members, Members),
    /// A tagged union
    One(Members),
}

type Members = &'static [(&'static str, &'static Is)];

impl Is {
    pub(crate) fn met(&self, value: Value<'_>) -> bool {
        match self {
            Self::String => value.is_string(),
            Self::Boolean => value.as_bool().is_some(),
            Self::Integer => value.raw().parse::<u32>().is_ok(),
            Self::Document => value.is_object(),
            Self::Blob => value.as_str().is_some_and(|text| matches!(base64(&text), Base64::Canonical(_))),
            Self::Such(taken) => value.as_str().is_some_and(|text| taken(&text)),
            Self::Enum(names) => value.as_str().is_some_and(|text| names.contains(&&*text)),
            Self::Each(item) => value.is_array() && value.items().all(|value| item.met(value)),
            Self::Of(must, may) => {
                let known = must.iter().chain(may.iter());
                let count: usize = known.clone().filter(|(name, _)| value.get(name).is_some()).count();
                // As many members as known ones: none is unknown, and none stands twice.
                value.is_object()
                    && value.members().count() == count
                    && must.iter().all(|(name, _)| value.get(name).is_some())
                    && known.clone().all(|(name, is)| value.get(name).is_none_or(|value| is.met(value)))
            }
            Self::One(members) => {
                let found = members.iter().find_map(|(name, is)| Some((is, value.get(name)?)));
                value.members().count() == 1 && found.is_some_and(|(is, value)| is.met(value))
            }
        }
    }
}

const TEXTS: Is = Is::Each(&Is::One(&[("text", &Is::String)]));
const CITED: Is = Is::Of(&[("enabled", &Is::Boolean)], &[]);
const FAILED: Is = Is::Of(&[], &[("message", &Is::String)]);
const S3: Is = Is::Of(&[("uri", &Is::Such(s3))], &[("bucketOwner", &Is::Such(account))]);
const BYTES_OR_S3: Is = Is::One(&[("bytes", &Is::Blob), ("s3Location", &S3)]);
const SPAN: Is = Is::Of(&[], &[("documentIndex", &Is::Integer), ("start", &Is::Integer), ("end", &Is::Integer)]);
const HIT: Is = Is::Of(&[], &[("searchResultIndex", &Is::Integer), ("start", &Is::Integer), ("end", &Is::Integer)]);

/// What a picture may be.
pub(crate) const IMAGE: Is =
    Is::Of(&[("format", &Is::Enum(PICTURES)), ("source", &BYTES_OR_S3)], &[("error", &FAILED)]);
/// What a document may be; its name is judged by the target.
pub(crate) const DOCUMENT: Is = Is::Of(
    &[(
        "source",
        &Is::One(&[
            ("bytes", &Is::Blob),
            ("s3Location", &S3),
            ("text", &Is::Such(|text| !blank(text))),
            ("content", &TEXTS),
        ]),
    )],
    &[
        ("name", &Is::String),
        ("format", &Is::Enum(&["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"])),
        ("context", &Is::String),
        ("citations", &CITED),
    ],
);
/// What a film may be.
pub(crate) const VIDEO: Is = Is::Of(
    &[
        ("format", &Is::Enum(&["mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp"])),
        ("source", &BYTES_OR_S3),
    ],
    &[],
);
/// What a recording may be.
pub(crate) const AUDIO: Is =
    Is::Of(&[("format", &Is::Enum(RECORDINGS)), ("source", &BYTES_OR_S3)], &[("error", &FAILED)]);
/// Where the server may cache.
pub(crate) const CACHE_POINT: Is = Is::Of(&[("type", &Is::Enum(&["default"]))], &[("ttl", &Is::Enum(&["5m", "1h"]))]);
/// What a guardrail looks at.
pub(crate) const GUARD: Is = Is::One(&[
    (
        "text",
        &Is::Of(
            &[("text", &Is::String)],
            &[("qualifiers", &Is::Each(&Is::Enum(&["grounding_source", "query", "guard_content"])))],
        ),
    ),
    ("image", &Is::Of(&[("format", &Is::Enum(&["png", "jpeg"])), ("source", &Is::One(&[("bytes", &Is::Blob)]))], &[])),
]);
/// What a search found.
pub(crate) const SEARCH_RESULT: Is = Is::Of(
    &[("source", &Is::String), ("title", &Is::String), ("content", &Is::Each(&Is::Of(&[("text", &Is::String)], &[])))],
    &[("citations", &CITED)],
);
/// Words with their sources.
pub(crate) const CITATIONS: Is = Is::Of(
    &[],
    &[
        ("content", &TEXTS),
        (
            "citations",
            &Is::Each(&Is::Of(
                &[],
                &[
                    ("title", &Is::String),
                    ("source", &Is::String),
                    ("sourceContent", &TEXTS),
                    (
                        "location",
                        &Is::One(&[
                            ("web", &Is::Of(&[], &[("url", &Is::String), ("domain", &Is::String)])),
                            ("documentChar", &SPAN),
                            ("documentPage", &SPAN),
                            ("documentChunk", &SPAN),
                            ("searchResultLocation", &HIT),
                        ]),
                    ),
                ],
            )),
        ),
    ],
);
/// A tool that comes or goes in mid-conversation.
pub(crate) const TOOL_CHANGE: Is = Is::Of(
    &[("tool", &Is::Of(&[], &[("type", &Is::String), ("name", &Is::String), ("serverName", &Is::String)]))],
    &[],
);
/// A call of a tool that the server runs.
pub(crate) const SERVER_CALL: Is = Is::Of(
    &[
        ("toolUseId", &Is::Such(|id| short(id) && charset(Some("_.:-"), id))),
        ("name", &Is::Such(|name| short(name) && charset(Some("_-"), name))),
        ("input", &Is::Document),
        ("type", &Is::Enum(&["server_tool_use"])),
    ],
    &[],
);
/// What such a tool answered.
pub(crate) const SERVER_RESULT: Is = Is::Of(
    &[
        ("toolUseId", &Is::Such(|id| short(id) && charset(Some("_.:-"), id))),
        (
            "content",
            &Is::Each(&Is::One(&[
                ("json", &Is::Document),
                ("text", &Is::Such(|text| !blank(text))),
                ("image", &IMAGE),
                ("document", &DOCUMENT),
                ("video", &VIDEO),
                ("searchResult", &SEARCH_RESULT),
            ])),
        ),
        ("type", &Is::Such(|kind| !blank(kind))),
    ],
    &[("status", &Is::Enum(&["success", "error"]))],
);

/// Formats of pictures.
pub(crate) const PICTURES: &[&str] = &["png", "jpeg", "gif", "webp"];
const RECORDINGS: &[&str] =
    &["mp3", "opus", "wav", "aac", "flac", "mp4", "ogg", "mkv", "mka", "x-aac", "m4a", "mpeg", "mpga", "pcm", "webm"];

fn short(text: &str) -> bool {
    !text.is_empty() && text.len() <= 64
}

fn account(text: &str) -> bool {
    text.len() == 12 && text.chars().all(|c| c.is_ascii_digit())
}

/// An address in S3: `s3://[a-z0-9][.\-a-z0-9]{1,61}[a-z0-9](/.*)?`.
fn s3(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("s3://") else { return false };
    let bucket = rest.split('/').next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= 1024
        && (3..64).contains(&bucket.len())
        && bucket.starts_with(plain)
        && bucket.ends_with(plain)
        && bucket.chars().all(|c| plain(c) || c == '.' || c == '-')
}
