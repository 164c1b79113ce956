//! Blocks of content: each an object with exactly one member, which says what it is.

use std::borrow::Cow;

use crate::dialects::bedrock_converse::read::{has_item, is_whole};
use crate::dialects::bedrock_converse::{media, shape};
use crate::read::block::{Item, project, read_foreign_item};
use crate::read::bytes::base64_of;
use crate::read::call;
use crate::read::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, ERROR_FLAGS, RESULT_IDS, scan, with_null_aliases};
use crate::read::file_block::no_pdf;
use crate::read::reader::Reader;
use crate::read::result::{answer, no_output, one_for_list, read_error_flag, read_result_content};
use crate::read::thinking;
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, Thinking};
use wirecanon_model::{rule, text};

/// The members of the unions of content, in messages and in results.
pub(crate) const MEMBERS: &[&str] = &[
    "text",
    "image",
    "document",
    "video",
    "audio",
    "toolUse",
    "toolResult",
    "guardContent",
    "cachePoint",
    "reasoningContent",
    "citationsContent",
    "searchResult",
    "toolAddition",
    "toolRemoval",
    "json",
];

/// What an item of a content list holds.
pub(crate) enum Piece<'a> {
    Item(Item<'a>),
    /// A mark behind which the server may cache: it belongs to what stands before it
    CachePoint(Value<'a>),
}

/// Reads one item of a content list; an item with several members holds several.
pub(crate) fn pieces<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role, out: &mut Vec<Piece<'a>>) {
    let own = own_members(item);
    if own.is_empty() {
        let mut read = read_foreign_item(cx, item, role, || "a block with a `type`".to_owned());
        if let Item::Result(result) = &mut read {
            result.source = Some(item.index());
            result.dirty = true;
        }
        return out.push(Piece::Item(read));
    }
    let others: Vec<_> = item.members().filter(|(key, _)| !own.iter().any(|(member, _)| key.is_str(member))).collect();
    let twice = scan(item, []).duplicate;
    let first = out.len();
    for (member, value) in &own {
        out.push(piece(cx, item, member, *value, role));
    }
    let about = match &out[first] {
        Piece::Item(Item::Block(block)) => block.id,
        Piece::Item(Item::Result(result)) => result.id,
        _ => 0,
    };
    cx.lose_members(item, &others, about);
    cx.duplicate(twice, item, about);
    if own.len() > 1 {
        cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, about, "a block with several members was taken apart into one each");
    }
    if others.is_empty() && twice.is_none() && own.len() == 1 {
        return;
    }
    // A mark alone has nothing that could be dirty: the message is, by what `read` makes of an empty item.
    out.push(Piece::Item(Item::Nothing));
    for piece in &mut out[first..] {
        match piece {
            Piece::Item(Item::Block(block)) => block.dirty = true,
            Piece::Item(Item::Result(result)) => result.dirty = true,
            _ => {}
        }
    }
}

/// The members of the union that an item has; none where its `type` says that it is another dialect's.
fn own_members(item: Value<'_>) -> Vec<(&'static str, Value<'_>)> {
    let typed = item.get("type").is_some_and(Value::is_string);
    MEMBERS
        .iter()
        .filter_map(|member| {
            let value = item.get(member)?;
            (value.is_object() || !typed).then_some((*member, value))
        })
        .collect()
}

fn piece<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    member: &'static str,
    value: Value<'a>,
    role: Role,
) -> Piece<'a> {
    let block = match member {
        "text" => text(cx, item, value),
        "image" => media::image(cx, item, value, role),
        "document" | "video" | "audio" => media::file(cx, item, member, value, role),
        // What the server ran itself stands whole in the model's turn.
        "toolUse" if role == Role::Assistant && !is_whole(member, item) => call(cx, item, value),
        "toolResult" if role == Role::User || (role == Role::Assistant && !is_whole(member, item)) => {
            return Piece::Item(Item::Result(result(cx, item, value)));
        }
        "reasoningContent" => reasoning(cx, item, value, role),
        "cachePoint" if shape::of(member).is_some_and(|shape| shape.fits(value)) => {
            if role == Role::ToolResult {
                let what = "a cache mark within a tool result was put behind it";
                cx.mend(&rule::CACHE_MARKER_MISPLACED, item, None, what);
            }
            return Piece::CachePoint(value);
        }
        _ => carried(cx, item, member, value, role),
    };
    Piece::Item(Item::Block(block))
}

