//! Chunks of the OpenAI Chat Completions API, and of those that speak like it.

use std::collections::{BTreeMap, HashMap};

use crate::stream::Assembly;
use crate::stream::object::{Object, Pieces, list, place};
use wirecanon_json::{Json, Limits, Value, quote};

/// Members of a piece that are texts in pieces.
const TEXTS: [&str; 4] = ["content", "refusal", "reasoning_content", "reasoning"];

/// A completion so far.
#[derive(Debug, Default)]
pub(crate) struct Completion {
    choices: BTreeMap<usize, Choice>,
}

#[derive(Debug, Default)]
struct Choice {
    members: Object,
    texts: [Pieces; TEXTS.len()],
    /// Content that is a list: Mistral's, with reasoning
    items: Vec<String>,
    /// Lists beside the content, such as OpenRouter's `reasoning_details`
    lists: BTreeMap<String, Vec<Item>>,
    calls: Vec<Call>,
    /// Which of them a piece of each place belongs to
    places: HashMap<usize, usize>,
    /// And a piece of each id
    ids: HashMap<String, usize>,
    function: Option<Call>,
    finish: Option<String>,
}

/// An item of a list, of which a stream sends pieces.
#[derive(Debug, Default)]
struct Item {
    members: Object,
    texts: [Pieces; GROWING.len()],
}

/// Members of such an item that grow from piece to piece; all others are said once, or again.
const GROWING: [&str; 2] = ["text", "summary"];

#[derive(Debug, Default)]
struct Call {
    members: Object,
    function: Object,
    name: Pieces,
    arguments: Pieces,
}

impl Assembly for Completion {
    fn take(&mut self, event: Value<'_>) {
        for (at, choice) in event.get("choices").into_iter().flat_map(Value::items).enumerate() {
            let so_far = self.choices.entry(place(choice, "index").unwrap_or(at)).or_default();
            if let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) {
                so_far.take(delta);
            }
            let finish = choice.get("finish_reason").filter(|reason| !reason.is_null());
            so_far.finish = finish.map(|reason| reason.raw().to_owned()).or(so_far.finish.take());
        }
    }

    fn ended(&self) -> bool {
        !self.choices.is_empty() && self.choices.values().all(|choice| choice.finish.is_some())
    }

    fn document(&self) -> String {
        let choices = self.choices.iter().map(|(index, choice)| {
            let finish = choice.finish.as_deref().unwrap_or("null");
            format!("{{\"index\":{index},\"message\":{},\"finish_reason\":{finish}}}", choice.json())
        });
        format!("{{\"choices\":{}}}", list(choices))
    }
}

impl Choice {
    fn take(&mut self, delta: Value<'_>) {
        for (key, member) in delta.members() {
            let key = key.as_str().unwrap_or_default();
            if let Some(at) = TEXTS.iter().position(|text| *text == key) {
                self.texts[at].push(Some(member));
                if member.is_array() {
                    self.items.extend(member.items().map(|item| item.raw().to_owned()));
                }
            } else if key == "tool_calls" {
                member.items().for_each(|piece| self.call(piece));
            } else if key == "function_call" && member.is_object() {
                self.function.get_or_insert_default().take_function(member);
            } else if member.is_array() && member.items().all(Value::is_object) {
                member.items().for_each(|piece| self.item(&key, piece));
            } else if !member.is_null() {
                self.members.set(&key, member.raw().to_owned());
            }
        }
    }

    /// A piece belongs to the call of its place. Where a server gives none, an id begins another one. Places are not to be
    /// relied on (agno-agi/agno#8880): an id that came before is that call's, another id with a name is another call at the
    /// same place, and what says neither, at a place where nothing is, goes on with the last one.
    fn call(&mut self, piece: Value<'_>) {
        let index = place(piece, "index");
        let id = piece.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let named =
            piece.get("function").is_some_and(|function| function.get("name").is_some_and(|name| !name.is_null()));
        let last = self.calls.len().checked_sub(1);
        let known = id.as_deref().and_then(|id| self.ids.get(id).copied());
        let open = known.or_else(|| match index {
            Some(index) => match self.places.get(&index).copied() {
                Some(at) if id.is_some() && named && self.calls[at].members.get("id").is_some() => None,
                None if id.is_none() && !named => last,
                at => at,
            },
            None if id.is_some() => None,
            None => last,
        });
        let at = open.unwrap_or_else(|| {
            self.calls.push(Call::default());
            self.calls.len() - 1
        });
        if let Some(index) = index {
            self.places.insert(index, at);
        }
        let call = &mut self.calls[at];
        for (key, member) in piece.members() {
            match &*key.as_str().unwrap_or_default() {
                "index" => {}
                "function" => call.take_function(member),
                // Some servers say it again in each piece, and empty, or another one each time.
                "id" if member.is_str("") || member.is_null() || call.members.get("id").is_some() => {}
                key => call.members.set(key, member.raw().to_owned()),
            }
        }
        if let Some(id) = id {
            self.ids.entry(id.into_owned()).or_insert(at);
        }
    }

