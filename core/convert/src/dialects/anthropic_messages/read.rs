//! Anthropic Messages: tool results are blocks of user messages, arguments are objects, the schema is closed.

use std::collections::HashMap;

use crate::dialects::anthropic_messages::item;
use crate::dialects::openclaw::lineage::{self, read_content};
use crate::read::block::{Item, filled};
use crate::read::call::{self, Spelling};
use crate::read::detect::{block, is, role};
use crate::read::fields;
use crate::read::reader::Reader;
use crate::read::result::{self, ContentForms, content_of_a_message_elsewhere};
use crate::read::role::{begin, read_by_role, read_under_another_name};
use crate::read::spec::{Sign, Spec, SystemField, ToolForm};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Arguments, Block, BlockKind, Message, Role};

pub(crate) static SPEC: Spec = Spec {
    system: SystemField::Beside("system"),
    tools: ToolForm { schema: &["input_schema"], ..ToolForm::FLAT },
    results_in_any_order: true,
    is_lone_result: |message| {
        let mut blocks = message.get("content").into_iter().flat_map(Value::items);
        blocks.next().is_some_and(|block| is(block, "tool_result")) && blocks.next().is_none()
    },
    root_sign: |root| {
        let is_response = is(root, "message") && role(root, "assistant") && root.get("model").is_some();
        2 * usize::from(is_response)
    },
    results: ContentForms { string: true, absent: true, empty: true },
    call: Some(Spelling { kind: "tool_use", arguments: "input" }),
    takes_unsigned_reasoning: true,
    has_item,
    is_whole,
    read: |cx, wire| read_by_role(cx, wire, read_as),
    item: piece,
    signs: &[
        Sign::new(7, "a `tool_result` block in a user message", |m| {
            role(m, "user") && block(m, |b| is(b, "tool_result"))
        }),
        Sign::new(4, "a `tool_use` block", |m| block(m, |b| CALLS.iter().any(|kind| is(b, kind)))),
        Sign::new(3, "an image with a `source`", |m| {
            block(m, |b| (is(b, "image") || is(b, "document")) && b.get("source").is_some())
        }),
        Sign::new(2, "`stop_reason` or `cache_control`", |m| {
            m.get("stop_reason").is_some() || block(m, |b| b.get("cache_control").is_some())
        }),
        Sign::new(2, "redacted thinking", |m| block(m, |b| is(b, "redacted_thinking"))),
    ],
    ..Spec::COMMON
};

/// Calls that this API alone spells so, and what one of its own tools answered.
const CALLS: &[&str] = &["tool_use", "server_tool_use", "mcp_tool_use", "mcp_tool_result"];

/// Whether a file that canonical content cannot hold has what the server needs.
fn is_whole(kind: &str, item: Value<'_>) -> bool {
    if kind == "search_result" {
        return item::is_search_result(item);
    }
    if kind == "container_upload" {
        return item.get("file_id").and_then(Value::as_str).is_some_and(|id| !id.is_empty());
    }
    // A compaction that failed is a null: npm:@anthropic-ai/sdk `BetaCompactionBlockParam`.
    if kind == "compaction" {
        let says = |content: Value<'_>| content.as_str().is_some_and(|words| !words.is_empty());
        return item.get("content").is_some_and(|content| content.is_null() || says(content));
    }
    if kind == "tool_reference" {
        return item::is_tool_reference(item);
    }
    if kind == "browser_state" {
        return item::is_browser_state(item);
    }
    if kind == "web_search_tool_result" {
        return item::is_web_search_result(item);
    }
    if kind == "mcp_tool_result" {
        let is_text = |item: Value<'_>| is(item, "text") && item.get("text").is_some_and(Value::is_string);
        return item.get("content").is_none_or(|content| {
            content.is_null() || content.is_string() || content.is_array() && content.items().all(is_text)
        });
    }
    if matches!(kind, "server_tool_use" | "mcp_tool_use") {
        // A call that names no tool, or gives it nothing, is refused here as well.
        let named = item
            .get("name")
            .and_then(Value::as_str)
            .is_some_and(|name| !name.is_empty() && (kind == "mcp_tool_use" || item::is_name_of_server_tool(&name)));
        return named && item.get("input").is_some_and(Value::is_object);
    }
    if !matches!(kind, "document" | "image") {
        return true;
    }
    item.get("source").is_some_and(|source| match &*source.get("type").and_then(Value::as_str).unwrap_or_default() {
        "url" => filled(source.get("url")),
        "file" => filled(source.get("file_id")),
        "text" => source.get("data").and_then(Value::as_str).is_some_and(|text| !text.is_empty()),
        "content" => source.get("content").is_some_and(|held| held.is_string() || held.is_array() || held.is_object()),
        _ => false,
    })
}

