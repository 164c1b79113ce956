//! What the shapes of all dialects have in common: roles, block kinds, text, and the order of turns.

use std::borrow::Cow;

use crate::judge::{Judge, blank};
use wirecanon_json::Value;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::SystemPlace;

/// Roles as one dialect or framework or another spells them, in any case.
const ROLES: &[&str] = &[
    "user",
    "human",
    "assistant",
    "ai",
    "model",
    "bot",
    "system",
    "developer",
    "tool",
    "function",
    "toolResult",
    "tool_result",
    "tool-result",
    "toolresult",
    "tool_response",
    "function_call_output",
    "tool-call",
    "tool-response",
    "chatbot",
    "gpt",
    "agent",
    "function_call",
    "observation",
];

/// A call as another dialect names its block.
const CALLS: &[&str] = &[
    "toolCall",
    "tool_call",
    "tool-call",
    "toolUse",
    "tool_use",
    "tool-use",
    "functionCall",
    "function_call",
    "function",
];

/// Blocks of other dialects that say what a dialect says in a shape of its own.
const FOREIGN: &[&str] = &[
    "image",
    "image_url",
    "input_image",
    "image-url",
    "input_text",
    "output_text",
    "text",
    "thinking",
    "reasoning",
    "redacted_thinking",
    "tool_result",
    "toolResult",
    "tool-result",
    "functionResponse",
    "function_response",
    "function_call_output",
    "function_call_result",
    "document",
    "file",
    "input_file",
    "input_audio",
    "audio",
    "resource",
    "resource_link",
];

/// The role of a message that is an object; says what is wrong with any other.
pub(super) fn role<'a>(judge: &mut Judge<'_>, message: Value<'a>, known: &[&str]) -> Option<Cow<'a, str>> {
    if !object(judge, message, &rule::MESSAGE_NOT_AN_OBJECT, "a message") {
        return None;
    }
    let Some(value) = message.get("role") else {
        judge.say(&rule::UNKNOWN_ROLE, message, "a message has no role");
        return None;
    };
    match value.as_str() {
        Some(role) if known.contains(&&*role) => return Some(role),
        Some(role) if ROLES.iter().any(|known| role.trim().eq_ignore_ascii_case(known)) => {
            judge.say(&rule::ROLE_ALIAS, value, format!("another dialect's role: `{role}`"));
        }
        Some(role) => judge.say(&rule::UNKNOWN_ROLE, value, format!("no such role: `{role}`")),
        None => judge.say(&rule::UNKNOWN_ROLE, value, format!("the role is {}", value.kind().name())),
    }
    None
}

/// Whether a value is an object, whose keys are judged; says what it is if not.
pub(super) fn object(judge: &mut Judge<'_>, value: Value<'_>, rule: &'static Rule, what: &str) -> bool {
    if value.is_object() {
        judge.keys(value);
    } else {
        judge.say(rule, value, format!("{what} is {}", value.kind().name()));
    }
    value.is_object()
}

/// Says that the instructions beside the messages have a type that the dialect does not have for them.
pub(super) fn instructions_of_wrong_type(judge: &mut Judge<'_>, system: Value<'_>) {
    judge.say(&rule::CONTENT_NOT_A_LIST, system, format!("the instructions are {}", system.kind().name()));
}

/// Members that the target does not take, on a holder of this kind.
pub(super) fn fields(judge: &mut Judge<'_>, object: Value<'_>, holder: &str) {
    if judge.target.fields.is_empty() {
        return;
    }
    for (key, value) in object.members() {
        let Some(name) = key.as_str() else { continue };
        if !judge.target.takes_field(holder, &name) {
            judge.say(&rule::UNKNOWN_FIELD, value, format!("the target takes no `{name}` here"));
        }
    }
}

/// Members of an object that the API does not know, and refuses.
pub(super) fn only(judge: &mut Judge<'_>, object: Value<'_>, known: &[&str]) {
    others(judge, object, known, "the API refuses the field");
}

/// Members of an object beside those that are known; `words` say of the name what is wrong with it.
pub(super) fn others(judge: &mut Judge<'_>, object: Value<'_>, known: &[&str], words: &str) {
    for (key, value) in object.members() {
        if !known.iter().any(|known| key.is_str(known)) {
            let name = key.as_str().unwrap_or_default();
            judge.say(&rule::UNKNOWN_FIELD, value, format!("{words} `{name}` here"));
        }
    }
}

