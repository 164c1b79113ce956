//! The way from the last message of a conversation to the first, where lines name the line before them.

use std::collections::{HashMap, HashSet};

use super::Part;
use super::line::{Line, Named};

/// Lines in front that are tried in place of one that is not there: those that lead back again will not do.
const TRIED: usize = 16;

fn names(named: &[Named]) -> HashMap<&str, usize> {
    let counts = named.iter().enumerate().filter(|(_, line)| line.twin.is_none());
    counts.filter_map(|(number, line)| Some((line.id.as_deref()?, number))).collect()
}

/// The lines on the way from `leaf` upwards, that one included.
pub(super) fn up(named: &[Named], leaf: usize) -> HashSet<usize> {
    walk(named, &names(named), leaf)
}

fn walk(named: &[Named], names: &HashMap<&str, usize>, leaf: usize) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let mut at = Some(leaf);
    // A circle ends where it began.
    while let Some(line) = at.filter(|line| seen.insert(*line)) {
        at = named[line].parent.as_deref().and_then(|parent| names.get(parent).copied());
    }
    seen
}

/// The same. Where a line names one that is not in the file, the way goes on with the line in front of it, and that is what it names
/// from then on: what stands above would be lost.
pub(super) fn up_over_gaps(named: &mut [Named], leaf: usize) -> HashSet<usize> {
    let names = names(named);
    let (mut seen, mut gaps) = (HashSet::new(), Vec::new());
    let mut at = Some(leaf);
    while let Some(line) = at.filter(|line| seen.insert(*line)) {
        at = match named[line].parent.as_deref() {
            None => None,
            Some(parent) if names.contains_key(parent) => names.get(parent).copied(),
            // What it named was compacted, and it stands for that.
            Some(_) if named[line].opens => None,
            Some(_) => {
                let front = in_front(named, &names, line, &seen);
                gaps.extend(front.map(|front| (line, front)));
                front
            }
        };
    }
    let gaps: HashMap<usize, (usize, Option<String>)> =
        gaps.into_iter().map(|(line, front)| (line, (front, named[front].id.clone()))).collect();
    for (line, named) in named.iter_mut().enumerate().filter(|_| !gaps.is_empty()) {
        // What stands there again goes with it, so that both still say the same.
        let Some((front, parent)) = gaps.get(&named.twin.unwrap_or(line)) else { continue };
        named.parent.clone_from(parent);
        named.adopted = Some(*front).filter(|_| named.twin.is_none());
    }
    seen
}

/// The line in front of one, of the same agent, from which no way leads back to those that were seen.
fn in_front(named: &[Named], names: &HashMap<&str, usize>, line: usize, seen: &HashSet<usize>) -> Option<usize> {
    let fits = |front: &usize| {
        let other = &named[*front];
        other.id.is_some() && other.twin.is_none() && other.aside == named[line].aside && !seen.contains(front)
    };
    let mut tried = (0..line).rev().filter(fits).take(TRIED);
    tried.find(|front| walk(named, names, *front).is_disjoint(seen))
}

/// Says of lines with one name which of them counts: the first if they say the same, since it stands where it was said; else the
/// last, as the programs have it.
pub(super) fn pair(lines: &[Line<'_>], named: &mut [Named]) {
    let mut all: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, line) in named.iter().enumerate() {
        if let Some(id) = line.id.as_deref() {
            all.entry(id).or_default().push(number);
        }
    }
    let said = |number: &usize| {
        let json = lines[*number].read()?;
        let root = json.root();
        Some(root.get("message").unwrap_or(root).raw().to_owned())
    };
    let mut twins = Vec::new();
    for same in all.into_values().filter(|same| same.len() > 1) {
        let first = said(&same[0]);
        let counts = if same.iter().all(|other| said(other) == first) { same[0] } else { same[same.len() - 1] };
        twins.extend(same.into_iter().filter(|other| *other != counts).map(|other| (other, counts)));
    }
    for (other, counts) in twins {
        named[other].twin = Some(counts);
    }
}

/// Whether lines of this file name each other.
pub(super) fn is_linked(named: &[Named]) -> bool {
    named.iter().any(|line| line.linked)
}

/// Which lines are between the first and the last message of the conversation, the messages included, and those that stand there
/// again.
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
    for (line, named) in named.iter().enumerate() {
        if let Some(counts) = named.twin {
            on_path[line] = on_path[counts];
        }
    }
    on_path
}
