//! Cohere v2: calls beside the content, arguments as strings, each result a message of its own, of texts and documents; the
//! model's plan in a field of its own; no error flag, no pictures in results, and no field that the API does not know.

use std::borrow::Cow;

use crate::dialects::openai_chat::read::strip_error_prefix;
use crate::dialects::openclaw::lineage;
use crate::media;
use crate::read::block::{Item, project, read_foreign_item, tell_bare_base64};
use crate::read::call::{self, read_calls_of_no_list};
use crate::read::container::Messages;
use crate::read::detect::{block, is, role};
use crate::read::fields::{
    ARGUMENTS, CALL_IDS, CALL_NAMES, ERROR_FLAGS, Field, RESULT_IDS, Scan, scan, with_null_aliases,
};
use crate::read::reader::{Reader, kept};
use crate::read::result::{
    answer, content_of_a_message_elsewhere, name_of, one_for_list, read_error_flag, read_result_content,
};
use crate::read::role::{alias, begin, read_by_role, read_under_another_name};
use crate::read::spec::{Sign, Spec, ToolForm};
use crate::read::thinking::unsigned;
use wirecanon_json::{Kind, Value};
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, BlockKind, Link, Media, Message, Role, StopReason};

pub(crate) static SPEC: Spec = Spec {
    tools: ToolForm::FUNCTION,
    response: |root| {
        root.get("finish_reason")?;
        Some(Messages::One(Some(root.get("message").filter(|message| message.is_object())?)))
    },
    error_flag: false,
    calls_beside_content: true,
    seals_reasoning: |_| false,
    blank_results: true,
    has_item: |kind, role| role == Role::ToolResult && kind == "document",
    is_whole: |kind, item| kind == "document" && cohere_document(item).is_some(),
    read: |cx, wire| read_by_role(cx, wire, read_as),
    // What OpenAI has as well says nothing.
    signs: &[
        Sign::new(30, "a `tool_plan`", |m| m.get("tool_plan").is_some_and(Value::is_string)),
        Sign::new(30, "a `document` in the content of a message of role `tool`", |m| {
            role(m, "tool") && block(m, |b| is(b, "document") && b.get("document").is_some())
        }),
        Sign::new(12, "`citations` on a message", |m| {
            role(m, "assistant") && m.get("citations").is_some_and(Value::is_array)
        }),
    ],
    ..Spec::COMMON
};

/// Marks the text that stands in the field of the model's plan.
pub(crate) const PLAN: &str = "tool_plan";
/// Sources of the words of a turn, which only this API knows.
pub(crate) const CITATIONS: &str = "citations";

/// Keys that say nothing of the text that they hold.
const TEXT_KEYS: [&str; 5] = ["text", "snippet", "content", "output", "result"];

/// The data of a `document` block, if the block has the shape that the API gives it.
pub(crate) fn cohere_document(item: Value<'_>) -> Option<Value<'_>> {
    let only = |value: Value<'_>, known: [&str; 2]| {
        let members = value.members().count();
        members <= 2 && value.members().all(|(key, _)| known.iter().any(|known| key.is_str(known))) && {
            members == known.iter().filter(|known| value.get(known).is_some()).count()
        }
    };
    let document = item.get("document").filter(|document| document.is_object())?;
    let data = document.get("data").filter(|data| data.is_object() || data.is_string())?;
    let fits = item.get("type")?.is_str("document")
        && only(item, ["type", "document"])
        && only(document, ["data", "id"])
        && document.get("id").is_none_or(Value::is_string)
        && scan(data, []).duplicate.is_none();
    fits.then_some(data)
}

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    match name {
        "system" | "developer" => turn(cx, wire, Role::System, name),
        "user" => turn(cx, wire, Role::User, name),
        "assistant" | "model" => turn(cx, wire, Role::Assistant, name),
        "tool" | "function" | "toolResult" => result(cx, wire, name),
        _ => read_under_another_name(cx, wire, read_as),
    }
}

