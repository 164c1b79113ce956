//! Serialized messages of LangChain: `{"type", "data"}`, flat, or as their constructors.

use std::borrow::Cow;
use std::collections::VecDeque;

use hashbrown::HashMap;
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use super::openai_chat;
use crate::builder::Builder;
use crate::compare::lists;
use crate::document::Document;
use crate::observation::{
    Arguments, Attribute, Content, Item, Media, MediaKind, Reasoning, Source, Speaker, ToolResult,
};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    array, error_of_status, field, first, foreign_error_flag, kind, must_be_object, object, raw, required,
    required_field, string, text_of, text_or_blocks, unknown_block,
};

const DIALECT: Dialect = Dialect::LangChain;

lists! {
    /// Blocks of the content that say a call of `tool_calls` again
    CALLS = "toolCall tool_use toolUse tool-use functionCall function_call tool_call tool-call tool_call_chunk \
        invalid_tool_call";
}

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let is_message = |value: Value<'_>| value.get("type").is_some() || value.get("lc").is_some();
    let document = Document::find(root, "messages", is_message)?;
    if let Some(body) = document.body {
        tools::functions(builder, body)?;
    }
    for message in document.messages {
        must_be_object(message, "a message")?;
        let (holder, speaker) = head(message)?;
        let mut items = content(holder, speaker)?;
        match speaker {
            Speaker::Assistant => assistant(builder, message, holder, items)?,
            Speaker::Tool => {
                let result = ToolResult::new(Some(required(holder, "tool_call_id")?), items);
                let result = result.named(string(holder, "name")?);
                let is_error = error_of_status(holder)?.or_else(|| foreign_error_flag(holder));
                builder.result(result.failed(is_error.or(Some(false))), message);
            }
            Speaker::User | Speaker::System => {
                if let Some(name) = string(holder, "name")? {
                    for item in &mut items {
                        item.attributes.push((Attribute::SpeakerName, name.clone()));
                    }
                }
                builder.turn(speaker, message, items);
            }
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![block(value, speaker)?])
}

/// The fields of a message, and its speaker.
fn head(message: Value<'_>) -> Read<(Value<'_>, Speaker)> {
    let (holder, name) = match (message.get("lc"), object(message, "kwargs")?) {
        (Some(_), Some(kwargs)) => (kwargs, field(message, "id").and_then(|id| id.items().last())),
        _ => (object(message, "data")?.unwrap_or(message), field(message, "type")),
    };
    let name = name.and_then(Value::as_str).ok_or_else(|| Unreadable::new(message, "the message has no type"))?;
    let speaker = match name.strip_suffix("Chunk").unwrap_or(&name) {
        "HumanMessage" | "human" => Speaker::User,
        "AIMessage" | "ai" => Speaker::Assistant,
        "SystemMessage" | "system" => Speaker::System,
        "ToolMessage" | "tool" => Speaker::Tool,
        name => return Err(Unreadable::new(message, format!("unknown message type `{name}`"))),
    };
    Ok((holder, speaker))
}

fn content<'a>(holder: Value<'a>, speaker: Speaker) -> Read<Vec<Item<'a>>> {
    required_field(holder, "content")?;
    let block = |value: Value<'a>| match value.as_str() {
        Some(text) => Ok(Item::text(text, value)),
        None => block(value, speaker),
    };
    Ok(text_or_blocks(holder, "content", block)?.unwrap_or_default())
}

