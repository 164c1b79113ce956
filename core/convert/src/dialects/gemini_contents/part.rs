//! Reading one part of a content.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::dialects::gemini_contents::read::{refuse_unknown, scan_both};
use crate::dialects::gemini_contents::{call, response};
use crate::media;
use crate::read::block::{self, Item, read_foreign_item};
use crate::read::bytes::{base64_of, tell_respelled};
use crate::read::reader::{Reader, write_alone};
use crate::read::thinking::unsigned;
use wirecanon_json::Value;
use wirecanon_model::transcript::{self, Block, BlockKind, File, Link, Media, Message, Role, Thinking};
use wirecanon_model::{rule, text};

/// What a part can hold, in both spellings. A part holds exactly one of them.
pub(crate) const DATA: [(&str, &str); 10] = [
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

/// The words of a recording: beside it, or in a part of their own.
const TRANSCRIPTION: &str = "audioTranscription";

/// What may stand beside it.
pub(crate) const BESIDE: &[&str] = &[
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
    "audioTranscription",
    "audio_transcription",
];

/// What a part turned out to be.
pub(crate) enum Read<'a> {
    Block(Block<'a>),
    /// A tool result
    Result(Message<'a>),
}

/// The canonical name of a kind of data.
fn kind_of(key: Value<'_>) -> Option<&'static str> {
    DATA.iter().find(|(camel, snake)| key.is_str(camel) || key.is_str(snake)).map(|(camel, _)| *camel)
}

/// What a part holds.
fn data(part: Value<'_>) -> impl Iterator<Item = (&'static str, Value<'_>, Value<'_>)> {
    let held = move || {
        part.members()
            .filter_map(|(key, value)| Some((kind_of(key)?, key, value)))
            .filter(|(.., value)| !value.is_null())
    };
    let alone = held().all(|(kind, ..)| kind == TRANSCRIPTION);
    held().filter(move |(kind, ..)| alone || *kind != TRANSCRIPTION)
}

/// Whether a value is a part of this dialect.
pub(crate) fn is_part(value: Value<'_>) -> bool {
    data(value).next().is_some()
}

/// Whether a part holds a result and nothing else.
pub(crate) fn is_result(value: Value<'_>) -> bool {
    matches!(held_by(value).as_slice(), [Held { kind: "functionResponse", .. }])
}

/// Whether a value is a part that only this API can replay, and whole.
pub(crate) fn is_item(value: Value<'_>) -> bool {
    let mut found = data(value);
    let (Some((kind, _, held)), None) = (found.next(), found.next()) else { return false };
    match kind {
        "executableCode" | "codeExecutionResult" | "toolCall" | "toolResponse" | TRANSCRIPTION => held.is_object(),
        "fileData" => block::filled(member(held, "fileUri", "file_uri")),
        "inlineData" => is_whole_media(held),
        _ => false,
    }
}

fn member<'a>(object: Value<'a>, camel: &str, snake: &str) -> Option<Value<'a>> {
    object.get(camel).or_else(|| object.get(snake))
}

/// Base64 as protobuf JSON takes it (either alphabet, padded or not), as standard padded base64.
pub(crate) fn standard(data: &str) -> Option<Cow<'_, str>> {
    if media::is_canonical(data) {
        return Some(Cow::Borrowed(data));
    }
    let mixed = data.contains(['+', '/']) && data.contains(['-', '_']);
    let spaced = data.contains(|c: char| c.is_whitespace());
    let new = media::respell(data).ok().filter(|_| !mixed && !spaced)?;
    // The same symbols: no stray bits were cleared, and padding was whole or absent.
    let plain = |text: &str| text.trim_end_matches('=').replace('-', "+").replace('_', "/");
    let padding = data.len() - data.trim_end_matches('=').len();
    let whole = padding == 0 || data.len().is_multiple_of(4);
    (whole && plain(&new) == plain(data)).then_some(Cow::Owned(new))
}

/// Whether bytes that stand in a part can go to the server as they are.
fn is_whole_media(blob: Value<'_>) -> bool {
    let data = blob.get("data").and_then(Value::as_str);
    blob.is_object()
        && data.is_some_and(|data| standard(&data).is_some())
        && block::filled(member(blob, "mimeType", "mime_type"))
}