fn turn<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: Role, name: &str) {
    let scan =
        scan(wire, [("role", &[]), ("content", &[]), ("tool_calls", &["toolCalls"]), (PLAN, &[]), (CITATIONS, &[])]);

    let mut message = begin(cx, wire, role, name, &scan);
    let about = message.id;
    let [_, mut content, calls, plan, citations] = scan.fields;
    message.stop_reason = stop_reason(&scan.others);
    let own: &[&str] = match role {
        Role::Assistant => &["role", "content", "tool_calls", PLAN, CITATIONS],
        _ => &["role", "content"],
    };
    let mut others = with_null_aliases(wire, own, &scan.others);
    content_of_a_message_elsewhere(cx, &mut content, &mut others, wire, about);
    cx.lose_members(wire, &others, about);
    let assistant = role == Role::Assistant;
    let plan_text = plan.some().filter(|plan| assistant && plan.is_string());
    misplaced(cx, wire, &plan, plan_text.is_some(), about);
    let sources = citations.some().filter(|list| assistant && list.is_array() && list.items().all(Value::is_object));
    misplaced(cx, wire, &citations, sources.is_some(), about);
    if let Some(sources) = sources {
        message.native.get_or_insert_default().add(cx.dialect.name(), CITATIONS, sources.raw());
    }
    let also = calls;
    let calls = calls.some();
    if assistant && calls.is_some() {
        cx.alias(&also, "tool_calls", wire, about);
    } else if calls.is_some() {
        cx.lose_calls(calls, wire, about);
    }
    let speaks = calls.is_some() || plan_text.is_some_and(|plan| plan.as_str().is_some_and(|text| !text.is_empty()));
    let silent = assistant && speaks && content.value.is_none_or(Value::is_null);
    let mut parts = if silent { vec![message] } else { read_content(cx, message, content.value, wire) };
    let Some(message) = parts.iter_mut().find(|part| part.role == role) else { return cx.finish(wire, parts) };
    if let Some(words) = plan_text
        && let Some(text) = words.as_str().filter(|text| !text.trim().is_empty())
    {
        let mut block = cx.block(BlockKind::Text(text.into()), words);
        block.native.get_or_insert_default().add(cx.dialect.name(), PLAN, "true");
        message.blocks.insert(0, block);
    }
    if assistant && let Some(calls) = calls {
        read_calls(cx, message, calls, wire, about);
    }
    cx.finish(wire, parts);
}

/// Reports a field that holds something else than it must, or stands in another role; true if it does. A null is nothing.
fn misplaced<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, field: &Field<'a>, fits: bool, about: u32) -> bool {
    if fits || field.some().is_none() {
        return false;
    }
    cx.lose(&rule::UNKNOWN_FIELD, wire, about, format!("the server refuses this `{}`; left out", field.key));
    true
}

/// Why a turn ended, where a program copied it from the response into the message.
fn stop_reason(others: &[(Value<'_>, Value<'_>)]) -> Option<StopReason> {
    let (_, value) = others.iter().find(|(key, _)| key.is_str("finish_reason"))?;
    Some(match &*value.as_str()? {
        "COMPLETE" | "STOP_SEQUENCE" => StopReason::Stop,
        "MAX_TOKENS" => StopReason::Length,
        "TOOL_CALL" => StopReason::ToolUse,
        "ERROR" | "TIMEOUT" => StopReason::Error,
        _ => return None,
    })
}

/// Reads content: a string, or a list of blocks.
fn read_content<'a>(
    cx: &mut Reader<'a, '_>,
    mut message: Message<'a>,
    content: Option<Value<'a>>,
    wire: Value<'a>,
) -> Vec<Message<'a>> {
    let one = content.filter(|content| content.kind() == Kind::Object);
    let Some(list) = content.filter(|content| content.kind() == Kind::Array).or(one) else {
        return lineage::read_content(cx, message, content, wire);
    };
    if one.is_some() {
        one_for_list(cx, list, message.id);
    } else if list.items().next().is_none() {
        cx.mend(&rule::EMPTY_MESSAGE, list, message.id, "an empty list of blocks says nothing");
    }
    let mut late = Vec::new();
    for value in one.into_iter().chain(list.items()) {
        match item(cx, value, message.role) {
            Item::Block(block) => message.blocks.push(block),
            Item::Result(mut result) => {
                result.source = Some(value.index());
                result.dirty = true;
                late.push(result);
            }
            Item::Nothing => message.dirty = true,
        }
    }
    if late.is_empty() {
        return vec![message];
    }
    message.dirty = true;
    // Results come first: behind them the user goes on.
    if message.role == Role::User {
        late.extend(Some(message).filter(|message| !message.blocks.is_empty()));
        return late;
    }
    let mut parts = vec![message];
    parts.extend(late);
    parts
}

/// Reads one block, of this API or of another dialect.
fn item<'a>(cx: &mut Reader<'a, '_>, value: Value<'a>, role: Role) -> Item<'a> {
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let own = match (&*kind, role) {
        ("text", _) => text(cx, value),
        ("image_url", Role::User) => image(cx, value),
        ("thinking", Role::Assistant) => thinking(cx, value),
        ("document", Role::ToolResult) => document(cx, value),
        _ => None,
    };
    if let Some(block) = own {
        return Item::Block(block);
    }
    read_foreign_item(cx, value, role, || format!("a `{kind}` block"))
}

