//! Rendering model messages of the Vercel AI SDK.

use std::borrow::Cow;

use crate::dialects::ai_sdk_model::output::{blocks_of_mcp, says_all};
use crate::dialects::ai_sdk_model::read::{MESSAGE_FIELD as AI_SDK_MESSAGE_FIELD, is_approval, options_are_sound};
use crate::dialects::ai_sdk_model::reasoning::signed_for;
use crate::print::block::{add_native, arguments, as_it_was, call_field, carries, lines_of, read_as_content, under};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use crate::read::fields::{RESULT_IDS, RESULT_NAMES};
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, File, Message, Role, Thinking};

pub(crate) static RENDERER: Renderer = Renderer { render, joins, system, ..Renderer::COMMON };

/// Instructions beside the list: one text, or a list of messages if there are several or one has further fields.
pub(crate) fn system<'w>(view: &View<'w, '_>, system: &'w [Message<'_>]) -> Out<'w> {
    match system {
        [] => Out::List(Vec::new(), None),
        [alone] if alone.native.is_none() => joined(alone),
        messages => Out::List(messages.iter().map(|message| render(view, &[message], None)).collect(), None),
    }
}

/// The results of a batch are one message, with the answers to requests for approval that stood in it.
fn joins(group: &[Message<'_>], next: &Message<'_>, same: bool) -> bool {
    let Some(last) = group.last() else { return false };
    match next.role {
        Role::ToolResult => last.role == Role::ToolResult,
        Role::User if same => {
            last.role == Role::ToolResult
                && next.origin.is_some_and(|origin| {
                    group.iter().any(|message| message.origin.is_some_and(|other| other.value == origin.value))
                })
                && answers_alone(next)
        }
        _ => false,
    }
}

/// Whether a message holds nothing but answers to requests for approval, which stand in a message of role `tool`.
fn answers_alone(message: &Message<'_>) -> bool {
    !message.blocks.is_empty()
        && message.blocks.iter().all(|block| match &block.kind {
            BlockKind::Opaque(opaque) => is_approval(&opaque.value),
            _ => false,
        })
}

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let first = group[0];
    let role = match first.role {
        Role::ToolResult => "tool",
        Role::User if answers_alone(first) => "tool",
        role => role.name(),
    };
    let like = like.filter(|like| like.get("role").is_some_and(|found| found.is_str(role)) && options_are_sound(*like));
    let mut object = Object::like(like, |key| matches!(key, "role" | "content"))
        .without(read_as_content(view, group[0]))
        .with("role", role);
    let had = like.and_then(|like| like.get("content"));
    let content = match first.role {
        Role::System => joined(first),
        _ if role == "tool" => Out::List(view.items(group, render_result, render_part), had),
        _ => words_or_parts(view, first, had),
    };
    object.set("content", content);
    if role == "tool" {
        if object.had().is_none() {
            let fields = first.native_of(view.target.dialect.name()).iter();
            let fields = fields.filter_map(|(key, value)| Some((key.strip_prefix(AI_SDK_MESSAGE_FIELD)?, value)));
            object.set_missing(fields.map(|(key, value)| (key, Out::Text(Cow::Borrowed(value)))));
        }
    } else {
        object = add_native(view, object, first.native.as_deref(), |_| true);
    }
    view.about_all(group, object)
}

/// All that a message says, as one string.
fn joined<'w>(message: &'w Message<'_>) -> Out<'w> {
    match message.blocks.as_slice() {
        [block] => Out::words(block),
        blocks => Out::from(lines_of(blocks)),
    }
}

fn words_or_parts<'w>(view: &View<'w, '_>, message: &'w Message<'_>, had: Option<Value<'w>>) -> Out<'w> {
    if let [Block { kind: BlockKind::Text(words), source, native: None, .. }] = message.blocks.as_slice() {
        let was = view.own(*source);
        if was.is_none_or(Value::is_string) && had.is_none_or(Value::is_string) {
            return Out::from(words);
        }
    }
    if message.blocks.is_empty() && had.is_none_or(Value::is_string) {
        return Out::Str(Cow::Borrowed(""));
    }
    let parts = message.blocks.iter().map(|block| view.about(block.id, render_part(view, block))).collect();
    Out::List(parts, had)
}

