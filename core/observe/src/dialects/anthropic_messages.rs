//! `messages` of the Anthropic Messages API.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Attribute, Item, Media, MediaKind, Source, Speaker, Tool, ToolResult};
use crate::settings::{OF_CHAT, response_format, tool_choice};
use crate::tools::{described, of_provider};
use crate::unreadable::Read;
use crate::wire::{
    ASSISTANT, SYSTEM, USER, array, boolean, field, first_string, kind, label, must_be_object, object, raw, required,
    required_field, required_object, speaker, string, text_of, text_or_blocks, unknown_block,
};

const DIALECT: Dialect = Dialect::AnthropicMessages;

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::of_roles(root, None)?;
    if let Some(body) = document.body {
        if let Some(items) = content(body, "system", "system", system_block)? {
            builder.turn(Speaker::System, field(body, "system").unwrap_or(body), items);
        }
        for tool in builder.definitions(body, "tools")? {
            builder.tool(definition(tool)?);
        }
        let choice = field(body, "tool_choice");
        builder.tool_choice(choice, tool_choice);
        builder.parallel_calls(choice.and_then(|choice| field(choice, "disable_parallel_tool_use")), false);
        let config = object(body, "output_config")?;
        let format = field(body, "output_format").or(config.and_then(|config| field(config, "format")));
        builder.response_format(format, |format| response_format(format, &[]));
        builder.generation(body, OF_CHAT);
        builder.reasoning_settings(body, &["thinking"]);
        if let Some(config) = config {
            builder.reasoning_settings(config, &["effort"]);
        }
        builder.context(body, &["container", "mcp_servers", "context_management"]);
    }
    for message in document.messages {
        let speaker = speaker(message, &[USER, ASSISTANT, SYSTEM])?;
        let (holder, block) = place(speaker);
        let items = content(message, "content", holder, block)?;
        if items.is_none() && speaker != Speaker::System {
            required_field(message, "content")?;
        }
        let items = items.unwrap_or_default();
        if speaker == Speaker::User && !items.is_empty() {
            builder.message(speaker, message, items);
        } else {
            builder.turn(speaker, message, items);
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    let (holder, block) = place(speaker);
    Ok(vec![item(value, holder, block)?])
}

/// The name of what holds the blocks of a speaker, and their reader.
fn place(speaker: Speaker) -> (&'static str, Block) {
    match speaker {
        Speaker::System => ("a system message", system_block),
        Speaker::User => ("a user message", user_block),
        Speaker::Assistant => ("an assistant message", assistant_block),
        Speaker::Tool => ("a tool result", result_block),
    }
}

fn definition(tool: Value<'_>) -> Read<Tool<'_>> {
    must_be_object(tool, "a tool")?;
    let schema = object(tool, "input_schema")?;
    let Some(kind) = string(tool, "type")?.filter(|kind| kind != "custom") else {
        return Ok(Tool { schema, ..described(tool, tool, &[])? });
    };
    let name = first_string(tool, &["name", "mcp_server_name"])?.unwrap_or_else(|| kind.clone());
    Ok(Tool { name, description: string(tool, "description")?, schema, ..of_provider(kind, tool) })
}

/// Reads a block; `None` where the dialect does not have it in this place.
type Block = for<'a> fn(Value<'a>, &str) -> Read<Option<Item<'a>>>;

fn item<'a>(value: Value<'a>, holder: &str, block: Block) -> Read<Item<'a>> {
    let kind = kind(value)?;
    let Some(item) = block(value, &kind)? else { return unknown_block(value, &kind, holder) };
    let item = item.with(Attribute::CacheMark, raw(value, "cache_control"));
    // A document says that it can be cited, a text what it cites.
    Ok(item.with(Attribute::Citations, raw(value, "citations")))
}

fn content<'a>(message: Value<'a>, key: &str, holder: &str, block: Block) -> Read<Option<Vec<Item<'a>>>> {
    text_or_blocks(message, key, |value| item(value, holder, block))
}

fn system_block<'a>(block: Value<'a>, kind: &str) -> Read<Option<Item<'a>>> {
    Ok(Some(match kind {
        "text" => Item::text(required(block, "text")?, block),
        "tool_addition" | "tool_removal" => provider(block, kind, Vec::new()),
        _ => return Ok(None),
    }))
}

/// Blocks that user and assistant messages both have.
fn common_block<'a>(block: Value<'a>, kind: &str) -> Read<Option<Item<'a>>> {
    Ok(Some(match kind {
        "text" => Item::text(required(block, "text")?, block),
        "image" => image(block)?,
        "document" => document(block)?,
        "search_result" => search_result(block)?,
        "compaction" => {
            let text = string(block, "content")?.map(|text| Item::text(text, block));
            provider(block, kind, text.into_iter().collect())
        }
        "container_upload" | "fallback" | "tool_addition" | "tool_removal" => provider(block, kind, Vec::new()),
        _ => return Ok(None),
    }))
}

fn user_block<'a>(block: Value<'a>, kind: &str) -> Read<Option<Item<'a>>> {
    if kind == "tool_result" {
        return result(block).map(Some);
    }
    common_block(block, kind)
}

