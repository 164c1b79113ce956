//! A conversation as one sequence: texts and media in order, then the calls of the turn, each with its results.

use hashbrown::{HashMap, HashSet};
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use super::acceptance::Acceptance;
use crate::observation::{
    Attribute, Call, Content, Item, Media, Observation, Provider, Reasoning, Resource, Speaker, ToolResult, Turn,
};

/// One element of the sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit<'o, 'a> {
    pub(super) speaker: Speaker,
    /// The number of the turn: consecutive messages of one speaker are one turn
    pub(super) step: usize,
    pub(super) kind: Kind<'o, 'a>,
    pub(super) item: &'o Item<'a>,
    /// A message after calls of the same turn holds it
    pub(super) is_late: bool,
    /// The number of its message
    pub(super) message: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'o, 'a> {
    Text(&'o str),
    Data(Value<'a>),
    Media(&'o Media<'a>),
    Resource(&'o Resource<'a>),
    Provider(&'o Provider<'a>),
    Call(&'o Call<'a>),
    /// The item is a text without a word
    Blank,
}

impl<'o, 'a> Unit<'o, 'a> {
    /// Creates the unit of an item; `None` for items that are compared by themselves.
    pub(super) fn from_item(item: &'o Item<'a>, speaker: Speaker, step: usize) -> Option<Self> {
        let kind = match &item.content {
            Content::Text(text) if text.trim().is_empty() => Kind::Blank,
            Content::Text(text) => Kind::Text(text),
            Content::Data(value) => Kind::Data(*value),
            Content::Media(media) => Kind::Media(media),
            Content::Resource(resource) => Kind::Resource(resource),
            Content::Provider(provider) => Kind::Provider(provider),
            Content::Call(call) => Kind::Call(call),
            Content::Result(_) | Content::Reasoning(_) => return None,
        };
        Some(Self { speaker, step, kind, item, is_late: false, message: 0 })
    }

    /// Returns the text, if the unit is one.
    pub(super) fn text(&self) -> Option<&'o str> {
        if let Kind::Text(text) = self.kind { Some(text) } else { None }
    }

    /// Returns the tool call, if the unit is one.
    pub(super) fn call(&self) -> Option<&'o Call<'a>> {
        if let Kind::Call(call) = self.kind { Some(call) } else { None }
    }
}

/// A result, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'o, 'a> {
    pub(super) result: &'o ToolResult<'a>,
    pub(super) item: &'o Item<'a>,
    /// Something else is between the turn that called and the result
    pub(super) is_displaced: bool,
    /// The number of units before it
    pub(super) after: usize,
    /// The content, among [`Flat::content`]
    content: (usize, usize),
    /// The content with the whole value in place of what the dialect wraps in it
    whole: Option<(usize, usize)>,
    /// The content as the list that stands in the object of the dialect
    listed: Option<(usize, usize)>,
}

/// Reasoning, and the turn that holds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thought<'o, 'a> {
    pub(super) reasoning: &'o Reasoning<'a>,
    pub(super) item: &'o Item<'a>,
    pub(super) step: usize,
    /// Something else is said in the same turn behind it
    pub(super) is_followed: bool,
}

/// The order within a turn that the dialects cannot express.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Order {
    /// Media are beside the text of a message, not between texts
    pub(super) media_last: bool,
    /// Media of results are beside their text
    pub(super) result_media_last: bool,
    /// Calls are texts, and stay where they are
    pub(super) calls_in_place: bool,
}

/// The arrangement of things that two conversations may arrange in two ways.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrangement {
    /// Messages that go on with the turn of the message before
    pub(super) joined: usize,
    /// Items that stand behind calls of their turn
    pub(super) behind_calls: usize,
    /// Results that are not in the order of their calls
    pub(super) out_of_order: usize,
}

