//! `messages` of the AWS Bedrock Converse API.

mod block;
mod block_shape;

use std::collections::HashSet;

use crate::cache::Marks;
use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::{Judge, blank};
use crate::pairing::{Answer, Asks, Pairing};
use crate::shape::{self, Order};
use crate::{call, request};
use block::Place;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::Level;

const ROLES: &[&str] = &["user", "assistant", "system"];
/// The member that is a cache mark.
const MARK: &str = "cachePoint";

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges a Converse transcript.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    if let Some(system) = messages.beside("system").filter(|system| !system.is_null() && !system.is_str("")) {
        if !system.is_array() {
            shape::instructions_of_wrong_type(judge, system);
        }
        let says_something = system.items().any(|item| item.get("cachePoint").is_none());
        if system.items().next().is_some() && !says_something {
            judge.say(&rule::EMPTY_MESSAGE, system, "the instructions hold marks alone");
        }
        blocks(judge, system, Place::System);
    }
    let mut marks = Marks::default();
    let tools = messages.beside("toolConfig").and_then(|config| config.get("tools"));
    for list in [tools, messages.beside("system")] {
        for item in list.into_iter().flat_map(Value::items) {
            marks.mark(judge, item.get(MARK));
        }
    }
    if !judge.target.content.marks_among_tools {
        for mark in tools.into_iter().flat_map(Value::items).filter(|item| item.get(MARK).is_some()) {
            judge.say(&rule::CACHE_MARKER_MISPLACED, mark, "a cache mark stands among the definitions of tools");
        }
    }
    let mut walk = Walk {
        pairing: Pairing::new(Asks { unique: judge.target.ids.unique, ordered: false, named: false }),
        order: Order::default(),
        before: Side::None,
        system: None,
        names: HashSet::new(),
        tool: None,
        answered: false,
        marks,
    };
    for message in messages.iter() {
        let Some(role) = shape::role(judge, message, ROLES) else {
            walk.pairing.other();
            continue;
        };
        block::only(judge, message, &["role", "content"]);
        match &*role {
            "assistant" => walk.assistant(judge, message),
            "user" => walk.user(judge, message),
            _ => walk.system(judge, message),
        }
    }
    let marks = ["modelId", "inferenceConfig", "toolConfig", "additionalModelRequestFields"];
    request::definitions(judge, messages, &marks, &["toolConfig", "tools"], walk.tool);
    walk.pairing.finish(judge);
    walk.order.finish(judge, messages.place, false);
    if let Some(last) = walk.order.last_assistant() {
        shape::trailing_thinking(judge, last, |block| block.get("reasoningContent").is_some());
        let has_tools = tools.is_some_and(|tools| tools.items().next().is_some());
        if judge.sent && has_tools && judge.target.order.prefill && !judge.target.order.prefill_after_results {
            prefill_behind_results(judge, messages, last);
        }
    }
}

/// Says that the model's last turn stands right behind tool results, if it does.
fn prefill_behind_results(judge: &mut Judge<'_>, messages: &Messages<'_>, last: Value<'_>) {
    let all: Vec<_> = messages.iter().collect();
    let is_models = |message: &&Value<'_>| message.get("role").is_some_and(|role| role.is_str("assistant"));
    let turn = all.iter().rev().skip_while(is_models).take_while(|message| !is_models(message));
    let mut blocks = turn.filter_map(|message| message.get("content")).flat_map(Value::items);
    if blocks.any(|block| block.get("toolResult").is_some()) {
        judge.say(&rule::TRAILING_ASSISTANT, last, "the model's last turn stands right behind tool results");
    }
}

fn blocks(judge: &mut Judge<'_>, list: Value<'_>, place: Place) {
    for item in list.items() {
        if let Some((member, value)) = block::member(judge, item) {
            block::judge(judge, item, &member, value, place);
        }
    }
}

/// Who spoke last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    None,
    User,
    Assistant,
}

