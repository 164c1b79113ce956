//! Fields that nobody knows.

use super::dialects::{any, canonical};
use super::place::message;
use super::{Defect, exact, property};
use crate::Draw;
use crate::node::{Node, object};

const CLASS: &str = "extra-fields";

pub(super) const ROWS: &[Defect] = &[
    property(CLASS, "unknown-field", &[], "A message has a field that nobody knows.", any, |draw, plan, _| {
        let value = junk(draw);
        let key = draw.pick(&["x-note", "index", "cache", "refusal", "__proto__", ""]);
        let place = message(draw, plan, |_| true)?;
        plan.messages[place].extra.push((key.to_owned(), value));
        Some(())
    }),
    exact(
        CLASS,
        "native-not-an-object",
        &["native-malformed"],
        "What other dialects know of a message is no object of objects.",
        canonical,
        |draw, plan, _| {
            let place = message(draw, plan, |_| true)?;
            let value = match draw.up_to(3) {
                0 => Node::Raw("5".to_owned()),
                1 => Node::from("anthropic.messages"),
                2 => Node::Array(vec![]),
                _ => object([("openclaw", Node::Bool(true))]),
            };
            plan.messages[place].extra.push(("native".to_owned(), value));
            Some(())
        },
    ),
];

/// A value that is hardly ever right.
pub(super) fn junk(draw: &mut Draw<'_, '_>) -> Node {
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
