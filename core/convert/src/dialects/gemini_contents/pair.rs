//! Ids for calls and results that have none: by name, then by order among the calls of that name in the turn that is
//! answered, which is how the API itself pairs them. Turns of the model that follow each other are answered as one.
//!
//! Where neither has an id, a new one is given past every id of the transcript, and both are marked so that this dialect
//! writes none.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use crate::read::call::call_mut;
use crate::read::reader::Reader;
use wirecanon_model::transcript::{BlockKind, Message, Native, Role};

/// Pairs what has no ids, once all contents are read.
pub(crate) fn finish(cx: &mut Reader<'_, '_>) {
    let mut ids = Ids::new(&cx.messages);
    let dialect = cx.dialect.name();
    let mut at = 0;
    while at < cx.messages.len() {
        if !has_calls(&cx.messages[at]) {
            at += 1;
            continue;
        }
        // Calls that were made at once may stand in a turn each.
        let turns = at..at + cx.messages[at..].iter().take_while(|next| next.role == Role::Assistant).count();
        let results = (turns.end..cx.messages.len())
            .take_while(|next| !has_calls(&cx.messages[*next]))
            .filter(|next| cx.messages[*next].role == Role::ToolResult)
            .collect::<Vec<_>>();
        at = results.last().map_or(turns.end, |last| last + 1);
        frame(&mut cx.messages, turns, &results, &mut ids, dialect);
    }
    for message in &mut cx.messages {
        let unnamed = message.result.as_ref().is_some_and(|head| head.call_id.is_none());
        if unnamed {
            mark(&mut message.native, dialect);
        }
    }
}

fn has_calls(message: &Message<'_>) -> bool {
    message.calls().next().is_some()
}

/// Marks that no id stood there.
fn mark(native: &mut Option<Box<Native<'_>>>, dialect: &'static str) {
    native.get_or_insert_default().add(dialect, "id", "null");
}

/// One call of the turns that are answered.
struct Call<'a> {
    turn: usize,
    block: usize,
    id: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    /// The id that its result brings
    given: Option<Cow<'a, str>>,
    /// No result beside those that it has is its
    taken: bool,
    /// Results without an id that answer it
    results: Vec<usize>,
}

/// Pairs the calls of turns that follow each other with the results behind them.
fn frame<'a>(
    messages: &mut [Message<'a>],
    turns: Range<usize>,
    results: &[usize],
    ids: &mut Ids<'a>,
    dialect: &'static str,
) {
    let mut calls: Vec<Call<'a>> = Vec::new();
    let said = turns.flat_map(|turn| messages[turn].blocks.iter().enumerate().map(move |block| (turn, block)));
    for (turn, (block, found)) in said {
        let BlockKind::ToolCall(call) = &found.kind else { continue };
        calls.push(Call {
            turn,
            block,
            id: call.id.clone(),
            name: call.name.clone(),
            given: None,
            taken: false,
            results: Vec::new(),
        });
    }
    let mut by_id: HashMap<Cow<'a, str>, VecDeque<usize>> = HashMap::new();
    for (at, call) in calls.iter().enumerate() {
        if let Some(id) = &call.id {
            by_id.entry(id.clone()).or_default().push_back(at);
        }
    }
    for result in results {
        let Some(id) = id_of(&messages[*result]) else { continue };
        if let Some(call) = by_id.get_mut(&id).and_then(VecDeque::pop_front) {
            calls[call].taken = true;
        }
    }
    pass_over(&mut calls, messages, results, ids);
    let mut by_name: HashMap<Cow<'a, str>, VecDeque<usize>> = HashMap::new();
    let mut without_id: HashMap<Cow<'a, str>, VecDeque<usize>> = HashMap::new();
    for (at, call) in calls.iter().enumerate().filter(|(_, call)| !call.taken) {
        let Some(name) = &call.name else { continue };
        by_name.entry(name.clone()).or_default().push_back(at);
        if call.id.is_none() {
            without_id.entry(name.clone()).or_default().push_back(at);
        }
    }
    let mut last: HashMap<Cow<'a, str>, usize> = HashMap::new();
    for result in results {
        let head = messages[*result].result.as_deref();
        let Some(name) = head.and_then(|head| head.tool_name.clone()) else { continue };
        match id_of(&messages[*result]) {
            // An id that no call has belongs to a call that lost its own.
            Some(id) if !ids.calls.contains(&id) => {
                let open = without_id.get_mut(&name);
                let Some(call) = open.and_then(|open| next(open, &calls)) else { continue };
                ids.calls.insert(id.clone());
                calls[call].given = Some(id);
                calls[call].taken = true;
            }
            Some(_) => {}
            None => {
                let open = by_name.get_mut(&name).and_then(|open| next(open, &calls));
                let Some(call) = open.or_else(|| last.get(&name).copied()) else { continue };
                calls[call].taken = true;
                calls[call].results.push(*result);
                last.insert(name, call);
            }
        }
    }
    for call in calls {
        settle(messages, call, ids, dialect);
    }
}

