//! Ways from a message to what stands in it, as tables give them: what is changed before a message is read is found by them.

use wirecanon_json::{Json, Value};

/// Whether a text has all the keys of a way.
pub(crate) fn may_lead(json: &Json<'_>, way: &[&str]) -> bool {
    way.iter().all(|key| *key == "*" || json.may_hold(key))
}

/// Follows a way from here, and gives what it leads to to `each`, with the innermost item of a list that it went through, or
/// `block` where it went through none: keys, and `*` for each item of a list or for what stands alone in its place. Ways are
/// ours, so this may recurse.
pub(crate) fn for_each_at<'a>(
    block: Value<'a>,
    from: Value<'a>,
    way: &[&str],
    each: &mut impl FnMut(Value<'a>, Value<'a>),
) {
    match way.split_first() {
        Some((&"*", way)) if from.is_array() => from.items().for_each(|item| for_each_at(item, item, way, each)),
        Some((&"*", way)) => for_each_at(from, from, way, each),
        Some((key, way)) => {
            if let Some(inside) = from.get(key) {
                for_each_at(block, inside, way, each);
            }
        }
        None => each(block, from),
    }
}
