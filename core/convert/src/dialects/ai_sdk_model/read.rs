//! Model messages of the Vercel AI SDK (`ModelMessage`, versions 5 to 7): calls and results as parts with camel-case names,
//! results in a message of role `tool`, an output of one of several kinds, pictures as base64, data URL or address.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::dialects::ai_sdk_model::media::{bytes_of, held, holder, is_address, sound, whole_type, words};
use crate::dialects::ai_sdk_model::output;
use crate::dialects::ai_sdk_model::reasoning::{Signatures, signed, signed_for};
use crate::dialects::openclaw::lineage::{read_content, read_foreign};
use crate::media;
use crate::read::block::{Item, filled, one_or_all, project, read_item};
use crate::read::bytes::tell_form;
use crate::read::call::{block_of_call, call_of};
use crate::read::detect::{block, is, role};
use crate::read::fields::{self, ARGUMENTS, CALL_IDS, CALL_NAMES, MIME_TYPES, scan};
use crate::read::reader::{Reader, write_anew};
use crate::read::role::read_by_role;
use crate::read::spec::{Sign, Spec, SystemField, ToolForm};
use crate::read::typed::is_object_of_objects;
use crate::read::{bare, container, result};
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::transcript::{Block, BlockKind, File, Link, Media, Message, Native, Opaque, Role};
use wirecanon_model::{rule, text};

pub(crate) static SPEC: Spec = Spec {
    system: SystemField::Either("instructions"),
    system_also: Some("system"),
    tools: ToolForm { schema_also: &["inputSchema"], ..ToolForm::FLAT },
    keeps_all_reasoning: true,
    blank_results: true,
    blank_in_results: true,
    is_lone_result: |message| {
        let mut parts = message.get("content").into_iter().flat_map(Value::items);
        role(message, "tool") && parts.next().is_some_and(|part| is(part, "tool-result")) && parts.next().is_none()
    },
    has_item: |kind, role| match role {
        Role::Assistant => {
            matches!(kind, "tool-call" | "tool-result" | "tool-approval-request" | "file" | "reasoning-file" | "custom")
        }
        Role::User => matches!(kind, "file" | "image" | "tool-approval-response"),
        _ => false,
    },
    seals_reasoning: |thinking| signed_for(thinking).is_some(),
    is_whole,
    read: |cx, wire| read_by_role(cx, wire, read_as),
    read_system,
    finish: Some(hold_for_approval),
    signs: &[
        Sign::new(9, "a `tool-call` part with `toolCallId`", |m| {
            block(m, |b| is(b, "tool-call") && b.get("toolCallId").is_some())
        }),
        Sign::new(9, "a `tool-result` part in a message of role `tool`", |m| {
            role(m, "tool") && block(m, |b| is(b, "tool-result"))
        }),
        Sign::new(3, "`providerOptions`", |m| {
            m.get("providerOptions").is_some() || block(m, |b| b.get("providerOptions").is_some())
        }),
        Sign::new(4, "a part with `mediaType`", |m| {
            block(m, |b| (is(b, "file") || is(b, "image")) && b.get("mediaType").is_some())
        }),
        Sign::new(3, "an `image` part with `image`", |m| block(m, |b| is(b, "image") && b.get("image").is_some())),
    ],
    ..Spec::COMMON
};

/// Reads the instructions beside the list: a text, a message of the system, or a list of them; `instructions` counts where
/// `system` stands, too. Source: npm:ai@7.0.173 `standardizePrompt`.
pub(crate) fn read_system<'a>(cx: &mut Reader<'a, '_>, system: Value<'a>) {
    if system.is_array() {
        system.items().for_each(|item| read_instruction(cx, item));
    } else if system.is_object() {
        read_instruction(cx, system);
    } else {
        container::read_system(cx, system);
    }
}

