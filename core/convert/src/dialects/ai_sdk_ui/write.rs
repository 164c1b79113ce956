//! Rendering UI messages of the Vercel AI SDK: a turn with all its steps is one message, a call and its result one part.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::dialects::ai_sdk_model::output::{says_all, structured_content};
use crate::dialects::ai_sdk_model::write::{self, system};
use crate::dialects::ai_sdk_ui::attachment::KEY as AI_SDK_ATTACHMENTS;
use crate::dialects::ai_sdk_ui::invocation::{KEY as AI_SDK_INVOCATIONS, of_message as ai_sdk_invocations};
use crate::dialects::ai_sdk_ui::read::{STEP as AI_SDK_STEP, metadata_is_sound};
use crate::dialects::mcp_tool_result::write::render_block as render_output_block;
use crate::print::block::{add_native, arguments, as_it_was, call_field, carries, data_url, lines_of, under};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use wirecanon_json::Value;
use wirecanon_model::text;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, ToolCall};

pub(crate) static RENDERER: Renderer = Renderer { render, joins, system, ..Renderer::COMMON };

/// A turn of the model, its results and the turns behind them are one message, unless the source had several.
fn joins(group: &[Message<'_>], next: &Message<'_>, same: bool) -> bool {
    let Some(first) = group.first().filter(|first| matches!(first.role, Role::Assistant | Role::ToolResult)) else {
        return false;
    };
    match next.role {
        Role::Assistant if same => match (first.origin, next.origin) {
            (Some(first), Some(next)) => first.value == next.value,
            _ => false,
        },
        Role::ToolResult | Role::Assistant => true,
        Role::User | Role::System => false,
    }
}

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let first = group[0];
    let role = if first.role == Role::ToolResult { Role::Assistant } else { first.role };
    let like = like.filter(|like| like.get("parts").is_some_and(Value::is_array));
    let mut object = Object::like(like, |key| matches!(key, "id" | "role" | "parts" | "content"));
    // Each of them is a part by now.
    match first.role {
        Role::User => object.leave([AI_SDK_ATTACHMENTS]),
        Role::Assistant if like.is_some_and(|like| !ai_sdk_invocations(like).is_empty()) => {
            object.leave([AI_SDK_INVOCATIONS]);
        }
        _ => {}
    }
    let dialect = view.target.dialect.name();
    let own_id = first.native_field(dialect, "id").filter(|id| id.starts_with('"'));
    if let Some(id) = own_id {
        object.set("id", Out::Text(Cow::Borrowed(id)));
    } else {
        object.str("id", format!("wirecanon-{}", first.id));
    }
    object.str("role", role.name());
    let had = like.and_then(|like| like.get("parts"));
    let mut parts = Vec::new();
    for (at, message) in group.iter().enumerate() {
        let marked = message.native_field(dialect, AI_SDK_STEP).is_some();
        if message.role == Role::Assistant && (marked || at > 0) {
            parts.push(Object::typed("step-start").out());
        }
        if at == 0 && message.role == Role::ToolResult {
            // A lone result: a part of its own holds the call as far as it is known.
            parts.push(render_lone(view, message));
        } else if message.role != Role::ToolResult {
            let results = results_by_id(&group[at + 1..]);
            for block in &message.blocks {
                let part = match &block.kind {
                    BlockKind::ToolCall(call) => {
                        render_tool(view, block, call, results.get(&call.id.as_deref()).copied())
                    }
                    _ => render_part(view, block),
                };
                parts.push(view.about(block.id, part));
            }
        }
    }
    object.set("parts", Out::List(parts, had));
    object = add_native(view, object, first.native.as_deref(), |key| key != AI_SDK_STEP && key != "id");
    let mut out = object.out();
    for message in group {
        out = view.about(message.id, out);
    }
    out
}

/// The results right behind a turn, by the id of their call. The first result of an id counts.
fn results_by_id<'w, 'm>(later: &[&'w Message<'m>]) -> HashMap<Option<&'w str>, &'w Message<'m>> {
    let mut results = HashMap::new();
    for message in later.iter().copied().take_while(|message| message.role == Role::ToolResult) {
        if let Some(head) = &message.result {
            results.entry(head.call_id.as_deref()).or_insert(message);
        }
    }
    results
}

fn render_part<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) = as_it_was(view, block) {
        return out;
    }
    let object = match &block.kind {
        BlockKind::Text(text) => {
            Object::like(under(view, block, &["text"]).filter(|value| metadata_is_sound(*value)), |key| {
                matches!(key, "type" | "text")
            })
            .with("type", "text")
            .with("text", text)
        }
        BlockKind::Image(image) => file(data_url(image), image.mime_type.as_deref().unwrap_or_default(), None),
        BlockKind::File(file_block) => {
            let url = format!("data:{};base64,{}", file_block.mime_type, file_block.data);
            file(url, &file_block.mime_type, file_block.name.as_deref())
        }
        BlockKind::Link(link) => file(link.url.to_string(), link.mime_type.as_deref().unwrap_or("image/*"), None),
        BlockKind::Thinking(thinking) => {
            let mut object = Object::typed("reasoning").with("text", &*thinking.text);
            let own = carries(view, block, "providerMetadata");
            object.set_some("providerMetadata", write::signed(thinking).filter(|_| !own));
            object
        }
        // Calls are rendered with their results.
        BlockKind::ToolCall(_) => return Out::Null,
        BlockKind::Opaque(opaque) => return Out::Text(Cow::Borrowed(&opaque.value)),
    };
    add_native(view, object, block.native.as_deref(), |_| true).out()
}

