//! Open calls of a history's last turn, where the server takes no ids: a result belongs to the first call of its name that
//! has none yet, so no open call may stand before an answered one of its name.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::print::Writer;
use wirecanon_model::report::Severity;
use wirecanon_model::rule;
use wirecanon_model::transcript::{BlockKind, Message, Role, Transcript};

/// A call of the last turn.
pub(crate) struct Call<'a> {
    source: Option<u32>,
    id: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    answer: Option<Message<'a>>,
}

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.target.ids.refused || transcript.fragment {
        return;
    }
    let what = "without ids, the result of a later call of this name would be taken for this call's; an error result says that nothing answered it";
    let mut messages = std::mem::take(&mut transcript.messages);
    answer_open(transcript, &mut messages, what, writer, |calls| {
        let mut answered_later = HashSet::new();
        let mut wanted: Vec<bool> = Vec::with_capacity(calls.len());
        for call in calls.iter().rev() {
            wanted.push(answered_later.contains(&call.name));
            if call.answer.is_some() {
                answered_later.insert(&call.name);
            }
        }
        wanted.reverse();
        wanted
    });
    transcript.messages = messages;
}

/// Puts an error result in the place of each result that is missing behind the last turn and that `wanted` says yes to, one
/// answer a call.
pub(crate) fn answer_open<'a>(
    transcript: &mut Transcript<'a>,
    messages: &mut Vec<Message<'a>>,
    what: &'static str,
    writer: &mut Writer<'a, '_>,
    wanted: impl FnOnce(&[Call<'a>]) -> Vec<bool>,
) {
    let Some(turn) = messages.iter().rposition(|message| message.role == Role::Assistant) else { return };
    if messages[turn].calls().count() == messages.len() - turn - 1 {
        return;
    }
    // Results stand in the order of their calls.
    let mut results = messages.split_off(turn + 1).into_iter().peekable();
    let mut calls = Vec::new();
    for block in &messages[turn].blocks {
        let BlockKind::ToolCall(call) = &block.kind else { continue };
        let answer = results.next_if(|result| result.result.as_ref().is_some_and(|head| head.call_id == call.id));
        calls.push(Call { source: block.source, id: call.id.clone(), name: call.name.clone(), answer });
    }
    let wanted = wanted(&calls);
    for (call, wanted) in calls.into_iter().zip(wanted) {
        if let Some(answer) = call.answer {
            messages.push(answer);
        } else if wanted {
            let message = transcript.stand_in(call.id, call.name);
            writer.entry(&rule::TOOL_CALL_WITHOUT_RESULT, Severity::Adapt, call.source, Some(message.id), what);
            messages.push(message);
        }
    }
    messages.extend(results);
}
