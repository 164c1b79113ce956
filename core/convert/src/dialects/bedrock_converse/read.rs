//! AWS Bedrock Converse: blocks are unions with one member and no `type`, results are blocks of user messages, arguments
//! are objects, all shapes are closed.

use std::borrow::Cow;

use super::{block, shape};
use crate::dialects::bedrock_converse::block::{MEMBERS, Piece, pieces};
pub(crate) use crate::dialects::bedrock_converse::media::{document, format_of};
use crate::dialects::openclaw::lineage;
use crate::read::block::Item;
use crate::read::container::Messages;
use crate::read::detect::role;
use crate::read::reader::Reader;
use crate::read::result::{ContentForms, content_of_a_message_elsewhere};
use crate::read::role::read_under_another_name;
use crate::read::spec::{Sign, Spec, SystemField, ToolForm};
use crate::read::{detect, fields, result};
use wirecanon_json::{Kind, Value};
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role, StopReason};

pub(crate) static SPEC: Spec = Spec {
    system: SystemField::Beside("system"),
    tools: ToolForm {
        list: &["toolConfig", "tools"],
        inner: None,
        holder: Some("toolSpec"),
        schema: &["inputSchema", "json"],
        mark: None,
        ..ToolForm::FLAT
    },
    results_in_any_order: true,
    is_lone_result: |message| {
        let mut blocks = message.get("content").into_iter().flat_map(Value::items);
        role(message, "user")
            && blocks.next().is_some_and(|block| union_member(block) == "toolResult")
            && blocks.next().is_none()
    },
    response: |root| Some(Messages::One(Some(root.get("output")?.get("message")?))),
    results: ContentForms { string: false, absent: false, empty: false },
    blank_results: true,
    kind: |item| Cow::Borrowed(union_member(item)),
    has_item,
    is_whole,
    read: read_message,
    read_system,
    signs: &[
        Sign {
            weight: 9,
            words: "a `toolUse` or `toolResult` block without a `type`",
            shows: |m| content(m, |b| object(b, "toolUse") || object(b, "toolResult")),
        },
        Sign {
            weight: 4,
            words: "blocks without a `type`, each named by its only member",
            shows: |m| (role(m, "user") || role(m, "assistant")) && content(m, |b| !union_member(b).is_empty()),
        },
        Sign {
            weight: 3,
            words: "`reasoningContent`, `cachePoint` or another member that only this API has",
            shows: |m| {
                content(m, |b| {
                    ["reasoningContent", "cachePoint", "guardContent", "citationsContent"]
                        .iter()
                        .any(|key| object(b, key))
                })
            },
        },
    ],
    ..Spec::COMMON
};

fn content(message: Value<'_>, shows: fn(Value<'_>) -> bool) -> bool {
    detect::block(message, shows)
}

fn object(block: Value<'_>, key: &str) -> bool {
    block.get("type").is_none() && block.get(key).is_some_and(Value::is_object)
}

/// The member that says what a block is; empty where it has none of the union, or others beside it.
fn union_member(item: Value<'_>) -> &'static str {
    let mut members = item.members();
    let (Some((key, _)), None) = (members.next(), members.next()) else { return "" };
    MEMBERS.iter().find(|member| key.is_str(member)).copied().unwrap_or_default()
}

/// Whether a message of this role may hold such a block, beside those that canonical content has.
pub(crate) fn has_item(member: &str, role: Role) -> bool {
    match role {
        Role::User => {
            matches!(member, "guardContent" | "image" | "document" | "video" | "audio" | "searchResult")
        }
        Role::Assistant => matches!(member, "citationsContent" | "toolUse" | "toolResult"),
        Role::System => matches!(member, "guardContent" | "toolAddition" | "toolRemoval"),
        Role::ToolResult => matches!(member, "json" | "image" | "document" | "video" | "searchResult"),
    }
}

/// Whether a block that canonical content only carries has the shape that the service model gives it.
pub(crate) fn is_whole(member: &str, item: Value<'_>) -> bool {
    let mut members = item.members();
    let (Some((key, value)), None) = (members.next(), members.next()) else { return false };
    key.is_str(member) && shape::of(member).is_some_and(|shape| shape.fits(value))
}

/// Whether a field that a canonical transcript carries for this API may be written: a block of it, or a field of one.
pub(crate) fn bedrock_keeps(key: &str, value: Value<'_>, role: Role) -> bool {
    let may_stand = match key {
        "cachePoint" => true,
        "error" | "context" | "citations" => role == Role::User,
        "toolUse" | "toolResult" => false,
        member => has_item(member, role),
    };
    may_stand && shape::of(key).is_some_and(|shape| shape.fits(value))
}

/// Reads the instructions beside the list.
fn read_system<'a>(cx: &mut Reader<'a, '_>, system: Value<'a>) {
    let message = cx.message(Role::System, Vec::new());
    let parts = read_content(cx, message, Some(system), system);
    cx.finish(system, parts);
}

