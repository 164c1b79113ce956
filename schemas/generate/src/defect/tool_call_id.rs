//! Ids that are missing, padded, or the same twice.

use super::dialects::calls;
use super::place::{Exchange, call_at, call_of, exchange, exchanges, outcome_call, outcome_result, pair};
use super::{Defect, Site, exact, instead};
use crate::Draw;
use crate::node::{Node, raw};
use crate::plan::{Field, Plan};

const WITHOUT: &[&str] = &["tool-call-without-id"];
const WHITE_SPACE: &[&str] = &["tool-call-id-white-space"];

pub(super) const ROWS: &[Defect] = &[
    exact("call-id-missing", WITHOUT, "A call has no id; its result has one.", calls, |on| without(on, Field::Missing)),
    exact("call-id-null", WITHOUT, "A call's id is null; its result has one.", calls, |on| {
        without(on, instead(Node::Null))
    }),
    exact("call-id-empty", WITHOUT, "A call's id is empty; its result has one.", calls, |on| without(on, instead(""))),
    exact("call-id-blank", WITHOUT, "A call's id is white space; its result has one.", calls, |on| {
        without(on, instead(" \t"))
    }),
    exact("call-id-white-space", WHITE_SPACE, "White space stands around the id of a call.", calls, |on| {
        let (exchange, number, part) = a_call(on)?;
        let id = padded(&mut on.draw, &on.plan.messages[exchange.results[number]].answer.as_ref()?.id);
        call_at(on.plan, exchange.turn, part)?.spelled_id = id;
        Some(())
    }),
    exact("result-id-white-space", WHITE_SPACE, "White space stands around the id of a result.", calls, |on| {
        let (exchange, number, _) = a_call(on)?;
        let answer = on.plan.messages[exchange.results[number]].answer.as_mut()?;
        answer.spelled_id = padded(&mut on.draw, &answer.id);
        Some(())
    }),
    exact("id-number", WHITE_SPACE, "A call and its result have a number for an id.", calls, |on| {
        let (exchange, number, part) = a_call(on)?;
        let digits = format!("70{}", on.plan.number());
        let call = call_at(on.plan, exchange.turn, part)?;
        call.spelled_id = instead(raw(&digits));
        let token = call.token.clone();
        // Either may have spelled it as a text.
        let text = on.draw.chance(1, 2);
        let written = if text { Node::from(digits.as_str()) } else { raw(&digits) };
        on.plan.messages[exchange.results[number]].answer.as_mut()?.spelled_id = instead(written);
        on.plan.forget_call(&token);
        outcome_call(on.plan, &token)?.id.clone_from(&digits);
        outcome_result(on.plan, &token)?.answer.as_mut()?.id = digits;
        Some(())
    }),
    exact("id-in-two-turns", &[], "Two turns use one id: each pairs its own.", calls, |on| {
        let found = exchanges(on.plan, 1);
        let from = on.draw.one(&(0..found.len()).collect::<Vec<_>>())?;
        let others: Vec<_> = (0..found.len()).filter(|other| *other != from).collect();
        let to = on.draw.one(&others)?;
        let (from, to) = (&found[from], &found[to]);
        let id = on.plan.messages[from.turn].calls().next()?.id.clone();
        pair(on.plan, from);
        pair(on.plan, to);
        rename(on, to, &id)
    }),
    exact("id-twice-in-a-turn", &["duplicate-tool-call-id"], "Two calls of a turn have one id.", calls, |on| {
        let exchange = exchange(on, 2)?;
        let ids: Vec<_> = on.plan.messages[exchange.turn].calls().map(|call| call.id.clone()).collect();
        let tokens: Vec<_> = on.plan.messages[exchange.turn].calls().map(|call| call.token.clone()).collect();
        let first = on.draw.up_to(ids.len() - 2);
        let second = first + 1 + on.draw.up_to(ids.len() - 2 - first);
        spell(on.plan, &exchange, second, &ids[first])?;
        for place in [first, second] {
            on.plan.forget_call(&tokens[place]);
        }
        // Paired in order of appearance; the later one gets the next free number.
        let taken = on.plan.ids();
        let new =
            (2..=taken.len() + 2).map(|number| format!("{}_{number}", ids[first])).find(|id| !taken.contains(id))?;
        outcome_call(on.plan, &tokens[second])?.id.clone_from(&new);
        outcome_result(on.plan, &tokens[second])?.answer.as_mut()?.id = new;
        Some(())
    }),
];

fn a_call(on: &mut Site<'_, '_>) -> Option<(Exchange, usize, usize)> {
    let exchange = exchange(on, 1)?;
    let (number, part) = call_of(on, exchange.turn)?;
    Some((exchange, number, part))
}

/// A call has the id of the one result that can only be its own.
fn without(on: &mut Site<'_, '_>, written: Field) -> Option<()> {
    let (exchange, _, part) = a_call(on)?;
    call_at(on.plan, exchange.turn, part)?.spelled_id = written;
    on.plan.loose_call = true;
    Some(())
}

fn padded(draw: &mut Draw<'_, '_>, id: &str) -> Field {
    let (front, back) = draw.pick(&[(" ", " "), ("", "\n"), ("\t", "")]);
    instead(format!("{front}{id}{back}"))
}

/// Gives any call of an exchange, and its result, another id.
fn rename(on: &mut Site<'_, '_>, exchange: &Exchange, id: &str) -> Option<()> {
    let (number, part) = call_of(on, exchange.turn)?;
    let token = call_at(on.plan, exchange.turn, part)?.token.clone();
    spell(on.plan, exchange, number, id)?;
    for call in on.plan.calls.iter_mut().filter(|call| call.token == token) {
        id.clone_into(&mut call.id);
    }
    id.clone_into(&mut outcome_call(on.plan, &token)?.id);
    id.clone_into(&mut outcome_result(on.plan, &token)?.answer.as_mut()?.id);
    Some(())
}

/// Writes another id in the call of this number, and in its result.
fn spell(plan: &mut Plan, exchange: &Exchange, number: usize, id: &str) -> Option<()> {
    let field = instead(id);
    plan.messages[exchange.results[number]].answer.as_mut()?.spelled_id = field.clone();
    plan.messages[exchange.turn].calls_mut().nth(number)?.spelled_id = field;
    Some(())
}
