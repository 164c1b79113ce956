//! Reading the fields of a document strictly: a field of the wrong type is an error, `null` counts as absent.

use std::borrow::Cow;

use wirecanon_json::Value;

use crate::observation::{Item, Speaker};
use crate::unreadable::{Read, Unreadable};

/// Returns a field, if it is there and not `null`.
pub(crate) fn field<'a>(object: Value<'a>, key: &str) -> Option<Value<'a>> {
    object.get(key).filter(|value| !value.is_null())
}

/// Returns the first of these fields that is there and not `null`.
pub(crate) fn first<'a>(object: Value<'a>, keys: &[&str]) -> Option<Value<'a>> {
    keys.iter().find_map(|key| field(object, key))
}

/// Returns the JSON text of a field, if it is there and not `null`.
pub(crate) fn raw<'a>(object: Value<'a>, key: &str) -> Option<Cow<'a, str>> {
    field(object, key).map(|value| Cow::Borrowed(value.raw()))
}

/// Returns a string field, or `None` if it is absent.
pub(crate) fn string<'a>(object: Value<'a>, key: &str) -> Read<Option<Cow<'a, str>>> {
    field(object, key).map(|value| text_of(value, key)).transpose()
}

/// Returns the string in the first of these fields that is there, or `None` if all are absent; an error names the first key.
pub(crate) fn first_string<'a>(object: Value<'a>, keys: &[&str]) -> Read<Option<Cow<'a, str>>> {
    first(object, keys).map(|value| text_of(value, keys[0])).transpose()
}

/// Returns a string field that its holder may do without: one of another type counts as absent, since nothing else depends on it.
pub(crate) fn label<'a>(object: Value<'a>, key: &str) -> Option<Cow<'a, str>> {
    field(object, key).and_then(Value::as_str)
}

/// Returns a string field.
pub(crate) fn required<'a>(object: Value<'a>, key: &str) -> Read<Cow<'a, str>> {
    string(object, key)?.ok_or_else(|| Unreadable::new(object, format!("`{key}` is missing")))
}

/// Returns a field of any type.
pub(crate) fn required_field<'a>(object: Value<'a>, key: &str) -> Read<Value<'a>> {
    field(object, key).ok_or_else(|| Unreadable::new(object, format!("`{key}` is missing")))
}

/// Returns the text of a value that must be a string.
pub(crate) fn text_of<'a>(value: Value<'a>, key: &str) -> Read<Cow<'a, str>> {
    value.as_str().ok_or_else(|| of_wrong_type(value, key, "a string"))
}

/// Returns a boolean field, or `None` if it is absent.
pub(crate) fn boolean(object: Value<'_>, key: &str) -> Read<Option<bool>> {
    field(object, key).map(|value| value.as_bool().ok_or_else(|| of_wrong_type(value, key, "a boolean"))).transpose()
}

/// The error of a field that has another type than it must have.
pub(crate) fn of_wrong_type(value: Value<'_>, key: &str, wanted: &str) -> Unreadable {
    Unreadable::new(value, format!("`{key}` must be {wanted}, got {}", value.kind().name()))
}

/// Fails if a call says another type than those that the dialect has; it may say none.
pub(crate) fn must_be_call(call: Value<'_>, kinds: &[&str]) -> Read<()> {
    must_be_object(call, "a tool call")?;
    match string(call, "type")? {
        Some(kind) if !kinds.contains(&&*kind) => unknown_block(call, &kind, "the tool calls"),
        _ => Ok(()),
    }
}

/// Returns whether a flag is on, also as a text or a number.
pub(crate) fn is_on(flag: Value<'_>) -> bool {
    flag.as_bool() == Some(true) || flag.is_str("true") || flag.as_f64() == Some(1.0)
}

/// Returns whether the `status` of a result is that of an error, if it has one.
pub(crate) fn error_of_status(result: Value<'_>) -> Read<Option<bool>> {
    match string(result, "status")?.as_deref() {
        None => Ok(None),
        Some(status @ ("error" | "success")) => Ok(Some(status == "error")),
        Some(status) => Err(Unreadable::new(result, format!("unknown status `{status}`"))),
    }
}

/// Returns the error flag that programs put beside a result where its dialect has none of that name, if it is on.
pub(crate) fn foreign_error_flag(result: Value<'_>) -> Option<bool> {
    first(result, &["isError", "is_error"]).is_some_and(is_on).then_some(true)
}

