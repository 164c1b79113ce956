//! Labels before the media of results: the tool calls that they name must be those that the media belong to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::media::Pending;
use crate::compare::words::Names;
use crate::observation::Call;

/// The number of calls before and behind the call of a medium that its label may name.
const NEAR: usize = 32;

/// A call whose result was compared, and the ids by which a label may name it.
#[derive(Clone, Debug)]
struct Known<'o> {
    name: &'o str,
    /// Those of the call in the answer, of its expected result and of its result
    ids: [Option<&'o str>; 3],
    number: usize,
}

impl<'o> Known<'o> {
    /// Returns the ids; a call without any has the id that programs make up for it.
    fn ids(&self) -> impl Iterator<Item = Cow<'o, str>> {
        let has_none = self.ids.iter().all(Option::is_none);
        let made_up = has_none.then(|| Cow::Owned(format!("call_{}", self.number + 1)));
        self.ids.into_iter().flatten().map(Cow::Borrowed).chain(made_up)
    }
}

/// The labels before the media that come next.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels<'o, 'a> {
    /// The calls of the turn, by their numbers
    calls: BTreeMap<usize, Known<'o>>,
    /// The calls that each label names, in order
    named: Vec<Vec<usize>>,
    /// The labels, in order
    texts: Vec<&'o str>,
    /// The last medium, where nothing was said behind it
    behind: Option<Pending<'o, 'a>>,
    /// Each label is for one medium
    is_for_one: bool,
    /// The number of media behind the labels that were passed
    passed: usize,
    /// The number of media of the turn that were passed
    media: usize,
    /// The place of the call of the last medium among the calls of its label
    last: usize,
}

impl<'o, 'a> Labels<'o, 'a> {
    /// Adds a call whose result was compared, with the ids that the expected result and the result give it; `None` for the call of a lone
    /// result.
    pub(super) fn add_call(&mut self, call: Option<&'o Call<'_>>, [expected, given]: [Option<&'o str>; 2]) {
        let ids = [call.and_then(|call| call.id.as_deref()), expected, given];
        let number = call.map_or(0, |call| call.number);
        self.calls.insert(number, Known { name: call.map_or("", |call| call.name.trim()), ids, number });
    }

    /// The calls that a label before a medium may name.
    fn near(&self, next: &Pending<'_, '_>) -> impl Iterator<Item = (usize, &Known<'o>)> {
        let number = next.call.map_or(0, |call| call.number);
        self.calls.range(number.saturating_sub(NEAR)..=number + NEAR).map(|(number, call)| (*number, call))
    }

    /// The words that a label before this medium may repeat; `pending` is the number of media that are still to come.
    pub(super) fn names_before(&self, next: &Pending<'_, '_>, pending: usize) -> Names {
        let mut names = Names::default();
        for (_, call) in self.near(next) {
            names.add(call.name);
            call.ids().for_each(|id| names.add(&id));
        }
        // Which medium of how many.
        let open = if self.passed == 0 { self.named.len() } else { 0 };
        for number in [self.media + open + 1, self.media + pending] {
            names.add(&number.to_string());
            names.add(ORDINALS.get(number - 1).copied().unwrap_or_default());
        }
        names
    }

    /// Adds a label before a medium, with the number of media behind it and the labels that follow it.
    pub(super) fn add(&mut self, label: &'o str, next: &Pending<'_, '_>, media: usize) {
        if self.passed > 0 {
            self.named.clear();
            self.texts.clear();
            (self.passed, self.last) = (0, 0);
        }
        let by_id = |call: &Known<'_>| call.ids().filter_map(|id| find_word(label, &id)).min();
        let mut named: Vec<_> = self.near(next).filter_map(|(number, call)| Some((by_id(call)?, number))).collect();
        if named.is_empty() {
            let by_name = |call: &Known<'_>| find_word(label, call.name);
            named.extend(self.near(next).filter_map(|(number, call)| Some((by_name(call)?, number))));
        }
        named.sort_unstable();
        self.named.push(named.into_iter().map(|(_, number)| number).collect());
        self.texts.push(label);
        self.behind = None;
        self.is_for_one = self.named.len() == media;
    }

    /// Returns whether the labels name the call that a medium belongs to; `None` if they name no call.
    pub(super) fn names(&self, pending: &Pending<'_, '_>) -> Option<bool> {
        let named = self.next_named();
        if named.is_empty() {
            return None;
        }
        let number = pending.call?.number;
        Some(named.contains(&number))
    }

    /// Returns whether a label of the next medium has a number or an id.
    pub(super) fn has_tag(&self, tag: &str) -> bool {
        let own = self.texts.get(self.passed).filter(|_| self.is_for_one);
        let texts = own.map_or(&self.texts[..], std::slice::from_ref);
        texts.iter().any(|text| find_word(text, tag).is_some())
    }

    /// The medium behind which the cursor is, where nothing was said behind it.
    pub(super) fn behind(&self) -> Option<Pending<'o, 'a>> {
        self.behind
    }

    /// Ends the labels of the last medium.
    pub(super) fn end(&mut self) {
        self.behind = None;
    }

    /// The words that a label behind a medium may repeat.
    pub(super) fn names_of(&self, medium: &Pending<'_, '_>) -> Names {
        let mut names = Names::default().with(medium.tag.unwrap_or_default());
        if let Some(call) = medium.call.and_then(|call| self.calls.get(&call.number)) {
            names.add(call.name);
            call.ids().for_each(|id| names.add(&id));
        }
        names
    }

    /// The calls that the labels name for the next medium: several are named in the order of their media.
    fn next_named(&self) -> Vec<usize> {
        match self.named.get(self.passed) {
            Some(label) if self.is_for_one => label.clone(),
            _ => self.named.iter().flatten().skip(self.last).copied().collect(),
        }
    }

    /// Passes a medium.
    pub(super) fn pass(&mut self, medium: Pending<'o, 'a>) {
        let number = medium.call.map(|call| call.number);
        self.last += self.next_named().iter().position(|named| Some(*named) == number).unwrap_or_default();
        self.passed += 1;
        self.behind = Some(medium);
        self.media += 1;
    }
}

const ORDINALS: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/// Finds a name in a text, where no other word character is beside it.
pub(super) fn find_word(text: &str, name: &str) -> Option<usize> {
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = text
        .match_indices(name)
        .filter(|(at, _)| !text[..*at].ends_with(is_in_word) && !text[at + name.len()..].starts_with(is_in_word));
    found.next().map(|(at, _)| at).filter(|_| !name.is_empty())
}
