//! Half surrogate pairs, wherever they stand: the printer writes U+FFFD in their place, so what holds one is written anew.

use crate::read::fields;
use crate::read::reader::Reader;
use wirecanon_json::{Json, Value, has_lone_surrogate};
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, BlockKind};

/// Reports each string that holds half a pair, and marks the messages and blocks that were read from it as modified.
pub(crate) fn report(cx: &mut Reader<'_, '_>) {
    if !cx.json.has_lone_surrogates() {
        return;
    }
    let json = cx.json;
    let mut sources = OpenSources::new(cx);
    for index in 0..json.len() as u32 {
        let value = json.value(index);
        if !value.is_string() || !has_lone_surrogate(value.raw()) {
            continue;
        }
        sources.advance(value);
        let holder = holder_of(cx, &sources, index);
        let blocks = || sources.open.iter().filter_map(|source| Some((source.message, source.block?)));
        let own = || blocks().filter(|(message, _)| Some(*message) == holder);
        let is_argument = own().any(|(message, block)| in_arguments(json, &cx.messages[message].blocks[block], index));
        if is_argument {
            let what = "half a surrogate pair in the arguments stays in their text";
            cx.note(&rule::TOOL_CALL_ARGUMENTS_ODD_TEXT, value, what);
        } else {
            cx.mend(&rule::LONE_SURROGATE, value, None, "half a surrogate pair became U+FFFD");
        }
        if let Some(holder) = holder {
            cx.messages[holder].dirty = true;
            for (message, block) in own() {
                cx.messages[message].blocks[block].dirty = true;
            }
        }
    }
}

/// The value that a message or a block was read from.
struct Source {
    start: usize,
    end: usize,
    /// Index of the message
    message: usize,
    /// Index of the block in the message; `None` is the message itself
    block: Option<usize>,
}

/// The sources that contain the value that was looked at last. Values are looked at in the order of the text.
struct OpenSources {
    /// Those that begin later, the next one last
    later: Vec<Source>,
    open: Vec<Source>,
}

impl OpenSources {
    fn new(cx: &Reader<'_, '_>) -> Self {
        let source = |value: u32, message: usize, block: Option<usize>| {
            let span = cx.json.value(value).span();
            Source { start: span.start, end: span.end, message, block }
        };
        let mut later = Vec::new();
        for (at, message) in cx.messages.iter().enumerate() {
            later.extend(message.source.map(|value| source(value, at, None)));
            let blocks = message.blocks.iter().enumerate();
            later.extend(blocks.filter_map(|(block, read)| Some(source(read.source?, at, Some(block)))));
        }
        later.sort_by_key(|source| (source.start, std::cmp::Reverse(source.end)));
        // Of the messages that were read from one value only the first can be the one that holds another.
        later.dedup_by(|next, before| {
            next.block.is_none() && before.block.is_none() && (next.start, next.end) == (before.start, before.end)
        });
        later.reverse();
        Self { later, open: Vec::new() }
    }

    fn advance(&mut self, value: Value<'_>) {
        let span = value.span();
        while let Some(source) = self.later.pop_if(|source| source.start <= span.start) {
            self.open.retain(|open| open.end > source.start);
            self.open.push(source);
        }
        self.open.retain(|open| open.end >= span.end);
    }
}

/// The message that a value was read into. The places of messages rise with their order, so this is a search by halves.
fn holder_of(cx: &Reader<'_, '_>, sources: &OpenSources, index: u32) -> Option<usize> {
    let messages = &cx.messages;
    let wire = |message: usize| messages[message].origin.map_or(0, |origin| origin.value);
    let end = messages.partition_point(|message| message.origin.map_or(0, |origin| origin.value) <= index);
    let value = wire(end.checked_sub(1)?);
    let own = || sources.open.iter().filter(|source| source.message < end && wire(source.message) == value);
    let read_from = || own().filter(|source| source.block.is_none());
    let part = read_from().filter(|source| messages[source.message].source != Some(value));
    let block = own().filter(|source| source.block.is_some());
    let first = |found: &mut dyn Iterator<Item = &Source>| found.map(|source| source.message).min();
    first(&mut { part }).or_else(|| first(&mut { block })).or_else(|| first(&mut read_from()))
}

/// Returns whether a value stands inside the object that a call is given.
fn in_arguments(json: &Json<'_>, block: &Block<'_>, index: u32) -> bool {
    let (BlockKind::ToolCall(_), Some(source)) = (&block.kind, block.source) else { return false };
    let source = json.value(source);
    let call = ["functionCall", "function_call"].iter().find_map(|key| source.get(key)).unwrap_or(source);
    fields::ARGUMENTS
        .iter()
        .filter_map(|name| call.get(name))
        .any(|arguments| arguments.is_object() && within(json, arguments.index(), index))
}

fn within(json: &Json<'_>, outer: u32, inner: u32) -> bool {
    let (outer, inner) = (json.value(outer).span(), json.value(inner).span());
    outer.start <= inner.start && inner.end <= outer.end
}
