//! Lists whose items must differ: one of each kind is kept, for when too few of those that are drawn do.

use std::cmp::Reverse;

use arbitrary::Unstructured;

use super::Plan;
use super::plan::{Array, Kind, NEVER};
use super::string::noise;
use super::write::{is_new, part};

/// Attempts to find one more item that differs from the others.
const ATTEMPTS: u64 = 1000;
/// Attempts after which an item may be one level deeper.
const PATIENCE: u64 = 128;
/// Rounds in which lists are found that hold lists of earlier rounds.
const ROUNDS: usize = 16;

/// What was found of one kind of list.
enum Found {
    List(String),
    /// It could hold only lists of which none is known yet, or values of which there are too few
    Waits,
    Nothing,
}

/// What was found of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// One of each
    All,
    /// Some can only hold lists like themselves, without an end, or too few values: they are no instances, and taken out
    Some,
    /// Of one of them none could be found
    NotAll,
}

/// Gives each list whose items must differ the one with the fewest items.
pub(super) fn fill(plan: &mut Plan) -> Outcome {
    let is_open = |number: &usize| {
        let node = &plan.nodes[*number];
        // One that cannot be is never written.
        matches!(&node.kind, Kind::Array(array) if array.unique && array.distinct.is_none()) && node.depth != NEVER
    };
    let mut open: Vec<usize> = (0..plan.nodes.len()).filter(is_open).collect();
    // What a list holds is shallower, or was met later.
    open.sort_by_key(|number| (plan.nodes[*number].depth, Reverse(*number)));
    for _ in 0..ROUNDS {
        let known = open.len();
        let mut nothing = false;
        open.retain(|number| {
            let Kind::Array(array) = &plan.nodes[*number].kind else { return false };
            match find(plan, array) {
                Found::List(text) => {
                    if let Kind::Array(array) = &mut plan.nodes[*number].kind {
                        array.distinct = Some(text.into());
                    }
                    false
                }
                Found::Waits => true,
                Found::Nothing => {
                    nothing = true;
                    true
                }
            }
        });
        if open.is_empty() {
            return Outcome::All;
        }
        if nothing {
            return Outcome::NotAll;
        }
        if open.len() == known {
            for number in open {
                plan.nodes[number].kind = Kind::OneOf(Vec::new());
            }
            return Outcome::Some;
        }
    }
    Outcome::NotAll
}

/// The list with the fewest items that are allowed, all different, and nothing drawn.
fn find(plan: &Plan, array: &Array) -> Found {
    let mut out = "[".to_owned();
    let mut known = Vec::new();
    let mut waits = false;
    let mut must = array.must.iter().flat_map(|(node, times)| core::iter::repeat_n(*node, *times));
    for index in 0..array.least {
        let Some(node) = array.prefix.get(index).copied().or_else(|| must.next()).or(array.rest) else {
            return Found::Nothing;
        };
        let item = (0..ATTEMPTS).find_map(|attempt| {
            let bytes: Vec<u8> = (0..attempt.min(16)).flat_map(|at| noise(attempt * 16 + at).to_le_bytes()).collect();
            let levels = plan.nodes[node as usize].depth.max(2) + (attempt / PATIENCE) as u32;
            let item = part(plan, node, levels, &mut Unstructured::new(&bytes));
            waits |= item.is_none();
            item.filter(|item| is_new(item, &mut known))
        });
        let Some(item) = item else {
            let waits = waits || is_spelled_out(plan, node);
            return if waits { Found::Waits } else { Found::Nothing };
        };
        if index > 0 {
            out.push(',');
        }
        out.push_str(&item);
    }
    out.push(']');
    Found::List(out)
}

/// Whether a schema spells out all there is.
fn is_spelled_out(plan: &Plan, node: u32) -> bool {
    let is_fixed = |node: u32| matches!(plan.nodes[node as usize].kind, Kind::Fixed(_));
    match &plan.nodes[node as usize].kind {
        Kind::OneOf(ways) => ways.iter().all(|way| is_fixed(*way)),
        _ => is_fixed(node),
    }
}
