//! Rendering AWS Bedrock Converse.

use std::borrow::Cow;

use crate::dialects::bedrock_converse::read::{bedrock_keeps, format_of as bedrock_format_of};
use crate::print::block::{arguments, every_field, stands_in};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View, group};
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{Block, BlockKind, Media, Message, Native, Role};

pub(crate) static RENDERER: Renderer =
    Renderer { render, joins: group::results_before_words, system, ..Renderer::COMMON };

/// A mark behind which the server may cache. It stands as a block of its own; here it goes with the block before it.
const CACHE_POINT: &str = "cachePoint";

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let role = match group[0].role {
        Role::User | Role::ToolResult => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
    };
    let like = like.filter(|like| like.get("role").is_some_and(|found| found.is_str(role)));
    let mut object = Object::like(like, every_field).with("role", role);
    let mut items = Vec::new();
    for message in group {
        if message.role == Role::ToolResult {
            items.push(view.about(message.id, render_result(view, message)));
            items.extend(cache_point(message.native.as_deref()));
        } else {
            items.extend(cache_point(message.native.as_deref()));
            render_blocks(view, &message.blocks, message.role, &mut items);
        }
    }
    object.set("content", Out::List(items, like.and_then(|like| like.get("content"))));
    view.about_all(group, object)
}

/// The instructions beside the list: always a list of blocks.
fn system<'w>(view: &View<'w, '_>, system: &'w [Message<'_>]) -> Out<'w> {
    let mut items = Vec::new();
    for message in system {
        items.extend(cache_point(message.native.as_deref()));
        render_blocks(view, &message.blocks, Role::System, &mut items);
    }
    Out::List(items, None)
}

fn render_blocks<'w>(view: &View<'w, '_>, blocks: &'w [Block<'_>], role: Role, items: &mut Vec<Out<'w>>) {
    for block in blocks {
        items.push(view.about(block.id, render_block(view, block, role)));
        items.extend(cache_point(block.native.as_deref()));
    }
}

/// A field that only this API knows, if it has the shape that the API gives it.
fn kept<'w>(native: Option<&'w Native<'_>>, role: Role, wanted: impl Fn(&str) -> bool) -> Option<(&'w str, &'w str)> {
    let fields = native?.of(Dialect::BedrockConverse.name());
    let (key, value) = fields.iter().find(|(key, value)| {
        wanted(key) && Json::parse(value, &Limits::default()).is_ok_and(|json| bedrock_keeps(key, json.root(), role))
    })?;
    Some((key, value))
}

fn cache_point<'w>(native: Option<&'w Native<'_>>) -> Option<Out<'w>> {
    let (key, mark) = kept(native, Role::User, |key| key == CACHE_POINT)?;
    Some(Object::new().with(key, Out::Text(Cow::Borrowed(mark))).out())
}

/// The value that a block was read from, if it is one of this API with this member alone.
fn source<'w>(view: &View<'w, '_>, source: Option<u32>, member: Option<&str>) -> Option<Value<'w>> {
    view.own(source).filter(|value| {
        let mut members = value.members();
        matches!((members.next(), members.next()), (Some((key, _)), None) if member.is_none_or(|member| key.is_str(member)))
            && value.get("type").is_none()
    })
}

fn render_result<'w>(view: &View<'w, '_>, message: &'w Message<'_>) -> Out<'w> {
    let source = source(view, message.source, Some("toolResult"));
    if let Some(source) = source.filter(|_| !message.dirty) {
        return Out::Raw(source.raw());
    }
    let had = source.and_then(|source| source.get("toolResult"));
    let mut inner = Object::like(had, every_field);
    let Some(head) = &message.result else { return inner.out() };
    inner.str("toolUseId", head.call_id.as_deref().unwrap_or_default());
    let content = had.and_then(|had| had.get("content"));
    // An empty list that the API accepts stays as it is.
    let stands_in = message.blocks.iter().all(stands_in);
    match content.filter(|content| stands_in && content.is_array()) {
        Some(content) => inner.set("content", Out::Raw(content.raw())),
        None => {
            let render = |block| render_block(view, block, Role::ToolResult);
            let items = message.blocks.iter().map(|block| view.about(block.id, render(block))).collect();
            inner.set("content", Out::List(items, content));
        }
    }
    if head.is_error || had.is_some_and(|had| had.get("status").is_some()) {
        inner.str("status", if head.is_error { "error" } else { "success" });
    }
    Object::like(source, every_field).with("toolResult", inner.out()).out()
}

