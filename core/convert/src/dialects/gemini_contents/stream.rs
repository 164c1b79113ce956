//! Chunks of `streamGenerateContent`.

use crate::stream::Assembly;
use crate::stream::object::{Object, list};
use wirecanon_json::{Value, quote};

/// The first candidate so far: it is the one that goes into a history.
#[derive(Debug, Default)]
pub(crate) struct Response {
    role: Option<String>,
    parts: Vec<Part>,
    finish: Option<String>,
}

#[derive(Debug)]
enum Part {
    /// A part of nothing but text, which the next such part goes on
    Text { text: String, thought: bool },
    /// Any other, whole
    Other(String),
}

impl Assembly for Response {
    fn take(&mut self, event: Value<'_>) {
        let Some(candidate) = event.get("candidates").and_then(|list| list.items().next()) else { return };
        if let Some(content) = candidate.get("content") {
            self.role = content.get("role").map(|role| role.raw().to_owned()).or(self.role.take());
            content.get("parts").into_iter().flat_map(Value::items).for_each(|part| self.part(part));
        }
        let finish = candidate.get("finishReason").or_else(|| candidate.get("finish_reason"));
        self.finish = finish.map(|reason| reason.raw().to_owned()).or(self.finish.take());
    }

    fn ended(&self) -> bool {
        self.finish.is_some()
    }

    fn document(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text { text, thought: false } => format!("{{\"text\":{}}}", quote(text)),
            Part::Text { text, thought: true } => format!("{{\"text\":{},\"thought\":true}}", quote(text)),
            Part::Other(raw) => raw.clone(),
        });
        let mut content = Object::default();
        content.set("role", self.role.clone().unwrap_or_else(|| "\"model\"".to_owned()));
        content.set("parts", list(parts));
        let mut candidate = Object::default();
        candidate.set("content", content.json());
        if let Some(finish) = &self.finish {
            candidate.set("finishReason", finish.clone());
        }
        format!("{{\"candidates\":[{}]}}", candidate.json())
    }
}

impl Response {
    fn part(&mut self, part: Value<'_>) {
        let plain = part.members().all(|(key, _)| key.is_str("text") || key.is_str("thought"));
        let text = part.get("text").and_then(Value::as_str).filter(|_| plain);
        let Some(text) = text else {
            self.parts.push(Part::Other(part.raw().to_owned()));
            return;
        };
        let is_thought = part.get("thought").and_then(Value::as_bool) == Some(true);
        match self.parts.last_mut() {
            Some(Part::Text { text: so_far, thought }) if *thought == is_thought => so_far.push_str(&text),
            _ => self.parts.push(Part::Text { text: text.into_owned(), thought: is_thought }),
        }
    }
}
