//! Rendering blocks of messages of the Model Context Protocol.

use std::borrow::Cow;

use crate::dialects::mcp_tool_result::write::render_block as render_result_block;
use crate::print::View;
use crate::print::block::{add_native, as_it_was, call_part, under};
use crate::print::out::{Object, Out};
use crate::read::fields::{ERROR_FLAGS, RESULT_IDS};
use wirecanon_json::Value;
use wirecanon_model::target::Structured;
use wirecanon_model::transcript::{Block, BlockKind, Message};

/// A block of a message of user or assistant.
pub(crate) fn render_block<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) = as_it_was(view, block) {
        return out;
    }
    let object = match &block.kind {
        BlockKind::ToolCall(call) => call_part(view, block, call, "tool_use", "input"),
        // Recordings; other files became text before.
        BlockKind::File(file) => {
            Object::like(under(view, block, &["audio"]), |key| matches!(key, "type" | "data" | "mimeType"))
                .with("type", "audio")
                .with("data", &*file.data)
                .with("mimeType", &*file.mime_type)
        }
        _ => return render_result_block(view, block, None),
    };
    add_native(view, object, block.native.as_deref(), |_| true).out()
}

fn own(key: &str) -> bool {
    matches!(key, "type" | "content" | "output" | "text" | "name" | "toolName" | "tool_name")
        || RESULT_IDS.contains(&key)
        || ERROR_FLAGS.contains(&key)
}

/// Whether the revision takes the structured content that a canonical transcript carries.
pub(crate) fn takes_carried(view: &View<'_, '_>, message: &Message<'_>) -> bool {
    let dialect = view.target.dialect.name();
    view.target.protocol.structured != Structured::Object
        || message.native_field(dialect, "structuredContent").is_none_or(|value| value.trim_start().starts_with('{'))
}

/// A tool result as a block of a message of the user.
pub(crate) fn render_result<'w>(view: &View<'w, '_>, message: &'w Message<'_>) -> Out<'w> {
    let source =
        view.own(message.source).filter(|value| value.get("type").is_some_and(|kind| kind.is_str("tool_result")));
    if let Some(source) = source.filter(|_| !message.dirty) {
        return Out::Raw(source.raw());
    }
    let mut object = Object::like(source, own);
    if is_refused_structured(view, source) {
        object.leave(["structuredContent"]);
    }
    let Some(head) = &message.result else { return object.out() };
    object.str("type", "tool_result");
    object.str("toolUseId", head.call_id.as_deref().unwrap_or_default());
    let had = source.and_then(|source| source.get("content"));
    let structured = source.and_then(|source| source.get("structuredContent")).map(Value::index);
    let blocks = message.blocks.iter().filter(|block| {
        !(block.projected && (block.source.is_none() || (had.is_some() && block.source == structured)))
    });
    let blocks = blocks.map(|block| view.about(block.id, render_result_block(view, block, structured))).collect();
    object.set("content", Out::List(blocks, had));
    if head.is_error || source.is_some_and(|source| source.get("isError").is_some()) {
        object.set("isError", Out::Bool(head.is_error));
    }
    let takes = takes_carried(view, message);
    add_native(view, object, message.native.as_deref(), |key| takes || key != "structuredContent").out()
}

/// Whether a result holds structured content of a kind that the revision does not take.
pub(crate) fn is_refused_structured(view: &View<'_, '_>, result: Option<Value<'_>>) -> bool {
    view.target.protocol.structured == Structured::Object
        && result.and_then(structured_of).is_some_and(|value| !value.is_object())
}

/// The structured content of a result, under its own name or the one that clients in Python give it.
pub(crate) fn structured_of(result: Value<'_>) -> Option<Value<'_>> {
    let own = result.get("structuredContent");
    own.filter(|own| !own.is_null())
        .or_else(|| result.get("structured_content").filter(|alias| !alias.is_null()))
        .or(own)
}

/// Instructions that a field takes as one string.
pub(crate) fn system_as_text<'w>(_view: &View<'w, '_>, system: &'w [Message<'_>]) -> Out<'w> {
    let mut texts = system.iter().flat_map(|message| &message.blocks).filter_map(Block::as_text);
    let first = texts.next().unwrap_or_default();
    match texts.next() {
        None => Out::Str(first),
        Some(second) => {
            let all: Vec<_> = [first, second].into_iter().chain(texts).collect();
            Out::Str(Cow::Owned(all.join("\n\n")))
        }
    }
}
