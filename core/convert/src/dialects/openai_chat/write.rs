//! Rendering OpenAI Chat Completions.

use std::borrow::Cow;

use crate::dialects::openai_chat::read::{LEGACY as OPENAI_LEGACY, REASONING};
use crate::print::block::{
    self, add_native, arguments, call_field, calls_of, data_url, read_as_content, set_calls, stands_in, text_part,
};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use crate::read::fields::RESULT_IDS;
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role, ToolCall};

pub(crate) static RENDERER: Renderer =
    Renderer { render: |view, group, like| render(view, group, like, &FORM), ..Renderer::COMMON };

/// What the wires that grew out of Chat Completions do not have in common.
pub(crate) struct Form {
    /// Members of a message that hold reasoning, the one that is written first; empty where it is a part of the content
    pub(crate) reasoning: &'static [&'static str],
    /// Renders the parts that only one dialect spells so
    pub(crate) part: for<'w, 'v, 'j> fn(&'v View<'w, 'j>, &'w Block<'_>) -> Option<Out<'w>>,
    /// A new result says the name of its tool
    pub(crate) names_results: bool,
}

const FORM: Form = Form { reasoning: REASONING, part: |_, _| None, names_results: false };

pub(crate) fn render<'w>(
    view: &View<'w, '_>,
    group: &[&'w Message<'_>],
    like: Option<Value<'w>>,
    form: &Form,
) -> Out<'w> {
    let message = group[0];
    let name = role(view, message);
    let mut object = Object::like(like, message_field)
        .without(read_as_content(view, message))
        .closed(view.target, name)
        .with("role", name);
    let content = like.and_then(|like| like.get("content"));
    match message.role {
        Role::Assistant => assistant(view, &mut object, message, content, form),
        Role::ToolResult => {
            let head = message.result.as_deref();
            let legacy = marked(view, message.native.as_deref(), "role", "\"function\"");
            if !legacy {
                object.str("tool_call_id", head.and_then(|head| head.call_id.as_deref()).unwrap_or_default());
            }
            let named = like.map_or(form.names_results, |like| like.get("name").is_some())
                && view.target.takes_field(name, "name");
            if let Some(tool) = head.and_then(|head| head.tool_name.as_deref()).filter(|_| legacy || named) {
                object.str("name", tool);
            } else if legacy {
                object.str("name", "");
            }
            object.set("content", whole_content(view, message, content, like, form));
        }
        Role::System => object.set("content", whole_content(view, message, content, like, form)),
        Role::User => object.set("content", render_content(view, message, content, form)),
    }
    object.set_json("name", message.native.as_deref().and_then(|native| field(view, native, "name")));
    view.about(
        message.id,
        add_native(view, object, message.native.as_deref(), |key| {
            // What the message of this role has itself, or only another role has, is no member of a part that became it.
            !matches!(key, "role" | "name" | "content" | "tool_calls" | "toolCalls" | "tool_call_id")
                && key != OPENAI_LEGACY
        })
        .out(),
    )
}

/// The content of a result or of instructions; one string where the target takes nothing else.
fn whole_content<'w>(
    view: &View<'w, '_>,
    message: &'w Message<'_>,
    content: Option<Value<'w>>,
    like: Option<Value<'w>>,
    form: &Form,
) -> Out<'w> {
    let content = content.filter(|_| message.source == like.map(Value::index));
    // A lone text that stood in a part, or was one's JSON text, is that string there.
    if let [block] = message.blocks.as_slice()
        && let (BlockKind::Text(words), false) = (&block.kind, view.target.content.takes_parts(message.role))
        && !stands_in(block)
    {
        return if content.is_none_or(|content| !content.is_string()) {
            Out::from(words)
        } else {
            text_of(view, block)
        };
    }
    render_content(view, message, content, form)
}

/// Whether a field that only the target's dialect knows has this value.
pub(crate) fn marked(view: &View<'_, '_>, native: Option<&Native<'_>>, key: &str, value: &str) -> bool {
    native.is_some_and(|native| field(view, native, key) == Some(value))
}

fn field<'w>(view: &View<'_, '_>, native: &'w Native<'_>, key: &str) -> Option<&'w str> {
    native.get(view.target.dialect.name(), key)
}

