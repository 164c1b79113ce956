//! What the target's dialect has no place for, or says in another way: the report's entries for it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::dialects::Described as _;
use crate::dialects::ai_sdk_model::reasoning::is_the_seal;
use crate::dialects::openai_chat::read::LEGACY as OPENAI_LEGACY;
use crate::print::Writer;
use crate::read::container::layout;
use crate::read::definitions::misplaced;
use crate::read::fields::{ARGUMENTS, CALL_NAMES};
use crate::read::signer::KEPT as KEPT_SIGNATURE;
use crate::read::thought_signature::{
    DETAILS as REASONING_DETAILS, is_detail as is_reasoning_detail, is_told as thought_signature_is_told,
};
use wirecanon_json::Value;
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Block, BlockKind, Container, Message, Native, Role, Transcript};
use wirecanon_model::{Dialect, text};

/// Says what the target's dialect has no place for.
pub(crate) fn report<'t>(transcript: &'t Transcript<'_>, writer: &mut Writer<'_, '_>) {
    /// Fields that are compared with each other; more are looked up.
    const FEW: usize = 16;

    if matches!(transcript.container, Container::Response) {
        response(transcript, writer);
    }
    if writer.same {
        return;
    }
    if let Container::Object { object, key } = transcript.container {
        let spec = transcript.dialect.spec();
        let system_key = spec.system_key(writer.json.value(object));
        let known = |name: &str| name == key || name == spec.tools.list[0] || system_key.is_some_and(|key| name == key);
        // Their definitions were read, wherever they stand.
        let body = writer.json.value(object);
        let misplaced: Vec<_> = misplaced(body, transcript.dialect).map(Value::span).collect();
        for (name, value) in body.members() {
            let name = name.as_str().unwrap_or_default();
            let holds_tools = misplaced.iter().any(|list| value.span().contains(&list.start));
            if !known(&name) && !holds_tools {
                let what = format!("`{name}` belongs to the request, not to the conversation; left out");
                note(writer, &rule::NATIVE_FIELD_LEFT_OUT, value.index(), None, what);
            }
        }
    }
    empty_results(transcript, writer);
    if writer.target.dialect == Dialect::Canonical {
        return;
    }
    // What a reader found for another dialect, it found in fields of its own.
    let canonical = transcript.dialect == Dialect::Canonical;
    let target = writer.target.dialect.name();
    for block in transcript.messages.iter().flat_map(|message| &message.blocks) {
        within_function(block, writer);
    }
    if transcript.dialect == Dialect::OpenAiResponses {
        of_answers(writer);
    }
    beside_results(transcript, writer);
    let carries =
        |message: &&Message<'_>| message.native.is_some() || message.blocks.iter().any(|block| block.native.is_some());
    for message in transcript.messages.iter().filter(carries) {
        let foreign = |native: Option<&'t Native<'_>>, is_call: bool| -> Vec<(&'t str, &'t str)> {
            let own = native.map_or(&[][..], |native| native.of(target));
            let known: Option<HashSet<_>> = (own.len() > FEW).then(|| own.iter().collect());
            native
                .iter()
                .flat_map(|native| &native.dialects)
                .filter(|(dialect, _)| dialect != target && (canonical || dialect == transcript.dialect.name()))
                .flat_map(|(_, fields)| fields)
                // What the target has as its own is not left out.
                .filter(|field| !known.as_ref().map_or_else(|| own.contains(field), |known| known.contains(field)))
                // A null says nothing: it only marks what did not stand there. A call and its result were read whole.
                .filter(|(key, value)| {
                    let is_mark = is_call && key == OPENAI_LEGACY && value == "true";
                    value != "null" && !is_mark && !(key == "role" && value == "\"function\"")
                })
                .map(|(key, value)| (&**key, &**value))
                .collect()
        };
        let names = |fields: Vec<(&'t str, &'t str)>| fields.into_iter().map(|(key, _)| key);
        let mut left: Vec<&str> = names(foreign(message.native.as_deref(), false)).collect();
        let own = message.native.as_deref().map_or(&[][..], |native| native.of(target));
        let detailed = target == Dialect::OpenAiChat.name() && own.iter().any(|(key, _)| key == REASONING_DETAILS);
        for block in &message.blocks {
            let is_call = matches!(block.kind, BlockKind::ToolCall(_));
            let mut fields = foreign(block.native.as_deref(), is_call);
            fields.retain(|(name, value)| {
                let goes_to_gemini =
                    target == Dialect::GeminiContents.name() && thought_signature_is_told(block, value);
                let goes_along = goes_to_gemini || detailed && is_reasoning_detail(block, name);
                !is_the_seal(block, name, transcript.dialect) && !goes_along && *name != KEPT_SIGNATURE
            });
            if block.projected && fields.iter().any(|(name, _)| *name == "response") {
                // The whole of it was read.
            } else if block.projected && fields.iter().any(|(name, _)| *name == "type") {
                projection(writer, block, message.role);
            } else if let Some(source) = block.source.filter(|source| Some(*source) != message.source) {
                fields_left_out(names(fields).collect(), "", source, Some(message.id), writer);
            } else {
                left.extend(names(fields));
            }
        }
        // Fields of a wire message that holds results are kept with one of the results.
        if let Some(source) = message.source.filter(|_| !left.is_empty()) {
            let value = writer.json.value(source);
            let members: HashSet<_> = value.members().filter_map(|(key, _)| key.as_str()).collect();
            let is_of_wire =
                |field: &&str| field.starts_with(OF_WIRE_MESSAGE) || value.is_object() && !members.contains(*field);
            let (of_wire, left): (Vec<_>, Vec<_>) = left.into_iter().partition(is_of_wire);
            let of_wire =
                of_wire.into_iter().map(|field| field.strip_prefix(OF_WIRE_MESSAGE).unwrap_or(field)).collect();
            let wire = message.origin.map_or(source, |origin| origin.value);
            fields_left_out(of_wire, "", wire, Some(message.id), writer);
            fields_left_out(left, "", source, Some(message.id), writer);
        }
    }
}

