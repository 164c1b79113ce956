//! Which result answers which call. Nothing is guessed: a result goes to a call only when no other could be meant.
//!
//! A *frame* is an assistant turn with calls; a text-only turn opens none. Matching looks at each frame in turn, nearest
//! first, so that an unrelated place cannot change it (P5):
//!
//! 1. by id, in the frame that the result stands behind; equal ids in order of appearance;
//! 2. by the call half of a composite id, when one call of that frame has it;
//! 3. by id, anywhere, when exactly one call is still unanswered (displaced, or before its call);
//! 4. by the name of a tool, in the frame that it stands behind with no user in between, when one open call has that name:
//!    a result without an id says the name, or its id is the name; one with an id that no call has may name a call without;
//! 5. without an id, when that frame has exactly one open call, and no name speaks against it;
//! 6. a call without an id takes the one result of its frame that nobody else claims.

use std::collections::{HashMap, VecDeque};

use crate::dialects::Described as _;
use crate::repair::{Repairs, order, settle};
use crate::step::Steps;
use wirecanon_model::text;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, ToolCall, Transcript};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, repairs: &mut Repairs<'a, '_>) {
    let Some(mut plan) = plan(transcript, repairs.steps) else { return };
    settle::settle(transcript, &mut plan, repairs);
    if repairs.steps.repair("pairing/order") {
        order::place(transcript, &plan, repairs);
    }
}

/// What programs write where they lost the name of the tool (watt-mind/coach#280). It speaks against no call.
const NO_NAME: &str = "unknown";

/// One call in the transcript.
pub(crate) struct Call {
    /// Index of its message
    pub(crate) message: usize,
    /// Number of its block
    pub(crate) block: u32,
    /// Index of its block in the message
    pub(crate) position: usize,
    /// Index of the message that answers it
    pub(crate) answer: Option<usize>,
    /// The answer was written in place of one that never came
    pub(crate) synthetic: bool,
    /// It goes
    pub(crate) dropped: bool,
}

/// What becomes of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It answers this call
    Answers(usize),
    /// Its call has another result
    Duplicate,
    /// A turn of the model separates it from a later result of its call
    Interim,
    /// Two calls could be meant
    Ambiguous,
    /// No call could be meant
    Orphan,
}

/// An assistant turn with calls.
pub(crate) struct Frame {
    /// Index of its message
    pub(crate) message: usize,
    /// Its calls, as a range of the plan's
    pub(crate) calls: std::ops::Range<usize>,
}

/// Everything that pairing decided.
pub(crate) struct Plan {
    pub(crate) calls: Vec<Call>,
    pub(crate) frames: Vec<Frame>,
    /// Index of each result and what becomes of it, in order
    pub(crate) results: Vec<(usize, Fate)>,
}

/// Calls of one id.
#[derive(Default)]
struct SameId {
    calls: Vec<usize>,
    /// Position in `calls` of the first that may be unanswered in the current frame
    next: usize,
    /// Calls of the current frame that only a synthetic result answers
    synthetic: VecDeque<usize>,
    /// Calls that were open when somebody asked last, for real results and for synthetic ones. None opens again.
    open: [Option<VecDeque<usize>>; 2],
}

/// Decides who answers whom; `None` when there is neither a call nor a result.
fn plan(transcript: &mut Transcript<'_>, steps: Steps) -> Option<Plan> {
    let mut plan = Plan { calls: Vec::new(), frames: Vec::new(), results: Vec::new() };
    for (index, message) in transcript.messages.iter().enumerate() {
        match message.role {
            Role::Assistant => collect_frame(&mut plan, index, message),
            Role::ToolResult => plan.results.push((index, Fate::Orphan)),
            _ => {}
        }
    }
    if plan.calls.is_empty() && plan.results.is_empty() || transcript.fragment {
        return None;
    }
    if steps.repair("pairing/known-stand-ins") {
        mark_synthetic(transcript);
    }
    let messages = &transcript.messages;
    let mut matcher = Matcher {
        messages,
        calls: &mut plan.calls,
        frames: &plan.frames,
        users: users_before(messages),
        ids: None,
        halves: None,
        steps,
    };
    let mut late = Vec::new();
    let mut at = 0;
    while at < plan.results.len() {
        let behind = matcher.results_of_frame(&plan.results[at..]);
        if !matcher.one_by_one(&mut plan.results[at..at + behind]) {
            for at in at..at + behind {
                match matcher.in_frame(plan.results[at].0) {
                    Some(fate) => matcher.set(&mut plan.results, at, fate),
                    None => late.push(at),
                }
            }
        }
        at += behind;
    }
    let anywhere = steps.repair("pairing/anywhere");
    late.retain(|at| match anywhere.then(|| matcher.anywhere(plan.results[*at].0)).flatten() {
        Some(fate) => {
            matcher.set(&mut plan.results, *at, fate);
            false
        }
        None => true,
    });
    if steps.repair("pairing/without-ids") {
        matcher.without_ids(&mut plan.results, &late);
    }
    if steps.repair("pairing/interim") && plan.results.iter().any(|(_, fate)| *fate == Fate::Duplicate) {
        matcher.give_way(&mut plan.results);
    }
    Some(plan)
}

