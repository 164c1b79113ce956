//! Serialized messages of LangChain: `messages_to_dict` (`{"type", "data"}`), the flat form of `LangGraph`'s API, and `dumpd`
//! (`{"lc": 1, "type": "constructor", …}`). Calls stand in `tool_calls`, arguments are objects; a call whose arguments did
//! not parse stands in `invalid_tool_calls`; what a provider's content says of a call again is the same call.

use std::borrow::Cow;

use crate::dialects::langchain::calls::{Entries, googles_call, twin};
use crate::dialects::langchain::{block as langchain_block, kwargs as langchain_kwargs};
use crate::dialects::openclaw::lineage::read_content;
use crate::read::block::{Item, one_or_all, read_item};
use crate::read::call::{self, Spelling};
use crate::read::detect::role;
use crate::read::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, ERROR_FLAGS, Field, RESULT_IDS, scan};
use crate::read::reader::{Reader, write_anew};
use crate::read::result::{ContentForms, answer, name_of, read_error_flag, read_result_content};
use crate::read::role::{is_object, meant};
use crate::read::spec::{Sign, Spec, ToolForm};
use crate::read::{bare, signer};
use wirecanon_json::{Value, quote};
use wirecanon_model::rule;
use wirecanon_model::transcript::{self, Arguments, Block, BlockKind, Message, Role};

pub(crate) static SPEC: Spec = Spec {
    tools: ToolForm::FUNCTION,
    is_message: |value| shape(value).is_some(),
    is_lone_result: |message| shape(message).is_some_and(|shape| shape.role == Some(Role::ToolResult)),
    results: ContentForms { string: true, absent: false, empty: true },
    call: Some(Spelling { kind: "tool_call", arguments: "args" }),
    calls_beside_content: true,
    blank_results: true,
    keeps_all_reasoning: true,
    takes_unsigned_reasoning: true,
    has_item: langchain_block::has_item,
    is_whole: langchain_block::is_whole,
    read: read_message,
    item: langchain_block::read_item,
    signs: &[
        // No other dialect has such messages, whatever else stands beside them.
        Sign::new(20, "messages of `type` and `data`, or constructors", |m| {
            shape(m).is_some_and(|shape| shape.own && matches!(shape.form, Form::Envelope | Form::Constructor))
        }),
        Sign::new(14, "a message of type `human`, `ai` or `tool`", |m| {
            shape(m).is_some_and(|shape| shape.form == Form::Flat && shape.own)
        }),
        Sign::new(9, "`tool_calls` whose arguments are called `args`", |m| {
            (role(m, "assistant") || role(m, "ai"))
                && m.get("tool_calls")
                    .is_some_and(|calls| calls.items().take(64).any(|call| call.get("args").is_some()))
        }),
    ],
    ..Spec::COMMON
};

/// How a message is serialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `{"type", "data": {…}}`
    Envelope,
    /// `{"lc": 1, "type": "constructor", "id": […], "kwargs": {…}}`
    Constructor,
    /// `{"type", …}`
    Flat,
    /// `{"role", …}`, as other dialects spell it
    Role,
}

/// What a message is, before it is read.
pub(crate) struct Shape<'a> {
    pub(crate) form: Form,
    /// The object with the fields
    pub(crate) holder: Value<'a>,
    /// What it is called
    name: Cow<'a, str>,
    /// Who speaks; `None` when the name is not known
    pub(crate) role: Option<Role>,
    /// The name and the form are LangChain's own
    pub(crate) own: bool,
}

