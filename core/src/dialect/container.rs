//! Where the messages stand: in a request body, in a list, alone, one a line.

use super::Dialect;
use super::reader::Reader;
use crate::error::{Error, ErrorKind};
use crate::json::{Items, Json, Value, has_lone_surrogate, position};
use crate::rule;
use crate::transcript::{Block, BlockKind, Container, Role, Tool};

/// The parts of a text that hold a transcript.
#[derive(Debug)]
pub struct Layout<'a> {
    /// What the messages stand in
    pub container: Container,
    /// The messages
    pub messages: Messages<'a>,
    /// System text beside the list
    pub system: Option<Value<'a>>,
    /// Tool definitions beside the list
    pub tools: Option<Value<'a>>,
    /// A lone canonical result without an id
    pub is_fragment: bool,
}

/// The wire messages of a text, in order.
#[derive(Clone, Debug)]
pub enum Messages<'a> {
    /// One
    One(Option<Value<'a>>),
    /// The items of a list
    List(Items<'a>),
}

impl<'a> Iterator for Messages<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        match self {
            Self::One(message) => message.take(),
            Self::List(items) => items.next(),
        }
    }
}

/// Finds the messages of a dialect in a text.
///
/// # Errors
///
/// There are none: the error says what stands there instead, and where.
pub fn layout<'a>(json: &'a Json<'a>, dialect: Dialect) -> Result<Layout<'a>, Error> {
    let root = json.root();
    if dialect == Dialect::McpToolResult {
        return tool_result(root);
    }
    if json.is_lines() {
        if let Some(line) = root.items().find(|line| line.get("messages").is_some_and(Value::is_array)) {
            return Err(not_a_transcript(line, "this line holds a whole transcript, not one message")
                .with_hint("read it with --lines sessions"));
        }
        return Ok(plain(Container::Lines, Messages::List(root.items())));
    }
    if root.is_array() {
        let any = root.items().next().is_some();
        if any && !root.items().any(|item| item.get("role").is_some()) {
            return Err(not_a_transcript(root, "a list, but none of its items is a message with a `role`"));
        }
        return Ok(plain(Container::List { list: root.index() }, Messages::List(root.items())));
    }
    if !root.is_object() {
        return Err(not_a_transcript(root, &format!("{} is no transcript", root.kind().name())));
    }
    if let Some(list) = root.get("messages") {
        if !list.is_array() {
            return Err(not_a_transcript(list, &format!("`messages` is {}, not a list", list.kind().name())));
        }
        let anthropic = dialect == Dialect::AnthropicMessages;
        return Ok(Layout {
            container: Container::Object { object: root.index(), key: "messages" },
            messages: Messages::List(list.items()),
            system: root.get("system").filter(|system| anthropic && says_something(*system)),
            tools: root.get("tools").filter(|tools| tools.is_array()),
            is_fragment: false,
        });
    }
    if let Some(choice) = root.get("choices").and_then(|choices| choices.items().next())
        && let Some(message) = choice.get("message")
    {
        return Ok(plain(Container::Response, Messages::One(Some(message))));
    }
    if root.get("role").is_some() {
        let mut layout = plain(Container::Single { object: root.index() }, Messages::One(Some(root)));
        layout.is_fragment =
            root.get("role").and_then(Value::as_str).is_some_and(|role| matches!(&*role, "toolResult" | "tool"))
                || is_all_results(root);
        return Ok(layout);
    }
    let keys: Vec<_> = root.members().take(8).map(|(key, _)| key.raw().to_owned()).collect();
    Err(not_a_transcript(
        root,
        &format!(
            "an object without `messages`; it has {}",
            if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") }
        ),
    )
    .with_hint("a transcript is {\"messages\":[…]}, a list of messages, or one message a line"))
}

/// Whether a message holds Anthropic's tool results and nothing else.
fn is_all_results(message: Value<'_>) -> bool {
    let mut blocks = message.get("content").into_iter().flat_map(Value::items).peekable();
    blocks.peek().is_some() && blocks.all(|block| block.get("type").is_some_and(|kind| kind.is_str("tool_result")))
}

/// Instructions that are empty are none, and stay as they are.
fn says_something(system: Value<'_>) -> bool {
    !system.is_null() && !system.is_str("") && (!system.is_array() || system.items().next().is_some())
}

