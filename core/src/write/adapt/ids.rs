//! Call ids in the spelling that the target takes: an injective map, reported (P10).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::Writer;
use crate::report::{Renamed, Severity};
use crate::rule;
use crate::target::{Ids, Scope};
use crate::transcript::{BlockKind, Message, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let limits = &writer.target.ids;
    if limits.also.is_none() && limits.max_length.is_none() && limits.unique == Scope::Turn {
        return;
    }
    let limits = limits.clone();
    let mut spellings = Spellings::new(&limits, &transcript.messages);
    // Old and new ids of the turn whose results come next.
    let mut turn: HashMap<String, String> = HashMap::new();
    for message in &mut transcript.messages {
        match message.role {
            Role::Assistant => {
                turn.clear();
                if limits.unique == Scope::Turn {
                    spellings.kept.clear();
                }
                calls(message, &mut spellings, &mut turn, writer);
            }
            Role::ToolResult => {
                let Some(head) = &mut message.result else { continue };
                // A lone result has no call before it to be named after.
                if transcript.fragment {
                    let Some(id) = head.call_id.clone() else { continue };
                    let Some((new, rule, words)) = spellings.spell(&id) else { continue };
                    head.call_id = Some(Cow::Owned(new.clone()));
                    message.dirty = true;
                    let (source, about) = (message.source, Some(message.id));
                    writer.entry(rule, Severity::Adapt, source, about, format!("{words}; `{id}` became `{new}`"));
                    writer.report.ids.push(Renamed { from: id.into_owned(), to: new, input: None });
                    continue;
                }
                let Some(new) = head.call_id.as_deref().and_then(|id| turn.get(id)) else { continue };
                head.call_id = Some(Cow::Owned(new.clone()));
                message.dirty = true;
            }
            _ => {}
        }
    }
}

fn calls<'a>(
    message: &mut Message<'a>,
    spellings: &mut Spellings,
    turn: &mut HashMap<String, String>,
    writer: &mut Writer<'a, '_>,
) {
    for block in &mut message.blocks {
        let BlockKind::ToolCall(call) = &mut block.kind else { continue };
        let Some(id) = call.id.clone() else { continue };
        let Some((new, rule, words)) = spellings.spell(&id) else { continue };
        call.id = Some(Cow::Owned(new.clone()));
        block.dirty = true;
        message.dirty = true;
        let (source, about) = (block.source, Some(block.id));
        writer.entry(rule, Severity::Adapt, source, about, format!("{words}; `{id}` became `{new}`, with its result"));
        let input = writer.value(source).map(|value| writer.cursor.pointer(value));
        writer.report.ids.push(Renamed { from: id.clone().into_owned(), to: new.clone(), input });
        turn.insert(id.into_owned(), new);
    }
}

/// Gives out spellings that the target takes, none twice.
pub(super) struct Spellings<'t> {
    limits: &'t Ids,
    /// Every id of the transcript, and every one given out
    reserved: HashSet<String>,
    /// Ids that kept their spelling, in the scope
    pub(super) kept: HashSet<String>,
    suffixes: HashMap<String, usize>,
}

impl<'t> Spellings<'t> {
    fn new(limits: &'t Ids, messages: &[Message<'_>]) -> Self {
        let reserved =
            messages.iter().flat_map(Message::calls).filter_map(|call| call.id.as_deref()).map(str::to_owned).collect();
        Self { limits, reserved, kept: HashSet::new(), suffixes: HashMap::new() }
    }

    /// The new spelling and why; `None` when the id may stay as it is.
    fn spell(&mut self, id: &str) -> Option<(String, &'static rule::Rule, &'static str)> {
        let accepted = self.limits.accepts(id);
        if accepted && self.kept.insert(id.to_owned()) {
            return None;
        }
        let (rule, words) = if accepted {
            (&rule::DUPLICATE_TOOL_CALL_ID, "the target wants each id once")
        } else if crate::target::charset(self.limits.also.as_deref(), id) {
            (&rule::TOOL_CALL_ID_LENGTH, "the id is longer than the target takes")
        } else {
            (&rule::TOOL_CALL_ID_CHARACTERS, "the id holds characters that the target refuses")
        };
        let base = respell(id, self.limits.also.as_deref());
        Some((fresh(&base, self.limits.max_length, &mut self.reserved, &mut self.suffixes), rule, words))
    }
}

/// Every character that the target refuses becomes one that it takes.
pub(super) fn respell(text: &str, also: Option<&str>) -> String {
    let Some(also) = also else { return text.to_owned() };
    let filler = ['_', '-'].into_iter().find(|filler| also.contains(*filler));
    text.chars().filter_map(|c| if c.is_ascii_alphanumeric() || also.contains(c) { Some(c) } else { filler }).collect()
}

/// A spelling on this base, within the length, that is not taken; it is taken then. A name or id without any character
/// left is `x`.
pub(super) fn fresh(
    base: &str,
    max_length: Option<usize>,
    taken: &mut HashSet<String>,
    suffixes: &mut HashMap<String, usize>,
) -> String {
    let base = if base.is_empty() { "x" } else { base };
    let max = max_length.unwrap_or(usize::MAX);
    let cut: String = base.chars().take(max).collect();
    if taken.insert(cut.clone()) {
        return cut;
    }
    let mut count = suffixes.get(&cut).copied().unwrap_or(1);
    loop {
        count += 1;
        let suffix = format!("_{count}");
        let head: String = base.chars().take(max.saturating_sub(suffix.len())).collect();
        let candidate = head + &suffix;
        if taken.insert(candidate.clone()) {
            suffixes.insert(cut, count);
            return candidate;
        }
    }
}