/// The blocks of a list under `content`; says what is wrong with anything else but a string, which is `None` too.
pub(super) fn blocks<'a>(judge: &mut Judge<'_>, message: Value<'a>, strings: bool) -> Option<Value<'a>> {
    content(judge, message, |content| content.is_array() || strings && content.is_string())
        .filter(|content| content.is_array())
}

/// The content of a message, if it fits; says what is wrong with any other.
pub(super) fn content<'a>(
    judge: &mut Judge<'_>,
    message: Value<'a>,
    fits: impl Fn(Value<'a>) -> bool,
) -> Option<Value<'a>> {
    match message.get("content") {
        None => judge.say(&rule::CONTENT_MISSING, message, "there is no content"),
        Some(content) if fits(content) => return Some(content),
        Some(content) if content.is_null() => judge.say(&rule::CONTENT_MISSING, content, "the content is null"),
        Some(content) => {
            judge.say(&rule::CONTENT_NOT_A_LIST, content, format!("the content is {}", content.kind().name()));
        }
    }
    None
}

/// Content that must stand, a string or a list: the list. Says what is wrong with anything else, and with a blank string
/// where the target refuses one.
pub(super) fn plain<'a>(judge: &mut Judge<'_>, message: Value<'a>) -> Option<Value<'a>> {
    let list = blocks(judge, message, true);
    let text = message.get("content").filter(|content| content.as_str().is_some_and(|text| blank(&text)));
    if let Some(text) = text.filter(|_| !judge.target.content.blank_text) {
        judge.say(&rule::BLANK_TEXT, text, "the content is blank");
    }
    list
}

/// Content that stands, a string or a list: the list. Says what is wrong with anything else.
pub(super) fn said<'a>(judge: &mut Judge<'_>, content: Value<'a>) -> Option<Value<'a>> {
    if !content.is_array() && !content.is_string() {
        judge.say(&rule::CONTENT_NOT_A_LIST, content, format!("the content is {}", content.kind().name()));
    }
    Some(content).filter(|content| content.is_array())
}

/// Judges each piece of a list of content, which is not empty.
pub(super) fn pieces<'t>(
    judge: &mut Judge<'t>,
    list: Value<'_>,
    role: &str,
    each: for<'j, 'v> fn(&'j mut Judge<'t>, Value<'v>, &str, &str),
) {
    if list.items().next().is_none() {
        let broken = if role == "tool" { &rule::EMPTY_TOOL_RESULT } else { &rule::EMPTY_MESSAGE };
        judge.say(broken, list, "the list of content is empty");
    }
    for piece in list.items() {
        if let Some(kind) = kind(judge, piece) {
            fields(judge, piece, &kind);
            each(judge, piece, &kind, role);
        }
    }
}

/// The kind of a block that is an object; says what is wrong with any other.
pub(super) fn kind<'a>(judge: &mut Judge<'_>, block: Value<'a>) -> Option<Cow<'a, str>> {
    judge.keys(block);
    let kind = block.get("type").and_then(Value::as_str);
    if kind.is_none() {
        let what = if block.is_object() { "a block without a type" } else { block.kind().name() };
        judge.say(&rule::UNKNOWN_BLOCK, block, format!("{what} stands among the blocks"));
    }
    kind
}

/// Says of a block that the dialect has no such kind.
pub(super) fn unknown(judge: &mut Judge<'_>, block: Value<'_>, kind: &str) {
    if CALLS.contains(&kind) {
        judge.say(&rule::TOOL_CALL_ALIAS, block, format!("another dialect's spelling of a call: `{kind}`"));
    } else if FOREIGN.contains(&kind) {
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, block, format!("another dialect's block: `{kind}`"));
    } else {
        judge.say(&rule::UNKNOWN_BLOCK, block, format!("no such kind of block: `{kind}`"));
    }
}

/// Says of a block that a message of this role cannot hold it.
pub(super) fn misplaced(judge: &mut Judge<'_>, block: Value<'_>, kind: &str, role: &str) {
    judge.say(&rule::BLOCK_IN_WRONG_ROLE, block, format!("`{kind}` cannot stand in a message of role `{role}`"));
}

