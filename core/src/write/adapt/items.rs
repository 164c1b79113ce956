//! Items that only one provider can replay: labelled elsewhere, and left out at home without their partner.

use std::collections::{HashMap, HashSet};

use super::super::Writer;
use crate::dialect::Dialect;
use crate::json::{Json, Limits, Value};
use crate::report::Severity;
use crate::rule;
use crate::text;
use crate::transcript::{Block, BlockKind, Message, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect == Dialect::Canonical {
        return;
    }
    for message in &mut transcript.messages {
        if !message.blocks.iter().any(|block| matches!(block.kind, BlockKind::Opaque(_))) {
            continue;
        }
        let (role, alone) = (message.role, message.blocks.len() == 1);
        for block in &mut message.blocks {
            let changed = label(block, role, alone, writer);
            message.dirty |= changed;
        }
    }
    let last = transcript.messages.len().saturating_sub(1);
    for (at, message) in transcript.messages.iter_mut().enumerate() {
        partners(message, at == last, writer);
    }
    transcript.messages.retain(|message| !message.blocks.is_empty());
}

/// An item of another dialect becomes one line that says so.
fn label<'a>(block: &mut Block<'a>, role: Role, alone: bool, writer: &mut Writer<'a, '_>) -> bool {
    let BlockKind::Opaque(opaque) = &block.kind else { return false };
    let target = writer.target.dialect;
    // What was read in the target's own dialect was judged then; what a canonical transcript carries is judged here.
    let own = opaque.dialect == target.name();
    // An application's own message stands for itself, so no other block stands beside it.
    let has_place = target != Dialect::OpenClaw || (alone && role == Role::User);
    if own
        && has_place
        && (writer.same
            || Json::parse(&opaque.value, &Limits::default()).is_ok_and(|json| target.can_replay(json.root(), role)))
    {
        return false;
    }
    leave_out(block, writer);
    true
}

/// The same, of an item whose message has just got another role.
pub(super) fn label_for<'a>(block: &mut Block<'a>, role: Role, writer: &mut Writer<'a, '_>) {
    let BlockKind::Opaque(opaque) = &block.kind else { return };
    let target = writer.target.dialect;
    if !Json::parse(&opaque.value, &Limits::default()).is_ok_and(|json| target.can_replay(json.root(), role)) {
        leave_out(block, writer);
    }
}

fn leave_out<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) {
    let BlockKind::Opaque(opaque) = &block.kind else { return };
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
}

/// A provider's own calls and results go in pairs within a turn ("must have a corresponding `server_tool_use` block before
/// it"); only the last turn, which the provider paused, may end in an open call.
fn partners<'a>(message: &mut Message<'a>, last: bool, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    let items: Vec<(u32, bool, String)> = message.blocks.iter().filter_map(half_of_a_pair).collect();
    if items.is_empty() {
        return;
    }
    let mut open: HashMap<&str, Vec<u32>> = HashMap::new();
    let mut alone = HashSet::new();
    for (block, is_call, id) in &items {
        if id.trim().is_empty() {
            alone.insert(*block);
        } else if *is_call {
            open.entry(id).or_default().push(*block);
        } else if open.get_mut(&**id).and_then(Vec::pop).is_none() {
            alone.insert(*block);
        }
    }
    if !last {
        alone.extend(open.into_values().flatten());
    }
    if alone.is_empty() {
        return;
    }
    message.dirty = true;
    message.blocks.retain(|block| {
        let keep = !alone.contains(&block.id);
        if !keep {
            writer.entry(
                &rule::PROVIDER_ITEM_WITHOUT_PARTNER,
                Severity::Loss,
                block.source,
                None,
                "an item of the provider without its partner in the same turn was left out",
            );
        }
        keep
    });
}

/// Whether a block is a provider's own call (true) or result (false), and the id that joins the two.
pub(super) fn half_of_a_pair(block: &Block<'_>) -> Option<(u32, bool, String)> {
    let BlockKind::Opaque(opaque) = &block.kind else { return None };
    let (kind, id) = kind_and_id(&opaque.value);
    let is_call = matches!(&*kind, "server_tool_use" | "mcp_tool_use");
    (is_call || kind.ends_with("_tool_result")).then_some((block.id, is_call, id))
}

fn kind_and_id(value: &str) -> (String, String) {
    let Ok(json) = Json::parse(value, &Limits::default()) else { return (String::new(), String::new()) };
    let text = |key: &str| json.root().get(key).and_then(Value::as_str).unwrap_or_default().into_owned();
    // A part or a block without either is named by what it holds.
    let named = || {
        let held = json.root().members().find(|(_, value)| value.is_object()).or_else(|| json.root().members().next());
        held.and_then(|(key, _)| key.as_str()).unwrap_or_default().into_owned()
    };
    let kind = [text("type"), text("role")].into_iter().find(|kind| !kind.is_empty()).unwrap_or_else(named);
    let id = if text("tool_use_id").is_empty() { text("id") } else { text("tool_use_id") };
    (kind, id)
}
