//! How a conversation that is sent now must open and close.

use std::collections::HashSet;

use crate::adapt::items::half_of_a_pair;
use crate::print::Writer;
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, Transcript};
use wirecanon_model::{Dialect, Mode, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if transcript.fragment {
        return;
    }
    if writer.mode == Mode::Request {
        ends(transcript, writer);
    }
    if let Some(mark) = writer.target.order.prefix_mark.clone() {
        prefixes(transcript, &mark, writer);
    }
}

/// How it opens and closes.
fn ends<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let order = writer.target.order.clone();
    if !writer.target.reasoning.trailing {
        trailing_thinking(transcript, writer);
    }
    let first = transcript.messages.iter().position(|message| message.role != Role::System);
    if order.opens_with_user && first.is_some_and(|first| transcript.messages[first].role == Role::Assistant) {
        let what = "the target wants the user to open; a turn that says so was put in front";
        insert(transcript, first.unwrap_or_default(), text::OPENING, writer, &rule::LEADING_ASSISTANT, what);
    }
    if order.needs_message && first.is_none() {
        let end = transcript.messages.len();
        insert(transcript, end, text::EMPTY_MESSAGE, writer, &rule::NO_MESSAGES, "the target wants a message at least");
    }
    let last_is_assistant = transcript.messages.last().is_some_and(|message| message.role == Role::Assistant);
    if !last_is_assistant {
        return;
    }
    let goes_on = writer.target.dialect == Dialect::AnthropicMessages && is_paused(transcript);
    // Where the target demands definitions, they are added.
    let has_tools = !transcript.tools.is_empty() || writer.target.content.definitions;
    if !goes_on && (!order.prefill || !order.prefill_after_results && has_tools && is_behind_results(transcript)) {
        let end = transcript.messages.len();
        let what = "the target does not go on with the assistant's words; a turn of the user was put behind them";
        insert(transcript, end, text::CLOSING, writer, &rule::TRAILING_ASSISTANT, what);
    } else if !order.trailing_white_space {
        trailing_white_space(transcript, writer);
    }
}

/// Returns whether the server goes on with the last turn: it paused behind a call of its own, or ends in the result of one.
fn is_paused(transcript: &Transcript<'_>) -> bool {
    let begin = transcript.messages.iter().rposition(|message| message.role == Role::User).map_or(0, |at| at + 1);
    let blocks = transcript.messages[begin..].iter().flat_map(|message| &message.blocks);
    let mut open = HashSet::new();
    for (_, is_call, id) in blocks.filter_map(half_of_a_pair) {
        if is_call {
            open.insert(id);
        } else {
            open.remove(&id);
        }
    }
    let last = transcript.messages.last().and_then(|message| message.blocks.last());
    !open.is_empty() || last.and_then(half_of_a_pair).is_some_and(|(_, is_call, _)| !is_call)
}

/// The mark of a message that is to be gone on with: on the last one of the model, if it is the last of all and is sent
/// ("Expected last role User or Tool (or Assistant with prefix True)"), and on no other.
fn prefixes<'a>(transcript: &mut Transcript<'a>, mark: &str, writer: &mut Writer<'a, '_>) {
    let dialect = writer.target.dialect.name();
    let last = transcript.messages.len().saturating_sub(1);
    for (at, message) in transcript.messages.iter_mut().enumerate() {
        if message.role != Role::Assistant {
            continue;
        }
        let marked = message.native_field(dialect, mark) == Some("true");
        let wanted = at == last && (marked || writer.mode == Mode::Request);
        if marked == wanted {
            continue;
        }
        let native = message.native.get_or_insert_default();
        native.remove(dialect, mark);
        let (rule, what) = if wanted {
            native.add(dialect, mark.to_owned(), "true");
            (&rule::TRAILING_ASSISTANT, "the target goes on with the assistant's words only where they are marked so")
        } else {
            (&rule::MISPLACED_PREFIX, "only the last message can be gone on with; the mark was taken off")
        };
        writer.adapt(rule, message, what);
    }
}

/// Returns whether the turn before the model's last one holds tool results.
fn is_behind_results(transcript: &Transcript<'_>) -> bool {
    let before = transcript.messages.iter().rev().skip_while(|message| message.role == Role::Assistant);
    before.take_while(|message| message.role != Role::Assistant).any(|message| message.role == Role::ToolResult)
}

fn insert<'a>(
    transcript: &mut Transcript<'a>,
    at: usize,
    words: &'static str,
    writer: &mut Writer<'a, '_>,
    rule: &'static Rule,
    what: &'static str,
) {
    let block = Block::new(transcript.mint(), BlockKind::Text(words.into()));
    let message = Message::new(transcript.mint(), Role::User, vec![block]);
    let neighbour = transcript.messages.get(at).or(transcript.messages.last()).and_then(|message| message.source);
    writer.entry(rule, Severity::Adapt, neighbour, Some(message.id), what);
    transcript.messages.insert(at, message);
}

/// "The final block in an assistant message cannot be `thinking`", when that message is the last.
fn trailing_thinking<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    while let Some(message) = transcript.messages.last_mut().filter(|message| message.role == Role::Assistant) {
        while matches!(message.blocks.last(), Some(Block { kind: BlockKind::Thinking(_), .. })) {
            let Some(block) = message.blocks.pop() else { break };
            message.dirty = true;
            let what = "the target does not take a last turn that ends in reasoning; it was left out";
            writer.entry(&rule::TRAILING_THINKING, Severity::Loss, block.source, None, what);
        }
        if !message.blocks.is_empty() {
            return;
        }
        transcript.messages.pop();
    }
}

/// "final assistant content cannot end with trailing whitespace".
fn trailing_white_space<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let Some(message) = transcript.messages.last_mut() else { return };
    let Some(block) = message.blocks.last_mut() else { return };
    let BlockKind::Text(words) = &mut block.kind else { return };
    let said = words.get();
    let kept = said.trim_end().len();
    if kept == said.len() {
        return;
    }
    *words = said[..kept].to_owned().into();
    let what = "white space at the end of the last text was taken off";
    writer.change(&rule::TRAILING_WHITE_SPACE, Severity::Mend, block, what);
}
