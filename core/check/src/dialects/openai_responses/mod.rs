//! `openai.responses`: the items of the Responses API.

mod part;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::dialects::Check;
use crate::dialects::openai_chat::part as openai_part;
use crate::input::Messages;
use crate::judge::{Judge, blank, filled};
use crate::pairing::{Answer, Asks, Pairing};
use crate::shape::{self, Order};
use crate::{arguments, call, media};
use wirecanon_json::Value;
use wirecanon_model::rule;

const ROLES: &[&str] = &["user", "assistant", "system", "developer"];

/// What the server put out, beside messages, calls and reasoning.
const SERVER: &[&str] = &[
    "file_search_call",
    "web_search_call",
    "computer_call",
    "code_interpreter_call",
    "image_generation_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "tool_search_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_call",
    "program",
    "compaction",
    "item_reference",
];

/// What the client adds, beside messages and outputs.
const CLIENT: &[&str] = &[
    "computer_call_output",
    "local_shell_call_output",
    "shell_call_output",
    "apply_patch_call_output",
    "tool_search_output",
    "program_output",
    "mcp_approval_response",
    "compaction_trigger",
    "additional_tools",
];

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the items of a Responses request.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let is_of_another_type = |value: &Value<'_>| !value.is_null() && !value.is_string();
    if let Some(instructions) = messages.beside("instructions").filter(is_of_another_type) {
        let words = format!("`instructions` is {}, not a string", instructions.kind().name());
        judge.say(&rule::TEXT_NOT_A_STRING, instructions, words);
    }
    // One string stands for a whole input.
    if messages.is_words() {
        return;
    }
    let beside = |key: &str| messages.beside(key).is_some_and(|value| !value.is_null());
    let elsewhere = beside("previous_response_id")
        || beside("conversation")
        || judge.target.content.stored_items
            && messages.iter().any(|item| is_reference(item, item.get("type").and_then(Value::as_str).as_deref()));
    let asks = Asks { unique: judge.target.ids.unique, ordered: false, named: false };
    let mut walk = Walk {
        pairing: Pairing::new(asks).loose(elsewhere),
        order: Order::default(),
        elsewhere,
        called: HashSet::new(),
        in_turn: false,
        thought: None,
        is_stored: judge.target.reasoning.followed_by_id
            && messages.document.is_some()
            && messages.beside("store").and_then(Value::as_bool) != Some(false),
        ids: HashSet::new(),
        custom: HashMap::new(),
        outputs: Vec::new(),
        calls: HashMap::new(),
        open: BTreeMap::new(),
        others: 0,
    };
    if elsewhere {
        let ids = messages.iter().filter_map(|item| item.get("call_id").filter(|_| is_call(item))?.as_str());
        walk.called = ids.map(|id| half(&id).to_owned()).collect();
    }
    for item in messages.iter() {
        walk.item(judge, item);
    }
    if judge.sent {
        walk.end_of_turn(judge);
    }
    walk.kinds(judge);
    walk.open_calls(judge);
    walk.pairing.finish(judge);
    walk.order.finish(judge, messages.place, false);
}

fn is_call(item: Value<'_>) -> bool {
    item.get("type").is_some_and(|kind| kind.is_str("function_call") || kind.is_str("custom_tool_call"))
}

/// The call's half of an id that names the item too.
fn half(id: &str) -> &str {
    id.split('|').next().unwrap_or(id).trim()
}

fn is_reference(item: Value<'_>, kind: Option<&str>) -> bool {
    kind == Some("item_reference")
        || (kind.is_none() && item.get("role").is_none() && filled(item, "id").is_some_and(|id| !blank(&id)))
}

