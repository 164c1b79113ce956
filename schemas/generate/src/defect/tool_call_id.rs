//! Ids that are missing, padded, or the same twice.

use super::dialects::calls;
use super::place::{Exchange, call_at, call_of, exchange, exchanges, one, outcome_call, outcome_result, pair};
use super::{Defect, exact};
use crate::Draw;
use crate::node::Node;
use crate::plan::{Field, Plan};

const CLASS: &str = "tool-call-id";
const WITHOUT: &[&str] = &["tool-call-without-id"];
const WHITE_SPACE: &[&str] = &["tool-call-id-white-space"];

pub(super) const ROWS: &[Defect] = &[
    exact(CLASS, "call-id-missing", WITHOUT, "A call has no id; its result has one.", calls, |draw, plan, _| {
        without(draw, plan, Field::Missing)
    }),
    exact(CLASS, "call-id-null", WITHOUT, "A call's id is null; its result has one.", calls, |draw, plan, _| {
        without(draw, plan, Field::Instead(Node::Null))
    }),
    exact(CLASS, "call-id-empty", WITHOUT, "A call's id is empty; its result has one.", calls, |draw, plan, _| {
        without(draw, plan, Field::Instead(Node::from("")))
    }),
    exact(
        CLASS,
        "call-id-blank",
        WITHOUT,
        "A call's id is white space; its result has one.",
        calls,
        |draw, plan, _| without(draw, plan, Field::Instead(Node::from(" \t"))),
    ),
    exact(
        CLASS,
        "call-id-white-space",
        WHITE_SPACE,
        "White space stands around the id of a call.",
        calls,
        |draw, plan, _| {
            let (exchange, number, part) = a_call(draw, plan)?;
            let id = padded(draw, &plan.messages[exchange.results[number]].answer.as_ref()?.id);
            call_at(plan, exchange.turn, part)?.spelled_id = id;
            Some(())
        },
    ),
    exact(
        CLASS,
        "result-id-white-space",
        WHITE_SPACE,
        "White space stands around the id of a result.",
        calls,
        |draw, plan, _| {
            let (exchange, number, _) = a_call(draw, plan)?;
            let answer = plan.messages[exchange.results[number]].answer.as_mut()?;
            answer.spelled_id = padded(draw, &answer.id);
            Some(())
        },
    ),
    exact(CLASS, "id-number", WHITE_SPACE, "A call and its result have a number for an id.", calls, |draw, plan, _| {
        let (exchange, number, part) = a_call(draw, plan)?;
        let digits = format!("70{}", plan.number());
        let call = call_at(plan, exchange.turn, part)?;
        call.spelled_id = Field::Instead(Node::Raw(digits.clone()));
        let token = call.token.clone();
        // Either may have spelled it as a text.
        let text = draw.chance(1, 2);
        let written = if text { Node::from(digits.as_str()) } else { Node::Raw(digits.clone()) };
        plan.messages[exchange.results[number]].answer.as_mut()?.spelled_id = Field::Instead(written);
        plan.forget_call(&token);
        outcome_call(plan, &token)?.id.clone_from(&digits);
        outcome_result(plan, &token)?.answer.as_mut()?.id = digits;
        Some(())
    }),
    exact(CLASS, "id-in-two-turns", &[], "Two turns use one id: each pairs its own.", calls, |draw, plan, _| {
        let found = exchanges(plan, 1);
        let from = one(draw, &(0..found.len()).collect::<Vec<_>>())?;
        let others: Vec<_> = (0..found.len()).filter(|other| *other != from).collect();
        let to = one(draw, &others)?;
        let (from, to) = (&found[from], &found[to]);
        let id = plan.messages[from.turn].calls().next()?.id.clone();
        pair(plan, from);
        pair(plan, to);
        rename(draw, plan, to, &id)
    }),
    exact(
        CLASS,
        "id-twice-in-a-turn",
        &["duplicate-tool-call-id"],
        "Two calls of a turn have one id.",
        calls,
        |draw, plan, _| {
            let exchange = exchange(draw, plan, 2)?;
            let ids: Vec<_> = plan.messages[exchange.turn].calls().map(|call| call.id.clone()).collect();
            let tokens: Vec<_> = plan.messages[exchange.turn].calls().map(|call| call.token.clone()).collect();
            let first = draw.up_to(ids.len() - 2);
            let second = first + 1 + draw.up_to(ids.len() - 2 - first);
            spell(plan, &exchange, second, &ids[first])?;
            for place in [first, second] {
                plan.forget_call(&tokens[place]);
            }
            // Paired in order of appearance; the later one gets the next free number.
            let taken = plan.ids();
            let new = (2..=taken.len() + 2)
                .map(|number| format!("{}_{number}", ids[first]))
                .find(|id| !taken.contains(id))?;
            outcome_call(plan, &tokens[second])?.id.clone_from(&new);
            outcome_result(plan, &tokens[second])?.answer.as_mut()?.id = new;
            Some(())
        },
    ),
];

fn a_call(draw: &mut Draw<'_, '_>, plan: &mut Plan) -> Option<(Exchange, usize, usize)> {
    let exchange = exchange(draw, plan, 1)?;
    let (number, part) = call_of(draw, plan, exchange.turn)?;
    Some((exchange, number, part))
}

/// A call has the id of the one result that can only be its own.
fn without(draw: &mut Draw<'_, '_>, plan: &mut Plan, written: Field) -> Option<()> {
    let (exchange, _, part) = a_call(draw, plan)?;
    call_at(plan, exchange.turn, part)?.spelled_id = written;
    plan.loose_call = true;
    Some(())
}

fn padded(draw: &mut Draw<'_, '_>, id: &str) -> Field {
    let (front, back) = draw.pick(&[(" ", " "), ("", "\n"), ("\t", "")]);
    Field::Instead(Node::from(format!("{front}{id}{back}")))
}

/// Gives any call of an exchange, and its result, another id.
fn rename(draw: &mut Draw<'_, '_>, plan: &mut Plan, exchange: &Exchange, id: &str) -> Option<()> {
    let (number, part) = call_of(draw, plan, exchange.turn)?;
    let token = call_at(plan, exchange.turn, part)?.token.clone();
    spell(plan, exchange, number, id)?;
    for call in plan.calls.iter_mut().filter(|call| call.token == token) {
        id.clone_into(&mut call.id);
    }
    id.clone_into(&mut outcome_call(plan, &token)?.id);
    id.clone_into(&mut outcome_result(plan, &token)?.answer.as_mut()?.id);
    Some(())
}

/// Writes another id in the call of this number, and in its result.
fn spell(plan: &mut Plan, exchange: &Exchange, number: usize, id: &str) -> Option<()> {
    let field = Field::Instead(Node::from(id));
    plan.messages[exchange.results[number]].answer.as_mut()?.spelled_id = field.clone();
    plan.messages[exchange.turn].calls_mut().nth(number)?.spelled_id = field;
    Some(())
}
