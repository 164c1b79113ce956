//! Walks through what is expected and through the answer at the same time.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use wirecanon_json::{Json, Kind as JsonKind, Limits, Value};
use wirecanon_model::target::SystemPlace;
use wirecanon_model::{Dialect, Target};

use super::acceptance::{self, Acceptance};
use super::cursor::{Cursor, find_head};
use super::flat::{Flat, Given, Kind, Order, Unit};
use super::value::{Relation, json_length, relation, relation_of_texts};
use super::words::{About, Names, has_any, has_name, is_made_of, is_note};
use super::{Comparison, Difference, details};
use crate::equivalence::Equivalence;
use crate::observation::{Arguments, Call, Content, Item, Media, MediaKind, Observation, Provider, Source, Speaker};
use crate::reason::Reason;

/// How many units ahead a text is looked for in others that hold more than it.
const AHEAD: usize = 32;

/// How many calls that a provider ran are remembered.
const MOST_OPTIONAL: usize = 64;

/// How many texts may be a note before another text.
const MOST_NOTES: usize = 4;

/// How many places of a text are tried as the end of a note.
pub(super) const TRIES: usize = 32;

pub(super) fn compare(
    expected: &Observation<'_>,
    answer: &Observation<'_>,
    target: &Target,
    comparison: &mut Comparison,
) {
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
        hoisted: Vec::new(),
        last: None,
        previous: None,
        step: 0,
        is_media_last: order.media_last,
        label: "",
        satisfied: HashSet::new(),
        blank: None,
        index: None,
        unanswered: None,
        steps: HashMap::new(),
    };
    if expected.is_lone_result {
        matcher.lone_result();
    } else {
        matcher.conversation();
    }
}

/// Media of a result that must follow the results of the turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending<'o, 'a> {
    pub(super) media: &'o Media<'a>,
    pub(super) item: &'o Item<'a>,
    /// The id of the call, as the expected result says it
    pub(super) id: Option<&'o str>,
    /// The id of the call, as the result of the answer says it
    pub(super) given_id: Option<&'o str>,
    /// The call in the answer whose result it belongs to
    pub(super) call: Option<&'o Call<'a>>,
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

/// Where units with a content are.
struct Index {
    given: HashMap<u64, Vec<usize>>,
    wanted: HashMap<u64, Vec<usize>>,
}

impl Index {
    fn new(wanted: &Flat<'_, '_>, given: &Flat<'_, '_>) -> Self {
        let by_content = |units: &[Unit<'_, '_>]| {
            let mut map: HashMap<u64, Vec<usize>> = HashMap::new();
            for (at, unit) in units.iter().enumerate() {
                map.entry(fingerprint(unit)).or_default().push(at);
            }
            map
        };
        Self { given: by_content(&given.units), wanted: by_content(&wanted.units) }
    }
}

pub(super) struct Matcher<'m, 'o, 'a> {
    pub(super) expected: &'o Observation<'a>,
    answer: &'o Observation<'a>,
    pub(super) target: &'m Target,
    pub(super) acceptance: Acceptance<'m>,
    wanted: &'m Flat<'o, 'a>,
    given: &'m Flat<'o, 'a>,
    cursor: Cursor<'m, 'o, 'a>,
    pub(super) comparison: &'m mut Comparison,
    /// New names of tools, by their names in what is expected
    names: HashMap<&'o str, &'o str>,
    originals: HashMap<&'o str, &'o str>,
    pub(super) pending: VecDeque<Pending<'o, 'a>>,
    /// Calls that a provider ran, which the answer may have as calls
    optional: VecDeque<&'o Call<'a>>,
    /// Items of other providers whose texts and media the answer may have, where the target has no tools
    loose: VecDeque<&'o Provider<'a>>,
    /// Units of the answer that were matched out of order
    claimed: HashSet<usize>,
    /// Instructions of the answer that are not among the expected ones
    hoisted: Vec<Unit<'o, 'a>>,
    last: Option<Pair>,
    previous: Option<Previous>,
    /// The turn of the last expected element
    step: usize,
    /// Media are compared behind the texts of their message
    is_media_last: bool,
    /// The last label of media
    label: &'o str,
    /// Expected elements that were found further up in the answer
    satisfied: HashSet<usize>,
    /// The speaker of an expected turn without a word
    blank: Option<Speaker>,
    index: Option<Index>,
    /// The last call, where it is text and nothing answered it
    unanswered: Option<&'o Call<'a>>,
    /// The turns of the answer, by the expected turns of the assistant
    steps: HashMap<usize, usize>,
}

impl<'m, 'o, 'a> Matcher<'m, 'o, 'a> {
    fn conversation(&mut self) {
        for at in 0..self.wanted.units.len() {
            self.want(at);
        }
        self.follow_up();
        self.rest();
        for orphan in &self.given.orphans {
            let detail = "the answer has a tool result without a tool call";
            self.report(Reason::ResultInvented, None, Some(orphan.item.place), detail);
        }
        self.order();
        let (expected, answer) = ((self.expected, self.wanted), (self.answer, self.given));
        super::reasoning::compare(expected, answer, self.target, &self.steps, self.comparison);
    }

