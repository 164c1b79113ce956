//! Blocks of the Model Context Protocol that a tool result cannot hold as they are.

use std::borrow::Cow;

use crate::media;
use crate::read::block::{foreign, project, wrong_role};
use crate::read::carried_document::text_of_file;
use crate::read::fields::{MIME_TYPES, scan};
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Block, BlockKind, File, Media, Role};
use wirecanon_model::{Dialect, text};

/// Reads a `resource_link`, `resource` or `audio` block.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Block<'a> {
    if let Some(file) = audio_of_the_user(item).filter(|_| kind == "audio" && role == Role::User)
        && !matches!(cx.dialect, Dialect::McpPrompt | Dialect::McpSampling | Dialect::McpToolResult)
    {
        let block = cx.block(BlockKind::File(Box::new(file)), item);
        foreign(cx, &block, item, "an `audio` block");
        return block;
    }
    let own = match cx.dialect {
        Dialect::McpToolResult | Dialect::McpPrompt => true,
        // An output may be the whole result of a tool of this protocol.
        Dialect::McpSampling | Dialect::AiSdkUi => role == Role::ToolResult,
        _ => false,
    };
    let (rule, projection): (&'static Rule, _) = match kind {
        "resource_link" => (&rule::RESOURCE_LINK_IN_TOOL_RESULT, resource_link(item)),
        "audio" => (&rule::AUDIO_IN_TOOL_RESULT, audio(item)),
        _ => (&rule::RESOURCE_IN_TOOL_RESULT, resource(item, own)),
    };
    match projection {
        // A protocol block that lacks what it must have is not valid in its own dialect either.
        None => {
            let what = format!("a `{kind}` block without its fields was kept as its JSON text");
            cx.as_json(item, &rule::UNKNOWN_BLOCK, what)
        }
        Some(BlockKind::Text(text)) if own && is_whole(item, kind) => project(cx, item, text),
        // A picture that only this dialect has in this role.
        Some(BlockKind::Image(picture))
            if own && is_whole(item, kind) && matches!(role, Role::Assistant | Role::System) =>
        {
            let words = text::image_left_out("not in this role", picture.mime_type.as_deref());
            project(cx, item, words)
        }
        Some(kind_read) => {
            let mut block = cx.block(kind_read, item);
            if own && is_whole(item, kind) {
                block.projected = true;
                block.native = cx.native_whole(item);
                cx.duplicate(scan(item, []).duplicate, item, block.id);
                return block;
            }
            block.dirty = true;
            let what = format!("a `{kind}` block became {}", if block.is_text() { "text" } else { "an image" });
            if kind == "audio" || kind == "resource" && loses_more(item, &block) {
                cx.lose(rule, item, block.id, what);
            } else {
                cx.mend(rule, item, block.id, what);
            }
            wrong_role(cx, block, item, role)
        }
    }
}

/// Returns whether the bytes of a resource, or the address of its text, are not in the block that stands for it.
fn loses_more(item: Value<'_>, block: &Block<'_>) -> bool {
    let Some(resource) = item.get("resource") else { return false };
    let says = |line: &str| block.words().is_some_and(|words| *words == *line);
    if resource.get("text").is_some_and(Value::is_string) {
        return text_of(resource, "uri").is_some();
    }
    text_of(resource, "blob").is_some() && line(resource).is_some_and(|line| says(&line))
}

/// Whether the block has what its own schema demands, so that its own dialect can have it back as it is.
fn is_whole(item: Value<'_>, kind: &str) -> bool {
    let string = |value: Value<'_>, key: &str| value.get(key).is_some_and(Value::is_string);
    let address = |value: Value<'_>| value.get("uri").and_then(Value::as_str).is_some_and(|uri| !uri.is_empty());
    let base64 = |value: Value<'_>, key: &str| {
        value.get(key).and_then(Value::as_str).is_some_and(|data| media::is_canonical(&data))
    };
    // What may be left out is still a string where it stands.
    let or_none = |value: Value<'_>, key: &str| value.get(key).is_none_or(Value::is_string);
    match kind {
        "resource_link" => {
            address(item)
                && string(item, "name")
                && ["title", "description", "mimeType"].iter().all(|key| or_none(item, key))
        }
        "audio" => string(item, "mimeType") && base64(item, "data"),
        _ => item.get("resource").is_some_and(|resource| {
            address(resource)
                && or_none(resource, "mimeType")
                && scan(resource, []).duplicate.is_none()
                && (string(resource, "text") || base64(resource, "blob"))
                && resource.get("blob").is_none_or(|_| base64(resource, "blob"))
        }),
    }
}

fn text_of<'a>(value: Value<'a>, key: &str) -> Option<Cow<'a, str>> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

fn mime_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    MIME_TYPES.iter().find_map(|key| text_of(value, key))
}

fn resource_link(item: Value<'_>) -> Option<BlockKind<'_>> {
    let uri = text_of(item, "uri")?;
    Some(BlockKind::Text(match text_of(item, "title").or_else(|| text_of(item, "name")) {
        Some(label) => format!("[{label}] {uri}").into(),
        None => uri.into(),
    }))
}

fn audio_of_the_user(item: Value<'_>) -> Option<File<'_>> {
    let data = text_of(item, "data").filter(|data| media::is_readable(data))?;
    Some(File { data, mime_type: mime_of(item)?, name: None })
}

fn audio(item: Value<'_>) -> Option<BlockKind<'_>> {
    let mime = mime_of(item)?;
    item.get("data").filter(|data| data.is_string())?;
    Some(BlockKind::Text(words_of_audio(&mime).into()))
}

/// What stands for a recording that is no file.
pub(crate) fn words_of_audio(mime: &str) -> String {
    format!("[audio {}]", mime.trim())
}

/// A resource; its own dialect has one in base64 back, so that a line stands for it until it is written elsewhere.
fn resource(item: Value<'_>, own: bool) -> Option<BlockKind<'_>> {
    let resource = item.get("resource").filter(|resource| resource.is_object())?;
    if let Some(text) = resource.get("text").and_then(Value::words) {
        return Some(BlockKind::Text(text));
    }
    if let Some(blob) = text_of(resource, "blob") {
        let bytes_are_a_picture = media::mend(&blob).is_ok();
        if bytes_are_a_picture {
            return Some(BlockKind::Image(Box::new(Media { data: Some(blob), mime_type: mime_of(resource) })));
        }
        let words = || text_of_file(mime_of(resource).as_deref().unwrap_or_default(), &blob);
        if let Some(words) = (!own).then(words).flatten() {
            return Some(BlockKind::Text(words.into()));
        }
    }
    line(resource).map(|line| BlockKind::Text(line.into()))
}

/// Type and address of a resource.
fn line(resource: Value<'_>) -> Option<String> {
    let uri = text_of(resource, "uri")?;
    Some(match mime_of(resource) {
        Some(mime) => format!("[resource {mime}] {uri}"),
        None => format!("[resource] {uri}"),
    })
}
