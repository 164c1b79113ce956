//! Events of the Cohere v2 chat API.

use std::collections::BTreeMap;

use crate::stream::Assembly;
use crate::stream::object::{Object, Pieces, list, place};
use wirecanon_json::Value;

/// A message so far.
#[derive(Debug, Default)]
pub(crate) struct Message {
    members: Object,
    plan: Pieces,
    contents: BTreeMap<usize, Content>,
    calls: BTreeMap<usize, Call>,
    citations: Vec<String>,
    finish: Option<String>,
}

#[derive(Debug, Default)]
struct Content {
    start: Object,
    text: Pieces,
    thinking: Pieces,
}

#[derive(Debug, Default)]
struct Call {
    start: Object,
    function: Object,
    arguments: Pieces,
}

impl Assembly for Message {
    fn take(&mut self, event: Value<'_>) {
        let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
        let index = place(event, "index").unwrap_or(0);
        let Some(delta) = event.get("delta") else { return };
        let message = delta.get("message");
        match &*kind {
            "message-start" => {
                if let Some(message) = message {
                    self.members.take(message);
                }
            }
            "content-start" | "content-delta" => {
                let Some(content) = message.and_then(|message| message.get("content")) else { return };
                let so_far = self.contents.entry(index).or_default();
                if kind == "content-start" {
                    so_far.start = Object::of(content);
                }
                so_far.text.push(content.get("text"));
                so_far.thinking.push(content.get("thinking"));
            }
            "tool-plan-delta" => self.plan.push(message.and_then(|message| message.get("tool_plan"))),
            "tool-call-start" | "tool-call-delta" => {
                let Some(call) = message.and_then(|message| message.get("tool_calls")) else { return };
                let so_far = self.calls.entry(index).or_default();
                let function = call.get("function");
                if kind == "tool-call-start" {
                    so_far.start = Object::of(call);
                    so_far.function = function.map(Object::of).unwrap_or_default();
                }
                so_far.arguments.push(function.and_then(|function| function.get("arguments")));
            }
            "citation-start" => {
                let citation = message.and_then(|message| message.get("citations"));
                self.citations.extend(citation.map(|citation| citation.raw().to_owned()));
            }
            "message-end" => {
                let reason = delta.get("finish_reason").map(|reason| reason.raw().to_owned());
                self.finish = Some(reason.unwrap_or_else(|| "null".to_owned()));
            }
            _ => {}
        }
    }

    fn ended(&self) -> bool {
        self.finish.is_some()
    }

    fn document(&self) -> String {
        let mut message = self.members.clone();
        if message.get("role").is_none() {
            message.set_text("role", "assistant");
        }
        self.plan.put_into(&mut message, "tool_plan");
        let contents = self.contents.values().map(|content| {
            let mut block = content.start.clone();
            content.text.put_into(&mut block, "text");
            content.thinking.put_into(&mut block, "thinking");
            block.json()
        });
        message.set("content", list(contents));
        if !self.calls.is_empty() {
            let calls = self.calls.values().map(|call| {
                let (mut whole, mut function) = (call.start.clone(), call.function.clone());
                call.arguments.put_into(&mut function, "arguments");
                whole.set("function", function.json());
                whole.json()
            });
            message.set("tool_calls", list(calls));
        }
        if !self.citations.is_empty() {
            message.set("citations", list(self.citations.iter().cloned()));
        }
        let finish = self.finish.as_deref().unwrap_or("null");
        format!("{{\"message\":{},\"finish_reason\":{finish}}}", message.json())
    }
}
