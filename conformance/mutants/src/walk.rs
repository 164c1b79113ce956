//! Ways through a transcript that mark what they change, so that it is written anew.

use std::borrow::Cow;
use std::collections::HashSet;

use wirecanon_core::transcript::{Arguments, Block, BlockKind, Media, Message, ResultHead, Role, ToolCall, Transcript};

/// Every block, with the role of its message; `change` says whether it changed it.
pub(crate) fn blocks<'a>(transcript: &mut Transcript<'a>, mut change: impl FnMut(Role, &mut Block<'a>) -> bool) {
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            if change(message.role, block) {
                block.dirty = true;
                message.dirty = true;
            }
        }
    }
}

/// Every call.
pub(crate) fn calls<'a>(transcript: &mut Transcript<'a>, mut change: impl FnMut(&mut ToolCall<'a>) -> bool) {
    blocks(transcript, |_, block| match &mut block.kind {
        BlockKind::ToolCall(call) => change(call),
        _ => false,
    });
}

/// The arguments of every call; `change` says what they become, if that is something else.
pub(crate) fn arguments<'a>(
    transcript: &mut Transcript<'a>,
    mut change: impl FnMut(&Arguments<'a>) -> Option<Arguments<'a>>,
) {
    calls(transcript, |call| match change(&call.arguments) {
        Some(other) if other != call.arguments => {
            call.arguments = other;
            true
        }
        _ => false,
    });
}

/// What every result says about itself.
pub(crate) fn results<'a>(transcript: &mut Transcript<'a>, mut change: impl FnMut(&mut ResultHead<'a>) -> bool) {
    for message in &mut transcript.messages {
        if let Some(head) = &mut message.result {
            message.dirty |= change(head);
        }
    }
}

/// Makes of an id or a name what `change` says, and returns whether that is another.
pub(crate) fn respelled(text: &mut Option<Cow<'_, str>>, change: impl Fn(&str) -> String) -> bool {
    let Some(other) = text.as_deref().map(change).filter(|other| text.as_deref() != Some(other)) else { return false };
    *text = Some(other.into());
    true
}

/// Ids of calls and of results; `change` says what one becomes.
pub(crate) fn ids(transcript: &mut Transcript<'_>, change: impl Fn(&str) -> String) {
    calls(transcript, |call| respelled(&mut call.id, &change));
    results(transcript, |head| respelled(&mut head.call_id, &change));
}

/// Names of calls and of results; `change` says what one becomes.
pub(crate) fn names(transcript: &mut Transcript<'_>, change: impl Fn(&str) -> String) {
    calls(transcript, |call| respelled(&mut call.name, &change));
    results(transcript, |head| respelled(&mut head.tool_name, &change));
}

/// Every text; `change` says what it becomes, if that is something else.
pub(crate) fn texts(transcript: &mut Transcript<'_>, change: impl Fn(Role, &str) -> Option<String>) {
    blocks(transcript, |role, block| {
        let Some(text) = block.as_text() else { return false };
        let Some(other) = change(role, &text).filter(|other| *other != text) else { return false };
        becomes(block, BlockKind::Text(other.into()));
        true
    });
}

/// Every picture.
pub(crate) fn pictures<'a>(transcript: &mut Transcript<'a>, mut change: impl FnMut(&mut Media<'a>) -> bool) {
    blocks(transcript, |_, block| match &mut block.kind {
        BlockKind::Image(picture) => {
            change(picture) && {
                block.projected = false;
                true
            }
        }
        _ => false,
    });
}

/// Makes a block something else, of which its source says nothing.
pub(crate) fn becomes<'a>(block: &mut Block<'a>, kind: BlockKind<'a>) {
    block.kind = kind;
    block.native = None;
    block.projected = false;
    block.dirty = true;
}

/// Takes out the blocks that `gone` names.
pub(crate) fn without_blocks<'a>(transcript: &mut Transcript<'a>, gone: impl Fn(&Message<'a>, &Block<'a>) -> bool) {
    for message in &mut transcript.messages {
        let places: Vec<bool> = message.blocks.iter().map(|block| gone(message, block)).collect();
        if places.contains(&true) {
            let mut places = places.into_iter();
            message.blocks.retain(|_| !places.next().unwrap_or(false));
            message.dirty = true;
        }
    }
}

/// Takes out the messages at these places.
pub(crate) fn without_messages(transcript: &mut Transcript<'_>, gone: &HashSet<usize>) {
    let mut at = 0;
    transcript.messages.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
}

/// The places of the results whose id no call has.
pub(crate) fn orphans(transcript: &Transcript<'_>) -> Vec<usize> {
    if transcript.fragment {
        return Vec::new();
    }
    let calls = || transcript.messages.iter().flat_map(Message::calls);
    // A call without an id may still be answered by any of them.
    if calls().any(|call| call.id.is_none()) {
        return Vec::new();
    }
    // The first half of an id of two (`call|item`) names the call as well.
    let half = |id: &str| id.split('|').next().unwrap_or_default().to_owned();
    let known: HashSet<String> = calls().filter_map(|call| call.id.as_deref()).map(half).collect();
    let nobodys = |message: &Message<'_>| {
        let head = message.result.as_ref().filter(|_| message.role == Role::ToolResult);
        head.is_some_and(|head| head.call_id.as_deref().is_some_and(|id| !known.contains(&half(id))))
    };
    (0..transcript.messages.len()).filter(|at| nobodys(&transcript.messages[*at])).collect()
}

/// Hides results from the passes: they look like instructions until [`show`].
pub(crate) fn hide(transcript: &mut Transcript<'_>, places: impl IntoIterator<Item = usize>) {
    for at in places {
        transcript.messages[at].role = Role::System;
    }
}

/// Makes results again of what [`hide`] hid.
pub(crate) fn show(transcript: &mut Transcript<'_>) {
    for message in &mut transcript.messages {
        if message.role == Role::System && message.result.is_some() {
            message.role = Role::ToolResult;
            message.dirty = true;
        }
    }
}

/// The results behind each turn that calls, up to the next turn of the assistant: the place of the turn, and theirs.
pub(crate) fn batches(transcript: &Transcript<'_>) -> Vec<(usize, Vec<usize>)> {
    let mut batches: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut open = false;
    for (at, message) in transcript.messages.iter().enumerate() {
        match message.role {
            Role::Assistant => {
                open = message.calls().next().is_some();
                if open {
                    batches.push((at, Vec::new()));
                }
            }
            Role::ToolResult if open => batches.iter_mut().next_back().into_iter().for_each(|(_, own)| own.push(at)),
            _ => {}
        }
    }
    batches
}
