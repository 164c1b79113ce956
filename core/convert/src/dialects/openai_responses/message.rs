//! Reading messages: the easy form (a role and words), the typed form, and what the model put out.

use crate::dialects::openai_responses::read;
use crate::dialects::openclaw::lineage::{read_calls_beside, read_content};
use crate::read::fields::scan;
use crate::read::reader::{Reader, kept, write_anew};
use crate::read::role::read_under_another_name;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role};

/// Fields of the item that the model's words stood in; they go along with the first block of it.
pub(crate) const ITEM_FIELDS: [(&str, &str); 3] =
    [("id", "item.id"), ("status", "item.status"), ("phase", "item.phase")];
const PHASE: &str = "phase";
/// Marks the further blocks of an item.
pub(crate) const PART: &str = "item.part";

/// Reads a message.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    let name = wire.get("role").and_then(Value::as_str).unwrap_or_default();
    read_as(cx, wire, &name);
}

/// Reads a message as one of this role.
fn read_as<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str) {
    match name {
        "system" | "developer" => turn(cx, wire, Role::System, name),
        "user" => turn(cx, wire, Role::User, name),
        "assistant" | "model" => turn(cx, wire, Role::Assistant, name),
        "tool" | "function" | "toolResult" | "tool_result" => {
            read::result(cx, wire, Some(name));
        }
        _ => read_under_another_name(cx, wire, read_as),
    }
}

fn turn<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, role: Role, name: &str) {
    let scan = scan(wire, [("type", &[]), ("role", &[]), ("content", &[]), ("tool_calls", &["toolCalls"])]);
    let [kind, _, content, calls] = scan.fields;
    let mut message = cx.message(role, Vec::new());
    let about = message.id;
    cx.duplicate(scan.duplicate, wire, about);
    if name == "model" {
        cx.mend(&rule::ROLE_ALIAS, wire, about, "the role `model` was read as `assistant`");
    }
    if kind.value.is_some_and(|kind| !kind.is_str("message")) {
        cx.mend(&rule::UNKNOWN_BLOCK, wire, about, "an item with a role was read as a message");
    }
    if role != Role::Assistant {
        let mut others = scan.others.clone();
        if calls.value.is_some_and(Value::is_null) {
            others.extend(wire.members().find(|(key, _)| key.is_str(calls.key)));
        }
        message.native = cx.native(&others);
        if name == "developer" {
            message.native.get_or_insert_default().add(cx.dialect.name(), "role", "\"developer\"");
        }
    }
    if let Some(list) = content.value.filter(|list| list.is_array() && list.items().next().is_none()) {
        cx.mend(&rule::EMPTY_MESSAGE, list, about, "an empty list of parts says nothing");
    }
    let has_calls = role == Role::Assistant && calls.some().is_some_and(Value::is_array);
    let content = content.value.filter(|content| !(has_calls && content.is_null()));
    let mut parts =
        if has_calls && content.is_none() { vec![message] } else { read_content(cx, message, content, wire) };
    if role == Role::Assistant {
        let mut of_item = scan.others;
        of_item.extend(phase_within(cx, &mut parts, content, &of_item));
        for part in &mut parts {
            assistant(cx, &mut part.blocks, &of_item);
        }
    }
    if let Some(list) = calls.some() {
        let own = parts.iter_mut().find(|part| part.role == role);
        match own.filter(|_| has_calls) {
            Some(message) => {
                if list.items().next().is_none() {
                    cx.mend(&rule::EMPTY_TOOL_CALLS, list, message.id, "an empty `tool_calls` was left out");
                }
                read_calls_beside(cx, message, list);
                message.dirty = true;
            }
            None => {
                let what = "tool calls beside the content of such a message were left out";
                cx.lose(&rule::BLOCK_IN_WRONG_ROLE, wire, about, what);
                write_anew(&mut parts);
            }
        }
    }
    cx.finish(wire, parts);
}

/// The fields of the model's item go to its first block. Reasoning among words is no item of this dialect's: nobody knows
/// who signed it.
fn assistant<'a>(cx: &Reader<'a, '_>, blocks: &mut [Block<'a>], others: &[(Value<'a>, Value<'a>)]) {
    for block in blocks.iter_mut() {
        if let BlockKind::Thinking(thinking) = &mut block.kind {
            thinking.origin = None;
        }
    }
    let dialect = cx.dialect.name();
    let mut first = true;
    for block in blocks.iter_mut().filter(|block| matches!(block.kind, BlockKind::Text(_))) {
        if !first {
            block.native.get_or_insert_default().add(dialect, PART, "true");
            continue;
        }
        for (key, value) in others {
            if let Some((_, name)) = ITEM_FIELDS.iter().find(|(own, _)| key.is_str(own)) {
                block.native.get_or_insert_default().add(dialect, *name, kept(*value));
                first = false;
            }
        }
        if first {
            return;
        }
    }
}

/// The phase that the item's texts say and the item does not (stippi/code-assistant#195). What another text says else is no
/// phase of this item.
fn phase_within<'a>(
    cx: &mut Reader<'a, '_>,
    parts: &mut [Message<'a>],
    content: Option<Value<'a>>,
    of_item: &[(Value<'a>, Value<'a>)],
) -> Option<(Value<'a>, Value<'a>)> {
    if of_item.iter().any(|(key, _)| key.is_str(PHASE)) {
        return None;
    }
    let is_phase = |(key, value): &(Value<'_>, Value<'_>)| {
        key.is_str(PHASE) && (value.is_str("commentary") || value.is_str("final_answer"))
    };
    let found = content?.items().find_map(|text| text.members().find(is_phase))?;
    let dialect = cx.dialect.name();
    let mut moved = false;
    for block in parts.iter_mut().flat_map(|part| &mut part.blocks).filter(|block| block.is_text()) {
        let Some(native) = &mut block.native else { continue };
        if native.get_mut(dialect, PHASE).is_some_and(|said| *said == found.1.raw()) {
            native.remove(dialect, PHASE);
            block.dirty = true;
            moved = true;
        }
    }
    if moved {
        let about = parts.first().map(|part| part.id);
        cx.mend(&rule::FIELD_ALIAS, found.1, about, "`phase` stood within a text; it was put on the item");
    }
    moved.then_some(found)
}

/// Reads instructions beside the list: one string. A response repeats those of a stored prompt as a list of items, which come
/// before the input (BerriAI/litellm#17128).
pub(crate) fn read_instructions<'a>(cx: &mut Reader<'a, '_>, system: Value<'a>) {
    let is_item = |item: Value<'_>| item.get("role").is_some() || item.get("type").is_some();
    if system.items().next().is_some() && system.items().all(is_item) {
        let before = cx.messages.len();
        system.items().for_each(|item| read::read_item(cx, item));
        let what = "a list in place of the instructions came before the input";
        cx.mend_from(before, &rule::TEXT_NOT_A_STRING, system, what);
        cx.system_changed = true;
        return;
    }
    let message = cx.message(Role::System, Vec::new());
    let parts = read_content(cx, message, Some(system), system);
    if !system.is_string() {
        for part in &parts {
            cx.mend(&rule::CONTENT_NOT_A_LIST, system, part.id, "instructions beside the list are one text");
        }
    }
    cx.finish(system, parts);
}
