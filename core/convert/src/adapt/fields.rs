//! Servers that take no member which they do not know ("Extra inputs are not permitted", "property 'x' is unsupported").

use std::borrow::Cow;

use crate::adapt::item_fields;
use crate::dialects::openai_chat::read::{LEGACY as OPENAI_LEGACY, REASONING};
use crate::dialects::openai_chat::write as openai_chat;
use crate::print::out::NOTHING;
use crate::print::{View, Writer};
use crate::read::fields::{ERROR_FLAGS, RESULT_NAMES};
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role, Transcript};
use wirecanon_model::{Dialect, rule};

/// Marks that a reader sets on messages, which no server sees.
const ON_MESSAGES: &[&str] = &["role"];
/// The same on calls.
const ON_CALLS: &[&str] = &[OPENAI_LEGACY, "type"];
/// The same on texts and files, on pictures, and on reasoning.
const ON_PARTS: &[&str] = &["type"];
const ON_PICTURES: &[&str] = &["type", "detail"];
const ON_REASONING: &[&str] = &["type", "thinking"];

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in &mut transcript.messages {
        rename_reasoning(message, writer);
        if !writer.target.content.refusals && message.role == Role::Assistant {
            only_refusal(message, writer);
        }
    }
    if writer.target.fields.is_empty() {
        return;
    }
    if writer.target.dialect == Dialect::OpenAiResponses {
        return item_fields::run(transcript, writer);
    }
    for message in &mut transcript.messages {
        let view = View::new(writer.json, writer.target, writer.same, &NOTHING);
        let holder = openai_chat::role(&view, message);
        let own = writer.own(message.source);
        let mut refused = take(message.native.as_deref_mut(), holder, ON_MESSAGES, writer);
        for key in own.into_iter().flat_map(|own| unread(own, message.role)) {
            if !writer.target.takes_field(holder, &key) && !refused.iter().any(|known| **known == key) {
                refused.push(key.into_owned());
            }
        }
        if message.role == Role::Assistant {
            refusal(message, own, writer);
            if refused.iter().any(|key| key == "audio") {
                spoken(message, own);
            }
        }
        if !refused.is_empty() {
            item_fields::say(&refused, message, writer);
        }
        for block in &mut message.blocks {
            let refused = in_block(block, writer);
            if !refused.is_empty() {
                item_fields::say(&refused, block, writer);
            }
        }
    }
}

/// Members of a message that say something under no name of this dialect, or nothing: a name, a flag, a null.
fn unread(own: Value<'_>, role: Role) -> impl Iterator<Item = Cow<'_, str>> {
    let says_nothing = move |key: &str, value: Value<'_>| {
        let of_a_result = ERROR_FLAGS.contains(&key) || RESULT_NAMES.contains(&key);
        (role == Role::ToolResult && of_a_result) || (value.is_null() && (key != "refusal" || role != Role::Assistant))
    };
    own.members().filter_map(move |(key, value)| key.as_str().filter(|key| says_nothing(key, value)))
}

/// Takes out what the target refuses of a holder's own members; gives the names.
fn take(native: Option<&mut Native<'_>>, holder: &str, marks: &[&str], writer: &Writer<'_, '_>) -> Vec<String> {
    let (target, dialect) = (writer.target, writer.target.dialect.name());
    take_out(native, dialect, |key| marks.contains(&key) || target.takes_field(holder, key))
}

/// Takes out the members of a dialect that are not known; gives their names.
pub(crate) fn take_out(native: Option<&mut Native<'_>>, dialect: &str, known: impl Fn(&str) -> bool) -> Vec<String> {
    let Some(native) = native else { return Vec::new() };
    let keys = native.of(dialect).iter().map(|(key, _)| key.to_string());
    let refused: Vec<String> = keys.filter(|key| !known(key)).collect();
    for key in &refused {
        native.remove(dialect, key);
    }
    refused
}