/// How the names begin of fields of the wire message that are kept with one of its results.
const OF_WIRE_MESSAGE: &str = "message.";

/// Says that fields of a value were left out; `of` names the value, if it is no message.
fn fields_left_out<N: AsRef<str> + PartialEq>(
    mut fields: Vec<N>,
    of: &str,
    source: u32,
    about: Option<u32>,
    writer: &mut Writer<'_, '_>,
) {
    fields.dedup();
    if !fields.is_empty() {
        let names: Vec<_> = fields.iter().map(|name| format!("`{}`", name.as_ref())).collect();
        let what = format!("only its own dialect knows {}{of}; left out", names.join(", "));
        note(writer, &rule::NATIVE_FIELD_LEFT_OUT, source, about, what);
    }
}

/// Says what a call of Chat Completions holds beside its name and its arguments.
fn within_function(block: &Block<'_>, writer: &mut Writer<'_, '_>) {
    let BlockKind::ToolCall(_) = block.kind else { return };
    let Some(call) = writer.value(block.source) else { return };
    let Some(function) = call.get("function") else { return };
    if let Some(older) = call.get(OPENAI_LEGACY).filter(|older| !older.is_null()) {
        fields_left_out(vec![OPENAI_LEGACY], " of a call", older.index(), Some(block.id), writer);
    }
    let others = members_but(function, |key| CALL_NAMES.contains(&key) || ARGUMENTS.contains(&key));
    fields_left_out(others, " of a call", function.index(), Some(block.id), writer);
}

/// Says what answers of the model have beside their text in the Responses API.
fn of_answers(writer: &mut Writer<'_, '_>) {
    const READ: &[&str] = &["type", "role", "content", "id", "status", "phase", "tool_calls", "toolCalls"];
    let Ok(layout) = layout(writer.json, Dialect::OpenAiResponses) else { return };
    let is_answer = |item: &Value<'_>| {
        let role = item.get("role").and_then(Value::as_str);
        role.is_some_and(|role| matches!(&*role, "assistant" | "model"))
    };
    for item in layout.messages.filter(is_answer) {
        fields_left_out(members_but(item, |key| READ.contains(&key)), "", item.index(), None, writer);
    }
}

/// Says what stands beside the results of a message that holds nothing else, and beside what a result of the AI SDK says.
fn beside_results(transcript: &Transcript<'_>, writer: &mut Writer<'_, '_>) {
    let within = [Dialect::AnthropicMessages, Dialect::McpSampling, Dialect::AiSdkModel];
    if !within.contains(&transcript.dialect) {
        return;
    }
    let mut told: HashSet<u32> = transcript
        .messages
        .iter()
        .filter(|message| message.role != Role::ToolResult)
        .filter_map(|message| Some(message.origin?.value))
        .collect();
    for result in transcript.messages.iter().filter(|message| message.role == Role::ToolResult) {
        if let Some(origin) = result.origin.filter(|origin| result.native.is_none() && told.insert(origin.value)) {
            let wire = writer.json.value(origin.value);
            let others = members_but(wire, |key| matches!(key, "role" | "content" | "id" | "type"));
            fields_left_out(others, "", origin.value, Some(result.id), writer);
        }
        let output = writer.value(result.source).and_then(|part| part.get("output"));
        if let Some(output) = output.filter(|_| transcript.dialect == Dialect::AiSdkModel) {
            let others = members_but(output, |key| matches!(key, "type" | "value"));
            fields_left_out(others, " of an output", output.index(), Some(result.id), writer);
        }
    }
}

