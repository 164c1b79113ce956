//! Removing items from a list that is copied.

use std::ops::Range;

use crate::json::Value;

/// Returns the items that go, each with its text and a comma: the one before it, or the one behind it where no item that stays precedes
/// it.
pub(super) fn removed<'a>(items: &[Value<'a>], goes: impl Fn(&Value<'a>) -> bool) -> Vec<(Value<'a>, Range<usize>)> {
    let first = items.iter().position(|item| !goes(item));
    let mut removed = Vec::new();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| goes(item)) {
        let is_behind = first.is_some_and(|first| first < at);
        let range = match (is_behind, at.checked_sub(1).map(|before| items[before]), items.get(at + 1)) {
            (true, Some(before), _) => before.span().end..item.span().end,
            (_, _, Some(next)) => item.span().start..next.span().start,
            _ => item.span(),
        };
        removed.push((*item, range));
    }
    removed
}
