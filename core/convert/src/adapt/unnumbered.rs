//! Calls and results without ids: a server that takes none, and results of calls that had none.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::print::Writer;
use wirecanon_json::Value;
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{BlockKind, Native, Role, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let dialect = writer.target.dialect.name();
    if !writer.target.dialect.ids_may_lack() {
        return;
    }
    let refused = writer.target.ids.refused;
    // Ids of the last turn's calls that are not written.
    let mut unwritten: HashSet<Cow<'a, str>> = HashSet::new();
    // Those of them that were taken off here.
    let mut told: HashSet<Cow<'a, str>> = HashSet::new();
    for message in &mut transcript.messages {
        match message.role {
            Role::Assistant => {
                unwritten.clear();
                told.clear();
                for block in &mut message.blocks {
                    let BlockKind::ToolCall(call) = &block.kind else { continue };
                    let Some(id) = call.id.clone() else { continue };
                    if !refused && !is_absent(block.native.as_deref(), dialect) {
                        continue;
                    }
                    unwritten.insert(id.clone());
                    let empty = refused && writer.own(block.source).is_some_and(has_id);
                    if !empty && is_absent(block.native.as_deref(), dialect) {
                        continue;
                    }
                    told.insert(id);
                    set_absent(&mut block.native, dialect);
                    let words = "the target takes no ids; the call is known by its name and place, with its result";
                    writer.adapt(&rule::TOOL_CALL_ID_REFUSED, block, words);
                }
            }
            Role::ToolResult => {
                let id = message.result.as_ref().and_then(|head| head.call_id.as_ref());
                // A result that was written in place of one that never came has what its call has.
                let goes = refused || (message.origin.is_none() && id.is_some_and(|id| unwritten.contains(id)));
                let empty = refused && writer.own(message.source).is_some_and(has_id);
                if goes && (empty || !is_absent(message.native.as_deref(), dialect)) {
                    let untold = id.is_some_and(|id| !told.contains(id));
                    set_absent(&mut message.native, dialect);
                    message.dirty = true;
                    if untold && message.origin.is_some() {
                        let (source, about) = (message.source, Some(message.id));
                        let words = "the target takes no ids; the result is known by its name and place";
                        writer.entry(&rule::TOOL_CALL_ID_REFUSED, Severity::Adapt, source, about, words);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a part has a member for an id, though it be empty.
fn has_id(part: Value<'_>) -> bool {
    ["functionCall", "function_call", "functionResponse", "function_response"]
        .iter()
        .filter_map(|key| part.get(key)?.get("id"))
        .any(|id| !id.is_null())
}

fn is_absent(native: Option<&Native<'_>>, dialect: &str) -> bool {
    native.and_then(|native| native.get(dialect, "id")) == Some("null")
}

fn set_absent(native: &mut Option<Box<Native<'_>>>, dialect: &'static str) {
    debug_assert_eq!(dialect, Dialect::GeminiContents.name());
    let native = native.get_or_insert_default();
    native.remove(dialect, "id");
    native.add(dialect, "id", "null");
}
