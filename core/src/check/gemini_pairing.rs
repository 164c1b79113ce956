//! Whether calls and responses of Gemini contents fit together: one content with as many responses as the turn before it
//! has calls. A response belongs to the call of its id; without one on either side, to the next open call of its name.

use std::borrow::Cow;
use std::collections::HashMap;

use super::judge::Judge;
use crate::json::Value;
use crate::rule::{self, Rule};
use crate::target::Level;

/// An id or a name.
type Text<'a> = Option<Cow<'a, str>>;

struct Call<'a> {
    place: Value<'a>,
    id: Text<'a>,
    name: Text<'a>,
    open: bool,
}

struct Response<'a> {
    place: Value<'a>,
    id: Text<'a>,
    name: Text<'a>,
    /// Something else stands before it
    displaced: bool,
}

/// Calls and responses, content by content.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that went by")]
pub(super) struct Pairing<'a> {
    /// Calls of the last turn that has some
    turn: Vec<Call<'a>>,
    /// Calls of turns before it that nobody answered, by id
    earlier: HashMap<Cow<'a, str>, Vec<Value<'a>>>,
    /// Calls that nobody answered
    unanswered: Vec<Value<'a>>,
    /// Responses of this content
    responses: Vec<Response<'a>>,
    /// Something stands between the turn and what comes now
    broken: bool,
    /// A content answered the turn already
    answered: bool,
    /// The content before this one is the model's
    after_model: bool,
    /// This content, if it is the model's
    content: Option<Value<'a>>,
    /// It has called
    calls: bool,
}

impl<'a> Pairing<'a> {
    /// A content begins.
    pub(super) fn content(&mut self, content: Value<'a>, model: bool) {
        self.after_model = std::mem::replace(&mut self.content, model.then_some(content)).is_some();
        self.calls = false;
    }

    /// A call in it.
    pub(super) fn call(&mut self, judge: &mut Judge<'_>, place: Value<'a>, id: Text<'a>, name: Text<'a>) {
        if !std::mem::replace(&mut self.calls, true) {
            if self.after_model {
                let message = "a turn of calls stands behind another turn of the model";
                judge.say(&rule::SPLIT_MODEL_TURN, self.content.unwrap_or(place), message);
            }
            // Where the server takes that, both are one turn.
            if !self.after_model || judge.severity(&rule::SPLIT_MODEL_TURN) == Level::Error {
                self.close();
            }
        }
        if id.is_some() && self.turn.iter().rev().any(|call| call.id == id) {
            judge.say(&rule::DUPLICATE_TOOL_CALL_ID, place, "another call of the turn has this id");
        }
        self.turn.push(Call { place, id, name, open: true });
    }

    /// A response in it.
    pub(super) fn result(&mut self, place: Value<'a>, id: Text<'a>, name: Text<'a>) {
        self.responses.push(Response { place, id, name, displaced: self.broken });
    }

    /// Anything else in it.
    pub(super) fn words(&mut self, model: bool) {
        self.broken |= !model || !self.calls;
    }

    /// A content that cannot be read.
    pub(super) fn other(&mut self) {
        self.broken = true;
        self.content = None;
    }

    /// A content ends.
    pub(super) fn end(&mut self, judge: &mut Judge<'_>) {
        let responses = std::mem::take(&mut self.responses);
        if responses.is_empty() {
            return;
        }
        if self.answered && !self.broken {
            say(judge, &rule::SPLIT_TOOL_RESULTS, responses[0].place, "another content holds results of the turn");
        }
        let mut left = Vec::new();
        let mut by_id: HashMap<&str, usize> = HashMap::new();
        for (at, call) in self.turn.iter().enumerate().filter(|(_, call)| call.open) {
            if let Some(id) = &call.id {
                by_id.entry(id).or_insert(at);
            }
        }
        let found: Vec<_> =
            responses.iter().map(|response| by_id.remove(response.id.as_deref().unwrap_or_default())).collect();
        for (response, call) in responses.into_iter().zip(found) {
            match call {
                Some(call) => self.pair(judge, call, &response),
                None => left.push(response),
            }
        }
        let mut queues = self.queues();
        for response in left {
            self.by_name(judge, &response, &mut queues);
        }
        self.answered = true;
    }

