//! What goes by in the messages of any dialect with roles: whose turn it is, and which calls have results.

use std::borrow::Cow;

use crate::input::Messages;
use crate::judge::Judge;
use crate::pairing::{Answer, Asks, Pairing};
use crate::shape::{self, Order};
use wirecanon_json::Value;

/// Calls and results, and the order of turns.
pub(super) struct Turns<'a> {
    pub(super) pairing: Pairing<'a>,
    pub(super) order: Order<'a>,
}

impl<'a> Turns<'a> {
    /// Results may stand in any order, and need no name.
    pub(super) fn new(judge: &Judge<'_>) -> Self {
        Self::asking(Asks { unique: judge.target.ids.unique, ordered: false, named: false })
    }

    pub(super) fn asking(asks: Asks) -> Self {
        Self { pairing: Pairing::new(asks), order: Order::default() }
    }

    /// The role of the next message; says what is wrong with any other, which ends a run of results.
    pub(super) fn role(&mut self, judge: &mut Judge<'_>, message: Value<'a>, known: &[&str]) -> Option<Cow<'a, str>> {
        let role = shape::role(judge, message, known);
        if role.is_none() {
            self.pairing.other();
        }
        role
    }

    /// A message of this role begins.
    pub(super) fn begin(&mut self, judge: &mut Judge<'_>, message: Value<'a>, role: &str) {
        match role {
            "system" | "developer" => self.order.system(judge, message),
            _ => self.order.message(judge, message, role == "assistant"),
        }
        match role {
            "assistant" => self.pairing.turn(false),
            "tool" | "toolResult" => {}
            _ => self.pairing.other(),
        }
    }

    /// A result, which says its call under `key` and no name; `place` is what a violation points at.
    pub(super) fn result(&mut self, judge: &mut Judge<'_>, place: Value<'a>, key: &str) {
        if let Some((_, id)) = crate::call::result_id(judge, place, key) {
            self.pairing.result(judge, Answer { place, id, name: None });
        }
    }

    /// The end of the transcript.
    pub(super) fn finish(self, judge: &mut Judge<'_>, messages: &Messages<'_>) {
        self.pairing.finish(judge);
        self.order.finish(judge, messages.place, false);
    }
}
