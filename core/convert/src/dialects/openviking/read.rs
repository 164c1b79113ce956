//! Messages of typed parts, as `OpenViking` stores them: `text`, `context` and `tool`. A tool part is a call and its result in
//! one; `pending` and `running` ones have no result yet. Fields as in `openviking/message`, read as its `OpenClaw` plugin
//! reads them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::dialects::openclaw::lineage::read_older_content;
use crate::read::block::{Item, project, read_item};
use crate::read::call::{block_of_call, read_arguments};
use crate::read::fields::{CALL_IDS, CALL_TYPES, scan};
use crate::read::reader::Reader;
use crate::read::result::{self, ContentForms, result_beside};
use crate::read::role::{alias, leave_out, read_by_role, read_under_another_name};
use crate::read::spec::{Sign, Spec, SystemField};
use wirecanon_json::{Kind, Value, mend_surrogates};
use wirecanon_model::transcript::{Arguments, Block, BlockKind, Message, Role, ToolCall};
use wirecanon_model::{rule, text};

pub(crate) static SPEC: Spec = Spec {
    system: SystemField::Nowhere,
    is_lone_result: |_| false,
    results: ContentForms { string: true, absent: true, empty: true },
    blank_results: true,
    read: |cx, wire| read_by_role(cx, wire, read_as),
    item: |cx, item, _| context(cx, item).map(Item::Block),
    finish: Some(|cx| {
        name_calls(cx);
        say_once(cx);
    }),
    signs: &[
        Sign::new(14, "a `tool` part with `tool_id` or `tool_status`", |m| {
            part(m, |p| is_tool(p) && (p.get("tool_id").is_some() || p.get("tool_status").is_some()))
        }),
        Sign::new(7, "a `context` part", |m| {
            part(m, |p| p.get("type").is_some_and(|kind| kind.is_str("context")) && p.get("uri").is_some())
        }),
        Sign::new(2, "`parts` of type `text`", |m| part(m, |p| p.get("type").is_some_and(|kind| kind.is_str("text")))),
    ],
    ..Spec::COMMON
};

fn part(message: Value<'_>, shows: fn(Value<'_>) -> bool) -> bool {
    message.get("parts").is_some_and(|parts| parts.items().take(4096).any(shows))
}

fn is_tool(part: Value<'_>) -> bool {
    part.get("type").is_some_and(|kind| kind.is_str("tool")) || is_tool_under_another_type(part)
}

/// Whether this is a tool part, by its own fields, with the type that other dialects give to a call.
fn is_tool_under_another_type(part: Value<'_>) -> bool {
    const OWN: &[&str] = &["tool_id", "tool_name", "tool_input", "tool_output", "tool_status", "output", "status"];
    part.get("type").and_then(Value::as_str).is_some_and(|kind| CALL_TYPES.contains(&&*kind))
        && OWN.iter().any(|key| part.get(key).is_some_and(|value| !value.is_null()))
}

/// Fields of a tool part under the names that other systems give them.
pub(crate) const ALIASES: [&[&str]; 4] = [TOOL_NAMES, TOOL_INPUTS, TOOL_OUTPUTS, TOOL_STATUSES];
const TOOL_NAMES: &[&str] = &["name", "toolName"];
const TOOL_INPUTS: &[&str] = &["input", "args", "arguments", "toolInput"];
const TOOL_OUTPUTS: &[&str] = &["output", "toolOutput"];
const TOOL_STATUSES: &[&str] = &["status", "toolStatus"];

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let role = match name {
        "user" => Role::User,
        "assistant" | "model" => Role::Assistant,
        "system" | "developer" => Role::System,
        "tool" | "toolResult" | "function" if wire.get("parts").is_none() => return result::foreign(cx, wire, name),
        "tool" | "toolResult" | "function" => return leave_out(cx, wire),
        _ => return read_under_another_name(cx, wire, read_as),
    };
    let scan = scan(wire, [("role", &[]), ("parts", &[]), ("content", &[])]);
    let [_, parts, content] = scan.fields;
    let mut message = cx.message(role, Vec::new());
    let about = message.id;
    if !matches!(name, "user" | "assistant") {
        alias(cx, wire, name, role.name(), about);
    }
    cx.duplicate(scan.duplicate, wire, about);
    let mut others = scan.others;
    if let (Some(_), Some(value)) = (parts.some(), content.value)
        && let Some(member) = wire.members().find(|(_, found)| found.index() == value.index())
    {
        // Where there are parts, nobody looks at the older field.
        others.push(member);
    }
    message.native = cx.native(&others);
    match parts.some() {
        None => {
            // The older form: a string of content in place of parts.
            let read = read_older_content(cx, message, content.value, wire);
            cx.finish(wire, read);
        }
        Some(list) => {
            let mut held = Held::new(message);
            if list.is_array() {
                for item in list.items() {
                    held.read(cx, item);
                }
            } else {
                let words = "what stands in place of the list of parts was put into one";
                cx.mend(&rule::CONTENT_NOT_A_LIST, list, about, words);
                match list.kind() {
                    Kind::Object => held.read(cx, list),
                    Kind::String => {
                        held.message.blocks.push(cx.block(BlockKind::Text(list.words().unwrap_or_default()), list));
                    }
                    _ => held.message.blocks.push(cx.text_anew(mend_surrogates(list.raw()), list)),
                }
            }
            let read = held.end(cx, list);
            cx.finish(wire, read);
        }
    }
}

