//! Rendering OpenAI Responses: a message of the model is as many items as it takes.

use std::borrow::Cow;

use crate::dialects::openai_responses::read::{
    ITEM_FIELDS, KIND, PART, SHELL_CALL, is_own, parts_are_whole, text_type,
};
use crate::print::block::{add_native, arguments, call_field, contradicts, data_url, stands_in, under};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use crate::read::fields::RESULT_IDS;
use wirecanon_json::{Json, Limits, Value, mend_surrogates, quote};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role, Thinking, ToolCall};

pub(crate) static RENDERER: Renderer = Renderer { render, system, ..Renderer::COMMON };

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let mut items = match message.role {
        Role::ToolResult => vec![output(view, message, like)],
        Role::Assistant => turn(view, message),
        Role::System | Role::User => spoken(view, message, like),
    };
    if items.is_empty() {
        items.push(words(view, message.role, Out::Str(Cow::Borrowed("")), None));
    }
    let first = items.remove(0);
    let first = view.about(message.id, first);
    if items.is_empty() {
        return first;
    }
    items.insert(0, first);
    Out::Many(items)
}

/// Instructions beside the list are one string.
fn system<'w>(_view: &View<'w, '_>, system: &'w [Message<'_>]) -> Out<'w> {
    let texts: Vec<_> = system.iter().flat_map(|message| &message.blocks).filter_map(Block::as_text).collect();
    match texts.as_slice() {
        [one] => Out::Str(one.clone()),
        texts => texts.join("\n\n").into(),
    }
}

/// A field that only this dialect knows.
pub(crate) fn native<'w>(native: Option<&'w Native<'_>>, key: &str) -> Option<&'w str> {
    native?.get(Dialect::OpenAiResponses.name(), key)
}

fn is_of_kind(value: Value<'_>, kind: &str) -> bool {
    value.get("type").is_some_and(|found| found.is_str(kind))
}

/// A message of this role, laid over the item that it was read from.
fn words<'w>(view: &View<'w, '_>, role: Role, content: Out<'w>, like: Option<Value<'w>>) -> Out<'w> {
    let name = match role {
        Role::System => "system",
        Role::Assistant => "assistant",
        Role::User | Role::ToolResult => "user",
    };
    let mut object =
        Object::like(like, |key| matches!(key, "tool_calls" | "toolCalls" | "id") || RESULT_IDS.contains(&key))
            .closed(view.target, name);
    let is_other = |like: Value<'_>| like.get("type").is_some_and(|kind| !kind.is_str("message"));
    if object.had().is_none_or(is_other) && view.target.takes_field(name, "type") {
        object.str("type", "message");
    }
    object.str("role", name);
    object.set("content", content);
    object.out()
}

/// What the user or the system says. Items that are no messages stand by themselves.
fn spoken<'w>(view: &View<'w, '_>, message: &'w Message<'_>, like: Option<Value<'w>>) -> Vec<Out<'w>> {
    let mut items = Vec::new();
    let mut rest = message.blocks.as_slice();
    let mut like = like;
    while !rest.is_empty() {
        let count = rest.iter().position(is_item).unwrap_or(rest.len());
        let (blocks, behind) = rest.split_at(count);
        if !blocks.is_empty() {
            items.push(spoken_item(view, message, blocks, like.take()));
        }
        rest = behind;
        if let [Block { kind: BlockKind::Opaque(opaque), id, .. }, behind @ ..] = rest {
            items.push(view.about(*id, Out::Text(Cow::Borrowed(&opaque.value))));
            rest = behind;
        }
    }
    items
}

/// Whether a block is an item by itself, not a part of a message.
pub(crate) fn is_item(block: &Block<'_>) -> bool {
    let BlockKind::Opaque(opaque) = &block.kind else { return false };
    opaque_kind(&opaque.value).is_none_or(|kind| !matches!(&*kind, "input_image" | "input_file"))
}

/// The type of an item that is carried as it is.
pub(crate) fn opaque_kind(value: &str) -> Option<String> {
    let json = Json::parse(value, &Limits { max_depth: usize::MAX }).ok()?;
    json.root().get("type").and_then(Value::as_str).map(Cow::into_owned)
}

