//! Reading messages of the agent lineage: OpenClaw's and pi-ai's shape, from which the canonical one grew.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::read::block::{Item, native_members, read_item};
use crate::read::call;
use crate::read::fields::{Field, STOP_REASONS, scan};
use crate::read::reader::{Members, Reader, write_anew};
use crate::read::result::{
    RESULT_FIELDS, content_elsewhere, content_of_others, one_for_list, read_error_flag, read_result_content,
    string_for_list,
};
use crate::read::role::{self, read_by_role, read_under_another_name};
use wirecanon_json::{Kind, Value};
use wirecanon_model::transcript::{Block, BlockKind, Message, ResultHead, Role, StopReason};
use wirecanon_model::{Dialect, rule};

/// Roles that applications of the lineage add for themselves, and replay only among themselves.
const APPLICATION_ROLES: &[&str] = &["custom", "bashExecution", "branchSummary", "compactionSummary"];

/// Whether a value is a message that only applications of the lineage know.
pub(crate) fn is_application_message(value: Value<'_>) -> bool {
    value.get("role").and_then(Value::as_str).is_some_and(|role| APPLICATION_ROLES.contains(&&*role))
}

/// Reads one wire message.
pub(crate) fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    read_by_role(cx, wire, read_as);
}

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: &str) {
    match role {
        "user" => turn(cx, wire, Role::User, None),
        "assistant" => turn(cx, wire, Role::Assistant, None),
        "system" => turn(cx, wire, Role::System, None),
        "developer" => turn(cx, wire, Role::System, Some("developer")),
        "model" => turn(cx, wire, Role::Assistant, Some("model")),
        "toolResult" => result(cx, wire, None),
        "tool" | "function" | "tool_result" => result(cx, wire, Some(role)),
        name if cx.dialect == Dialect::OpenClaw && APPLICATION_ROLES.contains(&name) => application(cx, wire),
        _ => read_under_another_name(cx, wire, read_as),
    }
}

/// Reads a message that is in another dialect's form: what comes of it is written anew. Gives where it begins.
pub(crate) fn read_foreign<'a>(
    cx: &mut Reader<'a, '_>,
    wire: Value<'a>,
    rule: &'static rule::Rule,
    words: &'static str,
) -> usize {
    let before = cx.messages.len();
    read_message(cx, wire);
    if cx.messages.len() > before {
        cx.mend_from(before, rule, wire, words);
    }
    before
}

/// Reads content of before there were parts: its words are the dialect's own, a list of blocks is not.
pub(crate) fn read_older_content<'a>(
    cx: &mut Reader<'a, '_>,
    message: Message<'a>,
    content: Option<Value<'a>>,
    wire: Value<'a>,
) -> Vec<Message<'a>> {
    let about = message.id;
    let mut read = read_content(cx, message, content, wire);
    if let Some(list) = content.filter(|content| content.is_array()) {
        cx.mend(&rule::CONTENT_NOT_A_LIST, list, about, "blocks under `content` were read as parts");
        write_anew(&mut read);
    }
    read
}

/// A message that only applications of the lineage know.
fn application<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let mut block = cx.opaque(wire);
    block.projected = true;
    cx.finish_block(wire, Role::User, block);
}

fn turn<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: Role, alias: Option<&str>) {
    let scan = scan(
        wire,
        [("role", &[]), ("content", &["parts"]), ("stopReason", STOP_REASONS), ("tool_calls", &["toolCalls"])],
    );
    let [_, content, stop, calls] = scan.fields;
    let mut message = cx.message(role, Vec::new());
    let about = message.id;
    if let Some(alias) = alias {
        role::alias(cx, wire, alias, role.name(), about);
    }
    cx.duplicate(scan.duplicate, wire, about);
    cx.alias(&content, "content", wire, about);
    let mut others = scan.others;
    if role == Role::Assistant {
        message.stop_reason = stop_reason(cx, &mut others, stop, wire, about);
    } else if let Some(value) = stop.value
        && let Some(key) = key_of(wire, value)
    {
        others.push((key, value));
    }
    let is_read = |calls: &Value<'_>| calls.items().next().is_some() && role == Role::Assistant;
    if let Some(value) = calls.some().filter(|calls| !is_read(calls))
        && let Some(key) = key_of(wire, value)
    {
        others.push((key, value));
    }
    message.native = native_members(cx, about, wire, &others);
    let mut parts = read_content(cx, message, content.value, wire);
    // OpenAI's field in this lineage: the calls belong to the turn unless its content already has them.
    if let Some(list) = calls.some().filter(is_read)
        && let Some(message) = parts.iter_mut().find(|part| part.role == Role::Assistant)
    {
        read_calls_beside(cx, message, list);
        message.dirty = true;
    }
    cx.finish(wire, parts);
}