/// The shape of a message, if it has one.
pub(crate) fn shape(wire: Value<'_>) -> Option<Shape<'_>> {
    let member = |key: &str| wire.get(key).filter(|holder| holder.is_object());
    let text = |key: &str| wire.get(key).and_then(Value::as_str);
    let (form, holder, name) = if let (Some(_), Some(kwargs)) = (wire.get("lc"), member("kwargs")) {
        let class = wire.get("id").and_then(|id| id.items().last()).and_then(Value::as_str);
        (Form::Constructor, kwargs, class.unwrap_or_default())
    } else if let (Some(kind), Some(data)) = (text("type"), member("data")) {
        (Form::Envelope, data, kind)
    } else if let Some(role) = text("role").filter(|_| wire.get("type").is_none() || wire.get("role").is_some()) {
        (Form::Role, wire, role)
    } else {
        (Form::Flat, wire, text("type")?)
    };
    let constructor = form == Form::Constructor;
    let (role, own) = match &*name {
        "human" => (Some(Role::User), !constructor),
        "ai" => (Some(Role::Assistant), !constructor),
        "system" => (Some(Role::System), !constructor),
        "tool" => (Some(Role::ToolResult), !constructor),
        "HumanMessageChunk" => (Some(Role::User), true),
        "AIMessageChunk" => (Some(Role::Assistant), true),
        "SystemMessageChunk" => (Some(Role::System), true),
        "ToolMessageChunk" => (Some(Role::ToolResult), true),
        "HumanMessage" => (Some(Role::User), constructor),
        "AIMessage" => (Some(Role::Assistant), constructor),
        "SystemMessage" => (Some(Role::System), constructor),
        "ToolMessage" => (Some(Role::ToolResult), constructor),
        "chat" | "ChatMessage" | "ChatMessageChunk" => {
            (holder.get("role").and_then(Value::as_str).and_then(|role| alias(&role)), false)
        }
        other => (alias(other), false),
    };
    // A block of content has a type too, and no content of its own.
    let is_message = role.is_some() || form != Form::Flat || wire.get("content").is_some();
    is_message.then_some(Shape { form, holder, name, role, own: own && form != Form::Role })
}

fn alias(name: &str) -> Option<Role> {
    Some(match name {
        "FunctionMessage" | "FunctionMessageChunk" => Role::ToolResult,
        name => match meant(name)? {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => Role::ToolResult,
        },
    })
}

/// Reads one wire message.
fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    if !is_object(cx, wire) || bare::read(cx, wire, read_item) {
        return;
    }
    let Some((shape, role)) =
        shape(wire).and_then(|shape| Some((shape.role?, shape))).map(|(role, shape)| (shape, role))
    else {
        return cx.lose(&rule::UNKNOWN_ROLE, wire, None, "a message without a known type was left out");
    };
    let message = cx.message(role, Vec::new());
    if !shape.own {
        let words = format!("a message of `{}` was read as one of type `{}`", shape.name, names_of(role).0);
        cx.mend(&rule::ROLE_ALIAS, wire, message.id, words);
    }
    if shape.form != Form::Flat && shape.form != Form::Role {
        cx.duplicate(scan(wire, []).duplicate, wire, message.id);
    }
    match role {
        Role::ToolResult => result(cx, wire, &shape, message),
        Role::Assistant => assistant(cx, wire, &shape, message),
        Role::User | Role::System => said(cx, wire, &shape, message),
    }
}

/// What LangChain calls the type of a message of this role, and its class.
pub(crate) fn names_of(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::System => ("system", "SystemMessage"),
        Role::User => ("human", "HumanMessage"),
        Role::Assistant => ("ai", "AIMessage"),
        Role::ToolResult => ("tool", "ToolMessage"),
    }
}

/// Keys that say what a message is, and so belong to no other field.
fn head(shape: &Shape<'_>) -> &'static [&'static str] {
    if shape.form == Form::Role { &["type", "role"] } else { &["type"] }
}

fn keep_native<'a>(
    cx: &Reader<'a, '_>,
    message: &mut Message<'a>,
    shape: &Shape<'a>,
    mut others: Vec<(Value<'a>, Value<'a>)>,
    reasoning: bool,
) {
    others.retain(|(key, _)| !head(shape).iter().any(|name| key.is_str(name)));
    let mut native = transcript::Native::default();
    let members = others.iter().filter_map(|(key, value)| {
        let kwargs = key.is_str("additional_kwargs");
        let raw = match kwargs.then(|| langchain_kwargs::without_what_was_read(*value, reasoning)).flatten() {
            Some(rest) if rest.is_empty() => return None,
            Some(rest) => Cow::Owned(rest),
            None => Cow::Borrowed(value.raw()),
        };
        Some((key.as_str().unwrap_or_default(), raw))
    });
    native.add_all(cx.dialect.name(), members);
    message.native = (!native.dialects.is_empty()).then(|| Box::new(native));
}

