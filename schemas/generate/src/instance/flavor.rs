//! What a string is likely to be, by the name of the member that holds it.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::super::{Draw, media};

/// A kind of string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Flavor {
    Text,
    Name,
    Id,
    Uri,
    Mime,
    Base64,
    /// A JSON object in a string
    Json,
    Time,
    Word,
}

impl Flavor {
    /// By the name of a member; `None` is the root or an item of a list.
    pub(super) fn of(member: Option<&str>) -> Self {
        let Some(member) = member else { return Self::Text };
        let lower = member.to_ascii_lowercase();
        let ends = |ends: &[&str]| ends.iter().any(|end| lower.ends_with(end));
        if ends(&["mimetype", "mime_type", "media_type", "mediatype"]) {
            Self::Mime
        } else if lower == "id" || ends(&["_id", "signature", "cursor", "etag"]) || member.ends_with("Id") {
            Self::Id
        } else if ends(&["uri", "url", "src", "href"]) {
            Self::Uri
        } else if ends(&["data", "blob", "bytes"]) {
            Self::Base64
        } else if ends(&["arguments", "input_json", "partial_json"]) {
            Self::Json
        } else if ends(&["name", "tool", "model", "role", "type", "format"]) {
            Self::Name
        } else if ends(&["time", "_at", "timestamp", "modified", "date"]) {
            Self::Time
        } else if ends(&[
            "text",
            "content",
            "description",
            "thinking",
            "message",
            "title",
            "reasoning",
            "input",
            "output",
        ]) {
            Self::Text
        } else {
            Self::Word
        }
    }

    /// Appends one, without quotes and escapes.
    pub(super) fn draw(self, draw: &mut Draw<'_, '_>, out: &mut String) {
        match self {
            Self::Text => text(draw, out),
            Self::Name => out.push_str(draw.pick(NAMES)),
            Self::Id => {
                out.push_str(draw.pick(&["call_", "toolu_01", "fc_", "msg_", "", "chatcmpl-tool-", "rs_"]));
                let number = draw.number();
                let _ = write!(out, "{:x}", if draw.chance(1, 4) { number } else { number & 0xffff });
            }
            Self::Uri => out.push_str(draw.pick(URIS)),
            Self::Mime => out.push_str(draw.pick(MIMES)),
            Self::Base64 => out.push_str(&MEDIA[draw.up_to(MEDIA.len() - 1)].1),
            Self::Json => json(draw, out),
            Self::Time => out.push_str(draw.pick(TIMES)),
            Self::Word => match draw.up_to(15) {
                15 => text(draw, out),
                14 => {}
                _ => out.push_str(draw.pick(WORDS)),
            },
        }
    }

    /// Examples, for strings that patterns and formats bind.
    pub(super) fn examples(self) -> Vec<&'static str> {
        let list: &[&str] = match self {
            Self::Text | Self::Word => WORDS,
            Self::Name => NAMES,
            Self::Id => {
                &["call_1", "toolu_01A09q90qw90lq917835lq9", "fc_68a1", "msg_01", "rs_7f", "srvtoolu_01", "c-1"]
            }
            Self::Uri => URIS,
            Self::Mime => MIMES,
            Self::Base64 => return MEDIA.iter().map(|(_, data)| &data[..]).collect(),
            Self::Json => &["{}", r#"{"path":"a.txt"}"#, r#"{"q":"\u00e9","n":1}"#],
            Self::Time => TIMES,
        };
        list.to_vec()
    }
}

/// Strings of a format; empty for one that is not known, which then says nothing.
pub(super) fn of_format(format: &str) -> &'static [&'static str] {
    match format {
        "date-time" => &["2026-01-31T12:00:00Z", "1985-04-12T23:20:50.52Z", "2024-02-29T00:00:00+02:00"],
        "date" => &["2026-01-31", "2024-02-29"],
        "time" => &["12:00:00Z", "23:59:59.5+02:00"],
        "duration" => &["P1D", "PT0S", "P1Y2M3DT4H5M6S"],
        "email" | "idn-email" => &["a@example.org", "first.last+tag@example.com"],
        "hostname" | "idn-hostname" => &["example.org", "a-b.example"],
        "ipv4" => &["127.0.0.1", "203.0.113.9"],
        "ipv6" => &["::1", "2001:db8::8a2e:370:7334"],
        "uri" | "iri" => URIS,
        "uri-reference" | "iri-reference" => &["a/b?c#d", "#frag", "", "file:///tmp/a.txt", "../x"],
        "uri-template" => &["file:///{path}", "https://example.org/{?q}", "x"],
        "uuid" => &["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-4000-8000-000000000000"],
        "json-pointer" => &["", "/a/0", "/m~0n/x~1y"],
        "relative-json-pointer" => &["0", "1/a", "2#"],
        "regex" => &["^a+$", ".*", "[a-z]{2}"],
        "byte" => &["aGVsbG8=", "", "AA==", "iVBORw0KGgo="],
        _ => &[],
    }
}

