//! Calls and results as text, where the target has no tools.

use std::collections::VecDeque;

use super::calls::{arguments, text_of};
use super::{AHEAD, MOST_NOTES, Matcher, Previous};

use crate::compare::flat::{Kind, Unit};
use crate::compare::provider;
use crate::compare::value::{Relation, json_length};
use crate::compare::words::{About, Names, is_note};
use crate::equivalence::Equivalence;
use crate::observation::{Arguments, Call, Speaker};

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    pub(super) fn call_as_text(&mut self, at: usize, want: Unit<'o, 'a>, call: &'o Call<'a>) {
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
    pub(super) fn take_call(&mut self, call: &'o Call<'a>, names: &Names) -> bool {
        let start = self.cursor.clone();
        if self.unit().is_none_or(|unit| unit.speaker != Speaker::Assistant) {
            return false;
        }
        let has_name = |note: &str| note.contains(call.name.trim());
        let mut note = String::new();
        for _ in 0..MOST_NOTES {
            let rest = self.cursor.rest();
            let json = rest.find('{').map_or(rest.len(), |json| json);
            if self.cursor.is_within_line() || !is_note(&rest[..json], About::Content, names) {
                break;
            }
            note.push_str(&rest[..json]);
            if json == rest.len() {
                self.cursor.next();
                continue;
            }
            let length = json_length(&rest[json..]);
            let text = Arguments::Text(rest[json..json + length].into());
            let other = Call { number: 0, id: None, name: "".into(), arguments: text };
            if has_name(&note) && arguments(call, &other).is_some_and(|relation| relation < Relation::Rounded) {
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

    /// Passes the text that stands in for the result of a call that nothing answered, where the target has no tools.
    pub(super) fn skip_stand_in(&mut self) -> bool {
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
    pub(super) fn skip_loose(&mut self, next: Option<Unit<'o, 'a>>) -> bool {
        let Some(unit) = self.unit() else { return false };
        let end = match next.map(|next| next.kind) {
            Some(Kind::Text(text)) => Some(text),
            _ => None,
        };
        (0..self.loose.len()).any(|at| {
            let provider = self.loose[at];
            let found = match unit.kind {
                Kind::Text(_) => self.provider_text(provider, end),
                Kind::Media(media) if provider::has_media(provider, media) => {
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
