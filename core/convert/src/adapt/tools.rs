//! Calls and results for a target that knows no tools: each becomes text that says what it is.

use crate::print::Writer;
use crate::print::block::arguments;
use wirecanon_model::transcript::{Block, BlockKind, Role, Transcript};
use wirecanon_model::{rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.content.tools {
        return;
    }
    let mut next_id = transcript.next_id;
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            let BlockKind::ToolCall(call) = &block.kind else { continue };
            let label =
                text::tool_call(call.id.as_deref().unwrap_or_default(), call.name.as_deref().unwrap_or_default());
            let words = format!("{label}{}", arguments(call));
            writer.adapt(&rule::TOOLS_NOT_ACCEPTED, block, "a call became text: the target knows no tools");
            block.kind = BlockKind::Text(words.into());
            block.native = None;
        }
        let Some(head) = message.result.take() else { continue };
        let label =
            text::tool_result(head.call_id.as_deref().unwrap_or_default(), head.tool_name.as_deref(), head.is_error);
        let target = writer.target.dialect.name();
        let own = |block: &Block<'_>| !block.native_of(target).is_empty();
        for block in message.blocks.iter_mut().filter(|block| block.projected || own(block)) {
            // What only a result can hold stands as the text that canonical content has for it.
            block.projected = false;
            block.native = None;
            block.dirty = true;
        }
        next_id += 1;
        message.blocks.insert(0, Block::new(next_id, BlockKind::Text(label.into())));
        message.role = Role::User;
        message.native = None;
        let what = "a result became text of the user: the target knows no tools";
        writer.adapt(&rule::TOOLS_NOT_ACCEPTED, message, what);
    }
    transcript.next_id = next_id;
}