fn text<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, value: Value<'a>) -> Block<'a> {
    match value.as_str() {
        Some(words) => cx.block(BlockKind::Text(words.into()), item),
        None => {
            let what = "a text block without a string was kept as its JSON text";
            cx.as_json(item, &rule::TEXT_NOT_A_STRING, what)
        }
    }
}

/// Reads what canonical content only carries: the words in it, where it has some, else the whole as an item of this API.
pub(crate) fn carried<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    member: &'static str,
    value: Value<'a>,
    role: Role,
) -> Block<'a> {
    if !has_item(member, role) {
        let what = format!("a `{member}` block in a message of role {} was kept as its JSON text", role.name());
        return cx.as_json(item, &rule::BLOCK_IN_WRONG_ROLE, what);
    }
    if let Some(block) = media::respelled(cx, item, member, value, role) {
        return block;
    }
    let is_pdf = member == "document" && value.get("format").is_some_and(|format| format.is_str("pdf"));
    let data = value.get("source").and_then(|source| source.get("bytes")?.as_str()).filter(|_| is_pdf);
    if data.is_some_and(|data| crate::media::is_canonical(&data) && !crate::media::is_pdf(&data)) {
        return no_pdf(cx, item, left_out(member, value));
    }
    let several = item.members().count() > 1;
    let whole = shape::of(member).is_some_and(|shape| shape.fits(value));
    let mended = if !whole && !several && member == "document" { media::mended_document(value) } else { None };
    if mended.is_none() && (!whole || several) {
        return unfit(cx, item, member, value);
    }
    let raw = Cow::Borrowed(item.raw());
    let words = match member {
        "json" => Some(Cow::Borrowed(value.raw())),
        "searchResult" => Some(raw),
        "guardContent" => value.get("text").and_then(|text| text.get("text")).and_then(Value::as_str),
        "citationsContent" => Some(joined(value.get("content"))),
        "document" => value.get("source").and_then(|source| match source.get("text") {
            Some(text) => text.as_str(),
            None => source.get("content").map(|content| joined(Some(content))),
        }),
        _ => None,
    };
    let words = words.filter(|words| !words.trim().is_empty());
    if let Some(document) = mended {
        let mut block = match words.or_else(|| (role == Role::ToolResult).then(|| left_out(member, value).into())) {
            Some(words) => stand_in(cx, item, words, member, document),
            None => {
                let value = Cow::Owned(format!("{{\"document\":{document}}}"));
                cx.opaque_as(item, value)
            }
        };
        block.dirty = true;
        let what =
            "the API does not take the document's name or format; the name was respelled, an unknown format left out";
        cx.mend(&rule::FILE_NAME_CHARACTERS, item, block.id, what);
        return block;
    }
    match (words, role) {
        (Some(words), _) => project(cx, item, words),
        (None, Role::ToolResult) => {
            let words = address(value).unwrap_or_else(|| left_out(member, value).into());
            project(cx, item, words)
        }
        (None, _) => cx.opaque(item),
    }
}

/// Words that stand for a file, which its own dialect gets back in this form.
pub(crate) fn stand_in<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    words: Cow<'a, str>,
    member: &'static str,
    value: String,
) -> Block<'a> {
    let mut block = project(cx, item, words);
    let native = block.native.get_or_insert_default();
    native.remove(cx.dialect.name(), member);
    native.add(cx.dialect.name(), member, value);
    block
}

