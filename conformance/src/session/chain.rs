//! The way from the last message of a conversation to the first, where lines name the line before them.

use std::collections::{HashMap, HashSet};

use super::Part;
use super::line::Named;

/// The lines on the way from `leaf` upwards, that one included.
pub(super) fn up(named: &[Named], leaf: usize) -> HashSet<usize> {
    let names: HashMap<&str, usize> =
        named.iter().enumerate().filter_map(|(number, line)| Some((line.id.as_deref()?, number))).collect();
    let mut seen = HashSet::new();
    let mut at = Some(leaf);
    // A circle ends where it began.
    while let Some(line) = at.filter(|line| seen.insert(*line)) {
        at = named[line].parent.as_deref().and_then(|parent| names.get(parent).copied());
    }
    seen
}

/// Whether lines of this file name each other.
pub(super) fn is_linked(named: &[Named]) -> bool {
    named.iter().any(|line| line.linked)
}

/// Which lines are between the first and the last message of the conversation, the messages included.
pub(super) fn path(named: &[Named], parts: &[Part]) -> Vec<bool> {
    let mut on_path = vec![false; named.len()];
    if is_linked(named)
        && let Some(last) = parts.iter().map(|part| part.line).max()
    {
        let way = up(named, last);
        on_path.iter_mut().enumerate().for_each(|(line, on)| *on = way.contains(&line));
    }
    for part in parts {
        on_path[part.line] = true;
    }
    on_path
}
