//! Members that a server of Responses items refuses: "Unknown parameter: 'input[0].…'".

use crate::dialect::Dialect;
use crate::dialect::openai_responses::text_type;
use crate::json::{Json, Limits, Value, quote};
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Block, BlockKind, Message, Role, Transcript};

use super::super::openai_responses::items_of;
use super::super::{View, Writer};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in &mut transcript.messages {
        let view = View { json: writer.json, target: writer.target, same: writer.same };
        let items = items_of(&view, message).into_iter();
        let items: Vec<_> = items.map(|item| (item.index(), refused_of_item(item, writer))).collect();
        for (item, refused) in items {
            of_item(message, item, &refused, writer);
        }
        let role = message.role;
        let mut dirty = false;
        for block in &mut message.blocks {
            dirty |= of_block(block, role, writer);
        }
        message.dirty |= dirty;
    }
}

/// Whose members an item has: its type's, or those of a message of its role.
fn holder(item: Value<'_>) -> Option<String> {
    let kind = item.get("type").and_then(Value::as_str).filter(|kind| kind != "message");
    kind.or_else(|| item.get("role").and_then(Value::as_str)).map(std::borrow::Cow::into_owned)
}

fn refused(value: Value<'_>, holder: &str, writer: &Writer<'_, '_>) -> Vec<String> {
    let names = value.members().filter_map(|(key, _)| key.as_str());
    names.filter(|name| !writer.target.takes_field(holder, name)).map(|name| format!("`{name}`")).collect()
}

fn say(refused: &[String], source: Option<u32>, about: u32, writer: &mut Writer<'_, '_>) {
    let what = format!("the target refuses {}; left out", refused.join(", "));
    writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, source, Some(about), what);
}

fn refused_of_item(item: Value<'_>, writer: &Writer<'_, '_>) -> Vec<String> {
    holder(item).map_or(Vec::new(), |holder| refused(item, &holder, writer))
}

/// An item that is written anew is laid over its source, without these. What is carried as it is, is looked at by itself.
fn of_item(message: &mut Message<'_>, item: u32, refused: &[String], writer: &mut Writer<'_, '_>) {
    if refused.is_empty() {
        return;
    }
    let within = item..writer.json.node(item).next;
    let is_carried = |block: &Block<'_>| matches!(block.kind, BlockKind::Opaque(_));
    let about = if message.role == Role::Assistant {
        let stands = |block: &&mut Block<'_>| {
            block.source.is_some_and(|source| within.contains(&source)) && !is_carried(block)
        };
        let Some(block) = message.blocks.iter_mut().find(stands) else { return };
        block.dirty = true;
        block.id
    } else if message.blocks.iter().all(is_carried) {
        return;
    } else {
        message.id
    };
    message.dirty = true;
    say(refused, Some(item), about, writer);
}

fn of_block<'a>(block: &mut Block<'a>, role: Role, writer: &mut Writer<'a, '_>) -> bool {
    if let BlockKind::Opaque(opaque) = &mut block.kind {
        let Some((value, names)) = without_refused(&opaque.value, writer) else { return false };
        if opaque.dialect != Dialect::OpenAiResponses.name() {
            return false;
        }
        opaque.value = value.into();
        block.dirty = true;
        say(&names, block.source, block.id, writer);
        return true;
    }
    let part = writer.own(block.source).filter(|own| own.is_object() && own.get("role").is_none());
    let names = match part {
        // A call and reasoning are items, which were looked at.
        Some(part) if matches!(block.kind, BlockKind::Text(_) | BlockKind::Image(_) | BlockKind::Link(_) | BlockKind::File(_)) => {
            let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
            refused(part, &kind, writer)
        }
        Some(_) => Vec::new(),
        None => carried(block, role, writer),
    };
    if names.is_empty() {
        return false;
    }
    block.dirty = true;
    say(&names, block.source, block.id, writer);
    true
}

/// Takes out what a canonical transcript carried and the target refuses; gives the names.
fn carried(block: &mut Block<'_>, role: Role, writer: &Writer<'_, '_>) -> Vec<String> {
    let dialect = Dialect::OpenAiResponses.name();
    let Some(native) = block.native.as_deref_mut() else { return Vec::new() };
    let fields = native.of(dialect);
    let marked = fields.iter().find(|(key, _)| key == "type").map(|(_, kind)| kind.trim_matches('"').to_owned());
    let holder = match &block.kind {
        BlockKind::ToolCall(_) => marked.unwrap_or_else(|| "function_call".to_owned()),
        BlockKind::Thinking(_) => "reasoning".to_owned(),
        BlockKind::Image(_) | BlockKind::Link(_) => "input_image".to_owned(),
        BlockKind::File(_) => "input_file".to_owned(),
        _ => marked.unwrap_or_else(|| text_type(role).to_owned()),
    };
    // What the item of a text has goes along with the text.
    let known = |key: &str| key.starts_with("item.") || writer.target.takes_field(&holder, key);
    let names: Vec<_> = fields.iter().map(|(key, _)| key.to_string()).filter(|key| !known(key)).collect();
    for name in &names {
        native.remove(dialect, name);
    }
    names.iter().map(|name| format!("`{name}`")).collect()
}

/// An item that is carried as it is, without what the target refuses of it; `None` if that is nothing.
fn without_refused(value: &str, writer: &Writer<'_, '_>) -> Option<(String, Vec<String>)> {
    let json = Json::parse(value, &Limits { max_depth: usize::MAX }).ok()?;
    let item = json.root();
    let holder = holder(item)?;
    let names = refused(item, &holder, writer);
    if names.is_empty() {
        return None;
    }
    let kept = item.members().filter_map(|(key, value)| Some((key.as_str()?, value)));
    let kept = kept.filter(|(key, _)| writer.target.takes_field(&holder, key));
    let members: Vec<_> = kept.map(|(key, value)| format!("{}:{}", quote(&key), value.raw())).collect();
    Some((format!("{{{}}}", members.join(",")), names))
}
