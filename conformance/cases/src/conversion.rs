//! Which conversions exist.

use wirecanon_core::{Dialect, Target};
use wirecanon_judge::case::Case;

/// Whether a text of dialect `from` can be written for `target`.
///
/// A lone MCP tool result has no call that it answers, so it goes to the canonical fragment and back to itself; a whole
/// transcript does not fit into one tool result.
pub fn exists(from: Dialect, target: &Target) -> bool {
    match (from, target.dialect) {
        (Dialect::McpToolResult, to) => matches!(to, Dialect::McpToolResult | Dialect::Canonical),
        (_, to) => to != Dialect::McpToolResult,
    }
}

/// Every conversion, by dialect and then by target, in the order of both tables.
pub fn all() -> impl Iterator<Item = (Dialect, &'static Target)> {
    Dialect::ALL
        .into_iter()
        .flat_map(|from| Target::all().iter().map(move |target| (from, target)))
        .filter(|(from, target)| exists(*from, target))
}

/// Every run of a case: to canonical, back to its own dialect, and to each target that its dialect can be written for.
pub fn targets_of(case: &Case) -> impl Iterator<Item = &'static Target> {
    let from = case.from;
    Target::all().iter().filter(move |target| exists(from, target))
}
