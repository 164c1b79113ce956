//! Instructions: where the target has no place for them, marked text of the user in the same place.

use std::collections::HashSet;

use crate::adapt::items;
use crate::dialects::Described as _;
use crate::dialects::anthropic_messages::item::sets_options as sets_anthropic_options;
use crate::print::Writer;
use crate::read::spec::SystemField;
use wirecanon_model::report::Severity;
use wirecanon_model::target::SystemPlace;
use wirecanon_model::transcript::{Block, BlockKind, Container, Message, Role, Transcript};
use wirecanon_model::{Dialect, rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let anywhere = writer.target.order.system == SystemPlace::Anywhere;
    let field = writer.target.dialect.spec().system;
    options(transcript, anywhere, writer);
    if anywhere && !matches!(field, SystemField::Beside(_)) {
        return;
    }
    if writer.target.order.system == SystemPlace::BehindUser {
        behind_user(transcript, writer);
        return leave_out_cleared(transcript);
    }
    let in_front = count_in_front(transcript, writer);
    if writer.same && field != SystemField::InList {
        put_beside(transcript, in_front, writer);
    }
    for at in in_front..transcript.messages.len() {
        if is_misplaced(&transcript.messages, at, in_front, writer) {
            as_user(&mut transcript.messages[at], writer);
        }
    }
    leave_out_cleared(transcript);
    if writer.target.order.system == SystemPlace::One {
        into_one(transcript, in_front, writer);
    }
}

/// Joins the instructions in front, so many messages, into one.
fn into_one<'a>(transcript: &mut Transcript<'a>, in_front: usize, writer: &mut Writer<'a, '_>) {
    let others: Vec<_> = transcript.messages.drain(in_front.min(1)..in_front).collect();
    for mut message in others {
        let first = &mut transcript.messages[0];
        first.blocks.append(&mut message.blocks);
        first.dirty = true;
        let what = "the server reads only one message of instructions; these joined the first";
        writer.entry(&rule::MISPLACED_SYSTEM, Severity::Adapt, message.source, Some(first.id), what);
    }
}

/// Removes the instructions that [`as_user`] cleared.
fn leave_out_cleared(transcript: &mut Transcript<'_>) {
    transcript.messages.retain(|message| message.role != Role::System || !message.dirty || !message.blocks.is_empty());
}

/// Options without a word go where there is no place for them.
fn options<'a>(transcript: &mut Transcript<'a>, anywhere: bool, writer: &mut Writer<'a, '_>) {
    let own = match writer.target.dialect {
        Dialect::Canonical => return,
        dialect => dialect == Dialect::AnthropicMessages && anywhere,
    };
    let messages = &transcript.messages;
    let goes = |at: usize| sets_anthropic_options(&messages[at]) && !(own && stands_well(messages, at));
    let gone: HashSet<u32> = (0..messages.len()).filter(|at| goes(*at)).map(|at| messages[at].id).collect();
    transcript.messages.retain(|message| {
        let stays = !gone.contains(&message.id);
        if !stays {
            let what = "options without a word were left out: the target has no place for them here";
            writer.entry(&rule::MISPLACED_SYSTEM, Severity::Loss, message.source, None, what);
        }
        stays
    });
}

/// In front, or right behind a message of the user or another one of these.
fn behind_user<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for at in 1..transcript.messages.len() {
        if is_misplaced(&transcript.messages, at, 0, writer) {
            as_user(&mut transcript.messages[at], writer);
        }
    }
}

/// Counts the instructions in front of the conversation that the target has a place for.
pub(crate) fn count_in_front(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> usize {
    // One message a line leaves no room for a field beside the list.
    let room = match writer.target.dialect.spec().system {
        _ if writer.target.order.system == SystemPlace::Nowhere => false,
        SystemField::InList => true,
        SystemField::Nowhere => false,
        SystemField::Beside(_) | SystemField::Either(_) => !matches!(transcript.container, Container::Lines),
    };
    if room { transcript.messages.iter().take_while(|message| message.role == Role::System).count() } else { 0 }
}

/// Returns whether a message is instructions that the target has no place for at this index.
fn is_misplaced(messages: &[Message<'_>], at: usize, in_front: usize, writer: &Writer<'_, '_>) -> bool {
    if messages[at].role != Role::System || at < in_front {
        return false;
    }
    match writer.target.order.system {
        SystemPlace::Anywhere => {
            matches!(writer.target.dialect.spec().system, SystemField::Beside(_)) && !stands_well(messages, at)
        }
        SystemPlace::BehindUser => {
            let before = at.checked_sub(1).map(|before| messages[before].role);
            matches!(before, Some(Role::Assistant | Role::ToolResult))
        }
        _ => true,
    }
}

/// Returns whether [`run`] makes a message of the user of the instructions at this index.
pub(crate) fn becomes_user(messages: &[Message<'_>], at: usize, in_front: usize, writer: &Writer<'_, '_>) -> bool {
    is_misplaced(messages, at, in_front, writer) && !messages[at].blocks.iter().all(Block::is_blank)
}

/// Turns instructions into marked text of the user. Blank ones are cleared: the user said nothing either.
fn as_user<'a>(message: &mut Message<'a>, writer: &mut Writer<'a, '_>) {
    if message.blocks.iter().all(Block::is_blank) {
        let rule = if writer.target.content.blank_text { &rule::EMPTY_MESSAGE } else { &rule::BLANK_TEXT };
        writer.entry(rule, Severity::Mend, message.source, None, "instructions without a word were left out");
        message.blocks.clear();
        message.dirty = true;
        return;
    }
    message.role = Role::User;
    message.native = None;
    for block in &mut message.blocks {
        items::label_for(block, Role::User, writer);
        if let BlockKind::Text(words) = &mut block.kind
            && !words.get().trim().is_empty()
        {
            *words = format!("{}{}", text::SYSTEM_PREFIX, words.get()).into();
            block.dirty = true;
            block.native = None;
        }
    }
    let what = "the target has no place for instructions here; they became marked text of the user";
    writer.adapt(&rule::MISPLACED_SYSTEM, message, what);
}

/// Instructions in front that stood in the list go into the field beside it.
fn put_beside<'a>(transcript: &mut Transcript<'a>, in_front: usize, writer: &mut Writer<'a, '_>) {
    for at in transcript.top_system..in_front {
        let (source, about) = (transcript.messages[at].source, Some(transcript.messages[at].id));
        let what = "the target has no place for instructions in front of its list; they were put beside it";
        writer.entry(&rule::MISPLACED_SYSTEM, Severity::Adapt, source, about, what);
    }
}

/// Newer models take a system message behind a user's turn and in front of the assistant's, or at the end (Anthropic
/// Messages API reference, `messages.role`).
fn stands_well(messages: &[Message<'_>], at: usize) -> bool {
    let behind_user =
        at.checked_sub(1).is_some_and(|before| matches!(messages[before].role, Role::User | Role::ToolResult));
    behind_user && messages.get(at + 1).is_none_or(|next| next.role == Role::Assistant)
}
