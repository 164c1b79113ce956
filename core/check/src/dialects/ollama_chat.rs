//! `ollama.chat`: the messages of Ollama's own chat API.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use crate::dialects::{Check, openai_chat as chat};
use crate::input::Messages;
use crate::judge::{Judge, blank, filled};
use crate::pairing::{Answer, Asks, Pairing};
use crate::shape;
use crate::turns::Turns;
use crate::{arguments, call, media};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::Scope;

const ROLES: &[&str] = &["system", "user", "assistant", "tool"];

/// Keys under which programs put the content of a message, and which the server ignores.
const IGNORED: [&str; 4] = ["parts", "contents", "blocks", "items"];

/// An id or a name; white space is none.
fn named<'a>(object: Value<'a>, key: &str) -> Option<Cow<'a, str>> {
    filled(object, key).filter(|text| !blank(text))
}

/// Calls and results without ids: which belong together, by name, then by order.
#[derive(Default)]
struct Nameless<'a> {
    minted: usize,
    /// Open calls of the last turn with such calls: the ids that the judge gave them, in order
    turn: BTreeMap<usize, Option<Cow<'a, str>>>,
    /// Their places, by name
    places: HashMap<Cow<'a, str>, VecDeque<usize>>,
    /// Open calls of earlier turns, by name
    earlier: HashMap<Cow<'a, str>, Vec<usize>>,
    /// The results without a name that are left of this run, and the calls that they answer: all that no other result of the run
    /// names
    run: (usize, VecDeque<usize>),
}

impl<'a> Nameless<'a> {
    fn mint(&mut self) -> usize {
        self.minted += 1;
        self.minted
    }

    /// An id that no text can hold.
    fn id<'i>(number: usize) -> Cow<'i, str> {
        Cow::Owned(format!("\u{FFFF}{number}"))
    }

    fn turn(&mut self) {
        for (number, name) in std::mem::take(&mut self.turn) {
            if let Some(name) = name {
                self.earlier.entry(name).or_default().push(number);
            }
        }
        self.places.clear();
        self.run = (0, VecDeque::new());
    }

    fn call(&mut self, name: Option<Cow<'a, str>>) -> usize {
        let number = self.mint();
        if let Some(name) = &name {
            self.places.entry(name.clone()).or_default().push_back(number);
        }
        self.turn.insert(number, name);
        number
    }

    /// The results without a name in a run that begins here, and the calls that they answer, if there are as many.
    fn run(&self, rest: impl Iterator<Item = Value<'a>>) -> (usize, VecDeque<usize>) {
        let results = rest.take_while(|message| message.get("role").is_some_and(|role| role.is_str("tool")));
        let results = results.filter(|message| named(*message, "tool_call_id").is_none());
        let (bare, others): (Vec<_>, Vec<_>) =
            results.map(|message| named(message, "tool_name")).partition(Option::is_none);
        let could_be_as_many = (bare.len()..=bare.len() + others.len()).contains(&self.turn.len());
        if !could_be_as_many {
            return (bare.len(), VecDeque::new());
        }
        // The open calls of each name, and those that have their result.
        let mut open = HashMap::new();
        let mut named: HashSet<usize> = HashSet::new();
        for name in others.iter().flatten() {
            let numbers = open.entry(name).or_insert_with(|| {
                let numbers = self.places.get(name).into_iter().flatten();
                numbers.filter(|number| self.turn.contains_key(number))
            });
            named.extend(numbers.next());
        }
        let is_as_many = self.turn.len() - named.len() == bare.len();
        let calls = self.turn.keys().filter(|number| is_as_many && !named.contains(number));
        (bare.len(), calls.copied().collect())
    }

    /// Whose result this is; `rest` begins with it.
    fn claim(&mut self, rest: impl Iterator<Item = Value<'a>>, name: Option<&str>) -> Option<usize> {
        let Some(name) = name else {
            if self.run.0 == 0 {
                self.run = self.run(rest);
            }
            self.run.0 = self.run.0.saturating_sub(1);
            let number = self.run.1.pop_front()?;
            return self.turn.remove(&number).map(|_| number);
        };
        while let Some(number) = self.places.get_mut(name).and_then(VecDeque::pop_front) {
            if self.turn.remove(&number).is_some() {
                return Some(number);
            }
        }
        self.earlier.get_mut(name).filter(|earlier| earlier.len() == 1)?.pop()
    }
}

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the messages of a chat request.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut turns = Turns::asking(Asks { unique: Scope::Turn, ordered: false, named: false });
    let mut nameless = Nameless::default();
    let mut walk = messages.iter();
    while let Some(message) = walk.next() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        shape::fields(judge, message, &role);
        chat::calls_of_assistant(judge, message, &role);
        content(judge, message, &role);
        images(judge, message, &role);
        // One structure in Go has the members of all roles.
        if let Some(thinking) = message.get("thinking").filter(|thinking| !thinking.is_string() && !thinking.is_null())
        {
            judge.say(&rule::TEXT_NOT_A_STRING, thinking, format!("`thinking` is {}", thinking.kind().name()));
        }
        turns.begin(judge, message, &role);
        let pairing = &mut turns.pairing;
        match &*role {
            "assistant" => assistant(judge, pairing, &mut nameless, message),
            "tool" => result(judge, pairing, &mut nameless, message, std::iter::once(message).chain(walk.clone())),
            _ => {}
        }
    }
    turns.finish(judge, messages);
}

