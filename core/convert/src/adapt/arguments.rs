//! Arguments that a target embeds as an object: what its parser stumbles over is mended on the way (SPEC R33, W13).

use crate::print::Writer;
use crate::print::block::{arguments, plain};
use wirecanon_json::Room;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Arguments, BlockKind, Transcript};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect.arguments_are_text() {
        return;
    }
    let mut room = Room::default();
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        // A call that is copied was embedded already, and parsed by whoever wrote it.
        if writer.same && !block.dirty {
            continue;
        }
        let BlockKind::ToolCall(call) = &mut block.kind else { continue };
        if room.is_plain_object(arguments(call)) {
            continue;
        }
        let Some(text) = plain(arguments(call)) else { continue };
        call.arguments = Arguments::Json(text.into());
        writer.adapt(&rule::TOOL_CALL_ARGUMENTS_ODD_TEXT, block, "the target embeds the arguments; in them the last of equal keys counts, and half surrogate pairs became U+FFFD");
    }
}