/// Reads one of the messages in the place of instructions.
fn read_instruction<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) {
    let before = cx.messages.len();
    let wrong = match item.get("role").and_then(Value::as_str) {
        Some(role) if role == "system" => None,
        Some(_) => Some((&rule::ROLE_ALIAS, "a message of another role stood among the instructions")),
        None if item.is_string() => {
            Some((&rule::MESSAGE_NOT_AN_OBJECT, "a string in place of a message was kept as its text"))
        }
        None => {
            Some((&rule::UNKNOWN_ROLE, "a message without a role among the instructions was read as one of `system`"))
        }
    };
    match item.get("role") {
        _ if item.is_string() => container::read_system(cx, item),
        None if item.get("content").is_some() => read_as(cx, item, "system"),
        _ => read_by_role(cx, item, read_as),
    }
    if cx.messages.len() == before {
        cx.system_changed = true;
        return;
    }
    if let Some((rule, words)) = wrong {
        cx.mend_from(before, rule, item, words);
    }
}

fn is_whole(kind: &str, item: Value<'_>) -> bool {
    options_are_sound(item)
        && match kind {
            "tool-call" => is_named(item) && (hosted(item) || item.get("input").is_some()),
            "tool-result" => {
                filled(item.get("toolCallId"))
                    && item.get("toolName").is_some_and(Value::is_string)
                    && item.get("output").is_some_and(output::is_sound)
            }
            "tool-approval-request" => filled(item.get("approvalId")) && filled(item.get("toolCallId")),
            "tool-approval-response" => {
                filled(item.get("approvalId")) && item.get("approved").is_some_and(|value| value.as_bool().is_some())
            }
            "file" | "reasoning-file" => filled(item.get("mediaType")) && is_readable(item.get("data")),
            "image" => is_readable(item.get("image")),
            _ => true,
        }
}

/// Whether the provider ran the tool itself.
fn hosted(call: Value<'_>) -> bool {
    call.get("providerExecuted").and_then(Value::as_bool) == Some(true)
}

/// Whether a call has an id and a name that nothing is to be mended of.
fn is_named(call: Value<'_>) -> bool {
    ["toolCallId", "toolName"].iter().all(|key| {
        call.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty() && text.trim().len() == text.len())
    })
}

/// Whether this is an address, a reference to a file of the provider, or bytes in base64.
fn is_readable(data: Option<Value<'_>>) -> bool {
    let Some(data) = data else { return false };
    let Some(text) = data.as_str() else {
        return data.get("type").and_then(Value::as_str).is_some_and(|kind| match &*kind {
            "data" => data.get("data").and_then(Value::as_str).is_some_and(|text| sound(&text)),
            "url" => filled(data.get("url")),
            "text" => data.get("text").is_some_and(Value::is_string),
            "reference" => data.get("reference").is_some(),
            _ => false,
        });
    };
    is_address(&text) || sound(&text)
}

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let role = match name {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        "tool" if wire.get("content").is_some_and(|content| content.is_array() || is_answer(content)) => {
            return tool(cx, wire);
        }
        _ if bare::read(cx, wire, part) => return,
        _ => return foreign(cx, wire),
    };
    let scan = scan(wire, [("role", &[]), ("content", &[])]);
    let mut message = cx.message(role, Vec::new());
    cx.duplicate(scan.duplicate, wire, message.id);
    message.native = cx.native(&scan.others);
    refuse_options(cx, wire, &mut message.native, message.id);
    let content = scan.fields[1].value;
    let list = content.filter(|content| content.is_array() || content.is_object());
    let mut parts = match list {
        Some(list) => read_list(cx, message, list),
        None => read_content(cx, message, content, wire),
    };
    if role == Role::System
        && let (Some(list), Some(message)) = (list, parts.first_mut())
    {
        let about = Some(message.id);
        cx.mend(&rule::CONTENT_NOT_A_LIST, list, about, "instructions are one string in this dialect");
    }
    cx.finish(wire, parts);
}

/// A message in another dialect's form.
fn foreign<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let words = "a message in another dialect's role was read as what it is";
    let before = read_foreign(cx, wire, &rule::ROLE_ALIAS, words);
    let mut read = cx.messages.split_off(before);
    for message in &mut read {
        refuse_options(cx, wire, &mut message.native, message.id);
        of_the_message(message);
    }
    cx.messages.append(&mut read);
}

/// A part that stands in the place of a message.
fn part<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Item<'a> {
    if is(item, "tool-result") {
        return Item::Result(result(cx, item));
    }
    own_part(cx, item, role).map_or_else(|| read_item(cx, item, role), Item::Block)
}

