//! Roles under names that are no dialect's own.

use crate::read::bare;
use crate::read::block::read_item;
use crate::read::fields::{CALL_TYPES, RESULT_TYPES, Scan};
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Message, Role};

/// The role that a name means in the frameworks and data sets that use it, as OpenAI's dialect spells it. Case and the white
/// space around it say nothing.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    // LangChain says human and ai, Cohere's first version chatbot, the protocol between agents agent, ShareGPT gpt,
    // function_call and observation, smolagents tool-call and tool-response; the content of the last four is words.
    const NAMES: [(&str, &[&str]); 4] = [
        ("user", &["user", "human", "tool-response", "observation"]),
        ("assistant", &["assistant", "ai", "bot", "chatbot", "gpt", "model", "agent", "tool-call", "function_call"]),
        ("system", &["system", "developer"]),
        ("tool", &["tool", "function", "toolResult", "tool_result", "tool-result", "tool_response"]),
    ];
    let name = name.trim();
    let names = |(_, names): &&(&str, &[&str])| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    NAMES.iter().find(names).map(|(role, _)| *role)
}

/// The role of a message that names none and shows it, as what is put together from a stream does: who calls and reasons is the
/// model, what names a call answers it (openai/openai-go#54, langchain-ai/langchainjs#11470).
fn shown(wire: Value<'_>) -> Option<&'static str> {
    if !wire.get("role").is_none_or(|role| role.is_null() || role.is_str("")) {
        return None;
    }
    let says = |key| wire.get(key).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
    let holds = |kinds: &[&str], key: &str| {
        let is = |block: Value<'_>| {
            block.get(key).is_some()
                || block.get("type").is_some_and(|kind| kinds.iter().any(|known| kind.is_str(known)))
        };
        wire.get("content").is_some_and(|content| content.items().any(is))
    };
    let calls = wire.get("tool_calls").is_some_and(|calls| calls.items().any(Value::is_object));
    if calls || wire.get("function_call").is_some_and(Value::is_object) || says("reasoning_content") {
        Some("assistant")
    } else if says("tool_call_id") {
        Some("tool")
    } else if holds(CALL_TYPES, "toolUse") {
        Some("assistant")
    } else if holds(RESULT_TYPES, "toolResult") {
        Some("user")
    } else {
        None
    }
}

/// Returns true if a message names a role that means something in any dialect, or shows one.
pub(crate) fn shows_a_role(message: Value<'_>) -> bool {
    message.get("role").and_then(Value::as_str).is_some_and(|role| meant(&role).is_some()) || shown(message).is_some()
}

/// Reads a wire message by the name of its role. What is no object is left out.
pub(crate) fn read_by_role<'a, 'r>(
    cx: &mut Reader<'a, 'r>,
    wire: Value<'a>,
    read: impl FnOnce(&mut Reader<'a, 'r>, Value<'a>, &str),
) {
    if is_object(cx, wire) {
        read(cx, wire, &wire.get("role").and_then(Value::as_str).unwrap_or_default());
    }
}

/// Whether a wire message is an object. It is left out where it is none.
pub(crate) fn is_object<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) -> bool {
    if !wire.is_object() {
        let what = format!("{} in place of a message was left out", wire.kind().name());
        cx.lose(&rule::MESSAGE_NOT_AN_OBJECT, wire, None, what);
    }
    wire.is_object()
}

/// Reports that a role was read as another.
pub(crate) fn alias<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>, name: &str, own: &str, about: u32) {
    cx.mend(&rule::ROLE_ALIAS, wire, about, ["the role `", name, "` was read as `", own, "`"].concat());
}

/// A message to read a turn into, whose role may be spelled as OpenAI or Gemini spells it.
pub(crate) fn begin<'a, const N: usize>(
    cx: &mut Reader<'a, '_>,
    wire: Value<'a>,
    role: Role,
    name: &str,
    scan: &Scan<'a, N>,
) -> Message<'a> {
    let message = cx.message(role, Vec::new());
    if matches!(name, "model" | "developer") {
        alias(cx, wire, name, role.name(), message.id);
    }
    cx.duplicate(scan.duplicate, wire, message.id);
    message
}

/// Leaves out a message of no known role.
pub(crate) fn leave_out<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    cx.lose(&rule::UNKNOWN_ROLE, wire, None, "a message without a known role was left out");
}

/// Reads a message whose role is under no name that the dialect's reader knows: `read` is given the name that OpenAI's dialect
/// has for what is meant. A message of no known role is left out.
pub(crate) fn read_under_another_name<'a, 'r>(
    cx: &mut Reader<'a, 'r>,
    wire: Value<'a>,
    read: impl FnOnce(&mut Reader<'a, 'r>, Value<'a>, &str),
) {
    let name = wire.get("role").and_then(Value::as_str).unwrap_or_default();
    let (rule, role, what) = match (meant(&name), shown(wire)) {
        (Some(role), _) => (&rule::ROLE_ALIAS, role, format!("the role `{name}` was read as `{role}`")),
        (None, Some(role)) => {
            (&rule::UNKNOWN_ROLE, role, format!("a message without a role was read as one of `{role}`"))
        }
        (None, None) if bare::read(cx, wire, read_item) => return,
        (None, None) => return leave_out(cx, wire),
    };
    let before = cx.messages.len();
    read(cx, wire, role);
    cx.mend_from(before, rule, wire, what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_role_in_any_case() {
        let of = |names: &[&str]| names.iter().map(|name| meant(name)).collect::<Vec<_>>();
        assert_eq!(of(&["human", "User", " USER "]), [Some("user"); 3]);
        assert_eq!(of(&["ai", "Assistant", "model", "CHATBOT"]), [Some("assistant"); 4]);
        assert_eq!(of(&["System", "tool", "narrator", "error", ""]), [Some("system"), Some("tool"), None, None, None]);
    }
}