fn joined(content: Option<Value<'_>>) -> Cow<'_, str> {
    let mut texts = content.into_iter().flat_map(Value::items).filter_map(|item| item.get("text")?.as_str());
    let Some(first) = texts.next() else { return Cow::Borrowed("") };
    texts.fold(first, |all, text| all + text)
}

fn address(value: Value<'_>) -> Option<Cow<'_, str>> {
    value.get("source")?.get("s3Location")?.get("uri")?.as_str()
}

pub(crate) fn left_out(member: &str, value: Value<'_>) -> String {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    text::file_left_out(text("name").as_deref(), text("format").as_deref().unwrap_or(member))
}

/// An item that lacks what the service model demands of it.
fn unfit<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, member: &'static str, value: Value<'a>) -> Block<'a> {
    let is_file = matches!(member, "image" | "document" | "video" | "audio");
    let source = value.get("source").filter(|source| source.is_object());
    let says = |key: &str| {
        source.and_then(|source| source.get(key)).is_some_and(|value| {
            value.is_object() || value.is_array() || value.as_str().is_some_and(|text| !text.trim().is_empty())
        })
    };
    if is_file && !["bytes", "s3Location", "text", "content"].into_iter().any(says) {
        let what = "a file without bytes, text or place became a text that says so";
        return cx.left_out(left_out(member, value), item, &rule::FILE_WITHOUT_DATA, what);
    }
    if member == "json" {
        let block = cx.as_json(item, &rule::RESULT_JSON_NOT_AN_OBJECT, "JSON that is no object was kept as its text");
        return Block { kind: BlockKind::Text(wirecanon_json::mend_surrogates(value.raw()).into()), ..block };
    }
    let what = format!("a `{member}` block that the API does not take was kept as its JSON text");
    cx.as_json(item, &rule::UNKNOWN_BLOCK, what)
}

fn call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, value: Value<'a>) -> Block<'a> {
    let scan = scan(value, [("toolUseId", CALL_IDS), ("name", CALL_NAMES), ("input", ARGUMENTS)]);
    let [id, name, arguments] = scan.fields;
    let about = cx.id();
    cx.duplicate(scan.duplicate, item, about);
    cx.aliases([(&id, "toolUseId"), (&name, "name"), (&arguments, "input")], item, about);
    let mut others = with_null_aliases(value, &["toolUseId", "name", "input"], &scan.others);
    let call = call::call_of(cx, item, about, [&id, &name, &arguments], &mut others);
    cx.lose_members(item, &others, about);
    call::block_of_call(about, call, item, None)
}

fn result<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, value: Value<'a>) -> Message<'a> {
    let scan =
        scan(value, [("toolUseId", RESULT_IDS), ("content", &["output"]), ("status", &[]), ("isError", ERROR_FLAGS)]);
    let [id, content, status, error] = scan.fields;
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    cx.duplicate(scan.duplicate, item, about);
    cx.aliases([(&id, "toolUseId"), (&content, "content")], item, about);
    let call_id = cx.call_id(&id, item, about);
    let mut is_error = false;
    if let Some(status) = status.value {
        is_error = status.is_str("error");
        if !is_error && !status.is_str("success") {
            let what = format!("the status is {}; it counts as a success", status.raw());
            cx.mend(&rule::ERROR_FLAG_NOT_A_BOOLEAN, item, about, what);
        }
    }
    if let Some(flag) = error.value {
        let says = flag.as_bool() == Some(true) || flag.is_str("true") || flag.raw() == "1";
        let (rule, what) = match status.value {
            None => (&rule::FIELD_ALIAS, format!("`{}` was read as `status`", error.key)),
            Some(_) if flag.is_null() || says == is_error => {
                (&rule::FIELD_ALIAS, format!("`status` counts; `{}` says no more and was left out", error.key))
            }
            Some(_) => {
                (&rule::ALIAS_CONFLICT, format!("`status` counts; `{}` contradicts it and was left out", error.key))
            }
        };
        cx.mend(rule, item, about, what);
        if status.value.is_none() && !flag.is_null() {
            is_error = read_error_flag(cx, &error, false, item, about);
        }
    }
    // A `type` is the mark of a tool that the server ran, whose result stands in the model's turn.
    let others = with_null_aliases(value, &["toolUseId", "content", "status"], &scan.others);
    cx.lose_members(item, &others, about);
    let (blocks, mark) = result_content(cx, item, content.value, is_error, about);
    answer(&mut message, blocks, call_id, None, is_error);
    message.dirty = mark.is_some();
    if let Some(mark) = mark {
        message.native.get_or_insert_default().add(cx.dialect.name(), "cachePoint", mark.raw());
    }
    message.source = Some(item.index());
    message
}

