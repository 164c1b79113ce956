//! Items that only one provider knows.

use wirecanon_model::Dialect;

use super::as_text::Loose;
use super::{AHEAD, MOST_OPTIONAL, Matcher, Previous};

use crate::compare::flat::{Kind, Unit};
use crate::compare::value::is_equal;
use crate::compare::words::About;
use crate::compare::{provider, quoted};
use crate::equivalence::Equivalence;
use crate::observation::{Content, Provider, Speaker};
use crate::reason::Reason;

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Matches an item that one provider knows.
    pub(super) fn provider(&mut self, at: usize, want: Unit<'o, 'a>, provider: &'o Provider<'a>) {
        // The instructions of the canonical dialect are text.
        let is_kept = self.answer.dialect == Dialect::Canonical && want.speaker != Speaker::System;
        if provider.is_of(self.answer.dialect) || is_kept {
            loop {
                let Some(unit) = self.unit() else {
                    self.missing(want);
                    return;
                };
                let is_same = match unit.kind {
                    Kind::Provider(other) => provider::is_same(provider, other),
                    _ => is_equal(provider.value, unit.item.place),
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
            self.loose.push_back(Loose::new(provider));
            if self.loose.len() > MOST_OPTIONAL {
                self.loose.pop_front();
            }
            return;
        }
        let is_text = |unit: Unit<'_, '_>| matches!(unit.kind, Kind::Text(_)) && unit.speaker == want.speaker;
        // Calls that a provider ran stand behind the texts of their turn in one conversation, and where they were made in another.
        while let Some(unit) = self.unit() {
            let is_passed = match unit.kind {
                Kind::Call(call) if self.optional_call(unit, call) => {
                    self.cursor.next();
                    true
                }
                _ => unit.speaker != want.speaker && self.skip_filler(),
            };
            if !is_passed {
                break;
            }
        }
        // Instructions may be text of the user, with a mark.
        if want.speaker == Speaker::System
            && self.unit().is_some_and(|unit| unit.speaker == Speaker::User)
            && self.provider_text(&provider::Strings::new(provider), About::System, self.head_of_next(at))
        {
            self.comparison.uses(Equivalence::MarkedInstructions);
            return;
        }
        if self.unit().is_some_and(is_text) {
            let end = self.head_of_next(at);
            if self.provider_text(&provider::Strings::new(provider), About::Content, end) {
                self.previous = Some(Previous::Said(want.speaker));
            }
        }
    }

    /// Finds a provider's item further down in the answer.
    pub(super) fn resolve_provider(&mut self, at: usize, want: Unit<'o, 'a>, provider: &'o Provider<'a>) {
        let found = self.given.units.iter().enumerate().skip(self.cursor.at).take(AHEAD).find(|(found, unit)| {
            !self.claimed.contains(found)
                && matches!(unit.kind, Kind::Provider(other) if provider::is_same(provider, other))
        });
        match found {
            Some((found, unit)) => {
                let unit = *unit;
                let mut passed =
                    (self.cursor.at..found).filter(|at| !self.claimed.contains(at)).map(|at| self.given.units[at].kind);
                // Its place among the texts and calls of the assistant is free, and that of a result among others is.
                let is_moved = if want.speaker == Speaker::Assistant {
                    passed.any(|kind| matches!(kind, Kind::Provider(_)))
                } else {
                    let holds_result = |provider: &Provider<'_>| {
                        provider.readable.iter().any(|item| matches!(item.content, Content::Result(_)))
                    };
                    !holds_result(provider)
                        || passed.any(|kind| !matches!(kind, Kind::Provider(other) if holds_result(other)))
                };
                self.claimed.insert(found);
                self.matched(want, unit);
                if is_moved {
                    let places = (Some(want.item.place), Some(unit.item.place));
                    let detail = format!("item `{}` is at another place", provider.kind);
                    self.report(Reason::TurnOrderChanged, places.0, places.1, detail);
                }
            }
            None if provider::may_be_refused(
                provider,
                self.wanted,
                self.target,
                provider::holds_calls(self.expected),
            ) =>
            {
                self.comparison.uses(Equivalence::ProviderItem);
                let end = self.head_of_next(at);
                if self.unit().is_some_and(|unit| matches!(unit.kind, Kind::Text(_)) && unit.speaker == want.speaker)
                    && self.provider_text(&provider::Strings::new(provider), About::Content, end)
                {
                    self.previous = Some(Previous::Said(want.speaker));
                }
            }
            None => self.missing(want),
        }
    }

    /// Matches an item of the provider that is expected further down in the same turn: its place among the texts is free.
    pub(super) fn takes_early_item(&mut self, at: usize, want: Unit<'o, 'a>, unit: Unit<'o, 'a>) -> bool {
        let Kind::Provider(other) = unit.kind else { return false };
        if want.speaker != Speaker::Assistant {
            return false;
        }
        // Items of the provider stay in order among themselves.
        let ahead = self.wanted.units.iter().enumerate().skip(at + 1).take(AHEAD);
        let found = ahead
            .take_while(|(_, next)| next.step == want.step)
            .find(|(found, next)| !self.satisfied.contains(found) && matches!(next.kind, Kind::Provider(_)));
        let Some((found, next)) = found.map(|(found, next)| (found, *next)) else { return false };
        if !matches!(next.kind, Kind::Provider(provider) if provider::is_same(provider, other)) {
            return false;
        }
        self.satisfied.insert(found);
        self.matched(next, unit);
        self.cursor.next();
        true
    }

    /// Compares the references of two items of one provider: a result must name the call that the answer has for its own.
    pub(super) fn references(&mut self, want: Unit<'o, 'a>, unit: Unit<'o, 'a>) {
        let (Kind::Provider(provider), Kind::Provider(other)) = (want.kind, unit.kind) else { return };
        let has_stored_calls = provider::holds_calls(self.expected);
        for (item, other) in provider.readable.iter().zip(&other.readable) {
            match (&item.content, &other.content) {
                (Content::Call(call), Content::Call(other)) => {
                    if let Some(id) = call.id.as_deref() {
                        self.ids.insert(id, other.id.as_deref());
                    }
                }
                (Content::Result(result), Content::Result(other)) => {
                    let Some(id) = result.id.as_deref() else { continue };
                    let is_stored = has_stored_calls && !self.wanted.called.contains(id);
                    let known = self.ids.get(id).copied().or(is_stored.then_some(Some(id)));
                    if let Some(known) = known.filter(|known| *known != other.id.as_deref()) {
                        let detail = format!(
                            "expected a result of call {}, got {}",
                            quoted(known.unwrap_or_default()),
                            quoted(other.id.as_deref().unwrap_or_default())
                        );
                        let places = (Some(want.item.place), Some(unit.item.place));
                        self.report(Reason::ReferenceDangling, places.0, places.1, detail);
                    }
                }
                _ => {}
            }
        }
    }
}