fn plain(container: Container, messages: Messages<'_>) -> Layout<'_> {
    Layout { container, messages, system: None, tools: None, is_fragment: false }
}

fn tool_result(root: Value<'_>) -> Result<Layout<'_>, Error> {
    if !root.is_object() {
        return Err(not_a_transcript(root, &format!("{} is no tool result", root.kind().name()))
            .with_hint("a tool result is {\"content\":[…]}"));
    }
    let result = match root.get("result") {
        Some(result) if root.get("jsonrpc").is_some() => result,
        _ if root.get("jsonrpc").is_some() => {
            return Err(not_a_transcript(root, "a JSON-RPC message without a `result`"));
        }
        _ => root,
    };
    if !result.is_object() {
        return Err(not_a_transcript(result, &format!("the result is {}, not an object", result.kind().name())));
    }
    if result.get("messages").is_some() || result.get("role").is_some() {
        return Err(not_a_transcript(result, "a transcript or a message, not a tool result"));
    }
    if result.get("resultType").is_some_and(|kind| kind.is_str("input_required")) {
        return Err(not_a_transcript(result, "a request for input, which no model is to see (MCP 2026-07-28)"));
    }
    Ok(plain(Container::Single { object: result.index() }, Messages::One(Some(result))))
}

fn not_a_transcript(value: Value<'_>, message: &str) -> Error {
    Error::new(ErrorKind::NotATranscript, message.to_owned())
        .with_pointer(value.pointer())
        .at(position(value.json().text(), value.span().start))
}

/// Reads system text that stands beside the list into a first message.
pub(crate) fn read_system<'a>(cx: &mut Reader<'a, '_>, system: Value<'a>) {
    let message = cx.message(Role::System, Vec::new());
    let parts = super::lineage::read_content(cx, message, Some(system), system);
    cx.finish(system, parts);
}

/// Reads tool definitions; those of a form that this reader does not know stay with their dialect.
pub(crate) fn read_tools<'a>(cx: &mut Reader<'a, '_>, tools: Option<Value<'a>>) -> Vec<Tool<'a>> {
    let mut read = Vec::new();
    for item in tools.into_iter().flat_map(Value::items) {
        let holder = match cx.dialect {
            Dialect::OpenAiChat => item.get("function").filter(|function| function.is_object()),
            _ => Some(item),
        };
        let schema = if cx.dialect == Dialect::AnthropicMessages { "input_schema" } else { "parameters" };
        let Some(holder) = holder else { continue };
        let Some(name) = holder.get("name").and_then(Value::as_str) else { continue };
        read.push(Tool {
            name,
            description: holder.get("description").and_then(Value::as_str),
            parameters: holder.get(schema).filter(|schema| schema.is_object()).map(Value::raw),
            source: item.index(),
            renamed: false,
        });
    }
    read
}

/// Half surrogate pairs, wherever they stand: the printer writes U+FFFD in their place, so what holds one is written anew.
pub(crate) fn report_lone_surrogates(cx: &mut Reader<'_, '_>) {
    if !cx.json.has_lone_surrogates() {
        return;
    }
    let json = cx.json;
    for index in 0..json.len() as u32 {
        let value = json.value(index);
        if !value.is_string() || !has_lone_surrogate(value.raw()) {
            continue;
        }
        let holder = holder_of(cx, index);
        let call = holder
            .and_then(|holder| cx.messages[holder].blocks.iter().position(|block| in_arguments(json, block, index)));
        if call.is_some() {
            cx.note(
                &rule::TOOL_CALL_ARGUMENTS_ODD_TEXT,
                value,
                "half a surrogate pair in the arguments stays in their text",
            );
        } else {
            cx.mend(&rule::LONE_SURROGATE, value, None, "half a surrogate pair became U+FFFD");
        }
        if let Some(holder) = holder {
            let message = &mut cx.messages[holder];
            message.dirty = true;
            for block in &mut message.blocks {
                block.dirty |= block.source.is_some_and(|source| within(json, source, index));
            }
        }
    }
}

/// The message that a value was read into. The places of messages rise with their order, so this is a search by halves.
fn holder_of(cx: &Reader<'_, '_>, index: u32) -> Option<usize> {
    let messages = &cx.messages;
    let wire = |message: &crate::transcript::Message<'_>| message.origin.map_or(0, |origin| origin.value);
    let end = messages.partition_point(|message| wire(message) <= index);
    let value = wire(messages.get(end.checked_sub(1)?)?);
    let start = messages[..end].partition_point(|message| wire(message) < value);
    let inside = |source: Option<u32>| source.is_some_and(|source| within(cx.json, source, index));
    (start..end)
        .find(|at| inside(messages[*at].source) && messages[*at].source != Some(value))
        .or_else(|| (start..end).find(|at| messages[*at].blocks.iter().any(|block| inside(block.source))))
        .or_else(|| (start..end).find(|at| inside(messages[*at].source)))
}

fn within(json: &Json<'_>, outer: u32, inner: u32) -> bool {
    let (outer, inner) = (json.value(outer).span(), json.value(inner).span());
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether a value stands inside the object that a call is given.
fn in_arguments(json: &Json<'_>, block: &Block<'_>, index: u32) -> bool {
    let (BlockKind::ToolCall(_), Some(source)) = (&block.kind, block.source) else { return false };
    super::fields::ARGUMENTS
        .iter()
        .filter_map(|name| json.value(source).get(name))
        .any(|arguments| arguments.is_object() && within(json, arguments.index(), index))
}