/// A conversation as one sequence.
#[derive(Debug, Default)]
pub(super) struct Flat<'o, 'a> {
    pub(super) units: Vec<Unit<'o, 'a>>,
    /// The results of each call, by its number
    pub(super) results: Vec<Vec<Given<'o, 'a>>>,
    /// Results without a call
    pub(super) orphans: Vec<Given<'o, 'a>>,
    pub(super) thoughts: Vec<Thought<'o, 'a>>,
    /// The signatures of items that are no reasoning
    pub(super) signatures: Vec<&'o str>,
    /// The results of calls that a provider ran, by the ids of these calls
    pub(super) provided: HashMap<&'o str, Given<'o, 'a>>,
    /// The turns that go on behind an empty message of another speaker
    pub(super) over_blank: HashSet<usize>,
    /// The ids of these calls
    pub(super) called: HashSet<&'o str>,
    pub(super) arrangement: Arrangement,
    /// The content of all results
    content: Vec<Unit<'o, 'a>>,
}

impl<'o, 'a> Flat<'o, 'a> {
    /// Flattens a conversation; `acceptance` is of the target for which others are to say it.
    pub(super) fn new(observation: &'o Observation<'a>, order: Order, acceptance: Option<Acceptance<'_>>) -> Self {
        let mut flat = Self::default();
        let items: usize = observation.turns.iter().map(|turn| turn.items.len()).sum();
        flat.units.reserve(observation.instructions.len() + items);
        flat.units.extend(observation.instructions.iter().filter_map(|item| Unit::from_item(item, Speaker::System, 0)));
        let mut walk = Walk {
            order,
            acceptance,
            start: 0,
            flat,
            step: 0,
            last: None,
            calls: Vec::new(),
            steps: Vec::new(),
            behind: None,
            has_calls: false,
            answered: None,
            is_over_blank: false,
            message: 0,
        };
        for turn in &observation.turns {
            walk.turn(turn);
        }
        walk.close();
        walk.flat
    }

    /// Returns the content of a result.
    pub(super) fn content_of(&self, given: &Given<'o, 'a>) -> &[Unit<'o, 'a>] {
        &self.content[given.content.0..given.content.1]
    }

    /// Returns the content of a result, in each form that it has.
    pub(super) fn forms_of<'f>(
        &'f self,
        given: &Given<'o, 'a>,
    ) -> impl DoubleEndedIterator<Item = &'f [Unit<'o, 'a>]> + use<'f, 'o, 'a> {
        [Some(given.content), given.whole].into_iter().flatten().map(|(start, end)| &self.content[start..end])
    }

    /// Returns the content of a result as the list that stands in the object of its dialect.
    pub(super) fn listed(&self, given: &Given<'o, 'a>) -> Option<&[Unit<'o, 'a>]> {
        given.listed.map(|(start, end)| &self.content[start..end])
    }

    /// Returns whether a turn may become two: a call that a provider ran may be a turn of its own, with its result, and so may a call whose
    /// result is missing or stands elsewhere.
    pub(super) fn may_be_split(&self, step: usize, other: Dialect) -> bool {
        let first = self.units.partition_point(|unit| unit.step < step);
        self.units[first..].iter().take_while(|unit| unit.step == step).any(|unit| match unit.kind {
            Kind::Provider(provider) => !provider.is_of(other),
            Kind::Call(call) => self.results_of(call.number).iter().all(|result| result.is_displaced),
            _ => false,
        })
    }

    /// Returns the results of a call.
    pub(super) fn results_of(&self, call: usize) -> &[Given<'o, 'a>] {
        self.results.get(call).map_or(&[], Vec::as_slice)
    }
}

struct Walk<'t, 'o, 'a> {
    order: Order,
    /// The media that the target accepts; `None` for the answer
    acceptance: Option<Acceptance<'t>>,
    /// The first unit of the open turn
    start: usize,
    flat: Flat<'o, 'a>,
    step: usize,
    last: Option<Speaker>,
    /// The calls of the open turn of the assistant
    calls: Vec<Unit<'o, 'a>>,
    /// The turn of each call
    steps: Vec<usize>,
    /// The turn whose results may follow here
    behind: Option<usize>,
    has_calls: bool,
    /// The call of the last result
    answered: Option<usize>,
    is_over_blank: bool,
    /// The number of the message
    message: usize,
}

