//! What streaming leaves behind.

use super::dialects::calls;
use super::pairing::{drop_call, remove};
use super::place::{call_at, call_of, change, exchange, is_free, one, outcome_call};
use super::{Defect, exact};
use crate::Draw;
use crate::node::Node;
use crate::plan::Plan;

const CLASS: &str = "streaming-artifact";
const MARKER: &[&str] = &["streaming-marker"];

pub(super) const ROWS: &[Defect] = &[
    exact(
        CLASS,
        "marker-partial-json",
        MARKER,
        "An answered call still has the text it was streamed from.",
        calls,
        |draw, plan, _| marked(draw, plan, ("partialJson", Node::from("{\"q\":")), false),
    ),
    exact(CLASS, "marker-partial", MARKER, "An answered call is still marked as partial.", calls, |draw, plan, _| {
        let value = draw.pick(&[true, false]);
        marked(draw, plan, ("partial", if value { Node::Bool(true) } else { Node::from("true") }), false)
    }),
    exact(
        CLASS,
        "marker-incomplete",
        MARKER,
        "An answered call is still marked as incomplete.",
        calls,
        |draw, plan, _| {
            let value = draw.pick(&["true", "1", "-0.5"]);
            marked(draw, plan, ("incomplete", Node::Raw(value.to_owned())), false)
        },
    ),
    exact(
        CLASS,
        "unfinished-call",
        &["unfinished-tool-call"],
        "A call that nobody answered is marked as unfinished: it goes, and nothing stands in for an answer.",
        calls,
        |draw, plan, _| {
            let exchange = exchange(draw, plan, 1)?;
            let (number, part) = call_of(draw, plan, exchange.turn)?;
            let result = one(draw, &[exchange.results[number]]).filter(|place| is_free(plan, *place))?;
            change(plan, result);
            change(plan, exchange.turn);
            let (key, value) = a_mark(draw);
            let call = call_at(plan, exchange.turn, part)?;
            call.extra.push((key.to_owned(), value));
            let token = call.token.clone();
            remove(plan, result);
            drop_call(plan, exchange.turn - usize::from(result < exchange.turn), &token)
        },
    ),
    exact(
        CLASS,
        "marker-index",
        &[],
        "A call still has its index in the stream, which marks nothing.",
        calls,
        |draw, plan, _| marked(draw, plan, ("index", Node::Raw("0".to_owned())), true),
    ),
    exact(CLASS, "marker-null", &[], "A call has a mark that says no.", calls, |draw, plan, _| {
        let (key, value) = draw.pick(&[("partialJson", "null"), ("partial", "false"), ("incomplete", "0")]);
        marked(draw, plan, (key, Node::Raw(value.to_owned())), true)
    }),
];

fn a_mark(draw: &mut Draw<'_, '_>) -> (&'static str, Node) {
    match draw.up_to(4) {
        0 => ("partialJson", Node::from("{\"q\":")),
        1 => ("partial", Node::Bool(true)),
        2 => ("partial", Node::from("true")),
        3 => ("incomplete", Node::Bool(true)),
        _ => ("incomplete", Node::Raw("1".to_owned())),
    }
}

/// A mark on a call that was answered: the call stays, and what is no mark stays with it.
fn marked(draw: &mut Draw<'_, '_>, plan: &mut Plan, (key, value): (&str, Node), stays: bool) -> Option<()> {
    let exchange = exchange(draw, plan, 1)?;
    let (_, part) = call_of(draw, plan, exchange.turn)?;
    let call = call_at(plan, exchange.turn, part)?;
    let token = call.token.clone();
    call.extra.push((key.to_owned(), value.clone()));
    if stays {
        outcome_call(plan, &token)?.extra.push((key.to_owned(), value));
    }
    Some(())
}
