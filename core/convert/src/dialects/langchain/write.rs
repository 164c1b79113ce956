//! Rendering LangChain's messages, in the form in which they stood, else as `messages_to_dict` makes them.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use crate::dialects::langchain::calls::twin as langchain_twin;
use crate::dialects::langchain::kwargs::without_calls as langchain_without_calls;
use crate::dialects::langchain::read::{
    Form, INVALID as LANGCHAIN_INVALID, names_of as langchain_names, shape as langchain_shape,
    status_of as langchain_status,
};
use crate::print::block::{
    add_native, arguments, as_it_was, call_field, call_of, calls_of, carries, image_field, read_as_content, stands_in,
    text_part, under,
};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use crate::read::fields::{ERROR_FLAGS, RESULT_IDS};
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, ToolCall};

pub(crate) static RENDERER: Renderer = Renderer { render, ..Renderer::COMMON };

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let shape = like.and_then(langchain_shape).filter(|shape| shape.own && shape.role == Some(message.role));
    let holder = shape.as_ref().map(|shape| shape.holder);
    let mut fields = Object::like(holder, message_field).without(read_as_content(view, message));
    let had = fields.had().and_then(|like| like.get("content"));
    if let Some(head) = &message.result {
        let content = had.filter(|_| like.map(Value::index) == message.source);
        fields.set("content", render_content(view, message, content));
        fields.str("tool_call_id", head.call_id.as_deref().unwrap_or_default());
        fields.set_some("name", head.tool_name.as_deref().filter(|_| may_name(fields.had())));
        if head.is_error || fields.had().is_some_and(|like| like.get("status").is_some()) {
            fields.str("status", langchain_status(head.is_error));
        }
    } else if message.role == Role::Assistant {
        assistant(view, &mut fields, message, had);
    } else {
        fields.set("content", render_content(view, message, had));
    }
    fields = add_native(view, fields, message.native.as_deref(), |key| key != "type");
    let out = match (shape.map(|shape| shape.form), like) {
        (Some(Form::Flat), _) => fields.out(),
        (Some(Form::Constructor), Some(like)) => around(like, "kwargs", fields),
        (Some(_), Some(like)) => around(like, "data", fields),
        _ => new_message(view, message.role, fields),
    };
    view.about(message.id, out)
}

/// A message that did not stand there takes the form of the first that did: LangChain loads no list of mixed ones.
fn new_message<'w>(view: &View<'w, '_>, role: Role, mut fields: Object<'w>) -> Out<'w> {
    let first =
        view.first_message().and_then(|first| Some((langchain_shape(first).filter(|shape| shape.own)?.form, first)));
    let mut object = Object::new();
    let (kind, class) = langchain_names(role);
    match first {
        Some((Form::Flat, _)) => {
            fields.str("type", kind);
            return fields.out();
        }
        Some((Form::Constructor, first)) => {
            fields.str("type", kind);
            object.set("lc", first.get("lc").map_or(Out::Null, |version| Out::Raw(version.raw())));
            object.str("type", "constructor");
            let way = first.get("id").into_iter().flat_map(Value::items).map(|step| Out::Raw(step.raw()));
            let mut way: Vec<_> = way.collect();
            way.pop();
            way.push(Out::Str(Cow::Borrowed(class)));
            object.set("id", Out::List(way, None));
            object.set("kwargs", fields.out());
        }
        _ => {
            object.str("type", kind);
            object.set("data", fields.out());
        }
    }
    object.out()
}

fn around<'w>(like: Value<'w>, key: &'static str, fields: Object<'w>) -> Out<'w> {
    Object::like(Some(like), |_| false).with(key, fields.out()).out()
}

/// A name goes where one stood, and into messages that are written from nothing.
fn may_name(like: Option<Value<'_>>) -> bool {
    like.is_none_or(|like| like.get("name").is_some_and(Value::is_string))
}

fn message_field(key: &str) -> bool {
    matches!(key, "tool_calls" | "toolCalls" | "invalid_tool_calls" | "tool_call_chunks" | "toolName" | "tool_name")
        || RESULT_IDS.contains(&key)
        || ERROR_FLAGS.contains(&key)
}

fn render_content<'w>(view: &View<'w, '_>, message: &'w Message<'_>, had: Option<Value<'w>>) -> Out<'w> {
    match message.blocks.as_slice() {
        [block] if stands_in(block) && !block.dirty && had.is_some() => {
            had.map_or(Out::Null, |had| Out::Raw(had.raw()))
        }
        [Block { kind: BlockKind::Text(words), .. }] if plain(view, &message.blocks[0], had) => Out::from(words),
        blocks => Out::List(blocks.iter().map(|block| item(view, block)).collect(), had),
    }
}

