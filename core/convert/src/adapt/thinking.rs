//! Reasoning goes only to who signed it.

use crate::adapt::keep_blocks;
use crate::dialects::Described as _;
use crate::dialects::openai_chat::read::REASONING;
use crate::print::Writer;
use crate::read::signer::{is_unsigned, put_together};
use crate::read::thinking::unsigned;
use wirecanon_model::report::Severity;
use wirecanon_model::target::{Replay, Target};
use wirecanon_model::transcript::{Block, BlockKind, Role, Thinking, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in &mut transcript.messages {
        if message.role != Role::Assistant {
            continue;
        }
        keep_blocks(message, |block| {
            put_together(block, writer.target.dialect);
            let BlockKind::Thinking(thinking) = &mut block.kind else { return true };
            let keeps_all = writer.target.dialect.spec().keeps_all_reasoning;
            let (rule, words) = if !writer.target.reasoning.accepted && !keeps_all {
                (&rule::THINKING_LEFT_OUT, "the target takes no reasoning back; it was left out")
            } else if !may_go(thinking, block.source, writer) {
                (&rule::THINKING_LEFT_OUT, "reasoning of another provider was left out")
            } else if writer.target.reasoning.signed && thinking.signature.is_none() {
                (&rule::THINKING_WITHOUT_SIGNATURE, "reasoning without a signature was left out")
            } else if thinking.signature.is_none() || (writer.target.dialect.spec().seals_reasoning)(thinking) {
                return true;
            } else if is_unsigned(thinking) && writer.target.dialect == Dialect::OpenAiChat {
                // The name of a member, in the dialect whose member it is.
                if !writer.same || block.dirty {
                    thinking.signature = None;
                }
                return true;
            } else if thinking.text.trim().is_empty() {
                (&rule::THINKING_LEFT_OUT, "the target has no place for sealed reasoning; it was left out")
            } else {
                let what = "the target has no place for the signature of reasoning; it was left out";
                writer.entry(&rule::NATIVE_FIELD_LEFT_OUT, Severity::Note, block.source, Some(block.id), what);
                if let Some(note) = writer.report.notes.last_mut() {
                    note.lost = true;
                }
                // A clean block is a copy of what stood there, in the same dialect.
                if !writer.same || block.dirty {
                    thinking.signature = None;
                }
                return true;
            };
            writer.entry(rule, Severity::Loss, block.source, None, words);
            false
        });
    }
    // A turn of nothing else goes with it.
    transcript.messages.retain(|message| !(message.role == Role::Assistant && message.blocks.is_empty()));
    beside(transcript, writer);
    missing(transcript, writer);
}

/// A second spelling of the same reasoning, which no block stands for.
fn beside<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.reasoning.accepted || writer.target.dialect != Dialect::OpenAiChat {
        return;
    }
    for message in transcript.messages.iter_mut().filter(|message| message.role == Role::Assistant) {
        let (source, about) = (message.source, Some(message.id));
        let Some(native) = &mut message.native else { continue };
        for name in REASONING {
            if native.remove(Dialect::OpenAiChat.name(), name) {
                message.dirty = true;
                let what = format!("the target takes no reasoning back; `{name}` was left out");
                writer.entry(&rule::THINKING_LEFT_OUT, Severity::Loss, source, about, what);
            }
        }
    }
}

/// Reasoning that the target asks for, if only as an empty string ("must be passed back to the API").
fn missing<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let replay = writer.target.reasoning.replay;
    let mut called = false;
    for at in 0..transcript.messages.len() {
        let message = &transcript.messages[at];
        if message.role != Role::Assistant || replay == Replay::Optional {
            continue;
        }
        let calls = message.calls().next().is_some();
        called |= calls;
        let thinks = message.blocks.iter().any(|block| matches!(block.kind, BlockKind::Thinking(_)));
        if thinks || !replay.asks_for(calls, called) {
            continue;
        }
        let thinking = unsigned("".into(), writer.target.dialect);
        let block = Block::new(transcript.mint(), BlockKind::Thinking(Box::new(thinking)));
        let message = &mut transcript.messages[at];
        message.blocks.insert(0, block);
        let what = "the target asks for the reasoning of this turn; an empty one was put there";
        writer.adapt(&rule::REASONING_MISSING, message, what);
    }
}

/// Whether these are words that no provider is known to have made: a history keeps them as its own.
fn is_nobodys(thinking: &Thinking<'_>) -> bool {
    let by_no_provider = |origin: &str| {
        let name = origin.split('/').next().unwrap_or(origin);
        // Claude signs: what has no signature in its dialect another server said, which signs nothing.
        name == Dialect::AnthropicMessages.name()
            || Dialect::ALL.iter().any(|dialect| dialect.name() == name && dialect.spec().keeps_all_reasoning)
    };
    is_unsigned(thinking) && !thinking.text.trim().is_empty() && thinking.origin.as_deref().is_none_or(by_no_provider)
}

/// Histories keep everybody's reasoning; a provider gets its own, and what nobody is known to have signed.
fn may_go(thinking: &Thinking<'_>, source: Option<u32>, writer: &Writer<'_, '_>) -> bool {
    let target = writer.target.dialect;
    if target == Dialect::OpenAiChat && writer.own(source).is_some_and(|value| !value.is_string()) {
        // It has a field for reasoning, and no block.
        return false;
    }
    let sealed = thinking.signature.as_deref().is_some_and(crate::media::is_canonical);
    if target == Dialect::BedrockConverse && thinking.redacted && !sealed {
        // What is sealed is bytes there.
        return false;
    }
    if writer.same
        && !target.spec().keeps_all_reasoning
        && thinking.origin.as_deref().is_none_or(|by| by == target.name())
    {
        return true;
    }
    if target.spec().keeps_all_reasoning {
        return true;
    }
    // A server that asks for the reasoning of a turn signs none, and takes these words rather than none.
    if writer.target.reasoning.replay != Replay::Optional && is_nobodys(thinking) {
        return true;
    }
    let Some(origin) = thinking.origin.as_deref() else { return target.spec().takes_unsigned_reasoning };
    let signer = origin.split('/').next().unwrap_or(origin);
    signer == target.name() || is_claudes(thinking, signer, writer.target)
}

/// Claude signs alike wherever it runs: what Bedrock gave Anthropic takes, and the other way. Source: Anthropic guide,
/// Extended thinking ("`signature` values are compatible across platforms"), which says nothing of sealed reasoning. No other
/// model on Bedrock signs.
fn is_claudes(thinking: &Thinking<'_>, signer: &str, target: &Target) -> bool {
    let between = match target.dialect {
        Dialect::AnthropicMessages => signer == Dialect::BedrockConverse.name(),
        // Of the targets of that dialect, Claude's alone asks for signatures.
        Dialect::BedrockConverse => signer == Dialect::AnthropicMessages.name() && target.reasoning.signed,
        _ => false,
    };
    between && thinking.signature.is_some() && !thinking.redacted
}