/// Returns the items of an array field; none if it is absent.
pub(crate) fn array<'a>(object: Value<'a>, key: &str) -> Read<impl Iterator<Item = Value<'a>> + use<'a>> {
    match field(object, key) {
        Some(value) if !value.is_array() => Err(of_wrong_type(value, key, "an array")),
        value => Ok(value.into_iter().flat_map(Value::items)),
    }
}

/// Reads a field that is a text or a list of blocks; `None` if it is absent.
pub(crate) fn text_or_blocks<'a>(
    holder: Value<'a>,
    key: &str,
    block: impl FnMut(Value<'a>) -> Read<Item<'a>>,
) -> Read<Option<Vec<Item<'a>>>> {
    match field(holder, key) {
        None => Ok(None),
        Some(text) if text.is_string() => Ok(Some(vec![Item::text(text_of(text, key)?, text)])),
        Some(_) => array(holder, key)?.map(block).collect::<Read<_>>().map(Some),
    }
}

/// The items of a list; a value alone is a list of one.
pub(crate) fn list_of(value: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let alone = (!value.is_array()).then_some(value);
    alone.into_iter().chain(value.items())
}

/// Returns an object field, or `None` if it is absent.
pub(crate) fn object<'a>(holder: Value<'a>, key: &str) -> Read<Option<Value<'a>>> {
    match field(holder, key) {
        Some(value) if !value.is_object() => Err(of_wrong_type(value, key, "an object")),
        value => Ok(value),
    }
}

/// Returns an object field that must be there.
pub(crate) fn required_object<'a>(holder: Value<'a>, key: &str) -> Read<Value<'a>> {
    object(holder, key)?.ok_or_else(|| Unreadable::new(holder, format!("`{key}` is missing")))
}

/// Fails unless the value is an object.
pub(crate) fn must_be_object(value: Value<'_>, what: &str) -> Read<()> {
    if value.is_object() {
        Ok(())
    } else {
        Err(Unreadable::new(value, format!("{what} must be an object, got {}", value.kind().name())))
    }
}

/// Returns the `type` of a block.
pub(crate) fn kind(block: Value<'_>) -> Read<Cow<'_, str>> {
    must_be_object(block, "a block")?;
    required(block, "type")
}

/// The error of a block whose type the dialect does not have, or not in this place.
pub(crate) fn unknown_block<T>(block: Value<'_>, kind: &str, holder: &str) -> Read<T> {
    Err(Unreadable::new(block, format!("unknown block type `{kind}` in {holder}")))
}

/// The error of a value that holds two members of which it may hold one.
pub(crate) fn two_members(holder: Value<'_>, first: &str, second: &str) -> Unreadable {
    Unreadable::new(holder, format!("`{first}` and `{second}` are in one object, which may hold one of them"))
}

/// Reads the role of a message of a dialect of chats, where only the assistant's messages have calls.
pub(crate) fn chat_speaker(message: Value<'_>, roles: &[Role], calls: &[&str]) -> Read<Speaker> {
    must_be_object(message, "a message")?;
    let holds_something = |value: &Value<'_>| !value.is_array() || value.items().next().is_some();
    let found = calls.iter().find_map(|key| Some((key, field(message, key).filter(holds_something)?)));
    match found.filter(|_| required(message, "role").is_ok_and(|role| role != "assistant")) {
        Some((key, value)) => Err(Unreadable::new(value, format!("`{key}` in a message that is not the assistant's"))),
        None => speaker(message, roles),
    }
}

/// A role, and the speaker that has it.
type Role = (&'static str, Speaker);

pub(crate) const SYSTEM: Role = ("system", Speaker::System);
pub(crate) const USER: Role = ("user", Speaker::User);
pub(crate) const ASSISTANT: Role = ("assistant", Speaker::Assistant);
pub(crate) const TOOL: Role = ("tool", Speaker::Tool);

/// Reads the role of a message: one of those that the dialect has.
pub(crate) fn speaker(message: Value<'_>, roles: &[Role]) -> Read<Speaker> {
    must_be_object(message, "a message")?;
    let role = required(message, "role")?;
    let known = roles.iter().find(|(known, _)| *known == role);
    known.map_or_else(|| unknown_role(message, &role), |(_, speaker)| Ok(*speaker))
}

/// The error of a role that the dialect does not have.
pub(crate) fn unknown_role<T>(message: Value<'_>, role: &str) -> Read<T> {
    Err(Unreadable::new(message.get("role").unwrap_or(message), format!("unknown role `{role}`")))
}

/// The only member of an object.
pub(crate) fn only_member(object: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    let mut members = object.members();
    members.next().filter(|_| members.next().is_none())
}