fn spoken_item<'w>(
    view: &View<'w, '_>,
    message: &'w Message<'_>,
    blocks: &'w [Block<'_>],
    like: Option<Value<'w>>,
) -> Out<'w> {
    let developer = native(message.native.as_deref(), "role") == Some("\"developer\"") && message.role == Role::System;
    let own = |role: Value<'_>| match message.role {
        Role::System => role.is_str("system") || role.is_str("developer"),
        _ => role.is_str("user"),
    };
    let like = like.filter(|like| like.get("role").is_some_and(own));
    let had = like.and_then(|like| like.get("content"));
    let content = content(view, blocks, message.role, had, message.role == Role::User);
    let Out::Object(mut object) = words(view, message.role, content, like) else { return Out::Null };
    if developer && let Some((_, role)) = object.fields.iter_mut().find(|(key, _)| *key == "role") {
        *role = Out::Str(Cow::Borrowed("developer"));
    }
    object.set_json("id", native(message.native.as_deref(), "id"));
    add_native(view, object, message.native.as_deref(), |key| matches!(key, "status" | "phase")).out()
}

/// Whether a lone block must still be written as a part of a list.
fn as_part(view: &View<'_, '_>, block: &Block<'_>) -> bool {
    let plain = matches!(block.kind, BlockKind::Text(_));
    match view.own(block.source) {
        None => !plain || has_part_fields(block),
        Some(source) => {
            !plain
                || source.is_object()
                    && source.get("type").is_some_and(|kind| is_text(kind) || !block.dirty || block.projected)
        }
    }
}

fn is_text(kind: Value<'_>) -> bool {
    ["text", "input_text", "output_text"].iter().any(|known| kind.is_str(known))
}

/// Whether a text has fields that only a part can carry.
fn has_part_fields(block: &Block<'_>) -> bool {
    let fields = block.native_of(Dialect::OpenAiResponses.name());
    fields.iter().any(|(key, _)| part_field(key) || key == "type" || key == BREAKPOINT)
}

/// Where the server may cut what it keeps of a prompt.
const BREAKPOINT: &str = "prompt_cache_breakpoint";

/// Fields of a text of the model beside its words.
fn part_field(key: &str) -> bool {
    matches!(key, "annotations" | "logprobs")
}

fn content<'w>(
    view: &View<'w, '_>,
    blocks: &'w [Block<'_>],
    role: Role,
    had: Option<Value<'w>>,
    detail: bool,
) -> Out<'w> {
    match blocks {
        [block] if stands_in(block) && had.is_some() && !block.dirty => {
            had.map_or(Out::Null, |had| Out::Raw(had.raw()))
        }
        [block] if !as_part(view, block) => {
            // What was read with something taken off goes back as it was.
            let source = view.own(block.source).filter(|source| source.is_string());
            match source.filter(|_| block.projected && !block.dirty) {
                Some(source) => Out::Raw(source.raw()),
                None => Out::words(block),
            }
        }
        blocks => {
            let parts = blocks.iter().map(|block| view.about(block.id, part(view, block, role, detail)));
            Out::List(parts.collect(), had)
        }
    }
}

fn part<'w>(view: &View<'w, '_>, block: &'w Block<'_>, role: Role, detail: bool) -> Out<'w> {
    if !block.dirty
        && let Some(source) = view.own(block.source).filter(|source| source.is_object())
    {
        return Out::Raw(source.raw());
    }
    if let Some(part) = carried(view, block, role) {
        return Out::Text(Cow::Owned(part));
    }
    let kind = text_type(role);
    let mut object = Object::new();
    match &block.kind {
        BlockKind::Image(_) | BlockKind::Link(_) => {
            object.str("type", "input_image");
            let url = match &block.kind {
                BlockKind::Image(image) => Cow::Owned(data_url(image)),
                BlockKind::Link(link) => Cow::Borrowed(&*link.url),
                _ => Cow::Borrowed(""),
            };
            object.set("image_url", Out::Str(url));
            match native(block.native.as_deref(), "detail") {
                Some(wanted) => object.set("detail", Out::Text(Cow::Borrowed(wanted))),
                None if detail && !view.same && view.target.takes_field("input_image", "detail") => {
                    object.str("detail", "auto");
                }
                None => {}
            }
        }
        BlockKind::File(file) => {
            object.str("type", "input_file");
            object.str("filename", file.name.as_deref().unwrap_or("file").to_owned());
            object.str("file_data", format!("data:{};base64,{}", file.mime_type, file.data));
        }
        BlockKind::Opaque(opaque) => return Out::Text(Cow::Borrowed(&opaque.value)),
        BlockKind::Text(_) | BlockKind::Thinking(_) | BlockKind::ToolCall(_) => {
            object = Object::like(under(view, block, &[kind]), |key| matches!(key, "type" | "text"))
                .closed(view.target, kind)
                .with("type", kind)
                .with("text", block.as_text().unwrap_or_default());
            let is_own = kind == "output_text";
            let keeps = |key: &str| if is_own { part_field(key) } else { key == BREAKPOINT };
            object = add_native(view, object, block.native.as_deref(), keeps);
        }
    }
    if matches!(block.kind, BlockKind::Image(_) | BlockKind::Link(_) | BlockKind::File(_)) {
        object = add_native(view, object, block.native.as_deref(), |key| matches!(key, "detail" | BREAKPOINT));
    }
    object.out()
}

