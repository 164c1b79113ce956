//! What becomes of each call, now that it is known who answers it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::dialects::openai_chat::read;
use crate::read::call::call_mut;
use crate::repair::pairing::{Call, Fate, Plan, block_at, call_of};
use crate::repair::{Repairs, trimmed};
use wirecanon_model::report::{Renamed, Severity};
use wirecanon_model::transcript::{Block, Message, Role, Transcript};
use wirecanon_model::{Dialect, Mode, rule, text};

/// Drops the calls that must go, names and numbers those that stay, and answers those that nobody answered. New results
/// are put at the end of the transcript, for [`crate::repair::order`] to place.
pub(crate) fn settle<'a>(transcript: &mut Transcript<'a>, plan: &mut Plan, repairs: &mut Repairs<'a, '_>) {
    let open_from = match repairs.mode {
        Mode::Request => usize::MAX,
        Mode::History => open_from(&transcript.messages),
    };
    let steps = repairs.steps;
    let mut ids = Ids::default();
    for frame in 0..plan.frames.len() {
        let calls = plan.frames[frame].calls.clone();
        let trailing = plan.frames[frame].message >= open_from;
        for at in calls.clone() {
            if let Some(why) = must_go(transcript, &plan.calls[at]).filter(|_| steps.repair("pairing/gone")) {
                drop_call(transcript, plan, at, why, repairs);
                continue;
            }
            if steps.repair("pairing/older-field") {
                modernise(transcript, &plan.calls[at], calls.len(), repairs);
            }
            if steps.repair("pairing/kept") {
                keep_call(transcript, &plan.calls[at], &mut ids, repairs);
            }
        }
        remove_dropped(transcript, plan, frame);
        if steps.repair("pairing/distinct-ids") {
            distinct_ids(transcript, plan, calls.clone(), &mut ids, repairs);
        }
        let answers = !trailing && steps.repair("pairing/answer");
        for at in calls.filter(|_| answers) {
            let call = &plan.calls[at];
            if !call.dropped && call.answer.is_none() {
                plan.calls[at].answer = Some(answer(transcript, call, repairs));
                plan.calls[at].synthetic = true;
            }
        }
    }
    for call in plan.calls.iter().filter(|call| !call.dropped && steps.repair("pairing/agree")) {
        if let Some(answer) = call.answer {
            agree(transcript, call, answer, repairs);
        }
    }
}

/// Index of the first message of the last turn, if nothing but results stands behind it.
fn open_from(messages: &[Message<'_>]) -> usize {
    messages.iter().rposition(|message| message.role != Role::ToolResult).unwrap_or(usize::MAX)
}

/// Why a call goes.
type Gone = (&'static rule::Rule, &'static str);

fn must_go(transcript: &Transcript<'_>, call: &Call) -> Option<Gone> {
    let found = call_of(&transcript.messages, call)?;
    let answered = call.answer.is_some() && !call.synthetic;
    if answered {
        return None;
    }
    if found.unfinished {
        Some((&rule::UNFINISHED_TOOL_CALL, "a call that was cut off and never answered was left out"))
    } else if transcript.messages[call.message].failed() {
        Some((&rule::FAILED_TURN_TOOL_CALL, "a call of a failed turn that was never answered was left out"))
    } else if found.id.is_none() && call.answer.is_none() && !is_legacy(transcript, call) {
        let words = "a call without an id, and without a result that can only be its own, was left out";
        Some((&rule::TOOL_CALL_WITHOUT_ID, words))
    } else {
        let words = "a call without a name that was never answered was left out";
        found.name.is_none().then_some((&rule::TOOL_CALL_WITHOUT_NAME, words))
    }
}

/// OpenAI's older field has no ids; its calls are whole without.
fn is_legacy(transcript: &Transcript<'_>, call: &Call) -> bool {
    transcript.dialect == Dialect::OpenAiChat && has_legacy_mark(transcript, call)
}

fn has_legacy_mark(transcript: &Transcript<'_>, call: &Call) -> bool {
    block_at(&transcript.messages, call)
        .is_some_and(|block| block.native_field(Dialect::OpenAiChat.name(), read::LEGACY).is_some())
}

/// OpenAI's older field has room for one call without an id, answered by role `function`. Anything else takes the newer
/// form.
fn modernise<'a>(transcript: &mut Transcript<'a>, call: &Call, calls: usize, repairs: &mut Repairs<'a, '_>) {
    let own = |message: &Message<'_>| message.native_field(Dialect::OpenAiChat.name(), "role").is_some();
    let fits = calls == 1 && call.answer.is_none_or(|answer| own(&transcript.messages[answer]));
    if fits || !is_legacy(transcript, call) {
        return;
    }
    let Some(block) = with_call(&mut transcript.messages, call) else { return };
    if let Some(native) = &mut block.native {
        native.remove(Dialect::OpenAiChat.name(), read::LEGACY);
    }
    let what = "a `function_call` that its field has no room for became one of `tool_calls`";
    repairs.mend(&rule::FIELD_ALIAS, block, what);
}

