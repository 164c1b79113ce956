//! Ollama's own chat API: content is one string, pictures are base64 in a list beside it, arguments are objects, and calls
//! need no ids: a result says the name of its tool.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use crate::dialects::openai_chat::read::{Wire, read_message};
use crate::media;
use crate::read::container::Messages;
use crate::read::detect::role;
use crate::read::reader::Reader;
use crate::read::spec::{Sign, Spec, ToolForm};
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, Media, Message, Role};
use wirecanon_model::{Dialect, rule, text};

pub(crate) static SPEC: Spec = Spec {
    tools: ToolForm::FUNCTION,
    response: |root| {
        let message = root.get("message").filter(|message| message.is_object() && root.get("done").is_some())?;
        Some(Messages::One(Some(message)))
    },
    error_flag: false,
    calls_beside_content: true,
    seals_reasoning: |_| false,
    blank_results: true,
    read: |cx, wire| read_message(cx, wire, &WIRE),
    finish: Some(pair),
    signs: &[
        // With the next, more than what Chat Completions has of a call and its result, if either has an id.
        Sign::new(15, "`tool_name` on a result", |m| names_its_tool(m) && m.get("tool_call_id").is_none()),
        // Programs put the name beside the id of Chat Completions, too: alone, this shows nothing.
        Sign::new(5, "`tool_name` beside `tool_call_id` on a result", |m| {
            names_its_tool(m) && m.get("tool_call_id").is_some()
        }),
        Sign::new(5, "calls whose arguments are objects", calls_with_objects),
        // More than what Chat Completions has of a call and its result.
        Sign::new(20, "a call whose arguments are an object, without an id and a type", |m| {
            m.get("tool_calls").is_some_and(|calls| calls.items().any(is_plain_call))
        }),
        Sign::new(6, "a list of `images` beside the content", |m| {
            m.get("images").is_some_and(|images| images.items().any(Value::is_string))
        }),
        Sign::new(5, "`thinking` beside the content", |m| {
            role(m, "assistant") && m.get("thinking").is_some_and(Value::is_string)
        }),
    ],
    ..Spec::COMMON
};

const WIRE: Wire = Wire {
    openai: false,
    reasoning: &["thinking", "reasoning_content", "reasoning"],
    reasoned_by: Dialect::OllamaChat,
    typed_calls: false,
    result_name: "tool_name",
    null_content: true,
    absent_content: true,
    no_id: Some(""),
    rest: pictures,
    beside: &[],
};

fn names_its_tool(message: Value<'_>) -> bool {
    role(message, "tool") && message.get("tool_name").is_some_and(Value::is_string)
}

fn calls_with_objects(message: Value<'_>) -> bool {
    let arguments = |call: Value<'_>| call.get("function")?.get("arguments").map(Value::is_object);
    let mut calls = message.get("tool_calls").into_iter().flat_map(Value::items).peekable();
    calls.peek().is_some() && calls.all(|call| arguments(call) == Some(true))
}

fn is_plain_call(call: Value<'_>) -> bool {
    call.get("id").is_none()
        && call.get("type").is_none()
        && call.get("function").and_then(|function| function.get("arguments")).is_some_and(Value::is_object)
}

/// Reads the list of pictures, and says when the content is no string.
fn pictures<'a>(cx: &mut Reader<'a, '_>, message: &mut Message<'a>, wire: Value<'a>) {
    if let Some(content) = wire.get("content").filter(|content| content.is_array()) {
        let what = "content is one string in this dialect; the words of the list became one";
        cx.mend(&rule::CONTENT_NOT_A_STRING, content, message.id, what);
    }
    let Some(list) = wire.get("images").filter(|images| !images.is_null()) else { return };
    if !list.is_array() {
        cx.mend(&rule::CONTENT_NOT_A_LIST, list, message.id, "`images` is not a list");
    }
    let lone = if list.is_string() { Some(list) } else { None };
    let nothing = |block: &Block<'_>| (block.projected && block.source.is_none()) || block.is_blank();
    if matches!(message.role, Role::User | Role::ToolResult) && list.items().chain(lone).next().is_some() {
        // A picture says enough, and is output.
        message.blocks.retain(|block| !nothing(block));
    }
    for item in list.items().chain(lone) {
        let data = item.as_str();
        // The wire says nothing of the kind: what the bytes say is no repair.
        let mime_type = data.as_deref().and_then(|data| media::mend(data).ok()).map(|mended| mended.mime_type);
        let mut block = cx.block(BlockKind::Image(Box::new(Media { data, mime_type })), item);
        if matches!(message.role, Role::Assistant | Role::System) {
            let BlockKind::Image(picture) = &block.kind else { continue };
            let words = text::image_left_out("not in this role", picture.mime_type.as_deref());
            block.kind = BlockKind::Text(words.into());
            let what = format!("an image in a message of role {} was left out", message.role.name());
            cx.lose(&rule::BLOCK_IN_WRONG_ROLE, item, block.id, what);
        }
        if item.as_str().is_none() {
            block.dirty = true;
        }
        message.blocks.push(block);
    }
    if let Some(native) = &mut message.native {
        native.remove(Dialect::OllamaChat.name(), "images");
    }
}

