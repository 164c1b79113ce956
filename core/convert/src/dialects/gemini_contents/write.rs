//! Rendering Gemini contents.

use std::borrow::Cow;

use crate::dialects::gemini_contents::read::BESIDE as GEMINI_BESIDE;
use crate::print::block::arguments;
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View, group};
use wirecanon_json::{Json, Limits, Value, Words};
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role, Thinking, ToolCall};
use wirecanon_model::{Dialect, text};

pub(crate) static RENDERER: Renderer = Renderer { render, joins: group::results_with_user, system, ..Renderer::COMMON };

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let role = if group[0].role == Role::Assistant { "model" } else { "user" };
    let like = like.filter(|like| like.get("role").is_none_or(|found| found.is_str(role)));
    let mut object = Object::like(like, |_| true).with("role", role);
    let list = like.and_then(|like| like.get("parts")).filter(|parts| parts.is_array());
    object.set("parts", Out::List(view.items(group, render_result, render_part), list));
    view.about_all(group, object)
}

/// Instructions beside the list.
fn system<'w>(view: &View<'w, '_>, system: &'w [Message<'_>]) -> Out<'w> {
    let like = system.iter().find_map(|message| view.own(message.source)).filter(|like| like.get("parts").is_some());
    let mut object = Object::like(like, |key| key != "role");
    let list = like.and_then(|like| like.get("parts")).filter(|parts| parts.is_array());
    let group: Vec<&'w Message<'_>> = system.iter().collect();
    object.set("parts", Out::List(view.items(&group, render_result, render_part), list));
    object.out()
}

/// The member of an object in whichever spelling it stands there, and that spelling.
fn spelled<'w>(
    object: Option<Value<'w>>,
    camel: &'static str,
    snake: &'static str,
) -> (&'static str, Option<Value<'w>>) {
    let found = |key| object.and_then(|object| object.get(key)).filter(|value| !value.is_null());
    match found(camel) {
        None if found(snake).is_some() => (snake, found(snake)),
        here => (camel, here),
    }
}

fn fields<'w>(native: Option<&'w Native<'_>>) -> &'w [(Cow<'w, str>, Cow<'w, str>)] {
    native.map_or(&[], |native| native.of(Dialect::GeminiContents.name()))
}

fn field<'w>(native: Option<&'w Native<'_>>, key: &str) -> Option<&'w str> {
    native?.get(Dialect::GeminiContents.name(), key)
}

/// Whether something is marked as not standing in the source.
fn absent(native: Option<&Native<'_>>, key: &str) -> bool {
    field(native, key) == Some("null")
}

/// All members are written anew: the API knows no others.
fn no_field(_key: &str) -> bool {
    true
}

fn add_beside<'w>(part: &mut Object<'w>, native: Option<&'w Native<'_>>) {
    for (key, value) in fields(native) {
        if GEMINI_BESIDE.contains(&&**key) && value != "null" && part.fields.iter().all(|(known, _)| known != key) {
            part.set(key, Out::Text(Cow::Borrowed(value)));
        }
    }
}

fn render_part<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    let source = view.own(block.source).filter(|value| value.is_object());
    if let Some(source) = source.filter(|_| !block.dirty) {
        return Out::Raw(source.raw());
    }
    let native = block.native.as_deref();
    let mut part = Object::like(source, no_field);
    match &block.kind {
        BlockKind::Text(words) => part.str("text", words),
        BlockKind::Thinking(thinking) => render_thinking(&mut part, thinking, native),
        BlockKind::Image(image) => {
            let (mime, data) = (image.mime_type.as_deref(), image.data.as_deref());
            let (key, like) = spelled(source, "inlineData", "inline_data");
            let mut blob = blob(like, mime.unwrap_or_default(), data.unwrap_or_default());
            blob.set_json(spelled(like, "displayName", "display_name").0, field(native, "displayName"));
            part.set(key, blob.out());
        }
        BlockKind::File(file) => {
            let (key, like) = spelled(source, "inlineData", "inline_data");
            let mut blob = blob(like, &file.mime_type, &file.data);
            blob.set_some(spelled(like, "displayName", "display_name").0, file.name.as_deref());
            part.set(key, blob.out());
        }
        BlockKind::Link(link) => {
            let (key, like) = spelled(source, "fileData", "file_data");
            let mut file = Object::like(like.filter(|like| like.is_object()), no_field)
                .with(spelled(like, "fileUri", "file_uri").0, &*link.url);
            file.set_some(spelled(like, "mimeType", "mime_type").0, link.mime_type.as_deref());
            file.set_json(spelled(like, "displayName", "display_name").0, field(native, "displayName"));
            part.set(key, file.out());
        }
        BlockKind::ToolCall(call) => {
            let (key, like) = spelled(source, "functionCall", "function_call");
            part.set(key, render_call(call, native, like));
        }
        BlockKind::Opaque(opaque) => return Out::Text(Cow::Borrowed(&opaque.value)),
    }
    add_beside(&mut part, native);
    part.out()
}

fn render_thinking<'w>(part: &mut Object<'w>, thinking: &'w Thinking<'_>, native: Option<&Native<'_>>) {
    part.str("text", &*thinking.text);
    if !absent(native, "thought") {
        part.set("thought", Out::Bool(true));
    }
    if let Some(signature) = &thinking.signature {
        part.str(spelled(part.had(), "thoughtSignature", "thought_signature").0, &**signature);
    }
}

