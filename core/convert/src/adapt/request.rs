//! What a whole request must say beside its messages because of what stands in them. Only a request that was read is
//! looked at, on its way back to its own dialect; a list of messages alone is none.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::dialects::Described as _;
use crate::print::Writer;
use crate::print::out::{NOTHING, Printer};
use crate::print::tools::list;
use crate::read::spec::ToolForm;
use wirecanon_json::{Value, quote};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Container, Edit, Message, Role, Tool, Transcript};
use wirecanon_model::{Dialect, Mode, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let Container::Object { object, .. } = transcript.container else { return };
    if !writer.same || writer.mode != Mode::Request {
        return;
    }
    let request = writer.json.value(object);
    definitions(transcript, request, writer);
    references(transcript, request, writer);
    thinking(transcript, request, writer);
}

/// Members that only a whole request has.
fn marks(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::AnthropicMessages => &["model", "max_tokens"],
        Dialect::BedrockConverse => &["modelId", "inferenceConfig", "toolConfig", "additionalModelRequestFields"],
        _ => &[],
    }
}

/// "The toolConfig field must be defined when using toolUse and toolResult content blocks": each tool that the messages
/// name is defined, with arguments of any kind.
fn definitions<'a>(transcript: &mut Transcript<'a>, request: Value<'a>, writer: &mut Writer<'a, '_>) {
    let dialect = writer.target.dialect;
    if !writer.target.content.definitions || marks(dialect).iter().all(|key| request.get(key).is_none()) {
        return;
    }
    let mut names = HashSet::new();
    let calls = transcript.messages.iter().flat_map(Message::calls).filter_map(|call| call.name.as_deref());
    let tools: Vec<Tool<'_>> = calls.filter(|name| names.insert(*name)).map(undescribed).collect();
    let form = &dialect.spec().tools;
    let Some((holder, depth)) = missing(request, form).filter(|_| !tools.is_empty()) else { return };
    let (key, out) = list(&tools, &ToolForm { list: &form.list[depth..], ..*form }, dialect);
    let mut printer = Printer::new(writer.json, 0, &NOTHING);
    printer.write_at("", &out);
    let text = printer.finish().0;
    let edit = match holder.get(key) {
        Some(value) => Edit { at: value.span(), text },
        None => {
            let start = holder.span().start + 1;
            let comma = if holder.members().next().is_some() { "," } else { "" };
            Edit { at: start..start, text: format!("\"{key}\":{text}{comma}") }
        }
    };
    let what = "the messages hold calls of tools that the request does not define; they were defined by their names";
    writer.entry(&rule::TOOLS_NOT_DEFINED, Severity::Adapt, Some(request.index()), None, what);
    transcript.edits.push(edit);
}

/// "Tool reference '…' not found in available tools": a reference to a tool that is gone is its JSON text. A set of
/// tools that a server of MCP has, and an addition among the messages, may define any.
fn references<'a>(transcript: &mut Transcript<'a>, request: Value<'a>, writer: &mut Writer<'a, '_>) {
    let dialect = writer.target.dialect;
    if dialect != Dialect::AnthropicMessages || marks(dialect).iter().all(|key| request.get(key).is_none()) {
        return;
    }
    let tools = request.get("tools").into_iter().flat_map(Value::items);
    let quoted = |tool: Value<'_>| Some(quote(&tool.get("name")?.as_str()?));
    let Some(known) = tools.map(quoted).collect::<Option<HashSet<_>>>() else { return };
    let adds =
        |block: &Block<'_>| matches!(&block.kind, BlockKind::Opaque(item) if item.value.contains("tool_addition"));
    if transcript.messages.iter().flat_map(|message| &message.blocks).any(adds) {
        return;
    }
    for message in transcript.messages.iter_mut().filter(|message| message.result.is_some()) {
        for block in &mut message.blocks {
            let field = |name: &str| block.native_field(dialect.name(), name);
            let name = field("tool_name").filter(|_| field("type") == Some("\"tool_reference\""));
            let gone = name.is_some_and(|name| !known.contains(name));
            if !block.is_text() || !gone {
                continue;
            }
            let what = "the request defines no such tool; the reference to it was kept as its JSON text";
            writer.adapt(&rule::TOOL_REFERENCE_UNKNOWN, block, what);
            block.native = None;
            block.projected = false;
        }
    }
}

/// The schema of a tool of which only the name is known.
const ANY_ARGUMENTS: &str = r#"{"type":"object"}"#;

fn undescribed(name: &str) -> Tool<'_> {
    Tool {
        name: Cow::Borrowed(name),
        description: None,
        parameters: Some(Cow::Borrowed(ANY_ARGUMENTS)),
        source: 0,
        renamed: false,
        foreign: false,
    }
}

/// The object that should hold definitions and does not, and how far down the way to them it stands.
fn missing<'a>(request: Value<'a>, form: &ToolForm) -> Option<(Value<'a>, usize)> {
    let mut holder = request;
    for (depth, key) in form.list.iter().enumerate() {
        match holder.get(key) {
            Some(found) if depth + 1 < form.list.len() && found.is_object() => holder = found,
            Some(found) if depth + 1 == form.list.len() && found.items().next().is_some() => return None,
            _ => return Some((holder, depth)),
        }
    }
    None
}

/// "When `thinking` is enabled, a final `assistant` message must start with a thinking block … To avoid this requirement,
/// disable `thinking`."
fn thinking<'a>(transcript: &mut Transcript<'a>, request: Value<'a>, writer: &mut Writer<'a, '_>) {
    let asked = request.get("thinking").filter(|asked| asked.get("type").is_some_and(|kind| kind.is_str("enabled")));
    let Some(asked) = asked.filter(|_| writer.target.dialect == Dialect::AnthropicMessages) else { return };
    if !ends_in_results_without_thinking(&transcript.messages) {
        return;
    }
    let what =
        "the turn whose tools were run last does not open with reasoning, which thinking asks for; it was disabled";
    writer.entry(&rule::TURN_WITHOUT_THINKING, Severity::Adapt, Some(asked.index()), None, what);
    transcript.edits.push(Edit { at: asked.span(), text: r#"{"type":"disabled"}"#.to_owned() });
}

/// Whether the transcript ends in results, and no message of the model since the user's last word opens with reasoning.
fn ends_in_results_without_thinking(messages: &[Message<'_>]) -> bool {
    if messages.last().is_none_or(|last| last.role != Role::ToolResult) {
        return false;
    }
    let turn = messages.iter().rev().take_while(|message| matches!(message.role, Role::Assistant | Role::ToolResult));
    let mut turns = turn.filter(|message| message.role == Role::Assistant).peekable();
    let thinks = |message: &Message<'_>| {
        message.blocks.first().is_some_and(|block| matches!(block.kind, BlockKind::Thinking(_)))
    };
    turns.peek().is_some() && !turns.any(thinks)
}