fn collect_frame(plan: &mut Plan, index: usize, message: &Message<'_>) {
    let first = plan.calls.len();
    for (position, block) in message.blocks.iter().enumerate() {
        if matches!(block.kind, BlockKind::ToolCall(_)) {
            plan.calls.push(Call {
                message: index,
                block: block.id,
                position,
                answer: None,
                synthetic: false,
                dropped: false,
            });
        }
    }
    if plan.calls.len() > first {
        plan.frames.push(Frame { message: index, calls: first..plan.calls.len() });
    }
}

/// Recognises results that a program wrote in place of one that never came.
fn mark_synthetic(transcript: &mut Transcript<'_>) {
    let flagless = !transcript.dialect.spec().error_flag;
    for message in &mut transcript.messages {
        let Some(head) = &mut message.result else { continue };
        let [block] = message.blocks.as_slice() else { continue };
        let Some(words) = block.words() else { continue };
        let known = words == text::NO_RESULT
            || (text::SYNTHETIC_OF_OTHERS.iter().any(|known| words == known)
                && (head.is_error || (flagless && words.starts_with("["))));
        // It stands for a failure, also where the dialect has no flag to say so.
        head.is_error |= known;
        head.synthetic |= known;
    }
}

/// The block that the call stands in; `None` once it is gone.
pub(crate) fn block_at<'m, 'a>(messages: &'m [Message<'a>], call: &Call) -> Option<&'m Block<'a>> {
    messages[call.message].blocks.get(call.position).filter(|block| block.id == call.block)
}

/// The call itself.
pub(crate) fn call_of<'m, 'a>(messages: &'m [Message<'a>], call: &Call) -> Option<&'m ToolCall<'a>> {
    block_at(messages, call).and_then(|block| match &block.kind {
        BlockKind::ToolCall(call) => Some(&**call),
        _ => None,
    })
}