fn text<'a>(cx: &mut Reader<'a, '_>, value: Value<'a>) -> Option<Block<'a>> {
    let scan = scan(value, [("type", &[]), ("text", &[])]);
    let words = scan.fields[1].value?.as_str()?;
    Some(closed(cx, BlockKind::Text(words.into()), value, &scan))
}

fn thinking<'a>(cx: &mut Reader<'a, '_>, value: Value<'a>) -> Option<Block<'a>> {
    let scan = scan(value, [("type", &[]), ("thinking", &[])]);
    let words = scan.fields[1].value?.as_str()?;
    let thinking = unsigned(words, cx.dialect);
    Some(closed(cx, BlockKind::Thinking(Box::new(thinking)), value, &scan))
}

/// A block beside whose members the server takes no others.
fn closed<'a, const N: usize>(
    cx: &mut Reader<'a, '_>,
    kind: BlockKind<'a>,
    value: Value<'a>,
    scan: &Scan<'a, N>,
) -> Block<'a> {
    let block = cx.block(kind, value);
    cx.duplicate(scan.duplicate, value, block.id);
    cx.lose_members(value, &scan.others, block.id);
    block
}

/// A picture by its address, or by a data URL.
fn image<'a>(cx: &mut Reader<'a, '_>, value: Value<'a>) -> Option<Block<'a>> {
    let outer = scan(value, [("type", &[]), ("image_url", &[])]);
    let inner = scan(outer.fields[1].value.filter(|holder| holder.is_object())?, [("url", &[]), ("detail", &[])]);
    let [url, detail] = inner.fields;
    let url = url.value?.as_str().filter(|url| !url.trim().is_empty())?;
    let bare = media::type_of_bare_base64(&url);
    let kind = if media::is_data_url(&url) {
        let (mime, data) = media::split_data_url(&url);
        // What is not marked as base64 is left to the pass that mends pictures.
        let data = data.map_or_else(|| url.clone().into_owned(), str::to_owned);
        let mime_type = mime.map(|mime| Cow::Owned(mime.to_owned()));
        BlockKind::Image(Box::new(Media { data: Some(Cow::Owned(data)), mime_type }))
    } else if let Some(mime_type) = bare {
        BlockKind::Image(Box::new(Media { data: Some(url.clone()), mime_type: Some(mime_type.into()) }))
    } else {
        BlockKind::Link(Box::new(Link { url: url.clone(), mime_type: None }))
    };
    let mut block = cx.block(kind, value);
    let about = block.id;
    cx.duplicate(outer.duplicate.or(inner.duplicate), value, about);
    cx.lose_members(value, &outer.others, about);
    cx.lose_members(value, &inner.others, about);
    if bare.is_some() {
        tell_bare_base64(cx, &block, value);
    }
    if media::is_data_url(&url) && !url.starts_with("data:") {
        let what = "the scheme of the data URL was spelled in small letters";
        cx.mend(&rule::IMAGE_DATA_URL_PREFIX, value, about, what);
    }
    match detail.value {
        Some(detail) if ["auto", "low", "high"].iter().any(|name| detail.is_str(name)) => {
            block.native.get_or_insert_default().add(cx.dialect.name(), "detail", kept(detail));
        }
        Some(_) => cx.lose(&rule::UNKNOWN_FIELD, value, about, "the server refuses this `detail`; left out"),
        None => {}
    }
    Some(block)
}

/// A document in a result: its words, where it holds one text alone, else its data as JSON text.
fn document<'a>(cx: &mut Reader<'a, '_>, value: Value<'a>) -> Option<Block<'a>> {
    let data = cohere_document(value)?;
    let mut members = data.members();
    let said = data.as_str().filter(|text| !text.trim().is_empty());
    let words = said.or_else(|| match (members.next(), members.next()) {
        // Another key says something itself.
        (Some((key, only)), None) if TEXT_KEYS.iter().any(|known| key.is_str(known)) => only.as_str(),
        _ => None,
    });
    Some(project(cx, value, words.unwrap_or(Cow::Borrowed(data.raw()))))
}

