//! Error flags that are no booleans.

use super::dialects::{canonical, flagged};
use super::place::{message, outcome};
use super::{Defect, exact};
use crate::Draw;
use crate::node::Node;
use crate::plan::{Field, Plan};

const CLASS: &str = "error-flag";
const RULES: &[&str] = &["error-flag-not-a-boolean"];

pub(super) const ROWS: &[Defect] = &[
    exact(
        CLASS,
        "error-flag-missing",
        RULES,
        "A result does not say whether it is an error.",
        canonical,
        |draw, plan, _| flag(draw, plan, Field::Missing, false),
    ),
    exact(CLASS, "error-flag-null", RULES, "The error flag is null.", flagged, |draw, plan, _| {
        flag(draw, plan, Field::Instead(Node::Null), false)
    }),
    exact(CLASS, "error-flag-text", RULES, "The error flag is a text.", flagged, |draw, plan, _| {
        let text = draw.pick(&["true", "false", "yes", ""]);
        flag(draw, plan, Field::Instead(Node::from(text)), text == "true")
    }),
    exact(CLASS, "error-flag-number", RULES, "The error flag is a number.", flagged, |draw, plan, _| {
        let number = draw.pick(&["1", "0", "2"]);
        flag(draw, plan, Field::Instead(Node::Raw(number.to_owned())), number == "1")
    }),
    exact(CLASS, "error-flag-list", RULES, "The error flag is a list.", flagged, |draw, plan, _| {
        flag(draw, plan, Field::Instead(Node::Array(vec![Node::Bool(true)])), false)
    }),
];

fn flag(draw: &mut Draw<'_, '_>, plan: &mut Plan, written: Field, is_error: bool) -> Option<()> {
    let place = message(draw, plan, |message| message.answer.is_some())?;
    plan.messages[place].answer.as_mut()?.spelled_error = written;
    outcome(plan, place)?.answer.as_mut()?.is_error = is_error;
    Some(())
}
