//! Events of the OpenAI Responses API.

use std::collections::BTreeMap;

use crate::stream::Assembly;
use crate::stream::object::{Object, Pieces, list, place};
use wirecanon_json::Value;

/// A response so far.
#[derive(Debug, Default)]
pub(crate) struct Response {
    /// The whole response, as its last event gives it
    whole: Option<Object>,
    items: BTreeMap<usize, Item>,
}

#[derive(Debug, Default)]
struct Item {
    /// As it began
    start: Object,
    /// As it ended
    end: Option<String>,
    arguments: Pieces,
    input: Pieces,
    texts: BTreeMap<usize, Pieces>,
    summaries: BTreeMap<usize, Pieces>,
}

impl Assembly for Response {
    fn take(&mut self, event: Value<'_>) {
        let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
        if matches!(&*kind, "response.completed" | "response.incomplete" | "response.failed") {
            let whole = event.get("response").filter(|response| response.get("output").is_some_and(Value::is_array));
            self.whole = whole.map(Object::of);
            return;
        }
        let Some(at) = place(event, "output_index") else { return };
        let item = self.items.entry(at).or_default();
        match &*kind {
            "response.output_item.added" => item.start = event.get("item").map(Object::of).unwrap_or_default(),
            "response.output_item.done" => item.end = event.get("item").map(|item| item.raw().to_owned()),
            "response.function_call_arguments.delta" => item.arguments.push(event.get("delta")),
            "response.custom_tool_call_input.delta" => item.input.push(event.get("delta")),
            "response.output_text.delta" => {
                item.texts.entry(place(event, "content_index").unwrap_or(0)).or_default().push(event.get("delta"));
            }
            "response.reasoning_summary_text.delta" => {
                item.summaries.entry(place(event, "summary_index").unwrap_or(0)).or_default().push(event.get("delta"));
            }
            _ => {}
        }
    }

    fn ended(&self) -> bool {
        self.whole.is_some()
    }

    fn document(&self) -> String {
        let mut response = self.whole.clone().unwrap_or_else(|| {
            let mut begun = Object::default();
            begun.set_text("object", "response");
            begun
        });
        // The server of Codex closes with an empty list, whatever it sent (NousResearch/hermes-agent#5689, BerriAI/litellm#26075).
        if response.get("output").is_none_or(|output| output.bytes().all(|byte| b"[] \t\r\n".contains(&byte))) {
            let items = self.items.values().filter(|item| item.end.is_some() || !item.start.is_empty());
            response.set("output", list(items.map(Item::json)));
        }
        response.json()
    }
}

impl Item {
    fn json(&self) -> String {
        if let Some(end) = &self.end {
            return end.clone();
        }
        let mut item = self.start.clone();
        self.arguments.put_into(&mut item, "arguments");
        self.input.put_into(&mut item, "input");
        for (key, kind, parts) in
            [("content", "output_text", &self.texts), ("summary", "summary_text", &self.summaries)]
        {
            if !parts.is_empty() {
                let parts = parts.values().map(|pieces| {
                    let mut part = Object::default();
                    part.set_text("type", kind);
                    part.set_text("text", pieces.text().unwrap_or_default());
                    part.json()
                });
                item.set(key, list(parts));
            }
        }
        item.json()
    }
}
