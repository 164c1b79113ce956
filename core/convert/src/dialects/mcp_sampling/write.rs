//! Rendering the messages of a sampling request of the Model Context Protocol.

use crate::dialects::mcp_tool_result::write_content::{render_block, render_result, system_as_text};
use crate::print::block::{self, read_as_content};
use crate::print::out::{Object, Out};
use crate::print::{Member, Renderer, View, group};
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, Message, Role};

pub(crate) static RENDERER: Renderer =
    Renderer { render, joins: group::results, system: system_as_text, beside: |_| MAX_TOKENS };

/// What a request may cost is the client's to say; a new one says this. Source: MCP schema 2024-11-05 and later,
/// `CreateMessageRequest.params.maxTokens`.
const MAX_TOKENS: &[Member] =
    &[Member { key: "maxTokens", value: "4096", rule: None, is_said: |value| !value.is_null() }];

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let role = if message.role == Role::Assistant { "assistant" } else { "user" };
    let like = like.filter(|like| like.get("role").is_some_and(|found| found.is_str(role)));
    let mut object =
        Object::like(like, |key| matches!(key, "role" | "content")).without(read_as_content(view, group[0]));
    object.str("role", role);
    let content = like.and_then(|like| like.get("content"));
    let blocks: &[Block<'_>] = if message.role == Role::ToolResult { &[] } else { &message.blocks };
    let results = group.iter().filter(|message| message.role == Role::ToolResult);
    let mut items: Vec<_> = results.map(|message| view.about(message.id, render_result(view, message))).collect();
    items.extend(blocks.iter().map(|block| view.about(block.id, render_block(view, block))));
    // One block stands alone where it did, and where the message is new: every revision takes that.
    let alone = !view.target.protocol.lists || content.is_none_or(Value::is_object);
    match (items.len(), alone) {
        (1, true) => object.set("content", items.pop().unwrap_or(Out::Null)),
        _ => object.set("content", Out::List(items, content)),
    }
    // What a result carries stands in its block.
    let native = message.native.as_deref().filter(|_| message.role != Role::ToolResult);
    object = block::add_native(view, object, native, |_| true);
    view.about_all(group, object)
}
