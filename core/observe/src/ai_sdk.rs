//! Parts that model messages and UI messages of the AI SDK share: the bytes of files, the outputs of tools, signatures.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::mcp;
use crate::observation::{Attribute, Item, Media, MediaKind, Source, Speaker, ToolResult};
use crate::settings::CAMEL_CASE;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    SYSTEM, array, boolean, field, first, first_string, kind, label, raw, required, speaker, string, text_of,
    unknown_block,
};

/// Reads the bytes of a file: base64, a data URL, an address, or an object that says which of them it is.
pub(crate) fn file<'a>(data: Value<'a>, kind: MediaKind, media_type: Option<Cow<'a, str>>) -> Read<Media<'a>> {
    if let Some(text) = data.as_str() {
        return Ok(Media::url_or_base64(kind, text, media_type));
    }
    let source = match &*required_kind(data)? {
        "data" => return Ok(Media::url_or_base64(kind, required(data, "data")?, media_type)),
        "url" => return Ok(Media::url(kind, required(data, "url")?).with_type(media_type)),
        "text" => Source::Text(required(data, "text")?),
        "reference" => {
            let reference = first(data, &["reference", "id", "fileId"]).unwrap_or(data);
            Source::File(reference.as_str().unwrap_or(Cow::Borrowed(reference.raw())))
        }
        other => return unknown_block(data, other, "a file"),
    };
    Ok(Media::new(kind, source).with_type(media_type))
}

/// Reads the settings and the instructions beside the messages: a text, a message of the system, or a list of them. Where both
/// stand, `instructions` is what the model gets. Source: npm:ai@7.0.173 `standardizePrompt`.
pub(crate) fn instructions<'a>(builder: &mut Builder<'a>, body: Value<'a>) -> Read<()> {
    builder.generation(body, CAMEL_CASE);
    let Some(system) = first(body, &["instructions", "system"]) else { return Ok(()) };
    let alone = (!system.is_array()).then_some(system);
    for message in alone.into_iter().chain(system.items()) {
        if message.is_string() && !system.is_array() {
            builder.turn(Speaker::System, message, vec![Item::text(text_of(message, "system")?, message)]);
            continue;
        }
        let speaker = speaker(message, &[SYSTEM])?;
        let text = Item::text(required(message, "content")?, message);
        builder.turn(speaker, message, vec![text.with(Attribute::ProviderOptions, raw(message, "providerOptions"))]);
    }
    Ok(())
}

fn required_kind(value: Value<'_>) -> Read<Cow<'_, str>> {
    string(value, "type")?
        .ok_or_else(|| Unreadable::new(value, "the data is neither a string nor an object with a type"))
}

/// The content of the result of a tool that the user did not allow: the reason, or an item of the SDK if there is none.
pub(crate) fn denial<'a>(reason: Option<Cow<'a, str>>, place: Value<'a>, dialect: Dialect) -> Item<'a> {
    match reason.filter(|reason| !reason.trim().is_empty()) {
        Some(reason) => Item::text(reason, place),
        None => Item::provider(dialect, Cow::Borrowed("execution-denied"), place, Vec::new()),
    }
}

/// Reads the `output` of a tool result.
pub(crate) fn output(part: Value<'_>) -> Read<ToolResult<'_>> {
    // Version 4 had `result` and `isError`.
    let Some(output) = field(part, "output") else {
        let items = field(part, "result").map(Item::of_value).into_iter().collect();
        return Ok(ToolResult::new(None, items).failed(Some(boolean(part, "isError")?.unwrap_or(false))));
    };
    let value = || output.get("value").ok_or_else(|| Unreadable::new(output, "`value` is missing"));
    let kind = kind(output)?;
    let (items, is_error) = match &*kind {
        "text" | "error-text" => (vec![Item::text(text_of(value()?, "value")?, output)], kind == "error-text"),
        "json" | "error-json" => {
            let result = whole_result(value()?);
            let is_error = kind == "error-json" || result.is_error == Some(true);
            return Ok(result.failed(Some(is_error)));
        }
        "content" => (array(output, "value")?.map(content).collect::<Read<Vec<_>>>()?, false),
        "execution-denied" => (vec![denial(string(output, "reason")?, output, Dialect::AiSdkModel)], true),
        _ => return unknown_block(output, &kind, "the output of a tool"),
    };
    Ok(ToolResult::new(None, items).failed(Some(is_error)))
}

/// Reads a value that a tool gave: the blocks of a whole result of the Model Context Protocol, a text, or the value itself.
pub(crate) fn whole_result(value: Value<'_>) -> ToolResult<'_> {
    let blocks = field(value, "content").filter(|list| {
        list.is_array() && list.items().next().is_some() && list.items().all(|block| block.get("type").is_some())
    });
    if let Some(blocks) = blocks
        && let Ok(items) = blocks.items().map(mcp::block_or_value).collect::<Read<Vec<_>>>()
    {
        let structured = mcp::structured(value, &items);
        let is_error = Some(field(value, "isError").and_then(Value::as_bool).unwrap_or(false));
        return ToolResult { structured, is_error, whole: Some(value), ..ToolResult::new(None, items) };
    }
    ToolResult::new(None, vec![Item::of_value(value)]).failed(Some(false))
}

/// Reads a part of an output of kind `content`.
pub(crate) fn content(part: Value<'_>) -> Read<Item<'_>> {
    let kind = kind(part)?;
    let media_type = first_string(part, &["mediaType", "mimeType"])?;
    let of_type = MediaKind::of_declared(media_type.as_deref());
    let media = match &*kind {
        "text" => return Ok(Item::text(required(part, "text")?, part)),
        "image-data" | "image" => Media::url_or_base64(MediaKind::Image, required(part, "data")?, media_type),
        "media" | "file-data" => Media::url_or_base64(of_type, required(part, "data")?, media_type),
        "image-url" => Media::url(MediaKind::Image, required(part, "url")?).with_type(media_type),
        "file-url" => Media::url(of_type, required(part, "url")?).with_type(media_type),
        "file" => match field(part, "data") {
            Some(data) => file(data, of_type, media_type)?,
            None => return Ok(provider(part, kind)),
        },
        "file-id" | "image-file-id" => match field(part, "fileId").and_then(Value::as_str) {
            Some(id) => Media::file(if kind == "file-id" { of_type } else { MediaKind::Image }, id),
            None => return Ok(provider(part, kind)),
        },
        "file-reference" | "image-file-reference" | "custom" => return Ok(provider(part, kind)),
        _ => return unknown_block(part, &kind, "the output of a tool"),
    };
    Ok(Item::media(media.named(label(part, "filename")), part))
}

fn provider<'a>(part: Value<'a>, kind: Cow<'a, str>) -> Item<'a> {
    Item::provider(Dialect::AiSdkModel, kind, part, Vec::new())
}

/// The providers that sign reasoning, and their keys.
pub(crate) const SIGNATURES: [&str; 3] = ["signature", "thoughtSignature", "reasoningEncryptedContent"];

/// The signature that a provider gave to reasoning, under the options or the metadata of any provider.
pub(crate) fn signature_of<'a>(options: Value<'a>, keys: &[&str]) -> Option<Cow<'a, str>> {
    options.members().find_map(|(_, fields)| keys.iter().find_map(|key| field(fields, key)?.as_str()))
}
