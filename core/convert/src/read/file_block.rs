//! Reading a document or a recording that stands as a block of content.

use std::borrow::Cow;

use crate::dialects::anthropic_messages::item as anthropic_item;
use crate::media;
use crate::read::block::{foreign, native_members, project, project_with, tell_bare_base64, unknown};
use crate::read::carried_document::text_of_file;
use crate::read::fields::MIME_TYPES;
use crate::read::reader::Reader;
use wirecanon_json::{Value, quote};
use wirecanon_model::transcript::{Block, BlockKind, File, Media, Role};
use wirecanon_model::{Dialect, rule, text};

/// Reads a block that may be a file.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Block<'a> {
    if let Some(document) = bare_document(cx, item, role) {
        return document;
    }
    if role != Role::User {
        if role == Role::ToolResult
            && let Some(block) = document_of_a_result(cx, item)
        {
            return block;
        }
        // A result can hold pictures, and no other files.
        let picture = flat_file(item).filter(|file| role == Role::ToolResult && is_picture(file));
        let Some(file) = picture else { return unknown(cx, item, role) };
        return foreign_block(cx, item, kind, file);
    }
    let read = match (cx.dialect, kind) {
        (Dialect::Canonical, "file") => canonical_file(item),
        (Dialect::AnthropicMessages, "document") => anthropic_document(item),
        (Dialect::OpenAiChat, "file" | "input_audio") => openai_file(item, kind),
        _ => None,
    };
    let own = read.is_some();
    let foreign_file =
        || foreign_file(cx.dialect, item, kind).or_else(|| flat_file(item)).or_else(|| flat_file(item.get("source")?));
    let Some(file) = read.or_else(foreign_file) else { return unknown(cx, item, role) };
    if !own {
        return foreign_block(cx, item, kind, file);
    }
    let bytes_tell = kind == "input_audio" && !says_format(item, &file.mime_type);
    let mut block = cx.block(BlockKind::File(Box::new(file)), item);
    if bytes_tell {
        let what = "`format` names no format of audio; it became what the bytes are";
        cx.mend(&rule::FILE_TYPE_MISSING, item, block.id, what);
    }
    let known: &[&str] = match kind {
        "document" => DOCUMENT,
        "input_audio" => &["type", "input_audio"],
        _ if cx.dialect == Dialect::OpenAiChat => &["type", "file"],
        _ => &["type", "data", "mimeType", "name"],
    };
    keep_others(cx, &mut block, item, known);
    if let Some(source) = item.get("source").filter(|_| kind == "document") {
        anthropic_item::source(cx, source, "base64", block.id);
        anthropic_item::type_of_document(cx, item, &mut block);
    }
    block
}

/// A document in a result of Anthropic's: its own dialect gets it back, and elsewhere a line says that it was there
/// (microsoft/vscode#325672, anomalyco/opencode#43502). The API takes PDF alone in base64; words of another type are words.
fn document_of_a_result<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Option<Block<'a>> {
    if cx.dialect != Dialect::AnthropicMessages {
        return None;
    }
    let file = anthropic_document(item).filter(|file| media::is_canonical(&file.data))?;
    if file.mime_type.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("image/")) {
        return Some(foreign_block(cx, item, "document", file));
    }
    let left_out = text::file_left_out(file.name.as_deref(), &file.mime_type);
    if is_no_pdf(&file.mime_type, &file.data) {
        return Some(no_pdf(cx, item, left_out));
    }
    if file.mime_type == "application/pdf" {
        return Some(project(cx, item, left_out));
    }
    let lossy = || file.mime_type.starts_with("text/").then(|| media::text_of(&file.data)).flatten();
    let words = text_of_file(&file.mime_type, &file.data).or_else(lossy);
    let mut block = cx.block(BlockKind::Text(words.clone().unwrap_or(left_out).into()), item);
    block.dirty = true;
    let kind = file.mime_type;
    match words {
        Some(_) => {
            let what = format!("a document of type `{kind}` in base64 was read as its words");
            cx.mend(&rule::FILE_NOT_ACCEPTED, item, block.id, what);
        }
        None => {
            let what = format!("a document of type `{kind}` in base64 became a text that says so");
            cx.lose(&rule::FILE_NOT_ACCEPTED, item, block.id, what);
        }
    }
    Some(block)
}

