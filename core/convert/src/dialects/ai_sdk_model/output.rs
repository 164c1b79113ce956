//! What a tool answered, as the Vercel AI SDK keeps it: text, JSON, an error of either kind, a refusal of the user, or a
//! list of items.

use std::borrow::Cow;

use crate::dialects::ai_sdk_model::media::{held, is_address, whole_type, words};
use crate::dialects::mcp_tool_result::read::add_structured;
use crate::media;
use crate::read::block::{self, project};
use crate::read::fields::{Field, scan};
use crate::read::reader::{Reader, write_alone};
use crate::read::result::read_result_content;
use wirecanon_json::{Kind, Value, mend_surrogates};
use wirecanon_model::transcript::{self, Block, BlockKind, Media};
use wirecanon_model::{rule, text};

/// Reads the output of a result: its blocks, and whether it is an error.
pub(crate) fn read<'a>(
    cx: &mut Reader<'a, '_>,
    holder: Value<'a>,
    field: &Field<'a>,
    about: u32,
) -> (Vec<Block<'a>>, bool) {
    let Some(output) = field.value else {
        let what = format!("the result has no output; `{}` says so", text::NO_OUTPUT);
        cx.mend(&rule::EMPTY_TOOL_RESULT, holder, about, what);
        return (vec![no_output(cx, holder, false)], false);
    };
    cx.alias(field, "output", holder, about);
    let kind = output.get("type").and_then(Value::as_str).unwrap_or_default();
    let value = output.get("value");
    if let ("json" | "error-json", Some(value)) = (&*kind, value)
        && let Some(list) = blocks_of_mcp(value)
    {
        let mut blocks = list.items().map(|block| of_mcp(cx, block)).collect();
        if let Some(structured) = structured_content(value) {
            add_structured(cx, &mut blocks, structured);
        }
        return (blocks, &*kind != "json" || says_it_failed(value));
    }
    let (block, is_error) = match (&*kind, value) {
        ("text" | "error-text", Some(words)) if words.is_string() => {
            let said = words.as_str().unwrap_or_default();
            if said.is_empty() {
                (no_output(cx, words, true), &*kind != "text")
            } else {
                (cx.block(BlockKind::Text(said.into()), words), &*kind != "text")
            }
        }
        ("json" | "error-json", Some(value)) => (cx.stand_in(mend_surrogates(value.raw()), value), &*kind != "json"),
        ("execution-denied", _) => {
            let reason = output.get("reason").and_then(Value::as_str).filter(|reason| !reason.trim().is_empty());
            let words = reason.unwrap_or(Cow::Borrowed("execution-denied"));
            (cx.stand_in(words, output), true)
        }
        ("content", Some(list)) if list.is_array() => {
            let mut blocks: Vec<_> = list.items().map(|item| read_item(cx, item)).collect();
            if blocks.is_empty() {
                blocks.push(no_output(cx, list, true));
            }
            return (blocks, false);
        }
        _ => {
            let words = format!("{} in place of an output was kept as its text", output.kind().name());
            cx.mend(&rule::FOREIGN_BLOCK_SHAPE, output, about, words);
            return (foreign(cx, output), false);
        }
    };
    (vec![block], is_error)
}

/// An output in messages for an interface is any JSON value; that of a tool of the Model Context Protocol is its result, blocks and all.
pub(crate) fn read_bare<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, output: Value<'a>) -> (Vec<Block<'a>>, bool) {
    let list = output.get("content").filter(|list| {
        list.is_array()
            && list.items().next().is_some()
            && list.items().all(|block| block.get("type").is_some_and(Value::is_string))
    });
    if let Some(list) = list {
        let mut blocks = read_result_content(cx, item, Some(list), 0);
        if let Some(structured) = structured_content(output) {
            add_structured(cx, &mut blocks, structured);
        }
        return (blocks, says_it_failed(output));
    }
    let mut block = match output.kind() {
        Kind::String => {
            let words = output.as_str().unwrap_or_default();
            let empty = words.is_empty();
            let mut block =
                cx.block(BlockKind::Text(if empty { text::NO_OUTPUT.into() } else { words.into() }), output);
            block.projected = empty;
            return (vec![block], false);
        }
        Kind::Null => cx.block(BlockKind::Text(text::NO_OUTPUT.into()), output),
        _ => cx.block(BlockKind::Text(mend_surrogates(output.raw()).into()), output),
    };
    block.projected = true;
    (vec![block], false)
}

