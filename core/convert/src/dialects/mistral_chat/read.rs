//! Mistral: Chat Completions with chunks of its own, closed objects, and reasoning as chunks of content.

use std::borrow::Cow;

use crate::dialects::openai_chat::read::{REASONING, Wire, first_choice, read_message};
use crate::media;
use crate::read::block::{Item, filled, foreign, unknown};
use crate::read::detect::{block, is, role};
use crate::read::fields::scan;
use crate::read::file_block::openai_file;
use crate::read::reader::Reader;
use crate::read::spec::{Sign, Spec, ToolForm};
use crate::read::thinking::unsigned;
use crate::read::typed::is_integer;
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, File, Role, Thinking};
use wirecanon_model::{Dialect, rule};

pub(crate) static SPEC: Spec = Spec {
    tools: ToolForm::FUNCTION,
    response: first_choice,
    error_flag: false,
    calls_beside_content: true,
    blank_results: true,
    has_item,
    is_whole: |kind, item| match kind {
        "document_url" | "input_audio" => filled(item.get(kind)),
        "file" => filled(item.get("file_id")),
        "reference" => item.get("reference_ids").is_some_and(|ids| ids.is_array() && ids.items().all(is_reference)),
        _ => true,
    },
    read: |cx, wire| read_message(cx, wire, &WIRE),
    item,
    // Each outweighs all signs of Chat Completions together, whose calls and results look the same.
    signs: &[
        Sign::new(30, "a chunk that only Mistral has", |m| {
            block(m, |b| {
                is(b, "document_url")
                    || is(b, "reference")
                    || (is(b, "thinking") && b.get("thinking").is_some_and(Value::is_array))
            })
        }),
        Sign::new(30, "`prefix` on a message of the assistant", |m| {
            role(m, "assistant") && m.get("prefix").is_some_and(|mark| mark.as_bool().is_some())
        }),
        Sign::new(30, "an `image_url` that is a string", |m| {
            block(m, |b| is(b, "image_url") && b.get("image_url").is_some_and(Value::is_string))
        }),
    ],
    ..Spec::COMMON
};

const WIRE: Wire = Wire {
    openai: false,
    reasoning: REASONING,
    reasoned_by: Dialect::OpenAiChat,
    typed_calls: false,
    result_name: "name",
    null_content: true,
    absent_content: false,
    no_id: Some("null"),
    rest: |_, _, _| {},
    beside: &[],
};

/// Whether it is the id of what is referred to: a number, or a string.
fn is_reference(id: Value<'_>) -> bool {
    id.is_string() || is_integer(id)
}

/// Chunks that canonical content only carries. Source: Mistral API reference, `ContentChunk`.
fn has_item(kind: &str, role: Role) -> bool {
    match role {
        Role::User | Role::ToolResult => matches!(kind, "document_url" | "input_audio" | "file" | "reference"),
        Role::Assistant => kind == "reference",
        Role::System => false,
    }
}

/// The chunks that only Mistral spells so.
fn item<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Option<Item<'a>> {
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    let block = match &*kind {
        "thinking" if item.get("thinking").is_some_and(|words| words.is_array() || words.is_string()) => {
            thinking(cx, item, role)
        }
        "document_url" | "input_audio" | "file" if role == Role::User => file(cx, item, &kind, role),
        _ => return None,
    };
    Some(Item::Block(block))
}

/// Reasoning is a list of texts on the API; clients of the open models write a string.
fn thinking<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    if role != Role::Assistant {
        let what = "reasoning outside the assistant's turn was kept as text";
        return cx.as_json(item, &rule::BLOCK_IN_WRONG_ROLE, what);
    }
    let scan = scan(item, [("type", &[]), ("thinking", &[]), ("signature", &[])]);
    let [_, words, signature] = scan.fields;
    let words = words.value.unwrap_or(item);
    let is_text = |piece: &Value<'_>| is(*piece, "text") && piece.get("text").is_some_and(Value::is_string);
    let text = match words.as_str() {
        Some(text) => text,
        None => {
            let texts: Vec<_> = words.items().filter_map(|piece| piece.get("text").and_then(Value::as_str)).collect();
            match texts.as_slice() {
                [only] => only.clone(),
                texts => Cow::Owned(texts.concat()),
            }
        }
    };
    let signature = signature.value.and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let thinking = Thinking { signature, ..unsigned(text, cx.dialect) };
    let mut block = cx.block_with(BlockKind::Thinking(Box::new(thinking)), item, &scan);
    if words.is_string() {
        foreign(cx, &block, item, "reasoning that is a string");
    } else if words.items().any(|piece| !is_text(&piece) && !is(piece, "reference")) {
        foreign(cx, &block, item, "reasoning with something else than texts");
    } else if words.items().any(|piece| !is_text(&piece)) || words.items().count() != 1 {
        // What a list of texts says beside its words goes back as it is.
        block.native.get_or_insert_default().add(cx.dialect.name(), "thinking", words.raw());
    }
    block
}

/// A document or a recording by its bytes; by an address or an id it is an item that only Mistral can replay.
fn file<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Block<'a> {
    let scan = scan(item, [("type", &[]), ("document_url", &[]), ("input_audio", &[]), ("document_name", &[])]);
    let [_, document, audio, name] = scan.fields;
    let own = match kind {
        "document_url" => document.value.and_then(Value::as_str).and_then(|url| by_data_url(&url)),
        "input_audio" => audio.value.and_then(Value::as_str).and_then(recording),
        _ => None,
    };
    if let Some(mut file) = own {
        file.name = name.value.and_then(Value::as_str).filter(|_| kind == "document_url");
        return cx.block_with(BlockKind::File(Box::new(file)), item, &scan);
    }
    // Another dialect's spelling of the same names.
    match openai_file(item, kind).filter(|_| item.get(kind).is_some_and(Value::is_object)) {
        Some(file) => {
            let block = cx.block(BlockKind::File(Box::new(file)), item);
            foreign(cx, &block, item, &format!("a `{kind}` chunk"));
            block
        }
        None => unknown(cx, item, role),
    }
}

fn by_data_url<'a>(url: &str) -> Option<File<'a>> {
    let (mime, data) = media::split_data_url(url);
    Some(File {
        data: Cow::Owned(data.filter(|data| !data.is_empty())?.to_owned()),
        mime_type: Cow::Owned(mime.unwrap_or("application/pdf").to_owned()),
        name: None,
    })
}

/// A recording by its base64, with or without a data URL around it; its kind is what its first bytes say.
fn recording(text: Cow<'_, str>) -> Option<File<'_>> {
    if media::is_data_url(&text) {
        return by_data_url(&text);
    }
    let mime_type = media::sniff_recording(&text)?;
    Some(File { data: text, mime_type: Cow::Borrowed(mime_type), name: None })
}
