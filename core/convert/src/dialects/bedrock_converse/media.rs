//! Pictures, documents, films and recordings: a format, and a source of bytes or of a place in S3.

use std::borrow::Cow;

use crate::dialects::bedrock_converse::block::{carried, left_out, stand_in};
use crate::dialects::bedrock_converse::shape::{self, AUDIO_FORMATS, DOCUMENT_FORMATS, VIDEO_FORMATS};
use crate::media;
use crate::read::block::wrong_role;
use crate::read::bytes::{base64_of, respelled_at, tell_form, tell_respelled};
use crate::read::fields::{MIME_TYPES, scan, with_null_aliases};
use crate::read::file_block::no_pdf;
use crate::read::reader::Reader;
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::transcript::{Block, BlockKind, File, Media, Role};
use wirecanon_model::{rule, target, text};

/// Formats and the media types that they name; of two formats of one type the first is written.
const TYPES: &[(&str, &str, &str)] = &[
    ("document", "pdf", "application/pdf"),
    ("document", "csv", "text/csv"),
    ("document", "doc", "application/msword"),
    ("document", "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("document", "xls", "application/vnd.ms-excel"),
    ("document", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("document", "html", "text/html"),
    ("document", "txt", "text/plain"),
    ("document", "md", "text/markdown"),
    ("video", "mp4", "video/mp4"),
    ("video", "mov", "video/quicktime"),
    ("video", "mkv", "video/x-matroska"),
    ("video", "webm", "video/webm"),
    ("video", "flv", "video/x-flv"),
    ("video", "mpeg", "video/mpeg"),
    ("video", "mpg", "video/mpeg"),
    ("video", "wmv", "video/x-ms-wmv"),
    ("video", "three_gp", "video/3gpp"),
    ("audio", "mp3", "audio/mp3"),
    ("audio", "mp3", "audio/mpeg"),
    ("audio", "mpeg", "audio/mpeg"),
    ("audio", "wav", "audio/wav"),
    ("audio", "opus", "audio/opus"),
    ("audio", "aac", "audio/aac"),
    ("audio", "x-aac", "audio/x-aac"),
    ("audio", "flac", "audio/flac"),
    ("audio", "mp4", "audio/mp4"),
    ("audio", "m4a", "audio/m4a"),
    ("audio", "ogg", "audio/ogg"),
    ("audio", "mkv", "audio/x-matroska"),
    ("audio", "mka", "audio/x-matroska"),
    ("audio", "mpga", "audio/mpga"),
    ("audio", "pcm", "audio/pcm"),
    ("audio", "webm", "audio/webm"),
];

/// A file that does not say what it is.
const UNKNOWN: &str = "application/octet-stream";

/// The member and the format that a file of this media type is written as.
pub(crate) fn format_of(mime: &str) -> Option<(&'static str, &'static str)> {
    TYPES.iter().find(|(_, _, found)| *found == mime).map(|(member, format, _)| (*member, *format))
}

fn mime_of(member: &str, format: &str) -> Option<&'static str> {
    TYPES.iter().find(|(of, name, _)| *of == member && *name == format).map(|(_, _, mime)| *mime)
}

/// A document by its bytes, if its format is known.
pub(crate) fn document(value: Value<'_>) -> Option<File<'_>> {
    let mime_type = mime_of("document", &value.get("format")?.as_str()?)?;
    Some(File {
        data: value.get("source")?.get("bytes")?.as_str()?,
        mime_type: Cow::Borrowed(mime_type),
        name: value.get("name").and_then(Value::as_str),
    })
}

/// Reads an `image`.
pub(crate) fn image<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, value: Value<'a>, role: Role) -> Block<'a> {
    let outer = scan(value, [("format", MIME_TYPES), ("source", &[]), ("bytes", &["data"])]);
    let [format, source, beside] = outer.fields;
    if source.value.is_some_and(|source| source.get("s3Location").is_some()) {
        return carried(cx, item, "image", value, role);
    }
    let holder = source.value.filter(|source| source.is_object());
    let inner = holder.map(|source| scan(source, [("bytes", &["data"])]));
    // Other dialects have no `source` around the bytes (aws-samples/sample-apj-sup-sa#124).
    let flat = source.value.is_none() && beside.some().is_some();
    let data = if flat { beside } else { inner.as_ref().map(|inner| inner.fields[0]).unwrap_or_default() };
    let named = format.value.and_then(Value::as_str).map(|format| match &*format {
        "jpg" => (Cow::Borrowed("image/jpeg"), true),
        name => match name.strip_prefix("image/") {
            Some(_) => (format, true),
            None => (Cow::Owned(format!("image/{name}")), false),
        },
    });
    let spelled_otherwise = named.as_ref().is_some_and(|(_, otherwise)| *otherwise);
    let media = Media { data: data.value.and_then(base64_of), mime_type: named.map(|(mime, _)| mime) };
    let mut block = cx.block(BlockKind::Image(Box::new(media)), item);
    let about = block.id;
    tell_form(cx, &block, data.value, item);
    cx.duplicate(outer.duplicate.or(inner.as_ref().and_then(|inner| inner.duplicate)), item, about);
    cx.alias(&format, "format", item, about);
    if flat {
        let what = "an image without `source` was read in another dialect's spelling";
        cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, about, what);
    } else {
        cx.alias(&data, "bytes", item, about);
    }
    if spelled_otherwise {
        cx.mend(&rule::FIELD_ALIAS, item, about, "the format was spelled as this API spells it");
    }
    if let Some(inner) = &inner {
        let others = holder.map_or_else(Vec::new, |holder| with_null_aliases(holder, &["bytes"], &inner.others));
        cx.lose_members(item, &others, about);
    }
    let mut others = with_null_aliases(value, &["format", "source"], &outer.others);
    if flat {
        others.retain(|(key, _)| !key.is_str("type"));
    } else {
        others.extend(
            value.members().filter(|(_, member)| beside.value.is_some_and(|data| data.index() == member.index())),
        );
    }
    let native = keep_whole(cx, item, &others, about);
    block.native = cx.native(&native);
    wrong_role(cx, block, item, role)
}

/// Members that the shape has, kept for the way back; others are reported and go.
fn keep_whole<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    others: &[(Value<'a>, Value<'a>)],
    about: u32,
) -> Vec<(Value<'a>, Value<'a>)> {
    let known = |(key, value): &(Value<'a>, Value<'a>)| {
        key.as_str().is_some_and(|key| {
            matches!(&*key, "error" | "context" | "citations")
                && shape::of(&key).is_some_and(|shape| shape.fits(*value))
        })
    };
    let (kept, rest): (Vec<_>, Vec<_>) = others.iter().copied().partition(known);
    cx.lose_members(item, &rest, about);
    kept
}