fn drop_call<'a>(
    transcript: &mut Transcript<'a>,
    plan: &mut Plan,
    at: usize,
    (rule, words): Gone,
    repairs: &mut Repairs<'a, '_>,
) {
    let call = &mut plan.calls[at];
    call.dropped = true;
    let source = source_of(&transcript.messages, call);
    repairs.entry(rule, Severity::Loss, source, None, words);
    if let Some(answer) = call.answer.take()
        && let Ok(found) = plan.results.binary_search_by_key(&answer, |(index, _)| *index)
    {
        plan.results[found].1 = Fate::Orphan;
    }
}

fn source_of(messages: &[Message<'_>], call: &Call) -> Option<u32> {
    block_at(messages, call).and_then(|block| block.source)
}

fn remove_dropped(transcript: &mut Transcript<'_>, plan: &mut Plan, frame: usize) {
    let frame = &plan.frames[frame];
    let calls = &mut plan.calls[frame.calls.clone()];
    let message = &mut transcript.messages[frame.message];
    let mut gone = calls.iter().filter(|call| call.dropped).map(|call| call.block).peekable();
    if gone.peek().is_none() {
        return;
    }
    // Calls and blocks are in the same order.
    message.blocks.retain(|block| gone.next_if_eq(&block.id).is_none());
    message.dirty = true;
    let mut position = 0;
    for call in calls.iter_mut().filter(|call| !call.dropped) {
        while message.blocks[position].id != call.block {
            position += 1;
        }
        call.position = position;
    }
}

fn with_call<'m, 'a>(messages: &'m mut [Message<'a>], call: &Call) -> Option<&'m mut Block<'a>> {
    messages[call.message].blocks.get_mut(call.position).filter(|block| block.id == call.block)
}

/// Gives a call that stays what it lacks: an id, a name, an end.
fn keep_call<'a>(transcript: &mut Transcript<'a>, call: &Call, ids: &mut Ids, repairs: &mut Repairs<'a, '_>) {
    let legacy = is_legacy(transcript, call);
    let head = call.answer.and_then(|answer| transcript.messages[answer].result.as_deref());
    let (answer_id, answer_name) =
        (head.and_then(|head| head.call_id.clone()), head.and_then(|head| head.tool_name.clone()));
    let Some(found) = call_of(&transcript.messages, call) else { return };
    let minted = found.id.is_none().then(|| answer_id.unwrap_or_else(|| Cow::Owned(ids.mint(transcript))));
    let Some(block) = with_call(&mut transcript.messages, call) else { return };
    let Some(found) = call_mut(block) else { return };
    let mut faults: Vec<(&'static rule::Rule, Cow<'static, str>)> = Vec::new();
    if let Some(id) = minted {
        if !legacy {
            let what = format!("the call has no id; it was given `{id}`, with its result");
            faults.push((&rule::TOOL_CALL_WITHOUT_ID, what.into()));
        }
        found.id = Some(id);
    }
    if found.name.is_none() {
        let from = if answer_name.is_some() { "its result's was taken" } else { "nor has its result; it was given" };
        let name = answer_name.map_or(Cow::Borrowed(text::UNNAMED_TOOL), trimmed);
        faults.push((&rule::TOOL_CALL_WITHOUT_NAME, format!("the call has no name; {from}: `{name}`").into()));
        found.name = Some(name);
    }
    if std::mem::take(&mut found.unfinished) {
        let what = "the call was answered; what its streaming left behind was taken off";
        faults.push((&rule::STREAMING_MARKER, what.into()));
    }
    for (rule, what) in faults {
        repairs.mend(rule, block, what);
    }
}

/// Writes a result that never came; gives its index.
fn answer<'a>(transcript: &mut Transcript<'a>, call: &Call, repairs: &mut Repairs<'a, '_>) -> usize {
    let found = call_of(&transcript.messages, call);
    let (id, name) = found.map(|call| (call.id.clone(), call.name.clone())).unwrap_or_default();
    let source = source_of(&transcript.messages, call);
    let legacy = has_legacy_mark(transcript, call);
    let mut message = transcript.stand_in(id, name);
    if legacy {
        message.native.get_or_insert_default().add(Dialect::OpenAiChat.name(), "role", "\"function\"");
    }
    let what = "nothing answers the call; an error result that says so was added";
    repairs.entry(&rule::TOOL_CALL_WITHOUT_RESULT, Severity::Mend, source, Some(message.id), what);
    transcript.messages.push(message);
    transcript.messages.len() - 1
}

