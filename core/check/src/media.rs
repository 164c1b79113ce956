//! Pictures, recordings and documents: base64 and headers, decided by code of the judge's own.

use std::borrow::Cow;

use crate::judge::{Judge, blank};
use wirecanon_json::Value;
use wirecanon_model::Dialect;
use wirecanon_model::rule::{self, Rule};

/// What a string is as base64.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Base64 {
    /// Canonical: standard alphabet, padded, no stray bits. Holds the first bytes.
    Canonical(Vec<u8>),
    /// Base64 in another spelling
    Other,
    /// A data URL
    DataUrl,
    /// No base64
    Not,
}

impl Base64 {
    /// The rule that the data of a picture breaks, and how.
    pub(super) fn fault(&self) -> Option<(&'static Rule, &'static str)> {
        match self {
            Self::Canonical(_) => None,
            Self::Other => Some((&rule::IMAGE_BASE64_NOT_CANONICAL, "the base64 is not standard, padded and clean")),
            Self::DataUrl => Some((&rule::IMAGE_DATA_URL_PREFIX, "a data URL stands where base64 alone belongs")),
            Self::Not => Some((&rule::IMAGE_DATA_NOT_BASE64, "the data is not base64")),
        }
    }
}

/// How many bytes the headers of all kinds of picture need.
const HEAD: usize = 48;
/// No character of the alphabet.
const NONE: u8 = 0x80;

/// The value of each character of the standard alphabet (RFC 4648, section 4).
const VALUES: [u8; 256] = {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < alphabet.len() {
        values[alphabet[at] as usize] = at as u8;
        at += 1;
    }
    values
};

/// Classifies `text`, which is not empty.
pub(super) fn base64(text: &str) -> Base64 {
    if let Some(head) = canonical(text.as_bytes()) {
        return Base64::Canonical(head);
    }
    if text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:")) {
        return Base64::DataUrl;
    }
    // Both alphabets, any padding, white space anywhere.
    let mut length = 0_usize;
    let mut padding = 0_usize;
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        match byte {
            b'=' => padding += 1,
            b'-' | b'_' if padding == 0 => length += 1,
            _ if padding == 0 && VALUES[usize::from(byte)] != NONE => length += 1,
            _ => return Base64::Not,
        }
    }
    if length > 0 && length % 4 != 1 && padding <= 2 { Base64::Other } else { Base64::Not }
}

/// The first bytes, if `text` is the one canonical spelling of some bytes.
fn canonical(text: &[u8]) -> Option<Vec<u8>> {
    if text.is_empty() || !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.iter().rev().take(2).take_while(|byte| **byte == b'=').count();
    let body = &text[..text.len() - padding];
    if body.iter().fold(0, |all, byte| all | VALUES[usize::from(*byte)]) & NONE != 0 {
        return None;
    }
    let last = VALUES[usize::from(body[body.len() - 1])];
    let stray = match padding {
        0 => 0,
        1 => last & 0b11,
        _ => last & 0b1111,
    };
    (stray == 0).then(|| decode(&body[..body.len().min(HEAD / 3 * 4)]))
}

/// The first bytes of canonical base64, so many at most.
pub(super) fn first_bytes(text: &str, most: usize) -> Vec<u8> {
    let body = text.trim_end_matches('=').as_bytes();
    let mut bytes = decode(&body[..body.len().min(most.div_ceil(3) * 4)]);
    bytes.truncate(most);
    bytes
}

/// Decodes characters that are all of the alphabet.
fn decode(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD);
    for group in body.chunks(4) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 6 | u32::from(VALUES[usize::from(*byte)]));
        let bits = bits << (6 * (4 - group.len()));
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    out
}

