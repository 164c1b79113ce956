//! Rendering what most dialects spell alike.

use std::borrow::Cow;

use crate::print::View;
use crate::print::out::{Object, Out};
use crate::read::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, MIME_TYPES};
use crate::read::result::OTHER_CONTENTS;
use wirecanon_json::{Json, Limits, Value, doubled, without};
use wirecanon_model::transcript::{self, Arguments, Block, BlockKind, Media, Message, ToolCall};

/// A block as its own dialect has it, if nothing touched it, or if canonical content only stood in for it.
pub(crate) fn as_it_was<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Option<Out<'w>> {
    if !block.dirty
        && let Some(value) = view.own(block.source).filter(|value| value.is_object())
    {
        return Some(Out::Raw(value.raw()));
    }
    if block.is_text() && carries(view, block, "type") && !contradicts(view, block) {
        let mut object = Object::new();
        for (key, value) in block.native_of(view.target.dialect.name()) {
            object.set(key, Out::Text(Cow::Borrowed(value)));
        }
        return Some(object.out());
    }
    None
}

/// Returns whether what the target's dialect kept of a text is another text. The block counts.
pub(crate) fn contradicts(view: &View<'_, '_>, block: &Block<'_>) -> bool {
    let Some(Ok(kept)) = block
        .native_field(view.target.dialect.name(), "text")
        .map(|kept| Json::parse(kept, &Limits { max_depth: usize::MAX }))
    else {
        return false;
    };
    kept.root().is_string() && kept.root().as_str() != block.as_text()
}

/// A text block as most dialects spell it, over the one that it was read from.
pub(crate) fn text_part<'w>(view: &View<'w, '_>, block: &'w Block<'_>, text: impl Into<Out<'w>>) -> Object<'w> {
    let like = under(view, block, &["text"]);
    Object::like(like, |key| matches!(key, "type" | "text")).with("type", "text").with("text", text)
}

/// An image block as MCP spells it, over the one that it was read from.
pub(crate) fn image_part<'w>(view: &View<'w, '_>, block: &'w Block<'_>, image: &'w Media<'_>) -> Object<'w> {
    Object::like(under(view, block, &["image"]), image_field)
        .with("type", "image")
        .with("data", image.data.as_deref().unwrap_or_default())
        .with("mimeType", image.mime_type.as_deref().unwrap_or_default())
}

/// A call block of this type that embeds its arguments in this field, over the one that it was read from.
pub(crate) fn call_part<'w>(
    view: &View<'w, '_>,
    block: &'w Block<'_>,
    call: &'w ToolCall<'_>,
    kind: &'static str,
    embeds: &'static str,
) -> Object<'w> {
    Object::like(under(view, block, &[kind]), call_field)
        .finished()
        .with("type", kind)
        .with("id", call.id.as_deref().unwrap_or_default())
        .with("name", call.name.as_deref().unwrap_or_default())
        .with(embeds, Out::Raw(arguments(call)))
}

/// The data URL of an image.
pub(crate) fn data_url(image: &Media<'_>) -> String {
    let mime = image.mime_type.as_deref().unwrap_or_default();
    format!("data:{mime};base64,{}", image.data.as_deref().unwrap_or_default())
}

/// The call in a block.
pub(crate) fn call_of<'b, 'm>(block: &'b Block<'m>) -> Option<&'b ToolCall<'m>> {
    match &block.kind {
        BlockKind::ToolCall(call) => Some(call),
        _ => None,
    }
}

/// The calls of a message, each in its block.
pub(crate) fn calls_of<'b, 'm>(message: &'b Message<'m>) -> impl Iterator<Item = (&'b Block<'m>, &'b ToolCall<'m>)> {
    message.blocks.iter().filter_map(|block| Some((block, call_of(block)?)))
}

/// Writes the calls of a message into their own list.
pub(crate) fn set_calls<'w, 'a, 'm>(
    view: &View<'w, 'a>,
    object: &mut Object<'w>,
    message: &'w Message<'m>,
    render: impl Fn(&View<'w, 'a>, &'w Block<'m>, &'w ToolCall<'m>) -> Out<'w>,
) {
    let list = object.had().and_then(|like| like.get("tool_calls"));
    let calls: Vec<_> =
        calls_of(message).map(|(block, call)| view.about(block.id, render(view, block, call))).collect();
    if !calls.is_empty() {
        object.set("tool_calls", Out::List(calls, list));
    }
}

