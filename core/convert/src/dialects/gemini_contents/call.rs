//! Reading a function call.

use std::borrow::Cow;

use crate::dialects::gemini_contents::part::standard;
use crate::dialects::gemini_contents::read::{refuse_unknown, tell_odd_id};
use crate::read::block::call_in_wrong_role;
use crate::read::call::{block_of_call, call_of};
use crate::read::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, scan};
use crate::read::reader::{Members, Reader};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Arguments, Block, Native, Role};

/// Reads the call in `call`, of the part `item`.
pub(crate) fn read<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    call: Value<'a>,
    role: Role,
    mut native: Option<Box<Native<'a>>>,
    dirty: bool,
) -> Block<'a> {
    if !call.is_object() {
        return cx.as_json(item, &rule::UNKNOWN_BLOCK, "a call that is no object was kept as its JSON text");
    }
    if role != Role::Assistant {
        return call_in_wrong_role(cx, item);
    }
    let id = cx.id();
    let scan = scan(call, [("id", CALL_IDS), ("name", CALL_NAMES), ("args", ARGUMENTS)]);
    let [call_id, name, arguments] = scan.fields;
    cx.duplicate(scan.duplicate, item, id);
    cx.aliases([(&call_id, "id"), (&name, "name"), (&arguments, "args")], item, id);
    tell_odd_id(cx, &call_id, item, id);
    let mut others = scan.others;
    let mut told = call_of(cx, item, id, [&call_id, &name, &arguments], &mut others);
    told.unfinished |= others.iter().any(|(key, value)| goes_on(*key, *value));
    others.retain(|(key, _)| !is_stream(*key));
    seal_within(cx, item, &mut others, &mut native, id);
    refuse_unknown(cx, item, &mut others, id, &[]);
    // A call without them has none to give (anomalyco/opencode#43111).
    if arguments.value.is_none() {
        told.arguments = Arguments::Json(Cow::Borrowed("{}"));
    }
    Block { dirty, ..block_of_call(id, told, item, native) }
}

/// The part's signature, which some clients keep within its call (MayDay-wpf/snow-cli#104).
fn seal_within<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    others: &mut Members<'a>,
    native: &mut Option<Box<Native<'a>>>,
    about: u32,
) {
    let beside = ["thoughtSignature", "thought_signature"];
    if beside.iter().any(|key| item.get(key).is_some_and(|seal| !seal.is_null())) {
        return;
    }
    let is_seal = |(key, value): &(Value<'a>, Value<'a>)| {
        beside.iter().any(|known| key.is_str(known)) && value.as_str().is_some_and(|seal| standard(&seal).is_some())
    };
    let Some(at) = others.iter().position(is_seal) else { return };
    let (_, seal) = others.remove(at);
    native.get_or_insert_default().add(cx.dialect.name(), beside[0], seal.raw());
    cx.mend(&rule::FIELD_ALIAS, item, about, "the signature stood within the call; it belongs to the part");
}

/// What streaming puts beside the arguments.
fn is_stream(key: Value<'_>) -> bool {
    ["partialArgs", "partial_args", "willContinue", "will_continue"].iter().any(|known| key.is_str(known))
}

/// Whether a member says that more of the call was to come.
fn goes_on(key: Value<'_>, value: Value<'_>) -> bool {
    is_stream(key) && (value.as_bool() == Some(true) || value.items().next().is_some())
}
