//! OpenAI Chat Completions: calls beside the content, arguments as strings, each result a message of its own, no error
//! flag, and no images in results.

use crate::dialects::langchain::kwargs::{calls_elsewhere, without, without_calls};
use crate::dialects::openai_chat::common as common_chat;
use crate::dialects::openclaw::lineage::{Called, read_content};
use crate::media;
use crate::read::block::filled;
use crate::read::call::{self, read_calls_of_no_list};
use crate::read::container::Messages;
use crate::read::detect::{block, is, role};
use crate::read::fields::{self, ARGUMENTS, CALL_IDS, CALL_NAMES, ERROR_FLAGS, Field, RESULT_IDS, scan};
use crate::read::kept_elsewhere::{KWARGS, failure, keep_the_rest, results_within};
use crate::read::pieces::{self, Pieces};
use crate::read::reader::Reader;
use crate::read::result::{answer, content_elsewhere, content_of_others, name_of, read_result_content};
use crate::read::role::{alias, is_object, read_by_role, read_under_another_name};
use crate::read::signer;
use crate::read::spec::{Sign, Spec, ToolForm};
use crate::read::thinking::unsigned;
use wirecanon_json::Value;
use wirecanon_model::transcript::{Arguments, Block, BlockKind, Message, Role, ToolCall};
use wirecanon_model::{Dialect, rule, text};

/// Whether a file is on the server, or here in base64 that does not say of what kind it is.
fn is_whole_file(file: Value<'_>) -> bool {
    match file.get("file_data").filter(|data| !data.is_null()) {
        Some(data) => data.as_str().is_some_and(|data| media::is_canonical(&data)),
        None => filled(file.get("file_id")) && file.get("data").is_none_or(Value::is_null),
    }
}

pub(crate) static SPEC: Spec = Spec {
    tools: ToolForm::FUNCTION,
    response: first_choice,
    error_flag: false,
    calls_beside_content: true,
    seals_reasoning: |_| false,
    blank_results: true,
    has_item: |kind, role| role == Role::User && matches!(kind, "file" | "input_audio"),
    is_whole: |kind, item| kind == "file" && item.get("file").is_some_and(is_whole_file),
    read: |cx, wire| read_message(cx, wire, &WIRE),
    signs: &[
        Sign::new(8, "a message of role `tool`", |m| role(m, "tool") || role(m, "function")),
        Sign::new(8, "`tool_calls` beside the content", |m| {
            m.get("tool_calls").is_some() || m.get("function_call").is_some()
        }),
        Sign::new(4, "`audio` that the model spoke", |m| {
            role(m, "assistant") && m.get("audio").is_some_and(Value::is_object)
        }),
        Sign::new(4, "a message of role `developer`", |m| role(m, "developer")),
        Sign::new(3, "`tool_call_id` on a message", |m| m.get("tool_call_id").is_some()),
        Sign::new(3, "a `file` part", |m| block(m, |b| is(b, "file") && b.get("file").is_some_and(Value::is_object))),
        Sign::new(2, "a message of role `system`", |m| role(m, "system")),
        Sign::new(3, "an `image_url` part", |m| {
            block(m, |b| is(b, "image_url") || is(b, "input_audio") || is(b, "refusal"))
        }),
    ],
    ..Spec::COMMON
};

/// What the wires that grew out of Chat Completions do not have in common.
#[expect(clippy::struct_excessive_bools, reason = "each is one answer of a dialect")]
pub(crate) struct Wire {
    /// OpenAI's own: role `developer`, the older `function_call` and role `function`, custom tools, `refusal`
    pub(crate) openai: bool,
    /// Members of a message that hold reasoning, the dialect's own first
    pub(crate) reasoning: &'static [&'static str],
    /// The dialect that such a member belongs to
    pub(crate) reasoned_by: Dialect,
    /// A call says of what type it is
    pub(crate) typed_calls: bool,
    /// The member of a result that names its tool
    pub(crate) result_name: &'static str,
    /// Content that says nothing may be `null` in a message of any role but the system's
    pub(crate) null_content: bool,
    /// Content may be left out in a message of any role
    pub(crate) absent_content: bool,
    /// The text that stands for no id
    pub(crate) no_id: Option<&'static str>,
    /// Reads what stands beside the content of a message, and judges its form
    pub(crate) rest: for<'a, 'b, 'm, 'r> fn(&'b mut Reader<'a, 'r>, &'m mut Message<'a>, Value<'a>),
    /// Members of a message that say something beside its content and calls
    pub(crate) beside: &'static [&'static str],
}

