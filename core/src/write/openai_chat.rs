//! Rendering OpenAI Chat Completions.

use std::borrow::Cow;

use super::block::{add_native, arguments, call_field, under};
use super::out::{Object, Out};
use super::{Renderer, View};
use crate::dialect::{Dialect, OPENAI_LEGACY, RESULT_IDS};
use crate::json::{Json, Limits, Value, quote};
use crate::transcript::{Block, BlockKind, Message, Native, Role, ToolCall};

pub(super) static RENDERER: Renderer = Renderer { render, ..Renderer::COMMON };

pub(super) fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let mut object = Object::like(like, message_field);
    object.set("role", role(message));
    let content = like.and_then(|like| like.get("content"));
    match message.role {
        Role::Assistant => assistant(view, &mut object, message, content),
        Role::ToolResult => {
            let head = message.result.as_deref();
            let legacy = marked(message.native.as_deref(), "role", "\"function\"");
            if !legacy {
                object.str("tool_call_id", head.and_then(|head| head.call_id.as_deref()).unwrap_or_default());
            }
            if legacy || like.is_some_and(|like| like.get("name").is_some()) {
                object.str("name", head.and_then(|head| head.tool_name.as_deref()).unwrap_or_default());
            }
            object.set(
                "content",
                render_content(view, message, content.filter(|_| message.source == like.map(Value::index))),
            );
        }
        Role::System | Role::User => object.set("content", render_content(view, message, content)),
    }
    if let Some(name) = message.native.as_deref().and_then(|native| field(native, "name")) {
        object.set("name", Out::Text(Cow::Borrowed(name)));
    }
    add_native(view, &mut object, message.native.as_deref(), |key| key != "role" && key != OPENAI_LEGACY);
    Out::About(message.id, Box::new(object.out()))
}

/// Whether a field that only this dialect knows has this value.
fn marked(native: Option<&Native<'_>>, key: &str, value: &str) -> bool {
    native.is_some_and(|native| {
        native.of(Dialect::OpenAiChat.name()).iter().any(|(name, found)| name == key && found == value)
    })
}

fn field<'w>(native: &'w Native<'_>, key: &str) -> Option<&'w str> {
    native.of(Dialect::OpenAiChat.name()).iter().find(|(name, _)| name == key).map(|(_, value)| &**value)
}

fn role<'w>(message: &Message<'_>) -> Out<'w> {
    let native = message.native.as_deref();
    Out::Str(Cow::Borrowed(match message.role {
        Role::System if marked(native, "role", "\"developer\"") => "developer",
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::ToolResult if marked(native, "role", "\"function\"") => "function",
        Role::ToolResult => "tool",
    }))
}

fn message_field(key: &str) -> bool {
    matches!(key, "role" | "content" | "tool_calls" | "toolCalls" | "function_call" | "toolName" | "tool_name")
        || RESULT_IDS.contains(&key)
}

/// A block that stands for another field of the message, which stays as it is.
fn beside_content(view: &View<'_, '_>, block: &Block<'_>) -> bool {
    block.projected
        && block.source.is_some()
        && view.own(block.source).is_some_and(Value::is_string)
        && matches!(block.kind, BlockKind::Text(_) | BlockKind::Thinking(_))
}

fn assistant<'w>(view: &View<'w, '_>, object: &mut Object<'w>, message: &'w Message<'_>, had: Option<Value<'w>>) {
    let in_content = |block: &&Block<'_>| {
        let elsewhere = beside_content(view, block) && block.source != had.map(Value::index);
        !elsewhere && !matches!(block.kind, BlockKind::ToolCall(_) | BlockKind::Thinking(_))
    };
    let blocks: Vec<_> = message.blocks.iter().filter(in_content).collect();
    let has_calls = message.calls().next().is_some();
    match blocks.as_slice() {
        [] if object.like.is_some() && had.is_none() => {}
        [] => object
            .set("content", if has_calls || object.like.is_some() { Out::Null } else { Out::Str(Cow::Borrowed("")) }),
        [block] if !as_part(view, block) => object.set("content", text_of(view, block)),
        blocks => {
            let parts = blocks.iter().map(|block| Out::About(block.id, Box::new(render_part(view, block)))).collect();
            object.set("content", Out::List(parts, had));
        }
    }
    // Reasoning that stood in a field of the message is still there; from elsewhere it comes back into that field.
    if object.like.is_none() {
        for block in &message.blocks {
            if let BlockKind::Thinking(thinking) = &block.kind {
                object.str("reasoning_content", &*thinking.text);
                break;
            }
        }
    }
    let calls: Vec<_> = message
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::ToolCall(call) => Some((block, &**call)),
            _ => None,
        })
        .collect();
    match calls.as_slice() {
        [(block, call)] if marked(block.native.as_deref(), OPENAI_LEGACY, "true") => {
            let mut function = Object::like(view.own(block.source), call_field);
            function.str("name", call.name.as_deref().unwrap_or_default());
            function.set("arguments", Out::Text(Cow::Owned(quote(arguments(call)))));
            object.set("function_call", Out::About(block.id, Box::new(function.out())));
        }
        [] => {}
        calls => {
            let list = object.like.and_then(|like| like.get("tool_calls"));
            let calls = calls
                .iter()
                .map(|(block, call)| Out::About(block.id, Box::new(render_call(view, block, call))))
                .collect();
            object.set("tool_calls", Out::List(calls, list));
        }
    }
}