/// Reads a list of calls that stands beside a turn's content into the turn.
pub(crate) fn read_calls_beside<'a>(cx: &mut Reader<'a, '_>, message: &mut Message<'a>, list: Value<'a>) {
    let mut called = Called::by(message);
    for item in list.items().filter(|item| item.is_object()) {
        let block = call::read_call(cx, item);
        called.add(message, block);
    }
}

/// The ids that a turn calls.
pub(crate) struct Called<'a> {
    ids: HashSet<Cow<'a, str>>,
}

impl<'a> Called<'a> {
    pub(crate) fn by(message: &Message<'a>) -> Self {
        Self { ids: message.calls().filter_map(|call| call.id.clone()).collect() }
    }

    /// Adds a call unless the turn has one of the same id already (one call in two encodings, BerriAI/litellm#23510): true if
    /// it was added.
    pub(crate) fn add(&mut self, message: &mut Message<'a>, block: Block<'a>) -> bool {
        let BlockKind::ToolCall(call) = &block.kind else { return false };
        let is_new = call.id.as_ref().is_none_or(|id| self.ids.insert(id.clone()));
        if is_new {
            message.blocks.push(block);
        }
        is_new
    }
}

fn key_of<'a>(object: Value<'a>, value: Value<'a>) -> Option<Value<'a>> {
    object.members().find(|(_, found)| found.index() == value.index()).map(|(key, _)| key)
}

fn stop_reason<'a>(
    cx: &mut Reader<'a, '_>,
    others: &mut Members<'a>,
    field: Field<'a>,
    wire: Value<'a>,
    about: u32,
) -> Option<StopReason> {
    let value = field.value?;
    if value.is_null() && cx.dialect != Dialect::Canonical {
        return None;
    }
    let text = value.as_str().unwrap_or_default();
    let Some(reason) = StopReason::from_name(&text) else {
        let other = match &*text {
            "end_turn" | "stop_sequence" => Some(StopReason::Stop),
            "max_tokens" => Some(StopReason::Length),
            "tool_use" | "tool_calls" => Some(StopReason::ToolUse),
            _ => None,
        };
        match other {
            Some(_) => {
                let what = format!("the stop reason `{text}` was read in its canonical spelling");
                cx.mend(&rule::FIELD_ALIAS, wire, about, what);
            }
            None if cx.dialect == Dialect::Canonical || !value.is_string() => {
                let what = format!("the stop reason {} is not known and was left out", value.raw());
                cx.lose(&rule::UNKNOWN_STOP_REASON, wire, about, what);
            }
            // A reason that this reader does not know is the application's own.
            None => others.extend(key_of(wire, value).map(|key| (key, value))),
        }
        return other;
    };
    cx.alias(&field, "stopReason", wire, about);
    Some(reason)
}

/// Reads content into `message`; results that stand as blocks become messages of their own, in their place.
pub(crate) fn read_content<'a>(
    cx: &mut Reader<'a, '_>,
    mut message: Message<'a>,
    content: Option<Value<'a>>,
    wire: Value<'a>,
) -> Vec<Message<'a>> {
    let role = message.role;
    let string_is_own = match cx.dialect {
        Dialect::Canonical => false,
        Dialect::OpenClaw => role != Role::Assistant,
        _ => true,
    };
    let about = message.id;
    match content.map(|content| (content, content.kind())) {
        Some((content, Kind::Array)) => return read_list(cx, message, content),
        Some((content, Kind::String)) => {
            let words = content.words().unwrap_or_default();
            if !words.is_empty() || role != Role::Assistant {
                // Exactly one: most messages are one text, and room for more would double their size.
                message.blocks = vec![cx.block(BlockKind::Text(words), content)];
            }
            if !string_is_own {
                string_for_list(cx, content, about);
            }
        }
        Some((content, Kind::Object)) => {
            one_for_list(cx, content, about);
            match read_item(cx, content, role) {
                Item::Block(block) => message.blocks.push(block),
                Item::Result(result) => return vec![message, result],
                Item::Nothing => {}
            }
        }
        Some((content, Kind::Number | Kind::Bool)) => {
            let what = format!("{} in place of the content was kept as text", content.kind().name());
            cx.mend(&rule::CONTENT_NOT_A_LIST, content, about, what);
            message.blocks.push(cx.text_anew(content.raw(), content));
        }
        Some((_, Kind::Null)) | None => {
            message.dirty = true;
            if let Some((key, content)) = content_of_others(wire) {
                if let Some(native) = &mut message.native {
                    native.remove(cx.dialect.name(), key);
                }
                cx.mend(&rule::FIELD_ALIAS, wire, about, format!("`{key}` was read as the content"));
                return read_content(cx, message, Some(content), wire);
            }
            cx.mend(&rule::CONTENT_MISSING, wire, about, "the message has no content");
        }
    }
    vec![message]
}

