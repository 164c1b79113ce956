//! Fields that nobody knows.

use super::dialects::{any, canonical};
use super::place::message;
use super::{Defect, exact, property};
use crate::Draw;
use crate::node::{Node, object, raw};

pub(super) const ROWS: &[Defect] = &[
    property("unknown-field", "A message has a field that nobody knows.", any, |on| {
        let value = junk(&mut on.draw);
        let key = on.draw.pick(&["x-note", "index", "cache", "refusal", "__proto__", ""]);
        let place = message(on, |_| true)?;
        on.plan.messages[place].extra.push((key.to_owned(), value));
        Some(())
    }),
    exact(
        "native-not-an-object",
        &["native-malformed"],
        "What other dialects know of a message is no object of objects.",
        canonical,
        |on| {
            let place = message(on, |_| true)?;
            let value = match on.draw.up_to(3) {
                0 => raw("5"),
                1 => Node::from("anthropic.messages"),
                2 => Node::Array(vec![]),
                _ => object([("openclaw", Node::Bool(true))]),
            };
            on.plan.messages[place].extra.push(("native".to_owned(), value));
            Some(())
        },
    ),
];

/// A value that is hardly ever right.
pub(super) fn junk(draw: &mut Draw<'_, '_>) -> Node {
    match draw.up_to(11) {
        0 => Node::Null,
        1 => Node::Bool(true),
        2 => raw("0"),
        3 => raw("-1e999"),
        4 => Node::from(""),
        5 => Node::from("text"),
        6 => Node::Array(vec![]),
        7 => Node::Array(vec![Node::Null]),
        8 => Node::Object(vec![]),
        9 => object([("type", Node::from("image")), ("data", Node::Null)]),
        10 => Node::Raw("[".repeat(40) + &"]".repeat(40)),
        _ => object([("type", "toolCall"), ("id", "j"), ("name", "junk")]),
    }
}
