//! Reading a function call.

use std::borrow::Cow;

use crate::dialects::gemini_contents::part::standard;
use crate::dialects::gemini_contents::read::{odd_id, refuse_unknown};
use crate::read::block::as_json;
use crate::read::call::{is_marker, read_arguments};
use crate::read::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, scan};
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Arguments, Block, BlockKind, Native, Role, ToolCall};

/// Reads the call in `call`, of the part `item`.
pub(crate) fn read<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    call: Value<'a>,
    role: Role,
    mut native: Option<Box<Native<'a>>>,
    mut dirty: bool,
) -> Block<'a> {
    if !call.is_object() {
        let block = as_json(cx, item);
        cx.mend(&rule::UNKNOWN_BLOCK, item, Some(block.id), "a call that is no object was kept as its JSON text");
        return block;
    }
    if role != Role::Assistant {
        let block = as_json(cx, item);
        cx.mend(
            &rule::BLOCK_IN_WRONG_ROLE,
            item,
            Some(block.id),
            "a tool call outside the assistant's turn was kept as text",
        );
        return block;
    }
    let id = cx.id();
    let scan = scan(call, [("id", CALL_IDS), ("name", CALL_NAMES), ("args", ARGUMENTS)]);
    let [call_id, name, arguments] = scan.fields;
    dirty |= cx.duplicate(scan.duplicate, item, id);
    dirty |= cx.alias(&call_id, "id", item, id);
    dirty |= cx.alias(&name, "name", item, id);
    dirty |= cx.alias(&arguments, "args", item, id);
    dirty |= odd_id(cx, &call_id, item, id);
    let (call_id, trimmed) = cx.trimmed(&call_id, &rule::TOOL_CALL_ID_WHITE_SPACE, item, id);
    dirty |= trimmed;
    let (name, trimmed) = cx.trimmed(&name, &rule::TOOL_NAME_WHITE_SPACE, item, id);
    dirty |= trimmed;
    let mut others = scan.others;
    let unfinished = others.iter().any(|(key, value)| is_marker(*key, *value) || goes_on(*key, *value));
    others.retain(|(key, value)| !is_marker(*key, *value) && !is_stream(*key));
    dirty |= seal_within(cx, item, &mut others, &mut native, id);
    dirty |= refuse_unknown(cx, item, &mut others, id, &[]);
    // A call without them has none to give (anomalyco/opencode#43111).
    let none = Arguments::Json(Cow::Borrowed("{}"));
    let arguments = arguments.value.map_or(none, |value| read_arguments(Some(value)));
    let call = ToolCall { id: call_id, name, arguments, unfinished };
    Block { id, kind: BlockKind::ToolCall(Box::new(call)), source: Some(item.index()), native, dirty, projected: false }
}

/// The part's signature, which some clients keep within its call (MayDay-wpf/snow-cli#104); true if it stood there.
fn seal_within<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    others: &mut Vec<(Value<'a>, Value<'a>)>,
    native: &mut Option<Box<Native<'a>>>,
    about: u32,
) -> bool {
    let beside = ["thoughtSignature", "thought_signature"];
    if beside.iter().any(|key| item.get(key).is_some_and(|seal| !seal.is_null())) {
        return false;
    }
    let is_seal = |(key, value): &(Value<'a>, Value<'a>)| {
        beside.iter().any(|known| key.is_str(known)) && value.as_str().is_some_and(|seal| standard(&seal).is_some())
    };
    let Some(at) = others.iter().position(is_seal) else { return false };
    let (_, seal) = others.remove(at);
    native.get_or_insert_default().add(cx.dialect.name(), beside[0], seal.raw());
    cx.mend(&rule::FIELD_ALIAS, item, Some(about), "the signature stood within the call; it belongs to the part");
    true
}

/// What streaming puts beside the arguments.
fn is_stream(key: Value<'_>) -> bool {
    ["partialArgs", "partial_args", "willContinue", "will_continue"].iter().any(|known| key.is_str(known))
}

/// Whether a member says that more of the call was to come.
fn goes_on(key: Value<'_>, value: Value<'_>) -> bool {
    is_stream(key) && (value.as_bool() == Some(true) || value.items().next().is_some())
}
