//! Stored messages of `lossless-claw`: a row a message, with a row a part (`part_type`, `ordinal`, columns, and `metadata`: a
//! JSON text with the original block under `raw`). Columns count before the original block, but for blocks that are no
//! tool's, which count as they are. Rows are read under the names of the columns and of the program's own records.

use std::borrow::Cow;

use super::metadata;

pub(crate) use crate::dialects::lossless_claw::metadata::{CALLS, Metadata, RESULTS, Raw};

use crate::dialects::openclaw::lineage::read_older_content;
use crate::read::block::{Item, call_in_wrong_role, read_item};
use crate::read::call::{block_of_call, read_arguments};
use crate::read::fields::{Field, Scan, scan};
use crate::read::reader::Reader;
use crate::read::result::{ContentForms, answer, name_of, read_result_content};
use crate::read::role::{read_by_role, read_under_another_name};
use crate::read::spec::{Sign, Spec};
use crate::read::thinking::unsigned;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::rule;
use wirecanon_model::text;
use wirecanon_model::transcript::{
    Arguments, Block, BlockKind, Link, Media, Message, Opaque, ResultHead, Role, Thinking, ToolCall,
};

pub(crate) static SPEC: Spec = Spec {
    results: ContentForms { string: true, absent: true, empty: true },
    blank_results: true,
    keeps_all_reasoning: true,
    takes_unsigned_reasoning: true,
    has_item: |kind, role| matches!(role, Role::User | Role::Assistant) && !kind.is_empty(),
    read: |cx, wire| read_by_role(cx, wire, read_as),
    signs: &[
        Sign::new(9, "`parts` with a `part_type`", |m| rows(m, |p| part_type(p).is_some())),
        Sign::new(2, "`parts` with `metadata` of their original block", |m| {
            rows(m, |p| p.get("metadata").and_then(Value::as_str).is_some_and(|text| text.contains("originalRole")))
        }),
    ],
    ..Spec::COMMON
};

fn rows(message: Value<'_>, shows: fn(Value<'_>) -> bool) -> bool {
    message.get("parts").is_some_and(|parts| parts.items().take(4096).any(shows))
}

fn part_type(row: Value<'_>) -> Option<Cow<'_, str>> {
    ["part_type", "partType"].into_iter().find_map(|key| row.get(key).filter(|kind| !kind.is_null()))?.as_str()
}

/// Columns, under the name in the table and in the program.
const COLUMNS: [(&str, &[&str]); 8] = [
    ("part_type", &["partType"]),
    ("ordinal", &[]),
    ("text_content", &["textContent"]),
    ("tool_call_id", &["toolCallId"]),
    ("tool_name", &["toolName"]),
    ("tool_input", &["toolInput"]),
    ("tool_output", &["toolOutput"]),
    ("metadata", &[]),
];

/// Whether a row has something in the columns of a tool, and is neither a call nor a result.
pub(crate) fn is_beside_tools(row: Value<'_>) -> bool {
    let filled = ["tool_input", "toolInput", "tool_output", "toolOutput"].iter().any(|key| row.get(key).is_some());
    filled && part_type(row).is_some_and(|kind| kind != "tool") && {
        let metadata = Metadata::of(row);
        let stored = metadata.stored_type();
        !CALLS.contains(&stored) && !RESULTS.contains(&stored)
    }
}

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let (role, own) = match name {
        "user" | "human" => (Role::User, name == "user"),
        "assistant" | "model" => (Role::Assistant, name == "assistant"),
        "system" | "developer" => (Role::System, name == "system"),
        "tool" | "toolResult" | "function" => (Role::ToolResult, name == "tool"),
        _ => return read_under_another_name(cx, wire, read_as),
    };
    let scan = scan(wire, [("role", &[]), ("parts", &[]), ("content", &[])]);
    let [_, parts, content] = scan.fields;
    let mut read = Rows::new(cx, wire, parts.value, role);
    if !own {
        cx.mend(&rule::ROLE_ALIAS, wire, read.message.id, format!("the role `{name}` was read as one of the store's"));
    }
    cx.duplicate(scan.duplicate, wire, read.message.id);
    read.message.native = cx.native(&scan.others);
    let listed: Vec<Value<'a>> = in_order(parts.value);
    if let Some(list) = parts.some().filter(|list| !list.is_array()) {
        cx.mend(&rule::CONTENT_NOT_A_LIST, list, read.message.id, "`parts` is not a list; it was left out");
    }
    if listed.is_empty() {
        return without_parts(cx, wire, read, content.value);
    }
    for row in listed {
        read.row(cx, row);
    }
    let all = read.end(cx, wire);
    cx.finish(wire, all);
}

