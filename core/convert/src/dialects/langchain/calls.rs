//! Which entry of `tool_calls` a block of LangChain's content says again.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use crate::dialects::langchain::read::read_entry;
use crate::read::fields::CALL_TYPES;
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::transcript::Message;

/// The calls of one message, as they stand beside its content, which may say them again in their places.
pub(crate) struct Entries<'a> {
    /// Each with whether it is an invalid one
    pub(crate) items: Vec<(Value<'a>, bool)>,
    by_id: HashMap<Cow<'a, str>, VecDeque<usize>>,
    /// Those that no block has said yet, for blocks without an id
    by_name: HashMap<Cow<'a, str>, VecDeque<usize>>,
    /// How many have been read
    read: usize,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(lists: [(Option<Value<'a>>, bool); 2]) -> Self {
        let mut entries = Self { items: Vec::new(), by_id: HashMap::new(), by_name: HashMap::new(), read: 0 };
        for (list, invalid) in lists {
            for item in list.into_iter().flat_map(Value::items) {
                if let Some(id) = item.get("id").and_then(Value::as_str) {
                    entries.by_id.entry(id).or_default().push_back(entries.items.len());
                }
                if let Some(name) = item.get("name").and_then(Value::as_str) {
                    entries.by_name.entry(name).or_default().push_back(entries.items.len());
                }
                entries.items.push((item, invalid));
            }
        }
        entries
    }

    /// Reads all entries up to the one that a block of content says again; false when there is none. The lists alone say
    /// in which order the calls stand.
    pub(crate) fn read_to(&mut self, cx: &mut Reader<'a, '_>, message: &mut Message<'a>, id: &str) -> bool {
        let Some(at) = self.by_id.get_mut(id).and_then(VecDeque::pop_front) else { return false };
        self.read_until(cx, message, at + 1);
        true
    }

    /// The same for a block without an id: the next entry of its name.
    pub(crate) fn read_to_name(&mut self, cx: &mut Reader<'a, '_>, message: &mut Message<'a>, name: &str) -> bool {
        let Some(at) = self.by_name.get_mut(name).and_then(VecDeque::pop_front) else { return false };
        self.read_until(cx, message, at + 1);
        true
    }

    pub(crate) fn read_until(&mut self, cx: &mut Reader<'a, '_>, message: &mut Message<'a>, end: usize) {
        for at in self.read..end {
            let (item, invalid) = self.items[at];
            match read_entry(cx, item, invalid) {
                Some(block) => message.blocks.push(block),
                None => message.dirty = true,
            }
        }
        self.read = self.read.max(end);
    }
}

/// The name of a call as Google's API spells it, without an id and mostly without a type (langchain-ai/langchainjs#8565).
pub(crate) fn googles_call(item: Value<'_>) -> Option<Cow<'_, str>> {
    let call = item.get("functionCall").filter(|call| call.is_object() && item.get("id").is_none())?;
    let own = item.get("type").is_none_or(|kind| kind.is_str("functionCall"));
    call.get("name").filter(|_| own)?.as_str()
}

/// The id of a block of content that says a call; empty where it has none.
pub(crate) fn twin(item: Value<'_>) -> Option<Cow<'_, str>> {
    let kind = item.get("type")?.as_str()?;
    let is_call = CALL_TYPES.contains(&&*kind) || matches!(&*kind, "tool_call_chunk" | "invalid_tool_call");
    if !is_call || item.get("server_name").is_some() {
        return None;
    }
    let id = item.get("call_id").filter(|_| kind == "function_call").or_else(|| item.get("id"));
    Some(id.and_then(Value::as_str).unwrap_or_default())
}
