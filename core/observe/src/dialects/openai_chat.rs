//! `messages` of the OpenAI Chat Completions API, and of the servers that speak it.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::document::{Document, first_of};
use crate::observation::{Arguments, Attribute, Content, Item, Media, MediaKind, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    ASSISTANT, SYSTEM, TOOL, USER, array, chat_speaker, field, foreign_error_flag, kind, label, must_be_call,
    must_be_object, object, raw, required, required_object, string, text_of, text_or_blocks, two_members,
    unknown_block,
};

/// The roles; `developer` and `function` are other names of two of them.
const ROLES: [(&str, Speaker); 6] =
    [SYSTEM, ("developer", Speaker::System), USER, ASSISTANT, TOOL, ("function", Speaker::Tool)];

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let response = first_of(root, "choices").and_then(|choice| field(choice, "message"));
    let document = Document::of_roles(root, response)?;
    if let Some(body) = document.body {
        tools::functions(builder, body)?;
        // The older form.
        for function in builder.definitions(body, "functions")? {
            must_be_object(function, "a function")?;
            builder.tool(tools::described(function, function, &["parameters"])?);
        }
        if let Some(options) = object(body, "web_search_options")? {
            builder.tool(tools::of_provider("web_search_options", options));
        }
        builder.context(body, &["documents"]);
    }
    for message in document.messages {
        let speaker = chat_speaker(message, &ROLES, &["tool_calls", "function_call"])?;
        let is_role = |known: &str| message.get("role").is_some_and(|role| role.is_str(known));
        match speaker {
            Speaker::System => {
                text_turn(builder, speaker, message, is_role("developer").then_some(Attribute::Developer))?;
            }
            Speaker::User => text_turn(builder, speaker, message, None)?,
            Speaker::Assistant => assistant(builder, message)?,
            Speaker::Tool if is_role("function") => {
                let result = ToolResult::new(None, content(message, "function")?);
                let result = result.named(Some(required(message, "name")?));
                builder.result(result.failed(foreign_error_flag(message)), message);
            }
            Speaker::Tool => {
                let result = ToolResult::new(Some(required(message, "tool_call_id")?), content(message, "tool")?);
                // The API has no such field, and programs write it all the same.
                let result = result.named(message.get("name").and_then(Value::as_str));
                builder.result(result.failed(foreign_error_flag(message)), message);
            }
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    if value.get("function").is_some() || value.get("custom").is_some() {
        return Ok(vec![call(value)?]);
    }
    Ok(vec![part(value, speaker.name())?])
}

fn text_turn<'a>(builder: &mut Builder<'a>, speaker: Speaker, message: Value<'a>, mark: Option<Attribute>) -> Read<()> {
    let mut items = content(message, speaker.name())?;
    let name = string(message, "name")?;
    for item in &mut items {
        item.attributes.extend(name.clone().map(|name| (Attribute::SpeakerName, name)));
        item.attributes.extend(mark.map(|mark| (mark, Cow::Borrowed("true"))));
    }
    builder.turn(speaker, message, items);
    Ok(())
}

/// Reads the content of a message: a string, or a list of parts.
pub(crate) fn content<'a>(message: Value<'a>, role: &str) -> Read<Vec<Item<'a>>> {
    Ok(text_or_blocks(message, "content", |part| self::part(part, role))?.unwrap_or_default())
}

fn part<'a>(part: Value<'a>, role: &str) -> Read<Item<'a>> {
    let kind = kind(part)?;
    let item = match &*kind {
        "text" => Item::text(required(part, "text")?, part),
        "refusal" if role == "assistant" => Item::text(required(part, "refusal")?, part),
        "image_url" => image_of_url(required_object(part, "image_url")?, part)?,
        "video_url" | "audio_url" => {
            let holder = required_object(part, &kind)?;
            let media = if kind == "video_url" { MediaKind::Video } else { MediaKind::Audio };
            Item::media(Media::url(media, required(holder, "url")?), part)
        }
        "input_audio" => {
            let holder = required_object(part, "input_audio")?;
            let format = string(holder, "format")?.map(|format| Cow::Owned(format!("audio/{format}")));
            Item::media(Media::base64(MediaKind::Audio, required(holder, "data")?, format), part)
        }
        "file" => file(part)?,
        _ => return unknown_block(part, &kind, &format!("a {role} message")),
    };
    Ok(item.with(Attribute::CacheMark, raw(part, "cache_control")))
}

/// Reads an image by its address: the address, or an object with it.
pub(crate) fn image_of_url<'a>(holder: Value<'a>, part: Value<'a>) -> Read<Item<'a>> {
    if !holder.is_object() {
        return Ok(Item::media(Media::url(MediaKind::Image, text_of(holder, "image_url")?), part));
    }
    let media = Media::url(MediaKind::Image, required(holder, "url")?);
    Ok(Item::media(media, part).with(Attribute::Detail, string(holder, "detail")?))
}