/// A document as the API takes it, where only its name or its format is at fault: the name respelled, and no format,
/// which the server finds out then (strands-agents/harness-sdk#3019).
pub(crate) fn mended_document(value: Value<'_>) -> Option<String> {
    let name = value.get("name").and_then(Value::as_str).unwrap_or_default();
    let name = target::document_name(&name, Some(shape::DOCUMENT_NAME), 200);
    let known = |format: Value<'_>| DOCUMENT_FORMATS.iter().any(|known| format.is_str(known));
    let kept = value.members().filter(|(key, value)| !(key.is_str("name") || key.is_str("format") && !known(*value)));
    let mut members = vec![format!("\"name\":{}", quote(&name))];
    members.extend(kept.map(|(key, value)| format!("{}:{}", key.raw(), value.raw())));
    let text = format!("{{{}}}", members.join(","));
    let json = Json::parse(&text, &Limits { max_depth: usize::MAX }).ok()?;
    shape::of("document").is_some_and(|shape| shape.fits(json.root())).then_some(text)
}

/// A file that canonical content only carries, whose bytes stand in another form than base64: its own dialect gets it with
/// base64. `None` where the bytes stand as they should, or the API does not take the file for another reason.
pub(crate) fn respelled<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    member: &'static str,
    value: Value<'a>,
    role: Role,
) -> Option<Block<'a>> {
    let path: &[&str] = if member == "guardContent" { &["image", "source", "bytes"] } else { &["source", "bytes"] };
    let mut text = respelled_at(value, path)?;
    let json = Json::parse(&text, &Limits { max_depth: usize::MAX }).ok()?;
    let is_pdf = json.root().get("format").is_some_and(|format| format.is_str("pdf"));
    let data = json.root().get("source").and_then(|source| source.get("bytes")?.as_str());
    if data.is_some_and(|data| member == "document" && is_pdf && !media::is_pdf(&data)) {
        return Some(no_pdf(cx, item, left_out(member, value)));
    }
    if !shape::of(member)?.fits(json.root()) {
        let mended = mended_document(json.root()).filter(|_| member == "document")?;
        let what = "the API does not take the document's name or format; it was respelled or left out";
        cx.mend(&rule::FILE_NAME_CHARACTERS, item, None, what);
        text = mended;
    }
    let mut block = if role == Role::ToolResult {
        stand_in(cx, item, left_out(member, value).into(), member, text)
    } else {
        let value = Cow::Owned(format!("{{\"{member}\":{text}}}"));
        cx.opaque_as(item, value)
    };
    block.dirty = true;
    let found = path.iter().try_fold(value, |value, key| value.get(key));
    tell_respelled(cx, found, item, block.id);
    Some(block)
}

