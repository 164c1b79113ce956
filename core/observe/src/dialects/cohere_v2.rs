//! `messages` of the Cohere v2 chat API.

use wirecanon_json::Value;

use super::openai_chat::image_of_url;
use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Attribute, Content, Item, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::Read;
use crate::wire::{
    ASSISTANT, SYSTEM, TOOL, USER, array, chat_speaker, field, foreign_error_flag, kind, must_be_call, must_be_object,
    only_member, raw, required, required_field, required_object, string, text_of, text_or_blocks, unknown_block,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let response = field(root, "message").filter(|_| field(root, "finish_reason").is_some());
    let document = Document::of_roles(root, response)?;
    if let Some(body) = document.body {
        tools::functions(builder, body)?;
        builder.context(body, &["documents"]);
    }
    for message in document.messages {
        let speaker = chat_speaker(message, &[SYSTEM, USER, ASSISTANT, TOOL], &["tool_calls"])?;
        match speaker {
            Speaker::System | Speaker::User => builder.turn(speaker, message, content(message, speaker)?),
            Speaker::Assistant => assistant(builder, message)?,
            Speaker::Tool => {
                let result = ToolResult::new(Some(required(message, "tool_call_id")?), content(message, speaker)?);
                builder.result(result.failed(foreign_error_flag(message)), message);
            }
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![part(value, speaker)?])
}

fn content(message: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(text_or_blocks(message, "content", |part| self::part(part, speaker))?.unwrap_or_default())
}

/// The plan of a turn is text in front of its calls.
fn assistant<'a>(builder: &mut Builder<'a>, message: Value<'a>) -> Read<()> {
    let mut items = content(message, Speaker::Assistant)?;
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

fn part(part: Value<'_>, speaker: Speaker) -> Read<Item<'_>> {
    let kind = kind(part)?;
    Ok(match (&*kind, speaker) {
        ("text", _) => Item::text(required(part, "text")?, part),
        ("thinking", Speaker::Assistant) => Item::reasoning(required(part, "thinking")?, None, part),
        ("document", Speaker::Tool) => document(part)?,
        ("image_url", Speaker::User | Speaker::Tool) => image_of_url(required_object(part, "image_url")?, part)?,
        _ => return unknown_block(part, &kind, &format!("a {} message", speaker.name())),
    })
}

/// A document of a result: its data is a value, or text.
fn document(part: Value<'_>) -> Read<Item<'_>> {
    let document = required_object(part, "document")?;
    let data = required_field(document, "data")?;
    if let Some(text) = data.as_str() {
        return Ok(Item::text(text, part));
    }
    // A document of one text says that text.
    if let Some((key, value)) = only_member(data)
        && ["text", "snippet", "content", "output", "result"].iter().any(|known| key.is_str(known))
        && let Some(text) = value.as_str()
    {
        return Ok(Item::text(text, part));
    }
    must_be_object(data, "`data`")?;
    Ok(Item::new(Content::Data(data), part))
}
