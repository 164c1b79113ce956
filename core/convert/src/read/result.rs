//! Reading a tool result, as a message or as a block of one.

use std::borrow::Cow;

use crate::dialects::Described as _;
use crate::dialects::mcp_tool_result::read;
use crate::read::block::{Item, leave_out_type_names, named, native_members, read_item};
use crate::read::fields::{ERROR_FLAGS, Field, RESULT_IDS, RESULT_NAMES, scan};
use crate::read::reader::{Members, Reader};
use wirecanon_json::{Kind, Value, mend_surrogates};
use wirecanon_model::transcript::{Block, BlockKind, Message, ResultHead, Role, ToolCall};
use wirecanon_model::{Dialect, rule, text};

/// How empty or plain content may be in a dialect's tool results.
#[derive(Clone, Copy)]
pub(crate) struct ContentForms {
    /// A string stands for one text block
    pub(crate) string: bool,
    /// Content may be absent
    pub(crate) absent: bool,
    /// An empty list, or an empty string where strings are allowed, says that there was no output
    pub(crate) empty: bool,
}

/// Reads the content of a result into text and images. `holder` is what the content should stand in.
pub(crate) fn read_result_content<'a>(
    cx: &mut Reader<'a, '_>,
    holder: Value<'a>,
    content: Option<Value<'a>>,
    about: u32,
) -> Vec<Block<'a>> {
    let forms = cx.dialect.spec().results;
    let Some(content) = content else {
        return no_output(cx, holder, forms.absent, about, "the result has no content");
    };
    match content.kind() {
        Kind::Array => {
            let mut blocks = Vec::new();
            for item in content.items() {
                match read_item(cx, item, Role::ToolResult) {
                    Item::Block(block) => blocks.push(block),
                    Item::Result(_) => {
                        let what = "a result inside a result was kept as its JSON text";
                        blocks.push(cx.as_json(item, &rule::BLOCK_IN_WRONG_ROLE, what));
                    }
                    Item::Nothing => {}
                }
            }
            if blocks.is_empty() {
                return no_output(cx, content, forms.empty, about, "the content of the result is an empty list");
            }
            blocks
        }
        Kind::String => {
            let words = content.words().unwrap_or_default();
            if words.is_empty() {
                return no_output(cx, content, forms.string, about, "the content of the result is an empty string");
            }
            let block = cx.block(BlockKind::Text(words), content);
            if !forms.string {
                string_for_list(cx, content, about);
            }
            vec![block]
        }
        Kind::Null => no_output(cx, content, false, about, "the content of the result is null"),
        Kind::Object if content.members().next().is_none() => {
            no_output(cx, content, false, about, "the content of the result is an empty object")
        }
        Kind::Object if is_of_mcp(content) => {
            let blocks = content.get("content");
            if blocks.is_none_or(|blocks| blocks.items().next().is_none()) {
                return no_output(cx, content, false, about, "the content is a whole result of MCP without blocks");
            }
            let what = "the whole result of MCP stood as the content; its blocks were read";
            cx.mend(&rule::CONTENT_NOT_A_LIST, content, about, what);
            read_result_content(cx, content, blocks, about)
        }
        Kind::Object if content.get("type").is_some() => {
            one_for_list(cx, content, about);
            vec![match read_item(cx, content, Role::ToolResult) {
                Item::Block(block) => block,
                Item::Result(_) | Item::Nothing => cx.text_anew(mend_surrogates(content.raw()), content),
            }]
        }
        _ => {
            let what = format!("{} in place of the list of blocks was kept as its JSON text", content.kind().name());
            cx.mend(&rule::CONTENT_NOT_A_LIST, content, about, what);
            vec![cx.text_anew(mend_surrogates(content.raw()), content)]
        }
    }
}

/// Reports that a string stands in place of a list of blocks.
pub(crate) fn string_for_list<'a>(cx: &mut Reader<'a, '_>, content: Value<'a>, about: u32) {
    let what = "a string in place of the list of blocks became one text block";
    cx.mend(&rule::CONTENT_NOT_A_LIST, content, about, what);
}

/// Reports that one block stands in place of a list of them.
pub(crate) fn one_for_list<'a>(cx: &mut Reader<'a, '_>, content: Value<'a>, about: u32) {
    let what = "one block in place of the list of blocks was put into a list";
    cx.mend(&rule::CONTENT_NOT_A_LIST, content, about, what);
}

