//! Texts that stand as a list in the object of a result.

use wirecanon_json::Value;

use crate::compare::is_wrapper;
use crate::observation::{Content, Item};
use crate::wire::only_member;

/// The number of lists and objects in each other that are opened.
const MAX_DEPTH: usize = 4;

/// Reads an object that wraps a text or a list under one key: the texts and the values of the list, where each text may be wrapped again.
/// `None` if the object is the value of the tool.
pub(crate) fn listed(object: Value<'_>) -> Option<Vec<Item<'_>>> {
    let inner = unwrapped(object).filter(|inner| inner.is_string() || inner.is_array())?;
    let mut items = Vec::new();
    spread(inner, MAX_DEPTH, &mut items);
    Some(items)
}

/// The value under the only key of an object, if the key says no more than that it is a result.
fn unwrapped(object: Value<'_>) -> Option<Value<'_>> {
    let (key, value) = only_member(object)?;
    is_wrapper(&key.as_str()?).then_some(value)
}

fn spread<'a>(value: Value<'a>, depth: usize, items: &mut Vec<Item<'a>>) {
    if let Some(text) = value.as_str() {
        items.push(Item::text(text, value));
    } else if depth > 0 && value.is_array() {
        value.items().for_each(|item| spread(item, depth - 1, items));
    } else if depth > 0
        && let Some(inner) = unwrapped(value)
    {
        spread(inner, depth - 1, items);
    } else {
        items.push(Item::new(Content::Data(value), value));
    }
}