fn assistant<'a>(builder: &mut Builder<'a>, message: Value<'a>, holder: Value<'a>, items: Vec<Item<'a>>) -> Read<()> {
    let mut calls = Vec::new();
    for call in array(holder, "tool_calls")? {
        must_be_object(call, "a tool call")?;
        let arguments = object(call, "args")?.map_or(Arguments::Missing, Arguments::Value);
        calls.push(Item::call(string(call, "id")?, required(call, "name")?, arguments, call));
    }
    calls.extend(calls_of_text(holder, "invalid_tool_calls")?);
    if calls.is_empty() {
        calls = calls_elsewhere(holder)?;
    }
    // The content may say a call again, at its place among the texts.
    let mut known: HashMap<Cow<'a, str>, VecDeque<usize>> = HashMap::new();
    for (at, call) in calls.iter().enumerate() {
        if let Content::Call(call) = &call.content {
            known.entry(call.id.clone().unwrap_or_default()).or_default().push_back(at);
        }
    }
    let mut calls: Vec<_> = calls.into_iter().map(Some).collect();
    let mut all = Vec::new();
    let mut has_reasoning = false;
    for item in items {
        has_reasoning |= matches!(item.content, Content::Reasoning(_));
        let again = match &item.content {
            Content::Call(call) => {
                let id = call.id.as_deref().unwrap_or_default();
                known.get_mut(id).and_then(VecDeque::pop_front).and_then(|at| calls[at].take())
            }
            _ => None,
        };
        all.push(again.unwrap_or(item));
    }
    let kwargs = object(holder, "additional_kwargs")?;
    if let Some(text) = kwargs.and_then(|kwargs| field(kwargs, "reasoning_content")).filter(|_| !has_reasoning) {
        all.insert(0, Item::reasoning(text_of(text, "reasoning_content")?, None, text));
    }
    all.extend(calls.into_iter().flatten());
    builder.turn(Speaker::Assistant, message, all);
    Ok(())
}

/// Reads calls whose arguments are texts.
fn calls_of_text<'a>(holder: Value<'a>, key: &str) -> Read<Vec<Item<'a>>> {
    let call = |call| {
        must_be_object(call, "a tool call")?;
        let arguments = string(call, "args")?.map_or(Arguments::Missing, Arguments::Text);
        Ok(Item::call(string(call, "id")?, required(call, "name")?, arguments, call))
    };
    array(holder, key)?.map(call).collect()
}