/// The first bytes of pictures that these alone tell.
const HEADS: [(&[u8], &[&str]); 9] = [
    (b"\x89PNG\r\n\x1a\n", &["image/png"]),
    (b"\xFF\xD8\xFF", &["image/jpeg"]),
    (b"GIF87a", &["image/gif"]),
    (b"GIF89a", &["image/gif"]),
    (b"II*\0", &["image/tiff"]),
    (b"MM\0*", &["image/tiff"]),
    (b"II+\0", &["image/tiff"]),
    (b"MM\0+", &["image/tiff"]),
    (b"\0\0\x01\0", &["image/x-icon", "image/vnd.microsoft.icon"]),
];

/// The media types that name the kind of picture that these first bytes open; the usual one first. `None` for no picture.
pub(super) fn picture(head: &[u8]) -> Option<&'static [&'static str]> {
    const HEIC: &[&str] = &["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"];
    const AVIF: &[&str] = &["image/avif"];
    const EITHER: &[&str] = &["image/heic", "image/heif", "image/avif"];
    if let Some((_, names)) = HEADS.iter().find(|(magic, _)| head.starts_with(magic)) {
        Some(names)
    } else if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        Some(&["image/webp"])
    } else if head.starts_with(b"BM") && head.get(6..10).is_none_or(|reserved| reserved == [0; 4]) {
        Some(&["image/bmp"])
    } else if head.get(4..8) == Some(b"ftyp") {
        match head.get(8..12)? {
            b"avif" | b"avis" => Some(AVIF),
            // The general brand of the container: the brands that follow tell.
            b"mif1" | b"msf1" if head.chunks_exact(4).skip(4).any(|brand| brand == b"avif") => Some(EITHER),
            b"mif1" | b"msf1" | b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" => {
                Some(HEIC)
            }
            _ => None,
        }
    } else {
        None
    }
}

/// Whether this is a picture: by what it says, or by its bytes where it says that it is of any kind, or names no media type.
pub(super) fn of_picture(kind: &str, data: Option<Value<'_>>) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    if kind.contains('/') && !kind.ends_with("/octet-stream") && !kind.ends_with("/*") {
        return kind.starts_with("image/");
    }
    let text = data.and_then(Value::as_str).unwrap_or_default();
    matches!(base64(&from_protobuf(&text)), Base64::Canonical(head) if picture(&head).is_some())
}

/// How closely a picture is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Its data is base64, and it says what it is
    Spelling,
    /// Also, its bytes are a picture that the target takes, and what it says that it is
    Bytes,
}

/// A picture by its bytes. `holder` is what a violation points at where a member is missing.
pub(super) fn image(
    judge: &mut Judge<'_>,
    holder: Value<'_>,
    data: Option<Value<'_>>,
    kind: Option<Value<'_>>,
    look: Look,
) {
    let text = data.and_then(Value::as_str).unwrap_or_default();
    image_of(judge, holder, (data, &text), kind, look);
}

/// A picture by its bytes, in base64 as protobuf JSON takes it.
pub(super) fn protobuf_image(
    judge: &mut Judge<'_>,
    holder: Value<'_>,
    data: Option<Value<'_>>,
    kind: Option<Value<'_>>,
) {
    let text = data.and_then(Value::as_str).unwrap_or_default();
    image_of(judge, holder, (data, &from_protobuf(&text)), kind, Look::Bytes);
}

/// The bytes of a file that says what kind it is, in base64 as protobuf JSON takes it.
pub(super) fn protobuf_file(
    judge: &mut Judge<'_>,
    holder: Value<'_>,
    data: Option<Value<'_>>,
    kind: Option<Value<'_>>,
) {
    let (place, text) = (data.unwrap_or(holder), data.and_then(Value::as_str).unwrap_or_default());
    if blank(&text) {
        judge.say(&rule::FILE_WITHOUT_DATA, place, "the file has no data");
    } else if !is_protobuf_base64(&text) {
        judge.say(&rule::FILE_DATA_NOT_BASE64, place, "the data is not base64");
    }
    if kind.and_then(Value::as_str).is_none_or(|kind| blank(&kind)) {
        judge.say(&rule::FILE_TYPE_MISSING, kind.unwrap_or(holder), "the file does not say what kind it is");
    }
}