/// Whether this is a result of the Model Context Protocol that says no more than its blocks do: it did not fail.
fn is_of_mcp(result: Value<'_>) -> bool {
    let says_nothing = |(key, value): (Value<'_>, Value<'_>)| {
        value.is_null() || key.is_str("content") || key.is_str("isError") && value.as_bool() == Some(false)
    };
    let list = result.get("content").filter(|list| list.is_array());
    list.is_some_and(|list| list.items().all(|block| block.get("type").is_some_and(Value::is_string)))
        && result.members().all(says_nothing)
        && scan(result, []).duplicate.is_none()
}

/// Where frameworks keep what a message says: `LlamaIndex` under `blocks`, `Microsoft.Extensions.AI` under `contents`, Semantic
/// Kernel under `items` (microsoft/semantic-kernel#7903).
pub(crate) const OTHER_CONTENTS: [&str; 4] = ["parts", "contents", "blocks", "items"];

/// The content of a message under a name that its dialect does not have, if it says something.
pub(crate) fn content_of_others(wire: Value<'_>) -> Option<(&'static str, Value<'_>)> {
    OTHER_CONTENTS.into_iter().find_map(|key| Some((key, wire.get(key).filter(|value| says_something(*value))?)))
}

fn says_something(value: Value<'_>) -> bool {
    value.items().next().is_some()
        || value.members().next().is_some()
        || value.as_str().is_some_and(|words| !words.trim().is_empty())
}

/// Where a result has no content, what it says stands in `output` or `text`, or where other frameworks have it; beside
/// content those are fields like others.
pub(crate) fn content_elsewhere<'a>(
    cx: &mut Reader<'a, '_>,
    content: &mut Field<'a>,
    others: &mut Members<'a>,
    at: Value<'a>,
    about: u32,
) {
    content_under(cx, &["output", "text"], content, others, at, about);
    content_under(cx, &OTHER_CONTENTS, content, others, at, about);
}

/// The same of a message that is no result: where it has no content, other frameworks have it under another name.
pub(crate) fn content_of_a_message_elsewhere<'a>(
    cx: &mut Reader<'a, '_>,
    content: &mut Field<'a>,
    others: &mut Members<'a>,
    at: Value<'a>,
    about: u32,
) {
    content_under(cx, &OTHER_CONTENTS, content, others, at, about);
}

/// The content under one of these names, if there is none yet.
fn content_under<'a>(
    cx: &mut Reader<'a, '_>,
    names: &[&'static str],
    content: &mut Field<'a>,
    others: &mut Members<'a>,
    at: Value<'a>,
    about: u32,
) {
    if content.some().is_some() {
        return;
    }
    for key in names.iter().copied() {
        let other = OTHER_CONTENTS.contains(&key);
        let says = |value: Value<'_>| if other { says_something(value) } else { !value.is_null() };
        let found = others.iter().position(|(name, value)| name.is_str(key) && says(*value));
        if let Some((_, value)) = found.map(|found| others.remove(found)) {
            *content = Field { value: Some(value), key, also: None };
            return cx.alias(content, "content", at, about);
        }
    }
}

/// One text that says that there was no output. Where the dialect allows the empty form its own bytes stay.
pub(crate) fn no_output<'a>(
    cx: &mut Reader<'a, '_>,
    at: Value<'a>,
    allowed: bool,
    about: u32,
    what: &str,
) -> Vec<Block<'a>> {
    let mut block = cx.block(BlockKind::Text(text::NO_OUTPUT.into()), at);
    block.projected = allowed;
    block.dirty = !allowed;
    block.source = None;
    if !allowed {
        cx.mend(&rule::EMPTY_TOOL_RESULT, at, about, format!("{what}; `{}` says so", text::NO_OUTPUT));
    }
    vec![block]
}

/// The error flag: true, `"true"` and 1 are errors, all else is not.
pub(crate) fn read_error_flag<'a>(
    cx: &mut Reader<'a, '_>,
    field: &Field<'a>,
    required: bool,
    at: Value<'a>,
    about: u32,
) -> bool {
    let rule = &rule::ERROR_FLAG_NOT_A_BOOLEAN;
    let Some(value) = field.value else {
        if required {
            cx.mend(rule, at, about, "the error flag is missing; the result counts as a success");
        }
        return false;
    };
    value.as_bool().unwrap_or_else(|| {
        let is_error = value.is_str("true") || value.as_f64() == Some(1.0);
        cx.mend(rule, at, about, format!("the error flag is {}; it counts as {is_error}", value.raw()));
        is_error
    })
}

/// The name of the tool that a result says, unless it is blank.
pub(crate) fn name_of<'a>(field: &Field<'a>) -> Option<Cow<'a, str>> {
    field.value.and_then(Value::as_str).filter(|name| !name.trim().is_empty())
}

