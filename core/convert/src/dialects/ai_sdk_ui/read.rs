//! UI messages of the Vercel AI SDK (`UIMessage`, versions 5 to 7): a message of the assistant holds whole steps, and a
//! call stands with its result in one part, whose `state` says how far it is.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::dialects::ai_sdk_model::media::{bytes_of, is_address, sound};
use crate::dialects::ai_sdk_model::output::read_bare;
use crate::dialects::ai_sdk_model::read as ai_sdk_model;
use crate::dialects::ai_sdk_model::reasoning::{Signatures, signed, signed_for};
use crate::dialects::ai_sdk_ui::chunk::{self, Told};
use crate::dialects::ai_sdk_ui::{attachment, invocation};
use crate::dialects::openclaw::lineage;
use crate::media;
use crate::read::block::{Item, filled, one_or_all, project, read_item};
use crate::read::call::{block_of_call, read_arguments};
use crate::read::fields::{self, Field, scan};
use crate::read::reader::{Reader, write_anew};
use crate::read::result::result_beside;
use crate::read::spec::{Sign, Spec, SystemField, ToolForm};
use crate::read::typed::is_object_of_objects;
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, File, Link, Media, Message, Role, ToolCall};
use wirecanon_model::{Dialect, rule, text};

pub(crate) static SPEC: Spec = Spec {
    system: SystemField::Either("instructions"),
    system_also: Some("system"),
    tools: ToolForm { schema_also: &["inputSchema"], ..ToolForm::FLAT },
    is_message: |value| value.get("role").is_some() || value.get("parts").is_some_and(Value::is_array),
    keeps_all_reasoning: true,
    blank_results: true,
    blank_in_results: true,
    flat_images: true,
    has_item: |kind, role| match role {
        Role::Assistant => {
            kind.starts_with("tool-")
                || is_never_sent(kind)
                || matches!(kind, "dynamic-tool" | "file" | "reasoning-file" | "custom")
        }
        Role::User => is_never_sent(kind) || kind == "file",
        _ => false,
    },
    seals_reasoning: |thinking| signed_for(thinking).is_some(),
    is_whole,
    read: read_message,
    read_system: ai_sdk_model::read_system,
    signs: &[
        Sign::new(10, "a list of `parts` beside a role", |m| {
            m.get("parts").is_some_and(|parts| {
                parts.is_array() && parts.items().all(|part| part.get("type").is_some_and(Value::is_string))
            }) && m.get("role").is_some()
                && m.get("content").is_none()
        }),
        Sign::new(12, "a `toolInvocation` or `experimental_attachments`", |m| {
            [invocation::KEY, attachment::KEY].iter().any(|key| m.get(key).is_some())
                || parts(m).any(|part| part.get("toolInvocation").is_some())
        }),
        Sign::new(6, "a tool part with `state`", |m| {
            parts(m).any(|part| part.get("toolCallId").is_some() && part.get("state").is_some())
        }),
        Sign::new(3, "`step-start`", |m| {
            parts(m).any(|part| part.get("type").is_some_and(|kind| kind.is_str("step-start")))
        }),
    ],
    ..Spec::COMMON
};

fn parts(message: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    message.get("parts").into_iter().flat_map(Value::items)
}

/// Whether a part of this type is for the interface, or for the user's approval of a call: what is sent to a model passes over
/// it (vercel/ai#9720, vercel/ai#11110).
pub(crate) fn is_never_sent(kind: &str) -> bool {
    matches!(kind, "source-url" | "source-document" | "tool-approval-request" | "tool-approval-response")
        || kind.starts_with("data-")
}

/// Fields of providers, each an object of objects.
const METADATA: [&str; 3] = ["providerMetadata", "callProviderMetadata", "resultProviderMetadata"];

/// Whether the fields of providers stand as the SDK wants them.
pub(crate) fn metadata_is_sound(part: Value<'_>) -> bool {
    METADATA.iter().all(|key| part.get(key).is_none_or(is_object_of_objects))
}

