//! Items of LangChain's content: the standard blocks of its version 1, and those of its older versions and of the providers
//! that it hands through. LangChain does not look into blocks of other types, so they stay what they are.

use std::borrow::Cow;

use crate::dialects::langchain::kwargs::KINDS;
use crate::dialects::mcp_tool_result::block::words_of_audio;
use crate::dialects::openai_responses::read::thinking_of_item;
use crate::media;
use crate::read::block::{Item, filled, image_by_url, in_data_url, project, unknown};
use crate::read::fields::{CALL_TYPES, MIME_TYPES, RESULT_TYPES, scan};
use crate::read::file_block::{anthropic_document, openai_file};
use crate::read::reader::Reader;
use crate::read::thinking::unsigned;
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, File, Link, Media, Role, Thinking};
use wirecanon_model::{Dialect, rule};

/// Blocks that other dialects have and LangChain's providers do not understand.
const FOREIGN: &[&str] = &["text", "input_text", "output_text", "input_image", "resource", "resource_link"];

/// Whether LangChain carries a block of this type that canonical content does not have: it takes every mapping.
pub(crate) fn has_item(kind: &str, role: Role) -> bool {
    let reasoning = KINDS.contains(&kind);
    role != Role::System && !kind.is_empty() && !FOREIGN.contains(&kind) && (!reasoning || role == Role::Assistant)
}

/// Whether a block of media has something to show: bytes, an address, or the id of a file.
pub(crate) fn is_whole(kind: &str, item: Value<'_>) -> bool {
    match kind {
        "media" if !is_inline(item) => true,
        "image" | "audio" | "video" | "file" | "text-plain" | "document" | "input_audio" | "media" => {
            let inner = ["source", "file", "input_audio"].iter().find_map(|key| item.get(key)).unwrap_or(item);
            let base64 = |key: &str| inner.get(key).and_then(Value::as_str).filter(|data| !data.is_empty());
            let bytes = base64("base64").or_else(|| base64("data").filter(|_| kind != "text-plain"));
            let plain = inner.get("type").is_some_and(|kind| kind.is_str("text"));
            match bytes.filter(|_| !plain) {
                Some(bytes) => media::is_canonical(&bytes),
                None => {
                    ["url", "text", "data", "file_data", "content"].iter().any(|key| filled(inner.get(key)))
                        || has_file_id(inner)
                        || inner.get("content").is_some_and(Value::is_array)
                }
            }
        }
        "image_url" => address_of(item).is_some_and(|url| match media::split_data_url(&url) {
            _ if !media::is_data_url(&url) => !url.trim().is_empty(),
            (_, data) => data.is_some_and(media::is_canonical),
        }),
        _ => true,
    }
}

/// Whether a block names a file that its provider has.
fn has_file_id(item: Value<'_>) -> bool {
    let by_id = item.get("source_type").is_some_and(|kind| kind.is_str("id"));
    filled(item.get("file_id")) || filled(item.get("fileId")) || (by_id && filled(item.get("id")))
}

/// Whether a block of Google's holds its bytes. It says of all media that they are media.
fn is_inline(item: Value<'_>) -> bool {
    item.get("data").is_some_and(Value::is_string) && mime_type_of(item).is_some()
}

