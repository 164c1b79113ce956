//! Looking at all items once they are read: what the model put out in one go is one turn.

use std::collections::HashSet;

use crate::dialects::openai_responses::{elsewhere, read, shell};
use crate::read::fields::Field;
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role};

pub(crate) fn finish(cx: &mut Reader<'_, '_>) {
    take_item_ids(cx);
    shell::take_calls(cx);
    if elsewhere::calls_are_elsewhere(cx) {
        elsewhere::keep_outputs(cx);
    }
    merge(cx);
}

/// A call without a call id is named by its item's `id`. Where outputs stay that name no call at all, only an `id` that an
/// output has is a call's; the others are found by their place.
fn take_item_ids(cx: &mut Reader<'_, '_>) {
    let mut messages = std::mem::take(&mut cx.messages);
    let item_id = |cx: &Reader<'_, '_>, block: &Block<'_>| {
        let nameless = matches!(&block.kind, BlockKind::ToolCall(call) if call.id.is_none());
        block
            .source
            .filter(|_| nameless)
            .and_then(|source| cx.json.value(source).get("id"))
            .filter(|id| !id.is_null())
            .map(Value::index)
    };
    let nameless = messages.iter().flat_map(|message| &message.blocks).filter_map(|block| item_id(cx, block));
    let of_items: HashSet<String> =
        nameless.filter_map(|id| cx.json.value(id).as_str()).map(|id| id.trim().to_owned()).collect();
    let calls = messages.iter().flat_map(Message::calls).filter_map(|call| call.id.as_deref());
    let of_calls: HashSet<&str> = calls.map(half).collect();
    let heads = messages.iter().filter_map(|message| message.result.as_ref());
    let of_outputs: HashSet<String> =
        heads.filter_map(|head| head.call_id.as_deref()).map(|id| half(id).to_owned()).collect();
    let stray = of_outputs.iter().any(|id| !of_calls.contains(&**id) && !of_items.contains(id));
    for block in messages.iter_mut().flat_map(|message| &mut message.blocks) {
        let (Some(at), Some(source)) = (item_id(cx, block), block.source) else { continue };
        let (id, item) = (cx.json.value(at), cx.json.value(source));
        if stray && id.as_str().is_none_or(|id| !of_outputs.contains(id.trim())) {
            continue;
        }
        let field = Field { value: Some(id), key: "id", also: None };
        cx.alias(&field, "call_id", item, block.id);
        let taken = cx.call_id(&field, item, block.id);
        if let BlockKind::ToolCall(call) = &mut block.kind {
            call.id = taken;
        }
        if let Some(native) = &mut block.native {
            native.remove(cx.dialect.name(), "id");
        }
        block.dirty = true;
    }
    cx.messages = messages;
}

pub(crate) fn half(id: &str) -> &str {
    id.split_once('|').map_or(id, |(half, _)| half)
}

/// Whether a message is an item that is carried as it is.
fn is_item(message: &Message<'_>) -> bool {
    matches!(message.blocks.as_slice(), [Block { kind: BlockKind::Opaque(_), source, .. }] if *source == message.source)
}

/// How many values stand between two items, if all of them are none and were left out: they break no turn.
fn left_out_between(cx: &Reader<'_, '_>, last: u32, item: u32) -> Option<u32> {
    let (mut at, mut count) = (cx.json.node(last).next, 0);
    while at < item {
        let value = cx.json.value(at);
        if value.is_object() || value.is_string() {
            return None;
        }
        at = cx.json.node(at).next;
        count += 1;
    }
    (at == item).then_some(count)
}

/// Items of the model that follow each other are one turn.
fn merge(cx: &mut Reader<'_, '_>) {
    let messages = std::mem::take(&mut cx.messages);
    let mut merged: Vec<Message<'_>> = Vec::with_capacity(messages.len());
    // The last item of the turn that is open.
    let mut last = 0;
    let mut open: HashSet<String> = HashSet::new();
    for mut message in messages {
        if message.role == Role::User && is_item(&message) && !open.is_empty() {
            // The outputs of the turn's other calls may come in any order: nothing here breaks the turn.
            message.role = Role::Assistant;
        }
        match message.role {
            Role::Assistant => {
                read::mark(&mut message);
                open.extend(message.calls().filter_map(|call| call.id.as_deref()).map(str::to_owned));
            }
            Role::ToolResult => {
                let id = message.result.as_ref().and_then(|head| head.call_id.as_deref());
                open.remove(id.unwrap_or_default());
            }
            _ => open.clear(),
        }
        let item = message.origin.filter(|origin| origin.parts == 1).map(|origin| origin.value);
        let between = item.filter(|_| last > 0).and_then(|item| left_out_between(cx, last, item));
        let joins = between.is_some()
            && message.role == Role::Assistant
            && merged.last().is_some_and(|turn| {
                turn.role == Role::Assistant && turn.origin.is_some_and(|origin| origin.parts == 1)
            });
        last = item.unwrap_or(0);
        if !joins {
            merged.push(message);
            continue;
        }
        let Some(turn) = merged.last_mut() else { continue };
        let between = between.unwrap_or(0);
        if let Some(origin) = &mut turn.origin {
            origin.values += 1 + between;
        }
        turn.dirty |= between > 0;
        if message.blocks.is_empty() || turn.blocks.is_empty() {
            let source = if message.blocks.is_empty() { message.source } else { turn.source };
            turn.dirty = true;
            if let Some(source) = source {
                let item = cx.json.value(source);
                cx.mend(&rule::EMPTY_MESSAGE, item, None, "an item of the model with nothing in it was left out");
            }
        }
        turn.dirty |= message.dirty;
        turn.blocks.append(&mut message.blocks);
    }
    cx.messages = merged;
}

#[cfg(test)]
mod tests {
    use crate::pipeline::{Options, fix};
    use wirecanon_model::Dialect;

    /// The result of a call without an id is found among the results of its turn, and a turn ends at no value that is left out.
    #[test]
    fn what_is_left_out_amid_calls_breaks_no_turn() {
        let call = |id: &str| format!(r#"{{"type":"function_call"{id},"name":"look","arguments":"{{}}"}}"#);
        let output = |id: &str| format!(r#"{{"type":"function_call_output","call_id":"{id}","output":"said {id}"}}"#);
        for between in ["[]", "null", "7, [[]]"] {
            let input = format!(
                r#"[{{"role":"user","content":"go"}},{},{},{between},{},{},{},{}]"#,
                call(""),
                call(r#","call_id":"b""#),
                call(r#","call_id":"c""#),
                output("a"),
                output("b"),
                output("c")
            );
            for to in [Dialect::OpenAiResponses, Dialect::OpenAiChat, Dialect::Canonical] {
                let options = Options::new().from(Dialect::OpenAiResponses).to(to);
                let fixed = fix(input.as_bytes(), &options).expect("a transcript");
                let text = String::from_utf8_lossy(&fixed.output);
                for said in ["said a", "said b", "said c"] {
                    assert!(text.contains(said), "{said} is gone: {text}");
                }
                assert!(!text.contains("no result was recorded"), "{text}");
                let again = fix(&fixed.output, &Options::new().from(to).to(to)).expect("a transcript");
                assert_eq!(again.output, fixed.output, "{text}");
            }
        }
    }
}