/// The rows in the order of their ordinals, as the store gives them.
fn in_order(parts: Option<Value<'_>>) -> Vec<Value<'_>> {
    let mut rows: Vec<_> = parts.into_iter().flat_map(Value::items).collect();
    let ordinal = |row: &Value<'_>| row.get("ordinal").and_then(Value::as_f64);
    if rows.iter().all(|row| ordinal(row).is_some()) {
        rows.sort_by(|a, b| ordinal(a).unwrap_or_default().total_cmp(&ordinal(b).unwrap_or_default()));
    }
    rows
}

/// A message of before there were parts: its text alone.
fn without_parts<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, read: Rows<'a>, content: Option<Value<'a>>) {
    let mut message = read.message;
    if message.role != Role::ToolResult {
        let read = read_older_content(cx, message, content, wire);
        return cx.finish(wire, read);
    }
    message.blocks = read_result_content(cx, wire, content, message.id);
    message.result = Some(Box::default());
    cx.finish(wire, vec![message]);
}

/// What the rows of one message hold.
struct Rows<'a> {
    message: Message<'a>,
    head: Option<ResultHead<'a>>,
    results: Vec<Message<'a>>,
}

impl<'a> Rows<'a> {
    fn new(cx: &mut Reader<'a, '_>, wire: Value<'a>, parts: Option<Value<'a>>, role: Role) -> Self {
        let original = in_order(parts).into_iter().find_map(|row| Metadata::of(row).original_role);
        let role = match original.as_deref() {
            Some("toolResult") => Role::ToolResult,
            Some("assistant") => Role::Assistant,
            Some("user") => Role::User,
            Some("system") => Role::System,
            _ => role,
        };
        let mut message = cx.message(role, Vec::new());
        message.source = Some(wire.index());
        Self { message, head: None, results: Vec::new() }
    }

    fn row(&mut self, cx: &mut Reader<'a, '_>, row: Value<'a>) {
        let role = self.message.role;
        let Some(kind) = part_type(row) else { return self.foreign(cx, row) };
        let metadata = Metadata::of(row);
        let scan = scan(row, COLUMNS);
        let (about, marks) = (self.message.id, cx.marks());
        cx.duplicate(scan.duplicate, row, about);
        if scan.fields[7].value.is_some_and(Value::is_object) {
            let words = "`metadata` is an object; the store has its JSON text";
            cx.mend(&rule::FOREIGN_BLOCK_SHAPE, row, about, words);
        }
        let raw_type = metadata.stored_type();
        let is_result = RESULTS.contains(&raw_type) || (kind == "tool" && role == Role::ToolResult);
        let is_call = !is_result && (kind == "tool" || CALLS.contains(&raw_type));
        if let Some(output) = scan.fields[6].some().filter(|output| !output.is_string()) {
            if is_result {
                let words = "an output that is no string was kept as its JSON text";
                cx.mend(&rule::MEMBER_OF_WRONG_TYPE, output, about, words);
            } else {
                let words = "an output that is no string, of what is no result, was left out";
                cx.lose(&rule::MEMBER_OF_WRONG_TYPE, output, about, words);
            }
        }
        let rebuilt = metadata.raw.as_ref().is_none_or(Raw::is_tool);
        if let Some(input) = scan.fields[5].some().filter(|input| !(input.is_string() || is_call && rebuilt)) {
            let words = "an input that is no string, of what is no call, was left out";
            cx.lose(&rule::MEMBER_OF_WRONG_TYPE, input, about, words);
        }
        if !is_call && number(&scan.fields[3]).is_some() {
            let words = "an id is a number; its digits were taken";
            cx.mend(&rule::TOOL_CALL_ID_WHITE_SPACE, row, about, words);
        }
        let dirty = cx.marks() > marks;
        self.learn(&scan, &metadata);
        if let Some(raw) = metadata.raw.as_ref().filter(|raw| !raw.is_tool()) {
            let block = original(cx, row, raw, role);
            return self.push(cx, block, &scan, dirty);
        }
        let text = scan.fields[2].value.and_then(Value::as_str);
        if is_result {
            let words = metadata::output(&scan.fields[6], text, metadata.raw.as_ref());
            self.result(cx, row, &scan, &metadata, words, dirty);
        } else if is_call && role == Role::Assistant {
            let block = call(cx, row, &scan, &metadata);
            self.push(cx, block, &scan, dirty);
        } else if is_call {
            let block = call_in_wrong_role(cx, row);
            self.message.blocks.push(block);
        } else {
            let block = plain(cx, row, &kind, text, &metadata, role);
            self.push(cx, block, &scan, dirty);
        }
    }

