//! Rendering the canonical dialect.

use std::borrow::Cow;

use crate::print::block::{arguments, call_field, every_field, image_field, read_as_content, thinking_field, under};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use crate::read::fields::{ERROR_FLAGS, RESULT_IDS, RESULT_NAMES, STOP_REASONS};
use wirecanon_json::{Value, quote};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role};

pub(crate) static RENDERER: Renderer = Renderer { render, ..Renderer::COMMON };

pub(crate) fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let mut object =
        Object::like(like, message_field).without(read_as_content(view, message)).with("role", message.role.name());
    if let Some(head) = &message.result {
        object =
            object.with_some("toolCallId", head.call_id.as_deref()).with_some("toolName", head.tool_name.as_deref());
    }
    let content = like.and_then(|like| like.get("content"));
    let blocks = message.blocks.iter().map(|block| view.about(block.id, render_block(view, block))).collect();
    object.set("content", Out::List(blocks, content));
    if let Some(head) = &message.result {
        object.set("isError", Out::Bool(head.is_error));
        if head.synthetic {
            object.set("synthetic", Out::Bool(true));
        }
    }
    if let Some(stop) = message.stop_reason.filter(|_| message.role == Role::Assistant) {
        object.str("stopReason", stop.name());
    }
    native(&mut object, message.native.as_deref());
    view.about(message.id, object.out())
}

fn message_field(key: &str) -> bool {
    matches!(key, "role" | "content" | "native" | "synthetic" | "parts" | "tool_calls" | "toolCalls")
        || RESULT_IDS.contains(&key)
        || RESULT_NAMES.contains(&key)
        || ERROR_FLAGS.contains(&key)
        || STOP_REASONS.contains(&key)
}

/// What only certain dialects know goes along under `native`, as the last member.
fn native<'w>(object: &mut Object<'w>, native: Option<&'w Native<'_>>) {
    let Some(native) = native else { return };
    if let Some(had) = object
        .had()
        .and_then(|like| like.get("native"))
        .filter(|had| had.is_object() && had.members().all(|(_, fields)| fields.is_object()))
    {
        object.set("native", Out::Raw(had.raw()));
        return;
    }
    let mut dialects = Object::new();
    for (dialect, fields) in &native.dialects {
        if dialect == Dialect::Canonical.name() {
            // Members of this dialect's own that it has no name for.
            if object.had().is_none() {
                object.set_missing(fields.iter().map(|(key, value)| (&**key, Out::Text(Cow::Borrowed(value)))));
            }
            continue;
        }
        let mut inner = Object::new();
        for (key, value) in fields {
            inner.set(key, Out::Text(Cow::Borrowed(value)));
        }
        if !inner.fields.is_empty() {
            dialects.set(dialect, inner.out());
        }
    }
    if !dialects.fields.is_empty() {
        object.set("native", dialects.out());
    }
}

fn render_block<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if !block.dirty
        && let Some(value) = view.own(block.source).filter(|value| value.is_object())
    {
        return Out::Raw(value.raw());
    }
    let mut object;
    match &block.kind {
        BlockKind::Text(text) => {
            object = Object::like(under(view, block, &["text"]), |key| matches!(key, "type" | "text" | "native"))
                .with("type", "text")
                .with("text", text);
        }
        BlockKind::Image(image) => {
            object = Object::like(under(view, block, &["image"]), |key| key == "native" || image_field(key))
                .with("type", "image")
                .with("data", image.data.as_deref().unwrap_or_default())
                .with("mimeType", image.mime_type.as_deref().unwrap_or_default());
        }
        BlockKind::Thinking(thinking) => {
            let drop = |key: &str| thinking_field(key) || matches!(key, "origin" | "data" | "native");
            object = Object::like(under(view, block, &["thinking"]), drop)
                .with("type", "thinking")
                .with("thinking", &*thinking.text)
                .with_some("signature", thinking.signature.as_deref());
            if thinking.redacted {
                object.set("redacted", Out::Bool(true));
            }
            object = object.with_some("origin", thinking.origin.as_deref());
        }
        BlockKind::ToolCall(call) => {
            object = Object::like(under(view, block, &["toolCall"]), |key| key == "native" || call_field(key))
                .finished()
                .with("type", "toolCall")
                .with("id", call.id.as_deref().unwrap_or_default())
                .with("name", call.name.as_deref().unwrap_or_default())
                .with("arguments", Out::Text(Cow::Owned(quote(arguments(call)))));
        }
        BlockKind::Link(link) => {
            object = Object::typed("link").with("url", &*link.url).with_some("mimeType", link.mime_type.as_deref());
        }
        BlockKind::File(file) => {
            object = Object::typed("file")
                .with("data", &*file.data)
                .with("mimeType", &*file.mime_type)
                .with_some("name", file.name.as_deref());
        }
        BlockKind::Opaque(opaque) => {
            object = Object::like(None, every_field)
                .with("type", "opaque")
                .with("dialect", &*opaque.dialect)
                .with("value", Out::Text(Cow::Borrowed(&opaque.value)));
        }
    }
    native(&mut object, block.native.as_deref());
    object.out()
}
