//! Whether calls and results fit together. One algorithm for all dialects: each says what its calls and results are, and
//! what ends a run of results; each fault is said once, at the call or result that is out of place.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use crate::judge::{Judge, blank};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::Scope;

/// Calls and results, in the order of the text. Every step is constant in time.
pub(super) struct Pairing<'a> {
    asks: Asks,
    calls: Vec<Call<'a>>,
    /// The turn in which an id was last called, by id
    seen: HashMap<Cow<'a, str>, u32>,
    /// Open calls of the turn that was last, by id, first call first
    current: HashMap<Cow<'a, str>, VecDeque<usize>>,
    /// Open calls of turns before it, by id, last call last
    earlier: HashMap<Cow<'a, str>, Vec<usize>>,
    turn: u32,
    failed: bool,
    /// Something stands between the last turn and what comes now
    broken: bool,
    /// The last call that was answered in the run
    answered: Option<usize>,
    orphans: Vec<Orphan<'a>>,
    places: Places,
}

/// Where calls and results may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    /// Results right behind the turn of their calls
    Together,
    /// Results anywhere behind their calls
    Apart,
    /// The same, and the server may have calls that the text does not show
    Elsewhere,
}

/// What a dialect asks beside one result for each call.
pub(super) struct Asks {
    /// Where ids may not repeat
    pub(super) unique: Scope,
    /// Results stand in the order of their calls
    pub(super) ordered: bool,
    /// A result has the name of its call
    pub(super) named: bool,
}

struct Call<'a> {
    place: Value<'a>,
    name: Option<Cow<'a, str>>,
    failed: bool,
    open: bool,
}

struct Orphan<'a> {
    place: Value<'a>,
    id: Cow<'a, str>,
}

/// A result as its dialect spells it.
pub(super) struct Answer<'a> {
    /// What a violation points at
    pub(super) place: Value<'a>,
    /// The call that it answers
    pub(super) id: Cow<'a, str>,
    /// The member with the name of the tool
    pub(super) name: Option<Value<'a>>,
}

impl<'a> Pairing<'a> {
    pub(super) fn new(asks: Asks) -> Self {
        Self {
            asks,
            calls: Vec::new(),
            seen: HashMap::new(),
            current: HashMap::new(),
            earlier: HashMap::new(),
            turn: 0,
            failed: false,
            broken: false,
            answered: None,
            orphans: Vec::new(),
            places: Places::Together,
        }
    }

    /// For a list of items, in which a result may stand anywhere behind its call; `elsewhere`: the server may have the
    /// calls that no item makes.
    pub(super) fn loose(mut self, elsewhere: bool) -> Self {
        self.places = if elsewhere { Places::Elsewhere } else { Places::Apart };
        self
    }

    /// A turn of the model begins; its calls follow. `failed`: it broke off before it was whole.
    pub(super) fn turn(&mut self, failed: bool) {
        // A map keeps its size when it is emptied: a new one, so that one long turn does not slow all later ones.
        if !self.current.is_empty() {
            #[expect(clippy::iter_over_hash_type, reason = "each id moves to its own list, in any order alike")]
            for (id, open) in std::mem::take(&mut self.current) {
                if !open.is_empty() {
                    self.earlier.entry(id).or_default().extend(open);
                }
            }
        }
        self.turn += 1;
        self.failed = failed;
        self.broken = false;
        self.answered = None;
    }

    /// A call of this turn.
    pub(super) fn call(
        &mut self,
        judge: &mut Judge<'_>,
        place: Value<'a>,
        (id_place, id): (Value<'a>, Cow<'a, str>),
        name: Option<Cow<'a, str>>,
    ) {
        let before = self.seen.insert(id.clone(), self.turn);
        if before.is_some_and(|turn| turn == self.turn || self.asks.unique == Scope::Transcript) {
            judge.say(&rule::DUPLICATE_TOOL_CALL_ID, id_place, "another call has this id");
        }
        self.current.entry(id).or_default().push_back(self.calls.len());
        self.calls.push(Call { place, name, failed: self.failed, open: true });
    }

    /// A result; whether it answers a call of the turn, with nothing between.
    pub(super) fn result(&mut self, judge: &mut Judge<'_>, answer: Answer<'a>) -> bool {
        if let Some(index) = self.current.get_mut(&answer.id).and_then(VecDeque::pop_front) {
            if self.broken {
                self.displaced(judge, index, &answer);
            } else {
                self.pair(judge, index, &answer);
                return true;
            }
        } else if let Some(index) = self.earlier.get_mut(&answer.id).and_then(Vec::pop) {
            self.displaced(judge, index, &answer);
        } else if self.seen.contains_key(&answer.id) {
            say(judge, &rule::DUPLICATE_TOOL_RESULT, answer.place, "its call is answered already");
        } else {
            self.orphans.push(Orphan { place: answer.place, id: answer.id });
        }
        false
    }