    fn push<const N: usize>(&mut self, cx: &mut Reader<'a, '_>, mut block: Block<'a>, scan: &Scan<'a, N>, dirty: bool) {
        block.native = cx.native(&scan.others);
        block.dirty |= dirty;
        self.message.blocks.push(block);
    }

    /// A block, or anything else, that stands in place of a row.
    fn foreign(&mut self, cx: &mut Reader<'a, '_>, row: Value<'a>) {
        self.message.dirty = true;
        if row.is_object() {
            cx.mend(&rule::FOREIGN_BLOCK_SHAPE, row, self.message.id, "a block in place of a row was put into one");
        }
        match read_item(cx, row, self.message.role) {
            Item::Nothing => {}
            Item::Block(mut block) => {
                block.dirty = true;
                block.native = None;
                self.message.blocks.push(block);
            }
            Item::Result(mut result) => {
                result.source = Some(row.index());
                result.dirty = true;
                self.results.push(result);
            }
        }
    }

    /// What a row says of the result that it belongs to: the first row that says anything counts.
    fn learn<const N: usize>(&mut self, scan: &Scan<'a, N>, metadata: &Metadata) {
        if self.message.role != Role::ToolResult {
            return;
        }
        let head = self.head.get_or_insert_with(ResultHead::default);
        let column = |field: &Field<'a>| field.value.and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let raw = metadata.raw.as_ref();
        if head.call_id.is_none() {
            head.call_id = column(&scan.fields[3])
                .or_else(|| number(&scan.fields[3]))
                .or_else(|| metadata.call_id.clone().or_else(|| raw?.result_id.clone()).map(Cow::Owned));
        }
        if head.tool_name.is_none() {
            head.tool_name = column(&scan.fields[4])
                .or_else(|| metadata.tool_name.clone().or_else(|| raw?.name.clone()).map(Cow::Owned));
        }
        head.is_error |= metadata.is_error.or_else(|| raw?.is_error).unwrap_or_default();
    }

    /// A row of a result: of this message, or one that stands among the rows of another.
    fn result<const N: usize>(
        &mut self,
        cx: &mut Reader<'a, '_>,
        row: Value<'a>,
        scan: &Scan<'a, N>,
        metadata: &Metadata,
        words: Option<Cow<'a, str>>,
        dirty: bool,
    ) {
        let mut block = match words {
            Some(words) => cx.block(BlockKind::Text(words.into()), row),
            None => cx.stand_in(text::NO_OUTPUT, row),
        };
        let raw_type = metadata.raw_type.as_deref().unwrap_or_default();
        let kept = metadata.original_role.as_deref() == Some("toolResult") || raw_type == "function_call_output";
        if !kept {
            self.message.dirty = true;
            let what = "a stored result that would be rebuilt as a call was marked as one";
            cx.mend_around(&rule::STORED_RESULT_AS_CALL, row, &block, what);
        }
        let other = scan.fields[3].value.and_then(Value::as_str).filter(|id| !id.trim().is_empty());
        let other = other.or_else(|| number(&scan.fields[3]));
        let differs = || other.is_some() && self.head.as_ref().is_some_and(|head| head.call_id != other);
        if self.message.role == Role::ToolResult && !differs() {
            return self.push(cx, block, scan, dirty);
        }
        let mut message = cx.message(Role::ToolResult, Vec::new());
        block.dirty |= dirty;
        message.dirty = true;
        message.source = Some(row.index());
        let raw = metadata.raw.as_ref();
        let call_id = other.or_else(|| raw.and_then(|raw| raw.result_id.clone()).map(Cow::Owned));
        let is_error = metadata.is_error.or_else(|| raw?.is_error).unwrap_or_default();
        answer(&mut message, vec![block], call_id, name_of(&scan.fields[4]), is_error);
        self.results.push(message);
    }

