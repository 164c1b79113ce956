//! AWS Bedrock Converse: blocks are unions with one member and no `type`, results are blocks of user messages, arguments
//! are objects, all shapes are closed.

use std::borrow::Cow;

use super::shape;
use crate::dialects::anthropic_messages::read::take_calls_beside;
use crate::dialects::bedrock_converse::block::{MEMBERS, Piece, pieces};
pub(crate) use crate::dialects::bedrock_converse::media::{document, format_of};
use crate::dialects::openclaw::lineage;
use crate::read::block::Item;
use crate::read::container::Messages;
use crate::read::detect::role;
use crate::read::reader::Reader;
use crate::read::result::{ContentForms, content_of_a_message_elsewhere, one_for_list, string_for_list};
use crate::read::role::{begin, read_by_role, read_under_another_name};
use crate::read::spec::{Sign, Spec, SystemField, ToolForm};
use crate::read::{detect, fields, result};
use wirecanon_json::{Kind, Value};
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, Message, Native, Role};

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
    read: |cx, wire| read_by_role(cx, wire, read_as),
    read_system,
    signs: &[
        Sign::new(9, "a `toolUse` or `toolResult` block without a `type`", |m| {
            content(m, |b| object(b, "toolUse") || object(b, "toolResult"))
        }),
        Sign::new(4, "blocks without a `type`, each named by its only member", |m| {
            (role(m, "user") || role(m, "assistant")) && content(m, |b| !union_member(b).is_empty())
        }),
        Sign::new(3, "`reasoningContent`, `cachePoint` or another member that only this API has", |m| {
            content(m, |b| {
                ["reasoningContent", "cachePoint", "guardContent", "citationsContent"].iter().any(|key| object(b, key))
            })
        }),
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

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let role = match name {
        "user" => Role::User,
        "assistant" | "model" => Role::Assistant,
        "system" | "developer" => Role::System,
        "tool" | "toolResult" | "function" => return foreign_result(cx, wire, name),
        _ => return read_under_another_name(cx, wire, read_as),
    };
    let scan = fields::scan(wire, [("role", &[]), ("content", &[]), ("tool_calls", &["toolCalls"])]);
    let mut message = begin(cx, wire, role, name, &scan);
    let about = message.id;
    message.stop_reason = fields::stop_reason(&scan.others);
    let [_, mut content, calls] = scan.fields;
    let mut others = fields::with_null_aliases(wire, &["role", "content", "tool_calls"], &scan.others);
    content_of_a_message_elsewhere(cx, &mut content, &mut others, wire, about);
    cx.lose_members(wire, &others, about);
    let mut parts = read_content(cx, message, content.value, wire);
    if let (Some(calls), Some(message)) = (calls.value, parts.first_mut()) {
        take_calls_beside(cx, wire, message, calls);
    }
    cx.finish(wire, parts);
}

fn foreign_result<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let message = Message { native: None, ..result::read_result_message(cx, wire, name) };
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
            string_for_list(cx, content, message.id);
            let words = content.as_str().unwrap_or_default();
            if !words.is_empty() || message.role != Role::Assistant {
                let block = cx.text_anew(words, content);
                message.blocks.push(block);
            }
            vec![message]
        }
        Some((content, Kind::Object)) if content.get("type").is_none() => {
            one_for_list(cx, content, message.id);
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
    let mut changed = cx.is_changed(&message);
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
                    cx.mend(&rule::BLOCK_IN_WRONG_ROLE, place, result.id, what);
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
