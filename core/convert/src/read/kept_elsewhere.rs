//! What frameworks keep beside a message of Chat Completions, or within it, that its own members are for.

use std::borrow::Cow;

use crate::read::block::{filled, named};
use crate::read::fields::{Field, RESULT_IDS, RESULT_TYPES};
use crate::read::reader::Reader;
use crate::read::result::{content_of_others, read_result_block};
use wirecanon_json::Value;
use wirecanon_model::transcript::Message;
use wirecanon_model::{Dialect, rule};

/// Reads a message without an id that holds results which have theirs: `AutoGen` keeps those of a batch in one
/// (microsoft/autogen#3164), other frameworks as blocks of its content. False if it is none.
pub(crate) fn results_within<'a, 'r>(
    cx: &mut Reader<'a, 'r>,
    wire: Value<'a>,
    mut read: impl FnMut(&mut Reader<'a, 'r>, Value<'a>),
) -> bool {
    let has_id = |holder: Value<'_>| RESULT_IDS.iter().any(|key| filled(holder.get(key)));
    if has_id(wire) {
        return false;
    }
    let before = cx.messages.len();
    if let Some(list) = wire.get("tool_responses").filter(|list| list.items().next().is_some()) {
        if !list.items().all(|item| item.is_object() && has_id(item)) {
            return false;
        }
        for item in list.items() {
            read(cx, item);
        }
    } else {
        let content = wire.get("content").or_else(|| Some(content_of_others(wire)?.1));
        let is_result = |item: Value<'_>| kind_of(item).is_some_and(|kind| RESULT_TYPES.contains(&&*kind));
        let Some(list) = content.filter(|list| list.items().next().is_some() && list.items().all(is_result)) else {
            return false;
        };
        for item in list.items() {
            let result = read_result_block(cx, item);
            cx.messages.push(result);
        }
    }
    let what = "results that one message holds were read as messages of their own";
    cx.mend_from(before, &rule::FIELD_ALIAS, wire, what);
    for message in &mut cx.messages[before..] {
        message.origin = None;
    }
    true
}

fn kind_of(item: Value<'_>) -> Option<Cow<'_, str>> {
    item.get("type").and_then(Value::as_str).or_else(|| named(item).map(Cow::Borrowed))
}

/// The words of a failed result that has no others, as AG-UI keeps them (ag-ui-protocol/ag-ui#2290).
pub(crate) fn failure<'a>(content: &Field<'a>, others: &mut Vec<(Value<'a>, Value<'a>)>) -> Option<Value<'a>> {
    if !content.some().is_none_or(|content| content.is_str("")) {
        return None;
    }
    let at = others.iter().position(|(key, words)| key.is_str("error") && filled(Some(*words)))?;
    Some(others.remove(at).1)
}

/// Where `LlamaIndex` keeps calls, and the ids that they are answered by (run-llama/llama_index#13715).
pub(crate) const KWARGS: &str = "additional_kwargs";

/// Puts in the place of that member what was not read of it.
pub(crate) fn keep_the_rest(message: &mut Message<'_>, rest: Option<String>) {
    message.dirty = true;
    let Some(native) = &mut message.native else { return };
    let name = Dialect::OpenAiChat.name();
    native.remove(name, KWARGS);
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        native.add(name, KWARGS, rest);
    }
}
