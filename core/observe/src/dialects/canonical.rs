//! The canonical transcript of wirecanon: SPEC.md, part 2.

use std::borrow::Cow;

use wirecanon_json::{Json, Value};
use wirecanon_model::Dialect;

use super::items_of;
use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Attribute, Content, Item, Media, MediaKind, Reasoning, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::Read;
use crate::wire::{
    ASSISTANT, SYSTEM, USER, array, boolean, field, kind, object, raw, required, required_field, speaker, string,
    unknown_block,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::of_roles(root, None)?;
    if let Some(body) = document.body {
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        let speaker = speaker(message, &[SYSTEM, USER, ASSISTANT, ("toolResult", Speaker::Tool)])?;
        let mut items = Vec::new();
        for block in array(message, "content")? {
            items.extend(self::block(block, speaker, builder.reader())?);
        }
        if speaker == Speaker::Assistant {
            spoken(message, &mut items)?;
        }
        if speaker != Speaker::Tool {
            turn(builder, speaker, message, items);
            continue;
        }
        let is_synthetic = boolean(message, "synthetic")?.unwrap_or(false);
        let whole = whole_result(message);
        builder.result(ToolResult { is_synthetic, whole, ..result(message, items)? }, message);
    }
    Ok(())
}

/// Adds a turn, which may have broken off.
pub(super) fn turn<'a>(builder: &mut Builder<'a>, speaker: Speaker, message: Value<'a>, items: Vec<Item<'a>>) {
    if field(message, "stopReason").is_some_and(|stop| stop.is_str("error") || stop.is_str("aborted")) {
        builder.failed_turn(speaker, message, items);
    } else {
        builder.turn(speaker, message, items);
    }
}

/// Reads what a message with a result says beside its content.
pub(super) fn result<'a>(message: Value<'a>, items: Vec<Item<'a>>) -> Read<ToolResult<'a>> {
    let result = ToolResult::new(string(message, "toolCallId")?, items).named(string(message, "toolName")?);
    Ok(result.failed(Some(boolean(message, "isError")?.unwrap_or(false))))
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    block(value, speaker, Dialect::Canonical)
}