/// Whether a lone text stands as a string: what was a list stays one.
fn plain(view: &View<'_, '_>, block: &Block<'_>, had: Option<Value<'_>>) -> bool {
    let native = !block.native_of(view.target.dialect.name()).is_empty();
    let in_list = view.own(block.source).is_some_and(Value::is_object);
    !native && !in_list && !had.is_some_and(Value::is_array)
}

fn item<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    view.about(block.id, render_block(view, block))
}

fn assistant<'w>(view: &View<'w, '_>, fields: &mut Object<'w>, message: &'w Message<'_>, had: Option<Value<'w>>) {
    let mut twins = Twins::new(had);
    let mut items = Vec::new();
    // Reasoning that was read from `additional_kwargs` stays there.
    let beside = fields.had().is_some();
    let in_content = |block: &&Block<'_>| !(beside && is_beside(view, block));
    for block in message.blocks.iter().filter(in_content) {
        match call_of(block) {
            None => items.push(item(view, block)),
            Some(call) => items.extend(twins.of(view, block, call)),
        }
    }
    let texts: Vec<_> = message.blocks.iter().filter(in_content).filter(|block| call_of(block).is_none()).collect();
    let content = match texts.as_slice() {
        [] if items.is_empty() && !had.is_some_and(Value::is_array) => Out::from(""),
        [Block { kind: BlockKind::Text(words), .. }] if items.len() == 1 && plain(view, texts[0], had) => words.into(),
        _ => Out::List(items, had),
    };
    fields.set("content", content);
    let calls = || calls_of(message);
    let list = |key: &str| fields.had().and_then(|like| like.get(key)).filter(|list| list.is_array());
    let (valid, invalid) = (list("tool_calls"), list("invalid_tool_calls"));
    let before = [valid, invalid].into_iter().flatten().flat_map(Value::items).count();
    let same = calls().count() == before && calls().all(|(block, _)| !block.dirty);
    for (key, had, wanted) in [("tool_calls", valid, false), ("invalid_tool_calls", invalid, true)] {
        let outs: Vec<_> = calls()
            .filter(|(block, _)| error_of(view, block).is_some() == wanted)
            .map(|(block, call)| view.about(block.id, render_call(view, block, call)))
            .collect();
        if !outs.is_empty() || had.is_some() {
            fields.set(key, Out::List(outs, had));
        }
    }
    // The provider's own form of the calls would bring back what is gone.
    if !same && let Some(rest) = fields.had().and_then(|like| langchain_without_calls(like.get("additional_kwargs")?)) {
        fields.set("additional_kwargs", Out::Text(Cow::Owned(if rest.is_empty() { "{}".to_owned() } else { rest })));
    }
}

/// Whether a block stands for a member beside the content.
fn is_beside(view: &View<'_, '_>, block: &Block<'_>) -> bool {
    matches!(block.kind, BlockKind::Thinking(_))
        && block.projected
        && view.own(block.source).is_some_and(Value::is_string)
}

/// Blocks of content that say a call again, by the id that the source gives it.
struct Twins<'w> {
    by_id: HashMap<Cow<'w, str>, VecDeque<Value<'w>>>,
}

impl<'w> Twins<'w> {
    fn new(content: Option<Value<'w>>) -> Self {
        let mut by_id: HashMap<_, VecDeque<_>> = HashMap::new();
        for item in content.into_iter().flat_map(Value::items) {
            if let Some(id) = langchain_twin(item) {
                by_id.entry(id).or_default().push_back(item);
            }
        }
        Self { by_id }
    }

    fn of(&mut self, view: &View<'w, '_>, block: &'w Block<'_>, call: &'w ToolCall<'_>) -> Option<Out<'w>> {
        let source = view.own(block.source)?;
        let id = source.get("id")?.as_str()?;
        let twin = self.by_id.get_mut(&id)?.pop_front().filter(|twin| twin.index() != source.index())?;
        if !block.dirty {
            return Some(Out::Raw(twin.raw()));
        }
        let kind = twin.get("type").and_then(Value::as_str).unwrap_or_default();
        let mut object = Object::like(Some(twin), |key| call_field(key) && key != "type")
            .finished()
            .with(
                if kind == "function_call" && twin.get("call_id").is_some() { "call_id" } else { "id" },
                call.id.as_deref().unwrap_or_default(),
            )
            .with("name", call.name.as_deref().unwrap_or_default());
        let text = arguments(call);
        let (key, value) = match &*kind {
            "tool_call" | "tool-call" => ("args", Out::Raw(text)),
            "tool_use" | "toolUse" | "tool-use" => ("input", Out::Raw(text)),
            "tool_call_chunk" | "invalid_tool_call" => ("args", Out::Text(Cow::Owned(quote(text)))),
            "function_call" => ("arguments", Out::Text(Cow::Owned(quote(text)))),
            _ => ("arguments", Out::Raw(text)),
        };
        object.set(key, value);
        Some(object.out())
    }
}

