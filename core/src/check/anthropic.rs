//! `messages` of the Anthropic Messages API.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::anthropic_block::{self as block, Place};
use super::cache::Marks;
use super::call;
use super::input::Messages;
use super::judge::{Judge, blank};
use super::pairing::{Answer, Asks, Pairing};
use super::request::{self, Thinking};
use super::shape::{self, Order};
use crate::json::Value;
use crate::rule;
use crate::target::SystemPlace;

const ROLES: &[&str] = &["user", "assistant", "system"];
/// The member that is a cache mark.
const MARK: &str = "cache_control";

/// Judges an Anthropic transcript.
pub(super) fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut walk = Walk {
        pairing: Pairing::new(Asks { unique: judge.target.ids.unique, ordered: false, named: false }),
        order: Order::default(),
        server: HashMap::new(),
        marks: Marks::default(),
        references: Vec::new(),
        adds_tools: false,
        before: Before::Nothing,
        answered: false,
        system: None,
        thinking: Thinking::default(),
        tool: None,
        empty: None,
    };
    for key in ["tools", "system"] {
        for item in messages.beside(key).into_iter().flat_map(Value::items) {
            walk.marks.mark(judge, item.get(MARK));
        }
    }
    let system = messages.beside("system");
    if let Some(system) = system.filter(|system| !(system.is_null() || system.is_string() || system.is_array())) {
        judge.say(&rule::CONTENT_NOT_A_LIST, system, format!("the instructions are {}", system.kind().name()));
    }
    for item in system.into_iter().flat_map(Value::items) {
        if let Some(kind) = shape::kind(judge, item) {
            block::judge(judge, item, &kind, Place::System);
        }
    }
    let response =
        messages.single().is_some_and(|message| message.get("type").is_some_and(|kind| kind.is_str("message")));
    for message in messages.iter() {
        let Some(role) = shape::role(judge, message, ROLES) else {
            walk.pairing.other();
            continue;
        };
        let mut content = message.get("content").into_iter().flat_map(Value::items);
        walk.adds_tools |= content.any(|block| block.get("type").is_some_and(|kind| kind.is_str("tool_addition")));
        if !response {
            let known: &[&str] =
                if role == "system" { &["role", "content", "clear_at", "output_config"] } else { &["role", "content"] };
            shape::only(judge, message, known);
        }
        walk.empty_turn(judge);
        match &*role {
            "assistant" => {
                walk.thinking.assistant(message);
                walk.assistant(judge, message);
            }
            "user" => {
                walk.thinking.other(message);
                walk.user(judge, message);
            }
            _ => {
                walk.thinking.other(message);
                walk.system(judge, message);
            }
        }
    }
    request::definitions(judge, messages, &["model", "max_tokens"], &["tools"], walk.tool);
    if !walk.adds_tools {
        request::references(judge, messages, &walk.references);
    }
    if judge.pairing {
        callers(judge, messages);
    }
    std::mem::take(&mut walk.thinking).finish(judge, messages);
    walk.pairing.finish(judge);
    walk.order.finish(
        judge,
        messages.place(),
        walk.before == Before::ServerResult || walk.server.values().any(|open| !open.is_empty()),
    );
    if let Some(last) = walk.order.last_assistant() {
        trailing_thinking(judge, last);
    }
}

/// Code that called a tool is in the request. Anthropic error: "source tool … not found for tool use block …"
/// (UKGovernmentBEIS/inspect_ai#4191).
fn callers(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut called = HashSet::new();
    for block in messages.iter().filter_map(|message| message.get("content")).flat_map(Value::items) {
        let kind = block.get("type");
        if kind.is_some_and(|kind| kind.is_str("server_tool_use")) {
            called.extend(block.get("id").and_then(Value::as_str));
        }
        let Some(id) = block.get("caller").and_then(|caller| caller.get("tool_id")) else { continue };
        if !id.as_str().is_some_and(|id| called.contains(&id)) {
            judge.say(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, id, "the code that called the tool is not in the request");
        }
    }
}

/// What the last message was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    User,
    Assistant,
    /// A turn of the model that ends with the result of a tool that the server runs
    ServerResult,
}

