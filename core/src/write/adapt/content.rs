//! Blank text, where the target refuses it.

use std::borrow::Cow;

use super::super::Writer;
use crate::report::Severity;
use crate::rule;
use crate::text;
use crate::transcript::{Block, BlockKind, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.target.content.nul {
        replace_nul(transcript, writer);
    }
    if writer.target.content.blank_text {
        return;
    }
    let blank = |block: &Block<'_>| block.text().is_some_and(|words| words.trim().is_empty());
    for message in &mut transcript.messages {
        if !message.blocks.iter().all(blank) || !matches!(message.role, Role::User | Role::System) {
            continue;
        }
        let (source, about) = (message.source, Some(message.id));
        if message.role == Role::System {
            writer.entry(&rule::BLANK_TEXT, Severity::Mend, source, None, "instructions without a word were left out");
            message.blocks.clear();
            continue;
        }
        writer.entry(
            &rule::EMPTY_MESSAGE,
            Severity::Adapt,
            source,
            about,
            "the target refuses a message without a word; a text says that it is empty",
        );
        message.blocks.truncate(1);
        message.dirty = true;
        if let Some(block) = message.blocks.first_mut() {
            block.kind = BlockKind::Text(Cow::Borrowed(text::EMPTY_MESSAGE));
            block.dirty = true;
        }
    }
    transcript.messages.retain(|message| message.role != Role::System || !message.blocks.is_empty());
}

/// A NUL that the target refuses becomes U+FFFD.
fn replace_nul<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            let BlockKind::Text(words) = &mut block.kind else { continue };
            if !words.contains('\0') {
                continue;
            }
            *words = words.replace('\0', "\u{FFFD}").into();
            block.dirty = true;
            message.dirty = true;
            writer.entry(
                &rule::NUL_CHARACTER,
                Severity::Adapt,
                block.source,
                Some(block.id),
                "the target refuses NUL; it became U+FFFD",
            );
        }
    }
}
