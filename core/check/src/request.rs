//! What a whole request says beside its messages, where the messages ask for it. A list of messages alone is no request.

use std::collections::HashSet;

use crate::input::Messages;
use crate::judge::Judge;
use wirecanon_json::Value;
use wirecanon_model::rule;

/// A request whose messages hold calls or results defines tools. `marks` are members that only a whole request has, `way`
/// leads to the definitions, and `first` is the first call or result.
pub(super) fn definitions(
    judge: &mut Judge<'_>,
    messages: &Messages<'_>,
    marks: &[&str],
    way: &[&str],
    first: Option<Value<'_>>,
) {
    let Some(first) = first.filter(|_| judge.sent && judge.target.content.definitions) else { return };
    if marks.iter().all(|key| messages.beside(key).is_none()) {
        return;
    }
    let [head, rest @ ..] = way else { return };
    let list = messages.beside(head).and_then(|head| rest.iter().try_fold(head, |value, key| value.get(key)));
    if list.is_none_or(|list| list.items().next().is_none()) {
        judge.say(&rule::TOOLS_NOT_DEFINED, first, "the request defines no tools");
    }
}

/// Returns true if the messages belong to a complete request to Anthropic that is to be sent.
pub(super) fn is_anthropic_request(judge: &Judge<'_>, messages: &Messages<'_>) -> bool {
    judge.sent && ["model", "max_tokens"].iter().any(|key| messages.beside(key).is_some())
}

/// "Tool reference '…' not found in available tools": references to tools that a whole request does not define. A
/// set of tools without a name may define any.
pub(super) fn references(judge: &mut Judge<'_>, messages: &Messages<'_>, references: &[Value<'_>]) {
    if !is_anthropic_request(judge, messages) {
        return;
    }
    let tools = messages.beside("tools").into_iter().flat_map(Value::items);
    let Some(known) = tools.map(|tool| tool.get("name")?.as_str()).collect::<Option<HashSet<_>>>() else { return };
    for reference in references {
        let Some(name) = reference.get("tool_name").and_then(Value::as_str) else { continue };
        if !known.contains(&name) {
            judge.say(&rule::TOOL_REFERENCE_UNKNOWN, *reference, format!("the request defines no tool `{name}`"));
        }
    }
}

/// What a request of Anthropic's with thinking asks of the turn whose tools were run last.
#[derive(Default)]
pub(super) struct Thinking<'a> {
    /// The first message of the model since the user spoke
    turn: Option<Value<'a>>,
    /// One of them opens with reasoning
    opens: bool,
    /// The last message holds results alone
    results: bool,
}

impl<'a> Thinking<'a> {
    pub(super) fn assistant(&mut self, message: Value<'a>) {
        let first = message.get("content").and_then(|content| content.items().next());
        let kind = first.and_then(|first| first.get("type"));
        self.opens |= kind.is_some_and(|kind| kind.is_str("thinking") || kind.is_str("redacted_thinking"));
        self.turn.get_or_insert(message);
        self.results = false;
    }

    /// A message of the user's, or instructions.
    pub(super) fn other(&mut self, message: Value<'a>) {
        let mut blocks = message.get("content").into_iter().flat_map(Value::items).peekable();
        let result = |block: Value<'_>| block.get("type").is_some_and(|kind| kind.is_str("tool_result"));
        self.results = blocks.peek().is_some() && blocks.all(result);
        if !self.results {
            *self = Self::default();
        }
    }

    pub(super) fn finish(self, judge: &mut Judge<'_>, messages: &Messages<'_>) {
        let asked = messages.beside("thinking").and_then(|asked| asked.get("type"));
        if !judge.sent || !self.results || self.opens || !asked.is_some_and(|kind| kind.is_str("enabled")) {
            return;
        }
        if let Some(turn) = self.turn {
            let words = "the turn whose tools were run last does not open with reasoning, and thinking is enabled";
            judge.say(&rule::TURN_WITHOUT_THINKING, turn, words);
        }
    }
}