    /// Open calls by name, first call last.
    fn queues(&self) -> HashMap<Cow<'a, str>, Vec<usize>> {
        let mut queues: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, call) in self.turn.iter().enumerate().rev().filter(|(_, call)| call.open) {
            if let Some(name) = &call.name {
                queues.entry(name.clone()).or_default().push(at);
            }
        }
        queues
    }

    fn by_name(
        &mut self,
        judge: &mut Judge<'_>,
        response: &Response<'a>,
        queues: &mut HashMap<Cow<'a, str>, Vec<usize>>,
    ) {
        let queue = response.name.as_ref().and_then(|name| queues.get_mut(name));
        // A response with an id takes a call without one; any call takes a response without.
        let fits = |call: &usize| response.id.is_none() || self.turn[*call].id.is_none();
        let found = queue.and_then(|queue| {
            let at = queue.iter().rposition(fits)?;
            Some(queue.remove(at))
        });
        if let Some(call) = found {
            return self.pair(judge, call, response);
        }
        // Where names are not compared, a result of another name answers the next open call.
        let open = self.turn.iter().position(|call| call.open && (response.id.is_none() || call.id.is_none()));
        let clashes = self.turn.iter().any(|call| call.id.is_some() && call.id == response.id);
        let early = response.id.as_ref().is_some_and(|id| self.earlier.contains_key(id));
        if let Some(call) =
            open.filter(|_| !clashes && !early && judge.severity(&rule::TOOL_RESULT_NAME_MISMATCH) != Level::Error)
        {
            return self.pair(judge, call, response);
        }
        let known = self.turn.iter().any(|call| match &response.id {
            Some(id) => call.id.as_ref() == Some(id),
            None => call.name == response.name,
        });
        let early = response.id.as_ref().and_then(|id| self.earlier.get_mut(id)).and_then(Vec::pop);
        if let Some(call) = early {
            self.unanswered.retain(|open| open.index() != call.index());
            say(judge, &rule::TOOL_RESULT_DISPLACED, response.place, "another turn stands before the result");
        } else if known {
            say(judge, &rule::DUPLICATE_TOOL_RESULT, response.place, "its call is answered already");
        } else {
            say(judge, &rule::ORPHAN_TOOL_RESULT, response.place, "it answers no call of the turn before it");
        }
    }

    fn pair(&mut self, judge: &mut Judge<'_>, call: usize, response: &Response<'a>) {
        let call = &mut self.turn[call];
        call.open = false;
        if response.displaced {
            let message = "something stands between a call and its result";
            say(judge, &rule::TOOL_RESULT_DISPLACED, response.place, message);
        }
        if response.name.is_some() && response.name != call.name {
            say(judge, &rule::TOOL_RESULT_NAME_MISMATCH, response.place, "the result has not the name of its call");
        }
    }

    /// The turn ends: what is open stays so.
    fn close(&mut self) {
        for call in self.turn.drain(..).filter(|call| call.open) {
            self.unanswered.push(call.place);
            if let Some(id) = call.id {
                self.earlier.entry(id).or_default().push(call.place);
            }
        }
        self.broken = false;
        self.answered = false;
    }

    /// The end of the transcript.
    pub(super) fn finish(mut self, judge: &mut Judge<'_>) {
        if judge.sent || self.broken {
            self.close();
        }
        for call in &self.unanswered {
            say(judge, &rule::TOOL_CALL_WITHOUT_RESULT, *call, "the call has no result");
        }
    }
}

/// Says what is wrong, unless pairing is left out.
fn say(judge: &mut Judge<'_>, rule: &'static Rule, place: Value<'_>, message: &str) {
    if judge.pairing {
        judge.say(rule, place, message);
    }
}