/// Reads one item of the list of parts of a message, `whole`, which is marked where something went without a trace.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role, whole: u32) -> Vec<Read<'a>> {
    let foreign = item.get("type").is_some_and(Value::is_string) && data(item).all(|(kind, ..)| kind == "text");
    if !item.is_object() || foreign {
        return from_elsewhere(cx, item, role, whole);
    }
    match held_by(item).as_slice() {
        [] => nothing(cx, item, role, whole),
        [held] => one(cx, item, *held, role, true, whole).into_iter().collect(),
        several => split(cx, item, several, role, whole),
    }
}

/// Each kind of data that a part holds, once: camel case counts, then the last of equal keys.
fn held_by(item: Value<'_>) -> Vec<Held<'_>> {
    let mut held: Vec<Held<'_>> = Vec::new();
    for (kind, key, value) in data(item) {
        match held.iter_mut().find(|known| known.kind == kind) {
            Some(known) if key.is_str(kind) || !known.key.is_str(kind) => *known = Held { kind, key, value },
            Some(_) => {}
            None => held.push(Held { kind, key, value }),
        }
    }
    held
}

/// One kind of data.
#[derive(Clone, Copy)]
struct Held<'a> {
    kind: &'static str,
    key: Value<'a>,
    value: Value<'a>,
}

/// A part that holds nothing that the API knows.
fn nothing<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role, whole: u32) -> Vec<Read<'a>> {
    let signature = member(item, "thoughtSignature", "thought_signature").and_then(Value::as_str);
    if let (Some(signature), Role::Assistant) = (signature.filter(|text| standard(text).is_some()), role) {
        let block = sealed(cx, item, signature);
        cx.mend(&rule::PART_DATA_NOT_ONE, item, block.id, "a signature alone was put beside an empty text");
        return vec![Read::Block(block)];
    }
    if item.members().all(|(key, value)| value.is_null() || BESIDE.iter().any(|known| key.is_str(known))) {
        cx.mark(whole);
        cx.lose(&rule::PART_DATA_NOT_ONE, item, None, "a part that holds nothing was left out");
        return Vec::new();
    }
    let block = cx.as_json(item, &rule::UNKNOWN_BLOCK, "a part of an unknown kind was kept as its JSON text");
    vec![Read::Block(block)]
}

/// A signature that came without words: at the end of a turn, in an empty text.
fn sealed<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, signature: Cow<'a, str>) -> Block<'a> {
    let thinking = Thinking { signature: Some(signature), ..unsigned("".into(), cx.dialect) };
    let mut block = cx.block(BlockKind::Thinking(Box::new(thinking)), item);
    block.native.get_or_insert_default().add(cx.dialect.name(), "thought", "null");
    block
}

/// A string, or a block of another dialect.
fn from_elsewhere<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role, whole: u32) -> Vec<Read<'a>> {
    let kind = || format!("a `{}` block", item.get("type").and_then(Value::as_str).unwrap_or_default());
    match read_foreign_item(cx, item, role, kind) {
        Item::Nothing => {
            cx.mark(whole);
            Vec::new()
        }
        Item::Block(mut block) => {
            write_alone(std::slice::from_mut(&mut block));
            vec![Read::Block(block)]
        }
        Item::Result(mut result) => {
            result.native = None;
            result.dirty = true;
            result.source = Some(item.index());
            write_alone(&mut result.blocks);
            vec![Read::Result(result)]
        }
    }
}