/// Leaves out fields of providers that are no such object.
fn refuse_metadata<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, block: &mut Block<'a>) {
    if metadata_is_sound(item) {
        return;
    }
    if let Some(native) = &mut block.native {
        for key in METADATA {
            native.remove(Dialect::AiSdkUi.name(), key);
        }
    }
    let words = "fields of providers that are no object for each provider were left out";
    cx.lose(&rule::NATIVE_MALFORMED, item, block.id, words);
}

fn is_whole(kind: &str, item: Value<'_>) -> bool {
    if !metadata_is_sound(item) {
        return false;
    }
    match kind {
        "source-url" => {
            item.get("sourceId").is_some_and(Value::is_string) && item.get("url").is_some_and(Value::is_string)
        }
        "source-document" => {
            item.get("sourceId").is_some_and(Value::is_string)
                && filled(item.get("mediaType"))
                && item.get("title").is_some_and(Value::is_string)
        }
        "file" | "reasoning-file" => {
            filled(item.get("mediaType"))
                && item.get("url").and_then(Value::as_str).is_some_and(|url| is_address(&url) || is_data(&url))
        }
        kind if kind.starts_with("data-") => item.get("data").is_some(),
        kind if is_tool(kind, item) => (waits(item) || hosted(item)) && holds_its_state(kind, item),
        _ => true,
    }
}

/// Whether a part of a tool has what its state asks for.
fn holds_its_state(kind: &str, item: Value<'_>) -> bool {
    let failed = item.get("errorText").is_some();
    let answered = failed || item.get("output").is_some();
    metadata_is_sound(item)
        && filled(item.get("toolCallId"))
        && (kind != "dynamic-tool" || filled(item.get("toolName")))
        && match &*state(item) {
            "input-available" => item.get("input").is_some(),
            "output-available" => item.get("input").is_some() && item.get("output").is_some() && !failed,
            "output-error" => item.get("errorText").is_some_and(Value::is_string),
            "approval-requested" => {
                item.get("input").is_some_and(Value::is_object) && approval(item).is_some() && !answered
            }
            "approval-responded" | "output-denied" => {
                item.get("input").is_some_and(Value::is_object)
                    && !answered
                    && approval(item)
                        .is_some_and(|approval| approval.get("approved").is_some_and(|value| value.as_bool().is_some()))
            }
            _ => false,
        }
}

