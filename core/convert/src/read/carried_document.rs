//! Documents in tool results. Canonical results hold none: a text stands for one there, and what its own dialect has is
//! carried beside it. Where the target takes documents, they are made of that (strands-agents/harness-sdk#3809,
//! NousResearch/hermes-agent#64556).

use std::borrow::Cow;

use crate::dialects::bedrock_converse::read::{document as bedrock_document, format_of};
use crate::media::{self, Unusable};
use crate::read::fields::MIME_TYPES;
use crate::read::file_block::{anthropic_document, openai_file};
use crate::read::item_words::{ItemWords, of_item};
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{File, Native};

/// What is carried beside a text that stands for it.
pub(crate) enum Carried {
    /// A document by its bytes
    File(File<'static>),
    /// One that is words alone
    Words(String),
}

/// The document that these fields hold, and whether the Model Context Protocol wrote it.
pub(crate) fn carried_document(native: &Native<'_>) -> Option<(Carried, bool)> {
    native.dialects.iter().find_map(|(name, fields)| {
        let dialect = Dialect::by_name(name)?;
        if !fields.iter().any(|(key, _)| opens_one(key)) {
            return None;
        }
        let members: Vec<_> = fields.iter().map(|(key, value)| format!("{}:{value}", quote(key))).collect();
        let text = format!("{{{}}}", members.join(","));
        let json = Json::parse(&text, &Limits { max_depth: usize::MAX }).ok()?;
        let is_resource = json.root().get("resource").is_some();
        Some((of_block(dialect, json.root())?, is_resource))
    })
}

/// Whether a member names what kind of block it stands in.
fn opens_one(key: &str) -> bool {
    matches!(key, "type" | "document" | "inlineData" | "inline_data")
}

fn of_block(dialect: Dialect, block: Value<'_>) -> Option<Carried> {
    let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
    if let Some(document) = block.get("document").filter(|_| dialect == Dialect::BedrockConverse) {
        if let Some(words) = document.get("source").and_then(|source| source.get("text")).and_then(Value::as_str) {
            return Some(Carried::Words(words.into_owned()));
        }
        return whole(bedrock_document(document)?);
    }
    if let ("document", Some(ItemWords::Text(words, true))) = (&*kind, of_item(&kind, block)) {
        return Some(Carried::Words(words));
    }
    let inline = || block.get("inlineData").or_else(|| block.get("inline_data"));
    whole(match (&*kind, dialect) {
        ("resource", _) => resource(block.get("resource")?)?,
        ("document", _) => anthropic_document(block)?,
        // Some servers put files of other types into blocks for audio.
        ("audio", _) => flat(block, &["data"], &[], None)?,
        (_, Dialect::GeminiContents) => flat(inline()?, &["data"], &["displayName", "display_name"], None)?,
        ("file", _) if block.get("file").is_some() => openai_file(block, &kind)?,
        ("file" | "file-data" | "media" | "input_file" | "text-plain" | "video", _) => {
            flat(block, &["data", "base64", "file_data"], &["filename", "name"], None)?
        }
        _ => return None,
    })
}

/// A resource by its bytes, which is called what its address ends in.
fn resource(resource: Value<'_>) -> Option<File<'_>> {
    let name = resource.get("uri").and_then(Value::as_str);
    let name = name.and_then(|uri| uri.rsplit('/').next().map(str::to_owned)).filter(|name| !name.trim().is_empty());
    // It need not say what it is.
    let file = flat(resource, &["blob"], &[], Some(Cow::Borrowed("")))?;
    Some(File { name: name.map(Cow::Owned), ..file })
}

/// Bytes, their type and a name that stand side by side.
fn flat<'a>(holder: Value<'a>, bytes: &[&str], names: &[&str], untyped: Option<Cow<'a, str>>) -> Option<File<'a>> {
    let text = |keys: &[&str]| {
        // Version 7 of the AI SDK has its bytes one level down.
        let held = |key: &&str| {
            let value = holder.get(key)?;
            value.as_str().or_else(|| value.get("data")?.as_str())
        };
        let mut found = keys.iter().filter_map(held);
        found.find(|text| !text.trim().is_empty())
    };
    let (data, name) = (text(bytes)?, text(names));
    let (declared, inner) = media::split_data_url(&data);
    let data_url = media::is_data_url(&data);
    let declared = declared.filter(|_| data_url).map(|mime| Cow::Owned(mime.to_owned()));
    Some(File {
        mime_type: text(MIME_TYPES).or(declared).or(untyped)?,
        data: if data_url { Cow::Owned(inner?.to_owned()) } else { data },
        name,
    })
}

/// Returns the text of a document that is text: its type says so (`text/…`) or says nothing against it, and its bytes are
/// text. A document of MCP often has a general type or none (danny-avila/LibreChat#15595).
pub(crate) fn text_of_file(mime: &str, data: &str) -> Option<String> {
    let is_text = mime.starts_with("text/");
    let may_be = is_text || mime.is_empty() || mime.starts_with("application/") && format_of(mime).is_none();
    // Bytes that are no text are not turned into any. A type that says text may hold what terminals show.
    let readable = |words: &String| {
        let odd = |c: char| c == char::REPLACEMENT_CHARACTER || !is_text && c.is_control() && !c.is_whitespace();
        !words.trim().is_empty() && !words.contains(odd)
    };
    media::text_of(data).filter(|words| may_be && readable(words))
}

/// A document is what its type says, or its words; pictures, recordings and films are none.
fn whole(file: File<'_>) -> Option<Carried> {
    let declared = media::essence(&file.mime_type);
    // Gemini takes base64 in either alphabet, with padding or without it.
    let data = if media::is_canonical(&file.data) { file.data } else { media::respell(&file.data).ok()?.into() };
    let is_pdf = || matches!(media::mend(&data), Err(Unusable::Pdf(_)));
    let mime = if declared.starts_with("audio/") && is_pdf() { "application/pdf" } else { &*declared };
    if let Some(words) = text_of_file(mime, &data) {
        return Some(Carried::Words(words));
    }
    let is_document = mime.starts_with("application/") && (mime != "application/pdf" || is_pdf());
    is_document.then(|| {
        Carried::File(File {
            data: Cow::Owned(data.into_owned()),
            mime_type: Cow::Owned(mime.to_owned()),
            name: file.name.map(|name| Cow::Owned(name.into_owned())),
        })
    })
}