/// The blocks of a JSON value that is a whole result of the Model Context Protocol, if it has a picture in it
/// (vercel/ai#11072, vercel/ai#12160) or says that the tool failed. Any other value is the tool's own, and stays one text.
pub(crate) fn blocks_of_mcp(value: Value<'_>) -> Option<Value<'_>> {
    let list = value.get("content").filter(|list| list.is_array() && list.items().next().is_some())?;
    let of_mcp = |(key, value): (Value<'_>, Value<'_>)| {
        value.is_null()
            || key.is_str("content")
            || key.is_str("structuredContent")
            || (key.is_str("isError") && value.as_bool().is_some())
            || (key.is_str("_meta") && value.is_object())
    };
    let known = value.members().all(of_mcp) && scan(value, []).duplicate.is_none();
    (known && list.items().all(is_of_mcp) && (says_it_failed(value) || list.items().any(is_picture))).then_some(list)
}

/// Whether a result of the protocol says that the tool failed.
pub(crate) fn says_it_failed(result: Value<'_>) -> bool {
    result.get("isError").and_then(Value::as_bool) == Some(true)
}

/// What such a result holds beside its blocks, for programs rather than for the model.
pub(crate) fn structured_content(result: Value<'_>) -> Option<Value<'_>> {
    result.get("structuredContent").filter(|value| !value.is_null())
}

/// Whether an output that holds such a result was read into these blocks: one for each of `list`, and one for the structured
/// content where no text says it.
pub(crate) fn says_all(output: Value<'_>, list: Value<'_>, blocks: &[Block<'_>]) -> bool {
    let structured = structured_content(output).map(Value::index);
    let said = blocks.iter().filter(|block| structured.is_none() || block.source != structured).count();
    said == list.items().count()
}

/// Returns true for a block of the protocol with the members that its type requires.
fn is_of_mcp(block: Value<'_>) -> bool {
    let says = |key: &str| block.get(key).is_some_and(Value::is_string);
    let may_say = |key: &str| block.get(key).is_none_or(|value| value.is_null() || value.is_string());
    block.get("type").and_then(Value::as_str).is_some_and(|kind| match &*kind {
        "text" => says("text"),
        "image" | "audio" => says("data") && may_say("mimeType"),
        "resource" => block.get("resource").is_some_and(Value::is_object),
        _ => true,
    })
}

fn is_picture(block: Value<'_>) -> bool {
    block.get("type").is_some_and(|kind| kind.is_str("image")) && block.get("data").is_some_and(Value::is_string)
}

/// A block of such a result: a text, a picture, or the JSON text of anything else.
fn of_mcp<'a>(cx: &mut Reader<'a, '_>, block: Value<'a>) -> Block<'a> {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    if is_picture(block) {
        let media = Media { data: text("data"), mime_type: text("mimeType") };
        return cx.block(BlockKind::Image(Box::new(media)), block);
    }
    let words = text("text").filter(|_| block.get("type").is_some_and(|kind| kind.is_str("text")));
    cx.block(BlockKind::Text(words.unwrap_or_else(|| mend_surrogates(block.raw())).into()), block)
}