/// Makes a message the result of a call.
pub(crate) fn answer<'a>(
    message: &mut Message<'a>,
    blocks: Vec<Block<'a>>,
    call_id: Option<Cow<'a, str>>,
    tool_name: Option<Cow<'a, str>>,
    is_error: bool,
) {
    message.blocks = blocks;
    message.result = Some(Box::new(ResultHead { call_id, tool_name, is_error, synthetic: false }));
}

/// The result of a call that stands in one value with it.
pub(crate) fn result_beside<'a>(
    cx: &mut Reader<'a, '_>,
    at: Value<'a>,
    blocks: Vec<Block<'a>>,
    call: &ToolCall<'a>,
    is_error: bool,
) -> Message<'a> {
    let mut message = cx.message(Role::ToolResult, Vec::new());
    answer(&mut message, blocks, call.id.clone(), call.name.clone(), is_error);
    message.source = Some(at.index());
    message
}

/// Reads a result that stands as a block among others, as Anthropic spells it; elsewhere it is a foreign shape.
pub(crate) fn read_result_block<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Message<'a> {
    let mcp = cx.dialect == Dialect::McpSampling;
    // Semantic Kernel gives a result the id of its call.
    let is_of_kernel = named(item) == Some("function_result");
    let (own_id, own_flag) = if mcp { ("toolUseId", "isError") } else { ("tool_use_id", "is_error") };
    let scan = scan(
        item,
        [
            ("type", &[]),
            (own_id, if is_of_kernel { &["id"] } else { RESULT_IDS }),
            // The protocol leaves other fields alone, so there the words stand elsewhere only where no content is.
            ("content", if mcp { &[] } else { &["output", "text", "result"] }),
            (own_flag, ERROR_FLAGS),
            ("name", &["toolName", "tool_name"]),
        ],
    );
    let [kind, id, mut content, error, name] = scan.fields;
    let mut others = scan.others;
    leave_out_type_names(item, &mut others);
    let own =
        (mcp || cx.dialect == Dialect::AnthropicMessages) && kind.value.is_some_and(|kind| kind.is_str("tool_result"));
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    cx.duplicate(scan.duplicate, item, about);
    if mcp {
        content_elsewhere(cx, &mut content, &mut others, item, about);
    }
    if own {
        cx.aliases([(&id, own_id), (&content, "content"), (&error, own_flag)], item, about);
    } else {
        let kind = kind.value.and_then(Value::as_str).unwrap_or_default();
        cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, about, format!("a `{kind}` block was read as a tool result"));
        // The block becomes a message, in which they would be calls.
        let calls = |(key, _): &(Value<'_>, Value<'_>)| key.is_str("tool_calls") || key.is_str("toolCalls");
        for (_, calls) in others.extract_if(.., |other| calls(other)) {
            cx.lose_calls(Some(calls), item, about);
        }
    }
    let call_id = cx.call_id(&id, item, about);
    let is_error = read_error_flag(cx, &error, false, item, about);
    let mut blocks = read_result_content(cx, item, content.value, about);
    if mcp && let Some(structured) = item.get("structuredContent").filter(|value| !value.is_null()) {
        read::add_structured(cx, &mut blocks, structured);
    }
    let is_error = is_error || kind.value.is_some_and(|kind| kind.is_str("tool_result_error"));
    message.native = native_members(cx, about, item, &others);
    if own && name.value.is_some() {
        cx.mend(&rule::UNKNOWN_FIELD, item, about, "a result block has no `name` in this dialect; it was left out");
    }
    answer(&mut message, blocks, call_id, name_of(&name), is_error);
    message
}

/// Reads a result that is a message of its own, as another dialect has them.
pub(crate) fn foreign<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let message = read_result_message(cx, wire, name);
    cx.finish(wire, vec![message]);
}

/// Reads a result that stands as a message of this role, as [`read_result_block`] does.
pub(crate) fn read_result_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: &str) -> Message<'a> {
    let mut message = read_result_block(cx, wire);
    message.source = Some(wire.index());
    let what = format!("a message of role `{role}` was read as a tool result");
    cx.mend(&rule::ROLE_ALIAS, wire, message.id, what);
    message
}

/// The fields of a result message of the agent lineage.
pub(crate) const RESULT_FIELDS: [(&str, &[&str]); 6] = [
    ("role", &[]),
    ("toolCallId", RESULT_IDS),
    ("toolName", RESULT_NAMES),
    ("content", &[]),
    ("isError", ERROR_FLAGS),
    ("synthetic", &[]),
];
