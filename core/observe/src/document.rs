//! The place of the messages in a document.

use wirecanon_json::Value;

use crate::unreadable::{Read, Unreadable};
use crate::wire::{field, of_wrong_type};

/// The messages of a document, and the object that holds them.
pub(crate) struct Document<'a> {
    /// The messages, in order
    pub(crate) messages: Vec<Value<'a>>,
    /// The body of the request; `None` for a bare list or a message alone
    pub(crate) body: Option<Value<'a>>,
}

impl<'a> Document<'a> {
    /// Finds the messages: a list, a list under `key`, one message, or JSON Lines of messages.
    pub(crate) fn find(root: Value<'a>, key: &str, is_message: fn(Value<'_>) -> bool) -> Read<Self> {
        if root.is_array() {
            return Ok(Self { messages: root.items().collect(), body: None });
        }
        if !root.is_object() {
            return Err(Unreadable::new(
                root,
                format!("a message list must be an array or an object, got {}", root.kind().name()),
            ));
        }
        match field(root, key) {
            Some(list) if list.is_array() => Ok(Self { messages: list.items().collect(), body: Some(root) }),
            Some(list) if !is_message(root) => Err(of_wrong_type(list, key, "an array")),
            _ if is_message(root) => Ok(Self { messages: vec![root], body: None }),
            _ => Err(Unreadable::new(root, format!("the document has no `{key}`"))),
        }
    }

    /// Finds the messages, each with a role, under `messages`; in a provider's response, its one message.
    pub(crate) fn of_roles(root: Value<'a>, response: Option<Value<'a>>) -> Read<Self> {
        Self::or_response(root, "messages", has_role, response)
    }

    /// Finds the messages as [`Document::find`] does, or the one message of a provider's response.
    pub(crate) fn or_response(
        root: Value<'a>,
        key: &str,
        is_message: fn(Value<'_>) -> bool,
        response: Option<Value<'a>>,
    ) -> Read<Self> {
        match response {
            Some(message) if field(root, key).is_none() => Ok(Self { messages: vec![message], body: None }),
            _ => Self::find(root, key, is_message),
        }
    }
}

/// Returns whether an object has a role, as the messages of most dialects do.
fn has_role(value: Value<'_>) -> bool {
    value.get("role").is_some()
}

/// Returns the first item of an array field.
pub(crate) fn first_of<'a>(object: Value<'a>, key: &str) -> Option<Value<'a>> {
    field(object, key)?.items().next()
}
