//! What only OpenAI has of calls and roles, for servers that speak its dialect otherwise: calls of custom tools, which take
//! free text, and the role `developer`.

use super::super::Writer;
use crate::dialect::Dialect;
use crate::report::Severity;
use crate::rule;
use crate::transcript::{BlockKind, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let (custom, developer) = (writer.target.content.custom_calls, writer.target.order.developer);
    if writer.target.dialect != Dialect::OpenAiChat || (custom && developer) {
        return;
    }
    let dialect = Dialect::OpenAiChat.name();
    for message in &mut transcript.messages {
        if !developer
            && message.role == Role::System
            && message.native.as_mut().is_some_and(|native| native.remove(dialect, "role"))
        {
            message.dirty = true;
            let what = "the target has no role `developer`; the message became one of `system`";
            writer.entry(&rule::ROLE_ALIAS, Severity::Adapt, message.source, Some(message.id), what);
        }
        for block in &mut message.blocks {
            if custom || !matches!(block.kind, BlockKind::ToolCall(_)) {
                continue;
            }
            if block.native.as_mut().is_some_and(|native| native.remove(dialect, "type")) {
                block.dirty = true;
                block.projected = false;
                message.dirty = true;
                let what = "the target calls functions only; the free text became the argument `input` of one";
                writer.entry(&rule::TOOL_CALL_ALIAS, Severity::Adapt, block.source, Some(block.id), what);
            }
        }
    }
}
