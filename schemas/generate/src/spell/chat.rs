//! What the dialects share that have a message for each result, and calls beside the content.

use super::{Members, contain, put};
use crate::Config;
use crate::node::Node;
use crate::plan::{Answer, CallPart, Message};

/// The messages in a request with these members, or alone.
pub(super) fn document(config: &Config, beside: &[(&str, Node)], messages: Vec<Node>) -> Node {
    let beside = beside.iter().filter(|_| config.extras);
    contain(config, beside.map(|(key, value)| ((*key).to_owned(), value.clone())).collect(), messages)
}

/// What the role of a message is called.
pub(super) fn role(message: &Message) -> &'static str {
    message.role.of(["system", "user", "assistant", "tool"])
}

/// Which call a result answers.
pub(super) fn answered(answer: &Answer, members: &mut Members) {
    answer.spelled_id.put(members, answer.id_key.unwrap_or("tool_call_id"), &answer.id);
}

/// A call whose arguments are text.
pub(super) fn call(call: &CallPart) -> Node {
    let mut function = Vec::new();
    call.spelled_name.put(&mut function, "name", &call.name);
    call.spelled_arguments.put(&mut function, "arguments", &call.arguments);
    let mut members = Vec::new();
    call.spelled_id.put(&mut members, "id", &call.id);
    put(&mut members, "type", "function");
    put(&mut members, "function", function);
    members.extend(call.extra.clone());
    Node::Object(members)
}