/// Reads calls that stand in neither list: in the chunks of a stream, or as the provider spells them. LangChain reads them there.
fn calls_elsewhere(holder: Value<'_>) -> Read<Vec<Item<'_>>> {
    let mut calls = calls_of_text(holder, "tool_call_chunks")?;
    let Some(kwargs) = object(holder, "additional_kwargs")?.filter(|_| calls.is_empty()) else { return Ok(calls) };
    for call in array(kwargs, "tool_calls")? {
        calls.push(openai_chat::call(call)?);
    }
    if let Some(function) = object(kwargs, "function_call")?.filter(|_| calls.is_empty()) {
        calls.push(openai_chat::legacy_call(function)?);
    }
    Ok(calls)
}

fn block(block: Value<'_>, speaker: Speaker) -> Read<Item<'_>> {
    let kind = kind(block)?;
    let is_assistant = speaker == Speaker::Assistant;
    Ok(match &*kind {
        "text" => {
            let item = Item::text(required(block, "text")?, block);
            item.with(Attribute::Citations, raw(block, "annotations").or(raw(block, "citations")))
        }
        "reasoning" | "thinking" | "redacted_thinking" if is_assistant => reasoning(block, &kind)?,
        _ if CALLS.has(&kind) && is_assistant && field(block, "server_name").is_none() => call(block)?,
        "image" => Item::media(media(block, MediaKind::Image)?, block),
        "audio" => Item::media(media(block, MediaKind::Audio)?, block),
        "video" => Item::media(media(block, MediaKind::Video)?, block),
        "file" | "document" | "text-plain" | "media" => Item::media(document(block)?, block),
        "image_url" => openai_chat::image_of_url(required_field(block, "image_url")?, block)?,
        "input_audio" => {
            let holder = object(block, "input_audio")?.unwrap_or(block);
            let format = string(holder, "format")?.map(|format| Cow::Owned(format!("audio/{format}")));
            Item::media(Media::base64(MediaKind::Audio, required(holder, "data")?, format), block)
        }
        "input_text" | "output_text" | "resource" | "resource_link" | "tool_result" => {
            return unknown_block(block, &kind, &format!("a {} message", speaker.name()));
        }
        // LangChain hands blocks that it does not know to the provider.
        _ => Item::provider(DIALECT, kind, block, Vec::new()),
    })
}

fn call(block: Value<'_>) -> Read<Item<'_>> {
    let inner = first(block, &["functionCall", "function_call"]).filter(|inner| inner.is_object()).unwrap_or(block);
    let given = first(inner, &["args", "input", "arguments"]);
    let arguments = match given {
        None => Arguments::Missing,
        Some(value) => match value.as_str() {
            Some(text) => Arguments::Text(text),
            None => Arguments::Value(value),
        },
    };
    let id = first(block, &["call_id", "id"]).and_then(Value::as_str);
    Ok(Item::call(id, required(inner, "name")?, arguments, block))
}

fn reasoning<'a>(block: Value<'a>, kind: &str) -> Read<Item<'a>> {
    if kind == "redacted_thinking" {
        return Ok(Item::redacted(string(block, "data")?, block));
    }
    let text = match first(block, &["reasoning", "thinking", "text"]) {
        Some(text) if text.is_string() => text_of(text, kind)?,
        Some(list) => {
            let texts: Vec<_> = list.items().filter_map(|part| part.get("text")?.as_str()).collect();
            Cow::Owned(texts.join("\n"))
        }
        None => {
            let mut texts = Vec::new();
            for key in ["summary", "content"] {
                for part in array(block, key)? {
                    texts.extend(string(part, "text")?);
                }
            }
            Cow::Owned(texts.join("\n"))
        }
    };
    let extras = object(block, "extras")?;
    // LangChain hands on what it does not know.
    let signature = field(block, "signature")
        .and_then(Value::as_str)
        .or(extras.and_then(|extras| field(extras, "signature")).and_then(Value::as_str))
        .or(string(block, "encrypted_content")?);
    Ok(Item::new(Content::Reasoning(Reasoning { text, signature, is_redacted: false }), block))
}

/// Reads the bytes, the address or the id of a block of any of LangChain's versions.
fn media(block: Value<'_>, kind: MediaKind) -> Read<Media<'_>> {
    let nested = field(block, "source").filter(|source| source.is_object());
    let holder = nested.unwrap_or(block);
    let media_type = first(holder, &["mime_type", "media_type", "mimeType"]).and_then(Value::as_str);
    let is_id = field(holder, "source_type").is_some_and(|kind| kind.is_str("id"));
    if let Some(data) = first(holder, &["base64", "data"]) {
        return Ok(Media::url_or_base64(kind, text_of(data, "base64")?, media_type));
    }
    if let Some(url) = string(holder, "url")? {
        return Ok(Media::url(kind, url).with_type(media_type));
    }
    let id = first(holder, &["file_id", "fileId"]).or(field(holder, "id").filter(|_| is_id));
    match id {
        Some(id) => Ok(Media::file(kind, text_of(id, "file_id")?)),
        None => Err(Unreadable::new(block, "the block has neither data, nor address, nor id")),
    }
}

/// Reads a document: its bytes, its text, its parts, its address or its id.
fn document(block: Value<'_>) -> Read<Media<'_>> {
    let holder = first(block, &["source", "file"]).filter(|holder| holder.is_object()).unwrap_or(block);
    let named = first(block, &["filename", "name", "title"]).or(first(holder, &["filename", "name"]));
    let metadata = object(block, "metadata")?.and_then(|metadata| first(metadata, &["filename", "name", "title"]));
    let name = named.or(metadata).and_then(Value::as_str);
    let media_type = first(holder, &["mime_type", "media_type", "mimeType"]).or(field(block, "mime_type"));
    let media_type = media_type.and_then(Value::as_str);
    let kind = MediaKind::of_declared(media_type.as_deref());
    let is_text = ["type", "source_type"].iter().any(|key| field(holder, key).is_some_and(|kind| kind.is_str("text")));
    let text = string(holder, "text")?.or(if is_text { string(holder, "data")? } else { None });
    if let Some(text) = text {
        return Ok(Media::new(kind, Source::Text(text)).with_type(media_type).named(name));
    }
    if let Some(data) = string(holder, "file_data")? {
        return Ok(Media::url_or_base64(kind, data, media_type).named(name));
    }
    let part = |part| Ok(Item::text(required(part, "text")?, part));
    if let Some(items) = text_or_blocks(holder, "content", part)? {
        return Ok(Media::new(kind, Source::Items(items)).with_type(media_type).named(name));
    }
    Ok(media(holder, kind)?.with_type(media_type).named(name))
}
