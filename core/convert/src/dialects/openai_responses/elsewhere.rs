//! Outputs whose calls the server has: they answer nothing that stands here, and are no orphans.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::dialects::openai_responses::read::{self, SPEC};
use crate::dialects::openai_responses::turns::half;
use crate::media;
use crate::read::reader::Reader;
use wirecanon_json::{Value, quote};
use wirecanon_model::transcript::{Block, BlockKind, Media, Message, Opaque, Role};
use wirecanon_model::{rule, text};

/// Whether the server has a part of the conversation that does not stand here.
pub(crate) fn calls_are_elsewhere(cx: &Reader<'_, '_>) -> bool {
    goes_on(cx.json.root()) || refers_elsewhere(cx)
}

/// Whether a request says that it goes on with what the server has. A response says it, too, but the request made of it does not.
pub(crate) fn goes_on(request: Value<'_>) -> bool {
    let beside = |key: &str| request.get(key).is_some_and(|value| !value.is_null());
    let is_response = request.get("input").is_none() && (SPEC.response)(request).is_some();
    !is_response && request.get("type").is_none() && (beside("previous_response_id") || beside("conversation"))
}

/// Whether an item refers to one that does not stand here.
fn refers_elsewhere(cx: &Reader<'_, '_>) -> bool {
    let id = |source: u32| cx.json.value(source).get("id").and_then(Value::as_str);
    let reference = |message: &Message<'_>| match message.blocks.as_slice() {
        [block] => reference(cx, block),
        _ => None,
    };
    let mut references: HashSet<_> = cx.messages.iter().filter_map(reference).filter_map(id).collect();
    if references.is_empty() {
        return false;
    }
    for message in cx.messages.iter().filter(|message| reference(message).is_none()) {
        for source in message.blocks.iter().filter_map(|block| block.source).chain(message.source) {
            if let Some(id) = id(source) {
                references.remove(&id);
            }
        }
    }
    !references.is_empty()
}

/// Where the item stands, if it refers to another one.
fn reference(cx: &Reader<'_, '_>, block: &Block<'_>) -> Option<u32> {
    let source = block.source.filter(|_| matches!(block.kind, BlockKind::Opaque(_)))?;
    let kind = cx.json.value(source).get("type").filter(|kind| !kind.is_null());
    kind.is_none_or(|kind| kind.is_str("item_reference")).then_some(source)
}

/// An output whose call the server has is carried as it is, with its pictures mended.
pub(crate) fn keep_outputs(cx: &mut Reader<'_, '_>) {
    let mut messages = std::mem::take(&mut cx.messages);
    let calls: HashSet<String> = messages
        .iter()
        .flat_map(Message::calls)
        .filter_map(|call| call.id.as_deref())
        .map(|id| half(id).to_owned())
        .collect();
    for message in &mut messages {
        let Some(id) = message.result.as_ref().and_then(|head| head.call_id.as_deref()) else { continue };
        // The server gives no longer ids.
        let Some(source) = message.source.filter(|_| !calls.contains(half(id)) && id.len() <= read::LONGEST) else {
            continue;
        };
        let item = cx.json.value(source);
        let Some(parts) = message.blocks.iter().map(|block| part(cx, block)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let dirty = message.dirty || parts.iter().any(|part| matches!(part, Part::Anew(_)));
        let value = if dirty {
            let kind = item.get("type").and_then(Value::as_str);
            let kind = kind.filter(|kind| kind == "custom_tool_call_output").unwrap_or("function_call_output".into());
            let (id, output) = (quote(id), output(&message.blocks, parts));
            Cow::Owned(format!(r#"{{"type":"{kind}","call_id":{id},"output":{output}}}"#))
        } else {
            Cow::Borrowed(item.raw())
        };
        let opaque = Opaque { dialect: Cow::Borrowed(cx.dialect.name()), value };
        let Some(mut block) = message.blocks.pop() else { continue };
        block.kind = BlockKind::Opaque(Box::new(opaque));
        block.source = Some(source);
        block.dirty = dirty;
        (block.native, block.projected) = (None, false);
        message.blocks = vec![block];
        message.dirty = dirty;
        message.role = Role::User;
        (message.result, message.native) = (None, None);
    }
    cx.messages = messages;
}

/// A part of an output, as JSON.
enum Part {
    Same(String),
    Anew(String),
}

/// The output of these parts: a string where they are texts alone.
fn output(blocks: &[Block<'_>], parts: Vec<Part>) -> String {
    let texts: Option<Vec<_>> = blocks.iter().map(Block::as_text).collect();
    if let Some(texts) = texts {
        return quote(&texts.join("\n"));
    }
    let parts = parts.into_iter().map(|(Part::Same(part) | Part::Anew(part))| part);
    format!("[{}]", parts.collect::<Vec<_>>().join(","))
}

fn part(cx: &mut Reader<'_, '_>, block: &Block<'_>) -> Option<Part> {
    if let BlockKind::Image(image) = &block.kind {
        return Some(picture(cx, block, image));
    }
    let source = block.source.filter(|_| block.projected);
    let json = match source {
        Some(source) => cx.json.value(source).raw().to_owned(),
        None => words(&block.as_text()?),
    };
    Some(Part::Same(json))
}

fn words(text: &str) -> String {
    format!(r#"{{"type":"input_text","text":{}}}"#, quote(text))
}

/// A picture, mended where it can be: no later pass looks into an item that is carried.
fn picture(cx: &mut Reader<'_, '_>, block: &Block<'_>, image: &Media<'_>) -> Part {
    let declared = image.mime_type.as_deref().unwrap_or_default();
    let Some(source) = block.source else { return Part::Anew(words("")) };
    let at = cx.json.value(source);
    match media::mend(image.data.as_deref().unwrap_or_default()) {
        Ok(mended) => {
            let rule = match (mended.respelled, media::same_type(declared, &mended.mime_type)) {
                (true, _) => &rule::IMAGE_BASE64_NOT_CANONICAL,
                (false, true) => return Part::Same(at.raw().to_owned()),
                (false, false) => &rule::IMAGE_TYPE_MISMATCH,
            };
            cx.mend(rule, at, block.id, format!("the picture was spelled anew, as `{}`", mended.mime_type));
            let url = quote(&format!("data:{};base64,{}", mended.mime_type, mended.data));
            Part::Anew(format!(r#"{{"type":"input_image","image_url":{url}}}"#))
        }
        Err(why) => {
            let what = format!("a picture that cannot be mended ({}) became a text that says so", why.reason());
            cx.lose(why.rule(), at, block.id, what);
            Part::Anew(words(&text::image_left_out(why.reason(), image.mime_type.as_deref())))
        }
    }
}