    /// Anything else that ends a run of results.
    pub(super) fn other(&mut self) {
        self.broken = true;
    }

    fn pair(&mut self, judge: &mut Judge<'_>, index: usize, answer: &Answer<'a>) {
        self.calls[index].open = false;
        let early = self.answered.is_some_and(|last| index < last);
        self.answered = self.answered.max(Some(index));
        if self.asks.ordered && early {
            let message = "a result stands after the result of a later call";
            say(judge, &rule::PARALLEL_RESULTS_OUT_OF_ORDER, answer.place, message);
        }
        let (Some(name), true) = (&self.calls[index].name, self.asks.named && judge.pairing) else { return };
        match answer.name {
            None => judge.say(&rule::TOOL_RESULT_NAME_MISSING, answer.place, "the result does not name its tool"),
            // A name that is blank, or no string, is a fault of its own.
            Some(value) if value.as_str().is_some_and(|found| !blank(&found) && found.trim() != name.trim()) => {
                judge.say(&rule::TOOL_RESULT_NAME_MISMATCH, value, "the result has not the name of its call");
            }
            Some(_) => {}
        }
    }

    fn displaced(&mut self, judge: &mut Judge<'_>, index: usize, answer: &Answer<'a>) {
        self.calls[index].open = false;
        if self.places != Places::Together {
            return;
        }
        let message = "something stands between a call and its result";
        say(judge, &rule::TOOL_RESULT_DISPLACED, answer.place, message);
    }

    /// The end of the transcript.
    pub(super) fn finish(mut self, judge: &mut Judge<'_>) {
        if !judge.pairing {
            return;
        }
        // Calls that stay open because the transcript is only a beginning can still be waited for.
        let waits_from = if judge.sent || self.broken { self.calls.len() } else { self.first_of_last_turn() };
        self.results_before_calls(judge);
        for (index, call) in self.calls.iter().enumerate() {
            if !call.open || index >= waits_from {
                continue;
            }
            if call.failed {
                let words = "a turn that failed keeps a call that was not answered";
                judge.say(&rule::FAILED_TURN_TOOL_CALL, call.place, words);
            } else {
                judge.say(&rule::TOOL_CALL_WITHOUT_RESULT, call.place, "the call has no result");
            }
        }
    }

    /// The index of the first call of the last turn that is open.
    fn first_of_last_turn(&self) -> usize {
        self.current.values().filter_map(|open| open.front().copied()).min().unwrap_or(self.calls.len())
    }

    /// A result that no call stands before: its call may come later, else it has none.
    fn results_before_calls(&mut self, judge: &mut Judge<'_>) {
        if self.orphans.is_empty() {
            return;
        }
        let mut later: HashMap<Cow<'a, str>, VecDeque<usize>> = HashMap::new();
        let mut add = |id: &Cow<'a, str>, index: usize| later.entry(id.clone()).or_default().push_back(index);
        #[expect(clippy::iter_over_hash_type, reason = "each id has a list of its own, in any order alike")]
        for (id, open) in &self.earlier {
            for index in open {
                add(id, *index);
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "each id has a list of its own, in any order alike")]
        for (id, open) in &self.current {
            for index in open {
                add(id, *index);
            }
        }
        for orphan in std::mem::take(&mut self.orphans) {
            // It is here because no call before it has its id: what has it stands after it.
            match later.get_mut(&orphan.id).and_then(VecDeque::pop_front) {
                Some(index) => {
                    self.calls[index].open = false;
                    judge.say(&rule::TOOL_RESULT_BEFORE_CALL, orphan.place, "the result stands before its call");
                }
                None if self.places == Places::Elsewhere => {}
                None => {
                    // A result of Ollama may have only the name of its tool, or nothing.
                    let mut texts = orphan.place.members().filter_map(|(_, member)| member.as_str());
                    let has_id = !orphan.place.is_object() || texts.any(|text| text == orphan.id);
                    let what = if has_id { "no call has this id" } else { "no call is left that the result answers" };
                    judge.say(&rule::ORPHAN_TOOL_RESULT, orphan.place, what);
                }
            }
        }
    }
}

/// Says what is wrong, unless pairing is left out.
fn say(judge: &mut Judge<'_>, rule: &'static rule::Rule, place: Value<'_>, message: &str) {
    if judge.pairing {
        judge.say(rule, place, message);
    }
}