pub(crate) const WIRE: Wire = Wire {
    openai: true,
    reasoning: REASONING,
    reasoned_by: Dialect::OpenAiChat,
    typed_calls: true,
    result_name: "name",
    null_content: false,
    absent_content: false,
    no_id: None,
    rest: |_, _, _| {},
    beside: &["audio"],
};

/// Members that hold a model's reasoning on one server or another.
pub(crate) const REASONING: &[&str] = &["reasoning_content", "reasoning"];

/// The message of a response's first choice.
pub(crate) fn first_choice(root: Value<'_>) -> Option<Messages<'_>> {
    let choice = root.get("choices")?.items().next()?;
    Some(Messages::One(Some(choice.get("message")?)))
}

/// Reads one wire message.
pub(crate) fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, form: &Wire) {
    if is_object(cx, wire) && (!form.openai || !common_chat::read(cx, wire)) {
        read_any(cx, wire, form);
    }
}

/// The same of an object of any shape.
pub(crate) fn read_any<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, form: &Wire) {
    read_by_role(cx, wire, |cx, wire, name| read_as(cx, wire, name, form));
}

/// Reads one wire message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str, form: &Wire) {
    match name {
        "system" | "developer" => turn(cx, wire, Role::System, name, form),
        "user" => turn(cx, wire, Role::User, name, form),
        "assistant" | "model" => turn(cx, wire, Role::Assistant, name, form),
        "tool" | "function" | "toolResult" if results_within(cx, wire, |cx, item| result(cx, item, "tool", form)) => {}
        "tool" | "function" | "toolResult" => result(cx, wire, name, form),
        _ => read_under_another_name(cx, wire, |cx, wire, name| read_as(cx, wire, name, form)),
    }
}