fn call_id<'m>(messages: &'m [Message<'_>], call: &Call) -> Option<&'m str> {
    call_of(messages, call)?.id.as_deref()
}

fn half(id: &str) -> &str {
    match id.split_once('|') {
        Some((half, _)) if !half.is_empty() => half,
        _ => id,
    }
}

/// How many user messages stand before each message. A wire message that holds words and results counts behind its end.
fn users_before(messages: &[Message<'_>]) -> Vec<u32> {
    let mut count = 0;
    let mut open = None;
    let mut users = Vec::with_capacity(messages.len());
    for message in messages {
        if open.is_some() && message.origin.map(|origin| origin.value) != open {
            count += 1;
            open = None;
        }
        users.push(count);
        if message.role == Role::User {
            match message.origin.filter(|origin| origin.parts > 1) {
                Some(origin) => open = Some(origin.value),
                None => count += 1,
            }
        }
    }
    users
}

struct Matcher<'m, 'a> {
    messages: &'m [Message<'a>],
    calls: &'m mut Vec<Call>,
    frames: &'m [Frame],
    users: Vec<u32>,
    /// The calls of each id, once somebody asks
    ids: Option<HashMap<&'m str, SameId>>,
    /// The calls of one frame, named by its message, by the halves of their ids
    halves: Option<(usize, HashMap<&'m str, Halves>)>,
    steps: Steps,
}

/// Calls whose ids have the same half.
#[derive(Clone, Copy, Default)]
struct Halves {
    /// Those whose id is no more than that half: how many, and the first
    plain: (usize, usize),
    /// Those with another half behind it
    composite: (usize, usize),
}

impl<'m> Matcher<'m, '_> {
    fn set(&mut self, results: &mut [(usize, Fate)], at: usize, fate: Fate) {
        let index = results[at].0;
        results[at].1 = fate;
        let Fate::Answers(call) = fate else { return };
        // A real result takes the place of a synthetic one, which then is one too many.
        if let Some(previous) = self.calls[call].answer
            && let Ok(found) = results.binary_search_by_key(&previous, |(index, _)| *index)
        {
            results[found].1 = Fate::Duplicate;
        }
        let synthetic = self.is_synthetic(index);
        self.calls[call].answer = Some(index);
        self.calls[call].synthetic = synthetic;
    }

    fn is_synthetic(&self, index: usize) -> bool {
        self.messages[index].result.as_ref().is_some_and(|head| head.synthetic)
    }

    fn result_id(&self, index: usize) -> Option<&'m str> {
        let messages = self.messages;
        messages[index].result.as_ref()?.call_id.as_deref()
    }

    /// Makes the calls of each id be known.
    fn know_ids(&mut self) {
        let (calls, messages) = (&self.calls, self.messages);
        self.ids.get_or_insert_with(|| {
            let mut ids: HashMap<&str, SameId> = HashMap::with_capacity(calls.len());
            for (at, call) in calls.iter().enumerate() {
                if let Some(id) = call_id(messages, call) {
                    ids.entry(id).or_default().calls.push(at);
                }
            }
            ids
        });
    }

    /// How many results, from the first of these on, stand behind the same frame.
    fn results_of_frame(&self, results: &[(usize, Fate)]) -> usize {
        let Some((first, _)) = results.first() else { return 0 };
        let next = self.frames.partition_point(|frame| frame.message < *first);
        let end = self.frames.get(next).map_or(usize::MAX, |frame| frame.message);
        results.iter().take_while(|(index, _)| *index < end).count()
    }

    /// Step 1 for the results behind one frame, where each names another call of it, as is the rule; false if anything is
    /// otherwise, and nothing is decided.
    fn one_by_one(&mut self, results: &mut [(usize, Fate)]) -> bool {
        /// Calls of one frame that are compared with each other.
        const FEW: usize = 16;
        let Some(frame) = results.first().and_then(|(index, _)| self.frame_before(*index)) else { return false };
        if frame.calls.len() > FEW || results.len() > frame.calls.len() {
            return false;
        }
        let mut answers = [None; FEW];
        for (index, _) in results.iter() {
            let Some(id) = self.result_id(*index).filter(|_| !self.is_synthetic(*index)) else { return false };
            let is_its = |call: &usize| self.call_id(*call) == Some(id);
            let mut calls = frame.calls.clone().filter(is_its);
            let (Some(call), None) = (calls.next(), calls.next()) else { return false };
            if answers[call - frame.calls.start].replace(*index).is_some() {
                return false;
            }
        }
        for (call, answer) in frame.calls.clone().zip(answers) {
            let Some(answer) = answer else { continue };
            self.calls[call].answer = Some(answer);
            if let Ok(at) = results.binary_search_by_key(&answer, |(index, _)| *index) {
                results[at].1 = Fate::Answers(call);
            }
        }
        true
    }

    /// A result gives way to a later one of the same call where the model spoke between: what it was given first was no more than
    /// that the tool runs (google/adk-java#682).
    fn give_way(&mut self, results: &mut [(usize, Fate)]) {
        self.know_ids();
        // The number of turns of the model before each message.
        let turns = self.messages.iter().scan(0, |count, message| {
            let before = *count;
            *count += usize::from(message.role == Role::Assistant);
            Some(before)
        });
        let turns: Vec<usize> = turns.collect();
        for at in 0..results.len() {
            let (index, fate) = results[at];
            if fate != Fate::Duplicate || self.is_synthetic(index) {
                continue;
            }
            let ids = self.ids.as_ref();
            let same = self.result_id(index).and_then(|id| ids?.get(id));
            let Some(&[call]) = same.map(|same| &same.calls[..]) else { continue };
            let Some(first) = self.calls[call].answer.filter(|first| turns[*first] < turns[index]) else { continue };
            let words = |index: usize| self.messages[index].blocks.iter().map(Block::words);
            if words(first).eq(words(index)) {
                continue;
            }
            if let Ok(found) = results.binary_search_by_key(&first, |(index, _)| *index) {
                results[found].1 = Fate::Interim;
            }
            results[at].1 = Fate::Answers(call);
            self.calls[call].answer = Some(index);
        }
    }

    /// The frame that a message stands behind.
    fn frame_before(&self, index: usize) -> Option<&'m Frame> {
        let at = self.frames.partition_point(|frame| frame.message < index);
        at.checked_sub(1).map(|at| &self.frames[at])
    }

    /// Steps 1 and 2.
    fn in_frame(&mut self, index: usize) -> Option<Fate> {
        let id = self.result_id(index)?;
        let frame = self.frame_before(index)?;
        let synthetic = self.is_synthetic(index);
        self.know_ids();
        if let Some(same) = self.ids.as_mut().and_then(|ids| ids.get_mut(id)) {
            if same.calls.get(same.next).is_none_or(|call| *call < frame.calls.start) {
                same.next = same.next.max(same.calls.partition_point(|call| *call < frame.calls.start));
            }
            let known = same.calls.partition_point(|call| *call < frame.calls.end)
                > same.calls.partition_point(|call| *call < frame.calls.start);
            if let Some(call) = same.calls.get(same.next).copied().filter(|call| frame.calls.contains(call)) {
                same.next += 1;
                if synthetic {
                    same.synthetic.push_back(call);
                }
                return Some(Fate::Answers(call));
            }
            if known {
                if synthetic {
                    return Some(Fate::Duplicate);
                }
                // Frames come one after the other, so what is left of earlier ones is never asked for again.
                while same.synthetic.front().is_some_and(|call| *call < frame.calls.start) {
                    same.synthetic.pop_front();
                }
                return Some(same.synthetic.pop_front().map_or(Fate::Duplicate, Fate::Answers));
            }
            return None;
        }
        self.steps.repair("pairing/half-of-an-id").then(|| self.by_half(id, frame)).flatten()
    }

    fn by_half(&mut self, id: &str, frame: &Frame) -> Option<Fate> {
        let wanted = half(id);
        if self.halves.as_ref().is_none_or(|(message, _)| *message != frame.message) {
            let mut halves: HashMap<&str, Halves> = HashMap::new();
            for at in frame.calls.clone() {
                let Some(call) = call_id(self.messages, &self.calls[at]) else { continue };
                let same = halves.entry(half(call)).or_default();
                let side = if half(call).len() == call.len() { &mut same.plain } else { &mut same.composite };
                if side.0 == 0 {
                    side.1 = at;
                }
                side.0 += 1;
            }
            self.halves = Some((frame.message, halves));
        }
        let same = self.halves.as_ref().and_then(|(_, halves)| halves.get(wanted)).copied().unwrap_or_default();
        // Two plain ids are no halves of each other.
        let plain = if id.len() == wanted.len() { (0, 0) } else { same.plain };
        let (((1, call), (0, _)) | ((0, _), (1, call))) = (plain, same.composite) else { return None };
        Some(if self.calls[call].answer.is_some() { Fate::Duplicate } else { Fate::Answers(call) })
    }

    /// Step 3.
    fn anywhere(&mut self, index: usize) -> Option<Fate> {
        let id = self.result_id(index)?;
        let synthetic = self.is_synthetic(index);
        self.know_ids();
        let calls = &self.calls;
        let is_open = |call: &usize| {
            let call = &calls[*call];
            call.answer.is_none() || (call.synthetic && !synthetic)
        };
        let same = self.ids.as_mut()?.get_mut(id)?;
        let open = same.open[usize::from(synthetic)].get_or_insert_with(|| same.calls.iter().copied().collect());
        while open.front().is_some_and(|call| !is_open(call)) {
            open.pop_front();
        }
        while open.get(1).is_some_and(|call| !is_open(call)) {
            open.remove(1);
        }
        let (first, second) = (open.front().copied(), open.get(1));
        Some(match (first, second) {
            (Some(call), None) => Fate::Answers(call),
            (Some(_), Some(_)) => Fate::Ambiguous,
            (None, _) => Fate::Duplicate,
        })
    }

    /// The frame that a result without an id may belong to: nobody spoke in between (P5).
    fn frame_right_before(&self, index: usize) -> Option<&'m Frame> {
        self.frame_before(index).filter(|frame| self.users[frame.message] == self.users[index])
    }

    /// Steps 4 to 6, frame by frame; `unclaimed` are the places in `results` that nobody has claimed.
    fn without_ids(&mut self, results: &mut [(usize, Fate)], unclaimed: &[usize]) {
        let mut at = 0;
        while at < unclaimed.len() {
            let Some(frame) = self.frame_right_before(results[unclaimed[at]].0) else {
                at += 1;
                continue;
            };
            let behind = unclaimed[at..].partition_point(|place| {
                self.frame_right_before(results[*place].0).is_some_and(|other| other.message == frame.message)
            });
            let group = &unclaimed[at..at + behind];
            at += behind.max(1);
            if self.steps.repair("pairing/by-name") {
                self.by_name(results, group, frame);
            }
            self.one_open(results, group, frame);
        }
    }

    /// Step 4 for the unclaimed results behind a frame.
    fn by_name(&mut self, results: &mut [(usize, Fate)], group: &[usize], frame: &Frame) {
        // The one open call of each name, and who claims it; none where two have the name.
        let mut open: HashMap<&str, Option<usize>> = HashMap::new();
        let mut claims: Vec<(usize, Vec<usize>)> = Vec::new();
        for call in frame.calls.clone().filter(|call| self.calls[*call].answer.is_none()) {
            let Some(name) = self.call_name(call) else { continue };
            open.entry(name).and_modify(|only| *only = None).or_insert(Some(claims.len()));
            claims.push((call, Vec::new()));
        }
        let claimed = |name: Option<&str>| open.get(name?).copied().flatten();
        for place in group {
            let index = results[*place].0;
            let id = self.result_id(index);
            let by_id = claimed(id).filter(|claim| self.names_agree(index, claims[*claim].0));
            // A call with an id does not take a result with another.
            let may = |claim: &usize| id.is_none() || self.call_id(claims[*claim].0).is_none();
            if let Some(claim) = by_id.or_else(|| claimed(self.result_name(index)).filter(may)) {
                claims[claim].1.push(*place);
            }
        }
        for (call, places) in claims {
            self.give(results, call, &places);
        }
    }

    /// Steps 5 and 6 for the unclaimed results behind a frame.
    fn one_open(&mut self, results: &mut [(usize, Fate)], group: &[usize], frame: &Frame) {
        let mut open = frame.calls.clone().filter(|call| self.calls[*call].answer.is_none());
        let (Some(call), None) = (open.next(), open.next()) else { return };
        let no_id = self.call_id(call).is_none();
        let left = || group.iter().copied().filter(|place| results[*place].1 == Fate::Orphan);
        if no_id && left().nth(1).is_some() {
            return;
        }
        let may = |place: &usize| no_id || self.result_id(results[*place].0).is_none();
        let places: Vec<_> = left().filter(|place| may(place) && self.names_agree(results[*place].0, call)).collect();
        self.give(results, call, &places);
    }

    /// Gives an open call the first real one of the results that can only be its own. One without an id takes none where
    /// there are two.
    fn give(&mut self, results: &mut [(usize, Fate)], call: usize, places: &[usize]) {
        if places.len() > 1 && self.call_id(call).is_none() {
            return;
        }
        let Some(chosen) = places.iter().copied().min_by_key(|place| self.is_synthetic(results[*place].0)) else {
            return;
        };
        for place in places {
            results[*place].1 = Fate::Duplicate;
        }
        self.set(results, chosen, Fate::Answers(call));
    }

    fn call_id(&self, call: usize) -> Option<&'m str> {
        call_id(self.messages, &self.calls[call])
    }

    fn call_name(&self, call: usize) -> Option<&'m str> {
        call_of(self.messages, &self.calls[call])?.name.as_deref()
    }

    fn result_name(&self, index: usize) -> Option<&'m str> {
        let messages = self.messages;
        messages[index].result.as_ref()?.tool_name.as_deref()
    }

    fn names_agree(&self, result: usize, call: usize) -> bool {
        let named = self.result_name(result).filter(|name| *name != NO_NAME);
        named.zip(self.call_name(call)).is_none_or(|(a, b)| a == b)
    }
}
