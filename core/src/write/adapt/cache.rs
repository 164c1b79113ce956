//! Cache marks: Anthropic takes four in a request ("A maximum of 4 blocks with `cache_control` may be provided"). The last
//! ones are what the next turn builds on. A mark says no more than its type and how long it holds.

use super::super::Writer;
use crate::dialect::{Dialect, is_anthropic_marker};
use crate::json::{Json, Limits};
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Block, BlockKind, Native, Transcript};

const MOST: usize = 4;
const KEY: &str = "cache_control";
/// What a mark may say ("`cache_control.ephemeral.scope`: Extra inputs are not permitted").
const SAYS: &[&str] = &["type", "ttl"];

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect == Dialect::BedrockConverse {
        return behind_reasoning(transcript, writer);
    }
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    shorten(transcript, writer);
    malformed(transcript, writer);
    let marked = |native: Option<&Native<'_>>| {
        native.is_some_and(|native| native.of(Dialect::AnthropicMessages.name()).iter().any(|(key, _)| key == KEY))
    };
    let count: usize = transcript
        .messages
        .iter()
        .map(|message| {
            usize::from(marked(message.native.as_deref()))
                + message.blocks.iter().filter(|block| marked(block.native.as_deref())).count()
        })
        .sum();
    let mut surplus = (count + beside(transcript, writer)).saturating_sub(MOST);
    for message in &mut transcript.messages {
        if surplus > 0 && take(message.native.as_deref_mut()) {
            surplus -= 1;
            message.dirty = true;
            writer.entry(
                &rule::CACHE_MARKER_MISPLACED,
                Severity::Adapt,
                message.source,
                Some(message.id),
                "the request has more than four cache marks; the first were taken off",
            );
            message.source = None;
        }
        for block in &mut message.blocks {
            if surplus > 0 && take(block.native.as_deref_mut()) {
                surplus -= 1;
                message.dirty = true;
                block.dirty = true;
                writer.entry(
                    &rule::CACHE_MARKER_MISPLACED,
                    Severity::Adapt,
                    block.source,
                    Some(block.id),
                    "the request has more than four cache marks; the first were taken off",
                );
                block.source = None;
            }
        }
    }
}

/// "Cache point cannot be inserted after reasoning block" (0xPlaygrounds/rig#1673).
fn behind_reasoning<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in &mut transcript.messages {
        for block in message.blocks.iter_mut().filter(|block| matches!(block.kind, BlockKind::Thinking(_))) {
            let mark = block.native.as_mut();
            if mark.is_some_and(|native| native.remove(Dialect::BedrockConverse.name(), "cachePoint")) {
                let what = "the server takes no cache mark right behind reasoning; taken off";
                writer.entry(&rule::CACHE_MARKER_MISPLACED, Severity::Adapt, block.source, Some(block.id), what);
                block.dirty = true;
                message.dirty = true;
            }
        }
    }
}

/// Takes off what stands in place of a mark and is none.
fn malformed<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let what = "this is no cache mark that the server knows; left out";
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            if is_malformed(block.native.as_deref()) && take(block.native.as_deref_mut()) {
                writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, block.source, Some(block.id), what);
                message.dirty = true;
                block.dirty = true;
                block.source = None;
            }
        }
        if is_malformed(message.native.as_deref()) && take(message.native.as_deref_mut()) {
            writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, message.source, Some(message.id), what);
            message.dirty = true;
            message.source = None;
        }
    }
}

fn is_malformed(native: Option<&Native<'_>>) -> bool {
    let fields = native.map_or(&[][..], |native| native.of(Dialect::AnthropicMessages.name()));
    let mark = fields.iter().find(|(key, _)| key == KEY);
    mark.is_some_and(|(_, mark)| {
        let limits = Limits { max_depth: usize::MAX };
        !Json::parse(mark, &limits).is_ok_and(|json| is_anthropic_marker(json.root()))
    })
}

/// Takes out of every mark what the server refuses in it.
fn shorten<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    const WHAT: &str = "the server refuses what the cache mark says beside `type` and `ttl`; left out";
    for message in &mut transcript.messages {
        if in_native(message.native.as_deref_mut()) {
            message.dirty = true;
            writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, message.source, Some(message.id), WHAT);
            message.source = None;
        }
        for block in &mut message.blocks {
            if in_block(block) {
                message.dirty = true;
                block.dirty = true;
                writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, block.source, Some(block.id), WHAT);
                block.source = None;
            }
        }
    }
}

fn in_native(native: Option<&mut Native<'_>>) -> bool {
    let Some(mark) = native.and_then(|native| native.get_mut(Dialect::AnthropicMessages.name(), KEY)) else {
        return false;
    };
    let Some(short) = short(mark) else { return false };
    *mark = short.into();
    true
}

fn in_block(block: &mut Block<'_>) -> bool {
    let BlockKind::Opaque(item) = &mut block.kind else { return in_native(block.native.as_deref_mut()) };
    if !item.value.contains(KEY) {
        return false;
    }
    let Some(value) = ({
        let Ok(json) = Json::parse(&item.value, &Limits::default()) else { return false };
        json.root().get(KEY).and_then(|mark| {
            let place = mark.span();
            Some(format!("{}{}{}", &item.value[..place.start], short(mark.raw())?, &item.value[place.end..]))
        })
    }) else {
        return false;
    };
    item.value = value.into();
    true
}

/// The mark without what the server refuses in it; `None` where it has nothing of the kind.
fn short(mark: &str) -> Option<String> {
    let json = Json::parse(mark, &Limits::default()).ok()?;
    let root = json.root();
    if root.members().all(|(key, _)| SAYS.iter().any(|known| key.is_str(known))) {
        return None;
    }
    let kept: Vec<_> = SAYS.iter().filter_map(|key| Some(format!("\"{key}\":{}", root.get(key)?.raw()))).collect();
    Some(format!("{{{}}}", kept.join(",")))
}

/// Marks on tool definitions, which stay where they are.
fn beside(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> usize {
    let tools = transcript
        .tools
        .iter()
        .filter(|tool| writer.own(Some(tool.source)).is_some_and(|tool| tool.get(KEY).is_some()));
    tools.count()
}

fn take(native: Option<&mut Native<'_>>) -> bool {
    native.is_some_and(|native| native.remove(Dialect::AnthropicMessages.name(), KEY))
}