fn render_part<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) = as_it_was(view, block) {
        return out;
    }
    let object = match &block.kind {
        BlockKind::Text(text) => Object::like(over(view, block, &["text"]), |key| matches!(key, "type" | "text"))
            .with("type", "text")
            .with("text", text),
        BlockKind::Image(image) => {
            let like = over(view, block, &["image"]).filter(|like| like.get("image").is_some());
            Object::like(like, |key| matches!(key, "type" | "image" | "mimeType" | "media_type" | "mime_type"))
                .with("type", "image")
                .with("image", image.data.as_deref().unwrap_or_default())
                .with("mediaType", image.mime_type.as_deref().unwrap_or_default())
        }
        BlockKind::Link(link) => {
            Object::typed("image").with("image", &*link.url).with_some("mediaType", link.mime_type.as_deref())
        }
        BlockKind::File(file) => file_part("file", file),
        BlockKind::Thinking(thinking) => {
            let mut object = Object::typed("reasoning").with("text", &*thinking.text);
            object.set_some("providerOptions", signed(thinking).filter(|_| !carries(view, block, "providerOptions")));
            object
        }
        BlockKind::ToolCall(call) => {
            Object::like(over(view, block, &["tool-call"]), |key| call_field(key) || key == "providerExecuted")
                .finished()
                .with("type", "tool-call")
                .with("toolCallId", call.id.as_deref().unwrap_or_default())
                .with("toolName", call.name.as_deref().unwrap_or_default())
                .with("input", Out::Raw(arguments(call)))
        }
        BlockKind::Opaque(opaque) => return Out::Text(Cow::Borrowed(&opaque.value)),
    };
    // A call that the provider ran goes back whole, with its result; this one has a result that the client gave.
    let is_call = matches!(block.kind, BlockKind::ToolCall(_));
    add_native(view, object, block.native.as_deref(), |key| !(is_call && key == "providerExecuted")).out()
}

/// The value to lay a part over, if its fields of providers may stay.
fn over<'w>(view: &View<'w, '_>, block: &Block<'_>, kinds: &[&str]) -> Option<Value<'w>> {
    under(view, block, kinds).filter(|value| options_are_sound(*value))
}

/// A file, which results call otherwise than messages do.
fn file_part<'w>(kind: &'static str, file: &'w File<'_>) -> Object<'w> {
    Object::typed(kind)
        .with("data", &*file.data)
        .with("mediaType", &*file.mime_type)
        .with_some("filename", file.name.as_deref())
}

/// What a provider signed, where the SDK keeps it for that provider alone.
pub(crate) fn signed<'w>(thinking: &'w Thinking<'_>) -> Option<Out<'w>> {
    let signature = thinking.signature.as_deref()?;
    let (provider, field) = signed_for(thinking)?;
    Some(Object::new().with(provider, Object::new().with(field, signature)).out())
}

/// A result as a part.
pub(crate) fn render_result<'w>(view: &View<'w, '_>, message: &'w Message<'_>) -> Out<'w> {
    let source =
        view.own(message.source).filter(|value| value.get("type").is_some_and(|kind| kind.is_str("tool-result")));
    let source = source.filter(|source| options_are_sound(*source));
    if let Some(source) = source.filter(|_| !message.dirty) {
        return Out::Raw(source.raw());
    }
    let mut object = Object::like(source, |key| {
        matches!(key, "type" | "output" | "result" | "content" | "isError" | "is_error")
            || RESULT_IDS.contains(&key)
            || RESULT_NAMES.contains(&key)
    });
    let Some(head) = &message.result else { return object.out() };
    object.str("type", "tool-result");
    object.str("toolCallId", head.call_id.as_deref().unwrap_or_default());
    object.str("toolName", head.tool_name.as_deref().unwrap_or_default());
    let had = source.and_then(|source| source.get("output"));
    object.set("output", output(view, message, head.is_error, had));
    add_native(view, object, message.native.as_deref(), |key| !key.starts_with(AI_SDK_MESSAGE_FIELD)).out()
}

