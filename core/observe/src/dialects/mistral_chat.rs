//! `messages` of the Mistral chat API.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use super::openai_chat::image_of_url;
use crate::builder::Builder;
use crate::document::{Document, first_of};
use crate::media::data_url;
use crate::observation::{Arguments, Item, Media, MediaKind, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::Read;
use crate::wire::{
    ASSISTANT, SYSTEM, TOOL, USER, array, chat_speaker, field, foreign_error_flag, kind, label, must_be_call, required,
    required_field, required_object, string, text_of, text_or_blocks, unknown_block,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let response = first_of(root, "choices").and_then(|choice| field(choice, "message"));
    let document = Document::of_roles(root, response)?;
    if let Some(body) = document.body {
        tools::functions(builder, body)?;
        builder.context(body, &["prompt_mode"]);
    }
    for message in document.messages {
        let speaker = chat_speaker(message, &[SYSTEM, USER, ASSISTANT, TOOL], &["tool_calls"])?;
        let chunks = text_or_blocks(message, "content", |chunk| self::chunk(chunk, speaker))?;
        let mut items = chunks.unwrap_or_default();
        if speaker == Speaker::Tool {
            let result = ToolResult::new(string(message, "tool_call_id")?, items).named(string(message, "name")?);
            builder.result(result.failed(foreign_error_flag(message)), message);
            continue;
        }
        if speaker == Speaker::Assistant {
            for call in array(message, "tool_calls")? {
                items.push(self::call(call)?);
            }
        }
        builder.turn(speaker, message, items);
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![chunk(value, speaker)?])
}

fn call(call: Value<'_>) -> Read<Item<'_>> {
    must_be_call(call, &["function"])?;
    let function = required_object(call, "function")?;
    let arguments = match field(function, "arguments") {
        None => Arguments::Missing,
        Some(value) if value.is_object() => Arguments::Value(value),
        Some(text) => Arguments::Text(text_of(text, "arguments")?),
    };
    Ok(Item::call(string(call, "id")?, required(function, "name")?, arguments, call))
}

fn chunk(chunk: Value<'_>, speaker: Speaker) -> Read<Item<'_>> {
    let kind = kind(chunk)?;
    let takes_media = matches!(speaker, Speaker::User | Speaker::Tool);
    Ok(match &*kind {
        "text" => Item::text(required(chunk, "text")?, chunk),
        "thinking" if speaker == Speaker::Assistant => {
            let mut text = String::new();
            match field(chunk, "thinking") {
                Some(words) if words.is_string() => text.push_str(&text_of(words, "thinking")?),
                _ => {
                    for part in array(chunk, "thinking")? {
                        text.push_str(&string(part, "text")?.unwrap_or_default());
                    }
                }
            }
            Item::reasoning(Cow::Owned(text), string(chunk, "signature")?, chunk)
        }
        "thinking" if speaker == Speaker::System => provider(chunk, &kind),
        "reference" => provider(chunk, &kind),
        "image_url" if takes_media => image_of_url(required_field(chunk, "image_url")?, chunk)?,
        "document_url" if takes_media => {
            let media = Media::url(MediaKind::Document, required(chunk, "document_url")?);
            Item::media(media.named(label(chunk, "document_name")), chunk)
        }
        "input_audio" if takes_media => {
            let holder = required_field(chunk, "input_audio")?;
            let data = if holder.is_object() { required(holder, "data")? } else { text_of(holder, "input_audio")? };
            let format = if holder.is_object() { string(holder, "format")? } else { None };
            let media_type = format.map(|format| Cow::Owned(format!("audio/{format}")));
            let media = if data_url(&data).is_some() {
                Media::url(MediaKind::Audio, data)
            } else {
                Media::url_or_base64(MediaKind::Audio, data, media_type)
            };
            Item::media(media, chunk)
        }
        "file" if takes_media => Item::media(Media::file(MediaKind::Document, required(chunk, "file_id")?), chunk),
        "resource" | "resource_link" if speaker == Speaker::Tool => crate::mcp::block(chunk)?,
        _ => return unknown_block(chunk, &kind, &format!("a {} message", speaker.name())),
    })
}

fn provider<'a>(chunk: Value<'a>, kind: &str) -> Item<'a> {
    Item::provider(Dialect::MistralChat, Cow::Owned(kind.to_owned()), chunk, Vec::new())
}
