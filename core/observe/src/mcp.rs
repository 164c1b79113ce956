//! Content blocks of the Model Context Protocol.

use std::borrow::Cow;

use wirecanon_json::Value;

use crate::observation::{Content, Item, Media, MediaKind, Resource};
use crate::unreadable::Read;
use crate::wire::{field, first, kind, only_member, required, required_object, string, unknown_block};

/// Returns what a message of JSON-RPC carries in one of these fields; any other document as it is.
pub(crate) fn carried<'a>(root: Value<'a>, keys: &[&str]) -> Value<'a> {
    let is_carried = |inner: &Value<'a>| root.get("jsonrpc").is_some() && inner.is_object();
    first(root, keys).filter(is_carried).unwrap_or(root)
}

/// Reads a content block of a result, a prompt or a sampling message.
pub(crate) fn block(block: Value<'_>) -> Read<Item<'_>> {
    match known_block(block)? {
        Some(item) => Ok(item),
        None => unknown_block(block, &kind(block)?, "MCP content"),
    }
}

/// Reads a block of the content of a result, or a value in place of one: a block of a type that the protocol does not have.
pub(crate) fn block_or_value(block: Value<'_>) -> Read<Item<'_>> {
    Ok(known_block(block)?.unwrap_or_else(|| Item::new(Content::Data(block), block)))
}

/// Reads a block of a type that the protocol has; `None` for any other.
fn known_block(block: Value<'_>) -> Read<Option<Item<'_>>> {
    let kind = kind(block)?;
    Ok(Some(match &*kind {
        "text" => Item::text(required(block, "text")?, block),
        "image" => media(block, MediaKind::Image)?,
        "audio" => media(block, MediaKind::Audio)?,
        "resource_link" => {
            let link = Resource { value: block, uri: string(block, "uri")?, text: None, media: None };
            Item::new(Content::Resource(link), block)
        }
        "resource" => Item::new(Content::Resource(resource(block)?), block),
        _ => return Ok(None),
    }))
}

/// Returns the structured content of a result, unless it is no more than the list of its blocks, which servers put there.
pub(crate) fn structured<'a>(result: Value<'a>, items: &[Item<'a>]) -> Option<Value<'a>> {
    let value = field(result, "structuredContent")?;
    let list = only_member(value).filter(|(key, _)| key.is_str("result")).map_or(value, |(_, list)| list);
    // An empty list repeats nothing: it is what the tool said.
    let repeats = list.is_array()
        && !items.is_empty()
        && list.items().count() == items.len()
        && list.items().zip(items).all(|(block, item)| is_same(block, item));
    (!repeats).then_some(value)
}

fn is_same(value: Value<'_>, item: &Item<'_>) -> bool {
    match (block(value).map(|item| item.content), &item.content) {
        (Ok(Content::Text(a)), Content::Text(b)) => a == *b,
        (Ok(Content::Media(a)), Content::Media(b)) => a.is_same(b) && a.media_type == b.media_type,
        (Ok(Content::Resource(a)), Content::Resource(b)) => a.uri == b.uri && a.text == b.text,
        _ => false,
    }
}

fn media(block: Value<'_>, kind: MediaKind) -> Read<Item<'_>> {
    Ok(Item::media(Media::base64(kind, required(block, "data")?, string(block, "mimeType")?), block))
}

fn resource(block: Value<'_>) -> Read<Resource<'_>> {
    let inner = required_object(block, "resource")?;
    let media_type = string(inner, "mimeType")?;
    let media = string(inner, "blob")?
        .map(|blob| Media::base64(MediaKind::of_declared(media_type.as_deref()), blob, media_type.clone()));
    let name = string(inner, "uri")?.map(|uri| Cow::Owned(uri.rsplit('/').next().unwrap_or_default().to_owned()));
    Ok(Resource {
        value: block,
        uri: string(inner, "uri")?,
        // Beside a blob a text is a member that the protocol does not have.
        text: if media.is_some() { inner.get("text").and_then(Value::as_str) } else { string(inner, "text")? },
        media: media.map(|media| media.named(name)),
    })
}
