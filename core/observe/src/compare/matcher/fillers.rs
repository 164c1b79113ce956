//! Texts that an answer may have although they are not expected.

use std::sync::OnceLock;

use wirecanon_model::{Dialect, Target};

use super::{Matcher, Previous};
use crate::compare::flat::{Kind, Unit};
use crate::compare::words::{About, Names, is_note};
use crate::equivalence::Equivalence;
use crate::observation::{MediaKind, Speaker};

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Passes what an answer may have here although nothing of it is expected.
    pub(super) fn skip(&mut self, next: Option<usize>) -> bool {
        let Some(unit) = self.unit() else { return false };
        if self.skip_added() {
            return true;
        }
        if unit.speaker == Speaker::User && !self.pending.is_empty() && self.take_pending() {
            return true;
        }
        if let Kind::Call(call) = unit.kind
            && self.optional_call(unit, call)
        {
            self.cursor.next();
            return true;
        }
        if unit.speaker == Speaker::User && self.take_label_behind() {
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

    /// Passes a text that the program adds to conversations by itself.
    pub(super) fn skip_added(&mut self) -> bool {
        let adds = self.adds;
        let Some(unit) = self.unit().filter(|unit| !adds.is_empty() && matches!(unit.kind, Kind::Text(_))) else {
            return false;
        };
        if !adds.iter().any(|text| self.cursor.take_text(text, |next| next.speaker == unit.speaker)) {
            return false;
        }
        self.comparison.uses(Equivalence::AddedText);
        self.previous = Some(Previous::Said(unit.speaker));
        true
    }

    /// Passes a neutral text that fills a turn.
    pub(super) fn skip_filler(&mut self) -> bool {
        let Some(unit) = self.unit() else { return false };
        let Kind::Text(text) = unit.kind else { return false };
        let blank = self.blank_for(unit);
        // The mark of instructions without a word.
        if let Some(at) = blank
            && self.blanks[at] == Speaker::System
            && unit.speaker == Speaker::User
            && is_note(text, About::System, &Names::default())
        {
            self.blanks.drain(..=at);
            self.cursor.next();
            return true;
        }
        if self.cursor.offset == 0 && self.is_filler_place(unit) && is_filler(text, unit.speaker) {
            // Each turn without a word has one.
            if let Some(at) = blank {
                self.blanks.drain(..=at);
            }
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

    /// The first of the expected turns without a word that a unit may stand for. Blank instructions within the conversation may be a
    /// message of the user.
    fn blank_for(&self, unit: Unit<'o, 'a>) -> Option<usize> {
        let is_its =
            |blank: &Speaker| *blank == unit.speaker || *blank == Speaker::System && unit.speaker == Speaker::User;
        self.blanks.iter().position(is_its)
    }

    /// Returns whether a server demands, or demanded, a turn or a text here.
    pub(super) fn is_filler_place(&self, unit: Unit<'o, 'a>) -> bool {
        let is_demanded = |targets: &[Target], demand: fn(&Target) -> bool| {
            demand(self.target) || targets.iter().any(|target| target.dialect == self.answer.dialect && demand(target))
        };
        let demands = |demand| is_demanded(Target::all(), demand);
        let some_models_demand = |demand| is_demanded(every_position(), demand);
        if self.blank_for(unit).is_some() {
            return true;
        }
        match (unit.speaker, self.previous, self.given.units.get(self.cursor.at + 1).map(|next| next.speaker)) {
            (Speaker::User, None, Some(Speaker::Assistant)) => {
                // Where the user speaks first, nothing is to be filled.
                let first = self
                    .wanted
                    .units
                    .iter()
                    .find(|want| want.speaker != Speaker::System && !matches!(want.kind, Kind::Blank));
                first.is_none_or(|first| first.speaker != Speaker::User)
                    && some_models_demand(|target| target.order.opens_with_user)
            }
            (Speaker::User, None, None) => demands(|target| target.order.needs_message),
            (Speaker::Assistant, Some(Previous::Call), Some(Speaker::User)) => {
                some_models_demand(|target| !target.order.user_after_tool)
            }
            (Speaker::Assistant, Some(Previous::Said(Speaker::User)), Some(Speaker::User)) => {
                demands(|target| target.order.alternates)
            }
            // These servers refuse to go on with words of the assistant, or did.
            (Speaker::User, Some(Previous::Said(Speaker::Assistant)), None) => matches!(
                self.answer.dialect,
                Dialect::AnthropicMessages | Dialect::BedrockConverse | Dialect::GeminiContents | Dialect::MistralChat
            ),
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
}

/// Every target, as it is and with each of its switches in each position: a server may demand what a model does not.
fn every_position() -> &'static [Target] {
    static ALL: OnceLock<Vec<Target>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        for target in Target::all() {
            all.push(target.clone());
            for switch in &target.switches {
                all.extend(switch.values.iter().filter_map(|value| target.with(&switch.name, &value.name).ok()));
            }
        }
        all
    })
}

/// Returns whether a text is a filler: a neutral phrase, or nothing but dots and brackets.
pub(super) fn is_filler(text: &str, speaker: Speaker) -> bool {
    let about = if speaker == Speaker::Assistant { About::Reply } else { About::Filler };
    text.chars().all(|c| c.is_whitespace() || ".\u{2026}-_*()[]".contains(c)) || is_note(text, about, &Names::default())
}