struct Walk<'a> {
    pairing: Pairing<'a>,
    order: Order<'a>,
    /// The server may have calls that do not stand here
    elsewhere: bool,
    /// Ids of the calls that do stand here, where it matters
    called: HashSet<String>,
    /// The item before was the model's
    in_turn: bool,
    /// Reasoning that nothing has followed yet
    thought: Option<Value<'a>>,
    /// The server stores the items, and finds reasoning by its id
    is_stored: bool,
    /// Ids of items
    ids: HashSet<Cow<'a, str>>,
    /// Calls by their id, and whether they are of custom tools
    custom: HashMap<Cow<'a, str>, bool>,
    /// Outputs, the calls that they answer, and whether they are of custom tools
    outputs: Vec<(Value<'a>, Cow<'a, str>, bool)>,
    /// Calls of the server's tools that the client runs
    calls: HashMap<(&'static str, Cow<'a, str>), u32>,
    /// Those that nothing has answered yet, by where they stand
    open: BTreeMap<u32, (&'static str, Value<'a>)>,
    /// The last item that is not the model's
    others: u32,
}

impl<'a> Walk<'a> {
    fn item(&mut self, judge: &mut Judge<'_>, item: Value<'a>) {
        if !item.is_object() {
            judge.say(&rule::MESSAGE_NOT_AN_OBJECT, item, format!("an item is {}", item.kind().name()));
            return;
        }
        let kind = item.get("type").filter(|kind| !kind.is_null());
        let kind = kind.map(|kind| kind.as_str().unwrap_or_default());
        let role = item.get("role").is_some();
        match kind.as_deref() {
            Some("function_call") => {
                self.models(judge, item, true);
                self.call(judge, item, false);
            }
            Some("custom_tool_call") => {
                self.models(judge, item, true);
                self.call(judge, item, true);
            }
            Some("function_call_output") => self.output(judge, item, false),
            Some("custom_tool_call_output") => self.output(judge, item, true),
            Some("reasoning") => {
                self.models(judge, item, false);
                self.reasoning(judge, item);
            }
            Some(kind) if SERVER.contains(&kind) => {
                self.models(judge, item, true);
                self.server(judge, item, kind);
            }
            Some(kind) if CLIENT.contains(&kind) => self.client(judge, item, kind),
            None if is_reference(item, None) => {
                self.models(judge, item, true);
                self.server(judge, item, "item_reference");
            }
            None | Some("message") => self.message(judge, item),
            Some(kind) => {
                self.others(judge, item, false);
                if role {
                    judge.say(&rule::UNKNOWN_BLOCK, item, format!("no such kind of item: `{kind}`"));
                } else {
                    shape::unknown(judge, item, kind);
                }
            }
        }
    }

    /// An item of the model's.
    fn models(&mut self, judge: &mut Judge<'_>, item: Value<'a>, follows: bool) {
        if !self.in_turn {
            self.pairing.turn(false);
        }
        self.in_turn = true;
        self.order.message(judge, item, true);
        if follows && let Some(thought) = self.thought.take() {
            let has = |item: Value<'_>, key| filled(item, key).is_some_and(|text| !blank(&text));
            let is_sealed = has(thought, "encrypted_content");
            // The server's own items are known by their content.
            let kind = item.get("type").and_then(Value::as_str);
            let is_said = kind.is_none_or(|kind| matches!(&*kind, "message" | "function_call" | "custom_tool_call"));
            if self.is_stored && is_sealed && is_said && has(thought, "id") && !has(item, "id") {
                let what = "the item that follows this stored reasoning has no `id`";
                judge.say(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, thought, what);
            }
        }
    }

    /// An item of anybody else.
    fn others(&mut self, judge: &mut Judge<'_>, item: Value<'a>, system: bool) {
        self.end_of_turn(judge);
        self.in_turn = false;
        self.others = item.index();
        if system {
            self.order.system(judge, item);
        } else {
            self.order.message(judge, item, false);
        }
    }

    fn end_of_turn(&mut self, judge: &mut Judge<'_>) {
        if let Some(thought) = self.thought.take() {
            judge.say(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, thought, "nothing of the model follows this reasoning");
        }
    }

