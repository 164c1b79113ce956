//! Reading a tool call, in whichever spelling it stands.

use std::borrow::Cow;

use crate::dialects::Described as _;
use crate::read::block::{leave_out_type_names, native_members};
use crate::read::fields::{self, ARGUMENTS, CALL_IDS, CALL_NAMES, Field, scan};
use crate::read::reader::{Members, Reader};
use wirecanon_json::{Json, Kind, Limits, Value};
use wirecanon_model::transcript::{Arguments, Block, BlockKind, Message, Native, ToolCall};
use wirecanon_model::{Dialect, rule};

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
    let has_call_id = item.get("call_id").is_some_and(|id| !id.is_null());
    let is_of_responses = kind == "function_call" || cx.dialect == Dialect::OpenAiResponses;
    let own_id = if is_of_responses && has_call_id { "call_id" } else { "id" };
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
    leave_out_type_names(item, &mut others);
    // OpenAI's nesting: the name and the arguments one level down.
    let mut nested = false;
    if let Some(function) = item.get("function").filter(|function| function.is_object()) {
        let inner = fields::scan(function, [("name", CALL_NAMES), ("arguments", ARGUMENTS)]);
        if name.some().is_none() {
            name = inner.fields[0];
        }
        if arguments.some().is_none() {
            arguments = inner.fields[1];
        }
        others.retain(|(key, _)| !key.is_str("function"));
        nested = true;
    }
    // OpenAI's custom tools: one text, which is `input` of a function.
    let custom = item.get("custom").filter(|custom| custom.get("input").is_some_and(Value::is_string));
    let custom = custom.filter(|_| kind == "custom");
    if let Some(custom) = custom {
        name = fields::scan(custom, [("name", CALL_NAMES)]).fields[0];
        others.retain(|(key, _)| !key.is_str("custom"));
    }
    // The same, written into a string once more.
    let told = item.get("function").filter(|function| function.is_string()).and_then(call_in_text);
    if told.is_some() {
        others.retain(|(key, _)| !key.is_str("function"));
    }
    let (block_id, marks) = (cx.id(), cx.marks());
    cx.duplicate(scan.duplicate, item, block_id);
    if own.is_none_or(|own| kind != own.kind) {
        cx.mend(&rule::TOOL_CALL_ALIAS, item, block_id, format!("a `{kind}` block was read as a tool call"));
    } else {
        cx.alias(&id, "id", item, block_id);
        if nested {
            cx.mend(&rule::FIELD_ALIAS, item, block_id, "the fields under `function` were read as the call's own");
        }
        cx.alias(&name, "name", item, block_id);
        cx.alias(&arguments, own_arguments, item, block_id);
    }
    let mut call = call_of(cx, item, block_id, [&id, &name, &arguments], &mut others);
    if own_id == "call_id" {
        others.retain(|(key, _)| !key.is_str("id"));
    }
    if let Some(input) = custom.and_then(|custom| custom.get("input")) {
        call.arguments = Arguments::Json(format!("{{\"input\":{}}}", input.raw()).into());
    }
    if let Some((_, streamed)) = others.iter().find(|(key, _)| key.is_str("partial_json"))
        && say_nothing(&call.arguments)
        && streamed.as_str().is_some_and(|text| is_object(&text))
    {
        call.arguments = read_arguments(Some(*streamed));
        let what = "the call has its arguments under `partial_json`, where its stream left them";
        cx.mend(&rule::STREAMING_MARKER, item, block_id, what);
        others.retain(|(key, _)| !key.is_str("partial_json"));
    }
    if let Some(told) = told {
        cx.mend(&rule::FIELD_ALIAS, item, block_id, "`function` is the text of an object; it was read as one");
        call.name = call.name.or(told.name);
        if matches!(call.arguments, Arguments::Missing) {
            call.arguments = told.arguments;
        }
    }
    if cx.is_marked(block_id, marks) && cx.dialect == Dialect::OpenAiResponses {
        // Members of a call in its own spelling were judged before.
        others.retain(|(key, value)| {
            let is_own = ["status", "namespace"].iter().any(|own| key.is_str(own)) && !value.is_string()
                || key.is_str("caller") && !value.is_object();
            if is_own && !value.is_null() {
                let what = format!("{} as {} was left out", value.kind().name(), key.raw());
                cx.lose(&rule::MEMBER_OF_WRONG_TYPE, *value, block_id, what);
            }
            !is_own
        });
    }
    let native = native_members(cx, block_id, item, &others);
    Block { projected: custom.is_some(), ..block_of_call(block_id, call, item, native) }
}

/// The call that fields of an object spell: its id, its name, its arguments. What among the other members says that it was cut off
/// while it streamed is taken out of them.
pub(crate) fn call_of<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    about: u32,
    [id, name, arguments]: [&Field<'a>; 3],
    others: &mut Members<'a>,
) -> ToolCall<'a> {
    let (id, name) = (cx.call_id(id, item, about), cx.tool_name(name, item, about));
    let unfinished = others.extract_if(.., |(key, value)| is_marker(*key, *value)).count() > 0;
    ToolCall { id, name, arguments: read_arguments(arguments.value), unfinished }
}