struct Walk<'a> {
    pairing: Pairing<'a>,
    order: Order<'a>,
    /// Calls of server tools without a result so far, in the turn that is open
    server: HashMap<Cow<'a, str>, Vec<Value<'a>>>,
    marks: Marks,
    /// References to tools in results
    references: Vec<Value<'a>>,
    /// The messages themselves add tools
    adds_tools: bool,
    before: Before,
    /// A message since the model spoke holds results
    answered: bool,
    /// A system message that the next message must fit to
    system: Option<Value<'a>>,
    thinking: Thinking<'a>,
    /// The first call or result
    tool: Option<Value<'a>>,
    /// Content of the message before, a turn of the assistant without any
    empty: Option<Value<'a>>,
}

impl<'a> Walk<'a> {
    /// An empty turn that another message follows.
    fn empty_turn(&mut self, judge: &mut Judge<'_>) {
        if let Some(content) = self.empty.take().filter(|_| !judge.target.content.empty_turns) {
            judge.say(&rule::EMPTY_MESSAGE, content, "the turn is empty, and is not the last");
        }
    }

    fn assistant(&mut self, judge: &mut Judge<'_>, message: Value<'a>) {
        let nothing =
            |content: &Value<'_>| content.is_str("") || (content.is_array() && content.items().next().is_none());
        self.empty = message.get("content").filter(nothing);
        self.order.message(judge, message, true);
        self.system = None;
        self.answered = false;
        // Neighbours of one role are one turn to the server.
        if !matches!(self.before, Before::Assistant | Before::ServerResult) {
            self.pairing.turn(false);
        }
        self.before = Before::Assistant;
        let Some(list) = shape::blocks(judge, message, true) else {
            string(judge, message, true);
            return;
        };
        let (mut blocks, mut thoughts) = (0, 0);
        // Calls of the client's tools with no reasoning behind them, and no result of the server's so far.
        let mut calls = Vec::new();
        for item in list.items() {
            blocks += 1;
            self.before = Before::Assistant;
            let Some(kind) = shape::kind(judge, item) else { continue };
            self.marks.mark(judge, item.get(MARK));
            // Models write blank texts beside other blocks, and take them back.
            let blank_text = kind == "text" && list.items().nth(1).is_some() && shape::is_white_space(item);
            if !blank_text {
                block::judge(judge, item, &kind, Place::Assistant);
            }
            match &*kind {
                "thinking" | "redacted_thinking" => {
                    thoughts += 1;
                    calls.clear();
                }
                "tool_use" => {
                    calls.push(item);
                    self.tool.get_or_insert(item);
                    if let Some(id) = call::call_id(judge, item, "id") {
                        self.pairing.call(judge, item, id, None);
                    }
                }
                "server_tool_use" | "mcp_tool_use" => {
                    if let Some((_, id)) = block::server_id(judge, item, "id", &kind) {
                        self.server.entry(id).or_default().push(item);
                    }
                }
                _ if block::is_server_result(&kind) => {
                    self.before = Before::ServerResult;
                    self.server_result(judge, item, &kind);
                    for call in calls.drain(..) {
                        let message = "a result of the server's own tool stands between the call and its result";
                        judge.say(&rule::CALL_BEFORE_SERVER_RESULT, call, message);
                    }
                }
                _ => {}
            }
        }
        if judge.sent && blocks > 0 && blocks == thoughts && !judge.target.reasoning.alone {
            judge.say(&rule::THINKING_ALONE, list, "the turn holds nothing but reasoning");
        }
    }

    fn server_result(&mut self, judge: &mut Judge<'_>, item: Value<'a>, kind: &str) {
        let Some((_, id)) = block::server_id(judge, item, "tool_use_id", kind) else { return };
        if self.server.get_mut(&id).and_then(Vec::pop).is_none() {
            let message = "no server tool call before it in the turn has this id";
            judge.say(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, item, message);
        }
    }