fn output<'w>(view: &View<'w, '_>, message: &'w Message<'_>, is_error: bool, had: Option<Value<'w>>) -> Out<'w> {
    if let Some(had) = had.filter(|had| stays(message, *had)) {
        return Out::Raw(had.raw());
    }
    let mut object = Object::new();
    let all_text = message.blocks.iter().all(Block::is_text);
    match message.blocks.as_slice() {
        // What stands for an item of a list goes back as that item.
        [block @ Block { kind: BlockKind::Text(words), .. }] if is_error || !carries(view, block, "type") => {
            object.str("type", if is_error { "error-text" } else { "text" });
            object.str("value", words);
        }
        blocks if is_error && all_text => {
            object.str("type", "error-text");
            object.str("value", lines_of(blocks));
        }
        blocks => {
            object.str("type", "content");
            // The blocks of a result in a JSON value are spelled in another way.
            let anew = had.and_then(|had| had.get("value")).is_some_and(|value| !value.is_array());
            let write = |block| if anew { written(view, block, false) } else { item(view, block) };
            let items = blocks.iter().map(|block| view.about(block.id, write(block))).collect();
            let list = had.and_then(|had| had.get("value")).filter(|list| list.is_array());
            object.set("value", Out::List(items, list));
        }
    }
    object.out()
}

/// Whether the output says what the blocks say, though something else of the result changed.
fn stays(message: &Message<'_>, had: Value<'_>) -> bool {
    let kind = had.get("type").and_then(Value::as_str).unwrap_or_default();
    let clean = message.blocks.iter().all(|block| !block.dirty);
    clean
        && match &*kind {
            "content" => {
                let count = had.get("value").map_or(0, |list| list.items().count());
                count == message.blocks.len() || (count == 0 && message.blocks.len() == 1)
            }
            "json" | "error-json" => {
                let result = had.get("value").and_then(|value| Some((value, blocks_of_mcp(value)?)));
                result.map_or(message.blocks.len() == 1, |(value, list)| says_all(value, list, &message.blocks))
            }
            "text" | "error-text" | "execution-denied" => message.blocks.len() == 1,
            _ => false,
        }
}

/// An item of a list of content.
fn item<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) =
        as_it_was(view, block).filter(|_| view.own(block.source).is_none_or(|value| value.get("type").is_some()))
    {
        return out;
    }
    written(view, block, true)
}

/// The same, laid over what stood there, if that is of this dialect.
fn written<'w>(view: &View<'w, '_>, block: &'w Block<'_>, is_own: bool) -> Out<'w> {
    let over = |kinds: &[&str]| if is_own { over(view, block, kinds) } else { None };
    let object = match &block.kind {
        BlockKind::Image(image) => {
            let like = over(&["image-data", "media", "file-data"]);
            let mut object = Object::like(like, |key| matches!(key, "data" | "mediaType"));
            if like.is_none() {
                object.str("type", "image-data");
            }
            object.str("data", image.data.as_deref().unwrap_or_default());
            object.str("mediaType", image.mime_type.as_deref().unwrap_or_default());
            object
        }
        BlockKind::File(file) => file_part("file-data", file),
        kind => {
            let words = if let BlockKind::Text(words) = kind { words.into() } else { Out::from("") };
            Object::like(over(&["text"]), |key| matches!(key, "type" | "text")).with("type", "text").with("text", words)
        }
    };
    add_native(view, object, block.native.as_deref(), |_| true).out()
}