fn block(block: Value<'_>, speaker: Speaker, reader: Dialect) -> Read<Vec<Item<'_>>> {
    let kind = kind(block)?;
    let item = match &*kind {
        "text" => {
            if let Some(items) = carried(block, speaker) {
                return Ok(items);
            }
            Item::text(required(block, "text")?, block)
        }
        "image" => {
            Item::media(Media::base64(MediaKind::Image, required(block, "data")?, string(block, "mimeType")?), block)
        }
        "link" if speaker == Speaker::User => {
            let media = Media::url(MediaKind::Image, required(block, "url")?);
            Item::media(media.with_type(string(block, "mimeType")?), block)
        }
        "file" if speaker == Speaker::User => {
            let media_type = required(block, "mimeType")?;
            let media =
                Media::base64(MediaKind::of_type(&media_type), required(block, "data")?, Some(media_type.clone()));
            Item::media(media.named(string(block, "name")?), block)
        }
        "thinking" if speaker == Speaker::Assistant => {
            let is_redacted = boolean(block, "redacted")?.unwrap_or(false);
            let text = string(block, "thinking")?.unwrap_or_default();
            let signature = string(block, "signature")?.or(signature_of(block, reader));
            Item::new(Content::Reasoning(Reasoning { text, signature, is_redacted }), block)
        }
        "toolCall" if speaker == Speaker::Assistant => {
            let arguments = Arguments::Text(required(block, "arguments")?);
            Item::call(Some(required(block, "id")?), required(block, "name")?, arguments, block)
        }
        "opaque" if speaker != Speaker::Tool => return opaque(block, speaker, reader),
        _ => return unknown_block(block, &kind, &format!("a {} message", speaker.name())),
    };
    Ok(vec![item.with(Attribute::ProviderOptions, raw(block, "native"))])
}

/// The value of a dialect whose results are objects, which the first block of the content keeps.
fn whole_result(message: Value<'_>) -> Option<Value<'_>> {
    let first = field(message, "content")?.items().next()?;
    field(first, "native")?.members().find_map(|(_, fields)| field(fields, "response"))
}

/// Returns whether a document holds items that one dialect alone knows, or fields of one dialect.
pub(crate) fn depends_on_reader(json: &Json<'_>) -> bool {
    (0..json.len() as u32).map(|index| json.value(index)).any(|value| value.is_str("opaque") || value.is_str("native"))
}

/// The signature that one dialect keeps for a block of reasoning.
fn signature_of(block: Value<'_>, reader: Dialect) -> Option<Cow<'_, str>> {
    let native = field(field(block, "native")?, reader.name())?;
    field(native, "signature")?.as_str()
}

/// The block of another dialect that a text stands for: `native` holds all of it.
fn carried(block: Value<'_>, speaker: Speaker) -> Option<Vec<Item<'_>>> {
    for (name, value) in field(block, "native")?.members() {
        let dialect = Dialect::by_name(&name.as_str()?)?;
        // Fields of the text itself are no block.
        if dialect == Dialect::Canonical || field(value, "text").is_some_and(Value::is_string) {
            continue;
        }
        if let Some(items) = items_of(dialect, value, speaker).ok().filter(|items| !items.is_empty()) {
            return Some(items);
        }
    }
    None
}

fn opaque(block: Value<'_>, speaker: Speaker, reader: Dialect) -> Read<Vec<Item<'_>>> {
    let name = required(block, "dialect")?;
    let value = required_field(block, "value")?;
    let dialect = Dialect::by_name(&name);
    let read = match dialect {
        // Nobody here can read an item of a dialect without a reader.
        None | Some(Dialect::Canonical) => Ok(Vec::new()),
        Some(dialect) => items_of(dialect, value, speaker),
    };
    match read {
        // Words that another dialect spells in a block of its own are said.
        Ok(items) if !items.is_empty() && items.iter().all(|item| item.as_text().is_some()) => Ok(items),
        // What becomes of calls that ask for approval is known at the end.
        Ok(items) if dialect == Some(Dialect::AiSdkModel) || dialect == Some(reader) && !items.iter().any(is_call) => {
            Ok(items)
        }
        Ok(mut items) if items.len() == 1 && matches!(items[0].content, Content::Provider(_)) => {
            Ok(vec![items.remove(0)])
        }
        read => {
            let kind = match object(block, "value")? {
                Some(value) => string(value, "type").ok().flatten().or(string(value, "role").ok().flatten()),
                None => None,
            };
            let name = dialect.map_or(name, |dialect| Cow::Borrowed(dialect.name()));
            let kind = kind.unwrap_or_else(|| name.clone());
            Ok(vec![Item::of_named(name, kind, value, read.unwrap_or_default())])
        }
    }
}

fn is_call(item: &Item<'_>) -> bool {
    matches!(item.content, Content::Call(_))
}

/// Reads the images that the model made and the recording of a turn that was spoken, which are beside the message. The text of a
/// recording stands for it.
fn spoken<'a>(message: Value<'a>, items: &mut Vec<Item<'a>>) -> Read<()> {
    let Some(native) = field(message, "native").and_then(|native| field(native, Dialect::OpenAiChat.name())) else {
        return Ok(());
    };
    for image in field(native, "images").into_iter().flat_map(Value::items) {
        let readable = items_of(Dialect::OpenAiChat, image, Speaker::Assistant).unwrap_or_default();
        items.push(Item::provider(Dialect::OpenAiChat, Cow::Borrowed("images"), image, readable));
    }
    let Some(audio) = object(native, "audio")? else { return Ok(()) };
    let transcript = string(audio, "transcript")?;
    let stands_for = |item: &Item<'_>| {
        item.as_text().is_some_and(|text| match &transcript {
            Some(transcript) => text == transcript,
            None => text.contains("item audio left out"),
        })
    };
    if let Some(at) = items.iter().position(stands_for) {
        items.remove(at);
    }
    let readable = transcript.map(|text| Item::text(text, audio)).into_iter().collect();
    items.push(Item::provider(Dialect::OpenAiChat, Cow::Borrowed("audio"), audio, readable));
    Ok(())
}