/// Returns whether a block only stands for content that the source has in another form.
pub(crate) fn stands_in(block: &Block<'_>) -> bool {
    block.projected && block.source.is_none()
}

/// The texts of the blocks, one a line.
pub(crate) fn lines_of(blocks: &[Block<'_>]) -> String {
    blocks.iter().filter_map(Block::as_text).collect::<Vec<_>>().join("\n")
}

/// Whether a block has such a field for the target's dialect alone.
pub(crate) fn carries(view: &View<'_, '_>, block: &Block<'_>, key: &str) -> bool {
    block.native_field(view.target.dialect.name(), key).is_some()
}

/// Adds the fields that only the target's dialect knows, unless the source that is laid under has them.
pub(crate) fn add_native<'w>(
    view: &View<'_, '_>,
    mut object: Object<'w>,
    native: Option<&'w transcript::Native<'_>>,
    keeps: impl Fn(&str) -> bool,
) -> Object<'w> {
    if object.had().is_none() {
        let fields = native.map_or(&[][..], |native| native.of(view.target.dialect.name())).iter();
        let fields = fields.filter(|(key, _)| keeps(key));
        object.set_missing(fields.map(|(key, value)| (&**key, Out::Text(Cow::Borrowed(value)))));
    }
    object
}

/// Names under which a call's fields may have stood.
pub(crate) fn call_field(key: &str) -> bool {
    key == "type"
        || key == "function"
        || CALL_IDS.contains(&key)
        || CALL_NAMES.contains(&key)
        || ARGUMENTS.contains(&key)
}

/// Names under which an image's fields may have stood.
pub(crate) fn image_field(key: &str) -> bool {
    matches!(key, "type" | "data" | "base64" | "source" | "image_url" | "url" | "image") || MIME_TYPES.contains(&key)
}

/// Members of a thinking block that are written from what it says.
pub(crate) fn thinking_field(key: &str) -> bool {
    matches!(key, "type" | "thinking" | "text" | "reasoning" | "signature" | "thinkingSignature" | "redacted")
}

/// Everything: a block that became another kind keeps nothing.
pub(crate) fn every_field(_key: &str) -> bool {
    true
}

/// The value to lay a block over: the one it was read from, if it still is of that kind there.
pub(crate) fn under<'w>(view: &View<'w, '_>, block: &Block<'_>, kinds: &[&str]) -> Option<Value<'w>> {
    let value = view.own(block.source)?;
    let kind = value.get("type").and_then(Value::as_str)?;
    // A block that stands as its own JSON text is no longer what it was.
    let is_text = kind != "text" || value.get("text").is_some_and(Value::is_string);
    (kinds.contains(&&*kind) && is_text).then_some(value)
}

/// The exact JSON text of a call's arguments.
pub(crate) fn arguments<'w>(call: &'w ToolCall<'_>) -> &'w str {
    match &call.arguments {
        Arguments::Json(text) => text,
        _ => "{}",
    }
}

/// The text without what parsers stumble over; `None` when there is nothing of it.
pub(crate) fn plain(text: &str) -> Option<String> {
    let mended = wirecanon_json::mend_surrogates(text);
    let json = Json::parse(&mended, &Limits::default()).ok()?;
    match without_duplicates(&json) {
        Some(plain) => Some(plain),
        None => matches!(mended, Cow::Owned(_)).then(|| mended.into_owned()),
    }
}

/// The text with only the last of equal keys in each object; `None` when no key stands twice.
fn without_duplicates(json: &Json<'_>) -> Option<String> {
    let doubled = doubled(json, |_, _| false);
    (!doubled.is_empty()).then(|| without(json, &doubled))
}

/// Members of a message that were read as its content; one that was not is among what only its dialect knows.
pub(crate) fn read_as_content(view: &View<'_, '_>, message: &Message<'_>) -> impl Iterator<Item = &'static str> {
    let dialect = view.target.dialect.name();
    OTHER_CONTENTS.into_iter().filter(move |key| message.native_field(dialect, key).is_none())
}
