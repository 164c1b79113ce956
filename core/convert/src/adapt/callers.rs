//! References to the code that called a tool: Anthropic refuses a `caller` that names a call which the request does not hold.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::adapt::items::half_of_a_pair;
use crate::adapt::member::{member_of, set_member};
use crate::print::Writer;
use wirecanon_json::{Json, Limits, quote};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, Transcript};
use wirecanon_model::{Dialect, rule};

/// The member of a call, or of the result of a server's tool, that says which code called the tool.
const CALLER: &str = "caller";

const LIMITS: Limits = Limits { max_depth: usize::MAX };

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    if !transcript.messages.iter().flat_map(|message| &message.blocks).any(|block| code_of(block).is_some()) {
        return;
    }
    let renamed: HashMap<_, _> =
        writer.report.ids.iter().map(|renamed| (renamed.from.clone(), renamed.to.clone())).collect();
    let mut called = HashSet::new();
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            if let Some((_, true, id)) = half_of_a_pair(block) {
                called.insert(id);
            }
            let Some(id) = code_of(block) else { continue };
            if called.contains(&id) {
                continue;
            }
            let now = renamed.get(&id).filter(|now| called.contains(*now));
            set_caller(block, now.map(String::as_str));
            block.dirty = true;
            message.dirty = true;
            if now.is_none() {
                let words =
                    format!("the code `{id}` that called the tool is not in the request; the reference was left out");
                let (source, about) = (block.source, Some(block.id));
                writer.entry(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, Severity::Adapt, source, about, words);
            }
        }
    }
}

/// The id of the call of code that called the tool of a block.
pub(crate) fn code_of(block: &Block<'_>) -> Option<String> {
    tool_of(&member_of(block, Dialect::AnthropicMessages, CALLER)?)
}

/// The id of the call that a `caller` names.
fn tool_of(caller: &str) -> Option<String> {
    let json = Json::parse(caller, &LIMITS).ok()?;
    let id = json.root().get("tool_id")?;
    // What is no string names no call.
    Some(id.as_str().map_or_else(|| id.raw().to_owned(), Cow::into_owned))
}

/// Gives the `caller` of a block another id, or removes it.
fn set_caller(block: &mut Block<'_>, id: Option<&str>) {
    let with_id = |caller: &str| {
        let json = Json::parse(caller, &LIMITS).ok()?;
        let span = json.root().get("tool_id")?.span();
        Some(format!("{}{}{}", &caller[..span.start], quote(id?), &caller[span.end..]))
    };
    let new = member_of(block, Dialect::AnthropicMessages, CALLER).and_then(|caller| with_id(&caller));
    set_member(block, Dialect::AnthropicMessages, CALLER, new);
}