/// What the parser said of a call that LangChain could not read, if this is one.
fn error_of<'w>(view: &View<'_, '_>, block: &'w Block<'_>) -> Option<&'w str> {
    block.native_field(view.target.dialect.name(), LANGCHAIN_INVALID)
}

fn render_call<'w>(view: &View<'w, '_>, block: &'w Block<'_>, call: &'w ToolCall<'_>) -> Out<'w> {
    // A call that only the content held, or that another dialect spelled, keeps nothing of it.
    let source = view.own(block.source).filter(|value| value.get("args").is_some() && value.get("function").is_none());
    if let Some(source) = source.filter(|_| !block.dirty) {
        return Out::Raw(source.raw());
    }
    let error = error_of(view, block);
    let mut object = match error {
        Some(_) => Object::like(source, |key| key != "error"),
        None => Object::like(source, |key| key != "extras"),
    };
    object.str("name", call.name.as_deref().unwrap_or_default());
    let args = match error {
        Some(_) => Out::Text(Cow::Owned(quote(&raw_arguments(arguments(call))))),
        None => Out::Raw(arguments(call)),
    };
    object.set("args", args);
    object.str("id", call.id.as_deref().unwrap_or_default());
    object.set_json("error", error);
    object.str("type", if error.is_some() { "invalid_tool_call" } else { "tool_call" });
    add_native(view, object, block.native.as_deref(), |key| key == "extras" && error.is_none()).out()
}

/// What the model wrote in place of arguments.
fn raw_arguments(text: &str) -> String {
    let Ok(json) = Json::parse(text, &Limits::default()) else { return text.to_owned() };
    let mut members = json.root().members();
    match (members.next(), members.next()) {
        (Some((key, value)), None) if key.is_str("INVALID_JSON") => {
            value.as_str().map_or_else(|| text.to_owned(), Cow::into_owned)
        }
        _ => text.to_owned(),
    }
}

fn render_block<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Out<'w> {
    if let Some(out) = as_it_was(view, block) {
        return out;
    }
    let object = match &block.kind {
        BlockKind::Text(words) => {
            if view.own(block.source).is_some_and(Value::is_string) {
                return Out::from(words);
            }
            text_part(view, block, words)
        }
        BlockKind::Image(image) => {
            let source = under(view, block, &["image"]);
            let is_of_js = source.is_some_and(|source| source.get("mimeType").is_some_and(Value::is_string));
            let (data, mime_type) = if is_of_js { ("data", "mimeType") } else { ("base64", "mime_type") };
            Object::like(source, |key| image_field(key) || key == "source_type")
                .with("type", "image")
                .with(data, image.data.as_deref().unwrap_or_default())
                .with(mime_type, image.mime_type.as_deref().unwrap_or_default())
        }
        BlockKind::Link(link) => {
            Object::typed("image").with("url", &*link.url).with_some("mime_type", link.mime_type.as_deref())
        }
        BlockKind::File(file) => {
            let family = file.mime_type.split('/').next().unwrap_or_default();
            Object::typed(if matches!(family, "audio" | "video") { family } else { "file" })
                .with("base64", &*file.data)
                .with("mime_type", &*file.mime_type)
                .with_some("filename", file.name.as_deref())
        }
        BlockKind::Thinking(thinking) if carries(view, block, "summary") => {
            Object::typed("reasoning").with_some("encrypted_content", thinking.signature.as_deref())
        }
        BlockKind::Thinking(thinking) => match thinking.signature.as_deref() {
            Some(signature) if thinking.redacted => Object::typed("redacted_thinking").with("data", signature),
            signature => {
                let extras = signature.map(|signature| Object::new().with("signature", signature));
                Object::typed("reasoning").with("reasoning", &*thinking.text).with_some("extras", extras)
            }
        },
        BlockKind::Opaque(opaque) => return Out::Text(Cow::Borrowed(&opaque.value)),
        BlockKind::ToolCall(_) => return Out::Null,
    };
    add_native(view, object, block.native.as_deref(), |_| true).out()
}