    fn end(mut self, cx: &mut Reader<'a, '_>, wire: Value<'a>) -> Vec<Message<'a>> {
        let is_result = self.message.role == Role::ToolResult;
        if is_result {
            let mut head = self.head.take().unwrap_or_default();
            tidy(cx, wire, self.message.id, &mut head);
            self.message.result = Some(Box::new(head));
            let is_empty = |block: &Block<'_>| {
                block.projected && matches!(&block.kind, BlockKind::Text(words) if words.get() == text::NO_OUTPUT)
            };
            // An empty row beside others is an empty text.
            if !self.message.blocks.iter().all(is_empty) {
                for block in self.message.blocks.iter_mut().filter(|block| is_empty(block)) {
                    block.kind = BlockKind::Text("".into());
                    block.projected = false;
                }
            }
        }
        for result in &mut self.results {
            if let Some(head) = &mut result.result {
                tidy(cx, wire, result.id, head);
            }
        }
        let apart = !self.results.is_empty();
        let keep = !apart || !self.message.blocks.is_empty();
        let mut all = Vec::new();
        if keep {
            self.message.dirty |= apart;
            all.push(self.message);
        }
        all.extend(self.results);
        all
    }
}

/// The digits of a number that stands in place of an id.
fn number<'a>(field: &Field<'a>) -> Option<Cow<'a, str>> {
    field.some().filter(|id| id.as_f64().is_some()).map(|id| Cow::Borrowed(id.raw()))
}

/// Takes white space off the id and the name.
fn tidy<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, about: u32, head: &mut ResultHead<'a>) {
    for (text, rule) in
        [(&mut head.call_id, &rule::TOOL_CALL_ID_WHITE_SPACE), (&mut head.tool_name, &rule::TOOL_NAME_WHITE_SPACE)]
    {
        let Some(found) = text.as_ref().filter(|found| found.trim().len() != found.len()) else { continue };
        *text = Some(Cow::Owned(found.trim().to_owned()));
        cx.mend(rule, wire, about, "white space around an id or a name was taken off");
    }
}

/// A call: its columns, and what they lack from the original block.
fn call<'a, const N: usize>(
    cx: &mut Reader<'a, '_>,
    row: Value<'a>,
    scan: &Scan<'a, N>,
    metadata: &Metadata,
) -> Block<'a> {
    let block_id = cx.id();
    let raw = metadata.raw.as_ref();
    let mut pick = |field: &Field<'a>, rule: &'static rule::Rule, other: Option<String>| {
        let found = cx.trimmed(field, rule, row, block_id);
        found.or_else(|| {
            let other = other.filter(|other| !other.trim().is_empty())?;
            if other.trim().len() != other.len() {
                cx.mend(rule, row, block_id, "white space around an id or a name was taken off");
            }
            Some(Cow::Owned(other.trim().to_owned()))
        })
    };
    let id = pick(&scan.fields[3], &rule::TOOL_CALL_ID_WHITE_SPACE, raw.and_then(|raw| raw.id.clone()));
    let name = pick(&scan.fields[4], &rule::TOOL_NAME_WHITE_SPACE, raw.and_then(|raw| raw.name.clone()));
    let mut projected = false;
    let arguments = match (scan.fields[5].some(), raw.and_then(|raw| raw.arguments.clone())) {
        (Some(input), _) => read_arguments(Some(input)),
        (None, Some(text)) => {
            match Json::parse(&text, &Limits::default()).map(|json| json.root().as_str().map(Cow::into_owned)) {
                Ok(Some(inner)) => Arguments::Encoded(Cow::Owned(inner)),
                _ if text.starts_with('{') => {
                    projected = true;
                    Arguments::Json(Cow::Owned(text))
                }
                _ => Arguments::Encoded(Cow::Owned(text)),
            }
        }
        (None, None) => Arguments::Missing,
    };
    let call = ToolCall { id, name, arguments, unfinished: metadata.unfinished };
    Block { projected, ..block_of_call(block_id, call, row, None) }
}