/// The names of the members of an object that say something and are not read.
fn members_but(object: Value<'_>, is_read: impl Fn(&str) -> bool) -> Vec<Cow<'_, str>> {
    let said = object.members().filter(|(_, value)| !value.is_null());
    said.filter_map(|(key, _)| key.as_str()).filter(|key| !is_read(key)).collect()
}

/// Says what a provider's response has beside the message that was read: its own number, what it cost, further answers.
fn response(transcript: &Transcript<'_>, writer: &mut Writer<'_, '_>) {
    let Ok(layout) = layout(writer.json, transcript.dialect) else { return };
    let read: Vec<_> = layout.messages.map(Value::span).collect();
    // They are in the order of the text.
    let first_in = |outer: &Range<usize>| {
        let at = read.partition_point(|inner| inner.start < outer.start);
        read.get(at).filter(|inner| inner.end <= outer.end)
    };
    for (name, value) in writer.json.root().members() {
        let (name, span) = (name.as_str().unwrap_or_default(), value.span());
        match first_in(&span) {
            None => {
                let what = format!("`{name}` belongs to the response, not to the conversation; left out");
                note(writer, &rule::NATIVE_FIELD_LEFT_OUT, value.index(), None, what);
            }
            Some(message) if *message == span => {}
            Some(_) => {
                for other in value.items().filter(|item| first_in(&item.span()).is_none()) {
                    let what = format!("one answer was read; this one, in `{name}`, was left out");
                    note(writer, &rule::NATIVE_FIELD_LEFT_OUT, other.index(), None, what);
                }
            }
        }
    }
}

/// Says of results that hold nothing, in a form that their own dialect accepts, what stands for it elsewhere.
fn empty_results(transcript: &Transcript<'_>, writer: &mut Writer<'_, '_>) {
    for message in transcript.messages.iter().filter(|message| message.result.is_some()) {
        let [block] = message.blocks.as_slice() else { continue };
        let Some(source) = block.source.or(message.source) else { continue };
        if block.projected && block.words().is_some_and(|words| words == text::NO_OUTPUT) {
            let words = format!("the result holds nothing; `{}` says so", text::NO_OUTPUT);
            writer.entry(&rule::EMPTY_TOOL_RESULT, Severity::Note, Some(source), Some(message.id), words);
        }
    }
}

/// Notes something that stays behind.
pub(crate) fn note(writer: &mut Writer<'_, '_>, rule: &'static Rule, source: u32, about: Option<u32>, message: String) {
    writer.entry(rule, Severity::Note, Some(source), about, message);
    if let Some(entry) = writer.report.notes.last_mut() {
        entry.lost = true;
    }
}

/// A block of which only a stand-in goes along. What it holds is lost where the stand-in says no more than that it was there.
pub(crate) fn projection(writer: &mut Writer<'_, '_>, block: &Block<'_>, role: Role) {
    let Some(source) = block.source else { return };
    let value = writer.json.value(source);
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let words = block.as_text();
    let left_out = words.as_deref().is_some_and(text::is_left_out);
    let (rule, severity): (&'static Rule, _) = match &*kind {
        "resource_link" => (&rule::RESOURCE_LINK_IN_TOOL_RESULT, Severity::Adapt),
        "resource" if words.is_none() => (&rule::RESOURCE_IN_TOOL_RESULT, Severity::Adapt),
        "resource" => (&rule::RESOURCE_IN_TOOL_RESULT, Severity::Loss),
        "image" if left_out => (&rule::BLOCK_IN_WRONG_ROLE, Severity::Loss),
        _ if left_out => (&rule::FILE_NOT_ACCEPTED, Severity::Loss),
        _ if words.is_some() && words == address_of(value) => (&rule::MEDIA_BY_ADDRESS, Severity::Adapt),
        "audio" => (&rule::AUDIO_IN_TOOL_RESULT, Severity::Loss),
        "image" => (&rule::BLOCK_IN_WRONG_ROLE, Severity::Loss),
        _ => (&rule::UNKNOWN_BLOCK, Severity::Adapt),
    };
    let what = match (severity, role) {
        (Severity::Loss, _) => "a text stands in its place",
        _ if words.is_none() => "the bytes in it stand alone",
        (_, Role::ToolResult) => "it stands as what a tool result can hold",
        _ => "it stands as text",
    };
    let what = format!("the target has no place for a `{kind}` block; {what}");
    writer.entry(rule, severity, Some(source), Some(block.id), what);
}

/// The address that a block holds.
fn address_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    [Some(value), value.get("source")].into_iter().flatten().find_map(|holder| holder.get("url")?.as_str())
}