pub(crate) fn role(view: &View<'_, '_>, message: &Message<'_>) -> &'static str {
    let native = message.native.as_deref();
    match message.role {
        Role::System if marked(view, native, "role", "\"developer\"") => "developer",
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::ToolResult if marked(view, native, "role", "\"function\"") => "function",
        Role::ToolResult => "tool",
    }
}

pub(crate) fn message_field(key: &str) -> bool {
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

fn assistant<'w>(
    view: &View<'w, '_>,
    object: &mut Object<'w>,
    message: &'w Message<'_>,
    had: Option<Value<'w>>,
    form: &Form,
) {
    let in_content = |block: &&Block<'_>| {
        let elsewhere = beside_content(view, block) && block.source != had.map(Value::index);
        let reasoning = matches!(block.kind, BlockKind::Thinking(_)) && !form.reasoning.is_empty();
        !elsewhere && !reasoning && !matches!(block.kind, BlockKind::ToolCall(_))
    };
    let blocks: Vec<_> = message.blocks.iter().filter(in_content).collect();
    let has_calls = message.calls().next().is_some();
    // Without content the message must say something beside it.
    let speaks = has_calls || message.blocks.iter().any(Block::is_text) || has_audio(object.had());
    match blocks.as_slice() {
        [] if object.had().is_some() && had.is_none() && speaks => {}
        [] => object.set("content", if speaks { Out::Null } else { Out::Str(Cow::Borrowed("")) }),
        [block] if !as_part(view, block) => object.set("content", text_of(view, block)),
        blocks => {
            let parts = blocks.iter().map(|block| view.about(block.id, render_part(view, block, form))).collect();
            object.set("content", Out::List(parts, had));
        }
    }
    if !form.reasoning.is_empty() {
        reasoning(view, object, message, form);
        // What is no words was never read.
        let had = object.had();
        let odd = |name: &&&str| {
            let words = had.and_then(|had| had.get(name));
            words.is_some_and(|words| !words.is_string() && !words.is_null())
        };
        object.leave(form.reasoning.iter().filter(odd).copied());
    }
    if let Some(mark) = view.target.order.prefix_mark.as_deref() {
        if marked(view, message.native.as_deref(), mark, "true") {
            object.set(mark, Out::Bool(true));
        } else if object.had().is_some_and(|like| like.get(mark).is_some_and(|value| value.as_bool() == Some(true))) {
            object.leave([mark]);
        }
    }
    if beside_is_gone(view, message, object.had()) {
        object.set("refusal", Out::Null);
    }
    calls(view, object, message);
}

fn has_audio(like: Option<Value<'_>>) -> bool {
    like.and_then(|like| like.get("audio")).is_some_and(Value::is_object)
}

/// Whether the source has a refusal that is now words of the content.
fn beside_is_gone(view: &View<'_, '_>, message: &Message<'_>, like: Option<Value<'_>>) -> bool {
    let Some(refusal) = like.and_then(|like| like.get("refusal")).filter(|refusal| !refusal.is_null()) else {
        return false;
    };
    let stays = |block: &Block<'_>| block.source == Some(refusal.index()) && beside_content(view, block);
    view.target.takes_field("assistant", "refusal") && !message.blocks.iter().any(stays)
}

/// Reasoning in its member of the message: where it stood, or in the one that the target knows.
pub(crate) fn reasoning<'w>(view: &View<'w, '_>, object: &mut Object<'w>, message: &'w Message<'_>, form: &Form) {
    let thoughts: Vec<_> = message
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Thinking(thinking) => Some((block, &*thinking.text)),
            _ => None,
        })
        .collect();
    let had = object.had();
    let source = |block: &Block<'_>| {
        let value = view.own(block.source).filter(|value| value.is_string() && !block.dirty)?;
        let names = form.reasoning.iter();
        names.copied().find(|name| had.and_then(|had| had.get(name)).is_some_and(|had| had.index() == value.index()))
    };
    let wanted = view.target.reasoning.field.as_deref();
    let first = thoughts.first().and_then(|(block, _)| source(block));
    let key = match wanted {
        Some(wanted) => form.reasoning.iter().copied().find(|name| *name == wanted),
        None => first,
    };
    let key = key.unwrap_or(form.reasoning[0]);
    // The first string was read; another one stays unless something took it out.
    let is_string = |name: &&&'static str| had.and_then(|had| had.get(name)).is_some_and(Value::is_string);
    for (at, name) in form.reasoning.iter().filter(is_string).enumerate() {
        let goes = if at == 0 {
            *name != key || thoughts.is_empty()
        } else {
            message.native.as_deref().is_none_or(|native| field(view, native, name).is_none())
        };
        if goes {
            object.leave([*name]);
        }
    }
    match thoughts.as_slice() {
        [] => {}
        [(block, _)] if first == Some(key) => {
            let raw = view.own(block.source).map_or("\"\"", |value| value.raw());
            object.set(key, Out::Raw(raw));
        }
        [(_, text)] => object.str(key, *text),
        many => {
            let texts: Vec<_> = many.iter().map(|(_, text)| *text).collect();
            object.str(key, texts.join("\n\n"));
        }
    }
}

fn calls<'w>(view: &View<'w, '_>, object: &mut Object<'w>, message: &'w Message<'_>) {
    let mut calls = calls_of(message);
    match (calls.next(), calls.next()) {
        (Some((block, call)), None) if marked(view, block.native.as_deref(), OPENAI_LEGACY, "true") => {
            let function = Object::like(view.own(block.source), call_field)
                .finished()
                .with("name", call.name.as_deref().unwrap_or_default())
                .with("arguments", Out::Text(Cow::Owned(quote(arguments(call)))));
            object.set("function_call", view.about(block.id, function.out()));
        }
        _ => set_calls(view, object, message, render_call),
    }
}

