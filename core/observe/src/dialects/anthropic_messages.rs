//! `messages` of the Anthropic Messages API.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::document::{Document, has_role};
use crate::observation::{Arguments, Attribute, Content, Item, Media, MediaKind, Source, Speaker, Tool, ToolResult};
use crate::settings::{OF_CHAT, response_format, tool_choice};
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    array, boolean, field, first, kind, label, must_be_object, object, raw, required, required_object, string, text_of,
    unknown_block, unknown_role,
};

const DIALECT: Dialect = Dialect::AnthropicMessages;

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::find(root, "messages", has_role)?;
    if let Some(body) = document.body {
        if let Some(system) = field(body, "system") {
            let items = if system.is_string() {
                vec![Item::text(text_of(system, "system")?, system)]
            } else {
                blocks(array(body, "system")?, "system", system_block)?
            };
            builder.turn(Speaker::System, system, items);
        }
        for tool in array(body, "tools")? {
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
        must_be_object(message, "a message")?;
        match &*required(message, "role")? {
            "user" => user(builder, message)?,
            "assistant" => {
                let items = content(message, "an assistant message", assistant_block)?;
                builder.turn(Speaker::Assistant, message, items);
            }
            "system" => {
                let items = match field(message, "content") {
                    None => Vec::new(),
                    Some(_) => content(message, "a system message", system_block)?,
                };
                builder.turn(Speaker::System, message, items);
            }
            role => return unknown_role(message, role),
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    let (holder, block): (&str, Block) = match speaker {
        Speaker::System => ("a system message", system_block),
        Speaker::User => ("a user message", user_block),
        Speaker::Assistant => ("an assistant message", assistant_block),
        Speaker::Tool => ("a tool result", result_block),
    };
    blocks(std::iter::once(value), holder, block)
}

fn definition(tool: Value<'_>) -> Read<Tool<'_>> {
    must_be_object(tool, "a tool")?;
    let kind = string(tool, "type")?.filter(|kind| kind != "custom");
    Ok(Tool {
        name: match &kind {
            None => required(tool, "name")?,
            Some(kind) => first_name(tool)?.unwrap_or_else(|| kind.clone()),
        },
        description: string(tool, "description")?,
        schema: object(tool, "input_schema")?,
        provider_type: kind,
        is_custom: false,
        fields: tool,
        place: tool,
    })
}

fn first_name(tool: Value<'_>) -> Read<Option<Cow<'_, str>>> {
    match first(tool, &["name", "mcp_server_name"]) {
        Some(name) => text_of(name, "name").map(Some),
        None => Ok(None),
    }
}

type Block = for<'a> fn(Value<'a>, &str) -> Read<Option<Item<'a>>>;

/// Reads a list of blocks; `None` of a block is a block that the dialect does not have in this place.
fn blocks<'a>(list: impl Iterator<Item = Value<'a>>, holder: &str, block: Block) -> Read<Vec<Item<'a>>> {
    let mut items = Vec::new();
    for value in list {
        let kind = kind(value)?;
        match block(value, &kind)? {
            Some(item) => {
                let item = item.with(Attribute::CacheMark, raw(value, "cache_control"));
                // A document says that it can be cited, a text what it cites.
                items.push(item.with(Attribute::Citations, raw(value, "citations")));
            }
            None => return unknown_block(value, &kind, holder),
        }
    }
    Ok(items)
}

fn content<'a>(message: Value<'a>, holder: &str, block: Block) -> Read<Vec<Item<'a>>> {
    match field(message, "content") {
        None => Err(Unreadable::new(message, "`content` is missing")),
        Some(text) if text.is_string() => Ok(vec![Item::text(text_of(text, "content")?, text)]),
        Some(_) => blocks(array(message, "content")?, holder, block),
    }
}

fn user<'a>(builder: &mut Builder<'a>, message: Value<'a>) -> Read<()> {
    let items = content(message, "a user message", user_block)?;
    let mut turn = Vec::new();
    for item in items {
        if matches!(item.content, Content::Result(_)) {
            if !turn.is_empty() {
                builder.turn(Speaker::User, message, std::mem::take(&mut turn));
            }
            builder.result_item(item, message);
        } else {
            turn.push(item);
        }
    }
    if !turn.is_empty()
        || field(message, "content").is_some_and(|list| list.is_array() && list.items().next().is_none())
    {
        builder.turn(Speaker::User, message, turn);
    }
    Ok(())
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
    let items = match field(block, "content") {
        None => Vec::new(),
        Some(_) => content(block, "a tool result", result_block)?,
    };
    let mut result = ToolResult::new(Some(required(block, "tool_use_id")?), items);
    result.is_error = Some(boolean(block, "is_error")?.unwrap_or(false));
    Ok(Item::new(Content::Result(result), block))
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
    let mut result = ToolResult::new(string(block, "tool_use_id")?, items);
    result.is_error = boolean(block, "is_error")?;
    Ok(Item::new(Content::Result(result), block))
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
        "text" => Media {
            kind: MediaKind::Document,
            source: Source::Text(required(source, "data")?),
            media_type: string(source, "media_type")?,
            name: None,
        },
        "url" => Media::url(MediaKind::Document, required(source, "url")?),
        "file" => Media::file(MediaKind::Document, required(source, "file_id")?),
        "content" => {
            let items = content(source, "a document", |block, kind| match kind {
                "text" => Ok(Some(Item::text(required(block, "text")?, block))),
                "image" => image(block).map(Some),
                _ => Ok(None),
            })?;
            Media { kind: MediaKind::Document, source: Source::Items(items), media_type: None, name: None }
        }
        kind => return unknown_block(source, kind, "a document"),
    };
    let item = Item::media(media.named(label(block, "title")), block);
    Ok(item.with(Attribute::Title, label(block, "title")).with(Attribute::Context, label(block, "context")))
}