/// Members of a document of Anthropic's that are read.
const DOCUMENT: &[&str] = &["type", "source", "title"];

/// Keeps the members of an item that are not read for its own dialect.
fn keep_others<'a>(cx: &mut Reader<'a, '_>, block: &mut Block<'a>, item: Value<'a>, known: &[&str]) {
    let others: Vec<_> = item.members().filter(|(key, _)| !known.iter().any(|name| key.is_str(name))).collect();
    block.native = native_members(cx, block.id, item, &others);
}

/// Reads a document of Anthropic's whose address is base64 alone.
fn bare_document<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Option<Block<'a>> {
    if cx.dialect != Dialect::AnthropicMessages {
        return None;
    }
    let source = item.get("source").filter(|source| source.get("type").is_some_and(|kind| kind.is_str("url")))?;
    let data = source.get("url")?.as_str()?;
    let mime_type = media::type_of_bare_base64(&data)?;
    let name = item.get("title").and_then(Value::as_str);
    if matches!(role, Role::Assistant | Role::System) {
        let left_out = text::file_left_out(name.as_deref(), mime_type);
        let what = "base64 stood where the address of a document belongs, which is not the user's; it was left out";
        return Some(cx.left_out(left_out, item, &rule::MEDIA_WITHOUT_ADDRESS, what));
    }
    let file = File { data, mime_type: mime_type.into(), name };
    if is_picture(&file) {
        return Some(foreign_block(cx, item, "document", file));
    }
    let block = if role == Role::ToolResult {
        let data = media::in_canonical_spelling(&file.data)?;
        let source = format!(r#"{{"type":"base64","media_type":{},"data":{}}}"#, quote(mime_type), quote(&data));
        let left_out = text::file_left_out(file.name.as_deref(), mime_type);
        project_with(cx, item, left_out, "source", ("source", source))
    } else {
        let mut block = cx.block(BlockKind::File(Box::new(file)), item);
        keep_others(cx, &mut block, item, DOCUMENT);
        block
    };
    tell_bare_base64(cx, &block, item);
    Some(block)
}

fn foreign_block<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, file: File<'a>) -> Block<'a> {
    let picture = is_picture(&file);
    let name = file.name.clone().filter(|_| picture);
    let read = if picture {
        BlockKind::Image(Box::new(Media { data: Some(file.data), mime_type: Some(file.mime_type) }))
    } else {
        BlockKind::File(Box::new(file))
    };
    let block = cx.block(read, item);
    foreign(cx, &block, item, &format!("a `{kind}` block"));
    if let Some(id) = item.get("file").and_then(|file| file.get("file_id")).filter(|id| !id.is_null()) {
        let what = "the file is here with its data; its id on a server was left out";
        cx.lose(&rule::FOREIGN_BLOCK_SHAPE, id, block.id, what);
    }
    if let Some(name) = name {
        let what = format!("a picture has no name; `{name}` was left out");
        cx.lose(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, what);
    }
    block
}

/// A PDF or a file of text in the spelling of Anthropic or of OpenAI's chat, where the other is spoken.
fn foreign_file<'a>(dialect: Dialect, item: Value<'a>, kind: &str) -> Option<File<'a>> {
    let file = match (dialect, kind) {
        (Dialect::OpenAiChat, "file") => {
            flat_file(item.get("file").filter(|file| file.get("data").is_some_and(Value::is_string))?)?
        }
        (Dialect::Canonical | Dialect::OpenAiChat, "document") => anthropic_document(item)?,
        (Dialect::Canonical | Dialect::AnthropicMessages, "file") => openai_file(item, kind)?,
        _ => return None,
    };
    let is_known = media::says_pdf(&file.mime_type) || is_text(&file);
    (is_known && media::is_readable(&file.data)).then_some(file)
}

