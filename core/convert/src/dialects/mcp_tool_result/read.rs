//! A `CallToolResult` of the Model Context Protocol: a fragment, the answer to one call without the call.

use std::borrow::Cow;

use crate::read::block;
use crate::read::container::{Layout, Messages, not_a_transcript, plain};
use crate::read::fields::{ERROR_FLAGS, scan};
use crate::read::reader::Reader;
use crate::read::result::{ContentForms, answer, read_error_flag, read_result_content};
use crate::read::spec::Spec;
use wirecanon_json::{Json, Limits, Value, same};
use wirecanon_model::transcript::{Block, Container, Role};
use wirecanon_model::{Dialect, Error, rule, text};

pub(crate) static SPEC: Spec = Spec {
    layout,
    is_message: |_| false,
    root_sign: |root| usize::from(looks_like_one(root)),
    results: ContentForms { string: false, absent: false, empty: true },
    blank_results: true,
    blank_in_results: true,
    read: read_message,
    flat_images: true,
    ..Spec::COMMON
};

fn looks_like_one(root: Value<'_>) -> bool {
    let result = root.get("result").filter(|_| root.get("jsonrpc").is_some()).unwrap_or(root);
    result.is_object()
        && result.get("role").is_none()
        && result.get("messages").is_none()
        && result.get("choices").is_none()
        && ["content", "structuredContent", "isError", "toolResult"].iter().any(|key| result.get(key).is_some())
}

/// The result, alone or in its JSON-RPC message.
fn layout<'a>(json: &'a Json<'a>, _dialect: Dialect) -> Result<Layout<'a>, Error> {
    let root = json.root();
    if !root.is_object() {
        return Err(not_a_transcript(root, &format!("{} is no tool result", root.kind().name()))
            .with_hint("a tool result is {\"content\":[…]}"));
    }
    let result = match root.get("result") {
        Some(result) if root.get("jsonrpc").is_some() => result,
        _ if root.get("jsonrpc").is_some() => {
            return Err(not_a_transcript(root, "a JSON-RPC message without a `result`"));
        }
        _ => root,
    };
    if !result.is_object() {
        return Err(not_a_transcript(result, &format!("the result is {}, not an object", result.kind().name())));
    }
    if result.get("messages").is_some() || result.get("role").is_some() {
        return Err(not_a_transcript(result, "a transcript or a message, not a tool result"));
    }
    if result.get("resultType").is_some_and(|kind| kind.is_str("input_required")) {
        return Err(not_a_transcript(result, "a request for input, which no model is to see (MCP 2026-07-28)"));
    }
    Ok(plain(Container::Single { object: result.index() }, Messages::One(Some(result))))
}

/// Reads the result.
fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let scan = scan(wire, [("content", &[]), ("structuredContent", &["structured_content"]), ("isError", ERROR_FLAGS)]);
    let [content, structured, error] = scan.fields;
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    cx.duplicate(scan.duplicate, wire, about);
    cx.alias(&error, "isError", wire, about);
    if structured.some().is_some() {
        cx.alias(&structured, "structuredContent", wire, about);
    }
    let is_error = read_error_flag(cx, &error, false, wire, about);
    // Before the first dated revision a result stood whole under one key.
    let legacy = wire.get("toolResult").filter(|_| content.value.is_none());
    let mut blocks = Vec::new();
    match legacy {
        Some(value) => {
            let words = value.as_str().unwrap_or_else(|| wirecanon_json::mend_surrogates(value.raw()));
            blocks.push(cx.stand_in(words, value));
        }
        None if content.value.is_none() && structured.some().is_some() => {
            // The list is required, but what the result says stands beside it.
            let what = "the result has no content list beside its structured content";
            cx.mend(&rule::CONTENT_MISSING, wire, about, what);
        }
        None => blocks = read_result_content(cx, wire, content.value, about),
    }
    if let Some(value) = structured.some() {
        add_structured(cx, &mut blocks, value);
    }
    message.native = block::native_members(cx, about, wire, &scan.others);
    answer(&mut message, blocks, None, None, is_error);
    cx.finish(wire, vec![message]);
}

/// Adds the JSON text of structured content, unless a block carries it already.
pub(crate) fn add_structured<'a>(cx: &mut Reader<'a, '_>, blocks: &mut Vec<Block<'a>>, value: Value<'a>) {
    let placeholder = blocks.len() == 1
        && blocks[0].source.is_none()
        && blocks[0].words().is_some_and(|words| words == text::NO_OUTPUT);
    if placeholder {
        blocks.clear();
    }
    if blocks.iter().filter_map(Block::as_text).any(|words| is_said(&words, value)) || repeats(cx, blocks, value) {
        return;
    }
    blocks.push(cx.stand_in(wirecanon_json::mend_surrogates(value.raw()), value));
    let what = "the structured content stands in no text block; its JSON text was added";
    cx.note(&rule::STRUCTURED_CONTENT_NOT_IN_TEXT, value, what);
}

/// Whether a text already says what the structured content says: the same JSON, or the same under one `result` key.
pub(crate) fn is_said(words: &str, structured: Value<'_>) -> bool {
    let wrapped = only_result(structured);
    if wrapped.and_then(Value::as_str).is_some_and(|inner| inner == words) {
        return true;
    }
    if !words.trim_start().starts_with(|first: char| "{[\"-0123456789tfn".contains(first)) {
        return false;
    }
    let text: Cow<'_, str> = Cow::Borrowed(words);
    let Ok(json) = Json::parse(&text, &Limits::default()) else { return false };
    let said = json.root();
    same(said, structured)
        || wrapped.is_some_and(|inner| same(said, inner))
        || only_result(said).is_some_and(|inner| same(inner, structured))
}

/// Whether it is the list of what the blocks say, one for one, as `FastMCP` has for tools that give lists: nothing new, and the
/// bytes of pictures once more (anthropics/claude-code#70280).
fn repeats(cx: &Reader<'_, '_>, blocks: &[Block<'_>], structured: Value<'_>) -> bool {
    let list = only_result(structured).unwrap_or(structured);
    let is_said = |(block, item): (&Block<'_>, Value<'_>)| {
        let is_it = |source: u32| {
            let had = cx.json.value(source);
            // What the block leaves out is null there.
            let stands = |(key, value): (Value<'_>, Value<'_>)| {
                value.is_null() || key.as_str().and_then(|key| had.get(&key)).is_some_and(|had| same(had, value))
            };
            item.get("type").is_some_and(Value::is_string) && item.members().all(stands)
        };
        let says = |words: Cow<'_, str>| match item.as_str() {
            Some(text) => text == words,
            None => Json::parse(&words, &Limits::default()).is_ok_and(|json| same(json.root(), item)),
        };
        block.source.is_some_and(is_it) || block.as_text().is_some_and(says)
    };
    list.is_array()
        && !blocks.is_empty()
        && list.items().count() == blocks.len()
        && blocks.iter().zip(list.items()).all(is_said)
}

fn only_result(value: Value<'_>) -> Option<Value<'_>> {
    let mut members = value.members();
    let (key, inner) = members.next()?;
    (key.is_str("result") && members.next().is_none()).then_some(inner)
}
