//! Calls that stand as items of one API alone, with what the tool answered: elsewhere they are calls with results, as the
//! tool's real answer survives wherever its call does (BerriAI/litellm#20905).

use std::collections::{HashMap, HashSet};

use crate::print::Writer;
use crate::read::item_calls::{
    Answer as AnswerOfItem, Call as CallOfItem, Said as SaidByItem, Told as ToldByItem, told as told_by_item,
};
use wirecanon_json::{Json, Limits};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{
    Arguments, Block, BlockKind, Media, Message, ResultHead, Role, StopReason, ToolCall, Transcript,
};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect == Dialect::Canonical {
        return;
    }
    let mut pairs = pairs(transcript, writer);
    if pairs.answered.is_empty() {
        return;
    }
    let mut placed = Vec::with_capacity(transcript.messages.len() + 2 * pairs.answered.len());
    let mut touched = HashSet::new();
    let mut messages = std::mem::take(&mut transcript.messages).into_iter().peekable();
    while let Some(message) = messages.next() {
        let tells = |block: &Block<'_>| pairs.answered.contains_key(&block.id) || pairs.answers.contains(&block.id);
        if message.blocks.iter().any(tells) {
            // Results of the client's tools stand behind the whole turn, and go behind the step that has their calls.
            let is_result = |next: &Message<'_>| next.role == Role::ToolResult && next.result.is_some();
            let mut own: Vec<_> = std::iter::from_fn(|| messages.next_if(is_result)).collect();
            let mut steps = Steps { placed: &mut placed, touched: &mut touched, own: &mut own };
            split(message, &mut pairs, transcript, &mut steps, writer);
            placed.append(&mut own);
        } else {
            placed.push(message);
        }
    }
    for at in 0..placed.len() {
        if touched.contains(&placed[at].id) {
            in_order(&mut placed, at);
        }
    }
    transcript.messages = placed;
}

/// Calls that are answered, by the numbers of their blocks.
struct Pairs {
    answered: HashMap<u32, Pair>,
    /// Blocks that are answers and nothing else
    answers: HashSet<u32>,
}

struct Pair {
    call: CallOfItem,
    answer: AnswerOfItem,
    /// Where the answer was read
    source: Option<u32>,
}

fn pairs(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> Pairs {
    let mut pairs = Pairs { answered: HashMap::new(), answers: HashSet::new() };
    let mut open: HashMap<String, u32> = HashMap::new();
    let mut calls: HashMap<u32, CallOfItem> = HashMap::new();
    for block in transcript.messages.iter().flat_map(|message| &message.blocks) {
        match told(block, writer) {
            Some(ToldByItem::Call(call)) => {
                open.extend(call.ids.iter().map(|id| (id.clone(), block.id)));
                calls.insert(block.id, call);
            }
            Some(ToldByItem::Answer(answer)) => {
                let at = answer.ids.iter().find_map(|id| open.get(id)).copied();
                if let Some((at, call)) = at.and_then(|at| Some((at, calls.remove(&at)?))) {
                    pairs.answers.insert(block.id);
                    pairs.answered.insert(at, Pair { call, answer, source: block.source });
                }
            }
            Some(ToldByItem::Both(call, answer)) => {
                pairs.answered.insert(block.id, Pair { call, answer, source: block.source });
            }
            Some(ToldByItem::Alias(id, also)) => {
                if let Some(at) = open.get(&id).copied() {
                    open.insert(also, at);
                }
            }
            None => {}
        }
    }
    pairs
}

fn told(block: &Block<'_>, writer: &Writer<'_, '_>) -> Option<ToldByItem> {
    let BlockKind::Opaque(opaque) = &block.kind else { return None };
    if opaque.dialect == writer.target.dialect.name() {
        return None;
    }
    let json = Json::parse(&opaque.value, &Limits::default()).ok()?;
    told_by_item(&opaque.dialect, json.root())
}

/// Puts a message where it stood: its calls are calls now, each with its result behind them, and what was said behind a
/// result is a turn of its own.
fn split<'a>(
    mut message: Message<'a>,
    pairs: &mut Pairs,
    transcript: &mut Transcript<'a>,
    steps: &mut Steps<'_, 'a>,
    writer: &mut Writer<'a, '_>,
) {
    let blocks = std::mem::take(&mut message.blocks);
    message.dirty = true;
    let mut results = Vec::new();
    for mut block in blocks {
        let over = pairs.answers.contains(&block.id);
        if over && !results.is_empty() {
            end_step(&mut message, &mut results, transcript, steps);
        }
        if over {
            continue;
        }
        if let Some(pair) = pairs.answered.remove(&block.id) {
            let in_one = pair.source == block.source;
            results.push(take(&mut block, pair, transcript, writer));
            message.blocks.push(block);
            if in_one {
                end_step(&mut message, &mut results, transcript, steps);
            }
            continue;
        }
        message.blocks.push(block);
    }
    if !results.is_empty() {
        end_step(&mut message, &mut results, transcript, steps);
    }
    if !message.blocks.is_empty() {
        steps.placed.push(message);
    }
}