/// Whether this is base64 as protobuf JSON takes it: either alphabet, padded or not (RFC 4648, sections 4 and 5).
pub(super) fn is_protobuf_base64(text: &str) -> bool {
    matches!(base64(&from_protobuf(text)), Base64::Canonical(_))
}

/// The standard, padded spelling of base64 in the URL-safe alphabet or without padding; anything else as it is.
fn from_protobuf(text: &str) -> String {
    let safe = text.contains(['-', '_']) && !text.contains(['+', '/']);
    let mut new = if safe { text.replace('-', "+").replace('_', "/") } else { text.to_owned() };
    if !new.contains('=') {
        new.extend(std::iter::repeat_n('=', (4 - new.len() % 4) % 4));
    }
    new
}

fn image_of(
    judge: &mut Judge<'_>,
    holder: Value<'_>,
    (data, text): (Option<Value<'_>>, &str),
    kind: Option<Value<'_>>,
    look: Look,
) {
    let place = data.unwrap_or(holder);
    if blank(text) {
        judge.say(&rule::IMAGE_WITHOUT_DATA, place, "the picture has no data");
        return;
    }
    let head = head(judge, place, base64(text));
    let declared = kind.and_then(Value::as_str).filter(|kind| !blank(kind));
    if declared.is_none() {
        judge.say(&rule::IMAGE_TYPE_MISSING, kind.unwrap_or(holder), "the picture does not say what kind it is");
    }
    if let Some(head) = head.filter(|_| look != Look::Spelling) {
        bytes(judge, place, kind.unwrap_or(place), &head, declared.as_deref());
    }
}

/// The first bytes of a picture: what they are, what they are said to be, and whether the target takes it.
fn bytes(judge: &mut Judge<'_>, data: Value<'_>, kind: Value<'_>, head: &[u8], declared: Option<&str>) {
    let Some(names) = picture(head) else {
        judge.say(&rule::IMAGE_NOT_AN_IMAGE, data, "the bytes are no picture");
        return;
    };
    if declared.is_some_and(|declared| !names.contains(&declared)) {
        judge.say(&rule::IMAGE_TYPE_MISMATCH, kind, format!("the bytes are {}", names[0]));
    }
    let accepted = &judge.target.media.image_types;
    if !accepted.is_empty() && !names.iter().any(|name| accepted.iter().any(|accepted| accepted == name)) {
        judge.say(&rule::IMAGE_TYPE_NOT_ACCEPTED, kind, format!("the target does not take {}", names[0]));
    }
}

/// A picture as base64 alone, which says nothing of its kind.
pub(super) fn bare(judge: &mut Judge<'_>, place: Value<'_>) {
    let text = place.as_str().unwrap_or_default();
    if blank(&text) {
        judge.say(&rule::IMAGE_WITHOUT_DATA, place, "the picture has no data");
        return;
    }
    if let Some(head) = head(judge, place, base64(&text)) {
        bytes(judge, place, place, &head, None);
    }
}

/// The first bytes of a picture's data; says so where it is not base64 in its one spelling.
fn head(judge: &mut Judge<'_>, place: Value<'_>, base64: Base64) -> Option<Vec<u8>> {
    if let Some((rule, words)) = base64.fault() {
        judge.say(rule, place, words);
    }
    if let Base64::Canonical(head) = base64 { Some(head) } else { None }
}

/// A picture as a data URL in `url`.
pub(super) fn data_url(judge: &mut Judge<'_>, url: Value<'_>, text: &str) {
    let Some((kind, data)) = split_data_url(text) else {
        judge.say(&rule::IMAGE_DATA_NOT_BASE64, url, "the data URL does not hold base64");
        return;
    };
    if blank(data) {
        judge.say(&rule::IMAGE_WITHOUT_DATA, url, "the picture has no data");
        return;
    }
    if kind.is_empty() {
        judge.say(&rule::IMAGE_TYPE_MISSING, url, "the data URL does not say what kind of picture it holds");
    }
    // "Expected a base64-encoded data URL with an image MIME type" (vercel/ai#7939); which one does not matter.
    let strict = matches!(judge.target.dialect, Dialect::OpenAiChat | Dialect::OpenAiResponses);
    let is_a_picture = kind.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("image/"));
    let declared = Some(kind).filter(|kind| strict && !kind.is_empty() && !is_a_picture);
    // A data URL within one is no base64 either.
    let base64 = Some(base64(data)).filter(|base64| *base64 != Base64::DataUrl).unwrap_or(Base64::Not);
    if let Some(head) = head(judge, url, base64) {
        bytes(judge, url, url, &head, declared);
    }
}

