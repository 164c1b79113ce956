//! Turns of dialects in which a call and its result are one part.

use crate::plan::{CallPart, Message, Plan};

/// A message, and the results that can stand inside its calls.
pub(super) struct Turn<'p> {
    pub(super) message: &'p Message,
    results: Vec<&'p Message>,
}

impl<'p> Turn<'p> {
    /// The result that stands inside a call of the turn.
    pub(super) fn result(&self, call: &CallPart) -> Option<&'p Message> {
        self.results.iter().copied().find(|result| answers(result, call))
    }
}

/// Whether a result names the very call that it was made for: only then can the two be one part.
fn answers(result: &Message, call: &CallPart) -> bool {
    result.answer.as_ref().is_some_and(|answer| {
        answer.call == call.token && answer.spelled_id == call.spelled_id && answer.id_key.is_none()
    })
}

/// The turns of a plan. A result that is not right behind its call, or is nobody's, is a turn of its own.
pub(super) fn turns(plan: &Plan) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    let mut open = None;
    for message in &plan.messages {
        if message.answer.is_some() {
            let inside = open
                .and_then(|turn: usize| turns.get_mut(turn))
                .filter(|turn| turn.message.calls().any(|call| answers(message, call) && turn.result(call).is_none()));
            if let Some(turn) = inside {
                turn.results.push(message);
                continue;
            }
        } else {
            open = Some(turns.len());
        }
        turns.push(Turn { message, results: Vec::new() });
    }
    turns
}
