//! `messages` of Ollama's own chat API.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Item, Media, MediaKind, ResponseFormat, Speaker, ToolResult};
use crate::settings::OF_OLLAMA;
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    ASSISTANT, SYSTEM, TOOL, USER, array, chat_speaker, field, foreign_error_flag, must_be_call, object, required,
    required_object, string, text_of,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let response = field(root, "message").filter(|_| field(root, "done").is_some());
    let document = Document::of_roles(root, response)?;
    if let Some(body) = document.body {
        tools::functions(builder, body)?;
        builder.response_format(field(body, "format"), |format| match format.as_str() {
            Some(text) if text == "json" => ResponseFormat::Json,
            Some(_) => ResponseFormat::Other,
            None => ResponseFormat::Schema(format),
        });
        builder.reasoning_settings(body, &["think"]);
        if let Some(options) = object(body, "options")? {
            builder.generation(options, OF_OLLAMA);
        }
    }
    for message in document.messages {
        let speaker = chat_speaker(message, &[SYSTEM, USER, ASSISTANT, TOOL], &["tool_calls"])?;
        let mut items = Vec::new();
        if let Some(content) = field(message, "content") {
            items.push(Item::text(text_of(content, "content")?, content));
        }
        for image in array(message, "images")? {
            items.push(Item::media(Media::url_or_base64(MediaKind::Image, text_of(image, "images")?, None), image));
        }
        match speaker {
            Speaker::System | Speaker::User => builder.turn(speaker, message, items),
            Speaker::Assistant => {
                // The server skips what other servers call it; programs mean the same by it.
                let thinking = ["thinking", "reasoning_content", "reasoning"];
                let said = |key| {
                    let value = field(message, key)?;
                    (key == "thinking" || value.is_string()).then_some((key, value))
                };
                if let Some((key, thinking)) = thinking.into_iter().find_map(said) {
                    items.insert(0, Item::reasoning(text_of(thinking, key)?, None, thinking));
                }
                for call in array(message, "tool_calls")? {
                    items.push(self::call(call)?);
                }
                builder.turn(speaker, message, items);
            }
            Speaker::Tool => {
                let id = string(message, "tool_call_id")?.filter(|id| !id.trim().is_empty());
                let result = ToolResult::new(id, items).named(string(message, "tool_name")?);
                builder.result(result.failed(foreign_error_flag(message)), message);
            }
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    match value.as_str() {
        Some(image) if speaker != Speaker::Assistant => {
            Ok(vec![Item::media(Media::url_or_base64(MediaKind::Image, image, None), value)])
        }
        _ => Err(Unreadable::new(value, "Ollama has no blocks")),
    }
}

fn call(call: Value<'_>) -> Read<Item<'_>> {
    must_be_call(call, &["function"])?;
    let function = required_object(call, "function")?;
    let arguments = object(function, "arguments")?.map_or(Arguments::Missing, Arguments::Value);
    let id = string(call, "id")?.filter(|id| !id.trim().is_empty());
    Ok(Item::call(id, required(function, "name")?, arguments, call))
}
