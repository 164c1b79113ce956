//! Whether calls and responses of Gemini contents fit together: one content with as many responses as the turn before it
//! has calls. A response belongs to the call of its id; without one on either side, to the next open call of its name.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use crate::judge::Judge;
use wirecanon_json::Value;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::Level;

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

/// The calls of one turn. Every look-up is constant in time, for a call that is answered never opens again.
#[derive(Default)]
struct Turn<'a> {
    calls: Vec<Call<'a>>,
    /// Calls of each id
    by_id: HashMap<Cow<'a, str>, VecDeque<usize>>,
    /// Calls of each name
    by_name: HashMap<Text<'a>, Calls>,
    all: Calls,
}

/// Calls that something has in common, in order. Answered ones leave when they are first.
#[derive(Default)]
struct Calls {
    any: VecDeque<usize>,
    without_id: VecDeque<usize>,
}

impl Calls {
    fn add(&mut self, at: usize, has_id: bool) {
        self.any.push_back(at);
        if !has_id {
            self.without_id.push_back(at);
        }
    }

    /// The first open call that a response may take: one with an id takes a call without one, and one without takes any.
    fn first_open(&mut self, calls: &[Call<'_>], has_id: bool) -> Option<usize> {
        first_open(if has_id { &mut self.without_id } else { &mut self.any }, calls)
    }
}

fn first_open(queue: &mut VecDeque<usize>, calls: &[Call<'_>]) -> Option<usize> {
    while queue.front().is_some_and(|at| !calls[*at].open) {
        queue.pop_front();
    }
    queue.front().copied()
}

impl<'a> Turn<'a> {
    fn add(&mut self, call: Call<'a>) {
        let (at, has_id) = (self.calls.len(), call.id.is_some());
        if let Some(id) = &call.id {
            self.by_id.entry(id.clone()).or_default().push_back(at);
        }
        self.by_name.entry(call.name.clone()).or_default().add(at, has_id);
        self.all.add(at, has_id);
        self.calls.push(call);
    }

    fn has_id(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    fn open_of_id(&mut self, id: &str) -> Option<usize> {
        first_open(self.by_id.get_mut(id)?, &self.calls)
    }

    fn open_of_name(&mut self, response: &Response<'a>) -> Option<usize> {
        response.name.as_ref()?;
        self.by_name.get_mut(&response.name)?.first_open(&self.calls, response.id.is_some())
    }

    fn open(&mut self, response: &Response<'a>) -> Option<usize> {
        self.all.first_open(&self.calls, response.id.is_some())
    }
}

/// A call of a turn that is over.
struct Unanswered<'a> {
    place: Value<'a>,
    /// A response behind a later turn answers it
    answered_late: bool,
}

/// Calls and responses, content by content.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that went by")]
pub(crate) struct Pairing<'a> {
    /// The last turn that has calls
    turn: Turn<'a>,
    /// Calls of turns before it that nobody answered
    unanswered: Vec<Unanswered<'a>>,
    /// Their indices, by id
    earlier: HashMap<Cow<'a, str>, Vec<usize>>,
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
    pub(crate) fn content(&mut self, content: Value<'a>, model: bool) {
        self.after_model = std::mem::replace(&mut self.content, model.then_some(content)).is_some();
        self.calls = false;
    }

    /// A call in it.
    pub(crate) fn call(&mut self, judge: &mut Judge<'_>, place: Value<'a>, id: Text<'a>, name: Text<'a>) {
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
        if id.as_ref().is_some_and(|id| self.turn.has_id(id)) {
            judge.say(&rule::DUPLICATE_TOOL_CALL_ID, place, "another call of the turn has this id");
        }
        self.turn.add(Call { place, id, name, open: true });
    }

    /// A response in it.
    pub(crate) fn result(&mut self, place: Value<'a>, id: Text<'a>, name: Text<'a>) {
        self.responses.push(Response { place, id, name, displaced: self.broken });
    }

    /// Anything else in it.
    pub(crate) fn words(&mut self, model: bool) {
        self.broken |= !model || !self.calls;
    }

    /// A content that cannot be read.
    pub(crate) fn other(&mut self) {
        self.broken = true;
        self.content = None;
    }

    /// A content ends.
    pub(crate) fn end(&mut self, judge: &mut Judge<'_>) {
        let responses = std::mem::take(&mut self.responses);
        if responses.is_empty() {
            return;
        }
        if self.answered && !self.broken {
            say(judge, &rule::SPLIT_TOOL_RESULTS, responses[0].place, "another content holds results of the turn");
        }
        let mut without_call = Vec::new();
        // One response of a content takes a call by its id: another one of that id is one too many.
        let mut taken: HashSet<Cow<'a, str>> = HashSet::new();
        for response in responses {
            let id = response.id.clone().unwrap_or_default();
            match self.turn.open_of_id(&id).filter(|_| taken.insert(id)) {
                Some(call) => self.pair(judge, call, &response),
                None => without_call.push(response),
            }
        }
        for response in without_call {
            self.by_name(judge, &response);
        }
        self.answered = true;
    }

    fn by_name(&mut self, judge: &mut Judge<'_>, response: &Response<'a>) {
        if let Some(call) = self.turn.open_of_name(response) {
            return self.pair(judge, call, response);
        }
        // Where names are not compared, a result of another name answers the next open call.
        let clashes = response.id.as_ref().is_some_and(|id| self.turn.has_id(id));
        let early = response.id.as_ref().is_some_and(|id| self.earlier.contains_key(id));
        let compares_names = judge.severity(&rule::TOOL_RESULT_NAME_MISMATCH) == Level::Error;
        if !clashes
            && !early
            && !compares_names
            && let Some(call) = self.turn.open(response)
        {
            return self.pair(judge, call, response);
        }
        let known = match &response.id {
            Some(id) => self.turn.has_id(id),
            None => self.turn.by_name.contains_key(&response.name),
        };
        let early = response.id.as_ref().and_then(|id| self.earlier.get_mut(id)).and_then(Vec::pop);
        if let Some(call) = early {
            self.unanswered[call].answered_late = true;
            say(judge, &rule::TOOL_RESULT_DISPLACED, response.place, "another turn stands before the result");
        } else if known {
            say(judge, &rule::DUPLICATE_TOOL_RESULT, response.place, "its call is answered already");
        } else {
            say(judge, &rule::ORPHAN_TOOL_RESULT, response.place, "it answers no call of the turn before it");
        }
    }

    fn pair(&mut self, judge: &mut Judge<'_>, call: usize, response: &Response<'a>) {
        let call = &mut self.turn.calls[call];
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
        // New maps: one that is emptied keeps its size, so that one long turn would slow all later ones.
        for call in std::mem::take(&mut self.turn).calls.into_iter().filter(|call| call.open) {
            if let Some(id) = call.id {
                self.earlier.entry(id).or_default().push(self.unanswered.len());
            }
            self.unanswered.push(Unanswered { place: call.place, answered_late: false });
        }
        self.broken = false;
        self.answered = false;
    }

    /// The end of the transcript.
    pub(crate) fn finish(mut self, judge: &mut Judge<'_>) {
        if judge.sent || self.broken {
            self.close();
        }
        for call in self.unanswered.iter().filter(|call| !call.answered_late) {
            say(judge, &rule::TOOL_CALL_WITHOUT_RESULT, call.place, "the call has no result");
        }
    }
}

/// Says what is wrong, unless pairing is left out.
fn say(judge: &mut Judge<'_>, rule: &'static Rule, place: Value<'_>, message: &str) {
    if judge.pairing {
        judge.say(rule, place, message);
    }
}
