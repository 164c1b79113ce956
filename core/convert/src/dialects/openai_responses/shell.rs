//! Calls of the shell that the client runs (`local_shell_call`): Codex answers them as it answers functions
//! (openai/codex#961), and then they are calls to any other provider too.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::dialects::openai_responses::read::KIND;
use crate::dialects::openai_responses::turns::half;
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::transcript::{Arguments, BlockKind, Message, ToolCall};

/// The type of such a call, and the name that it has as a call of a tool.
pub(crate) const CALL: &str = "local_shell_call";
const NAME: &str = "local_shell";

/// A whole call that the output of a function answers is a call. Any other stays an item of the server's.
pub(crate) fn take_calls(cx: &mut Reader<'_, '_>) {
    let mut messages = std::mem::take(&mut cx.messages);
    // What is open, by each of its ids: the other one goes with it.
    let mut open: HashMap<String, usize> = HashMap::new();
    let (mut answered, mut called) = (HashSet::new(), HashSet::new());
    let mut taken = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        called.extend(message.calls().filter_map(|call| call.id.as_deref()).map(half));
        if let Some(id) = message.result.as_ref().and_then(|head| head.call_id.as_deref()) {
            let call = open.get(id).copied().filter(|call| !called.contains(half(id)) && !answered.contains(call));
            let is_call = |call: &usize| {
                let item = item(cx, &messages[*call]).filter(|item| item.get("action").is_some_and(Value::is_object));
                item.and_then(call_id).as_deref() == Some(id)
            };
            if let Some(call) = call.filter(is_call) {
                answered.insert(call);
                taken.push(call);
            }
            continue;
        }
        let Some(item) = item(cx, message) else { continue };
        let ids = ["call_id", "id"].into_iter().filter_map(|key| text(item, key));
        if text(item, "type").is_some_and(|kind| kind == CALL) {
            open.extend(ids.map(|id| (id.into_owned(), at)));
        } else {
            let mut ids = ids;
            answered.extend(ids.find_map(|id| open.get(&*id).copied()));
        }
    }
    for at in taken {
        take(cx, &mut messages[at]);
    }
    cx.messages = messages;
}

fn take<'a>(cx: &Reader<'a, '_>, message: &mut Message<'a>) {
    let Some(item) = item(cx, message) else { return };
    let Some(block) = message.blocks.first_mut() else { return };
    let Some(action) = item.get("action") else { return };
    let (name, arguments) = (Some(Cow::Borrowed(NAME)), Arguments::Json(Cow::Borrowed(action.raw())));
    let call = ToolCall { id: call_id(item), name, arguments, unfinished: false };
    block.kind = BlockKind::ToolCall(Box::new(call));
    block.projected = true;
    let others: Vec<_> = item.members().filter(|(key, _)| !key.is_str("call_id") && !key.is_str("action")).collect();
    block.native = cx.native(&others);
}

fn text<'a>(item: Value<'a>, key: &str) -> Option<Cow<'a, str>> {
    item.get(key)?.as_str()
}

fn call_id(item: Value<'_>) -> Option<Cow<'_, str>> {
    text(item, "call_id").filter(|id| !id.trim().is_empty() && id.trim() == id)
}

/// The item that a message is, if it is one of this tool.
fn item<'a>(cx: &Reader<'a, '_>, message: &Message<'a>) -> Option<Value<'a>> {
    let [block] = message.blocks.as_slice() else { return None };
    let source = block.source.filter(|_| matches!(block.kind, BlockKind::Opaque(_)))?;
    let item = cx.json.value(source);
    text(item, KIND).filter(|kind| kind == CALL || kind == "local_shell_call_output")?;
    Some(item)
}
