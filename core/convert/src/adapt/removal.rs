//! Removing items from a list of the request that is otherwise copied.

use crate::print::Writer;
use crate::read::definitions::{items, list_of};
use wirecanon_model::transcript::{Container, Edit, Transcript};

/// Removes the tools that adaptations left out from the list of tools, with a comma each: the one before an item, or the one behind it
/// where no item that stays precedes it.
pub(crate) fn remove_tools(transcript: &mut Transcript<'_>, writer: &Writer<'_, '_>) {
    let Container::Object { object, .. } = transcript.container else { return };
    if writer.removed_tools.is_empty() {
        return;
    }
    let list = list_of(writer.json.value(object), transcript.dialect);
    let items: Vec<_> = list.into_iter().flat_map(items).collect();
    let goes = |at: usize| writer.removed_tools.contains(&items[at].index());
    let first = (0..items.len()).find(|at| !goes(*at));
    for at in (0..items.len()).filter(|at| goes(*at)) {
        let is_behind = first.is_some_and(|first| first < at);
        let range = match (is_behind, items.get(at + 1)) {
            (true, _) => items[at - 1].span().end..items[at].span().end,
            (false, Some(next)) => items[at].span().start..next.span().start,
            (false, None) => items[at].span(),
        };
        transcript.edits.push(Edit { at: range, text: String::new() });
    }
}
