//! A `CallToolResult` of the Model Context Protocol: a fragment, the answer to one call without the call.

use std::borrow::Cow;

use super::fields::{ERROR_FLAGS, scan};
use super::reader::Reader;
use super::result::{read_error_flag, read_result_content};
use crate::json::{Json, Limits, Value, same};
use crate::rule;
use crate::text;
use crate::transcript::{BlockKind, ResultHead, Role};

/// Reads the result.
pub(crate) fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let scan = scan(wire, [("content", &[]), ("structuredContent", &["structured_content"]), ("isError", ERROR_FLAGS)]);
    let [content, structured, error] = scan.fields;
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    let mut dirty = cx.duplicate(scan.duplicate, wire, about);
    dirty |= cx.alias(&error, "isError", wire, about);
    let (is_error, odd) = read_error_flag(cx, &error, false, wire, about);
    dirty |= odd;
    // Before the first dated revision a result stood whole under one key.
    let legacy = wire.get("toolResult").filter(|_| content.value.is_none());
    let mut blocks = Vec::new();
    match legacy {
        Some(value) => {
            let words = value.as_str().unwrap_or_else(|| crate::json::mend_surrogates(value.raw()));
            let mut block = cx.block(BlockKind::Text(words), value);
            block.projected = true;
            blocks.push(block);
        }
        None if content.value.is_none() && structured.some().is_some() => {
            // The list is required, but what the result says stands beside it.
            cx.mend(
                &rule::CONTENT_MISSING,
                wire,
                Some(about),
                "the result has no content list beside its structured content",
            );
            dirty = true;
        }
        None => {
            let (read, anew) = read_result_content(cx, wire, content.value, about);
            blocks = read;
            dirty |= anew;
        }
    }
    if let Some(value) = structured.some() {
        let placeholder = blocks.len() == 1 && blocks[0].source.is_none() && blocks[0].text() == Some(text::NO_OUTPUT);
        if placeholder {
            blocks.clear();
        }
        if !blocks.iter().filter_map(|block| block.text()).any(|words| carries(words, value)) {
            let mut block = cx.block(BlockKind::Text(crate::json::mend_surrogates(value.raw())), value);
            block.projected = true;
            blocks.push(block);
            cx.note(
                &rule::STRUCTURED_CONTENT_NOT_IN_TEXT,
                value,
                "the structured content stands in no text block; its JSON text was added",
            );
        }
    }
    message.native = super::block::native_members(cx, &mut dirty, wire, &scan.others);
    message.blocks = blocks;
    message.result = Some(Box::new(ResultHead { call_id: None, tool_name: None, is_error, synthetic: false }));
    message.dirty = dirty;
    cx.finish(wire, vec![message]);
}

/// Whether a text already says what the structured content says: the same JSON, or the same under one `result` key.
fn carries(words: &str, structured: Value<'_>) -> bool {
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

fn only_result(value: Value<'_>) -> Option<Value<'_>> {
    let mut members = value.members();
    let (key, inner) = members.next()?;
    (key.is_str("result") && members.next().is_none()).then_some(inner)
}