/// Reads a list of blocks. A user's blocks before a result, and those after it, stay on their side of it.
pub(crate) fn read_list<'a>(cx: &mut Reader<'a, '_>, mut message: Message<'a>, list: Value<'a>) -> Vec<Message<'a>> {
    let (role, about) = (message.role, message.id);
    let anthropic = cx.dialect == Dialect::AnthropicMessages;
    message.blocks.reserve_exact(list.items().count());
    let mut split = Split::new(message);
    for item in list.items() {
        let read = read_item(cx, item, role);
        if let Item::Result(result) = &read
            && anthropic
            && role != Role::User
        {
            moved_out(cx, item, result.id);
        }
        split.add(cx, read, item, !anthropic || role != Role::User);
    }
    if let (Dialect::OpenAiChat | Dialect::MistralChat, None) = (cx.dialect, list.items().next()) {
        let what = "an empty list of parts says nothing, and the server refuses it";
        cx.mend(&rule::EMPTY_MESSAGE, list, about, what);
    }
    let mut parts = split.end();
    if parts.len() > 1 && !anthropic {
        write_anew(&mut parts);
    }
    parts
}

/// Reports that a result does not stay in the assistant's message.
pub(crate) fn moved_out<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, about: u32) {
    let what = "a tool result in the assistant's message was moved out of it";
    cx.mend(&rule::BLOCK_IN_WRONG_ROLE, item, about, what);
}

/// The messages that a wire message becomes in which results stand: what the user says before a result, and after it, stays on its
/// side; results of others come last.
pub(crate) struct Split<'a> {
    role: Role,
    current: Option<Message<'a>>,
    parts: Vec<Message<'a>>,
    late: Vec<Message<'a>>,
}

impl<'a> Split<'a> {
    pub(crate) fn new(message: Message<'a>) -> Self {
        Self { role: message.role, current: Some(message), parts: Vec::new(), late: Vec::new() }
    }

    /// Adds what an item was read as; `anew` if a result is not where its dialect has it.
    pub(crate) fn add(&mut self, cx: &mut Reader<'a, '_>, read: Item<'a>, item: Value<'a>, anew: bool) {
        match read {
            Item::Nothing => {
                if let Some(message) = self.current.as_mut().or(self.parts.last_mut()) {
                    message.dirty = true;
                }
            }
            Item::Block(block) => {
                self.current.get_or_insert_with(|| cx.message(self.role, Vec::new())).blocks.push(block);
            }
            Item::Result(mut result) => {
                result.source = Some(item.index());
                result.dirty |= anew;
                if self.role != Role::User {
                    return self.late.push(result);
                }
                // The message's own part stays only if something was said before the result.
                match self.current.take() {
                    Some(message) if !message.blocks.is_empty() => self.parts.push(message),
                    Some(mut message) if self.parts.is_empty() => {
                        // Fields of the wire message go with its first result.
                        result.dirty |= cx.is_changed(&message);
                        if let Some(native) = message.native.take() {
                            result.native.get_or_insert(native);
                        }
                    }
                    _ => {}
                }
                self.parts.push(result);
            }
        }
    }

    pub(crate) fn end(mut self) -> Vec<Message<'a>> {
        let alone = self.parts.is_empty();
        self.parts.extend(self.current.filter(|message| alone || !message.blocks.is_empty()));
        self.parts.extend(self.late);
        self.parts
    }
}

fn result<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, alias: Option<&str>) {
    let scan = scan(wire, RESULT_FIELDS);
    let [_, id, name, mut content, error, synthetic] = scan.fields;
    let mut others = scan.others;
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    if let Some(alias) = alias {
        role::alias(cx, wire, alias, Role::ToolResult.name(), about);
    }
    cx.duplicate(scan.duplicate, wire, about);
    cx.aliases([(&id, "toolCallId"), (&name, "toolName"), (&error, "isError")], wire, about);
    let call_id = cx.call_id(&id, wire, about);
    let tool_name = cx.tool_name(&name, wire, about);
    let is_error = read_error_flag(cx, &error, alias.is_none(), wire, about);
    content_elsewhere(cx, &mut content, &mut others, wire, about);
    let blocks = read_result_content(cx, wire, content.value, about);
    if cx.dialect == Dialect::Canonical && synthetic.value.is_some_and(|value| value.as_bool().is_none()) {
        cx.mend(&rule::ERROR_FLAG_NOT_A_BOOLEAN, wire, about, "`synthetic` is no boolean; it counts as false");
    }
    let marked = synthetic.value.and_then(Value::as_bool) == Some(true) && cx.dialect == Dialect::Canonical;
    if cx.dialect != Dialect::Canonical
        && let Some(value) = synthetic.value
    {
        others.extend(key_of(wire, value).map(|key| (key, value)));
    }
    let openclaw_marked = others.iter().any(|(key, value)| {
        key.is_str("details") && value.get("openclawSyntheticMissingToolResult").and_then(Value::as_bool) == Some(true)
    });
    message.native = native_members(cx, about, wire, &others);
    message.blocks = blocks;
    message.result = Some(Box::new(ResultHead { call_id, tool_name, is_error, synthetic: marked || openclaw_marked }));
    message.source = Some(wire.index());
    cx.finish(wire, vec![message]);
}
