//! `messages` of the AWS Bedrock Converse API, in its JSON form: a block is an object with one member.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{
    Arguments, Attribute, Content, Item, Media, MediaKind, ResponseFormat, Source, Speaker, Tool, ToolChoice,
    ToolResult,
};
use crate::settings::CAMEL_CASE;
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    ASSISTANT, SYSTEM, USER, array, error_of_status, field, label, must_be_object, object, raw, required,
    required_field, required_object, speaker, string, text_of, two_members, unknown_block,
};

const DIALECT: Dialect = Dialect::BedrockConverse;

const MEMBERS: [&str; 15] = [
    "text",
    "image",
    "document",
    "video",
    "audio",
    "toolUse",
    "toolResult",
    "guardContent",
    "cachePoint",
    "reasoningContent",
    "citationsContent",
    "searchResult",
    "toolAddition",
    "toolRemoval",
    "json",
];

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let response = object(root, "output").ok().flatten().and_then(|output| field(output, "message"));
    let document = Document::of_roles(root, response)?;
    if let Some(body) = document.body {
        if let Some(system) = field(body, "system") {
            let items = if system.is_string() {
                vec![Item::text(text_of(system, "system")?, system)]
            } else {
                blocks(array(body, "system")?, Speaker::System)?
            };
            builder.turn(Speaker::System, system, items);
        }
        if let Some(config) = object(body, "toolConfig")? {
            for tool in builder.definitions(config, "tools")? {
                definition(builder, tool)?;
            }
            builder.tool_choice(field(config, "toolChoice"), |choice| {
                let is = |key: &str| field(choice, key).is_some();
                let name = field(choice, "tool").and_then(|tool| field(tool, "name")?.as_str());
                match name {
                    Some(name) => ToolChoice::Tool(name),
                    None if is("auto") => ToolChoice::Auto,
                    None if is("any") => ToolChoice::Any,
                    None => ToolChoice::Other,
                }
            });
        }
        let format = field(body, "outputConfig").and_then(|config| field(config, "textFormat"));
        builder.response_format(format, |_| ResponseFormat::Other);
        // Settings of another type say nothing of the conversation.
        if let Some(config) = field(body, "inferenceConfig").filter(|config| config.is_object()) {
            builder.generation(config, CAMEL_CASE);
        }
        builder.reasoning_settings(body, &["additionalModelRequestFields"]);
        builder.context(body, &["promptVariables", "guardrailConfig"]);
    }
    for message in document.messages {
        let speaker = speaker(message, &[USER, ASSISTANT, SYSTEM])?;
        required_field(message, "content")?;
        builder.message(speaker, message, blocks(array(message, "content")?, speaker)?);
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    blocks(std::iter::once(value), speaker)
}

fn definition<'a>(builder: &mut Builder<'a>, tool: Value<'a>) -> Read<()> {
    must_be_object(tool, "a tool")?;
    if let Some(spec) = object(tool, "toolSpec")? {
        builder.tool(tools::of_spec(spec, tool)?);
    } else if let Some(system) = object(tool, "systemTool")? {
        builder.tool(Tool { name: required(system, "name")?, ..tools::of_provider("systemTool", system) });
    } else if field(tool, "cachePoint").is_none() {
        return Err(Unreadable::new(tool, "a tool must have `toolSpec`"));
    }
    Ok(())
}

/// Reads a list of blocks. A cache point is an attribute of the block before it.
fn blocks<'a>(list: impl Iterator<Item = Value<'a>>, speaker: Speaker) -> Read<Vec<Item<'a>>> {
    let mut items: Vec<Item<'a>> = Vec::new();
    for block in list {
        let (member, value) = member(block)?;
        if member == "cachePoint" {
            if let Some(last) = items.last_mut() {
                last.attributes.push((Attribute::CacheMark, Cow::Borrowed(value.raw())));
            }
            continue;
        }
        match (member, speaker) {
            ("citationsContent", Speaker::Assistant) => items.extend(cited(block, value)?),
            _ => items.push(self::block(block, member, value, speaker)?),
        }
    }
    Ok(items)
}

/// Reads the texts of a block that also names their sources: the assistant says them.
fn cited<'a>(block: Value<'a>, value: Value<'a>) -> Read<Vec<Item<'a>>> {
    let texts = array(value, "content")?.map(|part| {
        must_be_object(part, "a cited text")?;
        Ok(Item::text(required(part, "text")?, part))
    });
    let mut texts = texts.collect::<Read<Vec<_>>>()?;
    match texts.first_mut() {
        Some(first) => first.attributes.extend(raw(value, "citations").map(|raw| (Attribute::Citations, raw))),
        None => texts.push(provider(block, "citationsContent", Vec::new())),
    }
    Ok(texts)
}

fn member(block: Value<'_>) -> Read<(&'static str, Value<'_>)> {
    must_be_object(block, "a block")?;
    let mut held = MEMBERS.iter().filter_map(|member| Some((*member, field(block, member)?)));
    match (held.next(), held.next()) {
        (Some(first), None) => Ok(first),
        (Some((first, _)), Some((second, _))) => Err(two_members(block, first, second)),
        (None, _) => Err(Unreadable::new(block, "the block has no member that the API knows")),
    }
}