/// Returns the media type of a block, as Python or JavaScript spells it (langchain-ai/langchainjs#10366).
fn mime_type_of(item: Value<'_>) -> Option<Cow<'_, str>> {
    let mut found = ["mime_type", "mimeType"].into_iter().filter_map(|key| item.get(key)?.as_str());
    found.find(|mime| !mime.trim().is_empty())
}

fn is_picture(item: Value<'_>) -> bool {
    let data = item.get("data").and_then(Value::as_str).unwrap_or_default();
    media::is_picture(mime_type_of(item).as_deref(), &data)
}

/// The address in an `image_url` block.
fn address_of(item: Value<'_>) -> Option<Cow<'_, str>> {
    let holder = item.get("image_url")?;
    holder.as_str().or_else(|| holder.get("url")?.as_str())
}

/// Whether a picture stands at an address that is not on the web, which only the provider that it was meant for knows.
fn elsewhere(item: Value<'_>) -> bool {
    address_of(item).is_some_and(|url| !url.trim().is_empty() && !media::is_data_url(&url) && !is_on_the_web(&url))
}

fn is_on_the_web(url: &str) -> bool {
    let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Reads an item that is LangChain's own.
pub(crate) fn read_item<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Option<Item<'a>> {
    if let Some(words) = item.as_str() {
        return Some(Item::Block(cx.block(BlockKind::Text(words.into()), item)));
    }
    let kind = item.get("type").and_then(Value::as_str)?;
    if role == Role::System && !matches!(&*kind, "text-plain") {
        return None;
    }
    let block = match &*kind {
        "reasoning" | "thinking" | "redacted_thinking" if role == Role::Assistant => thinking(cx, item, &kind),
        "refusal" if role == Role::Assistant => project(cx, item, item.get("refusal").and_then(Value::as_str)?),
        "image" if is_own_media(item) || item.get("source").is_some_and(Value::is_object) => image(cx, item, role),
        "media" if is_inline(item) && is_picture(item) => image(cx, item, role),
        "media" if is_inline(item) => file(cx, item, &kind, role),
        "image_url" if role == Role::Assistant => carried(cx, item, &kind, role),
        "image_url" if role == Role::User && elsewhere(item) => cx.opaque_once(item),
        "image_url" => image_by_url(cx, item, role),
        "audio" if !is_own_media(item) && !is_inline(item) => return None,
        "audio" | "video" | "file" | "document" | "input_audio" => file(cx, item, &kind, role),
        "text-plain" => match item.get("text").and_then(Value::as_str).filter(|words| !words.trim().is_empty()) {
            Some(words) => project(cx, item, words),
            None => file(cx, item, &kind, role),
        },
        "text" | "image" | "thinking" | "reasoning" | "redacted_thinking" => return None,
        kind if FOREIGN.contains(&kind) || CALL_TYPES.contains(&kind) || RESULT_TYPES.contains(&kind) => return None,
        _ => carried(cx, item, &kind, role),
    };
    Some(Item::Block(block))
}

/// An item that LangChain hands through: its own dialect has it back, a result shows its JSON text.
fn carried<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Block<'a> {
    if !has_item(kind, role) || !is_whole(kind, item) {
        return unknown(cx, item, role);
    }
    if role == Role::ToolResult { project(cx, item, Cow::Borrowed(item.raw())) } else { cx.opaque_once(item) }
}

fn is_own_media(item: Value<'_>) -> bool {
    ["base64", "url", "file_id", "fileId", "source_type"].iter().any(|key| item.get(key).is_some())
        || (item.get("data").is_some() && ["mime_type", "mimeType"].iter().any(|key| item.get(key).is_some()))
}

/// Reasoning: a standard block, or one of Anthropic's.
fn thinking<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str) -> Block<'a> {
    let sealed = kind == "redacted_thinking";
    let key = if kind == "reasoning" { "reasoning" } else { "thinking" };
    let scan = scan(item, [("type", &[]), (key, &[]), ("signature", &[]), ("data", &[])]);
    let [_, words, signature, data] = scan.fields;
    let words = words.value.and_then(Value::as_str).filter(|_| !sealed);
    let signature = match kind {
        "reasoning" => item.get("extras").and_then(|extras| extras.get("signature")),
        "thinking" => signature.value,
        _ => data.value,
    };
    let signature = signature.and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    if kind == "reasoning" && words.is_none() && item.get("summary").is_some_and(Value::is_array) {
        return reasoning_item(cx, item);
    }
    // Reasoning that a provider keeps to itself, or spells in another way, is carried as it is.
    if (words.is_none() && signature.is_none()) || (kind == "reasoning" && words.is_none()) {
        return cx.opaque_once(item);
    }
    let thinking = Thinking { signature, redacted: sealed, ..unsigned(words.unwrap_or_default(), cx.dialect) };
    cx.block_with(BlockKind::Thinking(Box::new(thinking)), item, &scan)
}

/// An item of reasoning as OpenAI's Responses have it, which goes back there as it was.
fn reasoning_item<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let scan = scan(item, [("type", &[]), ("encrypted_content", &[])]);
    let mut block = cx.block(BlockKind::Thinking(Box::new(thinking_of_item(item))), item);
    let mut native = cx.native(&scan.others).unwrap_or_default();
    let members = native.of(cx.dialect.name()).to_vec();
    native.add_all(Dialect::OpenAiResponses.name(), members);
    block.native = Some(native);
    cx.duplicate(scan.duplicate, item, block.id);
    block
}

fn image<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    if role == Role::Assistant {
        return carried(cx, item, "image", role);
    }
    let nested = item.get("source").filter(|source| source.is_object());
    let outer = scan(
        item,
        [("type", &[]), ("base64", &["data"]), ("mime_type", MIME_TYPES), ("url", &[]), ("source_type", &[])],
    );
    let [_, mut data, mut mime, mut url, _] = outer.fields;
    let mut others = outer.others;
    if let Some(source) = nested {
        let inner = scan(source, [("type", &[]), ("data", &[]), ("media_type", &[]), ("url", &[])]);
        [_, data, mime, url] = inner.fields;
        others.retain(|(key, _)| !key.is_str("source"));
    }
    let address = url.value.and_then(Value::as_str).filter(|url| !url.trim().is_empty());
    let has_bytes = data.value.is_some();
    let mime_type = mime.value.and_then(Value::as_str);
    if let (Some(url), false) = (address, has_bytes) {
        return by_address(cx, item, url, mime_type, role, &others);
    }
    if !has_bytes && has_file_id(nested.unwrap_or(item)) {
        return carried(cx, item, "image", role);
    }
    let media = Media { data: data.value.and_then(Value::as_str), mime_type };
    let mut block = cx.block(BlockKind::Image(Box::new(media)), item);
    block.native = cx.native(&others);
    cx.duplicate(outer.duplicate, item, block.id);
    // JavaScript's spelling is as good as Python's.
    let is_own = mime.key == "mimeType" && mime.also.is_none();
    if nested.is_none() && mime.value.is_some() && !is_own {
        cx.alias(&mime, "mime_type", item, block.id);
    }
    block
}

