//! Google Gemini: contents of parts, arguments and results as objects, ids that may be left out. Each part is named by the
//! one member that it holds; both spellings of protobuf JSON, `functionCall` and `function_call`, are its own.

use super::{pair, part};
use crate::dialects::anthropic_messages::read;
pub(crate) use crate::dialects::gemini_contents::part::BESIDE;
use crate::dialects::gemini_contents::part::Read;
pub(crate) use crate::dialects::gemini_contents::part::standard as standard_base64;
use crate::dialects::openclaw::lineage;
use crate::read::container::Messages;
use crate::read::fields::{Field, Scan, scan};
use crate::read::reader::{Members, Reader, write_alone, write_anew};
use crate::read::role::{is_object, leave_out, meant};
use crate::read::spec::{Sign, Spec, SystemField, ToolForm};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Message, Role};

pub(crate) static SPEC: Spec = Spec {
    system: SystemField::Beside("systemInstruction"),
    system_also: Some("system_instruction"),
    tools: ToolForm {
        inner: Some("functionDeclarations"),
        inner_also: Some("function_declarations"),
        schema_also: &["parametersJsonSchema", "parameters_json_schema"],
        ..ToolForm::FLAT
    },
    is_message: |value| value.get("parts").is_some(),
    is_lone_result: |message| {
        let role = message.get("role").filter(|role| !role.is_null());
        let mut parts = message.get("parts").into_iter().flat_map(Value::items);
        let (Some(part), None) = (parts.next(), parts.next()) else { return false };
        let result = part.get("functionResponse").or_else(|| part.get("function_response"));
        role.is_none_or(|role| ["user", "function", "tool"].iter().any(|name| role.is_str(name)))
            && part::is_result(part)
            && result.is_some_and(Value::is_object)
    },
    response: |root| {
        let candidate = root.get("candidates")?.items().next()?;
        Some(Messages::One(Some(candidate.get("content")?)))
    },
    root_sign: |root| {
        let system = root.get("systemInstruction").or_else(|| root.get("system_instruction")).is_some();
        if root.get("contents").is_some() { if system { 12 } else { 8 } } else { 0 }
    },
    seals_reasoning: |thinking| thinking.signature.as_deref().is_some_and(|seal| part::standard(seal).is_some()),
    is_own_message: part::is_item,
    read: read_message,
    read_system,
    finish: Some(pair::finish),
    signs: &[
        Sign::new(8, "a `functionCall` or `functionResponse` part", |m| {
            part_of(m, |part| {
                holds(part, "functionCall", "function_call") || holds(part, "functionResponse", "function_response")
            })
        }),
        Sign::new(6, "`parts` that are named by what they hold", |m| {
            part_of(m, |part| part.get("type").is_none() && part::DATA.iter().any(|(a, b)| holds(part, a, b)))
        }),
    ],
    ..Spec::COMMON
};

fn part_of(message: Value<'_>, shows: fn(Value<'_>) -> bool) -> bool {
    message.get("parts").is_some_and(|parts| parts.items().take(4096).any(shows))
}

/// Whether an object holds this member, in either spelling.
fn holds(object: Value<'_>, camel: &str, snake: &str) -> bool {
    [camel, snake].iter().any(|key| object.get(key).is_some_and(|value| !value.is_null()))
}

/// Looks through an object for fields that protobuf JSON spells in two ways, and reports a field that stands in both.
pub(crate) fn scan_both<'a, const N: usize>(
    cx: &mut Reader<'a, '_>,
    object: Value<'a>,
    groups: [(&'static str, &'static [&'static str]); N],
    about: u32,
) -> Scan<'a, N> {
    let scan = scan(object, groups);
    cx.duplicate(scan.duplicate, object, about);
    for field in &scan.fields {
        cx.twice(field, object, about);
    }
    scan
}

/// Members that the API has no field for: it refuses the whole request ("Unknown name … Cannot find field").
pub(crate) fn refuse_unknown<'a>(
    cx: &mut Reader<'a, '_>,
    at: Value<'a>,
    others: &mut Members<'a>,
    about: u32,
    keeps: &[&str],
) {
    read::refuse_unknown(cx, at, others, Some(about), |key| keeps.contains(&key));
}

/// An id that is neither a string with something in it nor empty counts as none.
pub(crate) fn tell_odd_id<'a>(cx: &mut Reader<'a, '_>, field: &Field<'a>, at: Value<'a>, about: u32) {
    let Some(value) = field.some() else { return };
    let plain = match value.as_str() {
        Some(text) => text.is_empty() || !text.trim().is_empty(),
        None => value.as_f64().is_some(),
    };
    if !plain {
        cx.mend(&rule::TOOL_CALL_ID_WHITE_SPACE, at, about, "an id without a visible character counts as none");
    }
}

