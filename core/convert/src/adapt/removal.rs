//! Removing items from a list of the request that is otherwise copied.

use wirecanon_json::Value;
use wirecanon_model::transcript::{Edit, Transcript};

/// Removes items with a comma each: the one before an item, or the one behind it where no item that stays precedes it. Returns them.
pub(crate) fn remove<'a>(
    transcript: &mut Transcript<'a>,
    items: &[Value<'a>],
    goes: impl Fn(&Value<'a>) -> bool,
) -> Vec<Value<'a>> {
    let first = items.iter().position(|item| !goes(item));
    let mut removed = Vec::new();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| goes(item)) {
        let is_behind = first.is_some_and(|first| first < at);
        let range = match (is_behind, at.checked_sub(1).map(|before| items[before]), items.get(at + 1)) {
            (true, Some(before), _) => before.span().end..item.span().end,
            (_, _, Some(next)) => item.span().start..next.span().start,
            _ => item.span(),
        };
        transcript.edits.push(Edit { at: range, text: String::new() });
        removed.push(*item);
    }
    removed
}