/// Media type and data of a base64 data URL (RFC 2397).
pub(super) fn split_data_url(text: &str) -> Option<(&str, &str)> {
    let (head, data) = text.get(5..)?.split_once(',')?;
    let (kind, last) = head.rsplit_once(';')?;
    last.trim().eq_ignore_ascii_case("base64").then(|| (kind.split(';').next().unwrap_or(kind).trim(), data))
}

/// Whether this is a data URL, of whatever kind.
pub(super) fn is_data_url(text: &str) -> bool {
    text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"))
}

/// The bytes of a document or a recording under `key` of `holder`.
pub(super) fn file_data(judge: &mut Judge<'_>, holder: Value<'_>, key: &str) {
    let data = holder.get(key);
    let (place, text) = (data.unwrap_or(holder), data.and_then(Value::as_str).unwrap_or_default());
    if blank(&text) {
        judge.say(&rule::FILE_WITHOUT_DATA, place, "the file has no data");
    } else if !is_file_base64(judge, &text) {
        judge.say(&rule::FILE_DATA_NOT_BASE64, place, "the data is not base64 in its standard spelling");
    }
}

/// Returns whether a text is base64 as the target takes it of a file: some take it broken into lines.
pub(super) fn is_file_base64(judge: &Judge<'_>, text: &str) -> bool {
    let is_canonical = |text: &str| matches!(base64(text), Base64::Canonical(_));
    is_canonical(text)
        || judge.target.media.broken_lines
            && text.contains(['\n', '\r'])
            && is_canonical(&text.replace(['\n', '\r'], ""))
}

/// Returns the media type of audio, video and text by the ending of an address.
pub(super) fn type_by_ending(address: &str) -> Option<&'static str> {
    let path = address.split(['?', '#']).next()?;
    let (_, ending) = path.rsplit_once('/')?.1.rsplit_once('.')?;
    match &*ending.to_ascii_lowercase() {
        "mp3" => Some("audio/mpeg"),
        "wav" => Some("audio/wav"),
        "ogg" | "oga" | "opus" => Some("audio/ogg"),
        "flac" => Some("audio/flac"),
        "mp4" => Some("video/mp4"),
        "mov" => Some("video/quicktime"),
        "webm" => Some("video/webm"),
        "mkv" => Some("video/x-matroska"),
        "txt" => Some("text/plain"),
        "md" => Some("text/markdown"),
        "csv" => Some("text/csv"),
        _ => None,
    }
}

/// How far behind its start a PDF may have its header (ISO 32000-1, annex H.3).
const HEAD_OF_PDF: usize = 1024;

/// "The PDF specified was not valid": the bytes of what says that it is a PDF have its header.
pub(super) fn pdf(judge: &mut Judge<'_>, data: Value<'_>, kind: &str, text: &str) {
    let said = kind.split(';').next().unwrap_or_default().trim();
    let text = from_protobuf(text);
    if !said.eq_ignore_ascii_case("application/pdf") || !matches!(base64(&text), Base64::Canonical(_)) {
        return;
    }
    if !first_bytes(&text, HEAD_OF_PDF).windows(5).any(|found| found == b"%PDF-") {
        judge.say(&rule::FILE_NOT_A_PDF, data, "the bytes are no PDF");
    }
}