fn turn<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: Role, name: &str, form: &Wire) {
    let scan = scan(
        wire,
        [("role", &[]), ("content", &[]), ("tool_calls", &["toolCalls"]), ("function_call", &[]), ("refusal", &[])],
    );
    let [_, content, calls, legacy, refusal] = scan.fields;
    let mut others = scan.others;
    // What has another form than the dialect's says nothing here, and is kept for the way back.
    let is_odd = |key: Value<'a>, value: Value<'a>| {
        key.is_str("function_call") && !value.is_object() && role != Role::Assistant
            || key.is_str("refusal") && !(value.is_string() && role == Role::Assistant)
    };
    others.extend(wire.members().filter(|(key, value)| !value.is_null() && is_odd(*key, *value)));
    let mut silent_reasoning = Vec::new();
    // Ollama has one structure for the messages of all roles.
    if role == Role::Assistant || form.reasoned_by == Dialect::OllamaChat {
        // Where it is the dialect's own, reasoning is words.
        let own = &form.reasoning[..if form.openai { form.reasoning.len() } else { 1.min(form.reasoning.len()) }];
        let is_odd = |(key, value): &mut (Value<'a>, Value<'a>)| {
            own.iter().any(|own| key.is_str(own)) && !value.is_string() && !value.is_null()
        };
        silent_reasoning.extend(others.extract_if(.., is_odd));
    }
    let reasoning = (role == Role::Assistant).then(|| take_reasoning(&mut others, form)).flatten();
    let mut message = cx.message(role, Vec::new());
    let about = message.id;
    if name == "model" || (name == "developer" && !form.openai) {
        alias(cx, wire, name, role.name(), about);
    }
    cx.duplicate(scan.duplicate, wire, about);
    for (key, words) in silent_reasoning {
        let what = format!("`{}` that is {} was left out", key.as_str().unwrap_or_default(), words.kind().name());
        cx.lose(&rule::TEXT_NOT_A_STRING, words, about, what);
    }
    let refused = |(key, value): &(Value<'a>, Value<'a>)| key.is_str("refusal") && !value.is_string() && form.openai;
    if let Some((_, words)) = others.extract_if(.., |other| role == Role::Assistant && refused(other)).last() {
        let what = format!("a `refusal` that is {} was left out", words.kind().name());
        cx.lose(&rule::TEXT_NOT_A_STRING, words, about, what);
    }
    message.native = cx.native(&others);
    if name == "developer" && form.openai {
        message.native.get_or_insert_default().add(cx.dialect.name(), "role", "\"developer\"");
    }
    if role != Role::Assistant && (calls.some().is_some() || legacy.some().is_some()) {
        cx.lose_calls(calls.some().filter(|_| legacy.some().is_none()), wire, about);
    } else if calls.some().is_some() {
        cx.alias(&calls, "tool_calls", wire, about);
    }
    let kept = form.openai && role == Role::Assistant && calls.some().is_none() && legacy.some().is_none();
    let kept = calls_elsewhere(None, wire.get(KWARGS).filter(|_| kept));
    let speaks = calls.some().is_some()
        || kept.is_some()
        || legacy.some().is_some()
        || refusal.some().is_some()
        || others.iter().any(|(key, value)| form.beside.iter().any(|name| key.is_str(name)) && !value.is_null());
    // Content may be null or absent beside something else that the assistant says.
    let empty_form = content
        .value
        .map_or(form.absent_content, |content| content.is_null() && form.null_content && role != Role::System);
    let elsewhere = !speaks && content_of_others(wire).is_some();
    let silent = content.some().is_none() && !elsewhere && (empty_form || (role == Role::Assistant && speaks));
    let mut parts = if silent { vec![message] } else { read_content(cx, message, content.value, wire) };
    let Some(message) = parts.iter_mut().find(|part| part.role == role) else { return cx.finish(wire, parts) };
    message.blocks.iter_mut().for_each(|block| unmark(block, cx.dialect));
    (form.rest)(cx, message, wire);
    if silent && role != Role::Assistant && message.blocks.is_empty() {
        message.blocks.push(cx.block(BlockKind::Text("".into()), wire));
        message.blocks[0].source = None;
        message.blocks[0].projected = true;
    }
    if role == Role::Assistant {
        if let Some((key, words)) = reasoning {
            read_reasoning(cx, message, key, words, wire, form);
        }
        if let Some(words) = refusal.some().filter(|words| words.is_string()) {
            let mut block = cx.block(BlockKind::Text(words.words().unwrap_or_default()), words);
            block.projected = form.openai;
            if !form.openai {
                cx.mend(&rule::FIELD_ALIAS, wire, block.id, "`refusal` was read as text");
            }
            message.blocks.push(block);
        }
        read_calls(cx, message, calls.some(), wire, about, form);
        if let Some((rule, what, list)) = kept {
            cx.mend(rule, wire, about, what);
            for item in list.iter().filter(|item| item.is_object()) {
                let mut block = read_call(cx, *item, form);
                block.dirty = true;
                message.blocks.push(block);
            }
            keep_the_rest(message, without_calls(wire.get(KWARGS).unwrap_or(wire)));
        }
        if form.openai && legacy.some().is_none() && message.blocks.iter().all(Block::is_blank) {
            message.blocks.extend(spoken(cx, wire));
        }
        if let Some(odd) = legacy.some().filter(|function| !function.is_object()) {
            let what = format!("{} in place of a function call was left out", odd.kind().name());
            cx.lose(&rule::UNKNOWN_BLOCK, odd, about, what);
        }
        if let Some(function) = legacy.some().filter(|function| function.is_object()) {
            let mut block = read_function(cx, function, function, None, form);
            if form.openai {
                block.native.get_or_insert_default().add(cx.dialect.name(), LEGACY, "true");
            } else {
                cx.mend(&rule::FIELD_ALIAS, wire, block.id, "`function_call` was read as one of `tool_calls`");
            }
            message.blocks.push(block);
        }
    }
    cx.finish(wire, parts);
}

