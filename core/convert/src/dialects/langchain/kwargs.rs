//! What LangChain keeps under `additional_kwargs` of a message: what its provider has and no field of its own is for.

use crate::read::reader::Reader;
use crate::read::thinking::unsigned;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, BlockKind};

/// The member that holds the model's reasoning, as servers of Chat Completions call it.
const REASONING: &str = "reasoning_content";

/// The kinds of content in which reasoning stands.
pub(crate) const KINDS: [&str; 3] = ["reasoning", "thinking", "redacted_thinking"];

/// Reasoning that stands here alone. Some integrations put it into the content as well (langchain-ai/langchain-litellm#244).
pub(crate) fn reasoning<'a>(kwargs: Option<Value<'a>>, content: Option<Value<'a>>) -> Option<Value<'a>> {
    let words = kwargs?.get(REASONING)?;
    let is_blank = words.as_str()?.trim().is_empty();
    let of_content = |item: Value<'_>| item.get("type").is_some_and(|kind| KINDS.iter().any(|name| kind.is_str(name)));
    let again = content.is_some_and(|content| of_content(content) || content.items().any(of_content));
    (!is_blank && !again).then_some(words)
}

/// Reasoning that stands beside the content, as a block that its member stands for.
pub(crate) fn read_reasoning<'a>(cx: &mut Reader<'a, '_>, words: Value<'a>) -> Block<'a> {
    let thinking = unsigned(words.as_str().unwrap_or_default(), cx.dialect);
    let mut block = cx.block(BlockKind::Thinking(Box::new(thinking)), words);
    block.projected = true;
    block
}

type Elsewhere<'a> = (&'static rule::Rule, &'static str, Vec<Value<'a>>);

/// Calls that stand in neither list: left from streaming, or in the form of the provider alone.
pub(crate) fn calls_elsewhere<'a>(chunks: Option<Value<'a>>, kwargs: Option<Value<'a>>) -> Option<Elsewhere<'a>> {
    let chunks: Vec<_> = chunks.into_iter().flat_map(Value::items).collect();
    if !chunks.is_empty() {
        return Some((&rule::STREAMING_MARKER, "calls left in `tool_call_chunks` were read as calls", chunks));
    }
    let kwargs = kwargs?;
    let calls: Vec<_> = kwargs.get("tool_calls").into_iter().flat_map(Value::items).collect();
    if !calls.is_empty() {
        return Some((&rule::FIELD_ALIAS, "calls in `additional_kwargs` alone were read as the message's own", calls));
    }
    let legacy = kwargs.get("function_call").filter(|call| call.is_object())?;
    Some((&rule::FIELD_ALIAS, "a `function_call` in `additional_kwargs` was read as a call", vec![legacy]))
}

/// The object without the provider's own form of the calls, which `tool_calls` has; `None` when it has none.
pub(crate) fn without_calls(kwargs: Value<'_>) -> Option<String> {
    without_what_was_read(kwargs, false)
}

/// The object without what was read of it, which are its calls and maybe its reasoning; `None` when that is nothing.
pub(crate) fn without_what_was_read(kwargs: Value<'_>, reasoning: bool) -> Option<String> {
    without(kwargs, |key| {
        key.is_str("tool_calls") || key.is_str("function_call") || (reasoning && key.is_str(REASONING))
    })
}

/// The object without such members; `None` when it has none of them.
pub(crate) fn without(kwargs: Value<'_>, goes: impl Fn(Value<'_>) -> bool) -> Option<String> {
    if !kwargs.is_object() || !kwargs.members().any(|(key, _)| goes(key)) {
        return None;
    }
    let rest: Vec<_> = kwargs
        .members()
        .filter(|(key, _)| !goes(*key))
        .map(|(key, value)| format!("{}:{}", key.raw(), value.raw()))
        .collect();
    Some(if rest.is_empty() { String::new() } else { format!("{{{}}}", rest.join(",")) })
}