fn read_list<'a>(cx: &mut Reader<'a, '_>, mut message: Message<'a>, list: Value<'a>) -> Vec<Message<'a>> {
    let role = message.role;
    let (mut late, mut answers) = (Vec::new(), Vec::new());
    let about = message.id;
    let mut signatures = Signatures::default();
    for item in one_or_all(cx, list, about) {
        if role != Role::Assistant && is(item, APPROVAL) && is_whole(APPROVAL, item) {
            let answer = cx.opaque(item);
            let words = "an answer to a request for approval was put into a message of role `tool`";
            cx.mend(&rule::BLOCK_IN_WRONG_ROLE, item, answer.id, words);
            answers.push(answer);
            message.dirty = true;
            continue;
        }
        if role == Role::Assistant && is(item, "tool-result") && answers_a_call(cx, item, &message) {
            let mut moved = result(cx, item);
            let words = "a tool result in the assistant's message was moved out of it";
            cx.mend(&rule::BLOCK_IN_WRONG_ROLE, item, moved.id, words);
            moved.dirty = true;
            message.dirty = true;
            late.push(moved);
            continue;
        }
        if let Some(mut block) = own_part(cx, item, role) {
            refuse_options(cx, item, &mut block.native, block.id);
            signatures.add_once(&mut block, cx.dialect);
            message.blocks.push(block);
            continue;
        }
        match read_item(cx, item, role) {
            Item::Block(mut block) => {
                refuse_options(cx, item, &mut block.native, block.id);
                signatures.add(&block);
                message.blocks.push(block);
            }
            Item::Nothing => message.dirty = true,
            Item::Result(mut result) => {
                result.source = Some(item.index());
                result.dirty = true;
                message.dirty = true;
                late.push(result);
            }
        }
    }
    let mut parts = vec![message];
    if !(late.is_empty() && answers.is_empty()) && parts[0].blocks.is_empty() && role != Role::Assistant {
        parts.clear();
    }
    parts.extend(late);
    if !answers.is_empty() {
        let mut message = cx.message(Role::User, answers);
        message.dirty = true;
        parts.push(message);
    }
    parts
}

/// What the user answered to a request for approval.
const APPROVAL: &str = "tool-approval-response";

/// Whether a part is one of a message of role `tool`.
fn is_answer(part: Value<'_>) -> bool {
    is(part, "tool-result") || is(part, APPROVAL)
}

/// Whether a result in an assistant's message is that of a call in it or in the one before, which no provider ran.
fn answers_a_call<'a>(cx: &Reader<'a, '_>, item: Value<'a>, message: &Message<'a>) -> bool {
    let Some(id) = item.get("toolCallId").and_then(Value::as_str) else { return false };
    let before = cx.messages.last().filter(|before| before.role == Role::Assistant);
    let mut calls = message.calls().chain(before.into_iter().flat_map(Message::calls));
    calls.any(|call| call.id.as_deref() == Some(id.trim()))
}

/// Whether the fields of providers stand as the SDK wants them: an object of objects.
pub(crate) fn options_are_sound(holder: Value<'_>) -> bool {
    holder.get("providerOptions").is_none_or(is_object_of_objects)
}

/// Leaves out fields of providers that are no such object.
fn refuse_options<'a>(cx: &mut Reader<'a, '_>, holder: Value<'a>, native: &mut Option<Box<Native<'a>>>, about: u32) {
    if options_are_sound(holder) {
        return;
    }
    if let Some(native) = native {
        native.remove(cx.dialect.name(), "providerOptions");
    }
    let words = "`providerOptions` is no object of fields for each provider; left out";
    cx.lose(&rule::NATIVE_MALFORMED, holder, about, words);
}