fn file<'w>(url: String, mime: &'w str, name: Option<&'w str>) -> Object<'w> {
    Object::typed("file").with("mediaType", mime).with_some("filename", name).with("url", Out::Str(Cow::Owned(url)))
}

/// A call with what became of it.
fn render_tool<'w>(
    view: &View<'w, '_>,
    block: &'w Block<'_>,
    call: &'w ToolCall<'_>,
    result: Option<&'w Message<'_>>,
) -> Out<'w> {
    let source = view.own(block.source).filter(|value| value.get("state").is_some());
    let sound = source.filter(|value| metadata_is_sound(*value));
    let untouched = !block.dirty && result.is_none_or(|result| !result.dirty && result.source == block.source);
    let had_result = source.is_some_and(|value| value.get("output").or(value.get("errorText")).is_some());
    if let Some(source) = source.filter(|_| untouched && (result.is_some() || !had_result)) {
        return Out::Raw(source.raw());
    }
    let mut object = Object::like(sound, |key| {
        call_field(key)
            || matches!(
                key,
                "state" | "output" | "errorText" | "rawInput" | "approval" | "preliminary" | "resultProviderMetadata"
            )
    })
    .finished();
    let name = call.name.as_deref().unwrap_or_default();
    let dynamic = block.native_field(view.target.dialect.name(), "type") == Some("\"dynamic-tool\"");
    if dynamic {
        object.str("type", "dynamic-tool");
        object.str("toolName", name);
    } else {
        object.set("type", Out::Str(Cow::Owned(format!("tool-{name}"))));
    }
    object.str("toolCallId", call.id.as_deref().unwrap_or_default());
    let head = result.and_then(|result| result.result.as_deref());
    let had = source.filter(|_| result.is_some_and(|result| result.source == block.source));
    let output = had.and_then(|had| had.get("output")).zip(result).filter(|(output, result)| stays(*output, result));
    let state = match head {
        // What failed by its own words was there all the same.
        _ if output.is_some() => "output-available",
        None => "input-available",
        Some(head) if head.is_error => "output-error",
        Some(_) => "output-available",
    };
    object.str("state", state);
    object.set("input", Out::Raw(arguments(call)));
    if let Some((output, result)) = output {
        object.set("output", view.about(result.id, Out::Raw(output.raw())));
    } else if let (Some(result), Some(head)) = (result, head) {
        let out = view.about(result.id, answer(view, result, head.is_error, had));
        object.set(if head.is_error { "errorText" } else { "output" }, out);
    }
    add_native(view, object, block.native.as_deref(), |key| !matches!(key, "type" | "approval" | "preliminary")).out()
}

/// A result whose call stands nowhere.
fn render_lone<'w>(view: &View<'w, '_>, result: &'w Message<'_>) -> Out<'w> {
    let Some(head) = result.result.as_deref() else { return Out::Null };
    Object::typed("dynamic-tool")
        .with("toolName", head.tool_name.as_deref().unwrap_or(text::UNNAMED_TOOL))
        .with("toolCallId", head.call_id.as_deref().unwrap_or_default())
        .with("state", if head.is_error { "output-error" } else { "output-available" })
        .with("input", Out::Text(Cow::Borrowed("{}")))
        .with(if head.is_error { "errorText" } else { "output" }, answer(view, result, head.is_error, None))
        .out()
}

fn answer<'w>(view: &View<'w, '_>, result: &'w Message<'_>, is_error: bool, had: Option<Value<'w>>) -> Out<'w> {
    let had = had.and_then(|had| had.get(if is_error { "errorText" } else { "output" }));
    if is_error {
        let clean = result.blocks.iter().all(|block| !block.dirty);
        if let (Some(had), true, 1) = (had.filter(|had| had.is_string()), clean, result.blocks.len()) {
            return Out::Raw(had.raw());
        }
        return lines_of(&result.blocks).into();
    }
    if let [block] = result.blocks.as_slice()
        && let BlockKind::Text(words) = &block.kind
        && block.native_of(view.target.dialect.name()).is_empty()
    {
        return Out::from(words);
    }
    let list = had.and_then(|had| had.get("content")).filter(|list| list.is_array());
    let mut object = Object::like(had.filter(|_| list.is_some()), |key| key == "content");
    // What stands beside the list is no block of it.
    let structured = had.filter(|_| list.is_some()).and_then(structured_content).map(Value::index);
    let blocks = result.blocks.iter().filter(|block| structured.is_none() || block.source != structured);
    let blocks = blocks.map(|block| view.about(block.id, render_output_block(view, block, None))).collect();
    object.set("content", Out::List(blocks, list));
    object.out()
}

/// Whether an output says what the blocks say, though something else of its part changed.
fn stays(output: Value<'_>, result: &Message<'_>) -> bool {
    let list = output.get("content").filter(|list| list.is_array() && list.items().next().is_some());
    result.blocks.iter().all(|block| !block.dirty)
        && list.map_or(result.blocks.len() == 1, |list| says_all(output, list, &result.blocks))
}
