//! Places of a request, beside calls, results and tools that were read, that name tools of the client: the choice of a tool,
//! definitions in items of the input, and definitions that are not read because their schema stands in an unknown place.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::print::Writer;
use crate::read::definitions::{ToolShape, holder, others, shape};
use wirecanon_json::{Json, Limits, Value, quote, spliced};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{BlockKind, Container, Edit, Opaque, Transcript};
use wirecanon_model::{Dialect, rule};

/// Ways to names of tools in a request body of any dialect; `*` means each item of a list. Sources: the references of the APIs
/// for `tool_choice`, `toolConfig` and `context_management`, and npm:ai@7.0.173 `generateText`.
const WAYS: &[&[&str]] = &[
    &["tool_choice", "name"],
    &["tool_choice", "function", "name"],
    &["tool_choice", "custom", "name"],
    &["tool_choice", "tools", "*", "name"],
    &["tool_choice", "allowed_tools", "tools", "*", "name"],
    &["tool_choice", "allowed_tools", "tools", "*", "function", "name"],
    &["tool_choice", "allowed_tools", "tools", "*", "custom", "name"],
    &["function_call", "name"],
    &["context_management", "edits", "*", "exclude_tools", "*"],
    &["toolConfig", "functionCallingConfig", "allowedFunctionNames", "*"],
    &["tool_config", "function_calling_config", "allowed_function_names", "*"],
    &["toolConfig", "toolChoice", "tool", "name"],
    &["toolChoice", "toolName"],
    &["activeTools", "*"],
];

/// Returns the names of tools that are defined elsewhere than among those that were read.
pub(crate) fn defined_elsewhere(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> Vec<String> {
    let blocks = transcript.messages.iter().flat_map(|message| &message.blocks);
    let items = blocks.filter_map(|block| match &block.kind {
        BlockKind::Opaque(item) if item.dialect == Dialect::OpenAiResponses.name() => Some(&item.value),
        _ => None,
    });
    let defining = items.filter(|item| item.contains(ADDITIONAL_TOOLS));
    let in_items = defining
        .filter_map(|item| Json::parse(item, &LIMITS).ok())
        .flat_map(|json| names(json.root()).filter_map(text).collect::<Vec<_>>());
    in_items.chain(in_unread_definitions(transcript, writer).filter_map(text)).collect()
}

fn text(name: Value<'_>) -> Option<String> {
    name.as_str().map(Cow::into_owned)
}

/// Returns the names in definitions of functions that could not be read.
fn in_unread_definitions<'a>(
    transcript: &Transcript<'a>,
    writer: &Writer<'a, '_>,
) -> impl Iterator<Item = Value<'a>> + use<'a> {
    let body = match transcript.container {
        Container::Object { object, .. } => Some(writer.json.value(object)),
        _ => None,
    };
    let dialect = transcript.dialect;
    let unread = body.into_iter().flat_map(move |body| others(body, dialect)).map(|(item, _)| item);
    let functions = unread.filter(|item| shape(*item) != ToolShape::ProviderRun);
    functions.filter_map(|item| holder(item).get("name").filter(|name| name.is_string()))
}

/// Gives the places the names that the tools have now: `map` has the new name of each that was changed.
pub(crate) fn rename<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>, map: &HashMap<String, String>) {
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            let BlockKind::Opaque(item) = &mut block.kind else { continue };
            if rename_in_item(item, map) {
                block.dirty = true;
                message.dirty = true;
                let what = "tools that the item defines have the names that the target takes";
                say(writer, block.source, Some(block.id), what);
            }
        }
    }
    let Container::Object { object, .. } = transcript.container else { return };
    let body = writer.json.value(object);
    for name in in_unread_definitions(transcript, writer) {
        let Some(new) = name.as_str().and_then(|name| map.get(&*name)) else { continue };
        transcript.edits.push(Edit { at: name.span(), text: quote(new) });
        say(writer, Some(name.index()), None, "the target does not take the name of the tool");
    }
    for name in WAYS.iter().flat_map(|way| follow(body, way)) {
        let Some(new) = name.as_str().and_then(|name| map.get(&*name)) else { continue };
        transcript.edits.push(Edit { at: name.span(), text: quote(new) });
        say(writer, Some(name.index()), None, "the request names the tool as its definition does now");
    }
}

const LIMITS: Limits = Limits { max_depth: usize::MAX };

/// The type of an item that defines tools.
const ADDITIONAL_TOOLS: &str = "additional_tools";

fn say(writer: &mut Writer<'_, '_>, source: Option<u32>, about: Option<u32>, words: &'static str) {
    writer.entry(&rule::TOOL_NAME_CHARACTERS, Severity::Adapt, source, about, words);
}

/// Renames the tools that an item defines. Returns whether one was renamed.
fn rename_in_item(item: &mut Opaque<'_>, map: &HashMap<String, String>) -> bool {
    if item.dialect != Dialect::OpenAiResponses.name() || !item.value.contains(ADDITIONAL_TOOLS) {
        return false;
    }
    let Ok(json) = Json::parse(&item.value, &LIMITS) else { return false };
    let edits = names(json.root()).filter_map(|name| Some((name.span(), quote(map.get(&*name.as_str()?)?))));
    let edits: Vec<_> = edits.collect();
    if edits.is_empty() {
        return false;
    }
    item.value = spliced(json.text(), edits).into();
    true
}

/// The names of the functions that an item defines.
fn names(item: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let tools = item.get("tools").filter(|_| item.get("type").is_some_and(|kind| kind.is_str(ADDITIONAL_TOOLS)));
    let is_function =
        |tool: &Value<'_>| tool.get("type").is_some_and(|kind| kind.is_str("function") || kind.is_str("custom"));
    tools.into_iter().flat_map(Value::items).filter(is_function).filter_map(|tool| tool.get("name"))
}

/// The values that a way leads to.
fn follow<'a>(value: Value<'a>, way: &[&str]) -> Vec<Value<'a>> {
    match way {
        [] => vec![value],
        ["*", rest @ ..] => value.items().flat_map(|item| follow(item, rest)).collect(),
        [key, rest @ ..] => value.get(key).map(|value| follow(value, rest)).unwrap_or_default(),
    }
}
