//! OpenAI Responses: a flat list of items. Messages, calls, outputs, reasoning and what the server's own tools did each
//! stand alone; what the model said in one go is several items, which make one turn here.

use std::borrow::Cow;

use super::{message, part, reasoning, turns};
use crate::dialects::openai_chat::read as openai_chat;
use crate::media;
use crate::read::block::{Item, filled, tell_bare_base64};
use crate::read::call;
use crate::read::container::{self, Layout, Messages};
use crate::read::detect::{block, is};
use crate::read::fields::{ARGUMENTS, CALL_NAMES, CALL_TYPES, ERROR_FLAGS, RESULT_IDS, RESULT_TYPES, scan};
use crate::read::reader::{Members, Reader};
use crate::read::result::{self, answer, name_of, read_result_content};
use crate::read::spec::{Sign, Spec, SystemField, ToolForm};
use wirecanon_json::{Json, Value};
use wirecanon_model::transcript::{Arguments, Block, BlockKind, Container, Message, Role, ToolCall};
use wirecanon_model::{Dialect, Error, rule};

pub(crate) use crate::dialects::openai_responses::elsewhere::goes_on;
pub(crate) use crate::dialects::openai_responses::message::{ITEM_FIELDS, PART};
pub(crate) use crate::dialects::openai_responses::part::{is_own, text_type};
pub(crate) use crate::dialects::openai_responses::reasoning::{parts_are_whole, thinking as thinking_of_item};
pub(crate) use crate::dialects::openai_responses::shell::CALL as SHELL_CALL;

pub(crate) static SPEC: Spec = Spec {
    system: SystemField::Either("instructions"),
    system_is_string: true,
    tools: ToolForm { mark: Some(("type", "function")), ..ToolForm::FLAT },
    is_message: |value| value.get("role").is_some() || kind_of(value).is_some_and(|kind| is_item(&kind)),
    results_in_any_order: true,
    is_lone_result: |item| is(item, "function_call_output") || is(item, "custom_tool_call_output"),
    response: |root| {
        let output = root.get("output").filter(|output| output.is_array() && root.get("type").is_none())?;
        Some(Messages::List(output.items()))
    },
    layout,
    root_sign: |root| {
        let beside = ["previous_response_id", "conversation", "instructions"];
        let known = root.get("object").is_some_and(|object| object.is_str("response"))
            || beside.iter().any(|key| root.get(key).is_some());
        2 * usize::from(root.get("input").is_some()) + 3 * usize::from(known)
    },
    signs: &[
        Sign::new(8, "an item that is a call or its output", |item| {
            item.get("call_id").is_some() && item.get("role").is_none()
        }),
        Sign::new(7, "an item that is no message", |item| {
            item.get("role").is_none() && kind_of(item).is_some_and(|kind| is_item(&kind))
        }),
        Sign::new(4, "an `input_text` or `output_text` part", |m| {
            block(m, |b| is(b, "input_text") || is(b, "output_text") || is(b, "input_file"))
        }),
    ],
    error_flag: false,
    blank_results: true,
    has_item: part::stays,
    is_whole: part::whole,
    is_own_message: |item| kind_of(item).is_some_and(|kind| is_hosted(&kind) && is_complete(&kind, item)),
    read: read_item,
    read_system: message::read_instructions,
    item: |cx, item, role| part::read_part(cx, item, role).map(Item::Block),
    finish: Some(turns::finish),
    ..Spec::COMMON
};

/// Marks a call or an output as that of a custom tool, and a message as the developer's.
pub(crate) const KIND: &str = "type";

/// Items of tools that the server runs or knows, and other items that only it can replay.
const HOSTED: &[&str] = &[
    "file_search_call",
    "web_search_call",
    "computer_call",
    "code_interpreter_call",
    "image_generation_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "tool_search_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_call",
    "program",
    "item_reference",
    "compaction",
];

/// Of those, what the client adds.
const CLIENT: &[&str] = &[
    "computer_call_output",
    "local_shell_call_output",
    "shell_call_output",
    "apply_patch_call_output",
    "tool_search_output",
    "program_output",
    "mcp_approval_response",
    "compaction_trigger",
    "additional_tools",
];