/// A part that holds several things becomes as many parts; what stands beside them goes with the call, or with the first.
fn split<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, held: &[Held<'a>], role: Role, whole: u32) -> Vec<Read<'a>> {
    let with = held.iter().position(|held| held.kind == "functionCall").unwrap_or(0);
    let mut parts = Vec::new();
    let mut about = None;
    for (at, held) in held.iter().enumerate() {
        let Some(mut part) = one(cx, item, *held, role, false, whole) else { continue };
        match &mut part {
            Read::Block(block) => {
                block.dirty = true;
                block.source = None;
                if at != with {
                    block.native = None;
                    if let BlockKind::Thinking(thinking) = &mut block.kind {
                        thinking.signature = None;
                    }
                }
                about.get_or_insert(block.id);
            }
            Read::Result(result) => {
                result.dirty = true;
                result.native = None;
                about.get_or_insert(result.id);
            }
        }
        parts.push(part);
    }
    cx.mark(whole);
    cx.mend(&rule::PART_DATA_NOT_ONE, item, about, "a part that holds several things became as many parts");
    parts
}

/// Reads a part by what it holds; `alone` if it holds nothing else.
fn one<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    Held { kind, key, value }: Held<'a>,
    role: Role,
    alone: bool,
    whole: u32,
) -> Option<Read<'a>> {
    let (id, marks) = (cx.id(), cx.marks());
    let scan = scan_both(
        cx,
        item,
        [
            ("thought", &[]),
            ("thoughtSignature", &["thought_signature"]),
            ("text", &[]),
            ("inlineData", &["inline_data"]),
            ("fileData", &["file_data"]),
            ("functionCall", &["function_call"]),
            ("functionResponse", &["function_response"]),
        ],
        id,
    );
    let mut others = scan.others;
    others.retain(|(key, _)| kind_of(*key).is_none_or(|other| other == TRANSCRIPTION && kind != TRANSCRIPTION));
    refuse_unknown(cx, item, &mut others, id, BESIDE);
    others.retain(|(_, value)| !value.is_null());
    let mut native = cx.native(&others);
    let [thought, signature, ..] = scan.fields;
    let thought = match thought.some() {
        None => false,
        Some(value) if value.as_bool().is_some() => value.as_bool() == Some(true),
        Some(_) => {
            cx.lose(&rule::UNKNOWN_FIELD, item, id, "`thought` is no boolean; it was left out");
            false
        }
    };
    let seal = signature.some();
    let seal_text = seal.and_then(Value::as_str).filter(|text| standard(text).is_some());
    if seal.is_some() && seal_text.is_none() {
        let what = "a thought signature that is not base64 is none of this provider's; it was left out";
        cx.lose(&rule::THOUGHT_SIGNATURE_MALFORMED, item, id, what);
    }
    let thinking = kind == "text"
        && role == Role::Assistant
        && (thought || (seal_text.is_some() && value.as_str().is_some_and(|words| words.trim().is_empty())));
    if let (Some(seal), Some(_), false) = (seal, &seal_text, thinking) {
        native.get_or_insert_default().add(cx.dialect.name(), signature.key, seal.raw());
    }
    if thought && !thinking {
        native.get_or_insert_default().add(cx.dialect.name(), "thought", "true");
    }
    let dirty = |cx: &Reader<'_, '_>| !alone || cx.marks() > marks;
    let mut block = match kind {
        "text" if !value.is_string() => {
            let block =
                cx.as_json(item, &rule::TEXT_NOT_A_STRING, "a text that is no string was kept as its JSON text");
            return Some(Read::Block(block));
        }
        "text" if thinking => {
            let words = value.as_str().unwrap_or_default();
            if words.trim().is_empty() && seal_text.is_none() {
                cx.mark(whole);
                cx.mend(&rule::BLANK_TEXT, item, None, "reasoning without words or signature was left out");
                return None;
            }
            if !thought {
                native.get_or_insert_default().add(cx.dialect.name(), "thought", "null");
            }
            let thinking = Thinking { signature: seal_text, ..unsigned(words, cx.dialect) };
            cx.block(BlockKind::Thinking(Box::new(thinking)), item)
        }
        "text" => {
            if thought {
                native.get_or_insert_default().remove(cx.dialect.name(), "thought");
                let what = "reasoning outside the assistant's turn was kept as text";
                cx.mend(&rule::BLOCK_IN_WRONG_ROLE, item, id, what);
            }
            cx.block(BlockKind::Text(value.words().unwrap_or_default()), item)
        }
        "functionCall" => {
            let dirty = dirty(cx);
            return Some(Read::Block(call::read(cx, item, value, role, native, dirty)));
        }
        "functionResponse" => {
            let dirty = dirty(cx);
            let Some(mut result) = response::read(cx, item, value) else {
                return Some(Read::Block(unreadable(cx, item)));
            };
            result.dirty |= dirty;
            result.native = merged(result.native, native);
            return Some(Read::Result(result));
        }
        "inlineData" => inline(cx, item, value, role, dirty(cx))?,
        "fileData" => by_address(cx, item, value, role, dirty(cx)),
        _ if value.is_object() && role != Role::System => item_of(cx, item, key, value, dirty(cx)),
        _ => unreadable(cx, item),
    };
    block.dirty |= dirty(cx);
    if !matches!(block.kind, BlockKind::Opaque(_)) {
        block.native = merged(block.native, native);
    }
    Some(Read::Block(block))
}

