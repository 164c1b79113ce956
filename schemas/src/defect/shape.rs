//! Values of the wrong kind.

use super::{of_role, one, parts};
use crate::generate::node::{Node, object};
use crate::generate::plan::{Field, Message, Part, Plan, Role, Text};
use crate::generate::{Dialect, Draw};

fn junk(draw: &mut Draw<'_, '_>) -> Node {
    match draw.up_to(11) {
        0 => Node::Null,
        1 => Node::Bool(true),
        2 => Node::Raw("0".to_owned()),
        3 => Node::Raw("-1e999".to_owned()),
        4 => Node::from(""),
        5 => Node::from("text"),
        6 => Node::Array(vec![]),
        7 => Node::Array(vec![Node::Null]),
        8 => object([]),
        9 => object([("type", Node::from("image")), ("data", Node::Null)]),
        10 => Node::Raw("[".repeat(40) + &"]".repeat(40)),
        _ => object([("type", Node::from("toolCall")), ("id", Node::from("j")), ("name", Node::from("junk"))]),
    }
}

/// A text that is no string.
pub(super) fn text(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let places = parts(plan, |part| matches!(part, Part::Text(_)));
    if places.is_empty() {
        return None;
    }
    let (message, part) = draw.pick(&places);
    let wrong = junk(draw);
    let Part::Text(text) = &mut plan.messages[message].parts[part] else { return None };
    text.spelled = Field::Instead(wrong);
    let token = text.token.clone();
    plan.forget(&token);
    Some(())
}

/// A field that nobody knows.
pub(super) fn extra_field(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let value = junk(draw);
    let key = draw.pick(&["x-note", "index", "cache", "refusal", "__proto__", ""]);
    let place = draw.up_to(plan.messages.len().checked_sub(1)?);
    plan.messages[place].extra.push((key.to_owned(), value));
    Some(())
}

/// Content that is no content.
pub(super) fn content(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let mut places = of_role(plan, Role::User);
    places
        .extend(of_role(plan, Role::Assistant).iter().filter(|place| plan.messages[**place].calls().next().is_none()));
    let place = one(draw, &places)?;
    plan.forget_message(place);
    plan.messages[place].content = if draw.chance(1, 4) { Field::Missing } else { Field::Instead(junk(draw)) };
    Some(())
}

/// A blank text.
pub(super) fn blank(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let body = draw.pick(&["", " ", "\n\t"]).to_owned();
    let blank = Part::Text(Text { body, token: String::new(), spelled: Field::Natural, twice: false });
    let place = draw.up_to(plan.messages.len().checked_sub(1)?);
    let alone = draw.chance(1, 3) && plan.messages[place].role != Role::Result;
    if alone {
        let role = draw.pick(&[Role::User, Role::Assistant]);
        plan.messages.insert(place + 1, Message::new(role, vec![blank]));
    } else {
        let parts = &mut plan.messages[place].parts;
        let at = draw.up_to(parts.len());
        parts.insert(at, blank);
    }
    Some(())
}

/// A message that is no object, or an object that is no message.
pub(super) fn odd_message(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let node = junk(draw);
    let mut message = Message::new(Role::User, vec![Part::Raw(node, String::new())]);
    message.spelled_role = if draw.chance(1, 2) { Field::Missing } else { Field::Natural };
    let place = draw.up_to(plan.messages.len());
    plan.messages.insert(place, message);
    Some(())
}

/// Reasoning whose seal is gone.
pub(super) fn seal(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let places = parts(plan, |part| matches!(part, Part::Thinking(_)));
    if places.is_empty() {
        return None;
    }
    let (message, part) = draw.pick(&places);
    let wrong = if draw.chance(1, 2) { Field::Missing } else { Field::Instead(Node::from(" ")) };
    let Part::Thinking(thinking) = &mut plan.messages[message].parts[part] else { return None };
    thinking.spelled_signature = wrong;
    let token = thinking.token.clone();
    plan.forget(&token);
    Some(())
}

/// Another value, anywhere in the document.
pub(super) fn anywhere(draw: &mut Draw<'_, '_>, root: &mut Node) {
    let mut at = root;
    loop {
        let stop = draw.chance(1, 4);
        let (down, children) = match at {
            Node::Array(items) => (!stop, items.len()),
            Node::Object(members) => (!stop, members.len()),
            _ => (false, 0),
        };
        if !down || children == 0 {
            *at = junk(draw);
            return;
        }
        let place = draw.up_to(children - 1);
        at = match at {
            Node::Array(items) => &mut items[place],
            Node::Object(members) => &mut members[place].1,
            _ => return,
        };
    }
}
