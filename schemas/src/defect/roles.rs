//! Messages in the wrong place, or of no known role.

use super::{of_role, one};
use crate::generate::node::Node;
use crate::generate::plan::{Field, Message, Part, Plan, Role, Text};
use crate::generate::{Dialect, Draw};

/// A role that no dialect knows.
pub(super) fn role(draw: &mut Draw<'_, '_>, plan: &mut Plan, wrong: usize) -> Option<()> {
    let place = one(draw, &of_role(plan, Role::User))?;
    plan.forget_message(place);
    plan.messages[place].spelled_role = match wrong {
        0 => Field::Missing,
        1 => Field::Instead(Node::from("narrator")),
        2 => Field::Instead(Node::Null),
        _ => Field::Instead(Node::Raw("3".to_owned())),
    };
    plan.may_refuse |= plan.messages.len() < 3;
    Some(())
}

/// The conversation without its first user message.
pub(super) fn headless(_: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let place = *of_role(plan, Role::User).first()?;
    if plan.messages.len() < 2 {
        return None;
    }
    plan.forget_message(place);
    plan.messages.remove(place);
    Some(())
}

/// Instructions in mid-conversation.
pub(super) fn late_system(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let token = plan.token();
    plan.keep(&token);
    let text = Text { body: format!("from now on {token}"), token, spelled: Field::Natural, twice: false };
    let place = draw.up_to(plan.messages.len());
    plan.messages.insert(place, Message::new(Role::System, vec![Part::Text(text)]));
    Some(())
}
