//! Reading a tool call, in whichever spelling it stands.

use super::block::native_members;
use super::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, scan};
use super::reader::Reader;
use crate::json::{Kind, Value};
use crate::rule;
use crate::transcript::{Arguments, Block, BlockKind, ToolCall};

/// How a dialect spells a call that stands as a block of content.
pub(crate) struct Spelling {
    pub(crate) kind: &'static str,
    pub(crate) arguments: &'static str,
}

/// Reads a call that stands as a block of content.
pub(crate) fn read_call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    let own = cx.dialect.spec().call.as_ref();
    let own_arguments = own.map_or("arguments", |own| own.arguments);
    // A Responses item has two ids; the call's own is `call_id`.
    let own_id = if kind == "function_call" && item.get("call_id").is_some() { "call_id" } else { "id" };
    let scan = scan(
        item,
        [
            ("type", &[]),
            (own_id, if own_id == "id" { CALL_IDS } else { &["call_id"] }),
            ("name", CALL_NAMES),
            (own_arguments, ARGUMENTS),
        ],
    );
    let [_, id, name, mut arguments] = scan.fields;
    let mut name = name;
    let mut others = scan.others;
    // OpenAI's nesting: the name and the arguments one level down.
    let mut nested = false;
    if let Some(function) = item.get("function").filter(|function| function.is_object()) {
        let inner = super::fields::scan(function, [("name", CALL_NAMES), ("arguments", ARGUMENTS)]);
        if name.some().is_none() {
            name = inner.fields[0];
        }
        if arguments.some().is_none() {
            arguments = inner.fields[1];
        }
        others.retain(|(key, _)| !key.is_str("function"));
        nested = true;
    }
    let block_id = cx.id();
    let mut dirty = cx.duplicate(scan.duplicate, item, block_id);
    if own.is_none_or(|own| kind != own.kind) {
        dirty = true;
        cx.mend(&rule::TOOL_CALL_ALIAS, item, Some(block_id), format!("a `{kind}` block was read as a tool call"));
    } else {
        dirty |= cx.alias(&id, "id", item, block_id);
        if nested {
            dirty = true;
            cx.mend(
                &rule::FIELD_ALIAS,
                item,
                Some(block_id),
                "the fields under `function` were read as the call's own",
            );
        }
        dirty |= cx.alias(&name, "name", item, block_id);
        dirty |= cx.alias(&arguments, own_arguments, item, block_id);
    }
    let (id, trimmed) = cx.trimmed(&id, &rule::TOOL_CALL_ID_WHITE_SPACE, item, block_id);
    dirty |= trimmed;
    let (name, trimmed) = cx.trimmed(&name, &rule::TOOL_NAME_WHITE_SPACE, item, block_id);
    dirty |= trimmed;
    let unfinished = others.iter().any(|(key, value)| is_marker(*key, *value));
    others.retain(|(key, value)| !is_marker(*key, *value));
    if own_id == "call_id" {
        others.retain(|(key, _)| !key.is_str("id"));
    }
    let call = ToolCall { id, name, arguments: read_arguments(arguments.value), unfinished };
    let native = native_members(cx, &mut dirty, item, &others);
    Block {
        id: block_id,
        kind: BlockKind::ToolCall(Box::new(call)),
        source: Some(item.index()),
        native,
        dirty,
        projected: false,
    }
}

/// Whether a member says that the call was cut off while it streamed: `partialJson` by standing there, `partial` and
/// `incomplete` by being true in any spelling. `index` alone says nothing.
pub(crate) fn is_marker(key: Value<'_>, value: Value<'_>) -> bool {
    if key.is_str("partialJson") {
        return !value.is_null();
    }
    (key.is_str("partial") || key.is_str("incomplete"))
        && match value.kind() {
            Kind::Bool => value.as_bool() == Some(true),
            Kind::Number => value.as_f64() != Some(0.0),
            Kind::String => value.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case("true")),
            _ => false,
        }
}

/// Arguments as they stand, to be judged by the pass that mends them.
pub(crate) fn read_arguments(value: Option<Value<'_>>) -> Arguments<'_> {
    let Some(value) = value else { return Arguments::Missing };
    match value.kind() {
        Kind::Null => Arguments::Missing,
        Kind::Object => Arguments::Json(value.raw().into()),
        Kind::String => value.as_str().map_or(Arguments::Missing, Arguments::Encoded),
        _ => Arguments::Other(value.raw()),
    }
}
