//! Walks through what is expected and through the answer at the same time.

mod as_text;
mod calls;
mod fillers;
mod forms;
mod items;
mod labels;
mod media;
mod notes;
mod resolve;
mod resources;
mod results;

use std::collections::{BTreeMap, VecDeque};

use hashbrown::{HashMap, HashSet};
use wirecanon_json::Value;
use wirecanon_model::target::SystemPlace;
use wirecanon_model::{Dialect, Target};

use self::as_text::Loose;
use self::calls::squashed_result;
pub(crate) use self::forms::is_wrapper;
use self::labels::Labels;
use self::media::Pending;
use self::resolve::Index;
use crate::compare::acceptance::Acceptance;
use crate::compare::cursor::Cursor;
use crate::compare::flat::{Flat, Given, Kind, Order, Unit};
use crate::compare::value::{is_equal, is_equal_text};
use crate::compare::words::{About, Names};
use crate::compare::{CompareOptions, Comparison, details};
use crate::equivalence::Equivalence;
use crate::observation::{Call, Item, MediaKind, Observation, Speaker};
use crate::reason::Reason;

/// The number of units ahead in which a text is looked for in others that hold more than it.
const AHEAD: usize = 32;

/// The number of calls of a provider that are remembered.
const MOST_OPTIONAL: usize = 64;

/// The number of texts that may be a note before another text.
const MOST_NOTES: usize = 4;

/// The number of places of a text that are tried as the end of a note.
const TRIES: usize = 32;

/// Compares two conversations, and returns the tools that have another name in the answer.
pub(super) fn compare(
    expected: &Observation<'_>,
    answer: &Observation<'_>,
    options: CompareOptions<'_>,
    comparison: &mut Comparison,
) -> HashMap<String, String> {
    let target = options.target;
    let is_one_of = |dialects: &[Dialect]| dialects.contains(&expected.dialect) || dialects.contains(&answer.dialect);
    let order = Order {
        media_last: target.content.tools && is_one_of(&[Dialect::OllamaChat]),
        result_media_last: target.content.tools && is_one_of(&[Dialect::OllamaChat, Dialect::GeminiContents]),
        calls_in_place: !target.content.tools,
    };
    let acceptance = Acceptance::new(target, expected);
    let (wanted, given) = (Flat::new(expected, order, Some(acceptance)), Flat::new(answer, order, None));
    let mut matcher = Matcher {
        expected,
        answer,
        target,
        input: options.input,
        adds: options.adds,
        acceptance,
        wanted: &wanted,
        given: &given,
        cursor: Cursor::new(&given.units),
        comparison,
        names: HashMap::new(),
        originals: HashMap::new(),
        pending: VecDeque::new(),
        optional: VecDeque::new(),
        loose: VecDeque::new(),
        claimed: HashSet::new(),
        ids: HashMap::new(),
        hoisted: Vec::new(),
        last: None,
        previous: None,
        step: 0,
        is_media_last: order.media_last,
        labels: Labels::default(),
        made_up: HashMap::new(),
        satisfied: HashSet::new(),
        blanks: Vec::new(),
        index: None,
        spelled: None,
        unanswered: None,
        steps: BTreeMap::new(),
        allows_rounding: false,
    };
    if expected.is_lone_result {
        matcher.lone_result();
    } else {
        matcher.conversation();
    }
    let renamed = matcher.names.iter().filter(|(name, other)| name != other);
    renamed.map(|(name, other)| ((*name).to_owned(), (*other).to_owned())).collect()
}

/// The last pair that was matched.
#[derive(Clone, Copy)]
struct Pair {
    speaker: Speaker,
    wanted: usize,
    given: usize,
}

/// The last unit of the answer that was passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Previous {
    Call,
    Document,
    Said(Speaker),
}

