//! Texts that some parser refuses.

use super::parts;
use crate::generate::node::LONE_SURROGATE;
use crate::generate::plan::{Field, Part, Plan, Text};
use crate::generate::{Dialect, Draw};

fn a_text<'p>(draw: &mut Draw<'_, '_>, plan: &'p mut Plan) -> Option<&'p mut Text> {
    let places = parts(plan, |part| matches!(part, Part::Text(text) if text.spelled == Field::Natural));
    if places.is_empty() {
        return None;
    }
    let (message, part) = draw.pick(&places);
    match &mut plan.messages[message].parts[part] {
        Part::Text(text) => Some(text),
        _ => None,
    }
}

/// Half of a surrogate pair.
pub(super) fn lone_surrogate(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    a_text(draw, plan)?.body.insert(0, LONE_SURROGATE);
    Some(())
}

/// The same key twice; the last one counts.
pub(super) fn duplicate_key(draw: &mut Draw<'_, '_>, plan: &mut Plan, _: Dialect) -> Option<()> {
    a_text(draw, plan)?.twice = true;
    Some(())
}

/// A byte order mark.
pub(super) fn byte_order_mark(_: &mut Draw<'_, '_>, _: &mut Plan, bytes: &mut Vec<u8>) {
    bytes.splice(0..0, [0xef, 0xbb, 0xbf]);
}

/// A byte that is not UTF-8, anywhere.
pub(super) fn invalid_utf8(draw: &mut Draw<'_, '_>, plan: &mut Plan, bytes: &mut [u8]) {
    plan.forget_all();
    let place = draw.up_to(bytes.len() - 1);
    bytes[place] = 0xff;
    plan.may_refuse = true;
}

/// A text that ends too early.
pub(super) fn cut_off(draw: &mut Draw<'_, '_>, plan: &mut Plan, bytes: &mut Vec<u8>) {
    plan.forget_all();
    bytes.truncate(draw.up_to(bytes.len() - 1));
    plan.may_refuse = true;
}

/// White space at the end.
pub(super) fn trailing_white_space(_: &mut Draw<'_, '_>, _: &mut Plan, bytes: &mut Vec<u8>) {
    bytes.extend(b" \r\n\t");
}