/// Reads one wire message.
fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    if !wire.is_object() {
        let what = format!("{} in place of a message was left out", wire.kind().name());
        return cx.lose(&rule::MESSAGE_NOT_AN_OBJECT, wire, what);
    }
    let name = wire.get("role").and_then(Value::as_str).unwrap_or_default();
    read_as(cx, wire, &name);
}

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let role = match name {
        "user" => Role::User,
        "assistant" | "model" => Role::Assistant,
        "system" | "developer" => Role::System,
        "tool" | "toolResult" | "function" => return foreign_result(cx, wire, name),
        _ => return read_under_another_name(cx, wire, |cx, name| read_as(cx, wire, name)),
    };
    let scan = fields::scan(wire, [("role", &[]), ("content", &[]), ("tool_calls", &["toolCalls"])]);
    let mut message = cx.message(role, Vec::new());
    let about = message.id;
    if matches!(name, "model" | "developer") {
        cx.mend(&rule::ROLE_ALIAS, wire, Some(about), format!("the role `{name}` was read as `{}`", role.name()));
        message.dirty = true;
    }
    message.dirty |= cx.duplicate(scan.duplicate, wire, about);
    message.stop_reason = stop_reason(&scan.others);
    let [_, mut content, calls] = scan.fields;
    let mut others = fields::with_null_aliases(wire, &["role", "content", "tool_calls"], &scan.others);
    message.dirty |= content_of_a_message_elsewhere(cx, &mut content, &mut others, wire, about);
    message.dirty |= block::drop_others(cx, wire, &others, about);
    let mut parts = read_content(cx, message, content.value, wire);
    if let (Some(calls), Some(message)) = (calls.value, parts.first_mut()) {
        message.dirty = true;
        if role == Role::Assistant && calls.is_array() {
            cx.mend(&rule::FIELD_ALIAS, wire, Some(about), "calls beside the content were read into it");
            lineage::read_calls_beside(cx, message, calls);
        } else {
            cx.lose_field(&rule::UNKNOWN_FIELD, wire, Some(message.id), "the server refuses `tool_calls`; left out");
        }
    }
    cx.finish(wire, parts);
}

/// Why a turn ended, where a program copied it from the response into the message.
fn stop_reason(others: &[(Value<'_>, Value<'_>)]) -> Option<StopReason> {
    let (_, value) = others.iter().find(|(key, _)| key.is_str("stopReason") || key.is_str("stop_reason"))?;
    match &*value.as_str()? {
        "end_turn" | "stop_sequence" => Some(StopReason::Stop),
        "max_tokens" => Some(StopReason::Length),
        "tool_use" => Some(StopReason::ToolUse),
        other => StopReason::from_name(other),
    }
}

fn foreign_result<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let mut message = result::read_result_block(cx, wire);
    message.source = Some(wire.index());
    message.dirty = true;
    message.native = None;
    let about = message.id;
    cx.mend(&rule::ROLE_ALIAS, wire, Some(about), format!("a message of role `{name}` was read as a tool result"));
    cx.finish(wire, vec![message]);
}

/// Reads content, which is a list, into a message; what else stands there is another dialect's.
fn read_content<'a>(
    cx: &mut Reader<'a, '_>,
    mut message: Message<'a>,
    content: Option<Value<'a>>,
    wire: Value<'a>,
) -> Vec<Message<'a>> {
    match content.map(|content| (content, content.kind())) {
        Some((list, Kind::Array)) => {
            let mut read = Vec::with_capacity(list.items().count());
            for item in list.items() {
                pieces(cx, item, message.role, &mut read);
            }
            read_list(cx, message, read)
        }
        Some((content, Kind::String)) => {
            message.dirty = true;
            let what = "a string in place of the list of blocks became one text block";
            cx.mend(&rule::CONTENT_NOT_A_LIST, content, Some(message.id), what);
            let words = content.as_str().unwrap_or_default();
            if !words.is_empty() || message.role != Role::Assistant {
                let mut block = cx.block(BlockKind::Text(words.into()), content);
                block.dirty = true;
                message.blocks.push(block);
            }
            vec![message]
        }
        Some((content, Kind::Object)) if content.get("type").is_none() => {
            message.dirty = true;
            let what = "one block in place of the list of blocks was put into a list";
            cx.mend(&rule::CONTENT_NOT_A_LIST, content, Some(message.id), what);
            let mut read = Vec::new();
            pieces(cx, content, message.role, &mut read);
            read_list(cx, message, read)
        }
        _ => lineage::read_content(cx, message, content, wire),
    }
}

/// Puts what stood in a list into messages. A user's blocks before a result, and those after it, stay on their side of it.
fn read_list<'a>(cx: &mut Reader<'a, '_>, message: Message<'a>, read: Vec<Piece<'a>>) -> Vec<Message<'a>> {
    let role = message.role;
    let mut changed = message.dirty;
    let mut parts: Vec<Message<'a>> = Vec::new();
    let mut late: Vec<Message<'a>> = Vec::new();
    let mut current = Some(message);
    for piece in read {
        match piece {
            Piece::Item(Item::Nothing) => changed = true,
            Piece::Item(Item::Block(block)) => {
                current.get_or_insert_with(|| cx.message(role, Vec::new())).blocks.push(block);
            }
            Piece::Item(Item::Result(mut result)) if role != Role::User => {
                let place = result.source.map(|source| cx.json.value(source));
                if let Some(place) = place {
                    let what = format!("a tool result in a message of role {} was moved out of it", role.name());
                    cx.mend(&rule::BLOCK_IN_WRONG_ROLE, place, Some(result.id), what);
                }
                result.dirty = true;
                late.push(result);
            }
            Piece::Item(Item::Result(result)) => {
                parts.extend(current.take().filter(|message| !message.blocks.is_empty()));
                parts.push(result);
            }
            Piece::CachePoint(mark) => {
                let native = match &mut current {
                    Some(message) => match message.blocks.last_mut() {
                        Some(Block { native, .. }) => native,
                        None => &mut message.native,
                    },
                    None => match parts.last_mut() {
                        Some(result) => &mut result.native,
                        None => continue,
                    },
                };
                let native: &mut Native<'a> = native.get_or_insert_default();
                native.add(cx.dialect.name(), "cachePoint", mark.raw());
            }
        }
    }
    parts.extend(current.filter(|message| parts.is_empty() || !message.blocks.is_empty()));
    parts.extend(late);
    if changed && let Some(first) = parts.first_mut() {
        first.dirty = true;
    }
    parts
}