/// A part that canonical content only stood in for, as this dialect has it.
fn carried(view: &View<'_, '_>, block: &Block<'_>, role: Role) -> Option<String> {
    block.as_text()?;
    let fields = block.native_of(Dialect::OpenAiResponses.name());
    if fields.iter().all(|(key, _)| key != "type") || contradicts(view, block) {
        return None;
    }
    let kept = fields.iter().filter(|(key, _)| !key.starts_with("item."));
    let members: Vec<_> = kept.map(|(key, value)| format!("{}:{value}", quote(key))).collect();
    let text = format!("{{{}}}", members.join(","));
    let whole = Json::parse(&text, &Limits { max_depth: usize::MAX }).is_ok_and(|json| is_own(json.root(), role));
    whole.then_some(text)
}

/// The output of a call.
fn output<'w>(view: &View<'w, '_>, message: &'w Message<'_>, like: Option<Value<'w>>) -> Out<'w> {
    let kind = if native(message.native.as_deref(), KIND).is_some() {
        "custom_tool_call_output"
    } else {
        "function_call_output"
    };
    let is_output =
        |like: &Value<'w>| is_of_kind(*like, "function_call_output") || is_of_kind(*like, "custom_tool_call_output");
    let like = like.filter(|like| message.source == Some(like.index())).filter(is_output);
    let mut object = Object::like(like, |key| {
        matches!(key, "id" | "content" | "role" | "toolName" | "tool_name") || RESULT_IDS.contains(&key)
    })
    .closed(view.target, kind)
    .with("type", kind);
    let head = message.result.as_deref();
    object.str("call_id", head.and_then(|head| head.call_id.as_deref()).unwrap_or_default());
    if like.is_some_and(|like| like.get("name").is_some())
        && view.target.takes_field(kind, "name")
        && let Some(name) = head.and_then(|head| head.tool_name.as_deref())
    {
        object.str("name", name);
    }
    object.set(
        "output",
        content(view, &message.blocks, Role::ToolResult, like.and_then(|like| like.get("output")), false),
    );
    object.set_json("id", native(message.native.as_deref(), "id"));
    add_native(view, object, message.native.as_deref(), |key| matches!(key, "status" | "namespace" | "caller")).out()
}

/// What the model put out in one go, item by item.
fn turn<'w>(view: &View<'w, '_>, message: &'w Message<'_>) -> Vec<Out<'w>> {
    let sources = items_of(view, message);
    // The item of the turn that a block stands in.
    let item_of = |block: &Block<'_>| {
        let source = block.source?;
        let at = sources.partition_point(|item| item.index() <= source).checked_sub(1)?;
        let item = sources[at];
        (source < view.json.node(item.index()).next).then_some(item)
    };
    let mut items = Vec::new();
    let mut rest = message.blocks.as_slice();
    while let [block, behind @ ..] = rest {
        if !in_message(block) {
            items.push(view.about(block.id, alone(view, block, item_of(block))));
            rest = behind;
            continue;
        }
        let item = item_of(block).filter(|item| item.get("content").is_some() && !is_of_kind(*item, "reasoning"));
        let index = item.map(Value::index);
        let more = behind.iter().take_while(|next| {
            in_message(next)
                && match index {
                    Some(index) => item_of(next).map(Value::index) == Some(index),
                    None => item_of(next).is_none() && native(next.native.as_deref(), PART).is_some(),
                }
        });
        let (run, left) = rest.split_at(more.count() + 1);
        items.push(message_item(view, run, item));
        rest = left;
    }
    items
}

