//! Items that only one provider knows.

use std::rc::Rc;

use wirecanon_model::Dialect;

use super::{AHEAD, MOST_OPTIONAL, Matcher, Previous};

use crate::compare::flat::{Kind, Unit};
use crate::compare::provider;
use crate::compare::value::is_equal;
use crate::compare::words::About;
use crate::equivalence::Equivalence;
use crate::observation::{Content, Provider, Speaker};
use crate::reason::Reason;

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Matches an item that one provider knows.
    pub(super) fn provider(&mut self, at: usize, want: Unit<'o, 'a>, provider: &'o Provider<'a>) {
        // The instructions of the canonical dialect are text.
        let is_kept = self.answer.dialect == Dialect::Canonical && want.speaker != Speaker::System;
        if provider.dialect == self.answer.dialect || is_kept {
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
            self.loose.push_back((provider, Rc::new(provider::Words::new(provider))));
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
            && self.provider_text(&provider::Words::new(provider), About::System, self.head_of_next(at))
        {
            self.comparison.uses(Equivalence::MarkedInstructions);
            return;
        }
        if self.unit().is_some_and(is_text) {
            let end = self.head_of_next(at);
            if self.provider_text(&provider::Words::new(provider), About::Content, end) {
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
            None if provider::may_be_refused(provider, self.wanted, self.target) => {
                self.comparison.uses(Equivalence::ProviderItem);
                let end = self.head_of_next(at);
                if self.unit().is_some_and(|unit| matches!(unit.kind, Kind::Text(_)) && unit.speaker == want.speaker)
                    && self.provider_text(&provider::Words::new(provider), About::Content, end)
                {
                    self.previous = Some(Previous::Said(want.speaker));
                }
            }
            None => self.missing(want),
        }
    }
}
