//! Pieces of calls as a stream gives them, stored as if each were a call: the first has the id and the name, the others go on
//! with its arguments. None of them is a call that anybody could answer, so they are put together again
//! (QwenLM/Qwen-Agent#943, langchain-ai/langchain#34671, agentscope-ai/agentscope-java#1223).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::read::call::is_object;
use crate::read::container::Messages;
use crate::read::fields::{ARGUMENTS, CALL_IDS, CALL_NAMES, RESULT_IDS};
use crate::read::reader::Reader;
use crate::read::role;
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Arguments, Block, BlockKind};

/// Items of one list that are pieces of others, by their index in the document.
#[derive(Default)]
pub(crate) struct Pieces {
    /// The whole arguments of a call, of which some stood elsewhere
    whole: HashMap<u32, String>,
    /// Items that are no calls of their own, with the call that they belong to
    of: HashMap<u32, u32>,
    /// Items that are nothing but the id of a later one
    announced: HashSet<u32>,
}

impl Pieces {
    /// Finds the pieces in a list of calls. Linear in its text, and in the messages `behind` it up to the next that calls.
    pub(crate) fn find<'a>(list: Value<'a>, behind: &Messages<'a>) -> Self {
        if are_whole(list) {
            return Self::default();
        }
        let mut items = list.items().filter(|item| item.is_object()).map(Item::of);
        let Some(first) = items.next() else { return Self::default() };
        let rest: Vec<_> = items.collect();
        // Where each has an id and a name of its own, which is nearly always, there are none.
        let mut ids: HashSet<_> = first.id.iter().collect();
        if rest.iter().all(|item| item.name.is_some() && item.id.as_ref().is_some_and(|id| ids.insert(id))) {
            return Self::default();
        }
        let (mut heads, mut following) = (vec![first], BTreeMap::<usize, Vec<Item<'_>>>::new());
        let (mut by_id, mut by_index) = (HashMap::new(), HashMap::new());
        let mut pieces = Self::default();
        heads[0].file(0, &mut by_id, &mut by_index);
        for item in rest {
            let last = heads.len() - 1;
            let at = match (&item.id, item.index) {
                (Some(id), _) => by_id.get(id).copied(),
                (None, Some(index)) => Some(by_index.get(index).copied().unwrap_or(last)),
                (None, None) => Some(last),
            };
            match at {
                Some(at) if heads[at].goes_on_with(&item) => following.entry(at).or_default().push(item),
                Some(at) if heads[at].announces(&item) => {
                    pieces.announced.insert(heads[at].at);
                    item.file(at, &mut by_id, &mut by_index);
                    heads[at] = item;
                }
                _ => {
                    item.file(heads.len(), &mut by_id, &mut by_index);
                    heads.push(item);
                }
            }
        }
        let mut answers = None;
        for (at, items) in following {
            let head = &heads[at];
            let whole = items.iter().fold(head.text.to_string(), |whole, item| whole + &item.text);
            let nameless = items.iter().all(|item| item.id.is_none() && item.name.is_none());
            if is_object(&head.text) || !(nameless || is_object(&whole)) {
                continue;
            }
            // Two calls were answered twice, and a result of the second has no other owner.
            let two = !nameless && head.text.trim().is_empty() && items.len() == 1 && {
                let answers = answers.get_or_insert_with(|| answers_of(list, behind));
                let own = head.id.as_ref().and_then(|id| answers.by_id.get(id.trim()));
                own.copied().unwrap_or_default() + answers.of_nobody > 1
            };
            if !two {
                pieces.of.extend(items.iter().map(|item| (item.at, head.at)));
                pieces.whole.insert(head.at, whole);
            }
        }
        pieces
    }

    /// Whether an item is a piece of another one, and no call.
    pub(crate) fn has(&self, item: Value<'_>) -> bool {
        self.of.contains_key(&item.index())
    }

    /// Whether an item is nothing but the id of a later call.
    pub(crate) fn is_announced(&self, item: Value<'_>) -> bool {
        self.announced.contains(&item.index())
    }

    /// The arguments of a call whose pieces stood elsewhere.
    pub(crate) fn whole(&self, item: Value<'_>) -> Option<String> {
        self.whole.get(&item.index()).cloned()
    }
}

