//! Rendering the stored messages of `lossless-claw`.

use std::borrow::Cow;

use crate::print::block::{add_native, arguments, lines_of};
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::transcript::{Block, BlockKind, Message, Role};

pub(crate) static RENDERER: Renderer = Renderer { render, ..Renderer::COMMON };

fn render<'w>(view: &View<'w, '_>, group: &[&'w Message<'_>], like: Option<Value<'w>>) -> Out<'w> {
    let message = group[0];
    let role = if message.role == Role::ToolResult { "tool" } else { message.role.name() };
    let like = like.filter(|like| like.is_object() && Some(like.index()) == message.origin.map(|origin| origin.value));
    let mut object = Object::like(like, |_| false).with("role", role);
    let rows =
        like.and_then(|like| like.get("parts")).filter(|parts| parts.is_array() && parts.items().next().is_some());
    let content = like.and_then(|like| like.get("content"));
    // A text of before there were parts stays one.
    if let ([Block { kind: BlockKind::Text(words), source: Some(source), .. }], None, true) =
        (message.blocks.as_slice(), rows, message.role != Role::ToolResult)
        && content.is_some_and(|content| content.index() == *source && content.is_string())
    {
        object.str("content", words);
        if like.is_some_and(|like| like.get("parts").is_some_and(|parts| !parts.is_array() && !parts.is_null())) {
            object.set("parts", Out::List(Vec::new(), None));
        }
        return view.about(message.id, add_native(view, object, message.native.as_deref(), |_| true).out());
    }
    if !content.is_some_and(Value::is_string) || rows.is_none() {
        object.str("content", lines_of(&message.blocks));
    }
    let camel = rows.is_some_and(|rows| rows.items().any(|row| row.get("partType").is_some()));
    // Rows that are new, or that the store would sort anew, are numbered again.
    let ordinal = |block: &Block<'_>| row_of(view, block)?.get("ordinal")?.as_f64();
    let numbers: Vec<_> = message.blocks.iter().map(ordinal).collect();
    let numbered = numbers.windows(2).all(|pair| pair[0] <= pair[1]) && numbers.iter().all(Option::is_some);
    let parts = message.blocks.iter().enumerate().map(|(at, block)| {
        let row = Row { message, block, camel, at: (!numbered).then_some(at) };
        view.about(block.id, row.render(view))
    });
    let parts = parts.collect();
    object.set("parts", Out::List(parts, rows));
    view.about(message.id, add_native(view, object, message.native.as_deref(), |_| true).out())
}

/// The row that a block was read from.
fn row_of<'w>(view: &View<'w, '_>, block: &Block<'_>) -> Option<Value<'w>> {
    view.own(block.source).filter(|row| {
        row.get("part_type").is_some_and(Value::is_string) || row.get("partType").is_some_and(Value::is_string)
    })
}

struct Row<'w, 'm> {
    message: &'w Message<'m>,
    block: &'w Block<'m>,
    camel: bool,
    /// The ordinal, where it is given anew
    at: Option<usize>,
}

fn column(key: &str) -> bool {
    matches!(key, "part_type" | "partType" | "metadata")
}

