//! Events of the Anthropic Messages API.

use std::collections::BTreeMap;

use crate::stream::Assembly;
use crate::stream::object::{Object, Pieces, list, place};
use wirecanon_json::{Json, Limits, Value, quote};

/// A message so far.
#[derive(Debug, Default)]
pub(crate) struct Message {
    members: Object,
    blocks: BTreeMap<usize, Block>,
    ended: bool,
}

#[derive(Debug, Default)]
struct Block {
    start: Object,
    text: Pieces,
    thinking: Pieces,
    signature: Pieces,
    input: Pieces,
    citations: Vec<String>,
}

impl Assembly for Message {
    fn take(&mut self, event: Value<'_>) {
        let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
        match &*kind {
            "message_start" => {
                if let Some(message) = event.get("message") {
                    self.members.take(message);
                }
            }
            "content_block_start" => {
                let block = self.block(event);
                if let Some(start) = event.get("content_block") {
                    block.start = Object::of(start);
                    block.text.push(start.get("text"));
                    block.thinking.push(start.get("thinking"));
                    block.signature.push(start.get("signature"));
                }
            }
            "content_block_delta" => {
                let Some(delta) = event.get("delta") else { return };
                let block = self.block(event);
                block.text.push(delta.get("text"));
                block.thinking.push(delta.get("thinking"));
                block.signature.push(delta.get("signature"));
                block.input.push(delta.get("partial_json"));
                block.citations.extend(delta.get("citation").map(|citation| citation.raw().to_owned()));
            }
            "message_delta" => {
                if let Some(delta) = event.get("delta") {
                    self.members.take(delta);
                }
            }
            "message_stop" => self.ended = true,
            _ => {}
        }
    }

    fn ended(&self) -> bool {
        self.ended
    }

    fn document(&self) -> String {
        let mut message = self.members.clone();
        if message.get("role").is_none() {
            message.set_text("role", "assistant");
        }
        message.set("content", list(self.blocks.values().map(Block::json)));
        message.json()
    }
}

impl Message {
    fn block(&mut self, event: Value<'_>) -> &mut Block {
        let next = self.blocks.last_key_value().map_or(0, |(last, _)| last + 1);
        self.blocks.entry(place(event, "index").unwrap_or(next)).or_default()
    }
}

impl Block {
    fn json(&self) -> String {
        let mut block = self.start.clone();
        if block.get("type").is_none() {
            // Its start is not in the stream: what came says what it is.
            let kind = match (self.thinking.text(), self.input.text()) {
                (Some(_), _) => "thinking",
                (None, Some(_)) => "tool_use",
                (None, None) => "text",
            };
            block.set_text("type", kind);
        }
        self.text.put_into(&mut block, "text");
        self.thinking.put_into(&mut block, "thinking");
        self.signature.put_into(&mut block, "signature");
        if let Some(input) = self.input.text().filter(|input| !input.trim().is_empty()) {
            // What broke off is no JSON, and stays the text that it is.
            let whole = Json::parse(input, &Limits::default()).is_ok();
            block.set("input", if whole { input.to_owned() } else { quote(input) });
        }
        if !self.citations.is_empty() {
            block.set("citations", list(self.citations.iter().cloned()));
        }
        block.json()
    }
}
