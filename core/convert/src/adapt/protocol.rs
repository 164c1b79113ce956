//! What a revision of the Model Context Protocol does not have yet.

use crate::print::Writer;
use wirecanon_json::Value;
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::Structured;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, Transcript};
use wirecanon_model::{Dialect, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let dialect = writer.target.dialect;
    if !dialect.is_mcp() {
        return;
    }
    let mut minted = Vec::new();
    for (at, message) in transcript.messages.iter_mut().enumerate() {
        for block in &mut message.blocks {
            let changed = later_block(block, writer);
            message.dirty |= changed;
        }
        structured(message, writer);
        if !writer.target.protocol.lists && message.result.is_none() {
            let list = writer.own(message.source).and_then(|value| value.get("content")).is_some_and(Value::is_array);
            if message.blocks.len() > 1 || (list && dialect == Dialect::McpSampling) {
                minted.push(at);
            }
        }
        if dialect == Dialect::McpToolResult && writer.target.protocol.result_type {
            result_type(message, writer);
        }
    }
    if dialect == Dialect::McpSampling {
        one_block_each(transcript, &minted, writer);
    }
}

/// A recording or a link to a resource, in a revision before it.
fn later_block<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) -> bool {
    let said = writer.own(block.source).and_then(|value| value.get("type")).and_then(Value::as_str);
    // A canonical transcript carries such a block whole beside its stand-in.
    let carried = block.native_field(writer.target.dialect.name(), "type");
    let carried = carried.map(|kind| kind.trim_matches('"').to_owned().into());
    let kind = said.or(carried).unwrap_or_default();
    let protocol = &writer.target.protocol;
    let (rule, severity): (&'static Rule, _) = match &*kind {
        "audio" if !protocol.audio => (&rule::AUDIO_IN_TOOL_RESULT, Severity::Loss),
        "resource_link" if !protocol.resource_links => (&rule::RESOURCE_LINK_IN_TOOL_RESULT, Severity::Adapt),
        _ => return false,
    };
    if let BlockKind::File(file) = &block.kind {
        let words = text::file_left_out(file.name.as_deref(), &file.mime_type);
        block.kind = BlockKind::Text(words.into());
    }
    if !block.is_text() || (!block.projected && block.dirty) {
        return false;
    }
    block.projected = false;
    block.native = None;
    let words = format!("this revision of the protocol has no `{kind}`; it became text");
    writer.change(rule, severity, block, words);
    true
}

/// Structured content of a kind that the revision does not take stands in a text block.
fn structured<'a>(message: &mut Message<'a>, writer: &mut Writer<'a, '_>) {
    const KEY: &str = "structuredContent";
    // Only a result has structured content; anywhere else it is a field like others.
    if writer.target.protocol.structured != Structured::Object || message.role != Role::ToolResult {
        return;
    }
    let own = writer.own(message.source).and_then(|value| value.get(KEY)).filter(|value| !value.is_object());
    // A canonical transcript carries it beside its text.
    let name = writer.target.dialect.name();
    let carried = message.native.as_mut().and_then(|native| {
        let value = native.get_mut(name, KEY).filter(|value| !value.starts_with('{'))?.clone();
        native.remove(name, KEY);
        Some(value)
    });
    let said = |value: &str| message.blocks.iter().any(|block| block.words().is_some_and(|words| words == value));
    let severity = match (own, carried) {
        (None, None) => return,
        (None, Some(value)) if !said(&value) => Severity::Loss,
        _ => Severity::Adapt,
    };
    let source = own.map(Value::index);
    if let Some(block) = message.blocks.iter_mut().find(|block| source.is_some() && block.source == source) {
        block.projected = false;
        block.dirty = true;
        block.source = None;
    }
    message.dirty = true;
    let words = "structured content that is no object stands in a text block alone";
    let place = source.or(message.source);
    writer.entry(&rule::STRUCTURED_CONTENT_NOT_AN_OBJECT, severity, place, Some(message.id), words);
}

/// A result that does not say that it is complete.
fn result_type<'a>(message: &mut Message<'a>, writer: &mut Writer<'a, '_>) {
    let said = writer.own(message.source).and_then(|value| value.get("resultType"));
    if said.is_some_and(Value::is_string) {
        return;
    }
    let words = "the result did not say its type; it is `complete`";
    writer.adapt(&rule::RESULT_TYPE_MISSING, message, words);
}

/// Content of several blocks, in a revision in which it is one.
fn one_block_each<'a>(transcript: &mut Transcript<'a>, long: &[usize], writer: &mut Writer<'a, '_>) {
    for at in long.iter().rev() {
        let message = &mut transcript.messages[*at];
        let (role, source, about) = (message.role, message.source, message.id);
        message.dirty = true;
        let rest = message.blocks.split_off(1.min(message.blocks.len()));
        let words = "in this revision content is one block; each block became a message";
        writer.entry(&rule::PROMPT_CONTENT_NOT_ONE_BLOCK, Severity::Adapt, source, Some(about), words);
        for (more, block) in rest.into_iter().enumerate() {
            let message = Message::new(transcript.mint(), role, vec![block]);
            transcript.messages.insert(at + 1 + more, message);
        }
    }
}
