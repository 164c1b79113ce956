//! Rendering `OpenViking`'s messages of typed parts: a call and its result are one part.

use std::collections::{HashMap, VecDeque};

use crate::dialects::openviking::read::ALIASES as OPENVIKING_ALIASES;
use crate::print::block::{add_native, arguments, as_it_was, call_of, lines_of, text_part};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use crate::read::fields::CALL_IDS;
use wirecanon_json::Value;
use wirecanon_model::text;
use wirecanon_model::transcript::{Block, Message, Role, ToolCall};

pub(crate) static RENDERER: Renderer = Renderer { render, joins, ..Renderer::COMMON };

/// Results go with the turn that called; what stood in one message stays in it.
fn joins(group: &[Message<'_>], next: &Message<'_>, same: bool) -> bool {
    let together = same
        && next.origin.is_some_and(|origin| group[0].origin.is_some_and(|first| first.value == origin.value))
        && !(group[0].role == Role::Assistant && next.role == Role::Assistant);
    together
        || (next.role == Role::ToolResult
            && group.last().is_some_and(|last| matches!(last.role, Role::Assistant | Role::ToolResult)))
}

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let like = like.filter(|like| like.is_object());
    let had = like.and_then(|like| like.get("parts")).filter(|parts| parts.is_array());
    let of_user = |like: Value<'w>| like.get("role").is_some_and(|role| role.is_str("user"));
    let spoken = group
        .iter()
        .any(|message| message.role == Role::Assistant && message.blocks.iter().any(|block| call_of(block).is_none()));
    let role = match group[0].role {
        Role::User | Role::System => "user",
        Role::Assistant if !spoken && like.is_some_and(of_user) => "user",
        Role::Assistant | Role::ToolResult => "assistant",
    };
    let mut object =
        Object::like(like, if had.is_some() { |_| false } else { |key| matches!(key, "content" | "parts") });
    object.str("role", role);
    let mut results: Vec<Option<&'w Message<'_>>> =
        group.iter().copied().filter(|message| message.role == Role::ToolResult).map(Some).collect();
    // The results of each call that are not yet rendered, by its id.
    let mut of_call: HashMap<Option<&'w str>, VecDeque<usize>> = HashMap::new();
    for (at, result) in results.iter().enumerate() {
        if let Some(head) = result.and_then(|result| result.result.as_deref()) {
            of_call.entry(head.call_id.as_deref()).or_default().push_back(at);
        }
    }
    let mut parts = Vec::new();
    for message in group.iter().filter(|message| message.role != Role::ToolResult) {
        for block in &message.blocks {
            let out = match call_of(block) {
                None => render_text(view, block),
                Some(call) => {
                    let result = of_call.get_mut(&call.id.as_deref()).and_then(VecDeque::pop_front);
                    render_tool(view, Some((block, call)), result.and_then(|result| results[result].take()))
                }
            };
            parts.push(view.about(block.id, out));
        }
    }
    parts.extend(results.into_iter().flatten().map(|result| render_tool(view, None, Some(result))));
    object.set("parts", Out::List(parts, had));
    object = add_native(view, object, group[0].native.as_deref(), |key| key != "content");
    view.about_all(group, object)
}

fn render_text<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) = as_it_was(view, block) {
        return out;
    }
    let object = text_part(view, block, block.as_text().unwrap_or_default());
    add_native(view, object, block.native.as_deref(), |_| true).out()
}

fn renamed(key: &str) -> bool {
    CALL_IDS.contains(&key) || OPENVIKING_ALIASES.iter().any(|names| names.contains(&key))
}

/// One tool part: a call, its result, or both.
fn render_tool<'w>(
    view: &View<'w, '_>,
    call: Option<(&'w Block<'_>, &'w ToolCall<'_>)>,
    result: Option<&'w Message<'_>>,
) -> Out<'w> {
    let source = call.and_then(|(block, _)| view.own(block.source));
    let source = source.filter(|value| value.get("type").is_some_and(|kind| kind.is_str("tool")));
    // The result that the part itself holds.
    let own = result.filter(|result| source.is_some() && result.source == source.map(Value::index) && !result.dirty);
    if let (Some(source), Some((block, _))) = (source, call)
        && !block.dirty
        && (own.is_some() || (result.is_none() && !holds_result(source)))
    {
        return match own {
            Some(own) => view.about(own.id, Out::Raw(source.raw())),
            None => Out::Raw(source.raw()),
        };
    }
    let mut object =
        Object::like(source, if result.is_some() { renamed } else { |key| renamed(key) || key == "tool_output" })
            .with("type", "tool");
    let head = result.and_then(|result| result.result.as_deref());
    let id = call.map_or_else(|| head.and_then(|head| head.call_id.as_deref()), |(_, call)| call.id.as_deref());
    object.str("tool_id", id.unwrap_or_default());
    let name = call.map_or_else(|| head.and_then(|head| head.tool_name.as_deref()), |(_, call)| call.name.as_deref());
    object.str("tool_name", name.unwrap_or(text::UNNAMED_TOOL));
    if let Some((_, call)) = call {
        let had = source.and_then(|source| source.get("tool_input")).filter(|had| !had.is_null());
        let same = had.map_or(source.is_some() && arguments(call) == "{}", |had| had.raw() == arguments(call));
        if !same {
            object.set("tool_input", Out::Raw(arguments(call)));
        }
    }
    match (result, head) {
        (Some(result), Some(head)) => {
            if own.is_none() {
                object.str("tool_output", lines_of(&result.blocks));
            }
            object.str("tool_status", if head.is_error { "error" } else { "completed" });
        }
        _ => {
            let running =
                source.and_then(|source| source.get("tool_status")).is_some_and(|status| status.is_str("running"));
            object.str("tool_status", if running { "running" } else { "pending" });
        }
    }
    if let Some((block, _)) = call {
        object = add_native(view, object, block.native.as_deref(), |_| true);
    }
    match result {
        Some(result) => view.about(result.id, object.out()),
        None => object.out(),
    }
}

/// Whether a part says that its tool is done.
fn holds_result(part: Value<'_>) -> bool {
    part.get("tool_status").is_some_and(|status| status.is_str("completed") || status.is_str("error"))
}