fn file(part: Value<'_>) -> Read<Item<'_>> {
    let holder = required_object(part, "file")?;
    let media = match (string(holder, "file_data")?, string(holder, "file_id")?) {
        (Some(data), _) => Media::url_or_base64(MediaKind::Document, data, None),
        (None, Some(id)) => Media::file(MediaKind::Document, id),
        (None, None) => return Err(Unreadable::new(holder, "the file has neither `file_data` nor `file_id`")),
    };
    Ok(Item::media(media.named(label(holder, "filename")), part))
}

fn assistant<'a>(builder: &mut Builder<'a>, message: Value<'a>) -> Read<()> {
    let mut items = reasoning(message)?;
    items.extend(content(message, "assistant")?);
    let name = string(message, "name")?;
    for item in &mut items {
        item.attributes.extend(name.clone().map(|name| (Attribute::SpeakerName, name)));
        if matches!(item.content, Content::Text(_)) {
            item.attributes.extend(raw(message, "annotations").map(|raw| (Attribute::Citations, raw)));
        }
    }
    if let Some(refusal) = string(message, "refusal")? {
        items.push(Item::text(refusal, message));
    }
    // A turn that was spoken: the recording is known by its id.
    if let Some(audio) = object(message, "audio")? {
        let transcript = string(audio, "transcript")?.map(|text| Item::text(text, audio));
        let transcript = transcript.into_iter().collect();
        items.push(Item::provider(Dialect::OpenAiChat, Cow::Borrowed("audio"), audio, transcript));
    }
    // Images that the model made, as gateways keep them.
    for image in array(message, "images")? {
        let readable = vec![part(image, "assistant")?];
        items.push(Item::provider(Dialect::OpenAiChat, Cow::Borrowed("images"), image, readable));
    }
    if let Some(function) = object(message, "function_call")? {
        items.push(legacy_call(function)?);
    }
    for call in array(message, "tool_calls")? {
        items.push(self::call(call)?);
    }
    builder.turn(Speaker::Assistant, message, items);
    Ok(())
}

/// Reads a `function_call`, the older form of a call.
pub(crate) fn legacy_call(function: Value<'_>) -> Read<Item<'_>> {
    Ok(Item::call(None, required(function, "name")?, arguments(function)?, function))
}

/// Reads an item of `tool_calls`.
pub(crate) fn call(call: Value<'_>) -> Read<Item<'_>> {
    must_be_call(call, &["function", "custom", "builtin_function"])?;
    let id = string(call, "id")?;
    if field(call, "function").is_some() && field(call, "custom").is_some() {
        return Err(two_members(call, "function", "custom"));
    }
    if let Some(custom) = object(call, "custom")? {
        let input = Arguments::Input(required(custom, "input")?);
        return Ok(Item::call(id, required(custom, "name")?, input, call));
    }
    let function = required_object(call, "function")?;
    Ok(Item::call(id, required(function, "name")?, arguments(function)?, call))
}

fn arguments(function: Value<'_>) -> Read<Arguments<'_>> {
    Ok(string(function, "arguments")?.map_or(Arguments::Missing, Arguments::Text))
}

/// Reads the reasoning that servers and gateways keep beside the content.
fn reasoning(message: Value<'_>) -> Read<Vec<Item<'_>>> {
    let mut items = Vec::new();
    for block in array(message, "thinking_blocks")? {
        match &*kind(block)? {
            "thinking" => {
                let signature = string(block, "signature")?.filter(|signature| !signature.is_empty());
                items.push(Item::reasoning(string(block, "thinking")?.unwrap_or_default(), signature, block));
            }
            "redacted_thinking" => items.push(Item::redacted(string(block, "data")?, block)),
            kind => return unknown_block(block, kind, "`thinking_blocks`"),
        }
    }
    for detail in array(message, "reasoning_details")? {
        if let Some(text) = string(detail, "text")?.or(string(detail, "summary")?) {
            items.push(Item::reasoning(text, string(detail, "signature")?, detail));
        } else if let Some(data) = string(detail, "data")? {
            items.push(Item::redacted(Some(data), detail));
        }
    }
    for key in ["reasoning_content", "reasoning"] {
        if let Some(text) = string(message, key)?.filter(|text| !text.is_empty()) {
            let is_said =
                |item: &Item<'_>| matches!(&item.content, Content::Reasoning(text_turn) if text_turn.text == text);
            if !items.iter().any(is_said) {
                items.push(Item::reasoning(text, None, message));
            }
        }
    }
    Ok(items)
}
