//! Pictures and files as versions 3 and 4 of the AI SDK store them: beside what the user says, under
//! `experimental_attachments`, each with a `url` and, as a rule, a `contentType` and a `name`. Source: npm:ai@4
//! `Attachment`, `attachmentsToParts`; later versions know parts alone, and send no attachment.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::media;
use crate::read::fields::MIME_TYPES;
use crate::read::reader::Reader;
use wirecanon_json::{Value, quote};
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, BlockKind, File, Link, Media, Opaque};

/// The member that holds them.
pub(crate) const KEY: &str = "experimental_attachments";

/// The attachments of a message that are none of its parts.
pub(crate) fn of_message(message: Value<'_>) -> Vec<Value<'_>> {
    let url = |part: Value<'_>| part.get("url").and_then(Value::as_str).map(Cow::into_owned);
    let known: HashSet<_> = message.get("parts").into_iter().flat_map(Value::items).filter_map(url).collect();
    let list = message.get(KEY).into_iter().flat_map(Value::items);
    list.filter(|item| url(*item).is_some_and(|url| !url.trim().is_empty() && !known.contains(&url))).collect()
}

/// Reads one as the part that it is now.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let text = |key: &&str| item.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let url = text(&"url").unwrap_or_default();
    let (name, mut mime_type) = (text(&"name"), text(&"contentType").or_else(|| MIME_TYPES.iter().find_map(text)));
    let mut data = None;
    if media::is_data_url(&url) {
        let (mime, bytes) = media::split_data_url(&url);
        mime_type = mime_type.or_else(|| mime.map(|mime| Cow::Owned(mime.to_owned())));
        data = bytes.map(|bytes| Cow::Owned(bytes.to_owned()));
    }
    let picture = media::is_picture(mime_type.as_deref(), &url);
    let kind = match (data, picture) {
        (Some(data), true) => BlockKind::Image(Box::new(Media { data: Some(data), mime_type })),
        (Some(data), false) if mime_type.is_some() && media::is_canonical(&data) => {
            BlockKind::File(Box::new(File { data, mime_type: mime_type.unwrap_or_default(), name }))
        }
        (None, true) if !media::is_data_url(&url) => BlockKind::Link(Box::new(Link { url, mime_type })),
        _ => {
            let mime = quote(mime_type.as_deref().unwrap_or("application/octet-stream"));
            let name = name.map(|name| format!(",\"filename\":{}", quote(&name))).unwrap_or_default();
            let value = format!(r#"{{"type":"file","mediaType":{mime},"url":{}{name}}}"#, quote(&url));
            BlockKind::Opaque(Box::new(Opaque { dialect: Cow::Borrowed(cx.dialect.name()), value: Cow::Owned(value) }))
        }
    };
    let block = cx.block(kind, item);
    let words = "an attachment as version 4 of the SDK stores it was read as a part";
    cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, words);
    block
}
