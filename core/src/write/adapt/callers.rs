//! References to the code that called a tool: Anthropic refuses a `caller` that names a call which the request does not hold.

use std::collections::{HashMap, HashSet};

use super::super::Writer;
use super::items::half_of_a_pair;
use crate::dialect::Dialect;
use crate::json::{Json, Limits, quote};
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Block, BlockKind, Transcript};

/// The member of a call, or of the result of a server's tool, that says which code called the tool.
const CALLER: &str = "caller";

const LIMITS: Limits = Limits { max_depth: usize::MAX };

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    let blocks = || transcript.messages.iter().flat_map(|message| &message.blocks);
    if !blocks().any(|block| caller_of(block).is_some()) {
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
pub(super) fn code_of(block: &Block<'_>) -> Option<String> {
    tool_of(&caller_of(block)?)
}

/// The `caller` of a block, as JSON text.
fn caller_of(block: &Block<'_>) -> Option<String> {
    match &block.kind {
        BlockKind::Opaque(item) if item.dialect == Dialect::AnthropicMessages.name() && item.value.contains(CALLER) => {
            Some(Json::parse(&item.value, &LIMITS).ok()?.root().get(CALLER)?.raw().to_owned())
        }
        _ => block.native_field(Dialect::AnthropicMessages.name(), CALLER).map(str::to_owned),
    }
}

/// The id of the call that a `caller` names.
fn tool_of(caller: &str) -> Option<String> {
    let json = Json::parse(caller, &LIMITS).ok()?;
    Some(json.root().get("tool_id")?.as_str()?.into_owned())
}

/// Gives the `caller` of a block another id, or takes it off.
fn set_caller(block: &mut Block<'_>, id: Option<&str>) {
    let with_id = |caller: &str| {
        let json = Json::parse(caller, &LIMITS).ok()?;
        let span = json.root().get("tool_id")?.span();
        Some(format!("{}{}{}", &caller[..span.start], quote(id?), &caller[span.end..]))
    };
    if let BlockKind::Opaque(item) = &mut block.kind {
        let Ok(json) = Json::parse(&item.value, &LIMITS) else { return };
        let members = json.root().members().filter_map(|(key, value)| {
            let is_caller = key.is_str(CALLER);
            let value = if is_caller { with_id(value.raw())? } else { value.raw().to_owned() };
            Some(format!("{}:{value}", key.raw()))
        });
        let members: Vec<_> = members.collect();
        item.value = format!("{{{}}}", members.join(",")).into();
        return;
    }
    let dialect = Dialect::AnthropicMessages.name();
    let Some(native) = &mut block.native else { return };
    let new = native.get(dialect, CALLER).and_then(with_id);
    match (new, native.get_mut(dialect, CALLER)) {
        (Some(new), Some(caller)) => *caller = new.into(),
        _ => drop(native.remove(dialect, CALLER)),
    }
}
