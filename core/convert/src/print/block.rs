//! Rendering what most dialects spell alike.

use std::borrow::Cow;

use crate::print::View;
use crate::print::out::{Object, Out};
use crate::read::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, MIME_TYPES};
use crate::read::result::OTHER_CONTENTS;
use wirecanon_json::{Json, Limits, Value, doubled, without};
use wirecanon_model::transcript::{self, Arguments, Block, Message, ToolCall};

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

/// Whether a block has such a field for the target's dialect alone.
pub(crate) fn carries(view: &View<'_, '_>, block: &Block<'_>, key: &str) -> bool {
    block.native_field(view.target.dialect.name(), key).is_some()
}

/// Adds the fields that only the target's dialect knows, unless the source that is laid under has them.
pub(crate) fn add_native<'w>(
    view: &View<'_, '_>,
    object: &mut Object<'w>,
    native: Option<&'w transcript::Native<'_>>,
    keeps: impl Fn(&str) -> bool,
) {
    if object.had().is_some() {
        return;
    }
    let fields = native.map_or(&[][..], |native| native.of(view.target.dialect.name())).iter();
    let fields = fields.filter(|(key, _)| keeps(key));
    object.set_missing(fields.map(|(key, value)| (&**key, Out::Text(Cow::Borrowed(value)))));
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