/// Whether an output is one of the kinds that there are, with what its kind holds.
pub(crate) fn is_sound(output: Value<'_>) -> bool {
    let value = output.get("value");
    match &*output.get("type").and_then(Value::as_str).unwrap_or_default() {
        "text" | "error-text" => value.is_some_and(Value::is_string),
        "json" | "error-json" => value.is_some(),
        "execution-denied" => true,
        // Its items are a provider's own: whoever replays them made them.
        "content" => value.is_some_and(|list| list.is_array() && list.items().all(|item| item.get("type").is_some())),
        _ => false,
    }
}

/// An output that is not one: a bare value, as versions before 5 kept it, or another dialect's content.
fn foreign<'a>(cx: &mut Reader<'a, '_>, output: Value<'a>) -> Vec<Block<'a>> {
    let blocks = match output.kind() {
        Kind::String => {
            let words = output.as_str().unwrap_or_default();
            if words.is_empty() { Vec::new() } else { vec![cx.block(BlockKind::Text(words.into()), output)] }
        }
        Kind::Null => Vec::new(),
        Kind::Array => output.items().map(|item| read_item(cx, item)).collect(),
        _ => vec![cx.text_anew(mend_surrogates(output.raw()), output)],
    };
    let mut blocks = if blocks.is_empty() { vec![no_output(cx, output, false)] } else { blocks };
    write_alone(&mut blocks);
    blocks
}

fn no_output<'a>(cx: &mut Reader<'a, '_>, at: Value<'a>, allowed: bool) -> Block<'a> {
    Block { projected: allowed, dirty: !allowed, source: None, ..cx.stand_in(text::NO_OUTPUT, at) }
}

/// The bytes, or the address, of a file as version 7 of the SDK has it.
fn held_bytes(item: Value<'_>) -> Option<Cow<'_, str>> {
    held(item.get("data").filter(|data| data.is_object())?).filter(|held| !is_address(held) && !held.trim().is_empty())
}

fn held_address(item: Value<'_>) -> Option<Cow<'_, str>> {
    held(item.get("data").filter(|data| data.is_object())?).filter(|held| is_address(held))
}

/// An item of a list of content.
fn read_item<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    let string = |key: &str| item.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    match &*kind {
        "file" if item.get("data").and_then(words).is_some() => {
            let words = item.get("data").and_then(words).unwrap_or_default();
            project(cx, item, words)
        }
        "file" if held_address(item).is_some() => project(cx, item, held_address(item).unwrap_or_default()),
        "image-data" | "media" | "file-data" | "file" if kind != "file" || held_bytes(item).is_some() => {
            let data = string("data").or_else(|| held_bytes(item));
            let mime = string("mediaType");
            let is_open = kind == "file" && mime.as_deref() == Some("image");
            let is_picture = match &data {
                Some(data) => media::is_picture(mime.as_deref(), data),
                None => mime.as_deref().is_some_and(|mime| mime.starts_with("image/")),
            };
            if kind == "image-data" || is_open || is_picture {
                let mime_type = match &data {
                    Some(data) if kind == "file" => whole_type(mime, data),
                    _ => mime,
                };
                let media = Media { data, mime_type };
                let scan = scan(item, [("type", &[]), ("data", &[]), ("mediaType", &[])]);
                return cx.block_with(BlockKind::Image(Box::new(media)), item, &scan);
            }
            let is_held = data.is_some_and(|data| media::is_canonical(&data));
            let Some(mime) = mime.filter(|_| is_held) else {
                return block::unknown(cx, item, transcript::Role::ToolResult);
            };
            let words = text::file_left_out(string("filename").as_deref(), &mime);
            project(cx, item, Cow::Owned(words))
        }
        "image-url" | "file-url" if string("url").is_some() => {
            let url = string("url").unwrap_or_default();
            project(cx, item, url)
        }
        "file-id" | "image-file-id" | "file-reference" | "image-file-reference" | "file" | "custom" => {
            project(cx, item, mend_surrogates(item.raw()))
        }
        _ => match block::read_item(cx, item, transcript::Role::ToolResult) {
            block::Item::Block(block) => block,
            _ => cx.text_anew(mend_surrogates(item.raw()), item),
        },
    }
}