fn state(item: Value<'_>) -> Cow<'_, str> {
    item.get("state").and_then(Value::as_str).unwrap_or_default()
}

/// Whether the provider ran the tool itself.
fn hosted(item: Value<'_>) -> bool {
    item.get("providerExecuted").and_then(Value::as_bool) == Some(true)
}

/// Whether a call waits for the user.
fn waits(item: Value<'_>) -> bool {
    matches!(&*state(item), "approval-requested" | "approval-responded")
}

fn approval(item: Value<'_>) -> Option<Value<'_>> {
    item.get("approval").filter(|approval| approval.get("id").is_some_and(Value::is_string))
}

fn is_data(url: &str) -> bool {
    media::is_data_url(url) && sound(url)
}

/// Whether a part is a call with what became of it. One with a state is that of a tool called `call` or `result`; without,
/// the same type is a part of a model message.
fn is_tool(kind: &str, item: Value<'_>) -> bool {
    kind == "dynamic-tool"
        || (kind.starts_with("tool-")
            && (!matches!(kind, "tool-call" | "tool-result") || item.get("state").is_some_and(Value::is_string)))
}

/// Reads one wire message.
fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let role = match &*wire.get("role").and_then(Value::as_str).unwrap_or_default() {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        _ => return foreign(cx, wire),
    };
    let scan = scan(wire, [("role", &[]), ("parts", &["content"]), ("id", &[])]);
    let [_, mut list, id] = scan.fields;
    let is_list = |list: &Value<'a>| list.is_array() || list.is_object();
    // Some programs store all that a message says under its content.
    let stored = list.value.filter(|content| content.get("parts").is_some_and(Value::is_array));
    if let Some(stored) = stored {
        list.value = stored.get("parts");
    }
    let calls = if role == Role::Assistant { invocation::of_message(stored.unwrap_or(wire)) } else { Vec::new() };
    let Some(list_value) = list.value.filter(is_list) else {
        return if calls.is_empty() { foreign(cx, wire) } else { older(cx, wire, &calls) };
    };
    let mut message = cx.message(role, Vec::new());
    let about = message.id;
    cx.duplicate(scan.duplicate, wire, about);
    cx.alias(&list, "parts", wire, about);
    let mut others = scan.others;
    match id.value {
        Some(value) if value.is_string() => others.extend(wire.members().filter(|(key, _)| key.is_str("id"))),
        value => {
            let at = value.unwrap_or(wire);
            cx.mend(&rule::MESSAGE_WITHOUT_ID, at, about, "the message has no id; it was given one");
        }
    }
    // Each of them is a part too.
    let read = |key: Value<'_>| key.is_str(invocation::KEY) || (key.is_str(attachment::KEY) && role == Role::User);
    others.retain(|(key, value)| !read(*key) || !value.is_array());
    message.native = cx.native(&others);
    let attached = if role == Role::User { attachment::of_message(stored.unwrap_or(wire)) } else { Vec::new() };
    let mut parts = Steps::new(message, chunk::of_message(list_value));
    for item in one_or_all(cx, list_value, about) {
        parts.read(cx, item, role);
    }
    for item in attached {
        cx.mark(about);
        let block = attachment::read(cx, item);
        parts.push(cx, role, block);
    }
    for call in calls {
        parts.invocation(cx, call, wire);
    }
    let mut parts = parts.end();
    if cx.is_marked(about, 0) {
        write_anew(&mut parts);
    }
    cx.finish(wire, parts);
}

/// A message of the assistant without parts, as versions 3 and 4 stored it: its calls, and behind what they brought its words.
fn older<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, calls: &[Value<'a>]) {
    let mut message = cx.message(Role::Assistant, Vec::new());
    let id: Vec<_> = wire.members().filter(|(key, value)| key.is_str("id") && value.is_string()).collect();
    message.native = cx.native(&id);
    let words = "a message without `parts` was read in another dialect's form";
    cx.mend(&rule::FOREIGN_BLOCK_SHAPE, wire, message.id, words);
    let mut steps = Steps::new(message, HashMap::new());
    for (at, call) in calls.iter().enumerate() {
        if at > 0 && invocation::step(*call) != invocation::step(calls[at - 1]) {
            steps.next_step(cx, Role::Assistant);
        }
        steps.invocation(cx, *call, wire);
    }
    let words = wire.get("content").and_then(Value::as_str).filter(|words| !words.trim().is_empty());
    if let (Some(words), Some(content)) = (words, wire.get("content")) {
        steps.next_step(cx, Role::Assistant);
        let block = cx.block(BlockKind::Text(words.into()), content);
        steps.push(cx, Role::Assistant, block);
    }
    let mut parts = steps.end();
    write_anew(&mut parts);
    cx.finish(wire, parts);
}

/// A message in another dialect's form.
fn foreign<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let words = "a message without `parts` was read in another dialect's form";
    let before = lineage::read_foreign(cx, wire, &rule::FOREIGN_BLOCK_SHAPE, words);
    // Pictures with flat fields stand in the outputs of tools alone.
    let said = cx.messages[before..].iter_mut().filter(|message| message.role != Role::ToolResult);
    for block in said.flat_map(|message| &mut message.blocks) {
        block.dirty |= matches!(block.kind, BlockKind::Image(_));
    }
    if let Some(at) = (before..cx.messages.len()).rfind(|at| cx.messages[*at].role == Role::User) {
        let attached: Vec<_> =
            attachment::of_message(wire).into_iter().map(|item| attachment::read(cx, item)).collect();
        cx.messages[at].blocks.extend(attached);
        if let Some(native) = &mut cx.messages[at].native {
            native.remove(Dialect::AiSdkUi.name(), attachment::KEY);
        }
    }
    if wire.get("id").is_none_or(Value::is_string) {
        return;
    }
    for native in cx.messages[before..].iter_mut().filter_map(|message| message.native.as_mut()) {
        native.remove(Dialect::AiSdkUi.name(), "id");
    }
}