fn merged<'a>(
    first: Option<Box<transcript::Native<'a>>>,
    second: Option<Box<transcript::Native<'a>>>,
) -> Option<Box<transcript::Native<'a>>> {
    let (Some(mut all), Some(more)) = (first.clone(), second.clone()) else { return first.or(second) };
    for (dialect, fields) in more.dialects {
        for (key, value) in fields {
            all.add(dialect.clone(), key, value);
        }
    }
    Some(all)
}

/// A part whose data is not what its name says.
fn unreadable<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    cx.as_json(item, &rule::UNKNOWN_BLOCK, "a part that is not what it says was kept as its JSON text")
}

/// A part that only this API can replay.
fn item_of<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, key: Value<'a>, value: Value<'a>, dirty: bool) -> Block<'a> {
    let text = if dirty { Cow::Owned(format!("{{{}:{}}}", key.raw(), value.raw())) } else { Cow::Borrowed(item.raw()) };
    cx.opaque_as(item, text)
}

/// Bytes in a part: a picture, a file, or in the model's turn something that only this API can replay.
fn inline<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, blob: Value<'a>, role: Role, dirty: bool) -> Option<Block<'a>> {
    if !blob.is_object() {
        return Some(unreadable(cx, item));
    }
    let (id, marks) = (cx.id(), cx.marks());
    let read = read_blob(cx, blob, id);
    if role == Role::Assistant && (dirty || cx.marks() == marks) && is_whole_media(blob) {
        let key = item.members().find(|(_, value)| value.index() == blob.index()).map(|(key, _)| key)?;
        return Some(item_of(cx, item, key, blob, dirty));
    }
    if role != Role::User {
        let words = text::image_left_out("not in this role", read.mime_type.as_deref());
        let what = format!("media in a message of role {} were left out", role.name());
        return Some(cx.left_out(words, item, &rule::BLOCK_IN_WRONG_ROLE, what));
    }
    let mut block = media_block(cx, item, read);
    if block.is_text() {
        block.native = None;
    }
    Some(block)
}

/// Bytes, and what is said of them.
pub(crate) struct Blob<'a> {
    pub(crate) data: Option<Cow<'a, str>>,
    pub(crate) mime_type: Option<Cow<'a, str>>,
    pub(crate) name: Option<(Value<'a>, Cow<'a, str>)>,
}

/// Reads `inlineData`.
pub(crate) fn read_blob<'a>(cx: &mut Reader<'a, '_>, blob: Value<'a>, about: u32) -> Blob<'a> {
    let scan = scan_both(
        cx,
        blob,
        [("mimeType", &["mime_type", "mediaType", "media_type"]), ("data", &[]), ("displayName", &["display_name"])],
        about,
    );
    let mut others = scan.others;
    refuse_unknown(cx, blob, &mut others, about, &[]);
    let [mime, data, name] = scan.fields;
    if matches!(mime.key, "mediaType" | "media_type") {
        cx.alias(&mime, "mimeType", blob, about);
    }
    let bytes = data.value.and_then(base64_of);
    if bytes.is_some() {
        tell_respelled(cx, data.value, blob, about);
    }
    let data = bytes.map(|data| match standard(&data) {
        Some(Cow::Owned(new)) => Cow::Owned(new),
        _ => data,
    });
    if name.some().is_some_and(|name| !name.is_string()) {
        cx.lose(&rule::UNKNOWN_FIELD, blob, about, "the name is no string; it was left out");
    }
    let name = name.some().and_then(|value| Some((value, value.as_str()?)));
    Blob { data, mime_type: mime.value.and_then(Value::as_str), name }
}