/// A part in this dialect's own spelling.
fn own_part<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Option<Block<'a>> {
    let kind = item.get("type").and_then(Value::as_str)?;
    match (&*kind, role) {
        ("reasoning", Role::Assistant) => reasoning(cx, item),
        ("tool-call", Role::Assistant) if hosted(item) && is_whole(&kind, item) => Some(cx.opaque(item)),
        ("tool-call", Role::Assistant) => Some(call(cx, item)),
        // A result in the assistant's own message is that of a tool that the provider ran.
        ("tool-result", Role::Assistant) if is_whole(&kind, item) => Some(cx.opaque(item)),
        ("image", Role::User) => picture(cx, item, "image"),
        ("file", Role::User) => picture(cx, item, "data").or_else(|| file(cx, item)),
        ("file", Role::Assistant) if is_whole(&kind, item) => {
            let name = item.get("filename").and_then(Value::as_str);
            let mime = item.get("mediaType").and_then(Value::as_str).unwrap_or_default();
            let words = text::file_left_out(name.as_deref(), &mime);
            Some(project(cx, item, Cow::Owned(words)))
        }
        _ => None,
    }
}

fn reasoning<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Option<Block<'a>> {
    let scan = scan(item, [("type", &[]), ("text", &[])]);
    let text = scan.fields[1].value?.as_str()?;
    let thinking = signed(cx.dialect, text, item.get("providerOptions"));
    Some(cx.block_with(BlockKind::Thinking(Box::new(thinking)), item, &scan))
}

fn call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let scan = scan(item, [("type", &[]), ("toolCallId", CALL_IDS), ("toolName", CALL_NAMES), ("input", ARGUMENTS)]);
    let [_, id, name, arguments] = scan.fields;
    let mut others = scan.others;
    let block_id = cx.id();
    cx.duplicate(scan.duplicate, item, block_id);
    cx.aliases([(&id, "toolCallId"), (&name, "toolName"), (&arguments, "input")], item, block_id);
    let call = call_of(cx, item, block_id, [&id, &name, &arguments], &mut others);
    if hosted(item) {
        let words = "a call without an id, a name or an input of its own is none that the provider ran";
        cx.lose(&rule::NATIVE_MALFORMED, item, block_id, words);
        others.retain(|(key, _)| !key.is_str("providerExecuted"));
    }
    block_of_call(block_id, call, item, cx.native(&others))
}

/// A picture: base64, a data URL, or an address.
fn picture<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, key: &'static str) -> Option<Block<'a>> {
    let scan = scan(item, [("type", &[]), (key, &[]), ("mediaType", MIME_TYPES)]);
    let [_, data, mime] = scan.fields;
    let text = held(data.value?)?;
    let mime_type = mime.value.and_then(Value::as_str);
    // A file that does not say what it is may be a picture all the same.
    let is_picture =
        key == "image" || mime_type.as_deref() == Some("image") || media::is_picture(mime_type.as_deref(), &text);
    if !is_picture || text.trim().is_empty() {
        return None;
    }
    let mut block = if is_address(&text) {
        let mime_type = whole_type(mime_type, "");
        cx.block(BlockKind::Link(Box::new(Link { url: text, mime_type })), item)
    } else {
        let (declared, data) = bytes_of(&text);
        // An image may leave it to its data URL, or to its bytes, to say what it is.
        let sniffed = || media::sniff_base64(&data).map(str::to_owned);
        let found = if key == "image" { declared.or_else(sniffed) } else { None };
        let mime_type = whole_type(mime_type.or(found.map(Cow::Owned)), &data);
        let media = Media { mime_type, data: Some(data) };
        cx.block(BlockKind::Image(Box::new(media)), item)
    };
    block.native = cx.native(&scan.others);
    cx.duplicate(scan.duplicate, item, block.id);
    cx.alias(&mime, "mediaType", item, block.id);
    if mime.value.is_some_and(|said| !said.is_string()) {
        cx.mend(&rule::IMAGE_TYPE_MISSING, item, block.id, "`mediaType` of a picture is no string");
    }
    tell_form(cx, &block, data.value.map(holder), item);
    Some(block)
}

/// A document or recording by its bytes.
fn file<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Option<Block<'a>> {
    let scan = scan(item, [("type", &[]), ("data", &[]), ("mediaType", MIME_TYPES), ("filename", &[])]);
    let [_, data, mime, name] = scan.fields;
    if let Some(words) = words(data.value?) {
        return Some(cx.block_with(BlockKind::Text(words.into()), item, &scan));
    }
    let text = held(data.value?)?;
    let mime_type = mime.value?.as_str().filter(|mime| !mime.trim().is_empty())?;
    if is_address(&text) || !sound(&text) {
        return None;
    }
    let name = name.value.and_then(Value::as_str);
    let block =
        cx.block_with(BlockKind::File(Box::new(File { data: bytes_of(&text).1, mime_type, name })), item, &scan);
    cx.alias(&mime, "mediaType", item, block.id);
    tell_form(cx, &block, data.value.map(holder), item);
    Some(block)
}