const OWN: &[&str] =
    &["message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "reasoning"];

/// Items among which Codex keeps its conversation, and which it sends to no server: a snapshot of the working tree, and what
/// it could not read. Source: openai/codex `codex-rs/core/src/context_manager/history.rs`, `is_api_message`.
const OF_CODEX: &[&str] = &["ghost_snapshot", "other"];

/// Most characters of an id.
pub(crate) const LONGEST: usize = 64;

/// Whether an item's own id is as the server gives them: "Expected an ID that begins with 'fc'".
pub(crate) fn id_is_whole(id: &str, prefix: &str) -> bool {
    id.starts_with(prefix)
        && id.len() <= LONGEST
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn kind_of(item: Value<'_>) -> Option<Cow<'_, str>> {
    item.get("type").and_then(Value::as_str)
}

/// Whether a type is one that items of this API have.
pub(crate) fn is_item(kind: &str) -> bool {
    OWN.contains(&kind) || is_hosted(kind)
}

/// Whether items of this type are carried as they are.
fn is_hosted(kind: &str) -> bool {
    HOSTED.contains(&kind) || is_clients(kind)
}

/// Whether items of this type are the client's, though they are no messages and no results of called functions.
pub(crate) fn is_clients(kind: &str) -> bool {
    CLIENT.contains(&kind)
}

/// Whether an item that is carried as it is has what its server needs at least.
fn is_complete(kind: &str, item: Value<'_>) -> bool {
    match kind {
        "item_reference" => filled(item.get("id")),
        "compaction" => filled(item.get("encrypted_content")),
        "computer_call_output" | "apply_patch_call_output" | "shell_call_output" => filled(item.get("call_id")),
        _ => true,
    }
}

/// Whether a screenshot has a picture: "Invalid `input[6].output.image_url`. Expected a valid URL"
/// (Cloudgeni-ai/opengeni#114 and #290).
fn is_shown(item: Value<'_>) -> bool {
    let Some(output) = item.get("output") else { return false };
    let Some(url) = output.get("image_url").filter(|url| !url.is_null()) else { return filled(output.get("file_id")) };
    url.as_str().is_some_and(|url| {
        media::split_data_url(&url).1.is_some_and(|data| !data.trim().is_empty()) || part::is_web(&url)
    })
}

/// A screenshot whose address is base64 alone, with a data URL in its place.
fn with_data_url(item: Value<'_>) -> Option<String> {
    let url = item.get("output")?.get("image_url")?;
    let data = url.as_str()?;
    let mime_type = media::type_of_bare_base64(&data).filter(|mime_type| mime_type.starts_with("image/"))?;
    let data = media::in_canonical_spelling(&data)?;
    let (raw, span, start) = (item.raw(), url.span(), item.span().start);
    let url = wirecanon_json::quote(&format!("data:{mime_type};base64,{data}"));
    Some([&raw[..span.start - start], &url, &raw[span.end - start..]].concat())
}

fn layout<'a>(json: &'a Json<'a>, dialect: Dialect) -> Result<Layout<'a>, Error> {
    let root = json.root();
    if json.is_lines() || !root.is_object() {
        return container::conversation(json, dialect);
    }
    // A custom call has an `input` of its own.
    if kind_of(root).is_some_and(|kind| is_item(&kind)) && !root.get("input").is_some_and(Value::is_array) {
        let mut layout = container::plain(Container::Single { object: root.index() }, Messages::One(Some(root)));
        layout.is_fragment = (SPEC.is_lone_result)(root);
        return Ok(layout);
    }
    let Some(words) = root.get("input").filter(|input| input.is_string() && root.get("type").is_none()) else {
        return container::conversation(json, dialect);
    };
    let container = Container::Object { object: root.index(), key: "input" };
    let instructions = root.get("instructions").filter(|words| container::says_something(*words, &SPEC));
    let tools = root.get("tools").filter(|tools| tools.is_array());
    Ok(Layout { system: instructions, tools, ..container::plain(container, Messages::One(Some(words))) })
}

/// Reads one item.
pub(crate) fn read_item<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    if is_whole_input(cx, wire) {
        let block = cx.block(BlockKind::Text(wire.words().unwrap_or_default()), wire);
        let mut message = cx.message(Role::User, vec![block]);
        // Behind others it is an item of a list.
        message.dirty |= cx.messages.iter().any(|message| message.role != Role::System);
        return cx.finish(wire, vec![message]);
    }
    if !wire.is_object() {
        let what = format!("{} in place of an item was left out", wire.kind().name());
        return cx.lose(&rule::MESSAGE_NOT_AN_OBJECT, wire, None, what);
    }
    let kind = match wire.get("type").filter(|kind| !kind.is_null()) {
        None => Cow::Borrowed(""),
        Some(kind) => kind.as_str().filter(|kind| !kind.is_empty()).unwrap_or(Cow::Borrowed("?")),
    };
    match &*kind {
        "function_call" => call(cx, wire, read_call),
        "custom_tool_call" => call(cx, wire, read_custom),
        "function_call_output" | "custom_tool_call_output" => result(cx, wire, None),
        "reasoning" => reasoning::read(cx, wire),
        kind if is_hosted(kind) => hosted(cx, wire, kind),
        "compaction_summary" if is_complete("compaction", wire) => older_compaction(cx, wire),
        _ if wire.get("role").is_some() => message::read(cx, wire),
        kind if OF_CODEX.contains(&kind) => {
            cx.mend(&rule::UNKNOWN_BLOCK, wire, None, "an item that Codex keeps and sends nowhere was left out");
        }
        "" if filled(wire.get("id")) => hosted(cx, wire, "item_reference"),
        kind if CALL_TYPES.contains(&kind) || is_function(wire) => call(cx, wire, call::read_call),
        kind if RESULT_TYPES.contains(&kind) => {
            let mut message = result::read_result_block(cx, wire);
            message.source = Some(wire.index());
            cx.finish(wire, vec![message]);
        }
        "" | "message" => cx.lose(&rule::UNKNOWN_ROLE, wire, None, "a message without a role was left out"),
        _ => unknown(cx, wire),
    }
}

/// Whether it is a call as Chat Completions has it.
fn is_function(item: Value<'_>) -> bool {
    is(item, "function") && item.get("function").is_some_and(Value::is_object)
}

/// Whether this is the string that stands for the whole input: what is in front of it is its key.
fn is_whole_input(cx: &Reader<'_, '_>, wire: Value<'_>) -> bool {
    let Some(before) = wire.index().checked_sub(1).filter(|_| wire.is_string()) else { return false };
    let key = cx.json.value(before);
    key.is_str("input")
        && cx
            .json
            .text()
            .get(key.span().end..wire.span().start)
            .is_some_and(|between| between.trim_start().starts_with(':'))
}

/// An item of a type that nobody knows keeps its place as its JSON text.
fn unknown<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let block = cx.as_json(wire, &rule::UNKNOWN_BLOCK, "an item of an unknown type was kept as its JSON text");
    cx.finish_block(wire, Role::Assistant, block);
}

/// An item that only this API can replay.
fn hosted<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, kind: &str) {
    if !is_complete(kind, wire) {
        return unknown(cx, wire);
    }
    if kind == "computer_call_output"
        && let Some(value) = with_data_url(wire)
    {
        let block = cx.opaque_as(wire, value);
        tell_bare_base64(cx, &block, wire);
        return cx.finish_block(wire, Role::User, block);
    }
    if kind == "computer_call_output" && !is_shown(wire) {
        let words = "a screenshot without a picture was kept as its JSON text";
        let block = cx.as_json(wire, &rule::IMAGE_WITHOUT_DATA, words);
        return cx.finish_block(wire, Role::User, block);
    }
    let block = cx.opaque(wire);
    let role = if is_clients(kind) { Role::User } else { Role::Assistant };
    cx.finish_block(wire, role, block);
}