/// Reads a document without `source`, its bytes and their type beside each other as Anthropic has them in one
/// (aws-samples/sample-apj-sup-sa#124); `None` where it is none, or stands where none may.
fn flat_document<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    member: &str,
    value: Value<'a>,
    role: Role,
) -> Option<Block<'a>> {
    if member != "document" || value.get("source").is_some() || !matches!(role, Role::User | Role::ToolResult) {
        return None;
    }
    let scan =
        scan(value, [("format", MIME_TYPES), ("name", &["title", "filename"]), ("bytes", &["data"]), ("type", &[])]);
    let [format, name, bytes, _] = scan.fields;
    let data = bytes.some().and_then(base64_of).filter(|data| !data.trim().is_empty())?;
    let named = format.value.and_then(Value::as_str).unwrap_or_default();
    let mime = mime_of(member, &named)
        .or_else(|| TYPES.iter().find(|(of, _, mime)| *of == member && *mime == named).map(|row| row.2));
    let name = name.some().and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    let mut block = if role == Role::ToolResult {
        let data = media::respell(&data).ok()?;
        let format =
            mime.and_then(format_of).map(|(_, format)| format!("\"format\":\"{format}\",")).unwrap_or_default();
        let name = quote(name.as_deref().unwrap_or("document"));
        let text = format!("{{{format}\"name\":{name},\"source\":{{\"bytes\":\"{data}\"}}}}");
        let document = mended_document(Json::parse(&text, &Limits::default()).ok()?.root())?;
        stand_in(cx, item, left_out(member, value).into(), "document", document)
    } else {
        let file = File { data, mime_type: Cow::Borrowed(mime.unwrap_or(UNKNOWN)), name };
        cx.block(BlockKind::File(Box::new(file)), item)
    };
    block.dirty = true;
    let about = block.id;
    tell_form(cx, &block, bytes.value, item);
    cx.duplicate(scan.duplicate, item, about);
    let what = "a document without `source` was read in another dialect's spelling";
    cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, about, what);
    if mime.is_none() {
        cx.mend(&rule::FILE_TYPE_MISSING, item, about, "the file has no format that the API knows");
    }
    let native = keep_whole(cx, item, &scan.others, about);
    if role == Role::User {
        block.native = cx.native(&native);
    }
    Some(block)
}

/// Reads a `document`, `video` or `audio`.
pub(crate) fn file<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    member: &'static str,
    value: Value<'a>,
    role: Role,
) -> Block<'a> {
    let name = value.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    if let Some(block) = flat_document(cx, item, member, value, role) {
        return block;
    }
    if role == Role::ToolResult && member != "audio" {
        return carried(cx, item, member, value, role);
    }
    let format = value.get("format").and_then(Value::as_str);
    if role != Role::User {
        let words = text::file_left_out(name.as_deref(), format.as_deref().unwrap_or(member));
        let what = format!("a file in a message of role {} was left out", role.name());
        return cx.left_out(words, item, &rule::BLOCK_IN_WRONG_ROLE, what);
    }
    let outer = scan(value, [("format", &[]), ("name", &[]), ("source", &[])]);
    let holder = outer.fields[2].value.filter(|source| source.is_object());
    let inner = holder.map(|source| scan(source, [("bytes", &["data"])]));
    let bytes = inner.as_ref().map(|inner| inner.fields[0]).unwrap_or_default();
    let Some(data) = bytes.value.and_then(base64_of).filter(|data| !data.trim().is_empty()) else {
        return carried(cx, item, member, value, role);
    };
    let formats = match member {
        "document" => DOCUMENT_FORMATS,
        "video" => VIDEO_FORMATS,
        _ => AUDIO_FORMATS,
    };
    let named_fits = value.get("format").is_none() && shape::of(member).is_some_and(|shape| shape.fits(value));
    if named_fits {
        // A document may leave it to the server to find out what it is.
        return carried(cx, item, member, value, role);
    }
    let known = format.as_deref().filter(|format| formats.contains(format));
    let mime = known.and_then(|format| mime_of(member, format)).unwrap_or(UNKNOWN);
    let name = name.filter(|_| member == "document");
    let mut block = cx.block(BlockKind::File(Box::new(File { data, mime_type: Cow::Borrowed(mime), name })), item);
    let about = block.id;
    tell_form(cx, &block, bytes.value, item);
    cx.duplicate(outer.duplicate.or(inner.as_ref().and_then(|inner| inner.duplicate)), item, about);
    cx.alias(&bytes, "bytes", item, about);
    if known.is_none() {
        cx.mend(&rule::FILE_TYPE_MISSING, item, about, "the file has no format that the API knows");
    }
    if let Some(inner) = &inner {
        let others = holder.map_or_else(Vec::new, |holder| with_null_aliases(holder, &["bytes"], &inner.others));
        cx.lose_members(item, &others, about);
    }
    let mut others = outer.others;
    if member != "document"
        && let Some((key, value)) = value.members().find(|(key, _)| key.is_str("name"))
    {
        others.push((key, value));
    }
    let native = keep_whole(cx, item, &others, about);
    block.native = cx.native(&native);
    block
}