/// A message of results, and of answers to requests for approval.
fn tool<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let scan = scan(wire, [("role", &[]), ("content", &[])]);
    let Some(list) = scan.fields[1].value else { return };
    let (mut parts, mut answers) = (Vec::new(), Vec::new());
    let mut dirty = list.is_object() || scan.duplicate.is_some() || !options_are_sound(wire);
    let about = cx.last_id() + 1;
    for item in one_or_all(cx, list, about) {
        if is(item, APPROVAL) && is_whole(APPROVAL, item) {
            answers.push(cx.opaque(item));
            continue;
        }
        // An answer that stands before a result would stand between a call and its result elsewhere.
        dirty |= !answers.is_empty();
        if item.get("type").is_some_and(|kind| kind.is_str("tool-result")) {
            parts.push(result(cx, item));
            continue;
        }
        match read_item(cx, item, Role::User) {
            Item::Result(mut result) => {
                result.source = Some(item.index());
                parts.push(result);
            }
            Item::Block(block) => {
                cx.mend_around(&rule::BLOCK_IN_WRONG_ROLE, item, &block, "a message of results holds results alone");
                answers.push(block);
                dirty = true;
            }
            Item::Nothing => dirty = true,
        }
    }
    if parts.is_empty() && answers.is_empty() {
        cx.lose(&rule::EMPTY_MESSAGE, wire, None, "a message of results without a result was left out");
        return;
    }
    if !answers.is_empty() {
        let message = cx.message(Role::User, answers);
        parts.push(message);
    }
    let mut native = cx.native(&scan.others);
    if let Some(first) = parts.first_mut() {
        cx.duplicate(scan.duplicate, wire, first.id);
        refuse_options(cx, wire, &mut native, first.id);
        if let Some(native) = native {
            let own = first.native.replace(native);
            of_the_message(first);
            if let Some(own) = own.filter(|own| !own.of(cx.dialect.name()).is_empty()) {
                let fields = own.of(cx.dialect.name()).iter().cloned();
                first.native.get_or_insert_default().add_all(cx.dialect.name(), fields);
            }
        }
    }
    if dirty {
        write_anew(&mut parts);
    }
    cx.finish(wire, parts);
}

/// Whether the text of a part is an answer to a request for approval.
pub(crate) fn is_approval(part: &str) -> bool {
    const KIND: &str = "tool-approval-response";
    let escaped = || {
        let json = Json::parse(part, &Limits::default());
        json.is_ok_and(|json| json.root().get("type").is_some_and(|kind| kind.is_str(KIND)))
    };
    part.contains("\"tool-approval-response\"") || part.contains('\\') && escaped()
}

/// In front of the name of a field that stood on the message of results, not on a result.
pub(crate) const MESSAGE_FIELD: &str = "message.";

/// Fields of a message of several results go with the first of them, marked as the message's.
fn of_the_message(first: &mut Message<'_>) {
    let approves = |block: &Block<'_>| match &block.kind {
        BlockKind::Opaque(opaque) => is_approval(&opaque.value),
        _ => false,
    };
    let answers = first.role == Role::User && !first.blocks.is_empty() && first.blocks.iter().all(approves);
    let Some(native) = first.native.as_mut().filter(|_| first.role == Role::ToolResult || answers) else { return };
    for (_, fields) in &mut native.dialects {
        for (key, _) in fields {
            *key = Cow::Owned(format!("{MESSAGE_FIELD}{key}"));
        }
    }
}