/// A compacted history under the name that it had first, which Codex reads and never writes (NousResearch/hermes-agent#25253).
fn older_compaction<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let Some(kind) = wire.get("type") else { return };
    let (item, span, start) = (wire.raw(), kind.span(), wire.span().start);
    let value = format!("{}\"compaction\"{}", &item[..span.start - start], &item[span.end - start..]);
    let block = cx.opaque_as(wire, value);
    cx.mend(&rule::UNKNOWN_BLOCK, wire, block.id, "`compaction_summary` is `compaction` here");
    cx.finish_block(wire, Role::Assistant, block);
}

type ReadCall = for<'a, 'b, 'r> fn(&'b mut Reader<'a, 'r>, Value<'a>) -> Block<'a>;

fn call<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, read: ReadCall) {
    let block = read(cx, wire);
    cx.finish_block(wire, Role::Assistant, block);
}

/// Spellings of a call's id. An item has an `id` of its own, which stands in only where there is no other: see
/// `turns::take_item_ids`.
const CALL_IDS: &[&str] = &["tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "callId"];

/// A call of a function.
fn read_call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let block_id = cx.id();
    let (call, others) = call_with(cx, item, block_id, "arguments");
    call::block_of_call(block_id, call, item, cx.native(&others))
}

/// A call of a custom tool: free text in place of arguments.
fn read_custom<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    let block_id = cx.id();
    let (mut call, others) = call_with(cx, item, block_id, "input");
    let [input] = scan(item, [("input", ARGUMENTS)]).fields;
    let words = match input.some() {
        Some(value) if value.is_string() => Cow::Borrowed(value.raw()),
        Some(value) => {
            let what = "the input of a custom call is no string; its JSON text was taken";
            cx.mend(&rule::TOOL_CALL_ARGUMENTS_NOT_A_STRING, item, block_id, what);
            Cow::Owned(wirecanon_json::quote(value.raw()))
        }
        None => {
            let what = "the custom call has no input; it was given an empty one";
            cx.mend(&rule::TOOL_CALL_ARGUMENTS_MISSING, item, block_id, what);
            Cow::Borrowed("\"\"")
        }
    };
    call.arguments = Arguments::Json(format!("{{\"input\":{words}}}").into());
    let mut native = cx.native(&others).unwrap_or_default();
    native.add(cx.dialect.name(), KIND, "\"custom_tool_call\"");
    Block { projected: true, ..call::block_of_call(block_id, call, item, Some(native)) }
}