/// A medium: what it is, and its bytes as base64.
pub(super) type Medium = (&'static str, String);

/// Media that are what they say from the first byte.
pub(super) static MEDIA: LazyLock<Vec<Medium>> = LazyLock::new(|| {
    let mark = "one";
    vec![
        ("image/png", media::base64(&media::png(mark))),
        ("image/gif", media::base64(&media::gif(mark))),
        ("audio/wav", media::wav(mark)),
        ("image/jpeg", media::base64(&media::jpeg(mark))),
        ("image/png", media::base64(&media::png(&"long ".repeat(200)))),
        ("text/plain", media::base64("na\u{ef}ve".as_bytes())),
        ("application/pdf", media::base64(b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n")),
        (
            "image/webp",
            media::base64(b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"),
        ),
        ("audio/mpeg", media::base64(&[&b"ID3\x04\0\0\0\0\0\0\xff\xfb\x90\x64"[..], &[0; 400]].concat())),
        (
            "audio/ogg",
            media::base64(
                b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0",
            ),
        ),
        ("application/zip", media::base64(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")),
        ("image/jpeg", media::base64(&media::jpeg(&"noise ".repeat(500)))),
    ]
});

/// A medium of this kind that holds `number`, as base64; none for kinds whose bytes are always the same.
pub(super) fn own(kind: &str, number: u64) -> Option<String> {
    let mark = format!("own {number:x}");
    Some(match kind {
        "image/png" => media::base64(&media::png(&mark)),
        "image/gif" => media::base64(&media::gif(&mark)),
        "image/jpeg" => media::base64(&media::jpeg(&mark)),
        "audio/wav" => media::wav(&mark),
        "text/plain" => media::base64(mark.as_bytes()),
        _ => return None,
    })
}

const MIMES: &[&str] = &[
    "text/plain",
    "image/png",
    "application/json",
    "image/jpeg",
    "audio/wav",
    "text/markdown",
    "application/octet-stream",
];

const URIS: &[&str] = &[
    "file:///work/report.txt",
    "https://example.org/a.png",
    "https://example.org/search?q=caf%C3%A9&n=2#top",
    "urn:isbn:9780131103627",
    "resource://notes/1",
    "mailto:a@example.org",
];

const TIMES: &[&str] = &["2026-01-31T12:00:00Z", "1985-04-12T23:20:50.52Z", "2024-02-29T00:00:00+02:00"];

const NAMES: &[&str] =
    &["read", "bash", "web_search", "mcp__fs__read-file", "get_weather", "Edit", "x", "fs.read", "list_directory"];

const WORDS: &[&str] = &[
    "the", "file", "reads", "as", "expected", "now", "run", "tests", "again", "and", "report", "auto", "low", "ok",
    "error", "null", "0", "true",
];

/// Text that has broken programs before.
const ODD: &[&str] = &[
    "na\u{ef}ve",
    "\u{65e5}\u{672c}\u{8a9e}",
    "\u{1f980}",
    "e\u{301}",
    "\u{200b}",
    "\u{645}\u{631}\u{62d}\u{628}\u{627}",
    "\u{7f}",
    "\u{fffd}",
    "\u{1d4b3}",
    "\u{feff}",
    "\"quoted\"",
    "C:\\bin",
    "{\"a\": 1}",
    "<tool_call>",
    "a/b",
    "line\nline",
    "tab\there",
    "%20",
    "\u{0}",
    "\u{1b}[31m",
    "\u{2028}",
    "</s>",
    "\r\n",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
];

fn text(draw: &mut Draw<'_, '_>, out: &mut String) {
    let words = match draw.up_to(63) {
        63 => 200 + draw.up_to(600),
        62 => 0,
        few => 1 + few % 9,
    };
    for word in 0..words {
        if word > 0 {
            out.push(' ');
        }
        // Long texts repeat what few bytes said.
        out.push_str(if word > 8 {
            WORDS[word % WORDS.len()]
        } else if draw.chance(1, 8) {
            draw.pick(ODD)
        } else {
            draw.pick(WORDS)
        });
    }
}

fn json(draw: &mut Draw<'_, '_>, out: &mut String) {
    out.push('{');
    for member in 0..draw.up_to(3) {
        if member > 0 {
            out.push_str(", ");
        }
        let _ = write!(out, "\"{}\":", ["path", "q", "n", "\u{e9}"][member]);
        out.push_str(draw.pick(&[
            "\"a.txt\"",
            "1",
            "[1,2]",
            "{\"b\":null}",
            "\"\\u00e9\\n\"",
            "1e2",
            "true",
            "9007199254740993",
        ]));
    }
    out.push('}');
}