/// A row without an original block, or without one that counts.
fn plain<'a>(
    cx: &mut Reader<'a, '_>,
    row: Value<'a>,
    kind: &str,
    words: Option<Cow<'a, str>>,
    metadata: &Metadata,
    role: Role,
) -> Block<'a> {
    let filled = words.as_ref().is_some_and(|words| !words.trim().is_empty());
    if kind == "reasoning" && role == Role::Assistant && filled {
        let thinking = unsigned(words.unwrap_or_default(), cx.dialect);
        return cx.block(BlockKind::Thinking(Box::new(thinking)), row);
    }
    if kind == "text" || filled {
        return cx.block(BlockKind::Text(words.unwrap_or_default().into()), row);
    }
    let kind = metadata.raw_type.as_deref().unwrap_or(kind);
    // Nothing of it is here: elsewhere a line says that it was there.
    if matches!(role, Role::System | Role::ToolResult) {
        let words = text::opaque_left_out(cx.dialect.name(), kind);
        return cx.stand_in(words, row);
    }
    let value = format!("{{\"type\":{}}}", wirecanon_json::quote(kind));
    carried(cx, row, value, role)
}

/// A block that the store carries for whoever wrote it.
fn carried<'a>(cx: &mut Reader<'a, '_>, row: Value<'a>, value: String, role: Role) -> Block<'a> {
    let kind = match role {
        Role::User | Role::Assistant => {
            BlockKind::Opaque(Box::new(Opaque { dialect: Cow::Borrowed(cx.dialect.name()), value: Cow::Owned(value) }))
        }
        Role::System | Role::ToolResult => BlockKind::Text(value.into()),
    };
    let mut block = cx.block(kind, row);
    block.projected = block.is_text();
    block
}

/// The original block, which counts as it is.
fn original<'a>(cx: &mut Reader<'a, '_>, row: Value<'a>, raw: &Raw, role: Role) -> Block<'a> {
    let own = || Some(Cow::Borrowed("lossless-claw"));
    let kind = match &*raw.kind {
        "text" if raw.text.is_some() => BlockKind::Text(raw.text.clone().unwrap_or_default().into()),
        "thinking" | "reasoning" | "redacted_thinking"
            if role == Role::Assistant
                && (raw.text.as_ref().is_some_and(|text| !text.is_empty()) || raw.signature.is_some()) =>
        {
            BlockKind::Thinking(Box::new(Thinking {
                text: Cow::Owned(raw.text.clone().unwrap_or_default()),
                signature: raw.signature.clone().map(Cow::Owned),
                redacted: raw.redacted,
                origin: own(),
            }))
        }
        "image" | "image_url" => return picture(cx, row, raw, role),
        _ => return carried(cx, row, raw.json.clone(), role),
    };
    cx.block(kind, row)
}

fn picture<'a>(cx: &mut Reader<'a, '_>, row: Value<'a>, raw: &Raw, role: Role) -> Block<'a> {
    let shown = matches!(role, Role::User | Role::ToolResult);
    if let (None, Some(url)) = (&raw.data, &raw.url) {
        let on_the_web = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
        if role == Role::User && on_the_web {
            return cx.block(BlockKind::Link(Box::new(Link { url: Cow::Owned(url.clone()), mime_type: None })), row);
        }
        return carried(cx, row, if role == Role::ToolResult { url.clone() } else { raw.json.clone() }, role);
    }
    if !shown && raw.data.as_deref().is_some_and(crate::media::is_canonical) && role == Role::Assistant {
        return carried(cx, row, raw.json.clone(), role);
    }
    let media = Media { data: raw.data.clone().map(Cow::Owned), mime_type: raw.mime_type.clone().map(Cow::Owned) };
    let mut block = cx.block(BlockKind::Image(Box::new(media)), row);
    if !shown {
        let words = text::image_left_out("not in this role", raw.mime_type.as_deref());
        block.kind = BlockKind::Text(words.into());
        cx.lose(&rule::BLOCK_IN_WRONG_ROLE, row, block.id, "a picture that no model can be shown was left out");
    }
    block
}