/// A picture by its address: a link where it can be fetched from the web and the user shows it.
fn by_address<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    url: Cow<'a, str>,
    mime_type: Option<Cow<'a, str>>,
    role: Role,
    others: &[(Value<'a>, Value<'a>)],
) -> Block<'a> {
    if media::is_data_url(&url) {
        let block = cx.block(BlockKind::Image(Box::new(in_data_url(&url, mime_type))), item);
        let words = "a data URL in place of an address was read as the picture that it holds";
        cx.mend(&rule::IMAGE_DATA_URL_PREFIX, item, block.id, words);
        return block;
    }
    match role {
        Role::User if is_on_the_web(&url) => {
            let mut block = cx.block(BlockKind::Link(Box::new(Link { url, mime_type })), item);
            block.native = cx.native(others);
            block
        }
        Role::User => cx.opaque_once(item),
        _ => project(cx, item, url),
    }
}

/// A document, a recording or a film. Only the user's has a place in canonical content.
fn file<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Block<'a> {
    let Some((file, others)) = standard_file(item).or_else(|| provider_file(item, kind)) else {
        return in_result(cx, item, kind, role);
    };
    if role != Role::User {
        return in_result(cx, item, kind, role);
    }
    let mut block = cx.block(BlockKind::File(Box::new(file)), item);
    block.native = cx.native(&others);
    cx.duplicate(scan(item, []).duplicate, item, block.id);
    block
}

type Members<'a> = Vec<(Value<'a>, Value<'a>)>;

fn standard_file(item: Value<'_>) -> Option<(File<'_>, Members<'_>)> {
    let scan = scan(
        item,
        [("type", &[]), ("base64", &["data"]), ("mime_type", &["mimeType"]), ("filename", &[]), ("source_type", &[])],
    );
    let [kind, data, mime, name, _] = scan.fields;
    let is_plain = kind.value.is_some_and(|kind| kind.is_str("text-plain"));
    let title = || item.get("title").filter(|title| is_plain && title.is_string());
    let name = name.value.or_else(|| item.get("extras")?.get("filename")).or_else(title);
    // The data of a text that are not base64 are left to the provider.
    let is_base64 = |data: &Cow<'_, str>| !is_plain || item.get("base64").is_some() || media::is_canonical(data);
    let file = File {
        data: data.value?.as_str().filter(|data| !data.is_empty()).filter(is_base64)?,
        mime_type: mime.value?.as_str().filter(|mime| !mime.trim().is_empty())?,
        name: name.and_then(Value::as_str),
    };
    Some((file, scan.others))
}

/// A file as OpenAI or Anthropic spell it, which LangChain hands through.
fn provider_file<'a>(item: Value<'a>, kind: &str) -> Option<(File<'a>, Members<'a>)> {
    let file = match kind {
        "document" => anthropic_document(item)?,
        "file" | "input_audio" => openai_file(item, kind)?,
        _ => return None,
    };
    let known = ["type", "source", "title", "file", "input_audio"];
    Some((file, item.members().filter(|(key, _)| !known.iter().any(|name| key.is_str(name))).collect()))
}

/// A file outside the user's words: its own dialect has it back; a result shows a line in its place.
fn in_result<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Block<'a> {
    if role != Role::ToolResult || !is_whole(kind, item) {
        return carried(cx, item, kind, role);
    }
    // Anthropic's documents hold themselves one level down.
    let source = item.get("source").unwrap_or(item);
    let text =
        |holder: Value<'a>, key: &str| holder.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let file = provider_file(item, kind).map(|(file, _)| file);
    let name = file.as_ref().and_then(|file| file.name.clone()).or_else(|| text(item, "filename"));
    let mime = file.map(|file| file.mime_type).or_else(|| mime_type_of(item));
    let said = source.get("type").is_some_and(|kind| kind.is_str("text"));
    let words = match (text(source, "url"), mime) {
        (Some(url), _) => url,
        _ if said && text(source, "data").is_some() => text(source, "data").unwrap_or_default(),
        _ if source.get("content").is_some() => Cow::Borrowed(item.raw()),
        (None, Some(mime)) if kind == "audio" => Cow::Owned(words_of_audio(&mime)),
        (None, mime) => {
            Cow::Owned(wirecanon_model::text::file_left_out(name.as_deref(), mime.as_deref().unwrap_or(kind)))
        }
    };
    project(cx, item, words)
}