    fn message(&mut self, judge: &mut Judge<'_>, item: Value<'a>) {
        let Some(role) = shape::role(judge, item, ROLES) else {
            self.others(judge, item, false);
            return;
        };
        match &*role {
            "assistant" => self.models(judge, item, true),
            "user" => {
                self.others(judge, item, false);
                self.pairing.other();
            }
            _ => {
                self.others(judge, item, true);
                self.pairing.other();
            }
        }
        shape::fields(judge, item, &role);
        if item.get("type").is_some_and(Value::is_null) {
            judge.say(&rule::UNKNOWN_BLOCK, item, "the type of the item is null");
        }
        self.id(judge, item, "msg");
        // Where the target lists what it takes, that was said.
        if item.get("tool_calls").is_some_and(|calls| !calls.is_null()) && judge.target.takes_field(&role, "tool_calls")
        {
            shape::misplaced(judge, item.get("tool_calls").unwrap_or(item), "tool_calls", &role);
        }
        if let Some(list) = shape::blocks(judge, item, true) {
            if list.items().next().is_none() {
                judge.say(&rule::EMPTY_MESSAGE, list, "the list of parts is empty");
            }
            part::list(judge, list, &role);
        }
    }

    fn call(&mut self, judge: &mut Judge<'_>, item: Value<'a>, custom: bool) {
        judge.keys(item);
        shape::fields(judge, item, if custom { "custom_tool_call" } else { "function_call" });
        self.id(judge, item, if custom { "ctc" } else { "fc" });
        if let Some(id) = call::call_id(judge, item, "call_id") {
            let id = call::trimmed(judge, id);
            self.custom.insert(id.1.clone(), custom);
            self.pairing.call(judge, item, id, None);
        }
        call::call_name(judge, item, "name", false);
        if custom {
            arguments::free_text(judge, item, "input");
        } else {
            arguments::string(judge, item, "arguments");
        }
    }

    fn output(&mut self, judge: &mut Judge<'_>, item: Value<'a>, custom: bool) {
        let found = call::result_id(judge, item, "call_id");
        if found.as_ref().is_some_and(|(_, id)| self.elsewhere && !self.called.contains(half(id))) {
            // The turn goes on: outputs of its own calls may still come.
            self.end_of_turn(judge);
            self.order.message(judge, item, false);
        } else {
            self.others(judge, item, false);
        }
        judge.keys(item);
        shape::fields(judge, item, if custom { "custom_tool_call_output" } else { "function_call_output" });
        self.id(judge, item, "");
        if let Some(found) = found {
            let (_, id) = call::trimmed(judge, found);
            self.of_shell(judge, id.clone());
            self.outputs.push((item, id.clone(), custom));
            self.pairing.result(judge, Answer { place: item, id, name: None });
        }
        let output = item.get("output");
        match output {
            None => judge.say(&rule::CONTENT_MISSING, item, "there is no output"),
            Some(output) if output.is_null() => judge.say(&rule::CONTENT_MISSING, output, "the output is null"),
            Some(output) if output.is_array() => {
                if output.items().next().is_none() {
                    judge.say(&rule::EMPTY_TOOL_RESULT, output, "the list of parts is empty");
                }
                part::list(judge, output, "output");
            }
            Some(output) if output.is_string() => {}
            Some(output) => {
                let what = format!("the output is {}, no string and no list", output.kind().name());
                judge.say(&rule::CONTENT_NOT_A_LIST, output, what);
            }
        }
    }

    /// Clients answer calls of a local shell and of their own tool search as they answer functions: an open one of this id is a
    /// call then.
    fn of_shell(&mut self, judge: &mut Judge<'_>, id: Cow<'a, str>) {
        let of = |kind| self.calls.get(&(kind, id.clone())).filter(|_| !self.custom.contains_key(&id));
        let call = of(SHELL).map(|call| (SHELL, *call)).or_else(|| of(SEARCH).map(|call| (SEARCH, *call)));
        let Some((kind, (_, item))) = call.and_then(|(kind, call)| Some((kind, *self.open.get(&call)?))) else {
            return;
        };
        if kind == SHELL && !item.get("action").is_some_and(Value::is_object) {
            return;
        }
        let Some(place) = item.get("call_id").filter(|place| place.as_str().is_some_and(|found| found == id)) else {
            return;
        };
        self.open.remove(&item.index());
        let own = item.get("id").and_then(Value::as_str).unwrap_or_default();
        self.calls.remove(&(kind, own));
        self.calls.remove(&(kind, id.clone()));
        self.custom.insert(id.clone(), false);
        self.pairing.call(judge, item, (place, id), None);
    }

