//! The way from the last message of a conversation to the first, where lines name the line before them.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Part;
use super::line::Named;

/// What is said of lines that name one which is not there.
pub(super) const DANGLING: &str =
    "the entry before it is not in this file: the one above was taken for it, and `fix --in-place` writes that down";
/// What is said of lines that are copies.
pub(super) const TWICE: &str = "it stands in this file before: passed over";

/// The lines on the way from one upwards.
pub(super) struct Way {
    pub(super) lines: HashSet<usize>,
    /// Those of them that name a line which is not in the file, and the lines that were taken for it
    pub(super) dangling: Vec<(usize, usize)>,
}

/// The lines on the way from `leaf` upwards, that one included. Above a line that names one which is not there stands the one in
/// front of it in the file: programs lose single lines, and all that was said before is not lost with them
/// (anthropics/claude-code#58554, openclaw/openclaw#64287).
pub(super) fn up(named: &[Named], leaf: usize) -> Way {
    let (names, front) = (names(named), in_front(named));
    let mut way = Way { lines: HashSet::new(), dangling: Vec::new() };
    let mut at = Some(leaf);
    // A circle ends where it began.
    while let Some(line) = at.filter(|line| way.lines.insert(*line)) {
        let above = named[line].parent.as_deref().map(|parent| names.get(parent).copied());
        at = match above {
            Some(None) => {
                way.dangling.extend(front[line].map(|front| (line, front)));
                front[line]
            }
            above => above.flatten(),
        };
    }
    way.dangling.sort_unstable();
    way
}

/// The line of each name. A line that stands twice is the first of both: what follows it was written behind that one.
fn names(named: &[Named]) -> HashMap<&str, usize> {
    named.iter().enumerate().rev().filter_map(|(number, line)| Some((line.id.as_deref()?, number))).collect()
}

/// Lines that stand in the file before, by their name (anthropics/claude-code#40363).
pub(super) fn copies(named: &[Named]) -> BTreeSet<usize> {
    let names = names(named);
    let is_copy = |(number, line): (usize, &Named)| {
        let first = line.id.as_deref().and_then(|id| names.get(id));
        first.is_some_and(|first| *first < number).then_some(number)
    };
    named.iter().enumerate().filter_map(is_copy).collect()
}

/// For each line the nearest one in front of it that others of its agent can name.
fn in_front(named: &[Named]) -> Vec<Option<usize>> {
    let mut last = [None; 2];
    let front = |(number, line): (usize, &Named)| {
        let front = last[usize::from(line.aside)];
        if line.linked {
            last[usize::from(line.aside)] = Some(number);
        }
        front
    };
    named.iter().enumerate().map(front).collect()
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
        let way = up(named, last).lines;
        on_path.iter_mut().enumerate().for_each(|(line, on)| *on = way.contains(&line));
    }
    for part in parts {
        on_path[part.line] = true;
    }
    on_path
}