fn render_block<'w>(view: &View<'w, '_>, block: &'w Block<'_>, role: Role) -> Out<'w> {
    if let Some(source) = source(view, block.source, None).filter(|_| !block.dirty) {
        return Out::Raw(source.raw());
    }
    if block.is_text()
        && let Some((member, value)) =
            kept(block.native.as_deref(), role, |key| !matches!(key, CACHE_POINT | "error" | "context" | "citations"))
    {
        return Object::new().with(member, Out::Text(Cow::Borrowed(value))).out();
    }
    let (member, value) = match &block.kind {
        BlockKind::Text(text) => ("text", Out::from(text)),
        BlockKind::Image(image) => ("image", render_image(view, block, image, role)),
        BlockKind::Thinking(thinking) => {
            let signature = thinking.signature.as_deref();
            let inner = if thinking.redacted {
                Object::new().with("redactedContent", signature.unwrap_or_default())
            } else {
                let words = Object::new().with("text", &*thinking.text).with_some("signature", signature);
                Object::new().with("reasoningText", words)
            };
            ("reasoningContent", inner.out())
        }
        BlockKind::ToolCall(call) => {
            let inner = inside(view, block, "toolUse")
                .with("toolUseId", call.id.as_deref().unwrap_or_default())
                .with("name", call.name.as_deref().unwrap_or_default())
                .with("input", Out::Raw(arguments(call)));
            ("toolUse", inner.out())
        }
        // The target fetches nothing: only a text is left of an address by now.
        BlockKind::Link(link) => ("text", Out::Str(Cow::Borrowed(&*link.url))),
        BlockKind::File(file) => {
            let (member, format) = match bedrock_format_of(&file.mime_type) {
                Some((member, format)) => (member, Some(format)),
                None => ("document", None),
            };
            let mut inner = inside(view, block, member);
            let had = inner.had().and_then(|like| like.get("format")).and_then(Value::as_str);
            // Two formats may be one media type.
            let same = had.filter(|had| member != "document" && format.is_some_and(|format| aliases(had, format)));
            if let Some(format) = format {
                inner.set("format", Out::Str(same.unwrap_or(Cow::Borrowed(format))));
            }
            if member == "document" {
                inner.str("name", file.name.as_deref().unwrap_or_default());
            }
            inner.set("source", bytes(&file.data));
            fields(&mut inner, block, role, &["context", "citations", "error"]);
            (member, inner.out())
        }
        BlockKind::Opaque(opaque) => return Out::Text(Cow::Borrowed(&opaque.value)),
    };
    Object::like(source(view, block.source, Some(member)), every_field).with(member, value).out()
}

/// Formats that name one media type.
fn aliases(had: &str, format: &str) -> bool {
    const SAME: &[(&str, &str)] = &[("mpg", "mpeg"), ("mpeg", "mp3"), ("mka", "mkv")];
    had == format || SAME.contains(&(had, format))
}

/// What stands under a block's only member, over what was there.
fn inside<'w>(view: &View<'w, '_>, block: &Block<'_>, member: &str) -> Object<'w> {
    Object::like(source(view, block.source, Some(member)).and_then(|source| source.get(member)), every_field)
}

fn render_image<'w>(view: &View<'w, '_>, block: &'w Block<'_>, image: &'w Media<'_>, role: Role) -> Out<'w> {
    let mime = image.mime_type.as_deref().unwrap_or_default();
    let mut inner = inside(view, block, "image");
    inner.str("format", mime.strip_prefix("image/").unwrap_or(mime));
    inner.set("source", bytes(image.data.as_deref().unwrap_or_default()));
    fields(&mut inner, block, if role == Role::ToolResult { Role::User } else { role }, &["error"]);
    inner.out()
}

fn bytes(data: &str) -> Out<'_> {
    Object::new().with("bytes", data).out()
}

/// Fields beside those that canonical content has.
fn fields<'w>(object: &mut Object<'w>, block: &'w Block<'_>, role: Role, keys: &[&'static str]) {
    for key in keys {
        if let Some((key, value)) = kept(block.native.as_deref(), role, |found| found == *key) {
            object.set(key, Out::Text(Cow::Borrowed(value)));
        }
    }
}
