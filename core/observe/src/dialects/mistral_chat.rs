//! `messages` of the Mistral chat API.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::document::{Document, first_of, has_role};
use crate::media::data_url;
use crate::observation::{Arguments, Attribute, Item, Media, MediaKind, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    array, field, foreign_error_flag, kind, label, must_be_call, must_be_object, only_assistant_calls, required,
    required_object, string, text_of, unknown_block, unknown_role,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = match first_of(root, "choices").and_then(|choice| field(choice, "message")) {
        Some(message) if field(root, "messages").is_none() => Document::response(message),
        _ => Document::find(root, "messages", has_role)?,
    };
    if let Some(body) = document.body {
        tools::functions(builder, body)?;
        builder.context(body, &["prompt_mode"]);
    }
    for message in document.messages {
        must_be_object(message, "a message")?;
        let role = required(message, "role")?;
        if role != "assistant" {
            only_assistant_calls(message, &["tool_calls"])?;
        }
        let items = content(message, &role)?;
        match &*role {
            "system" => builder.turn(Speaker::System, message, items),
            "user" => builder.turn(Speaker::User, message, items),
            "assistant" => {
                let mut items = items;
                for call in array(message, "tool_calls")? {
                    items.push(self::call(call)?);
                }
                builder.turn(Speaker::Assistant, message, items);
            }
            "tool" => {
                let mut result = ToolResult::new(string(message, "tool_call_id")?, items);
                result.name = string(message, "name")?;
                result.is_error = foreign_error_flag(message);
                builder.result(result, message);
            }
            role => return unknown_role(message, role),
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![chunk(value, speaker.name())?])
}

fn content<'a>(message: Value<'a>, role: &str) -> Read<Vec<Item<'a>>> {
    match field(message, "content") {
        None => Ok(Vec::new()),
        Some(text) if text.is_string() => Ok(vec![Item::text(text_of(text, "content")?, text)]),
        Some(_) => array(message, "content")?.map(|chunk| self::chunk(chunk, role)).collect(),
    }
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

fn chunk<'a>(chunk: Value<'a>, role: &str) -> Read<Item<'a>> {
    let kind = kind(chunk)?;
    let takes_media = matches!(role, "user" | "tool");
    Ok(match &*kind {
        "text" => Item::text(required(chunk, "text")?, chunk),
        "thinking" if role == "assistant" => {
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
        "thinking" if role == "system" => provider(chunk, &kind),
        "reference" => provider(chunk, &kind),
        "image_url" if takes_media => {
            let holder = field(chunk, "image_url").ok_or_else(|| Unreadable::new(chunk, "`image_url` is missing"))?;
            let (url, detail) = if holder.is_object() {
                (required(holder, "url")?, string(holder, "detail")?)
            } else {
                (text_of(holder, "image_url")?, None)
            };
            Item::media(Media::url(MediaKind::Image, url), chunk).with(Attribute::Detail, detail)
        }
        "document_url" if takes_media => {
            let media = Media::url(MediaKind::Document, required(chunk, "document_url")?);
            Item::media(media.named(label(chunk, "document_name")), chunk)
        }
        "input_audio" if takes_media => {
            let holder =
                field(chunk, "input_audio").ok_or_else(|| Unreadable::new(chunk, "`input_audio` is missing"))?;
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
        "resource" | "resource_link" if role == "tool" => crate::mcp::block(chunk)?,
        _ => return unknown_block(chunk, &kind, &format!("a {role} message")),
    })
}

fn provider<'a>(chunk: Value<'a>, kind: &str) -> Item<'a> {
    Item::provider(Dialect::MistralChat, Cow::Owned(kind.to_owned()), chunk, Vec::new())
}