fn read_calls<'a>(cx: &mut Reader<'a, '_>, message: &mut Message<'a>, calls: Value<'a>, wire: Value<'a>, about: u32) {
    if calls.is_object() {
        cx.mend(&rule::CONTENT_NOT_A_LIST, wire, about, "`tool_calls` is not a list");
    } else if !calls.is_array() {
        message.dirty = true;
        return read_calls_of_no_list(cx, message, calls);
    } else if calls.items().next().is_none() {
        cx.mend(&rule::EMPTY_TOOL_CALLS, calls, about, "an empty `tool_calls` was left out");
    }
    let items: Vec<_> = if calls.is_object() { vec![calls] } else { calls.items().collect() };
    // A call that the content spells as well is one call (BerriAI/litellm#23510).
    let mut in_content = message.calls().next().is_some().then(|| lineage::Called::by(message));
    for item in items {
        if !call::may_be_call(cx, item) {
            message.dirty = true;
            continue;
        }
        let block = call(cx, item);
        match &mut in_content {
            Some(called) => message.dirty |= !called.add(message, block),
            None => message.blocks.push(block),
        }
    }
}

fn call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let Some(function) = item.get("function").filter(|function| function.is_object()) else {
        // Another dialect's call in this list.
        let mut block = call::read_foreign_call(cx, item);
        let native = block.native.take();
        let refused = native.iter().flat_map(|native| native.of(cx.dialect.name()));
        let names: Vec<_> = refused.map(|(key, _)| format!("`{key}`")).collect();
        cx.lose_refused(item, block.id, &names);
        return block;
    };
    let about = cx.id();
    let outer = scan(item, [("type", &[]), ("id", CALL_IDS), ("function", &[])]);
    let inner = scan(function, [("name", CALL_NAMES), ("arguments", ARGUMENTS)]);
    let [kind, id, _] = outer.fields;
    let [name, arguments] = inner.fields;
    cx.duplicate(outer.duplicate.or(inner.duplicate), item, about);
    cx.aliases([(&id, "id"), (&name, "name"), (&arguments, "arguments")], item, about);
    if kind.value.is_none_or(|kind| !kind.is_str("function")) {
        cx.mend(&rule::FIELD_ALIAS, item, about, "the type of the call was set to `function`");
    }
    let mut others = with_null_aliases(item, &["id", "type", "function"], &outer.others);
    others.extend(with_null_aliases(function, &["name", "arguments"], &inner.others));
    let call = call::call_of(cx, item, about, [&id, &name, &arguments], &mut others);
    cx.lose_members(item, &others, about);
    call::block_of_call(about, call, item, None)
}

fn result<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: &str) {
    let scan = scan(
        wire,
        [
            ("role", &[]),
            ("tool_call_id", RESULT_IDS),
            ("content", &[]),
            ("is_error", ERROR_FLAGS),
            ("name", &["toolName", "tool_name"]),
        ],
    );
    let [_, id, content, error, name] = scan.fields;
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    cx.duplicate(scan.duplicate, wire, about);
    if role != "tool" {
        alias(cx, wire, role, "tool", about);
    }
    cx.alias(&id, "tool_call_id", wire, about);
    let call_id = cx.call_id(&id, wire, about);
    // There is neither a flag nor a name: what they say is believed, and they go.
    let mut is_error = error.some().is_some() && read_error_flag(cx, &error, false, wire, about);
    let mut refused = with_null_aliases(wire, &["role", "tool_call_id", "content"], &scan.others);
    refused.extend(wire.members().filter(|(key, value)| {
        let is = |field: &Field<'_>| field.value.is_some() && key.is_str(field.key);
        !value.is_null() && (is(&error) || is(&name))
    }));
    cx.lose_members(wire, &refused, about);
    let mut blocks = result_content(cx, wire, content.value, about);
    if let Some(block) = blocks.first_mut() {
        is_error |= strip_error_prefix(block);
    }
    answer(&mut message, blocks, call_id, name_of(&name), is_error);
    cx.finish(wire, vec![message]);
}

fn result_content<'a>(
    cx: &mut Reader<'a, '_>,
    wire: Value<'a>,
    content: Option<Value<'a>>,
    about: u32,
) -> Vec<Block<'a>> {
    let list = content.filter(|content| content.is_array() && content.items().next().is_some());
    let Some(list) = list else { return read_result_content(cx, wire, content, about) };
    let mut blocks = Vec::new();
    for value in list.items() {
        blocks.push(match item(cx, value, Role::ToolResult) {
            Item::Block(block) => block,
            Item::Result(_) | Item::Nothing => {
                let what = "what a result cannot hold was kept as its JSON text";
                cx.as_json(value, &rule::BLOCK_IN_WRONG_ROLE, what)
            }
        });
    }
    blocks
}