fn assistant_block<'a>(block: Value<'a>, kind: &str) -> Read<Option<Item<'a>>> {
    Ok(Some(match kind {
        "thinking" => {
            let signature = string(block, "signature")?.filter(|signature| !signature.is_empty());
            Item::reasoning(required(block, "thinking")?, signature, block)
        }
        "redacted_thinking" => Item::redacted(Some(required(block, "data")?), block),
        "tool_use" => Item::call(Some(required(block, "id")?), required(block, "name")?, arguments(block)?, block),
        "server_tool_use" | "mcp_tool_use" => {
            let call = Item::call(string(block, "id")?, required(block, "name")?, arguments(block)?, block);
            provider(block, kind, vec![call])
        }
        _ if kind.ends_with("_tool_result") => provider(block, kind, vec![server_result(block)?]),
        _ => return common_block(block, kind),
    }))
}

fn arguments(block: Value<'_>) -> Read<Arguments<'_>> {
    Ok(object(block, "input")?.map_or(Arguments::Missing, Arguments::Value))
}

fn provider<'a>(block: Value<'a>, kind: &str, readable: Vec<Item<'a>>) -> Item<'a> {
    Item::provider(DIALECT, Cow::Owned(kind.to_owned()), block, readable)
}

fn result(block: Value<'_>) -> Read<Item<'_>> {
    let items = content(block, "content", "a tool result", result_block)?.unwrap_or_default();
    let result = ToolResult::new(Some(required(block, "tool_use_id")?), items);
    Ok(Item::result(result.failed(Some(boolean(block, "is_error")?.unwrap_or(false))), block))
}

fn result_block<'a>(block: Value<'a>, kind: &str) -> Read<Option<Item<'a>>> {
    Ok(Some(match kind {
        "text" => Item::text(required(block, "text")?, block),
        "image" => image(block)?,
        "document" => document(block)?,
        "search_result" => search_result(block)?,
        "tool_reference" | "browser_state" => provider(block, kind, Vec::new()),
        _ => return Ok(None),
    }))
}

/// The result of a tool that the server ran: its texts, and the titles and addresses of what a search found.
fn server_result(block: Value<'_>) -> Read<Item<'_>> {
    let mut items = Vec::new();
    match field(block, "content") {
        Some(text) if text.is_string() => items.push(Item::text(text_of(text, "content")?, text)),
        Some(list) if list.is_array() => {
            for found in list.items() {
                readable(found, &mut items);
            }
        }
        Some(found) => readable(found, &mut items),
        None => {}
    }
    let result = ToolResult::new(string(block, "tool_use_id")?, items);
    Ok(Item::result(result.failed(boolean(block, "is_error")?), block))
}

fn readable<'a>(found: Value<'a>, items: &mut Vec<Item<'a>>) {
    for key in ["title", "url", "text", "stdout", "stderr", "error_code"] {
        if let Some((place, text)) = field(found, key).and_then(|value| Some((value, value.as_str()?))) {
            items.push(Item::text(text, place));
        }
    }
}

fn search_result(block: Value<'_>) -> Read<Item<'_>> {
    let mut items = Vec::new();
    for key in ["title", "source"] {
        items.push(Item::text(required(block, key)?, block));
    }
    for found in array(block, "content")? {
        items.push(Item::text(required(found, "text")?, found));
    }
    Ok(provider(block, "search_result", items))
}

fn image(block: Value<'_>) -> Read<Item<'_>> {
    let source = required_object(block, "source")?;
    let media = match &*required(source, "type")? {
        "base64" => Media::base64(MediaKind::Image, required(source, "data")?, Some(required(source, "media_type")?)),
        "url" => Media::url(MediaKind::Image, required(source, "url")?),
        "file" => Media::file(MediaKind::Image, required(source, "file_id")?),
        kind => return unknown_block(source, kind, "an image"),
    };
    Ok(Item::media(media, block))
}

fn document(block: Value<'_>) -> Read<Item<'_>> {
    let source = required_object(block, "source")?;
    let media = match &*required(source, "type")? {
        "base64" => {
            let media_type = string(source, "media_type")?.or(Some(Cow::Borrowed("application/pdf")));
            Media::base64(MediaKind::Document, required(source, "data")?, media_type)
        }
        "text" => Media::new(MediaKind::Document, Source::Text(required(source, "data")?))
            .with_type(string(source, "media_type")?),
        "url" => Media::url(MediaKind::Document, required(source, "url")?),
        "file" => Media::file(MediaKind::Document, required(source, "file_id")?),
        "content" => {
            required_field(source, "content")?;
            let items = content(source, "content", "a document", |block, kind| match kind {
                "text" => Ok(Some(Item::text(required(block, "text")?, block))),
                "image" => image(block).map(Some),
                _ => Ok(None),
            })?;
            Media::new(MediaKind::Document, Source::Items(items.unwrap_or_default()))
        }
        kind => return unknown_block(source, kind, "a document"),
    };
    let item = Item::media(media.named(label(block, "title")), block);
    Ok(item.with(Attribute::Title, label(block, "title")).with(Attribute::Context, label(block, "context")))
}