/// A call whose arguments stand under this name, and its other members.
fn call_with<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    about: u32,
    own: &'static str,
) -> (ToolCall<'a>, Members<'a>) {
    let head = scan(item, [("type", &[]), ("call_id", CALL_IDS), ("name", CALL_NAMES)]);
    let ([_, id, name], [arguments]) = (head.fields, scan(item, [(own, ARGUMENTS)]).fields);
    cx.duplicate(head.duplicate, item, about);
    cx.aliases([(&id, "call_id"), (&name, "name")], item, about);
    let mut others = head.others;
    others.retain(|(key, _)| !ARGUMENTS.iter().any(|name| key.is_str(name)));
    let call = call::call_of(cx, item, about, [&id, &name, &arguments], &mut others);
    cx.alias(&arguments, own, item, about);
    (call, others)
}

/// The output of a call; `role` where it stands as a message of another dialect.
pub(crate) fn result<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: Option<&str>) {
    let scan = scan(
        wire,
        [
            ("type", &[]),
            ("call_id", RESULT_IDS),
            ("output", &["content"]),
            ("is_error", ERROR_FLAGS),
            ("name", &["toolName", "tool_name"]),
            ("role", &[]),
        ],
    );
    let [kind, id, output, error, name, _] = scan.fields;
    let mut message = cx.message(Role::ToolResult, Vec::new());
    let about = message.id;
    cx.duplicate(scan.duplicate, wire, about);
    if let Some(role) = role {
        let what = format!("a message of role `{role}` was read as the output of a call");
        cx.mend(&rule::ROLE_ALIAS, wire, about, what);
    } else {
        cx.aliases([(&id, "call_id"), (&output, "output")], wire, about);
    }
    let call_id = cx.call_id(&id, wire, about);
    // The dialect has no error flag; where a program put one, it is believed, and stays.
    let mut is_error = error.value.and_then(Value::as_bool) == Some(true);
    let mut blocks = read_result_content(cx, wire, output.value, about);
    if let Some(block) = blocks.first_mut() {
        is_error |= openai_chat::strip_error_prefix(block);
    }
    message.native = cx.native(&scan.others);
    if kind.value.is_some_and(|kind| kind.is_str("custom_tool_call_output")) {
        message.native.get_or_insert_default().add(cx.dialect.name(), KIND, "\"custom_tool_call_output\"");
    }
    answer(&mut message, blocks, call_id, name_of(&name), is_error);
    cx.finish(wire, vec![message]);
}

/// Marks every block of a message that must be written anew: each of its items is written by its blocks.
pub(crate) fn mark(message: &mut Message<'_>) {
    if message.dirty {
        for block in &mut message.blocks {
            block.dirty = true;
        }
    }
}