/// Reads one content.
fn read_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    if !is_object(cx, wire) {
        return;
    }
    if wire.get("parts").is_none() && (wire.get("content").is_some() || wire.get("tool_calls").is_some()) {
        return foreign_message(cx, wire);
    }
    let scan = scan(wire, [("role", &[]), ("parts", &[])]);
    let spelled = scan.fields[0].some().filter(|role| !role.is_str(""));
    let name = spelled.and_then(Value::as_str);
    let calls = part_of(wire, |part| holds(part, "functionCall", "function_call"));
    let (role, own) = match name.as_deref() {
        // AI Studio takes a content without a role for the user's.
        None if spelled.is_none() => (Role::User, !calls && scan.fields[0].some().is_none()),
        Some("user") => (Role::User, true),
        Some("model") => (Role::Assistant, true),
        name => match name.and_then(meant) {
            Some("assistant") => (Role::Assistant, false),
            Some("system") => (Role::System, false),
            Some(_) => (Role::User, false),
            None => return leave_out(cx, wire),
        },
    };
    let role = if name.is_none() && calls { Role::Assistant } else { role };
    let message = cx.message(role, Vec::new());
    let about = message.id;
    if !own {
        let rule = if role == Role::System {
            &rule::MISPLACED_SYSTEM
        } else if name.is_none() {
            &rule::UNKNOWN_ROLE
        } else {
            &rule::ROLE_ALIAS
        };
        let name = name.as_deref().map_or("no role".to_owned(), |name| format!("the role `{name}`"));
        cx.mend(rule, wire, about, format!("{name} was read as {}", role.name()));
    }
    cx.duplicate(scan.duplicate, wire, about);
    let mut others = scan.others;
    refuse_unknown(cx, wire, &mut others, about, &[]);
    let messages = read_parts(cx, message, scan.fields[1].value, wire);
    cx.finish(wire, messages);
}

/// A message in the shape of another dialect, in a list of contents.
fn foreign_message<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let before = cx.messages.len();
    lineage::read_message(cx, wire);
    if cx.messages.len() > before {
        cx.mend_from(before, &rule::FOREIGN_BLOCK_SHAPE, wire, "a message in another dialect's shape was read");
    }
    for message in &mut cx.messages[before..] {
        message.native = None;
        write_alone(&mut message.blocks);
    }
}

/// Reads parts into messages: a result is one of its own, and what the user says before and after it stays on its side.
fn read_parts<'a>(
    cx: &mut Reader<'a, '_>,
    message: Message<'a>,
    parts: Option<Value<'a>>,
    wire: Value<'a>,
) -> Vec<Message<'a>> {
    let (role, about) = (message.role, message.id);
    let mut messages = vec![message];
    let mut late = Vec::new();
    let mut take = |cx: &mut Reader<'a, '_>, item: Value<'a>| {
        for read in part::read(cx, item, role, about) {
            match read {
                Read::Block(block) => match messages.last_mut() {
                    Some(last) if last.role == role => last.blocks.push(block),
                    _ => messages.push(cx.message(role, vec![block])),
                },
                Read::Result(result) if role == Role::User => {
                    if messages.len() == 1 && messages[0].role == role && messages[0].blocks.is_empty() {
                        messages.clear();
                    }
                    messages.push(result);
                }
                Read::Result(result) => {
                    let what = "a tool result outside a message of the user was moved out of it";
                    cx.mend(&rule::BLOCK_IN_WRONG_ROLE, item, result.id, what);
                    cx.mark(about);
                    late.push(result);
                }
            }
        }
    };
    match parts.filter(|parts| !parts.is_null()) {
        Some(list) if list.is_array() => list.items().for_each(|item| take(cx, item)),
        None => cx.mend(&rule::CONTENT_MISSING, wire, about, "the content has no parts"),
        Some(value) => {
            cx.mend(&rule::CONTENT_NOT_A_LIST, value, about, "one part in place of the list was put into a list");
            take(cx, value);
        }
    }
    messages.extend(late);
    if cx.is_marked(about, 0) {
        write_anew(&mut messages);
    }
    messages
}

/// Reads the instructions that stand beside the list: a content of texts.
fn read_system<'a>(cx: &mut Reader<'a, '_>, system: Value<'a>) {
    let mut message = cx.message(Role::System, Vec::new());
    let about = message.id;
    if !system.is_object() {
        cx.mend(&rule::CONTENT_NOT_A_LIST, system, about, "instructions that are no content became a content of text");
        let items: Vec<_> = if system.is_array() { system.items().collect() } else { vec![system] };
        for item in items {
            for read in part::read(cx, item, Role::System, about) {
                if let Read::Block(block) = read {
                    message.blocks.push(block);
                }
            }
        }
        return cx.finish(system, vec![message]);
    }
    let scan = scan(system, [("role", &[]), ("parts", &[])]);
    cx.duplicate(scan.duplicate, system, about);
    let mut others = scan.others;
    let messages = if scan.fields[1].value.is_none() && part::is_part(system) {
        // A part in place of the content that holds it.
        read_parts(cx, message, Some(system), system)
    } else {
        refuse_unknown(cx, system, &mut others, about, &[]);
        read_parts(cx, message, scan.fields[1].value, system)
    };
    cx.finish(system, messages);
}
