//! Calls and results that do not fit together.

use super::{disown, forget_results, of_role, one};
use crate::generate::node::Node;
use crate::generate::plan::{Answer, Field, Message, Part, Plan, Role, Text};
use crate::generate::{Dialect, Draw};

/// Turns with calls, each followed by its results and nothing else so far.
fn whole_turns(plan: &Plan, at_least: usize) -> Vec<usize> {
    (0..plan.messages.len())
        .filter(|turn| {
            let calls: Vec<_> = plan.messages[*turn].calls().map(|call| &call.token).collect();
            !calls.is_empty()
                && calls.len() >= at_least
                && calls.iter().enumerate().all(|(number, token)| {
                    plan.messages
                        .get(turn + 1 + number)
                        .and_then(|message| message.answer.as_ref())
                        .is_some_and(|answer| answer.call == **token && answer.spelled_id == Field::Natural)
                })
                && !calls.iter().any(|token| plan.is_touched(token))
        })
        .collect()
}

/// A turn that no pairing fault has touched, with `at_least` so many calls; from now on it is touched. Two such faults in
/// one turn would make it doubtful who owns what.
fn a_turn(draw: &mut Draw<'_, '_>, plan: &mut Plan, at_least: usize) -> Option<usize> {
    let turn = one(draw, &whole_turns(plan, at_least))?;
    plan.touch(turn);
    Some(turn)
}

/// How many results stand after the turn.
fn results(plan: &Plan, turn: usize) -> usize {
    plan.messages[turn].calls().count()
}

fn foreign_result(text: &str, id: &str) -> Message {
    let text = Text { body: text.to_owned(), token: String::new(), spelled: Field::Natural, twice: false };
    let mut message = Message::new(Role::Result, vec![Part::Text(text)]);
    message.answer = Some(Answer {
        call: String::new(),
        id: id.to_owned(),
        spelled_id: Field::Natural,
        id_key: None,
        name: "read".to_owned(),
        spelled_name: Field::Natural,
        is_error: false,
        spelled_error: Field::Natural,
    });
    message
}

/// A result whose call is nowhere.
pub(super) fn orphan_result(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let place = draw.up_to(plan.messages.len());
    plan.messages.insert(place, foreign_result("nobody asked", "gone"));
    // What it stands between is displaced: who owns what is still plain.
    Some(())
}

/// A second result of a call.
pub(super) fn duplicate_result(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let turn = a_turn(draw, plan, 1)?;
    let place = turn + 1 + draw.up_to(results(plan, turn) - 1);
    let id = plan.messages[place].answer.as_ref()?.id.clone();
    // Behind the first, or behind the whole batch.
    let behind = if draw.chance(1, 2) { turn + 1 + results(plan, turn) } else { place + 1 };
    plan.messages.insert(behind, foreign_result("said again", &id));
    Some(())
}

/// A call without its result.
pub(super) fn missing_result(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let turn = a_turn(draw, plan, 1)?;
    let place = turn + 1 + draw.up_to(results(plan, turn) - 1);
    plan.forget_message(place);
    plan.messages.remove(place);
    Some(())
}

/// Results of parallel calls in another order.
pub(super) fn swapped_results(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let turn = a_turn(draw, plan, 2)?;
    let many = results(plan, turn);
    let by = 1 + draw.up_to(many - 2);
    plan.messages[turn + 1..=turn + many].rotate_left(by);
    Some(())
}

/// Words between a call and its results.
pub(super) fn displaced_results(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let turn = a_turn(draw, plan, 1)?;
    let token = plan.token();
    plan.keep(&token);
    let text = Text { body: format!("meanwhile {token}"), token, spelled: Field::Natural, twice: false };
    let role = draw.pick(&[Role::User, Role::Assistant]);
    let place = turn + 1 + draw.up_to(results(plan, turn) - 1);
    plan.messages.insert(place, Message::new(role, vec![Part::Text(text)]));
    Some(())
}

/// A result in front of its call.
pub(super) fn result_before_call(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let turn = a_turn(draw, plan, 1)?;
    let place = turn + 1 + draw.up_to(results(plan, turn) - 1);
    let result = plan.messages.remove(place);
    plan.messages.insert(turn, result);
    Some(())
}

/// A call, or a result, without a usable id.
pub(super) fn missing_id(draw: &mut Draw<'_, '_>, plan: &mut Plan, of_result: bool) -> Option<()> {
    let turn = a_turn(draw, plan, 1)?;
    let number = draw.up_to(results(plan, turn) - 1);
    let wrong = match draw.up_to(4) {
        0 => Field::Missing,
        1 => Field::Instead(Node::Null),
        2 => Field::Instead(Node::from("")),
        3 => Field::Instead(Node::from(" \t")),
        _ => Field::Instead(Node::Raw("7".to_owned())),
    };
    forget_results(plan, turn);
    if of_result {
        plan.messages[turn + 1 + number].answer.as_mut()?.spelled_id = wrong;
        return Some(());
    }
    let calls = plan.messages[turn]
        .parts
        .iter_mut()
        .filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None });
    calls.take(number + 1).last()?.spelled_id = wrong;
    Some(())
}

/// Two calls with one id, in one turn or in two.
pub(super) fn duplicate_id(draw: &mut Draw<'_, '_>, plan: &mut Plan, same_turn: bool) -> Option<()> {
    let mut turns = whole_turns(plan, if same_turn { 2 } else { 1 });
    let from = one(draw, &turns)?;
    if !same_turn {
        turns.retain(|turn| *turn != from);
    }
    let to = if same_turn { from } else { one(draw, &turns)? };
    let id = plan.messages[from].calls().next()?.id.clone();
    plan.touch(from);
    plan.touch(to);
    if same_turn {
        forget_results(plan, to);
    } else {
        // Each is paired in its own turn, but other faults may mix the turns up.
        disown(plan, from);
        forget_results(plan, from);
        forget_results(plan, to);
    }
    let many = results(plan, to);
    let calls = plan.messages[to]
        .parts
        .iter_mut()
        .filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None });
    calls.last()?.spelled_id = Field::Instead(Node::from(id.as_str()));
    plan.messages[to + many].answer.as_mut()?.spelled_id = Field::Instead(Node::from(id));
    Some(())
}

/// A turn of calls that broke off.
pub(super) fn failed_turn(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    let turn = one(draw, &of_role(plan, Role::Assistant))?;
    plan.messages[turn].stop = Some(draw.pick(&["error", "aborted"]));
    Some(())
}