/// Makes ids distinct within a turn; the first keeps its spelling.
fn distinct_ids<'a>(
    transcript: &mut Transcript<'a>,
    plan: &Plan,
    calls: std::ops::Range<usize>,
    ids: &mut Ids,
    repairs: &mut Repairs<'a, '_>,
) {
    /// Calls that are compared with each other.
    const FEW: usize = 16;
    let kept = || plan.calls[calls.clone()].iter().filter(|call| !call.dropped);
    let known = || kept().filter_map(|call| call_of(&transcript.messages, call)?.id.as_deref());
    if calls.len() <= FEW && known().enumerate().all(|(at, id)| known().take(at).all(|other| other != id)) {
        return;
    }
    let mut seen: HashSet<Cow<'a, str>> = HashSet::new();
    for call in plan.calls[calls].iter().filter(|call| !call.dropped) {
        let Some(id) = call_of(&transcript.messages, call).and_then(|call| call.id.clone()) else { continue };
        if seen.insert(id.clone()) {
            continue;
        }
        let fresh = ids.next_of(&id, transcript);
        seen.insert(Cow::Owned(fresh.clone()));
        let answered = call.answer.is_some() && !call.synthetic;
        let severity = if answered { Severity::Mend } else { Severity::Ambiguous };
        let Some(block) = with_call(&mut transcript.messages, call) else { continue };
        let what = format!("the turn calls `{id}` twice; this one became `{fresh}`");
        repairs.change(&rule::DUPLICATE_TOOL_CALL_ID, severity, block, what);
        let input = block.source.map(|source| repairs.cursor.pointer(repairs.json.value(source)));
        repairs.report.ids.push(Renamed { from: id.into_owned(), to: fresh.clone(), input });
        if let Some(found) = call_mut(block) {
            found.id = Some(Cow::Owned(fresh));
        }
    }
}

/// Makes a result say the id and the name of its call.
fn agree<'a>(transcript: &mut Transcript<'a>, call: &Call, answer: usize, repairs: &mut Repairs<'a, '_>) {
    let Some(found) = call_of(&transcript.messages, call) else { return };
    let (id, name) = (found.id.clone(), found.name.clone());
    let (legacy, marked) = (is_legacy(transcript, call), has_legacy_mark(transcript, call));
    // The result of a call in `function_call` has nothing but the name to say which it answers.
    let named = transcript.dialect.results_are_named() || legacy;
    let message = &mut transcript.messages[answer];
    let (source, about) = (message.source, Some(message.id));
    if !marked && let Some(native) = &mut message.native {
        message.dirty |= native.remove(Dialect::OpenAiChat.name(), "role");
    }
    let Some(head) = &mut message.result else { return };
    if head.call_id != id {
        if !legacy || head.call_id.is_some() {
            let words = match &head.call_id {
                None => "the result named no call; it can only answer this one".to_owned(),
                Some(old) => {
                    format!("the result named its call `{old}`; the call is `{}`", id.as_deref().unwrap_or_default())
                }
            };
            repairs.entry(&rule::TOOL_RESULT_WITHOUT_ID, Severity::Mend, source, about, words);
            message.dirty = true;
        }
        head.call_id = id;
    }
    if head.tool_name == name {
        return;
    }
    // Where the dialect does not demand a name but one stands there, it must not contradict the call's.
    if named || (head.tool_name.is_some() && source.is_some()) {
        let called = name.as_deref().unwrap_or_default();
        let (rule, words) = match &head.tool_name {
            None => (
                &rule::TOOL_RESULT_NAME_MISSING,
                format!("the result named no tool; its call's name was taken: `{called}`"),
            ),
            Some(old) => {
                (&rule::TOOL_RESULT_NAME_MISMATCH, format!("the result was named `{old}`; its call is `{called}`"))
            }
        };
        repairs.entry(rule, Severity::Mend, source, about, words);
        message.dirty = true;
    }
    head.tool_name = name;
}

/// New ids, past every id in the transcript.
#[derive(Default)]
struct Ids {
    taken: Option<HashSet<String>>,
    minted: usize,
    suffixes: HashMap<String, usize>,
}

impl Ids {
    fn taken(&mut self, transcript: &Transcript<'_>) -> &mut HashSet<String> {
        self.taken.get_or_insert_with(|| {
            let messages = &transcript.messages;
            let calls = messages.iter().flat_map(Message::calls).filter_map(|call| call.id.as_deref());
            let results = messages.iter().filter_map(|message| message.result.as_ref()?.call_id.as_deref());
            calls.chain(results).map(str::to_owned).collect()
        })
    }

    fn mint(&mut self, transcript: &Transcript<'_>) -> String {
        loop {
            self.minted += 1;
            let id = format!("call_{}", self.minted);
            if self.taken(transcript).insert(id.clone()) {
                return id;
            }
        }
    }

    fn next_of(&mut self, id: &str, transcript: &Transcript<'_>) -> String {
        let mut suffix = self.suffixes.get(id).copied().unwrap_or(1);
        loop {
            suffix += 1;
            let fresh = format!("{id}_{suffix}");
            if self.taken(transcript).insert(fresh.clone()) {
                self.suffixes.insert(id.to_owned(), suffix);
                return fresh;
            }
        }
    }
}
