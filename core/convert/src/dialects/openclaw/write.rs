//! Rendering agent messages of the OpenClaw and pi-ai lineage.

use std::borrow::Cow;

use crate::print::block::{
    add_native, as_it_was, call_part, image_part, read_as_content, text_part, thinking_field, under,
};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use crate::read::fields::{ERROR_FLAGS, RESULT_IDS, RESULT_NAMES, STOP_REASONS};
use crate::read::signer::{KEPT as KEPT_SIGNATURE, names_of_openclaw};
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role};

pub(crate) static RENDERER: Renderer = Renderer { render, ..Renderer::COMMON };

pub(crate) fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    // A message that only applications of this lineage know stands for itself.
    if let [Block { kind: BlockKind::Opaque(opaque), .. }] = message.blocks.as_slice() {
        return view.about(message.id, Out::Text(Cow::Borrowed(&opaque.value)));
    }
    let mut object =
        Object::like(like, message_field).without(read_as_content(view, message)).with("role", message.role.name());
    if let Some(head) = &message.result {
        object.str("toolCallId", head.call_id.as_deref().unwrap_or_default());
        object = object.with_some("toolName", head.tool_name.as_deref());
    }
    let content = like.and_then(|like| like.get("content"));
    object.set("content", render_content(view, message, content));
    if let Some(head) = &message.result {
        object.set("isError", Out::Bool(head.is_error));
    }
    if let Some(stop) = message.stop_reason.filter(|_| message.role == Role::Assistant) {
        object.str("stopReason", stop.name());
    }
    object = add_native(view, object, message.native.as_deref(), |_| true);
    // The message of another dialect says by itself whose it is.
    if like.is_none()
        && let Some((api, provider)) = names_of_openclaw(message)
        && message.native_of(view.target.dialect.name()).is_empty()
    {
        object.str("api", api);
        object.str("provider", provider);
    }
    view.about(message.id, object.out())
}

fn message_field(key: &str) -> bool {
    matches!(key, "role" | "content" | "parts" | "tool_calls" | "toolCalls")
        || RESULT_IDS.contains(&key)
        || RESULT_NAMES.contains(&key)
        || ERROR_FLAGS.contains(&key)
        || STOP_REASONS.contains(&key)
}

fn render_content<'w>(view: &View<'w, '_>, message: &'w Message<'_>, content: Option<Value<'w>>) -> Out<'w> {
    let plain = matches!(message.role, Role::User | Role::System);
    if let ([Block { kind: BlockKind::Text(text), source: Some(source), .. }], true) =
        (message.blocks.as_slice(), plain)
    {
        // What was a string stays one.
        if view.own(Some(*source)).is_some_and(|value| value.is_string() && content.is_some_and(Value::is_string)) {
            return Out::from(text);
        }
    }
    Out::List(message.blocks.iter().map(|block| view.about(block.id, render_block(view, block))).collect(), content)
}

fn render_block<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) = as_it_was(view, block) {
        return out;
    }
    let object = match &block.kind {
        BlockKind::Text(text) => text_part(view, block, text),
        BlockKind::Image(image) => image_part(view, block, image),
        BlockKind::Thinking(thinking) => {
            let mut object = Object::like(under(view, block, &["thinking"]), thinking_field)
                .with("type", "thinking")
                .with("thinking", &*thinking.text);
            match (block.native_field(view.target.dialect.name(), KEPT_SIGNATURE), &thinking.signature) {
                (Some(kept), _) => object.set(KEPT_SIGNATURE, Out::Text(Cow::Borrowed(kept))),
                (None, Some(signature)) => object.str(KEPT_SIGNATURE, &**signature),
                (None, None) => {}
            }
            if thinking.redacted {
                object.set("redacted", Out::Bool(true));
            }
            object
        }
        BlockKind::ToolCall(call) => call_part(view, block, call, "toolCall", "arguments"),
        // The adaptations have made these into text before.
        BlockKind::Link(_) | BlockKind::File(_) | BlockKind::Opaque(_) => Object::typed("text").with("text", ""),
    };
    add_native(view, object, block.native.as_deref(), |_| true).out()
}
