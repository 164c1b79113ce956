//! Rendering Anthropic Messages.

use std::borrow::Cow;

use crate::dialects::anthropic_messages::item::sets_options as sets_anthropic_options;
use crate::dialects::anthropic_messages::read::{
    keeps as anthropic_keeps, keeps_in_message as anthropic_keeps_in_message,
};
use crate::media;
use crate::print::block::{add_native, arguments, as_it_was, call_field, image_field, stands_in, under};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View, group};
use crate::read::fields::{ERROR_FLAGS, RESULT_IDS};
use wirecanon_json::Value;
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{Block, BlockKind, Media, Message, Role};

pub(crate) static RENDERER: Renderer = Renderer { render, joins: group::results_with_user, ..Renderer::COMMON };

pub(crate) fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let role = match group[0].role {
        Role::User | Role::ToolResult => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
    };
    // A role of another dialect is not laid under: its fields are others.
    let like = like.filter(|like| like.get("role").is_some_and(|found| found.is_str(role)));
    let mut object = Object::like(like, if role == "system" { system_field } else { |_| true }).with("role", role);
    let content = like.and_then(|like| like.get("content"));
    if !sets_anthropic_options(group[0]) {
        object.set("content", render_content(view, group, content));
    }
    object = add_native(view, object, group[0].native.as_deref(), |key| anthropic_keeps_in_message(role, key));
    view.about_all(group, object)
}

fn system_field(key: &str) -> bool {
    !anthropic_keeps_in_message("system", key)
}

fn render_content<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], content: Option<Value<'w>>) -> Out<'w> {
    if let [message] = group
        && let ([Block { kind: BlockKind::Text(text), source: Some(source), .. }], true) =
            (message.blocks.as_slice(), message.role != Role::ToolResult)
        && view.own(Some(*source)).is_some_and(|value| value.is_string() && content.is_some_and(Value::is_string))
    {
        return Out::from(text);
    }
    Out::List(view.items(group, render_result, render_block), content)
}

fn render_result<'w>(view: &View<'w, '_>, message: &'w Message<'_>) -> Out<'w> {
    let source =
        view.own(message.source).filter(|value| value.get("type").is_some_and(|kind| kind.is_str("tool_result")));
    if let Some(source) = source.filter(|_| !message.dirty) {
        return Out::Raw(source.raw());
    }
    let mut object = Object::like(source, |key| {
        matches!(key, "type" | "content" | "output" | "text")
            || RESULT_IDS.contains(&key)
            || ERROR_FLAGS.contains(&key)
            || !anthropic_keeps("tool_result", key)
    });
    let Some(head) = &message.result else { return object.out() };
    object.str("type", "tool_result");
    object.str("tool_use_id", head.call_id.as_deref().unwrap_or_default());
    let had = source.and_then(|source| source.get("content"));
    // An empty content that the dialect accepts stays as it is.
    let stands_in = message.blocks.iter().all(stands_in);
    match (message.blocks.as_slice(), had) {
        ([Block { kind: BlockKind::Text(text), dirty: false, .. }], Some(had)) if had.is_string() => {
            object.set("content", if stands_in { Out::Raw(had.raw()) } else { Out::from(text) });
        }
        (_, Some(had)) if stands_in => object.set("content", Out::Raw(had.raw())),
        (_, None) if stands_in && source.is_some() => {}
        (blocks, had) => {
            let blocks = blocks.iter().map(|block| view.about(block.id, render_block(view, block))).collect();
            object.set("content", Out::List(blocks, had));
        }
    }
    if head.is_error || source.is_some_and(|source| source.get("is_error").is_some()) {
        object.set("is_error", Out::Bool(head.is_error));
    }
    add_native(view, object, message.native.as_deref(), |key| anthropic_keeps("tool_result", key)).out()
}

pub(crate) fn render_block<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) = as_it_was(view, block) {
        return out;
    }
    let mut kind = "text";
    let object = match &block.kind {
        BlockKind::Text(text) => Object::like(under(view, block, &["text"]), |key| !anthropic_keeps("text", key))
            .with("type", "text")
            .with("text", text),
        BlockKind::Image(image) => {
            kind = "image";
            Object::like(under(view, block, &["image"]), |key| image_field(key) || !anthropic_keeps("image", key))
                .with("type", "image")
                .with("source", image_source(image))
        }
        BlockKind::Thinking(thinking) => {
            kind = "thinking";
            let sealed = thinking.redacted;
            let mut object = Object::typed(if sealed { "redacted_thinking" } else { "thinking" });
            if !sealed {
                object.str("thinking", &*thinking.text);
            }
            object.str(if sealed { "data" } else { "signature" }, thinking.signature.as_deref().unwrap_or_default());
            object
        }
        BlockKind::ToolCall(call) => {
            kind = "tool_use";
            let mut object = Object::like(under(view, block, &["tool_use"]), |key| {
                call_field(key) || key == "caller" || !anthropic_keeps("tool_use", key)
            })
            .with("type", "tool_use")
            .with("id", call.id.as_deref().unwrap_or_default())
            .with("name", call.name.as_deref().unwrap_or_default())
            .with("input", Out::Raw(arguments(call)));
            object.set_json("caller", block.native_field(view.target.dialect.name(), "caller"));
            object
        }
        BlockKind::Link(link) => {
            kind = "image";
            Object::typed("image").with("source", Object::typed("url").with("url", &*link.url))
        }
        BlockKind::File(file) => {
            kind = "document";
            // In base64 the API takes PDF alone; a plain text stands as it is.
            // In base64 the API takes PDF alone; a plain text stands as it is.
            let text = (file.mime_type == "text/plain").then(|| media::text_of(&file.data)).flatten();
            let source = match text {
                Some(text) => Object::typed("text").with("media_type", "text/plain").with("data", text),
                None => Object::typed("base64").with("media_type", &*file.mime_type).with("data", &*file.data),
            };
            // The server refuses an empty title.
            // The server refuses an empty title.
            let name = file.name.as_deref().filter(|name| !name.is_empty());
            Object::typed("document").with("source", source).with_some("title", name)
        }
        BlockKind::Opaque(opaque) => {
            debug_assert_eq!(&*opaque.dialect, Dialect::AnthropicMessages.name());
            return Out::Text(Cow::Borrowed(&opaque.value));
        }
    };
    add_native(view, object, block.native.as_deref(), |key| anthropic_keeps(kind, key)).out()
}

fn image_source<'w>(image: &'w Media<'_>) -> Out<'w> {
    Object::typed("base64")
        .with("media_type", image.mime_type.as_deref().unwrap_or_default())
        .with("data", image.data.as_deref().unwrap_or_default())
        .out()
}
