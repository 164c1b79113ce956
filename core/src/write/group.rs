//! Which messages make one wire message.

use crate::dialect::Dialect;
use crate::transcript::{Message, Origin, Role};

/// One wire message to be written.
pub(crate) enum Unit {
    /// Nothing touched what came from this value: it is copied
    Copy { value: u32 },
    /// Messages from here to there are written anew, over this value if there is one
    Anew { from: u32, to: u32, like: Option<u32> },
}

/// Groups messages into wire messages. Linear.
pub(crate) fn group(messages: &[Message<'_>], dialect: Dialect, same: bool) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut used = std::collections::HashSet::new();
    let mut at = 0;
    while at < messages.len() {
        if same && let Some((to, value)) = untouched(&messages[at..]) {
            units.push(Unit::Copy { value });
            at += to;
            continue;
        }
        let mut to = at + 1;
        while to < messages.len()
            && joins(&messages[at..to], &messages[to], dialect, same)
            && (!same || untouched(&messages[to..]).is_none())
        {
            to += 1;
        }
        // A wire message is laid over the first group that holds a part of it.
        let like = messages[at..to]
            .iter()
            .filter_map(|message| message.origin)
            .map(|origin| origin.value)
            .find(|value| same && used.insert(*value));
        units.push(Unit::Anew { from: at as u32, to: to as u32, like });
        at = to;
    }
    units
}

/// How many messages from here are one whole wire message that nothing touched, and its value.
fn untouched(messages: &[Message<'_>]) -> Option<(usize, u32)> {
    let Origin { value, part: 0, parts } = messages.first()?.origin? else { return None };
    let parts = parts as usize;
    let whole = messages.len() >= parts
        && messages[..parts].iter().enumerate().all(|(at, message)| {
            !message.dirty && message.origin.is_some_and(|origin| origin.value == value && origin.part as usize == at)
        });
    whole.then_some((parts, value))
}

/// Whether a message goes into the wire message that the ones before it make.
fn joins(group: &[Message<'_>], next: &Message<'_>, dialect: Dialect, same: bool) -> bool {
    if dialect != Dialect::AnthropicMessages || matches!(next.role, Role::Assistant | Role::System) {
        return false;
    }
    let Some(last) = group.last() else { return false };
    if !matches!(last.role, Role::User | Role::ToolResult) {
        return false;
    }
    if next.role == Role::ToolResult {
        return last.role == Role::ToolResult;
    }
    // Words that stood in the same message as the results stay with them.
    same && next.origin.is_some_and(|origin| {
        group.iter().any(|message| message.origin.is_some_and(|other| other.value == origin.value))
    })
}