pub(crate) fn render_call<'w>(view: &View<'w, '_>, block: &'w Block<'_>, call: &'w ToolCall<'_>) -> Out<'w> {
    let source =
        view.own(block.source).filter(|value| value.get("function").is_some() || value.get("custom").is_some());
    if let Some(source) = source.filter(|_| !block.dirty) {
        return Out::Raw(source.raw());
    }
    let mut object =
        Object::like(source, |key| call_field(key) || key == "custom").finished().closed(view.target, "call");
    // Without ids of its own the dialect pairs by name.
    if !marked(view, block.native.as_deref(), "id", "null") {
        object.str("id", call.id.as_deref().unwrap_or_default());
    }
    let custom =
        marked(view, block.native.as_deref(), "type", "\"custom\"").then(|| custom_input(arguments(call))).flatten();
    let mut inner = match &custom {
        Some(_) => Object::like(source.and_then(|source| source.get("custom")), |_| false),
        None => Object::like(source.and_then(|source| source.get("function")), call_field)
            .finished()
            .closed(view.target, "call-function"),
    };
    inner.str("name", call.name.as_deref().unwrap_or_default());
    match custom {
        Some(input) => {
            inner.set("input", Out::Text(Cow::Owned(input)));
            object.str("type", "custom");
            object.set("custom", inner.out());
        }
        None => {
            let text = arguments(call);
            let is_text = view.target.dialect.arguments_are_text();
            inner.set("arguments", if is_text { Out::Text(Cow::Owned(quote(text))) } else { Out::Raw(text) });
            let is_builtin =
                view.target.content.builtin_calls && call.name.as_deref().is_some_and(|name| name.starts_with('$'));
            object.str("type", if is_builtin { "builtin_function" } else { "function" });
            object.set("function", inner.out());
        }
    }
    add_native(view, object, block.native.as_deref(), |key| key != OPENAI_LEGACY && !matches!(key, "type" | "id")).out()
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
        return !matches!(block.kind, BlockKind::Text(_)) || !block.native_of(view.target.dialect.name()).is_empty();
    };
    let was_text = source.is_object() && source.get("type").is_some_and(|kind| kind.is_str("text"));
    was_text || !matches!(block.kind, BlockKind::Text(_)) || (source.is_object() && !block.dirty)
}

/// The text of a block that is a whole content; where it was read with something taken off, what was there.
pub(crate) fn text_of<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if block.projected
        && !block.dirty
        && let Some(source) = view.own(block.source).filter(|source| source.is_string())
    {
        return Out::Raw(source.raw());
    }
    Out::words(block)
}

fn render_content<'w>(view: &View<'w, '_>, message: &'w Message<'_>, had: Option<Value<'w>>, form: &Form) -> Out<'w> {
    match message.blocks.as_slice() {
        [block] if stands_in(block) && had.is_some() && !block.dirty => {
            had.map_or(Out::Null, |had| Out::Raw(had.raw()))
        }
        [block] if !as_part(view, block) => text_of(view, block),
        blocks => {
            Out::List(blocks.iter().map(|block| view.about(block.id, render_part(view, block, form))).collect(), had)
        }
    }
}

fn render_part<'w>(view: &View<'w, '_>, block: &'w Block<'_>, form: &Form) -> Out<'w> {
    if let Some(out) = block::as_it_was(view, block).or_else(|| (form.part)(view, block)) {
        return out;
    }
    let object = match &block.kind {
        BlockKind::Text(text) => text_part(view, block, text).closed(view.target, "text"),
        BlockKind::Image(image) => {
            let mut url = Object::new().with("url", data_url(image));
            url = add_native(view, url, block.native.as_deref(), |key| key == "detail");
            Object::typed("image_url").with("image_url", url)
        }
        BlockKind::Link(link) => Object::typed("image_url").with("image_url", Object::new().with("url", &*link.url)),
        BlockKind::File(file) => match file.mime_type.strip_prefix("audio/") {
            Some(format) => {
                let audio = Object::new()
                    .with("data", &*file.data)
                    .with("format", if format == "mpeg" { "mp3" } else { format });
                Object::typed("input_audio").with("input_audio", audio)
            }
            None => {
                let inner = Object::new()
                    .with("filename", file.name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or("file"))
                    .with("file_data", format!("data:{};base64,{}", file.mime_type, file.data));
                Object::typed("file").with("file", inner)
            }
        },
        BlockKind::Opaque(opaque) => return Out::Text(Cow::Borrowed(&opaque.value)),
        BlockKind::Thinking(_) | BlockKind::ToolCall(_) => Object::typed("text").with("text", ""),
    };
    add_native(view, object, block.native.as_deref(), |key| !matches!(key, "detail" | "type")).out()
}