    /// Records what of the order and of the spelling of texts is another.
    fn order(&mut self) {
        let (wanted, given) = (self.wanted.arrangement, self.given.arrangement);
        let spelling = self.cursor.spelling;
        let needed = [
            (Equivalence::Turns, wanted.joined != given.joined),
            (Equivalence::TextsAndCalls, wanted.behind_calls != given.behind_calls),
            (Equivalence::ResultOrder, wanted.out_of_order != given.out_of_order),
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
            if !self.result_as_text(&wanted, None) {
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
        let call = given.result.call.and_then(|number| {
            self.given.units.iter().find_map(|unit| match unit.kind {
                Kind::Call(call) if call.number == number => Some(call),
                _ => None,
            })
        });
        self.previous = Some(Previous::Call);
        if !self.result(&wanted, &given, call) {
            let places = (Some(wanted.item.place), Some(given.item.place));
            self.report(Reason::ResultChanged, places.0, places.1, "the tool result says something else");
        }
        self.follow_up();
        self.rest();
        self.order();
    }

    pub(super) fn report(
        &mut self,
        reason: Reason,
        expected: Option<Value<'a>>,
        answer: Option<Value<'a>>,
        detail: impl Into<String>,
    ) {
        self.comparison.add(Difference::new(reason, expected, answer, detail));
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
        while want.speaker == Speaker::User && !self.pending.is_empty() && self.take_pending() {}
        match want.kind {
            Kind::Blank => {
                self.comparison.uses(Equivalence::EmptyText);
                self.blank = Some(want.speaker);
            }
            Kind::Call(call) => self.call(at, want, call),
            Kind::Provider(provider) => self.provider(at, want, provider),
            Kind::Text(_) | Kind::Data(_) | Kind::Media(_) | Kind::Resource(_) => {
                while !self.take(at, want) && (self.skip(Some(at)) || self.resolve(at, want)) {}
            }
        }
    }

    /// Matches an element at the cursor.
    fn take(&mut self, at: usize, want: Unit<'o, 'a>) -> bool {
        let Some(unit) = self.unit() else { return false };
        match want.kind {
            Kind::Text(text) if want.speaker == Speaker::System => self.system_text(want, text, unit),
            Kind::Text(text) => {
                if !self.cursor.take_text(text, |unit| unit.speaker == want.speaker) {
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
                let found = matches!(unit.kind, Kind::Data(other) if relation(value, other) != Relation::Different)
                    || matches!(unit.kind, Kind::Text(text) if relation_of_texts(value.raw(), text).is_some_and(|relation| relation != Relation::Different));
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
            self.blank = None;
            self.previous = Some(match unit.kind {
                Kind::Call(_) => Previous::Call,
                Kind::Media(media) if media.kind == MediaKind::Document => Previous::Document,
                _ => Previous::Said(unit.speaker),
            });
        }
        if want.speaker == Speaker::System && is_field(want.item) != is_field(unit.item) {
            self.comparison.uses(Equivalence::Instructions);
        }
        if want.item.content_kind() == unit.item.content_kind() {
            details::attributes(want.item, unit.item, self.expected.dialect, self.answer.dialect, self.comparison);
        }
        if want.speaker != Speaker::Assistant || unit.speaker != Speaker::Assistant {
            return;
        }
        self.steps.entry(want.step).or_insert(unit.step);
        let pair = Pair { speaker: want.speaker, wanted: want.step, given: unit.step };
        if let Some(last) = self.last.replace(pair).filter(|last| last.speaker == Speaker::Assistant)
            && (last.wanted == pair.wanted) != (last.given == pair.given)
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
        let next = self.wanted.units.get(at + 1)?;
        match next.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    fn system_text(&mut self, want: Unit<'o, 'a>, text: &'o str, unit: Unit<'o, 'a>) -> bool {
        if self.cursor.take_text(text, |unit| unit.speaker == Speaker::System) {
            self.matched(want, unit);
            return true;
        }
        if unit.speaker == Speaker::User && matches!(unit.kind, Kind::Text(_)) {
            let (at, offset) = (self.cursor.at, self.cursor.offset);
            if let Some(mark) = self.take_note_before(text, About::System, &Names::default())
                && self.cursor.take_text(text, |unit| unit.speaker == Speaker::User)
            {
                self.comparison.uses(Equivalence::MarkedInstructions);
                let is_marked = !mark.trim().is_empty();
                if !is_marked || !self.may_demote(want) {
                    let detail = if is_marked { "the target has system messages" } else { "the text has no mark" };
                    self.report(Reason::InstructionsDemoted, Some(want.item.place), Some(unit.item.place), detail);
                }
                // A mark may have an end.
                self.take_note(About::System, &Names::default(), None);
                self.matched(want, unit);
                return true;
            }
            (self.cursor.at, self.cursor.offset) = (at, offset);
        }
        let hoisted =
            self.hoisted.iter().position(|unit| matches!(unit.kind, Kind::Text(other) if other.trim() == text.trim()));
        if let Some(hoisted) = hoisted {
            let unit = self.hoisted.remove(hoisted);
            let detail = "instructions within the conversation are in front of it";
            self.report(Reason::InstructionsMoved, Some(want.item.place), Some(unit.item.place), detail);
            return true;
        }
        false
    }

    /// Whether the target has no place for system text here.
    fn may_demote(&self, want: Unit<'_, '_>) -> bool {
        // Anthropic and Bedrock accept it between a turn of the user and one of the assistant alone.
        let in_part = matches!(self.target.dialect, Dialect::AnthropicMessages | Dialect::BedrockConverse);
        want.step > 0 && (in_part || self.target.order.system != SystemPlace::Anywhere)
            || !details::has_instructions(self.target)
    }

    /// Whether two media are the same, and in which way.
    pub(super) fn same_media(&mut self, media: &Media<'_>, other: &Media<'_>) -> bool {
        if !media.is_same(other) {
            return false;
        }
        if !media.is_spelled_like(other) || media.media_type.is_some() && media.media_type != other.media_type {
            self.comparison.uses(Equivalence::Bytes);
        }
        if media.name != other.name {
            self.comparison.uses(Equivalence::FileNames);
        }
        true
    }

    fn media(&mut self, at: usize, want: Unit<'o, 'a>, media: &'o Media<'a>, unit: Unit<'o, 'a>) -> bool {
        if let Kind::Media(other) = unit.kind
            && unit.speaker == want.speaker
            && self.same_media(media, other)
        {
            self.cursor.next();
            self.matched(want, unit);
            return true;
        }
        if unit.speaker != want.speaker || !matches!(unit.kind, Kind::Text(_)) {
            return false;
        }
        let end = self.head_of_next(at);
        let is_accepted = self.acceptance.in_message(media, want.speaker);
        if !self.media_as_text(media, want, want.speaker, end, is_accepted) {
            return false;
        }
        self.matched(want, unit);
        true
    }

    /// Matches what may stand for a medium: the text of a document, an address, a note.
    pub(super) fn media_as_text(
        &mut self,
        media: &'o Media<'a>,
        want: Unit<'o, 'a>,
        speaker: Speaker,
        end: Option<&'o str>,
        is_accepted: bool,
    ) -> bool {
        let names = acceptance::names_of(media, want.item);
        if media.kind == MediaKind::Document
            && let Some(text) = media.as_text().filter(|text| !text.trim().is_empty())
        {
            let (at, offset) = (self.cursor.at, self.cursor.offset);
            if self.take_note_before(&text, About::Content, &names).is_some()
                && self.cursor.take_text(&text, |unit| unit.speaker == speaker)
                && self.ends_line()
            {
                self.comparison.uses(Equivalence::DocumentText);
                return true;
            }
            (self.cursor.at, self.cursor.offset) = (at, offset);
        }
        if let Source::Items(items) = &media.source {
            let (at, offset) = (self.cursor.at, self.cursor.offset);
            let mut texts = items.iter().filter_map(|item| item.as_text());
            let names = names.clone();
            if texts.all(|text| {
                self.take_note_before(text, About::Content, &names).is_some()
                    && self.cursor.take_text(text, |unit| unit.speaker == speaker)
            }) {
                self.comparison.uses(Equivalence::DocumentText);
                return true;
            }
            (self.cursor.at, self.cursor.offset) = (at, offset);
        }
        if let Source::Url(url) = &media.source
            && self.take_text_with(url, &names, end)
        {
            self.comparison.uses(Equivalence::Address);
            return true;
        }
        if is_accepted {
            return false;
        }
        let (at, offset) = (self.cursor.at, self.cursor.offset);
        if let Some(note) = self.take_note(About::Content, &names, end) {
            let kinds = [
                "image",
                "picture",
                "photo",
                "file",
                "document",
                "audio",
                "video",
                "recording",
                "media",
                "attachment",
                "pdf",
                "screenshot",
                "inlinedata",
                "filedata",
            ];
            if has_any(note, &kinds) || has_name(note, &names) {
                self.comparison.uses(Equivalence::MediaNote);
                return true;
            }
            (self.cursor.at, self.cursor.offset) = (at, offset);
        }
        false
    }

    /// Whether nothing that has a word stands between the cursor and the end of the line: else what was taken is a word of a note.
    fn ends_line(&self) -> bool {
        let Some(Unit { kind: Kind::Text(text), .. }) = self.cursor.units.get(self.cursor.at) else { return true };
        let rest = text[self.cursor.offset..].lines().next().unwrap_or_default();
        !rest.contains(char::is_alphanumeric)
    }

    /// Takes the note at the cursor: all of the text there, or the part before the text that must follow.
    pub(super) fn take_note(&mut self, about: About, names: &Names, end: Option<&str>) -> Option<&'o str> {
        if let Some(end) = end
            && find_head(self.cursor.rest(), end).is_some()
        {
            let length = note_before(self.cursor.rest(), end, about, names).filter(|length| *length > 0)?;
            let note = &self.cursor.rest()[..length];
            self.cursor.skip(length);
            return Some(note).filter(|note| !note.trim().is_empty());
        }
        let rest = self.cursor.rest();
        // A part in brackets, a line, or all of it.
        let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
        let bracket = bracketed(line).unwrap_or(line);
        let is_note = |note: &&str| !note.trim().is_empty() && is_note(note, about, names);
        let note = [bracket, line, rest].into_iter().find(is_note)?;
        self.cursor.skip(note.len());
        Some(note)
    }

    /// Takes the note between the cursor and a text, which may be empty, and may be several texts of one turn. The cursor stays
    /// where it is if something else is there.
    pub(super) fn take_note_before(&mut self, text: &str, about: About, names: &Names) -> Option<String> {
        let start = self.cursor.clone();
        let step = self.cursor.unit()?.step;
        let mut taken = String::new();
        for _ in 0..MOST_NOTES {
            let rest = self.cursor.rest();
            if let Some(found) = note_before(rest, text, about, names) {
                taken.push_str(&rest[..found]);
                self.cursor.skip(found);
                return Some(taken);
            }
            let is_note = !rest.trim().is_empty() && is_note(rest, about, names);
            taken.push_str(rest);
            self.cursor.next();
            if !is_note || self.cursor.unit().is_none_or(|unit| unit.step != step) {
                break;
            }
        }
        self.cursor = start;
        None
    }

    /// Takes a text that holds this one, and is made of these names else.
    pub(super) fn take_text_with(&mut self, held: &str, names: &Names, end: Option<&str>) -> bool {
        let rest = self.cursor.rest();
        let until = end.and_then(|end| find_head(rest, end)).filter(|end| *end > 0).unwrap_or(rest.len());
        let line = rest.find('\n').map_or(rest.len(), |line| line);
        for end in [line, until] {
            let text = &rest[..end];
            if text.contains(held.trim()) && is_made_of(text, names) {
                self.cursor.skip(end);
                return true;
            }
        }
        false
    }

    fn call(&mut self, at: usize, want: Unit<'o, 'a>, call: &'o Call<'a>) {
        if !self.target.content.tools {
            self.call_as_text(at, want, call);
            return;
        }
        loop {
            let Some(unit) = self.unit() else {
                self.missing(want);
                return;
            };
            if let Kind::Call(other) = unit.kind {
                if let Some(relation) = self.same_call(call, other) {
                    self.cursor.next();
                    self.matched(want, unit);
                    if relation == Relation::Rounded {
                        self.report(
                            Reason::NumberRounded,
                            Some(want.item.place),
                            Some(unit.item.place),
                            numbers(call, other),
                        );
                    }
                    self.results(want, call, unit, other);
                    return;
                }
                if self.optional_call(unit, other) {
                    self.cursor.next();
                    continue;
                }
            } else if self.skip(Some(at)) {
                continue;
            }
            if !self.resolve(at, want) {
                return;
            }
        }
    }

    /// Whether a call of the answer is one that a provider ran; its result is that of the provider.
    fn optional_call(&mut self, unit: Unit<'o, 'a>, other: &'o Call<'a>) -> bool {
        let found = self.optional.iter().position(|call| {
            call.name.trim() == other.name.trim()
                && arguments(call, other).is_some_and(|relation| relation < Relation::Different)
        });
        let Some(found) = found else { return false };
        let Some(call) = self.optional.remove(found) else { return false };
        self.comparison.uses(Equivalence::ProviderItem);
        self.previous = Some(Previous::Call);
        let provided = call.id.as_deref().and_then(|id| self.wanted.provided.get(id)).copied();
        for answer in self.given.results_of(other.number) {
            let is_same = match &provided {
                Some(provided) => self.result(provided, answer, Some(other)),
                None => self.stands_in(answer),
            };
            if !is_same {
                let place = provided.map(|provided| provided.item.place);
                let detail = format!("the tool result of tool call {} says something else", shown(other));
                self.report(Reason::ResultChanged, place.or(Some(unit.item.place)), Some(answer.item.place), detail);
            }
        }
        true
    }

    /// Compares names and arguments of two calls; `None` if they are two calls.
    fn same_call(&mut self, call: &'o Call<'a>, other: &'o Call<'a>) -> Option<Relation> {
        let relation = arguments(call, other).filter(|relation| *relation < Relation::Different)?;
        if !self.same_name(&call.name, &other.name) {
            return None;
        }
        let is_input = |call: &Call<'_>| matches!(call.arguments, Arguments::Input(_));
        match relation {
            Relation::Respelled => self.comparison.uses(Equivalence::Numbers),
            Relation::Raw => self.comparison.uses(Equivalence::RawArguments),
            _ if is_input(call) != is_input(other) => self.comparison.uses(Equivalence::CustomTool),
            _ if text_of(&call.arguments) != text_of(&other.arguments) => {
                self.comparison.uses(Equivalence::JsonLayout);
            }
            _ => {}
        }
        if call.id != other.id {
            self.comparison.uses(Equivalence::Ids);
        }
        Some(relation)
    }

    /// Whether a name is the expected one, or the one that replaces it everywhere because the target refuses it.
    fn same_name(&mut self, name: &'o str, other: &'o str) -> bool {
        let (name, other) = (name.trim(), other.trim());
        // A name that is missing is made up.
        if name.is_empty() {
            self.comparison.uses(Equivalence::Names);
            return true;
        }
        if let Some(known) = self.names.get(name) {
            return *known == other;
        }
        if let Some(original) = self.originals.get(other) {
            return *original == name;
        }
        if name != other {
            if self.target.names.accepts(name) || !self.target.names.accepts(other) {
                return false;
            }
            self.comparison.uses(Equivalence::Names);
        }
        self.names.insert(name, other);
        self.originals.insert(other, name);
        true
    }

    fn results(&mut self, want: Unit<'o, 'a>, call: &'o Call<'a>, unit: Unit<'o, 'a>, other: &'o Call<'a>) {
        let (wanted, given) = (self.wanted.results_of(call.number), self.given.results_of(other.number));
        let mut rest = given.iter();
        for result in wanted {
            let Some(answer) = rest.next() else {
                // A stand-in says nothing.
                if result.result.is_synthetic {
                    self.comparison.uses(Equivalence::StandIn);
                    continue;
                }
                self.report(
                    Reason::ResultMissing,
                    Some(result.item.place),
                    Some(unit.item.place),
                    format!("tool call {} has no tool result", shown(other)),
                );
                continue;
            };
            if answer.is_displaced && !result.is_displaced {
                let detail = "the tool result does not follow the turn of its tool call";
                self.report(Reason::ResultMoved, Some(result.item.place), Some(answer.item.place), detail);
            }
            if !self.result(result, answer, Some(other)) {
                let reason = if self.is_of_another_call(answer, call.number) {
                    Reason::ResultMisattributed
                } else {
                    Reason::ResultChanged
                };
                self.report(
                    reason,
                    Some(result.item.place),
                    Some(answer.item.place),
                    format!("the tool result of tool call {} says something else", shown(other)),
                );
            }
            if let Some(name) = answer.result.name.as_ref().filter(|name| name.trim() != other.name.trim()) {
                let detail = format!("the tool result names `{name}`, and its tool call `{}`", other.name);
                let is_like_expected = result.result.name.as_ref().is_some_and(|expected| expected == name);
                if !is_like_expected {
                    self.report(Reason::CallRenamed, Some(result.item.place), Some(answer.item.place), detail);
                }
            }
        }
        for answer in rest {
            // A call that nothing answered.
            if wanted.is_empty() && self.stands_in(answer) {
                self.comparison.uses(Equivalence::StandIn);
                continue;
            }
            self.report(
                Reason::ResultInvented,
                Some(want.item.place),
                Some(answer.item.place),
                format!("tool call {} has a tool result more", shown(other)),
            );
        }
    }

    /// Whether a result of the answer says what another call's result must say.
    fn is_of_another_call(&self, answer: &Given<'o, 'a>, call: usize) -> bool {
        let text = squashed_result(answer);
        !text.is_empty()
            && self
                .wanted
                .results
                .iter()
                .enumerate()
                .any(|(number, results)| number != call && results.iter().any(|result| squashed_result(result) == text))
    }

    fn call_as_text(&mut self, at: usize, want: Unit<'o, 'a>, call: &'o Call<'a>) {
        let mut names = Names::default().with(&call.name);
        let results = self.wanted.results_of(call.number).iter().filter_map(|given| given.result.id.as_deref());
        for id in call.id.as_deref().into_iter().chain(results) {
            names.add(id);
        }
        loop {
            let Some(unit) = self.unit() else {
                self.missing(want);
                return;
            };
            if self.take_call(call, &names) {
                self.comparison.uses(Equivalence::ToolsAsText);
                self.matched(want, unit);
                self.unanswered = self.wanted.results_of(call.number).is_empty().then_some(call);
                return;
            }
            if self.claim_call(call, &names, unit.step) {
                self.comparison.uses(Equivalence::ToolsAsText);
                return;
            }
            if !self.skip(Some(at)) && !self.resolve(at, want) {
                return;
            }
        }
    }

    /// Takes the text that stands for a call: a note with its name, and then its arguments.
    fn take_call(&mut self, call: &'o Call<'a>, names: &Names) -> bool {
        let start = self.cursor.clone();
        if self.unit().is_none_or(|unit| unit.speaker != Speaker::Assistant) {
            return false;
        }
        let has_name = |note: &str| note.contains(call.name.trim());
        let mut note = String::new();
        for _ in 0..MOST_NOTES {
            let rest = self.cursor.rest();
            let json = rest.find('{').map_or(rest.len(), |json| json);
            if !is_note(&rest[..json], About::Content, names) {
                break;
            }
            note.push_str(&rest[..json]);
            if json == rest.len() {
                self.cursor.next();
                continue;
            }
            let length = json_length(&rest[json..]);
            let arguments = Arguments::Text(rest[json..json + length].into());
            let other = Call { number: 0, id: None, name: "".into(), arguments };
            if has_name(&note) && self::arguments(call, &other).is_some_and(|relation| relation < Relation::Different) {
                self.cursor.skip(json + length);
                return true;
            }
            break;
        }
        self.cursor = start.clone();
        let text = text_of(&call.arguments);
        if self.take_note_before(&text, About::Content, names).is_some_and(|note| has_name(&note))
            && self.cursor.take_text(&text, |unit| unit.speaker == Speaker::Assistant)
            && self.ends_line()
        {
            return true;
        }
        self.cursor = start;
        false
    }

    /// Finds the text that stands for a call further down in the same turn.
    fn claim_call(&mut self, call: &'o Call<'a>, names: &Names, step: usize) -> bool {
        let from = self.cursor.at + 1;
        let units = &self.given.units;
        let ahead = units.iter().enumerate().skip(from).take(AHEAD).take_while(|(_, unit)| unit.step == step);
        for (found, _) in ahead {
            if self.claimed.contains(&found) {
                continue;
            }
            let mut cursor = self.cursor.clone();
            (cursor.at, cursor.offset) = (found, 0);
            let is_whole = self.with_cursor(cursor, |matcher| {
                matcher.take_call(call, names) && matcher.cursor.unit().is_none_or(|_| matcher.cursor.at > found)
            });
            if is_whole {
                self.claimed.insert(found);
                return true;
            }
        }
        false
    }

    /// Matches the results of a turn as text, where the target has no tools.
    fn results_as_text(&mut self, last: usize) {
        let step = self.wanted.units[last].step;
        let first =
            self.wanted.units[..=last].iter().rposition(|unit| unit.step != step).map_or(0, |before| before + 1);
        // They may be in any order.
        let calls = self.wanted.units[first..=last].iter().filter_map(|unit| match unit.kind {
            Kind::Call(call) => Some(call),
            _ => None,
        });
        let mut open: VecDeque<_> = calls
            .flat_map(|call| self.wanted.results_of(call.number).iter().map(move |result| (call, result)))
            .collect();
        while !open.is_empty() {
            while self.unit().is_some_and(|unit| unit.speaker == Speaker::Assistant) && self.skip_loose(None) {}
            let found = (0..open.len().min(AHEAD)).find(|at| self.result_as_text(open[*at].1, Some(open[*at].0)));
            if found.and_then(|found| open.remove(found)).is_none()
                && !self.skip_loose(None)
                && let Some((_, result)) = open.pop_front()
            {
                self.missing_text_of(result);
            }
        }
    }

    /// Passes what an answer may have here although nothing of it is expected.
    fn skip(&mut self, next: Option<usize>) -> bool {
        let Some(unit) = self.unit() else { return false };
        if unit.speaker == Speaker::User && !self.pending.is_empty() && self.take_pending() {
            return true;
        }
        if let Kind::Call(call) = unit.kind
            && self.optional_call(unit, call)
        {
            self.cursor.next();
            return true;
        }
        if self.skip_stand_in() {
            return true;
        }
        let next = next.map(|next| self.wanted.units[next]);
        if self.skip_loose(next) {
            return true;
        }
        // Instructions that are not among the expected ones may belong further down.
        if unit.speaker == Speaker::System && unit.step == 0 && next.is_none_or(|next| next.step > 0) {
            self.hoisted.push(unit);
            self.cursor.next();
            return true;
        }
        self.skip_filler()
    }

    /// Passes the text that stands in for the result of a call that nothing answered, where the target has no tools.
    fn skip_stand_in(&mut self) -> bool {
        let Some(call) = self.unanswered else { return false };
        let names = Names::default().with(&call.name).with(call.id.as_deref().unwrap_or_default());
        let Some(Unit { kind: Kind::Text(_), speaker: Speaker::User, .. }) = self.unit() else { return false };
        if [About::StandIn, About::Error].into_iter().all(|about| self.take_note(about, &names, None).is_none()) {
            return false;
        }
        self.comparison.uses(Equivalence::StandIn);
        true
    }

    /// Passes what an item of another provider says, where the target has no tools.
    fn skip_loose(&mut self, next: Option<Unit<'o, 'a>>) -> bool {
        let Some(unit) = self.unit() else { return false };
        let end = match next.map(|next| next.kind) {
            Some(Kind::Text(text)) => Some(text),
            _ => None,
        };
        (0..self.loose.len()).any(|at| {
            let provider = self.loose[at];
            let found = match unit.kind {
                Kind::Text(_) => self.provider_text(provider, end),
                Kind::Media(media) if super::provider::holds(provider, media) => {
                    self.cursor.next();
                    true
                }
                _ => false,
            };
            if found {
                self.previous = Some(Previous::Said(unit.speaker));
            }
            found
        })
    }

    /// Passes a neutral text that fills a turn.
    fn skip_filler(&mut self) -> bool {
        let Some(unit) = self.unit() else { return false };
        let Kind::Text(text) = unit.kind else { return false };
        // The mark of instructions without a word.
        if self.blank == Some(Speaker::System)
            && unit.speaker == Speaker::User
            && is_note(text, About::System, &Names::default())
        {
            self.blank = None;
            self.cursor.next();
            return true;
        }
        if self.cursor.offset == 0 && self.is_filler_place(unit) && is_note(text, About::Filler, &Names::default()) {
            self.comparison.uses(Equivalence::Filler);
            if !self.comparison.fillers.iter().any(|known| known == text) {
                self.comparison.fillers.push(text.to_owned());
            }
            self.previous = Some(Previous::Said(unit.speaker));
            self.cursor.next();
            return true;
        }
        false
    }

    /// Whether a server demands, or demanded, a turn or a text here.
    fn is_filler_place(&self, unit: Unit<'o, 'a>) -> bool {
        let demands = |demand: fn(&Target) -> bool| {
            Target::all().iter().any(|target| target.dialect == self.answer.dialect && demand(target))
                || demand(self.target)
        };
        if self.blank == Some(unit.speaker) {
            return true;
        }
        match (unit.speaker, self.previous, self.given.units.get(self.cursor.at + 1).map(|next| next.speaker)) {
            (Speaker::User, None, Some(Speaker::Assistant)) => demands(|target| target.order.opens_with_user),
            (Speaker::User, None, None) => demands(|target| target.order.needs_message),
            (Speaker::Assistant, Some(Previous::Call), Some(Speaker::User)) => {
                demands(|target| !target.order.user_after_tool)
            }
            (Speaker::Assistant, Some(Previous::Said(Speaker::User)), Some(Speaker::User)) => {
                demands(|target| target.order.alternates)
            }
            (Speaker::User, Some(Previous::Call | Previous::Said(Speaker::Assistant)), None) => true,
            (Speaker::User, Some(Previous::Document), _) => demands(|target| target.media.words_beside_files),
            (Speaker::User, ..) => {
                let is_document =
                    |unit: Unit<'_, '_>| matches!(unit.kind, Kind::Media(media) if media.kind == MediaKind::Document);
                let is_followed = self
                    .given
                    .units
                    .get(self.cursor.at + 1)
                    .is_some_and(|next| next.step == unit.step && is_document(*next));
                is_followed && demands(|target| target.media.words_beside_files)
            }
            _ => false,
        }
    }

    /// Takes media of results that follow in a message of the user, in order, with their labels.
    fn take_pending(&mut self) -> bool {
        let Some(pending) = self.pending.front().copied() else { return false };
        let Some(unit) = self.unit().filter(|unit| unit.speaker == Speaker::User) else { return false };
        if let Kind::Media(media) = unit.kind {
            let is_same = |pending: &Pending<'_, '_>| pending.media.is_same(media);
            let is_named = |pending: &Pending<'_, '_>| pending.call.is_some_and(|call| holds_id(self.label, call));
            let ahead = || self.pending.iter().take(AHEAD);
            let labelled = ahead().position(|pending| is_same(pending) && is_named(pending));
            let Some(found) = labelled.or_else(|| ahead().position(is_same)) else { return false };
            if let Some(other) = self.pending.remove(found).filter(|_| found > 0) {
                let is_labelled = other.call.is_some_and(|call| holds_id(self.label, call));
                if !is_labelled {
                    let detail = "the media of the tool results are in another order";
                    let places = (Some(other.item.place), Some(unit.item.place));
                    self.report(Reason::MediaMisattributed, places.0, places.1, detail);
                }
            }
            self.same_media(pending.media, media);
            self.cursor.next();
            self.previous = Some(Previous::Said(Speaker::User));
            self.comparison.uses(Equivalence::ResultMedia);
            return true;
        }
        // A label, where a medium follows.
        let rest = self.cursor.rest();
        let is_followed = self.given.units[self.cursor.at + 1..]
            .iter()
            .take_while(|next| next.step == unit.step)
            .find(|next| !matches!(next.kind, Kind::Text(_) | Kind::Blank))
            .is_some_and(|next| matches!(next.kind, Kind::Media(media) if self.pending.iter().any(|pending| pending.media.is_same(media))));
        if !is_followed || rest.is_empty() {
            return false;
        }
        let mut names = acceptance::names_of(pending.media, pending.item);
        for pending in &self.pending {
            if let Some(call) = pending.call {
                names.add(&call.name);
                // Where the wire has no ids, the label may have the one that the call had.
                names.add(call.id.as_deref().or(pending.id).unwrap_or_default());
            }
            names.add(pending.given_id.unwrap_or_default());
        }
        if !is_note(rest, About::Content, &names) {
            return false;
        }
        self.check_label(rest, &pending, unit);
        self.label = rest;
        self.cursor.next();
        true
    }

    /// An id in a label must be the id of the call.
    fn check_label(&mut self, label: &str, pending: &Pending<'o, 'a>, unit: Unit<'o, 'a>) {
        if self.is_media_last {
            return;
        }
        let mut named = self.pending.iter().filter(|other| other.call.is_some_and(|call| holds_id(label, call)));
        let Some(call) = named.next().and_then(|pending| pending.call) else { return };
        let mut media = self.pending.iter().filter(|other| other.call.is_some_and(|call| holds_id(label, call)));
        // Labels of several media may stand before all of them.
        let next = self.given.units.get(self.cursor.at + 1);
        let Some(Unit { kind: Kind::Media(next), .. }) = next else { return };
        if named.all(|other| other.call.is_some_and(|other| other.number == call.number))
            && !media.any(|other| other.media.is_same(next))
        {
            self.report(
                Reason::MediaMisattributed,
                Some(pending.item.place),
                Some(unit.item.place),
                format!("the label names tool call {}", shown(call)),
            );
        }
    }

    /// Ends the results of a turn: their media must have followed by now.
    fn follow_up(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        while !self.pending.is_empty() && (self.take_pending() || self.skip_filler()) {}
        while let Some(pending) = self.pending.pop_front() {
            let reason = self.reason_of_missing_media(pending.media);
            self.report(
                reason,
                Some(pending.item.place),
                None,
                format!("{} of a tool result is missing", pending.media.kind.name()),
            );
        }
    }

    fn reason_of_missing_media(&self, media: &Media<'_>) -> Reason {
        let Source::Base64(data) = &media.source else { return Reason::MediaMissing };
        let start = data.get(..64).unwrap_or(data);
        let is_text = |item: &Item<'_>| item.as_text().is_some_and(|text| text.contains(start));
        let in_result = |given: &Given<'_, '_>| given.result.items.iter().any(is_text);
        if start.len() >= 16
            && (self.given.units.iter().any(|unit| is_text(unit.item))
                || self.given.results.iter().flatten().any(in_result))
        {
            Reason::MediaAsText
        } else {
            Reason::MediaMissing
        }
    }

    /// Decides what is wrong where the answer does not go on as expected. Returns whether the element is to be tried again.
    fn resolve(&mut self, at: usize, want: Unit<'o, 'a>) -> bool {
        let Some(unit) = self.unit() else {
            self.missing(want);
            return false;
        };
        let ahead = self.find_given(want);
        let expected = self.find_wanted(unit, at + 1);
        // What stands between a call and its result may stand behind the result.
        if let Some((found, 0)) = ahead
            && want.is_late
            && self.given.units[found].step <= unit.step + 1
        {
            self.comparison.uses(Equivalence::ResultOrder);
            self.claimed.insert(found);
            return false;
        }
        match (ahead, expected) {
            (Some((found, offset)), None) => {
                let before = (self.cursor.at, self.cursor.offset);
                self.extra_until(found, offset);
                let has_moved = before != (self.cursor.at, self.cursor.offset);
                if !has_moved {
                    self.missing(want);
                }
                has_moved
            }
            // What comes too early is passed, where that is the shorter way.
            (Some((found, 0)), Some(next)) if found - self.cursor.at < next - at && self.cursor.offset == 0 => {
                self.too_early(unit, next);
                true
            }
            (None, Some(_))
                if matches!((want.kind, unit.kind), (Kind::Media(_), Kind::Media(_)))
                    && want.speaker == unit.speaker =>
            {
                self.changed(at, want, unit);
                false
            }
            (Some((found, _)), Some(_)) => {
                let place = self.given.units[found].item.place;
                self.report(moved(want), Some(want.item.place), Some(place), "the order is another one");
                self.claimed.insert(found);
                if let (Kind::Call(call), Kind::Call(other)) = (want.kind, self.given.units[found].kind) {
                    self.names.entry(call.name.trim()).or_insert(other.name.trim());
                    self.results(want, call, self.given.units[found], other);
                }
                false
            }
            (None, Some(_)) => {
                self.missing(want);
                false
            }
            (None, None) => {
                self.changed(at, want, unit);
                false
            }
        }
    }

    /// Reports a unit of the answer that is expected further down, and passes it.
    fn too_early(&mut self, unit: Unit<'o, 'a>, next: usize) {
        let want = self.wanted.units[next];
        self.report(moved(unit), Some(want.item.place), Some(unit.item.place), "the order is another one");
        self.satisfied.insert(next);
        self.cursor.next();
        if let (Kind::Call(call), Kind::Call(other)) = (want.kind, unit.kind) {
            self.names.entry(call.name.trim()).or_insert(other.name.trim());
            self.results(want, call, unit, other);
        }
    }

    fn changed(&mut self, at: usize, want: Unit<'o, 'a>, unit: Unit<'o, 'a>) {
        let (expected, given) = (Some(want.item.place), Some(unit.item.place));
        match (want.kind, unit.kind) {
            (Kind::Text(text), Kind::Text(_)) if want.speaker == unit.speaker => {
                let rest = self.cursor.rest();
                if self.is_elsewhere(text) {
                    self.missing(want);
                    return;
                }
                self.report(
                    Reason::TextChanged,
                    expected,
                    given,
                    format!("expected {}, got {}", quoted(text), quoted(rest)),
                );
                // What comes next may be in the same text.
                let next = self.head_of_next(at).and_then(|next| find_head(rest, next)).filter(|found| *found > 0);
                match next {
                    Some(next) => self.cursor.skip(next),
                    None => self.cursor.next(),
                }
            }
            (Kind::Media(_), Kind::Media(_)) if want.speaker == unit.speaker => {
                self.report(Reason::MediaReplaced, expected, given, "the media have other bytes or another address");
                self.cursor.next();
            }
            (Kind::Call(call), Kind::Call(other)) => {
                let same_arguments = arguments(call, other).is_some_and(|relation| relation < Relation::Different);
                if same_arguments {
                    self.report(
                        Reason::CallRenamed,
                        expected,
                        given,
                        format!("expected tool `{}`, got `{}`", call.name, other.name),
                    );
                } else if call.name == other.name
                    || self.names.get(call.name.trim()).is_some_and(|name| *name == other.name)
                {
                    let reason = if arguments(call, other).is_none() {
                        Reason::ArgumentsUnparsable
                    } else {
                        Reason::ArgumentsChanged
                    };
                    self.report(
                        reason,
                        expected,
                        given,
                        format!("expected {}, got {}", quoted(&arguments_text(call)), quoted(&arguments_text(other))),
                    );
                } else {
                    self.missing(want);
                    return;
                }
                self.cursor.next();
                self.matched(want, unit);
                self.results(want, call, unit, other);
            }
            _ => self.missing(want),
        }
    }

    fn missing(&mut self, want: Unit<'o, 'a>) {
        if self.comparison.is_full() {
            self.comparison.more += 1;
            return;
        }
        let place = Some(want.item.place);
        match want.kind {
            Kind::Text(text) => {
                let other = self.given.units.iter().enumerate().find(|(_, unit)| {
                    unit.speaker != want.speaker
                        && matches!(unit.kind, Kind::Text(other) if other.contains(text.trim()))
                });
                if let Some((at, unit)) = other {
                    let (speaker, wanted) = (unit.speaker.name(), want.speaker.name());
                    let (unit, is_whole) =
                        (*unit, matches!(unit.kind, Kind::Text(other) if other.trim() == text.trim()));
                    if is_whole && at >= self.cursor.at {
                        self.claimed.insert(at);
                    }
                    self.report(
                        Reason::SpeakerChanged,
                        place,
                        Some(unit.item.place),
                        format!("the {speaker} says what the {wanted} said"),
                    );
                } else if let Some(unit) =
                    self.given.units[..self.cursor.at.min(self.given.units.len())].iter().find(|unit| {
                        matches!(unit.kind, Kind::Text(other) if other.trim() == text.trim())
                            && !self.is_expected_before(unit, want)
                    })
                {
                    self.report(Reason::TextMoved, place, Some(unit.item.place), "the text is further up");
                } else {
                    self.report(Reason::TextMissing, place, None, quoted(text));
                }
            }
            Kind::Data(value) => self.report(Reason::TextMissing, place, None, quoted(value.raw())),
            Kind::Media(media) => {
                let reason = self.reason_of_missing_media(media);
                self.report(reason, place, None, format!("{} is missing", media.kind.name()));
            }
            Kind::Resource(resource) => {
                self.report(
                    Reason::TextMissing,
                    place,
                    None,
                    format!("resource {} is missing", quoted(resource.uri.as_deref().unwrap_or_default())),
                );
            }
            Kind::Provider(provider) => {
                self.report(Reason::ProviderItemMissing, place, None, format!("item `{}` is missing", provider.kind));
            }
            Kind::Call(call) => {
                self.report(Reason::CallMissing, place, None, format!("tool call {} is missing", shown(call)));
            }
            Kind::Blank => {}
        }
    }

    /// Whether an equal text is expected before this one: then a text that was passed is that one.
    fn is_expected_before(&self, unit: &Unit<'_, '_>, want: Unit<'_, '_>) -> bool {
        let Kind::Text(text) = unit.kind else { return false };
        self.wanted
            .units
            .iter()
            .take_while(|before| !std::ptr::eq(before.item, want.item))
            .any(|before| matches!(before.kind, Kind::Text(other) if other.trim() == text.trim()))
    }

    /// Whether a text is said by another speaker.
    fn is_elsewhere(&self, text: &str) -> bool {
        let text = text.trim();
        text.len() > 1
            && self.given.units.iter().any(|unit| matches!(unit.kind, Kind::Text(other) if other.trim() == text))
    }

    /// Reports what stands before a unit of the answer as additional.
    fn extra_until(&mut self, found: usize, offset: usize) {
        while self.unit().is_some() && self.cursor.at < found {
            self.extra();
        }
        if self.cursor.at == found
            && offset > self.cursor.offset
            && let Some(Unit { kind: Kind::Text(text), item, .. }) = self.given.units.get(found).copied()
        {
            let more = &text[self.cursor.offset..offset];
            if !more.trim().is_empty() {
                self.extra_text(more, item.place, self.given.units[found].speaker);
            }
            self.cursor.offset = offset;
        }
    }

    /// Reports the unit at the cursor as additional.
    fn extra(&mut self) {
        let Some(unit) = self.unit() else {
            self.cursor.next();
            return;
        };
        let place = Some(unit.item.place);
        match unit.kind {
            Kind::Text(_) => {
                let rest = self.cursor.rest();
                self.extra_text(rest, unit.item.place, unit.speaker);
            }
            Kind::Data(value) => self.report(Reason::TextInvented, None, place, quoted(value.raw())),
            Kind::Media(media) => {
                self.report(Reason::MediaInvented, None, place, format!("{} is not expected", media.kind.name()));
            }
            Kind::Resource(_) => self.report(Reason::MediaInvented, None, place, "a resource is not expected"),
            Kind::Provider(provider) => {
                let reason = match provider.readable.first().map(|item| &item.content) {
                    Some(Content::Call(_)) => Reason::CallInvented,
                    Some(Content::Result(_)) => Reason::ResultInvented,
                    _ => Reason::TextInvented,
                };
                self.report(reason, None, place, format!("item `{}` is not expected", provider.kind));
            }
            Kind::Call(call) => {
                if !self.optional_call(unit, call) {
                    self.report(
                        Reason::CallInvented,
                        None,
                        place,
                        format!("tool call {} is not expected", shown(call)),
                    );
                }
                self.previous = Some(Previous::Call);
            }
            Kind::Blank => {}
        }
        self.cursor.next();
    }

    fn extra_text(&mut self, text: &str, place: Value<'a>, speaker: Speaker) {
        if self.comparison.is_full() {
            self.comparison.more += 1;
            return;
        }
        let trimmed = text.trim();
        let is_thought = self.wanted.thoughts.iter().any(|thought| {
            let thought = thought.reasoning.text.trim();
            !thought.is_empty() && trimmed.contains(thought)
        });
        let is_repeated = || {
            self.wanted.units.iter().any(|unit| {
                matches!(unit.kind, Kind::Text(other) if other.trim() == trimmed || other.contains(trimmed) && trimmed.len() > 8)
            })
        };
        let reason = if is_thought && speaker == Speaker::Assistant {
            Reason::ReasoningAsText
        } else if is_repeated() {
            Reason::TextRepeated
        } else if is_note(trimmed, About::Filler, &Names::default()) {
            Reason::FillerNotDemanded
        } else {
            Reason::TextInvented
        };
        self.report(reason, None, Some(place), quoted(text));
    }

    /// Reports what the answer has behind all that is expected.
    fn rest(&mut self) {
        loop {
            if self.unit().is_none() {
                break;
            }
            if !self.skip(None) {
                self.extra();
            }
        }
        for unit in std::mem::take(&mut self.hoisted) {
            let Kind::Text(text) = unit.kind else { continue };
            self.extra_text(text, unit.item.place, Speaker::System);
        }
    }

    /// Finds an expected element further down in the answer: the unit, and the offset in its text.
    fn find_given(&mut self, want: Unit<'o, 'a>) -> Option<(usize, usize)> {
        let (at, offset) = (self.cursor.at, self.cursor.offset);
        if let Kind::Text(text) = want.kind {
            let text = text.trim();
            for (found, unit) in self.given.units.iter().enumerate().skip(at).take(AHEAD) {
                let Kind::Text(other) = unit.kind else { continue };
                let from = if found == at { offset } else { 0 };
                if unit.speaker == want.speaker
                    && !self.claimed.contains(&found)
                    && let Some(place) = memchr::memmem::find(&other.as_bytes()[from..], text.as_bytes())
                {
                    return Some((found, from + place));
                }
            }
        }
        let fingerprint = fingerprint(&want);
        let (wanted, given) = (self.wanted, self.given);
        let index = self.index.get_or_insert_with(|| Index::new(wanted, given));
        let found = index.given.get(&fingerprint)?;
        let from = found.partition_point(|found| *found < at);
        let found = found[from..].iter().find(|found| {
            let unit = &given.units[**found];
            !self.claimed.contains(found) && unit.speaker == want.speaker && **found > at
        })?;
        Some((*found, 0))
    }

    /// Finds a unit of the answer further down in what is expected.
    fn find_wanted(&mut self, unit: Unit<'o, 'a>, from: usize) -> Option<usize> {
        if let Kind::Text(_) = unit.kind {
            for (found, want) in self.wanted.units.iter().enumerate().skip(from).take(AHEAD) {
                let mut cursor = self.cursor.clone();
                if let Kind::Text(text) = want.kind
                    && want.speaker == unit.speaker
                    && cursor.take_text(text, |unit| unit.speaker == want.speaker)
                {
                    return Some(found);
                }
            }
        }
        let fingerprint = fingerprint(&unit);
        let (wanted, given) = (self.wanted, self.given);
        let index = self.index.get_or_insert_with(|| Index::new(wanted, given));
        let found = index.wanted.get(&fingerprint)?;
        let from = found.partition_point(|found| *found < from);
        found[from..].iter().find(|found| wanted.units[**found].speaker == unit.speaker).copied()
    }

    /// Matches an item that one provider knows.
    fn provider(&mut self, at: usize, want: Unit<'o, 'a>, provider: &'o Provider<'a>) {
        if provider.dialect == self.answer.dialect || self.answer.dialect == Dialect::Canonical {
            loop {
                let Some(unit) = self.unit() else {
                    self.missing(want);
                    return;
                };
                let is_same = match unit.kind {
                    Kind::Provider(other) => super::provider::is_same(provider, other),
                    _ => relation(provider.value, unit.item.place) != Relation::Different,
                };
                if is_same {
                    self.cursor.next();
                    self.matched(want, unit);
                    return;
                }
                if !self.skip(Some(at)) {
                    break;
                }
            }
            self.resolve_provider(at, want, provider);
            return;
        }
        self.comparison.uses(Equivalence::ProviderItem);
        for item in &provider.readable {
            if let Content::Call(call) = &item.content {
                self.optional.push_back(call);
                if self.optional.len() > MOST_OPTIONAL {
                    self.optional.pop_front();
                }
            }
        }
        if !self.target.content.tools {
            self.loose.push_back(provider);
            if self.loose.len() > MOST_OPTIONAL {
                self.loose.pop_front();
            }
            return;
        }
        let is_text = |unit: Unit<'_, '_>| matches!(unit.kind, Kind::Text(_)) && unit.speaker == want.speaker;
        if self.unit().is_some_and(is_text) {
            let end = self.head_of_next(at);
            if self.provider_text(provider, end) {
                self.previous = Some(Previous::Said(want.speaker));
            }
        }
    }

    /// Finds a provider's item further down in the answer.
    fn resolve_provider(&mut self, at: usize, want: Unit<'o, 'a>, provider: &'o Provider<'a>) {
        let found = self.given.units.iter().enumerate().skip(self.cursor.at).take(AHEAD).find(|(found, unit)| {
            !self.claimed.contains(found)
                && matches!(unit.kind, Kind::Provider(other) if super::provider::is_same(provider, other))
        });
        match found {
            Some((found, unit)) => {
                // The order of calls and server items in a turn is free.
                if unit.step != self.given.units[self.cursor.at].step {
                    let place = unit.item.place;
                    self.report(
                        Reason::TurnOrderChanged,
                        Some(want.item.place),
                        Some(place),
                        "the item is in another turn",
                    );
                }
                self.claimed.insert(found);
            }
            None if super::provider::may_be_refused(provider, self.wanted, self.target) => {
                self.comparison.uses(Equivalence::ProviderItem);
                let end = self.head_of_next(at);
                if self.unit().is_some_and(|unit| matches!(unit.kind, Kind::Text(_)) && unit.speaker == want.speaker)
                    && self.provider_text(provider, end)
                {
                    self.previous = Some(Previous::Said(want.speaker));
                }
            }
            None => self.missing(want),
        }
    }

    /// Takes the text that may stand for an item of another provider.
    pub(super) fn provider_text(&mut self, provider: &'o Provider<'a>, end: Option<&'o str>) -> bool {
        let rest = self.cursor.rest();
        // The next expected text comes first, if it is there already.
        if end.is_some_and(|end| self.cursor.clone().take_text(end, |_| true)) {
            return false;
        }
        let names = super::provider::names(provider);
        let until = end.and_then(|end| find_head(rest, end)).unwrap_or(rest.len());
        // A note, or lines that each have a word of the item.
        let mut taken = 0;
        while let Some(line) = line_of(&rest[taken..until]) {
            if !is_made_of(line, &names) || taken > 0 && !has_name(line, &names) {
                break;
            }
            taken += line.len();
            if line.trim_start().starts_with('[') {
                break;
            }
        }
        if taken == 0 && has_word(&rest[..until]) && is_made_of(&rest[..until], &names) {
            taken = until;
        }
        self.cursor.skip(taken);
        taken > 0
    }

    /// The cursor, for the comparison of results.
    pub(super) fn with_cursor<T>(&mut self, cursor: Cursor<'m, 'o, 'a>, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.cursor, cursor);
        let value = run(self);
        let inner = std::mem::replace(&mut self.cursor, outer);
        self.cursor.spelling.add(inner.spelling);
        value
    }

    pub(super) fn cursor(&mut self) -> &mut Cursor<'m, 'o, 'a> {
        &mut self.cursor
    }

    /// Returns the forms of an expected result.
    pub(super) fn forms_of_expected(&self, given: &Given<'o, 'a>) -> Vec<&'m [Unit<'o, 'a>]> {
        self.wanted.forms_of(given)
    }

    /// Returns the forms of a result of the answer.
    pub(super) fn forms_of_answer(&self, given: &Given<'o, 'a>) -> Vec<&'m [Unit<'o, 'a>]> {
        self.given.forms_of(given)
    }

    /// Returns the content of an expected result.
    pub(super) fn units_of_expected(&self, given: &Given<'o, 'a>) -> &'m [Unit<'o, 'a>] {
        self.wanted.content_of(given)
    }

