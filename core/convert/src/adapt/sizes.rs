//! Pictures that are too large for the target: too many bytes, a side that is too long, or one that is too long where there
//! are many pictures. Nothing here can make them smaller.

use crate::media::size;
use crate::print::Writer;
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Transcript};
use wirecanon_model::{rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let limits = writer.target.media.clone();
    if limits.max_base64.is_none() && limits.max_side.is_none() {
        return;
    }
    let large = |block: &Block<'_>| {
        let Some(data) = picture(block) else { return false };
        limits.max_base64.is_some_and(|max| data.len() > max) || limits.max_side.is_some_and(|max| longer(data) > max)
    };
    leave_out(transcript, large, "the image is larger than the target takes; it was left out", writer);
    let Some((many, max)) = limits.many.zip(limits.max_side_of_many) else { return };
    let blocks = transcript.messages.iter().flat_map(|message| &message.blocks);
    let taken = |block: &&Block<'_>| match &block.kind {
        BlockKind::Image(image) => limits.takes_picture(image.mime_type.as_deref().unwrap_or_default()),
        _ => false,
    };
    if blocks.filter(taken).count() > many {
        let large = |block: &Block<'_>| picture(block).is_some_and(|data| longer(data) > max);
        leave_out(transcript, large, "the image is larger than the target takes among many; it was left out", writer);
    }
}

fn picture<'b>(block: &'b Block<'_>) -> Option<&'b str> {
    match &block.kind {
        BlockKind::Image(image) => image.data.as_deref(),
        _ => None,
    }
}

fn longer(data: &str) -> u32 {
    size::of_base64(data).map_or(0, |(width, height)| width.max(height))
}

fn leave_out<'a>(
    transcript: &mut Transcript<'a>,
    large: impl Fn(&Block<'_>) -> bool,
    what: &'static str,
    writer: &mut Writer<'a, '_>,
) {
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks).filter(|block| large(block)) {
        let BlockKind::Image(image) = &block.kind else { continue };
        let words = text::image_left_out("too large for the target", image.mime_type.as_deref());
        writer.replace(&rule::IMAGE_TOO_LARGE, Severity::Loss, block, BlockKind::Text(words.into()), what);
    }
}