/// The string under `key` of a text or reasoning block; says so when it is none.
pub(super) fn text<'a>(judge: &mut Judge<'_>, block: Value<'a>, key: &str) -> Option<Cow<'a, str>> {
    let value = block.get(key);
    let text = value.and_then(Value::as_str);
    if text.is_none() {
        let what = value.map_or("missing", |value| value.kind().name());
        judge.say(&rule::TEXT_NOT_A_STRING, value.unwrap_or(block), format!("`{key}` is {what}"));
    }
    text
}

/// Returns whether a text block holds white space, and something of it.
pub(super) fn is_white_space(block: Value<'_>) -> bool {
    block.get("text").and_then(Value::as_str).is_some_and(|text| !text.is_empty() && blank(&text))
}

/// A text block of a dialect whose target may refuse blank ones.
pub(super) fn text_block(judge: &mut Judge<'_>, block: Value<'_>) {
    let blank_text = text(judge, block, "text").is_some_and(|text| blank(&text));
    if blank_text && !judge.target.content.blank_text {
        judge.say(&rule::BLANK_TEXT, block, "a text block holds nothing but white space");
    }
}

/// The error flag under `key`, a boolean where it stands.
pub(super) fn error_flag(judge: &mut Judge<'_>, object: Value<'_>, key: &str, required: bool) {
    match object.get(key) {
        Some(flag) if flag.as_bool().is_none() => {
            judge.say(&rule::ERROR_FLAG_NOT_A_BOOLEAN, flag, format!("`{key}` is {}", flag.kind().name()));
        }
        None if required => judge.say(&rule::ERROR_FLAG_NOT_A_BOOLEAN, object, format!("`{key}` is missing")),
        _ => {}
    }
}

/// Which message stands where, judged while the messages go by.
#[derive(Default)]
pub(super) struct Order<'a> {
    begun: bool,
    last: Option<Last<'a>>,
}

/// The last message.
struct Last<'a> {
    message: Value<'a>,
    assistant: bool,
}

impl<'a> Order<'a> {
    /// A system message that stands in the list.
    pub(super) fn system(&mut self, judge: &mut Judge<'_>, message: Value<'a>) {
        match judge.target.order.system {
            SystemPlace::One if !self.begun && self.last.is_some() => {
                let what = "instructions stand in more than one message, and the server reads the last one alone";
                judge.say(&rule::MISPLACED_SYSTEM, message, what);
            }
            SystemPlace::Top | SystemPlace::One if self.begun => {
                judge.say(&rule::MISPLACED_SYSTEM, message, "instructions stand after the conversation has begun");
            }
            SystemPlace::BehindUser if self.last_role().is_some_and(|role| role == "assistant" || role == "tool") => {
                let what = "instructions stand neither in front nor behind a message of the user";
                judge.say(&rule::MISPLACED_SYSTEM, message, what);
            }
            SystemPlace::Nowhere => {
                judge.say(&rule::MISPLACED_SYSTEM, message, "the target takes no instructions");
            }
            _ => {}
        }
        self.goes_on(judge);
        self.last = Some(Last { message, assistant: false });
    }

