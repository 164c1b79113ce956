//! The way from the last message of a conversation to the first, where lines name the line before them.

use std::collections::{HashMap, HashSet};

use super::line::Line;
use super::{Links, Part};

/// The lines on the way from `leaf` upwards, that one included.
pub(super) fn up(lines: &[Line<'_>], links: &Links, leaf: usize) -> HashSet<usize> {
    let names: HashMap<String, usize> =
        lines.iter().filter_map(|line| Some((line.string(links.id)?, line.number))).collect();
    let mut seen = HashSet::new();
    let mut at = Some(leaf);
    // A circle ends where it began.
    while let Some(line) = at.filter(|line| seen.insert(*line)) {
        at = lines[line].string(links.parent).and_then(|parent| names.get(&parent).copied());
    }
    seen
}

/// Whether lines of this file name each other.
pub(super) fn is_linked(lines: &[Line<'_>], links: &Links) -> bool {
    lines.iter().filter_map(Line::root).any(|root| root.get(links.id).is_some() && root.get(links.parent).is_some())
}

/// Which lines are between the first and the last message of the conversation, the messages included.
pub(super) fn path(lines: &[Line<'_>], links: &Links, parts: &[Part]) -> Vec<bool> {
    let mut on_path = vec![false; lines.len()];
    if is_linked(lines, links)
        && let Some(last) = parts.iter().map(|part| part.line).max()
    {
        let way = up(lines, links, last);
        on_path.iter_mut().enumerate().for_each(|(line, on)| *on = way.contains(&line));
    }
    for part in parts {
        on_path[part.line] = true;
    }
    on_path
}