/// Content is one string, or left out.
fn content(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    match message.get("content") {
        Some(content) if content.is_array() => {
            judge.say(&rule::CONTENT_NOT_A_STRING, content, "the content is a list, not a string");
        }
        Some(content) if !content.is_string() && !content.is_null() => {
            judge.say(&rule::CONTENT_NOT_A_LIST, content, format!("the content is {}", content.kind().name()));
        }
        None => elsewhere(judge, message, role),
        Some(content) if content.is_null() => elsewhere(judge, message, role),
        Some(_) => {}
    }
}

/// The server ignores content under another name.
fn elsewhere(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    let has = |key: &str| message.get(key).is_some_and(|value| value.items().next().is_some());
    if has("tool_calls") {
        return;
    }
    let says = |value: &Value<'_>| {
        value.items().next().is_some() || value.as_str().is_some_and(|text| !text.trim().is_empty())
    };
    let others = ["output", "text"].into_iter().filter(|_| role == "tool").chain(IGNORED);
    let found = others.into_iter().find_map(|key| Some((key, message.get(key).filter(says)?)));
    if let Some((key, content)) = found {
        judge.say(&rule::FIELD_ALIAS, content, format!("the server reads `content`, not `{key}`"));
    }
}

/// Pictures are base64 alone, in a list beside the content.
fn images(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    let Some(images) = message.get("images").filter(|images| !images.is_null()) else { return };
    if !images.is_array() {
        judge.say(&rule::CONTENT_NOT_A_LIST, images, format!("`images` is {}", images.kind().name()));
        return;
    }
    for picture in images.items() {
        match role {
            "user" => {}
            "tool" if judge.target.media.in_results => {}
            "tool" => judge.say(&rule::MEDIA_IN_TOOL_RESULT, picture, "the target takes no media in a result"),
            role => shape::misplaced(judge, picture, "images", role),
        }
        media::bare(judge, picture);
    }
}

fn assistant<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, nameless: &mut Nameless<'a>, message: Value<'a>) {
    if !judge.target.reasoning.accepted && message.get("thinking").is_some_and(Value::is_string) {
        judge.say(&rule::UNKNOWN_FIELD, message, "the target takes no reasoning back");
    }
    if let Some(refusal) = message.get("refusal").filter(|_| named(message, "refusal").is_some()) {
        judge.say(&rule::FIELD_ALIAS, refusal, "the server reads `content`, not `refusal`");
    }
    let calls = chat::calls(judge, message);
    if calls.iter().any(|item| named(*item, "id").is_none()) {
        nameless.turn();
    }
    for item in calls {
        if item.get("type").is_some_and(|kind| !kind.is_str("function")) {
            judge.say(&rule::UNKNOWN_BLOCK, item, "no such type of call");
        }
        let Some(function) = chat::called(judge, item, "function") else { continue };
        let name = call::call_name(judge, function, "name", false);
        arguments::object(judge, function, "arguments");
        match item.get("id").filter(|_| named(item, "id").is_some()) {
            Some(place) => {
                let id = place.as_str().unwrap_or_default();
                pairing.call(judge, item, (place, id), None);
            }
            None => {
                let number = nameless.call(name);
                pairing.call(judge, item, (item, Nameless::id(number)), None);
            }
        }
    }
}

fn result<'a>(
    judge: &mut Judge<'_>,
    pairing: &mut Pairing<'a>,
    nameless: &mut Nameless<'a>,
    message: Value<'a>,
    rest: impl Iterator<Item = Value<'a>>,
) {
    call::judge_name(judge, message, "tool_name", false);
    let id = match named(message, "tool_call_id") {
        Some(id) => id,
        None => {
            let name = named(message, "tool_name");
            let claimed = nameless.claim(rest, name.as_deref());
            Nameless::id(claimed.unwrap_or_else(|| nameless.mint()))
        }
    };
    pairing.result(judge, Answer { place: message, id, name: None });
}