/// The call in a block.
pub(crate) fn call_mut<'m, 'a>(block: &'m mut Block<'a>) -> Option<&'m mut ToolCall<'a>> {
    match &mut block.kind {
        BlockKind::ToolCall(call) => Some(call),
        _ => None,
    }
}

/// A call as the block of this number.
pub(crate) fn block_of_call<'a>(
    id: u32,
    call: ToolCall<'a>,
    item: Value<'a>,
    native: Option<Box<Native<'a>>>,
) -> Block<'a> {
    let kind = BlockKind::ToolCall(Box::new(call));
    Block { id, kind, source: Some(item.index()), native, dirty: false, projected: false }
}

/// Whether an item of a list of calls is an object. It is left out where it is none.
pub(crate) fn may_be_call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> bool {
    if !item.is_object() {
        let what = format!("{} in place of a tool call was left out", item.kind().name());
        cx.lose(&rule::UNKNOWN_BLOCK, item, None, what);
    }
    item.is_object()
}

/// A call of another dialect's in a list of calls, which is written anew.
pub(crate) fn read_foreign_call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    Block { dirty: true, ..read_call(cx, item) }
}

/// Whether a text is JSON of an object.
pub(crate) fn is_object(text: &str) -> bool {
    Json::parse(text, &Limits::default()).is_ok_and(|json| json.root().is_object())
}

/// Reads calls under `tool_calls` that are neither a list nor an object: a list as JSON text is what it says.
pub(crate) fn read_calls_of_no_list<'a>(cx: &mut Reader<'a, '_>, message: &mut Message<'a>, calls: Value<'a>) {
    match read_calls_in_text(cx, calls) {
        Some(read) => {
            let what = "`tool_calls` is the text of a list; it was read as one";
            cx.mend(&rule::CONTENT_NOT_A_LIST, calls, message.id, what);
            message.blocks.extend(read);
        }
        None if calls.as_str().is_some_and(|text| text.trim().is_empty()) => {
            cx.mend(&rule::CONTENT_NOT_A_LIST, calls, message.id, "`tool_calls` is not a list; it says nothing");
        }
        None => {
            let what = format!("`tool_calls` is {}, not a list; it was left out", calls.kind().name());
            cx.lose(&rule::CONTENT_NOT_A_LIST, calls, message.id, what);
        }
    }
}

/// Calls of a list that was written into a string once more, as columns of a database hold it; `None` if it is no such list.
fn read_calls_in_text<'a>(cx: &mut Reader<'a, '_>, text: Value<'a>) -> Option<Vec<Block<'a>>> {
    let owned = text.as_str()?;
    let json = Json::parse(&owned, &Limits::default()).ok()?;
    let list = json.root();
    let calls: Vec<ToolCall<'a>> = list.items().map(owned_call).collect::<Option<_>>()?;
    let made = calls.into_iter().map(|call| {
        let mut block = cx.block(BlockKind::ToolCall(Box::new(call)), text);
        block.dirty = true;
        block
    });
    Some(made.collect::<Vec<_>>()).filter(|calls| !calls.is_empty())
}

/// A call, or what stands under its `function`, in a string.
fn call_in_text(text: Value<'_>) -> Option<ToolCall<'static>> {
    let owned = text.as_str()?;
    let json = Json::parse(&owned, &Limits::default()).ok()?;
    owned_call(json.root())
}

/// A call of a text that is read and let go.
fn owned_call(item: Value<'_>) -> Option<ToolCall<'static>> {
    let holder = item.get("function").filter(|function| function.is_object()).unwrap_or(item);
    let word = |holder: Value<'_>, names: &[&str]| {
        let word = names.iter().find_map(|name| holder.get(name)?.as_str());
        word.filter(|word| !word.trim().is_empty()).map(|word| Cow::Owned(word.trim().to_owned()))
    };
    let arguments = ARGUMENTS.iter().find_map(|name| holder.get(name)).map_or(Arguments::Missing, |value| {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match value.kind() {
            Kind::String => value.as_str().map_or(Arguments::Missing, |text| Arguments::Encoded(own(text))),
            Kind::Object => Arguments::Json(own(value.raw().into())),
            Kind::Null => Arguments::Missing,
            _ => Arguments::Encoded(own(value.raw().into())),
        }
    });
    let (id, name) = (word(item, CALL_IDS), word(holder, CALL_NAMES));
    item.is_object().then_some(ToolCall { id, name, arguments, unfinished: false })
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

/// Whether arguments are none, or an empty object.
pub(crate) fn say_nothing(arguments: &Arguments<'_>) -> bool {
    match arguments {
        Arguments::Missing => true,
        Arguments::Json(text) | Arguments::Encoded(text) => matches!(text.trim(), "" | "{}" | "null"),
        Arguments::Other(_) => false,
    }
}