struct Walk<'a> {
    pairing: Pairing<'a>,
    order: Order<'a>,
    before: Side,
    /// A system message that the next message must fit to
    system: Option<Value<'a>>,
    /// Names of documents, in small letters
    names: HashSet<String>,
    /// The first call or result
    tool: Option<Value<'a>>,
    /// A message behind the last turn of the model holds results
    answered: bool,
    marks: Marks,
}

impl<'a> Walk<'a> {
    /// Takes note of who speaks.
    fn side(&mut self, judge: &mut Judge<'_>, message: Value<'a>, side: Side) {
        if self.before == side && judge.target.order.alternates {
            judge.say(&rule::ROLES_DO_NOT_ALTERNATE, message, "the message before this one is of the same side");
        }
        self.before = side;
    }

    /// The items of a message that says something: marks alone do not.
    fn items(
        &mut self,
        judge: &mut Judge<'_>,
        message: Value<'a>,
        place: Place,
    ) -> Vec<(Value<'a>, String, Value<'a>)> {
        let Some(list) = shape::blocks(judge, message, false) else { return Vec::new() };
        if list.items().all(|item| item.get("cachePoint").is_some()) {
            judge.say(&rule::EMPTY_MESSAGE, list, "the message is empty");
        }
        let mut read = Vec::new();
        let mut converted = false;
        let mut items = list.items().peekable();
        while let Some(item) = items.next() {
            self.marks.mark(judge, item.get(MARK));
            if converted && item.get(MARK).is_some() && !judge.target.media.marks_behind_files {
                let what = "a cache mark stands right behind a document that is no PDF";
                judge.say(&rule::CACHE_MARKER_MISPLACED, item, what);
            }
            let format = item.get("document").and_then(|document| document.get("format"));
            converted = format.is_some_and(|format| !format.is_str("pdf"));
            match block::member(judge, item) {
                Some((member, value)) => {
                    // White space that the user has in front of a cache mark is taken.
                    let is_before_mark =
                        place == Place::User && items.peek().is_some_and(|next| next.get(MARK).is_some());
                    if !(is_before_mark && member == "text" && shape::is_white_space(item)) {
                        block::judge(judge, item, &member, value, place);
                    }
                    read.push((item, member.into_owned(), value));
                }
                None => self.pairing.other(),
            }
        }
        read
    }

    fn assistant(&mut self, judge: &mut Judge<'_>, message: Value<'a>) {
        self.order.message(judge, message, true);
        self.system = None;
        self.pairing.turn(false);
        self.answered = false;
        self.side(judge, message, Side::Assistant);
        let mut reasons = false;
        // Calls since the model reasoned: nothing is moved past reasoning.
        let mut calls = Vec::new();
        // Ids of calls that the server ran.
        let mut servers = HashSet::new();
        let items = self.items(judge, message, Place::Assistant);
        if !judge.target.content.words_beside_calls && items.iter().any(|(_, member, _)| member == "toolUse") {
            let is_word =
                |member: &str| !matches!(member, "toolUse" | "toolResult" | "reasoningContent" | "cachePoint");
            if let Some((item, ..)) = items.iter().find(|(_, member, _)| is_word(member)) {
                judge.say(&rule::WORDS_BESIDE_CALLS, *item, "the turn has both words and calls");
            }
        }
        for (item, member, value) in items {
            if reasons && member == "cachePoint" {
                judge.say(&rule::CACHE_MARKER_MISPLACED, item, "a cache mark stands right behind reasoning");
            }
            reasons = member == "reasoningContent";
            if reasons {
                calls.clear();
            } else if member == "toolUse" && is_of_the_client(value) {
                calls.push(item);
            } else if !judge.target.order.words_behind_calls {
                for call in calls.drain(..) {
                    let message = "the turn says something behind the call";
                    judge.say(&rule::WORDS_BEHIND_TOOL_CALL, call, message);
                }
            }
            if member == "toolUse" {
                self.tool.get_or_insert(item);
            }
            if member == "toolUse"
                && value.is_object()
                && is_of_the_client(value)
                && let Some(id) = call::call_id(judge, value, "toolUseId")
            {
                if servers.contains(&id.1) {
                    judge.say(&rule::DUPLICATE_TOOL_CALL_ID, id.0, "a call of the server has this id");
                }
                self.pairing.call(judge, value, id, None);
            }
            if member == "toolUse" && !is_of_the_client(value) {
                servers.extend(value.get("toolUseId").and_then(Value::as_str));
            }
        }
    }

