//! Where a dialect has no place for a picture at all, a text stands in its place (SPEC W3).

use super::super::Writer;
use crate::report::Severity;
use crate::rule;
use crate::text;
use crate::transcript::{BlockKind, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let limits = &writer.target.media;
    if limits.in_user || limits.in_results {
        return;
    }
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            let BlockKind::Image(image) = &block.kind else { continue };
            let mime = image.mime_type.as_deref().unwrap_or_default();
            let words = text::image_left_out("the target does not take this kind", Some(mime));
            let what = format!("the target takes no pictures; one of `{mime}` was left out");
            let (source, about) = (block.source, Some(block.id));
            writer.entry(&rule::IMAGE_TYPE_NOT_ACCEPTED, Severity::Loss, source, about, what);
            block.kind = BlockKind::Text(words.into());
            block.native = None;
            block.projected = false;
            block.dirty = true;
            message.dirty = true;
        }
    }
}