    /// A system message where the dialect has instructions beside the list, too. `placed`: it stands where newer models take
    /// one; then it is returned, as the next message must fit to it.
    pub(super) fn late_system(&mut self, judge: &mut Judge<'_>, message: Value<'a>, placed: bool) -> Option<Value<'a>> {
        let anywhere = judge.target.order.system == SystemPlace::Anywhere;
        self.system(judge, message);
        // Behind the beginning, it was said already.
        if !(anywhere && placed) && (anywhere || !self.begun) {
            judge.say(&rule::MISPLACED_SYSTEM, message, "instructions belong beside the list of messages");
        }
        Some(message).filter(|_| anywhere && placed)
    }

    /// Any other message.
    pub(super) fn message(&mut self, judge: &mut Judge<'_>, message: Value<'a>, assistant: bool) {
        if !self.begun && assistant && judge.sent && judge.target.order.opens_with_user {
            judge.say(&rule::LEADING_ASSISTANT, message, "the conversation opens with the model's turn");
        }
        let after_tool = self.last_role().is_some_and(|role| role == "tool");
        if !judge.target.order.user_after_tool
            && after_tool
            && message.get("role").is_some_and(|role| role.is_str("user"))
        {
            let what = "the user speaks right after a tool result";
            judge.say(&rule::USER_AFTER_TOOL_RESULT, message, what);
        }
        self.goes_on(judge);
        self.begun = true;
        self.last = Some(Last { message, assistant });
    }

    /// Records that the last message ends in a tool result, so that nobody goes on with words of the assistant.
    pub(super) fn answered(&mut self) {
        if let Some(last) = &mut self.last {
            last.assistant = false;
        }
    }

    /// The role of the last message.
    fn last_role(&self) -> Option<Cow<'a, str>> {
        self.last.as_ref()?.message.get("role")?.as_str()
    }

    /// Something follows the last message: it must not be marked as one to be gone on with.
    fn goes_on(&self, judge: &mut Judge<'_>) {
        let Some(mark) = judge.target.order.prefix_mark.clone() else { return };
        let marked = self.last_assistant().and_then(|last| last.get(&mark));
        if let Some(place) = marked.filter(|marked| marked.as_bool() == Some(true)) {
            let words = "a message that is not the last one is marked to be gone on with";
            judge.say(&rule::MISPLACED_PREFIX, place, words);
        }
    }

    /// The last message, if it is the model's.
    pub(super) fn last_assistant(&self) -> Option<Value<'a>> {
        self.last.as_ref().filter(|last| last.assistant).map(|last| last.message)
    }

    /// The end of the transcript. `goes_on`: the last turn is not a prefill but one that the server will go on with.
    pub(super) fn finish(&self, judge: &mut Judge<'_>, place: Value<'_>, goes_on: bool) {
        if !judge.sent {
            return;
        }
        let order = &judge.target.order;
        let (prefill, white_space) = (order.prefill, order.trailing_white_space);
        if self.last.is_none() && order.needs_message {
            judge.say(&rule::NO_MESSAGES, place, "there is no message to send");
        }
        let Some(last) = self.last_assistant() else { return };
        let mark = judge.target.order.prefix_mark.clone();
        let unmarked =
            mark.is_some_and(|mark| last.get(&mark).and_then(Value::as_bool) != Some(true)) && prefill && !goes_on;
        if unmarked {
            let words = "the model's last message is not marked as one to be gone on with";
            judge.say(&rule::TRAILING_ASSISTANT, last, words);
        }
        if !prefill && !goes_on {
            judge.say(&rule::TRAILING_ASSISTANT, last, "the conversation ends with the model's turn");
        }
        if !white_space {
            trailing_white_space(judge, last);
        }
    }
}

/// The last text of the model, when nothing follows it.
fn trailing_white_space(judge: &mut Judge<'_>, message: Value<'_>) {
    let Some(content) = message.get("content") else { return };
    let place = match content.items().last() {
        Some(block) => block.get("text"),
        None => Some(content),
    };
    let ends_so = |text: &str| text.ends_with(char::is_whitespace) && !blank(text);
    if let Some(place) = place.filter(|place| place.as_str().is_some_and(|text| ends_so(&text))) {
        judge.say(&rule::TRAILING_WHITE_SPACE, place, "the model's last text ends in white space");
    }
}

/// A turn that is sent last does not end with reasoning; `is_thought` tells which blocks are.
pub(super) fn trailing_thinking(judge: &mut Judge<'_>, message: Value<'_>, is_thought: fn(Value<'_>) -> bool) {
    let last = message.get("content").and_then(|content| content.items().last()).filter(|last| is_thought(*last));
    if let Some(last) = last.filter(|_| judge.sent && !judge.target.reasoning.trailing) {
        judge.say(&rule::TRAILING_THINKING, last, "the last turn ends with reasoning");
    }
}

/// A field that is missing, and stands under another name, which its reader ignores.
pub(super) fn alias(judge: &mut Judge<'_>, object: Value<'_>, own: &str, others: &[&str], reader: &str) {
    let has = |key: &str| object.get(key).is_some_and(|value| !value.is_null());
    if let Some(alias) = others.iter().find(|alias| !has(own) && has(alias)) {
        judge.say(&rule::FIELD_ALIAS, object, format!("{reader} reads `{own}`, not `{alias}`"));
    }
}