    /// Returns the content of a result of the answer.
    pub(super) fn units_of_answer(&self, given: &Given<'o, 'a>) -> &'m [Unit<'o, 'a>] {
        self.given.content_of(given)
    }
}

/// Whether an instruction stands in a field of the request.
fn is_field(item: &Item<'_>) -> bool {
    let pointer = item.place.pointer();
    let field = pointer.trim_start_matches("/request").get(1..).unwrap_or_default();
    field.starts_with("system") || field.starts_with("instructions")
}

/// Whether a label holds the id of a call.
fn holds_id(label: &str, call: &Call<'_>) -> bool {
    call.id.as_ref().is_some_and(|id| id.len() > 3 && label.contains(&**id))
}

/// The reason of an element that is at another place.
fn moved(unit: Unit<'_, '_>) -> Reason {
    match unit.kind {
        Kind::Call(_) => Reason::TurnOrderChanged,
        Kind::Media(_) => Reason::MediaMoved,
        _ => Reason::TextMoved,
    }
}

/// The first part of a text that has a word: a JSON object, a part in brackets or a line, with the white space before it.
fn line_of(text: &str) -> Option<&str> {
    let start = text.len() - text.trim_start().len();
    let inner = &text[start..];
    let length = if inner.starts_with('{') && Json::parse(&inner[..json_length(inner)], &Limits::default()).is_ok() {
        json_length(inner)
    } else {
        let line = inner.find('\n').map_or(inner, |end| &inner[..end]);
        bracketed(line).unwrap_or(line).len()
    };
    Some(&text[..start + length]).filter(|line| has_word(line))
}

fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// The part in brackets at the start of a line, where another one or nothing follows.
fn bracketed(line: &str) -> Option<&str> {
    let end = line.starts_with('[').then(|| line.find(']'))?? + 1;
    let rest = line[end..].trim_start();
    (rest.is_empty() || rest.starts_with('[')).then_some(&line[..end])
}

/// The length of the note before a text; `None` if the text is not there, or something else is before it.
fn note_before(rest: &str, text: &str, about: About, names: &Names) -> Option<usize> {
    let mut from = 0;
    for _ in 0..TRIES {
        let found = find_head(&rest[from..], text)? + from;
        let note = &rest[..found];
        if note.trim().is_empty() || is_note(note, about, names) {
            return Some(found);
        }
        from = found + rest[found..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// Compares the arguments of two calls; `None` if one of them is no JSON.
fn arguments(call: &Call<'_>, other: &Call<'_>) -> Option<Relation> {
    match (&call.arguments, &other.arguments) {
        (Arguments::Value(a), Arguments::Value(b)) => Some(relation(*a, *b)),
        (Arguments::Input(a), Arguments::Input(b)) => Some(if a == b { Relation::Same } else { Relation::Different }),
        (Arguments::Input(input), other) | (other, Arguments::Input(input)) => {
            // A custom tool is a function with `input`.
            let text = text_of(other);
            let json = Json::parse(&text, &Limits::default()).ok()?;
            let same = json.root().get("input").and_then(Value::as_str).is_some_and(|text| text == *input);
            Some(if same { Relation::Same } else { Relation::Different })
        }
        (a, b) => {
            let (a, b) = (text_of(a), text_of(b));
            match relation_of_texts(&a, &b) {
                Some(Relation::Different) | None if holds_raw(&b, &a) || is_marked_raw(&a, &b) => Some(Relation::Raw),
                Some(relation) => Some(relation),
                None if a.trim() == b.trim() => Some(Relation::Same),
                None => None,
            }
        }
    }
}

/// Whether arguments are an object that says by its key that it holds the text of others, which are no JSON.
fn is_marked_raw(arguments: &str, raw: &str) -> bool {
    arguments.contains("\"INVALID_JSON\"") && holds_raw(arguments, raw)
}

/// Whether arguments are an object with the whole text of others under one key.
fn holds_raw(arguments: &str, raw: &str) -> bool {
    let Ok(json) = Json::parse(arguments, &Limits::default()) else { return false };
    let mut members = json.root().members();
    match (members.next(), members.next()) {
        (Some((_, value)), None) => value.as_str().is_some_and(|text| text.trim() == raw.trim()),
        _ => false,
    }
}

fn text_of<'t>(arguments: &'t Arguments<'_>) -> std::borrow::Cow<'t, str> {
    match arguments {
        Arguments::Value(value) => value.raw().into(),
        Arguments::Text(text) if text.trim().is_empty() => "{}".into(),
        Arguments::Text(text) | Arguments::Input(text) => (&**text).into(),
        Arguments::Missing => "{}".into(),
    }
}

fn arguments_text(call: &Call<'_>) -> String {
    text_of(&call.arguments).into_owned()
}

fn numbers(call: &Call<'_>, other: &Call<'_>) -> String {
    format!("expected {}, got {}", quoted(&arguments_text(call)), quoted(&arguments_text(other)))
}

/// A call, as reports name it.
fn shown(call: &Call<'_>) -> String {
    match &call.id {
        Some(id) => format!("`{id}` of `{}`", call.name),
        None => format!("`{}`", call.name),
    }
}

/// A text in quotes, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 80;
    let text = text.trim();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// A number that is equal for units with the same content, and seldom for others.
fn fingerprint(unit: &Unit<'_, '_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match unit.kind {
        Kind::Text(text) => text.split_whitespace().for_each(|word| hasher.write(word.as_bytes())),
        Kind::Data(value) => value_hash(value).hash(&mut hasher),
        Kind::Media(media) => media.fingerprint().hash(&mut hasher),
        Kind::Resource(resource) => resource.uri.hash(&mut hasher),
        Kind::Provider(provider) => provider.kind.hash(&mut hasher),
        Kind::Call(call) => {
            let text = text_of(&call.arguments);
            match Json::parse(&text, &Limits::default()) {
                Ok(json) => value_hash(json.root()).hash(&mut hasher),
                Err(_) => text.trim().hash(&mut hasher),
            }
            call.name.trim().hash(&mut hasher);
        }
        Kind::Blank => {}
    }
    std::mem::discriminant(&unit.kind).hash(&mut hasher);
    hasher.finish()
}

/// A number that is equal for values that are the same, whatever the order of their keys.
fn value_hash(value: Value<'_>) -> u64 {
    let mut sum = 0_u64;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let mut hasher = DefaultHasher::new();
        match value.kind() {
            JsonKind::Object => open.extend(value.members().flat_map(|(key, value)| [key, value])),
            JsonKind::Array => open.extend(value.items()),
            JsonKind::String => value.as_str().hash(&mut hasher),
            JsonKind::Number => value.as_f64().map(f64::to_bits).hash(&mut hasher),
            JsonKind::Null | JsonKind::Bool => value.raw().hash(&mut hasher),
        }
        sum = sum.wrapping_add(hasher.finish());
    }
    sum
}

fn squashed_result(given: &Given<'_, '_>) -> String {
    let mut text = String::new();
    for item in &given.result.items {
        match &item.content {
            Content::Text(words) => text.extend(words.split_whitespace()),
            Content::Data(value) => text.extend(value.raw().split_whitespace()),
            Content::Media(media) => text.push_str(&media.fingerprint().to_string()),
            _ => {}
        }
    }
    text
}