    fn user(&mut self, judge: &mut Judge<'_>, message: Value<'a>) {
        self.order.message(judge, message, false);
        if let Some(system) = self.system.take() {
            judge.say(&rule::MISPLACED_SYSTEM, system, "a system message stands before a user message");
        }
        self.before = Before::User;
        let Some(list) = shape::blocks(judge, message, true) else {
            self.pairing.other();
            self.end_of_turn(judge);
            string(judge, message, false);
            return;
        };
        if list.items().next().is_none() {
            judge.say(&rule::EMPTY_MESSAGE, list, "the message is empty");
        }
        let mut answers = false;
        for item in list.items() {
            let kind = shape::kind(judge, item);
            if let Some(kind) = kind.as_deref() {
                self.marks.mark(judge, item.get(MARK));
                block::judge(judge, item, kind, Place::User);
                if kind == "tool_result" {
                    for held in item.get("content").into_iter().flat_map(Value::items) {
                        self.marks.within(judge, held.get(MARK));
                        if held.get("type").is_some_and(|kind| kind.is_str("tool_reference")) {
                            self.references.push(held);
                        }
                    }
                    self.tool.get_or_insert(item);
                    if let Some((_, id)) = call::result_id(judge, item, "tool_use_id") {
                        answers |= self.pairing.result(judge, Answer { place: item, id, name: None });
                    }
                    continue;
                }
            }
            self.pairing.other();
            self.end_of_turn(judge);
        }
        if answers && self.answered && judge.pairing {
            judge.say(&rule::SPLIT_TOOL_RESULTS, list, "another message holds results of the turn");
        }
        self.answered |= answers;
    }

    /// A user's word ends the turn: what the server ran must have its result by now.
    fn end_of_turn(&mut self, judge: &mut Judge<'_>) {
        if self.server.is_empty() {
            return;
        }
        // In any order: violations are put in the order of the text at the end.
        for call in std::mem::take(&mut self.server).into_values().flatten() {
            judge.say(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, call, "the server tool call has no result in its turn");
        }
    }

    fn system(&mut self, judge: &mut Judge<'_>, message: Value<'a>) {
        let anywhere = judge.target.order.system == SystemPlace::Anywhere;
        let placed = matches!(self.before, Before::User | Before::ServerResult);
        self.order.system(judge, message);
        self.pairing.other();
        // A system message may follow another.
        self.before = if anywhere && placed { Before::User } else { Before::Nothing };
        if !anywhere && self.order.begun() {
            // Said by the order of turns.
        } else if !anywhere || !placed {
            judge.say(&rule::MISPLACED_SYSTEM, message, "instructions belong beside the list of messages");
        } else {
            self.system = Some(message);
        }
        // A message may set options alone, in place of saying something.
        if message.get("content").is_none() && sets_options(message) {
            return;
        }
        let Some(list) = shape::blocks(judge, message, true) else {
            string(judge, message, false);
            return;
        };
        for item in list.items() {
            if let Some(kind) = shape::kind(judge, item) {
                self.marks.mark(judge, item.get(MARK));
                block::judge(judge, item, &kind, Place::System);
            }
        }
    }
}

/// "A message with neither content nor `output_config` fields is rejected."
fn sets_options(message: Value<'_>) -> bool {
    message.get("output_config").and_then(|options| options.get("effort")).is_some_and(Value::is_string)
}

/// A turn that is sent last does not end with reasoning.
fn trailing_thinking(judge: &mut Judge<'_>, message: Value<'_>) {
    let content = message.get("content");
    let mut last = None;
    for item in content.into_iter().flat_map(Value::items) {
        let thought = item.get("type").is_some_and(|kind| kind.is_str("thinking") || kind.is_str("redacted_thinking"));
        last = thought.then_some(item);
    }
    if let Some(last) = last.filter(|_| judge.sent && !judge.target.reasoning.trailing) {
        judge.say(&rule::TRAILING_THINKING, last, "the last turn ends with reasoning");
    }
}

/// Content that is a string. The model's may be empty, but not blank.
fn string(judge: &mut Judge<'_>, message: Value<'_>, assistant: bool) {
    let Some((content, text)) = message.get("content").and_then(|content| Some((content, content.as_str()?))) else {
        return;
    };
    if text.is_empty() && !assistant {
        judge.say(&rule::EMPTY_MESSAGE, content, "the message is empty");
    } else if !text.is_empty() && blank(&text) && !judge.target.content.blank_text {
        judge.say(&rule::BLANK_TEXT, content, "the content holds nothing but white space");
    }
}