fn said<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, shape: &Shape<'a>, mut message: Message<'a>) {
    let scan = scan(shape.holder, [("content", &[]), ("tool_calls", &["toolCalls"])]);
    let [content, calls] = scan.fields;
    cx.duplicate(scan.duplicate, wire, message.id);
    misplaced_calls(cx, &calls, wire, message.id);
    keep_native(cx, &mut message, shape, scan.others, false);
    let parts = read_content(cx, message, content.value, wire);
    cx.finish(wire, parts);
}

/// Leaves out calls that stand in a message that makes none.
fn misplaced_calls<'a>(cx: &mut Reader<'a, '_>, calls: &Field<'a>, wire: Value<'a>, about: u32) {
    if calls.some().is_some_and(|calls| !calls.is_array() || calls.items().next().is_some()) {
        cx.lose_calls(None, wire, about);
    }
}

fn assistant<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, shape: &Shape<'a>, mut message: Message<'a>) {
    let scan = scan(
        shape.holder,
        [("content", &[]), ("tool_calls", &["toolCalls"]), ("invalid_tool_calls", &[]), ("tool_call_chunks", &[])],
    );
    let [content, calls, invalid, chunks] = scan.fields;
    let about = message.id;
    cx.duplicate(scan.duplicate, wire, about);
    cx.alias(&calls, "tool_calls", wire, about);
    let kwargs = shape.holder.get("additional_kwargs").filter(|kwargs| kwargs.is_object());
    let reasoning = langchain_kwargs::reasoning(kwargs, content.value);
    keep_native(cx, &mut message, shape, scan.others, reasoning.is_some());
    let in_text = calls.value.filter(|calls| calls.is_string());
    message.dirty |= in_text.is_some();
    if in_text.is_none() {
        not_a_list(cx, &calls, "tool_calls", wire, about);
    }
    not_a_list(cx, &invalid, "invalid_tool_calls", wire, about);
    if chunks.value.is_some_and(|chunks| !chunks.is_array() || !chunks.items().all(Value::is_object)) {
        let words = "`tool_call_chunks` is not a list of objects; what is none was left out";
        cx.mend(&rule::CONTENT_NOT_A_LIST, wire, about, words);
    }
    let mut entries = Entries::new([(list_of(&calls), false), (list_of(&invalid), true)]);
    let elsewhere =
        if entries.items.is_empty() { langchain_kwargs::calls_elsewhere(chunks.value, kwargs) } else { None };
    let silent = content.value.is_none_or(Value::is_null)
        && shape.form == Form::Role
        && (!entries.items.is_empty() || elsewhere.is_some());
    let mut late = Vec::new();
    let mut parts = match content.value {
        Some(list) if list.is_array() || list.is_object() => {
            late = read_list(cx, &mut message, list, &mut entries);
            vec![message]
        }
        _ if silent => vec![message],
        other => read_content(cx, message, other, wire),
    };
    let Some(message) = parts.iter_mut().find(|part| part.role == Role::Assistant) else {
        return cx.finish(wire, parts);
    };
    signer::of_langchain(message, shape.holder);
    if let Some(words) = reasoning {
        message.blocks.insert(0, langchain_kwargs::read_reasoning(cx, words));
    }
    let end = entries.items.len();
    entries.read_until(cx, message, end);
    if let Some(text) = in_text {
        call::read_calls_of_no_list(cx, message, text);
    }
    if let Some((rule, words, items)) = elsewhere {
        let dropped = message.blocks.iter().any(|block| matches!(block.kind, BlockKind::ToolCall(_)));
        if !dropped {
            cx.mend(rule, wire, about, words);
            for item in items.into_iter().filter(|item| item.is_object()) {
                message.blocks.push(Block { native: None, ..call::read_foreign_call(cx, item) });
            }
        }
    }
    parts.extend(late);
    if parts.len() > 1 {
        write_anew(&mut parts);
    }
    cx.finish(wire, parts);
}