/// Puts down what the model said so far, and what its tools answered. The rest of the turn follows as one of its own.
fn end_step<'a>(
    message: &mut Message<'a>,
    results: &mut Vec<Message<'a>>,
    transcript: &mut Transcript<'a>,
    steps: &mut Steps<'_, 'a>,
) {
    let mut rest = Message::new(transcript.mint(), message.role, Vec::new());
    rest.source = message.source;
    rest.stop_reason = message.stop_reason;
    let mut step = std::mem::replace(message, rest);
    step.stop_reason = step.stop_reason.map(|_| StopReason::ToolUse);
    let called: HashSet<_> = step.calls().filter_map(|call| call.id.as_deref()).collect();
    let is_of_step = |result: &Message<'_>| {
        result.result.as_ref().and_then(|head| head.call_id.as_deref()).is_some_and(|id| called.contains(id))
    };
    results.extend(steps.own.extract_if(.., |result| is_of_step(result)));
    drop(called);
    steps.touched.insert(step.id);
    steps.placed.push(step);
    steps.placed.append(results);
}

/// Where the steps of a turn go.
struct Steps<'s, 'a> {
    placed: &'s mut Vec<Message<'a>>,
    /// Turns that got results
    touched: &'s mut HashSet<u32>,
    /// Results of the client's tools that stood behind the turn
    own: &'s mut Vec<Message<'a>>,
}

/// Makes a call of an item; gives its result.
fn take<'a>(
    block: &mut Block<'a>,
    pair: Pair,
    transcript: &mut Transcript<'a>,
    writer: &mut Writer<'a, '_>,
) -> Message<'a> {
    let Pair { call, answer, source } = pair;
    let (id, name) = (call.ids.into_iter().next().unwrap_or_default(), call.name);
    let rule = &rule::OPAQUE_ITEM_LEFT_OUT;
    let what = format!("an item that only its own API has became a call of `{name}`");
    writer.entry(rule, Severity::Adapt, block.source, Some(block.id), what);
    let said = match answer.said {
        SaidByItem::Texts(texts) => texts.into_iter().map(|text| BlockKind::Text(text.into())).collect(),
        SaidByItem::Picture(data, mime) => {
            vec![BlockKind::Image(Box::new(Media { data: Some(data.into()), mime_type: Some(mime.into()) }))]
        }
    };
    let said = if said.is_empty() { vec![BlockKind::Text(wirecanon_model::text::NO_OUTPUT.into())] } else { said };
    let blocks = said.into_iter().map(|kind| Block::new(transcript.mint(), kind)).collect();
    let mut result = Message::new(transcript.mint(), Role::ToolResult, blocks);
    result.source = source;
    result.result = Some(Box::new(ResultHead {
        call_id: Some(id.clone().into()),
        tool_name: Some(name.clone().into()),
        is_error: answer.is_error,
        synthetic: false,
    }));
    if source != block.source {
        let what = "what came of it became the result of that call";
        writer.entry(rule, Severity::Adapt, source, Some(result.id), what);
    }
    let arguments = Arguments::Json(call.arguments.into());
    let call = ToolCall { id: Some(id.into()), name: Some(name.into()), arguments, unfinished: false };
    block.kind = BlockKind::ToolCall(Box::new(call));
    (block.native, block.projected, block.dirty) = (None, false, true);
    result
}

/// Puts the results behind a turn in the order of its calls.
fn in_order(messages: &mut [Message<'_>], at: usize) {
    let (before, behind) = messages.split_at_mut(at + 1);
    let Some(turn) = before.last() else { return };
    let order: HashMap<&str, usize> =
        turn.calls().enumerate().filter_map(|(at, call)| Some((call.id.as_deref()?, at))).collect();
    let results = behind.iter().take_while(|message| message.role == Role::ToolResult).count();
    behind[..results].sort_by_key(|message| {
        let id = message.result.as_ref().and_then(|head| head.call_id.as_deref());
        id.and_then(|id| order.get(id)).copied().unwrap_or(usize::MAX)
    });
}