/// What one wire message holds: words, calls, results.
struct Held<'a> {
    message: Message<'a>,
    /// Calls in a message of the user, which are the assistant's
    calls: Vec<Block<'a>>,
    results: Vec<Message<'a>>,
}

impl<'a> Held<'a> {
    fn new(message: Message<'a>) -> Self {
        Self { message, calls: Vec::new(), results: Vec::new() }
    }

    fn read(&mut self, cx: &mut Reader<'a, '_>, item: Value<'a>) {
        let role = self.message.role;
        if is_tool(item) {
            let (call, result) = tool(cx, item);
            if role == Role::Assistant {
                self.message.blocks.push(call);
            } else {
                self.calls.push(call);
            }
            self.results.extend(result);
            return;
        }
        match read_item(cx, item, role) {
            Item::Block(block) => self.message.blocks.push(block),
            Item::Nothing => self.message.dirty = true,
            Item::Result(mut result) => {
                result.source = Some(item.index());
                result.dirty = true;
                self.message.dirty = true;
                self.results.push(result);
            }
        }
    }

    fn end(mut self, cx: &mut Reader<'a, '_>, list: Value<'a>) -> Vec<Message<'a>> {
        let mut all = Vec::new();
        let assistant = (!self.calls.is_empty()).then(|| cx.message(Role::Assistant, std::mem::take(&mut self.calls)));
        let alone = self.message.role != Role::Assistant && assistant.is_none() && self.results.is_empty();
        if alone && self.message.blocks.is_empty() {
            cx.mend(&rule::EMPTY_MESSAGE, list, self.message.id, "a message without parts holds a blank text");
        }
        let keep = alone || !self.message.blocks.is_empty() || self.message.role == Role::Assistant;
        let dirty = cx.is_changed(&self.message);
        if keep {
            all.push(self.message);
        }
        all.extend(assistant);
        all.extend(self.results);
        // What is wrong with the wire message is wrong with its first part.
        if let Some(first) = all.first_mut() {
            first.dirty |= dirty;
        }
        all
    }
}

/// A reference to something that the server remembers; its abstract is what a model is shown.
fn context<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Option<Block<'a>> {
    if !item.get("type")?.is_str("context") {
        return None;
    }
    let text = |key: &str| item.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let words = text("abstract").or_else(|| text("uri"))?;
    Some(project(cx, item, words))
}

/// How far a tool is, and how it ended.
fn is_open(status: &str) -> bool {
    matches!(status, "pending" | "running")
}

/// Reads a tool part: the call, and the result if the tool is done.
fn tool<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> (Block<'a>, Option<Message<'a>>) {
    let scan = scan(
        item,
        [
            ("type", &[]),
            ("tool_id", CALL_IDS),
            ("tool_name", TOOL_NAMES),
            ("tool_input", TOOL_INPUTS),
            ("tool_output", TOOL_OUTPUTS),
            ("tool_status", TOOL_STATUSES),
        ],
    );
    let [_, id, name, input, output, status] = scan.fields;
    let (block_id, marks) = (cx.id(), cx.marks());
    cx.duplicate(scan.duplicate, item, block_id);
    if is_tool_under_another_type(item) {
        cx.mend(&rule::TOOL_CALL_ALIAS, item, block_id, "a call under another type was read as a `tool` part");
    }
    let named = [
        (&id, "tool_id"),
        (&name, "tool_name"),
        (&input, "tool_input"),
        (&output, "tool_output"),
        (&status, "tool_status"),
    ];
    for (field, own) in named {
        if field.some().is_some() {
            cx.alias(field, own, item, block_id);
        }
    }
    let (call_id, tool_name) = (cx.call_id(&id, item, block_id), cx.tool_name(&name, item, block_id));
    // An input of nothing is not stored.
    let projected = input.some().is_none();
    let arguments = if projected { Arguments::Json(Cow::Borrowed("{}")) } else { read_arguments(input.value) };
    let words = output.some().filter(|output| !output.is_str(""));
    let (is_error, done) = how(cx, item, block_id, status.value, words.is_some());
    let call = ToolCall { id: call_id, name: tool_name, arguments, unfinished: false };
    let result = done.then(|| {
        let mut message = result_beside(cx, item, Vec::new(), &call, is_error);
        message.blocks = vec![said(cx, item, words, message.id)];
        message.dirty = cx.marks() > marks;
        message
    });
    let native = cx.native(&scan.others);
    (Block { projected, ..block_of_call(block_id, call, item, native) }, result)
}

