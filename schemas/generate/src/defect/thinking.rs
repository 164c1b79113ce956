//! Reasoning whose seal is wrong.

use super::dialects::signed;
use super::place::{outcome_part, part};
use super::{Defect, exact, property};
use crate::Draw;
use crate::node::Node;
use crate::plan::{Field, Part, Plan};

const CLASS: &str = "thinking-reasoning";

pub(super) const ROWS: &[Defect] = &[
    exact(CLASS, "seal-missing", &[], "The seal of reasoning is gone; its words stay.", signed, |draw, plan, _| {
        seal(draw, plan, Field::Missing)
    }),
    property(CLASS, "seal-blank", &[], "The seal of reasoning is white space.", signed, |draw, plan, _| {
        seal(draw, plan, Field::Instead(Node::from(" ")))
    }),
    property(CLASS, "seal-not-a-string", &[], "The seal of reasoning is no string.", signed, |draw, plan, _| {
        let wrong = super::extra_fields::junk(draw);
        seal(draw, plan, Field::Instead(wrong))
    }),
];

fn seal(draw: &mut Draw<'_, '_>, plan: &mut Plan, written: Field) -> Option<()> {
    let (place, part) = part(draw, plan, |_, part| matches!(part, Part::Thinking(thinking) if !thinking.sealed))?;
    let Part::Thinking(thinking) = &mut plan.messages[place].parts[part] else { return None };
    thinking.spelled_signature = written;
    let token = thinking.token.clone();
    plan.forget(&token);
    if let Part::Thinking(out) = outcome_part(plan, place, part)? {
        out.signature.clear();
    }
    Some(())
}