impl<'w> Row<'w, '_> {
    fn render(&self, view: &View<'w, '_>) -> Out<'w> {
        let source = row_of(view, self.block);
        let head = self.message.result.as_deref();
        let fits = source.is_none_or(|source| says(source).is_none_or(|role| role == self.original_role()));
        let clean = !self.block.dirty && fits && (head.is_none() || !self.message.dirty);
        if let (Some(source), true, None) = (source, clean, self.at) {
            return Out::Raw(source.raw());
        }
        let camel = source.map_or(self.camel, |source| source.get("partType").is_some());
        // A column goes where it stood.
        let has = |key: &str| source.is_some_and(|source| source.get(key).is_some());
        let key = |snake: &'static str, long: &'static str| {
            if !has(snake) && (has(long) || camel) { long } else { snake }
        };
        let mut object = Object::like(source, column);
        let kept = source.filter(|_| !self.block.dirty);
        let (kind, raw_type, raw) = self.original();
        match kept.and_then(|kept| kept.get(key("part_type", "partType"))) {
            Some(kind) => object.set(key("part_type", "partType"), Out::Raw(kind.raw())),
            None => object.str(key("part_type", "partType"), kind),
        }
        if let Some(at) = self.at {
            object.set("ordinal", Out::Text(Cow::Owned(at.to_string())));
        }
        let mut fields = vec![("originalRole", Some(quote(self.original_role())))];
        if kept.is_none() {
            match &self.block.kind {
                BlockKind::ToolCall(call) => {
                    object.str(key("tool_call_id", "toolCallId"), call.id.as_deref().unwrap_or_default());
                    object.str(key("tool_name", "toolName"), call.name.as_deref().unwrap_or_default());
                    object.str(key("tool_input", "toolInput"), arguments(call));
                }
                BlockKind::Text(words) => object.str(key("text_content", "textContent"), words),
                BlockKind::Thinking(thinking) => object.str(key("text_content", "textContent"), &*thinking.text),
                _ => {}
            }
            let output = key("tool_output", "toolOutput");
            let is_text = matches!(self.block.kind, BlockKind::Text(_));
            let goes = |had: Value<'_>| if is_text { !had.is_null() } else { !had.is_string() };
            if source.and_then(|source| source.get(output)).is_some_and(goes) {
                object.set(output, Out::Null);
            }
            let input = key("tool_input", "toolInput");
            let unread = |had: Value<'_>| !had.is_string() && !had.is_null();
            let is_call = matches!(self.block.kind, BlockKind::ToolCall(_));
            if !is_call && source.and_then(|source| source.get(input)).is_some_and(unread) {
                object.set(input, Out::Null);
            }
            let same_kind = source.is_some() && matches!(self.block.kind, BlockKind::ToolCall(_));
            if !same_kind {
                fields.push(("rawType", Some(quote(raw_type))));
            }
            fields.push(("raw", raw));
        }
        if let Some(head) = head {
            if let Some(id) = &head.call_id {
                object.str(key("tool_call_id", "toolCallId"), &**id);
                fields.push(("toolCallId", Some(quote(id))));
            }
            if let Some(name) = &head.tool_name {
                object.str(key("tool_name", "toolName"), &**name);
                fields.push(("toolName", Some(quote(name))));
            }
            fields.push(("isError", Some(head.is_error.to_string())));
        }
        let id = key("tool_call_id", "toolCallId");
        let digits = source.and_then(|source| source.get(id)).filter(|had| had.as_f64().is_some());
        if let Some(digits) = digits.filter(|_| object.fields.iter().all(|(known, _)| *known != id)) {
            object.str(id, digits.raw());
        }
        object.str("metadata", metadata(source, fields));
        add_native(view, object, self.block.native.as_deref(), |_| true).out()
    }

    fn original_role(&self) -> &'static str {
        match self.message.role {
            Role::ToolResult => "toolResult",
            other => other.name(),
        }
    }

    /// Type of the part, type of the block, and the block where the columns do not say it.
    fn original(&self) -> (&'static str, &'static str, Option<String>) {
        match &self.block.kind {
            BlockKind::Text(_) | BlockKind::File(_) => ("text", "text", None),
            BlockKind::ToolCall(_) => ("tool", "toolCall", None),
            BlockKind::Thinking(thinking) => {
                let mut raw = format!("{{\"type\":\"thinking\",\"thinking\":{}", quote(&thinking.text));
                if let Some(signature) = &thinking.signature {
                    raw.push_str(",\"thinkingSignature\":");
                    raw.push_str(&quote(signature));
                }
                raw.push_str(if thinking.redacted { ",\"redacted\":true}" } else { "}" });
                ("reasoning", "thinking", Some(raw))
            }
            BlockKind::Image(image) => {
                let (data, mime) =
                    (image.data.as_deref().unwrap_or_default(), image.mime_type.as_deref().unwrap_or_default());
                let raw = format!("{{\"type\":\"image\",\"data\":{},\"mimeType\":{}}}", quote(data), quote(mime));
                ("file", "image", Some(raw))
            }
            BlockKind::Link(link) => {
                let raw = format!("{{\"type\":\"image_url\",\"image_url\":{{\"url\":{}}}}}", quote(&link.url));
                ("file", "image_url", Some(raw))
            }
            BlockKind::Opaque(opaque) => ("agent", "opaque", Some(opaque.value.clone().into_owned())),
        }
    }
}

/// The role that a row says its message had.
fn says(row: Value<'_>) -> Option<String> {
    let text = row.get("metadata")?.as_str()?;
    let json = Json::parse(&text, &Limits::default()).ok()?;
    json.root().get("originalRole")?.as_str().map(Cow::into_owned)
}

/// The JSON text of the metadata: the source's, with these members in place of its own; a member without a value goes.
fn metadata(source: Option<Value<'_>>, fields: Vec<(&'static str, Option<String>)>) -> String {
    let had = source.and_then(|source| source.get("metadata"));
    let text = had.map(|had| had.as_str().unwrap_or(Cow::Borrowed(had.raw()))).unwrap_or_default();
    let json = Json::parse(&text, &Limits::default()).ok();
    let members = json.as_ref().map(Json::root).into_iter().flat_map(Value::members);
    let mut parts: Vec<String> = Vec::new();
    for (key, value) in members {
        if !fields.iter().any(|(name, _)| key.is_str(name))
            && !matches!(&*key.as_str().unwrap_or_default(), "partialJson" | "partial" | "incomplete")
        {
            parts.push(format!("{}:{}", key.raw(), value.raw()));
        }
    }
    for (name, value) in fields {
        if let Some(value) = value {
            parts.push(format!("{}:{value}", quote(name)));
        }
    }
    format!("{{{}}}", parts.join(","))
}