fn list_of<'a>(field: &Field<'a>) -> Option<Value<'a>> {
    field.value.filter(|value| value.is_array())
}

fn not_a_list<'a>(cx: &mut Reader<'a, '_>, field: &Field<'a>, name: &str, wire: Value<'a>, about: u32) {
    if field.value.is_some_and(|list| !list.is_array()) {
        cx.mend(&rule::CONTENT_NOT_A_LIST, wire, about, format!("`{name}` is not a list; it was left out"));
    }
}

/// Reads the assistant's content. A block that says a call of `tool_calls` again marks that call's place.
fn read_list<'a>(
    cx: &mut Reader<'a, '_>,
    message: &mut Message<'a>,
    list: Value<'a>,
    entries: &mut Entries<'a>,
) -> Vec<Message<'a>> {
    let mut late = Vec::new();
    let about = message.id;
    for item in one_or_all(cx, list, about) {
        if let Some(name) = googles_call(item)
            && entries.read_to_name(cx, message, &name)
        {
            let words = "a call in Google's form, which `tool_calls` says too, was left out of the content";
            cx.mend(&rule::TOOL_CALL_ALIAS, item, about, words);
            continue;
        }
        if let Some(id) = twin(item) {
            if entries.read_to(cx, message, &id) {
                continue;
            }
            message.dirty = true;
            if !id.trim().is_empty() && message.calls().any(|call| call.id.as_deref() == Some(id.trim())) {
                cx.mend(&rule::TOOL_CALL_ALIAS, item, message.id, "a call that the content says again was left out");
                continue;
            }
            let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
            // A block of another dialect's kind is reported as such where it is read.
            if matches!(&*kind, "tool_call" | "invalid_tool_call") {
                let words = "a call that only the content holds was put beside it";
                cx.mend(&rule::TOOL_CALL_ALIAS, item, message.id, words);
            }
            let mut block = if kind == "invalid_tool_call" {
                let Some(block) = read_entry(cx, item, true) else { continue };
                block
            } else {
                call::read_call(cx, item)
            };
            block.dirty = true;
            message.blocks.push(block);
            continue;
        }
        if item.get("type").is_some_and(|kind| kind.is_str("input_json_delta")) {
            message.dirty = true;
            cx.lose(&rule::STREAMING_MARKER, item, None, "a piece of arguments left from streaming was left out");
            continue;
        }
        match read_item(cx, item, Role::Assistant) {
            Item::Block(block) => message.blocks.push(block),
            Item::Nothing => message.dirty = true,
            Item::Result(mut result) => {
                result.source = Some(item.index());
                result.dirty = true;
                late.push(result);
            }
        }
    }
    late
}

/// Marks a call whose arguments its model did not write as JSON, with what the parser said.
pub(crate) const INVALID: &str = "invalid_tool_call";

