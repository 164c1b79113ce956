//! Rendering a prompt of the Model Context Protocol: one message a block.

use std::borrow::Cow;

use crate::dialects::mcp_tool_result::write_content::render_block;
use crate::print::block::{self, read_as_content};
use crate::print::out::{Object, Out};
use crate::print::{Member, Renderer, View};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, Message, Role};

pub(crate) static RENDERER: Renderer = Renderer {
    render,
    beside: |target| if target.protocol.result_type { RESULT_TYPE } else { &[] },
    ..Renderer::COMMON
};

/// Source: MCP schema 2026-07-28, `Result.resultType`.
const RESULT_TYPE: &[Member] = &[Member {
    key: "resultType",
    value: "\"complete\"",
    rule: Some(&rule::RESULT_TYPE_MISSING),
    is_said: |value| value.is_string(),
}];

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let mut blocks = message.blocks.iter();
    let mut outs = vec![render_one(view, message, blocks.next(), like)];
    outs.extend(blocks.map(|block| render_one(view, message, Some(block), None)));
    if outs.len() > 1 {
        return Out::Many(outs);
    }
    outs.pop().unwrap_or(Out::Null)
}

/// A message with one block.
fn render_one<'w>(
    view: &View<'w, '_>,
    message: &'w Message<'_>,
    block: Option<&'w Block<'_>>,
    like: Option<Value<'w>>,
) -> Out<'w> {
    let mut object =
        Object::like(like, |key| matches!(key, "role" | "content")).without(read_as_content(view, message));
    object.str("role", if message.role == Role::Assistant { "assistant" } else { "user" });
    let content = match block {
        Some(block) => view.about(block.id, render_block(view, block)),
        None => Object::typed("text").with("text", Out::Str(Cow::Borrowed(""))).out(),
    };
    object.set("content", content);
    view.about(message.id, block::add_native(view, object, message.native.as_deref(), |_| true).out())
}
