//! What a server that stores nothing cannot know again: items that say no more than the id of one that it would have kept.

use std::collections::HashSet;

use crate::adapt::keep_blocks;
use crate::dialects::openai_responses::read::goes_on;
use crate::dialects::openai_responses::write::opaque_kind;
use crate::print::Writer;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Message, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::OpenAiResponses || writer.target.content.stored_items {
        return;
    }
    let mut referred = false;
    for message in &mut transcript.messages {
        keep_blocks(message, |block| {
            let Some(what) = unstored(block) else { return true };
            referred |= what == REFERENCE;
            writer.entry(&rule::ITEM_NOT_STORED, Severity::Loss, block.source, None, what);
            false
        });
    }
    if referred && !(writer.same && goes_on(writer.json.root())) {
        orphans(transcript, writer);
    }
    transcript.messages.retain(|message| !message.blocks.is_empty());
}

const REFERENCE: &str = "a reference to an item that the server does not store was left out";
const PICTURE: &str = "a generated picture without its bytes, which the server does not store, was left out";

fn own_item<'b>(block: &'b Block<'_>) -> Option<&'b str> {
    let BlockKind::Opaque(item) = &block.kind else { return None };
    (item.dialect == Dialect::OpenAiResponses.name()).then_some(&*item.value)
}

/// What is said of an item that is nothing without what the server has stored.
fn unstored(block: &Block<'_>) -> Option<&'static str> {
    let value = own_item(block)?;
    match opaque_kind(value).as_deref() {
        // A reference may go without its type.
        None | Some("item_reference") => Some(REFERENCE),
        Some("image_generation_call") => {
            let json = Json::parse(value, &Limits { max_depth: usize::MAX }).ok()?;
            let shown = json.root().get("result").and_then(Value::as_str).is_some_and(|data| !data.trim().is_empty());
            (!shown).then_some(PICTURE)
        }
        _ => None,
    }
}

/// Outputs whose calls were only referred to answer nothing now.
fn orphans<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let calls = transcript.messages.iter().flat_map(Message::calls).filter_map(|call| call.id.as_deref());
    let calls: HashSet<String> = calls.map(str::to_owned).collect();
    for message in &mut transcript.messages {
        keep_blocks(message, |block| {
            let Some(value) = own_item(block) else { return true };
            if !matches!(opaque_kind(value).as_deref(), Some("function_call_output" | "custom_tool_call_output")) {
                return true;
            }
            let json = Json::parse(value, &Limits { max_depth: usize::MAX });
            let answers = json.is_ok_and(|json| {
                json.root().get("call_id").and_then(Value::as_str).is_some_and(|id| calls.contains(&*id))
            });
            if !answers {
                let what = "a result whose call was only referred to was left out";
                writer.entry(&rule::ORPHAN_TOOL_RESULT, Severity::Loss, block.source, None, what);
            }
            answers
        });
    }
}
