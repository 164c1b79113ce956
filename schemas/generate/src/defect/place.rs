//! Where a defect strikes, and what of the outcome is still known then.
//!
//! Two kinds of defect do not disturb each other: what a message says, and how calls and results belong together. Two of
//! one kind in one place do, so each takes its place for itself. In a wild transcript they may meet; then nobody asks any
//! more what comes out of that place.

use super::Site;
use crate::plan::{CallPart, Message, Part, Plan, Role, Text};

/// A turn of calls, and the places of their results in the order of the calls.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) turn: usize,
    pub(super) results: Vec<usize>,
}

/// One message that `wanted` picks; from now on what it says is changed.
pub(super) fn message(on: &mut Site<'_, '_>, wanted: impl Fn(&Message) -> bool) -> Option<usize> {
    let places: Vec<_> = (0..on.plan.messages.len())
        .filter(|place| is_free(on.plan, *place) && wanted(&on.plan.messages[*place]))
        .collect();
    let place = on.draw.one(&places)?;
    change(on.plan, place);
    Some(place)
}

/// One message of this role.
pub(super) fn of_role(on: &mut Site<'_, '_>, role: Role) -> Option<usize> {
    message(on, |message| message.role == role)
}

/// One part that `wanted` picks, as message and part; from now on what that message says is changed.
pub(super) fn part(on: &mut Site<'_, '_>, wanted: impl Fn(&Message, &Part) -> bool) -> Option<(usize, usize)> {
    let mut places = Vec::new();
    for (place, message) in on.plan.messages.iter().enumerate().filter(|(place, _)| is_free(on.plan, *place)) {
        let parts = message.parts.iter().enumerate().filter(|(_, part)| wanted(message, part));
        places.extend(parts.map(|(part, _)| (place, part)));
    }
    let (place, part) = on.draw.one(&places)?;
    change(on.plan, place);
    Some((place, part))
}

/// One whole exchange with `at_least` so many calls; from now on its pairing is changed.
pub(super) fn exchange(on: &mut Site<'_, '_>, at_least: usize) -> Option<Exchange> {
    let found = exchanges(on.plan, at_least);
    let places: Vec<_> = (0..found.len()).collect();
    let exchange = found[on.draw.one(&places)?].clone();
    pair(on.plan, &exchange);
    Some(exchange)
}

/// Every whole exchange whose pairing no defect has changed.
pub(super) fn exchanges(plan: &Plan, at_least: usize) -> Vec<Exchange> {
    let mut found = Vec::new();
    for (turn, message) in plan.messages.iter().enumerate() {
        if message.key == 0 || plan.paired.contains(&message.key) && !plan.wild {
            continue;
        }
        let results: Option<Vec<_>> = message.calls().map(|call| result_of(plan, &call.token)).collect();
        let Some(results) = results.filter(|results| !results.is_empty() && results.len() >= at_least) else {
            continue;
        };
        found.push(Exchange { turn, results });
    }
    found
}

/// From now on the pairing of this exchange is changed.
pub(super) fn pair(plan: &mut Plan, exchange: &Exchange) {
    if !plan.paired.insert(plan.messages[exchange.turn].key) {
        plan.doubt();
        for place in exchange.results.clone() {
            plan.forget_message(place);
        }
        disown(plan, exchange.turn);
    }
}

/// From now on what this message says is changed.
pub(super) fn change(plan: &mut Plan, place: usize) {
    if !plan.changed.insert(plan.messages[place].key) {
        plan.doubt();
        plan.forget_message(place);
        disown(plan, place);
        // Whoever asked after the call of a result would be told of the result.
        if let Some(token) = plan.messages[place].answer.as_ref().map(|answer| answer.call.clone()) {
            plan.forget_call(&token);
        }
    }
}

/// Whether no defect has changed what a message says.
pub(super) fn is_free(plan: &Plan, place: usize) -> bool {
    let key = plan.messages[place].key;
    key != 0 && (plan.wild || !plan.changed.contains(&key))
}

fn result_of(plan: &Plan, token: &str) -> Option<usize> {
    let mut results = (0..plan.messages.len()).filter(|place| {
        plan.messages[*place].key != 0
            && plan.messages[*place].answer.as_ref().is_some_and(|answer| answer.call == token)
    });
    results.next()
}

/// From now on nobody asks how the calls of this turn look, nor whose its results are; the words must still survive.
pub(super) fn disown(plan: &mut Plan, turn: usize) {
    let tokens: Vec<_> = plan.messages[turn].calls().map(|call| call.token.clone()).collect();
    for token in tokens {
        plan.forget_call(&token);
    }
}

