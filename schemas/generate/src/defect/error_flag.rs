//! Error flags that are no booleans.

use super::dialects::{canonical, flagged};
use super::place::{message, outcome};
use super::{Defect, Site, exact, instead};
use crate::node::{Node, raw};
use crate::plan::Field;

const RULES: &[&str] = &["error-flag-not-a-boolean"];

pub(super) const ROWS: &[Defect] = &[
    exact("error-flag-missing", RULES, "A result does not say whether it is an error.", canonical, |on| {
        flag(on, Field::Missing, false)
    }),
    exact("error-flag-null", RULES, "The error flag is null.", flagged, |on| flag(on, instead(Node::Null), false)),
    exact("error-flag-text", RULES, "The error flag is a text.", flagged, |on| {
        let text = on.draw.pick(&["true", "false", "yes", ""]);
        flag(on, instead(text), text == "true")
    }),
    exact("error-flag-number", RULES, "The error flag is a number.", flagged, |on| {
        let number = on.draw.pick(&["1", "0", "2"]);
        flag(on, instead(raw(number)), number == "1")
    }),
    exact("error-flag-list", RULES, "The error flag is a list.", flagged, |on| {
        flag(on, instead(Node::Array(vec![Node::Bool(true)])), false)
    }),
];

fn flag(on: &mut Site<'_, '_>, written: Field, is_error: bool) -> Option<()> {
    let place = message(on, |message| message.answer.is_some())?;
    on.plan.messages[place].answer.as_mut()?.spelled_error = written;
    outcome(on.plan, place)?.answer.as_mut()?.is_error = is_error;
    Some(())
}