/// Reads an entry of `tool_calls` or `invalid_tool_calls`.
pub(crate) fn read_entry<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, invalid: bool) -> Option<Block<'a>> {
    if !call::may_be_call(cx, item) {
        return None;
    }
    if item.get("function").is_some_and(Value::is_object) {
        return Some(Block { native: None, ..call::read_foreign_call(cx, item) });
    }
    let scan = scan(item, [("type", &[]), ("id", CALL_IDS), ("name", CALL_NAMES), ("args", ARGUMENTS), ("error", &[])]);
    let [kind, id, name, args, error] = scan.fields;
    let block_id = cx.id();
    cx.duplicate(scan.duplicate, item, block_id);
    cx.aliases([(&id, "id"), (&name, "name"), (&args, "args")], item, block_id);
    let wanted = if invalid { "invalid_tool_call" } else { "tool_call" };
    if kind.value.is_some_and(|kind| !kind.is_str(wanted)) {
        cx.mend(&rule::FIELD_ALIAS, item, block_id, format!("the type of the call was set to `{wanted}`"));
    }
    let mut others = scan.others;
    let mut call = call::call_of(cx, item, block_id, [&id, &name, &args], &mut others);
    let (kept, refused): (Vec<_>, Vec<_>) = others.into_iter().partition(|(key, _)| key.is_str("extras") && !invalid);
    if !refused.is_empty() || (!invalid && error.value.is_some()) {
        let words = "a call has fields that LangChain's constructor refuses; left out";
        cx.lose(&rule::UNKNOWN_FIELD, item, block_id, words);
    }
    let mut native = cx.native(&kept);
    let text = args
        .value
        .filter(|args| invalid && (args.is_string() || args.is_null()))
        .map(|args| args.as_str().unwrap_or_default());
    let text = text.or_else(|| (invalid && args.value.is_none()).then_some(Cow::Borrowed("")));
    if let Some(text) = &text {
        let what = "a call whose arguments are not JSON is kept as LangChain keeps it";
        cx.note(&rule::TOOL_CALL_ARGUMENTS_INVALID, item, what);
        let error = error.value.map_or("null", Value::raw);
        native.get_or_insert_default().add(cx.dialect.name(), INVALID, error);
        call.arguments = Arguments::Json(of_invalid(text).into());
    }
    if invalid && text.is_none() {
        cx.mend(&rule::FIELD_ALIAS, item, block_id, "an invalid call whose arguments are no text was read as a call");
    }
    Some(Block { projected: text.is_some(), ..call::block_of_call(block_id, call, item, native) })
}

/// Arguments that LangChain could not read, as canonical ones.
fn of_invalid(text: &str) -> String {
    if text.trim().is_empty() {
        return "{}".to_owned();
    }
    if call::is_object(text) { text.to_owned() } else { format!("{{\"INVALID_JSON\":{}}}", quote(text)) }
}

fn result<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, shape: &Shape<'a>, mut message: Message<'a>) {
    let scan = scan(
        shape.holder,
        [
            ("tool_call_id", RESULT_IDS),
            ("content", &[]),
            ("status", &[]),
            ("is_error", ERROR_FLAGS),
            ("name", &["toolName", "tool_name"]),
            ("tool_calls", &["toolCalls"]),
        ],
    );
    let [id, content, status, flag, name, calls] = scan.fields;
    let about = message.id;
    cx.duplicate(scan.duplicate, wire, about);
    misplaced_calls(cx, &calls, wire, about);
    cx.alias(&id, "tool_call_id", wire, about);
    let call_id = cx.call_id(&id, wire, about);
    let mut is_error = false;
    if let Some(status) = status.value {
        is_error = status.as_str().is_some_and(|status| matches!(&*status, "error" | "failed" | "failure"));
        if !status.is_str("success") && !status.is_str("error") {
            let words =
                format!("the status {} is none of LangChain's; it counts as {}", status.raw(), status_of(is_error));
            cx.mend(&rule::TOOL_STATUS_UNKNOWN, wire, about, words);
        }
    }
    if flag.value.is_some() {
        is_error |= read_error_flag(cx, &flag, false, wire, about);
        cx.mend(&rule::FIELD_ALIAS, wire, about, format!("`{}` was read as `status`", flag.key));
    }
    let blocks = read_result_content(cx, shape.holder, content.value, about);
    keep_native(cx, &mut message, shape, scan.others, false);
    answer(&mut message, blocks, call_id, name_of(&name), is_error);
    cx.finish(wire, vec![message]);
}

/// How a result says whether its tool failed.
pub(crate) fn status_of(is_error: bool) -> &'static str {
    if is_error { "error" } else { "success" }
}