/// What must come out of a message.
pub(super) fn outcome(plan: &mut Plan, place: usize) -> Option<&mut Message> {
    let key = plan.messages[place].key;
    plan.outcome.iter_mut().find(|message| message.key == key)
}

/// What must come out of a part of a message that no other defect has changed.
pub(super) fn outcome_part(plan: &mut Plan, place: usize, part: usize) -> Option<&mut Part> {
    outcome(plan, place)?.parts.get_mut(part)
}

/// The call at a place, as it is written.
pub(super) fn call_at(plan: &mut Plan, place: usize, part: usize) -> Option<&mut CallPart> {
    match plan.messages[place].parts.get_mut(part)? {
        Part::Call(call) => Some(call),
        _ => None,
    }
}

/// The text at a place, as it is written.
pub(super) fn text_at(plan: &mut Plan, place: usize, part: usize) -> Option<&mut Text> {
    match plan.messages[place].parts.get_mut(part)? {
        Part::Text(text) => Some(text),
        _ => None,
    }
}

/// One of the calls of a turn: its number among them, and its part.
pub(super) fn call_of(on: &mut Site<'_, '_>, turn: usize) -> Option<(usize, usize)> {
    let places: Vec<_> = on.plan.messages[turn]
        .parts
        .iter()
        .enumerate()
        .filter(|(_, part)| matches!(part, Part::Call(_)))
        .enumerate()
        .map(|(number, (part, _))| (number, part))
        .collect();
    on.draw.one(&places)
}

/// The call of a token, as it must come out.
pub(super) fn outcome_call<'p>(plan: &'p mut Plan, token: &str) -> Option<&'p mut CallPart> {
    plan.outcome.iter_mut().flat_map(|message| &mut message.parts).find_map(|part| match part {
        Part::Call(call) if call.token == token => Some(call),
        _ => None,
    })
}

/// The result of a call, as it must come out.
pub(super) fn outcome_result<'p>(plan: &'p mut Plan, token: &str) -> Option<&'p mut Message> {
    plan.outcome.iter_mut().find(|message| message.answer.as_ref().is_some_and(|answer| answer.call == token))
}

/// Takes a message out of what must come out.
pub(super) fn drop_outcome(plan: &mut Plan, place: usize) {
    let key = plan.messages[place].key;
    plan.outcome.retain(|message| message.key != key);
}

/// Puts a message between any two others. What is to come of it stands at the same place, but behind the results of the
/// turn that it tears apart.
pub(super) fn insert(on: &mut Site<'_, '_>, written: Message, out: Option<Message>) -> Option<()> {
    let mut places: Vec<_> = (0..=on.plan.messages.len())
        .filter(|place| on.plan.messages.get(*place).is_none_or(|next| next.key != 0 && next.role != Role::Result))
        .map(|place| (place, None))
        .collect();
    let torn = exchanges(on.plan, 1);
    for (number, exchange) in torn.iter().enumerate() {
        let inside = exchange.results.iter().filter(|place| **place > exchange.turn);
        places.extend(inside.map(|place| (*place, Some(number))));
    }
    let (place, inside) = on.draw.pick(&places);
    match inside {
        Some(number) => {
            pair(on.plan, &torn[number]);
            tear(on.plan, &torn[number], place, written, out)
        }
        None => {
            if let Some(out) = out {
                // In front of the next turn that comes out.
                let next = on.plan.messages[place..].iter().enumerate();
                let next = next.filter(|(_, next)| next.key != 0 && next.role != Role::Result);
                let mut places = next.filter_map(|(many, next)| {
                    Some((many, on.plan.outcome.iter().position(|out| out.key == next.key)?))
                });
                let (many, at) = places.next().unwrap_or((on.plan.messages.len() - place, on.plan.outcome.len()));
                // One that was put in, too, behind a message that does not come out, has no key to be found by.
                if on.plan.messages[place..place + many].iter().any(|between| between.key == 0) {
                    on.plan.doubt();
                }
                on.plan.outcome.insert(at, out);
            }
            on.plan.messages.insert(place, written);
            Some(())
        }
    }
}

/// Puts a message between a turn and one of its results, in an exchange whose pairing is changed already.
pub(super) fn tear(
    plan: &mut Plan,
    exchange: &Exchange,
    place: usize,
    written: Message,
    out: Option<Message>,
) -> Option<()> {
    let last = plan.messages[*exchange.results.last()?].key;
    plan.messages.insert(place, written);
    if let Some(out) = out {
        let behind = plan.outcome.iter().position(|message| message.key == last);
        plan.outcome.insert(behind.map_or(plan.outcome.len(), |place| place + 1), out);
    }
    Some(())
}