/// The same of what stands under `data` of `holder`, and its type under `kind`.
pub(super) fn pdf_of(judge: &mut Judge<'_>, holder: Value<'_>, data: &str, kind: &str) {
    let text = |key: &str| holder.get(key).and_then(|value| Some((value, value.as_str()?)));
    if let (Some((place, data)), Some((_, kind))) = (text(data), text(kind)) {
        pdf(judge, place, &kind, &data);
    }
}

/// The media type of a document or a recording under `key` of `holder`, and whether the target takes it.
pub(super) fn file_type(judge: &mut Judge<'_>, holder: Value<'_>, key: &str) {
    if let Some((value, kind)) = said_type(judge, holder, key) {
        accepted_file(judge, value, &kind);
    }
}

/// The media type of a document or a recording, whatever it is.
pub(super) fn said_type<'a>(judge: &mut Judge<'_>, holder: Value<'a>, key: &str) -> Option<(Value<'a>, Cow<'a, str>)> {
    let value = holder.get(key);
    let said = value.and_then(|value| Some((value, value.as_str()?))).filter(|(_, kind)| !blank(kind));
    if said.is_none() {
        judge.say(&rule::FILE_TYPE_MISSING, value.unwrap_or(holder), "the file does not say what kind it is");
    }
    said
}

/// Whether the target takes files of this kind.
pub(super) fn accepted_file(judge: &mut Judge<'_>, place: Value<'_>, kind: &str) {
    let types = &judge.target.media.file_types;
    // Whoever takes all kinds of a type looks at the type alone.
    let is_of = |known: &str| kind.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known));
    let taken = |known: &String| if known.ends_with('/') { is_of(known) } else { known == kind };
    if !types.is_empty() && !types.iter().any(taken) {
        judge.say(&rule::FILE_NOT_ACCEPTED, place, format!("the target does not take {kind}"));
    }
}

/// Reports base64 of an image or a PDF that stands where an address belongs; true if it does.
pub(super) fn bare_base64(judge: &mut Judge<'_>, url: Value<'_>) -> bool {
    let is_bare = url.as_str().is_some_and(|text| is_bare(&text));
    if is_bare {
        judge.say(&rule::MEDIA_WITHOUT_ADDRESS, url, "base64 stands where an address belongs");
    }
    is_bare
}

/// Returns whether a text of some length is base64, in any spelling, that begins with the header of an image or a PDF.
fn is_bare(text: &str) -> bool {
    const LEAST: usize = 16;
    // No form feed, which is white space too, belongs to base64.
    if text.len() < LEAST || text.contains('\u{c}') || !matches!(base64(text), Base64::Canonical(_) | Base64::Other) {
        return false;
    }
    let symbols = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let length = symbols.clone().filter(|byte| *byte != b'=').count();
    let padding = symbols.clone().filter(|byte| *byte == b'=').count();
    if padding > 0 && (length % 4 == 0 || padding > 4 - length % 4) {
        return false;
    }
    let standard = symbols.take_while(|byte| *byte != b'=').map(|byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte,
    });
    let head = decode(&standard.take(HEAD / 3 * 4).collect::<Vec<_>>());
    picture(&head).is_some() || head.starts_with(b"%PDF-")
}

/// The address of a picture or document under `key` of `holder`.
pub(super) fn address(judge: &mut Judge<'_>, holder: Value<'_>, key: &str) {
    let value = holder.get(key);
    if value.and_then(Value::as_str).is_none_or(|text| blank(&text)) {
        judge.say(&rule::MEDIA_WITHOUT_ADDRESS, value.unwrap_or(holder), format!("`{key}` is no address"));
    }
}
