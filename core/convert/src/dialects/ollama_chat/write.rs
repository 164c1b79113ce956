//! Rendering Ollama's own chat API: one string of content, pictures and reasoning beside it.

use std::borrow::Cow;

use crate::dialects::openai_chat::write::{Form, marked, message_field, reasoning, render_call, role, text_of};
use crate::print::block::{add_native, read_as_content, set_calls, stands_in};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role};

pub(crate) static RENDERER: Renderer = Renderer { render, ..Renderer::COMMON };

const FORM: Form =
    Form { reasoning: &["thinking", "reasoning_content", "reasoning"], part: |_, _| None, names_results: true };

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let name = role(view, message);
    let mut object = Object::like(like, |key| message_field(key) || matches!(key, "images" | "refusal"))
        .without(read_as_content(view, message))
        .closed(view.target, name)
        .with("role", name);
    content(view, &mut object, message, like.and_then(|like| like.get("content")));
    if message.role == Role::Assistant {
        reasoning(view, &mut object, message, &FORM);
    }
    // One structure for the messages of all roles: reasoning is words wherever it stands.
    let odd = |words: &Value<'_>| !words.is_string() && !words.is_null();
    if like.and_then(|like| like.get(FORM.reasoning[0])).as_ref().is_some_and(odd) {
        object.leave([FORM.reasoning[0]]);
    }
    pictures(view, &mut object, message);
    set_calls(view, &mut object, message, render_call);
    if let Some(head) = message.result.as_deref() {
        if let Some(tool) = head.tool_name.as_deref() {
            object.str("tool_name", tool);
            object.leave(["name", "toolName"]);
        }
        // Without ids of its own the dialect pairs by name.
        let by_name = marked(view, message.native.as_deref(), "tool_call_id", "null");
        object.set_some("tool_call_id", head.call_id.as_deref().filter(|_| !by_name));
    }
    view.about(
        message.id,
        add_native(view, object, message.native.as_deref(), |key| !matches!(key, "role" | "tool_call_id")).out(),
    )
}

/// The words, as one string.
fn content<'w>(view: &View<'w, '_>, object: &mut Object<'w>, message: &'w Message<'_>, had: Option<Value<'w>>) {
    let texts: Vec<&Block<'_>> = message.blocks.iter().filter(|block| block.is_text()).collect();
    let as_it_was = |block: &&Block<'_>| stands_in(block) && !block.dirty;
    match texts.as_slice() {
        [block] if as_it_was(block) && object.had().is_some() => {
            match had {
                // The list that a result stood in as a block is no content of its own.
                Some(list) if list.is_array() => object.set("content", text_of(view, block)),
                Some(had) => object.set("content", Out::Raw(had.raw())),
                None => {}
            }
        }
        [block] => object.set("content", text_of(view, block)),
        // Blank words beside pictures stay as they are.
        [] => match had.filter(|had| had.as_str().is_some_and(|words| words.trim().is_empty())) {
            Some(blank) => object.set("content", Out::Raw(blank.raw())),
            None => object.str("content", ""),
        },
        many => {
            let words: Vec<_> = many.iter().filter_map(|block| block.as_text()).collect();
            object.str("content", words.join("\n"));
        }
    }
}

fn pictures<'w>(view: &View<'w, '_>, object: &mut Object<'w>, message: &'w Message<'_>) {
    let had = object.had().and_then(|like| like.get("images"));
    let pictures: Vec<Out<'w>> = message
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Image(image) => {
                let data = image.data.as_deref().unwrap_or_default();
                Some(view.about(block.id, Out::Str(Cow::Borrowed(data))))
            }
            _ => None,
        })
        .collect();
    match had {
        Some(list) if pictures.is_empty() && (list.is_null() || list.is_array() && list.items().next().is_none()) => {
            object.set("images", Out::Raw(list.raw()));
        }
        _ if pictures.is_empty() => {}
        had => object.set("images", Out::List(pictures, had)),
    }
}
