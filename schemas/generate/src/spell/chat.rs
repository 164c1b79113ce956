//! What the dialects share that have a message for each result, and calls beside the content.

use super::{Members, contain, put};
use crate::Config;
use crate::node::Node;
use crate::plan::{Answer, CallPart, Message, Role};

/// The messages in a request with these members, or alone.
pub(super) fn document(config: &Config, beside: &[(&str, Node)], messages: Vec<Node>) -> Node {
    let beside = beside.iter().filter(|_| config.extras);
    contain(config, beside.map(|(key, value)| ((*key).to_owned(), value.clone())).collect(), messages)
}

/// What the role of a message is called.
pub(super) fn role(message: &Message) -> &'static str {
    match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Result => "tool",
    }
}

/// Which call a result answers.
pub(super) fn answered(answer: &Answer, members: &mut Members) {
    answer.spelled_id.put(members, answer.id_key.unwrap_or("tool_call_id"), Node::from(answer.id.as_str()));
}

/// A call whose arguments are text.
pub(super) fn call(call: &CallPart) -> Node {
    let mut function = Vec::new();
    call.spelled_name.put(&mut function, "name", Node::from(call.name.as_str()));
    call.spelled_arguments.put(&mut function, "arguments", Node::from(call.arguments.as_str()));
    let mut members = Vec::new();
    call.spelled_id.put(&mut members, "id", Node::from(call.id.as_str()));
    put(&mut members, "type", Node::from("function"));
    put(&mut members, "function", Node::Object(function));
    members.extend(call.extra.clone());
    Node::Object(members)
}
