//! A message of the user with tool results holds nothing that the target wants apart from them: that becomes a message of its own
//! behind the results.

use std::collections::HashSet;

use crate::print::Writer;
use wirecanon_model::rule;
use wirecanon_model::target::Apart;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, Transcript};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let apart = &writer.target.order.apart_from_results;
    if apart.is_empty() || !writer.same {
        return;
    }
    let stands_apart = |block: &Block<'_>| match &block.kind {
        BlockKind::Text(_) => apart.contains(&Apart::Words) && !block.is_blank(),
        BlockKind::Image(_) | BlockKind::File(_) | BlockKind::Link(_) => apart.contains(&Apart::Media),
        _ => false,
    };
    let wire = |message: &Message<'_>| message.origin.map(|origin| origin.value);
    let results = transcript.messages.iter().filter(|message| message.role == Role::ToolResult);
    let with_results: HashSet<_> = results.filter_map(wire).collect();
    let messages = std::mem::take(&mut transcript.messages);
    for mut message in messages {
        let is_beside = message.role == Role::User && wire(&message).is_some_and(|at| with_results.contains(&at));
        if !is_beside || !message.blocks.iter().any(stands_apart) {
            transcript.messages.push(message);
            continue;
        }
        let what = "the target takes no such content beside tool results; it became a message of its own";
        writer.adapt(&rule::TOOL_RESULT_BESIDE_OTHER_CONTENT, &mut message, what);
        if message.blocks.iter().all(stands_apart) {
            message.origin = None;
            transcript.messages.push(message);
            continue;
        }
        let (moved, kept) = std::mem::take(&mut message.blocks).into_iter().partition(stands_apart);
        message.blocks = kept;
        let moved = Message::new(transcript.mint(), Role::User, moved);
        transcript.messages.extend([message, moved]);
    }
}