pub(super) struct Matcher<'m, 'o, 'a> {
    expected: &'o Observation<'a>,
    answer: &'o Observation<'a>,
    target: &'m Target,
    /// The dialect of the input, where the expected conversation does not show it
    input: Option<Dialect>,
    /// Texts that the answer may have anywhere
    adds: &'m [String],
    acceptance: Acceptance<'m>,
    wanted: &'m Flat<'o, 'a>,
    given: &'m Flat<'o, 'a>,
    cursor: Cursor<'m, 'o, 'a>,
    comparison: &'m mut Comparison,
    /// New names of tools, by their names in what is expected
    names: HashMap<&'o str, &'o str>,
    originals: HashMap<&'o str, &'o str>,
    pending: VecDeque<Pending<'o, 'a>>,
    /// Calls that a provider ran, which the answer may have as calls
    optional: VecDeque<&'o Call<'a>>,
    /// Items of other providers whose texts and media the answer may have, where the target has no tools
    loose: VecDeque<Loose<'o, 'a>>,
    /// Units of the answer that were matched out of order
    claimed: HashSet<usize>,
    /// The ids that the calls of the provider have in the answer, by their expected ids
    ids: HashMap<&'o str, Option<&'o str>>,
    /// Instructions of the answer that are not among the expected ones
    hoisted: Vec<Unit<'o, 'a>>,
    last: Option<Pair>,
    previous: Option<Previous>,
    /// The turn of the last expected element
    step: usize,
    /// Media are compared behind the texts of their message
    is_media_last: bool,
    /// The labels of media of results
    labels: Labels<'o, 'a>,
    /// The ids that the answer has made up for calls that are text, by the numbers of the calls
    made_up: HashMap<usize, String>,
    /// Expected elements that were found further up in the answer
    satisfied: HashSet<usize>,
    /// The speakers of the last expected turns without a word, in order
    blanks: Vec<Speaker>,
    index: Option<Index>,
    /// The beginnings of base64 in the texts of the answer
    spelled: Option<HashSet<&'m str>>,
    /// The last call, where it is text and nothing answered it
    unanswered: Option<&'o Call<'a>>,
    /// The first and the last turn of the answer, by the expected turns, where reasoning is expected
    steps: BTreeMap<usize, (usize, usize)>,
    /// Numbers may lose digits that a double does not hold
    allows_rounding: bool,
}

impl<'m, 'o, 'a> Matcher<'m, 'o, 'a> {
    fn conversation(&mut self) {
        for at in 0..self.wanted.units.len() {
            self.want(at);
            if self.comparison.has_ended_early {
                return;
            }
        }
        self.follow_up();
        self.rest();
        self.orphans();
        self.order();
        let (expected, answer) = ((self.expected, self.wanted), (self.answer, self.given));
        super::reasoning::compare(expected, answer, self.target, &self.steps, self.comparison);
    }

    /// Compares the results without a call.
    fn orphans(&mut self) {
        let key = |given: &Given<'_, '_>| (given.result.id.as_ref().map(ToString::to_string), squashed_result(given));
        let mut open: HashMap<_, Vec<_>> = HashMap::new();
        for orphan in &self.wanted.orphans {
            open.entry(key(orphan)).or_default().push(orphan.item.place);
        }
        for orphan in &self.given.orphans {
            if open.get_mut(&key(orphan)).and_then(Vec::pop).is_none() {
                let detail = "the answer has a tool result without a tool call";
                self.report(Reason::ResultInvented, None, Some(orphan.item.place), detail);
            }
        }
        for place in self.wanted.orphans.iter().filter_map(|orphan| open.get_mut(&key(orphan))?.pop()) {
            self.report(Reason::ResultMissing, Some(place), None, "a tool result without a tool call is missing");
        }
    }

