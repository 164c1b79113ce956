//! What streaming leaves behind.

use super::dialects::calls;
use super::pairing::{drop_call, remove};
use super::place::{call_at, call_of, change, exchange, is_free, outcome_call};
use super::{Defect, Site, exact};
use crate::Draw;
use crate::node::{Node, raw};

const MARKER: &[&str] = &["streaming-marker"];

pub(super) const ROWS: &[Defect] = &[
    exact("marker-partial-json", MARKER, "An answered call still has the text it was streamed from.", calls, |on| {
        marked(on, ("partialJson", Node::from("{\"q\":")), false)
    }),
    exact("marker-partial", MARKER, "An answered call is still marked as partial.", calls, |on| {
        let value = on.draw.pick(&[true, false]);
        marked(on, ("partial", if value { Node::Bool(true) } else { Node::from("true") }), false)
    }),
    exact("marker-incomplete", MARKER, "An answered call is still marked as incomplete.", calls, |on| {
        let value = on.draw.pick(&["true", "1", "-0.5"]);
        marked(on, ("incomplete", raw(value)), false)
    }),
    exact(
        "unfinished-call",
        &["unfinished-tool-call"],
        "A call that nobody answered is marked as unfinished: it goes, and nothing stands in for an answer.",
        calls,
        |on| {
            let exchange = exchange(on, 1)?;
            let (number, part) = call_of(on, exchange.turn)?;
            let result = on.draw.one(&[exchange.results[number]]).filter(|place| is_free(on.plan, *place))?;
            change(on.plan, result);
            change(on.plan, exchange.turn);
            let (key, value) = a_mark(&mut on.draw);
            let call = call_at(on.plan, exchange.turn, part)?;
            call.extra.push((key.to_owned(), value));
            let token = call.token.clone();
            remove(on.plan, result);
            drop_call(on.plan, exchange.turn - usize::from(result < exchange.turn), &token)
        },
    ),
    exact("marker-index", &[], "A call still has its index in the stream, which marks nothing.", calls, |on| {
        marked(on, ("index", raw("0")), true)
    }),
    exact("marker-null", &[], "A call has a mark that says no.", calls, |on| {
        let (key, value) = on.draw.pick(&[("partialJson", "null"), ("partial", "false"), ("incomplete", "0")]);
        marked(on, (key, raw(value)), true)
    }),
];

fn a_mark(draw: &mut Draw<'_, '_>) -> (&'static str, Node) {
    match draw.up_to(4) {
        0 => ("partialJson", Node::from("{\"q\":")),
        1 => ("partial", Node::Bool(true)),
        2 => ("partial", Node::from("true")),
        3 => ("incomplete", Node::Bool(true)),
        _ => ("incomplete", raw("1")),
    }
}

/// A mark on a call that was answered: the call stays, and what is no mark stays with it.
fn marked(on: &mut Site<'_, '_>, (key, value): (&str, Node), stays: bool) -> Option<()> {
    let exchange = exchange(on, 1)?;
    let (_, part) = call_of(on, exchange.turn)?;
    let call = call_at(on.plan, exchange.turn, part)?;
    let token = call.token.clone();
    call.extra.push((key.to_owned(), value.clone()));
    if stays {
        outcome_call(on.plan, &token)?.extra.push((key.to_owned(), value));
    }
    Some(())
}
