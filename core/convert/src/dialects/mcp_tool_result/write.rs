//! Rendering a `CallToolResult` of the Model Context Protocol.

use crate::dialects::mcp_tool_result::write_content::{is_refused_structured, structured_of};
use crate::print::block::{add_native, as_it_was, image_part, text_part};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use crate::read::fields::ERROR_FLAGS;
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, Message};

pub(crate) static RENDERER: Renderer = Renderer { render, ..Renderer::COMMON };

pub(crate) fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let mut object = Object::like(like, |key| key == "content" || ERROR_FLAGS.contains(&key));
    let structured = like.and_then(structured_of);
    object.leave(["structured_content"]);
    if is_refused_structured(view, like) {
        object.leave(["structuredContent"]);
    } else if let Some(value) = structured {
        object.set("structuredContent", Out::Raw(value.raw()));
    }
    let had = like.and_then(|like| like.get("content"));
    let structured = structured.map(Value::index);
    let legacy = like.is_some_and(|like| had.is_none() && like.get("toolResult").is_some());
    if !legacy {
        // Structured content that no block carries is said in a block only where the list must be written anyway.
        let blocks = message.blocks.iter().filter(|block| {
            !(block.projected && (block.source.is_none() || (had.is_some() && block.source == structured)))
        });
        let blocks = blocks.map(|block| view.about(block.id, render_block(view, block, structured))).collect();
        object.set("content", Out::List(blocks, had));
    }
    let is_error = message.result.as_ref().is_some_and(|head| head.is_error);
    if is_error || like.is_some_and(|like| like.get("isError").is_some()) || like.is_none() {
        object.set("isError", Out::Bool(is_error));
    }
    let says_its_type = like.and_then(|like| like.get("resultType")).is_some_and(Value::is_string);
    if view.target.protocol.result_type && !says_its_type {
        object.str("resultType", "complete");
    }
    view.about(message.id, add_native(view, object, message.native.as_deref(), |_| true).out())
}

pub(crate) fn render_block<'w>(view: &View<'w, '_>, block: &'w Block<'_>, structured: Option<u32>) -> Out<'w> {
    // Structured content stands beside the list; in it, its text is a block of its own.
    let stands_beside = Some(block.source) == structured.map(Some);
    if let Some(out) = as_it_was(view, block).filter(|_| !stands_beside) {
        return out;
    }
    let object = match &block.kind {
        BlockKind::Image(image) => image_part(view, block, image),
        BlockKind::Text(text) => text_part(view, block, text),
        _ => text_part(view, block, ""),
    };
    add_native(view, object, block.native.as_deref(), |_| true).out()
}