fn block<'a>(block: Value<'a>, member: &'static str, value: Value<'a>, speaker: Speaker) -> Read<Item<'a>> {
    let is_user = speaker == Speaker::User;
    let takes_media = is_user || speaker == Speaker::Tool;
    Ok(match member {
        "text" => Item::text(required(block, "text")?, block),
        "json" if speaker == Speaker::Tool => Item::new(Content::Data(value), block),
        "image" if takes_media => image(block, value)?,
        "document" if takes_media => document(block, value)?,
        "video" if takes_media => recording(block, value, MediaKind::Video)?,
        "audio" if is_user => recording(block, value, MediaKind::Audio)?,
        "toolUse" if speaker == Speaker::Assistant => {
            let arguments = field(value, "input").map_or(Arguments::Missing, Arguments::Value);
            let call = Item::call(Some(required(value, "toolUseId")?), required(value, "name")?, arguments, block);
            // A call with a type is one that the server runs.
            if field(value, "type").is_some_and(|kind| !kind.is_str("tool_use")) {
                provider(block, member, vec![call])
            } else {
                call
            }
        }
        "toolResult" if is_user => Item::result(result(value)?, block),
        "toolResult" if speaker == Speaker::Assistant => {
            provider(block, member, vec![Item::result(result(value)?, block)])
        }
        "reasoningContent" if speaker == Speaker::Assistant => reasoning(block, value)?,
        "guardContent" if speaker != Speaker::Tool => {
            let text = object(value, "text")?.map(|text| Ok(Item::text(required(text, "text")?, text))).transpose()?;
            provider(block, member, text.into_iter().collect())
        }
        "searchResult" if takes_media => {
            let mut texts = Vec::new();
            for key in ["title", "source"] {
                texts.extend(string(value, key)?.map(|text| Item::text(text, value)));
            }
            for part in array(value, "content")? {
                texts.push(Item::text(required(part, "text")?, part));
            }
            provider(block, member, texts)
        }
        "toolAddition" | "toolRemoval" if speaker == Speaker::System => provider(block, member, Vec::new()),
        _ => return unknown_block(block, member, &format!("a {} message", speaker.name())),
    })
}

fn provider<'a>(block: Value<'a>, kind: &'static str, readable: Vec<Item<'a>>) -> Item<'a> {
    Item::provider(DIALECT, Cow::Borrowed(kind), block, readable)
}

fn result(value: Value<'_>) -> Read<ToolResult<'_>> {
    let items = blocks(array(value, "content")?, Speaker::Tool)?;
    let result = ToolResult::new(Some(required(value, "toolUseId")?), items);
    Ok(result.failed(error_of_status(value)?.or(Some(false))))
}

fn reasoning<'a>(block: Value<'a>, value: Value<'a>) -> Read<Item<'a>> {
    if field(value, "reasoningText").is_some() && field(value, "redactedContent").is_some() {
        return Err(two_members(value, "reasoningText", "redactedContent"));
    }
    if let Some(text) = object(value, "reasoningText")? {
        return Ok(Item::reasoning(required(text, "text")?, string(text, "signature")?, block));
    }
    match field(value, "redactedContent") {
        Some(data) => Ok(Item::redacted(Some(data.as_str().unwrap_or(Cow::Borrowed(data.raw()))), block)),
        None => Err(Unreadable::new(value, "reasoning has neither text nor encrypted content")),
    }
}

/// The bytes of a medium, or its place in S3.
fn source(value: Value<'_>) -> Read<Source<'_>> {
    let source = required_object(value, "source")?;
    let mut held = ["bytes", "text", "s3Location", "content"].into_iter().filter(|key| field(source, key).is_some());
    if let (Some(first), Some(second)) = (held.next(), held.next()) {
        return Err(two_members(source, first, second));
    }
    if let Some(bytes) = string(source, "bytes")? {
        return Ok(Source::base64(bytes));
    }
    if let Some(text) = string(source, "text")? {
        return Ok(Source::Text(text));
    }
    if let Some(location) = object(source, "s3Location")? {
        return Ok(Source::Url(required(location, "uri")?));
    }
    if field(source, "content").is_some() {
        let items = array(source, "content")?.map(|part| Ok(Item::text(required(part, "text")?, part)));
        return Ok(Source::Items(items.collect::<Read<_>>()?));
    }
    Err(Unreadable::new(source, "the source has no member that the API knows"))
}

fn image<'a>(block: Value<'a>, value: Value<'a>) -> Read<Item<'a>> {
    let format = string(value, "format")?.map(|format| Cow::Owned(format!("image/{format}")));
    Ok(Item::media(Media::new(MediaKind::Image, source(value)?).with_type(format), block))
}

fn document<'a>(block: Value<'a>, value: Value<'a>) -> Read<Item<'a>> {
    let format = string(value, "format")?.map(|format| match &*format {
        "pdf" => Cow::Borrowed("application/pdf"),
        "txt" => Cow::Borrowed("text/plain txt"),
        "md" => Cow::Borrowed("text/markdown md"),
        _ => format,
    });
    let media = Media::new(MediaKind::Document, source(value)?).with_type(format);
    let item = Item::media(media.named(string(value, "name")?), block);
    let item = item.with(Attribute::Context, label(value, "context"));
    Ok(item.with(Attribute::Citations, raw(value, "citations")))
}

fn recording<'a>(block: Value<'a>, value: Value<'a>, kind: MediaKind) -> Read<Item<'a>> {
    let format = string(value, "format")?.map(|format| Cow::Owned(format!("{}/{format}", kind.name())));
    Ok(Item::media(Media::new(kind, source(value)?).with_type(format), block))
}
