//! Where the target has no error flag, the text says it.

use crate::print::Writer;
use crate::read::fields::ERROR_FLAGS;
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Transcript};
use wirecanon_model::{Dialect, rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.content.error_flag {
        return;
    }
    let holder = if writer.target.dialect == Dialect::OpenAiResponses { "function_call_output" } else { "tool" };
    for at in 0..transcript.messages.len() {
        // In its own dialect a result says what it said, unless that was a flag which the target refuses.
        let own = writer.own(transcript.messages[at].source);
        let flag = own.is_some_and(|own| {
            ERROR_FLAGS.iter().any(|key| own.get(key).is_some() && !writer.target.takes_field(holder, key))
        });
        if writer.same && !flag {
            continue;
        }
        let is_error = transcript.messages[at].result.as_ref().is_some_and(|head| head.is_error);
        if !is_error || says_it(transcript.messages[at].blocks.first()) {
            continue;
        }
        let (source, about) = (transcript.messages[at].source, Some(transcript.messages[at].id));
        let what = "the target has no error flag; the text says that the tool failed";
        writer.entry(&rule::ERROR_FLAG_AS_TEXT, Severity::Adapt, source, about, what);
        let first = transcript.messages[at].blocks.iter().position(Block::is_text);
        // Our own prefix was taken off when it was read, and comes back with the source.
        if first.is_some_and(|first| {
            let block = &transcript.messages[at].blocks[first];
            writer.same && block.projected && !block.dirty && block.source.is_some()
        }) {
            continue;
        }
        if let Some(first) = first {
            let block = &mut transcript.messages[at].blocks[first];
            if let BlockKind::Text(words) = &mut block.kind {
                *words = format!("{}{}", text::ERROR_PREFIX, words.get()).into();
            }
            block.dirty = true;
        } else {
            let block = Block::new(transcript.mint(), BlockKind::Text(text::ERROR_PREFIX.trim_end().into()));
            transcript.messages[at].blocks.insert(0, block);
        }
        transcript.messages[at].dirty = true;
    }
}

/// A stand-in that this project, or another known one, wrote says so by its own text.
fn says_it(block: Option<&Block<'_>>) -> bool {
    block.and_then(Block::words).is_some_and(|words| {
        words == text::NO_RESULT
            || (words.starts_with("[") && text::SYNTHETIC_OF_OTHERS.iter().any(|known| words == known))
    })
}