    /// Records what of the order and of the spelling of texts is another.
    fn order(&mut self) {
        let (wanted, given) = (self.wanted.arrangement, self.given.arrangement);
        let spelling = self.cursor.spelling;
        let first = |observation: &Observation<'_>| observation.instructions.first().map(is_field);
        let needed = [
            (Equivalence::Turns, wanted.joined != given.joined),
            (Equivalence::TextsAndCalls, wanted.behind_calls != given.behind_calls),
            (Equivalence::ResultOrder, wanted.out_of_order != given.out_of_order),
            (Equivalence::Instructions, first(self.expected) != first(self.answer)),
            (Equivalence::Texts, spelling.texts),
            (Equivalence::Characters, spelling.characters),
        ];
        needed
            .into_iter()
            .filter(|(_, is_needed)| *is_needed)
            .for_each(|(equivalence, _)| self.comparison.uses(equivalence));
    }

    /// Compares one result with the only result of the answer, and with what follows it.
    fn lone_result(&mut self) {
        let lone = |flat: &'m Flat<'o, 'a>| {
            flat.results.iter().flatten().chain(&flat.orphans).chain(flat.provided.values()).copied().next()
        };
        let Some(wanted) = lone(self.wanted) else { return };
        if !self.target.content.tools {
            if !self.result_as_text(&wanted, None, Speaker::User) {
                self.missing_text_of(&wanted);
            }
            self.rest();
            return;
        }
        let Some(given) = lone(self.given) else {
            self.report(Reason::ResultMissing, Some(wanted.item.place), None, "the answer has no tool result");
            return;
        };
        // What is in front of the result is the testee's own.
        self.cursor.at = given.after;
        let is_its_own = |unit: Unit<'_, '_>| match unit.kind {
            Kind::Provider(provider) => provider.readable.iter().any(|item| std::ptr::eq(item, given.item)),
            _ => false,
        };
        if self.unit().is_some_and(is_its_own) {
            self.cursor.next();
        }
        let call = given
            .result
            .call
            .and_then(|number| self.given.units.iter().filter_map(Unit::call).find(|call| call.number == number));
        self.previous = Some(Previous::Call);
        if !self.result(&wanted, &given, call) {
            let places = (Some(wanted.item.place), Some(given.item.place));
            self.report(Reason::ResultChanged, places.0, places.1, "the tool result says something else");
        }
        self.follow_up();
        self.rest();
        self.order();
    }

    fn report(
        &mut self,
        reason: Reason,
        expected: Option<Value<'a>>,
        answer: Option<Value<'a>>,
        detail: impl Into<String>,
    ) {
        self.comparison.add(reason, expected, answer, detail);
    }

    /// Records that an equivalence was needed, and returns true.
    fn accepts(&mut self, equivalence: Equivalence) -> bool {
        self.comparison.uses(equivalence);
        true
    }

    /// Passes the unit at the cursor by an equivalence, and returns true.
    fn passes(&mut self, equivalence: Equivalence) -> bool {
        self.cursor.next();
        self.accepts(equivalence)
    }

    /// The unit at the cursor, past those that were matched before.
    fn unit(&mut self) -> Option<Unit<'o, 'a>> {
        loop {
            let unit = self.cursor.unit()?;
            if self.claimed.remove(&self.cursor.at) {
                self.cursor.next();
                continue;
            }
            return Some(unit);
        }
    }

    fn want(&mut self, at: usize) {
        self.element(at);
        let step = self.wanted.units[at].step;
        let ends = self.wanted.units.get(at + 1).is_none_or(|next| next.step != step);
        if ends && !self.target.content.tools {
            self.results_as_text(at);
        }
    }

    fn element(&mut self, at: usize) {
        if self.satisfied.remove(&at) {
            return;
        }
        let want = self.wanted.units[at];
        // Media of results follow before the next turn of another speaker than the user.
        if want.speaker != Speaker::User && want.step != self.step {
            self.follow_up();
        }
        self.step = want.step;
        // Media of results come before what the user says next.
        while want.speaker == Speaker::User
            && !self.pending.is_empty()
            && !self.is_here(want)
            && (self.take_pending() || self.skip_added())
        {}
        match want.kind {
            Kind::Blank => {
                self.comparison.uses(Equivalence::EmptyText);
                self.blanks.push(want.speaker);
            }
            Kind::Call(call) => self.call(at, want, call),
            Kind::Provider(provider) => self.provider(at, want, provider),
            Kind::Text(_) | Kind::Data(_) | Kind::Media(_) | Kind::Resource(_) => {
                while !self.take(at, want) && (self.skip(Some(at)) || self.resolve(at, want)) {}
            }
        }
    }

    /// Returns whether an expected text is at the cursor: then it is not the label of media.
    fn is_here(&mut self, want: Unit<'o, 'a>) -> bool {
        let Kind::Text(text) = want.kind else { return false };
        self.unit();
        self.cursor.clone().take_text(text, |unit| unit.speaker == want.speaker)
    }

    /// Matches an element at the cursor.
    fn take(&mut self, at: usize, want: Unit<'o, 'a>) -> bool {
        let Some(unit) = self.unit() else {
            return matches!(want.kind, Kind::Text(text) if want.speaker == Speaker::System && self.take_hoisted(want, text));
        };
        match want.kind {
            Kind::Text(text) if want.speaker == Speaker::System => self.system_text(want, text, unit),
            Kind::Text(text) => {
                let next = self.next_block(at, want);
                if !self.cursor.take_text_before(text, next, |unit| unit.speaker == want.speaker) {
                    return false;
                }
                self.matched(want, unit);
                true
            }
            Kind::Media(media) => self.media(at, want, media, unit),
            Kind::Resource(resource) => {
                let end = self.head_of_next(at);
                if self.resource_at_cursor(want, end, want.speaker) {
                    self.matched(want, unit);
                    return true;
                }
                resource.media.as_ref().is_some_and(|media| self.media(at, want, media, unit))
            }
            Kind::Data(value) => {
                let found = matches!(unit.kind, Kind::Data(other) if is_equal(value, other))
                    || matches!(unit.kind, Kind::Text(text) if is_equal_text(value.raw(), text));
                if found {
                    self.cursor.next();
                    self.matched(want, unit);
                }
                found
            }
            Kind::Blank | Kind::Provider(_) | Kind::Call(_) => false,
        }
    }

    /// Records a pair, and compares what is known of the two beside their content.
    fn matched(&mut self, want: Unit<'o, 'a>, unit: Unit<'o, 'a>) {
        if unit.speaker != Speaker::System {
            self.blanks.clear();
            self.previous = Some(match unit.kind {
                Kind::Call(_) => Previous::Call,
                Kind::Media(media) if media.kind == MediaKind::Document => Previous::Document,
                _ => Previous::Said(unit.speaker),
            });
            if !self.wanted.thoughts.is_empty() {
                let (first, last) = self.steps.entry(want.step).or_insert((unit.step, unit.step));
                (*first, *last) = ((*first).min(unit.step), (*last).max(unit.step));
            }
        }
        if want.item.content_kind() == unit.item.content_kind() {
            details::attributes(want.item, unit.item, self.expected.dialect, self.target, self.comparison);
            self.references(want, unit);
        }
        if want.speaker != Speaker::Assistant || unit.speaker != Speaker::Assistant {
            return;
        }
        if self.is_own() {
            super::reasoning::signatures(want.item, unit.item, self.comparison);
        }
        let pair = Pair { speaker: want.speaker, wanted: want.step, given: unit.step };
        if let Some(last) = self.last.replace(pair).filter(|last| last.speaker == Speaker::Assistant)
            && (last.wanted == pair.wanted) != (last.given == pair.given)
            // A message behind calls may stay one behind their results. In the Responses API, each call is an item of its own.
            && !(last.wanted == pair.wanted && want.is_late && self.expected.dialect != Dialect::OpenAiResponses)
            && !self.wanted.may_be_split(pair.wanted, self.answer.dialect)
            && !self.wanted.may_be_split(last.wanted, self.answer.dialect)
            && !self.wanted.over_blank.contains(&pair.wanted)
            && !self.given.over_blank.contains(&pair.given)
        {
            let detail = if last.wanted == pair.wanted {
                "one turn of the assistant is split by other turns"
            } else {
                "two turns of the assistant are one"
            };
            self.report(Reason::TurnOrderChanged, Some(want.item.place), Some(unit.item.place), detail);
        }
    }

    /// The text of the next expected element of the same speaker.
    fn head_of_next(&self, at: usize) -> Option<&'o str> {
        self.wanted.units.get(at + 1)?.text()
    }

    /// The text of the next block in the same message of the assistant: programs write them one after the other.
    fn next_block(&self, at: usize, want: Unit<'o, 'a>) -> Option<&'o str> {
        let next = self.wanted.units.get(at + 1)?;
        next.text().filter(|_| want.speaker == Speaker::Assistant && next.message == want.message)
    }

    fn system_text(&mut self, want: Unit<'o, 'a>, text: &'o str, unit: Unit<'o, 'a>) -> bool {
        if self.cursor.take_text(text, |unit| unit.speaker == Speaker::System) {
            self.matched(want, unit);
            return true;
        }
        if unit.speaker == Speaker::User
            && let Some(mark) =
                self.take_marked(text, About::System, &Names::default(), |unit| unit.speaker == Speaker::User)
        {
            self.comparison.uses(Equivalence::MarkedInstructions);
            if mark.is_blank() || !self.may_demote(want) {
                let detail = if mark.is_blank() { "the text has no mark" } else { "the target has system messages" };
                self.report(Reason::InstructionsDemoted, Some(want.item.place), Some(unit.item.place), detail);
            }
            // A mark may have an end of its own. The next text may have the next mark.
            if !self.cursor.rest().is_empty() && self.cursor.offset > 0 {
                self.take_note(About::System, &Names::default(), None);
            }
            self.matched(want, unit);
            return true;
        }
        self.take_hoisted(want, text)
    }

    /// Matches a system text with instructions in front of the conversation.
    fn take_hoisted(&mut self, want: Unit<'o, 'a>, text: &'o str) -> bool {
        let hoisted =
            self.hoisted.iter().position(|unit| matches!(unit.kind, Kind::Text(other) if other.trim() == text.trim()));
        let Some(hoisted) = hoisted else { return false };
        let unit = self.hoisted.remove(hoisted);
        let detail = "instructions within the conversation are in front of it";
        self.report(Reason::InstructionsMoved, Some(want.item.place), Some(unit.item.place), detail);
        true
    }

    /// Returns whether the target has no place for system text here.
    fn may_demote(&self, want: Unit<'_, '_>) -> bool {
        // Anthropic and Bedrock accept it between a turn of the user and one of the assistant alone.
        let in_part = matches!(self.target.dialect, Dialect::AnthropicMessages | Dialect::BedrockConverse);
        self.target.order.system == SystemPlace::Nowhere
            || want.step > 0 && (in_part || self.target.order.system != SystemPlace::Anywhere)
            || !details::has_instructions(self.target)
    }

    /// The cursor, for the comparison of results.
    fn with_cursor<T>(&mut self, cursor: Cursor<'m, 'o, 'a>, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.cursor, cursor);
        let value = run(self);
        let inner = std::mem::replace(&mut self.cursor, outer);
        self.cursor.spelling.add(inner.spelling);
        value
    }

    fn cursor(&mut self) -> &mut Cursor<'m, 'o, 'a> {
        &mut self.cursor
    }

    /// Returns the content of an expected result.
    fn units_of_expected(&self, given: &Given<'o, 'a>) -> &'m [Unit<'o, 'a>] {
        self.wanted.content_of(given)
    }

    /// Returns the content of a result of the answer.
    fn units_of_answer(&self, given: &Given<'o, 'a>) -> &'m [Unit<'o, 'a>] {
        self.given.content_of(given)
    }
}

/// Returns whether an instruction stands in a field of the request.
fn is_field(item: &Item<'_>) -> bool {
    let pointer = item.place.pointer();
    let field = pointer.trim_start_matches("/request").get(1..).unwrap_or_default();
    field.starts_with("system") || field.starts_with("instructions")
}