/// Whether the tool failed, and whether it is done.
fn how<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    about: u32,
    status: Option<Value<'a>>,
    has_output: bool,
) -> (bool, bool) {
    let said = status.and_then(Value::as_str).unwrap_or_default();
    let (is_error, done, words) = match (&*said, status, has_output) {
        ("completed", ..) => return (false, true),
        ("error", ..) => return (true, true),
        (open, _, false) if is_open(open) => return (false, false),
        (_, None, false) => return (false, false),
        (open, _, true) if is_open(open) => {
            (true, true, "a tool that is not done has an output; it counts as broken off")
        }
        ("failed" | "failure" | "interrupted" | "cancelled" | "aborted", ..) => {
            (true, true, "the status is none of OpenViking's; the tool counts as failed")
        }
        (_, _, true) => (false, true, "the status is none of OpenViking's; the tool counts as completed"),
        (_, _, false) => {
            (false, false, "the status is none of OpenViking's, and there is no output; the tool counts as pending")
        }
    };
    cx.mend(&rule::TOOL_STATUS_UNKNOWN, item, about, words);
    (is_error, done)
}

/// The words of a result, with the reference to what was stored elsewhere, as the plugin shows them.
fn said<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, output: Option<Value<'a>>, about: u32) -> Block<'a> {
    let mut anew = false;
    let stored = item.get("tool_output_ref").and_then(Value::as_str).filter(|stored| !stored.trim().is_empty());
    let mut block = match output {
        Some(output) => {
            let words = output.as_str().unwrap_or_else(|| {
                anew = true;
                mend_surrogates(output.raw())
            });
            if anew {
                let what = "an output that is no string was kept as its JSON text";
                cx.mend(&rule::CONTENT_NOT_A_LIST, output, about, what);
            }
            cx.block(BlockKind::Text(words.into()), output)
        }
        None => {
            // A reference says where the output is.
            let words = if stored.is_some() { "" } else { text::NO_OUTPUT };
            Block { source: None, ..cx.stand_in(words, item) }
        }
    };
    block.dirty = anew;
    if let (Some(stored), BlockKind::Text(words)) = (stored, &mut block.kind)
        && !words.get().contains(&*stored)
    {
        let chars = item.get("tool_output_original_chars").filter(|chars| chars.as_f64().is_some());
        let chars = chars.map_or(String::new(), |chars| format!(" original_chars={}", chars.raw()));
        let before = if words.get().is_empty() { String::new() } else { format!("{}\n", words.get()) };
        *words = format!("{before}[tool-result-ref] {stored}{chars}").into();
        block.projected = true;
    }
    block
}

/// Gives calls without an id one of their own: the call and the result of one part belong together.
fn name_calls(cx: &mut Reader<'_, '_>) {
    let nameless = |message: &Message<'_>| message.calls().any(|call| call.id.is_none());
    if !cx.messages.iter().any(nameless) {
        return;
    }
    let mut taken: HashSet<String> =
        cx.messages.iter().flat_map(Message::calls).filter_map(|call| call.id.as_deref()).map(str::to_owned).collect();
    taken.extend(
        cx.messages.iter().filter_map(|message| message.result.as_ref()?.call_id.as_deref()).map(str::to_owned),
    );
    let mut count = 0;
    let mut messages = std::mem::take(&mut cx.messages);
    let mut given = HashMap::new();
    for message in &mut messages {
        for block in &mut message.blocks {
            let BlockKind::ToolCall(call) = &mut block.kind else { continue };
            let Some(source) = block.source.filter(|source| call.id.is_none() && is_tool(cx.json.value(*source)))
            else {
                continue;
            };
            let id = loop {
                count += 1;
                let id = format!("call_{count}");
                if taken.insert(id.clone()) {
                    break id;
                }
            };
            let words = format!("the tool part has no id; its call was given `{id}`, with its result");
            cx.mend(&rule::TOOL_CALL_WITHOUT_ID, cx.json.value(source), block.id, words);
            call.id = Some(Cow::Owned(id.clone()));
            block.dirty = true;
            message.dirty = true;
            given.insert(source, id);
        }
        if let (Some(head), Some(source)) = (&mut message.result, message.source)
            && head.call_id.is_none()
            && let Some(id) = given.get(&source)
        {
            head.call_id = Some(Cow::Owned(id.clone()));
            message.dirty = true;
        }
    }
    cx.messages = messages;
}

