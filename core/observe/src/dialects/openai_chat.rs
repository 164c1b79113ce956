//! `messages` of the OpenAI Chat Completions API, and of the servers that speak it.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::document::{Document, first_of, has_role};
use crate::observation::{Arguments, Attribute, Content, Item, Media, MediaKind, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    array, field, foreign_error_flag, kind, label, must_be_call, must_be_object, object, only_assistant_calls, raw,
    required, required_object, string, text_of, two_members, unknown_block, unknown_role,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = match first_of(root, "choices").and_then(|choice| field(choice, "message")) {
        Some(message) if field(root, "messages").is_none() => Document::response(message),
        _ => Document::find(root, "messages", has_role)?,
    };
    if let Some(body) = document.body {
        tools::functions(builder, body)?;
        // The older form.
        for function in array(body, "functions")? {
            must_be_object(function, "a function")?;
            builder.tool(tools::described(function, function, &["parameters"])?);
        }
        if let Some(options) = object(body, "web_search_options")? {
            builder.tool(tools::of_provider("web_search_options", options));
        }
        builder.context(body, &["documents"]);
    }
    for message in document.messages {
        must_be_object(message, "a message")?;
        let role = required(message, "role")?;
        if role != "assistant" {
            only_assistant_calls(message, &["tool_calls", "function_call"])?;
        }
        match &*role {
            "system" => text_turn(builder, Speaker::System, message, None)?,
            "developer" => text_turn(builder, Speaker::System, message, Some(Attribute::Developer))?,
            "user" => text_turn(builder, Speaker::User, message, None)?,
            "assistant" => assistant(builder, message)?,
            "tool" => {
                let mut result = ToolResult::new(Some(required(message, "tool_call_id")?), content(message, "tool")?);
                result.name = string(message, "name")?;
                result.is_error = foreign_error_flag(message);
                builder.result(result, message);
            }
            "function" => {
                let mut result = ToolResult::new(None, content(message, "function")?);
                result.name = Some(required(message, "name")?);
                result.is_error = foreign_error_flag(message);
                builder.result(result, message);
            }
            role => return unknown_role(message, role),
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
    match field(message, "content") {
        None => Ok(Vec::new()),
        Some(text) if text.is_string() => Ok(vec![Item::text(text_of(text, "content")?, text)]),
        Some(_) => array(message, "content")?.map(|part| self::part(part, role)).collect(),
    }
}

fn part<'a>(part: Value<'a>, role: &str) -> Read<Item<'a>> {
    let kind = kind(part)?;
    let item = match &*kind {
        "text" => Item::text(required(part, "text")?, part),
        "refusal" if role == "assistant" => Item::text(required(part, "refusal")?, part),
        "image_url" => {
            let holder = required_object(part, "image_url")?;
            let media = Media::url(MediaKind::Image, required(holder, "url")?);
            Item::media(media, part).with(Attribute::Detail, string(holder, "detail")?)
        }
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
        items.push(Item::provider(
            Dialect::OpenAiChat,
            Cow::Borrowed("audio"),
            audio,
            transcript.into_iter().collect(),
        ));
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
                items.push(Item::reasoning(
                    string(block, "thinking")?.unwrap_or_default(),
                    string(block, "signature")?.filter(|signature| !signature.is_empty()),
                    block,
                ));
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