/// Calls without ids, and which of them wait for a result.
#[derive(Default)]
struct Waiting {
    minted: usize,
    /// Calls of the last turn with such calls, in order; `None` once a result has claimed one
    turn: Vec<Option<String>>,
    /// Places in `turn` that nobody has claimed, by name
    by_name: HashMap<String, VecDeque<usize>>,
    open: usize,
    /// Calls of earlier turns that nobody claimed, by name
    earlier: HashMap<String, Vec<String>>,
    /// Results without a name that are still to come in this run, and the places in `turn` of the calls that they answer, in order
    run: (usize, VecDeque<usize>),
}

impl Waiting {
    /// A turn with calls that have no ids begins.
    fn turn(&mut self) {
        #[expect(clippy::iter_over_hash_type, reason = "each name moves to its own list, in any order alike")]
        for (name, places) in std::mem::take(&mut self.by_name) {
            let left = places.into_iter().filter_map(|place| self.turn[place].take());
            self.earlier.entry(name).or_default().extend(left);
        }
        self.turn.clear();
        (self.open, self.run) = (0, (0, VecDeque::new()));
    }

    /// A call of it.
    fn call(&mut self, name: Option<&str>, taken: &mut HashSet<String>) -> String {
        let id = loop {
            self.minted += 1;
            let id = format!("call_{}", self.minted);
            if taken.insert(id.clone()) {
                break id;
            }
        };
        if let Some(name) = name {
            self.by_name.entry(name.to_owned()).or_default().push_back(self.turn.len());
        }
        self.turn.push(Some(id.clone()));
        self.open += 1;
        id
    }

