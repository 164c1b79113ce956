//! Lines of Ollama's `/api/chat`: each is a response with a piece of the message.

use crate::stream::Assembly;
use crate::stream::object::{Object, Pieces, list};
use wirecanon_json::Value;

/// A response so far.
#[derive(Debug, Default)]
pub(crate) struct Response {
    members: Object,
    message: Object,
    content: Pieces,
    thinking: Pieces,
    calls: Vec<String>,
    done: bool,
}

/// Whether a line is one of an answer.
pub(crate) fn is_line(line: Value<'_>) -> bool {
    line.get("message").is_some_and(Value::is_object) && line.get("done").and_then(Value::as_bool).is_some()
}

impl Assembly for Response {
    fn take(&mut self, event: Value<'_>) {
        if let Some(message) = event.get("message") {
            self.message.take(message);
            self.content.push(message.get("content"));
            self.thinking.push(message.get("thinking"));
            // Calls come whole, one line after another may bring some.
            let calls = message.get("tool_calls").into_iter().flat_map(Value::items);
            self.calls.extend(calls.map(|call| call.raw().to_owned()));
        }
        self.members.take(event);
        self.done |= event.get("done").and_then(Value::as_bool) == Some(true);
    }

    fn ended(&self) -> bool {
        self.done
    }

    fn document(&self) -> String {
        let mut message = self.message.clone();
        self.content.put_into(&mut message, "content");
        self.thinking.put_into(&mut message, "thinking");
        if !self.calls.is_empty() {
            message.set("tool_calls", list(self.calls.iter().cloned()));
        }
        let mut response = self.members.clone();
        response.set("message", message.json());
        response.json()
    }
}