fn blob<'w>(like: Option<Value<'w>>, mime: &'w str, data: &'w str) -> Object<'w> {
    Object::like(like.filter(|like| like.is_object()), no_field)
        .with(spelled(like, "mimeType", "mime_type").0, mime)
        .with("data", data)
}

fn render_call<'w>(call: &'w ToolCall<'_>, native: Option<&Native<'_>>, like: Option<Value<'w>>) -> Out<'w> {
    let mut object = Object::like(like.filter(|like| like.is_object()), no_field);
    if !absent(native, "id") {
        object.str("id", call.id.as_deref().unwrap_or_default());
    }
    object.str("name", call.name.as_deref().unwrap_or_default());
    object.set("args", Out::Raw(arguments(call)));
    object.out()
}

/// Whether a block of a result stands for a part of it, not for its response.
fn is_part(block: &Block<'_>) -> bool {
    match &block.kind {
        // A stand-in has all members of its part.
        BlockKind::Text(_) => {
            let native = fields(block.native.as_deref());
            let carried = native.iter().any(|(key, _)| PART_KEYS.contains(&&**key));
            carried && native.iter().all(|(key, _)| key != "response")
        }
        _ => true,
    }
}

const PART_KEYS: [&str; 4] = ["inlineData", "inline_data", "fileData", "file_data"];

fn render_result<'w>(view: &View<'w, '_>, message: &'w Message<'_>) -> Out<'w> {
    let source = view.own(message.source).filter(|value| value.is_object());
    let (key, inner) = spelled(source, "functionResponse", "function_response");
    let inner = inner.filter(|inner| inner.is_object());
    if let Some(source) = source.filter(|_| !message.dirty && inner.is_some()) {
        return Out::Raw(source.raw());
    }
    let native = message.native.as_deref();
    let mut part = Object::like(source.filter(|_| inner.is_some()), no_field);
    let mut object = Object::like(inner, no_field);
    let head = message.result.as_deref();
    let id = head.and_then(|head| head.call_id.as_deref());
    object.set_some("id", id.filter(|_| !absent(native, "id")));
    object.str("name", head.and_then(|head| head.tool_name.as_deref()).unwrap_or_default());
    let is_error = head.is_some_and(|head| head.is_error);
    let had = inner.and_then(|inner| inner.get("response"));
    object.set("response", response(message, is_error, had));
    let media: Vec<_> = message
        .blocks
        .iter()
        .filter(|block| is_part(block))
        .map(|block| view.about(block.id, render_media(view, block)))
        .collect();
    if !media.is_empty() {
        let list = inner.and_then(|inner| inner.get("parts")).filter(|parts| parts.is_array());
        object.set("parts", Out::List(media, list));
    }
    for (name, value) in fields(native) {
        let own = name.strip_prefix("functionResponse.").filter(|name| *name != "response");
        if let Some(name) = own.filter(|_| value != "null") {
            object.set(name, Out::Text(Cow::Borrowed(value)));
        }
    }
    part.set(key, object.out());
    add_beside(&mut part, native);
    part.out()
}

/// The object that says what the tool gave.
fn response<'w>(message: &'w Message<'_>, is_error: bool, had: Option<Value<'w>>) -> Out<'w> {
    let blocks: Vec<_> = message.blocks.iter().filter(|block| !is_part(block)).collect();
    let own =
        |block: &'w Block<'_>| field(block.native.as_deref(), "response").filter(|raw| fails(raw) == Some(is_error));
    let follows = |words: &Words<'_>| words == text::IMAGE_FOLLOWS || words == text::FILE_FOLLOWS;
    let others = |from: usize| blocks[from..].iter().all(|block| block.words().is_some_and(follows));
    match blocks.as_slice() {
        [] => match field(message.native.as_deref(), "functionResponse.response") {
            Some(raw) if fails(raw) == Some(is_error) => return Out::Text(Cow::Borrowed(raw)),
            _ if !is_error => return Out::Raw("{}"),
            _ => {}
        },
        [first, ..] if others(1) => {
            if let Some(raw) = own(first) {
                return Out::Text(Cow::Borrowed(raw));
            }
        }
        _ => {}
    }
    let words: Vec<_> = blocks.iter().filter_map(|block| block.as_text()).collect();
    Object::like(had, no_field).with(if is_error { "error" } else { "output" }, words.join("\n")).out()
}

/// Whether a response says that the tool failed; `None` for what is no response at all.
fn fails(raw: &str) -> Option<bool> {
    let json = Json::parse(raw, &Limits::default()).ok().filter(|json| json.root().is_object())?;
    Some(json.root().get("error").is_some_and(|error| {
        !error.is_null() && error.as_bool() != Some(false) && error.as_str().is_none_or(|text| !text.is_empty())
    }))
}

fn render_media<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if matches!(block.kind, BlockKind::Text(_)) && (view.own(block.source).is_none() || block.dirty) {
        let mut part = Object::new();
        for (key, value) in fields(block.native.as_deref()) {
            if value != "null" {
                part.set(key, Out::Text(Cow::Borrowed(value)));
            }
        }
        return part.out();
    }
    render_part(view, block)
}