/// A call that is pending in one message and stands again, with what became of it, in a later one, is one call: the later
/// part takes its place.
fn say_once(cx: &mut Reader<'_, '_>) {
    let answered: HashSet<u32> =
        cx.messages.iter().filter(|message| message.result.is_some()).filter_map(|message| message.source).collect();
    let mut messages = std::mem::take(&mut cx.messages);
    // Calls that are still open, by id: their message and block.
    let mut open: HashMap<String, (usize, usize)> = HashMap::new();
    let mut emptied = HashSet::new();
    for at in 0..messages.len() {
        let mut blocks = std::mem::take(&mut messages[at].blocks).into_iter();
        let mut kept = Vec::with_capacity(blocks.len());
        while let Some(mut block) = blocks.next() {
            let (BlockKind::ToolCall(call), Some(source)) = (&block.kind, block.source) else {
                kept.push(block);
                continue;
            };
            let id = call.id.as_deref().unwrap_or_default().to_owned();
            let before = open.get(&id).copied().filter(|(first, earlier)| {
                let wire = |at: usize| messages[at].origin.map(|origin| origin.value);
                wire(*first) != wire(at) && says_the_same(&messages[*first].blocks[*earlier], &block)
            });
            let Some((first, earlier)) = before else {
                if is_tool(cx.json.value(source)) && !answered.contains(&source) {
                    open.insert(id, (at, kept.len()));
                } else {
                    open.remove(&id);
                }
                kept.push(block);
                continue;
            };
            messages[at].dirty = true;
            messages[first].dirty = true;
            if answered.contains(&source) {
                open.remove(&id);
            }
            // A message of which nothing is left but its results goes, with its own fields.
            let left = !kept.is_empty() || blocks.len() > 0;
            let fields = !left && messages[at].native.is_some();
            if !left {
                emptied.insert(messages[at].id);
            }
            let pending = &mut messages[first].blocks[earlier];
            take_over(cx, pending, &mut block, fields);
            *pending = block;
        }
        messages[at].blocks = kept;
    }
    messages.retain(|message| !emptied.contains(&message.id));
    cx.messages = messages;
}

/// Whether two parts can be the same call: the same tool, and no two inputs that differ.
fn says_the_same(pending: &Block<'_>, later: &Block<'_>) -> bool {
    let (BlockKind::ToolCall(pending_call), BlockKind::ToolCall(later_call)) = (&pending.kind, &later.kind) else {
        return false;
    };
    let same_input = match (&pending_call.arguments, &later_call.arguments) {
        (Arguments::Json(one), Arguments::Json(other)) => one == other,
        _ => false,
    };
    pending_call.name == later_call.name && (pending.projected || later.projected || same_input)
}

/// Gives a part what only the pending one of the same call says. Fields that neither can hold go.
fn take_over<'a>(cx: &mut Reader<'a, '_>, pending: &mut Block<'a>, later: &mut Block<'a>, fields_go: bool) {
    if let (BlockKind::ToolCall(from), BlockKind::ToolCall(to)) = (&mut pending.kind, &mut later.kind)
        && later.projected
        && !pending.projected
    {
        to.arguments = std::mem::replace(&mut from.arguments, Arguments::Missing);
        later.projected = false;
        later.dirty = true;
    }
    let name = cx.dialect.name();
    let fields =
        |block: &Block<'a>| -> Vec<Cow<'a, str>> { block.native_of(name).iter().map(|(key, _)| key.clone()).collect() };
    let known = fields(later);
    let alone = fields_go || fields(pending).into_iter().any(|key| !known.contains(&key));
    let Some(source) = pending.source.map(|source| cx.json.value(source)) else { return };
    let words = "the call stands again in a later message, with what became of it; it counts once";
    if alone {
        cx.lose(&rule::DUPLICATE_TOOL_CALL_ID, source, later.id, words);
    } else {
        cx.mend(&rule::DUPLICATE_TOOL_CALL_ID, source, later.id, words);
    }
}
