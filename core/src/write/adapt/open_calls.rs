//! Open calls of a history's last turn, where the server takes no ids: a result belongs to the first call of its name that
//! has none yet, so no open call may stand before an answered one of its name.

use std::collections::HashMap;

use super::super::Writer;
use crate::report::Severity;
use crate::rule;
use crate::transcript::{BlockKind, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.target.ids.refused || transcript.fragment {
        return;
    }
    let behind = transcript.messages.iter().rev().take_while(|message| message.role == Role::ToolResult).count();
    let Some(turn) = transcript.messages.len().checked_sub(behind + 1) else { return };
    let calls: Vec<_> = transcript.messages[turn]
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::ToolCall(call) => Some((block.source, call.id.clone(), call.name.clone())),
            _ => None,
        })
        .collect();
    if behind == 0 || calls.len() == behind {
        return;
    }
    // Results stand in the order of their calls.
    let mut results = transcript.messages.split_off(turn + 1).into_iter().peekable();
    let mut answers: Vec<_> = calls
        .iter()
        .map(|(_, id, _)| results.next_if(|result| result.result.as_ref().is_some_and(|head| head.call_id == *id)))
        .collect();
    let rest: Vec<_> = results.collect();
    let mut last_answered = HashMap::new();
    for (at, (_, _, name)) in calls.iter().enumerate().filter(|(at, _)| answers[*at].is_some()) {
        last_answered.insert(name.clone(), at);
    }
    for (at, (source, id, name)) in calls.into_iter().enumerate() {
        if answers[at].is_none() && last_answered.get(&name).is_some_and(|last| *last > at) {
            let message = transcript.stand_in(id, name);
            let what = "without ids, the result of a later call of this name would be taken for this call's; an error result says that nothing answered it";
            writer.entry(&rule::TOOL_CALL_WITHOUT_RESULT, Severity::Adapt, source, Some(message.id), what);
            answers[at] = Some(message);
        }
    }
    transcript.messages.extend(answers.into_iter().flatten().chain(rest));
}
