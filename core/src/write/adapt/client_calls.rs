//! Where a client's call may stand in a turn of Anthropic's model: behind the results of the server's own tools, because they
//! would part it from its own result ("`tool_use` ids were found without `tool_result` blocks immediately after").

use super::super::Writer;
use super::items::half_of_a_pair;
use crate::dialect::Dialect;
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Block, BlockKind, Message, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    for message in transcript.messages.iter_mut().filter(|message| message.role == Role::Assistant) {
        if message.calls().next().is_some() {
            order(message, writer);
        }
    }
}

/// No call passes reasoning, which stays where it was signed (`vercel/ai#16312`, `UKGovernmentBEIS/inspect_ai#4922`).
fn order<'a>(message: &mut Message<'a>, writer: &mut Writer<'a, '_>) {
    for stretch in message.blocks.split_mut(|block| matches!(block.kind, BlockKind::Thinking(_))) {
        let is_result = |block: &Block<'_>| half_of_a_pair(block).is_some_and(|(_, is_call, _)| !is_call);
        let Some(last) = stretch.iter().rposition(is_result) else { continue };
        let before = &mut stretch[..last];
        for call in before.iter().filter(|block| is_call(block)) {
            let what = "results of the server's tools stood behind the call, which was moved behind them";
            writer.entry(&rule::CALL_BEFORE_SERVER_RESULT, Severity::Mend, call.source, Some(call.id), what);
            message.dirty = true;
        }
        stretch[..=last].sort_by_key(is_call);
    }
}

fn is_call(block: &Block<'_>) -> bool {
    matches!(block.kind, BlockKind::ToolCall(_))
}
