//! Rendering Cohere v2.

use std::borrow::Cow;

use crate::dialects::cohere_v2::read::{CITATIONS as COHERE_CITATIONS, PLAN as COHERE_PLAN, cohere_document};
use crate::print::block::{arguments, data_url, every_field, set_calls, stands_in};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role, ToolCall};
use wirecanon_model::{Dialect, text};

pub(crate) static RENDERER: Renderer = Renderer { render, ..Renderer::COMMON };

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let role = if message.role == Role::ToolResult { "tool" } else { message.role.name() };
    let like = like.filter(|like| like.get("role").is_some_and(|found| found.is_str(role)));
    let mut object = Object::like(like, every_field).with("role", role);
    let content = like.and_then(|like| like.get("content"));
    match message.role {
        Role::Assistant => assistant(view, &mut object, message, content),
        Role::ToolResult => {
            let head = message.result.as_deref();
            object.str("tool_call_id", head.and_then(|head| head.call_id.as_deref()).unwrap_or_default());
            let had = content.filter(|_| message.source == like.map(Value::index));
            let is_error = head.is_some_and(|head| head.is_error);
            object.set("content", render_content(view, &message.blocks, had, is_error, Role::ToolResult));
        }
        Role::System | Role::User => {
            object.set("content", render_content(view, &message.blocks, content, false, message.role));
        }
    }
    view.about(message.id, object.out())
}

/// A field that only this API knows.
fn field<'w>(native: Option<&'w Native<'_>>, key: &str) -> Option<&'w str> {
    native?.get(Dialect::CohereV2.name(), key)
}

fn assistant<'w>(view: &View<'w, '_>, object: &mut Object<'w>, message: &'w Message<'_>, had: Option<Value<'w>>) {
    let planned = |block: &&Block<'_>| block.is_text() && field(block.native.as_deref(), COHERE_PLAN).is_some();
    let plan = message.blocks.iter().find(planned);

    let blocks: Vec<_> = message
        .blocks
        .iter()
        .filter(|block| !matches!(block.kind, BlockKind::ToolCall(_)) && plan.is_none_or(|plan| plan.id != block.id))
        .collect();
    match blocks.as_slice() {
        // Nothing, said as it was said.
        [] if had.is_some_and(Value::is_null) => object.set("content", Out::Null),
        [] if plan.is_some() || message.calls().next().is_some() => {}
        [] => object.str("content", ""),
        [block] if !as_part(view, block) => object.set("content", string_of(view, block)),
        blocks => {
            let parts = blocks.iter().map(|block| view.about(block.id, render_part(view, block, Role::Assistant)));
            object.set("content", Out::List(parts.collect(), had));
        }
    }
    if let Some(plan) = plan {
        object.set(COHERE_PLAN, Out::About(plan.id, Box::new(string_of(view, plan))));
    }
    set_calls(view, object, message, render_call);
    let sources = field(message.native.as_deref(), COHERE_CITATIONS).filter(|sources| {
        Json::parse(sources, &Limits::default())
            .is_ok_and(|json| json.root().is_array() && json.root().items().all(Value::is_object))
    });
    object.set_json(COHERE_CITATIONS, sources);
}

fn render_call<'w>(view: &View<'w, '_>, block: &'w Block<'_>, call: &'w ToolCall<'_>) -> Out<'w> {
    let source = view.own(block.source).filter(|value| value.get("function").is_some_and(Value::is_object));
    if let Some(source) = source.filter(|_| !block.dirty) {
        return Out::Raw(source.raw());
    }
    let object =
        Object::like(source, every_field).with("id", call.id.as_deref().unwrap_or_default()).with("type", "function");
    let inner = Object::like(source.and_then(|source| source.get("function")), every_field)
        .with("name", call.name.as_deref().unwrap_or_default())
        .with("arguments", Out::Text(Cow::Owned(quote(arguments(call)))));
    object.with("function", inner).out()
}

/// Whether a lone block must still be written as a part of a list.
fn as_part(view: &View<'_, '_>, block: &Block<'_>) -> bool {
    let was_part = view.own(block.source).is_some_and(Value::is_object) && !block.dirty;
    was_part || !block.is_text() || carried(block).is_some()
}