    /// The id of the call that a result of this name answers. `behind` are this result and the messages after it.
    fn claim(&mut self, name: Option<&str>, behind: &[Message<'_>]) -> Option<String> {
        let Some(name) = name else { return self.by_order(behind) };
        let places = self.by_name.get_mut(name);
        if let Some(id) = places
            .into_iter()
            .find_map(|places| std::iter::from_fn(|| places.pop_front()).find_map(|place| self.turn[place].take()))
        {
            self.open -= 1;
            return Some(id);
        }
        // A call of an earlier turn, if no other could be meant.
        let earlier = self.earlier.get_mut(name).filter(|earlier| earlier.len() == 1)?;
        earlier.pop()
    }

    /// The one call that is open, if there is exactly one.
    fn only(&mut self) -> Option<String> {
        if self.open != 1 {
            return None;
        }
        self.open = 0;
        self.turn.iter_mut().find_map(Option::take)
    }

    /// Without names, as many results as calls are open that no other result of the run names are in their order; any other
    /// number could mean anything.
    fn by_order(&mut self, behind: &[Message<'_>]) -> Option<String> {
        if self.run.0 == 0 {
            self.run = self.run(behind);
        }
        self.run.0 = self.run.0.saturating_sub(1);
        let place = self.run.1.pop_front()?;
        let id = self.turn[place].take()?;
        self.open -= 1;
        Some(id)
    }

    /// How many results of the run that begins here have no name, and the places of the calls that they answer.
    fn run(&self, behind: &[Message<'_>]) -> (usize, VecDeque<usize>) {
        let run = behind.iter().map_while(|message| message.result.as_ref()).filter(|head| head.call_id.is_none());
        let (bare, named): (Vec<_>, Vec<_>) = run.map(|head| head.tool_name.as_deref()).partition(Option::is_none);
        let could_be_as_many = (bare.len()..=bare.len() + named.len()).contains(&self.open);
        if !could_be_as_many {
            return (bare.len(), VecDeque::new());
        }
        // The open calls of each name, and those that have their result.
        let mut open = HashMap::new();
        let mut claimed = HashSet::new();
        for name in named.into_iter().flatten() {
            let places = open.entry(name).or_insert_with(|| {
                let places = self.by_name.get(name).into_iter().flatten();
                places.copied().filter(|place| self.turn[*place].is_some())
            });
            claimed.extend(places.next());
        }
        if self.open - claimed.len() != bare.len() {
            return (bare.len(), VecDeque::new());
        }
        let places = (0..self.turn.len()).filter(|place| self.turn[*place].is_some() && !claimed.contains(place));
        (bare.len(), places.collect())
    }
}

/// Gives ids to calls that have none, and the same to their results: by name, then by order among the calls of that name.
/// The dialect pairs so itself, and nothing of it is reported; the marks say to write none. A result with an id that no call
/// has gives it to the call of its name, which is reported.
fn pair(cx: &mut Reader<'_, '_>) {
    if cx.messages.iter().flat_map(Message::calls).all(|call| call.id.is_some()) {
        return;
    }
    let calls = cx.messages.iter().flat_map(Message::calls);
    let called: HashSet<String> = calls.filter_map(|call| call.id.as_deref().map(str::to_owned)).collect();
    let answered = cx.messages.iter().filter_map(|message| message.result.as_ref()?.call_id.as_deref());
    let mut taken: HashSet<String> = answered.map(str::to_owned).chain(called.iter().cloned()).collect();
    let mut waiting = Waiting::default();
    // Where each call stands that was given an id.
    let mut places: HashMap<String, (usize, usize)> = HashMap::new();
    for at in 0..cx.messages.len() {
        let message = &mut cx.messages[at];
        match message.role {
            Role::Assistant if message.calls().any(|call| call.id.is_none()) => {
                waiting.turn();
                for (position, block) in message.blocks.iter_mut().enumerate() {
                    let BlockKind::ToolCall(call) = &mut block.kind else { continue };
                    if call.id.is_none() {
                        let id = waiting.call(call.name.as_deref(), &mut taken);
                        places.insert(id.clone(), (at, position));
                        call.id = Some(Cow::Owned(id));
                        block.native.get_or_insert_default().add(Dialect::OllamaChat.name(), "id", "null");
                    }
                }
            }
            Role::ToolResult => {
                let Some(head) = message.result.as_ref() else { continue };
                let own = head.call_id.clone();
                if own.as_deref().is_some_and(|id| called.contains(id)) {
                    continue;
                }
                let name = head.tool_name.clone();
                let claimed = match (&own, &name) {
                    (Some(_), None) => waiting.only(),
                    _ => waiting.claim(name.as_deref(), &cx.messages[at..]),
                };
                let Some(id) = claimed else { continue };
                if let (Some(own), Some((message, position))) = (own, places.get(&id)) {
                    give(cx, *message, *position, own);
                    continue;
                }
                let message = &mut cx.messages[at];
                if let Some(head) = &mut message.result {
                    head.call_id = Some(Cow::Owned(id));
                }
                message.native.get_or_insert_default().add(Dialect::OllamaChat.name(), "tool_call_id", "null");
            }
            _ => {}
        }
    }
}

/// Gives a call the id that its result has.
fn give<'a>(cx: &mut Reader<'a, '_>, message: usize, position: usize, id: Cow<'a, str>) {
    let block = &mut cx.messages[message].blocks[position];
    let BlockKind::ToolCall(call) = &mut block.kind else { return };
    let what = format!("the call has no id; it was given that of the result of its name, `{id}`");
    call.id = Some(id);
    block.dirty = true;
    if let Some(native) = &mut block.native {
        native.remove(Dialect::OllamaChat.name(), "id");
    }
    let (source, about) = (block.source, block.id);
    cx.messages[message].dirty = true;
    if let Some(source) = source {
        cx.mend(&rule::TOOL_CALL_WITHOUT_ID, cx.json.value(source), about, what);
    }
}
