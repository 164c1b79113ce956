//! Items that only one provider can replay: labelled elsewhere, and left out at home without their partner.

use std::collections::HashSet;

use super::super::Writer;
use crate::dialect::Dialect;
use crate::json::{Json, Limits, Value};
use crate::report::Severity;
use crate::rule;
use crate::text;
use crate::transcript::{Block, BlockKind, Message, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect == Dialect::Canonical {
        return;
    }
    for message in &mut transcript.messages {
        if !message.blocks.iter().any(|block| matches!(block.kind, BlockKind::Opaque(_))) {
            continue;
        }
        for block in &mut message.blocks {
            let changed = label(block, writer);
            message.dirty |= changed;
        }
        partners(message, writer);
    }
    transcript.messages.retain(|message| !message.blocks.is_empty());
}

/// An item of another dialect becomes one line that says so.
fn label<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) -> bool {
    let BlockKind::Opaque(opaque) = &block.kind else { return false };
    if opaque.dialect == writer.target.dialect.name() {
        return false;
    }
    let (kind, _) = kind_and_id(&opaque.value);
    let words = text::opaque_left_out(&opaque.dialect, &kind);
    writer.entry(
        &rule::OPAQUE_ITEM_LEFT_OUT,
        Severity::Loss,
        block.source,
        Some(block.id),
        format!("a `{kind}` item of {} became one line of text", opaque.dialect),
    );
    block.kind = BlockKind::Text(words.into());
    block.native = None;
    block.projected = false;
    block.dirty = true;
    true
}

/// Results of a provider's own tools need the call before them in the same turn ("must have a corresponding
/// `server_tool_use` block before it").
fn partners<'a>(message: &mut Message<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    let mut called = HashSet::new();
    let before = message.blocks.len();
    message.blocks.retain(|block| {
        let BlockKind::Opaque(opaque) = &block.kind else { return true };
        let (kind, id) = kind_and_id(&opaque.value);
        if kind == "server_tool_use" || kind == "mcp_tool_use" {
            called.insert(id);
            return true;
        }
        if !kind.ends_with("_tool_result") || called.contains(&id) {
            return true;
        }
        writer.entry(
            &rule::PROVIDER_ITEM_WITHOUT_PARTNER,
            Severity::Loss,
            block.source,
            None,
            format!("a `{kind}` without its call in the same turn was left out"),
        );
        false
    });
    message.dirty |= message.blocks.len() != before;
}

fn kind_and_id(value: &str) -> (String, String) {
    let Ok(json) = Json::parse(value, &Limits::default()) else { return (String::new(), String::new()) };
    let text = |key: &str| json.root().get(key).and_then(Value::as_str).unwrap_or_default().into_owned();
    let kind = if text("type").is_empty() { text("role") } else { text("type") };
    let id = if text("tool_use_id").is_empty() { text("id") } else { text("tool_use_id") };
    (kind, id)
}