/// The text of a block that is a whole string; where it was read with something taken off, what was there.
fn string_of<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if !block.dirty
        && let Some(source) = view.own(block.source).filter(|source| source.is_string())
    {
        return Out::Raw(source.raw());
    }
    Out::words(block)
}

fn render_content<'w>(
    view: &View<'w, '_>,
    blocks: &'w [Block<'_>],
    had: Option<Value<'w>>,
    is_error: bool,
    role: Role,
) -> Out<'w> {
    // There is no flag: the first text says that the tool failed.
    let failed = blocks.iter().find(|block| is_error && block.is_text()).filter(|block| must_say(view, block));
    match blocks {
        [block] if stands_in(block) && !block.dirty && failed.is_none() => {
            had.map_or_else(|| Out::words(block), |had| Out::Raw(had.raw()))
        }
        [block] if !as_part(view, block) || failed.is_some() => match failed {
            Some(block) => Out::Str(said(block)),
            None => string_of(view, block),
        },
        blocks => {
            let parts = blocks.iter().map(|block| {
                let part = match failed.filter(|failed| failed.id == block.id) {
                    Some(failed) => text_part(said(failed)),
                    None => render_part(view, block, role),
                };
                view.about(block.id, part)
            });
            Out::List(parts.collect(), had)
        }
    }
}

/// Whether a failed result does not say so yet.
fn must_say(view: &View<'_, '_>, block: &Block<'_>) -> bool {
    let words = block.as_text().unwrap_or_default();
    let known = words == text::NO_RESULT || text::SYNTHETIC_OF_OTHERS.contains(&&*words);
    // What was taken off when it was read is still there.
    let as_read = block.projected && !block.dirty && view.same;
    !known && !as_read && !words.starts_with(text::ERROR_PREFIX)
}

fn said(block: &Block<'_>) -> Cow<'static, str> {
    Cow::Owned(format!("{}{}", text::ERROR_PREFIX, block.as_text().unwrap_or_default()))
}

fn text_part(words: Cow<'_, str>) -> Out<'_> {
    Object::typed("text").with("text", words).out()
}

/// The fields of a document that a text stands in for.
fn carried<'w>(block: &'w Block<'_>) -> Option<&'w str> {
    let document = block.as_text().and_then(|_| field(block.native.as_deref(), "document"))?;
    let whole = format!("{{\"type\":\"document\",\"document\":{document}}}");
    Json::parse(&whole, &Limits::default()).is_ok_and(|json| cohere_document(json.root()).is_some()).then_some(document)
}

fn render_part<'w>(view: &View<'w, '_>, block: &'w Block<'_>, role: Role) -> Out<'w> {
    if let Some(source) = view.own(block.source).filter(|source| !block.dirty && source.is_object()) {
        return Out::Raw(source.raw());
    }
    if role == Role::ToolResult
        && let Some(document) = carried(block)
    {
        return Object::typed("document").with("document", Out::Text(Cow::Borrowed(document))).out();
    }
    let object = match &block.kind {
        BlockKind::Text(text) => {
            let source = view.own(block.source).filter(|value| {
                value.get("type").is_some_and(|kind| kind.is_str("text"))
                    && value.get("text").is_some_and(Value::is_string)
            });
            Object::like(source, every_field).with("type", "text").with("text", text)
        }
        BlockKind::Thinking(thinking) => Object::typed("thinking").with("thinking", &*thinking.text),
        BlockKind::Image(image) => return picture(block, data_url(image).into()),
        BlockKind::Link(link) => return picture(block, Cow::Borrowed(&*link.url)),
        // Limits are applied by now: nothing of these is left.
        BlockKind::File(_) | BlockKind::Opaque(_) | BlockKind::ToolCall(_) => return text_part(Cow::Borrowed("")),
    };
    object.out()
}

fn picture<'w>(block: &'w Block<'_>, url: Cow<'w, str>) -> Out<'w> {
    let mut inner = Object::new().with("url", url);
    let detail = field(block.native.as_deref(), "detail");
    inner.set_json("detail", detail.filter(|detail| matches!(*detail, "\"auto\"" | "\"low\"" | "\"high\"")));
    Object::typed("image_url").with("image_url", inner.out()).out()
}
