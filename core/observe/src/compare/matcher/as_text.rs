//! Calls and results as text, where the target has no tools.

use std::collections::VecDeque;
use std::rc::Rc;

use wirecanon_json::{Json, Limits};

use super::calls::{arguments, text_of};
use super::{AHEAD, MOST_NOTES, Matcher, Previous};

use crate::compare::flat::{Kind, Unit};
use crate::compare::provider;
use crate::compare::value::{Relation, json_length};
use crate::compare::words::{About, Mark, Names, is_note};
use crate::equivalence::Equivalence;
use crate::observation::{Arguments, Call, Provider, Speaker};
use crate::reason::Reason;

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    pub(super) fn call_as_text(&mut self, at: usize, want: Unit<'o, 'a>, call: &'o Call<'a>) {
        let mut names = Names::of_call(call);
        if call.id.is_none() {
            names = names.with_numbers();
        }
        let results = self.wanted.results_of(call.number).iter().filter_map(|given| given.result.id.as_deref());
        results.for_each(|id| names.add(id));
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

    /// Takes the text that stands for a call: a mark with its name, and then its arguments; or an object with both.
    pub(super) fn take_call(&mut self, call: &'o Call<'a>, names: &Names) -> bool {
        if self.unit().is_none_or(|unit| unit.speaker != Speaker::Assistant) {
            return false;
        }
        let start = self.cursor.clone();
        if self.take_call_as_json(call, names) {
            return true;
        }
        self.cursor = start.clone();
        let text = text_of(&call.arguments);
        let mark = self.take_marked(&text, About::Call, names, |unit| unit.speaker == Speaker::Assistant);
        if let Some(mark) = mark.filter(|mark| mark.text.contains(call.name.trim()))
            && self.ends_line()
        {
            self.made_up.insert(call.number, names.other_numbers(&mark.text));
            return true;
        }
        self.cursor = start;
        false
    }

    /// Takes a call whose arguments are JSON.
    fn take_call_as_json(&mut self, call: &'o Call<'a>, names: &Names) -> bool {
        let mut before = String::new();
        for _ in 0..MOST_NOTES {
            let rest = self.cursor.rest();
            let json = rest.find('{').unwrap_or(rest.len());
            before.push_str(&rest[..json]);
            if self.cursor.is_within_line() || !is_note(&before, About::Call, names) {
                return false;
            }
            if json == rest.len() {
                before.push('\n');
                self.cursor.next();
                continue;
            }
            let length = json_length(&rest[json..]);
            let text = &rest[json..json + length];
            let is_named = before.contains(call.name.trim());
            if !(is_named && is_arguments(call, text) || is_call(call, text)) {
                return false;
            }
            // The mark ends before the object, whatever its last character is.
            let Some(mark) = Mark::read(&(before + "\n"), About::Call, names) else { return false };
            self.made_up.insert(call.number, names.other_numbers(&mark.text));
            self.cursor.skip(json + length);
            return self.close(&mark);
        }
        false
    }

    /// Returns whether nothing that has a word stands between the cursor and the end of the line: else what was taken is a part of something
    /// longer.
    pub(super) fn ends_line(&self) -> bool {
        let Some(Unit { kind: Kind::Text(text), .. }) = self.cursor.units.get(self.cursor.at) else { return true };
        let rest = text[self.cursor.offset..].lines().next().unwrap_or_default();
        !rest.contains(char::is_alphanumeric)
    }

    /// Finds the text that stands for a call further down in the same turn.
    pub(super) fn claim_call(&mut self, call: &'o Call<'a>, names: &Names, step: usize) -> bool {
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
    pub(super) fn results_as_text(&mut self, last: usize) {
        let step = self.wanted.units[last].step;
        let first =
            self.wanted.units[..=last].iter().rposition(|unit| unit.step != step).map_or(0, |before| before + 1);
        // They may be in any order.
        let calls = self.wanted.units[first..=last].iter().filter_map(Unit::call);
        let mut open: VecDeque<_> = calls
            .flat_map(|call| self.wanted.results_of(call.number).iter().map(move |result| (call, result)))
            .collect();
        while !open.is_empty() {
            while self.unit().is_some_and(|unit| unit.speaker == Speaker::Assistant) && self.skip_loose(None) {}
            let mut find = |speaker| {
                (0..open.len().min(AHEAD)).find(|at| self.result_as_text(open[*at].1, Some(open[*at].0), speaker))
            };
            if let Some(found) = find(Speaker::User) {
                open.remove(found);
            } else if let Some((_, result)) = find(Speaker::Assistant).and_then(|found| open.remove(found)) {
                let detail = "the assistant says a tool result";
                self.report(Reason::SpeakerChanged, Some(result.item.place), None, detail);
            } else if !self.skip_loose(None)
                && let Some((_, result)) = open.pop_front()
            {
                self.missing_text_of(result);
            }
        }
    }

    /// Passes the text that stands in for the result of a call that nothing answered, where the target has no tools.
    pub(super) fn skip_stand_in(&mut self) -> bool {
        let Some(call) = self.unanswered else { return false };
        let names = Names::of_call(call);
        let Some(Unit { kind: Kind::Text(_), speaker: Speaker::User, .. }) = self.unit() else { return false };
        if self.take_note(About::StandIn, &names.with("error tool result of"), None).is_none() {
            return false;
        }
        self.accepts(Equivalence::StandIn)
    }

    /// Passes what an item of another provider says, where the target has no tools.
    pub(super) fn skip_loose(&mut self, next: Option<Unit<'o, 'a>>) -> bool {
        let Some(unit) = self.unit() else { return false };
        let end = next.and_then(|next| next.text());
        (0..self.loose.len()).rev().any(|at| {
            let found = match unit.kind {
                Kind::Text(_) => {
                    let strings = Rc::clone(&self.loose[at].strings);
                    let mut said = self.loose[at].said.clone();
                    let start = self.cursor.clone();
                    if self.provider_part(&strings, About::Content, end, &mut said) && said.has_any() {
                        self.loose[at].said = said;
                        true
                    } else {
                        self.cursor = start;
                        self.provider_note(&strings, About::Content, end)
                    }
                }
                Kind::Media(media) if provider::has_media(self.loose[at].provider, media) => {
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
}

/// An item of another provider whose texts and media the answer may have, where the target has no tools.
pub(super) struct Loose<'o, 'a> {
    provider: &'o Provider<'a>,
    strings: Rc<provider::Strings>,
    /// The strings that were said. A message holds one text: all of them may be several
    said: provider::Said,
}

impl<'o, 'a> Loose<'o, 'a> {
    pub(super) fn new(provider: &'o Provider<'a>) -> Self {
        Self { provider, strings: Rc::new(provider::Strings::new(provider)), said: provider::Said::default() }
    }
}

/// Returns whether a text is the arguments of a call.
fn is_arguments(call: &Call<'_>, text: &str) -> bool {
    let other = Call { number: 0, id: None, name: "".into(), arguments: Arguments::Text(text.into()) };
    arguments(call, &other).is_some_and(|relation| relation < Relation::Rounded)
}

/// Returns whether a text is an object of a call: its name and its arguments, and nothing else but its id and type.
fn is_call(call: &Call<'_>, text: &str) -> bool {
    let Ok(json) = Json::parse(text, &Limits::default()) else { return false };
    let (mut is_named, mut has_arguments) = (false, false);
    for (key, value) in json.root().members() {
        match &*key.as_str().unwrap_or_default() {
            "name" | "tool" | "tool_name" | "function" => {
                is_named = value.as_str().is_some_and(|name| name.trim() == call.name.trim());
            }
            "arguments" | "args" | "input" | "parameters" => {
                let text = value.as_str();
                has_arguments = is_arguments(call, text.as_deref().unwrap_or(value.raw()));
            }
            "id" | "type" => {}
            _ => return false,
        }
    }
    is_named && has_arguments
}