/// Blocks that a tool result may hold beside text and images. Source: Anthropic Messages API reference, `tool_result`.
const RESULT_BLOCKS: &[&str] = &["search_result", "document", "tool_reference", "browser_state"];

/// Blocks that only this API can replay, in a user message.
const USER_ITEMS: &[&str] = &[
    "document",
    "image",
    "search_result",
    "container_upload",
    "compaction",
    "fallback",
    "tool_addition",
    "tool_removal",
];

/// Whether the API has such a block, beside those that canonical content has: its union is closed.
fn has_item(kind: &str, role: Role) -> bool {
    match role {
        Role::User => USER_ITEMS.contains(&kind),
        Role::Assistant => {
            USER_ITEMS.contains(&kind) || matches!(kind, "server_tool_use" | "mcp_tool_use") || is_server_result(kind)
        }
        Role::ToolResult => RESULT_BLOCKS.contains(&kind),
        Role::System => matches!(kind, "tool_addition" | "tool_removal"),
    }
}

/// Returns true for the type of a result of a tool that the server ran, one that is not known yet, too.
pub(crate) fn is_server_result(kind: &str) -> bool {
    kind.ends_with("_tool_result") && kind.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// Fields of a block beside those that the canonical transcript has; the server refuses all others ("Extra inputs are
/// not permitted").
fn allowed_fields(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "text" => &["cache_control", "citations"],
        "image" => &["cache_control", "transformations"],
        "document" => &["cache_control", "context", "citations"],
        "thinking" | "redacted_thinking" => &[],
        "tool_use" => &["caller", "toolset_name", "cache_control"],
        "tool_result" => &["toolset_name", "cache_control"],
        _ => return None,
    })
}

/// Whether the server takes this field on a block of this type.
pub(crate) fn keeps(kind: &str, key: &str) -> bool {
    allowed_fields(kind).is_none_or(|fields| fields.contains(&key))
}

/// Fields of a message beside its role and content. A response that is replayed whole has more, which the server refuses.
pub(crate) fn keeps_in_message(role: &str, key: &str) -> bool {
    role == "system" && matches!(key, "clear_at" | "output_config")
}

/// Reports members that the server refuses, and leaves them out of `others`; true if there were any.
pub(crate) fn refuse_unknown<'a>(
    cx: &mut Reader<'a, '_>,
    at: Value<'a>,
    others: &mut Vec<(Value<'a>, Value<'a>)>,
    about: Option<u32>,
    keeps: impl Fn(&str) -> bool,
) -> bool {
    let refused: Vec<String> = others
        .iter()
        .filter_map(|(key, _)| key.as_str())
        .filter(|key| !keeps(key))
        .map(|key| format!("`{key}`"))
        .collect();
    if refused.is_empty() {
        return false;
    }
    others.retain(|(key, _)| key.as_str().is_some_and(|key| keeps(&key)));
    cx.lose_refused(at, about, &refused);
    true
}

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    let role = match name {
        "user" => Role::User,
        "assistant" | "model" => Role::Assistant,
        "system" | "developer" => Role::System,
        "tool" | "toolResult" | "function" => return result::foreign(cx, wire, name),
        _ => return read_under_another_name(cx, wire, read_as),
    };
    let scan = fields::scan(wire, [("role", &[]), ("content", &[]), ("tool_calls", &["toolCalls"])]);
    let mut message = begin(cx, wire, role, name, &scan);
    let about = message.id;
    let [_, mut content, calls] = scan.fields;
    let mut others = scan.others;
    content_of_a_message_elsewhere(cx, &mut content, &mut others, wire, about);
    message.stop_reason = fields::stop_reason(&others);
    refuse_unknown(cx, wire, &mut others, Some(about), |key| keeps_in_message(role.name(), key));
    message.native = cx.native(&others);
    if role == Role::System && wire.get("content").is_none() && wire.get("output_config").is_some_and(item::is_options)
    {
        // A text without a word stands in for what is not said.
        let mut block = Block::new(cx.id(), BlockKind::Text("".into()));
        block.projected = true;
        message.blocks = vec![block];
        return cx.finish(wire, vec![message]);
    }
    let mut parts = read_content(cx, message, content.value, wire);
    // Whoever held a piece is changed, so nobody else pays for looking.
    if parts.iter().any(|part| part.dirty) {
        take_pieces(content.value, &mut parts);
    }
    if let Some(calls) = calls.value
        && let Some(message) = parts.iter_mut().find(|part| part.role == role)
    {
        take_calls_beside(cx, wire, message, calls);
    }
    cx.finish(wire, parts);
}