/// The steps of one message: what the model said, then what its tools answered.
struct Steps<'a> {
    done: Vec<Message<'a>>,
    step: Option<Message<'a>>,
    results: Vec<Message<'a>>,
    /// What is left of calls that parts of a stream tell of
    told: HashMap<Cow<'a, str>, Told<'a>>,
    /// Those of the step
    signatures: Signatures<'a>,
    /// The number of the message, which is marked where its parts say that it is written anew
    about: u32,
}

impl<'a> Steps<'a> {
    fn new(message: Message<'a>, told: HashMap<Cow<'a, str>, Told<'a>>) -> Self {
        let (about, signatures) = (message.id, Signatures::default());
        Self { done: Vec::new(), step: Some(message), results: Vec::new(), told, signatures, about }
    }

    fn read(&mut self, cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) {
        let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
        if kind == "step-start" {
            if role == Role::Assistant {
                self.next_step(cx, role);
                let step = self.step.get_or_insert_with(|| cx.message(role, Vec::new()));
                step.native.get_or_insert_default().add(cx.dialect.name(), STEP, "true");
            }
            return;
        }
        if let Some(call) = invocation::of_part(&kind, item).filter(|_| role == Role::Assistant) {
            return self.invocation(cx, call, item);
        }
        if role == Role::Assistant && chunk::is_chunk(&kind, item) {
            cx.mark(self.about);
            if let Some((call, result)) = chunk::read(cx, item, &mut self.told) {
                self.push(cx, role, call);
                self.results.extend(result);
            }
            return;
        }
        if role == Role::Assistant && is_tool(&kind, item) {
            return self.tool(cx, item, &kind);
        }
        let marks = cx.marks();
        let mut block = match own_part(cx, item, &kind, role) {
            Some(block) => block,
            None => match read_item(cx, item, role) {
                Item::Block(block) => block,
                Item::Nothing => {
                    cx.mark(self.about);
                    return;
                }
                Item::Result(mut result) => {
                    result.source = Some(item.index());
                    cx.mark(self.about);
                    self.results.push(result);
                    return;
                }
            },
        };
        if kind == "image" && !block.dirty && !cx.is_marked(block.id, marks) {
            cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, "an image with flat fields became a file");
        }
        refuse_metadata(cx, item, &mut block);
        self.signatures.add_once(&mut block, cx.dialect);
        self.push(cx, role, block);
    }

    fn push(&mut self, cx: &mut Reader<'a, '_>, role: Role, block: Block<'a>) {
        self.step.get_or_insert_with(|| cx.message(role, Vec::new())).blocks.push(block);
    }

    /// Ends a step, unless nothing has been said in it.
    fn next_step(&mut self, cx: &mut Reader<'a, '_>, role: Role) {
        let empty = self.step.as_ref().is_none_or(|step| step.blocks.is_empty());
        if empty && self.results.is_empty() {
            return;
        }
        self.done.extend(self.step.take());
        self.done.append(&mut self.results);
        self.step = Some(cx.message(role, Vec::new()));
        self.signatures = Signatures::default();
    }

    fn end(mut self) -> Vec<Message<'a>> {
        let first = self.done.is_empty();
        let keep = |step: &Message<'a>| first || !step.blocks.is_empty();
        self.done.extend(self.step.take().filter(keep));
        self.done.append(&mut self.results);
        self.done
    }

    /// A call of version 4, which stands at this place.
    fn invocation(&mut self, cx: &mut Reader<'a, '_>, call: Value<'a>, at: Value<'a>) {
        let (block, result) = invocation::read(cx, call, at);
        cx.mark(self.about);
        self.push(cx, Role::Assistant, block);
        self.results.extend(result);
    }

    /// A call with what became of it.
    fn tool(&mut self, cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str) {
        let state = state(item);
        if is_whole(kind, item) {
            let block = cx.opaque(item);
            return self.push(cx, Role::Assistant, block);
        }
        let mut block = call(cx, item, kind, &state);
        refuse_metadata(cx, item, &mut block);
        let BlockKind::ToolCall(call) = &block.kind else { return };
        let result = answer(cx, item, &state).map(|(blocks, is_error, dirty)| {
            if dirty {
                cx.mark(self.about);
            }
            Message { dirty, ..result_beside(cx, item, blocks, call, is_error) }
        });
        self.push(cx, Role::Assistant, block);
        self.results.extend(result);
    }
}