/// A PDF, an image or a file of text whose bytes and type stand side by side, as in parts of the AI SDK and of AG-UI
/// (ag-ui-protocol/ag-ui#1647), or in a data URL alone.
fn flat_file(item: Value<'_>) -> Option<File<'_>> {
    let text = |keys: &[&str]| {
        keys.iter()
            .filter_map(|key| item.get(key))
            .find_map(|value| value.as_str().filter(|text| !text.trim().is_empty()))
    };
    let bytes = text(&["data", "base64", "url", "file", "file_data", "value"])?;
    let own_type = text(MIME_TYPES);
    let (mime_type, data) = if media::is_data_url(&bytes) {
        let (mime, data) = media::split_data_url(&bytes);
        (own_type.or_else(|| Some(Cow::Owned(mime?.to_owned())))?, Cow::Owned(data?.to_owned()))
    } else {
        (own_type?, bytes)
    };
    let file = File { data, mime_type, name: text(&["filename", "name"]) };
    let is_known = media::says_pdf(&file.mime_type) || is_picture(&file) || is_text(&file);
    (is_known && media::is_readable(&file.data)).then_some(file)
}

fn is_picture(file: &File<'_>) -> bool {
    media::is_picture(Some(&file.mime_type), &file.data)
}

fn is_text(file: &File<'_>) -> bool {
    let mime = media::essence(&file.mime_type);
    let data = media::in_canonical_spelling(&file.data);
    data.is_some_and(|data| text_of_file(&mime, &data).is_some())
}

fn canonical_file(item: Value<'_>) -> Option<File<'_>> {
    Some(File {
        data: item.get("data")?.as_str().filter(|data| !data.is_empty())?,
        mime_type: item.get("mimeType")?.as_str().filter(|mime| !mime.trim().is_empty())?,
        name: item.get("name").and_then(Value::as_str),
    })
}

pub(crate) fn anthropic_document(item: Value<'_>) -> Option<File<'_>> {
    let source = item.get("source")?;
    if !source.get("type")?.is_str("base64") {
        return None;
    }
    Some(File {
        data: source.get("data")?.as_str().filter(|data| !data.is_empty())?,
        mime_type: source.get("media_type")?.as_str()?,
        name: item.get("title").and_then(Value::as_str),
    })
}

pub(crate) fn openai_file<'a>(item: Value<'a>, kind: &str) -> Option<File<'a>> {
    if kind == "input_audio" {
        let audio = item.get("input_audio")?;
        let data = audio.get("data")?.as_str().filter(|data| !data.is_empty())?;
        let format = audio.get("format").and_then(Value::as_str);
        let sniffed = media::sniff_recording(&data).filter(|_| !matches!(format.as_deref(), Some("wav" | "mp3")));
        let mime_type = match (sniffed, format) {
            (Some(mime_type), _) => Cow::Borrowed(mime_type),
            (None, format) => Cow::Owned(format!("audio/{}", format?)),
        };
        return Some(File { data, mime_type, name: None });
    }
    let file = item.get("file")?;
    let url = file.get("file_data")?.as_str()?;
    let name = file.get("filename").and_then(Value::as_str);
    // Base64 alone says of a PDF what it is.
    if media::is_canonical(&url) && media::is_pdf(&url) {
        return Some(File { data: url, mime_type: Cow::Borrowed("application/pdf"), name });
    }
    let (mime, data) = media::split_data_url(&url);
    Some(File {
        data: Cow::Owned(data.filter(|data| !data.is_empty())?.to_owned()),
        mime_type: Cow::Owned(mime?.to_owned()),
        name,
    })
}

/// Returns whether the format of audio of OpenAI's names this media type.
fn says_format(item: Value<'_>, mime_type: &str) -> bool {
    let format = item.get("input_audio").and_then(|audio| audio.get("format")).and_then(Value::as_str);
    format.is_some_and(|format| mime_type.strip_prefix("audio/") == Some(&*format) || format == "mp3")
}

/// Whether something says that it is a PDF and is none.
pub(crate) fn is_no_pdf(mime_type: &str, data: &str) -> bool {
    media::says_pdf(mime_type) && !media::is_pdf(data)
}

/// A PDF of a result whose bytes are none: these words keep its place.
pub(crate) fn no_pdf<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, left_out: String) -> Block<'a> {
    let what = "a PDF whose bytes are none became a text that says so";
    cx.left_out(left_out, item, &rule::FILE_NOT_A_PDF, what)
}

/// A file without what makes it one keeps its place as text.
pub(crate) fn unreadable_file<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let name = item.get("title").or_else(|| item.get("file")?.get("filename")).and_then(Value::as_str);
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    let words = text::file_left_out(name.as_deref(), &kind);
    cx.left_out(words, item, &rule::FILE_WITHOUT_DATA, "a file without data, address or id became a text that says so")
}