/// The content of a result: text, pictures, JSON, documents; and a cache mark, which may not stand there (Portkey-AI/gateway#1762).
/// An empty list is legal, but for errors.
fn result_content<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    content: Option<Value<'a>>,
    is_error: bool,
    about: u32,
) -> (Vec<Block<'a>>, Option<Value<'a>>) {
    let Some(list) = content.filter(|content| content.is_array() || !own_members(*content).is_empty()) else {
        return (read_result_content(cx, item, content, about), None);
    };
    let mut read = Vec::new();
    if list.is_array() {
        if list.items().next().is_none() {
            return (no_output(cx, list, !is_error, about, "the content of the result is an empty list"), None);
        }
        for item in list.items() {
            pieces(cx, item, Role::ToolResult, &mut read);
        }
    } else {
        one_for_list(cx, list, about);
        pieces(cx, list, Role::ToolResult, &mut read);
    }
    let mut mark = None;
    let blocks: Vec<_> = read
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Item(Item::Block(block)) => Some(block),
            Piece::CachePoint(found) => {
                mark = Some(found);
                None
            }
            Piece::Item(Item::Result(result)) => {
                let value = cx.json.value(result.source?);
                let what = "a result inside a result was kept as its JSON text";
                let block = cx.as_json(value, &rule::BLOCK_IN_WRONG_ROLE, what);
                Some(block)
            }
            Piece::Item(_) => None,
        })
        .collect();
    if blocks.is_empty() && mark.is_some() {
        return (no_output(cx, list, false, about, "the result holds nothing but a cache mark"), mark);
    }
    (blocks, mark)
}

fn reasoning<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, value: Value<'a>, role: Role) -> Block<'a> {
    if role != Role::Assistant {
        return thinking::in_wrong_role(cx, item);
    }
    let outer = scan(value, [("reasoningText", &[]), ("redactedContent", &[])]);
    let sealed = outer.fields[1].value.and_then(base64_of).filter(|data| crate::media::is_canonical(data));
    let origin = Some(Cow::Borrowed(cx.dialect.name()));
    let words = outer.fields[0].value.filter(|words| words.is_object());
    let inner = words.map(|words| scan(words, [("text", &[]), ("signature", &[])]));
    let (thinking, mut others, twice) = match (&inner, sealed) {
        (Some(inner), _) => {
            let [text, signature] = inner.fields;
            let thinking = Thinking {
                text: text.value.and_then(Value::as_str).unwrap_or_default(),
                signature: signature.value.and_then(Value::as_str).filter(|text| !text.trim().is_empty()),
                redacted: false,
                origin,
            };
            (thinking, inner.others.clone(), inner.duplicate)
        }
        (None, Some(data)) => {
            (Thinking { text: Cow::Borrowed(""), signature: Some(data), redacted: true, origin }, Vec::new(), None)
        }
        (None, None) => {
            let what = "reasoning that the API does not take was kept as its JSON text";
            return cx.as_json(item, &rule::UNKNOWN_BLOCK, what);
        }
    };
    let block = cx.block(BlockKind::Thinking(Box::new(thinking)), item);
    let about = block.id;
    cx.duplicate(outer.duplicate.or(twice), item, about);
    if inner.is_none() && outer.fields[1].value.is_some_and(|data| !data.is_string()) {
        cx.mend(&rule::UNKNOWN_BLOCK, item, about, "what is sealed is base64 now, which stood in another form");
    }
    if let Some(inner) = &inner {
        if inner.fields[0].value.is_none_or(|text| !text.is_string()) {
            cx.mend(&rule::TEXT_NOT_A_STRING, item, about, "reasoning without its words has none");
        }
        others.extend(
            words
                .into_iter()
                .flat_map(Value::members)
                .filter(|(key, value)| key.is_str("signature") && !value.is_string()),
        );
    }
    // The union takes one: the words win over what is sealed.
    others.extend(value.members().filter(|(key, _)| {
        let own = if inner.is_some() { "reasoningText" } else { "redactedContent" };
        !key.is_str(own)
    }));
    cx.lose_members(item, &others, about);
    block
}