/// The words of a turn that was spoken: those of its transcript, or that there are none.
fn spoken<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) -> Option<Block<'a>> {
    let audio = wire.get("audio")?;
    let (words, source) = match audio.get("transcript").filter(|words| filled(Some(*words))) {
        Some(words) => (words.as_str()?, words),
        None => {
            let id = audio.get("id").filter(|id| filled(Some(*id)))?;
            (text::opaque_left_out(cx.dialect.name(), "audio").into(), id)
        }
    };
    Some(cx.stand_in(words, source))
}

/// Takes the reasoning out of a message's other members: the first name that holds a string.
fn take_reasoning<'a>(others: &mut Vec<(Value<'a>, Value<'a>)>, form: &Wire) -> Option<(&'static str, Value<'a>)> {
    let (key, at) = form.reasoning.iter().find_map(|name| {
        Some((*name, others.iter().position(|(key, value)| key.is_str(name) && value.is_string())?))
    })?;
    Some((key, others.remove(at).1))
}

fn read_reasoning<'a>(
    cx: &mut Reader<'a, '_>,
    message: &mut Message<'a>,
    key: &'static str,
    words: Value<'a>,
    wire: Value<'a>,
    form: &Wire,
) {
    let own = form.reasoned_by == cx.dialect && (form.openai || form.reasoning.first() == Some(&key));
    let thinking = unsigned(words.as_str().unwrap_or_default(), form.reasoned_by);
    let mut block = cx.block(BlockKind::Thinking(Box::new(thinking)), words);
    block.projected = own;
    if cx.dialect == Dialect::OpenAiChat {
        block.native = signer::beside_words(wire, &words.as_str().unwrap_or_default());
    }
    if !own {
        cx.mend(&rule::FIELD_ALIAS, wire, block.id, format!("`{key}` was read as reasoning"));
    }
    message.blocks.insert(0, block);
}

/// Marks a call that stands in the `function_call` field, which has no id.
pub(crate) const LEGACY: &str = "function_call";

fn read_calls<'a>(
    cx: &mut Reader<'a, '_>,
    message: &mut Message<'a>,
    calls: Option<Value<'a>>,
    wire: Value<'a>,
    about: u32,
    form: &Wire,
) {
    let Some(calls) = calls else { return };
    if !calls.is_array() {
        message.dirty = true;
        if calls.is_object() {
            cx.mend(&rule::CONTENT_NOT_A_LIST, wire, about, "`tool_calls` is not a list");
            let block = read_call(cx, calls, form);
            message.blocks.push(block);
        } else {
            read_calls_of_no_list(cx, message, calls);
        }
        return;
    }
    if calls.items().next().is_none() {
        cx.mend(&rule::EMPTY_TOOL_CALLS, calls, about, "an empty `tool_calls` was left out");
    }
    // A call that its content spells as well is one call (BerriAI/litellm#23510); two calls of one id are two calls.
    let mut called = message.blocks.iter().any(|block| is_foreign(cx, block)).then(|| Called::by(message));
    let pieces = Pieces::find(calls, &cx.behind);
    for item in calls.items().filter(|item| !pieces.has(*item)) {
        if !call::may_be_call(cx, item) {
            message.dirty = true;
            continue;
        }
        if pieces.is_announced(item) {
            let what = "an item with nothing but the id of a later call was left out";
            cx.mend(&rule::STREAMING_MARKER, item, about, what);
            continue;
        }
        let mut block = read_call(cx, item, form);
        if let Some(whole) = pieces.whole(item) {
            pieces::put_together(cx, &mut block, whole, item);
        }
        match &mut called {
            Some(called) => message.dirty |= !called.add(message, block),
            None => message.blocks.push(block),
        }
    }
}