    fn user(&mut self, judge: &mut Judge<'_>, message: Value<'a>) {
        self.order.message(judge, message, false);
        if let Some(system) = self.system.take() {
            judge.say(&rule::MISPLACED_SYSTEM, system, "a system message stands before a user message");
        }
        self.side(judge, message, Side::User);
        let (mut document, mut words) = (None, false);
        // "Conversation blocks and tool result blocks cannot be provided in the same turn."
        let (mut answers, mut owned, mut beside) = (false, false, None);
        for (item, member, value) in self.items(judge, message, Place::User) {
            match &*member {
                "toolResult" if value.is_object() => {
                    self.tool.get_or_insert(item);
                    answers = true;
                    if let Some((_, id)) = call::result_id(judge, value, "toolUseId") {
                        owned |= self.pairing.result(judge, Answer { place: item, id, name: None });
                    }
                    let content = value.get("content").into_iter().flat_map(Value::items);
                    for item in content {
                        self.name(judge, item);
                    }
                    continue;
                }
                // A mark ends no run of results.
                "cachePoint" => continue,
                "document" => {
                    document = Some(item);
                    self.name(judge, item);
                }
                "text" => words |= value.as_str().is_some_and(|text| !blank(&text)),
                "guardContent" => words = true,
                _ => {}
            }
            beside.get_or_insert(item);
            self.pairing.other();
        }
        // Where turns of one side may not repeat at all, another rule reports it.
        let may_repeat =
            judge.target.order.alternates && judge.severity(&rule::ROLES_DO_NOT_ALTERNATE) == Level::Accepted;
        if owned && self.answered && judge.pairing && may_repeat {
            // "Expected toolResult blocks at messages.2.content for the following Ids" (genkit-ai/aws-bedrock-js-plugin#664)
            judge.say(&rule::SPLIT_TOOL_RESULTS, message, "another message holds results of the turn");
        }
        self.answered |= owned;
        if let Some(beside) = beside.filter(|_| answers && !judge.target.order.user_after_tool) {
            let what = "the target takes nothing beside tool results in one turn";
            judge.say(&rule::USER_AFTER_TOOL_RESULT, beside, what);
        }
        if let Some(document) = document.filter(|_| !words && judge.target.media.words_beside_files) {
            judge.say(&rule::FILE_WITHOUT_WORDS, document, "no text stands beside the document");
        }
    }

    /// The name of a document, which no other has.
    fn name(&mut self, judge: &mut Judge<'_>, item: Value<'a>) {
        if judge.target.file_names.is_none() {
            return;
        }
        let Some(place) = item.get("document").and_then(|document| document.get("name")) else { return };
        let Some(name) = place.as_str().filter(|name| !blank(name)) else { return };
        if !self.names.insert(name.to_ascii_lowercase()) {
            judge.say(&rule::DUPLICATE_FILE_NAME, place, "another document has this name");
        }
    }

    /// Newer models take a system message behind a user's turn and in front of the assistant's, or at the end.
    fn system(&mut self, judge: &mut Judge<'_>, message: Value<'a>) {
        self.system = self.order.late_system(judge, message, self.before == Side::User).or(self.system);
        self.pairing.other();
        self.before = Side::None;
        self.items(judge, message, Place::System);
    }
}

/// Returns whether a `toolUse` asks the client to run a tool: answers of the service name that type, too.
fn is_of_the_client(call: Value<'_>) -> bool {
    call.get("type").is_none_or(|kind| kind.is_str("tool_use"))
}
