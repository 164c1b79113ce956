//! Reasoning whose seal is wrong.

use super::dialects::signed;
use super::place::{outcome_part, part};
use super::{Defect, Site, exact, instead, property};
use crate::plan::{Field, Part};

pub(super) const ROWS: &[Defect] = &[
    exact("seal-missing", &[], "The seal of reasoning is gone; its words stay.", signed, |on| seal(on, Field::Missing)),
    property("seal-blank", "The seal of reasoning is white space.", signed, |on| seal(on, instead(" "))),
    property("seal-not-a-string", "The seal of reasoning is no string.", signed, |on| {
        let wrong = super::extra_fields::junk(&mut on.draw);
        seal(on, instead(wrong))
    }),
];

fn seal(on: &mut Site<'_, '_>, written: Field) -> Option<()> {
    let (place, part) = part(on, |_, part| matches!(part, Part::Thinking(thinking) if !thinking.sealed))?;
    let Part::Thinking(thinking) = &mut on.plan.messages[place].parts[part] else { return None };
    thinking.spelled_signature = written;
    let token = thinking.token.clone();
    on.plan.forget(&token);
    if let Part::Thinking(out) = outcome_part(on.plan, place, part)? {
        out.signature.clear();
    }
    Some(())
}