fn render_call<'w>(view: &View<'w, '_>, block: &'w Block<'_>, call: &'w ToolCall<'_>) -> Out<'w> {
    let source =
        view.own(block.source).filter(|value| value.get("function").is_some() || value.get("custom").is_some());
    if let Some(source) = source.filter(|_| !block.dirty) {
        return Out::Raw(source.raw());
    }
    let mut object = Object::like(source, |key| call_field(key) || key == "custom");
    object.str("id", call.id.as_deref().unwrap_or_default());
    let custom = marked(block.native.as_deref(), "type", "\"custom\"").then(|| custom_input(arguments(call))).flatten();
    let mut inner = match &custom {
        Some(_) => Object::like(source.and_then(|source| source.get("custom")), |_| false),
        None => Object::like(source.and_then(|source| source.get("function")), call_field),
    };
    inner.str("name", call.name.as_deref().unwrap_or_default());
    match custom {
        Some(input) => {
            inner.set("input", Out::Text(Cow::Owned(input)));
            object.str("type", "custom");
            object.set("custom", inner.out());
        }
        None => {
            inner.set("arguments", Out::Text(Cow::Owned(quote(arguments(call)))));
            object.str("type", "function");
            object.set("function", inner.out());
        }
    }
    add_native(view, &mut object, block.native.as_deref(), |key| key != OPENAI_LEGACY && key != "type");
    object.out()
}

/// The JSON text of a custom tool's input, if the arguments hold nothing else.
fn custom_input(arguments: &str) -> Option<String> {
    let json = Json::parse(arguments, &Limits::default()).ok()?;
    let mut members = json.root().members();
    let (key, value) = members.next()?;
    (key.is_str("input") && value.is_string() && members.next().is_none()).then(|| value.raw().to_owned())
}

/// Whether a lone block must still be written as a part of a list.
fn as_part(view: &View<'_, '_>, block: &Block<'_>) -> bool {
    let Some(source) = view.own(block.source) else {
        return !matches!(block.kind, BlockKind::Text(_))
            || block.native.as_ref().is_some_and(|native| !native.of(Dialect::OpenAiChat.name()).is_empty());
    };
    let was_text = source.is_object() && source.get("type").is_some_and(|kind| kind.is_str("text"));
    was_text || !matches!(block.kind, BlockKind::Text(_)) || (source.is_object() && !block.dirty)
}

/// The text of a block that is a whole content; where it was read with something taken off, what was there.
fn text_of<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if block.projected
        && !block.dirty
        && let Some(source) = view.own(block.source).filter(|source| source.is_string())
    {
        return Out::Raw(source.raw());
    }
    Out::Str(Cow::Borrowed(block.text().unwrap_or_default()))
}

fn render_content<'w>(view: &View<'w, '_>, message: &'w Message<'_>, had: Option<Value<'w>>) -> Out<'w> {
    match message.blocks.as_slice() {
        [block] if block.projected && block.source.is_none() && had.is_some() && !block.dirty => {
            had.map_or(Out::Null, |had| Out::Raw(had.raw()))
        }
        [block] if !as_part(view, block) => text_of(view, block),
        blocks => Out::List(
            blocks.iter().map(|block| Out::About(block.id, Box::new(render_part(view, block)))).collect(),
            had,
        ),
    }
}

fn render_part<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) = super::block::as_it_was(view, block) {
        return out;
    }
    let mut object = Object::new();
    match &block.kind {
        BlockKind::Text(text) => {
            object = Object::like(under(view, block, &["text"]), |key| matches!(key, "type" | "text"));
            object.str("type", "text");
            object.str("text", &**text);
        }
        BlockKind::Image(image) => {
            let mime = image.mime_type.as_deref().unwrap_or_default();
            let mut url = Object::new();
            url.str("url", format!("data:{mime};base64,{}", image.data.as_deref().unwrap_or_default()));
            add_native(view, &mut url, block.native.as_deref(), |key| key == "detail");
            object.str("type", "image_url");
            object.set("image_url", url.out());
        }
        BlockKind::Link(link) => {
            let mut url = Object::new();
            url.str("url", &*link.url);
            object.str("type", "image_url");
            object.set("image_url", url.out());
        }
        BlockKind::File(file) => match file.mime_type.strip_prefix("audio/") {
            Some(format) => {
                let mut audio = Object::new();
                audio.str("data", &*file.data);
                audio.str("format", if format == "mpeg" { "mp3" } else { format }.to_owned());
                object.str("type", "input_audio");
                object.set("input_audio", audio.out());
            }
            None => {
                let mut inner = Object::new();
                inner.str("filename", file.name.as_deref().unwrap_or("file").to_owned());
                inner.str("file_data", format!("data:{};base64,{}", file.mime_type, file.data));
                object.str("type", "file");
                object.set("file", inner.out());
            }
        },
        BlockKind::Opaque(opaque) => return Out::Text(Cow::Borrowed(&opaque.value)),
        BlockKind::Thinking(_) | BlockKind::ToolCall(_) => {
            object.str("type", "text");
            object.str("text", "");
        }
    }
    add_native(view, &mut object, block.native.as_deref(), |key| !matches!(key, "detail" | "type"));
    object.out()
}