    fn reasoning(&mut self, judge: &mut Judge<'_>, item: Value<'a>) {
        judge.keys(item);
        shape::fields(judge, item, "reasoning");
        self.thought = Some(item);
        let sealed = filled(item, "encrypted_content").is_some_and(|seal| !blank(&seal));
        if item.get("id").is_none_or(Value::is_null) && !sealed {
            judge.say(&rule::ITEM_ID_MALFORMED, item, "reasoning has neither an id nor a seal");
        }
        self.id(judge, item, "rs");
        let limits = &judge.target.reasoning;
        if !limits.accepted {
            judge.say(&rule::THINKING_LEFT_OUT, item, "the target takes no reasoning");
        } else if limits.signed && !sealed {
            let what = "the server does not store reasoning, and this has no `encrypted_content`";
            judge.say(&rule::THINKING_WITHOUT_SIGNATURE, item, what);
        }
        let is_list = |list: Value<'_>, kind: &str| {
            list.is_array()
                && list.items().all(|text| {
                    text.get("type").is_some_and(|found| found.is_str(kind))
                        && text.get("text").is_some_and(Value::is_string)
                })
        };
        let whole = item.get("summary").is_some_and(|list| is_list(list, "summary_text"))
            && item.get("content").is_none_or(|list| list.is_null() || is_list(list, "reasoning_text"))
            && item.get("encrypted_content").is_none_or(|seal| seal.is_null() || seal.is_string());
        let content = item.get("content").filter(|list| list.items().next().is_some());
        if let Some(content) = content.filter(|_| !judge.target.reasoning.content) {
            judge.say(&rule::REASONING_WITH_CONTENT, content, "the server takes no content of reasoning");
        }
        if !whole {
            judge.say(&rule::REASONING_WITHOUT_SUMMARY, item, "the summary or the content is no list of its texts");
        }
    }

    /// An item of a tool that the server runs, or knows.
    fn server(&mut self, judge: &mut Judge<'_>, item: Value<'a>, kind: &str) {
        if let Some(id) = item.get("id").and_then(Value::as_str)
            && !self.ids.insert(id)
        {
            judge.say(&rule::DUPLICATE_ITEM_ID, item, "another item has this id");
        }
        shape::fields(judge, item, kind);
        let unstored = match kind {
            "item_reference" => true,
            "image_generation_call" => filled(item, "result").is_none_or(|data| blank(&data)),
            _ => false,
        };
        if unstored && !judge.target.content.stored_items {
            judge.say(&rule::ITEM_NOT_STORED, item, "the server does not store the item that this stands for");
        }
        let needed = match kind {
            "item_reference" => Some("id"),
            "compaction" => Some("encrypted_content"),
            _ => None,
        };
        if needed.is_some_and(|key| filled(item, key).is_none_or(|text| blank(&text))) {
            judge.say(&rule::UNKNOWN_BLOCK, item, format!("a `{kind}` without what it stands for"));
        }
        if let Some((call, _)) = PAIRS.iter().find(|(call, _)| *call == kind && asks_client(kind, item)) {
            self.calls.insert((call, item.get("call_id").and_then(Value::as_str).unwrap_or_default()), item.index());
            if let Some(id) = item.get("id").and_then(Value::as_str).filter(|_| kind == SHELL) {
                self.calls.insert((call, id), item.index());
            }
            self.open.insert(item.index(), (call, item));
        }
    }

    /// An item of the client's that is no message and no output of a called function.
    fn client(&mut self, judge: &mut Judge<'_>, item: Value<'a>, kind: &str) {
        // The turn goes on: outputs of its calls may still come.
        self.end_of_turn(judge);
        self.others = item.index();
        self.order.message(judge, item, false);
        let pair = PAIRS.iter().find(|(_, output)| *output == kind && asks_client(kind, item));
        let Some((call, _)) = pair else { return };
        if kind == "computer_call_output" {
            screenshot(judge, item);
        }
        // An output of the shell has its call's id as its own.
        let names = if *call == SHELL { &["call_id", "id"][..] } else { &["call_id"] };
        let mut ids = names.iter().filter_map(|name| filled(item, name)).filter(|id| !blank(id)).peekable();
        if ids.peek().is_none() {
            return judge.say(&rule::UNKNOWN_BLOCK, item, format!("a `{kind}` names no call"));
        }
        match ids.find_map(|id| self.calls.get(&(*call, id))) {
            Some(asked) => drop(self.open.remove(asked)),
            None if self.elsewhere || !judge.pairing => {}
            None => judge.say(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, item, format!("no `{call}` before it has this id")),
        }
    }

    /// An item's own id.
    fn id(&mut self, judge: &mut Judge<'_>, item: Value<'a>, prefix: &str) {
        let Some(value) = item.get("id").filter(|id| !id.is_null()) else { return };
        let spelled = |id: &str| {
            id.starts_with(prefix)
                && id.chars().count() <= 64
                && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        };
        // Each server that speaks the dialect spells ids of reasoning in its own way.
        let open = judge.target.is_dialect() && prefix == "rs";
        let is_id = |id: &str| !blank(id) && id.chars().count() <= 64 && !id.contains(['+', '/', '=', '|']);
        match value.as_str().filter(|id| spelled(id) || open && is_id(id)) {
            None => {
                let words = format!("the id does not begin with `{prefix}`, or is none");
                judge.say(&rule::ITEM_ID_MALFORMED, value, words);
            }
            Some(id) => {
                if !self.ids.insert(id) {
                    judge.say(&rule::DUPLICATE_ITEM_ID, value, "another item has this id");
                }
            }
        }
    }

    /// "No tool output found for computer call …": calls that something stands behind, but no output.
    fn open_calls(&self, judge: &mut Judge<'_>) {
        if self.elsewhere || !judge.pairing {
            return;
        }
        for (call, place) in self.open.range(..self.others).map(|(_, open)| *open) {
            judge.say(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, place, format!("no output answers this `{call}`"));
        }
    }

    /// Outputs are of their calls' kinds.
    fn kinds(&self, judge: &mut Judge<'_>) {
        for (place, id, custom) in &self.outputs {
            if judge.pairing && self.custom.get(id).is_some_and(|call| call != custom) {
                judge.say(&rule::TOOL_RESULT_OF_ANOTHER_KIND, *place, "the output is of another kind than its call");
            }
        }
    }
}

