//! Parts of UI messages as version 4 of the AI SDK kept them: calls and files beside the parts, reasoning with details.

use hashbrown::HashSet;
use wirecanon_json::Value;

use crate::observation::{Item, Media, MediaKind};
use crate::unreadable::Read;
use crate::wire::{array, field, must_be_object, object, required, string, unknown_block};

/// The calls of a message that none of its parts has.
pub(crate) fn calls_beside(message: Value<'_>) -> Read<Vec<Value<'_>>> {
    let mut known = HashSet::new();
    for part in array(message, "parts")? {
        let holder = field(part, "toolInvocation").unwrap_or(part);
        known.extend(field(holder, "toolCallId").and_then(Value::as_str));
    }
    let mut calls = Vec::new();
    for call in array(message, "toolInvocations")? {
        must_be_object(call, "a tool call")?;
        if !known.contains(&required(call, "toolCallId")?) {
            calls.push(call);
        }
    }
    Ok(calls)
}

/// The files of a message that none of its parts has.
pub(crate) fn attachments(message: Value<'_>) -> Read<Vec<Item<'_>>> {
    let mut known = HashSet::new();
    for part in array(message, "parts")? {
        known.extend(field(part, "url").and_then(Value::as_str));
    }
    let mut items = Vec::new();
    for file in array(message, "experimental_attachments")? {
        must_be_object(file, "an attachment")?;
        let url = required(file, "url")?;
        if known.contains(&url) {
            continue;
        }
        let media_type = string(file, "contentType")?;
        let kind = MediaKind::of_declared(media_type.as_deref());
        items.push(Item::media(Media::url(kind, url).with_type(media_type).named(string(file, "name")?), file));
    }
    Ok(items)
}

/// Returns whether reasoning is in the form of version 4.
pub(crate) fn is_reasoning(part: Value<'_>) -> bool {
    field(part, "reasoning").is_some() || field(part, "details").is_some()
}

/// Reads reasoning: its details, or its text where it has none.
pub(crate) fn reasoning(part: Value<'_>) -> Read<Vec<Item<'_>>> {
    let mut items = Vec::new();
    for detail in array(part, "details")? {
        must_be_object(detail, "a detail")?;
        match &*required(detail, "type")? {
            "text" => items.push(Item::reasoning(required(detail, "text")?, string(detail, "signature")?, detail)),
            "redacted" => items.push(Item::redacted(Some(required(detail, "data")?), detail)),
            kind => return unknown_block(detail, kind, "reasoning"),
        }
    }
    if items.is_empty() {
        let signature = match object(part, "providerMetadata")? {
            Some(metadata) => crate::ai_sdk::signature_of(metadata, &crate::ai_sdk::SIGNATURES),
            None => None,
        };
        items.push(Item::reasoning(required(part, "reasoning")?, signature, part));
    }
    Ok(items)
}
