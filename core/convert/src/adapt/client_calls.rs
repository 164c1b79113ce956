//! Where a client's call may stand in a turn of the model.

use crate::adapt::items::half_of_a_pair;
use crate::print::Writer;
use wirecanon_model::Dialect;
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, Transcript};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let Some(place) = place(writer) else { return };
    for message in transcript.messages.iter_mut().filter(|message| message.role == Role::Assistant) {
        if message.calls().next().is_some() {
            order(message, &place, writer);
        }
    }
}

/// What calls stand behind.
struct Place {
    leads: fn(&Block<'_>) -> bool,
    rule: &'static Rule,
    what: &'static str,
}

fn place(writer: &Writer<'_, '_>) -> Option<Place> {
    if writer.target.dialect == Dialect::AnthropicMessages {
        // They would part the call from its own result.
        return Some(Place {
            leads: |block| half_of_a_pair(block).is_some_and(|(_, is_call, _)| !is_call),
            rule: &rule::CALL_BEFORE_SERVER_RESULT,
            what: "results of the server's tools stood behind the call, which was moved behind them",
        });
    }
    (!writer.target.order.words_behind_calls).then_some(Place {
        leads: |block| !is_call(block),
        rule: &rule::WORDS_BEHIND_TOOL_CALL,
        what: "the turn said something behind the call, which was moved behind it",
    })
}

/// No call passes reasoning, which stays where it was signed (`vercel/ai#16312`, `UKGovernmentBEIS/inspect_ai#4922`).
fn order<'a>(message: &mut Message<'a>, place: &Place, writer: &mut Writer<'a, '_>) {
    for stretch in message.blocks.split_mut(|block| matches!(block.kind, BlockKind::Thinking(_))) {
        let Some(last) = stretch.iter().rposition(place.leads) else { continue };
        for call in stretch[..last].iter().filter(|block| is_call(block)) {
            writer.entry(place.rule, Severity::Mend, call.source, Some(call.id), place.what);
            message.dirty = true;
        }
        stretch[..=last].sort_by_key(is_call);
    }
}

fn is_call(block: &Block<'_>) -> bool {
    matches!(block.kind, BlockKind::ToolCall(_))
}