/// Whether each item has an id and a name of its own, which is nearly always: then there are no pieces. It may say no to what
/// has none.
fn are_whole(list: Value<'_>) -> bool {
    /// Items that are compared with each other.
    const FEW: usize = 16;
    if list.items().nth(1).is_none() {
        return true;
    }
    let word = |value: Value<'_>| {
        value.is_string() && !value.raw().contains('\\') && !value.raw()[1..].starts_with(['"', ' '])
    };
    let mut ids = Vec::with_capacity(FEW);
    list.items().all(|item| {
        let holder = item.get("function").filter(|function| function.is_object()).unwrap_or(item);
        let id = item.get("id").filter(|id| word(*id)).map(Value::raw);
        let is_new = id.is_some_and(|id| ids.len() < FEW && !ids.contains(&id));
        ids.extend(id);
        is_new && holder.get("name").is_some_and(word)
    })
}

/// How many results follow a turn.
#[derive(Default)]
struct Answers<'a> {
    /// With the id of a call of the turn
    by_id: HashMap<Cow<'a, str>, usize>,
    /// With another id, or none
    of_nobody: usize,
}

/// The results behind a turn that calls these, up to the next turn that calls.
fn answers_of<'a>(list: Value<'a>, behind: &Messages<'a>) -> Answers<'a> {
    let mut answers = Answers::default();
    for item in list.items().filter(|item| item.is_object()) {
        answers.by_id.extend(Item::of(item).id.map(|id| (trimmed(id), 0)));
    }
    let calls = |message: Value<'_>| {
        message.get("tool_calls").is_some_and(|calls| calls.items().next().is_some())
            || message.get("function_call").is_some_and(Value::is_object)
    };
    for message in behind.clone().take_while(|message| !calls(*message)) {
        let id = RESULT_IDS.iter().find_map(|key| message.get(key)?.as_str()).map(trimmed);
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        if role::meant(&role) == Some("tool") || role.is_empty() && id.is_some() {
            match id.and_then(|id| answers.by_id.get_mut(&id)) {
                Some(count) => *count += 1,
                None => answers.of_nobody += 1,
            }
        }
    }
    answers
}

fn trimmed(id: Cow<'_, str>) -> Cow<'_, str> {
    if id.trim().len() == id.len() { id } else { Cow::Owned(id.trim().to_owned()) }
}

/// What counts of an item of a list of calls.
struct Item<'a> {
    at: u32,
    id: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    /// The place among the calls that the stream gave it, as it stands
    index: Option<&'a str>,
    text: Cow<'a, str>,
    /// Whether its arguments are a text, or none
    is_text: bool,
}

impl<'a> Item<'a> {
    fn of(item: Value<'a>) -> Self {
        let holder = item.get("function").filter(|function| function.is_object()).unwrap_or(item);
        let word = |holder: Value<'a>, names: &[&str]| {
            let word = names.iter().find_map(|name| holder.get(name)?.as_str());
            word.filter(|word| !word.trim().is_empty())
        };
        let arguments = ARGUMENTS.iter().find_map(|name| holder.get(name)).filter(|value| !value.is_null());
        Self {
            at: item.index(),
            id: word(item, CALL_IDS),
            name: word(holder, CALL_NAMES),
            index: item.get("index").filter(|index| !index.is_null()).map(Value::raw),
            text: arguments.and_then(Value::as_str).unwrap_or_default(),
            is_text: arguments.is_none_or(Value::is_string),
        }
    }

    fn file(&self, at: usize, by_id: &mut HashMap<Cow<'a, str>, usize>, by_index: &mut HashMap<&'a str, usize>) {
        if let Some(id) = &self.id {
            by_id.insert(id.clone(), at);
        }
        if let Some(index) = self.index {
            by_index.insert(index, at);
        }
    }

    /// Whether it is nothing but the id of the other item.
    fn announces(&self, other: &Self) -> bool {
        self.name.is_none() && self.is_text && self.text.is_empty() && self.id.is_some() && self.id == other.id
    }

    /// Whether the other item may be more of this one: nothing of it says that it is another call.
    fn goes_on_with(&self, other: &Self) -> bool {
        let same = |own: &Option<Cow<'_, str>>, other: &Option<Cow<'_, str>>| other.is_none() || own == other;
        self.is_text
            && other.is_text
            && !other.text.is_empty()
            && (self.id.is_some() || self.name.is_some())
            && same(&self.id, &other.id)
            && same(&self.name, &other.name)
    }
}

/// Gives a call the arguments of all its pieces.
pub(crate) fn put_together<'a>(cx: &mut Reader<'a, '_>, block: &mut Block<'a>, whole: String, item: Value<'a>) {
    let BlockKind::ToolCall(call) = &mut block.kind else { return };
    call.arguments = Arguments::Encoded(Cow::Owned(whole));
    let what = "pieces of its arguments, which stood as calls of their own, were put together";
    cx.mend(&rule::STREAMING_MARKER, item, block.id, what);
}