/// Whether a block of the model is a part of a message.
fn in_message(block: &Block<'_>) -> bool {
    !matches!(block.kind, BlockKind::ToolCall(_) | BlockKind::Thinking(_) | BlockKind::Opaque(_))
}

/// The items that a turn was read from.
pub(crate) fn items_of<'w>(view: &View<'w, '_>, message: &Message<'_>) -> Vec<Value<'w>> {
    let Some(origin) = message.origin.filter(|_| view.same) else { return Vec::new() };
    let mut at = origin.value;
    (0..origin.values)
        .map(|_| {
            let item = view.json.value(at);
            at = view.json.node(at).next;
            item
        })
        .collect()
}

fn message_item<'w>(view: &View<'w, '_>, run: &'w [Block<'_>], item: Option<Value<'w>>) -> Out<'w> {
    let had = item.and_then(|item| item.get("content"));
    if let (Some(item), Some(had)) = (item, had) {
        let count = if had.is_array() { had.items().take(run.len() + 1).count() } else { 1 };
        if count == run.len() && run.iter().all(|block| !block.dirty) {
            return Out::Raw(item.raw());
        }
    }
    let fields = run.iter().find_map(|block| block.native.as_deref());
    let named = ITEM_FIELDS.map(|(key, name)| (key, native(fields, name)));
    // What has an id is the model's output, which is a list.
    let is_output = named.iter().any(|(key, value)| *key == "id" && value.is_some());
    let content = match run {
        [block] if !is_output && !as_part(view, block) => Out::words(block),
        run => Out::List(
            run.iter().map(|block| view.about(block.id, part(view, block, Role::Assistant, false))).collect(),
            had.filter(|had| had.is_array()),
        ),
    };
    let like = item.filter(|item| item.get("role").is_some_and(|role| role.is_str("assistant")));
    let Out::Object(mut object) = words(view, Role::Assistant, content, like) else { return Out::Null };
    for (key, value) in named {
        // What the item has there stays.
        object.set_json(key, value.filter(|_| key == "id" || like.is_none_or(|item| item.get(key).is_none())));
    }
    object.out()
}

/// A block that is an item by itself.
fn alone<'w>(view: &View<'w, '_>, block: &'w Block<'_>, item: Option<Value<'w>>) -> Out<'w> {
    let own = item.filter(|item| Some(item.index()) == block.source);
    if let Some(item) = own.filter(|_| !block.dirty) {
        return Out::Raw(item.raw());
    }
    match &block.kind {
        BlockKind::ToolCall(found) => call(view, block, found, own),
        BlockKind::Thinking(thinking) => reasoning(view, block, thinking, own),
        BlockKind::Opaque(opaque) => Out::Text(Cow::Borrowed(&opaque.value)),
        _ => Out::Null,
    }
}

/// The JSON text of a custom tool's input, if the call is one, and its arguments hold nothing else.
pub(crate) fn custom_input(block: &Block<'_>) -> Option<String> {
    let BlockKind::ToolCall(call) = &block.kind else { return None };
    native(block.native.as_deref(), KIND).filter(|kind| *kind == "\"custom_tool_call\"")?;
    let json = Json::parse(arguments(call), &Limits::default()).ok()?;
    let mut members = json.root().members();
    let (key, value) = members.next()?;
    (key.is_str("input") && value.is_string() && members.next().is_none())
        .then(|| mend_surrogates(value.raw()).into_owned())
}

/// Whether a call is one of the shell that the client runs.
pub(crate) fn is_shell(block: &Block<'_>) -> bool {
    native(block.native.as_deref(), KIND).is_some_and(|kind| kind.trim_matches('"') == SHELL_CALL)
}

/// Such a call as the item that it was: its arguments are the action.
fn shell<'w>(view: &View<'w, '_>, block: &'w Block<'_>, call: &'w ToolCall<'_>, own: Option<Value<'w>>) -> Out<'w> {
    let like = own.filter(|own| is_of_kind(*own, SHELL_CALL));
    let mut object = Object::like(like, |key| matches!(key, "id" | "call_id" | "action")).with("type", SHELL_CALL);
    object.set_json("id", native(block.native.as_deref(), "id"));
    object.str("call_id", call.id.as_deref().unwrap_or_default());
    object.set("action", Out::Text(Cow::Borrowed(arguments(call))));
    add_native(view, object, block.native.as_deref(), |key| key == "status").out()
}