/// Whether it is a call in another spelling than that of the list beside the content.
fn is_foreign(cx: &Reader<'_, '_>, block: &Block<'_>) -> bool {
    matches!(block.kind, BlockKind::ToolCall(_)) && (block.dirty || cx.is_marked(block.id, 0))
}

fn read_call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, form: &Wire) -> Block<'a> {
    if item.get("type").is_some_and(|kind| kind.is_str("custom"))
        && let Some(block) = read_custom(cx, item, form)
    {
        return block;
    }
    match item.get("function").filter(|function| function.is_object()) {
        Some(function) => read_function(cx, item, function, Some(item), form),
        // Another dialect's call in this list.
        None => {
            let mut block = call::read_foreign_call(cx, item);
            unmark(&mut block, cx.dialect);
            block
        }
    }
}

/// A member of another dialect's call that is called as our mark says nothing.
fn unmark(block: &mut Block<'_>, dialect: Dialect) {
    if let (BlockKind::ToolCall(_), Some(native)) = (&block.kind, &mut block.native) {
        native.remove(dialect.name(), LEGACY);
    }
}

/// A call of a custom tool: free text in place of arguments.
fn read_custom<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, form: &Wire) -> Option<Block<'a>> {
    let custom = item.get("custom")?;
    let input = custom.get("input").filter(|input| input.is_string())?;
    let scan = scan(item, [("type", &[]), ("id", CALL_IDS), ("custom", &[])]);
    let block_id = cx.id();
    let id = cx.call_id(&scan.fields[1], item, block_id);
    cx.duplicate(scan.duplicate, item, block_id);
    let [name] = fields::scan(custom, [("name", &[])]).fields;
    let name = cx.tool_name(&name, item, block_id);
    let arguments = Arguments::Json(format!("{{\"input\":{}}}", input.raw()).into());
    let call = ToolCall { id, name, arguments, unfinished: false };
    let mut native = cx.native(&scan.others).unwrap_or_default();
    if form.openai {
        native.add(cx.dialect.name(), "type", "\"custom\"");
    } else {
        cx.mend(&rule::TOOL_CALL_ALIAS, item, block_id, "a `custom` call was read as one of a function");
    }
    Some(Block { projected: true, ..call::block_of_call(block_id, call, item, Some(native)) })
}

/// A function call; `outer` is the item with the id, absent in the legacy field.
fn read_function<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    function: Value<'a>,
    outer: Option<Value<'a>>,
    form: &Wire,
) -> Block<'a> {
    let block_id = cx.id();
    let inner = scan(function, [("name", CALL_NAMES), ("arguments", ARGUMENTS)]);
    let [name, arguments] = inner.fields;
    cx.duplicate(inner.duplicate, item, block_id);
    cx.aliases([(&name, "name"), (&arguments, "arguments")], item, block_id);
    let mut others = Vec::new();
    let mut id = Field::default();
    if let Some(outer) = outer {
        let outer = scan(outer, [("type", &[]), ("id", CALL_IDS), ("function", &[])]);
        others = outer.others;
        id = outer.fields[1];
        cx.duplicate(outer.duplicate, item, block_id);
        cx.alias(&id, "id", item, block_id);
        let kind = outer.fields[0].value;
        let typed = kind.map_or(!form.typed_calls, |kind| kind.is_str("function"));
        if !typed {
            cx.mend(&rule::FIELD_ALIAS, item, block_id, "the type of the call was set to `function`");
        }
    }
    let mut inner_others = inner.others;
    let mut call = call::call_of(cx, item, block_id, [&id, &name, &arguments], &mut inner_others);
    call.id = call.id.filter(|id| form.no_id.is_none_or(|none| id != none));
    call.unfinished |= others.extract_if(.., |(key, value)| call::is_marker(*key, *value)).count() > 0;
    others.retain(|(key, _)| !key.is_str(LEGACY));
    // Mistral's clients write them in either form.
    let projected = cx.dialect == Dialect::MistralChat && matches!(call.arguments, Arguments::Json(_));
    Block { projected, ..call::block_of_call(block_id, call, item, cx.native(&others)) }
}