/// Marks a message in front of which a step began.
pub(crate) const STEP: &str = "step-start";

fn call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, state: &str) -> Block<'a> {
    let scan = scan(
        item,
        [
            ("type", &[]),
            ("toolCallId", fields::CALL_IDS),
            ("toolName", &[]),
            ("input", fields::ARGUMENTS),
            ("state", &[]),
            ("output", &[]),
            ("errorText", &[]),
            ("rawInput", &[]),
            ("approval", &[]),
            ("preliminary", &[]),
        ],
    );
    let [_, id, name, input, _, _, _, raw, approval, preliminary] = scan.fields;
    let block_id = cx.id();
    cx.duplicate(scan.duplicate, item, block_id);
    cx.aliases([(&id, "toolCallId"), (&input, "input")], item, block_id);
    let id = cx.call_id(&id, item, block_id);
    let name = if kind == "dynamic-tool" {
        cx.tool_name(&name, item, block_id)
    } else {
        let said = &kind["tool-".len()..];
        if said.trim().len() != said.len() {
            cx.mend(&rule::TOOL_NAME_WHITE_SPACE, item, block_id, "white space around the name was taken off");
        }
        Some(said.trim()).filter(|name| !name.is_empty()).map(|name| Cow::Owned(name.to_owned()))
    };
    // Arguments that did not parse are kept apart, as text.
    let arguments = read_arguments(input.some().or(raw.some()));
    let states = ["input-streaming", "input-available", "output-available", "output-error", "output-denied"];
    if !states.contains(&state) {
        cx.mend(&rule::TOOL_PART_WITHOUT_STATE, item, block_id, "the part does not say how far its call is");
    } else if !holds_its_state(kind, item) && state != "input-streaming" {
        cx.mend(&rule::TOOL_PART_WITHOUT_STATE, item, block_id, "the part lacks what its state asks for");
    }
    let mut others = scan.others;
    for field in [approval, preliminary] {
        others.extend(field.value.and_then(|_| item.members().find(|(key, _)| key.is_str(field.key))));
    }
    let call = ToolCall { id, name, arguments, unfinished: state == "input-streaming" };
    let mut native = cx.native(&others);
    if kind == "dynamic-tool" {
        native.get_or_insert_default().add(cx.dialect.name(), "type", "\"dynamic-tool\"");
    }
    block_of_call(block_id, call, item, native)
}

