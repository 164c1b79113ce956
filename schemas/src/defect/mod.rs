//! Faults: how a valid transcript is broken, one file a class.
//!
//! A fault that keeps it plain who owns what leaves the list of words that must survive alone; any other takes the words
//! that it touches off the list.

mod encoding;
mod media;
mod pairing;
mod roles;
mod shape;
mod tool_args;
mod tool_result;

use crate::generate::node::Node;
use crate::generate::plan::{Field, Message, Part, Plan, Role};
use crate::generate::{Config, Dialect, Draw};

/// A fault in a plan. It says no when there is nothing in the plan that it could break.
type Fault = fn(&mut Draw<'_, '_>, &mut Plan, Dialect) -> Option<&'static str>;

const FAULTS: &[Fault] = &[
    tool_args::arguments,
    pairing::orphan_result,
    pairing::duplicate_result,
    pairing::missing_result,
    pairing::swapped_results,
    pairing::displaced_results,
    pairing::result_before_call,
    pairing::missing_id,
    pairing::duplicate_id,
    pairing::failed_turn,
    tool_args::alias,
    tool_args::streaming_marker,
    tool_args::name,
    tool_result::id_white_space,
    tool_result::id_alias,
    tool_result::error_flag,
    tool_result::tool_name,
    tool_result::content,
    tool_result::mcp_block,
    media::picture,
    encoding::lone_surrogate,
    encoding::duplicate_key,
    shape::text,
    shape::extra_field,
    shape::content,
    shape::blank,
    roles::role,
    roles::headless,
    roles::late_system,
    shape::odd_message,
    shape::seal,
];

/// Breaks a plan in up to `max_faults` ways, at least one.
pub(crate) fn plan(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) {
    for _ in 0..=draw.up_to(config.max_faults.saturating_sub(1)) {
        let first = draw.up_to(FAULTS.len() - 1);
        // The next fault that finds something to break.
        for step in 0..FAULTS.len() {
            if let Some(name) = FAULTS[(first + step) % FAULTS.len()](draw, plan, config.dialect) {
                plan.faults.push(name);
                break;
            }
        }
    }
    // Without one message that looks like one, it is no transcript of any dialect.
    let intact = |message: &Message| message.spelled_role == Field::Natural && message.content == Field::Natural;
    plan.may_refuse |= !plan.messages.iter().any(intact);
}

/// Breaks the finished document in any place, now and then. Nobody can say what must survive that.
pub(crate) fn tree(draw: &mut Draw<'_, '_>, plan: &mut Plan, root: &mut Node) {
    if draw.chance(1, 6) {
        shape::anywhere(draw, root);
        plan.forget_all();
        plan.may_refuse = true;
        plan.faults.push("random-value");
    }
}

/// Breaks the finished text, now and then.
pub(crate) fn bytes(draw: &mut Draw<'_, '_>, plan: &mut Plan, bytes: &mut Vec<u8>) {
    if draw.chance(1, 12) {
        encoding::text(draw, plan, bytes);
    }
}

/// The places of messages of this role.
fn of_role(plan: &Plan, role: Role) -> Vec<usize> {
    (0..plan.messages.len()).filter(|index| plan.messages[*index].role == role).collect()
}

/// One of these places, if there is one.
fn one(draw: &mut Draw<'_, '_>, places: &[usize]) -> Option<usize> {
    if places.is_empty() { None } else { Some(draw.pick(places)) }
}

/// The places of the calls in a plan, as message and part.
fn call_places(plan: &Plan) -> Vec<(usize, usize)> {
    parts(plan, |part| matches!(part, Part::Call(_)))
}

/// The places of the parts that `wanted` picks, as message and part.
fn parts(plan: &Plan, wanted: fn(&Part) -> bool) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (message, one) in plan.messages.iter().enumerate() {
        places.extend(one.parts.iter().enumerate().filter(|(_, part)| wanted(part)).map(|(part, _)| (message, part)));
    }
    places
}

/// From now on nobody asks whose the results of this turn are, nor how its calls look; the words must still survive.
fn disown(plan: &mut Plan, turn: usize) {
    let tokens: Vec<_> = plan.messages[turn].calls().map(|call| call.token.clone()).collect();
    for token in tokens {
        plan.forget_call(&token);
    }
}

/// From now on nobody asks after the results of this turn at all.
fn forget_results(plan: &mut Plan, turn: usize) {
    let tokens: Vec<_> = plan.messages[turn].calls().map(|call| call.token.clone()).collect();
    for index in 0..plan.messages.len() {
        if plan.messages[index].answer.as_ref().is_some_and(|answer| tokens.contains(&answer.call)) {
            plan.forget_message(index);
        }
    }
    disown(plan, turn);
}