impl<'o, 'a> Walk<'_, 'o, 'a> {
    fn turn(&mut self, turn: &'o Turn<'a>) {
        self.message += 1;
        if turn.speaker == Speaker::Tool {
            // Results that belong further up do not end a turn.
            if !turn.items.iter().all(|item| self.is_displaced(item)) {
                self.close();
                self.last = Some(Speaker::Tool);
            }
            for item in &turn.items {
                if let Content::Provider(provider) = &item.content {
                    self.provided(provider);
                    self.flat.units.extend(Unit::from_item(item, Speaker::User, self.step));
                }
                self.result(item);
            }
            return;
        }
        let is_blank = |item: &Item<'_>| item.as_text().is_some_and(|text| text.trim().is_empty());
        let is_same = self.last == Some(turn.speaker);
        if !is_same && turn.items.iter().all(is_blank) {
            let blank = turn.items.iter().filter_map(|item| Unit::from_item(item, turn.speaker, self.step));
            // It stands behind the open calls and their results.
            if self.calls.is_empty() {
                self.flat.units.extend(blank);
            } else {
                self.calls.extend(blank);
            }
            self.is_over_blank = true;
            return;
        }
        if !is_same {
            self.close();
            self.step += 1;
            self.start = self.flat.units.len();
            self.last = Some(turn.speaker);
        } else if self.is_over_blank {
            self.flat.over_blank.insert(self.step);
        }
        self.is_over_blank = false;
        self.flat.arrangement.joined += usize::from(is_same);
        let is_late = self.has_calls;
        // Blank texts between a call and its result are nothing.
        if turn.items.iter().any(|item| item.as_text().is_none_or(|text| !text.trim().is_empty())) {
            self.behind = (turn.speaker == Speaker::Assistant).then_some(self.step);
        }
        for item in &turn.items {
            if let Content::Reasoning(reasoning) = &item.content {
                self.flat.thoughts.push(Thought { reasoning, item, step: self.step, is_followed: false });
            }
            if let Content::Provider(provider) = &item.content {
                self.provided(provider);
            }
            let Some(mut unit) = Unit::from_item(item, turn.speaker, self.step) else {
                if matches!(item.content, Content::Result(_)) {
                    self.result(item);
                }
                continue;
            };
            self.signed(item, unit);
            unit.is_late = is_late;
            unit.message = self.message;
            if let Kind::Call(call) = unit.kind {
                self.has_calls = true;
                if self.order.calls_in_place {
                    self.flat.units.push(unit);
                } else {
                    self.calls.push(unit);
                }
                if self.steps.len() <= call.number {
                    self.steps.resize(call.number + 1, self.step);
                }
                self.steps[call.number] = self.step;
            } else {
                self.flat.arrangement.behind_calls += usize::from(self.has_calls && !matches!(unit.kind, Kind::Blank));
                self.flat.units.push(unit);
            }
        }
    }

    /// Keeps the signature of an item, and marks the reasoning that it follows.
    fn signed(&mut self, item: &'o Item<'a>, unit: Unit<'o, 'a>) {
        let signature = item.attributes.iter().find(|(attribute, _)| *attribute == Attribute::Signature);
        self.flat.signatures.extend(signature.map(|(_, value)| &**value));
        if !matches!(unit.kind, Kind::Blank) {
            let is_open = |thought: &&mut Thought<'_, '_>| thought.step == unit.step && !thought.is_followed;
            self.flat.thoughts.iter_mut().rev().take_while(is_open).for_each(|thought| thought.is_followed = true);
        }
    }

    /// Ends the turn of the assistant: its calls follow its texts.
    fn close(&mut self) {
        if self.order.media_last {
            let start = self.start.min(self.flat.units.len());
            // A medium that the target does not accept is a text.
            let is_media = |unit: &Unit<'_, '_>| match unit.kind {
                Kind::Media(media) | Kind::Resource(Resource { media: Some(media), text: None, .. }) => {
                    self.acceptance.is_none_or(|target| target.in_message(media, unit.speaker))
                }
                _ => false,
            };
            self.flat.units[start..].sort_by_key(is_media);
        }
        self.flat.units.append(&mut self.calls);
        self.has_calls = false;
        self.start = self.flat.units.len();
    }

    /// Keeps the result of a call that a provider ran.
    fn provided(&mut self, provider: &'o Provider<'a>) {
        for item in &provider.readable {
            if let Content::Call(call) = &item.content {
                self.flat.called.extend(call.id.as_deref());
            }
            let Content::Result(result) = &item.content else { continue };
            let Some(id) = result.id.as_deref() else { continue };
            let given = self.given(result, item, false);
            self.flat.provided.insert(id, given);
        }
    }

    fn given(&mut self, result: &'o ToolResult<'a>, item: &'o Item<'a>, is_displaced: bool) -> Given<'o, 'a> {
        let start = self.flat.content.len();
        self.flat
            .content
            .extend(result.items.iter().filter_map(|item| Unit::from_item(item, Speaker::Tool, self.step)));
        if self.order.result_media_last {
            let is_media = |unit: &Unit<'_, '_>| match unit.kind {
                Kind::Media(media) | Kind::Resource(Resource { media: Some(media), text: None, .. }) => {
                    let is_error = result.is_error == Some(true);
                    media.as_text().is_none() && self.acceptance.is_none_or(|target| target.in_result(media, is_error))
                }
                _ => false,
            };
            self.flat.content[start..].sort_by_key(is_media);
        }
        let content = (start, self.flat.content.len());
        let whole = result.whole.map(|value| {
            let (step, kind) = (self.step, Kind::Data(value));
            let unit = Unit { speaker: Speaker::Tool, step, kind, item, is_late: false, message: 0 };
            self.instead_of(value, content, [unit])
        });
        // What is expected has no need of it.
        let listed = result.whole.zip(result.listed.as_ref()).filter(|_| self.acceptance.is_none());
        let listed = listed.map(|(value, listed)| {
            let step = self.step;
            self.instead_of(value, content, listed.iter().filter_map(|item| Unit::from_item(item, Speaker::Tool, step)))
        });
        Given { result, item, is_displaced, after: self.flat.units.len(), content, whole, listed }
    }

    /// Adds the content of a result with these units in place of what stands in a value.
    fn instead_of(
        &mut self,
        value: Value<'a>,
        content: (usize, usize),
        units: impl IntoIterator<Item = Unit<'o, 'a>>,
    ) -> (usize, usize) {
        let is_beside = |unit: &Unit<'_, '_>| {
            let (inner, outer) = (unit.item.place.span(), value.span());
            inner.start < outer.start || inner.end > outer.end
        };
        let beside: Vec<_> =
            self.flat.content[content.0..content.1].iter().filter(|unit| is_beside(unit)).copied().collect();
        let start = self.flat.content.len();
        self.flat.content.extend(units.into_iter().chain(beside));
        (start, self.flat.content.len())
    }

    /// Returns whether something else stands between a result and the turn of its call.
    fn is_displaced(&self, item: &Item<'a>) -> bool {
        let Content::Result(result) = &item.content else { return false };
        let step = result.call.and_then(|call| self.steps.get(call));
        step.is_some_and(|step| self.behind != Some(*step))
    }

    fn result(&mut self, item: &'o Item<'a>) {
        let Content::Result(result) = &item.content else { return };
        let is_displaced = self.is_displaced(item);
        let given = self.given(result, item, is_displaced);
        let Some(call) = result.call else {
            self.flat.orphans.push(given);
            return;
        };
        self.flat.arrangement.out_of_order += usize::from(self.answered.is_some_and(|last| last > call));
        self.answered = Some(call);
        if self.flat.results.len() <= call {
            self.flat.results.resize_with(call + 1, Vec::new);
        }
        self.flat.results[call].push(given);
    }
}
