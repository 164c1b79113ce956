//! Calls without ids, in the dialect that pairs by name: a result says no id where its call has none, and all results of a
//! turn say the name of their tool as soon as one of them is written anew.

use std::collections::HashSet;

use crate::print::Writer;
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{BlockKind, Message, Native, Role, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::OllamaChat || transcript.fragment {
        return;
    }
    let mut from = 0;
    while from < transcript.messages.len() {
        let results = transcript.messages[from + 1..].iter().take_while(|next| next.role == Role::ToolResult).count();
        let (head, rest) = transcript.messages[from..].split_at_mut(1);
        if head[0].role == Role::Assistant {
            batch(&head[0], &mut rest[..results], writer);
        }
        from += 1 + results;
    }
}

fn batch<'a>(turn: &Message<'a>, results: &mut [Message<'a>], writer: &mut Writer<'a, '_>) {
    let dialect = Dialect::OllamaChat.name();
    let is_marked =
        |native: Option<&Native<'_>>, key: &str| native.and_then(|native| native.get(dialect, key)) == Some("null");
    let marked: HashSet<&str> = turn
        .blocks
        .iter()
        .filter(|block| is_marked(block.native.as_deref(), "id"))
        .filter_map(|block| match &block.kind {
            BlockKind::ToolCall(call) => call.id.as_deref(),
            _ => None,
        })
        .collect();
    for result in &mut *results {
        let id = result.result.as_ref().and_then(|head| head.call_id.as_deref());
        let wanted = id.is_some_and(|id| marked.contains(id));
        if wanted == is_marked(result.native.as_deref(), "tool_call_id") {
            continue;
        }
        let native = result.native.get_or_insert_default();
        if wanted {
            native.remove(dialect, "tool_call_id");
            native.add(dialect, "tool_call_id", "null");
        } else {
            native.remove(dialect, "tool_call_id");
        }
        result.dirty = true;
    }
    let anew = turn.dirty || results.iter().any(|result| result.dirty) || results.len() != turn.calls().count();
    if marked.is_empty() || !anew {
        return;
    }
    for result in results.iter_mut().filter(|result| !result.dirty) {
        let own = writer.own(result.source);
        if own.is_some_and(|own| own.get("tool_name").is_none()) {
            result.dirty = true;
            let what = "results beside this one are written anew; it says the name of its tool too";
            let (source, about) = (result.source, Some(result.id));
            writer.entry(&rule::TOOL_RESULT_NAME_MISSING, Severity::Adapt, source, about, what);
        }
    }
}