    /// A piece belongs to the last item of its place, unless that is of another type or has another id, or the piece is whole
    /// because it holds sealed data (agno-agi/agno#5802). Without a place it is an item, if it is not said already.
    fn item(&mut self, key: &str, piece: Value<'_>) {
        let items = self.lists.entry(key.to_owned()).or_default();
        let differs = |item: &Item, key: &str| {
            let said = piece.get(key).filter(|said| !said.is_null()).map(Value::raw);
            said.is_some_and(|said| item.members.get(key).is_some_and(|known| known != said))
        };
        let place = piece.get("index").filter(|_| piece.get("data").is_none()).map(Value::raw);
        let open = place.and_then(|place| items.iter_mut().rfind(|item| item.members.get("index") == Some(place)));
        if let Some(item) = open.filter(|item| !["type", "id"].iter().any(|key| differs(item, key))) {
            item.take(piece);
            return;
        }
        let mut item = Item::default();
        item.take(piece);
        if place.is_some() || items.iter().all(|known| known.json() != item.json()) {
            items.push(item);
        }
    }

    fn json(&self) -> String {
        let mut message = self.members.clone();
        if message.get("role").is_none() {
            message.set_text("role", "assistant");
        }
        message.set("content", "null".to_owned());
        for (key, pieces) in TEXTS.iter().zip(&self.texts) {
            pieces.put_into(&mut message, key);
        }
        if !self.items.is_empty() {
            let text = self.texts[0].text().map(|text| format!("{{\"type\":\"text\",\"text\":{}}}", quote(text)));
            message.set("content", list(self.items.iter().cloned().chain(text)));
        }
        for (key, items) in &self.lists {
            message.set(key, list(items.iter().map(Item::json)));
        }
        if let Some(function) = &self.function {
            message.set("function_call", function.function_json());
        }
        if !self.calls.is_empty() {
            message.set("tool_calls", list(self.calls.iter().map(Call::json)));
        }
        message.json()
    }
}

fn is_object(text: &str) -> bool {
    Json::parse(text, &Limits::default()).is_ok_and(|json| json.root().is_object())
}

impl Item {
    fn take(&mut self, piece: Value<'_>) {
        for (key, member) in piece.members() {
            let key = key.as_str().unwrap_or_default();
            if let Some(at) = GROWING.iter().position(|growing| *growing == key && member.is_string()) {
                self.texts[at].push(Some(member));
            } else if !member.is_null() || self.members.get(&key).is_none() {
                self.members.set(&key, member.raw().to_owned());
            }
        }
    }

    fn json(&self) -> String {
        let mut item = self.members.clone();
        GROWING.iter().zip(&self.texts).for_each(|(key, text)| text.put_into(&mut item, key));
        item.json()
    }
}

impl Call {
    fn take_function(&mut self, function: Value<'_>) {
        for (key, member) in function.members() {
            match &*key.as_str().unwrap_or_default() {
                // A name comes once; some servers say it in each piece.
                "name" if self.name.text().is_some_and(|name| member.is_str(name)) => {}
                "name" => self.name.push(Some(member)),
                // An object is no piece, and comes whole.
                "arguments" if member.is_object() => self.function.set("arguments", member.raw().to_owned()),
                // Some say all of them again (NousResearch/hermes-agent#5384); nothing goes on behind a whole object.
                "arguments" if self.arguments.text().is_some_and(|said| member.is_str(said) && is_object(said)) => {}
                "arguments" => self.arguments.push(Some(member)),
                key => self.function.set(key, member.raw().to_owned()),
            }
        }
    }

    fn function_json(&self) -> String {
        let mut function = self.function.clone();
        self.name.put_into(&mut function, "name");
        self.arguments.put_into(&mut function, "arguments");
        function.json()
    }

    fn json(&self) -> String {
        let mut call = self.members.clone();
        if call.get("type").is_none() {
            call.set_text("type", "function");
        }
        if call.get("type") == Some("\"function\"") || self.name.text().is_some() || !self.function.is_empty() {
            call.set("function", self.function_json());
        }
        call.json()
    }
}