fn call<'w>(view: &View<'w, '_>, block: &'w Block<'_>, call: &'w ToolCall<'_>, own: Option<Value<'w>>) -> Out<'w> {
    if is_shell(block) {
        return shell(view, block, call, own);
    }
    let custom = custom_input(block);
    let kind = if custom.is_some() { "custom_tool_call" } else { "function_call" };
    let like = own.filter(|own| is_of_kind(*own, "function_call") || is_of_kind(*own, "custom_tool_call"));
    let mut object = Object::like(like, call_field).finished().closed(view.target, kind).with("type", kind);
    object.set_json("id", native(block.native.as_deref(), "id"));
    object.str("call_id", call.id.as_deref().unwrap_or_default());
    object.str("name", call.name.as_deref().unwrap_or_default());
    match custom {
        Some(input) => object.set("input", Out::Text(Cow::Owned(input))),
        None => object.set("arguments", Out::Text(Cow::Owned(quote(arguments(call))))),
    }
    add_native(view, object, block.native.as_deref(), |key| matches!(key, "status" | "namespace" | "caller" | "async"))
        .out()
}

/// A reasoning item, with a summary however it was spelled.
fn reasoning<'w>(
    view: &View<'w, '_>,
    block: &'w Block<'_>,
    thinking: &'w Thinking<'_>,
    own: Option<Value<'w>>,
) -> Out<'w> {
    let like = own.filter(|own| is_of_kind(*own, "reasoning"));
    let moved = if view.target.reasoning.content { Vec::new() } else { content_of(block) };
    let whole = moved.is_empty() && (like.is_some_and(parts_are_whole) || (like.is_none() && carried_is_whole(block)));
    let mut object = Object::like(
        like,
        if whole { |_| false } else { |key| matches!(key, "summary" | "content" | "encrypted_content") },
    )
    .closed(view.target, "reasoning")
    .with("type", "reasoning");
    if native(block.native.as_deref(), "id").is_none() {
        object.leave(["id"]);
    }
    if !whole {
        let summary_of_words = |words: Cow<'w, str>| Object::typed("summary_text").with("text", words).out();
        let mut summary: Vec<_> = moved.into_iter().map(|words| summary_of_words(words.into())).collect();
        if summary.is_empty() && !thinking.text.trim().is_empty() {
            summary.push(summary_of_words(Cow::Borrowed(&thinking.text)));
        }
        object.set("summary", Out::List(summary, None));
    }
    object = add_native(view, object, block.native.as_deref(), |key| {
        matches!(key, "id" | "status") || (whole && matches!(key, "summary" | "content"))
    });
    if let (Some(seal), true) = (&thinking.signature, like.is_none() || !whole) {
        object.str("encrypted_content", &**seal);
    }
    object.out()
}

/// The words of a reasoning item that has some of its own, beside or instead of a summary: those of the summary first.
/// Nothing where it has none.
pub(crate) fn content_of(block: &Block<'_>) -> Vec<String> {
    let texts = |key: &str| {
        let json = Json::parse(native(block.native.as_deref(), key)?, &Limits { max_depth: usize::MAX }).ok()?;
        let words = json.root().items().filter_map(|part| Some(part.get("text")?.as_str()?.into_owned()));
        Some(words.collect::<Vec<_>>())
    };
    match texts("content") {
        Some(content) if !content.is_empty() && carried_is_whole(block) => {
            [texts("summary").unwrap_or_default(), content].concat()
        }
        _ => Vec::new(),
    }
}

/// Whether the fields that a canonical transcript carried make a whole item.
fn carried_is_whole(block: &Block<'_>) -> bool {
    let Some(native) = block.native.as_deref() else { return false };
    let members: Vec<_> = native
        .of(Dialect::OpenAiResponses.name())
        .iter()
        .filter(|(key, _)| matches!(&**key, "summary" | "content"))
        .map(|(key, value)| format!("{}:{value}", quote(key)))
        .collect();
    let text = format!("{{{}}}", members.join(","));
    Json::parse(&text, &Limits { max_depth: usize::MAX }).is_ok_and(|json| parts_are_whole(json.root()))
}
