//! `messages` of the Cohere v2 chat API.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::document::{Document, has_role};
use crate::observation::{Arguments, Attribute, Content, Item, Media, MediaKind, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    array, field, foreign_error_flag, kind, must_be_call, must_be_object, only_assistant_calls, raw, required,
    required_object, string, text_of, unknown_block, unknown_role,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let response = field(root, "message").filter(|_| field(root, "finish_reason").is_some());
    let document = match response {
        Some(message) if field(root, "messages").is_none() => Document::response(message),
        _ => Document::find(root, "messages", has_role)?,
    };
    if let Some(body) = document.body {
        tools::functions(builder, body)?;
        builder.context(body, &["documents"]);
    }
    for message in document.messages {
        must_be_object(message, "a message")?;
        let role = required(message, "role")?;
        if role != "assistant" {
            only_assistant_calls(message, &["tool_calls"])?;
        }
        match &*role {
            "system" => builder.turn(Speaker::System, message, content(message, &role)?),
            "user" => builder.turn(Speaker::User, message, content(message, &role)?),
            "assistant" => assistant(builder, message)?,
            "tool" => {
                let mut result = ToolResult::new(Some(required(message, "tool_call_id")?), content(message, &role)?);
                result.is_error = foreign_error_flag(message);
                builder.result(result, message);
            }
            role => return unknown_role(message, role),
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![part(value, speaker.name())?])
}

fn content<'a>(message: Value<'a>, role: &str) -> Read<Vec<Item<'a>>> {
    match field(message, "content") {
        None => Ok(Vec::new()),
        Some(text) if text.is_string() => Ok(vec![Item::text(text_of(text, "content")?, text)]),
        Some(_) => array(message, "content")?.map(|part| self::part(part, role)).collect(),
    }
}

/// The plan of a turn is text in front of its calls.
fn assistant<'a>(builder: &mut Builder<'a>, message: Value<'a>) -> Read<()> {
    let mut items = content(message, "assistant")?;
    for item in items.iter_mut().filter(|item| matches!(item.content, Content::Text(_))) {
        item.attributes.extend(raw(message, "citations").map(|raw| (Attribute::Citations, raw)));
    }
    if let Some(plan) = field(message, "tool_plan") {
        items.push(Item::text(text_of(plan, "tool_plan")?, plan));
    }
    for call in array(message, "tool_calls")? {
        must_be_call(call, &["function"])?;
        let function = required_object(call, "function")?;
        let arguments = string(function, "arguments")?.map_or(Arguments::Missing, Arguments::Text);
        items.push(Item::call(string(call, "id")?, required(function, "name")?, arguments, call));
    }
    builder.turn(Speaker::Assistant, message, items);
    Ok(())
}

fn part<'a>(part: Value<'a>, role: &str) -> Read<Item<'a>> {
    let kind = kind(part)?;
    Ok(match &*kind {
        "text" => Item::text(required(part, "text")?, part),
        "thinking" if role == "assistant" => Item::reasoning(required(part, "thinking")?, None, part),
        "document" if role == "tool" => document(part)?,
        "image_url" if role != "assistant" && role != "system" => {
            let holder = required_object(part, "image_url")?;
            let media = Media::url(MediaKind::Image, required(holder, "url")?);
            Item::media(media, part).with(Attribute::Detail, string(holder, "detail")?)
        }
        _ => return unknown_block(part, &kind, &format!("a {role} message")),
    })
}

/// A document of a result: its data is a value, or text.
fn document(part: Value<'_>) -> Read<Item<'_>> {
    let document = required_object(part, "document")?;
    let data = field(document, "data").ok_or_else(|| Unreadable::new(document, "`data` is missing"))?;
    if let Some(text) = data.as_str() {
        return Ok(Item::text(text, part));
    }
    // A document of one text says that text.
    let mut members = data.members();
    if let (Some((key, value)), None) = (members.next(), members.next())
        && ["text", "snippet", "content", "output", "result"].iter().any(|known| key.is_str(known))
        && let Some(text) = value.as_str()
    {
        return Ok(Item::text(text, part));
    }
    must_be_object(data, "`data`")?;
    Ok(Item::new(Content::Data(data), part))
}