/// What a tool answered: its blocks, whether it is an error, and whether it must be written anew; `None` where it has not.
fn answer<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, state: &str) -> Option<(Vec<Block<'a>>, bool, bool)> {
    let (output, error) = (item.get("output"), item.get("errorText"));
    match state {
        "output-denied" => {
            let reason = item.get("approval").and_then(|approval| approval.get("reason")).and_then(Value::as_str);
            let words = reason.filter(|reason| !reason.trim().is_empty()).unwrap_or(Cow::Borrowed("output-denied"));
            Some((vec![cx.stand_in(words, item)], true, false))
        }
        "input-available" | "input-streaming" if output.is_none() && error.is_none() => None,
        _ if error.is_some() => {
            let error = error?;
            let words = error.as_str().unwrap_or(Cow::Borrowed(error.raw()));
            let empty = words.trim().is_empty();
            let mut block = cx.block(BlockKind::Text(if empty { text::NO_OUTPUT.into() } else { words.into() }), error);
            block.projected = empty;
            Some((vec![block], true, state != "output-error"))
        }
        _ => {
            let output = output?;
            let (blocks, is_error) = read_bare(cx, item, output);
            Some((blocks, is_error, state != "output-available"))
        }
    }
}

/// A part in this dialect's own spelling.
fn own_part<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Option<Block<'a>> {
    match (kind, role) {
        ("reasoning", Role::Assistant) => {
            let scan = scan(item, [("type", &[]), ("text", &[])]);
            let text = scan.fields[1].value?.as_str()?;
            let thinking = signed(cx.dialect, text, item.get("providerMetadata"));
            Some(cx.block_with(BlockKind::Thinking(Box::new(thinking)), item, &scan))
        }
        ("file", Role::User) => file(cx, item),
        ("file", Role::Assistant) if is_whole(kind, item) => {
            let name = item.get("filename").and_then(Value::as_str);
            let mime = item.get("mediaType").and_then(Value::as_str).unwrap_or_default();
            Some(project(cx, item, Cow::Owned(text::file_left_out(name.as_deref(), &mime))))
        }
        _ => None,
    }
}

/// A file by a data URL or an address.
fn file<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Option<Block<'a>> {
    let scan = scan(item, [("type", &[]), ("url", &[]), ("mediaType", fields::MIME_TYPES), ("filename", &[])]);
    let [_, url, mime, name]: [Field<'a>; 4] = scan.fields;
    let url = url.value?.as_str().filter(|url| !url.trim().is_empty())?;
    let mime_type = mime.value.and_then(Value::as_str).filter(|mime| !mime.trim().is_empty());
    let picture = media::is_picture(mime_type.as_deref(), &url);
    let mut others = scan.others;
    let mut block = if is_address(&url) {
        if !picture {
            return None;
        }
        others.extend(name.value.and_then(|_| item.members().find(|(key, _)| key.is_str("filename"))));
        cx.block(BlockKind::Link(Box::new(Link { url, mime_type })), item)
    } else if !media::is_data_url(&url) {
        return if picture { Some(bare(cx, item, url, mime_type)) } else { None };
    } else if picture {
        others.extend(name.value.and_then(|_| item.members().find(|(key, _)| key.is_str("filename"))));
        let (_, data) = bytes_of(&url);
        cx.block(BlockKind::Image(Box::new(Media { data: Some(data), mime_type })), item)
    } else if is_data(&url) {
        let (_, data) = bytes_of(&url);
        let name = name.value.and_then(Value::as_str);
        let mime_type = mime_type?;
        cx.block(BlockKind::File(Box::new(File { data, mime_type, name })), item)
    } else {
        return None;
    };
    block.native = cx.native(&others);
    cx.duplicate(scan.duplicate, item, block.id);
    cx.alias(&mime, "mediaType", item, block.id);
    Some(block)
}

/// Base64 without the data URL around it.
fn bare<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    data: Cow<'a, str>,
    mime_type: Option<Cow<'a, str>>,
) -> Block<'a> {
    let media = Media { data: Some(data), mime_type };
    let block = cx.block(BlockKind::Image(Box::new(media)), item);
    cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, "the bytes of a picture were put into a data URL");
    block
}
