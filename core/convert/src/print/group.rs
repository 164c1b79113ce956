//! Which messages make one wire message.

use wirecanon_model::transcript::{Message, Origin, Role};

/// One wire message to be written.
pub(crate) enum Unit {
    /// Nothing touched what came from this value: it is copied
    Copy {
        /// The first message
        from: u32,
        /// The value, or the first of them
        value: u32,
        /// How many values follow each other
        values: u32,
    },
    /// Messages from here to there are written anew, over this value if there is one
    Anew {
        /// The first message
        from: u32,
        /// Behind the last message
        to: u32,
        /// The first value that they were read from
        like: Option<u32>,
        /// How many values those messages were read from
        values: u32,
    },
}

/// Whether a message goes into the wire message that the ones before it make.
type Joins = for<'a, 'g> fn(&'g [Message<'a>], &'g Message<'a>, bool) -> bool;

impl Unit {
    /// How many values of the source it stands for.
    pub(crate) fn values(&self) -> usize {
        match self {
            Self::Copy { values, .. } | Self::Anew { values, .. } => *values as usize,
        }
    }

    /// The first value of the source that it stands for.
    pub(crate) fn value(&self, messages: &[Message<'_>]) -> Option<u32> {
        match self {
            Self::Copy { value, .. } => Some(*value),
            Self::Anew { from, like, .. } => like.or(messages[*from as usize].origin.map(|origin| origin.value)),
        }
    }
}

/// Groups messages into wire messages. Linear.
pub(crate) fn group(messages: &[Message<'_>], joins: Joins, same: bool) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut used = std::collections::HashSet::new();
    let mut at = 0;
    while at < messages.len() {
        if same
            && let Some((to, origin)) = untouched(&messages[at..])
            && !takes_more(&messages[at..], to, joins)
        {
            units.push(Unit::Copy { from: at as u32, value: origin.value, values: origin.values });
            at += to;
            continue;
        }
        let mut to = at + 1;
        while to < messages.len()
            && joins(&messages[at..to], &messages[to], same)
            && (!same || untouched(&messages[to..]).is_none())
        {
            to += 1;
        }
        // A wire message is laid over the first group that holds a part of it.
        let like = messages[at..to]
            .iter()
            .filter_map(|message| message.origin)
            .find(|origin| same && used.insert(origin.value));
        units.push(Unit::Anew {
            from: at as u32,
            to: to as u32,
            like: like.map(|origin| origin.value),
            values: like.map_or(1, |origin| origin.values),
        });
        at = to;
    }
    units
}

/// Whether a result that did not stand in a turn's wire message goes into it: then it is no longer as it was.
fn takes_more(messages: &[Message<'_>], count: usize, joins: Joins) -> bool {
    let (turn, later) = messages.split_at(count);
    turn.iter().any(|message| message.role == Role::Assistant)
        && later.first().is_some_and(|next| next.role == Role::ToolResult && joins(turn, next, true))
}

/// How many messages from here are one whole wire message that nothing touched, and its value.
fn untouched(messages: &[Message<'_>]) -> Option<(usize, Origin)> {
    let whole = messages.first()?.origin.filter(|origin| origin.part == 0)?;
    let (value, parts) = (whole.value, whole.parts as usize);
    let is_whole = messages.len() >= parts
        && messages[..parts].iter().enumerate().all(|(at, message)| {
            !message.dirty && message.origin.is_some_and(|origin| origin.value == value && origin.part as usize == at)
        });
    is_whole.then_some((parts, whole))
}

/// Every message is a wire message of its own.
pub(crate) fn apart(_group: &[Message<'_>], _next: &Message<'_>, _same: bool) -> bool {
    false
}

/// Results that follow each other are one message, which holds nothing else.
pub(crate) fn results(group: &[Message<'_>], next: &Message<'_>, _same: bool) -> bool {
    next.role == Role::ToolResult && group.last().is_some_and(|last| last.role == Role::ToolResult)
}

/// Results that follow each other, and the user's words behind them, are one message of the user.
pub(crate) fn results_before_words(group: &[Message<'_>], next: &Message<'_>, same: bool) -> bool {
    let behind_results = group.last().is_some_and(|last| last.role == Role::ToolResult);
    (next.role == Role::User && behind_results) || results_with_user(group, next, same)
}

/// Results that follow each other are one message of the user.
pub(crate) fn results_with_user(group: &[Message<'_>], next: &Message<'_>, same: bool) -> bool {
    if matches!(next.role, Role::Assistant | Role::System) {
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
