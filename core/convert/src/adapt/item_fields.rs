//! Members that a server of Responses items refuses: "Unknown parameter: 'input[0].…'".

use crate::adapt::fields::take_out;
use crate::dialects::openai_responses::read::{KIND, text_type};
use crate::dialects::openai_responses::write::{items_of, native, opaque_kind};
use crate::print::out::NOTHING;
use crate::print::{Part, View, Writer};
use crate::read::fields::ERROR_FLAGS;
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in &mut transcript.messages {
        let refused = of_message(message, writer);
        if !refused.is_empty() {
            say(&refused, message, writer);
        }
        if message.role == Role::Assistant {
            of_items(message, writer);
        }
        let role = message.role;
        for block in &mut message.blocks {
            let refused = of_block(block, role, writer);
            if !refused.is_empty() {
                say(&refused, block, writer);
            }
        }
    }
}

/// Reports members that the target refuses.
pub(crate) fn say(refused: &[String], part: &mut impl Part, writer: &mut Writer<'_, '_>) {
    writer.change(&rule::UNKNOWN_FIELD, Severity::Loss, part, refuses(refused));
}

fn refuses(refused: &[String]) -> String {
    let names: Vec<_> = refused.iter().map(|key| format!("`{key}`")).collect();
    format!("the target refuses {}; left out", names.join(", "))
}

/// Takes out what the target refuses of a holder's own members; gives the names. The type, and the role of instructions, are
/// marks of the reader, and what the item of a text has goes along with the text.
fn take(fields: Option<&mut Native<'_>>, holder: &str, writer: &Writer<'_, '_>) -> Vec<String> {
    take_out(fields, Dialect::OpenAiResponses.name(), |key| {
        let mark = key == KIND || key.starts_with("item.") || (key == "role" && matches!(holder, "system" | "user"));
        mark || writer.target.takes_field(holder, key)
    })
}

/// Items that are outputs of calls, and members that only messages and results of other dialects have.
const RESULTS: &[&str] = &["function_call_output", "custom_tool_call_output"];
const OF_MESSAGES: &[&str] = &["role", "name", "toolName", "tool_name"];

fn of_message(message: &mut Message<'_>, writer: &Writer<'_, '_>) -> Vec<String> {
    let holder = match message.role {
        Role::ToolResult if native(message.native.as_deref(), KIND).is_some() => "custom_tool_call_output",
        Role::ToolResult => "function_call_output",
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => return Vec::new(),
    };
    let mut refused = take(message.native.as_deref_mut(), holder, writer);
    if message.role == Role::ToolResult
        && let Some(own) = writer.own(message.source)
    {
        let refuses = |key: &&&str| own.get(key).is_some() && !writer.target.takes_field(holder, key);
        refused.extend(ERROR_FLAGS.iter().filter(refuses).map(|key| (*key).to_owned()));
        // Read too, and no word of it goes along: "Unknown parameter: 'input[2].role'" (maximhq/bifrost#5101).
        if own.get("type").is_some_and(|kind| kind.as_str().is_some_and(|kind| RESULTS.contains(&&*kind))) {
            refused.extend(OF_MESSAGES.iter().filter(refuses).map(|key| (*key).to_owned()));
        }
    }
    refused
}

/// What the model said in one go is several items. A message of it has members that its words do not carry along.
fn of_items<'a>(message: &mut Message<'a>, writer: &mut Writer<'a, '_>) {
    let view = View::new(writer.json, writer.target, writer.same, &NOTHING);
    let own = |kind: &str| writer.target.fields.contains_key(kind);
    let said = |item: &Value<'_>| {
        let kind = item.get("type").and_then(Value::as_str);
        item.get("role").is_some() && !kind.is_some_and(|kind| own(&kind))
    };
    let refused = |item: Value<'_>| -> Vec<String> {
        let names = item.members().filter_map(|(key, value)| Some((key.as_str()?.into_owned(), value)));
        // Calls beside the words were read.
        let others = names.filter(|(key, value)| value.is_null() || !matches!(&**key, "tool_calls" | "toolCalls"));
        others.map(|(key, _)| key).filter(|key| !writer.target.takes_field("assistant", key)).collect()
    };
    let items: Vec<_> =
        items_of(&view, message).into_iter().filter(said).map(|item| (item.index(), refused(item))).collect();
    for (item, refused) in items.into_iter().filter(|(_, refused)| !refused.is_empty()) {
        let within = item..writer.json.node(item).next;
        let stands = |block: &&mut Block<'_>| {
            block.source.is_some_and(|source| within.contains(&source)) && !matches!(block.kind, BlockKind::Opaque(_))
        };
        let Some(block) = message.blocks.iter_mut().find(stands) else { continue };
        block.dirty = true;
        writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, Some(item), Some(block.id), refuses(&refused));
        message.dirty = true;
    }
}

fn of_block(block: &mut Block<'_>, role: Role, writer: &Writer<'_, '_>) -> Vec<String> {
    let marked = native(block.native.as_deref(), KIND).map(|kind| kind.trim_matches('"').to_owned());
    let holder = match &mut block.kind {
        BlockKind::Opaque(opaque) => {
            if opaque.dialect != Dialect::OpenAiResponses.name() {
                return Vec::new();
            }
            let Some((value, refused)) = without_refused(&opaque.value, writer) else { return Vec::new() };
            opaque.value = value.into();
            return refused;
        }
        BlockKind::ToolCall(_) => marked.unwrap_or_else(|| "function_call".to_owned()),
        BlockKind::Thinking(_) => "reasoning".to_owned(),
        BlockKind::Image(_) | BlockKind::Link(_) => "input_image".to_owned(),
        BlockKind::File(_) => "input_file".to_owned(),
        BlockKind::Text(_) => marked.unwrap_or_else(|| text_type(role).to_owned()),
    };
    take(block.native.as_deref_mut(), &holder, writer)
}

/// An item that is carried as it is, without what the target refuses of it; `None` if that is nothing.
pub(crate) fn without_refused(value: &str, writer: &Writer<'_, '_>) -> Option<(String, Vec<String>)> {
    // What has an id and no type is a reference.
    let holder = opaque_kind(value).unwrap_or_else(|| "item_reference".to_owned());
    let json = Json::parse(value, &Limits { max_depth: usize::MAX }).ok()?;
    let (mut members, mut refused) = (Vec::new(), Vec::new());
    for (key, value) in json.root().members() {
        let name = key.as_str()?;
        if writer.target.takes_field(&holder, &name) {
            members.push(format!("{}:{}", quote(&name), value.raw()));
        } else {
            refused.push(name.into_owned());
        }
    }
    (!refused.is_empty()).then(|| (format!("{{{}}}", members.join(",")), refused))
}