/// A block of bytes: a picture unless it says that it is another kind of file.
pub(crate) fn media_block<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, blob: Blob<'a>) -> Block<'a> {
    let mime = blob.mime_type.as_deref().unwrap_or_default().trim();
    let data = blob.data.as_deref().unwrap_or_default();
    let is_file = !mime.is_empty() && !media::is_picture(Some(mime), data);
    let data = !data.trim().is_empty();
    if is_file && !data {
        let words = text::file_left_out(blob.name.as_ref().map(|(_, name)| &**name), mime);
        return cx.left_out(words, item, &rule::FILE_WITHOUT_DATA, "a file without data became a text that says so");
    }
    if is_file {
        let file = File {
            data: blob.data.unwrap_or_default(),
            mime_type: blob.mime_type.unwrap_or_default(),
            name: blob.name.map(|(_, name)| name),
        };
        return cx.block(BlockKind::File(Box::new(file)), item);
    }
    let image = Media { data: blob.data, mime_type: blob.mime_type };
    let mut block = cx.block(BlockKind::Image(Box::new(image)), item);
    if let Some((value, _)) = blob.name {
        block.native.get_or_insert_default().add(cx.dialect.name(), "displayName", value.raw());
    }
    block
}

/// A file by its address. What other servers can fetch too, and is a picture, is a link; all else is this API's own.
fn by_address<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, file: Value<'a>, role: Role, dirty: bool) -> Block<'a> {
    let (about, marks) = (cx.id(), cx.marks());
    let scan = scan_both(
        cx,
        file,
        [("fileUri", &["file_uri"]), ("mimeType", &["mime_type"]), ("displayName", &["display_name"])],
        about,
    );
    let mut others = scan.others;
    refuse_unknown(cx, file, &mut others, about, &[]);
    let url = scan.fields[0].value.and_then(Value::as_str).filter(|url| !url.trim().is_empty());
    let mime = scan.fields[1].value.and_then(Value::as_str);
    let Some(url) = url.filter(|_| file.is_object()) else {
        let words = text::file_left_out(None, mime.as_deref().unwrap_or("file"));
        let what = "a file without an address became a text that says so";
        return cx.left_out(words, item, &rule::FILE_WITHOUT_DATA, what);
    };
    if role == Role::System {
        return cx.as_text(url, item, &rule::MEDIA_BY_ADDRESS, "a file by its address was kept as its address in text");
    }
    if role == Role::User
        && let Some(mime_type) = media::type_of_bare_base64(&url)
    {
        let name = scan.fields[2].value.and_then(|value| Some((value, value.as_str()?)));
        let block = media_block(cx, item, Blob { data: Some(url), mime_type: Some(mime_type.into()), name });
        block::tell_bare_base64(cx, &block, item);
        return block;
    }
    let picture = mime.as_deref().and_then(media::says_picture).unwrap_or_else(|| names_a_picture(&url));
    if role == Role::User && picture && is_public(&url) {
        let mut block = cx.block(BlockKind::Link(Box::new(Link { url, mime_type: mime })), item);
        if let Some(name) = scan.fields[2].some() {
            block.native.get_or_insert_default().add(cx.dialect.name(), "displayName", name.raw());
        }
        return block;
    }
    let key = item.members().find(|(_, value)| value.index() == file.index()).map_or(item, |(key, _)| key);
    if !dirty && cx.marks() == marks {
        return item_of(cx, item, key, file, false);
    }
    // Written anew from what the API knows.
    let name = scan.fields[2].value.and_then(Value::as_str);
    let mut text = format!("{{\"fileData\":{{\"fileUri\":{}", wirecanon_json::quote(&url));
    for (key, value) in [("mimeType", mime), ("displayName", name)] {
        if let Some(value) = value {
            let _ = write!(text, ",\"{key}\":{}", wirecanon_json::quote(&value));
        }
    }
    text.push_str("}}");
    cx.opaque_as(item, text)
}

/// Whether an address without a type is that of a picture, by the ending of its path.
fn names_a_picture(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let ending = path.rsplit_once('/').and_then(|(_, file)| file.rsplit_once('.')).map_or("", |(_, ending)| ending);
    ["png", "jpg", "jpeg", "webp", "heic", "heif", "gif"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Whether anyone may fetch this address: the provider's own stores are behind its keys.
fn is_public(url: &str) -> bool {
    let web = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    web.is_some_and(|rest| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        !host.ends_with("googleapis.com") && !host.is_empty()
    })
}