/// Takes calls of earlier turns for answered by nobody where fewer results came than calls of their name were made: such a call
/// was made again in the turn behind it.
fn pass_over<'a>(calls: &mut [Call<'a>], messages: &[Message<'a>], results: &[usize], ids: &Ids<'a>) {
    let mut left: HashMap<Cow<'a, str>, usize> = HashMap::new();
    for head in results.iter().filter_map(|result| messages[*result].result.as_deref()) {
        if let (Some(name), None) = (&head.tool_name, head.call_id.as_ref().filter(|id| ids.calls.contains(*id))) {
            *left.entry(name.clone()).or_default() += 1;
        }
    }
    let last = calls.last().map(|call| call.turn);
    for call in calls.iter_mut().rev().filter(|call| !call.taken) {
        let Some(left) = call.name.as_ref().map(|name| left.entry(name.clone()).or_default()) else { continue };
        call.taken = *left == 0 && Some(call.turn) != last;
        *left = left.saturating_sub(1);
    }
}

/// The next call that nobody answers yet.
fn next(open: &mut VecDeque<usize>, calls: &[Call<'_>]) -> Option<usize> {
    while let Some(call) = open.pop_front() {
        if !calls[call].taken {
            return Some(call);
        }
    }
    None
}

fn id_of<'a>(message: &Message<'a>) -> Option<Cow<'a, str>> {
    message.result.as_ref()?.call_id.clone()
}

fn settle<'a>(messages: &mut [Message<'a>], call: Call<'a>, ids: &mut Ids<'a>, dialect: &'static str) {
    let own = call.id.is_some();
    let id = match call.id {
        Some(id) => id,
        None => {
            let block = &mut messages[call.turn].blocks[call.block];
            // One that is written anew gets the id that its result brings.
            if !(call.given.is_some() && block.dirty) {
                mark(&mut block.native, dialect);
            }
            let id = call.given.unwrap_or_else(|| Cow::Owned(ids.mint()));
            if let Some(found) = call_mut(block) {
                found.id = Some(id.clone());
            }
            id
        }
    };
    for result in call.results {
        let message = &mut messages[result];
        // One that is written anew gets the id that its call has.
        if !(own && message.dirty) {
            mark(&mut message.native, dialect);
        }
        if let Some(head) = &mut message.result {
            head.call_id = Some(id.clone());
        }
    }
}

/// Ids that stand in the transcript.
struct Ids<'a> {
    /// Those of calls
    calls: HashSet<Cow<'a, str>>,
    /// Those of results
    results: HashSet<Cow<'a, str>>,
    minted: usize,
}

impl<'a> Ids<'a> {
    fn new(messages: &[Message<'a>]) -> Self {
        Self {
            calls: messages.iter().flat_map(Message::calls).filter_map(|call| call.id.clone()).collect(),
            results: messages.iter().filter_map(id_of).collect(),
            minted: 0,
        }
    }

    fn mint(&mut self) -> String {
        loop {
            self.minted += 1;
            let id = format!("call_{}", self.minted);
            if !self.calls.contains(&*id) && !self.results.contains(&*id) {
                return id;
            }
        }
    }
}