fn in_block(block: &mut Block<'_>, writer: &Writer<'_, '_>) -> Vec<String> {
    let dialect = writer.target.dialect.name();
    let holder = match &block.kind {
        // A provider's own item is whole.
        BlockKind::Text(_) if block.projected || block.native_field(dialect, "type").is_some() => {
            return in_projection(block, writer);
        }
        BlockKind::Text(_) => "text",
        BlockKind::Image(_) | BlockKind::Link(_) => "image_url",
        BlockKind::Thinking(_) => "thinking",
        BlockKind::File(file) if file.mime_type.starts_with("audio/") => "input_audio",
        BlockKind::File(_) => "document_url",
        BlockKind::ToolCall(_) => "call",
        BlockKind::Opaque(_) => return in_item(block, writer),
    };
    let own = writer.own(block.source);
    let marks = match holder {
        "call" => ON_CALLS,
        "image_url" => ON_PICTURES,
        "thinking" => ON_REASONING,
        _ => ON_PARTS,
    };
    let mut refused = take(block.native.as_deref_mut(), holder, marks, writer);
    if holder == "call"
        && let Some(function) = own.and_then(|own| own.get("function")).filter(|function| function.is_object())
        && !block.dirty
    {
        let unknown = function.members().filter_map(|(key, _)| key.as_str());
        refused.extend(unknown.filter(|key| !writer.target.takes_field("call-function", key)).map(Into::into));
        // No mark, because this is a call with an id: the member stands in the source.
        let stands = own.is_some_and(|own| own.get(OPENAI_LEGACY).is_some());
        if stands && !writer.target.takes_field(holder, OPENAI_LEGACY) {
            refused.push(OPENAI_LEGACY.to_owned());
        }
    }
    refused
}

/// Takes out what the target refuses of a provider's own item that a text stands for; gives the names.
fn in_projection(block: &mut Block<'_>, writer: &Writer<'_, '_>) -> Vec<String> {
    let kind = block.native_field(writer.target.dialect.name(), "type").map(|kind| kind.trim_matches('"').to_owned());
    kind.map_or_else(Vec::new, |kind| take(block.native.as_deref_mut(), &kind, ON_PARTS, writer))
}

/// Takes out what the target refuses of a provider's own item; gives the names.
fn in_item(block: &mut Block<'_>, writer: &Writer<'_, '_>) -> Vec<String> {
    let BlockKind::Opaque(opaque) = &mut block.kind else { return Vec::new() };
    let own = opaque.dialect == writer.target.dialect.name();
    let Some((value, refused)) = own.then(|| item_fields::without_refused(&opaque.value, writer)).flatten() else {
        return Vec::new();
    };
    opaque.value = value.into();
    refused
}

/// A turn that says nothing but a refusal, where that is no content.
fn only_refusal(message: &mut Message<'_>, writer: &mut Writer<'_, '_>) {
    let Some(refusal) = writer.own(message.source).and_then(|own| own.get("refusal")) else { return };
    let alone = message.blocks.iter().all(|block| {
        matches!(block.kind, BlockKind::Thinking(_)) || block.source == Some(refusal.index()) && block.projected
    });
    let Some(block) = message.blocks.iter_mut().find(|block| alone && block.source == Some(refusal.index())) else {
        return;
    };
    block.projected = false;
    block.dirty = true;
    let what = "the target counts no `refusal` as content; its words became that";
    writer.adapt(&rule::EMPTY_MESSAGE, message, what);
}

/// A refusal that has no member of its own is words.
fn refusal(message: &mut Message<'_>, own: Option<Value<'_>>, writer: &mut Writer<'_, '_>) {
    let Some(refusal) = own.and_then(|own| own.get("refusal")) else { return };
    if writer.target.takes_field("assistant", "refusal") {
        return;
    }
    let block = message.blocks.iter_mut().find(|block| block.source == Some(refusal.index()));
    if let Some(block) = block {
        block.projected = false;
        block.dirty = true;
    }
    let what = if refusal.is_string() {
        "the target refuses `refusal`; its words became content"
    } else {
        "the target refuses `refusal`, which says nothing; left out"
    };
    writer.adapt(&rule::UNKNOWN_FIELD, message, what);
}

/// What stood for a recording that goes is content.
fn spoken(message: &mut Message<'_>, own: Option<Value<'_>>) {
    let Some(audio) = own.and_then(|own| own.get("audio")) else { return };
    let within = |block: &Block<'_>| audio.members().any(|(_, value)| block.source == Some(value.index()));
    for block in message.blocks.iter_mut().filter(|block| block.projected && within(block)) {
        block.projected = false;
        block.dirty = true;
    }
}

/// Reasoning in a member that the target calls by another name.
fn rename_reasoning(message: &mut Message<'_>, writer: &mut Writer<'_, '_>) {
    let Some(wanted) = writer.target.reasoning.field.as_deref() else { return };
    let Some(own) = writer.own(message.source).filter(|_| message.role == Role::Assistant) else { return };
    let thinks = |index: u32| {
        message.blocks.iter().any(|block| block.source == Some(index) && matches!(block.kind, BlockKind::Thinking(_)))
    };
    let found = REASONING.iter().find(|name| own.get(name).is_some_and(|value| thinks(value.index())));
    if let Some(name) = found.filter(|name| **name != wanted) {
        let what = format!("the target calls reasoning `{wanted}`; `{name}` became that");
        writer.adapt(&rule::FIELD_ALIAS, message, what);
    }
}