/// Reads calls beside the content into an assistant's message. Nobody else makes any.
pub(crate) fn take_calls_beside<'a>(
    cx: &mut Reader<'a, '_>,
    wire: Value<'a>,
    message: &mut Message<'a>,
    calls: Value<'a>,
) {
    if message.role == Role::Assistant && calls.is_array() {
        cx.mend(&rule::FIELD_ALIAS, wire, message.id, "calls beside the content were read into it");
        lineage::read_calls_beside(cx, message, calls);
    } else {
        cx.lose(&rule::UNKNOWN_FIELD, wire, message.id, "the server refuses `tool_calls`; left out");
    }
}

const PIECE: &str = "input_json_delta";

/// A piece of arguments that a program kept as a block (1Panel-dev/MaxKB#6683): [`take_pieces`] puts it into its call. Or an item of
/// the server's that is not whole, and says how it was meant.
fn piece<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Option<Item<'a>> {
    if matches!(role, Role::User | Role::Assistant) && is(item, "compaction") {
        return item::compaction(cx, item).map(Item::Block);
    }
    if role != Role::Assistant {
        return None;
    }
    if !is(item, PIECE) {
        return item::server_call(cx, item).map(Item::Block);
    }
    let what = "a piece of arguments left from streaming was put into its call, unless that has its arguments";
    cx.mend(&rule::STREAMING_MARKER, item, None, what);
    Some(Item::Nothing)
}

/// Gives each call that has no arguments the pieces behind it: those of its place in the stream, where they say one.
fn take_pieces<'a>(content: Option<Value<'a>>, parts: &mut [Message<'a>]) {
    let Some(content) = content.filter(|content| content.items().any(|item| is(item, PIECE))) else { return };
    let mut joined: Vec<(Value<'a>, String)> = Vec::new();
    for item in content.items() {
        if is(item, "tool_use") {
            joined.push((item, String::new()));
        } else if is(item, PIECE)
            && let Some(words) = item.get("input").or_else(|| item.get("partial_json")).and_then(Value::as_str)
        {
            let elsewhere = |call: Value<'_>| match (call.get("index"), item.get("index")) {
                (Some(of_call), Some(of_piece)) => of_call.raw() != of_piece.raw(),
                _ => false,
            };
            if let Some((_, text)) = joined.iter_mut().rfind(|(call, _)| !elsewhere(*call)) {
                text.push_str(&words);
            }
        }
    }
    let mut joined: HashMap<u32, String> =
        joined.into_iter().filter(|(_, text)| !text.is_empty()).map(|(call, text)| (call.index(), text)).collect();
    for block in parts.iter_mut().flat_map(|part| &mut part.blocks) {
        let Some(text) = block.source.and_then(|source| joined.remove(&source)) else { continue };
        if let BlockKind::ToolCall(call) = &mut block.kind
            && call::say_nothing(&call.arguments)
        {
            call.arguments = Arguments::Encoded(text.into());
            block.dirty = true;
        }
    }
}