fn result<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: &str, form: &Wire) {
    let scan = scan(
        wire,
        [
            ("role", &[]),
            ("tool_call_id", RESULT_IDS),
            ("content", &[]),
            ("is_error", ERROR_FLAGS),
            (form.result_name, &["name", "toolName", "tool_name"]),
            ("tool_calls", &["toolCalls"]),
        ],
    );
    let [_, mut id, mut content, error, mut name, calls] = scan.fields;
    let mut others = scan.others;
    let kept = wire.get(KWARGS).filter(|kept| form.openai && id.some().is_none() && kept.get("tool_call_id").is_some());
    if let Some(kept) = kept {
        let within = fields::scan(kept, [("tool_call_id", &[]), ("name", &[])]);
        id = within.fields[0];
        name = if name.some().is_none() { within.fields[1] } else { name };
    }
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    let legacy = form.openai && role == "function" && id.some().is_none();
    cx.duplicate(scan.duplicate, wire, about);
    if role == "toolResult" || (role == "function" && !legacy) {
        alias(cx, wire, role, "tool", about);
    }
    if calls.some().is_some() {
        cx.lose_calls(calls.some(), wire, about);
    }
    cx.alias(&id, "tool_call_id", wire, about);
    let call_id = cx.call_id(&id, wire, about).filter(|id| form.no_id.is_none_or(|none| id != none));
    if !form.openai {
        cx.alias(&name, form.result_name, wire, about);
    }
    // The dialect has no error flag; where a program put one, it is believed, and stays.
    let mut is_error = error.value.and_then(Value::as_bool) == Some(true);
    content_elsewhere(cx, &mut content, &mut others, wire, about);
    if let Some(words) = failure(&content, &mut others) {
        cx.mend(&rule::FIELD_ALIAS, wire, about, "what `error` says was read as the content of a failed result");
        content = Field { value: Some(words), key: "error", also: None };
        is_error = true;
    }
    let null = content.value.map_or(form.absent_content, |content| content.is_null() && (legacy || form.null_content));
    let mut blocks = if null {
        vec![Block { source: None, ..cx.stand_in(text::NO_OUTPUT, wire) }]
    } else {
        read_result_content(cx, wire, content.value, about)
    };
    if let Some(block) = blocks.first_mut() {
        is_error |= strip_error_prefix(block);
    }
    answer(&mut message, blocks, call_id, name_of(&name), is_error);
    if let Some(odd) = name.some().filter(|name| !name.is_string()) {
        let what = format!("the name of the tool is {}; it was left out", odd.kind().name());
        cx.lose(&rule::TOOL_RESULT_NAME_MISSING, odd, about, what);
    }
    message.native = cx.native(&others);
    if let Some(kept) = kept {
        cx.mend(&rule::FIELD_ALIAS, wire, about, "the id in `additional_kwargs` was read as the result's own");
        keep_the_rest(&mut message, without(kept, |key| key.is_str("tool_call_id") || key.is_str("name")));
    }
    if legacy {
        message.native.get_or_insert_default().add(cx.dialect.name(), "role", "\"function\"");
    }
    (form.rest)(cx, &mut message, wire);
    cx.finish(wire, vec![message]);
}

/// What this project puts in front of an error, for want of a flag, is no text of the tool: the flag is read back, and
/// the source's bytes stay for this dialect.
pub(crate) fn strip_error_prefix(block: &mut Block<'_>) -> bool {
    let BlockKind::Text(words) = &mut block.kind else { return false };
    if !words.starts_with(text::ERROR_PREFIX) {
        return false;
    }
    *words = words.get()[text::ERROR_PREFIX.len()..].to_owned().into();
    block.projected = true;
    true
}