/// "Invalid `input[6].output.image_url`. Expected a valid URL, but got a value with an invalid format instead."
fn screenshot(judge: &mut Judge<'_>, item: Value<'_>) {
    let output = item.get("output").unwrap_or(item);
    let shown = match output.get("image_url").filter(|url| !url.is_null()) {
        None => filled(output, "file_id").is_some_and(|id| !blank(&id)),
        Some(url) => url.as_str().is_some_and(|url| {
            let data = media::split_data_url(&url).filter(|_| media::is_data_url(&url));
            data.is_some_and(|(_, data)| !blank(data)) || openai_part::web(&url)
        }),
    };
    if !shown {
        judge.say(&rule::IMAGE_WITHOUT_DATA, output, "the screenshot has no picture");
    }
}

const SHELL: &str = "local_shell_call";
const SEARCH: &str = "tool_search_call";

/// Calls of the server's tools that the client runs, and their outputs.
const PAIRS: &[(&str, &str)] = &[
    ("computer_call", "computer_call_output"),
    ("shell_call", "shell_call_output"),
    ("apply_patch_call", "apply_patch_call_output"),
    (SHELL, "local_shell_call_output"),
    (SEARCH, "tool_search_output"),
];

/// Whether the client runs what this item is about: the server searches for tools itself, without a `call_id`.
fn asks_client(kind: &str, item: Value<'_>) -> bool {
    !kind.starts_with("tool_search")
        || (filled(item, "call_id").is_some_and(|id| !blank(&id))
            && item.get("execution").is_none_or(|execution| !execution.is_str("server")))
}