fn result<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Message<'a> {
    let scan = scan(
        item,
        [
            ("type", &[]),
            ("toolCallId", fields::RESULT_IDS),
            ("toolName", fields::RESULT_NAMES),
            ("output", &["result", "content"]),
            ("isError", fields::ERROR_FLAGS),
        ],
    );
    let [_, id, name, value, flag] = scan.fields;
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    cx.duplicate(scan.duplicate, item, about);
    cx.aliases([(&id, "toolCallId"), (&name, "toolName")], item, about);
    let call_id = cx.call_id(&id, item, about);
    let tool_name = cx.tool_name(&name, item, about);
    let (blocks, mut is_error) = output::read(cx, item, &value, about);
    if flag.value.is_some() {
        // Before version 5 a result had a flag, and its value under `result`.
        is_error |= result::read_error_flag(cx, &flag, false, item, about);
        cx.mend(&rule::FIELD_ALIAS, item, about, "`isError` was read as the kind of the output");
    }
    message.native = cx.native(&scan.others);
    refuse_options(cx, item, &mut message.native, about);
    result::answer(&mut message, blocks, call_id, tool_name, is_error);
    message.source = Some(item.index());
    message
}

/// A call that waits for the user's approval has no result yet, and must not get one: it is held as an item that only this
/// dialect replays.
fn hold_for_approval(cx: &mut Reader<'_, '_>) {
    let mut asked: HashSet<String> = HashSet::new();
    for block in cx.messages.iter().flat_map(|message| &message.blocks) {
        let BlockKind::Opaque(_) = &block.kind else { continue };
        let Some(item) = block.source.map(|source| cx.json.value(source)) else { continue };
        if is(item, "tool-approval-request") {
            asked.extend(item.get("toolCallId").and_then(Value::as_str).map(Cow::into_owned));
        }
    }
    if asked.is_empty() {
        return;
    }
    for head in cx.messages.iter().filter_map(|message| message.result.as_ref()) {
        if let Some(id) = &head.call_id {
            asked.remove(&**id);
        }
    }
    // Of two calls of one id, nobody can say which one waits.
    let mut seen = HashSet::new();
    for call in cx.messages.iter().flat_map(Message::calls) {
        if let Some(id) = call.id.as_deref().filter(|id| !seen.insert(id.to_string())) {
            asked.remove(id);
        }
    }
    let (json, name) = (cx.json, cx.dialect.name());
    for block in cx.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        let BlockKind::ToolCall(call) = &block.kind else { continue };
        let Some(source) = block.source.filter(|_| !block.dirty) else { continue };
        if call.id.as_ref().is_some_and(|id| asked.contains(&**id))
            && is_whole("tool-call", json.value(source))
            && json.value(source).get("input").is_some_and(Value::is_object)
        {
            let value = Cow::Borrowed(json.value(source).raw());
            block.kind = BlockKind::Opaque(Box::new(Opaque { dialect: Cow::Borrowed(name), value }));
            block.native = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline::{From, Options, fix};
    use wirecanon_model::Dialect;

    fn fixed(input: &str) -> (String, Vec<&'static str>) {
        let options = Options { from: From::Dialect(Dialect::AiSdkModel), ..Options::default() };
        let fixed = fix(input.as_bytes(), &options).unwrap();
        let rules = fixed.report.repairs.iter().map(|entry| entry.rule).collect();
        (String::from_utf8(fixed.output.into_owned()).unwrap(), rules)
    }

    #[test]
    fn a_call_that_the_provider_ran_has_an_id_of_its_own() {
        let call = r#"{"type":"tool-call","toolCallId":" s1 ","toolName":"search","input":{},"providerExecuted":true}"#;
        let talk = format!(
            r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"reasoning"}},{call}]}}]"#
        );
        let (out, rules) = fixed(&talk);
        assert!(!out.contains("providerExecuted") && out.contains("no result was recorded"), "{out}");
        assert!(rules.contains(&"native-malformed"), "{rules:?}");
    }

    #[test]
    fn fields_of_a_message_of_results_stay_its_own() {
        let call = r#"{"type":"tool-call","toolCallId":"c1","toolName":"read","input":{}}"#;
        let talk = format!(
            r#"[{{"role":"assistant","content":[{call}]}},{{"role":"tool","tool_call_id":"c1","content":"a","type":"x"}}]"#
        );
        let (out, _) = fixed(&talk);
        let (again, rules) = fixed(&out);
        assert!(out.contains(r#""type":"x""#) && again == out && rules.is_empty(), "{out} {rules:?}");
    }
}
